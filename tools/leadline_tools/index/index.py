"""The index of one root, as the tools see it, always true to the tree.

Its parts answer the questions: ``files`` and ``paths`` of the tree, ``words``, ``symbols`` and ``names`` in them, their
``facts``, ``includes`` and what is ``related``, the ``graphs`` of uses, what is ``unlisted``. No question needs the
index to be complete: what is not indexed yet is read and parsed when it is asked for.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from leadline_tools.errors import LeadlineError, PathNotFound
from leadline_tools.index.changes.watch import Watcher
from leadline_tools.index.facts.fact_size import USUAL_SIZE
from leadline_tools.index.facts.fact_store import FOLDER, FactStore
from leadline_tools.index.facts.file_facts import FileFacts
from leadline_tools.index.file_graph.graphs import Graphs
from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.indexing.shared_symbols import SharedSymbols
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.paths.path_lookup import PathLookup
from leadline_tools.index.paths.root_names import RootNames
from leadline_tools.index.paths.unlisted import Unlisted
from leadline_tools.index.questions.defined_names import DefinedNames, RootDefinedNames
from leadline_tools.index.questions.imported_files import ImportedFiles
from leadline_tools.index.questions.includes import Includes
from leadline_tools.index.questions.names import Names
from leadline_tools.index.questions.related_files import RelatedFiles
from leadline_tools.index.questions.scripts import find_scripts
from leadline_tools.index.questions.symbol_index import SymbolIndex
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.store.database import index_path
from leadline_tools.index.store.rows import RowReader, RowsDamagedError, RowsError
from leadline_tools.index.store.siblings import Siblings
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.index.store.sqlite_rows import SqliteRows
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.languages import knowing_scripts

log = logging.getLogger("leadline.index")

_FEW = 64
"""Files whose indexing a call waits for; more than that is a first build."""

_SIBLINGS = "siblings"
"""The folder in the cache in which indexes of equal contents are registered."""

_UNHURRIED_SECONDS = 3.0
"""Seconds after the start from which the vocabulary is made ready: the first answer may need none, and comes first."""

_CLOSING_SECONDS = 5.0


class Dependents:
    """What depends on an open index and ends with it, such as its language servers."""

    def __init__(self) -> None:
        self._all: list[tuple[Callable[[], None], Callable[[], bool]]] = []

    def add(self, close: Callable[[], None], is_used: Callable[[], bool] = lambda: False) -> None:
        """Call ``close`` before the index is closed; while ``is_used`` returns True, the index is not idle."""
        self._all.append((close, is_used))

    def are_used(self) -> bool:
        """Return whether one of them is in use."""
        return any(is_used() for _, is_used in self._all)

    def close(self) -> None:
        """Close them, the last one first."""
        while self._all:
            close, _ = self._all.pop()
            close()


@runtime_checkable
class VisibleByTeams(Protocol):
    """An index that each caller sees a part of."""

    def visible_to(self, teams: frozenset[str]) -> Index:
        """Return the index of what the members of some teams may see, whose answers take nothing from the rest."""
        ...

    def totals(self) -> Coverage:
        """Return how far the index is, for who operates the server: of all roots, whoever may see them."""
        ...

    def looks(self) -> tuple[int, float]:
        """Return how many repositories are followed, and the seconds since the last of them was looked at."""
        ...


class Index:
    """The index of the tree at ``root``.

    Attributes:
        tree: What reads the files.
        kept: What is kept of them.
        rows: The same as questions read it.
        workers: What parses them.
        scan: The first look at the tree.
        files: The files of the tree.
        unlisted: What of the tree is not among them.
        paths: What paths mean.
        words: Which files hold which words.
        symbols: The symbols of files.
        defined_names: The names that files define, as the rows have them.
        names: The names of symbols.
        includes: Which files include which.
        related: What files say of types and names in others.
        imports: Which files import which.
        graphs: Which files use which.
        facts: The facts of files.
        dependents: What depends on the index.

    """

    def __init__(
        self,
        root: Path,
        cache: Path | None,
        processes: int | None = None,
        policy: SecretPolicy | None = None,
        name: str = "",
        facts_size: int = USUAL_SIZE,
        exclude: tuple[str, ...] = (),
        pool: WorkerPool | None = None,
        tree: RootTree | None = None,
    ) -> None:
        """Open the index; ``cache`` is the folder that holds indexes, None keeps this one in memory.

        ``policy`` says which files are secret. Each policy has an index of its own: one holds what another must not.
        With a ``name`` that is the first segment of every path. Of facts ``facts_size`` bytes are kept. A ``pool`` of
        workers outlives the index; without one the index has its own, of so many ``processes``. ``exclude`` are rules
        as in ``.gitignore`` of what is not listed; they too have an index of their own. A ``tree`` takes the place of
        the one on the disk at ``root``, with its policy, name and rules.
        """
        tree = tree or DiskTree(root, policy, name, exclude)
        self.tree: Tree = tree
        place = partial(index_path, cache, Path(tree.place), tree.variant) if cache is not None else None
        self.kept = SqliteRows(place() if place is not None else None)
        self.rows: RowReader = self.kept
        self._owns_pool = pool is None
        self.workers = RootWorkers(tree, pool or WorkerPool(processes))
        siblings = _siblings(cache, tree, place()) if cache is not None and place is not None else None
        self._indexer = Indexer(tree, self.kept, self.workers, SharedSymbols(siblings))
        self._attach_questions(tree)
        shared = siblings is not None and bool(siblings.others())
        store = FactStore(_facts_path(cache, tree) if cache is not None else None, facts_size, shared=shared)
        self.facts = FileFacts(self.tree, self._indexer, self.workers, store)
        self._loading = threading.Timer(_UNHURRIED_SECONDS, _prepare, (self,))
        self._loading.daemon = True

    def _attach_questions(self, tree: RootTree) -> None:
        """Make the parts that answer questions, from what reads, keeps, parses and follows the files of a tree."""
        self.scan = FirstScan(self._indexer)
        self.files = ListedFiles(self.tree, self._indexer, self.rows, self.scan)
        self.unlisted = Unlisted(tree, self._indexer, self.files)
        self.paths = PathLookup(self.tree, self.files, self.unlisted, self.scan)
        self.words = WordIndex(self.tree, self._indexer, self.rows, self.files)
        self.symbols = SymbolIndex(self._indexer.files, self.rows, self.workers, self.files, self.words)
        self.defined_names: DefinedNames = RootDefinedNames(self.files, self.rows)
        self.names = Names(self, self.defined_names)
        self.includes = Includes(self)
        self.related = RelatedFiles(self)
        self.imports = ImportedFiles(self.paths, self.related, self.includes)
        self.graphs = Graphs(self, self.imports)
        self._scripts: tuple[Snapshot | None, Mapping[str, str]] = (None, {})
        self.dependents = Dependents()

    def start(self) -> None:
        """Look at the tree, and begin to index what is new or changed in it."""
        self._indexer.refresh()
        _start_indexing(self)

    def start_in_background(self) -> None:
        """Do the same without waiting for the first look at the tree, see ``scan``."""
        self.scan.start(lambda: self.refresh(0), partial(_start_indexing, self))

    def close(self) -> None:
        """End the workers and close the database, after what depends on the index."""
        self.dependents.close()
        self._loading.cancel()
        if self._loading.is_alive():  # while it unpacks names it refers to the index, and would keep it in memory
            self._loading.join(_CLOSING_SECONDS)
        self.facts.stop_building()
        self._indexer.close()
        self.scan.end()
        self.workers.close()
        if self._owns_pool:
            self.workers.pool.close()
        self.facts.close()
        self.kept.close()

    def prepare_each(self, prepare: Callable[[Index], None]) -> None:
        """Call a function with the index of each root, now or when the root is opened."""
        prepare(self)

    def refresh(self, patience: float = 0.5) -> None:
        """Bring the index up to date with the tree; changes of a few files are waited for, ``patience`` seconds."""
        try:
            self._indexer.refresh()
        except RowsDamagedError:
            self.renew()
        except RowsError as error:
            log.warning("a change could not be recorded: %s", error)
        coverage = self.coverage()
        if coverage.files - min(coverage.texts, coverage.symbols) < _FEW:
            self._indexer.wait(patience)

    def renew(self) -> None:
        """Throw a damaged index away and begin anew."""
        self._indexer.renew()

    def wait(self, seconds: float) -> bool:
        """Wait until the index is complete, at most ``seconds``; return whether it is."""
        return self._indexer.wait(seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds``; return whether that is so."""
        return self._indexer.settle(seconds)

    @property
    def root(self) -> Path:
        """Return the root of the tree."""
        return self.tree.root

    @property
    def identity(self) -> str:
        """Return what tells this code base from others."""
        return self.tree.place

    @property
    def title(self) -> str:
        """Return what people call the tree."""
        return self.tree.title

    @property
    def parts(self) -> Sequence[Index]:
        """Return the indexes of single roots that this one is made of."""
        return (self,)

    def of(self, path: str) -> Index:  # noqa: ARG002  there is but one
        """Return the index of the root that holds a path of the tree: names are resolved inside one root."""
        return self

    @property
    def root_names(self) -> RootNames:
        """Return the names of the roots; none where the only one has no name."""
        return RootNames((self.tree.name,) if self.tree.name else ())

    def limited_to(self, roots: Collection[str]) -> Index:  # noqa: ARG002  there is but one
        """Return the index of some of the roots, by their names, whose answers take nothing from the others."""
        return self

    @property
    def opened(self) -> Index:
        """Return the index of the roots that are open."""
        return self

    @property
    def snapshot(self) -> Snapshot:
        """Return what tells the present content of the index from others: what was found in two may not agree."""
        coverage = self.coverage()
        return Snapshot(self.files.state, coverage.texts, coverage.symbols)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Keep the index as it is while an answer is computed, unless that takes long; its scripts are known then."""
        with self._indexer.answers.answer(), knowing_scripts(self.scripts):
            try:
                yield
            finally:
                self.kept.database.release()
                self.facts.release()

    def scripts(self) -> Mapping[str, str]:
        """Return the names of the languages of the scripts that only their first line identifies, by their paths."""
        snapshot = self.snapshot
        kept, scripts = self._scripts
        if kept != snapshot:
            scripts = find_scripts(self)
            self._scripts = snapshot, scripts
        return scripts

    @property
    def watcher(self) -> Watcher:
        """Return what knows of changes in the tree."""
        return self._indexer.watcher

    def coverage(self) -> Coverage:
        """Return how far the index is."""
        files, progress, facts = len(self._indexer.known), self._indexer.files.progress, self._indexer.files.facts
        return Coverage(files, progress.texts, progress.symbols, progress.textual_count, facts.possible, facts.kept)

    def read(self, path: str) -> Source:
        """Read a file; raises a PathError that names the nearest path where there is none."""
        inside = self.paths.locate(path)
        try:
            return self.tree.read(inside)
        except PathNotFound:
            raise PathNotFound(path, self.paths.nearest(inside)) from None

    def try_read(self, path: str) -> Source | None:
        """Read a file; None where that fails for any reason."""
        try:
            return self.tree.read(path)
        except LeadlineError:
            return None


def _start_indexing(index: Index) -> None:
    index._indexer.start()
    index._loading.start()


def _prepare(index: Index) -> None:
    """Load what later questions need."""
    index.names.load()
    index.facts.build_if_wanted()


def _siblings(cache: Path, tree: RootTree, own: Path) -> Siblings | None:
    """Return the indexes of trees with the same contents, this one registered among them; None where there are none."""
    if not tree.contents:
        return None
    siblings = Siblings(index_path(cache, Path(tree.contents), tree.policy.name, _SIBLINGS).with_suffix(""), own)
    siblings.register()
    return siblings


def _facts_path(cache: Path, tree: RootTree) -> Path:
    """Return where the facts of the contents of a tree are kept: in one place for all trees that share them."""
    own = index_path(cache, Path(tree.place), tree.variant, FOLDER)
    if not tree.contents:
        return own
    shared = index_path(cache, Path(tree.contents), tree.policy.name, FOLDER)
    if own.exists() and not shared.exists() and not own.with_name(f"{own.name}-wal").exists():
        with suppress(OSError):  # what an earlier version kept for this tree alone
            own.rename(shared)
    return shared
