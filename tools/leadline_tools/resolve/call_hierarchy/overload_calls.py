"""Calls between overloads: functions of one name are one in a tree of calls, and one may call another without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leadline_tools.languages.facts import Use
from leadline_tools.languages.outline import CALLABLE, Definition
from leadline_tools.resolve.call_hierarchy.function_code import Function, FunctionCode
from leadline_tools.resolve.overloads.call_shapes import (
    OverloadMatch,
    arguments_at,
    excludes,
    has_block_behind,
    parameters_of,
)
from leadline_tools.resolve.overloads.called_overloads import called_overloads
from leadline_tools.resolve.overloads.labelled_overloads import labelled_overloads
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol


class OverloadCalls:
    """Knows which overloads of a function call which."""

    def __init__(self, code: FunctionCode) -> None:
        self._code = code

    def is_recursive(self, function: Function, sites: Sequence[tuple[int, int]]) -> bool:
        """Return whether calls of a function in itself may come back to the overload that they begin in."""
        overloads = [one for one in self._code.named(function) if one.kind in CALLABLE]
        if len(overloads) < 2:
            return True
        uses = list(self._uses(function, sites))
        if len(uses) < len(sites):
            return True
        called: dict[int, set[int]] = {}
        for use in uses:
            inside = [i for i, one in enumerate(overloads) if one.start_line <= use.line <= one.end_line]
            meant = [i for i, one in enumerate(overloads) if self._may_mean(function, one, use)]
            if len(inside) != 1 or not meant:
                return True
            called.setdefault(inside[0], set()).update(meant)
        return any(_comes_back(one, called) for one in called)

    def _uses(self, function: Function, sites: Sequence[tuple[int, int]]) -> Iterator[Use]:
        """Yield the calls at some places of the file of a function."""
        places = frozenset(sites)
        for _, use, _ in self._code.calls(function.path):
            if (use.line, use.column) in places:
                yield use

    def _may_mean(self, function: Function, overload: Definition, use: Use) -> bool:
        """Return whether a call may mean an overload, as far as its arguments tell."""
        source = self._code.source(function.path)
        if source is None:
            return True
        target = DefinedSymbol(source, (overload,))
        index, question = self._code.index, self._code.question
        apart = labelled_overloads(index, target) or called_overloads(index, question, target)
        if apart is not None:
            return apart.match(function.path, use) is not OverloadMatch.Excluded
        arguments, taken = arguments_at(index, function.path, use), parameters_of(source, overload)
        if arguments is None or taken is None or has_block_behind(index, function.path, use):
            return True
        return not excludes(taken, arguments)


def _comes_back(start: int, called: Mapping[int, set[int]]) -> bool:
    """Return whether an overload is among those that it calls, itself or through others."""
    seen, waiting = set[int](), [start]
    while waiting:
        for one in called.get(waiting.pop(), ()):
            if one == start:
                return True
            if one not in seen:
                seen.add(one)
                waiting.append(one)
    return False
