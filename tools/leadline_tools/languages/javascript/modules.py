"""Modules of JavaScript and TypeScript: the files that an import means.

https://www.typescriptlang.org/docs/handbook/modules/reference.html and https://nodejs.org/api/packages.html.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from leadline_tools.languages.javascript.module_paths import (
    first_file,
    folders_around,
    join_path,
    list_forms,
)
from leadline_tools.languages.javascript.packages import (
    is_dependency,
    locate_in_package,
    locate_own_name,
    read_package,
)
from leadline_tools.languages.javascript.tsconfig import is_told_by_tsconfig, locate_by_tsconfig
from leadline_tools.languages.rules.imports import Paths
from leadline_tools.lazy_regex import lazy_compile

_ALIASES = ("@", "~", "#", "$", "/")
"""What names of folders begin with that bundlers know."""


_LIBRARY, _LIBRARY_FOLDER = "$lib", "src/lib"


def locate_module(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the file of a module: this very file for none, a relative one, one that a configuration leads to.

    Any other is a package: one of the tree by its manifest, else one from outside; but where the tree has a file or
    folder of that name, the configuration of a bundler may lead there, and paths do not tell, unless a manifest names
    the package, or the compiler of TypeScript finds no other. The ``exports`` of a
    module that assigns none are the module itself.
    """
    if not module:
        return (importer,)
    whole = module.removesuffix(".exports").removesuffix(".export")
    specifier = whole[1:-1]
    if not whole.endswith('"'):
        return ()
    if specifier in (".", "..") or specifier.startswith(("./", "../")):
        return _relative(
            join_path(importer, specifier), paths, names_folder=_NAMES_FOLDER.search(specifier) is not None
        )
    configured = locate_by_tsconfig(specifier, importer, paths) or _locate_in_library(specifier, importer, paths)
    if configured:
        return configured
    found = (
        locate_own_name(specifier, importer, paths)
        if specifier.startswith("#")
        else locate_in_package(specifier, importer, paths)
    )
    if found is None and (not _may_be_inside(specifier, paths) or _is_package(specifier, importer, paths)):
        return ()
    return found or None


def _locate_in_library(specifier: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of the library of a program of SvelteKit: https://svelte.dev/docs/kit/$lib."""
    name, _, inside = specifier.partition("/")
    if name != _LIBRARY:
        return ()
    folders = (posixpath.join(folder, _LIBRARY_FOLDER, inside) for folder in folders_around(importer))
    return first_file([folder.rstrip("/") for folder in folders], paths)


def _is_package(specifier: str, importer: str, paths: Paths) -> bool:
    """Return whether a module is surely a package, although the tree has a file or folder of its name."""
    if specifier.startswith((*_ALIASES, "#")):
        return False
    return is_dependency(specifier, importer, paths) or is_told_by_tsconfig(importer, paths)


_NAMES_FOLDER = re.compile(r"(?:^|/)\.{0,2}$")
"""The end of a path that means a folder, whatever file lies beside it."""


def _relative(base: str | None, paths: Paths, *, names_folder: bool) -> Sequence[str] | None:
    """Return the file of a relative path: that of a folder may be named by its manifest. None where the tree has none.

    https://nodejs.org/api/modules.html#folders-as-modules
    """
    found = first_file((base,), paths) if not names_folder else ()
    manifest = posixpath.join(base, "package.json") if base is not None else ""
    if found or not paths.exists(manifest):
        return found or (first_file((_index_of(base),), paths) if names_folder else found)
    written = paths.manifest(manifest, read_package)
    entries = written[1].exports.get("", ()) if written is not None else ()
    named = first_file([join_path(manifest, one) for one in entries], paths)
    return named or (first_file((_index_of(base),), paths) if names_folder else ()) or None


def _index_of(folder: str | None) -> str | None:
    return posixpath.join(folder, "index") if folder is not None else None


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


def _may_be_inside(specifier: str, paths: Paths) -> bool:
    name = specifier.partition("/")[2] if specifier.startswith(_ALIASES) else specifier
    return bool(name) and (bool(paths.inside(name)) or any(paths.ending(form) for form in list_forms(name)))
