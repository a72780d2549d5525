"""Several roots as one code base: each has an index of its own, and its name is the first segment of every path.

What is asked of all of it (files, words, names) is asked of each root and put together; what is asked of a path goes
to its root: see ``joined_index``. Names are resolved inside one root (``Index.of``): two roots are two repositories,
and may be two states of the same one, in which each name has two meanings that have nothing to do with each other.
``open_roots`` says which roots are open.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, reduce
from pathlib import Path

from leadline_tools.errors import NotOnDisk, PathNotFound
from leadline_tools.index.changes.watch import Watcher
from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.index import Dependents, Index
from leadline_tools.index.joined_index import JoinedFacts, JoinedUnlisted, Joining, Parts
from leadline_tools.index.open_roots import OpenRoots
from leadline_tools.index.paths.path_lookup import PathLookup
from leadline_tools.index.paths.root_names import RootNames
from leadline_tools.index.questions.names import Names
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.languages import knowing_scripts
from leadline_tools.likeness import nearest
from leadline_tools.recently_used import RecentlyUsed

_BREADTH = 2
"""How many times as many files with a name are looked into as are listed: of many roots, each has other likely ones."""

_MOST_LIMITED = 32
"""Choices of roots that were asked about last and are kept, with the paths of each."""


class Workspace(Index):
    """The indexes of several roots, as one.

    What one is made of (``root``, ``rows``, ``workers``, ``includes``, ``related``, ``imports``,
    ``graphs``) only its ``parts`` have.

    A question opens the roots that it is about. Outside of questions, what a workspace says of the state of its index
    (``coverage``, ``scan``, ``watcher``, ``facts``) is that of the roots that are open.
    """

    def __init__(
        self,
        roots: OpenRoots | Sequence[Index],
        pool: WorkerPool | None = None,
        names: Collection[str] | None = None,
        joining: Joining | None = None,
    ) -> None:
        """Take roots, or open indexes whose trees have names, each another one.

        ``pool`` are the workers that open indexes share. With ``names`` it is the workspace of these roots alone, as a
        question asks it. ``joining`` makes what answers for several roots.
        """
        self._roots = roots if isinstance(roots, OpenRoots) else OpenRoots.always_open(roots, pool)
        self._limited = RecentlyUsed[frozenset[str], Workspace](_MOST_LIMITED)
        self._kept_opened: tuple[int, Index] | None = None
        self._lock = threading.Lock()
        self._parts = Parts(self._roots, self._roots.names if names is None else names, whole=names is None)
        self._joining = joining = joining or Joining()
        self.tree = joining.tree(self._parts)
        self.scan = joining.scans(self._parts)
        self.files = joining.files(self._parts, self.tree)
        self.unlisted = JoinedUnlisted(self._parts)
        self.paths = _WorkspacePaths(self)
        self.words = joining.words(self._parts)
        self.symbols = joining.symbols(self._parts, self.of)
        self.defined_names = joining.defined_names(self._parts)
        self.names = Names(self, self.defined_names, _BREADTH)
        self.facts = JoinedFacts(self._parts)
        self.dependents = Dependents()
        if names is None:
            self._roots.when_closed(self._forget_limited)

    def _forget_limited(self) -> None:
        """Let go of the choices of roots: they keep the paths and the names of roots that are closed."""
        with self._lock:
            self._limited.clear()
            self._kept_opened = None

    @property
    def parts(self) -> Sequence[Index]:
        """Return the indexes of the roots, by name."""
        return self._parts.all

    @property
    def opened(self) -> Index:
        """Return the index of the roots that are open; of the first root if none is."""
        changes = self._roots.changes  # before what it counts the changes of
        kept = self._kept_opened
        if kept is None or kept[0] != changes:
            kept = self._kept_opened = changes, self.limited_to(self.open_names or self._parts.names[:1])
        return kept[1]

    @property
    def open_names(self) -> Sequence[str]:
        """Return the names of the roots that are open."""
        return [name for name in self._parts.names if self._roots.is_open(name)]

    def of(self, path: str) -> Index:
        """Return the index of the root that holds a path of the tree; raises PathNotFound where none does."""
        part = self._parts.at(path)
        if part is None:
            raise PathNotFound(path, self.paths.nearest(path))
        return part

    @property
    def root_names(self) -> RootNames:
        """Return the names of the roots."""
        return self._parts.known

    def limited_to(self, roots: Collection[str]) -> Index:
        """Return the index of some of the roots, by their names, whose answers take nothing from the others."""
        wanted = frozenset(roots)
        if not self._parts.is_whole and wanted == self._parts.known.all:
            return self
        with self._lock:
            limited = self._limited.get(wanted)
            if limited is None:
                limited = type(self)(self._roots, names=wanted, joining=self._joining)
                self._limited.put(wanted, limited)
        return limited

    def prepare_each(self, prepare: Callable[[Index], None]) -> None:
        """Call a function with the index of each root, now or when the root is opened."""
        self._roots.prepare_each(prepare)

    def start(self) -> None:
        """Look at the trees of the open roots, and begin to index what is new or changed in them."""
        self._roots.start(lambda part: part.start())

    def start_in_background(self) -> None:
        """Do the same in the background, as each root does; roots that are opened later start so too."""
        self._roots.start(lambda part: part.start_in_background())

    def close(self) -> None:
        """End the workers and close the databases."""
        self.dependents.close()
        self._roots.close()

    def refresh(self, patience: float = 0.5) -> None:
        """Bring the indexes up to date; changes of a few files are waited for, ``patience`` seconds in all."""
        until = time.monotonic() + patience
        for part in self._parts.current:
            part.refresh(max(0.0, until - time.monotonic()))

    def renew(self) -> None:
        """Throw the indexes away, one of which is damaged, and begin anew."""
        for part in self._parts.current:
            part.renew()

    def wait(self, seconds: float) -> bool:
        """Wait until the indexes are complete, at most ``seconds`` in all; return whether they are."""
        return self._parts.all_in_time(lambda part, left: part.wait(left), seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds`` in all; return whether they are."""
        return self._parts.all_in_time(lambda part, left: part.settle(left), seconds)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Keep the indexes open and as they are while an answer is computed, unless that takes long."""
        with self._roots.answering(), ExitStack() as answers:
            for part in self._parts.current:
                answers.enter_context(part.answering())
            # Asked for with each path of no known ending: to put those of 200 roots together takes a millisecond.
            answers.enter_context(knowing_scripts(cache(self.scripts)))
            yield

    def scripts(self) -> Mapping[str, str]:
        """Return the names of the languages of the scripts that only their first line identifies, by their paths."""
        return {path: language for part in self._parts.current for path, language in part.scripts().items()}

    @property
    def identity(self) -> str:
        """Return what tells these roots from others: their names and folders."""
        return ";".join(f"{name}={self._roots.tree(name).place}" for name in self._parts.names)

    @property
    def title(self) -> str:
        """Return what people call the roots."""
        return " + ".join(self._parts.names)

    @property
    def watcher(self) -> Watcher:
        """Return the watcher that may be furthest behind."""
        watchers = [part.watcher for part in self._parts.current]
        return max(watchers, key=lambda watcher: watcher.lag) if watchers else self._unused_watcher()

    def coverage(self) -> Coverage:
        """Return how far the indexes are."""
        return reduce(Coverage.with_, (part.coverage() for part in self._parts.current), Coverage(0, 0, 0))

    def _unused_watcher(self) -> Watcher:
        """Return a watcher that was never started, and so is behind nothing."""
        tree = self._roots.tree(self._parts.names[0])
        if not isinstance(tree, RootTree):  # pragma: no cover  (the tree of one root)
            raise TypeError(tree)
        return Watcher(tree, lambda _path: False)


class _WorkspacePaths(PathLookup):
    """What the paths of several roots mean."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace.tree, workspace.files, workspace.unlisted, workspace.scan)
        self._workspace = workspace

    def nearest(self, path: str) -> str | None:
        """Return the path that was probably meant: of a root with a similar name, else in an open one."""
        names = self._workspace.root_names
        segments, length = path.split("/"), max(name.count("/") + 1 for name in names)
        root = nearest("/".join(segments[:length]), names)
        meant = "/".join((root, *segments[length:])) if root is not None else None
        if meant is not None and meant != path and self._is_there(meant):
            return meant
        opened = self._workspace.open_names
        if len(opened) == len(names):
            return super().nearest(path)
        return (self._workspace.limited_to(opened).paths.nearest(path) if opened else None) or root

    def _is_there(self, path: str) -> bool:
        """Return whether there is a file or folder at a path; roots on the disk need not be open for it."""
        try:
            return Path(self._tree.on_disk(path)).exists()
        except NotOnDisk:
            return self.exists(path) or self._files.has_folder(path)
