"""Members of receivers: what a name means after a term; external where it surely means no other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from leadline_tools.languages.facts import Sort
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.terms import COLLECTION, POINTERS, Op, Path, parsed, then
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.members import global_objects
from leadline_tools.resolve.members.foreign_implementations import ForeignImplementations
from leadline_tools.resolve.members.function_members import FunctionMembers
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, ExternalType, LocalName, Resolution, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions, values_beside_alias
from leadline_tools.resolve.types.type import UNKNOWN_TYPE, Type

_DEEPEST_NAMES = 4
"""Names given the values of other names of which each value has to be known."""

_VARIABLE = frozenset({Sort.Value, Sort.Unknown})


class ReceiverMembers:
    """Resolves members of terms."""

    def __init__(self, resolver: NameResolver, evaluator: TypeEvaluator) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = evaluator.definitions
        self._declarations = evaluator.declarations
        self._inheritance = evaluator.inheritance
        self._external_terms = evaluator.external_terms
        self._added_members = evaluator.added_members
        self._members = evaluator.members
        self._interfaces = evaluator.interfaces
        self._foreign_implementations = ForeignImplementations(resolver, evaluator.interfaces)
        self._function_members = FunctionMembers(resolver, evaluator.definitions)
        self._known: dict[tuple[Type, str, bool], Sequence[Resolution]] = {}
        self._of_file: tuple[str, dict[tuple[str, int, str, bool], Sequence[Resolution]]] = "", {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._foreign_implementations.forget()
        self._known.clear()
        self._of_file = "", {}

    def resolve(self, path: str, term: str, scope: int, name: str, *, called: bool = False) -> Sequence[Resolution]:
        """Return what the member ``name`` of a term may mean; something from outside where it surely means no other.

        It is found once for all places of the scope: those of the file that was asked about last are kept.
        """
        if self._of_file[0] != path:
            self._of_file = path, {}
        key, known = (term, scope, name, called), self._of_file[1]
        if key not in known:
            found = self._resolve(path, term, scope, name, called=called)
            if not self._evaluator.is_idle:  # a circle of definitions may have been cut short
                return found
            known[key] = found
        return known[key]

    def _resolve(self, path: str, term: str, scope: int, name: str, *, called: bool) -> Sequence[Resolution]:
        found = self._find(path, term, scope, name, called=called)
        if all(one == EXTERNAL for one in found):
            declared = global_objects.members(self._resolver, path, term, scope, name)
            found = declared if declared is not None else found
        if self._is_class_of_object(path, name):
            found = [one for one in found if not _is_function(self._definitions, one)]  # a constructor is called so
        return () if not called and self._needs_call(path, found) else found

    def _is_given_by_interface(self, path: str, term: str, name: str, types: Sequence[Type], *, known: bool) -> bool:
        """Return whether the code base may give types from outside a member by an interface; ``known``: the term is."""
        outside = {one.origin.name.rpartition(".")[2] for one in types if isinstance(one.origin, ExternalType)}
        if self._are_own(path, term, types, name):
            return False
        _, semantics = self._resolver.facts(path)
        if semantics is not None and not outside.isdisjoint(semantics.library.standard_types):
            return self._foreign_implementations.may_be_of_interface(path, name)
        if not outside and not known:
            return False
        return self._foreign_implementations.may_give(path, outside | _named(term), name)

    def _are_own(self, path: str, term: str, types: Sequence[Type], name: str) -> bool:
        """Return whether each type is one from outside that has a member by itself."""
        if not types or any(not isinstance(one.origin, ExternalType) or one.origin.name == COLLECTION for one in types):
            return False
        names = {
            one.origin.name or last for one in types for last in _named(term) if isinstance(one.origin, ExternalType)
        }
        return all(self._foreign_implementations.is_own(path, one, name) for one in names)

    def may_be_implemented(self, path: str, term: str, name: str) -> bool:
        """Return whether the code base may give a type from outside, which a term names, a member by an interface."""
        return self._foreign_implementations.may_give(path, _named(term), name)

    def _is_class_of_object(self, path: str, name: str) -> bool:
        """Return whether a member is that by which an object has its class."""
        _, semantics = self._resolver.facts(path)
        return semantics is not None and name in semantics.library.classes

    def _find(self, path: str, term: str, scope: int, name: str, *, called: bool) -> Sequence[Resolution]:
        """Return what a member may mean, before a call and the global object are considered."""
        types = self._evaluator.resolve_aliases(self._evaluator.evaluate(path, term, scope))
        found: list[Resolution] = []
        for is_fallback in (False, True):
            searched = [one for one in types if one.is_fallback is is_fallback]
            found += dict.fromkeys(member for one in searched for member in self._declared(one, name, called=called))
            if declared := [one for one in found if one != EXTERNAL]:
                return self._with_interfaces(declared, path, term, scope, called=called)
        if self._is_of_every_type(path, name, types):
            return [EXTERNAL]
        added = self._find_added(path, term, scope, name, types)
        if any(one != EXTERNAL for one in added):
            return self._with_interfaces(added, path, term, scope, called=called)
        if self._is_given_by_interface(path, term, name, types, known=bool(added)):
            return ()
        outside = added or self._find_external(path, term, scope, name, types, found, called=called)
        return () if outside and _may_be_converted(self._resolver, path, name) and _are_external(outside) else outside

    def _find_external(
        self,
        path: str,
        term: str,
        scope: int,
        name: str,
        types: Sequence[Type],
        found: Sequence[Resolution],
        *,
        called: bool,
    ) -> Sequence[Resolution]:
        """Return what a member may mean that nothing in the code base declares."""
        if self._may_be_of_argument(path, types, name) or self._added_members.may_be_added(path, name):
            return ()
        if global_objects.holds_declared(self._resolver, path, term):
            return ()
        if self._is_surely_external(path, term, scope, name, types):
            return [EXTERNAL]
        _, semantics = self._resolver.facts(path)
        if any(self._added_members.is_native(path, type_) for type_ in types):
            by_interface = semantics is not None and semantics.members.by_interface
            outside = by_interface and all(map(_is_known_outside, types))
            own = outside and self._are_own(path, term, types, name)
            apart = own or (outside and not self._foreign_implementations.may_be_of_interface(path, name))
            return [EXTERNAL] if apart else ()
        of_function = self._function_members.resolve(semantics, types, name) if semantics is not None else None
        if of_function is not None:
            return of_function
        possible = self._added_members.possible_members(path, term, types, name, called=called)
        return () if possible is None else possible or found[:1]

    def _may_be_of_argument(self, path: str, types: Sequence[Type], name: str) -> bool:
        """Return whether types of which nothing is known but their arguments may have a member of these."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not semantics.members.forwards:
            return False
        waiting = [one for type_ in types if type_.origin == EXTERNAL for one in _held(type_)]
        if semantics.members.compares_members and any(_is_unknown(self._definitions, one) for one in waiting):
            return True  # ``VariantProps<typeof a>``, where nothing is known of ``a``
        return any(
            not isinstance(member, ExternalType)
            for one in waiting
            for member in self._declared(one, name, called=False)
        )

    def _declared(self, type_: Type, name: str, *, called: bool) -> Sequence[Resolution]:
        """Return what the member of a type may mean, found once for all terms that are of it."""
        key = type_, name, called
        found = self._known.get(key)
        if found is None:
            found = [member for member, _ in self._members.lookup_member(type_, name, called=called)]
            if self._evaluator.is_idle:  # else a circle of definitions may have been cut short
                self._known[key] = found
        return found

    def _with_interfaces(
        self, members: Sequence[Resolution], path: str, term: str, scope: int, *, called: bool
    ) -> Sequence[Resolution]:
        """Return members, and those of interfaces before them that they implement, where calls name these.

        Nothing is returned where a type from outside may have one of its own.
        """
        _, semantics = self._resolver.facts(path)
        by_interface = semantics is not None and semantics.members.by_interface
        if by_interface and self._foreign_implementations.may_be_hidden(members, path, term, scope):
            return ()
        return self._interfaces.resolve_call(members, path, scope, called=called) if by_interface else members

    def _find_added(self, path: str, term: str, scope: int, name: str, types: Sequence[Type]) -> Sequence[Resolution]:
        """Return members that assignments or extensions give the types of a term, or that a namespace has."""
        if assigned := self._assigned_members(self._evaluator.evaluate(path, term, scope), name):
            return assigned
        added_members = self._added_members.added_members
        if added := [member for one in types for member, _ in added_members(path, one, name)]:
            return added
        if any(type_.is_instance for type_ in types):
            return ()  # an object is no namespace
        if _begins_with_local_name(self._resolver, path, term, scope):
            return ()
        return [type_.origin for type_ in self._evaluate_in_namespace(path, then(term, f".{name}"), scope)]

    def _is_surely_external(self, path: str, term: str, scope: int, name: str, types: Sequence[Type]) -> bool:
        """Return whether a member that nothing in the code base declares is surely one of something from outside."""
        if not types and self._external_terms.is_external(path, term, scope, name):
            return True
        if self._external_terms.is_standard_path(path, term, scope):
            foreign = self._foreign_implementations
            return foreign.is_own(path, term, name) or not foreign.may_be_of_interface(path, name)
        return self._is_external_member(path, term, scope, name, types)

    def _is_of_every_type(self, path: str, name: str, types: Sequence[Type]) -> bool:
        """Return whether types have a member by the language, as each of their bases is known and declares none."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or not types:
            return False
        of_heirs = frozenset(of for of, has in semantics.library.members_of_heirs_objects.items() if name in has)
        mros = [self._inheritance.mro(one) for one in types] if of_heirs else []
        if mros and all(not of_heirs.isdisjoint(_names_of_external(mro)) for mro in mros):
            return True
        if name not in semantics.library.members_of_types:
            return False
        origins = [one.origin for one in types if self._evaluator.is_type(one)]
        known = (isinstance(one, SymbolRef) and self._inheritance.knows_bases(one) for one in origins)
        return len(origins) == len(types) and all(known)

    def _assigned_members(self, owners: Iterable[Type], name: str) -> Sequence[SymbolRef]:
        """Return the members of a name that assignments give variables: ``a.b = c``."""
        origins = (one.origin for one in owners if not one.is_instance and one.super_of is None)
        found = (self._declarations.own_member(one, name) for one in origins if isinstance(one, SymbolRef))
        return [one for one in found if one is not None]

    def _needs_call(self, path: str, found: Iterable[Resolution]) -> bool:
        """Return whether functions that add a member to a type from outside are hardly what is read and not called."""
        _, semantics = self._resolver.facts(path)
        by_call = semantics is not None and semantics.members.extensions_are_called
        return by_call and any(
            one.sort == Sort.Callable and one.amends for of in found for one in self._definitions.bindings(of)
        )

    def _is_external_member(self, path: str, term: str, scope: int, name: str, types: Sequence[Type]) -> bool:
        """Return whether a member that no value of a term has in the code base is surely of something from outside."""
        if self._external_terms.is_builtin(path, term, scope) or self._is_of_external_base(path, term, scope, name):
            return True
        _, semantics = self._resolver.facts(path)
        if semantics is None or name not in semantics.library.promise_members:
            return False
        known = self._inheritance.knows_bases  # what is promised is spelled like what promises it
        return bool(types) and all(
            v.is_instance and (not isinstance(v.origin, SymbolRef) or known(v.origin)) for v in types
        )

    def _is_of_external_base(self, path: str, term: str, scope: int, name: str) -> bool:
        """Return whether a member that nothing declares is one that the type of a term has from a base from outside."""
        types = self._evaluator.resolve_aliases(self._evaluator.evaluate(path, term, scope))
        objects = [type_ for type_ in types if type_.is_instance and isinstance(type_.origin, SymbolRef)]
        if not objects or len(objects) < len(types) or not self._is_fully_known(path, term, scope):
            return False
        homes = {path, *(type_.origin.path for type_ in objects if isinstance(type_.origin, SymbolRef))}
        if any(self._is_assigned_from_outside(home, name) for home in homes):
            return False
        return all(
            self._inheritance.is_external_member(type_, self._members.mro_after_super(type_), name) for type_ in objects
        )

    def _is_assigned_from_outside(self, path: str, name: str) -> bool:
        """Return whether a file gives a value to a member that is called so of something else than its own object."""
        facts, _ = self._resolver.facts(path)
        return facts is not None and facts.gives_member(name)

    def _is_fully_known(self, path: str, term: str, scope: int, deepest: int = _DEEPEST_NAMES) -> bool:
        """Return whether each value is known that a term may stand for, and that the names in it are given."""
        return all(
            bool(self._evaluator.evaluate_term(path, (one,), scope, None, typed=False))
            and self._is_name_known(path, one, scope, deepest)
            for one in parsed(term)
        )

    def _is_name_known(self, path: str, one: Path, scope: int, deepest: int) -> bool:
        """Return whether each value is known that a name is given with which a term begins, if it is a variable."""
        _, semantics = self._resolver.facts(path)
        name, within, lines = place_of(one.head)
        if semantics is None or name in (*semantics.scopes.this, *semantics.scopes.own, *semantics.scopes.above):
            return semantics is not None
        resolution = self._resolver.scopes.lookup(path, name, within if within > 0 else scope)
        if not isinstance(resolution, SymbolRef | LocalName):
            return True
        bindings = [b for b in self._definitions.bindings(resolution) if b.sort in _VARIABLE and b.imported < 0]
        there = [b for b in bindings if b.line in lines]
        undeclared = [b for b in (there or bindings) if not b.type]
        return deepest > 0 and all(
            bool(b.made) and self._is_fully_known(resolution.path, b.made, b.spelled, deepest - 1) for b in undeclared
        )

    def _evaluate_in_namespace(self, path: str, term: str, scope: int) -> Sequence[Type]:
        """Return what a term stands for whose first names are those of a namespace."""
        _, semantics = self._resolver.facts(path)
        names = parsed(term)
        spaced = semantics is not None and (
            semantics.visibility.has_open_namespaces or semantics.imports.imports_members
        )
        if not spaced or any(s.op is not Op.Member for one in names for s in one.steps):
            return ()
        return self._evaluator.evaluate_term(path, names, scope, None, typed=False)


def _may_be_converted(resolver: NameResolver, path: str, name: str) -> bool:
    """Return whether an object from outside may be converted to one of a type that declares a member.

    https://scala-lang.org/files/archive/spec/2.13/07-implicits.html#views
    """
    _, semantics = resolver.facts(path)
    converts = semantics is not None and semantics.members.converts_receivers
    return converts and bool(resolver.project.defining(name, path))


def _are_external(members: Iterable[Resolution]) -> bool:
    return all(one == EXTERNAL for one in members)


def _is_function(definitions: Definitions, member: Resolution) -> bool:
    return any(binding.sort == Sort.Callable for binding in definitions.bindings(member))


def _is_known_outside(type_: Type) -> bool:
    """Return whether a type is one from outside: a collection is guessed where nothing is known of what it holds."""
    if not isinstance(type_.origin, ExternalType) or type_.origin.name in POINTERS:
        return False
    return type_.origin.name != COLLECTION or any(type_.arguments)


def _held(type_: Type) -> Iterator[Type]:
    """Yield the type arguments of a type, and theirs."""
    waiting = list(chain(*type_.arguments))
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(chain(*one.arguments))


def _named(term: str) -> set[str]:
    """Return the last names of what a term says."""
    return {one.steps[-1].name if one.steps else one.head for one in parsed(term)}


def _is_unknown(definitions: Definitions, argument: Type) -> bool:
    """Return whether nothing is known of a type argument, or of the variable whose type it is."""
    if argument.origin == UNKNOWN_TYPE:
        return True
    of, bindings = argument.origin, definitions.bindings(argument.origin)
    alone = {binding.sort for binding in bindings} == {Sort.Value}
    beside_alias = isinstance(of, SymbolRef) and values_beside_alias(of.path, bindings) is not None
    return not argument.is_instance and (alone or beside_alias)


def _begins_with_local_name(resolver: NameResolver, path: str, term: str, scope: int) -> bool:
    """Return whether a term begins with a local name, which hides a namespace that is called so.

    Before ``::`` of C++ no variable stands: https://eel.is/c++draft/basic.lookup.qual
    """
    _, semantics = resolver.facts(path)
    if semantics is None or semantics.visibility.links_definitions:
        return False
    heads = (place_of(one.head) for one in parsed(term))
    found = (resolver.scopes.lookup(path, one.name, one.scope if one.scope > 0 else scope) for one in heads)
    return any(isinstance(one, LocalName) for one in found)


def _names_of_external(types: Iterable[Type]) -> Iterator[str]:
    return (one.origin.name for one in types if isinstance(one.origin, ExternalType))
