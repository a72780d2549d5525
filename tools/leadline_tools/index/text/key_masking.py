"""The masking of keys in a text, in as many bytes, characters and lines as before.

What begins a key stays, the rest becomes ``MASK`` and asterisks, so that every line and column is that of the file, and
no search can tell what was there. Masking a masked text changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, NamedTuple

import re2

from leadline_tools.cancellation import check
from leadline_tools.index.text.key_formats import FORMATS, KeyFormat
from leadline_tools.lazy_regex import lazy_compile

MASK = "<key masked>"
"""What a masked key says in the text; the shortest key that is masked is longer."""

_MASKED = lazy_compile(re.escape(MASK.encode()) + rb"\*+")
"""A masked key. Where nothing is masked, no asterisk follows."""

_MOST_BETWEEN = 32 << 10
"""Bytes from the first line of a private key to its last: eight times as long as the longest that is in use, for what a
log or a language has around each line."""

_BEGIN = r"(?i:-{4,5} ?BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5})|Private-Lines: [0-9]+"
_FINISH = r"(?i:-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5})|Private-MAC:"
_IN_MARKS = b"----", b"Private-"
"""Of these each of the marks above has one, in this spelling."""

_WORD = lazy_compile(
    rb"\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[0-7]{3}|[a-z])|[%=][0-9A-F]{2}|&#?\w{1,6};|((?:[A-Za-z0-9+/]|\\/)+={0,2})"
)
"""The words of base 64, each in a group; escapes, whose letters belong to none, are outside of it."""

_LINE = 16
"""Characters of a line of a private key: shorter words between its lines belong to what it stands in."""

_WHOLE_LINE = 24
_SHORT_LINES = 3
"""Characters of a line that distinguish a private key from a name in a program; the number of shorter ones that do."""

_MOST_GAP = 160
"""Bytes between two lines of a private key without an end."""

MOST_KEYS = 20_000
"""Keys of one text that are looked at one by one: after them all that is printable is masked. A text with more is a
list of keys, and looking at each of three million would take a minute."""

_MOST_BEGINNINGS = 500_000
"""The same for what begins like a key and is none."""

_HIDDEN = bytes(0x2A if 0x21 <= byte <= 0x7E else byte for byte in range(256))
"""Makes an asterisk of each printable byte; spaces, ends of lines and letters beyond ASCII stay."""

_CHECKED = 256
"""Keys after which it is looked whether anybody still waits for the text."""


class _Span(NamedTuple):
    """What is masked: byte offsets."""

    start: int
    end: int


@cache
def _compile(pattern: str) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1  # bytes: nothing outside of ASCII is meant
    options.log_errors = False
    options.max_mem = 64 << 20
    return re2.compile(pattern.encode(), options)


def _grouped() -> Sequence[KeyFormat]:
    """Return the formats, those with the same before them next to each other."""
    return [one for before in dict.fromkeys(one.before for one in FORMATS) for one in FORMATS if one.before is before]


_ORDERED = _grouped()


def _beginnings(*, groups: bool) -> str:
    """Return the pattern of all beginnings, each in a group of its own where that is asked for."""
    group = "(" if groups else "(?:"
    return "|".join(
        f"{before}(?:{'|'.join(f'{group}{one.begins})' for one in formats)})"
        for before, formats in groupby(_ORDERED, lambda one: one.before)
    )


_FIRST = _beginnings(groups=False)
_FOLLOWS = [lazy_compile(one.follows.encode()) for one in _ORDERED]
_RUNS: list[Any] = [lazy_compile(one.run.encode()) if one.run else None for one in _ORDERED]

_MOST = f"{MOST_KEYS} {_MOST_BEGINNINGS}"
PIECE = 8
"""Characters of a key that are recognised where a text quotes a part of it."""

RULES = "\0".join((MASK, _FIRST, _BEGIN, _FINISH, _MOST, *(one.follows for one in _ORDERED))).encode()
"""All that is said of keys: an index depends on it."""


def mask_keys(text: bytes) -> bytes:
    """Return a text in UTF-8 with its keys masked; the very same object where it has none."""
    spans: list[_Span] = []
    end_of_search = len(text)
    for find in (_keys, _private_keys):
        try:
            for span in find(text):
                spans.append(span)  # noqa: PERF402  those that were found before there were too many count
        except _TooManyError as error:
            end_of_search = min(end_of_search, error.offset)
    if not spans and end_of_search == len(text):
        return text
    hidden = bytearray(text)
    for start, end in spans:
        mask = MASK.encode()[: end - start]
        hidden[start:end] = mask + b"*" * (end - start - len(mask))
    hidden[end_of_search:] = hidden[end_of_search:].translate(_HIDDEN)
    return bytes(hidden)


def without_masks(text: bytes) -> bytes:
    """Return a masked text with zero bytes for its masks, which nobody wrote, so that no search finds their words.

    The very same object is returned where it has none.
    """
    return _MASKED.sub(lambda mask: bytes(len(mask[0])), text) if MASK.encode() in text else text


def mask_text(text: str) -> str:
    """Return the same of a string."""
    raw = text.encode("utf-8", "surrogatepass")
    masked = mask_keys(raw)
    return text if masked is raw else masked.decode("utf-8", "surrogatepass")


def clip_text(text: str, longest: int) -> str:
    """Return at most ``longest`` characters of a text; its keys are masked first, since half a key has no format."""
    return mask_text(text)[:longest]


def mask_strings(value: Any) -> Any:
    """Return a value of JSON with the keys in all of its strings masked, those that name others too."""
    if isinstance(value, str):
        return mask_text(value)
    if isinstance(value, list):
        return [mask_strings(one) for one in value]
    if isinstance(value, dict):
        return {mask_strings(name): mask_strings(one) for name, one in value.items()}
    return value


def mask_pieces(text: str, quoted: str) -> str:
    """Return a text that quotes another one, cut anywhere, with pieces of the keys in that masked.

    A piece of a key has not its format any more. It is known here by ``PIECE`` characters in a row.
    """
    raw = quoted.encode("utf-8", "surrogatepass")
    if mask_keys(raw) is raw:
        return text
    hidden = bytearray(text.encode("utf-8", "surrogatepass"))
    shown = bytes(hidden)
    with suppress(_TooManyError):
        for start, end in (*_keys(raw), *_private_keys(raw)):
            for place in range(start, end - PIECE + 1):
                piece = raw[place : place + PIECE]
                found = shown.find(piece)
                while found >= 0:
                    hidden[found : found + PIECE] = b"*" * PIECE
                    found = shown.find(piece, found + 1)
    return hidden.decode("utf-8", "replace")


class _TooManyError(Exception):
    """There are too many keys; those before ``offset`` are not."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


def _keys(text: bytes) -> Iterator[_Span]:
    """Yield what of the keys in a text is masked. Raises _TooManyError."""
    search = _compile(_FIRST).search
    position = begun = found = 0
    while (begin := search(text, position)) is not None:
        begun += 1
        if begun % _CHECKED == 0:
            check()
        if found == MOST_KEYS or begun == _MOST_BEGINNINGS:
            raise _TooManyError(begin.start())
        start, end = begin.span()
        number = _format(text[start:end])
        rest = _FOLLOWS[number].match(text, end)
        if rest is None:
            run = _RUNS[number]
            position = start + 1 if run is None else max(start + 1, run.match(text, end).end())
            continue
        position = rest.end()
        found += 1
        if not rest.re.groups:
            yield _Span(end, rest.end())
            continue
        yield from (_Span(*rest.span(group)) for group in range(1, rest.re.groups + 1) if rest.start(group) >= 0)


@lru_cache(maxsize=4_096)
def _format(beginning: bytes) -> int:
    """Return the number of the format that begins so."""
    return int(_compile(_beginnings(groups=True)).match(beginning).lastindex) - 1


def _private_keys(text: bytes) -> Iterator[_Span]:
    """Yield the lines of private keys; what a language has between them stays, so that the text still parses.

    Raises _TooManyError.
    """
    if not any(one in text for one in _IN_MARKS):  # to look for two texts takes half as long as for an expression
        return
    marks = _compile(f"({_BEGIN})|({_FINISH})").finditer(text)
    begin = 0
    for number, mark in enumerate(marks):
        if number % _CHECKED == 0:
            check()
        if number == MOST_KEYS:
            raise _TooManyError(begin or mark.start())
        if begin:
            is_end = mark.lastindex == 2
            yield from _lines_of_key(text, begin, min(mark.start(), begin + _MOST_BETWEEN), ended=is_end)
        begin = mark.end() if mark.lastindex == 1 else 0
    if begin:
        yield from _lines_of_key(text, begin, min(len(text), begin + _MOST_BETWEEN), ended=False)


def _lines_of_key(text: bytes, start: int, end: int, *, ended: bool) -> Iterator[_Span]:
    """Yield the lines of a private key between two offsets; nothing where none of the words there is one."""
    words = [_Span(*word.span(1)) for word in _WORD.finditer(text, start, end) if word.lastindex]
    mixed = [word for word in words if _is_mixed(text, word)]
    if len(mixed) < _SHORT_LINES and not any(word.end - word.start >= _WHOLE_LINE for word in mixed):
        return
    first = words.index(mixed[0])
    if not ended:
        words = _without_gaps(words, first)
    last = max(number for number, word in enumerate(words) if word.end - word.start >= _LINE)
    around = {text[word.start : word.end] for word in words[first:last] if word.end - word.start < _LINE}
    for number, word in enumerate(words):
        line = word.end - word.start >= _LINE
        rest = ended and number > last and text[word.start : word.end] not in around
        if line or rest:
            yield word


def _is_mixed(text: bytes, word: _Span) -> bool:
    """Return whether a word looks like a line of a key: it is long, and has letters in both cases and digits."""
    line = text[word.start : word.end]
    return len(line) >= _LINE and not (line.isalpha() or line.islower() or line.isupper())


def _without_gaps(words: Sequence[_Span], first: int) -> list[_Span]:
    """Return the words up to the first long stretch without a line."""
    kept: list[_Span] = list(words[:first])
    end = words[first].start
    for word in words[first:]:
        if word.start - end > _MOST_GAP:
            break
        kept.append(word)
        if word.end - word.start >= _LINE:
            end = word.end
    return kept
