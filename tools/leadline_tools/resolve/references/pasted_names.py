"""Names that macros put together: a call of ``#define INIT(type) MODE_ ## type`` with ``OPEN`` uses ``MODE_OPEN``.

No token spells the name there, so these uses are in no class of the account. Which macros may make a name follows from
the parts that are written in them: each is a word of its own, ``MODE_`` before the name or ``_OPEN`` after it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import OUTSIDE, Use
from leadline_tools.languages.positions import Columns
from leadline_tools.languages.rules.macros import PastingMacro, PastingRules
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.references.undecided import undecided_aside
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.result import Aside

_MOST_FILES = 200
"""Files with a part of the name that are searched for macros, and files with a macro and its argument."""

_MOST_NAMED = 3

_BOUNDARY = re.compile(r"(?<=_)(?!_)|(?<!_)(?=_)|(?<=[a-z0-9])(?=[A-Z])")
"""Where a name may be divided into a part of a macro and an argument."""

_SHORTEST_PART = 2


@dataclass(frozen=True, slots=True)
class PastedUses:
    """The macros that may put a name together, each with its path, and the calls that may do so."""

    macros: Sequence[tuple[str, PastingMacro]] = ()
    calls: Sequence[ResolvedUse] = ()

    @property
    def number(self) -> int:
        """Return how many uses they are at least: the calls, or one for each macro where no calls were looked for."""
        return max(len(self.calls), len(self.macros))

    def notes(self) -> Iterator[str]:
        """Yield the line of an answer that names the macros."""
        if self.macros:
            named = ", ".join(
                f"{macro.name} {path}:{macro.line} ({macro.pasted})" for path, macro in self.macros[:_MOST_NAMED]
            )
            more = f" and {len(self.macros) - _MOST_NAMED:,} more" if len(self.macros) > _MOST_NAMED else ""
            yield f"hidden uses: macros may put the name together: {named}{more}"

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
    for path, macro in _pasting_macros(index, rules, home, name):
        calls = _calls(index, rules, home, macro) if (path, macro.line) not in declaring else []
        if calls is None or calls:
            macros[path, macro] = None
            found.update(dict.fromkeys(calls or ()))
    return PastedUses(list(macros), list(found))


def _rules(path: str) -> PastingRules | None:
    semantics = semantics_of(path)
    return semantics.macros.pasting if semantics is not None else None


def _pasting_macros(index: Index, rules: PastingRules, home: str, name: str) -> Iterator[tuple[str, PastingMacro]]:
    """Yield the macros of all files that have a part of the name as a word, and may make the whole."""
    parts = {part for at in _boundaries(name) for part in (name[:at], name[at:])}
    files = {path for part in parts if len(part) >= _SHORTEST_PART for path in _files(index, home, part) or ()}
    for path in sorted(files):
        cancellation.check()
        for macro in rules.find(_text(index, path), name):
            yield path, macro


def _boundaries(name: str) -> Sequence[int]:
    return [one.start() for one in _BOUNDARY.finditer(name) if 0 < one.start() < len(name)]


def _files(index: Index, home: str, *words: str) -> list[str] | None:
    """Return the files of the languages of ``home`` that hold some words; None where they are too many."""
    found = same_language_group(index.words.files_with(words, spelled=True), language_group(home))
    return found if len(found) <= _MOST_FILES else None


def _calls(index: Index, rules: PastingRules, home: str, macro: PastingMacro) -> list[ResolvedUse] | None:
    """Return the calls of a macro that may make the name; None where too many files would have to be searched."""
    found: list[ResolvedUse] = []
    files = _files(index, home, *(() if macro.is_passed else (macro.name,)), *(text for _, text in macro.arguments))
    within = _files(index, home, macro.name)  # in the body of another macro the argument may be a parameter
    if files is None and within is None:
        return None
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
    return found


def _text(index: Index, path: str) -> bytes:
    with index.tree.reading() as reader:
        return reader.text(path)
