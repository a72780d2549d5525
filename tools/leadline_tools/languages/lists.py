"""The lists in parentheses behind names, as text: what a function takes, what a call gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline_tools.languages.lexing import Lexis, spans
from leadline_tools.lazy_regex import lazy_compile

LONGEST_LIST = 4_000
"""Characters behind a name in which its list ends; of a longer one nothing is known."""

_CLOSING = {b"(": b")", b"[": b"]", b"{": b"}"}
_SIGN = lazy_compile(rb"[()\[\]{},<]")
_TYPES = rb"<(?:[\w\s.,:*?&@\[\]\x80-\xff]|<(?:[\w\s.,:*?&@\[\]\x80-\xff]|<[\w\s.,:*?&@\[\]\x80-\xff]*>)*>)*>"
_BEFORE_LIST = lazy_compile(rb"\s*(?:" + _TYPES + rb")?[?!]?\s*")
TYPE_ARGUMENTS = lazy_compile(_TYPES)
"""Type arguments in what declares types: a comma in them separates no parts of the list around."""

CALLED_TYPE_ARGUMENTS = lazy_compile(_TYPES + rb"(?=\s*[(.:?!])")
"""Type arguments in an expression, where what looks so may compare values: they stand before a call or a member."""


def list_parts(text: str, lexis: Lexis | None, types: re.Pattern[bytes]) -> Sequence[str] | None:
    """Return the parts of the list in parentheses behind a name; None for none.

    Args:
        text: What stands behind the name.
        lexis: What comments and strings look like, in which no sign counts; None where that is not known.
        types: What type arguments look like there.

    """
    begin = before_list(text)
    if text[begin : begin + 1] != "(":
        return None
    content = _content(text[begin:])
    start, parts = 2, list[str]()
    for at, sign, depth in _signs(content, lexis, types):
        if sign == b"," and depth == 1:
            parts.append(content[start:at].decode("utf-8", "replace"))
            start = at + 1
        elif not depth:
            last = content[start:at].decode("utf-8", "replace")
            return [*parts, last] if parts or last.strip() else []
    return None


def before_list(text: str) -> int:
    """Return where a list behind a name would begin, behind type arguments."""
    content = text[:LONGEST_LIST].encode("utf-8", "replace")
    begin = _BEFORE_LIST.match(content)
    return len(content[: begin.end()].decode("utf-8", "replace")) if begin is not None else 0


def end_of_list(text: str, lexis: Lexis | None) -> int:
    """Return where the list behind a name ends; the end of the text for one that is open there."""
    begin = before_list(text)
    content = _content(text[begin:])
    ends = (at for at, _, depth in _signs(content, lexis, TYPE_ARGUMENTS) if not depth)
    end = next(ends, None)
    return len(text) if end is None else begin + len(content[1 : end + 1].decode("utf-8", "replace"))


def _content(text: str) -> bytes:
    """Return the text in which signs are looked for, behind a line end: it does not begin a file."""
    return b"\n" + text[:LONGEST_LIST].encode("utf-8", "replace")


def _signs(content: bytes, lexis: Lexis | None, types: re.Pattern[bytes]) -> Iterator[tuple[int, bytes, int]]:
    """Yield brackets and commas in code with how many lists are open behind them, up to the end of the first list."""
    open_, behind_types = list[bytes](), 0
    for start, end in _code(content, lexis):
        for found in _SIGN.finditer(content, start, end):
            at, sign = found.start(), found[0]
            if at < behind_types:
                continue
            if sign == b"<":
                given = types.match(content, at)
                behind_types = given.end() if given is not None else 0
            elif sign in _CLOSING:
                open_.append(_CLOSING[sign])
            elif sign == b"," and open_:
                yield at, sign, len(open_)
            elif open_ and sign == open_[-1]:
                open_.pop()
                yield at, sign, len(open_)
                if not open_:
                    return


def _code(content: bytes, lexis: Lexis | None) -> Iterator[tuple[int, int]]:
    """Yield the stretches of code outside of comments and strings; code in a string is part of it."""
    at, inside = 1, 0
    for span in spans(content, lexis, at) if lexis is not None else ():
        if at < span.start and not inside:
            yield at, span.start
        inside += span.opens - span.closes
        at = max(at, span.end)
    if not inside:
        yield at, len(content)
