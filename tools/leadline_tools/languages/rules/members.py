"""Members of types: declared, inherited, implemented, added from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import Spell


class Subtype(NamedTuple):
    """A type and the names of what it inherits from: the last segment of each as it is written.

    ``path`` is the dotted name of the type inside its file; of one that is no symbol its name, empty for none.
    """

    path: str
    bases: tuple[str, ...]


Takes = Callable[[Node, Spell], Iterable[Imported]]
"""From a node in the body of a type to the members that the type takes of others, each in the namespace MEMBERS."""


@dataclass(frozen=True, slots=True)
class MemberRules:
    """What members types have: their own, inherited ones, and those that are added from outside.

    Args:
        plain_bases: The expression of what stands between the name of a type and its body where it inherits from
            nothing but names, which are read from its first group: those are split at commas, and at dots.
        hidden: From a source to the types in it that ``outline`` may not come upon, for having no name or being in a
            body: what stands in a comment or a string may be among them, and types that it finds too.
        by_interface: True where a call of what a type implements means the member of the interface (a Rust trait).
        attributes: True where giving a value to a member of ``this`` or ``own`` declares the member.
        takes: For each node type by which a type takes members of others: those. They go before what it inherits.
        root: The type that every type inherits from without saying so.
        structural: True where a type implements an interface by having its methods.
        protocol_bases: The bases that make a type one of which all that have its members are subtypes (Python).
        compares_members: True where a type takes the objects of any other that has its members (TypeScript).
        shared: Tells of a name that methods called so in two folders may be one where ``structural``.
        stands_for: Tells from the declarations of two methods whether one may be the other where ``structural``.
        shallow: True where of inherited members of one name the one over the fewest steps is meant, and a type has none
            but those that are declared for it or inherited (Go).
        extends: True where members are declared for a type by naming it: it must be the one that the name means there.
        at_once: True where a type says in one place what it inherits from, wherever its members are.
        explicit: True where a type may have a member for one interface alone (see ``Defines.explicit``).
        companions: True where an object in a type (``inner``) may have members that are taken of the type (Kotlin).
        companion: What such an object is called that has no name of its own.
        twins: True where an object may be called like the type beside it, and inherits from what it says itself.
        amended: True where functions add members to types from outside (see ``Defines.amends``).
        added_by_call: True where such a function is meant by a call: a member that is read is one of the type itself.
        added_by_space: True where such a function is seen by the namespace of its type, and projects open namespaces.
        adds_accessors: The annotations of a type or a field for which a tool adds methods that are called like fields.
        adds_methods: The annotations of a type in which a tool lets calls of a member mean functions of other types.

    """

    plain_bases: re.Pattern[bytes] | None = None
    hidden: Callable[[bytes], Iterable[Subtype]] | None = None
    by_interface: bool = False
    attributes: bool = False
    takes: Mapping[str, Takes] = field(default_factory=dict[str, "Takes"])
    root: str = ""
    structural: bool = False
    protocol_bases: frozenset[str] = frozenset()
    compares_members: bool = False
    shared: Callable[[str], bool] = lambda _name: True
    stands_for: Callable[[str, str], bool] = lambda _one, _other: True
    shallow: bool = False
    extends: bool = False
    at_once: bool = False
    explicit: bool = False
    companions: bool = False
    companion: str = ""
    twins: bool = False
    amended: bool = False
    added_by_call: bool = False
    added_by_space: bool = False
    adds_accessors: frozenset[str] = frozenset()
    adds_methods: frozenset[str] = frozenset()
