"""Names under which every module may export something, such as ``default``: what imports one need not spell it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.rules.imports import Imported


def is_shared(home: str, name: str) -> bool:
    """Return whether every module may export something under a name, in the language of the file ``home``."""
    semantics = semantics_of(home)
    return semantics is not None and name in semantics.imports.shared_exports


def importers(index: Index, home: str, name: str) -> Sequence[str]:
    """Return the files that may import what the file ``home`` exports under a shared name, and call it otherwise.

    They import it from that file, or from one that passes it on under such a name.
    """
    shared = semantics.imports.shared_exports if (semantics := semantics_of(home)) is not None else frozenset[str]()
    exporters = {home}
    passing = {path: _imports(index, path, shared, exports=True) for path in index.words.files_with((name,))}
    new = exporters
    while new:
        cancellation.check()
        new = {
            path for path, taken in passing.items() if path not in exporters and _from(index, path, taken, exporters)
        }
        exporters |= new
    renaming = {path: _imports(index, path, shared, exports=False) for path in index.related.renaming(name)}
    return [path for path, taken in renaming.items() if _from(index, path, taken, exporters)]


def _imports(index: Index, path: str, shared: frozenset[str], *, exports: bool) -> Sequence[Imported] | None:
    """Return what a file imports under shared names, or ``exports`` again; None where the index does not tell."""
    relations = index.related.of(path)
    if relations is None:
        return None
    return [
        one
        for one in relations.imports
        if one.module and one.name in shared and (one.exports and one.alias in shared if exports else True)
    ]


def _from(index: Index, path: str, taken: Iterable[Imported] | None, exporters: set[str]) -> bool:
    """Return whether a file imports something from one of some files, as far as the index tells."""
    semantics = semantics_of(path)
    if taken is None or semantics is None:
        return taken is None
    located = (semantics.imports.locate(one.module, path, index.paths) for one in taken)
    return any(files is None or not exporters.isdisjoint(files) for files in located)
