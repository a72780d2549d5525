"""A conversation that stays within its model's window.

The messages that are sent now count, not those of the whole session, which are counted separately for their cost. From
90 % of the room on, the oldest messages are left out; above 150 %, which a single tool output can cause, all but the
task is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from leadline_estimators.guard import cut_output
from leadline_estimators.messages import (
    conversation_tokens,
    flat,
    from_user,
    message_tokens,
    newest,
    parts_of,
    results,
    tools_tokens,
    with_result,
)
from leadline_estimators.prices import PriceTable, Usage, usage_of
from leadline_estimators.profiles import Profile, profile_of
from leadline_estimators.shapes import Message, as_message

REFRESH_AT = 90
"""Percent of the room from which on the oldest messages are left out."""

EMERGENCY_AT = 150
"""Percent of the room above which all but the task is left out."""

REFRESHED_TO = 50
"""Percent of the room that a refresh leaves at most, so that the next one is some turns away."""

NOTE = (
    "[Earlier messages were left out to keep within the context window. The task above is unchanged;"
    " ask tools for less at a time.]"
)

_RESPONSE_SHARE = 4
"""A quarter of the window is kept for the response, unless the model writes less or the caller says otherwise."""


class Pressure(StrEnum):
    """How full a conversation is."""

    Fine = "fine"
    Refresh = "refresh"
    Emergency = "emergency"


@dataclass(frozen=True, slots=True)
class Reserve:
    """Tokens of the window that are not for the conversation.

    Args:
        system: The system prompt.
        tools: The schemas of the tools.
        response: What the model may write.
    """

    system: int = 0
    tools: int = 0
    response: int = 0

    @property
    def total(self) -> int:
        """Return them all."""
        return self.system + self.tools + self.response


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh did.

    Args:
        pressure: Why it was done.
        before: Tokens of the conversation before it.
        after: Tokens after it.
        dropped: Messages left out.
        shortened: Results of tools put in their guarded form.
    """

    pressure: Pressure
    before: int
    after: int
    dropped: int = 0
    shortened: int = 0

    def __str__(self) -> str:
        """Return a line for the user."""
        what = (
            "Emergency: all but the task was left out" if self.pressure is Pressure.Emergency else "Context refreshed"
        )
        return f"{what} ({self.before:,} to {self.after:,} tokens)"


@dataclass(frozen=True, slots=True)
class Report:
    """The state of a conversation.

    Args:
        model: The name of the model's profile.
        messages: Its messages.
        tokens: What they cost now.
        room: What they may cost.
        reserve: What of the window is not for them.
        pressure: How full it is.
        usage: What all requests of the session used.
        cost: Dollars for that; None where the prices are not known.
        exact: Whether the tokens are counted, not bounded.
    """

    model: str
    messages: int
    tokens: int
    room: int
    reserve: Reserve
    pressure: Pressure
    usage: Usage
    cost: float | None
    exact: bool

    @property
    def percent(self) -> float:
        """Return how much of the room is taken."""
        return 100 * self.tokens / self.room

    def text(self, *, colour: bool = False) -> str:
        """Return the report for a terminal, with or without colours."""

        def paint(code: int, text: str) -> str:
            return f"\x1b[{code}m{text}\x1b[0m" if colour else text

        about = "" if self.exact else "~"
        share = {Pressure.Fine: 32, Pressure.Refresh: 33, Pressure.Emergency: 31}[self.pressure]
        cost = "not known" if self.cost is None else f"${self.cost:.4f}"
        reserve = self.reserve
        lines = (
            paint(1, f"Conversation with {self.model}"),
            f"  messages: {paint(36, f'{self.messages:,}')}",
            f"  now: {paint(36, f'{about}{self.tokens:,}')} of {self.room:,} tokens"
            f" ({paint(share, f'{self.percent:.1f}%')})",
            f"  kept free: {reserve.total:,} (system {reserve.system:,}, tools {reserve.tools:,},"
            f" response {reserve.response:,})",
            f"  this session: {paint(2, f'{self.usage.total:,}')} tokens ({self.usage.prompt:,} sent,"
            f" {self.usage.output:,} written)",
            f"  cost: {paint(32, cost)}",
        )
        return "\n".join(lines)

    def __str__(self) -> str:
        """Return the report without colours."""
        return self.text()


class Conversation:
    """The messages of one conversation, and what they cost.

    The messages have any of the shapes in ``shapes``. They are not changed; objects of a maker's
    library become mappings.

    Args:
        model: The name of the model, or its profile.
        system: The system prompt, where it is no message.
        tools: The schemas of the tools.
        response: Tokens to keep for the response.
        room: Tokens for the conversation; what the reserve leaves of the window where it is not given.
        window: The window of the model, where it is not the usual one.
        prices: What the model costs, where that is not as its profile says.
    """

    def __init__(
        self,
        model: str | Profile,
        *,
        system: str = "",
        tools: Iterable[Mapping[str, Any]] = (),
        response: int | None = None,
        room: int | None = None,
        window: int | None = None,
        prices: PriceTable | None = None,
    ) -> None:
        profile = profile_of(model) if isinstance(model, str) else model
        self.profile = profile if window is None else profile.within(window)
        prompt = message_tokens({"role": "system", "content": system}, self.profile) if system else 0
        kept = min(self.profile.output, self.profile.window // _RESPONSE_SHARE) if response is None else response
        self.reserve = Reserve(prompt, tools_tokens(tools, self.profile), max(0, kept))
        left = self.profile.window - self.reserve.total
        self.room = max(1, left if room is None else min(room, left))
        self.usage = Usage()
        self._prices = self.profile.prices if prices is None else prices
        self._cost = 0.0
        self._messages: list[Message] = []
        self._tokens = 0

    @property
    def messages(self) -> list[Message]:
        """Return the messages."""
        return list(self._messages)

    @property
    def tokens(self) -> int:
        """Return what the messages cost now, which is not what the session has used."""
        return self._tokens

    @property
    def percent(self) -> float:
        """Return how much of the room is taken."""
        return 100 * self._tokens / self.room

    @property
    def left(self) -> int:
        """Return the tokens that may still be added."""
        return max(0, self.room - self._tokens)

    @property
    def pressure(self) -> Pressure:
        """Return how full the conversation is."""
        if self._tokens * 100 > self.room * EMERGENCY_AT:
            return Pressure.Emergency
        return Pressure.Refresh if self._tokens * 100 >= self.room * REFRESH_AT else Pressure.Fine

    @property
    def task(self) -> Message | None:
        """Return the last message of the user."""
        return parts_of(self._messages).task

    def add(self, *messages: object) -> None:
        """Add messages at the end; raises TypeError or ValueError for what is no message."""
        added = [as_message(message) for message in messages]
        self._tokens += conversation_tokens(added, self.profile)
        self._messages.extend(added)

    def replace(self, messages: Sequence[object]) -> None:
        """Take other messages for all, such as those that a recovery has left."""
        self._messages = [as_message(message) for message in messages]
        self._tokens = conversation_tokens(self._messages, self.profile)

    def clear(self) -> None:
        """Forget all messages; what the session used stays."""
        self.replace(())

    def record(self, usage: Usage | Mapping[str, object]) -> None:
        """Add what one request used: as an answer of OpenAI, Anthropic or Gemini reports it, or counted."""
        used = usage if isinstance(usage, Usage) else usage_of(usage)
        self.usage += used
        self._cost += 0.0 if self._prices is None else self._prices.cost(used)

    def refresh(self) -> Refreshed | None:
        """Make room if the conversation is too full, and return what was done; None if there was no need.

        The task and the messages that the agent wrote at the beginning are kept, and no tool call is separated from its
        results. In an emergency nothing else is kept. Else the oldest messages go first; if only the
        current turn remains, the results of its tools are guarded, and then its oldest calls go with their results.
        """
        pressure = self.pressure
        if pressure is Pressure.Fine:
            return None
        before, number = self._tokens, len(self._messages)
        target = self.room * REFRESHED_TO // 100
        shortened = 0
        if pressure is Pressure.Emergency:
            self.replace(parts_of(self._messages).task_alone(NOTE))
        else:
            self.replace(self._shorter_history(target))
            if self.pressure is not Pressure.Fine:
                shortened = self._guard_results(target)
            if self.pressure is not Pressure.Fine:
                self.replace(self._shorter_turn(target))
        return Refreshed(pressure, before, self._tokens, number - len(self._messages), shortened)

    def report(self) -> Report:
        """Return the state of the conversation."""
        cost = None if self._prices is None else self._cost
        return Report(
            self.profile.name,
            len(self._messages),
            self._tokens,
            self.room,
            self.reserve,
            self.pressure,
            self.usage,
            cost,
            self.profile.exact,
        )

    def _cost_of(self, messages: Iterable[Message]) -> int:
        return conversation_tokens(messages, self.profile)

    def _shorter_history(self, target: int) -> list[Message]:
        """Return the messages with the newest units of history that the target pays for."""
        parts = parts_of(self._messages)
        used = self._cost_of(parts.system) + self._cost_of(flat(parts.turn))
        return parts.messages(from_user(newest(parts.history, target - used, self._cost_of)))

    def _shorter_turn(self, target: int) -> list[Message]:
        """Return the task and the newest units of the work for it that the target pays for."""
        parts = parts_of(self._messages)
        least = parts.task_alone(NOTE)
        return [*least, *flat(newest(parts.work, target - self._cost_of(least), self._cost_of))]

    def _guard_results(self, target: int) -> int:
        """Put the results of tools into their guarded form, largest first, until the target is met; return how many."""
        messages, tokens, number = list(self._messages), self._tokens, 0
        for result in sorted(results(messages), key=lambda result: len(result.text), reverse=True):
            if tokens <= target or len(result.text) <= self.profile.guard:
                break
            cut = cut_output(result.text, result.tool or "the tool", profile=self.profile, error=False)
            messages = with_result(messages, result, cut.text)
            tokens = self._cost_of(messages)
            number += 1
        self.replace(messages)
        return number
