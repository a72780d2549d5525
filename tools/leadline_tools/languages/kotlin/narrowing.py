"""Narrowing in Kotlin: what ``is``, ``when``, ``&&`` and ``!`` say of the types of names, and where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import (
    Connective,
    Decision,
    behind,
    c_like_branches,
    decide_branch,
    span,
)
from leadline_tools.languages.kotlin.outline import find_type, list_name
from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.terms import Spell, object_of


def _read_is(node: Node, spell: Spell, word: str = "is") -> Iterator[tuple[str, str]]:
    """Yield the type that ``a is Type`` gives a name or a property."""
    left = node.child_by_field_name("left")
    if left is not None and left.type in _NARROWED and any(child.type == word for child in node.children):
        yield text(left), object_of(spell(node.child_by_field_name("right")))


def _read_type_test(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the type that an ``is Type`` of a ``when`` gives its subject."""
    around = node.parent.parent if node.parent is not None else None
    for subject in children_of_type("when_subject")(around) if around is not None else ():
        declared = [
            name for variable in children_of_type("variable_declaration")(subject) for name in list_name(variable)
        ]
        for name in declared or subject.named_children[:1]:
            if name.type in _NARROWED and any(child.type == "is" for child in node.children):
                yield text(name), object_of(spell(find_type(node)))


def _decide_if(node: Node) -> Iterator[Decision]:
    """Yield the condition of an ``if``, whose branches have no fields."""
    condition, *branches = (child for child in node.named_children if "comment" not in child.type)
    if branches:
        yield decide_branch(condition, branches[0], node, _LEAVES)


def _decide_entry(node: Node) -> Iterator[Decision]:
    """Yield the conditions of an entry of a ``when`` that has one."""
    conditions = node.children_by_field_name("condition")
    if len(conditions) == 1:
        yield Decision(conditions[0], behind(conditions[0], node))


_NARROWED = frozenset({"identifier", "navigation_expression"})
_LEAVES = frozenset({"return_expression", "throw_expression"})
BRANCHES = c_like_branches(
    {
        "if_expression": _decide_if,
        "when_entry": _decide_entry,
        "while_statement": lambda node: [Decision(node.child_by_field_name("condition"), span(node))],
    },
    {"is_expression": _read_is, "type_test": _read_type_test},
    operators={"&&": Connective.Both, "||": Connective.Either},
    refutes={"is_expression": partial(_read_is, word="!is")},
    assignment="assignment",
)
