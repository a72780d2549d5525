"""A model behind OpenAI's chat completions, which vLLM, Ollama, llama.cpp and many others speak too."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import httpx2

from leadline_estimators import Message, Usage, usage_of

Schema = Mapping[str, Any]
"""A tool as a request declares it."""

_TIMEOUT = 600.0
"""Seconds; a model on the own machine may take minutes to read a long prompt."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that a model wants to be made.

    Args:
        id: What its result is to name.
        name: The tool.
        arguments: JSON, as the model wrote it: not always valid.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Args:
        text: What it says; empty if it only calls tools.
        calls: The tools that it calls.
        usage: What the request used; None where the server does not tell.
        cut: Whether the answer ended only because it became too long.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    cut: bool = False

    @property
    def message(self) -> Message:
        """Return the reply as a message of the conversation."""
        if not self.calls:
            return {"role": "assistant", "content": self.text}
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in self.calls
        ]
        return {"role": "assistant", "content": self.text or None, "tool_calls": calls}


class EndpointError(Exception):
    """A request that was refused.

    Clients of OpenAI word it so, and carry the response: whoever reads their errors can read this one.
    """

    def __init__(self, response: httpx2.Response) -> None:
        super().__init__(f"Error code: {response.status_code} - {response.text}")
        self.response = response


class Endpoint:
    """The model, one request after the other.

    Args:
        url: Where its API begins, such as ``http://localhost:8000/v1``.
        model: The name by which the server knows it.
        key: The key of the API; empty for none.
    """

    def __init__(self, url: str, model: str, key: str = "") -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._http = httpx2.AsyncClient(base_url=url, headers=headers, timeout=_TIMEOUT)
        self._model = model
        self._limit = "max_tokens"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def complete(
        self, messages: Sequence[Message], tools: Sequence[Schema], longest: int, *, may_call: bool = True
    ) -> Reply:
        """Return the model's next message.

        Args:
            messages: The conversation, system prompt first.
            tools: The tools that it may call.
            longest: The most tokens that it may write.
            may_call: False where it has to answer in words now.

        Raises:
            EndpointError: The server refused the request.
            httpx2.TransportError: There is no server, or none that answers.
        """
        asked: dict[str, Any] = {"model": self._model, "messages": messages, self._limit: longest}
        if tools:
            asked["tools"] = tools
            asked["tool_choice"] = "auto" if may_call else "none"
        response = await self._http.post("chat/completions", json=asked)
        if self._is_other_name_wanted(response):
            return await self.complete(messages, tools, longest, may_call=may_call)
        return _reply(response)

    def _is_other_name_wanted(self, response: httpx2.Response) -> bool:
        """Tell whether the limit was refused for its name: OpenAI's newer models have another than all others."""
        refused = response.status_code == 400 and "unsupported_parameter" in response.text
        if not refused or self._limit != "max_tokens" or "max_completion_tokens" not in response.text:
            return False
        self._limit = "max_completion_tokens"
        return True


def _reply(response: httpx2.Response) -> Reply:
    """Read an answer; some servers send an error with status 200."""
    try:
        body = response.raise_for_status().json()
        choice = body["choices"][0]
        said = choice["message"]
    except (httpx2.HTTPStatusError, json.JSONDecodeError, LookupError, TypeError):
        raise EndpointError(response) from None
    calls = [
        ToolCall(call["id"], call["function"]["name"], call["function"].get("arguments") or "{}")
        for call in said.get("tool_calls") or ()
    ]
    usage = usage_of(body["usage"]) if body.get("usage") else None
    return Reply(said.get("content") or "", tuple(calls), usage, choice.get("finish_reason") == "length")
