"""The one place where patterns of a caller are compiled: globs, and RE2, whose time is linear whatever the pattern."""

from __future__ import annotations

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


def compiled(pattern: str, *, case_sensitive: bool, longest: int = LONGEST) -> Any:
    """Return an RE2 expression over UTF-8, in which ``^`` and ``$`` are the limits of lines; raises BadPattern."""
    if len(pattern) > longest:
        raise too_long(pattern)
    options = re2.Options()
    options.case_sensitive = case_sensitive
    options.never_nl = False
    options.log_errors = False
    try:
        return re2.compile(f"{_MULTILINE}{pattern}".encode(), options)
    except re2.error as error:
        reason = error.args[0] if error.args else "not a regular expression"
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise BadPattern(pattern, text.replace(_MULTILINE, "")) from None
