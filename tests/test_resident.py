"""The console is answered by a resident server as it would answer itself, which nobody has to start or to end."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import platformdirs
import pytest

from conftest import write
from consoles import DEADLINE, REPOSITORY, SOURCES, Console, Ran
from leadline_server import folders, settings
from leadline_server.console.call import call as command
from leadline_server.folders import is_private
from leadline_server.resident import wire
from leadline_server.resident.address import addresses
from leadline_server.resident.client import ask_status
from leadline_server.resident.command_line import OPTIONS, VARIABLES, Takes
from leadline_tools.index.tree import programs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no Unix sockets there")

SHOP = {"shop/cart.py": "class Cart:\n    def add(self):\n        pass\n", "README.md": "# Shop\n"}


@dataclass(frozen=True, slots=True)
class Calling:
    """The console with resident servers, in a runtime folder of their own."""

    console: Console
    folder: Path
    sources: str = SOURCES

    def __call__(self, *arguments: str, **variables: str) -> Ran:
        """Run a command in a process of its own."""
        return self.console.process(*arguments, variables=self.variables | variables)

    @property
    def variables(self) -> dict[str, str]:
        return {
            "LEADLINE_ALONE": "0",
            "LEADLINE_RUNTIME_DIR": str(self.folder),
            "LEADLINE_CACHE_DIR": str(self.console.home / "cache"),
            "PYTHONPATH": self.sources,
        }

    def text(self, *arguments: str, **variables: str) -> str:
        """Return an answer that is no error."""
        ran = self("call", *arguments, **variables)
        assert (ran.code, ran.err) == (0, ""), ran
        return ran.out

    def servers(self) -> list[dict[str, Any]]:
        """Return what the servers that run say of themselves."""
        ran = self("status", "--json")
        assert (ran.code, ran.err) == (0, "")
        found: list[dict[str, Any]] = json.loads(ran.out)
        return found

    def started(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a call that is not waited for."""
        command = [sys.executable, "-P", "-m", "leadline_server", "call", *arguments]
        return subprocess.Popen(
            command,
            cwd=self.console.folder,
            env=self.console.environment | self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


@pytest.fixture
def call(console: Console) -> Iterator[Calling]:
    write(console.folder, SHOP)
    with tempfile.TemporaryDirectory(prefix="leadline-") as short:  # the path of a socket has at most 100 bytes
        calling = Calling(console, Path(short) / "run")
        yield calling
        assert calling("stop", "--all").code == 0
        assert not addresses(str(calling.folder))


def test_an_unknown_model_is_said_with_every_answer_of_a_server(call: Calling) -> None:
    for _ in range(2):
        ran = call("call", "count_files", "--model", "clade")
        assert (ran.code, ran.err.endswith("Did you mean claude?\n")) == (0, True), ran
    assert len(call.servers()) == 1


def test_calls_are_answered_by_one_server_as_each_is_alone(call: Calling) -> None:
    questions = [
        ("call", "symbol_search", "query=Cart"),
        ("call", "read_file", "path=shop/cart.py", "--json"),
        ("call", "read_file", "path=missing.py"),
        ("call", "sail"),
        ("call", "read_file", "path=shop/cart.py", "num_lines=two"),
    ]
    alone = [call(*question, "--alone") for question in questions]
    assert call.servers() == []
    assert [call(*question) for question in questions] == alone
    (server,) = call.servers()
    assert server["calls"] == len(questions)
    assert server["roots"] == [str(call.console.folder)]


def test_a_call_sees_what_was_changed_before_it(call: Calling) -> None:
    assert "Cart" in call.text("symbol_search", "query=Cart", "match=exact")
    write(call.console.folder, {"shop/cart.py": "class Basket:\n    pass\n"})
    assert "class Basket" in call.text("symbol_search", "query=Basket", "match=exact")
    assert "Cart" not in call.text("document_symbols", "path=shop/cart.py")


def test_a_wrong_command_line_is_the_same_line_with_a_server_and_without(call: Calling) -> None:
    for words in (["read_file", "README.md"], ["read_file", "--path", "README.md"]):
        before = call("call", *words)
        assert call.servers() == []
        call.text("list_files")
        ran = call("call", *words)
        assert ran == before
        assert (ran.code, ran.out, len(ran.err.splitlines())) == (2, "", 1)
        call("stop")


def test_options_of_one_call_go_along_with_it(call: Calling) -> None:
    for option, variables in (("--max-tokens=70", {}), ("--json", {}), ("--json", {"LEADLINE_MAX_TOKENS": "80"})):
        question = ("symbol_search", "query=Cart", option)
        assert call.text(*question, **variables) == call("call", *question, "--alone", **variables).out
    assert len(call.servers()) == 1


def test_other_options_or_another_tree_are_another_server_s(call: Calling) -> None:
    assert "model openai" in call.text("budget", "--model", "openai")
    assert "model claude" in call.text("budget", LEADLINE_MODEL="claude-opus-4-7")
    assert "model openai" in call.text("budget", LEADLINE_MODEL="openai")
    assert len(call.servers()) == 2
    call.text("count_files", "--root", "shop", "--model", "openai")
    assert len(call.servers()) == 3
    assert str(call.console.folder / "shop") in call("stop", "--root", "shop").out
    assert len(call.servers()) == 2


def test_a_server_is_found_from_every_folder(call: Calling) -> None:
    call.text("list_files")
    inner = Calling(Console(call.console.home, call.console.folder / "shop"), call.folder)
    assert "README.md" in inner.text("list_files", "--root", "..")
    assert len(call.servers()) == 2  # the options are others: none, and --root
    assert "README.md" in call.text("list_files", "--root", ".")
    assert len(call.servers()) == 2


def test_a_configuration_that_has_changed_is_another_server_s(call: Calling) -> None:
    file = call.console.home / "leadline.toml"
    file.write_text('model = "openai"\n', encoding="utf-8")
    assert "model openai" in call.text("budget", LEADLINE_CONFIG=str(file))
    file.write_text('model = "claude-opus-4-7"\n', encoding="utf-8")
    assert "model claude" in call.text("budget", LEADLINE_CONFIG=str(file))
    file.write_text("sails = 3\n", encoding="utf-8")
    assert call("call", "budget", LEADLINE_CONFIG=str(file)).code == 2


def test_sources_that_have_changed_are_another_server_s(call: Calling, tmp_path: Path) -> None:
    parts = ("server", "tools", "estimators")
    for part in parts:
        shutil.copytree(REPOSITORY / part, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    changed = Calling(call.console, call.folder, os.pathsep.join(str(tmp_path / part) for part in parts))
    changed.text("list_files")
    os.utime(tmp_path / "tools" / "leadline_tools" / "result.py")
    changed.text("list_files")
    assert len(call.servers()) == 2


def test_of_several_that_are_started_at_once_one_serves(call: Calling) -> None:
    with ThreadPoolExecutor(4) as others:
        answers = list(others.map(lambda _: call.text("read_file", "path=README.md"), range(4)))
    assert all("# Shop" in answer for answer in answers)
    (server,) = call.servers()
    assert server["calls"] == 4


def test_a_server_that_was_killed_is_replaced(call: Calling) -> None:
    call.text("list_files")
    (before,) = call.servers()
    os.kill(before["pid"], signal.SIGKILL)
    assert "Cart" in call.text("read_file", "path=shop/cart.py")
    (after,) = call.servers()
    assert after["pid"] != before["pid"]


@pytest.mark.parametrize("said", [b"", b"hello\n", b'{"protocol": 0}\n'])
def test_whoever_else_listens_in_the_place_of_a_server_is_replaced(call: Calling, said: bytes) -> None:
    call.text("list_files")
    (address,) = addresses(str(call.folder))
    call("stop")
    with socket.socket(socket.AF_UNIX) as listener, ThreadPoolExecutor(1) as others:
        listener.bind(address.socket)
        listener.listen()
        spoken = others.submit(lambda: _say(listener, said))
        assert "Cart" in call.text("read_file", "path=shop/cart.py")
        assert spoken.result(DEADLINE)
    assert len(call.servers()) == 1


def _say(listener: socket.socket, said: bytes) -> bool:
    """Answer who connects first, and nobody any more; return whether that was a question."""
    connection, _ = listener.accept()
    listener.close()
    with connection:
        asked = connection.recv(1 << 16)
        connection.sendall(said)
    return b"read_file" in asked


def test_a_server_that_does_not_answer_is_done_without_and_can_be_stopped(call: Calling) -> None:
    call.text("list_files")
    (server,) = call.servers()
    os.kill(server["pid"], signal.SIGSTOP)
    assert "Cart" in call.text("read_file", "path=shop/cart.py")
    assert f"Process {server['pid']} does not answer. Run leadline stop --all." in call("status").err
    assert call("stop", "--all").code == 0
    assert call.servers() == []


@pytest.mark.parametrize("folder", ["/dev/null/run", "linked", "open", "x" * 90])
def test_without_a_folder_of_one_s_own_each_call_is_answered_alone(call: Calling, folder: str) -> None:
    place = call.folder.parent / folder
    if folder == "open":
        place.mkdir(mode=0o755)
    if folder == "linked":
        (call.folder.parent / "real").mkdir(mode=0o700)
        place.symlink_to("real")
    there = Calling(call.console, place)
    ran = there("call", "read_file", "path=shop/cart.py")
    assert (ran.code, "Cart" in ran.out) == (0, True)
    assert ran.err.startswith("leadline: Each call opens the index itself, because no resident server can run: ")
    listed = there("status", "--json")
    assert (listed.code, json.loads(listed.out)) == (0, [])
    for err in (ran.err, listed.err):
        assert str(place) in err
        assert ("chmod 700" if folder == "open" else "--runtime-dir") in err
    looked = there("doctor", "--json")
    (found,) = [one for one in json.loads(looked.out) if one["name"] == "resident server"]
    assert (found["state"], str(place) in found["seen"]) == ("poor", True)
    assert there("call", "--alone", "read_file", "path=shop/cart.py").err == ""


def test_the_folder_of_the_servers_is_looked_at(call: Calling) -> None:
    (found,) = [one for one in json.loads(call("doctor", "--json").out) if one["name"] == "resident server"]
    assert (found["state"], found["seen"]) == ("good", f"can listen in {call.folder}")


def test_a_server_whose_socket_was_deleted_ends_and_the_next_call_has_another(call: Calling) -> None:
    call.text("list_files")
    (before,) = call.servers()
    for file in call.folder.glob("*.sock"):
        file.unlink()
    until = time.monotonic() + DEADLINE
    while Path(f"/proc/{before['pid']}").exists():
        assert time.monotonic() < until
    call.text("list_files")
    (after,) = call.servers()
    assert after["pid"] != before["pid"]


def test_alone_neither_asks_nor_starts_a_server(call: Calling) -> None:
    assert "Cart" in call.text("--alone", "read_file", "path=shop/cart.py")
    assert not call.folder.exists()


def test_a_server_ends_when_nobody_has_called_for_a_while(call: Calling) -> None:
    call.text("list_files", "--idle-seconds", "0.5")
    until = time.monotonic() + DEADLINE
    while list(call.folder.iterdir()):
        assert len(call.servers()) <= 1
        assert time.monotonic() < until


def test_a_server_that_is_told_to_end_leaves_nothing_behind(call: Calling) -> None:
    call.text("list_files")
    (server,) = call.servers()
    listed = call("status").out
    assert f"process {server['pid']} since " in listed
    assert str(call.console.folder) in listed
    assert f"Stopped process {server['pid']} of {call.console.folder}" in call("stop").out
    assert not list(call.folder.iterdir())
    assert "No resident server is running." in call("status").out
    assert f"No resident server of {call.console.folder} is running." in call("stop").out


def test_a_server_whose_files_were_deleted_leaves_those_of_the_next_one(call: Calling) -> None:
    call.text("list_files")
    (before,) = call.servers()
    shutil.rmtree(call.folder)
    call.text("list_files")
    (after,) = call.servers()
    with contextlib.suppress(ProcessLookupError):  # it may have seen it and ended
        os.kill(before["pid"], signal.SIGTERM)
    until = time.monotonic() + DEADLINE
    while Path(f"/proc/{before['pid']}").exists():
        assert call.servers()[0]["pid"] == after["pid"] != before["pid"]
        assert time.monotonic() < until
    assert len(call.servers()) == 1


def is_busy(call: Calling) -> bool:
    states = [ask_status(address) for address in addresses(str(call.folder))]
    return any(state is not None and state.calls and not state.idle for state in states)


@pytest.mark.usefixtures("interruptible")
def test_what_is_interrupted_is_cancelled_in_the_server(call: Calling) -> None:
    uses = "".join(f"def use_{number}(wind):\n    return sail(wind)\n" for number in range(800))
    files = {f"pkg/m{number}.py": f"from pkg.sails import sail\n{uses}" for number in range(400)}
    write(call.console.folder, {**files, "pkg/sails.py": "def sail(wind):\n    return wind\n"})
    with call.started("find_references", "symbol=pkg/sails.py:1:5") as asking:
        until = time.monotonic() + DEADLINE
        while not is_busy(call):  # asked directly: a process that asks would take as long as the call may
            assert asking.poll() is None
            assert time.monotonic() < until
        asking.send_signal(signal.SIGINT)
        out, err = asking.communicate(timeout=DEADLINE)
    assert (asking.returncode, out, err.strip()) == (130, "", "leadline: Interrupted.")
    (server,) = call.servers()
    assert server["idle"] > 0


def test_only_a_user_s_own_folder_and_processes_are_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert is_private(str(folder))
        assert wire.is_same_user(ours)
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        assert not is_private(str(folder))
        assert not wire.is_same_user(ours)


def test_a_server_accepts_no_line_that_is_too_long_or_no_request(call: Calling) -> None:
    call.text("list_files")
    (address,) = addresses(str(call.folder))
    for line in (b"x" * (wire.LONGEST_REQUEST + 1), b"{}\n", b"[]\n", b'{"kind": 1}\n'):
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(DEADLINE)
            client.connect(address.socket)
            assert _answered(client, line) == b""
    assert len(call.servers()) == 1


def _answered(client: socket.socket, line: bytes) -> bytes:
    try:
        client.sendall(line)
        return client.recv(1 << 16)
    except (BrokenPipeError, ConnectionResetError):
        return b""


def test_an_edit_that_is_allowed_is_made_once(call: Calling) -> None:
    words = ("rename_symbol", "symbol=Cart", "new_name=Basket", "apply=true")
    assert call("call", *words).code == 1
    call.text(*words, "--allow-edits")
    assert "class Basket:" in (call.console.folder / "shop" / "cart.py").read_text(encoding="utf-8")
    assert len(call.servers()) == 2


def test_the_variables_that_programs_see_decide_which_server_answers() -> None:
    windows = {"SYSTEMROOT", "WINDIR", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "LOCALAPPDATA"}
    assert set(programs._HANDED_ON) - windows <= set(VARIABLES)


def test_the_options_are_those_that_the_command_declares() -> None:
    declared = {
        option.opts[0]: (option.envvar or "", option.is_flag, isinstance(option.type, click.Path))
        for option in command.params
        if isinstance(option, click.Option)
    }
    paths = {Takes.Path, Takes.Roots}
    assert declared == {
        name: (option.variable, option.takes is Takes.Nothing, option.takes in paths)
        for name, option in OPTIONS.items()
    }


@pytest.mark.skipif(sys.platform != "linux", reason="platformdirs is used elsewhere")
@pytest.mark.parametrize("base", ["", "/somewhere", "not/absolute", "  "])
def test_the_user_s_folders_are_where_other_programs_have_them(monkeypatch: pytest.MonkeyPatch, base: str) -> None:
    for variable in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, base)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert settings.usual_path().parent == platformdirs.user_config_path("leadline", appauthor=False)
    assert Path(folders.runtime_folder()) == platformdirs.user_cache_path("leadline", appauthor=False) / "run"


def test_the_runtime_folder_of_the_system_is_used_where_it_is_the_user_s_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    assert folders.runtime_folder() == str(runtime / "leadline")
    runtime.chmod(0o755)
    assert folders.runtime_folder() != str(runtime / "leadline")


def test_what_a_running_server_answers_waits_for_no_library(call: Calling) -> None:
    call.text("list_files")
    code = (
        "import atexit, sys;"
        "atexit.register(lambda: print(sorted({'click', 'pathlib', 'pydantic'} & set(sys.modules))));"
        "from leadline_server.__main__ import main; main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, "call", "list_files"],
        cwd=call.console.folder,
        env=call.console.environment | call.variables,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    assert ran.stdout.startswith("list_files"), ran.stderr
    assert ran.stdout.splitlines()[-1] == "[]"
