"""Members of types: declared, inherited, implemented, added from outside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import Spell
from leadline_tools.model import Role, SymbolKind


class Subtype(NamedTuple):
    """A type and the names of what it inherits from: the last segment of each as it is written.

    ``path`` is the dotted name of the type inside its file; of one that is no symbol its name, empty for none.
    """

    path: str
    bases: tuple[str, ...]


class OtherNames(NamedTuple):
    """Names by which members are used that are declared under others: in another language, or as a library has them.

    Args:
        names: Returns the other names by which something is used that is declared here, from its kind, its name and its
            text.
        declared: Returns the names under which a member may be declared, from the name and the role of its use here.
        renamed: Returns what a file of this language declares that has another name for others, from the text of the
            file and that name.
        bases: The types, with their namespaces, that a type has to inherit from for members of it to be used so. Empty
            where code of other languages uses the names.
        may_be_meant: Decides from the name and the head of a member whether it is used by other names, where there are
            ``bases``.

    """

    names: Callable[[SymbolKind, str, str], Sequence[str]]
    declared: Callable[[str, Role], Sequence[str]]
    renamed: Callable[[str, str], Sequence[str]]
    bases: frozenset[str] = frozenset()
    may_be_meant: Callable[[str, str], bool] = lambda _name, _head: True


Takes = Callable[[Node, Spell], Iterable[Imported]]
"""From a node in the body of a type to the members that the type takes of others, each in the namespace MEMBERS."""


@dataclass(frozen=True, slots=True)
class MemberRules:
    """What members types have: their own, inherited ones, and those that are added from outside.

    Args:
        plain_bases: The expression of the text between the name of a type and its body where it names its bases and
            nothing else. The first group holds the names, which are separated by commas and qualified by dots.
        hidden: Returns the types of a source that the walk for the index may miss, because they have no name or are in
            a body. Comments and strings may look like types, and types that the walk finds may be among them.
        mixins: The node types by which a type takes members of others, each with those members, which take precedence
            over inherited ones.
        root_type: The type that every type inherits from implicitly.
        empty_bases: The types from outside that have no members and call none of an heir, by their last names.
        structural: True where a type implements an interface by having its methods.
        protocol_bases: The bases that make a type a protocol: all types with its members are subtypes (Python).
        compares_members: True where a type accepts the objects of any type with its members (TypeScript).
        may_be_lambda: Decides from the head of an interface with one method without a body whether a lambda may be an
            object of it. None where no lambda is one.
        may_share_method: Returns whether methods of one name in two folders may be the same, where ``structural``.
        stands_for: Decides from two declarations whether one method may implement the other, where ``structural``.
        statics_apart: True where a type itself and its objects may have a member of one name each, see
            ``Defines.of_type``.
        is_of_type: Decides from the text of a file up to the name of a method, and from that in its line, whether it is
            a method of the type itself; None where the text does not say. Set where the two are symbols of their own.
        shallow: True where the inherited member at the least depth is meant, and a type has only the members that are
            declared for it or inherited (Go).
        by_interface: True where a call on an implementing type means the member of the interface (a Rust trait).
        interfaces_apart: True where a class does not inherit the members of the interfaces that it implements (C#).
        implementing: Yields the names of the types for which a source implements an interface, empty for any type; None
            where what the parser sees says it.
        qualifies: Returns, from the text before a member, the last name of the interface alone whose member is meant;
            empty where the text names none (``<A as B>::``).
        extends_named_types: True where members are declared for a type by naming it, so that the name must mean the
            type there.
        converts_receivers: True where the code base may have an object of any type converted to one that has the member
            which is taken of it.
        extends_any_type: True where members are declared for a type from outside by its name alone (Swift).
        at_once: True where a type declares all bases in one place, wherever its members are.
        type_keywords: The keywords that declare a type inside a type which those below declare in its place.
        explicit: True where a type may have a member for one interface alone, see ``Defines.explicit``.
        companions: True where the members of an object inside a type (``inner``) may be taken of the type (Kotlin).
        companion: The name of a companion object without a name.
        twins: True where an object may have the name of the type beside it, and bases of its own.
        has_extensions: True where functions add members to types from outside, see ``Defines.amends``.
        extension_packages: The packages whose extensions every file sees, where a file sees others in its own package
            and by its imports. None where it sees them otherwise.
        extensions_are_called: True where only a call can mean an extension: a member that is read is one of the type.
        extensions_by_namespace: True where an extension is visible by the namespace of its type, which may be open.
        assignments_declare: True where giving a value to a member of ``this`` or ``own`` declares the member.
        assignments_hide: True where giving a value to a member of a type makes one of its own hiding that of a base.
        constructors_override: True where of the methods that give an attribute a value only constructors override that
            of a base.
        forwards: True where a type from outside may have the members of its type arguments: by ``Deref`` in Rust, as an
            alias or a mapped type in TypeScript and Python.
        names_constant: Decides from the texts before and after a member that is not called whether it is a constant or
            a property; None where it may be a method. Set where a type may have all of one name (PHP).
        demands: Decides from the texts before the name of a type and before that of its member whether a class that
            takes the members of the type has to have that one, and may inherit it (an abstract method of a PHP trait).
        adds_methods: The annotations of a type for which a tool lets calls of a member mean functions of other types.
        adds_accessors: The annotations of a type or a field for which a tool adds methods with the names of fields.
        other_names: The other names by which members are used. None where they have one name.

    """

    plain_bases: re.Pattern[bytes] | None = None
    hidden: Callable[[bytes], Iterable[Subtype]] | None = None
    mixins: Mapping[str, Takes] = field(default_factory=dict[str, "Takes"])
    root_type: str = ""
    empty_bases: frozenset[str] = frozenset()
    structural: bool = False
    protocol_bases: frozenset[str] = frozenset()
    compares_members: bool = False
    may_be_lambda: Callable[[str], bool] | None = None
    may_share_method: Callable[[str], bool] = lambda _name: True
    stands_for: Callable[[str, str], bool] = lambda _one, _other: True
    statics_apart: bool = False
    is_of_type: Callable[[bytes, str], bool | None] | None = None
    shallow: bool = False
    by_interface: bool = False
    interfaces_apart: bool = False
    implementing: Callable[[bytes, str], Iterable[str]] | None = None
    qualifies: Callable[[str], str] = lambda _before: ""
    extends_named_types: bool = False
    converts_receivers: bool = False
    extends_any_type: bool = False
    at_once: bool = False
    type_keywords: frozenset[str] = frozenset()
    explicit: bool = False
    companions: bool = False
    companion: str = ""
    twins: bool = False
    has_extensions: bool = False
    extension_packages: frozenset[str] | None = None
    extensions_are_called: bool = False
    extensions_by_namespace: bool = False
    assignments_declare: bool = False
    assignments_hide: bool = False
    constructors_override: bool = False
    forwards: bool = False
    names_constant: Callable[[str, str], bool | None] | None = None
    demands: Callable[[str, str], bool] | None = None
    adds_methods: frozenset[str] = frozenset()
    adds_accessors: frozenset[str] = frozenset()
    other_names: OtherNames | None = None
