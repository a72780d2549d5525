"""The types of the code base that inherit from a type outside of it, which is known by its name alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.resolve.hierarchy.implementations import implementations
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

_NAMES = re.compile(r"[^\W\d]\w*")
_TYPE_ARGUMENTS = re.compile(r"[<\[(].*")


def outside_subtypes(index: Index, spelled: str) -> list[DefinedSymbol]:
    """Return the types that name a type from outside as their base, and the subtypes of these.

    ``spelled`` is the name of the type as a caller writes it, with what it is in or without: ``Liquid::Tag``, ``Tag``.
    """
    wanted = _NAMES.findall(spelled)
    return [one for part in index.parts for one in _subtypes_in(part, wanted)] if wanted else []


def _subtypes_in(index: Index, wanted: list[str]) -> list[DefinedSymbol]:
    """Return the same of one root."""
    with asking(index) as question:
        found = load_symbols(index, list(dict.fromkeys(_direct(index, question, wanted))))
        further = (
            (item.of.path, item.of.name)
            for one in found
            for item in implementations(index, one, up=False, question=question).found
        )
        known = {(one.path, one.name) for one in found}
        return [*found, *load_symbols(index, [one for one in dict.fromkeys(further) if one not in known])]


def _direct(index: Index, question: Question, wanted: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the paths and names of the types with a base of that name, which means nothing in the code base."""
    inheritance = question.resolver.evaluator.inheritance
    for path in index.related.inheriting(wanted[-1:]):
        cancellation.check()
        for clause in inheritance.base_clauses(path):
            for term in clause.heritage.bases if clause.of is not None else ():
                names = _NAMES.findall(_TYPE_ARGUMENTS.sub("", term))
                if not names or names[-1] != wanted[-1] or names[-len(wanted) :] != wanted[-len(names) :]:
                    continue
                meant = inheritance.resolve_base(clause, term)
                if clause.of is not None and not any(isinstance(one.origin, SymbolRef) for one in meant):
                    yield clause.of.path, clause.of.name
