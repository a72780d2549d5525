"""The macros of the files of a code base, as their texts have them: read once for each file."""

from __future__ import annotations

from collections.abc import Callable

from leadline_tools.languages import semantics_of


class MacroTexts:
    """Reads macros; ``text`` returns the content of a file."""

    def __init__(self, text: Callable[[str], bytes]) -> None:
        self._text = text
        self._pasted: dict[str, frozenset[str]] = {}
        self._with_parameters: dict[str, frozenset[str]] = {}

    def forget(self) -> None:
        """Let go of what was read; it is read again where it is asked for."""
        self._pasted.clear()
        self._with_parameters.clear()

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
