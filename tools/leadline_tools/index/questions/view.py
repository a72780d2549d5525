"""The view that questions have of an index: its files, their text, words and symbols, and its rows."""

from __future__ import annotations

from typing import Protocol

from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.paths.path_lookup import PathLookup
from leadline_tools.index.questions.symbol_index import SymbolIndex
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.store.rows import RowReader
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.source import Tree


class IndexView(Protocol):
    """An index, as far as those see it who answer questions with it."""

    @property
    def tree(self) -> Tree:
        """Return what reads the files."""
        ...

    @property
    def rows(self) -> RowReader:
        """Return the rows that are kept."""
        ...

    @property
    def files(self) -> ListedFiles:
        """Return the files of the tree."""
        ...

    @property
    def paths(self) -> PathLookup:
        """Return their paths, by what they are called and where they lie."""
        ...

    @property
    def words(self) -> WordIndex:
        """Return the words of the files."""
        ...

    @property
    def symbols(self) -> SymbolIndex:
        """Return the symbols of the files."""
        ...

    def coverage(self) -> Coverage:
        """Return how far the index is."""
        ...

    def try_read(self, path: str) -> Source | None:
        """Read a file; None where that fails for any reason."""
        ...
