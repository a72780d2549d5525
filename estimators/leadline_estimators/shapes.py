"""The shapes in which makers of models write messages, and what is a call, a result or a picture in each.

* OpenAI's chat completions: ``tool_calls`` in a message, and a message with the role ``tool`` for each result.
* OpenAI's Responses: items beside messages, such as ``function_call`` and ``function_call_output``.
* Anthropic: the content is a list of blocks, among them ``tool_use`` and ``tool_result``.
* Gemini: ``parts`` in the place of the content, among them ``functionCall`` and ``functionResponse``, in camel case or,
  as its library for Python writes them, in snake case.

A *block* is an element of the content of a message, whatever its maker calls it. What has none of these shapes is
refused: to count it as nothing would let a conversation overflow.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

Message = Mapping[str, Any]

ROLES = ("system", "developer", "user", "assistant", "model", "tool", "function")
"""The roles of messages; Gemini calls the assistant ``model``."""

_PICTURES = ("image", "image_url", "input_image", "document", "file", "input_file", "input_audio")
_GEMINI_PICTURES = ("inlineData", "inline_data", "fileData", "file_data")
_GEMINI_CALLS = ("functionCall", "function_call")
_GEMINI_RESULTS = ("functionResponse", "function_response")
_UNNAMED = "function"
"""The id of a call in the older form that has none."""


def as_message(value: object) -> Message:
    """Return a message as a mapping; objects of the makers' libraries are converted.

    Raises TypeError for what is neither a mapping nor such an object, and ValueError for a mapping that is no message.
    """
    if not isinstance(value, Mapping):
        value = _dumped(value)
    role = value.get("role")
    if role is not None and role not in ROLES:
        raise ValueError(f"{role!r} is no role of a message: use one of {', '.join(ROLES)}")
    if role is None and not isinstance(value.get("type"), str) and not isinstance(value.get("parts"), Sequence):
        raise ValueError(f"a message needs a role or a type, and this has neither: {', '.join(map(str, value))}")
    return value


def _dumped(value: object) -> Message:
    dump = getattr(value, "model_dump", None)
    found = dump(exclude_none=True) if callable(dump) else None
    if found is None and dataclasses.is_dataclass(value) and not isinstance(value, type):
        found = dataclasses.asdict(value)
    if not isinstance(found, Mapping):
        raise TypeError(
            f"{type(value).__name__} is no message: pass a mapping, or an object with the method model_dump"
        )
    return found


def content_key(message: Message) -> str:
    """Return the key under which a message has its content."""
    if _is_call_output(message):
        return "output"
    return "parts" if "parts" in message else "content"


def content_of(message: Message) -> object:
    """Return the content of a message: a text, blocks, or None."""
    return message.get(content_key(message))


def blocks_of(message: Message) -> list[Message]:
    """Return the blocks of a message that are mappings."""
    return [block for block in as_sequence(content_of(message)) if isinstance(block, Mapping)]


def calls_of(message: Message) -> dict[str, str]:
    """Return the tool calls that a message makes: their ids, and the names of the tools."""
    found: dict[str, str] = {}
    for call in as_sequence(message.get("tool_calls")):
        if isinstance(call, Mapping):
            found[str(call.get("id"))] = str((call.get("function") or {}).get("name", ""))
    if message.get("function_call"):
        found[_UNNAMED] = str(message["function_call"].get("name", ""))
    kind = str(message.get("type", ""))
    if kind.endswith("_call"):
        found[_item_id(message)] = str(message.get("name", kind.removesuffix("_call")))
    for block in blocks_of(message):
        if block.get("type") == "tool_use":
            found[str(block.get("id"))] = str(block.get("name", ""))
        elif (call := _first(block, _GEMINI_CALLS)) is not None:
            found[_gemini_id(call)] = str(call.get("name", ""))
    return found


def answered_calls(message: Message) -> list[str]:
    """Return the ids of the tool calls that a message answers."""
    if _is_call_output(message):
        return [_item_id(message)]
    if is_result(message):
        return [str(message.get("tool_call_id", _UNNAMED))]
    return [answered for block in blocks_of(message) if (answered := answered_call(block)) is not None]


def answered_call(block: Message) -> str | None:
    """Return the id of the tool call that a block answers; None for another block."""
    if block.get("type") == "tool_result":
        return str(block.get("tool_use_id"))
    result = _first(block, _GEMINI_RESULTS)
    return None if result is None else _gemini_id(result)


def is_result(message: Message) -> bool:
    """Return whether a message as a whole is the result of a tool."""
    by_role = message.get("role") in ("tool", "function") and content_key(message) == "content"
    return by_role or _is_call_output(message)


def _is_call_output(message: Message) -> bool:
    """Return whether a message is an item of Responses with what a call returned."""
    return str(message.get("type", "")).endswith("_call_output")


def is_reasoning(message: Message) -> bool:
    """Return whether a message is an item of reasoning, which a server refuses without the item that follows it."""
    return message.get("type") == "reasoning"


def result_text(block: Message) -> str:
    """Return the text of a block that answers a call."""
    response = _first(block, _GEMINI_RESULTS)
    if response is None:
        return text_of(block.get("content"))
    held = response.get("response")
    inner = next(iter(held.values())) if isinstance(held, Mapping) and len(held) == 1 else held
    return inner if isinstance(inner, str) else json_text(inner)


def with_result_text(block: Message, text: str) -> Message:
    """Return a block that answers a call, with another text; what is no text in it stays."""
    for key in _GEMINI_RESULTS:
        if key in block:
            held = block[key].get("response")
            name = next(iter(held)) if isinstance(held, Mapping) and len(held) == 1 else "result"
            return {**block, key: {**block[key], "response": {name: text}}}
    return {**block, "content": replace_text(block.get("content"), text)}


def text_block(message: Message, text: str) -> Message:
    """Return a block of text in the form that a message has."""
    return {"text": text} if content_key(message) == "parts" else {"type": "text", "text": text}


def is_picture(block: Message) -> bool:
    """Return whether a block is a picture, a document or a sound."""
    return block.get("type") in _PICTURES or _first(block, _GEMINI_PICTURES) is not None


def is_exchange(block: Message) -> bool:
    """Return whether a block is a call or a result of Gemini, which has no type."""
    return _first(block, (*_GEMINI_CALLS, *_GEMINI_RESULTS)) is not None


def text_of(content: object) -> str:
    """Return the text of a content."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in as_sequence(content) if isinstance(block, Mapping) and has_text(block))


def has_text(block: Message) -> bool:
    """Return whether a block is a text."""
    return isinstance(block.get("text"), str)


def replace_text(content: object, text: str) -> object:
    """Return a content whose text is another, in the form that it had."""
    kept = [block for block in as_sequence(content) if not (isinstance(block, Mapping) and has_text(block))]
    return [{"type": "text", "text": text}, *kept] if kept else text


def as_sequence(value: object) -> Sequence[Any]:
    """Return a list as it is, a mapping as a list of one, and anything else as an empty one."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return value
    return (value,) if isinstance(value, Mapping) else ()


def json_text(value: object) -> str:
    """Return a value as compact JSON; what is none, as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _first(block: Message, keys: Sequence[str]) -> Message | None:
    return next((block[key] for key in keys if isinstance(block.get(key), Mapping)), None)


def _item_id(item: Message) -> str:
    return str(item.get("call_id") or item.get("id"))


def _gemini_id(call: Message) -> str:
    return str(call.get("id") or call.get("name"))
