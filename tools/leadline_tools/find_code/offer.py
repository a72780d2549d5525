"""The call that finds code by meaning, for a question in words that found nothing as it is spelled."""

from __future__ import annotations

from collections.abc import Iterator

from leadline_tools.find_code.index_words import parts_of
from leadline_tools.find_code.question import parse_question
from leadline_tools.find_code.stems import search_key
from leadline_tools.index.index import Index
from leadline_tools.result import Call, Size

_PLACES = Size(rows=20, width=60)
"""About what an answer has."""


def offer_find_code(index: Index, query: str, path: str = ".") -> Iterator[Call]:
    """Yield the call that asks for several words in a person's sense, if a file has one of them."""
    terms = parse_question(query).terms if " " in query.strip() else ()
    if len(terms) > 1 and any(words.with_text(search_key(one.stem)) for words in parts_of(index) for one in terms):
        where = {} if path in ("", ".") else {"path": path}
        yield Call.of("find_code", _PLACES, query=query.strip(), **where)
