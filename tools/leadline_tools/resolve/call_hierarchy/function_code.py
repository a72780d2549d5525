"""The functions of the files of one question: where they are, the calls in them, and what is shown of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.packing.describe import signature
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import Use, readable
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, Definition
from leadline_tools.model import Role, Symbol, SymbolKind
from leadline_tools.resolve.overloads.method_overloads import MethodOverloads
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import qualified

CALLS = frozenset({Role.Call, Role.Decorator})


class Function(NamedTuple):
    """What calls or is called: a file and a dotted name in it, empty for code outside of every function."""

    path: str
    name: str


class FunctionCode:
    """The functions of the files of one question."""

    def __init__(self, index: Index, question: Question) -> None:
        self.index = index
        self.question = question
        self.methods = MethodOverloads(index, question)
        self._sources: dict[str, Source | None] = {}
        self._definitions: dict[str, Mapping[str, Sequence[Definition]]] = {}
        self._calls: dict[str, Sequence[tuple[str, Use, str]]] = {}

    def source(self, path: str) -> Source | None:
        """Return a file, None where it cannot be read."""
        if path not in self._sources:
            self._sources[path] = self.index.try_read(path)
        return self._sources[path]

    def definitions(self, path: str) -> Mapping[str, Sequence[Definition]]:
        """Return the definitions in a file by their dotted names."""
        if path not in self._definitions:
            named: dict[str, list[Definition]] = {}
            source = self.source(path)
            for definition in self.index.symbols.definitions(source) if source is not None else ():
                named.setdefault(definition.path, []).append(definition)
            self._definitions[path] = named
        return self._definitions[path]

    def named(self, function: Function) -> Sequence[Definition]:
        """Return the definitions of a function: several where they are conditional."""
        return self.definitions(function.path).get(function.name, ())

    def is_type(self, function: Function) -> bool:
        """Return whether a function is a type, which is called to make an object."""
        return any(definition.kind in CLASS_LIKE for definition in self.named(function))

    def bodies(self, function: Function) -> list[Function]:
        """Return a function as the files define it that the linker finds it in: several are for several platforms.

        The body of what a stub declares is in its module: the longer of the two is taken.
        """
        semantics = semantics_of(function.path)
        if semantics is None or not semantics.visibility.links_definitions:
            twins = self.question.resolver.declarations(*function) if semantics is not None else ()
            both = [function, *(Function(one.path, one.name) for one in twins)]
            return [max(both, key=lambda one: max((d.end_line - d.line for d in self.named(one)), default=0))]
        found = self.question.resolver.linkage.definitions(*function)
        return [Function(one.path, one.name) for one in found] or [function]

    def constructors(self, function: Function) -> list[Function]:
        """Return what runs when an object of a type is made."""
        found = self.definitions(function.path).values()
        own = (group[0] for group in found if group[0].container == function.name)
        return [Function(function.path, one.path) for one in own if _constructs(function.path, one)]

    def made_by(self, function: Function) -> Function | None:
        """Return the type whose objects a constructor makes; None for what is no constructor."""
        named = self.named(function)
        if not named or not named[0].container or not _constructs(function.path, named[0]):
            return None
        return Function(function.path, named[0].container)

    def calls(self, path: str) -> Sequence[tuple[str, Use, str]]:
        """Return the calls in a file, in the order of the source: the name, the use and what it stands in."""
        if path not in self._calls:
            facts = self.question.project.facts(path)
            uses = facts.uses.items() if facts is not None else ()
            found = [(name, use) for name, group in uses for use in group if use.role in CALLS]
            found.sort(key=lambda call: (call[1].line, call[1].column))
            self._calls[path] = [(name, use, self.around(path, use)) for name, use in found]
        return self._calls[path]

    def around(self, path: str, use: Use) -> str:
        """Return the dotted name of the function or type that code belongs to; empty for none."""
        facts = self.question.project.facts(path)
        if facts is None:
            return ""
        definitions = self.definitions(path)
        name = facts.around(use.scope)
        while name and not any(definition.kind in CALLABLE | CLASS_LIKE for definition in definitions.get(name, ())):
            name = name.rpartition(".")[0]
        unnamed = use.scope > 0 and not facts.scopes[use.scope].name
        return self._innermost(path, use, name) if unnamed and use.role is not Role.Decorator else name

    def _innermost(self, path: str, use: Use, name: str) -> str:
        """Return the innermost function around a use in ``name``: a function without a name may be a symbol's value."""
        inside = [
            definition
            for group in self.definitions(path).values()
            for definition in group
            if definition.kind in CALLABLE
            and (definition.line, definition.column) <= (use.line, use.column)
            and use.line <= definition.end_line
            and definition.path.startswith(f"{name}." if name else "")
        ]
        return max(inside, key=lambda d: (d.line, d.column)).path if inside else name

    def symbol(self, function: Function) -> Symbol:
        """Return what is shown of a function: of a member that no definition declares, the place where it is bound."""
        path, name = function
        source, named = self.source(path), self.named(function)
        if source is not None and named:
            first = named[0]
            return Symbol(
                first.name,
                qualified(path, name),
                first.kind,
                path,
                first.line,
                first.column,
                first.end_line,
                signature(source, first),
                "",
                readable(first.container),
            )
        if not name:
            language = language_of(path)
            module = language.files.module(path) if language is not None else ""
            return Symbol(path.rpartition("/")[2], module or path, SymbolKind.File, path, 1, 1, 1, "", "", "")
        facts = self.question.project.facts(path)
        bound = facts.at(name) if facts is not None else None
        line, column = (bound.line, bound.column) if bound is not None else (1, 1)
        container, _, last = readable(name).rpartition(".")
        return Symbol(last, qualified(path, name), SymbolKind.Field, path, line, column, line, "", "", container)


def _constructs(path: str, definition: Definition) -> bool:
    language = language_of(path)
    named = language is not None and definition.name in language.names.constructors
    return definition.kind is SymbolKind.Constructor or (named and bool(definition.container))
