"""Undecided uses: tokens of which no rule says what they are, and uses that are shown beside an answer."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.file_selection import directories
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.occurrences.tokens import Token
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.references.occurrence_lines import occurrences_by_line
from leadline_tools.resolve.references.receiver_declarations import with_receiver_declarations
from leadline_tools.result import Aside, Call

_MOST_SHOWN = 200
"""Uses whose lines are read: more never fit beside an answer."""

_MOST_GROUPS = 12


def undecided_aside(
    index: Index, uses: Sequence[ResolvedUse], label: str, call: Call | None = None
) -> tuple[Aside, ...]:
    """Return some uses as an aside; none where there are no uses.

    Uses whose role is known come first, then those in files whose names are resolved.
    """
    if not uses:
        return ()
    first = sorted(uses, key=lambda one: (one.use.role is Role.Other, semantics_of(one.path) is None))[:_MOST_SHOWN]
    groups = by_folder([one.path for one in uses])
    shown = with_receiver_declarations(index, occurrences_by_line(index, first))
    return (Aside(label, tuple(shown), len(uses), groups, call),)


def by_folder(paths: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return how many of some paths, each as often as it occurs, lie in which folder; the largest group first."""
    groups = [(folder, len(rows)) for folder, rows in directories(sorted(paths), "", _MOST_GROUPS).items()]
    return tuple(sorted(groups, key=lambda group: (-group[1], group[0])))


def places_of_longer_names(path: str, facts: Facts, name: str) -> set[tuple[int, int]]:
    """Return where a file has other names that consist of a name and a sign: ``a?`` of Ruby beside ``a``."""
    language = language_of(path)
    longer = [f"{name}{ending}" for ending in language.names.endings] if language is not None else ()
    return {(use.line, use.column) for one in longer for use in facts.uses.get(one, ())}


def undecided_token(path: str, name: str, token: Token) -> ResolvedUse:
    """Return a token of which no rule says what it is."""
    use = Use(token.line, token.column, token.column + len(name), 0, Role.Other, BARE, -1)
    return ResolvedUse(path, name, use, Tier.Name, Reason.Name, "")
