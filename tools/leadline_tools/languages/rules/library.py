"""The library of a language: what is known of types, members and functions that no file declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from leadline_tools.languages.terms import Op

HidingModules = Callable[[Iterable[str]], frozenset[str]]
"""Returns names of modules by the paths of all files."""


@dataclass(frozen=True, slots=True)
class LibraryRules:
    """What the standard library and the hosts of a language have: types, members, functions.

    Args:
        collections: The members of collections from outside, by name: terms of function types, in which one of ``this``
            is the collection.
        holders: The types from outside that are such collections, by name. Empty: all types with arguments.
        collection_members: The members that every collection has, where objects without a type are known to be
            collections. Empty where they are not.
        function_members: The members that every function has, where a program can add members to functions. Empty where
            it cannot.
        standard: How the names of modules of the standard library, and of others whose types are known, begin: such
            types are not imported from other modules.
        functions: The functions from outside that have type parameters, by module and name: terms of function types in
            which capital letters stand for the parameters.
        callables: The types from outside that are called through a method, by name: terms of function types, in which
            one of ``this`` is the object.
        function_types: The names of types from outside whose objects are all functions: no literal is one.
        protocols: The methods that give what a step gives, in order of precedence: terms in which one of ``this`` is
            the object.
        iterates: The method that a loop calls. A type without it is iterated by index. Empty where the language does
            not do so.
        iterators: The methods, whose names are no identifiers, that return what a loop takes one after the other.
        operators: The methods that a step calls on an object, where their names are no identifiers.
        member_types: The meanings of member types of types from outside, by name: terms in which one of ``this`` is an
            object.
        members_of_heirs: The members that the language declares in each type with a base from outside, by the name of
            the base: their terms by their names, in which one of ``this`` is an object of the base (``valueOf`` of each
            ``Enum`` of Java).
        collection_members_of_heirs: The ``collections`` members of each type with a base from outside that does not say
            what it holds, by the last name of the base: the type itself says that (``Iterator`` of Rust).
        members_of_heirs_objects: The members that objects of each such type have by the language, in the same way
            (``name`` of the constants of each enumeration of Kotlin).
        open_parts: True where destructuring without a method gives the members that hold values.
        parts: The term of a part of an object that its type takes apart: ``{0}`` is its index, ``{1}`` its index from 1
            on. Without a method the parts are the first members that hold values. Empty: tuples alone.
        classes: The names of the members by which an object has its class.
        external_members: Returns the names of the members of a base from outside, None where they are not known. The
            empty name stands for all objects. None for a language without such knowledge.
        external_types: Returns whether a name from outside is surely a type whose objects are made by a call and have
            no other members than its own.
        member_hooks: The methods that answer for members which an object does not have, so that it may have any.
        plain_types: The names of ``predeclared`` types whose methods return nothing but objects of such types.
        primitives: The names of ``predeclared`` values that make or have nothing with members in the tree: ``new
            Date()``.
        promise_members: The members of a promise, which is spelled like what it promises: ``then`` of JavaScript.
        host_member: Returns the term of a member of a type of a host, or of what a call of the member gives; empty
            where it is not known. None for no such types.
        host_ancestors: Returns a type of a host and its ancestors, nearest first.
        host_values: The variables and functions of hosts, with their terms.
        host_modules: The modules that hosts and the standard library have themselves, by their names in imports or by
            what these begin with. They import nothing of the code base.
        hiding_modules: Returns the names of the modules of a code base that are imported in place of a host module of
            the name, by the paths of all files. None where no module is.
        interfaces: The interfaces from outside that types fit without naming them, with the heads of their methods.
        is_self_contained: Returns whether a member of a module from outside gives nothing that the code base declares,
            whatever is called or taken of it: by the name of the module and of the member.
        own_members: The members that types from outside have by themselves, by the names of the types: they take
            precedence over those that the code base gives these types by implementing interfaces.
        extending: Names by which a type itself gets the members of its objects, see ``members_of_types``.
        standard_types: Names of types from outside that every file sees and whose objects stand for no others.
        is_standard_path: Returns whether a dotted name, as it stands before a member, is that of a type or a module of
            the standard library, and of no interface: the code base gives it members by interfaces alone.
        members_of_types: Names of members that each type has by the language, where none of its bases declares another.
        conforms: The interfaces that types from outside have, nearest first, by the names of the types, which have what
            the code base adds to their interfaces.
        names_of_modules: The names that modules from outside declare: one that a file also has from a module of the
            code base, both imported as a whole, may be either.
        common: Names of members that types from outside have: a member of an unknown object may be one of them.

    """

    collections: Mapping[str, str] = field(default_factory=dict[str, str])
    holders: frozenset[str] = frozenset()
    collection_members: frozenset[str] = frozenset()
    function_members: frozenset[str] = frozenset()
    standard: str | tuple[str, ...] = ""
    functions: Mapping[str, str] = field(default_factory=dict[str, str])
    callables: Mapping[str, str] = field(default_factory=dict[str, str])
    function_types: frozenset[str] = frozenset()
    protocols: Mapping[Op, Sequence[str]] = field(default_factory=dict[Op, Sequence[str]])
    iterates: str = ""
    iterators: tuple[str, ...] = ()
    operators: Mapping[Op, str] = field(default_factory=dict)
    member_types: Mapping[str, str] = field(default_factory=dict)
    members_of_heirs: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, "Mapping[str, str]"])
    collection_members_of_heirs: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    members_of_heirs_objects: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, "Mapping[str, str]"])
    open_parts: bool = False
    parts: str = ""
    classes: frozenset[str] = frozenset()
    external_members: Callable[[str], AbstractSet[str] | None] | None = None
    external_types: Callable[[str], bool] = lambda _name: False
    member_hooks: frozenset[str] = frozenset()
    plain_types: frozenset[str] = frozenset()
    primitives: frozenset[str] = frozenset()
    promise_members: frozenset[str] = frozenset()
    host_member: Callable[[str, str], str] | None = None
    host_ancestors: Callable[[str], Iterable[str]] = lambda _name: ()
    host_values: Mapping[str, str] = field(default_factory=dict[str, str])
    host_modules: frozenset[str] = frozenset()
    hiding_modules: HidingModules | None = None
    interfaces: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    is_self_contained: Callable[[str, str], bool] = lambda _module, _name: False
    own_members: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    extending: tuple[str, ...] = ()
    standard_types: frozenset[str] = frozenset()
    is_standard_path: Callable[[str], bool] = lambda _name: False
    members_of_types: frozenset[str] = frozenset()
    conforms: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    names_of_modules: Mapping[str, frozenset[str]] = field(default_factory=dict[str, "frozenset[str]"])
    common: frozenset[str] = frozenset()
