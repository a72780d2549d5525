"""Programs that a server starts: none of the tree, and none reads or says what the server would not."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import write
from keys import KEYS
from test_servers import ENTICING, OUTSIDE, PASSWORD
from torture.trees import repository, state
from torture.wire import PATIENCE, START_SECONDS, Client, Lines, connect, process_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

CANARIES = ("git", "ruff", "ty", "node", "python", "python3", "sh", "basedpyright-langserver", "tsserver", "npm")
MANIFESTS = {
    "package.json": '{"name": "a", "workspaces": ["../outside"], "exports": {".": "../outside/x.js"}}\n',
    "tsconfig.json": '{"extends": "../outside/tsconfig.json", "references": [{"path": "../outside"}]}\n',
    "Cargo.toml": '[package]\nname = "a"\n\n[dependencies]\nx = { path = "../outside" }\n',
    "go.mod": "module a\n\nreplace x => ../outside\n",
    "composer.json": '{"autoload": {"psr-4": {"X\\\\": "../outside/"}}}\n',
    "pyproject.toml": '[project]\nname = "a"\nreadme = "../outside/x.md"\n',
    "ruff.toml": 'extend = "../outside/ruff.toml"\n',
    "src/a.py": "import os\n\n\ndef inside():\n    return 1\n\n\ninside()\n",
    "src/a.ts": 'import { x } from "../../outside/x";\n\nexport function insideTs() {\n  return x;\n}\n',
    "src/a.c": '#include "../../outside/x.h"\n\nint inside_c(void) { return X; }\n',
    "src/a.rs": 'include!("../../outside/x.rs");\n\nfn inside_rs() {}\n',
    "json.py": "raise SystemExit\n",
    "sitecustomize.py": "raise SystemExit\n",
}
BESIDE = {
    "tsconfig.json": "{}\n",
    "ruff.toml": 'select = ["ALL"]\n',
    **{f"x.{end}": f"// {OUTSIDE}\n" for end in ("js", "md", "ts", "h", "rs")},
}


def _set_canaries(root: Path) -> str:
    """Put programs into a tree that leave a mark when they run; return a PATH that leads to them first."""
    folders = [root / "bin", root / "node_modules" / ".bin", root / ".venv" / "bin"]
    for folder in folders:
        for name in CANARIES:
            write(folder, {name: f"#!/bin/sh\ntouch {root}/SPRUNG\n"})
            (folder / name).chmod(0o755)
    (root / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    return os.pathsep.join((*map(str, folders), "", "bin", os.environ["PATH"]))


class Opened(NamedTuple):
    """A file that a process opened or tried to: its path, how, and whether it did."""

    path: str
    flags: str
    done: bool


_OPENAT = re.compile(r'openat\([^<,]*(?:<([^>]*)>)?, "((?:[^"\\]|\\.)*)", ([A-Z_|]+).*= (-?\d+)')
_UNFINISHED = " <unfinished ...>"
_RESUMED = re.compile(r" *<\.\.\. \w+ resumed>")
_EXECVE = re.compile(r'execve\("([^"]*)".* = 0$')
_CHANGES = re.compile(r"\b(?:rename|unlink|mkdir|rmdir|symlink|link|chmod|utime)\w*\(.* = 0$")


def _openings(lines: list[str]) -> Iterator[Opened]:
    for line in lines:
        if found := _OPENAT.search(line):
            path = os.path.normpath(Path(found[1] or "/", found[2]))
            yield Opened(path, found[3], int(found[4]) >= 0)


def _is_below(path: str, folder: Path) -> bool:
    return Path(path).is_relative_to(folder)


def _traced(calls: Path, server: int) -> list[str]:
    """Return the lines of a trace, once the server in it has ended."""
    until = time.monotonic() + START_SECONDS
    while not re.search(rf"^{server} +\+\+\+", text := calls.read_text(errors="replace"), re.MULTILINE):
        assert time.monotonic() < until
        time.sleep(0.05)
    return list(_whole_calls(text.splitlines()))


def _whole_calls(lines: Iterable[str]) -> Iterator[str]:
    """Join the two lines of each call during which another process was traced."""
    begun: dict[str, str] = {}
    for line in lines:
        process, _, call = line.partition(" ")
        if call.endswith(_UNFINISHED):
            begun[process] = line.removesuffix(_UNFINISHED)
        elif (resumed := _RESUMED.match(call)) and process in begun:
            yield begun.pop(process) + call[resumed.end() :]
        else:
            yield line


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace shows what is opened")
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_no_process_opens_what_is_beside_the_root_writes_into_it_or_connects(tmp_path: Path, transport: str) -> None:
    root, calls = repository(write(tmp_path / "root", MANIFESTS)), tmp_path / "calls"
    write(tmp_path / "outside", BESIDE)
    (tmp_path / "pyproject.toml").write_text('[project]\nrequires-python = ">=3.7"\n')
    path = _set_canaries(root)
    before = state(root)
    kinds = "trace=openat,execve,connect,rename,renameat2,unlink,unlinkat,mkdir,mkdirat,symlink,chmod,utimensat"
    tracer = ("strace", "-D", "-f", "-y", "-q", "--seccomp-bpf", "-e", kinds, "-o", str(calls))
    with connect(transport, root, tmp_path / "cache", before=tracer, PATH=path) as client:
        said = [
            client.call("list_files").text,
            *(client.call("symbol_search", query=name).text for name in ("inside", "insideTs", "inside_c")),
            client.call("find_references", symbol="inside").text,
            client.call("go_to_definition", symbol="insideTs").text,
            client.call("apply_code_fix", path="src").text,
            client.call("search_text", query="outside").text,
            client.call("repo_map").text,
        ]
        server = process_of(client).process
        server.terminate()
        server.wait(10 * PATIENCE)
    lines = _traced(calls, server.pid)
    assert "src/a.py" in said[1]
    assert OUTSIDE not in "".join(said)
    opened = list(_openings(lines))
    assert any(_is_below(one.path, root) for one in opened)
    own = (root, tmp_path / "cache")
    beside = {one.path for one in opened if one.done and _is_below(one.path, tmp_path) and "O_PATH" not in one.flags}
    assert {path for path in beside if not any(_is_below(path, folder) for folder in own)} == set()
    writing = [one for one in opened if one.done and re.search("O_WRONLY|O_RDWR|O_CREAT", one.flags)]
    assert [one.path for one in writing if _is_below(one.path, root)] == []
    assert [line for line in lines if _CHANGES.search(line) and f"{root}/" in line] == []
    started = {found[1] for line in lines if (found := _EXECVE.search(line))}
    assert {Path(program).name for program in started} >= {"git"}
    assert [program for program in started if _is_below(os.path.realpath(program), root)] == []
    assert [line for line in lines if "connect(" in line and "sa_family=AF_INET" in line] == []
    assert state(root) == before


LANGUAGE_SERVERS = {
    "ty": ("ty", "py"),
    "basedpyright": ("basedpyright-langserver", "py"),
    "tsgo": ("tsgo", "ts"),
    "typescript-language-server": ("typescript-language-server", "ts"),
}


def _heard(client: Lines | Client, server: str, symbol: str, seconds: float) -> str:
    """Ask for a definition until a language server says something of it, or some seconds have passed."""
    until = time.monotonic() + seconds * PATIENCE
    while f"{server}: " not in (text := client.call("go_to_definition", symbol=symbol).text):
        if time.monotonic() > until:
            break
    return text


@pytest.mark.parametrize("transport", ["stdio", "http"])
@pytest.mark.parametrize("server", LANGUAGE_SERVERS)
def test_no_language_server_shows_a_key_a_secret_or_what_is_outside_or_runs_what_is_in_the_tree(
    tmp_path: Path, server: str, transport: str
) -> None:
    program, end = LANGUAGE_SERVERS[server]
    if not (shutil.which(program, path=sysconfig.get_path("scripts")) or shutil.which(program)):
        pytest.skip(f"{program} is not installed")
    files = ENTICING["python" if end == "py" else "typescript"]
    write(tmp_path, {path: text.replace("ABSOLUTE", str(tmp_path)) for path, text in files.items()})
    root = tmp_path / "root"
    (root / f"near.{end}").symlink_to(tmp_path / "outside" / f"near.{end}")
    path = _set_canaries(root)
    with connect(transport, root, tmp_path / "cache", "--language-servers", server, PATH=path) as client:
        assert "own-value" in _heard(client, server, "use.OWN", 30).partition(f"{server}: ")[2]
        texts = [
            _heard(client, server, f"use.{name}", 4) for name in ("COPY", "PW", "NUMBER", "FAR", "BY_LINK", "MADE")
        ]
        texts.append(client.call("apply_code_fix", path=f"use.{end}").text)
        for text in texts:
            assert not [value for value in (KEYS["github"][8:], PASSWORD, OUTSIDE, "482913") if value in text]
    assert not (root / "SPRUNG").exists()
