"""The steps of name resolution, as they see each other: each is a part of the resolver, and most lead to another.

A bare name is looked up in *scopes*, which have *bindings*. A binding stands for a symbol or for an *import*, which is
followed to what a module *exports*: a binding again, or what another import of all names (a *wildcard*) has. Includes
are such imports, too. What no import leads to may be declared *globally*.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from leadline_tools.languages.facts import Binding, Facts, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.model import Role
from leadline_tools.resolve.project.code_base import FactSource
from leadline_tools.resolve.project.resolution import Module, Resolution, SymbolRef


class Sorts(Protocol):
    """Knows what sort of thing a symbol is."""

    def of(self, symbol: SymbolRef) -> AbstractSet[str]:
        """Return the sorts of what a symbol is bound to."""
        ...

    def is_namespace(self, symbol: SymbolRef) -> bool:
        """Return whether a symbol is a namespace."""
        ...

    def is_no_type(self, resolution: Resolution, semantics: Semantics, role: Role) -> bool:
        """Return whether something cannot be what the name of a type means, where other names hide none."""
        ...

    def is_value_alone(self, resolution: Resolution | None, semantics: Semantics, role: Role) -> bool:
        """Return whether something is a value and no type, where a name in the place of a type means no value."""
        ...

    def cannot_be_called(self, resolution: Resolution | None, semantics: Semantics, role: Role) -> bool:
        """Return whether something is a type, and none that is called."""
        ...


class Modules(Protocol):
    """Finds the files of modules and packages."""

    def locate(self, semantics: Semantics, module: str, importer: str) -> Sequence[str] | None:
        """Return the files of a module as a file names it; None where paths alone do not tell them."""
        ...

    def vantage(self, path: str) -> str:
        """Return what is equal for files of a language of which each finds the same files in a package."""
        ...

    def find(self, semantics: Semantics, module: str, importer: str) -> Module | None:
        """Return a module as a file names it, which may be a folder alone; None where the paths do not tell one."""
        ...

    def files_of(self, module: str, path: str) -> Sequence[str]:
        """Return the same; none where it is from outside or not known."""
        ...

    def siblings(self, path: str, semantics: Semantics, space: str) -> Sequence[str]:
        """Return the files whose names of a namespace a file sees without import."""
        ...

    def siblings_of(self, path: str) -> Sequence[str]:
        """Return the files that a file sees without import."""
        ...

    def siblings_naming(self, path: str, semantics: Semantics, name: str, space: str) -> Sequence[str]:
        """Return those of them that may tell what a name means."""
        ...

    def candidates(self, name: str, files: Sequence[str]) -> Sequence[str]:
        """Return those of the files of a module that may tell what a name means."""
        ...

    def package_of(self, path: str) -> str:
        """Return the package that a file says it is part of; empty where it says none."""
        ...

    def packages_of(self, path: str) -> Sequence[str]:
        """Return the packages that a file says it is part of, the innermost first."""
        ...

    def packaged_with(self, path: str, files: Sequence[str]) -> Sequence[str]:
        """Return those of some files beside a file that are part of the same package, as far as they say so."""
        ...

    def submodule(self, owner: Module, name: str) -> Resolution | None:
        """Return the module in a module that is called ``name``."""
        ...


class Includes(Protocol):
    """Finds what files include, themselves or through others."""

    def leads_to(self, path: str, wanted: str) -> bool:
        """Return whether a file includes another, itself or through others."""
        ...

    def direct(self, path: str) -> Sequence[str]:
        """Return what a file itself includes."""
        ...

    def of(self, path: str) -> Sequence[str] | None:
        """Return a file and all that it includes; None for too many."""
        ...

    def among(self, path: str, wanted: AbstractSet[str]) -> Iterator[str]:
        """Yield those of some files that a file includes, nearest first."""
        ...

    def defining(self, path: str, name: str) -> Iterator[str]:
        """Yield the included files that may define ``name``, nearest first."""
        ...


class Scopes(Protocol):
    """Looks bare names up in scopes."""

    def lookup(self, path: str, name: str, scope: int, role: Role = Role.Read) -> Resolution | None:
        """Return what a bare name means in a scope of a file."""
        ...

    def lookup_in_namespace(self, path: str, space: str, name: str, scope: int) -> Resolution | None:
        """Return what a name means in a namespace, as it is called in a scope of a file."""
        ...

    def lookup_top(
        self, path: str, facts: Facts, semantics: Semantics, name: str, spaces: Sequence[str], depth: int
    ) -> Resolution | None:
        """Return what a bare name means at the top of a file, namespace by namespace."""
        ...

    def is_seen_bare(self, member: SymbolRef, semantics: Semantics, role: Role) -> bool:
        """Return whether a bare name can mean a member."""
        ...


class Bindings(Protocol):
    """Resolves bindings."""

    def resolve(self, path: str, facts: Facts, semantics: Semantics, binding: Binding, depth: int) -> Resolution | None:
        """Return what a binding stands for."""
        ...

    def resolve_any(
        self, path: str, facts: Facts, semantics: Semantics, bindings: Sequence[Binding], depth: int
    ) -> Resolution | None:
        """Return what some bindings of one name stand for."""
        ...

    def is_external_using(self, path: str, semantics: Semantics, imported: Imported) -> bool:
        """Return whether a using declaration takes a name from a namespace that comes from outside."""
        ...


class Imports(Protocol):
    """Follows imports."""

    def follow(self, path: str, imported: Imported) -> Resolution | None:
        """Return what an import of the file ``path`` binds."""
        ...

    def resolve(self, path: str, imported: Imported, semantics: Semantics, depth: int) -> Resolution | None:
        """Return the same, some steps down a chain of imports."""
        ...

    def resolve_holder(
        self, path: str, module: str, semantics: Semantics, depth: int, arity: int = 0
    ) -> Resolution | None:
        """Return what the module of an import means where it is no file."""
        ...


class Wildcards(Protocol):
    """Looks names up in what is imported as a whole."""

    def lookup(
        self,
        path: str,
        imports: Sequence[Imported],
        semantics: Semantics,
        name: str,
        depth: int,
        space: str = "",
        role: Role = Role.Read,
    ) -> Resolution | None:
        """Return what a name means in the first of some imports that has it."""
        ...

    def lookup_passed_on(self, module: SymbolRef, name: str) -> Resolution | None:
        """Return what a module inside a file has under a name from elsewhere, and others can have from it."""
        ...

    def may_hide(self, path: str, facts: Facts, semantics: Semantics, passed: AbstractSet[int]) -> bool:
        """Return whether an inner scope imports all of a package from outside, which may have any name."""
        ...


class Inclusions(Protocol):
    """Looks names up in included files."""

    def lookup(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        """Return what an included file calls ``name``."""
        ...

    def lookup_in_includers(self, path: str, name: str, spaces: Sequence[str], depth: int) -> SymbolRef | None:
        """Return what a name means in the files that include a file."""
        ...

    def with_overloads(self, path: str, own: SymbolRef, space: str, depth: int) -> SymbolRef:
        """Return what a file declares, with what it includes under the same name beside it."""
        ...


class ModuleExports(Protocol):
    """Looks names up in modules, as seen from outside."""

    def lookup(self, module: Module, name: str) -> Resolution | None:
        """Return what a module calls ``name``."""
        ...

    def lookup_in(self, files: Sequence[str], name: str, depth: int, space: str = "") -> Resolution | None:
        """Return what the first of some files that has it calls ``name`` in a namespace."""
        ...

    def lookup_in_module(self, files: Sequence[str], name: str, depth: int, space: str = "") -> Resolution | None:
        """Return what the files of a module call ``name``; only those that may have it are looked into."""
        ...

    def lookup_at(self, path: str, name: str, space: str, depth: int) -> Resolution | None:
        """Return what a file calls ``name`` in a namespace."""
        ...


class Globals(Protocol):
    """Looks names up in the files that define them, wherever these lie."""

    def is_script(self, path: str) -> bool:
        """Return whether a file is no module, so that what it declares at its top is declared for all files."""
        ...

    def files_declaring(self, path: str, name: str, space: str = "") -> Sequence[str]:
        """Return the files of the language of a file that may declare a name of a namespace, wherever they lie."""
        ...

    def lookup_autoloaded(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        """Return what one file alone defines under a name in a namespace."""
        ...

    def is_in_no_such_space(self, path: str, name: str, space: str) -> bool:
        """Return whether no file of a language declares a name in a namespace, or in one inside or around it."""
        ...

    def is_declared_nowhere(self, path: str, name: str, space: str) -> bool:
        """Return whether no file declares a name of a namespace, nor gives what is declared another name as it runs."""
        ...

    def may_be_given(self, path: str, semantics: Semantics, name: str) -> bool:
        """Return whether code may give a type a name as it runs; any name, where it is empty."""
        ...

    def lookup_in_scripts(self, path: str, facts: Facts, semantics: Semantics, name: str) -> Resolution | None:
        """Return what a file that is no module declares at its top."""
        ...

    def lookup_completion(self, path: str, name: str, spaces: Sequence[str], depth: int) -> SymbolRef | None:
        """Return the type that a file speaks of and does not include."""
        ...


class ExternalNameRules(Protocol):
    """Decides which names can only come from outside of the code base."""

    def is_external_type(self, path: str, name: str, scope: int) -> bool:
        """Return whether a name that resolves to nothing can mean no type of the code base in a scope of a file."""
        ...


class Components(Protocol):
    """Knows the namespaces of files that do not say theirs."""

    def around(self, path: str) -> Sequence[str]:
        """Return the namespaces around the class that a file is, innermost first; none of any other file."""
        ...

    def name_in(self, path: str, name: str, of: str) -> str:
        """Return how a file has what another one has under a dotted name; empty where it has nothing of that."""
        ...

    def is_part_of_namespace(self, name: str) -> bool:
        """Return whether such a namespace has a part with a name."""
        ...

    def space_in(self, path: str, space: str) -> str | None:
        """Return how a file has a namespace; None where it declares nothing in that."""
        ...


class NameResolver(FactSource, Protocol):
    """The resolver, as its parts see it."""

    @property
    def sorts(self) -> Sorts:
        """Return what knows the sorts of symbols."""
        ...

    @property
    def modules(self) -> Modules:
        """Return what finds the files of modules."""
        ...

    @property
    def includes(self) -> Includes:
        """Return what finds included files."""
        ...

    @property
    def scopes(self) -> Scopes:
        """Return what looks bare names up."""
        ...

    @property
    def bindings(self) -> Bindings:
        """Return what resolves bindings."""
        ...

    @property
    def imports(self) -> Imports:
        """Return what follows imports."""
        ...

    @property
    def wildcards(self) -> Wildcards:
        """Return what looks names up in imports of all names."""
        ...

    @property
    def included_names(self) -> Inclusions:
        """Return what looks names up in included files."""
        ...

    @property
    def exports(self) -> ModuleExports:
        """Return what looks names up in modules."""
        ...

    @property
    def globals(self) -> Globals:
        """Return what looks names up wherever they are defined."""
        ...

    @property
    def components(self) -> Components:
        """Return what knows the namespaces of files that do not say theirs."""
        ...

    @property
    def external_names(self) -> ExternalNameRules:
        """Return what decides which names come from outside."""
        ...

    def resolve(self, path: str, name: str, use: Use) -> Sequence[Resolution]:
        """Return what an occurrence of a name may mean; nothing where it is not known."""
        ...

    def member_of(
        self, owner: Resolution | None, name: str, *, called: bool = False, of_object: bool = False
    ) -> Resolution | None:
        """Return the member of something that is called ``name``, where it is known."""
        ...
