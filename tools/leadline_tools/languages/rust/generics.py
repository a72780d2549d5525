"""Type parameters of Rust: what items declare, what an ``impl`` calls them, and what a where clause says of one.

https://doc.rust-lang.org/reference/items/generics.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rust.outline import find_type
from leadline_tools.languages.rust.types import spell_supertraits
from leadline_tools.languages.terms import Spell, either


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of an item."""
    listed = node.child_by_field_name("type_parameters")
    declared = listed.named_children if listed is not None else []
    return [name for one in declared if one.type == "type_parameter" for name in one.children_by_field_name("name")]


def list_enum_type_parameters(node: Node) -> Sequence[Node]:
    """Return the type parameters of the enum of a variant."""
    around = node.parent.parent if node.parent is not None else None
    return list_type_parameters(around) if around is not None else ()


def list_implementing_arguments(node: Node) -> Sequence[Node]:
    """Return what an impl calls the type parameters of its type, or what its collection or pointer holds."""
    kind = find_type(node)
    while kind is not None and kind.type == "reference_type":
        kind = find_type(kind)
    if kind is not None and kind.type in ("array_type", "pointer_type"):
        return kind.children_by_field_name("element" if kind.type == "array_type" else "type")
    listed = kind.child_by_field_name("type_arguments") if kind is not None else None
    return [child for child in listed.named_children if child.type != "lifetime"] if listed is not None else ()


def read_where_clause(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what a where clause says of a type parameter."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "type_identifier":
        yield text(left), either(spell_supertraits(node, spell))
