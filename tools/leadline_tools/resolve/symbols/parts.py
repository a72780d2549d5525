"""One symbol in several files.

A type may be declared in parts, as C# allows: each part says ``partial``. In Ruby any file may open a class again, and
in C++ and C# a namespace. A class may declare a member that another file defines, and a template may be specialized
there, as in C++. And files for different targets may declare one symbol, as in Kotlin.
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of, share_rules
from leadline_tools.languages.outline import CLASS_LIKE, Definition, without_numbers
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import asking
from leadline_tools.resolve.scopes.component_namespaces import is_component
from leadline_tools.resolve.symbols.defined_symbol import (
    DefinedSymbol,
    SymbolMatches,
    load_symbols,
)

_MOST_LINKED = 8
"""Symbols whose definitions are looked for in other files."""


def parts(index: Index, target: DefinedSymbol) -> list[DefinedSymbol]:
    """Return the other files' parts of a type or a namespace; none of what does not say that it has any.

    The stub of a module has a part of each type in that.
    """
    twin = twin_of(index, target.path)
    if twin and target.first.kind in CLASS_LIKE:
        return load_symbols(index, [(twin, target.name)])
    if target.first.kind in CLASS_LIKE and (targets := _for_other_targets(index, target)):
        return load_symbols(index, targets)
    if special := _specializations(index, target):
        return load_symbols(index, special)
    if not (_is_open_namespace(target) or is_partial(index, target)):
        return []
    found = load_symbols(index, _places(index, target))
    if _is_open_namespace(target):
        return [part for part in found if _is_open_namespace(part)]
    return [part for part in found if is_partial(index, part)]


def twin_of(index: Index, path: str) -> str:
    """Return the stub of a module, the module of a stub; empty where there is none."""
    semantics = semantics_of(path)
    twin = semantics.imports.twin(path) if semantics is not None else ""
    return twin if twin and index.paths.exists(twin) else ""


def _places(index: Index, target: DefinedSymbol) -> Sequence[tuple[str, str]]:
    """Return the other files that may declare a part of a type, each with how it calls that."""
    index, paths = index.of(target.path), _paths(index, target)
    named = [(path, target.name) for path in paths]
    if any(is_component(path) for path in (target.path, *paths)):
        with asking(index, ahead=False) as question:
            name_in = question.resolver.components.name_in
            named = [(path, name_in(path, target.name, target.path)) for path in paths]
    return [(path, name) for path, name in named if name and index.symbols.may_define(path, name)]


def _paths(index: Index, target: DefinedSymbol) -> Sequence[str]:
    """Return the other files that define something with the name of a type."""
    index = index.of(target.path)
    defining = sorted(index.symbols.files_defining(target.first.name) - {target.path})
    if _is_open_namespace(target):  # a header that ends in ``.h`` has the same ones
        return same_language_group(defining, language_group(target.path))
    return [path for path in defining if share_rules(path, target.path)]


def _is_reopened(target: DefinedSymbol) -> bool:
    """Return whether a symbol is a type that any file may open again."""
    semantics = target.semantics
    return semantics is not None and semantics.visibility.has_open_types and target.first.kind in _OPEN


def _is_open_namespace(target: DefinedSymbol) -> bool:
    """Return whether a symbol is a namespace that any file may open again."""
    semantics = target.semantics
    return (
        semantics is not None and semantics.visibility.has_open_namespaces and target.first.kind is SymbolKind.Namespace
    )


_OPEN = CLASS_LIKE | {SymbolKind.Module}


def everywhere(index: Index, of: SymbolRef) -> tuple[SymbolRef, ...]:
    """Return a type as each of its parts declares it, ``of`` first: a use of it may mean any of them.

    A namespace has no parts here: what two files declare in it under one name are two things.
    """
    targets = [one for one in load_symbols(index, [(of.path, of.name)]) if not _is_open_namespace(one)]
    reopened = [place for target in targets if _is_reopened(target) for place in _places(index, target)]
    others = (part for target in targets if not _is_reopened(target) for part in parts(index, target))
    found = [(part.path, part.name) for part in others]
    return of, *(SymbolRef(path, name, of.reason) for path, name in (*reopened, *found))


def whole(index: Index, found: SymbolMatches) -> SymbolMatches:
    """Return the symbols that an address may mean; where all of them are one symbol, its longest declaration alone.

    That of a member is the one with its body.
    """
    named = {target.name for target in found if not is_component(target.path)}
    if len(found) < 2 or found.more or found.possible or len(named) > 1:
        return found
    longest = max(found, key=_lines)
    others = {part.path for part in parts(index.of(longest.path), longest)} or _declaring(index, longest)
    return SymbolMatches.of([longest]) if all(one is longest or one.path in others for one in found) else found


def with_parts(index: Index, found: SymbolMatches) -> SymbolMatches:
    """Return the symbols that an address means; of a type that says that it has parts all of them, the longest first.

    A type that any file may open again says nothing of the kind: its other openings are left out.
    """
    if len(found) != 1 or found.more or found.possible:
        return found
    (target,) = found
    others = parts(index.of(target.path), target) if _says_partial(index, target) else []
    return SymbolMatches.of(sorted([target, *others], key=_lines, reverse=True)) if others else found


def definitions_first(index: Index, found: SymbolMatches) -> SymbolMatches:
    """Return the symbols that an address may mean, before each that is only declared the definitions that it means."""
    if found.more or found.possible or len(found) > _MOST_LINKED:
        return found
    pairs = [(target, _linked_definitions(index, target)) for target in found]
    places = [place for _, linked in pairs for place in linked]
    known = {(target.path, target.name): target for target in found}
    missing = [place for place in dict.fromkeys(places) if place not in known]
    known.update(((target.path, target.name), target) for target in load_symbols(index, missing))
    first = [known[place] for place in dict.fromkeys(places) if place in known]
    return SymbolMatches.of([*first, *(target for target in found if target not in first)])


def bodies_first(target: DefinedSymbol, definitions: Sequence[Definition]) -> Sequence[Definition]:
    """Return definitions of a symbol in one file, those of a function that have a body first."""
    semantics = target.semantics
    if len(definitions) < 2 or semantics is None or not semantics.visibility.links_definitions or not target.callable:
        return definitions
    lines = target.source.lines()
    return sorted(definitions, key=lambda one: not lines[one.end_line - 1].rstrip().endswith("}"))


def _linked_definitions(index: Index, target: DefinedSymbol) -> Sequence[tuple[str, str]]:
    """Return the paths and dotted names of what defines a symbol: itself alone where it does."""
    semantics = target.semantics
    if semantics is None or not semantics.visibility.links_definitions:
        twin = twin_of(index, target.path)
        longest = max((target, *(load_symbols(index, [(twin, target.name)]) if twin else ())), key=_lines)
        return [(longest.path, longest.name), *_for_other_targets(index, target)]
    with asking(index.of(target.path), ahead=False) as question:
        overloaded = target.callable and len(target.definitions) > 1  # some of which another file may define
        if question.resolver.linkage.defines(target.path, target.name) and not overloaded:
            return [(target.path, target.name)]
        return [(one.path, one.name) for one in question.resolver.linkage.definitions(target.path, target.name)]


def _for_other_targets(index: Index, target: DefinedSymbol) -> Sequence[tuple[str, str]]:
    """Return the paths and dotted names under which files for other targets declare a symbol."""
    semantics = target.semantics
    if semantics is None or not semantics.visibility.targets.words:
        return []
    return sorted(_declared_as(index, target))


def _specializations(index: Index, target: DefinedSymbol) -> Sequence[tuple[str, str]]:
    """Return the other files' specializations of a template, or the others of one and the template itself."""
    semantics = target.semantics
    if semantics is None or target.first.kind not in CLASS_LIKE:
        return []
    visibility = semantics.visibility
    if not (visibility.links_definitions and visibility.has_open_namespaces) or not _paths(index, target):
        return []
    with asking(index.of(target.path), ahead=False) as question:
        found = question.resolver.linkage.specializations(target.path, target.name)
        return [(one.path, one.name) for one in found]


def _declaring(index: Index, target: DefinedSymbol) -> set[str]:
    """Return the other files that declare or define the same thing as a symbol."""
    return {path for path, _ in _declared_as(index, target)}


def _declared_as(index: Index, target: DefinedSymbol) -> set[tuple[str, str]]:
    """Return the other files that declare or define the same thing as a symbol, each with its dotted name there."""
    semantics = target.semantics
    if semantics is None or not (semantics.visibility.joins_declarations or twin_of(index, target.path)):
        return set()
    with asking(index.of(target.path), ahead=False) as question:
        return {(one.path, one.name) for one in question.resolver.declarations(target.path, target.name)}


def is_partial(index: Index, target: DefinedSymbol) -> bool:
    """Return whether a symbol says that it is declared in several places, as a type or a method, or may always be."""
    return _is_reopened(target) or _says_partial(index, target)


def _says_partial(index: Index, target: DefinedSymbol) -> bool:
    semantics = target.semantics
    if semantics is None or not semantics.visibility.has_partial_types:
        return False
    if target.first.kind not in CLASS_LIKE and not target.callable:
        return False
    if is_component(target.path) and "." not in without_numbers(target.name):
        return True
    source = index.try_read(target.path)
    signature = source.content[slice(*target.first.signature)] if source is not None else b""
    return b"partial" in signature.split()


def _lines(target: DefinedSymbol) -> int:
    return target.first.end_line - target.first.start_line
