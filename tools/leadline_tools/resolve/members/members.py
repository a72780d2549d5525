"""Members of types: looked up in a type before its bases, in the order of their resolution.

A member is declared by a type, given to its objects by methods, exported by a module, or written out in a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages import terms
from leadline_tools.languages.facts import Sort, nameless_scope
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, TAGS
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.members import host_types
from leadline_tools.resolve.members.added_members import AddedMembers
from leadline_tools.resolve.members.member_filters import leaves_member
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import (
    EXTERNAL,
    ExternalType,
    LocalName,
    Module,
    Resolution,
    SymbolRef,
    alternatives,
    is_same,
)
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.twins import Twins
from leadline_tools.resolve.types.type import PRIMITIVE_TYPE, UNKNOWN_TYPE, MemberAccess, Type, is_record

_WRAPPERS = ("String", "Number", "Boolean", "BigInt", "Symbol", "RegExp", "Object")
"""The types whose members strings, numbers and the like have: https://tc39.es/ecma262/#sec-fundamental-objects."""


class MemberLookup:
    """Looks up the members of types, each with the type that declares it."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: Evaluator,
        definitions: Definitions,
        declarations: Declarations,
        inheritance: Inheritance,
        added_members: AddedMembers,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = definitions
        self._declarations = declarations
        self._inheritance = inheritance
        self._twins = Twins(resolver, inheritance)
        self._added_members = added_members
        self._passing: set[tuple[SymbolRef, str]] = set()

    def resolve_member(self, type_: Type, name: str, *, called: bool = False) -> Iterator[Resolution]:
        """Yield what the member ``name`` of a type may mean, or of what that is an alias of."""
        resolved = self._evaluator.resolve_alias(type_)
        return (resolution for one in resolved for resolution, _ in self.lookup_member(one, name, called=called))

    def lookup_member(
        self, type_: Type, name: str, *, called: bool = False, given: bool = False
    ) -> Iterator[tuple[Resolution, Type]]:
        """Yield the meanings of a member, each with the type that declares it; see ``lookup_by_mro`` for ``given``."""
        if leaves_member(self._evaluator, type_, name):
            yield from self._lookup_unfiltered(type_, name, called=called, given=given)

    def _lookup_unfiltered(
        self, type_: Type, name: str, *, called: bool, given: bool
    ) -> Iterator[tuple[Resolution, Type]]:
        match type_.origin:
            case Module():
                resolution = self._resolver.exports.lookup(type_.origin, name)
                if resolution is not None:
                    yield from ((one, type_) for one in alternatives(resolution))
            case SymbolRef():
                found = self.lookup_by_mro(type_, name, called=called, given=given)
                found = found or [(one, type_) for one in self._member_of_export(type_.origin, name)]
                yield from found or self._added_members.members_of_declared(type_.origin.path, type_, name)
                yield from ((held, owner) for one, owner in found for held in self._held_functions(one))
                passed_on = self._reexported_member(type_, name) if not found else None
                if passed_on is not None:
                    yield passed_on, type_
                elif not found and type_.is_instance and self._inheritance.has_external_base(type_):
                    yield EXTERNAL, type_
            case ExternalType() if is_record(type_):
                yield from ((one, type_) for one in self._record_member(type_, name))
            case ExternalType() if type_.origin != UNKNOWN_TYPE:
                merged = list(host_types.merged_members(self._resolver, type_, name)) if type_.is_instance else []
                if merged:
                    yield from ((one, Type(replace(one, name=one.name.rpartition(".")[0]))) for one in merged)
                elif not self._may_extend(type_.origin, name):
                    yield EXTERNAL, type_
            case _:
                return

    def _may_extend(self, external: ExternalType, name: str) -> bool:
        """Return whether the code base may give a type from outside a member.

        Strings, numbers and the like get one by ``String.prototype.a = ...``.
        """
        if external == EXTERNAL:
            return host_types.may_be_merged(self._resolver, name)
        if external != PRIMITIVE_TYPE:
            return False
        project = self._resolver.project
        files = project.defining(name, "")
        return any(project.may_declare(file, f"{wrapper}.{name}") for file in files for wrapper in _WRAPPERS)

    def _record_member(self, type_: Type, name: str) -> Sequence[Resolution]:
        """Return the functions and types that a member of a record holds; else it is nothing that is declared."""
        held = self.record_member_types(type_, name)
        declared = self._functions_and_types(held)
        of = type_.origin.name if isinstance(type_.origin, ExternalType) else ""
        return declared or ([EXTERNAL] if held or terms.member_of_record(of, name) < 0 else ())

    def _member_of_export(self, of: SymbolRef, name: str) -> Sequence[Resolution]:
        """Return the member that a module gives what it exports as a whole: ``module.exports.a = ...``."""
        facts, semantics = self._resolver.facts(of.path)
        if facts is None or semantics is None or not semantics.imports.whole_exports:
            return ()
        given = (one for one in facts.uses.get(name, ()) if one.receiver in semantics.imports.whole_exports)
        if not any(one.role in (Role.Definition, Role.Write) for one in given):
            return ()
        wholes = (one for one in facts.imports if one.exports and one.alias in semantics.imports.whole_exports)
        if not any(one.name == of.name and not one.module for one in wholes):
            return ()
        resolution = self._resolver.exports.lookup(Module((of.path,)), name)
        return alternatives(resolution) if resolution is not None else ()

    def _held_functions(self, member: Resolution) -> Sequence[SymbolRef]:
        """Return the functions and types that a member of an object without a name is given: it is called like them."""
        if not isinstance(member, LocalName):
            return ()
        evaluate, bindings = self._evaluator.types_of_binding, self._definitions.bindings(member)
        return self._functions_and_types(one for binding in bindings for one in evaluate(member.path, binding, None))

    def _functions_and_types(self, types: Iterable[Type]) -> Sequence[SymbolRef]:
        """Return those of some types that are functions or types themselves, as members."""
        is_function_or_type = self._definitions.is_function_or_type
        found = (one.origin for one in types if isinstance(one.origin, SymbolRef) and is_function_or_type(one))
        return [replace(one, reason=Reason.Receiver) for one in found]

    def record_member_types(self, type_: Type, name: str) -> Sequence[Type]:
        """Return what a member of a record holds; nothing of what is none."""
        of = type_.origin
        at = terms.member_of_record(of.name, name) if isinstance(of, ExternalType) and terms.is_record(of.name) else -1
        return type_.arguments[at] if 0 <= at < len(type_.arguments) else ()

    def _reexported_member(self, module: Type, name: str) -> Resolution | None:
        """Return what a module inside a file has from elsewhere; one that has it from itself has nothing."""
        if module.is_instance or not isinstance(module.origin, SymbolRef) or (module.origin, name) in self._passing:
            return None
        self._passing.add((module.origin, name))
        try:
            return self._resolver.wildcards.lookup_passed_on(module.origin, name)
        finally:
            self._passing.discard((module.origin, name))

    def lookup_by_mro(self, type_: Type, name: str, *, called: bool, given: bool) -> Sequence[tuple[Resolution, Type]]:
        """Return the member of the nearest type that declares it; where calls mean functions alone, of one that suits.

        A method that gives a value to a member that is inherited declares none: with ``given`` those are returned
        too, as they say more of its value, up to the nearest that is known: it takes the place of those before it.
        """
        spare: list[tuple[Resolution, Type]] = []
        assigned: list[tuple[Resolution, Type]] = []
        of_objects: list[tuple[Resolution, Type]] = []
        of_twin = self._twins.is_twin(type_)
        for owner in self._demanding_last(self.mro_after_super(type_), name):
            of = owner.origin
            if not isinstance(of, SymbolRef) or not leaves_member(self._evaluator, owner, name):
                continue
            found = self.own_member(of, name)
            if found is None and not type_.is_instance:
                found = self._declarations.companion_member(of, name)
            if found is None and self._may_be_declared_by_macro(of, name):
                return []
            if found is None:
                continue
            of_object = type_.is_instance or (
                of_twin and not is_same(of, type_.origin)
            )  # an object inherits members of objects
            if not self._definitions.may_belong(found, of_object=of_object):
                of_objects = of_objects or ([(found, owner)] if not type_.is_instance else [])
            elif not self._definitions.accepts_use(found, called=called):
                spare.append((found, owner))
            elif self._definitions.is_assigned(found):
                assigned.append((found, owner))
            else:
                meant = [one for one in alternatives(found) if self._definitions.accepts_use(one, called=called)]
                return [*(self._up_to_known(assigned) if given else ()), *((one, owner) for one in meant)]
        if called and type_.is_instance:
            spare = [one for one in spare if not self._definitions.is_field_beside_methods(one[0])]
        of_objects = [one for one in of_objects if not self._is_member_of_types(one[1], name)]
        return self._up_to_known(assigned) if given and assigned else assigned[-1:] or spare[:1] or of_objects

    def _is_member_of_types(self, owner: Type, name: str) -> bool:
        """Return whether each type has a member by the language, and this one has none of its objects besides."""
        path = owner.origin.path if isinstance(owner.origin, SymbolRef) else ""
        facts, semantics = self._resolver.facts(path) if path else (None, None)
        if facts is None or semantics is None or name not in semantics.library.members_of_types:
            return False
        return not any(one in facts.uses for one in semantics.library.extending)

    def _demanding_last(self, owners: Sequence[Type], name: str) -> Sequence[Type]:
        """Return types in their order, those last that only demand a member of the class that takes their members."""
        nearest = owners[0].origin if len(owners) > 1 else None
        semantics = self._resolver.facts(nearest.path)[1] if isinstance(nearest, SymbolRef) else None
        if semantics is None or semantics.members.demands is None:
            return owners
        demanding = [one for one in owners if isinstance(one.origin, SymbolRef) and self._demands(one.origin, name)]
        return [*(one for one in owners if one not in demanding), *demanding] if demanding else owners

    def _demands(self, owner: SymbolRef, name: str) -> bool:
        found = self._declarations.own_member(owner, name)
        return found is not None and self._definitions.is_demanded(owner, found)

    def _may_be_declared_by_macro(self, of: SymbolRef, name: str) -> bool:
        """Return whether a macro in the body of a type gets a name, and so may declare it: ``METHOD(void, run, ())``.

        It looks like a declaration whose parameters have types alone.
        """
        facts, semantics = self._resolver.facts(of.path)
        if facts is None or semantics is None or not (semantics.macros.may_declare and semantics.scopes.class_visible):
            return False
        for use in facts.uses.get(name, ()):
            around = facts.scopes[use.scope] if use.role is Role.Type and use.receiver in (BARE, TAGS) else None
            if around is not None and around.name == of.name and around.kind is ScopeKind.Block:
                return facts.scopes[around.parent].kind is ScopeKind.Class
        return False

    def mro_after_super(self, type_: Type) -> Sequence[Type]:
        """Return the types in which a member may be, the nearest first: of ``super()`` those behind its class."""
        mro = self._twins.mro(type_)
        if type_.super_of is None:
            return mro
        itself = (number for number, one in enumerate(mro, 1) if is_same(one.origin, type_.super_of))
        return mro[next(itself, 1) :]

    def _up_to_known(self, assigned: Sequence[tuple[Resolution, Type]]) -> Sequence[tuple[Resolution, Type]]:
        """Return members that methods give values to, the nearest first, up to one whose value is known."""
        for number, (member, owner) in enumerate(assigned[:-1], 1):
            if isinstance(member, SymbolRef):
                bindings, access = self._definitions.bindings(member), MemberAccess(owner, owner)
                if self._evaluator.types_of_bindings(member.path, bindings, access):
                    return assigned[:number]
        return assigned

    def own_member(self, owner: SymbolRef, name: str) -> Resolution | None:
        """Return the member that a type itself declares, or one without a name."""
        scope = nameless_scope(owner.name)
        if scope is None:
            declared = self._declarations.own_member(owner, name)
            if declared is not None:
                return self._with_imported(declared, owner, name)
            return self._declarations.imported_member(owner, name) or self._key_of_object(owner, name)
        local = LocalName(owner.path, name, scope)
        facts, _ = self._resolver.facts(owner.path)
        around = facts.scopes[scope] if facts is not None else None
        apart = around is not None and (around.kind is ScopeKind.Table or not around.name)
        listed = next((one.path for one in facts.within(name, scope) if one.path), "") if facts and apart else ""
        if listed:
            return SymbolRef(owner.path, listed, Reason.Receiver)
        return local if self._definitions.bindings(local) else None

    def _with_imported(self, declared: SymbolRef, owner: SymbolRef, name: str) -> SymbolRef:
        """Return a member with those of a base that a type names beside it: ``using Base::run``.

        https://eel.is/c++draft/namespace.udecl#14
        """
        facts, semantics = self._resolver.facts(owner.path)
        named = semantics is not None and semantics.visibility.links_definitions and semantics.imports.imports_members
        imported = self._declarations.named_in_body(owner, facts, name) if named and facts is not None else None
        if not isinstance(imported, SymbolRef) or imported.same(declared):
            return declared
        return replace(declared, others=(*declared.others, replace(imported, others=()), *imported.others))

    def _key_of_object(self, owner: SymbolRef, name: str) -> LocalName | None:
        """Return the key of the object that a variable is given, where no outline lists it."""
        facts, _ = self._resolver.facts(owner.path)
        for one in facts.named(name) if facts is not None else ():
            around = facts.scopes[one.scope] if facts is not None and one.scope > 0 and not one.path else None
            if around is not None and around.kind is ScopeKind.Table and around.name == owner.name:
                outer = facts.scopes[around.parent] if facts is not None and around.parent >= 0 else None
                if outer is None or outer.name != owner.name:
                    return LocalName(owner.path, name, one.scope)
        return None

    def find_method(self, of: SymbolRef, name: str) -> SymbolRef | None:
        """Return the method of a type that has a name, its own or inherited."""
        member = next((resolution for resolution, _ in self.lookup_member(Type(of), name)), None)
        if not isinstance(member, SymbolRef):
            return None
        return member if any(one.sort == Sort.Callable for one in self._definitions.bindings(member)) else None
