"""The cache folder is outside of the tree and the user's own; a path that cannot be one is an error in a line."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from conftest import write
from consoles import Console, Ran
from leadline_server import running

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes and links of POSIX")


def listed(console: Console, cache: Path, *options: str) -> Ran:
    return console.process("call", *options, "--cache-dir", str(cache), "list_files")


@pytest.mark.parametrize("inside", [".", "cache", "link"])
def test_a_cache_folder_inside_the_root_is_refused(console: Console, tmp_path: Path, inside: str) -> None:
    root = write(tmp_path / "root", {"a.py": ""})
    (tmp_path / "link").symlink_to(root)
    mode = root.stat().st_mode
    over_http = ("serve", "--http", "127.0.0.1:8765")
    for command in (("call", "list_files"), ("serve",), over_http, ("index",)):
        folder = tmp_path / "link" if inside == "link" else root / inside
        ran = console(*command[:1], "--root", str(root), "--cache-dir", str(folder), *command[1:])
        assert (ran.code, ran.out) == (2, "")
        assert f"is in the root {root}. Pass a --cache-dir outside of it." in ran.err
    assert [path.name for path in root.iterdir()] == ["a.py"]
    assert root.stat().st_mode == mode


def test_a_usual_cache_folder_inside_the_root_is_not_used(console: Console) -> None:
    write(console.home, {"a.py": ""})
    ran = console.process("call", "--root", str(console.home), "list_files")
    assert ran.code == 0
    assert "a.py" in ran.out
    assert "so the index is in memory: set --cache-dir" in ran.err
    assert [path.name for path in console.home.iterdir()] == ["a.py"]


@pytest.mark.parametrize("path", ["x" * 5_000, "x/" * 3_000])
@pytest.mark.parametrize(
    "command", [("call", "list_files"), ("serve",), ("serve", "--http", "127.0.0.1:8765")], ids=str
)
def test_a_path_that_cannot_be_a_cache_folder_is_an_error_in_a_line(
    console: Console, path: str, command: tuple[str, ...]
) -> None:
    ran = console(command[0], "--cache-dir", path, *command[1:])
    assert ran.code == 2
    assert "The cache folder cannot be used: File name too long." in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("transport", [(), ("--http", "127.0.0.1:8765")], ids=str)
def test_roots_that_are_none_or_lie_in_one_another_end_the_start_in_a_line(
    console: Console, tmp_path: Path, transport: tuple[str, ...]
) -> None:
    root, cache = write(tmp_path / "root", {"a.py": "", "in/b.py": ""}), str(tmp_path / "cache")
    odd = ("/dev/null", str(root / "a.py"), "", "x\ny", str(root / "nothing"), f"..={root}", f".={root}", f"a/b={root}")
    several = [(f"a={root}", f"b={root}"), (f"a={root}", f"b={root}/in"), (f"a={root}", f"a={root}/in"), (root, root)]
    for roots in (*((one,) for one in odd), *several):
        options = [part for one in roots for part in ("--root", str(one))]
        ran = console("serve", *transport, *options, "--cache-dir", cache)
        assert ran.code == 2, roots
        assert ran.out == ""
        assert re.search(r"root|omit one", ran.err), ran.err
        assert "--http" not in ran.err
        assert "Traceback" not in ran.err


def test_a_cache_folder_that_others_may_write_to_is_reported(
    console: Console, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache = console.home / "cache"
    cache.mkdir()
    assert "other users" not in listed(console, cache).err
    assert "cache: " + str(cache) + " is writable" in console("doctor", "--cache-dir", str(cache)).out
    cache.chmod(0o777)
    assert "can be written by other users" in console("doctor", "--cache-dir", str(cache)).out
    listed(console, cache)
    assert cache.stat().st_mode & 0o777 == 0o700
    monkeypatch.setattr(running, "is_writable_by_others", lambda _: True)  # as of a folder of somebody else
    assert console("call", "--alone", "--cache-dir", str(cache), "list_files").code == 0
    assert f"other users can write to the cache folder {cache}" in caplog.text
