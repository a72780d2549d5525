"""``tsconfig.json`` and ``jsconfig.json``: where ``paths`` and ``baseUrl`` say that modules are.

https://www.typescriptlang.org/tsconfig
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from leadline_tools import jsonc
from leadline_tools.languages.javascript.module_paths import (
    Patterns,
    first_existing,
    first_file,
    folders_around,
    join_path,
    match_pattern,
)
from leadline_tools.languages.rules.imports import Paths

_FILENAMES = ("tsconfig.json", "jsconfig.json")

_OWN_FOLDER = "${configDir}"

_DEEPEST_PARENT = 8
"""Configurations that each extend the next one."""


@dataclass(frozen=True, slots=True)
class _Tsconfig:
    """What a configuration says of modules; ``mapped`` is None where it leaves that to those that it extends."""

    extends: Sequence[str]
    references: Sequence[str]
    base: str | None
    mapped: Patterns | None


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of a configuration and of those that it extends, each with the file that says so: paths begin there."""

    base: tuple[str, str] | None = None
    mapped: Patterns = field(default_factory=dict[str, Sequence[str]])
    mapped_at: str = ""

    def bases(self, specifier: str, leaf: str) -> Iterator[str | None]:
        """Yield the paths that a name may be written for in files of the configuration ``leaf``, without extension."""
        folder = join_path(*self.base) if self.base is not None else None
        inside = f"{folder}/" if folder else ""
        home = self.mapped_at if folder is None else inside
        for target in match_pattern(self.mapped, specifier):
            own = target.startswith(_OWN_FOLDER)
            yield join_path(leaf if own else home, target.removeprefix(_OWN_FOLDER))
        if folder is not None:
            yield join_path(inside, specifier)


def locate_by_tsconfig(specifier: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file that the nearest configuration leads to which leads anywhere; none where no one does."""
    for folder in folders_around(importer):
        for name in _FILENAMES:
            path = posixpath.join(folder, name)
            if paths.exists(path):
                for leaf in (path, *_projects(path, paths)):
                    found = first_file(_rules(leaf, paths, 0).bases(specifier, leaf), paths)
                    if found:
                        return found
    return ()


def is_told_by_tsconfig(importer: str, paths: Paths) -> bool:
    """Return whether the nearest configuration of a file of TypeScript can be read with all that it extends.

    A module that it leads nowhere is then a package: the compiler asks no configuration of a bundler.
    https://www.typescriptlang.org/docs/handbook/modules/reference.html#paths
    """
    around = (posixpath.join(folder, _FILENAMES[0]) for folder in folders_around(importer))
    nearest = next((path for path in around if paths.exists(path)), None)
    is_typed = importer.endswith((".ts", ".tsx", ".mts", ".cts"))
    return is_typed and nearest is not None and _is_whole(nearest, paths, 0)


def _is_whole(path: str, paths: Paths, depth: int) -> bool:
    """Return whether a configuration can be read, with those that it extends and refers to."""
    written = paths.manifest(path, _read_tsconfig)
    if written is None or depth >= _DEEPEST_PARENT:
        return False
    parents = [first_existing((join_path(path, one), join_path(path, f"{one}.json")), paths) for one in written.extends]
    found = len(list(_projects(path, paths))) == len(written.references)
    return found and all(one and _is_whole(one[0], paths, depth + 1) for one in parents)


def _projects(path: str, paths: Paths) -> Iterator[str]:
    """Yield the configurations that one refers to, as one that has no files of its own does."""
    written = paths.manifest(path, _read_tsconfig)
    for reference in written.references if written is not None else ():
        at = join_path(path, reference)
        yield from first_existing((at, posixpath.join(at or "", _FILENAMES[0])), paths)


def _rules(path: str, paths: Paths, depth: int) -> _Rules:
    """Return the rules of a configuration; what it says itself goes before what it extends, the last of those first."""
    rules, written = _Rules(), paths.manifest(path, _read_tsconfig)
    if written is None:
        return rules
    for parent in written.extends if depth < _DEEPEST_PARENT else ():
        for inherited in first_existing((join_path(path, parent), join_path(path, f"{parent}.json")), paths):
            above = _rules(inherited, paths, depth + 1)
            mapped = above if above.mapped else rules
            rules = _Rules(above.base or rules.base, mapped.mapped, mapped.mapped_at)
    base = (path, written.base) if written.base is not None else rules.base
    if written.mapped is None:
        return _Rules(base, rules.mapped, rules.mapped_at)
    return _Rules(base, written.mapped, path)


def _read_tsconfig(content: bytes) -> _Tsconfig | None:
    try:
        names = jsonc.read(content.decode("utf-8-sig"))
    except ValueError:
        return None
    extends, options, references = names.get("extends"), names.get("compilerOptions"), names.get("references")
    options = options if isinstance(options, dict) else {}
    base, mapped = options.get("baseUrl"), options.get("paths")
    return _Tsconfig(
        extends=_strings([extends] if isinstance(extends, str) else extends),
        references=_strings([one.get("path") for one in _items(references) if isinstance(one, dict)]),
        base=base if isinstance(base, str) else None,
        mapped={name: _strings(given) for name, given in mapped.items()} if isinstance(mapped, dict) else None,
    )


def _items(given: object) -> Sequence[object]:
    return given if isinstance(given, list) else ()


def _strings(given: object) -> Sequence[str]:
    return [one for one in _items(given) if isinstance(one, str)]
