"""Frames between the server and its workers: length-prefixed messages, no pickles."""

from __future__ import annotations

import json
import os
import struct
from dataclasses import dataclass
from enum import StrEnum
from typing import IO, NamedTuple

from leadline_tools.index.text.source_text import Known, Source

_LENGTH = struct.Struct(">I")
_REPLY = struct.Struct(">IIIIII?dd")


class Operation(StrEnum):
    """What a worker does with a file."""

    Symbols = "symbols"
    Outline = "outline"
    Facts = "facts"
    Faults = "faults"
    Matches = "matches"
    Highlights = "highlights"


class TreeOrigin(NamedTuple):
    """What a tree is made from: the path of its root, its name, and the secret files that are ``allowed``."""

    root: str
    name: str = ""
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """Do one thing with some files of a tree; each may take ``deadline`` seconds.

    ``argument`` is what the operation needs besides a file: of ``Matches`` the pattern and the rewrite, as JSON;
    of ``Faults`` a text to look at in place of the file's; of ``Facts`` a name, of files without which in code there is
    nothing to know, with a dot before it for a member that strings may name too; of ``Highlights`` the first and the
    last line, as JSON. ``known`` is what is known of the text of each, None where nothing is. What is ``unhurried``
    leaves the processors to all other programs. Of a tree that is on no disk the ``contents`` are sent: the bytes of
    each file, or why it cannot be read.
    """

    operation: Operation
    deadline: float
    paths: tuple[str, ...]
    tree: TreeOrigin
    argument: str = ""
    known: tuple[Known | None, ...] = ()
    unhurried: bool = False
    contents: tuple[bytes | str, ...] | None = None


class Reply(NamedTuple):
    """What came of one file.

    ``names`` are the names defined in the file and the words for what it includes, one a line; ``included`` is what it
    includes as it is written, packed; ``related`` what it says of types and names in other files; ``payload`` is the
    packed symbols, or the outline, facts, faults, matches or highlights as JSON (of a pattern that cannot be used, a
    sentence that says why); ``error`` says why there is none, ``textual`` that its words say as much (of ``Facts``:
    that the name is in comments and strings alone). ``seconds`` are those of CPU that the worker took, and ``start``
    those it took before its first reply to start.
    A reply that is ``refused`` comes from no worker: nobody has looked at the file.
    """

    digest: bytes
    lines: int
    names: bytes
    payload: bytes
    error: str = ""
    textual: bool = False
    refused: bool = False
    included: bytes = b""
    related: bytes = b""
    seconds: float = 0.0
    start: float = 0.0

    @classmethod
    def of(cls, source: Source, names: bytes, payload: bytes, error: str = "") -> Reply:
        """Return the reply for a file that could be read."""
        return cls(source.digest, source.line_count, names, payload, error)


def write_request(stream: IO[bytes], request: Request) -> None:
    """Send a request."""
    paths = [os.fsencode(path).hex() for path in request.paths]
    known = [(one.digest.hex(), one.lines) if one is not None else None for one in request.known]
    tree = (os.fsencode(request.tree.root).hex(), request.tree.name, request.tree.allowed)
    sent = request.contents or ()
    sizes = None if request.contents is None else [one if isinstance(one, str) else len(one) for one in sent]
    parts = [request.operation, request.deadline, paths, tree, request.argument, known, request.unhurried, sizes]
    body = json.dumps(parts).encode()
    stream.write(_LENGTH.pack(len(body)) + body)
    for content in sent:
        if not isinstance(content, str):
            stream.write(content)
    stream.flush()


def read_request(stream: IO[bytes]) -> Request | None:
    """Receive a request; None where the stream has ended."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    body = json.loads(stream.read(_LENGTH.unpack(head)[0]))
    operation, deadline, given, origin, argument, told, unhurried, sizes = body
    tree = TreeOrigin(os.fsdecode(bytes.fromhex(origin[0])), origin[1], tuple(origin[2]))
    paths = tuple(os.fsdecode(bytes.fromhex(path)) for path in given)
    known = tuple(Known(bytes.fromhex(one[0]), one[1]) if one is not None else None for one in told)
    contents = None if sizes is None else tuple(one if isinstance(one, str) else stream.read(one) for one in sizes)
    return Request(Operation(operation), deadline, paths, tree, argument, known, unhurried, contents)


def write_reply(stream: IO[bytes], reply: Reply) -> None:
    """Send a reply."""
    error = reply.error.encode("utf-8", "replace")
    digest = reply.digest or bytes(16)
    parts = (error, reply.names, reply.included, reply.related, reply.payload)
    head = _REPLY.pack(reply.lines, *map(len, parts), reply.textual, reply.seconds, reply.start)
    stream.write(b"".join((digest, head, *parts)))
    stream.flush()


def read_reply(stream: IO[bytes]) -> Reply | None:
    """Receive a reply; None where the stream has ended, as that of a worker that died."""
    head = stream.read(16 + _REPLY.size)
    if len(head) < 16 + _REPLY.size:
        return None
    lines, *sizes, textual, seconds, start = _REPLY.unpack(head[16:])
    body = stream.read(sum(sizes))
    if len(body) < sum(sizes):
        return None
    at, parts = 0, list[bytes]()
    for size in sizes:
        parts.append(body[at : at + size])
        at += size
    error, names, included, related, payload = parts
    why = error.decode("utf-8", "replace")
    return Reply(head[:16], lines, names, payload, why, textual, False, included, related, seconds, start)
