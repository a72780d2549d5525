"""Overloads that the arguments of calls tell apart: functions of one name in one place that take other things.

They are one symbol for who asks by name. Asked for where it stands, an overload has the calls that may mean it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from enum import Enum

from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.outline import CALLABLE, Definition
from leadline_tools.model import Role, SymbolKind
from leadline_tools.once import once
from leadline_tools.resolve.overloads.argument_match import ArgumentMatch, takes_exactly
from leadline_tools.resolve.overloads.call_shapes import (
    OverloadMatch,
    Parameter,
    accepts_number,
    arguments_at,
    excludes,
    keep_preferred,
    parameters_of,
)
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, definitions_of, load_symbols

_CALLED = frozenset({SymbolKind.Function, SymbolKind.Method})
"""Kinds of what is called by its name alone."""


class _Same(Enum):
    """Whether two declarations declare one function."""

    Yes = "yes"
    No = "no"
    Unknown = "unknown"


class _Declaration:
    """A declaration of one of the overloads: in which file, and what it takes."""

    def __init__(self, source: Source, definition: Definition) -> None:
        self.path = source.path
        self.place = definition.line, definition.column
        self.head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
        self.is_qualified = f"::{definition.name}" in "".join(self.head.partition("(")[0].split())
        self.has_body = source.lines()[definition.end_line - 1].rstrip().endswith("}")
        self.taken = parameters_of(source, definition)


class CalledOverloads:
    """The functions of one name in one place, and those of them that are asked about."""

    def __init__(self, index: Index, question: Question, target: DefinedSymbol) -> None:
        self._index = index
        self._question = question
        self._target = target
        self._match = ArgumentMatch(index, question)

    def match(self, path: str, use: Use) -> OverloadMatch:
        """Return whether a use may mean a function that is asked about, by the arguments of its call."""
        if use.role is Role.Definition:
            return self._match_declaration(path, use)
        if use.role is Role.Import:
            return OverloadMatch.Sure
        arguments = arguments_at(self._index, path, use) if use.role is Role.Call else None
        if arguments is None:
            return OverloadMatch.Possible
        fitting = self._fitting(path, use, arguments)
        own = [one for one in fitting if one in self._asked]
        if not own:
            return OverloadMatch.Excluded if fitting else OverloadMatch.Possible
        return OverloadMatch.Sure if len(own) == len(fitting) else OverloadMatch.Possible

    def keep_called(self, path: str, use: Use, found: Sequence[DefinedSymbol]) -> Sequence[DefinedSymbol]:
        """Return of symbols the declarations of those functions that a call may mean; all, where it may mean none.

        What a declaration means are those of the same function.
        """
        arguments = arguments_at(self._index, path, use) if use.role is Role.Call else None
        if use.role is Role.Definition:
            fitting = self._same_as(path, use)
        elif arguments is not None:
            fitting = self._fitting(path, use, arguments)
        else:
            return found
        places = {(one.path, one.place) for one in fitting}
        kept = (replace(one, definitions=self._at(one, places)) for one in found)
        return [one for one in kept if one.definitions] or found

    def _at(self, of: DefinedSymbol, places: AbstractSet[tuple[str, tuple[int, int]]]) -> tuple[Definition, ...]:
        """Return the definitions at some places, and the macros of the name: another branch of a condition has them."""
        here = [one for one in of.definitions if (of.path, (one.line, one.column)) in places]
        macros = (one for one in of.definitions if here and one.kind not in CALLABLE)
        return tuple(sorted((*here, *macros), key=lambda one: one.line))

    def _same_as(self, path: str, use: Use) -> Sequence[_Declaration]:
        """Return the declarations of the function whose declaration a use is, and those that may be of it."""
        here = [one for one in self._declared if (one.path, one.place) == (path, (use.line, use.column))]
        sure = [one for one in self._declared if any(self._compare(one, each) is _Same.Yes for each in here)]
        if any(one.has_body for one in sure):
            return sure
        return [one for one in self._declared if any(self._compare(one, each) is not _Same.No for each in here)]

    def _match_declaration(self, path: str, use: Use) -> OverloadMatch:
        here = [one for one in self._declared if (one.path, one.place) == (path, (use.line, use.column))]
        if not here:
            return OverloadMatch.Sure  # of another symbol
        if here[0] in self._asked:
            return OverloadMatch.Sure
        return OverloadMatch.Possible if here[0] in self._unsure else OverloadMatch.Excluded

    def _fitting(self, path: str, use: Use, arguments: Sequence[str]) -> Sequence[_Declaration]:
        """Return the functions that a call may mean as far as declarations tell: those alone that fit exactly."""
        taken = [(one, self._with_defaults(one)) for one in self._declared]
        able = [(one, its) for one, its in taken if its is None or _may_take(its, arguments)]
        able = keep_preferred(able, len(arguments))
        facts, semantics = self._question.resolver.facts(path)
        if facts is None or semantics is None or not semantics.calls.joins_overloads:
            return [one for one, _ in able]
        types = [self._match.type_of(path, facts, use, argument) for argument in arguments]
        exact = [one for one, its in able if takes_exactly(its, types)]
        return exact or [one for one, its in able if self._match.accepts(one.path, its, types)]

    def _with_defaults(self, one: _Declaration) -> Sequence[Parameter] | None:
        """Return what a function takes: another declaration of it may give arguments that a call leaves out."""
        taken = one.taken
        for other in self._declared:
            if taken is None or other.taken is None or len(other.taken) != len(taken):
                continue
            if other is not one and self._compare(one, other) is not _Same.No:
                pairs = zip(taken, other.taken, strict=True)
                taken = [mine._replace(optional=mine.optional or its.optional) for mine, its in pairs]
        return taken

    @once
    def _declared(self) -> Sequence[_Declaration]:
        return list(self._all_declarations())

    def _all_declarations(self) -> Iterator[_Declaration]:
        """Yield the declarations of all overloads, in the file of the symbol and in others."""
        own = self._target.path, self._target.name
        others = self._question.resolver.declarations(*own)
        for symbol in load_symbols(self._index, [own, *((one.path, one.name) for one in others)]):
            yield from (_Declaration(symbol.source, one) for one in symbol.definitions if one.kind in CALLABLE)

    @once
    def _asked(self) -> Sequence[_Declaration]:
        """Return the declarations of what is asked about."""
        places = {(one.line, one.column) for one in self._target.definitions}
        first = [one for one in self._declared if one.path == self._target.path and one.place in places]
        return [one for one in self._declared if any(self._compare(one, mine) is _Same.Yes for mine in first)]

    @once
    def _unsure(self) -> Sequence[_Declaration]:
        """Return the declarations of which it is not known whether they declare what is asked about."""
        rest = [one for one in self._declared if one not in self._asked]
        return [one for one in rest if not any(self._differ(one, mine) for mine in self._asked)]

    def _differ(self, one: _Declaration, other: _Declaration) -> bool:
        """Return whether two declarations, or others of the same functions, surely declare two functions."""
        alike = [each for each in self._declared if self._compare(one, each) is _Same.Yes]
        return any(self._compare(each, other) is _Same.No for each in alike)

    def _compare(self, one: _Declaration, other: _Declaration) -> _Same:
        """Return whether two declarations declare one function.

        A class declares each of its members once, and each function has one body: https://eel.is/c++draft/class.mem.
        """
        semantics = self._target.semantics
        if one is other or semantics is None:
            return _Same.Yes
        if not semantics.visibility.links_definitions:
            return _Same.Yes if one.taken == other.taken and one.path != other.path else _Same.No
        if semantics.visibility.spell_parameters(one.head) == semantics.visibility.spell_parameters(other.head):
            return _Same.Yes
        inside = one.path == other.path and not (one.is_qualified or other.is_qualified)
        apart = inside or (one.has_body and other.has_body)
        return _Same.No if apart or semantics.visibility.overloads(one.head, other.head) else _Same.Unknown


def _may_take(taken: Sequence[Parameter], arguments: Sequence[str]) -> bool:
    """Return whether a function may be called with arguments, by their number and by literals."""
    return accepts_number(taken, len(arguments)) and not excludes(taken, arguments)


def called_overloads(index: Index, question: Question, target: DefinedSymbol) -> CalledOverloads | None:
    """Return what tells the overloads of a name apart; None where all are asked about, or there is one."""
    if not _has_overloads(target):
        return None
    every = [one for one in definitions_of(index, target.source, target.name) if one.kind in CALLABLE]
    are_several = len(every) > len(target.definitions) or target.is_overload
    return CalledOverloads(index, question, target) if are_several else None


def keep_called(
    index: Index, question: Question, path: str, use: Use, found: Sequence[DefinedSymbol]
) -> Sequence[DefinedSymbol]:
    """Return of the declarations of overloads in several files those that a call may mean."""
    return CalledOverloads(index, question, found[0]).keep_called(path, use, found)


def keep_accepting(index: Index, path: str, use: Use, target: DefinedSymbol) -> DefinedSymbol:
    """Return a function with those of its overloads alone that a call can mean, by its arguments."""
    semantics = semantics_of(path)
    chooses = semantics is not None and semantics.calls.has_overloads and not semantics.visibility.links_definitions
    arguments = arguments_at(index, path, use) if chooses else None
    if arguments is None:
        return target
    taken = [(one, parameters_of(target.source, one)) for one in target.definitions]
    able = [(one, its) for one, its in taken if not excludes(its, arguments)]
    fitting = tuple(one for one, _ in keep_preferred(able, len(arguments)))
    return replace(target, definitions=fitting) if fitting else target


def may_be_told_apart(found: Sequence[DefinedSymbol]) -> bool:
    """Return whether symbols are the declarations of one name in several files, of overloads as it seems."""
    semantics = found[0].semantics if found and len({one.name for one in found}) == 1 else None
    links = semantics is not None and semantics.visibility.links_definitions
    return links and _has_overloads(found[0]) and any(len(one.definitions) > 1 for one in found)


def is_overload(index: Index, question: Question, target: DefinedSymbol) -> bool:
    """Return whether a file defines one of the functions of a name that another file declares."""
    links = target.semantics is not None and target.semantics.visibility.links_definitions
    if not links or not _has_overloads(target):
        return False
    others = question.resolver.declarations(target.path, target.name)
    return any(len(one.definitions) > 1 for one in load_symbols(index, [(one.path, one.name) for one in others]))


def are_told_apart(target: DefinedSymbol) -> bool:
    """Return whether the definitions of a symbol are overloads that the arguments of calls tell apart."""
    return len(target.definitions) > 1 and _has_overloads(target)


def keep_overload(target: DefinedSymbol, line: int, column: int) -> DefinedSymbol | None:
    """Return the overload alone that stands at a place of the file of a symbol, both 1-based; None where none does."""
    kept = tuple(
        one for one in target.definitions if one.line == line and one.column <= column < one.column + len(one.name)
    )
    return replace(target, definitions=kept) if kept else None


def _has_overloads(target: DefinedSymbol) -> bool:
    semantics = target.semantics
    told = semantics is not None and semantics.calls.has_overloads
    return told and target.first.kind in _CALLED and not target.first.name.startswith("operator")
