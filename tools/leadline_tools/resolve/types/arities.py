"""The *arity* of a type: of several of one name that one is meant with as many parameters as there are arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from leadline_tools.languages import share_rules
from leadline_tools.languages.facts import Sort, Use
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.type import Type

_TOKEN = re.compile(r"\s*([<>,()\[\]]|[^\s<>,()\[\]]+)")
_OPENING = ("<", "(", "[")
_CLOSING = (">", ")", "]")
_MOST_LINES = 100
"""Lines after the one of a name on which its type arguments may go on."""

_FEW = 40
"""Files that define a name of which the type parameters are compared; of more, of those whose index has the type."""


class Arities:
    """The numbers of type parameters of types that share a name."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._known: dict[tuple[str, str], Mapping[str, frozenset[int]]] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._known.clear()

    def meant(self, path: str, name: str, use: Use, found: Iterable[Resolution]) -> Iterator[Resolution]:
        """Yield what an occurrence may mean of what was found for its name; no type that has another number.

        Another name for a type is one for that with its arguments.
        """
        for one in found:
            declaring = self._declaring(one) if isinstance(one, SymbolRef) and _has_name(one, name) else {}
            if not isinstance(one, SymbolRef) or len(frozenset[int]().union(*declaring.values())) <= 1:
                yield one
                continue
            wanted = self.arguments(path, use)
            file = next((file for file, numbers in declaring.items() if wanted in numbers), None)
            if file is not None:
                yield one if file == one.path else replace(one, path=file)

    def select_by_arguments(self, types: Sequence[Type], name: str, number: int) -> Sequence[Type]:
        """Return types, each that shares ``name`` with others as the one that takes a number of arguments."""
        return [self._select(one, number) if _has_name(one.origin, name) else one for one in types]

    def _select(self, type_: Type, number: int) -> Type:
        of = type_.origin
        if not isinstance(of, SymbolRef) or type_.is_instance:
            return type_
        selected = self.select(of, number)
        return type_ if selected is of else replace(type_, origin=selected)

    def select(self, of: SymbolRef, number: int) -> SymbolRef:
        """Return the type that takes a number of arguments, of those that are called like one; else that one."""
        declaring = self._declaring(of)
        if number in declaring.get(of.path, frozenset({number})):
            return of
        file = next((file for file, numbers in declaring.items() if number in numbers), of.path)
        return of if file == of.path else replace(of, path=file)

    def _declaring(self, of: SymbolRef) -> Mapping[str, frozenset[int]]:
        """Return the files that declare a type of a name, its own first, each with how many parameters it has there."""
        key = (of.path, of.name)
        if key not in self._known:
            files = self._resolver.project.defining(of.name.rpartition(".")[2], of.path)
            others = sorted(file for file in files if file != of.path and share_rules(file, of.path))
            if len(others) > _FEW:
                others = [file for file in others if self._resolver.project.may_declare(file, of.name)]
            numbers = ((file, self.numbers(file, of.name)) for file in (of.path, *others))
            self._known[key] = {file: declared for file, declared in numbers if declared}
        return self._known[key]

    def numbers(self, path: str, name: str) -> frozenset[int]:
        """Return how many type parameters the types of a file with a dotted name have; nothing where it has none."""
        facts, _ = self._resolver.facts(path)
        types = [one for one in facts.all_at(name) if one.sort == Sort.Type] if facts is not None else []
        if facts is None or not types:
            return frozenset()
        declared = [len(one.generics) for one in facts.heritage_of(name)]
        return frozenset((*declared, *([0] if len(declared) < len(types) else [])))

    def arguments(self, path: str, use: Use) -> int:
        """Return how many type arguments stand after an occurrence."""
        return type_arguments(self._resolver.project.lines(path), use.line, use.end_column)


def _has_name(of: Resolution, name: str) -> bool:
    return isinstance(of, SymbolRef) and of.name.rpartition(".")[2] == name


def type_arguments(lines: Sequence[str], line: int, column: int) -> int:
    """Return how many type arguments or parameters stand in angle brackets at a place, 1-based; none without these."""
    after = "\n".join((*(text[column - 1 :] for text in lines[line - 1 : line]), *lines[line : line + _MOST_LINES]))
    number = depth = 0
    for token in _TOKEN.finditer(after):
        one = token[1]
        if not depth and one != "<":
            break
        depth += (one in _OPENING) - (one in _CLOSING)
        number += depth == 1 and one in ("<", ",")
        if not depth:
            break
    return number
