"""What parts of the resolution ask of the resolver of names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from leadline_tools.languages.facts import Facts, Use
from leadline_tools.languages.language import Scoping
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.model import Role
from leadline_tools.resolve.project.code_base import CodeBase
from leadline_tools.resolve.project.resolution import Module, Resolution, SymbolRef


class NameResolver(Protocol):
    """Resolves the names of a code base."""

    @property
    def project(self) -> CodeBase:
        """Return the code base."""
        ...

    def facts(self, path: str) -> tuple[Facts | None, Scoping | None]:
        """Return the facts of a file and the rules of its language, None where there are none."""
        ...

    def resolve(self, path: str, name: str, use: Use) -> Sequence[Resolution]:
        """Return what a use of a name may mean; nothing where it is not known."""
        ...

    def lookup(self, path: str, name: str, scope: int, role: Role = Role.Read) -> Resolution | None:
        """Return what a bare name means in a scope of a file."""
        ...

    def follow(self, path: str, imported: Imported) -> Resolution | None:
        """Return what an import of a file names."""
        ...

    def exported(self, module: Module, name: str) -> Resolution | None:
        """Return what a module calls ``name``: something that it exports, or a module in it."""
        ...

    def in_namespace(self, path: str, space: str, name: str, scope: int) -> Resolution | None:
        """Return what a name means in a namespace, as it is called in a scope of a file."""
        ...

    def located(self, module: str, path: str) -> Sequence[str]:
        """Return the files of a module as a file names it; none where it is from outside or not known."""
        ...

    def member_of(self, owner: Resolution | None, name: str, *, called: bool = False) -> Resolution | None:
        """Return the member of something that is called ``name``, where it is known."""
        ...

    def passed_on(self, module: SymbolRef, name: str) -> Resolution | None:
        """Return what a module inside a file has from elsewhere."""
        ...

    def packaged_with(self, path: str, files: Sequence[str]) -> Sequence[str]:
        """Return those of some files beside a file that are part of the same package, as far as they say so."""
        ...

    def beside(self, path: str) -> Sequence[str]:
        """Return the files that a file sees without import."""
        ...

    def included_of(self, path: str, name: str) -> Iterator[str]:
        """Yield the files that may define ``name`` among those that a file includes, nearest first."""
        ...

    def is_script(self, path: str) -> bool:
        """Tell whether what a file declares at its top is seen by all files."""
        ...

    def is_external_type(self, path: str, name: str, scope: int) -> bool:
        """Tell whether a name that resolves to nothing can mean no type of the code base in a scope of a file."""
        ...
