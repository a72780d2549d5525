"""Trees that are on no disk: their files are listed by a store, and read by the keys of their contents.

A *store* is all that another implementation has to bring (``FileStore``): a listing, the bytes of a content, and what
names the present state. Rules, secrets, encodings, limits and the order of all this are those of ``StoredTree``.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple, Protocol

from leadline_tools.errors import (
    BinaryFile,
    IsFolder,
    LeadlineError,
    NotKept,
    PathError,
    PathNotFound,
    SecretFile,
    TooLarge,
)
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import Source, is_binary
from leadline_tools.index.tree.ignoring import GIVEN, OWN_RULES, Ignoring
from leadline_tools.index.tree.recent_sources import RecentSources
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.tree.source import LIMIT, Reader, most_like
from leadline_tools.index.tree.walked_files import MOST_SKIPPED, ListedFile, Skipped, Walked

_STAMP_BYTES = 8
"""Bytes of a key that stand for the time of a file: of two contents of one size at one path, they differ."""


class StoredFile(NamedTuple):
    """A file of a store.

    Args:
        path: Where it is, relative to the root.
        size: Its bytes.
        key: What the store finds its content by; another content has another key.
        executable: Whether it is marked as a program.

    """

    path: str
    size: int
    key: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class StoredListing:
    """All files of one state of a tree.

    Args:
        state: What names the state: no other one has the same.
        files: The files, in any order, all with keys of one length.
        skipped: What is left out since it is no file: links, submodules, names that no file may have.
        note: What every answer says of the state, as a note; empty for nothing.

    """

    state: str
    files: Iterable[StoredFile]
    skipped: tuple[Skipped, ...] = ()
    note: str = ""


class FileStore(Protocol):
    """What keeps the files of a tree. All methods may be called by several threads at once."""

    @property
    def place(self) -> str:
        """Return what identifies the tree among all that there are, for people too."""
        ...

    def state(self) -> str:
        """Return what names the present state, as ``StoredListing`` has it: each question asks for it first."""
        ...

    def listing(self) -> StoredListing:
        """Return the files as they are now. Raises LeadlineError."""
        ...

    def read(self, file: StoredFile) -> bytes:
        """Return the content of a file. Raises PathError with the path as it is in ``file``."""
        ...


class _Present:
    """The state that the last walk found. Of 100,000 files an object for each would take ten times the memory."""

    def __init__(self, listing: StoredListing) -> None:
        self.state, self.skipped, self.note = listing.state, listing.skipped, listing.note
        files = sorted(listing.files)
        self.paths: Sequence[str] = [file.path for file in files]
        self._sizes = array("q", (file.size for file in files))
        self._executable = bytes(file.executable for file in files)
        self._keys = b"".join(file.key for file in files)
        self._key_bytes = len(files[0].key) if files else 0

    def files(self) -> Iterator[StoredFile]:
        """Yield all files, sorted by path."""
        return map(self._file, range(len(self.paths)))

    def find(self, path: str) -> StoredFile | None:
        """Return the file at a path; None where there is none."""
        at = bisect_left(self.paths, path)
        return self._file(at) if at < len(self.paths) and self.paths[at] == path else None

    def has_folder(self, folder: str) -> bool:
        """Return whether there are files beneath a folder; there always may be beneath the root."""
        at = bisect_left(self.paths, f"{folder}/")
        return not folder or (at < len(self.paths) and self.paths[at].startswith(f"{folder}/"))

    def _file(self, at: int) -> StoredFile:
        key = self._keys[at * self._key_bytes : (at + 1) * self._key_bytes]
        return StoredFile(self.paths[at], self._sizes[at], key, bool(self._executable[at]))


class StoredTree(RootTree):
    """The files of a store.

    Between two walks the tree is in the state that the last one found, whatever the store has by now: all that one
    answer reads is of one state.

    Args:
        store: What keeps them.
        root: The folder that they come from, see ``Tree``.
        policy: Which of them are secret.
        name: What the root is called among several.
        exclude: Rules as in ``.gitignore``, of what is not listed.
        contents: What keeps the contents, see ``RootTree``.

    """

    def __init__(
        self,
        store: FileStore,
        root: Path,
        policy: SecretPolicy | None = None,
        name: str = "",
        exclude: tuple[str, ...] = (),
        contents: str = "",
    ) -> None:
        super().__init__(root, policy, name, exclude, ())
        self._contents = contents
        self._store = store
        self._recent = RecentSources()
        self._present = _Present(StoredListing("", ()))
        self._refused = ("", "")

    @property
    def place(self) -> str:
        """Return what identifies the tree."""
        return self._store.place

    def why_read_only(self, path: str) -> str:  # noqa: ARG002  none can be edited
        """Return why no file of the tree can be edited."""
        return f"{self.title} is not on disk"

    @property
    def title(self) -> str:
        """Return what people call the tree."""
        return self.name or self._store.place

    @property
    def contents(self) -> str:
        """Return what keeps the contents."""
        return self._contents

    @property
    def note(self) -> str:
        """Return what every answer says of the state of the files, and of a later one that cannot be listed."""
        note, refused = self._present.note, self._refused[1]
        return f"{note}; {refused}" if note and refused else note or refused

    # Which files there are

    @property
    def state(self) -> str:
        """Return what names the state that the last walk found."""
        return self._present.state

    def has_moved(self) -> bool:
        """Return whether the store has another state than the last walk found."""
        return self._store.state() not in (self._present.state, self._refused[0])

    def walk(self) -> Walked:
        """List the files of the store as it is now, and read these from now on.

        Raises LeadlineError where they cannot be listed; but where they could be before, the tree stays as it was.
        """
        state = self._store.state()
        try:
            self._present, self._refused = _Present(self._store.listing()), ("", "")
        except LeadlineError as error:
            if not self._present.state:
                raise
            self._refused = state, f"not newer, since that cannot be listed: {error}"
        present = self._present
        files = [_listed(file) for file in present.files()]
        found = self._without_ignored(files, _RuleFiles(self))
        ignored_everything = bool(files) and not found
        if ignored_everything:
            found = self._without_ignored(files, _RuleFiles(self, configured_alone=True))
        return Walked(found, present.skipped[:MOST_SKIPPED], len(present.skipped), ignored_everything, "store")

    def _without_ignored(self, files: list[ListedFile], rules: _RuleFiles) -> list[ListedFile]:
        """Return the files that no rule of ours leaves out; those of git say nothing of what it has."""
        if not rules.exclude and not any(rules.has(path) for path in self._rule_paths()):
            return files
        ignoring = Ignoring(rules, git=False)
        return [file for file in files if not ignoring.ignored(file.path, False)]

    def _rule_paths(self) -> Iterator[str]:
        """Yield the paths of the ignore files."""
        return (path for path in self._present.paths if path.endswith(OWN_RULES))

    def scan(self) -> None:
        """Return None: a walk finds the paths as fast."""

    def look(self, paths: Iterable[str]) -> Walked:
        """Look at some paths of the state that the last walk found."""
        files = [file for path in paths if (file := self.find(path)) is not None]
        return Walked(sorted(map(_listed, files)), (), 0, False, "paths")

    def find(self, bare: str) -> StoredFile | None:
        """Return the file at a path of the state that the last walk found; None where there is none."""
        return self._present.find(bare)

    def has_folder(self, path: str) -> bool:
        """Return whether there is a folder at a path: there are none without files."""
        return self._present.has_folder(self.bare(path))

    def why_unlisted(self, bare: str, walked: Walked | None) -> str:  # noqa: ARG002  the listing has it too
        """Return why what lies at a path is not listed; empty where nothing lies there."""
        present = self._present
        for skipped in present.skipped:
            if bare == skipped.path or bare.startswith(f"{skipped.path}/"):
                return f"{self.named(skipped.path)} is skipped: {skipped.reason}"
        is_folder = present.find(bare) is None
        if is_folder and not present.has_folder(bare):
            return ""
        file = Ignoring(_RuleFiles(self), git=False).ignored_by(bare, is_folder)
        return f"ignored by {file if file == GIVEN else self.named(file)}" if file else ""

    # What files hold

    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file, or raise the ``PathError`` that says why not."""
        path = self.inside(path)
        file = self._found(path, limit)
        kept = self._recent.get(path, file.key)
        if kept is not None:
            return kept
        raw = self._content(path, file)
        if is_binary(raw):
            raise BinaryFile(path, file.size)
        source = self.source_to_show(path, raw)
        self._recent.put(source, file.key)
        return source

    def read_bytes(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as it is kept."""
        path = self.inside(path)
        return self._content(path, self._found(path, limit))

    def read_raw(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as it is kept, binary or not, keys included: not for answers."""
        return self.read_bytes(path, limit)

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """Give what reads many files one after the other."""
        yield _StoredReader(self)

    def is_executable(self, path: str) -> bool:
        """Return whether a file is marked as a program."""
        file = self.find(self.bare(path))
        return file is not None and file.executable

    def _found(self, path: str, limit: int) -> StoredFile:
        """Return the file at a path of the tree; raises the PathError that says why it is not read."""
        bare = self.bare(path)
        file = self.find(bare)
        if file is None:
            if self.has_folder(path):
                raise IsFolder(path)
            for skipped in self._present.skipped:
                if skipped.path == bare:
                    raise NotKept(path, skipped.reason)
            raise PathNotFound(path, self._nearest(bare))
        if self.policy.is_secret(path):
            raise SecretFile(path)
        if file.size > limit:
            raise TooLarge(path, file.size, limit)
        return file

    def _content(self, path: str, file: StoredFile) -> bytes:
        """Return what a file holds."""
        return self._store.read(file._replace(path=path))

    def _nearest(self, bare: str) -> str | None:
        """Return the path beside one whose name is most like its name, if there is one."""
        folder, slash, name = bare.rpartition("/")
        start, paths = folder + slash, self._present.paths
        first = bisect_left(paths, start)
        beside = takewhile(lambda path: path.startswith(start), (paths[at] for at in range(first, len(paths))))
        like = most_like(name, list(dict.fromkeys(path[len(start) :].partition("/")[0] for path in beside)))
        return None if like is None else self.named(start + like)


class _StoredReader(Reader):
    """Reads files of a store one after the other."""

    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file of the tree; None where it cannot be read, or is larger."""
        try:
            content = self._tree.read_raw(path, limit)
        except PathError:
            return None
        return None if self._tree.policy.hides(path, content) else content


class _RuleFiles:
    """The tree as the rules see it; where but the ``configured_alone`` count, without ignore files."""

    def __init__(self, tree: StoredTree, *, configured_alone: bool = False) -> None:
        self.exclude = tree.exclude
        self._tree = tree
        self._configured_alone = configured_alone

    def has(self, path: str) -> bool:
        """Return whether there is a file at a bare path."""
        return not self._configured_alone and self._tree.find(path) is not None

    def read_bytes(self, path: str, limit: int) -> bytes:
        """Return what an ignore file holds. Raises PathError."""
        tree = self._tree
        return tree.read_bytes(tree.named(path), limit)


def _listed(file: StoredFile) -> ListedFile:
    stamp = int.from_bytes(file.key[:_STAMP_BYTES], "big") >> 1  # a signed number of 64 bits, as a time is
    return ListedFile(file.path, file.size, stamp)
