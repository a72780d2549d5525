"""Markdown: https://spec.commonmark.org/0.31.2/.

Headings nest by their level; those inside quotes and lists are no headings of the document.
"""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import fields, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

_CLOSING = lazy_compile(r"(?:^|\s+)#+\s*$")
_MARKER = lazy_compile(r"(?:atx_h|setext_h)(\d)_(?:marker|underline)")


def _level(node: Node) -> int:
    markers = (_MARKER.fullmatch(child.type) for child in node.children)
    return next((int(marker[1]) for marker in markers if marker), 1)


def _title(heading: Node) -> str:
    return " ".join(_CLOSING.sub("", text(heading)).split())


_HEADING = Defines(SymbolKind.String, name=fields("heading_content"), body=fields(), level=_level, spell=_title)

LANGUAGE = Language(
    name="markdown",
    grammar=("tree_sitter_markdown", "language"),
    files=FileRules(
        extensions=(".md", ".markdown"),
    ),
    outline=OutlineRules(
        definitions={"atx_heading": _HEADING, "setext_heading": _HEADING},
        through=frozenset({"section"}),
        comments=frozenset(),
        indexed=False,
    ),
)
