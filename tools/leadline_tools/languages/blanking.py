"""Sources without the bodies of functions in which nothing is defined: most of a source, and of no use to an index.

What is blanked keeps its length and its lines, so that all that is left is at its place in the source. A language says
by one regular expression how its sources are read up to the next body, comments and strings as what they are, and by a
function what must not be in a body: what the outline would find there.

Such an expression never goes back into what it has read. It says so with atomic groups: to repeat a group possessively
means the same, but Python before 3.11.5 matches too much or too little by that, or never comes to an end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

_NOTHING = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
"""The table that translates text to spaces and leaves its lines."""

_SHORTEST = 32
"""Bytes of a body that is worth blanking."""

_DEEPEST = 6
"""Braces in braces: a body with more of them is entered, not blanked."""


@cache
def compiled(expression: bytes) -> re.Pattern[bytes]:
    """Return a regular expression, whose dot is any byte, compiled when it is first needed: these are long."""
    return re.compile(expression, re.DOTALL)


def blanked(
    content: bytes, next_body: bytes, defines: Callable[[re.Match[bytes]], bool], brackets: bytes = b"{}"
) -> bytes:
    """Return ``content`` with the bodies in which nothing is defined as brackets with nothing but lines in between.

    Args:
        content: The source.
        next_body: The expression of what is matched from a place outside of comments and strings up to the next body,
            its group ``body``; without that group up to a place from which to go on. No match ends the search.
        defines: From a match with a body: whether something in it may be a symbol, or its end is not sure.
        brackets: What is put at both ends of a body.

    """
    parts: list[bytes] = []
    done = at = 0
    match = compiled(next_body).match
    while (found := match(content, at)) is not None:
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


def braces(inert: bytes, marks: bytes) -> bytes:
    """Return the expression of what stands between two braces that belong together, to a depth that is not hostile.

    Args:
        inert: The expression of a comment or string: braces in it mean nothing.
        marks: What begins one of those, as the inside of a set of characters.

    """
    return nested(rb"\{", rb"[^{}%(marks)s]++|%(inert)s" % {b"marks": marks, b"inert": inert}, rb"\}")


def nested(opening: bytes, unit: bytes, closing: bytes) -> bytes:
    """Return the expression of brackets that belong together around the like and units, to the depth of ``braces``."""
    inside = unit
    for _ in range(_DEEPEST):
        inside = unit + rb"|" + opening + rb"(?>(?:" + inside + rb")*)" + closing
    return opening + rb"(?>(?:" + inside + rb")*)" + closing
