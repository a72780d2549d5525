"""The names that files define, as the rows of an index have them: what a search by name rests on.

``Names`` searches, whether it is one index or several (``JoinedDefinedNames``, ``HostedDefinedNames``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from leadline_tools.index.files.file import SYMBOLS, File
from leadline_tools.index.packing.packed_relations import unpacked
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.store.rows import Blob, RowReader, Words
from leadline_tools.index.store.vocabulary import Vocabulary
from leadline_tools.languages.unparsed_names import UnparsedName

_AT_ONCE = 400
"""Words that are looked up by one query."""


class FileSymbols(NamedTuple):
    """The symbols of a file.

    Args:
        file: The file.
        packed: Its symbols, packed; empty where it has none.
        digest: What names the content that has them; empty where the file has changed since.

    """

    file: File
    packed: bytes
    digest: bytes


class DefinedNames(Protocol):
    """The names that files define. All methods raise RowsError."""

    def vocabulary(self) -> Vocabulary:
        """Return all names as they are now."""
        ...

    def files_defining(self, names: Sequence[Sequence[str]]) -> Iterable[str]:
        """Return the paths of the files that may define one of some names, each given as its words, at least one."""
        ...

    def macro_files_with(self, words: Sequence[str]) -> Sequence[str]:
        """Return the paths of the files whose macros are found by their words alone, and that hold all of ``words``."""
        ...

    def symbols(self, paths: Iterable[str]) -> Iterator[FileSymbols]:
        """Yield the symbols of the files at some paths, in their order; those that are not there are left out."""
        ...

    def unparsed(self, paths: Iterable[str]) -> Iterator[tuple[str, UnparsedName]]:
        """Yield what lines that did not parse may declare, with the path of each; paths that are not there give none.

        The words of ``files_defining`` for it are ``unparsed_token`` of a name, and ``UNPARSED`` for any.
        """
        ...


class RootDefinedNames(DefinedNames):
    """The names that the files of one root define."""

    def __init__(self, files: ListedFiles, rows: RowReader) -> None:
        self._files = files
        self._rows = rows

    def vocabulary(self) -> Vocabulary:
        """Return all names as they are now."""
        return self._rows.vocabulary()

    def files_defining(self, names: Sequence[Sequence[str]]) -> Iterable[str]:
        """Return the paths of the files that may define one of some names."""
        simple = [words[0] for words in names if len(words) == 1]
        found: set[int] = set()
        for start in range(0, len(simple), _AT_ONCE):
            found.update(self._rows.holding_any(Words.Names, simple[start : start + _AT_ONCE]))
        for words in names:
            if len(words) > 1:
                found.update(self._rows.holding(Words.Names, words))
        return self._files.paths_of(found)

    def macro_files_with(self, words: Sequence[str]) -> Sequence[str]:
        """Return the paths of the files of macros that hold all of some words."""
        texts = self._files.textual_ids()
        return self._files.paths_of(self._rows.holding_among(Words.Text, words, texts)) if texts else ()

    def symbols(self, paths: Iterable[str]) -> Iterator[FileSymbols]:
        """Yield the symbols of the files at some paths."""
        for path in paths:
            file = self._files.get(path)
            if file is not None:
                yield FileSymbols(file, *(self._rows.symbols_of(file.id, SYMBOLS) or (b"", b"")))

    def unparsed(self, paths: Iterable[str]) -> Iterator[tuple[str, UnparsedName]]:
        """Yield what lines that did not parse may declare, with the path of each."""
        for path in paths:
            file = self._files.get(path)
            if file is not None and file.done & SYMBOLS:
                yield from ((path, one) for one in unparsed_of(self._rows.blob(Blob.Relations, file.id)))


def unparsed_of(relations: bytes | None) -> Sequence[UnparsedName]:
    """Return what lines that did not parse may declare, as packed relations have it; nothing for damaged ones."""
    try:
        return unpacked(relations).unparsed if relations else ()
    except ValueError:
        return ()
