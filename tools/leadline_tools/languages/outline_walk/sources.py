"""The outlines of sources: what is left out of a source, what is parsed, and the walk through its tree."""

from __future__ import annotations

from typing import Final

from leadline_tools.languages.blanking import Bodies
from leadline_tools.languages.hidden_types import unknown_subtypes
from leadline_tools.languages.language import Parser
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.outline_walk.walk import outline
from leadline_tools.languages.relations import Relations, base_names
from leadline_tools.languages.rules.members import Subtype
from leadline_tools.languages.unparsed import WholeOutline, unparsed_lines
from leadline_tools.languages.unparsed_names import unparsed_names

_NOTHING_LEFT_OUT: Final = Bodies(())
_DIRECTIVE: Final = b"#"


def whole_outline(content: bytes, parser: Parser) -> WholeOutline:
    """Return the definitions in a source with their parameters, and where some may be missing."""
    language = parser.language
    left_out = language.source.directives(content) if language.source.directives is not None else _NOTHING_LEFT_OUT
    root = parser.parse(content, left_out.spans).root_node
    found = outline(root, content, language, left_out=left_out)
    return WholeOutline(found, unparsed_lines(root, found, language))


def symbols(content: bytes, parser: Parser) -> list[Definition]:
    """Return the definitions in a source that the index holds, parsed without bodies."""
    language = parser.language
    left_out = language.source.bodies(content) if language.source.bodies is not None else _NOTHING_LEFT_OUT
    root = parser.parse(content, left_out.spans).root_node
    return outline(root, content, language, parameters=False, left_out=left_out)


def symbols_and_relations(content: bytes, parser: Parser) -> tuple[list[Definition], Relations]:
    """Return the definitions in a source that the index holds, and what it says of types and names in other files."""
    language = parser.language
    left_out = language.source.bodies(content) if language.source.bodies is not None else _NOTHING_LEFT_OUT
    root = parser.parse(content, left_out.spans).root_node
    relations = Relations([], [])
    found = outline(root, content, language, parameters=False, left_out=left_out, relations=relations)
    semantics = language.semantics
    if semantics is not None:
        relations.imports.extend(semantics.imports.exports(root))
        if semantics.types.read_documentation is not None:
            documentation = semantics.types.read_documentation(content)
            relations.imports.extend(documentation.imports)
            relations.subtypes.extend(
                Subtype(one.name, base_names(one.bases, b"")) for one in documentation.types if one.bases
            )
        if semantics.members.hidden is not None:
            relations.subtypes.extend(unknown_subtypes(semantics.members.hidden, content, relations.subtypes))
        if semantics.imports.hidden_imports is not None:
            found_in_bodies = list(semantics.imports.hidden_imports(content))
            if found_in_bodies:
                known = frozenset(relations.imports)
                relations.imports.extend(one for one in found_in_bodies if one not in known)
    unparsed = unparsed_names(root, content, left_out.spans, found, language)
    return found, relations._replace(unparsed=unparsed) if unparsed else relations


def symbols_besides_macros(content: bytes, parser: Parser) -> list[Definition]:
    """Return the definitions in a source whose macros are left to its words, but for those."""
    language = parser.language
    left_out = language.source.besides_macros(content) if language.source.besides_macros is not None else None
    if left_out is None:
        return []
    found = outline(parser.parse(content, left_out.spans).root_node, content, language, parameters=False)
    kept = [number for number, one in enumerate(found) if not content.startswith(_DIRECTIVE, one.signature[0])]
    indexes = {number: index for index, number in enumerate(kept)}
    return [found[number]._replace(parent=indexes.get(found[number].parent, -1)) for number in kept]
