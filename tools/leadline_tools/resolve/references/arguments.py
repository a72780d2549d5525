"""The arguments that name a parameter: wherever one of its functions is called, or is handed on with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import Argument, Binding, Facts, Sort, Use
from leadline_tools.languages.outline import CLASS_LIKE, Definition
from leadline_tools.languages.terms import UNKNOWN
from leadline_tools.model import Reason, Role, SymbolKind, Tier
from leadline_tools.resolve.bindings.argument_names import named_by, tells_names
from leadline_tools.resolve.bindings.local import Local, constructs, parameters
from leadline_tools.resolve.hierarchy.implementations import implementations
from leadline_tools.resolve.project.project import files_with_name
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.references.references import references
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

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

    sure: list[ResolvedUse] = field(default_factory=list[ResolvedUse])
    unsure: list[ResolvedUse] = field(default_factory=list[ResolvedUse])
    unread: set[str] = field(default_factory=set[str])
    left: int = 0


def arguments_of(
    index: Index, question: Question, functions: Sequence[DefinedSymbol], named: Sequence[Local]
) -> Arguments:
    """Return the arguments that name parameters of one name, without those of other overloads of their functions."""
    found = arguments(index, question, functions, named[0].word)
    constructs = all(map(_constructs, functions))
    if not constructs and all(len(one.definitions) == 1 for one in functions):
        return found
    known = decide_uses(index, question, named, found.sure)
    for one in decide_uses(index, question, named, found.unsure):
        is_sure = one.tier is not Tier.Exact or constructs  # a call of a constructor names the type, so that is known
        known.append(one if is_sure else replace(one, tier=Tier.Likely))
    found.sure = [one for one in known if one.tier is Tier.Exact]
    found.unsure = [one for one in known if one.tier is not Tier.Exact]
    return found


def decide_uses(
    index: Index, question: Question, named: Sequence[Local], uses: Iterable[ResolvedUse]
) -> list[ResolvedUse]:
    """Return uses that may name parameters, without the arguments that name others: ``: this(size: 1)``."""
    wanted = {(one.path, one.line, one.column) for one in named}
    found = list[ResolvedUse]()
    for one in uses:
        meant = list(named_by(index, question, one.path, one.name, one.use))
        places = {(each.path, each.line, each.column) for each in meant if isinstance(each, Local)}
        if not meant:
            found.append(one)
        elif wanted & places:
            is_sure = len(meant) == len(wanted & places)
            found.append(replace(one, tier=Tier.Exact if is_sure else Tier.Likely, reason=Reason.Receiver))
    return found


def decide_unknown(
    index: Index, question: Question, named: Sequence[Local], uses: Iterable[ResolvedUse]
) -> Sequence[ResolvedUse]:
    """Return the same of uses of which nothing else is known; all, where arguments do not tell the overload."""
    semantics = semantics_of(named[0].path)
    return decide_uses(index, question, named, uses) if semantics and tells_names(semantics) else list(uses)


def _constructs(function: DefinedSymbol) -> bool:
    """Return whether a function is a constructor, or the head of a type, where arguments choose between those."""
    semantics = function.semantics
    constructs = function.first.kind in CLASS_LIKE | {SymbolKind.Constructor}
    return constructs and semantics is not None and tells_names(semantics)


def arguments(index: Index, question: Question, functions: Sequence[DefinedSymbol], name: str) -> Arguments:
    """Return the arguments called ``name`` of the calls of some functions."""
    found = Arguments()
    called: dict[_Place, Tier] = {}
    handed = False
    for target in _named_by_calls(index, question, functions):
        uses = references(index, target, None, question)
        found.unread.update(uses.unread)
        found.left = max(found.left, uses.late)
        several = target in functions and _has_other_constructors(index, target)
        several |= target not in functions and any(map(_is_run_by_call, functions))  # a class beside it may be made
        handed |= any(one.use.role is Role.Read for one in uses.found)
        for one in uses.found:
            place = one.path, one.use.line, one.use.column
            known = Tier.Likely if several else one.tier
            called[place] = Tier.Exact if Tier.Exact in (known, called.get(place)) else known
    called.update(dict.fromkeys(_heads_below(index, question, functions), Tier.Exact))
    _add_called(index, question, name, called, found)
    listed = {(one.path, one.use.line, one.use.column) for one in (*found.sure, *found.unsure)}
    paths = _calling_values(index, functions, name)
    question.project.prepare(paths, name)
    values = _of_values(index, question, functions, paths, name, handed=handed)
    for one in chain(values, _of_keywords(index, question, functions, name)):
        if (one.path, one.use.line, one.use.column) not in listed:
            (found.sure if one.tier is Tier.Exact else found.unsure).append(one)
    if question.project.late:
        found.left = max(found.left, sum(question.project.facts(path) is None for path in paths))
    return found


def _add_called(index: Index, question: Question, name: str, called: dict[_Place, Tier], to: Arguments) -> None:
    """Add the arguments of calls, each of which is known by its place."""
    for path in sorted({path for path, _, _ in called}):
        facts = question.project.facts(path)
        for argument in facts.arguments.get(name, ()) if facts is not None else ():
            tier = _tier(called, path, argument)
            if tier is Tier.Likely and _names_another(index, question, path, name, argument, called):
                continue
            if tier is not None:
                (to.sure if tier is Tier.Exact else to.unsure).append(_found(path, name, argument, tier))


def _of_keywords(
    index: Index, question: Question, functions: Sequence[DefinedSymbol], name: str
) -> Iterator[ResolvedUse]:
    """Yield the arguments with which a keyword calls the constructor in the head of a type: ``base(size: 1)``."""
    for head in functions:
        semantics = head.semantics
        if head.first.kind not in CLASS_LIKE or semantics is None or not tells_names(semantics):
            continue
        keywords = semantics.calls.constructor_keywords | semantics.scopes.this | semantics.scopes.above
        paths = sorted(files_with_name(index, name, head.path))
        question.project.prepare(paths, name)
        for path in paths:
            facts = question.project.facts(path)
            for argument in facts.arguments.get(name, ()) if facts is not None else ():
                one = _found(path, name, argument, Tier.Exact)
                meant = named_by(index, question, path, name, one.use) if argument.called in keywords else ()
                if any(isinstance(each, Local) and (each.path, each.owner) == (head.path, head.name) for each in meant):
                    yield one


def _calling_values(index: Index, functions: Sequence[DefinedSymbol], name: str) -> Sequence[str]:
    """Return the files that may call a variable which holds one of some functions, with a keyword."""
    semantics = semantics_of(functions[0].path) if functions else None
    if semantics is None or semantics.calls.records is None:
        return ()
    return sorted(files_with_name(index, name, functions[0].path))


def _of_values(
    index: Index,
    question: Question,
    functions: Sequence[DefinedSymbol],
    paths: Sequence[str],
    name: str,
    *,
    handed: bool,
) -> Iterator[ResolvedUse]:
    """Yield the arguments of calls of variables: those that hold a function, and may where it is ``handed`` on."""
    owners = (function for function in functions if paths)
    meant = {(one.path, one.owner) for function in owners for one in parameters(index, question, function, name)}
    for path in paths if meant else ():
        facts = question.project.facts(path)
        for argument in facts.arguments.get(name, ()) if facts is not None else ():
            values = _values_called(question, path, facts, argument) if facts is not None else 0
            if not values:
                continue
            meanings = _meanings(question, path, name, argument)
            if any(_parameter_of(question, one) in meant for one in meanings):
                tier = Tier.Exact if len(meanings) == values == 1 else Tier.Likely
                yield _found(path, name, argument, tier)
            elif handed and not meanings:
                yield _found(path, name, argument, Tier.Name)
        if facts is not None and (handed or any(map(_is_caller, functions))):
            yield from _of_unnamed(question, path, facts, name)


def _of_unnamed(question: Question, path: str, facts: Facts, name: str) -> Iterator[ResolvedUse]:
    """Yield the arguments called ``name`` of calls of what has no name: ``HANDLERS[kind](event=1)``."""
    of_names = {(one.line, one.column) for one in facts.arguments.get(name, ())}
    for use in facts.uses.get(name, ()):
        unnamed = use.role is Role.Other and use.receiver == UNKNOWN and (use.line, use.column) not in of_names
        if unnamed and not question.resolver.resolve(path, name, use):
            yield ResolvedUse(path, name, use, Tier.Name, Reason.Name, "")


def _is_caller(function: DefinedSymbol) -> bool:
    """Return whether a method runs where an object of its type is called, by any name."""
    semantics = semantics_of(function.path)
    records = semantics.calls.records if semantics is not None else None
    return records is not None and function.first.name == records.caller


def _meanings(question: Question, path: str, name: str, argument: Argument) -> Sequence[Resolution]:
    facts = question.project.facts(path)
    for use in facts.uses.get(name, ()) if facts is not None else ():
        if (use.line, use.column) == (argument.line, argument.column):
            return question.resolver.resolve(path, name, use)
    return ()


def _parameter_of(question: Question, meaning: Resolution) -> tuple[str, str] | None:
    """Return the file and the function of a parameter."""
    facts = question.project.facts(meaning.path) if isinstance(meaning, LocalName) else None
    if facts is None or not isinstance(meaning, LocalName):
        return None
    return meaning.path, facts.scopes[meaning.scope].name


def _values_called(question: Question, path: str, facts: Facts, argument: Argument) -> int:
    """Return how many values the variable is given whose call has an argument; 0 where no variable is called."""
    for use in facts.uses.get(argument.called, ()):
        if (use.line, use.column) == (argument.called_line, argument.called_column):
            bound = [_bindings(question, one) for one in question.resolver.resolve(path, argument.called, use)]
            values = [one for several in bound for one in several]
            return len(values) if all(bound) and all(one.sort == Sort.Value for one in values) else 0
    return 0


def _bindings(question: Question, meaning: Resolution) -> Sequence[Binding]:
    facts = question.project.facts(meaning.path) if isinstance(meaning, SymbolRef | LocalName) else None
    if facts is None:
        return ()
    if isinstance(meaning, LocalName):
        return facts.within(meaning.name, meaning.scope)
    return facts.all_at(meaning.name) if isinstance(meaning, SymbolRef) else ()


def _names_another(
    index: Index, question: Question, path: str, name: str, argument: Argument, called: Mapping[_Place, Tier]
) -> bool:
    """Return whether an argument beside a call that is asked about is known to be one of another call."""
    if (path, argument.called_line, argument.called_column) in called:
        return False
    use = _found(path, name, argument, Tier.Likely).use
    return any(named_by(index, question, path, name, use))


def filling(index: Index, question: Question, member: DefinedSymbol) -> Arguments:
    """Return the arguments that give a field its value by its name, where an object of its type is made or copied."""
    found = Arguments()
    owner = next(iter(load_symbols(index, [(member.path, member.first.container)])), None)
    semantics, name = semantics_of(member.path), member.first.name
    if owner is None or owner.first.kind not in CLASS_LIKE or semantics is None or not semantics.calls.arguments:
        return found
    types = list(_made_alike(index, question, owner, member))
    called: dict[_Place, Tier] = {}
    sure = bool(types) and _is_taken(index, owner, member)
    for target in types:
        uses = references(index, target, None, question)
        found.unread.update(uses.unread)
        found.left = max(found.left, uses.late)
        tiers = (one.tier if sure else Tier.Likely for one in uses.found)
        called.update(zip(((one.path, one.use.line, one.use.column) for one in uses.found), tiers, strict=True))
    for path in sorted({path for path, _, _ in called}):
        facts = question.project.facts(path)
        for argument in facts.arguments.get(name, ()) if facts is not None else ():
            copied = argument.called in semantics.calls.copies
            tier = _copied(question, path, argument, types) if copied else _tier(called, path, argument)
            if tier is not None:
                (found.sure if tier is Tier.Exact else found.unsure).append(_found(path, name, argument, tier))
    return found


def _made_alike(
    index: Index, question: Question, owner: DefinedSymbol, member: DefinedSymbol
) -> Iterator[DefinedSymbol]:
    """Yield a type, and those below that are made like it: no constructor says otherwise."""
    if _within(owner.first, member):
        yield owner
        return
    below = [one.of for one in implementations(index, owner, up=False, question=question).found]
    for of in (SymbolRef(owner.path, owner.name, Reason.Definition), *below):
        own = (question.resolver.member_of(of, one) for one in _constructors(index, owner))
        heads = load_symbols(index, [(one.path, one.name) for one in own if isinstance(one, SymbolRef)])
        if all(head.path == member.path and _within(head.first, member) for head in heads):
            yield from load_symbols(index, [(of.path, of.name)])


def _is_taken(index: Index, owner: DefinedSymbol, member: DefinedSymbol) -> bool:
    """Return whether whoever makes an object of a type surely gives it a field by its name."""
    semantics = semantics_of(owner.path)
    lines = owner.source.lines()[owner.first.start_line - 1 : owner.first.line + 2]
    if semantics is not None and semantics.calls.takes_fields("\n".join(lines)):
        return True
    return any(_within(one, member) for one in (owner.first, *_constructors(index, owner).values()))


def _constructors(index: Index, owner: DefinedSymbol) -> Mapping[str, Definition | None]:
    """Return what the constructors of a type are called, with those that it has itself."""
    language = language_of(owner.path)
    found: dict[str, Definition | None] = dict.fromkeys(language.names.constructors if language is not None else ())
    inside = (one for one in index.symbols.definitions(owner.source) if one.container == owner.name)
    found.update({one.name: one for one in inside if one.kind is SymbolKind.Constructor or one.name in found})
    return found


def _has_other_constructors(index: Index, target: DefinedSymbol) -> bool:
    """Return whether a type with a primary constructor has others, which calls of it may mean."""
    if target.first.kind not in CLASS_LIKE:
        return False
    return any(one is not None for one in _constructors(index, target).values())


def _copied(question: Question, path: str, argument: Argument, types: Sequence[DefinedSymbol]) -> Tier | None:
    """Return how sure an argument gives a field to a copy of an object: by the type of what is copied."""
    facts = question.project.facts(path)
    for use in facts.uses.get(argument.called, ()) if facts is not None else ():
        if (use.line, use.column) == (argument.called_line, argument.called_column):
            known = question.resolver.receivers.types(path, use)
            meant = [any((one.path, one.name) == (kind.path, kind.name) for kind in types) for one in known]
            if meant:
                return Tier.Exact if all(meant) else Tier.Likely if any(meant) else None
    return Tier.Likely


def _within(head: Definition | None, member: DefinedSymbol) -> bool:
    """Return whether a field is declared in the head of a definition of its file."""
    start, end = head.signature if head is not None else (0, 0)
    return any(start < one.signature[0] < end for one in member.definitions)


def _named_by_calls(index: Index, question: Question, functions: Sequence[DefinedSymbol]) -> Iterator[DefinedSymbol]:
    """Yield what is called to call the functions: they themselves, the types that they make objects of."""
    for function in functions:
        yield function
        if _is_run_by_call(function):
            yield from load_symbols(index, [(function.path, function.first.container)])
        if not constructs(function):
            continue
        constructor = SymbolRef(function.path, function.name, Reason.Definition)
        for owner in load_symbols(index, [(function.path, function.first.container)]):
            yield owner
            below = implementations(index, owner, up=False, question=question)
            types = [one.of for one in below.found]
            having = (one for one in types if constructor.same(question.resolver.member_of(one, function.first.name)))
            yield from load_symbols(index, [(one.path, one.name) for one in having])


def _heads_below(index: Index, question: Question, functions: Sequence[DefinedSymbol]) -> Iterator[_Place]:
    """Yield the places of the names of the types where whose declaration one of some methods runs."""
    for function in functions:
        semantics = semantics_of(function.path)
        if semantics is None or function.first.name != semantics.calls.initializes_subtypes:
            continue
        for owner in load_symbols(index, [(function.path, function.first.container)]):
            for one in implementations(index, owner, up=False, question=question).found:
                method = question.resolver.keywords.initializer_above(one.of)
                facts = question.project.facts(one.of.path)
                if method is not None and (method.path, method.name) == (function.path, function.name) and facts:
                    yield from ((one.of.path, of.line, of.column) for of in facts.all_at(one.of.name))


def _is_run_by_call(function: DefinedSymbol) -> bool:
    """Return whether a method runs where the object that has it is called like a function."""
    semantics = semantics_of(function.path)
    return semantics is not None and function.first.name == semantics.calls.call_of_object


def _tier(called: Mapping[_Place, Tier], path: str, argument: Argument) -> Tier | None:
    """Return how sure an argument is one of a function; None where it is one of something else."""
    tier = called.get((path, argument.called_line, argument.called_column))
    if tier is not None:
        return tier
    lines = range(argument.called_line, argument.line + 1)
    handed = any(there == path and line in lines and one is Tier.Exact for (there, line, _), one in called.items())
    return Tier.Likely if handed else None


def _found(path: str, name: str, argument: Argument, tier: Tier) -> ResolvedUse:
    end = argument.column + len(name)
    use = Use(argument.line, argument.column, end, 0, Role.Other, UNKNOWN, -1)
    return ResolvedUse(path, name, use, tier, Reason.Name if tier is Tier.Name else Reason.Receiver, "")
