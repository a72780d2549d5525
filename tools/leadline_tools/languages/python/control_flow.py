"""Control flow of Python around an assignment: which statements it may reach, and which blocks leave.

https://docs.python.org/3/reference/compound_stmts.html

The byte behind a block, a line feed, stands for what a name has at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import Assigned, Enclosing, Span

_CLAUSES = frozenset({"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause"})
_HANDLERS = frozenset({"except_clause", "except_group_clause"})
_INTERRUPTED = frozenset({"try_statement", "with_statement"})
_LOOPS = frozenset({"for_statement", "while_statement"})
_AROUND_BODIES = frozenset({"function_definition", "class_definition", "module"})


class _Exit(IntEnum):
    """How control flow leaves a block at its end, that which leads the least far last."""

    Nothing = 0
    Function = 1
    Loop = 2
    Iteration = 3


_EXITS = {
    "return_statement": _Exit.Function,
    "raise_statement": _Exit.Function,
    "break_statement": _Exit.Loop,
    "continue_statement": _Exit.Iteration,
}


def find_reached(assignment: Node) -> Assigned | None:
    """Return where the value of an assignment holds; None where the assignment is a part of another statement."""
    outermost = assignment
    while outermost.parent is not None and outermost.parent.type == "assignment":  # ``a = b = value``
        outermost = outermost.parent
    statement = outermost.parent
    block = statement.parent if statement is not None and statement.type == "expression_statement" else None
    value = assignment.child_by_field_name("right")
    while value is not None and value.type == "assignment":
        value = value.child_by_field_name("right")
    if block is None:
        return None
    is_nothing = value is not None and value.type == "none"
    return Assigned(_follow(outermost, block), list(_list_enclosing(block)), is_nothing)


def find_body(parameter: Node) -> Node | None:
    """Return the block of the function that takes a parameter."""
    function = parameter.parent.parent if parameter.parent is not None else None
    return function.child_by_field_name("body") if function is not None else None


def leaves_loop(loop: Node, byte: int) -> bool:
    """Return whether a byte in a loop is in a block that leaves the loop, and nothing around it may go on there."""
    node = loop.descendant_for_byte_range(byte, byte) if loop.type in _LOOPS else None
    left = _Exit.Nothing
    while node is not None and node != loop:
        if node.type in _INTERRUPTED:
            return False
        if node.type == "block":
            left = _find_exit(node) or left
        elif node.type in _LOOPS and left is not _Exit.Function:
            left = _Exit.Nothing
        node = node.parent
    return left in (_Exit.Function, _Exit.Loop)


def _follow(node: Node, block: Node) -> Span:
    """Return where what follows a node in a block is, with the end of the block if control flow comes there."""
    return Span(node.end_byte, block.end_byte + (not _find_exit(block)))


def _list_enclosing(block: Node) -> Iterator[Enclosing]:
    """Yield the statements around a block up to its function, with how control flow leaves them."""
    left = _Exit.Nothing
    part = block.parent
    while part is not None and part.type not in _AROUND_BODIES:
        left = _find_exit(block) or left
        statement = part.parent if part.type in _CLAUSES else part
        if part.type == "case_clause":
            statement = part.parent.parent if part.parent is not None else None
        around = statement.parent if statement is not None else None
        if statement is None or around is None:
            return
        after = _follow(statement, around)
        if statement.type in _LOOPS:
            yield _enclose_loop(block, after, left)
            left = left if left is _Exit.Function else _Exit.Nothing
        else:
            yield _enclose(statement, block, after)
            left = _Exit.Nothing if part.type in _INTERRUPTED else left
        block, part = around, around.parent


def _enclose_loop(block: Node, after: Span, left: _Exit) -> Enclosing:
    """Return a loop around a block: what follows it has what the loop has when it ends or is left."""
    following = Span(block.end_byte, after.end)
    if left is _Exit.Function:
        return Enclosing(after, unreached=following)
    return Enclosing(after, interrupted=[following]) if left is _Exit.Loop else Enclosing(following, None)


def _enclose(statement: Node, block: Node, after: Span) -> Enclosing:
    """Return a statement around a block that is no loop."""
    match statement.type:
        case "if_statement":
            return Enclosing(after, list(_find_ends(statement, list(_list_branches(statement)))))
        case "match_statement":
            cases = statement.child_by_field_name("body")
            parts = [one.child_by_field_name("consequence") for one in cases.named_children] if cases else []
            return Enclosing(after, [statement.start_byte, *_find_ends(statement, parts)])
        case "try_statement":
            return _enclose_try(statement, block, after)
        case "with_statement":  # which may keep an exception from going on
            return Enclosing(after, interrupted=[after])
        case _:
            return Enclosing(after, None)


def _enclose_try(statement: Node, block: Node, after: Span) -> Enclosing:
    """Return a ``try`` around a block that is its own or that of one of its clauses."""
    clauses = [child for child in statement.named_children if child.type in _CLAUSES]
    last = [clause for clause in clauses if clause.type == "finally_clause"]
    if block.parent in last:
        return Enclosing(after, [block.end_byte])
    interrupted = [
        Span(clause.start_byte, clause.end_byte + 1) for clause in (clauses if block.parent == statement else last)
    ]
    parts = [_find_block(clause) for clause in clauses if clause.type in _HANDLERS]
    further = [_find_block(clause) for clause in clauses if clause.type == "else_clause"]
    parts += further or [statement.child_by_field_name("body")]
    return Enclosing(after, list(_find_ends(statement, parts)), interrupted)


def _list_branches(statement: Node) -> Iterator[Node | None]:
    """Yield the blocks of an ``if`` of which one runs; None where it may be none."""
    yield statement.child_by_field_name("consequence")
    last = ""
    for clause in statement.children_by_field_name("alternative"):
        last = clause.type
        yield _find_block(clause)
    if last != "else_clause":
        yield None


def _find_block(clause: Node) -> Node | None:
    return next((child for child in reversed(clause.named_children) if child.type == "block"), None)


def _find_ends(statement: Node, blocks: Iterable[Node | None]) -> Iterator[int]:
    """Yield the ends of blocks that control flow leaves for what follows; the first of the statement for None."""
    for block in blocks:
        if block is None:
            yield statement.start_byte
        elif not _find_exit(block):
            yield block.end_byte


def _find_exit(block: Node) -> _Exit:
    """Return how control flow surely leaves a block, and no further than that."""
    last = next((child for child in reversed(block.named_children) if child.type != "comment"), None)
    if last is None:
        return _Exit.Nothing
    found = _EXITS.get(last.type, _Exit.Nothing)
    if last.type == "if_statement":
        exits = [_find_exit(branch) if branch is not None else _Exit.Nothing for branch in _list_branches(last)]
        found = max(exits) if all(exits) else _Exit.Nothing
    if not found:
        return found
    source = block.text or b""
    if b"continue" in source:
        return _Exit.Iteration
    return max(found, _Exit.Loop) if b"break" in source else found
