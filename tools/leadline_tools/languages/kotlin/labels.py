"""Labels of the constructors of Kotlin: what they take and are given, by number and name.

https://kotlinlang.org/docs/functions.html#function-arguments
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.languages.lexing import KOTLIN
from leadline_tools.languages.lists import CALLED_TYPE_ARGUMENTS, TYPE_ARGUMENTS, before_list, end_of_list, list_parts
from leadline_tools.languages.rules.calls import Labelled
from leadline_tools.lazy_regex import lazy_compile

_NO_NAME = "_"
_DECLARED = lazy_compile(r"(?:[^:]*[\s@)])?`?([^\W\d]\w*)`?\s*:")
_GIVEN = lazy_compile(r"\s*`?([^\W\d]\w*)`?\s*=(?!=)")


def read_parameters(text: str) -> Sequence[Labelled] | None:
    """Return the names of what a constructor takes, from the text after its name; None for a list that is too long."""
    parts = list_parts(text, KOTLIN, TYPE_ARGUMENTS)
    if parts is None:
        return None if text[before_list(text) :][:1] == "(" else []
    return [_read_parameter(part) for part in parts if part.strip()]


def read_arguments(text: str) -> Sequence[Labelled] | None:
    """Return the names of what a call gives, from the text after what it calls; None for no call."""
    parts = list_parts(text, KOTLIN, CALLED_TYPE_ARGUMENTS)
    if parts is None:
        return [Labelled(_NO_NAME, optional=False)] if text[before_list(text) :][:1] == "{" else None
    names = (_GIVEN.match(part) for part in parts if part.strip())
    found = [Labelled(name[1] if name is not None else _NO_NAME, optional=False) for name in names]
    after = text[end_of_list(text, KOTLIN) :].lstrip(" \t")
    return [*found, Labelled(_NO_NAME, optional=True)] if after.startswith("{") else found


def accepts_arguments(declared: Sequence[Labelled], given: Sequence[Labelled]) -> bool:
    """Return whether a constructor can be called with arguments, some of them named: their types are not looked at.

    What stands in braces after the call may be an argument, or the body of a type.
    """
    return any(_accepts(declared, one) for one in ((given, given[:-1]) if given and given[-1].optional else (given,)))


def _accepts(declared: Sequence[Labelled], given: Sequence[Labelled]) -> bool:
    names = {one.label for one in given if one.label != _NO_NAME}
    places = sum(one.label == _NO_NAME for one in given)
    repeated = any(one.repeated for one in declared)
    if (places > len(declared) and not repeated) or not names <= {one.label for one in declared}:
        return False
    return repeated or all(one.optional or one.label in names for one in declared[places:])


def _read_parameter(part: str) -> Labelled:
    name = _DECLARED.match(part)
    repeated = re.search(r"\bvararg\b", part) is not None
    return Labelled(name[1] if name is not None else _NO_NAME, "=" in part or repeated, repeated)
