"""Elixir: https://hexdocs.pm/elixir/syntax-reference.html."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import fields, first_child, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_KINDS = {
    "defmodule": SymbolKind.Module,
    "defprotocol": SymbolKind.Interface,
    "defimpl": SymbolKind.Class,
    "def": SymbolKind.Function,
    "defp": SymbolKind.Function,
    "defmacro": SymbolKind.Function,
    "defmacrop": SymbolKind.Function,
    "defguard": SymbolKind.Function,
    "defguardp": SymbolKind.Function,
    "defdelegate": SymbolKind.Function,
    "defn": SymbolKind.Function,
    "defnp": SymbolKind.Function,
}
_OPENS = frozenset({SymbolKind.Module, SymbolKind.Interface, SymbolKind.Class})
_ATTRIBUTES = {
    "type": SymbolKind.Class,
    "typep": SymbolKind.Class,
    "opaque": SymbolKind.Class,
    "callback": SymbolKind.Method,
    "macrocallback": SymbolKind.Method,
}
"""The attributes of a module that define something themselves."""

_SAID = frozenset({"moduledoc", "doc", "typedoc", "spec", "impl", "behaviour", "derive", "dialyzer", "compile", "tag"})
"""Those that say something of the module or of what follows."""

_ARGUMENTS = first_child("arguments")
_BODY = first_child("do_block")


def _find_called(node: Node) -> str:
    return text(node.child_by_field_name("target"))


def _kind(call: Node) -> SymbolKind | None:
    return _KINDS.get(_find_called(call))


def _first_argument(call: Node) -> Node | None:
    arguments = next(iter(_ARGUMENTS(call)), None)
    return arguments.named_children[0] if arguments is not None and arguments.named_children else None


def _head(node: Node | None) -> Node | None:
    """Return the name in ``name``, ``name(a)``, ``name(a) when b`` and ``name(a) :: b``; None for an operator."""
    while node is not None and node.type in ("binary_operator", "call"):
        if node.type == "binary_operator" and text(node.child_by_field_name("operator")) not in ("when", "::"):
            return None
        node = node.child_by_field_name("left" if node.type == "binary_operator" else "target")
    return node if node is not None and node.type in ("identifier", "alias") else None


def _name(call: Node) -> Sequence[Node]:
    name = _head(_first_argument(call))
    return () if name is None else (name,)


def _inside(call: Node) -> Sequence[Node]:
    """Return the block of a module; what a function holds is local."""
    return _BODY(call) if _kind(call) in _OPENS else ()


def _parameters(call: Node) -> Sequence[Node] | None:
    head = _first_argument(call)
    if head is not None and head.type == "binary_operator":
        head = head.child_by_field_name("left")
    return _ARGUMENTS(head) if head is not None and head.type == "call" else ()


def _attribute(node: Node) -> Node | None:
    """Return the call that stands after the ``@`` of an attribute with a value."""
    operand = node.child_by_field_name("operand")
    marked = text(node.child_by_field_name("operator")) == "@"
    return operand if marked and operand is not None and operand.type == "call" else None


def _attribute_kind(node: Node) -> SymbolKind | None:
    call = _attribute(node)
    if call is None or _find_called(call) in _SAID:
        return None
    return _ATTRIBUTES.get(_find_called(call), SymbolKind.Constant)


def _attribute_name(node: Node) -> Sequence[Node]:
    call = _attribute(node)
    if call is None:
        return ()
    return _name(call) if _find_called(call) in _ATTRIBUTES else fields("target")(call)


LANGUAGE = Language(
    name="elixir",
    grammar=("tree_sitter_elixir", "language"),
    files=FileRules(
        extensions=(".ex", ".exs"),
        interpreters=("elixir",),
        module=lambda _path: "",
    ),
    outline=OutlineRules(
        definitions={
            "call": Defines(_kind, name=_name, body=_inside, parameters=_parameters),
            "unary_operator": Defines(_attribute_kind, name=_attribute_name, body=fields()),
        },
    ),
)
