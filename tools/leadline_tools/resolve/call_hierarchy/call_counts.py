"""The counts of a search for calls: what is no part of the tree."""

from __future__ import annotations

from dataclasses import dataclass, field

from leadline_tools.account import Account
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol


@dataclass
class CallCounts:
    """What is no part of the tree.

    Args:
        undecided: Uses of the root's name that may call it.
        undecided_below: How many such uses there are of the other functions.
        passed: Uses of the root that are no calls, and may pass it along.
        passed_below: How many such uses there are of the other functions.
        account: What the tokens are that spell the root's name; None where nothing calls it by name.
        seconds: About how many seconds more the rest takes.
        outside: Names that are called and defined outside of the code base.
        unknown: Names that are called and not resolved.
        files: Files that were not resolved in time.
        calls: CallTree that were not resolved in time.
        late: Functions that were not looked into in time.
        unread: Files that could not be parsed.
        overridden_below: What the functions that were followed override, but for the root: a call of it may run them.
        omitted: Tokens that spell the name of a function and were not examined, for whatever reason.

    """

    undecided: list[ResolvedUse] = field(default_factory=list[ResolvedUse])
    undecided_below: int = 0
    passed: list[ResolvedUse] = field(default_factory=list[ResolvedUse])
    passed_below: int = 0
    account: Account | None = None
    seconds: float = 0.0
    outside: dict[str, None] = field(default_factory=dict[str, None])
    unknown: dict[str, None] = field(default_factory=dict[str, None])
    files: int = 0
    calls: int = 0
    late: int = 0
    unread: dict[str, None] = field(default_factory=dict[str, None])
    overridden_below: dict[tuple[str, str], DefinedSymbol] = field(default_factory=dict[tuple[str, str], DefinedSymbol])
    omitted: int = 0

    @property
    def complete(self) -> bool:
        """Return whether everything was examined."""
        return not (self.files or self.calls or self.late or self.unread or self.omitted)

    @property
    def may_be_calls(self) -> int:
        """Return how many uses and called names are in no tree because nothing could be proved about them."""
        return len(self.undecided) + self.undecided_below + len(self.unknown)

    @property
    def late_at_all(self) -> bool:
        """Return whether there was no time for something: asking again finds more."""
        return bool(self.files or self.calls or self.late)
