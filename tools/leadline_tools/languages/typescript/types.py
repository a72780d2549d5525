"""The bases of types, and what fields, variables and type parameters are given."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript import (
    frameworks,
    object_members,
    patterns,
    values,
)
from leadline_tools.languages.javascript import types as javascript_types
from leadline_tools.languages.terms import UNKNOWN, Spell, then
from leadline_tools.languages.typescript import mapped_types
from leadline_tools.languages.typescript.outline import (
    LIST_NAME,
    find_type,
    is_union,
    iterate_joined_types,
    list_alias_body,
)


def bind_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield what a declarator gives its names; a function of a declared type, what that returns."""
    if values.find_function(node) is None:
        yield from patterns.bind_names(node, spell)
    elif find_type(node) is not None:
        yield from (
            (name, then(patterns.spell_declared(node, spell), "()")) for name in node.children_by_field_name("name")
        )


def bind_field(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a field with the term of its value, or of what the function returns that it is given."""
    if values.find_function(node) is None:
        yield from javascript_types.bind_field(node, spell) if find_type(node) is None else ()
    else:
        yield from bind_value(node, spell)


def spell_parameters(node: Node, spell: Spell) -> str:
    """Return the term of what a function takes that is given to a name, or what its declared type says."""
    declared = find_type(node)
    return spell(declared) if declared is not None else javascript_types.spell_value_parameters(node, spell)


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a class extends and implements, and what an interface does; what can be called is a function too."""
    for clause in node.named_children:
        if clause.type == "class_heritage":
            yield from (base for inner in clause.named_children for base in _spell_clause(inner, spell))
        elif clause.type == "extends_type_clause":
            yield from map(spell, clause.named_children)
        elif clause.type == "interface_body":
            yield from spell_signatures(clause, spell)


def _spell_clause(clause: Node, spell: Spell) -> Iterator[str]:
    """Yield the terms of an ``extends`` or ``implements`` clause."""
    value = clause.child_by_field_name("value")
    if value is None:
        yield from map(spell, clause.named_children)
        return
    arguments = clause.child_by_field_name("type_arguments")
    given = [spell(child) for child in arguments.named_children] if arguments is not None else []
    yield terms.apply_type_arguments(spell(value), given)
    inherited = frameworks.spell_inherited(value, given)
    if inherited != UNKNOWN:
        yield inherited


def spell_signatures(body: Node, spell: Spell) -> Iterator[str]:
    """Yield what the signatures without name of a type stand for: function types, and what any other member is."""
    for child in body.named_children:
        if child.type in ("call_signature", "construct_signature"):
            yield javascript_types.spell_function_signature(child, spell)
        elif child.type == "index_signature":
            others = terms.record([(terms.ANY, spell(child.child_by_field_name("type")))], closed=True)
            yield others if others != terms.UNKNOWN else terms.RECORD  # members of any name, of an unknown type


def spell_alias_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that an alias joins with members of its own."""
    bodies = list_alias_body(node)
    for body in bodies:
        yield from spell_signatures(body, spell)
    for part in iterate_joined_types(node.child_by_field_name("value")) if bodies and not is_union(node) else ():
        if part.type != "object_type":
            yield spell(part)


def bind_default_type(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a type parameter with the type that it stands for where it is given none."""
    default = node.child_by_field_name("value")
    if default is not None and default.named_children:
        yield from ((name, spell(default.named_children[0])) for name in LIST_NAME(node))


def declares_no_type(members: Node) -> bool:
    """Return whether members in braces are those of an alias, or the ones of another type."""
    return object_members.is_alias_body(members) or mapped_types.clause(members) is not None
