"""The nearest definitions of a symbol: those that one use leads to, where the symbol has several.

A symbol is one for all of its uses: an attribute is that of the base which declares it, whichever subtypes give it
values, and what a function declares several times under one name is one symbol. A use leads to what is nearest to it:
the type next in the order of resolution, the scope around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import OUTSIDE, Facts, Use
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Reason, Role, SymbolKind
from leadline_tools.resolve.addresses.file_position import FilePosition, parse_position
from leadline_tools.resolve.addresses.used_names import uses_at
from leadline_tools.resolve.bindings.called_functions import function_run
from leadline_tools.resolve.bindings.commonjs_links import constructor_run
from leadline_tools.resolve.overloads.call_shapes import text_before
from leadline_tools.resolve.overloads.called_overloads import (
    are_told_apart,
    is_overload,
    keep_called,
    keep_overload,
    may_be_told_apart,
)
from leadline_tools.resolve.overloads.constructor_overloads import ConstructorOverloads
from leadline_tools.resolve.overloads.extension_overloads import keep_meant
from leadline_tools.resolve.overloads.method_overloads import MethodOverloads
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, SymbolMatches, load_symbols

_BOTH_SIDES = 2
"""Definitions of a type and of the object that is called like it."""


def nearest(index: Index, address: str, found: SymbolMatches) -> SymbolMatches:
    """Return the symbols that an address may mean, each with those definitions alone to which the use there leads.

    What is no use at ``path:line:column``, or leads to one definition anyway, is as it was.
    """
    place = parse_position(index, address)
    if place is None or not place.column or found.possible or len(found) != 1:
        return found
    target = found[0]
    with asking(index.of(place.path), ahead=False) as question:
        for name, use, meanings in uses_at(index, question, place):
            if use.role in (Role.Definition, Role.Write) and (
                own := _declared_here(index, question, place, name, target)
            ):
                return SymbolMatches.of(own)
            if use.role is Role.Definition or use.imported >= 0:
                continue
            if not any(_is_of(target, one) for one in _chosen(index, question, place.path, use, target, meanings)):
                continue
            return SymbolMatches.of(_led_to(index, question, place.path, name, use, target))
    return found


def asked_overload(index: Index, address: str, target: DefinedSymbol) -> DefinedSymbol:
    """Return the overload that stands at ``path:line:column`` alone, or those that the call there may mean."""
    place = parse_position(index, address)
    if place is None or not place.column:
        return target
    standing = keep_overload(target, place.line, place.column) if place.path == target.path else None
    if not are_told_apart(target):
        return _as_overload(index, target) if standing is not None else target
    if standing is not None:
        return standing
    with asking(index.of(place.path), ahead=False) as question:
        for _, use, meanings in uses_at(index, question, place):
            chosen = _chosen(index, question, place.path, use, target, meanings)
            if all(_is_of(target, one) for one in chosen):
                return next(iter(keep_called(index, question, place.path, use, [target])))
    return target


def _as_overload(index: Index, target: DefinedSymbol) -> DefinedSymbol:
    """Return a function whose definition is asked about, marked where it is one of several overloads."""
    with asking(index.of(target.path), ahead=False) as question:
        return replace(target, is_overload=True) if is_overload(index, question, target) else target


def asked_definition(index: Index, address: str, target: DefinedSymbol) -> DefinedSymbol:
    """Return the overload that stands at ``path:line:column`` alone, where types inherit overloads, else as above."""
    place, semantics = parse_position(index, address), target.semantics
    inherits = semantics is not None and semantics.calls.inherits_overloads and target.callable
    if place is None or not place.column or place.path != target.path or not inherits:
        return asked_overload(index, address, target)
    return keep_overload(target, place.line, place.column) or asked_overload(index, address, target)


def nearest_overloads(index: Index, address: str, found: SymbolMatches) -> SymbolMatches:
    """Return the declarations of the overloads that a call may mean, where files declare and define them."""
    place = parse_position(index, address)
    if place is None or not place.column or found.possible or not may_be_told_apart(found):
        return found
    with asking(index.of(place.path), ahead=False) as question:
        for _, use, _ in uses_at(index, question, place):
            return SymbolMatches.of(keep_called(index, question, place.path, use, found.listed))
    return found


def _chosen(
    index: Index, question: Question, path: str, use: Use, target: DefinedSymbol, meanings: Sequence[Resolution]
) -> Sequence[Resolution]:
    """Return what a use means; where the method of a type cannot be called so, the inherited one."""
    if not meanings or any(_is_of(target, one) for one in meanings):
        return meanings
    return MethodOverloads(index, question).choose(path, use, meanings)


def _led_to(
    index: Index, question: Question, path: str, name: str, use: Use, target: DefinedSymbol
) -> Sequence[DefinedSymbol]:
    """Return what a use of a symbol leads to: what it runs, or those of its definitions that are nearest."""
    if head := _head_run(index, question, path, use, target):
        return head
    if use.role is Role.Call and len(target.definitions) > 1:
        target = _accepting(index, question, path, use, target)
    target = _of_side(index, path, use, keep_meant(question, path, use, target))
    if run := _run(index, question, path, name, use, target):
        return run
    if use.receiver not in (BARE, UNKNOWN):
        return _assigned(index, question, path, name, use, target) or [target]
    facts = question.project.facts(path) if path == target.path else None
    if use.receiver == BARE and facts is not None and len(target.definitions) > 1:
        return [_in_scope(facts, use, target)]
    return [target]


def _head_run(index: Index, question: Question, path: str, use: Use, target: DefinedSymbol) -> Sequence[DefinedSymbol]:
    """Return the type whose head declares the constructor that a call runs: it has no declaration of its own."""
    facts, semantics = question.project.facts(path), target.semantics
    if use.role is not Role.Call or target.first.kind is not SymbolKind.Constructor or facts is None:
        return ()
    if semantics is None or not semantics.calls.constructor_keywords:
        return ()
    runs = ConstructorOverloads(index, question, target).runs_head(path, facts, use)
    return load_symbols(index, [(target.path, target.name.rpartition(".")[0])]) if runs else ()


def _of_side(index: Index, path: str, use: Use, target: DefinedSymbol) -> DefinedSymbol:
    """Return of a type and the object beside it what a use means: a type where one stands, an object as a value.

    https://scala-lang.org/files/archive/spec/2.13/05-classes-and-objects.html#object-definitions
    """
    semantics = target.semantics
    if semantics is None or not semantics.members.twins or len(target.definitions) < _BOTH_SIDES:
        return target
    objects = [one for one in target.definitions if "object" in _head(target, one).split()]
    types = [one for one in target.definitions if one not in objects]
    made = use.role is Role.Call and text_before(index, path, use, 0).split()[-1:] == ["new"]
    sides = {Role.Type: types, Role.Inherit: types, Role.Read: objects, Role.Call: types if made else []}
    kept = sides.get(use.role)
    return replace(target, definitions=tuple(kept)) if kept else target


def _head(target: DefinedSymbol, definition: Definition) -> str:
    """Return what stands before the name of a definition."""
    head = target.source.content[slice(*definition.signature)].decode("utf-8", "replace")
    return head.partition(definition.name)[0]


def _accepting(index: Index, question: Question, path: str, use: Use, target: DefinedSymbol) -> DefinedSymbol:
    """Return a function with those of its overloads alone that a call can mean, by its arguments."""
    semantics = semantics_of(path)
    chooses = semantics is not None and semantics.calls.has_overloads and not semantics.visibility.links_definitions
    return next(iter(keep_called(index, question, path, use, [target]))) if chooses else target


def _declared_here(
    index: Index, question: Question, place: FilePosition, name: str, target: DefinedSymbol
) -> Sequence[DefinedSymbol]:
    """Return the attribute to which a method gives a value at a place, where another type declares it as well."""
    semantics, facts = semantics_of(place.path), question.project.facts(place.path)
    if semantics is None or facts is None or not semantics.members.assignments_declare:
        return ()
    here = [one for one in facts.named(name) if one.line == place.line and one.path and one.scope == OUTSIDE]
    standing = [one for one in here if one.column <= place.column <= one.column + len(one.name)]
    found = load_symbols(index, [(place.path, one.path) for one in standing[:1]])
    return [one for one in found if (one.path, one.name) != (target.path, target.name)]


def _run(
    index: Index, question: Question, path: str, name: str, use: Use, target: DefinedSymbol
) -> Sequence[DefinedSymbol]:
    """Return the function, or the constructor, that a call runs by the name of a variable."""
    meant = SymbolRef(target.path, target.name, Reason.Scope)
    run = function_run(question, path, use, meant) or constructor_run(index, question, path, name, use, meant)
    return load_symbols(index, [(run.path, run.name)]) if run is not None else ()


def _is_of(target: DefinedSymbol, meaning: object) -> bool:
    return isinstance(meaning, SymbolRef) and (meaning.path, meaning.name) == (target.path, target.name)


def _assigned(
    index: Index, question: Question, path: str, name: str, use: Use, target: DefinedSymbol
) -> Sequence[DefinedSymbol]:
    """Return the attribute to which methods of a nearer type than the one that declares it give a value."""
    member = question.resolver.receivers.nearest_assigned_member(path, use, name)
    if member is None or _is_of(target, member):
        return []
    return load_symbols(index, [(member.path, member.name)])


def _in_scope(facts: Facts, use: Use, target: DefinedSymbol) -> DefinedSymbol:
    """Return the definitions of a symbol that bind its name in the nearest scope around a use, if that has some."""
    for scope in facts.outwards(use.scope):
        lines = {one.line for one in facts.within(target.first.name, scope) if one.path == target.name}
        if lines:
            bound = tuple(one for one in target.definitions if one.line in lines)
            return replace(target, definitions=bound or target.definitions)
    return target
