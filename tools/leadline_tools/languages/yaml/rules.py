"""YAML: https://yaml.org/spec/1.2.2/."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_KINDS = {
    "block_mapping": SymbolKind.Object,
    "flow_mapping": SymbolKind.Object,
    "block_sequence": SymbolKind.Array,
    "flow_sequence": SymbolKind.Array,
    "integer_scalar": SymbolKind.Number,
    "float_scalar": SymbolKind.Number,
    "boolean_scalar": SymbolKind.Boolean,
    "null_scalar": SymbolKind.Null,
}
_SCALARS = frozenset({"plain_scalar", "single_quote_scalar", "double_quote_scalar"})
_PROPERTIES = frozenset({"anchor", "tag", "comment"})


def _content(node: Node | None) -> Node | None:
    """Return what a node of a key or value holds, behind its anchor and tag."""
    return next((child for child in node.named_children if child.type not in _PROPERTIES), None) if node else None


def _kind(node: Node) -> SymbolKind:
    value = _content(node.child_by_field_name("value"))
    if value is None:
        return SymbolKind.Null
    if value.type == "plain_scalar":
        value = _content(value) or value
    if value.type == "alias":
        return SymbolKind.Key
    return _KINDS.get(value.type, SymbolKind.String)


def _name(node: Node) -> Sequence[Node]:
    """Return the key where it is a scalar; a merge is none."""
    key = _content(node.child_by_field_name("key"))
    return (key,) if key is not None and key.type in _SCALARS and text(key) != "<<" else ()


def _inside(node: Node) -> Sequence[Node]:
    """Return the mapping that is the value; the elements of a sequence have no names."""
    value = _content(node.child_by_field_name("value"))
    return (value,) if value is not None and value.type in ("block_mapping", "flow_mapping") else ()


def _unquote(key: Node) -> str:
    spelled = text(key)
    return spelled if key.type == "plain_scalar" else spelled[1:-1]


_PAIR = Defines(_kind, name=_name, body=_inside, spell=_unquote)

LANGUAGE = Language(
    name="yaml",
    grammar=("tree_sitter_yaml", "language"),
    files=FileRules(
        extensions=(".yaml", ".yml"),
    ),
    outline=OutlineRules(
        definitions={"block_mapping_pair": _PAIR, "flow_pair": _PAIR},
        through=frozenset({"document", "block_node", "flow_node", "block_mapping", "flow_mapping"}),
        indexed=False,
    ),
)
