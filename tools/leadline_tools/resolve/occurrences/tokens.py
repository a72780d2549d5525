"""The tokens that spell a name in a text, and which of them are code.

A token is an occurrence of the name that is no part of a longer word, as ``rg -w`` finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from typing import NamedTuple

from leadline_tools.index.text import scan
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import PARSED, UNKNOWN, language_in
from leadline_tools.languages.comment_syntax import comments
from leadline_tools.languages.language import Language
from leadline_tools.languages.lexing import Span, in_code, spans
from leadline_tools.languages.prose import is_prose
from leadline_tools.languages.regions import Lookup, Regions


class Token(NamedTuple):
    """A token: its 1-based line and column in code points, and whether it stands in a comment, a string or prose.

    ``is_undecided`` tells that it is code of a region whose names are not resolved, whatever the language of the file.
    """

    line: int
    column: int
    is_text: bool
    is_undecided: bool = False


class FileKind(Enum):
    """What the rules say of the tokens in a file where a symbol is not resolved."""

    Prose = auto()
    """The file holds no code."""

    Foreign = auto()
    """The file is code that cannot name the symbol: of another language, or where the symbol is not visible."""

    Unruled = auto()
    """The file may hold code, and there are no rules by which its names are resolved."""


def places_of(source: Source, name: str) -> frozenset[tuple[int, int]]:
    """Return the 1-based lines and columns of the tokens that spell ``name`` in a file, as of ``tokens_of``."""
    return frozenset((line, column) for line, column, _ in token_places(source.content, name))


def tokens_of(source: Source, name: str) -> list[Token]:
    """Return the tokens that spell ``name`` in a file, in the order of the source."""
    language = language_in(source.path, source.content)
    if is_prose(source.path, _name_of(language)):
        return [Token(line, column, True) for line, column, _ in token_places(source.content, name)]
    regions = (
        language.source.regions(source.path, source.content)
        if language is not None and language.source.regions
        else None
    )
    if regions is not None:
        return _tokens_of_regions(source, name, regions)
    lexis = language.source.lexis if language is not None else None
    found = (
        spans(source.content, lexis) if lexis is not None else comments(source.content, source.path, _name_of(language))
    )
    span: Span | None = next(found, None)
    tokens: list[Token] = []
    for line, column, offset in token_places(source.content, name):
        while span is not None and span.end <= offset:
            span = next(found, None)
        tokens.append(Token(line, column, span is not None and offset >= span.start))
    return tokens


def _tokens_of_regions(source: Source, name: str, regions: Regions) -> list[Token]:
    """Return the tokens in a file of which only some regions are code: what is in none of them is text."""
    lookup = Lookup(regions)
    places = [(place, lookup.code_offset(place[2])) for place in token_places(source.content, name)]
    lexis = PARSED[regions.language].source.lexis if regions.language else None
    inside = sorted({at for _, at in places if at >= 0})
    code = set(in_code(inside, regions.code, lexis)) if lexis is not None else set(inside)
    tokens: list[Token] = []
    for (line, column, offset), at in places:
        is_undecided = at < 0 and lookup.is_undecided(offset)
        tokens.append(Token(line, column, not (is_undecided or at in code), is_undecided))
    return tokens


def find_named(source: Source, name: str, places: AbstractSet[tuple[int, int]]) -> tuple[Sequence[Token], int]:
    """Return the tokens of code at some places that may be names, and how many others there are keywords.

    In none of the places a rule sees a name. What is left is text.
    """
    code = [one for one in tokens_of(source, name) if not one.is_text and (one.line, one.column) in places]
    language = language_in(source.path, source.content) if code else None
    is_no_name = language.semantics.uses.is_no_name if language is not None and language.semantics is not None else None
    if is_no_name is None:
        return code, 0
    lines = source.lines()
    named = [one for one in code if not is_no_name(*_around(lines[one.line - 1], one.column - 1, name))]
    return named, len(code) - len(named)


def _around(line: str, start: int, word: str) -> tuple[str, str, str]:
    """Return what is before a word in a line, the word, and what is after it."""
    return line[:start], word, line[start + len(word) :]


def count_tokens(content: bytes, name: str) -> int:
    """Return how many tokens of a text spell ``name``."""
    return sum(1 for _ in scan.occurrences(content, name.encode("utf-8", "replace")))


def kind_of(source: Source, home: Language | None, *, hidden: bool) -> FileKind:
    """Return what kind of file this is for a symbol of the language ``home`` that cannot be resolved in it.

    ``hidden`` says that code of that group of languages cannot name the symbol there; else it can, unresolved.

    Code of another group of languages cannot name the symbol by the definition of that language, unless symbols of one
    of them are linked by their bare names, as those of C are.
    """
    language = language_in(source.path, source.content)
    if is_prose(source.path, _name_of(language)):
        return FileKind.Prose
    if language is None or language.semantics is None or home is None or home.semantics is None:
        return FileKind.Unruled
    if language.language_group == home.language_group:
        return FileKind.Foreign if hidden else FileKind.Unruled
    linked = home.semantics.visibility.links_definitions or language.semantics.visibility.links_definitions
    return FileKind.Unruled if linked else FileKind.Foreign


def _name_of(language: Language | None) -> str:
    return language.name if language is not None else UNKNOWN


def token_places(content: bytes, name: str) -> Iterator[tuple[int, int, int]]:
    """Yield the line, the column and the byte offset of each token that spells ``name``."""
    line, begin, at = 1, 0, 0
    is_ascii = content.isascii()
    for offset in scan.occurrences(content, name.encode("utf-8", "replace")):
        lines = content.count(b"\n", at, offset)
        if lines:
            line += lines
            begin = content.rfind(b"\n", 0, offset) + 1
        at = offset
        before = offset - begin if is_ascii else len(content[begin:offset].decode("utf-8", "replace"))
        yield line, before + 1, offset
