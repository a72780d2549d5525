"""Which files a file takes in as a whole: read from its text, kept as long as it stays the same.

A name of C may come from any of the hundreds of files that an ``#include`` leads to. Facts of all of them would take a
minute of parsing, and all that is wanted of most is where they lead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import re2

from leadline_tools.languages import language_in, language_of

if TYPE_CHECKING:
    from leadline_tools.index.index import Index

_MOST_KEPT = 50_000
"""Files whose includes are kept: about 20 MB."""


def written(path: str, content: bytes) -> Sequence[str] | None:
    """Return the files that a file with some content takes in as a whole, as they are written, in their order.

    None for a language whose text does not tell: only its facts do.
    """
    language = language_of(path)
    if language is None or language.scoping is None or language.lexis is None or language.lexis.includes is None:
        return None
    return [match[1].decode("utf-8", "replace") for match in _statements(language.lexis.includes)(content)]


def promised(path: str, content: bytes, name: str, located: Callable[[str], object]) -> bool:
    """Tell whether a file with some content says of a name that it is a type, which another file has to define.

    Where it takes in something from outside that may be what defines the type. ``located`` finds what it takes in.
    """
    language = language_in(path, content)
    words = language.lexis.promises if language is not None and language.lexis is not None else ""
    said = rf"\b(?:{words})\s+(?:[A-Z][A-Z0-9_]*\s+)?{re2.escape(name)}\s*([;*&])".encode()
    ends = {match[1] for match in re2.finditer(said, content)} if words else frozenset[bytes]()
    return b";" in ends or (bool(ends) and all(map(located, written(path, content) or ())))


@cache
def _statements(pattern: re.Pattern[bytes]) -> Callable[[bytes], Iterator[Any]]:
    """Return what finds the statements of a pattern that looks at lines; RE2 takes a fourth of the time for it."""
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    finder: Callable[[bytes], Iterator[Any]] = re2.compile(b"(?m)" + pattern.pattern, options).finditer
    return finder


class Includes:
    """The includes of the files of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._kept: dict[str, tuple[tuple[int, int], Sequence[str] | None]] = {}
        self._located: dict[tuple[str, str, str], Sequence[str]] = {}
        self._paths: Sequence[str] = ()

    def of(self, path: str) -> Sequence[str] | None:
        """Return the files that a file takes in as a whole; none for one that cannot be read, None as ``written``."""
        paths = self._index.paths
        if paths is not self._paths or len(self._kept) > _MOST_KEPT:
            self._kept, self._located, self._paths = {}, {}, paths
        file = self._index.file(path)
        if file is None:
            return ()
        state = file.size, file.mtime_ns
        kept = self._kept.get(path)
        if kept is None or kept[0] != state:
            kept = self._kept[path] = (state, self._included(path))
        return kept[1]

    def _included(self, path: str) -> Sequence[str] | None:
        with self._index.tree.reading() as reader:
            modules = written(path, reader.unmasked(path))
        if modules is None:
            return None
        return list(dict.fromkeys(file for module in modules for file in self._locate(module, path)))

    def _locate(self, module: str, path: str) -> Sequence[str]:
        """Return the files that an include means; the files of a folder mostly include the same."""
        language = language_of(path)
        key = module, path.rpartition("/")[0], language.name if language is not None else ""
        found = self._located.get(key)
        if found is None:
            scoping = language.scoping if language is not None else None
            found = (scoping.locate(module, path, self._index) if scoping is not None else None) or ()
            self._located[key] = found
        return found

    def rebinding(self, name: str, word: str) -> frozenset[str]:
        """Return the files that take ``name`` from elsewhere by a statement that begins with ``word``."""
        statement = re2.compile(rf"\b{word}\s+(?:\w+\s*::\s*)*{re2.escape(name)}\s*;".encode()).search
        held = self._index.with_words((name, word))
        with self._index.tree.reading() as reader:
            return frozenset(path for path in held if statement(reader.raw(path) or b"") is not None)

    def promised(self, path: str, name: str) -> bool:
        """Tell whether a file says of a name that it is a type, which another file has to define."""
        with self._index.tree.reading() as reader:
            return promised(path, reader.text(path), name, lambda module: self._locate(module, path))

    def rebinds(self, path: str) -> str:
        """Return the word with which files of the language of ``path`` take names from elsewhere; empty for none."""
        with self._index.tree.reading() as reader:
            language = language_in(path, reader.text(path))
        return language.lexis.rebinds if language is not None and language.lexis is not None else ""
