r"""Exact o200k_base token counts, offline: byte pair encoding by tiktoken, with the rank file shipped in ``data``.

The line contract makes costs additive. A *contract line* ends in one ``\n``, has none inside, is not blank and does
not begin with ``/``; then the o200k count of joined lines is the sum of the counts of the lines, because no
pre-token of the o200k pattern reaches over such a line end.
"""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

RANKS = Path(__file__).parent / "data" / "fb374d419588a4632f3f557e76b4b70aebbca790"
"""The o200k_base ranks, under the name that tiktoken looks for in its cache: the SHA-1 of the address it knows."""

RANKS_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"

_LONGEST_PIECE = 400_000
"""Characters encoded at once: tiktoken panics on about a million blanks in a row."""

Counter = Callable[[str], int]
Encode = Callable[[str], Sequence[int]]

_LONGEST_RECENT = 400
"""Characters of a text whose count is remembered for a while."""

_LONGEST_REMEMBERED = 2_000
"""Characters of a line whose count is remembered for long."""

_LONGEST_TOKEN = 256
"""Twice the characters of the longest token of o200k, for those of other tokenizers."""

_lock = threading.Lock()
_encode: Encode | None = None


def count(text: str) -> int:
    """Return the o200k_base tokens of ``text``, special tokens taken as plain text.

    With a damaged rank file the result is the UTF-8 length: a bound, since byte pair encoding never makes more tokens
    than bytes. ``load`` reports that. Raises ImportError where tiktoken is missing.
    """
    if len(text) <= _LONGEST_RECENT:
        return _count_recent(text, _encoder())
    if len(text) <= _LONGEST_PIECE:
        return len(_encoder()(text))
    return _count_long(text)


@lru_cache(maxsize=4_096)
def _count_recent(text: str, encode: Encode) -> int:
    """Return the same for a short text, remembered: a line is counted up to six times while a page is made of it.

    tiktoken lets other threads run while it counts. For a line that costs more than the counting: where threads are
    busy, each time the counting thread waits until another yields.
    """
    return len(encode(text))


@lru_cache(maxsize=4)
def _count_long(text: str) -> int:
    """Return the same for a long text, remembered: the last few are counted again while an answer is made of them."""
    return sum(len(_encoder()(piece)) for piece in _pieces(text))


def forget() -> None:
    """Forget all counts: they are those of the ranks that were loaded."""
    _count_short.cache_clear()
    _count_long.cache_clear()


def ranks_of(text: str) -> Sequence[int]:
    """Return the o200k_base tokens of a short text as their ranks: the smaller, the more frequent."""
    return _encoder()(text)


def count_line(line: str) -> int:
    """Return ``count(line)``, remembered: headings, calls and paths recur in answer after answer."""
    return _count_short(line) if len(line) <= _LONGEST_REMEMBERED else count(line)


@lru_cache(maxsize=8_192)
def _count_short(line: str) -> int:
    return count(line)


def contract_line(text: str) -> str:
    """Return ``text`` as one contract line: line ends become spaces, nothing blank, no leading ``/``."""
    joined = text.replace("\r", " ").replace("\n", " ").rstrip()
    if not joined or joined.isspace():
        joined = "."
    if joined[0] == "/":
        joined = "." + joined
    return joined + "\n"


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """How the tokens of a text are counted. Counts of contract lines add up to that of the joined text.

    Args:
        count: From a text to its tokens, as far as they can be counted offline.
        count_line: The same for a line, remembered.
        per_o200k: The most tokens that what frames an answer (names of tools, paths, URIs) has for one of o200k.
    """

    count: Counter
    count_line: Counter
    per_o200k: float = 1.0

    def scale(self, o200k: int) -> int:
        """Return the most tokens that a frame of so many o200k tokens has."""
        return math.ceil(o200k * self.per_o200k)


O200K = Tokenizer(count, count_line)
"""The tokenizer that is shipped; what others are measured by."""


def clip(text: str, tokens: int, count: Counter = count) -> str:
    """Return a prefix of ``text`` that costs at most ``tokens`` and with one character more would not."""
    low, high = 0, min(len(text), (tokens + 1) * _LONGEST_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[:middle]) <= tokens:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def load() -> bool:
    """Load the ranks now rather than at the first count (a third of a second, 55 MB); return whether they are exact.

    Raises ImportError where tiktoken is missing.
    """
    return _encoder() is not _bound


def is_degraded() -> bool:
    """Return whether the ranks were loaded and found damaged, so that bytes are counted."""
    return _encode is _bound


def _encoder() -> Encode:
    global _encode
    if _encode is None:
        with _lock:
            if _encode is None:
                _encode = _load() or _bound
    return _encode


def _load() -> Encode | None:
    """Return tiktoken's encoder; None for a damaged file, which tiktoken itself would replace by a download."""
    try:
        if hashlib.sha256(RANKS.read_bytes()).hexdigest() != RANKS_SHA256:
            return None
    except OSError:
        return None
    import tiktoken
    from tiktoken_ext.openai_public import o200k_base

    before = os.environ.get("TIKTOKEN_CACHE_DIR")
    os.environ["TIKTOKEN_CACHE_DIR"] = str(RANKS.parent)
    try:
        parameters = o200k_base()
    finally:
        if before is None:
            del os.environ["TIKTOKEN_CACHE_DIR"]
        else:
            os.environ["TIKTOKEN_CACHE_DIR"] = before
    encode = tiktoken.Encoding(**parameters).encode_ordinary
    parameters["mergeable_ranks"].clear()  # what encodes has its own copy; this one takes 28 MB

    def exact(text: str) -> Sequence[int]:
        try:
            return encode(text)
        except BaseException as error:  # a panic in tiktoken's Rust is no Exception
            if type(error).__name__ != "PanicException":
                raise
            return _bound(text)

    return exact


def _bound(text: str) -> Sequence[int]:
    return text.encode("utf-8", "surrogatepass")  # a pair of surrogates is counted as the character it makes


def _pieces(text: str) -> list[str]:
    """Cut ``text`` after newlines where there are any, so that contract lines keep their exact count."""
    pieces, start = [], 0
    while start < len(text):
        stop = min(len(text), start + _LONGEST_PIECE)
        if stop < len(text):
            stop = text.rfind("\n", start, stop) + 1 or stop
        pieces.append(text[start:stop])
        start = stop
    return pieces
