"""The places where programs begin: console scripts, binaries and modules that manifests name, and main functions.

The manifests are those of Python (https://packaging.python.org/en/latest/specifications/pyproject-toml/), npm
(https://docs.npmjs.com/cli/configuring-npm/package-json) and Cargo
(https://doc.rust-lang.org/cargo/reference/cargo-targets.html).
"""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_symbols import unpack_named
from leadline_tools.index.store.rows import Blob, Words
from leadline_tools.languages import language_of
from leadline_tools.languages.javascript.packages import list_files

MAIN = "main"
"""The reason of a main function that no manifest names."""

_MOST_MANIFESTS = 64
"""Manifests that are read, those nearest to the top first."""

_MOST_MAINS = 400
"""Files that define a main function among which those nearest to the top are taken."""

_KEPT_MAINS = 24

_LARGEST = 64 << 10
"""Bytes of the largest manifest that is read."""

_BUILT = re.compile(r"^(?:\./)?(?:dist|lib|build|out|es|cjs|esm|umd)/(?:src/)?")
_SOURCES = ("src/", "", "lib/", "source/")
"""Where sources lie whose built form a manifest names."""

_LONGEST_LINE = 200
_SCRIPT = re.compile(r"[\"']?([\w.-]+)\s*=\s*([\w.]+)\s*:\s*(\w+)")
_NAME = re.compile(r"name\s*=\s*[\"']?([\w.-]+)")
"""A console script and the name of the package in a line of a ``setup.cfg`` or ``setup.py``."""


class EntryPoint(NamedTuple):
    """Where a program begins: a file, the symbol in it (empty for the file), and what it is."""

    path: str
    name: str
    reason: str


class Front(NamedTuple):
    """The file by which others import a package: its exports are the public interface."""

    path: str
    package: str


class Manifests(NamedTuple):
    """What the manifests of a tree name."""

    entry_points: list[EntryPoint]
    fronts: list[Front]
    descriptions: dict[str, str]
    """By folder, with a slash at its end unless it is the top."""


def read_manifests(index: Index) -> Manifests:
    """Return what the manifests of a tree name."""
    found = Manifests([], [], {})
    for name, read in _READERS.items():
        for path in index.paths.ending(name)[:_MOST_MANIFESTS]:
            source = index.try_read(path) if index.files.size(path) <= _LARGEST else None
            if source is not None:
                folder = path[: len(path) - len(name)]
                read(_Tree(index, folder), source.content.decode("utf-8", "replace"), found)
    return found


def main_functions(index: Index) -> Iterator[EntryPoint]:
    """Yield the functions at which programs begin, those nearest to the top first."""
    files = [
        file for number in index.rows.holding(Words.Names, ["main"], _MOST_MAINS) if (file := index.files.by_id(number))
    ]
    languages = {file.path: language for file in files if (language := language_of(file.path)) and language.files.main}
    files = [file for file in files if file.path in languages]
    for file in sorted(files, key=lambda file: (file.path.count("/"), file.path))[:_KEPT_MAINS]:
        blob = index.rows.blob(Blob.Symbols, file.id)
        if blob is not None and unpack_named(blob, languages[file.path].files.main.__contains__):
            yield EntryPoint(file.path, "main", MAIN)
    for path in index.paths.ending("__main__.py")[:_KEPT_MAINS]:
        yield EntryPoint(path, "main", MAIN)


@dataclass(frozen=True, slots=True)
class _Tree:
    """The files of a tree, seen from the folder of a manifest, whose path ends with a slash unless it is the top."""

    index: Index
    folder: str

    def first(self, candidates: Iterable[str]) -> str | None:
        """Return the first of some paths, relative to the folder, at which there is a file."""
        for candidate in candidates:
            path = posixpath.normpath(self.folder + candidate)
            if self.index.paths.exists(path):
                return path
        return None

    def module(self, dotted: str) -> str | None:
        """Return the file of a module of Python."""
        base = dotted.replace(".", "/")
        return self.first(f"{root}{base}{end}" for root in ("", "src/", "lib/") for end in (".py", "/__init__.py"))

    def script(self, written: str) -> str | None:
        """Return the source of a module of JavaScript that a manifest names in its built form."""
        bare = written.removeprefix("./")
        stem = re.sub(r"(?:\.d)?\.[cm]?[jt]sx?$", "", bare)
        built = _BUILT.sub("", stem)
        named = (f"{root}{built}{end}" for root in _SOURCES for end in _SCRIPT_ENDINGS)
        index = (f"{root}index{end}" for root in _SOURCES for end in _SCRIPT_ENDINGS)
        own = () if built != stem else (bare, *(f"{stem}{end}" for end in _SCRIPT_ENDINGS))
        return self.first((*own, *named, *index))


_SCRIPT_ENDINGS = (".ts", ".tsx", ".mts", ".js", ".mjs", ".cjs", ".jsx")


def _toml(text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _table(value: object, *keys: str) -> Mapping[str, object]:
    """Return the table at some keys; an empty one where there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _read_pyproject(tree: _Tree, text: str, found: Manifests) -> None:
    said = _toml(text)
    project, poetry = _table(said, "project"), _table(said, "tool", "poetry")
    tables = (_table(project, "scripts"), _table(project, "gui-scripts"), _table(poetry, "scripts"))
    for script, target in ((name, _text(target)) for table in tables for name, target in table.items()):
        module, _, function = target.partition(":")
        path = tree.module(module.strip())
        if path is not None:
            found.entry_points.append(EntryPoint(path, function.strip().split(".")[0], f"script {script}"))
    name = _text(project.get("name") or poetry.get("name"))
    _add_package(tree, name, _text(project.get("description") or poetry.get("description")), found)


def _read_setup(tree: _Tree, text: str, found: Manifests) -> None:
    lines = [line[:_LONGEST_LINE].strip() for line in text.splitlines()]
    for line in lines if "console_scripts" in text else ():
        match = _SCRIPT.match(line)
        path = tree.module(match[2]) if match is not None else None
        if match is not None and path is not None:
            found.entry_points.append(EntryPoint(path, match[3], f"script {match[1]}"))
    names = (match[1] for line in lines if (match := _NAME.match(line)) is not None)
    _add_package(tree, next(names, ""), "", found)


def _add_package(tree: _Tree, name: str, description: str, found: Manifests) -> None:
    """Note the front of a package of Python by the name of its distribution."""
    module = tree.module(name.replace("-", "_").lower()) or tree.module(name) if name else None
    if module is not None:
        found.fronts.append(Front(module, name))
    if description:
        found.descriptions.setdefault(tree.folder, description)


def _read_package_json(tree: _Tree, text: str, found: Manifests) -> None:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(said, dict):
        return
    name = _text(said.get("name"))
    bins = said.get("bin")
    scripts = bins.items() if isinstance(bins, dict) else [(name, bins)] if bins else []
    for script, target in scripts:
        path = tree.script(_text(target)) if _text(target) else None
        if path is not None:
            found.entry_points.append(EntryPoint(path, "", f"script {script}"))
    targets = [_text(said.get(key)) for key in ("source", "main", "module", "types", "typings")]
    targets += [file for file in list_files(said.get("exports")) if "*" not in file]
    paths = dict.fromkeys(path for target in filter(None, targets) if (path := tree.script(target)) is not None)
    if not targets or not any(targets):
        paths = dict.fromkeys(filter(None, [tree.script("index.js")]))
    found.fronts.extend(Front(path, name) for path in paths)
    if description := _text(said.get("description")):
        found.descriptions.setdefault(tree.folder, description)


def _read_cargo(tree: _Tree, text: str, found: Manifests) -> None:
    said = _toml(text)
    package = _table(said, "package")
    name = _text(package.get("name"))
    library = tree.first(filter(None, (_text(_table(said, "lib").get("path")), "src/lib.rs")))
    if library is not None:
        found.fronts.append(Front(library, name))
    bins = said.get("bin")
    written = [_text(_table(one).get("path")) for one in bins] if isinstance(bins, list) else []
    for path in (tree.first([one]) for one in (*filter(None, written), "src/main.rs")):
        if path is not None:
            found.entry_points.append(EntryPoint(path, "main", f"program {name}" if name else MAIN))
    if description := _text(package.get("description")):
        found.descriptions.setdefault(tree.folder, description)


_READERS: Mapping[str, Callable[[_Tree, str, Manifests], None]] = {
    "pyproject.toml": _read_pyproject,
    "setup.cfg": _read_setup,
    "setup.py": _read_setup,
    "package.json": _read_package_json,
    "Cargo.toml": _read_cargo,
}
