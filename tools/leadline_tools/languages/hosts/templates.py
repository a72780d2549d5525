"""The code of templates: ERB (https://docs.ruby-lang.org/en/master/ERB.html), Blade (https://laravel.com/docs/blade)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.languages.hosts.markup import Markup, Quotes, Raw
from leadline_tools.languages.regions import Piece, Regions, Writer
from leadline_tools.lazy_regex import lazy_compile

_ERB = lazy_compile(rb"<%(?P<kind>%|#|==?|-|)")
_BLADE = lazy_compile(
    rb"\{\{--|\{\{\{|\{\{|\{!!|<\?(?:php\b|=)?|@php\b[ \t]*(?!\s*\()|@verbatim\b"
    rb"|@(?P<name>[A-Za-z]+)[ \t]*(?P<open>\()|@@"
    rb"|[ ](?P<bound>:{1,2}[\w.:-]+)=\"",
)
_CLOSES = {b"{{--": b"--}}", b"{{{": b"}}}", b"{{": b"}}", b"{!!": b"!!}"}
_CLOSES_OF_BLOCKS = {b"<?": b"?>", b"<?=": b"?>", b"<?php": b"?>", b"@php": b"@endphp", b"@verb": b"@endverbatim"}
_SCRIPT = lazy_compile(rb"<script\b", re.IGNORECASE)
_PHP_TAG = lazy_compile(rb"<\?.*?(?:\?>|\Z)", re.DOTALL)
_PHP_INERT = lazy_compile(rb"[()\"']")
_TEXTS = frozenset("html htm xhtml xml rss atom svg txt text md css scss json yml yaml csv turbo_stream mobile".split())
"""What a template may make that holds no code but in scripts, by the ending before its own."""

_LOOPS = {b"foreach": b"foreach (", b"forelse": b"foreach (", b"for": b"for (", b"while": b"while ("}


def erb(path: str, content: bytes) -> Regions:
    """Return the regions of an ERB template: the Ruby between its tags.

    Scripts of its page are undecided, and so is all else where what it makes is no page or text.
    """
    writer = Writer(content)
    inner = path.rpartition("/")[2].lower().split(".")[1:-1]
    makes_code = bool(inner) and inner[-1] not in _TEXTS
    text, at, last = Markup(content), 0, 0
    while (found := _ERB.search(content, at)) is not None:
        start, kind = found.end(), found["kind"]
        if kind == b"%":
            at = start
            continue
        if makes_code:
            writer.leave(last, found.start())
        end = at = text.find(b"%>", start)
        last = end + 2
        if kind == b"#":
            continue
        end -= content[end - 1 : end] == b"-" and end > start
        writer.copy(start, end)
        writer.write(b"\n")
    if makes_code:
        writer.leave(last, len(content))
    _leave_scripts(writer)
    return writer.regions("ruby")


def _leave_scripts(writer: Writer) -> None:
    """Note the scripts of a page as code that is not resolved."""
    for part in Markup(writer.content):
        if isinstance(part, Raw) and part.tag.name.lower() == b"script":
            writer.leave(part.start, part.end)


def blade(path: str, content: bytes) -> Regions | None:
    """Return the regions of a Blade template, or of a page with scripts; None for a file that is PHP as a whole."""
    if not path.endswith(".blade.php"):
        return _page(content) if _SCRIPT.search(content) else None
    writer = Writer(content)
    writer.write(b"<?php\n")
    at = 0
    reader = _Blade(writer)
    while (found := _BLADE.search(content, at)) is not None:
        at = reader.read(found)
    _leave_scripts(writer)
    return writer.regions("php")


def _page(content: bytes) -> Regions | None:
    """Return the regions of a page in PHP: all but its scripts, which are undecided where no PHP is in them."""
    tags = [found.span() for found in _PHP_TAG.finditer(content)]
    page = _PHP_TAG.sub(lambda found: b" " * len(found[0]), content)
    scripts = [part for part in Markup(page) if isinstance(part, Raw) and part.tag.name.lower() == b"script"]
    undecided = _without(scripts, tags)
    pieces: list[Piece] = []
    at = 0
    for start, end in (*undecided, (len(content), len(content))):
        if start > at:
            pieces.append(Piece(at, start, at))
        at = end
    return Regions("php", content, pieces, undecided) if undecided else None


def _without(scripts: Sequence[Raw], tags: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return what is left of scripts without the tags in them; both are in the order of the file."""
    left: list[tuple[int, int]] = []
    number = 0
    for script in scripts:
        at = script.start
        while number < len(tags) and tags[number][1] <= at:
            number += 1
        while number < len(tags) and tags[number][0] < script.end:
            left.append((at, tags[number][0]))
            at = tags[number][1]
            number += 1
        left.append((at, script.end))
    return [(start, end) for start, end in left if end > start]


class _Blade:
    """Writes what the directives and echoes of Blade hold."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._content = writer.content
        self._text = Markup(writer.content)
        self._parentheses = _Parentheses(writer.content)

    def read(self, found: re.Match[bytes]) -> int:
        """Write what begins with a match; return where it ends."""
        start, opening = found.end(), found[0]
        if found["name"] is not None:
            return self._directive(found)
        if found["bound"] is not None:
            end = self._text.find(b'"', start)
            self._give(found["bound"].startswith(b"::"), start, end)  # two colons leave it to JavaScript
            return end
        if opening in _CLOSES:
            end = self._text.find(_CLOSES[opening], start)
            if opening != b"{{--":
                self._give(self._content[found.start() - 1 : found.start()] == b"@", start, end)
            return end + len(_CLOSES[opening])
        close = _CLOSES_OF_BLOCKS.get(opening.split(b" ")[0].strip()[:5])
        if close is None:
            return start
        end = self._text.find(close, start)
        if opening == b"@verbatim":
            self._writer.leave(start, end)
        else:
            self._writer.wrap(b"", start, end, b";\n")
        return end

    def _give(self, foreign: bool, start: int, end: int) -> None:
        if foreign:
            self._writer.leave(start, end)
        else:
            self._writer.wrap(b"(", start, end, b");\n")

    def _directive(self, found: re.Match[bytes]) -> int:
        end = self._parentheses.closing(found.start("open"))
        before = self._content[max(0, found.start() - 1) : found.start()]
        if not before.isalnum():  # else an address of mail
            head = _LOOPS.get(found["name"].lower())
            glue = (head, b") {}\n") if head is not None else (b"[", b"];\n")
            self._writer.wrap(glue[0], found.end(), end, glue[1])
        return end + 1


class _Parentheses:
    """Finds where parentheses close in PHP; one that never does takes all that is left, and is the last."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._quotes = Quotes(content, lines=True)
        self._endless = False

    def closing(self, at: int) -> int:
        """Return where the parenthesis closes that opens at a byte."""
        depth = 0
        while not self._endless and (found := _PHP_INERT.search(self._content, at)) is not None:
            at = found.end()
            if found[0] in (b'"', b"'"):
                at = self._quotes.end(found[0], at, len(self._content))
            depth += (found[0] == b"(") - (found[0] == b")")
            if depth == 0:
                return found.start()
        self._endless = True
        return len(self._content)
