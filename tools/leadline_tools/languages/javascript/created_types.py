"""The types of what ``new`` makes, with their arguments."""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript import frameworks, generics, utility_types
from leadline_tools.languages.javascript.values import list_arguments
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, apply_type_arguments, then


def spell_created_type(node: Node, spell: Spell) -> str:
    """Spell the type of ``new T(...)``: that of a collection by what it is given to hold, where it does not say it."""
    name, arguments = spell(node.child_by_field_name("constructor")), node.child_by_field_name("type_arguments")
    given = list_arguments(node)
    if arguments is not None or not given:
        return apply_arguments(name, arguments, spell)
    if name not in _FILLED:
        return terms.call_with(name, map(spell, given))
    element = then(spell(given[0]), Op.Each)
    if name == "Map":
        return apply_type_arguments(name, [then(element, f"{Op.Part}{at}{Op.Itself}") for at in range(2)])
    return generics.as_collection(name, [then(element, Op.Itself)])


_FILLED = frozenset({"Map", "Set"})


def spell_created(node: Node, spell: Spell) -> str:
    """Spell ``new T(...)``: an object of that type."""
    return then(spell_created_type(node, spell), "()")


def apply_arguments(name: str, arguments: Node | None, spell: Spell) -> str:
    """Return a type with its arguments, or what it stands for."""
    nodes = [child for child in arguments.named_children if child.type != "comment"] if arguments else []
    narrowed = utility_types.spell_utility_type(name, nodes, spell)
    if narrowed != UNKNOWN:
        return narrowed
    given = [utility_types.spell_argument(child, spell) for child in nodes]
    made = frameworks.spell_type(name, arguments, given) if arguments is not None else UNKNOWN
    return made if made != UNKNOWN else generics.with_arguments(name, given)
