"""Generics of Python: what declares type parameters, what functions take of them, and what calls are given.

https://typing.python.org/en/latest/spec/generics.html, https://docs.python.org/3/reference/compound_stmts.html#type-params
"""

from __future__ import annotations

import builtins
import re
import typing
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import FUNCTION, UNKNOWN, VARIADIC, Spell, apply_type_arguments, either

TYPE_VARIABLES: frozenset[str] = frozenset({"TypeVar", "t.TypeVar", "typing.TypeVar"})
_LONGEST = max(map(len, TYPE_VARIABLES))
_GENERIC = ("Generic", "Protocol")
_DECLARING = frozenset({"class_definition", "function_definition"})
_CONSTRUCTORS = frozenset({"__init__", "__new__"})
_SPLATS = frozenset({"list_splat", "dictionary_splat"})
_RECEIVERS = frozenset({"self", "cls"})

_LITERALS = frozenset("concatenated_string ellipsis false float integer none string true".split())
"""What is of no type of the code base."""

_NAME = re.compile(r"[^\W\d]\w*")

_KNOWN = frozenset(dir(builtins)).union(typing.__all__) - {"Callable", "AnyStr"}
"""Names in annotations that are no type parameters."""

_LONGEST_CALLED = 100
"""Characters of what is called, behind which nothing is told of its arguments."""


def is_type_variable(node: Node) -> bool:
    """Return whether an assignment declares a type parameter: ``T = TypeVar("T")``."""
    value = node.child_by_field_name("right")
    function = value.child_by_field_name("function") if value is not None and value.type == "call" else None
    return (
        function is not None
        and function.end_byte - function.start_byte <= _LONGEST
        and text(function) in TYPE_VARIABLES
    )


def list_declared_parameters(node: Node) -> Sequence[Node]:
    """Return the names of what a class, a function or an alias lists in brackets as its type parameters."""
    left = node.child_by_field_name("left")
    generic = left.named_children[0] if left is not None and left.named_children else None
    parameters = generic.named_children[-1:] if generic is not None else [node.child_by_field_name("type_parameters")]
    found = (one for one in parameters if one is not None and one.type == "type_parameter")
    return [name for listed in found for one in listed.named_children for name in _yield_parameter_name(one)]


def _yield_parameter_name(parameter: Node) -> Iterator[Node]:
    """Yield the name in ``T``, ``T: bound``, ``*T`` or ``**T``."""
    inner = parameter
    while inner.type != "identifier" and inner.named_children:
        inner = inner.named_children[0]
    if inner.type == "identifier":
        yield inner


def list_bound_parameters(node: Node) -> Sequence[Node]:
    """Return the names that a list of type parameters binds; what looks like one may be one of type arguments."""
    around = node.parent
    return list_declared_parameters(around) if around is not None and around.type in _DECLARING else ()


def bind_bounds(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give type parameters what bounds them, or any of the types that they are constrained to."""
    for one in node.named_children:
        constrained = one.named_children[0] if one.named_children else None
        if constrained is None or constrained.type != "constrained_type":
            continue
        bound = constrained.named_children[-1].named_children[:1]
        types = [each for inner in bound for each in (inner.named_children if inner.type == "tuple" else [inner])]
        yield from ((name, either(map(spell, types))) for name in _yield_parameter_name(one))


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the type parameters of a class: those after its name, the arguments of ``Generic``, or those of its bases.

    What is given to its bases may be types as well.
    """
    if node.child_by_field_name("type_parameters") is not None:
        return list_declared_parameters(node)
    inherited = node.child_by_field_name("superclasses")
    bases = [base for base in inherited.named_children if base.type == "subscript"] if inherited is not None else []
    for base in bases:
        if text(base.child_by_field_name("value")).endswith(_GENERIC):
            return base.children_by_field_name("subscript")
    free = [one for base in bases for one in _yield_plain_arguments(base) if text(one) not in _KNOWN]
    return list({text(one): one for one in reversed(free)}.values())[::-1]


def _yield_plain_arguments(subscript: Node) -> Iterator[Node]:
    """Yield the names alone among the type arguments of a type, and among those of its arguments."""
    for one in subscript.children_by_field_name("subscript"):
        if one.type == "identifier":
            yield one
        elif one.type == "subscript":
            yield from _yield_plain_arguments(one)


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a function takes, where its types may depend on each other."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None or ":" not in text(parameters) or not _may_be_generic(node, parameters):
        return UNKNOWN
    spelled = [_spell_parameter(one, spell) for one in _yield_positional(parameters)]
    return apply_type_arguments(FUNCTION, [UNKNOWN, *spelled[1 if _has_receiver(node) else 0 :]])


def spell_receiver(node: Node, spell: Spell) -> str:
    """Spell the type of the object or class that a method belongs to, where it says more of it: ``cls: type[T]``."""
    parameters = node.child_by_field_name("parameters")
    first = parameters.named_child(0) if parameters is not None and parameters.named_child_count else None
    typed = first is not None and first.type == "typed_parameter" and text(first.named_children[0]) in _RECEIVERS
    return spell(first.child_by_field_name("type")) if typed and first is not None else UNKNOWN


def spell_fields(body: Node, spell: Spell) -> str:
    """Spell the function type that takes what the body of a class says that its fields are."""
    return apply_type_arguments(FUNCTION, [UNKNOWN, *spell_field_types(body, spell)])


def spell_field_types(body: Node, spell: Spell) -> Sequence[str]:
    """Spell the types that the body of a class says that its fields are of."""
    statements = (child.named_children[0] for child in body.named_children if child.type == "expression_statement")
    kinds = [one.child_by_field_name("type") for one in statements if one.type == "assignment"]
    return [spell(kind) for kind in kinds if kind is not None]


def _may_be_generic(function: Node, parameters: Node) -> bool:
    """Return whether types of what a function takes are named in its result, or by its class, or are of functions."""
    annotations = [one.child_by_field_name("type") for one in parameters.named_children]
    names = {name for one in annotations if one is not None for name in _NAME.findall(text(one))} - _KNOWN
    if not names:
        return False
    if "Callable" in names or text(function.child_by_field_name("name")) in _CONSTRUCTORS:
        return True
    return not names.isdisjoint(_NAME.findall(text(function.child_by_field_name("return_type"))))


def _yield_positional(parameters: Node) -> Iterator[Node]:
    for one in parameters.named_children:
        if one.type in ("keyword_separator", "dictionary_splat_pattern"):
            return
        if one.type not in ("comment", "positional_separator"):
            yield one


def _spell_parameter(parameter: Node, spell: Spell) -> str:
    kind = parameter.child_by_field_name("type")
    term = spell(kind) if kind is not None else UNKNOWN
    starred = parameter.named_children[0].type if parameter.named_children else ""
    return apply_type_arguments(VARIADIC, [term]) if starred == "list_splat_pattern" and term != UNKNOWN else term


def _has_receiver(function: Node) -> bool:
    """Return whether a function takes the object that it is called on, or the class."""
    around = function.parent
    decorated = around is not None and around.type == "decorated_definition"
    block = around.parent if decorated and around is not None else around
    owner = block.parent if block is not None and block.type == "block" else None
    if owner is None or owner.type != "class_definition":
        return False
    return not (decorated and around is not None and any(_is_static(child) for child in around.named_children))


def _is_static(decorator: Node) -> bool:
    return decorator.type == "decorator" and text(decorator).lstrip("@ ") == "staticmethod"


def apply_arguments(function: str, arguments: Node | None, spell: Spell) -> str:
    """Return the term of what is called with its arguments: those at their places, then those with names."""
    if arguments is None or not 0 < len(function) <= _LONGEST_CALLED:
        return function
    places: list[str] = []
    names: list[tuple[str, str]] = []
    for child in arguments.named_children if arguments.type == "argument_list" else [arguments]:
        kind = child.type
        if kind in _SPLATS:
            return function
        if kind == "keyword_argument":
            term = _spell_argument(child.child_by_field_name("value"), spell)
            names.append((text(child.child_by_field_name("name")), term))
        elif kind != "comment":
            places.append(UNKNOWN if kind in _LITERALS else spell(child))
    return terms.call_with(function, places, named=names)


def _spell_argument(argument: Node | None, spell: Spell) -> str:
    return spell(argument) if argument is not None and argument.type not in _LITERALS else UNKNOWN
