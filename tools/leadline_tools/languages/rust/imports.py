"""Imports of Rust, and the files of modules and crates.

A *root* is the file at which a crate begins: ``lib.rs``, ``main.rs``, or a file of its own among tests and examples. A
*step* is one name of the dotted path of a module.
"""

from __future__ import annotations

import posixpath
import tomllib
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import MACROS, Imported, Paths
from leadline_tools.languages.rust.outline import has_attribute, iterate_attributes
from leadline_tools.lazy_regex import lazy_compile

_DISTRIBUTED = frozenset({"std", "core", "alloc", "proc_macro", "test"})
"""The crates that come with the compiler."""

_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
"""The tables of a manifest that name other packages."""

_ROOTS = ("lib.rs", "main.rs")
"""The files at which the crates of a package begin, by https://doc.rust-lang.org/cargo/guide/project-layout.html."""

_TARGET = lazy_compile(r"(?P<package>(?:.*/)?)(?:(?:tests|examples|benches|src/bin)/[^/]+|build)\.rs")
"""The files that are crates of their own beside those, in the folder of their package."""

PRELUDE_IMPORT = "prelude_import"
"""The attribute of the import by which a library of the language says what its modules see without import; and what
that is called where it is looked for, as nothing else is called so."""

_LONGEST_PATH = 1000
"""More in a use declaration is no program."""


def read_use(node: Node) -> Iterator[Imported]:
    """Read a use declaration."""
    for one in _read_use_tree(node):
        yield one
        if one.name == "*" and any(PRELUDE_IMPORT in text(attribute) for attribute in iterate_attributes(node)):
            yield Imported(one.module, "", PRELUDE_IMPORT)


def _read_use_tree(node: Node) -> Iterator[Imported]:
    """Read the tree of a use declaration."""
    argument = node.child_by_field_name("argument")
    stack: list[tuple[str, Node]] = [("", argument)] if argument is not None else []
    while stack:
        prefix, tree = stack.pop()
        if len(prefix) > _LONGEST_PATH:
            continue
        match tree.type:
            case "use_list":
                stack.extend((prefix, child) for child in reversed(tree.named_children))
            case "scoped_use_list":
                inner = _join_path(prefix, tree.child_by_field_name("path"))
                stack.extend((inner, child) for child in tree.children_by_field_name("list"))
            case "use_wildcard":
                yield Imported(_join_path(prefix, tree.named_children[0] if tree.named_children else None), "*", "")
            case "use_as_clause":
                yield from _import_path(
                    _join_path(prefix, tree.child_by_field_name("path")), text(tree.child_by_field_name("alias"))
                )
            case "self":
                yield from _import_path(prefix or "self", "")
            case "identifier" | "scoped_identifier" | "crate" | "super":
                yield from _import_path(_join_path(prefix, tree), "")


def _join_path(prefix: str, path: Node | None) -> str:
    """Return a path in a tree, with dots: ``b::self`` is ``b``."""
    steps = [*filter(None, prefix.split(".")), *(step for step in "".join(text(path).split()).split("::") if step)]
    return ".".join(steps[:-1] if len(steps) > 1 and steps[-1] == "self" else steps)


def _import_path(path: str, alias: str) -> Iterator[Imported]:
    module, _, name = path.rpartition(".")
    if alias == "_":
        return
    if not module or name == "super":
        yield Imported(path, "", alias or name)
    else:
        yield Imported(module, name, alias or name)


def _read_extern_crate(node: Node) -> Iterator[Imported]:
    name = text(node.child_by_field_name("name"))
    yield Imported("crate" if name == "self" else name, "", text(node.child_by_field_name("alias")) or name)


def read_extern_crate(node: Node) -> Iterator[Imported]:
    """Read ``extern crate name;`` and whether the macros of the crate are seen by their plain names."""
    yield from _read_extern_crate(node)
    if has_attribute(node, _MACRO_USE):
        yield Imported(text(node.child_by_field_name("name")), "*", "", space=MACROS)


def read_module(node: Node) -> Iterator[Imported]:
    """Read ``mod name;``: the module is another file, and where an attribute says so its macros are seen after it.

    https://doc.rust-lang.org/reference/items/modules.html#the-path-attribute
    """
    name = text(node.child_by_field_name("name"))
    inline = node.child_by_field_name("body") is not None
    attributes = () if inline else iterate_attributes(node)
    files = [path for attribute in attributes for path in _PATH.findall(text(attribute))]
    modules = [f"self.{_FILE}{path.replace('.', _DOT)}" for path in files] or [f"self.{name}"]
    for module in modules:
        if not inline:
            yield Imported(module, "", name)
        if has_attribute(node, _MACRO_USE):
            yield Imported(module, "*", "", space=MACROS)


_MACRO_USE = "macro_use"
"""The attribute by which the macros of a module or a crate are seen in the text that follows."""

_PATH = lazy_compile(r"\bpath\s*=\s*r?#*\"([^\"]+)\"")
"""The file that an attribute says is a module."""

_FILE, _DOT = "/", ":"
"""What a step of a module begins with that is the path of a file, and what stands for a dot in it."""


def rebase_import(imported: Imported, module: str) -> Imported:
    """Return an import of the module ``module`` inside a file as that file would write it."""
    around = module.split(".")
    steps = imported.module.split(".")
    if steps[0] not in ("self", "super"):
        return imported
    if steps[0] == "self":
        steps = steps[1:]
    while steps and steps[0] == "super" and around:
        around, steps = around[:-1], steps[1:]
    if steps[:1] != ["super"]:
        steps = ["self", *around, *steps]
    return Imported(".".join(steps), imported.name, imported.alias, imported.exports)


def locate_module(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a module; None where that takes more than paths to tell.

    Another crate is found where its folder has its name; one that is not may still be the library of this package.
    """
    first, *rest = module.split(".")
    if first == "crate":
        root = _find_crate_roots(importer, paths)
        return None if root is None else _descend(root, rest, paths)
    if first == "self":
        return _descend((importer,), rest, paths) or _find_beside(importer, rest, paths)
    if first == "super":
        parent = _find_parent(importer, paths)
        while rest and rest[0] == "super" and parent:
            parent, rest = _find_parent(parent[0], paths), rest[1:]
        return _descend(parent, rest, paths) if parent else None
    return _descend((importer,), [first, *rest], paths) or _locate_in_crate(first, rest, importer, paths)


def _find_beside(file: str, steps: Sequence[str], paths: Paths) -> Sequence[str]:
    """Return the file of a module beside the file that declares it: so it is where an attribute names that file."""
    return _existing_files(posixpath.dirname(file), (f"{'/'.join(steps)}.rs", f"{'/'.join(steps)}/mod.rs"), paths)


def _locate_in_crate(name: str, rest: Sequence[str], importer: str, paths: Paths) -> Sequence[str] | None:
    packages = paths.manifests("Cargo.toml", _read_library)
    name = _find_package(name, importer, paths)
    roots = [_resolve_from(path, library) for path, library in packages.get(name, ())]
    if not roots:
        spellings = {name, name.replace("_", "-")}
        roots = [root for spelled in spellings for root in paths.ending(f"{spelled}/src/lib.rs")]
        known = {_resolve_from(*one) for found in packages.values() for one in found} if roots else ()
        roots = [root for root in roots if root not in known]  # what is there has another name
    if len(roots) == 1 and roots[0] != importer and paths.exists(roots[0]):
        return _descend(roots, rest, paths)
    if name in _DISTRIBUTED:
        return ()
    root = _find_crate_roots(importer, paths)
    return () if root is not None and all(file.endswith("lib.rs") for file in root) else None


def _find_package(name: str, importer: str, paths: Paths) -> str:
    """Return what a crate calls itself which the package of a file calls ``name``: mostly the same.

    https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html#renaming-dependencies-in-cargotoml
    """
    folder = importer
    while folder:
        folder = folder.rpartition("/")[0]
        manifest = posixpath.join(folder, "Cargo.toml")
        renamed = paths.manifest(manifest, _read_renamed) if paths.exists(manifest) else None
        if renamed is not None and name in renamed:  # else a workspace around may rename it
            return renamed[name]
    return name


def _read_renamed(manifest: bytes) -> Mapping[str, str] | None:
    """Return the crates that a manifest gives other names, by those; None for what is no manifest."""
    try:
        data = tomllib.loads(manifest.decode())
        tables = [data, data.get("workspace", {}), *data.get("target", {}).values()]
        listed = [of.get(kind, {}) for of in tables for kind in _DEPENDENCIES]
        renamed = ((alias, said["package"]) for one in listed for alias, said in one.items() if "package" in said)
        return {alias.replace("-", "_"): str(package).replace("-", "_") for alias, package in renamed}
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError, KeyError, TypeError, RecursionError):
        return None


def _read_library(manifest: bytes) -> tuple[str, str] | None:
    """Return what other crates call the library of a package, and its root: https://doc.rust-lang.org/cargo/reference."""
    try:
        data = tomllib.loads(manifest.decode())
        package, library = data.get("package", {}), data.get("lib", {})
        called = library.get("name") or package["name"].replace("-", "_")
        return str(called), str(library.get("path", "src/lib.rs"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, AttributeError, KeyError, TypeError, RecursionError):
        return None  # no manifest of a package, but of a workspace, or none at all


def _resolve_from(manifest: str, file: str) -> str:
    """Return the path of a file as a manifest names it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(manifest), file))


def _find_crate_roots(importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files at which the crate of ``importer`` begins; None where no such file is around it."""
    if _is_target(importer, paths):
        return (importer,)
    folder = importer
    while folder:
        folder = folder.rpartition("/")[0]
        found = [path for path in (f"{folder}/{root}".lstrip("/") for root in _ROOTS) if paths.exists(path)]
        if found:
            return found
    return None


def _is_target(file: str, paths: Paths) -> bool:
    """Return whether a file is a crate of its own: among sources it is a module, unless a package begins there."""
    found = _TARGET.fullmatch(file)
    if found is None:
        return False
    package = found["package"]
    return "src" not in package.split("/") or paths.exists(f"{package}Cargo.toml")


def _submodule_folder(file: str, paths: Paths) -> str:
    """Return the folder of the modules inside the module of ``file``."""
    folder, _, name = file.rpartition("/")
    if name in (*_ROOTS, "mod.rs") or _is_target(file, paths):
        return folder
    return file.removesuffix(".rs")


def _descend(files: Sequence[str], steps: Sequence[str], paths: Paths) -> Sequence[str]:
    """Return the file of the module at the end of ``steps`` from the module of ``files``."""
    if not steps:
        return files
    at = next((number for number, step in enumerate(steps) if step.startswith(_FILE)), -1)
    if at >= 0:
        candidates = (_resolve_attribute_path(file, steps[:at], steps[at], paths) for file in files)
        return _descend([path for path in candidates if paths.exists(path)], steps[at + 1 :], paths)
    for file in files:
        stem = "/".join(filter(None, (_submodule_folder(file, paths), *steps)))
        for path in (f"{stem}.rs", f"{stem}/mod.rs"):
            if paths.exists(path):
                return (path,)
    return ()


def _resolve_attribute_path(file: str, around: Sequence[str], step: str, paths: Paths) -> str:
    """Return the path that an attribute in the modules ``around`` of a file names."""
    folder = "/".join((_submodule_folder(file, paths), *around)) if around else posixpath.dirname(file)
    return posixpath.normpath(posixpath.join(folder.lstrip("/"), step.removeprefix(_FILE).replace(_DOT, ".")))


def _find_parent(file: str, paths: Paths) -> Sequence[str]:
    """Return the files of the module around that of ``file``."""
    folder, _, name = file.rpartition("/")
    if name in _ROOTS or _is_target(file, paths):
        return ()
    if name == "mod.rs":
        folder = folder.rpartition("/")[0]
    return _existing_files(folder, (*_ROOTS, "mod.rs"), paths) or _existing_files("", (f"{folder}.rs",), paths)


def _existing_files(folder: str, names: Sequence[str], paths: Paths) -> Sequence[str]:
    return [path for path in (f"{folder}/{name}".lstrip("/") for name in names) if paths.exists(path)]


def name_module(path: str) -> str:
    """Return the module of a path: without the folder of the sources and without what stands for a folder."""
    steps = [step for step in path.removesuffix(".rs").split("/") if step != "src"]
    if steps[-1:] in (["lib"], ["main"], ["mod"]):
        steps.pop()
    return ".".join(steps)


def list_member_files(path: str, paths: Paths) -> Sequence[str]:
    """Return the files in which members of the types of a file mostly are: those of the modules around it."""
    folder = path.rpartition("/")[0]
    folders = dict.fromkeys((folder, _submodule_folder(path, paths), folder.rpartition("/")[0]))
    return [file for one in folders for file in paths.inside(one) if file.endswith(".rs") and file != path and one]
