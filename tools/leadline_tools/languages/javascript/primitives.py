"""Strings, numbers and the like, whose members give nothing but such values."""

from __future__ import annotations

from collections.abc import Iterable

from leadline_tools.languages import terms
from leadline_tools.languages.terms import UNKNOWN, either, object_of

PRIMITIVE = object_of(terms.PRIMITIVE)
"""A string, a number or the like. It never stands beside something else: what else there is may be unknown."""


def join_alternatives(found: Iterable[str]) -> str:
    """Return the term of what is one of some things: of a primitive nothing is known unless all of them are."""
    listed = list(found)
    primitive = {PRIMITIVE, terms.PRIMITIVE}
    if listed and all(one in primitive for one in listed):
        return listed[0]
    return either(one for one in listed if one not in primitive)


def widen_primitive(term: str) -> str:
    """Return the term of what may be given another value later, which need not be a primitive then."""
    return UNKNOWN if term == PRIMITIVE else term


PRIMITIVE_TYPES = frozenset({"string", "number", "boolean", "bigint", "symbol"})
"""https://www.typescriptlang.org/docs/handbook/2/everyday-types.html#the-primitives-string-number-and-boolean."""

PRIMITIVES = frozenset(
    "BigInt Boolean Date Intl Math Number RegExp String Symbol"
    " AbortController Blob Buffer FormData Headers TextDecoder TextEncoder URL URLSearchParams"
    " isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent atob btoa".split()
)
"""What the language and its hosts declare whose objects, and what their members give, are never of the code base."""
