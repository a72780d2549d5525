"""The symbols that a name means: by the end of a qualified name, by its parts, or by what a type inherits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import named
from leadline_tools.index.questions.names import Hit, NameSearchResult, Wanted
from leadline_tools.languages.outline import CLASS_LIKE, Definition
from leadline_tools.model import Reason, SymbolKind
from leadline_tools.resolve.addresses.spelling import is_within, spellings
from leadline_tools.resolve.project.packages import in_packages
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import asking, by_root
from leadline_tools.resolve.symbols.defined_symbol import (
    DefinedSymbol,
    SymbolMatches,
    definitions_of,
    load_symbols,
    qualified,
    split_namesakes,
)

MOST_FILES = 8
"""Files of an address whose definitions are looked through; in more only the index looks."""

_DEEPEST = 8
"""Last parts of a dotted name of which it is asked whether they are one name that holds dots."""

MOST_ASSIGNED = 8
"""Attributes that an address may mean of which a base of their type is looked for that declares them."""

MOST_MEMBERS = 40
"""Symbols that an address may mean of which one answer can be about; more are candidates, whatever they declare."""


def find_named(index: Index, name: str, paths: Sequence[str]) -> SymbolMatches | None:
    """Return the symbols that a name means, in whichever way it is spelled; None for none.

    With ``paths`` those of these files; without a name what is called like one of them.
    """
    if paths and not name:
        called = (one for path in paths[:MOST_FILES] for one in _find_in_file(index, path, stem(path)))
        types = [one for one in called if one.first.kind in CLASS_LIKE]
        return _any_of(types)
    names = list(spellings(name))
    for look in (find_by_suffix, _find_in_package, find_inherited, _find_by_parts):
        found = next((found for dotted in names if (found := look(index, dotted, paths))), None)
        if found is not None:
            return found
    return None


def find_by_suffix(index: Index, dotted: str, paths: Sequence[str]) -> SymbolMatches | None:
    """Return the symbols whose qualified name is or ends in a dotted name; None for none."""
    if 0 < len(paths) <= MOST_FILES:
        named = drop_constructors([target for path in paths for target in _find_in_file(index, path, dotted)])
        return _any_of(resolve_declarations(index, named))
    found = _search(index, dotted, paths)
    meant = drop_constructors(load_hits(index, found.hits))
    declared = resolve_declarations(index, meant)
    if len(declared) != len(meant) and not found.more:
        return SymbolMatches.of(declared)
    return _counted(found, declared) if meant else None


def _find_in_package(index: Index, dotted: str, paths: Sequence[str]) -> SymbolMatches | None:
    """Return the symbols of a dotted name that begins with the package which their files say they are in."""
    last = dotted.rpartition(".")[2]
    if paths or last == dotted or not index.symbols.count_files_defining(last):
        return None
    for files, name in in_packages(index, dotted.removesuffix(f".{last}")):
        inside = f"{name}.{last}" if name else last
        defining = sorted(files & index.symbols.files_defining(last))[:MOST_FILES]
        found = _any_of(
            [one for path in defining for one in _select(index, path, inside, qualified(path, inside).__eq__)]
        )
        if found is not None:
            return found
    return None


def find_inherited(index: Index, dotted: str, paths: Sequence[str]) -> SymbolMatches | None:
    """Return the members that types inherit under a dotted name; None for none."""
    owner, _, name = dotted.rpartition(".")
    if not owner or not (index.symbols.count_files_defining(name) or index.coverage().symbols < index.coverage().files):
        return None
    return _any_of(_inherited_members(index, dotted, paths))


def _find_by_parts(index: Index, dotted: str, paths: Sequence[str]) -> SymbolMatches | None:
    """Return the symbols whose qualified name has all parts of a dotted name, in their order; None for none."""
    if "." not in dotted:
        return None
    if 0 < len(paths) <= MOST_FILES:
        return _any_of([one for path in paths for one in _select(index, path, dotted, lambda n: is_within(n, dotted))])
    wanted = Wanted(frozenset(paths) or None, lambda path, d: is_within(qualified(path, d.path), dotted))
    known = index.names.exact(dotted.rpartition(".")[2], wanted)
    meant = drop_constructors(load_hits(index, known.hits))
    return _counted(known, meant) if meant else None


def _any_of(found: Sequence[DefinedSymbol]) -> SymbolMatches | None:
    return SymbolMatches.of(found) if found else None


def _search(index: Index, dotted: str, paths: Sequence[str]) -> NameSearchResult:
    """Return the definitions whose qualified name is or ends in a dotted name, with ``paths`` those in these files.

    What they are called may hold dots itself (a namespace), which is asked where nothing else is found.
    """
    files = frozenset(paths) or None
    wanted = Wanted(files, lambda path, d: _ends_in(qualified(path, d.path), dotted))
    start = dotted.rfind(".")
    for _ in range(_DEEPEST):
        found = index.names.exact(dotted[start + 1 :], wanted if start >= 0 else Wanted(files))
        if found.hits or start < 0:
            return found
        start = dotted.rfind(".", 0, start)
    return index.names.exact(dotted, Wanted(files))


def resolve_declarations(index: Index, found: Sequence[DefinedSymbol]) -> Sequence[DefinedSymbol]:
    """Return the symbols that declare what was found: another one where a type only gives a value to what it inherits.

    Of many only the types tell, so those stay as they are; and so do all where the answer lists candidates at once.
    """
    attributes = [one for one in found if one.first.kind is SymbolKind.Field and _may_be_assigned(one)]
    if not attributes or len(attributes) > MOST_ASSIGNED or len(found) > MOST_MEMBERS:
        return found
    if len({index.of(one.path) for one in found}) > MOST_ASSIGNED:
        return found
    declared: dict[tuple[str, str], DefinedSymbol] = {}
    for target in found:
        declared[target.path, target.name] = target
        if target not in attributes:
            continue
        with asking(index.of(target.path), ahead=False) as question:
            itself = SymbolRef(target.path, target.name, Reason.Definition)
            symbol = question.resolver.declaration(itself)
        others = load_symbols(index, [(symbol.path, symbol.name)]) if not symbol.same(itself) else []
        if others:
            del declared[target.path, target.name]
            declared.update(((one.path, one.name), one) for one in others)
    return list(declared.values())


def _may_be_assigned(target: DefinedSymbol) -> bool:
    semantics = target.semantics
    return semantics is not None and semantics.members.assignments_declare and "." in target.name


def _counted(found: NameSearchResult, meant: Sequence[DefinedSymbol]) -> SymbolMatches:
    """Return the symbols that a search has found, with the number of those that it did not list."""
    gone = len(found.hits) - sum(len(target.definitions) for target in meant)
    return SymbolMatches(tuple(meant), found.total - gone, bool(found.more))


def _find_in_file(index: Index, path: str, dotted: str) -> list[DefinedSymbol]:
    """Return the symbols of a file whose qualified name is or ends in a dotted name."""
    return _select(index, path, dotted, lambda name: _ends_in(name, dotted))


def _select(index: Index, path: str, dotted: str, accepts: Callable[[str], bool]) -> list[DefinedSymbol]:
    """Return the symbols of a file whose qualified name is accepted, and in whose own name a dotted name ends."""
    source = index.try_read(path)
    if source is None:
        return []
    groups: dict[str, list[Definition]] = {}
    for definition in index.symbols.query(source, named(dotted.endswith)):
        if accepts(qualified(path, definition.path)):
            groups.setdefault(definition.path, []).append(definition)
    return [target for group in groups.values() for target in split_namesakes(source, group)]


def stem(path: str) -> str:
    """Return the name of a file without its extensions."""
    return path.rpartition("/")[2].partition(".")[0]


def drop_constructors(found: Sequence[DefinedSymbol]) -> list[DefinedSymbol]:
    """Return symbols without the constructors that are called like their type, where the type is one of them."""
    types = {(target.path, target.name) for target in found if target.first.kind in CLASS_LIKE}
    return [
        target
        for target in found
        if target.first.kind is not SymbolKind.Constructor or (target.path, target.name.rpartition(".")[0]) not in types
    ]


def _inherited_members(index: Index, dotted: str, paths: Sequence[str]) -> list[DefinedSymbol]:
    """Return the members that types inherit under a dotted name which they do not declare themselves.

    With ``paths`` those of the types of these files.
    """
    owner, _, name = dotted.rpartition(".")
    wanted = Wanted(
        frozenset(paths) or None,
        lambda path, d: d.kind in CLASS_LIKE and _ends_in(qualified(path, d.path), owner),
        every=True,
    )
    types = index.names.exact(owner.rpartition(".")[2], wanted).hits
    owners = [SymbolRef(hit.file.path, hit.definition.path, Reason.Definition) for hit in types]
    found: dict[tuple[str, str], None] = {}
    for root, of_root in by_root(index, owners, lambda one: one.path).items():
        with asking(root, ahead=False) as question:
            for of in of_root:
                member = question.resolver.member_of(of, name)
                if isinstance(member, SymbolRef):
                    found[member.path, member.name] = None
    return load_symbols(index, list(found))


def _ends_in(qualified_name: str, suffix: str) -> bool:
    return qualified_name == suffix or qualified_name.endswith(f".{suffix}")


def load_hits(index: Index, hits: Iterable[Hit]) -> list[DefinedSymbol]:
    """Return hits as symbols, the definitions of one name in one file together, as their files are now."""
    grouped: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        grouped.setdefault((hit.file.path, hit.definition.path), []).append(hit)
    found: list[DefinedSymbol] = []
    for (path, name), group in grouped.items():
        source = index.try_read(path)
        if source is None:
            continue
        same = source.digest == group[0].digest
        fresh = (
            sorted((hit.definition for hit in group), key=lambda one: one.line)
            if same
            else definitions_of(index, source, name)
        )
        found += split_namesakes(source, fresh)
    return found
