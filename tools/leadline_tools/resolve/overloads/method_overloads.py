"""Overloads of methods: which methods of one name a call means, by the number and the literals of its arguments."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.call_shapes import Parameter, accepts, arguments_at, parameters_of
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.types.type import Type


class MethodOverloads:
    """Chooses between the methods of one name that a type has, by the arguments of a call.

    A type that declares a method of a name still has the inherited ones that take something else, and those of its
    other parts, in other files.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2.1
    """

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._evaluator = question.resolver.evaluator
        self._taken: dict[tuple[str, str], Sequence[Sequence[Parameter] | None]] = {}

    def choose(self, path: str, use: Use, meanings: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a call means: methods that cannot be called so are replaced by those of other parts, or bases."""
        semantics = semantics_of(path)
        if use.role is not Role.Call or semantics is None or not semantics.calls.constructor_keywords:
            return meanings
        chosen: dict[Resolution, None] = {}
        for one in meanings:
            chosen.update(dict.fromkeys(self._chosen(path, use, one) if isinstance(one, SymbolRef) else (one,)))
        return list(chosen)

    def _chosen(self, path: str, use: Use, meant: SymbolRef) -> Sequence[SymbolRef]:
        owner, _, name = meant.name.rpartition(".")
        of = SymbolRef(meant.path, owner, meant.reason)
        parts = self._evaluator.declarations.members_in_other_parts(of, name) if owner else ()
        inherited = self._inherited(of, name) if owner else ()
        chooses = bool(parts) or not all(self._takes_the_same(one, meant) for one in inherited)
        arguments = arguments_at(self._index, path, use) if chooses else None
        if arguments is None:
            return (meant,)
        own = [one for one in (meant, *parts) if self._takes(one, arguments)]
        above = [] if own else [one for one in inherited if self._takes(one, arguments)]
        alike = [one for one in above if one.name == above[0].name]  # the parts of one base
        return own or alike or (meant,)

    def _inherited(self, of: SymbolRef, name: str) -> Sequence[SymbolRef]:
        above = self._evaluator.inheritance.mro(Type(of))[1:]
        own = (
            self._evaluator.declarations.own_member(one.origin, name)
            for one in above
            if isinstance(one.origin, SymbolRef)
        )
        found = [
            *self._evaluator.declarations.members_of_namesake_bases(of, name),
            *(one for one in own if one is not None),
        ]
        return list({(one.path, one.name): one for one in reversed(found)}.values())[::-1]

    def _takes(self, of: SymbolRef, arguments: Sequence[str]) -> bool:
        taken, semantics = self._parameters(of), semantics_of(of.path)
        functions = semantics.library.function_types if semantics is not None else frozenset[str]()
        return not taken or any(accepts(one, arguments, functions) for one in taken)

    def _takes_the_same(self, one: SymbolRef, other: SymbolRef) -> bool:
        """Return whether two methods take the same, whatever a call gives them."""
        return semantics_of(one.path) is semantics_of(other.path) and self._parameters(one) == self._parameters(other)

    def _parameters(self, of: SymbolRef) -> Sequence[Sequence[Parameter] | None]:
        """Return what each declaration of a method takes."""
        if (of.path, of.name) not in self._taken:
            source = self._index.try_read(of.path)
            named = [one for one in self._index.symbols.definitions(source) if one.path == of.name] if source else []
            self._taken[of.path, of.name] = [parameters_of(source, one) for one in named] if source else []
        return self._taken[of.path, of.name]
