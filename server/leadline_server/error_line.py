"""The line that reports an error to a caller: what is wrong, then what to call instead, without pieces of keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leadline_estimators.tokenizer import clip, count
from leadline_server.outgoing import printable, without_given_keys
from leadline_tools.errors import LeadlineError, NoSuchSymbol, NothingThere, PathNotFound
from leadline_tools.result import Call

LARGEST_ERROR = 150
"""O200k tokens of an error."""


def error_line(error: LeadlineError, tool: str, arguments: Mapping[str, Any]) -> str:
    """Return an error of a call as one line of at most ``LARGEST_ERROR`` tokens."""
    said = str(error), _hint_for(error, tool, arguments)
    given = (tool, *arguments, *arguments.values())
    message, hint = (without_given_keys(printable(one), given) for one in said)
    text = f"error: {message} {hint}".strip()
    if count(text) > LARGEST_ERROR:
        room = LARGEST_ERROR - min(count(hint), LARGEST_ERROR // 2) - 8
        text = f"error: {clip(message, room)}... {clip(hint, LARGEST_ERROR // 2)}"
    return f"{text}\n"


def _hint_for(error: LeadlineError, tool: str, given: Mapping[str, Any]) -> str:
    """Return what to call instead: the very call, where only a path or a name was mistaken."""
    match error:
        case PathNotFound(path=wrong, nearest=str(meant)):
            mistaken = "path"
        case NoSuchSymbol(symbol=wrong, similar=(meant, *_)):
            mistaken = "symbol"
        case NothingThere(place=wrong, inside=meant) if meant:
            mistaken = "symbol"
        case NoSuchSymbol():
            return error.hint_within(str(given.get("path", ".")))
        case _:
            return error.hint
    if given.get(mistaken) != wrong:
        return error.hint
    arguments = {name: value for name, value in given.items() if isinstance(value, str | int | bool)}
    again = Call(tool, tuple({**arguments, mistaken: meant}.items()))
    return f"{error.hint if mistaken == 'symbol' else ''} Call {again}.".strip()
