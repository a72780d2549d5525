"""Unparsed lines: the parts of a source that its grammar gave up on, where definitions may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import outermost_errors
from leadline_tools.languages.outline import CALLABLE, Definition

_WORD = re.compile(rb"\s*[\w@#]*+\s*")
_BRACES = re.compile(rb"[{}]")
_LINKAGE = ["extern", "string_literal", "{"]
_WITHOUT_OPERAND = frozenset({"#else", "#endif"})


class Lines(NamedTuple):
    """Some lines of a source: the 1-based numbers of the first and of the last."""

    first: int
    last: int


class UnparsedText(NamedTuple):
    """What did not parse of a source: where it begins, in bytes, the text, and the lines that it lies in."""

    start: int
    text: bytes
    lines: Lines


class WholeOutline(NamedTuple):
    """The outline of a file, and the lines in which it may lack some."""

    definitions: list[Definition]
    unparsed: Sequence[Lines]


def unparsed_lines(root: Node, found: Iterable[Definition], language: Language) -> Sequence[Lines]:
    """Return the lines in which definitions may be missing, in their order."""
    regions: list[Lines] = []
    for _, _, lines in texts_with_definitions(root, found, language):
        if regions and lines.first <= regions[-1].last + 1:
            regions[-1] = Lines(regions[-1].first, max(regions[-1].last, lines.last))
        else:
            regions.append(lines)
    return regions


def texts_with_definitions(root: Node, found: Iterable[Definition], language: Language) -> Iterator[UnparsedText]:
    """Yield what did not parse and in which definitions may be missing, in its order.

    What does not parse in the body of a function hides none: what is declared there is no symbol. Neither does a
    single word, nor what has no braces where a preprocessor is used: calls of macros, and its own lines.
    """
    if not root.has_error:
        return
    preprocessed = language.semantics is not None and language.semantics.visibility.links_definitions
    bodies = [(one.line, one.end_line) for one in found if one.kind in CALLABLE]
    for unparsed in _unparsed_texts(root, preprocessed=preprocessed):
        lines = unparsed.lines
        if any(first <= lines.first and lines.last <= last for first, last in bodies):
            continue
        if _WORD.fullmatch(unparsed.text) is None and (not preprocessed or _BRACES.search(unparsed.text) is not None):
            yield unparsed


def _unparsed_texts(root: Node, *, preprocessed: bool) -> Iterator[UnparsedText]:
    """Yield the errors below a node, each from the line on in which what is not finished begins.

    The parser gives up by taking in all that it has read since the beginning of what it cannot end. Whole declarations
    come first in that: they were read where they belong.
    """
    for node in outermost_errors(root):
        if node.is_missing:
            continue
        start, row = node.start_byte, node.start_point.row
        for child in _children_after_openings(node, preprocessed=preprocessed):
            if child.is_error or _is_unfinished(child):
                start, row = max(start, child.start_byte - child.start_point.column), child.start_point.row
                break
            yield from _unparsed_texts(child, preprocessed=preprocessed)
        text = (node.text or b"")[start - node.start_byte :]
        yield UnparsedText(start, text, Lines(row + 1, node.end_point.row + 1))


def _is_unfinished(node: Node) -> bool:
    return node.child_count == 0 and not node.is_extra and node.type != ";"


def _children_after_openings(node: Node, *, preprocessed: bool) -> Iterator[Node]:
    """Yield the children of a node without those that open a condition or a linkage: ``#ifdef A``, ``extern "C" {``."""
    children = node.children
    at = 0
    while at < len(children):
        types = [child.type for child in children[at : at + 3]]
        if preprocessed and types[0].startswith("#"):
            at += 1 if types[0] in _WITHOUT_OPERAND else 2
        elif preprocessed and types == _LINKAGE:
            at += 3
        else:
            yield children[at]
            at += 1
