"""Omissions of an answer: how often the name stands in files that were not looked into, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, chain

from leadline_tools import cancellation
from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.errors import LeadlineError, Unreadable
from leadline_tools.index.index import Index
from leadline_tools.plurals import count_noun
from leadline_tools.resolve.occurrences.tokens import count_tokens
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.result import Result

_COUNTED_BYTES = 256 << 20
"""Bytes of files in which tokens are counted that were not examined: about a second, after the patience of the call."""

_COUNTED_ELSEWHERE = 4 << 20
"""The same for all other roots together, whose tokens are none of the answer's."""

_MOST_ROOTS = 3
"""Other roots that are listed one by one."""


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


def omit_for_macros(paths: Sequence[str]) -> Iterator[Omitted]:
    """Yield the files that were not searched for macros: each stands for one token."""
    if paths:
        yield Omitted(Omission.TooMany, len(paths), len(paths), min(paths), at_least=True)


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
    return with_other_roots_of(index, [(one.path, one.first.name) for one in targets], result, within)


def with_other_roots_of(
    index: Index, names: Sequence[tuple[str, str]], result: Result, within: frozenset[str] | None
) -> Result:
    """Return the same for names, each with a file of the root that it belongs to."""
    omitted = tuple(_omit_roots(index, names, within))
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


def _omit_roots(index: Index, names: Sequence[tuple[str, str]], within: frozenset[str] | None) -> Iterator[Omitted]:
    """Yield how often the roots that some names do not belong to have them where they could be used.

    The roots with the most are listed one by one, the others together.
    """
    parts: dict[str, Index] = {}
    elsewhere: dict[str, dict[str, dict[str, None]]] = {}
    for part, path, name in _found_elsewhere(index, names, within):
        parts[part.title] = part
        elsewhere.setdefault(part.title, {}).setdefault(path, {})[name] = None
    size = sum(map(index.files.size, chain.from_iterable(elsewhere.values())))
    each = (_omit_root(parts[title], names, counted=size <= _COUNTED_ELSEWHERE) for title, names in elsewhere.items())
    omitted = [*chain.from_iterable(each)]
    roots = sorted((one for one in omitted if one.reason is Omission.Root), key=lambda one: -one.tokens)
    yield from roots[:_MOST_ROOTS]
    if rest := roots[_MOST_ROOTS:]:
        tokens, files = sum(one.tokens for one in rest), sum(one.files for one in rest)
        at_least = any(one.at_least for one in rest)
        more = count_noun(len(rest), "more root")
        yield Omitted(Omission.MoreRoots, tokens, files, more, at_least)
    yield from (one for one in omitted if one.reason is not Omission.Root)


def _omit_root(part: Index, names: Mapping[str, Iterable[str]], *, counted: bool) -> Iterator[Omitted]:
    """Yield what one root has of some names; where tokens are not ``counted``, each file stands for one."""
    if not counted:
        yield Omitted(Omission.Root, len(names), len(names), part.title, at_least=True)
        return
    for one in omit(part, Omission.Root, names):
        yield replace(one, example=part.title) if one.reason is Omission.Root else one


def _found_elsewhere(
    index: Index, names: Sequence[tuple[str, str]], within: frozenset[str] | None
) -> Iterator[tuple[Index, str, str]]:
    """Yield the files of other roots than those of some names that may have these, each with root and name."""
    own = {index.of(path).identity for path, _ in names}
    if len(index.parts) == len(own):
        return
    for name, group in dict.fromkeys((name, language_group(path)) for path, name in names):
        found = index.words.files_with((name,), spelled=True)
        for path in same_language_group((path for path in found if within is None or path in within), group):
            part = index.of(path)
            if part.identity not in own:
                yield part, path, name
