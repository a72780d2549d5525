"""TOML: https://toml.io/en/v1.0.0."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_KINDS = {
    "inline_table": SymbolKind.Object,
    "array": SymbolKind.Array,
    "integer": SymbolKind.Number,
    "float": SymbolKind.Number,
    "boolean": SymbolKind.Boolean,
}
_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})


def _name(node: Node) -> Sequence[Node]:
    return [child for child in node.named_children[:1] if child.type in _KEYS]


def _value(node: Node) -> Node | None:
    return next((child for child in reversed(node.named_children) if child.type != "comment"), None)


def _kind(node: Node) -> SymbolKind:
    value = _value(node)
    return _KINDS.get(value.type if value else "", SymbolKind.String)


def _inside(node: Node) -> Sequence[Node]:
    """Return the inline table that is the value; the elements of an array have no names."""
    value = _value(node)
    return (value,) if value is not None and value.type == "inline_table" else ()


def _unquote(key: Node) -> str:
    return text(key)[1:-1] if key.type == "quoted_key" else text(key)


_TABLE = Defines(SymbolKind.Object, name=_name, body=lambda node: (node,), spell=_unquote)

LANGUAGE = Language(
    name="toml",
    grammar=("tree_sitter_toml", "language"),
    files=FileRules(
        extensions=(".toml",),
    ),
    outline=OutlineRules(
        definitions={
            "pair": Defines(_kind, name=_name, body=_inside, spell=_unquote),
            "table": _TABLE,
            "table_array_element": _TABLE,
        },
        indexed=False,
    ),
)
