"""Sampled prices of long answers against what all of their lines cost: error and bias; exits with 1 above the promise.

    python bench/estimates.py --cache DIR ROOT...

Complete results of more than 512 rows are drawn by seed. Of each, runs of rows are drawn, whose price is estimated as
that of an answer is and counted too.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import click

from drawn import SEED, Drawing, opened
from leadline_estimators.estimate import EXACT_UP_TO, estimate
from leadline_estimators.tokenizer import contract_line, count
from leadline_estimators.truncation import Form
from leadline_server.call import Session
from leadline_server.rows import ItemRows
from leadline_tools.errors import LeadlineError
from leadline_tools.tool import TOOLS

RUNS = 20
"""Runs of rows that are drawn of one result."""

LONGEST = 20_000
"""Rows of a result that are looked at."""

MEASURED = 10_000
"""Up to so many rows the server scales a sample by characters, above by rows."""

ERROR, BIAS = 0.05, 0.01


def results(session: Session) -> Iterator[list[str]]:
    """Yield the rows of complete results with more rows than are counted one by one, as the lines of an answer."""
    drawing = Drawing(session.index)
    while True:
        name, arguments = drawing.long()
        tool = TOOLS[name]
        given = tool.arguments.model_validate(arguments)
        try:
            result = tool.run(session.index, **{field: getattr(given, field) for field in tool.arguments.model_fields})
        except LeadlineError:
            continue
        items = getattr(result, "items", ())
        if len(items) > EXACT_UP_TO:
            yield _texts(ItemRows(items[:LONGEST], session.prices))


def _texts(rows: ItemRows) -> list[str]:
    texts = []
    for row in range(len(rows)):
        heading = rows.heading(row)
        opens = heading and (row == 0 or rows.heading(row - 1) != heading)
        texts.append((contract_line(heading) if opens else "") + rows.text(row, Form.Normal))
    return texts


def errors(session: Session, number: int) -> Iterator[tuple[float, bool]]:
    """Yield by what share prices were off, and whether they were scaled by characters."""
    draw = random.Random(SEED)
    found = results(session)
    while number > 0:
        texts = next(found)
        costs = list(accumulate(map(count, texts), initial=0))
        for _ in range(min(number, RUNS)):
            length = draw.randint(EXACT_UP_TO + 1, len(texts))
            start = draw.randint(0, len(texts) - length)
            run = texts[start : start + length]
            characters = sum(map(len, run)) if length <= MEASURED else None
            told = estimate(length, run.__getitem__, characters).tokens
            actual = costs[start + length] - costs[start]
            yield (told - actual) / actual, characters is not None
            number -= 1


@click.command()
@click.option("--cache", required=True, type=click.Path(path_type=Path))
@click.option("--number", default=1_000, show_default=True, help="Answers about each tree.")
@click.argument("roots", nargs=-1, required=True, type=click.Path(path_type=Path))
def main(cache: Path, number: int, roots: tuple[Path, ...]) -> None:
    """Print how far sampled prices are off."""
    kept = True
    every: list[tuple[float, bool]] = []
    click.echo("| tree | answers | bias | p95 of the error | worst |\n|---|---:|---:|---:|---:|")
    for root in roots:
        session = opened(root, cache, "openai")
        try:
            off = list(errors(session, number))
        finally:
            session.close()
        every += off
        _told(root.name, [error for error, _ in off])
    _told("by characters", [error for error, by_characters in every if by_characters])
    _told("by rows", [error for error, by_characters in every if not by_characters])
    bias, p95 = _told("all", [error for error, _ in every])
    kept = abs(bias) < BIAS and p95 <= ERROR
    sys.exit(0 if kept else 1)


def _told(name: str, off: list[float]) -> tuple[float, float]:
    if not off:
        return 0.0, 0.0
    sizes = sorted(map(abs, off))
    bias, p95 = sum(off) / len(off), sizes[len(sizes) * 95 // 100]
    click.echo(f"| {name} | {len(off):,} | {bias:+.2%} | {p95:.1%} | {sizes[-1]:.1%} |")
    return bias, p95


if __name__ == "__main__":
    main()
