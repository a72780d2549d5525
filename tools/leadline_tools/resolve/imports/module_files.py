"""The files of modules and packages: of those that a file names, and of those that it sees without import.

A *module* is what an import names. A *package* is what files say that they are part of, in languages that have it said.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from leadline_tools.languages import PARSED, language_of, semantics_of
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.rules.imports import AROUND, PACKAGE
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.project.code_base import FactSource
from leadline_tools.resolve.project.resolution import EXTERNAL, Module, Resolution
from leadline_tools.resolve.scopes.visible_bindings import is_listed

_PACKAGES = (SymbolKind.Package, SymbolKind.Object)
"""What declares a package: a clause, or the object of a package."""

_ANY_FILE = "*"
"""The name of the file in a folder from which a module beside it is named."""


class ModuleFiles:
    """The files of modules and packages, as other files name them."""

    def __init__(self, source: FactSource) -> None:
        self._source = source
        self._nearby: dict[tuple[str, str], Sequence[str]] = {}
        self._locations: dict[tuple[str, str], Sequence[str] | None] = {}
        self._declaring: dict[str, AbstractSet[str]] = {}
        self._in_package: dict[tuple[str, str], Sequence[str]] = {}
        self._packages: dict[tuple[str, ...], Sequence[str]] = {}
        self._defining: dict[tuple[str, ...], Sequence[str]] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._nearby.clear()
        self._locations.clear()
        self._declaring.clear()
        self._in_package.clear()
        self._packages.clear()
        self._defining.clear()

    def locate(self, semantics: Semantics, module: str, importer: str) -> Sequence[str] | None:
        """Return the files of a module as a file names it; None where paths alone do not tell them."""
        key = module, self.vantage(importer) if semantics.imports.shares_packages else importer
        if key not in self._locations:
            found = semantics.imports.locate(module, importer, self._source.project.paths)
            if semantics.imports.packages is not None:
                packages = semantics.imports.packages(module, self.packages_of(importer))
                found = self._declared_as(packages, importer, found or ()) or (found and ())
            elif semantics.imports.shares_packages and found is not None:
                found = [*found, *self._declared_as([module], importer, ())]
            self._locations[key] = found
        return self._locations[key]

    def vantage(self, path: str) -> str:
        """Return what is equal for files of a language of which each finds the same files in a package named in full.

        Files that lie wherever they like are found the nearest first.
        """
        folder = path.rpartition("/")[0] if self._source.project.has_language(_languages_saying_packages()) else ""
        return f"{folder}/*.{path.rpartition('.')[2]}"

    def find(self, semantics: Semantics, module: str, importer: str) -> Module | None:
        """Return a module as a file names it, which may be a folder alone; None where the paths do not tell one."""
        files = self.locate(semantics, module, importer)
        if files is None or files:
            return Module(tuple(files)) if files else None
        language = language_of(importer)
        return self._find_folder(language, module, importer) if language is not None else None

    def _find_folder(self, language: Language, module: str, importer: str) -> Module | None:
        """Return a module that is a folder without a file of its own."""
        if language.semantics is None:
            return None
        folder = language.semantics.imports.namespace(module, importer, self._source.project.paths)
        return Module((), folder, language.name) if folder else None

    def files_of(self, module: str, path: str) -> Sequence[str]:
        """Return the files of a module as a file names it; none where it is from outside or not known."""
        _, semantics = self._source.facts(path)
        return (self.locate(semantics, module, path) or ()) if semantics is not None else ()

    def siblings(self, path: str, semantics: Semantics, space: str) -> Sequence[str]:
        """Return the files whose names of a namespace a file sees without import."""
        if semantics.imports.shares_packages and not space:
            return [file for file in self._package_files(path, semantics) if file != path]
        key = (path, space)
        if key not in self._nearby:
            siblings = semantics.imports.siblings(path, self._source.project.paths)
            found = list(
                siblings if semantics.imports.packages is None else self._in_packages(path, semantics, siblings)
            )
            if semantics.visibility.has_open_namespaces and space:
                found += self.locate(semantics, space, path) or ()
            self._nearby[key] = list(dict.fromkeys(found))
        return self._nearby[key]

    def _package_files(self, path: str, semantics: Semantics) -> Sequence[str]:
        """Return the files of the package of a file, itself among them: in its folder, below other roots of sources.

        Those of a folder that say the same package share them, in whatever languages.
        """
        packages = self.packages_of(path)
        key = path.rpartition("/")[0], *packages
        if key not in self._packages:
            beside = sorted((path, *semantics.imports.siblings(path, self._source.project.paths)))
            located = (self.locate(semantics, package, path) or () for package in packages)
            elsewhere = _nearest_first(path, [file for files in located for file in files if file != path])
            self._packages[key] = list(dict.fromkeys((*beside, *elsewhere)))
        return self._packages[key]

    def _package_files_defining(self, path: str, semantics: Semantics, name: str) -> Sequence[str]:
        """Return those of the files of the package of a file that may define a name, itself among them."""
        key = path.rpartition("/")[0], name, *self.packages_of(path)
        if key not in self._defining:
            self._defining[key] = tuple(self._keep_defining(name, self._package_files(path, semantics)))
        return self._defining[key]

    def siblings_of(self, path: str) -> Sequence[str]:
        """Return the files that a file sees without import."""
        _, semantics = self._source.facts(path)
        return self.siblings(path, semantics, "") if semantics is not None else ()

    def package_of(self, path: str) -> str:
        """Return the package that a file says it is part of; empty where it says none."""
        semantics = semantics_of(path)
        return (
            next(iter(self.packages_of(path)), "")
            if semantics is not None and semantics.imports.has_package_clauses
            else ""
        )

    def packages_of(self, path: str) -> Sequence[str]:
        """Return the packages that a file says it is part of, the innermost first."""
        facts, semantics = self._source.facts(path)
        if facts is None or semantics is None or not has_packages(semantics):
            return ()
        said = [facts.imports[binding.imported] for binding in facts.named(PACKAGE) if binding.imported >= 0]
        return [imported.module for imported in reversed(said) if imported.exports]

    def packaged_with(self, path: str, files: Sequence[str]) -> Sequence[str]:
        """Return those of some files beside a file that are part of the same package, as far as they say so."""
        package = self.package_of(path) if files else ""
        return [file for file in files if self.package_of(file) in ("", package)] if package else files

    def siblings_naming(self, path: str, semantics: Semantics, name: str, space: str) -> Sequence[str]:
        """Return the files that a file sees without import, and that may tell what a name means."""
        if semantics.imports.shares_packages and not space:
            return [file for file in self._package_files_defining(path, semantics, name) if file != path]
        near = self._keep_defining(
            name, self._source.project.files_with_name(name, self.siblings(path, semantics, space))
        )
        if semantics.imports.packages is not None:
            near = [file for file in near if self._has_in_packages(file, name, self.packages_of(path))]
        return self.packaged_with(path, near)

    def _has_in_packages(self, path: str, name: str, packages: Sequence[str]) -> bool:
        """Return whether a file may have a name in some packages: another one may be that of its package object."""
        facts, _ = self._source.facts(path)
        named = facts.named(name) if facts is not None else ()
        listed = [one for one in named if one.scope > 0 and facts is not None and is_listed(one, facts)]
        own = len(listed) == 0 or any(one.scope == 0 for one in named)
        return own or any(one.path.rpartition(".")[0] in packages for one in listed)

    def _in_packages(self, path: str, semantics: Semantics, siblings: Sequence[str]) -> Sequence[str]:
        """Return the other files of the packages of a file; of one in none those beside it."""
        packages = self.packages_of(path)
        silent = [file for file in siblings if not says_packages(file)]
        if not packages:
            return [file for file in siblings if file in silent or not self.packages_of(file)]
        located = [(one, semantics.imports.locate(one, path, self._source.project.paths) or ()) for one in packages]
        found = [file for package, files in located for file in self._declared_as([package], path, files)]
        return [file for file in dict.fromkeys((*found, *silent)) if file != path]

    def _declared_as(self, packages: Iterable[str], importer: str, located: Sequence[str]) -> Sequence[str]:
        """Return the files of the first package that has some, the nearest first.

        Of a language in which a file says no package they are those that were ``located``.
        """
        silent = [file for file in located if not says_packages(file)]
        for package in packages:
            if found := self._saying(package, importer):
                return [*_nearest_first(importer, found), *silent]
        return silent

    def _saying(self, package: str, importer: str) -> Sequence[str]:
        """Return the files that say they are part of a package, as those of the importer's language may name them."""
        key = package, importer.rpartition(".")[2]
        if not self._source.project.has_language(_languages_saying_packages()):
            return ()
        if key not in self._in_package:
            declaring = self._source.project.defining(package, importer)
            self._in_package[key] = [file for file in sorted(declaring) if self._says_package(file, package)]
        return self._in_package[key]

    def _says_package(self, path: str, package: str) -> bool:
        """Return whether a file says that it is part of a package; a type at its top may be called like one."""
        if not says_packages(path) or not self._source.project.may_declare(path, package, _PACKAGES):
            return False
        return package in self._packages_declared_by(path)

    def _packages_declared_by(self, path: str) -> AbstractSet[str]:
        """Return the packages that a file declares something in, and not only another package."""
        if path not in self._declaring:
            said = [one for one in self._source.project.imports(path) if one.alias == PACKAGE and one.exports]
            self._declaring[path] = frozenset(one.module for one in said if one.space != AROUND)
        return self._declaring[path]

    def candidates(self, name: str, files: Sequence[str]) -> Sequence[str]:
        """Return the files to ask for a name: one alone may export it without spelling it (``export * from``)."""
        return self._keep_defining(name, self._source.project.files_with_name(name, files)) if len(files) > 1 else files

    def _keep_defining(self, name: str, files: Sequence[str]) -> Sequence[str]:
        """Return the files that may tell what a name means: those that define it, where others do not pass it on."""
        semantics = semantics_of(files[0]) if len(files) > 1 else None
        if semantics is None or not (semantics.visibility.variants or semantics.imports.keeps_imports):
            return files
        defining = self._source.project.defining(name, files[0])
        return [file for file in files if file in defining]

    def submodule(self, owner: Module, name: str) -> Resolution | None:
        """Return the module in a module that is called ``name``; what is in a folder alone is nothing but modules."""
        if owner.folder:
            return self._locate(PARSED[owner.language], f".{name}", f"{owner.folder}/{_ANY_FILE}") or EXTERNAL
        for file in owner.files:
            language = language_of(file)
            if language is not None and language.semantics is not None:
                dotted = f"{language.files.module(file)}.{name}" if language.files.module(file) else name
                if found := self._locate(language, dotted, ""):
                    return found
        return None

    def _locate(self, language: Language, module: str, importer: str) -> Module | None:
        """Return a module as paths alone tell it, which may be a folder alone."""
        if language.semantics is None:
            return None
        files = language.semantics.imports.locate(module, importer, self._source.project.paths)
        return Module(tuple(files)) if files else self._find_folder(language, module, importer)


def has_packages(semantics: Semantics) -> bool:
    """Return whether files of a language say which package they are in."""
    rules = semantics.imports
    return rules.has_package_clauses or rules.shares_packages or rules.packages is not None


def says_packages(path: str) -> bool:
    """Return whether files of a language say which package they are in, wherever they lie."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.imports.packages is not None


@cache
def _languages_saying_packages() -> frozenset[str]:
    """Return the names of the languages whose files say which package they are in, wherever they lie."""
    named = ((language.name, language.semantics) for language in PARSED.values())
    return frozenset(name for name, rules in named if rules is not None and rules.imports.packages is not None)


def _nearest_first(importer: str, files: Sequence[str]) -> Sequence[str]:
    """Return files in the order in which a file finds what they declare: those for its own target before others."""
    semantics = semantics_of(importer)
    nearness = semantics.visibility.targets.nearness if semantics is not None else lambda _importer, _file: 0
    return sorted(files, key=lambda file: (-shared_folders(importer, file), -nearness(importer, file)))


def shared_folders(path: str, other: str) -> int:
    """Return how many folders two paths share."""
    return len(posixpath.commonprefix((path.split("/"), other.split("/"))))
