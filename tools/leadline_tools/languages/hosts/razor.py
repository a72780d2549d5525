"""The code of Razor files: https://learn.microsoft.com/aspnet/core/mvc/views/razor.

A file is a class: what its directives declare and what is in ``@code`` are its members, all other code is that of one
method. Code and markup alternate, so they are read together.
"""

from __future__ import annotations

import re

from leadline_tools.languages.hosts.markup import VOID, Markup, Quotes, Raw, Tag
from leadline_tools.languages.regions import Regions, Writer
from leadline_tools.lazy_regex import lazy_compile

_DEEPEST = 64
"""Changes between code and markup within each other; what is deeper is left undecided."""

_WORD = lazy_compile(rb"[A-Za-z_]\w*")
_TYPE = lazy_compile(rb"[A-Za-z_]\w*+(?>(?:\.[A-Za-z_]\w*+)*)")
_LINE = lazy_compile(rb"[^\r\n]*+")
_DIRECTIVE_ATTRIBUTE = lazy_compile(rb"[A-Za-z][\w:-]*+=(?P<quote>[\"'])")
_CODE = lazy_compile(rb"@")
_CODE_OR_COMPONENT = lazy_compile(rb"@|</?(?=[A-Z])")
_AWAITED = lazy_compile(rb"\s+[A-Za-z_]\w*")
_STEP = lazy_compile(rb"\??\.(?P<name>[A-Za-z_]\w*)|!?(?P<bracket>[(\[])")
_INERT = lazy_compile(rb"//[^\n]*+|/\*|\$?@\$?\"(?>(?:[^\"]++|\"\")*)(?:\"|\Z)|[][{}()\"']")
_IN_CODE = lazy_compile(
    rb"//[^\n]*+|/\*|\$?@\$?\"(?>(?:[^\"]++|\"\")*)(?:\"|\Z)|[][{}()\"']|<(?=[A-Za-z!])|@(?=[:*A-Za-z])|;|\S"
)
_IN_ELEMENT = lazy_compile(rb"<!--|@|=\s*(?P<quote>[\"'])|<(?P<closes>/?)(?P<name>[A-Za-z][\w.:-]*)?|(?P<empty>/?)>")
_VALUES = {b'"': lazy_compile(rb"[@\"]"), b"'": lazy_compile(rb"[@']")}
_BEFORE_MARKUP = frozenset(b"{};:>")
_GOES_ON = lazy_compile(rb"\s*+(?:(?P<ends>while\b)|(?:else\b(?:\s+if\b)?|catch\b|finally\b)[^{}\n]{0,500})", re.DOTALL)
_STATEMENTS = frozenset(b"if for foreach while do switch lock try".split())
_MEMBERS = frozenset({b"code", b"functions"})
_TYPED = frozenset({b"model", b"inject"})
_LINES = frozenset(
    b"page layout attribute implements typeparam addTagHelper removeTagHelper tagHelperPrefix preservewhitespace"
    b" rendermode namespace".split()
)
_IMPORTS = "_Imports.razor"
"""What has directives for other files, and is no component."""

_COMPONENT_BASE = b" : Microsoft.AspNetCore.Components.ComponentBase"
"""What a component inherits from that does not say it: https://learn.microsoft.com/aspnet/core/blazor/components/."""

_PARAMETER = lazy_compile(rb"\s++(?P<name>\w++)")
_INJECTED = lazy_compile(rb"(?P<type>.+?)\s(?P<name>\w+)\s*\Z")
_QUOTES = frozenset({b'"', b"'"})
_STARTS = frozenset({b"<", b"@"})
_OPEN, _CLOSE = frozenset({b"{", b"(", b"["}), frozenset({b"}", b")", b"]"})

_Part = tuple[int, int] | bytes
"""A span of the file, or glue."""


def regions(path: str, content: bytes) -> Regions:
    """Return the regions of a Razor file."""
    file = _File(content, components=path.endswith(".razor"))
    file.read_markup(0, len(content), 0)
    writer = Writer(content)
    _write(writer, file.head)
    stem = re.sub(r"\W", "_", path.rpartition("/")[2].partition(".")[0]) or "_"
    writer.write(b"partial class ")
    is_component = file.components and not path.endswith(_IMPORTS)
    (writer.write_file_type if is_component else writer.write)(stem.encode("utf-8", "replace"))
    for number, span in enumerate(file.type_parameters):
        writer.write(b", " if number else b"<")
        writer.copy(*span)
    writer.write(b">" if file.type_parameters else b"")
    if file.base is not None:
        writer.write(b" : ")
        writer.copy(*file.base)
    elif is_component:
        writer.write(_COMPONENT_BASE)
    writer.write(b"\n{\n")
    _write(writer, file.members)
    writer.write(b"void _()\n{\n")
    _write(writer, file.body)
    writer.write(b"}\n}\n")
    for span in file.undecided:
        writer.leave(*span)
    for part in Markup(content):
        if isinstance(part, Raw) and part.tag.name.lower() == b"script":
            writer.leave(part.start, part.end)
        elif isinstance(part, Tag):
            for attribute in part.attributes:
                if (file.components and part.name[:1].isupper()) or attribute.name.startswith(b"asp-"):
                    end = max(attribute.value[1], attribute.start + len(attribute.name))
                    writer.leave(attribute.start, end)  # a member, and code or text by its type
    return writer.regions("csharp")


def _write(writer: Writer, parts: list[_Part]) -> None:
    for part in parts:
        if isinstance(part, bytes):
            writer.write(part)
        else:
            writer.copy(*part)


class _File:
    """Reads a Razor file in one pass.

    Attributes:
        components: Whether elements with capital letters are components.
        head: What stands before the class.
        base: The span of the type that it inherits from.
        type_parameters: The spans of the names of its type parameters.
        members: What it declares.
        body: The code of its method.
        undecided: Spans of code that is not resolved.

    """

    def __init__(self, content: bytes, *, components: bool) -> None:
        self._content = content
        self._text = Markup(content)
        self._quotes = Quotes(content)
        self.components = components
        self._next = _CODE_OR_COMPONENT if components else _CODE
        self._endless = False
        self.head: list[_Part] = []
        self.base: tuple[int, int] | None = None
        self.type_parameters: list[tuple[int, int]] = []
        self.members: list[_Part] = []
        self.body: list[_Part] = []
        self.undecided: list[tuple[int, int]] = []

    def read_markup(self, at: int, end: int, depth: int) -> None:
        """Read the markup in a span."""
        while (found := self._next.search(self._content, at, end)) is not None:
            at = found.end()
            at = self._transition(found.start(), depth) if found[0] == b"@" else self._component(at)

    def _component(self, at: int) -> int:
        """Write the name of a component as the type that it is; its parameters are code or text by their types."""
        named = _TYPE.match(self._content, at)
        if named is None:
            return at
        self.body += (b"_ = typeof(", named.span(), b");\n")
        return named.end()

    def _transition(self, at: int, depth: int) -> int:
        """Read what an ``@`` begins; return where markup goes on."""
        content, after = self._content, at + 1
        sign = content[after : after + 1]
        if sign == b"@" or (at and (content[at - 1 : at].isalnum() or content[at - 1] == 0x5F)):
            return after + (sign == b"@")
        if sign == b"*":
            return self._text.find(b"*@", after) + 2
        if depth > _DEEPEST:
            self.undecided.append((after, len(content)))
            return len(content)
        if sign == b"{":
            return self._code(after, depth)
        if sign == b"(":
            end = self._closing(after)
            self.body += (b"_", (after, min(end + 1, len(content))), b";\n")
            return end + 1
        word = _WORD.match(content, after)
        return self._word(word, depth) if word is not None else after

    def _word(self, word: re.Match[bytes], depth: int) -> int:
        """Read a directive, a statement or an expression that begins with a word."""
        content, name, end = self._content, word[0], word.end()
        attribute = _DIRECTIVE_ATTRIBUTE.match(content, word.start())
        if attribute is not None:
            return self._attribute(attribute.end(), self._text.find(attribute["quote"], attribute.end()), depth)
        called = content[end : end + 20].lstrip()[:1] == b"("
        if name in _MEMBERS:
            return self._members(end)
        if name == b"section":
            return content.find(b"{", end, end + 200) + 1 or end
        if name in _STATEMENTS or (name == b"using" and called):
            return self._code(word.start(), depth)
        if name not in _LINES and name not in (b"using", b"inherits") and (called or name not in _TYPED):
            return self._expression(word)
        line = _LINE.match(content, end)
        stop = line.end() if line is not None else end
        if name in _TYPED and not called and content[end : end + 1] in b" \t":
            self._declare(name, end, stop)
        elif name == b"using":
            self.head += (b"using", (end, stop), b"" if content[end:stop].rstrip().endswith(b";") else b";", b"\n")
        elif name == b"typeparam":
            parameter = _PARAMETER.match(content, end, stop)
            self.type_parameters += [parameter.span("name")] if parameter is not None else []
        elif name == b"inherits":
            first = end + len(content[end:stop]) - len(content[end:stop].lstrip())
            self.base = (first, stop)
        return stop

    def _declare(self, name: bytes, start: int, end: int) -> None:
        """Write the member that ``@model`` or ``@inject`` declares."""
        if name == b"model":
            self.members += (b"public", (start, end), b" Model;\n")
            return
        found = _INJECTED.search(self._content, start, end)
        if found is not None:
            self.members += (b"public ", found.span("type"), b" ", found.span("name"), b";\n")

    def _members(self, at: int) -> int:
        opening = self._content.find(b"{", at, at + 200)
        if opening < 0:
            return at
        end = self._closing(opening)
        self.members += ((opening + 1, end), b"\n")
        return end + 1

    def _attribute(self, start: int, end: int, depth: int) -> int:
        """Read the value of a directive in a tag."""
        if self._content[start : start + 1] == b"@":
            self.read_markup(start, end, depth + 1)
        elif end > start:
            self.body += (b"_(", (start, end), b");\n")
        return end

    def _expression(self, word: re.Match[bytes]) -> int:
        """Read an expression that ends where no member, call or index follows."""
        start = at = word.end()
        if word[0] == b"await":
            named = _AWAITED.match(self._content, at)
            at = named.end() if named is not None else at
        while (step := _STEP.match(self._content, at)) is not None:
            at = step.end() if step["name"] is not None else self._closing(step.start("bracket")) + 1
        start = word.start()
        self.body += (b"_(", (start, min(at, len(self._content))), b");\n")
        return at

    def _closing(self, at: int) -> int:
        """Return where the bracket closes that opens at a byte; the end of the text for never."""
        depth = 0
        while not self._endless and (found := _INERT.search(self._content, at)) is not None:
            at = found.end()
            if found[0] == b"/*":
                at = self._text.find(b"*/", at) + 2
            elif found[0] in _QUOTES:
                at = self._quotes.end(found[0], at, len(self._content))
            depth += (found[0] in _OPEN) - (found[0] in _CLOSE)
            if depth <= 0 and found[0] in _CLOSE:
                return found.start()
        self._endless = True
        return len(self._content)

    def _code(self, at: int, depth: int) -> int:
        """Read a statement or a block, with the markup in it; return where it ends."""
        content, start, open_braces, previous = self._content, at, 0, 0
        while (found := _IN_CODE.search(content, at)) is not None:
            sign, at = found[0], found.end()
            if sign == b"/*":
                at = self._text.find(b"*/", at) + 2
                continue
            if sign in _QUOTES:
                at, previous = self._quotes.end(sign, at, len(content)), sign[0]
                continue
            if content.startswith((b"@:", b"@*"), found.start()) or (sign in _STARTS and previous in _BEFORE_MARKUP):
                self.body.append((start, found.start()))
                at = start = self._markup_in_code(found.start(), depth + 1)
                self.body.append(b"\n")
                previous = 0x3E
                continue
            if sign in _OPEN - {b"{"}:
                at, previous = self._closing(at - 1) + 1, 0x29
                continue
            open_braces += (sign == b"{") - (sign == b"}")
            if sign == b"}" and open_braces <= 0:
                more = _GOES_ON.match(content, at)
                if more is None or more["ends"] is not None:
                    break
                at = more.end()
            if not sign.startswith(b"//"):
                previous = sign[-1]
        else:
            at = len(content)
        self.body += ((start, at), b"\n")
        return at

    def _markup_in_code(self, at: int, depth: int) -> int:
        """Read a line or an element of markup within code, or code after an ``@``; return where code goes on."""
        content = self._content
        if content.startswith(b"@*", at):
            return self._text.find(b"*@", at) + 2
        if content.startswith(b"@:", at):
            line = _LINE.match(content, at)
            end = line.end() if line is not None else at
            self.read_markup(at + 2, end, depth)
            return end
        if content.startswith(b"@", at):
            return self._transition(at, depth)
        return self._element(at, depth)

    def _element(self, at: int, depth: int) -> int:
        """Read an element of markup; return where it ends."""
        content, level, name, closes = self._content, 0, b"", False
        while (found := _IN_ELEMENT.search(content, at)) is not None:
            at = found.end()
            if found[0] == b"@":
                at = self._transition(found.start(), depth)
            elif found[0] == b"<!--":
                at = self._text.find(b"-->", at) + 3
            elif found["quote"] is not None:
                at = self._value(at, found["quote"], depth) if name else at
            elif found["name"] is not None:
                name, closes = found["name"].lower(), bool(found["closes"])
                if self.components and found["name"][:1].isupper():
                    self._component(found.start("name"))
            elif found[0].endswith(b">") and name:
                level += -1 if closes else 0 if found["empty"] or name in VOID else 1
                name = b""
                if level <= 0:
                    return at
        return len(content)

    def _value(self, at: int, quote: bytes, depth: int) -> int:
        """Read the value of an attribute; return where it ends, behind its quote."""
        value = _VALUES[quote]
        while (found := value.search(self._content, at)) is not None:
            if found[0] == quote:
                return found.end()
            at = self._transition(found.start(), depth)
        return len(self._content)
