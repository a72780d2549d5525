"""The server over HTTP: streamable HTTP at ``/mcp``, the older SSE at ``/sse``, both behind the same checks."""

from __future__ import annotations

import contextlib
import socket
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from leadline_server.errors import AddressTaken

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def security(host: str, port: int) -> TransportSecuritySettings:
    """Return the Host and Origin headers that are accepted: those of this very address."""
    names = sorted({"127.0.0.1", "localhost", "[::1]"} if host in LOOPBACK else {host})
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[f"{name}:{port}" for name in names],
        allowed_origins=[f"http://{name}:{port}" for name in names],
    )


def application(server: Server[Any], host: str, port: int) -> Starlette:
    """Return the web application of an MCP server."""
    settings = security(host, port)
    app = server.streamable_http_app(transport_security=settings, host=host)
    sse = SseServerTransport("/messages/", security_settings=settings)

    async def stream(request: Request) -> Response:
        with contextlib.suppress(ValueError):  # a request that the checks refused is answered already
            async with sse.connect_sse(request.scope, request.receive, request._send) as streams:
                await server.run(streams[0], streams[1], server.create_initialization_options())
        return Response()

    app.router.routes.append(Route("/sse", endpoint=stream))
    app.router.routes.append(Mount("/messages/", app=sse.handle_post_message))
    return app


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; raises AddressTaken where that cannot be had."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise AddressTaken(host, port, error) from None


def serve(server: Server[Any], host: str, port: int, listener: socket.socket) -> None:
    """Serve until interrupted at the address that ``listener`` has."""
    config = uvicorn.Config(application(server, host, port), log_level="warning", timeout_graceful_shutdown=2)
    uvicorn.Server(config).run(sockets=[listener])
