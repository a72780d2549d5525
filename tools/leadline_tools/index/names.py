"""Searching the names of all symbols: exact, by prefix, by substring, by humps, and by likeness.

A full-text table says which files define a name; the packed symbols of those files hold the rest. What matches more
loosely is found in the table's vocabulary, one blob of lower-case names that is searched as bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from leadline_tools.index import postings
from leadline_tools.index.files import SYMBOLS, File
from leadline_tools.languages.outline import Definition

if TYPE_CHECKING:
    from leadline_tools.index.index import Index

_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W_a-zA-Z\d]+")
_MOST_TERMS = 400
"""Names asked for in one query of the table."""

_LIKENESS = 75.0
"""Percent of likeness from which a name counts as similar (rapidfuzz ``ratio``)."""

_MOST_SIMILAR = 20


class Match(StrEnum):
    """How a name matches a query, closest first."""

    Exact = "exact"
    Prefix = "prefix"
    Substring = "substring"
    Camel = "camel"
    Fuzzy = "fuzzy"


class Hit(NamedTuple):
    """A definition whose name matches."""

    match: Match
    file: File
    definition: Definition


def humps(name: str) -> list[str]:
    """Return the parts of a camelCase or snake_case name."""
    return _HUMPS.findall(name)


def matches_humps(query: Sequence[str], name: str) -> bool:
    """Tell whether each part of the query begins a part of the name, in order, the first the first."""
    parts = [part.lower() for part in humps(name)]
    at = 0
    for number, wanted in enumerate(query):
        while at < len(parts) and not parts[at].startswith(wanted.lower()):
            if number == 0:
                return False
            at += 1
        if at == len(parts):
            return False
        at += 1
    return True


class Names:
    """The names in an index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._vocabulary: tuple[tuple[str, int], bytes] | None = None

    def exact(self, name: str) -> list[Hit]:
        """Return the definitions called ``name``, case and all; files not indexed yet are looked into."""
        # Looked at first: what is indexed between the two is then found twice, not missed.
        new = list(self._not_indexed(name))
        hits = self._matching(Match.Exact, [name.lower()], lambda other: other == name)
        return list(
            {(hit.file.path, hit.definition.line, hit.definition.column): hit for hit in (*hits, *new)}.values()
        )

    def _not_indexed(self, name: str) -> Iterator[Hit]:
        """Yield the definitions called ``name`` in files whose symbols are not indexed yet."""
        if self._index.coverage().complete:
            return
        missing = [path for path in self._index.with_words((name,), spelled=True) if not self._has_symbols(path)]
        for path in missing[:_MOST_TERMS]:
            yield from self._parsed(path, name)

    def search(self, query: str, match: Match | None) -> list[Hit]:
        """Return what matches, closest first; each definition once, under its closest match.

        Args:
            query: A name or part of one.
            match: The one way to match; None for all of them, likeness only if nothing else is found.
        """
        ways = (match,) if match is not None else (Match.Exact, Match.Prefix, Match.Substring, Match.Camel)
        found: dict[tuple[int, int, int], Hit] = {}
        for way in ways:
            for hit in self._by(way, query):
                found.setdefault((hit.file.id, hit.definition.line, hit.definition.column), hit)
        if not found and match is None:
            return self._by(Match.Fuzzy, query)
        return list(found.values())

    def similar(self, name: str) -> list[str]:
        """Return the names most like ``name``, lower case, most like first."""
        from rapidfuzz import fuzz, process

        terms = self._terms().decode().split("\n")
        found = process.extract(name.lower(), terms, scorer=fuzz.ratio, score_cutoff=_LIKENESS, limit=_MOST_SIMILAR)
        return [term for term, _, _ in found if term]

    def _by(self, way: Match, query: str) -> list[Hit]:
        lower = query.lower()
        match way:
            case Match.Exact:
                new = list(self._not_indexed(query))
                same = self._matching(way, [lower], lambda name: name.lower() == lower)
                return sorted((*same, *new), key=lambda hit: hit.definition.name != query)
            case Match.Prefix:
                return self._matching(way, self._containing(lower, "\n"), lambda name: name.lower().startswith(lower))
            case Match.Substring:
                return self._matching(way, self._containing(lower), lambda name: lower in name.lower())
            case Match.Camel:
                return self._by_humps(query)
            case Match.Fuzzy:
                terms = self.similar(query)
                rank = {term: i for i, term in enumerate(terms)}
                hits = self._matching(way, terms, lambda name: name.lower() in rank)
                return sorted(hits, key=lambda hit: rank[hit.definition.name.lower()])

    def _by_humps(self, query: str) -> list[Hit]:
        parts = humps(query)
        if len(parts) < 2:
            return []
        pattern = re.compile(b"^" + b"[^\n]*?".join(re.escape(part.lower().encode()) for part in parts), re.MULTILINE)
        blob = self._terms()
        terms = [_line_at(blob, m.start()) for m in pattern.finditer(blob)]
        return self._matching(Match.Camel, terms, lambda name: matches_humps(parts, name))

    def _matching(self, way: Match, terms: Sequence[str], wanted: Callable[[str], bool]) -> list[Hit]:
        """Return the definitions with a wanted name in the files that define one of ``terms``."""
        hits: list[Hit] = []
        for number in sorted(self._files_defining(terms)):
            file = self._index.file_by_id(number)
            if file is not None:
                hits.extend(Hit(way, file, d) for d in self._index.packed(file) if wanted(d.name))
        return hits

    def _files_defining(self, terms: Iterable[str]) -> set[int]:
        connection = self._index.database.connection()
        words = [tokens for term in terms if (tokens := postings.tokens(term))]
        simple = [tokens[0] for tokens in words if len(tokens) == 1]
        found: set[int] = set()
        for start in range(0, len(simple), _MOST_TERMS):
            found.update(postings.holding_any(connection, "names", simple[start : start + _MOST_TERMS]))
        for several in (tokens for tokens in words if len(tokens) > 1):
            found.update(postings.holding(connection, "names", several))
        return found

    def _containing(self, part: str, before: str = "") -> list[str]:
        """Return the names of the vocabulary that contain ``part``, right behind ``before``."""
        if not part:
            return []
        blob, needle = self._terms(), (before + part).encode()
        found: dict[str, None] = {}
        at = blob.find(needle)
        while at >= 0:
            at += len(before)
            found[_line_at(blob, at)] = None
            end = blob.find(b"\n", at)
            at = blob.find(needle, end) if end >= 0 else -1
        return list(found)

    def _terms(self) -> bytes:
        """Return all names in lower case, each on a line of its own, with a newline at both ends."""
        key = (self._index.state, self._index.coverage().symbols)
        if self._vocabulary is None or self._vocabulary[0] != key:
            rows = self._index.database.connection().execute("select term from vocabulary")
            terms = "\n".join(str(row[0]) for row in rows)
            self._vocabulary = (key, f"\n{terms}\n".encode())
        return self._vocabulary[1]

    def _has_symbols(self, path: str) -> bool:
        file = self._index.file(path)
        return file is None or bool(file.done & SYMBOLS)

    def _parsed(self, path: str, name: str) -> list[Hit]:
        file = self._index.file(path)
        source = self._index.try_read(path)
        if file is None or source is None:
            return []
        return [Hit(Match.Exact, file, d) for d in self._index.definitions(source) if d.name == name]


def _line_at(blob: bytes, at: int) -> str:
    start = blob.rfind(b"\n", 0, at) + 1
    end = blob.find(b"\n", at)
    return blob[start : end if end >= 0 else len(blob)].decode()
