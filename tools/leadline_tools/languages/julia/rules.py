"""Julia: https://docs.julialang.org/en/v1/."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import fields, first_child, the_node
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_AROUND_NAME = frozenset(
    {
        "type_head",
        "signature",
        "binary_expression",
        "parametrized_type_expression",
        "call_expression",
        "where_expression",
        "typed_expression",
    }
)
"""Nodes whose first child holds the name that they declare."""


def _list_declared_name(node: Node | None) -> Node | None:
    """Return the name that a head declares: ``f`` of ``Base.f(x)::Int where T``, ``A`` of ``A{T} <: B``."""
    while node is not None and node.type in _AROUND_NAME:
        node = node.named_children[0] if node.named_children else None
    if node is not None and node.type == "field_expression":
        node = node.named_children[-1]
    return node if node is not None and node.type in ("identifier", "operator") else None


def _head(node: Node) -> Sequence[Node]:
    name = _list_declared_name(next(iter(first_child("type_head", "signature")(node)), None))
    return () if name is None else (name,)


def _list_assigned(node: Node) -> Sequence[Node]:
    name = _list_declared_name(node.named_children[0] if node.named_children else None)
    return () if name is None else (name,)


def _is_function(node: Node | None) -> bool:
    """Return whether the left side of an assignment is the head of a short function: ``f(x) = x``."""
    while node is not None and node.type in ("where_expression", "typed_expression"):
        node = node.named_children[0] if node.named_children else None
    return node is not None and node.type == "call_expression"


def _classify_assigned(node: Node) -> SymbolKind:
    if _is_function(node.named_children[0] if node.named_children else None):
        return SymbolKind.Function
    around = node.parent
    constant = around is not None and around.type == "const_statement"
    return SymbolKind.Constant if constant else SymbolKind.Variable


_FUNCTION = Defines(SymbolKind.Function, name=_head, body=fields())
_TYPE = Defines(SymbolKind.Struct, name=_head, body=fields())
_MODULE = Defines(SymbolKind.Module, body=the_node)


def _field(node: Node) -> Sequence[Node]:
    """Return the name of a field of a structure, where the node is one."""
    around = node.parent
    name = _list_declared_name(node) if around is not None and around.type == "struct_definition" else None
    return () if name is None else (name,)


_FIELD = Defines(SymbolKind.Field, name=_field, body=fields())

LANGUAGE = Language(
    name="julia",
    grammar=("tree_sitter_julia", "language"),
    files=FileRules(
        extensions=(".jl",),
        interpreters=("julia",),
    ),
    outline=OutlineRules(
        definitions={
            "module_definition": _MODULE,
            "struct_definition": Defines(SymbolKind.Struct, name=_head, body=the_node),
            "abstract_definition": _TYPE,
            "primitive_definition": _TYPE,
            "function_definition": _FUNCTION,
            "macro_definition": _FUNCTION,
            "assignment": Defines(_classify_assigned, name=_list_assigned, body=fields()),
            "typed_expression": _FIELD,
            "identifier": _FIELD,
        },
        through=frozenset({"const_statement", "global_statement", "macrocall_expression", "macro_argument_list"}),
        comments=frozenset({"line_comment", "block_comment"}),
    ),
)
