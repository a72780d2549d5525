"""Types and values as terms (see ``terms``), and the evidence of types in the code and in its comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import NO_BRANCHES, Branches
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
        terms: How nodes of types and values are spelled as terms, by node type, where they are no names and take no
            member.
        through: The step from an object to what a node takes a member of: ``a->b`` of C++.
        pointers: The names of members by which an object acts as a pointer. Empty where the language has types of
            pointers.
        guards: The types from outside that stand for their only type argument, by name, with the packages that have
            them: others may have types of these names.
        wrappers: The names of types that stand for their first argument (``Promise``, ``Box``).
        unwraps: The names of members that return what a wrapper holds, or its last argument.
        keyed_types: The names of types from outside that keep a key beside their elements, each with the name of the
            type of an element, which has the same type arguments; empty where that is the last of these.
        pair_types: The names of types from outside whose loops yield keys with values.
        native_type: Returns the name that terms have for a type of the language itself, from the spelling of a type
            that members are declared for: ``[T]`` of Rust is a collection. Empty for a type that has to be declared.
        element: The member type that names the elements of an object (``Item`` of Rust); empty for none.
        read_documentation: Returns the types and imports that the comments of a source declare.
        is_documented_type: Returns whether a byte of a source, by its offset, may be one of a type in such a comment.
        documented_this: Returns the term of the type that a comment gives to the own object of a function.
        returns: The node types that say what a function returns, each with how that is spelled.
        narrows_scope: The node types that say of which type a name is, wherever it is used: names and terms of values.
        puts: The node types that put something into a collection: names or members of the own object, with terms.
        fillers: The methods that fill a collection, by name.
        empty: The terms of empty collections, whose elements follow from what fills them.
        narrows_branches: What conditions say of types, and where.
        anonymous: The node types that open the scope of a class without a name, each with the terms of its bases.
        anonymous_declarations: Those of them that are no part of an expression: such a class begins where they begin.
        received: The node types that open the scope of a function which may see the members of an object bare, each
            with the terms of that: a lambda of Kotlin whose type has a receiver.
        has_type_literals: True where ``anonymous`` types are written where they are used, see ``terms.written_at``.
        by_arity: True where types of one name with different numbers of type parameters are different types.
        shares_parameters: True where what extends a type elsewhere sees its type parameters.
        renames_by_value: True where a variable whose value is the name of a type is another name of it.
        types_are_values: True where the bare name of a type in the place of a value means the type, not an object.
        narrows_bounds: True where the argument for a type parameter may have other members than the bound of the
            parameter.
        narrows_on_assignment: True where a name of a declared type has the type of what it is assigned, if that is
            narrower, up to the next assignment.
        bases_are_values: True where a class may inherit from the value of a variable.

    """

    terms: Mapping[str, Spelling] = field(default_factory=dict[str, Spelling])
    through: Callable[[Node], str] | None = None
    pointers: Sequence[str] = ()
    guards: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    wrappers: frozenset[str] = frozenset()
    unwraps: frozenset[str] = frozenset()
    keyed_types: Mapping[str, str] = field(default_factory=dict[str, str])
    pair_types: frozenset[str] = frozenset()
    native_type: Callable[[str], str] = no_type
    element: str = ""
    read_documentation: Callable[[bytes], Documentation] | None = None
    is_documented_type: Callable[[int, bytes], bool] | None = None
    documented_this: Callable[[Node], str] | None = None
    returns: Mapping[str, Spelling] = field(default_factory=dict[str, Spelling])
    narrows_scope: Mapping[str, Callable[[Node, Spell], Iterable[tuple[str, str]]]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[tuple[str, str]]]]
    )
    puts: Mapping[str, Puts] = field(default_factory=dict[str, "Puts"])
    fillers: Mapping[str, Fills] = field(default_factory=dict[str, "Fills"])
    empty: frozenset[str] = frozenset()
    narrows_branches: Branches = NO_BRANCHES
    anonymous: Mapping[str, Callable[[Node, Spell], Iterable[str] | None]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[str]]]
    )
    anonymous_declarations: frozenset[str] = frozenset()
    received: Mapping[str, Callable[[Node, Spell], Iterable[str]]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[str]]]
    )
    has_type_literals: bool = False
    by_arity: bool = False
    shares_parameters: bool = False
    renames_by_value: bool = False
    types_are_values: bool = False
    narrows_bounds: bool = False
    narrows_on_assignment: bool = False
    bases_are_values: bool = False
