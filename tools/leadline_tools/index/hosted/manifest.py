"""The manifest of a ref as bytes: the path and the blob of each of its files, and what was left out of the tree."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from leadline_tools import deflated
from leadline_tools.index.packing.integers import packed_integers, unpacked_integers
from leadline_tools.index.tree.walked_files import Skipped

_LENGTHS = struct.Struct("<4Q")
"""What a manifest begins with: the bytes of the paths, of the blobs, of skipped paths and of the reasons for those."""

_PATHS = ("utf-8", "surrogateescape")
_BETWEEN = b"\0"


class Manifest(NamedTuple):
    """The files of a ref at one commit, in the order of their paths.

    Args:
        paths: Their paths, without the name of the repository.
        blobs: The id of the blob of each; 0 for a file that is never read, since it holds secrets.
        skipped: What of the tree is not listed, with the reasons.

    """

    paths: Sequence[str]
    blobs: Sequence[int]
    skipped: Sequence[Skipped] = ()

    def packed(self) -> bytes:
        """Return it as bytes."""
        columns = (
            _joined(self.paths),
            packed_integers("q", self.blobs),
            _joined([one.path for one in self.skipped]),
            _joined([one.reason for one in self.skipped]),
        )
        return deflated.compress(b"".join((_LENGTHS.pack(*map(len, columns)), *columns)))

    @classmethod
    def unpacked(cls, packed: bytes) -> Manifest:
        """Return what was packed; raises ValueError for what is damaged."""
        whole = deflated.decompress(packed)
        if len(whole) < _LENGTHS.size:
            raise ValueError("damaged manifest")
        ends = [*accumulate(_LENGTHS.unpack_from(whole), initial=_LENGTHS.size)]
        if ends[-1] != len(whole):
            raise ValueError("damaged manifest")
        paths, blobs, skipped, reasons = (whole[start:end] for start, end in pairwise(ends))
        found = cls(
            _split(paths),
            unpacked_integers("q", blobs),
            [Skipped(*one) for one in zip(_split(skipped), _split(reasons), strict=True)],
        )
        if len(found.paths) != len(found.blobs):
            raise ValueError("damaged manifest")
        return found


def _joined(texts: Sequence[str]) -> bytes:
    return _BETWEEN.join(text.encode(*_PATHS) for text in texts)


def _split(joined: bytes) -> list[str]:
    return [text.decode(*_PATHS) for text in joined.split(_BETWEEN)] if joined else []
