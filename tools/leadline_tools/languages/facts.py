"""The *facts* of a file, all that resolution needs of it: scopes, bindings, imports, and the uses of every name.

They are gathered from a syntax tree by ``fact_walk``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from leadline_tools.languages.outline import without_numbers
from leadline_tools.languages.rules.imports import MACROS, Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, FUNCTION, LABEL, UNKNOWN
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role
from leadline_tools.once import once

OUTSIDE = -1
"""The scope of what no bare name means: what belongs to a container elsewhere (a Go method), a constructor."""

ITSELF = "^"
"""What is taken of a name in the place of a type, see ``Use``."""

NAMELESS = "#"
"""What the dotted name of a class begins with that has no name."""

_NUMBERED = lazy_compile(rf"{NAMELESS}\d+")
_UNNAMED = "(unnamed type)"

FUNCTIONS = frozenset({ScopeKind.Function, ScopeKind.Static, ScopeKind.Detached})
"""The scopes of what can be called."""

LAMBDAS = frozenset({ScopeKind.Block, ScopeKind.Detached})
"""The scopes of functions that may see the members of an object which their place tells."""

METHODS = frozenset({ScopeKind.Function, ScopeKind.Static})
"""The scopes of what a type around it owns, where one is around."""

OBJECTS = frozenset({ScopeKind.Class, ScopeKind.Namespace})
"""The scopes of what has members."""

_TAKES_ALONE = f"{FUNCTION}<{UNKNOWN}"
"""How the function type begins of which only is known what it takes."""


class Scope(NamedTuple):
    """A region in which names are bound.

    ``parent`` is an index, -1 for the module; ``name`` is the dotted name of the definition that it belongs to, empty
    for the module and for a class that is no symbol (an anonymous one).
    """

    kind: ScopeKind
    parent: int
    name: str


class Sort(StrEnum):
    """What a name is bound to, as far as the syntax tells."""

    Type = "t"
    Callable = "c"
    Getter = "g"
    Value = "v"
    Parameter = "p"
    Macro = "m"
    ExportedMacro = "e"
    Unknown = ""


LABEL_MARK = "\0"
"""What facts have after the name of a label that is jumped to, where labels have a name space of their own."""

MACRO_SORTS = frozenset({Sort.Macro, Sort.ExportedMacro})
"""What is seen as a macro only."""


class Binding(NamedTuple):
    """A name bound in a scope: by a definition (``path`` is its dotted name), an import (its index) or otherwise.

    Args:
        scope: The scope that holds the name, OUTSIDE for none.
        name: The name.
        line: The 1-based line.
        column: The 1-based column, in code points.
        path: The dotted name of the definition; of a member that methods declare by giving it a value too.
        imported: The index of the import, -1 for none.
        type: The term of the declared type, of the result of what can be called; empty for none.
        space: The namespace in which a name of the module is seen.
        sort: What it is bound to.
        made: The term of the values that it is given, of those that a function returns; empty for none.
        spelled: The scope in which the terms are read.
        takes: The term of a function type that takes what this function takes; empty for none.
        amends: The term of the type that it adds a member to from outside; empty for none.

    """

    scope: int
    name: str
    line: int
    column: int
    path: str
    imported: int
    type: str = ""
    space: str = ""
    sort: str = Sort.Unknown
    made: str = ""
    spelled: int = 0
    takes: str = ""
    amends: str = ""


class Heritage(NamedTuple):
    """What a type says of itself: its dotted name, the terms of its bases, the names of its type parameters.

    The terms are read in a scope; one type may say several things in several places. What is no symbol has a path that
    begins with NAMELESS; then the line on which it begins is known, as it is where several types may have one name.
    ``of_twin``: whether the symbol is an object beside a type of its name, which has bases of its own.
    """

    path: str
    scope: int
    bases: Sequence[str]
    generics: Sequence[str]
    line: int = 0
    of_twin: bool = False


class Use(NamedTuple):
    """An occurrence of a name in code.

    ``receiver`` is the term of what the name is a member of, or BARE; ``imported`` is the index of the import that the
    occurrence stands in, -1 for none. Line and columns are 1-based, in code points, ``end_column`` exclusive. Where a
    language has members that are called like their types, ``taken`` is the member that is taken of a bare name, or
    ITSELF where the name is in the place of a type. Of a part of a module in an import it is the module up to there; of
    a sign the methods that it may call (see ``ImplicitCall``).
    """

    line: int
    column: int
    end_column: int
    scope: int
    role: Role
    receiver: str
    imported: int
    taken: str = ""


class Pair(NamedTuple):
    """A key and a value on one line that are names, 1-based: where both begin, and the end of the value, exclusive."""

    line: int
    key: int
    value: int
    end: int


class Argument(NamedTuple):
    """The name of an argument of a call, 1-based, in code points; and the name that is called, and where it stands."""

    line: int
    column: int
    called: str
    called_line: int
    called_column: int


@dataclass(frozen=True)
class Facts:
    """What one file says about names.

    ``uses`` is by name; ``language`` is the name of that in which the file was read, empty for what its path tells;
    ``inner`` holds the dotted names that only this file declares, ``shorthands`` the lines and columns at which a name
    is the key and the value at once, ``pairs`` the key and the value of what could be written so; ``arguments`` are
    those with a name, by it; ``externs`` are the dotted names of variables that it declares and another file defines;
    ``statics`` those of members of types themselves, once for each declaration, where the objects of a type may have
    another member of that name.
    """

    scopes: Sequence[Scope]
    bindings: Sequence[Binding]
    imports: Sequence[Imported]
    uses: Mapping[str, Sequence[Use]]
    heritage: Sequence[Heritage] = ()
    language: str = ""
    inner: Sequence[str] = ()
    shorthands: Sequence[tuple[int, int]] = ()
    pairs: Sequence[Pair] = ()
    arguments: Mapping[str, Sequence[Argument]] = field(default_factory=dict[str, Sequence[Argument]])
    externs: Sequence[str] = ()
    statics: Sequence[str] = ()

    @once
    def _by_name(self) -> Mapping[str, list[Binding]]:
        names: dict[str, list[Binding]] = {}
        for binding in self.bindings:
            names.setdefault(binding.name, []).append(binding)
        return names

    @once
    def _by_path(self) -> Mapping[str, Binding]:
        return {binding.path: binding for binding in reversed(self.bindings) if binding.path}

    @once
    def _by_scope(self) -> dict[str, dict[int, list[Binding]]]:
        return {}

    @once
    def wide(self) -> Sequence[Binding]:
        """Return the bindings that are looked for by other than their name: imports, and members from outside."""
        return [binding for binding in self.bindings if binding.imported >= 0 or binding.scope == OUTSIDE]

    @once
    def decorators(self) -> Mapping[tuple[int, int], Sequence[tuple[str, Use]]]:
        """Return the decorators of definitions by the line and the column of the names of those."""
        uses = self.uses_as(Role.Decorator)
        if not uses:
            return {}
        decorated = {Sort.Type, Sort.Callable, Sort.Getter}
        places = sorted((one.line, one.column) for one in self.bindings if one.sort in decorated)
        found: dict[tuple[int, int], list[tuple[str, Use]]] = {}
        for name, use in uses:
            at = bisect_left(places, (use.line, use.column))
            if at < len(places):
                found.setdefault(places[at], []).append((name, use))
        return found

    @once
    def callables(self) -> Sequence[Binding]:
        """Return the functions of which is known what they take and what they return: those without a body."""
        return [one for one in self.bindings if one.takes and not one.takes.startswith(_TAKES_ALONE)]

    @once
    def outside(self) -> frozenset[str]:
        """Return the dotted names of the members of what is declared elsewhere."""
        return frozenset(binding.path for binding in self.wide if binding.scope == OUTSIDE)

    @once
    def statics_by_path(self) -> Mapping[str, int]:
        """Return how many declarations of a member there are that are those of a type itself, by its dotted name."""
        return Counter(self.statics)

    @once
    def twin_scopes(self) -> AbstractSet[int]:
        """Return the scopes of objects that stand beside a type of their name."""
        declared = Counter(one.path for one in self.bindings)
        static = {path for path, number in self.statics_by_path.items() if number >= declared[path]}
        return {one.scope for one in self.bindings if one.path in static}

    @once
    def type_parameters(self) -> Sequence[Binding]:
        """Return the bindings of type parameters that are no symbols, in the order of the source."""
        found = [binding for binding in self.bindings if is_type_parameter(binding)]
        return sorted(found, key=lambda one: (one.line, one.column))

    @once
    def makers(self) -> frozenset[str]:
        """Return the dotted names of what has members that are declared elsewhere: a function of JavaScript may."""
        return frozenset(path.rpartition(".")[0] for path in self.outside)

    @once
    def wildcards(self) -> Sequence[tuple[int, Imported]]:
        """Return the imports of everything that a module exports, each with the scope that it is in."""
        imported = ((b.scope, self.imports[b.imported]) for b in self.wide if b.imported >= 0)
        return [(scope, found) for scope, found in imported if found.name == "*" and found.space != MACROS]

    @once
    def has_inner_wildcards(self) -> bool:
        """Return whether a scope inside of the file imports everything that a module exports."""
        return any(scope for scope, _ in self.wildcards)

    @once
    def namespaces(self) -> frozenset[str]:
        """Return the dotted names of the namespaces that the file opens."""
        return frozenset(scope.name for scope in self.scopes if scope.kind is ScopeKind.Namespace)

    def uses_as(self, role: Role) -> Sequence[tuple[str, Use]]:
        """Return the uses that do something, each with its name."""
        return [(name, use) for name, uses in self.uses.items() for use in uses if use.role is role]

    def uses_on(self, line: int) -> Sequence[tuple[str, Use]]:
        """Return the uses on a line, 1-based, each with its name."""
        return [(name, use) for name, uses in self.uses.items() for use in uses if use.line == line]

    def outwards(self, scope: int) -> Iterator[int]:
        """Yield a scope and those around it, the innermost first."""
        while scope >= 0:
            yield scope
            scope = self.scopes[scope].parent

    def gives_member(self, name: str) -> bool:
        """Return whether a file gives a value to a member that is called so of something else than its own object."""
        return any(use.role is Role.Write and use.receiver != BARE for use in self.uses.get(name, ()))

    def around(self, scope: int) -> str:
        """Return the dotted name of the innermost definition that a scope is in; empty for none."""
        while scope > 0 and not self.scopes[scope].name:
            scope = self.scopes[scope].parent
        return self.scopes[scope].name

    def named(self, name: str) -> Sequence[Binding]:
        """Return the bindings of a name, in the order of the source."""
        return self._by_name.get(name, ())

    def within(self, name: str, scope: int) -> Sequence[Binding]:
        """Return the bindings of a name in a scope, in the order of the source."""
        scopes = self._by_scope.get(name)
        if scopes is None:
            scopes = self._by_scope[name] = {}
            for binding in self.named(name):
                scopes.setdefault(binding.scope, []).append(binding)
        return scopes.get(scope, ())

    def at(self, path: str) -> Binding | None:
        """Return the first binding of the definition with a dotted name."""
        return self._by_path.get(path)

    def all_at(self, path: str) -> Sequence[Binding]:
        """Return all bindings of what has a dotted name."""
        first = self.at(path)
        return [one for one in self.named(first.name) if one.path == path] if first is not None else ()

    def heritage_of(self, path: str) -> Sequence[Heritage]:
        """Return what the type with a dotted name says of itself."""
        return self._heritage_by_path.get(path, ())

    @once
    def _heritage_by_path(self) -> Mapping[str, Sequence[Heritage]]:
        found: dict[str, list[Heritage]] = {}
        for one in self.heritage:
            found.setdefault(one.path, []).append(one)
        return found


def find_parameter(facts: Facts, function: Binding, name: str) -> Binding | None:
    """Return what a function binds for what is given under a name, or under a label that stands before its own name.

    What stands in the head of a type, and what is a field of a structure, is in the scope of the type.
    """
    for bound in facts.named(name):
        around = facts.scopes[bound.scope]
        of_type = around.kind is ScopeKind.Class and around.name == function.path
        if bound.scope == function.spelled or (of_type and bound.path in ("", f"{function.path}.{name}")):
            return bound
    labels = (use for use in facts.uses.get(name, ()) if use.receiver == LABEL and use.scope == function.spelled)
    label = next(labels, None)
    if label is None:
        return None
    behind = (one for one in facts.bindings if one.scope == label.scope and _place(one) > _place(label))
    return min(behind, key=_place, default=None)


def _place(of: Binding | Use) -> tuple[int, int]:
    return of.line, of.column


def is_type_parameter(binding: Binding) -> bool:
    """Return whether a name is that of a type parameter which is no symbol."""
    return binding.sort == Sort.Unknown and not binding.path and binding.imported < 0


def of_namespace(bound: Sequence[Binding], of_type: bool | None) -> Sequence[Binding]:
    """Return those bindings that are type parameters, or those that are none; all of them for None."""
    return bound if of_type is None else [one for one in bound if is_type_parameter(one) is of_type]


def nameless(scope: int) -> str:
    """Return what stands for the dotted name of a class that has none: an anonymous one, that opens ``scope``."""
    return f"{NAMELESS}{scope}"


def is_nameless(name: str) -> bool:
    """Return whether a dotted name begins with that of a class without a name: ``#12``, never a private ``#member``."""
    return _NUMBERED.match(name) is not None


def nameless_scope(name: str) -> int | None:
    """Return the scope that a class without a name opens, given what stands for its dotted name; None for any other."""
    return int(name[len(NAMELESS) :]) if _NUMBERED.fullmatch(name) else None


def readable(name: str) -> str:
    """Return a dotted name as an answer shows it: a type without a name has a number in the facts alone."""
    name = without_numbers(name)
    return _NUMBERED.sub(_UNNAMED, name) if is_nameless(name) else name


def class_around(
    scopes: Sequence[Scope],
    scope: int,
    outside: AbstractSet[str] = frozenset(),
    makers: AbstractSet[str] = frozenset(),
) -> str:
    """Return the dotted name of the class, or function, whose object a scope calls its own; empty for none.

    Args:
        scopes: The scopes of the file.
        scope: The index of the scope.
        outside: The dotted names of the functions that are members of what is declared elsewhere.
        makers: The dotted names of what has such members.

    """
    inner = ScopeKind.Block
    while scope > 0:
        kind, parent, name = scopes[scope]
        if kind in FUNCTIONS and name in outside and name != scopes[parent].name:
            return name.rpartition(".")[0]
        if kind is ScopeKind.Table and inner in METHODS:  # a method of the table
            return name if name != scopes[parent].name else ""
        if kind in (ScopeKind.Class, ScopeKind.Detached):
            makes = kind is ScopeKind.Class or (name in makers and name != scopes[parent].name)
            return name if makes else ""
        inner, scope = kind, parent
    return ""


def belongs_to_type(scopes: Sequence[Scope], scope: int, home: int = -1) -> bool | None:
    """Return whether the outermost function around a scope, in the type around, is one of the type itself.

    None where no function of a type is around; with ``home`` the type is that of this scope.
    """
    found = None
    while scope > 0:
        kind, parent, _ = scopes[scope]
        if kind is ScopeKind.Class and home in (-1, scope):
            return found
        if kind in METHODS:
            found = kind is ScopeKind.Static
            if scopes[parent].kind is ScopeKind.Table:
                return False  # a method of an object that is written out
        if kind is ScopeKind.Detached and home < 0:
            return False
        scope = parent
    return found
