"""Overloads of constructors: which of them a call runs, by the number of its arguments, by their types where known.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2 and
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1264-overload-resolution.
Only what is sure excludes a constructor.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.outline import CLASS_LIKE, Definition
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.argument_match import ArgumentMatch
from leadline_tools.resolve.overloads.call_shapes import OverloadMatch, Parameter, arguments_at, parameters_of
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

_Constructor = tuple[tuple[int, int], Sequence[Parameter] | None]
"""A constructor: where it is declared, and what it takes."""

_BEFORE_LIST = re.compile(r"(\w+)\s*(?:<[^()]*>\s*)?\(")
"""A name before a list of parameters."""

_HEAD = 0, 0
"""The place of one that has no declaration of its own."""


class ConstructorOverloads:
    """The constructors of one type, and those of them that are asked about."""

    def __init__(self, index: Index, question: Question, target: DefinedSymbol) -> None:
        self._index = index
        self._match = ArgumentMatch(index, question)
        self._target = target
        everything = load_symbols(index, [(target.path, target.name)])
        every = [one for each in everything for one in each.definitions] or list(target.definitions)
        self._wanted = {(one.line, one.column) for one in target.definitions}
        declared = [((one.line, one.column), self._parameters(one)) for one in every]
        self._constructors = [*declared, *self._implicit(declared)]

    def _parameters(self, constructor: Definition) -> Sequence[Parameter] | None:
        """Return what a constructor takes: one without a list takes what the head of its type does (a record).

        https://docs.oracle.com/javase/specs/jls/se21/html/jls-8.html#jls-8.10.4.2
        """
        source = self._target.source
        if b"(" in source.content[slice(*constructor.signature)]:
            return parameters_of(source, constructor)
        return self._taken_by_head()

    def _implicit(self, declared: Sequence[_Constructor]) -> Sequence[_Constructor]:
        """Return the constructor that the head of a type declares, unless the body declares it: nobody asks about it.

        https://learn.microsoft.com/dotnet/csharp/programming-guide/classes-and-structs/instance-constructors#primary-constructors
        """
        taken = self._taken_by_head()
        return [] if taken is None or any(its == taken for _, its in declared) else [(_HEAD, taken)]

    def _taken_by_head(self) -> Sequence[Parameter] | None:
        """Return what the head of the type lists: the components of a record, a primary constructor."""
        source = self._target.source
        owners = load_symbols(self._index, [(source.path, self._target.name.rpartition(".")[0])])
        heads = [one for owner in owners for one in owner.definitions if one.kind in CLASS_LIKE]
        if len(heads) != 1:
            return None
        head = source.content[slice(*heads[0].signature)].decode("utf-8", "replace")
        listed = any(found[1] == heads[0].name for found in _BEFORE_LIST.finditer(head))
        return parameters_of(source, heads[0]) if listed else None

    @property
    def are_several(self) -> bool:
        """Return whether there are constructors that are not asked about."""
        return len(self._constructors) > len(self._wanted)

    def match(self, path: str, facts: Facts, use: Use) -> OverloadMatch:
        """Return whether a use declares or runs one of the constructors that are asked about."""
        if use.role is Role.Definition:
            here = path == self._target.path and (use.line, use.column) in self._wanted
            return OverloadMatch.Sure if here else OverloadMatch.Excluded
        fitting = self._fitting(path, facts, use)
        if fitting is None:
            return OverloadMatch.Possible
        wanted = [place for place in fitting if place in self._wanted]
        if not wanted:
            return OverloadMatch.Excluded if fitting else OverloadMatch.Possible
        return OverloadMatch.Sure if len(wanted) == len(fitting) else OverloadMatch.Possible

    def runs_head(self, path: str, facts: Facts, use: Use) -> bool:
        """Return whether a call runs the constructor that the head of the type declares."""
        return self._fitting(path, facts, use) == [_HEAD]

    def _fitting(self, path: str, facts: Facts, use: Use) -> Sequence[tuple[int, int]] | None:
        """Return where those constructors are declared that a call may run; None where it has no arguments."""
        arguments = arguments_at(self._index, path, use)
        if arguments is None:
            return None
        types = [self._match.type_of(path, facts, use, argument) for argument in arguments]
        fitting = [
            (place, taken)
            for place, taken in self._constructors
            if self._match.accepts(self._target.path, taken, types)
        ]
        exact = [one for one in fitting if self._match.takes_exactly(self._target.path, one[1], types)]
        return [place for place, _ in (exact if len(exact) == 1 else fitting)]
