"""Conversations made up for tests, in the words of OpenAI and of Anthropic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

Message = Mapping[str, Any]


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def calls(*ids: str, name: str = "list_files", anthropic: bool = False) -> Message:
    """Return a message that calls a tool once for each id."""
    if anthropic:
        blocks = [{"type": "tool_use", "id": one, "name": name, "input": {"path": "."}} for one in ids]
        return {"role": "assistant", "content": [{"type": "text", "text": "I look."}, *blocks]}
    made = [{"id": one, "type": "function", "function": {"name": name, "arguments": '{"path":"."}'}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": made}


def returns(texts: Mapping[str, str], said: str = "", *, anthropic: bool = False) -> list[Message]:
    """Return the messages that answer calls; those of Anthropic may carry words of the user."""
    if not anthropic:
        return [{"role": "tool", "tool_call_id": one, "content": text} for one, text in texts.items()]
    blocks: list[Mapping[str, Any]] = [
        {"type": "tool_result", "tool_use_id": one, "content": [{"type": "text", "text": text}]}
        for one, text in texts.items()
    ]
    return [{"role": "user", "content": [*blocks, *([{"type": "text", "text": said}] if said else [])]}]


@st.composite
def conversations(draw: st.DrawFn) -> list[Message]:
    """Draw a conversation that a server would take: pairs are whole, and the user begins."""
    anthropic = draw(st.booleans())
    messages: list[Message] = [] if anthropic else [{"role": "system", "content": draw(words)}]
    for turn in range(draw(st.integers(1, 6))):
        messages.append(user(f"task {turn}: {draw(words)}"))
        for step in range(draw(st.integers(0, 4))):
            ids = [f"call_{step}_{i}" for i in range(draw(st.integers(1, 3)))]  # the same ids in every turn
            messages.append(calls(*ids, anthropic=anthropic))
            said = draw(st.sampled_from(["", "", "and quickly"]))
            messages += returns({one: draw(outputs) for one in ids}, said, anthropic=anthropic)
        if draw(st.booleans()):
            messages.append(says(draw(words)))
    return messages


words = st.text("abcdefgh \n", max_size=60)
outputs = st.tuples(st.text("abc/.\n", min_size=1, max_size=30), st.integers(0, 600)).map(lambda of: of[0] * of[1])


def opened(messages: Sequence[Message]) -> list[str]:
    """Return the ids of calls in a conversation that are not answered, and of answers that nothing called."""
    waiting: list[str] = []
    torn: list[str] = []
    for message in messages:
        blocks = message["content"] if isinstance(message["content"], list) else []
        done = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if message["role"] == "tool":
            done = [message["tool_call_id"]]
        for one in done:
            (waiting if one in waiting else torn).append(one)
            if one in waiting:
                waiting = [other for other in waiting if other != one]
        if not done:
            torn += waiting
            waiting = []
        waiting += [call["id"] for call in message.get("tool_calls") or ()]
        waiting += [block["id"] for block in blocks if block["type"] == "tool_use"]
    return torn + waiting


def spoken(message: Message) -> str:
    """Return what a message says in words."""
    content = message["content"]
    if isinstance(content, list):
        return "\n".join(block["text"] for block in content if block["type"] == "text")
    return content or ""


def last_words(messages: Sequence[Message]) -> str:
    """Return what the user said last."""
    return next(spoken(message) for message in reversed(messages) if message["role"] == "user" and spoken(message))
