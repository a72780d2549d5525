"""The function type that the place of a lambda expects in Kotlin: what it takes, and whose members it sees bare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.kotlin.outline import (
    find_parameter_type,
    find_property_type,
    find_result_type,
    find_type,
    has_token,
)
from leadline_tools.languages.kotlin.types import apply_arguments, find_called, name_of_argument
from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.terms import OWN, UNKNOWN, Op, Spell, either, object_of, then

_FUNCTIONS_OF_IT = frozenset({"also", "let", "takeIf", "takeUnless"})
"""Those whose lambda takes the object."""


def spell_expected_function(node: Node, spell: Spell) -> tuple[str, str]:
    """Spell the first thing that a lambda takes, if no more is known, and the function expected there."""
    around = node.parent
    if around is None:
        return UNKNOWN, UNKNOWN
    call = around.parent
    if around.type == "annotated_lambda" and call is not None and call.type == "call_expression":
        function = find_called(call)
        owner, *members = function.named_children if function.type == "navigation_expression" else (function,)
        parameter = then(apply_arguments(spell(function), call, spell, terms.LAST), f"%{terms.LAST}")
        if members and text(members[-1]) in _FUNCTIONS_OF_IT:
            return spell(owner), UNKNOWN
        return either((then(parameter, "%0"), spell(owner))) if members and text(
            members[-1]
        ) == "use" else UNKNOWN, parameter
    if around.type == "value_argument" and call is not None and call.parent is not None:
        return UNKNOWN, _spell_expected_at(call.parent, around, spell)
    if around.type == "assignment":
        left = around.child_by_field_name("left")
        return UNKNOWN, spell(left) if has_token(around, "=") and left != node else UNKNOWN
    declared = _DECLARED_TYPES.get(around.type)
    return UNKNOWN, object_of(spell(declared(node))) if declared is not None else UNKNOWN


def spell_own_receiver(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the type whose members a lambda sees bare that is the value of a declaration, an assignment or a function.

    Of an argument, what is around it tells that: a label may stand between.
    """
    if node.parent is not None and node.parent.type in {"assignment", *_DECLARED_TYPES}:
        _, expected = spell_expected_function(node, spell)
        if expected != UNKNOWN:
            yield then(then(expected, f"%{OWN}"), Op.Itself)


def _spell_expected_at(call: Node, argument: Node, spell: Spell) -> str:
    """Spell what a call takes in the place of an argument, or under its name."""
    at = argument_index(argument)
    if at is None or call.type not in ("call_expression", "constructor_invocation"):
        return UNKNOWN
    function = apply_arguments(spell(call.named_children[0]), call, spell, at)
    return then(function, terms.taken_at(at, name_of_argument(argument)))


def _find_default_type(default: Node) -> Node | None:
    """Return the type of the parameter whose default a value is."""
    parameter = default.prev_named_sibling
    return find_parameter_type(parameter) if parameter is not None and parameter.type == "parameter" else None


def _find_function_type(value: Node) -> Node | None:
    """Return the type of what the function around a value gives, if no lambda is between."""
    around = value.parent
    while around is not None and around.type not in _FUNCTIONS:
        around = around.parent
    if around is None or around.type == "lambda_literal":
        return None
    if around.type == "getter":
        return find_property_type(around.parent) if around.parent is not None else None
    return find_result_type(around)


_FUNCTIONS = frozenset({"function_declaration", "anonymous_function", "getter", "lambda_literal"})

_DECLARED_TYPES: Mapping[str, Callable[[Node], Node | None]] = {
    "class_parameter": lambda value: find_type(value.parent) if value.parent is not None else None,
    "function_body": _find_function_type,
    "function_value_parameters": _find_default_type,
    "property_declaration": lambda value: find_property_type(value.parent) if value.parent is not None else None,
    "return_expression": _find_function_type,
}
"""From a value to the node of the type that is declared for it, by the type of the node around it."""
