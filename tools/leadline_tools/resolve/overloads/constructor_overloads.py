"""Overloads of constructors: which of them a call runs, by the number of its arguments, by their types where known.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2 and
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1264-overload-resolution.
Only what is sure excludes a constructor.
"""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.argument_match import ArgumentMatch, takes_exactly
from leadline_tools.resolve.overloads.call_shapes import arguments_at, parameters_of
from leadline_tools.resolve.overloads.overload_match import OverloadMatch
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols


class ConstructorOverloads:
    """The constructors of one type, and those of them that are asked about."""

    def __init__(self, index: Index, question: Question, target: DefinedSymbol) -> None:
        self._index = index
        self._match = ArgumentMatch(index, question)
        self._target = target
        everything = load_symbols(index, [(target.path, target.name)])
        every = [one for each in everything for one in each.definitions] or list(target.definitions)
        self._wanted = {(one.line, one.column) for one in target.definitions}
        self._constructors = [((one.line, one.column), parameters_of(target.source, one)) for one in every]

    @property
    def are_several(self) -> bool:
        """Return whether there are constructors that are not asked about."""
        return len(self._constructors) > len(self._wanted)

    def match(self, path: str, facts: Facts, use: Use) -> OverloadMatch:
        """Return whether a use declares or runs one of the constructors that are asked about."""
        if use.role is Role.Definition:
            here = path == self._target.path and (use.line, use.column) in self._wanted
            return OverloadMatch.Sure if here else OverloadMatch.Excluded
        arguments = arguments_at(self._index, path, use)
        if arguments is None:
            return OverloadMatch.Possible
        types = [self._match.type_of(path, facts, use, argument) for argument in arguments]
        fitting = [
            (place, taken)
            for place, taken in self._constructors
            if self._match.accepts(self._target.path, taken, types)
        ]
        exact = [one for one in fitting if takes_exactly(one[1], types)]
        fitting = exact if len(exact) == 1 else fitting
        wanted = [place for place, _ in fitting if place in self._wanted]
        if not wanted:
            return OverloadMatch.Excluded if fitting else OverloadMatch.Possible
        return OverloadMatch.Sure if len(wanted) == len(fitting) else OverloadMatch.Possible
