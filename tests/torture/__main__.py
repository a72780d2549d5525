"""``scripts/torture [--short] [--seed N] [NAME ...]``: every torture, in the order of the table, each with its seconds.

The exit code is 1 if anything did not survive. A failure has the check and the second at which it happened first, and
the command that repeats the torture with the same random choices.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from torture.outcome import Outcome, Scale
from torture.table import TORTURES, Torture


def main() -> int:
    """Run what is asked for; print a table; return how the process ends."""
    parser = argparse.ArgumentParser(prog="scripts/torture", description="Do to servers what ended others.")
    parser.add_argument("--short", action="store_true", help="try as much as there is time for in CI")
    parser.add_argument("--seed", type=int, default=0, help="other random choices than the usual ones")
    parser.add_argument("names", nargs="*", help="tortures whose name begins so; all unless given")
    given = parser.parse_args()
    chosen = [one for one in TORTURES if not given.names or any(one.name.startswith(name) for name in given.names)]
    print(f"{'torture':28} {'tried':>7} {'survived':>9} {'seconds':>8}  figures", flush=True)
    started = time.monotonic()
    outcomes = [_survived(one, short=given.short, seed=given.seed) for one in chosen]
    print(f"{sum(outcomes)} of {len(outcomes)} tortures survived in {time.monotonic() - started:.0f} s", flush=True)
    return not outcomes or not all(outcomes)


def _survived(torture: Torture, *, short: bool, seed: int) -> bool:
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
    print(f"{torture.name:28} {outcome.tried:7,} {outcome.survived:9,} {seconds:8.1f}  {figures}", flush=True)
    for failure, number in outcome.failures.most_common(5):
        print(f"    {number} x {failure!r}, first at {outcome.firsts.get(failure, '')}")
    enough = outcome.tried >= torture.least[short]
    if not enough:
        print(f"    too little was tried: at least {torture.least[short]:,}")
    if not enough or outcome.failures:
        options = f"{'--short ' if short else ''}{f'--seed {seed} ' if seed else ''}"
        print(f"    repeat: scripts/torture {options}{torture.name!r}", flush=True)
    return enough and not outcome.failures


if __name__ == "__main__":
    sys.exit(main())
