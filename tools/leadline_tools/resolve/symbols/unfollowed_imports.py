"""Unfollowed imports: those that the resolver knows no meaning of, and that may lead to the file of a symbol."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import PACKAGE, Imported
from leadline_tools.languages.rules.library import HidingModules
from leadline_tools.once import once
from leadline_tools.resolve.project.resolution import EXTERNAL
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

_COMPARED = 2
"""Last segments of the name of a module that have to be those of a file for an import to lead there."""

_DECLARED = re.compile(rb"^[ \t]*(?:package|namespace|module)[ \t]+([\w.:\\\\]+)", re.MULTILINE)
"""What a file says of the package or namespace that it belongs to, in any language."""

_COMMON = frozenset({"src", "lib", "app", "main", "index", "mod", "test", "tests"})
"""Names of folders and files that say nothing of what is in them."""

_BEGIN = re.compile(r"[^/.][^/]*(?=/)|\w+")
"""What the name of a module begins with that is not relative to the file: the first part of a path, or a name."""

_SEGMENT = re.compile(r"[^\W_][\w-]*")


class UnfollowedImports:
    """Decides for one symbol which files may import it in a way that was not followed."""

    def __init__(self, index: Index, question: Question, target: DefinedSymbol) -> None:
        self._index = index
        self._question = question
        self._target = target
        self._may_import: dict[str, bool] = {}
        self._hiding: dict[HidingModules, frozenset[str]] = {}

    def may_lead_home(self, path: str, facts: Facts) -> bool:
        """Return whether a file has an import that was not followed and may lead to the file of the symbol."""
        if path not in self._may_import:
            self._may_import[path] = any(self._may_lead_home(path, one) for one in facts.imports)
        return self._may_import[path]

    def _may_lead_home(self, path: str, imported: Imported) -> bool:
        semantics = semantics_of(path)
        module = _SEGMENT.findall(f"{imported.module}/{imported.space}")
        if semantics is None or not module or (imported.exports and imported.alias == PACKAGE):
            return False  # what a file says of its own package is no import
        packages = semantics.imports.has_package_clauses
        if self._is_of_host(semantics, imported):
            return False
        named = (module,) if packages else (module, module[:-1])  # what is taken of a module may stand behind it
        alike = any(_ends_alike(one, place) for one in named for place in self._places)
        if not alike and not semantics.imports.keeps_imports:  # another module may pass the symbol on
            alike = not self._segments.isdisjoint((*module[-1:], imported.name)) or module[0:1] in self._tops
        return alike and self._question.resolver.imports.follow(path, imported) in (None, EXTERNAL)

    def _is_of_host(self, semantics: Semantics, imported: Imported) -> bool:
        """Return whether an import is of the standard library or of a host, and the code base has no such module."""
        begin = _BEGIN.match(imported.module)
        names = {imported.module, begin[0] if begin is not None else ""} & semantics.library.host_modules
        return bool(names) and names.isdisjoint(self._hiding_modules(semantics))

    def _hiding_modules(self, semantics: Semantics) -> frozenset[str]:
        """Return the names of the modules of the code base that may be imported in place of those of the library."""
        hiding = semantics.library.hiding_modules
        if hiding is None:
            return frozenset()
        if hiding not in self._hiding:
            self._hiding[hiding] = hiding(self._index.files.paths)
        return self._hiding[hiding]

    @once
    def _segments(self) -> frozenset[str]:
        """Return the names of the folders that the file of the symbol is in, and its own without the ending."""
        return frozenset(_SEGMENT.findall(self._target.path.rpartition(".")[0])) - _COMMON

    @once
    def _tops(self) -> Sequence[list[str]]:
        """Return what a module of the tree may begin with: the names of the outermost folders."""
        tops = {top for path in self._index.files.paths for top in path.split("/")[:-1][:2]}
        return [[top] for top in sorted(tops - _COMMON)]

    @once
    def _places(self) -> Sequence[Sequence[str]]:
        """Return by what an import may call the file of the symbol: its path, its folder, its namespaces, a package."""
        path = self._target.path
        stem = [*_SEGMENT.findall(path.rpartition("/")[0]), path.rpartition("/")[2].partition(".")[0]]
        facts, _ = self._question.resolver.facts(path)
        spaces = {one.space for one in facts.bindings if one.space} if facts is not None else set[str]()
        spaces.update(one.decode("utf-8", "replace") for one in _DECLARED.findall(self._target.source.content))
        root = [self._index.title]
        return [[*root, *stem], [*root, *stem[:-1]], *(_SEGMENT.findall(space) for space in sorted(spaces))]


def _ends_alike(module: Sequence[str], place: Sequence[str]) -> bool:
    """Return whether the last segments of a module are those of a place, as far as both have some."""
    compared = min(_COMPARED, len(module), len(place))
    return compared > 0 and list(module[-compared:]) == list(place[-compared:])
