"""The client on standard input and output; it is answered even if it sends an invalid message."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import mcp_types as types
from mcp.server.stdio import stdio_server
from mcp.shared._context_streams import ContextReceiveStream, ContextSendStream, create_context_streams
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from leadline_server.outgoing import Outgoing

Incoming = ContextReceiveStream[SessionMessage | Exception]
Messages = ContextSendStream[SessionMessage]

_NO_JSON = "json_invalid"
"""What pydantic calls a text that is no JSON."""


@asynccontextmanager
async def stdio_client(outgoing: Outgoing) -> AsyncIterator[tuple[Incoming, Messages]]:
    """Return the streams of messages from and to the client, as the server expects them; ``outgoing`` masks keys."""
    async with stdio_server() as (read, write), anyio.create_task_group() as tasks:
        incoming, received = create_context_streams[SessionMessage | Exception](0)
        sent, sending = create_context_streams[SessionMessage](0)
        tasks.start_soon(_forward, read, incoming, write)
        tasks.start_soon(_send, sending, write, outgoing)
        yield received, sent
        tasks.cancel_scope.cancel()


async def _send(sending: ContextReceiveStream[SessionMessage], write: Messages, outgoing: Outgoing) -> None:
    """Forward messages to the client, with keys masked."""
    async with sending, write:
        async for message in sending:
            content = message.message
            if isinstance(content, types.JSONRPCResponse):
                content = content.model_copy(update={"result": outgoing.value(content.result)})
            elif isinstance(content, types.JSONRPCError):
                error = content.error
                masked = {"message": outgoing.text(error.message), "data": outgoing.value(error.data)}
                content = content.model_copy(update={"error": error.model_copy(update=masked)})
            elif content.params:
                content = content.model_copy(update={"params": outgoing.value(content.params)})
            await write.send(SessionMessage(content, message.metadata))


async def _forward(read: Incoming, incoming: ContextSendStream[SessionMessage | Exception], write: Messages) -> None:
    """Forward messages; answer invalid lines with an error, as JSON-RPC requires."""
    async with incoming:
        async for message in read:
            received_message = _repair(message) if isinstance(message, ValidationError) else message
            if not isinstance(received_message, Exception):
                await incoming.send(received_message)
            elif (error := _error(received_message)) is not None:
                await write.send(SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=error)))


def _repair(problem: ValidationError) -> SessionMessage | ValidationError:
    """Return the message of a line whose texts no UTF-8 can hold (lone surrogates), with those replaced.

    JavaScript writes such texts, and a client whose request is not answered under its number waits for long.
    """
    line = problem.errors(include_url=False)[0]["input"]
    if not isinstance(line, str) or "\\ud" not in line.lower():
        return problem
    try:
        repaired = json.dumps(json.loads(line), ensure_ascii=False).encode("utf-8", "replace")
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(repaired, by_name=False))
    except (ValueError, RecursionError):
        return problem


def _error(problem: Exception) -> types.ErrorData | None:
    """Return what is wrong with a line; None for one that is blank."""
    first = problem.errors(include_url=False)[0] if isinstance(problem, ValidationError) else None
    if first is None or first["type"] == _NO_JSON:
        blank = first is not None and isinstance(first["input"], str) and not first["input"].strip()
        return None if blank else types.ErrorData(code=types.PARSE_ERROR, message="Parse error: the line is not JSON.")
    return types.ErrorData(code=types.INVALID_REQUEST, message="Invalid request: the line is not a JSON-RPC message.")
