"""Several roots as one code base: each has an index of its own, and its name is the first segment of every path.

What is asked of all of it (files, words, names) is asked of each root and put together; what is asked of a path goes
to its root. Names are resolved inside one root (``Index.of``): two roots are two repositories, and may be two states of
the same one, in which each name has two meanings that have nothing to do with each other.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, reduce
from itertools import groupby
from typing import TypeVar

from leadline_tools.errors import PathNotFound
from leadline_tools.index.changes.watch import Watcher
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.files.file import File, Listing
from leadline_tools.index.index import Index
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.packing.definition_query import DefinitionQuery
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.paths.path_lookup import PathLookup
from leadline_tools.index.paths.root_names import RootNames
from leadline_tools.index.paths.unlisted import Unlisted
from leadline_tools.index.questions.names import Match, Names, NameSearchResult, Wanted, listed
from leadline_tools.index.questions.symbol_index import SymbolIndex
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.text.required_literals import Run
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.walked_files import Skipped
from leadline_tools.index.trees import Trees
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.languages import knowing_scripts

T = TypeVar("T")

_ANYTHING = Wanted()

_MOST_LIMITED = 32
"""Choices of roots that were asked about last and are kept, with the paths of each."""


class _Parts:
    """The indexes of several roots.

    Args:
        indexes: Those whose trees have names, each another one.

    """

    def __init__(self, indexes: Sequence[Index]) -> None:
        self._by_name = {part.tree.name: part for part in sorted(indexes, key=lambda part: part.tree.name)}
        self.all = tuple(self._by_name.values())
        self._names = RootNames(self._by_name)

    def named(self) -> Mapping[str, Index]:
        """Return the indexes by the names of their roots."""
        return self._by_name

    def at(self, path: str) -> Index | None:
        """Return the index of the root that a path begins with."""
        return self._by_name.get(self._names.of(path))

    def holding(self, path: str) -> Sequence[Index]:
        """Return the indexes that may know of a path: that of its root, of a folder of roots those in it."""
        part = self.at(path)
        if part is not None:
            return (part,)
        return [self._by_name[name] for name in sorted(self._names.below(path))] if self._names.is_above(path) else ()

    def all_in_time(self, ask: Callable[[Index, float], bool], seconds: float) -> bool:
        """Return whether all indexes say so, each of which is asked with the seconds that remain."""
        until = time.monotonic() + seconds
        return all(ask(part, max(0.0, until - time.monotonic())) for part in self.all)


class Workspace(Index):
    """The indexes of several roots, as one.

    What one is made of (``root``, ``rows``, ``workers``, ``includes``, ``related``, ``imports``,
    ``graphs``) only its ``parts`` have.
    """

    def __init__(self, parts: Sequence[Index], pool: WorkerPool | None = None) -> None:
        """Take indexes whose trees have names, each another one, and the ``pool`` of workers that they share."""
        self._pool = pool
        self._lock = threading.Lock()
        self._set_parts(parts)

    def _set_parts(self, parts: Sequence[Index]) -> None:
        """Be the index of some roots from now on."""
        self._limited: dict[frozenset[str], Workspace] = {}
        self._parts = _Parts(parts)
        self.tree = Trees({name: part.tree for name, part in self._parts.named().items()})
        self.scan = _Scans(self._parts)
        self.files = _Files(self._parts, self.tree)
        self.unlisted = _Unlisted(self._parts)
        self.paths = PathLookup(self.tree, self.files, self.unlisted, self.scan)
        self.words = _Words(self._parts)
        self.symbols = _Symbols(self._parts, self.of)
        self.names = _Names(self._parts)
        self.facts = _Facts(self._parts)

    @property
    def parts(self) -> Sequence[Index]:
        """Return the indexes of the roots, by name."""
        return self._parts.all

    def of(self, path: str) -> Index:
        """Return the index of the root that holds a path of the tree; raises PathNotFound where none does."""
        part = self._parts.at(path)
        if part is None:
            raise PathNotFound(path, self.paths.nearest(path))
        return part

    @property
    def root_names(self) -> Collection[str]:
        """Return the names of the roots."""
        return self._parts.named().keys()

    def limited_to(self, roots: Collection[str]) -> Index:
        """Return the index of some of the roots, by their names, whose answers take nothing from the others."""
        wanted = frozenset(roots)
        if wanted == self._parts.named().keys():
            return self
        with self._lock:
            limited = self._limited.pop(wanted, None)
            if limited is None:
                limited = Workspace([self._parts.named()[name] for name in sorted(wanted)])
            self._limited[wanted] = limited  # the one used last at the end
            if len(self._limited) > _MOST_LIMITED:
                del self._limited[next(iter(self._limited))]
        return limited

    def start(self) -> None:
        """Look at the trees, and begin to index what is new or changed in them."""
        for part in self.parts:
            part.start()

    def start_in_background(self) -> None:
        """Do the same in the background, as each root does."""
        for part in self.parts:
            part.start_in_background()

    def close(self) -> None:
        """End the workers and close the databases."""
        for part in self.parts:
            part.close()
        if self._pool is not None:
            self._pool.close()

    def refresh(self, patience: float = 0.5) -> None:
        """Bring the indexes up to date; changes of a few files are waited for, ``patience`` seconds in all."""
        until = time.monotonic() + patience
        for part in self.parts:
            part.refresh(max(0.0, until - time.monotonic()))

    def renew(self) -> None:
        """Throw the indexes away, one of which is damaged, and begin anew."""
        for part in self.parts:
            part.renew()

    def wait(self, seconds: float) -> bool:
        """Wait until the indexes are complete, at most ``seconds`` in all; return whether they are."""
        return self._parts.all_in_time(lambda part, left: part.wait(left), seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds`` in all; return whether they are."""
        return self._parts.all_in_time(lambda part, left: part.settle(left), seconds)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Keep the indexes as they are while an answer is computed, unless that takes long."""
        with ExitStack() as answers:
            for part in self.parts:
                answers.enter_context(part.answering())
            # Asked for with each path of no known ending: to put those of 200 roots together takes a millisecond.
            answers.enter_context(knowing_scripts(cache(self.scripts)))
            yield

    def scripts(self) -> Mapping[str, str]:
        """Return the names of the languages of the scripts that only their first line identifies, by their paths."""
        return {path: language for part in self.parts for path, language in part.scripts().items()}

    @property
    def identity(self) -> str:
        """Return what tells these roots from others: their names and folders."""
        return ";".join(f"{name}={part.identity}" for name, part in self._parts.named().items())

    @property
    def title(self) -> str:
        """Return what people call the roots."""
        return " + ".join(self._parts.named())

    @property
    def watcher(self) -> Watcher:
        """Return the watcher that may be furthest behind."""
        return max((part.watcher for part in self.parts), key=lambda watcher: watcher.lag)

    def coverage(self) -> Coverage:
        """Return how far the indexes are."""
        return reduce(Coverage.with_, (part.coverage() for part in self.parts))


class _Scans(FirstScan):
    """The first looks at several trees."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts

    def is_done(self, seconds: float = 0) -> bool:
        """Return whether the first look at every tree has ended, after ``seconds`` at most in all."""
        return self._parts.all_in_time(lambda part, left: part.scan.is_done(left), seconds)

    def are_paths_known(self, seconds: float = 0) -> bool:
        """Return whether the paths of every tree are known, after ``seconds`` at most in all."""
        return self._parts.all_in_time(lambda part, left: part.scan.are_paths_known(left), seconds)


class _Files(ListedFiles):
    """The files of several roots."""

    def __init__(self, parts: _Parts, tree: Trees) -> None:
        self._parts = parts
        self._tree = tree
        self._secret = None
        self._merged: tuple[Sequence[Sequence[str]], Sequence[str]] = ((), ())

    @property
    def state(self) -> str:
        """Return what names the present state of the trees."""
        return "+".join(f"{name}:{part.files.state}" for name, part in self._parts.named().items())

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths of all files, sorted; the very same as long as no file comes or goes."""
        each = [part.files.paths for part in self._parts.all]
        kept, merged = self._merged
        if len(kept) != len(each) or any(one is not other for one, other in zip(kept, each, strict=True)):
            merged = each[0] if len(each) == 1 else [*heapq.merge(*each)]
            self._merged = each, merged
        return merged

    def __contains__(self, path: str) -> bool:
        part = self._parts.at(path)
        return part is not None and path in part.files

    def get(self, path: str) -> File | None:
        """Return the file at a path as the tree names it."""
        part = self._parts.at(path)
        return None if part is None else part.files.get(path)

    def below(self, folder: str = "") -> list[File]:
        """Return the files below a folder, in the order of their paths."""
        each = (part.files.below(folder) for part in self._parts.holding(folder))
        return [*heapq.merge(*each, key=lambda file: file.path)]

    def size(self, path: str) -> int:
        """Return the bytes of the file at a path; 0 where there is none."""
        part = self._parts.at(path)
        return 0 if part is None else part.files.size(path)

    def listing(self, paths: Iterable[str]) -> Iterator[Listing]:
        """Yield what a list tells of files at some paths, in their order; those that are not there are left out."""
        for part, own in groupby(paths, self._parts.at):
            if part is not None:
                yield from part.files.listing(own)

    @property
    def failed(self) -> Sequence[File]:
        """Return the files of which something could not be indexed, with the reasons."""
        return [file for part in self._parts.all for file in part.files.failed]

    def textual_ids(self) -> Sequence[int]:
        """Return as many numbers as there are files whose definitions are found by whole names only."""
        return [number for part in self._parts.all for number in part.files.textual_ids()]


class _Unlisted(Unlisted):
    """What of several trees is not listed."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts

    @property
    def skipped(self) -> Sequence[Skipped]:
        """Return what the walks of the trees have left out, with the reasons."""
        return [one for part in self._parts.all for one in part.unlisted.skipped]

    @property
    def rules_ignored(self) -> bool:
        """Return whether the ignore rules of a tree leave nothing, so that files are listed without them."""
        return any(part.unlisted.rules_ignored for part in self._parts.all)

    def reason(self, path: str) -> str:
        """Return why what lies at a path of a tree is not listed; empty where it is, or where nothing lies there."""
        part = self._parts.at(path)
        return "" if part is None else part.unlisted.reason(path)


class _Words(WordIndex):
    """The words of the files of several roots."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts

    def files_with(self, words: Iterable[str], *, spelled: bool = False, beginning: str = "") -> list[str]:
        """Return the files whose text may hold all of ``words``, and one that begins with ``beginning``, sorted."""
        wanted = list(words)
        found = (part.words.files_with(wanted, spelled=spelled, beginning=beginning) for part in self._parts.all)
        return [*heapq.merge(*found)]

    def files_meeting(self, required: Iterable[Sequence[Run]]) -> frozenset[str] | None:
        """Return the files whose text may hold a run of each clause; None where the words of no clause are known."""
        clauses = [*required]
        found = [part.words.files_meeting(clauses) for part in self._parts.all]
        known = [one for one in found if one is not None]
        return frozenset().union(*known) if len(known) == len(found) else None

    def count_files_with(self, word: str) -> int:
        """Return how many files may hold a word."""
        return sum(part.words.count_files_with(word) for part in self._parts.all)

    def unindexed_files(self) -> Sequence[str]:
        """Return the files whose words are not indexed: not yet, or for being too large."""
        return [path for part in self._parts.all for path in part.words.unindexed_files()]


class _Symbols(SymbolIndex):
    """The symbols of the files of several roots."""

    def __init__(self, parts: _Parts, of: Callable[[str], Index]) -> None:
        self._parts = parts
        self._of = of

    def packed_outline(self, source: Source) -> bytes:
        """Return the outline of a file that was just read as it is packed; raises for what cannot be parsed."""
        return self._of(source.path).symbols.packed_outline(source)

    def query(self, source: Source, query: DefinitionQuery[T]) -> T:
        """Answer a query of the definitions in a file that was just read."""
        return self._of(source.path).symbols.query(source, query)

    def query_indexed(self, source: Source, query: DefinitionQuery[T]) -> T | None:
        """Return the same if the definitions are indexed; None where they are not."""
        return self._of(source.path).symbols.query_indexed(source, query)

    def files_defining(self, name: str) -> frozenset[str]:
        """Return the files that may define a name."""
        return frozenset[str]().union(*(part.symbols.files_defining(name) for part in self._parts.all))

    def count_files_defining(self, name: str) -> int:
        """Return how many files may define a name."""
        return sum(part.symbols.count_files_defining(name) for part in self._parts.all)


class _Facts(FileFacts):
    """The facts of the files of several roots."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts

    def known(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of some files whose facts are kept, and those that are known to have none."""
        wanted = list(paths)
        own = ([path for path in wanted if self._parts.at(path) is part] for part in self._parts.all)
        each = zip(self._parts.all, own, strict=True)
        return frozenset[str]().union(*(part.facts.known(some) for part, some in each))

    def compute_requested(self) -> None:
        """Begin with what was requested while a call was answered."""
        for part in self._parts.all:
            part.facts.compute_requested()

    def build(self, *, hurried: bool = False) -> None:
        """Have the facts of all files computed in the background, once words and symbols are indexed."""
        for part in self._parts.all:
            part.facts.build(hurried=hurried)

    def build_later(self) -> None:
        """Do the same some seconds after the start."""
        for part in self._parts.all:
            part.facts.build_later()

    def wait(self, seconds: float) -> bool:
        """Wait until all facts are kept that there is room for, at most ``seconds`` in all; return whether they are."""
        return self._parts.all_in_time(lambda part, left: part.facts.wait(left), seconds)

    @property
    def size(self) -> int:
        """Return the bytes of the facts that are kept."""
        return sum(part.facts.size for part in self._parts.all)


class _Names(Names):
    """The names in several indexes."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts

    def exact(self, name: str, wanted: Wanted = _ANYTHING) -> NameSearchResult:
        """Return the definitions called ``name``, case and all."""
        return self._found(name, wanted, lambda names, own: names.exact(name, own))

    def search(self, query: str, match: Match | None, wanted: Wanted = _ANYTHING) -> NameSearchResult:
        """Return what matches, closest first; likeness counts only where no root has anything closer."""
        closest = match or Match.Camel
        found = self._found(query, wanted, lambda names, own: names.search(query, closest, own))
        if found.total or found.unfinished or match is not None:
            return found
        return self._found(query, wanted, lambda names, own: names.search(query, Match.Fuzzy, own))

    def load(self) -> None:
        """Have the vocabularies at hand before they are asked for."""
        for part in self._parts.all:
            part.names.load()

    def similar(self, name: str) -> list[str]:
        """Return the names most like ``name``: the most like one of each root first."""
        ranked = (enumerate(part.names.similar(name)) for part in self._parts.all)
        return list(dict.fromkeys(known for _, known in heapq.merge(*ranked)))

    def _found(self, query: str, wanted: Wanted, ask: Callable[[Names, Wanted], NameSearchResult]) -> NameSearchResult:
        """Return what is found in all roots that are asked about, in one order."""
        found = [ask(part.names, own) for part in self._parts.all if (own := _within(part, wanted)) is not None]
        return NameSearchResult(
            listed(query, [hit for one in found for hit in one.hits]),
            sum((Counter(one.counts) for one in found), Counter[Match]()),
            frozenset[Match]().union(*(one.more for one in found)),
            any(one.unfinished for one in found),
            sum(one.reopened for one in found),
        )


def _within(part: Index, wanted: Wanted) -> Wanted | None:
    """Return what is wanted of the files of one root; None where none of them is asked about."""
    if wanted.paths is None:
        return wanted
    own = frozenset(path for path in wanted.paths if path.startswith(f"{part.tree.name}/"))
    return Wanted(own, wanted.accepts) if own else None
