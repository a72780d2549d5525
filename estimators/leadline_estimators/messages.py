"""Messages of a conversation as the makers of models define them: those of OpenAI, and the content blocks of Anthropic.

A tool call and the results that answer it are one *unit*: a server refuses one without the other, so no cut goes
through a unit. The *task* is the last message of the user; the turn is all from its unit on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leadline_estimators.guard import text_tokens
from leadline_estimators.profiles import Profile, TextKind

Message = Mapping[str, Any]

MESSAGE_TOKENS = 4
"""What a message costs beside its content: its role and its ends."""

CALL_TOKENS = 8
"""What a tool call, a result or a tool's schema costs beside its content."""

PICTURE_TOKENS = 1_600
"""What a picture costs at most in the size that makers scale it to."""

_SYSTEM = ("system", "developer")
_ANSWERS = ("tool", "function")
_UNNAMED = "function"
"""The id of a call in the older form that has none."""

_PICTURES = ("image", "image_url", "input_image", "document", "file", "input_file", "input_audio")


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
    content = message.get("content")
    if not isinstance(content, Sequence) or isinstance(content, str):
        return True
    return not content or any(block.get("type") != "tool_result" for block in _blocks(message))


def calls(message: Message) -> dict[str, str]:
    """Return the tool calls that a message makes: their ids, and the names of the tools."""
    found = {}
    for call in _as_sequence(message.get("tool_calls")):
        if isinstance(call, Mapping):
            found[str(call.get("id"))] = str((call.get("function") or {}).get("name", ""))
    if message.get("function_call"):
        found[_UNNAMED] = str(message["function_call"].get("name", ""))
    for block in _blocks(message):
        if block.get("type") == "tool_use":
            found[str(block.get("id"))] = str(block.get("name", ""))
    return found


def answers(message: Message) -> list[str]:
    """Return the ids of the tool calls that a message answers."""
    if message.get("role") in _ANSWERS:
        return [str(message.get("tool_call_id", _UNNAMED))]
    return [str(block.get("tool_use_id")) for block in _blocks(message) if block.get("type") == "tool_result"]


def results(messages: Sequence[Message]) -> list[Result]:
    """Return the results of tools in a conversation, in their order."""
    found: list[Result] = []
    names: dict[str, str] = {}
    for i, message in enumerate(messages):
        names.update(calls(message))
        if message.get("role") in _ANSWERS:
            name = names.get(answers(message)[0], "")
            found.append(Result(i, None, _text(message.get("content")), name))
            continue
        for k, block in enumerate(_as_sequence(message.get("content"))):
            if isinstance(block, Mapping) and block.get("type") == "tool_result":
                name = names.get(str(block.get("tool_use_id")), "")
                found.append(Result(i, k, _text(block.get("content")), name))
    return found


def with_result(messages: Sequence[Message], result: Result, text: str) -> list[Message]:
    """Return a conversation in which the text of a result is another; what is no text in it stays."""
    changed = list(messages)
    message = dict(changed[result.message])
    if result.block is None:
        message["content"] = _replace_text(message.get("content"), text)
    else:
        blocks = list(_as_sequence(message["content"]))
        blocks[result.block] = {
            **blocks[result.block],
            "content": _replace_text(blocks[result.block].get("content"), text),
        }
        message["content"] = blocks
    changed[result.message] = message
    return changed


def with_note(message: Message, note: str) -> Message:
    """Return a message with a note after its content."""
    content = message.get("content")
    if isinstance(content, str):
        return message if content.endswith(note) else {**message, "content": f"{content}\n\n{note}"}
    if any(block.get("text") == note for block in _blocks(message)):
        return message
    return {**message, "content": [*(content or ()), {"type": "text", "text": note}]}


def without_results(message: Message) -> Message:
    """Return what the user says in a message, without the results of tools that came along."""
    if not any(block.get("type") == "tool_result" for block in _blocks(message)):
        return message
    return {**message, "content": [block for block in _blocks(message) if block.get("type") != "tool_result"]}


def message_tokens(message: Message, profile: Profile | None = None) -> int:
    """Return what a message costs: o200k tokens, or at most those of a model; very long texts are sampled."""
    texts = [str(message.get(key) or "") for key in ("role", "name", "tool_call_id")]
    tokens = MESSAGE_TOKENS
    for key in ("tool_calls", "function_call"):
        for call in _as_sequence(message.get(key)):
            tokens += CALL_TOKENS + _price(json_text(call), TextKind.Json, profile)
    content = message.get("content")
    for block in _as_sequence(content):
        tokens += _block_tokens(block, profile)
    texts.append(content if isinstance(content, str) else "")
    return tokens + sum(_price(text, TextKind.Code, profile) for text in texts if text)


def conversation_tokens(messages: Iterable[Message], profile: Profile | None = None) -> int:
    """Return what messages cost together."""
    return sum(message_tokens(message, profile) for message in messages)


def tools_tokens(tools: Iterable[Mapping[str, Any]], profile: Profile | None = None) -> int:
    """Return what the schemas of tools cost: their compact JSON."""
    return sum(CALL_TOKENS + _price(json_text(tool), TextKind.Json, profile) for tool in tools)


def json_text(value: object) -> str:
    """Return a value as compact JSON; what is none, as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


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
        for answered in answers(message):
            if answered in calling:
                reach[calling.pop(answered)] = i
        calling.update(dict.fromkeys(calls(message), i))
    return reach


def _blocks(message: Message) -> list[Mapping[str, Any]]:
    return [block for block in _as_sequence(message.get("content")) if isinstance(block, Mapping)]


def _as_sequence(value: object) -> Sequence[Any]:
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return value
    return (value,) if isinstance(value, Mapping) else ()


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(
        block["text"] for block in _as_sequence(content) if isinstance(block, Mapping) and _has_text(block)
    )


def _has_text(block: Mapping[str, Any]) -> bool:
    return isinstance(block.get("text"), str)


def _replace_text(content: object, text: str) -> object:
    """Return a content whose text is another, in the form that it had."""
    kept = [block for block in _as_sequence(content) if not (isinstance(block, Mapping) and _has_text(block))]
    return [{"type": "text", "text": text}, *kept] if kept else text


def _block_tokens(block: object, profile: Profile | None) -> int:
    if not isinstance(block, Mapping):
        return _price(str(block), TextKind.Code, profile)
    kind = block.get("type")
    if kind in _PICTURES:
        return CALL_TOKENS + PICTURE_TOKENS
    if kind == "tool_result":
        content = block.get("content")
        inner = sum(_block_tokens(part, profile) for part in _as_sequence(content))
        own = _price(content, TextKind.Code, profile) if isinstance(content, str) else 0
        return CALL_TOKENS + _price(str(block.get("tool_use_id", "")), TextKind.Code, profile) + inner + own
    if _has_text(block):
        return _price(block["text"], TextKind.Code, profile)
    return CALL_TOKENS + _price(json_text(block), TextKind.Json, profile)


def _price(text: str, kind: TextKind, profile: Profile | None) -> int:
    return text_tokens(text, profile, kind).tokens
