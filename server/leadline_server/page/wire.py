"""The *wire* of the page: JSON in which no text has characters that are invisible or change how others are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import JSONResponse, PlainTextResponse, Response

from leadline_server.outgoing import printable

View = Mapping[str, Any]
"""An object of JSON as the scripts of the page read it."""

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of every response: nothing from elsewhere, no script or style in the page, and no markup from text."""


def json_response(view: View, status: int = 200) -> Response:
    """Return a response with an object, whose texts are made printable."""
    return JSONResponse(_printable(view), status, dict(HEADERS))


def text_response(text: str, status: int) -> Response:
    """Return a response that says what is wrong."""
    return PlainTextResponse(text, status, dict(HEADERS))


def _printable(value: Any) -> Any:
    if isinstance(value, str):
        return "\n".join(map(printable, value.split("\n"))) if "\n" in value else printable(value)
    if isinstance(value, Mapping):
        return {_printable(name): _printable(one) for name, one in value.items()}
    if isinstance(value, Sequence):
        return [_printable(one) for one in value]
    return value
