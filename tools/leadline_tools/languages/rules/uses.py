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
        members: The node types that take a member of something, each with the fields of the object and of the member. A
            function returns the nodes where the grammar has no such fields or puts the member deeper.
        qualified: Those of them whose object is a namespace or a type, and never a variable of the same name.
        roles: The role of a child by (type of the parent, field of the child). The empty field stands for any.
        keys: (type of the parent, field) pairs in which an identifier is a key and is not looked up: the keyword of a
            Python argument, the key of a JavaScript object. The parent may be further out, or one of several of its
            type.
        names_field: Decides from the texts before and after a name with a receiver that it is the key of a literal,
            which names a field and never a method. The text before is the line before, where a line begins so. None
            where a key may name a method.
        labels: Such pairs in which an identifier is a part of the name of a function: a label for arguments of Swift.
        literal_keys: The node types with keys that are members of something, each with a function that yields the keys
            and the terms of what they are members of. BARE stands for a name like any other.
        shorthands: The node types of names that are a key and a name at once, or of what holds only such a name: ``{ a
            }``.
        shorthands_in: The node types in which a name may be both, each with a predicate of the name: ``new { a }``.
        key_sign: What stands between a key and its value.
        pairs: The node types that pair a key with a value, each with the two, where a ``shorthand`` could replace them.
        declares_literal_keys: True where a key of an object literal declares a member, unless a type is expected there.
        documents_parameter: Returns whether a comment says of what type a parameter is, given the comment, the name of
            the parameter and its 0-based place; None where comments give no types.
        code_in_strings: Returns where the strings of a file are that a framework reads as code, in bytes.
        anonymous_keys: True where a key that is declared in place is a member of an object without a type.
        texts: The node types of text in which the grammar sees no names, each with a function that yields the names.
        quotes: The node types that hold names in strings, such as annotations in quotes.
        quotes_members: True where a name in a string is the name of a member.
        member_signs: The tokens before a member.
        global_objects: The names of objects whose members every file sees as bare names.
        endings: A suffix that a name may omit, by role: a decorator of C# is called ``Foo`` or ``FooAttribute``.
        reads_are_calls: True where a bare name that is no variable calls a method (Ruby).
        is_no_name: Returns whether a word of a line in which no rule sees a name is none, as a keyword that may be a
            name elsewhere, given what is before and after it on its line; None where words are names or keywords.

    """

    members: Mapping[str, Member] = field(default_factory=dict[str, Member])
    qualified: frozenset[str] = frozenset()
    roles: Mapping[tuple[str, str], Role] = field(default_factory=dict[tuple[str, str], Role])
    keys: frozenset[tuple[str, str]] = frozenset()
    names_field: Callable[[str, str], bool] | None = None
    labels: frozenset[tuple[str, str]] = frozenset()
    literal_keys: Mapping[str, Made] = field(default_factory=dict[str, Made])
    shorthands: frozenset[str] = frozenset()
    shorthands_in: Mapping[str, Callable[[Node], bool]] = field(default_factory=dict[str, Callable[[Node], bool]])
    key_sign: str = ": "
    pairs: Mapping[str, Callable[[Node], Sequence[Node | None]]] = field(
        default_factory=dict[str, Callable[[Node], Sequence[Node | None]]]
    )
    declares_literal_keys: bool = False
    documents_parameter: Callable[[str, str, int], bool] | None = None
    code_in_strings: Callable[[bytes], Sequence[tuple[int, int]]] | None = None
    anonymous_keys: bool = False
    texts: Mapping[str, Callable[[Node], Iterable[Written]]] = field(
        default_factory=dict[str, Callable[[Node], Iterable[Written]]]
    )
    quotes: Mapping[str, Callable[[Node], Iterable[Quoted]]] = field(
        default_factory=dict[str, Callable[[Node], Iterable[Quoted]]]
    )
    quotes_members: bool = False
    member_signs: tuple[bytes, ...] = (b".",)
    global_objects: frozenset[str] = frozenset()
    endings: Mapping[Role, str] = field(default_factory=dict[Role, str])
    reads_are_calls: bool = False
    is_no_name: Callable[[str, str, str], bool] | None = None
