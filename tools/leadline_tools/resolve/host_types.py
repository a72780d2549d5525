"""Objects of the types that the hosts of a language have, and what their members are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from leadline_tools.languages.language import Scoping
from leadline_tools.languages.terms import FUNCTION, PRIMITIVE, UNKNOWN, Term, is_record, parsed
from leadline_tools.resolve.meaning import Elsewhere
from leadline_tools.resolve.value import Value

_ANY_TYPE = ""
"""The name of a member that no type has: what is asked for with it is whether the type is known at all."""


@lru_cache(500)
def values_of(term: str) -> tuple[Value, ...]:
    """Return the objects that a term of types of hosts stands for."""
    return tuple(_values(parsed(term)))


def _values(term: Term) -> Iterator[Value]:
    for one in term:
        arguments = tuple(tuple(_values(argument)) for step in one.steps[:1] for argument in step.arguments)
        if one.head != UNKNOWN:
            yield Value(Elsewhere(name=one.head), instance=True, arguments=arguments)


def named(scoping: Scoping, name: str) -> Value | None:
    """Return the type of a host with a name; None where its members are not known."""
    known = scoping.host_member is not None and scoping.host_member(name, _ANY_TYPE)
    return Value(Elsewhere(name=name)) if known else None


def members(scoping: Scoping, values: Iterable[Value], name: str, *, called: bool) -> Sequence[Value]:
    """Return what a member of objects of such types is; a function where it is ``called``."""
    lookup = scoping.host_member
    return [one for value in values for one in _member(scoping, lookup, value, name, called=called)] if lookup else ()


def _member(
    scoping: Scoping, lookup: Callable[[str, str], str], value: Value, name: str, *, called: bool
) -> Sequence[Value]:
    of = value.of
    if not isinstance(of, Elsewhere) or of.path or not of.name or is_record(of.name):
        return ()
    if value.instance and of.name in scoping.primitives:
        return values_of(PRIMITIVE)
    found = values_of(lookup(of.name, name)) if value.instance or name == "constructor" else ()
    if not called or any(one.of == _FUNCTION for one in found):
        return found
    return (Value(_FUNCTION, instance=True, arguments=(found,)),) if found else ()


_FUNCTION = Elsewhere(name=FUNCTION)
