"""The text of one file: UTF-8 without a byte order mark, its lines ended by LF or CRLF, its keys masked."""

from __future__ import annotations

import codecs
import hashlib
import re
from dataclasses import dataclass
from typing import NamedTuple

from leadline_tools.index.text import encodings
from leadline_tools.index.text.key_masking import mask_keys

SNIFFED = 8 * 1024
"""Bytes that are searched for a NUL; git decides by as many."""

_BOMS = (
    # The mark of UTF-32 begins with that of UTF-16, so it is tried first.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_LONE_CR = re.compile(rb"\r(?!\n)")


class Known(NamedTuple):
    """What is known of a text from before: its digest, and how many lines it has."""

    digest: bytes
    lines: int


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one file: ``content`` is UTF-8 without a byte order mark, ``digest`` names it.

    ``encoding`` is what the disk has (a Python codec), ``size`` its bytes there. Where ``masked``, keys in the content
    are masked, in as many bytes: whoever writes the file must take them from ``Tree.read_raw``. ``counted`` is
    how many lines somebody has counted, -1 for nobody.
    """

    path: str
    content: bytes
    encoding: str
    size: int
    digest: bytes
    masked: bool = False
    counted: int = -1

    @property
    def text(self) -> str:
        """Return the content as a string."""
        return self.content.decode("utf-8")

    def lines(self) -> list[str]:
        """Return the lines without their ends; only LF and CRLF end one, as in an editor."""
        return lines_of(self.content)

    @property
    def line_count(self) -> int:
        """Return how many lines there are."""
        if self.counted >= 0:
            return self.counted
        unfinished = bool(self.content) and not self.content.endswith(b"\n")
        return self.content.count(b"\n") + unfinished

    def has_line(self, line: int) -> bool:
        """Return whether there is a line, 1-based; an empty file has the first."""
        return line <= max(1, self.line_count)


def is_binary(beginning: bytes) -> bool:
    """Return whether the first bytes of a file are those of no text."""
    return b"\0" in beginning[:SNIFFED] and not beginning.startswith(tuple(mark for mark, _ in _BOMS))


def lines_of(content: bytes) -> list[str]:
    """Return the lines of a text in UTF-8 without their ends; only LF and CRLF end one, as in an editor."""
    lines = content.decode("utf-8").replace("\r\n", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def normal_text(raw: bytes) -> tuple[bytes, str]:
    """Return bytes as UTF-8 whose lines end in LF or CRLF, keys and all, and the codec that they were in."""
    content, encoding = (raw, "utf-8") if raw.isascii() else _as_utf8(raw)
    return _LONE_CR.sub(b"\n", content) if b"\r" in content else content, encoding


def decoded(path: str, raw: bytes, *, keys: bool = False, known: Known | None = None) -> Source:
    """Return the source that the bytes of a file are, with its keys masked unless ``keys`` are wanted.

    The digest of a text that was known is that of the text without keys: the same text with its keys in it has none.
    """
    content, encoding = normal_text(raw)
    if known is not None and digest_of(content) == known.digest:
        return Source(path, content, encoding, len(raw), known.digest, counted=known.lines)
    shown = content if keys else mask_keys(content)
    return Source(path, shown, encoding, len(raw), digest_of(shown), shown is not content)


def digest_of(content: bytes) -> bytes:
    """Return what names a text."""
    return hashlib.sha256(content, usedforsecurity=False).digest()[:16]


def _as_utf8(raw: bytes) -> tuple[bytes, str]:
    """Return bytes as UTF-8 without a mark, and the codec that they were in."""
    for mark, codec in _BOMS:
        if raw.startswith(mark):
            return raw[len(mark) :].decode(codec, "replace").encode("utf-8"), codec
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        codec = encodings.detect(raw)
        return raw.decode(codec).encode("utf-8"), codec
    if raw.startswith(codecs.BOM_UTF8):
        return raw[len(codecs.BOM_UTF8) :], "utf-8-sig"
    return raw, "utf-8"
