"""``scripts/torture [--short] [--seed N] [NAME ...]``: every torture, two at a time, those that measure times alone.

The exit code is 1 if anything did not survive. A failure has the check and the second at which it happened first, and
the command that repeats the torture with the same random choices.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from torture.attempt import survived
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
    outcomes = _run_together([one for one in chosen if not one.timed], short=given.short, seed=given.seed)
    outcomes += [survived(one, short=given.short, seed=given.seed) for one in chosen if one.timed]
    print(f"{sum(outcomes)} of {len(outcomes)} tortures survived in {time.monotonic() - started:.0f} s", flush=True)
    return not outcomes or not all(outcomes)


def _run_together(tortures: list[Torture], *, short: bool, seed: int) -> list[bool]:
    """Run tortures two at a time, each in a process of its own; return whether each survived, in no order.

    Most of them wait for servers half of their time, so two of them keep two cores busy.
    """
    with ProcessPoolExecutor(2, get_context("spawn"), max_tasks_per_child=1) as pool:
        runs = [pool.submit(survived, one, short=short, seed=seed) for one in tortures]
        return [run.result() for run in as_completed(runs)]


if __name__ == "__main__":
    sys.exit(main())
