"""The console says in one line what is wrong, and by its exit code whether it is."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from consoles import DEADLINE, REPOSITORY, Console
from leadline_server import __version__
from leadline_server import console as package
from leadline_server.cli import COMMANDS, main
from leadline_server.console.command import Command
from leadline_server.lifecycle import INTERRUPTED
from leadline_server.toolset import CORE
from leadline_tools.tool import TOOLS
from serving import free_port

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def test_with_a_pipe_for_its_input_the_bare_command_is_the_server(console: Console) -> None:
    ran = console.process(given=json.dumps(INITIALIZE) + "\n")
    assert ran.code == 0, ran.err
    answer = json.loads(ran.out.splitlines()[0])
    assert answer["result"]["serverInfo"]["name"] == "leadline"


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
def test_on_a_terminal_the_bare_command_says_what_to_do(console: Console) -> None:
    import pty

    terminal, theirs = pty.openpty()
    command = [sys.executable, "-P", "-m", "leadline_server"]
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, cwd=console.folder, env=console.environment
    ) as running:
        told, _ = running.communicate(timeout=DEADLINE)
    os.close(terminal)
    os.close(theirs)
    assert running.returncode == 0
    assert b"leadline install CLIENT" in told
    assert b"leadline doctor" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["call", "list_files", "--root", "nowhere"], "'nowhere' does not exist"),
        (["serve", "--root", "nowhere"], "'nowhere' does not exist"),
        (["call", "list_files", "--root", os.devnull], f"'{os.devnull}' is not a directory"),
        (["serve", "--http", "127.0.0.1:99999"], "HOST:PORT"),
        (["serve", "--http", "0.0.0.0:8765"], "this machine only"),
        (["call", "list_files", "everything"], "write, for example, pattern=everything"),
        (["call", "read_file", "README.md"], "write, for example, path=README.md"),
        (["call", "read_file", "--path", "README.md"], "write, for example, path=VALUE"),
        (["call", "count_files", "--rot", "x"], "There is no option --rot. Did you mean --root? See"),
        (["serve", "--root", "${workspaceFolder}"], "no folder is open in it"),
        (["serve", "--root", "$ZED_WORKTREE_ROOT$"], "no folder is open in it"),
        (["serve", "--max-tokens", "-5"], "not in the range"),
        (["install", "claude"], "Did you mean claude-code or claude-desktop?"),
        (["serve", "--colour"], "No such option"),
        (["sail"], "No such command 'sail'"),
        (["stats", "--html", "--help"], "Option '--html' requires a value before --help"),
        (["call", "--cache-dir", "--json", "list_files"], "Option '--cache-dir' requires a value before --json"),
        (["stats", "--html"], "See leadline --help."),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(console: Console, arguments: list[str], said: str) -> None:
    ran = console(*arguments)
    assert ran.code == 2
    assert ran.out == ""
    assert len(ran.err.splitlines()) == 1
    assert said in ran.err
    assert "--help" in ran.err


def test_the_budget_names_the_model_that_was_asked_for_and_as_what_it_is_counted(console: Console) -> None:
    call = ("call", "budget", "--cache-dir", str(console.home / "cache"), "--model")
    assert "model claude-opus-4-7, counted as claude-opus-5: default" in console(*call, "claude-opus-4-7").out
    assert "model openai: default" in console(*call, "openai").out


def test_an_unknown_model_is_said_on_the_error_stream_and_in_the_budget_with_the_nearest(console: Console) -> None:
    ran = console("call", "budget", "--model", "clade", "--cache-dir", str(console.home / "cache"))
    assert ran.code == 0
    assert ran.err == (
        "leadline: The model 'clade' is not known, so its tokens are counted as the most expensive ones. "
        "Did you mean claude?\n"
    )
    assert "model clade is not known (did you mean claude?), counted as the most expensive one" in ran.out


def test_a_variable_with_a_wrong_value_is_named(console: Console) -> None:
    ran = console("call", "count_files", variables={"LEADLINE_MAX_TOKENS": "abc"})
    assert (ran.code, ran.out) == (2, "")
    assert "Invalid value in LEADLINE_MAX_TOKENS: 'abc'" in ran.err


@contextmanager
def started(console: Console, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start ``leadline`` with a group of its own, as a terminal does; what it started is ended with it."""
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "leadline_server", *arguments, "--cache-dir", str(console.home / "cache")],
        cwd=console.folder,
        env=console.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def interrupt(running: subprocess.Popen[str]) -> str:
    """Press Ctrl-C: the signal goes to the whole group. Return what is on the error stream until the end."""
    os.killpg(running.pid, signal.SIGINT)
    assert running.stdin is not None
    assert running.stderr is not None
    said = running.stderr.read()
    assert running.wait(DEADLINE) == INTERRUPTED
    return said


needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")


@needs_signals
@pytest.mark.usefixtures("interruptible")
def test_a_server_over_http_says_where_it_serves_and_ends_with_130(console: Console) -> None:
    (console.folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    port = free_port()
    with started(console, "serve", "--http", f"127.0.0.1:{port}") as running:
        assert running.stderr is not None
        line = running.stderr.readline()
        assert line.startswith(f"Leadline {__version__} serves {console.folder.resolve()} at ")
        assert f"http://127.0.0.1:{port}/mcp (page: http://127.0.0.1:{port}/). Ctrl-C ends it." in line
        url = f"http://127.0.0.1:{port}/health"
        with urllib.request.urlopen(url, timeout=DEADLINE) as response:
            assert response.status == 200
        assert interrupt(running).strip() == "leadline: Interrupted."


@needs_signals
@pytest.mark.usefixtures("interruptible")
def test_a_server_over_stdio_that_is_interrupted_ends_with_130(console: Console) -> None:
    (console.folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    with started(console, "serve") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(INITIALIZE) + "\n")
        running.stdin.flush()
        assert "serverInfo" in running.stdout.readline()
        assert interrupt(running).strip() == "leadline: Interrupted."


@needs_signals
@pytest.mark.usefixtures("interruptible")
def test_an_index_that_is_interrupted_ends_with_130_and_one_line(console: Console) -> None:
    for number in range(300):
        text = "".join(f"def sail_{line}(wind):\n    return wind\n" for line in range(200))
        (console.folder / f"m{number}.py").write_text(text, encoding="utf-8")
    with started(console, "index") as running:
        until = time.monotonic() + DEADLINE
        while not list((console.home / "cache").glob("index/*.db")):
            assert time.monotonic() < until
        assert interrupt(running).strip() == "leadline: Interrupted."


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminal there")
def test_a_server_over_stdio_tells_a_person_what_it_waits_for(console: Console) -> None:
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "leadline_server", "serve", "--cache-dir", str(console.home / "cache")],
        cwd=console.folder,
        env=console.environment,
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        os.close(theirs)
        assert running.stderr is not None
        assert "over standard input and output, for an MCP client. Ctrl-C ends it." in running.stderr.readline()
        os.close(ours)


def test_an_answer_that_is_an_error_is_exit_code_1(console: Console) -> None:
    ran = console.process("call", "read_file", "path=missing.py", "--cache-dir", str(console.home / "cache"))
    assert ran.code == 1
    assert "missing.py" in ran.out
    assert ran.err == ""


def test_what_is_to_be_called_instead_has_numbers_and_truth_values_as_they_are(console: Console) -> None:
    (console.folder / "shop").mkdir()
    given = ("path=shp", "recursive=true", "limit=7", "max_tokens=500")
    (console.folder / "shop" / "models.py").write_text("", encoding="utf-8")
    ran = console("call", "list_files", *given)
    assert ran.code == 1
    assert ", recursive=true, limit=7, max_tokens=500)" in ran.out


def test_nothing_is_written_into_the_home_or_the_folder_but_the_cache(console: Console) -> None:
    (console.folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    ran = console.process("call", "list_files", "--cache-dir", str(console.home / "cache"))
    assert ran.code == 0, ran.err
    assert [path.name for path in console.home.iterdir()] == ["cache"]
    assert [path.name for path in console.folder.iterdir()] == ["a.py"]


def test_the_help_of_the_group_tells_its_exit_codes(console: Console) -> None:
    ran = console("--help")
    assert ran.code == 0
    assert "Exit codes: 0 success" in " ".join(ran.out.split())


def test_every_command_is_a_file_of_its_own() -> None:
    files = {path.stem for path in Path(str(package.__file__)).parent.glob("*.py")}
    assert set(COMMANDS) <= files
    assert all(isinstance(main.get_command(click.Context(main), name), Command) for name in COMMANDS)


def test_a_port_that_is_taken_is_one_line_that_names_another(console: Console) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = console("serve", "--http", f"127.0.0.1:{port}", "--cache-dir", str(console.home / "cache"))
    assert (ran.code, len(ran.err.splitlines())) == (1, 1)
    assert f"127.0.0.1:{port}" in ran.err
    assert "Use another port" in ran.err


@pytest.mark.parametrize(("tools", "most"), [("all", 2_500), ("core", 1_500)])
def test_the_tools_are_listed_with_what_they_cost(console: Console, tools: str, most: int) -> None:
    told = json.loads(console("tools", "--json", "--tools", tools).out)
    assert {tool["name"] for tool in told["tools"]} == set(CORE if tools == "core" else TOOLS)
    assert 0 < told["instructions"] < told["total"] <= most
    assert all(0 < tool["tokens"] < told["total"] for tool in told["tools"])
    table = console("tools", "--tools", tools).out
    assert f"{told['total']:,}" in table
    assert all(f"{tool['name']} " in table for tool in told["tools"])


def test_a_tool_that_there_is_not_is_one_line(console: Console) -> None:
    ran = console("tools", "--tools", "read_fil")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert "read_file" in ran.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_a_machine_without_a_python_that_will_do_is_told_so_in_one_line(console: Console) -> None:
    programs = console.home / "bin"
    programs.mkdir()
    for name in ("sh", "dirname"):
        (programs / name).symlink_to(str(shutil.which(name)))
    old = programs / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")  # what 3.10 answers when asked whether it is 3.11
    old.chmod(0o755)
    variables = {"PATH": str(programs), "HOME": str(console.home), "LEADLINE_VENV": str(console.home / "venv")}
    script = str(REPOSITORY / "scripts" / "leadline")
    ran = subprocess.run([script], env=variables, capture_output=True, text=True, timeout=DEADLINE, check=False)
    assert ran.returncode == 2
    assert ran.stderr == "leadline needs Python 3.11 or newer: install it, or name it with PYTHON=/path/to/python\n"
    assert not (console.home / "venv").exists()
