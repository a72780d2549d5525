"""Lists the members of a type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.errors import BadArgument, NotParsed
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.answer_sizes import about, uses
from leadline_tools.index.request_scope.index_notes import text_notes, unparsed_notes
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.languages.unparsed import Lines
from leadline_tools.model import Member
from leadline_tools.navigation.go_to_definition import candidates
from leadline_tools.patience import patient
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.ambiguity.sections import answer_each, meanings
from leadline_tools.resolve.bindings.macro_names import naming_macros
from leadline_tools.resolve.hierarchy.listed_members import Members, members
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, SymbolMatches
from leadline_tools.resolve.symbols.parts import whole
from leadline_tools.result import Call, Result, Size, Value
from leadline_tools.tool import Detail, TypeAddress, tool_of_definitions

_MOST_NAMED = 8
"""Types that a note names."""

_WITH_INHERITED = 4
"""How many times as many members a type has with those that it inherits; nobody knows before they are listed."""


@tool_of_definitions
def type_members(
    index: Index, symbol: TypeAddress, inherited: bool = False, private: bool = True, detail: Detail = "auto"
) -> Result:
    """Members of a class, interface, struct or enum: line, name, parameters."""
    with patient():
        with naming_macros(index, symbol):
            found = whole(index, _types(resolve_address(index, symbol, possible=True)))
        answer = partial(_members_of, index, inherited=inherited, private=private)
        arguments = _asked(inherited=inherited, private=private)
        if len(found) == 1 and not found.possible:
            result = answer(found[0])
        elif found_meanings := meanings(index, found):
            result = answer_each(index, symbol, found_meanings, answer, "type_members", **arguments)
        else:
            return candidates(index, symbol, found, "type_members", **arguments)
    return replace(result, lean=detail == "lean", full=detail == "full")


def _members_of(index: Index, target: DefinedSymbol, *, inherited: bool, private: bool) -> Result:
    """Return the members of one type."""
    index = index.of(target.path)
    if target.first.kind in CALLABLE | VARIABLE:
        raise BadArgument(
            "symbol",
            f"{target.qualified_name} is a {target.first.kind}, which has no members",
            f'Call go_to_definition(symbol="{target.path}:{target.first.line}").',
        )
    held = members(index, target, inherited=inherited)
    shown = [member for member in held.found if private or not member.is_private]
    account = Account(
        exact=len(held.found),
        undecided=len(held.macros) + (len(held.outside) if inherited else 0),
        not_examined=tuple(_omissions(held)),
    )
    hidden = _hidden(len(held.found) - len(shown))
    unparsed = _unparsed_lines(index, target)
    return Result(
        subject=target.qualified_name,
        noun="members",
        items=shown,
        at_least=bool(held.late or held.macros or held.unsearched or held.unread or held.unknown or unparsed)
        or (inherited and bool(held.outside)),
        headline=_nothing(held),
        partial=held.late,
        account=account,
        notes=(
            *_inheritance(held, inherited=inherited),
            *account.omissions(),
            *unparsed_notes(unparsed),
            *hidden,
            *text_notes(index),
        ),
        calls=tuple(_next(index, target, shown, held, inherited=inherited)),
    )


def _unparsed_lines(index: Index, target: DefinedSymbol) -> Sequence[Lines]:
    """Return the lines of a type that do not parse; those that begin behind it may hold its body."""
    first, last = target.first.start_line, target.first.end_line + 1
    try:
        lines = index.symbols.unparsed_lines(target.source)
    except NotParsed:
        return [Lines(first, target.first.end_line)]
    return [one for one in lines if one.first <= last and one.last >= first]


def _omissions(held: Members) -> Iterator[Omitted]:
    """Yield what was not looked at, for want of time or since too many files hold the name of the type."""
    if held.late:
        yield Omitted(Omission.Late, 1, 1)
    if held.unread:
        number = len(held.unread)
        yield Omitted(Omission.Unreadable, number, number, held.unread[0], at_least=True)
    if held.unsearched:
        number = len(held.unsearched)
        yield Omitted(Omission.TooMany, number, number, held.unsearched[0], at_least=True)


def _nothing(held: Members) -> str:
    """Return what the header says where there are no items: never that there are none where some may be unknown."""
    if not held.macros:
        return "no certain members" if held.unknown else ""
    return f"no certain members, {len(held.macros):,} {'macro' if len(held.macros) == 1 else 'macros'} may declare some"


def _asked(*, inherited: bool, private: bool) -> dict[str, Value]:
    """Return the arguments of the question that differ from what they are without being given."""
    return {**({"inherited": True} if inherited else {}), **({} if private else {"private": False})}


def _types(found: SymbolMatches) -> SymbolMatches:
    """Return what can have members among the symbols that an address may mean; all where none can."""
    types = [target for target in found if target.first.kind not in CALLABLE | VARIABLE]
    return found.only(types) if types and not found.more else found


def _inheritance(held: Members, *, inherited: bool) -> Iterator[str]:
    if held.alias:
        yield f"another name for {held.alias}"
    if held.several:
        yield f"one of, or all of: {_named(held.several)}"
    if held.macros:
        yield f"macros may declare more: {_named(held.macros)}"
    if held.bases:
        yield f"inherits from {_named(held.bases)}" + ("" if inherited else " (inherited=true lists their members)")
    if held.outside:
        yield f"inherits from outside of this code base too: {_named(held.outside)}"


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _hidden(number: int) -> tuple[str, ...]:
    return (f"{number:,} private members are not listed (private=true lists them)",) if number else ()


def _next(
    index: Index, target: DefinedSymbol, shown: Sequence[Member], held: Members, *, inherited: bool
) -> Iterator[Call]:
    """Yield the calls that look at the members of its bases, at its uses, and at its longest member."""
    address = f"{target.path}:{target.first.line}"
    if held.bases and not inherited:
        size = Size(rows=_WITH_INHERITED * len(shown), width=40)
        yield Call.of("type_members", size, symbol=address, inherited=True)
    own = [member.symbol for member in shown if not member.inherited_from]
    if own:
        longest = max(own, key=lambda member: member.end_line - member.line)
        size = about(index, "go_to_definition", longest)
        yield Call.of("go_to_definition", size, symbol=f"{longest.path}:{longest.line}:{longest.column}")
    yield Call.of("find_references", uses(index, target.path, target.first.name), symbol=address)
