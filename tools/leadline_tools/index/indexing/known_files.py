"""The known files of a tree: each with its size and time, or at the start their paths alone."""

from __future__ import annotations

import secrets
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from leadline_tools.index.files.file import Listing
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.tree.walked_files import ListedFile, Scan


class _ScannedPaths(NamedTuple):
    """The paths of a tree, until each file was looked at.

    Args:
        paths: The paths of all files, sorted, as the tree names them.
        began: When it began, by the monotonic clock in seconds.
        scan: What goes on from there; None where the tree has changed since.
        state: What names it: no other one has the same, since equal paths say nothing of what the files hold.

    """

    paths: Sequence[str]
    began: float
    scan: Scan | None
    state: str


class KnownFiles:
    """The files of a tree: those of a table, or paths alone as long as no file of it was looked at.

    Attributes:
        table: The table.

    """

    def __init__(self, tree: RootTree, table: FileTable) -> None:
        self.table = table
        self._tree = tree
        self._scanned: _ScannedPaths | None = None
        self._edits = 0

    @property
    def state(self) -> str:
        """Return what names this state of the tree, edits included that leave the size and the time of a file."""
        scanned = self._scanned
        return scanned.state if scanned is not None else f"{self.table.state}{self._edits:x}"

    def count_edit(self) -> None:
        """Note that a file was edited whose size and time are the same."""
        self._edits += 1

    @property
    def are_paths_alone(self) -> bool:
        """Return whether no more than the paths of the files are known."""
        return self._scanned is not None

    def paths(self) -> Sequence[str]:
        """Return the paths of all files, sorted; the very same as long as none comes or goes."""
        scanned = self._scanned
        return self.table.paths() if scanned is None else scanned.paths

    def __contains__(self, path: str) -> bool:
        scanned = self._scanned
        if scanned is None:
            return path in self.table
        at = bisect_left(scanned.paths, path)
        return at < len(scanned.paths) and scanned.paths[at] == path

    def __len__(self) -> int:
        """Return how many files there are."""
        scanned = self._scanned
        return len(self.table) if scanned is None else len(scanned.paths)

    def size(self, path: str) -> int:
        """Return the bytes of a file; 0 where there is none."""
        return self.table.size(path) if self._scanned is None else sum(self.look_at([path]).sizes)

    def look_at(self, paths: Iterable[str]) -> Listing:
        """Return what a list tells of a few files, each looked at now; those that are not there are left out."""
        found = self.named(self._tree.look(map(self._tree.bare, paths)).files)
        sizes = [one.size for one in found]
        return Listing([one.path for one in found], sizes, [0] * len(found), [False] * len(found))

    def named(self, found: Sequence[ListedFile]) -> Sequence[ListedFile]:
        """Return what a walk found under the paths that the tree has for it."""
        return [one._replace(path=self._tree.named(one.path)) for one in found] if self._tree.name else found

    def take_scan(self, scan: Scan, began: float) -> None:
        """Know the paths that a scan has found, which began at a monotonic time."""
        paths = list(map(self._tree.named, scan.paths)) if self._tree.name else scan.paths
        self._scanned = _ScannedPaths(paths, began, scan, f"scan-{secrets.token_hex(8)}")

    def continue_scan(self) -> tuple[float, Scan] | None:
        """Return when the scan of paths began and what goes on from there, once; None where there is no such."""
        scanned = self._scanned
        if scanned is None or scanned.scan is None:
            return None
        self.drop_scan()
        return scanned.began, scanned.scan

    def drop_scan(self) -> None:
        """Note that the tree has changed since its paths were found: no walk goes on from there."""
        if self._scanned is not None:
            self._scanned = self._scanned._replace(scan=None)

    def forget_paths(self) -> None:
        """Let the table tell which files there are, from now on."""
        self._scanned = None
