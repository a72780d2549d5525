"""Columns of whole numbers as bytes, the same on every machine: little-endian."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable


def packed_integers(typecode: str, numbers: Iterable[int]) -> bytes:
    """Return numbers as bytes; ``typecode`` is that of ``array``."""
    return _little_endian(array(typecode, numbers)).tobytes()


def unpacked_integers(typecode: str, column: bytes) -> array[int]:
    """Return the numbers in such bytes; raises ValueError where the last one is cut."""
    numbers = array(typecode)
    numbers.frombytes(column)
    return _little_endian(numbers)


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
