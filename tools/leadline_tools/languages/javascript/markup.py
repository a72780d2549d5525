"""Elements of JSX: their names and their attributes."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.javascript.values import NAMELESS
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Spell, then


def _is_intrinsic(name: Node) -> bool:
    """Return whether the name of an element is that of one that the page has: it begins with a small letter."""
    return name.type == "identifier" and not text(name)[:1].isupper()


def bind_element_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of an element that no variable means."""
    name = node.child_by_field_name("name")
    if name is not None and _is_intrinsic(name):
        yield name, NAMELESS


def bind_attributes(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the attributes of an element with what it is a member of: what the component takes first.

    What an element of the page takes is declared nowhere in the code base.
    """
    yield from bind_element_name(node, spell)
    name = node.child_by_field_name("name")
    term = UNKNOWN if name is None else NAMELESS if _is_intrinsic(name) else then(spell(name), "%0")
    for child in node.named_children if term != UNKNOWN else ():
        if child.type == "jsx_attribute" and child.named_children[0].type == "property_identifier":
            yield child.named_children[0], term
