"""The facts of one file while the walk gathers them."""

from __future__ import annotations

from leadline_tools.languages.facts import FUNCTIONS, Argument, Binding, Heritage, Pair, Scope, Sort, Use
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Role

_VARIABLE = frozenset({Sort.Value, Sort.Unknown})


class FactTables:
    """Lists that become the fields of ``Facts``, see there."""

    def __init__(self) -> None:
        self.scopes = [Scope(ScopeKind.Module, -1, "")]
        self.bindings: list[Binding] = []
        self.imports: list[Imported] = []
        self.uses: dict[str, list[Use]] = {}
        self.heritage: list[Heritage] = []
        self.inner_names: list[str] = []
        self.externs: list[str] = []
        self.statics: list[str] = []
        self.shorthands: list[tuple[int, int]] = []
        self.pairs: list[Pair] = []
        self.arguments: dict[str, list[Argument]] = {}
        self._variables: dict[str, set[int]] = {}
        self._indexed = 0

    def add_use(self, name: str, use: Use) -> None:
        """Add an occurrence of a name."""
        known = self.uses.get(name)
        if known is None:
            self.uses[name] = [use]
        else:
            known.append(use)

    def add_import(self, imported: Imported, scope: int, line: int, column: int) -> None:
        """Add an import, and the name that it binds in a scope."""
        self.bindings.append(Binding(scope, imported.alias, line, column, "", len(self.imports)))
        self.imports.append(imported)

    def spell_outside_of_variables(self, name: str, scope: int) -> str:
        """Return the term of a name that means none of the variables bound so far in functions around a scope."""
        for one in self.bindings[self._indexed :]:
            if one.scope > 0 and not one.path and one.imported < 0 and one.sort in _VARIABLE:
                self._variables.setdefault(one.name, set()).add(one.scope)
        self._indexed = len(self.bindings)
        bound, outside = self._variables.get(name, ()), -1
        while bound and scope > 0:
            outside = self.scopes[scope].parent if scope in bound else outside
            scope = self.scopes[scope].parent
        return f"{name}{{{outside}}}" if outside >= 0 else name

    def function_around(self, scope: int) -> int:
        """Return the nearest scope of a function, or the module."""
        while scope > 0 and self.scopes[scope].kind not in FUNCTIONS:
            scope = self.scopes[scope].parent
        return scope


class NameMarks:
    """What is known of names before the walk comes to them, by the byte at which they begin.

    Attributes:
        defined_in: The scopes of those that are defined there.
        bound: Those that are bound.
        scopes: The scopes that names are read in, where it is not the one around.
        roles: The roles of names, whatever the nodes around give them.
        receivers: The terms of what members are taken of.
        members: The members that are taken of names.
        values: Those that are names of values, whatever the grammar takes them for.
        keys: Those that are members of an object that is made, see ``Semantics.fills``.

    """

    def __init__(self) -> None:
        self.defined_in: dict[int, int] = {}
        self.bound: set[int] = set()
        self.scopes: dict[int, int] = {}
        self.roles: dict[int, Role] = {}
        self.receivers: dict[int, str] = {}
        self.members: dict[int, str] = {}
        self.values: set[int] = set()
        self.keys: set[int] = set()
