"""Several roots as one code base: each has an index of its own, and its name is the first segment of every path.

What is asked of all of it (files, words, names) is asked of each root and put together; what is asked of a path goes
to its root. Names are resolved inside one root (``Index.of``): two roots are two repositories, and may be two states of
the same one, in which each name has two meanings that have nothing to do with each other.
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import reduce
from itertools import groupby
from typing import TypeVar

from leadline_tools.errors import PathNotFound
from leadline_tools.index.changes.watch import Watcher
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import DefinitionQuery
from leadline_tools.index.questions.graph import Graph, Graphs, joined
from leadline_tools.index.questions.layout import Layout
from leadline_tools.index.questions.manifests import Manifests
from leadline_tools.index.questions.names import Found, Match, Names, Wanted, listed
from leadline_tools.index.store.coverage import Coverage
from leadline_tools.index.store.files import File, Listing
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.walk import Skipped
from leadline_tools.index.trees import Trees
from leadline_tools.languages import knowing_scripts

T = TypeVar("T")

_ANYTHING = Wanted()


class Workspace(Index):
    """The indexes of several roots, as one.

    What one is made of (``root``, ``database``, ``workers``, ``includes``, facts) only its ``parts`` have.
    """

    def __init__(self, parts: Sequence[Index]) -> None:
        """Take indexes whose trees have names, each another one."""
        self._parts = {part.tree.name: part for part in sorted(parts, key=lambda part: part.tree.name)}
        self._merged: tuple[Sequence[Sequence[str]], Sequence[str]] = ((), ())
        self._secret = None
        self._laid_out = Layout(())
        self._manifests = Manifests(self)
        self.tree = Trees({name: part.tree for name, part in self._parts.items()})
        self.names = _Names(self)
        self.graphs = _Graphs(self)

    @property
    def parts(self) -> Sequence[Index]:
        """Return the indexes of the roots, by name."""
        return tuple(self._parts.values())

    def of(self, path: str) -> Index:
        """Return the index of the root that holds a path of the tree; raises PathNotFound where none does."""
        part = self._part(path)
        if part is None:
            raise PathNotFound(path, self._nearest(path))
        return part

    def _part(self, path: str) -> Index | None:
        """Return the index of the root that a path begins with."""
        return self._parts.get(path.partition("/")[0])

    def _holding(self, path: str) -> Sequence[Index]:
        """Return the indexes that may know of a path: that of its root, all for the empty one."""
        part = self._part(path)
        return () if path and part is None else self.parts if part is None else (part,)

    # The state

    def start(self) -> None:
        """Look at the trees, and begin to index what is new or changed in them."""
        for part in self.parts:
            part.start()

    def begin(self) -> None:
        """Start in the background, as each root does."""
        for part in self.parts:
            part.begin()

    def is_scanned(self, seconds: float = 0) -> bool:
        """Tell whether the first look at every tree has ended, after ``seconds`` at most in all."""
        until = time.monotonic() + seconds
        return all(part.is_scanned(max(0.0, until - time.monotonic())) for part in self.parts)

    def are_paths_known(self, seconds: float = 0) -> bool:
        """Tell whether the paths of every tree are known, after ``seconds`` at most in all."""
        until = time.monotonic() + seconds
        return all(part.are_paths_known(max(0.0, until - time.monotonic())) for part in self.parts)

    def close(self) -> None:
        """End the workers and close the databases."""
        for part in self.parts:
            part.close()

    def refresh(self, patience: float = 0.5) -> None:
        """Bring the indexes up to date; changes of a few files are waited for, ``patience`` seconds in all."""
        until = time.monotonic() + patience
        for part in self.parts:
            part.refresh(max(0.0, until - time.monotonic()))

    def renew(self) -> None:
        """Throw the indexes away, one of which is damaged, and begin anew."""
        for part in self.parts:
            part.renew()

    def go_on(self) -> None:
        """Begin with what was put off until a call is answered."""
        for part in self.parts:
            part.go_on()

    def facts_known(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of some files whose facts are kept, and those that are known to have none."""
        wanted = list(paths)
        own = ([path for path in wanted if self._part(path) is part] for part in self.parts)
        return frozenset().union(*(part.facts_known(some) for part, some in zip(self.parts, own, strict=True)))

    def build_facts(self, *, hurried: bool = False) -> None:
        """Have the facts of all files computed in the background, once words and symbols are indexed."""
        for part in self.parts:
            part.build_facts(hurried=hurried)

    def build_facts_later(self) -> None:
        """Do the same some seconds after the start."""
        for part in self.parts:
            part.build_facts_later()

    @property
    def facts_size(self) -> int:
        """Return the bytes of the facts that are kept."""
        return sum(part.facts_size for part in self.parts)

    def wait_for_facts(self, seconds: float) -> bool:
        """Wait until all facts are kept that there is room for, at most ``seconds`` in all; tell whether that is so."""
        until = time.monotonic() + seconds
        return all(part.wait_for_facts(max(0.0, until - time.monotonic())) for part in self.parts)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Keep the indexes as they are while an answer is computed, unless that takes long."""
        with ExitStack() as answers:
            for part in self.parts:
                answers.enter_context(part.answering())
            answers.enter_context(knowing_scripts(self.scripts))
            yield

    def scripts(self) -> Mapping[str, str]:
        """Return the names of the languages of the scripts that only their first line identifies, by their paths."""
        return {path: language for part in self.parts for path, language in part.scripts().items()}

    def wait(self, seconds: float) -> bool:
        """Wait until the indexes are complete, at most ``seconds`` in all; tell whether they are."""
        until = time.monotonic() + seconds
        return all(part.wait(max(0.0, until - time.monotonic())) for part in self.parts)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds`` in all; tell whether that is so."""
        until = time.monotonic() + seconds
        return all(part.settle(max(0.0, until - time.monotonic())) for part in self.parts)

    @property
    def identity(self) -> str:
        """Return what tells these roots from others: their names and folders."""
        return ";".join(f"{name}={part.root}" for name, part in self._parts.items())

    @property
    def title(self) -> str:
        """Return what people call the roots."""
        return " + ".join(self._parts)

    @property
    def state(self) -> str:
        """Return what names the present state of the trees."""
        return "+".join(f"{name}:{part.state}" for name, part in self._parts.items())

    @property
    def generation(self) -> int:
        """Return how often one of the indexes was made anew."""
        return sum(part.generation for part in self.parts)

    @property
    def watcher(self) -> Watcher:
        """Return the watcher that may be furthest behind."""
        return max((part.watcher for part in self.parts), key=lambda watcher: watcher.lag)

    @property
    def skipped(self) -> Sequence[Skipped]:
        """Return what of the trees is not listed, with the reasons."""
        return [one for part in self.parts for one in part.skipped]

    @property
    def rules_ignored(self) -> bool:
        """Tell whether the ignore rules of a tree leave nothing, so that files are listed without them."""
        return any(part.rules_ignored for part in self.parts)

    @property
    def failed(self) -> Sequence[File]:
        """Return the files of which something could not be indexed, with the reasons."""
        return [file for part in self.parts for file in part.failed]

    def coverage(self) -> Coverage:
        """Return how far the indexes are."""
        return reduce(Coverage.with_, (part.coverage() for part in self.parts))

    # Files

    def files(self, folder: str = "") -> list[File]:
        """Return the files below a folder, in the order of their paths."""
        return [*heapq.merge(*(part.files(folder) for part in self._holding(folder)), key=lambda file: file.path)]

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths of all files, sorted; the very same as long as no file comes or goes."""
        each = [part.paths for part in self.parts]
        kept, merged = self._merged
        if len(kept) != len(each) or any(one is not other for one, other in zip(kept, each, strict=True)):
            merged = [*heapq.merge(*each)]
            self._merged = each, merged
        return merged

    def file(self, path: str) -> File | None:
        """Return the file at a path as the tree names it."""
        part = self._part(path)
        return None if part is None else part.file(path)

    def listing(self, paths: Iterable[str]) -> Iterator[Listing]:
        """Yield what a list tells of files at some paths, in their order; those that are not there are left out."""
        for part, own in groupby(paths, self._part):
            if part is not None:
                yield from part.listing(own)

    def exists(self, path: str) -> bool:
        """Tell whether there is a file at ``path``."""
        part = self._part(path)
        return part is not None and part.exists(path)

    def why_unlisted(self, path: str) -> str:
        """Return why what lies at a path of the tree is not listed; empty where it is, or where nothing lies there."""
        part = self._part(path)
        return "" if part is None else part.why_unlisted(path)

    def size(self, path: str) -> int:
        """Return the bytes of the file at a path; 0 where there is none."""
        part = self._part(path)
        return 0 if part is None else part.size(path)

    def is_folder(self, path: str) -> bool:
        """Tell whether there are files below ``path``; a root is a folder even when it is empty."""
        return not path or any(part.is_folder(path) for part in self._holding(path))

    # Content

    def packed_outline(self, source: Source) -> bytes:
        """Return the outline of a file that was just read as it is packed; raises for what cannot be parsed."""
        return self.of(source.path).packed_outline(source)

    def query(self, source: Source, asked: DefinitionQuery[T]) -> T:
        """Return what is asked of the definitions in a file that was just read."""
        return self.of(source.path).query(source, asked)

    def query_indexed(self, source: Source, asked: DefinitionQuery[T]) -> T | None:
        """Return the same if the definitions are indexed; None where they are not."""
        return self.of(source.path).query_indexed(source, asked)

    def with_words(self, words: Iterable[str], *, spelled: bool = False, beginning: str = "") -> list[str]:
        """Return the files whose text may hold all of ``words``, and one that begins with ``beginning``, sorted."""
        wanted = list(words)
        found = (part.with_words(wanted, spelled=spelled, beginning=beginning) for part in self.parts)
        return [*heapq.merge(*found)]

    def without_words(self) -> Sequence[str]:
        """Return the files whose words are not indexed: not yet, or for being too large."""
        return [path for part in self.parts for path in part.without_words()]

    def count_with_word(self, word: str) -> int:
        """Return how many files may hold a word."""
        return sum(part.count_with_word(word) for part in self.parts)

    def count_defining(self, name: str) -> int:
        """Return how many files may define a name."""
        return sum(part.count_defining(name) for part in self.parts)


class _Names(Names):
    """The names in several indexes."""

    def __init__(self, workspace: Workspace) -> None:
        self._parts = workspace.parts

    def exact(self, name: str, wanted: Wanted = _ANYTHING) -> Found:
        """Return the definitions called ``name``, case and all."""
        return self._found(name, wanted, lambda names, own: names.exact(name, own))

    def search(self, query: str, match: Match | None, wanted: Wanted = _ANYTHING) -> Found:
        """Return what matches, closest first; likeness counts only where no root has anything closer."""
        closest = match or Match.Camel
        found = self._found(query, wanted, lambda names, own: names.search(query, closest, own))
        if found.total or found.unfinished or match is not None:
            return found
        return self._found(query, wanted, lambda names, own: names.search(query, Match.Fuzzy, own))

    def texts(self) -> Sequence[int]:
        """Return as many numbers as there are files whose definitions are found by whole names only."""
        return [number for part in self._parts for number in part.names.texts()]

    def load(self) -> None:
        """Have the vocabularies at hand before they are asked for."""
        for part in self._parts:
            part.names.load()

    def similar(self, name: str) -> list[str]:
        """Return the names most like ``name``: the most like one of each root first."""
        ranked = (enumerate(part.names.similar(name)) for part in self._parts)
        return list(dict.fromkeys(known for _, known in heapq.merge(*ranked)))

    def _found(self, query: str, wanted: Wanted, ask: Callable[[Names, Wanted], Found]) -> Found:
        """Return what is found in all roots that are asked about, in one order."""
        found = [ask(part.names, own) for part in self._parts if (own := _within(part, wanted)) is not None]
        return Found(
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


class _Graphs(Graphs):
    """The graphs of several indexes: between two roots nothing is used."""

    def __init__(self, workspace: Workspace) -> None:
        self._parts = workspace.parts

    def around(self, paths: Collection[str]) -> Graph:
        """Return the graph of all roots."""
        return joined([part.graphs.around([path for path in paths if part.file(path)]) for part in self._parts])
