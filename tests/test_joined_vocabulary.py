"""The names of several indexes are found as those of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline_tools.index.joined_vocabulary import JoinedVocabulary
from leadline_tools.index.store.vocabulary import LazyPart, Named, Vocabulary, parts_of

_NAMES = st.text("abAB_é2", min_size=1, max_size=7)
_ROOTS = st.lists(st.dictionaries(_NAMES, st.integers(1, 300), max_size=12), min_size=2, max_size=4)
_QUERIES = st.one_of(_NAMES, st.sampled_from(["aB", "a_b", "AbA", "b2"]))


def vocabulary(counts: Mapping[str, int]) -> Vocabulary:
    return Vocabulary(map(LazyPart.of, parts_of({name.encode(): many for name, many in counts.items()})))


def found(named: Named) -> tuple[Counter[str], int, bool, bool]:
    names: Counter[str] = Counter()
    for one in named.names:
        names[one.spelled] += one.definitions
    return names, named.definitions, named.complete, named.counted


@given(roots=_ROOTS, query=_QUERIES)
@pytest.mark.parametrize("way", [Vocabulary.exact, Vocabulary.longer, Vocabulary.inside, Vocabulary.camel])
def test_what_matches_in_several_indexes_is_what_would_match_in_one(
    way: Callable[[Vocabulary, str], Named], roots: list[dict[str, int]], query: str
) -> None:
    whole = vocabulary(sum(map(Counter, roots), Counter()))
    joined = JoinedVocabulary().of(map(vocabulary, roots))
    assert found(way(joined, query)) == found(way(whole, query))


def test_vocabularies_are_joined_again_where_one_is_another_and_only_then() -> None:
    first, second, third = (vocabulary({name: 1}) for name in ("one", "two", "six"))
    joined = JoinedVocabulary()
    both = joined.of((first, second))
    assert joined.of((first, second)) is both
    assert [name.spelled for name in joined.of((first, third)).longer("s").names] == ["six"]
    assert joined.of((first,)) is first
