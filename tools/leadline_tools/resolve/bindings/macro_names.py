"""Names that the calls of macros declare: ``#define X(name) KIND_##name,`` with ``X(OPEN)`` in an enumeration.

No token spells such a name where it is declared. The *given* word, the argument of which the macro makes the name,
stands for its definition.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

import re2

from leadline_tools import cancellation
from leadline_tools.errors import DeclaredByMacro, LeadlineError, NoSuchSymbol, NothingThere, NotUnderstood
from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.rules.macros import MacroEntry
from leadline_tools.languages.terms import BARE, TAGS
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.addresses.file_position import FilePosition, parse_position
from leadline_tools.resolve.addresses.used_names import uses_at
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.question import Question, asking, by_root
from leadline_tools.resolve.symbols.defined_symbol import SymbolMatches

_MOST_FILES = 64
"""Files that are searched for what a name is, or at a time for macros that make one of a word."""

_WORD = re2.compile(rb"[A-Za-z_]\w*")


class MacroName(NamedTuple):
    """A name that the call of a macro declares.

    Args:
        name: The name.
        given: The place of the word of which the macro makes it.
        word: That word: often the name itself.
        call: The place of the call, as compilers have it: of a list of words that is expanded, not its definition.
        macro: The path and the line of the macro.

    """

    name: str
    given: FilePosition
    word: str
    call: FilePosition
    macro: tuple[str, int]


@dataclass(frozen=True, slots=True)
class MacroNames:
    """The names that macros declare and an address means.

    Args:
        names: The names.
        unsearched: The files that hold the name, or what a word is given to, and were not searched for others.
        by_name: Whether the address is a name: then it means all that are called so.

    """

    names: Sequence[MacroName] = ()
    unsearched: Sequence[str] = ()
    by_name: bool = False


class DeclaringCalls:
    """The calls of macros that declare a name for a file, where nothing else does.

    Args:
        path: The file.
        name: The name.
        sources: The texts that may hold such calls.
        entries: The calls.

    """

    def __init__(self, path: str, name: str, sources: Mapping[str, bytes], entries: Sequence[MacroEntry]) -> None:
        self._path = path
        self._name = name
        self._sources = sources
        self._entries = entries

    @classmethod
    def find(cls, question: Question, path: str, name: str) -> DeclaringCalls:
        """Return the calls that declare a name for a file."""
        semantics = semantics_of(path)
        files = question.resolver.includes.of(path) if semantics is not None else None
        if semantics is None or semantics.macros.entries is None or files is None:
            return cls(path, name, {}, ())
        telling = frozenset(_telling(question, files, name))
        listed = {file: question.project.text(file) for file in files if file in telling}
        entries = [*semantics.macros.entries(name, listed)] if not _is_declared(question, path, name) else ()
        return cls(path, name, listed, entries)

    def meant(self, use: Use | None = None) -> MacroName | None:
        """Return what a use means, or the name where no function declares it; None where no call declares that.

        A block inside another begins after it, so the innermost of those that see the use is the last.
        """
        chosen = next((one for one in self._entries if not one.end), None)
        local = [one for one in self._entries if one.end and one.path == self._path] if use is not None else []
        if use is not None and local:
            offset = _offset_of(self._sources[self._path], FilePosition(self._path, use.line, use.column))
            seen = (one for one in local if one.offset <= offset < one.end)
            chosen = max(seen, key=lambda one: one.offset, default=chosen)
        return self._named(chosen) if chosen is not None else None

    def _named(self, entry: MacroEntry) -> MacroName:
        content = self._sources[entry.given_path]
        word = _word_at(content, entry.given_offset) or self._name
        given = FilePosition(entry.given_path, *_place_of(content, entry.given_offset))
        call = FilePosition(entry.path, *_place_of(self._sources[entry.path], entry.offset))
        macro = entry.macro_path, _line_of(self._sources[entry.macro_path], entry.macro_offset)
        return MacroName(self._name, given, word, call, macro)


def macro_name(question: Question, path: str, name: str, use: Use | None = None) -> MacroName | None:
    """Return what a use is, or a name in a file, where a macro declares it and nothing else does; None otherwise."""
    return DeclaringCalls.find(question, path, name).meant(use)


def _is_declared(question: Question, path: str, name: str) -> bool:
    """Return whether a file, or one that it includes, declares a name, so that no macro is needed for it."""
    for file in question.resolver.includes.defining(path, name):
        facts = question.project.facts(file)
        if facts is not None and facts.all_at(name):
            return True
    facts = question.project.facts(path)
    return facts is not None and bool(facts.all_at(name))


def is_name_of_macro(use: Use) -> bool:
    """Return whether a use may be of a name that a macro declares: it is no member of anything."""
    return use.receiver in (BARE, TAGS)


def resolve_unless_macro(index: Index, address: str) -> SymbolMatches | MacroNames:
    """Return the symbols that an address means or may mean; where it means none, the names that macros declare there.

    Raises what ``resolve_address`` raises where it means neither.
    """
    try:
        found = resolve_address(index, address, possible=True)
    except (NoSuchSymbol, NothingThere, NotUnderstood) as error:
        made = macro_names_at(index, address)
        if not made.names:
            raise with_unsearched(error, made) from None
        return made
    if not found.possible:
        return found
    made = macro_names_at(index, address)
    return made if made.names else replace(found, more=found.more or bool(made.unsearched))


@contextmanager
def naming_macros(index: Index, address: str) -> Iterator[None]:
    """Have the block that resolves an address raise DeclaredByMacro where nothing but macros declare what it means."""
    try:
        yield
    except (NoSuchSymbol, NothingThere, NotUnderstood) as error:
        made = macro_names_at(index, address)
        for one in made.names:
            raise DeclaredByMacro(one.name, ":".join(map(str, one.given))) from None
        raise with_unsearched(error, made) from None


def with_unsearched(error: LeadlineError, made: MacroNames) -> LeadlineError:
    """Return the error for an address that means nothing; it says how many files were not searched for macros."""
    if made.unsearched and isinstance(error, NoSuchSymbol):
        return error.with_unsearched(len(made.unsearched))
    return error


def macro_names_at(index: Index, address: str) -> MacroNames:
    """Return the names that macros declare and an address means: as a name, at a use, or at the word they are made of.

    None where the address means anything else. Raises a PathError.
    """
    place = parse_position(index, address)
    if place is None:
        return _named_by_macro(index, address.strip())
    if not place.column:
        return MacroNames()
    with asking(index.of(place.path), ahead=False) as question:
        used = [one for one in uses_at(index, question, place) if is_name_of_macro(one[1])]
        made = [macro_name(question, place.path, name, use) for name, use, meanings in used if not meanings]
        given = _names_made_of(index, question, place)
        named = [*given.names, *(one for one in made if one is not None)]
        return replace(given, names=list({(one.name, one.given): one for one in reversed(named)}.values()))


def _named_by_macro(index: Index, name: str) -> MacroNames:
    """Return what a name is that macros declare for the first files that use it."""
    spelling = index.words.files_with((name,), spelled=True) if name.isidentifier() else ()
    declaring = [*filter(_may_have_macro_names, spelling)]
    found: dict[FilePosition, MacroName] = {}
    for root, paths in by_root(index, declaring[:_MOST_FILES], lambda path: path).items():
        with asking(root, ahead=False) as question:
            question.project.prepare(paths)
            for one in (_used_in(question, path, name) for path in paths):
                if one is not None:
                    found.setdefault(one.given, one)
    return MacroNames(list(found.values()), declaring[_MOST_FILES:], by_name=True)


def _may_have_macro_names(path: str) -> bool:
    semantics = semantics_of(path)
    return semantics is not None and semantics.macros.entries is not None


def _used_in(question: Question, path: str, name: str) -> MacroName | None:
    """Return what a name is that a macro declares for a file that uses it; None for any other."""
    facts = question.project.facts(path)
    for use in facts.uses.get(name, ()) if facts is not None else ():
        if is_name_of_macro(use) and not question.resolver.resolve(path, name, use):
            return macro_name(question, path, name, use)
    return None


def _names_made_of(index: Index, question: Question, place: FilePosition) -> MacroNames:
    """Return the names that macros make of the word at a place, which is given to them."""
    semantics, source = semantics_of(place.path), index.try_read(place.path)
    if semantics is None or source is None or semantics.macros.made_of is None or not place.column:
        return MacroNames()
    given = semantics.macros.given_at(source.content, _offset_of(source.content, place))
    if given is None:
        return MacroNames()
    files = same_language_group(index.words.files_with((given.called,), spelled=True), language_group(place.path))
    found: dict[str, MacroName] = {}
    sources: dict[str, bytes] = {}
    for start in range(0, len(files), _MOST_FILES):
        cancellation.check()
        sources |= {file: question.project.text(file) for file in files[start : start + _MOST_FILES]}
        for name, home in semantics.macros.made_of(given, sources):
            for path in (home, place.path) if name not in found else ():
                made = macro_name(question, path, name)
                if made is not None and made.given == place:
                    found[name] = made
        if found:
            return MacroNames(list(found.values()), files[start + _MOST_FILES :])
    return MacroNames()


def _telling(question: Question, files: Sequence[str], name: str) -> Iterator[str]:
    """Yield files that may declare a name by macros: they spell it, put it together, or define what is given it."""
    spelling = frozenset(question.project.spelling(name)).intersection(files)
    yield from spelling
    called = re2.compile(rb"\b([A-Za-z_]\w*)[ \t]*\([^(){};]*\b" + re2.escape(name.encode("utf-8", "replace")) + rb"\b")
    macros = {found.decode() for file in spelling for found in called.findall(question.project.text(file))}
    for file in files:
        defines = not macros.isdisjoint(question.project.macros.with_parameters(file))
        if defines or _may_paste(question, file, name) or _includes_any(question, file, spelling):
            yield file


def _includes_any(question: Question, path: str, wanted: Collection[str]) -> bool:
    return any(one in wanted for one in question.project.includes.of(path) or ())


def _may_paste(question: Question, path: str, name: str) -> bool:
    return any(pattern and re2.fullmatch(pattern, name) for pattern in question.project.macros.pasted_names(path))


def _word_at(content: bytes, offset: int) -> str:
    found = _WORD.match(content, offset)
    return content[offset : found.end()].decode() if found is not None else ""


def _line_of(content: bytes, offset: int) -> int:
    return content.count(b"\n", 0, offset) + 1


def _place_of(content: bytes, offset: int) -> tuple[int, int]:
    start = content.rfind(b"\n", 0, offset) + 1
    return _line_of(content, offset), len(content[start:offset].decode("utf-8", "replace")) + 1


def _offset_of(content: bytes, place: FilePosition) -> int:
    start = 0
    for _ in range(place.line - 1):
        start = content.find(b"\n", start) + 1
    line = content[start:].partition(b"\n")[0].decode("utf-8", "replace")
    return start + len(line[: place.column - 1].encode("utf-8", "replace"))
