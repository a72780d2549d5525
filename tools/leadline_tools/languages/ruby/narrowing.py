"""Narrowing in Ruby: what ``is_a?`` and ``when`` say of the types of names."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.ruby.outline import list_arguments
from leadline_tools.languages.terms import Spell, either, object_of

_TESTS = frozenset({"is_a?", "kind_of?", "instance_of?"})


def narrow_by_is_a(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the types that ``name.is_a?(Type)`` narrows to."""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None and receiver.type in _NARROWED and text(node.child_by_field_name("method")) in _TESTS:
        yield from ((text(receiver), object_of(spell(one))) for one in list_arguments(node)[:1])


def narrow_by_when(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the type that ``when Type`` narrows the subject of the ``case`` to."""
    over = node.parent.child_by_field_name("value") if node.parent is not None else None
    if over is not None and over.type in _NARROWED:
        patterns = [pattern.named_children[0] for pattern in node.children_by_field_name("pattern")]
        types = [one for one in patterns if one.type in ("constant", "scope_resolution")]
        yield text(over), either(object_of(spell(one)) for one in types)


_NARROWED = frozenset({"identifier", "instance_variable"})
