"""The functions of PHP for arrays: what they give, and what the functions take that they are passed.

https://www.php.net/manual/en/ref.array.php
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.terms import COLLECTION, UNKNOWN, Op, Spell, either, object_of, then

_SAME = frozenset(
    "array_diff array_diff_key array_filter array_intersect array_intersect_key array_merge array_replace"
    " array_reverse array_slice array_splice array_udiff array_uintersect array_unique array_values"
    " iterator_to_array".split()
)
"""Functions that return an array of elements of their first argument."""

_JOINING = frozenset({"array_merge", "array_replace"})
"""Those of them that return elements of all their arguments."""

_ELEMENT = frozenset("array_find array_pop array_shift current end next prev reset".split())
"""Functions that return an element of their first argument."""

_TAKERS: Mapping[str, frozenset[int]] = {
    **dict.fromkeys("array_all array_any array_filter array_find array_find_key array_walk".split(), frozenset({0})),
    **dict.fromkeys("array_udiff array_uintersect uasort usort".split(), frozenset({0, 1})),
    "array_reduce": frozenset({1}),
}
"""The parameters that get elements of the first argument of a function; those of ``array_map`` one of each array."""

_FUNCTIONS = frozenset({"anonymous_function", "arrow_function"})


def spell_call(node: Node, spell: Spell) -> str:
    """Spell a call of a function: of one for arrays what it gives of its arguments."""
    called = node.child_by_field_name("function")
    name, arguments = _name_function(called), _list_values(node)
    if name in _ELEMENT and arguments:
        return then(spell(arguments[0]), Op.Item)
    if name in _SAME and arguments:
        given = arguments if name in _JOINING else arguments[:1]
        return _spell_array_of(either(then(spell(one), Op.Each) for one in given))
    if name == "array_map" and len(arguments) > 1:
        mapped = arguments[0].child_by_field_name("body") if arguments[0].type == "arrow_function" else None
        made = spell(mapped) if mapped is not None else UNKNOWN
        return _spell_array_of(made) if "$" not in made else UNKNOWN  # a parameter may be another variable around
    return then(spell(called), str(Op.Call)) if called is not None else UNKNOWN


def _spell_array_of(element: str) -> str:
    if element == UNKNOWN:
        return UNKNOWN
    return object_of(terms.apply_type_arguments(COLLECTION, [then(element, Op.Itself)]))


def _name_function(called: Node | None) -> str:
    """Return the name of the function that is called, of those that the language has."""
    if called is None or called.type not in ("name", "qualified_name"):
        return ""
    return text(called).removeprefix("\\")


def _list_values(call: Node) -> Sequence[Node]:
    """Return the values of the arguments of a call; none where one has a name or is spread."""
    listed = call.child_by_field_name("arguments")
    arguments = [one for one in listed.named_children if one.type == "argument"] if listed is not None else []
    if any(one.child_by_field_name("name") is not None or one.named_child_count != 1 for one in arguments):
        return ()
    values = [one.named_children[0] for one in arguments]
    return () if any(one.type == "variadic_unpacking" for one in values) else values


def spell_passed_element(parameter: Node, spell: Spell) -> str:
    """Spell what a parameter gets of a function that is passed to one for arrays; UNKNOWN for any other."""
    listed = parameter.parent
    function = listed.parent if listed is not None else None
    argument = function.parent if function is not None and function.type in _FUNCTIONS else None
    call = argument.parent.parent if argument is not None and argument.parent is not None else None
    at = argument_index(parameter)
    if call is None or call.type != "function_call_expression" or at is None:
        return UNKNOWN
    name, arguments = _name_function(call.child_by_field_name("function")), _list_values(call)
    if name == "array_map":
        return then(spell(arguments[at + 1]), Op.Each) if len(arguments) > at + 1 else UNKNOWN
    return then(spell(arguments[0]), Op.Each) if at in _TAKERS.get(name, ()) and arguments else UNKNOWN
