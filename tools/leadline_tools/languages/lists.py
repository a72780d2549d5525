"""The lists in parentheses behind names, as text: what a function takes, what a call gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_LONGEST = 4_000
"""Characters behind a name in which its list ends; of a longer one nothing is known."""

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SKIPPED = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_MAY_BE_SKIPPED = frozenset("\"'/<")
_BEFORE_LIST = re.compile(r"\s*(?:<[^(){}]*?>)?[?!]?\s*")


def list_parts(text: str, skipped: re.Pattern[str] = _SKIPPED) -> Sequence[str] | None:
    """Return the parts of the list in parentheses behind a name, whole with what is ``skipped``; None for none."""
    begin = before_list(text)
    if text[begin : begin + 1] != "(":
        return None
    start, parts = begin + 1, list[str]()
    for at, sign, depth in _signs(text, begin, skipped):
        if sign == "," and depth == 1:
            parts.append(text[start:at])
            start = at + 1
        elif not depth:
            last = text[start:at]
            return [*parts, last] if parts or last.strip() else []
    return None


def before_list(text: str) -> int:
    """Return where a list behind a name would begin, behind type arguments."""
    begin = _BEFORE_LIST.match(text)
    return begin.end() if begin is not None else 0


def end_of_list(text: str) -> int:
    """Return where the list behind a name ends."""
    return next((at for at, _, depth in _signs(text, before_list(text), _SKIPPED) if not depth), len(text)) + 1


def _signs(text: str, start: int, skipped: re.Pattern[str]) -> Iterator[tuple[int, str, int]]:
    """Yield brackets and commas with how many lists are open behind them, without those in what is skipped."""
    open_, at = list[str](), start
    while at < min(len(text), start + _LONGEST):
        sign = text[at]
        found = skipped.match(text, at) if sign in _MAY_BE_SKIPPED else None
        if found is not None:
            at = found.end()
            continue
        if sign in _CLOSING:
            open_.append(_CLOSING[sign])
        elif open_ and sign == open_[-1]:
            open_.pop()
            yield at, sign, len(open_)
            if not open_:
                return
        elif sign == ",":
            yield at, sign, len(open_)
        at += 1
