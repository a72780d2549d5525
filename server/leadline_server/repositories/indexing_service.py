"""The indexing service: it keeps the index of a shared server true to its sources."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence

from leadline_server.errors import CodeHostFailed, CodeHostRefused
from leadline_server.repositories.code_hosts import list_repositories
from leadline_server.repositories.indexing import IndexedRef, RepositoryIndexer
from leadline_server.repositories.sources import HostSource, RepositorySource, Sources
from leadline_tools.index.hosted.writing.collector import Collected

log = logging.getLogger("leadline.indexer")

ListOwner = Callable[[HostSource], Iterator[RepositorySource]]


class IndexingService:
    """Knows the repositories of some sources, and indexes them.

    Args:
        sources: The sources.
        indexer: What indexes one repository.
        list_owner: Lists the repositories of an owner on a code host.

    """

    def __init__(self, sources: Sources, indexer: RepositoryIndexer, list_owner: ListOwner = list_repositories) -> None:
        self._sources = sources
        self._indexer = indexer
        self._list_owner = list_owner
        self._listed: dict[int, Sequence[RepositorySource]] = {}
        self._known: Mapping[str, RepositorySource] = {}
        self._hidden: frozenset[str] = frozenset()
        self._is_complete = False

    def repositories(self) -> Mapping[str, RepositorySource]:
        """Request the lists of all code hosts; return the repositories by their names, those of the file first.

        Of a host that fails, the repositories that it listed before stay; the log has the reason. From now on the
        repositories are seen by the teams that the sources name. Raises DatabaseError.
        """
        complete, self._is_complete = True, False
        for number, owner in enumerate((*self._sources.github, *self._sources.gitlab)):
            try:
                self._listed[number] = [*self._list_owner(owner)]
            except (CodeHostFailed, CodeHostRefused) as error:
                log.warning("%s", error)
                complete = False
        found: dict[str, RepositorySource] = {}
        for one in (*self._sources.repository, *(one for listed in self._listed.values() for one in listed)):
            found.setdefault(one.title, one)
        self._known, self._is_complete = found, complete
        self._indexer.set_teams(
            {name: self._sources.teams_of(one) for name, one in found.items()},
            hides_others=complete and self._sources.name_teams,
        )
        self._warn_of_hidden(found)
        return found

    def index(self, name: str) -> Iterator[IndexedRef]:
        """Yield each ref of a repository once it is indexed; none for a name that no source has.

        Raises MirrorFailed, UnusableRepository, and DatabaseError.
        """
        source = self._known.get(name) or self.repositories().get(name)
        if source is None:
            log.warning("no source has the repository %s", name)
            return
        yield from self._indexer.index_whole_repository(source, self._sources.teams_of(source))

    def collect(self) -> Collected:
        """Delete what nothing has for a day: refs, repositories that left all sources, contents. Raises DatabaseError.

        Where a code host could not be listed last, nobody knows which repositories left: these stay.
        """
        collected = self._indexer.collect(self._known.keys() if self._is_complete else None)
        log.info(
            "collected %d repositories, %d contents that a repository has lost, %d that none has, %d facts", *collected
        )
        return collected

    def _warn_of_hidden(self, found: Mapping[str, RepositorySource]) -> None:
        """Note in the log what nobody can see, when that changes."""
        hidden = frozenset(name for name, one in found.items() if not self._sources.teams_of(one))
        for name in sorted(hidden - self._hidden):
            log.warning("%s has no teams, and other repositories have: nobody can see it", name)
        self._hidden = hidden
