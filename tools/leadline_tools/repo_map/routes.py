"""The functions that answer requests, recognized by how the frameworks of several languages register them."""

from __future__ import annotations

import re

_VERBS = rb"(?:route|get|post|put|patch|delete|head|options|all|websocket|api_route|Get|Post|Put|Delete|GET|POST|PUT"
_VERBS += rb"|PATCH|DELETE|HandleFunc|Handle)"

_DECORATED = re.compile(
    rb"^[ \t]*@[\w.]*\." + _VERBS + rb"\([\"']/[^\n]*\n(?:[ \t]*@[^\n]*\n)*[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)",
    re.MULTILINE,
)
"""Python: ``@app.get("/users")`` above a function."""

_REGISTERED = re.compile(rb"\." + _VERBS + rb"\([\"'`]/[^\"'`\n]*[\"'`]\s*,\s*(?:[\w.]+\s*,\s*)*([\w.]+)\s*\)")
"""Go, JavaScript, Rust: ``router.GET("/users", list)``."""

_LISTED = re.compile(rb"\b(?:re_)?path\(\s*r?[\"'][^\"'\n]*[\"']\s*,\s*([\w.]+)")
"""Django: ``path("users/", views.users)``."""

_SIGNS = (b'("/', b"('/", b"(`/", b"path(")
"""What stands in every file with a route: most files have none of it, which is the fastest check."""

_MANY = 64
"""Routes of a file beyond which no more are looked for."""


def handlers(content: bytes) -> frozenset[str]:
    """Return the names of the functions of a file, or of others, that it registers as answers to requests."""
    if not any(sign in content for sign in _SIGNS):
        return frozenset()
    found: list[bytes] = []
    for pattern in (_DECORATED, _REGISTERED, _LISTED):
        for match in pattern.finditer(content):
            found.append(match[1].rpartition(b".")[2])
            if len(found) >= _MANY:
                break
    return frozenset(name.decode("utf-8", "replace") for name in found)
