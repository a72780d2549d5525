"""A *highlight*: what a token of a source is for a reader, in every language by the types of the nodes of its tree.

Grammars name their nodes alike: ``string_literal``, ``interpreted_string_literal`` and ``string`` are strings, a leaf
that the grammar spells out and that is a word is a keyword. A few words of these names decide; where none does, a token
is not highlighted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import islice

from tree_sitter import Node

from leadline_tools.languages.regions import Piece, Regions

_LINE_END = re.compile(rb"\n")

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
_HEADING_ROWS = 2


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

_Span = tuple[int, int, Kind]
"""The first byte of a token, the one after its last, and its kind."""


def highlights(root: Node, content: bytes, first: int, last: int) -> list[Highlight]:
    """Return the highlights of the lines ``first`` to ``last`` (from 1), in their order; at most ``MOST``."""
    lines = _Lines(content)
    return list(islice(lines.place(_spans(root, *lines.span(first, last)), first, last), MOST))


def highlights_of_regions(root: Node, regions: Regions, content: bytes, first: int, last: int) -> list[Highlight]:
    """Return the same of a file of which only regions are code; ``root`` is the tree of that code, glue included."""
    lines = _Lines(content)
    spans = _spans(root, 0, len(regions.code))
    return sorted(islice(lines.place(_in_file(spans, regions.pieces), first, last), MOST))


def _in_file(spans: Iterator[_Span], pieces: Sequence[Piece]) -> Iterator[_Span]:
    """Yield tokens of the code of regions where the file has them; what is glue is left out."""
    starts = [piece.start for piece in pieces]
    for start, end, kind in spans:
        at = max(0, bisect_right(starts, start) - 1)
        while at < len(pieces) and pieces[at].start < end:
            piece = pieces[at]
            begin, stop = max(start, piece.start), min(end, piece.end)
            if begin < stop:
                yield piece.origin + begin - piece.start, piece.origin + stop - piece.start, kind
            at += 1


def _spans(root: Node, begin: int, end: int) -> Iterator[_Span]:
    """Yield the tokens that touch the bytes from ``begin`` to ``end``, from the first on."""
    waiting: list[Node | tuple[int, int]] = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            yield *node, Kind.String
            continue
        if node.end_byte <= begin or node.start_byte >= end:
            continue
        kind = _kind_of(node)
        if kind is Kind.String:
            waiting += reversed(list(_parts_of_string(node)))
        elif kind is not None:
            yield node.start_byte, node.end_byte, kind
        else:
            waiting += reversed(node.children)


class _Lines:
    """The lines of a text, and where tokens stand in them."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(content)), len(content) + 1]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Return the first byte of a line, and the one after the last byte of another."""
        most = len(self._starts) - 1
        return self._starts[min(first - 1, most)], self._starts[min(last, most)]

    def place(self, spans: Iterator[_Span], first: int, last: int) -> Iterator[Highlight]:
        """Yield the parts of tokens in the lines ``first`` to ``last``, with columns in code points."""
        for start, end, kind in spans:
            row = bisect_right(self._starts, start) - 1
            while row < min(last, len(self._starts) - 1) and self._starts[row] < end:
                at = self._starts[row]
                line = self._content[at : self._starts[row + 1] - 1].rstrip(b"\r")
                begin, stop = max(0, start - at), min(end - at, len(line))
                if row >= first - 1 and begin < stop:
                    yield row + 1, _column(line, begin), _column(line, stop), kind
                row += 1


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
    if any(word in name for word in _HEADINGS) and node.end_point[0] - node.start_point[0] <= _HEADING_ROWS:
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


def _parts_of_string(node: Node) -> Iterator[Node | tuple[int, int]]:
    """Yield the runs of text in a string, and the code and the strings inside it, in their order."""
    start = node.start_byte
    for child in node.children:
        if child.is_named and (child.child_count or not any(word in child.type for word in _INSIDE)):
            yield start, child.start_byte
            yield child
            start = child.end_byte
    yield start, node.end_byte


def _column(line: bytes, offset: int) -> int:
    return 1 + (offset if line.isascii() else len(line[:offset].decode("utf-8", "replace")))
