"""A model's server on loopback: the answers are scripted, the tokens of every request are counted, the window is kept.

It refuses as real servers do: a request that is too long in the words of one of them, and a conversation in which a
call is not answered by its result.
"""

from __future__ import annotations

import ast
import json
import re
import threading
import tomllib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from leadline_estimators import count
from talks import Message, opened

BODIES = tomllib.loads((Path(__file__).parent / "overflow_bodies.toml").read_text(encoding="utf-8"))["overflow"]

TORN = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
    " The following tool_call_ids did not have response messages: {}"
)
"""What OpenAI says of a call without its result."""

_ROLES_AND_ENDS = 4
"""Tokens of a message beside its content in the templates of open models; those of OpenAI take three."""


@dataclass(frozen=True)
class Call:
    """A call that the script makes."""

    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    text: str = ""
    """The arguments as they are written, where they are no JSON of the above."""


Step = str | Sequence[Call] | Callable[[list[Message]], str]
"""What the model does next: answers, calls tools, or answers from what it was sent."""


@dataclass(frozen=True)
class Refusal:
    """An answer of the server that has nothing to do with the script."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Seen:
    """A request: its body, its tokens, and how it was answered."""

    body: Mapping[str, Any]
    tokens: int
    status: int

    @property
    def messages(self) -> list[Message]:
        return list(self.body["messages"])


class Scripted:
    """The model.

    Args:
        window: Its window; what is sent and what may be answered have to fit.
        script: What it does, one step for each request that it accepts.
        words: The server in whose words a request is refused, and when they were seen.
        refusals: What is answered to the first requests instead.
        usage: Whether the answers tell what they used.
    """

    def __init__(
        self,
        window: int,
        script: Iterable[Step],
        words: tuple[str, str] = ("vllm", "vLLM 0.15, 2026-01"),
        refusals: Iterable[Refusal] = (),
        *,
        usage: bool = True,
    ) -> None:
        self.window = window
        self.seen: list[Seen] = []
        self._script = iter(script)
        self._words = next(body for body in BODIES if (body["server"], body["seen"]) == words)
        self._refusals = deque(refusals)
        self._usage = usage
        self._ids = 0

    @property
    def refused(self) -> list[Seen]:
        return [seen for seen in self.seen if seen.status >= 400]

    @property
    def accepted(self) -> list[Seen]:
        return [seen for seen in self.seen if seen.status < 400]

    def refuse(self, *refusals: Refusal) -> None:
        """Answer so to the next requests."""
        self._refusals.extend(refusals)

    def answer(self, body: Mapping[str, Any]) -> Refusal:
        """Return status, body and headers for a request."""
        tokens = request_tokens(body)
        longest = body.get("max_tokens", body.get("max_completion_tokens", 0))
        torn = opened([message for message in body["messages"] if message["role"] != "system"])
        refusal = self._refusals.popleft() if self._refusals else None
        if refusal is None and torn:
            refusal = Refusal(400, json.dumps({"error": {"message": TORN.format(", ".join(torn)), "code": 400}}))
        if refusal is None and tokens + longest > self.window:
            refusal = Refusal(400, overflow_body(self._words, self.window, tokens, longest))
        given = refusal or Refusal(200, json.dumps(self._reply(body, tokens)))
        self.seen.append(Seen(body, tokens, given.status))
        return given

    def _reply(self, body: Mapping[str, Any], tokens: int) -> dict[str, Any]:
        step = next(self._script)
        if isinstance(step, str) or callable(step):
            said = step if isinstance(step, str) else step(list(body["messages"]))
            message: dict[str, Any] = {"role": "assistant", "content": said}
            written = count(said)
        else:
            message = {"role": "assistant", "content": None, "tool_calls": [self._call(call) for call in step]}
            written = count(json.dumps(message["tool_calls"]))
        usage = {"usage": {"prompt_tokens": tokens, "completion_tokens": written}} if self._usage else {}
        ending = "tool_calls" if "tool_calls" in message else "stop"
        return {"object": "chat.completion", "choices": [{"message": message, "finish_reason": ending}], **usage}

    def _call(self, call: Call) -> dict[str, Any]:
        self._ids += 1
        written = call.text or json.dumps(call.arguments)
        return {"id": f"call_{self._ids}", "type": "function", "function": {"name": call.tool, "arguments": written}}


def request_tokens(body: Mapping[str, Any]) -> int:
    """Return what a request costs in o200k tokens: messages, tools and the beginning of the answer."""
    return 3 + sum(map(_message_tokens, body["messages"])) + sum(map(_schema_tokens, body.get("tools", ())))


def _message_tokens(message: Message) -> int:
    tokens = _ROLES_AND_ENDS + count(message["role"]) + count(message.get("content") or "")
    tokens += count(message.get("tool_call_id", ""))
    return tokens + sum(_ROLES_AND_ENDS + count(json.dumps(call)) for call in message.get("tool_calls") or ())


def _schema_tokens(schema: Mapping[str, Any]) -> int:
    return _ROLES_AND_ENDS + count(json.dumps(schema, ensure_ascii=False, separators=(",", ":")))


def overflow_body(words: Mapping[str, Any], window: int, sent: int, longest: int) -> str:
    """Return the body of a server's error with the numbers of this request in the place of its own."""
    body = str(words["text"]).removeprefix("Error code: 400 - ")
    numbers = {words.get("limit"): window, words.get("input"): sent, words.get("output"): longest}
    numbers[words["over"]] = sent + (longest if "output" in words or "input" not in words else 0) - window
    if "limit" in words:
        numbers[words["limit"] + words["over"]] = sent + longest
    told = re.sub(r"\d+", lambda found: str(numbers.get(int(found[0]), found[0])), body)
    return told if told.startswith('{"') else json.dumps(ast.literal_eval(told))


class _Handler(BaseHTTPRequestHandler):
    scripted: Scripted

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        given = self.scripted.answer(body)
        sent = given.body.encode()
        self.send_response(given.status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(sent)),
            **given.headers,
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the library's
        """Say nothing."""


@contextmanager
def served(scripted: Scripted) -> Iterator[str]:
    """Serve a scripted model on loopback; yield where its API begins."""
    handler = type("Handler", (_Handler,), {"scripted": scripted})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1"
        finally:
            server.shutdown()
            thread.join()
