"""The server over HTTP: streamable HTTP at ``/mcp``, the older SSE at ``/sse``; the same gate guards both."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from functools import partial
from typing import Any, cast

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from leadline_server.connections import Connection, ConnectionLimiter
from leadline_server.errors import AddressTaken
from leadline_server.gate import Address, Gate
from leadline_server.outgoing import MASKED, Outgoing
from leadline_server.sessions import Sessions

LARGEST_BODY = 4 << 20
"""Bytes of a request, as both transports have it."""

IDLE_SECONDS = 30 * 60.0
"""Seconds after which a session ends that sends nothing and listens to nothing."""

MOST_SESSIONS = 1_000

_BACKLOG = 128
"""Connections that are accepted at once, before the first of them can be closed."""

_GRACE_SECONDS = 2
"""Seconds that requests under way have when the server ends."""


def application(
    server: Server[Any], address: Address, pages: Sequence[BaseRoute] = (), outgoing: Outgoing = MASKED
) -> ASGIApp:
    """Return the web application of an MCP server, and of pages beside it; all that it sends is ``outgoing``."""
    # The gate has looked at the headers already.
    security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    app = server.streamable_http_app(
        transport_security=security,
        host=address.host,
        stateless_http=address.stateless,
        max_request_body_size=LARGEST_BODY,
        session_idle_timeout=None if address.stateless else IDLE_SECONDS,
        max_sessions=MOST_SESSIONS,
    )
    sse = SseServerTransport("/messages/", security_settings=security, max_request_body_size=LARGEST_BODY)

    async def stream(request: Request) -> Response:
        async with sse.connect_sse(request.scope, request.receive, request._send) as streams:
            await server.run(streams[0], streams[1], server.create_initialization_options())
        return Response()

    if not address.stateless:  # this transport is nothing but a session
        app.router.routes.append(Route("/sse", endpoint=stream))
        app.router.routes.append(Mount("/messages/", app=sse.handle_post_message))
    app.router.routes.extend(pages)
    if address.identity is not None:
        from mcp.server.auth.routes import create_protected_resource_routes
        from pydantic import AnyHttpUrl

        app.router.routes.extend(
            create_protected_resource_routes(
                AnyHttpUrl(address.identity.audience), [AnyHttpUrl(address.identity.issuer)]
            )
        )
    return outgoing.application(Gate(Sessions(app, MOST_SESSIONS, LARGEST_BODY), address))


def listen(address: Address) -> socket.socket:
    """Return a socket that listens at an address; raises AddressTaken where that cannot be had."""
    try:
        family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
        listener = socket.create_server((address.host, address.port), family=family)
    except OSError as error:
        raise AddressTaken(address.host, address.port, error) from None
    # Its connections inherit this. asyncio sees to it only where a socket was made with the number of TCP, which this
    # one was not: the second packet of every answer would wait 40 ms for the client to confirm the first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def serve(
    server: Server[Any],
    address: Address,
    listener: socket.socket,
    pages: Sequence[BaseRoute] = (),
    outgoing: Outgoing = MASKED,
) -> None:
    """Serve until interrupted at the address that ``listener`` has."""
    config = uvicorn.Config(
        application(server, address, pages, outgoing),
        # Where it is installed, httptools would be used: it limits no header and keeps white space after its value.
        http=cast("type[asyncio.Protocol]", partial(Connection, limiter=ConnectionLimiter())),
        ws="none",
        access_log=False,
        backlog=_BACKLOG,
        log_config=None,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listener])
