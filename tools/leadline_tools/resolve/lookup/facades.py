"""Facades: the classes in which code of another language finds what a file declares outside of types.

https://kotlinlang.org/docs/java-to-kotlin-interop.html#package-level-functions
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages import LANGUAGES, semantics_of
from leadline_tools.languages.language import Semantics
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Module

_EXTENSIONS = tuple(
    extension
    for language in LANGUAGES.values()
    if language.semantics is not None and language.semantics.imports.facade is not None
    for extension in language.files.extensions
)
"""The extensions of files that may have a facade: packages have thousands of files that have none."""


def find_facade(resolver: NameResolver, semantics: Semantics, files: Sequence[str], name: str) -> Module | None:
    """Return those of some files of a package whose facade has a name, for a file of another language."""
    if not semantics.imports.shares_packages:
        return None
    candidates = [one for one in files if one.endswith(_EXTENSIONS)]
    if not candidates:
        return None
    stem, spelling = name.lower(), resolver.project.spelling(name)
    near = (
        one
        for one in candidates
        if one in spelling or stem.startswith(one.rpartition("/")[2].partition(".")[0].lower())
    )
    found = tuple(one for one in near if _facade(resolver, one) == name)
    return Module(found) if found else None


def _facade(resolver: NameResolver, path: str) -> str:
    semantics = semantics_of(path)
    named = semantics.imports.facade if semantics is not None else None
    return named(path, resolver.project.text(path)) if named is not None else ""
