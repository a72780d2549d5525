"""The calls of a page: read from requests, answered by the pipeline of all calls, ended if nobody waits any more."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
from starlette.requests import Request
from starlette.responses import Response

from leadline_server.call import Request as Question
from leadline_server.call import Session, stored_result
from leadline_server.call_runner import CallRunner
from leadline_server.errors import Busy
from leadline_server.gate import caller_teams, principal
from leadline_server.page.answers import composed_view, items_view, response_view
from leadline_server.page.wire import View, json_response, text_response
from leadline_tools.errors import LeadlineError

_LARGEST_CALL = 64 << 10
"""Bytes of a call from the page."""

_MOST_OFFSET = 10_000_000
_CLOSED = 499
"""The status of a response that nobody receives, as web servers log it."""

Made = TypeVar("Made")


class PageCalls:
    """Answers the calls of the pages of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._runner = CallRunner(session)

    async def call(self, request: Request) -> Response:
        """Make a call and return the text that a model would get, with the items of its complete result."""
        question = await _read_call(request)
        if isinstance(question, str):
            return json_response({"problem": question}, 400)
        return await self._respond(request, lambda: self._answer(request, question))

    async def preview(self, request: Request) -> Response:
        """Return what the answer with a stored result would be with another budget; no ledger counts it."""
        uri, tokens = request.query_params.get("uri", ""), _number(request.query_params.get("max_tokens"))
        owner = principal(request)

        async def view() -> View:
            composed = await self.run_for(request, lambda session: session.preview(uri, tokens, owner))
            return await self.run_for(request, lambda session: composed_view(session, composed))

        return await self._respond(request, view)

    async def items(self, request: Request) -> Response:
        """Return further items of a stored result."""
        uri, offset = request.query_params.get("uri", ""), _number(request.query_params.get("offset"))
        owner = principal(request)

        def view(session: Session) -> View:
            return items_view(session, stored_result(session, uri, owner)[1], None, offset)

        return await self._respond(request, lambda: self.run_for(request, view))

    async def run_for(self, request: Request, function: Callable[[Session], Made]) -> Made:
        """Run a function in a thread, among the other requests of who asks, with the session as they have it.

        Raises Busy, NothingVisible, and DatabaseError.
        """
        owner, teams = principal(request), caller_teams(request)
        return await self._runner.run(owner, lambda: function(self._session.visible_to(owner, teams)))

    async def _answer(self, request: Request, question: Question) -> View:
        response = await self._runner.answer(question)
        return await self.run_for(request, lambda session: response_view(session, response))

    async def _respond(self, request: Request, make: Callable[[], Awaitable[View]]) -> Response:
        """Return a response with a view; ends its work if the client closes the connection."""
        try:
            view = await until_closed(request, make)
        except Busy as busy:
            return json_response({"problem": f"{busy} {busy.hint}"}, 429)
        except LeadlineError as error:
            return json_response({"problem": f"{error} {error.hint}"}, 404)
        return text_response("The connection is closed.", _CLOSED) if view is None else json_response(view)


async def until_closed(request: Request, make: Callable[[], Awaitable[Made]]) -> Made | None:
    """Return what is made for a request, whose body has been read; None if the client closes the connection before."""
    made: list[Made] = []
    failures: list[Exception] = []
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        group.start_soon(watch)
        try:
            made.append(await make())
        except Exception as error:  # raised outside of the group, which would wrap it
            failures.append(error)
        group.cancel_scope.cancel()
    if failures:
        raise failures[0]
    return made[0] if made else None


def _number(text: str | None) -> int:
    return min(int(text), _MOST_OFFSET) if text and text.isascii() and text.isdecimal() and len(text) < 9 else 0


async def _read_call(request: Request) -> Question | str:
    """Return the call of a request, or what is wrong with it."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return "A call must be JSON."
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > _LARGEST_CALL:
            return f"A call from the page may have at most {_LARGEST_CALL:,} bytes."
    try:
        fields: Any = json.loads(body)
    except (ValueError, RecursionError):
        return "A call must be JSON."
    tool, arguments = (fields.get("tool"), fields.get("arguments")) if isinstance(fields, dict) else (None, None)
    if not isinstance(tool, str) or not isinstance(arguments, dict):
        return "A call must have a tool and arguments."
    if str(arguments.get("apply", "false")).lower() not in {"false", "0"}:
        return "This page cannot edit: omit apply."
    return Question(tool, arguments, principal(request), store=True, client="page", teams=caller_teams(request))
