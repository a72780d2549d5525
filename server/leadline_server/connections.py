"""The connections of the HTTP server: how many there are, and how long one may take to send a request.

A connection that sends no complete headers for 10 seconds, or nothing more of a body, is closed. Where there are too
many, the one that has waited longest for a request gives way to the new one: who sends a request at once is served
however many others only hold their connections open.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from leadline_server.gate import has_token

HEADER_SECONDS = 10.0
"""Seconds for all headers of a request, and between two pieces of its body."""

BODY_SECONDS = 60.0
"""Seconds for a whole body."""

MOST_ANONYMOUS = 256
"""Connections of clients that have shown no token."""

_USUAL_DESCRIPTORS = 1_024
_SHARE = 2
"""Of the files that the process may open, connections may be one in so many."""

_SENDING = frozenset({h11.IDLE, h11.SEND_BODY})
"""States of a client that has not sent its request to the end."""


class ConnectionLimiter:
    """The connections that are open, those first that have been waiting for a request for longest."""

    def __init__(self, anonymous: int = MOST_ANONYMOUS, descriptors: int | None = None) -> None:
        self._most = (descriptors or _most_descriptors()) // _SHARE
        self._anonymous = min(anonymous, self._most)
        self._open: dict[Connection, None] = {}

    def enter(self, connection: Connection) -> bool:
        """Take a connection; close another one where there are too many. Return False where none can give way."""
        anonymous = [one for one in self._open if not one.has_token]
        if len(anonymous) >= self._anonymous or len(self._open) >= self._most:
            oldest = next((one for one in (*anonymous, *self._open) if one.is_waiting), None)
            if oldest is None:
                return False
            oldest.drop()
        self._open[connection] = None
        return True

    def leave(self, connection: Connection) -> None:
        """Forget a connection."""
        self._open.pop(connection, None)


def _most_descriptors() -> int:
    """Return how many files the process may open."""
    try:
        import resource
    except ImportError:  # Windows
        return _USUAL_DESCRIPTORS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if 0 < soft < 1 << 20 else 1 << 20


class Connection(H11Protocol):
    """One connection, with the limits above."""

    def __init__(self, *given: Any, limiter: ConnectionLimiter, **options: Any) -> None:
        super().__init__(*given, **options)
        self._limiter = limiter
        self._timer: asyncio.TimerHandle | None = None
        self._begun = 0.0

    @property
    def is_waiting(self) -> bool:
        """Return whether no request is under way whose answer is being made."""
        return self.cycle is None or self.cycle.response_complete or self.conn.their_state in _SENDING

    @property
    def has_token(self) -> bool:
        """Return whether a request over this connection has shown a token."""
        return getattr(self, "scope", None) is not None and has_token(self.scope)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, or close at once where there are too many connections."""
        super().connection_made(transport)
        if self._limiter.enter(self):
            self._wait()
        else:
            self.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._limiter.leave(self)
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what the client sends, and wait for the rest of a request."""
        before = self.conn.their_state
        super().data_received(data)
        after = self.conn.their_state
        if after not in _SENDING:
            self._stop()
        elif after is h11.SEND_BODY or before is not after or self._timer is None:
            self._wait()

    def drop(self) -> None:
        """Close the connection, whatever is under way."""
        self._stop()
        self._limiter.leave(self)
        self.transport.abort()

    def _wait(self) -> None:
        """Give the client some seconds for what is missing of its request."""
        now = self.loop.time()
        if self._timer is None:
            self._begun = now
        self._stop()
        left = min(HEADER_SECONDS, self._begun + BODY_SECONDS - now)
        self._timer = self.loop.call_later(max(0.0, left), self.drop)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
