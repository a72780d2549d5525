"""Definitions of TypeScript: declared types, properties among parameters, the members of aliases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.javascript import (
    values,
)
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.typescript import mapped_types
from leadline_tools.model import SymbolKind

_MODIFIERS = frozenset({"accessibility_modifier", "override_modifier", "readonly"})


def find_type(node: Node) -> Node | None:
    """Return the type that a node declares."""
    return node.child_by_field_name("type")


def find_variable_type(node: Node) -> Node | None:
    """Return the result that a function says, or the type of a variable."""
    function = values.find_function(node)
    if function is not None:
        return find_result_type(function)
    name = node.child_by_field_name("name")
    return find_type(node) if name is not None and name.type in _WHOLE else None


def find_field_type(node: Node) -> Node | None:
    """Return the type of a field, or the result of the function that it is given."""
    return find_type(node) if values.find_function(node) is None else find_value_result(node)


def find_value_result(node: Node) -> Node | None:
    """Return the result that the function says which something is given."""
    function = values.find_function(node)
    return find_result_type(function) if function is not None else None


def find_result_type(node: Node) -> Node | None:
    """Return the result that a function says."""
    return node.child_by_field_name("return_type")


def find_parameter_type(node: Node) -> Node | None:
    """Return the type of a parameter that takes a value as a whole."""
    pattern = node.child_by_field_name("pattern")
    return find_type(node) if pattern is None or pattern.type in _WHOLE else None


def iterate_joined_types(value: Node | None) -> Iterator[Node]:
    """Yield the types that a type joins by ``&`` and ``|``."""
    stack = [value] if value is not None else []
    while stack:
        node = stack.pop()
        if node.type in ("intersection_type", "union_type", "parenthesized_type"):
            stack += reversed(node.named_children)
        else:
            yield node


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of a type."""
    listed = node.child_by_field_name("type_parameters")
    return [name for one in (listed.named_children if listed is not None else ()) for name in LIST_NAME(one)]


def classify_parameter(node: Node) -> SymbolKind | None:
    """Tell a parameter that declares a property: ``constructor(private readonly name: string)``."""
    return SymbolKind.Property if any(child.type in _MODIFIERS for child in node.children) else None


def list_parameter_names(node: Node) -> Sequence[Node]:
    """Return the names that a parameter binds; one may only tell the type of ``this``."""
    pattern = node.child_by_field_name("pattern")
    return (pattern,) if pattern is not None and pattern.type == "this" else values.list_pattern_names(node)


def list_alias_body(node: Node) -> Sequence[Node]:
    """Return the members that an alias has of its own: a mapped type has those of another one, and ``{}`` has none."""
    joined = list(iterate_joined_types(node.child_by_field_name("value")))
    bodies = (part for part in joined if part.type == "object_type" and (part.named_children or len(joined) == 1))
    return [part for part in bodies if mapped_types.clause(part) is None]


def find_alias_type(node: Node) -> Node | None:
    """Return what an alias is another name for: one with members of its own for the other types of a union."""
    return node.child_by_field_name("value") if is_union(node) or not list_alias_body(node) else None


def is_union(alias: Node) -> bool:
    """Return whether an object is of one of the types that an alias joins, and not of all of them."""
    value = alias.child_by_field_name("value")
    while value is not None and value.type == "parenthesized_type" and value.named_children:
        value = value.named_children[0]
    return value is not None and value.type == "union_type"


def classify_module(node: Node) -> SymbolKind:
    """Tell a module, which is named by a string, from a namespace."""
    name = node.child_by_field_name("name")
    return SymbolKind.Module if name is not None and name.type == "string" else SymbolKind.Namespace


def find_hiding_block(node: Node) -> int:
    """Return by its first byte, counted from 1, the block of a namespace that does not export a definition; 0 for none.

    What a block of an ambient namespace declares is exported in any case.
    https://www.typescriptlang.org/docs/handbook/declaration-merging.html#merging-namespaces
    """
    block, exported = node.parent, node.type == "export_statement"
    while block is not None and block.type != "statement_block":
        exported = exported or block.type == "export_statement"
        block = block.parent
    if block is None or exported or not any(child.type == "export_statement" for child in block.named_children):
        return 0
    around = block.parent
    while around is not None and around.type != "ambient_declaration":
        around = around.parent
    return block.start_byte + 1 if around is None else 0


LIST_NAME = fields("name")

_WHOLE = frozenset({"identifier", "rest_pattern", "this"})
"""The patterns that take the value as a whole."""


def is_global_block(node: Node) -> bool:
    """Return whether a block declares for all files: ``declare global { ... }`` in a module.

    https://www.typescriptlang.org/docs/handbook/declaration-merging.html#global-augmentation
    """
    return node.parent is not None and node.parent.type == "ambient_declaration"


def classify_block(node: Node) -> SymbolKind:
    """Tell a block whose variables are seen outside from one whose variables belong to nobody."""
    return SymbolKind.Module if is_global_block(node) else SymbolKind.Function
