"""Whether answers about uses account for every token, agree with each other, and are complete at the first ask.

    python bench/account.py tokens ROOT...    every token that ``rg -w`` finds is in the account of the answer, once
    python bench/account.py sides ROOT...     uses of a definition against the definition of each use
    python bench/account.py first ROOT...     random symbols: complete at the first ask, and how long that takes
    python bench/account.py monotone ROOT...  nothing that was listed is missing later, no complete answer changes
    python bench/account.py subtypes ROOT     subtypes of a type with many, at the first ask

Options: ``--symbols N``, ``--calls N``, ``--seed N``, ``--patience SECONDS``, ``--failures N`` (how many are listed),
``--longest SECONDS`` (then ``tokens`` and ``sides`` end, and say how many symbols they compared), ``--uses N``
(how many of each kind ``sides`` compares for a symbol), ``--cache DIR`` (keeps the indexes; each tree has its own in
it). Symbols are drawn by seed: half are definitions of the index, half are
names that stand in code files. Each command prints a table and what fails, and exits with 1 where anything does.
``tokens`` needs ripgrep. ``first`` and ``subtypes`` run ``leadline index`` before they ask.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from accounting import monotone, sides, speed, tokens
from accounting.answers import Asker
from accounting.drawing import draw
from drawn import SEED, opened
from leadline_tools.patience import DEFAULT_SECONDS

_LONGEST_FIRST = 3.0
"""Seconds of the longest first answer, facts complete."""

_PATIENCE = 10.0
"""Seconds of the longest first answer without facts."""

_LEAST_WITHOUT_FACTS = 98.0
"""Percent of first answers that are complete without facts."""

_LONGEST_SUBTYPES = 0.3


def main() -> int:
    """Measure; return the exit code."""
    given = _arguments()
    with tempfile.TemporaryDirectory() as scratch:
        return 1 if _COMMANDS[given.command](given, given.cache or Path(scratch)) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=_COMMANDS)
    parser.add_argument("roots", nargs="+", type=Path, metavar="ROOT")
    parser.add_argument("--symbols", type=int, default=0, help="how many are drawn of each tree")
    parser.add_argument("--calls", type=int, default=10_000, help="how many calls monotone makes on each tree")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--patience", type=float, default=DEFAULT_SECONDS, help="more where other programs run")
    parser.add_argument("--without-facts", action="store_true", help="first: index without facts")
    parser.add_argument("--seconds", type=float, default=0.0, help="the longest that first and subtypes may take")
    parser.add_argument("--type", default="AbstractQueuedSynchronizer", help="subtypes: of which type")
    parser.add_argument("--wanted", type=int, default=11, help="subtypes: how many there are")
    parser.add_argument("--failures", type=int, default=20, metavar="N")
    parser.add_argument("--uses", type=int, default=sides.USES, help="sides: tokens of each kind compared for a symbol")
    parser.add_argument("--longest", type=float, default=math.inf, help="tokens, sides: seconds for each tree")
    parser.add_argument("--cache", type=Path)
    return parser.parse_args()


@contextmanager
def _asking(root: Path, cache: Path, patience: float) -> Iterator[Asker]:
    """Give an asker whose index is complete."""
    session = opened(root.resolve(), cache / root.name, "openai", patience)
    try:
        yield Asker(session)
    finally:
        session.close()


def _list(name: str, failures: Sequence[str], most: int) -> None:
    for failure in failures[:most]:
        print(f"  {name}: {failure}")
    if len(failures) > most:
        print(f"  {name}: and {len(failures) - most:,} more")


def _tokens(given: argparse.Namespace, cache: Path) -> bool:
    print(tokens.HEAD)
    found: dict[str, tokens.Sums] = {}
    for root in given.roots:
        with _asking(root, cache, given.patience) as asker:
            drawn = draw(asker.index, root, given.symbols or 500, given.seed)
            found[root.name] = tokens.check(asker, root, drawn, given.longest)
        print(tokens.row(root.name, found[root.name]), flush=True)
    for name, sums in found.items():
        for kind, number in sums.refused.most_common():
            print(f"  {name}: {number} times: {kind}")
        _list(name, sums.failures, given.failures)
    return any(sums.failed for sums in found.values())


def _sides(given: argparse.Namespace, cache: Path) -> bool:
    print(sides.HEAD)
    failures: dict[str, Sequence[str]] = {}
    for root in given.roots:
        with _asking(root, cache, given.patience) as asker:
            drawn = draw(asker.index, root, given.symbols or 500, given.seed)
            both = sides.check(asker, root, drawn, given.seed, given.longest, given.uses)
        print(sides.row(root.name, both), flush=True)
        failures[root.name] = both.failures
    for name, found in failures.items():
        _list(name, found, given.failures)
    return any(failures.values())


def _first(given: argparse.Namespace, cache: Path) -> bool:
    number = given.symbols or 200
    facts, options = ("none", ("--no-facts",)) if given.without_facts else ("all", ())
    most = given.seconds or (_PATIENCE if given.without_facts else _LONGEST_FIRST)
    least = _LEAST_WITHOUT_FACTS if given.without_facts else 100.0
    print(speed.HEAD)
    failures: dict[str, Sequence[str]] = {}
    too_few = False
    for root in given.roots:
        folder = cache / f"first-{facts}"  # of its own: what was asked before leaves facts and results behind
        shutil.rmtree(folder / root.name, ignore_errors=True)
        built = speed.build_index(root.resolve(), folder / root.name, *options)
        with _asking(root, folder, given.patience) as asker:
            asks = speed.ask_first(asker, draw(asker.index, root, 4 * number, given.seed), number, most)
        print(speed.row(root.name, facts, built, asks), flush=True)
        failures[root.name] = asks.failures
        too_few |= asks.share < least or asks.late > 0
    for name, found in failures.items():
        _list(name, found, given.failures)
    return too_few


def _monotone(given: argparse.Namespace, cache: Path) -> bool:
    print(monotone.HEAD)
    failures: dict[str, Sequence[str]] = {}
    for root in given.roots:
        repeats = monotone.Repeats()
        with _asking(root, cache, given.patience) as asker:
            drawn = draw(asker.index, root, given.symbols or 400, given.seed)
            asked = monotone.questions(drawn, given.calls, given.seed)
            monotone.repeat(asker, asked, repeats, given.calls // 2)
        _forget_results(cache / root.name)
        with _asking(root, cache, given.patience) as asker:
            monotone.repeat(asker, asked, repeats, given.calls - given.calls // 2)
        print(monotone.row(root.name, repeats), flush=True)
        failures[root.name] = repeats.failures
    for name, found in failures.items():
        _list(name, found, given.failures)
    return any(failures.values())


def _forget_results(cache: Path) -> None:
    """Remove the results that a session kept: the next one finds them again by itself."""
    for file in cache.glob("results.db*"):
        file.unlink()


def _subtypes(given: argparse.Namespace, cache: Path) -> bool:
    failed = False
    print("| tree | type | subtypes at the first ask | complete | ms | CPU, ms |\n|---|---|---:|---|---:|---:|")
    for root in given.roots:
        speed.build_index(root.resolve(), cache / root.name)
        _forget_results(cache / root.name)
        with _asking(root, cache, given.patience) as asker:
            answer = asker.answer("find_implementations", given.type)
        found, milliseconds, cpu = len(answer.uses), 1_000 * answer.seconds, 1_000 * answer.cpu
        complete = answer.error or ("yes" if answer.complete else "no")
        times = f"{milliseconds:,.0f} | {cpu:,.0f}"
        print(f"| {root.name} | {given.type} | {found} of {given.wanted} | {complete} | {times} |")
        failed |= found != given.wanted or not answer.complete or answer.seconds > (given.seconds or _LONGEST_SUBTYPES)
    return failed


_COMMANDS: Mapping[str, Callable[[argparse.Namespace, Path], bool]] = {
    "tokens": _tokens,
    "sides": _sides,
    "first": _first,
    "monotone": _monotone,
    "subtypes": _subtypes,
}


if __name__ == "__main__":
    sys.exit(main())
