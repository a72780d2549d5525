"""The members of a type as a list: what it declares, what its methods declare, and what it inherits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from leadline_tools import cancellation
from leadline_tools.errors import NotParsed
from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import symbol
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.access import DeclaredMember, Owner, SourceLines
from leadline_tools.languages.facts import OUTSIDE, Binding, Facts, Sort, is_nameless
from leadline_tools.languages.outline import CLASS_LIKE, Definition, is_numbered, owner_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import MACRO
from leadline_tools.model import Member, Reason, Symbol, SymbolKind
from leadline_tools.resolve.hierarchy.macro_implementations import ImplementingMacros, macros_elsewhere
from leadline_tools.resolve.members.member_filters import leaves_member
from leadline_tools.resolve.overloads.joined_overloads import is_of_type
from leadline_tools.resolve.project.project import IndexedProject
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.augmentations import augmented, augmenting
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols, qualified
from leadline_tools.resolve.symbols.parts import parts
from leadline_tools.resolve.symbols.unlisted import nameless_owner
from leadline_tools.resolve.types.type import Type


@dataclass(frozen=True, slots=True)
class Members:
    """The members of a type.

    Args:
        found: Its own in the order of the source, then those of what it inherits from, nearest first; a member that
            is overridden on the way is left out.
        bases: The qualified names of all that it inherits from in the code base, nearest first.
        outside: What it says it inherits from that is not in the code base, as it is written.
        late: True where the time was up before all was looked at.
        alias: The qualified name of the type that has the members, where the symbol is another name for it.
        macros: The macros that may declare further members.
        unsearched: The files that were not searched for such macros.
        unread: The files with parts of the type that could not be read, or parsed.
        several: The qualified names of the types that the symbol is several of.
        unknown: True where it is another name for something of which no members are known.

    """

    found: Sequence[Member]
    bases: Sequence[str]
    outside: Sequence[str]
    late: bool
    alias: str = ""
    macros: tuple[str, ...] = ()
    unsearched: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    unknown: bool = False


_LONGEST_ALIAS = 8
"""Names for names that are followed to the type that has the members."""

_ALIAS = re.compile(r"(?:[\w()]+\s+)*?type(?:alias)?\s+\w")
"""The head of a definition that gives a type another name."""

_MACRO_ALONE = re.compile(r"\s*([A-Z_][A-Z0-9_]{2,})\s*(?:\([^()]*\))?\s*;?\s*(?:/\*.*\*/\s*)?")
"""A line of a body of C that is a macro and nothing else."""


def members(index: Index, target: DefinedSymbol, *, inherited: bool) -> Members:
    """Return the members of a type; with ``inherited`` those of its bases too."""
    with asking(index) as question:
        whole = augmented(index, question, target) if target.first.kind in CLASS_LIKE else None
        if whole is not None:
            return members(index, whole, inherited=inherited)
        of = SymbolRef(target.path, target.name, Reason.Definition)
        links = target.semantics is not None and target.semantics.visibility.links_definitions
        is_spread = links or target.first.kind is SymbolKind.Namespace
        again = [part.path for part in parts(index, target)] if is_spread else []
        held = _members(index, of, question, again, inherited=inherited)
        for _ in range(_LONGEST_ALIAS):
            aliased = question.resolver.evaluator.aliased_types(of)
            named = [one for one in aliased if isinstance(one.origin, SymbolRef) and not one.origin.same(of)]
            if not named or (held.found and len(aliased) == 1):
                break
            if len(aliased) > 1:
                held = _joined(index, question, held, named, inherited=inherited)
                break
            of = next(one.origin for one in named if isinstance(one.origin, SymbolRef))
            held = _members(index, of, question, (), inherited=inherited)
            found = [one for one in held.found if leaves_member(question.resolver.evaluator, named[0], one.symbol.name)]
            held = replace(held, found=found, alias=qualified(of.path, of.name))
        for added in augmenting(question, target) if target.first.kind in CLASS_LIKE else ():
            more = _members(
                index, SymbolRef(added.path, added.declared, Reason.Definition), question, (), inherited=False
            )
            held = replace(held, found=[*held.found, *more.found])
        called = _macros_called(index, question, of)
        macros = dict.fromkeys((*_macros_alone(index, of), *called.names))
        head = _type_head(index, SymbolRef(target.path, target.name, Reason.Definition))
        unknown = not held.found and _ALIAS.match(head) is not None
        return replace(held, macros=tuple(macros), unsearched=tuple(called.unsearched), unknown=unknown)


def _joined(index: Index, question: Question, held: Members, named: Sequence[Type], *, inherited: bool) -> Members:
    """Return the members of a type that is several others, ``A | B`` or ``A & B``, with those that it writes out."""
    origins = dict.fromkeys((one.origin.path, one.origin.name) for one in named if isinstance(one.origin, SymbolRef))
    found = [*held.found]
    late, unread = held.late, [*held.unread]
    for path, name in origins:
        part = _members(index, SymbolRef(path, name, Reason.Definition), question, (), inherited=inherited)
        origin = qualified(path, name)
        found += (replace(one, inherited_from=one.inherited_from or origin) for one in part.found)
        late, unread = late or part.late, [*unread, *part.unread]
    several = tuple(qualified(path, name) for path, name in origins)
    return replace(held, found=found, late=late, unread=tuple(dict.fromkeys(unread)), several=several)


def _macros_called(index: Index, question: Question, of: SymbolRef) -> ImplementingMacros:
    """Return the macros that may declare members of a type.

    They are called among its members, ``impl Type { accessors! { a, b } }``, hold ``impl Trait for Type``, or are given
    the type and implement something for it.
    """
    semantics = semantics_of(of.path)
    if semantics is None or not semantics.macros.modules:
        return ImplementingMacros((), ())
    elsewhere = macros_elsewhere(index, question, of)
    return elsewhere._replace(names=(*_macros_in_body(question, of), *elsewhere.names))


def _macros_in_body(question: Question, of: SymbolRef) -> Iterator[str]:
    """Yield the macros that are called among the members of a type."""
    for path in question.resolver.evaluator.declarations.files(of):
        facts = question.project.facts(path)
        if facts is None:
            continue
        bodies = {
            number
            for number, scope in enumerate(facts.scopes)
            if scope.kind is ScopeKind.Class and scope.name == of.name
        }
        for name, uses in facts.uses.items() if bodies else ():
            if any(use.receiver == MACRO and use.scope in bodies for use in uses):
                yield name


def _macros_alone(index: Index, of: SymbolRef) -> Iterator[str]:
    """Yield the macros that stand alone in the body of a type of C, and may declare members of it."""
    semantics = semantics_of(of.path)
    for target in (
        load_symbols(index, [(of.path, of.name)])
        if semantics is not None and semantics.visibility.links_definitions
        else ()
    ):
        lines = target.source.lines()[target.first.start_line : target.first.end_line]
        alone = (match for line in lines if (match := _MACRO_ALONE.fullmatch(line)) is not None)
        yield from dict.fromkeys(match[1] for match in alone)


def _members(index: Index, start: SymbolRef, question: Question, again: Sequence[str], *, inherited: bool) -> Members:
    """Return the members that a type declares; ``again`` are other files that declare it too."""
    project, evaluator = question.project, question.resolver.evaluator
    inheritance = evaluator.inheritance
    itself, *above = inheritance.mro(Type(start))
    looked_at = (itself, *above) if inherited else (itself,)
    types = [one.origin for one in looked_at if isinstance(one.origin, SymbolRef)]
    found: dict[tuple[str, bool], list[Member]] = {}
    unread: dict[str, None] = {}
    for of in types:
        cancellation.check()
        origin = qualified(of.path, of.name) if of is not types[0] else ""
        own: dict[tuple[str, bool], list[Member]] = {}
        files = dict.fromkeys((*evaluator.declarations.files(of), *again))
        unread.update(dict.fromkeys(file for file in files if index.try_read(file) is None))
        for member in _declared(index, project, of, files, origin):
            namesakes = own.setdefault((member.symbol.name, is_of_type(member.symbol)), [])
            if not (_is_namespace(member) and any(map(_is_namespace, namesakes))):  # one that is opened again
                namesakes.append(member)
        found = {**found, **{name: group for name, group in own.items() if name not in found}}
    return Members(
        [member for group in found.values() for member in group],
        [qualified(one.origin.path, one.origin.name) for one in above if isinstance(one.origin, SymbolRef)],
        list(dict.fromkeys(term for one in looked_at for term in inheritance.external_bases(one))),
        bool(question.refused()),
        unread=tuple(unread),
    )


def _is_namespace(member: Member) -> bool:
    return member.symbol.kind is SymbolKind.Namespace


def _declared(
    index: Index, project: IndexedProject, of: SymbolRef, files: Iterable[str], origin: str
) -> Iterator[Member]:
    """Yield what the files of a type declare in it."""
    of_names: dict[str, list[bool]] = {}
    undetermined: list[Member] = []
    type_head = _type_head(index, of)
    for path in files:
        source = index.try_read(path)
        if source is None:
            continue
        lines = SourceLines(source.lines())
        listed = _outlined(index, source, of.name, lines) or _of_nameless(index, source, of.name, project)
        for definition, owner in listed:
            known = Member(symbol(source, definition), definition.parameters, origin)
            private = _is_private(known.symbol, owner, type_head, lines)
            if private is None:
                undetermined.append(known)
                continue
            of_names.setdefault(definition.name, []).append(private)
            yield replace(known, is_private=private)
        facts = project.facts(path)
        names = {definition.name for definition, _ in listed}
        given = _given(facts, of.name, names) if facts is not None else ()
        for binding in given:
            attribute = _attribute(path, of.name, binding, lines.at(binding.line))
            yield Member(attribute, None, origin, bool(_is_private(attribute, None, type_head, lines)))
    for member in undetermined:
        yield replace(member, is_private=all(of_names.get(member.symbol.name, [False])))


def _type_head(index: Index, of: SymbolRef) -> str:
    """Return the head of a type, from its first definition; empty where it has none."""
    types = load_symbols(index, [(of.path, of.name)])
    return types[0].source.content[slice(*types[0].first.signature)].decode("utf-8", "replace") if types else ""


def _is_private(member: Symbol, owner: Owner | None, type_head: str, lines: SourceLines) -> bool | None:
    """Return whether the language says that a member is private; None where its other declarations say."""
    language = language_of(member.path)
    if language is None:
        return False
    declared = DeclaredMember(member.name, member.kind, member.signature, member.line, owner, type_head, lines)
    return language.names.is_private(declared)


def _outlined(index: Index, source: Source, owner: str, lines: SourceLines) -> list[tuple[Definition, Owner | None]]:
    """Return what a file defines in a type, with parameters; only a file that defines something is parsed."""
    known = _contained(source, index.symbols.definitions(source), owner, lines)
    if not known:
        return []
    try:
        return _contained(source, index.symbols.outline(source), owner, lines)
    except NotParsed:
        return known


def _of_nameless(
    index: Index, source: Source, owner: str, project: IndexedProject
) -> list[tuple[Definition, Owner | None]]:
    """Return what a file defines in a class without a name; nothing for any other type."""
    facts = project.facts(source.path) if is_nameless(owner) else None
    outline = index.symbols.definitions(source) if facts is not None else ()
    return [(one, None) for one in outline if nameless_owner(facts, one) == owner]


def _contained(
    source: Source, outline: Sequence[Definition], owner: str, lines: SourceLines
) -> list[tuple[Definition, Owner | None]]:
    """Return the definitions of an outline that belong to a type, those for one interface alone among them.

    Each has the definition around it.
    """
    found: list[tuple[Definition, Owner | None]] = []
    owners: dict[int, Owner] = {}
    for one in outline:
        around = outline[one.parent] if one.parent >= 0 else None
        outside = around is not None and around.kind is SymbolKind.Namespace and one.container.startswith(f"{owner}.")
        apart = owner_of(one.path) if is_numbered(one.path) else ""
        if owner in (one.container, apart, around.path if around is not None and not outside else ""):
            if around is not None and one.parent not in owners:
                owners[one.parent] = _owner(source, around, lines)
            found.append((one, owners.get(one.parent)))
    return found


def _owner(source: Source, around: Definition, lines: SourceLines) -> Owner:
    head = source.content[slice(*around.signature)].decode("utf-8", "replace")
    return Owner(around.kind, head, around.start_line, around.end_line, lines)


def _given(facts: Facts, owner: str, listed: Iterable[str]) -> Iterator[Binding]:
    """Yield the members that methods declare by giving them a value, each once."""
    known = set(listed)
    for binding in facts.wide:
        ours = binding.sort == Sort.Value and binding.path == f"{owner}.{binding.name}"
        if ours and binding.scope == OUTSIDE and binding.name not in known:
            known.add(binding.name)
            yield binding


def _attribute(path: str, owner: str, binding: Binding, line: str) -> Symbol:
    return Symbol(
        binding.name,
        qualified(path, binding.path),
        SymbolKind.Field,
        path,
        binding.line,
        binding.column,
        binding.line,
        line.strip(),
        "",
        owner,
    )
