"""Omissions of an answer: how often the name stands in files that were not looked into, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from leadline_tools import cancellation
from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.errors import LeadlineError, Unreadable
from leadline_tools.index.index import Index
from leadline_tools.resolve.occurrences.tokens import count_tokens
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.result import Result

_COUNTED_BYTES = 256 << 20
"""Bytes of files in which tokens are counted that were not examined: about a second, after the patience of the call."""


def omit(index: Index, reason: Omission, names: Mapping[str, Iterable[str]]) -> Iterator[Omitted]:
    """Yield the tokens that were not examined for a reason, in files with the names that were looked for there.

    Where these files are too large to count in, each stands for one token; so does one that cannot be read any more.
    """
    paths = list(names)
    if any(size > _COUNTED_BYTES for size in accumulate(map(index.files.size, paths))):
        yield Omitted(reason, len(paths), len(paths), paths[0], at_least=True)
        return
    counts: dict[str, int] = {}
    unread: list[str] = []
    with index.tree.reading() as reader:
        for path in reader.ahead(paths):
            cancellation.check()
            text = reader.text(path)
            counts[path] = sum(count_tokens(text, name) for name in names[path])
            if not text and is_unreadable(index, path):
                unread.append(path)
    holding = [path for path in paths if counts[path]]
    if holding:
        yield Omitted(reason, sum(counts.values()), len(holding), holding[0])
    yield from omit_unreadable(unread)


def is_unreadable(index: Index, path: str) -> bool:
    """Return whether the system refuses to read a file that is there, and no secret."""
    try:
        index.tree.read(path)
    except Unreadable:
        return True
    except LeadlineError:
        return False
    return False


def omit_unreadable(paths: Sequence[str]) -> Iterator[Omitted]:
    """Yield the files that cannot be read any more: each stands for one token."""
    if paths:
        yield Omitted(Omission.Unreadable, len(paths), len(paths), min(paths))


def with_other_roots(
    index: Index, targets: Sequence[DefinedSymbol], result: Result, within: frozenset[str] | None
) -> Result:
    """Return an answer about symbols of one name with what other roots than theirs have of it: it was not examined.

    Args:
        index: The index of all roots.
        targets: The symbols, of one root or of several.
        result: The answer.
        within: The files that are asked about; None for all.

    """
    omitted = tuple(_omit_roots(index, targets, within))
    if not omitted:
        return result
    account = result.account or Account()
    left = f"{sum(one.tokens for one in omitted):,} in other roots not examined"
    return replace(
        result,
        at_least=True,
        headline=f"{result.headline or f'no certain {result.noun}'}, {left}",
        notes=(*result.notes, *Account(not_examined=omitted).omissions()),
        account=replace(account, not_examined=(*account.not_examined, *omitted)) if result.account else None,
    )


def _omit_roots(index: Index, targets: Sequence[DefinedSymbol], within: frozenset[str] | None) -> Iterator[Omitted]:
    """Yield for each root that none of some symbols belongs to how often it has their name where it could be used."""
    own = {index.of(target.path).identity for target in targets}
    for part in index.parts:
        names: dict[str, dict[str, None]] = {}
        for target in targets if part.identity not in own else ():
            name = target.first.name
            for path in same_language_group(part.words.files_with((name,), spelled=True), language_group(target.path)):
                if within is None or path in within:
                    names.setdefault(path, {})[name] = None
        for one in omit(part, Omission.Root, names) if names else ():
            yield replace(one, example=part.title) if one.reason is Omission.Root else one
