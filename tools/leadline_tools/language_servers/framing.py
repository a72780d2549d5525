"""Messages of the base protocol of LSP 3.17: a header with the length of the content, and JSON-RPC 2.0 as UTF-8."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

LARGEST = 32 << 20
"""Bytes of a message that is read: the longest honest ones are lists of diagnostics."""

_LONGEST_HEADER = 4_096
_MOST_HEADERS = 16

Message = Mapping[str, Any]
"""A request, a notification or a response, as JSON has it."""


class Garbled(Exception):  # noqa: N818  what was read is at fault, not the reader
    """What a server says is no message."""


def framed(message: Message) -> bytes:
    """Return a message as it is sent."""
    content = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(content), content)


def read_message(stream: IO[bytes]) -> tuple[Message, int] | None:
    """Return the next message and how many bytes it has; None at the end. Raises Garbled, OSError and ValueError."""
    length = _length(stream)
    if length is None:
        return None
    content = stream.read(length)
    if len(content) < length:
        return None
    try:
        message = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Garbled("it sends invalid JSON") from error
    if not isinstance(message, dict):
        raise Garbled("it sends invalid messages")
    return message, length


def _length(stream: IO[bytes]) -> int | None:
    """Read a header up to its empty line; None at the end of the stream."""
    length = -1
    for _ in range(_MOST_HEADERS):
        line = stream.readline(_LONGEST_HEADER)
        if not line:
            return None
        name, _, value = line.strip().partition(b":")
        if not name and 0 <= length <= LARGEST:
            return length
        if name.lower() == b"content-length" and value.strip().isdigit():
            length = int(value)
    raise Garbled("it sends too much at once" if length > LARGEST else "it sends invalid messages")
