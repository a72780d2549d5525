"""A *language*: its grammar, and the rules by which its files are parsed, outlined and resolved.

A language is a folder beside this module, whose ``rules.py`` holds a ``LANGUAGE`` (or several, ``LANGUAGES``).
Everything is data, or a small function of a syntax node; the walks that read the data are ``outline`` and ``facts``.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import tree_sitter

from leadline_tools.languages.blanking import Span, blank
from leadline_tools.languages.facts import Use
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.imports import ImportRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.macros import MacroRules
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import OutlineRules
from leadline_tools.languages.rules.scopes import ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.languages.terms import BARE

_SHORTEST_GAP: Final = 64
"""Bytes of lines without text that are worth leaving out of what is parsed: a range costs as much as so many blanks."""

_MOST_RANGES: Final = 1_000
"""The parser looks for its place among all ranges again and again; beyond this it had better read the blanks."""

_END: Final = tree_sitter.Point(0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF


class Parser:
    """Parses files of one language."""

    def __init__(self, language: Language) -> None:
        module, function = language.grammar
        self.language: Final = language
        grammar = getattr(importlib.import_module(module), function)
        with warnings.catch_warnings():
            # Wheels with older bindings give the address of the grammar as a number, which is deprecated.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._parser = tree_sitter.Parser(tree_sitter.Language(grammar()))

    def parse(self, content: bytes, without: Sequence[Span] = ()) -> tree_sitter.Tree:
        """Return the tree of ``content``, ``without`` what need not be parsed of it."""
        if not without:
            self._parser.included_ranges = []
            return self._parser.parse(self.language.source.prepare(content))
        lean = _LeanSource(content, without, self.language.source.empty_body)
        self._parser.included_ranges = lean.ranges
        rules = self.language.source
        return self._parser.parse(lean.change(rules.prepare) if rules.is_prepared else lean.text)


class _LeanSource:
    """A source without some bodies, of which short ones are blanks and the lines of long ones are skipped."""

    def __init__(self, content: bytes, bodies: Sequence[Span], brackets: bytes) -> None:
        self._skipped = b"\r\n\r\n" if content.endswith(b"\r", 0, content.find(b"\n")) else b"\n\n"
        skips = sum(end - start > _SHORTEST_GAP for start, end in bodies) < _MOST_RANGES
        self._parts: list[bytes] = []
        written: list[bytes] = []
        done = 0
        for start, end in bodies:
            whole = content.endswith(b"\n", start, end)
            opening = b"" if whole else brackets[:1] or content[start : start + 1]
            closing = b"" if whole else brackets[1:] or content[end - 1 : end]
            inner, last = start + len(opening), end - len(closing)
            begin = start if whole else content.find(b"\n", inner, last) + 1
            stop = content.rfind(b"\n", inner, last) + 1
            written += (content[done:start], opening)
            if skips and (whole or stop - begin >= _SHORTEST_GAP):
                written.append(blank(content[inner:begin]))
                self._parts += (b"".join(written), content[begin:stop])
                written.clear()
                inner = stop
            written += (blank(content[inner:last]), closing)
            done = end
        self._parts.append(b"".join((*written, content[done:])))

    @property
    def ranges(self) -> list[tree_sitter.Range]:
        """Return the ranges of what is parsed; none at all for the whole text."""
        ranges: list[tree_sitter.Range] = []
        begin = at = row = 0
        point = 0, 0
        for number, part in enumerate(self._parts[:-1]):
            at += len(part)
            row += part.count(b"\n")
            if number % 2:
                begin, point = at, (row, 0)
            elif part:
                ranges.append(tree_sitter.Range(point, (row, 0), begin, at))
        # An empty range at the end would make what is before go on up to it.
        if begin and (self._parts[-1] or not ranges):
            ranges.append(tree_sitter.Range(point, _END[0], begin, _END[1]))
        return ranges

    @property
    def text(self) -> bytes:
        """Return the source, with blanks for short bodies."""
        return b"".join(self._parts)

    def change(self, change: Callable[[bytes], bytes]) -> bytes:
        """Return the source with all that is parsed changed as if it were one text, which has to keep its length.

        Empty lines stand in that text for those that are skipped: they end what is before them.
        """
        parts = list(self._parts)
        written = change(self._skipped.join(parts[::2]))
        at = 0
        for number in range(0, len(parts), 2):
            size = len(parts[number])
            parts[number] = written[at : at + size]
            at += size + len(self._skipped)
        return b"".join(parts)


@dataclass(frozen=True, slots=True)
class Semantics:
    """The semantics of a language: the rules that decide which definition a name means, a record for each noun.

    See ``rules`` for the records.

    Args:
        scopes: What opens scopes, and what binds names in them.
        uses: What nodes do with the names in them.
        imports: What imports and exports, and where modules lie.
        visibility: What names mean that no scope around binds.
        types: How types and values are spelled, and what tells types.
        members: What members types have.
        calls: What calls say.
        library: What the standard library and the hosts of a language have.
        macros: What macros and conditions do with names.

    """

    scopes: ScopeRules
    uses: UseRules = UseRules()
    imports: ImportRules = ImportRules()
    visibility: VisibilityRules = VisibilityRules()
    types: TypeRules = TypeRules()
    members: MemberRules = MemberRules()
    calls: CallRules = CallRules()
    library: LibraryRules = LibraryRules()
    macros: MacroRules = MacroRules()

    def is_implicit_call(self, use: Use) -> bool:
        """Return whether a use is a sign that calls methods without their names, as an operator does."""
        takes_member = bool(self.scopes.same_named) and use.receiver == BARE
        return bool(use.taken and self.calls.implicit_calls) and not takes_member


@dataclass(frozen=True, slots=True)
class Language:
    """A language: how its files are known, parsed and read.

    Args:
        name: Lower case, without spaces: ``python``, ``csharp``.
        grammar: The module of the grammar wheel and the function in it that gives the grammar.
        files: How its files are known.
        outline: What defines symbols.
        names: What symbols can be called.
        source: What the parser reads.
        semantics: What resolves names; ``None`` where only the outline is known.
        relatives: The name of the language whose files can refer to this one's and be referred to; empty: only its own.
        embeds: The name of the language of the code in a file that holds other things too, whose rules this one has;
            empty where it is this language.

    """

    name: str
    grammar: tuple[str, str]
    files: FileRules
    outline: OutlineRules
    names: NameRules = NameRules()
    source: SourceRules = SourceRules()
    semantics: Semantics | None = None
    relatives: str = ""
    embeds: str = ""

    @property
    def language_group(self) -> str:
        """Return what is equal for languages that can refer to each other's symbols."""
        return self.relatives or self.name

    @property
    def rules(self) -> str:
        """Return what is equal for languages that have the same rules: the name of the one that has them itself."""
        return self.embeds or self.name

    def parser(self) -> Parser:
        """Return a new parser of this language; loads the grammar, so call it in a worker process."""
        return Parser(self)
