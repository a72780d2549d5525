"""Every answer keeps its budget, to the token, and loses nothing by it."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from conftest import Asking, Open
from leadline_estimators import count
from leadline_server.config import HARD_CHARACTERS, HARD_TOKENS, READ_TOKENS
from leadline_tools.tool import TOOLS
from questions import QUESTIONS

Question = tuple[str, dict[str, object]]

NO_LISTS = {"budget"}
asked = st.sampled_from(QUESTIONS)
budgets = st.one_of(st.integers(60, 400), st.integers(60, 3_000), st.integers(60, 20_000))


def uri_in(text: str) -> str:
    found = re.findall(r"^all: (\S+)$", text, re.MULTILINE)
    return str(found[-1]) if found else ""


def spent_in(header: str) -> tuple[int, int]:
    """Return the tokens and the budget that a header tells."""
    match = re.search(r"\| ~?([\d,]+)(?: of |/)([\d,]+)", header)
    assert match is not None, header
    return int(match[1].replace(",", "")), int(match[2].replace(",", ""))


def shown_in(header: str) -> int:
    """Return how many items a header says are shown."""
    if match := re.search(r"([\d,]+)-([\d,]+) of", header):
        return int(match[2].replace(",", "")) - int(match[1].replace(",", "")) + 1
    match = re.search(r": (?:>=)?([\d,]+)", header)
    return int(match[1].replace(",", "")) if match else 0


def test_every_tool_is_asked_in_these_tests() -> None:
    assert {tool for tool, _ in QUESTIONS} | {"read_result"} == set(TOOLS)


@given(question=asked, tokens=budgets)
@settings(max_examples=400, deadline=None)
def test_no_answer_costs_more_than_its_budget(ask: Asking, question: Question, tokens: int) -> None:
    tool, arguments = question
    text = ask(tool, **arguments, max_tokens=tokens)
    assert count(text) <= min(tokens, HARD_TOKENS)
    assert len(text) <= HARD_CHARACTERS


@given(question=asked, tokens=budgets)
@settings(max_examples=150, deadline=None)
def test_the_header_tells_what_the_answer_costs(ask: Asking, question: Question, tokens: int) -> None:
    tool, arguments = question
    text = ask(tool, **arguments, max_tokens=tokens)
    assert spent_in(text.splitlines()[0]) == (count(text), min(tokens, HARD_TOKENS))


@pytest.mark.parametrize(("tool", "arguments"), [q for q in QUESTIONS if q[0] not in NO_LISTS])
def test_a_larger_budget_never_shows_fewer_items(ask: Asking, tool: str, arguments: dict[str, object]) -> None:
    steps = [
        *range(60, 146, 5),
        *range(146, 156),
        *range(156, 330, 11),
        *range(330, 1_300, 47),
        *range(1_300, 9_000, 700),
    ]
    shown = [shown_in(ask(tool, **arguments, max_tokens=tokens).splitlines()[0]) for tokens in steps]
    falls = [(steps[i], before, after) for i, (before, after) in enumerate(pairwise(shown)) if after < before]
    assert falls == []


@pytest.mark.parametrize(("tool", "arguments"), [q for q in QUESTIONS if q[0] not in NO_LISTS])
@pytest.mark.parametrize("tokens", [60, 200, 1_000])
def test_the_pages_of_a_cut_answer_are_the_whole_result(
    ask: Asking, tool: str, arguments: dict[str, object], tokens: int
) -> None:
    text = ask(tool, **arguments, max_tokens=tokens)
    uri = uri_in(text)
    if not uri:  # all that was asked for is there: everything, nothing, or the lines of the range
        assert re.match(r".*(, complete|: no |: lines 1-100 of| best \w+ of more) ?", text)
        return
    whole = json.loads(ask.session.read_all(uri, 0))
    items: list[dict[str, str]] = []
    while len(items) < whole["total"]:
        page = json.loads(ask("read_result", uri=uri, offset=len(items), format="json", max_tokens=max(tokens, 400)))
        assert page["offset"] == len(items)
        assert page["returned"] == len(page["items"]) > 0
        items.extend(page["items"])
        whole_list = not {"best_of_more", "undecided", "at_least"}.intersection(page)
        assert page["complete"] is (len(items) == page["total"] and whole_list)
        assert ("next" in page) is (len(items) < page["total"])
    for item, full in zip(items, whole["items"], strict=True):
        if item.pop("clipped", False):  # larger than the page that was asked for: cut there, whole in the resource
            assert full["text"].startswith(item.pop("text"))
            del full["text"]
        assert item == full


@given(
    question=asked.filter(lambda q: q[0] not in NO_LISTS), tokens=st.integers(60, 1_500), page=st.integers(60, 20_000)
)
@example(question=("rename_symbol", {"symbol": "pkg.core.Widget", "new_name": "Gadget"}), tokens=60, page=60)
@settings(max_examples=30, deadline=None)
def test_text_pages_follow_each_other_without_gap_or_overlap(
    ask: Asking, question: Question, tokens: int, page: int
) -> None:
    tool, arguments = question
    uri = uri_in(ask(tool, **arguments, max_tokens=tokens))
    if not uri:
        return
    total = json.loads(ask("read_result", uri=uri, format="json", max_tokens=20_000))["total"]
    position = 0
    for _ in range(total):
        text = ask("read_result", uri=uri, offset=position, max_tokens=page)
        assert count(text) <= min(page, READ_TOKENS)
        header = text.splitlines()[0]
        further = re.search(rf'read_result\(uri="{uri}", offset=(\d+)\)', text)
        shown = shown_in(header)
        if further is not None:
            assert int(further[1]) == position + shown
        assert shown > 0
        position += shown
        if position >= min(total, 400):
            return
    raise AssertionError(f"{position} of {total}")


@given(question=asked, tokens=st.integers(60, 9_000))
@settings(max_examples=100, deadline=None)
def test_the_estimate_of_a_page_is_what_is_sent(ask: Asking, question: Question, tokens: int) -> None:
    tool, arguments = question
    ask("budget", reset=True)
    text = ask(tool, **arguments, max_tokens=tokens)
    spending = next(s for s in ask.session.ledger.session("local") if s.name == tool)
    assert spending.sent >= count(text)
    assert spending.estimated == spending.sent


@pytest.mark.parametrize(("tool", "arguments"), [q for q in QUESTIONS if q[0] != "budget"])
def test_the_same_question_has_the_same_answer_to_the_byte(
    ask: Asking, tool: str, arguments: dict[str, object]
) -> None:
    assert ask(tool, **arguments, max_tokens=300) == ask(tool, **arguments, max_tokens=300)


@pytest.mark.parametrize("model", ["claude", "claude-3-opus", "unknown", "gpt-4o"])
@pytest.mark.parametrize("tokens", [60, 300, 2_000, 9_000])
def test_a_dearer_model_gets_fewer_o200k_tokens(opened: Open, ask: Asking, model: str, tokens: int) -> None:
    dear = opened(ask.session.config.root, model=model)
    profile = dear.session.config.profile
    for tool, arguments in QUESTIONS[:25:3]:
        text = dear(tool, **arguments, max_tokens=tokens)
        used, limit = spent_in(text.splitlines()[0])
        assert used <= limit
        assert count(text) <= min(limit, HARD_TOKENS) / min(profile.factors.values())
        assert limit >= min(tokens, HARD_TOKENS)


@pytest.mark.parametrize("tokens", [0, 1, -5, 59])
def test_a_budget_below_the_floor_is_raised_and_the_header_says_so(ask: Asking, tokens: int) -> None:
    text = ask("symbol_search", query="member", max_tokens=tokens)
    assert f"/60 (raised from {tokens})" in text.splitlines()[0]
    assert count(text) <= 60
    assert uri_in(text)


def test_what_is_left_out_is_counted_by_folder(ask: Asking) -> None:
    text = ask("find_references", symbol="Widget", max_tokens=500)
    header = text.splitlines()[0]
    left = re.search(r"^left out ([\d,]+): (.*)$", text, re.MULTILINE)
    assert left is not None, text
    assert shown_in(header) + int(left[1]) == int(re.search(r"of (\d+)", header)[1])  # type: ignore[index]
    groups = re.findall(r"(\S+/) (\d+)|(\d+) in \d+ others", left[2])
    assert sum(int(number or others) for _, number, others in groups) == int(left[1])
    assert count(left[0]) <= 100


def test_an_answer_that_fits_whole_has_no_uri_and_says_complete(ask: Asking) -> None:
    text = ask("list_files", pattern="*.md")
    assert ", complete" in text.splitlines()[0]
    assert uri_in(text) == ""
