"""Imports and exports, and where modules are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from tree_sitter import Node

T = TypeVar("T")


class Imported(NamedTuple):
    """One name that an import statement binds.

    Args:
        module: The module as it is written, leading dots of a relative import included.
        name: The name taken from the module; empty: the module itself; ``*``: everything that it exports.
        alias: The name that is bound here; empty for ``*``.
        exports: True where the statement makes the name an export of this module without binding it inside
            (``export { a as b } from``).
        space: The namespace that holds the name, or that is opened by ``*``, where files do not tell namespaces.

    """

    module: str
    name: str
    alias: str
    exports: bool = False
    space: str = ""


Imports = Callable[[Node], Iterable[Imported]]
"""From a node to what it imports or exports."""


MACROS = "macros"
"""The namespace of an import of all macros of a module, and of nothing else in it."""


MEMBERS = "members"
"""The namespace of an import that a type has of a member of another: the module is the term of that type."""


WILDCARD = "*"
"""The name that an import takes which takes all that a module exports."""


PACKAGE = "package"
"""The name under which a file exports the package that it is part of: a keyword, so that nothing else is called so."""


class Paths(Protocol):
    """The paths of the code base, as module resolution sees them."""

    def exists(self, path: str) -> bool:
        """Tell whether there is a file at ``path``."""
        ...

    def ending(self, suffix: str) -> Sequence[str]:
        """Return the files whose path is ``suffix`` or ends in ``/suffix``, shortest first."""
        ...

    def inside(self, folder: str) -> Sequence[str]:
        """Return the files directly in the folder whose path is ``folder`` or ends in ``/folder``."""
        ...

    def manifests(
        self, name: str, read: Callable[[bytes], tuple[str, T] | None]
    ) -> Mapping[str, Sequence[tuple[str, T]]]:
        """Return what files called ``name`` say of packages, by the names of those: the path of each, and the rest.

        ``read`` gives the name of a package and what else is said of it, from the content of a file; None for none.
        """
        ...

    def manifest(self, path: str, read: Callable[[bytes], T | None]) -> T | None:
        """Return what ``read`` makes of the file at ``path``; None where it cannot be read or is no manifest."""
        ...


@dataclass(frozen=True, slots=True)
class ImportRules:
    """What imports and exports, and where modules and packages lie.

    Args:
        statements: For each node type that can import: what it binds; nothing where this one does not import.
        including: Those of them of which the text tells the same (see ``Lexis.includes``).
        hidden_imports: From a source to what is imported in the bodies of it, which ``outline`` may not come upon.
        exports: What the file as a whole exports besides its own names, from the root: the table a Lua file returns.
        ambient: What every file, and every module inside it, has imported without saying so: the ``crate`` of Rust.
        inside: From an import in a module inside a file, and the dotted name of that module, to the import as the file
            around would write it: there the ``super`` of Rust is the file.
        shared_exports: The names under which any file may export something: ``default``.
        whole_exports: Names under which a module exports something whose members can be imported from the module.
        is_script: Tells from what a file imports and exports whether it is no module: what it declares at its top is
            declared for all files. None where all files are modules.
        packaged: True where a file says which package it is part of, which it exports as PACKAGE: others of its folder
            may be part of another one, and an import without a name of its own binds that of the package.
        shares_packages: True where files of a package may be of a language that has such ``packages``.
        packages: Where the files of a package are those that say so (see PACKAGE), wherever they lie: the packages that
            a module may mean in a file, likeliest first, from how it is written and the packages that the file is in.
        package_first: True where what other files of the package declare goes before what is imported by ``*`` (Java).
        passes_on: True where ``*`` takes what the other file has by ``*`` as well (``#include``).
        wildcards_hide: True where what ``*`` takes in an inner scope goes before what other files of a package declare.
        keeps_imports: True where what a file imports is for that file alone, unless the import exports it.
        imports_members: True where a class can stand in the place of a module: ``import static a.Class.member``.
        imports_from_scope: True where what an import names first may be any name that is seen there.
        module_part: From a name in an import to the module that it is the last part of, as it is written up to there;
            empty for what the import takes from a module. None where imports tell no modules from names.
        locate: The files of a module: (module as written, path of the importing file, paths) -> paths, best first; none
            for a module from outside, ``None`` where the paths cannot tell.
        module_line: The line of a file that its module is shown from, by its content.
        code_line: The line of a file on which its code begins, by its content.
        siblings: The other files whose top-level names are visible without import, from a path.
        alternatives: True where one scope imports a name several times only if one of the imports is compiled.
        twin: From the path of a file to that of the one that says the same of its types: the stub of a module, the
            module of a stub. Empty where there can be none.
        all_names: The variable of a module that lists what ``*`` imports of it; without one it is what begins with no
            underscore. Its names are uses with the role Other; one of WILDCARD says that there may be more.
        conditional_imports: True where several imports in a scope may bind one name, each under its condition: all are
            meant but those before one that is under none.

    """

    statements: Mapping[str, Imports] = field(default_factory=dict[str, Imports])
    including: frozenset[str] = frozenset()
    hidden_imports: Callable[[bytes], Iterable[Imported]] | None = None
    exports: Callable[[Node], Iterable[Imported]] = lambda _root: ()
    ambient: tuple[Imported, ...] = ()
    inside: Callable[[Imported, str], Imported] = lambda imported, _module: imported
    shared_exports: frozenset[str] = frozenset()
    whole_exports: tuple[str, ...] = ()
    is_script: Callable[[Sequence[Imported]], bool] | None = None
    packaged: bool = False
    shares_packages: bool = False
    packages: Callable[[str, Sequence[str]], Sequence[str]] | None = None
    package_first: bool = False
    passes_on: bool = False
    wildcards_hide: bool = False
    keeps_imports: bool = False
    imports_members: bool = False
    imports_from_scope: bool = False
    module_part: Callable[[Node], str] | None = None
    locate: Callable[[str, str, Paths], Sequence[str] | None] = lambda _module, _importer, _paths: ()
    module_line: Callable[[bytes], int] = lambda _content: 1
    code_line: Callable[[bytes], int] = lambda _content: 1
    siblings: Callable[[str, Paths], Sequence[str]] = lambda _path, _paths: ()
    alternatives: bool = False
    twin: Callable[[str], str] = lambda _path: ""
    all_names: str = ""
    conditional_imports: bool = False
