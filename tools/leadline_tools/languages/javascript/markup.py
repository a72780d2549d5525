"""Elements of JSX: their names and their attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.javascript.values import NAMELESS
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.calls import ImplicitCall
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, call_with, either, object_of, record, then

_INTRINSIC = either((object_of("JSX.IntrinsicElements"), NAMELESS))
"""What the elements of the page are members of, if the code base declares them: else nothing declares them.

https://www.typescriptlang.org/docs/handbook/jsx.html#intrinsic-elements
"""


def _is_intrinsic(name: Node) -> bool:
    """Return whether the name of an element is that of one that the page has: it begins with a small letter."""
    return name.type == "identifier" and not text(name)[:1].isupper()


def bind_element_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of an element that no variable means."""
    name = node.child_by_field_name("name")
    if name is not None and _is_intrinsic(name):
        yield name, _INTRINSIC


def _attributes_of(name: Node, spell: Spell) -> str:
    """Return the term of what the attributes of an element are members of."""
    if not _is_intrinsic(name):
        return then(spell(name), "%0")
    return either((then(object_of("JSX.IntrinsicElements"), f".{text(name)}"), NAMELESS))


def bind_attributes(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the attributes of an element with what it is a member of: what the component takes first.

    What an element of the page takes is declared nowhere in the code base.
    """
    yield from bind_element_name(node, spell)
    name = node.child_by_field_name("name")
    term = UNKNOWN if name is None else _attributes_of(name, spell)
    for child in node.named_children if term != UNKNOWN else ():
        if child.type == "jsx_attribute" and child.named_children[0].type == "property_identifier":
            yield child.named_children[0], term


def spell_property(attribute: Node, spell: Spell) -> str:
    """Spell what a component takes by an attribute; UNKNOWN for an element of the page."""
    element, key = attribute.parent, attribute.named_children[0]
    name = element.child_by_field_name("name") if element is not None else None
    if name is None or _is_intrinsic(name) or key.type != "property_identifier":
        return UNKNOWN
    return then(then(_call_with_attributes(name, attribute, spell), "%0"), f".{text(key)}")


def _call_with_attributes(name: Node, but: Node, spell: Spell) -> str:
    """Spell a component as a function that is called with its attributes ``but`` for one, where they are names.

    https://www.typescriptlang.org/docs/handbook/jsx.html#function-component
    """
    given: list[tuple[str, str]] = []
    for child in but.parent.named_children if but.parent is not None else ():
        if child.type != "jsx_attribute" or child.id == but.id:
            continue
        parts = child.named_children
        value = next(iter(parts[1].named_children), None) if len(parts) > 1 else None
        if value is not None and value.type in _NAMES and parts[0].type == "property_identifier":
            given.append((text(parts[0]), then(spell(value), Op.Itself)))
    return call_with(spell(name), [object_of(record(given, closed=False))] if given else ())


_NAMES = frozenset({"identifier", "member_expression"})


_CONTENT = "children"
_CLOSING = "</"


def find_content(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the property that what is inside of an element gives a component, at the tag that ends it.

    https://react.dev/learn/passing-props-to-a-component#passing-jsx-as-children
    """
    opening, *inner, closing = node.named_children if node.named_child_count > 1 else (node, node)
    name = opening.child_by_field_name("name")
    given = any(one.type != "jsx_text" or text(one).strip() for one in inner)
    if given and name is not None and closing.type == "jsx_closing_element":
        yield ImplicitCall(closing.children[0], _CONTENT, _attributes_of(name, spell))


def list_content_signs(name: str) -> Sequence[str]:
    """Return the token at which something of a name is used without it."""
    return (_CLOSING,) if name == _CONTENT else ()
