"""The files that a file imports, as the index has it: nothing is parsed for it.

An *import* here is a statement of one file, resolved to the files that it means, with the name that it takes of them.
A *reach* is what a file can name: what it imports, and what those files pass on, such as the file that stands for a
package. A file without imports that are resolved has an empty reach; that of a language without rules is not known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leadline_tools.index.packing import packed_includes
from leadline_tools.index.paths.path_lookup import PathLookup
from leadline_tools.index.questions.includes import Includes
from leadline_tools.index.questions.related_files import RelatedFiles
from leadline_tools.languages import semantics_of
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import MEMBERS, PACKAGE, Imported

_MOST_FILES = 64
"""Files of one module beyond which an import says nothing of each of them."""

_MOST_REACHED = 400
"""Files in the reach of a file; those that come first are nearest."""

_MOST_KEPT = 8_000
"""Files and modules of which is kept what they import and where they are."""

_DEEPEST = 3
"""Steps by which files pass on what they import."""

FRONTS = frozenset({"__init__", "index", "mod", "lib", "main"})
"""Names, without their endings, of files that are called by their folder: they mostly pass on what others define."""


WHOLE = frozenset({"*", ""})
"""Names of imports that take a module as a whole."""


class Import(NamedTuple):
    """An import of a file.

    Args:
        files: The files of the module that it names, best first.
        name: The name that it takes of them; ``*`` for all, empty for the module itself.
        exports: True where it passes the name on.

    """

    files: Sequence[str]
    name: str
    exports: bool


class ImportedFiles:
    """The imports of the files of an index, and their reach."""

    def __init__(self, paths: PathLookup, related: RelatedFiles, includes: Includes) -> None:
        self._paths = paths
        self._related = related
        self._includes = includes
        self._located: dict[tuple[str, str, str], Sequence[str]] = {}
        self._imports: dict[str, Sequence[Import] | None] = {}

    def of(self, path: str) -> Sequence[Import] | None:
        """Return the imports of a file that lead to files of the tree; None where the index does not have them."""
        if path not in self._imports:
            if len(self._imports) > _MOST_KEPT:
                self._imports.clear()
            self._imports[path] = self._find(path)
        return self._imports[path]

    def _find(self, path: str) -> Sequence[Import] | None:
        if packed_includes.tells(path):
            included = self._includes.of(path)
            return None if included is None else [Import([file], "*", exports=True) for file in included]
        semantics, relations = semantics_of(path), self._related.of(path)
        if semantics is None or relations is None:
            return None
        found = (self._resolve(semantics, path, one) for one in relations.imports)
        return [one for one in found if one is not None]

    def reach(self, path: str) -> frozenset[str] | None:
        """Return the files that a file can name something of; None where the index does not have them."""
        own = self.of(path)
        semantics = semantics_of(path)
        if own is None or semantics is None:
            return None
        together = semantics.imports.has_package_clauses
        found = dict.fromkeys(semantics.imports.siblings(path, self._paths) if together else ())
        waiting = list(dict.fromkeys(file for one in own for file in one.files))
        for _ in range(_DEEPEST):
            found.update(dict.fromkeys(waiting))
            passed = (file for one in waiting for file in self._passed_on(one) if file not in found)
            waiting = list(dict.fromkeys(passed))
            if not waiting or len(found) > _MOST_REACHED:
                break
        return frozenset(list(found)[:_MOST_REACHED]) - {path}

    def _passed_on(self, path: str) -> Iterator[str]:
        """Yield the files of which a file passes something on."""
        front = path.rpartition("/")[2].partition(".")[0] in FRONTS
        for one in self.of(path) or ():
            if one.exports or front:
                yield from one.files

    def _resolve(self, semantics: Semantics, path: str, imported: Imported) -> Import | None:
        if imported.space == MEMBERS or imported.name == PACKAGE or not imported.module:
            return None
        module, name = imported.module, imported.name
        files = self._locate(semantics, module, path)
        if name and name != "*":
            named = [file for file in files if file.rpartition("/")[2].partition(".")[0] == name]
            inner = self._locate(semantics, module + name if module.endswith(".") else f"{module}.{name}", path)
            if inner and not named:
                return Import(inner, "", imported.exports)
            files = named if len(files) > 1 and named else files
        return Import(files, name, imported.exports) if 0 < len(files) <= _MOST_FILES else None

    def _locate(self, semantics: Semantics, module: str, path: str) -> Sequence[str]:
        """Return the files of a module; those of a folder mostly import the same."""
        key = module, path.rpartition("/")[0], path.rpartition(".")[2]
        found = self._located.get(key)
        if found is None:
            if len(self._located) > _MOST_KEPT:
                self._located.clear()
            found = self._located[key] = semantics.imports.locate(module, path, self._paths) or ()
        return found

    def forget(self) -> None:
        """Let go of what is known, and of what it rests on: files have changed, come or gone, or nobody asks more."""
        self._located.clear()
        self._imports.clear()
        self._related.forget()
