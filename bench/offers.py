"""What the calls that answers offer cost, against the price at which they are offered.

    python bench/offers.py ROOT [--calls N] [--seed N] [--cache-dir DIR]

Random questions of all tools are asked as ``budgets.py`` does, of an OpenAI model, whose tokens are counted. Each call
that an answer offers with a price is then made as it stands, and what is sent is counted. Nothing is learned meanwhile:
the price is the one that a new user gets. ROOT is indexed first.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import leadline_server.registry  # noqa: F401  declares the tools
from budgets import Questions, material
from leadline_estimators import count
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.index.index import Index
from leadline_tools.tool import TOOLS

CALLS = 400
SEED = 2026
PATIENCE = 600.0
CLOSE = 1.25
"""Up to so many times dearer or cheaper than told counts as close."""

OFFER = re.compile(r"^next: (\w+)\((.*)\) ~([\d,]+) tokens$", re.MULTILINE)
WORDS = {"true": True, "false": False}


class Offer(NamedTuple):
    """A call that was offered, what it should cost and what it did."""

    tool: str
    told: int
    sent: int

    @property
    def ratio(self) -> float:
        """Return how many times as much as was told was sent."""
        return self.sent / self.told


def arguments_of(written: str) -> dict[str, object]:
    """Return the arguments of a call as an answer writes it."""
    call = ast.parse(f"call({written})", mode="eval").body
    if not isinstance(call, ast.Call):
        raise TypeError(written)
    return {
        one.arg or "": WORDS[one.value.id] if isinstance(one.value, ast.Name) else ast.literal_eval(one.value)
        for one in call.keywords
    }


def offers(session: Session, questions: Questions) -> Iterator[Offer]:
    """Ask one question, and then all that its answer offers."""
    tool, arguments = questions.call()
    text = session.call(Request(tool, {**arguments, "max_tokens": 2_000})).text
    for offered, written, told in OFFER.findall(text):
        response = session.call(Request(offered, arguments_of(written)))
        if not response.is_error:
            yield Offer(offered, int(told.replace(",", "")), count(response.text))


def row(name: str, found: Sequence[Offer]) -> str:
    """Return a line of the table."""
    ratios = sorted(offer.ratio for offer in found)
    close = sum(1 / CLOSE <= ratio <= CLOSE for ratio in ratios) / len(ratios)
    low, high = ratios[len(ratios) * 5 // 100], ratios[len(ratios) * 95 // 100]
    return (
        f"| {name} | {len(found):,} | {statistics.median(ratios):.2f} | {low:.2f} | {high:.2f} | {100 * close:.0f} % |"
    )


def main(arguments: Sequence[str]) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--cache-dir", type=Path)
    options = parser.parse_args(arguments)
    draw = random.Random(options.seed)
    found: list[Offer] = []
    with tempfile.TemporaryDirectory() as temporary:
        cache = (options.cache_dir or Path(temporary)).resolve()
        index = Index(options.root.resolve(), cache)
        index.start()
        index.wait(PATIENCE)
        session = Session(Config(options.root.resolve(), Path(temporary) / "results", "openai"), index)
        questions = Questions(material(index, draw), draw, options.calls)
        for _ in range(options.calls):
            found += offers(session, questions)
        session.close()
    print("| offered | calls | sent / told, median | 5th percentile | 95th percentile | within a fourth |")
    print("|---|---:|---:|---:|---:|---:|")
    for tool in sorted(TOOLS):
        if own := [offer for offer in found if offer.tool == tool]:
            print(row(tool, own))
    print(row("**all**", found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
