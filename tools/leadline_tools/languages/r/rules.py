"""R: https://cran.r-project.org/doc/manuals/r-release/R-lang.html."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, descend, fields, text
from leadline_tools.languages.pack import EXTENSIONS, PACKAGE
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_TO_THE_LEFT = frozenset({"<-", "<<-", "=", ":="})
_TO_THE_RIGHT = frozenset({"->", "->>"})
_CLASSES = frozenset({"setClass", "setRefClass", "R6Class", "new_class"})
_DECLARING = {
    "setClass": SymbolKind.Class,
    "setRefClass": SymbolKind.Class,
    "setGeneric": SymbolKind.Function,
    "setMethod": SymbolKind.Method,
    "setValidity": SymbolKind.Method,
}
"""The functions of the methods package that define what their first argument names."""

_ARGUMENT_VALUES = descend(fields("arguments"), fields("argument"), fields("value"))


def _sides(node: Node) -> tuple[Node | None, Node | None]:
    """Return the name and the value of an assignment; None twice for another operator."""
    left, right = node.child_by_field_name("lhs"), node.child_by_field_name("rhs")
    operator = text(node.child_by_field_name("operator"))
    if operator in _TO_THE_LEFT:
        return left, right
    return (right, left) if operator in _TO_THE_RIGHT else (None, None)


def _name_called(value: Node | None) -> str:
    return text(value.child_by_field_name("function")) if value is not None and value.type == "call" else ""


def _list_assigned(node: Node) -> Sequence[Node]:
    name, _ = _sides(node)
    return (name,) if name is not None and name.type == "identifier" else ()


def _classify_assigned(node: Node) -> SymbolKind:
    _, value = _sides(node)
    if value is not None and value.type == "function_definition":
        return SymbolKind.Function
    return SymbolKind.Class if _name_called(value) in _CLASSES else SymbolKind.Variable


def _list_declared_name(call: Node) -> Sequence[Node]:
    """Return the string that names what a call defines, without its quotes."""
    first = _ARGUMENT_VALUES(call)[:1]
    return [inner for value in first for inner in children_of_type("string_content")(value)]


LANGUAGE = Language(
    name="r",
    grammar=(f"{PACKAGE}.bindings.r", "language"),
    files=FileRules(
        extensions=EXTENSIONS["r"],
        interpreters=("Rscript",),
    ),
    outline=OutlineRules(
        definitions={
            "binary_operator": Defines(_classify_assigned, name=_list_assigned, body=fields()),
            "call": Defines(lambda node: _DECLARING.get(_name_called(node)), name=_list_declared_name, body=fields()),
        },
    ),
)
