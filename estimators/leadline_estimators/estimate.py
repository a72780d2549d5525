"""The price of a text before it is built."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leadline_estimators.tokenizer import Counter, count

SAMPLE = 64
"""Lines of a systematic sample: every n-th, from half a step in. Over 1,500 answers the 95th percentile of the error
was 2.3 % when scaled by characters; the first five lines, as often taken, gave 36 %."""

EXACT_UP_TO = 512
"""So many lines are counted one by one: it takes a millisecond."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A price in tokens, as they are counted; exact unless it was sampled."""

    tokens: int
    sampled: bool


def sampled_lines(lines: int) -> Sequence[int]:
    """Return the numbers of the lines of which the price of so many is estimated; none where all are counted."""
    return [] if lines <= EXACT_UP_TO else [int((i + 0.5) * lines / SAMPLE) for i in range(SAMPLE)]


def estimate(lines: int, text: Callable[[int], str], characters: int | None = None, count: Counter = count) -> Estimate:
    """Return the price of ``lines`` contract lines.

    Args:
        lines: How many there are.
        text: From an index to the line there, with its line end.
        characters: The characters of all of them, where that is cheap to know: a sample is then scaled by it.
        count: How tokens are counted; those of o200k unless it is given.
    """
    if lines <= EXACT_UP_TO:
        return Estimate(sum(count(text(i)) for i in range(lines)), sampled=False)
    sample = [text(line) for line in sampled_lines(lines)]
    tokens = sum(map(count, sample))
    if characters is None:
        return Estimate(round(tokens * lines / SAMPLE), sampled=True)
    return Estimate(round(tokens * characters / max(1, sum(map(len, sample)))), sampled=True)
