"""The one place where patterns of a caller are compiled: globs, and RE2, whose time is linear whatever the pattern."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import re2

from leadline_tools.errors import BadPattern
from leadline_tools.index.text.gitignore import compile_glob

LONGEST = 1_000
"""Characters of a pattern."""

_MULTILINE = "(?m)"
"""Put before every expression: ``^`` and ``$`` are the limits of lines."""

Span = tuple[int, int]


def path_matcher(pattern: str, regex: bool) -> Callable[[str], bool]:
    """Return what tells whether a path matches a glob as in .gitignore, or a regular expression anywhere in it."""
    if regex:
        search = compiled(pattern, case_sensitive=True).search
        return lambda path: search(path.encode("utf-8", "surrogateescape")) is not None
    if len(pattern) > LONGEST:
        raise too_long(pattern)
    try:
        return compile_glob(pattern)
    except ValueError as error:
        raise BadPattern(pattern, str(error)) from None


def too_long(pattern: str) -> BadPattern:
    """Return the error for a pattern of too many characters."""
    return BadPattern(pattern, f"it has {len(pattern):,} characters, more than {LONGEST:,}")


_CLASSES = {
    "w": r"\pL\pM\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}",
    "d": r"\p{Nd}",
    "s": r"[:space:]\x{85}\p{Z}",
}
"""The classes of Perl over Unicode (UTS 18, annex C), as far as RE2 has what they are made of."""

_PIECE = re.compile(r"\\Q.*?(?:\\E|\Z)|\\.|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.DOTALL)
_CLASS = re.compile(r"\\[QE]|\\(.)", re.DOTALL)


def unicode_classes(pattern: str) -> str:
    r"""Return an RE2 expression whose ``\w``, ``\d`` and ``\s`` are those of Unicode; RE2 has those of ASCII.

    The opposites (``\W``) are replaced outside of brackets only: RE2 has no difference of classes.
    """
    return _PIECE.sub(_in_unicode, pattern)


def _in_unicode(piece: re.Match[str]) -> str:
    text = piece[0]
    if text.startswith("["):
        return _CLASS.sub(lambda one: _CLASSES.get(one[1] or "", one[0]), text)
    if text.startswith("\\Q") or text[1:].lower() not in _CLASSES:
        return text
    return f"[{'' if text[1:].islower() else '^'}{_CLASSES[text[1:].lower()]}]"


def compiled_text(text: bytes) -> re.Pattern[bytes]:
    """Return what finds a text, with the rest of its line; of what is no RE2 expression it is the fastest."""
    return re.compile(re.escape(text) + rb"[^\n]*")


def compiled(
    pattern: str, *, case_sensitive: bool, longest: int = LONGEST, in_lines: bool = False, in_bytes: bool = False
) -> Any:
    """Return an RE2 expression, in which ``^`` and ``$`` are the limits of lines; raises BadPattern.

    Args:
        pattern: The expression.
        case_sensitive: False to take upper and lower case for the same.
        longest: How many characters it may have.
        in_lines: True where nothing in it means the end of a line, so that no match goes beyond one.
        in_bytes: True for an expression in ASCII over bytes whose encoding does not matter; else they are UTF-8.

    """
    if len(pattern) > longest:
        raise too_long(pattern)
    options = re2.Options()
    options.case_sensitive = case_sensitive
    options.never_nl = in_lines
    options.log_errors = False
    options.never_capture = True  # hundreds of groups, which nothing reads, cost milliseconds a match
    if in_bytes:
        options.encoding = re2.Options.Encoding.LATIN1
    try:
        return re2.compile(f"{_MULTILINE}{pattern}".encode(), options)
    except re2.error as error:
        reason = error.args[0] if error.args else "not a regular expression"
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise BadPattern(pattern, text.replace(_MULTILINE, "")) from None
