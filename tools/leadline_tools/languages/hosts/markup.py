"""Tags, attributes and embedded expressions of markup, found in one pass over the text without a parser.

What is not closed ends where the text does, and is looked for only once: hostile text costs linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leadline_tools.lazy_regex import lazy_compile

VOID = frozenset(
    b"area base br col embed hr img input link meta param source track wbr".split()  # HTML, 13.1.2
)
"""Elements that have no end tag: https://html.spec.whatwg.org/multipage/syntax.html#void-elements."""

_RAW_ENDS = {
    b"script": lazy_compile(rb"</script(?=[\s/>])", re.IGNORECASE),
    b"style": lazy_compile(rb"</style(?=[\s/>])", re.IGNORECASE),
}
_TAG = lazy_compile(rb"<!--|</?(?=[A-Za-z])")
_TAG_OR_BRACE = lazy_compile(rb"<!--|</?(?=[A-Za-z])|\{")
_TAG_OR_BRACES = lazy_compile(rb"<!--|</?(?=[A-Za-z])|\{\{")
_NAME = lazy_compile(rb"[A-Za-z][^\s/>{]*+")
_BLANK = lazy_compile(rb"[\s/]*+")
_ATTRIBUTE = lazy_compile(rb"[^\s=/>\"'{`<]++")
_EQUALS = lazy_compile(rb"\s*+=\s*+")
_BARE_VALUE = lazy_compile(rb"[^\s>]*+")
_INERT = lazy_compile(rb"//[^\n]*+|/\*|[\"'{}`]")
_TEMPLATE = lazy_compile(rb"\\.|`|\$\{", re.DOTALL)


class Quotes:
    """Finds where strings end.

    Args:
        content: The text that holds them.
        lines: Whether one may go on behind the end of its line.

    """

    def __init__(self, content: bytes, *, lines: bool = False) -> None:
        self._content = content
        stops = b"" if lines else rb"\n"
        self._inside = {
            quote: re.compile(b"(?>(?:[^" + quote + rb"\\" + stops + rb"]++|\\.)*)", re.DOTALL)
            for quote in (b'"', b"'")
        }
        self._unclosed = {b'"': 0, b"'": 0}

    def end(self, quote: bytes, at: int, stop: int) -> int:
        """Return the end of the string whose quote ends at a byte; that byte for one that is not closed."""
        if at < self._unclosed[quote]:
            return at
        inside = self._inside[quote].match(self._content, at, stop)
        end = inside.end() if inside is not None else at
        if end < stop and self._content.startswith(quote, end):
            return end + 1
        self._unclosed[quote] = end
        return at


class Attribute(NamedTuple):
    """An attribute: the span of its name and that of its value, without quotes; the latter is empty for none.

    ``braced`` tells that the value is an expression in braces, which are no part of the span. The name is empty for
    an expression that stands alone.
    """

    name: bytes
    start: int
    value: tuple[int, int]
    braced: bool = False
    has_value: bool = True


class Tag(NamedTuple):
    """A start tag or an end tag: the span of its name, its attributes, and the end of the whole."""

    name: bytes
    start: int
    attributes: Sequence[Attribute]
    end: int
    closes: bool = False
    empty: bool = False

    def attribute(self, name: bytes) -> Attribute | None:
        """Return the attribute of a name."""
        return next((one for one in self.attributes if one.name.lower() == name), None)


class Raw(NamedTuple):
    """The text of an element that holds no markup: a script or a style."""

    tag: Tag
    start: int
    end: int


class Text(NamedTuple):
    """Text between tags."""

    start: int
    end: int


class Braces(NamedTuple):
    """An expression in braces, without them."""

    start: int
    end: int


class Markup:
    """Reads the markup in a span of a text.

    Args:
        content: The text.
        start: Where the span begins.
        end: Where it ends.
        braces: Whether an expression in braces stands for a text or a value.
        double: Whether an expression in two braces stands for a text.

    """

    def __init__(
        self, content: bytes, start: int = 0, end: int = -1, *, braces: bool = False, double: bool = False
    ) -> None:
        self._content = content
        self._start = start
        self._end = len(content) if end < 0 else end
        self._braces = braces
        self._double = double
        self._missing: set[bytes] = set()
        self._quotes = Quotes(content)
        self._next = _TAG_OR_BRACE if braces else _TAG_OR_BRACES if double else _TAG

    def find(self, what: bytes, at: int) -> int:
        """Return where something occurs next, the end of the span where it does not."""
        if what in self._missing:
            return self._end
        found = self._content.find(what, at, self._end)
        if found < 0:
            self._missing.add(what)
            return self._end
        return found

    def __iter__(self) -> Iterator[Tag | Raw | Text | Braces]:
        """Yield what the span holds, in its order; comments are left out."""
        at = self._start
        while at < self._end:
            found = self._next.search(self._content, at, self._end)
            start = found.start() if found is not None else self._end
            if start > at:
                yield Text(at, start)
            if found is None:
                return
            if found[0] == b"<!--":
                at = self.find(b"-->", found.end()) + 3
            elif found[0] == b"{{" and self._double:
                close = self.find(b"}}", found.end())
                yield Braces(found.end(), close)
                at = close + 2
            elif found[0] == b"{":
                close = self.closing_brace(start)
                yield Braces(start + 1, close)
                at = close + 1
            else:
                tag = self._tag(found.end(), closes=found[0] == b"</")
                yield tag
                at = tag.end
                if tag.name.lower() in _RAW_ENDS and not (tag.closes or tag.empty):
                    at = self._raw_end(tag)
                    yield Raw(tag, tag.end, at)

    def _raw_end(self, tag: Tag) -> int:
        name = tag.name.lower()
        found = _RAW_ENDS[name].search(self._content, tag.end, self._end) if name not in self._missing else None
        if found is None:
            self._missing.add(name)
            return self._end
        return found.start()

    def _tag(self, at: int, *, closes: bool) -> Tag:
        """Return the tag whose name begins at a byte."""
        content, end = self._content, self._end
        named = _NAME.match(content, at, end)
        start, at = at, named.end() if named is not None else at
        attributes: list[Attribute] = []
        while at < end:
            blank = _BLANK.match(content, at, end)
            before, at = at, blank.end() if blank is not None else at
            if at >= end or content[at] in b"><":
                break
            if self._braces and content[at] == 0x7B:
                close = self.closing_brace(at)
                attributes.append(Attribute(b"", at, (at + 1, close), braced=True))
                at = close + 1
                continue
            name = _ATTRIBUTE.match(content, at, end)
            if name is None:
                at += 1
                continue
            attribute, at = self._attribute(name)
            attributes.append(attribute)
        else:
            before = at
        empty = content[before:at].rstrip().endswith(b"/") and content[at : at + 1] == b">"
        at = min(at + (content[at : at + 1] == b">"), end)
        return Tag(named[0] if named is not None else b"", start, attributes, at, closes, empty)

    def _attribute(self, name: re.Match[bytes]) -> tuple[Attribute, int]:
        content, at = self._content, name.end()
        equals = _EQUALS.match(content, at, self._end)
        if equals is None:
            return Attribute(name[0], name.start(), (at, at), has_value=False), at
        at = equals.end()
        sign = content[at : at + 1]
        if sign == b"{" and self._braces:
            close = self.closing_brace(at)
            return Attribute(name[0], name.start(), (at + 1, close), braced=True), close + 1
        if sign in (b'"', b"'"):
            close = self.find(sign, at + 1)
            return Attribute(name[0], name.start(), (at + 1, close)), close + 1
        if sign == b"`" and self._braces:
            close = min(self._template_end(at + 1), self._end)
            return Attribute(name[0], name.start(), (at, close), braced=True), close
        bare = _BARE_VALUE.match(content, at, self._end)
        close = bare.end() if bare is not None else at
        return Attribute(name[0], name.start(), (at, close)), close

    def closing_brace(self, at: int) -> int:
        """Return where the brace closes that opens at a byte, in JavaScript; the end of the span for never."""
        if b"{" in self._missing:
            return self._end
        depth = 0
        templates: list[int] = []
        while (found := _INERT.search(self._content, at, self._end)) is not None:
            at, sign = found.end(), found[0]
            if sign in (b'"', b"'"):
                at = self._quotes.end(sign, at, self._end)
            elif sign == b"{":
                depth += 1
            elif sign == b"}":
                depth -= 1
                if templates and depth == templates[-1]:
                    templates.pop()
                    at = self._in_template(at, templates, depth)
                    depth += bool(templates and templates[-1] == depth)
                elif depth <= 0:
                    return found.start()
            elif sign == b"`":
                at = self._in_template(at, templates, depth)
                depth += bool(templates and templates[-1] == depth)
            elif sign == b"/*":
                at = self.find(b"*/", at) + 2
        self._missing.add(b"{")  # it takes all that is left, so no other closes
        return self._end

    def _in_template(self, at: int, templates: list[int], depth: int) -> int:
        """Return where code goes on behind the text of a template at a byte: in an expression of it, or after it."""
        while (found := _TEMPLATE.search(self._content, at, self._end)) is not None:
            at = found.end()
            if found[0] == b"`":
                return at
            if found[0] == b"${":
                templates.append(depth)
                return at
        return self._end

    def _template_end(self, at: int) -> int:
        while (found := _TEMPLATE.search(self._content, at, self._end)) is not None:
            at = found.end()
            if found[0] == b"`":
                return at
            if found[0] == b"${":
                at = self.closing_brace(at - 1) + 1
        return self._end


class Depth:
    """The elements and blocks that are open, each with what has to be closed once it is."""

    def __init__(self) -> None:
        self._open: list[tuple[bytes, bytes]] = []
        self._counts: dict[bytes, int] = {}

    def enter(self, name: bytes, closing: bytes = b"") -> None:
        """Note that something opens, and the glue that ends its scope."""
        self._open.append((name, closing))
        self._counts[name] = self._counts.get(name, 0) + 1

    def has(self, name: bytes) -> bool:
        """Return whether something of a name is open."""
        return self._counts.get(name, 0) > 0

    def close(self, name: bytes) -> bytes:
        """Close the innermost of a name and all inside it; return the glue that ends their scopes."""
        glue: list[bytes] = []
        while self.has(name):
            inner, closing = self._open.pop()
            self._counts[inner] -= 1
            glue.append(closing)
            if inner == name:
                break
        return b"".join(glue)

    def close_all(self) -> bytes:
        """Close everything; return the glue."""
        glue = b"".join(closing for _, closing in reversed(self._open))
        self._open.clear()
        self._counts.clear()
        return glue
