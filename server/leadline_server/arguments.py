"""The arguments of a call: cleaned, checked against the signature of the tool, and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from leadline_tools.errors import BadArgument
from leadline_tools.index.text.key_masking import clip_text
from leadline_tools.likeness import nearest
from leadline_tools.result import Call
from leadline_tools.tool import SYMBOLS, Takes, Tool

LONGEST_SYMBOL = 1_000
LONGEST_PATH = 4_096
LONGEST = 10_000
"""Characters of one argument: of a symbol, of a path, as systems have it, and of any other."""

LONGEST_QUESTION = 1_000
"""Characters of the arguments of a call that the list of the last calls still shows."""

_MOST_DIGITS = 15

_PATHS = frozenset({Takes.Code, Takes.File})


def question_of(tool: str, given: Mapping[str, Any]) -> Call | None:
    """Return a call as it came in; None where it is too long to be kept."""
    arguments = tuple((name, value) for name, value in given.items() if isinstance(value, str | int | bool))
    size = sum(len(str(value)) for _, value in arguments)
    return Call(tool, arguments) if size <= LONGEST_QUESTION else None


def clean(tool: Tool, name: str, value: object) -> object:
    """Return an argument with what no text can hold, a lone surrogate, replaced; raises BadArgument for a long one."""
    if not isinstance(value, str):
        return value
    most = _longest(tool, name)
    if len(value) > most:
        message = f"it has {len(value):,} characters, more than {most:,}"
        raise BadArgument(
            clip_text(name, 60), message, _SHORTER.get(tool.takes.get(name), "Call the tool with a shorter one.")
        )
    return value.encode("utf-8", "replace").decode()


_SHORTER: Mapping[Takes | None, str] = dict.fromkeys(SYMBOLS, "Give a name or path:line.")


def _longest(tool: Tool, name: str) -> int:
    """Return how many characters an argument of a tool may have."""
    return longest(tool.takes.get(name))


def longest(takes: Takes | None) -> int:
    """Return how many characters what is about such a thing may have."""
    return LONGEST_SYMBOL if takes in SYMBOLS else LONGEST_PATH if takes in _PATHS else LONGEST


def whole_number(text: str) -> int | None:
    """Return the number that a text is; None for what is none, or has more digits than any number that is meant."""
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= _MOST_DIGITS else None


def read_max_tokens(value: object) -> int | None:
    """Return ``max_tokens`` as a number, None where it is not given."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _not_a_number(value)
    try:
        return int(float(value))
    except (ValueError, OverflowError):
        raise _not_a_number(value) from None


def _not_a_number(value: object) -> BadArgument:
    message = f"{clip_text(str(value), 40)!r} is not a number"
    return BadArgument("max_tokens", message, "Give a whole number, such as 2000.")


def validate(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a tool with its defaults; raises BadArgument for the first that is wrong."""
    try:
        model = tool.arguments.model_validate(dict(given))
    except ValidationError as error:
        raise _bad_argument(tool, error) from None
    return {name: getattr(model, name) for name in tool.arguments.model_fields}


_LIKELY_MISSING = 0.4
"""From 0 to 1: how much an unknown argument is like one that is missing, to be taken for it before all others."""

_EXPECTED = {
    "int_parsing": "Give an integer.",
    "int_type": "Give an integer.",
    "int_from_float": "Give an integer.",
    "bool_parsing": "Give a boolean, true or false.",
    "bool_type": "Give a boolean, true or false.",
    "string_type": "Give a string.",
}
"""What to give in place of a value of the wrong type, by pydantic's name of the error."""


def _bad_argument(tool: Tool, error: ValidationError) -> BadArgument:
    errors = error.errors(include_url=False)
    # What is misspelled is missing under its right name too, which alone would not say what was wrong.
    first = next((one for one in errors if one["type"] == "extra_forbidden"), errors[0])
    name = str(first["loc"][0]) if first["loc"] else tool.name
    takes = [*tool.arguments.model_fields, "max_tokens"]
    if first["type"] == "extra_forbidden":
        missing = [str(one["loc"][0]) for one in errors if one["type"] == "missing"]
        near = nearest(name, missing, _LIKELY_MISSING) or nearest(name, takes) or next(iter(missing), "")
        hint = f"Did you mean {near}?" if near else f"Arguments: {', '.join(takes)}."
        return BadArgument(clip_text(name, 60), f"{tool.name} has no such argument", hint)
    if first["type"] == "missing":
        return BadArgument(name, f"{tool.name} requires it", f'Call {tool.name}({name}="...").')
    value = clip_text(json.dumps(first.get("input"), default=str), 60)
    return BadArgument(name, f"{value} cannot be used", _EXPECTED.get(first["type"], f"{first['msg']}."))
