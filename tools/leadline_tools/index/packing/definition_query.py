"""A query of the definitions of a file, so that of those that are packed no more is unpacked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from leadline_tools.index.packing.packed_symbols import (
    count_in,
    innermost,
    unpack,
    unpack_around,
    unpack_at,
    unpack_named,
)
from leadline_tools.languages.outline import Definition

Answer_co = TypeVar("Answer_co", covariant=True)


@dataclass(frozen=True, slots=True)
class DefinitionQuery(Generic[Answer_co]):
    """A question about the definitions of a file.

    Attributes:
        packed: Answers it from the packed definitions of an index; raises ValueError for damaged ones.
        known: Answers it from all definitions of the file.

    """

    packed: Callable[[bytes], Answer_co]
    known: Callable[[Sequence[Definition]], Answer_co]


EVERY: DefinitionQuery[list[Definition]] = DefinitionQuery(unpack, list)
"""All of them."""

NUMBER: DefinitionQuery[int] = DefinitionQuery(count_in, len)
"""How many there are."""


def named(wanted: Callable[[str], object]) -> DefinitionQuery[list[Definition]]:
    """Return what asks for those whose names are wanted (truly)."""
    return DefinitionQuery(
        partial(unpack_named, wanted=wanted), lambda known: [one for one in known if wanted(one.name)]
    )


def in_line(line: int) -> DefinitionQuery[list[Definition]]:
    """Return what asks for those whose names are in a line, counted from 1."""
    return in_lines(frozenset((line,)))


def in_lines(lines: Collection[int]) -> DefinitionQuery[list[Definition]]:
    """Return what asks for those whose names are in some lines, counted from 1."""
    return DefinitionQuery(partial(unpack_at, lines=lines), lambda known: [one for one in known if one.line in lines])


def around(lines: Sequence[int]) -> DefinitionQuery[Mapping[int, Definition]]:
    """Return what asks for the innermost definition around each of some sorted lines, as ``unpack_around`` has it."""

    def known(definitions: Sequence[Definition]) -> Mapping[int, Definition]:
        names = [one.line for one in definitions]
        above = [one.line - one.start_line for one in definitions]
        below = [one.end_line - one.line for one in definitions]
        return {line: definitions[row] for line, row in innermost(names, above, below, lines).items()}

    return DefinitionQuery(partial(unpack_around, lines=lines), known)
