"""What Leadline has to know of a language: a grammar, what defines, what scopes, what imports.

A language is a folder beside this module, whose ``rules.py`` holds a ``LANGUAGE`` (or several, ``LANGUAGES``).
Everything is data, or a small function of a syntax node; the walks that read the data are ``outline`` and ``facts``.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import tree_sitter

from leadline_tools.languages.blanking import Bodies, Span, blank
from leadline_tools.languages.lexing import Lexis
from leadline_tools.languages.reach import Reaching, anywhere
from leadline_tools.languages.regions import Regions
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.imports import ImportRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.macros import MacroRules
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.outline import Defines
from leadline_tools.languages.rules.scopes import ScopeRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules

RegionsOf = Callable[[str, bytes], Regions | None]
"""From the path and the content of a file to the regions with code in it; None where all of it is code."""


def module_of_path(path: str) -> str:
    """Return the dotted module of ``path``: its folders and its name without extension."""
    return path.rsplit(".", 1)[0].replace("/", ".")


def module_of_folder(path: str) -> str:
    """Return the dotted module of ``path`` where the folder is the package (Go, Java, C#)."""
    return path.rpartition("/")[0].replace("/", ".")


def no_module(_path: str) -> str:
    """Return the empty module: names of this language do not depend on where the file lies (C, C++)."""
    return ""


def says_private(_name: str, signature: str) -> bool:
    """Tell whether ``private`` or ``protected`` is among the modifiers of a member."""
    modifiers = signature.partition("(")[0].partition("=")[0].split()[:-1]
    return not {"private", "protected"}.isdisjoint(modifiers)


_SHORTEST_GAP: Final = 64
"""Bytes of lines without text that are worth leaving out of what is parsed: a range costs as much as so many blanks."""


_MOST_RANGES: Final = 1_000
"""The parser looks for its place among all ranges again and again; beyond this it had better read the blanks."""


_IDENTIFIER = re.compile(r"[^\W\d]\w*")


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
            return self._parser.parse(self.language.prepared(content))
        lean = _Lean(content, without, self.language.empty_body)
        self._parser.included_ranges = lean.ranges
        return self._parser.parse(lean.changed(self.language.prepared) if self.language.is_prepared else lean.text)


class _Lean:
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
        point = tree_sitter.Point(0, 0)
        for number, part in enumerate(self._parts[:-1]):
            at += len(part)
            row += part.count(b"\n")
            if number % 2:
                begin, point = at, tree_sitter.Point(row, 0)
            elif part:
                ranges.append(tree_sitter.Range(point, tree_sitter.Point(row, 0), begin, at))
        # An empty range at the end would make what is before go on up to it.
        if begin and (self._parts[-1] or not ranges):
            ranges.append(tree_sitter.Range(point, _END[0], begin, _END[1]))
        return ranges

    @property
    def text(self) -> bytes:
        """Return the source, with blanks for short bodies."""
        return b"".join(self._parts)

    def changed(self, change: Callable[[bytes], bytes]) -> bytes:
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
class Scoping:
    """What decides which definition a name means: a record for each noun, see ``rules``.

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


@dataclass(frozen=True, slots=True)
class Language:
    """A language: how its files are known, parsed and read.

    Args:
        name: Lower case, without spaces: ``python``, ``csharp``.
        extensions: The endings of its files, with the dot.
        grammar: The module of the grammar wheel and the function in it that gives the grammar.
        definitions: What defines, by node type.
        through: Node types that are looked into for definitions besides the bodies of definitions.
        embedded: What stands in expressions and defines a name of the module or class around, with the text without
            which there is none.
        wrappers: Node types around one definition that belong to its range (decorators, ``export``, templates).
        prefixes: Node types just before a definition that belong to its range (attributes, decorators of methods).
        decorations: Node types at the beginning of a definition, or of the modifiers there, that say nothing of what
            it is: annotations and attributes. The signature leaves them out, as it does wrappers and prefixes.
        decorators: Where decorators are called with what they stand before: those of the language and its library that
            do not ask what it is called. None where they only say something of it.
        computed: What asks an object, in a method of its own, for a member whose name is made while the program runs;
            the group ``head`` is what that name begins with, as far as it is written.
        comments: The node types of comments.
        docstring: True where the first string of a body documents it (Python); else the comment above does.
        module: From a path to the dotted prefix of the qualified names in it.
        filenames: Whole names of files that have no telling extension.
        fragments: The endings of files that others include, of which only the content says what language they are in.
        fragment: From the content of such a file to the name of the language, of those that have the grammar; empty
            where it is none of them.
        bare_headers: True where what is taken in as a whole may have a name without an extension.
        interpreters: The names after ``#!`` by which a script without extension is known.
        indexed: False for a language with an outline but no symbols worth searching for (Markdown, JSON).
        scoping: What resolves names; ``None`` where only the outline is known.
        relatives: The name of the language whose files can refer to this one's and be referred to; empty: only its own.
        masked: What is parsed in place of the content, of the same length and lines: without what the grammar trips
            over. The words that it leaves out are names all the same.
        selected: What of a source is compiled together, of the same length and lines: of the branches of a condition
            that cut through brackets one alone; or forms that the grammar does not know as it knows them. Nothing is
            known of the words that it leaves out.
        bodies: What is left out of a source that is parsed for the index: bodies and whatever else has brackets, in
            which nothing is defined, and lines whose text tells what they define.
        directives: What is left out of a source whose whole outline is made: lines that the grammar does not know
            wherever they may stand.
        empty_body: The two brackets that are parsed for such a body; empty: its own.
        textual: Tells from the path and content of a file that its symbols are not worth an index beside its words.
        besides: Of such a file what is left out to find its other symbols; None where it can have none.
        lexis: Where its comments and strings are.
        keywords: The words that no symbol can be called.
        identifier: What a symbol can be called, but for these.
        renames: From a name and a new one to why the one cannot become the other, as part of a sentence; empty where it
            can: what a name is called may say what it is.
        bound: Tells of the path and a line of what is no code, and a name in it, that the name is bound to it there: a
            directive, or assembly.
        private: Tells from the name and the signature of a member that it is for its own type only.
        reach: Tells from where a symbol can be named.
        constructors: The names of the methods that run when an object is made, but for those that are called like their
            type.
        directive: The lines that choose what is compiled, where the grammar knows them only between declarations and
            statements: what they cut apart elsewhere does not parse, and is right all the same.
        sigil: True where the name of a variable begins with ``$`` and nothing else does.
        named_after: True where a file has to be called like the type in it that is public.
        head: From the head of a declaration on one line, and a name that it declares, to what declares that name alone.
            None where a declaration has a head for each name.
        dialect: The name of the language of a file from its path and content, where the ending does not tell (``.h``).
        regions: Where the code is in a file that holds other things too.
        embeds: The name of the language of that code, whose rules this one has; empty where it is this language.
        words: The text whose words are indexed in place of the content, where an escape may stand before a word.
        has_own_outline: True where a file that holds code of another language has an outline besides.

    """

    name: str
    extensions: tuple[str, ...]
    grammar: tuple[str, str]
    definitions: Mapping[str, Defines]
    through: frozenset[str] = frozenset()
    embedded: Mapping[str, bytes] = field(default_factory=dict[str, bytes])
    wrappers: frozenset[str] = frozenset()
    prefixes: frozenset[str] = frozenset()
    decorations: frozenset[str] = frozenset()
    decorators: frozenset[str] | None = None
    computed: re.Pattern[str] | None = None
    comments: frozenset[str] = frozenset({"comment"})
    docstring: bool = False
    module: Callable[[str], str] = module_of_path
    filenames: tuple[str, ...] = ()
    bare_headers: bool = False
    fragments: tuple[str, ...] = ()
    fragment: Callable[[bytes], str] | None = None
    interpreters: tuple[str, ...] = ()
    indexed: bool = True
    scoping: Scoping | None = None
    relatives: str = ""

    @property
    def family(self) -> str:
        """Return what is equal for languages that can refer to each other's symbols."""
        return self.relatives or self.name

    @property
    def rules(self) -> str:
        """Return what is equal for languages that have the same rules: the name of the one that has them itself."""
        return self.embeds or self.name

    masked: Callable[[bytes], bytes] | None = None
    selected: Callable[[bytes], bytes] | None = None
    bodies: Callable[[bytes], Bodies] | None = None
    directives: Callable[[bytes], Bodies] | None = None
    empty_body: bytes = b""
    textual: Callable[[str, bytes], bool] | None = None
    besides: Callable[[bytes], Bodies | None] | None = None
    dialect: Callable[[str, bytes], str] | None = None
    directive: re.Pattern[bytes] | None = None
    sigil: bool = False
    named_after: bool = False
    bound: Callable[[str, str, str], bool] = lambda _path, _line, _name: False
    private: Callable[[str, str], bool] = says_private
    head: Callable[[str, str], str] | None = None
    reach: Reaching = anywhere
    constructors: frozenset[str] = frozenset()
    lexis: Lexis | None = None
    keywords: frozenset[str] = frozenset()
    identifier: re.Pattern[str] = _IDENTIFIER
    regions: RegionsOf | None = None
    embeds: str = ""
    has_own_outline: bool = False
    words: Callable[[str], str] | None = None
    renames: Callable[[str, str], str] = lambda _old, _new: ""

    @property
    def is_prepared(self) -> bool:
        """Tell whether something else than a source may be parsed in its place."""
        return self.selected is not None or self.masked is not None

    def prepared(self, content: bytes) -> bytes:
        """Return what is parsed in place of a source."""
        if self.selected is not None:
            content = self.selected(content)
        return self.masked(content) if self.masked is not None else content

    @property
    def has_subtypes(self) -> bool:
        """Tell whether types of the language inherit from others."""
        return any(rule.bases is not None for rule in self.definitions.values())

    def parser(self) -> Parser:
        """Return a new parser of this language; loads the grammar, so call it in a worker process."""
        return Parser(self)
