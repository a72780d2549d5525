"""The names that a scope binds other than by defining a symbol: locals, parameters, and members that methods declare.

What a name is bound to is its *declared* type, or the values that it is given; both are terms.
"""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.fact_walk.source_text import SourceText
from leadline_tools.languages.fact_walk.tables import FactTables, NameMarks
from leadline_tools.languages.facts import LABEL_MARK, OUTSIDE, Binding, Sort, belongs_to_type, class_around
from leadline_tools.languages.flow import Flow
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.rules.scopes import Binds, ScopeKind

PLAIN_BINDS = Binds(lambda _node: ())


class NameBinder:
    """Adds bindings of names that are no symbols to the tables.

    Attributes:
        shown: The definitions of the outline by their positions: only what it shows is a symbol.
        held: The names that scopes hold.
        renewed: Those that mean another thing from their next binding on.
        makers: The dotted names of functions that make objects with members of their own.
        methods_outside: The dotted names of such members.
        parameters: The names, with their scopes, that callers give values to.

    """

    def __init__(
        self,
        source: SourceText,
        semantics: Semantics,
        tables: FactTables,
        marks: NameMarks,
        flow: Flow,
        shown: dict[tuple[int, int], Definition],
    ) -> None:
        self._source = source
        self._types, self._jump_labels = semantics.scopes.type_identifiers, semantics.scopes.jump_labels
        self._written = semantics.types.has_type_literals
        self._tables, self._bindings = tables, tables.bindings
        self._marks, self._bound = marks, marks.bound
        self._flow = flow
        self._untyped: dict[int, int] = {}
        self.shown = shown
        self.held: set[tuple[int, bytes]] = set()
        self.renewed: set[tuple[int, bytes]] = set()
        self.makers: set[str] = set()
        self.methods_outside: set[str] = set()
        self.parameters: set[tuple[int, str]] = set()

    def bind(
        self,
        name: Node,
        scope: int,
        declared: str = "",
        made: str = "",
        binds: Binds = PLAIN_BINDS,
        spelled: int = -1,
        sort: Sort = Sort.Value,
    ) -> None:
        """Bind a name in a scope; what is known of it is read in the scope ``spelled``, mostly the same."""
        start, bindings = name.start_byte, self._bindings
        if not binds.again and (declared or made) and (untyped := self._untyped.pop(start, -1)) >= 0:
            known = bindings[untyped]  # a parameter that its function bound
            bindings[untyped] = known._replace(type=declared or known.type, made=made or known.made)
        if start in self._bound and not binds.again:
            return
        self._bound.add(start)
        text = name.text
        if text is not None:
            self.held.add((scope, text))
            if binds.rebinds:
                self.renewed.add((scope, text))
        self._flow.bind(scope, text, start)
        line, column = self._source.position(name)
        if (line, column) in self.shown:
            return
        if not declared:
            self._untyped[start] = len(bindings)
        kind = name.type
        sort = Sort.Unknown if binds.types or kind in self._types else sort
        read = scope if spelled < 0 else spelled
        called = self._source.text(name) + (LABEL_MARK if kind in self._jump_labels else "")
        if binds.by_caller:
            self.parameters.add((scope, called))
        bindings.append(Binding(scope, called, line, column, "", -1, declared, "", sort, made, read))

    def bind_member(self, member: Node, scope: int, declared: str, made: str) -> None:
        """Bind a member of the class around, unless it is a symbol."""
        if member.start_byte in self._marks.defined_in:
            return
        around = class_around(self._tables.scopes, scope, self.methods_outside, self.makers)
        inner = self._written_type_around(scope) if self._written and not around else OUTSIDE
        if around or inner > 0:
            (line, column), name = self._source.position(member), self._source.text(member)
            path = f"{around}.{name}" if around else ""
            if (line, column) in self.shown:
                self._marks.defined_in[member.start_byte] = scope
            if path and belongs_to_type(self._tables.scopes, scope):
                self._tables.statics.append(path)
            self._bindings.append(Binding(inner, name, line, column, path, -1, declared, "", Sort.Value, made, scope))

    def _written_type_around(self, scope: int) -> int:
        """Return the scope of the type that is written out where it is used, in which a scope is."""
        scopes = self._tables.scopes
        while scope > 0 and scopes[scope].kind is not ScopeKind.Class:
            scope = scopes[scope].parent
        return scope
