"""The state of a ref: what shows, at the price of a few looks at files, that it still means the same commit."""

from __future__ import annotations

import os
import re

from leadline_tools.errors import LeadlineError
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.index.tree.commit.repository import Repository, is_full
from leadline_tools.index.tree.disk.disk_files import DiskFiles

_NAME = re.compile(r"[^~^:]*")
"""What of an expression such as ``main~3`` names a ref."""

_PLACES = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}", "refs/remotes/{}/HEAD")
"""Where git looks for a ref, in this order."""

_PACKED = ("packed-refs", "reftable/tables.list", "shallow")
"""Files of a repository that are replaced as a whole when refs in them move."""

_LARGEST = 4_096
_MOST_STEPS = 5
"""Symbolic refs that are followed."""

_SYMBOLIC = "ref:"


class RefState:
    """What decides on the meaning of a ref.

    Args:
        repository: Where it is.
        ref: A branch, a tag, a commit, or an expression such as ``HEAD~3``.

    """

    def __init__(self, repository: Repository, ref: str) -> None:
        every = SecretPolicy(("**",))  # a branch may have any name
        self._own, self._shared = DiskFiles(repository.own, every), DiskFiles(repository.shared, every)
        name = _NAME.match(ref)
        self._name = "" if is_full(ref) or name is None else name[0].partition("@{")[0]
        self._name = "HEAD" if self._name == "@" else self._name

    def read(self) -> tuple[object, ...]:
        """Return what is equal as long as the ref means the same; empty for what always does."""
        if not self._name:
            return ()
        found: list[object] = [_identity(self._shared, name) for name in _PACKED]
        for place in _PLACES:
            found += self._follow(place.format(self._name))
        return tuple(found)

    def _follow(self, name: str) -> list[str]:
        """Return what a ref says, and what those say that it stands for."""
        said: list[str] = []
        for _ in range(_MOST_STEPS):
            text = _text(self._own, name) or _text(self._shared, name)
            said.append(text)
            if not text.startswith(_SYMBOLIC):
                break
            name = text.removeprefix(_SYMBOLIC).strip()
        return said


def _text(files: DiskFiles, name: str) -> str:
    """Return what a file of a ref says; empty where there is none."""
    try:
        return os.fsdecode(files.read_bytes(name, _LARGEST)) if files.has(name) else ""
    except LeadlineError:
        return ""


def _identity(files: DiskFiles, name: str) -> tuple[int, ...]:
    """Return what tells a file from the one that takes its place."""
    try:
        status = os.lstat(files.on_disk(name))
    except OSError:
        return ()
    return status.st_ino, status.st_size, status.st_mtime_ns
