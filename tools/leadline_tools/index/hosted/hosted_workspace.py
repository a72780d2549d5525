"""The refs of a database as code bases: one for all callers who may see the same repositories.

Each ref is a root whose name is that of its repository. The ref that is called as its source says first (``main``) has
the name of the repository, each further one a name with ``@`` and its own behind.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from weakref import WeakValueDictionary

from leadline_tools.errors import LeadlineError, NothingVisible
from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.hosted.blob_form import rules_of
from leadline_tools.index.hosted.catalogue import Catalogue
from leadline_tools.index.hosted.hosted_files import Contents
from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.hosted.hosted_reader import HostedReader, RefState
from leadline_tools.index.hosted.joined_refs.joined_refs import HostedJoining, JoinedRefs
from leadline_tools.index.hosted.text.text_engine import TextEngine
from leadline_tools.index.hosted.text.trigram_engine import TrigramEngine
from leadline_tools.index.index import Index
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.index.workspace import Workspace
from leadline_tools.recently_used import RecentlyUsed

_MOST_JOINED = 32
"""Code bases that are kept: those that were asked about last."""


_LOAD_SECONDS = 1.0
"""Seconds after the first question about some refs as they are now, until their names are unpacked: it is answered."""


class NothingHosted(LeadlineError):  # noqa: N818  it is what the state is
    """No ref was indexed by this version and with these options."""

    hint = "Run leadline indexer, with the same --allow-secrets."

    def __init__(self) -> None:
        super().__init__("The database has no repository that this version of Leadline has indexed.")


class HostedRefs:
    """The indexes of the refs of a database, each as it is at present.

    Args:
        reader: What reads the database.
        policy: Which files are secret.
        exclude: Rules of files that are not listed.
        pool: The workers that they share.
        engine: What searches the contents of many of them; the database by default.

    """

    def __init__(
        self,
        reader: HostedReader,
        policy: SecretPolicy,
        exclude: tuple[str, ...],
        pool: WorkerPool,
        engine: TextEngine | None = None,
    ) -> None:
        self._reader = reader
        self._policy = policy
        self._exclude = exclude
        self._pool = pool
        self._contents = Contents(reader)
        self._joining = HostedJoining(reader, self._contents, engine or TrigramEngine(reader))
        self._rules = rules_of(policy)
        self._kept: WeakValueDictionary[tuple[int, int, str], HostedIndex] = WeakValueDictionary()
        self._present = RecentlyUsed[frozenset[str], tuple[int, Sequence[HostedIndex]]](_MOST_JOINED)
        self._lock = threading.Lock()

    def indexes(self, teams: frozenset[str]) -> Sequence[HostedIndex]:
        """Return the indexes of the refs that some teams may see and that were indexed under the rules of this version.

        Those that nobody has moved are the same for all who see them.
        """
        change = self._reader.change()  # before what it counts the changes of
        with self._lock:
            known = self._present.get(teams)
        if known is not None and known[0] == change:
            return known[1]
        found = self._read(teams)
        with self._lock:
            self._present.put(teams, (change, found))
        return found

    def _read(self, teams: frozenset[str]) -> Sequence[HostedIndex]:
        catalogue = Catalogue(self._reader, teams)
        refs = [ref for ref in catalogue.refs() if ref.moves and ref.rules == self._rules]
        names = root_names(refs)
        found = [self._kept.get((ref.id, ref.moves, names[ref.id])) for ref in refs]
        if None not in found:
            return [index for index in found if index is not None]
        with self._lock, self._reader.transaction():
            return [self._index(catalogue, ref, names[ref.id]) for ref in refs]

    def _index(self, catalogue: Catalogue, ref: RefState, name: str) -> HostedIndex:
        """Return the index of a ref, made where there is none; the caller has the lock."""
        key = ref.id, ref.moves, name
        known = self._kept.get(key)
        if known is None:
            known = HostedIndex(
                self._reader, self._contents, catalogue, ref, self._pool, self._policy, self._exclude, name
            )
            self._kept[key] = known
        return known

    def join(self, indexes: Sequence[HostedIndex]) -> JoinedRefs:
        """Return some indexes as one code base."""
        return JoinedRefs(indexes, joining=self._joining)

    def has_repository(self, name: str) -> bool:
        """Return whether there is a repository of a name, whoever may see it."""
        return self._reader.has_repository(name)

    def looks(self) -> tuple[int, float]:
        """Return how many repositories an indexer follows, and the seconds since the last of them was looked at."""
        return self._reader.looks()

    def count_files(self) -> tuple[int, int]:
        """Return how many refs were indexed under the rules of this version, and their files, whoever may see them."""
        return self._reader.count_files(self._rules)


def root_names(refs: Sequence[RefState]) -> Mapping[int, str]:
    """Return the names of the roots that refs are, by their ids: the first ref of a repository has no ``@``.

    None begins another: of the branches ``v1`` and ``v1/src``, the second would be the folder ``src`` of the first.
    """
    names: dict[int, str] = {}
    first: dict[str, int] = {}
    for ref in sorted(refs, key=lambda ref: ref.id):
        alone = first.setdefault(ref.repository, ref.id) == ref.id
        names[ref.id] = ref.repository if alone else f"{ref.repository}@{ref.name}"
    taken = frozenset(names.values())
    return {ref: _outside_of_others(name, taken) for ref, name in names.items()}


def _outside_of_others(name: str, taken: Collection[str]) -> str:
    """Return the name of a root with ``~``, which neither repositories nor refs have, for slashes behind another's."""
    above = next((name[:at] for at, letter in enumerate(name) if letter == "/" and name[:at] in taken), None)
    return name if above is None else above + name[len(above) :].replace("/", "~")


class HostedWorkspace(Workspace):
    """What a database hosts. It has no roots of its own: whoever asks gets a workspace of those that they may see.

    A question is about the refs as they were at its start: the workspace of a caller never changes, and the next
    question gets another one where a ref has moved.
    """

    def __init__(self, refs: HostedRefs, pool: WorkerPool, closed: Callable[[], None] = lambda: None) -> None:
        """Take what knows the refs, the ``pool`` of workers that they share, and what is called at the end.

        Raises NothingHosted.
        """
        if not refs.count_files()[0]:
            raise NothingHosted
        super().__init__(())
        self._refs = refs
        self._pool = pool
        self._closed = closed
        self._joined = RecentlyUsed[tuple[str, ...], tuple[Sequence[HostedIndex], Workspace]](_MOST_JOINED)
        self._joined_lock = threading.Lock()

    def visible_to(self, teams: frozenset[str]) -> Index:
        """Return the refs that some teams may see as they are now; raises NothingVisible, and DatabaseError."""
        indexes = self._refs.indexes(teams)
        if not indexes:
            raise NothingVisible
        names = tuple(index.tree.name for index in indexes)
        with self._joined_lock:
            kept = self._joined.get(names)
            if kept is None or list(kept[0]) != list(indexes):
                kept = indexes, self._refs.join(indexes)
                self._joined.put(names, kept)
                loading = threading.Timer(_LOAD_SECONDS, kept[1].names.load)
                loading.name, loading.daemon = "leadline-names", True
                loading.start()
        return kept[1]

    def has_repository(self, name: str) -> bool:
        """Return whether there is a repository of a name, whoever may see it: for webhooks, which no caller sees."""
        return self._refs.has_repository(name)

    def totals(self) -> Coverage:
        """Return how many files there are, whoever may see them: all are indexed."""
        files = self._refs.count_files()[1]
        return Coverage(files, files, files)

    def looks(self) -> tuple[int, float]:
        """Return how many repositories are followed, and the seconds since the last of them was looked at."""
        return self._refs.looks()

    def prepare_each(self, prepare: Callable[[Index], None]) -> None:
        """Prepare nothing: no language server can read what is on no disk."""

    def close(self) -> None:
        """End the workers."""
        super().close()
        self._pool.close()
        self._closed()
