"""Renames a symbol wherever it is certainly meant."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from pathlib import PurePosixPath

from leadline_tools.edits.hunks import hunks
from leadline_tools.edits.ownership import foreign
from leadline_tools.edits.plan import Edit, EditPlan, plan
from leadline_tools.edits.proposal import Proposal
from leadline_tools.errors import BadArgument, ChangedSince, NotRenamed
from leadline_tools.index.index import Index
from leadline_tools.index.request_scope.index_notes import root_notes
from leadline_tools.index.request_scope.read_calls import reading
from leadline_tools.index.text.key_masking import clip_text
from leadline_tools.index.text.source_text import Source
from leadline_tools.language_servers.implementers import Implementers, implementers
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import readable
from leadline_tools.model import Mention, Occurrence, SymbolKind, TextMatch, Undecided
from leadline_tools.navigation.go_to_definition import candidates
from leadline_tools.plurals import count_noun
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.bindings.import_aliases import import_alias_at
from leadline_tools.resolve.bindings.local import Local, is_implied, local_at
from leadline_tools.resolve.bindings.macro_names import naming_macros
from leadline_tools.resolve.bindings.promoted_parameters import promoted_member
from leadline_tools.resolve.hierarchy.overridden import has_hidden_uses, is_called_by_language, outside_owners
from leadline_tools.resolve.hierarchy.override_group import MOST, is_member
from leadline_tools.resolve.overloads.joined_overloads import overloads_note
from leadline_tools.resolve.references.pasted_names import pasted_uses
from leadline_tools.resolve.rename.local_renaming import local_renaming
from leadline_tools.resolve.rename.mentions import Mentions, mentions, mentions_inside
from leadline_tools.resolve.rename.name_edit import NameEdit
from leadline_tools.resolve.rename.renaming import Renaming
from leadline_tools.resolve.rename.symbol_renaming import symbol_renaming
from leadline_tools.resolve.symbols.defined_symbol import (
    DefinedSymbol,
    SymbolMatches,
    load_symbols,
    qualified,
    values_apart,
    with_namesake,
)
from leadline_tools.resolve.symbols.embedding import resolve_embedded_field
from leadline_tools.resolve.symbols.parts import whole
from leadline_tools.result import Call, Result, Size
from leadline_tools.tool import SymbolAddress, tool

_QUOTES = "\"'`"
"""What a definition may begin with that is spelled as a string."""

_STEP = re.compile(r"(\w+)(?:\.|::|\\{1,2}|#|/)(?=(\w+))")
"""One name and the next, as they follow each other in what programs call a symbol by."""

_SPACES = frozenset({SymbolKind.Module, SymbolKind.Namespace, SymbolKind.Package, SymbolKind.File})

_MOST_NAMED = 8
"""Files or types that a note lists."""


@tool
def rename_symbol(index: Index, symbol: SymbolAddress = "", new_name: str = "") -> Proposal:
    """Rename a symbol where it is certainly meant: a diff, and what a person must decide.

    apply=true writes it, undo=URI reverts it, if the server allows edits.
    """
    if not symbol.strip() or not new_name.strip():
        raise BadArgument(
            "symbol and new_name", "both are required", 'Call rename_symbol(symbol="...", new_name="...").'
        )
    new = new_name.strip()
    local = local_at(index, symbol) or import_alias_at(index, symbol)
    member = promoted_member(index.of(local.path), local) if local is not None else None
    if local is not None and member is None:
        return _local_renamed(index.of(local.path), local, new)
    new = new.removeprefix(local.sigil) if local is not None else new
    with naming_macros(index, symbol):
        found = whole(index, SymbolMatches.of([member]) if member is not None else resolve_address(index, symbol))
    if len(found) > 1 and len({(one.path, one.name) for one in found}) == 1 and values_apart(found[0].path):
        found = SymbolMatches.of(found[:1])
    if len(found) > 1:
        return Proposal(candidates(index, symbol, found, "rename_symbol", new_name=new_name))
    home = index.of(found[0].path)
    target = with_namesake(home, resolve_embedded_field(index, found[0]))
    renamed = _symbol_renamed(index.of(target.path), target, new)
    elsewhere = (f"decide: {note}" for note in root_notes(index, target.path, target.first.name))
    return replace(renamed, result=replace(renamed.result, notes=(*renamed.result.notes, *elsewhere)))


@dataclass(frozen=True, slots=True)
class _Named:
    """What gets a new name: what it is called in full, where it is defined, and its name."""

    called: str
    path: str
    line: int
    column: int
    name: str
    sigil: str = ""


def _symbol_renamed(index: Index, target: DefinedSymbol, new: str) -> Proposal:
    first, sigil = target.first, _sigil(target)
    new = new.removeprefix(sigil)
    name = first.name.removeprefix(sigil)
    named = _Named(target.qualified_name, target.path, first.line, first.column, name, sigil)
    _check_name(named, new)
    _check_kind(target, new)
    _check_owner(target.source, named, new)
    _check_interface(index, target, named, new)
    change = symbol_renaming(index, target, sigil + new)
    made = _planned(index, named, new, change)
    mentioned = mentions(index, named.name, change.code)
    bound = list(_bound(named, mentioned, change.undecided))
    if bound:
        raise NotRenamed(named.called, new, bound)
    in_full = _in_full(named, mentioned)
    told = _overriding(index, change)
    pasted = pasted_uses(index, target)
    result = Result(
        subject=f"{named.called} to {new}",
        noun="places",
        items=[
            *hunks(index.tree, made),
            *map(Undecided, change.undecided),
            *dict.fromkeys((*in_full, *mentioned.found)),
        ],
        at_least=mentioned.more
        or bool(pasted.unsearched)
        or (change.account is not None and not change.account.complete),
        partial=told.pending or mentioned.late > 0,
        undecided=len(change.undecided) + pasted.number,
        notes=(
            *(change.account.notes() if change.account is not None else ()),
            *(f"decide: {note}, not changed" for note in pasted.notes()),
            *_notes(made, change, mentioned),
            *overloads_note(target, "which are renamed together"),
            *_read_at_run_time(in_full),
            *_overriding_notes(told),
            *_file_name(target, new),
        ),
        calls=tuple(_next(named, change)),
        account=change.account,
        asides=pasted.asides(index),
    )
    return Proposal(result, made, tuple(_then(named, change)))


def _check_interface(index: Index, target: DefinedSymbol, named: _Named, new: str) -> None:
    """Raise NotRenamed for what is declared for an interface from outside, which gives it its name (Rust)."""
    semantics = target.semantics
    owners = outside_owners(index, target) if semantics is not None and semantics.members.by_interface else ()
    if owners and not has_hidden_uses(owners):
        raise NotRenamed(named.called, new, [f"it implements {owners[0]}, which is outside of this code base"])


def _sigil(target: DefinedSymbol) -> str:
    """Return the sign with which the name of a variable begins that is a symbol; empty for none."""
    language = language_of(target.path)
    return "$" if language is not None and language.names.sigil and target.first.name.startswith("$") else ""


def _local_renamed(index: Index, local: Local, new: str) -> Proposal:
    called = qualified(local.path, f"{local.owner}.{local.written}".strip("."))
    named = _Named(called, local.path, local.line, local.column, local.word, local.sigil)
    new = new.removeprefix(local.sigil)
    _check_name(named, new)
    if is_implied(index, local):
        raise NotRenamed(called, new, [f"{local.name} is defined by the language"])
    _check_owner(index.read(local.path), named, new)
    change = local_renaming(index, local, new)
    made = _planned(index, named, new, change)
    around = [(local.path, local.owner), *((one.path, one.name) for one in change.override_group.members)]
    mentioned = mentions_inside(named.name, load_symbols(index, around), change.code)
    result = Result(
        subject=f"{named.called} to {new}",
        noun="places",
        items=[*hunks(index.tree, made), *map(Undecided, change.undecided), *mentioned.found],
        at_least=mentioned.more,
        undecided=len(change.undecided),
        notes=tuple(_notes(made, change, mentioned)),
    )
    return Proposal(result, made, (reading(index, local.path, local.line - 5, 40),))


def _planned(index: Index, named: _Named, new: str, change: Renaming) -> EditPlan:
    """Return what is written into which file; raises NotRenamed where something is in the way."""
    sources = {path: index.read(path) for path in change.places}
    reasons = [*_refusals(change), *_foreign(sources.values())]
    if reasons:
        raise NotRenamed(named.called, new, reasons)
    return plan(index.tree, {path: list(_edits(sources[path], places)) for path, places in change.places.items()})


def _bound(named: _Named, mentioned: Mentions, undecided: Sequence[Occurrence]) -> Iterator[str]:
    """Yield where a symbol is bound to its name by what is no code of its language."""
    language = language_of(named.path)
    uses: list[TextMatch | Occurrence] = [*(one.match for one in mentioned.found), *undecided]
    for one in uses:
        if language is not None and language.names.binds_in_text(one.path, one.text, named.name):
            yield f"{one.path}:{one.line}: it is linked by that name outside of code"


def _in_full(named: _Named, mentioned: Mentions) -> Sequence[Mention]:
    """Return the mentions in strings that hold the name in full (``"shop.models.Basket"``), or begin with it.

    The latter is what a lookup by name is given, what a registry has as its keys, and what an object shows of its type
    (``"<Basket ..."``).
    """
    *_, holder, _ = ("", *re.split(r"\W+", named.called))
    strings = [one for one in mentioned.found if one.where == "string"]
    return [one for one in strings if _holds(one.match.text, holder, named.name)]


def _holds(line: str, holder: str, name: str) -> bool:
    """Return whether a line has a name right behind what holds it, or at the beginning of a string."""
    begun = (text.removeprefix("<") for texts in map(line.split, _QUOTES) for text in texts[1:])
    return (holder, name) in _STEP.findall(line) or any(re.split(r"\W", text, maxsplit=1)[0] == name for text in begun)


def _read_at_run_time(in_full: Sequence[Mention]) -> Iterator[str]:
    """Yield the strings that may be read as the name of the symbol."""
    if in_full:
        places = _listed([f"{one.path}:{one.match.line}" for one in in_full])
        yield f"decide: strings that begin with its name or contain its full name, not changed: {places}"


def _overriding(index: Index, change: Renaming) -> Implementers:
    """Return what a language server adds to the members that go by one name together."""
    first, *others = change.override_group.members
    return implementers(index, first, others, every=False) if is_member(first) else Implementers()


def _overriding_notes(overriding: Implementers) -> Iterator[str]:
    """Yield what a language server says of members that would keep the old name."""
    if overriding.found:
        named = _listed([f"{readable(one.name)} {one.path}:{one.first.line}" for one in overriding.found])
        yield f"decide: the language server says these override it too, not changed: {named}"
    else:
        yield from overriding.notes


def _file_name(target: DefinedSymbol, new: str) -> Iterator[str]:
    """Yield the command that is left to be given where a file has to be called like the type in it."""
    language, path = language_of(target.path), PurePosixPath(target.path)
    if (
        language is None
        or not language.names.file_named_after_type
        or target.first.container
        or path.stem != target.first.name
    ):
        return
    other = path.with_stem(new)
    command = shlex.join(("git", "mv", str(path), str(other)))
    yield f"decide: the file must then be called {other.name}: {command}"


def _check_kind(target: DefinedSymbol, new: str) -> None:
    """Raise NotRenamed for a symbol that goes by a name that is not its own."""
    language = language_of(target.path)
    constructors = language.names.constructors if language is not None else frozenset[str]()
    if target.first.kind in _SPACES:
        reason = f"a {target.first.kind.lower()} is named by several files and folders"
        raise NotRenamed(target.name, new, [reason], "Move it by hand, then rename what is inside.")
    if target.first.kind is SymbolKind.Constructor or target.first.name in constructors:
        raise NotRenamed(target.name, new, ["a constructor has the name of its type"], "Rename the type instead.")
    if language is not None and target.callable and not target.first.owner and target.first.name in language.names.runs:
        raise NotRenamed(target.name, new, [f"the language itself calls {target.first.name}"])


def _check_name(named: _Named, new: str) -> None:
    """Raise BadArgument for what is no name in the language, NotRenamed for what may not get or lose its name."""
    language, old = language_of(named.path), named.name
    if language is None or language.semantics is None:
        raise NotRenamed(named.called, new, [f"names in {named.path} are not resolved"], "Edit the file by hand.")
    if new == old:
        raise BadArgument("new_name", f"it is already called {old}", "Give another name.")
    if not language.names.identifier.fullmatch(new):
        raise BadArgument(
            "new_name", f"{clip_text(new, 60)!r} is not a name in {language.name}", "Give one word, such as new_name."
        )
    if new in language.names.keywords and not named.sigil:
        raise BadArgument("new_name", f"{new!r} is a keyword of {language.name}", "Give another name.")
    if not language.names.identifier.fullmatch(old) or old in language.semantics.scopes.this:
        raise NotRenamed(named.called, new, [f"{old} is defined by the language"])
    reason = language.names.refuses_rename(old, new)
    if reason:
        raise NotRenamed(named.called, new, [reason])


def _refusals(change: Renaming) -> Iterator[str]:
    """Yield what keeps a symbol from getting a new name."""
    unseen = max(change.left, change.override_group.unseen)
    if unseen:
        yield f"{count_noun(unseen, 'file')} with the name not examined in time, ask again"
    for path in sorted({one.path for one in change.override_group.members} & set(change.unread)):
        yield f"{path} defines it and cannot be parsed"
    if len(change.override_group.members) > MOST:
        yield f"more than {MOST:,} members share that name"
    for one in change.collisions:
        yield f"{one.path}:{one.line}: {one.what}"


def _check_owner(source: Source, named: _Named, new: str) -> None:
    """Raise NotRenamed for what is somebody else's, before anything is looked for."""
    reasons = list(_foreign((source,)))
    if reasons:
        raise NotRenamed(named.called, new, reasons)


def _foreign(sources: Iterable[Source]) -> Iterator[str]:
    """Yield the files that would be changed and are somebody else's."""
    for source in sources:
        reason = foreign(source.path, source.content)
        if reason:
            yield f"{source.path} would be changed, and {reason}"


def _edits(source: Source, places: Sequence[NameEdit]) -> Iterator[Edit]:
    """Yield the edits of a file; raises ChangedSince where a place does not hold the old name any more."""
    lines = source.content.split(b"\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    for place in places:
        text = lines[place.line - 1].decode() if place.line <= len(lines) else ""
        column = place.column - 1
        if text[column : column + 1] and text[column] in _QUOTES:
            column += 1
        if text[column : column + len(place.old)] != place.old:
            raise ChangedSince((source.path,), "while it was read")
        start = starts[place.line - 1] + len(text[:column].encode())
        yield Edit(start, start + len(place.old.encode()), place.text)


def _notes(made: EditPlan, change: Renaming, named: Mentions) -> Iterator[str]:
    if len(made.files) > 1:
        yield _by_file(made)
    others = change.override_group.members[1:]
    if others:
        told = _listed([f"{readable(one.name)} {one.path}:{one.first.line}" for one in others])
        yield f"renamed together, since a call may mean any of them: {told}"
    if change.override_group.outside:
        told = _listed(change.override_group.outside)
        yield f"decide: its types inherit from outside of this code base ({told}), which may use the old name"
    if any(map(is_called_by_language, change.override_group.members[:1])):
        yield "decide: the language or its library may call it, and only by this name"
    if change.exported:
        yield f"decide: exported by {_listed(change.exported)}: users elsewhere call it by the old name"
    if change.decorators:
        told = _listed([f"{one.spelled} {one.path}:{one.line}" for one in change.decorators])
        yield f"decide: its decorators may use its name: {told}"
    yield from _unnamed(change)
    if change.unread:
        yield f"decide: not parsed, so not examined: {_listed(change.unread)}"
    if change.undecided:
        yield f"decide: {count_noun(len(change.undecided), 'use')} of the name may mean it or not, not changed"
    yield from _mention_notes(named)


def _mention_notes(named: Mentions) -> Iterator[str]:
    """Yield how many mentions there are, and why others may be missing."""
    if named.found:
        more = ">=" if named.more else ""
        cut = ", the first of them listed" if named.cut else ""
        yield f"in comments, strings and texts, not changed: {more}{count_noun(len(named.found), 'mention')}{cut}"
    if named.late:
        yield f"comments, strings and texts of {count_noun(named.late, 'file')} not searched in time, ask again"


def _unnamed(change: Renaming) -> Iterator[str]:
    """Yield where the symbol is meant without its name."""
    if change.implicit_calls:
        told = _listed([f"{one.spelled} {one.path}:{one.line}" for one in change.implicit_calls])
        yield f"decide: signs use it, and only by this name: {told}"
    if change.other_names:
        told = _listed([f"{one.spelled} {one.path}:{one.line}" for one in change.other_names])
        yield f"decide: it is used by a name that may be made of this one, not changed: {told}"
    if change.variables:
        told = _listed([f"{one.spelled} {one.path}:{one.line}" for one in dict.fromkeys(change.variables)])
        yield f"decide: it reads a variable of its name, which keeps the old one: {told}"
    if change.namesakes:
        told = _listed([f"{one.path}:{one.line}" for one in change.namesakes])
        yield f"decide: types are compared by their members, and other types keep one of the old name: {told}"
    if change.shared:
        told = _listed([f"{one.path}:{one.line}" for one in change.shared])
        yield f"decide: it is declared for all files, and a library may declare it too: {told}"
    if change.fitted_by_functions:
        told = _listed([f"{one.path}:{one.line}" for one in change.fitted_by_functions])
        yield f"decide: every function has a member of the old name, and may be passed where this is expected: {told}"
    if change.lookups:
        told = _listed([f"{one.path}:{one.line}" for one in change.lookups])
        yield f"decide: members are looked up there by names built at run time, which may be this one: {told}"


def _by_file(made: EditPlan) -> str:
    counts = sorted(((len(one.splices), one.path) for one in made.files), key=lambda one: (-one[0], one[1]))
    return f"edits by file: {_listed([f'{path} {number:,}' for number, path in counts])}"


def _listed(names: Sequence[str]) -> str:
    left = len(names) - _MOST_NAMED
    return ", ".join(islice(names, _MOST_NAMED)) + (f" and {left:,} more" if left > 0 else "")


def _next(named: _Named, change: Renaming) -> Iterator[Call]:
    """Yield the calls that look at what is not decided."""
    if change.undecided:
        size = Size(rows=len(change.undecided), width=40)
        address = f"{named.path}:{named.line}:{named.column}"
        yield Call.of("find_references", size, symbol=address, tier="name")


def _then(named: _Named, change: Renaming) -> Iterator[Call]:
    """Yield the calls that are worth making once the new name is written."""
    address = f"{named.path}:{named.line}"
    yield Call.of("find_references", Size(rows=sum(map(len, change.places.values())), width=40), symbol=address)
    if change.undecided or change.unread:
        size = Size(rows=len(change.undecided), width=60)
        yield Call.of("search_text", size, query=named.name, word=True, case_sensitive=True)
