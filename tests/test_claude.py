"""Claude's tokens are estimated closely, priced above what they are, and add up over contract lines."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators import tokenizer
from leadline_estimators.profiles import Profile, TextKind, profile_of
from leadline_estimators.tokenizer import contract_line, count
from leadline_estimators.truncation import Limit, fit
from test_tokenizer import anything
from test_truncation import Made, ordinary_rows, rows_of_any_kind

RECORDED = tomllib.loads(Path(__file__).with_name("claude_counts.toml").read_text(encoding="utf-8"))["text"]
"""Texts in the shape of answers, and their tokens by ctok 1.3.0."""

EARLY, LATE = profile_of("claude-opus-4-6"), profile_of("claude-opus-5")
both = pytest.mark.parametrize("claude", [EARLY, LATE], ids=["early", "late"])


def told(text: dict[str, str | int], claude: Profile) -> int:
    """Return the tokens that were recorded of a text."""
    return int(text["early" if claude is EARLY else "late"])


@both
@pytest.mark.parametrize("text", RECORDED, ids=lambda text: text["name"])
def test_a_price_is_at_least_what_was_measured_and_little_more(claude: Profile, text: dict[str, str | int]) -> None:
    measured = told(text, claude)
    kind = TextKind(str(text["kind"]))
    assert measured <= claude.price_of(str(text["text"]), kind) <= 1.4 * measured


@pytest.mark.parametrize("text", RECORDED, ids=lambda text: text["name"])
def test_a_model_that_is_not_known_is_not_taken_for_a_cheaper_one(text: dict[str, str | int]) -> None:
    assert profile_of("unknown").price_of(str(text["text"]), TextKind(str(text["kind"]))) >= told(text, LATE)


@both
def test_the_mean_error_of_a_count_is_small(claude: Profile) -> None:
    errors = [claude.tokenizer.count(text["text"]) / told(text, claude) - 1 for text in RECORDED]
    assert abs(sum(errors) / len(errors)) < 0.05
    assert max(map(abs, errors)) < 0.2


@both
@given(texts=st.lists(anything, max_size=8))
@settings(max_examples=300, deadline=None)
def test_contract_lines_cost_the_same_alone_and_together(claude: Profile, texts: list[str]) -> None:
    lines = [contract_line(text) for text in texts]
    assert sum(map(claude.tokenizer.count_line, lines)) == claude.tokenizer.count("".join(lines))


@both
@given(rows=rows_of_any_kind, tokens=st.integers(0, 400))
@settings(max_examples=150, deadline=None)
def test_a_page_costs_the_sum_of_its_lines_and_keeps_its_limit(claude: Profile, rows: Made, tokens: int) -> None:
    limit = Limit(tokens, 10_000, claude.tokenizer)
    page = fit(rows, limit, 10)
    assert page.cost == limit.cost_of("".join(page.lines))
    assert sum(map(claude.tokenizer.count_line, page.lines)) == page.cost.tokens <= tokens


@both
@given(rows=ordinary_rows, tokens=st.integers(20, 400), more=st.integers(1, 400))
@settings(max_examples=100, deadline=None)
def test_a_larger_limit_never_shows_fewer_rows(claude: Profile, rows: Made, tokens: int, more: int) -> None:
    shown = [fit(rows, Limit(limit, 10_000, claude.tokenizer), 10).shown for limit in (tokens, tokens + more)]
    assert shown[0] <= shown[1] or fit(rows, Limit(tokens + more, 10_000, claude.tokenizer), 10).levels


@both
def test_without_a_rank_file_bytes_are_counted(claude: Profile) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokenizer, "_encode", tokenizer._bound)
        assert claude.tokenizer.count("grüße 中\n") == 12


def test_names_of_code_cost_the_later_generation_more() -> None:
    line = "class HttpResponseRedirectBase(HttpResponse):\n"
    assert count(line) < EARLY.tokenizer.count(line) < LATE.tokenizer.count(line)
