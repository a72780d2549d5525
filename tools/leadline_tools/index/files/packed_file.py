"""A file as bytes, without its path: 45 of them, a fourth of what an object with its numbers takes."""

from __future__ import annotations

import struct

from leadline_tools.index.files.file import NO_DIGEST, File

ROW = struct.Struct("<qqqiB16s")
SEEN = struct.Struct("<qq")
LISTED = struct.Struct("<q16xiB16s")
"""A file as bytes; what they begin with, its size and its time; and what is told of it in a list."""

TIME_AT, ID_AT, DONE_AT = 8, 16, 28
"""Where a file as bytes has its time, its row, and what is done of it."""


def pack(file: File) -> bytes:
    """Return a file as bytes."""
    return ROW.pack(file.size, file.changed_ns, file.id, file.lines, file.done, file.digest or NO_DIGEST)


def row_number(packed: bytes) -> int:
    """Return the row of a file in the database."""
    return int.from_bytes(packed[ID_AT : ID_AT + 8], "little", signed=True)
