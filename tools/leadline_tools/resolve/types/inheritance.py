"""Inheritance of types: their bases, and their MRO, the order in which members are looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from leadline_tools.languages.facts import NAMELESS, Heritage
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import FUNCTION, RECORD, TUPLE, parsed
from leadline_tools.model import Reason
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, NonSymbol, Resolution, SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.known_parts import KnownParts
from leadline_tools.resolve.types.type import PRIMITIVE_TYPE, MemberAccess, Type

_MOST_TYPES = 1_000
"""Types that one inherits from: type arguments can make new ones without end."""


class Clause(NamedTuple):
    """The bases that a type names: the file, the heritage there, and the type; None for one without a symbol."""

    path: str
    heritage: Heritage
    of: SymbolRef | None


class Inheritance:
    """Evaluates the bases of types and keeps their MRO for as long as the project stays as it is."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, declarations: Declarations) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._declarations = declarations
        self._orders: dict[Type, tuple[Type, ...]] = {}
        self._path: list[Resolution] = []
        self._evaluating: set[tuple[str, str]] = set()
        self._unfinished: set[Type] = set()
        self._parts = KnownParts(declarations)
        self._circles = 0

    def forget(self) -> None:
        """Let go of what was found out."""
        self._orders.clear()
        self._parts.forget()

    @property
    def is_idle(self) -> bool:
        """Return whether no base is being evaluated."""
        return not self._evaluating and not self._path

    def mro(self, type_: Type) -> tuple[Type, ...]:
        """Return a type and all that it inherits from, in the order in which members are looked for."""
        start = Type(type_.origin, arguments=type_.arguments, filters=type_.filters)
        if start in self._unfinished:
            self._circles += 1
        part = self._parts.find(start, self._unfinished) if start not in self._orders else None
        if part in self._unfinished:
            self._circles += 1
            return (start,)
        if part is not None:
            self._orders[start] = (start, *self._orders[part][1:])
        if start not in self._orders:
            circles = self._circles
            self._orders[start] = (start,)  # what a circle of bases finds on its way back
            self._unfinished.add(start)
            is_breadth_first = self._is_breadth_first(start)
            self._orders[start] = self._breadth_first(start) if is_breadth_first else self._depth_first(start)
            self._unfinished.discard(start)
            if self._circles > circles and (self._unfinished or self._evaluating):
                return self._orders.pop(start)  # it was cut short by a base that is still being evaluated
            self._parts.add(start)
        return self._orders[start]

    def is_assignable(self, value: Type, declared: Type) -> bool:
        """Return whether an object may be assigned to what has a type of the code base: of a subtype, or a protocol."""
        if not (value.is_instance and isinstance(value.origin, SymbolRef) and isinstance(declared.origin, SymbolRef)):
            return False
        facts, semantics = self._resolver.facts(declared.origin.path)
        protocols = semantics.members.protocol_bases if semantics is not None else frozenset[str]()
        clauses = facts.heritage_of(declared.origin.name) if facts is not None and protocols else ()
        bases = (term.partition("<")[0].rpartition(".")[2] for one in clauses for term in one.bases)
        return any(one in protocols for one in bases) or any(one.origin == declared.origin for one in self.mro(value))

    def injected_name(self, of: SymbolRef, name: str) -> SymbolRef | None:
        """Return the base of a type that its members know by the last part of its name: [class.pre] of C++."""
        facts, semantics = self._resolver.facts(of.path)
        if facts is None or semantics is None or not semantics.visibility.links_definitions:
            return None
        bases = self.mro(Type(of))[1:] if facts.heritage_of(of.name) else ()
        named = (one.origin for one in bases if isinstance(one.origin, SymbolRef))
        return next((one for one in named if one.name.rpartition(".")[2] == name), None)

    def _is_breadth_first(self, type_: Type) -> bool:
        """Return whether of the members of a type that are called alike the one over the fewest steps is meant."""
        _, semantics = self._resolver.facts(type_.origin.path) if isinstance(type_.origin, SymbolRef) else (None, None)
        return semantics is not None and semantics.members.shallow

    def _breadth_first(self, start: Type) -> tuple[Type, ...]:
        """Return a type and all that it inherits from, those over fewer steps first."""
        found = level = [start]
        while level and len(found) <= _MOST_TYPES:
            level = list(dict.fromkeys(base for one in level for base in self.bases(one) if base not in found))
            found = [*found, *level]
        return tuple(found)

    def _depth_first(self, start: Type) -> tuple[Type, ...]:
        """Return a type and all that it inherits from, each before what it inherits from itself."""
        found = [start]
        self._path.append(start.origin)
        for base in self.bases(start):
            # A template may inherit from itself with other arguments, which may have more of them at each step.
            for further in (base,) if base.origin in self._path else self.mro(base):
                if further == start:
                    continue  # an object may inherit from the type of its name
                if further in found:
                    found.remove(further)
                found.append(further)
        self._path.pop()
        return tuple(found)

    def bases(self, type_: Type, *, of_twin: bool | None = None) -> list[Type]:
        """Return the direct bases of a type; with ``of_twin`` only those of the object beside it, or of the type."""
        if not isinstance(type_.origin, SymbolRef):
            return []
        access = MemberAccess(type_, type_)
        found = [
            Type(base.origin, arguments=base.arguments, filters=(*base.filters, *type_.filters))
            for path, heritage, term in self._base_terms(type_.origin)
            if of_twin is None or heritage.of_twin is of_twin
            for base in self._evaluate_base(type_.origin, path, heritage, term, access)
        ]
        return list(dict.fromkeys(found)) or self._implicit_bases(type_.origin)

    def _base_terms(self, of: SymbolRef) -> Iterator[tuple[str, Heritage, str]]:
        """Yield the terms of the bases of a type, each with its file and the heritage that names it."""
        for path, heritage in self._declarations.heritage(of):
            yield from ((path, heritage, term) for term in heritage.bases)

    def _implicit_bases(self, of: SymbolRef) -> list[Type]:
        """Return the bases of a type that names none: the root of all types, as ``Object``."""
        _, semantics = self._resolver.facts(of.path)
        if semantics is None or not semantics.members.root_type:
            return []
        roots = self._evaluator.evaluate_type(of.path, semantics.members.root_type, 0, None)
        return [Type(root.origin) for root in roots]

    def external_bases(self, type_: Type) -> list[str]:
        """Return the terms of the bases of a type that are not in the code base."""
        if not isinstance(type_.origin, SymbolRef):
            return []
        access = MemberAccess(type_, type_)
        found: list[str] = []
        for path, heritage, term in self._base_terms(type_.origin):
            bases = self._evaluate_base(type_.origin, path, heritage, term, access)
            nameless = term.startswith((FUNCTION, RECORD, TUPLE))  # what its signatures, or fields, say of it
            if not nameless and not any(isinstance(base.origin, SymbolRef) for base in bases):
                found.append(term)
        return found

    def base_clauses(self, path: str) -> Iterator[Clause]:
        """Yield the bases that the types of a file name."""
        facts, semantics = self._resolver.facts(path)
        for heritage in facts.heritage if facts is not None else ():
            if not heritage.bases:
                continue
            if heritage.path.startswith(NAMELESS):
                yield Clause(path, heritage, None)
                continue
            of = self._evaluator.find_definition(path, heritage.path)
            extends = (
                semantics is not None and semantics.members.extends_named_types
            )  # a type from outside, or any type of a kind
            if of is None and extends:
                of = SymbolRef(path, heritage.path, Reason.Definition)
            yield Clause(path, heritage, of)

    def resolve_base(self, clause: Clause, term: str) -> Sequence[Type]:
        """Return the types that one of the bases of a type stands for; none where that is not known."""
        if clause.of is None:
            return self._evaluator.evaluate_type(clause.path, term, clause.heritage.scope, None)
        type_ = Type(clause.of)
        return self._evaluate_base(clause.of, clause.path, clause.heritage, term, MemberAccess(type_, type_))

    def has_external_base(self, type_: Type) -> bool:
        """Return whether a member that no type of the code base declares is surely one of an external base."""
        is_external = False
        for one in self.mro(type_):
            if isinstance(one.origin, SymbolRef):
                _, semantics = self._resolver.facts(one.origin.path)
                if semantics is None or not semantics.members.shallow or not self._knows_direct_bases(one, one.origin):
                    return False
            is_external = is_external or one.origin in (EXTERNAL, PRIMITIVE_TYPE)
        return is_external

    def is_external_member(self, type_: Type, types: Sequence[Type], name: str) -> bool:
        """Return whether a member of an object that no type of the code base declares is one of a base from outside.

        ``types`` are those in which it is looked for. A base of which nothing is known may have it, unless a subtype of
        the type of the object may declare what is meant.
        """
        _, semantics = self._resolver.facts(type_.origin.path) if isinstance(type_.origin, SymbolRef) else (None, None)
        above = [Type(type_.super_of)] if type_.super_of is not None else []
        members = self._external_members(types, above, semantics) if semantics is not None else None
        if members is None or not isinstance(type_.origin, SymbolRef):
            return False
        if any(some is not None and name in some for some in members):
            return True
        return None in members and (type_.super_of is not None or not self._may_be_of_subtype(type_.origin, name))

    def _external_members(
        self, types: Sequence[Type], above: Sequence[Type], semantics: Semantics
    ) -> list[AbstractSet[str] | None] | None:
        """Return the members of the bases from outside of types, None for one of unknown members; None for no list.

        There is none where a base is not known, or where a type has a method that is called for any member. Of the
        types ``above`` the bases count, and not their own members.
        """
        if semantics.library.external_members is None:
            return None
        found = [semantics.library.external_members("")]
        for one in (*above, *types):
            if isinstance(one.origin, NonSymbol) and one.origin != EXTERNAL:
                return None
            if not isinstance(one.origin, SymbolRef):
                continue
            hooks = semantics.library.member_hooks if one not in above else ()
            if any(self._declarations.own_member(one.origin, hook) is not None for hook in hooks):
                return None
            for path, heritage, term in self._base_terms(one.origin):
                bases = self._evaluate_base(one.origin, path, heritage, term, MemberAccess(one, one))
                if any(isinstance(base.origin, SymbolRef) for base in bases):
                    continue
                if not bases or self._may_be_in_tree(path, term):
                    return None
                found.append(semantics.library.external_members(term))
        return found

    def _may_be_in_tree(self, path: str, term: str) -> bool:
        """Return whether a base may be of a module that is in the code base and was not found where it is imported."""
        facts, _ = self._resolver.facts(path)
        heads = {one.head for one in parsed(term)}
        bound = (one for head in heads for one in (facts.named(head) if facts is not None else ()))
        modules = {facts.imports[one.imported].module for one in bound if facts is not None and one.imported >= 0}
        folders = {module.partition(".")[0] for module in modules}
        return any(not folder or self._resolver.project.has_folder(folder) for folder in folders)

    def _may_be_of_subtype(self, of: SymbolRef, name: str) -> bool:
        """Return whether a type that inherits from another one may have a member that some type declares."""
        project = self._resolver.project
        return bool(project.defining(name, of.path)) and project.subtype_names.may_be_inherited(of)

    def knows_bases(self, of: SymbolRef) -> bool:
        """Return whether each type that a type inherits from is known: of the code base, or from outside."""
        if not self.is_decided(of):
            return False
        return all(
            self._knows_direct_bases(one, one.origin) for one in self.mro(Type(of)) if isinstance(one.origin, SymbolRef)
        )

    def _knows_direct_bases(self, type_: Type, of: SymbolRef) -> bool:
        """Return whether each base that a type names is known."""
        access = MemberAccess(type_, type_)
        return all(
            self._evaluate_base(of, path, heritage, term, access) for path, heritage, term in self._base_terms(of)
        )

    def _evaluate_base(
        self, of: SymbolRef, path: str, heritage: Heritage, term: str, access: MemberAccess
    ) -> Sequence[Type]:
        """Return what a base of a type stands for; names in it are not looked up among what the type inherits."""
        key = of.path, of.name
        if key in self._evaluating:
            self._circles += 1
            return self._evaluator.evaluate_type(path, term, heritage.scope, access)
        self._evaluating.add(key)
        try:
            return self._evaluator.evaluate_type(path, term, heritage.scope, access)
        finally:
            self._evaluating.discard(key)

    def is_decided(self, of: SymbolRef) -> bool:
        """Return whether no base of a type is being evaluated."""
        return (of.path, of.name) not in self._evaluating

    def member_names(self, of: SymbolRef) -> Sequence[str]:
        """Return the names of the members of a type, inherited ones too."""
        found: dict[str, None] = {}
        for one in self.mro(Type(of)):
            if isinstance(one.origin, SymbolRef):
                facts, _ = self._resolver.facts(one.origin.path)
                paths = (binding.path for binding in facts.bindings) if facts is not None else ()
                found.update(
                    (p[len(one.origin.name) + 1 :], None) for p in paths if p.startswith(f"{one.origin.name}.")
                )
        return [name for name in found if "." not in name]
