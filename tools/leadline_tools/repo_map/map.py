"""The map of a code base: its parts, and the symbols that are worth reading first, spread over them."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from math import log1p
from weakref import WeakKeyDictionary

from leadline_tools import cancellation
from leadline_tools.index.file_graph.graph import Extent, Graph
from leadline_tools.index.file_graph.graphs import Basis
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import symbol as described
from leadline_tools.index.text.source_text import Source
from leadline_tools.model import MapPart, RankedSymbol, Symbol, SymbolKind
from leadline_tools.once import once
from leadline_tools.patience import patient
from leadline_tools.repo_map.central_symbols import (
    MOST_FILES,
    Candidate,
    Knowledge,
    choose_symbols,
    keep_best,
    with_leaders,
)
from leadline_tools.repo_map.landmarks import Landmarks, landmarks_of
from leadline_tools.repo_map.part_texts import part_texts
from leadline_tools.repo_map.parts import PartsOfTree, part_of
from leadline_tools.repo_map.routes import handlers
from leadline_tools.resolve.addresses.focus import Focus

MOST_SYMBOLS = 200
"""Symbols of a map: about what 1,000 tokens pay for as names alone."""

_LEAST_OF_A_ROOT, _LEAST_FILES = 2, 8
"""Of how many symbols of a root, and of how many files, the best are chosen however many roots there are."""

_KEPT_SYMBOLS = 8
"""Symbols of one of many roots that are kept for the next map, besides the best of each part."""

_TIERS = (12, 40, 100)
"""How many symbols are in the first tiers together: two that are spread over files, then one of what says most."""

_MOST_ROOT_PARTS = 12
"""Roots that are listed as parts, where there are several."""

_NAMED = 4
"""Names that stand for a part that nothing describes."""

_DIGITS = 3

_SHOWN_SHARE = 0.4
"""Of the patience of a call, what is left for choosing and showing the symbols once the roots are mapped."""


@dataclass(frozen=True, slots=True)
class Map:
    """What a map shows.

    Args:
        parts: The parts of the tree: those of the product first, then what is not ranked.
        symbols: The symbols, by file, the best file first.
        extents: How much the ranking rests on, one for each root.
        unmapped: The roots for which there was no time.

    """

    parts: Sequence[MapPart]
    symbols: Sequence[RankedSymbol]
    extents: Sequence[Extent]
    unmapped: Sequence[str] = ()


def draw_map(index: Index, scope: Collection[str] | None, focus: Focus) -> Map:
    """Return the map of the files of an index.

    Args:
        index: The index, of one or of several roots.
        scope: The files to map; None for all.
        focus: What it is to be about.

    """
    named = None if scope is None else {index.of(path).tree.name for path in scope}
    asked = [part for part in index.parts if named is None or not part.tree.name or part.tree.name in named]
    with patient() as patience:
        roots = [*_map_in_time(asked, scope, focus, patience.deadline - patience.seconds * _SHOWN_SHARE)]
    share = max(1, len(roots))
    most, files = max(_LEAST_OF_A_ROOT, MOST_SYMBOLS // share), max(_LEAST_FILES, MOST_FILES // share)
    few = _needs_few(len(asked))
    chosen = [(root, one) for root in roots for one in (root.choose_few(most) if few else root.choose(most, files))]
    chosen.sort(key=lambda pair: (-pair[1].score, pair[1].path, pair[1].name))
    symbols = [one for root in _by_best(chosen) for one in root.describe()]
    unmapped = [part.tree.name for part in asked[len(roots) :]]
    return Map(_parts(roots), _tiered(symbols), [root.extent for root in roots], unmapped)


def _map_in_time(
    indexes: Sequence[Index], scope: Collection[str] | None, focus: Focus, until: float
) -> Iterator[_MapOfRoot]:
    """Yield the maps of roots until a time of the monotonic clock, at least the first one."""
    few = _needs_few(len(indexes))
    for number, index in enumerate(indexes):
        cancellation.check()
        if number and time.monotonic() > until:
            return
        root = _MapOfRoot(index, scope, focus, until)
        if few:
            root.keep_few()
        yield root


def _needs_few(roots: int) -> bool:
    """Return whether no more is needed of each of so many roots than is kept of it."""
    return roots * _LEAST_FILES >= MOST_FILES and roots * _KEPT_SYMBOLS >= MOST_SYMBOLS


def _by_best(chosen: Sequence[tuple[_MapOfRoot, Candidate]]) -> list[_MapOfRoot]:
    """Return roots in the order of their best symbols."""
    return list(dict.fromkeys(root for root, _ in chosen))


def _parts(roots: Sequence[_MapOfRoot]) -> list[MapPart]:
    """Return the parts of one root, or of several the largest roots themselves."""
    if len(roots) == 1:
        return [*roots[0].parts(), *roots[0].aside()]
    mapped = [(root.whole.bytes, root) for root in roots if root.whole is not None]
    largest = nlargest(_MOST_ROOT_PARTS, mapped, key=lambda pair: pair[0])
    return [part for _, root in largest for part in root.described_whole()]


def _tiered(symbols: Sequence[RankedSymbol]) -> list[RankedSymbol]:
    """Return symbols with their tiers, spread over files; a type is never left out before its members are."""
    of_file: dict[str, int] = defaultdict(int)
    values = []
    for one in symbols:
        values.append(one.rank - log1p(of_file[one.symbol.path]))
        of_file[one.symbol.path] += 1
    order = sorted(range(len(symbols)), key=lambda number: (-values[number], number))
    order[_TIERS[1] :] = sorted(order[_TIERS[1] :], key=lambda number: (-symbols[number].rank, number))
    tiers = [len(_TIERS)] * len(symbols)
    for place, number in enumerate(order):
        tiers[number] = sum(place >= end for end in _TIERS)
    leader = 0
    for number, one in enumerate(symbols):
        if one.label.startswith("."):
            tiers[leader] = min(tiers[leader], tiers[number])
        else:
            leader = number
    return [
        RankedSymbol(one.symbol, one.rank, one.reason, one.label, tier)
        for one, tier in zip(symbols, tiers, strict=True)
    ]


@dataclass(slots=True)
class _Kept:
    """What a map of many roots needs of one of them, and what that rests on.

    Args:
        basis: What its graph is made of.
        extent: How much that graph rests on.
        landmarks: What is known of the tree.
        parts: The folders of the product that are parts.
        whole: The root as one part, without its line of text; None where it has no code of the product.
        symbols: Its best symbols; None as long as nobody has asked for them.

    """

    basis: Basis
    extent: Extent
    landmarks: Landmarks
    parts: Sequence[str]
    whole: MapPart | None
    symbols: Sequence[Candidate] | None = None


_KEPT: WeakKeyDictionary[Index, _Kept] = WeakKeyDictionary()


class _MapOfRoot:
    """The map of one root."""

    def __init__(self, index: Index, scope: Collection[str] | None, focus: Focus, until: float) -> None:
        self._index = index
        self._landmarks: Landmarks = landmarks_of(index)
        own = (
            focus.files
            if len(index.tree.name) == 0
            else {path: share for path, share in focus.files.items() if index.files.get(path) is not None}
        )
        self._focus = Focus(own, focus.names)
        self._scope = scope
        self._until = until
        self._around = (scope or frozenset()) | own.keys()
        self._kept = self._keep()
        self.extent, self._parts, self.whole = self._kept.extent, self._kept.parts, self._kept.whole
        self._chosen: Sequence[Candidate] = ()

    @once
    def _graph(self) -> Graph:
        return self._index.graphs.around(self._around, self._until)

    @once
    def _tree(self) -> PartsOfTree:
        return PartsOfTree(self._index, self._landmarks.marks, self._scope)

    def _keep(self) -> _Kept:
        """Return what is kept of the root, for as long as it rests on the same; of a part of it, nothing is kept."""
        basis = self._index.graphs.basis(self._around)
        kept = _KEPT.get(self._index) if self._scope is None else None
        if kept is None or kept.basis != basis or kept.landmarks is not self._landmarks:
            parts = self._tree.product()
            whole = next(iter(self._tree.described([self._index.tree.name], {})), None) if parts else None
            kept = _Kept(basis, self._graph.extent(self._scope), self._landmarks, parts, whole)
            if self._scope is None and (kept.extent.sampled or not kept.extent.late):
                _KEPT[self._index] = kept
        return kept

    def choose(self, most: int, files: int) -> Sequence[Candidate]:
        """Choose about so many symbols of so many files; return them, best first."""
        known = Knowledge(self._graph, self._landmarks, self._focus, self._ranked_files())
        self._chosen = choose_symbols(self._index, known, self._parts, most, files)
        return self._chosen

    def keep_few(self) -> None:
        """Keep the best symbols of one of many roots, and let go of what they were chosen by."""
        if self._focus.files or self._scope is not None:
            self.choose(_KEPT_SYMBOLS, _LEAST_FILES)
        elif self._kept.symbols is None:
            self._kept.symbols = self.choose(_KEPT_SYMBOLS, _LEAST_FILES)
        else:
            self._chosen = self._kept.symbols
        self.__dict__.pop("_graph", None)

    def choose_few(self, most: int) -> Sequence[Candidate]:
        """Choose about so many of the symbols that are kept; return them, best first."""
        self._chosen = keep_best(self._chosen, self._parts, most)
        return self._chosen

    def _ranked_files(self) -> Collection[str]:
        """Return the files that may be ranked: code of the product, and what the caller names himself."""
        paths = [path for path in self._index.files.paths if self._scope is None or path in self._scope]
        marks = self._landmarks.marks
        ranked = {path for path in paths if marks.is_ranked(path)}
        if not ranked:
            ranked = set(paths)
        return ranked | {path for path in paths if path in self._focus.files}

    def describe(self) -> Iterator[RankedSymbol]:
        """Yield the chosen symbols in the order of the map."""
        sources: dict[str, tuple[Source, frozenset[str]] | None] = {}
        above = ""
        for one in with_leaders(self._chosen):
            if one.path not in sources:
                source = self._index.try_read(one.path)
                sources[one.path] = (source, handlers(source.content)) if source is not None else None
            read = sources[one.path]
            if read is None:
                continue
            source, routes = read
            reason = one.reason or ("route" if one.name in routes else "")
            found = described(source, one.definition) if one.definition is not None else _file(source, one.reason)
            group = f"{one.path}:{one.definition.container}" if one.definition is not None else ""
            own = f"{one.path}:{one.definition.path}" if one.definition is not None else ""
            is_member = one.definition is not None and bool(one.definition.container)
            label = f".{one.name}" if is_member and above == group else _dotted(found)
            above = above if is_member and above == group else group if is_member else own
            yield RankedSymbol(found, round(one.score, _DIGITS), reason, label)

    def parts(self) -> Iterator[MapPart]:
        """Yield the parts of the product, each with a line: what says what it is, or else its first names."""
        texts = dict(part_texts(self._index, self._parts, self._landmarks.descriptions))
        names: dict[str, list[str]] = defaultdict(list)
        for one in self._chosen:
            named = names[part_of(one.path, self._parts)]
            if one.definition is not None and not one.definition.container and one.name not in named:
                named.append(one.name)
        texts.update((part, ", ".join(named[:_NAMED])) for part, named in names.items() if part not in texts)
        yield from self._tree.described(self._parts, texts)

    def aside(self) -> Iterator[MapPart]:
        """Yield what is not ranked."""
        return self._tree.aside()

    def described_whole(self) -> Iterator[MapPart]:
        """Yield the root as one part, with a line that says what it is; nothing where it has no code of the product."""
        name = self._index.tree.name
        if self.whole is not None:
            texts = part_texts(self._index, [name], self._landmarks.descriptions)
            yield replace(self.whole, text=texts.get(name, ""))


def _file(source: Source, reason: str) -> Symbol:
    """Return a file as a symbol."""
    name = source.path.rpartition("/")[2]
    return Symbol(name, source.path, SymbolKind.File, source.path, 1, 1, source.line_count, reason, "", "")


def _dotted(symbol: Symbol) -> str:
    return f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name
