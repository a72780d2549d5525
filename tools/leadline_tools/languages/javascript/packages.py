"""Packages: what ``package.json`` exports to others, and imports under names of its own.

https://nodejs.org/api/packages.html
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leadline_tools.languages.javascript.module_paths import (
    Patterns,
    first_file,
    folders_around,
    join_path,
    match_pattern,
)
from leadline_tools.languages.rules.imports import Paths

_DEEPEST_CONDITION = 4
"""Conditions in conditions of an entry of a package."""


@dataclass(frozen=True, slots=True)
class Package:
    """What a package gives others by what is written behind its name, itself by names of its own, and what it needs."""

    exports: Patterns
    imports: Patterns
    dependencies: frozenset[str] = frozenset()


def locate_in_package(specifier: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the file of a module of a package of the tree: none where it is not there; None for no such package.

    What a manifest names may be made from sources that it does not: those of the whole package are an ``index``, and
    what is behind its name are paths, each in the folder of the manifest or in its ``src``. Of several packages of
    one name the one is meant that lies nearest.
    """
    name, inside = split_specifier(specifier)
    packages = paths.manifests("package.json", read_package).get(name) if name else None
    if not packages:
        return None
    manifest, package = max(packages, key=lambda one: _count_shared_folders(one[0], importer))
    given = (*match_pattern(package.exports, inside), f"./{inside}", f"./src/{inside}")
    return [path for one in given for path in first_file((join_path(manifest, one),), paths)][:1]


def split_specifier(specifier: str) -> tuple[str, str]:
    """Return the name of the package that a module is of, and the path of the module inside of it."""
    parts = specifier.split("/")
    named = 2 if specifier.startswith("@") else 1
    return "/".join(parts[:named]), "/".join(parts[named:])


def is_dependency(specifier: str, importer: str, paths: Paths) -> bool:
    """Return whether a package around a file says that it needs the package of a module, or the types of that.

    https://docs.npmjs.com/cli/configuring-npm/package-json#dependencies
    """
    name, _ = split_specifier(specifier)
    needed = {name, f"@types/{name.removeprefix('@').replace('/', '__')}"}
    manifests = (posixpath.join(folder, "package.json") for folder in folders_around(importer))
    written = (paths.manifest(one, read_package) for one in manifests if paths.exists(one))
    return any(not needed.isdisjoint(one[1].dependencies) for one in written if one is not None)


def locate_own_name(specifier: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the file of a name that the package around gives its own modules; None where it gives no such name."""
    for folder in folders_around(importer):
        manifest = posixpath.join(folder, "package.json")
        written = paths.manifest(manifest, read_package) if paths.exists(manifest) else None
        if written is not None:
            given = list(match_pattern(written[1].imports, specifier))
            return first_file((join_path(manifest, one) for one in given), paths) if given else None
    return None


def read_package(manifest: bytes) -> tuple[str, Package] | None:
    """Return the name of a package, empty for none, and what it gives: https://nodejs.org/api/packages.html."""
    try:
        names = json.loads(manifest)
    except (ValueError, RecursionError):
        return None
    if not isinstance(names, dict):
        return None
    name, exports, imports = names.get("name"), names.get("exports"), names.get("imports")
    given = exports if isinstance(exports, dict) and any(key.startswith(".") for key in exports) else {".": exports}
    entries = {key.removeprefix(".").removeprefix("/"): list(list_files(value)) for key, value in given.items()}
    whole = [
        file for field in ("source", "types", "typings", "module", "main") for file in list_files(names.get(field))
    ]
    own = {key: list(list_files(value)) for key, value in imports.items()} if isinstance(imports, dict) else {}
    lists = [names.get(field) for field in _DEPENDENCIES]
    needed = frozenset(one for given in lists if isinstance(given, dict) for one in given)
    return (
        name if isinstance(name, str) else "",
        Package({**entries, "": [*entries.get("", ()), *whole]}, own, needed),
    )


_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")


def list_files(given: object, depth: int = 0) -> Iterator[str]:
    """Yield the files that an entry names, by whatever condition."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, dict) and depth < _DEEPEST_CONDITION:
        for value in given.values():
            yield from list_files(value, depth + 1)


def _count_shared_folders(one: str, other: str) -> int:
    """Return how many folders two files have in common."""
    return len({*folders_around(one)} & {*folders_around(other)})
