"""Which files a file takes in as a whole: read from its text, kept as long as it stays the same.

A name of C may come from any of the hundreds of files that an ``#include`` leads to. Facts of all of them would take a
minute of parsing, and all that is wanted of most is where they lead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import re2

from leadline_tools.languages import language_in, language_of
from leadline_tools.languages.language import Paths

if TYPE_CHECKING:
    from leadline_tools.index.index import Index

_MOST_KEPT = 50_000
"""Files whose includes are kept: about 20 MB."""


def included(path: str, content: bytes, paths: Paths) -> Sequence[str] | None:
    """Return the files that a file with some content takes in as a whole, in the order of the text.

    None for a language whose text does not tell: only its facts do.
    """
    language = language_of(path)
    if language is None or language.scoping is None or language.lexis is None or language.lexis.includes is None:
        return None
    locate = language.scoping.locate
    written = (match[1].decode("utf-8", "replace") for match in language.lexis.includes.finditer(content))
    return list(dict.fromkeys(file for module in written for file in locate(module, path, paths) or ()))


class Includes:
    """The includes of the files of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._kept: dict[str, tuple[tuple[int, int], Sequence[str] | None]] = {}
        self._paths: Sequence[str] = ()

    def of(self, path: str) -> Sequence[str] | None:
        """Return the files that a file takes in as a whole; none for one that cannot be read, None as ``included``."""
        paths = self._index.paths
        if paths is not self._paths or len(self._kept) > _MOST_KEPT:
            self._kept, self._paths = {}, paths
        file = self._index.file(path)
        if file is None:
            return ()
        state = file.size, file.mtime_ns
        kept = self._kept.get(path)
        if kept is None or kept[0] != state:
            with self._index.tree.reading() as reader:
                content = reader.text(path)
            kept = self._kept[path] = (state, included(path, content, self._index))
        return kept[1]

    def rebinding(self, name: str, word: str) -> frozenset[str]:
        """Return the files that take ``name`` from elsewhere by a statement that begins with ``word``."""
        statement = re2.compile(rf"\b{word}\s+(?:\w+\s*::\s*)*{re2.escape(name)}\s*;".encode()).search
        held = self._index.with_words((name, word))
        with self._index.tree.reading() as reader:
            return frozenset(path for path in held if statement(reader.raw(path) or b"") is not None)

    def rebinds(self, path: str) -> str:
        """Return the word with which files of the language of ``path`` take names from elsewhere; empty for none."""
        with self._index.tree.reading() as reader:
            language = language_in(path, reader.text(path))
        return language.lexis.rebinds if language is not None and language.lexis is not None else ""
