"""Namespaces of C++ that no outline shows: those from outside, and those that macros open.

A template is specialized in the namespace that declares it: one in which a code base does nothing else is not its own.
https://eel.is/c++draft/temp.expl.spec#3, https://eel.is/c++draft/namespace.std
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from leadline_tools.languages.facts import Binding, Sort
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.resolve.project.name_resolver import NameResolver

_MOST_DECLARING = 64
"""Files that open a namespace, all of which are looked into."""

_MOST_SPELLING = 512
"""Files that spell the name of a namespace, which are searched for a macro that opens it."""

_ALONE = re.compile(rb"^[ \t]*([A-Za-z_]\w+)[ \t]*\r?$", re.MULTILINE)
_HEAD = 20
"""Lines on which the head of a type may go on."""

_OPENED = re.compile(r"[^;{]*\{")
_ARGUMENTS = re.compile(r"\w+[ \t]*<")


class HiddenNamespaces:
    """Decides of namespaces whether they come from outside or are opened by macros, and keeps what it has found."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._external: dict[str, bool] = {}
        self._opened: dict[str, frozenset[str]] = {}
        self._opening: dict[tuple[str, str], str] = {}

    def forget(self) -> None:
        """Let go of what was found; it is found again where it is asked for."""
        self._external.clear()
        self._opened.clear()
        self._opening.clear()

    def comes_from_outside(self, path: str, name: str) -> bool:
        """Return whether a namespace comes from outside: no file opens it but to specialize templates in it."""
        if self._resolver.project.defining(name, path):
            return self.is_external(path, name)
        return not self._may_be_opened_by_macro(path, name)

    def is_standard_library(self, path: str, name: str) -> bool:
        """Return whether a name is that of the namespace of the standard library, which is not in the code base."""
        return self._is_standard(path, name) and self.comes_from_outside(path, name)

    def opened_by_macros(self, path: str) -> frozenset[str]:
        """Return the namespaces that a file opens by macros which stand alone on a line."""
        if path not in self._opened:
            alone = {found.decode() for found in _ALONE.findall(self._resolver.project.text(path))}
            self._opened[path] = frozenset(filter(None, (self._opened_by(path, name) for name in alone)))
        return self._opened[path]

    def _opened_by(self, path: str, macro: str) -> str:
        """Return the namespace that a macro opens; empty for any other name."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.macros.opening:
            return ""
        opening = self._resolver.project.spelling(semantics.macros.opening)
        defining = self._resolver.project.defining(macro, path)
        for file in sorted(file for file in defining if file in opening):
            if (file, macro) not in self._opening:
                _, semantics = self._resolver.facts(file)
                opened = semantics.macros.opened_space if semantics is not None else None
                self._opening[file, macro] = opened(self._resolver.project.text(file), macro) if opened else ""
            if self._opening[file, macro]:
                return self._opening[file, macro]
        return ""

    def is_external(self, path: str, name: str) -> bool:
        """Return whether files that see what ``path`` sees only specialize templates in the namespace ``name``."""
        if name not in self._external:
            self._external[name] = False
            self._external[name] = self._specializes_only(path, name) and not self._may_be_opened_by_macro(path, name)
        return self._external[name]

    def has_function(self, path: str, space: str, name: str) -> bool:
        """Return whether a file adds a function to a namespace: an overload, perhaps, of one that is there already."""
        defining = self._resolver.project.defining(name, path)
        found = (facts.named(name) for file in defining if (facts := self._resolver.facts(file)[0]) is not None)
        return any(one.space == space and one.sort == Sort.Callable for some in found for one in some)

    def _specializes_only(self, path: str, name: str) -> bool:
        defining = self._resolver.project.defining(name.rpartition(".")[2], path)
        if len(defining) > _MOST_DECLARING:
            return False
        found = False
        for file in sorted(defining):
            facts, _ = self._resolver.facts(file)
            if facts is None:
                continue
            inner = f"{name}."
            if not self._is_standard(path, name) and any(
                one.kind is ScopeKind.Namespace and one.name.startswith(inner) for one in facts.scopes
            ):
                return False
            spaces = (one for one in facts.bindings if one.path and one.imported < 0)
            declared = [one for one in spaces if one.space == name or one.space.startswith(inner)]
            found = found or bool(declared)
            if declared and not self._are_specializations(file, self._own_declarations(file, name, declared)):
                return False
        return found or self._is_standard(path, name)

    def _is_standard(self, path: str, name: str) -> bool:
        _, semantics = self._resolver.facts(path)
        return semantics is not None and name in semantics.visibility.standard_spaces

    def _may_be_opened_by_macro(self, path: str, name: str) -> bool:
        """Return whether a macro of the code base may open a namespace; none opens that of the standard library."""
        if self._is_standard(path, name):
            return False
        _, semantics = self._resolver.facts(path)
        last = name.rpartition(".")[2]
        spelling = self._resolver.project.spelling(last)
        opens = semantics.macros.opens_space if semantics is not None else None
        if opens is None or len(spelling) > _MOST_SPELLING:
            return True
        return any(opens(self._resolver.project.text(file), last) for file in spelling)

    def _own_declarations(self, path: str, name: str, declared: Sequence[Binding]) -> Sequence[Binding]:
        """Return the declarations by which a namespace is that of the code base.

        In the one of the standard library these are the types with a body: what programs declare there besides is
        either from outside all the same, or an overload for types of their own. A namespace in it is from outside, too.
        """
        if not self._is_standard(path, name):
            return declared
        lines = self._resolver.project.lines(path)
        return [one for one in declared if one.sort == Sort.Type and _has_body(lines, one)]

    def _are_specializations(self, path: str, declared: Iterable[Binding]) -> bool:
        """Return whether the name of each of some declarations is followed by template arguments."""
        lines = self._resolver.project.lines(path)
        texts = ((lines[one.line - 1], one) for one in declared if one.line <= len(lines))
        return all(_ARGUMENTS.match(line, one.column - 1) is not None for line, one in texts)


def _has_body(lines: Sequence[str], declared: Binding) -> bool:
    """Return whether a brace opens behind the name of a type before a semicolon ends its declaration."""
    behind = "\n".join((lines[declared.line - 1][declared.column - 1 :], *lines[declared.line : declared.line + _HEAD]))
    return _OPENED.match(behind) is not None
