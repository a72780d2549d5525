"""The description of a definition as a symbol: its signature and documentation are read from the source."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import takewhile

from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import readable
from leadline_tools.languages.lexing import spans
from leadline_tools.languages.outline import CLASS_LIKE, VARIABLE, Definition
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import OutlineSymbol, Symbol

_LONGEST_SIGNATURE = 400
_LONGEST_VALUE = 100
"""Characters of a constant's definition: the value matters less than the name."""

_DECLARED_TOGETHER = VARIABLE | CLASS_LIKE
"""Kinds of which one declaration can declare several."""

_TIGHT_OPEN = lazy_compile(r"([(\[]) ")
_TIGHT_CLOSE = lazy_compile(r",? ([)\]])")
"""Where a signature was wrapped, it is joined as it would stand on one line."""

_OPENING = lazy_compile(r"^\s*(?:[rRbBuUfF]{0,2}(?:\"\"\"|'''|\"|')|/\*+!?|<!--|--\[=*\[)")
_CLOSING = lazy_compile(r"(?:\"\"\"|'''|\"|'|\*+/|-->|\]=*\])\s*$")
_LINE_MARKERS = ("//", "#", "--", ";", "%")
_COMMENT_LINE = lazy_compile(r"^\s*(?:///?!?|//!|#+!?|--+|;+|%+|\*(?!/))?\s?")

_SUMMARY = lazy_compile(r"<summary>(.*?)(?:</summary>|$)")
_REFERENCE = lazy_compile(r"<\w+\s+(?:cref|name|langword)=\"(?:\w:)?([^\"<>]*)\"\s*/>")
_TAG = lazy_compile(r"</?\w+(?:\s[^<>]*)?/?>")
"""What a documentation comment in XML has in it: https://learn.microsoft.com/dotnet/csharp/language-reference/xmldoc/."""


def symbol(source: Source, definition: Definition) -> Symbol:
    """Return the symbol of a definition in ``source``."""
    language = language_of(source.path)
    module = language.files.module(source.path) if language is not None else ""
    name = readable(definition.path)
    return Symbol(
        definition.name,
        f"{module}.{name}" if module else name,
        definition.kind,
        source.path,
        definition.line,
        definition.column,
        definition.end_line,
        signature(source, definition),
        documentation(source, definition),
        readable(definition.container),
    )


def outline_symbols(source: Source, definitions: Sequence[Definition]) -> list[OutlineSymbol]:
    """Return the outline of ``source``: every definition with its depth."""
    depths: list[int] = []
    for definition in definitions:
        depths.append(depths[definition.parent] + 1 if definition.parent >= 0 else 0)
    return [
        OutlineSymbol(symbol(source, definition), depth, definition.parameters)
        for definition, depth in zip(definitions, depths, strict=True)
    ]


def signature(source: Source, definition: Definition) -> str:
    """Return the head of a definition on one line: everything before its body, without the comments in it."""
    start, end = definition.signature
    longest = _LONGEST_VALUE if definition.kind in VARIABLE else _LONGEST_SIGNATURE
    head = _uncommented(source.path, source.content[start : min(end, start + 4 * longest)])
    text = " ".join(head.decode("utf-8", "replace").split())
    text = _TIGHT_CLOSE.sub(r"\1", _TIGHT_OPEN.sub(r"\1", text)).rstrip(" {:=;,") or definition.name
    language = language_of(source.path)
    if language is not None and language.names.own_head is not None and definition.kind in _DECLARED_TOGETHER:
        text = language.names.own_head(text, definition.name)
    return text if len(text) <= longest else f"{text[:longest].rstrip()}..."


def _uncommented(path: str, head: bytes) -> bytes:
    """Return the head of a definition with a space for each comment, nothing where a comma follows."""
    language = language_of(path)
    if language is None or language.source.lexis is None:
        return head
    kept, at = b"", 0
    for span in spans(head, language.source.lexis):
        if span.comment:
            gap = b"" if head.startswith(b",", span.end) else b" "
            kept, at = (kept + head[at : span.start]).rstrip() + gap, span.end
    return kept + head[at:]


def documentation(source: Source, definition: Definition) -> str:
    """Return the first paragraph of a definition's documentation on one line; empty where there is none."""
    start, end = definition.doc
    return clean(source.content[start:end].decode("utf-8", "replace")) if end > start else ""


def _comment_alone(text: str) -> str:
    """Return the comment nearest to a definition without the keywords that may stand between the two."""
    if text.startswith("/*"):
        return text[text.rfind("/*") :].partition("*/")[0]
    marker = next((marker for marker in _LINE_MARKERS if text.startswith(marker)), None)
    if marker is None or _OPENING.match(text):
        return text
    return "\n".join(takewhile(lambda line: line.lstrip().startswith(marker), text.splitlines()))


def clean(comment: str) -> str:
    """Return the first paragraph of a comment or docstring without its marks, on one line."""
    body = _CLOSING.sub("", _OPENING.sub("", _comment_alone(comment.strip()), count=1))
    words: list[str] = []
    for line in body.splitlines():
        text = _COMMENT_LINE.sub("", line, count=1).strip()
        if text:
            words.append(text)
        elif words:
            break
    return _without_markup(" ".join(words))


def _without_markup(text: str) -> str:
    """Return the summary of a documentation comment in XML as it is read; any other text as it is."""
    summary = _SUMMARY.match(text)
    if summary is None:
        return text
    return " ".join(html.unescape(_TAG.sub("", _REFERENCE.sub(r"\1", summary[1]))).split())
