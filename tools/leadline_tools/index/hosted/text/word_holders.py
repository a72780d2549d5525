"""The joined refs that hold words: one statement finds the blobs of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline_tools.index.hosted.hosted_index import HostedIndex
from leadline_tools.index.hosted.hosted_reader import HostedReader, Kind, holding
from leadline_tools.index.joined_index import Parts


def hosted(parts: Parts) -> Sequence[HostedIndex]:
    """Return the indexes of roots that are all hosted."""
    return [part for part in parts.all if isinstance(part, HostedIndex)]


def word_holders(
    reader: HostedReader, parts: Parts, kind: Kind, words: Sequence[str]
) -> Iterator[tuple[HostedIndex, Mapping[str, Sequence[int]]]]:
    """Yield each ref whose repository has a word, with the blobs of the repository that hold each word."""
    roots = hosted(parts)
    found = reader.postings_of({root.repository for root in roots}, kind, words)
    for root in roots:
        if held := found.get(root.repository):
            yield root, held


def count_holding(reader: HostedReader, parts: Parts, kind: Kind, words: Sequence[str]) -> int:
    """Return how many files of all refs hold all of some words, of which there is at least one."""
    return sum(root.count_of(holding(held, words)) for root, held in word_holders(reader, parts, kind, words))
