"""The ownership of files: those that programs generate or that were copied are somebody else's to write.

An edit there is lost when they are made again, so none is made unless a caller names exactly that file.
"""

from __future__ import annotations

import re

from leadline_tools.index.tree.marks import has_generated_name, is_vendored

_GENERATED_MARK = re.compile(
    rb"(?:Code generated|Created by) .{0,200} DO NOT EDIT|@generated\b|<auto-?generated"
    rb"|\bauto(?:matically |-)?generated (?:by|from|file)",
    re.IGNORECASE,
)
"""What generators write at the top: that of Go is a rule of its tools, the others are common."""

_TOP = 2_000
"""Bytes at the beginning of a file in which the mark stands."""


def foreign(path: str, content: bytes) -> str:
    """Return why a file is not ours to edit, as part of a sentence; empty where it is."""
    if is_vendored(path):
        return "it is a copy of third-party code"
    if has_generated_name(path) or _GENERATED_MARK.search(content[:_TOP]):
        return "it is generated"
    return ""
