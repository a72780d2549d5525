"""The arguments of a call against the parameters of a function: by number, by types where known.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2 and
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1264-overload-resolution.
Only what is sure excludes a function.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import is_type_parameter
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.resolve.overloads.argument_types import (
    ALIASES,
    BOXES,
    CLASSES,
    PRIMITIVES,
    ROOTS,
    TEXTS,
    ArgumentTypes,
    is_taken_as,
    is_widened,
)
from leadline_tools.resolve.overloads.call_shapes import ARRAY, FUNCTION, Parameter, accepts_number
from leadline_tools.resolve.project.resolution import NonSymbol, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import is_interface
from leadline_tools.resolve.types.type import FUNCTION_TYPE, Type


class DeclaredParameter(NamedTuple):
    """A parameter, and the file that declares its function."""

    home: str
    parameter: Parameter


class ArgumentMatch:
    """Compares the types of arguments with those of parameters, which are read in the file of their function."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question
        self._types = ArgumentTypes(index, question)
        self.type_of = self._types.type_of

    def _declared_type(self, home: str, term: str) -> SymbolRef | None:
        """Return the type that a name means outside of all types of a file: in one of the namespaces that it opens.

        Another name of a type (``typealias``) is none.
        """
        facts = self._question.project.facts(home)
        spaces = [at for at, one in enumerate(facts.scopes) if one.kind is ScopeKind.Namespace] if facts else []
        found = (self._types.named_type(home, term, scope) for scope in (0, *spaces))
        first = next((one for one in found if one is not None), None)
        is_alias = first is not None and not self._question.resolver.evaluator.definitions.is_declared_type(first)
        return None if is_alias else first

    def accepts(self, home: str, taken: Sequence[Parameter] | None, given: Sequence[str | SymbolRef]) -> bool:
        """Return whether a function of a file can be called with arguments of some types."""
        if taken is None or not accepts_number(taken, len(given)):
            return taken is None
        repeats = bool(taken) and taken[-1].repeated
        padded = [*taken, *([taken[-1]] * (len(given) - len(taken)) if repeats else ())]
        return not any(
            self.excludes(home, one, type_) for one, type_ in zip(padded, given, strict=False) if not one.repeated
        )

    def surely_takes(self, home: str, parameter: Parameter, given: str | SymbolRef) -> bool:
        """Return whether a parameter of a function of a file surely takes what is of a type."""
        wanted = self._plain_type(home, parameter.type)
        if not given or not wanted or given == FUNCTION:
            return False
        if given == "null":
            return wanted not in PRIMITIVES
        if isinstance(given, SymbolRef):
            return self._is_root(home, wanted) or self._inherits(home, given, wanted)
        if given.endswith(ARRAY) or wanted.endswith(ARRAY):
            return given == wanted or self._is_root(home, wanted)
        if given in PRIMITIVES and (wanted in PRIMITIVES or wanted in CLASSES[given]):
            return wanted == given or wanted in CLASSES[given] or self._widens(home, given, wanted)
        return wanted == given or {wanted, given} <= TEXTS or self._is_root(home, wanted)

    def is_better(self, one: DeclaredParameter, other: DeclaredParameter, given: str | SymbolRef) -> bool | None:
        """Return whether a parameter suits an argument better than another one; None where both suit it as well.

        False where neither is known to. https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2.5,
        https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12644-better-conversion-from-expression
        """
        first, second = (self._plain_type(of.home, of.parameter.type) for of in (one, other))
        if first == second or {first, second} <= TEXTS:
            return None if first else False
        if given in PRIMITIVES and first in PRIMITIVES:
            return second not in PRIMITIVES or self._widens(one.home, first, second)
        if first in PRIMITIVES or not second or second in PRIMITIVES | TEXTS:
            return False
        if self._is_root(other.home, second):
            return bool(first)
        declared = self._declared_type(one.home, first)
        return declared is not None and self._inherits(other.home, declared, second)

    def _plain_type(self, home: str, name: str) -> str:
        """Return the built-in type that a file calls so, or the name itself."""
        semantics = semantics_of(home)
        own = semantics.calls.built_in_types if semantics is not None else {}
        return own.get(name) or ALIASES.get(name, name)

    def _widens(self, home: str, given: str, wanted: str) -> bool:
        """Return whether a value of a built-in type becomes one of another: not where they are classes (Kotlin)."""
        semantics = semantics_of(home)
        return semantics is not None and not semantics.calls.built_in_types and is_widened(given, wanted)

    def _is_root(self, home: str, wanted: str) -> bool:
        """Return whether a type is that of all objects."""
        semantics = semantics_of(home)
        is_root = wanted in ROOTS or (semantics is not None and wanted == semantics.members.root_type)
        return is_root and self._declared_type(home, wanted) is None

    def _inherits(self, home: str, given: SymbolRef, wanted: str) -> bool:
        """Return whether a type surely is, or inherits from, what a file calls so."""
        expected = self._declared_type(home, wanted)
        mro = self._question.resolver.evaluator.inheritance.mro(Type(given))
        return expected is not None and any(expected.same(one.origin) for one in mro)

    def takes_exactly(self, home: str, taken: Sequence[Parameter] | None, given: Sequence[str | SymbolRef]) -> bool:
        """Return whether each argument is known to have the very type of its parameter."""
        if taken is None or len(taken) != len(given):
            return False
        return all(self._is_very_type(home, one, type_) for one, type_ in zip(taken, given, strict=True))

    def _is_very_type(self, home: str, parameter: Parameter, given: str | SymbolRef) -> bool:
        """Return whether a parameter is declared with a type: types of several packages may be called alike."""
        if parameter.repeated or not given:
            return False
        if isinstance(given, str):
            names = {parameter.type, self._plain_type(home, parameter.type)}
            return given != FUNCTION and (given in names or {given, parameter.type} <= TEXTS)
        declared = self._declared_type(home, parameter.type)
        same = declared is None or declared.same(given)
        return same and given.name.rpartition(".")[2] == parameter.type.rpartition(".")[2]

    def excludes(self, home: str, parameter: Parameter, given: str | SymbolRef) -> bool:
        """Return whether a parameter surely takes nothing of a type."""
        wanted = self._plain_type(home, parameter.type)
        if not given or not wanted:
            return False
        if given == "null":
            return wanted in PRIMITIVES
        if wanted.endswith(ARRAY) or (isinstance(given, str) and given.endswith(ARRAY)):
            return self._excludes_array(home, given, wanted)
        if FUNCTION in (given, wanted):
            return self._excludes_function(home, given, wanted)
        if isinstance(given, SymbolRef):
            return self._excludes_object(home, given, wanted)
        return given in PRIMITIVES | TEXTS and self._excludes_built_in(home, given, wanted)

    def _excludes_function(self, home: str, given: str | SymbolRef, wanted: str) -> bool:
        """Return whether one of two types is that of functions, and the other surely is another."""
        if given == FUNCTION:
            no_function = wanted in PRIMITIVES | TEXTS | BOXES
            return no_function or (wanted != FUNCTION and self._is_no_function(home, wanted))
        if isinstance(given, SymbolRef):
            return self._has_bases_of_tree_alone(given) and not self._is_function_type(given)
        return given in PRIMITIVES | TEXTS

    def _excludes_built_in(self, home: str, given: str, wanted: str) -> bool:
        known = wanted in PRIMITIVES | TEXTS
        return not is_taken_as(wanted, given) if known else self._boxes_nowhere(home, given, wanted)

    def _excludes_array(self, home: str, given: str | SymbolRef, wanted: str) -> bool:
        """Return whether one of two types is that of arrays, and the other surely is another."""
        if isinstance(given, SymbolRef) or not given.endswith(ARRAY):
            return isinstance(given, SymbolRef) or given in PRIMITIVES | TEXTS | {FUNCTION}
        if wanted.endswith(ARRAY):
            elements = {given.removesuffix(ARRAY), wanted.removesuffix(ARRAY)}
            return len(elements) > 1 and not elements.isdisjoint(PRIMITIVES)
        return wanted in PRIMITIVES | TEXTS | BOXES or self._declared_type(home, wanted) is not None

    def _excludes_object(self, home: str, given: SymbolRef, wanted: str) -> bool:
        """Return whether a parameter of a type takes no object of a type of the tree."""
        name, semantics = given.name.rpartition(".")[2], semantics_of(home)
        if wanted in PRIMITIVES:
            return name not in BOXES
        if wanted in TEXTS:
            return name not in TEXTS
        if semantics is not None and wanted in semantics.library.function_types:
            return not self._is_function_type(given)
        return self._is_unrelated(home, given, wanted)

    def _is_no_function(self, home: str, wanted: str) -> bool:
        """Return whether a type of the tree is surely none of functions: no delegate, no interface of one method."""
        expected, semantics = self._declared_type(home, wanted), semantics_of(home)
        if expected is None or semantics is None or self._is_function_type(expected):
            return False
        return bool(semantics.library.function_types) or not is_interface(self._index, expected)

    def _is_function_type(self, of: SymbolRef) -> bool:
        mro = self._question.resolver.evaluator.inheritance.mro(Type(of))
        return any(one.origin == FUNCTION_TYPE for one in mro)

    def _boxes_nowhere(self, home: str, given: str, wanted: str) -> bool:
        """Return whether a value of a built-in type is surely no object of a type."""
        declared = self._declared_type(home, wanted)
        if declared is None or self._may_convert(home, None, declared):
            return False
        classes = (self._declared_type(home, name) for name in CLASSES[given])
        known = next((one for one in classes if one is not None), None)
        if known is not None:
            return self._is_unrelated(home, known, wanted)
        semantics = semantics_of(home)
        return semantics is None or wanted != semantics.members.root_type

    def _is_unrelated(self, home: str, given: SymbolRef, wanted: str) -> bool:
        """Return whether a type surely does not inherit from one of a name."""
        expected = self._declared_type(home, wanted)
        inheritance = self._question.resolver.evaluator.inheritance
        if not inheritance.is_decided(given) or self._may_convert(home, given, expected):
            return False
        if expected is None:
            return self._has_bases_of_tree_alone(given) and not self._may_be_any(home, wanted)
        return not any(expected.same(one.origin) for one in inheritance.mro(Type(given)))

    def _has_bases_of_tree_alone(self, of: SymbolRef) -> bool:
        """Return whether all that a type inherits from is known, and is in the tree."""
        origins = [one.origin for one in self._question.resolver.evaluator.inheritance.mro(Type(of))]
        own = [one for one in origins if isinstance(one, SymbolRef)]
        homes = [(one, self._question.project.facts(one.path)) for one in own]
        said = [clause for one, facts in homes if facts is not None for clause in facts.heritage_of(one.name)]
        return len(own) == len(origins) and sum(len(clause.bases) for clause in said) < len(origins)

    def _may_be_any(self, home: str, wanted: str) -> bool:
        """Return whether any object may be one of what a file calls so: a type parameter, another name of a type."""
        facts = self._question.project.facts(home)
        found = self._question.resolver.evaluator.evaluate(home, wanted, 0)
        return (
            facts is None
            or any(not isinstance(one.origin, NonSymbol) for one in found)
            or not wanted[:1].isupper()
            or self._is_root(home, wanted)
            or any(is_type_parameter(one) or one.imported >= 0 for one in facts.named(wanted))
        )

    def _may_convert(self, home: str, given: SymbolRef | None, expected: SymbolRef | None) -> bool:
        """Return whether one of two types may declare that its objects become others without a cast."""
        semantics = semantics_of(home)
        words = semantics.calls.converts if semantics is not None else b""
        sources = (self._index.try_read(one.path) for one in (given, expected) if one is not None)
        return bool(words) and any(one is not None and words in one.content for one in sources)
