"""The calls of one turn share a budget, and no answer is paid for twice in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from conftest import Asking, Open
from leadline_estimators import count
from leadline_server.app import build
from leadline_server.call import Request
from leadline_server.turns import Window

SIX = (
    ("list_files", {"recursive": True}),
    ("symbol_search", {"query": "member"}),
    ("find_references", {"symbol": "pkg.core.Widget"}),
    ("document_symbols", {"path": "pkg/core.py"}),
    ("read_file", {"path": "pkg/long.py"}),
    ("search_text", {"query": "Widget"}),
)


@pytest.fixture
def limited(opened: Open, large: Path) -> Asking:
    return opened(large, turn_tokens=1_500)


@pytest.fixture(scope="module")
def plain(opened: Open, large: Path) -> Asking:
    return opened(large)


def told(ask: Asking, turn: str, **arguments: object) -> str:
    """Return the uses of a class, as answered in a turn with a name."""
    given = {"symbol": "pkg.core.Widget", **arguments}
    return ask.session.call(Request("find_references", given, turn=turn)).text


@pytest.mark.parametrize("tokens", [1_500, 12_000])
def test_six_calls_of_a_turn_stay_within_its_budget_and_each_says_something(
    opened: Open, large: Path, tokens: int
) -> None:
    ask = opened(large, turn_tokens=tokens)
    spent = 0
    for tool, arguments in SIX:
        text = ask(tool, **arguments)
        spent += count(text) if count(text) > 60 else 0
        assert len(text.splitlines()) > 1
    assert spent <= tokens


def test_a_call_gets_at_most_half_of_what_is_left(limited: Asking) -> None:
    first = limited("find_references", symbol="pkg.core.Widget", max_tokens=9_000)
    assert count(first) <= 750
    second = limited("find_references", symbol="pkg.core.Widget", max_tokens=8_999)
    assert count(second) <= (1_500 - count(first)) / 2


def test_a_turn_that_is_spent_gives_the_total_and_the_uri(limited: Asking) -> None:
    text = [limited("find_references", symbol="pkg.core.Widget") for _ in range(12)][-1]
    assert count(text) <= 60
    assert "of 602" in text.splitlines()[0]
    assert "all: leadline://result/" in text


def test_a_new_turn_has_its_whole_budget(limited: Asking) -> None:
    for _ in range(12):
        limited("find_references", symbol="pkg.core.Widget")
    limited("budget", reset=True)
    assert count(limited("find_references", symbol="pkg.core.Widget")) > 400


def test_the_budget_tool_tells_how_the_turn_stands(limited: Asking) -> None:
    limited("find_references", symbol="pkg.core.Widget", max_tokens=300)
    assert "of 1,500 spent" in limited("budget", max_tokens=400)


def test_an_answer_of_a_named_turn_is_not_paid_for_twice(plain: Asking) -> None:
    first = told(plain, "twice", max_tokens=400)
    again = told(plain, "twice", max_tokens=400)
    assert "602 references, already answered in this turn" in again
    assert count(again) < 100 < count(first)
    assert again.splitlines()[-1] == first.splitlines()[-1]


def test_a_smaller_answer_than_before_is_not_paid_for_and_a_larger_one_is_sent(plain: Asking) -> None:
    told(plain, "sizes", max_tokens=600)
    assert "already answered in this turn" in told(plain, "sizes", max_tokens=300)
    assert "already answered in this turn" not in told(plain, "sizes", max_tokens=1_200)


def test_more_is_sent_to_who_asks_for_more(plain: Asking) -> None:
    first = told(plain, "more", max_tokens=400)
    assert count(told(plain, "more", max_tokens=900)) > count(first)


def test_without_a_named_turn_every_answer_is_sent_in_full(plain: Asking) -> None:
    texts = {plain("find_references", symbol="pkg.core.Widget", max_tokens=400) for _ in range(3)}
    assert len(texts) == 1


def test_an_answer_fits_what_is_left_of_the_window(plain: Asking) -> None:
    request = Request("find_references", {"symbol": "pkg.core.Widget"}, window=Window(8_192, 8_000))
    assert count(plain.session.call(request).text) <= 192


def test_a_small_window_makes_answers_small(opened: Open, large: Path) -> None:
    ask = opened(large, context_window=8_192)
    assert count(ask("find_references", symbol="pkg.core.Widget")) <= 512
    assert count(ask("find_references", symbol="pkg.core.Widget", max_tokens=9_000)) <= 2_048


@pytest.mark.anyio
async def test_a_client_names_its_turn_and_its_context_over_the_wire(plain: Asking) -> None:
    meta: Any = {"leadline/turn": "one", "leadline/context": {"window": 8_192, "used": 7_900}}
    asked = {"symbol": "pkg.core.Widget"}
    async with Client(build(plain.session), cache=None) as client:
        first, again = [await client.call_tool("find_references", asked, meta=meta) for _ in range(2)]
    assert count(str(getattr(first.content[0], "text", ""))) <= 292
    assert "already answered in this turn" in str(getattr(again.content[0], "text", ""))


ODD_CONTEXTS: tuple[object, ...] = (
    7,
    "full",
    [],
    {},
    {"window": -1, "used": 0},
    {"window": "8192", "used": 1},
    {"window": True, "used": 0},
)


@pytest.mark.anyio
@pytest.mark.parametrize("odd", ODD_CONTEXTS)
async def test_what_a_client_says_amiss_of_its_context_is_as_if_it_had_said_nothing(plain: Asking, odd: object) -> None:
    meta: Any = {"leadline/turn": odd, "leadline/context": odd}
    async with Client(build(plain.session), cache=None) as client:
        answer = await client.call_tool("find_references", {"symbol": "pkg.core.Widget"}, meta=meta)
    assert not answer.is_error
    assert count(str(getattr(answer.content[0], "text", ""))) > 1_000
