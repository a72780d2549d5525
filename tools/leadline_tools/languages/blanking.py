"""The bodies of functions in which nothing is defined: most of a source, and of no use to an index.

What is left out keeps its length and its lines, so that all that is left is at its place in the source. A language says
by one regular expression how its sources are read up to the next body, comments and strings as what they are, and by a
function what must not be in a body: what the outline would find there.

Such an expression never goes back into what it has read. It says so with atomic groups: to repeat a group possessively
means the same, but Python before 3.11.5 matches too much or too little by that, or never comes to an end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from leadline_tools.model import SymbolKind

_NOTHING = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
"""The table that translates text to spaces and leaves its lines."""

_SHORTEST = 32
"""Bytes of a body that is worth leaving out."""

_DEEPEST = 6
"""Braces in braces: a body with more of them is entered, not left out."""

Span = tuple[int, int]
"""A body with both of its brackets, or what stands for them, or whole lines, the last of them ended: byte offsets."""


class TextDefinition(NamedTuple):
    """A definition outside of all others that its text tells, so that no parser has to: byte offsets.

    ``doc`` is where the comment above begins, -1 for none; the name ends with ``name_end``, the signature, which begins
    with the definition itself, with ``signature_end``.
    """

    kind: SymbolKind
    doc: int
    start: int
    name: int
    name_end: int
    signature_end: int
    end: int


class Attribute(NamedTuple):
    """A member of its own object that a method gives a value to in a body that is left out: byte offsets."""

    name: int
    name_end: int
    end: int


class Bodies(NamedTuple):
    """What of a source is left out, in its order, the definitions and the attributes in that."""

    spans: Sequence[Span]
    definitions: Sequence[TextDefinition] = ()
    attributes: Sequence[Attribute] = ()


@cache
def compile_expression(expression: bytes) -> re.Pattern[bytes]:
    """Return a regular expression, whose dot is any byte, compiled when it is first needed: these are long."""
    return re.compile(expression, re.DOTALL)


def bodies(content: bytes, next_body: bytes, defines: Callable[[re.Match[bytes]], bool]) -> Bodies:
    """Return the bodies of a source in which nothing is defined.

    Args:
        content: The source.
        next_body: The expression of what is matched from a place outside of comments and strings up to the next body,
            its group ``body``; without that group up to a place from which to go on. No match ends the search.
        defines: From a match with a body: whether something in it may be a symbol, or its end is not sure.

    """
    spans: list[Span] = []
    at = 0
    match = compile_expression(next_body).match
    while (found := match(content, at)) is not None:
        start, end = found.span("body")
        if start < 0:
            at = found.end()
            continue
        end -= content.endswith(b"\r", start, end)
        if end - start < _SHORTEST or defines(found):
            at = start + 1
        else:
            spans.append((start, end))
            at = end
    return Bodies(spans)


def blank(text: bytes) -> bytes:
    """Return as many spaces, with the ends of lines where they are."""
    return text.translate(_NOTHING)


def braces(inert: bytes, marks: bytes) -> bytes:
    """Return the expression of what stands between two braces that belong together, to a depth that is not hostile.

    Args:
        inert: The expression of a comment or string: braces in it mean nothing.
        marks: What begins one of those, as the inside of a set of characters.

    """
    return nested_expression(rb"\{", rb"[^{}%(marks)s]++|%(inert)s" % {b"marks": marks, b"inert": inert}, rb"\}")


def nested_expression(opening: bytes, unit: bytes, closing: bytes) -> bytes:
    """Return the expression of brackets that belong together around the like and units, to the depth of ``braces``."""
    inside = unit
    for _ in range(_DEEPEST):
        inside = unit + rb"|" + opening + rb"(?>(?:" + inside + rb")*)" + closing
    return opening + rb"(?>(?:" + inside + rb")*)" + closing
