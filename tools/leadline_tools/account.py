"""The account of an answer about uses: every token of the tree that spells a name, in exactly one class.

A *token* is an occurrence of the name that is no part of a longer word, anywhere in a file: what ``rg -w`` finds.

=============  ===============================================================================================
exact, likely  it means the symbol, surely or most likely
other          it is proved to mean something else, or to stand where the symbol cannot be named
undecided      nothing could be proved
text           it stands in a comment, a string, prose or data
not examined   its file could not be read or parsed, or the patience of the call ended before
=============  ===============================================================================================

An answer is complete if every token was examined and decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain

from leadline_tools.plurals import count_noun

HEADING = "account:"
"""What the line of an answer begins with that gives the account."""

OMITTED = "not examined:"
"""What the lines begin with that say what was not examined, and why."""

OTHERS = "another symbol:"
"""What the line begins with that says what most of the other tokens mean."""

_FEWEST_TOLD = 3
"""Tokens that mean something else, of which an answer says what they mean."""

TokenPosition = tuple[str, int, int]
"""The path, the line and the column of a token."""


class Omission(StrEnum):
    """Why tokens were not examined."""

    Late = "late"
    """The patience of the call ended before."""

    Unparsed = "unparsed"
    """The file could not be parsed."""

    Large = "large"
    """The file holds code and is too large for the index."""

    Secret = "secret"  # noqa: S105  the name of a reason
    """The file is secret and holds code: it is not searched."""

    Unreadable = "unreadable"
    """The file cannot be read any more."""

    Root = "other root"
    """The file belongs to another root: names are resolved inside one."""

    MoreRoots = "more roots"
    """The files belong to several other roots, which are counted together."""

    TooMany = "too many files"
    """More files hold the name than are searched for macros that it is given to."""

    Unlisted = "unlisted"
    """The symbol has more candidates than the index lists."""


@dataclass(frozen=True, slots=True)
class Omitted:
    """Tokens that were not examined for one reason: how many, in how many files, the first of these by name.

    ``at_least`` says that the tokens were not counted: each file has one or more.
    """

    reason: Omission
    tokens: int
    files: int
    example: str = ""
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """How many tokens that spell a name fall into each class.

    Args:
        exact: Tokens that mean the symbol.
        likely: Tokens that most likely do.
        other: Tokens that mean something else.
        undecided: Tokens of which nothing could be proved.
        text: Tokens in comments, strings, prose and data.
        not_examined: Tokens that were not examined, by reason.
        aliased: Uses under another name, on top of these tokens: under an alias, or with an ending left out.
        uncounted: Files, at most, that hold the name, cannot name the symbol and are too large to count in: all their
            tokens mean something else, on top of ``other``.
        binary: Files that are no text: nothing is looked for in them.
        meant_at: Where the exact and likely tokens are.
        undecided_at: Where the undecided tokens are.
        other_symbols: What most of the ``other`` tokens mean, each with how many of them do, most first.

    """

    exact: int = 0
    likely: int = 0
    other: int = 0
    undecided: int = 0
    text: int = 0
    not_examined: tuple[Omitted, ...] = ()
    aliased: int = 0
    uncounted: int = 0
    binary: int = 0
    meant_at: frozenset[TokenPosition] = field(default=frozenset(), repr=False, compare=False)
    undecided_at: frozenset[TokenPosition] = field(default=frozenset(), repr=False, compare=False)
    other_symbols: tuple[tuple[str, int], ...] = ()

    @property
    def complete(self) -> bool:
        """Return whether every token was examined."""
        return not self.not_examined

    @property
    def has_places(self) -> bool:
        """Return whether it is known where its tokens are: not so in an account of types or members."""
        return len(self.meant_at) + len(self.undecided_at) == self.exact + self.likely + self.undecided

    @property
    def tokens(self) -> int:
        """Return how many tokens spell the name, examined or not, but for those in uncounted files."""
        examined = self.exact + self.likely + self.other + self.undecided + self.text
        return examined + sum(omitted.tokens for omitted in self.not_examined)

    @property
    def summary(self) -> str:
        """Return the account as one short line: what means the symbol, what may mean it, what was not examined."""
        left = sum(max(omitted.tokens, omitted.files) for omitted in self.not_examined)
        counts = [("exact", self.exact), ("likely", self.likely), ("undecided", self.undecided)]
        counts += [("aliased", self.aliased), ("not examined", left)]
        return f"{HEADING} {', '.join(f'{name} {number:,}' for name, number in counts if number or name == 'exact')}"

    def notes(self, seconds: float = 0.0) -> Iterator[str]:
        """Yield the lines of an answer that give the account; ``seconds`` is about how long the rest takes."""
        counts = [("exact", self.exact), ("likely", self.likely), ("undecided", self.undecided)]
        counts += [("another symbol", self.other), ("text", self.text), ("aliased", self.aliased)]
        counted = ", ".join(f"{name} {number:,}" for name, number in counts if number or name == "exact")
        yield f"{HEADING} {counted}{self._elsewhere()}"
        rest = self.other - sum(number for _, number in self.other_symbols)
        if self.other >= _FEWEST_TOLD and self.other_symbols and rest >= 0:
            told = [*self.other_symbols, *((("others", rest),) if rest else ())]
            yield f"{OTHERS} {', '.join(f'{name} {number:,}' for name, number in told)}"
        yield from self.omissions(seconds)

    def omissions(self, seconds: float = 0.0) -> Iterator[str]:
        """Yield the lines of an answer that say what was not examined."""
        for omitted in self.not_examined:
            least = ">=" if omitted.at_least else ""
            number = f"{least}{omitted.tokens:,} in " if omitted.tokens else ""
            yield f"{OMITTED} {number}{_files(omitted)}, {_why(omitted, seconds)}"

    def _elsewhere(self) -> str:
        binary = f"; {count_noun(self.binary, 'binary file')} not searched" if self.binary else ""
        if not self.uncounted:
            return binary
        files = count_noun(self.uncounted, "file")
        return f", and all in up to {files} that cannot name it (another symbol, not counted){binary}"


def account_of_all(accounts: Sequence[Account]) -> Account:
    """Return the account of one name for several symbols that have it: a token is of one class for all of them.

    It means one of them where it does for any, and is undecided where it is for any and means none.
    """
    meant = frozenset[TokenPosition]().union(*(one.meant_at for one in accounts))
    undecided = frozenset[TokenPosition]().union(*(one.undecided_at for one in accounts)) - meant
    exact = min(len(meant), sum(one.exact for one in accounts))
    left = max(0, max(one.tokens for one in accounts) - len(meant) - len(undecided))
    omitted = tuple(_within(left, _largest_omissions(accounts)))
    left -= sum(one.tokens for one in omitted)
    text = min(left, *(one.text for one in accounts))
    return Account(
        exact,
        len(meant) - exact,
        left - text,
        len(undecided),
        text,
        omitted,
        sum(one.aliased for one in accounts),
        max(one.uncounted for one in accounts),
        max(one.binary for one in accounts),
        meant,
        undecided,
    )


def account_of_items(accounts: Sequence[Account], items: int) -> Account:
    """Return the account of ``items`` types or members that are listed for several symbols, some for more than one."""
    return Account(
        exact=max(items, *(one.exact for one in accounts)),
        undecided=max(one.undecided for one in accounts),
        not_examined=tuple(_largest_omissions(accounts)),
    )


def _largest_omissions(accounts: Sequence[Account]) -> Iterator[Omitted]:
    """Yield what was not examined for any of some symbols: for each reason the most."""
    reasons: dict[Omission, Omitted] = {}
    for omitted in chain.from_iterable(one.not_examined for one in accounts):
        known = reasons.get(omitted.reason, omitted)
        reasons[omitted.reason] = max(known, omitted, key=lambda one: (one.tokens, one.files))
    yield from reasons.values()


def _within(left: int, omissions: Iterable[Omitted]) -> Iterator[Omitted]:
    """Yield what was not examined, with not more tokens than are left in all."""
    for omitted in omissions:
        tokens = min(left, omitted.tokens)
        left -= tokens
        yield replace(omitted, tokens=tokens)


def total_account(accounts: Sequence[Account]) -> Account:
    """Return the account of several names, or of names in several roots: each token is one of one of them."""
    return Account(
        sum(one.exact for one in accounts),
        sum(one.likely for one in accounts),
        sum(one.other for one in accounts),
        sum(one.undecided for one in accounts),
        sum(one.text for one in accounts),
        tuple(chain.from_iterable(one.not_examined for one in accounts)),
        sum(one.aliased for one in accounts),
        sum(one.uncounted for one in accounts),
        max(one.binary for one in accounts),
        frozenset[TokenPosition]().union(*(one.meant_at for one in accounts)),
        frozenset[TokenPosition]().union(*(one.undecided_at for one in accounts)),
    )


def _files(omitted: Omitted) -> str:
    if omitted.reason is Omission.Root:
        return f"{count_noun(omitted.files, 'file')} of root {omitted.example}"
    if omitted.reason is Omission.MoreRoots:
        return f"{count_noun(omitted.files, 'file')} of {omitted.example}"
    return omitted.example if omitted.files == 1 else f"{omitted.files:,} files"


_REASONS: Mapping[Omission, str] = {
    Omission.Large: "too large for the index: search_text lists them",
    Omission.Unreadable: "which cannot be read",
    Omission.Root: "since names are resolved inside one root: search_text lists them",
    Omission.MoreRoots: "as in these",
    Omission.Secret: "which is secret and not searched",
    Omission.TooMany: "since no more are searched for macros: search_text lists them",
    Omission.Unlisted: "there are more candidates than the index lists",
}


def _why(omitted: Omitted, seconds: float) -> str:
    """Return why tokens were not examined, as the end of a sentence."""
    if omitted.reason is Omission.Late:
        return f"time ran out (about {seconds:.0f} s more): ask again" if seconds >= 1 else "ask again for more"
    if omitted.reason is Omission.Unparsed:
        named = "" if omitted.files == 1 else f" ({omitted.example}, ...)"
        return f"which could not be parsed{named}"
    return _REASONS[omitted.reason]
