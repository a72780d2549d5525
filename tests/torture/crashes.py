"""Servers that are killed, whose clients die, whose index is damaged, whose tree moves: what comes after is right."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

from torture.outcome import Outcome, Scale
from torture.trees import FILES, FOLDERS, git, module, plain, repository, state
from torture.wire import PATIENCE, Broken, Client, Lines, command, connect, environment, running


def known(server: Lines | Client, folder: int = 0, number: int = 1) -> bool:
    """Return whether a server answers right about the plain tree, waiting for what it says is missing."""
    until = time.monotonic() + 20 * PATIENCE
    while True:
        found = server.call("symbol_search", query=f"function_{folder}_{number}").text
        text = server.call("search_text", query=f"needle_{folder}_{number}").text
        right = f"package_{folder}/module_{number}.py" in found and f"package_{folder}/module_{number}.py" in text
        if right or time.monotonic() > until:
            return right


def kills(scale: Scale) -> Outcome:
    """Kill a server 18 times at random moments of indexing, storing, watching; the next one answers right at once."""
    outcome = Outcome()
    root = plain(scale.place("kills"))
    cache = root.with_name("kills-cache")
    random = scale.random(5)
    for round_ in range(scale.many(18, 2)):
        with Lines(root, cache) as server:
            (root / f"package_{round_ % FOLDERS}" / f"fresh_{round_}.py").write_text(f"def fresh_{round_}(): pass\n")
            number = server.ask(
                "tools/call", {"name": "document_symbols", "arguments": {"path": "package_0/module_0.py"}}
            )
            time.sleep(random.random() * 0.5)
            workers = server.workers
            server.kill()
            outcome.check(not running(workers), "a worker outlived its server")
            del number
        with Lines(root, cache) as server:
            outcome.check(known(server, round_ % FOLDERS, round_ % FILES), f"wrong after kill {round_}")
            outcome.check(
                f"fresh_{round_}.py" in server.call("symbol_search", query=f"fresh_{round_}").text, "fresh lost"
            )
    outcome.check(_sound(cache), "the index is damaged")
    return outcome


def edits_killed(scale: Scale) -> Outcome:
    """Kill a server while it renames a class in all files of a tree: all of them have the one name or the other."""
    outcome = Outcome()
    root = plain(scale.place("edits"), 1, 25)
    folder, cache = root / "package_0", root.with_name("edits-cache")
    names = {path.name for path in folder.iterdir()}
    (folder / "module_0.py").write_text("class Base_0_0:\n    def method_0(self, value):\n        return value\n")
    random = scale.random(7)
    old, new = "Base_0_0", "Renamed"
    made = 0
    for round_ in range(scale.many(18, 2)):
        with Lines(root, cache, "--allow-edits") as server:
            known(server)
            server.call("rename_symbol", symbol=old, new_name=new)
            rename = {"symbol": old, "new_name": new, "apply": True}
            server.ask("tools/call", {"name": "rename_symbol", "arguments": rename})
            until = time.monotonic() + 5 * PATIENCE
            while {path.name for path in folder.iterdir()} == names and time.monotonic() < until:
                time.sleep(0.0005)  # until the first new file lies beside an old one
            time.sleep(random.random() * 0.1)
            server.kill()
        with Lines(root, cache, "--allow-edits") as server:
            server.call("list_files")
        texts = [path.read_text() for path in folder.glob("*.py")]
        edited = sum(new in text for text in texts)
        outcome.check(edited in {0, len(texts)}, f"{edited} of {len(texts)} files are edited after kill {round_}")
        left = {path.name for path in folder.iterdir()} ^ names
        outcome.check(not left, f"left beside the files: {left}")
        if edited:
            old, new, made = new, old, made + 1
    with Lines(root, cache, "--allow-edits") as server:
        known(server)
        server.call("rename_symbol", symbol=old, new_name=new, apply=True)
    outcome.check(all(new in path.read_text() for path in folder.glob("*.py")), "an edit that nobody disturbs is lost")
    outcome.figures["edits made before the end"] = str(made)
    return outcome


def _sound(cache: Path) -> bool:
    """Return whether SQLite finds the databases of a cache whole."""
    for path in cache.rglob("*.db"):
        with contextlib.closing(sqlite3.connect(path)) as connection, contextlib.suppress(sqlite3.DatabaseError):
            if connection.execute("pragma integrity_check").fetchone() != ("ok",):
                return False
    return True


def _overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def _foreign(path: Path) -> None:
    path.unlink()
    _sql(path, "create table bookmarks(url text); insert into bookmarks values('x')")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _sql(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
        connection.commit()


FAULTS: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "cut in its header": lambda path: os.truncate(path, 50),
    "not a database": lambda path: path.write_bytes(b"this is no database\n" * 5_000),
    "zeros inside": lambda path: _overwrite(path, 4_096, b"\0" * 16_384),
    "noise inside": lambda path: _overwrite(path, 8_192, Random(3).randbytes(32_768)),
    "another's tables": _foreign,
    "another version": lambda path: _sql(path, "update meta set value='0' where key='fingerprint'"),
    "rows altered": lambda path: _sql(
        path, "update file set digest=zeroblob(16), lines=7; update symbols set blob=x'00'"
    ),
    "tables gone": lambda path: _sql(path, "drop table symbols; drop table file"),
    "read-only": lambda path: path.chmod(0o400),
    "a folder": _folder,
}


TMPFS = ("unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size="$1" none "$2" && shift 2 && exec "$@"', "sh")
"""Runs a program to which a folder is a disk of its own: the size of the disk and the folder come next."""

FULL = {
    "files of 32 kB": ("prlimit", "--fsize=32768"),
    "files of 200 kB": ("prlimit", "--fsize=204800"),
    "a disk of 64 kB": (*TMPFS, "64k"),
    "a disk of 200 kB": (*TMPFS, "200k"),
    "a disk of 600 kB": (*TMPFS, "600k"),
    "a disk of 2 MB": (*TMPFS, "2m"),
    "a disk that is read only": (*TMPFS, "64k,ro"),
}
"""Disks that are too small for an index, and limits on what a process may write into one file."""


def _disks_can_be_made() -> bool:
    """Return whether a process may have a disk of its own here: some systems allow it to nobody but root."""
    return subprocess.run([*TMPFS, "64k", "/mnt", "true"], check=False, capture_output=True).returncode == 0


def _full_disks(scale: Scale, root: Path, outcome: Outcome) -> None:
    """Index where there is no room for it."""
    disks = _disks_can_be_made()
    outcome.figures["full disks"] = "yes" if disks else "cannot be made here"
    several = [(name, before, transport) for name, before in FULL.items() for transport in ("stdio", "http")]
    for edition, (name, before, transport) in islice(enumerate(several, 1), 0, None, scale.many(1, 7)):
        is_disk = before[0] == TMPFS[0]
        if is_disk and not disks:
            continue
        cache = scale.place(f"faults-{name.replace(' ', '-')}-{transport}")
        with connect(transport, root, cache, before=(*before, str(cache)) if is_disk else before) as server:
            for number in range(4):
                outcome.check(known(server, 1, number), f"{name}: wrong")
                said = server.call("read_file", path=f"package_0/module_{number}.py", max_tokens=100).text
                outcome.check(f"Module {number} of package 0" in said, f"{name}: {said[:80]}")
            (root / "package_0" / "module_9.py").write_text(module(0, 9, edition))
            outcome.check(known(server, 0, 9), f"{name}: wrong after an edit")


def _locked(scale: Scale, root: Path, outcome: Outcome) -> None:
    """Lock every database of the cache, as a program does that writes and never ends: before a server, and under it."""
    cache = scale.place("faults-locked")
    with Lines(root, cache) as server:
        outcome.check(known(server), "locked: wrong before")
        with _held(cache):
            outcome.check(known(server, 1, 5), "locked while open: wrong")
            (root / "package_1" / "late.py").write_text("def late_comer(): pass\n")
            said = server.call("symbol_search", query="late_comer").text
            outcome.check("late.py" in said, f"locked while open: {said[:80]}")
        outcome.check(known(server, 1, 6), "locked, then not: wrong")
    for mode in ("exclusive", "normal")[: scale.many(2, 1)]:
        with _held(cache, mode), Lines(root, cache) as server:
            outcome.check(known(server, 1, 7), f"locked from the beginning, {mode}: wrong")
            said = server.call("read_file", path="package_0/module_3.py").text
            outcome.check("function_0_3" in said, f"locked from the beginning, {mode}: {said[:80]}")


@contextlib.contextmanager
def _held(cache: Path, mode: str = "normal") -> Iterator[None]:
    """Keep all databases of a cache for oneself: from writing, or in the mode ``exclusive`` from reading too."""
    with contextlib.ExitStack() as stack:
        for path in sorted(cache.rglob("*.db")):
            connection = stack.enter_context(contextlib.closing(sqlite3.connect(path, isolation_level=None)))
            connection.execute("pragma busy_timeout=10000")
            connection.execute(f"pragma locking_mode={mode}")
            connection.execute("begin exclusive")
        yield


def index_faults(scale: Scale) -> Outcome:
    """Damage the index in a dozen ways: the next server answers right, and nobody has to delete anything."""
    outcome = Outcome()
    root = plain(scale.place("faults"), 2, 10)
    for name, damage in list(FAULTS.items())[:: scale.many(1, 6)]:
        cache = scale.place(f"faults-{name.replace(' ', '-').replace(chr(39), '')}")
        with Lines(root, cache) as server:
            outcome.check(known(server), f"{name}: wrong before")
            server.end(5)
        (index,) = (cache / "index").glob("*.db")
        damage(index)
        with Lines(root, cache) as server:
            outcome.check(known(server, 1, 5), f"{name}: wrong")
            said = server.call("read_file", path="package_0/module_3.py").text
            outcome.check("function_0_3" in said, f"{name}: {said[:80]}")
    cache = scale.place("faults-while-open")
    with Lines(root, cache) as server:
        outcome.check(known(server), "wrong before")
        for path in (cache / "index").glob("*.db"):
            _overwrite(path, 4_096, b"\0" * 65_536)
        outcome.check(known(server, 1, 5), "damaged while open: wrong")
        shutil.rmtree(cache)
        outcome.check(known(server, 0, 4), "cache deleted while open: wrong")
    _locked(scale, root, outcome)
    _full_disks(scale, root, outcome)
    return outcome


def moving_tree(scale: Scale) -> Outcome:
    """Switch branches under a server, again and again: after each switch its answers are those of the branch."""
    outcome = Outcome()
    root = repository(plain(scale.place("moving"), 3, 10))
    git(root, "checkout", "-q", "-b", "other")
    for number in range(10):
        (root / "package_0" / f"module_{number}.py").write_text(module(0, number, 1).replace("function_0", "moved_0"))
    shutil.rmtree(root / "package_1")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "second")
    with Lines(root, root.with_name("moving-cache")) as server:
        for round_ in range(scale.many(40, 4)):
            branch, here, gone = (("main", "function", "moved"), ("other", "moved", "function"))[round_ % 2]
            asked = server.ask("tools/call", {"name": "search_text", "arguments": {"query": "needle_0"}})
            git(root, "checkout", "-q", branch)
            server.answer(asked)
            number = round_ % 10
            found = _settled(server, f"{here}_0_{number}", f"module_{number}.py")
            outcome.check(found, f"{branch}: {here}_0_{number} is not found")
            lost = server.call("search_text", query=f"def {gone}_0_{number}(", path="package_0").text
            outcome.check("no lines" in lost, f"{branch}: {gone}_0_{number} is still found")
            there = "package_1" in server.call("count_files", by="directory").text
            outcome.check(there is (branch == "main"), f"{branch}: package_1 {'is' if there else 'is not'} there")
    outcome.check(git(root, "status", "--porcelain") == "", "git sees changes")
    return outcome


def _settled(server: Lines, name: str, wanted: str) -> bool:
    until = time.monotonic() + 10 * PATIENCE
    while time.monotonic() < until:
        if wanted in server.call("symbol_search", query=name).text:
            return True
    return False


def _end_of_input(server: Lines) -> float:
    return server.end(3)


def _terminated(server: Lines) -> float:
    server.process.send_signal(signal.SIGTERM)
    return server.gone(3)


def _busy(server: Lines) -> float:
    for query in ("a.*b.*c", "(x|y)+z", "needle"):
        server.ask("tools/call", {"name": "search_text", "arguments": {"query": query, "regex": True}})
    return server.end(5)


def lifecycles(scale: Scale) -> Outcome:
    """End a server 50 times, idle and busy, by its input, by a signal, with its parent: it is gone, and its workers."""
    outcome = Outcome()
    root = plain(scale.place("lifecycles"))
    cache = root.with_name("lifecycles-cache")
    ways = (_end_of_input, _terminated, _busy)
    longest = 0.0
    before = state(root)
    for round_ in range(scale.many(28, 3)):
        way = ways[round_ % len(ways)]
        with Lines(root, cache) as server:
            server.call("document_symbols", path="package_0/module_1.py")
            workers = server.workers
            try:
                seconds = way(server)
            except Broken as error:
                outcome.check(False, f"{way.__name__}: {error}")
                continue
            longest = max(longest, seconds)
            outcome.check(True, "")
            outcome.check(not running(workers), f"{way.__name__}: a worker is left")
    for _ in range(scale.many(3, 1)):
        outcome.check(_parent_dies(root, cache), "its parent died, and it lives")
    outcome.check(state(root) == before, "something in the tree was touched")
    outcome.figures["slowest"] = f"{longest:.1f} s"
    return outcome


_HOLDER = """
import os, subprocess, sys
read, write = os.pipe()
holder = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], pass_fds=(write,))
server = subprocess.Popen(sys.argv[1:], stdin=read, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
os.write(write, b"no JSON\\n")
server.stdout.readline()
print(server.pid, holder.pid, flush=True)
sys.stdin.read()
"""
"""A parent that starts a server, while another process holds the other end of its input, and dies."""


def _parent_dies(root: Path, cache: Path) -> bool:
    """Kill the parent of a server whose input another process holds open; return whether it ends."""
    parent = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, *command(root, cache)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert parent.stdout is not None
    server, holder = map(int, parent.stdout.readline().split())
    parent.kill()
    parent.wait(10)
    left = running([server], 6.0)
    for pid in (*left, holder):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for pipe in (parent.stdin, parent.stdout):
        if pipe is not None:
            pipe.close()
    return not left
