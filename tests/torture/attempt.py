"""One run of a torture: it is made in a folder of its own, and its row is printed."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from torture.outcome import Outcome, Scale
from torture.table import Torture


def survived(torture: Torture, *, short: bool, seed: int) -> bool:
    """Run a torture and print its row; return whether everything survived, and enough was tried."""
    with tempfile.TemporaryDirectory(prefix="leadline-torture-") as folder:
        started = time.monotonic()
        try:
            outcome = torture.run(Scale(Path(folder), short, seed))
        except Exception as error:  # a torture that breaks is one that was not survived
            outcome = Outcome()
            outcome.check(False, f"{type(error).__name__}: {error}")
        seconds = time.monotonic() - started
    figures = ", ".join(f"{name} {value}" for name, value in outcome.figures.items())
    lines = [f"{torture.name:28} {outcome.tried:7,} {outcome.survived:9,} {seconds:8.1f}  {figures}"]
    for failure, number in outcome.failures.most_common(5):
        lines.append(f"    {number} x {failure!r}, first at {outcome.firsts.get(failure, '')}")
    enough = outcome.tried >= torture.least[short]
    if not enough:
        lines.append(f"    too little was tried: at least {torture.least[short]:,}")
    if not enough or outcome.failures:
        options = f"{'--short ' if short else ''}{f'--seed {seed} ' if seed else ''}"
        lines.append(f"    repeat: scripts/torture {options}{torture.name!r}")
    sys.stdout.write("".join(f"{line}\n" for line in lines))  # in one piece: another torture may print meanwhile
    sys.stdout.flush()
    return enough and not outcome.failures
