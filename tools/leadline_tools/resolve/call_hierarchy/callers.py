"""The callers of a function: its uses that call it, each in the function that it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from leadline_tools.model import Role, Tier
from leadline_tools.resolve.call_hierarchy.call_counts import CallCounts
from leadline_tools.resolve.call_hierarchy.function_code import CALLS, Function, FunctionCode
from leadline_tools.resolve.call_hierarchy.link import Link
from leadline_tools.resolve.hierarchy.overridden import members_overridden
from leadline_tools.resolve.overloads.call_shapes import text_behind
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.references.references import references
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.resolve.tiers.constructions import calls_base

_MAY_CALL = CALLS | {Role.Read, Role.Other}
"""The roles of an undecided use that may be a call, or pass along what is called."""


_MOST_LINES = 4
"""Lines after the name of a base among which its arguments begin."""


class Callers:
    """Finds what calls a function; a constructor is called where an object of its type is made."""

    def __init__(self, code: FunctionCode, root: DefinedSymbol) -> None:
        self._code = code
        self._root = root
        self.counts = CallCounts()

    def key(self, function: Function) -> Function:
        """Return what is the same for functions that are followed alike."""
        return function

    def follows(self, function: Function) -> bool:
        """Return whether something may call a function: nothing calls the code outside of functions."""
        return bool(function.name) and not self._code.is_type(function)

    def links(self, function: Function, *, root: bool) -> Iterator[Link]:
        """Yield what calls a function."""
        found = [*self._calls(function, root=root)]
        callers: dict[Function, list[ResolvedUse]] = {}
        for call in found:
            callers.setdefault(Function(call.path, self._code.around(call.path, call.use)), []).append(call)
        for caller, group in callers.items():
            yield Link(caller, tuple(dict.fromkeys((one.use.line, one.use.column) for one in group)), group[0].tier)

    def _calls(self, function: Function, *, root: bool) -> Iterator[ResolvedUse]:
        source, named = self._code.source(function.path), self._code.named(function)
        if source is None or not (named or root):  # no outline lists a member of a type without a name
            return
        target = self._root if root else DefinedSymbol(source, tuple(named))
        uses = references(self._code.index, target, None, self._code.question)
        self.counts.files += uses.late
        self.counts.unread.update(dict.fromkeys(uses.unread))
        self.counts.omitted += sum(one.tokens for one in uses.account.not_examined)
        undecided = [one for one in uses.found if one.tier is Tier.Name and one.use.role in _MAY_CALL]
        passed = [one for one in uses.found if one.tier is not Tier.Name and one.use.role is Role.Read]
        if root:
            self.counts.undecided, self.counts.passed = undecided, passed
            self.counts.account, self.counts.seconds = uses.account, uses.seconds
        else:
            self.counts.undecided_below += len(undecided)
            self.counts.passed_below += len(passed)
            overridden = members_overridden(self._code.index, target, self._code.question)
            self.counts.overridden_below.update({(one.path, one.name): one for one in overridden})
        yield from (one for one in uses.found if one.tier is not Tier.Name and self._is_call(one))

    def _is_call(self, one: ResolvedUse) -> bool:
        """Return whether a use calls: so does the name of a base whose constructor gets arguments there."""
        if one.use.role is Role.Inherit:
            return calls_base(text_behind(self._code.index, one.path, one.use, _MOST_LINES))
        return one.use.role in CALLS
