"""The user's folders. On Linux they follow from a few variables; elsewhere platformdirs knows, which loads longer.

What a call imports before it asks its resident server has no pathlib, no dataclasses and no click: together they take
several times as long as the question.
"""

from __future__ import annotations

import os
import stat
import sys

_NAME = "leadline"


def configuration_folder() -> str:
    """Return the folder of ``leadline.toml``."""
    if sys.platform == "linux":
        return _under("XDG_CONFIG_HOME", ".config")
    import platformdirs

    return platformdirs.user_config_dir(_NAME, appauthor=False)


def runtime_folder(named: str = "") -> str:
    """Return the folder in which resident servers listen: the one that is named, the runtime folder, or the cache."""
    if named:
        return os.path.abspath(named)
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime) and is_private(runtime):
        return os.path.join(runtime, _NAME)
    if sys.platform == "linux":
        return os.path.join(_under("XDG_CACHE_HOME", ".cache"), "run")
    import platformdirs

    return os.path.join(platformdirs.user_cache_dir(_NAME, appauthor=False), "run")


def is_private(folder: str) -> bool:
    """Return whether a path is a folder, no link to one, that only its owner can look into, who is this user."""
    if os.name != "posix":
        return False
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and not stat.S_IMODE(found.st_mode) & 0o077 and found.st_uid == os.geteuid()


def is_writable_by_others(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder or file belongs to another user, or others may write to it; False where there is none."""
    if os.name != "posix":
        return False
    try:
        found = os.stat(folder)
    except OSError:
        return False
    return bool(stat.S_IMODE(found.st_mode) & 0o022) or found.st_uid not in {os.geteuid(), 0}


def _under(variable: str, usual: str) -> str:
    """Return our folder in the one that a variable names; a path that is not absolute counts as none, as XDG has it."""
    base = os.environ.get(variable, "").strip()
    return os.path.join(base if os.path.isabs(base) else os.path.expanduser(f"~/{usual}"), _NAME)
