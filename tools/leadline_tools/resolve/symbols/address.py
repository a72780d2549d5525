"""From what a caller calls a symbol to the definitions that are meant.

An address is a name (``filter``), a dotted suffix of a qualified name (``QuerySet.filter``), a file and a name in it
(``src/adlist.h:listNode.next``), or a place (``path:line`` or ``path:line:column``, 1-based) at which the symbol is
defined or used. A member that a type inherits can be called by that type too. ``spelling`` has what else is understood.
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from typing import NamedTuple, overload

from leadline_tools.errors import (
    BadArgument,
    FileNotSymbol,
    LeadlineError,
    NoSuchSymbol,
    NothingThere,
    NotInTime,
    NotListed,
    NotResolved,
    NotUnderstood,
    PathError,
    PathNotFound,
    Whence,
)
from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import in_line, named
from leadline_tools.index.questions.names import Found, Hit, Match, Wanted
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_in, language_of, scoping_of
from leadline_tools.languages.facts import Facts, Use, readable
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, Definition
from leadline_tools.languages.terms import BARE, UNKNOWN, parsed
from leadline_tools.languages.terms import place_of as place_of_name
from leadline_tools.model import Reason, Role, SymbolKind
from leadline_tools.resolve.calls.call_shapes import MethodOverloads
from leadline_tools.resolve.external.outside import is_from_outside
from leadline_tools.resolve.imports.module_paths import modules_at
from leadline_tools.resolve.project.packages import in_packages
from leadline_tools.resolve.project.project import family
from leadline_tools.resolve.project.resolution import EXTERNAL, LocalName, Module, Resolution, SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.spelling import LONGEST, file_prefixes, is_within, spellings
from leadline_tools.resolve.symbols.unlisted import declared_key, unlisted_members
from leadline_tools.resolve.types.literal_keys import LiteralKeys

_MOST_SIMILAR = 3
"""Names like one that is missing, of which it is asked whether the same type has them."""

_MOST_FILES = 8
"""Files of an address whose definitions are looked through; in more only the index looks."""

_DEEPEST = 8
"""Last parts of a dotted name of which it is asked whether they are one name that holds dots."""

_MOST_ASSIGNED = 8
"""Attributes that an address may mean of which a base of their type is looked for that declares them."""

_MOST_WORDS = 8
"""Words of a line that are looked up where it is not known what they mean."""

_CONVERSION = "operator "
_PLACE = re.compile(
    r"(?P<path>.+?)(?::L?|#L)(?P<line>\d+)(?:[:C](?P<column>\d+))?"  # ``a.go:3:7``, ``a.go#L3``
    r"(?:-L?\d+(?:[:C]\d+)?)?"  # and the end of a range, which begins there
)
_WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Target:
    """A symbol: the file that defines it, its definitions there (several where they are conditional) and its source."""

    source: Source
    definitions: tuple[Definition, ...]

    @property
    def path(self) -> str:
        """Return the file that defines it."""
        return self.source.path

    @property
    def first(self) -> Definition:
        """Return the first of its definitions."""
        return self.definitions[0]

    @property
    def name(self) -> str:
        """Return its dotted name inside the file."""
        return self.first.path

    @property
    def callable(self) -> bool:
        """Tell whether it can be called."""
        return self.first.kind in CALLABLE

    @property
    def qualified_name(self) -> str:
        """Return its dotted name with the module."""
        return qualified(self.path, self.name)


@dataclass(frozen=True, slots=True)
class Targets(Sequence[Target]):
    """The symbols that an address may mean, likeliest first.

    Args:
        listed: As many of them as are worth listing.
        definitions: How many definitions they have in all, those that are not listed too.
        more: True where there may be more than that.
        possible: True where they merely have the name that is used at a place: what that means is not known.

    """

    listed: tuple[Target, ...]
    definitions: int
    more: bool = False
    possible: bool = False

    @classmethod
    def of(cls, found: Sequence[Target]) -> Targets:
        """Return all that is meant."""
        return cls(tuple(found), sum(len(target.definitions) for target in found))

    @overload
    def __getitem__(self, index: int) -> Target: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Target]: ...
    def __getitem__(self, index: int | slice) -> Target | Sequence[Target]:
        return self.listed[index]

    def __len__(self) -> int:
        return len(self.listed)


def qualified(path: str, name: str) -> str:
    """Return the qualified name of what is called ``name`` inside the file ``path``."""
    language = language_of(path)
    module = language.module(path) if language is not None else ""
    return f"{module}.{readable(name)}" if module else readable(name)


class Place(NamedTuple):
    """A file of the tree and a place in it, 1-based; the column is 0 where none is told."""

    path: str
    line: int
    column: int


def place_of(index: Index, address: str) -> Place | None:
    """Return the place that an address names; None where it names something else. Raises a PathError."""
    place = _PLACE.fullmatch(address.strip())
    paths = _files_at(index, place["path"]) if place is not None else ()
    if place is None or len(paths) != 1:
        return None
    return Place(paths[0], int(place["line"]), int(place["column"] or 0))


def _files_at(index: Index, path: str) -> Sequence[str]:
    """Return the file at a path, listed or not, else the files whose path ends in it."""
    inside = index.paths.locate(path)
    if index.paths.exists(inside):
        return (inside,)
    return index.paths.ending(inside) or ((inside,) if index.try_read(inside) is not None else ())


def targets(
    index: Index, address: str, *, possible: bool = False, unlisted: bool = False, written: bool = False
) -> Targets:
    """Return the symbols that ``address`` may mean, likeliest first; raises NoSuchSymbol for none.

    A function in an object literal stands for the member of the type that is wanted there; with ``written`` for itself.

    What uses a symbol in a file that is not listed is not known, so this raises NotListed unless ``unlisted`` ones will
    do.

    Where it is the place of a name whose meaning is not known, this raises NotUnderstood. With ``possible`` it returns
    instead what has that name, marked as possible.
    """
    found = _targets(index, address.strip(), possible=possible)
    found = found if written or found.possible else _wanted(index, found)
    for target in () if unlisted else found:
        reason = index.unlisted.reason(target.path)
        if reason:
            raise NotListed(target.path, reason)
    return found


def _wanted(index: Index, found: Targets) -> Targets:
    """Return the symbols that some stand for; of many those of members are not looked up."""
    keys = [one for one in found if _may_be_key(one)]
    if not keys or len(found) > _MOST_ASSIGNED:
        return found
    meant: dict[tuple[str, str], None] = {}
    for target in keys:
        with asking(index.of(target.path), ahead=False) as question:
            itself = SymbolRef(target.path, target.name, Reason.Definition)
            member = question.resolver.wanted_member(itself)
            if not member.same(itself):
                meant[member.path, member.name] = None
                keys = [one for one in keys if one is not target]
    others = [one for one in found if one in keys or not _may_be_key(one)]
    members = [one for one in defined(index, list(meant)) if one not in others]
    return found if not members else replace(found, listed=(*others, *members))


def _may_be_key(target: Target) -> bool:
    """Tell whether a symbol may be a function in an object literal."""
    scoping = scoping_of(target.path)
    return scoping is not None and scoping.literal_keys and target.first.kind is SymbolKind.Method


def _targets(index: Index, address: str, *, possible: bool) -> Targets:
    if len(address) > LONGEST:
        problem = f"it has {len(address):,} characters, more than {LONGEST:,}"
        raise BadArgument("symbol", problem, "Give a name or path:line.")
    place = place_of(index, address)
    if place is not None:
        return _at(index, address, place, possible=possible)
    readings: list[tuple[Sequence[str], str]] = [((), address), *islice(_in_files(index, address), 1)]
    if any(sign in address for sign in "/:#"):  # rather a path than the name of a member
        readings.reverse()
    meant = next((found for paths, name in readings if (found := _named(index, name, paths))), None)
    if meant is None:
        raise _missing(index, address, *readings[0])
    return meant


def _in_files(index: Index, address: str) -> Iterator[tuple[Sequence[str], str]]:
    """Yield the files whose path an address begins with, and the name in them that follows; empty for a path alone."""
    for path, name in file_prefixes(address):
        if language_of(path) is not None or index.paths.exists(path):
            with contextlib.suppress(PathError):
                paths = _files_at(index, path)
                if paths:
                    yield paths, name
    for path, name in file_prefixes(address):
        paths = _files_called(index, path) if name and "/" in path else ()
        if paths:
            yield paths, name


def _files_called(index: Index, stem: str) -> Sequence[str]:
    """Return the files at a path that lacks the extension."""
    stem = stem.removeprefix("./")
    start = bisect_left(index.files.paths, f"{stem}.")
    return [*takewhile(lambda path: path.startswith(f"{stem}."), islice(index.files.paths, start, start + _MOST_FILES))]


def _named(index: Index, name: str, paths: Sequence[str]) -> Targets | None:
    """Return the symbols that a name means, in whichever way it is spelled; None for none.

    With ``paths`` those of these files; without a name what is called like one of them.
    """
    if paths and not name:
        called = (one for path in paths[:_MOST_FILES] for one in _defined_in(index, path, _stem(path)))
        types = [one for one in called if one.first.kind in CLASS_LIKE]
        return _any(types)
    names = list(spellings(name))
    for look in (_defined_as, _defined_in_package, _inherited_as, _within):
        found = next((found for dotted in names if (found := look(index, dotted, paths))), None)
        if found is not None:
            return found
    return None


def _defined_as(index: Index, dotted: str, paths: Sequence[str]) -> Targets | None:
    """Return the symbols whose qualified name is or ends in a dotted name; None for none."""
    if 0 < len(paths) <= _MOST_FILES:
        named = _types([target for path in paths for target in _defined_in(index, path, dotted)])
        return _any(_declared(index, named))
    found = _find(index, dotted, paths)
    meant = _types(_present(index, found.hits))
    declared = _declared(index, meant)
    if len(declared) != len(meant) and not found.more:
        return Targets.of(declared)
    return _counted(found, declared) if meant else None


def _defined_in_package(index: Index, dotted: str, paths: Sequence[str]) -> Targets | None:
    """Return the symbols of a dotted name that begins with the package which their files say they are in."""
    last = dotted.rpartition(".")[2]
    if paths or last == dotted or not index.symbols.count_files_defining(last):
        return None
    for files, name in in_packages(index, dotted.removesuffix(f".{last}")):
        inside = f"{name}.{last}" if name else last
        defining = sorted(files & index.symbols.files_defining(last))[:_MOST_FILES]
        found = _any([one for path in defining for one in _select(index, path, inside, qualified(path, inside).__eq__)])
        if found is not None:
            return found
    return None


def _inherited_as(index: Index, dotted: str, paths: Sequence[str]) -> Targets | None:
    """Return the members that types inherit under a dotted name; None for none."""
    owner, _, name = dotted.rpartition(".")
    if not owner or not (index.symbols.count_files_defining(name) or index.coverage().symbols < index.coverage().files):
        return None
    return _any(_inherited(index, dotted, paths))


def _any(found: Sequence[Target]) -> Targets | None:
    return Targets.of(found) if found else None


def _find(index: Index, dotted: str, paths: Sequence[str]) -> Found:
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


def _declared(index: Index, found: Sequence[Target]) -> Sequence[Target]:
    """Return the symbols that declare what was found: another one where a type only gives a value to what it inherits.

    Of many only the types tell, so those stay as they are.
    """
    attributes = [one for one in found if one.first.kind is SymbolKind.Field and _may_be_assigned(one)]
    if not attributes or len(attributes) > _MOST_ASSIGNED:
        return found
    declared: dict[tuple[str, str], Target] = {}
    for target in found:
        declared[target.path, target.name] = target
        if target not in attributes:
            continue
        with asking(index.of(target.path), ahead=False) as question:
            itself = SymbolRef(target.path, target.name, Reason.Definition)
            symbol = question.resolver.declaration(itself)
        others = defined(index, [(symbol.path, symbol.name)]) if not symbol.same(itself) else []
        if others:
            del declared[target.path, target.name]
            declared.update(((one.path, one.name), one) for one in others)
    return list(declared.values())


def _may_be_assigned(target: Target) -> bool:
    scoping = scoping_of(target.path)
    return scoping is not None and scoping.attributes and "." in target.name


def _counted(found: Found, meant: Sequence[Target]) -> Targets:
    """Return the symbols that a search has found, with the number of those that it did not list."""
    gone = len(found.hits) - sum(len(target.definitions) for target in meant)
    return Targets(tuple(meant), found.total - gone, bool(found.more))


def _defined_in(index: Index, path: str, dotted: str) -> list[Target]:
    """Return the symbols of a file whose qualified name is or ends in a dotted name."""
    return _select(index, path, dotted, lambda name: _ends_in(name, dotted))


def _select(index: Index, path: str, dotted: str, accepts: Callable[[str], bool]) -> list[Target]:
    """Return the symbols of a file whose qualified name is accepted, and in whose own name a dotted name ends."""
    source = index.try_read(path)
    if source is None:
        return []
    groups: dict[str, list[Definition]] = {}
    for definition in index.symbols.query(source, named(dotted.endswith)):
        if accepts(qualified(path, definition.path)):
            groups.setdefault(definition.path, []).append(definition)
    return [target for group in groups.values() for target in _apart(source, group)]


def _within(index: Index, dotted: str, paths: Sequence[str]) -> Targets | None:
    """Return the symbols whose qualified name has all parts of a dotted name, in their order; None for none."""
    if "." not in dotted:
        return None
    if 0 < len(paths) <= _MOST_FILES:
        return _any([one for path in paths for one in _select(index, path, dotted, lambda n: is_within(n, dotted))])
    wanted = Wanted(frozenset(paths) or None, lambda path, d: is_within(qualified(path, d.path), dotted))
    known = index.names.exact(dotted.rpartition(".")[2], wanted)
    meant = _types(_present(index, known.hits))
    return _counted(known, meant) if meant else None


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


# What is missing


def _missing(index: Index, address: str, paths: Sequence[str], name: str) -> LeadlineError:
    """Return the error for an address that means nothing: it names what has that name, or holds it, or is like it."""
    if paths and not name:
        return FileNotSymbol(paths[0])
    place = _PLACE.fullmatch(address)
    if place is not None and language_of(place["path"]) is not None:
        return _missing_place(index, address, place["path"], place["line"])
    dotted = next(reversed([*spellings(name)]), "")
    if not dotted:
        return BadArgument("symbol", "it contains no name", "Call symbol_search with a part of its name.")
    path = next((path for path, rest in file_prefixes(address) if "/" in path and rest and language_of(path)), "")
    word = _stem(address) if language_of(address) is not None else dotted.rpartition(".")[2]
    same = index.names.exact(word)
    hits = same.hits or index.names.search(word, Match.Exact).hits
    coverage = index.coverage()
    left = coverage.files - coverage.symbols if same.more else 0
    found = [*_words_in(index, paths[:1], word), *map(_described, hits)]
    if found:
        total = len(found) - len(same.hits) + same.total
        return NoSuchSymbol(address, (), left, word=word, found=tuple(found), total=total)
    if path and not paths:
        return _missing_place(index, address, path)
    holding = index.words.files_with((word,), spelled=True)
    unparsed = min(frozenset(file.path for file in index.files.failed).intersection(holding), default="")
    similar = _similar(index, dotted)
    return NoSuchSymbol(address, similar, left, word=word, holding=len(holding), unparsed=unparsed)


def _missing_place(index: Index, address: str, path: str, line: str = "") -> LeadlineError:
    """Return the error for a file that there is not, or for one of several."""
    try:
        several = _files_at(index, path)
        if not several:
            index.read(path)
    except PathError as error:
        near = error.nearest if isinstance(error, PathNotFound) else None
        return error if near is None or index.paths.has_line(near, int(line or 1)) else PathNotFound(path)
    found = tuple(f"{one}:{line}" for one in several[:_MOST_FILES] if index.paths.has_line(one, int(line or 1)))
    if not found:
        problem = f"none of the {len(several):,} files called {path} has a line {int(line):,}"
        return BadArgument("symbol", problem, "Call find_references with a name, or list_files for the files.")
    return NoSuchSymbol(address, word=path, found=found, total=len(several))


def _described(hit: Hit) -> str:
    """Return the name and the place of a definition."""
    return f"{qualified(hit.file.path, hit.definition.path)} {hit.file.path}:{hit.definition.line}"


def _words_in(index: Index, paths: Sequence[str], word: str) -> Iterator[str]:
    """Yield the place at which each of some files holds a word first."""
    for source in filter(None, map(index.try_read, paths)):
        lines = ((number, line) for number, line in enumerate(source.lines(), 1) if word in line)
        found = ((number, match) for number, line in lines for match in _WORD.finditer(line) if match[0] == word)
        yield from (f"{source.path}:{number}:{match.start() + 1}" for number, match in islice(found, 1))


def _similar(index: Index, dotted: str) -> tuple[str, ...]:
    """Return what was probably meant by a dotted name that nothing has: members of the same owner before all others."""
    owner, _, name = dotted.rpartition(".")
    similar = index.names.similar(name)
    members = [f"{owner}.{one}" for one in similar[:_MOST_SIMILAR]] if owner else []
    known = (one for one in members if _defined_as(index, one, ()) or _inherited_as(index, one, ()))
    return tuple(known) or tuple(similar)


def _types(found: Sequence[Target]) -> list[Target]:
    """Return symbols without the constructors that are called like their type, where the type is one of them."""
    types = {(target.path, target.name) for target in found if target.first.kind in CLASS_LIKE}
    return [
        target
        for target in found
        if target.first.kind is not SymbolKind.Constructor or (target.path, target.name.rpartition(".")[0]) not in types
    ]


def defined_at(index: Index, address: str, target: Target) -> tuple[Definition, ...]:
    """Return the definitions of a symbol that stand at the very place an address names; all where none does.

    So one of several (overloads, a getter and its setter) can be chosen by its line.
    """
    place = place_of(index, address)
    if place is None or place.path != target.path:
        return target.definitions
    return tuple(d for d in target.definitions if _stands_at(d, place.line, place.column)) or target.definitions


def _stands_at(definition: Definition, line: int, column: int) -> bool:
    """Tell whether a definition has its name at a line, and at a column of it unless that is 0."""
    if definition.line != line or not column:
        return definition.line == line
    # What stands in the brackets of a computed name is an expression, and no part of the name.
    length = len(definition.name) if not definition.name.startswith("[") else 0
    return definition.column <= column <= definition.column + length


def place(index: Index, source: Source, definition: Definition) -> str:
    """Return the shortest place that names a definition of a file, and nothing else on its line."""
    line = f"{source.path}:{definition.line}"
    alone = _outermost(index.symbols.query(source, in_line(definition.line))) == [definition]
    return line if alone else f"{line}:{definition.column}"


def _outermost(here: Iterable[Definition]) -> list[Definition]:
    """Return the definitions on a line that are not inside of another on it."""
    found: list[Definition] = []
    for one in here:
        if not any(one.path.startswith(f"{other.path}.") for other in found):
            found.append(one)
    return found


def resolvable(target: Target) -> Target:
    """Return ``target``; raises NotResolved where nothing can be known of its uses but that they have its name."""
    language = language_in(target.path, target.source.content)
    if language is None or language.scoping is None:
        raise NotResolved(target.path, target.first.name)
    return target


def _inherited(index: Index, dotted: str, paths: Sequence[str]) -> list[Target]:
    """Return the members that types inherit under a dotted name which they do not declare themselves.

    With ``paths`` those of the types of these files.
    """
    owner, _, name = dotted.rpartition(".")
    wanted = Wanted(
        frozenset(paths) or None, lambda path, d: d.kind in CLASS_LIKE and _ends_in(qualified(path, d.path), owner)
    )
    types = index.names.exact(owner.rpartition(".")[2], wanted).hits
    found: dict[tuple[str, str], None] = {}
    for part in index.parts:
        with asking(part, ahead=False) as question:
            for hit in types:
                of = SymbolRef(hit.file.path, hit.definition.path, Reason.Definition)
                member = question.resolver.member_of(of, name) if index.of(of.path) is part else None
                if isinstance(member, SymbolRef):
                    found[member.path, member.name] = None
    return defined(index, list(found))


def _ends_in(qualified_name: str, suffix: str) -> bool:
    return qualified_name == suffix or qualified_name.endswith(f".{suffix}")


def _present(index: Index, hits: Iterable[Hit]) -> list[Target]:
    """Return hits as symbols, the definitions of one name in one file together, as their files are now."""
    grouped: dict[tuple[str, str], list[Hit]] = {}
    for hit in hits:
        grouped.setdefault((hit.file.path, hit.definition.path), []).append(hit)
    found: list[Target] = []
    for (path, name), group in grouped.items():
        source = index.try_read(path)
        if source is None:
            continue
        same = source.digest == group[0].digest
        fresh = sorted((hit.definition for hit in group), key=_line) if same else _definitions(index, source, name)
        found += _apart(source, fresh)
    return found


def _apart(source: Source, definitions: Sequence[Definition]) -> list[Target]:
    """Return the symbols of one dotted name: two where a method may be called like a field, or a type like a value."""
    groups: dict[bool, list[Definition]] = {}
    for definition in definitions:
        groups.setdefault(_side(source.path, definition.kind), []).append(definition)
    mixed = len(groups) > 1 and not fields_apart(source.path)
    if mixed and all(one.kind in _SPACES for one in groups[False]):
        return [Target(source, tuple(definitions))]  # a class with a namespace
    return [Target(source, tuple(group)) for group in groups.values()]


def _labelled(target: Target, here: Sequence[Definition]) -> Target:
    """Return those functions of one name that stand at a place, where labels tell them apart."""
    scoping = scoping_of(target.path)
    meant = tuple(one for one in target.definitions if one in here)
    labels = scoping.labels if scoping is not None else None
    labelled = labels is not None and target.callable and labels.constructors in ("", target.first.name)
    return replace(target, definitions=meant) if labelled and meant else target


def _side(path: str, kind: SymbolKind) -> bool:
    """Return which of the two symbols of one dotted name has a kind."""
    scoping = scoping_of(path)
    if scoping is not None and scoping.values_apart:
        return kind in _TYPES
    return scoping is not None and scoping.fields_apart and kind in CALLABLE


def side(target: Target) -> bool:
    """Return which of the two symbols of its dotted name a symbol may be."""
    return _side(target.path, target.first.kind)


def fields_apart(path: str) -> bool:
    """Tell whether in the language of a file a field and a method may have one name."""
    scoping = scoping_of(path)
    return scoping is not None and scoping.fields_apart


def values_apart(path: str) -> bool:
    """Tell whether in the language of a file a value and a type may have one name."""
    scoping = scoping_of(path)
    return scoping is not None and scoping.values_apart


def both(index: Index, target: Target) -> Target:
    """Return a symbol together with the type or value of its name: one import names both."""
    if not values_apart(target.path):
        return target
    found = defined(index, [(target.path, target.name)])
    return Target(target.source, tuple(one for each in found for one in each.definitions)) if found else target


_TYPES = frozenset({SymbolKind.Class, SymbolKind.Interface})
"""Kinds of types that may be called like a value: a class has no such namesake, an alias has that kind."""

_SPACES = frozenset({SymbolKind.Namespace, SymbolKind.Module})


def _line(definition: Definition) -> int:
    return definition.line


def _definitions(index: Index, source: Source, name: str) -> list[Definition]:
    # Names may hold dots: any ending of the dotted name may be that of the definition.
    return [definition for definition in index.symbols.query(source, named(name.endswith)) if definition.path == name]


def _at(index: Index, address: str, place: Place, *, possible: bool) -> Targets:
    """Return what is defined at a place, else what the names used there mean, or with ``possible`` may mean."""
    source = index.read(place.path)
    line = index.symbols.query(source, in_line(place.line))
    here = _outermost(d for d in line if _stands_at(d, place.line, place.column))
    if here and not _is_in_type_of_conversion(here, place):
        paths = dict.fromkeys(d.path for d in here)
        symbols = [target for name in paths for target in _apart(source, _definitions(index, source, name))]
        meant = [target for target in symbols if any(d in target.definitions for d in here)]
        return Targets.of(_declared(index, [_labelled(_overload(target, here), here) for target in meant]))
    used = _used_at(index, address, place, keys=possible)
    if used.symbols:
        return Targets.of(used.symbols)
    if possible:
        words = used.unknown if used.error is not None else _words_at(source, place)
        perhaps = [target for word in words for target in _may_mean(index, place.path, word)]
        if perhaps:
            return replace(Targets.of(perhaps), possible=True)
    raise used.error or _nothing_there(index, address, source, place)


def _is_in_type_of_conversion(here: Sequence[Definition], place: Place) -> bool:
    """Tell whether a place is in the type that is part of the name of a conversion: ``operator Box()``."""
    return bool(place.column) and all(
        one.name.startswith(_CONVERSION) and place.column >= one.column + len(_CONVERSION) for one in here
    )


def _overload(target: Target, here: Sequence[Definition]) -> Target:
    """Return those constructors of a type that stand at a place, where the language tells them apart."""
    scoping = scoping_of(target.path)
    if scoping is None or not scoping.constructor_keywords or target.first.kind is not SymbolKind.Constructor:
        return target
    return replace(target, definitions=tuple(one for one in target.definitions if one in here))


def _nothing_there(index: Index, address: str, source: Source, place: Place) -> NothingThere:
    around = [d for d in index.symbols.definitions(source) if d.start_line <= place.line <= d.end_line]
    inside = f"{place.path}:{around[-1].line}" if around else ""
    return NothingThere(address, inside, source.line_count if place.line > max(1, source.line_count) else 0)


def _words_at(source: Source, place: Place) -> list[str]:
    """Return the word at a place, without a column those of the line: the first few of them."""
    lines = source.lines()
    found = _WORD.finditer(lines[place.line - 1]) if 0 < place.line <= len(lines) else ()
    words = (match[0] for match in found if not place.column or match.start() < place.column <= match.end() + 1)
    return list(islice(dict.fromkeys(words), _MOST_WORDS))


def _may_mean(index: Index, path: str, word: str) -> list[Target]:
    """Return the symbols that a word of a file may mean: those of that name to which its language can refer."""
    related = family(path)
    wanted = Wanted(accepts=lambda other, _: family(other) == related) if scoping_of(path) is not None else Wanted()
    return _types(_present(index, index.names.exact(word, wanted).hits))


class _Used(NamedTuple):
    """What the names used at a place mean: symbols, and the names of unknown meaning; the error where it is none."""

    symbols: Sequence[Target]
    unknown: Sequence[str]
    error: LeadlineError | None


def _used_at(index: Index, address: str, place: Place, *, keys: bool) -> _Used:
    """Return what the names used at a place mean; with ``keys`` those of object literals that declare themselves too.

    Who takes such an object may be outside of the code base, so what else depends on the key is not known.
    """
    found: dict[tuple[str, str], Role] = {}
    members: dict[Target, None] = {}
    others: list[tuple[str, Use, Sequence[Resolution]]] = []
    error: LeadlineError | None = None
    with asking(index.of(place.path), ahead=False) as question:
        if question.project.facts(place.path) is None and place.path in question.refused():
            return _Used((), (), NotInTime(place.path))
        methods = MethodOverloads(index.of(place.path), question)
        literal_keys = LiteralKeys(question.resolver)
        for name, use, every in uses_at(index, question, place):
            meanings = methods.choose(place.path, use, every)
            symbols = [meaning for meaning in meanings if isinstance(meaning, SymbolRef)]
            run = question.resolver.evaluator.interfaces.run(symbols)
            found.update(((m.path, m.name), use.role) for m in run)
            unlisted = list(unlisted_members(index, question, place.path, name, use, meanings))
            if keys and not unlisted and literal_keys.declares(place.path, name, use, meanings):
                unlisted += declared_key(index, place.path, name, use)
            members.update((Target(source, (one,)), None) for source, one in unlisted)
            others.append((name, use, meanings))
        others.sort(key=lambda one: (bool(one[2]), one[1].column))
        if others:
            error = NotUnderstood(address, others[0][0], _whence(question, place.path, *others[0]))
    meant = defined(index, list(found)) or list(members)
    return _Used(
        [target for target in meant if _is_meant(target, meant, found.get((target.path, target.name), Role.Read))],
        list(dict.fromkeys(name for name, _, meanings in others if not meanings)),
        error,
    )


def uses_at(index: Index, question: Question, place: Place) -> Iterator[tuple[str, Use, Sequence[Resolution]]]:
    """Yield the names used at a place, each with its use and what it may mean."""
    path, line, column = place
    facts, keys = question.project.facts(path), LiteralKeys(question.resolver)
    for name, use in innermost_uses(facts, line, column) if facts is not None else ():
        meanings = question.resolver.resolve(path, name, use)
        if len(meanings) > 0 and keys.may_be_another(path, name, use):
            meanings = ()
        meanings = meanings or (_module_in_import(index, question, path, facts, use) if facts is not None else ())
        external = not meanings and is_from_outside(index, question, path, name, use)
        yield name, use, (EXTERNAL,) if external else meanings


def innermost_uses(facts: Facts, line: int, column: int) -> Sequence[tuple[str, Use]]:
    """Return the uses on a line, at a column those that no other one there is inside of: a name may be computed."""
    here = [
        (name, use)
        for name, uses in facts.uses.items()
        for use in uses
        if use.line == line and (not column or use.column <= column < use.end_column)
    ]
    shortest = min((use.end_column - use.column for _, use in here), default=0)
    return [(name, use) for name, use in here if not column or use.end_column - use.column == shortest]


def _module_in_import(index: Index, question: Question, path: str, facts: Facts, use: Use) -> Sequence[Resolution]:
    """Return what a part of the dotted name of a module means in an import: the module that is named up to there."""
    scoping, source = scoping_of(path), index.try_read(path)
    if use.role is not Role.Import or scoping is None or source is None:
        return ()
    line = source.lines()[use.line - 1]
    imported = [one.module for one in facts.imports]
    spelled = modules_at(facts, use.line, use.end_column - 1, line)
    module = next((one for one in spelled if any(f"{whole}.".startswith(f"{one}.") for whole in imported)), None)
    if module is None:
        return ()
    files = scoping.locate(module, path, question.project.paths)
    if files is None:
        return ()
    holder = scoping.imports_members and question.project.defining(module.rpartition(".")[2], path)
    if not files and holder:
        return ()  # a type whose members are imported
    return (Module(tuple(files)),) if files else (EXTERNAL,)


def _whence(question: Question, path: str, name: str, use: Use, meanings: Sequence[Resolution]) -> Whence:
    """Tell where what is no symbol of the code base comes from."""
    if not meanings:
        return Whence.Unknown
    if isinstance(meanings[0], Module):
        return Whence.Module
    declared = use.role is Role.Definition or isinstance(meanings[0], SymbolRef)
    is_key = use.role is Role.Other and use.receiver not in (BARE, UNKNOWN) and not _is_predeclared(path, use.receiver)
    is_key = is_key and not LiteralKeys(question.resolver).is_of_external_type(path, use)
    if declared or is_key or question.resolver.evaluator.is_of_nameless(path, name, use):
        return Whence.Attribute
    return Whence.Local if isinstance(meanings[0], LocalName) else Whence.Outside


def _is_predeclared(path: str, term: str) -> bool:
    """Tell whether a term begins with nothing but what the language of a file declares."""
    scoping = scoping_of(path)
    return scoping is not None and all(place_of_name(one.head).name in scoping.predeclared for one in parsed(term))


def _is_meant(target: Target, among: Sequence[Target], role: Role) -> bool:
    """Tell which of two symbols of one dotted name is meant where it has a role."""
    names = [(one.path, one.name) for one in among]
    if names.count((target.path, target.name)) == 1:
        return True
    if values_apart(target.path):
        return role in (Role.Import, Role.Inherit) or side(target) is (role is Role.Type)
    return target.callable is (role is Role.Call)


def defined(index: Index, names: Sequence[tuple[str, str]]) -> list[Target]:
    """Return the symbols with some paths and dotted names; those that are gone are left out."""
    found: list[Target] = []
    for path, name in names:
        source = index.try_read(path)
        if source is not None:
            found += _apart(source, _definitions(index, source, name))
    return found
