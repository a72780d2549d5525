"""The cache folder is outside of the tree and the user's own; a path that cannot be one is an error in a line."""

from __future__ import annotations

import os
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
    for command in (("call", "list_files"), ("serve",), ("index",)):
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
def test_a_path_that_cannot_be_a_cache_folder_is_an_error_in_a_line(console: Console, path: str) -> None:
    ran = console("call", "--cache-dir", path, "list_files")
    assert ran.code == 2
    assert "The cache folder cannot be used: File name too long." in ran.err
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
