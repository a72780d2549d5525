"""Members of objects of types from outside: methods of collections, what hosts declare, what the code base adds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.types import no_type
from leadline_tools.languages.terms import FUNCTION, parsed
from leadline_tools.resolve.members import host_types
from leadline_tools.resolve.members.added_members import AddedMembers
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import NonSymbol, SymbolRef
from leadline_tools.resolve.types.evaluation import Context, Evaluator
from leadline_tools.resolve.types.external_terms import is_known_type
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import COLLECTION_TYPE, TUPLE_TYPE, MemberAccess, Type, is_record


class ExternalMembers:
    """Evaluates members of types that the code base does not define."""

    def __init__(
        self, resolver: NameResolver, evaluator: Evaluator, inheritance: Inheritance, added_members: AddedMembers
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._inheritance = inheritance
        self._added_members = added_members

    def member_types(self, context: Context, types: Iterable[Type], name: str, *, called: bool) -> Sequence[Type]:
        """Return the members called ``name`` of objects from outside: methods of collections, what adds to a type.

        What is not called is no method of a collection: the part of a tuple may be called like one.
        """
        _, semantics = self._resolver.facts(context.path)
        host = semantics if semantics is not None and semantics.library.host_member is not None else None
        if host is not None:
            hosted = host_types.member_types(host, self._evaluator.resolve_aliases(types), name, called=called)
            if hosted:
                return hosted
        term = semantics.library.collections.get(name, "") if semantics is not None else ""
        term = "" if term.startswith(FUNCTION) and not called else term
        if semantics is None or not (term or _may_have_members(semantics)):
            return ()
        resolved = self._evaluator.resolve_aliases(types)
        of_heirs = [one for type_ in resolved for one in self._of_heirs(context, type_, semantics, name)]
        inner = semantics.library.member_types.get(name, "")
        generic = [one for one in resolved if not one.is_instance and one.arguments] if inner else []
        classes = [one for one in generic if isinstance(one.origin, NonSymbol)]
        objects = [
            one for type_ in resolved if term and (one := self._as_collection(type_, semantics, name)) is not None
        ]
        added = [(v, *one) for v in resolved for one in self._added_members.added_members(context.path, v, name)]
        evaluate, path, at = self._evaluator.evaluate_term, context.path, context.scope
        found: list[Type] = of_heirs
        for one in objects:
            found += evaluate(path, parsed(term), at, MemberAccess(one, one), typed=True)
        for one in classes:
            found += evaluate(path, parsed(inner), at, MemberAccess(replace(one, is_instance=True), one), typed=True)
        return [*found, *(Type(one, access=MemberAccess(replace(v, access=None), owner)) for v, one, owner in added)]

    def _of_heirs(self, context: Context, type_: Type, semantics: Semantics, name: str) -> Sequence[Type]:
        """Return a member that the language declares in each type with a base from outside, or in its objects."""
        library = semantics.library
        inherited = library.members_of_heirs_objects if type_.is_instance else library.members_of_heirs
        declared = any(name in members for members in inherited.values())
        for one in self._inheritance.mro(type_) if declared else ():
            term = inherited.get(one.origin.name, {}).get(name) if isinstance(one.origin, NonSymbol) else None
            if term:
                of = one if one.arguments else type_
                access = MemberAccess(replace(of, is_instance=True), of)
                return self._evaluator.evaluate_term(context.path, parsed(term), context.scope, access, typed=True)
            if isinstance(one.origin, SymbolRef) and self._evaluator.own_member(one.origin, name) is not None:
                return ()
        return ()

    def may_be_added(self, path: str, name: str) -> bool:
        """Return whether the code base adds a member to some type, for what a file sees."""
        return self._added_members.may_add(path, name)

    def _as_collection(self, type_: Type, semantics: Semantics, name: str) -> Type | None:
        """Return an object as the collection from outside that has a member; None where a type in between has it."""
        for one in self._inheritance.mro(type_) if type_.is_instance else ():
            if isinstance(one.origin, NonSymbol):
                known = not semantics.library.holders or is_known_type(semantics, one.origin.name)
                if one.arguments and not is_record(one) and known and _may_have(one, semantics, name):
                    return replace(one, is_instance=True)
            elif isinstance(one.origin, SymbolRef) and self._evaluator.own_member(one.origin, name) is not None:
                return None
            elif self._inherits_member(one, semantics, name):
                return type_
        return None

    def _inherits_member(self, type_: Type, semantics: Semantics, name: str) -> bool:
        """Return whether a type has a member by a base from outside that it names and that holds what the type says."""
        known = semantics.library.collection_members_of_heirs
        bases = self._inheritance.external_bases(type_) if any(name in names for names in known.values()) else ()
        return any(name in known.get(term.partition("<")[0].rpartition(".")[2], ()) for term in bases)


def _may_have(type_: Type, semantics: Semantics, name: str) -> bool:
    """Return whether an object from outside may have a member: a collection without a name has only those of all."""
    members = semantics.library.collection_members
    return not members or name in members or type_.origin not in (COLLECTION_TYPE, TUPLE_TYPE)


def _may_have_members(semantics: Semantics) -> bool:
    """Return whether types from outside may have members by the rules of a language, besides those of collections."""
    added = semantics.members.has_extensions or semantics.types.native_type is not no_type
    return bool(added or semantics.library.member_types or semantics.library.members_of_heirs)
