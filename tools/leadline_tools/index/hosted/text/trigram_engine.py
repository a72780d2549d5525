"""The text engine that is always there: PostgreSQL, by the trigrams of contents, which ``pg_trgm`` makes.

Contents with all trigrams of a text are compared with it by ``like``: no expression of a user reaches the database.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.hosted.hosted_reader import HostedReader, SearchedText
from leadline_tools.index.hosted.text.text_engine import Literal, TextCandidates

_SECONDS = 4.0
"""Seconds that a search may take: a text that is nearly everywhere takes longer, and is found by looking there."""

_MOST = 50_000
"""Contents that are worth listing: no call looks into more."""

_SPECIAL = re.compile(r"([\\%_])")

_SIGNS: Mapping[str, str] = {
    " \t": "j",
    "_": "7",
    ".": "9",
    "-": "8",
    "()": "6",
    ",;": "5",
    "\"'`": "4",
    "=": "3",
    ":": "z",
    "/\\": "x",
    "!#$%&*+<>?@[]^{|}~": "q",
}
"""What the function ``trigrams`` has in the place of signs, which would separate words."""

_LETTERS = str.maketrans({sign: letter for signs, letter in _SIGNS.items() for sign in signs})


class TrigramEngine:
    """Searches contents by their trigrams."""

    def __init__(self, reader: HostedReader) -> None:
        self._reader = reader

    def candidates(self, required: Sequence[Sequence[Literal]], roots: Sequence[HostedIndex]) -> TextCandidates:
        """Return the files that may hold a literal of each group; no root is known where the time ran out."""
        texts = [[searched_text(literal) for literal in group] for group in required]
        repositories = sorted({root.repository for root in roots})
        found = self._reader.contents_like(texts, repositories, _MOST, _SECONDS)
        if found is None:
            return TextCandidates((), roots)
        blobs: defaultdict[int, list[int]] = defaultdict(list)
        for repository, blob in found:
            blobs[repository].append(blob)
        return TextCandidates([path for root in roots for path in root.paths_of(blobs[root.repository])], ())


def searched_text(literal: Literal) -> SearchedText:
    """Return what contents with a literal have."""
    pieces = [piece.replace("\\", "\\\\") for piece in literal]  # as PostgreSQL writes bytes
    letters = [piece.translate(_LETTERS) for piece in pieces]
    trigrams = {piece[at : at + 3] for piece in letters for at in range(len(piece) - 2)}
    patterns = (_SPECIAL.sub(r"\\\1", piece) for piece in pieces)
    return SearchedText(sorted(trigrams), f"%{'%'.join(patterns)}%")
