"""What the index of a large tree costs to build, to open and to ask; exits with 1 if a promise is broken.

    python bench/index.py ROOT [--as linux|django] [--only ROWS] [--repeat N] [--scratch DIR] [--json FILE]

It needs Linux (the /proc file system) and Universal Ctags, which is run beside it. Everything runs on a copy of ROOT
made of hard links, so that nothing is written into ROOT; give ``--scratch`` a folder on the same disk, which is kept:
copy and index are then used again. Times are medians; CPU is that of a process and all its descendants, in seconds.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

from drawn import Definition, definitions
from leadline_estimators import count
from leadline_server.defaults import DEFAULT_TOKENS
from leadline_tools.index.index import Index
from processes import Cost, resident, run

SEED = 2026
CALLS = 500
"""Calls of the four common kinds together."""

SEARCHES = 100
"""Calls of each way of searching loosely."""

EDITS = 9
SLOW_SECONDS = 2.0

COMMON = ("exact symbol", "references", "outline", "list")
LOOSE = ("substring", "camelCase", "fuzzy")

PROMISES: Mapping[str, Mapping[str, float]] = {
    "linux": {
        "cold: CPU / CPU of ctags": 2.0,
        "cold: wall, s": 60.0,
        "cold: words complete after, s": 30.0,
        "index on disk, MB": 250,
        "memory while answering, MB": 250,
        "memory of any worker, MB": 300,
        "first answer, warm, over the import of the SDK, s": 1.5,
        "exact symbol, p95 of CPU, ms": 50,
        "references, p95 of CPU, ms": 50,
        "outline, p95 of CPU, ms": 50,
        "list, p95 of CPU, ms": 50,
        "substring, p95 of CPU, ms": 80,
        "camelCase, p95 of CPU, ms": 80,
        "fuzzy, p95 of CPU, ms": 300,
        "an edit until a call sees it, ms": 200,
        "freshness check on start, CPU, s": 0.7,
        "list_files before any index, since opening, s": 0.5,
        "document_symbols before any index, since opening, s": 0.3,
        "search_text before any index, since opening, s": 3.0,
        "find_references(i), s": 2.0,
        "symbol_search(get), s": 2.0,
        "list_files(recursive=true), s": 2.0,
    },
    "django": {
        "cold: CPU / CPU of ctags": 7.0,
        "cold: wall, s": 3.0,
        "first answer, warm, over the import of the SDK, s": 1.5,
    },
    "": {},
}
"""The most of each row, by tree; a row that is not named is only measured."""

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
"""A part of a camelCase or snake_case name."""

ALWAYS: Mapping[str, float] = {"answers over their budget": 0, "calls per edit, at most": 1}
"""The same for every tree."""

SDK = "import mcp_types, mcp.server.caching, mcp.server.context, mcp.server.lowlevel, mcp.server.stdio"
"""What the server imports of the SDK before it can say hello."""


class Figure(NamedTuple):
    """What was measured, under the name that a promise has; ``detail`` is for people."""

    what: str
    measured: float
    detail: str = ""


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured and the most that was promised, if anything was."""

    what: str
    measured: float
    promised: float | None
    detail: str = ""

    @property
    def kept(self) -> bool:
        """Return whether the promise holds."""
        return self.promised is None or self.measured <= self.promised

    def __str__(self) -> str:
        """Return the row as Markdown."""
        promised, ratio = "", ""
        if self.promised is not None:
            promised = f"{self.promised:,g}"
            ratio = f"{self.measured / self.promised:.2f}{'' if self.kept else ' BROKEN'}" if self.promised else ""
            ratio = ratio or ("" if self.kept else "BROKEN")
        return f"| {self.what} | {self.measured:,.3g} | {promised} | {ratio} | {self.detail} |"


class Bench:
    """One tree, a folder to work in, and how often everything is repeated."""

    def __init__(self, root: Path, scratch: Path, repeat: int, chosen: Callable[[Path], bool] = lambda _: True) -> None:
        self.tree = scratch / root.name
        self.repeat = repeat
        self._scratch = scratch
        if not self.tree.exists():
            linked(root, self.tree, chosen)

    @cached_property
    def cache(self) -> Path:
        """The cache with an index that is complete."""
        cache = self._scratch / "cache"
        run(self.building(cache))
        return cache

    def building(self, cache: Path) -> list[str | Path]:
        """Return the command that builds the index."""
        return [sys.executable, "-m", "leadline_server", "index", "--json", "--cache-dir", cache, "--root", self.tree]

    def empty_cache(self) -> Path:
        """Return a cache with nothing in it."""
        return Path(tempfile.mkdtemp(dir=self._scratch))

    def keep(self, cache: Path) -> None:
        """Take a cache as the one with a complete index."""
        kept = self._scratch / "cache"
        shutil.rmtree(kept, ignore_errors=True)
        cache.rename(kept)

    def fresh(self, measure: str, cache: Path, given: object = None) -> Any:
        """Return what one of the measures of ``fresh.py`` prints."""
        script = Path(__file__).with_name("fresh.py")
        return json.loads(run([sys.executable, script, measure, self.tree, cache], json.dumps(given)).output)

    @cached_property
    def drawn(self) -> Sequence[Definition]:
        """Definitions drawn by seed from all that are indexed."""
        index = Index(self.tree, self.cache)
        index.start()
        index.wait(600)
        drawn = definitions(index, SEED)
        index.close()
        return drawn


def linked(root: Path, target: Path, chosen: Callable[[Path], bool]) -> None:
    """Make a copy of a tree in which the chosen files are hard links; of links only those that are relative."""
    for folder, folders, names in os.walk(root):
        there = target / Path(folder).relative_to(root)
        there.mkdir(parents=True, exist_ok=True)
        for path in (Path(folder, name) for name in (*folders, *names)):
            if path.is_symlink():
                if chosen(path) and not path.readlink().is_absolute():
                    (there / path.name).symlink_to(path.readlink())
            elif path.is_file() and chosen(path):
                try:
                    (there / path.name).hardlink_to(path)
                except OSError:  # another disk
                    shutil.copy2(path, there / path.name)


# Rows


def cold(bench: Bench) -> Iterator[Figure]:
    """Build the index from nothing, and ctags' beside it."""
    ours: list[Cost] = []
    theirs: list[Cost] = []
    reports: list[dict[str, Any]] = []
    tags_size = disk = 0
    for last in range(bench.repeat - 1, -1, -1):
        with tempfile.NamedTemporaryFile(dir=bench.tree.parent) as tags:
            theirs.append(run(["ctags", "--quiet=yes", "-R", "-f", tags.name, bench.tree]))
            tags_size = Path(tags.name).stat().st_size
        cache = bench.empty_cache()
        ours.append(run(bench.building(cache)))
        reports.append(json.loads(ours[-1].output))
        disk = sum(path.stat().st_size for path in (cache / "index").iterdir())
        if last:
            shutil.rmtree(cache)
        else:
            bench.keep(cache)
    cpu, ctags = middle(cost.cpu for cost in ours), middle(cost.cpu for cost in theirs)
    yield Figure("files", reports[0]["files"], f"failed {len(reports[0]['failed'])}")
    yield Figure("ctags: CPU, s", ctags, f"wall {middle(cost.wall for cost in theirs):.2f} s, {_mb(tags_size):,.1f} MB")
    yield Figure("cold: CPU, s", cpu, _each(cost.cpu for cost in ours))
    yield Figure("cold: CPU / CPU of ctags", cpu / ctags)
    yield Figure("cold: wall, s", middle(cost.wall for cost in ours), _each(cost.wall for cost in ours))
    words = [report["words_seconds"] for report in reports]
    yield Figure("cold: words complete after, s", middle(words), _each(words))
    yield Figure("index on disk, MB", _mb(disk))
    yield Figure("memory of the process that builds, MB", _mb(max(cost.memory for cost in ours)))
    yield Figure("memory of any worker, MB", _mb(max(cost.worker_memory for cost in ours)))


def start(bench: Bench) -> Iterator[Figure]:
    """Start a server on a complete index, and wait for its first answer, as a client over stdio does."""
    name = bench.drawn[0].name
    first: list[float] = []
    bare: list[float] = []
    for _ in range(bench.repeat):
        bare.append(run([sys.executable, "-c", SDK]).wall)
        first.append(first_answer(bench, name))
    over = middle(first) - middle(bare)
    yield Figure("first answer, warm, over the import of the SDK, s", over, f"{middle(first):.2f} - {middle(bare):.2f}")


def first_answer(bench: Bench, name: str) -> float:
    """Return the seconds from the start of a server to its first answer."""
    started = time.perf_counter()
    with Served(bench) as server:
        answer = server.call("symbol_search", {"query": name, "match": "exact"})
        wall = time.perf_counter() - started
    if name not in answer["result"]["content"][0]["text"] or answer["result"].get("isError"):
        raise ValueError(f"{name} is not found: {answer}")
    return wall


class Served:
    """A server over stdio on the complete index of a tree, and its client."""

    def __init__(self, bench: Bench) -> None:
        where = ["--root", str(bench.tree), "--cache-dir", str(bench.cache), "--model", "openai"]
        command = [sys.executable, "-m", "leadline_server", "serve", *where]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._number = 0

    def __enter__(self) -> Self:
        client = {"name": "bench", "version": "1"}
        self._ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self._send({"method": "notifications/initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    @property
    def memory(self) -> int:
        """Return the most bytes that the server has had resident."""
        return resident(self._process.pid)

    def call(self, tool: str, arguments: Mapping[str, object]) -> Any:
        """Return the whole answer to a call."""
        return self._ask("tools/call", {"name": tool, "arguments": arguments})

    def _ask(self, method: str, params: Mapping[str, object]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        for line in self._process.stdout or ():
            message = json.loads(line)
            if message.get("id") == self._number:
                return message
        raise EOFError("the server ended")

    def _send(self, message: Mapping[str, object]) -> None:
        if self._process.stdin is not None:
            self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            self._process.stdin.flush()


def freshness(bench: Bench) -> Iterator[Figure]:
    """Open a complete index of a tree in which nothing has changed."""
    ours, theirs = [], []
    with tempfile.NamedTemporaryFile() as now:
        inside = (bench.tree / ".git").exists()
        tree = str(bench.tree)
        other = ["git", "-C", tree, "status", "--porcelain"] if inside else ["find", tree, "-newer", now.name]
        for _ in range(bench.repeat):
            theirs.append(run(other).cpu)
            ours.append(bench.fresh("opening", bench.cache))
    wall = middle(one["wall"] for one in ours)
    detail = f"wall {wall:.2f} s; {other[0]} {middle(theirs):.2f} s CPU"
    yield Figure("freshness check on start, CPU, s", middle(one["cpu"] for one in ours), detail)


def answers(bench: Bench) -> Iterator[Figure]:
    """Ask what is common, then what is loose, of a server that has a complete index."""
    calls = [*common(bench.drawn), *loose(bench.drawn)]
    report = bench.fresh("calls", bench.cache, calls)
    given = report["answers"]
    for kind in (*COMMON, *LOOSE):
        yield from _of_kind(kind, [answer for answer in given if answer["kind"] == kind])
    yield Figure("answers over their budget", sum(_over(answer) for answer in given), f"of {len(given)}")
    slow = [answer for answer in given if answer["wall"] > SLOW_SECONDS]
    yield Figure(f"answers that took over {SLOW_SECONDS:g} s", len(slow), f"of {len(given)}")
    with Served(bench) as server:
        for _, tool, arguments in calls:
            server.call(tool, arguments)
        yield Figure("memory while answering, MB", _mb(server.memory), f"without the SDK {_mb(report['memory']):,.0f}")


def _of_kind(kind: str, given: Sequence[Mapping[str, Any]]) -> Iterator[Figure]:
    cpu = sorted(1000 * answer["cpu"] for answer in given)
    workers = sorted(1000 * answer["workers"] for answer in given)
    wall = sorted(1000 * answer["wall"] for answer in given)
    errors = sum(answer["error"] for answer in given)
    detail = (
        f"median {middle(cpu):.1f}, most {cpu[-1]:,.1f};"
        f" of workers and git {middle(workers):.0f}, p95 {p95(workers):,.0f};"
        f" wall {middle(wall):.1f}, p95 {p95(wall):,.1f}; {len(given)} calls, {errors} errors"
    )
    yield Figure(f"{kind}, p95 of CPU, ms", p95(cpu), detail)


def common(drawn: Sequence[Definition]) -> list[tuple[str, str, dict[str, object]]]:
    """Return the calls of the common kinds, as many of each, in an order drawn by seed."""
    calls: list[tuple[str, str, dict[str, object]]] = []
    for number, one in enumerate(drawn[: CALLS // len(COMMON)]):
        folder = one.path.rpartition("/")[0] or "."
        calls += [
            ("exact symbol", "symbol_search", {"query": one.name, "match": "exact"}),
            ("references", "find_references", {"symbol": one.address}),
            ("outline", "document_symbols", {"path": one.path}),
            ("list", "list_files", {"path": folder, "recursive": number % 2 == 0}),
        ]
    random.Random(SEED).shuffle(calls)
    return calls


def loose(drawn: Sequence[Definition]) -> list[tuple[str, str, dict[str, object]]]:
    """Return searches for four letters of names, for the beginnings of their parts, and for names without a letter."""
    draw = random.Random(SEED)
    names = [one.name for one in drawn if len(one.name) >= 6 and one.name.isidentifier()]
    several = [name for name in names if len(_PART.findall(name)) > 2]
    calls: list[tuple[str, str, dict[str, object]]] = []
    for name in names[:SEARCHES]:
        at = draw.randrange(1, len(name) - 4)
        calls.append(("substring", "symbol_search", {"query": name[at : at + 4], "match": "substring"}))
    for name in several[:SEARCHES]:
        initials = "".join(part[:3].capitalize() for part in _PART.findall(name)[:3])
        calls.append(("camelCase", "symbol_search", {"query": initials}))
    for name in names[SEARCHES : 2 * SEARCHES]:
        at = draw.randrange(1, len(name))
        calls.append(("fuzzy", "symbol_search", {"query": name[:at] + name[at + 1 :], "match": "fuzzy"}))
    return calls


def hard(bench: Bench) -> Iterator[Figure]:
    """Ask what has very many answers."""
    questions = (
        ("find_references(i)", "find_references", {"symbol": "i"}),
        ("symbol_search(get)", "symbol_search", {"query": "get"}),
        ("list_files(recursive=true)", "list_files", {"recursive": True}),
    )
    reports = [bench.fresh("calls", bench.cache, questions)["answers"] for _ in range(bench.repeat)]
    for number, (kind, _, _) in enumerate(questions):
        given = [report[number] for report in reports]
        yield Figure(f"{kind}, s", middle(answer["wall"] for answer in given), _header(given[0]))
        yield Figure(f"{kind}, tokens", max(map(_tokens, given)), f"of {DEFAULT_TOKENS:,}")


def before(bench: Bench) -> Iterator[Figure]:
    """Ask a server that has just begun on a tree that it has never seen."""
    one = bench.drawn[0]
    questions = (
        ("list_files", {"recursive": True}),
        ("document_symbols", {"path": one.path}),
        ("search_text", {"query": one.name}),
    )
    for tool, arguments in questions:
        given = []
        for _ in range(bench.repeat):
            cache = bench.empty_cache()
            given += bench.fresh("calls", cache, [(tool, tool, arguments)])["answers"]
            shutil.rmtree(cache)
        since = middle(answer["since_opening"] for answer in given)
        yield Figure(f"{tool} before any index, since opening, s", since, _header(given[0]))
        yield Figure(f"{tool} before any index, the call alone, s", middle(answer["wall"] for answer in given))


def edit(bench: Bench) -> Iterator[Figure]:
    """Change files of code one by one, until a call sees what is new in each."""
    paths = list(dict.fromkeys(one.path for one in bench.drawn if one.path.endswith((".py", ".c"))))[:EDITS]
    report = bench.fresh("edits", bench.cache, paths)
    walls = [1000 * wall for wall in report["walls"]]
    yield Figure("an edit until a call sees it, ms", middle(walls), _each(walls))
    yield Figure("calls per edit, at most", max(report["calls"]))


MEASURES: Mapping[str, Callable[[Bench], Iterator[Figure]]] = {
    "cold": cold,
    "start": start,
    "freshness": freshness,
    "answers": answers,
    "hard": hard,
    "before": before,
    "edit": edit,
}
"""What can be measured; the edits are last, since the index is built anew for what follows them."""


# Figures


def middle(values: Iterator[float] | Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """Return what 95 of 100 of the sorted values do not exceed."""
    return values[min(len(values) - 1, -(-95 * len(values) // 100) - 1)]


def _mb(size: float) -> float:
    return size / 1e6


def _each(values: Iterator[float] | Sequence[float]) -> str:
    return ", ".join(f"{value:,.3g}" for value in values)


def _tokens(answer: Mapping[str, Any]) -> int:
    return count(answer["text"])


def _over(answer: Mapping[str, Any]) -> bool:
    return _tokens(answer) > DEFAULT_TOKENS


def _header(answer: Mapping[str, Any]) -> str:
    """Return the first line of an answer, as a cell of a table."""
    return re.sub(r"[|\s]+", " ", str(answer["text"]).partition("\n")[0])


def measured(bench: Bench, only: Sequence[str], promises: Mapping[str, float]) -> Iterator[Row]:
    """Yield every row of the table."""
    for name, measure in MEASURES.items():
        for figure in measure(bench) if name in only else ():
            yield Row(figure.what, figure.measured, promises.get(figure.what), figure.detail)


def main(arguments: Sequence[str]) -> int:
    """Print the table; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--as", dest="tree", choices=PROMISES, help="whose promises hold; else by the name of ROOT")
    parser.add_argument("--only", nargs="+", choices=MEASURES, default=list(MEASURES))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    root: Path = options.root.resolve()
    tree = options.tree if options.tree is not None else (root.name if root.name in PROMISES else "")
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        scratch = (options.scratch or Path(temporary)).resolve()
        scratch.mkdir(parents=True, exist_ok=True)
        print("| what | measured | at most | ratio | |\n|---|---|---|---|---|", flush=True)
        for row in measured(Bench(root, scratch, options.repeat), options.only, {**ALWAYS, **PROMISES[tree]}):
            print(row, flush=True)
            rows.append(row)
    if options.json:
        options.json.write_text(json.dumps([dataclasses.asdict(row) for row in rows], indent=1) + "\n")
    return 0 if all(row.kept for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
