"""Words that are names or keywords, by their place: ``type``, ``from``, ``of``, ``get``.

https://tc39.es/ecma262/#sec-keywords-and-reserved-words and the keywords that only types of TypeScript have.

Two names never stand side by side on one line, so one of the two is a keyword: the one in which no rule sees a name.
"""

from __future__ import annotations

import re

_BEFORE = frozenset(
    "abstract accessor asserts async await declare get global infer keyof let module namespace out override readonly"
    " set static type unique using".split()
)
"""Those that stand before a name."""

_BETWEEN = frozenset({"as", "from", "is", "of", "satisfies"})
"""Those that stand between two names, or what begins and ends like those."""

_NAME_AHEAD = re.compile(r"[ \t]+(?P<next>[\w$#]+)")
_BRACKET_AHEAD = re.compile(r"[ \t]*[{*]")
_MODULE_AHEAD = re.compile(r"[ \t]*[\"']")
_SOMETHING_AHEAD = re.compile(r"[ \t]+[\w$\[({\"'`<]")
_TAKING = re.compile(r"(?<![\w$.])(?:im|ex)port[ \t]+$")
_ENDING = re.compile(r"(?P<last>[\w$]+|[\])}])[ \t]+$")

_OPENING = frozenset(
    "await case const default delete do else export extends import in instanceof let new of return throw typeof var"
    " void yield".split()
)
"""Words after which an expression, or a name that is bound, begins."""

_OPERATORS = frozenset({"as", "extends", "from", "implements", "in", "instanceof", "is", "of", "satisfies"})
"""Words that may stand behind a name."""


def is_no_name(before: str, word: str, after: str) -> bool:
    """Return whether a word in a line, in which no rule sees a name, is a keyword or a part of a private name."""
    if before.endswith("#"):
        return True  # `#count` is not called `count`: https://tc39.es/ecma262/#prod-PrivateIdentifier
    if word in _BEFORE:
        ahead = _NAME_AHEAD.match(after)
        if ahead is not None:
            return ahead["next"] not in _OPERATORS
        return word == "type" and _BRACKET_AHEAD.match(after) is not None and _TAKING.search(before) is not None
    if word == "from" and _MODULE_AHEAD.match(after) is not None:
        return True
    if word not in _BETWEEN or _SOMETHING_AHEAD.match(after) is None:
        return False
    ending = _ENDING.search(before)
    return ending is not None and ending["last"] not in _OPENING
