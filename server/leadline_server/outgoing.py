"""The one place through which every text goes out: valid Unicode, nothing that a terminal or reader obeys, one line."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb]"
)
"""Control characters but the tab, line and paragraph separators, marks of direction and width, lone surrogates."""


def printable(text: str) -> str:
    """Return ``text`` with what is not shown or changes how the rest is shown written as an escape."""
    if text.isprintable():
        return text
    return _UNPRINTABLE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is not UTF-8 (PEP 383)
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable_json(text: str) -> str:
    """Return JSON with the same characters written as JSON writes them."""
    if text.isprintable():
        return text
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
