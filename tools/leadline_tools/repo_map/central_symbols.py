"""The symbols of one root that are worth reading first: candidates from the index, their scores, and a choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from math import log1p
from typing import NamedTuple

from leadline_tools import cancellation
from leadline_tools.index.file_graph.graph import Graph, Mentions
from leadline_tools.index.file_graph.graph_builder import language_group_of
from leadline_tools.index.files.file import SYMBOLS, File
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_symbols import unpack
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, NAMESPACE_LIKE, Definition
from leadline_tools.model import SymbolKind
from leadline_tools.repo_map.entry_points import MAIN
from leadline_tools.repo_map.landmarks import Landmarks
from leadline_tools.repo_map.parts import part_of
from leadline_tools.repo_map.public_interface import EVERYTHING
from leadline_tools.repo_map.weights import SymbolEvidence, score
from leadline_tools.resolve.addresses.focus import Focus
from leadline_tools.resolve.project.ranking import file_ranks, name_ranks

MOST_FILES = 250
"""Files of a code base whose symbols are looked at: those that uses, entry points and documentation say most of."""

_FEW_TARGETS = 10
"""Files that a program uses if it is a small one."""

_SPREAD, _FREE_OF_A_FILE = 0.5, 16
"""How much less a further symbol of a file says; hardly less before there are so many."""

_FREE_OF_A_NAME = 2
"""Symbols of one name in the files of a folder, members aside, after which a further one says less: a message catalogue
has one for each language."""

_OF_A_FILE = 60
"""Symbols of a file that may be chosen."""

_OF_A_PART = 4
"""Symbols of each part of the tree that are chosen even if others say more."""

_OF_EXPORTED = 0.75
"""How surely a member of what is exported is part of the public interface."""

_PRIVATE_FIRST = "_#"
_NO_RANKS: Mapping[str, float] = {}
_NO_MENTIONS = Mentions({}, {}, {})


class Candidate(NamedTuple):
    """A symbol that may be on the map; without a definition it is a file."""

    path: str
    definition: Definition | None
    leader: Definition | None
    """The type in the same file that it is a member of."""

    score: float
    reason: str

    @property
    def name(self) -> str:
        """Return the name of the symbol, or of the file."""
        return self.definition.name if self.definition is not None else self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of the files of a root besides their symbols.

    Args:
        graph: Which files use which.
        landmarks: What is known of the tree.
        focus: What the caller wants the map to be about.
        ranked: The files that may be ranked.

    """

    graph: Graph
    landmarks: Landmarks
    focus: Focus
    ranked: Collection[str]


def choose_symbols(index: Index, known: Knowledge, parts: Sequence[str], most: int, files: int) -> Sequence[Candidate]:
    """Return the symbols that are worth reading first, best first, about ``most`` of the best ``files``."""
    return keep_best(_spread_out(_Rating(index, known).candidates(files)), parts, most)


def keep_best(candidates: Iterable[Candidate], parts: Sequence[str], most: int) -> Sequence[Candidate]:
    """Return about ``most`` of some candidates, best first, and the best of each part.

    Of those that were kept of more, fewer are the same as of all.
    """
    kept: dict[tuple[str, str], Candidate] = {}
    of_part: dict[str, int] = defaultdict(int)
    for one in candidates:
        key = one.path, one.name
        part = part_of(one.path, parts)
        wanted = len(kept) < most or of_part[part] < _OF_A_PART
        if wanted and key not in kept:
            kept[key] = one
            of_part[part] += 1
    return list(kept.values())


def _spread_out(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates, best first, where each further one of a file, or of a name in a folder, says a little less."""
    of_file: dict[str, int] = defaultdict(int)
    of_name: dict[tuple[str, str], int] = defaultdict(int)
    found = []
    for one in sorted(candidates, key=lambda one: (-one.score, one.path, one.name)):
        shared = one.path.rpartition("/")[0], one.name
        less = log1p(of_file[one.path] / _FREE_OF_A_FILE) + max(0, of_name[shared] - _FREE_OF_A_NAME)
        found.append(one._replace(score=one.score - _SPREAD * less))
        of_file[one.path] += 1
        of_name[shared] += one.leader is None
    return sorted(found, key=lambda one: (-one.score, one.path, one.name))


class _Rating:
    """The scores of the symbols of one root."""

    def __init__(self, index: Index, known: Knowledge) -> None:
        self._index = index
        self._known = known
        graph = known.graph
        self._numbers = {path: number for number, path in enumerate(graph.paths)}
        start = {self._numbers[path]: share for path, share in known.focus.files.items() if path in self._numbers}
        whole = sum(start.values())
        self._ranks = file_ranks(graph, {number: share / whole for number, share in start.items()})
        self._entries: dict[str, dict[str, str]] = defaultdict(dict)
        for entry in known.landmarks.entry_points:
            self._entries[entry.path].setdefault(entry.name, entry.reason)
        self._targets = _count_targets(graph, {self._numbers[path] for path in self._entries if path in self._numbers})
        self._largest_focus = max(known.focus.files.values(), default=1.0)

    def candidates(self, most: int) -> Iterator[Candidate]:
        """Yield the symbols of the best files, each with its score."""
        files = self._best_files()[:most]
        names = name_ranks(
            self._known.graph, self._ranks, [self._numbers[path] for path in files if path in self._numbers]
        )
        for path, definitions in self._definitions(files):
            cancellation.check()
            ranks = names.get(self._numbers.get(path, -1), _NO_RANKS)
            yield from nlargest(_OF_A_FILE, self._of_file(path, definitions, ranks), key=lambda one: one.score)

    def _best_files(self) -> list[str]:
        """Return the files whose symbols are looked at."""
        known, average = self._known, len(self._ranks)
        values: dict[str, float] = {}
        for path, number in self._numbers.items():
            if path in known.ranked:
                values[path] = log1p(30 * average * self._ranks[number])
        for path in (*self._entries, *known.landmarks.exported, *known.focus.files):
            if path in known.ranked:
                extra = 3.0 * (path in self._entries) + 0.5 * (path in known.landmarks.exported)
                values[path] = values.get(path, 0.0) + extra + 20 * known.focus.files.get(path, 0.0)
        for written, count in known.landmarks.documented.files.items():
            for path in self._index.paths.ending(written)[:2]:
                if path in known.ranked:
                    values[path] = values.get(path, 0.0) + log1p(count)
        return sorted(values, key=lambda path: (-values[path], path))

    def _definitions(self, paths: Sequence[str]) -> Iterator[tuple[str, Sequence[Definition]]]:
        """Yield files with their definitions, as the index has them."""
        files = [file for path in paths if (file := self._index.files.get(path)) is not None and file.done & SYMBOLS]
        blobs = dict(self._index.rows.symbols([file.id for file in files if not file.textual]))
        for file in files:
            definitions = self._of_blob(file, blobs)
            if definitions or file.path in self._entries:
                yield file.path, definitions

    def _of_blob(self, file: File, blobs: Mapping[int, bytes]) -> Sequence[Definition]:
        if file.textual:
            source = self._index.try_read(file.path)
            return self._index.symbols.definitions(source) if source is not None else ()
        try:
            return unpack(blobs[file.id]) if file.id in blobs else ()
        except ValueError:  # damaged
            return ()

    def _of_file(self, path: str, definitions: Sequence[Definition], ranks: Mapping[str, float]) -> Iterator[Candidate]:
        """Yield the symbols of a file that others can use."""
        entries = self._entries.get(path, {})
        named = False
        mentions = self._known.graph.mentions.get(language_group_of(path), _NO_MENTIONS)
        hidden: list[bool] = []
        types = {one.name: one for one in definitions if one.kind in CLASS_LIKE and one.parent < 0}
        enclosing = _enclosing(definitions)
        for number, definition in enumerate(definitions):
            above = definition.parent
            hidden.append(above >= 0 and (hidden[above] or definitions[above].kind in CALLABLE))
            if hidden[-1] or number in enclosing:
                continue
            inside = definitions[above] if above >= 0 else types.get(definition.container)
            leader = None if above in enclosing else inside
            reason = entries.get(definition.name, "") if leader is None else ""
            named = named or bool(reason)
            yield self._rated(path, definition, leader, ranks, mentions, reason)
        if entries and not named:
            yield Candidate(path, None, None, score(_FILE), next(iter(entries.values())))

    def _rated(
        self,
        path: str,
        definition: Definition,
        leader: Definition | None,
        ranks: Mapping[str, float],
        mentions: Mentions,
        reason: str,
    ) -> Candidate:
        known, name = self._known, definition.name
        spelled = name.encode("utf-8", "replace")
        files = len(self._ranks)
        exports = known.landmarks.exported.get(path, frozenset())
        outer = leader.name if leader is not None else name
        exported = float(outer in exports or EVERYTHING in exports)
        if definition.container:
            exported *= _OF_EXPORTED
            if known.graph.sampled:  # of a sample it is not known how many files define the name of a member
                mentions = _NO_MENTIONS
        evidence = SymbolEvidence(
            rank=files * ranks.get(name, 0.0),
            container_rank=files * ranks.get(leader.name, 0.0) if leader is not None else 0.0,
            testers=mentions.users.get(spelled, 0.0),
            strings=mentions.strings.get(spelled, 0.0),
            references=mentions.references.get(spelled, 0.0),
            documentation=definition.doc[1] - definition.doc[0],
            mentions=known.landmarks.documented.symbols.get(name, 0),
            exported=exported,
            entry=self._entry(path, reason),
            type=definition.kind in CLASS_LIKE,
            private=_is_private(path, definition),
            focus=self._focus(path, name),
        )
        return Candidate(path, definition, leader, score(evidence), reason)

    def _entry(self, path: str, reason: str) -> float:
        """Return how surely a symbol is an entry point: a main function that uses little is that of a tool."""
        if reason != MAIN:
            return float(bool(reason))
        targets = self._targets.get(self._numbers.get(path, -1), 0)
        return targets / (targets + _FEW_TARGETS)

    def _focus(self, path: str, name: str) -> float:
        """Return what the focus says of a symbol."""
        focus = self._known.focus
        if path not in focus.files:
            return 0.0
        return focus.files[path] / self._largest_focus / 2 + (name in focus.names.get(path, frozenset()))


_FILE = SymbolEvidence(0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 1.0, 1.0, False, False, 0.0)
"""What is known of an entry point that is a file."""


def _count_targets(graph: Graph, sources: Collection[int]) -> Mapping[int, int]:
    """Return of how many other files some files use something."""
    found: dict[int, set[int]] = {number: set() for number in sources}
    for source, target in zip(graph.uses.sources, graph.uses.targets, strict=True):
        if source in found:
            found[source].add(target)
    return {source: len(targets) for source, targets in found.items()}


def _enclosing(definitions: Sequence[Definition]) -> Collection[int]:
    """Return the places of modules and namespaces without documentation that hold types and further ones alone.

    Such a module is reopened in each file of a library, and says no more than the names of the types in it.
    """
    undocumented = {
        number for number, one in enumerate(definitions) if one.kind in NAMESPACE_LIKE and one.doc[0] == one.doc[1]
    }
    parents = {one.parent for one in definitions}
    of_others = {one.parent for one in definitions if one.kind not in CLASS_LIKE | NAMESPACE_LIKE}
    return (undocumented & parents) - of_others


def _is_private(path: str, definition: Definition) -> bool:
    """Return whether a name says that other packages should not, or cannot, use it."""
    name = definition.name
    if name[:1] in _PRIVATE_FIRST:
        return True
    return path.endswith(".go") and not name[:1].isupper() and definition.kind is not SymbolKind.Package


def with_leaders(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return candidates in the order of the map: files, best first; in each what is outside of types, then members.

    A member follows its type, which is added where it was not chosen.
    """
    files: dict[str, list[Candidate]] = defaultdict(list)
    for one in candidates:
        files[one.path].append(one)
    found: list[Candidate] = []
    for chosen in files.values():
        found += _grouped(chosen)
    return found


def _grouped(chosen: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield the candidates of a file, each group led by its type."""
    groups: dict[str, list[Candidate]] = {}
    for one in chosen:
        definition = one.definition
        if definition is None:
            key = ""
        elif one.leader is not None:
            key = one.leader.path
        elif definition.container:
            key = definition.container
        else:
            key = definition.path
        groups.setdefault(key, []).append(one)
    for key, members in groups.items():
        leaders = [one for one in members if one.definition is None or one.definition.path == key]
        others = [one for one in members if one not in leaders]
        leader = others[0].leader if others else None
        if not leaders and leader is not None:
            leaders = [Candidate(others[0].path, leader, None, others[0].score, "")]
        elif leaders and others and others[0].score > leaders[0].score:
            leaders[0] = leaders[0]._replace(score=others[0].score)
        yield from leaders
        yield from others
