"""The calls of one turn share a budget: early ones leave enough for late ones, and none gets nothing."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators.turn import FLOOR, TurnBudget, TurnState


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def spend(budget: TurnBudget, asked: int | None = None, used: int | None = None, turn: str | None = None) -> int:
    """Make a call; return what it was granted."""
    with budget.call(asked, turn) as grant:
        if used is not None:
            grant.spend(used)
    return grant.tokens


def test_a_call_gets_what_it_asks_for_and_at_most_half_of_what_is_left() -> None:
    budget = TurnBudget(12_000)
    assert [spend(budget, 2_000) for _ in range(6)] == [2_000, 2_000, 2_000, 2_000, 2_000, 1_000]
    assert budget.state == TurnState(12_000, 11_000, 1_000, 6, 0)


def test_six_calls_in_a_small_turn_all_get_something() -> None:
    budget = TurnBudget(1_500)
    assert [spend(budget, 2_000) for _ in range(6)] == [750, 375, 187, 94, FLOOR, FLOOR]
    assert budget.state == TurnState(1_500, 1_406, 94, 6, 2)


def test_what_a_call_did_not_use_is_left_to_the_others() -> None:
    budget = TurnBudget(1_000)
    assert spend(budget, 500, used=20) == 500
    assert budget.state.left == 980
    assert spend(budget) == 490


def test_floor_answers_do_not_count() -> None:
    budget = TurnBudget(100)
    assert [spend(budget, 1_000) for _ in range(50)] == [FLOOR] * 50
    assert budget.state == TurnState(100, 0, 100, 50, 50)


def test_less_than_the_floor_is_raised_to_it_and_counts_while_there_is_enough() -> None:
    budget = TurnBudget(1_000, floor=90)
    assert spend(budget, 1) == 90
    assert budget.state.spent == 90


def test_a_call_that_fails_costs_nothing_unless_it_says_so() -> None:
    budget = TurnBudget(1_000)

    def fail(tokens: int | None) -> None:
        with budget.call(300) as grant:
            if tokens is not None:
                grant.spend(tokens)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail(None)
    assert budget.state.spent == 0
    with pytest.raises(RuntimeError):
        fail(40)
    assert budget.state.spent == 40


def test_a_reset_begins_a_new_turn() -> None:
    budget = TurnBudget(1_000)
    spend(budget)
    budget.reset()
    assert budget.state == TurnState(1_000, 0, 1_000, 0, 0)
    assert spend(budget) == 500


def test_another_name_begins_a_new_turn_and_the_same_name_does_not() -> None:
    budget = TurnBudget(1_000)
    assert [spend(budget, turn="a"), spend(budget, turn="a"), spend(budget)] == [500, 250, 125]
    assert spend(budget, turn="b") == 500


def test_silence_ends_a_turn() -> None:
    clock = Clock()
    budget = TurnBudget(1_000, idle=60.0, clock=clock)
    assert spend(budget) == 500
    clock.now = 60.0
    assert spend(budget) == 250
    clock.now = 120.5
    assert spend(budget) == 500


def test_silence_is_counted_from_the_end_of_a_call_and_none_while_one_runs() -> None:
    clock = Clock()
    budget = TurnBudget(1_000, idle=60.0, clock=clock)
    with budget.call(400):
        clock.now = 500.0
        assert spend(budget) == 300
    clock.now = 555.0
    assert spend(budget) == 150


def test_a_clock_that_jumps_back_ends_no_turn() -> None:
    clock = Clock()
    clock.now = 1_000.0
    budget = TurnBudget(1_000, idle=60.0, clock=clock)
    spend(budget)
    clock.now = -1e9
    assert spend(budget) == 250


def test_without_a_limit_of_silence_a_turn_lasts() -> None:
    clock = Clock()
    budget = TurnBudget(1_000, clock=clock)
    spend(budget)
    clock.now = 1e12
    assert spend(budget) == 250


def test_a_call_that_outlives_its_turn_does_not_spend_from_the_next() -> None:
    budget = TurnBudget(1_000)
    with budget.call(400, turn="a"):
        spend(budget, 100, turn="b")
    assert budget.state == TurnState(1_000, 100, 900, 1, 0)


@pytest.mark.parametrize("tokens", [0, 1, FLOOR])
def test_a_budget_that_pays_for_nothing_still_answers(tokens: int) -> None:
    assert spend(TurnBudget(tokens), 500) == FLOOR


calls = st.lists(st.tuples(st.one_of(st.none(), st.integers(-10, 10**6)), st.floats(0, 1), st.booleans()), max_size=60)


@given(budget=st.integers(0, 10**6), floor=st.integers(1, 500), calls=calls)
@settings(max_examples=200)
def test_calls_never_spend_more_than_the_turn_and_their_floors(
    budget: int, floor: int, calls: list[tuple[int | None, float, bool]]
) -> None:
    turn = TurnBudget(budget, floor)
    counted = free = 0
    for asked, share, tells in calls:
        before = turn.state.left
        with turn.call(asked) as grant:
            assert grant.tokens >= floor
            assert grant.tokens == floor or grant.tokens <= before // 2
            assert asked is None or grant.tokens <= max(asked, floor)
            used = int(grant.tokens * share) if tells else grant.tokens
            if tells:
                grant.spend(used)
        counted, free = (counted + used, free) if grant.counts else (counted, free + used)
    state = turn.state
    assert state.spent == counted <= budget
    assert free <= state.floored * floor
    assert state.left == budget - counted
    assert state.calls == len(calls)


def test_calls_at_the_same_time_share_the_turn_too() -> None:
    turn = TurnBudget(100_000)
    granted: list[int] = []
    together = threading.Barrier(8)

    def work() -> None:
        together.wait()
        for _ in range(50):
            with turn.call(5_000) as grant:
                if grant.counts:
                    granted.append(grant.tokens)
                grant.spend(grant.tokens // 2)

    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(work) for _ in range(8)]:
            done.result()
    state = turn.state
    assert state.spent == sum(tokens // 2 for tokens in granted) <= 100_000
    assert state.calls == 400


def test_calls_that_run_hold_what_they_were_granted() -> None:
    turn = TurnBudget(1_000)
    with turn.call() as first, turn.call() as second, turn.call() as third:
        assert (first.tokens, second.tokens, third.tokens) == (500, 250, 125)
        assert turn.state.left == 125
        first.spend(0)
        second.spend(0)
        third.spend(0)
    assert turn.state.left == 1_000
