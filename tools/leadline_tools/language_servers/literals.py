"""Literals that a language server quotes from files that it was not shown: strings and long numbers.

A server reads by itself what an opened file imports, also files that are secret or lie outside of the root, and tells
values in types (``Literal["..."]``). So a value is shown only where the file that was asked about holds it too.
"""

from __future__ import annotations

import re

HIDDEN = "..."
"""What stands for a value that is not shown."""

_VALUES = re.compile(
    r'"(?P<double>(?:[^"\\\n]|\\.)*)(?:"|$)'
    r"|(?:(?<!\w)|(?<=\b[bBrRuU]))'(?P<single>(?:[^'\\\n]|\\.)*)(?:'(?!\w)|$)"
    r"|(?<![\w.])(?P<number>\d{4,})(?![\w])",
    re.MULTILINE,
)


def hide_foreign_values(said: str, source: str) -> str:
    """Return what a server says, without the values that a source does not hold."""

    def replaced(match: re.Match[str]) -> str:
        if match.lastgroup is None:
            return match[0]
        value = match[match.lastgroup]
        return match[0] if value in source else match[0].replace(value, HIDDEN, 1)

    return _VALUES.sub(replaced, said)
