"""The scan of files for words, texts and regular expressions in their bytes: most are never decoded.

A file is first asked whether it can hold a match at all: its raw bytes are searched for a text that every match holds.
Only where that is so they become lines. The limits of words are those of Unicode: ``é`` is a part of a word.

All matching is done by compiled code whose time is linear: RE2 for expressions and for texts in any case, ``re`` for an
escaped text followed by the rest of its line.
"""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import re2

from leadline_tools import cancellation
from leadline_tools.errors import BadPattern
from leadline_tools.index.text.patterns import LONGEST, Span, compiled, compiled_text, too_long, unicode_classes
from leadline_tools.index.text.required_literals import Required, required_by_pattern, required_by_text

_WORD_BYTES = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz")

_JOINING = frozenset({"Mn", "Mc", "Me", "Pc", "Co"})
"""Unicode categories that belong to a word besides letters and numbers: what the text index or its readers take so."""

_JOINERS = "\u200c\u200d"
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
"""Marks of encodings in which ASCII text is not spelled by its own bytes."""

_LONGEST_CHARACTER = 4
_SEVERAL_SMALL = re.compile(r"[ksKS]")
"""ASCII letters that have a variant beyond ASCII which differs in case only: the Kelvin sign and the long s."""

_SEVERAL_CAPITALS = ("\u212a".encode(), "\u017f".encode())
"""These variants."""

_SHORTER = 16
"""Matches at one place that are tried for one that stands alone, each shorter than the one before."""

_MOST_ALTERNATIVES = 3
"""Texts that are looked for one after the other in place of an expression that is one of them."""

_SHORTEST_PART = 3
"""Characters of a text from which on it is looked for before the expression that requires it."""

_ASCII_RUN = re.compile(r"[\x01-\x09\x0b\x0c\x0e-\x7f]+")
"""A part of a text that is spelled by its own bytes in all encodings but the wide ones, and lies in one line."""

_SEVERAL_LINES = re.compile(r"\\n|\n|\(\?[a-zA-Z]*s|\\x0[aA]|\\x\{0*[aA]\}|\\012")
"""What says in an expression that a match may go on behind the end of a line."""


_CHECKED_EVERY = 4_096
"""Matches, empty ones too, between two checks of whether anybody waits for the answer."""

_LONGEST_PATTERN = 64 * LONGEST
"""Characters of an expression whose classes are written out."""

_PROBES = (b"", b"\n", b"a", b" a", b"a ")
"""Texts in one of which every expression that can match nothing at all does so first."""


Found = TypeVar("Found")


class CutShort(cancellation.Cancelled):
    """A search of a text that ended before the text did; ``lines`` are those that it had found."""

    def __init__(self, lines: list[int]) -> None:
        super().__init__()
        self.lines = lines


class MayHold(Protocol):
    """Returns from the raw bytes of a file, up to an offset, whether it may hold a match."""

    def __call__(self, raw: bytes | bytearray, end: int = sys.maxsize) -> bool:
        """Return False only where no match is."""
        ...


@dataclass(frozen=True)
class Finder:
    """What finds a query.

    Args:
        may_hold: From the raw bytes of a file to whether it may hold a match.
        spans: From a text in UTF-8 to the spans of its matches, one after the other, never an empty one.
        lines: From such a text to the numbers of the lines in which matches begin, 1-based and sorted, each once.
        required: What every match holds.
        in_lines: True where every match lies in one line.

    """

    may_hold: MayHold
    spans: Callable[[bytes], Iterator[Span]]
    lines: Callable[[bytes], list[int]]
    required: Required
    in_lines: bool = True

    @property
    def literal(self) -> str:
        """Return a text that every match holds, empty where none is known."""
        return self.required.literal


def finder(query: str, *, regex: bool = False, word: bool = False, case_sensitive: bool = True) -> Finder:
    """Return what finds ``query``, as a text or with ``regex`` as an RE2 expression; raises BadPattern.

    A match of an expression lies in one line unless the expression names the end of a line.

    Args:
        query: What is looked for.
        regex: What ``query`` is.
        word: True for matches with no character of a word directly before or behind them.
        case_sensitive: False to take upper and lower case for the same.

    """
    if len(query) > LONGEST:
        raise too_long(query)
    if regex:
        compiled(query, case_sensitive=case_sensitive)  # an error names the expression as it was given
        return _pattern_finder(query, word=word, case_sensitive=case_sensitive)
    required = required_by_text(query, word=word)
    in_lines = "\n" not in query
    if case_sensitive:
        spans = _by_text(query.encode("utf-8", "replace"), word)
    else:
        escaped = re2.escape(query)
        fold = compiled(escaped, case_sensitive=False, longest=len(escaped))
        spans = _words(fold) if word else _by_pattern(fold)
    lines = _lines_of_text(query, spans, word=word, case_sensitive=case_sensitive) if in_lines else _lines_of(spans)
    return Finder(_holds(query, case_sensitive), spans, lines, required, in_lines)


def _pattern_finder(query: str, *, word: bool, case_sensitive: bool) -> Finder:
    in_lines = _SEVERAL_LINES.search(query) is None
    pattern = compiled(query, case_sensitive=case_sensitive, in_lines=in_lines, longest=_LONGEST_PATTERN)
    spans = _by_pattern(pattern)
    lines = _lines_of(spans)
    if word:  # ``a|ab`` has ``ab`` as a word in ``ab``
        ending = compiled(rf"(?:{query})\b", case_sensitive=case_sensitive, in_lines=in_lines, longest=_LONGEST_PATTERN)
        spans = _words(pattern, ending)
        lines = _lines_of(spans)
    elif in_lines and not any(_matches_nothing(pattern, text) for text in _PROBES):
        whole = compiled(rf"(?:{query})[^\n]*", case_sensitive=case_sensitive, in_lines=True, longest=_LONGEST_PATTERN)
        lines = _lines_by_pattern(whole)
    beyond = unicode_classes(query)
    if beyond != query:
        with suppress(BadPattern):  # it may need too much memory
            elsewhere = _pattern_finder(beyond, word=word, case_sensitive=case_sensitive)
            spans, lines = _by_content(spans, elsewhere.spans), _by_content(lines, elsewhere.lines)
    begins, ends = query.startswith(r"\b"), re.search(r"(?<!\\)(?:\\\\)*\\b\Z", query) is not None
    if (begins or ends) and not word and "|" not in query:
        with suppress(BadPattern):
            limited = compiled(beyond, case_sensitive=case_sensitive, in_lines=in_lines, longest=_LONGEST_PATTERN)
            inside = _in_words(limited, begins=begins, ends=ends)
            spans, lines = _by_content(spans, inside), _by_content(lines, _lines_of(inside))
    required = required_by_pattern(query)
    sensitive = case_sensitive and not required.any_case
    if 0 < len(required.whole) <= _MOST_ALTERNATIVES and in_lines and not word and "" not in required.whole:
        each = [_lines_of_text(text, spans, word=False, case_sensitive=sensitive) for text in required.whole]
        lines = _lines_of_any(each)
    by_text = max(_ASCII_RUN.findall(required.literal), key=len, default="")
    if len(by_text) >= _SHORTEST_PART:
        return Finder(_holds(by_text, sensitive), spans, lines, required, in_lines)
    return Finder(_matches(pattern), spans, lines, required, in_lines)


def occurrences(content: bytes, word: bytes) -> Iterator[int]:
    """Yield the offsets at which ``word`` stands alone in a UTF-8 text: no part of a longer word."""
    find, length = content.find, len(word)
    start, number = find(word), 0
    while start >= 0:
        if (number := number + 1) % _CHECKED_EVERY == 0:
            cancellation.check()
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
    def spans(content: bytes) -> Iterator[Span]:
        for number, match in enumerate(pattern.finditer(content)):
            if number % _CHECKED_EVERY == 0:
                cancellation.check()
            if match.end() > match.start():
                yield match.span()

    return spans


def _in_words(pattern: Any, *, begins: bool, ends: bool) -> Callable[[bytes], Iterator[Span]]:
    """Return what finds the matches of an expression that begins or ends with a limit of words.

    To RE2 a letter beyond ASCII belongs to no word. Where a word goes on with one, there is no limit.
    """

    def spans(content: bytes) -> Iterator[Span]:
        at = number = 0
        while (match := pattern.search(content, at)) is not None:
            if (number := number + 1) % _CHECKED_EVERY == 0:
                cancellation.check()
            start, end = match.span()
            at = max(end, start + 1)
            if end == start:
                continue
            before = begins and start and content[start - 1] >= 0x80 and content[start] in _WORD_BYTES
            behind = ends and end < len(content) and content[end] >= 0x80 and content[end - 1] in _WORD_BYTES
            if (before and _ends_in_word(content, start)) or (behind and _begins_word(content, end)):
                at = start + 1
            else:
                yield start, end

    return spans


def _words(*patterns: Any) -> Callable[[bytes], Iterator[Span]]:
    """Return what finds the matches that stand alone; at a place the patterns are tried one after the other.

    The first of them matches wherever another does. RE2 knows the words of ASCII only, and what begins or ends in no
    word has no limit there, so what stands around a match is looked at in any case.
    """

    def spans(content: bytes) -> Iterator[Span]:
        at = number = 0
        while (match := patterns[0].search(content, at)) is not None:
            if (number := number + 1) % _CHECKED_EVERY == 0:
                cancellation.check()
            start = match.start()
            end = _end_alone(patterns, content, start)
            if end > start:
                yield start, end
            at = max(end, start + 1)

    return spans


def _end_alone(patterns: Sequence[Any], content: bytes, start: int) -> int:
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


def _by_content(in_ascii: Callable[[bytes], Found], elsewhere: Callable[[bytes], Found]) -> Callable[[bytes], Found]:
    """Return what searches texts in ASCII in one way and others in another."""
    return lambda content: in_ascii(content) if content.isascii() else elsewhere(content)


def _matches_nothing(pattern: Any, text: bytes) -> bool:
    match = pattern.search(text)
    return match is not None and match.start() == match.end()


def _lines_of(spans: Callable[[bytes], Iterator[Span]]) -> Callable[[bytes], list[int]]:
    """Return what finds the lines in which spans begin."""

    def lines(content: bytes) -> list[int]:
        found: list[int] = []
        line, counted, end = 1, 0, -1
        try:
            for number, (start, _) in enumerate(spans(content), 1):
                if number % _CHECKED_EVERY == 0:
                    cancellation.check()
                if start > end:
                    line += content.count(b"\n", counted, start)
                    counted, end = start, content.find(b"\n", start)
                    found.append(line)
                    if end < 0:
                        break
        except cancellation.Cancelled:
            raise CutShort(found) from None
        return found

    return lines


def _lines_by_pattern(pattern: Any) -> Callable[[bytes], list[int]]:
    """Return what finds the lines of the matches of a compiled expression that goes on to the end of a line."""

    def lines(content: bytes) -> list[int]:
        found: list[int] = []
        line, counted = 1, 0
        add, count = found.append, content.count
        for number, match in enumerate(pattern.finditer(content), 1):
            if number % _CHECKED_EVERY == 0:
                _check(found)
            start, end = match.span()
            line += count(b"\n", counted, start)
            counted = end
            add(line)
        return found

    return lines


def _lines_of_text(
    query: str, spans: Callable[[bytes], Iterator[Span]], *, word: bool, case_sensitive: bool
) -> Callable[[bytes], list[int]]:
    """Return what finds the lines that hold a text; ``spans`` finds it in any content, but slower."""
    general = _lines_of(spans)
    text = query if case_sensitive else query.lower()
    encoded = text.encode("utf-8", "replace")
    if not case_sensitive and not query.isascii():
        return general
    several = not case_sensitive and _SEVERAL_SMALL.search(text) is not None
    plain = _lines_by_pattern(compiled_text(encoded))

    def lines(content: bytes) -> list[int]:
        if several and not content.isascii() and any(sign in content for sign in _SEVERAL_CAPITALS):
            return general(content)
        lower = content if case_sensitive else content.lower()
        return _lines_with_word(lower, encoded) if word else plain(lower)

    return lines


def _lines_of_any(each: Sequence[Callable[[bytes], list[int]]]) -> Callable[[bytes], list[int]]:
    """Return what finds the lines that any of several finds."""
    return each[0] if len(each) == 1 else lambda content: sorted({line for lines in each for line in lines(content)})


def _lines_with_word(content: bytes, word: bytes) -> list[int]:
    """Return the lines of a text in UTF-8 in which a word stands alone."""
    found: list[int] = []
    line, counted, number = 1, 0, 0
    length, size = len(word), len(content)
    find = content.find
    start = find(word)
    while start >= 0:
        if (number := number + 1) % _CHECKED_EVERY == 0:
            _check(found)
        end = start + length
        if (start and _ends_in_word(content, start)) or (end < size and _begins_word(content, end)):
            start = find(word, start + 1)
            continue
        line += content.count(b"\n", counted, start)
        counted = start
        found.append(line)
        after = find(b"\n", end)
        start = find(word, after) if after >= 0 else -1
    return found


def _check(found: list[int]) -> None:
    """Raise CutShort with the lines found so far where the search is to end."""
    if cancellation.current().cancelled:
        raise CutShort(found)


def _holds(text: str, case_sensitive: bool) -> MayHold:
    """Return a check whether the raw bytes of a file may spell ``text``, in whatever encoding they are."""
    wanted = max(_ASCII_RUN.findall(text), key=len, default="")
    if not wanted:
        return lambda raw, end=sys.maxsize: True  # noqa: ARG005
    search = compiled(re2.escape(wanted), case_sensitive=case_sensitive, in_bytes=True, longest=8 * LONGEST).search
    varied = not case_sensitive and _SEVERAL_SMALL.search(wanted) is not None

    def may_hold(raw: bytes | bytearray, end: int = sys.maxsize) -> bool:
        if search(raw, 0, end) is not None:
            return True
        return raw.startswith(_WIDE) or (varied and not raw[:end].isascii())

    return may_hold


def _matches(pattern: Any) -> MayHold:
    """Return a check whether raw bytes may match: sure only for ASCII whose lines end as they do in a text."""
    search = pattern.search

    def may_hold(raw: bytes | bytearray, end: int = sys.maxsize) -> bool:
        if search(raw, 0, end) is not None:
            return True
        shown = raw[:end]
        return b"\r" in shown or not shown.isascii()

    return may_hold
