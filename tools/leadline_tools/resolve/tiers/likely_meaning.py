"""The symbol that a name most likely means whose definition was not found, by the rule for its uses."""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.model import Tier
from leadline_tools.resolve.addresses.file_position import FilePosition, parse_position
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, SymbolMatches
from leadline_tools.resolve.tiers.use_tiers import UseTiers

_MOST_COMPARED = 8
"""Symbols of one name that are compared; where more have it, none of them is likely."""


def likely_meaning(index: Index, asked: str, candidates: SymbolMatches) -> DefinedSymbol | None:
    """Return the one of some symbols of which the name at a place is a likely use; None where that is not one alone.

    The rule for uses compares the types that have such a member: beside what is no member it says nothing.

    Args:
        index: The index.
        asked: The address of the place, with a column.
        candidates: All symbols that have the name.

    """
    place = parse_position(index, asked)
    if place is None or not place.column or candidates.more or len(candidates) > _MOST_COMPARED:
        return None
    if len(candidates) > 1 and not all(one.first.owner for one in candidates):
        return None
    with asking(index.of(place.path), ahead=False) as question:
        likely = [one for one in candidates if _is_used_at(index.of(place.path), question, one, place)]
        late = question.refused()  # what was not known in time might have made it another one
    return likely[0] if len(likely) == 1 and not late else None


def _is_used_at(index: Index, question: Question, symbol: DefinedSymbol, place: FilePosition) -> bool:
    """Return whether a place is an exact or a likely use of a symbol."""
    facts = question.project.facts(place.path)
    name = symbol.first.name
    if facts is None:
        return False
    return any(
        isinstance(one, ResolvedUse)
        and one.tier is not Tier.Name
        and one.use.line == place.line
        and one.use.column <= place.column < one.use.end_column
        for one in UseTiers(index, symbol, question).uses(place.path, facts, name)
    )
