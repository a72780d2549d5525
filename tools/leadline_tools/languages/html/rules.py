"""HTML: https://html.spec.whatwg.org/.

An outline shows what one can link to and what structures a page: the title, headings, elements with an ``id``, named
anchors and landmarks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_TITLES = frozenset({"title", "h1", "h2", "h3", "h4", "h5", "h6"})
_LANDMARKS = frozenset({"header", "nav", "main", "section", "article", "aside", "footer"})
_TAGS = frozenset({"start_tag", "self_closing_tag"})
_MARKUP = re.compile(r"<[^>]*>?")
_LONGEST_TITLE = 200


def _tag(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type in _TAGS), None)


def _tag_name(tag: Node) -> Node | None:
    return next((child for child in tag.named_children if child.type == "tag_name"), None)


def _attribute(tag: Node, name: str) -> Node | None:
    """Return the value of an attribute, without its quotes."""
    for attribute in tag.named_children:
        key, *value = attribute.named_children or (attribute,)
        if attribute.type == "attribute" and value and text(key).lower() == name:
            inner = value[0].named_children if value[0].type == "quoted_attribute_value" else value
            return inner[0] if inner else None
    return None


def _is_title(node: Node) -> bool:
    tag = _tag(node)
    return tag is not None and text(_tag_name(tag)).lower() in _TITLES


def _kind(node: Node) -> SymbolKind:
    return SymbolKind.String if _is_title(node) else SymbolKind.Object


def _name(node: Node) -> Sequence[Node]:
    """Return the node of the text of a title, of an ``id``, of the name of an anchor, or of the tag of a landmark."""
    tag = _tag(node)
    tag_name = _tag_name(tag) if tag is not None else None
    if tag is None or tag_name is None:
        return ()
    if _is_title(node):
        return (node,) if _title(node) else ()
    spelled = text(tag_name).lower()
    found = _attribute(tag, "id") or (_attribute(tag, "name") if spelled == "a" else None)
    return (found,) if found is not None else (tag_name,) if spelled in _LANDMARKS else ()


def _title(node: Node) -> str:
    if node.type != "element":
        return text(node)
    return " ".join(html.unescape(_MARKUP.sub("", text(node))).split())[:_LONGEST_TITLE]


def _inside(node: Node) -> Sequence[Node]:
    return () if _is_title(node) else (node,)


_ELEMENT = Defines(_kind, name=_name, body=_inside, spell=_title, emits=lambda node: bool(_name(node)))

LANGUAGE = Language(
    name="html",
    grammar=("tree_sitter_html", "language"),
    files=FileRules(
        extensions=(".html", ".htm"),
    ),
    outline=OutlineRules(
        definitions={"element": _ELEMENT, "script_element": _ELEMENT, "style_element": _ELEMENT},
        indexed=False,
    ),
)
