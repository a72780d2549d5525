"""What a tool returns is cut at a line boundary, the cut is told in tokens, and errors are whole."""

from __future__ import annotations

import asyncio
import functools
import inspect
import itertools
import json
import re
from collections.abc import AsyncIterator, Awaitable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators.guard import (
    DEFAULT_CHARACTERS,
    LEAST_CHARACTERS,
    VARIABLE,
    Cut,
    cut_output,
    guard_limit,
    guard_output,
    guarded,
)
from leadline_estimators.profiles import TextKind, profile_of
from leadline_estimators.tokenizer import count
from leadline_estimators.turn import TurnBudget

NOTE = re.compile(r"\[cut: (.+) returned (~?)([\d,]+) tokens; ([\d,]+) shown, ~?([\d,]+) omitted\b.*\]$")
LISTING = "".join(f"drivers/net/file_{i}.c\n" for i in range(10_000))


@pytest.fixture(autouse=True)
def _no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def split(text: str) -> tuple[str, int, int, int]:
    """Return what is shown, and the original, shown and omitted tokens that the note tells."""
    head, _, note = text.rpartition("\n")
    found = NOTE.match(note)
    assert found is not None
    original, shown, omitted = (int(found[i].replace(",", "")) for i in (3, 4, 5))
    return head + "\n", original, shown, omitted


def test_a_short_output_is_let_through_untouched() -> None:
    assert guard_output("a\nb", "ls") == "a\nb"
    assert cut_output("a\nb") == Cut("a\nb", count("a\nb"), count("a\nb"), 0)
    assert guard_output("") == ""


def test_a_long_output_is_cut_at_a_line_boundary_and_the_cut_is_told() -> None:
    text = guard_output(LISTING, "list_files")
    shown, original, seen, omitted = split(text)
    assert len(text) <= DEFAULT_CHARACTERS
    assert len(text) > DEFAULT_CHARACTERS * 0.95
    assert LISTING.startswith(shown)
    assert shown.endswith(".c\n")
    assert "list_files returned" in text
    assert seen == count(shown)
    assert seen + omitted == original
    assert original == pytest.approx(count(LISTING), rel=0.03)


def test_the_tokens_of_an_output_that_can_be_counted_are_exact() -> None:
    listing = LISTING[:150_000]
    found = cut_output(listing)
    assert (found.original, found.sampled) == (count(listing), False)
    assert "~" not in found.text.rpartition("\n")[2]


def test_a_line_that_is_too_long_is_cut_within() -> None:
    text = guard_output("head\n" + "x" * 100_000)
    shown, *_ = split(text)
    assert shown.startswith("head\nxxx")
    assert DEFAULT_CHARACTERS * 0.9 < len(text) <= DEFAULT_CHARACTERS


@given(
    text=st.lists(st.text(max_size=80), max_size=60).map("\n".join),
    times=st.integers(1, 40),
    characters=st.integers(-10, 5_000),
    tool=st.text(max_size=200),
    hint=st.text(max_size=400),
)
@settings(max_examples=150, deadline=None)
def test_nothing_longer_than_the_limit_passes_and_the_numbers_add_up(
    text: str, times: int, characters: int, tool: str, hint: str
) -> None:
    whole = text * times
    found = cut_output(whole, tool, characters=characters, hint=hint)
    assert found.shown + found.omitted == found.original
    if found.text == whole:
        assert found.complete
    else:
        assert len(found.text) <= max(characters, LEAST_CHARACTERS) < len(whole)
        assert whole.startswith(found.text[: found.text.rindex("[cut: ")].removesuffix("\n"))


@given(
    text=st.lists(st.text(max_size=60), min_size=1, max_size=40).map("\n".join),
    times=st.integers(1, 30),
    tokens=st.integers(-5, 2_000),
    model=st.sampled_from(["gpt-5", "claude-opus-4-7", None]),
)
@settings(max_examples=100, deadline=None)
def test_a_limit_in_tokens_is_kept_on_the_text_that_is_passed_on(
    text: str, times: int, tokens: int, model: str | None
) -> None:
    profile = None if model is None else profile_of(model)

    def cost(text: str) -> int:
        return count(text) if profile is None else profile.price_of(text, TextKind.Code)

    whole = text * times
    found = cut_output(whole, "list_files", tokens=tokens, profile=profile, error=False)
    least = 60 if profile is None else profile.frame(60, TextKind.Code)
    assert cost(found.text) <= max(tokens, least)
    assert found.complete is (found.text == whole)


def test_tools_that_share_a_turn_share_its_tokens() -> None:
    turn = TurnBudget(3_000)

    @guarded(turn=turn)
    def list_files() -> str:
        return LISTING

    @guarded(turn=turn)
    async def search() -> str:
        return LISTING

    costs = [count(list_files()), count(asyncio.run(search())), *(count(list_files()) for _ in range(10))]
    assert costs[0] > 1_300
    assert costs == sorted(costs, reverse=True)
    counted = costs[: len(costs) - turn.state.floored]
    assert sum(counted) == turn.state.spent <= 3_000
    assert all(cost <= 60 for cost in costs[len(counted) :])
    turn.reset()
    assert count(list_files()) > 1_300


@pytest.mark.parametrize("characters", [300, 1_000, 2_000, 10_000])
def test_a_limit_can_be_given(characters: int) -> None:
    assert characters * 0.2 < len(guard_output(LISTING, characters=characters)) <= characters


def test_small_models_are_given_less_than_large_ones() -> None:
    small, large = profile_of("claude-haiku-4-5"), profile_of("gpt-5")
    assert (guard_limit(small), guard_limit(large), guard_limit()) == (2_000, 10_000, 28_000)
    assert len(guard_output(LISTING, profile=small)) <= 2_000
    assert 9_000 < len(guard_output(LISTING, profile=large)) <= 10_000


def test_the_tokens_told_are_those_of_the_model() -> None:
    listing = LISTING[:20_000]
    claude = profile_of("claude-opus-4-6")
    found = cut_output(listing, profile=claude)
    assert found.original == claude.price_of(listing, TextKind.Code) > count(listing)
    assert f"returned ~{found.original:,} tokens" in found.text
    assert cut_output(listing, profile=profile_of("gpt-5")).original == count(listing)


@pytest.mark.parametrize(
    ("value", "limit"),
    [
        ("5000", 5_000),
        ("50000", 50_000),
        ("1", LEAST_CHARACTERS),
        *((value, 28_000) for value in ("", "0", "-4")),
    ],
)
def test_the_environment_says_how_much_is_let_through(monkeypatch: pytest.MonkeyPatch, value: str, limit: int) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert guard_limit() == limit
    assert guard_limit(profile_of("claude-haiku-4-5")) == min(limit, 2_000)


@pytest.mark.parametrize("value", ["many", "1e3"])
def test_a_limit_that_is_no_number_is_refused_with_the_name_of_the_variable(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    with pytest.raises(ValueError, match=f"{VARIABLE} is '{value}'"):
        guard_output(LISTING)


def test_the_name_of_a_model_stands_for_its_profile() -> None:
    assert guard_output(LISTING, profile="claude-haiku-4-5") == guard_output(
        LISTING, profile=profile_of("claude-haiku-4-5")
    )
    assert len(guarded(profile="claude-haiku-4-5")(lambda: LISTING)()) <= 2_000


def test_bytes_and_generators_are_guarded() -> None:
    assert guarded(lambda: b"short")() == b"short"
    cut = guarded(characters=400)(LISTING.encode)()
    assert isinstance(cut, str)
    assert len(cut) <= 400

    @guarded(characters=400)
    def lines() -> Iterator[str]:
        yield from LISTING.splitlines(keepends=True)

    assert str(lines()).startswith(LISTING[:100])
    assert len(str(lines())) <= 400
    assert guarded(lambda: iter(["a", "b"]))() == "ab"
    assert guarded(lambda: iter([{"n": 1}]))() == [{"n": 1}]
    endless = guarded(characters=400)(lambda: itertools.repeat("x" * 100_000))
    assert len(str(endless())) <= 400


def test_an_async_generator_is_refused_at_once() -> None:
    async def parts() -> AsyncIterator[str]:
        yield "a"

    with pytest.raises(TypeError, match="collect what it yields"):
        guarded(parts)


def test_errors_are_passed_on_whole() -> None:
    assert guard_output(LISTING, error=True) == LISTING


@pytest.mark.parametrize(
    "beginning",
    [
        "Error: ",
        "error\n",
        "ValueError: ",
        "java.io.Exception: "[8:],
        "Traceback (most recent call last):\n",
        '{"error": "',
    ],
)
def test_what_begins_like_an_error_is_whole_too_up_to_a_bound(beginning: str) -> None:
    small = profile_of("claude-haiku-4-5")
    message = beginning + "x = 1\n" * 1_000
    assert guard_output(message, profile=small) == message
    assert len(guard_output(beginning + LISTING, profile=small)) <= 2_000


def test_a_file_about_errors_is_no_error() -> None:
    assert len(guard_output("errors.py\n" + LISTING[:20_000], characters=1_000)) <= 1_000
    assert len(guard_output('{"error": null, "files": "' + LISTING[:20_000], characters=1_000)) <= 1_000


def test_an_output_of_a_million_tokens_is_cut_and_its_size_is_told() -> None:
    listing = "".join(f"arch/{i % 97}/mach-{i % 1_013}/board_{i}.dts\n" for i in range(60_000))
    found = cut_output(listing, "foreign_tool")
    assert found.sampled
    assert found.original == pytest.approx(count(listing), rel=0.03)
    assert f"returned ~{found.original:,} tokens" in found.text


def test_a_decorated_tool_is_guarded_and_keeps_its_name_signature_and_documentation() -> None:
    @guarded
    def list_files(pattern: str = "*", recursive: bool = False) -> str:
        """List files."""
        return LISTING if recursive else pattern

    assert list_files("a") == "a"
    assert len(list_files(recursive=True)) <= DEFAULT_CHARACTERS
    assert "[cut: list_files returned" in list_files(recursive=True)
    assert list_files.__name__ == "list_files"
    assert list_files.__doc__ == "List files."
    assert str(inspect.signature(list_files)) == "(pattern: 'str' = '*', recursive: 'bool' = False) -> 'str'"
    assert not inspect.iscoroutinefunction(list_files)


def test_an_async_tool_stays_async() -> None:
    @guarded(characters=1_000, hint="Ask for a folder.")
    async def list_files(pattern: str) -> str:
        """List files."""
        await asyncio.sleep(0)
        return pattern + LISTING

    assert inspect.iscoroutinefunction(list_files)
    text = asyncio.run(list_files("x"))
    assert len(text) <= 1_000
    assert text.endswith("Ask for a folder.]")
    assert list_files.__doc__ == "List files."


def test_a_function_that_returns_something_to_wait_for_is_guarded_when_that_is_there() -> None:
    async def later(size: int) -> str:
        return LISTING[:size]

    @guarded(characters=1_000)
    def tool(size: int) -> Awaitable[str]:
        return later(size)

    async def ask() -> str:
        return await tool(50_000)

    assert len(asyncio.run(ask())) <= 1_000


def test_a_method_and_a_callable_object_can_be_guarded() -> None:
    class Tools:
        @guarded(characters=1_000)
        def read(self) -> str:
            return LISTING

        def __call__(self) -> str:
            return LISTING

    assert len(Tools().read()) <= 1_000
    assert "[cut: Tools returned" in guarded(Tools())()
    assert "[cut: partial returned" in guarded(functools.partial(Tools.read.__wrapped__, Tools()))()  # type: ignore[attr-defined]


def test_exceptions_of_a_tool_pass() -> None:
    @guarded
    def fails() -> str:
        raise FileNotFoundError("x")

    with pytest.raises(FileNotFoundError):
        fails()


def test_a_result_that_is_no_text_is_measured_as_its_json() -> None:
    rows = [{"path": f"src/{i}.py"} for i in range(5_000)]

    @guarded(characters=2_000)
    def search(size: int) -> object:
        return rows[:size]

    assert search(3) == rows[:3]
    text = search(5_000)
    assert isinstance(text, str)
    assert len(text) <= 2_000
    assert text.startswith('[{"path":"src/0.py"}')


@pytest.mark.parametrize("result", [None, True, 7, 1.5, object(), {1, 2}])
def test_a_result_that_no_model_is_sent_is_left_alone(result: object) -> None:
    assert guarded(lambda: result)() is result


def test_a_result_that_says_that_it_is_an_error_is_whole_up_to_a_bound() -> None:
    failed = {"content": "x = 1\n" * 1_000, "isError": True}
    assert guarded(profile=profile_of("claude-haiku-4-5"))(lambda: failed)() is failed
    flood = {"content": LISTING, "isError": True}
    assert len(json.dumps(guarded(lambda: flood)())) <= DEFAULT_CHARACTERS * 1.1
