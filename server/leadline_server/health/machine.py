"""The check of the machine: the cache, the disk, watches of folders, other programs."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from leadline_server.folders import is_writable_by_others
from leadline_server.health.finding import Finding, good, poor
from leadline_server.resident.address import find_obstacle
from leadline_tools.diagnostics.ruff import ruff_program
from leadline_tools.index.tree.disk.walk import walk
from leadline_tools.index.tree.programs import Limits, find_program, run
from leadline_tools.language_servers.known import KNOWN, KnownServer

_ROOMY = 512 << 20
"""Free bytes on the disk of the cache below which doctor warns: the index of Linux takes 200 MB."""

_WATCHES = Path("/proc/sys/fs/inotify/max_user_watches")
_MOST_OF = 0.8
"""The share of all watches that one tree may take: editors need some too."""

_RUFF = "Reinstall leadline, which includes ruff. Without it, apply_code_fix finds only syntax errors in Python."

_VERSION_SECONDS = 10.0
_NUMBER = re.compile(r"\d+\.\d+(?:\.\d+)*[\w.-]*")


def check_machine(roots: Sequence[Path], cache: Path, empty: Path) -> Iterator[Finding]:
    """Look at what the server needs of the machine.

    Args:
        roots: The trees to check, if there are any; programs inside the first of them are never started.
        cache: The folder for indexes and results.
        empty: An empty folder, which stands for the tree where there is none.

    """
    root = next(iter(roots), empty)
    yield _check_cache(cache)
    yield _check_disk(cache)
    yield _check_watches(roots)
    yield _check_program("git", root, empty, find_program, "Install git. Without it, Leadline lists trees itself.")
    yield _check_program("ruff", root, empty, lambda _name, folder: ruff_program(folder), _RUFF)


def check_language_servers(root: Path) -> Iterator[Finding]:
    """Look at each language server; all are optional, so a missing one is no fault."""
    for known in KNOWN:
        yield _check_language_server(known, str(root))


def summarize_language_servers(root: Path) -> Finding:
    """Return in one finding which language servers are installed."""
    installed = [known.name for known in KNOWN if known.found(str(root)) is not None]
    seen = f"{', '.join(installed) or 'none'} installed; all are optional, leadline doctor --verbose lists them"
    return good("language servers", seen)


def check_resident(folder: str) -> Iterator[Finding]:
    """Look at the folder in which resident servers listen."""
    obstacle = find_obstacle(folder)
    if obstacle:
        cure = "Until then each leadline call opens the index itself, which takes longer."
        yield poor("resident server", obstacle, cure)
    else:
        yield good("resident server", f"can listen in {folder}")


def _check_language_server(known: KnownServer, root: str) -> Finding:
    """Report whether a language server is installed."""
    languages = ", ".join(known.languages)
    found = known.found(root)
    if found is None:
        return good(f"server {known.name}", f"not installed (optional); for {languages}: {known.cure}")
    program = find_program(known.command[0], root, (sysconfig.get_path("scripts"),)) or found.command[0]
    version = "" if known.runs else _program_version(program, known.version)  # rustup's stand-in makes folders
    seen = f"{version}{program}, for {languages}"
    if known.runs:
        return good(f"server {known.name}", f"{seen}; used only if you name it, because it may run {known.runs}")
    return good(f"server {known.name}", f"{seen}; used with --language-servers auto")


def _program_version(program: str, arguments: Sequence[str]) -> str:
    """Return the version of a program: the first number in its output."""
    if not arguments:
        return ""
    try:
        outcome = run((program, *arguments), tempfile.gettempdir(), Limits(_VERSION_SECONDS))
    except OSError:
        return ""
    number = _NUMBER.search(outcome.output.decode("utf-8", "replace"))
    return f"{number[0]} at " if number is not None else ""


def _check_cache(cache: Path) -> Finding:
    """Return whether the cache can be written, without making it."""
    there = _existing_folder(cache)
    try:
        if there == cache:
            with tempfile.TemporaryFile(dir=cache):
                pass
        elif not (there.is_dir() and os.access(there, os.W_OK)):
            raise PermissionError
    except OSError:
        cure = "Set --cache-dir or LEADLINE_CACHE_DIR to a writable folder. Until then, every start builds the index."
        return poor("cache", f"{cache} is not writable", cure)
    if there == cache and is_writable_by_others(cache):
        return poor("cache", f"{cache} can be written by other users", "Set --cache-dir to a folder of your own.")
    return good("cache", f"{cache} is writable")


def _existing_folder(folder: Path) -> Path:
    """Return a folder, or the nearest one above it that exists."""
    return next((place for place in (folder, *folder.parents) if place.exists()), Path(folder.anchor))


def _check_disk(cache: Path) -> Finding:
    free = shutil.disk_usage(_existing_folder(cache)).free
    seen = f"{free / (1 << 30):.1f} GB free for the cache"
    if free < _ROOMY:
        return poor("disk", seen, "Free disk space, or set --cache-dir to another disk: a large index takes 200 MB.")
    return good("disk", seen)


def _check_watches(roots: Sequence[Path]) -> Finding:
    """Compare the folders of the trees with how many the system lets a user watch."""
    if not roots:
        return good("watcher", "no tree to watch here; pass --root to name one")
    if sys.platform != "linux":
        return good("watcher", "the system watches whole trees")
    folders = sum(map(_count_folders, roots))
    try:
        most = int(_WATCHES.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return good("watcher", f"{folders:,} folders; the system reports no limit")
    noun = "folder" if folders == 1 else "folders"
    seen = f"{folders:,} {noun} in {', '.join(map(str, roots))}; {most:,} watches allowed"
    if folders < most * _MOST_OF:
        return good("watcher", seen)
    wanted = max(524_288, 4 * folders)
    cure = f"Allow more, or changes are found by walking the tree: sudo sysctl fs.inotify.max_user_watches={wanted}"
    return poor("watcher", seen, cure)


def _count_folders(root: Path) -> int:
    return len({os.path.dirname(found.path) for found in walk(root).files})  # noqa: PTH120  half a million paths


def _check_program(name: str, root: Path, empty: Path, find: Callable[[str, str], str | None], cure: str) -> Finding:
    """Ask a program for its version; one inside the tree is reported as such, since no tool starts it."""
    program = find(name, str(root))
    if program is None:
        inside = find(name, str(empty))
        if inside is None:
            return poor(name, "not found", cure)
        seen = f"{inside} is inside {root}, and programs in the tree are never started"
        return poor(name, seen, "Pass the folder of a project with --root, or install Leadline outside of this one.")
    try:
        outcome = run((program, "--version"), str(root), Limits(_VERSION_SECONDS))
    except OSError as error:
        return poor(name, f"{program} cannot be started: {error.strerror}", cure)
    if outcome.code or outcome.stopped:
        return poor(name, f"{program} exited with code {outcome.code}", cure)
    return good(name, outcome.output.decode("utf-8", "replace").strip())
