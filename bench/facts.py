"""What facts cost: CPU and disk space a MB of source, and how long questions take while they are computed.

    python bench/facts.py ROOT... [--questions N] [--seconds S]

It needs Linux. For each tree a fresh index is built, then the facts of all files as ``leadline index`` builds them; CPU
is that of the workers, in seconds, sizes are in MB of the files that have facts. With ``--questions`` the same calls,
drawn by seed, are put to two fresh indexes, without facts and without a pause: one computes nothing in advance, the
other computes facts in the background all the while. The most that a call may be slower is what one task of a worker
takes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from drawn import definitions
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.index.files.fact_states import has_facts
from leadline_tools.index.index import Index
from leadline_tools.index.workers.worker import LARGEST
from leadline_tools.languages import telling_name
from leadline_tools.languages.fact_walk import walk
from processes import cpu_of_others

_INDEXING_SECONDS = 900.0
_TOOLS = ("symbol_search", "document_symbols", "go_to_definition", "find_references", "call_hierarchy")


def main() -> None:
    """Print a row for each tree."""
    parser = argparse.ArgumentParser(description="What facts cost.")
    parser.add_argument("roots", type=Path, nargs="+", metavar="ROOT")
    parser.add_argument("--questions", type=int, default=0, help="calls that are timed while facts are computed")
    parser.add_argument("--seconds", type=float, default=3_600.0, help="how long facts of one tree may be computed")
    arguments = parser.parse_args()
    print(f"facts are gathered by {Path(walk.__file__).suffix} modules\n")
    print("| tree | files | MB | CPU s / MB | disk MB / MB | wall, s | server CPU, s | memory before, after, MB |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for root in arguments.roots:
        print(_cost(root.resolve(), arguments.seconds), flush=True)
    if arguments.questions:
        print(
            "\n| tree | calls | facts in advance | median, ms | 95th percentile, ms | most, ms | files done meanwhile |"
        )
        print("|---|---:|---|---:|---:|---:|---:|")
    for root in arguments.roots if arguments.questions else ():
        for building in (False, True):
            print(_latency(root.resolve(), arguments.questions, building=building), flush=True)


def _opened(root: Path, cache: str) -> Index:
    index = Index(root, Path(cache))
    index.start()
    if not index.settle(_INDEXING_SECONDS):
        raise TimeoutError(f"{root}: the index is not complete")
    return index


def _cost(root: Path, seconds: float) -> str:
    """Build all facts of a tree; return a row of Markdown."""
    with tempfile.TemporaryDirectory() as cache:
        index = _opened(root, cache)
        memory = _resident()
        cpu, own, started = cpu_of_others(), time.process_time(), time.perf_counter()
        index.facts.build(hurried=True)
        index.facts.wait(seconds)
        wall, own, cpu = time.perf_counter() - started, time.process_time() - own, cpu_of_others() - cpu
        coverage, size = index.coverage(), max(1, _size_of_factual(index))
        figures = (
            f"{root.name} | {coverage.facts:,} of {coverage.factual:,} | {size / 1e6:.1f}",
            f"{cpu / size * 1e6:.2f} | {index.facts.size / size:.2f}",
            f"{wall:.0f} | {own:.1f} | {memory / 1e6:.0f}, {_resident() / 1e6:.0f}",
        )
        index.close()
    return f"| {' | '.join(figures)} |"


def _resident() -> int:
    """Return the bytes that this process has resident."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _size_of_factual(index: Index) -> int:
    """Return the bytes of the files whose facts are kept."""
    factual = (
        path
        for path in index.files.paths
        if has_facts(telling_name(path)) and not index._indexer.files.facts.lacks(path)
    )
    return sum(size for path in factual if (size := index.files.size(path)) <= LARGEST)


def _latency(root: Path, count: int, *, building: bool) -> str:
    """Time calls, while facts are computed or not; return a row of Markdown."""
    with tempfile.TemporaryDirectory() as cache:
        index = _opened(root, cache)
        session = Session(Config(root, Path(cache), "openai"), index)
        if building:
            index.facts.build()
        else:
            index.facts.build = _nothing  # type: ignore[method-assign]
        times = _times(session, count)
        done = index.coverage()
        session.close()
    milliseconds = sorted(1_000 * one for one in times)
    return (
        f"| {root.name} | {len(times)} | {'yes' if building else 'no'} | {statistics.median(milliseconds):.0f}"
        f" | {milliseconds[int(len(times) * 0.95)]:.0f} | {milliseconds[-1]:.0f} | {done.facts:,} of {done.factual:,} |"
    )


def _nothing(*, hurried: bool = False) -> None:
    """Compute nothing in advance."""


def _times(session: Session, count: int) -> Sequence[float]:
    times: list[float] = []
    for number, one in enumerate(definitions(session.index)[:count]):
        tool = _TOOLS[number % len(_TOOLS)]
        arguments = {"symbol_search": {"query": one.name}, "document_symbols": {"path": one.path}}
        request = Request(tool, arguments.get(tool, {"symbol": one.address}))
        started = time.perf_counter()
        session.call(request)
        times.append(time.perf_counter() - started)
        time.sleep(0.2)  # as a model that reads the answer, so that computing goes on
    return times


if __name__ == "__main__":
    main()
