"""The types of receivers: of what stands before the member that a use is."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages import language_of, terms
from leadline_tools.languages.facts import Use, belongs_to_type
from leadline_tools.languages.joined_types import without_joins
from leadline_tools.languages.terms import BARE, FUNCTION, PRIMITIVE, UNKNOWN, Path, parsed
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import (
    EXTERNAL,
    ExternalType,
    LocalName,
    NonSymbol,
    Resolution,
    SymbolRef,
    is_same,
)
from leadline_tools.resolve.types.type import COLLECTION_TYPE, Type, is_record

_NOTHING = frozenset({"", "None", "null", "undefined", "nil", "void", FUNCTION, PRIMITIVE})
"""Names of external types that are none: of what is not known, and of what has no members that are looked for."""


class Receivers:
    """Evaluates the receivers of uses."""

    def __init__(self, resolver: NameResolver, evaluator: TypeEvaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = evaluator.definitions
        self._bound_types = evaluator.bound_types
        self._added_members = evaluator.added_members
        self._members = evaluator.members

    def _evaluate(self, path: str, term: str, scope: int) -> Sequence[Type]:
        """Return what a term stands for, aliases resolved."""
        return self._evaluator.resolve_aliases(self._evaluator.evaluate(path, term, scope))

    def is_external(self, path: str, term: str, scope: int) -> bool:
        """Return whether a term stands for nothing but what something from outside has made."""
        types = self._evaluate(path, term, scope)
        is_native = self._added_members.is_native
        return bool(types) and all(isinstance(one.origin, NonSymbol) and not is_native(path, one) for one in types)

    def is_in_code_base(self, path: str, use: Use) -> bool:
        """Return whether what an occurrence is a member of is something of the code base."""
        named = self._evaluator.evaluate(path, use.receiver.removesuffix("|"), use.scope)
        return any(isinstance(type_.origin, SymbolRef) for type_ in (*named, *self._evaluator.resolve_aliases(named)))

    def declares_any_member(self, path: str, use: Use) -> bool:
        """Return whether an occurrence is a member of what has members of any name: ``{[key: string]: T}``."""
        types = self._evaluate(path, use.receiver.removesuffix("|"), use.scope)
        owners = (of.origin for one in types if one.is_instance for of in self._evaluator.inheritance.mro(one))
        records = (one.name for one in owners if isinstance(one, ExternalType) and terms.is_record(one.name))
        return any(terms.members_of_record(name)[-1] == terms.ANY for name in records)

    def may_be_another(self, path: str, use: Use, meant: Resolution) -> bool:
        """Return whether an occurrence that may mean a definition may be a member of something else.

        It may be one of something from outside or unknown, or of an object that was given what is meant as a member.
        """
        receiver = use.receiver.removesuffix("|")
        if receiver in (BARE, UNKNOWN) or use.imported >= 0 or use.role is Role.Definition:
            return False
        if self._may_be_external(path, receiver, use.scope, meant):
            return True
        return self._may_be_unknown(path, receiver, use.scope)

    def is_partly_unknown(self, path: str, use: Use) -> bool:
        """Return whether an occurrence is a member of one of several values, of which not all are known."""
        receiver = use.receiver.removesuffix("|")
        if receiver in (BARE, UNKNOWN) or use.imported >= 0 or use.role is Role.Definition:
            return False
        return self._may_be_unknown(path, receiver, use.scope)

    def is_held_by_key(self, path: str, name: str, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether all that an occurrence means is what an object holds under a key, which another type declares.

        ``const routes = { a: { run: start } } satisfies Record<string, Route>``: ``routes.a.run`` runs ``start``, and
        is a use of ``Route.run``, as the key is.
        """
        receiver = use.receiver.removesuffix("|")
        is_key = use.role is Role.Other  # it is a member of what is written there
        if is_key or receiver in (BARE, UNKNOWN) or use.imported >= 0:
            return False
        if any(isinstance(one, LocalName) for one in meanings):
            return False
        records = [one for one in self._evaluate(path, receiver, use.scope) if is_record(one)]
        held = [one.origin for record in records for one in self._evaluator.record_member_types(record, name)]
        return bool(held and meanings) and all(
            isinstance(one, NonSymbol) or any(is_same(one, other) for other in held) for one in meanings
        )

    def _may_be_external(self, path: str, receiver: str, scope: int, meant: Resolution) -> bool:
        """Return whether a term may stand for something of a type from outside, or for what was given what is meant."""
        types = self._evaluate(path, receiver, scope)
        if any(is_same(meant, one.origin) for v in types if is_record(v) for held in v.arguments for one in held):
            return True
        declared = [type_ for type_ in types if not type_.is_fallback]
        counted = declared if any(isinstance(one.origin, SymbolRef) for one in declared) else types
        outside = (one for one in counted if not self._added_members.is_native(path, one) and not is_record(one))
        return any(isinstance(type_.origin, NonSymbol) and type_.origin.name not in _NOTHING for type_ in outside)

    def _may_be_unknown(self, path: str, receiver: str, scope: int) -> bool:
        """Return whether a term stands for one of several values of which not all are known.

        They may be those that a local name is given: no flow is followed, so the one that is known need not be the one
        that the name has there.
        """
        either = parsed(receiver)
        if len(either) > 1 and not all(self._is_in_code_base_or_nothing(path, one, scope) for one in either):
            return True
        return any(self._bound_types.is_partly_unknown(path, one.head, scope) for one in either)

    def _is_in_code_base_or_nothing(self, path: str, one: Path, scope: int) -> bool:
        """Return whether a term stands for something of the code base, or for nothing."""
        types = self._evaluator.evaluate_term(path, (without_joins(one),), scope, None, typed=False)
        return one.head in _NOTHING or any(type_.origin != EXTERNAL for type_ in types)

    def nearest_assigned_member(self, path: str, use: Use, name: str) -> SymbolRef | None:
        """Return the attribute of the nearest type of an object, where methods alone declare it; None for any other."""
        types = self._evaluate(path, use.receiver.removesuffix("|"), use.scope)
        for owner in self._members.mro_after_super(types[0]) if len(types) == 1 else ():
            member = self._members.own_member(owner.origin, name) if isinstance(owner.origin, SymbolRef) else None
            if member is None:
                continue
            if not isinstance(member, SymbolRef) or not self._definitions.is_assigned(member):
                return None
            if self._overrides(member):
                return member
        return None

    def _overrides(self, member: SymbolRef) -> bool:
        """Return whether an attribute to which methods give values is another one than that of a base."""
        facts, semantics = self._resolver.facts(member.path)
        language = language_of(member.path)
        if facts is None or language is None or semantics is None or not semantics.members.constructors_override:
            return True
        around = (facts.around(one.spelled).rpartition(".")[2] for one in self._definitions.bindings(member))
        return not language.names.constructors.isdisjoint(around)

    def types(self, path: str, use: Use) -> Sequence[SymbolRef]:
        """Return the types of the code base that the object may have of which a use is a member."""
        if use.receiver in (BARE, UNKNOWN):
            return ()
        types = self._evaluate(path, use.receiver.removesuffix("|"), use.scope)
        return [type_.origin for type_ in types if isinstance(type_.origin, SymbolRef)]

    def side(self, path: str, use: Use) -> bool | None:
        """Return whether a use is a member of a type itself, and not of its objects; None where it may be either."""
        facts, _ = self._resolver.facts(path)
        if facts is None or use.receiver == UNKNOWN:
            return None
        if use.receiver == BARE:
            return belongs_to_type(facts.scopes, use.scope)
        sides = {one.is_instance for one in self._evaluate(path, use.receiver.removesuffix("|"), use.scope)}
        return not sides.pop() if len(sides) == 1 else None

    def is_of_nameless_type(self, path: str, name: str, use: Use) -> bool:
        """Return whether a use is a member of an object whose type has no name: a literal, or one written in place."""
        if use.receiver in (BARE, UNKNOWN):
            return False
        _, semantics = self._resolver.facts(path)
        types = self._evaluate(path, use.receiver.removesuffix("|"), use.scope)
        usual = semantics.library.collection_members if semantics is not None else frozenset[str]()
        held = bool(usual) and name not in usual
        return any(is_record(type_) or (held and type_.origin == COLLECTION_TYPE) for type_ in types)
