"""Calls as terms; of functions of the language, what they make of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript import frameworks
from leadline_tools.languages.javascript.contextual_types import spell_called_with
from leadline_tools.languages.javascript.library import FOLDING, GIVING_BACK, PROJECTING
from leadline_tools.languages.javascript.patterns import spell_projected
from leadline_tools.languages.javascript.requires import find_loaded_module
from leadline_tools.languages.javascript.values import list_arguments, list_type_arguments
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, apply_type_arguments, either, object_of, then


def spell_call(node: Node, spell: Spell) -> str:
    """Spell a call; of what a framework or the language itself has, what that makes of its arguments."""
    made = frameworks.spell_made(node, spell)
    return made if made != UNKNOWN else _spell_call(node, spell)


def _spell_call(node: Node, spell: Spell) -> str:
    function, arguments = node.child_by_field_name("function"), list_arguments(node)
    if function is None or function.type != "member_expression":
        if find_loaded_module(node) is not None:
            return terms.written_at(node)
        return _spell_plain_call(node, spell)
    owner, name = function.named_children[0], text(function.named_children[-1])
    called = f"{text(owner)}.{name}" if owner.type == "identifier" and arguments else ""
    declared = list_type_arguments(node) if called in GIVING_BACK else ()
    if declared or called in _STANDARD:
        return either(object_of(spell(one)) for one in declared) if declared else _STANDARD[called](arguments, spell)
    term = spell(function)
    if name in FOLDING and len(arguments) > 1:
        return either((then(term, "()"), spell(arguments[1])))
    if name in PROJECTING and arguments:
        each = terms.owner(term, name) if name == "then" else then(terms.owner(term, name), Op.Item)
        made = spell_projected(arguments[0], each, spell)
        if made != UNKNOWN:
            return made if name == "then" else then(term, f"<{then(made, PROJECTING[name] + Op.Itself)}>()")
    return then(spell_called_with(term, node, spell), "()")


def _spell_plain_call(node: Node, spell: Spell) -> str:
    """Spell a call of what no dot stands before."""
    function, arguments = node.child_by_field_name("function"), list_arguments(node)
    called, declared = text(function), find_type_argument(node)
    if called == _DECLARING_PROPERTIES and declared is not None:
        return object_of(spell(declared))
    if not arguments or called not in _GIVING_BACK:
        return then(spell_called_with(spell(function), node, spell), "()")
    return object_of(spell(declared)) if declared is not None else spell(arguments[0])


def find_type_argument(call: Node) -> Node | None:
    """Return the first type argument of a call; None for none."""
    return next(iter(list_type_arguments(call)), None)


_Standard = Callable[[Sequence[Node], Spell], str]


def _spell_all(given: Sequence[Node], spell: Spell) -> str:
    return either(spell(one) for one in given)


def _spell_one(given: Sequence[Node], spell: Spell) -> str:
    return then(spell(given[0]), Op.Item)


def _spell_values(given: Sequence[Node], spell: Spell) -> str:
    return spell_list(then(spell(given[0]), Op.Item))


def _spell_entries(given: Sequence[Node], spell: Spell) -> str:
    value = then(spell(given[0]), f"{Op.Item}{Op.Itself}")
    return object_of(apply_type_arguments(terms.COLLECTION, [apply_type_arguments(terms.TUPLE, [UNKNOWN, value])]))


def _spell_from_entries(given: Sequence[Node], spell: Spell) -> str:
    value = then(spell(given[0]), f"{Op.Each}{Op.Part}1{Op.Itself}")
    return object_of(terms.record([(terms.ANY, value)], closed=False))


def _spell_array_from(given: Sequence[Node], spell: Spell) -> str:
    """Spell ``Array.from(a)``, and with a function what that makes of each element."""
    element = then(spell(given[0]), Op.Each)
    return spell_list(spell_projected(given[1], element, spell) if len(given) > 1 else element)


def _spell_promise_all(given: Sequence[Node], spell: Spell) -> str:
    """Spell ``Promise.all(a)``, which gives what each promises: what promises a thing is spelled like it."""
    return spell(given[0])


_STANDARD: Mapping[str, _Standard] = {
    "Array.from": _spell_array_from,
    "Object.assign": _spell_all,
    "Object.entries": _spell_entries,
    "Object.freeze": _spell_all,
    "Object.fromEntries": _spell_from_entries,
    "Object.seal": _spell_all,
    "Object.values": _spell_values,
    "Promise.all": _spell_promise_all,
    "Promise.any": _spell_one,
    "Promise.race": _spell_one,
    "Promise.resolve": _spell_all,
}
"""What functions of the language make of what they are given: https://tc39.es/ecma262/#sec-global-object."""

_GIVING_BACK = frozenset({"markRaw", "reactive", "shallowReactive", "withDefaults"})
"""The functions of Vue that give what they take: https://vuejs.org/api/reactivity-core.html. What gives properties
their defaults takes them, too."""

_DECLARING_PROPERTIES = "defineProps"
"""What gives an object of its type argument: https://vuejs.org/api/sfc-script-setup.html#defineprops-defineemits."""


def spell_list(element: str) -> str:
    """Spell an array of elements like one."""
    return object_of(apply_type_arguments(terms.COLLECTION, [then(element, Op.Itself)]))
