"""Imports and packages of Go: where a package lies, and which files belong to it.

A *manifest* is a ``go.mod`` or a ``go.work``: it names a module, replaces modules by folders and uses folders. A
*target* is the system and the processor that a file is compiled for, by its name. See https://go.dev/ref/mod.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import PACKAGE, Imported, Paths
from leadline_tools.lazy_regex import lazy_compile

_MAJOR = lazy_compile(r"/v\d+$|\.v\d+$")
"""The major version at the end of an import path, which is not part of the package's name."""


def read_import(node: Node) -> Iterator[Imported]:
    """Read one line of an import declaration; the blank name binds nothing."""
    path = text(node.child_by_field_name("path")).strip('"`')
    name = node.child_by_field_name("name")
    if name is None:
        alias = _MAJOR.sub("", path).rpartition("/")[2]
        yield Imported(path, "", alias)
    elif name.type == "dot":
        yield Imported(path, "*", "")
    elif name.type == "package_identifier":
        yield Imported(path, "", text(name))


def read_package_clause(root: Node) -> Iterator[Imported]:
    """Read which package a file is part of: its folder may be called otherwise, and hold tests of another one."""
    clause = next((child for child in root.named_children if child.type == "package_clause"), None)
    if clause is not None and clause.named_children:
        yield Imported(text(clause.named_children[-1]), "", PACKAGE, exports=True)


def locate_package(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of the package at an import path; none for one from outside, None where that is not known.

    A test of a package sees what its other tests declare as well; they come last, as they may be of another package.
    """
    home = importer.rpartition("/")[0] if importer.endswith("_test.go") else None
    for folder in _find_package_folders(module, importer, paths):
        found = [path for path in _list_package_files(folder, paths) if folder == home or not path.endswith("_test.go")]
        if found:
            return sorted(_filter_compatible(importer, found), key=_is_test)
    return () if _is_external(module, importer, paths) else None


def _is_test(path: str) -> bool:
    return path.endswith("_test.go")


_SYSTEMS = frozenset(
    "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows"
    " zos".split()
)

_PROCESSORS = frozenset(
    "386 amd64 amd64p32 arm arm64 arm64be armbe loong64 mips mips64 mips64le mips64p32 mips64p32le mipsle ppc ppc64"
    " ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm".split()
)
"""What the name of a file can end in that is compiled for one target, by https://pkg.go.dev/cmd/go."""


def _target(path: str) -> tuple[str, str]:
    """Return the system and the processor that a file is compiled for; empty for any."""
    parts = path.rpartition("/")[2].removesuffix(".go").removesuffix("_test").split("_")[1:]
    processor = parts.pop() if parts and parts[-1] in _PROCESSORS else ""
    return (parts[-1] if parts and parts[-1] in _SYSTEMS else ""), processor


def _filter_compatible(path: str, files: Iterable[str]) -> Sequence[str]:
    """Return those of ``files`` that can be compiled together with a file."""
    target = _target(path)
    if not any(target):
        return list(files)
    return [file for file in files if all(a == b or not (a and b) for a, b in zip(target, _target(file), strict=True))]


def _list_package_files(folder: str, paths: Paths) -> Sequence[str]:
    return [path for path in paths.inside(folder) if path.endswith(".go") and path.rpartition("/")[0] == folder]


def list_siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package; only a test sees what tests declare."""
    test = path.endswith("_test.go")
    return _filter_compatible(
        path, (file for file in list_package_files_beside(path, paths) if test or not file.endswith("_test.go"))
    )


def list_package_files_beside(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package and of its tests: any may declare methods of its types."""
    return [file for file in _list_package_files(path.rpartition("/")[0], paths) if file != path]


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

_BLOCK = lazy_compile(r"^(\w+)\s*\($")


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


def _find_package_folders(package: str, importer: str, paths: Paths) -> Iterator[str]:
    """Yield the folders in which a package may lie that the file ``importer`` imports, surest first."""
    if package.startswith(("./", "../")):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(importer), package))
        return
    around = _list_folders_around(importer)
    yield from (f"{root}vendor/{package}" for root in around)
    home = _find_home_module(around, paths)
    yield from _search_modules(package, importer, home, around, paths)
    if package.partition("/")[0] in _STANDARD:
        yield from (f"{root}{package}" for root in around if paths.exists(f"{root}builtin/builtin.go"))
        return
    yield from (f"{root}{package}" for root in around if root.endswith(f"{_GOPATH_SOURCES}/"))
    if home is None:
        yield from _guess_folders(package, around, paths)


def _is_external(package: str, importer: str, paths: Paths) -> bool:
    """Return whether a package that lies in no folder of the tree surely comes from outside of it.

    A path whose first element has no dot is that of the standard library, of a module of the tree, or of a workspace
    whose root is not known.
    """
    first = package.partition("/")[0]
    if first in _STANDARD or "." in first.strip("."):
        return True
    home = _find_home_module(_list_folders_around(importer), paths)
    return home is not None and _relative_package(package, home.path) is not None


def _search_modules(
    package: str, importer: str, home: _Module | None, around: Sequence[str], paths: Paths
) -> Iterator[str]:
    """Yield the folders of a package in the modules of the tree.

    First comes the module of the importer, then what that or a workspace replaces or uses, then any other module of
    that path, the nearest first.
    """
    if home is not None:
        yield from _resolve_in_module(package, home.path, home.folder, paths)
        yield from _find_replaced(package, home.folder, home.manifest, paths)
    for root in around:
        workspace = (
            paths.manifest(f"{root}{_WORKSPACE}", _read_manifest) if paths.exists(f"{root}{_WORKSPACE}") else None
        )
        if workspace is not None:
            yield from _find_replaced(package, root, workspace[1], paths)
            yield from _find_used(package, root, workspace[1], paths)
    modules = paths.manifests(_MANIFEST, _read_manifest)
    for path in _list_prefixes(package):
        for manifest, _ in sorted(modules.get(path, ()), key=lambda one: -_count_shared_folders(one[0], importer)):
            yield from _resolve_in_module(package, path, manifest.removesuffix(_MANIFEST), paths)


def _find_home_module(around: Sequence[str], paths: Paths) -> _Module | None:
    """Return the module of the nearest manifest around a file; None where there is none, or where it names none."""
    for root in around:
        if paths.exists(f"{root}{_MANIFEST}"):
            manifest = paths.manifest(f"{root}{_MANIFEST}", _read_manifest)
            return _Module(root, *manifest) if manifest is not None else None
    return None


def _resolve_in_module(package: str, module: str, folder: str, paths: Paths) -> Iterator[str]:
    """Yield the folder of a package of a module: what lies below another manifest belongs to another module."""
    rest = _relative_package(package, module)
    if rest is None:
        return
    inside = rest.split("/") if rest else []
    nested = ("/".join(inside[:end]) for end in range(1, len(inside) + 1))
    if not any(paths.exists(f"{folder}{path}/{_MANIFEST}") for path in nested):
        yield f"{folder}{rest}".rstrip("/")


def _find_replaced(package: str, root: str, manifest: _Manifest, paths: Paths) -> Iterator[str]:
    """Yield the folder of a package of a module that a manifest replaces by a folder."""
    for path in _list_prefixes(package):
        target = manifest.replaced.get(path, "")
        folder = _resolve_folder(root, target) if target.startswith(("./", "../")) else None
        if folder is not None:
            yield from _resolve_in_module(package, path, folder, paths)


def _find_used(package: str, root: str, workspace: _Manifest, paths: Paths) -> Iterator[str]:
    """Yield the folder of a package of a module that a workspace uses."""
    for target in workspace.used:
        folder = _resolve_folder(root, target)
        manifest = paths.manifest(f"{folder}{_MANIFEST}", _read_manifest) if folder is not None else None
        if folder is not None and manifest is not None:
            yield from _resolve_in_module(package, manifest[0], folder, paths)


def _guess_folders(package: str, around: Sequence[str], paths: Paths) -> Iterator[str]:
    """Yield the folders that an import path may mean in a tree whose own import path no manifest says.

    Every tail of the path is tried below every folder around the importer.
    """
    elements = package.split("/")
    if "." in elements[0]:
        yield from sorted({path.rpartition("/")[0] for path in paths.inside(package)}, key=len)
    for start in range(3 if elements[0] in _HOSTS else 1, len(elements)):
        tail = "/".join(elements[start:])
        yield from (f"{root}{tail}" for root in reversed(around))


def _read_manifest(content: bytes) -> tuple[str, _Manifest] | None:
    """Return the path of a module and what its manifest says; the same of a workspace, which has no path."""
    module, replaced, used = "", dict[str, str](), list[str]()
    for directive, *words in _split_directives(content.decode("utf-8", "replace")):
        if directive == "module" and words:
            module = words[0]
        elif directive == "use" and words:
            used.append(words[0])
        elif directive == "replace" and "=>" in words[1:-1]:
            replaced[words[0]] = words[words.index("=>") + 1]
    return module, _Manifest(module, replaced, used)


def _split_directives(text: str) -> Iterator[Sequence[str]]:
    """Yield the words of each directive of a manifest, those in blocks with the word of the block."""
    block = ""
    for line in text.splitlines():
        plain = line.partition("//")[0].strip()
        opening = _BLOCK.match(plain)
        if opening is not None:
            block = opening[1]
        elif plain == ")":
            block = ""
        elif plain:
            words = [word.strip('"`') for word in plain.split()]
            yield [block, *words] if block else words


def _relative_package(package: str, module: str) -> str | None:
    """Return what follows the path of a module in that of a package; None for a package of another module."""
    if not module or not f"{package}/".startswith(f"{module}/"):
        return None
    return package[len(module) + 1 :]


def _list_prefixes(package: str) -> Iterator[str]:
    """Yield the paths that the module of a package may have, longest first."""
    while package:
        yield package
        package = package.rpartition("/")[0]


def _resolve_folder(root: str, target: str) -> str | None:
    """Return the folder that a manifest in ``root`` names, with its slash; None for one outside of the tree."""
    joined = posixpath.normpath(posixpath.join(root, target))
    if joined.startswith(".."):
        return None
    return "" if joined == "." else f"{joined}/"


def _list_folders_around(path: str) -> Sequence[str]:
    """Return the folders around ``path``, innermost first, each with its slash; the root is the empty string."""
    parts = path.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:end]) for end in range(len(parts), -1, -1)]


def _count_shared_folders(path: str, other: str) -> int:
    """Return how many folders two paths share."""
    return len(posixpath.commonprefix((path.split("/")[:-1], other.split("/")[:-1])))
