"""Narrowing by conditions and assignments (flow typing): what they say of the types of names, and in which bytes.

A condition holds in what runs only if it does: the branch that it opens, what is left of an ``and``, what follows a
branch that is left where it fails. A language says which of its nodes decide, and what a test tells.

What an assignment gives a local name it has from there to the end of the block, up to the next one, and behind the
statements around as far as control flow leads there: see ``reaching_definitions``, for names that are given several
values. It is not known from a loop on that gives another value, since that may have been there before, nor from a
function on that holds the name, since nobody knows when that runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.terms import UNKNOWN, Spell, either, only_narrows, put

_DEEPEST = 16
"""Connectives within connectives that are looked into."""


class Span(NamedTuple):
    """Where something holds: the bytes from ``start`` up to ``end``, 0-based; none where those are equal."""

    start: int
    end: int


NOWHERE = Span(0, 0)


class Decision(NamedTuple):
    """A condition, where it surely holds and where it surely does not."""

    condition: Node | None
    holds: Span
    fails: Span = NOWHERE


class Narrowing(NamedTuple):
    """A name, and the term of what it is in some bytes of the source."""

    name: str
    term: str
    within: Span

    def until(self, at: int, end: int) -> Narrowing:
        """Return the same with an end where something at a byte gives the name another value, seen from ``end`` on."""
        start, last = self.within
        return self._replace(within=Span(start, min(last, end))) if start <= at < last else self


class Enclosing(NamedTuple):
    """A statement around an assignment, and from where control flow leads behind it.

    Args:
        after: What follows the statement in the same block.
        exits: A byte of each part that control flow leaves for what follows, none where that is as it was before; None
            where it may come from anywhere.
        interrupted: What may run after the assignment wherever its block is interrupted: the handlers of exceptions.
        unreached: What the assignment does not reach, though a block around it ends where this begins.

    """

    after: Span
    exits: Sequence[int] | None = ()
    interrupted: Sequence[Span] = ()
    unreached: Span = NOWHERE


class Connective(Enum):
    """What joins conditions to another one, ``Whole`` one alone: parentheses."""

    Both = auto()
    Either = auto()
    Not = auto()
    Whole = auto()


class Assigned(NamedTuple):
    """Where the value that an assignment gives holds, and the statements around its block, the innermost first.

    ``is_nothing`` is True for a value that has no members which are looked for: ``None``.
    """

    within: Span
    around: Sequence[Enclosing]
    is_nothing: bool = False


Join = tuple[Connective, Sequence[Node]]
Test = Callable[[Node, Spell], Iterable[tuple[str, str]]]
"""From a node to the names of which it tells something, each with the term of what the name is."""


@dataclass(frozen=True, slots=True)
class Branches:
    """How a language decides.

    Args:
        decides: The node types that decide where conditions hold, each with how.
        joins: The node types of connectives, each with the connective and what it joins; None for another operator.
        tests: The node types of tests, each with what follows where it is true.
        refutes: The node types of tests, each with what follows where it is false.
        gives: The node types that give a target in a field another value without binding it.
        assigns: The node types of assignments, each with the statements around one, the innermost first; None where it
            is a part of another one.
        receives: The node types of parameters with a type, and of what else a block begins with, each with the block.
        leaves: Returns whether a byte in a loop is in a block that leaves the loop for good.
        interrupts: The node types from which on names that their texts hold are not what an assignment gave them, each
            with what finds those, by a group or as a whole: loops that give them a value, functions, run at any time.

    """

    decides: Mapping[str, Callable[[Node], Iterable[Decision]]]
    joins: Mapping[str, Callable[[Node], Join | None]]
    tests: Mapping[str, Test]
    refutes: Mapping[str, Test] = field(default_factory=dict[str, Test])
    gives: Mapping[str, str] = field(default_factory=dict[str, str])
    assigns: Mapping[str, Callable[[Node], Assigned | None]] = field(
        default_factory=dict[str, Callable[[Node], "Assigned | None"]]
    )
    receives: Mapping[str, Callable[[Node], Node | None]] = field(
        default_factory=dict[str, Callable[[Node], "Node | None"]]
    )
    leaves: Callable[[Node, int], bool] = field(default=lambda _loop, _byte: False)
    interrupts: Mapping[str, re.Pattern[bytes]] = field(default_factory=dict[str, "re.Pattern[bytes]"])

    def narrowings(self, node: Node, spell: Spell) -> Iterator[Narrowing]:
        """Yield what a node that decides says of names."""
        for condition, *spans in self.decides[node.type](node):
            for within, holds in zip(spans, (True, False), strict=True):
                if within.start < within.end and condition is not None:
                    terms = self._narrow(condition, spell, holds=holds)
                    yield from (Narrowing(name, term, within) for name, term in terms.items() if term != UNKNOWN)

    def spell_part(self, node: Node, part: Node | None, spell: Spell) -> str:
        """Spell the part of a node that decides, with what its condition says of the names in it."""
        term = spell(part)
        if part is None or term == UNKNOWN:
            return term
        narrowed = {
            one.name: one.term
            for one in self.narrowings(node, spell)
            if one.name.isidentifier() and one.within.start <= part.start_byte < one.within.end
        }
        found = put(term, narrowed) if narrowed else term
        return found if found != UNKNOWN else term

    def _narrow(self, condition: Node, spell: Spell, depth: int = 0, *, holds: bool) -> Mapping[str, str]:
        """Return the terms of the names of which a condition tells something where it holds, or where it fails."""
        join = self.joins.get(condition.type)
        joined = join(condition) if join is not None and depth < _DEEPEST else None
        if joined is None:
            test = (self.tests if holds else self.refutes).get(condition.type)
            return dict(test(condition, spell)) if test is not None else {}
        connective, parts = joined
        inner = holds is not (connective is Connective.Not)
        narrowed = [self._narrow(part, spell, depth + 1, holds=inner) for part in parts]
        terms = {
            name: [one.get(name, "") for one in narrowed]
            for name in dict.fromkeys(name for one in narrowed for name in one)
        }
        if connective is (Connective.Either if holds else Connective.Both):  # one of them, and nobody knows which
            terms = {name: given for name, given in terms.items() if "" not in given and UNKNOWN not in given}
        else:
            terms = {name: _surest(given) for name, given in terms.items()}
        return {name: either(given) for name, given in terms.items()}


def _surest(terms: list[str]) -> list[str]:
    """Return those of the terms of a name that say of what type it is; all where none does."""
    return [one for one in terms if one and not only_narrows(one)] or terms


NO_BRANCHES = Branches({}, {}, {})
"""What a language says of conditions that says nothing."""


def span(node: Node | None) -> Span:
    """Return where a node is."""
    return Span(node.start_byte, node.end_byte) if node is not None else NOWHERE


def behind(node: Node | None, around: Node | None) -> Span:
    """Return where what is behind a node is, up to the end of what is around it."""
    return Span(node.end_byte, around.end_byte) if node is not None and around is not None else NOWHERE


# --- What languages have in common, by the fields of their nodes


def decide_if(
    leaves: Container[str], further: str = "", branch: str = "consequence"
) -> Callable[[Node], Iterator[Decision]]:
    """Return how an ``if`` decides that has its condition in a field ``condition``.

    Args:
        leaves: The node types of what leaves the block that it is in.
        further: The node type of a branch in such an ``if`` with a condition of its own.
        branch: The field of what runs if the condition holds.

    """

    def decided(node: Node) -> Iterator[Decision]:
        chain = node.parent if node.type == further else node
        yield decide_branch(node.child_by_field_name("condition"), node.child_by_field_name(branch), chain, leaves)

    return decided


def decide_branch(condition: Node | None, branch: Node | None, chain: Node | None, leaves: Container[str]) -> Decision:
    """Return a condition that holds in a branch, and fails in all that are after it in the chain of branches.

    It fails behind the whole chain too where it is the first one, and its branch is left.
    """
    first = chain is not None and condition is not None and condition.parent == chain
    around = chain.parent if first and chain is not None and is_left(branch, leaves) else chain
    return Decision(condition, span(branch), behind(branch, around))


def is_left(branch: Node | None, leaves: Container[str]) -> bool:
    """Return whether a statement, or the last one of a block, leaves the block around it."""
    if branch is None or _leaves(branch, leaves):
        return branch is not None
    statements = [child for child in branch.named_children if "comment" not in child.type]
    return bool(statements) and _leaves(statements[-1], leaves)


def _leaves(statement: Node, leaves: Container[str]) -> bool:
    """Return whether a statement leaves; it may hold an expression that does."""
    alone = statement.named_children[0] if statement.named_child_count == 1 else statement
    return statement.type in leaves or (alone.type in leaves and "block" not in statement.type)


def decide_loop(node: Node) -> Iterator[Decision]:
    """Yield the condition of a loop with fields ``condition`` and ``body``, which holds in it."""
    yield Decision(node.child_by_field_name("condition"), span(node.child_by_field_name("body")))


def decide_conditional(holds: str, fails: str) -> Callable[[Node], Iterator[Decision]]:
    """Return how a conditional expression decides, by the fields of what it is where its condition holds and fails."""

    def decided(node: Node) -> Iterator[Decision]:
        condition = node.child_by_field_name("condition")
        yield Decision(condition, span(node.child_by_field_name(holds)), span(node.child_by_field_name(fails)))

    return decided


def join_negation(node: Node) -> Join | None:
    """Return what a node with fields ``operator`` and ``argument`` negates."""
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    return (Connective.Not, [argument]) if operator is not None and operator.type == "!" and argument else None


def join_operators(operators: Mapping[str, Connective]) -> Callable[[Node], Join | None]:
    """Return what a node with fields ``left``, ``operator`` and ``right`` joins."""

    def joined(node: Node) -> Join | None:
        operator = node.child_by_field_name("operator")
        connective = operators.get(operator.type) if operator is not None else None
        sides = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        return (connective, [side for side in sides if side is not None]) if connective is not None else None

    return joined


def decide_operands(joins: Callable[[Node], Join | None]) -> Callable[[Node], Iterator[Decision]]:
    """Return how what is left of a connective decides on what is right of it."""

    def decided(node: Node) -> Iterator[Decision]:
        joined = joins(node)
        if joined is not None:
            connective, (left, right) = joined
            both = connective is Connective.Both
            yield Decision(left, span(right)) if both else Decision(left, NOWHERE, span(right))

    return decided


def c_like_branches(
    decides: Mapping[str, Callable[[Node], Iterable[Decision]]],
    tests: Mapping[str, Test],
    *,
    operators: Mapping[str, Connective],
    negation: str = "unary_expression",
    refutes: Mapping[str, Test] | None = None,
    assignment: str = "assignment_expression",
) -> Branches:
    """Return the branches of a language that has binary expressions, negation, parentheses and assignments as C has.

    Args:
        decides: The node types that decide where conditions hold, besides binary expressions.
        tests: The node types of tests, each with what follows where it is true.
        operators: The operators that join conditions.
        negation: The node type of ``!``.
        refutes: The node types of tests, each with what follows where it is false.
        assignment: The node type of what gives its field ``left`` another value.

    """
    connected = join_operators(operators)
    return Branches(
        decides={**decides, "binary_expression": decide_operands(connected)},
        joins={
            "binary_expression": connected,
            negation: join_negation,
            "parenthesized_expression": lambda node: (Connective.Whole, node.named_children[:1]),
        },
        tests=tests,
        refutes=refutes or {},
        gives={assignment: "left"},
    )
