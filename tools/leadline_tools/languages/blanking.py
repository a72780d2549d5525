"""Sources without the bodies of functions in which nothing is defined: most of a source, and of no use to an index.

What is blanked keeps its length and its lines, so that all that is left is at its place in the source. A language says
by one regular expression how its sources are read up to the next body, comments and strings as what they are, and by a
function what must not be in a body: what the outline would find there.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Point, Range

_NOTHING = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
"""The table that translates text to spaces and leaves its lines."""

_SHORTEST = 32
"""Bytes of a body that is worth blanking."""

_GAP = re.compile(rb"(?<=[({]\s)\s{32,}+(?=[)}])")
"""White space that fills a pair of brackets: it means nothing in any language, and a parser walks it byte by byte."""

_END = 0xFFFF_FFFF


def blanked(
    content: bytes, next_body: re.Pattern[bytes], defines: Callable[[re.Match[bytes]], bool], brackets: bytes = b"{}"
) -> bytes:
    """Return ``content`` with the bodies in which nothing is defined as brackets with nothing but lines in between.

    Args:
        content: The source.
        next_body: What is matched from a place outside of comments and strings up to the next body, its group
            ``body``; without that group up to a place from which to go on. No match ends the search.
        defines: From a match with a body: whether something in it may be a symbol, or its end is not sure.
        brackets: What is put at both ends of a body.

    """
    parts: list[bytes] = []
    done = at = 0
    while (found := next_body.match(content, at)) is not None:
        start, end = found.span("body")
        if start < 0:
            at = found.end()
            continue
        end -= content.endswith(b"\r", start, end)
        if end - start < _SHORTEST or defines(found):
            at = start + 1
        else:
            parts += (content[done:start], brackets[:1], content[start + 1 : end - 1].translate(_NOTHING), brackets[1:])
            done = at = end
    return b"".join((*parts, content[done:])) if parts else content


def ranges(content: bytes) -> list[Range]:
    """Return what of a blanked source a parser has to read: all but the white space that fills brackets."""
    found: list[Range] = []
    read, begin, row, line = Point(0, 0), 0, 0, 0
    for gap in _GAP.finditer(content):
        place = begin
        points: list[Point] = []
        for next_place in gap.span():
            row += content.count(b"\n", place, next_place)
            line = content.rfind(b"\n", place, next_place) + 1 or line
            points.append(Point(row, next_place - line))
            place = next_place
        found.append(Range(read, points[0], begin, gap.start()))
        begin, read = place, points[1]
    found.append(Range(read, Point(_END, _END), begin, _END))
    return found
