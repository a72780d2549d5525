"""What a term stands for, as the resolver hands it around."""

from __future__ import annotations

from dataclasses import dataclass

from leadline_tools.languages.terms import GIVEN
from leadline_tools.resolve.project.resolution import ExternalType, Resolution


@dataclass(frozen=True, slots=True)
class Type:
    """What a term stands for.

    Args:
        of: A definition, module or type; what is bound to a name that is no type or function is not looked up yet.
        instance: True for an object of the type ``of``.
        arguments: The type arguments, each as the objects that it allows.
        taken: The object or type that a member was taken from, and the type in which it was found.
        above: Of an object as what a class inherits from, among whose members those of the class are not: that class.
        told: True for what a name of a declared type was told to be besides: it counts where the type has no answer.
        mapped: True for an object that has the members of the type with other types, which nothing says.

    """

    of: Resolution
    instance: bool = False
    arguments: tuple[tuple[Type, ...], ...] = ()
    taken: MemberAccess | None = None
    above: Resolution | None = None
    told: bool = False
    mapped: bool = False


@dataclass(frozen=True, slots=True)
class MemberAccess:
    """Where a member comes from: what it was taken from, and the type that declares it, both with their arguments.

    Of what is called ``bound`` tells what the call gives its type parameters.
    """

    receiver: Type
    owner: Type
    bound: Substitution = ()


FREE = ExternalType(GIVEN)
"""What a type parameter is that stands for whatever a call gives; the arguments are what it is at least."""

Substitution = tuple[tuple[str, tuple[Type, ...]], ...]
"""What type parameters stand for, by their names."""
