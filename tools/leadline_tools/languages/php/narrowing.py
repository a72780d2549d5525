"""What conditions of PHP tell of the types of names, and where: ``instanceof``, ``&&``, ``!``."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.branches import (
    Branches,
    Connective,
    branched,
    chosen,
    connected,
    deciding,
    negated,
    repeated,
)
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import Spell, object_of


def _narrow_by_instance(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``$name instanceof Type`` tells."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is not None and left.type in _NARROWED and operator is not None and operator.type == "instanceof":
        yield text(left), object_of(spell(node.child_by_field_name("right")))


_NARROWED = frozenset({"variable_name", "member_access_expression", "subscript_expression"})
_LEAVES = frozenset({"return_statement", "throw_expression", "continue_statement", "break_statement", "exit_statement"})
_CONNECTED = connected(
    {"&&": Connective.Both, "and": Connective.Both, "||": Connective.Either, "or": Connective.Either}
)
BRANCHES: Branches = Branches(
    decides={
        **dict.fromkeys(("if_statement", "else_if_clause"), branched(_LEAVES, "else_if_clause", "body")),
        "while_statement": repeated,
        "conditional_expression": chosen("body", "alternative"),
        "binary_expression": deciding(_CONNECTED),
    },
    joins={
        "binary_expression": _CONNECTED,
        "unary_op_expression": negated,
        "parenthesized_expression": lambda node: (Connective.Whole, node.named_children[:1]),
    },
    tests={"binary_expression": _narrow_by_instance},
    gives={"assignment_expression": "left"},
)
