"""What types inherit from, in the order in which members are looked for, and what inherits from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from leadline_tools.languages.facts import NAMELESS, Heritage
from leadline_tools.languages.language import Scoping
from leadline_tools.languages.terms import parsed
from leadline_tools.model import Reason
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, NonSymbol, Resolution, SymbolRef
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.type import MemberAccess, Type

_MOST_TYPES = 1_000
"""Types that one inherits from: type arguments can make new ones without end."""


class Clause(NamedTuple):
    """What a type says it inherits from: the file that says so, what it says, the type; None for one without symbol."""

    path: str
    heritage: Heritage
    of: SymbolRef | None


class Inheritance:
    """The types of a project and what they say they inherit from; kept for as long as the project stays as it is."""

    def __init__(self, resolver: NameResolver, evaluator: Evaluator, declarations: Declarations) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._declarations = declarations
        self._linear: dict[Type, tuple[Type, ...]] = {}
        self._open: list[Resolution] = []
        self._undecided: set[tuple[str, str]] = set()

    def forget(self) -> None:
        """Let go of what was found out."""
        self._linear.clear()

    def mro(self, value: Type) -> tuple[Type, ...]:
        """Return a type and all that it inherits from, in the order in which members are looked for."""
        start = Type(value.of, arguments=value.arguments)
        if start not in self._linear:
            self._linear[start] = (start,)  # what a circle of bases finds on its way back
            self._linear[start] = self._by_depth(start) if self._is_shallow(start) else self._in_depth(start)
        return self._linear[start]

    def _is_shallow(self, value: Type) -> bool:
        """Tell whether of the members of a type that are called alike the one over the fewest steps is meant."""
        _, scoping = self._resolver.facts(value.of.path) if isinstance(value.of, SymbolRef) else (None, None)
        return scoping is not None and scoping.members.shallow

    def _by_depth(self, start: Type) -> tuple[Type, ...]:
        """Return a type and all that it inherits from, those over fewer steps first."""
        found = level = [start]
        while level and len(found) <= _MOST_TYPES:
            level = list(dict.fromkeys(base for one in level for base in self.bases(one) if base not in found))
            found = [*found, *level]
        return tuple(found)

    def _in_depth(self, start: Type) -> tuple[Type, ...]:
        """Return a type and all that it inherits from, each before what it inherits from itself."""
        found = [start]
        self._open.append(start.of)
        for base in self.bases(start):
            # A template may inherit from itself with other arguments, which may have more of them at each step.
            for further in (base,) if base.of in self._open else self.mro(base):
                if further in found:
                    found.remove(further)
                found.append(further)
        self._open.pop()
        return tuple(found)

    def bases(self, value: Type) -> list[Type]:
        """Return the types that a type says it inherits from."""
        if not isinstance(value.of, SymbolRef):
            return []
        taken = MemberAccess(value, value)
        found = [
            Type(base.of, arguments=base.arguments)
            for path, heritage, term in self._terms(value.of)
            for base in self._said(value.of, path, heritage, term, taken)
        ]
        return list(dict.fromkeys(found)) or self._root(value.of)

    def _terms(self, of: SymbolRef) -> Iterator[tuple[str, Heritage, str]]:
        """Yield what a type says it inherits from, with the file and the place where it does."""
        for path, heritage in self._declarations.heritage(of):
            yield from ((path, heritage, term) for term in heritage.bases)

    def _root(self, of: SymbolRef) -> list[Type]:
        """Return what a type inherits from that says nothing of it."""
        _, scoping = self._resolver.facts(of.path)
        found = (
            self._evaluator.evaluate_type(of.path, scoping.members.root, 0, None)
            if scoping is not None and scoping.members.root
            else ()
        )
        return [Type(root.of) for root in found]

    def outside(self, value: Type) -> list[str]:
        """Return what a type says it inherits from that is not in the code base, as it is written."""
        if not isinstance(value.of, SymbolRef):
            return []
        taken = MemberAccess(value, value)
        return [
            term
            for path, heritage, term in self._terms(value.of)
            if not any(isinstance(v.of, SymbolRef) for v in self._said(value.of, path, heritage, term, taken))
        ]

    def clauses(self, path: str) -> Iterator[Clause]:
        """Yield what the types of a file say they inherit from."""
        facts, scoping = self._resolver.facts(path)
        for heritage in facts.heritage if facts is not None else ():
            if not heritage.bases:
                continue
            if heritage.path.startswith(NAMELESS):
                yield Clause(path, heritage, None)
                continue
            of = self._evaluator.find_definition(path, heritage.path)
            if (
                of is None and scoping is not None and scoping.members.extends
            ):  # a type from outside, or any type of a kind
                of = SymbolRef(path, heritage.path, Reason.Definition)
            yield Clause(path, heritage, of)

    def resolve_base(self, clause: Clause, term: str) -> Sequence[Type]:
        """Return the types that one of the bases of a type stands for; none where that is not known."""
        if clause.of is None:
            return self._evaluator.evaluate_type(clause.path, term, clause.heritage.scope, None)
        value = Type(clause.of)
        return self._said(clause.of, clause.path, clause.heritage, term, MemberAccess(value, value))

    def has_others(self, value: Type) -> bool:
        """Tell whether what a type does not have of the code base is surely of what it inherits from outside."""
        found, outside = self.mro(value), False
        for one in found:
            if isinstance(one.of, SymbolRef):
                _, scoping = self._resolver.facts(one.of.path)
                known = (
                    bool(self._said(one.of, path, heritage, term, MemberAccess(one, one)))
                    for path, heritage, term in self._terms(one.of)
                )
                if scoping is None or not scoping.members.shallow or not all(known):
                    return False
            outside = outside or one.of == EXTERNAL
        return outside

    def is_external_member(self, value: Type, types: Sequence[Type], name: str) -> bool:
        """Tell whether a member of an object that no type of the code base declares is one of a base from outside.

        ``types`` are those in which it is looked for. A base of which nothing is known may have it, unless a subtype of
        the type of the object may declare what is meant.
        """
        _, scoping = self._resolver.facts(value.of.path) if isinstance(value.of, SymbolRef) else (None, None)
        above = [Type(value.above)] if value.above is not None else []
        members = self._members_from_outside(types, above, scoping) if scoping is not None else None
        if members is None or not isinstance(value.of, SymbolRef):
            return False
        if any(some is not None and name in some for some in members):
            return True
        return None in members and (value.above is not None or not self._may_be_of_subtype(value.of, name))

    def _members_from_outside(
        self, types: Sequence[Type], above: Sequence[Type], scoping: Scoping
    ) -> list[AbstractSet[str] | None] | None:
        """Return the members of the bases from outside of types, None for one of unknown members; None for no list.

        There is none where a base is not known, or where a type has a method that is called for any member. Of the
        types ``above`` the bases count, and not their own members.
        """
        if scoping.library.external_members is None:
            return None
        found = [scoping.library.external_members("")]
        for one in (*above, *types):
            if isinstance(one.of, NonSymbol) and one.of != EXTERNAL:
                return None
            if not isinstance(one.of, SymbolRef):
                continue
            hooks = scoping.library.member_hooks if one not in above else ()
            if any(self._declarations.own_member(one.of, hook) is not None for hook in hooks):
                return None
            for path, heritage, term in self._terms(one.of):
                bases = self._said(one.of, path, heritage, term, MemberAccess(one, one))
                if any(isinstance(base.of, SymbolRef) for base in bases):
                    continue
                if not bases or self._may_be_in_tree(path, term):
                    return None
                found.append(scoping.library.external_members(term))
        return found

    def _may_be_in_tree(self, path: str, term: str) -> bool:
        """Tell whether a base may be of a module that is in the code base and was not found where it is imported."""
        facts, _ = self._resolver.facts(path)
        heads = {one.head for one in parsed(term)}
        bound = (one for head in heads for one in (facts.named(head) if facts is not None else ()))
        modules = {facts.imports[one.imported].module for one in bound if facts is not None and one.imported >= 0}
        folders = {module.partition(".")[0] for module in modules}
        return any(not folder or self._resolver.project.has_folder(folder) for folder in folders)

    def _may_be_of_subtype(self, of: SymbolRef, name: str) -> bool:
        """Tell whether a type that inherits from another one may have a member that some type declares."""
        project = self._resolver.project
        return bool(project.defining(name, of.path)) and project.may_be_inherited(of)

    def knows_bases(self, of: SymbolRef) -> bool:
        """Tell whether each type that a type inherits from is known: of the code base, or from outside."""
        if not self.is_decided(of):
            return False
        types = (one for one in self.mro(Type(of)) if isinstance(one.of, SymbolRef))
        return all(
            bool(self._said(one.of, path, heritage, term, MemberAccess(one, one)))
            for one in types
            if isinstance(one.of, SymbolRef)
            for path, heritage, term in self._terms(one.of)
        )

    def _said(self, of: SymbolRef, path: str, heritage: Heritage, term: str, taken: MemberAccess) -> Sequence[Type]:
        """Return the types that a base of a type stands for, which is not looked for among what it inherits."""
        key = of.path, of.name
        if key in self._undecided:
            return self._evaluator.evaluate_type(path, term, heritage.scope, taken)
        self._undecided.add(key)
        try:
            return self._evaluator.evaluate_type(path, term, heritage.scope, taken)
        finally:
            self._undecided.discard(key)

    def is_decided(self, of: SymbolRef) -> bool:
        """Tell whether it is not just being found out what a type inherits from."""
        return (of.path, of.name) not in self._undecided

    def names(self, of: SymbolRef) -> Sequence[str]:
        """Return the names of the members of a type, inherited ones too."""
        found: dict[str, None] = {}
        for one in self.mro(Type(of)):
            if isinstance(one.of, SymbolRef):
                facts, _ = self._resolver.facts(one.of.path)
                paths = (binding.path for binding in facts.bindings) if facts is not None else ()
                found.update((p[len(one.of.name) + 1 :], None) for p in paths if p.startswith(f"{one.of.name}."))
        return [name for name in found if "." not in name]
