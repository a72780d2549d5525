"""Zig: https://ziglang.org/documentation/master/."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, descend, fields, first_child, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_CONTAINERS = {
    "struct_declaration": SymbolKind.Struct,
    "opaque_declaration": SymbolKind.Struct,
    "union_declaration": SymbolKind.Struct,
    "enum_declaration": SymbolKind.Enum,
    "error_set_declaration": SymbolKind.Enum,
}
_IMPORTS = frozenset({"@import", "@cImport"})
_VALUE = children_of_type(*_CONTAINERS, "builtin_function")


def _kind(node: Node) -> SymbolKind | None:
    """Return what a variable is called after: the type that it holds; None for a file that it imports."""
    value = next(iter(_VALUE(node)), None)
    if value is None:
        return SymbolKind.Constant if text(node.children[0]) == "const" or _is_constant(node) else SymbolKind.Variable
    if value.type == "builtin_function":
        imported = text(next(iter(first_child("builtin_identifier")(value)), None)) in _IMPORTS
        return None if imported else SymbolKind.Constant
    return _CONTAINERS[value.type]


def _is_constant(node: Node) -> bool:
    return any(child.type == "const" for child in node.children)


def _field_kind(node: Node) -> SymbolKind:
    around = node.parent
    return SymbolKind.EnumMember if around is not None and around.type == "enum_declaration" else SymbolKind.Field


def _error_name(node: Node) -> Sequence[Node]:
    """Return the name of an error where the node is one of a set."""
    around = node.parent
    return (node,) if around is not None and around.type == "error_set_declaration" else ()


def _find_made_type(node: Node) -> Sequence[Node]:
    """Return the body of a function that makes a type, which is how Zig writes generic ones."""
    return node.children_by_field_name("body") if text(node.child_by_field_name("type")) == "type" else ()


LANGUAGE = Language(
    name="zig",
    grammar=("tree_sitter_zig", "language"),
    files=FileRules(
        extensions=(".zig", ".zon"),
        main=("main",),
    ),
    outline=OutlineRules(
        definitions={
            "variable_declaration": Defines(_kind, name=first_child("identifier"), body=children_of_type(*_CONTAINERS)),
            "function_declaration": Defines(
                SymbolKind.Function,
                member=SymbolKind.Method,
                body=_find_made_type,
                parameters=first_child("parameters"),
            ),
            "container_field": Defines(_field_kind, body=fields()),
            "identifier": Defines(SymbolKind.EnumMember, name=_error_name, body=fields()),
            "test_declaration": Defines(
                SymbolKind.Function,
                name=lambda node: (
                    descend(first_child("string"), first_child("string_content"))(node)
                    or first_child("identifier")(node)
                ),
                body=fields(),
            ),
        },
        through=frozenset({"expression_statement", "return_expression", "struct_declaration", "union_declaration"}),
    ),
)
