"""A part of the vocabulary as bytes: its names as they are spelled, and how many definitions each has."""

from __future__ import annotations

from typing import NamedTuple

from leadline_tools import deflated
from leadline_tools.index.packing.integers import packed_integers, unpacked_integers
from leadline_tools.index.store.rows import RowsDamagedError
from leadline_tools.index.store.vocabulary import COUNTS, Case, Part, part_of

_KINDS = {kind.encode(): kind for kind in COUNTS}


class PackedPart(NamedTuple):
    """The names and the counts of a part; what kind of array the counts are is the first byte of them."""

    names: bytes
    counts: bytes


def packed_part(part: Part) -> PackedPart:
    """Return a part as bytes."""
    kind = part.counts.typecode
    counts = kind.encode() + packed_integers(kind, part.counts)
    return PackedPart(deflated.compress(part.spelled), deflated.compress(counts))


def unpacked_part(length: int, case: int, names: bytes, counts: bytes) -> Part:
    """Return a part as it was; raises RowsDamagedError for bytes that are none."""
    try:
        unpacked = deflated.decompress(counts)
        numbers = unpacked_integers(_KINDS[unpacked[:1]], unpacked[1:])
        spelled = deflated.decompress(names)
    except (ValueError, KeyError) as error:
        raise RowsDamagedError("damaged names") from error
    return part_of(length, Case(case), spelled, numbers)
