"""The watcher of a tree: it reports what has changed since the last question, so that none walks all of it.

The promise is that whatever happened before a question began is known to it. How it is kept was decided by measuring
how often the last of 1,000 edits is missed by a question right behind it, and what the question costs:

=============================================================== ======== ================
asked                                                             missed  time
=============================================================== ======== ================
``watchfiles.watch`` in a thread, steps of 1 ms, not waited for      995  0
the same, 5 ms waited for                                              2  5 ms
``watchfiles``, until a file of our own is reported (`notified`)       0  2.3 ms
inotify, its queue read when asked (`folders`)                         0  0.005 ms
=============================================================== ======== ================

On Linux the queue is read directly for three more reasons. ``watchfiles`` drops the kernel's word that events were
lost: a process that was stopped during 20,000 events missed the one behind them for good. It watches what the rules
ignore. And it watches a folder that appears only some time after it did.

Where watches are refused (their number is limited; some file systems do not tell what other machines do) the tree is
walked instead: for each question where that is fast, else as often as a tenth of the time allows. Answers then say how
old they may be.

No watcher sees what is written through memory that stays mapped, or under another name of the same file (a hard link)
outside the folders it watches. What an answer cites is read when it is cited.
"""

from __future__ import annotations

import errno
import re
import sys
import time
from collections.abc import Callable, Iterable
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol

from leadline_tools.index.changes.changed_paths import ChangeCollector, ChangedPaths, above
from leadline_tools.index.changes.folders import Folders
from leadline_tools.index.tree.disk.disk_tree import DiskTree
from leadline_tools.index.tree.root_tree import RootTree
from leadline_tools.index.tree.walked_files import Walked

_FAST_SECONDS = 0.1
"""Seconds of a walk that each question can wait for."""

_SHARE = 0.1
"""Share of the time that walks may take."""

_REMOTE = frozenset(
    "9p acfs afs beegfs ceph cifs coda drvfs fuse gfs2 glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 orangefs panfs prl_fs"
    " prl_vboxsf smb2 smb3 smbfs vboxsf virtiofs vmhgfs".split()
)
"""File systems that others than this kernel write to, which it then cannot tell. So are those named ``fuse.*``."""

_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EACCES})
"""What the system says of a root that is gone or closed at present."""

_OCTAL = re.compile(r"\\([0-7]{3})")

_EVERYTHING = ChangedPaths(frozenset(), everything=True)
_NOTHING = ChangedPaths(frozenset(), everything=False)


class WatchMode(Enum):
    """How a watcher learns of changes."""

    STARTING = "starting"
    WATCHING = "watching"
    POLLING = "polling"


class WatchState(NamedTuple):
    """The state of a watcher; ``reason`` says why it polls."""

    mode: WatchMode
    reason: str = ""


class _Watching(Protocol):
    """What the systems do differently."""

    def watch(self, folders: Iterable[str]) -> bool: ...

    def checked(self, walked: Walked) -> bool: ...

    def touched(self, *, waiting: bool) -> ChangedPaths | None: ...

    def close(self) -> None: ...


class Watcher:
    """Watches a tree; ``known`` returns whether a bare path is listed.

    The order is: ``start``, a walk, ``checked``; then for each question ``touched``, and if that asks for it a walk and
    ``checked``. One thread at a time asks.
    """

    def __init__(self, tree: RootTree, known: Callable[[str], bool]) -> None:
        self._tree = tree
        self._known = known
        self._watching: _Watching | None = None
        self._state = WatchState(WatchMode.STARTING)
        self._doubted = True
        self._walked_at = 0.0
        self._walk_seconds = 0.0

    @property
    def state(self) -> WatchState:
        """Return what is relied on."""
        return self._state

    @property
    def lag(self) -> float:
        """Return by how many seconds answers may be behind the tree: 0 unless walks are too slow for each question."""
        slow = self._state.mode is WatchMode.POLLING and self._walk_seconds > _FAST_SECONDS
        return self._walk_seconds / _SHARE if slow else 0.0

    def start(self, listed: Iterable[str]) -> None:
        """Begin to watch, as far as the files that are listed so far tell where."""
        try:
            self._watching = self._opened()
            if self._watching is not None:
                self._watching.watch(above(listed))
        except OSError as error:
            self._refuse(error)

    def touched(self, *, waiting: bool = True) -> ChangedPaths:
        """Return what has been touched since the last question, or all that may have been.

        Without ``waiting`` what came into folders that are not watched yet may be missing.
        """
        if self._state.mode is WatchMode.POLLING:
            return self._polled()
        try:
            seen = self._watching.touched(waiting=waiting) if self._watching is not None else None
            if seen is None:
                self.close()
                self._watching = self._opened()
        except OSError as error:
            self._refuse(error)
            seen = None
        if seen is None or self._doubted:
            return _EVERYTHING if seen is None else seen._replace(everything=True)
        return seen

    def checked(self, walked: Walked, began: float) -> bool:
        """Take the result of a walk that began at a time (monotonic, seconds).

        False asks for another one: there are folders that were not watched while it looked at them.
        """
        self._walked_at = began
        self._walk_seconds = time.monotonic() - began
        if self._watching is not None:
            try:
                self._doubted = not self._watching.checked(walked)
                if self._doubted:
                    return False
                self._state = WatchState(WatchMode.WATCHING)
            except OSError as error:
                self._refuse(error)
        self._doubted = False
        return True

    def trust(self) -> None:
        """Ask for no full check, though one was not conclusive: another one is under way."""
        self._doubted = False

    def doubt(self) -> None:
        """Ask for a full check at the next question, since what was seen could not be used."""
        self._doubted = True

    def close(self) -> None:
        """Watch no longer."""
        if self._watching is not None:
            self._watching.close()
            self._watching = None

    def _opened(self) -> _Watching | None:
        """Return what watches the tree; None where there is no tree at present. Raises OSError where it is refused."""
        if not isinstance(self._tree, DiskTree):
            return _StateWatch(self._tree)
        if self._tree.is_replaced:
            return None
        remote = _remote(self._tree.root)
        if remote:
            raise OSError(errno.EOPNOTSUPP, f"{remote} does not report changes made elsewhere")
        tree = DiskTree(self._tree.root, exclude=self._tree.exclude)  # which knows its files by bare paths
        touches = ChangeCollector(tree, self._known)
        try:
            if sys.platform == "linux":
                return Folders(tree, touches)
            from leadline_tools.index.changes.notified import Notified

            return Notified(tree, touches)
        except OSError as error:
            if error.errno in _ABSENT:
                return None
            raise

    def _refuse(self, error: OSError) -> None:
        self.close()
        self._doubted = True
        reasons = {
            errno.ENOSPC: "the system's limit of watched folders (fs.inotify.max_user_watches) is reached",
            errno.EMFILE: "the system's limit of watchers (fs.inotify.max_user_instances) is reached",
        }
        self._state = WatchState(WatchMode.POLLING, reasons.get(error.errno or 0, error.strerror or str(error)))

    def _polled(self) -> ChangedPaths:
        due = self._doubted or not self.lag or time.monotonic() >= self._walked_at + self.lag
        return _EVERYTHING if due else _NOTHING


class _StateWatch:
    """Watches a tree that tells by itself whether it has moved."""

    def __init__(self, tree: RootTree) -> None:
        self._tree = tree

    def watch(self, folders: Iterable[str]) -> bool:  # noqa: ARG002  there are none
        """Return that no folder was not watched before."""
        return False

    def checked(self, walked: Walked) -> bool:  # noqa: ARG002  the tree knows what it gave
        """Return that nothing was missed: a later state is another one."""
        return True

    def touched(self, *, waiting: bool) -> ChangedPaths | None:  # noqa: ARG002  it takes no time
        """Return whether anything may have changed."""
        return _EVERYTHING if self._tree.has_moved() else _NOTHING

    def close(self) -> None:
        """Watch no longer."""


def _remote(root: Path) -> str:
    """Return the kind of a file system in the tree that others may write to; the empty string where there is none."""
    try:
        lines = Path("/proc/self/mountinfo").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return ""
    holding = ("", "")
    for line in lines:
        place, _, rest = line.partition(" - ")
        folder = _OCTAL.sub(lambda octal: chr(int(octal[1], 8)), place.split(" ")[4])
        kind = rest.split(" ")[0]
        is_remote = kind in _REMOTE or kind.startswith("fuse.")
        if is_remote and Path(folder).is_relative_to(root):
            return kind
        if root.is_relative_to(folder) and len(folder) >= len(holding[0]):
            holding = (folder, kind if is_remote else "")
    return holding[1]
