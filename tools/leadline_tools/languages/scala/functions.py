"""Functions without a name of Scala, and what they take by the method of a collection that they are given to.

A *placeholder* is ``_`` in the place of a value: what is around it is a function that takes it.
https://scala-lang.org/files/archive/spec/2.13/06-expressions.html#anonymous-functions
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.scala.collections import COLLECTIONS, TAKING_TWO
from leadline_tools.languages.scala.outline import yield_pattern_variables
from leadline_tools.languages.terms import UNKNOWN, Spell, then

_OPERANDS = frozenset(
    (
        "call_expression field_expression generic_function infix_expression parenthesized_expression prefix_expression"
    ).split()
)


def spell_placeholder(node: Node, spell: Spell) -> str:
    """Spell what a placeholder stands for: what the function around it takes in its place."""
    whole, around = node, node.parent
    while around is not None and around.type in _OPERANDS and not _is_given(whole):
        whole, around = around, around.parent
    places = [one.start_byte for one in _list_placeholders(whole)]
    if whole == node or node.start_byte not in places:
        return UNKNOWN
    expected, _ = spell_expected_function(whole, spell)
    return then(expected, f"%{places.index(node.start_byte)}")


def _is_given(node: Node) -> bool:
    """Return whether an expression is what an infix call of a method takes: ``items map (_.name)``."""
    around = node.parent
    right = around.child_by_field_name("right") if around is not None and around.type == "infix_expression" else None
    return around is not None and right == node and node.type == "parenthesized_expression" and _is_method(around)


def _is_method(infix: Node) -> bool:
    return text(infix.child_by_field_name("operator")) in COLLECTIONS


def _list_placeholders(whole: Node) -> Sequence[Node]:
    """Return the placeholders of a function, in their order: an argument that is more than one is a function itself."""
    found: list[Node] = []
    waiting = [whole]
    while waiting:
        one = waiting.pop()
        if one.type == "wildcard":
            found.append(one)
        elif one.type == "arguments":
            waiting.extend(reversed([child for child in one.named_children if child.type == "wildcard"]))
        elif one.type in _OPERANDS:
            waiting.extend(reversed(one.named_children))
    return found


def spell_expected_function(function: Node, spell: Spell) -> tuple[str, bool]:
    """Spell the function that a method of a collection takes in a place, and whether it may take an element apart."""
    call, at = _find_call(function)
    if call is None:
        return UNKNOWN, False
    if call.type == "infix_expression":
        owner, name = call.child_by_field_name("left"), text(call.child_by_field_name("operator"))
        return then(spell(owner), f".{name}%0"), True
    method = call.child_by_field_name("function")
    folds = method is not None and method.type == "call_expression"
    named = method.child_by_field_name("function") if folds and method is not None else method
    field = named.child_by_field_name("field") if named is not None and named.type == "field_expression" else None
    if text(field) not in COLLECTIONS or folds is not text(field).startswith("fold"):
        return UNKNOWN, False
    return then(spell(named), f"%{at}"), text(field) not in TAKING_TWO


def _find_call(function: Node) -> tuple[Node | None, int]:
    """Return the call that takes a function, and its place there."""
    around = function.parent
    if around is not None and around.type == "parenthesized_expression" and _is_given(around):
        function, around = around, around.parent
    if around is None or (around.type == "infix_expression" and _is_given(function)):
        return around, 0
    if around.type == "block" and around.named_child_count == 1 and around.parent is not None:
        function, around = around, around.parent
    if around.type == "arguments":
        at = argument_index(function)
        return (around.parent, at) if at is not None and around.parent is not None else (None, 0)
    braces = around.type == "call_expression" and function.type in ("block", "case_block")
    return (around, 0) if braces else (None, 0)


def list_lambda_names(node: Node) -> Sequence[Node]:
    """Return the names of the parameters of a lambda, in their order."""
    listed = node.child_by_field_name("parameters")
    if listed is None or listed.type != "bindings":
        return [] if listed is None or listed.type != "identifier" else [listed]
    names = (one.child_by_field_name("name") for one in listed.named_children)
    return [name for name in names if name is not None]


def list_untyped_names(node: Node) -> Sequence[Node]:
    """Return the names of the parameters of a lambda whose types are not declared."""
    return [name for name in list_lambda_names(node) if not _is_typed(name)]


def list_typed_name(binding: Node) -> Sequence[Node]:
    """Return the name of a parameter of a lambda whose type is declared."""
    return [name for name in binding.children_by_field_name("name") if _is_typed(name)]


def _is_typed(name: Node) -> bool:
    return name.parent is not None and name.parent.child_by_field_name("type") is not None


def bind_lambda(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of a lambda what the method takes that is given it; of a pair one may take both parts."""
    names = list_lambda_names(node)
    expected, parts = spell_expected_function(node, spell)
    for at, name in ((at, name) for at, name in enumerate(names) if not _is_typed(name)):
        alone = len(names) == 1 or not parts
        yield name, then(expected, f"%{at}" if alone else f"%0#{at}")


def spell_matched(clause: Node, spell: Spell) -> str:
    """Spell what a case of a function that is given to a method is compared with; nothing for one of a match."""
    block = clause.parent
    if block is None or block.type != "case_block":
        return UNKNOWN
    return then(spell_expected_function(block, spell)[0], "%0")


def bind_matched(pattern: Node, term: str) -> Iterator[tuple[Node, str]]:
    """Yield the variables of a pattern that is a name or a tuple with what they take of a value."""
    if pattern.type == "identifier":
        yield from ((name, term) for name in yield_pattern_variables(pattern))
    elif pattern.type == "tuple_pattern":
        for at, part in enumerate(pattern.named_children):
            yield from bind_matched(part, then(term, f"#{at}"))
