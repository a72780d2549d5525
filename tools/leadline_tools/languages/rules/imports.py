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
        arity: How many type arguments the name is given (``using A = B<int>;`` of C#).

    """

    module: str
    name: str
    alias: str
    exports: bool = False
    space: str = ""
    arity: int = 0


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

AROUND = "around"
"""The namespace of such a package in which a file declares nothing: the one that it is part of is inside of it."""


class Paths(Protocol):
    """The paths of the code base, as module resolution sees them."""

    def exists(self, path: str) -> bool:
        """Return whether there is a file at ``path``."""
        ...

    def ending(self, suffix: str) -> Sequence[str]:
        """Return the files whose path is ``suffix`` or ends in ``/suffix``, shortest first."""
        ...

    def inside(self, folder: str) -> Sequence[str]:
        """Return the files directly in the folder whose path is ``folder`` or ends in ``/folder``."""
        ...

    def below(self, folder: str) -> Sequence[str]:
        """Return the files in the folder whose path is ``folder`` and in the folders in it."""
        ...

    def folders_with(self, folder: str, endings: tuple[str, ...]) -> Sequence[str]:
        """Return the folders whose path is ``folder`` or ends in ``/folder``, shortest first.

        They have a file in them or below whose name has one of the endings.
        """
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
        statements: The node types that can import, each with a function that yields what a node imports.
        including: The node types of ``statements`` whose text tells the same, see ``Lexis.includes``.
        hidden_imports: Returns what the bodies of a source import, where the walk for the index does not go.
        exports: Returns what a file exports as a whole besides its own names, from the root: the table that a Lua file
            returns.
        ambient: What every file, and every module inside it, has imported without a statement: the ``crate`` of Rust.
        inside: Returns an import in a module inside a file as the file around would write it. Takes the dotted name of
            the module: for Rust, ``super`` of a module is the file.
        shared_exports: The names under which any file may export something: ``default``.
        whole_exports: Names of exports whose members can be imported from the module.
        is_script: Decides from the imports and exports of a file whether it is no module, so that its top is declared
            for all files. None where all files are modules.
        has_package_clauses: True where a file names its package, which it exports as PACKAGE. Files of one folder may
            then be in several packages, and an import without an alias binds the name of the package.
        shares_packages: True where files of a package may be of a language that has ``packages``.
        packages: Returns the packages that a module may mean in a file, likeliest first, from its name and the packages
            of the file. For languages whose packages are made of the files that name them, wherever these are.
        package_first: True where what other files of the package declare takes precedence over imports by ``*`` (Java).
        explicit_first: True where a function that is imported by its name goes before a type of the own package.
        names_modules: True where the name of an imported module may stand before what it declares, unless something
            else is called so.
        opens_for_program: A word of each file that opens a namespace at its top for the whole program (``include`` of
            Ruby): its import has the name ``*``, that namespace, and no module.
        may_be_opened: Returns whether a name may mean what is in such a namespace.
        passes_on: True where ``*`` also imports what the other file imports by ``*`` (``#include``).
        wildcards_hide: True where an import by ``*`` in an inner scope takes precedence over other files of the
            package.
        last_wildcard_counts: True where of two imports by ``*`` that have a name the last one gives it (Python).
        keeps_imports: True where an import is visible in its own file alone, unless it exports.
        packages_are_relative: True where an import may begin with a name that is seen without one: that of a package
            in those around, or of an object (Scala).
        imports_members: True where a class can stand in the place of a module: ``import static a.Class.member``.
        imports_from_scope: True where the first name of an import may be any name that is visible there.
        path_sign: What follows a name in an import that is a module on the path of what is imported.
        module_part: Returns the module up to a name in an import, as written; empty for what is imported from a module.
            None where imports do not tell modules from names.
        owner_in_import: Returns the term of which a name in an import is a member; empty where that is not to be told.
        locate: Returns the files of a module, best first, from the module as written, the path of the importing file,
            and the paths. Nothing for a module from outside, ``None`` where the paths cannot tell.
        namespace: Returns the folder of a module without a file of its own, from what ``locate`` takes; empty where
            there is none.
        module_line: Returns the line from which a module is shown, from the content of its file.
        code_line: Returns the line on which code begins, from the content of a file.
        siblings: Returns the other files whose top-level names are visible without an import, from a path.
        facade: Returns the class in which code of another language finds what a file declares outside of types, from
            the path and the content of the file. None where there is none.
        alternatives: True where several imports of one name in a scope are alternatives, of which one is compiled.
        names_types_alone: True where each name in an import is that of a namespace or a type, never of a member (C#).
        conditional_imports: True where each of several imports of one name in a scope may have its own condition. All
            are meant, from the last one without a condition on.
        twin: Returns the file that declares the same types as a file: the stub of a module, the module of a stub. Empty
            where there can be none.
        all_names: The variable of a module that lists what ``*`` imports. Without it ``*`` imports the names that do
            not begin with an underscore. The names in it are uses with the role Other; one called WILDCARD says that
            there may be more.

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
    has_package_clauses: bool = False
    shares_packages: bool = False
    packages: Callable[[str, Sequence[str]], Sequence[str]] | None = None
    package_first: bool = False
    explicit_first: bool = False
    names_modules: bool = False
    passes_on: bool = False
    opens_for_program: str = ""
    may_be_opened: Callable[[str], bool] = lambda _name: False
    wildcards_hide: bool = False
    last_wildcard_counts: bool = False
    keeps_imports: bool = False
    packages_are_relative: bool = False
    imports_members: bool = False
    imports_from_scope: bool = False
    path_sign: bytes = b""
    module_part: Callable[[Node], str] | None = None
    owner_in_import: Callable[[Node], str] | None = None
    locate: Callable[[str, str, Paths], Sequence[str] | None] = lambda _module, _importer, _paths: ()
    namespace: Callable[[str, str, Paths], str] = lambda _module, _importer, _paths: ""
    module_line: Callable[[bytes], int] = lambda _content: 1
    code_line: Callable[[bytes], int] = lambda _content: 1
    siblings: Callable[[str, Paths], Sequence[str]] = lambda _path, _paths: ()
    facade: Callable[[str, bytes], str] | None = None
    alternatives: bool = False
    names_types_alone: bool = False
    conditional_imports: bool = False
    twin: Callable[[str], str] = lambda _path: ""
    all_names: str = ""
