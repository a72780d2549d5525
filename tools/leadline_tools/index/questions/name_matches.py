"""Name matches: the ways in which a name matches a query, closest first, and what finds the names of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum

from leadline_tools.index.store.vocabulary import Named, Vocabulary, folded, humps, matches_humps


class Match(StrEnum):
    """How a name matches a query, closest first."""

    Exact = "exact"
    Prefix = "prefix"
    Substring = "substring"
    Camel = "camel"
    Fuzzy = "fuzzy"


ORDER = {match: number for number, match in enumerate(Match)}
"""The places of the ways."""

WayOf = Callable[[str], Match | None]
"""How a name matches, if it does."""

NAMED: Mapping[Match, Callable[[Vocabulary, str], Named]] = {
    Match.Exact: Vocabulary.exact,
    Match.Prefix: Vocabulary.longer,
    Match.Substring: Vocabulary.inside,
    Match.Camel: Vocabulary.camel,
}
"""The names that match in each way and in none before it."""

UP_TO = {match: tuple(Match)[: number + 1] for number, match in enumerate(Match)}
"""The ways up to each one."""


class Classifier:
    """Tells how a name matches a query, in one of some ways."""

    def __init__(self, query: str, ways: Collection[Match]) -> None:
        self._wanted = folded(query)
        self._humps = humps(query) if Match.Camel in ways else []
        self._ways = ways

    def __call__(self, name: str) -> Match | None:
        """Return how a name matches; None where it does not."""
        way = self._way(name)
        return way if way in self._ways else None

    def _way(self, name: str) -> Match | None:
        given = folded(name)
        if self._wanted in given:
            if not given.startswith(self._wanted):
                return Match.Substring
            return Match.Exact if given == self._wanted else Match.Prefix
        return Match.Camel if len(self._humps) > 1 and matches_humps(self._humps, name) else None
