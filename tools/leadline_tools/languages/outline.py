"""The outline of a file: the definitions in it, in the order of the source.

A *definition* is a place that defines a symbol: a function, a type, a variable of a module, a member. ``outline_walk``
finds them in a syntax tree.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from leadline_tools.model import SymbolKind

CALLABLE: Final = frozenset({SymbolKind.Function, SymbolKind.Method, SymbolKind.Constructor, SymbolKind.Operator})
"""Kinds whose variables are locals, not symbols."""

CLASS_LIKE: Final = frozenset(
    {SymbolKind.Class, SymbolKind.Struct, SymbolKind.Interface, SymbolKind.Enum, SymbolKind.Object}
)
"""Kinds whose functions are methods."""

NAMESPACE_LIKE: Final = frozenset({SymbolKind.Namespace, SymbolKind.Module})
"""Kinds that only enclose others, and may do so in several places."""

VARIABLE: Final = frozenset({SymbolKind.Variable, SymbolKind.Constant, SymbolKind.Field, SymbolKind.Property})
"""Kinds that assignment defines: a second assignment in the same place is not a second symbol."""


_APART: Final = re.compile(r"(?:^|(?<=\.))\(\d+\)(?:\.|$)")
"""What a dotted name has of its own where symbols are called alike: of functions without a name, extensions, types."""


def without_numbers(name: str) -> str:
    """Return a dotted name as the source has it: a number that only tells it from another symbol is left out."""
    return _APART.sub("", name).rstrip(".") if "(" in name else name


def owner_of(name: str) -> str:
    """Return the dotted name of what a dotted name is in: behind it may be a number that tells members from others."""
    owner = name.rpartition(".")[0]
    if not owner.endswith(")"):
        return owner
    around, _, last = owner.rpartition(".")
    return around if around and _APART.fullmatch(last) else owner


def is_numbered(name: str) -> bool:
    """Return whether a number in a dotted name tells it from others that are in the same."""
    return owner_of(name) != name.rpartition(".")[0]


def numbered(number: int) -> str:
    """Return the part of a dotted name that tells a symbol from others by a number."""
    return f"({number})"


def join_dotted(*parts: str) -> str:
    """Return the dotted name of some parts, without those that are empty."""
    return ".".join(filter(None, parts))


class Definition(NamedTuple):
    """One definition of a file. Lines and columns are 1-based, columns in code points; spans are byte offsets.

    ``line`` and ``column`` are those of the name, ``start_line`` and ``end_line`` those of the whole with its
    decorators; ``parent`` is the index of the enclosing definition, -1 for none; ``parameters`` is None for what
    cannot be called.
    """

    name: str
    kind: SymbolKind
    line: int
    column: int
    start_line: int
    end_line: int
    container: str
    parent: int
    signature: tuple[int, int]
    doc: tuple[int, int]
    parameters: tuple[str, ...] | None

    @property
    def path(self) -> str:
        """Return the dotted name inside the file: the container and the name."""
        return f"{self.container}.{self.name}" if self.container else self.name

    @property
    def owner(self) -> str:
        """Return the dotted name of what it is a member of; empty for what is outside of all others."""
        return without_numbers(self.container)

    def inside(self, parent: int) -> Definition:
        """Return the definition inside another one; ``_replace`` takes several times as long."""
        name, kind, line, column, start_line, end_line, container, _, signature, doc, parameters = self
        values = name, kind, line, column, start_line, end_line, container, parent, signature, doc, parameters
        return tuple.__new__(Definition, values)


NO_SPAN: Final = (0, 0)
"""The bytes of a documentation that is not there."""

_COLON: Final = ord(":")


def has_colon(content: bytes, start: int, name: str) -> bool:
    """Return whether a colon stands before a name whose node begins at a byte: it is written as a symbol of Ruby."""
    return content[start] == _COLON and name[:1] != ":"
