"""Overloads that what they are called on tells apart: extensions of one name in one place for several types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.call_shapes import OverloadMatch
from leadline_tools.resolve.overloads.called_overloads import keep_accepting
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, definitions_of


class ExtensionOverloads:
    """The extensions of one name in one place, and those of them that are asked about."""

    def __init__(self, index: Index, question: Question, target: DefinedSymbol) -> None:
        self._index = index
        self._question = question
        self._target = target
        self._every = replace(target, definitions=tuple(definitions_of(index, target.source, target.name)))
        self._wanted = frozenset((one.line, one.column) for one in target.definitions)

    def match(self, path: str, use: Use) -> OverloadMatch:
        """Return whether a use means an extension that is asked about, by the type of what it is called on.

        Of several for that type the arguments of a call choose.
        """
        if use.role is Role.Definition:
            here = path != self._target.path or (use.line, use.column) in self._wanted
            return OverloadMatch.Sure if here else OverloadMatch.Excluded
        if use.role is Role.Import:
            return OverloadMatch.Sure
        meant = extensions_meant(self._question, path, use, self._target)
        if use.role is Role.Call and len(meant) != 1:
            able = keep_accepting(self._index, path, use, self._every).definitions
            places = frozenset((one.line, one.column) for one in able)
            meant = (meant & places or meant) if meant else places
        if not meant or not (meant <= self._wanted or meant.isdisjoint(self._wanted)):
            return OverloadMatch.Possible
        return OverloadMatch.Sure if meant <= self._wanted else OverloadMatch.Excluded


def extension_overloads(index: Index, question: Question, target: DefinedSymbol) -> ExtensionOverloads | None:
    """Return what tells extensions of one name apart; None where all are asked about, or there are none."""
    amended = _amended(question.project.facts(target.path), target)
    return ExtensionOverloads(index, question, target) if len(amended) > len(target.definitions) else None


def keep_extensions(question: Question, target: DefinedSymbol, here: Sequence[Definition]) -> DefinedSymbol:
    """Return those extensions of one name that are called on the same type as one that stands at a place."""
    amended = _amended(question.project.facts(target.path), target)
    types = {amended.get((one.line, one.column)) for one in here}
    kept = tuple(one for one in target.definitions if amended.get((one.line, one.column)) in types)
    return replace(target, definitions=kept) if amended and kept else target


def keep_meant(question: Question, path: str, use: Use, target: DefinedSymbol) -> DefinedSymbol:
    """Return those extensions of one name that a use means by the type of what it is called on."""
    meant = extensions_meant(question, path, use, target) if len(target.definitions) > 1 else frozenset()
    kept = tuple(one for one in target.definitions if (one.line, one.column) in meant)
    return replace(target, definitions=kept) if kept else target


def are_several_extensions(question: Question, meanings: Sequence[Resolution]) -> bool:
    """Return whether something means one of several extensions, or a member beside one."""
    symbols = [one for one in meanings if isinstance(one, SymbolRef)]
    if len(symbols) < 2:
        return False
    facts = ((one.name, question.project.facts(one.path)) for one in symbols)
    return any(of is not None and any(one.amends for one in of.all_at(name)) for name, of in facts)


def extensions_meant(question: Question, path: str, use: Use, target: DefinedSymbol) -> frozenset[tuple[int, int]]:
    """Return the lines and columns of the extensions of one name that a use means; none where that is not known."""
    evaluator = question.resolver.evaluator
    if use.receiver in (BARE, UNKNOWN) or not _amended(question.project.facts(target.path), target):
        return frozenset()
    types = evaluator.resolve_aliases(evaluator.evaluate(path, use.receiver.removesuffix("|"), use.scope))
    name = target.first.name
    found = (one for type_ in types for one in evaluator.added_members.extensions(path, type_, name))
    return frozenset((one.line, one.column) for file, one in found if (file, one.path) == (target.path, target.name))


def _amended(facts: Facts | None, target: DefinedSymbol) -> dict[tuple[int, int], str]:
    """Return the types that the extensions of the name of a symbol add a member to, by their lines and columns."""
    semantics = target.semantics
    if facts is None or semantics is None or not semantics.members.has_extensions:
        return {}
    return {(one.line, one.column): one.amends for one in facts.all_at(target.name) if one.amends}
