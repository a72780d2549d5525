"""Columns of whole numbers as bytes, the same on every machine: little-endian."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterable


def packed_integers(typecode: str, numbers: Iterable[int]) -> bytes:
    """Return numbers as bytes; ``typecode`` is that of ``array``, of a kind that has one size everywhere."""
    if isinstance(numbers, array):
        return _little_endian(array(typecode, numbers)).tobytes()
    column = tuple(numbers)
    return struct.pack(f"<{len(column)}{typecode}", *column)  # an array takes several times as long to take them in


def unpacked_integers(typecode: str, column: bytes) -> array[int]:
    """Return the numbers in such bytes; raises ValueError where the last one is cut."""
    numbers = array(typecode)
    numbers.frombytes(column)
    return _little_endian(numbers)


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
