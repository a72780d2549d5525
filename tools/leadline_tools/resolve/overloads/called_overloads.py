"""Overloads that the arguments of calls tell apart: functions of one name in one place that take other things.

They are one symbol for who asks by name. Asked for where it stands, an overload has the calls that may mean it.

Of those that a call can mean, the best one is meant, where that is known: it surely takes the arguments, and suits each
of them as well as any other, and one of them better.
https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2.5,
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12622-corresponding-parameters,
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12643-better-function-member,
https://kotlinlang.org/spec/overload-resolution.html#choosing-the-most-specific-candidate-from-the-overload-candidate-set
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.lists import before_list
from leadline_tools.languages.outline import CALLABLE, Definition
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.model import Reason, Role, SymbolKind
from leadline_tools.once import once
from leadline_tools.resolve.overloads.argument_match import ArgumentMatch, DeclaredParameter
from leadline_tools.resolve.overloads.call_shapes import (
    OverloadMatch,
    Parameter,
    accepts_number,
    arguments_at,
    count_type_arguments,
    excludes,
    has_block_behind,
    keep_preferred,
    names_of_parameters,
    parameters_of,
    text_behind,
)
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, definitions_of, load_symbols

BLOCK = "{}"
"""The text of an argument that is a block behind a call."""

_CALLED = frozenset({SymbolKind.Function, SymbolKind.Method})
"""Kinds of what is called by its name alone."""

_Function = TypeVar("_Function")
Given = str | SymbolRef
"""The type of an argument; empty where it is not known."""


_NAMED = re.compile(r"(\w+)\s*([:=])(?![=:])\s*")

Arranged = Sequence[tuple[Parameter, str]]
"""Parameters, each with the argument that it is given."""


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
        self.name = definition.name
        self.taken = parameters_of(source, definition)
        self.names = names_of_parameters(source, definition)


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
        arguments = self._arguments(path, use)
        if arguments is None:
            return OverloadMatch.Possible
        fitting = self._fitting(path, use, arguments)
        own = [one for one in fitting if one in self._asked]
        if not own:
            return OverloadMatch.Excluded if fitting else OverloadMatch.Possible
        sure = len(own) == len(fitting) and not self._may_mean_another_method(path, use, len(arguments))
        return OverloadMatch.Sure if sure else OverloadMatch.Possible

    def _may_mean_another_method(self, path: str, use: Use, number: int) -> bool:
        """Return whether a call may be one of a method of another type: what it is made on may be of several types."""
        meanings = self._question.resolver.resolve(path, self._target.first.name, use)
        others = [(one.path, one.name) for one in meanings if isinstance(one, SymbolRef)]
        found = load_symbols(self._index, [one for one in others if one[1] != self._target.name])
        methods = [(of.source, one) for of in found for one in of.definitions if one.kind in CALLABLE]
        return any(accepts_number(parameters_of(source, one), number) for source, one in methods)

    def keep_called(self, path: str, use: Use, found: Sequence[DefinedSymbol]) -> Sequence[DefinedSymbol]:
        """Return of symbols the declarations of those functions that a call may mean; all, where it may mean none.

        What a declaration means are those of the same function.
        """
        arguments = self._arguments(path, use)
        if use.role is Role.Definition:
            fitting = self._same_as(path, use)
        elif arguments is not None:
            fitting = self._fitting(path, use, arguments)
        else:
            return found
        places = {(one.path, one.place) for one in fitting}
        kept = (replace(one, definitions=self._at(one, places)) for one in found)
        return [one for one in kept if one.definitions] or found

    def _arguments(self, path: str, use: Use) -> Sequence[str] | None:
        """Return the arguments of a call, a block behind it among them; None for no call."""
        return arguments_with_block(self._index, path, use) if use.role is Role.Call else None

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
        facts, semantics = self._question.resolver.facts(path)
        if facts is None or semantics is None or not semantics.calls.joins_overloads:
            able = [(one, its) for one, its in taken if its is None or _may_take(its, arguments)]
            return [one for one, _ in keep_preferred(able, len(arguments))]
        given = count_type_arguments(self._index, path, use) if semantics.calls.type_parameters is not None else 0
        called = OverloadedCall(path, arguments, given, semantics.calls)
        fitting = [
            (one, its) for one, its in taken if its is None or called.may_mean(one.head, one.name, its, one.names)
        ]
        able = keep_preferred(fitting, len(arguments))
        types = [self._match.type_of(path, facts, use, value) for value in called.values]
        exact = [
            one for one, its in able if not called.names_arguments and self._match.takes_exactly(one.path, its, types)
        ]
        if exact:
            return exact
        choices = [Candidate(one, one.path, called.arrange(its, one.names, types)) for one, its in able]
        return keep_best(self._match, choices)

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
        others = {
            (one.path, one.name): None for one in (*self._question.resolver.declarations(*own), *self._in_other_parts())
        }
        for symbol in load_symbols(self._index, list({own: None, **others})):
            yield from (_Declaration(symbol.source, one) for one in symbol.definitions if one.kind in CALLABLE)

    def _in_other_parts(self) -> Sequence[SymbolRef]:
        """Return the methods of the name in other parts of the type of the symbol."""
        owner, _, name = self._target.name.rpartition(".")
        declarations = self._question.resolver.evaluator.declarations
        of = SymbolRef(self._target.path, owner, Reason.Definition)
        return declarations.members_in_other_parts(of, name) if owner else ()

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

    def _generics(self, of: _Declaration) -> int:
        """Return how many type parameters a function declares, where calls tell that."""
        semantics = self._target.semantics
        declared = semantics.calls.type_parameters if semantics is not None else None
        return len(declared(of.head, of.name)) if declared is not None else 0

    def _compare(self, one: _Declaration, other: _Declaration) -> _Same:
        """Return whether two declarations declare one function.

        A class declares each of its members once, and each function has one body: https://eel.is/c++draft/class.mem.
        """
        semantics = self._target.semantics
        if one is other or semantics is None:
            return _Same.Yes
        if not semantics.visibility.links_definitions:
            apart = one.path == other.path or one.taken != other.taken or self._generics(one) != self._generics(other)
            return _Same.No if apart else _Same.Yes
        if semantics.visibility.spell_parameters(one.head) == semantics.visibility.spell_parameters(other.head):
            return _Same.Yes
        inside = one.path == other.path and not (one.is_qualified or other.is_qualified)
        apart = inside or (one.has_body and other.has_body)
        return _Same.No if apart or semantics.visibility.overloads(one.head, other.head) else _Same.Unknown


def arguments_with_block(index: Index, path: str, use: Use) -> Sequence[str] | None:
    """Return the arguments of a call, a block behind it among them where that is one; None for no call.

    What follows the call of a constructor in the list of bases is the body of a type.
    """
    arguments, semantics = arguments_at(index, path, use), semantics_of(path)
    if semantics is None or not semantics.calls.block_is_argument or use.role is Role.Inherit:
        return arguments
    if arguments is None:
        behind = text_behind(index, path, use, 0)
        return [BLOCK] if behind[before_list(behind) :].startswith("{") else None
    return [*arguments, BLOCK] if has_block_behind(index, path, use) else arguments


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
    links = semantics is not None and semantics.visibility.links_definitions  # overloads of a file are one symbol
    several = links or (semantics is not None and semantics.calls.nearest_overloads and len(found) > 1)
    return several and _has_overloads(found[0]) and any(len(one.definitions) > 1 for one in found)


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


def split_named(argument: str, sign: str) -> tuple[str, str]:
    """Return the name and the value of an argument; an empty name for one that is given by its place.

    Args:
        argument: Its text.
        sign: What stands behind the name of an argument in its language; empty where arguments have no names.

    """
    named = _NAMED.match(argument) if sign else None
    return (named[1], argument[named.end() :]) if named is not None and named[2] == sign else ("", argument)


def arrange(taken: Sequence[Parameter], names: Sequence[str], arguments: Sequence[str], sign: str) -> Arranged | None:
    """Return what each argument is for; None where a function cannot be called with arguments of those names."""
    named = [split_named(one, sign) for one in arguments]
    found, given = list[tuple[Parameter, str]](), set[int]()
    for at, (name, value) in enumerate(named):
        if name and name not in names:
            return None
        place = names.index(name) if name else len(taken) - 1 if value == BLOCK else min(at, len(taken) - 1)
        if place < 0 or (place in given and not taken[place].repeated):
            return None
        given.add(place)
        found.append((taken[place], value))
    left = (one for place, one in enumerate(taken) if place not in given)
    return found if all(one.optional or one.repeated for one in left) else None


class OverloadedCall:
    """A call: its arguments, and the number of its type arguments."""

    def __init__(self, path: str, arguments: Sequence[str], type_arguments: int, rules: CallRules) -> None:
        self.path = path
        self._arguments = arguments
        self._type_arguments = type_arguments
        self._rules = rules
        named = [split_named(one, rules.argument_sign) for one in arguments]
        self.values = [value for _, value in named]
        self.names_arguments = any(name for name, _ in named)

    def may_mean(self, head: str, name: str, taken: Sequence[Parameter], names: Sequence[str]) -> bool:
        """Return whether a function can be called so, by the number, the names and the literals of the arguments."""
        declared = self._rules.type_parameters(head, name) if self._rules.type_parameters is not None else ()
        if self._type_arguments and self._type_arguments != len(declared):
            return False
        if not self._type_arguments and any(not _infers(one, head, name) for one in declared):
            return False
        if not self.names_arguments or len(names) != len(taken):
            return not excludes(taken, self._arguments)
        # An extension is called on its receiver, or with it as an argument.
        behind = [(one, its) for one, its in zip(taken, names, strict=True) if not one.receiver]
        return self._fits(taken, names) or self._fits([one for one, _ in behind], [its for _, its in behind])

    def _fits(self, taken: Sequence[Parameter], names: Sequence[str]) -> bool:
        return arrange(taken, names, self._arguments, self._rules.argument_sign) is not None

    def arrange(
        self, taken: Sequence[Parameter] | None, names: Sequence[str], types: Sequence[Given]
    ) -> Sequence[tuple[Parameter, Given]] | None:
        """Return the parameters that the arguments are for, each with the type that it is given; None if not known."""
        if taken is None or len(names) != len(taken) or any(one.receiver for one in taken):
            return None
        found = arrange(taken, names, self._arguments, self._rules.argument_sign)
        return [(one, given) for (one, _), given in zip(found, types, strict=True)] if found is not None else None


class Candidate(NamedTuple, Generic[_Function]):
    """A function that a call can mean, the file that declares it, and what it is given; None for not known."""

    function: _Function
    home: str
    given: Sequence[tuple[Parameter, Given]] | None


def keep_best(match: ArgumentMatch, choices: Sequence[Candidate[_Function]]) -> Sequence[_Function]:
    """Return the functions that a call may mean: the best of them alone, if one is known to be that."""
    able = [one for one in choices if one.given is None or not _is_excluded(match, one)]
    if len(able) > 1:
        best = [
            one
            for one in able
            if _is_sure(match, one) and all(_is_better(match, one, of) for of in able if of is not one)
        ]
        able = best or able
    return [one.function for one in able]


def _is_excluded(match: ArgumentMatch, one: Candidate[_Function]) -> bool:
    return any(match.excludes(one.home, taken, given) for taken, given in one.given or () if not taken.repeated)


def _is_sure(match: ArgumentMatch, one: Candidate[_Function]) -> bool:
    """Return whether a function surely takes what it is given, each thing in a place of its own."""
    given = one.given
    return given is not None and all(
        not taken.repeated and match.surely_takes(one.home, taken, type_) for taken, type_ in given
    )


def _is_better(match: ArgumentMatch, one: Candidate[_Function], other: Candidate[_Function]) -> bool:
    """Return whether a function that surely takes what it is given is better than another one."""
    if one.given is None or other.given is None or len(one.given) != len(other.given):
        return False
    pairs = zip(one.given, other.given, strict=True)
    compared = [
        match.is_better(DeclaredParameter(one.home, a), DeclaredParameter(other.home, b), given)
        for (a, given), (b, _) in pairs
    ]
    if any(better is False for better in compared):
        return False
    return any(compared) or any(taken.repeated for taken, _ in other.given)


def _infers(parameter: str, head: str, name: str) -> bool:
    """Return whether arguments may tell what a type parameter is: a type in the list of a function names it."""
    listed = head[head.find("(", head.find(name)) :]
    return parameter in "".join(one if one.isalnum() or one == "_" else " " for one in listed).split()
