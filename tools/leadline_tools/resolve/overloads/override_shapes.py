"""The parameters of methods of one name in a type and its bases: an overload that takes others overrides nothing.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-8.html#jls-8.4.8.1, https://eel.is/c++draft/class.virtual#2,
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/classes#1565-override-methods
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.index.index import Index
from leadline_tools.languages.outline import CALLABLE, Definition
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Reason
from leadline_tools.resolve.overloads.call_shapes import parameters_of, spelled_types
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.project.resolved_uses import Override
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

_ARGUMENTS = lazy_compile(r"<([^()]*)>")
_WORD = lazy_compile(r"\w+")
_PRIMITIVES = frozenset("boolean byte char double float int long short".split())
_TYPE_PARAMETER = lazy_compile(r"[A-Z][A-Z\d]?")


class OverrideShapes:
    """Decides for one method which methods of its name may override it, or be overridden by it, by their parameters."""

    def __init__(self, index: Index, target: DefinedSymbol) -> None:
        self._index = index
        semantics = target.semantics
        calls = semantics.calls if semantics is not None and target.first.kind in CALLABLE else None
        has_overloads = calls is not None and (calls.has_overloads or calls.inherits_overloads)
        self._taken = [parameters_of(target.source, one) for one in target.definitions] if has_overloads else [None]
        self._types = [spelled_types(target.source, one) for one in target.definitions] if has_overloads else []
        self._open = self._type_parameters(target)

    def lines(self, other: SymbolRef) -> Sequence[int] | None:
        """Return the lines of the definitions of a method of another type that may; None for all."""
        if any(one is None for one in self._taken):
            return None
        every = [
            (one.line, self._fits(target, one))
            for target in load_symbols(self._index, [(other.path, other.name)])
            for one in target.definitions
        ]
        return None if all(fits for _, fits in every) else [line for line, fits in every if fits]

    def may_override(self, member: Override) -> bool:
        """Return whether a member that is declared on a line may."""
        lines = self.lines(SymbolRef(member.path, member.name, Reason.Definition))
        return lines is None or member.line in lines

    def accepts(self, member: DefinedSymbol) -> bool:
        """Return whether a member of a type without a name may, as far as the line of its name says what it takes."""
        one, content = member.first, member.source.content
        begin = content.rfind(b"\n", 0, one.signature[0]) + 1
        before = content[begin : one.signature[1]].decode("utf-8", "replace")[: one.column - 1]
        named = one._replace(signature=(begin + len(before.encode()), one.signature[1]))
        return not self._taken or None in self._taken or self._fits(member, named)

    def _fits(self, target: DefinedSymbol, definition: Definition) -> bool:
        taken = parameters_of(target.source, definition)
        if taken is None:
            return True
        if all(one is not None and len(one) != len(taken) for one in self._taken):
            return False
        types = spelled_types(target.source, definition)
        known = self._open | self._type_parameters(target)
        return types is None or any(one is None or _may_be_same(one, types, known) for one in self._types)

    def _type_parameters(self, member: DefinedSymbol) -> frozenset[str]:
        """Return the words in the type parameters of a method and of the types around: any type may stand for one."""
        names = member.first.container.split(".")
        containers = [".".join(names[:number]) for number in range(len(names), 0, -1)]
        around = load_symbols(self._index, [(member.path, one) for one in containers if one])
        heads = (one.source.content[slice(*part.signature)] for one in (member, *around) for part in one.definitions)
        return frozenset(
            word
            for head in heads
            for listed in _ARGUMENTS.findall(head.decode("utf-8", "replace"))
            for word in _WORD.findall(listed)
        )


def _may_be_same(one: Sequence[str], other: Sequence[str], open_: AbstractSet[str]) -> bool:
    """Return whether two lists of types may be the same ones: a primitive one stands for no type parameter."""
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    if len(one) != len(other) or any(not _PRIMITIVES.isdisjoint(pair) for pair in pairs):
        return False
    return all(_is_open(a, open_) or _is_open(b, open_) for a, b in pairs)


def _is_open(spelled: str, open_: AbstractSet[str]) -> bool:
    """Return whether a type is a type parameter, or an array of one: declared here, or called like most of them."""
    name = spelled.rstrip("[]")
    return name in open_ or _TYPE_PARAMETER.fullmatch(name) is not None
