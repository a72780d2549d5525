"""Closures of Swift: what they take by the type that their place expects, and what they make of an element.

A *shorthand argument*, ``$0``, is a parameter of a closure that declares none; a *trailing closure* stands after the
arguments of a call: https://docs.swift.org/swift-book/documentation/the-swift-programming-language/closures/.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.swift.collections import OVER_EACH, PROJECTING, TAKING_ONE
from leadline_tools.languages.swift.outline import (
    children_of,
    find_parameter_type,
    find_property_type,
    find_result_type,
    list_parameter_name,
)
from leadline_tools.languages.terms import FUNCTION, UNKNOWN, Op, Spell, either, object_of, then

_SHORTHAND = re.compile(r"\$\d")
_FUNCTIONS = frozenset({"function_declaration", "property_declaration", "lambda_literal"})


def list_closure_names(node: Node) -> Sequence[Node]:
    """Return what a closure takes: its parameters, or the first place of each shorthand argument."""
    return _list_parameters(node) or list(_find_shorthands(node).values())


def bind_closure_parameters(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what a closure takes the types that its place expects."""
    names = list_closure_names(node)
    if not names:
        return
    expected, takes_one = spell_expected_function(node, spell)
    places = _places(names)
    parts = takes_one and (len(places) > 1 or places[0][1] > 0)
    for name, place in places:
        yield name, then(expected, f"%0#{place}" if parts else f"%{place}")


def _places(names: Sequence[Node]) -> Sequence[tuple[Node, int]]:
    """Return parameters with their places, which shorthand arguments say themselves."""
    return [
        (name, int(text(name)[1:]) if _SHORTHAND.fullmatch(text(name)) else number) for number, name in enumerate(names)
    ]


def _list_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the parameters that a closure declares."""
    return [
        name
        for kind in children_of("lambda_function_type")(node)
        for listed in children_of("lambda_function_type_parameters")(kind)
        for parameter in children_of("lambda_parameter")(listed)
        for name in list_parameter_name(parameter)
    ]


def _find_shorthands(node: Node) -> Mapping[str, Node]:
    """Return the first place of each shorthand argument that is no other closure's."""
    found: dict[str, Node] = {}
    waiting = list(reversed(node.named_children)) if b"$" in (node.text or b"") else []
    while waiting:
        inner = waiting.pop()
        if inner.type == "simple_identifier" and _SHORTHAND.fullmatch(text(inner)):
            found.setdefault(text(inner), inner)
        if inner.type != "lambda_literal":
            waiting += reversed(inner.named_children)
    return found


def spell_expected_function(node: Node, spell: Spell) -> tuple[str, bool]:
    """Spell the function that is expected where a closure stands, and whether it takes one element of a collection."""
    around = node.parent
    if around is None:
        return UNKNOWN, False
    call = _find_call_around(around)
    if call is not None:
        function = _find_called(call)
        step = _step_to(node, around)
        expected = then(spell(function), step) if step else UNKNOWN
        return either((expected, _spell_over_each(call, function, spell))), _called_name(function) in TAKING_ONE
    if around.type == "assignment":
        target = around.child_by_field_name("target")
        return spell(target) if target != node else UNKNOWN, False
    declared = _DECLARED_TYPES.get(around.type)
    return object_of(spell(declared(node))) if declared is not None else UNKNOWN, False


def spell_expected_argument(argument: Node, spell: Spell) -> str:
    """Spell what a call expects in the place of an argument: the node of the argument stands for it."""
    call = _find_call_around(argument)
    value = argument.child_by_field_name("value")
    return then(spell(call.named_children[0]), _step_to(value or argument, argument)) if call is not None else UNKNOWN


def find_default_type(default: Node) -> Node | None:
    """Return the type of the parameter whose default a value is."""
    parameter = default.prev_named_sibling
    around = default.parent
    if around is not None and around.type == "parameter":
        return find_parameter_type(around)
    return find_parameter_type(parameter) if parameter is not None and parameter.type == "parameter" else None


def _find_call_around(around: Node) -> Node | None:
    """Return the call whose argument or trailing closure stands in a node."""
    if around.type == "value_argument":
        listed = around.parent
        around = listed.parent if listed is not None and listed.parent is not None else around
    call = around.parent if around.type in ("call_suffix", "constructor_suffix") else None
    return call if call is not None and call.named_children else None


def _spell_over_each(call: Node, function: Node, spell: Spell) -> str:
    """Spell what a view takes that is made of each element of its first argument."""
    if function.type != "simple_identifier" or text(function) not in OVER_EACH:
        return UNKNOWN
    given = [
        argument.child_by_field_name("value")
        for around in (call, call.named_children[0])
        for suffix in children_of("call_suffix")(around)
        for listed in children_of("value_arguments")(suffix)
        for argument in children_of("value_argument")(listed)
    ]
    element = then(spell(given[0]), f"{Op.Each}{Op.Itself}") if given else UNKNOWN
    return object_of(terms.apply_type_arguments(FUNCTION, [UNKNOWN, element])) if element != UNKNOWN else UNKNOWN


def find_call(closure: Node) -> Node | None:
    """Return the call that is given a closure alone; None for another place."""
    call = _find_call_around(closure.parent) if closure.parent is not None else None
    return call if call is not None and _find_only_argument(call) == closure else None


def called_name(call: Node) -> str:
    """Return the name of the method that a call runs."""
    return _called_name(_find_called(call))


def _find_called(call: Node) -> Node:
    """Return what is called: the grammar may take a closure behind arguments for what a call of the result is given."""
    function = call.named_children[0]
    suffix = next(iter(children_of("call_suffix")(call)), None)
    behind = suffix is not None and not children_of("value_arguments")(suffix)
    return function.named_children[0] if behind and function.type == "call_expression" else function


def _step_to(closure: Node, around: Node) -> str:
    """Return the step to what a call takes in the place of a closure; empty for the first of several behind a call."""
    if around.type == "value_argument":
        return terms.taken_at(argument_index(around) or 0, _label_of_argument(around))
    label = closure.prev_named_sibling
    if label is not None and label.type == "simple_identifier":
        return terms.taken_at(terms.LAST, text(label))
    return "" if len(children_of("lambda_literal")(around)) > 1 else terms.taken_at(terms.LAST, "")


def _label_of_argument(argument: Node) -> str:
    """Return the label of an argument; empty for none."""
    label = argument.child_by_field_name("name")
    return text(label) if label is not None else ""


def _called_name(function: Node) -> str:
    """Return the last name of what is called."""
    suffix = function.child_by_field_name("suffix") if function.type == "navigation_expression" else None
    return text(suffix.child_by_field_name("suffix")) if suffix is not None else ""


def spell_projection(call: Node, function: Node, spell: Spell) -> str:
    """Spell what a collection gives of what a function makes of each of its elements; UNKNOWN for another call."""
    name = _called_name(function)
    given = _find_only_argument(call) if name in PROJECTING else None
    if given is None:
        return UNKNOWN
    called = spell(function)
    element = then(terms.owner(called, name), Op.Each)
    made = _spell_made(given, element, spell) if given.type == "lambda_literal" else _spell_path(given, element)
    made = then(made, f"{PROJECTING[name]}{Op.Itself}")
    return then(called, f"<{made}>()") if made != UNKNOWN else UNKNOWN


def _find_only_argument(call: Node) -> Node | None:
    """Return all that a call gives, where that is one thing."""
    given = [
        value
        for suffix in children_of("call_suffix")(call)
        for one in suffix.named_children
        for value in (one.named_children if one.type == "value_arguments" else [one])
    ]
    only = given[0] if len(given) == 1 else None
    return only.child_by_field_name("value") if only is not None and only.type == "value_argument" else only


def _spell_path(path: Node, element: str) -> str:
    """Spell what a path of keys, such as that from an element to its title, leads to from an element."""
    if path.type == "key_path_expression":
        return element
    target, suffix = path.child_by_field_name("target"), path.child_by_field_name("suffix")
    if path.type != "navigation_expression" or target is None or suffix is None:
        return UNKNOWN
    return then(_spell_path(target, element), f".{text(suffix.child_by_field_name('suffix'))}")


def _spell_made(closure: Node, element: str, spell: Spell) -> str:
    """Spell what a closure of one expression makes of an element."""
    names = list_closure_names(closure)
    body = [one for around in children_of("statements")(closure) for one in around.named_children]
    if len(body) != 1:
        return UNKNOWN
    places = _places(names)
    parts = [then(element, f"#{place}") if len(places) > 1 else element for _, place in places]
    return terms.put(spell(body[0]), dict(zip(map(text, names), parts, strict=True)))


def _find_returned_type(value: Node) -> Node | None:
    """Return the type of what the function or the property around a value gives, if no closure is between."""
    around = value.parent
    while around is not None and around.type not in _FUNCTIONS:
        around = around.parent
    if around is None or around.type == "lambda_literal":
        return None
    return find_result_type(around) if around.type == "function_declaration" else find_property_type(around)


_DECLARED_TYPES: Mapping[str, Callable[[Node], Node | None]] = {
    "control_transfer_statement": _find_returned_type,
    "function_declaration": find_default_type,
    "init_declaration": find_default_type,
    "parameter": find_default_type,
    "property_declaration": lambda value: find_property_type(value.parent) if value.parent is not None else None,
}
"""From a closure to the node of the type that is declared for it, by the type of the node around it."""
