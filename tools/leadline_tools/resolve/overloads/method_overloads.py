"""Overloads of methods: which methods of one name a call means, by the number and the literals of its arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import without_numbers
from leadline_tools.languages.rules.calls import Labels
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.call_shapes import (
    Parameter,
    accepts,
    accepts_number,
    arguments_at,
    excludes,
    parameters_of,
)
from leadline_tools.resolve.overloads.labelled_methods import LabelledMethods, labels_of_methods
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.types.type import Type

_FUNCTION = re.compile(r"(?:(?:async|static)\s+)*(?:\w+|\([^()]*\))\s*=>|delegate\b")
"""The beginning of an argument that is a function."""


class MethodOverloads:
    """Chooses between the methods of one name that a type has, by the arguments of a call.

    A type that declares a method of a name still has the inherited ones that take something else, and those of its
    other parts, in other files.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2.1
    """

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._resolver = question.resolver
        self._evaluator = question.resolver.evaluator
        self._taken: dict[tuple[str, str], Sequence[Sequence[Parameter] | None]] = {}
        self._by_labels: LabelledMethods | None = None

    def choose(self, path: str, use: Use, meanings: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a call means: methods that cannot be called so are replaced by those of other parts, or bases."""
        semantics = semantics_of(path)
        if use.role is not Role.Call or semantics is None:
            return meanings
        labels = labels_of_methods(path)
        if labels is None and not semantics.calls.constructor_keywords:
            return meanings
        choose = self._labelled(labels).choose if labels is not None else self._chosen
        chosen: dict[Resolution, None] = {}
        for one in meanings:
            chosen.update(dict.fromkeys(choose(path, use, one) if isinstance(one, SymbolRef) else (one,)))
        return self._with_extensions(path, semantics, use, list(chosen))

    def _labelled(self, labels: Labels) -> LabelledMethods:
        if self._by_labels is None:
            self._by_labels = LabelledMethods(self._index, self._evaluator, labels)
        return self._by_labels

    def _with_extensions(
        self, path: str, semantics: Semantics, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a call means, with the extension methods that it means where no member may be called so.

        https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12893-extension-method-invocations
        """
        members = [one for one in found if isinstance(one, SymbolRef)]
        name = members[0].name.rpartition(".")[2] if members else ""
        added = self._evaluator.added_members
        if (
            not (members and semantics.members.has_extensions)
            or use.receiver in (BARE, UNKNOWN)
            or not any(True for _ in added.declared_extensions(path, name))
        ):
            return found
        arguments = arguments_at(self._index, path, use)
        if arguments is None or any(self._surely_takes(one, arguments) for one in members):
            return found
        receivers = self._evaluator.evaluate(path, use.receiver.removesuffix("|"), use.scope)
        types = self._evaluator.resolve_aliases(receivers)
        extensions = list(dict.fromkeys(one for type_ in types for one in added.extension_members(path, type_, name)))
        seen = self._resolver.extension_methods.select(path, semantics, use, extensions)
        fitting = [one for one in seen if isinstance(one, SymbolRef) and self._takes(one, arguments)]
        able = [one for one in found if not isinstance(one, SymbolRef) or not self._excludes(one, arguments)]
        return [*(one for one in able if one not in fitting), *fitting] if fitting else found

    def _surely_takes(self, of: SymbolRef, arguments: Sequence[str]) -> bool:
        """Return whether a method can be called with arguments, or is an extension; of functions it is not sure."""
        functions = any(map(_FUNCTION.match, arguments))
        taken = self._parameters(of)
        is_extension = any(one[0].receiver for one in taken if one)
        fits = any(accepts_number(one, len(arguments)) and not excludes(one, arguments) for one in taken)
        return not taken or is_extension or (fits and not functions)

    def _excludes(self, of: SymbolRef, arguments: Sequence[str]) -> bool:
        taken = self._parameters(of)
        return bool(taken) and all(excludes(one, arguments) for one in taken)

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
        if own:  # what ``A`` declares for ``A<T> : A`` often takes as much, of other types
            name = without_numbers(meant.name)
            alike = [one for one in inherited if without_numbers(one.name) == name and self._takes(one, arguments)]
            return [*own, *(one for one in alike if not any(self._takes_the_same(one, other) for other in own))]
        above = [one for one in inherited if self._takes(one, arguments)]
        return [one for one in above if one.name == above[0].name] or (meant,)  # the parts of one base

    def _inherited(self, of: SymbolRef, name: str) -> Sequence[SymbolRef]:
        above = self._evaluator.inheritance.mro(Type(of))[1:]
        own = (
            self._evaluator.declarations.own_member(one.origin, name)
            for one in above
            if isinstance(one.origin, SymbolRef)
        )
        found = [one for one in own if one is not None]
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
