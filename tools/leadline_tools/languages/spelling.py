"""The spelling of the nodes of a syntax tree as terms, by the rules of a language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.uses import Member
from leadline_tools.languages.terms import UNKNOWN, Spell, Spelling, then

_DEEPEST_TERM: Final = 24
"""Nodes within nodes that a term is spelled of."""

_LONGEST_THIS: Final = 16


class Speller:
    """Spells terms by the rules of a language."""

    def __init__(self, content: bytes, semantics: Semantics) -> None:
        self.content: Final = content
        self.terms: Final[Mapping[str, Spelling]] = semantics.types.terms
        self.generic: Final[frozenset[str]] = semantics.scopes.generic
        self.identifiers: Final[frozenset[str]] = semantics.scopes.identifiers
        self.members: Final[Mapping[str, Member]] = semantics.uses.members
        self.through: Final[Callable[[Node], str] | None] = semantics.types.through
        self.itself: Final[frozenset[str]] = semantics.scopes.this | semantics.scopes.own | semantics.scopes.above
        self.depth = 0

    def spell(self, node: Node | None) -> str:
        """Return the term of a value or a type."""
        if node is None or self.depth > _DEEPEST_TERM:
            return UNKNOWN
        self.depth += 1
        term = self.spelled(node, self.spell)
        self.depth -= 1
        return term or UNKNOWN

    def spelled(self, node: Node, spell: Spell) -> str:
        """Return the term of a node, whose parts ``spell`` spells."""
        kind = node.type
        spelling = self.terms.get(kind)
        if spelling is not None:
            return spelling(node, spell)
        if kind in self.generic and node.named_children:
            return spell(node.named_children[0])
        start, end = node.start_byte, node.end_byte
        if kind in self.identifiers:
            return self.text(node)
        if end - start <= _LONGEST_THIS and (written := self.text(node)) in self.itself:
            return written
        rule = self.members.get(kind)
        if rule is None:
            return UNKNOWN
        owner, *members = self.parts(node, rule)
        term = spell(owner)
        if self.through is not None:
            term = then(term, self.through(node))
        for member in members:
            term = then(term, f".{self.text(member)}") if member is not None else UNKNOWN
        return term

    def text(self, node: Node) -> str:
        """Return the source text of a node. The node itself would copy it, which takes twice as long."""
        return self.content[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def parts(self, node: Node, rule: Member) -> Sequence[Node | None]:
        """Return the object and the members of a node that takes members."""
        if callable(rule):
            return rule(node)
        return node.child_by_field_name(rule[0]), node.child_by_field_name(rule[1])
