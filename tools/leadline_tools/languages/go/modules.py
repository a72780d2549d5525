"""Where the packages of Go are: https://go.dev/ref/mod."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from leadline_tools.languages.language import Paths

_MANIFEST = "go.mod"
_WORKSPACE = "go.work"

_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org"})
"""Hosts on which a module path has at least three elements: host, owner, repository."""

_STANDARD = frozenset(
    "C archive arena bufio builtin bytes cmd cmp compress container context crypto database debug embed encoding errors"
    " expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp"
    " runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak".split()
)
"""The first elements that https://pkg.go.dev/std takes, and the pseudo-package of cgo."""

_GOPATH_SOURCES = "src"
"""The folder of a workspace below which packages lie at their import paths: https://pkg.go.dev/cmd/go#hdr-GOPATH."""

_BLOCK = re.compile(r"^(\w+)\s*\($")


class _Manifest(NamedTuple):
    """What a ``go.mod`` or a ``go.work`` says of packages.

    Args:
        module: The path of the module; empty for none.
        replaced: What stands in place of modules, by their paths: a folder (``./``, ``../``) or another module path.
        used: The folders of the modules of a workspace.

    """

    module: str
    replaced: Mapping[str, str]
    used: Sequence[str]


class _Module(NamedTuple):
    """A module of the tree: its folder, with a slash unless it is the root, its path, and what it says."""

    folder: str
    path: str
    manifest: _Manifest


def package_folders(package: str, importer: str, paths: Paths) -> Iterator[str]:
    """Yield the folders in which a package may lie that the file ``importer`` imports, surest first."""
    if package.startswith(("./", "../")):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(importer), package))
        return
    around = _around(importer)
    yield from (f"{root}vendor/{package}" for root in around)
    home = _home(around, paths)
    yield from _of_modules(package, importer, home, around, paths)
    if package.partition("/")[0] in _STANDARD:
        yield from (f"{root}{package}" for root in around if paths.exists(f"{root}builtin/builtin.go"))
        return
    yield from (f"{root}{package}" for root in around if root.endswith(f"{_GOPATH_SOURCES}/"))
    if home is None:
        yield from _guessed(package, around, paths)


def is_external(package: str, importer: str, paths: Paths) -> bool:
    """Return whether a package that lies in no folder of the tree surely comes from outside of it.

    A path whose first element has no dot is that of the standard library, of a module of the tree, or of a workspace
    whose root is not known.
    """
    first = package.partition("/")[0]
    if first in _STANDARD or "." in first.strip("."):
        return True
    home = _home(_around(importer), paths)
    return home is not None and _below(package, home.path) is not None


def _of_modules(
    package: str, importer: str, home: _Module | None, around: Sequence[str], paths: Paths
) -> Iterator[str]:
    """Yield the folders of a package in the modules of the tree.

    First comes the module of the importer, then what that or a workspace replaces or uses, then any other module of
    that path, the nearest first.
    """
    if home is not None:
        yield from _in_module(package, home.path, home.folder, paths)
        yield from _replaced(package, home.folder, home.manifest, paths)
    for root in around:
        workspace = paths.manifest(f"{root}{_WORKSPACE}", _read) if paths.exists(f"{root}{_WORKSPACE}") else None
        if workspace is not None:
            yield from _replaced(package, root, workspace[1], paths)
            yield from _used(package, root, workspace[1], paths)
    modules = paths.manifests(_MANIFEST, _read)
    for path in _prefixes(package):
        for manifest, _ in sorted(modules.get(path, ()), key=lambda one: -_shared(one[0], importer)):
            yield from _in_module(package, path, manifest.removesuffix(_MANIFEST), paths)


def _home(around: Sequence[str], paths: Paths) -> _Module | None:
    """Return the module of the nearest manifest around a file; None where there is none, or where it says nothing."""
    for root in around:
        if paths.exists(f"{root}{_MANIFEST}"):
            said = paths.manifest(f"{root}{_MANIFEST}", _read)
            return _Module(root, *said) if said is not None else None
    return None


def _in_module(package: str, module: str, folder: str, paths: Paths) -> Iterator[str]:
    """Yield the folder of a package of a module: what lies below another manifest belongs to another module."""
    rest = _below(package, module)
    if rest is None:
        return
    inside = rest.split("/") if rest else []
    nested = ("/".join(inside[:end]) for end in range(1, len(inside) + 1))
    if not any(paths.exists(f"{folder}{path}/{_MANIFEST}") for path in nested):
        yield f"{folder}{rest}".rstrip("/")


def _replaced(package: str, root: str, manifest: _Manifest, paths: Paths) -> Iterator[str]:
    """Yield the folder of a package of a module that a manifest replaces by a folder."""
    for path in _prefixes(package):
        target = manifest.replaced.get(path, "")
        folder = _folder(root, target) if target.startswith(("./", "../")) else None
        if folder is not None:
            yield from _in_module(package, path, folder, paths)


def _used(package: str, root: str, workspace: _Manifest, paths: Paths) -> Iterator[str]:
    """Yield the folder of a package of a module that a workspace uses."""
    for target in workspace.used:
        folder = _folder(root, target)
        said = paths.manifest(f"{folder}{_MANIFEST}", _read) if folder is not None else None
        if folder is not None and said is not None:
            yield from _in_module(package, said[0], folder, paths)


def _guessed(package: str, around: Sequence[str], paths: Paths) -> Iterator[str]:
    """Yield the folders that an import path may mean in a tree whose own import path no manifest says.

    Every tail of the path is tried below every folder around the importer.
    """
    elements = package.split("/")
    if "." in elements[0]:
        yield from sorted({path.rpartition("/")[0] for path in paths.inside(package)}, key=len)
    for start in range(3 if elements[0] in _HOSTS else 1, len(elements)):
        tail = "/".join(elements[start:])
        yield from (f"{root}{tail}" for root in reversed(around))


def _read(content: bytes) -> tuple[str, _Manifest] | None:
    """Return the path of a module and what its manifest says; the same of a workspace, which has no path."""
    module, replaced, used = "", dict[str, str](), list[str]()
    for directive, *words in _directives(content.decode("utf-8", "replace")):
        if directive == "module" and words:
            module = words[0]
        elif directive == "use" and words:
            used.append(words[0])
        elif directive == "replace" and "=>" in words[1:-1]:
            replaced[words[0]] = words[words.index("=>") + 1]
    return module, _Manifest(module, replaced, used)


def _directives(text: str) -> Iterator[Sequence[str]]:
    """Yield the words of each directive of a manifest, those in blocks with the word of the block."""
    block = ""
    for line in text.splitlines():
        plain = line.partition("//")[0].strip()
        opened = _BLOCK.match(plain)
        if opened is not None:
            block = opened[1]
        elif plain == ")":
            block = ""
        elif plain:
            words = [word.strip('"`') for word in plain.split()]
            yield [block, *words] if block else words


def _below(package: str, module: str) -> str | None:
    """Return what follows the path of a module in that of a package; None for a package of another module."""
    if not module or not f"{package}/".startswith(f"{module}/"):
        return None
    return package[len(module) + 1 :]


def _prefixes(package: str) -> Iterator[str]:
    """Yield the paths that the module of a package may have, longest first."""
    while package:
        yield package
        package = package.rpartition("/")[0]


def _folder(root: str, target: str) -> str | None:
    """Return the folder that a manifest in ``root`` names, with its slash; None for one outside of the tree."""
    joined = posixpath.normpath(posixpath.join(root, target))
    if joined.startswith(".."):
        return None
    return "" if joined == "." else f"{joined}/"


def _around(path: str) -> Sequence[str]:
    """Return the folders around ``path``, innermost first, each with its slash; the root is the empty string."""
    parts = path.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:end]) for end in range(len(parts), -1, -1)]


def _shared(path: str, other: str) -> int:
    """Return how many folders two paths share."""
    return len(posixpath.commonprefix((path.split("/")[:-1], other.split("/")[:-1])))
