"""The sessions of the HTTP server: which there are, which requests of them are under way, and which give way.

The SDK keeps sessions by their ids. Here it is known besides whose a request is: a session counts only where the server
has opened it, under one spelling of its id. Of two requests under way in a session that have the same number the second
is refused, since only one could be answered. Where there are as many sessions as the server keeps, the one that was
used longest ago ends for a new one, but none that has a request or a stream open.
"""

from __future__ import annotations

import json
import uuid
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leadline_server.gate import SESSION

_ID = "mcp-session-id"
_PATH = "/mcp"
_MESSAGES = "/messages"

_INVALID_REQUEST = -32600
_NO_MESSAGE = "Invalid request: the body is not a JSON-RPC message."
_IN_USE = "A request with this id is under way in this session. Wait for its answer, or give each request its own id."


@dataclass
class _Session:
    """A session that is open: who opened it, and the requests of it that are under way."""

    user: Any
    under_way: int = 0
    ids: set[str] = field(default_factory=set[str])


class Sessions:
    """A web application that knows the sessions of another one."""

    def __init__(self, app: ASGIApp, most: int, largest_body: int) -> None:
        self._app = app
        self._most = most
        self._largest_body = largest_body
        self._open: OrderedDict[str, _Session] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"].startswith(_MESSAGES):
            scope[SESSION] = _canonical(scope)
            # The transport would write an id that is none to the log; what is too large it refuses before.
            is_known = scope[SESSION] or _declared_size(scope) > self._largest_body
            answer = self._app if is_known else PlainTextResponse("This is not the id of a session.", 400)
            await answer(scope, receive, send)
        elif scope["path"] == _PATH:
            await self._handle(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = Headers(scope=scope).get(_ID, "")
        session = self._open.get(name)
        if session is None or session.user != _user(scope):
            await self._handle_new(scope, receive, send)
            return
        scope[SESSION] = name
        self._open.move_to_end(name)
        session.under_way += 1
        try:
            if scope["method"] == "POST":
                await self._post(session, scope, receive, send)
            else:
                await self._app(_without_event_id(scope), receive, self._watched(name, scope, send))
        finally:
            session.under_way -= 1

    async def _handle_new(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is of no session, and note the one that it opens."""
        if scope["method"] == "POST" and _declared_size(scope) <= self._largest_body:
            read = await self._read(receive)
            if not _may_be_message(_parse(read)):
                await _refuse(_NO_MESSAGE, scope, receive, send)
                return
            receive = _replayed(read, receive)
        if scope["method"] == "POST" and len(self._open) >= self._most:
            await self._end_oldest(scope)

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                opened = MutableHeaders(raw=message.get("headers", [])).get(_ID)
                if opened and message["status"] < 400:
                    self._open[opened] = _Session(_user(scope))
            await send(message)

        await self._app(scope, receive, watched)

    def _watched(self, name: str, scope: Scope, send: Send) -> Send:
        """Return what sends an answer, and forgets a session that it says has ended."""

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                ended = scope["method"] == "DELETE" and message["status"] < 300
                if ended or message["status"] == 404:
                    self._open.pop(name, None)
            await send(message)

        return watched

    async def _post(self, session: _Session, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a message, unless it is a request with the number of one under way."""
        read = await self._read(receive)
        message = _parse(read)
        if not _may_be_message(message):
            await _refuse(_NO_MESSAGE, scope, receive, send)
            return
        number = _number(message)
        if number is not None and number in session.ids:
            await _refuse(_IN_USE, scope, receive, send)
            return
        if number is not None:
            session.ids.add(number)
        try:
            await self._app(scope, _replayed(read, receive), self._watched(scope[SESSION], scope, send))
        finally:
            session.ids.discard(number or "")

    async def _read(self, receive: Receive) -> list[Message]:
        """Return the messages of a body, as far as it is not too large."""
        read: list[Message] = []
        size = 0
        while True:
            message = await receive()
            read.append(message)
            size += len(message.get("body", b""))
            if message["type"] != "http.request" or not message.get("more_body") or size > self._largest_body:
                return read

    async def _end_oldest(self, scope: Scope) -> None:
        """End the session that was used longest ago, if one has nothing under way."""
        name = next((name for name, session in self._open.items() if not session.under_way), None)
        if name is None:
            return
        session = self._open.pop(name)
        headers = [
            (key, value)
            for key, value in scope["headers"]
            if key not in {b"content-length", b"content-type", b"transfer-encoding", _ID.encode()}
        ]
        ended = {**scope, "method": "DELETE", "headers": [*headers, (_ID.encode(), name.encode())], "state": {}}
        ended.pop("user", None)
        if session.user is not None:
            ended["user"] = session.user

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            del message

        await self._app(ended, receive, send)


def _declared_size(scope: Scope) -> int:
    """Return how many bytes a request says that its body has; 0 where it does not say."""
    value = Headers(scope=scope).get("content-length", "")
    return int(value) if value.isdecimal() and len(value) < 19 else 0


def _without_event_id(scope: Scope) -> Scope:
    """Return a request for a stream as one for a new stream: none can be resumed, and the SDK has no answer to that."""
    return {**scope, "headers": [(key, value) for key, value in scope["headers"] if key != b"last-event-id"]}


def _user(scope: Scope) -> Any:
    return scope.get("user")


def _canonical(scope: Scope) -> str:
    """Return the one spelling of the id of a session of the older transport; empty for what is no id."""
    values = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("session_id", [])
    try:
        return uuid.UUID(hex=values[0]).hex if len(values) == 1 else ""
    except ValueError:
        return ""


def _parse(read: list[Message]) -> Any:
    """Return what a body holds as JSON; None for what is no JSON, which the SDK refuses in few words."""
    try:
        return json.loads(b"".join(part.get("body", b"") for part in read))
    except (ValueError, RecursionError):
        return None


def _may_be_message(value: Any) -> bool:
    """Return whether JSON has the shape of a message: of other JSON the SDK lists what each kind of message lacks."""
    if not isinstance(value, dict):
        return value is None
    return value.get("jsonrpc") == "2.0" and (
        isinstance(value.get("method"), str) or "result" in value or "error" in value
    )


def _number(value: Any) -> str | None:
    """Return the id of a request, as JSON has it; None for what is no request."""
    if not isinstance(value, dict) or "method" not in value or not isinstance(value.get("id"), str | int):
        return None
    return json.dumps(value["id"])


async def _refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    error = {"code": _INVALID_REQUEST, "message": reason}
    await JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, 400)(scope, receive, send)


def _replayed(read: list[Message], receive: Receive) -> Receive:
    """Return what gives the messages that were read, then those that follow."""
    left = read[::-1]

    async def replay() -> Message:
        return left.pop() if left else await receive()

    return replay
