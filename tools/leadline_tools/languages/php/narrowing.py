"""Narrowing in PHP: what ``instanceof``, ``&&`` and ``!`` say of the types of names, and where."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import (
    Connective,
    c_like_branches,
    decide_conditional,
    decide_if,
    decide_loop,
)
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import Spell, object_of, tested, without


def _narrow_by_instance(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``$name instanceof Type`` tells."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is not None and left.type in _NARROWED and operator is not None and operator.type == "instanceof":
        yield text(left), tested(spell(left), object_of(spell(node.child_by_field_name("right"))))


def _exclude_by_instance(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the types of a name where ``$name instanceof Type`` is false."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    for name, _ in _narrow_by_instance(node, spell):
        yield name, without(spell(left), object_of(spell(right)))


_NARROWED = frozenset({"variable_name", "member_access_expression", "subscript_expression"})
_LEAVES = frozenset({"return_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement"})
BRANCHES = c_like_branches(
    {
        **dict.fromkeys(("if_statement", "else_if_clause"), decide_if(_LEAVES, "else_if_clause", "body")),
        "while_statement": decide_loop,
        "conditional_expression": decide_conditional("body", "alternative"),
    },
    {"binary_expression": _narrow_by_instance},
    refutes={"binary_expression": _exclude_by_instance},
    operators={"&&": Connective.Both, "and": Connective.Both, "||": Connective.Either, "or": Connective.Either},
    negation="unary_op_expression",
)
