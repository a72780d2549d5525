"""Types: what a term stands for, with its type arguments and with what it was taken from.

A type is made of an *origin*, which is a symbol, a module, a local name or a type from outside, and of arguments. It
stands for the origin itself (a class, a function, a module), or for an instance of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from leadline_tools.languages import terms
from leadline_tools.languages.terms import COLLECTION, FUNCTION, GIVEN, PREDICATE, PRIMITIVE, RECEIVER, TUPLE, VARIADIC
from leadline_tools.resolve.project.resolution import ExternalType, Resolution, alternatives


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a term.

    Args:
        origin: A symbol, a module, a local name or a type from outside; a name that is no type or function may still
            be an alias of something.
        is_instance: True for an instance of the origin.
        arguments: The type arguments, each as the instances that it allows.
        access: The object or type that a member was taken from, and the type in which it was found.
        super_of: Of what ``super()`` stands for: the class behind which members are looked up.
        is_fallback: True for a value that a name of a declared type is given: it counts where that type has no answer.
        filters: The members that the origin has and this does not, and those that are left of it.
        is_mapped: True for an object that has the members of its origin, with other types that are not known.

    """

    origin: Resolution
    is_instance: bool = False
    arguments: tuple[tuple[Type, ...], ...] = ()
    access: MemberAccess | None = None
    super_of: Resolution | None = None
    is_fallback: bool = False
    filters: tuple[MemberFilter, ...] = ()
    is_mapped: bool = False


Types = tuple[Type, ...]
"""What one term may stand for."""


@dataclass(frozen=True, slots=True)
class MemberFilter:
    """What a type leaves out of another: some members, or all others.

    Args:
        names: The names of members.
        of: Types whose members are meant, too.
        picks: True where those are left, False where they are left out.

    """

    names: frozenset[str]
    of: Types
    picks: bool


@dataclass(frozen=True, slots=True)
class MemberAccess:
    """Where a member comes from: what it was taken from, and the type that declares it, both with their arguments.

    Of what is called ``substitution`` has what the call gives its type parameters.
    """

    receiver: Type
    owner: Type
    substitution: Substitution = ()


Substitution = tuple[tuple[str, Types], ...]
"""What type parameters stand for, by their names."""

MOST_TYPES = 256
"""Types that one term or name may stand for."""

PREDICATE_TYPE = ExternalType(PREDICATE)
COLLECTION_TYPE, FUNCTION_TYPE, TUPLE_TYPE = ExternalType(COLLECTION), ExternalType(FUNCTION), ExternalType(TUPLE)
RECEIVER_TYPE = ExternalType(RECEIVER)
PRIMITIVE_TYPE, VARIADIC_TYPE = ExternalType(PRIMITIVE), ExternalType(VARIADIC)

UNKNOWN_TYPE = ExternalType("?")
"""A type of which only the arguments are known, or that it most likely is from outside."""

FREE = ExternalType(GIVEN)
"""What a type parameter is that stands for whatever a call gives; the arguments are what it is at least."""


def all_types(found: Iterable[Type]) -> list[Type]:
    """Return each of some types once; none where they are too many, as if nothing was known of what they stand for.

    What is said of some of them alone would be said of all: that nothing else is meant.
    """
    each = list(islice(dict.fromkeys(found), MOST_TYPES + 1))
    return each if len(each) <= MOST_TYPES else []


def is_record(type_: Type) -> bool:
    """Return whether something is an object of a type whose members are written out where it stands."""
    return type_.is_instance and isinstance(type_.origin, ExternalType) and terms.is_record(type_.origin.name)


def types_of(resolution: Resolution) -> Types:
    """Return what a name stands for that resolves to something."""
    return tuple(map(Type, alternatives(resolution)))
