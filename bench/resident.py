"""What a call of the console costs with a resident server, beyond what it takes to start Python.

    python bench/resident.py ROOT [--cache DIR] [--runs N] [--alone]

For each question the server answers a few times unmeasured, so that what is measured is a warm server. Then ``leadline
call``, ``python -c pass`` and, with ``--alone``, the same call without a server are run in turn, so that whatever
else the machine does meets all of them alike. Exits with 1 where the median of a question is beyond what is promised.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

PROMISED = 0.150
"""Seconds of wall clock beyond the bare interpreter."""

_WARM = 3
"""Calls that are not measured: the first starts the server, and waits for its index."""

CONSOLE = (sys.executable, "-m", "leadline_server", "call")
QUESTIONS: tuple[tuple[str, ...], ...] = (
    ("count_files",),
    ("symbol_search", "query=open"),
    ("search_text", "query=TODO"),
    ("find_references", "symbol=close", "max_tokens=1000"),
)


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory(prefix="leadline-") as scratch:
        cache = arguments.cache or Path(scratch) / "cache"
        variables = {
            "LEADLINE_ALONE": "0",
            "LEADLINE_CACHE_DIR": str(cache),
            "LEADLINE_RUNTIME_DIR": str(Path(scratch) / "run"),
            "LEADLINE_ROOT": str(arguments.root.resolve()),
        }
        environment = {**os.environ, **variables}
        print("| question | bare | call | beyond, median | beyond, most | alone |\n|---|---:|---:|---:|---:|---:|")
        try:
            kept = [_measured(question, environment, arguments) for question in QUESTIONS]
        finally:
            subprocess.run([*CONSOLE[:-1], "stop", "--all"], env=environment, check=True)
    sys.exit(0 if all(kept) else 1)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What a call of the console costs with a resident server.")
    parser.add_argument("root", type=Path)
    parser.add_argument("--cache", type=Path, help="a folder for the index, which is kept")
    parser.add_argument("--runs", type=int, default=11, help="how often each question is asked")
    parser.add_argument("--alone", action="store_true", help="measure the same calls without a server too")
    return parser.parse_args()


def _measured(question: Sequence[str], environment: Mapping[str, str], arguments: argparse.Namespace) -> bool:
    """Print a row for a question; return whether its median is what is promised."""
    command = (*CONSOLE, *question)
    for _ in range(_WARM):
        _ran(command, environment)
    bare, called, alone = [], [], []
    for _ in range(arguments.runs):
        bare.append(_ran((sys.executable, "-c", "pass"), environment))
        called.append(_ran(command, environment))
        if arguments.alone:
            alone.append(_ran((*command, "--alone"), environment))
    beyond = sorted(one - other for one, other in zip(called, bare, strict=True))
    row = (
        " ".join(question),
        _milliseconds(statistics.median(bare)),
        _milliseconds(statistics.median(called)),
        _milliseconds(statistics.median(beyond)),
        _milliseconds(beyond[-1]),
        _milliseconds(statistics.median(alone)) if alone else "-",
    )
    print(f"| {' | '.join(row)} |", flush=True)
    return statistics.median(beyond) <= PROMISED


def _ran(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Run a command; return its seconds of wall clock."""
    begun = time.perf_counter()
    subprocess.run(command, env=environment, capture_output=True, check=True)
    return time.perf_counter() - begun


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.0f}"


if __name__ == "__main__":
    main()
