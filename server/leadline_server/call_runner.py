"""The running calls of a session, of all its clients: in threads, counted, and cancelled."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import TypeVar

from leadline_server.call import Request, Response, Session, error_response
from leadline_server.errors import Busy, Fault
from leadline_server.logs import record_fields
from leadline_server.memory import FreeMemory
from leadline_tools.cancellation import Cancelled

log = logging.getLogger("leadline.calls")

_OTHERS = ""
"""What stands for the tool of a call that is none of a known tool."""

Returned = TypeVar("Returned")


class CallRunner:
    """Runs the calls of a session, in the event loop that awaits them."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._load = session.load
        self._free_memory = FreeMemory()
        self._scheduler = session.scheduler
        session.counts.waiting = self._scheduler.count_waiting

    async def answer(
        self,
        request: Request,
        meanwhile: AbstractAsyncContextManager[None] | None = None,
        call: Callable[[Request], Response] | None = None,
    ) -> Response:
        """Answer a request; a mistake of the caller becomes an error response.

        Args:
            request: The request.
            meanwhile: A context to hold open while the request is answered.
            call: What answers it; the session's own ``call`` unless given.

        """
        start = time.monotonic()
        task = partial(self._answer_safely, request, call or self._session.call)
        try:
            with self._load.call(request.principal):
                async with meanwhile or nullcontext():
                    tool = request.tool if request.tool in self._session.tools else _OTHERS
                    response = await self._scheduler.run(request.principal, tool, task)
        except Busy as error:
            response = error_response(error, request)
        self._note(request.tool, response, time.monotonic() - start)
        return response

    async def run(self, principal: str, function: Callable[[], Returned]) -> Returned:
        """Run a function that is no call of a tool among them; raises Busy where there is too much to do."""
        with self._load.call(principal):
            return await self._scheduler.run(principal, _OTHERS, function)

    def _answer_safely(self, request: Request, call: Callable[[Request], Response]) -> Response:
        """Answer a request; an internal error becomes a response too, and its location is logged."""
        try:
            return call(request)
        except Cancelled:
            raise
        except Exception as error:
            tool = request.tool if request.tool in self._session.tools else "unknown"
            log.exception("a call failed with an internal error", extra=record_fields(tool=tool))
            return error_response(Fault(tool, error), request)
        finally:
            self._free_memory.trim()

    def _note(self, name: str, response: Response, seconds: float) -> None:
        """Note a call in the log; a name that is no tool's is the caller's text, and stays out of it."""
        tool = name if name in self._session.tools else "unknown"
        fields = record_fields(
            tool=tool, error=response.is_error, characters=len(response.text), ms=round(seconds * 1000)
        )
        log.info("call", extra=fields)
