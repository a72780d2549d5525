"""Narrowing in Python: what ``isinstance``, ``assert`` and ``and`` say of the types of names, and where."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import (
    Branches,
    Connective,
    Decision,
    behind,
    decide_if,
    decide_loop,
    decide_operands,
    join_operators,
    span,
)
from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.calls import NARROWING, is_called, list_parts
from leadline_tools.languages.python.control_flow import find_body, find_reached, leaves_loop
from leadline_tools.languages.terms import UNKNOWN, Spell, either, then, without
from leadline_tools.lazy_regex import lazy_compile

_NARROWED = frozenset({"identifier", "attribute", "subscript"})


def _narrow_by_isinstance(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``isinstance(a, types)`` tells of a name, a member or an element."""
    if not is_called(node, NARROWING):
        return
    arguments = node.child_by_field_name("arguments")
    if arguments is not None and arguments.named_child_count > 1 and arguments.named_children[0].type in _NARROWED:
        name, types = arguments.named_children[:2]
        kinds = [spell(kind) for kind in (list_parts(types) if types.type == "tuple" else [types])]
        if UNKNOWN not in kinds:
            yield text(name), then(either(kinds), "()")


def _exclude_by_isinstance(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the types of a name, a member or an element where ``isinstance(a, types)`` is false."""
    arguments = node.child_by_field_name("arguments")
    if arguments is not None:
        for name, tested in _narrow_by_isinstance(node, spell):
            yield name, without(spell(arguments.named_children[0]), tested)


def _decide_conditional(node: Node) -> Iterator[Decision]:
    """Yield the condition of ``a if condition else b``."""
    parts = list_parts(node)
    if len(parts) == len(("a", "condition", "b")):
        yield Decision(parts[1], span(parts[0]), span(parts[2]))


def _decide_assertion(node: Node) -> Iterator[Decision]:
    """Yield the condition of an ``assert``, which holds behind it."""
    yield Decision(node.named_children[0], behind(node, node.parent))


def _decide_clause(node: Node) -> Iterator[Decision]:
    """Yield what a clause catches, which has its name in the block of the clause alone.

    https://docs.python.org/3/reference/compound_stmts.html#except-clause
    """
    for caught in node.named_children:
        if caught.type == "as_pattern":
            yield Decision(caught, behind(caught, node))


def _narrow_by_catching(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what the name after ``as`` is in the block of a clause that catches exceptions."""
    alias = node.child_by_field_name("alias")
    if alias is not None and node.parent is not None and node.parent.type == "except_clause":
        kinds = node.named_children[0]
        terms = [spell(kind) for kind in (list_parts(kinds) if kinds.type == "tuple" else [kinds])]
        if kinds.type == "identifier" and text(kinds).isupper():  # a constant, which is a tuple of types as a rule
            terms = [then(terms[0], "*")]
        if UNKNOWN not in terms:
            yield text(alias), then(either(terms), "()")


def _decide_comprehension(node: Node) -> Iterator[Decision]:
    """Yield the conditions of a comprehension."""
    clauses = (child for child in node.named_children if child.type == "if_clause")
    yield from (Decision(clause.named_children[0], span(node)) for clause in clauses)


_ANY_NAME = lazy_compile(rb"[A-Za-z_]\w*")

_BINDING = lazy_compile(
    rb"\b(?:as|del)\s+([A-Za-z_]\w*)"
    rb"|\b([A-Za-z_]\w*)(?=\s*:[^=\n]*=(?!=))"
    rb"|\b([A-Za-z_]\w*)\s*(?:[\])]*\s*(?:=(?!=)|in\b)|,|:=|(?:[-+*/%@&|^]|\*\*|//|<<|>>)=)"
)
"""What may give a name a value: https://docs.python.org/3/reference/executionmodel.html#binding-of-names."""

_CONNECTED = join_operators({"and": Connective.Both, "or": Connective.Either})
COMPREHENSIONS = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
_LEAVES = frozenset({"return_statement", "raise_statement", "continue_statement", "break_statement"})

BRANCHES: Branches = Branches(
    decides={
        **dict.fromkeys(("if_statement", "elif_clause"), decide_if(_LEAVES, "elif_clause")),
        "while_statement": decide_loop,
        "conditional_expression": _decide_conditional,
        "boolean_operator": decide_operands(_CONNECTED),
        "assert_statement": _decide_assertion,
        "except_clause": _decide_clause,
        **dict.fromkeys(COMPREHENSIONS, _decide_comprehension),
    },
    joins={
        "boolean_operator": _CONNECTED,
        "not_operator": lambda node: (Connective.Not, node.named_children[-1:]),
        "parenthesized_expression": lambda node: (Connective.Whole, node.named_children[-1:]),
    },
    tests={"call": _narrow_by_isinstance, "as_pattern": _narrow_by_catching},
    refutes={"call": _exclude_by_isinstance},
    assigns={"assignment": find_reached},
    receives={
        **dict.fromkeys(("typed_parameter", "typed_default_parameter"), find_body),
        "for_statement": lambda node: node.child_by_field_name("body"),
    },
    leaves=leaves_loop,
    interrupts={
        **dict.fromkeys(("for_statement", "while_statement"), _BINDING),
        **dict.fromkeys(("function_definition", "lambda", "class_definition"), _ANY_NAME),
    },
)
