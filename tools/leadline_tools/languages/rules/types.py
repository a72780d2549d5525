"""Types and values as terms (see ``terms``), and the evidence of types in the code and in its comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.branches import NO_BRANCHES, Branches
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import Spell, Spelling

Made = Callable[[Node, Spell], Iterable[tuple[Node, str]]]
"""From a node to the names that it gives values to, each with the term of its value."""


Fills = Callable[[Node, str, Spell], Iterable[tuple[str, str]]]
"""From a call, the term of what it is called on and how nodes are spelled to the collections that it fills: names, or
members of the own object, each with the term of a collection that holds what it puts in."""


Puts = Callable[[Node, Spell], Iterable[tuple[str, str]]]
"""What a statement puts into collections: each collection as it is spelled, and the term of what it then holds."""


class DocumentedMember(NamedTuple):
    """A member that a comment declares: its name, the byte at which that begins, the term of its type."""

    name: str
    start: int
    type: str


class DocumentedType(NamedTuple):
    """A type that a comment declares.

    Args:
        name: Its name.
        start: The byte at which the name begins.
        span: The bytes of all that declares it.
        type: The term of what it is another name for; empty for a type of its own.
        members: The members of such a type.
        bases: The terms of the types whose members it has besides.

    """

    name: str
    start: int
    span: tuple[int, int]
    type: str
    members: Sequence[DocumentedMember] = ()
    bases: Sequence[str] = ()


class Documentation(NamedTuple):
    """What the comments of a source declare: types, and what is imported for types alone."""

    types: Sequence[DocumentedType]
    imports: Sequence[Imported]


def no_type(_spelled: str) -> str:
    """Return nothing: the language itself has no type that members could be declared for."""
    return ""


@dataclass(frozen=True, slots=True)
class TypeRules:
    """How types and values are spelled as terms, and what decides of which type something is.

    Args:
        native: From how a type is spelled where members are declared for it to what terms call it, where the language
            itself has the type: ``[T]`` of Rust is a collection; empty for a type that has to be declared.
        element: The member of a type that is the type of what a loop takes from its objects; empty for none.
        documented: The types and the imports that the comments of a source declare.
        documented_this: The term of the type that a comment gives to what a function calls its own object.
        terms: How a node of a type or a value is spelled as a term, where it is no name and takes no member.
        through: The step from an object to that of which a node takes a member, by the node: ``a->b`` of C++.
        pointers: The names of members by which an object of a type acts as a pointer; empty where pointers are told
            from what they point to.
        wrappers: The names of types that stand for their first argument (``Promise``, ``Box``).
        unwraps: The names of the members that give what such a type stands for, or holds as its last argument.
        paired: The names of types from outside of which a loop takes keys with their values.
        returns: The node types that say what a function returns, each with how that is spelled.
        narrows: The node types that tell of which type a name is, wherever it is used: names and terms of values.
        puts: The node types that put something into a collection: names or members of the own object, with such terms.
        fillers: The methods that fill a collection, by name.
        empty: The terms of collections that are made empty: what fills those tells what they hold.
        branches: What conditions tell of names, and where.
        anonymous: Node types that open the scope of a class without a name, each with the terms of its bases.
        written: True where those are types that are written out where they are used, see ``terms.written_at``.
        by_arity: True where types of one name are different ones by how many type parameters they have.
        renames_by_value: True where a variable whose value is the name of a type is another name of it.
        types_are_values: True where the name of a type alone is that type where a value is meant, and no object.
        narrows_bounds: True where what a call gives a type parameter may have other members of its own in the place of
            those of the bound of the parameter.
        bases_are_values: True where a class may yet inherit from what a variable holds.

    """

    native: Callable[[str], str] = no_type
    element: str = ""
    documented: Callable[[bytes], Documentation] | None = None
    documented_this: Callable[[Node], str] | None = None
    terms: Mapping[str, Spelling] = field(default_factory=dict[str, Spelling])
    through: Callable[[Node], str] | None = None
    pointers: Sequence[str] = ()
    wrappers: frozenset[str] = frozenset()
    unwraps: frozenset[str] = frozenset()
    paired: frozenset[str] = frozenset()
    returns: Mapping[str, Spelling] = field(default_factory=dict[str, Spelling])
    narrows: Mapping[str, Callable[[Node, Spell], Iterable[tuple[str, str]]]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[tuple[str, str]]]]
    )
    puts: Mapping[str, Puts] = field(default_factory=dict[str, "Puts"])
    fillers: Mapping[str, Fills] = field(default_factory=dict[str, "Fills"])
    empty: frozenset[str] = frozenset()
    branches: Branches = NO_BRANCHES
    anonymous: Mapping[str, Callable[[Node, Spell], Iterable[str] | None]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[str]]]
    )
    written: bool = False
    by_arity: bool = False
    renames_by_value: bool = False
    types_are_values: bool = False
    narrows_bounds: bool = False
    bases_are_values: bool = False
