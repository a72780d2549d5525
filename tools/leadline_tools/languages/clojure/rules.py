"""Clojure and ClojureScript: https://clojure.org/reference/reader."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.pack import EXTENSIONS, PACKAGE
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_KINDS = {
    "ns": SymbolKind.Module,
    "def": SymbolKind.Variable,
    "defonce": SymbolKind.Variable,
    "defn": SymbolKind.Function,
    "defn-": SymbolKind.Function,
    "defmacro": SymbolKind.Function,
    "defmulti": SymbolKind.Function,
    "defmethod": SymbolKind.Function,
    "definline": SymbolKind.Function,
    "deftest": SymbolKind.Function,
    "defprotocol": SymbolKind.Interface,
    "definterface": SymbolKind.Interface,
    "defrecord": SymbolKind.Class,
    "deftype": SymbolKind.Class,
    "defstruct": SymbolKind.Struct,
}
_WITH_METHODS = frozenset({SymbolKind.Interface, SymbolKind.Class})
_SYMBOLS = children_of_type("sym_lit")


def _names(node: Node) -> Sequence[Node]:
    return [name for symbol in _SYMBOLS(node)[:2] for name in symbol.children_by_field_name("name")]


def _head(node: Node) -> str:
    """Return the operator of a list: ``defn`` of ``(defn f [])`` and of ``(s/defn f [])``; empty for none."""
    first = node.named_children[0] if node.named_children else None
    return text(first.child_by_field_name("name")) if first is not None and first.type == "sym_lit" else ""


def _holder(node: Node) -> SymbolKind | None:
    """Return the kind of the definition whose methods are directly inside it, if the node stands in one."""
    kind = _KINDS.get(_head(node.parent)) if node.parent is not None and node.parent.type == "list_lit" else None
    return kind if kind in _WITH_METHODS else None


def _kind(node: Node) -> SymbolKind | None:
    return SymbolKind.Method if _holder(node) is not None else _KINDS.get(_head(node))


def _name(node: Node) -> Sequence[Node]:
    return _names(node)[:1] if _holder(node) is not None else _names(node)[1:]


def _inside(node: Node) -> Sequence[Node]:
    return (node,) if _KINDS.get(_head(node)) in _WITH_METHODS else ()


LANGUAGE = Language(
    name="clojure",
    grammar=(f"{PACKAGE}.bindings.clojure", "language"),
    files=FileRules(
        extensions=EXTENSIONS["clojure"],
        interpreters=("bb", "clojure"),
    ),
    outline=OutlineRules(
        definitions={"list_lit": Defines(_kind, name=_name, body=_inside)},
    ),
)
