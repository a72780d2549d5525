"""What a server says of a request that is too long is read in its own words: limit, size, excess, or time to wait."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators.overflow import (
    Overflow,
    OverflowClass,
    RateLimit,
    RateReason,
    classify_overflow,
    parse_overflow,
    parse_rate_limit,
)

Body = Mapping[str, object]

BODIES: Mapping[str, list[Body]] = tomllib.loads(
    (Path(__file__).parent / "overflow_bodies.toml").read_text(encoding="utf-8")
)
NUMBERS = ("limit", "input", "output", "over")


def name_of(body: Body) -> str:
    return f"{body.get('server', '')} {body['seen']}".strip()


overflows = pytest.mark.parametrize("body", BODIES["overflow"], ids=name_of)
rates = pytest.mark.parametrize("body", BODIES["rate"], ids=name_of)
others = pytest.mark.parametrize("body", BODIES["other"], ids=name_of)


@overflows
def test_the_numbers_of_an_overflow_are_read_from_the_words_of_its_server(body: Body) -> None:
    found = parse_overflow(str(body["text"]))
    assert found is not None
    assert found.server == body["server"]
    assert {name: getattr(found, name) for name in NUMBERS} == {name: body.get(name) for name in NUMBERS}
    assert classify_overflow(found) == body["class"]


@overflows
def test_an_overflow_is_no_rate_limit(body: Body) -> None:
    assert parse_rate_limit(str(body["text"])) is None


@overflows
def test_an_overflow_is_read_however_a_client_quotes_it(body: Body) -> None:
    text = str(body["text"])
    found = parse_overflow(text)
    assert parse_overflow(json.dumps({"error": text})) == found
    assert parse_overflow(json.dumps({"error": json.dumps({"message": text})})) == found
    assert parse_overflow(f"Traceback\n  File x\n{text.upper()}\n") == found
    assert parse_overflow(text.replace(" ", "\n  ")) == found


@overflows
def test_an_overflow_is_read_although_the_server_sends_the_prompt_back(body: Body) -> None:
    text, prompt = str(body["text"]), "x = 1\n" * 200_000
    assert parse_overflow(text + prompt) == parse_overflow(prompt + text) == parse_overflow(text)


@rates
def test_the_waiting_time_of_a_rate_limit_is_read(body: Body) -> None:
    found = parse_rate_limit(str(body["text"]))
    assert found is not None
    assert found.reason == body["reason"]
    assert found.wait == pytest.approx(body["wait"]) if "wait" in body else found.wait is None
    assert (found.limit, found.requested) == (body.get("limit"), body.get("requested"))
    assert found.too_long is bool(body.get("too_long"))


@rates
def test_a_rate_limit_is_no_overflow_even_if_it_says_too_large(body: Body) -> None:
    assert parse_overflow(str(body["text"])) is None


@others
def test_another_error_is_neither(body: Body) -> None:
    assert parse_overflow(str(body["text"])) is None
    assert parse_rate_limit(str(body["text"])) is None


def test_twelve_servers_and_more_are_known() -> None:
    assert len({body["server"] for body in BODIES["overflow"]}) >= 12


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        (0, OverflowClass.Minor),
        (999, OverflowClass.Minor),
        (1_000, OverflowClass.Major),
        (49_999, OverflowClass.Major),
        (50_000, OverflowClass.Catastrophic),
        (963_433, OverflowClass.Catastrophic),
        (None, OverflowClass.Unknown),
    ],
)
def test_an_overflow_is_classified_by_the_tokens_that_are_too_many(over: int | None, expected: OverflowClass) -> None:
    assert classify_overflow(Overflow("any", 8_192, over=over)) is expected


def test_no_overflow_has_a_class_of_its_own() -> None:
    assert classify_overflow(None) == "none"


@given(limit=st.integers(1, 10**7), over=st.integers(0, 10**7))
def test_the_excess_is_what_was_requested_less_what_fits(limit: int, over: int) -> None:
    found = parse_overflow(f"prompt is too long: {limit + over} tokens > {limit} maximum")
    assert found is not None
    assert found == Overflow("anthropic", limit, limit + over, None, over)
    assert found.requested == limit + over


def test_numbers_that_contradict_each_other_are_not_believed() -> None:
    found = parse_overflow("prompt is too long: 10 tokens > 200000 maximum")
    assert found is not None
    assert classify_overflow(found) is OverflowClass.Unknown


def test_what_was_sent_may_fit_where_only_the_answer_asked_for_does_not() -> None:
    alone = parse_overflow("input length and `max_tokens` exceed context limit: 142251 + 64000 > 200000")
    assert alone is not None
    assert alone.answer_alone
    both = parse_overflow("prompt is too long: 208656 tokens > 200000 maximum")
    assert both is not None
    assert not both.answer_alone


@given(text=st.text(max_size=400))
@settings(max_examples=300)
def test_any_text_is_read_without_an_error(text: str) -> None:
    overflow, rate = parse_overflow(text), parse_rate_limit(text)
    assert overflow is None or rate is None
    assert classify_overflow(overflow) in OverflowClass


@pytest.mark.parametrize("text", ["\\" * 50_000, " " * 50_000, "1," * 25_000, "try again in " + "1h " * 15_000])
def test_a_text_made_to_be_slow_is_read_like_any_other(text: str) -> None:
    assert parse_overflow(text) is None
    assert parse_rate_limit(text) is None


@given(
    words=st.lists(
        st.sampled_from(
            "maximum context length is tokens 429 prompt too long exceeds limit 12,000 99 ( ) input > rate_limit_error"
            " however, you requested in the messages try again 5s".split(" ")
        ),
        max_size=40,
    )
)
@settings(max_examples=300)
def test_words_of_errors_in_any_order_are_never_both(words: list[str]) -> None:
    text = " ".join(words)
    assert parse_overflow(text) is None or parse_rate_limit(text) is None


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "20"}, 20.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "Retry-After": "2"}, 1.5),
        ({"x-ratelimit-reset-tokens": "6m0s"}, 360.0),
        ({"x-ratelimit-reset-requests": "1h2m3.5s"}, 3723.5),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-1"}, None),
        ({}, None),
    ],
)
def test_the_headers_of_a_rate_limit_tell_how_long_to_wait(headers: dict[str, str], wait: float | None) -> None:
    assert parse_rate_limit("429 Too Many Requests", headers) == RateLimit(RateReason.Rate, wait)


def test_a_header_may_name_the_time_at_which_waiting_ends() -> None:
    then = datetime.now(UTC) + timedelta(seconds=90)
    found = parse_rate_limit("429", {"Retry-After": format_datetime(then, usegmt=True)})
    assert found is not None
    assert found.wait is not None
    assert 80 < found.wait <= 90


def test_a_time_that_has_passed_asks_for_no_waiting() -> None:
    found = parse_rate_limit("429", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    assert found == RateLimit(RateReason.Rate, 0.0)
