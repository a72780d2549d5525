"""The labels of what Swift calls: they are part of the name of a function, and tell initializers apart.

https://docs.swift.org/swift-book/documentation/the-swift-programming-language/functions/
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages.lexing import SWIFT
from leadline_tools.languages.lists import CALLED_TYPE_ARGUMENTS, TYPE_ARGUMENTS, before_list, end_of_list, list_parts
from leadline_tools.languages.rules.calls import Labelled
from leadline_tools.lazy_regex import lazy_compile

NO_LABEL = "_"
_DECLARED = lazy_compile(r"\s*(?:@\w+(?:\([^()]*\))?\s+)*`?([^\W\d]\w*)`?")
_GIVEN = lazy_compile(r"\s*`?([^\W\d]\w*)`?\s*:(?!:)")
_TOKEN = lazy_compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|//[^\n]*|[()\[\]{};]"
    r"|(?<![#.\w`])(?:catch|else|for|guard|if|switch|where|while)\b(?!\s*:)"
)
_OPENING = {")": "(", "]": "["}
_NAMES = lazy_compile(r"\s*(?:`?\w+`?:)+\s*")


def read_parameters(text: str) -> Sequence[Labelled] | None:
    """Return the labels of what a function takes, from the text after its name; None where they are not known."""
    parts = list_parts(text, SWIFT, TYPE_ARGUMENTS)
    return [_read_parameter(part) for part in parts] if parts is not None else None


def read_arguments(text: str) -> Sequence[Labelled] | None:
    """Return the labels that a call gives, from the text after what it calls; None for no call.

    A closure after the list has no label and may leave some out: it is optional here.
    """
    parts = list_parts(text, SWIFT, CALLED_TYPE_ARGUMENTS)
    if parts is None:
        begin = before_list(text)
        return [Labelled(NO_LABEL, optional=True)] if text[begin : begin + 1] == "{" else None
    if len(parts) == 1 and _NAMES.fullmatch(parts[0]):  # the whole name of a function: ``init(x:y:)``
        return [Labelled(name.strip("` "), optional=False) for name in parts[0].split(":")[:-1]]
    found = (_GIVEN.match(part) for part in parts)
    labels = [Labelled(label[1] if label is not None else NO_LABEL, optional=False) for label in found]
    after = text[end_of_list(text, SWIFT) :].lstrip(" \t")
    return [*labels, Labelled(NO_LABEL, optional=True)] if after.startswith("{") else labels


def ends_at_block(before: str) -> bool:
    """Return whether a call stands in the condition of a statement, outside of parentheses, from the text before it.

    No closure can stand after it there: the next brace begins the block of the statement.
    """
    closed: list[str] = []
    for token in reversed(list(_TOKEN.finditer(before))):
        sign = token[0]
        if sign in _OPENING:
            closed.append(_OPENING[sign])
        elif sign in "([":
            if not closed or closed.pop() != sign:
                return False  # in an argument, or in brackets
        elif sign in ("{", "}", ";", "else") and not closed:
            return False
        elif sign.isalpha() and not closed:
            return True
    return False


def accepts_arguments(declared: Sequence[Labelled], given: Sequence[Labelled]) -> bool:
    """Return whether a function can be called with some labels: those with a default may be left out.

    So may any before closures that stand after the list, of which only the first has no label.
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


def _read_parameter(part: str) -> Labelled:
    found = _DECLARED.match(part)
    repeated = "..." in part
    return Labelled(found[1] if found is not None else NO_LABEL, "=" in part or repeated, repeated)
