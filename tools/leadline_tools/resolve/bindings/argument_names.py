"""Names of arguments: each means a parameter of what its call runs, or a field of the type that it makes.

A constructor that somebody wrote takes its parameters, not the fields of its type. The fields are taken where nobody
wrote one, where the head of the type declares them, and by the one that a language adds to those written elsewhere:
https://docs.swift.org/swift-book/documentation/the-swift-programming-language/initialization/#Memberwise-Initializers-for-Structure-Types
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import Argument, Facts, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import CLASS_LIKE, Definition
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Reason, Role, SymbolKind, Tier
from leadline_tools.resolve.bindings.local import Local, may_be_named, parameters
from leadline_tools.resolve.bindings.promoted_parameters import promoted_member
from leadline_tools.resolve.overloads.call_shapes import (
    accepts_number,
    names_of_parameters,
    parameters_of,
)
from leadline_tools.resolve.overloads.called_overloads import arguments_with_block, arrange, keep_called
from leadline_tools.resolve.overloads.method_overloads import MethodOverloads
from leadline_tools.resolve.project.project import files_with_name
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, is_interface, load_symbols
from leadline_tools.resolve.symbols.parts import everywhere
from leadline_tools.resolve.symbols.visibility import signature_of
from leadline_tools.resolve.types.type import Type

_NAMED = re.compile(r"(\w+)\s*[:=](?![:=])")
_WORD = re.compile(r"\w+")


class _NamedCall(NamedTuple):
    """The use of the name that a call begins with, and its file."""

    path: str
    use: Use


def named_by(index: Index, question: Question, path: str, name: str, use: Use) -> Iterator[Local | DefinedSymbol]:
    """Yield the parameters or fields that an argument names; nothing where they are not known, or it is none."""
    for argument, facts in _arguments(question, path, name, use):
        for call, called in _called(index, question, path, facts, argument):
            yield from _parameters_or_fields(index, question, called, name, _NamedCall(path, call))
        yield from _copied_fields(index, question, path, name, facts, argument)


def keyword_uses(index: Index, question: Question, member: DefinedSymbol) -> Iterator[ResolvedUse]:
    """Yield the arguments that name a parameter which is one variable with a definition inside of its function."""
    facts, name = question.project.facts(member.path), member.first.name
    binding = facts.at(member.name) if facts is not None else None
    if facts is None or binding is None or binding.scope <= 0:
        return
    functions = load_symbols(index, [(member.path, facts.scopes[binding.scope].name)])
    if not any(one.callable and any(parameters(index, question, one, name)) for one in functions):
        return
    for path in files_with_name(index, name, member.path):
        there = question.project.facts(path)
        for argument in there.arguments.get(name, ()) if there is not None else ():
            called = _called(index, question, path, there, argument) if there is not None else ()
            if any((one.path, one.name) == (member.path, functions[0].name) for _, one in called):
                use = Use(argument.line, argument.column, argument.column + len(name), 0, Role.Other, UNKNOWN, -1)
                yield ResolvedUse(path, name, use, Tier.Exact, Reason.Receiver, "")


def attribute_uses(index: Index, question: Question, member: DefinedSymbol) -> Iterator[ResolvedUse]:
    """Yield the arguments that name an attribute in the head of a class that a call makes: ``Struct.new(:a)`` of Ruby.

    They are undecided where the object or the class is not known that is called.
    """
    semantics, name = member.semantics, member.first.name
    makers = semantics.calls.attribute_makers if semantics is not None else frozenset[str]()
    owners = load_symbols(index, [(member.path, member.first.container)]) if makers else []
    if not any(is_in_head(owner, member) for owner in owners):
        return
    receivers = question.resolver.receivers
    for path in files_with_name(index, name, member.path):
        facts = question.project.facts(path)
        for argument in facts.arguments.get(name, ()) if facts is not None else ():
            for call in facts.uses.get(argument.called, ()) if facts is not None and argument.called in makers else ():
                if (call.line, call.column) != (argument.called_line, argument.called_column):
                    continue
                types = receivers.types(path, call)
                means = any((one.path, one.name) == (member.path, member.first.container) for one in types)
                if means or not (types or receivers.is_external(path, call.receiver, call.scope)):
                    tier, reason = (Tier.Exact, Reason.Receiver) if means else (Tier.Name, Reason.Name)
                    use = Use(argument.line, argument.column, argument.column + len(name), 0, Role.Other, UNKNOWN, -1)
                    yield ResolvedUse(path, name, use, tier, reason, facts.around(call.scope) if facts else "")


def functions_called(index: Index, question: Question, path: str, name: str, use: Use) -> Iterator[DefinedSymbol]:
    """Yield the functions that run where an argument is given, constructors of the types that are called among them."""
    for argument, facts in _arguments(question, path, name, use):
        for _, called in _called(index, question, path, facts, argument):
            for target in load_symbols(index, [(called.path, called.name)]):
                yield from [target] if target.callable else _constructors(index, question, called)


def _arguments(question: Question, path: str, name: str, use: Use) -> Iterator[tuple[Argument, Facts]]:
    """Yield the argument whose name a use is, with the facts of its file."""
    facts = question.project.facts(path)
    for argument in facts.arguments.get(name, ()) if facts is not None else ():
        if facts is not None and (argument.line, argument.column) == (use.line, use.column):
            yield argument, facts


def _called(
    index: Index, question: Question, path: str, facts: Facts, argument: Argument
) -> Iterator[tuple[Use, SymbolRef]]:
    """Yield what the call of an argument means, each with the name that is called."""
    for use in facts.uses.get(argument.called, ()):
        if (use.line, use.column) == (argument.called_line, argument.called_column):
            meanings = question.resolver.resolve(path, argument.called, use)
            chosen = MethodOverloads(index, question).choose(path, use, meanings) or _own_types(
                index, question, path, argument, use
            )
            yield from ((use, one) for one in chosen if isinstance(one, SymbolRef))


def _copied_fields(
    index: Index, question: Question, path: str, name: str, facts: Facts, argument: Argument
) -> Iterator[DefinedSymbol]:
    """Yield the field that an argument gives to a copy of an object, which takes what the head of its type declares.

    https://kotlinlang.org/docs/data-classes.html#copying
    """
    semantics = semantics_of(path)
    if semantics is None or semantics.calls.records is not None or argument.called not in semantics.calls.copies:
        return
    for use in facts.uses.get(argument.called, ()):
        if (use.line, use.column) != (argument.called_line, argument.called_column):
            continue
        if any(isinstance(one, SymbolRef | LocalName) for one in question.resolver.resolve(path, argument.called, use)):
            continue
        of = use._replace(receiver=min(semantics.scopes.this)) if use.receiver == BARE else use
        types = question.resolver.receivers.types(path, of)
        for owner in load_symbols(index, [(one.path, one.name) for one in types]):
            fields = _taken_field(index, question, owner, name, written=True)
            yield from (one for one in fields if is_in_head(owner, one))


def _own_types(index: Index, question: Question, path: str, argument: Argument, use: Use) -> Sequence[Resolution]:
    """Return the type that the call of an argument makes an object of by a word for the type around: ``new self()``."""
    semantics = semantics_of(path)
    if (
        semantics is None
        or argument.called not in semantics.scopes.this | semantics.scopes.own | semantics.scopes.above
    ):
        return ()
    evaluator = question.resolver.evaluator
    found = evaluator.evaluate(path, argument.called, use.scope)
    if argument.called not in semantics.scopes.above:
        return [one.origin for one in found]
    bases = (one.origin for type_ in found for one in evaluator.inheritance.mro(type_)[1:])
    return [one for one in bases if isinstance(one, SymbolRef) and not is_interface(index, one)][:1]


def _parameters_or_fields(
    index: Index, question: Question, called: SymbolRef, name: str, call: _NamedCall
) -> Iterator[Local | DefinedSymbol]:
    """Yield the parameter ``name`` of a function, or of what makes an object of a type: a constructor, else a field.

    Of several functions of one name it is one of those that the call may mean.
    """
    semantics = semantics_of(called.path)
    generated = semantics is not None and semantics.calls.records is not None
    for target in load_symbols(index, [(called.path, called.name)]):
        head = () if generated else (target,)
        functions = _run_by_keyword(index, target) if target.callable else [*_running(index, question, called), *head]
        found = list[Local | DefinedSymbol]()
        for function in _accepting(index, question, functions, call):
            if found and not (semantics is not None and tells_names(semantics)):
                break
            own = [promoted_member(index, one) or one for one in _named_parameters(index, question, function, name)]
            if not (own or function.callable or generated):  # what a generated one takes is known to ``Keywords``
                own = list(_taken_field(index, question, function, name, written=len(functions) > 1))
            found += own
        yield from dict.fromkeys(found)


def _run_by_keyword(index: Index, target: DefinedSymbol) -> Sequence[DefinedSymbol]:
    """Return a function; for a constructor also the type around it, whose head may declare another one."""
    owner = [(target.path, target.first.container)] if target.first.kind is SymbolKind.Constructor else []
    return [target, *load_symbols(index, owner)]


def _named_parameters(index: Index, question: Question, function: DefinedSymbol, name: str) -> Iterator[Local]:
    """Yield the first parameter of each overload of a function that an argument can name so."""
    language = language_of(function.path)
    spelled = f"${name}" if language is not None and language.names.sigil else name
    for one in function.definitions:
        found = parameters(index, question, replace(function, definitions=(one,)), spelled)
        yield from islice((each for each in found if may_be_named(index, each)), 1)


def _taken_field(
    index: Index, question: Question, owner: DefinedSymbol, name: str, *, written: bool
) -> Iterator[DefinedSymbol]:
    """Yield the field that an argument gives to a new object of a type; ``written`` where constructors are written."""
    called = SymbolRef(owner.path, owner.name, Reason.Receiver)
    member = question.resolver.member_of(called, name)
    for field in load_symbols(index, [(member.path, member.name)]) if isinstance(member, SymbolRef) else ():
        if not field.callable and (not written or is_in_head(owner, field) or _takes_fields(owner)):
            yield field


def is_in_head(owner: DefinedSymbol, field: DefinedSymbol) -> bool:
    """Return whether the head of a type, or of a constructor, declares a field."""
    heads = [one.signature for one in owner.definitions if one.kind in CLASS_LIKE | {SymbolKind.Constructor}]
    return owner.path == field.path and any(
        start < one.signature[0] < end for one in field.definitions for start, end in heads
    )


def _takes_fields(owner: DefinedSymbol) -> bool:
    """Return whether the language adds a constructor that takes the fields of a type."""
    semantics = semantics_of(owner.path)
    lines = owner.source.lines()[owner.first.start_line - 1 : owner.first.line]
    return semantics is not None and semantics.calls.takes_fields("\n".join(lines))


def tells_names(semantics: Semantics) -> bool:
    """Return whether it is known which overload takes the arguments of a call, by their names among others."""
    calls = semantics.calls
    return calls.joins_overloads and bool(calls.argument_sign) and not semantics.visibility.links_definitions


def _accepting(
    index: Index, question: Question, functions: Sequence[DefinedSymbol], call: _NamedCall
) -> Sequence[DefinedSymbol]:
    """Return the functions that a call may mean, each with those of its overloads alone; all where it can mean none.

    The head of a type is one of the functions, where it declares a constructor.
    """
    given, semantics = arguments_with_block(index, *call), semantics_of(call.path)
    if given is None or semantics is None:
        return functions
    if not tells_names(semantics):
        return [_with_names(one, given) if len(one.definitions) > 1 else one for one in functions]
    taking = [_taking(one, given, semantics.calls.argument_sign) for one in functions]
    able = [one for one in taking if one.definitions] or list(functions)
    plain = [one for one in able if any(_takes_as_many(one.source, each, len(given)) for each in one.definitions)]
    # What takes no more than is given precedes what leaves out defaults.
    several = plain if plain and len(able) > 1 else able
    kept = (keep_called(index, question, *call, [one]) if len(one.definitions) > 1 else [one] for one in several)
    return [one for each in kept for one in each]


def _taking(function: DefinedSymbol, given: Sequence[str], sign: str) -> DefinedSymbol:
    """Return a function with those of its overloads alone that take arguments of such names, which may be none."""
    kept = tuple(one for one in function.definitions if _may_take(function.source, one, given, sign))
    return replace(function, definitions=kept)


def _may_take(source: Source, function: Definition, given: Sequence[str], sign: str) -> bool:
    taken, names = parameters_of(source, function), names_of_parameters(source, function)
    if taken is None or len(names) != len(taken):
        return True
    behind = sum(one.receiver for one in taken)  # an extension is called on its receiver, or with it as an argument
    pairs = ((taken[first:], names[first:]) for first in {0, behind})
    return any(arrange(its, called, given, sign) is not None for its, called in pairs)


def _takes_as_many(source: Source, function: Definition, number: int) -> bool:
    return len(parameters_of(source, function) or ()) == number


def _with_names(function: DefinedSymbol, given: Sequence[str]) -> DefinedSymbol:
    """Return a function with those of its overloads alone that take as many arguments, of the names that are given."""
    if any("*" in one[:2] or one.startswith("...") for one in given):
        return function
    taken = ((one, parameters_of(function.source, one)) for one in function.definitions)
    accepting = tuple(one for one, parameters in taken if accepts_number(parameters, len(given)))
    names = frozenset(match[1] for one in given if (match := _NAMED.match(one)) is not None)
    accepting = (
        tuple(one for one in accepting if names.issubset(_WORD.findall(signature_of(function, one)))) or accepting
    )
    return replace(function, definitions=accepting or function.definitions)


def _running(index: Index, question: Question, of: SymbolRef) -> Sequence[DefinedSymbol]:
    """Return what runs where a type is called: constructors, and the method by which an object is called.

    https://scala-lang.org/files/archive/spec/2.13/06-expressions.html#function-applications
    """
    semantics = semantics_of(of.path)
    method = semantics.calls.call_of_object if semantics is not None else ""
    member = question.resolver.member_of(of, method, called=True) if method else None
    found = load_symbols(index, [(member.path, member.name)]) if isinstance(member, SymbolRef) else ()
    return [*_constructors(index, question, of), *(one for one in found if one.callable)]


def _constructors(index: Index, question: Question, of: SymbolRef) -> Sequence[DefinedSymbol]:
    """Return the methods that run when an object of a type is made, those of the nearest type that has some."""
    language = language_of(of.path)
    for name in sorted(language.names.constructors) if language is not None else ():
        member = question.resolver.member_of(of, name, called=True)
        for found in load_symbols(index, [(member.path, member.name)]) if isinstance(member, SymbolRef) else ():
            if found.callable:
                return [found]
    for one in question.resolver.evaluator.inheritance.mro(Type(of)):
        own = _own_constructors(index, one.origin) if isinstance(one.origin, SymbolRef) else ()
        if own:
            return own
    return ()


def _own_constructors(index: Index, of: SymbolRef) -> Sequence[DefinedSymbol]:
    """Return the constructors that a type declares, in all of its parts."""
    found: dict[tuple[str, str], None] = {}
    for part in everywhere(index, of):
        source = index.try_read(part.path)
        for one in index.symbols.definitions(source) if source is not None else ():
            if one.container == part.name and one.kind is SymbolKind.Constructor:
                found[part.path, one.path] = None
    return load_symbols(index, list(found))
