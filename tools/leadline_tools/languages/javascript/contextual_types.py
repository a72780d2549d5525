"""Contextual types: what the place of a value expects it to be.

https://www.typescriptlang.org/docs/handbook/type-inference.html#contextual-typing
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript import frameworks
from leadline_tools.languages.javascript.created_types import spell_created_type
from leadline_tools.languages.javascript.documentation import (
    spell_documented_cast,
    spell_documented_parameters,
    spell_documented_result,
    spell_documented_type,
)
from leadline_tools.languages.javascript.functions import list_parameters
from leadline_tools.languages.javascript.library import (
    COLLECTIONS,
    FOLDING,
    GIVING_BACK,
    HOLDING,
    spell_described_argument,
)
from leadline_tools.languages.javascript.markup import spell_property
from leadline_tools.languages.javascript.patterns import Part, iterate_parts, spell_projected, spell_taken
from leadline_tools.languages.javascript.primitives import PRIMITIVE, join_alternatives
from leadline_tools.languages.javascript.values import (
    ALL_FUNCTIONS,
    FUNCTIONS,
    find_first_child,
    is_child_in_field,
    list_arguments,
    list_type_arguments,
)
from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, apply_type_arguments, either, object_of, then

_FARTHEST = 12
"""Nodes from a value outwards to what says what is wanted in its place."""

CHOICES = frozenset({"||", "??"})


def iterate_contextual_parts(function: Node, spell: Spell) -> Iterator[Part]:
    """Yield the parts of the parameters that say no type, as the place of a function says it."""
    untyped = [
        (number, parameter)
        for number, parameter in enumerate(list_parameters(function))
        if parameter.child_by_field_name("type") is None
    ]
    place = spell_contextual_type(function, spell) if untyped else UNKNOWN
    documented = spell_documented_parameters(function, list_parameters(function)) if untyped else ()
    for number, parameter in untyped:
        pattern = parameter.child_by_field_name("pattern") or parameter
        documented_type = documented[number] if documented else UNKNOWN
        if documented_type != UNKNOWN:
            yield from iterate_parts(pattern, object_of(documented_type), spell)
        elif place != UNKNOWN or pattern.type != "identifier":
            value = spell(parameter.child_by_field_name("value"))
            yield from iterate_parts(pattern, join_alternatives((then(place, f"%{number}"), value)), spell)


def bind_contextual_names(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of the parameters of a function that say no type, each with its term."""
    return ((part.name, part.term) for part in iterate_contextual_parts(node, spell) if part.name is not None)


def bind_contextual_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys in such parameters, each with the term of the object."""
    if any(_may_have_keys(parameter) for parameter in list_parameters(node)):
        yield from ((part.key, part.owner) for part in iterate_contextual_parts(node, spell) if part.key is not None)


def _may_have_keys(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern") or parameter
    inner = pattern.child_by_field_name("left") if pattern.type == "assignment_pattern" else pattern
    return inner is not None and inner.type != "identifier"


def spell_contextual_type(node: Node, spell: Spell, far: int = _FARTHEST) -> str:
    """Return the term of an object that the place of a value wants; UNKNOWN where nothing says so."""
    around = node.parent
    rule = _RULES.get(around.type) if around is not None and far else None
    return rule(around, node, spell, far - 1) if around is not None and rule is not None else UNKNOWN


def _as_argument(around: Node, node: Node, spell: Spell, _far: int) -> str:
    """Return what a call or ``new`` wants as this argument."""
    call, number = around.parent, argument_index(node)
    if call is None or number is None:
        return UNKNOWN
    if call.type == "call_expression":
        wanted = frameworks.spell_wanted(call, number, spell)
        return wanted if wanted != UNKNOWN else _as_argument_of_call(call, number, spell)
    if call.type == "new_expression" and text(call.child_by_field_name("constructor")) in HOLDING:
        return object_of(terms.GIVEN) if not number else UNKNOWN
    if call.type == "new_expression":
        return then(spell_created_type(call, spell), f".constructor%{number}")
    return UNKNOWN


def _as_argument_of_call(call: Node, number: int, spell: Spell) -> str:
    """Return what a call wants as an argument: by its type arguments, where it gives that back."""
    declared = list_type_arguments(call)
    if declared and text(call.child_by_field_name("function")) in GIVING_BACK:
        return object_of(spell(declared[number])) if number < len(declared) else UNKNOWN
    return _as_argument_of(call, number, spell)


def _as_argument_of(call: Node, number: int, spell: Spell) -> str:
    """Return what a call wants as an argument: of methods of the language, what depends on what else they are given."""
    function, given = call.child_by_field_name("function"), list_arguments(call)
    if function is None or function.type != "member_expression":
        step = ".constructor" if function is not None and function.type == "super" else ""
        return then(spell_called_with(then(spell(function), step), call, spell, number), f"%{number}")
    owner, name = function.named_children[0], text(function.named_children[-1])
    if (name, number) == ("then", 0):
        return _taking(spell(owner))
    if (text(owner) if owner.type == "identifier" else "", name, number) == ("Array", "from", 1):
        return _taking(then(spell(given[0]), Op.Each))
    described = spell_described_argument(f"{text(owner)}.{name}", number) if owner.type == "identifier" else ""
    if described:
        return described
    term = spell(function)
    wanted = then(spell_called_with(term, call, spell, number), f"%{number}")
    if name not in FOLDING or number:
        return wanted
    each = then(spell(owner), Op.Item)
    return either((wanted, _taking(spell(given[1]) if len(given) > 1 else each, each)))


def _taking(*values: str) -> str:
    """Spell a function that takes values like these."""
    return then(
        apply_type_arguments(terms.FUNCTION, (UNKNOWN, *(then(value, Op.Itself) for value in values))), Op.Object
    )


def _as_declared(around: Node, node: Node, spell: Spell, _far: int) -> str:
    if not is_child_in_field(around, "value", node):
        return UNKNOWN
    annotation = around.child_by_field_name("type")
    return object_of(spell(annotation) if annotation is not None else spell_documented_type(around))


def _as_pair(around: Node, node: Node, spell: Spell, far: int) -> str:
    """Return what the object around a pair says of this key."""
    key, owner = around.child_by_field_name("key"), around.parent
    if owner is None or key is None or not is_child_in_field(around, "value", node):
        return UNKNOWN
    name = text(key).strip("\"'")
    plain = key.type in ("property_identifier", "string") and name.isidentifier()
    return then(spell_contextual_type(owner, spell, far), f".{name if plain else _UNNAMED}")


_UNNAMED = "-"
"""What a key is called that is the name of no member, and may be one of those that have any name."""


def _as_method(around: Node, node: Node, spell: Spell, far: int) -> str:
    """Return what an object wants this method of it to be."""
    name = node.child_by_field_name("name") if node.type == "method_definition" else None
    plain = name is not None and name.type == "property_identifier"
    return then(spell_contextual_type(around, spell, far), f".{text(name)}") if plain else UNKNOWN


def _as_result(around: Node, node: Node, spell: Spell, far: int) -> str:
    """Return what the function around wants to be returned."""
    function = _find_function(around)
    if function is None or (function is around and not is_child_in_field(function, "body", node)):
        return UNKNOWN
    if _is_generator(function):
        return UNKNOWN
    result = function.child_by_field_name("return_type")
    if result is not None:
        return object_of(spell(result))
    documented = spell_documented_result(function)
    if documented != UNKNOWN:
        return object_of(documented)
    placed = function.type in FUNCTIONS or function.type == "method_definition"
    return then(spell_contextual_type(function, spell, far), "()") if placed else UNKNOWN


def _as_yielded(around: Node, _node: Node, spell: Spell, _far: int) -> str:
    """Return what the result of the generator around gives: https://tc39.es/ecma262/#sec-generatoryield."""
    function = _find_function(around)
    result = function.child_by_field_name("return_type") if function is not None else None
    if result is None or any(child.type == "*" for child in around.children):
        return UNKNOWN
    return then(object_of(spell(result)), Op.Each)


def _find_function(node: Node) -> Node | None:
    """Return the innermost function that a node is, or is in."""
    function: Node | None = node
    while function is not None and function.type not in ALL_FUNCTIONS:
        function = function.parent
    return function


def _is_generator(function: Node) -> bool:
    return function.type.startswith("generator") or any(child.type == "*" for child in function.children)


def _as_assigned(around: Node, node: Node, spell: Spell, _far: int) -> str:
    if not is_child_in_field(around, "right", node):
        return UNKNOWN
    documented = spell_documented_type(around)
    return object_of(documented) if documented != UNKNOWN else spell(around.child_by_field_name("left"))


def _as_default(around: Node, node: Node, spell: Spell, _far: int) -> str:
    """Return what a part of a pattern wants by default: what is taken apart has there."""
    if not is_child_in_field(around, "right", node):
        return UNKNOWN
    if around.type == "assignment_pattern":
        return spell_taken(around, spell)
    name = around.child_by_field_name("left")
    named = around.parent is not None and name is not None and name.type == "shorthand_property_identifier_pattern"
    return then(spell_taken(around.parent, spell), f".{text(name)}") if named and around.parent is not None else UNKNOWN


def _as_cast(around: Node, _node: Node, spell: Spell, far: int) -> str:
    """Return the type of a cast; what ``as const`` says no type of is wanted by the place around it."""
    kind = find_cast_type(around)
    return object_of(spell(kind)) if kind is not None else spell_contextual_type(around, spell, far)


def find_cast_type(node: Node) -> Node | None:
    """Return the type in ``a as T``, ``a satisfies T`` and ``<T>a``; None for ``as const``, which says none."""
    if node.named_child_count < 2:
        return None
    return find_first_child(node.named_children[0]) if node.type == "type_assertion" else node.named_children[-1]


def _as_whole(around: Node, _node: Node, spell: Spell, far: int) -> str:
    documented = spell_documented_cast(around)
    return object_of(documented) if documented != UNKNOWN else spell_contextual_type(around, spell, far)


def _as_property(around: Node, _node: Node, spell: Spell, _far: int) -> str:
    """Return what a component wants as this attribute of it."""
    attribute = around.parent
    is_attribute = attribute is not None and attribute.type == "jsx_attribute"
    return spell_property(attribute, spell) if attribute is not None and is_attribute else UNKNOWN


def _as_element(around: Node, _node: Node, spell: Spell, far: int) -> str:
    return then(spell_contextual_type(around, spell, far), "[]")


def _as_operand(around: Node, _node: Node, spell: Spell, far: int) -> str:
    return (
        spell_contextual_type(around, spell, far)
        if text(around.child_by_field_name("operator")) in CHOICES
        else UNKNOWN
    )


_SAYING = frozenset(
    "variable_declarator public_field_definition field_definition return_statement as_expression"
    " satisfies_expression".split()
)
"""What may say the type of the call in it, of which the types of what that takes may be inferred."""

_RULES: Mapping[str, Callable[[Node, Node, Spell, int], str]] = {
    "arguments": _as_argument,
    "variable_declarator": _as_declared,
    "public_field_definition": _as_declared,
    "field_definition": _as_declared,
    "required_parameter": _as_declared,
    "optional_parameter": _as_declared,
    "pair": _as_pair,
    "object": _as_method,
    "return_statement": _as_result,
    "arrow_function": _as_result,
    "yield_expression": _as_yielded,
    "assignment_expression": _as_assigned,
    "augmented_assignment_expression": _as_assigned,
    "assignment_pattern": _as_default,
    "object_assignment_pattern": _as_default,
    "as_expression": _as_cast,
    "satisfies_expression": _as_cast,
    "type_assertion": _as_cast,
    "parenthesized_expression": _as_whole,
    "ternary_expression": _as_whole,
    "binary_expression": _as_operand,
    "array": _as_element,
    "jsx_expression": _as_property,
}


def spell_called_with(function: str, call: Node, spell: Spell, but: int = -1) -> str:
    """Spell a function with the type arguments of a call, else with its arguments ``but`` for one."""
    if call.child_by_field_name("type_arguments") is not None:
        return apply_type_arguments(function, map(spell, list_type_arguments(call)))
    given = (
        UNKNOWN if at == but else spell(one) if but >= 0 else _spell_given(function, call, one, at, spell)
        for at, one in enumerate(list_arguments(call))
    )
    around = call.parent if but >= 0 else None
    return terms.call_with(
        function,
        given,
        spell_contextual_type(call, spell) if around is not None and around.type in _SAYING else UNKNOWN,
    )


def _spell_given(function: str, call: Node, argument: Node, at: int, spell: Spell) -> str:
    """Spell an argument; of a function that does nothing but return, what it makes of what the call gives it.

    https://www.typescriptlang.org/docs/handbook/type-inference.html#contextual-typing
    """
    term = spell(argument)
    if term != UNKNOWN or argument.type != "arrow_function" or not list_parameters(argument):
        return term
    called = call.child_by_field_name("function")
    if called is not None and called.type == "member_expression" and text(called.named_children[-1]) in COLLECTIONS:
        return UNKNOWN  # what these give does not depend on it, but for those that are spelled as what they make
    element = then(spell_called_with(function, call, spell, at), f"%{at}%0")
    made = spell_projected(argument, element, spell)
    if made in (UNKNOWN, PRIMITIVE):
        return UNKNOWN
    return then(apply_type_arguments(terms.FUNCTION, (then(made, Op.Itself),)), Op.Object)
