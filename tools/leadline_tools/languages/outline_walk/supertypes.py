"""Relations to other files, as the walk gathers them: names that types inherit from, imports, renamings.

See ``relations``, which says what these are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.outline import CLASS_LIKE, VARIABLE, Definition
from leadline_tools.languages.relations import Relations, base_names, last_names, other_name
from leadline_tools.languages.rules.imports import Imported, Imports
from leadline_tools.languages.rules.members import Subtype
from leadline_tools.languages.rules.outline import Defines, NodeSymbols
from leadline_tools.languages.spelling import Speller
from leadline_tools.model import SymbolKind

_NO_TYPES: Final = frozenset({SymbolKind.Variable, SymbolKind.Constant})
"""Kinds of what inherits nothing; a field may stand for a type without a name."""


class RelationCollector:
    """Adds to the relations of one source what definitions and imports say."""

    def __init__(self, content: bytes, semantics: Semantics, relations: Relations) -> None:
        self._content = content
        self._relations = relations
        self._imports: Mapping[str, Imports] = semantics.imports.statements
        self._renaming: frozenset[SymbolKind] = (
            CLASS_LIKE | VARIABLE if semantics.types.renames_by_value else CLASS_LIKE
        )
        self._plain_bases = semantics.members.plain_bases
        self._speller = Speller(content, semantics)

    def add_import(self, node: Node) -> None:
        """Add what a node imports or exports."""
        self._relations.imports.extend(self._imports[node.type](node))

    def add_bases(self, node: Node, rule: Defines, path: str, start: int, bodies: Sequence[Node]) -> None:
        """Add what a type inherits from, whose head goes on from ``start``."""
        if rule.bases is None:
            return
        head = self._content[start : bodies[0].start_byte if bodies else node.end_byte]
        plain = self._plain_bases.fullmatch(head) if self._plain_bases is not None else None
        if plain is not None:
            self._relations.subtypes.append(Subtype(path, last_names(plain[1])))
            return
        bases = base_names(rule.bases(node, self._speller.spell), head)
        if bases:
            self._relations.subtypes.append(Subtype(path, bases))

    def add_definition(
        self, node: Node, rule: Defines, definition: Definition, symbols: NodeSymbols, around: SymbolKind | None
    ) -> None:
        """Add what a definition inside something of the kind ``around`` says of other types."""
        name = symbols.names[0]
        if rule.bases is not None and symbols.kind not in _NO_TYPES:
            self.add_bases(node, rule, definition.path, name.end_byte, symbols.bodies)
        if not symbols.bodies and around not in CLASS_LIKE and definition.kind in self._renaming:
            self._add_other_name(node, name, definition.name)

    def _add_other_name(self, node: Node, name: Node, spelled: str) -> None:
        """Add what a declared name is only another name of."""
        before = self._content[node.start_byte : name.start_byte]
        behind = self._content[name.end_byte : node.end_byte]
        original = other_name(before, behind)
        if original and original != spelled:
            self._relations.imports.append(Imported("", original, spelled))


def relation_collector(content: bytes, language: Language, relations: Relations | None) -> RelationCollector | None:
    """Return what collects the relations of a source; None where they are not wanted or nothing can inherit."""
    semantics = language.semantics
    if relations is None or semantics is None or not language.outline.has_subtypes:
        return None
    return RelationCollector(content, semantics, relations)
