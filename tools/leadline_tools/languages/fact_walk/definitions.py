"""The names that definitions bind: symbols, and what is defined but no symbol.

Only what the outline shows is a *symbol*; the class of a function that another one holds is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.fact_walk.bindings import NameBinder
from leadline_tools.languages.fact_walk.class_reads import ClassReads
from leadline_tools.languages.fact_walk.heritage import HeritageReader
from leadline_tools.languages.fact_walk.scopes import ScopeOpener
from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables, NameMarks
from leadline_tools.languages.fact_walk.terms import TermReader, known_term
from leadline_tools.languages.facts import OUTSIDE, Binding, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, VARIABLE, Definition, has_colon
from leadline_tools.languages.rules.outline import Defines
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role, SymbolKind

_OPEN = frozenset({ScopeKind.Open})
_AROUND_TYPES = frozenset({ScopeKind.Open, ScopeKind.Class})


class DefinitionBinder:
    """Binds what the rules say a node defines."""

    def __init__(
        self,
        source: SourceText,
        semantics: Semantics,
        tables: FactTables,
        marks: NameMarks,
        terms: TermReader,
        scopes: ScopeOpener,
        heritage: HeritageReader,
        binder: NameBinder,
        class_reads: ClassReads,
        shown: Sequence[Definition],
    ) -> None:
        self._source = source
        self._semantics = semantics
        self._identifiers = semantics.scopes.identifiers
        self._tables, self._scopes = tables, tables.scopes
        self._marks, self._defined_in = marks, marks.defined_in
        self._terms = terms
        self._opener = scopes
        self._heritage = heritage
        self._binder, self._shown = binder, binder.shown
        self._class_reads = class_reads
        self._members = {symbol.path: symbol for symbol in shown if symbol.container and symbol.kind in VARIABLE}

    def define(self, node: Node, rule: Defines, scope: int) -> str:
        """Bind the names that ``node`` defines; return the dotted name of what it opens, empty for nothing."""
        symbols = rule.symbols(node)
        if symbols.kind is None:
            return ""
        path = ""
        for name in symbols.names:
            spelled = rule.spell(name)
            if not symbols.emits:
                path = ".".join(filter(None, (self._scopes[scope].name, spelled)))
                self._heritage.read(node, rule, path, scope)
                break
            line, column = self._source.position(name)
            column += has_colon(self._source.content, name.start_byte, spelled)
            known = self._shown.get((line, column))
            if known is None:
                known = self._known_member(spelled, symbols.kind, scope, (line, column))
            if known is None:
                self._define_local(node, rule, name, symbols.kind, scope)
                if name.start_byte not in self._defined_in:
                    self._heritage.read_local(node, rule, name, scope)
                continue
            path = path or known.path
            if name.start_byte in self._defined_in:
                continue  # met before: by the declaration around this assignment, or as one that holds the rest
            quoted = name.type not in self._identifiers and self._source.text(name)[1:-1] == spelled
            self._define_symbol(node, rule, name, spelled, known, (line, column + quoted), scope)
        if path:
            self._opener.own_bodies(node, symbols.bodies, path)
        return path

    def _define_symbol(
        self,
        node: Node,
        rule: Defines,
        name: Node,
        spelled: str,
        symbol: Definition,
        position: tuple[int, int],
        scope: int,
    ) -> None:
        """Bind a name that is a symbol, with its heritage."""
        self._bind_symbol(node, rule, name, spelled, symbol, position, scope)
        line, column = position
        contained = rule.container is not None and symbol.kind in CALLABLE
        begin = line if self._semantics.members.twins or self._semantics.types.by_arity else 0
        self._heritage.read(node, rule, symbol.container if contained else symbol.path, scope, begin)
        self._link(node, rule, symbol)
        if name.type not in self._identifiers:  # a Bash word, an operator
            use = Use(line, column, column + len(spelled), scope, Role.Definition, BARE, -1)
            self._tables.add_use(spelled, use)

    def _bind_symbol(
        self,
        node: Node,
        rule: Defines,
        name: Node,
        spelled: str,
        symbol: Definition,
        position: tuple[int, int],
        scope: int,
    ) -> None:
        start, terms, binder = name.start_byte, self._terms, self._binder
        self._defined_in[start] = scope
        self._marks.bound.add(start)
        home, space = self._home(node, rule, symbol, scope)
        if home == OUTSIDE and self._semantics.uses.declares_literal_keys:  # a function makes objects that have it
            binder.makers.add(symbol.container)
            binder.methods_outside.add(symbol.path)
        made = dict(terms.values(node, rule.made)).get(start, "")
        declared = terms.declared_type(node, rule.type) or _documented_type(node, rule)
        takes = known_term(rule.takes(node, terms.spell)) if rule.takes is not None else ""
        amends = known_term(rule.amends(node, terms.spell)) if rule.amends is not None else ""
        sort = _sort(symbol.kind, rule, node)
        if self._semantics.scopes.binds_in_order:
            self._class_reads.add_binding(home, spelled, node.end_byte)
        self._tables.bindings.append(
            Binding(home, spelled, *position, symbol.path, -1, declared, space, sort, made, scope, takes, amends)
        )
        if sort in (Sort.Callable, Sort.Getter):
            function = rule.function(node) if rule.function is not None else None
            self._opener.own_function(node, function, symbol.path, position)

    def _link(self, node: Node, rule: Defines, symbol: Definition) -> None:
        """Add whether only this file declares a symbol, a type has it itself, or another file defines it."""
        if rule.inner is not None and rule.inner(node):
            self._tables.inner_names.append(symbol.path)
        elif rule.of_type is not None and rule.of_type(node):
            self._tables.statics.append(symbol.path)
        elif rule.extern is not None and symbol.kind in VARIABLE and rule.extern(node):
            self._tables.externs.append(symbol.path)

    def _home(self, node: Node, rule: Defines, symbol: Definition, scope: int) -> tuple[int, str]:
        """Return the scope in which the name of a definition is bound, and its namespace."""
        if rule.top:
            return 0, ""
        contained = rule.container is not None and bool(rule.container(node))
        own = rule.own is not None and rule.own(node) is not None
        unnamed = rule.unnamed is not None and rule.unnamed(node)
        if (
            symbol.kind is SymbolKind.Constructor
            or own
            or unnamed
            or (contained and not self._semantics.visibility.has_open_namespaces)
        ):
            return OUTSIDE, ""
        if contained or (rule.explicit is not None and rule.explicit(node)):
            return 0, symbol.container
        home, space = self._visible_from(scope, past=_AROUND_TYPES if rule.escapes else _OPEN)
        return (0, ".".join(filter(None, (self._scopes[home].name, rule.space)))) if rule.space else (home, space)

    def _visible_from(self, scope: int, past: frozenset[ScopeKind]) -> tuple[int, str]:
        """Return the scope in which a name defined in ``scope`` is visible, and its namespace."""
        while self._scopes[scope].kind in past:
            scope = self._scopes[scope].parent
        if self._scopes[scope].kind is ScopeKind.Namespace:
            return 0, self._scopes[scope].name
        return scope, ""

    def _known_member(self, name: str, kind: SymbolKind, scope: int, position: tuple[int, int]) -> Definition | None:
        """Return the symbol of a class or an object that a node defines once more: the setter beside a getter."""
        around = self._scopes[scope].kind
        accessor = around is ScopeKind.Table and kind is SymbolKind.Property
        if not accessor and (kind not in VARIABLE or around is not ScopeKind.Class):
            return None
        symbol = self._members.get(f"{self._scopes[scope].name}.{name}")
        return symbol._replace(line=position[0], column=position[1]) if symbol is not None else None

    def _define_local(self, node: Node, rule: Defines, name: Node, symbol: SymbolKind, scope: int) -> None:
        """Bind what is defined but no symbol: variables are left to ``binds``, methods need a class to be seen in.

        What a class without a name holds has nobody else to bind it.
        """
        if rule.outer:
            scope = self._scopes[scope].parent
        kind, _, owner = self._scopes[scope]
        member = kind is ScopeKind.Class and (symbol in CALLABLE or (symbol in VARIABLE and not owner))
        member = member or (kind is ScopeKind.Table and symbol in CALLABLE)
        if symbol in CLASS_LIKE or symbol is SymbolKind.Function or member:
            declared = self._terms.declared_type(node, rule.type) or _documented_type(node, rule)
            self._binder.bind(name, scope, declared, sort=_sort(symbol, rule, node))


def _documented_type(node: Node, rule: Defines) -> str:
    """Return the term of the type that a comment gives to what a node defines."""
    return known_term(rule.documented(node)) if rule.documented is not None else ""


def _sort(kind: SymbolKind, rule: Defines, node: Node) -> Sort:
    if rule.getter is not None and rule.getter(node):
        return Sort.Getter
    if rule.parameter is not None and rule.parameter(node):
        return Sort.Parameter
    if kind in CLASS_LIKE:
        return Sort.Type
    if kind in CALLABLE:
        return _sort_of_callable(rule, node)
    if rule.top:
        return Sort.Unknown  # a macro may be a type
    return Sort.Value if kind in VARIABLE else Sort.Unknown


def _sort_of_callable(rule: Defines, node: Node) -> Sort:
    if rule.macro is None or not rule.macro(node):
        return Sort.Callable
    return Sort.Macro if rule.inner is not None and rule.inner(node) else Sort.ExportedMacro
