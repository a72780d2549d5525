"""The *arity* of a type: of several of one name that one is meant with as many parameters as there are arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from leadline_tools.languages import share_rules
from leadline_tools.languages.facts import Sort, Use
from leadline_tools.languages.outline import join_dotted, numbered
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.types.type import Type

_TOKEN = re.compile(r"\s*([<>,()\[\]]|[^\s<>,()\[\]]+)")
_OPENING = ("<", "(", "[")
_CLOSING = (">", ")", "]")
_MOST_LINES = 100
"""Lines after the one of a name on which its type arguments may go on."""

_NUMBER = re.compile(r"(?:^|\.)\(\d+\)$")
_MOST_PARAMETERS = 20
"""Type parameters of a type that shares its name with others."""

_FEW = 40
"""Files that define a name of which the type parameters are compared; of more, of those whose index has the type."""


class Arities:
    """The numbers of type parameters of types that share a name."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._known: dict[tuple[str, str], Mapping[int, Sequence[SymbolRef]]] = {}

    def forget(self) -> None:
        """Let go of what was found out."""
        self._known.clear()

    def meant(self, path: str, name: str, use: Use, found: Iterable[Resolution]) -> Iterator[Resolution]:
        """Yield what an occurrence may mean of what was found for its name; no type that has another number.

        Another name for a type is one for that with its arguments.
        """
        for one in found:
            declared = self._declared(one) if isinstance(one, SymbolRef) and _has_name(one, name) else {}
            if not isinstance(one, SymbolRef) or len(declared) <= 1:
                yield one
                continue
            meant = next(iter(declared.get(self.arguments(path, use), ())), None)
            if meant is not None:
                yield one if meant.same(one) else replace(one, path=meant.path, name=meant.name)

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
        meant = next(iter(self._declared(of).get(number, ())), of)
        return of if meant.same(of) else replace(of, path=meant.path, name=meant.name)

    def _declared(self, of: SymbolRef) -> Mapping[int, Sequence[SymbolRef]]:
        """Return the types of a name by the number of their type parameters, those of the same file first."""
        key = (of.path, of.name)
        if key not in self._known:
            named = dict(_names_by_number(of.name))
            files = self._resolver.project.defining(of.name.rpartition(".")[2], of.path)
            others = sorted(file for file in files if file != of.path and share_rules(file, of.path))
            may = self._resolver.project.may_declare
            if len(others) > _FEW:
                others = [file for file in others if any(may(file, name) for name in named.values())]
            found: dict[int, list[SymbolRef]] = {}
            for file in (of.path, *others):
                facts, _ = self._resolver.facts(file)
                for number, name in named.items() if facts is not None else ():
                    if facts is not None and any(one.sort == Sort.Type for one in facts.all_at(name)):
                        found.setdefault(number, []).append(replace(of, path=file, name=name))
            self._known[key] = found
        return self._known[key]

    def arguments(self, path: str, use: Use) -> int:
        """Return how many type arguments stand after an occurrence."""
        return type_arguments(self._resolver.project.lines(path), use.line, use.end_column)


def _names_by_number(name: str) -> Iterator[tuple[int, str]]:
    """Yield the dotted names that types called like one have, by the number of their type parameters."""
    around, _, last = name.rpartition(".")
    around = _NUMBER.sub("", around)
    yield 0, join_dotted(around, last)
    yield from ((number, join_dotted(around, numbered(number), last)) for number in range(1, _MOST_PARAMETERS + 1))


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
