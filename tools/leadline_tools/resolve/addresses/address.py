"""An *address*: what a caller writes to name a symbol, and the symbols that it means.

An address is a name (``filter``), a dotted suffix of a qualified name (``QuerySet.filter``), a file and a name in it
(``src/adlist.h:listNode.next``), or a place (``path:line`` or ``path:line:column``, 1-based) at which the symbol is
defined or used. A member that a type inherits can be called by that type too. ``spelling`` has what else is understood.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from leadline_tools.errors import BadArgument, NotListed, NotResolved, PathError
from leadline_tools.index.index import Index
from leadline_tools.languages import language_in, language_of
from leadline_tools.model import Reason, SymbolKind
from leadline_tools.resolve.addresses.file_position import files_at, parse_position
from leadline_tools.resolve.addresses.missing_symbol import missing_error
from leadline_tools.resolve.addresses.named_symbols import MOST_ASSIGNED, MOST_FILES, find_named
from leadline_tools.resolve.addresses.spelling import LONGEST, file_prefixes
from leadline_tools.resolve.addresses.used_names import find_at
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, SymbolMatches, load_symbols


def resolve_address(
    index: Index,
    address: str,
    *,
    possible: bool = False,
    unlisted: bool = False,
    written: bool = False,
    within: Collection[str] = (),
) -> SymbolMatches:
    """Return the symbols that ``address`` may mean, likeliest first; raises NoSuchSymbol for none.

    A name that has a definition in the files ``within`` means those definitions alone.

    A function in an object literal stands for the member of the type that is wanted there; with ``written`` for itself.

    What uses a symbol in a file that is not listed is not known, so this raises NotListed unless ``unlisted`` ones will
    do.

    Where it is the place of a name whose meaning is not known, this raises NotUnderstood. With ``possible`` it returns
    instead what has that name, marked as possible.
    """
    found = _find(index, address.strip(), within, possible=possible)
    found = found if written or found.possible else _replace_keys(index, found)
    for target in () if unlisted else found:
        reason = index.unlisted.reason(target.path)
        if reason:
            raise NotListed(target.path, reason)
    return found


def _replace_keys(index: Index, found: SymbolMatches) -> SymbolMatches:
    """Return the symbols that some stand for; of many those of members are not looked up."""
    keys = [one for one in found if _may_be_key(one)]
    if not keys or len(found) > MOST_ASSIGNED:
        return found
    meant: dict[tuple[str, str], None] = {}
    for target in keys:
        with asking(index.of(target.path), ahead=False) as question:
            itself = SymbolRef(target.path, target.name, Reason.Definition)
            member = question.resolver.wanted_member(itself)
            if not member.same(itself):
                meant[member.path, member.name] = None
                keys = [one for one in keys if one is not target]
    others = [one for one in found if one in keys or not _may_be_key(one)]
    members = [one for one in load_symbols(index, list(meant)) if one not in others]
    return found if not members else replace(found, listed=(*others, *members))


def _may_be_key(target: DefinedSymbol) -> bool:
    """Return whether a symbol may be a function in an object literal."""
    semantics = target.semantics
    return semantics is not None and semantics.uses.declares_literal_keys and target.first.kind is SymbolKind.Method


def _find(index: Index, address: str, within: Collection[str], *, possible: bool) -> SymbolMatches:
    if len(address) > LONGEST:
        problem = f"it has {len(address):,} characters, more than {LONGEST:,}"
        raise BadArgument("symbol", problem, "Give a name or path:line.")
    place = parse_position(index, address)
    if place is not None:
        return find_at(index, address, place, possible=possible)
    readings: list[tuple[Sequence[str], str]] = [((), address), *islice(_in_files(index, address), 1)]
    if any(sign in address for sign in "/:#"):  # rather a path than the name of a member
        readings.reverse()
    if within:
        readings.insert(0, (sorted(within), address))
    meant = next((found for paths, name in readings if (found := find_named(index, name, paths))), None)
    if meant is None:
        raise missing_error(index, address, *readings[1 if within else 0])
    return meant


def _in_files(index: Index, address: str) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the files whose path an address begins with, and the name in them that follows; empty for a path alone."""
    for path, name in file_prefixes(address):
        if language_of(path) is not None or index.paths.exists(path):
            with contextlib.suppress(PathError):
                paths = files_at(index, path)
                if paths:
                    yield paths, name
    for path, name in file_prefixes(address):
        paths = _files_called(index, path) if name and "/" in path else ()
        if paths:
            yield paths, name


def _files_called(index: Index, stem: str) -> Sequence[str]:
    """Return the files at a path that lacks the extension."""
    stem = stem.removeprefix("./")
    start = bisect_left(index.files.paths, f"{stem}.")
    return [*takewhile(lambda path: path.startswith(f"{stem}."), islice(index.files.paths, start, start + MOST_FILES))]


def resolvable(target: DefinedSymbol) -> DefinedSymbol:
    """Return ``target``; raises NotResolved where nothing can be known of its uses but that they have its name."""
    language = language_in(target.path, target.source.content)
    if language is None or language.semantics is None:
        raise NotResolved(target.path, target.first.name)
    return target
