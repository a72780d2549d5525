"""Functions that a file imports by their names, beside each other or beside types of its own package.

A call means those that can be called so: an explicit import goes before the package.
https://kotlinlang.org/spec/overload-resolution.html#call-without-an-explicit-receiver
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import BARE
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.overloads.call_shapes import (
    accepts_number,
    arguments_at,
    excludes,
    has_block_behind,
    parameters_of,
)
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.resolver import Resolver
from leadline_tools.resolve.symbols.defined_symbol import load_symbols

_NAMED = lazy_compile(r"(\w+)\s*=(?!=)")
_DECLARED = lazy_compile(r"(\w+)\s*:")


class ImportedFunctions:
    """Chooses between a type of the own package and imported functions of its name."""

    def __init__(self, index: Index, resolver: Resolver) -> None:
        self._index = index
        self._resolver = resolver

    def choose(self, path: str, semantics: Semantics, use: Use, meanings: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a call means: the imported functions that can be called so, else what it was taken for."""
        if not semantics.imports.explicit_first or use.role is not Role.Call or use.receiver != BARE:
            return meanings
        own = meanings[0] if len(meanings) == 1 else None
        functions = list(self._imported(path, own)) if isinstance(own, SymbolRef) else []
        if not isinstance(own, SymbolRef) or not functions:
            return meanings
        if Sort.Callable in self._resolver.sorts.of(own) and own.reason is Reason.Import:
            functions.insert(0, own)
        arguments = arguments_at(self._index, path, use) or []
        more = int(has_block_behind(self._index, path, use))
        return [one for one in functions if self._accepts(one, arguments, more)] or meanings

    def _imported(self, path: str, own: SymbolRef) -> Iterator[SymbolRef]:
        facts, _ = self._resolver.facts(path)
        name = own.name.rpartition(".")[2]
        for bound in facts.within(name, 0) if facts is not None else ():
            if bound.imported >= 0 and facts is not None:
                found = self._resolver.imports.follow(path, facts.imports[bound.imported])
                if isinstance(found, SymbolRef) and found != own and Sort.Callable in self._resolver.sorts.of(found):
                    yield found

    def _accepts(self, function: SymbolRef, arguments: Sequence[str], more: int) -> bool:
        """Return whether a function has parameters of the names that are given, and takes so many arguments."""
        names = [found[1] for one in arguments if (found := _NAMED.match(one)) is not None]
        for target in load_symbols(self._index, [(function.path, function.name)]):
            for one in target.definitions:
                head = target.source.content[slice(*one.signature)].decode("utf-8", "replace")
                taken, declares = parameters_of(target.source, one), set(names) <= set(_DECLARED.findall(head))
                given = [*arguments, "{}"] if more else arguments
                if declares and accepts_number(taken, len(given)) and not excludes(taken, given):
                    return True
        return False
