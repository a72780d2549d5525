"""The *binding* of a name that is no symbol: a local name, an attribute, a module, a named parameter.

Symbols are the definitions that the outline of a file has. A name that means something else is bound all the same: the
facts of a file tell where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Facts, Sort, Use, is_nameless, is_type_parameter
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.addresses.file_position import FilePosition, parse_position
from leadline_tools.resolve.addresses.used_names import uses_at
from leadline_tools.resolve.bindings.argument_names import functions_called, named_by
from leadline_tools.resolve.bindings.local import (
    Local,
    bindings_of,
    function_of,
    is_symbol_too,
    local_at,
    local_in,
    local_meant,
    parameter,
)
from leadline_tools.resolve.bindings.macro_names import MacroName, is_name_of_macro, macro_name
from leadline_tools.resolve.bindings.shorthands import is_shorthand, members_of_key
from leadline_tools.resolve.external.literal_keys import LiteralKeys
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, Module, Resolution, SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, fields_apart, load_symbols
from leadline_tools.resolve.symbols.unlisted import unlisted_members


class BindingKind(StrEnum):
    """What a name is that is bound and no symbol of an outline."""

    Variable = "Local name"
    Parameter = "Parameter"
    TypeParameter = "Type parameter"
    FileVariable = "Variable"
    Attribute = "Attribute"
    Field = "Field"
    Key = "Key"
    Module = "Module"
    Function = "Function"
    Alias = "Alias"
    Declaration = "Declaration"
    Label = "Label"
    Macro = "Name that a macro declares"


_LOCAL = frozenset({BindingKind.Variable, BindingKind.Parameter, BindingKind.TypeParameter, BindingKind.Label})


@dataclass(frozen=True, slots=True)
class NameBinding:
    """Where a name is bound.

    Args:
        kind: What is bound.
        name: Its dotted name inside the file, as far as it has one; of a module its path.
        path: The file.
        line: The 1-based line of the name; 1 for a module.
        column: The 1-based column of the name.
        again: The other lines of the file that bind it.
        collector: Of a function, the parameter that takes an argument under any name; empty for any other.
        head: Of a function, the lines from its name to that parameter, besides the first.
        word: The word of which a macro makes the name, where it is on another line than the call of the macro.

    """

    kind: BindingKind
    name: str
    path: str
    line: int
    column: int
    again: tuple[int, ...] = ()
    collector: str = ""
    head: int = 0
    word: FilePosition | None = None

    @property
    def last_line(self) -> int:
        """Return the last line that is worth showing."""
        return self.line + self.head

    @property
    def is_local(self) -> bool:
        """Return whether the name belongs to one scope, so that its uses can be listed."""
        return self.kind in _LOCAL


def bindings_at(index: Index, address: str) -> Sequence[NameBinding]:
    """Return what binds the name at ``path:line:column`` that means no symbol there; nothing where it means one."""
    place = parse_position(index, address)
    if place is None or not place.column:
        return ()
    with asking(index.of(place.path), ahead=False) as question:
        here = sorted(uses_at(index, question, place), key=lambda one: one[1].receiver != BARE)
        if len(here) > 1 and (short := _of_shorthand(index, question, place, here[0])) is not None:
            return [short, *map(_of_member, members_of_key(index, question, place, here[1:]))]
        for _, use, meanings in here:
            symbols = [one for one in meanings if isinstance(one, SymbolRef)]
            listed = load_symbols(index, [(one.path, one.name) for one in symbols])
            if listed:
                alone = len(meanings) == len(listed) == len(listed[0].definitions) == 1
                return list(_of_union(question, place.path, symbols[0], use)) if alone else ()
        if any(_is_key_of_pattern(index, question, place.path, *one) for one in here):
            return ()  # the member, as where the type of the object has a name
        return _without_symbol(index, question, place.path, here)


def _without_symbol(
    index: Index, question: Question, path: str, here: Sequence[tuple[str, Use, Sequence[Resolution]]]
) -> Sequence[NameBinding]:
    """Return what binds the names used at a place that mean no symbol: a key and a name at once is the name first."""
    for name, use, meanings in here:
        local = local_meant(question, path, name, use)
        if local is not None:
            return [_of_local(index, question, local)]
        found = list(_of_meanings(question, meanings, use)) or list(_declared_here(question, path, name, use))
        found = found or ([] if meanings else list(_of_argument(index, question, path, name, use)))
        found = found or ([] if meanings else list(_of_extern(question, path, name, use)))
        found = found or ([] if meanings else list(_of_macro(question, path, name, use)))
        if found:
            return found
    keys = LiteralKeys(question.resolver)
    return [
        NameBinding(BindingKind.Key, name, path, use.line, use.column)
        for name, use, meanings in (here if len(here) == 1 else ())
        if keys.declares(path, name, use, meanings)
    ]


def _of_shorthand(
    index: Index, question: Question, place: FilePosition, used: tuple[str, Use, Sequence[Resolution]]
) -> NameBinding | None:
    """Return the local name that is the value of a key as well: ``{ a }``."""
    name, use, _ = used
    facts = question.project.facts(place.path)
    if facts is None or use.receiver != BARE or use.role is Role.Definition:
        return None
    local = local_meant(question, place.path, name, use) if is_shorthand(facts, use.line, use.column) else None
    declared_here = local is not None and (local.line, local.column) == (use.line, use.column)  # in a pattern
    return _of_local(index, question, local) if local is not None and not declared_here else None


def _of_member(member: DefinedSymbol) -> NameBinding:
    first = member.first
    return NameBinding(BindingKind.Field, member.name, member.path, first.line, first.column)


def _is_key_of_pattern(
    index: Index, question: Question, path: str, name: str, use: Use, meanings: Sequence[Resolution]
) -> bool:
    """Return whether a key of a pattern, which gives a name its value, is a member of a type without a name."""
    facts = question.project.facts(path)
    bound = facts.named(name) if facts is not None else ()
    if use.receiver == BARE or not any((one.line, one.column) == (use.line, use.column) for one in bound):
        return False
    found = (member for _, member in unlisted_members(index, question, path, name, use, meanings))
    return any((one.line, one.column) != (use.line, use.column) for one in found)


def _of_union(question: Question, path: str, meant: SymbolRef, use: Use) -> Iterator[NameBinding]:
    """Yield the members that the types of a union declare each, and that an outline lists as one.

    Where one of them stands it is meant alone.
    """
    facts = question.project.facts(meant.path)
    found = [one for one in facts.all_at(meant.name) if one.scope > 0] if facts is not None else []
    first = {one.scope: one for one in reversed(found) if facts and facts.scopes[one.scope].kind is ScopeKind.Class}
    each = sorted(first.values(), key=lambda one: (one.line, one.column)) if len(first) > 1 else []
    here = [one for one in each if path == meant.path and (one.line, one.column) == (use.line, use.column)]
    for one in here or each:
        again = _again(each, one.line) if here else ()
        yield NameBinding(BindingKind.Field, meant.name, meant.path, one.line, one.column, again)


def _of_local(index: Index, question: Question, local: Local) -> NameBinding:
    facts = question.project.facts(local.path)
    bound = bindings_of(facts, local) if facts is not None else ()
    named = f"{local.owner}.{local.written}".strip(".")
    kind = BindingKind.Parameter if function_of(index, local) is not None else BindingKind.Variable
    if any(map(is_type_parameter, bound[:1])):
        kind = BindingKind.TypeParameter
    if local.is_label:
        kind = BindingKind.Label
    return NameBinding(kind, named, local.path, local.line, local.column, _again(bound, local.line))


def _again(bound: Iterable[Binding], line: int) -> tuple[int, ...]:
    return tuple(sorted({one.line for one in bound} - {line}))


def _of_meanings(question: Question, meanings: Sequence[Resolution], use: Use) -> Iterator[NameBinding]:
    """Yield what binds a name that means modules, or members that only the facts of a file have.

    Of several bindings the one is meant at which the use itself stands.
    """
    for meaning in meanings:
        if isinstance(meaning, Module):
            yield from (NameBinding(BindingKind.Module, path, path, 1, 1) for path in meaning.files)
            continue
        if isinstance(meaning, ExternalType):
            continue
        bound = _of_one_space(meaning, _bindings_of(question.project.facts(meaning.path), meaning), use)
        if bound:
            owner, _, name = meaning.name.rpartition(".")
            dotted = name if is_nameless(owner) else meaning.name
            here = next((one for one in bound if (one.line, one.column) == (use.line, use.column)), None)
            at_top = isinstance(meaning, LocalName) and meaning.scope == 0
            semantics = semantics_of(meaning.path)
            # The parameters of a function that a macro hides are at the top: the last one before the use is meant.
            macros = at_top and semantics is not None and semantics.visibility.links_definitions
            before = [one for one in bound if one.line <= use.line] if macros else []
            defines = use.role is Role.Definition and (macros or not at_top)
            meant = here if here is not None and defines else before[-1] if before else bound[0]
            again = _again(bound, meant.line)
            kind = BindingKind.FileVariable if at_top and not macros else BindingKind.Attribute
            kind = BindingKind.Alias if meant.imported >= 0 else kind
            yield NameBinding(kind, dotted, meaning.path, meant.line, meant.column, again)


def _of_one_space(meaning: SymbolRef | LocalName, bound: Sequence[Binding], use: Use) -> Sequence[Binding]:
    """Return the methods or the fields among what a type without a name binds, where those are apart."""
    methods = [one for one in bound if one.sort == Sort.Callable]
    if len(methods) in (0, len(bound)) or not fields_apart(meaning.path):
        return bound
    here = next((one for one in bound if (one.line, one.column) == (use.line, use.column)), None)
    called = here.sort == Sort.Callable if here is not None else use.role is Role.Call
    return methods if called else [one for one in bound if one not in methods]


def _bindings_of(facts: Facts | None, meaning: SymbolRef | LocalName) -> Sequence[Binding]:
    if facts is None:
        return ()
    if isinstance(meaning, SymbolRef):
        return facts.all_at(meaning.name)
    return [one for one in facts.within(meaning.name, meaning.scope) if not one.path]


def _declared_here(question: Question, path: str, name: str, use: Use) -> Iterator[NameBinding]:
    """Yield what a name declares where it stands, and no symbol: a member of a type without a name.

    A key of an object literal declares nothing where a type may be wanted: what it means is that type's to say. Nor
    does a name that an import binds: what it means is declared where it comes from.
    """
    facts, keys = question.project.facts(path), LiteralKeys(question.resolver)
    if use.role is Role.Import or keys.is_wanted(path, use) or keys.may_be_wanted(path, name, use):
        return
    for binding in facts.named(name) if facts is not None else ():
        if (binding.line, binding.column) == (use.line, use.column) and binding.imported < 0:
            local = local_in(facts, path, name, binding.scope) if facts is not None else None
            kind = BindingKind.Attribute if local is None else BindingKind.Parameter
            yield NameBinding(kind, name, path, binding.line, binding.column)
            return


def _of_extern(question: Question, path: str, name: str, use: Use) -> Iterator[NameBinding]:
    """Yield where a function declares a name that is defined outside of it, and nowhere in the code base."""
    facts, semantics = question.project.facts(path), semantics_of(path)
    if facts is None or semantics is None or not semantics.visibility.links_definitions:
        return
    for binding in (one for scope in facts.outwards(use.scope) if scope > 0 for one in facts.within(name, scope)):
        imported = facts.imports[binding.imported] if binding.imported >= 0 else None
        if imported is not None and imported.name == name and not (imported.module or imported.space):
            yield NameBinding(BindingKind.Declaration, name, path, binding.line, binding.column)
            return


def _of_macro(question: Question, path: str, name: str, use: Use) -> Iterator[NameBinding]:
    """Yield the call of a macro that makes a name which nothing else declares, and of which word."""
    found = macro_name(question, path, name, use) if is_name_of_macro(use) else None
    if found is not None:
        yield binding_of_macro(found)


def binding_of_macro(name: MacroName) -> NameBinding:
    """Return the call of a macro as what binds the name that it makes of a word."""
    if (name.call.path, name.call.line) == (name.given.path, name.given.line):
        return NameBinding(BindingKind.Macro, name.name, *name.given)
    return NameBinding(BindingKind.Macro, name.name, *name.call, word=name.given)


def local_named(index: Index, address: str) -> Local | None:
    """Return the local name that is meant at ``path:line:column``: one that stands there, or a named parameter."""
    local = local_at(index, address, in_part=True)
    place = parse_position(index, address)
    if local is not None or place is None or not place.column:
        return local
    with asking(index.of(place.path), ahead=False) as question:
        for name, use, meanings in uses_at(index, question, place):
            named = named_by(index, question, place.path, name, use) if not meanings else iter(())
            found = [one for one in named if isinstance(one, Local) and not is_symbol_too(question, one)]
            return found[0] if len(found) == 1 else None
    return None


def _of_argument(index: Index, question: Question, path: str, name: str, use: Use) -> Iterator[NameBinding]:
    """Yield the parameters that an argument names, one for each function that its call may mean.

    Where none has the name, the functions that take it all the same.
    """
    named = list(named_by(index, question, path, name, use))
    for one in named:
        if isinstance(one, Local):
            yield _of_local(index, question, one)
        else:
            yield _of_member(one)
    if not named:
        yield from _collecting(index, question, path, name, use)


def _collecting(index: Index, question: Question, path: str, name: str, use: Use) -> Iterator[NameBinding]:
    """Yield the functions that take an argument under whatever name: by ``**options`` of Python."""
    for function in functions_called(index, question, path, name, use):
        yield from _collectors(index, question, function)


def _collectors(index: Index, question: Question, function: DefinedSymbol) -> Iterator[NameBinding]:
    """Yield a function, as far as it has a parameter that takes arguments under any name."""
    semantics, first = semantics_of(function.path), function.definitions[-1]
    head = function.source.content[slice(*first.signature)].decode("utf-8", "replace")
    collector = semantics.calls.collects_arguments(head) if semantics is not None else ""
    local = parameter(index, question, function, collector) if collector else None
    if local is not None:
        lines = max(0, local.line - first.line)
        yield NameBinding(
            BindingKind.Function, function.name, function.path, first.line, first.column, (), collector, lines
        )
