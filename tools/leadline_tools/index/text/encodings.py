"""The encoding of a text that is no UTF-8 and has no mark: what it declares, else what its bytes look like.

A declaration is what Python, Ruby, XML, HTML, CSS, Emacs and Vim read: ``coding`` or ``charset`` with a name, near the
beginning. It counts if the whole text can be decoded so. Without one the bytes are compared with how languages are
usually written, as browsers do. That is a guess, so it needs some characters to rest on. What is not decided is read as
Latin-1, in which every byte is a character.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping

from leadline_tools.lazy_regex import lazy_compile

UNDECIDED = "latin-1"
"""The codec of a text whose encoding is not known."""

_DECLARED_WITHIN = 1024
"""Bytes in which a declaration stands; those of HTML."""

_SAMPLED = 64 * 1024
"""Bytes that are compared, from the first that is not ASCII."""

_BEFORE = 64
"""Bytes before that one which are compared too: a letter of ASCII beside it tells something."""

_FEWEST_PAIRED, _FEWEST_SINGLE = 4, 5
"""Bytes beyond ASCII that a guess rests on, where most characters have two bytes and where they have one."""

_DECLARATION = lazy_compile(rb"(?:coding|charset)[ \t]*[:= ][ \t]*[\"']?([A-Za-z0-9][A-Za-z0-9_.:-]*)", re.IGNORECASE)
_BEYOND_ASCII = lazy_compile(rb"[\x80-\xff]")
_ASCII = bytes(range(0x80))
_BETWEEN_LATIN = lazy_compile(rb"[\x80-\x9f]")
"""Bytes that Latin-1 has control characters for, and Windows quotes and dashes."""

_WIDER: Mapping[str, tuple[str, ...]] = {
    "gb2312": ("gb18030",),
    "gbk": ("gb18030",),
    "gb18030": ("gb18030",),
    "big5": ("cp950", "big5hkscs"),
    "big5hkscs": ("cp950", "big5hkscs"),
    "cp950": ("cp950", "big5hkscs"),
    "shift_jis": ("cp932", "shift_jis_2004"),
    "cp932": ("cp932", "shift_jis_2004"),
    "euc_jp": ("euc_jp", "euc_jis_2004"),
    "euc_kr": ("cp949",),
    "cp949": ("cp949",),
}
"""The codecs by which an encoding of two bytes is read, narrowest first: those of Windows, which wrote most files."""

_SINGLE = lazy_compile(r"iso8859-\d+|cp125\d|cp8\d\d|cp437|koi8-[rut]|mac-\w+|tis-620")
"""Python's names of encodings in which a character has one byte, and ASCII is itself."""


def detect(raw: bytes) -> str:
    """Return the codec of a text that is no UTF-8: it decodes all of it, and encodes it to the same bytes."""
    return next((codec for codec in _candidates(raw) if _is_kept_by(codec, raw)), UNDECIDED)


def rules() -> bytes:
    """Return what the result of ``detect`` depends on besides the bytes."""
    from importlib.metadata import PackageNotFoundError, version  # a tenth of the time in which a worker starts

    try:
        return version("chardetng-py").encode()
    except PackageNotFoundError:
        return b""


def _candidates(raw: bytes) -> Iterator[str]:
    yield from _declared(raw[:_DECLARED_WITHIN])
    yield from _guessed(raw)


def _declared(beginning: bytes) -> Iterator[str]:
    """Yield the codecs of the encoding that the beginning of a text declares."""
    found = _DECLARATION.search(beginning)
    try:
        name = codecs.lookup(found[1].decode("ascii")).name if found is not None else ""
    except LookupError:
        return
    if name in _WIDER or _SINGLE.fullmatch(name):
        yield from _WIDER.get(name, (name,))


def _guessed(raw: bytes) -> Iterator[str]:
    """Yield the codecs of the encoding that the bytes look like; none where they are too few to tell."""
    first = _BEYOND_ASCII.search(raw)
    start = max(0, first.start() - _BEFORE) if first is not None else 0
    sample = raw[start : start + _SAMPLED]
    name = _likeliest(sample, whole=start + _SAMPLED >= len(raw))
    telling = len(sample.translate(None, _ASCII))
    if name in _WIDER:
        yield from _WIDER[name] if telling >= _FEWEST_PAIRED else ()
    elif name == "cp1252":
        yield from (name,) if _BETWEEN_LATIN.search(raw) else ()
    elif name:
        yield from (name,) if telling >= _FEWEST_SINGLE else ()


def _likeliest(sample: bytes, *, whole: bool) -> str:
    """Return Python's name of the encoding that bytes look most like; empty where nothing can tell."""
    try:
        from chardetng_py import EncodingDetector
    except ImportError:  # it has no build for Windows on ARM: only declarations count there
        return ""
    detector = EncodingDetector()
    detector.feed(sample, last=whole)
    return codecs.lookup(detector.guess(tld=None, allow_utf8=False)).name


def _is_kept_by(codec: str, raw: bytes) -> bool:
    """Return whether a codec reads bytes and writes the same ones."""
    try:
        return raw.decode(codec).encode(codec) == raw
    except (UnicodeError, LookupError):
        return False
