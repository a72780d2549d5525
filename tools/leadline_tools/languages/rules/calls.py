"""The rules of calls: arguments and their names, labels, constructors, and calls without a name."""

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
        sign: The sign as a whole, where that is more than the token and always calls the method. Empty for another one.

    """

    token: Node
    methods: str
    receiver: str
    variable: str = ""
    sign: str = ""


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
        ends_at_block: Decides from the text before a call whether a block after it is no argument: it is that of a
            statement whose condition has the call.
        constructors: The name of the constructors, where only those are distinguished so: the head of their type is
            one of them too, as what it takes stands after its name. Empty where all functions are.

    """

    declared: Callable[[str], Sequence[Labelled] | None]
    given: Callable[[str], Sequence[Labelled] | None]
    accepts: Callable[[Sequence[Labelled], Sequence[Labelled]], bool]
    constructors: str = ""
    ends_at_block: Callable[[str], bool] = lambda _before: False


class Records(NamedTuple):
    """What generates constructors that take the fields of a type by name: decorators and external base classes.

    ``transformer`` is the decorator that marks further decorators, base classes and metaclasses as such; ``metaclass``
    is the argument that gives a type one. Objects of ``mappings`` have their fields by keys that are strings.
    ``caller`` is the method that runs where an object is called.
    """

    decorators: frozenset[str]
    bases: frozenset[str]
    transformer: str
    metaclass: str = ""
    mappings: frozenset[str] = frozenset()
    caller: str = ""


@dataclass(frozen=True, slots=True)
class CallRules:
    """What calls say: arguments, labels, constructors, calls without a name.

    Args:
        arguments: The node types that may be an argument with a name, each with a function that returns the name; None
            for an argument without one.
        collects_arguments: Returns the parameter that takes all other named arguments, from the head of a function;
            empty for none.
        by_name: Decides from the text before and behind a parameter, in its line, whether an argument can name it.
        takes_fields: Decides from the declaration of a type, with what precedes it, whether the fields of the type are
            arguments of its constructor. Those in the head of a type always are.
        records: The decorators and bases that generate such constructors.
        copies: The names of functions and methods that copy an object and take fields by name.
        attribute_makers: The names of functions that take by name the attributes in the head of a type, where arguments
            never name other attributes.
        types_tell_overrides: True where a method overrides only what takes the same types, each of which has one name.
        by_argument_types: True where a call finds functions in the namespaces of the types of its arguments (C++).
        has_overloads: True where the arguments of a call choose between functions of one name, by number and type.
        joins_overloads: True where functions of one name that take other things are one symbol of several definitions.
        converts_numbers: True where values of all built-in types become one another, and nothing else does (C++).
        block_is_argument: True where a block behind a call is its last argument (Kotlin).
        inherits_overloads: True where a type has, beside its methods of a name, those of its bases that take other
            things, though its constructors have no keyword.
        nearest_overloads: True where a call means a method of a base only if it can mean none of the type (C#).
        built_in_types: The types of the language whose names are those of classes, each with the name of the same type
            in other languages (``Int`` of Kotlin).
        converts: Words with which a type declares that its objects become others without a cast. Empty for none.
        argument_sign: What stands behind the name of an argument: ``:`` of C#. Empty where arguments have no names.
        type_parameters: Returns those that a function declares, from its head and its name. Set where a call that gives
            type arguments means a function with as many.
        spreads: True where several results may be several arguments: ``f(g())`` of Go.
        labels: How the labels of arguments tell functions of one name apart; None where they do not.
        calls_apart: True where a call never means a variable, and a method is never used without a call (Java).
        fields_apart: True where a call of a member never means a field, so that a method may be called like one (Rust).
        functions_apart: True where a function may be called like a variable, and a call means it where there is one.
        functions_take_receivers: True where a variable may hold a function that is called on an object: ``a.f()``.
        constructs: The node types that call a constructor without the name of its type (``this(..)``, ``new(..)``),
            each with a function that yields the keyword and the term of the type or of an object of it.
        constructor_keywords: The keywords of ``constructs``. Types of such a language have several constructors, and
            the arguments choose. Where a type has at most one, ``implicit_calls`` hold what calls it.
        implicit_calls: The node types that call methods without a name: by an operator, or by ``new``.
        call_of_object: The method that runs where an object is called like a function; empty where none does.
        initializes_subtypes: The method that runs where a type is declared below the one that has it, and that takes
            the named arguments in the head of that type; empty where none does.
        implicit_call_tokens: Returns the tokens that may call a method, from its name.
        signs_behind_types: The signs among those tokens that stand behind the name of the type of the object: they are
            looked for in files that name it, or a type below it.
        certain_signs: The signs among those tokens that always call a method of that name, whatever the object is.
        signs_use_fields: True where such tokens may use what cannot be called (JSX).

    """

    arguments: Mapping[str, Callable[[Node], Node | None]] = field(
        default_factory=dict[str, Callable[[Node], Node | None]]
    )
    collects_arguments: Callable[[str], str] = lambda _head: ""
    by_name: Callable[[str, str], bool] = lambda _before, _behind: True
    takes_fields: Callable[[str], bool] = lambda _declaration: False
    records: Records | None = None
    copies: frozenset[str] = frozenset()
    attribute_makers: frozenset[str] = frozenset()
    types_tell_overrides: bool = False
    by_argument_types: bool = False
    has_overloads: bool = False
    joins_overloads: bool = False
    converts_numbers: bool = False
    block_is_argument: bool = False
    inherits_overloads: bool = False
    nearest_overloads: bool = False
    built_in_types: Mapping[str, str] = field(default_factory=dict[str, str])
    converts: bytes = b""
    argument_sign: str = ""
    type_parameters: Callable[[str, str], Sequence[str]] | None = None
    spreads: bool = False
    labels: Labels | None = None
    calls_apart: bool = False
    fields_apart: bool = False
    functions_apart: bool = False
    functions_take_receivers: bool = False
    constructs: Mapping[str, Made] = field(default_factory=dict[str, "Made"])
    constructor_keywords: frozenset[str] = frozenset()
    implicit_calls: Mapping[str, Callable[[Node, Spell], Iterable[ImplicitCall]]] = field(
        default_factory=dict[str, Callable[[Node, Spell], Iterable[ImplicitCall]]]
    )
    call_of_object: str = ""
    initializes_subtypes: str = ""
    implicit_call_tokens: Callable[[str], Sequence[str]] = lambda _method: ()
    signs_behind_types: frozenset[str] = frozenset()
    certain_signs: frozenset[str] = frozenset()
    signs_use_fields: bool = False
