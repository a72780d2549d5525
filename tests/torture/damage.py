"""Caches that are damaged at random, and trees in which git and readers find what they do not expect."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from torture.outcome import Outcome, Scale
from torture.trees import git, plain, repository, state
from torture.wire import PATIENCE, Answer, Client, Lines, connect, process_of

_NUMBERS = (-1, 0, 1, 255, 2**31, 2**40, 2**62, -(2**63))


def _flip(path: Path, random: Random) -> None:
    """Overwrite some bytes anywhere behind the header."""
    content = bytearray(path.read_bytes())
    for _ in range(random.randrange(1, 200)):
        content[random.randrange(min(100, len(content) - 1), len(content))] = random.randrange(256)
    path.write_bytes(content)


def _cut(path: Path, random: Random) -> None:
    os.truncate(path, random.randrange(path.stat().st_size))


def _swap(path: Path, random: Random) -> None:
    """Exchange two pages."""
    content = bytearray(path.read_bytes())
    one, other = (4_096 * random.randrange(max(1, len(content) // 4_096)) for _ in range(2))
    content[one : one + 4_096], content[other : other + 4_096] = (
        content[other : other + 4_096],
        content[one : one + 4_096],
    )
    path.write_bytes(content)


def _write_value(path: Path, random: Random) -> None:
    """Put a value that nobody expects into any column of any table: a number, a text, noise, or nothing."""
    with contextlib.closing(sqlite3.connect(path)) as connection, contextlib.suppress(sqlite3.Error):
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        table = random.choice(tables)
        column = random.choice([row[1] for row in connection.execute(f"pragma table_info('{table}')")])
        value = random.choice([random.choice(_NUMBERS), "text", random.randbytes(40), None, 1.5, ""])
        some = "" if random.random() < 0.5 else " where rowid % 3 = 1"
        connection.execute(f"update '{table}' set \"{column}\" = ?{some}", (value,))
        connection.commit()


def _drop(path: Path, random: Random) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection, contextlib.suppress(sqlite3.Error):
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        connection.execute(f"delete from '{random.choice(tables)}'" + random.choice(["", " where rowid % 2"]))
        connection.commit()


DAMAGES: tuple[Callable[[Path, Random], None], ...] = (_flip, _cut, _swap, _write_value, _write_value, _drop)


def random_damage(scale: Scale) -> Outcome:
    """Damage a database of the cache at random, again and again: the next server answers right."""
    outcome = Outcome()
    root = plain(scale.place("damage"), 2, 10)
    fresh, cache = scale.folder / "fresh-cache", scale.folder / "damaged-cache"
    with Lines(root, fresh) as server:
        for number in range(10):
            server.call("find_references", symbol=f"function_0_{number}")
        server.call("search_text", query="Base", max_tokens=200)
        server.end(5)
    random = scale.random(23)
    for round_ in range(scale.many(26, 3)):
        shutil.rmtree(cache, ignore_errors=True)
        shutil.copytree(fresh, cache)
        databases = sorted(path for path in cache.rglob("*.db") if path.stat().st_size)
        damaged, damage = random.choice(databases), random.choice(DAMAGES)
        name = f"{damage.__name__} {damaged.name.split('-')[0]} {round_}"
        damage(damaged, random)
        with Lines(root, cache) as server:
            right = _answers(server)
            outcome.check(not right, f"{name}: {right}")
            outcome.check(server.megabytes < 600, f"{name}: {server.megabytes:.0f} MB")
            outcome.check(server.end(5) < 5 * PATIENCE, f"{name}: does not end")
    return outcome


def _answers(server: Lines) -> str:
    """Return what is wrong with the answers about a plain tree; empty where they are right."""
    expected = (
        ("read_file", {"path": "package_0/module_3.py"}, "def function_0_3"),
        ("search_text", {"query": "needle_1_5"}, "package_1/module_5.py"),
        ("symbol_search", {"query": "function_1_5"}, "package_1/module_5.py"),
        ("go_to_definition", {"symbol": "function_0_7"}, "package_0/module_7.py"),
        ("find_references", {"symbol": "Base_0_0"}, "module_9.py"),
    )
    for tool, arguments, part in expected:
        until = time.monotonic() + 15 * PATIENCE
        while part not in (said := server.call(tool, 30 * PATIENCE, **arguments).text):
            if time.monotonic() > until:
                return f"{tool}: {said[:100]}"
    return ""


def _pipe(name: str) -> Callable[[Path], None]:
    def make(root: Path) -> None:
        (root / name).unlink(missing_ok=True)
        os.mkfifo(root / name)

    return make


def _explosive_rules(root: Path) -> None:
    """Write an ignore file that takes a matcher with backtracking forever."""
    (root / ".gitignore").write_text("".join(f"{'*a' * 30}{number}*b\n" for number in range(400)))
    for number in range(40):
        (root / f"{'a' * 200}{number}.txt").write_text("")


def _split_index(root: Path) -> None:
    git(root, "update-index", "--split-index")
    for path in (root / ".git").glob("sharedindex.*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))


def _loops(root: Path) -> None:
    (root / "loop").symlink_to(".")
    (root / "ring").symlink_to("ring2")
    (root / "ring2").symlink_to("ring")
    deep = root
    for _ in range(100):
        deep = deep / "deep"
    deep.mkdir(parents=True)
    (deep / "end.py").write_text("def at_the_end(): pass\n")


def _sockets_and_modes(root: Path) -> None:
    (root / "closed").mkdir(mode=0o000)
    (root / "unreadable.py").write_text("x = 1\n")
    (root / "unreadable.py").chmod(0)
    os.mkfifo(root / "pipe.py")
    (root / "gone.py").symlink_to("nowhere.py")


ODD: dict[str, Callable[[Path], None]] = {
    **{
        f"a pipe as {name}": _pipe(name)
        for name in (
            *(".gitignore", ".git/info/exclude", ".git/index", ".git/config", ".git/HEAD"),
            *("package_0/.gitignore", ".gitattributes", ".git/packed-refs", ".git/commondir"),
        )
    },
    "an explosive .gitignore": _explosive_rules,
    "a split index": _split_index,
    "rings of links": _loops,
    "modes and pipes": _sockets_and_modes,
}
"""Trees that are not as programs expect."""

_FIRST_SECONDS = 4.0
_SLOW = {"an explosive .gitignore": 20.0}
"""Seconds until a tree can be used: git is ended when it has used a processor for 8."""


def _asked(server: Lines | Client, seconds: float, tool: str, **arguments: str) -> Answer:
    """Ask a server, over stdio for some seconds at most; over HTTP the connection has a limit of its own."""
    if isinstance(server, Lines):
        return server.call(tool, seconds, **arguments)
    return server.call(tool, **arguments)


def odd_trees(scale: Scale) -> Outcome:
    """Ask about trees that are not as git expects: they can be used after seconds, and are as they were."""
    outcome = Outcome()
    slowest = 0.0
    asked = [(name, make, "stdio") for name, make in list(ODD.items())[:: scale.many(1, 5)]]
    asked += [(name, ODD[name], "http") for name in _SLOW if not scale.short]
    for number, (name, make, transport) in enumerate(asked):
        root = repository(plain(scale.place(f"odd-{number}"), 1, 3))
        make(root)
        before = state(root)
        with connect(transport, root, scale.folder / f"odd-cache-{number}") as server:
            most = _SLOW.get(name, _FIRST_SECONDS) * PATIENCE
            began = time.monotonic()
            while (said := _asked(server, most + 10, "list_files", path="package_0")).is_error:
                if time.monotonic() - began > most:
                    break
            taken = time.monotonic() - began
            slowest = max(slowest, taken if name not in _SLOW else 0.0)
            outcome.check("module_2.py" in said.text, f"{name}: {said.text[:80]}")
            outcome.check(taken < most, f"{name}: {taken:.1f} s")
            text = _asked(server, 30 * PATIENCE, "search_text", query="needle_0_1").text
            outcome.check("module_1.py" in text, f"{name}: {text[:80]}")
            outcome.check(time.monotonic() - began < 2 * most, f"{name}: slow")
            fixes = _asked(server, 30 * PATIENCE, "apply_code_fix", path="package_0")
            outcome.check(not fixes.is_error, f"{name}: fix")
        outcome.check(state(root) == before, f"{name}: the tree is changed")
    for transport in () if scale.short else ("stdio", "http"):
        _ask_of_the_system(scale, transport, outcome)
    outcome.figures["slowest first call"] = f"{slowest:.1f} s"
    return outcome


SYSTEM = {"process": "/proc/self", "kernel": "/sys/kernel", "devices": "/dev"}
"""Folders of Linux whose files may block, never end, or change all the time."""


def _ask_of_the_system(scale: Scale, transport: str, outcome: Outcome) -> None:
    """Ask about folders that no disk has: every call is answered, and the server ends."""
    first, *others = (f"{name}={folder}" for name, folder in SYSTEM.items())
    named = (part for root in others for part in ("--root", root))
    with connect(transport, Path(first), scale.folder / f"system-cache-{transport}", *named) as server:
        for tool, arguments in (
            ("list_files", {}),
            ("search_text", {"query": "needle"}),
            ("symbol_search", {"query": "inside"}),
            ("count_files", {}),
            ("read_file", {"path": "devices/zero"}),
            ("read_file", {"path": "process/environ"}),
        ):
            said = _asked(server, 30 * PATIENCE, tool, **arguments)
            outcome.check("internal error" not in said.text, f"system, {tool}: {said.text[:80]}")
            outcome.check("PATH=" not in said.text, f"system, {tool}: the environment is shown")
        process = process_of(server)
        outcome.check(process.megabytes < 600, f"system: {process.megabytes:.0f} MB")
        process.process.terminate()
        outcome.check(process.gone(5) < 5 * PATIENCE, "system: it does not end")
