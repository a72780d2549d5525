"""Names that macros put together: a call of ``#define INIT(type) MODE_ ## type`` with ``OPEN`` uses ``MODE_OPEN``.

No token spells the name there, so these uses are in no class of the account. Which macros may make a name follows from
the parts that are written in them: each is a word of its own, ``MODE_`` before the name or ``_OPEN`` after it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation, patience
from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import OUTSIDE, Use
from leadline_tools.languages.positions import Columns
from leadline_tools.languages.rules.macros import PastingMacro, PastingRules
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.plurals import count_noun
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.references.undecided import undecided_aside
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.result import Aside

_MOST_FILES = 200
"""Files with a part of the name that are searched for macros in any case, and files with a macro and its argument."""

_SHARE = 0.5
"""The part of the time left for which further files with a part of the name are searched for macros."""

_MOST_NAMED = 3

_BOUNDARY = re.compile(r"(?<=_)(?!_)|(?<!_)(?=_)|(?<=[a-z0-9])(?=[A-Z])")
"""Where a name may be divided into a part of a macro and an argument."""

_SHORTEST_PART = 2


@dataclass(frozen=True, slots=True)
class PastedUses:
    """The macros that may put a name together, each with its path, and the calls that may do so.

    The ``unsearched`` files have a part of the name, and there was no time to search them for macros.
    """

    macros: Sequence[tuple[str, PastingMacro]] = ()
    calls: Sequence[ResolvedUse] = ()
    unsearched: Sequence[str] = ()

    @property
    def number(self) -> int:
        """Return how many uses they are at least: the calls, or one for each macro where no calls were looked for."""
        return max(len(self.calls), len(self.macros))

    def notes(self) -> Iterator[str]:
        """Yield the lines of an answer that name the macros, and say how many files were not searched for others."""
        if self.macros:
            named = ", ".join(
                f"{macro.name} {path}:{macro.line} ({macro.pasted})" for path, macro in self.macros[:_MOST_NAMED]
            )
            more = f" and {len(self.macros) - _MOST_NAMED:,} more" if len(self.macros) > _MOST_NAMED else ""
            yield f"hidden uses: macros may put the name together: {named}{more}"
        if self.unsearched:
            yield f"{count_noun(len(self.unsearched), 'file')} not searched for macros that put the name together"

    def asides(self, index: Index) -> tuple[Aside, ...]:
        """Return the calls that make the name, as uses that are shown beside an answer."""
        return undecided_aside(index, self.calls, "made by a macro")


def pasted_uses(index: Index, target: DefinedSymbol) -> PastedUses:
    """Return the macros that may put the name of a symbol together, and where they are called to do so."""
    return pasted_uses_of(index, target.first.name, target.path)


def pasted_uses_of(index: Index, name: str, home: str, declaring: Collection[tuple[str, int]] = ()) -> PastedUses:
    """Return the macros that may put a name of a file together, but for those that declare it: paths and lines."""
    rules = _rules(home)
    if rules is None:
        return PastedUses()
    macros: dict[tuple[str, PastingMacro], None] = {}
    found: dict[ResolvedUse, None] = {}
    files, unsearched = _files_to_search(index, home, name), list[str]()
    for path, macro in _pasting_macros(index, rules, files, name, unsearched):
        calls = _calls(index, rules, home, macro) if (path, macro.line) not in declaring else []
        if calls is None or calls:
            macros[path, macro] = None
            found.update(dict.fromkeys(calls or ()))
    return PastedUses(list(macros), list(found), unsearched)


def _rules(path: str) -> PastingRules | None:
    semantics = semantics_of(path)
    return semantics.macros.pasting if semantics is not None else None


def _pasting_macros(
    index: Index, rules: PastingRules, files: Sequence[str], name: str, unsearched: list[str]
) -> Iterator[tuple[str, PastingMacro]]:
    """Yield the macros of some files that may make a name; the files for which there is no time are ``unsearched``."""
    now = time.monotonic()
    until = now + _SHARE * (patience.current().deadline - now)
    for number, path in enumerate(files):
        cancellation.check()
        if number >= _MOST_FILES and time.monotonic() > until:
            unsearched += files[number:]
            return
        for macro in rules.find(_text(index, path), name):
            yield path, macro


def _files_to_search(index: Index, home: str, name: str) -> Sequence[str]:
    """Return the files that have a part of a name as a word; of many, only where another file may give the rest."""
    halves = [(name[:at], name[at:]) for at in _boundaries(name)]
    files: set[str] = set()
    for part, rest in (*halves, *((right, left) for left, right in halves)):
        found = _files_with(index, home, part) if len(part) >= _SHORTEST_PART else []
        if len(found) <= _MOST_FILES or _files_with(index, home, rest):
            files.update(found)
    return sorted(files)


def _boundaries(name: str) -> Sequence[int]:
    return [one.start() for one in _BOUNDARY.finditer(name) if 0 < one.start() < len(name)]


def _files(index: Index, home: str, *words: str) -> list[str] | None:
    """Return the files of the languages of ``home`` that hold some words; None where they are too many."""
    found = _files_with(index, home, *words)
    return found if len(found) <= _MOST_FILES else None


def _files_with(index: Index, home: str, *words: str) -> list[str]:
    return same_language_group(index.words.files_with(words, spelled=True), language_group(home))


def _calls(index: Index, rules: PastingRules, home: str, macro: PastingMacro) -> list[ResolvedUse] | None:
    """Return the calls of a macro that may make the name; None where there may be some in too many files to search."""
    found: list[ResolvedUse] = []
    files = _files(index, home, *(() if macro.is_passed else (macro.name,)), *(text for _, text in macro.arguments))
    within = _files(index, home, macro.name)  # in the body of another macro the argument may be a parameter
    for path in dict.fromkeys((*(files or ()), *(within or ()))):
        cancellation.check()
        content = _text(index, path)
        columns = Columns(content)
        for start, end in rules.find_calls(content, macro):
            line = content.count(b"\n", 0, start) + 1
            column = columns.at(start, start - content.rfind(b"\n", 0, start) - 1)
            use = Use(line, column, column + end - start, OUTSIDE, Role.Other, BARE, -1)
            called = content[start:end].decode("utf-8", "replace")
            found.append(ResolvedUse(path, called, use, Tier.Name, Reason.Name, ""))
    return None if not found and (files is None or within is None) else found


def _text(index: Index, path: str) -> bytes:
    with index.tree.reading() as reader:
        return reader.text(path)
