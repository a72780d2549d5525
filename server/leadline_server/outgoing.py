"""The one place through which every text goes out: valid Unicode, nothing that a terminal or reader obeys, one line.

Keys are masked twice. What is read from a file is masked as it is read, so that answers are counted and cut as they are
sent. ``Outgoing`` masks all that leaves once more, wherever it comes from: names of files, messages of programs, what a
caller wrote. A mask has as many bytes as what it hides, so no length that was told before is wrong.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from leadline_tools.index.text.key_masking import mask_keys, mask_pieces, mask_strings, mask_text
from leadline_tools.index.text.secret_files import SecretPolicy

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send  # what serves no HTTP need not import it

_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")
"""Control characters of ASCII but the tab."""

_INVISIBLE = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})
"""Categories of Unicode whose characters are not shown, or change how others are."""

_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""What is not shown though its category says otherwise: fillers of scripts, and variation selectors."""

_FILLER = re.compile(f"[{_FILLERS}]")

_JOINERS = frozenset("\u200c\u200d")
_EMOJI_STYLES = frozenset("\ufe0e\ufe0f")


@cache
def _invisible() -> re.Pattern[str]:
    """Return the pattern of all characters that are written as an escape, from the Unicode data of this Python."""
    found = (code for code in range(0x80, sys.maxunicode + 1) if unicodedata.category(chr(code)) in _INVISIBLE)
    ranges: list[list[int]] = []
    for code in found:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    classes = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
    return re.compile(f"[\x00-\x08\x0a-\x1f\x7f{classes}{_FILLERS}]")


def is_printable(text: str) -> bool:
    """Return whether a text is sent as it is, whatever it stands in."""
    return printable(text) == text


def printable(text: str) -> str:
    """Return ``text`` with what is not shown or changes how the rest is shown written as an escape."""
    return _escaped(text, _escape)


def printable_json(text: str) -> str:
    """Return JSON with the same characters written as JSON writes them."""
    return _escaped(text, _escape_json)


def _escaped(text: str, escape: Callable[[str], str]) -> str:
    if text.isascii():
        return _CONTROL.sub(lambda match: escape(match[0]), text)
    if text.isprintable() and _FILLER.search(text) is None:
        return text
    return _invisible().sub(lambda match: match[0] if _is_needed(match) else escape(match[0]), text)


def _is_needed(match: re.Match[str]) -> bool:
    """Return whether an invisible character makes its neighbours what they are: in scripts that join, and in emoji."""
    before, after = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    if match[0] in _EMOJI_STYLES:
        return bool(before) and (unicodedata.category(before) == "So" or before in "0123456789#*")
    if match[0] not in _JOINERS or not before or not after:
        return False
    letters = all(not one.isascii() and unicodedata.category(one)[0] in "LM" for one in (before, after))
    emoji = unicodedata.category(after) == "So" and (before in _EMOJI_STYLES or unicodedata.category(before)[0] == "S")
    return letters or emoji


def _escape(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is not UTF-8 (PEP 383)
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _escape_json(character: str) -> str:
    return "".join(f"\\u{unit:04x}" for unit in _units(ord(character)))


def _units(code: int) -> tuple[int, ...]:
    """Return a character as UTF-16 has it."""
    return (code,) if code < 0x10000 else (0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF))


class Outgoing:
    """What leaves a server or the console. Where files are shown as they are (``--allow-secrets``), all is."""

    def __init__(self, policy: SecretPolicy) -> None:
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


MASKED = Outgoing(SecretPolicy())
"""What leaves where no file is shown as it is."""


def without_given_keys(text: str, given: Iterable[object]) -> str:
    """Return a text without pieces of keys that are in the texts that its caller gave: it may quote one cut."""
    for one in given:
        if isinstance(one, str):
            text = mask_pieces(text, printable(one))
    return text


def terminal_text(text: str) -> str:
    """Return a text as a terminal, or the log of a service, may get it: others may have named what it is about."""
    return printable(MASKED.text(text))


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
