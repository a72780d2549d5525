"""A *highlight*: what a token of a source is for a reader, in every language by the types of the nodes of its tree.

Grammars name their nodes alike: ``string_literal``, ``interpreted_string_literal`` and ``string`` are strings, a leaf
that the grammar spells out and that is a word is a keyword. A few words of these names decide; where none does, a token
is not highlighted.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import islice

from tree_sitter import Node

MOST = 40_000
"""Highlights of one request."""

_STRINGS = (
    "string",
    "char_lit",
    "character_lit",
    "rune_lit",
    "heredoc_body",
    "regex",
    "attribute_value",
    "quote_scalar",
)
_INSIDE = ("content", "escape", "fragment", "string", "start", "end", "delimiter", "quote", "char", "pattern", "flags")
"""What the names of the parts of a string contain; any other named part is code inside it."""

_NUMBERS = ("integer", "float", "number", "int_literal", "decimal")
_WORDS = frozenset(
    ("true", "false", "none", "null", "nil", "self", "this", "super", "boolean", "boolean_scalar", "tag_name", "None")
)
"""Named leaves that are words of the language."""

_TYPES = ("type_identifier", "primitive_type", "predefined_type", "builtin_type", "integral_type")
_NAMES = ("identifier", "name", "constant", "variable")
_NO_NAMES = frozenset(("attribute_name", "property_name", "tag_name"))
_HEADINGS = ("heading",)


class Kind(StrEnum):
    """What a token is for a reader."""

    Comment = "comment"
    String = "string"
    Number = "number"
    Keyword = "keyword"
    Type = "type"
    Name = "name"
    Heading = "heading"


Highlight = tuple[int, int, int, str]
"""The line of a token, its first column and the column after its last, both in code points, and its kind."""

_Point = tuple[int, int]
"""A row and a column in bytes, both from 0."""


def highlights(root: Node, content: bytes, first: int, last: int) -> list[Highlight]:
    """Return the highlights of the lines ``first`` to ``last`` (from 1), in their order; at most ``MOST``."""
    lines = content.split(b"\n")
    return list(islice(_placed(_spans(root, first - 1, last - 1), lines, first - 1, last - 1), MOST))


def _spans(root: Node, first: int, last: int) -> Iterator[tuple[_Point, _Point, Kind]]:
    """Yield the tokens that touch some rows, from the first on."""
    waiting: list[Node | tuple[_Point, _Point]] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            yield *node, Kind.String
            continue
        if node.end_point[0] < first or node.start_point[0] > last:
            continue
        kind = _kind_of(node)
        if kind is Kind.String:
            waiting += reversed(list(_parts_of_string(node)))
        elif kind is not None:
            yield node.start_point, node.end_point, kind
        else:
            waiting += reversed(node.children)


def _kind_of(node: Node) -> Kind | None:
    """Return what a node is as a whole; None for one whose parts are to be looked at, or for no highlight."""
    name = node.type
    if not node.is_named:
        word = name.strip("#@_").replace("_", "")
        return Kind.Keyword if len(name) > 1 and word.isascii() and word.isalpha() else None
    if "comment" in name:
        return Kind.Comment
    if any(word in name for word in _STRINGS) and "type" not in name:
        return Kind.String
    if any(word in name for word in _HEADINGS) and node.start_point[0] == node.end_point[0]:
        return Kind.Heading
    return None if node.child_count else _kind_of_leaf(name)


def _kind_of_leaf(name: str) -> Kind | None:
    """Return what a node of a type without parts is."""
    if name in _WORDS:
        return Kind.Keyword
    if name in _TYPES:
        return Kind.Type
    if any(word in name for word in _NUMBERS):
        return Kind.Number
    return Kind.Name if name not in _NO_NAMES and any(word in name for word in _NAMES) else None


def _parts_of_string(node: Node) -> Iterator[Node | tuple[_Point, _Point]]:
    """Yield the runs of text in a string, and the code and the strings inside it, in their order."""
    start: _Point = node.start_point
    for child in node.children:
        if child.is_named and (child.child_count or not any(word in child.type for word in _INSIDE)):
            yield start, child.start_point
            yield child
            start = child.end_point
    yield start, node.end_point


def _placed(
    spans: Iterator[tuple[_Point, _Point, Kind]], lines: list[bytes], first: int, last: int
) -> Iterator[Highlight]:
    """Yield tokens line by line, with columns in code points."""
    for start, end, kind in spans:
        for row in range(max(start[0], first), min(end[0], last, len(lines) - 1) + 1):
            line = lines[row].rstrip(b"\r")
            begin = start[1] if row == start[0] else 0
            stop = min(end[1], len(line)) if row == end[0] else len(line)
            if begin < stop:
                yield row + 1, _column(line, begin), _column(line, stop), kind


def _column(line: bytes, offset: int) -> int:
    return 1 + (offset if line.isascii() else len(line[:offset].decode("utf-8", "replace")))
