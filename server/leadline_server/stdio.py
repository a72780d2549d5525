"""The client on standard input and output; it is answered even if it sends an invalid message, or one without end."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import BinaryIO, cast

import anyio
import anyio.to_thread
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


LONGEST_LINE = 16 << 20
"""Bytes of a line of the client; a longer one is skipped and refused. Over HTTP a body has at most 4 MiB."""

_SKIPPED_LINE = f"a line of more than {LONGEST_LINE >> 20} MiB"
"""Is put in the place of a line that is too long: it is no JSON, so it is answered with an error."""

_SKIPPED_BYTES = 1 << 20


class BoundedLines:
    """The lines of a stream, as text; a line that is too long is read to its end, a part at a time, and replaced."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[str]:
        """Yield the lines until the stream ends."""
        while line := await anyio.to_thread.run_sync(self.next_line):
            yield line

    def next_line(self) -> str:
        """Return the next line with its end; an empty text at the end of the stream."""
        line = self._stream.readline(LONGEST_LINE)
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            return line.decode("utf-8", "replace")
        del line
        while (part := self._stream.readline(_SKIPPED_BYTES)) and not part.endswith(b"\n"):
            pass
        return f"{_SKIPPED_LINE}\n"


def _take_input() -> BinaryIO:
    """Return standard input, and leave nothing to read in its place to handlers and children."""
    private = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    # A thread may still read when the server ends, so the descriptor is never closed.
    return os.fdopen(private, "rb", closefd=False)


@asynccontextmanager
async def stdio_client(outgoing: Outgoing) -> AsyncIterator[tuple[Incoming, Messages]]:
    """Return the streams of messages from and to the client, as the server expects them; ``outgoing`` masks keys."""
    lines = cast("anyio.AsyncFile[str]", BoundedLines(_take_input()))  # only its lines are read
    async with stdio_server(stdin=lines) as (read, write), anyio.create_task_group() as tasks:
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
        if first is not None and first["input"] == f"{_SKIPPED_LINE}\n":
            return types.ErrorData(code=types.INVALID_REQUEST, message=f"Invalid request: {_SKIPPED_LINE} is not read.")
        return None if blank else types.ErrorData(code=types.PARSE_ERROR, message="Parse error: the line is not JSON.")
    return types.ErrorData(code=types.INVALID_REQUEST, message="Invalid request: the line is not a JSON-RPC message.")
