"""What the first question about a symbol costs, none of whose candidate files has been looked into.

    python bench/first.py ROOT [--cache DIR] [--count N] [--least FILES] [--most FILES]

Definitions are drawn by seed; asked about are those whose name stands in so many files of their language. Before each
question all facts that are known are forgotten. CPU is that of the workers and what else runs below, in seconds, from
the question to its answer; what they go on with afterwards is waited for, and told as well.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from drawn import Definition, definitions, opened
from leadline_server.call import Request, Session
from leadline_tools.index.index import Index
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.resolve import question
from leadline_tools.resolve.project.project import files_with_name
from processes import cpu_of_others

_QUIET_SECONDS = 1.0


class Asked(NamedTuple):
    """One first question: how much there was to look into, and what was paid until its answer and after it."""

    name: str
    files: int
    size: int
    cpu: float
    wall: float
    after: float
    left: str

    def __str__(self) -> str:
        """Return it as a row of Markdown."""
        return (
            f"| {self.name} | {self.files} | {self.size / 1e6:.1f} | {self.cpu:.2f} | {self.wall:.2f}"
            f" | {self.after:.2f} | {self.left} |"
        )


def main() -> None:
    """Print a row for each question, and the median and the most of their CPU."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        session = opened(arguments.root, arguments.cache or Path(scratch), "openai")
        session.index.facts.build = _nothing  # type: ignore[method-assign]
        print("| symbol | files | MB | CPU | wall | after | told |\n|---|---:|---:|---:|---:|---:|---|")
        given = []
        for one in _widespread(session.index, arguments):
            given.append(_asked(session, *one))
            print(given[-1], flush=True)
        session.close()
    cpu = [one.cpu for one in given]
    print(f"CPU: median {statistics.median(cpu):.2f} s, most {max(cpu):.2f} s")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What the first question about a symbol costs.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--cache", type=Path, help="a folder for the index, which is kept")
    parser.add_argument("--count", type=int, default=12, help="how many symbols")
    parser.add_argument("--least", type=int, default=150, help="candidate files of a symbol, at least")
    parser.add_argument("--most", type=int, default=250, help="candidate files of a symbol, at most")
    return parser.parse_args()


def _widespread(index: Index, arguments: argparse.Namespace) -> Iterator[tuple[Definition, Sequence[str]]]:
    """Yield definitions whose name stands in so many files, with those, each name once."""
    names: set[str] = set()
    for one in definitions(index):
        files = files_with_name(index, one.name, one.path) if one.name not in names else ()
        names.add(one.name)
        if arguments.least <= len(files) <= arguments.most:
            yield one, files
            arguments.count -= 1
        if not arguments.count:
            return


def _asked(session: Session, one: Definition, files: Sequence[str]) -> Asked:
    _forget(session.index)
    cpu, wall = cpu_of_others(), time.perf_counter()
    response = session.call(Request("find_references", {"symbol": one.address, "max_tokens": 400}))
    wall, paid = time.perf_counter() - wall, cpu_of_others() - cpu
    told = next((line for line in response.text.splitlines() if "not resolved yet" in line), "complete")
    size = sum(map(session.index.files.size, files))
    return Asked(one.name, len(files), size, paid, wall, _when_quiet() - cpu - paid, told)


def _nothing(*, hurried: bool = False) -> None:
    """Compute nothing that no question has left over."""


def _forget(index: Index) -> None:
    """Have the index know no facts, and no question what was found out before; the workers stay."""
    question._KEPT.take(index, Snapshot("", 0, 0))
    if not index.facts.wait(60):
        raise TimeoutError("facts are still computed")
    index.facts.clear()


def _when_quiet() -> float:
    """Return the CPU of the workers when they have nothing to do any more."""
    before = -1.0
    while (now := cpu_of_others()) - before > 0.05:
        before = now
        time.sleep(_QUIET_SECONDS)
    return now


if __name__ == "__main__":
    main()
