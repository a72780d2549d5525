"""A tree: the files of a root by their paths, and the one way to what they hold, wherever they are kept.

Nothing above knows whether files are on a disk (``disk``), in the objects of a repository or in a database
(``stored_tree``). What no tree may do differently is done here. A file that holds secrets is never read, and keys in
other files are masked, so that no answer, index or search ever has them: see ``text/secret_files.py``. The text of a
file is handed on as UTF-8 with its lines ended by LF or CRLF, because everything that cuts, searches and parses it
works on that; its line numbers are those of an editor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from itertools import islice
from pathlib import Path

from leadline_tools.errors import BinaryFile, NotOnDisk, PathNotFound, PathOutside, SecretFile
from leadline_tools.index.text.key_masking import mask_keys
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.text.source_text import Known, Source, decoded, digest_of, is_binary, normal_text
from leadline_tools.index.tree.descent import inside, is_absolute
from leadline_tools.likeness import most_alike_files

_AHEAD = 64
"""Files that are looked ahead."""

LIMIT = 64 * 1024 * 1024
"""Bytes of the largest file that is read unless the caller says otherwise."""

_MOST_CLEAN = 100_000
"""Files that are remembered as those without keys."""

_MOST_NEIGHBOURS = 2_000
"""Names of a folder that are compared for a probable meaning; beyond it the comparison takes longer than it helps."""


def _nothing_known(_path: str) -> None:
    """Say that nothing is known of a text."""


class Tree(ABC):
    """The files beneath a root; ``policy`` says which of them are secret.

    A root among several has a ``name``, which is the first segment of each path in the tree. What lists, watches and
    keeps the files of a root knows them by *bare* paths, without it.

    Args:
        root: The folder that the files are in; of files that are in none, the one that they come from.
        policy: Which of them are secret.
        name: What the root is called among several.
        exclude: Rules as in ``.gitignore``, of what is not listed.
        absolute: Under which absolute paths of folders the root is found.

    Attributes:
        known: Tells what is known of the text at a path from before: of one that is still the same less is to be done.

    """

    def __init__(
        self, root: Path, policy: SecretPolicy | None, name: str, exclude: tuple[str, ...], absolute: tuple[str, ...]
    ) -> None:
        self.root = root
        self.policy = policy or SecretPolicy()
        self.name = name
        self.exclude = exclude
        self.known: Callable[[str], Known | None] = _nothing_known
        self._prefix = f"{name}/" if name else ""
        self._absolute = absolute
        self._clean: dict[str, int] = {}

    # Names

    @property
    def place(self) -> str:
        """Return what identifies the tree: where its files are kept, and which of those there."""
        return str(self.root)

    @property
    def title(self) -> str:
        """Return what people call the tree."""
        return self.name or self.root.name

    @property
    def variant(self) -> str:
        """Return what distinguishes this tree from others with the same files; empty for the usual one."""
        return "\0".join((self.policy.name, *self.exclude)) if self.exclude else self.policy.name

    @property
    def repository_folder(self) -> Path | None:
        """Return the folder whose repository has the commits of the tree; None where this machine has none."""
        return self.root

    def why_read_only(self, path: str) -> str:  # noqa: ARG002  a tree of several roots asks that of the path
        """Return why the file at a path can never be edited, as part of a sentence; empty where it may be."""
        return ""

    @property
    def age(self) -> float:
        """Return how many seconds ago the files were as they are here; 0 where they are always as they are now."""
        return 0.0

    @property
    def note(self) -> str:
        """Return what every answer says of the state of the files; empty for nothing."""
        return ""

    def inside(self, path: str) -> str:
        """Return ``path`` as the tree names it; it may be absolute where that lies beneath the root.

        Raises PathOutside, and PathNotFound for one that begins with the name of no root.
        """
        for root in self._absolute or ("",):
            with suppress(PathOutside):
                meant = inside(path, root)
                return self._checked(path, meant) if self.name else meant
        raise PathOutside(path)

    def _checked(self, path: str, meant: str) -> str:
        if is_absolute(path):
            return self.named(meant)
        if meant and self.bare(meant) == meant and meant != self.name:
            raise PathNotFound(path)
        return meant

    def named(self, bare: str) -> str:
        """Return a path relative to the root as the tree names it."""
        return self._prefix + bare if bare else self.name

    def bare(self, path: str) -> str:
        """Return a path of the tree relative to the root."""
        return "" if path == self.name else path.removeprefix(self._prefix)

    def is_root(self, path: str) -> bool:
        """Return whether a path of the tree is that of the root."""
        return path in ("", self.name)

    # What files hold

    @abstractmethod
    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file of at most ``limit`` bytes, or raise the ``PathError`` that says why not."""

    @abstractmethod
    def read_bytes(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as it is kept; one that is reached through a symbolic link is refused."""

    @abstractmethod
    def read_raw(self, path: str, limit: int = LIMIT) -> bytes:
        """Read a file as it is kept, binary or not, keys included: not for answers."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Reader]:
        """Give what reads many files one after the other."""

    def source(self, path: str, raw: bytes) -> Source:
        """Return the source that the bytes of a file are, its keys masked."""
        return decoded(path, raw, keys=self.policy.shows(path), known=self.known(path))

    def source_to_show(self, path: str, raw: bytes) -> Source:
        """Return the same; raises SecretFile for a file that is not read because of what it holds."""
        if self.policy.hides(path, raw):
            raise SecretFile(path)
        return self.source(path, raw)

    def text(self, path: str, raw: bytes, state: int | None = None) -> bytes | None:
        """Return the same as ``Source.content`` has it; None for a binary file.

        With a number for the ``state`` that the file had when it was read, it is remembered that there were no keys in
        it.
        """
        if is_binary(raw):
            return None
        content, _ = normal_text(raw)
        if self.policy.shows(path) or (state is not None and self._clean.get(path) == state):
            return content
        known = self.known(path)
        clean = known is not None and digest_of(content) == known.digest
        shown = content if clean else mask_keys(content)
        if shown is content and state is not None:
            if len(self._clean) >= _MOST_CLEAN:
                self._clean.clear()
            self._clean[path] = state
        return shown

    # What only files on a disk have, and what programs and edits need

    @abstractmethod
    def has_folder(self, path: str) -> bool:
        """Return whether there is a folder at a path, though it may be empty; links are not followed."""

    @abstractmethod
    def is_executable(self, path: str) -> bool:
        """Return whether a file is marked as a program."""

    def on_disk(self, path: str) -> str:
        """Return where the system has a path: the text alone, links are not looked at. Raises NotOnDisk."""
        raise NotOnDisk(path, self.why_read_only(path))

    def open_folder(self, folder: str) -> int:
        """Return a descriptor of a folder; the caller closes it. Raises NotOnDisk where it is on no disk."""
        raise NotOnDisk(folder, self.why_read_only(folder))


class Reader(ABC):
    """Reads many files of a tree, fastest in the order of their paths."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def ahead(self, paths: Iterable[str]) -> Iterator[str]:
        """Yield the paths of files that are read in this order, with a look ahead where contents come from afar."""
        given = iter(paths)
        while some := list(islice(given, _AHEAD)):
            self.fetch(some)
            yield from some

    def fetch(self, paths: Sequence[str]) -> None:  # noqa: B027  what is on the disk is at hand
        """Have the contents of some files at hand, where it takes less to read them together."""

    @abstractmethod
    def raw(self, path: str, limit: int = LIMIT) -> bytes | None:
        """Return the bytes of a file of the tree as they are kept; None where it cannot be read, or is larger.

        They may hold keys: what is shown of them is made by ``Tree.text``.
        """

    def sift(self, path: str, wanted: Callable[[bytes | bytearray, int], bool]) -> bytes | None:
        """Return the bytes of a file as ``raw`` does, if they are ``wanted``; else none at all.

        ``wanted`` gets bytes and where the file ends in them. What it does not want is never copied.
        """
        content = self.raw(path)
        return b"" if content is not None and not wanted(content, len(content)) else content

    def sifted_text(self, path: str, raw: bytes) -> bytes | None:
        """Return the text of the file that was sifted last; None for a binary one."""
        return self._tree.text(path, raw)

    def text(self, path: str) -> bytes:
        """Return the text of a file as ``Source.content`` has it; nothing where it cannot be read or is none."""
        return self._tree.text(path, self.raw(path) or b"") or b""

    def unmasked(self, path: str) -> bytes:
        """Return the same with its keys, for what is asked of a text that no answer shows."""
        raw = self.raw(path) or b""
        return b"" if is_binary(raw) else normal_text(raw)[0]

    def read(self, path: str, limit: int = LIMIT) -> Source:
        """Read the text of a file of the tree, or raise the ``PathError`` that says why not."""
        raw = self.raw(path, limit)
        if raw is None:
            return self._tree.read(path, limit)
        if is_binary(raw):
            raise BinaryFile(path, len(raw))
        return self._tree.source(path, raw)


def most_like(name: str, names: list[str]) -> str | None:
    """Return the name in a folder that is most like ``name``: the same but for case, else by what they share."""
    if len(names) > _MOST_NEIGHBOURS:
        return None
    ordered = sorted(names)
    same = (other for other in ordered if other.casefold() == name.casefold())
    return next(same, None) or next(iter(most_alike_files(name, ordered, 1)), None)
