"""CSS: https://www.w3.org/TR/css-2023/."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import Nodes, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind


def _of(*types: str) -> Nodes:
    """Return a function that gives the first child of one of the ``types``."""

    def child(node: Node) -> Sequence[Node]:
        return [child for child in node.named_children if child.type in types][:1]

    return child


_BLOCK = _of("block")


def _at_kind(node: Node) -> SymbolKind | None:
    """Return no kind for an at-rule without a block, which only orders or imports."""
    if not _BLOCK(node):
        return None
    keyword = _of("at_keyword")(node)
    return SymbolKind.Variable if keyword and text(keyword[0]).lower() == "@property" else SymbolKind.Module


def _at_name(node: Node) -> Sequence[Node]:
    return _of("keyword_query")(node) if _at_kind(node) is SymbolKind.Variable else (node,)


def _line(node: Node) -> str:
    """Return what comes before the block, on one line."""
    block = _BLOCK(node)
    head = (
        text(node)
        if not block
        else (node.text or b"")[: block[0].start_byte - node.start_byte].decode("utf-8", "replace")
    )
    return " ".join(head.split())


def _property_kind(node: Node) -> SymbolKind | None:
    name = _of("property_name")(node)
    return SymbolKind.Variable if name and text(name[0]).startswith("--") else None


_CONDITION = Defines(SymbolKind.Module, name=lambda node: (node,), body=_BLOCK, spell=_line)

LANGUAGE = Language(
    name="css",
    grammar=("tree_sitter_css", "language"),
    files=FileRules(
        extensions=(".css",),
    ),
    outline=OutlineRules(
        definitions={
            "rule_set": Defines(SymbolKind.Class, name=_of("selectors"), body=_BLOCK, spell=_line),
            "declaration": Defines(_property_kind, name=_of("property_name"), body=_of()),
            "keyframes_statement": Defines(
                SymbolKind.Object, name=_of("keyframes_name"), body=_of("keyframe_block_list")
            ),
            "media_statement": _CONDITION,
            "supports_statement": _CONDITION,
            "scope_statement": _CONDITION,
            "at_rule": Defines(_at_kind, name=_at_name, body=_BLOCK, spell=_line),
        },
        through=frozenset({"ERROR"}),
        comments=frozenset({"comment", "js_comment"}),
        indexed=False,
    ),
)
