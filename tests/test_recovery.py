"""A request that is too long is sent again with less: of its history, or of the one result that is the problem."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leadline_estimators.messages import conversation_tokens
from leadline_estimators.overflow import OverflowClass
from leadline_estimators.profiles import profile_of
from leadline_estimators.recovery import (
    NOTE,
    WINDOWS,
    Attempt,
    Recovery,
    Strategy,
    run_with_recovery,
    run_with_recovery_async,
)
from talks import Message, calls, conversations, last_words, opened, returns, says, user

SYSTEM: Message = {"role": "system", "content": "You help."}


class RefusedError(Exception):
    """What a client raises."""


class Model:
    """A model with a window; it refuses in the words of a server."""

    def __init__(self, window: int, words: str | None = None) -> None:
        self.window = window
        self.words = words
        self.sent: list[list[Message]] = []

    def __call__(self, messages: list[Message]) -> str:
        self.sent.append(messages)
        tokens = conversation_tokens(messages)
        if tokens > self.window:
            raise RefusedError(
                self.words
                or "Error code: 400 - {'error': {'message': \"This model's maximum context length is"
                f" {self.window} tokens. However, your request has {tokens} input tokens.\", 'code': 400}}"
            )
        return "done"


def talk(turns: int, size: int = 200) -> list[Message]:
    """Return a conversation of equal turns and a task."""
    history = [message for i in range(turns) for message in (user(f"question {i}"), says("word " * size))]
    return [SYSTEM, *history, user("the task")]


LISTING = "".join(f"arch/{i % 97}/mach-{i % 1_013}/board_{i}.dts\n" for i in range(20_000))


def flooded(history: int = 3, listing: str = LISTING) -> list[Message]:
    """Return a conversation in whose last turn a tool returned very much."""
    return [*talk(history), calls("a"), *returns({"a": listing})]


def test_what_is_accepted_is_sent_once_and_returned() -> None:
    model = Model(10_000)
    found = run_with_recovery(model, talk(3))
    assert found.response == "done"
    assert found.succeeded
    assert found.strategy is Strategy.Whole
    assert (found.removed, found.severity, found.warnings) == (0, OverflowClass.NoOverflow, ())
    assert len(model.sent) == 1


def test_history_is_left_out_window_by_window() -> None:
    model = Model(700)
    found = run_with_recovery(model, talk(15))
    assert [attempt.window for attempt in found.attempts] == [None, 20, 10, 5]
    assert found.strategy is Strategy.Window
    assert found.messages == (SYSTEM, *talk(15)[-5:])
    assert found.removed == conversation_tokens(talk(15)) - conversation_tokens(found.messages)
    assert found.severity is OverflowClass.Major
    assert found.warnings == ("26 earlier messages were left out.",)


def test_a_window_begins_with_words_of_the_user() -> None:
    found = run_with_recovery(Model(700), talk(15))
    assert all(attempt.messages[1]["role"] == "user" for attempt in found.attempts)


def test_windows_that_leave_nothing_out_are_not_tried() -> None:
    model = Model(300)
    found = run_with_recovery(model, talk(3))
    assert [attempt.window for attempt in found.attempts] == [None, 5, 2]
    assert found.succeeded


def test_one_result_that_is_too_large_stops_at_once_and_is_guarded() -> None:
    model = Model(32_768)
    found = run_with_recovery(model, flooded())
    assert [attempt.strategy for attempt in found.attempts] == [Strategy.Whole, Strategy.Guard]
    assert found.severity is OverflowClass.Catastrophic
    assert len(found.messages) == len(flooded())
    assert found.messages[:-1] == tuple(flooded()[:-1])
    assert "[cut: list_files returned" in found.messages[-1]["content"]
    assert "list_files returned" in found.warnings[0]
    assert found.removed > 200_000


def test_a_foreign_tool_with_a_million_tokens_is_contained_in_a_small_window() -> None:
    listing = LISTING * 4
    profile = profile_of("local-8192")
    model = Model(8_192)
    found = run_with_recovery(model, flooded(2, listing), profile=profile)
    assert found.succeeded
    assert found.severity is OverflowClass.Catastrophic
    assert len(found.messages[-1]["content"]) <= profile.guard
    assert len(model.sent) == 2


def test_after_the_guard_history_goes_before_everything_goes() -> None:
    found = run_with_recovery(Model(1_500), flooded(30), characters=3_000)
    assert [attempt.strategy for attempt in found.attempts][:2] == [Strategy.Whole, Strategy.Guard]
    assert found.strategy is Strategy.Window
    assert found.messages[-3:-1] == tuple(flooded(30)[-3:-1])
    assert len(found.warnings) == 2


@pytest.mark.parametrize(("told", "tries"), [(0, 2), (1_700, 1)])
def test_results_are_guarded_one_after_the_other_before_anything_is_given_up(told: int, tries: int) -> None:
    listing = "".join(f"src/part_{i}/file.py\n" for i in range(300))
    messages = [SYSTEM, user("the task"), calls("a", "b"), *returns({"a": listing, "b": listing})]

    def send(sent: list[Message]) -> str:
        tokens = conversation_tokens(sent) + 1_700  # of tools
        if tokens > 4_500:
            raise RefusedError(f"request ({tokens} tokens) exceeds the available context size (4500 tokens)")
        return "done"

    found = run_with_recovery(send, messages, characters=2_000, beside=told)
    assert [attempt.strategy for attempt in found.attempts] == [Strategy.Whole, *[Strategy.Guard] * tries]
    assert (found.response, len(found.messages)) == ("done", len(messages))


def test_only_if_nothing_else_helps_all_but_the_task_is_given_up_and_that_is_said() -> None:
    turn = [message for i in range(9) for message in (calls(f"{i}"), *returns({f"{i}": "x y " * 400}))]
    found = run_with_recovery(Model(200), [*talk(2), *turn])
    assert found.reset
    assert found.messages == (SYSTEM, {"role": "user", "content": f"the task\n\n{NOTE}"})
    assert "All messages but the task were dropped" in found.warnings[0]
    assert [attempt.window for attempt in found.attempts] == [None, 2, 0, None]


def test_a_task_that_is_too_long_alone_is_not_cut() -> None:
    found = run_with_recovery(Model(100), [*talk(3), user("word " * 500)])
    assert not found.succeeded
    assert found.response is None
    assert isinstance(found.error, RefusedError)
    assert found.messages[-1]["content"].startswith("word " * 500)
    assert found.warnings[-1] == "The task itself is longer than the model accepts."


def test_where_only_the_answer_is_too_long_that_is_said() -> None:
    words = "input length and `max_tokens` exceed context limit: 142251 + 64000 > 200000"
    found = run_with_recovery(Model(0, words), [user("the task")])
    assert found.warnings == ("The messages fit; an answer of 64,000 tokens does not: ask for a shorter one.",)


@pytest.mark.parametrize(
    "words",
    ["Your input exceeds the context window of this model.", "{'error': {'code': 'context_length_exceeded'}}"],
)
def test_a_server_that_tells_no_numbers_is_recovered_from_too(words: str) -> None:
    grown = run_with_recovery(Model(700, words), talk(15))
    assert (grown.strategy, grown.severity) == (Strategy.Window, OverflowClass.Unknown)
    flood = run_with_recovery(Model(32_768, words), flooded())
    assert [attempt.strategy for attempt in flood.attempts] == [Strategy.Whole, Strategy.Guard]


def test_another_error_is_raised_as_it_is() -> None:
    def send(_messages: list[Message]) -> str:
        raise KeyError("x")

    with pytest.raises(KeyError):
        run_with_recovery(send, talk(1))


def test_an_error_that_comes_during_recovery_is_raised_too() -> None:
    model = Model(100)

    def send(messages: list[Message]) -> str:
        if len(model.sent) == 2:
            raise ConnectionError
        return model(messages)

    with pytest.raises(ConnectionError):
        run_with_recovery(send, talk(15))


def limited(words: str, times: int) -> Callable[[list[Message]], str]:
    """Return a model that is busy so many times."""
    left = [times]

    def send(_messages: list[Message]) -> str:
        if left[0]:
            left[0] -= 1
            raise RefusedError(words)
        return "done"

    return send


def test_a_rate_limit_is_waited_out_if_it_is_short_enough() -> None:
    slept: list[float] = []
    send = limited("429 Rate limit reached. Please try again in 9.5s.", 2)
    found = run_with_recovery(send, talk(1), sleep=slept.append, longest_wait=10)
    assert (found.response, slept, found.severity) == ("done", [9.5, 9.5], "none")


@pytest.mark.parametrize(
    ("words", "times", "longest"),
    [
        ("429 Rate limit reached. Please try again in 9.5s.", 1, 5.0),
        ("429 Rate limit reached. Please try again in 9.5s.", 9, 60.0),
        ("429 Rate limit reached.", 1, 60.0),
        ('{"error": {"type": "insufficient_quota"}}', 1, 60.0),
    ],
)
def test_a_rate_limit_that_is_not_waited_out_is_raised(words: str, times: int, longest: float) -> None:
    with pytest.raises(RefusedError):
        run_with_recovery(limited(words, times), talk(1), sleep=lambda _seconds: None, longest_wait=longest)


class AnsweredError(RefusedError):
    """What a client raises that keeps the answer: httpx and the clients of the makers do."""

    def __init__(self, words: str, headers: Mapping[str, str]) -> None:
        super().__init__(words)
        self.response = SimpleNamespace(text=words, headers=headers)


@pytest.mark.parametrize(
    ("words", "headers", "wait"),
    [
        ("429 Rate limit reached.", {"Retry-After": "7"}, 7.0),
        ("Client error '429 Too Many Requests' for url 'http://localhost/v1'", {"retry-after-ms": "1500"}, 1.5),
        ("Server error '503 Service Unavailable' for url 'http://localhost/v1'", {"Retry-After": "3"}, 3.0),
        ("429. Please try again in 9.5s.", {"Retry-After": "12"}, 12.0),
        ("429. Please try again in 9.5s.", {}, 9.5),
    ],
)
def test_the_time_to_wait_is_read_from_the_headers_of_the_answer_too(
    words: str, headers: Mapping[str, str], wait: float
) -> None:
    refusals = [AnsweredError(words, headers)]
    slept: list[float] = []

    def send(_messages: list[Message]) -> str:
        if refusals:
            raise refusals.pop()
        return "done"

    found = run_with_recovery(send, talk(1), sleep=slept.append, longest_wait=20)
    assert (found.response, slept, len(found.attempts)) == ("done", [wait], 1)


def test_a_request_that_is_more_than_a_minute_allows_is_shortened_not_waited_for() -> None:
    def send(messages: list[Message]) -> str:
        tokens = conversation_tokens(messages)
        if tokens > 700:
            raise RefusedError(f"413 Request too large on tokens per minute (TPM): Limit 700, Requested {tokens}")
        return "done"

    found = run_with_recovery(send, talk(15))
    assert found.strategy is Strategy.Window


def test_the_body_that_an_exception_carries_is_read() -> None:
    class Response:
        text = '{"error": {"message": "prompt is too long: 250 tokens > 200 maximum"}}'

    class StatusError(Exception):
        response = Response()

    def send(messages: list[Message]) -> str:
        if len(messages) > 4:
            raise StatusError("Bad request")
        return "done"

    assert run_with_recovery(send, talk(3)).succeeded


def test_every_attempt_is_told() -> None:
    told: list[Attempt] = []
    found = run_with_recovery(Model(700), talk(15), on_attempt=told.append)
    assert tuple(told) == found.attempts
    assert [attempt.overflow is None for attempt in told] == [False, False, False, True]


def test_the_messages_given_are_not_changed() -> None:
    messages = flooded()
    run_with_recovery(Model(300), messages)
    assert messages == flooded()


def test_an_async_agent_recovers_in_the_same_way() -> None:
    model = Model(700)
    slept: list[float] = []
    busy = limited("429. Please retry in 2s.", 1)

    async def send(messages: list[Message]) -> str:
        await asyncio.sleep(0)
        busy(messages)
        return model(messages)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    found = asyncio.run(run_with_recovery_async(send, talk(15), sleep=sleep, longest_wait=3))
    assert found == run_with_recovery(Model(700), talk(15))
    assert slept == [2.0]


def test_the_result_that_is_too_large_may_be_one_of_several_in_a_message_of_anthropic() -> None:
    messages = [
        user("the task"),
        calls("a", "b", anthropic=True),
        *returns({"a": "src/\n", "b": LISTING}, anthropic=True),
    ]
    found = run_with_recovery(Model(20_000), messages)
    small, large = found.messages[-1]["content"]
    assert small == messages[-1]["content"][0]
    assert "[cut: list_files returned" in large["content"]
    assert large["tool_use_id"] == "b"


NUMBERLESS = "the request exceeds the available context size, try increasing it"


@given(
    messages=conversations(),
    window=st.integers(1, 4_000),
    words=st.sampled_from([None, NUMBERLESS]),
    characters=st.integers(300, 3_000),
)
@settings(max_examples=150, deadline=None)
def test_no_pair_is_torn_and_the_task_is_never_lost(
    messages: list[Message], window: int, words: str | None, characters: int
) -> None:
    model = Model(window, words)
    found: Recovery[str] = run_with_recovery(model, messages, characters=characters)
    task = last_words(messages)
    for sent in model.sent:
        assert opened(sent) == []
        assert any(task in str(message["content"]) for message in sent) or task in last_words(sent)
        assert next(message for message in sent if message["role"] != "system")["role"] == "user"
    sizes = [attempt.tokens for attempt in found.attempts]
    assert sizes[:-1] == sorted(sizes[:-1], reverse=True)
    assert len(found.attempts) <= len(WINDOWS) + 3
    assert found.succeeded is (conversation_tokens(found.messages) <= window)
    assert found.removed >= 0
    if not found.succeeded:
        system = sum(message["role"] == "system" for message in messages)
        assert len(found.messages) == system + 1


def test_windows_may_be_others() -> None:
    found = run_with_recovery(Model(60), talk(15), windows=(1, 3))
    assert [attempt.window for attempt in found.attempts] == [None, 3, 1]
    assert found.succeeded
