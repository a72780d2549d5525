"""The parameters of methods of one name in a type and its bases: an overload that takes others overrides nothing.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-8.html#jls-8.4.8.1, https://eel.is/c++draft/class.virtual#2,
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/classes#1565-override-methods
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages.outline import CALLABLE
from leadline_tools.model import Reason
from leadline_tools.resolve.overloads.call_shapes import Parameter, parameters_of
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.project.resolved_uses import Override
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols


class OverrideShapes:
    """Decides for one method which methods of its name may override it, or be overridden by it, by their parameters."""

    def __init__(self, index: Index, target: DefinedSymbol) -> None:
        self._index = index
        semantics = target.semantics
        has_overloads = semantics is not None and semantics.calls.has_overloads and target.first.kind in CALLABLE
        self._taken = [parameters_of(target.source, one) for one in target.definitions] if has_overloads else [None]

    def lines(self, other: SymbolRef) -> Sequence[int] | None:
        """Return the lines of the definitions of a method of another type that may; None for all."""
        if any(one is None for one in self._taken):
            return None
        every = [
            (one.line, self._fits(parameters_of(target.source, one)))
            for target in load_symbols(self._index, [(other.path, other.name)])
            for one in target.definitions
        ]
        return None if all(fits for _, fits in every) else [line for line, fits in every if fits]

    def may_override(self, member: Override) -> bool:
        """Return whether a member that is declared on a line may."""
        lines = self.lines(SymbolRef(member.path, member.name, Reason.Definition))
        return lines is None or member.line in lines

    def _fits(self, taken: Sequence[Parameter] | None) -> bool:
        return taken is None or any(one is None or len(one) == len(taken) for one in self._taken)
