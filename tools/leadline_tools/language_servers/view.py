"""A *view* of a tree: a folder outside of it, with copies of what a language server may read.

A server opens whatever a file imports or a configuration names, so it never gets the paths of the tree. The view has
the sources of its languages, headers and configurations that are listed, and the types of packages that are installed
in the tree. Each copy was read as for an answer: it is a regular file below the root, no secret one, and its keys are
masked. A configuration that leads out of the root is not copied. The view is kept in step with the files that are
listed, and removed with the server.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.tree.mirror import Mirror
from leadline_tools.index.tree.source import Reader
from leadline_tools.language_servers.configurations import is_configuration, leads_out, move_root
from leadline_tools.language_servers.connection import ServerFault
from leadline_tools.language_servers.locations import path_of
from leadline_tools.language_servers.packages import package_files, package_links
from leadline_tools.languages import language_of

MOST_FILES = 50_000
"""Files of a view: without a limit, a tree could fill a disk."""

MOST_BYTES = 512 << 20
"""Bytes of a view."""

LARGEST = 4 << 20
"""Bytes of the largest file that is copied: a larger one is data or generated."""

_BESIDE = (".json", ".toml", ".cfg", ".ini", ".mod", ".sum", ".work", ".typed", ".inc", ".def", ".inl", ".ipp", ".tcc")
"""How the names of files end that servers read besides sources: configurations, manifests, parts of C and C++."""

_BESIDE_NAMES = frozenset({"compile_flags.txt", "pyvenv.cfg"})


class TreeView:
    """The view of the tree of an index for a server of some languages.

    Attributes:
        folder: The real path of the view: the root that the server sees.

    """

    def __init__(self, index: Index, languages: Sequence[str]) -> None:
        """Copy the files. Raises OSError where there is no place, and ServerFault where there are too many."""
        self._index, self._tree = index, index.tree
        self._languages = frozenset(languages)
        listed = [file for file in index.files.below() if file.size <= LARGEST and self._is_wanted(file.path)]
        size = sum(file.size for file in listed)
        if len(listed) > MOST_FILES or size > MOST_BYTES:
            raise ServerFault(
                f"was not used: it would need copies of more than {MOST_FILES:,} files or {MOST_BYTES >> 20} MB"
            )
        self._mirror = Mirror(str(index.root), size)
        self.folder = self._mirror.folder
        try:
            self._copy_all([file.path for file in listed], MOST_BYTES - size)
        except BaseException:
            self._mirror.close()
            raise

    def on_disk(self, path: str) -> str:
        """Return where the copy of a file of the tree is, or would be."""
        return self._mirror.path_of(self._tree.bare(path))

    def path_of(self, uri: str) -> tuple[str, bool]:
        """Return the path of the tree that a URI names, and False; a whole path and True for what is not in it."""
        path, outside = path_of(uri, self.folder)
        return (path, True) if outside else (self._tree.named(path), False)

    def refresh(self, paths: Iterable[str]) -> list[str]:
        """Copy files again that have changed, or remove their copies; return those that the view may have."""
        wanted = [path for path in paths if self._is_wanted(path)]
        with self._tree.reading() as reader:
            for path in wanted:
                self._copy(reader, path)
        self.keep()
        return wanted

    def keep(self) -> None:
        """Note that the view is in use."""
        self._mirror.keep()

    def close(self) -> None:
        """Remove the view."""
        self._mirror.close()

    def _is_wanted(self, path: str) -> bool:
        language = language_of(path)
        name = path.rpartition("/")[2]
        return (language is not None and language.name in self._languages) or (
            name.endswith(_BESIDE) or name in _BESIDE_NAMES
        )

    def _copy_all(self, listed: Sequence[str], left: int) -> None:
        with self._tree.reading() as reader:
            for path in listed:
                self._copy(reader, path)
            root, known = str(self._index.root), [self._tree.bare(path) for path in listed]
            for path in package_files(root, known, MOST_FILES - len(listed), self._languages):
                left -= self._copy(reader, self._tree.named(path))
                if left < 0:
                    break
        for path, target in package_links(root, known):
            self._mirror.link(path, target)

    def _copy(self, reader: Reader, path: str) -> int:
        """Copy a file, or remove its copy where it may not be read; return how many bytes it has now."""
        bare = self._tree.bare(path)
        raw = reader.raw(path, LARGEST)
        content = self._tree.text(path, raw) if raw is not None else None
        if content is not None and is_configuration(bare):
            content = None if leads_out(bare, content) else move_root(content, str(self._index.root), self.folder)
        if content is None:
            self._mirror.remove(bare)
            return 0
        with suppress(LeadlineError):
            self._mirror.copy(bare, content)
        return len(content)
