"""The members that a member overrides or implements: a call through one of them may run it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of
from leadline_tools.languages.access import SourceLines, head_above
from leadline_tools.languages.facts import readable
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.reach import Reach
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.hierarchy.implementations import fitted, implementations
from leadline_tools.resolve.hierarchy.protocols import Protocols
from leadline_tools.resolve.hierarchy.search_record import MEMBERS, is_member
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, declaration_space, load_symbols
from leadline_tools.resolve.symbols.unlisted import nameless_owner
from leadline_tools.resolve.symbols.visibility import reach

_MOST_NAMED = 3
"""Overridden members that a note names; ``find_implementations`` lists all."""

_OVERRIDING = MEMBERS - {SymbolKind.Constructor}


def overridden_members(index: Index, target: DefinedSymbol) -> Sequence[DefinedSymbol]:
    """Return the members of the tree that a member overrides or implements, nearest first; none for another symbol."""
    with asking(index, ahead=False) as question:
        return members_overridden(index, target, question)


def members_overridden(index: Index, target: DefinedSymbol, question: Question) -> Sequence[DefinedSymbol]:
    """Return the same as a part of a question."""
    if not _has_overridable_kind(target) or reach(index, target) is Reach.Type:
        return ()
    if not (target.first.owner or nameless_owner(question.project.facts(target.path), target.first)):
        return ()
    return _overridden_members(index, target, question)


def outside_owners(index: Index, target: DefinedSymbol) -> Sequence[str]:
    """Return the types from outside of the code base through which a member may be called; none for another symbol.

    They are what its type inherits from there, and the interfaces of the standard library that it fits. A member that
    is declared for one interface alone belongs to no other one.
    """
    semantics, language = target.semantics, language_of(target.path)
    if semantics is None or language is None:
        return ()
    if language.names.gives_to_parameters is not None and language.names.gives_to_parameters(_head(target)):
        return (f"{_PARAMETERS} called {target.first.name}",)
    is_type = target.first.kind not in MEMBERS and is_member(index, target)
    if not (_may_override(target) or is_type) or reach(index, target) is Reach.Type:
        return ()
    with asking(index, ahead=False) as question:
        related = implementations(index, target, up=True, question=question)
    bases = [] if semantics.members.structural else [one for one in related.outside if not _is_empty(one, semantics)]
    if semantics.members.by_interface:
        head = head_above(SourceLines(target.source.lines()), target.first.line)
        named = re.findall(r"\w+", head.partition(" for ")[0]) if " for " in head else []
        bases = [one for one in bases if re.split(r"\W+", one.partition("<")[0])[-1] in named]
    signs = (_SIGNS,) if is_called_by_language(target) else ()
    return list(dict.fromkeys((*signs, *bases, *related.fits_outside)))


def is_called_by_language(target: DefinedSymbol) -> bool:
    """Return whether the language or its library calls a member by its name, as far as that tells."""
    language = language_of(target.path)
    is_member = bool(target.first.owner) and target.first.kind in MEMBERS
    return language is not None and is_member and language.names.called_by_language(target.first.name)


def _head(target: DefinedSymbol) -> str:
    """Return the lines of a definition up to its name: decorators and the like."""
    first = target.first
    return "\n".join(target.source.lines()[first.start_line - 1 : first.line])


_ROOTS = frozenset({"object", "Object", "Any"})
"""The types that every type inherits from anyway."""


def _is_empty(base: str, semantics: Semantics) -> bool:
    """Return whether a base from outside calls nothing of an heir but what every object has."""
    return base in _ROOTS or base.partition("<")[0].rpartition(".")[2] in semantics.members.empty_bases


_SIGNS, _PARAMETERS = "signs of the language", "parameters"
"""How code of the tree may use a function without its name."""


def has_hidden_uses(owners: Sequence[str]) -> bool:
    """Return whether code of the tree may use a function without its name, by what ``outside_owners`` returned."""
    return any(one.startswith((_SIGNS, _PARAMETERS)) for one in owners)


def outside_note(owners: Sequence[str]) -> tuple[str, ...]:
    """Return the line that names the types from outside through which a member may be called; none without any."""
    if not owners:
        return ()
    more = f" and {len(owners) - _MOST_NAMED:,} more" if len(owners) > _MOST_NAMED else ""
    named = ", ".join(owners[:_MOST_NAMED])
    return (f"may be used without its name, or from outside of this code base: through {named}{more}",)


def _may_override(target: DefinedSymbol) -> bool:
    """Return whether a symbol is a member of a type that a call through a supertype may run: no constructor is."""
    return bool(target.first.owner) and _has_overridable_kind(target)


def _has_overridable_kind(target: DefinedSymbol) -> bool:
    language = language_of(target.path)
    constructors = language.names.constructors if language is not None else ()
    return target.first.kind in _OVERRIDING and target.first.name not in constructors


def _overridden_members(index: Index, target: DefinedSymbol, question: Question) -> Sequence[DefinedSymbol]:
    named = implementations(index, target, up=True, question=question).found
    structural, _ = fitted(index, target, question)
    through_protocols = Protocols(index, question).protocol_members(target)
    found = [*load_symbols(index, [(one.of.path, one.of.name) for one in named]), *structural, *through_protocols]
    return [
        one
        for one in found
        if declaration_space(one) == declaration_space(target) and (one.path, one.name) != (target.path, target.name)
    ]


def overridden_names(overridden: Sequence[DefinedSymbol]) -> str:
    """Return the names of overridden members for a header: the nearest, and how many more there are."""
    more = f" and {len(overridden) - 1:,} more" if len(overridden) > 1 else ""
    return f"{readable(overridden[0].name)}{more}" if overridden else ""


def overridden_note(overridden: Sequence[DefinedSymbol], who: str = "") -> tuple[str, ...]:
    """Return the line that names what a member overrides, whose uses are not counted; none if it overrides nothing.

    ``who`` says which members do, if not the one that is asked about.
    """
    if not overridden:
        return ()
    named = ", ".join(f"{readable(one.name)} {one.path}:{one.first.line}" for one in overridden[:_MOST_NAMED])
    more = f" and {len(overridden) - _MOST_NAMED:,} more" if len(overridden) > _MOST_NAMED else ""
    return (f"{who} override, not counted: {named}{more}" if who else f"overrides, not counted: {named}{more}",)
