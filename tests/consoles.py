"""The console, run as a person runs it, with a home of its own."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from leadline_server.cli import main

REPOSITORY = Path(__file__).parents[1]
SOURCES = os.pathsep.join(str(REPOSITORY / part) for part in ("server", "tools", "estimators"))
DEADLINE = 90.0
"""Seconds after which a process is given up."""

_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "LD_LIBRARY_PATH")
"""What a process cannot do without; nothing else of whoever runs the tests."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Console:
    """A home folder with nothing in it, and commands that are run there."""

    home: Path
    folder: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return the whole environment of a command."""
        return {
            **{name: os.environ[name] for name in _KEPT if name in os.environ},
            "HOME": str(self.home),
            "USERPROFILE": str(self.home),
            "APPDATA": str(self.home / "AppData" / "Roaming"),
            "LOCALAPPDATA": str(self.home / "AppData" / "Local"),
            "PYTHONPATH": SOURCES,
            "LEADLINE_ALONE": "1",  # tests of resident servers end those that they start
        }

    def __call__(self, *arguments: str, variables: Mapping[str, str] | None = None) -> Ran:
        """Run ``leadline`` with ``arguments`` in this process, nobody being there to be asked."""
        nothing = dict.fromkeys(os.environ.keys() - self.environment.keys())
        seen = {**nothing, **self.environment, **(variables or {})}
        with contextlib.chdir(self.folder):
            result = CliRunner().invoke(main, arguments, prog_name="leadline", env=seen)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    def process(self, *arguments: str, given: str = "", variables: Mapping[str, str] | None = None) -> Ran:
        """Run ``leadline`` with ``arguments`` in a process of its own, with ``given`` for its input."""
        ran = subprocess.run(
            [sys.executable, "-P", "-m", "leadline_server", *arguments],
            cwd=self.folder,
            env=self.environment | dict(variables or {}),
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=DEADLINE,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)
