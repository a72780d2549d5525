"""The code of pages: scripts in HTML, Astro (https://docs.astro.build) and MDX (https://mdxjs.com/docs/what-is-mdx/)."""

from __future__ import annotations

import re
from bisect import bisect_right

from leadline_tools.languages.hosts.markup import Attribute, Braces, Markup, Raw, Tag
from leadline_tools.languages.regions import Regions, Writer, default_export
from leadline_tools.lazy_regex import lazy_compile

_SCRIPTS = frozenset(b"module text/javascript application/javascript text/ecmascript application/ecmascript".split())
"""What the types of scripts are called that a browser runs: https://html.spec.whatwg.org/#attr-script-type."""

_DATA = lazy_compile(rb"application/(?:ld\+)?json|importmap|speculationrules")
_HOLE = lazy_compile(rb"\{\{|\{%|\{#|<%|<\?|@(?:if|else if|for|switch|case)[ ]*\(")
_CLOSES = {b"{{": b"}}", b"{%": b"%}", b"{#": b"#}", b"<%": b"%>", b"<?": b"?>"}
_BLOCK = b"{"
"""What stands behind the condition of a block of Angular."""

_TEXT_HOLES = frozenset({b"{#"})
_OF_FRAMEWORK = lazy_compile(rb"[(\[*@:#.]|v-|x-|ng-|data-ng-|hx-on")
"""How attributes begin whose values are code to Angular, Vue, Alpine or htmx, and text to a browser."""

_NAME = lazy_compile(rb"[A-Za-z_$][\w$]*")
_FRONT = lazy_compile(rb"\A\s*---[ \t]*\r?\n(?P<code>.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)
_MODULE_LINE = lazy_compile(rb"^(?:import|export)\b", re.MULTILINE)
_BLANK_LINE = lazy_compile(rb"^[ \t]*\r?$", re.MULTILINE)
_FENCE = lazy_compile(rb"^[ \t]*(?P<fence>```+|~~~+)", re.MULTILINE)
_MARKDOWN_CODE = lazy_compile(rb"`[^`\n]+`")


class _Holes:
    """The places in a page that a template engine fills: their code is of a language that is not known here."""

    def __init__(self, content: bytes) -> None:
        self.spans: list[tuple[int, int]] = []
        text, at = Markup(content), 0
        while (found := _HOLE.search(content, at)) is not None:
            at = found.end()
            closing = _CLOSES.get(found[0], _BLOCK)
            close = text.find(closing, at)
            if close < len(content):
                at = close + len(closing)
                self.spans.append((found.start(), at))
        self._starts = [start for start, _ in self.spans]

    def within(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return those that begin in a span."""
        first, last = bisect_right(self._starts, start - 1), bisect_right(self._starts, end - 1)
        return self.spans[first:last]


def html(_path: str, content: bytes) -> Regions:
    """Return the regions of a page: its scripts, and what its elements do when something happens.

    What a template engine fills in is undecided.
    """
    writer = Writer(content)
    holes = _Holes(content)
    for start, end in holes.spans:
        if content[start : start + 2] not in _TEXT_HOLES:
            writer.leave(start, end)
    for part in Markup(content):
        if isinstance(part, Raw) and part.tag.name.lower() == b"script":
            _script(writer, holes, part)
        elif isinstance(part, Tag):
            for attribute in part.attributes:
                if attribute.name[:2].lower() == b"on" and not holes.within(*attribute.value):
                    writer.wrap(b"{", *attribute.value, b"\n}\n")
                elif _OF_FRAMEWORK.match(attribute.name):
                    writer.leave(attribute.start, attribute.start + len(attribute.name))
                    writer.leave(*attribute.value)
    return writer.regions("javascript")


def _script(writer: Writer, holes: _Holes, script: Raw) -> None:
    kind = script.tag.attribute(b"type")
    named = writer.content[slice(*kind.value)].strip().lower() if kind is not None else b""
    if named and named.partition(b";")[0] not in _SCRIPTS:
        if not _DATA.fullmatch(named):
            writer.leave(script.start, script.end)
        return
    apart = named == b"module"  # what it binds is its own
    writer.write(b"{\n" if apart else b"")
    at = script.start
    for start, end in holes.within(script.start, script.end):
        if start < at:
            continue
        writer.copy(at, start)
        writer.write(b" 0 " if writer.content[start : start + 2] in (b"{{", b"<%") else b" ")
        at = min(end, script.end)
    writer.copy(at, script.end)
    writer.write(b"\n}\n" if apart else b"\n;\n")


def astro(path: str, content: bytes) -> Regions:
    """Return the regions of an Astro component: the fenced script, which the markup sees, and scripts of their own."""
    writer = Writer(content)
    front = _FRONT.match(content)
    if front is not None:
        writer.copy_statements(*front.span("code"))
    for part in Markup(content, front.end() if front is not None else 0, braces=True):
        if isinstance(part, Raw) and part.tag.name.lower() == b"script":
            writer.wrap(b"{\n", part.start, part.end, b"\n}\n")
        else:
            _jsx(writer, part)
    writer.write(default_export(path))
    return writer.regions("tsx")


def _jsx(writer: Writer, part: object) -> None:
    """Write the expressions of markup that is like JSX."""
    if isinstance(part, Braces):
        _expression(writer, part.start, part.end)
    elif isinstance(part, Tag):
        if part.name[:1].isupper():
            _expression(writer, part.start, part.start + len(part.name))
        for attribute in part.attributes:
            if part.name[:1].isupper():  # a member of the component
                writer.leave(attribute.start, attribute.start + len(attribute.name))
            _jsx_attribute(writer, attribute)


def _jsx_attribute(writer: Writer, attribute: Attribute) -> None:
    if not attribute.braced:
        return
    alone = not attribute.name and _NAME.fullmatch(writer.content, *writer.stripped(*attribute.value)) is not None
    if alone:
        writer.leave(*attribute.value)  # the name of the attribute as well
    else:
        _expression(writer, *attribute.value)


def _expression(writer: Writer, start: int, end: int) -> None:
    start, end = writer.stripped(start, end)
    if writer.content.startswith(b"...", start, end):
        start += 3
    if not writer.content.startswith(b"/*", start, end) or not writer.content.endswith(b"*/", start, end):
        writer.wrap(b"(", start, end, b"\n);\n")


def mdx(path: str, content: bytes) -> Regions:
    """Return the regions of an MDX file: its imports and exports, and the expressions in braces."""
    writer = Writer(content)
    fences = _list_fenced_spans(content)
    starts = [start for start, _ in fences]
    at = 0
    modules: list[tuple[int, int]] = []
    while (found := _MODULE_LINE.search(content, at)) is not None:
        blank = _BLANK_LINE.search(content, found.end())
        at = blank.start() if blank is not None else len(content)
        fence = bisect_right(starts, found.start()) - 1
        if fence < 0 or found.start() >= fences[fence][1]:
            modules.append((found.start(), at))
            writer.copy_statements(found.start(), at)
        at = max(at, found.end())
    hidden = sorted((*fences, *modules, *(found.span() for found in _MARKDOWN_CODE.finditer(content))))
    start = 0
    for first, last in (*hidden, (len(content), len(content))):
        if first > start:
            for part in Markup(content, start, first, braces=True):
                _jsx(writer, part)
        start = max(start, last)
    writer.write(default_export(path))
    return writer.regions("tsx")


def _list_fenced_spans(content: bytes) -> list[tuple[int, int]]:
    """Return the spans of the blocks of code that are shown."""
    spans: list[tuple[int, int]] = []
    opening: re.Match[bytes] | None = None
    for found in _FENCE.finditer(content):
        if opening is None:
            opening = found
        elif found["fence"].startswith(opening["fence"]):
            spans.append((opening.start(), found.end()))
            opening = None
    if opening is not None:
        spans.append((opening.start(), len(content)))
    return spans
