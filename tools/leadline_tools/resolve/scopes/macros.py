"""Macros: what the name of one means that is called without a path.

A macro is seen in the text that follows its definition, up to the end of the block or module that holds it: in modules
that are other files too, and behind a module or a crate whose macros are all taken in. Else it is imported by name.
https://doc.rust-lang.org/reference/macros-by-example.html#semantics-exporting-and-importing
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from leadline_tools.languages import language_of
from leadline_tools.languages.facts import MACRO_SORTS, Binding, Facts, Sort
from leadline_tools.languages.rules.imports import MACROS
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, Module, Resolution, SymbolRef

_DEEPEST = 32
"""Modules in modules: more is a cycle."""

_MOST_SPELLING = 200
"""Files with one name that are looked into for what is no call."""

_CALLING = frozenset({Role.Call, Role.Import})

_AT_END = 1 << 30
"""The line behind everything."""

_CRATE, _PARENT, _OWN = "crate", "super", "self."
"""How a module names its crate and the module around it, and how the names of those begin that it declares."""


class Macros:
    """Looks up the names of macros."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def lookup(self, path: str, name: str, scope: int, line: int) -> Resolution | None:
        """Return what the name of a macro means on a line, in a scope of a file; None where that is not known."""
        found = self._before(path, name, scope, line, 0) or self._imported(path, name, scope)
        if found is None:
            found = self._exported_to_all(path, name)
        if found is not None or self._defining(path, name):
            return found
        return EXTERNAL if self._may_come_from_outside(path, name, 0) else None

    def _may_come_from_outside(self, path: str, name: str, depth: int) -> bool:
        """Return whether a name that no macro of the tree is defined under is from outside.

        It is where the standard library has it, or where a file takes all of something that is not in the tree and
        nothing else than calls has the name. What else is called is defined by what another macro expands to.
        """
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or depth > _DEEPEST or name in semantics.macros.predeclared:
            return True
        taken = [facts.imports[one.imported] for one in facts.wide if one.imported >= 0]
        wide = (one for one in taken if one.name == "*" and one not in semantics.imports.ambient)
        if any(not self._resolver.modules.files_of(one.module, path) for one in wide):
            return self._is_only_called(name)
        around = {file for file, _, _ in self._declared_at(path)} - {path}
        return any(self._may_come_from_outside(file, name, depth + 1) for file in around)

    def _is_only_called(self, name: str) -> bool:
        """Return whether nothing in the tree has a name but calls, and imports of it."""
        spelling = sorted(self._resolver.project.spelling(name))
        if len(spelling) > _MOST_SPELLING:
            return False
        every = (facts for facts, _ in map(self._resolver.facts, spelling) if facts is not None)
        return all(one.role in _CALLING for facts in every for one in facts.uses.get(name, ()))

    def exported_by(self, root: str, name: str) -> SymbolRef | None:
        """Return the macro that the crate which begins at the file ``root`` exports under a name."""
        if root not in self._resolver.modules.files_of(_CRATE, root):
            return None
        for file, macro in self._defining(root, name):
            if macro.sort == Sort.ExportedMacro and root in self._resolver.modules.files_of(_CRATE, file):
                return SymbolRef(file, macro.path, Reason.Import)
        return None

    def _before(self, path: str, name: str, scope: int, line: int, depth: int) -> SymbolRef | None:
        """Return the last macro of a name that is defined before a line, and seen there."""
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or depth > _DEEPEST:
            return None
        around = frozenset(facts.outwards(scope))
        line = _AT_END if _is_in_macro(facts, scope) else line
        for one in reversed([one for one in _bound(facts, name) if one.scope in around and one.line <= line]):
            found = self._bound(path, facts, one, name, depth)
            if found is not None:
                return found
        for file, outer, above in self._declared_at(path):
            found = self._before(file, name, outer, above, depth + 1)
            if found is not None:
                return found
        return None

    def _bound(self, path: str, facts: Facts, one: Binding, name: str, depth: int) -> SymbolRef | None:
        """Return the macro of a name that is defined in a place, or in the module or crate that is taken in there."""
        if one.imported < 0:
            return SymbolRef(path, one.path, Reason.Scope)
        module = facts.imports[one.imported].module
        if not module.startswith(_OWN):
            crates = self._resolver.modules.files_of(module, path)
            return next(filter(None, (self.exported_by(file, name) for file in crates)), None)
        inside = module.removeprefix(_OWN)
        for scope, (kind, _, dotted) in enumerate(facts.scopes):
            if kind is ScopeKind.Module and dotted == inside:
                return self._at_end(path, name, scope, depth)
        files = self._resolver.modules.files_of(module, path)
        return next(filter(None, (self._at_end(file, name, 0, depth + 1) for file in files)), None)

    def _at_end(self, path: str, name: str, scope: int, depth: int) -> SymbolRef | None:
        """Return the macro of a name that is seen at the end of a module, and is defined in it."""
        facts, _ = self._resolver.facts(path)
        if facts is None or depth > _DEEPEST:
            return None
        there = [one for one in _bound(facts, name) if one.scope == scope]
        return next(filter(None, (self._bound(path, facts, one, name, depth) for one in reversed(there))), None)

    def _declared_at(self, path: str) -> Iterator[tuple[str, int, int]]:
        """Yield the files that declare the module of a file, each with the scope and the line at which it does.

        Where that is in the tokens of a macro, all that the file has may stand before it.
        """
        for file in self._resolver.modules.files_of(_PARENT, path):
            facts, _ = self._resolver.facts(file) if file != path else (None, None)
            if facts is not None:
                declaring = [one for one in facts.wide if self._declares(file, facts, one, path)]
                yield from ((file, one.scope, one.line) for one in declaring)
                if not declaring:
                    yield file, 0, _AT_END

    def _declares(self, file: str, facts: Facts, one: Binding, path: str) -> bool:
        imported = facts.imports[one.imported] if one.imported >= 0 else None
        if imported is None or imported.name or not imported.module.startswith(_OWN):
            return False
        return path in self._resolver.modules.files_of(imported.module, file)

    def _imported(self, path: str, name: str, scope: int) -> Resolution | None:
        """Return the macro that a name is imported as in a scope, or that a module has which is imported as a whole."""
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None:
            return None
        seen = list(_seen_from(facts, scope))
        named = (one for place in seen for one in facts.within(name, place) if one.imported >= 0)
        for one in named:
            found = self._resolver.imports.follow(path, facts.imports[one.imported])
            if found == EXTERNAL or self._is_macro(found):
                return found
        for place, imported in facts.wildcards:
            if place not in seen or imported.exports:
                continue
            files = self._resolver.modules.files_of(imported.module, path)
            found = self._resolver.exports.lookup(Module(tuple(files)), name) if files else None
            if self._is_macro(found):
                return found
        return None

    def _exported_to_all(self, path: str, name: str) -> SymbolRef | None:
        """Return the macro of a name that the crate of a file has at its top, or every crate sees."""
        _, semantics = self._resolver.facts(path)
        tops = (
            (
                path,
                *(file for crate in semantics.macros.modules for file in self._resolver.modules.files_of(crate, path)),
            )
            if semantics
            else ()
        )
        return next(filter(None, (self.exported_by(top, name) for top in tops)), None)

    def _is_macro(self, meaning: Resolution | None) -> bool:
        facts, _ = self._resolver.facts(meaning.path) if isinstance(meaning, SymbolRef) else (None, None)
        return isinstance(meaning, SymbolRef) and facts is not None and _has_macro(facts.all_at(meaning.name))

    def _defining(self, path: str, name: str) -> Sequence[tuple[str, Binding]]:
        """Return the macros of a name in the code base, each with its file."""
        language = language_of(path)
        found: list[tuple[str, Binding]] = []
        for file in sorted(self._resolver.project.defining(name, path)):
            facts, _ = self._resolver.facts(file) if language_of(file) is language else (None, None)
            found += [
                (file, one) for one in (facts.named(name) if facts is not None else ()) if one.sort in MACRO_SORTS
            ]
        return found


def _is_in_macro(facts: Facts, scope: int) -> bool:
    """Return whether a scope is that of a macro, which is read where it is called."""
    around = facts.around(scope)
    return bool(around) and _has_macro(facts.all_at(around))


def _has_macro(bindings: Collection[Binding]) -> bool:
    return any(one.sort in MACRO_SORTS for one in bindings)


def _bound(facts: Facts, name: str) -> Sequence[Binding]:
    """Return what binds the name of a macro, or all macros of a module or crate, in the order of the text."""
    taken = [one for one in facts.wide if one.imported >= 0 and facts.imports[one.imported].space == MACROS]
    return sorted((*(one for one in facts.named(name) if one.sort in MACRO_SORTS), *taken), key=lambda one: one.line)


def _seen_from(facts: Facts, scope: int) -> Iterator[int]:
    """Yield a scope and those around it up to its module."""
    for one in facts.outwards(scope):
        yield one
        if facts.scopes[one].kind is ScopeKind.Module:
            return
