"""A guard for the output of any tool: output that is too long is cut at a line boundary, with a note about the cut."""

from __future__ import annotations

import functools
import inspect
import json
import os
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeVar, overload

from leadline_estimators.estimate import SAMPLE, Estimate
from leadline_estimators.profiles import Profile, TextKind, as_profile
from leadline_estimators.tokenizer import O200K, Counter, Tokenizer, clip
from leadline_estimators.turn import FLOOR, TurnBudget

P = ParamSpec("P")
R = TypeVar("R")

DEFAULT_CHARACTERS = 28_000
"""About 8,000 tokens: a quarter of a window of 32,768."""

LEAST_CHARACTERS = 300
"""A shorter output could not say that it was cut."""

VARIABLE = "LEADLINE_MAX_TOOL_OUTPUT"
"""The environment variable that says how many characters are let through."""

HINT = "Ask for less: narrower arguments, or the next part."

_EXACT_UP_TO = 200_000
"""Characters that are counted whole, which takes 50 ms; more are sampled."""

_MOST = 10_000_000
"""Characters that are collected of what a generator yields, which may never end."""

_NO_ASYNC_GENERATOR = "an async generator cannot be guarded: collect what it yields, and guard that"

_WINDOW = 1_000
_LONGEST_NAME = 60
_ERROR = re.compile(
    r"\s*(?:error\b|\w*(?:Error|Exception)\b|Traceback \(most recent"
    r"|\{\s*\"(?:error|isError)\"\s*:(?!\s*(?:null|false)))",
    re.IGNORECASE,
)
"""How the outputs of tools that failed begin."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An output after the guard.

    Args:
        text: What is let through, with the note on what is not.
        original: Tokens of the output; an estimate where ``sampled``.
        shown: Tokens of it that are let through.
        omitted: Tokens of it that are not.
        sampled: Whether the output was too long to be counted whole.
    """

    text: str
    original: int
    shown: int
    omitted: int
    sampled: bool = False

    @property
    def complete(self) -> bool:
        """Return whether all was let through."""
        return not self.omitted


def guard_output(
    text: str,
    tool: str = "the tool",
    *,
    characters: int | None = None,
    tokens: int | None = None,
    profile: Profile | str | None = None,
    error: bool | None = None,
    hint: str = HINT,
) -> str:
    """Return what may be passed on of the output of a tool; ``cut_output`` returns its tokens too.

    Args:
        text: The output.
        tool: The name of the tool, for the note on what was cut.
        characters: The most that may be passed on. Where it is not given, LEADLINE_MAX_TOOL_OUTPUT or 28,000 holds,
            and less if the profile has a smaller guard.
        tokens: The most tokens that may be passed on, such as what a turn has left; not under 60.
        profile: The model that reads it, or its name; the note counts its tokens.
        error: Whether the output is the message of an error. Errors are passed on whole. Where it is not said, an
            output that begins like an error is taken for one, up to 28,000 characters.
        hint: What the model can do to get the rest.
    """
    return cut_output(text, tool, characters=characters, tokens=tokens, profile=profile, error=error, hint=hint).text


def cut_output(
    text: str,
    tool: str = "the tool",
    *,
    characters: int | None = None,
    tokens: int | None = None,
    profile: Profile | str | None = None,
    error: bool | None = None,
    hint: str = HINT,
) -> Cut:
    """Return what may be passed on of the output of a tool, and the tokens of it; see ``guard_output``."""
    profile = as_profile(profile)
    limit = guard_limit(profile) if characters is None else max(characters, LEAST_CHARACTERS)
    if error is None:
        error = len(text) <= DEFAULT_CHARACTERS and _ERROR.match(text) is not None
    original = text_tokens(text, profile)
    total = original.tokens
    most = total if tokens is None else max(tokens, FLOOR if profile is None else profile.frame(FLOOR, TextKind.Code))
    if error or (len(text) <= limit and total <= most):
        return Cut(text, total, total, 0, original.sampled)
    tool = tool[:_LONGEST_NAME]
    hint = hint if _note_length(tool, hint) <= limit // 2 else ""
    if tokens is not None and _note_price(tool, hint, profile) > most // 2:
        hint = ""
    head = _head(text, limit - _note_length(tool, hint))
    if tokens is not None:
        head = _clip_to_price(head, most - _note_price(tool, hint, profile), profile)
    shown = _price(head, profile)
    total = max(total, shown + 1)
    exact = not original.sampled and (profile is None or profile.exact)
    note = _note(tool, hint, "" if exact else "~", total, shown)
    return Cut(head + note, total, shown, total - shown, original.sampled)


def guard_limit(profile: Profile | str | None = None) -> int:
    """Return the characters that are let through where the caller does not say.

    Raises ValueError where LEADLINE_MAX_TOOL_OUTPUT is no number.
    """
    profile = as_profile(profile)
    value = os.environ.get(VARIABLE, "").strip()
    try:
        wanted = int(value or 0)
    except ValueError:
        raise ValueError(f"{VARIABLE} is {value!r}: set it to a number of characters, such as 28000") from None
    limit = max(wanted, LEAST_CHARACTERS) if wanted > 0 else DEFAULT_CHARACTERS
    return limit if profile is None else max(LEAST_CHARACTERS, min(limit, profile.guard))


@overload
def guarded(tool: Callable[P, R], /) -> Callable[P, R]: ...


@overload
def guarded(
    *,
    characters: int | None = None,
    turn: TurnBudget | None = None,
    profile: Profile | str | None = None,
    hint: str = HINT,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def guarded(
    tool: Callable[..., Any] | None = None,
    /,
    *,
    characters: int | None = None,
    turn: TurnBudget | None = None,
    profile: Profile | str | None = None,
    hint: str = HINT,
) -> Callable[..., Any]:
    """Guard the output of a tool function, sync or async; its name, signature and documentation stay.

    Text is cut. Another result is measured as its JSON, bytes as the text that they are: short enough, it is returned
    as it is; too long, the guarded text is returned in its place, which is no JSON any more. What a generator yields is
    collected, up to 10 million characters, and returned as one text or one list. Exceptions pass. May be used bare or
    with the arguments of ``guard_output``. Tools that are given the same ``turn`` share its budget.

    Raises:
        TypeError: The tool is an async generator, whose parts a caller gets before their sum is known.
    """
    profile = as_profile(profile)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isasyncgenfunction(function):
            raise TypeError(_NO_ASYNC_GENERATOR)
        name = str(getattr(function, "__name__", type(function).__name__))

        def guard(result: object) -> object:
            if isinstance(result, Iterator):
                result = _collect(result)
            text = _text_of(result)
            if text is None:
                return result
            failed = isinstance(result, Mapping) and bool(result.get("isError") or result.get("error"))
            error = True if failed and len(text) <= DEFAULT_CHARACTERS else None
            with nullcontext() if turn is None else turn.call() as grant:
                tokens = None if grant is None else grant.tokens
                found = cut_output(
                    text, name, characters=characters, tokens=tokens, profile=profile, error=error, hint=hint
                )
                if grant is not None:
                    grant.spend(text_tokens(found.text, profile).tokens)
            return result if found.complete else found.text

        async def later(result: Awaitable[object]) -> object:
            return guard(await result)

        @functools.wraps(function)
        async def waiting(*args: object, **kwargs: object) -> object:
            return guard(await function(*args, **kwargs))

        @functools.wraps(function)
        def calling(*args: object, **kwargs: object) -> object:
            result = function(*args, **kwargs)
            return later(result) if inspect.isawaitable(result) else guard(result)

        return waiting if inspect.iscoroutinefunction(function) else calling

    return decorate if tool is None else decorate(tool)


def _collect(parts: Iterator[object]) -> object:
    """Return what an iterator yields: one text where all parts are texts, else a list; no more than ``_MOST``."""
    found: list[object] = []
    size = 0
    for part in parts:
        found.append(part)
        size += len(_text_of(part) or "") + 1
        if size > _MOST:
            break
    return "".join(part for part in found if isinstance(part, str)) if _are_texts(found) else found


def _are_texts(parts: Sequence[object]) -> bool:
    return all(isinstance(part, str) for part in parts)


def _text_of(result: object) -> str | None:
    """Return a result as a model would read it; None where there is nothing to guard."""
    if isinstance(result, str):
        return result
    if isinstance(result, bytes | bytearray | memoryview):
        return bytes(result).decode("utf-8", "replace")
    return _json(result)


def _json(result: object) -> str | None:
    """Return a result as JSON; None where it is none, or nothing that a model would be sent."""
    if result is None or isinstance(result, bool | int | float):
        return None
    try:
        return json.dumps(result, ensure_ascii=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        return None


def _head(text: str, room: int) -> str:
    """Return the beginning of a text: whole lines, unless a line is so long that half the room would stay empty."""
    stop = text.rfind("\n", 0, room) + 1
    return text[:stop] if stop > room // 2 else text[:room] + "\n"


def _note(tool: str, hint: str, about: str, total: int, shown: int) -> str:
    omitted = total - shown
    summary = f"{tool} returned {about}{total:,} tokens; {shown:,} shown, {about}{omitted:,} omitted"
    return f"[cut: {summary}. {hint}]" if hint else f"[cut: {summary}]"


def _note_length(tool: str, hint: str) -> int:
    return len(_note(tool, hint, "~", 10**12, 0)) + 40


def _note_price(tool: str, hint: str, profile: Profile | None) -> int:
    return _price(_note(tool, hint, "~", 10**12, 10**9), profile)


def _clip_to_price(head: str, tokens: int, profile: Profile | None) -> str:
    """Return the beginning of a text that costs at most so many tokens: whole lines, where they fill half of them."""
    room = max(0, tokens if profile is None else profile.limit(tokens, TextKind.Code))
    count = _tokenizer(profile).count
    if count(head) <= room:
        return head
    text = clip(head, max(0, room - 1), count)
    stop = text.rfind("\n") + 1
    return text[:stop] if stop > len(text) // 2 or not text else text + "\n"


def _tokenizer(profile: Profile | None) -> Tokenizer:
    return O200K if profile is None else profile.tokenizer


def _price(text: str, profile: Profile | None) -> int:
    return O200K.count(text) if profile is None else profile.price_of(text, TextKind.Code)


def text_tokens(text: str, profile: Profile | str | None = None, kind: TextKind = TextKind.Code) -> Estimate:
    """Return the tokens of a text for a model, those of o200k for none; of a long text from windows spread evenly."""
    profile = as_profile(profile)
    count = _tokenizer(profile).count
    counted = Estimate(count(text), sampled=False) if len(text) <= _EXACT_UP_TO else _sample(text, count)
    return counted if profile is None else replace(counted, tokens=profile.price(counted.tokens, kind))


def _sample(text: str, count: Counter) -> Estimate:
    step = len(text) / SAMPLE
    windows = [text[int(i * step) : int(i * step) + _WINDOW] for i in range(SAMPLE)]
    return Estimate(round(sum(map(count, windows)) * len(text) / sum(map(len, windows))), sampled=True)
