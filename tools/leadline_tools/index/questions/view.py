"""What questions need of an index: its files, their text and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from leadline_tools.index.store.coverage import Coverage
from leadline_tools.index.store.files import File
from leadline_tools.index.store.rows import Rows
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.source import Tree
from leadline_tools.languages.language import Paths
from leadline_tools.languages.outline import Definition


class IndexView(Paths, Protocol):
    """An index, as far as those see it who answer questions with it."""

    @property
    def tree(self) -> Tree:
        """Return what reads the files."""
        ...

    @property
    def rows(self) -> Rows:
        """Return the rows that are kept."""
        ...

    @property
    def state(self) -> str:
        """Return what names the present state of the tree."""
        ...

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths of all files, sorted; the very same as long as no file comes or goes."""
        ...

    @property
    def failed(self) -> Sequence[File]:
        """Return the files of which something could not be indexed, with the reasons."""
        ...

    def coverage(self) -> Coverage:
        """Return how far the index is."""
        ...

    def file(self, path: str) -> File | None:
        """Return the file at a path as the tree names it."""
        ...

    def files(self, folder: str = "") -> list[File]:
        """Return the files below a folder, in the order of their paths."""
        ...

    def file_by_id(self, number: int) -> File | None:
        """Return the file of a row."""
        ...

    def paths_of(self, numbers: Iterable[int]) -> Sequence[str]:
        """Return the paths of the files of some rows; those of none are left out."""
        ...

    def textual_ids(self) -> Sequence[int]:
        """Return the rows of the files whose symbols are found by their words alone."""
        ...

    def is_alone(self, path: str) -> bool:
        """Return whether no other file has the name of the file at ``path``."""
        ...

    def read(self, path: str) -> Source:
        """Read a file; raises a PathError where that fails."""
        ...

    def try_read(self, path: str) -> Source | None:
        """Read a file; None where that fails for any reason."""
        ...

    def definitions(self, source: Source) -> list[Definition]:
        """Return the definitions in a file that was just read."""
        ...

    def with_words(self, words: Iterable[str], *, spelled: bool = False, beginning: str = "") -> list[str]:
        """Return the files whose text may hold all of ``words``, and one that begins with ``beginning``, sorted."""
        ...

    def taking_in(self, path: str, most: int = -1) -> list[str]:
        """Return the files that include one with the name of the file at ``path``, as far as is indexed."""
        ...

    def written_includes(self, path: str) -> Sequence[str] | None:
        """Return what a file includes, as it is written; None where the index does not tell."""
        ...
