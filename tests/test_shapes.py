"""Messages of every maker are counted, answered results are found, and what is no message is refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from leadline_estimators import Conversation, TurnBudget, conversation_tokens, count, message_tokens, run_with_recovery
from leadline_estimators.messages import results, with_result

LISTING = "drivers/net/file.c\n" * 20_000
TASK = "list all files"

RESPONSES: list[dict[str, Any]] = [
    {"role": "user", "content": TASK},
    {"type": "reasoning", "id": "rs_1", "summary": []},
    {"type": "function_call", "call_id": "c1", "name": "list_files", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": LISTING},
]
GEMINI = [
    {"role": "user", "parts": [{"text": TASK}]},
    {"role": "model", "parts": [{"functionCall": {"name": "list_files", "args": {}}}]},
    {"role": "user", "parts": [{"functionResponse": {"name": "list_files", "response": {"result": LISTING}}}]},
]
GEMINI_SDK = [
    {"role": "user", "parts": [{"text": TASK}]},
    {"role": "model", "parts": [{"function_call": {"id": "7", "name": "list_files", "args": {}}}]},
    {"role": "user", "parts": [{"function_response": {"id": "7", "name": "list_files", "response": {"out": LISTING}}}]},
]
ANTHROPIC = [
    {"role": "user", "content": TASK},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "list_files", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": LISTING}]},
]
CHAT = [
    {"role": "user", "content": TASK},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "1", "type": "function", "function": {"name": "list_files", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "1", "content": LISTING},
]
ALL = [RESPONSES, GEMINI, GEMINI_SDK, ANTHROPIC, CHAT]

every_shape = pytest.mark.parametrize("messages", ALL, ids=["responses", "gemini", "gemini-sdk", "anthropic", "chat"])


@every_shape
def test_the_result_of_a_tool_costs_what_its_text_costs(messages: Sequence[dict[str, Any]]) -> None:
    tokens = conversation_tokens(messages)
    assert count(LISTING) < tokens < 1.01 * count(LISTING)  # so long a text is sampled


@every_shape
def test_the_result_of_a_tool_is_found_under_its_name_and_can_be_replaced(messages: Sequence[dict[str, Any]]) -> None:
    (result,) = results(messages)
    assert (result.text, result.tool) == (LISTING, "list_files")
    changed = with_result(messages, result, "short")
    (again,) = results(changed)
    assert again.text == "short"
    assert conversation_tokens(changed) < 150


@every_shape
def test_a_refused_conversation_is_recovered_by_its_one_long_result(messages: Sequence[dict[str, Any]]) -> None:
    def send(sent: Sequence[Any]) -> str:
        tokens = conversation_tokens(sent)
        if tokens > 8_192:
            raise RuntimeError(f"request ({tokens} tokens) exceeds the available context size (8192 tokens)")
        return "There are 20,000 files."

    recovery = run_with_recovery(send, messages, characters=2_000, profile="gpt-5")
    assert recovery.response == "There are 20,000 files."
    assert [str(attempt.strategy) for attempt in recovery.attempts] == ["whole", "guard"]
    assert len(recovery.messages) == len(messages)


@every_shape
def test_a_full_conversation_keeps_the_task_and_no_torn_pair(messages: Sequence[dict[str, Any]]) -> None:
    conversation = Conversation("gpt-5", window=8_192)
    conversation.add(*messages)
    refreshed = conversation.refresh()
    assert refreshed is not None
    assert conversation.tokens < 6_144
    assert TASK in str(conversation.messages)


def test_what_a_model_reasoned_stays_with_the_call_that_it_led_to() -> None:
    conversation = Conversation("gpt-5", window=8_192, room=120)
    short = [*RESPONSES[:3], {**RESPONSES[3], "output": "one file"}]
    for number in range(8):
        conversation.add(*({**m, "call_id": f"c{number}"} if "call_id" in m else m for m in short))
        conversation.refresh()
        kinds = [str(message.get("type", message.get("role"))) for message in conversation.messages]
        for index, kind in enumerate(kinds):
            if kind == "reasoning":
                assert kinds[index + 1] == "function_call"
            if kind == "function_call_output":
                assert kinds[index - 1] == "function_call"


@dataclass
class Said:
    """A message as a library would have it, without pydantic."""

    role: str
    content: str


class Dumped:
    """A message as the libraries of OpenAI, Anthropic and Google have it."""

    def model_dump(self, *, exclude_none: bool) -> dict[str, Any]:
        return {"role": "assistant", "content": "hello world"} | ({} if exclude_none else {"refusal": None})


@pytest.mark.parametrize("message", [Said("assistant", "hello world"), Dumped()])
def test_objects_of_libraries_are_counted_like_the_mappings_that_they_are(message: object) -> None:
    expected = {"role": "assistant", "content": "hello world"}
    assert message_tokens(message) == message_tokens(expected)
    conversation = Conversation("gpt-5")
    conversation.add(message)
    assert conversation.messages == [expected]


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ({"role": "wizard", "content": "x"}, "'wizard' is no role of a message"),
        ({"text": "hello"}, "needs a role or a type"),
        ("hello", "str is no message"),
        (object(), "object is no message"),
    ],
)
def test_what_is_no_message_is_refused_and_not_counted_as_nothing(message: object, error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        message_tokens(message)
    conversation = Conversation("gpt-5")
    with pytest.raises((TypeError, ValueError), match=error):
        conversation.add(message)
    assert (conversation.tokens, conversation.messages) == (0, [])


def test_keys_that_are_not_known_are_counted() -> None:
    plain = {"role": "assistant", "content": "x"}
    thought = {**plain, "reasoning_content": "hello world " * 500}
    assert message_tokens(thought) >= message_tokens(plain) + 1_000
    block = {"role": "user", "content": [{"type": "text", "text": "x", "context": "hello world " * 500}]}
    assert message_tokens(block) >= 1_000


def test_a_turn_cannot_have_less_than_nothing() -> None:
    with pytest.raises(ValueError, match="pass 0 or more"):
        TurnBudget(-1)
