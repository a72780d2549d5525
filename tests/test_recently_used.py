"""A cache of so many values forgets the one that was used longest ago."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from leadline_tools.recently_used import RecentlyUsed

MOST = 3


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 6))))
def test_the_values_that_were_used_last_are_kept(steps: Sequence[tuple[bool, int]]) -> None:
    kept = RecentlyUsed[int, str](MOST)
    used: list[int] = []
    for puts, key in steps:
        if puts:
            kept.put(key, str(key))
        else:
            assert kept.get(key) == (str(key) if key in used else None)
        if puts or key in used:
            used = [*(one for one in used if one != key), key][-MOST:]


def test_a_value_that_is_put_again_replaces_the_one_before() -> None:
    kept = RecentlyUsed[str, list[int]](MOST)
    kept.put("a", [])
    assert kept.get("a") == []
    kept.put("a", [1])
    assert kept.get("a") == [1]


@given(st.lists(st.text(max_size=6)))
def test_values_that_weigh_too_much_together_go_but_for_the_last(given: list[str]) -> None:
    kept = RecentlyUsed[int, str](2 * MOST, len)
    for number, value in enumerate(given):
        kept.put(number, value)
    left = [one for number in range(len(given)) if (one := kept.get(number)) is not None]
    assert left == given[len(given) - len(left) :]
    assert sum(map(len, left)) <= 2 * MOST or left == given[-1:]
    if len(left) < len(given):
        assert sum(map(len, given[-len(left) - 1 :])) > 2 * MOST
