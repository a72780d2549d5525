"""The types of the elements and parts of objects: of collections, tuples, pointers, and of what has operators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Binding, Facts, Sort, nameless_scope
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import LAST, Op, Step
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import ExternalType, NonSymbol, SymbolRef
from leadline_tools.resolve.types.definitions import Definitions
from leadline_tools.resolve.types.evaluation import Context, Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import COLLECTION_TYPE, TUPLE_TYPE, MemberAccess, Type, is_record

_CALL = Step(Op.Call)


class ElementTypes:
    """Evaluates what subscripts, loops, patterns and pointers take of objects."""

    def __init__(
        self, resolver: NameResolver, evaluator: Evaluator, definitions: Definitions, inheritance: Inheritance
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = definitions
        self._inheritance = inheritance
        self._written_out: tuple[Facts | None, Mapping[int, Sequence[Binding]]] = None, {}

    def unwrapped(self, context: Context, types: Iterable[Type], step: Step) -> Sequence[Type]:
        """Return what objects wrap, where the step is a member that gives it; what wraps nothing stands for itself."""
        _, semantics = self._resolver.facts(context.path)
        if step.op is not Op.Member or semantics is None or step.name not in semantics.types.unwraps:
            return ()
        found: list[Type] = []
        for one in self._evaluator.resolve_aliases(types):
            if one.is_instance and not isinstance(one.origin, NonSymbol):
                found.append(one)
            elif one.is_instance:
                found += self.part_types(one, LAST) if one.origin == TUPLE_TYPE else self.type_argument(one, -1)
        return found

    def split_mappings(self, context: Context, types: Sequence[Type]) -> tuple[Sequence[Type], Sequence[Type]]:
        """Return what a loop takes from those objects from outside that give keys with values, and the others."""
        _, semantics = self._resolver.facts(context.path)
        if semantics is None or not semantics.types.pair_types:
            return (), types
        resolved = self._evaluator.resolve_aliases(types)
        objects = [one for one in resolved if one.is_instance]
        maps = [one for one in objects if _external_name(one) in semantics.types.pair_types]
        names = semantics.types.keyed_types
        keyed = [one for one in objects if one.arguments and _external_name(one) in names]
        held = [each for one in keyed for each in _keyed_elements(one, names[_external_name(one)])]
        rest = [one for one in resolved if one not in maps and one not in keyed]
        return [*(replace(one, origin=TUPLE_TYPE) for one in maps), *held], rest

    def pointees(self, context: Context, types: Sequence[Type]) -> Sequence[Type]:
        """Return what objects point to that act as pointers, where a language does not tell those by their types."""
        _, semantics = self._resolver.facts(context.path)
        if semantics is None or not semantics.types.pointers:
            return types
        resolved = self._evaluator.resolve_aliases(types)
        return list(dict.fromkeys(one for type_ in resolved for one in self._pointee(type_, semantics.types.pointers)))

    def _pointee(self, type_: Type, operators: Sequence[str]) -> Iterable[Type]:
        if isinstance(type_.origin, NonSymbol) and type_.origin != TUPLE_TYPE and type_.is_instance and type_.arguments:
            return self.type_argument(type_, 0)
        for operator in operators if isinstance(type_.origin, SymbolRef) and type_.is_instance else ():
            pointee = self.operator_results(type_, operator)
            if pointee:
                return pointee
        return (type_,)

    def item_types(self, type_: Type, step: Step) -> Iterable[Type]:
        """Return an element of an object, of a tuple that at its place; a type itself, which takes arguments so."""
        if isinstance(type_.origin, SymbolRef) and not type_.is_instance:
            return (type_,)
        if step.op is Op.At and self.nearest_base(type_, TUPLE_TYPE) is not None:
            return self.part_types(type_, int(step.name))
        return self.types_by_protocol(type_, Op.Item) or self.type_argument(type_, -1) or self._values(type_)

    def _values(self, type_: Type) -> Sequence[Type]:
        """Return what the keys of an object that is written out hold, any of which an index may mean."""
        of = type_.origin
        scope = nameless_scope(of.name) if isinstance(of, SymbolRef) and type_.is_instance else None
        facts, _ = self._resolver.facts(of.path) if isinstance(of, SymbolRef) and scope is not None else (None, None)
        keys = self._keys(facts).get(scope or 0, ()) if facts is not None else ()
        access = MemberAccess(type_, type_)
        path = of.path if isinstance(of, SymbolRef) else ""
        found = [self._evaluator.types_of_bindings(path, [key], access) for key in keys]
        return list(dict.fromkeys(one for types in found for one in types)) if all(found) else ()

    def _keys(self, facts: Facts) -> Mapping[int, Sequence[Binding]]:
        """Return the keys of the objects that a file writes out, by their scope: kept for the file asked about last."""
        if self._written_out[0] is not facts:
            found: dict[int, list[Binding]] = {}
            for one in facts.bindings:
                if one.scope > 0 and facts.scopes[one.scope].kind is ScopeKind.Table:
                    found.setdefault(one.scope, []).append(one)
            self._written_out = facts, found
        return self._written_out[1]

    def iterated_types(self, type_: Type) -> Iterable[Type]:
        """Return what a loop takes from an object: what its type says that is, else its first type argument."""
        if isinstance(type_.origin, SymbolRef) and not type_.is_instance:
            return (replace(type_, is_instance=True),)  # of a class only what it lists
        semantics = self._definitions.rules_of(type_)
        if semantics is not None and semantics.types.element:
            for member, owner in self._evaluator.lookup_by_mro(
                type_, semantics.types.element, called=False, given=False
            ):
                path = member.path if isinstance(member, SymbolRef) else ""
                found = self._evaluator.types_of_bindings(
                    path, self._definitions.bindings(member), MemberAccess(type_, owner)
                )
                if found:
                    return found
        given = self.types_by_protocol(type_, Op.Each) or self._types_of_iterators(type_)
        return given or self._iterated_by_index(type_) or self.type_argument(type_, 0)

    def _types_of_iterators(self, type_: Type) -> Sequence[Type]:
        """Return what an iterator of an object gives, if a type from outside says so: ``Iterator<A>``, or a list."""
        semantics = self._definitions.rules_of(type_)
        iterators = semantics.library.iterators if semantics is not None else ()
        given = [one for name in iterators for one in self.operator_results(type_, name)]
        outside = [one for one in self._evaluator.resolve_aliases(given) if isinstance(one.origin, ExternalType)]
        return list(dict.fromkeys(after for one in outside for after in self.type_argument(one, 0)))

    def _iterated_by_index(self, type_: Type) -> Sequence[Type]:
        """Return what a loop takes from an object whose type only says what an index gives, as do all its bases."""
        semantics = self._definitions.rules_of(type_)
        if semantics is None or not semantics.library.iterates:
            return ()
        if any(self._evaluator.member_types(type_, semantics.library.iterates, called=True)):
            return ()
        outside = any(isinstance(one.origin, NonSymbol) for one in self._inheritance.mro(type_))
        return () if outside else self.types_by_protocol(type_, Op.Item)

    def types_by_protocol(self, type_: Type, op: Op) -> Sequence[Type]:
        """Return what methods of an object's type say that a step gives."""
        semantics = self._definitions.rules_of(type_)
        if semantics is None or not isinstance(type_.origin, SymbolRef):
            return ()
        given = (
            self.operator_results(type_, semantics.library.operators[op]) if op in semantics.library.operators else ()
        )
        if given:
            return given
        for term in semantics.library.protocols.get(op, ()):
            types = self._evaluator.evaluate(type_.origin.path, term, 0, MemberAccess(type_, type_))
            if found := self._evaluator.resolve_aliases(types):
                return found
        return ()

    def operator_results(self, type_: Type, operator: str) -> Sequence[Type]:
        """Return what an object gives by the operator of its type."""
        found = self._evaluator.member_types(type_, operator, called=True)
        return [after for one in found for after in self._evaluator.evaluate_step(one, _CALL, called=False)]

    def nearest_base(self, type_: Type, *origins: ExternalType) -> Type | None:
        """Return the nearest of some types that an object is of, with its arguments there; None for none of them."""
        return next((one for one in self._inheritance.mro(type_) if one.origin in origins), None)

    def type_argument(self, type_: Type, number: int) -> Iterable[Type]:
        """Return a type argument of an object; that of a collection where its type is, or inherits from, one.

        An element of a tuple may be any of its parts.
        """
        if not type_.is_instance or (is_record(type_) and number >= 0):
            return ()
        if is_record(type_):  # any of its members
            return dict.fromkeys(one for held in type_.arguments for one in held)
        inherited = (one for one in self._inheritance.mro(type_) if isinstance(one.origin, NonSymbol) and one.arguments)
        collection = self.nearest_base(type_, COLLECTION_TYPE, TUPLE_TYPE) or next(inherited, type_)
        if collection.origin == TUPLE_TYPE:
            return dict.fromkeys(part for parts in collection.arguments for part in parts)
        return collection.arguments[number] if collection.arguments else ()

    def indexed_member_types(self, type_: Type, name: str) -> Iterable[Type]:
        """Return what a member is that a type does not name, by what it says of all of them."""
        bases = (replace(one, is_instance=True) for one in self._inheritance.mro(type_)[1:])
        return dict.fromkeys(
            held for one in bases if is_record(one) for held in self._evaluator.record_member_types(one, name)
        )

    def part_types(self, type_: Type, number: int) -> Iterable[Type]:
        """Return a part of an object: of a tuple, or of what its type says that it is taken apart into."""
        if not type_.is_instance:
            return ()
        if is_record(type_):  # a tuple whose parts have labels
            return type_.arguments[number] if number < len(type_.arguments) else ()
        own = self._declared_part(type_, number)
        parts = (self.nearest_base(type_, TUPLE_TYPE) or type_).arguments
        if own or parts:
            return own or parts[min(number, len(parts) - 1)]
        semantics = self._definitions.rules_of(type_)
        return self.iterated_types(type_) if semantics is not None and semantics.library.iterates else ()

    def _declared_part(self, type_: Type, number: int) -> Sequence[Type]:
        """Return a part of an object whose type says what it is taken apart into: by a method, or by its head."""
        semantics = self._definitions.rules_of(type_)
        if semantics is None or not isinstance(type_.origin, SymbolRef):
            return ()
        if not semantics.library.parts and not semantics.library.open_parts:
            return ()
        of, access = type_.origin, MemberAccess(type_, type_)
        term = semantics.library.parts.format(number, number + 1)
        by_method = self._evaluator.resolve_aliases(self._evaluator.evaluate(of.path, term, 0, access))
        facts, _ = self._resolver.facts(of.path)
        if by_method or facts is None:
            return by_method
        held = (one for one in facts.bindings if one.sort == Sort.Value and one.path == f"{of.name}.{one.name}")
        listed = sorted(held, key=lambda one: (one.line, one.column))
        return self._evaluator.types_of_bindings(of.path, listed[number : number + 1], access)


def _keyed_elements(type_: Type, element: str) -> Sequence[Type]:
    """Return the elements of an object with keys: of a type from outside with its arguments, or of the last one."""
    return (replace(type_, origin=ExternalType(element)),) if element else type_.arguments[-1]


def _external_name(type_: Type) -> str:
    """Return the name of a type from outside; empty for any other."""
    return type_.origin.name if isinstance(type_.origin, NonSymbol) else ""
