"""Places at which no engine knows what stands there: what they say of none of them is no word against it.

Whether a name means a symbol is told by what engines tell of that symbol. Where a name is a member of something that no
engine has a type of, none can tell it, of whatever symbol: it is undecidable. All engines are asked where such a place
leads, as ``confirmed`` asks them.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable, Sequence
from functools import cache

from truth.confirmed import Leading
from truth.corpus import Corpus
from truth.record import Drawn, Place

TRIES = 3
"""Questions after which an engine that knows nothing is believed: some read on meanwhile."""


def unfollowed(corpus: Corpus, engines: Sequence[Leading], symbol: Drawn, places: Iterable[Place]) -> frozenset[Place]:
    """Return those of some places of names that lead nowhere by the word of every engine.

    Raises LookupError where an engine does not even know the declaration of the symbol: it cannot be asked.
    """
    for engine in engines:
        if not _leads(engine, symbol.place):
            raise LookupError(f"{engine.version} does not know {symbol.place}")
    names = (place for place in places if place[1:] in _names(corpus.text(place.path)))
    return frozenset(place for place in names if not any(_leads(engine, place) for engine in engines))


def _leads(engine: Leading, place: Place) -> bool:
    """Return whether an engine knows a definition of what stands at a place, inside of the corpus or outside."""
    return any(engine.definitions(place) for _ in range(TRIES))


@cache
def _names(text: str) -> frozenset[tuple[int, int]]:
    """Return the lines and columns of all names in the code of a file, 1-based: not in texts, not in comments."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return frozenset()
    return frozenset((one.start[0], one.start[1] + 1) for one in tokens if one.type == tokenize.NAME)
