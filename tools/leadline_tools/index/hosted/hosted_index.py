"""The index of a ref at one commit: made of what the database has of it, it never changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from leadline_tools.index.changes.watch import Watcher, WatchMode, WatchState
from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.files.file import Columns
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.hosted.blob_form import error_of
from leadline_tools.index.hosted.catalogue import Catalogue
from leadline_tools.index.hosted.hosted_facts import HostedFacts
from leadline_tools.index.hosted.hosted_files import Contents, HostedFiles, HostedTree
from leadline_tools.index.hosted.hosted_reader import BlobRow, HostedReader, RefState
from leadline_tools.index.hosted.manifest import Manifest
from leadline_tools.index.hosted.postgres_rows import PostgresRows
from leadline_tools.index.index import Index
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.indexing.indexer import Indexer
from leadline_tools.index.indexing.known_files import KnownFiles
from leadline_tools.index.indexing.texts import LARGEST_TEXT
from leadline_tools.index.store.rows import Blob, RowsDamagedError
from leadline_tools.index.store.snapshot import AnswerLock
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.tree.walked_files import Walked
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.index.workers.worker_pool import WorkerPool
from leadline_tools.languages import knowing_scripts


class HostedIndex(Index):
    """The index of a ref at the commit that it had when this was made.

    Attributes:
        ref: The ref, with its commit.
        repository: The id of its repository.

    """

    def __init__(
        self,
        reader: HostedReader,
        contents: Contents,
        catalogue: Catalogue,
        ref: RefState,
        pool: WorkerPool,
        policy: SecretPolicy,
        exclude: tuple[str, ...] = (),
        name: str = "",
    ) -> None:
        """Read the manifest of a ref of a catalogue; paths begin with ``name``.

        Raises RowsDamagedError for one that is none.
        """
        self.ref = ref
        self._reader = reader
        with reader.transaction():
            found = catalogue.manifest(ref.id)
            if found is None:
                raise RowsDamagedError(f"{ref.repository}@{ref.name} is not in the database any more")
            _, self.repository, packed = found
            manifest = _unpacked(packed)
            known = reader.blobs(manifest.blobs)
            vocabulary = catalogue.vocabulary(ref.id)
        blobs = [known[blob] for blob in manifest.blobs]
        files = HostedFiles(ref, manifest.paths, blobs, manifest.skipped, contents)
        tree = HostedTree(files, ref, policy, name, exclude)
        walked = tree.walk()
        table = FileTable(LARGEST_TEXT)
        paths = list(map(tree.named, manifest.paths))
        table.fill(_columns(paths, blobs))
        self.tree = tree
        digests, done = [one.digest for one in blobs], [one.done for one in blobs]
        rows = PostgresRows(reader, self.repository, manifest.blobs, digests, done, vocabulary, files.note)
        self.rows = self._rows = rows
        self.workers = RootWorkers(tree, pool)
        self._indexer = _FinishedIndexer(tree, table, walked)
        self.scan = FirstScan(self._indexer)
        self._attach_questions(tree)
        self.facts = HostedFacts(rows, table, self.workers)

    def start(self) -> None:
        """Do nothing: all is indexed."""

    def start_in_background(self) -> None:
        """Do nothing: all is indexed."""

    def close(self) -> None:
        """Want nothing more of the workers."""
        self.dependents.close()
        self.workers.close()

    def refresh(self, patience: float = 0.5) -> None:
        """Do nothing: a ref that has moved has another index."""

    def renew(self) -> None:
        """Do nothing: what is damaged in the database, the indexer has to write anew."""

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Read in one transaction while an answer is computed; the scripts of the tree are known then."""
        with self._reader.transaction(self.repository), knowing_scripts(self.scripts):
            yield

    def paths_of(self, blobs: Iterable[int]) -> Sequence[str]:
        """Return the paths of the files of this ref that have some blobs."""
        return self._indexer.files.paths_of(self._rows.numbers_of(blobs))

    def count_of(self, blobs: Iterable[int]) -> int:
        """Return how many files of this ref have some blobs."""
        return self._rows.count_of(blobs)

    def blob_of(self, number: int) -> int:
        """Return the blob of the file with a number."""
        return self._rows.blob_of(number)

    def keep_packed(self, kind: Blob, number: int, packed: bytes | None) -> None:
        """Keep packed bytes of the file with a number for a while; None where it has none."""
        self._rows.keep_packed(kind, number, packed)

    def coverage(self) -> Coverage:
        """Return how far the index is: all of it is there."""
        progress = self._indexer.files.progress
        files = len(self._indexer.files)
        return Coverage(files, progress.texts, progress.symbols, progress.textual_count)


class _FinishedIndexer(Indexer):
    """What is known of files of which nothing is left to index."""

    def __init__(self, tree: HostedTree, table: FileTable, walked: Walked) -> None:
        self.files = table
        self.known = KnownFiles(tree, table)
        self.walked = walked
        self.answers = AnswerLock()
        self.watcher = _NoWatcher()
        tree.known = table.known

    def wait(self, seconds: float) -> bool:  # noqa: ARG002  there is nothing to wait for
        """Return that every file is indexed."""
        return True

    def settle(self, seconds: float) -> bool:  # noqa: ARG002  there is nothing to wait for
        """Return that nothing is left to write."""
        return True

    @property
    def leading(self) -> bool:
        """Return that this process does not write."""
        return False


class _NoWatcher(Watcher):
    """Watches nothing, since nothing changes."""

    def __init__(self) -> None:
        self._state = WatchState(WatchMode.WATCHING)
        self._walk_seconds = 0.0


def _unpacked(packed: bytes) -> Manifest:
    try:
        return Manifest.unpacked(packed)
    except ValueError as error:
        raise RowsDamagedError(str(error)) from error


def _columns(paths: Sequence[str], blobs: Sequence[BlobRow]) -> Columns:
    """Return what is known of files; their numbers are their places, and their blobs stand for their times."""
    errors = [error_of(path, one.kind, one.size, one.error) for path, one in zip(paths, blobs, strict=True)]
    return Columns(
        range(1, len(paths) + 1),
        paths,
        [one.size for one in blobs],
        [one.id for one in blobs],
        [one.lines for one in blobs],
        [one.digest for one in blobs],
        [one.done for one in blobs],
        errors,
    )
