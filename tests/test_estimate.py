"""The price of an answer is known before the answer is built: exactly when it is short, closely when it is long."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators.estimate import EXACT_UP_TO, SAMPLE, Estimate, estimate
from leadline_estimators.tokenizer import contract_line, count, count_line

PARTS = (
    "query set manager field model form view user session token cache index file path node tree walk read write open "
    "close parse render value name type kind item list map key test case request response error result state event "
    "handler builder factory config option default base abstract internal legacy 中文 grüße"
).split()
CODE = (
    "return self.{a}({b})  # {c}",
    "if {a} is None or len({b}) > 0:",
    "{a}, {b} = {c}.split(',', 1)",
    "raise {A}Error(f'no {a} in {b}: {c!r}')",
    "from {a}.{b} import {A}{B} as {C}",
    "self.assertEqual({A}{B}.objects.filter({a}__{b}={c}).count(), 3)",
    "}}",
    "@{a}.{b}",
)

Answer = Callable[[random.Random, int], list[str]]


def word(chance: random.Random) -> str:
    """A word; few are frequent, as in code."""
    return PARTS[min(int(chance.paretovariate(0.7)) - 1, chance.randrange(len(PARTS)))]


def code(chance: random.Random) -> str:
    a, b, c = (word(chance) for _ in range(3))
    text = chance.choice(CODE).format(a=a, b=b, c=c, A=a.title(), B=b.title(), C=c.title())
    return " " * 4 * chance.randrange(4) + text


def name(chance: random.Random) -> str:
    style = chance.random()
    parts = [word(chance) for _ in range(chance.choice((1, 2, 2, 3)))]
    return "_".join(parts) if style < 0.6 else "".join(part.title() for part in parts)


def folders(chance: random.Random) -> str:
    return "/".join(name(chance) for _ in range(chance.choice((1, 2, 2, 3, 5))))


def uses(chance: random.Random, size: int) -> list[str]:
    """References below their files, of which few have very many."""
    rows: list[str] = []
    while len(rows) < size:
        line = 0
        path = f"{folders(chance)}/{name(chance)}.py\n"
        for i in range(min(int(chance.paretovariate(0.8)), 400)):
            line += chance.randrange(1, 60)
            rows.append((path if i == 0 else "") + contract_line(f"{line}: {code(chance).strip()}"))
    return rows[:size]


def paths(chance: random.Random, size: int) -> list[str]:
    rows: list[str] = []
    while len(rows) < size:
        folder = f"{folders(chance)}/\n"
        names = sorted(f"{name(chance)}.py" for _ in range(min(int(chance.paretovariate(0.8)), 300)))
        rows.extend((folder if i == 0 else "") + contract_line(name) for i, name in enumerate(names))
    return rows[:size]


def outline(chance: random.Random, size: int) -> list[str]:
    return [
        contract_line(f"{' ' * (i % 7 > 0)}{i * 9} {name(chance)}({', '.join(word(chance) for _ in range(i % 5))})")
        for i in range(size)
    ]


def source(chance: random.Random, size: int) -> list[str]:
    return [contract_line(f"{i + 1}:" if chance.random() < 0.15 else f"{i + 1}: {code(chance)}") for i in range(size)]


def objects(chance: random.Random, size: int) -> list[str]:
    return [
        f'{{"path":"{folders(chance)}.py","line":{i * 7},"column":{i % 60},"text":"{code(chance).strip()}"}},\n'
        for i in range(size)
    ]


@pytest.fixture(scope="module")
def answers() -> list[list[str]]:
    chance = random.Random(20_260)
    kinds: Sequence[Answer] = (uses, paths, outline, source, objects)
    return [kind(chance, chance.randrange(EXACT_UP_TO + 1, 2_500)) for kind in kinds for _ in range(20)]


def errors(answers: list[list[str]], *, characters: bool) -> list[float]:
    """Return by how much the estimates of answers are wrong, smallest first."""
    found = []
    for rows in answers:
        made = estimate(len(rows), rows.__getitem__, sum(map(len, rows)) if characters else None)
        assert made.sampled
        exact = sum(map(count_line, rows))
        found.append(abs(made.tokens - exact) / exact)
    return sorted(found)


def test_a_sample_scaled_by_characters_is_wrong_by_less_than_5_percent_in_95_of_100_answers(
    answers: list[list[str]],
) -> None:
    wrong = errors(answers, characters=True)
    assert wrong[95] < 0.05
    assert wrong[-1] < 0.10


def test_a_sample_scaled_by_lines_is_wrong_by_less_than_15_percent_in_95_of_100_answers(
    answers: list[list[str]],
) -> None:
    wrong = errors(answers, characters=False)
    assert wrong[95] < 0.15
    assert wrong[-1] < 0.20


@given(
    rows=st.lists(st.text(max_size=12).map(contract_line), max_size=30),
    times=st.integers(1, 40),
    known=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_up_to_a_number_of_lines_the_price_is_exact(rows: list[str], times: int, known: bool) -> None:
    lines = (rows * times)[:EXACT_UP_TO]
    characters = sum(map(len, lines)) if known else None
    assert estimate(len(lines), lines.__getitem__, characters) == Estimate(count("".join(lines)), sampled=False)


def test_one_line_more_is_sampled_and_only_the_sample_is_built() -> None:
    asked: list[int] = []

    def text(row: int) -> str:
        asked.append(row)
        return f"{row}\n"

    assert estimate(EXACT_UP_TO + 1, text).sampled
    assert len(asked) == len(set(asked)) == SAMPLE


@given(lines=st.integers(EXACT_UP_TO + 1, 10**9))
@settings(max_examples=100)
def test_a_sample_is_spread_evenly_over_all_lines(lines: int) -> None:
    asked: list[int] = []

    def text(row: int) -> str:
        asked.append(row)
        return "x\n"

    made = estimate(lines, text, 2 * lines)
    step = lines / SAMPLE
    assert made == Estimate(2 * lines, sampled=True)
    assert 0 <= asked[0] <= step
    assert lines - step <= asked[-1] < lines
    assert all(step - 1 <= after - before <= step + 1 for before, after in pairwise(asked))


@pytest.mark.parametrize("characters", [None, 0])
def test_no_lines_cost_nothing(characters: int | None) -> None:
    assert estimate(0, "".__getitem__, characters) == Estimate(0, sampled=False)


def test_equal_lines_are_estimated_exactly_whatever_their_number() -> None:
    line = contract_line("app/models.py: 12,13")
    assert estimate(100_000, lambda _row: line) == Estimate(count(line) * 100_000, sampled=True)
