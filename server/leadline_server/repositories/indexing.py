"""The indexing of repositories: from where one is to the refs of the hosted index.

A repository on this disk is read where it is, as are all commits: from its objects, without a checkout. Any other is
fetched into a mirror first.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from leadline_server.errors import BadSources
from leadline_server.repositories.git_mirrors import GitMirror
from leadline_server.repositories.sources import RepositorySource
from leadline_server.repositories.zoekt_engine import ZoektEngine
from leadline_tools.database.address import DatabaseAddress
from leadline_tools.database.migrations import check
from leadline_tools.database.pool import DatabasePool
from leadline_tools.index.hosted.area import AREA
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.hosted_workspace import HostedRefs, HostedWorkspace
from leadline_tools.index.hosted.text.trigram_engine import TrigramEngine
from leadline_tools.index.hosted.writing.collector import Collected, Collector
from leadline_tools.index.hosted.writing.ref_writer import RefUpdate, RefWriter
from leadline_tools.index.hosted.writing.repository_teams import Teams, set_teams
from leadline_tools.index.hosted.writing.repository_writer import RefTaken, writing
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.tree.commit.commit_store import CommitStore
from leadline_tools.index.tree.commit.repository import Repository
from leadline_tools.index.tree.stored_tree import StoredTree
from leadline_tools.index.workers.worker_pool import WorkerPool

log = logging.getLogger("leadline.indexer")

_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)*")

_CONNECTIONS = 6
"""Connections of a replica to its index: a question has one while it reads."""


class SourceRef(NamedTuple):
    """A ref that is to be indexed, as a person writes it.

    Args:
        name: The name of the repository, with which paths begin.
        place: A folder of this machine, or an address of git.
        ref: A branch, tag or commit; empty for the default branch.

    """

    name: str
    place: str
    ref: str

    @classmethod
    def parse(cls, written: str) -> SourceRef:
        """Return what ``NAME=PATH_OR_URL[@REF]`` means; raises ValueError for anything else."""
        name, equals, rest = written.partition("=")
        if not equals or not rest or not _NAME.fullmatch(name):
            raise ValueError(
                "write NAME=PATH_OR_URL[@REF], such as github.com/acme/shop=https://github.com/acme/shop@main"
            )
        place, at, ref = rest.rpartition("@")
        inside = place.partition("://")[2] if "://" in place else place  # before its first slash @ ends a user
        is_ref = bool(at and ref) and "/" in inside and ":" not in ref and not Path(rest).is_dir()
        return cls(name, place, ref) if is_ref else cls(name, rest, "")


class IndexedRef(NamedTuple):
    """A ref that was brought to a commit, and what that took."""

    name: str
    ref: str
    commit: str
    update: RefUpdate


@dataclass(frozen=True, slots=True)
class RepositoryIndexer:
    """Indexes repositories in a database.

    Args:
        pool: The connections.
        workers: What parses files.
        mirrors: The folder of mirrors.
        policy: Which files are secret.
        exclude: Rules of files that are not listed.

    """

    pool: DatabasePool
    workers: WorkerPool
    mirrors: Path
    policy: SecretPolicy
    exclude: tuple[str, ...]

    def index(self, source: SourceRef) -> Iterator[IndexedRef]:
        """Yield each ref of a source once it is indexed.

        Raises BadSources for an address that git must not get, MirrorFailed, UnknownCommit, UnusableRepository, and
        DatabaseError.
        """
        folder = Path(source.place).expanduser()
        if folder.is_dir():
            yield self._index_commit(source.name, source.place, folder, source.ref or "HEAD", source.ref or "HEAD")
            return
        try:
            remote = RepositorySource(url=source.place, name=source.name, refs=(source.ref,) if source.ref else ())
        except ValidationError as error:
            raise BadSources(None, error.errors()[0]["msg"]) from None
        yield from self.index_repository(remote)

    def index_repository(self, source: RepositorySource, teams: Collection[str] | None = None) -> Iterator[IndexedRef]:
        """Fetch a repository into its mirror, and yield each of its refs once it is indexed.

        ``teams`` are those that may see it; see ``writing`` for what is without them.

        Raises MirrorFailed, UnusableRepository, and DatabaseError.
        """
        mirror = GitMirror(self.mirrors, source)
        for ref, commit in mirror.update().items():
            yield self._index_commit(source.title, source.url, mirror.path, commit, ref, teams)

    def index_whole_repository(self, source: RepositorySource, teams: Collection[str]) -> Iterator[IndexedRef]:
        """Do the same, and delete the refs that the repository does not have any more, or that are not wanted."""
        indexed: list[str] = []
        for one in self.index_repository(source, teams):
            indexed.append(one.ref)
            yield one
        with writing(self.pool, source.title, source.url, teams) as into:
            for ref in into.keep_refs(indexed):
                log.info("%s has no %s any more", source.title, ref)
            into.note_look()

    def collect(self, listed: Collection[str] | None = None, collector: Collector | None = None) -> Collected:
        """Delete what nothing has any more; see ``Collector``. Raises DatabaseError.

        ``listed`` are the repositories of all sources, if all could be listed: the refs of those that left a day ago
        are deleted too.
        """
        collector = collector or Collector(self.pool)
        for name in collector.note_listed(listed) if listed is not None else ():
            with suppress(RefTaken), writing(self.pool, name, "", ()) as into:
                into.keep_refs(())
                log.info("no source lists %s any more", name)
        return collector.collect()

    def set_teams(self, teams: Teams, *, hides_others: bool) -> None:
        """Set the teams that may see repositories, by name; see ``repository_teams``. Raises DatabaseError."""
        set_teams(self.pool, teams, hides_others=hides_others)

    def _index_commit(
        self, name: str, place: str, folder: Path, commit: str, ref: str, teams: Collection[str] | None = None
    ) -> IndexedRef:
        repository = Repository(folder)
        store = CommitStore(repository, commit)
        tree = StoredTree(store, repository.folder, self.policy, "", self.exclude)
        with writing(self.pool, name, place, teams) as into:
            update = RefWriter(into, self.workers).update(ref, store.commit, tree)
        return IndexedRef(name, ref, store.commit, update)


@contextmanager
def repository_indexer(
    address: DatabaseAddress, mirrors: Path, policy: SecretPolicy, exclude: tuple[str, ...]
) -> Iterator[RepositoryIndexer]:
    """Give what indexes repositories; raises DatabaseError where the database cannot be used."""
    check(address, (AREA,))
    with ExitStack() as closing:
        pool = DatabasePool(address, most=2, name="leadline indexer")
        closing.callback(pool.close)
        workers = WorkerPool()
        closing.callback(workers.close)
        yield RepositoryIndexer(pool, workers, mirrors, policy, exclude)


def hosted_index(
    address: DatabaseAddress, policy: SecretPolicy, exclude: tuple[str, ...], zoekt: str = ""
) -> HostedWorkspace:
    """Return the index of all refs of a database; raises DatabaseError, and NothingHosted where there is none.

    With the URL of a ``zoekt`` server, texts are searched for there.
    """
    check(address, (AREA,))
    pool, workers = DatabasePool(address, most=_CONNECTIONS, name="leadline index"), WorkerPool()
    try:
        reader = HostedReader(pool)
        engine = ZoektEngine(zoekt, reader, TrigramEngine(reader)) if zoekt else None
        return HostedWorkspace(HostedRefs(reader, policy, exclude, workers, engine), workers, pool.close)
    except BaseException:
        workers.close()
        pool.close()
        raise
