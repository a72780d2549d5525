"""The text engine that is always there: PostgreSQL, by the trigrams of contents (``pg_trgm``).

What is looked for is compared with ``like``: no expression of a user reaches the database.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.hosted.hosted_reader import HostedReader
from leadline_tools.index.hosted.text.text_engine import Literal, TextCandidates

_SECONDS = 4.0
"""Seconds that a search may take: a text that is nearly everywhere takes longer, and is found by looking there."""

_MOST = 50_000
"""Contents that are worth listing: no call looks into more."""

_SPECIAL = re.compile(r"([\\%])")

_UNDERSCORE = "q"
"""What the function ``searched`` has for an underscore, which would separate trigrams."""


class TrigramEngine:
    """Searches contents by their trigrams."""

    def __init__(self, reader: HostedReader) -> None:
        self._reader = reader

    def candidates(self, required: Sequence[Sequence[Literal]], roots: Sequence[HostedIndex]) -> TextCandidates:
        """Return the files that may hold a literal of each group; no root is known where the time ran out."""
        patterns = [[pattern_of(literal) for literal in group] for group in required]
        repositories = sorted({root.repository for root in roots})
        found = self._reader.contents_like(patterns, repositories, _MOST, _SECONDS)
        if found is None:
            return TextCandidates((), roots)
        blobs: defaultdict[int, list[int]] = defaultdict(list)
        for repository, blob in found:
            blobs[repository].append(blob)
        return TextCandidates([path for root in roots for path in root.paths_of(blobs[root.repository])], ())


def pattern_of(literal: Literal) -> str:
    """Return the pattern of ``like`` for what the function ``searched`` makes of texts with a literal."""
    searched = (piece.replace("\\", "\\\\").replace("_", _UNDERSCORE) for piece in literal)
    pieces = (_SPECIAL.sub(r"\\\1", piece) for piece in searched)
    return f"%{'%'.join(pieces)}%"
