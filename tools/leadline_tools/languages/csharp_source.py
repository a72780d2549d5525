"""What of a C# source its parser is given: conditions that cut through a declaration or a statement as one branch.

What ``selected`` returns has the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from leadline_tools.languages.blanking import blank

_DIRECTIVE = re.compile(rb"[ \t]*#[ \t]*(?:(if)|elif|else|(endif))\b[^\n]*")
_NEVER = re.compile(rb"[ \t]*#[ \t]*if[ \t]+false\b")
_SKIPPED = re.compile(
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
_GOES_ON = re.compile(_CONTINUES % b"")
_CONTINUED = re.compile(_CONTINUES % b"|case|default")
"""How that begins which is no declaration and no statement of its own: sections of a ``switch`` in a condition, too."""

_FAR = 4_000
"""Bytes that are looked at for the last token before a condition."""


def selected(content: bytes) -> bytes:
    """Return a source in which no condition cuts through a declaration or a statement.

    What all branches share is whole with each of them. So a branch without another stays, its directives do not; of
    several the first stays. Where a condition stands between declarations or statements it is left as it is.
    """
    if b"#if" not in content and b"# if" not in content:
        return content
    code = _SKIPPED.sub(_spaces, content)
    blanked = [span for condition in _conditions(content) for span in _left_out(content, code, condition)]
    if not blanked:
        return content
    changed = bytearray(content)
    for start, end in blanked:
        changed[start:end] = blank(content[start:end])
    return bytes(changed)


def _spaces(found: re.Match[bytes]) -> bytes:
    return blank(found[0])


def _conditions(content: bytes) -> Iterator[Sequence[tuple[int, int]]]:
    """Yield the lines of the directives of each condition, from ``#if`` to ``#endif``, as bytes."""
    opened: list[list[tuple[int, int]]] = []
    at = content.find(b"#")
    while at >= 0:
        start = content.rfind(b"\n", 0, at) + 1
        found = _DIRECTIVE.match(content, start)
        if found is not None:
            if found[1]:
                opened.append([])
            if opened:
                opened[-1].append(found.span())
                if found[2]:
                    yield opened.pop()
        at = content.find(b"#", max(at + 1, found.end() if found is not None else 0))


def _left_out(content: bytes, code: bytes, condition: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    branches = [(start, end) for (_, start), (end, _) in pairwise(condition)]
    if not _cuts(code, condition[0][0], branches):
        return ()
    never = len(branches) > 1 and _NEVER.match(content, condition[0][0]) is not None
    kept = branches[1] if never else branches[0]
    return [*condition, *(branch for branch in branches if branch != kept)]


def _cuts(code: bytes, begin: int, branches: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a condition begins or ends within a declaration or a statement, or one of its branches does."""
    if not _may_begin(code, begin) or _GOES_ON.match(code, branches[-1][1]):
        return True
    return any(
        code[start:end].strip()
        and (_CONTINUED.match(code, start) or not _may_begin(code, end) or _is_unbalanced(code[start:end]))
        for start, end in branches
    )


def _may_begin(code: bytes, at: int) -> bool:
    """Tell whether a declaration or a statement may begin at a byte: nothing stands before, or the end of another."""
    before = code[max(0, at - _FAR) : at].rstrip()
    return not before or before[-1] in _ENDS


def _is_unbalanced(code: bytes) -> bool:
    return code.count(b"{") != code.count(b"}") or code.count(b"(") != code.count(b")")
