"""Functions as terms: what they take and what they return."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript.documentation import spell_documented_parameters
from leadline_tools.languages.javascript.primitives import widen_primitive
from leadline_tools.languages.javascript.values import find_first_child
from leadline_tools.languages.terms import UNKNOWN, Spell, Spelling, apply_type_arguments, object_of, then


def spell_returned(field: str = "") -> Spelling:
    """Spell what a function returns in one place: elsewhere it may return something unknown."""
    inner = terms.same(field)
    return lambda node, spell: widen_primitive(inner(node, spell))


def list_parameters(function: Node) -> Sequence[Node]:
    """Return the parameters of a function, without what only tells the type of ``this``."""
    listed = function.child_by_field_name("parameters")
    if listed is None:
        return function.children_by_field_name("parameter")
    return [child for child in listed.named_children if child.type != "comment" and not _is_this(child)]


def _is_this(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern")
    return pattern is not None and pattern.type == "this"


def spell_function_type(node: Node, result: str, spell: Spell) -> str:
    """Return the term of the type of a function with a result and the parameters of a node."""
    listed = list_parameters(node)
    takes = [_spell_parameter_type(parameter, spell) for parameter in listed]
    documented = spell_documented_parameters(node, listed) if UNKNOWN in takes else ()
    for number, said in enumerate(documented):
        if takes[number] == UNKNOWN:
            element = then(object_of(said), "[]^") if _is_rest(listed[number]) else UNKNOWN
            takes[number] = apply_type_arguments(terms.VARIADIC, (element,)) if element != UNKNOWN else said
    while takes and takes[-1] == UNKNOWN:
        takes.pop()
    return apply_type_arguments(terms.FUNCTION, (result, *takes))


def _spell_parameter_type(parameter: Node, spell: Spell) -> str:
    kind = parameter.child_by_field_name("type")
    if not _is_rest(parameter):
        return spell(kind)
    listed = find_first_child(kind) if kind is not None else None
    plain = listed is not None and listed.type == "array_type"
    element = spell(find_first_child(listed)) if plain and listed is not None else then(object_of(spell(kind)), "[]^")
    return apply_type_arguments(terms.VARIADIC, (element,)) if element != UNKNOWN else UNKNOWN


def _is_rest(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern") or parameter
    return pattern.type == "rest_pattern"


def spell_parameters(node: Node, spell: Spell) -> str:
    """Return the term of a function type that takes what a function takes."""
    found = spell_function_type(node, UNKNOWN, spell)
    return found if found != terms.FUNCTION else UNKNOWN
