"""Operators of Kotlin, which call functions: https://kotlinlang.org/docs/operator-overloading.html.

A *sign* is the token that does: ``+`` calls ``plus``, ``in`` calls ``contains`` or ``iterator``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.kotlin.types import (
    BESIDE_VALUES,
    BINARY_OPERATORS,
    POSTFIX_EXPRESSIONS,
    spell_declared_value,
)
from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.rules.calls import ImplicitCall
from leadline_tools.languages.terms import Spell, then

_COMPARING = {**dict.fromkeys(("<", ">", "<=", ">="), "compareTo"), **dict.fromkeys(("==", "!="), "equals")}
_UNARY = {"+": "unaryPlus", "-": "unaryMinus", "!": "not", "++": "inc", "--": "dec"}
_ASSIGNING = {f"{sign}=": f"{BINARY_OPERATORS[sign]}Assign|{BINARY_OPERATORS[sign]}" for sign in "+-*/%"}
_DELEGATED = ("getValue", "setValue", "provideDelegate")
_COMPONENT = re.compile(r"component[1-9]\d*")

_SIGNS: dict[str, tuple[str, ...]] = {
    **{method: (sign, f"{sign}=") if sign in "+-*/%" else (sign,) for sign, method in BINARY_OPERATORS.items()},
    **{f"{BINARY_OPERATORS[sign]}Assign": (f"{sign}=",) for sign in "+-*/%"},
    **{method: (sign,) for sign, method in _UNARY.items()},
    "compareTo": ("<", ">", "<=", ">="),
    "equals": ("==", "!="),
    "contains": ("in", "!in"),
    "get": ("[",),
    "set": ("[",),
    "invoke": ("(",),
    "constructor": ("this", "super"),
    **dict.fromkeys(("iterator", "next", "hasNext"), ("in",)),
    **dict.fromkeys(_DELEGATED, ("by",)),
}
"""The signs that call a function of a name."""


def list_signs(method: str) -> Sequence[str]:
    """Return the signs that call a function of a name."""
    return ("(",) if _COMPONENT.fullmatch(method) else _SIGNS.get(method, ())


def _find_token(node: Node, *signs: str) -> Node | None:
    return next((child for child in node.children if child.type in signs), None)


def read_binary_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the function that an operator between two operands calls."""
    sign = _find_token(node, *BINARY_OPERATORS, *_COMPARING)
    if sign is not None:
        operands = node.named_children
        if sign.type in _UNARY and sign.start_point[0] > operands[0].end_point[0]:  # it begins the next statement
            yield ImplicitCall(sign, _UNARY[sign.type], spell(operands[-1]))
        else:
            yield ImplicitCall(sign, BINARY_OPERATORS.get(sign.type) or _COMPARING[sign.type], spell(operands[0]))


def read_unary_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the sign before or after an operand: before one it is that of all that is taken of the operand."""
    sign, operand = _find_token(node, *_UNARY), node.child_by_field_name("argument")
    if sign is None or operand is None:
        return
    whole, around = node, node.parent
    while sign == node.children[0] and around is not None and _is_postfix_of(around, node):
        whole, around = around, around.parent
    yield ImplicitCall(sign, _UNARY[sign.type], spell(operand if whole == node else whole))


def _is_postfix_of(around: Node, node: Node) -> bool:
    return around.type in POSTFIX_EXPRESSIONS and around.start_byte == node.start_byte


def read_index_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the bracket that takes an element, or gives one."""
    sign, around = _find_token(node, "["), node.parent
    if sign is None:
        return
    assigned = around if around is not None and around.child_by_field_name("left") == node else None
    given = assigned is not None and assigned.type == "assignment"
    owner = spell(node.named_children[0])
    if not given or (assigned is not None and _find_token(assigned, "=") is None):
        yield ImplicitCall(sign, "get", owner)
    if given:
        yield ImplicitCall(sign, "set", owner)


def read_assignment_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the function that an operator like ``+=`` calls."""
    sign, left = _find_token(node, *_ASSIGNING), node.child_by_field_name("left")
    if sign is not None and left is not None:
        yield ImplicitCall(sign, _ASSIGNING[sign.type], spell(left))


def read_containment_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the function that ``in`` calls in a test."""
    sign = _find_token(node, "in", "!in")
    if sign is not None:
        yield ImplicitCall(sign, "contains", spell(node.named_children[-1]))


def read_loop_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the functions that ``in`` calls in a loop."""
    sign = _find_token(node, "in")
    iterated = next((child for child in node.named_children if child.type not in BESIDE_VALUES), None)
    if sign is not None and iterated is not None:
        owner = spell(iterated)
        yield ImplicitCall(sign, "iterator", owner)
        yield from (ImplicitCall(sign, method, then(owner, ".iterator()")) for method in ("next", "hasNext"))


def read_destructuring_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis of variables that are given the components of a value, each that has a name."""
    sign, around = _find_token(node, "("), node.parent
    if sign is None or around is None or around.type not in ("property_declaration", "for_statement"):
        return
    owner = spell_declared_value(around, spell)
    for number, variable in enumerate(children_of_type("variable_declaration")(node), 1):
        if text(variable) != "_":
            yield ImplicitCall(sign, f"component{number}", owner)


def read_delegate_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the functions that ``by`` calls."""
    sign = _find_token(node, "by")
    if sign is not None and node.named_children:
        yield from (ImplicitCall(sign, method, spell(node.named_children[-1])) for method in _DELEGATED)


def read_invocation_sign(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis after a variable, which is called like a function."""
    called = node.named_children[0]
    for listed in children_of_type("value_arguments")(node):
        sign = _find_token(listed, "(")
        if called.type == "identifier" and sign is not None:
            yield ImplicitCall(sign, "invoke", spell(called), text(called))


CONSTRUCTOR = "constructor"
"""The name of every constructor."""


def read_constructor_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:  # noqa: ARG001  as of other signs
    """Yield ``this`` or ``super``, by which a constructor calls another one."""
    sign = _find_token(node, "this", "super")
    if sign is not None:
        yield ImplicitCall(sign, CONSTRUCTOR, text(sign))


def bind_infix_function(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of an infix function as a member of what stands before it."""
    if len(parts := node.named_children) == len(("a", "to", "b")) and text(parts[1]) != "class":
        yield parts[1], spell(parts[0])


def list_infix_name(node: Node) -> Sequence[Node]:
    """Return the name of the function between two operands."""
    return node.named_children[1:2] if len(node.named_children) == len(("a", "to", "b")) else ()
