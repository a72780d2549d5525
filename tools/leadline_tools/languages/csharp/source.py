"""The source of C# as its parser gets it: of conditions that cut through a declaration, one branch.

What ``select_branches`` returns has the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from leadline_tools.languages.blanking import blank
from leadline_tools.lazy_regex import lazy_compile

_DIRECTIVE = lazy_compile(rb"[ \t]*#[ \t]*(?:(if)|elif|else|(endif))\b[^\n]*")
_CONDITION = lazy_compile(rb"[ \t]*#[ \t]*(?:if|elif)\b([^\n]{0,400})")
_TERM = lazy_compile(rb"\|\||&&|==|!=|[!()]|\w+")
_DEFINES = lazy_compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
_SKIPPED = lazy_compile(
    rb'"(?:[^"\\\n]|\\.)*"'
    rb'|@"(?:[^"]|"")*"'
    rb"|'(?:[^'\\\n]|\\.)*'"
    rb"|//[^\n]*"
    rb"|/\*(?:[^*]|\*(?!/))*\*/"
    rb"|(?m:^)[ \t]*#[^\n]*"
)
_ENDS = b";{}"
"""What the last token before a condition is where a declaration or a statement may begin."""

_CONTINUES = rb"\s*(?:(?:else|catch|finally%s)\b|[.,:?)\]&|+=])"
_GOES_ON = lazy_compile(_CONTINUES % b"")
_CONTINUED = lazy_compile(_CONTINUES % b"|case|default")
"""How that begins which is no declaration and no statement of its own: sections of a ``switch`` in a condition, too."""

_FAR = 4_000
"""Bytes that are looked at for the last token before a condition."""


def select_branches(content: bytes) -> bytes:
    """Return a source in which no condition cuts through a declaration or a statement.

    What all branches share is whole with each of them. So a branch without another stays, its directives do not; of
    several that stays which is compiled where no symbol is defined but those that the source defines, if there is one.
    Where a condition stands between declarations or statements it is left as it is.
    """
    if b"#if" not in content and b"# if" not in content:
        return content
    code = _SKIPPED.sub(_blank_match, content)
    blanked = [span for condition in _conditions(content) for span in _list_excluded_spans(content, code, condition)]
    if not blanked:
        return content
    changed = bytearray(content)
    for start, end in blanked:
        changed[start:end] = blank(content[start:end])
    return bytes(changed)


def _blank_match(found: re.Match[bytes]) -> bytes:
    return blank(found[0])


def _conditions(content: bytes) -> Iterator[Sequence[tuple[int, int]]]:
    """Yield the lines of the directives of each condition, from ``#if`` to ``#endif``, as bytes."""
    nested: list[list[tuple[int, int]]] = []
    at = content.find(b"#")
    while at >= 0:
        start = content.rfind(b"\n", 0, at) + 1
        found = _DIRECTIVE.match(content, start)
        if found is not None:
            if found[1]:
                nested.append([])
            if nested:
                nested[-1].append(found.span())
                if found[2]:
                    yield nested.pop()
        at = content.find(b"#", max(at + 1, found.end() if found is not None else 0))


def _list_excluded_spans(
    content: bytes, code: bytes, condition: Sequence[tuple[int, int]]
) -> Sequence[tuple[int, int]]:
    branches = [(start, end) for (_, start), (end, _) in pairwise(condition)]
    if not _cuts_code(code, condition[0][0], branches):
        return ()
    holding = (at for at in range(len(branches)) if _is_compiled(content[slice(*condition[at])], content))
    kept = branches[next(holding, 0)]
    return [*condition, *(branch for branch in branches if branch != kept)]


def _is_compiled(directive: bytes, content: bytes) -> bool:
    """Return whether a branch is compiled: a symbol that nothing defines is false.

    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/lexical-structure#654-pre-processing-expressions
    """
    condition = _CONDITION.match(directive)
    if condition is None:
        return True  # ``#else``
    waiting = [one[0].decode("ascii", "replace") for one in _TERM.finditer(condition[1])]
    return _evaluate_or(waiting, _find_defined_symbols(content))


def _evaluate_or(waiting: list[str], defined: frozenset[str]) -> bool:
    """Take ``a || b`` off the front of what waits, and return whether it holds."""
    found = _evaluate_and(waiting, defined)
    while waiting[:1] == ["||"]:
        del waiting[0]
        found = _evaluate_and(waiting, defined) or found
    return found


def _evaluate_and(waiting: list[str], defined: frozenset[str]) -> bool:
    found = _evaluate_equality(waiting, defined)
    while waiting[:1] == ["&&"]:
        del waiting[0]
        found = _evaluate_equality(waiting, defined) and found
    return found


def _evaluate_equality(waiting: list[str], defined: frozenset[str]) -> bool:
    found = _evaluate_term(waiting, defined)
    while waiting[:1] in (["=="], ["!="]):
        sign = waiting.pop(0)
        found = (_evaluate_term(waiting, defined) is found) is (sign == "==")
    return found


def _evaluate_term(waiting: list[str], defined: frozenset[str]) -> bool:
    term = waiting.pop(0) if waiting else ""
    if term == "!":
        return not _evaluate_term(waiting, defined)
    if term == "(":
        found = _evaluate_or(waiting, defined)
        if waiting[:1] == [")"]:
            del waiting[0]
        return found
    return term == "true" or term in defined


def _find_defined_symbols(content: bytes) -> frozenset[str]:
    """Return the symbols that a source defines: it may do so before everything else alone."""
    return frozenset(one[1].decode("ascii", "replace") for one in _DEFINES.finditer(content[:_FAR]))


def _cuts_code(code: bytes, begin: int, branches: Sequence[tuple[int, int]]) -> bool:
    """Return whether a condition begins or ends within a declaration or a statement, or one of its branches does."""
    if not _may_begin(code, begin) or _GOES_ON.match(code, branches[-1][1]):
        return True
    return any(
        code[start:end].strip()
        and (_CONTINUED.match(code, start) or not _may_begin(code, end) or _is_unbalanced(code[start:end]))
        for start, end in branches
    )


def _may_begin(code: bytes, at: int) -> bool:
    """Return whether a declaration or a statement may begin at a byte: nothing stands before, or the end of another."""
    before = code[max(0, at - _FAR) : at].rstrip()
    return not before or before[-1] in _ENDS


def _is_unbalanced(code: bytes) -> bool:
    return code.count(b"{") != code.count(b"}") or code.count(b"(") != code.count(b")")
