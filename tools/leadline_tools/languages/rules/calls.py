"""Calls: arguments and their names, labels, constructors, and calls without a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.rules.types import Made
from leadline_tools.languages.terms import Spell


class ImplicitCall(NamedTuple):
    """A sign that calls methods without their names: the operator ``+``.

    Args:
        token: The sign.
        methods: The name of the method; several, separated by ``|``, of which the first that the object has is meant.
        receiver: The term of the object.
        variable: A name to which the sign belongs only where it is that of a variable; empty for none.

    """

    token: Node
    methods: str
    receiver: str
    variable: str = ""


class Labelled(NamedTuple):
    """The label of a parameter, or of what a call gives; ``_`` for none.

    ``optional`` is True for what a call may leave out, ``repeated`` for what it may give several times.
    """

    label: str
    optional: bool
    repeated: bool = False


class Labels(NamedTuple):
    """How labels tell functions of one name apart.

    Args:
        declared: The labels of what a function takes, from the text behind its name; None where they are not known.
        given: The labels that a call gives, from the text behind what it calls; None for no call.
        accepts: From the labels of a function and those of a call to whether the function can be called so.
        constructors: The name of the constructors, where only those are distinguished so: the head of their type is
            one of them too, as what it takes stands after its name. Empty where all functions are.

    """

    declared: Callable[[str], Sequence[Labelled] | None]
    given: Callable[[str], Sequence[Labelled] | None]
    accepts: Callable[[Sequence[Labelled], Sequence[Labelled]], bool]
    constructors: str = ""


class Records(NamedTuple):
    """What generates constructors that take the fields of a type by name: decorators and external base classes.

    ``transformer`` is the decorator that marks further decorators and base classes as such.
    """

    decorators: frozenset[str]
    bases: frozenset[str]
    transformer: str


@dataclass(frozen=True, slots=True)
class CallRules:
    """What calls say: arguments, labels, constructors, calls without a name.

    Args:
        arguments: For each node type that may be an argument with a name: from the node to that name, None where it has
            none.
        collects_arguments: From the head of a function to the parameter that takes the named arguments which no other
            parameter has the name of; empty for none.
        takes_fields: Tells from the declaration of a type, with what stands before it, that whoever makes one names its
            fields as arguments; those in the head of a type are always named so.
        records: What makes such types, where decorators and base classes show it.
        copies: The names of functions and methods that make an object like another and are given fields by name.
        by_name: Tells from the text before and behind a parameter, in its line, whether such an argument can name it.
        spreads: True where what gives several things may stand for several arguments: ``f(g())`` of Go.
        calls_apart: True where a call never means a variable, and nothing but a call a method (Java).
        fields_apart: True where a call of a member never means a field, so that a method may be called like one (Rust).
        constructs: For each node type that runs a constructor without the name of its type (``this(..)``, ``new(..)``):
            the keyword there, with the term of the type or of an object of it.
        constructor_keywords: Those keywords. Types of such a language have several constructors, and arguments choose;
            where a type has one at most, ``implicit_calls`` have what calls it.
        labels: How labels tell functions of one name apart; None where they do not.
        implicit_calls: The node types that call methods without their names: by a sign, or by ``new``.
        implicit_call_tokens: From the name of a method to the tokens that may call it so.

    """

    arguments: Mapping[str, Callable[[Node], Node | None]] = field(
        default_factory=dict[str, Callable[[Node], Node | None]]
    )
    collects_arguments: Callable[[str], str] = lambda _head: ""
    takes_fields: Callable[[str], bool] = lambda _declaration: False
    records: Records | None = None
    copies: frozenset[str] = frozenset()
    by_name: Callable[[str, str], bool] = lambda _before, _behind: True
    spreads: bool = False
    calls_apart: bool = False
    fields_apart: bool = False
    constructs: Mapping[str, Made] = field(default_factory=dict[str, "Made"])
    constructor_keywords: frozenset[str] = frozenset()
    labels: Labels | None = None
    implicit_calls: Mapping[str, Callable[[Node, Spell], Iterable[ImplicitCall]]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[ImplicitCall]]]
    )
    implicit_call_tokens: Callable[[str], Sequence[str]] = lambda _method: ()
