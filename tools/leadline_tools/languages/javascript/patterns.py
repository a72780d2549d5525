"""Patterns that take objects apart: the names that they bind and the keys that they take, each with its term."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript import comments as jsdoc
from leadline_tools.languages.javascript.documentation import find_comment, spell_documented_type
from leadline_tools.languages.javascript.functions import list_parameters
from leadline_tools.languages.javascript.primitives import join_alternatives, widen_primitive
from leadline_tools.languages.javascript.values import FUNCTIONS, find_first_child
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Spell, Spelling, object_of, then

_DEEPEST_PATTERN = 24

_PATTERNS = frozenset({"object_pattern", "array_pattern"})


class Part(NamedTuple):
    """A part of a pattern: the name that it binds, and the key of an object that it takes, each with its term.

    The term of a key is that of the object.
    """

    name: Node | None
    term: str
    key: Node | None = None
    owner: str = UNKNOWN


def iterate_parts(pattern: Node | None, term: str, spell: Spell, deepest: int = _DEEPEST_PATTERN) -> Iterator[Part]:
    """Yield the parts of a pattern that takes a value."""
    if pattern is None or not deepest:
        return
    deepest -= 1
    match pattern.type:
        case "identifier":
            yield Part(pattern, term)
        case "object_pattern":
            for child in pattern.named_children:
                yield from _iterate_property(child, term, spell, deepest)
        case "array_pattern":
            yield from _iterate_elements(pattern, term, spell, deepest)
        case "assignment_pattern":
            value = join_alternatives((term, _spell_default(pattern, spell)))
            yield from iterate_parts(pattern.child_by_field_name("left"), value, spell, deepest)
        case "rest_pattern":
            yield from iterate_parts(find_first_child(pattern), term, spell, deepest)
        case _:
            return


def _iterate_property(child: Node, owner: str, spell: Spell, deepest: int) -> Iterator[Part]:
    match child.type:
        case "shorthand_property_identifier_pattern":
            yield Part(child, then(owner, f".{text(child)}"), child, owner)
        case "object_assignment_pattern":
            name = child.child_by_field_name("left")
            if name is not None and name.type == "shorthand_property_identifier_pattern":
                value = join_alternatives((then(owner, f".{text(name)}"), _spell_default(child, spell)))
                yield Part(name, value, name, owner)
        case "pair_pattern":
            key = child.child_by_field_name("key")
            plain = key is not None and key.type == "property_identifier"
            if plain:
                yield Part(None, UNKNOWN, key, owner)
            taken = then(owner, f".{text(key)}") if plain else UNKNOWN
            yield from iterate_parts(child.child_by_field_name("value"), taken, spell, deepest)
        case _:
            yield from iterate_parts(child, owner, spell, deepest)


def _spell_default(pattern: Node, spell: Spell) -> str:
    """Spell what a part of a pattern is by default; a function tells none: it may give a subtype of what is wanted."""
    value = pattern.child_by_field_name("right")
    return spell(value) if value is not None and value.type not in FUNCTIONS else UNKNOWN


def _iterate_elements(pattern: Node, term: str, spell: Spell, deepest: int) -> Iterator[Part]:
    """Yield the parts of ``[a, , b]``: a hole counts."""
    number = 0
    for child in pattern.children:
        if child.type == ",":
            number += 1
        elif child.is_named:
            value = term if child.type == "rest_pattern" else then(term, f"#{number}")
            yield from iterate_parts(child, value, spell, deepest)


def spell_declared(node: Node, spell: Spell) -> str:
    """Return the term of what a declaration declares: an object of its type, else its value."""
    annotation = node.child_by_field_name("type")
    if annotation is not None:
        return object_of(spell(annotation))
    documented = spell_documented_type(node)
    if documented != UNKNOWN:
        return object_of(documented)
    given, around = node.child_by_field_name("value"), node.parent
    if given is not None and given.type == "object" and not jsdoc.is_open(jsdoc.find_declared_type(find_comment(node))):
        return UNKNOWN
    value = spell(given)
    constant = around is not None and around.children[0].type == "const"
    return value if constant else widen_primitive(value)


def _spell_loop_element(node: Node, spell: Spell) -> str:
    of = text(node.child_by_field_name("operator")) == "of"
    return then(spell(node.child_by_field_name("right")), "*") if of else UNKNOWN


def _spell_assigned(node: Node, spell: Spell) -> str:
    return widen_primitive(spell(node.child_by_field_name("right")))


def spell_taken(pattern: Node, spell: Spell, deepest: int = _DEEPEST_PATTERN) -> str:
    """Return the term of what a part of a pattern takes, as far as that says what is wanted by default.

    ``{ a = {} }`` and ``[b = {}]`` want what is taken apart has there; of a pattern in ``[]`` nothing is wanted.
    """
    around = pattern.parent
    return _spell_taken_in(around, pattern, spell, deepest - 1) if around is not None and deepest else UNKNOWN


def _spell_taken_in(around: Node, pattern: Node, spell: Spell, deepest: int) -> str:
    match around.type:
        case "assignment_pattern":
            return spell_taken(around, spell, deepest)
        case "array_pattern" if (pattern.child_by_field_name("left") or pattern).type == "identifier":
            number = sum(child.type == "," for child in around.children if child.end_byte <= pattern.start_byte)
            return then(spell_taken(around, spell, deepest), f"#{number}")
        case "pair_pattern" if around.parent is not None:
            key = text(around.child_by_field_name("key"))
            return then(spell_taken(around.parent, spell, deepest), f".{key}") if key.isidentifier() else UNKNOWN
        case "variable_declarator":
            return spell_declared(around, spell)
        case "required_parameter" | "optional_parameter":
            return object_of(spell(around.child_by_field_name("type")))
    return UNKNOWN


_TAKING: Mapping[str, tuple[str, Spelling]] = {
    "variable_declarator": ("name", spell_declared),
    "for_in_statement": ("left", _spell_loop_element),
    "required_parameter": ("pattern", spell_declared),
    "optional_parameter": ("pattern", spell_declared),
    "assignment_expression": ("left", _spell_assigned),
}
"""The nodes that give a value: the field of the pattern that takes it, and how it is spelled."""


def bind_names(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names that a node gives values to, with the term of each."""
    field, spelling = _TAKING[node.type]
    pattern = node.child_by_field_name(field)
    if pattern is None or pattern.type == "this":
        return
    if pattern.type == "identifier":
        yield pattern, spelling(node, spell)
        return
    for part in iterate_parts(pattern, spelling(node, spell), spell):
        if part.name is not None:
            yield part.name, part.term


def bind_later_values(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the names that an assignment gives values to, with their terms."""
    return ((text(name), term) for name, term in bind_names(node, spell))


_LATER = frozenset({"||=", "&&=", "??="})
"""The operators that may give a name what is on their right: https://tc39.es/ecma262/#sec-assignment-operators."""


def bind_value_of_choice(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the name that ``a ||= b`` may give a value to, with its term."""
    name = node.child_by_field_name("left")
    if name is not None and name.type == "identifier" and text(node.child_by_field_name("operator")) in _LATER:
        yield text(name), _spell_assigned(node, spell)


def bind_defaults(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of a parameter with the term of each, where it is not its type that says it."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None or pattern.type != "identifier" or node.child_by_field_name("type") is None:
        yield from bind_names(node, spell)


def bind_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys of a pattern that a node gives a value to, each with the term of the object."""
    field, spelling = _TAKING[node.type]
    pattern = node.child_by_field_name(field)
    if pattern is not None and pattern.type in _PATTERNS:
        for part in iterate_parts(pattern, spelling(node, spell), spell):
            if part.key is not None:
                yield part.key, part.owner


def spell_projected(function: Node, element: str, spell: Spell) -> str:
    """Spell what a function that does nothing but return makes of an element."""
    body = function.child_by_field_name("body") if function.type == "arrow_function" else None
    if body is not None and body.type == "statement_block":
        statements = body.named_children
        only = statements[0] if len(statements) == 1 and statements[0].type == "return_statement" else None
        body = find_first_child(only) if only is not None else None
    if body is None:
        return UNKNOWN
    given: dict[str, str] = {}
    for number, parameter in enumerate(list_parameters(function)):
        said = spell(parameter.child_by_field_name("type"))
        term = object_of(said) if said != UNKNOWN else UNKNOWN if number else element
        named = iterate_parts(parameter.child_by_field_name("pattern") or parameter, term, spell)
        given.update({text(part.name): part.term for part in named if part.name is not None})
    return terms.put(spell(body), given)
