"""Generic types of JavaScript's library, as terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from leadline_tools.languages import terms
from leadline_tools.languages.terms import UNKNOWN, apply_type_arguments, either, object_of, then

_LISTS = frozenset({"Array", "ReadonlyArray"})
_COLLECTIONS = frozenset(
    "Set ReadonlySet Iterable IterableIterator Iterator Generator AsyncIterable AsyncIterableIterator AsyncIterator"
    " AsyncGenerator ArrayLike".split()
)
_TRANSPARENT = frozenset(
    "Awaited Exclude Extract NoInfer NonNullable Omit Partial Pick Promise PromiseLike Readonly Required".split()
)
"""Types that have the members of their first argument: https://www.typescriptlang.org/docs/handbook/utility-types.html;
what is promised is what ``await`` gives. Where arguments are read, ``utility_types`` says what some leave out."""


def with_arguments(name: str, given: Sequence[str]) -> str:
    """Return a type with its arguments, or what it stands for."""
    rule = _FORMS.get(name) if given else None
    return rule(name, given) if rule is not None else apply_type_arguments(name, given) if given else name


def as_collection(name: str, given: Sequence[str]) -> str:
    """Return a type whose objects hold elements of its first argument."""
    return either((apply_type_arguments(name, given), apply_type_arguments(terms.COLLECTION, given[:1])))


def _itself(term: str) -> str:
    return object_of(term) if term.endswith("^") else UNKNOWN


_FORMS: Mapping[str, Callable[[str, Sequence[str]], str]] = {
    **dict.fromkeys(_TRANSPARENT, lambda _, given: given[0]),
    **dict.fromkeys(_LISTS, lambda _, given: apply_type_arguments(terms.COLLECTION, given[:1])),
    **dict.fromkeys(_COLLECTIONS, as_collection),
    "ReturnType": lambda _, given: then(_itself(given[0]), "()"),
    "Record": lambda _, given: terms.record([(terms.ANY, given[-1])], closed=True),
    "InstanceType": lambda _, given: _itself(given[0]),
}
