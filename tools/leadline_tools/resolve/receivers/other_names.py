"""Members that are used by other names: those that another language has for them, or that a library makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.members import OtherNames
from leadline_tools.languages.terms import TOP
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, Module, Resolution, SymbolRef
from leadline_tools.resolve.types.type import Type


class MembersByOtherNames:
    """Resolves members that are used by other names than their own."""

    def __init__(self, resolver: NameResolver, evaluator: TypeEvaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator

    def choose(
        self, path: str, semantics: Semantics, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a use means, given what is called so: a member with another name may be meant."""
        rules = semantics.members.other_names
        if rules is None or not self._may_mean_another(path, use, found):
            return found
        return self._resolve(path, rules, name, use) or found

    def _may_mean_another(self, path: str, use: Use, found: Sequence[Resolution]) -> bool:
        """Return whether a use cannot mean what is called so: that is private elsewhere, or cannot be written."""
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

    def _resolve(self, path: str, rules: OtherNames, name: str, use: Use) -> Sequence[Resolution]:
        """Return the member with another name that a use means by its receiver."""
        declared = rules.declared(name, use.role)
        for type_ in self._evaluator.resolve_aliases(self._evaluator.evaluate(path, use.receiver, use.scope)):
            if rules.bases and not inherits_from(self._resolver, self._evaluator, type_.origin, rules.bases):
                continue
            for member in self._members(path, type_, rules, [*declared, *self._renamed(path, type_, name)]):
                return (member,)
        return ()

    def _members(self, path: str, type_: Type, rules: OtherNames, names: Sequence[str]) -> Iterator[SymbolRef]:
        """Yield the members of a type with some names that are used by other ones."""
        for name in names:
            for called in (False, True):
                for member in self._evaluator.resolve_member(type_, name, called=called):
                    if isinstance(member, SymbolRef) and self._is_used_otherwise(path, rules, member):
                        yield member

    def _is_used_otherwise(self, path: str, rules: OtherNames, member: SymbolRef) -> bool:
        """Return whether a file uses a member by another name: one of another language, or as a library has it."""
        if not rules.bases:
            return language_of(member.path) is not language_of(path)
        heads = self._resolver.project.heads(member.path, member.name)
        return any(rules.may_be_meant(member.name.rpartition(".")[2], head) for head in heads)

    def _renamed(self, path: str, type_: Type, name: str) -> Iterator[str]:
        """Yield what a type declares under a name of its own that is ``name`` for other languages."""
        of = type_.origin
        files = of.files if isinstance(of, Module) else (of.path,) if isinstance(of, SymbolRef) else ()
        for file in files:
            language = language_of(file)
            rules = language.semantics.members.other_names if language is not None and language.semantics else None
            if rules is not None and language is not language_of(path):
                yield from rules.renamed(self._resolver.project.text(file).decode("utf-8", "replace"), name)


def inherits_from(
    resolver: NameResolver, evaluator: TypeEvaluator, of: Resolution, bases: AbstractSet[str]
) -> bool | None:
    """Return whether a type inherits from one of some types, named with their namespaces; None where it may."""
    may_inherit = False
    for type_ in evaluator.inheritance.mro(Type(of)):
        if isinstance(type_.origin, SymbolRef):
            terms = evaluator.inheritance.external_bases(type_)
            named = [_full_name(resolver, type_.origin.path, term) for term in terms]
            if type_.origin.name in bases or not bases.isdisjoint(named):
                return True
            may_inherit = may_inherit or bool(named)
    return None if may_inherit else False


def _full_name(resolver: NameResolver, path: str, term: str) -> str:
    """Return the name of a type with its namespace, as a file names it."""
    facts, _ = resolver.facts(path)
    first, dot, rest = term.removeprefix(f"{TOP}.").partition(".")
    imports = [facts.imports[one.imported] for one in facts.named(first) if one.imported >= 0] if facts else []
    taken = next((f"{one.module}.{one.name}" for one in imports), first)
    return f"{taken}{dot}{rest}"
