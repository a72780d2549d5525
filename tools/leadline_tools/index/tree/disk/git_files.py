"""The files that git lists in a work tree.

git runs without anything that the repository could make it do, see ``git_command``.

git marks the *shared index* of a *split index* as used, by the time of its file, whenever it reads it. So there git
gets a mirror of the folder that it would write to: copies of the index and of what the index shares.

A named pipe in place of a file that git opens would stop it forever. Where there is one at a place that is known, git
is not started. Otherwise it is ended when it only waits. The files are then those that a walk finds.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

from leadline_tools.errors import LeadlineError
from leadline_tools.index.tree.disk.disk_files import DiskFiles
from leadline_tools.index.tree.disk.repositories import git_folder
from leadline_tools.index.tree.git_command import ENVIRONMENT, OPTIONS
from leadline_tools.index.tree.mirror import Mirror
from leadline_tools.index.tree.programs import Limits, Outcome, find_program, run

_LIMITS = Limits(seconds=30.0, output=64 << 20, memory=4 << 30, processor=8, idle=1.2)
"""What git may take. It lists Linux in a quarter of a second and 5 MB. On a cold disk it waits long, for the disk."""

_LIST = (*OPTIONS, "ls-files", "-z", "--cached", "--others", "--exclude-standard")

_OPENED = ("config", "config.worktree", "HEAD", "index", "info/exclude", "commondir", "packed-refs")
"""Files of a repository that git opens."""

_LARGEST_INDEX = 512 << 20

_UNOPENED = re.compile(rb"^warning: could not open directory '(.*)/': ", re.MULTILINE)


class GitFiles(NamedTuple):
    """What git lists: the paths of files, relative to the root, and the folders that it could not open."""

    paths: list[str]
    unopened: list[str]


class GitFolders(NamedTuple):
    """The folders of a repository: the top of its work tree, its own files, and those that its work trees share."""

    work_tree: Path
    own: Path
    shared: Path


def list_git_files(root: str) -> GitFiles | None:
    """Ask git for the files below a folder.

    Returns None where there is no git, no work tree, or no answer within its limits.
    """
    git = find_program("git", root)
    repository = find_repository(Path(root))
    if git is None or (repository is not None and has_pipe(root, repository)):
        return None
    try:
        answer = _ask(git, root, repository)
    except OSError:
        return None
    if answer.code or answer.stopped:
        return None
    # git ends the name of a repository inside this one with a slash.
    paths = [path.removesuffix("/") for path in os.fsdecode(answer.output).split("\0")]
    return GitFiles(paths, [os.fsdecode(folder) for folder in _UNOPENED.findall(answer.errors)])


def find_repository(root: Path) -> GitFolders | None:
    """Return the repository that a folder is in; None for none."""
    for folder in (root, *root.parents):
        if os.path.lexists(folder / ".git"):
            own = git_folder(folder / ".git")
            return GitFolders(folder, own, _shared_folder(own))
    return None


def _shared_folder(own: Path) -> Path:
    """Return the folder of the repository that the folder of a linked work tree names; else the folder itself."""
    with suppress(LeadlineError):
        named = os.fsdecode(DiskFiles(own).read_bytes("commondir", 4096)).strip()
        return Path(os.path.normpath(own / named))
    return own


def has_pipe(root: str, repository: GitFolders) -> bool:
    """Return whether a file that git opens first is something that it would wait for."""
    opened: Iterable[Path] = (
        Path(root, ".gitignore"),
        repository.work_tree / ".gitignore",
        *(folder / name for folder in {repository.own, repository.shared} for name in _OPENED),
    )
    return any(_would_wait(file) for file in opened)


def _would_wait(file: Path) -> bool:
    try:
        mode = file.stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _ask(git: str, root: str, repository: GitFolders | None) -> Outcome:
    """Run git. Raises OSError."""
    own = repository.own if repository is not None else None
    shared = [file.name for file in own.glob("sharedindex.*")] if own is not None else []
    if repository is None or not shared:
        return run([git, *_LIST], root, _LIMITS, ENVIRONMENT)
    with closing(Mirror(root)) as mirror:
        return run([git, *_LIST], root, _LIMITS, {**ENVIRONMENT, **_mirrored(repository, mirror, shared)})


def _mirrored(repository: GitFolders, mirror: Mirror, shared: Iterable[str]) -> Mapping[str, str]:
    """Copy what git would write to into a mirror, which is then a linked work tree.

    Returns the environment variables for git.
    """
    tree = DiskFiles(repository.own)
    for name in ("HEAD", "index", *shared):
        with suppress(LeadlineError):
            mirror.copy(name, tree.read_bytes(name, _LARGEST_INDEX))
    mirror.copy("commondir", os.fsencode(repository.shared) + b"\n")
    return {"GIT_DIR": mirror.folder, "GIT_WORK_TREE": str(repository.work_tree)}
