"""Symbols, as callers mean them: a *target* is a symbol with the file that defines it and its definitions there.

Two symbols of a file may have one dotted name, where a method may be called like a field, or a type like a value: they
are *namesakes*, and two targets. Each of them is in another *declaration space*: TypeScript has one of types and one of
values, and Java one of methods and one of fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import overload

from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import named
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of, semantics_in, semantics_of
from leadline_tools.languages.facts import readable
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, NAMESPACE_LIKE, VARIABLE, Definition
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.types.member_spaces import MemberSpace, space_of_variable

_VARIABLE = VARIABLE | {SymbolKind.EnumMember}
"""Kinds of members that cannot be called."""

_TYPES = frozenset({SymbolKind.Class, SymbolKind.Interface})
"""Kinds of types that may be called like a value: a class has no such namesake, an alias has that kind."""


@dataclass(frozen=True, slots=True)
class DefinedSymbol:
    """A symbol: the file that defines it, its definitions there (several where they are conditional) and its source.

    ``is_overload`` is True for one function of several of its name, the others of which another file declares.
    """

    source: Source
    definitions: tuple[Definition, ...]
    is_overload: bool = False

    @property
    def path(self) -> str:
        """Return the file that defines it."""
        return self.source.path

    @property
    def first(self) -> Definition:
        """Return the first of its definitions."""
        return self.definitions[0]

    @property
    def name(self) -> str:
        """Return its dotted name inside the file."""
        return self.first.path

    @property
    def callable(self) -> bool:
        """Return whether it can be called."""
        return self.first.kind in CALLABLE

    @property
    def semantics(self) -> Semantics | None:
        """Return the rules by which names are resolved in its file; None where there are none."""
        return semantics_in(self.path, self.source.content)

    @property
    def qualified_name(self) -> str:
        """Return its dotted name with the module."""
        return qualified(self.path, self.name)


@dataclass(frozen=True, slots=True)
class SymbolMatches(Sequence[DefinedSymbol]):
    """The symbols that an address may mean, likeliest first.

    Args:
        listed: As many of them as are worth listing.
        definitions: How many definitions they have in all, those that are not listed too.
        more: True where there may be more than that.
        possible: True where they merely have the name that is used at a place: what that means is not known.

    """

    listed: tuple[DefinedSymbol, ...]
    definitions: int
    more: bool = False
    possible: bool = False

    @classmethod
    def of(cls, found: Sequence[DefinedSymbol]) -> SymbolMatches:
        """Return all that is meant."""
        return cls(tuple(found), sum(len(target.definitions) for target in found))

    def only(self, listed: Sequence[DefinedSymbol]) -> SymbolMatches:
        """Return some of those that are listed, and the others that are not listed: nobody has looked at these."""
        unlisted = self.definitions - SymbolMatches.of(self.listed).definitions
        kept = SymbolMatches.of(listed)
        more = self.more or (unlisted > 0 and len(listed) < len(self.listed))
        return replace(kept, definitions=kept.definitions + unlisted, more=more, possible=self.possible)

    @overload
    def __getitem__(self, index: int) -> DefinedSymbol: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[DefinedSymbol]: ...
    def __getitem__(self, index: int | slice) -> DefinedSymbol | Sequence[DefinedSymbol]:
        return self.listed[index]

    def __len__(self) -> int:
        return len(self.listed)


def qualified(path: str, name: str) -> str:
    """Return the qualified name of what is called ``name`` inside the file ``path``."""
    language = language_of(path)
    module = language.files.module(path) if language is not None else ""
    return f"{module}.{readable(name)}" if module else readable(name)


def load_symbols(index: Index, names: Sequence[tuple[str, str]]) -> list[DefinedSymbol]:
    """Return the symbols with some paths and dotted names; those that are gone are left out."""
    found: list[DefinedSymbol] = []
    for path, name in names:
        source = index.try_read(path)
        if source is not None:
            found += split_namesakes(source, definitions_of(index, source, name))
    return found


def definitions_of(index: Index, source: Source, name: str) -> list[Definition]:
    """Return the definitions of a dotted name in a file."""
    # Names may hold dots: any ending of the dotted name may be that of the definition.
    return [definition for definition in index.symbols.query(source, named(name.endswith)) if definition.path == name]


def split_namesakes(source: Source, definitions: Sequence[Definition]) -> list[DefinedSymbol]:
    """Return the symbols of one dotted name: two where a method may be called like a field, or a type like a value."""
    packages = [one for one in definitions if one.kind is SymbolKind.Package]
    if packages and len(packages) < len(definitions):  # what is called like its package is another thing
        rest = [one for one in definitions if one not in packages]
        return [*split_namesakes(source, rest), DefinedSymbol(source, tuple(packages))]
    groups: dict[int, list[Definition]] = {}
    for definition in definitions:
        groups.setdefault(_declaration_space(source, definition), []).append(definition)
    if len(groups) == 1 and len(definitions) > 1 and sides_apart(source.path):
        return _split_sides(source, definitions)
    if len(groups) > 1 and any(_is_macro(source, one) for one in definitions):
        return [DefinedSymbol(source, tuple(definitions))]  # a macro takes the place of the name in every space
    mixed = len(groups) > 1 and values_apart(source.path)
    if mixed and all(one.kind in NAMESPACE_LIKE for one in groups[False]):
        return [DefinedSymbol(source, tuple(definitions))]  # a class with a namespace
    return [DefinedSymbol(source, tuple(group)) for group in groups.values()]


def _is_macro(source: Source, definition: Definition) -> bool:
    """Return whether a definition is one of a macro, which a preprocessor reads."""
    semantics = semantics_in(source.path, source.content)
    reads = semantics is not None and semantics.macros.conditions is not None
    return reads and source.lines()[definition.line - 1].lstrip().startswith("#")


def keep_labelled(target: DefinedSymbol, here: Sequence[Definition]) -> DefinedSymbol:
    """Return those functions of one name that stand at a place, where labels tell them apart."""
    semantics = target.semantics
    meant = tuple(one for one in target.definitions if one in here)
    labels = semantics.calls.labels if semantics is not None else None
    labelled = labels is not None and target.callable and labels.constructors in ("", target.first.name)
    return replace(target, definitions=meant) if labelled and meant else target


def keep_constructors(target: DefinedSymbol, here: Sequence[Definition]) -> DefinedSymbol:
    """Return those constructors of a type that stand at a place, where the language tells them apart."""
    semantics = target.semantics
    if semantics is None or not semantics.calls.constructor_keywords or target.first.kind is not SymbolKind.Constructor:
        return target
    return replace(target, definitions=tuple(one for one in target.definitions if one in here))


def _declaration_space(source: Source, definition: Definition) -> int:
    """Return the declaration space of a definition: 1 for types, or for methods; 0 for values and fields.

    Where constants have a space of their own it is 2, and 3 for types beside methods.
    """
    semantics = semantics_in(source.path, source.content)
    if semantics is None:
        return 0
    if semantics.scopes.values_apart:
        return int(definition.kind in _TYPES)
    if semantics.scopes.names_type is not None and definition.kind in CLASS_LIKE:
        return MemberSpace.Type.value
    if semantics.members.names_constant is not None and definition.container and definition.kind in _VARIABLE:
        return space_of_variable(semantics, source.lines()[definition.line - 1], definition.column).value
    return int(fields_apart(source.path) and definition.kind in CALLABLE)


def _split_sides(source: Source, definitions: Sequence[Definition]) -> list[DefinedSymbol]:
    """Return the methods of a type and those of its objects as two symbols, where the text tells them apart."""
    sides: dict[bool | None, list[Definition]] = {}
    for definition in definitions:
        sides.setdefault(_side(source, definition), []).append(definition)
    if None in sides:
        return [DefinedSymbol(source, tuple(definitions))]
    return [DefinedSymbol(source, tuple(side)) for side in sides.values()]


def _side(source: Source, definition: Definition) -> bool | None:
    """Return whether a method is one of a type itself; None where that is not known, or is all the same."""
    semantics = semantics_in(source.path, source.content)
    is_of_type = semantics.members.is_of_type if semantics is not None else None
    if is_of_type is None or not definition.container or definition.kind not in CALLABLE:
        return None
    return is_of_type(source.content, source.lines()[definition.line - 1][: definition.column - 1])


def is_method_of_type(target: DefinedSymbol) -> bool | None:
    """Return whether a symbol is a method of a type itself; None where that is not known, or is all the same."""
    return _side(target.source, target.first)


def sides_apart(path: str) -> bool:
    """Return whether in the language of a file a method of a type and one of its objects are symbols of one name."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.members.is_of_type is not None


def declaration_space(target: DefinedSymbol) -> int:
    """Return the declaration space of a symbol; 0 where its language has one."""
    return _declaration_space(target.source, target.first)


def fields_apart(path: str) -> bool:
    """Return whether in the language of a file a field and a method may have one name."""
    semantics = semantics_of(path)
    return semantics is not None and (semantics.calls.fields_apart or semantics.calls.functions_apart)


def functions_apart(path: str) -> bool:
    """Return whether in the language of a file a call of a variable's name means the function of that name."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.calls.functions_apart


def values_apart(path: str) -> bool:
    """Return whether in the language of a file a value and a type may have one name."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.scopes.values_apart


def with_namesake(index: Index, target: DefinedSymbol) -> DefinedSymbol:
    """Return a symbol together with the type or value of its name: one import names both."""
    if not values_apart(target.path):
        return target
    found = load_symbols(index, [(target.path, target.name)])
    return DefinedSymbol(target.source, tuple(one for each in found for one in each.definitions)) if found else target


def is_interface(index: Index, of: SymbolRef) -> bool:
    """Return whether a type is an interface."""
    source = index.try_read(of.path)
    known = index.symbols.definitions(source) if source is not None else ()
    return any(one.path == of.name and one.kind is SymbolKind.Interface for one in known)


def is_in_head_of_type(index: Index, of: DefinedSymbol) -> bool:
    """Return whether a symbol is declared in the head of its type, as a component of a record is."""
    container = of.first.container
    owners = load_symbols(index, [(of.path, container)]) if container else []
    heads = (one.signature for owner in owners for one in owner.definitions)
    return any(start < of.first.signature[0] < end for start, end in heads)
