"""Pattern variables of Java, and the statements and expressions that they are seen in.

The rules are those of https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.3: a pattern that surely
matched binds its variables in what is evaluated only then. After an ``if`` or a loop they are seen only where nothing
else gets there.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import is_left
from leadline_tools.languages.rules.scopes import ScopeKind

_LEAVES = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement", "yield_statement"})
_HAS_CONDITION = frozenset({"if_statement", "while_statement", "for_statement", "do_statement", "guard"})
_HAS_OPERATOR = frozenset({"binary_expression", "unary_expression"})
_CONNECTIVES = frozenset({"&&", "||", "!", "?"})

_DEEPEST = 32
"""Operators within operators that are looked into."""


def open_statement(node: Node) -> ScopeKind | None:
    """Return the scope of an ``if`` or a ``while`` that sees what its condition binds; None where the block does."""
    condition = node.child_by_field_name("condition")
    if condition is None or not _holds_pattern(condition) or _binds_behind(node, condition):
        return None
    return ScopeKind.Block


def open_expression(node: Node) -> ScopeKind | None:
    """Return the scope of a whole expression with a pattern that is no condition of a statement."""
    if not _holds_pattern(node):
        return None
    around = node.parent
    while around is not None and around.type == "parenthesized_expression":
        around = around.parent
    return ScopeKind.Block if around is not None and not _sees_patterns(around) else None


def runs_unmatched(branch: Node) -> bool:
    """Return whether a branch runs where the patterns of its condition did not match, whose scope is around both."""
    node = branch.parent
    condition = node.child_by_field_name("condition") if node is not None else None
    if node is None or condition is None or not _holds_pattern(condition):
        return False
    opened = open_expression(node) if node.type == "ternary_expression" else open_statement(node)
    return opened is not None and not _binds(condition, when=branch == node.child_by_field_name("consequence"))


def _sees_patterns(node: Node) -> bool:
    """Return whether other parts of a node see what is bound in one of them."""
    return node.type in _HAS_CONDITION or _operator(node) in _CONNECTIVES


def _holds_pattern(node: Node, depth: int = 0) -> bool:
    """Return whether a condition, or one that it joins, takes a value apart."""
    if node.type == "instanceof_expression":
        return _is_pattern(node)
    return depth < _DEEPEST and any(_holds_pattern(part, depth + 1) for part in _parts(node))


def _binds_behind(node: Node, condition: Node) -> bool:
    """Return whether what follows a statement is only reached where its condition failed, and a pattern matched."""
    if not _binds(condition, when=False):
        return False
    if node.type == "if_statement":
        left = is_left(node.child_by_field_name("consequence"), _LEAVES)
        return left and node.child_by_field_name("alternative") is None
    return True


def _binds(node: Node, depth: int = 0, *, when: bool) -> bool:
    """Return whether a pattern surely matched where an expression is true, or where it is false."""
    if node.type == "instanceof_expression":
        return when and _is_pattern(node)
    operator = _operator(node)
    if depth == _DEEPEST or operator == ("||" if when else "&&"):
        return False
    inner = when is not (operator == "!")
    return any(_binds(part, depth + 1, when=inner) for part in _parts(node) if operator != "?")


def _is_pattern(node: Node) -> bool:
    return node.child_by_field_name("name") is not None or node.child_by_field_name("pattern") is not None


def _parts(node: Node) -> Sequence[Node]:
    """Return the conditions that a node joins."""
    if node.type == "parenthesized_expression" or _operator(node) in _CONNECTIVES:
        return node.named_children
    return ()


def _operator(node: Node) -> str:
    """Return the operator of an expression; empty where it has none."""
    if node.type == "ternary_expression":
        return "?"
    operator = node.child_by_field_name("operator") if node.type in _HAS_OPERATOR else None
    return operator.type if operator is not None else ""
