"""Scopes of Swift: what variables, conditions, patterns, closures and loops bind.

A *condition* binds what it tests: ``if let name = value``; without a value it binds what is called so around.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.swift.outline import (
    children_of,
    find_type,
    iterate_bound_names,
    list_declarators,
    list_parameter_name,
)
from leadline_tools.languages.terms import Spell, object_of, then


def list_condition_names(node: Node) -> Sequence[Node]:
    """Return what ``if let``, ``guard let`` and ``while case let`` bind."""
    names = [*node.children_by_field_name("bound_identifier")]
    binding = False
    for child in node.children_by_field_name("condition"):
        if child.type == "pattern":
            names.extend(iterate_bound_names(child, binding))
        binding = child.type == "value_binding_pattern" or (binding and child.type in _IN_PATTERN)
    return names


_IN_PATTERN = frozenset({".", "(", ")", ",", "?", "pattern", "simple_identifier"})
"""What stands in a pattern behind its ``let``."""


def _iterate_shadowed(node: Node) -> Iterator[Node]:
    """Yield the identifiers in the values of conditions that are called like the name that takes the value."""
    name = ""
    for i, child in enumerate(node.children):
        field = node.field_name_for_child(i)
        if field == "bound_identifier":
            name = text(child)
        elif child.type == ",":
            name = ""
        elif field != "condition" and child.type in ("statements", "{"):
            return
        elif name and child.is_named:
            yield from (one for one in _iterate_identifiers(child) if text(one) == name)


def list_shadowed(node: Node) -> Sequence[Node]:
    """Return the identifiers in the values of conditions that are called like the name that takes the value."""
    return list(_iterate_shadowed(node))


def list_seeing(node: Node) -> Sequence[Node]:
    """Return the identifiers in the conditions of ``guard`` that see the names which conditions before them bind.

    A value that is called like the name which takes it is one of the code around.
    """
    found, bound, own = list[Node](), set[str](), set[str]()
    for i, child in enumerate(node.children):
        field = node.field_name_for_child(i)
        if child.type in ("else", "statements"):
            break
        if child.type == ",":
            bound |= own
            own = set()
        elif field == "bound_identifier":
            own.add(text(child))
        elif child.type == "pattern":
            own.update(map(text, iterate_bound_names(child, binding=True)))
        elif bound and child.is_named:
            seeing = [one for one in _iterate_identifiers(child) if not _is_in_closure(one, node)]
            values = {text(one) for one in seeing if one.parent is None or one.parent.type != "navigation_suffix"}
            found += seeing if not own & values - bound else ()
    return found


def _is_in_closure(identifier: Node, inside: Node) -> bool:
    around = identifier.parent
    while around is not None and around != inside and around.type != "lambda_literal":
        around = around.parent
    return around is not None and around.type == "lambda_literal"


def _iterate_identifiers(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type == "simple_identifier":
            yield one
        waiting.extend(one.named_children)


def list_matched_names(node: Node) -> Sequence[Node]:
    """Return the names that the patterns of a node bind."""
    return [name for pattern in children_of("pattern")(node) for name in iterate_bound_names(pattern, binding=False)]


def list_loop_variables(node: Node) -> Sequence[Node]:
    """Return the variables of a loop."""
    pattern = node.child_by_field_name("item")
    return () if pattern is None else list(iterate_bound_names(pattern, binding=True))


def bind_variables(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of a declaration what is declared of them, else their values."""
    for pattern, annotation, value in list_declarators(node):
        declared = find_type(annotation) if annotation is not None else None
        if declared is None and value is None:
            declared = _find_injected_type(node)
        yield from _destructure(pattern, object_of(spell(declared)) if declared is not None else spell(value))


def _find_injected_type(node: Node) -> Node | None:
    """Return the type whose object ``@Environment(Type.self)`` gives a property.

    https://developer.apple.com/documentation/swiftui/environment
    """
    for modifiers in children_of("modifiers")(node):
        for attribute in children_of("attribute")(modifiers):
            given = attribute.named_children[-1]
            suffix = given.child_by_field_name("suffix")
            if text(attribute.named_children[0]) == "Environment" and suffix is not None and text(suffix) == ".self":
                return given.child_by_field_name("target")
    return None


def _destructure(pattern: Node, term: str) -> Iterator[tuple[Node, str]]:
    """Yield each variable of a pattern with the part of the value that it takes: of a case what that is made with."""
    inner = [child for child in pattern.named_children if child.type == "pattern"]
    if not inner:
        yield from ((name, term) for name in iterate_bound_names(pattern, binding=True))
    yield from _take_apart(inner, term, _case_of(pattern))


def _take_apart(parts: Sequence[Node], term: str, case: str) -> Iterator[tuple[Node, str]]:
    """Yield each variable of the parts of a pattern; ``case`` is the name before them, empty for a tuple."""
    if case == "some":  # of an optional value, which is spelled like what it holds
        case, parts = "", parts[:1]
        yield from (pair for part in parts for pair in _destructure(part, term))
        return
    for i, part in enumerate(parts):
        yield from _destructure(part, then(term, f".{case}%{i}" if case else f"#{i}"))


def _case_of(pattern: Node) -> str:
    """Return the name of the case that a pattern tests for."""
    dotted = (child.next_sibling for child in pattern.children if child.type == ".")
    return next((text(name) for name in dotted if name is not None and name.type == "simple_identifier"), "")


def bind_switch_patterns(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names in the pattern of a switch what they are cast to, else the parts of what is switched over."""
    yield from bind_cast_patterns(node, spell)
    around = node.parent.parent if node.parent is not None else None
    value = around.child_by_field_name("expr") if around is not None else None
    for pattern in children_of("pattern")(node) if value is not None else ():
        if find_type(pattern) is None:
            yield from _destructure(pattern, spell(value))


def _bind_cases(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names in ``if case .a(let name) = value`` what the case is made with."""
    case, parts = "", list[Node]()
    before = ""
    for child in node.children:
        if child.type == "pattern" and case:
            parts.append(child)
        elif before == "." and child.type == "simple_identifier":
            case, parts = text(child), []
        elif before == "=" and parts:
            yield from _take_apart(parts, spell(child), case)
            case, parts = "", []
        before = child.type


def bind_loop_variables(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of a loop what is declared of them, else an element of what is looped over."""
    pattern = node.child_by_field_name("item")
    annotation = next(iter(children_of("type_annotation")(node)), None)
    if pattern is not None:
        element = then(spell(node.child_by_field_name("collection")), "*")
        yield from _destructure(pattern, object_of(spell(find_type(annotation))) if annotation is not None else element)


_HEAD = re.compile(r"[^\W\d]\w*")


def bind_conditions(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of ``if let`` what they are given; one alone is given what is called so around.

    The values are read around, where the names that are bound before them do not mean the same.
    """
    yield from _bind_cases(node, spell)
    given: dict[str, str] = {}
    name: Node | None = None
    equals = False
    for i, child in enumerate(node.children):
        field = node.field_name_for_child(i)
        if field == "bound_identifier":
            name, equals = child, False
            given[text(name)] = text(name)
        elif child.type == "=":
            equals = True
        elif name is not None and (child.type == "," or field not in ("condition", "bound_identifier")):
            yield name, given[text(name)]
            name = None
        elif name is not None and equals and child.is_named:
            term = spell(child)
            head = _HEAD.match(term)
            known = given.get(head[0]) if head is not None and head[0] != text(name) else None
            given[text(name)] = known + term[len(head[0]) :] if head is not None and known is not None else term
    if name is not None:
        yield name, given[text(name)]


def bind_cast_patterns(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of ``let name as Type`` an object of that."""
    for pattern in children_of("pattern")(node):
        declared = find_type(pattern)
        for name in iterate_bound_names(pattern, binding=False) if declared is not None else ():
            yield name, object_of(spell(declared))


def bind_variadic(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variadic parameter an array of what is declared."""
    if children_of("...")(node):
        array = object_of(terms.apply_type_arguments("Array", [spell(find_type(node))]))
        yield from ((name, array) for name in list_parameter_name(node))


def bind_type_parameter(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it conforms to."""
    yield from ((name, object_of(spell(find_type(node)))) for name in children_of("type_identifier")(node))


def list_captured_name(item: Node) -> Sequence[Node]:
    """Return the name in ``[name = value]``; in ``[name]`` it is that of what is captured, which means the same."""
    return item.children_by_field_name("name") if item.child_by_field_name("value") is not None else ()
