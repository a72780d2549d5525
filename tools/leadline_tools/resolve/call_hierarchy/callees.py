"""The callees of a function: what the calls in it run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools import cancellation
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.model import Tier
from leadline_tools.resolve.call_hierarchy.call_counts import CallCounts
from leadline_tools.resolve.call_hierarchy.function_code import Function, FunctionCode
from leadline_tools.resolve.call_hierarchy.link import Link
from leadline_tools.resolve.project.resolution import ExternalType, SymbolRef
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol


class Callees:
    """Finds what a function calls; a type runs its constructors."""

    def __init__(self, code: FunctionCode, root: DefinedSymbol) -> None:
        self._code = code
        self._root = root
        self.counts = CallCounts()

    def key(self, function: Function) -> Function:
        """Return what is the same for functions that are followed alike: a type and its constructors."""
        return self._code.made_by(function) or function

    def follows(self, function: Function) -> bool:
        """Return whether a function may call something."""
        return bool(self._code.named(function))

    def links(self, function: Function, *, root: bool) -> Iterator[Link]:
        """Yield what a function calls, in the order of the source."""
        bodies = self._code.constructors(function) if self._code.is_type(function) else self._code.bodies(function)
        callees: dict[Function, list[tuple[int, int]]] = {}
        for body in bodies:
            for callee, use in self._calls(body):
                if not root or self._is_asked(body, use):
                    callees.setdefault(callee, []).append((use.line, use.column))
        return (Link(callee, tuple(dict.fromkeys(sites)), Tier.Exact) for callee, sites in callees.items())

    def _is_asked(self, body: Function, use: Use) -> bool:
        """Return whether a use stands in the constructor that is asked about, where that is one of several."""
        asked = self._root.definitions
        if self._root.name != body.name or len(asked) == len(self._code.named(body)):
            return True
        return any(one.start_line <= use.line <= one.end_line for one in asked)

    def _calls(self, body: Function) -> Iterator[tuple[Function, Use]]:
        """Yield what is called in a function; a function in it that is called speaks for itself."""
        uses = self._code.calls(body.path)
        self.counts.late += bool(self._code.question.refused())
        found = [
            (callee, use, around)
            for name, use, around in uses
            if _lies_in(around, body.name)
            for callee in self._meant(body.path, name, use)
        ]
        inner = {callee.name for callee, _, _ in found if callee.path == body.path and callee.name != body.name}
        apart = [name for name in inner if _lies_in(name, body.name)]
        for callee, use, around in found:
            if not any(_lies_in(around, name) for name in apart):
                yield callee, use

    def _meant(self, path: str, name: str, use: Use) -> Sequence[Function]:
        """Return what a call means; what it means besides is counted."""
        cancellation.check()
        meanings = self._code.methods.choose(path, use, self._code.question.resolver.resolve(path, name, use))
        if self._code.question.refused():
            self.counts.calls += 1
            return ()
        meant = [Function(meaning.path, meaning.name) for meaning in meanings if isinstance(meaning, SymbolRef)]
        found = list(dict.fromkeys(body for one in meant for body in self._code.bodies(one)))
        semantics = semantics_of(path)
        is_implicit = semantics is not None and semantics.is_implicit_call(use)
        if not found and not is_implicit:  # most signs are of the language
            from_outside = any(isinstance(meaning, ExternalType) for meaning in meanings)
            (self.counts.outside if from_outside else self.counts.unknown)[name] = None
        return found


def _lies_in(name: str, outer: str) -> bool:
    return name == outer or name.startswith(f"{outer}.")
