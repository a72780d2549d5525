"""A *repository* of git, as far as commits are read from it: where it is, and what git says of its commits.

A tree is data that somebody else wrote, and so is its ``.git``. It may say that the repository is another one, which
its author wants to have read. So a ``.git`` that is a file counts only where the repository that it names names it too,
a common folder only for a linked work tree, and objects have to lie in the repository, not in one that it borrows from.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from leadline_tools.errors import LeadlineError, UnknownCommit, UnusableRepository
from leadline_tools.index.tree.descent import beneath
from leadline_tools.index.tree.disk.disk_files import DiskFiles
from leadline_tools.index.tree.disk.git_files import GitFolders, has_pipe
from leadline_tools.index.tree.disk.repositories import git_folder
from leadline_tools.index.tree.git_command import ENVIRONMENT, OPTIONS
from leadline_tools.index.tree.programs import Limits, Outcome, find_program, run
from leadline_tools.likeness import most_alike

_LIMITS = Limits(seconds=60.0, memory=4 << 30, processor=30, idle=3.0)
"""What one command of git may take; it lists a commit of 80,000 files in a second."""

_MOST_REFS = 20_000
"""Names of branches and tags among which those are looked for that were meant."""

_MOST_MEANT = 3
"""Names that are offered for one that there is not."""

_LIKENESS = 0.5
"""From 0 to 1: names less alike are not taken for one another."""

_LARGEST_POINTER = 64 << 10
"""Bytes that are read of a file of git that names a folder, a commit or a branch."""

_LARGEST_REF = 256
"""Characters of the name of a commit."""

_WORK_TREE = re.compile(r"^\s*worktree\s*=\s*\"?(.*?)\"?\s*$", re.IGNORECASE | re.MULTILINE)

_STAGED = re.compile(
    rb"\d{6} (?P<name>[0-9a-f]+) 0\t(?P<path>[^\0]+)\0  ctime: (?P<ctime>\d+):(?P<ctime_ns>\d+)\n"
    rb"  mtime: (?P<mtime>\d+):(?P<mtime_ns>\d+)\n.*\n.*\n  size: (?P<size>\d+)\t.*\n"
)
"""A file as git prints it from its index."""

_TIME = "mtime" if os.name == "nt" else "ctime"
"""The time by which a tree tells whether a file has changed, see ``walk``."""

_FULL = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")

_REPACK = "Run git repack -a -d in it, remove .git/objects/info/alternates, and try again."


class TreeEntry(NamedTuple):
    """What a commit has at a path: its mode in octal, the kind and the name of its object, its bytes (-1: unknown)."""

    mode: str
    kind: str
    name: str
    size: int
    path: str


class StagedFile(NamedTuple):
    """A file in git's index: its object, and what the file was like when git looked at it last."""

    name: str
    size: int
    changed_ns: int


class Repository:
    """A repository, and the folder of it whose files are read.

    Attributes:
        folder: The folder, by its real path: the top of a work tree, one below it, or a bare repository.
        own: Where the repository has what belongs to this work tree alone, such as ``HEAD``.
        shared: Where it has what all its work trees share: objects and branches.

    """

    def __init__(self, folder: Path) -> None:
        """Find the repository. Raises UnusableRepository."""
        self.folder = Path(os.path.realpath(folder))
        places = _find(self.folder)
        self.own, self.shared = places.own, places.shared
        self._top = places.work_tree
        self._prefix = "" if places.work_tree == self.own else self.folder.relative_to(places.work_tree).as_posix()
        self._prefix = "" if self._prefix == "." else self._prefix
        _check_objects(self.folder, self.shared)
        git = find_program("git", str(self.folder))
        if git is None:
            raise UnusableRepository(str(self.folder), "git is not installed", "Install git.")
        if has_pipe(str(self.folder), places):
            raise UnusableRepository(str(self.folder), "a file of its repository is a pipe", "Remove it.")
        self.command = (git, *OPTIONS)
        self.environment = {**ENVIRONMENT, "GIT_DIR": str(self.own)}

    @property
    def is_shallow(self) -> bool:
        """Return whether it lacks the history before some commits."""
        return (self.shared / "shallow").is_file()

    def commit(self, ref: str) -> str:
        """Return the full name of the commit that a branch, tag or expression means. Raises UnknownCommit."""
        if _FULL.fullmatch(ref) is None and (not ref.isprintable() or not ref or len(ref) > _LARGEST_REF):
            raise UnknownCommit(ref[:_LARGEST_REF], str(self.folder))
        done = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        name = done.output.decode("ascii", "replace").strip()
        if done.code or done.stopped or _FULL.fullmatch(name) is None:
            raise self._unknown(ref, done)
        return name

    def _unknown(self, ref: str, done: Outcome) -> LeadlineError:
        folder = str(self.folder)
        if done.stopped:
            return UnusableRepository(folder, f"git did not answer ({done.stopped})", "Check the repository.")
        names = list(self._refs())
        if not names and not self.has_commits():
            hint = "Commit something, or navigate the folder itself."
            return UnusableRepository(folder, "the repository has no commits yet", hint)
        if self.is_shallow:
            return UnknownCommit(ref, folder, (), "The clone is shallow: run git fetch --unshallow, and try again.")
        return UnknownCommit(ref, folder, most_alike(ref, names, _MOST_MEANT, _LIKENESS))

    def has_commits(self) -> bool:
        """Return whether ``HEAD`` is a commit."""
        return self.run("rev-parse", "--verify", "--quiet", "HEAD^{commit}").code == 0

    def _refs(self) -> Iterator[str]:
        """Yield the names of branches and tags."""
        done = self.run("for-each-ref", f"--count={_MOST_REFS}", "--format=%(refname:lstrip=2)")
        yield from os.fsdecode(done.output).splitlines()

    def files(self, commit: str) -> Iterator[TreeEntry]:
        """Yield what a commit has in the folder and below it. Raises UnusableRepository."""
        done = self.run("ls-tree", "-r", "-l", "-z", "--full-tree", f"{commit}:{self._prefix}")
        if done.code or done.stopped:
            if self._prefix and self.run("cat-file", "-e", f"{commit}^{{tree}}").code == 0:
                reason = f"commit {short(commit)} has no folder {self._prefix}"
                raise UnusableRepository(str(self.folder), reason, "Name a commit that has it.")
            reason = f"objects of commit {short(commit)} are missing or damaged"
            raise UnusableRepository(str(self.folder), reason, self.remedy)
        for row in os.fsdecode(done.output).split("\0"):
            head, tab, path = row.partition("\t")
            if tab:
                mode, kind, name, size = head.split()
                yield TreeEntry(mode, kind, name, int(size) if size.isdecimal() else -1, path)

    def has_folder(self, commit: str) -> bool:
        """Return whether a commit has the folder whose files are read."""
        return not self._prefix or self.run("cat-file", "-e", f"{commit}:{self._prefix}").code == 0

    def staged(self) -> Mapping[str, StagedFile]:
        """Return the files in git's index, by their paths beneath the folder; none where reading it would write to it.

        What git calls a time of a file is that of its inode, or where that can be set back, of its content.
        """
        if any(self.own.glob("sharedindex.*")):
            return {}
        environment = {**self.environment, "GIT_WORK_TREE": str(self._top)}
        command = [*self.command, "ls-files", "--stage", "--debug", "-z"]
        try:
            done = run(command, str(self._top), _LIMITS, environment)
        except OSError:
            return {}
        start = f"{self._prefix}/" if self._prefix else ""
        found: dict[str, StagedFile] = {}
        for row in _STAGED.finditer(done.output) if not done.code and not done.stopped else ():
            path = os.fsdecode(row["path"])
            if path.startswith(start):
                changed = int(row[_TIME]) * 1_000_000_000 + int(row[f"{_TIME}_ns"])
                found[path[len(start) :]] = StagedFile(row["name"].decode(), int(row["size"]), changed)
        return found

    @property
    def remedy(self) -> str:
        """Return what brings objects that are missing."""
        if self.is_shallow:
            return "The clone is shallow: run git fetch --unshallow, and try again."
        return "Run git fsck to see what is wrong; in a partial clone, git checkout of that commit fetches its files."

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the commit from which two commits go apart; None where they have nothing in common."""
        done = self.run("merge-base", one, other)
        name = done.output.decode("ascii", "replace").strip()
        return name if not done.code and _FULL.fullmatch(name) else None

    def run(self, *arguments: str) -> Outcome:
        """Run a command of git, and return what came of it. Raises UnusableRepository where it cannot be started."""
        try:
            return run([*self.command, *arguments], str(self.own), _LIMITS, self.environment)
        except OSError as error:
            raise UnusableRepository(str(self.folder), f"git cannot be started ({error})", "Install git.") from None


def short(commit: str) -> str:
    """Return the beginning of the name of a commit, as people write it."""
    return commit[:8]


def is_full(ref: str) -> bool:
    """Return whether a name is that of one commit for ever."""
    return _FULL.fullmatch(ref) is not None


def _find(folder: Path) -> GitFolders:
    """Return where the repository of a folder is. Raises UnusableRepository."""
    if not (folder / ".git").exists() and all((folder / name).exists() for name in ("HEAD", "objects", "refs")):
        return GitFolders(folder, folder, folder)
    for above in (folder, *folder.parents):
        pointer = above / ".git"
        if os.path.lexists(pointer):
            own = Path(os.path.realpath(git_folder(pointer)))
            if own != pointer and not _names_work_tree(own, above):
                hint = f"Name that folder: --root NAME={own}@REF, if it is what you mean."
                raise UnusableRepository(str(folder), f"its .git names {own}, which does not name it", hint)
            return GitFolders(above, own, _shared(folder, own))
    raise UnusableRepository(
        str(folder), "it is not in a git repository", "Omit @ and what follows, or name a repository."
    )


def _names_work_tree(own: Path, work_tree: Path) -> bool:
    """Return whether what a ``.git`` names says that it belongs there: that of a linked work tree, or a submodule."""
    back = _read(own, "gitdir").strip()
    if back:
        return os.path.realpath(own / back) == os.path.realpath(work_tree / ".git")
    named = _WORK_TREE.search(_read(own, "config"))
    return named is not None and os.path.realpath(own / named[1]) == os.path.realpath(work_tree)


def _shared(folder: Path, own: Path) -> Path:
    """Return the folder that linked work trees share. Raises UnusableRepository."""
    named = _read(own, "commondir").strip()
    if not named:
        return own
    shared = Path(os.path.realpath(own / named))
    if own.parent.name != "worktrees" or own.parent.parent != shared:
        hint = "Name the repository itself."
        raise UnusableRepository(str(folder), f"its repository takes its objects from {shared}", hint)
    return shared


def _check_objects(folder: Path, shared: Path) -> None:
    """Raise UnusableRepository where objects come from elsewhere."""
    objects = shared / "objects"
    real = os.path.realpath(objects)
    outside = "" if beneath(real, str(shared)) else real
    if _read(shared, "objects/info/alternates").strip():
        outside = "the repositories in objects/info/alternates"
    for place in (objects, objects / "pack") if not outside else ():
        outside = outside or next(_links_out(place, str(shared)), "")
    if outside:
        raise UnusableRepository(str(folder), f"its repository borrows objects of {outside}", _REPACK)


def _links_out(folder: Path, shared: str) -> Iterator[str]:
    """Yield where symbolic links in a folder lead that leave the repository."""
    try:
        with os.scandir(folder) as entries:
            links = [entry.path for entry in entries if entry.is_symlink()]
    except OSError:
        return
    yield from (real for link in links if not beneath(real := os.path.realpath(link), shared))


def _read(folder: Path, name: str) -> str:
    """Return what a small file of a repository says; empty where there is none."""
    files = DiskFiles(folder)
    try:
        return os.fsdecode(files.read_bytes(name, _LARGEST_POINTER)) if files.has(name) else ""
    except LeadlineError:
        return ""
