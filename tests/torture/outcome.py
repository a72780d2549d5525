"""What came of a torture, and how much of it there is."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random


@dataclass(frozen=True)
class Scale:
    """How much is tried: all of it, or in the short run what CI has time for; a folder to do it in, and a seed."""

    folder: Path
    short: bool
    seed: int = 0

    def random(self, own: int) -> Random:
        """Return the random choices of one torture, the same for the same seed; ``own`` is a number of the torture."""
        return Random(f"{self.seed} {own}") if self.seed else Random(own)

    def many(self, full: int, short: int) -> int:
        """Return how often something is tried."""
        return short if self.short else full

    def place(self, name: str) -> Path:
        """Return an empty folder."""
        place = self.folder / name
        place.mkdir(parents=True)
        return place


@dataclass
class Outcome:
    """How often something was tried, and what did not survive it; ``figures`` are told besides.

    ``firsts`` says of each failure with which check it happened first, and how many seconds after the start.
    """

    tried: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    firsts: dict[str, str] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)
    started: float = field(default_factory=time.monotonic)

    def check(self, survived: object, failure: str) -> None:
        """Count something that was tried, and what is wrong if it did not survive."""
        self.tried += 1
        if not survived:
            self.failures[failure[:160]] += 1
            self.firsts.setdefault(failure[:160], f"check {self.tried:,} after {time.monotonic() - self.started:.1f} s")

    @property
    def survived(self) -> int:
        return self.tried - self.failures.total()


def percentile(seconds: list[float], share: float) -> float:
    """Return the milliseconds within which a share of some times lies."""
    ordered = sorted(seconds)
    return 1_000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
