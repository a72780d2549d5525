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


class Lines(NamedTuple):
    """Some lines of a source: the 1-based numbers of the first and of the last."""

    first: int
    last: int


class WholeOutline(NamedTuple):
    """The outline of a file, and the lines in which it may lack some."""

    definitions: list[Definition]
    unparsed: Sequence[Lines]


def unparsed_lines(root: Node, found: Iterable[Definition], language: Language) -> Sequence[Lines]:
    """Return the lines in which definitions may be missing, in their order."""
    regions: list[Lines] = []
    for node in errors_with_definitions(root, found, language):
        lines = _lines(node)
        if regions and lines.first <= regions[-1].last + 1:
            regions[-1] = Lines(regions[-1].first, max(regions[-1].last, lines.last))
        else:
            regions.append(lines)
    return regions


def errors_with_definitions(root: Node, found: Iterable[Definition], language: Language) -> Iterator[Node]:
    """Yield what did not parse and in which definitions may be missing, in its order.

    What does not parse in the body of a function hides none: what is declared there is no symbol. Neither does a
    single word, nor what has no braces where a preprocessor is used: calls of macros, and its own lines.
    """
    if not root.has_error:
        return
    preprocessed = language.semantics is not None and language.semantics.visibility.links_definitions
    bodies = [(one.line, one.end_line) for one in found if one.kind in CALLABLE]
    for node in outermost_errors(root):
        lines = _lines(node)
        if node.is_missing or any(first <= lines.first and lines.last <= last for first, last in bodies):
            continue
        text = node.text or b""
        if _WORD.fullmatch(text) is None and (not preprocessed or _BRACES.search(text) is not None):
            yield node


def _lines(node: Node) -> Lines:
    return Lines(node.start_point.row + 1, node.end_point.row + 1)
