"""Macros as their texts define them: the names that they put together, and those that take parameters."""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.rules.macros import nothing_pasted

_MOST_PASTING = 2_000
"""Files that may hold macros, all of which are read to see what names those put together."""


class WrittenMacros:
    """The macros of the files of an index; each file is read once, as long as the index stays as it is."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._pasted: dict[str, frozenset[str]] = {}
        self._with_parameters: dict[str, frozenset[str]] = {}
        self._all_pasted: frozenset[str] | None = None

    def forget(self) -> None:
        """Let go of what was read."""
        self._pasted.clear()
        self._with_parameters.clear()
        self._all_pasted = None

    def pasted_names(self, path: str) -> frozenset[str]:
        """Return patterns of the names that macros of a file put together; an empty one for any name."""
        if path not in self._pasted:
            semantics = semantics_of(path)
            self._pasted[path] = (
                semantics.macros.pasted_names(self._text(path)) if semantics is not None else frozenset()
            )
        return self._pasted[path]

    def with_parameters(self, path: str) -> frozenset[str]:
        """Return the names of the macros with parameters that a file defines."""
        if path not in self._with_parameters:
            semantics = semantics_of(path)
            self._with_parameters[path] = (
                semantics.macros.with_parameters(self._text(path)) if semantics is not None else frozenset()
            )
        return self._with_parameters[path]

    def all_pasted_names(self) -> frozenset[str] | None:
        """Return patterns of the names that macros of any file put together; None where there are too many files."""
        if self._all_pasted is None:
            pasting = [path for path in self._index.files.paths if _may_paste(path)]
            if len(pasting) > _MOST_PASTING:
                return None
            self._all_pasted = frozenset(one for path in pasting for one in self.pasted_names(path))
        return self._all_pasted

    def _text(self, path: str) -> bytes:
        with self._index.tree.reading() as reader:
            return reader.text(path)


def _may_paste(path: str) -> bool:
    """Return whether the language of a file has macros that put names together."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.macros.pasted_names is not nothing_pasted
