"""The states of facts: of which files they are kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import lru_cache

from leadline_tools.index.files.file import File
from leadline_tools.languages import language_by_name, telling_name

_FACTS, _NO_FACTS = 1, 2
"""What is known of a file once its facts were looked for: they are kept, or it has none."""


@lru_cache(4_096)
def has_facts(name: str) -> bool:
    """Return whether a file can have facts, by the part of its name that decides its language."""
    language = language_by_name(name)
    return language is not None and language.semantics is not None


class FactStates:
    """What is known of the facts of files, by the rows that these have in the database.

    Attributes:
        possible: How many files can have facts, as far as is known.
        kept: Of how many of them the facts are kept.

    """

    def __init__(
        self,
        file: Callable[[str], File | None],
        row: Callable[[str], int | None],
        writing: AbstractContextManager[object],
    ) -> None:
        """Take what finds the file at a path, and its row, and what is held while something is noted."""
        self._file = file
        self._row = row
        self._writing = writing
        self._states = bytearray()
        self.possible = self.kept = 0

    def lacks(self, path: str) -> bool:
        """Return whether it is not known of a file, which can have facts, that they are kept."""
        row = self._row(path)
        return row is not None and has_facts(telling_name(path)) and not self._state(row)

    def note(self, path: str, digest: bytes, *, some: bool) -> None:
        """Note that the facts of a content of a file are kept, ``some`` or none; nothing where it has another one."""
        with self._writing:
            file = self._file(path)
            if file is not None and file.id and file.digest == digest and not self._state(file.id):
                self._states.extend(bytes(max(0, file.id + 1 - len(self._states))))
                self._states[file.id] = _FACTS if some else _NO_FACTS
                self.kept += some
                self.possible -= not some

    def forget(self) -> None:
        """Forget of which files the facts are kept."""
        with self._writing:
            for number in range(len(self._states)):
                self.lose(number)

    def lose(self, row: int) -> None:
        """Note that the facts of the file of a row are not known to be kept any more."""
        state = self._state(row)
        if state:
            self._states[row] = 0
            self.kept -= state == _FACTS
            self.possible += state == _NO_FACTS

    def _state(self, row: int) -> int:
        return self._states[row] if row < len(self._states) else 0
