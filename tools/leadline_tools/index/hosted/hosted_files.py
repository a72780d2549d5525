"""The files of a ref as a tree has them: what keeps them is the database."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from leadline_tools.errors import SecretFile, Unreadable
from leadline_tools.index.hosted.blob_form import ContentKind
from leadline_tools.index.hosted.hosted_reader import BlobRow, HostedReader, RefState
from leadline_tools.index.hosted.read_ahead import MOST_BYTES, ReadAhead, SizedBlob
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.tree.commit.repository import short
from leadline_tools.index.tree.source import LIMIT, Reader
from leadline_tools.index.tree.stored_tree import StoredFile, StoredListing, StoredTree
from leadline_tools.index.tree.walked_files import Skipped

_MOST_BYTES = 64 << 20
"""Bytes of contents that a process keeps: those that were read last."""

_NO_TEXT = b"\0"
"""What stands for a content that is no text: it is one byte that no text has."""


class Contents:
    """The contents of blobs, those that were read last kept; safe to use from several threads."""

    def __init__(self, reader: HostedReader) -> None:
        self._reader = reader
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._size = 0
        self._ahead = ReadAhead()
        self._lock = threading.Lock()

    def note(self, blobs: Sequence[SizedBlob]) -> None:
        """Remember that some blobs were found together: see ``ReadAhead``."""
        self._ahead.note(blobs)

    def get(self, blob: int) -> bytes | None:
        """Return the bytes of a blob, and have at hand what is probably read next; None where it is gone."""
        with self._lock:
            kept = self._kept.get(blob)
            if kept is not None:
                self._kept.move_to_end(blob)
                return kept
        self.fetch(self._ahead.beside(blob, self._kept.__contains__))
        with self._lock:
            return self._kept.get(blob)

    def fetch(self, blobs: Iterable[int]) -> None:
        """Have the bytes of some blobs at hand, which are read together."""
        with self._lock:
            missing = [blob for blob in blobs if blob not in self._kept]
        found = self._reader.contents(missing) if missing else {}
        for blob in reversed(missing):  # the first is the one that is wanted: it goes last
            if (body := found.get(blob)) is None:
                continue
            with self._lock:
                if blob not in self._kept:
                    self._kept[blob] = body
                    self._size += len(body)
                while self._size > _MOST_BYTES and len(self._kept) > 1:
                    self._size -= len(self._kept.popitem(last=False)[1])


class HostedFiles:
    """The files of one ref at one commit; a ``FileStore`` whose state never changes.

    Args:
        ref: The ref.
        paths: The paths of its files.
        blobs: What is known of the content of each.
        skipped: What of the tree is not listed.
        contents: What reads contents.

    """

    def __init__(
        self,
        ref: RefState,
        paths: Sequence[str],
        blobs: Sequence[BlobRow],
        skipped: Sequence[Skipped],
        contents: Contents,
    ) -> None:
        self._ref = ref
        self._files = [StoredFile(path, one.size, _key(one.id)) for path, one in zip(paths, blobs, strict=True)]
        self._kinds = {one.id: one.kind for one in blobs if one.kind != ContentKind.Text}
        self._skipped = tuple(skipped)
        self._contents = contents

    @property
    def place(self) -> str:
        """Return what identifies the tree among all that there are."""
        return f"{self._ref.repository}@{self._ref.name}"

    def state(self) -> str:
        """Return what names the state, which is the only one."""
        return f"{self._ref.id}-{self._ref.moves}"

    def listing(self) -> StoredListing:
        """Return the files."""
        commit = short(self._ref.commit)
        note = f"commit {commit}" if self._ref.name.startswith(commit) else f"commit {commit} ({self._ref.name})"
        return StoredListing(self.state(), self._files, self._skipped, note)

    def read(self, file: StoredFile) -> bytes:
        """Return the content of a file; raises SecretFile, and Unreadable for one that is gone."""
        blob = _blob(file.key)
        kind = self._kinds.get(blob)
        if kind == ContentKind.Binary:
            return _NO_TEXT
        if kind == ContentKind.Secret:
            raise SecretFile(file.path)
        content = self._contents.get(blob)
        if content is None:
            raise Unreadable(file.path, "its content is not in the database any more")
        return content

    def note(self, numbers: Iterable[int]) -> None:
        """Remember that the files with some numbers, which are their places from 1, were found together."""
        files = (self._files[number - 1] for number in numbers)
        found = (SizedBlob(_blob(file.key), file.size) for file in files if file.size <= MOST_BYTES)
        self._contents.note([one for one in found if one.id and one.id not in self._kinds])

    def blob_of(self, file: StoredFile) -> int | None:
        """Return the blob of a file that is a text; None for any other."""
        blob = _blob(file.key)
        return None if blob in self._kinds else blob

    def fetch(self, blobs: Iterable[int | None]) -> None:
        """Have the contents of some texts at hand, which are read together; None stands for no text."""
        self._contents.fetch(blob for blob in blobs if blob is not None)


def _key(blob: int) -> bytes:
    """Return the key of a blob: a tree takes all but its last bit for a time, see ``ListedFile``."""
    return (blob << 1).to_bytes(8, "big")


def _blob(key: bytes) -> int:
    return int.from_bytes(key, "big") >> 1


class HostedTree(StoredTree):
    """The tree of a ref at one commit."""

    def __init__(
        self, files: HostedFiles, ref: RefState, policy: SecretPolicy, name: str, exclude: tuple[str, ...]
    ) -> None:
        super().__init__(files, Path(), policy, name, exclude)
        self._files = files
        self._ref = ref

    @property
    def repository_folder(self) -> Path | None:
        """Return that no folder has its commits: the folder in which the server was started has others."""
        return None

    def blob_of(self, path: str) -> int | None:
        """Return the blob of the text at a path of this tree; None where there is none."""
        file = self.find(self.bare(path))
        return None if file is None else self._files.blob_of(file)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give what reads many files one after the other."""
        with super().reading() as reader:
            yield _ContentReader(self, self._files, reader)

    @property
    def age(self) -> float:
        """Return how many seconds ago the commit was indexed."""
        return (datetime.now(UTC) - self._ref.indexed_at).total_seconds()


class _ContentReader(Reader):
    """Reads files of a ref; those that come next are read together."""

    def __init__(self, tree: HostedTree, files: HostedFiles, reader: Reader) -> None:
        super().__init__(tree)
        self._hosted = tree
        self._files = files
        self._reader = reader

    def fetch(self, paths: Sequence[str]) -> None:
        """Have the contents of some files at hand."""
        self._files.fetch(map(self._hosted.blob_of, paths))

    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file of the tree; None where it cannot be read, or is larger."""
        return self._reader.raw(path, limit)
