"""The one place through which every text goes out: valid Unicode, nothing that a terminal or reader obeys, one line.

Keys are masked twice. What is read from a file is masked as it is read, so that answers are counted and cut as they are
sent. ``Outgoing`` masks all that leaves once more, wherever it comes from: names of files, messages of programs, what a
caller wrote. A mask has as many bytes as what it hides, so no length that was told before is wrong.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from leadline_tools.index.text.keys import mask_keys, mask_strings, mask_text
from leadline_tools.index.text.secrets import Policy

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send  # what serves no HTTP need not import it

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


class Outgoing:
    """What leaves a server or the console. Where files are shown as they are (``--allow-secrets``), all is."""

    def __init__(self, policy: Policy) -> None:
        self._masks = not policy.allowed

    def text(self, text: str) -> str:
        """Return a text as it may leave."""
        return mask_text(text) if self._masks else text

    def value(self, value: Any) -> Any:
        """Return a value of JSON as it may leave."""
        return mask_strings(value) if self._masks else value

    def application(self, app: ASGIApp) -> ASGIApp:
        """Return a web application whose responses are those of another one, as they may leave."""
        return _Masked(app) if self._masks else app


MASKED = Outgoing(Policy())
"""What leaves where no file is shown as it is."""


class _Masked:
    """A web application that masks the keys in the responses of another one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def masked(message: Message) -> None:
            body = message.get("body", b"")
            await send({**message, "body": mask_keys(body)} if body else message)

        await self._app(scope, receive, masked)
