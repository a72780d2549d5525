"""Packed includes: what a file includes as a whole, as its text says it, found by words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from leadline_tools import deflated
from leadline_tools.languages import LANGUAGES, language_of, maybe_script
from leadline_tools.languages.language import Language

_MOST_KEPT = 5_000
"""Words of included files that are kept."""

_NO_WORD = re.compile(r"\W")
_QUOTES = '"<>'


def written(path: str, content: bytes) -> Sequence[str] | None:
    """Return the files that a file with some content takes in as a whole, as they are written, in their order.

    None for a language whose text does not tell: only its facts do.
    """
    language = including_language(path)
    lexis = language.source.lexis if language is not None else None
    if lexis is None or lexis.includes is None:
        return None
    return [name.decode("utf-8", "replace") for name in _statements(lexis.includes, lexis.including, content)]


def tells(path: str) -> bool:
    """Return whether the text of the file at a path says what it takes in as a whole: it does by its language."""
    language = including_language(path)
    return language is not None and language.source.lexis is not None and language.source.lexis.includes is not None


def including_language(path: str) -> Language | None:
    """Return the language in which a file takes in others: a name without an extension may be that of a header."""
    language = language_of(path) or (_BARE if maybe_script(path) else None)
    return language if language is not None and language.semantics is not None else None


_BARE = next((language for language in LANGUAGES.values() if language.files.bare_headers), None)


@lru_cache(_MOST_KEPT)
def token(path: str) -> str:
    """Return the word by which the index knows the files that take in one with the name that a path has.

    ``path`` may be as it is written in a statement. No name that a file defines is like that word.
    """
    return f"0_takes_in_{_NO_WORD.sub('_', folded_name(path))}"


def packed(names: Sequence[str]) -> bytes:
    """Return what a file takes in, as it is written, in few bytes; nothing for nothing."""
    return deflated.compress("\n".join(names).encode("utf-8", "replace")) if names else b""


def unpacked(blob: bytes) -> Sequence[str]:
    """Return what was packed; raises ValueError for what is damaged."""
    return deflated.decompress(blob).decode().split("\n")


def folded_name(path: str) -> str:
    """Return the name of a file in lower case; its path may be as it is written in a statement."""
    return path[path.rfind("/") + 1 :].strip(_QUOTES).lower()


def _statements(pattern: re.Pattern[bytes], word: bytes, content: bytes) -> Iterator[bytes]:
    """Yield what the statements of a text take in that match a pattern; only lines with a word are looked at."""
    at = content.find(word)
    while at >= 0:
        found = pattern.match(content, content.rfind(b"\n", 0, at) + 1)
        if found is not None and found.end() > at:
            yield found[1]
            at = found.end()
        at = content.find(word, at + 1)
