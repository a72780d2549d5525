"""The parts of an index joined over several roots: what is asked of all is asked of each and put together.

What is asked of a path goes to the index of its root.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TypeVar

from leadline_tools import cancellation
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.index.files.file import File, Listing
from leadline_tools.index.index import Index
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.joined_vocabulary import JoinedVocabulary
from leadline_tools.index.open_roots import OpenRoots
from leadline_tools.index.packing.definition_query import DefinitionQuery
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.paths.root_names import RootNames
from leadline_tools.index.paths.unlisted import Unlisted
from leadline_tools.index.questions.defined_names import DefinedNames, FileSymbols
from leadline_tools.index.questions.symbol_index import SymbolIndex
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.store.vocabulary import Vocabulary
from leadline_tools.index.text.required_literals import Run
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.tree.walked_files import Skipped
from leadline_tools.index.trees import Trees
from leadline_tools.languages.unparsed_names import UnparsedName

T = TypeVar("T")


class Parts:
    """The indexes of some of the roots of a workspace, each open or not.

    Args:
        roots: The roots of the workspace.
        names: Those that a question is about; all roots outside of questions.
        whole: Whether they are all roots outside of questions, which need not be open.

    Attributes:
        known: The names, as paths begin with them.
        is_whole: Whether only those that are open count outside of questions.

    """

    def __init__(self, roots: OpenRoots, names: Collection[str], *, whole: bool) -> None:
        self.names = tuple(sorted(names))
        self.roots = roots
        self.known = RootNames(names)
        self.is_whole = whole and roots.closes_unused
        self._open: Sequence[Index] | None = None

    @property
    def all(self) -> Sequence[Index]:
        """Return the indexes; roots that are not open are opened."""
        if self._open is not None:
            return self._open
        found = [*map(self.roots.index, self.names)]
        if not self.roots.closes_unused:
            self._open = found
        return found

    @property
    def current(self) -> Sequence[Index]:
        """Return the indexes that a question is about; outside of questions those that are open."""
        return self.roots.opened(self.names) if self.is_whole else self.all

    def at(self, path: str) -> Index | None:
        """Return the index of the root that a path begins with."""
        name = self.known.of(path)
        return self.roots.index(name) if name else None

    def holding(self, path: str) -> Sequence[Index]:
        """Return the indexes that may know of a path: that of its root, of a folder of roots those in it."""
        part = self.at(path)
        if part is not None:
            return (part,)
        return [*map(self.roots.index, sorted(self.known.below(path)))] if self.known.is_above(path) else ()

    def by_part(self, paths: Iterable[str]) -> Iterator[tuple[Index, Sequence[str]]]:
        """Yield the index of each root that has some of the paths, with these."""
        own: dict[str, list[str]] = {}
        for path in paths:
            own.setdefault(self.known.of(path), []).append(path)
        return ((self.roots.index(name), some) for name, some in own.items() if name)

    def all_in_time(self, ask: Callable[[Index, float], bool], seconds: float) -> bool:
        """Return whether all current indexes say so, each of which is asked with the seconds that remain."""
        until = time.monotonic() + seconds
        return all(ask(part, max(0.0, until - time.monotonic())) for part in self.current)


class RootTrees(Mapping[str, Tree]):
    """The trees of some roots by name; those of open roots know what is indexed of their files."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def __getitem__(self, name: str) -> Tree:
        if name not in self._parts.names:
            raise KeyError(name)
        return self._parts.roots.tree(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts.names)

    def __len__(self) -> int:
        return len(self._parts.names)


class JoinedScans(FirstScan):
    """The first looks at several trees."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def is_done(self, seconds: float = 0) -> bool:
        """Return whether the first look at every tree has ended, after ``seconds`` at most in all."""
        return self._parts.all_in_time(lambda part, left: part.scan.is_done(left), seconds)

    def are_paths_known(self, seconds: float = 0) -> bool:
        """Return whether the paths of every tree are known, after ``seconds`` at most in all."""
        return self._parts.all_in_time(lambda part, left: part.scan.are_paths_known(left), seconds)

    def unscanned_roots(self, first: Collection[str], seconds: float, *, paths_alone: bool) -> Sequence[str]:
        """Open the roots, and return the names of those that are not scanned after ``seconds`` at most."""
        roots, names = self._parts.roots, self._parts.names
        ordered = sorted(names, key=lambda name: name not in first)
        until = time.monotonic() + seconds
        roots.open_in_background(ordered)
        left = [name for name in names if not _is_scanned(roots, name, paths_alone=paths_alone)]
        while left and time.monotonic() < until:
            cancellation.check()
            wait = min(cancellation.CHECK_SECONDS, until - time.monotonic())
            if roots.is_open(left[0], wait):
                part = roots.index(left[0])
                (part.scan.are_paths_known if paths_alone else part.scan.is_done)(wait)
            left = [name for name in left if not _is_scanned(roots, name, paths_alone=paths_alone)]
        return left


def _is_scanned(roots: OpenRoots, name: str, *, paths_alone: bool) -> bool:
    """Return whether a root is open and its tree was looked at, or at least its paths are known."""
    if not roots.is_open(name):
        return False
    scan = roots.index(name).scan
    return scan.are_paths_known() if paths_alone else scan.is_done()


class JoinedFiles(ListedFiles):
    """The files of several roots."""

    def __init__(self, parts: Parts, tree: Trees) -> None:
        self._parts = parts
        self._tree = tree
        self._secret = None
        self._merged: tuple[Sequence[Sequence[str]], Sequence[str]] = ((), ())

    @property
    def state(self) -> str:
        """Return what names the present state of the trees."""
        return "+".join(f"{part.tree.name}:{part.files.state}" for part in self._parts.current)

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

    @property
    def binary(self) -> frozenset[str]:
        """Return the paths of the files that were looked into and are no text."""
        return frozenset[str]().union(*(part.files.binary for part in self._parts.all))

    def textual_ids(self) -> Sequence[int]:
        """Return as many numbers as there are files whose definitions are found by whole names only."""
        return [number for part in self._parts.all for number in part.files.textual_ids()]


class JoinedUnlisted(Unlisted):
    """What of several trees is not listed."""

    def __init__(self, parts: Parts) -> None:
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


class JoinedWords(WordIndex):
    """The words of the files of several roots."""

    def __init__(self, parts: Parts) -> None:
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


class JoinedSymbols(SymbolIndex):
    """The symbols of the files of several roots."""

    def __init__(self, parts: Parts, of: Callable[[str], Index]) -> None:
        self._parts = parts
        self._of = of

    def packed_outline(self, source: Source) -> bytes:
        """Return the outline of a file that was just read as it is packed; raises for what cannot be parsed."""
        return self._of(source.path).symbols.packed_outline(source)

    def fetch(self, paths: Iterable[str]) -> None:
        """Have the symbols of some files at hand, where it takes less to read them together."""
        for part, some in self._parts.by_part(paths):
            part.symbols.fetch(some)

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


class JoinedFacts(FileFacts):
    """The facts of the files of several roots."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def known(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of some files whose facts are kept, and those that are known to have none."""
        return frozenset[str]().union(*(part.facts.known(some) for part, some in self._parts.by_part(paths)))

    def compute_requested(self) -> None:
        """Begin with what was requested while a call was answered."""
        for part in self._parts.current:
            part.facts.compute_requested()

    def build(self, *, hurried: bool = False) -> None:
        """Have the facts of all files computed in the background, once words and symbols are indexed."""
        for part in self._parts.current:
            part.facts.build(hurried=hurried)

    def build_later(self) -> None:
        """Do the same some seconds after the start, for roots that stay open.

        Of roots that are opened when they are asked about, it begins with the first question that resolves a name.
        """
        if not self._parts.roots.closes_unused:
            self._parts.roots.prepare_each(lambda part: part.facts.build_later())

    def wait(self, seconds: float) -> bool:
        """Wait until all facts are kept that there is room for, at most ``seconds`` in all; return whether they are."""
        return self._parts.all_in_time(lambda part, left: part.facts.wait(left), seconds)

    @property
    def size(self) -> int:
        """Return the bytes of the facts that are kept."""
        return sum(part.facts.size for part in self._parts.current)


class JoinedDefinedNames(DefinedNames):
    """The names that the files of several roots define."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._vocabulary = JoinedVocabulary()

    def vocabulary(self) -> Vocabulary:
        """Return all names as they are now."""
        return self._vocabulary.of(part.defined_names.vocabulary() for part in self._parts.all)

    def files_defining(self, names: Sequence[Sequence[str]]) -> Iterable[str]:
        """Return the paths of the files that may define one of some names."""
        return chain.from_iterable(part.defined_names.files_defining(names) for part in self._parts.all)

    def macro_files_with(self, words: Sequence[str]) -> Sequence[str]:
        """Return the paths of the files of macros that hold all of some words."""
        return [path for part in self._parts.all for path in part.defined_names.macro_files_with(words)]

    def symbols(self, paths: Iterable[str]) -> Iterator[FileSymbols]:
        """Yield the symbols of the files at some paths."""
        for path in paths:
            part = self._parts.at(path)
            if part is not None:
                yield from part.defined_names.symbols((path,))

    def unparsed(self, paths: Iterable[str]) -> Iterator[tuple[str, UnparsedName]]:
        """Yield what lines that did not parse may declare, with the path of each."""
        for part, some in self._parts.by_part(paths):
            yield from part.defined_names.unparsed(some)


class Joining:
    """Makes the parts of a workspace that answer for several roots."""

    def tree(self, parts: Parts) -> Trees:
        """Return the files of the roots."""
        return Trees(RootTrees(parts))

    def scans(self, parts: Parts) -> FirstScan:
        """Return the first looks at them."""
        return JoinedScans(parts)

    def files(self, parts: Parts, tree: Trees) -> ListedFiles:
        """Return the files that they list."""
        return JoinedFiles(parts, tree)

    def words(self, parts: Parts) -> WordIndex:
        """Return the words of the files."""
        return JoinedWords(parts)

    def symbols(self, parts: Parts, of: Callable[[str], Index]) -> SymbolIndex:
        """Return the symbols of the files; ``of`` returns the index of the root that holds a path."""
        return JoinedSymbols(parts, of)

    def defined_names(self, parts: Parts) -> DefinedNames:
        """Return the names that the files define."""
        return JoinedDefinedNames(parts)
