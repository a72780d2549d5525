"""The labels of what Swift calls: they are part of the name of a function, and tell initializers apart.

https://docs.swift.org/swift-book/documentation/the-swift-programming-language/functions/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline_tools.languages.language import Labelled

_LONGEST = 4_000
"""Characters behind a name in which its list ends; of a longer one the labels are not known."""

NO_LABEL = "_"
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SKIPPED = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_BEFORE_LIST = re.compile(r"\s*(?:<[^(){}]*?>)?[?!]?\s*")
_DECLARED = re.compile(r"\s*(?:@\w+(?:\([^()]*\))?\s+)*`?([^\W\d]\w*)`?")
_GIVEN = re.compile(r"\s*`?([^\W\d]\w*)`?\s*:(?!:)")
_NAMES = re.compile(r"\s*(?:`?\w+`?:)+\s*")


def declared_labels(text: str) -> Sequence[Labelled] | None:
    """Return the labels of what a function takes, from the text behind its name; None where they are not known."""
    parts = _parts(text)
    return [_declared(part) for part in parts] if parts is not None else None


def given_labels(text: str) -> Sequence[Labelled] | None:
    """Return the labels that a call gives, from the text behind what it calls; None for no call.

    A closure behind the list has no label and may leave some out: it is optional here.
    """
    parts = _parts(text)
    if parts is None:
        begin = _BEFORE_LIST.match(text)
        closure = begin is not None and text[begin.end() : begin.end() + 1] == "{"
        return [Labelled(NO_LABEL, optional=True)] if closure else None
    if len(parts) == 1 and _NAMES.fullmatch(parts[0]):  # the whole name of a function: ``init(x:y:)``
        return [Labelled(name.strip("` "), optional=False) for name in parts[0].split(":")[:-1]]
    found = (_GIVEN.match(part) for part in parts)
    labels = [Labelled(label[1] if label is not None else NO_LABEL, optional=False) for label in found]
    behind = text[_end(text) :].lstrip(" \t")
    return [*labels, Labelled(NO_LABEL, optional=True)] if behind.startswith("{") else labels


def accepts(declared: Sequence[Labelled], given: Sequence[Labelled]) -> bool:
    """Tell whether a function can be called with some labels: those with a default may be left out.

    So may any before closures that stand behind the list, of which only the first has no label.
    """
    closure = bool(given) and given[-1].optional
    waiting = [one.label for one in (given[:-1] if closure else given)]
    for parameter in declared:
        if waiting and waiting[0] == parameter.label:
            waiting.pop(0)
            while parameter.repeated and waiting and waiting[0] == NO_LABEL:
                waiting.pop(0)
        elif not (parameter.optional or closure):
            return False
    return not waiting and (bool(declared) or not closure)


def _declared(part: str) -> Labelled:
    found = _DECLARED.match(part)
    repeated = "..." in part
    return Labelled(found[1] if found is not None else NO_LABEL, "=" in part or repeated, repeated)


def _parts(text: str) -> Sequence[str] | None:
    """Return the parts of the list in parentheses behind a name; None for none."""
    begin = _BEFORE_LIST.match(text)
    if begin is None or text[begin.end() : begin.end() + 1] != "(":
        return None
    start, parts = begin.end() + 1, list[str]()
    for at, sign, depth in _signs(text, begin.end()):
        if sign == "," and depth == 1:
            parts.append(text[start:at])
            start = at + 1
        elif not depth:
            last = text[start:at]
            return [*parts, last] if parts or last.strip() else []
    return None


def _end(text: str) -> int:
    """Return where the list behind a name ends."""
    begin = _BEFORE_LIST.match(text)
    found = (at for at, _, depth in _signs(text, begin.end() if begin is not None else 0) if not depth)
    return next(found, len(text)) + 1


def _signs(text: str, start: int) -> Iterator[tuple[int, str, int]]:
    """Yield brackets and commas with how many lists are open behind them, without those in strings and comments."""
    open_, at = list[str](), start
    while at < min(len(text), start + _LONGEST):
        sign = text[at]
        skipped = _SKIPPED.match(text, at) if sign in '"/' else None
        if skipped is not None:
            at = skipped.end()
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
