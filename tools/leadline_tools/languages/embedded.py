"""The outline and the facts of a file, whether all of it is code or only its regions are."""

from __future__ import annotations

from collections.abc import Callable

from leadline_tools.languages.fact_walk import walk
from leadline_tools.languages.facts import Facts, Scope
from leadline_tools.languages.language import Language, Parser
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.outline_walk import sources
from leadline_tools.languages.region_positions import (
    add_cells,
    merge_outlines,
    place_definitions,
    place_facts,
    place_unparsed,
)
from leadline_tools.languages.regions import Regions
from leadline_tools.languages.relations import Relations
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.unparsed import WholeOutline

Parsers = Callable[[str], Parser]
"""From the name of a language to its parser."""


def regions_of(path: str, content: bytes, language: Language) -> Regions | None:
    """Return the regions of a file that is not code as a whole; None for one that is."""
    return language.source.regions(path, content) if language.source.regions is not None else None


def symbols_and_relations(
    path: str, content: bytes, language: Language, parsers: Parsers
) -> tuple[list[Definition], Relations]:
    """Return the definitions in a file that the index holds, and what it says of types and names in other files."""
    regions = regions_of(path, content, language)
    if regions is None:
        return sources.symbols_and_relations(content, parsers(language.name))
    if regions.is_empty:
        return [], Relations([], [])
    found, relations = sources.symbols_and_relations(regions.code, parsers(regions.language))
    unparsed = place_unparsed(relations.unparsed, content, regions) if relations.unparsed else ()
    return place_definitions(found, content, regions), relations._replace(unparsed=unparsed)


def whole_outline(path: str, content: bytes, language: Language, parsers: Parsers) -> WholeOutline:
    """Return the outline of a file, with parameters; what does not parse in its regions may be glue between them."""
    regions = regions_of(path, content, language)
    if regions is None:
        return sources.whole_outline(content, parsers(language.name))
    nothing = WholeOutline([], ())
    own = sources.whole_outline(content, parsers(language.name)) if language.outline.has_own_outline else nothing
    inner = sources.whole_outline(regions.code, parsers(regions.language)) if not regions.is_empty else nothing
    placed = add_cells(place_definitions(inner.definitions, content, regions), content, regions)
    return WholeOutline(merge_outlines(own.definitions, placed), ())


def facts(path: str, content: bytes, language: Language, parsers: Parsers) -> Facts:
    """Return the facts of a file."""
    regions = regions_of(path, content, language)
    if regions is None:
        return walk.facts(parsers(language.name).parse(content).root_node, content, language)
    if not (regions.code and regions.language):
        return Facts([Scope(ScopeKind.Module, -1, "")], [], [], {})
    parser = parsers(regions.language)
    found = walk.facts(parser.parse(regions.code).root_node, regions.code, parser.language)
    return place_facts(found, content, regions)
