"""The scan of files for words, texts and regular expressions in their bytes: most are never decoded.

A file is first asked whether it can hold a match at all: its raw bytes are searched for a text that every match holds.
Only where that is so they become lines. The limits of words are those of Unicode: ``é`` is a part of a word.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import re2

from leadline_tools.index.text.patterns import LONGEST, Span, compiled, too_long

_WORD_BYTES = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")

_JOINING = frozenset({"Mn", "Mc", "Me", "Pc", "Co"})
"""Unicode categories that belong to a word besides letters and numbers: what the text index or its readers take so."""

_JOINERS = "\u200c\u200d"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
"""Marks of encodings in which ASCII text is not spelled by its own bytes."""

_LONGEST_CHARACTER = 4
_SEVERAL_SMALL = re.compile(r"[ksKS]")
"""ASCII letters that have a variant beyond ASCII which differs in case only: the Kelvin sign and the long s."""

_SHORTER = 16
"""Matches at one place that are tried for one that stands alone, each shorter than the one before."""

_PIECE = re.compile(
    r"""
    (?P<unknown>\\[pPxQC0-9]|\(\?(?!:|P<))
    | (?P<escaped>\\[^\w\s]) | \\. | \[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]
    | (?P<open>\((?:\?(?::|P<\w+>))?) | (?P<close>\)) | (?P<or>\|) | (?P<repeat>[*?+]|\{\d*,?\d*\}) | [.^$]
    | (?P<plain>.)
    """,
    re.VERBOSE | re.DOTALL,
)
"""The pieces of an RE2 expression; ``unknown`` are those that would need more than a glance."""


@dataclass(frozen=True)
class Finder:
    """What finds a query.

    Args:
        may_hold: From the raw bytes of a file to whether it may hold a match; True where that takes more than a glance.
        spans: From a text in UTF-8 to the spans of its matches, one after the other, never an empty one.
        literal: A text that every match holds, empty where none is known.

    """

    may_hold: Callable[[bytes], bool]
    spans: Callable[[bytes], Iterator[Span]]
    literal: str


def finder(query: str, *, regex: bool = False, word: bool = False, case_sensitive: bool = True) -> Finder:
    """Return what finds ``query``, as a text or with ``regex`` as an RE2 expression; raises BadPattern.

    Args:
        query: What is looked for.
        regex: What ``query`` is.
        word: True for matches with no character of a word directly before or behind them.
        case_sensitive: False to take upper and lower case for the same.

    """
    if len(query) > LONGEST:
        raise too_long(query)
    if regex:
        pattern = compiled(query, case_sensitive=case_sensitive)
        spans = _by_pattern(pattern)
        if word:  # ``a|ab`` has ``ab`` as a word in ``ab``
            spans = _words(pattern, compiled(rf"(?:{query})\b", case_sensitive=case_sensitive, longest=LONGEST + 6))
        literal = required_literal(query)
    else:
        literal = query
        escaped = re2.escape(query)
        if case_sensitive:
            spans = _by_text(query.encode("utf-8", "replace"), word)
        else:
            fold = compiled(escaped, case_sensitive=False, longest=len(escaped))
            spans = _words(fold) if word else _by_pattern(fold)
    return Finder(_holds(literal, case_sensitive), spans, literal)


def occurrences(content: bytes, word: bytes) -> Iterator[int]:
    """Yield the offsets at which ``word`` stands alone in a UTF-8 text: no part of a longer word."""
    find, length = content.find, len(word)
    start = find(word)
    while start >= 0:
        if stands_alone(content, start, start + length):
            yield start
            start = find(word, start + length)
        else:
            start = find(word, start + 1)


def stands_alone(content: bytes, start: int, end: int) -> bool:
    """Return whether no character of a word is directly before or behind a span of a UTF-8 text."""
    return not (start and _ends_in_word(content, start)) and not (end < len(content) and _begins_word(content, end))


def _ends_in_word(content: bytes, end: int) -> bool:
    byte = content[end - 1]
    if byte < 0x80:
        return byte in _WORD_BYTES
    return _is_word(content[max(0, end - _LONGEST_CHARACTER) : end].decode("utf-8", "replace")[-1])


def _begins_word(content: bytes, start: int) -> bool:
    byte = content[start]
    if byte < 0x80:
        return byte in _WORD_BYTES
    return _is_word(content[start : start + _LONGEST_CHARACTER].decode("utf-8", "replace")[0])


def _is_word(character: str) -> bool:
    return character.isalnum() or character in _JOINERS or unicodedata.category(character) in _JOINING


def _by_text(query: bytes, word: bool) -> Callable[[bytes], Iterator[Span]]:
    length = len(query)

    def starts(content: bytes) -> Iterator[int]:
        start = content.find(query)
        while start >= 0:
            yield start
            start = content.find(query, start + length)

    offsets = (lambda content: occurrences(content, query)) if word else starts
    return lambda content: ((start, start + length) for start in offsets(content))


def _by_pattern(pattern: Any) -> Callable[[bytes], Iterator[Span]]:
    return lambda content: (match.span() for match in pattern.finditer(content) if match.end() > match.start())


def _words(*patterns: Any) -> Callable[[bytes], Iterator[Span]]:
    """Return what finds the matches that stand alone; at a place the patterns are tried one after the other.

    The first of them matches wherever another does. RE2 knows the words of ASCII only, and what begins or ends in no
    word has no limit there, so what stands around a match is looked at in any case.
    """

    def spans(content: bytes) -> Iterator[Span]:
        at = 0
        while (match := patterns[0].search(content, at)) is not None:
            start = match.start()
            end = alone(content, start)
            if end > start:
                yield start, end
            at = max(end, start + 1)

    def alone(content: bytes, start: int) -> int:
        """Return where a match ends that stands alone, of those that begin at a place; the place itself for none."""
        if start and _ends_in_word(content, start):
            return start
        for pattern in patterns:
            end: int = len(content)
            for _ in range(_SHORTER):
                match = pattern.match(content, start, end)
                if match is None or match.end() == start:
                    break
                end = match.end()
                if stands_alone(content, start, end):
                    return end
                end -= 1
        return start

    return spans


def _holds(literal: str, case_sensitive: bool) -> Callable[[bytes], bool]:
    """Return what tells whether the raw bytes of a file may spell ``literal``, in whatever encoding they are."""
    wanted = literal if case_sensitive else literal.lower()
    if not wanted.isascii() or "\r" in wanted or "\n" in wanted or not wanted:
        return lambda _raw: True
    search = compiled(re2.escape(wanted), case_sensitive=True, longest=8 * LONGEST).search  # faster than bytes.find
    if case_sensitive:
        return lambda raw: search(raw) is not None or raw.startswith(_WIDE)
    varied = _SEVERAL_SMALL.search(wanted) is not None
    return lambda raw: search(raw.lower()) is not None or (not raw.isascii() and (varied or raw.startswith(_WIDE)))


def required_literal(pattern: str) -> str:
    """Return the longest text that every match of an RE2 expression surely holds; empty where a glance shows none."""
    runs = [""]
    depth = 0
    for piece in _PIECE.finditer(pattern):
        kind, text = piece.lastgroup, piece[0]
        if kind == "unknown" or (kind == "or" and depth == 0):
            return ""
        depth += (kind == "open") - (kind == "close")
        if kind == "repeat" and depth == 0:
            if not text.startswith(("+", "{")) or text.startswith(("{0", "{,")):
                runs[-1] = runs[-1][:-1]
            runs.append("")
        elif kind in ("plain", "escaped") and depth == 0:
            runs[-1] += text[-1]
        else:
            runs.append("")
    return max(runs, key=len)
