"""What many roots on one server cost: processes, descriptors, memory, the start, and questions about one and all.

    python bench/roots.py CORPUS... --scratch DIR [--roots 10 50 100] [--descriptors N] [--cold] [--whole]

Roots are copies of folders of the corpora that have between ``_LEAST`` and ``_MOST`` files, taken in the order of a
digest of their paths: the same on every machine that has the same corpora. With ``--whole`` each corpus is itself a
root, in the order in which they are named. Each server gets the first N of them, over stdio, as a client that runs it
would; it writes and uses bytecode, as where Leadline is installed. ``--cold`` begins without an index; otherwise one is
built first by a server that is not measured. ``--descriptors`` sets the soft limit of open files. Memory is the
proportional share (PSS) of the server and all its descendants. Needs Linux.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import queue
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from processes import descendants

_LEAST, _MOST = 40, 400
_SAMPLE_SECONDS = 0.5
_BUILD_SECONDS = 900.0
_UNUSED_SECONDS = 100
_SAME = 5
"""Roots that are asked about by themselves: the same ones whatever their number."""

_WORKER = b"leadline_tools.index.workers"
_WORDS = "init probe open read write close start stop reset get set add remove find parse count".split()
"""What is searched for, each once: a repeated question would be answered from the store."""


_NAMES = ("init", "Parser", "render", "is_valid", "to_json", "no_such_name")
"""Names that several roots define, and one that none does: asked for once, without a path."""


class Sample(NamedTuple):
    """What the system says of a server and its descendants at one moment: numbers, and bytes of memory."""

    workers: int
    descriptors: int
    threads: int
    queues: int
    pss: int


class Server:
    """A server over stdio, and a client that speaks to it; the most of each number that was seen meanwhile."""

    def __init__(self, roots: Mapping[str, Path], cache: Path, descriptors: int) -> None:
        arguments = [f"--root={name}={path}" for name, path in roots.items()]
        command = [sys.executable, "-m", "leadline_server", "serve", f"--cache-dir={cache}", *arguments]
        self.started = time.monotonic()
        if descriptors:
            command = ["sh", "-c", f'ulimit -Sn {descriptors}; exec "$@"', "sh", *command]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        self._number = 0
        self.peak = Sample(0, 0, 0, 0, 0)
        self._ended = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.instructions: str = self._ask("initialize", hello)["instructions"]
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.ready_seconds = time.monotonic() - self.started

    def call(self, tool: str, **arguments: object) -> str:
        """Return the text of an answer."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        text: str = result["content"][0]["text"]
        return text

    def sample(self) -> Sample:
        """Return what the system says now."""
        pids = [self._process.pid, *descendants(self._process.pid)]
        kinds = [kind for pid in pids for kind in _open_files(pid)]
        own = list(_open_files(self._process.pid))
        threads = len(list(Path(f"/proc/{self._process.pid}/task").iterdir()))
        workers = sum(_WORKER in _command(pid) for pid in pids)
        memory = sum(_pss(pid) for pid in pids if _is_started(pid, self._process.pid))
        return Sample(workers, len(own), threads, kinds.count("anon_inode:inotify"), memory)

    @property
    def cpu(self) -> float:
        """Return the seconds of CPU of the server's own process up to now."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """End the server as a client does."""
        self._ended.set()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(60)

    def _ask(self, method: str, params: Mapping[str, object]) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = json.loads(self._lines.get(timeout=300))
            if message.get("id") == self._number:
                return message["result"]

    def _send(self, message: Mapping[str, object]) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)

    def _watch(self) -> None:
        while not self._ended.wait(_SAMPLE_SECONDS):
            with contextlib.suppress(OSError):
                self.peak = Sample(*map(max, zip(self.peak, self.sample(), strict=True)))


def main() -> None:
    """Measure servers with the asked numbers of roots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--scratch", type=Path, required=True)
    parser.add_argument("--roots", type=int, nargs="+", default=[10, 50, 100])
    parser.add_argument("--descriptors", type=int, default=0)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    roots: Mapping[str, Path]
    if arguments.whole:
        names = (re.sub(r"[^\w.-]", "-", path.name) for path in arguments.corpora)
        roots = {f"r{at:03}-{name}": path for at, (name, path) in enumerate(zip(names, arguments.corpora, strict=True))}
    else:
        roots = _copied(arguments.corpora, arguments.scratch / "roots", max(arguments.roots))
    for number in arguments.roots:
        some = dict(list(roots.items())[:number])
        cache = arguments.scratch / f"cache-{number}"
        if arguments.cold:
            shutil.rmtree(cache, ignore_errors=True)
        else:
            _build(some, cache)
            for stored in cache.glob("results.db*"):  # answers of an earlier run
                stored.unlink()
        _measure(some, cache, arguments.descriptors, cold=arguments.cold)


def _measure(roots: Mapping[str, Path], cache: Path, descriptors: int, *, cold: bool) -> None:
    server = Server(roots, cache, descriptors)
    one, *_ = few = [*roots][:_SAME]
    print(f"{len(roots)} roots, {sum(_files(path) for path in roots.values()):,} files, {'cold' if cold else 'warm'}")
    print(f"  initialized after {server.ready_seconds:.2f} s, {server.cpu:.2f} s of CPU; {server.sample()}")
    for tool, arguments in (("count_files", {"path": one}), ("symbol_search", {"query": "zzq", "match": "exact"})):
        began, cpu = time.monotonic(), server.cpu
        text = server.call(tool, **arguments)
        print(f"  first {tool} {arguments} in {time.monotonic() - began:.2f} s,", end=" ")
        print(f"{server.cpu - cpu:.2f} s of CPU: {_head(text)}")
    seconds = _until_complete(server)
    print(f"  complete after {seconds:.0f} s; then {server.sample()}; most {server.peak}")
    print(f"  instructions: {len(server.instructions):,} characters")
    asked: Sequence[tuple[str, Mapping[str, object]]] = (
        *(("count_files", {"path": root, "pattern": "*{0}*"}) for root in few),
        *(("symbol_search", {"query": "{0}", "path": root}) for root in few),
        ("symbol_search", {"query": "{0}"}),
        *(("search_text", {"query": "{0}_dev", "path": root}) for root in few),
        ("search_text", {"query": "{0}_dev"}),
        ("search_text", {"query": "{0}", "word": True}),
        ("find_references", {"symbol": _first_symbol(server, one), "max_tokens": 500}),
        *((tool, {"symbol": name}) for name in _NAMES for tool in ("find_references", "go_to_definition")),
    )
    for tool, question in asked:
        words = _WORDS if any("{0}" in str(value) for value in question.values()) else [""] * 2
        _time(server, tool, question, words)
    for word in ("", "cache", "parser"):
        _time(server, "repo_map", {"focus": "{0}"}, [word])
    for tool, question in _every_tool(one, _first_file(server, one), _first_symbol(server, one)):
        _time(server, tool, question, [""])
    print(f"  after use: {server.sample()}, most {server.peak}")
    time.sleep(_UNUSED_SECONDS)
    print(f"  {_UNUSED_SECONDS} s later: {server.sample()}")
    server.close()


def _every_tool(root: str, path: str, symbol: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """Yield a question to each tool, about one root and about all where it can be about all; ``path`` is a file."""
    for tool, arguments in (
        ("list_files", {}),
        ("count_files", {}),
        ("read_file", {"path": path}),
        ("document_symbols", {"path": path}),
        ("search_text", {"query": "return"}),
        ("symbol_search", {"query": "init"}),
        ("find_code", {"query": "read a configuration file"}),
        ("repo_map", {}),
        ("go_to_definition", {"symbol": symbol}),
        ("find_references", {"symbol": symbol}),
        ("find_implementations", {"symbol": symbol}),
        ("type_members", {"symbol": symbol}),
        ("call_hierarchy", {"symbol": symbol}),
        ("rename_symbol", {"symbol": symbol, "new_name": "renamed_here"}),
        ("apply_code_fix", {"path": root}),
        ("budget", {}),
    ):
        yield tool, arguments
        if tool in {"list_files", "count_files", "search_text", "symbol_search", "find_code", "repo_map"}:
            yield tool, {**arguments, "path": root}


def _time(server: Server, tool: str, question: Mapping[str, object], words: Sequence[str]) -> None:
    """Ask a question once with each word, and print how long that took."""
    times, cpu, text = [], server.cpu, ""
    for word in words:
        asked = {name: value.format(word) if isinstance(value, str) else value for name, value in question.items()}
        began = time.perf_counter()
        text = server.call(tool, **asked)
        times.append(time.perf_counter() - began)
    used = (server.cpu - cpu) / len(words)
    middle, most = statistics.median(times) * 1000, max(times) * 1000
    print(f"  {tool} {question}: p50 {middle:.1f} ms, most {most:.1f}, CPU {used * 1000:.1f} ms: {_head(text)}")


def _first_file(server: Server, root: str) -> str:
    """Return the path of a file of a root: the one that a search for the most common letter lists first."""
    found = re.search(rf"^{re.escape(root)}/.+$", server.call("search_text", query="e", path=root), re.MULTILINE)
    if found is None:
        raise SystemExit(f"no file of {root} is listed")
    return found[0]


def _first_symbol(server: Server, root: str) -> str:
    """Return the symbol of the ``find_references`` call that the map of a root offers."""
    found = re.search(r'find_references\(symbol="([^"]+)"', server.call("repo_map", path=root))
    return found[1] if found is not None else "init"


def _head(text: str) -> str:
    """Return the header of an answer, with its notes of what is missing."""
    lines = text.splitlines()
    notes = [line for line in lines[1:4] if line.startswith(("without", "stopped", "still"))]
    return " / ".join([lines[0][:110], *notes])


def _build(roots: Mapping[str, Path], cache: Path) -> None:
    server = Server(roots, cache, 0)
    _until_complete(server)
    server.close()


def _until_complete(server: Server) -> float:
    """Wait until the names of all roots are indexed; return the seconds since the start of the server."""
    number = 0
    while time.monotonic() - server.started < _BUILD_SECONDS:
        number += 1
        text = server.call("symbol_search", query=f"zzq{number}zz", match="exact")
        if not any(word in text for word in ("still", "first scan", ">=")):
            break
        time.sleep(0.5)
    return time.monotonic() - server.started


def _copied(corpora: Sequence[Path], folder: Path, number: int) -> Mapping[str, Path]:
    """Return so many roots by their names, copied where they are not there yet."""
    found = sorted((one for corpus in corpora for one in _candidates(corpus)), key=_digest)
    roots: dict[str, Path] = {}
    for source in found[:number]:
        name = f"r{len(roots):03}-{source.name}"
        roots[name] = folder / name
        if not roots[name].exists():
            shutil.copytree(source, roots[name], symlinks=True, ignore=shutil.ignore_patterns(".git"))
    if len(roots) < number:
        raise SystemExit(f"the corpora have {len(roots)} folders of {_LEAST} to {_MOST} files, {number} are wanted")
    return roots


def _candidates(folder: Path) -> Iterator[Path]:
    """Yield the outermost folders that have a number of files that makes a root."""
    files = _files(folder)
    if _LEAST <= files <= _MOST:
        yield folder
    elif files > _MOST:
        for inner in sorted(folder.iterdir()):
            if inner.is_dir() and not inner.is_symlink() and inner.name != ".git":
                yield from _candidates(inner)


def _files(folder: Path) -> int:
    return sum(len(names) for _, _, names in os.walk(folder))


def _digest(folder: Path) -> bytes:
    return hashlib.sha256("/".join(folder.parts[-3:]).encode()).digest()


def _open_files(pid: int) -> Iterator[str]:
    with contextlib.suppress(OSError):
        for entry in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                yield str(entry.readlink())


def _command(pid: int) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def _is_started(pid: int, server: int) -> bool:
    """Return whether a process runs a program of its own: first it is a copy of the server, whose pages it has."""
    return pid == server or _command(pid) not in (b"", _command(server))


def _pss(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) << 10
    return 0


if __name__ == "__main__":
    main()
