"""Keywords of calls: a parameter of what is called, or a field of the type that it makes an object of.

Decorators and base classes generate constructors that take fields: ``dataclass``, ``NamedTuple``, and whatever a
library marks with ``dataclass_transform`` (PEP 681).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.languages import language_of
from leadline_tools.languages.facts import FUNCTIONS, Binding, Facts, Sort, Use
from leadline_tools.languages.rules.calls import Records
from leadline_tools.languages.terms import LABEL, then
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import EXTERNAL, LocalName, Resolution, SymbolRef
from leadline_tools.resolve.receivers.receivers import Receivers
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type


class Keywords:
    """Resolves the keywords of calls."""

    def __init__(
        self, resolver: NameResolver, evaluator: Evaluator, inheritance: Inheritance, receivers: Receivers
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._inheritance = inheritance
        self._receivers = receivers
        self._known: dict[tuple[SymbolRef, str, str], Resolution | None] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._known.clear()

    def resolve(self, path: str, name: str, use: Use) -> Sequence[Resolution]:
        """Return what a keyword of a call may mean; nothing where it is not known, or the use is no such keyword.

        A label in a declaration means nothing but itself.
        """
        if use.receiver == LABEL:
            return (LocalName(path, name, use.scope, frozenset((use.line,))),)
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or semantics.calls.records is None:
            return ()
        called = self._called(facts, name, use)
        if called is None or called[1].role is Role.Definition:
            return self._initialized(path, facts, name, use)
        function, call = called
        resolutions = self._resolver.resolve(path, function, call)
        if function in semantics.calls.copies and not any(isinstance(one, SymbolRef) for one in resolutions):
            return self._copied(path, call, name)
        found: list[Resolution] = []
        for resolution in self._types(path, function, call, resolutions, semantics.calls.records):
            named = (
                self._named(resolution, name, semantics.calls.records) if isinstance(resolution, SymbolRef) else None
            )
            if named is None:
                return ()
            found.append(named)
        return found

    def _initialized(self, path: str, facts: Facts, name: str, use: Use) -> Sequence[Resolution]:
        """Return the parameter to which the head of a type gives a value where it is declared.

        https://docs.python.org/3/reference/datamodel.html#object.__init_subclass__
        """
        for one in facts.arguments.get(name, ()):
            place = one.called_line, one.called_column
            if (one.line, one.column) != (use.line, use.column):
                continue
            for binding in facts.named(one.called):
                if (binding.line, binding.column) == place and binding.sort == Sort.Type:
                    method = self.initializer_above(SymbolRef(path, binding.path, Reason.Receiver))
                    there, _ = self._resolver.facts(method.path) if method is not None else (None, None)
                    if method is not None and there is not None:
                        found = _parameter(method, there, there.all_at(method.name), name)
                        return (found,) if found is not None else ()
        return ()

    def initializer_above(self, of: SymbolRef) -> SymbolRef | None:
        """Return the method that runs where a type is declared: that of the nearest type above it which has one."""
        _, semantics = self._resolver.facts(of.path)
        name = semantics.calls.initializes_subtypes if semantics is not None else ""
        for above in self._inheritance.mro(Type(of))[1:] if name else ():
            facts, _ = self._resolver.facts(above.origin.path) if isinstance(above.origin, SymbolRef) else (None, None)
            if facts is not None and isinstance(above.origin, SymbolRef):
                own = f"{above.origin.name}.{name}"
                if facts.all_at(own):
                    return SymbolRef(above.origin.path, own, Reason.Receiver)
        return None

    def _types(
        self, path: str, function: str, call: Use, resolutions: Sequence[Resolution], records: Records
    ) -> Sequence[Resolution]:
        """Return what a call means: of a variable, such as ``cls`` of a class method, what it holds.

        Of an object that is called, this is the method that runs.
        """
        if not resolutions or not all(map(self._is_variable, resolutions)):
            return resolutions
        term = then(call.receiver, f".{function}") if call.receiver else function
        types = self._evaluator.resolve_aliases(self._evaluator.evaluate(path, term, call.scope))
        run = [one.origin if self._is_callable(one) else self._caller(one, records) for one in types]
        return [one for one in run if one is not None] if None not in run else ()

    def _caller(self, object_: Type, records: Records) -> Resolution | None:
        """Return the method that runs where an object is called; None where its type declares none."""
        if not object_.is_instance or not isinstance(object_.origin, SymbolRef):
            return None
        return self._resolver.member_of(object_.origin, records.caller, called=True)

    def _is_variable(self, resolution: Resolution) -> bool:
        """Return whether a name is called that nothing but values are given to."""
        return isinstance(resolution, LocalName) or self._has_sort(resolution, Sort.Value)

    def _is_callable(self, type_: Type) -> bool:
        """Return whether a variable holds a type or a function itself."""
        if type_.is_instance:
            return False
        return self._evaluator.is_type(type_) or self._has_sort(type_.origin, Sort.Callable)

    def _has_sort(self, resolution: Resolution, sort: Sort) -> bool:
        facts, _ = self._resolver.facts(resolution.path) if isinstance(resolution, SymbolRef) else (None, None)
        bound = facts.all_at(resolution.name) if facts is not None and isinstance(resolution, SymbolRef) else ()
        return bool(bound) and all(one.sort == sort for one in bound)

    def _copied(self, path: str, call: Use, name: str) -> Sequence[Resolution]:
        """Return the fields that a keyword gives to a copy of the object on which a method is called."""
        fields = [self._field(of, name) for of in self._receivers.types(path, call)]
        known = [field for field in fields if field is not None]
        return known if len(known) == len(fields) else ()

    def _called(self, facts: Facts, name: str, use: Use) -> tuple[str, Use] | None:
        """Return the name of what is called with a keyword, and its use."""
        for one in facts.arguments.get(name, ()):
            if (one.line, one.column) == (use.line, use.column):
                place = one.called_line, one.called_column
                uses = facts.uses.get(one.called, ())
                return next(((one.called, call) for call in uses if (call.line, call.column) == place), None)
        return None

    def _named(self, called: SymbolRef, name: str, records: Records) -> Resolution | None:
        """Return the parameter or the field that a keyword gives to what is called, found once for all its calls."""
        key = called, name, records.transformer
        if key not in self._known:
            found = self._find_named(called, name, records)
            if not self._evaluator.is_idle:  # a circle of definitions may have been cut short
                return found
            self._known[key] = found
        return self._known[key]

    def _find_named(self, called: SymbolRef, name: str, records: Records) -> Resolution | None:
        facts, _ = self._resolver.facts(called.path)
        bindings = facts.all_at(called.name) if facts is not None else ()
        if facts is None or not bindings:
            return None
        if all(one.sort == Sort.Callable for one in bindings):
            return _parameter(called, facts, bindings, name) or self._collected(called, facts, bindings, name, records)
        return self._made_with(called, name, records) if any(one.sort == Sort.Type for one in bindings) else None

    def _collected(
        self, function: SymbolRef, facts: Facts, bindings: Sequence[Binding], name: str, records: Records
    ) -> Resolution | None:
        """Return the field that a keyword gives to the record in which a function collects keywords."""
        _, semantics = self._resolver.facts(function.path)
        heads = self._resolver.project.heads(function.path, function.name)
        collectors = (
            {semantics.calls.collects_arguments(head) for head in heads} if semantics is not None else set[str]()
        )
        scopes = {one.spelled for one in bindings if one.spelled > 0 and facts.scopes[one.spelled].kind in FUNCTIONS}
        if len(collectors) != 1 or "" in collectors or len(scopes) != 1:
            return None
        evaluated = self._evaluator.evaluate(function.path, collectors.pop(), scopes.pop())
        held = self._evaluator.resolve_aliases(evaluated)
        record = held[0].origin if len(held) == 1 else EXTERNAL
        return (
            self._field(record, name) if isinstance(record, SymbolRef) and self._is_mapping(record, records) else None
        )

    def _is_mapping(self, of: SymbolRef, records: Records) -> bool:
        """Return whether a record has its fields by keys."""
        bases = (term for one in self._inheritance.mro(Type(of)) for term in self._inheritance.external_bases(one))
        return any(term.rpartition(".")[2] in records.mappings for term in bases)

    def _made_with(self, of: SymbolRef, name: str, records: Records) -> Resolution | None:
        """Return what a keyword names where an object of a type is made."""
        language = language_of(of.path)
        mro = self._inheritance.mro(Type(of))
        types = [one.origin for one in mro if isinstance(one.origin, SymbolRef)]
        inherits = any(self._is_record_base(one, records, itself=one.same(of)) for one in types)
        for one in types:
            facts, _ = self._resolver.facts(one.path)
            for constructor in (
                sorted(language.names.constructors) if language is not None and facts is not None else ()
            ):
                function = SymbolRef(one.path, f"{one.name}.{constructor}", Reason.Receiver)
                bindings = facts.all_at(function.name) if facts is not None else ()
                if facts is not None and bindings:
                    parameter = _parameter(function, facts, bindings, name)
                    return parameter or self._collected(function, facts, bindings, name, records)
            if inherits or self._is_decorated(one, records):
                return self._field(of, name)
        return None

    def _field(self, of: SymbolRef, name: str) -> Resolution | None:
        """Return the field of a type that has a name."""
        found = self._resolver.member_of(of, name)
        facts, _ = self._resolver.facts(found.path) if isinstance(found, SymbolRef) else (None, None)
        if facts is None or not isinstance(found, SymbolRef):
            return None
        return found if any(one.sort == Sort.Value and one.scope >= 0 for one in facts.all_at(found.name)) else None

    def _is_record_base(self, of: SymbolRef, records: Records, *, itself: bool) -> bool:
        """Return whether what inherits from a type takes its fields when it is made."""
        external = {term.rpartition(".")[2] for term in self._inheritance.external_bases(Type(of))}
        if not external.isdisjoint(records.bases):
            return True
        return not itself and (self._is_transformer(of, records) or self._has_transforming_metaclass(of, records))

    def _has_transforming_metaclass(self, of: SymbolRef, records: Records) -> bool:
        """Return whether the metaclass of a type, or a base of that, is marked as what generates such constructors."""
        return any(
            self._is_transformer(one.origin, records)
            for meaning in self._metaclasses(of, records)
            for one in self._inheritance.mro(Type(meaning))
            if isinstance(one.origin, SymbolRef)
        )

    def _metaclasses(self, of: SymbolRef, records: Records) -> Iterator[SymbolRef]:
        """Yield what the metaclass of a type may be, as the head of the type names it."""
        facts, _ = self._resolver.facts(of.path)
        for binding in facts.all_at(of.name) if facts is not None else ():
            for given in facts.arguments.get(records.metaclass, ()) if facts is not None else ():
                if facts is None or (given.called_line, given.called_column) != (binding.line, binding.column):
                    continue
                for name, use in facts.uses_on(given.line):
                    if use.role is Role.Inherit and use.column > given.column:
                        meanings = self._resolver.resolve(of.path, name, use)
                        yield from (one for one in meanings if isinstance(one, SymbolRef))

    def _is_decorated(self, of: SymbolRef, records: Records) -> bool:
        """Return whether a decorator has a type take its fields when it is made."""
        return any(
            self._is_transformer(resolution, records)
            if isinstance(resolution, SymbolRef)
            else name in records.decorators
            for name, resolutions in self._decorators(of)
            for resolution in resolutions or (EXTERNAL,)
        )

    def _is_transformer(self, of: SymbolRef, records: Records) -> bool:
        """Return whether something is marked as what generates such constructors."""
        return any(name == records.transformer for name, _ in self._decorators(of))

    def _decorators(self, of: SymbolRef) -> Iterator[tuple[str, Sequence[Resolution]]]:
        """Yield the decorators of a definition, with what they mean."""
        facts, _ = self._resolver.facts(of.path)
        for binding in facts.all_at(of.name) if facts is not None else ():
            for name, use in facts.decorators.get((binding.line, binding.column), ()) if facts is not None else ():
                yield name, self._resolver.resolve(of.path, name, use)


def _parameter(function: SymbolRef, facts: Facts, bindings: Sequence[Binding], name: str) -> Resolution | None:
    """Return the parameter of a function that has a name, as far as it surely is one.

    Where an inner definition takes the name as well, the two are one variable, which a keyword gives its first value.
    """
    scopes = {one.spelled for one in bindings if one.spelled > 0 and facts.scopes[one.spelled].kind in FUNCTIONS}
    bound = [one for one in facts.named(name) if one.scope in scopes and one.imported < 0]
    if not bound or any(one.path for one in bound):
        return None
    first = bound[0]
    uses = (use for use in facts.uses.get(name, ()) if (use.line, use.column) == (first.line, first.column))
    if any(use.role is Role.Write for use in uses):
        return None
    return LocalName(function.path, name, first.scope)
