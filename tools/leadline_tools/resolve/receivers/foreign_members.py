"""Members that a language calls otherwise than the other one that declares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.members import ForeignNames
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, Module, Resolution, SymbolRef
from leadline_tools.resolve.types.type import Type


class ForeignMembers:
    """Resolves members of types of another language."""

    def __init__(self, resolver: NameResolver, evaluator: TypeEvaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator

    def choose(
        self, path: str, semantics: Semantics, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a use means, given what has its name: another language may call the member otherwise."""
        if semantics.members.foreign is None or not self._may_mean_another(path, use, found):
            return found
        return self._resolve(path, semantics.members.foreign, name, use) or found

    def _may_mean_another(self, path: str, use: Use, found: Sequence[Resolution]) -> bool:
        """Return whether a use cannot mean what has its name: that is private, or cannot be written."""
        members = [one for one in found if isinstance(one, SymbolRef)]
        if not members:
            return all(one == EXTERNAL for one in found)
        language = language_of(path)
        if any(language_of(one.path) is language for one in members):
            return False
        if use.role is Role.Write and all(Sort.Callable in self._resolver.sorts.of(one) for one in members):
            return True
        return all(self._is_private(one) for one in members)

    def _is_private(self, member: SymbolRef) -> bool:
        heads = self._resolver.project.heads(member.path, member.name)
        return bool(heads) and all("private" in head.split() for head in heads)

    def _resolve(self, path: str, foreign: ForeignNames, name: str, use: Use) -> Sequence[Resolution]:
        """Return what a use means whose receiver another language declares, which calls the member otherwise."""
        for type_ in self._evaluator.resolve_aliases(self._evaluator.evaluate(path, use.receiver, use.scope)):
            names = [*foreign.declared(name, use.role), *self._renamed(path, type_, name)]
            for member in self._members(path, type_, names):
                return (member,)
        return ()

    def _members(self, path: str, type_: Type, names: Sequence[str]) -> Iterator[SymbolRef]:
        """Yield the members of a type with some names that another language declares."""
        for name in names:
            for called in (False, True):
                for member in self._evaluator.resolve_member(type_, name, called=called):
                    if isinstance(member, SymbolRef) and language_of(member.path) is not language_of(path):
                        yield member

    def _renamed(self, path: str, type_: Type, name: str) -> Iterator[str]:
        """Yield what a type declares under a name of its own that is ``name`` for other languages."""
        of = type_.origin
        files = of.files if isinstance(of, Module) else (of.path,) if isinstance(of, SymbolRef) else ()
        for file in files:
            language = language_of(file)
            rules = language.semantics.members.foreign if language is not None and language.semantics else None
            if rules is not None and language is not language_of(path):
                yield from rules.renamed(self._resolver.project.text(file).decode("utf-8", "replace"), name)
