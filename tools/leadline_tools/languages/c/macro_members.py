"""Members that macros are given: of ``#define NEXT(item, field) ((item)->field.next)`` the second is one of the first.

https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3096.pdf#subsection.6.10.5
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from leadline_tools.languages.c.macros import Macro, macros
from leadline_tools.lazy_regex import lazy_compile

_CALLED: Final = lazy_compile(rb"\b([A-Za-z_]\w*)[ \t]*\Z")
_BRACKET: Final = lazy_compile(rb"[()]")
_CALL: Final = lazy_compile(rb"\b([A-Za-z_]\w*)[ \t]*\(")
_TERM: Final = lazy_compile(rb"[A-Za-z_]\w*(?:\s*(?:->|\.)\s*[A-Za-z_]\w*)*")
_STEP: Final = lazy_compile(rb"\s*(?:->|\.)\s*")
_LONGEST_CALL: Final = 1_000
_DEEPEST: Final = 3
"""Macros that are called in the text of one another."""

Declaring = Callable[[str], Iterable[bytes]]
"""Gives the sources that may define a macro with a name."""


class _Given(NamedTuple):
    """A call: its name, its arguments, and which of them is looked at."""

    called: bytes
    arguments: Sequence[bytes]
    number: int


def receiver_of(content: bytes, offset: int, declaring: Declaring) -> str:
    """Return the term of what the word at a place is a member of, as a macro takes it; empty for any other word."""
    given = _given_at(content, offset)
    if given is None or _TERM.fullmatch(given.arguments[given.number]) is None:
        return ""
    receivers = {_term(one) for one in _receivers(given, declaring, 0)}
    return receivers.pop() if len(receivers) == 1 else ""


def _given_at(content: bytes, offset: int) -> _Given | None:
    """Return the call of which the word at a place is a whole argument."""
    opened = _opening(content, offset)
    called = _CALLED.search(content, max(0, opened - _LONGEST_CALL), opened) if opened >= 0 else None
    if called is None:
        return None
    arguments, starts = _split(content, opened + 1)
    number = sum(start <= offset for start in starts) - 1
    return _Given(called[1], arguments, number) if 0 <= number < len(arguments) else None


def _opening(content: bytes, offset: int) -> int:
    """Return where the innermost parenthesis around a place opens; -1 where none does."""
    depth = 0
    start = max(0, offset - _LONGEST_CALL)
    for bracket in reversed([*_BRACKET.finditer(content, start, offset)]):
        depth += 1 if bracket[0] == b")" else -1
        if depth < 0:
            return bracket.start()
    return -1


def _split(content: bytes, start: int) -> tuple[Sequence[bytes], Sequence[int]]:
    """Return the arguments of a call after its parenthesis, and where each begins; none where it does not end."""
    arguments: list[bytes] = []
    starts = [start]
    depth = 0
    for at in range(start, min(len(content), start + _LONGEST_CALL)):
        sign = content[at : at + 1]
        depth += {b"(": 1, b")": -1}.get(sign, 0)
        if depth < 0 or (not depth and sign == b","):
            arguments.append(content[starts[-1] : at].strip(b" \t\r\n\\"))
            starts.append(at + 1)
        if depth < 0:
            return arguments, starts[:-1]
    return (), ()


def _receivers(given: _Given, declaring: Declaring, depth: int) -> Iterator[bytes]:
    """Yield what an argument of a call is taken as a member of: other arguments."""
    for macro in _named(given.called, declaring):
        if len(macro.parameters) != len(given.arguments):
            continue
        by_parameter = dict(zip(macro.parameters, given.arguments, strict=True))
        parameter = macro.parameters[given.number]
        taken = rb"(?:->|\.)\s*" + re.escape(parameter) + rb"\b(?!\s*\()"
        for found in re.finditer(rb"\(?\s*\b(\w+)\s*\)?\s*" + taken, macro.body):
            if found[1] in by_parameter:
                yield by_parameter[found[1]]
        for call in _CALL.finditer(macro.body) if depth < _DEEPEST else ():
            arguments, _ = _split(macro.body, call.end())
            if parameter in arguments and call[1] != given.called:
                handed = [by_parameter.get(one.strip(b"()"), one) for one in arguments]
                yield from _receivers(_Given(call[1], handed, list(arguments).index(parameter)), declaring, depth + 1)


def _named(name: bytes, declaring: Declaring) -> Iterator[Macro]:
    for source in declaring(name.decode()):
        yield from (macro for macro in macros(source) if macro.name == name and macro.parameters != (b"",))


def _term(argument: bytes) -> str:
    """Return the term of an argument, without ``&`` and parentheses: empty for what is no name or member."""
    plain = argument.strip(b" \t\r\n\\&*()")
    return _STEP.sub(b".", plain).decode() if _TERM.fullmatch(plain) is not None else ""
