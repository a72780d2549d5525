"""Many roots need many open files: the limit is raised at the start, and an answer says where it is reached."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Open, write
from consoles import DEADLINE, Console

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")

ROOTS = 24


def test_more_roots_are_answered_than_the_usual_limit_of_open_files_has_room_for(console: Console) -> None:
    roots = []
    for number in range(ROOTS):
        write(console.folder / f"r{number}", {"a.py": f"def shared():\n    return {number}\n"})
        roots.append(f"--root=r{number}={console.folder / f'r{number}'}")
    command = [sys.executable, "-m", "leadline_server", "call", *roots, "symbol_search", "query=shared", "match=exact"]
    limited = ["sh", "-c", 'ulimit -Sn 100; exec "$@"', "sh", *command]
    done = subprocess.run(
        limited,
        check=False,
        cwd=console.folder,
        env=console.environment,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
    )
    assert f"{ROOTS} symbols, complete" in done.stdout, done.stderr


def test_files_that_are_not_read_for_want_of_descriptors_are_reported_with_the_reason(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking = opened(write(tmp_path, {"a.py": "def alpha():\n    return 1\n", "b.py": "alpha()\n"}))

    def refuse(*_given: object, **_options: object) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        found = asking("search_text", query="alpha")
        assert "too many open files" in found
        assert "complete" not in found.splitlines()[0]
        refused = asking.response("read_file", path="a.py").text
        assert "too many open files" in refused
        assert "ulimit -n" in refused
    assert "2 lines in 2 files, complete" in asking("search_text", query="alpha")
