"""What an agent does when its model refuses a request as too long.

Two things make a request too long. A conversation has grown: then its oldest messages are left out, window by window.
Or one result of a tool is too large: then no shorter history helps, and that result is replaced by its guarded form at
once. Only if that fails, everything but the task is dropped, with a note to the model and a warning to the caller. The
task is never cut, and a tool call is never separated from its results.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Generic, TypeVar

from leadline_estimators.guard import LEAST_CHARACTERS, cut_output, guard_limit, text_tokens
from leadline_estimators.messages import (
    conversation_tokens,
    flat,
    parts_of,
    results,
    with_result,
)
from leadline_estimators.overflow import (
    Overflow,
    OverflowClass,
    RateLimit,
    classify_overflow,
    parse_overflow,
    parse_rate_limit,
)
from leadline_estimators.profiles import Profile, as_profile
from leadline_estimators.shapes import Message, as_message

R = TypeVar("R")

WINDOWS = (20, 10, 5, 2, 0)
"""Messages of the history that are kept, one try after the other."""

NOTE = (
    "[The conversation before this message was left out, since it did not fit. The task above is unchanged;"
    " ask tools for less at a time.]"
)

WAITS = 3
"""How often a rate limit is waited out."""


class Strategy(StrEnum):
    """What was left out of a request."""

    Whole = "whole"
    Window = "window"
    Guard = "guard"
    Reset = "reset"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request.

    Args:
        strategy: What was left out.
        messages: The messages sent.
        tokens: What they cost by our count.
        window: The messages of history that were kept at most; None where that was no limit.
        left_out: What was left out, in words.
        overflow: Why it was refused; None if it was not.
    """

    strategy: Strategy
    messages: tuple[Message, ...]
    tokens: int
    window: int | None = None
    left_out: tuple[str, ...] = ()
    overflow: Overflow | None = None


@dataclass(frozen=True, slots=True)
class Recovery(Generic[R]):
    """What became of a request.

    Args:
        response: What the model returned; None if every attempt was refused.
        messages: The conversation to continue with: what the model accepted, else the shortest that was tried.
        attempts: All requests in their order.
        removed: Tokens that the conversation lost.
        severity: The worst overflow met.
        warnings: What the user should know.
        error: The last refusal, if every attempt was refused.
    """

    response: R | None
    messages: tuple[Message, ...]
    attempts: tuple[Attempt, ...]
    removed: int
    severity: OverflowClass
    warnings: tuple[str, ...]
    error: Exception | None = None

    @property
    def succeeded(self) -> bool:
        """Return whether the model accepted an attempt."""
        return self.error is None

    @property
    def strategy(self) -> Strategy:
        """Return what was left out in the last attempt."""
        return self.attempts[-1].strategy

    @property
    def reset(self) -> bool:
        """Return whether all messages but the task were dropped."""
        return self.strategy is Strategy.Reset


def error_text(error: Exception) -> str:
    """Return what an exception of any client says, with the body of the answer where it carries one."""
    parts = [str(error)]
    for owner, name in ((error, "body"), (getattr(error, "response", None), "text")):
        try:
            body = getattr(owner, name, None)
        except Exception:  # noqa: S112 - the body of a stream may be gone
            continue
        if isinstance(body, str | dict | list) and body:
            parts.append(str(body))
    return " ".join(parts)


def error_headers(error: Exception) -> Mapping[str, str]:
    """Return the headers of the answer that an exception carries, as those of httpx and of the makers' clients do."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    return {str(name): str(value) for name, value in headers.items()} if isinstance(headers, Mapping) else {}


def run_with_recovery(
    send: Callable[[list[Message]], R],
    messages: Sequence[object],
    *,
    profile: Profile | str | None = None,
    windows: Sequence[int] = WINDOWS,
    characters: int | None = None,
    beside: int = 0,
    on_attempt: Callable[[Attempt], None] | None = None,
    describe: Callable[[Exception], str] = error_text,
    sleep: Callable[[float], None] = time.sleep,
    longest_wait: float = 0.0,
) -> Recovery[R]:
    """Send a conversation; where it is too long, send less of it until the model accepts it.

    Args:
        send: Sends messages to the model; raises what the client raises.
        messages: The conversation, in any of the shapes in ``shapes``; objects become mappings.
        profile: The model or its name, for its window, its tokens and its guard.
        windows: Messages of history to keep, one try after the other.
        characters: The longest result of a tool; that of ``guard_output`` where it is not given.
        beside: Tokens that ``send`` adds to the messages: those of a system prompt that is no message, and of tools.
        on_attempt: Told of every attempt when it has ended.
        describe: What an exception says.
        sleep: Waits for so many seconds.
        longest_wait: A rate limit that asks for no more seconds is waited out, up to three times.

    Raises:
        Exception: What ``send`` raised, if it is neither an overflow nor a rate limit that could be waited out.
    """
    ladder = _Ladder(messages, profile, windows, characters, beside)
    course = _Course[R](ladder, describe, longest_wait, on_attempt)
    while (attempt := course.attempt) is not None:
        try:
            response = send(list(attempt.messages))
        except Exception as error:
            wait = course.note_refusal(attempt, error)
            if wait:
                sleep(wait)
        else:
            course.note_response(attempt, response)
    return course.outcome()


async def run_with_recovery_async(
    send: Callable[[list[Message]], Awaitable[R]],
    messages: Sequence[object],
    *,
    sleep: Callable[[float], Awaitable[None]] | None = None,
    profile: Profile | str | None = None,
    windows: Sequence[int] = WINDOWS,
    characters: int | None = None,
    beside: int = 0,
    on_attempt: Callable[[Attempt], None] | None = None,
    describe: Callable[[Exception], str] = error_text,
    longest_wait: float = 0.0,
) -> Recovery[R]:
    """Do what ``run_with_recovery`` does for a ``send`` that is to be awaited; waits only with a ``sleep``."""
    ladder = _Ladder(messages, profile, windows, characters, beside)
    course = _Course[R](ladder, describe, longest_wait if sleep is not None else 0.0, on_attempt)
    while (attempt := course.attempt) is not None:
        try:
            response = await send(list(attempt.messages))
        except Exception as error:
            wait = course.note_refusal(attempt, error)
            if wait and sleep is not None:
                await sleep(wait)
        else:
            course.note_response(attempt, response)
    return course.outcome()


class _Course(Generic[R]):
    """The course of a recovery, for synchronous and asynchronous senders.

    Args:
        ladder: What to send, one form after the other.
        describe: What an exception says.
        longest_wait: The longest time in seconds that is waited for a rate limit.
        on_attempt: Told of every attempt when it has ended.
    """

    def __init__(
        self,
        ladder: _Ladder,
        describe: Callable[[Exception], str],
        longest_wait: float,
        on_attempt: Callable[[Attempt], None] | None,
    ) -> None:
        self._plan = ladder.attempts()
        self._describe = describe
        self._longest_wait = longest_wait
        self._on_attempt = on_attempt
        self._waits = 0
        self._done: list[Attempt] = []
        self._response: R | None = None
        self._error: Exception | None = None
        self.attempt: Attempt | None = next(self._plan)

    def note_response(self, attempt: Attempt, response: R) -> None:
        """Note that the model accepted an attempt."""
        self._note(attempt)
        self._response, self._error, self.attempt = response, None, None

    def note_refusal(self, attempt: Attempt, error: Exception) -> float:
        """Note that an attempt was refused, and plan the next; return how long to wait before it.

        What is no matter of length is raised again.
        """
        message = self._describe(error)
        overflow = parse_overflow(message)
        if overflow is None:
            limit = parse_rate_limit(message, error_headers(error))
            overflow = _too_long(limit)
            if overflow is None:
                return self._wait(limit, error)
        self._error = error
        self._note(replace(attempt, overflow=overflow))
        try:
            self.attempt = self._plan.send(overflow)
        except StopIteration:
            self.attempt = None
        return 0.0

    def outcome(self) -> Recovery[R]:
        """Return what became of the request."""
        last = self._done[-1]
        warnings = list(last.left_out)
        if self._error is not None:
            warnings.append(_advice(last.overflow))
        return Recovery(
            self._response,
            last.messages,
            tuple(self._done),
            max(0, self._done[0].tokens - last.tokens),
            max((classify_overflow(attempt.overflow) for attempt in self._done), key=tuple(OverflowClass).index),
            tuple(warnings),
            self._error,
        )

    def _wait(self, limit: RateLimit | None, error: Exception) -> float:
        if limit is None or limit.wait is None or limit.wait > self._longest_wait or self._waits >= WAITS:
            raise error
        self._waits += 1
        return limit.wait

    def _note(self, attempt: Attempt) -> None:
        self._done.append(attempt)
        if self._on_attempt is not None:
            self._on_attempt(attempt)


def _too_long(limit: RateLimit | None) -> Overflow | None:
    """Return a rate limit that no waiting helps against as an overflow."""
    if limit is None or not limit.too_long or limit.limit is None or limit.requested is None:
        return None
    return Overflow("rate limit", limit.limit, limit.requested, None, limit.requested - limit.limit)


def _advice(overflow: Overflow | None) -> str:
    if overflow is not None and overflow.answer_alone:
        return f"The messages fit; an answer of {overflow.output:,} tokens does not: ask for a shorter one."
    return "The task itself is longer than the model accepts."


class _Ladder:
    """Ever shorter forms of a conversation."""

    def __init__(
        self,
        messages: Sequence[object],
        profile: Profile | str | None,
        windows: Sequence[int],
        characters: int | None,
        beside: int,
    ) -> None:
        self._whole = [as_message(message) for message in messages]
        self._profile = as_profile(profile)
        self._windows = sorted({max(0, window) for window in windows}, reverse=True)
        self._characters = guard_limit(self._profile) if characters is None else max(LEAST_CHARACTERS, characters)
        self._beside = beside
        self._guards: tuple[str, ...] = ()

    def attempts(self) -> Generator[Attempt, Overflow, None]:
        """Yield what to send; the overflow that it met is sent back."""
        messages = self._whole
        overflow = yield self._attempt(Strategy.Whole, messages)
        windows = iter(self._windows)
        while True:
            guarded = self._guard_results(messages, overflow) if self._one_result(messages, overflow) else messages
            if guarded != messages:
                messages = guarded
                overflow = yield self._attempt(Strategy.Guard, messages)
                continue
            shorter = next(((window, kept) for window in windows if (kept := _shorten_history(messages, window))), None)
            if shorter is None:
                break
            messages = shorter[1]
            overflow = yield self._attempt(Strategy.Window, messages, shorter[0])
        if (guarded := self._guard_results(messages)) != messages:
            messages = guarded
            yield self._attempt(Strategy.Guard, messages)
        reset = parts_of(self._whole).task_alone(NOTE)
        if len(reset) < len(messages):
            yield self._attempt(Strategy.Reset, reset)

    def _attempt(self, strategy: Strategy, messages: list[Message], window: int | None = None) -> Attempt:
        fewer = len(self._whole) - len(messages)
        notes: tuple[str, ...] = ()
        if fewer:
            notes = (f"{fewer} earlier {'message was' if fewer == 1 else 'messages were'} left out.",)
        if strategy is Strategy.Reset:
            notes = ("All messages but the task were dropped: the conversation was too long to continue.",)
        else:
            notes += self._guards
        return Attempt(strategy, tuple(messages), conversation_tokens(messages, self._profile), window, notes)

    def _one_result(self, messages: list[Message], overflow: Overflow) -> bool:
        """Return whether one result of a tool is the problem, so that no shorter history helps."""
        largest = max((result.text for result in results(messages)), key=len, default="")
        if len(largest) <= self._characters:
            return False
        if classify_overflow(overflow) is OverflowClass.Catastrophic:
            return True
        total = conversation_tokens(messages, self._profile)
        scale = self._scale(overflow, total)
        history = conversation_tokens(flat(parts_of(messages).history), self._profile)
        if overflow.over is not None and history * scale < overflow.over:
            return True
        room = overflow.limit or (self._profile.window if self._profile else total)
        return self._tokens(largest) * scale > room / 2

    def _guard_results(self, messages: list[Message], overflow: Overflow | None = None) -> list[Message]:
        """Return the messages with their largest results in guarded form, as many as the overflow asks for, else all.

        They are the same where nothing is gained by that.
        """
        least = None
        if overflow is not None and overflow.over is not None:
            least = overflow.over / self._scale(overflow, conversation_tokens(messages, self._profile))
        saved = 0
        for result in sorted(results(messages), key=lambda result: len(result.text), reverse=True):
            if len(result.text) <= self._characters or (least is not None and saved > least):
                break
            tool = result.tool or "the tool"
            cut = cut_output(result.text, tool, characters=self._characters, profile=self._profile, error=False)
            if self._tokens(cut.text) >= self._tokens(result.text):
                continue  # the note about the cut costs more than the cut saves
            messages = with_result(messages, result, cut.text)
            saved += cut.omitted
            self._guards += (f"{tool} returned {cut.original:,} tokens, of which {cut.shown:,} were kept.",)
        return messages

    def _scale(self, overflow: Overflow, total: int) -> float:
        """Return the server's tokens per token of ours."""
        ours = total + self._beside
        return overflow.input / ours if overflow.input and ours else 1.0

    def _tokens(self, text: str) -> int:
        return text_tokens(text, self._profile).tokens


def _shorten_history(messages: list[Message], window: int) -> list[Message] | None:
    """Return the messages with at most so many of the history; None where no fewer are left."""
    parts = parts_of(messages)
    kept = parts.last(window)
    return parts.messages(kept) if len(kept) < len(parts.history) else None
