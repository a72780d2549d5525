"""Names in unparsed lines: what may be declared there, and from what a type that is may inherit.

The text is all that there is to tell. Names that declare nothing may be among them; where a grammar gave up, that is
better than one too few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from tree_sitter import Node

from leadline_tools.languages.blanking import Span, blank
from leadline_tools.languages.hidden_types import names_in
from leadline_tools.languages.language import Language
from leadline_tools.languages.lexing import spans
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.unparsed import texts_with_definitions
from leadline_tools.lazy_regex import lazy_compile

_LONGEST_HEAD: Final = 2_000
"""Bytes that are read behind the word that declares a type."""

_TYPE: Final = lazy_compile(
    rb"(?<![\w$.])(?:class|struct|interface|trait|enum|object|record|extension|protocol|impl|mixin|module|actor|union)"
    rb"(?![\w$])(?=[ \t\r\n<:(])"
)
_HEAD_END: Final = lazy_compile(rb"[{};]|\n(?![ \t]*(?:[:,<({)>]|extends\b|implements\b|with\b|where\b|permits\b))")
_FIRST: Final = lazy_compile(rb"\s*(?:(?:class|struct|case|companion|data|final)\s+)*([^\W\d][\w$]*)?")
_WITHOUT_OWN_NAME: Final = (b"impl", b"extension")
"""What a type is given in apart from its declaration: all names behind such a word may be bases."""

_KEYWORD: Final = lazy_compile(
    rb"(?<![\w$.])(?:def|fun|func|fn|function|sub|val|var|let|const|static|case|type|typealias|typedef|using|macro)"
    rb"[ \t]+(?:\([^()\n]{0,200}\)[ \t]*|<[^<>\n]{0,200}>[ \t]*)?(?:[\w$<>?, ]{1,200}[.:]+)?([^\W\d][\w$]*)"
)
_TYPED: Final = lazy_compile(rb"((?<![\w$])[\w$]+|[>\]*&?])[ \t]+([^\W\d][\w$]*)[ \t]*(?=[(;={:])")
_METHOD: Final = lazy_compile(
    rb"^[ \t]*(?:(?:async|static|get|set|public|private|protected|readonly|override|\*)[ \t]+)*([^\W\d][\w$]*)"
    rb"[ \t]*\([^()\n]*\)[^{};\n]*\{",
    re.MULTILINE,
)
_DIRECTIVE: Final = lazy_compile(rb"^[ \t]*#(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)
_NO_NAMES: Final = frozenset(
    b"const static inline extern volatile struct enum union class operator typename template void char int long short"
    b" float double unsigned signed bool auto if while for switch when catch function return defined".split()
)
_NO_TYPES: Final = frozenset(
    b"return new throw else in is as extends implements import package await yield case goto delete not and or of from"
    b" if elif while for foreach do switch when catch until unless using typeof sizeof instanceof echo print puts raise"
    b" assert require include export default break continue defer go select match where with".split()
)


class UnparsedName(NamedTuple):
    """A name that lines which did not parse may declare.

    Args:
        name: The name; empty where a type is given bases apart from its declaration.
        line: 1-based.
        bases: The names of what it may inherit from, if it is a type.

    """

    name: str
    line: int
    bases: tuple[str, ...] = ()


def unparsed_names(
    root: Node, content: bytes, left_out: Iterable[Span], found: Sequence[Definition], language: Language
) -> list[UnparsedName]:
    """Return the names that the lines of a source which did not parse may declare and that were not found there.

    Args:
        root: The tree of the source.
        content: The source.
        left_out: What was not parsed of it.
        found: The definitions that were found.
        language: The language of the source.

    """
    regions = list(texts_with_definitions(root, found, language))
    if not regions:
        return []
    text = _code(content, left_out, language)
    known = {(one.name, one.line) for one in found}
    names: dict[UnparsedName, None] = {}
    for start, unparsed, lines in regions:
        end = start + len(unparsed)
        for at, name, bases in _declared(text[start:end]):
            one = UnparsedName(name, lines.first + text.count(b"\n", start, start + at), bases)
            if bases or (name, one.line) not in known:
                names[one] = None
    return sorted(names, key=lambda one: (one.line, one.name))


def _code(content: bytes, left_out: Iterable[Span], language: Language) -> bytes:
    """Return a source with blanks for what is left out of it, for comments and for strings."""
    lexis = language.source.lexis
    inert = [(one.start, one.end) for one in spans(content, lexis)] if lexis is not None else []
    text = bytearray(content)
    for start, end in (*left_out, *inert):
        text[start:end] = blank(content[start:end])
    code = bytes(text)
    if language.semantics is not None and language.semantics.visibility.links_definitions:
        return _DIRECTIVE.sub(lambda line: blank(line[0]), code)
    return code


def _declared(text: bytes) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Yield where names may be declared in some code, with the bases of types."""
    for match in _TYPE.finditer(text):
        head = _head(text, match.end())
        first = _FIRST.match(head)
        apart = match[0] in _WITHOUT_OWN_NAME
        name = first[1] if first is not None and first[1] and not apart else b""
        clause = head if apart or first is None else head[first.end() :]
        yield match.start(), name.decode("utf-8", "replace"), names_in(clause, called=b":" not in clause)
    named = [match.span(1) for expression in (_KEYWORD, _METHOD) for match in expression.finditer(text)]
    named += [match.span(2) for match in _TYPED.finditer(text) if match[1] not in _NO_TYPES]
    for start, end in named:
        if (name := text[start:end]) not in _NO_NAMES:
            yield start, name.decode("utf-8", "replace"), ()


def _head(text: bytes, start: int) -> bytes:
    """Return what follows the word that declares a type, up to its body: lines go on inside of brackets."""
    at, limit = start, min(len(text), start + _LONGEST_HEAD)
    while (end := _HEAD_END.search(text, at, limit)) is not None:
        head = text[start : end.start()]
        if end[0] != b"\n" or head.count(b"(") <= head.count(b")"):
            return head
        at = end.end()
    return text[start:limit]
