"""Subtype names: under which names a type is inherited from, and by which files, without their facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_relations import renames
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import NAMELESS, Heritage, is_nameless
from leadline_tools.languages.relations import base_names
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import COLLECTION, FUNCTION, RECORD, TUPLE, WRITTEN, parsed
from leadline_tools.resolve.project.resolution import SymbolRef

_MOST_NAMES = 64
"""Names of one type that are followed: a chain of imports that give it another name each time is short."""

_MOST_HEIRS = 200
"""Names of types that inherit from some, or files with those that inherit from one, which are followed."""


class SubtypeNames:
    """What the index knows of the names that types have where others inherit from them."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._names: dict[tuple[str, str], frozenset[str]] = {}
        self._by_path: dict[str, dict[str, frozenset[str]]] = {}
        self._inherited: dict[tuple[str, str], bool] = {}
        self._after: dict[str, frozenset[str] | None] = {}

    def of(self, of: SymbolRef) -> frozenset[str]:
        """Return the names under which a type may be inherited from: its own, and those that imports give it."""
        key = of.path, of.name
        if key not in self._names:
            self._names[key] = frozenset(self._spread(of))
        return self._names[key]

    def knows_all(self, of: SymbolRef) -> bool:
        """Return whether a type may be inherited from under no more names than those."""
        return len(self.of(of)) < _MOST_NAMES

    def _spread(self, of: SymbolRef) -> Iterable[str]:
        names = dict.fromkeys((of.name.rpartition(".")[2], *self._exported_as(of)))
        exporters = {of.path}
        waiting = list(names)
        semantics = semantics_of(of.path)
        shared = semantics.imports.shared_exports if semantics is not None else frozenset[str]()
        while waiting and len(names) < _MOST_NAMES:
            cancellation.check()
            name = waiting.pop()
            for path, given in self._given(name, exporters if name in shared else None):
                if given in shared:
                    exporters.add(path)
                if given not in names:
                    names[given] = None
                    waiting.append(given)
        return names

    def _exported_as(self, of: SymbolRef) -> Iterator[str]:
        """Yield the names by which the file of a class without a name exports what is written out in it."""
        relations = self._index.related.of(of.path) if is_nameless(of.name) else None
        for one in relations.imports if relations is not None else ():
            if one.exports and one.name.startswith(WRITTEN):
                yield one.alias

    def _given(self, name: str, exporters: Iterable[str] | None) -> Iterator[tuple[str, str]]:
        """Yield the files that give another name to what has a name, with that; of ``exporters`` alone, if any."""
        for path in self._index.related.renaming(name):
            relations = self._index.related.of(path)
            for one in relations.imports if relations is not None else ():
                if one.name == name and renames(one) and (exporters is None or self._is_from(one, path, exporters)):
                    yield path, one.alias

    def _is_from(self, imported: Imported, path: str, exporters: Iterable[str]) -> bool:
        """Return whether an import may be one of something of some files."""
        if not imported.module:
            return path in exporters
        semantics = semantics_of(path)
        located = semantics.imports.locate(imported.module, path, self._index.paths) if semantics is not None else None
        return located is None or not set(located).isdisjoint(exporters)

    def files(self, types: Iterable[SymbolRef]) -> Sequence[str]:
        """Return the files with a type that may inherit from one of some types, sorted."""
        return self._index.related.inheriting({name for of in types for name in self.of(of)})

    def may_be_inherited(self, of: SymbolRef) -> bool:
        """Return whether a type of the code base may inherit from a type."""
        key = of.path, of.name
        if key not in self._inherited:
            self._inherited[key] = not self.knows_all(of) or bool(self.files([of]))
        return self._inherited[key]

    def heirs(self, types: Iterable[str]) -> frozenset[str] | None:
        """Return the last names of some types and of all that may inherit from them; None where those are too many."""
        waiting = list(types)
        names = set(waiting)
        while waiting:
            found = self._names_after(waiting.pop())
            if found is None or len(names) > _MOST_HEIRS:
                return None
            waiting += found - names
            names |= found
        return frozenset(names)

    def _names_after(self, name: str) -> frozenset[str] | None:
        """Return the names of the types that may inherit from one of a name, and others that imports give it.

        None where they are too many, or the index does not tell.
        """
        if name not in self._after:
            cancellation.check()
            files = self._index.related.inheriting((name,))
            every = [self._index.related.of(path) for path in files] if len(files) <= _MOST_HEIRS else [None]
            relations = [one for one in every if one is not None]
            found = {alias for _, alias in self._given(name, None)}
            for one in relations:
                found.update(of.path.rpartition(".")[2] for of in one.subtypes if name in of.bases)
                found.update(of.name for of in one.unparsed if name in of.bases)
            self._after[name] = frozenset(found) if len(relations) == len(every) else None
        return self._after[name]

    def may_mean(self, path: str, heritage: Heritage, term: str, names: frozenset[str]) -> bool:
        """Return whether a base of a type may be one that has any of some names.

        What calls something may be anything that the head of the type names.
        """
        spelled = base_names((term,), b"")
        if spelled and not names.isdisjoint((*spelled, *self._originals(path, spelled))):
            return True
        if _is_written_out(term) or (spelled and "()" not in term):
            return False
        known = self._bases_in(path).get(heritage.path.lstrip(NAMELESS))
        return known is None or not names.isdisjoint(known)

    def _originals(self, path: str, names: Iterable[str]) -> frozenset[str]:
        """Return what names are called where a file imports them from."""
        relations = self._index.related.of(path)
        renamed = {one.alias: one.name for one in relations.imports if renames(one)} if relations is not None else {}
        found: set[str] = set()
        waiting = list(names)
        while waiting:
            original = renamed.get(waiting.pop())
            if original is not None and original not in found:
                found.add(original)
                waiting.append(original)
        return frozenset(found)

    def _bases_in(self, path: str) -> dict[str, frozenset[str]]:
        """Return the names of the bases of each type of a file, as the index has them."""
        if path not in self._by_path:
            found: dict[str, frozenset[str]] = {}
            relations = self._index.related.of(path)
            for one in relations.subtypes if relations is not None else ():
                found[one.path] = found.get(one.path, frozenset()) | frozenset(one.bases)
            self._by_path[path] = found
        return self._by_path[path]


def _is_written_out(term: str) -> bool:
    """Return whether a base is a type that no declaration names: a list, a function, a tuple."""
    heads = [path.head for path in parsed(term)]
    return bool(heads) and all(head in _WITHOUT_NAMES or head[0] in _BEGIN_WITHOUT_NAMES for head in heads)


_WITHOUT_NAMES = frozenset({COLLECTION, TUPLE, FUNCTION})
_BEGIN_WITHOUT_NAMES = frozenset({RECORD, "@"})
