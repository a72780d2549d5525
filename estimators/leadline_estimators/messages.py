"""Messages of a conversation, in any of the shapes that the makers of models define (``shapes``), and what they cost.

A tool call and the results that answer it are one *unit*: a server refuses one without the other, so no cut goes
through a unit. The *task* is the last message of the user; the turn is all from its unit on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline_estimators.guard import text_tokens
from leadline_estimators.profiles import Profile, TextKind, as_profile
from leadline_estimators.shapes import (
    Message,
    answered_call,
    answered_calls,
    as_message,
    as_sequence,
    blocks_of,
    calls_of,
    content_key,
    content_of,
    has_text,
    is_exchange,
    is_picture,
    is_reasoning,
    is_result,
    json_text,
    replace_text,
    result_text,
    text_block,
    text_of,
    with_result_text,
)

MESSAGE_TOKENS = 4
"""What a message costs beside its content: its role and its ends."""

CALL_TOKENS = 8
"""What a tool call, a result or a tool's schema costs beside its content."""

PICTURE_TOKENS = 1_600
"""What a picture costs at most in the size that makers scale it to."""

_SYSTEM = ("system", "developer")

_FREE = frozenset({"type", "id", "status", "cache_control", "annotations", "logprobs", "phase"})
"""Keys that a server keeps to itself: a model is not sent them."""

_PRICED = frozenset({"role", "name", "tool_call_id", "tool_calls", "function_call"})
"""Keys of a message that are priced one by one, besides its content."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A conversation in its parts.

    Args:
        system: The messages before all others that the agent itself wrote.
        history: The units before the current turn.
        turn: The units of the current turn, from the one that holds the task.
    """

    system: tuple[Message, ...]
    history: tuple[tuple[Message, ...], ...]
    turn: tuple[tuple[Message, ...], ...]

    def messages(self, history: Sequence[tuple[Message, ...]] | None = None) -> list[Message]:
        """Return all messages in their order, with other history where one is given."""
        kept = self.history if history is None else history
        return [*self.system, *flat(kept), *flat(self.turn)]

    def last(self, window: int) -> tuple[tuple[Message, ...], ...]:
        """Return the last units of the history that have at most so many messages."""
        return from_user(newest(self.history, window, len))

    @property
    def task(self) -> Message | None:
        """Return the last message of the user; None where there is none."""
        return next((message for message in reversed(flat(self.turn)) if is_task(message)), None)

    @property
    def work(self) -> tuple[tuple[Message, ...], ...]:
        """Return the work for the task: the units after the one that contains it."""
        holds = [i for i, unit in enumerate(self.turn) if any(map(is_task, unit))]
        return self.turn[holds[-1] + 1 :] if holds else self.turn

    def task_alone(self, note: str) -> list[Message]:
        """Return the messages of the agent and the task, with a note if anything else was left out."""
        task = self.task
        if task is None or len(self.messages()) == len(self.system) + 1:
            return self.messages()
        return [*self.system, with_note(without_results(task), note)]


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a tool within a conversation.

    Args:
        message: The index of the message.
        block: The index of the content block in it; None where the message is the result.
        text: The text of the result.
        tool: The name of the tool; empty where no call names it.
    """

    message: int
    block: int | None
    text: str
    tool: str


def parts_of(messages: Sequence[Message]) -> Parts:
    """Return a conversation in its parts."""
    start = next((i for i, message in enumerate(messages) if message.get("role") not in _SYSTEM), len(messages))
    units = list(_units(messages[start:]))
    first = max((i for i, unit in enumerate(units) if any(map(is_task, unit))), default=max(0, len(units) - 1))
    while first and units[first][0].get("role") != "user":  # a conversation that begins with another is refused
        first -= 1
    return Parts(tuple(messages[:start]), tuple(units[:first]), tuple(units[first:]))


def is_task(message: Message) -> bool:
    """Return whether the user says something in a message; results of tools come in the user's name too."""
    if message.get("role") != "user":
        return False
    content = content_of(message)
    if not isinstance(content, Sequence) or isinstance(content, str):
        return True
    return not content or any(answered_call(block) is None for block in blocks_of(message))


def results(messages: Sequence[Message]) -> list[Result]:
    """Return the results of tools in a conversation, in their order."""
    found: list[Result] = []
    names: dict[str, str] = {}
    for i, message in enumerate(messages):
        names.update(calls_of(message))
        if is_result(message):
            name = names.get(answered_calls(message)[0], "")
            found.append(Result(i, None, text_of(content_of(message)), name))
            continue
        for k, block in enumerate(as_sequence(content_of(message))):
            if isinstance(block, Mapping) and (answered := answered_call(block)) is not None:
                found.append(Result(i, k, result_text(block), names.get(answered, "")))
    return found


def with_result(messages: Sequence[Message], result: Result, text: str) -> list[Message]:
    """Return a conversation in which the text of a result is another; what is no text in it stays."""
    changed = list(messages)
    message = dict(changed[result.message])
    key = content_key(message)
    if result.block is None:
        message[key] = replace_text(message.get(key), text)
    else:
        blocks = list(as_sequence(message[key]))
        blocks[result.block] = with_result_text(blocks[result.block], text)
        message[key] = blocks
    changed[result.message] = message
    return changed


def with_note(message: Message, note: str) -> Message:
    """Return a message with a note after its content."""
    key, content = content_key(message), content_of(message)
    if isinstance(content, str):
        return message if content.endswith(note) else {**message, key: f"{content}\n\n{note}"}
    if any(block.get("text") == note for block in blocks_of(message)):
        return message
    return {**message, key: [*as_sequence(content), text_block(message, note)]}


def without_results(message: Message) -> Message:
    """Return what the user says in a message, without the results of tools that came along."""
    said = [block for block in blocks_of(message) if answered_call(block) is None]
    return message if len(said) == len(blocks_of(message)) else {**message, content_key(message): said}


def message_tokens(message: object, profile: Profile | str | None = None) -> int:
    """Return what a message costs: o200k tokens, or at most those of a model; very long texts are sampled.

    Args:
        message: A mapping or an object of a maker's library, in a shape that ``shapes`` knows.
        profile: The model, or its name; None for o200k tokens.

    Raises:
        TypeError: The message is no message at all.
        ValueError: It has a role that no maker knows, or neither role nor type.
    """
    model, known = as_profile(profile), as_message(message)
    tokens = MESSAGE_TOKENS
    for key in ("role", "name", "tool_call_id"):
        tokens += _price(str(known.get(key) or ""), TextKind.Code, model)
    for key in ("tool_calls", "function_call"):
        for call in as_sequence(known.get(key)):
            tokens += CALL_TOKENS + _price(json_text(call), TextKind.Json, model)
    content = content_of(known)
    tokens += _price(content, TextKind.Code, model) if isinstance(content, str) else 0
    tokens += sum(_block_tokens(block, model) for block in as_sequence(content))
    more = {key: value for key, value in known.items() if key not in {*_FREE, *_PRICED, content_key(known)} and value}
    return tokens + (CALL_TOKENS + _price(json_text(more), TextKind.Json, model) if more else 0)


def conversation_tokens(messages: Iterable[object], profile: Profile | str | None = None) -> int:
    """Return what messages cost together; see ``message_tokens``."""
    model = as_profile(profile)
    return sum(message_tokens(message, model) for message in messages)


def tools_tokens(tools: Iterable[Mapping[str, Any]], profile: Profile | str | None = None) -> int:
    """Return what the schemas of tools cost: their compact JSON."""
    model = as_profile(profile)
    return sum(CALL_TOKENS + _price(json_text(tool), TextKind.Json, model) for tool in tools)


def newest(
    units: Sequence[tuple[Message, ...]], most: int, size: Callable[[tuple[Message, ...]], int]
) -> tuple[tuple[Message, ...], ...]:
    """Return the last units that together have at most a size."""
    start = len(units)
    while start and (cost := size(units[start - 1])) <= most:
        most -= cost
        start -= 1
    return tuple(units[start:])


def from_user(units: Sequence[tuple[Message, ...]]) -> tuple[tuple[Message, ...], ...]:
    """Return units from the first one that the user begins: servers refuse a conversation that begins otherwise."""
    return tuple(units[next((i for i, unit in enumerate(units) if is_task(unit[0])), len(units)) :])


def flat(units: Iterable[tuple[Message, ...]]) -> list[Message]:
    """Return the messages of units."""
    return [message for unit in units for message in unit]


def _units(messages: Sequence[Message]) -> Iterator[tuple[Message, ...]]:
    reach = _reach(messages)
    start, stop = 0, 0
    for i in range(len(messages)):
        stop = max(stop, reach.get(i, i))
        if i == stop:
            yield tuple(messages[start : i + 1])
            start = stop = i + 1


def _reach(messages: Sequence[Message]) -> Mapping[int, int]:
    """Return how far the answers to the calls of a message reach.

    Servers reuse ids in later turns, so the first answer after a call is its own.
    """
    calling: dict[str, int] = {}
    reach: dict[int, int] = {}
    for i, message in enumerate(messages):
        if is_reasoning(message) and i + 1 < len(messages):
            reach[i] = i + 1
        for answered in answered_calls(message):
            if answered in calling:
                reach[calling.pop(answered)] = i
        calling.update(dict.fromkeys(calls_of(message), i))
    return reach


def _block_tokens(block: object, profile: Profile | None) -> int:
    if not isinstance(block, Mapping):
        return _price(str(block), TextKind.Code, profile)
    if is_picture(block):
        return CALL_TOKENS + PICTURE_TOKENS
    if block.get("type") == "tool_result":
        content = block.get("content")
        inner = sum(_block_tokens(part, profile) for part in as_sequence(content))
        own = _price(content, TextKind.Code, profile) if isinstance(content, str) else 0
        return CALL_TOKENS + _price(str(block.get("tool_use_id", "")), TextKind.Code, profile) + inner + own
    if is_exchange(block) and answered_call(block) is not None:
        return (
            2 * CALL_TOKENS
            + _price(result_text(block), TextKind.Code, profile)
            + _price(answered_call(block) or "", TextKind.Code, profile)
        )
    text = _price(block["text"], TextKind.Code, profile) if has_text(block) else 0
    more = {key: value for key, value in block.items() if key != "text" and value}
    if has_text(block):
        more = {key: value for key, value in more.items() if key not in _FREE}
    return text + (CALL_TOKENS + _price(json_text(more), TextKind.Json, profile) if more else 0)


def _price(text: str, kind: TextKind, profile: Profile | None) -> int:
    return text_tokens(text, profile, kind).tokens if text else 0
