"""The files of a tree that differ from a commit, with uncommitted changes where the tree is on the disk.

git would read the files of a work tree through filters that the repository names. So it is asked only for what a commit
and its own index have; a file that is not as git saw it last is read and hashed here.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from leadline_tools.errors import LeadlineError, UnknownCommit, UnusableRepository
from leadline_tools.index.text.source_text import is_binary, normal_text
from leadline_tools.index.tree.commit.commit_store import objects_of
from leadline_tools.index.tree.commit.line_changes import EVERYTHING, ChangedLines, changed_lines
from leadline_tools.index.tree.commit.repository import Repository, StagedFile
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.source import LIMIT, Reader, Tree
from leadline_tools.index.tree.stored_tree import StoredTree
from leadline_tools.index.tree.walked_files import ListedFile

_BLOB = "blob"


class _Blob(NamedTuple):
    """The content of a file in a commit: the name of the object, and its bytes."""

    name: str
    size: int


class ChangedFiles:
    """What a tree has changed since it went apart from a commit.

    Attributes:
        base: The full name of the commit that it is compared with.
        paths: The files that are new or different, as the tree names them.
        added: How many of them are new.
        deleted: How many files of that commit are gone.

    """

    def __init__(self, tree: Tree, ref: str, listed: Iterable[ListedFile]) -> None:
        """Compare the ``listed`` files of a tree, by their bare paths, with the merge base of ``ref`` and its commit.

        Raises UnknownCommit and UnusableRepository.
        """
        self._tree = tree
        self._repository = repository = repository_of(tree)
        self.base = _merge_base(repository, tree, ref)
        self._before = _files_of(repository, self.base)
        staged = repository.staged() if isinstance(tree, DiskTree) else {}
        self.paths: dict[str, None] = {}
        self.added = 0
        seen: set[str] = set()
        with tree.reading() as reader:
            for file in listed:
                seen.add(file.path)
                before = self._before.get(file.path)
                if before is None or not self._is_same(reader, file, before, staged.get(file.path)):
                    self.paths[tree.named(file.path)] = None
                    self.added += before is None
        gone = (path for path in self._before if path not in seen)
        self.deleted = sum(not _is_there(tree, path) for path in gone)

    def _is_same(self, reader: Reader, file: ListedFile, before: _Blob, staged: StagedFile | None) -> bool:
        """Return whether a file holds what it held."""
        if isinstance(self._tree, StoredTree):
            stored = self._tree.find(file.path)
            return stored is not None and stored.key.hex() == before.name
        if staged is not None and (staged.size, staged.changed_ns) == (file.size, file.changed_ns):
            return staged.name == before.name
        raw = reader.raw(self._tree.named(file.path))
        if raw is None:  # a secret, or what cannot be read
            return file.size == before.size
        return before.name in {_name(raw, before.name), _name(raw.replace(b"\r\n", b"\n"), before.name)}

    def lines(self, path: str) -> ChangedLines:
        """Return which lines of a changed file are new; all where that cannot be told."""
        before = self._before.get(self._tree.bare(path))
        if before is None or before.size > LIMIT:
            return EVERYTHING
        try:
            old = objects_of(self._repository).read(before.name, path, before.size)
            new = self._tree.read_raw(path)
        except LeadlineError:
            return EVERYTHING
        if is_binary(old) or is_binary(new):
            return EVERYTHING
        return changed_lines(normal_text(old)[0], normal_text(new)[0])


def repository_of(tree: Tree) -> Repository:
    """Return the repository that has the commits of a tree. Raises UnusableRepository."""
    folder = tree.repository_folder
    if folder is None:
        hint = "Call it without changed_since, or on a server for a checkout."
        raise UnusableRepository(tree.name, "the database has files, but no history", hint)
    return Repository(folder)


def _merge_base(repository: Repository, tree: Tree, ref: str) -> str:
    """Return the commit at which the commit of a tree and another one went apart."""
    own = tree.state if isinstance(tree, StoredTree) else repository.commit("HEAD")
    base = repository.merge_base(repository.commit(ref), own)
    if base is None:
        raise UnknownCommit(ref, str(repository.folder), (), "It has no history in common with what is navigated.")
    return base


def _files_of(repository: Repository, commit: str) -> Mapping[str, _Blob]:
    """Return the files of a commit by their paths; none where it has not the folder yet."""
    try:
        entries = repository.files(commit)
        return {one.path: _Blob(one.name, one.size) for one in entries if one.kind == _BLOB and one.mode != "120000"}
    except UnusableRepository:
        if repository.has_folder(commit):
            raise
        return {}


def _is_there(tree: Tree, bare: str) -> bool:
    """Return whether there is a file at a path, listed or not."""
    if isinstance(tree, StoredTree):
        return tree.find(bare) is not None
    return os.path.lexists(tree.on_disk(tree.named(bare)))


def _name(raw: bytes, like: str) -> str:
    """Return the name of the object that some bytes would be, of the same kind as another name."""
    algorithm = "sha1" if len(like) == 40 else "sha256"
    return hashlib.new(algorithm, b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()
