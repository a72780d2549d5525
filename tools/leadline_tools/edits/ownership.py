"""Which files are somebody else's to write: what programs generate, and what was copied from elsewhere.

An edit there is lost when they are made anew, so none is made.
"""

from __future__ import annotations

import re

_VENDORED = re.compile(
    r"(?:^|/)(?:node_modules|bower_components|vendor|vendored|_vendor|third_party|third-party|external"
    r"|site-packages|dist-packages|\.venv|venv|Pods|Carthage)/",
)
"""Folders that package managers fill, and those in which projects keep copies."""

_GENERATED_NAME = re.compile(
    r"(?:\.min\.(?:js|css)|_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|\.g\.(?:cs|dart)|\.designer\.cs)$", re.IGNORECASE
)
"""Names that generators give: of bundles, of Protocol Buffers, of designers."""

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
    if _VENDORED.search(path):
        return "it is a copy of somebody else's code"
    if _GENERATED_NAME.search(path) or _GENERATED_MARK.search(content[:_TOP]):
        return "it is generated"
    return ""
