"""One answer to a question about several addresses: a part for each, as if each were asked alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from leadline_tools.account import HEADING, Account, total_account
from leadline_tools.cancellation import Cancelled
from leadline_tools.errors import LeadlineError
from leadline_tools.model import Item, SourceLine
from leadline_tools.resolve.ambiguity.sections import label_item
from leadline_tools.result import Aside, Result

_MOST_LINES = 160
"""Lines of source in an answer about several symbols, as far as that leaves each of them ``_FEWEST_LINES``."""

_FEWEST_LINES = 16

_MOST_CALLS = 3


class _Part(NamedTuple):
    """The answer about one address, and what names it among the others."""

    label: str
    result: Result


def join_answers(addresses: Sequence[str], answer: Callable[[str], Result]) -> Result:
    """Return one answer about several addresses.

    An address that cannot be answered costs the others nothing: a note has its error, and the answer is not complete.
    Where none can be answered, this raises the error of the first.

    Args:
        addresses: The addresses, at least two.
        answer: Returns the answer about one of them; raises LeadlineError.

    """
    results: list[tuple[str, Result]] = []
    errors: list[tuple[str, LeadlineError]] = []
    for address in addresses:
        try:
            results.append((address, answer(address)))
        except Cancelled:
            raise
        except LeadlineError as error:
            errors.append((address, error))
    if not results:
        raise errors[0][1]
    parts = _shorten(_label(results))
    nouns = {part.result.noun for part in parts}
    calls = dict.fromkeys(call for part in parts for call in part.result.calls[:1])
    return Result(
        subject=", ".join(addresses),
        noun=nouns.pop() if len(nouns) == 1 else "items",
        items=[item for part in parts for item in _items(part)],
        at_least=bool(errors) or any(_may_lack_items(part.result) for part in parts),
        partial=any(part.result.partial for part in parts),
        undecided=sum(part.result.undecided for part in parts),
        ranked=any(part.result.ranked for part in parts),
        headline="nothing certain" if any(part.result.headline for part in parts) else "",
        notes=(*_notes(parts), *(f"not answered, {address}: {error} {error.hint}" for address, error in errors)),
        calls=tuple(calls)[:_MOST_CALLS],
        whole=sum(part.result.whole or len(part.result.items) for part in parts),
        lean=any(part.result.lean for part in parts),
        full=any(part.result.full for part in parts),
        account=_account([part.result for part in parts]),
        asides=tuple(_asides(parts)),
    )


def _may_lack_items(result: Result) -> bool:
    """Return whether there may be items that an answer neither lists nor counts as undecided."""
    return result.at_least or not (result.complete or result.undecided)


def _label(results: Sequence[tuple[str, Result]]) -> list[_Part]:
    """Return answers with what names each: its subject, or its address where others have the same subject."""
    subjects = Counter(result.subject for _, result in results)
    return [
        _Part(result.subject if subjects[result.subject] == 1 else f"{result.subject} {address}", result)
        for address, result in results
    ]


def _shorten(parts: Sequence[_Part]) -> list[_Part]:
    """Return answers, those of long sources with as many lines as leaves some for each of the others."""
    each = max(_FEWEST_LINES, _MOST_LINES // len(parts))
    return [part._replace(result=_first_lines(part.result, each)) for part in parts]


def _first_lines(result: Result, most: int) -> Result:
    """Return an answer with at most so many lines of source, and the call that reads those behind them."""
    if result.more is None or len(result.items) <= most or not isinstance(result.items[0], SourceLine):
        return result
    whole = result.whole or len(result.items)
    return replace(result, items=result.items[:most], whole=whole, calls=(result.more.behind(most), *result.calls))


def _items(part: _Part) -> Iterator[Item]:
    """Yield the items of an answer with its label; one that is listed for one of several meanings keeps that."""
    yield from (label_item(item, part.label, keep=True) for item in part.result.items)


def _notes(parts: Sequence[_Part]) -> Iterator[str]:
    """Yield what each answer says, below a line that counts its items; what several say alike stands once."""
    known: set[str] = set()
    for part in parts:
        account, *others = _account_first(part.result.notes)
        yield f"{part.label}: {_count(part.result)}{f'; {account}' if account else ''}"
        yield from (note for note in others if note not in known)
        known.update(others)


def _account_first(notes: Sequence[str]) -> list[str]:
    """Return notes with the account before the others; an empty text in its place where there is none."""
    account = next((note for note in notes if note.startswith(HEADING)), "")
    return [account, *(note for note in notes if note != account)]


def _count(result: Result) -> str:
    """Return how many items an answer has, and whether that is all."""
    number = result.whole or len(result.items)
    if not number:
        return result.headline or f"no {result.noun}{'' if result.complete else ' yet'}"
    noun = result.noun.removesuffix("s") if number == 1 and not result.at_least else result.noun
    undecided = f", {result.undecided:,} undecided" if result.undecided else ""
    return f"{'>=' if result.at_least else ''}{number:,} {noun}{', complete' if result.complete else undecided}"


def _account(results: Sequence[Result]) -> Account | None:
    """Return the account of all answers; None where two may be about one name, whose tokens would count twice."""
    accounts = [result.account for result in results if result.account is not None]
    names = {result.subject.rpartition(".")[2] for result in results}
    return total_account(accounts) if len(accounts) == len(names) == len(results) else None


def _asides(parts: Sequence[_Part]) -> Iterator[Aside]:
    """Yield what answers list beside their items, with what names the answer."""
    yield from (replace(aside, label=f"{aside.label}, {part.label}") for part in parts for aside in part.result.asides)
