"""Files related by types and names: subtypes by the names of their bases, and names that imports change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from leadline_tools.index.files.file import SYMBOLS, File
from leadline_tools.index.packing.packed_relations import alias_token, base_token, unpacked
from leadline_tools.index.questions.view import IndexView
from leadline_tools.index.store.rows import Blob, Words
from leadline_tools.languages import semantics_of
from leadline_tools.languages.relations import Relations

_WORD = re.compile(r"\w+")

_MOST_KEPT = 5_000
"""Files of which it is kept what they say."""


class RelatedFiles:
    """The files of an index that say something of types and names in other files."""

    def __init__(self, index: IndexView) -> None:
        self._index = index
        self._kept: dict[str, tuple[bytes, Relations | None]] = {}
        self._words: dict[str, tuple[bytes, frozenset[str]]] = {}

    def of(self, path: str) -> Relations | None:
        """Return what a file says; None where the index does not tell."""
        file = self._index.files.get(path)
        if file is None or file.error or not file.done & SYMBOLS:
            return None
        kept = self._kept.get(path)
        if kept is None or kept[0] != file.digest:
            if len(self._kept) > _MOST_KEPT:
                self._kept.clear()
            kept = self._kept[path] = (file.digest, self._read(file.id))
        return kept[1]

    def _read(self, number: int) -> Relations | None:
        blob = self._index.rows.blob(Blob.Relations, number)
        try:
            return unpacked(blob) if blob is not None else Relations([], [])
        except ValueError:
            return None

    def forget(self) -> None:
        """Let go of what is kept of the files: what each of them says is read again when it is asked for."""
        self._kept.clear()

    def inheriting(self, names: Iterable[str]) -> list[str]:
        """Return the files with a type that may inherit from one with any of some names, sorted.

        Those of which the index does not tell are among them where they hold such a name.
        """
        return self._found({name: base_token(name) for name in names})

    def renaming(self, name: str) -> list[str]:
        """Return the files that may give another name to what has a name, sorted."""
        return self._found({name: alias_token(name)})

    def _found(self, tokens: Mapping[str, str]) -> list[str]:
        # Looked at first: what is indexed between the two is then found twice, not missed.
        unknown = [path for name in tokens for path in self._unknown(name)]
        rows = self._index.rows.holding_any(Words.Names, sorted(set(tokens.values())))
        return sorted({*self._index.files.paths_of(rows), *unknown}) if tokens else []

    def _unknown(self, name: str) -> Iterator[str]:
        """Yield the files that hold a name and of which the index does not tell what they say."""
        coverage = self._index.coverage()
        failed = {file.path: file for file in self._index.files.failed if semantics_of(file.path) is not None}
        if coverage.symbols == coverage.files:
            yield from (path for path, file in failed.items() if name in self._words_of(file))
            return
        for path in self._index.words.files_with((name,)):
            file = self._index.files.get(path)
            if file is not None and semantics_of(path) is not None and (path in failed or not file.done & SYMBOLS):
                yield path

    def _words_of(self, file: File) -> frozenset[str]:
        """Return the words of a file that could not be parsed: it is asked for many names."""
        known = self._words.get(file.path)
        if known is None or known[0] != file.digest:
            source = self._index.try_read(file.path)
            text = source.content.decode("utf-8", "replace") if source is not None else ""
            known = self._words[file.path] = file.digest, frozenset(_WORD.findall(text))
        return known[1]
