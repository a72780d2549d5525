"""The state of the code that answers: an answer that other code has computed is asked for again."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import leadline_tools
from leadline_server import __version__
from leadline_server.resident.command_line import source_files

_OWN = Path(__file__).parent


@cache
def code_state() -> str:
    """Return what names the code of this process: its version, and in a checkout the state of its sources too."""
    return name_code(_OWN, Path(leadline_tools.__path__[0]))


def name_code(*packages: Path) -> str:
    """Return the version, and where the first package lies in a checkout, when all sources were changed.

    The sources of a checkout change without a new version.
    """
    if not (packages[0].parents[1] / "pyproject.toml").is_file():
        return __version__
    sources = [sorted(source_files(str(package))) for package in packages]
    return f"{__version__}+{hashlib.sha256(repr(sources).encode()).hexdigest()[:16]}"
