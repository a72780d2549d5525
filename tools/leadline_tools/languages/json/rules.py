"""JSON, and JSON with comments: https://www.rfc-editor.org/rfc/rfc8259."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import fields, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_KINDS = {
    "object": SymbolKind.Object,
    "array": SymbolKind.Array,
    "number": SymbolKind.Number,
    "true": SymbolKind.Boolean,
    "false": SymbolKind.Boolean,
    "null": SymbolKind.Null,
}


def _kind(node: Node) -> SymbolKind:
    value = node.child_by_field_name("value")
    return _KINDS.get(value.type if value else "", SymbolKind.String)


def _inside(node: Node) -> Sequence[Node]:
    """Return the object that is the value; the elements of an array have no names."""
    value = node.child_by_field_name("value")
    return (value,) if value is not None and value.type == "object" else ()


def _unquote(key: Node) -> str:
    spelled = text(key)
    return spelled[1:-1] if spelled.startswith('"') else spelled


LANGUAGE = Language(
    name="json",
    grammar=("tree_sitter_json", "language"),
    files=FileRules(
        extensions=(".json", ".jsonc"),
    ),
    outline=OutlineRules(
        definitions={"pair": Defines(_kind, name=fields("key"), body=_inside, spell=_unquote)},
        through=frozenset({"object"}),
        indexed=False,
    ),
)
