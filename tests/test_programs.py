"""Programs of others: found outside of the tree only, started bare, and ended when it is time."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from leadline_tools import cancellation
from leadline_tools.index.tree.programs import Limits, find_program, path_outside, run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the programs are shell scripts")


def script(folder: Path, text: str, name: str = "tool") -> str:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def alive(group: int) -> bool:
    """Return whether a process of a group runs; one that only waits to be buried does not."""
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], check=True, capture_output=True, text=True).stdout
    return any(row.split()[0] == str(group) and not row.split()[1].startswith("Z") for row in listed.splitlines())


def test_what_a_program_says_and_ends_with_is_returned(tmp_path: Path) -> None:
    done = run(
        [script(tmp_path / "bin", "cat; echo wrong >&2; exit 3")], str(tmp_path), Limits(20), given=b"x" * 300_000
    )
    assert (done.code, len(done.output), done.errors, done.stopped) == (3, 300_000, b"wrong\n", "")


def test_a_program_sees_few_variables_and_those_that_are_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    monkeypatch.setenv("LD_PRELOAD_X", "hidden")
    done = run([script(tmp_path / "bin", "env")], str(tmp_path), Limits(20), {"GIVEN": "1"})
    names = {line.partition(b"=")[0] for line in done.output.splitlines()}
    assert {b"PATH", b"GIVEN"} <= names
    assert names <= {b"PATH", b"HOME", b"TMPDIR", b"LD_LIBRARY_PATH", b"GIVEN", b"PWD", b"SHLVL", b"_", b"OLDPWD"}


def test_a_program_in_the_tree_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(tmp_path / "root", "")
    monkeypatch.setenv("PATH", str(tmp_path / "root"))
    assert find_program("tool", str(tmp_path / "root"), [str(tmp_path / "root")]) is None
    outside = script(tmp_path / "bin", "")
    assert find_program("tool", str(tmp_path / "root"), [str(tmp_path / "bin")]) == outside
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "tool").symlink_to(tmp_path / "root" / "tool")
    assert find_program("tool", str(tmp_path / "root"), [str(tmp_path / "links")]) is None
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, (tmp_path / "root", tmp_path / "links", tmp_path / "bin"))))
    assert find_program("tool", str(tmp_path / "root")) == outside
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "bin")  # of which a program of the tree could be meant once it is started there
    assert find_program("tool", str(tmp_path / "root")) == outside


def test_programs_see_no_folder_of_a_root_and_no_relative_one_on_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "root" / "bin").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "root" / "bin")
    folders = (tmp_path / "root" / "bin", "", ".", "node_modules/.bin", tmp_path / "link", tmp_path / "other", "/bin")
    monkeypatch.setenv("PATH", os.pathsep.join(map(str, folders)))
    assert path_outside([str(tmp_path / "root")]) == f"{tmp_path / 'other'}{os.pathsep}/bin"


@pytest.mark.parametrize("text", ["sleep 60", "sleep 60 & wait", "exec >&- 2>&-; sleep 60", "(sleep 60) & exit 0"])
def test_a_program_is_ended_with_all_it_started_when_its_time_is_up(tmp_path: Path, text: str) -> None:
    start = time.monotonic()
    done = run([script(tmp_path / "bin", f"echo $$ > {tmp_path}/pid\n{text}")], str(tmp_path), Limits(0.5))
    assert done.stopped == "it takes too long"
    assert time.monotonic() - start < 20
    group = int((tmp_path / "pid").read_text())
    until = time.monotonic() + 10
    while alive(group) and time.monotonic() < until:
        pass
    assert not alive(group)


def test_a_program_that_says_too_much_is_ended(tmp_path: Path) -> None:
    done = run([script(tmp_path / "bin", "exec cat /dev/zero")], str(tmp_path), Limits(60, 1_000_000))
    assert done.stopped == "its output is too long"
    assert len(done.output) < 2_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process waits for")
def test_a_program_that_only_waits_or_uses_the_processor_for_too_long_is_ended(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    os.mkfifo(tmp_path / "pipe")
    started = time.monotonic()
    waits = run([script(tmp_path / "bin", f"cat {tmp_path}/pipe")], str(tmp_path), Limits(60, idle=0.5))
    assert waits.stopped == "it waits for something"
    busy = run([script(tmp_path / "bin", "while :; do :; done")], str(tmp_path), Limits(60, processor=1, idle=0.5))
    assert busy.code < 0
    assert time.monotonic() - started < 50
    slow = "for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done"
    assert run([script(tmp_path / "bin", slow)], str(tmp_path), Limits(60, idle=1.0)).output.count(b"\n") == 6


def test_a_program_ends_when_nobody_waits_for_it(tmp_path: Path) -> None:
    token = cancellation.Token()
    token.cancel()
    command = [script(tmp_path / "bin", "sleep 60")]
    with pytest.raises(cancellation.Cancelled):
        token.run(lambda: run(command, str(tmp_path), Limits(60)))
