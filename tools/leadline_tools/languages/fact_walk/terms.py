"""The terms of values and types in a file, with what flow typing knows of them at their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.fact_walk.context import Context
from leadline_tools.languages.flow import Flow
from leadline_tools.languages.rules.types import Made
from leadline_tools.languages.rules.uses import Member
from leadline_tools.languages.spelling import Speller
from leadline_tools.languages.terms import LONGEST, UNKNOWN, shorten_term

_DEEPEST_TERM = 24
"""Nodes within nodes that a term is spelled of."""

_MEMO_DEPTH = 4
"""Nodes within nodes from which on a term is kept until the whole is spelled: some rules spell a part twice, and what a
chain of calls takes would double with each link."""

_DEEPEST_NODE = 400
"""Nodes around one whose values are read: a look at what is around takes the longer the deeper it is."""


class TermReader:
    """Spells terms at the place that the walk has come to; ``contexts`` are those of the nodes around it."""

    def __init__(self, speller: Speller, flow: Flow, contexts: Sequence[Context]) -> None:
        self._speller = speller
        self._flow = flow
        self._contexts = contexts
        self._depth = 0
        self._known: dict[tuple[int, int], str] = {}  # by node and depth

    def spell(self, node: Node | None) -> str:
        """Return the term of a value or a type.

        The terms inside of one are remembered while it is spelled: a rule that needs what a call is made on twice would
        else take twice as long for each call of a chain.
        """
        if node is None or self._depth > _DEEPEST_TERM:
            return UNKNOWN
        if self._depth < _MEMO_DEPTH:
            term = self._spell_node(node)
            if not self._depth and self._known:
                self._known.clear()
            return term
        key = node.id, self._depth
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._spell_node(node)
        return known

    def _spell_node(self, node: Node) -> str:
        self._depth += 1
        flow, start = self._flow, node.start_byte
        term = (flow.at(start, node.end_byte) if flow.until > start else "") or self._speller.spelled(node, self.spell)
        self._depth -= 1
        return term if 0 < len(term) <= LONGEST else shorten_term(term)

    def parts(self, node: Node, rule: Member) -> Sequence[Node | None]:
        """Return the object and the members of a node that takes members."""
        return self._speller.parts(node, rule)

    def spell_receiver(self, owner: str | Node) -> str:
        """Return the term of what a member is taken of: a term already, or its node."""
        return owner if isinstance(owner, str) else shorten_term(self.spell(owner) or UNKNOWN)

    def declared_type(self, node: Node, find_type: Callable[[Node], Node | None] | None) -> str:
        """Return the term of the type that a node declares; empty for none."""
        return known_term(self.spell(find_type(node))) if find_type is not None else ""

    def values(self, node: Node, made: Made | None) -> Iterator[tuple[int, str]]:
        """Yield the start of each name that ``node`` gives a value to, and its term."""
        for name, term in made(node, self.spell) if made and self.reads_values else ():
            kept = shorten_term(term)
            if kept != UNKNOWN:
                yield name.start_byte, kept

    @property
    def reads_values(self) -> bool:
        """Return whether values are read here: not in what is nested very deep."""
        return len(self._contexts) <= _DEEPEST_NODE


def known_term(term: str) -> str:
    """Return a term; empty for one that cannot be spelled."""
    return "" if term == UNKNOWN else term
