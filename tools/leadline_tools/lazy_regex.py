"""Regular expressions that are compiled when they are first used.

Every process knows all languages, and most processes meet two or three of them. To compile the expressions of all takes
a fourth of the time in which a worker starts.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


def lazy_compile(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression like ``re.compile``; an error in it shows when it is first used."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(expression, flags))


class _LazyPattern(Generic[AnyStr]):
    """Becomes a compiled expression: from the first use on, its methods are those of the expression."""

    def __init__(self, expression: AnyStr, flags: int) -> None:
        self._given: tuple[AnyStr, int] = expression, flags

    def __getattr__(self, name: str) -> Any:
        """Compile the expression; an attribute that it has given is found without this."""
        compiled = re.compile(*self._given)
        self.__dict__.update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)
