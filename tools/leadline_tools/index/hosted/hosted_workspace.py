"""The refs of a database as one code base: each is a root whose name is that of its repository.

The ref that is called as its source says first (``main``) has the name of the repository, each further one a name with
``@`` and its own behind.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence

from leadline_tools.errors import LeadlineError
from leadline_tools.index.hosted.blob_form import rules_of
from leadline_tools.index.hosted.hosted_files import Contents
from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.hosted.hosted_reader import HostedReader, RefState
from leadline_tools.index.index import Index
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.index.workspace import Workspace


class NothingHosted(LeadlineError):  # noqa: N818  it is what the state is
    """No ref was indexed by this version and with these options."""

    hint = "Run leadline indexer, with the same --allow-secrets."

    def __init__(self) -> None:
        super().__init__("The database has no repository that this version of Leadline has indexed.")


class HostedRefs:
    """The indexes of the refs of a database, each as it is at present."""

    def __init__(self, reading: HostedReader, policy: SecretPolicy, exclude: tuple[str, ...], pool: WorkerPool) -> None:
        self._reading = reading
        self._policy = policy
        self._exclude = exclude
        self._pool = pool
        self._contents = Contents(reading)
        self._rules = rules_of(policy)
        self._kept: dict[tuple[int, int], HostedIndex] = {}
        self._lock = threading.Lock()

    def indexes(self) -> Sequence[HostedIndex]:
        """Return the indexes of all refs that were indexed under the rules of this version; those that stay are kept.

        Raises NothingHosted where there is none.
        """
        refs = [ref for ref in self._reading.refs() if ref.moves and ref.rules == self._rules]
        if not refs:
            raise NothingHosted
        names = root_names(refs)
        with self._lock:
            kept = {}
            for ref in refs:
                key = ref.id, ref.moves
                known = self._kept.get(key)
                kept[key] = known or HostedIndex(
                    self._reading, self._contents, ref, self._pool, self._policy, self._exclude, names[ref.id]
                )
            self._kept = kept
            return list(kept.values())


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
    """The refs of a database, followed as they move; each question is about them as they were at its start."""

    def __init__(self, refs: HostedRefs, pool: WorkerPool, closed: Callable[[], None] = lambda: None) -> None:
        """Take what knows the refs, the ``pool`` of workers that they share, and what is called at the end.

        Raises NothingHosted.
        """
        self._refs = refs
        self._pool = pool
        self._closed = closed
        self._set_indexes(refs.indexes())

    def _set_indexes(self, indexes: Sequence[HostedIndex]) -> None:
        self._indexes = indexes
        super().__init__(indexes)
        self._present = Workspace(indexes)  # which nothing changes

    @property
    def root_names(self) -> Collection[str]:
        """Return the names of the roots that there are now."""
        indexes = self._refs.indexes()
        if list(indexes) != list(self._indexes):
            self._set_indexes(indexes)
        return super().root_names

    def limited_to(self, roots: Collection[str]) -> Index:
        """Return the index of some of the roots as they are now: no ref that moves changes it."""
        present = self._present
        return present.limited_to(frozenset(present.root_names).intersection(roots))

    def prepare_each(self, prepare: Callable[[Index], None]) -> None:
        """Prepare nothing: no language server can read what is on no disk."""

    def close(self) -> None:
        """End the workers."""
        super().close()
        self._pool.close()
        self._closed()
