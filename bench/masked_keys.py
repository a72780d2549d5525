"""Asks every tool about 13 kinds of keys in 40 contexts, over stdio, HTTP and the page.

python bench/masked_keys.py

It takes a quarter of an hour. `scripts/torture "keys everywhere"` asks about some of the contexts.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / part) for part in ("server", "tools", "estimators", "tests")]

from torture import leaks  # noqa: E402
from torture.outcome import Scale  # noqa: E402


def main() -> int:
    """Ask; print what was shown, and return how the process ends."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="leadline-keys-") as folder:
        outcome = leaks.ask_about_keys(Scale(Path(folder), short=False), 1)
    for failure, number in outcome.failures.most_common(20):
        print(f"{number} x {failure}")
    figures = ", ".join(f"{name} {value}" for name, value in outcome.figures.items())
    print(f"{outcome.tried:,} texts, {outcome.survived:,} without a key, {time.monotonic() - started:.0f} s; {figures}")
    return bool(outcome.failures)


if __name__ == "__main__":
    sys.exit(main())
