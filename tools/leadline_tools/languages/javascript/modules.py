"""Where the modules of JavaScript and TypeScript are.

https://www.typescriptlang.org/docs/handbook/modules/reference.html and https://nodejs.org/api/packages.html.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from leadline_tools import jsonc
from leadline_tools.languages.rules.imports import Paths
from leadline_tools.lazy_regex import lazy_compile

EXTENSIONS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
"""What an import may leave out, in the order of https://www.typescriptlang.org/docs/handbook/modules/reference.html."""

_HOSTS = (".vue", ".svelte", ".astro", ".mdx")
"""Endings of files that hold a module among other things: an import spells them out."""

_WRITTEN_FOR = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
"""What may be meant by an extension: an import names the file that the compiler writes."""

_ALIASES = ("@", "~", "#", "$", "/")
"""What names of folders begin with that bundlers know."""

_CONFIGURATIONS = ("tsconfig.json", "jsconfig.json")
_OWN_FOLDER = "${configDir}"

_DEEPEST_CONDITION = 4
"""Conditions in conditions of an entry of a package."""

_DEEPEST_PARENT = 8
"""Configurations that each extend the next one."""

_Patterns = Mapping[str, Sequence[str]]
"""What names are written for, which may hold one ``*`` that stands for anything, and there again."""


def locate_module(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the file of a module: this very file for none, a relative one, one that a configuration leads to.

    Any other is a package: one of the tree by its manifest, else one from outside; but where the tree has a file or
    folder of that name, the configuration of a bundler may lead there, and paths do not tell. The ``exports`` of a
    module that assigns none are the module itself.
    """
    if not module:
        return (importer,)
    whole = module.removesuffix(".exports").removesuffix(".export")
    specifier = whole[1:-1]
    if not whole.endswith('"'):
        return ()
    if specifier in (".", "..") or specifier.startswith(("./", "../")):
        return _relative(_join_path(importer, specifier), paths)
    configured = _locate_by_configuration(specifier, importer, paths)
    if configured:
        return configured
    found = (
        _locate_own_name(specifier, importer, paths)
        if specifier.startswith("#")
        else _locate_in_package(specifier, importer, paths)
    )
    return found or (None if found is not None or _may_be_inside(specifier, paths) else ())


def _relative(base: str | None, paths: Paths) -> Sequence[str] | None:
    """Return the file of a relative path: that of a folder may be named by its manifest. None where the tree has none.

    https://nodejs.org/api/modules.html#folders-as-modules
    """
    found = _first_file((base,), paths)
    manifest = posixpath.join(base, "package.json") if base is not None else ""
    if found or not paths.exists(manifest):
        return found
    written = paths.manifest(manifest, _package)
    entries = written[1].exports.get("", ()) if written is not None else ()
    return _first_file([_join_path(manifest, one) for one in entries], paths) or None


def module(path: str) -> str:
    """Return the module of a path: without extension, and without the index that stands for its folder."""
    folder, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0].removesuffix(".d")
    dotted = folder.replace("/", ".")
    if stem == "index" and dotted:
        return dotted
    return f"{dotted}.{stem}" if dotted else stem


_BEFORE_CODE = lazy_compile(rb"(?:\xef\xbb\xbf)?(?:#![^\n]*\n)?(?:\s+|//[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)
_WHOLE_EXPORT = lazy_compile(rb"^(?:(?:var |let |const )?[\w$]+\s*=\s*)?module\.exports\s*=(?![=>])\s*", re.MULTILINE)
_NAMES_ALONE = lazy_compile(rb"\{(?:[\w$\s,]|//[^\n]*\n|/\*[^*]*\*/)*\}")


def module_line(content: bytes) -> int:
    """Return the line of what a module of CommonJS exports as a whole, else the line on which its code begins.

    An object of names alone exports those: it is not the value of the module by itself.
    """
    found = [one.end() for one in _WHOLE_EXPORT.finditer(content)]
    if len(found) == 1 and _NAMES_ALONE.match(content, found[0]) is None:
        return content.count(b"\n", 0, found[0]) + 1
    return code_line(content)


def code_line(content: bytes) -> int:
    """Return the line on which the code of a module begins, behind the comments before it."""
    start = _BEFORE_CODE.match(content)
    begins = start.end() if start is not None else 0
    return content.count(b"\n", 0, begins) + 1 if begins < len(content) else 1


_DECLARED = lazy_compile(
    rb"\bimport\b(?P<imported>[^;'\"]*?)\bfrom\b"
    rb"|\b(?:const|let|var|function|class|interface|type|enum|namespace)\b\s*\*?\s*(?P<name>[\w$]+)"
)
_WORD = lazy_compile(rb"[\w$]+")


def may_declare(content: bytes, name: str) -> bool:
    """Return whether the text of a file looks as if it declared a name, or imported it, where no parser has read it."""
    word = name.encode()
    if word not in content:
        return False
    return any(
        found["name"] == word or (found["imported"] is not None and word in _WORD.findall(found["imported"]))
        for found in _DECLARED.finditer(content)
    )


# --- Configurations of the compiler: https://www.typescriptlang.org/tsconfig


@dataclass(frozen=True, slots=True)
class _Configuration:
    """What a configuration says of modules; ``mapped`` is None where it leaves that to those that it extends."""

    extends: Sequence[str]
    references: Sequence[str]
    base: str | None
    mapped: _Patterns | None


@dataclass(frozen=True, slots=True)
class _Rules:
    """The rules of a configuration and of those that it extends, each with the file that says so: paths begin there."""

    base: tuple[str, str] | None = None
    mapped: _Patterns = field(default_factory=dict[str, Sequence[str]])
    mapped_at: str = ""

    def bases(self, specifier: str, leaf: str) -> Iterator[str | None]:
        """Yield the paths that a name may be written for in files of the configuration ``leaf``, without extension."""
        folder = _join_path(*self.base) if self.base is not None else None
        inside = f"{folder}/" if folder else ""
        home = self.mapped_at if folder is None else inside
        for target in _iterate_matches(self.mapped, specifier):
            own = target.startswith(_OWN_FOLDER)
            yield _join_path(leaf if own else home, target.removeprefix(_OWN_FOLDER))
        if folder is not None:
            yield _join_path(inside, specifier)


def _locate_by_configuration(specifier: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file that the nearest configuration leads to which leads anywhere; none where no one does."""
    for folder in _around(importer):
        for name in _CONFIGURATIONS:
            path = posixpath.join(folder, name)
            if paths.exists(path):
                for leaf in (path, *_projects(path, paths)):
                    found = _first_file(_rules(leaf, paths, 0).bases(specifier, leaf), paths)
                    if found:
                        return found
    return ()


def _projects(path: str, paths: Paths) -> Iterator[str]:
    """Yield the configurations that one refers to, as one that has no files of its own does."""
    written = paths.manifest(path, _configuration)
    for reference in written.references if written is not None else ():
        at = _join_path(path, reference)
        yield from _first_existing((at, posixpath.join(at or "", _CONFIGURATIONS[0])), paths)


def _rules(path: str, paths: Paths, depth: int) -> _Rules:
    """Return the rules of a configuration; what it says itself goes before what it extends, the last of those first."""
    rules, written = _Rules(), paths.manifest(path, _configuration)
    if written is None:
        return rules
    for parent in written.extends if depth < _DEEPEST_PARENT else ():
        for inherited in _first_existing((_join_path(path, parent), _join_path(path, f"{parent}.json")), paths):
            above = _rules(inherited, paths, depth + 1)
            mapped = above if above.mapped else rules
            rules = _Rules(above.base or rules.base, mapped.mapped, mapped.mapped_at)
    base = (path, written.base) if written.base is not None else rules.base
    if written.mapped is None:
        return _Rules(base, rules.mapped, rules.mapped_at)
    return _Rules(base, written.mapped, path)


def _configuration(content: bytes) -> _Configuration | None:
    try:
        names = jsonc.read(content.decode("utf-8-sig"))
    except ValueError:
        return None
    extends, options, references = names.get("extends"), names.get("compilerOptions"), names.get("references")
    options = options if isinstance(options, dict) else {}
    base, mapped = options.get("baseUrl"), options.get("paths")
    return _Configuration(
        extends=_strings([extends] if isinstance(extends, str) else extends),
        references=_strings([one.get("path") for one in _items(references) if isinstance(one, dict)]),
        base=base if isinstance(base, str) else None,
        mapped={name: _strings(given) for name, given in mapped.items()} if isinstance(mapped, dict) else None,
    )


def _items(given: object) -> Sequence[object]:
    return given if isinstance(given, list) else ()


def _strings(given: object) -> Sequence[str]:
    return [one for one in _items(given) if isinstance(one, str)]


# --- Packages


@dataclass(frozen=True, slots=True)
class _Package:
    """What a package gives others by what is written behind its name, and itself by names of its own."""

    exports: _Patterns
    imports: _Patterns


def _locate_in_package(specifier: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the file of a module of a package of the tree: none where it is not there; None for no such package.

    What a manifest names may be made from sources that it does not: those of the whole package are an ``index``, and
    what is behind its name are paths, each in the folder of the manifest or in its ``src``. Of several packages of
    one name the one is meant that lies nearest.
    """
    parts = specifier.split("/")
    named = 2 if specifier.startswith("@") else 1
    name = "/".join(parts[:named])
    packages = paths.manifests("package.json", _package).get(name) if name else None
    if not packages:
        return None
    manifest, package = max(packages, key=lambda one: _count_shared_folders(one[0], importer))
    inside = "/".join(parts[named:])
    given = (*_iterate_matches(package.exports, inside), f"./{inside}", f"./src/{inside}")
    return [path for one in given for path in _first_file((_join_path(manifest, one),), paths)][:1]


def _locate_own_name(specifier: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the file of a name that the package around gives its own modules; None where it gives no such name."""
    for folder in _around(importer):
        manifest = posixpath.join(folder, "package.json")
        written = paths.manifest(manifest, _package) if paths.exists(manifest) else None
        if written is not None:
            given = list(_iterate_matches(written[1].imports, specifier))
            return _first_file((_join_path(manifest, one) for one in given), paths) if given else None
    return None


def _package(manifest: bytes) -> tuple[str, _Package] | None:
    """Return the name of a package, empty for none, and what it gives: https://nodejs.org/api/packages.html."""
    try:
        names = json.loads(manifest)
    except (ValueError, RecursionError):
        return None
    if not isinstance(names, dict):
        return None
    name, exports, imports = names.get("name"), names.get("exports"), names.get("imports")
    given = exports if isinstance(exports, dict) and any(key.startswith(".") for key in exports) else {".": exports}
    entries = {key.removeprefix(".").removeprefix("/"): list(_files(value)) for key, value in given.items()}
    whole = [file for field in ("source", "types", "typings", "module", "main") for file in _files(names.get(field))]
    own = {key: list(_files(value)) for key, value in imports.items()} if isinstance(imports, dict) else {}
    return (
        name if isinstance(name, str) else "",
        _Package({**entries, "": [*entries.get("", ()), *whole]}, own),
    )


def _files(given: object, depth: int = 0) -> Iterator[str]:
    """Yield the files that an entry names, by whatever condition."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, dict) and depth < _DEEPEST_CONDITION:
        for value in given.values():
            yield from _files(value, depth + 1)


# --- Names and paths


def _iterate_matches(patterns: _Patterns, name: str) -> Iterator[str]:
    """Yield what a name is written for: as it stands, else by the pattern with the longest beginning."""
    if name in patterns:
        yield from patterns[name]
        return
    split = (pattern.partition("*") for pattern in patterns if "*" in pattern)
    fitting = [
        (start, end)
        for start, _, end in split
        if len(name) >= len(start) + len(end) and name.startswith(start) and name.endswith(end)
    ]
    if fitting:
        start, end = max(fitting, key=lambda one: len(one[0]))
        inside = name[len(start) : len(name) - len(end)]
        yield from (target.replace("*", inside) for target in patterns[f"{start}*{end}"])


def _may_be_inside(specifier: str, paths: Paths) -> bool:
    name = specifier.partition("/")[2] if specifier.startswith(_ALIASES) else specifier
    return bool(name) and (bool(paths.inside(name)) or any(paths.ending(form) for form in _forms(name)))


def _around(path: str) -> Iterator[str]:
    """Yield the folders around a file, the nearest first; the last is the empty one of the tree."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _count_shared_folders(one: str, other: str) -> int:
    """Return how many folders two files have in common."""
    return len({*_around(one)} & {*_around(other)})


def _first_file(bases: Iterator[str | None] | Sequence[str | None], paths: Paths) -> Sequence[str]:
    """Return the first file that one of the paths means, which may leave out what it ends in."""
    files = (path for base in bases if base is not None for path in _forms(base) if paths.exists(path))
    return [path for path in (next(files, ""),) if path]


def _first_existing(names: Sequence[str | None], paths: Paths) -> Sequence[str]:
    return [name for name in names if name is not None and paths.exists(name)][:1]


def _join_path(importer: str, specifier: str) -> str | None:
    """Return the path that a relative specifier names; None for one outside the tree."""
    parts = importer.split("/")[:-1]
    for part in specifier.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _forms(base: str) -> Iterator[str]:
    stem, dot, extension = base.rpartition(".")
    if dot and f".{extension}" in _HOSTS:
        yield base
    if dot and f".{extension}" in EXTENSIONS:
        yield base
        yield from (f"{stem}{other}" for other in _WRITTEN_FOR.get(f".{extension}", ()))
    yield from (f"{base}{extension}" for extension in EXTENSIONS if base)
    yield from (f"{base}/index{extension}" if base else f"index{extension}" for extension in EXTENSIONS)
