"""The library of a language: what is known of types, members and functions that no file declares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from leadline_tools.languages.terms import Op


@dataclass(frozen=True, slots=True)
class LibraryRules:
    """What the standard library and the hosts of a language have: types, members, functions.

    Args:
        function_types: The names of types from outside all of whose objects are functions: no literal is one.
        collection_members: Where objects whose type has no name are known as collections: the members that a collection
            has by the language. Empty where they are not.
        function_members: Where a program can give any function further members: those that every function has by the
            language. Empty where it cannot.
        collections: The members of collections from outside, by name: terms of function types, in which one of ``this``
            is the collection.
        holders: The types from outside that are such collections, by name; empty: all that have arguments.
        standard: How the modules of the standard library begin: what is imported from others is none of its types.
        functions: The functions from outside that have type parameters, by their module and name: terms of function
            types in which capital letters stand for those.
        callables: The types from outside of what is called by a method, by name: terms of the function types that they
            are, in which one of ``this`` is the object.
        protocols: What a step gives of an object whose type says so by methods: terms in which one of ``this`` is the
            object, the first that is known counts.
        external_members: From a type from outside, as a type names it as a base, to the names of its members; None for
            one of which those are not known. The members of every object are those of the empty name. None for a
            language in which nothing is concluded from bases from outside.
        external_types: Whether the name of something from outside surely is that of a type, objects of which are made
            by calling it and have no members but those that it has.
        member_hooks: The methods that are called for members which an object does not have: it may have any.
        iterates: The method that loops call, and what takes an object apart as a loop would; where a type has none, a
            loop takes what an index gives. Empty for a language in which that is not so.
        operators: The methods that a step calls on an object, where their names are no identifiers.
        member_types: What the types stand for that types from outside have, by name: terms in which one of ``this`` is
            an object of such a type.
        open_parts: True where an object that is taken apart without a method gives its members that hold values.
        parts: The term of a part of an object that its type takes apart: ``{0}`` is its place, ``{1}`` the same from 1
            on; where no method says so, the parts are the first members that hold values. Empty: tuples alone.
        classes: The names of the members by which an object has its class.
        plain_types: Those of them that are types whose objects have methods that give nothing but such objects.
        primitives: Those of them that make, or have, nothing but what has no member of the code base: ``new Date()``.
        promised: The members of what promises something, which is spelled like that: ``then`` of JavaScript.
        host_member: From the name of a type that hosts of a language have, and that of a member, to the term of what
            that is, or of what a call of it gives; empty where it is not known. None for no such types.
        host_ancestors: From the name of such a type to it and those that it inherits from, the nearest first.
        host_values: The variables and functions of hosts whose types are known so, with their terms.
        common: Names of members that types from outside have: who takes one of something unknown may mean those.

    """

    function_types: frozenset[str] = frozenset()
    collection_members: frozenset[str] = frozenset()
    function_members: frozenset[str] = frozenset()
    collections: Mapping[str, str] = field(default_factory=dict[str, str])
    holders: frozenset[str] = frozenset()
    standard: str = ""
    functions: Mapping[str, str] = field(default_factory=dict[str, str])
    callables: Mapping[str, str] = field(default_factory=dict[str, str])
    protocols: Mapping[Op, Sequence[str]] = field(default_factory=dict[Op, Sequence[str]])
    external_members: Callable[[str], AbstractSet[str] | None] | None = None
    external_types: Callable[[str], bool] = lambda _name: False
    member_hooks: frozenset[str] = frozenset()
    iterates: str = ""
    operators: Mapping[Op, str] = field(default_factory=dict)
    member_types: Mapping[str, str] = field(default_factory=dict)
    open_parts: bool = False
    parts: str = ""
    classes: frozenset[str] = frozenset()
    plain_types: frozenset[str] = frozenset()
    primitives: frozenset[str] = frozenset()
    promised: frozenset[str] = frozenset()
    host_member: Callable[[str, str], str] | None = None
    host_ancestors: Callable[[str], Iterable[str]] = lambda _name: ()
    host_values: Mapping[str, str] = field(default_factory=dict[str, str])
    common: frozenset[str] = frozenset()
