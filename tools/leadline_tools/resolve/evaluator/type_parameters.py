"""Type parameters: the arguments that stand for them, their bounds, and what they are by default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from leadline_tools.languages.facts import Binding, is_type_parameter
from leadline_tools.languages.terms import parsed
from leadline_tools.resolve.evaluator.inference import Inference, names_in_signature
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import NonSymbol, Resolution, SymbolRef, is_same
from leadline_tools.resolve.types.declarations import Declarations
from leadline_tools.resolve.types.definitions import Definitions, is_type_name, narrows_bounds
from leadline_tools.resolve.types.evaluation import Evaluator
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import FREE, MemberAccess, Type


class TypeParameters:
    """Evaluates the type parameters of types and functions; keeps what they stand for by default."""

    def __init__(
        self,
        resolver: NameResolver,
        evaluator: Evaluator,
        definitions: Definitions,
        declarations: Declarations,
        inference: Inference,
        inheritance: Inheritance,
    ) -> None:
        self._resolver = resolver
        self._evaluator = evaluator
        self._definitions = definitions
        self._declarations = declarations
        self._inference = inference
        self._inheritance = inheritance
        self._by_default: dict[SymbolRef, Sequence[tuple[str, str, int]]] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._by_default.clear()

    def names(self, of: SymbolRef) -> Sequence[str]:
        """Return the names of the type parameters of a type."""
        return [
            name for _, one in self._declarations.heritage(of) for name in self._declarations.type_parameters(of, one)
        ]

    def shares_arguments(self, of: Resolution, owner: Type) -> bool:
        """Return whether a type has the type arguments of another: it is in that and has none of its own, or is that.

        https://eel.is/c++draft/temp.local, and nested types that are declared where type parameters are seen.
        """
        if not isinstance(of, SymbolRef) or not isinstance(owner.origin, SymbolRef):
            return False
        if not self._definitions.is_declared_type(of):
            return False
        if of.same(owner.origin):
            return True
        return of.path == owner.origin.path and of.name.startswith(f"{owner.origin.name}.") and not self.names(of)

    def argument(self, parameter: str, owner: Type, path: str) -> tuple[Type, ...] | None:
        """Return what stands for a type parameter, as a file calls it, of a type with arguments; None for no such."""
        if not isinstance(owner.origin, SymbolRef) or not owner.arguments:
            return None
        facts, _ = self._resolver.facts(path)
        here = facts.heritage_of(owner.origin.name) if facts is not None and path != owner.origin.path else ()
        declared = (one for of in _enclosing_symbols(owner.origin) for _, one in self._declarations.heritage(of))
        for heritage in (*here, *declared):
            if parameter in heritage.generics:
                names = self._declarations.type_parameters(owner.origin, heritage)
                if parameter not in names:
                    continue
                at = names.index(parameter)
                if at >= len(owner.arguments) and not any(owner.arguments):
                    return ()  # of a diamond no argument is known
                return owner.arguments[at] if at < len(owner.arguments) else None
        return None

    def instantiate(self, types: Iterable[Type]) -> tuple[Type, ...]:
        """Return instances of types; what is no type is left out."""
        found: list[Type] = []
        for one in types:
            named = one if one.is_instance else self._with_defaults(one)
            is_type = is_type_name(self._definitions.bindings(named.origin))
            for type_ in (named,) if is_type else self._resolve_named_type(named):
                if type_.is_instance:
                    found.append(type_)
                elif isinstance(type_.origin, NonSymbol) or (
                    isinstance(type_.origin, SymbolRef) and self._definitions.is_type(type_.origin)
                ):
                    complete = self._with_defaults(self._with_outer_arguments(type_))
                    found.append(replace(complete, is_instance=True, access=None))
        return tuple(dict.fromkeys(found))

    def _resolve_named_type(self, named: Type) -> Sequence[Type]:
        return self._evaluator.resolve_type_name(named) or self._evaluator.resolve_alias(named)

    def _with_outer_arguments(self, type_: Type) -> Type:
        """Return a type with the type arguments of that which it was taken from, where it has no parameters."""
        owner = type_.access.owner if type_.access is not None and not type_.arguments else None
        within = owner is not None and owner.arguments and self.shares_arguments(type_.origin, owner)
        return replace(type_, arguments=owner.arguments) if within and owner is not None else type_

    def _with_defaults(self, type_: Type) -> Type:
        """Return a type whose type parameters that it is given nothing for stand for what they do by default."""
        if not isinstance(type_.origin, SymbolRef) or not narrows_bounds(type_.origin.path):
            return type_
        for path, term, scope in self._defaults(type_.origin)[len(type_.arguments) :]:
            given = self._evaluator.evaluate_type(path, term, scope, MemberAccess(type_, type_)) if term else ()
            type_ = replace(type_, arguments=(*type_.arguments, given))
        return type_ if any(type_.arguments) else replace(type_, arguments=())

    def complete_created(self, type_: Type) -> Type:
        """Return the type of an object that is made: what nothing tells that it is made with is what it is by default.

        https://www.typescriptlang.org/docs/handbook/2/generics.html#generic-parameter-defaults
        """
        of = type_.origin
        if not isinstance(of, SymbolRef) or not narrows_bounds(of.path) or not self._defaults(of):
            return type_
        constructors = list(self._definitions.constructors(of))
        if not constructors and any(heritage.bases for _, heritage in self._declarations.heritage(of)):
            return type_  # it is made with what a base takes
        told = {name for one in constructors for name in names_in_signature(one)}
        arguments = list(type_.arguments)
        for at, (name, (path, term, scope)) in enumerate(zip(self.names(of), self._defaults(of), strict=False)):
            if at >= len(arguments):
                arguments.append(())
            if not arguments[at] and term and name not in told:
                owner = replace(type_, arguments=tuple(arguments))
                arguments[at] = tuple(self._evaluator.evaluate_type(path, term, scope, MemberAccess(owner, owner)))
        return replace(type_, arguments=tuple(arguments)) if any(arguments) else type_

    def _defaults(self, of: SymbolRef) -> Sequence[tuple[str, str, int]]:
        """Return what the type parameters of a type stand for by default, each with where its term is read."""
        if of not in self._by_default:
            found: list[tuple[str, str, int]] = []
            for path, heritage in self._declarations.heritage(of):
                facts, scope = self._resolver.facts(path)[0], heritage.scope
                for name in heritage.generics if facts is not None and not found else ():
                    bound = facts.within(name, scope) if facts is not None else ()
                    found.append((path, next((one.made for one in bound if is_type_parameter(one)), ""), scope))
            self._by_default[of] = found if any(term for _, term, _ in found) else ()
        return self._by_default[of]

    def of_call(self, function: Type) -> Sequence[str]:
        """Return the names of the type parameters that a call of a function infers: its own, or those of its class."""
        of, access, type_parameters = function.origin, function.access, self._inference.type_parameters
        facts, _ = self._resolver.facts(of.path) if isinstance(of, SymbolRef) else (None, None)
        if facts is None or not isinstance(of, SymbolRef):
            return ()
        bindings = self._definitions.bindings(of)
        own = [name for one in bindings for name in type_parameters(of.path, facts, one)]
        return [*own, *(self._of_made_object(access) if access is not None and not access.receiver.is_instance else ())]

    def _of_made_object(self, access: MemberAccess) -> Sequence[str]:
        """Return the type parameters of the owner of a constructor that the type of the new object leaves open.

        A type that inherits the constructor has some of its own for them, or says what they are.
        """
        made, owner = access.receiver, access.owner
        names = self.names(owner.origin) if isinstance(owner.origin, SymbolRef) else ()
        if not owner.arguments or not isinstance(made.origin, SymbolRef):
            return names if not owner.arguments else ()
        open_ = tuple((Type(FREE, is_instance=True),) for _ in self.names(made.origin)) if not made.arguments else ()
        mro = self._inheritance.mro(Type(made.origin, arguments=open_)) if open_ else ()
        held = next((one.arguments for one in mro if is_same(one.origin, owner.origin)), ())
        return [name for name, types in zip(names, held, strict=False) if any(one.origin == FREE for one in types)]

    def bounds(self, path: str, parameter: str, scope: int) -> Sequence[Type]:
        """Return what bounds a type parameter that a scope declares."""
        facts, _ = self._resolver.facts(path)
        if facts is None:
            return ()
        evaluate = self._evaluator.evaluate_type
        bounds = [one for one in facts.within(parameter, scope) if one.type and is_type_parameter(one)]
        return [type_ for one in bounds for type_ in evaluate(path, one.type, one.spelled, None)]

    def bounds_of_parameter(self, path: str, function: Binding, number: int) -> Sequence[Type]:
        """Return what bounds the type parameters that a function takes objects of in a place."""
        facts, _ = self._resolver.facts(path)
        taken = [
            argument for one in parsed(function.takes)[:1] for step in one.steps[:1] for argument in step.arguments
        ]
        if facts is None or not narrows_bounds(path) or number + 1 >= len(taken):
            return ()
        heads = [one.head for one in taken[number + 1] if not one.steps]
        return [type_ for head in heads for type_ in self.bounds(path, head, function.spelled)]


def _enclosing_symbols(of: SymbolRef) -> Iterator[SymbolRef]:
    """Yield a type and those that it is in."""
    name = of.name
    while name:
        yield replace(of, name=name)
        name = name.rpartition(".")[0]
