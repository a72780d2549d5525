"""The *coverage* of an index: how much of its tree is indexed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the tree is indexed.

    Args:
        files: Files in all.
        texts: Those whose words are indexed.
        symbols: Those whose symbols are.
        textual: Those among them whose macros are found by their words alone.
        factual: Files that can have facts, as far as is known.
        facts: Those whose facts are known to be kept.

    """

    files: int
    texts: int
    symbols: int
    textual: int = 0
    factual: int = 0
    facts: int = 0

    @property
    def complete(self) -> bool:
        """Return whether nothing is missing."""
        return self.texts == self.files == self.symbols

    @property
    def known(self) -> int:
        """Return how many files are read and how many are parsed, added up: twice ``files`` once nothing is missing."""
        return self.texts + self.symbols

    def with_(self, other: Coverage) -> Coverage:
        """Return how much of two trees together is indexed."""
        return Coverage(
            self.files + other.files,
            self.texts + other.texts,
            self.symbols + other.symbols,
            self.textual + other.textual,
            self.factual + other.factual,
            self.facts + other.facts,
        )
