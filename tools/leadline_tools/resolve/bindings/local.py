"""A name that belongs to one scope of one file: a local variable, or a parameter of a function.

All its uses are in that scope, but for one kind: a parameter may be named by a call, wherever that stands. Functions of
which a call may mean any have parameters of one name together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import (
    FUNCTIONS,
    LABEL_MARK,
    Binding,
    Facts,
    Sort,
    Use,
    is_type_parameter,
    of_namespace,
)
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, Definition
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Reason, Role, SymbolKind, Tier
from leadline_tools.resolve.addresses.file_position import parse_position
from leadline_tools.resolve.occurrences.tokens import tokens_of
from leadline_tools.resolve.project.resolution import LocalName, SymbolRef
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.receivers.receiver_functions import may_be_called_on_receiver, takes_receiver
from leadline_tools.resolve.scopes.visible_bindings import namespace_of
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.parts import everywhere

_INNER = FUNCTIONS | {ScopeKind.Block, ScopeKind.Implementation}
"""Scopes whose names nobody outside can use."""


@dataclass(frozen=True, slots=True)
class Local:
    """A name of a scope: the file, the name, the number of the scope in the facts of the file, where it is bound first.

    Args:
        path: The file.
        name: The name.
        scope: The scope that binds it.
        line: The 1-based line of its first binding.
        column: The 1-based column of that.
        owner: The dotted name of the definition that the scope is in; empty at the top of a file.
        of_type: Whether it is a type parameter, where the scope has a value of that name too; None elsewhere.

    """

    path: str
    name: str
    scope: int
    line: int
    column: int
    owner: str
    of_type: bool | None = None

    @property
    def sigil(self) -> str:
        """Return the sign that a variable begins with and that is no part of its name as a call spells it (PHP)."""
        language = language_of(self.path)
        return "$" if language is not None and language.names.sigil and self.name.startswith("$") else ""

    @property
    def word(self) -> str:
        """Return the name without that sign."""
        return self.written.removeprefix(self.sigil)

    @property
    def is_label(self) -> bool:
        """Return whether it is a label, whose name space is its own."""
        return self.name.endswith(LABEL_MARK)

    @property
    def written(self) -> str:
        """Return the name as it stands in the source."""
        return self.name.removesuffix(LABEL_MARK)

    def named(self, name: str) -> str:
        """Return how facts have this local name if it is called ``name``."""
        return f"{self.sigil}{name}{LABEL_MARK if self.is_label else ''}"


def local_at(index: Index, address: str, *, in_part: bool = False) -> Local | None:
    """Return the local name that stands at ``path:line:column``; None where it is no such address, or none stands.

    With ``in_part`` that may be a type parameter which each part of a type declares, as the part there has it.
    """
    place = parse_position(index, address)
    if place is None or not place.column:
        return None
    with asking(index.of(place.path)) as question:
        facts = question.project.facts(place.path)
        every = facts.uses_on(place.line) if facts is not None else ()
        standing = [(name, use) for name, use in every if use.column <= place.column < use.end_column]
        standing = standing or [(name, use) for name, use in every if use.end_column == place.column]
        here = [local_meant(question, place.path, name, use) for name, use in standing]
        found = next((one for one in here if one is not None), None)  # a key may be a name at once
        home = question.project.facts(found.path) if found is not None else None
        if found is not None and home is not None and _is_shared_with_files(question, home, found):
            return None
    if found is None or (in_part and home is not None and _is_declared_by_each_part(home, found)):
        return found
    return None if _may_be_used_elsewhere(index, home, found) else found


def _is_declared_by_each_part(facts: Facts, local: Local) -> bool:
    """Return whether each part of a type declares a local name, its type parameter, under the same name.

    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/classes#1527-partial-type-declarations
    """
    semantics = semantics_of(local.path)
    by_each = semantics is not None and semantics.types.by_arity
    return by_each and is_parameter_of_type(facts, local) and all(map(is_type_parameter, bindings_of(facts, local)))


def other_parts(index: Index, local: Local) -> Sequence[SymbolRef]:
    """Return the other parts of the type that declares a local name, its type parameter; none for another name."""
    with asking(index.of(local.path), ahead=False) as question:
        facts = question.project.facts(local.path)
        if facts is None or not _is_declared_by_each_part(facts, local):
            return ()
    return everywhere(index, SymbolRef(local.path, local.owner, Reason.Definition))[1:]


def _is_shared_with_files(question: Question, facts: Facts, local: Local) -> bool:
    """Return whether other files that extend a type see a local name, its parameter."""
    semantics = semantics_of(local.path)
    if semantics is None or not semantics.types.shares_parameters or not is_parameter_of_type(facts, local):
        return False
    of = SymbolRef(local.path, local.owner, Reason.Definition)
    others = question.resolver.evaluator.declarations.files(of)[1:]
    return any(
        scope.name == local.owner and scope.kind is ScopeKind.Class
        for part in map(question.project.facts, others)
        for scope in (part.scopes if part is not None else ())
    )


def _may_be_used_elsewhere(index: Index, facts: Facts | None, local: Local) -> bool:
    """Return whether another file may use a local name: a parameter of a type with a part there.

    A declaration for another target is no such part: it has parameters of its own.
    """
    semantics = semantics_of(local.path)
    for_targets = semantics is not None and bool(semantics.visibility.targets.words)
    if facts is None or for_targets or not is_parameter_of_type(facts, local):
        return False
    return len(everywhere(index, SymbolRef(local.path, local.owner, Reason.Definition))) > 1


def local_meant(question: Question, path: str, name: str, use: Use) -> Local | None:
    """Return the local name that a use means; None where it means something else."""
    facts = question.project.facts(path)
    if use.receiver != BARE:  # Go binds the name of a type switch in each of its cases
        here = (one for one in facts.named(name) if (one.line, one.column) == (use.line, use.column)) if facts else ()
        found = (local_in(facts, path, name, one.scope) for one in here) if facts is not None else ()
        if (bound := next((one for one in found if one is not None), None)) is not None:
            return bound
    for meaning in question.resolver.resolve(path, name, use):
        home = question.project.facts(meaning.path) if isinstance(meaning, LocalName) else None
        if home is not None and isinstance(meaning, LocalName):  # elsewhere it is a parameter that an argument names
            return local_in(home, meaning.path, meaning.name, meaning.scope, meaning.of_type)
    return None


def local_in(facts: Facts, path: str, name: str, scope: int, of_type: bool | None = None) -> Local | None:
    """Return the name that a scope binds; None where others see what it binds, or it binds no such name."""
    bound = _without_symbols(of_namespace(facts.within(name, scope), of_type))
    if not bound or not (
        _is_inner(facts, path, scope, bound)
        or (scope > 0 and (_takes(facts, scope, bound) or all(map(is_type_parameter, bound))))
    ):
        return None
    return Local(path, name, scope, bound[0].line, bound[0].column, facts.scopes[scope].name, of_type)


def _is_inner(facts: Facts, path: str, scope: int, bound: Sequence[Binding]) -> bool:
    """Return whether nobody outside of a scope can use a name that it binds."""
    if scope > 0:
        return facts.scopes[scope].kind in _INNER
    semantics = semantics_of(path)
    variables = all(not one.path and one.imported < 0 for one in bound)
    return scope == 0 and variables and semantics is not None and semantics.scopes.file_local(bound[0].name)


def _without_symbols(bound: Sequence[Binding]) -> Sequence[Binding]:
    """Leave out the methods that a scope has beside a variable of the same name."""
    return [one for one in bound if not one.path] or bound


def is_symbol_too(question: Question, local: Local) -> bool:
    """Return whether a definition in its scope takes a local name as well, so that uses of it mean the definition."""
    facts = question.project.facts(local.path)
    return facts is not None and any(one.path for one in facts.within(local.name, local.scope))


def _takes(facts: Facts, scope: int, bound: Sequence[Binding]) -> bool:
    """Return whether a type takes names as parameters of its primary constructor: they are none of its members."""
    if facts.scopes[scope].kind is not ScopeKind.Class or not facts.scopes[scope].name:
        return False
    return all(one.sort == Sort.Value and not one.path and one.imported < 0 for one in bound)


def is_parameter_of_type(facts: Facts, local: Local) -> bool:
    """Return whether a local name is a parameter of a type, or of its primary constructor."""
    return facts.scopes[local.scope].kind is ScopeKind.Class


def bindings_of(facts: Facts, local: Local) -> Sequence[Binding]:
    """Return everything that binds a local name in its scope, or in others by one and the same declaration."""
    named = facts.named(local.name)
    declared = {(one.line, one.column) for one in named if one.scope == local.scope}
    scopes = {one.scope for one in named if (one.line, one.column) in declared}
    return _without_symbols(of_namespace([one for one in named if one.scope in scopes], local.of_type))


def uses_of(question: Question, local: Local) -> Iterator[Use]:
    """Yield the uses of a local name, those that bind it among them."""
    facts = question.project.facts(local.path)
    if facts is None:
        return
    bound, semantics = bindings_of(facts, local), semantics_of(local.path)
    places = {(one.line, one.column) for one in bound}
    meanings = {LocalName(local.path, local.name, one.scope, of_type=local.of_type) for one in bound}
    for name in dict.fromkeys((local.name, local.written)):  # a macro is given a label without its mark
        for use in facts.uses.get(name, ()):
            if use.receiver != BARE and (use.line, use.column) in places:
                meant = True
            elif use.receiver != BARE and not may_be_called_on_receiver(semantics, use):
                meant = False
            else:
                meant = any(one in meanings for one in question.resolver.resolve(local.path, name, use))
            if meant:
                yield use
    yield from _documented(question, facts, local)


_LONGEST_HEAD = 60
"""Lines between the name of a parameter and the beginning of the comment of its function."""


def _documented(question: Question, facts: Facts, local: Local) -> Iterator[Use]:
    """Yield where the comment above the function of a parameter names that."""
    language = language_of(local.path)
    find = language.names.finds_parameter if language is not None else None
    if find is None or local.scope <= 0 or facts.scopes[local.scope].kind not in FUNCTIONS:
        return
    outer = list(facts.outwards(local.scope))[1:]
    if any(facts.scopes[one].kind in FUNCTIONS and facts.within(local.name, one) for one in outer):
        return  # the comment may be that of the function around
    lines, inside = question.project.lines(local.path), False
    for number in range(local.line - 1, max(0, local.line - _LONGEST_HEAD), -1):
        line = lines[number - 1].rstrip() if number <= len(lines) else ""
        begins_above = not inside and line.endswith("*/")
        inside = inside or begins_above
        if not inside and line.endswith((";", "}", "{")):
            return
        place = find(line, local.name) if inside else -1
        if place >= 0:
            end = place + 1 + len(local.name)
            yield Use(number, place + 1, end, local.scope, Role.Other, BARE, -1)
        if inside and "/*" in line:
            return


def unresolved_uses(question: Question, local: Local) -> Iterator[ResolvedUse]:
    """Yield the uses in its file of the name of a parameter of a type, or of a function, that mean nothing known.

    A type may use the parameter as a member of the object, and its constructors may name it as they call each other.
    So may a call on an object of which nothing is known call a function that a local name holds.
    """
    facts, semantics = question.resolver.facts(local.path)
    if facts is None:
        return
    of_type, uses = is_parameter_of_type(facts, local), facts.uses.get(local.name, ())
    if not of_type:
        uses = [use for use in uses if may_be_called_on_receiver(semantics, use)]
        uses = [use for use in uses if local.scope in facts.outwards(use.scope)]
        held = uses and takes_receiver(question.resolver.evaluator, local.path, local.name, local.scope)
        uses = uses if held else []
    for use in uses:
        if not question.resolver.resolve(local.path, local.name, use):
            yield ResolvedUse(local.path, local.name, use, Tier.Name, Reason.Name, "")


def uses_in_texts(index: Index, question: Question, local: Local) -> Iterator[ResolvedUse]:
    """Yield the uses in its file that may mean a local name in a text: a macro may format it, or it has no sigil."""
    facts, source = question.project.facts(local.path), index.try_read(local.path)
    uses = [
        (name, use)
        for name in dict.fromkeys((local.name, local.word))
        for use in (facts.uses.get(name, ()) if facts is not None else ())
        if use.receiver == UNKNOWN and use.role is Role.Read
    ]
    if not uses or source is None:
        return
    texts = {(one.line, one.column) for one in tokens_of(source, local.written) if one.is_text}
    lines = source.lines()
    meant = LocalName(local.path, local.name, local.scope, of_type=local.of_type)
    for name, use in uses:
        alone = use._replace(receiver=BARE)
        apart = bool(local.sigil) and lines[use.line - 1][: use.column - 1].endswith(f"{local.sigil}{{")
        if (apart or (use.line, use.column) in texts) and meant in question.resolver.resolve(
            local.path, local.name, alone
        ):
            yield ResolvedUse(local.path, name, use, Tier.Name, Reason.Name, "")


def is_implied(index: Index, local: Local) -> bool:
    """Return whether the language binds a local name, without anybody who wrote it."""
    semantics = semantics_of(local.path)
    if semantics is None or local.name not in semantics.scopes.implied:
        return False
    return not any(target.callable for target in load_symbols(index, [(local.path, local.owner)]))


def function_of(index: Index, local: Local) -> DefinedSymbol | None:
    """Return the function whose parameter a local name is; None where it is a variable."""
    found = load_symbols(index, [(local.path, local.owner)]) if local.owner else []
    for target in found:
        if any(_has_parameter(index, target, one, local) for one in target.definitions):
            return target
    return None


def parameter(index: Index, question: Question, function: DefinedSymbol, name: str) -> Local | None:
    """Return the first parameter of a function, or of its overloads, that has a name; None where it has none."""
    return next(parameters(index, question, function, name), None)


def parameters(index: Index, question: Question, function: DefinedSymbol, name: str) -> Iterator[Local]:
    """Yield the parameters of a function and of its overloads that have a name."""
    facts, semantics = question.project.facts(function.path), semantics_of(function.path)
    for binding in facts.named(name) if facts is not None and semantics is not None else ():
        of_type = namespace_of(facts, semantics, binding) if facts is not None and semantics is not None else None
        local = local_in(facts, function.path, name, binding.scope, of_type) if facts is not None else None
        if local is not None and local.owner == function.name and not of_type:
            named = Local(local.path, name, local.scope, binding.line, binding.column, local.owner)
            if any(_has_parameter(index, function, one, named) for one in function.definitions):
                yield local


def may_be_named(index: Index, parameter: Local) -> bool:
    """Return whether a call can name a parameter."""
    semantics, source = semantics_of(parameter.path), index.try_read(parameter.path)
    if semantics is None or source is None or not semantics.calls.arguments or parameter.of_type:
        return False
    line, start = source.lines()[parameter.line - 1], parameter.column - 1
    return semantics.calls.by_name(line[:start], line[start + len(parameter.name) :])


def _has_parameter(index: Index, function: DefinedSymbol, definition: Definition, local: Local) -> bool:
    """Return whether a name is bound in the head of a function, or of a type with a primary constructor."""
    if definition.kind not in CALLABLE | CLASS_LIKE:
        return False
    source = index.try_read(function.path)
    if source is None:
        return False
    start, end = definition.signature
    first, last = (source.content.count(b"\n", 0, byte) + 1 for byte in (start, end))
    line = source.lines()[local.line - 1]
    begin = sum(len(row) + 1 for row in source.content.split(b"\n")[: local.line - 1])
    byte = begin + len(line[: local.column - 1].encode())
    semantics = semantics_of(function.path)
    if semantics is not None and semantics.scopes.names_itself(source.content[start:byte]):
        return False
    return first <= local.line <= last and start <= byte < end


def constructs(function: DefinedSymbol) -> bool:
    """Return whether a function is called by the name of its type."""
    language = language_of(function.path)
    constructors = language.names.constructors if language is not None else frozenset[str]()
    return function.first.kind is SymbolKind.Constructor or function.first.name in constructors
