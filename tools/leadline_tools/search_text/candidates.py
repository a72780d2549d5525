"""The files that may hold a match of a query, by the index of words; the others are not opened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline_tools.index.index import Index
from leadline_tools.index.store.vocabulary import folded, humps
from leadline_tools.languages import has_symbols
from leadline_tools.search_text.query import TextQuery

_SHORTEST_WORD = 4
"""Letters of the shortest word of a query that paths are compared with: shorter ones are in too many."""

_MOST_WORDS = 8
"""Words of a query that paths are compared with, the longest ones; it takes a tenth of a second for 80,000 paths."""

_FEW = 500
"""Files whose order does not matter, since there is time for all of them."""


def candidates(index: Index, query: TextQuery, chosen: Sequence[str]) -> Sequence[str]:
    """Return those of the files ``chosen`` that may hold a match, in the order in which they are looked into.

    Those whose words are indexed come first, in the order of their paths, in which they are read fastest.
    """
    required = query.finder.required
    # Only in ASCII is the index sure to fold what a search takes for the same case.
    clauses = [
        clause
        for clause in required.clauses
        if (query.case_sensitive and not required.any_case) or all(run.text.isascii() for run in clause)
    ]
    held = index.words.files_meeting(clauses)
    if held is not None:
        chosen = [path for path in chosen if path in held]
    unread = frozenset(index.words.unindexed_files())
    if not unread:
        return chosen
    known = [path for path in chosen if path not in unread]
    unknown = [path for path in chosen if path in unread]
    return [*known, *_likeliest_first(unknown, required.literal)]


def _likeliest_first(paths: Sequence[str], literal: str) -> list[str]:
    """Return paths, code first; of many those first that share words with a text: a name is often that of its file."""
    if len(paths) > _FEW:
        words = sorted({folded(word) for word in humps(literal) if len(word) >= _SHORTEST_WORD}, key=len)[-_MOST_WORDS:]

        def shared_words(path: str) -> int:
            lower = path.lower()
            return sum(word in lower for word in words)

        paths = sorted(paths, key=shared_words, reverse=True)
    return _code_first(paths)


def _code_first(paths: Iterable[str]) -> list[str]:
    code: list[str] = []
    others: list[str] = []
    for path in paths:
        (code if has_symbols(path) else others).append(path)
    return code + others
