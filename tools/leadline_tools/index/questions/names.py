"""The search for definitions by name: exact, by prefix, by substring, by humps, and by likeness.

The vocabulary says which names match and how many definitions they have; a full-text table says which files define a
name, and the packed symbols of those files hold the rest. Only as many files are looked into as can be shown, so
what matches is counted without a look at it, unless it has to be chosen by more than its name.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import NamedTuple

from leadline_tools import cancellation, patience
from leadline_tools.index.files.file import SYMBOLS, File
from leadline_tools.index.packing.packed_symbols import unpack_named
from leadline_tools.index.questions.defined_names import DefinedNames
from leadline_tools.index.questions.name_matches import NAMED, ORDER, UP_TO, Classifier, Match, WayOf
from leadline_tools.index.questions.view import IndexView
from leadline_tools.index.store.rows import RowsDamagedError, RowsError
from leadline_tools.index.store.vocabulary import Name, Named
from leadline_tools.index.store.words import tokens
from leadline_tools.index.text.macros import macros
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.marks import is_product, product_first
from leadline_tools.languages import language_of
from leadline_tools.languages.outline import CLASS_LIKE, Definition
from leadline_tools.model import SymbolKind

MOST_FILES = 48
"""Files whose definitions are listed; each is read to show them, and as many again could not be paid for."""

MOST_HITS = 2_000
"""Definitions that are listed."""

_SECONDS = 1.0
"""Seconds that files are looked into for a list; what names mean is looked for as long as the call has time."""

_PATIENCE_SHARE = 0.5
"""The share of the time that a call has left in which it is looked for what a name means."""

_TEXT_SHARE = 0.2
"""The share of these seconds that is spent on files whose definitions are found by their words."""

_MOST_KEPT = 20_000
"""Definitions that are kept until the closest are known."""

_MOST_TERMS = 400
"""Names asked for in one query of the table."""

_LEAST_TERMS = 64
"""Names that are looked for at once, but for the first: later ones are often in files that are listed already."""

_FEW_FILES = 1_000
"""Files that are looked into one by one where a search is limited to them; it takes 100 ms."""

_MOST_PARSED = 400
"""Files not indexed yet that are parsed for one question."""

_SPACES = frozenset({SymbolKind.Namespace, SymbolKind.Package})


class Hit(NamedTuple):
    """A definition whose name matches; ``digest`` names the content of the file that it was found in."""

    match: Match
    file: File
    definition: Definition
    digest: bytes


class NameSearchResult(NamedTuple):
    """What a search found.

    Args:
        hits: The closest and likeliest first; not more than are worth listing.
        counts: How many definitions match in each way.
        more: The ways in which more may match than were counted.
        unfinished: True where the time ran out.
        reopened: How often namespaces that are among the hits were met again, which is not counted.

    """

    hits: list[Hit]
    counts: Mapping[Match, int]
    more: frozenset[Match]
    unfinished: bool
    reopened: int = 0

    @property
    def total(self) -> int:
        """Return how many definitions match; there may be more if there is ``more``."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a definition must be besides its name.

    Args:
        paths: The files that it may be in; None for all.
        accepts: Returns whether it is wanted; None for any.
        every: True where all are wanted, and not as many as are worth listing.

    """

    paths: Collection[str] | None = None
    accepts: Callable[[str, Definition], bool] | None = None
    every: bool = False

    @property
    def anything(self) -> bool:
        """Return whether the name alone decides."""
        return self.paths is None and self.accepts is None and not self.every


def _is_called(path: str, name: str) -> bool:
    """Return whether a file is called like what it may define: ``data_frame.rb`` for ``DataFrame``."""
    stem = path.rpartition("/")[2].partition(".")[0]
    return stem.replace("_", "").lower() == name.replace("_", "").lower()


def rank(path: str, definition: Definition) -> tuple[bool, bool, bool, int, int, str, int]:
    """Return what sorts definitions: product code first, then classes, then what lies less deep.

    Last are namespaces, which many files open and few questions are about.
    """
    return (
        not is_product(path),
        definition.kind in _SPACES,
        definition.kind not in CLASS_LIKE,
        definition.container.count(".") + bool(definition.container),
        path.count("/"),
        path,
        definition.line,
    )


class Names:
    """The names in an index.

    Args:
        index: The index.
        defined: The names that its files define.
        breadth: How many times as many files are looked into as are listed, so that the likeliest of them are.

    """

    def __init__(self, index: IndexView, defined: DefinedNames, breadth: int = 1) -> None:
        self._index = index
        self._defined = defined
        self._breadth = breadth

    def exact(self, name: str, wanted: Wanted = Wanted()) -> NameSearchResult:
        """Return the definitions called ``name``, case and all; files not indexed yet are looked into.

        What names mean rests on it. Where the time runs out, that is noted in the patience of the call.
        """
        call = patience.current()
        search = self._search(wanted, max(_SECONDS, (call.deadline - time.monotonic()) * _PATIENCE_SHARE))
        # Looked at first: what is indexed between the two is then found twice, not missed.
        search.parse(name)
        # Which files define a name is known without the vocabulary; only what is not looked into has to be counted.
        files = search.files_defining(name)
        known = Name(name, files if files <= MOST_FILES else self._defined.vocabulary().definitions(name))
        search.look_into_macros(name, known.definitions)
        named = {Match.Exact: Named([known], known.definitions, True, True)}
        found = search.run(named, {name: Match.Exact}.get, {name: 0})
        call.cut_short |= found.unfinished
        return found

    def search(self, query: str, match: Match | None, wanted: Wanted = Wanted()) -> NameSearchResult:
        """Return what matches, closest first; each definition once, under its closest match, and each namespace.

        Args:
            query: A name or part of one.
            match: How much of it has to match; None for as little as humps, likeness only if nothing else is found.
            wanted: What a definition must be besides.

        """
        if match is not Match.Fuzzy:
            found = self._matching(query, UP_TO[match or Match.Camel], wanted)
            if found.total or found.unfinished or match is not None:
                return found
        return self._alike(query, wanted)

    def load(self) -> None:
        """Have the vocabulary at hand before it is asked for."""
        with contextlib.suppress(RowsError):  # the next question reports it
            self._defined.vocabulary().load()

    def similar(self, name: str) -> list[str]:
        """Return the names most like ``name``, most like first.

        Of what files no longer define the vocabulary learns a moment later than the index.
        """
        search = self._search(Wanted())
        found = (known.spelled for known in self._defined.vocabulary().similar(name))
        return [spelled for spelled in found if search.files_defining(spelled)]

    def _search(self, wanted: Wanted, seconds: float = 0.0, *, reopens: bool = True) -> _Search:
        most_files = self._breadth * MOST_FILES
        return _Search(self._index, self._defined, wanted, most_files, seconds or _SECONDS, reopens=reopens)

    def _matching(self, query: str, ways: Sequence[Match], wanted: Wanted) -> NameSearchResult:
        search = self._search(wanted, reopens=False)
        search.parse(query)
        vocabulary = self._defined.vocabulary()
        named = {way: NAMED[way](vocabulary, query) for way in ways}
        search.look_into_macros(query, named[Match.Exact].definitions)
        if self._index.files.textual_ids():
            named.update((way, named[way]._replace(counted=False)) for way in ways if way is not Match.Exact)
        return search.run(named, Classifier(query, ways), {query: 0})

    def _alike(self, query: str, wanted: Wanted) -> NameSearchResult:
        names = self._defined.vocabulary().similar(query)
        named = {Match.Fuzzy: Named(names, sum(name.definitions for name in names), True, True)}
        places = {name.spelled: place for place, name in enumerate(names)}
        return self._search(wanted, reopens=False).run(named, dict.fromkeys(places, Match.Fuzzy).get, places)


class _Search:
    """One search: the definitions found so far, and how many more there are.

    Args:
        index: The index.
        defined: The names that its files define.
        wanted: What a definition must be besides its name.
        most_files: Files with definitions from which on no more are looked into.
        seconds: Seconds that files are looked into.
        reopens: Whether a namespace is found wherever it is opened, not only where it was met first.

    """

    def __init__(
        self,
        index: IndexView,
        defined: DefinedNames,
        wanted: Wanted,
        most_files: int,
        seconds: float,
        *,
        reopens: bool = True,
    ) -> None:
        self._index = index
        self._names = defined
        self._wanted = wanted
        self._most_files = most_files
        self._seconds = seconds
        self._reopens = reopens
        self._opened: dict[tuple[str, str], tuple[str, int, int]] = {}
        self._reopened: Counter[Match] = Counter()
        self._hits: dict[tuple[str, int, int], Hit] = {}
        self._files: set[str] = set()
        self._looked: set[str] = set()
        self._defined: tuple[Sequence[str], Sequence[str]] = ((), ())
        self._uncounted: set[Match] = set()
        self._unfinished = False

    def parse(self, name: str) -> None:
        """Take the definitions called ``name`` in files whose symbols are not indexed yet."""
        coverage = self._index.coverage()
        if coverage.symbols == coverage.files:
            return
        missing = [
            path
            for path in self._index.words.files_with((name,), spelled=True)
            if (file := self._index.files.get(path)) is not None and not file.done & SYMBOLS
        ]
        if len(missing) > _MOST_PARSED:
            self._uncounted.add(Match.Exact)
        likeliest = sorted(self._in_order(missing), key=lambda path: not _is_called(path, name))
        for file, source in self._sources(self._files_at(likeliest[:_MOST_PARSED])):
            for definition in self._index.symbols.definitions(source):
                if definition.name == name:
                    self._take(Match.Exact, file, definition, source.digest)

    def files_defining(self, name: str) -> int:
        """Return how many files define ``name``."""
        return len(self._defining([name]))

    def look_into_macros(self, name: str, known: int) -> None:
        """Take the definitions called ``name`` in those files of macros that hold the word.

        Where so many are ``known`` otherwise that these would not be listed, they are not counted either.
        """
        words = tokens(name)
        if not words:
            return
        files = self._in_order(self._names.macro_files_with(words))
        if files and known > MOST_FILES:
            self._uncounted.add(Match.Exact)
            return
        until = time.monotonic() + self._seconds * _TEXT_SHARE
        with self._index.tree.reading() as reader:
            for file in self._files_at(files):
                if self._is_late(until):
                    return
                raw = reader.raw(file.path)
                content = self._index.tree.text(file.path, raw) if raw is not None else None
                found = macros(content, name) if content is not None else []
                digest = self._index.tree.source(file.path, raw).digest if found and raw is not None else b""
                for definition in found:
                    self._take(Match.Exact, file, definition, digest)

    def _sources(self, files: Iterable[File]) -> Iterator[tuple[File, Source]]:
        """Yield files with their content, those that can be read, as long as there is time."""
        until = time.monotonic() + self._seconds
        for file in files:
            if self._is_late(until):
                return
            cancellation.check()
            source = self._index.try_read(file.path)
            if source is not None:
                yield file, source

    def _is_late(self, until: float) -> bool:
        """Return whether it is later than a monotonic time, so that what follows is neither found nor counted."""
        late = time.monotonic() > until
        if late:
            self._uncounted.add(Match.Exact)
            self._unfinished = True
        return late

    def run(self, named: Mapping[Match, Named], way_of: WayOf, places: Mapping[str, int]) -> NameSearchResult:
        """Look for the definitions of names; ``places`` are those of names in the order of what is found."""
        self._until = time.monotonic() + self._seconds
        counts = self._listed(named, places) if self._wanted.anything else self._sifted(named, way_of)
        coverage = self._index.coverage()
        if coverage.symbols < coverage.files:
            self._uncounted.update(named)
        reopened = self._reopened.total()
        return NameSearchResult(self._best(places), counts, frozenset(self._uncounted), self._unfinished, reopened)

    def _listed(self, named: Mapping[Match, Named], places: Mapping[str, int]) -> Mapping[Match, int]:
        """Take as many definitions as are worth listing, closest first; the vocabulary knows how many there are."""
        counts = {}
        before = len(self._hits)
        for way, found in named.items():
            names = sorted(found.names, key=lambda name: places.get(name.spelled, len(places)))
            whole = self._list(way, names) and found.complete
            taken = sum(hit.match is way for hit in self._hits.values())
            known = found.definitions - self._reopened[way]
            counts[way] = taken if whole else known + (before if way is Match.Exact else 0)
        self._uncounted.update(way for way, found in named.items() if not found.counted)
        return counts

    def _list(self, way: Match, names: Sequence[Name]) -> bool:
        """Take the definitions of names until enough are listed; return whether these are all."""
        start = 0
        while start < len(names):
            room = self._most_files - len(self._files)
            if room <= 0:
                return False
            totals = accumulate(name.definitions for name in names[start : start + _MOST_TERMS])
            size = max(sum(1 for _ in takewhile(room.__gt__, totals)) + 1, _LEAST_TERMS if start else 1)
            batch = {name.spelled: way for name in names[start : start + size]}
            if not self._look(self._defining(batch), batch.get, MOST_HITS, self._most_files):
                return False
            start += size
        return True

    def _sifted(self, named: Mapping[Match, Named], way_of: WayOf) -> Mapping[Match, int]:
        """Take all definitions that match and are wanted, closest names first, as long as there is time."""
        scope = self._wanted.paths
        batches = (
            [name.spelled for name in found.names[start : start + _MOST_TERMS]]
            for found in named.values()
            for start in range(0, len(found.names), _MOST_TERMS)
        )
        few = scope is not None and len(scope) <= _FEW_FILES
        whole = few or all(self._look_anew(self._defining(batch), way_of) for batch in batches)
        if whole and (few or not all(found.complete for found in named.values())):
            whole = self._look_anew(self._everywhere(), way_of)
        if not whole:
            self._uncounted.update(named)
        return Counter(hit.match for hit in self._hits.values())

    def _look_anew(self, paths: Iterable[str], way_of: WayOf) -> bool:
        """Take all wanted definitions in files that were not looked into; return whether that was possible."""
        new = [path for path in paths if path not in self._looked]
        self._looked.update(new)
        return self._look(new, way_of, _MOST_KEPT, _MOST_KEPT)

    def _look(self, paths: Iterable[str], way_of: WayOf, most: int, most_files: int) -> bool:
        """Take the definitions with a wanted name in files; return whether all were looked into."""
        for file, packed, digest in self._names.symbols(paths):
            if time.monotonic() > self._until:
                self._unfinished = True
                return False
            if len(self._hits) >= most or len(self._files) >= most_files:
                return False
            cancellation.check()
            for definition in _unpacked(packed, way_of) if packed else ():
                way = way_of(definition.name)
                if way is not None:
                    self._take(way, file, definition, digest)
        return True

    def _take(self, way: Match, file: File, definition: Definition, digest: bytes) -> None:
        accepts = self._wanted.accepts
        if accepts is None or accepts(file.path, definition):
            place = (file.path, definition.line, definition.column)
            if self._reopens or definition.kind not in _SPACES or self._opens(place, definition):
                self._hits.setdefault(place, Hit(way, file, definition, digest))
                self._files.add(file.path)
            else:
                self._reopened[way] += 1

    def _opens(self, place: tuple[str, int, int], definition: Definition) -> bool:
        """Return whether a namespace is not known from another place."""
        language = language_of(place[0])
        module = language.files.module(place[0]) if language is not None else ""
        return self._opened.setdefault((module, definition.path), place) == place

    def _defining(self, names: Iterable[str]) -> Sequence[str]:
        """Return the files that may define one of ``names``, product code first; those of the last ones are kept."""
        wanted = [*names]
        if wanted != self._defined[0]:
            self._defined = wanted, self._find_defining(wanted)
        return self._defined[1]

    def _find_defining(self, names: Sequence[str]) -> Sequence[str]:
        words = [tokens(name) for name in names]
        return self._in_order(self._names.files_defining(words)) if all(words) else self._everywhere()

    def _everywhere(self) -> Sequence[str]:
        """Return all files that a wanted definition may be in, product code first."""
        paths = self._wanted.paths
        return self._in_order(self._index.files.paths if paths is None else paths)

    def _in_order(self, paths: Iterable[str]) -> Sequence[str]:
        """Return those of some files that are asked about, product code first."""
        asked = self._wanted.paths
        return sorted(paths if asked is None else (path for path in paths if path in asked), key=product_first)

    def _files_at(self, paths: Iterable[str]) -> Iterator[File]:
        return (file for path in paths if (file := self._index.files.get(path)) is not None)

    def _best(self, places: Mapping[str, int]) -> list[Hit]:
        """Return the hits that are listed, closest first, likeliest first."""

        def key(hit: Hit) -> tuple[int, int, object]:
            place = places.get(hit.definition.name, len(places))
            return ORDER[hit.match], place, rank(hit.file.path, hit.definition)

        best = sorted(self._hits.values(), key=key)
        return best if self._wanted.every else _worth_listing(best)


def _worth_listing(hits: Sequence[Hit]) -> list[Hit]:
    """Return as many of the first hits as are listed."""
    files: set[str] = set()
    for number, hit in enumerate(hits[:MOST_HITS]):
        files.add(hit.file.path)
        if len(files) > MOST_FILES:
            return list(hits[:number])
    return list(hits[:MOST_HITS])


def _unpacked(blob: bytes, way_of: WayOf) -> list[Definition]:
    try:
        return unpack_named(blob, way_of)
    except ValueError as error:  # somebody else has written into the index, and into how much of it nobody knows
        raise RowsDamagedError(f"the symbols of a file are damaged: {error}") from None
