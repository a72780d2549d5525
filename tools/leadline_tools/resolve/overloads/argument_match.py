"""The arguments of a call against the parameters of a function: by number, by types where known.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2 and
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1264-overload-resolution.
Only what is sure excludes a function.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from leadline_tools.index.index import Index
from leadline_tools.languages import lexis_of, semantics_of
from leadline_tools.languages.facts import Binding, Facts, Sort, Use
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.argument_types import (
    A_FUNCTION,
    ALIASES,
    BOXES,
    CLASSES,
    PRIMITIVES,
    TEXTS,
    is_lambda,
    is_taken_as,
    literal_type,
    made_by_factory,
    spelled_type,
)
from leadline_tools.resolve.overloads.call_shapes import Parameter, accepts_number
from leadline_tools.resolve.project.resolution import LocalName, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.scopes.visible_bindings import NO_TYPES
from leadline_tools.resolve.symbols.defined_symbol import is_interface
from leadline_tools.resolve.types.type import FUNCTION_TYPE, Type

_WORD = re.compile(r"[^\W\d][\w$]*")
_LAST_WORD = re.compile(r"(?<![.\w])(\w+)\s+$")
_DOTTED = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)+")
_NAMED = re.compile(r"[^\W\d]\w*\s*:(?!:)")


class ArgumentMatch:
    """Compares the types of arguments with those of parameters, which are read in the file of their function."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question

    def type_of(self, path: str, facts: Facts, use: Use, argument: str) -> str | SymbolRef:
        """Return the type of an argument: its last name, or its definition in the tree; empty where it is not known."""
        if _NAMED.match(argument):
            return ""
        literal = A_FUNCTION if is_lambda(argument) else literal_type(argument)
        if literal:
            return literal
        name = spelled_type(argument, lexis_of(path))
        if name:
            return self._named_type(path, name, use.scope) or name.rpartition(".")[2]
        if factory := made_by_factory(argument, lexis_of(path)):
            return "" if self._named_type(path, factory, use.scope) else factory
        if _DOTTED.fullmatch(argument):
            return self._type_of_member(path, use, argument)
        return self._type_of_name(path, facts, use, argument) if _WORD.fullmatch(argument) else ""

    def _type_of_member(self, path: str, use: Use, term: str) -> str | SymbolRef:
        """Return the type of what stands behind a dot: a function where it is a method that is not called."""
        resolver = self._question.resolver
        found = resolver.evaluator.evaluate(path, term, use.scope)
        if found and all(self._is_method(one) for one in found):
            return A_FUNCTION
        values = resolver.evaluator.resolve_aliases(found)
        types = dict.fromkeys(one.origin for one in values)
        first = next(iter(types), None)
        sure = len(types) == 1 and all(one.is_instance for one in values) and isinstance(first, SymbolRef)
        return first if sure and isinstance(first, SymbolRef) else ""

    def _is_method(self, type_: Type) -> bool:
        """Return whether a name means methods alone, and is no type."""
        of = type_.origin
        facts = self._question.project.facts(of.path) if isinstance(of, SymbolRef) and not type_.is_instance else None
        bound = facts.all_at(of.name) if facts is not None and isinstance(of, SymbolRef) else ()
        return bool(bound) and all(one.sort == Sort.Callable for one in bound)

    def _declared_type(self, home: str, term: str) -> SymbolRef | None:
        """Return the type that a name means outside of all types of a file: in one of the namespaces that it opens."""
        facts = self._question.project.facts(home)
        spaces = [at for at, one in enumerate(facts.scopes) if one.kind is ScopeKind.Namespace] if facts else []
        found = (self._named_type(home, term, scope) for scope in (0, *spaces))
        return next((one for one in found if one is not None), None)

    def _named_type(self, path: str, term: str, scope: int) -> SymbolRef | None:
        found = self._question.resolver.evaluator.evaluate(path, term, scope)
        return next((one.origin for one in found if isinstance(one.origin, SymbolRef) and not one.is_instance), None)

    def _type_of_name(self, path: str, facts: Facts, use: Use, name: str) -> str | SymbolRef:
        """Return the declared type of a variable."""
        resolver = self._question.resolver
        as_receiver = use._replace(receiver=name, role=Role.Read)
        found = resolver.receivers.types(path, as_receiver)
        types = [one for one in found if not resolver.sorts.of(one) & NO_TYPES]  # a component is no type
        if types:
            return types[0] if len(types) == 1 else ""
        meaning = resolver.scopes.lookup(path, name, use.scope)
        if isinstance(meaning, SymbolRef) and meaning.path == path:
            bound = facts.all_at(meaning.name)
        elif isinstance(meaning, LocalName) and meaning.path == path:
            bound = facts.within(name, meaning.scope)
        else:
            return ""
        if bound and all(one.sort == Sort.Callable for one in bound):
            return A_FUNCTION
        return self._spelled_type(meaning.path, bound[0]) if len(bound) == 1 else ""

    def _spelled_type(self, path: str, bound: Binding) -> str:
        """Return the type that stands before the name of a variable, where the language itself has it."""
        source = self._index.try_read(path)
        before = source.lines()[bound.line - 1][: bound.column - 1] if source is not None else ""
        word = _LAST_WORD.search(before)
        return word[1] if word is not None and word[1] in PRIMITIVES | TEXTS else ""

    def accepts(self, home: str, taken: Sequence[Parameter] | None, given: Sequence[str | SymbolRef]) -> bool:
        """Return whether a function of a file can be called with arguments of some types."""
        if taken is None or not accepts_number(taken, len(given)):
            return taken is None
        repeats = bool(taken) and taken[-1].repeated
        padded = [*taken, *([taken[-1]] * (len(given) - len(taken)) if repeats else ())]
        return not any(
            self._excludes(home, one, type_) for one, type_ in zip(padded, given, strict=False) if not one.repeated
        )

    def _excludes(self, home: str, parameter: Parameter, given: str | SymbolRef) -> bool:
        """Return whether a parameter surely takes nothing of a type."""
        wanted = ALIASES.get(parameter.type, parameter.type)
        if not given or not wanted:
            return False
        if given == "null":
            return wanted in PRIMITIVES
        if given == A_FUNCTION:
            return wanted in PRIMITIVES | TEXTS | BOXES or self._is_no_function(home, wanted)
        if isinstance(given, SymbolRef):
            return self._excludes_object(home, given, wanted)
        if given not in PRIMITIVES | TEXTS:
            return False
        known = wanted in PRIMITIVES | TEXTS
        return not is_taken_as(wanted, given) if known else self._boxes_nowhere(home, given, wanted)

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
        if self._declared_type(home, wanted) is None:
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
        if expected is None or not inheritance.is_decided(given):
            return False
        return not any(expected.same(one.origin) for one in inheritance.mro(Type(given)))


def takes_exactly(taken: Sequence[Parameter] | None, given: Sequence[str | SymbolRef]) -> bool:
    """Return whether each argument is known to have the very type of its parameter: neither is one of arrays."""
    if taken is None or len(taken) != len(given):
        return False
    names = [one.name.rpartition(".")[2] if isinstance(one, SymbolRef) else one for one in given]
    return all(
        parameter is not None and not parameter.repeated and bool(name) and parameter.type == name
        for parameter, name in zip_longest(taken, names)
    )
