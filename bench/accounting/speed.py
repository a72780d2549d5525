"""Whether random symbols have a complete answer at the first ask, and after how long."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accounting.answers import Answer, Asker
from accounting.drawing import Drawn

_PERCENTILE = 0.95


@dataclass
class FirstAsks:
    """The first answers about some symbols.

    Args:
        seconds: Wall clock of each.
        cpu: Seconds of CPU of each, in the server and its workers.
        failures: Those that are not complete, or took longer than promised.
        refused: How many symbols were refused: nothing is defined or used there.
        dear: How many took more CPU than the seconds that were promised: their number depends on no other program.
    """

    seconds: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    refused: int = 0
    incomplete: int = 0
    late: int = 0
    dear: int = 0

    @property
    def share(self) -> float:
        """Return how many of a hundred answers are complete."""
        return 100 * (1 - self.incomplete / max(len(self.seconds), 1))


HEAD = (
    "| tree | facts | `leadline index` | symbols | no symbol there | complete at the first ask | median | 95 %"
    " | longest | longer than promised | CPU: 95 % | longest | longer than promised |\n|---|---|" + "---:|" * 11
)


def row(name: str, facts: str, built: float, asks: FirstAsks) -> str:
    """Return the answers as a row of Markdown."""
    ordered = sorted(asks.seconds) or [math.nan]
    times = (statistics.median(ordered), ordered[int(_PERCENTILE * (len(ordered) - 1))], ordered[-1])
    cells = [f"{built:,.0f} s", f"{len(asks.seconds):,}", f"{asks.refused:,}", f"{asks.share:.1f} %"]
    cells += [*(f"{1_000 * seconds:,.0f} ms" for seconds in times), f"{asks.late:,}"]
    cpu = sorted(asks.cpu) or [math.nan]
    cells += [f"{cpu[int(_PERCENTILE * (len(cpu) - 1))]:.2f} s", f"{cpu[-1]:.1f} s", f"{asks.dear:,}"]
    return f"| {name} | {facts} | {' | '.join(cells)} |"


def build_index(root: Path, cache: Path, *options: str) -> float:
    """Run ``leadline index`` on a tree; return the seconds of wall clock that it takes."""
    command = [sys.executable, "-m", "leadline_server", "index", "--root", str(root), "--cache-dir", str(cache)]
    started = time.perf_counter()
    subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def ask_first(asker: Asker, symbols: Sequence[Drawn], number: int, most: float) -> FirstAsks:
    """Ask once about symbols until so many have an answer, which is to be complete within ``most`` seconds."""
    asks = FirstAsks()
    for drawn in symbols:
        if len(asks.seconds) == number:
            break
        answer = asker.answer("find_references", drawn.address)
        if answer.error:
            asks.refused += 1
            continue
        asks.seconds.append(answer.seconds)
        asks.cpu.append(answer.cpu)
        asks.dear += answer.cpu > most
        asks.incomplete += not answer.examined
        asks.late += answer.seconds > most
        if not answer.examined or answer.seconds > most:
            asks.failures.append(f"{drawn.address} {drawn.name}: {_described(answer)}, {answer.cpu:.2f} s of CPU")
    return asks


def _described(answer: Answer) -> str:
    complete = "complete" if answer.examined else "not complete"
    return f"{complete} after {answer.seconds:.2f} s, {len(answer.uses):,} uses; {answer.account or 'no account'}"
