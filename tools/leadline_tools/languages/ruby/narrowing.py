"""Narrowing in Ruby: what ``is_a?``, ``when``, ``and`` and ``not`` say of the types of names, and where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import (
    NOWHERE,
    Branches,
    Connective,
    Decision,
    Join,
    Span,
    behind,
    decide_conditional,
    decide_operands,
    join_operators,
    span,
)
from leadline_tools.languages.nodes import text
from leadline_tools.languages.ruby.outline import list_arguments
from leadline_tools.languages.terms import Spell, either, object_of

_TESTS = frozenset({"is_a?", "kind_of?", "instance_of?"})
_NARROWED = frozenset({"identifier", "instance_variable"})
_LEAVES = frozenset({"return", "next", "break", "redo", "retry"})
_RAISES = frozenset({"raise", "fail", "throw", "exit", "abort"})
"""Methods of ``Kernel`` that do not return: https://docs.ruby-lang.org/en/3.4/Kernel.html."""


def _narrow_by_is_a(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the type that ``name.is_a?(Type)`` narrows to."""
    receiver = node.child_by_field_name("receiver")
    if receiver is not None and receiver.type in _NARROWED and text(node.child_by_field_name("method")) in _TESTS:
        yield from ((text(receiver), object_of(spell(one))) for one in list_arguments(node)[:1])


def _narrow_by_when(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the type that ``when Type`` narrows the subject of the ``case`` to: any of several."""
    over = node.parent.child_by_field_name("value") if node.parent is not None else None
    if over is not None and over.type in _NARROWED:
        patterns = [pattern.named_children[0] for pattern in node.children_by_field_name("pattern")]
        if all(one.type in ("constant", "scope_resolution") for one in patterns):
            yield text(over), either(object_of(spell(one)) for one in patterns)


def _decide_branch(node: Node, *, holds: bool) -> Iterator[Decision]:
    """Yield the condition of an ``if``, or with ``holds`` false of an ``unless``, and where it holds and fails.

    It fails behind the whole statement too where its branch is left.
    """
    branch = node.child_by_field_name("consequence")
    around = node.parent if node.type != "elsif" and _is_left(branch) else _chain(node)
    yield _decision(node, span(branch), behind(branch, around), holds=holds)


def _decide_modifier(node: Node, *, holds: bool) -> Iterator[Decision]:
    """Yield the condition of a statement with ``if`` or ``while`` behind it, or with ``unless`` or ``until``."""
    body = node.child_by_field_name("body")
    yield _decision(node, span(body), behind(node, node.parent) if _is_left(body) else NOWHERE, holds=holds)


def _decide_loop(node: Node, *, holds: bool) -> Iterator[Decision]:
    """Yield the condition of a ``while``, or with ``holds`` false of an ``until``."""
    yield _decision(node, span(node.child_by_field_name("body")), NOWHERE, holds=holds)


def _decide_when(node: Node) -> Iterator[Decision]:
    """Yield a ``when``, whose patterns hold in its body."""
    yield Decision(node, span(node.child_by_field_name("body")))


def _decision(node: Node, within: Span, others: Span, *, holds: bool) -> Decision:
    first, second = (within, others) if holds else (others, within)
    return Decision(node.child_by_field_name("condition"), first, second)


def _chain(node: Node) -> Node:
    """Return the ``if`` that a branch belongs to."""
    while node.type == "elsif" and node.parent is not None:
        node = node.parent
    return node


def _is_left(branch: Node | None) -> bool:
    """Return whether a statement, or the last one of a branch, does not go on behind it."""
    if branch is None:
        return False
    inside = [child for child in branch.named_children if child.type != "comment"]
    statements = inside if branch.type == "then" else [branch]
    return bool(statements) and _leaves(statements[-1])


def _leaves(statement: Node) -> bool:
    if statement.type == "call" and statement.child_by_field_name("receiver") is None:
        return text(statement.child_by_field_name("method")) in _RAISES
    return statement.type in _LEAVES or (statement.type == "identifier" and text(statement) in _RAISES)


def _join_negation(node: Node) -> Join | None:
    operator, operand = node.child_by_field_name("operator"), node.child_by_field_name("operand")
    negates = operator is not None and operator.type in ("!", "not") and operand is not None
    return (Connective.Not, [operand]) if negates and operand is not None else None


_CONNECTED = join_operators(
    {"&&": Connective.Both, "and": Connective.Both, "||": Connective.Either, "or": Connective.Either}
)

BRANCHES = Branches(
    decides={
        **dict.fromkeys(("if", "elsif"), partial(_decide_branch, holds=True)),
        "unless": partial(_decide_branch, holds=False),
        **dict.fromkeys(("if_modifier", "while_modifier"), partial(_decide_modifier, holds=True)),
        **dict.fromkeys(("unless_modifier", "until_modifier"), partial(_decide_modifier, holds=False)),
        "while": partial(_decide_loop, holds=True),
        "until": partial(_decide_loop, holds=False),
        "when": _decide_when,
        "conditional": decide_conditional("consequence", "alternative"),
        "binary": decide_operands(_CONNECTED),
    },
    joins={
        "binary": _CONNECTED,
        "unary": _join_negation,
        "parenthesized_statements": lambda node: (Connective.Whole, node.named_children[:1]),
    },
    tests={"call": _narrow_by_is_a, "when": _narrow_by_when},
    gives={"assignment": "left", "operator_assignment": "left"},
)
