"""Every token that ``rg -w`` finds is in the account of the answer, once, and every item is such a token."""

from __future__ import annotations

import math
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accounting.answers import Account, Answer, Asker, Place, Use
from accounting.drawing import Drawn
from accounting.ripgrep import Tokens, textual

_BATCH = 50
"""Symbols whose names ripgrep looks for at once."""

_QUOTED = re.compile(r"'[^']*'")
_SURE = frozenset({"exact", "likely"})


@dataclass
class Sums:
    """What the answers about one tree say, added up."""

    symbols: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    without_account: int = 0
    tokens: int = 0
    exact: int = 0
    likely: int = 0
    other: int = 0
    undecided: int = 0
    text: int = 0
    aliased: int = 0
    not_examined: Counter[str] = field(default_factory=Counter)
    unequal: int = 0
    unaccounted: int = 0
    surplus: int = 0
    twice: int = 0
    strange: int = 0
    contradictory: int = 0
    failures: list[str] = field(default_factory=list)

    @property
    def answered(self) -> int:
        """Return how many symbols have an answer with an account."""
        return self.symbols - self.refused.total() - self.without_account

    @property
    def failed(self) -> bool:
        """Return whether anything is not as it must be."""
        return bool(self.failures)

    def add(self, account: Account, tokens: int) -> None:
        """Add one account, and how many tokens there are."""
        self.tokens += tokens
        for name in ("exact", "likely", "other", "undecided", "text", "aliased"):
            setattr(self, name, getattr(self, name) + getattr(account, name))
        self.not_examined.update(dict(account.not_examined))
        self.unaccounted += max(0, tokens - account.tokens)
        self.surplus += max(0, account.tokens - tokens)
        self.unequal += tokens != account.tokens


HEAD = (
    "| tree | symbols | no symbol there | without an account | tokens by `rg -w` | exact | likely | another symbol"
    " | undecided | text | not examined | aliased | symbols with another sum | tokens missing, too many | listed twice"
    " | no token | answers that contradict their account |\n|---|" + "---:|" * 16
)


def row(name: str, sums: Sums) -> str:
    """Return the sums as a row of Markdown."""
    numbers = [sums.symbols, sums.refused.total(), sums.without_account, sums.tokens, sums.exact, sums.likely]
    numbers += [sums.other, sums.undecided, sums.text, sums.not_examined.total(), sums.aliased, sums.unequal]
    cells = [f"{number:,}" for number in numbers]
    cells += [f"{sums.unaccounted:,}, {sums.surplus:,}", f"{sums.twice:,}"]
    cells += [f"{sums.strange:,}", f"{sums.contradictory:,}"]
    return f"| {name} | {' | '.join(cells)} |"


@dataclass(frozen=True)
class _Asked:
    """A symbol, its answer, and the one that lists what is undecided."""

    drawn: Drawn
    name: str
    account: Account
    answer: Answer
    undecided: Answer

    @property
    def uses(self) -> Sequence[Use]:
        """Return the uses of both answers, each once for each time that one of them lists it."""
        first = {use.place for use in self.answer.uses}
        return [*self.answer.uses, *(use for use in self.undecided.uses if use.place not in first)]


def check(asker: Asker, root: Path, symbols: Sequence[Drawn], longest: float = math.inf) -> Sums:
    """Ask about each symbol and compare the answers with what ripgrep finds in the files that the index lists.

    After ``longest`` seconds it ends with the batch of symbols that is compared.
    """
    sums = Sums()
    paths = textual(root, asker.index.files.paths)
    until = time.monotonic() + longest
    for first in range(0, len(symbols), _BATCH):
        if time.monotonic() > until:
            break
        sums.symbols += len(symbols[first : first + _BATCH])
        asked = list(_asked(asker, root, symbols[first : first + _BATCH], sums))
        tokens = Tokens(root, (one.name for one in asked), paths)
        for one in asked:
            _compare(one, tokens.of(one.name), sums)
    return sums


def _asked(asker: Asker, root: Path, symbols: Sequence[Drawn], sums: Sums) -> Iterator[_Asked]:
    for drawn in symbols:
        answer = asker.answer("find_references", drawn.address)
        if answer.error:
            sums.refused[_without_quoted(answer.error)] += 1
            continue
        if answer.account is None or answer.kept is None:
            sums.without_account += 1
            sums.failures.append(f"{drawn.address} {drawn.name}: the answer has no account")
            continue
        name = _name(root, answer)
        if not name and drawn.place not in {use.place for use in answer.uses}:
            sums.contradictory += 1
            sums.failures.append(f"{drawn.address} {drawn.name}: lists neither a definition nor the place asked about")
            continue
        undecided = asker.answer("find_references", drawn.address, tier="name")
        yield _Asked(drawn, name or drawn.name, answer.account, answer, undecided)


def _compare(asked: _Asked, tokens: Sequence[Place], sums: Sums) -> None:
    wanted = frozenset(tokens)
    counted = _counted(asked, wanted)
    faults = [*_twice(asked.answer), *_twice(asked.undecided)]
    sums.twice += len(faults)
    strange = [use for use in asked.uses if use.place not in wanted]
    strange = strange[asked.account.aliased :]
    sums.add(asked.account, len(counted))
    contradictions = list(_contradictions(asked, wanted))
    sums.contradictory += bool(contradictions)
    faults += contradictions
    if asked.account.tokens != len(counted):
        faults.append(
            f"ripgrep finds {len(counted):,} tokens, the account has {asked.account.tokens:,}: {asked.account}"
        )
    sums.strange += len(strange)
    faults += [f"no token at {use.place} ({use.tier})" for use in strange]
    if faults:
        sums.failures.append(f"{asked.drawn.address} {asked.name}: {'; '.join(faults[:5])}")
        print(sums.failures[-1], file=sys.stderr, flush=True)  # a long run can be followed


def _counted(asked: _Asked, wanted: frozenset[Place]) -> frozenset[Place]:
    """Return the tokens that the account counts: all, or those in the files that have uses, if it says so rightly."""
    if not asked.account.uncounted_files:
        return wanted
    using = {asked.drawn.place.path, *(use.place.path for use in asked.uses)}
    elsewhere = {place.path for place in wanted} - using
    if len(elsewhere) > asked.account.uncounted_files:
        return wanted
    return frozenset(place for place in wanted if place.path in using)


def _twice(answer: Answer) -> list[str]:
    listed = Counter(use.place for use in answer.uses)
    return [f"listed {number} times: {place}" for place, number in listed.items() if number > 1]


def _contradictions(asked: _Asked, wanted: frozenset[Place]) -> Iterator[str]:
    """Yield what the items of an answer, its account and its header say differently."""
    account = asked.account
    if account != asked.answer.kept:
        yield f"the stored result has another account: {asked.answer.kept}"
    undecided = max(account.undecided, asked.answer.undecided)
    if asked.answer.complete == bool(account.left or undecided):
        yield f"complete is {asked.answer.complete}, {account.left:,} not examined, {undecided:,} undecided"
    sure = sum(use.tier in _SURE and use.place in wanted for use in asked.uses)
    if sure != account.exact + account.likely:
        yield f"{sure:,} sure items, the account has {account.exact + account.likely:,}"
    other_names = sum(use.place not in wanted for use in asked.uses)
    if other_names != account.aliased:
        yield f"{other_names:,} items under another name, the account has {account.aliased:,}"
    undecided = sum(use.tier not in _SURE and use.place in wanted for use in asked.uses)
    if undecided != account.undecided and not account.left:  # else the second answer is further than the first
        yield f"{undecided:,} undecided items, the account has {account.undecided:,}"


def _name(root: Path, answer: Answer) -> str:
    """Return the name that an answer is about; empty where it lists no definition.

    The definition spells it, unless the definition is the word of which a macro makes the name that is used.
    """
    defined = next((_spelled(root, use) for use in answer.uses if use.role == "definition"), "")
    sure = Counter(_spelled(root, use) for use in answer.uses if use.tier in _SURE)
    account = answer.account
    if defined and account is not None and sure[defined] != account.exact + account.likely:
        named = (name for name, number in sure.items() if number == account.exact + account.likely)
        return next(named, defined)
    return defined


def _spelled(root: Path, use: Use) -> str:
    """Return the text of a use."""
    lines = (root / use.place.path).read_bytes().decode("utf-8", errors="replace").split("\n")
    return lines[use.place.line - 1][use.place.column - 1 : use.end - 1]


def _without_quoted(message: str) -> str:
    """Return the first sentence of a message, without what it quotes."""
    return _QUOTED.sub("NAME", message).partition(". ")[0]
