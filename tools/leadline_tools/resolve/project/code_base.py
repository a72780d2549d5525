"""A *code base*, as resolution sees it: paths, texts, the facts of files, and where names occur."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from leadline_tools.languages.facts import Facts, Heritage
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.model import ALL_KINDS, SymbolKind
from leadline_tools.resolve.project.resolution import SymbolRef


class PastingMacros(Protocol):
    """Macros that put names together."""

    def with_parameters(self, path: str) -> frozenset[str]:
        """Return the names of the macros with parameters that a file defines."""
        ...

    def pasted_names(self, path: str) -> Collection[str]:
        """Return patterns of the names that macros of a file put together; an empty one for any name."""
        ...

    def all_pasted_names(self) -> frozenset[str] | None:
        """Return patterns of the names that macros of any file put together; None where there are too many files."""
        ...


class FileIncludes(Protocol):
    """What files take in as a whole, as their text says."""

    def of(self, path: str) -> Sequence[str] | None:
        """Return the files that a file takes in as a whole; None where only its facts tell."""
        ...

    def has_taker(self, path: str) -> bool:
        """Return whether another file takes in a file."""
        ...

    def takers(self, path: str, most: int) -> AbstractSet[str] | None:
        """Return the files that take in a file, themselves or through others, with itself; None for more than most."""
        ...

    def misses(self, path: str) -> bool:
        """Return whether a file takes in one in quotes that is not in the code base."""
        ...

    def promised(self, path: str, name: str) -> bool:
        """Return whether a file says of a name that it is a type, which another file has to define."""
        ...


class InheritedTypes(Protocol):
    """Types from which others inherit, as far as names tell."""

    def may_be_inherited(self, of: SymbolRef) -> bool:
        """Return whether a type of the code base may inherit from a type."""
        ...

    def heirs(self, types: Iterable[str]) -> frozenset[str] | None:
        """Return the last names of some types and of all that may inherit from them; None where those are too many."""
        ...

    def may_mean(self, path: str, heritage: Heritage, term: str, names: frozenset[str]) -> bool:
        """Return whether a base of a type may be one that has any of some names."""
        ...


class CodeBase(Protocol):
    """A code base, as the resolver and its parts see it."""

    @property
    def paths(self) -> Paths:
        """Return the paths of the code base."""
        ...

    def text(self, path: str) -> bytes:
        """Return the content of a file; nothing where it cannot be read."""
        ...

    def lines(self, path: str) -> Sequence[str]:
        """Return the lines of a file; one without content where it cannot be read."""
        ...

    @property
    def macros(self) -> PastingMacros:
        """Return the macros of the files."""
        ...

    @property
    def includes(self) -> FileIncludes:
        """Return what files include."""
        ...

    @property
    def subtype_names(self) -> InheritedTypes:
        """Return the types from which others inherit."""
        ...

    def has_folder(self, name: str) -> bool:
        """Return whether a folder of the code base has a name."""
        ...

    def has_language(self, names: frozenset[str]) -> bool:
        """Return whether a file of the code base is of a language with one of some names."""
        ...

    def facts(self, path: str) -> Facts | None:
        """Return the facts of a file, None where there are none."""
        ...

    def files_with_name(self, name: str, paths: Sequence[str]) -> Sequence[str]:
        """Return those of ``paths`` in whose text ``name`` occurs; all of them where that is not known."""
        ...

    def spelling(self, name: str) -> Collection[str]:
        """Return the files in whose text ``name`` may occur."""
        ...

    def defining(self, name: str, path: str) -> AbstractSet[str]:
        """Return the files that may define ``name``, or pass it on to ``path`` if that includes them."""
        ...

    def declaring(self, name: str, accepts: Callable[[str], object]) -> Sequence[tuple[str, str]]:
        """Return the files that define ``name`` as a member, with how its type is spelled, where that is accepted."""
        ...

    def may_declare(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> bool:
        """Return whether a file may have a symbol with a dotted name, of some kinds; True where that is not known."""
        ...

    def paths_named(self, path: str, name: str) -> Sequence[str] | None:
        """Return the dotted names that end in a name of what a file declares; None where that is not known."""
        ...

    def owners_of(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> Sequence[str] | None:
        """Return the dotted names of what a file declares something of some kinds in that has a name; None: unknown."""
        ...

    def imports(self, path: str) -> Sequence[Imported]:
        """Return what a file imports and exports: its index costs less than its facts."""
        ...

    def may_hold_part(self, path: str, name: str) -> bool:
        """Return whether a file may declare members or bases of a type with a dotted name; True where it is unknown."""
        ...

    def heads(self, path: str, name: str, line: int = 0) -> Sequence[str]:
        """Return how a file declares a dotted name, up to the body of each declaration; on one 1-based line, 0 any."""
        ...


class FactSource(Protocol):
    """The facts of the files of a code base, with the rules of their languages."""

    @property
    def project(self) -> CodeBase:
        """Return the code base."""
        ...

    def facts(self, path: str) -> tuple[Facts | None, Semantics | None]:
        """Return the facts of a file and the rules of its language, None where there are none."""
        ...
