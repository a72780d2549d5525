"""Overloads of methods: which methods of one name a call means, by the number and the literals of its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import CALLABLE, without_numbers
from leadline_tools.languages.rules.calls import Labels
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.argument_match import ArgumentMatch
from leadline_tools.resolve.overloads.call_shapes import (
    ARRAY,
    FUNCTION,
    Parameter,
    accepts,
    accepts_number,
    arguments_at,
    arguments_in,
    excludes,
    has_block_behind,
    parameters_of,
)
from leadline_tools.resolve.overloads.imported_functions import ImportedFunctions
from leadline_tools.resolve.overloads.labelled_methods import LabelledMethods, labels_of_methods
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import is_interface
from leadline_tools.resolve.types.type import Type

_FUNCTION = re.compile(r"(?:(?:async|static)\s+)*(?:\w+|\([^()]*\))\s*=>|delegate\b")
"""The beginning of an argument that is a function."""


_TYPE_PARAMETER = re.compile(r"[A-Z][A-Z\d]?")


class _Call(NamedTuple):
    """The arguments of a call, and their types as far as they are known."""

    arguments: Sequence[str]
    types: Sequence[str | SymbolRef]


class _Beside(NamedTuple):
    """What a call may mean beside a method.

    Args:
        parts: The methods of its name in other parts of its type.
        inherited: Those of the bases, where the arguments choose, each with what its declarations take that no method
            of the type overrides; None for none.
        chooses: Whether they take something else, so that the arguments choose.
    """

    parts: Sequence[SymbolRef]
    inherited: Mapping[SymbolRef, Sequence[Sequence[Parameter] | None] | None]
    chooses: bool


class MethodOverloads:
    """Chooses between the methods of one name that a type has, by the arguments of a call.

    A type that declares a method of a name still has the inherited ones that take something else, and those of its
    other parts, in other files.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2.1
    """

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._project = question.project
        self._resolver = question.resolver
        self._evaluator = question.resolver.evaluator
        self._match = ArgumentMatch(index, question)
        self._imported = ImportedFunctions(index, question.resolver)
        self._taken: dict[tuple[str, str], Sequence[Sequence[Parameter] | None]] = {}
        self._others: dict[tuple[str, str], _Beside] = {}
        self._by_labels: LabelledMethods | None = None

    def choose(self, path: str, use: Use, meanings: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a call means: methods that cannot be called so are replaced by those of other parts, or bases."""
        semantics = semantics_of(path)
        if use.role not in (Role.Call, Role.Read) or semantics is None:
            return meanings
        meanings = self._imported.choose(path, semantics, use, meanings)
        labels = labels_of_methods(path)
        if use.role is Role.Read and (labels is not None or use.receiver == BARE):
            return meanings
        if labels is None and not (semantics.calls.constructor_keywords or semantics.calls.inherits_overloads):
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
            not (members and semantics.members.has_extensions and semantics.calls.constructor_keywords)
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
        fitting = [one for one in seen if isinstance(one, SymbolRef) and self._takes_behind(one, arguments)]
        able = [one for one in found if not isinstance(one, SymbolRef) or not self._excludes(one, arguments)]
        return [*(one for one in able if one not in fitting), *fitting] if fitting else found

    def _surely_takes(self, of: SymbolRef, arguments: Sequence[str]) -> bool:
        """Return whether a method can be called with arguments, or is an extension; functions by their number alone."""
        taken, semantics = self._parameters(of), semantics_of(of.path)
        functions = semantics.library.function_types if semantics is not None else frozenset[str]()
        is_extension = any(one[0].receiver for one in taken if one)
        fits = (
            accepts_number(one, len(arguments))
            and not excludes(one, arguments)
            and _takes_functions(one, arguments, functions)
            for one in taken
        )
        return not taken or is_extension or any(fits)

    def _excludes(self, of: SymbolRef, arguments: Sequence[str]) -> bool:
        taken = self._parameters(of)
        return bool(taken) and all(excludes(one, arguments) for one in taken)

    def _chosen(self, path: str, use: Use, meant: SymbolRef) -> Sequence[SymbolRef]:
        beside = self._beside(meant)
        if use.role is Role.Read and beside.chooses:  # a method that is named and not called may be any of them
            left = beside.inherited.items()
            return (meant, *(one for one, every in left if every and any(taken is not None for taken in every)))
        arguments = arguments_in(self._project.lines(path), path, use) if beside.chooses else None
        facts, semantics = self._resolver.facts(path)
        if arguments is None or facts is None or semantics is None:
            return (meant,)
        if semantics.calls.block_is_argument and has_block_behind(self._index, path, use):
            arguments = [*arguments, "{}"]
        call = _Call(arguments, [self._match.type_of(path, facts, use, one) for one in arguments])
        own = self._fitting({one: self._parameters(one) for one in (meant, *beside.parts)}, call)
        above = self._fitting(beside.inherited, call)
        exact = [one for one, is_exact in own.items() if is_exact]
        if exact or not above or (semantics.calls.nearest_overloads and self._declares_one(own, call)):
            return exact or [*own, *_of_namesakes(meant, above)] or (meant,)
        exact = [one for one, is_exact in above.items() if is_exact]
        alike = [one for one in above if one.name == next(iter(above)).name]  # the parts of one base
        return exact or ([*own, *above] if own else alike)

    def _beside(self, meant: SymbolRef) -> _Beside:
        """Return what a call may mean beside a method, found once for all calls."""
        key = meant.path, meant.name
        if key not in self._others:
            owner, _, name = meant.name.rpartition(".")
            of = SymbolRef(meant.path, owner, meant.reason)
            parts = self._evaluator.declarations.members_in_other_parts(of, name) if owner else ()
            inherited = self._inherited(of, name) if owner else ()
            chooses = bool(parts) or not all(self._takes_the_same(one, meant) for one in inherited)
            declared = [taken for one in (meant, *parts) for taken in self._parameters(one)] if chooses else []
            left = {one: self._not_overridden(one, declared) for one in inherited} if chooses else {}
            found = _Beside(parts, left, chooses)
            if not self._evaluator.is_idle:  # a circle of bases may have been cut short
                return found
            self._others[key] = found
        return self._others[key]

    def _declares_one(self, own: Iterable[SymbolRef], call: _Call) -> bool:
        """Return whether a type declares a method that can be called so: one that overrides another is of its base.

        https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12892-method-invocations
        """
        for one in own:
            declared = zip(self._parameters(one), self._modifiers(one), strict=False)
            new = [taken for taken, modifiers in declared if "override" not in modifiers]
            if new and self._fitting({one: new}, call):
                return True
        return False

    def _modifiers(self, of: SymbolRef) -> Sequence[Sequence[str]]:
        """Return the words before the name in each declaration of a method."""
        source = self._index.try_read(of.path)
        listed = self._index.symbols.definitions(source) if source else ()
        named = [one for one in listed if one.path == of.name and one.kind in CALLABLE]
        heads = [source.content[slice(*one.signature)].decode("utf-8", "replace") if source else "" for one in named]
        return [head.partition(one.name)[0].split() for head, one in zip(heads, named, strict=True)]

    def _not_overridden(
        self, of: SymbolRef, declared: Sequence[Sequence[Parameter] | None]
    ) -> Sequence[Sequence[Parameter] | None] | None:
        """Return what the declarations of an inherited method take that no method of the type overrides; None for none.

        Where what a base takes is a type parameter, a type may override it by a method that takes another type.
        """
        every = self._parameters(of)
        left = [one for one in every if not any(self._may_override(own, one, of) for own in declared)]
        return None if every and not left else left

    def _may_override(self, own: Sequence[Parameter] | None, above: Sequence[Parameter] | None, of: SymbolRef) -> bool:
        if own is None or above is None or len(own) != len(above):
            return own == above
        open_types = self._type_parameters(of)
        return all(
            not (mine.type and other.type)
            or ARRAY in mine.type + other.type
            or FUNCTION in (mine.type, other.type)
            or mine.last_name == other.last_name
            or other.type in open_types
            for mine, other in zip(own, above, strict=True)
        )

    def _type_parameters(self, of: SymbolRef) -> AbstractSet[str]:
        """Return the type parameters that a method sees in its types; those of its own by how they look."""
        facts, _ = self._resolver.facts(of.path)
        found, owner = set[str](), of.name.rpartition(".")[0]
        while owner and facts is not None:
            found.update(name for one in facts.heritage_of(owner) for name in one.generics)
            owner = owner.rpartition(".")[0]
        taken = (one.type for every in self._parameters(of) for one in every or ())
        return found | {name for name in taken if _TYPE_PARAMETER.fullmatch(name)}

    def _fitting(
        self, declared: Mapping[SymbolRef, Sequence[Sequence[Parameter] | None] | None], call: _Call
    ) -> Mapping[SymbolRef, bool]:
        """Return the methods that can be called so, each with whether it takes exactly what the call gives."""
        found: dict[SymbolRef, bool] = {}
        for of, every in declared.items():
            semantics = semantics_of(of.path)
            functions = semantics.library.function_types if semantics is not None else frozenset[str]()
            fits = [
                one
                for one in every or ()
                if accepts(one, call.arguments, functions) and self._match.accepts(of.path, one, call.types)
            ]
            if fits or (every is not None and not every):
                found[of] = any(self._match.takes_exactly(of.path, one, call.types) for one in fits)
        return found

    def _inherited(self, of: SymbolRef, name: str) -> Sequence[SymbolRef]:
        above = [one.origin for one in self._evaluator.inheritance.mro(Type(of))[1:]]
        owned = [
            (one, self._evaluator.declarations.own_member(one, name)) for one in above if isinstance(one, SymbolRef)
        ]
        semantics = semantics_of(of.path)
        if owned and semantics is not None and semantics.members.interfaces_apart and not is_interface(self._index, of):
            owned = [(one, own) for one, own in owned if own is not None and not is_interface(self._index, one)]
        found = [own for _, own in owned if own is not None]
        return list({(one.path, one.name): one for one in reversed(found)}.values())[::-1]

    def _takes_behind(self, of: SymbolRef, arguments: Sequence[str]) -> bool:
        """Return whether a method can be called with arguments on the object that an extension takes first."""
        taken, semantics = self._parameters(of), semantics_of(of.path)
        functions = semantics.library.function_types if semantics is not None else frozenset[str]()
        behind = (one[1:] if one and one[0].receiver else one for one in taken)
        return not taken or any(accepts(one, arguments, functions) for one in behind)

    def _takes_the_same(self, one: SymbolRef, other: SymbolRef) -> bool:
        """Return whether two methods take the same, whatever a call gives them."""
        return semantics_of(one.path) is semantics_of(other.path) and self._parameters(one) == self._parameters(other)

    def _parameters(self, of: SymbolRef) -> Sequence[Sequence[Parameter] | None]:
        """Return what each declaration of a method takes."""
        if (of.path, of.name) not in self._taken:
            source = self._index.try_read(of.path)
            listed = self._index.symbols.definitions(source) if source else ()
            named = [one for one in listed if one.path == of.name and one.kind in CALLABLE]
            taken = [parameters_of(source, one) for one in named] if source else []
            self._taken[of.path, of.name] = taken or ([()] if self._is_accessor(of) else [])
        return self._taken[of.path, of.name]

    def _is_accessor(self, of: SymbolRef) -> bool:
        """Return whether a member that is no method is called as one without parameters: a component of a record.

        https://docs.oracle.com/javase/specs/jls/se21/html/jls-8.html#jls-8.10.3
        """
        definitions = self._evaluator.definitions
        getter = any(one.sort == Sort.Getter for one in definitions.bindings(of))
        return getter and definitions.has_separate_call_namespace(of)


def _takes_functions(
    taken: Sequence[Parameter] | None, arguments: Sequence[str], function_types: AbstractSet[str]
) -> bool:
    """Return whether each argument that is a function stands where a type of functions is wanted."""
    wanted = [one.type for one in taken or ()]
    at = [number for number, one in enumerate(arguments) if _FUNCTION.match(one)]
    return all(number < len(wanted) and wanted[number] in function_types for number in at)


def _of_namesakes(meant: SymbolRef, inherited: Iterable[SymbolRef]) -> Sequence[SymbolRef]:
    """Return the inherited methods of types called alike: ``A`` often declares as much for ``A<T> : A``."""
    return [one for one in inherited if without_numbers(one.name) == without_numbers(meant.name)]
