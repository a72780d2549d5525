"""Bytes as a zlib stream (RFC 1950) and back, by the fastest library that is there.

ISA-L takes less than half of the time of zlib for as many bytes, and each reads what the other wrote. It has no builds
for some systems: there zlib does it.
"""

from __future__ import annotations

import zlib
from typing import Any, cast

LARGEST = 256 << 20
"""Bytes of what is unpacked at most: what is packed has been read from files of 64 MB."""

_HARMLESS = 64 << 10
"""Bytes that cannot become too many: deflate saves at most 1,031 of 1,032."""

_LEVEL = 1
"""It saves nine tenths of what the highest does, in a fourth of the time."""

_THOROUGH = 3
"""The highest level of ISA-L: a twentieth less than the first, in a third more of hardly any time."""

try:
    from isal import igzip_lib, isal_zlib
except ImportError:
    _compress, _decompress, _Flaw = zlib.compress, zlib.decompress, zlib.error
    _decompressor: Any = zlib.decompressobj
else:
    _compress, _decompress = isal_zlib.compress, isal_zlib.decompress
    _decompressor = isal_zlib.decompressobj
    _Flaw = cast("type[zlib.error]", igzip_lib.IsalError)  # it is declared as an object of its type


def compress(data: bytes, *, thorough: bool = False) -> bytes:
    """Return bytes in less room; in a little less of it where that is worth more than time."""
    return _compress(data, _THOROUGH if thorough else _LEVEL)


def decompress(data: object) -> bytes:
    """Return what was compressed; raises ValueError for what is damaged, no bytes, or would be too large."""
    if not isinstance(data, bytes):
        raise ValueError("damaged: it is not bytes")
    try:
        return _decompress(data) if len(data) <= _HARMLESS else _decompress_some(data)
    except _Flaw as flaw:
        raise ValueError(f"damaged: {flaw}") from None


def _decompress_some(data: bytes) -> bytes:
    """Return what was compressed, of at most ``LARGEST`` bytes; raises ValueError for more."""
    decompressor = _decompressor()
    whole: bytes = decompressor.decompress(data, LARGEST + 1)
    if len(whole) > LARGEST or not decompressor.eof:
        raise ValueError(f"it is cut short, or has more than {LARGEST:,} bytes")
    return whole
