"""Members that no outline lists: fields that a type embeds, and members of types without a name.

The facts of their file know them. An embedded field is called by its type, so each use of the field is one of the type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages.facts import (
    OUTSIDE,
    Binding,
    Facts,
    Sort,
    Use,
    is_nameless,
    nameless,
    nameless_scope,
)
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Role, SymbolKind
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

_TYPES = frozenset({Role.Type, Role.Inherit})


def name_of(meaning: Resolution) -> tuple[str, str] | None:
    """Return the file and the dotted name of a definition or of a member of a type without a name; None for others."""
    if isinstance(meaning, SymbolRef):
        return meaning.path, meaning.name
    if isinstance(meaning, LocalName) and meaning.scope > 0:
        return meaning.path, f"{nameless(meaning.scope)}.{meaning.name}"
    return None


def declared_member(facts: Facts, name: str, use: Use, meaning: Resolution) -> str:
    """Return the dotted name of the member that a use declares, given what it means; empty where it declares none."""
    if isinstance(meaning, SymbolRef):
        return meaning.name if "." in meaning.name and use.role is Role.Definition else ""
    declares = isinstance(meaning, LocalName) and any(_is_unlisted(facts, one) for one in _bound_at(facts, name, use))
    found = name_of(meaning) if declares else None
    return found[1] if found is not None else ""


def nameless_owner(facts: Facts | None, member: Definition) -> str:
    """Return what stands for the name of the class without one that has a member; empty for any other definition.

    A class that a module exports by default may have no name, and other files can name it all the same.
    """
    found = facts.all_at(member.path) if facts is not None and not member.owner else ()
    owners = (nameless(one.scope) for one in found if one.line == member.line and one.scope > 0)
    return next((one for one in owners if facts is not None and facts.heritage_of(one)), "")


def unlisted_members(
    index: Index, question: Question, path: str, name: str, use: Use, meanings: Sequence[Resolution]
) -> Iterator[tuple[Source, Definition]]:
    """Yield the members without an outline entry that an occurrence means, or that it declares."""
    bound = [one for meaning in meanings if (one := _bound_by(question, meaning, use)) is not None]
    facts = question.project.facts(path)
    if facts is not None and not any(isinstance(meaning, SymbolRef) for meaning in meanings):
        bound += [(path, one) for one in _bound_at(facts, name, use) if _is_unlisted(facts, one)]
    for home, binding in dict.fromkeys(bound):
        source = index.try_read(home)
        if source is not None:
            yield source, _definition(source, binding)


def unlisted_member_at(facts: Facts, source: Source, name: str, place: tuple[int, int]) -> Definition | None:
    """Return the member of a type without a name that is declared at a place, a line and a column; None for none."""
    bound = (one for one in facts.named(name) if (one.line, one.column) == place and _is_unlisted(facts, one))
    return next((_definition(source, one) for one in bound), None)


def members_of_nameless(
    index: Index, question: Question, path: str, line: int, member: DefinedSymbol
) -> Iterator[DefinedSymbol]:
    """Yield what the types without a name that begin on a line declare in the place of a member of their base."""
    facts, source = question.project.facts(path), index.try_read(path)
    clauses = [one for one in facts.heritage if one.line == line and is_nameless(one.path)] if facts is not None else ()
    scopes = {nameless_scope(one.path) for one in clauses}
    for bound in facts.named(member.first.name) if facts is not None and source is not None else ():
        alike = (bound.sort == Sort.Callable) is member.callable
        if bound.scope in scopes and alike and source is not None and facts is not None and _is_unlisted(facts, bound):
            yield DefinedSymbol(source, (_definition(source, bound),))


def declared_key(index: Index, path: str, name: str, use: Use) -> Iterator[tuple[Source, Definition]]:
    """Yield the key of an object literal that stands at a place, as a member of the literal."""
    source = index.try_read(path)
    if source is not None:
        yield source, _definition(source, Binding(use.scope, name, use.line, use.column, "", -1, sort=Sort.Value))


def embedded_types(question: Question, meaning: Resolution) -> Iterator[SymbolRef]:
    """Yield the types by which an embedded field is called."""
    bound = _bound_by(question, meaning)
    facts = question.project.facts(bound[0]) if bound is not None else None
    if bound is None or facts is None:
        return
    path, binding = bound
    for use in facts.uses.get(binding.name, ()):
        if (use.line, use.column) == (binding.line, binding.column) and use.role in _TYPES:
            found = question.resolver.resolve(path, binding.name, use)
            yield from (one for one in found if isinstance(one, SymbolRef))


def embedded_field(
    index: Index, question: Question, path: str, name: str, use: Use
) -> tuple[Source, Definition] | None:
    """Return the field of a type with a name that embeds the type which an occurrence names; None for any other."""
    facts, source = question.project.facts(path), index.try_read(path)
    if facts is None or source is None or use.role not in _TYPES:
        return None
    bound = (one for one in _bound_at(facts, name, use) if one.scope == OUTSIDE and one.path)
    return next(((source, _definition(source, one)) for one in bound), None)


def _bound_at(facts: Facts, name: str, use: Use) -> Sequence[Binding]:
    return [one for one in facts.named(name) if (one.line, one.column) == (use.line, use.column)]


def unlisted_namesakes(facts: Facts, definition: Definition) -> Sequence[Binding]:
    """Return what a type without a name declares under the name of a member beside that: a method beside a field."""
    named = (one for one in facts.named(definition.name) if nameless(one.scope) == definition.container)
    is_method = definition.kind is SymbolKind.Method
    return [one for one in named if _is_unlisted(facts, one) and (one.sort == Sort.Callable) is not is_method]


def _bound_by(question: Question, meaning: Resolution, use: Use | None = None) -> tuple[str, Binding] | None:
    """Return the file and the binding of a member that no outline lists; None for anything else.

    Of a method and a field of one name the use tells which is meant.
    """
    if not isinstance(meaning, SymbolRef | LocalName):
        return None
    facts = question.project.facts(meaning.path)
    if facts is None:
        return None
    named = facts.all_at(meaning.name) if isinstance(meaning, SymbolRef) else facts.within(meaning.name, meaning.scope)
    found = [one for one in named if _is_unlisted(facts, one)]
    if use is not None and len({one.sort == Sort.Callable for one in found}) > 1:
        here = [one for one in found if (one.line, one.column) == (use.line, use.column)]
        found = here or [one for one in found if (one.sort == Sort.Callable) is (use.role is Role.Call)]
    return (meaning.path, found[0]) if found else None


def _is_unlisted(facts: Facts, binding: Binding) -> bool:
    if binding.imported >= 0:
        return False
    if binding.path:
        return binding.scope == OUTSIDE and binding.sort == Sort.Value
    return binding.scope > 0 and bool(facts.heritage_of(nameless(binding.scope)))


def _definition(source: Source, binding: Binding) -> Definition:
    """Return a member as an outline would list it: its line stands for its declaration."""
    container = binding.path.rpartition(".")[0] if binding.path else nameless(binding.scope)
    kind = SymbolKind.Method if binding.sort == Sort.Callable else SymbolKind.Field
    span = _line_span(source, binding.line)
    line, column = binding.line, binding.column
    return Definition(binding.name, kind, line, column, line, line, container, -1, span, (0, 0), None)


def _line_span(source: Source, line: int) -> tuple[int, int]:
    """Return the bytes of the text in a line."""
    start = 0
    for _ in range(line - 1):
        start = source.content.find(b"\n", start) + 1
    end = source.content.find(b"\n", start)
    text = source.content[start : end if end >= 0 else len(source.content)]
    begin = start + len(text) - len(text.lstrip())
    return begin, start + len(text.rstrip())
