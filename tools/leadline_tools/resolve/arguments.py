"""The arguments that name a parameter: wherever one of its functions is called, or is handed on with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from leadline_tools.index.index import Index
from leadline_tools.languages import scoping_of
from leadline_tools.languages.facts import Argument, Use
from leadline_tools.languages.terms import UNKNOWN
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.address import Target, defined
from leadline_tools.resolve.findings import Found
from leadline_tools.resolve.implementations import implementations
from leadline_tools.resolve.local import Local, constructs
from leadline_tools.resolve.meaning import Defined
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.references import references

_Place = tuple[str, int, int]


@dataclass(slots=True)
class Arguments:
    """The arguments that name a parameter.

    Args:
        sure: Those of calls that surely mean one of its functions.
        unsure: Those of calls that may mean one, and of calls that are given one.
        unread: The files in which none could be looked for.
        left: How many files were not looked into in time.

    """

    sure: list[Found] = field(default_factory=list[Found])
    unsure: list[Found] = field(default_factory=list[Found])
    unread: set[str] = field(default_factory=set[str])
    left: int = 0


def may_be_named(index: Index, parameter: Local) -> bool:
    """Tell whether a call can name a parameter."""
    scoping, source = scoping_of(parameter.path), index.try_read(parameter.path)
    if scoping is None or source is None or not scoping.arguments:
        return False
    line, start = source.lines()[parameter.line - 1], parameter.column - 1
    return scoping.by_name(line[:start], line[start + len(parameter.name) :])


def arguments(index: Index, question: Question, functions: Sequence[Target], name: str) -> Arguments:
    """Return the arguments called ``name`` of the calls of some functions."""
    found = Arguments()
    called: dict[_Place, Tier] = {}
    for target in _named_by_calls(index, question, functions):
        uses = references(index, target, None, question)
        found.unread.update(uses.unread)
        found.left = max(found.left, uses.unresolved.files)
        for one in uses.found:
            place = one.path, one.use.line, one.use.column
            called[place] = Tier.Exact if Tier.Exact in (one.tier, called.get(place)) else one.tier
    for path in sorted({path for path, _, _ in called}):
        facts = question.project.facts(path)
        for argument in facts.arguments.get(name, ()) if facts is not None else ():
            tier = _tier(called, path, argument)
            if tier is not None:
                (found.sure if tier is Tier.Exact else found.unsure).append(_found(path, name, argument, tier))
    return found


def _named_by_calls(index: Index, question: Question, functions: Sequence[Target]) -> Iterator[Target]:
    """Yield what is called to call the functions: they themselves, the types that they make objects of."""
    for function in functions:
        yield function
        if not constructs(function):
            continue
        constructor = Defined(function.path, function.name, Reason.Definition)
        for owner in defined(index, [(function.path, function.first.container)]):
            yield owner
            below = implementations(index, owner, up=False, question=question)
            types = [one.of for one in below.found]
            having = (one for one in types if constructor.same(question.resolver.member_of(one, function.first.name)))
            yield from defined(index, [(one.path, one.name) for one in having])


def _tier(called: dict[_Place, Tier], path: str, argument: Argument) -> Tier | None:
    """Return how sure an argument is one of a function; None where it is one of something else."""
    tier = called.get((path, argument.called_line, argument.called_column))
    if tier is not None:
        return tier
    lines = range(argument.called_line, argument.line + 1)
    handed = any(there == path and line in lines and one is Tier.Exact for (there, line, _), one in called.items())
    return Tier.Likely if handed else None


def _found(path: str, name: str, argument: Argument, tier: Tier) -> Found:
    end = argument.column + len(name)
    use = Use(argument.line, argument.column, end, 0, Role.Other, UNKNOWN, -1)
    return Found(path, name, use, tier, Reason.Receiver, "")
