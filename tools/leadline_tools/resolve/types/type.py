"""Types: what a term stands for, with its type arguments and with what it was taken from.

A type is made of an *origin*, which is a symbol, a module, a local name or a type from outside, and of arguments. It
stands for the origin itself (a class, a function, a module), or for an instance of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from leadline_tools.languages import terms
from leadline_tools.languages.terms import COLLECTION, FUNCTION, GIVEN, PRIMITIVE, TUPLE, VARIADIC
from leadline_tools.resolve.project.resolution import ExternalType, Resolution, alternatives


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a term.

    Args:
        of: A definition, module or type; what is bound to a name that is no type or function is not looked up yet.
        instance: True for an object of the type ``of``.
        arguments: The type arguments, each as the objects that it allows.
        access: The object or type that a member was taken from, and the type in which it was found.
        above: Of an object as what a class inherits from, among whose members those of the class are not: that class.
        told: True for what a name of a declared type was told to be besides: it counts where the type has no answer.
        mapped: True for an object that has the members of the type with other types, which nothing says.

    """

    of: Resolution
    instance: bool = False
    arguments: tuple[tuple[Type, ...], ...] = ()
    access: MemberAccess | None = None
    above: Resolution | None = None
    told: bool = False
    mapped: bool = False


Types = tuple[Type, ...]
"""What one term may stand for."""


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

COLLECTION_TYPE, FUNCTION_TYPE, TUPLE_TYPE = ExternalType(COLLECTION), ExternalType(FUNCTION), ExternalType(TUPLE)
PRIMITIVE_TYPE, VARIADIC_TYPE = ExternalType(PRIMITIVE), ExternalType(VARIADIC)

UNKNOWN_TYPE = ExternalType("?")
"""A type of which only the arguments are known, or that it most likely is from outside."""

FREE = ExternalType(GIVEN)
"""What a type parameter is that stands for whatever a call gives; the arguments are what it is at least."""


def is_record(type_: Type) -> bool:
    """Tell whether something is an object of a type whose members are written out where it stands."""
    return type_.instance and isinstance(type_.of, ExternalType) and terms.is_record(type_.of.name)


def types_of(resolution: Resolution) -> Types:
    """Return what a name stands for that resolves to something."""
    return tuple(map(Type, alternatives(resolution)))
