"""Names in terms, and what they say of the place in which they are seen: ``a{3}``, ``a{@12}``; see ``terms``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from leadline_tools.lazy_regex import lazy_compile

NAME = r"[^.()\[\]*#;%^&~\"<>,|]+"
"""What matches a name, with what it says of its place."""

HEAD = lazy_compile(rf"(?:^|(?<=[|<,])){NAME}")
"""A name with which an alternative, an argument or a whole term begins."""

_PLACED = lazy_compile(r"(.+?)\{(\d*)((?:@\d+)*)\}", re.DOTALL)


class PlacedName(NamedTuple):
    """A name, the scope in which it says it is seen, -1 for none, and the lines on which it is bound, none for any."""

    name: str
    scope: int = -1
    lines: frozenset[int] = frozenset()

    def spelled(self) -> str:
        """Return it as a term."""
        place = (str(self.scope) if self.scope > 0 else "") + "".join(f"@{line}" for line in sorted(self.lines))
        return f"{self.name}{{{place}}}" if place else self.name


def place_names(term: str, scope_of: Callable[[str], int]) -> str:
    """Return a term whose names say in which scope they are seen, those for which ``scope_of`` gives one above 0."""

    def spelled(name: re.Match[str]) -> str:
        place = place_of(name[0])
        scope = scope_of(place.name)
        return place._replace(scope=scope).spelled() if scope > 0 else name[0]

    return HEAD.sub(spelled, term)


def place_of(head: str) -> PlacedName:
    """Return the first name of a term, and what it says of itself."""
    at = _PLACED.fullmatch(head) if head.endswith("}") else None
    return PlacedName(at[1], int(at[2] or -1), frozenset(map(int, at[3].split("@")[1:]))) if at else PlacedName(head)
