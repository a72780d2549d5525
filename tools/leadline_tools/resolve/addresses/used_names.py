"""Symbols at a position: what is defined there, else what the names mean that are used there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from leadline_tools.errors import LeadlineError, NothingThere, NotInTime, NotUnderstood, Whence
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import in_line
from leadline_tools.index.questions.names import Wanted
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.terms import BARE, UNKNOWN, parsed, type_names
from leadline_tools.model import Role, SymbolKind
from leadline_tools.resolve.addresses.file_position import FilePosition, outermost, stands_at
from leadline_tools.resolve.addresses.missing_symbol import WORD
from leadline_tools.resolve.addresses.named_symbols import drop_constructors, load_hits, resolve_declarations
from leadline_tools.resolve.external.literal_keys import LiteralKeys
from leadline_tools.resolve.external.outside import is_from_outside
from leadline_tools.resolve.imports.module_paths import files_of_module, modules_at
from leadline_tools.resolve.overloads.call_shapes import arguments_at
from leadline_tools.resolve.overloads.extension_overloads import keep_extensions
from leadline_tools.resolve.overloads.joined_overloads import are_component_and_methods
from leadline_tools.resolve.overloads.method_overloads import MethodOverloads
from leadline_tools.resolve.project.project import language_group
from leadline_tools.resolve.project.resolution import EXTERNAL, LocalName, Module, Resolution, SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import (
    DefinedSymbol,
    SymbolMatches,
    declaration_space,
    definitions_of,
    fields_apart,
    is_method_of_type,
    keep_constructors,
    keep_labelled,
    load_symbols,
    sides_apart,
    split_namesakes,
    values_apart,
)
from leadline_tools.resolve.symbols.parts import with_parts
from leadline_tools.resolve.symbols.unlisted import declared_key, unlisted_members
from leadline_tools.resolve.types.member_spaces import MemberSpace, is_in_first_space, space_of_use, spaces_of_name

_MOST_WORDS = 8
"""Words of a line that are looked up where it is not known what they mean."""

_CONVERSION = "operator "


def find_at(index: Index, address: str, place: FilePosition, *, possible: bool) -> SymbolMatches:
    """Return what is defined at a place, else what the names used there mean, or with ``possible`` may mean."""
    source = index.read(place.path)
    line = index.symbols.query(source, in_line(place.line))
    here = outermost(d for d in line if stands_at(source, d, place.line, place.column))
    if here and not _is_in_type_of_conversion(here, place):
        paths = dict.fromkeys(d.path for d in here)
        symbols = [target for name in paths for target in split_namesakes(source, definitions_of(index, source, name))]
        meant = [target for target in symbols if any(d in target.definitions for d in here)]
        kept = [keep_labelled(keep_constructors(target, here), here) for target in meant]
        if any(len(target.definitions) > 1 for target in kept):
            with asking(index.of(place.path), ahead=False) as question:
                kept = [keep_extensions(question, target, here) for target in kept]
        return SymbolMatches.of(resolve_declarations(index, kept))
    used = _find_used(index, address, place, keys=possible)
    if used.symbols:
        return with_parts(index, SymbolMatches.of(used.symbols))
    if possible:
        words = used.unknown if used.error is not None else _words_at(source, place)
        each = [_may_mean(index, place.path, word) for word in words]
        perhaps = [target for some in each for target in some]
        if perhaps:
            return replace(SymbolMatches.of(perhaps), more=any(some.more for some in each), possible=True)
    raise used.error or _nothing_there(index, address, source, place)


def _is_in_type_of_conversion(here: Sequence[Definition], place: FilePosition) -> bool:
    """Return whether a place is in the type that is part of the name of a conversion: ``operator Box()``."""
    return bool(place.column) and all(
        one.name.startswith(_CONVERSION) and place.column >= one.column + len(_CONVERSION) for one in here
    )


def _nothing_there(index: Index, address: str, source: Source, place: FilePosition) -> NothingThere:
    around = [d for d in index.symbols.definitions(source) if d.start_line <= place.line <= d.end_line]
    inside = f"{place.path}:{around[-1].line}" if around else ""
    return NothingThere(address, inside, source.line_count if place.line > max(1, source.line_count) else 0)


def _words_at(source: Source, place: FilePosition) -> list[str]:
    """Return the word at a place, without a column those of the line: the first few of them."""
    lines = source.lines()
    found = WORD.finditer(lines[place.line - 1]) if 0 < place.line <= len(lines) else ()
    words = (match[0] for match in found if not place.column or match.start() < place.column <= match.end() + 1)
    return list(islice(dict.fromkeys(words), _MOST_WORDS))


def _may_mean(index: Index, path: str, word: str) -> SymbolMatches:
    """Return the symbols that a word of a file may mean: those of that name to which its language can refer."""
    related = language_group(path)
    wanted = (
        Wanted(accepts=lambda other, _: language_group(other) == related)
        if semantics_of(path) is not None
        else Wanted()
    )
    found = index.names.exact(word, wanted)
    listed = SymbolMatches.of(drop_constructors(load_hits(index, found.hits)))
    return replace(listed, more=bool(found.more) or found.total > len(found.hits))


class _Used(NamedTuple):
    """What the names used at a place mean: symbols, and the names of unknown meaning; the error where it is none."""

    symbols: Sequence[DefinedSymbol]
    unknown: Sequence[str]
    error: LeadlineError | None


def _find_used(index: Index, address: str, place: FilePosition, *, keys: bool) -> _Used:
    """Return what the names used at a place mean; with ``keys`` those of object literals that declare themselves too.

    Who takes such an object may be outside of the code base, so what else depends on the key is not known.
    """
    found: dict[tuple[str, str], _Naming] = {}
    members: dict[DefinedSymbol, None] = {}
    others: list[tuple[str, Use, Sequence[Resolution]]] = []
    error: LeadlineError | None = None
    with asking(index.of(place.path), ahead=False) as question:
        methods = MethodOverloads(index.of(place.path), question)
        literal_keys = LiteralKeys(question.resolver)
        for name, use, every in uses_at(index, question, place):
            meanings = methods.choose(place.path, use, every)
            symbols = [meaning for meaning in meanings if isinstance(meaning, SymbolRef)]
            run = question.resolver.evaluator.interfaces.select_executed(symbols)
            naming = _naming(index, question, place.path, use)
            found.update(((m.path, m.name), naming) for m in run)
            unlisted = list(unlisted_members(index, question, place.path, name, use, meanings))
            if keys and not unlisted and literal_keys.declares(place.path, name, use, meanings):
                unlisted += declared_key(index, place.path, name, use)
            members.update((DefinedSymbol(source, (one,)), None) for source, one in unlisted)
            others.append((name, use, meanings))
        others.sort(key=lambda one: (bool(one[2]), one[1].column))
        if others:
            error = _not_understood(question, address, place.path, *others[0])
    loaded = load_symbols(index, list(found))
    meant = [*loaded, *_not_among(loaded, members)]
    namings = [(target, found.get((target.path, target.name), _Naming())) for target in meant]
    return _Used(
        [target for target, naming in namings if _is_meant(index, target, meant, naming)],
        list(dict.fromkeys(name for name, _, meanings in others if not meanings)),
        error,
    )


def _not_among(listed: Sequence[DefinedSymbol], members: Iterable[DefinedSymbol]) -> Sequence[DefinedSymbol]:
    """Return the members without an outline entry that are none of the symbols which an outline lists."""
    names = {(target.path, target.name) for target in listed}
    lines = {(target.path, part.line) for target in listed for part in target.definitions}
    return [one for one in members if (one.path, one.name) not in names and (one.path, one.first.line) not in lines]


def uses_at(index: Index, question: Question, place: FilePosition) -> Iterator[tuple[str, Use, Sequence[Resolution]]]:
    """Yield the names used at a place, each with its use and what it may mean.

    Raises NotInTime where facts that a name rests on were asked for in vain: it may mean something else with them.
    """
    path, line, column = place
    facts, keys = question.project.facts(path), LiteralKeys(question.resolver)
    _check_time(question, path)
    for name, use in innermost_uses(facts, line, column) if facts is not None else ():
        meanings = question.resolver.resolve(path, name, use)
        if len(meanings) > 0 and keys.may_be_another(path, name, use):
            meanings = ()
        meanings = meanings or (_module_in_import(index, question, path, facts, use) if facts is not None else ())
        external = not meanings and is_from_outside(index, question, path, name, use)
        _check_time(question, path)
        yield name, use, (EXTERNAL,) if external else meanings


def _check_time(question: Question, path: str) -> None:
    """Raise NotInTime where facts that were asked for did not come in time."""
    if question.refused():
        raise NotInTime(path)


def innermost_uses(facts: Facts, line: int, column: int) -> Sequence[tuple[str, Use]]:
    """Return the uses on a line, at a column those that no other one there is inside of: a name may be computed.

    Where none stands at the column, those that end there: the cursor of an editor stands behind what was typed.
    """
    every = facts.uses_on(line)
    here = [(name, use) for name, use in every if not column or use.column <= column < use.end_column]
    here = here or [(name, use) for name, use in every if use.end_column == column]
    shortest = min((use.end_column - use.column for _, use in here), default=0)
    return [(name, use) for name, use in here if not column or use.end_column - use.column == shortest]


def _module_in_import(index: Index, question: Question, path: str, facts: Facts, use: Use) -> Sequence[Resolution]:
    """Return what a part of the dotted name of a module means in an import: the module that is named up to there."""
    semantics, source = semantics_of(path), index.try_read(path)
    if use.role is not Role.Import or semantics is None or source is None:
        return ()
    line = source.lines()[use.line - 1]
    imported = [one.module for one in facts.imports]
    spelled = modules_at(facts, use.line, use.end_column - 1, line)
    module = next((one for one in spelled if any(f"{whole}.".startswith(f"{one}.") for whole in imported)), None)
    if module is None:
        return ()
    files = files_of_module(question.project, semantics, facts, module, path)
    if files is None:
        return ()
    holder = semantics.imports.imports_members and question.project.defining(module.rpartition(".")[2], path)
    if not files and holder:
        return ()  # a type whose members are imported
    if files or semantics.visibility.has_open_namespaces:
        return (Module(tuple(files)) if files else EXTERNAL,)
    return (question.resolver.modules.find(semantics, module, path) or EXTERNAL,)


def _not_understood(
    question: Question, address: str, path: str, name: str, use: Use, meanings: Sequence[Resolution]
) -> NotUnderstood:
    folder = next((one.folder for one in meanings[:1] if isinstance(one, Module)), "")
    return NotUnderstood(address, name, _whence(question, path, name, use, meanings), folder)


def _whence(question: Question, path: str, name: str, use: Use, meanings: Sequence[Resolution]) -> Whence:
    """Tell where what is no symbol of the code base comes from."""
    if not meanings:
        return Whence.Unknown
    if isinstance(meanings[0], Module):
        return Whence.Module
    declared = use.role is Role.Definition or isinstance(meanings[0], SymbolRef)
    is_key = use.role is Role.Other and use.receiver not in (BARE, UNKNOWN) and not _is_predeclared(path, use.receiver)
    is_key = is_key and not LiteralKeys(question.resolver).is_of_external_type(path, use)
    if declared or is_key or question.resolver.receivers.is_of_nameless_type(path, name, use):
        return Whence.Attribute
    return Whence.Local if isinstance(meanings[0], LocalName) else Whence.Outside


def _is_predeclared(path: str, term: str) -> bool:
    """Return whether a term begins with nothing but what the language of a file declares, or is a member of such."""
    semantics = semantics_of(path)
    return semantics is not None and all(
        any(name in semantics.visibility.predeclared for name in type_names(one)) for one in parsed(term)
    )


class _Naming(NamedTuple):
    """How a symbol is named: in what role, and in which space of members; None for any.

    ``either``: whether both a function and a variable may be meant. ``spaces``: where types have a space too, those in
    which the name is looked up, in their order. ``takes_nothing``: whether it is called without arguments.
    ``of_type``: whether a member of the type itself is meant, and none of its objects; None for either.
    """

    role: Role = Role.Read
    space: MemberSpace | None = None
    either: bool = False
    spaces: Sequence[MemberSpace] = ()
    takes_nothing: bool = False
    of_type: bool | None = None


def _naming(index: Index, question: Question, path: str, use: Use) -> _Naming:
    """Return how a use names a symbol."""
    semantics, lines = semantics_of(path), question.project.lines(path)
    if semantics is None:
        return _Naming(use.role)
    before = lines[use.line - 1][: use.column - 1] if use.line <= len(lines) else ""
    either = semantics.calls.functions_apart and before.endswith("::")
    takes_nothing = use.role is Role.Call and arguments_at(index, path, use) == []
    of_type = question.resolver.receivers.side(path, use) if sides_apart(path) else None
    spaces = spaces_of_name(semantics, lines, use)
    return _Naming(use.role, space_of_use(semantics, lines, use), either, spaces, takes_nothing, of_type)


def _is_meant(index: Index, target: DefinedSymbol, among: Sequence[DefinedSymbol], naming: _Naming) -> bool:
    """Tell which of several symbols of one dotted name is meant."""
    alike = [one for one in among if (one.path, one.name) == (target.path, target.name)]
    others = [one for one in alike if one.first.kind is not SymbolKind.Package]
    if len(alike) == 1 or others == [target]:
        return True
    if target.first.kind is SymbolKind.Package:
        return not others  # a name of its package is no name of it
    if naming.either or (naming.role is Role.Import and fields_apart(target.path)):
        return True
    return _is_meant_beside(index, target, alike, naming)


def _is_meant_beside(index: Index, target: DefinedSymbol, alike: Sequence[DefinedSymbol], naming: _Naming) -> bool:
    """Tell which of a member and its namesakes is meant."""
    role, space, _, spaces, takes_nothing, of_type = naming
    if space is not None and target.first.container:
        return declaration_space(target) == space.value
    if takes_nothing and fields_apart(target.path) and are_component_and_methods(index, alike):
        return not target.callable
    if spaces:
        return is_in_first_space(declaration_space(target), spaces, map(declaration_space, alike))
    side = is_method_of_type(target)
    return _is_meant_by_role(target, role) if side is None else of_type in (None, side)


def _is_meant_by_role(target: DefinedSymbol, role: Role) -> bool:
    """Return whether a type beside a value, or a function beside a variable, is meant by what a name does."""
    if values_apart(target.path):
        return role in (Role.Import, Role.Inherit) or declaration_space(target) == (role is Role.Type)
    return target.callable is (role is Role.Call)
