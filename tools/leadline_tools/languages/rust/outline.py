"""Definitions of Rust: names, kinds, bodies and attributes of items, and the bodies that the index leaves out.

A *segment* is one name of a path. An *attribute* stands before an item: ``#[macro_use]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking
from leadline_tools.languages.nodes import text
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

_THROUGH_TYPES = frozenset({"reference_type", "generic_type"})


def list_names(node: Node) -> Sequence[Node]:
    """Return the names of an item, but for ``_``."""
    return [name for name in node.children_by_field_name("name") if text(name) != "_"]


def classify_module(node: Node) -> SymbolKind | None:
    """Return the kind of a module that is spelled out; one without body is declared here and defined in its file."""
    return SymbolKind.Module if node.child_by_field_name("body") is not None else None


def list_field_bodies(node: Node) -> Sequence[Node]:
    """Return the list of named fields; those of a tuple have no names."""
    return [body for body in node.children_by_field_name("body") if body.type == "field_declaration_list"]


def list_macro_rules(node: Node) -> Sequence[Node]:
    """Return the rules of a macro."""
    return [rule for rule in node.named_children if rule.type == "macro_rule"]


def find_implementing_type(node: Node) -> Sequence[Node]:
    """Return the name of the type that an impl is for, or the whole type where that has no name."""
    found = node.child_by_field_name("type")
    for _ in range(4):
        if found is None or found.type not in (*_THROUGH_TYPES, "scoped_type_identifier"):
            break
        found = found.child_by_field_name("name" if found.type == "scoped_type_identifier" else "type")
    return (found,) if found is not None else ()


def spell_trait(node: Node) -> str:
    """Return the trait that an impl is for, as it is written; empty where the members are those of the type itself."""
    trait = node.child_by_field_name("trait")
    return "".join(text(trait).split()) if trait is not None else ""


def normalize_type(node: Node) -> str:
    """Return the text of a type with single spaces."""
    return " ".join(text(node).split())


def find_type(node: Node) -> Node | None:
    """Return the type that a node spells."""
    return node.child_by_field_name("type")


def find_result_type(node: Node) -> Node | None:
    """Return the type that a function returns."""
    return node.child_by_field_name("return_type")


def iterate_attributes(node: Node) -> Iterator[Node]:
    """Yield the attributes before an item."""
    before = node.prev_named_sibling
    while before is not None and (before.type == "attribute_item" or before.type in COMMENTS):
        if before.type == "attribute_item":
            yield before
        before = before.prev_named_sibling


_NAME = lazy_compile(r"\w+")


def has_attribute(node: Node, name: str) -> bool:
    """Return whether an item has an attribute that says ``name``."""
    return any(name in _NAME.findall(text(attribute)) for attribute in iterate_attributes(node))


def find_last_segment(node: Node | None) -> str:
    """Return the last segment of a path."""
    if node is not None and node.type in ("scoped_identifier", "scoped_type_identifier"):
        node = node.child_by_field_name("name")
    return text(node)


def list_children(node: Node) -> Sequence[Node]:
    """Return the named children of a node, without comments."""
    return [child for child in node.named_children if child.type not in COMMENTS]


COMMENTS = frozenset({"line_comment", "block_comment"})


def is_private_macro(node: Node) -> bool:
    """Return whether a macro is not exported from its crate."""
    return not has_attribute(node, "macro_export")


def is_procedural_macro(node: Node) -> bool:
    """Return whether a function is the body of a macro: https://doc.rust-lang.org/reference/procedural-macros.html."""
    return any(text(attribute) == "#[proc_macro]" for attribute in iterate_attributes(node))


_COMMENT_PATTERN = rb"/(?:/[^\n]*+|\*(?>(?:[^*/]++|\*(?!/)|/(?!\*))*)\*/|(?![/*]))"
"""A comment in which none is nested, or a slash that begins none."""

_INERT = (
    rb"\"(?:(?<!r\")(?<!#\")[^\"\\]*+(?>(?:\\.[^\"\\]*+)*)\"|(?<=r\")[^\"]*+\"|(?<=r#\")[^\"]*+(?>(?:\"(?!#)[^\"]*+)*)\"#"
    rb"|(?<=r##\")[^\"]*+(?>(?:\"(?!##)[^\"]*+)*)\"##)"
    rb"|'(?:\\[^\n][^'\n]*+'|[^'\\\n][\x80-\xbf]*+'|(?=[\w\x80-\xff]))|" + _COMMENT_PATTERN
)
"""A string, a character, the quote of a lifetime or a comment."""

_HEAD = (
    rb"[ \t]*+(?>(?:(?:pub(?>(?:\([^()\n]*+\))?)|const|async|unsafe|safe|default|extern(?>(?:[ \t]++\"\w*+\")?))"
    rb"[ \t]++)*)"
    rb"fn[ \t]++(?>(?:r#)?)[\w\x80-\xff]"
)
_LISTS = rb"\((?>(?:[^(){}\"/]++|\((?>(?:[^(){}\"/]++|\([^(){}\"/]*+\))*)\))*)\)|\[[^\[\]{}\"/]*+\]"
_NEXT_BODY = (
    rb"(?>(?:[^\n\"'/]++|" + _INERT + rb"|\n(?!" + _HEAD + rb"))*)\n"
    rb"(?>(?:" + _HEAD + rb"(?>(?:[^()\[\]{};\"'/]++|'(?=[\w\x80-\xff])|" + _LISTS + rb"|" + _COMMENT_PATTERN + rb")*)"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/") + rb"))?)"
)
_ITEM = lazy_compile(
    rb"[\n;{}\]/][ \t\r]*+(?:pub|(?:const|async|unsafe|safe)[ \t\r]++(?:fn|unsafe|extern|async|impl|trait|auto)|extern"
    rb"|fn|struct|enum|union|trait|auto|impl|mod|type|macro_rules|default|use)\b"
)


def _has_items(found: re.Match[bytes]) -> bool:
    """Return whether an item may be in a body, where one can: after another, a statement, an attribute, a comment."""
    return _ITEM.search(found["body"]) is not None


def find_skipped_bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of functions without items."""
    return blanking.bodies(content, _NEXT_BODY, _has_items)
