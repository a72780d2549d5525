"""The page of a running server at ``/`` and what it fetches, guarded by the gate of the server.

Nothing here changes anything: the page reads, and makes calls that any client could make, except edits.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import anyio.to_thread
from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from leadline_estimators.tokenizer import count
from leadline_server.call import Request as Asked
from leadline_server.call import Session
from leadline_server.errors import Busy
from leadline_server.gate import principal
from leadline_server.ledger import RecordedCall
from leadline_server.page.document import read_asset
from leadline_server.page.live import ledger, live_page, state
from leadline_server.page.markup import Element, html
from leadline_server.page.treemap import Weight, treemap, weigh

_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_LARGEST_CALL = 64 << 10
"""Bytes of a call from the page."""

_AT_ONCE = 2
"""Requests of pages that are worked on at once: a person looks at one."""

_REST = 10
"""A tree that changes is weighed again after so many times the time that it took: 0.7 s for Linux."""

Made = TypeVar("Made")


def routes(session: Session) -> Sequence[Route]:
    """Return the routes of the page of a session."""
    page = _Page(session)
    return (
        Route("/", page.whole),
        Route("/page/map", page.map),
        Route("/page/state", page.state),
        Route("/page/ledger", page.ledger),
        Route("/page/call", page.call, methods=["POST"]),
        Route("/page/style.css", page.style),
        Route("/page/page.js", page.script),
    )


@dataclass(frozen=True, slots=True)
class _CachedWeight:
    """A weight of the tree, the state that it is of, and until when it does whatever happens."""

    weight: Weight
    state: str
    until: float


class _Page:
    """What answers the requests of a page."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._limiter = CapacityLimiter(_AT_ONCE)
        self._cached_weight: _CachedWeight | None = None

    async def whole(self, request: Request) -> Response:
        """Return the page, with the map of the folder that the query names."""
        calls = self._calls(request)

        def made() -> str:
            return live_page(self._session, self._map(_folder_path(request)), calls)

        return await self._respond(made)

    async def map(self, request: Request) -> Response:
        """Return the map of a folder."""
        return await self._respond(lambda: html(self._map(_folder_path(request))))

    async def state(self, _request: Request) -> Response:
        """Return how far the index is."""
        return await self._respond(lambda: html(state(self._session)))

    async def ledger(self, request: Request) -> Response:
        """Return the last calls."""
        calls = self._calls(request)
        return await self._respond(lambda: html(ledger(self._session, calls)))

    async def call(self, request: Request) -> Response:
        """Make a call and return the very text that a model would get."""
        asked = await _read_call(request)
        if isinstance(asked, str):
            return JSONResponse({"error": asked}, 400, _HEADERS)
        try:
            with self._session.load.call(asked.principal):
                response = await self._in_thread(lambda: self._session.call(asked))
        except Busy as busy:
            return JSONResponse({"error": f"{busy} {busy.hint}"}, 429, _HEADERS)
        answer = {"text": response.text, "is_error": response.is_error, "tokens": count(response.text)}
        return JSONResponse(answer, headers=dict(_HEADERS))

    async def style(self, _request: Request) -> Response:
        """Return the style."""
        return Response(read_asset("style.css"), headers=dict(_HEADERS), media_type="text/css")

    async def script(self, _request: Request) -> Response:
        """Return the script."""
        return Response(read_asset("page.js"), headers=dict(_HEADERS), media_type="text/javascript")

    async def _respond(self, made: Callable[[], str]) -> Response:
        try:
            return HTMLResponse(await self._in_thread(made), headers=dict(_HEADERS))
        except LookupError:
            return PlainTextResponse("There is no such folder.", 404, dict(_HEADERS))

    async def _in_thread(self, function: Callable[[], Made]) -> Made:
        return await anyio.to_thread.run_sync(function, limiter=self._limiter)

    def _calls(self, request: Request) -> Sequence[RecordedCall]:
        """Return the calls that who asks may see: with tokens their own, else all of this machine's."""
        asking = principal(request)
        return self._session.ledger.recent(asking if asking.startswith("token ") else None)

    def _map(self, path: str) -> Element:
        return treemap(self._weight(), path)

    def _weight(self) -> Weight:
        """Return the weight of the tree, weighed again where it has changed, but not at every request."""
        index = self._session.index
        index.refresh()
        state = f"{index.files.state}:{index.coverage().texts}"
        now = time.monotonic()
        if self._cached_weight is None or (self._cached_weight.state != state and now >= self._cached_weight.until):
            weight = weigh(index, self._session.prices)
            end = time.monotonic()
            self._cached_weight = _CachedWeight(weight, state, end + _REST * (end - now))
        return self._cached_weight.weight


def _folder_path(request: Request) -> str:
    return request.query_params.get("path", "").strip("/")


async def _read_call(request: Request) -> Asked | str:
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
    return Asked(tool, arguments, principal(request), client="page")
