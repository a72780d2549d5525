"""The files of a commit, as a store: those of the commit that a ref means now."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from weakref import WeakValueDictionary

from leadline_tools.errors import LeadlineError, UnknownCommit
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.tree.commit.objects import Objects
from leadline_tools.index.tree.commit.ref_state import RefState
from leadline_tools.index.tree.commit.repository import Repository, TreeEntry, is_full, short
from leadline_tools.index.tree.stored_tree import StoredFile, StoredListing, StoredTree
from leadline_tools.index.tree.walked_files import Skipped

_LINK, _SUBMODULE, _PROGRAM = "120000", "160000", "100755"
"""Modes of what a tree of git has."""

_NO_NAMES = frozenset({"", ".", "..", ".git"})
"""What no file or folder is called; a tree that someone forged may say otherwise."""

_LONGEST_PATH = 4_096

_GONE = "^0"
"""What tells the state of a commit whose ref is gone: to git it means the same commit."""

_stores: WeakValueDictionary[str, Objects] = WeakValueDictionary()
_stores_lock = threading.Lock()


class CommitStore:
    """The files of the commit that a ref means.

    Args:
        repository: Where it is.
        ref: A branch, a tag, a commit, or an expression such as ``HEAD~3``.

    """

    def __init__(self, repository: Repository, ref: str) -> None:
        """Find the commit. Raises UnknownCommit, and UnusableRepository where there is none at all."""
        self._repository = repository
        self._ref = ref
        self._refs = RefState(repository, ref)
        self._objects = objects_of(repository)
        self._lock = threading.Lock()
        self._read = self._refs.read()
        self._commit = repository.commit(ref)
        self._gone = False

    @property
    def place(self) -> str:
        """Return what identifies the tree: the folder and the ref, as they are given to ``--root``."""
        return f"{self._repository.folder}@{self._ref}"

    @property
    def commit(self) -> str:
        """Return the full name of the commit that was found last."""
        return self._commit

    def state(self) -> str:
        """Return the name of the commit that the ref means now; of the last one where it means none any more."""
        with self._lock:
            read = self._refs.read()
            if read != self._read:
                try:
                    self._commit, self._gone = self._repository.commit(self._ref), False
                except UnknownCommit:
                    self._gone = True
                except LeadlineError:  # git was ended, or the repository is away: the next question asks again
                    return self._name()
                self._read = read
            return self._name()

    def _name(self) -> str:
        return f"{self._commit}{_GONE}" if self._gone else self._commit

    def listing(self) -> StoredListing:
        """Return the files of the commit. Raises UnusableRepository."""
        with self._lock:
            commit, gone, name = self._commit, self._gone, self._name()
        entries = [*self._repository.files(commit)]
        skipped = [Skipped(entry.path, why) for entry in entries if (why := _why_left_out(entry))]
        note = f"commit {short(commit)}"
        if not is_full(self._ref):
            note = f"{note} ({self._ref}, which is gone)" if gone else f"{note} ({self._ref})"
        return StoredListing(name, _files(entries), tuple(skipped), note)

    def read(self, file: StoredFile) -> bytes:
        """Return the content of a file. Raises Unreadable."""
        return self._objects.read(file.key.hex(), file.path, file.size)


def commit_tree(
    folder: Path, ref: str, policy: SecretPolicy | None = None, name: str = "", exclude: tuple[str, ...] = ()
) -> StoredTree:
    """Return the tree of the commit that ``ref`` means in the repository of a folder.

    Raises UnknownCommit and UnusableRepository.
    """
    repository = Repository(folder)
    store, contents = CommitStore(repository, ref), str(repository.shared)
    return StoredTree(store, repository.folder, policy, name, exclude, contents)


def objects_of(repository: Repository) -> Objects:
    """Return the objects of a repository, which all its trees share."""
    with _stores_lock:
        objects = _stores.get(str(repository.shared))
        if objects is None:
            objects = _stores[str(repository.shared)] = Objects(repository)
        return objects


def _files(entries: list[TreeEntry]) -> Iterator[StoredFile]:
    for entry in entries:
        if not _why_left_out(entry):
            yield StoredFile(entry.path, entry.size, bytes.fromhex(entry.name), entry.mode == _PROGRAM)


def _why_left_out(entry: TreeEntry) -> str:
    """Return why an entry is no file; empty for one that is."""
    if entry.mode == _LINK:
        return "symbolic link in a commit"
    if entry.mode == _SUBMODULE:
        return "submodule"
    if len(entry.path) > _LONGEST_PATH or not _NO_NAMES.isdisjoint(entry.path.split("/")):
        return "a name that no file can have"
    return "its object is missing" if entry.kind != "blob" or entry.size < 0 else ""
