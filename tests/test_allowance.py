from __future__ import annotations

from math import inf

from hypothesis import given
from hypothesis import strategies as st

from leadline_tools.resolve.allowance import Allowance


def test_the_first_facts_of_a_question_are_paid_whatever_they_cost() -> None:
    allowance = Allowance()
    allowance.begin(1.0)
    allowance.pay(8.0, 100)
    assert not allowance.covers(1)
    allowance.begin(1.0)
    assert allowance.covers(10**9)


def test_what_is_left_is_compared_with_what_a_byte_has_cost() -> None:
    allowance = Allowance()
    allowance.begin(1.0)
    allowance.pay(0.5, 500)
    assert allowance.covers(500)
    assert not allowance.covers(501)


def test_workers_that_start_are_paid_and_make_no_byte_dearer() -> None:
    allowance = Allowance()
    allowance.begin(1.0)
    allowance.pay(0.25, 500, start=0.5)
    assert allowance.covers(500)
    assert not allowance.covers(501)
    allowance.begin(1.0)
    assert allowance.covers(10**9)
    allowance.pay(0.0, 0)
    assert allowance.covers(10**9)
    allowance.pay(0.5, 1_000)
    assert allowance.covers(1_000)
    assert not allowance.covers(1_001)


@given(st.lists(st.tuples(st.floats(1e-6, 1e3), st.integers(1, 10**7))))
def test_without_a_limit_everything_is_covered(paid: list[tuple[float, int]]) -> None:
    allowance = Allowance()
    for seconds, size in paid:
        allowance.pay(seconds, size)
    allowance.begin(inf)
    allowance.pay(1.0, 1)
    assert allowance.covers(10**12)


@given(st.floats(0.1, 10), st.lists(st.integers(1, 1_000), max_size=50))
def test_no_more_is_spent_than_allowed_where_every_byte_costs_the_same(most: float, sizes: list[int]) -> None:
    allowance = Allowance()
    allowance.begin(most)
    spent = []
    for size in sizes:
        if allowance.covers(size):
            spent.append(size / 1_000)
            allowance.pay(size / 1_000, size)
    assert sum(spent[1:]) <= max(0.0, most - sum(spent[:1])) + 1e-6
