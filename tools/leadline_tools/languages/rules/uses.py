"""Uses of names: members, keys, roles, and names in strings and in text.

A *member* is a name that is taken of something: of an object, a type or a module. A *key* names a member of what is
made where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.rules.types import Made
from leadline_tools.model import Role

Member = tuple[str, str] | Callable[[Node], Sequence[Node | None]]
"""How a node takes members: the fields of the object and of the member, or a function that gives the object and the
members in their order, each a member of what is before it."""


class Quoted(NamedTuple):
    """A name in a string: the string, the byte of it at which the name begins, its receiver and its role.

    The receiver is a term, or the node that is spelled as one.
    """

    within: Node
    start: int
    name: str
    receiver: str | Node
    role: Role


class Written(NamedTuple):
    """A name in what the grammar leaves as text, as in the text of a macro: the byte at which it begins.

    ``receiver`` is the term of what it is a member of; ``short`` is True for one that is a key at once.
    """

    start: int
    name: str
    role: Role
    receiver: str
    short: bool = False


@dataclass(frozen=True, slots=True)
class UseRules:
    """What nodes do with the names in them: which are members, which are keys, which role each has.

    Args:
        members: For each node type that takes a member of something: the fields of the object and of the member, or a
            function that gives the nodes where the grammar names no fields or puts the member deeper.
        roles: The role of a child by (type of the parent, field of the child); the empty field stands for any.
        anonymous_keys: True where a key that is declared where it stands is one of an object without a type.
        member_signs: What stands before a name that is taken of something.
        quotes_members: True where a name in a string is that of a member.
        global_objects: The names of objects whose members every file sees as names that stand alone.
        declares_literal_keys: True where the key of an object literal declares a member where no type says what is
            wanted there.
        quotes: The node types that hold names in strings: annotations in quotes.
        literal_keys: For each node type that names members of what it makes: the names, each with the term of what it
            is a member of; BARE for what turns out to be a name like any other.
        shorthands: The node types of names that are such a member and a name like any other at once, or of what holds
            nothing but such a name: ``{ a }``.
        pairs: For each node type that pairs a key with a value: the two, where a ``shorthand`` could stand for them.
        texts: For each node type that holds text in which the grammar tells no names: those in it.
        endings: What a name may lack in a role: a decorator of C# is called ``Foo`` or ``FooAttribute``.
        keys: (type of the parent, field) pairs in which an identifier is a key, not a name to look up: the keyword of a
            Python argument, the key of a JavaScript object. What has the field may also be a node around it, or several
            of one type.
        reads_are_calls: True where a name that stands alone and is no variable is a call of a method (Ruby).

    """

    members: Mapping[str, Member] = field(default_factory=dict[str, Member])
    roles: Mapping[tuple[str, str], Role] = field(default_factory=dict[tuple[str, str], Role])
    anonymous_keys: bool = False
    member_signs: tuple[bytes, ...] = (b".",)
    quotes_members: bool = False
    global_objects: frozenset[str] = frozenset()
    declares_literal_keys: bool = False
    quotes: Mapping[str, Callable[[Node], Iterable[Quoted]]] = field(
        default_factory=dict[str, Callable[[Node], Iterable[Quoted]]]
    )
    literal_keys: Mapping[str, Made] = field(default_factory=dict[str, Made])
    shorthands: frozenset[str] = frozenset()
    pairs: Mapping[str, Callable[[Node], Sequence[Node | None]]] = field(
        default_factory=dict[str, Callable[[Node], Sequence[Node | None]]]
    )
    texts: Mapping[str, Callable[[Node], Iterable[Written]]] = field(
        default_factory=dict[str, Callable[[Node], Iterable[Written]]]
    )
    endings: Mapping[Role, str] = field(default_factory=dict[Role, str])
    keys: frozenset[tuple[str, str]] = frozenset()
    reads_are_calls: bool = False
