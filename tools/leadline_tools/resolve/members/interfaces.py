"""Interfaces and what implements them, where a call names the member of the interface: traits of Rust.

By https://doc.rust-lang.org/reference/expressions/method-call-expr.html a call means a method of the type itself, else
one of a trait that is in scope; which implementation runs is another question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from leadline_tools.languages.facts import Binding, Facts, Heritage, Sort
from leadline_tools.languages.outline import owner_of
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import Op, Path, parsed
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.declarations import Declarations, implementation
from leadline_tools.resolve.types.evaluation import Evaluator


class Interfaces:
    """Looks up the members of interfaces that members implement, and keeps them while the project stays as it is."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, declarations: Declarations) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._declarations = declarations
        self._implemented: dict[tuple[str, str, bool], tuple[SymbolRef, ...]] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._implemented.clear()

    def resolve_call(
        self, resolutions: Sequence[Resolution], path: str, scope: int, *, called: bool = True
    ) -> Sequence[Resolution]:
        """Return what a use of members may mean in a scope of a file: members of interfaces before implementations.

        What is not ``called`` is a field, where a type has a method of that name too.
        """
        first: list[Resolution] = []
        rest: list[Resolution] = []
        implemented = {
            one: named
            for one in resolutions
            if isinstance(one, SymbolRef) and (named := self._implemented_members(one, called=called))
        }
        seen = {one: self._in_scope(named, path, scope) for one, named in implemented.items()}
        if implemented and not any(seen.values()):
            elsewhere = self._implemented_elsewhere(implemented, path, scope)
            seen, resolutions = {**seen, **elsewhere}, [*resolutions, *elsewhere]
        is_known = any(seen.values())
        for resolution in resolutions:
            named = implemented.get(resolution, ()) if isinstance(resolution, SymbolRef) else ()
            if is_known and isinstance(resolution, SymbolRef) and resolution in seen:
                named = seen[resolution]
                if not named:
                    continue  # of an interface that is not in scope
            first += named
            rest.append(resolution)
        found: dict[tuple[str, str] | Resolution, Resolution] = {}
        for one in (*first, *rest):
            found.setdefault((one.path, one.name) if isinstance(one, SymbolRef) else one, one)
        return list(found.values())

    def _in_scope(self, named: Sequence[SymbolRef], path: str, scope: int) -> tuple[SymbolRef, ...]:
        """Return those of some members of interfaces that can be called in a scope."""
        return tuple(one for one in named if self._is_in_scope(one, path, scope))

    def _implemented_elsewhere(
        self, members: Iterable[SymbolRef], path: str, scope: int
    ) -> dict[SymbolRef, tuple[SymbolRef, ...]]:
        """Return what other files declare in the place of members, with the members of interfaces in scope."""
        found: dict[SymbolRef, tuple[SymbolRef, ...]] = {}
        for member in members:
            owner = self._evaluator.find_definition(member.path, owner_of(member.name))
            parts = self._declarations.declared_members(owner, member.name.rpartition(".")[2]) if owner else ()
            for place in dict.fromkeys((file, one.path) for file, one in parts if file != member.path):
                other = SymbolRef(*place, Reason.Receiver)
                if seen := self._in_scope(self._implemented_members(other), path, scope):
                    found[other] = seen
        return found

    def select_qualified(
        self, found: Sequence[Resolution], path: str, term: str, scope: int, interface: str
    ) -> Sequence[Resolution]:
        """Return which of some members a path means that names an interface beside a type, by its last name.

        All of them are returned where it is not known what that name means.
        """
        named = [one for one in parsed(term) if _last_name(one) == interface]
        wanted = self._origins(path, named[-1:], scope)
        meant = [one for one in found if isinstance(one, SymbolRef) and self._is_of(one, wanted)]
        names = {one.name.rpartition(".")[2] for one in meant}
        owners = self._origins(path, [one for one in parsed(term) if one not in named[-1:]], scope) if meant else ()
        parts = (part for of in owners for name in names for part in self._declarations.declared_members(of, name))
        implementing = (SymbolRef(file, one.path, Reason.Receiver) for file, one in parts)
        meant += [one for one in dict.fromkeys(implementing) if one not in meant and self._is_of(one, wanted)]
        return meant or found

    def _origins(self, path: str, terms: Sequence[Path], scope: int) -> Sequence[SymbolRef]:
        """Return the symbols that some terms stand for."""
        types = (type_ for one in terms for type_ in self._evaluator.evaluate_path(path, one, scope))
        return [one.origin for one in types if isinstance(one.origin, SymbolRef)]

    def _is_of(self, member: SymbolRef, interfaces: Sequence[SymbolRef]) -> bool:
        """Return whether a member is one of some interfaces, or implements one of those."""
        facts, _ = self._resolver.facts(member.path)
        lines = [one.line for one in facts.all_at(member.name)] if facts is not None else []
        owner = SymbolRef(member.path, member.name.rpartition(".")[0], Reason.Definition)
        implemented = self.implemented_at(member.path, member.name, lines) or ()
        return any(one.same(each) for one in interfaces for each in (owner, *implemented))

    def select_executed(self, called: Sequence[SymbolRef]) -> Sequence[SymbolRef]:
        """Return the members that run where a call means several: implementations, not members of interfaces."""
        if len(called) < 2:
            return called
        named = [one for member in called for one in self._implemented_members(member)]
        return [member for member in called if not any(one.same(member) for one in named)]

    def implements(self, member: SymbolRef, *, called: bool = True) -> bool:
        """Return whether a type has a member for interfaces alone, which may be from outside.

        Of a field and a method of one name it is the method that is ``called``.
        """
        facts, semantics = self._resolver.facts(member.path)
        if facts is None or semantics is None or not semantics.members.by_interface:
            return False
        owner = owner_of(member.name)
        bindings = _of_use(facts.all_at(member.name), called=called)
        return bool(owner and bindings) and all(implementation(facts, one, owner) is not None for one in bindings)

    def implemented_at(self, path: str, member: str, lines: Collection[int]) -> Sequence[SymbolRef] | None:
        """Return the interfaces for which the definitions of a member stand that are on some lines of a file.

        None where a member overrides what is called like it in any base: a method of Rust implements that of the trait
        alone in whose ``impl`` it stands, and a field or a method of the type itself none.
        https://doc.rust-lang.org/reference/items/implementations.html#trait-implementations
        """
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or not semantics.members.by_interface:
            return None
        bound = (one for one in facts.all_at(member) if one.line in lines)
        clauses = {one.scope: self._clause(facts, one) for one in bound}
        return [of for clause in clauses.values() if clause is not None for of in self._interfaces(path, clause)]

    def _clause(self, facts: Facts, member: Binding) -> Heritage | None:
        """Return the heritage of the implementation in which a member stands; None for what stands in none."""
        return implementation(facts, member, facts.scopes[member.scope].name) if member.scope > 0 else None

    def _implemented_members(self, member: SymbolRef, *, called: bool = True) -> tuple[SymbolRef, ...]:
        """Return the members of interfaces that a member implements; none for one that its type has by itself."""
        key = member.path, member.name, called
        if key not in self._implemented:
            self._implemented[key] = ()
            self._implemented[key] = self._find_implemented(member, called=called)
        return self._implemented[key]

    def _find_implemented(self, member: SymbolRef, *, called: bool) -> tuple[SymbolRef, ...]:
        facts, semantics = self._resolver.facts(member.path)
        if facts is None or semantics is None or not semantics.members.by_interface:
            return ()
        owner, name = owner_of(member.name), member.name.rpartition(".")[2]
        found: dict[tuple[str, str], SymbolRef] = {}
        for binding in _of_use(facts.all_at(member.name), called=called):
            heritage = implementation(facts, binding, owner)
            if heritage is None:
                return ()
            for interface in self._interfaces(member.path, heritage):
                own = self._declarations.own_member(interface, name)
                if own is not None and own.name != member.name:
                    found[own.path, own.name] = own
        return tuple(found.values())

    def _interfaces(self, path: str, heritage: Heritage) -> Iterator[SymbolRef]:
        for type_ in self._evaluator.evaluate_type(path, heritage.bases[0], heritage.scope, None):
            if isinstance(type_.origin, SymbolRef):
                yield type_.origin

    def _is_in_scope(self, member: SymbolRef, path: str, scope: int) -> bool:
        """Return whether a method of an interface can be called: it is imported, or it is what is around."""
        facts, _ = self._resolver.facts(path)
        name = member.name.rpartition(".")[0]
        interface = SymbolRef(member.path, name, Reason.Scope)
        found = self._resolver.scopes.lookup(path, name.rpartition(".")[2], scope, Role.Type)
        if facts is None or (isinstance(found, SymbolRef) and interface.same(found)):
            return facts is not None
        while scope > 0:
            kind, parent, around = facts.scopes[scope]
            if kind is ScopeKind.Class:
                here = (one for one in facts.heritage_of(around) if one.scope == parent and one.bases)
                if any(interface.same(of) for one in here for of in self._interfaces(path, one)):
                    return True
            scope = parent
        return False


def _last_name(term: Path) -> str:
    """Return the last segment of a path."""
    segments = [step.name for step in term.steps if step.op is Op.Member]
    return segments[-1] if segments else place_of(term.head).name


def _of_use(bindings: Sequence[Binding], *, called: bool) -> Sequence[Binding]:
    """Return the methods among the bindings of a member, or what else it is, where a type has both of one name."""
    chosen = [one for one in bindings if (one.sort == Sort.Callable) is called]
    return chosen or bindings
