"""A lexer for the comments and strings of a text, without parsing it, by what a language says of them.

A lexer is several times faster than a parser and cannot be led astray for long: what is not closed on its line, where
a line has to close it, is taken for code. Code inside a string (``f"{x}"``, ``"$name"``) is code.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.once import once


class Span(NamedTuple):
    """A comment, a string or a part of one: byte offsets, the end exclusive.

    ``opens`` says that code inside the string follows, ``closes`` that such code is before: the brackets around it are
    parts of the string.
    """

    start: int
    end: int
    comment: bool
    opens: bool = False
    closes: bool = False


@dataclass(frozen=True)
class Quoted:
    """A string with code inside.

    Args:
        opens: What it begins with.
        closes: What it ends with; a line end among it for a string that cannot go on behind its line.
        hole: What begins code inside it, which goes on to the bracket that closes it.
        name: Code inside it that needs no brackets.
        escape: What means none of these.

    """

    opens: bytes
    closes: bytes
    hole: bytes
    name: bytes = rb"(?!)"
    escape: bytes = rb"\\."

    @once
    def inside(self) -> re.Pattern[bytes]:
        """Return what stops the reading of the string: the groups are the names of the fields."""
        parts = (f"(?P<{name}>".encode() + getattr(self, name) + b")" for name in ("escape", "closes", "hole", "name"))
        return re.compile(b"|".join(parts), re.DOTALL)


@dataclass(frozen=True)
class Lexis:
    r"""What comments and strings look like in a language: regular expressions with ``.`` for any byte.

    Args:
        begins: The bytes with which anything of the following can begin, as a class of characters.
        comment: Its comments, whole.
        string: Its strings without code inside, whole.
        nested: True where comments between ``/*`` and ``*/`` hold others.
        quoted: Its strings with code inside.
        brackets: The bytes that open and that close a bracket that counts in the code inside a string, as classes.
        code: What holds a quote or the beginning of a comment and is none.
        heredoc: What begins a string on the next line; the group ``word`` is the line that ends it.
        inlined: Code inside such a string.
        before_pattern: True where ``/`` begins a regular expression, unless it divides.
        includes: The statements by which a file takes in another as a whole; the group is the file as it is written.
        including: A word that each of these statements has.
        rebinds: The word that begins a statement by which a file that includes takes a name from elsewhere.
        promises: The words, as alternatives, that say of a name that it is a type which another file may define.

    """

    begins: bytes
    comment: bytes
    string: bytes
    nested: bool = False
    quoted: tuple[Quoted, ...] = ()
    brackets: tuple[bytes, bytes] = (rb"{", rb"}")
    code: bytes = b""
    heredoc: bytes = b""
    inlined: re.Pattern[bytes] = field(default=re.compile(rb"(?!)"))
    before_pattern: bool = False
    includes: re.Pattern[bytes] | None = None
    including: bytes = b"include"
    rebinds: str = ""
    promises: str = ""

    @property
    def plain(self) -> bool:
        """Return whether every token is whole in one match."""
        return not (self.nested or self.quoted or self.heredoc or self.before_pattern)

    def token(self, content: bytes, at: int, *, in_hole: bool = False) -> re.Match[bytes] | None:
        """Return what next stops the reading of code from ``at`` on, in a string or not; None for nothing."""
        begins, whole = self._in_hole if in_hole else self._outside
        if at == 0 and (found := whole.match(content)) is not None and found.end() > 0:
            return found
        while (begin := begins.search(content, at)) is not None:
            at = begin.start()
            found = whole.match(content, at)
            if found is not None and found.end() > at:
                return found
            at += 1
        return None

    @once
    def _outside(self) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
        return re.compile(b"[" + self.begins + b"]"), self._compiled({})

    @once
    def _in_hole(self) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
        opens, closes = self.brackets
        more = {"open": b"[" + opens + b"]", "close": b"[" + closes + b"]"}
        return re.compile(b"[" + self.begins + opens + closes + b"]"), self._compiled(more)

    def _compiled(self, more: dict[str, bytes]) -> re.Pattern[bytes]:
        kinds = {
            "nested": rb"/\*" if self.nested else b"",
            "comment": self.comment,
            "code": self.code,
            "heredoc": self.heredoc,
            "string": self.string,
            **{f"quoted{i}": quoted.opens for i, quoted in enumerate(self.quoted)},
            "pattern": b"/" if self.before_pattern else b"",
            **more,
        }
        parts = (f"(?P<{kind}>".encode() + expression + b")" for kind, expression in kinds.items() if expression)
        return re.compile(b"|".join(parts), re.DOTALL)


_WHOLE = frozenset({"comment", "string"})
"""The tokens that are whole in one match: most of those of every language."""

_BLOCK_END = lazy_compile(rb"/\*|\*/")
_IN_SET = rb"\[(?>(?:[^\]\\\n]|\\.)*)\]"
_PATTERN = lazy_compile(
    rb"/(?![*/])(?>(?:[^/\\\[\n]|\\.|" + _IN_SET + rb")+)/[a-z]*|/\s*\n(?>(?:[^/\\\[]|\\.|" + _IN_SET + rb")*)/[a-z]*",
    re.DOTALL,
)
"""A regular expression on one line, or one that begins with a line end (Ruby)."""

_DIVIDED = lazy_compile(rb"[\w\]})\"'`.$]\s*\Z|[^=]>\s*\Z|<\Z")
"""What stands before a slash that divides or closes a tag."""

_WORD_BEFORE = lazy_compile(
    rb"\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|yield|await|if|unless|while|until|when|and|or|not)\s*\Z"
)
_MOST_ENDLESS = 20
"""Here-documents and regular expressions without an end. A text with more has none, and to look for each takes long."""

_LOOKED_BACK = 16
"""Bytes before a slash that tell what it does."""


def spans(content: bytes, lexis: Lexis, start: int = 0) -> Iterator[Span]:
    """Yield the comments and strings of ``content`` in their order, from a place on at which there is code."""
    if not lexis.plain:
        yield from _Lexer(content, lexis).run(start)
        return
    at = start
    while (match := lexis.token(content, at)) is not None:
        at = match.end()
        if match.lastgroup != "code":
            yield Span(match.start(), at, match.lastgroup == "comment")


def in_code(offsets: Iterable[int], content: bytes, lexis: Lexis) -> Iterator[int]:
    """Yield those of the ascending ``offsets`` into ``content`` at which there is code."""
    found = spans(content, lexis)
    span = next(found, None)
    for offset in offsets:
        while span is not None and span.end <= offset:
            span = next(found, None)
        if span is None or offset < span.start:
            yield offset


class _Lexer:
    """One reading of a text, without recursion: strings that hold code that holds strings are a stack."""

    def __init__(self, content: bytes, lexis: Lexis) -> None:
        self._content = content
        self._lexis = lexis
        self._open: list[tuple[Quoted, int]] = []
        self._depth = 0
        self._documents: list[tuple[int, int]] = []
        self._endless = 0

    def run(self, start: int) -> Iterator[Span]:
        """Yield the spans of the text from a place on."""
        at = start
        while (match := self._lexis.token(self._content, at, in_hole=bool(self._open))) is not None:
            if not self._documents and match.lastgroup in _WHOLE:
                at = match.end()
                yield Span(match.start(), at, match.lastgroup == "comment")
            elif self._documents and match.start() >= self._documents[0][0]:
                at = yield from self._document(*self._documents.pop(0), at)
            else:
                at = yield from self._token(match)
        for document in self._documents:
            at = yield from self._document(*document, at)

    def _token(self, match: re.Match[bytes]) -> Generator[Span, None, int]:
        """Yield the spans of what a token begins; return where reading goes on."""
        kind, start, end = match.lastgroup or "", match.start(), match.end()
        if kind.startswith("quoted"):
            return (yield from self._string(self._lexis.quoted[int(kind.removeprefix("quoted"))], start, end))
        if kind == "close" and self._depth == 0:
            quoted, self._depth = self._open.pop()
            return (yield from self._string(quoted, start, end, closes=True))
        self._depth += (kind == "open") - (kind == "close")
        if kind == "heredoc":
            self._begin_document(end, match["word"])
        elif kind == "nested":
            end = self._block_end(end)
        elif kind == "pattern" and (pattern := self._pattern(start)) is not None:
            kind, end = "string", pattern.end()
        if kind in ("comment", "nested", "string"):
            yield Span(start, end, kind != "string")
        return end

    def _string(self, quoted: Quoted, start: int, at: int, *, closes: bool = False) -> Generator[Span, None, int]:
        """Yield the spans of a string up to its end or to code inside it; return where reading goes on."""
        while (match := quoted.inside.search(self._content, at)) is not None:
            at = match.end()
            if match.lastgroup == "escape":
                continue
            opens = match.lastgroup == "hole"
            yield Span(start, match.start() if match.lastgroup == "name" else at, False, opens, closes)
            if match.lastgroup == "name":
                start, closes = at, False
                continue
            if opens:
                self._open.append((quoted, self._depth))
                self._depth = 0
            return at
        yield Span(start, len(self._content), comment=False, closes=closes)
        return len(self._content)

    def _block_end(self, at: int) -> int:
        depth = 1
        for match in _BLOCK_END.finditer(self._content, at):
            depth += 1 if match[0] == b"/*" else -1
            if depth == 0:
                return match.end()
        return len(self._content)

    def _pattern(self, slash: int) -> re.Match[bytes] | None:
        """Return the regular expression that a slash begins; None for one that divides."""
        before = self._content[max(0, slash - _LOOKED_BACK) : slash]
        divides = _DIVIDED.search(before) is not None and _WORD_BEFORE.search(before) is None
        if divides or self._endless > _MOST_ENDLESS:
            return None
        pattern = _PATTERN.match(self._content, slash)
        self._endless += pattern is None
        return pattern

    def _begin_document(self, at: int, word: bytes) -> None:
        """Note the string that begins on the next line, if there is a line that ends it."""
        begin = max(self._content.find(b"\n", at), self._documents[-1][1] - 1 if self._documents else -1)
        if begin < 0 or self._endless > _MOST_ENDLESS:
            return
        end = re.compile(rb"\n[ \t]*" + re.escape(word) + rb"\b").search(self._content, begin)
        if end is not None:
            self._documents.append((begin + 1, end.end()))
        else:
            self._endless += 1

    def _document(self, start: int, end: int, at: int) -> Generator[Span, None, int]:
        """Yield the spans of a string of whole lines from ``at`` on; return where reading goes on."""
        start = max(start, at)
        for code in self._lexis.inlined.finditer(self._content, start, max(start, end)):
            yield Span(start, code.start(), comment=False)
            start = code.end()
        if start < end:
            yield Span(start, end, comment=False)
        return max(at, end)


_LINE = rb"//[^\n]*+"
_HASH = rb"#[^\n]*+"
_BLOCK = rb"/\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)(?:\*/|\Z)"
_DOUBLE = rb'"(?>(?:[^"\\\n]++|\\\r\n|\\.)*)"'
_SINGLE = rb"'(?>(?:[^'\\\n]++|\\\r\n|\\.)*)'"
_DOUBLE_LINES = rb'"(?>(?:[^"\\]++|\\.)*)"'
_SINGLE_LINES = rb"'(?>(?:[^'\\]++|\\.)*)'"
_CHARACTER = rb"'(?:[^\\'\n\x80-\xff]|[\xc0-\xff][\x80-\xbf]*+|\\[^\n][^'\n]*+)'"
"""A character alone: what else begins with a quote is none (a lifetime, a symbol)."""


def _any(*expressions: bytes) -> bytes:
    return b"|".join(expressions)


_C_BEGINS = rb"/\"'<"
_C_COMMENT = _any(rb"//(?>(?:[^\\\n]++|\\\r\n|\\.)*)", _BLOCK)
_C_STRING = _any(_DOUBLE, rb"(?:(?<![0-9A-Fa-f])|(?<=u8))" + _SINGLE, rb"(?:(?<=include)|(?<=include ))<[^>\n]*+>")
_PROMISES = "class|enum|struct|union"
_INCLUDES = lazy_compile(rb"^[ \t]*#[ \t]*include[ \t]*([<\"][^>\"\n]+[>\"])", re.MULTILINE)
C = Lexis(_C_BEGINS, _C_COMMENT, _C_STRING, includes=_INCLUDES, promises=_PROMISES)
CPP = Lexis(
    _C_BEGINS,
    _C_COMMENT,
    _any(rb'(?<=R)"(?P<raw>[^()\\\s]{0,16}+)\(.*?(?:\)(?P=raw)"|\Z)', _C_STRING),
    includes=_INCLUDES,
    rebinds="using",
    promises=_PROMISES,
)
GO = Lexis(rb"/\"'`", _any(_LINE, _BLOCK), _any(_DOUBLE, rb"`[^`]*+`", _SINGLE))
JAVA = Lexis(rb"/\"'", _any(_LINE, _BLOCK), _any(rb'"""(?>(?:[^"\\]++|\\.|"(?!""))*)(?:"""|\Z)', _DOUBLE, _SINGLE))
RUST = Lexis(
    rb"/\"'#",
    _LINE,
    _any(rb'(?:(?<=\br)|(?<=\b[bc]r))(?P<hashes>#*+)".*?(?:"(?P=hashes)|\Z)', _DOUBLE_LINES, _CHARACTER),
    nested=True,
)
CSHARP = Lexis(
    rb"/\"'@$#",
    _any(_LINE, _BLOCK),
    _any(rb'(?P<quotes>"{3,}+).*?(?:(?P=quotes)|\Z)', rb'@"(?>(?:[^"]++|"")*)"', _DOUBLE, _SINGLE),
    quoted=(
        Quoted(rb'\$++"""', rb'"""', rb"\{", escape=rb"\{\{"),
        Quoted(rb'(?:\$@|@\$)"', rb'"', rb"\{", escape=rb'""|\{\{'),
        Quoted(rb'\$"', rb'["\n]', rb"\{", escape=rb"\\.|\{\{"),
    ),
    code=rb"#[ \t]*+(?:region|endregion|error|warning|pragma)[^\n]*?(?=//|\n|\Z)",
)
_KOTLIN_NAME = rb"\$[A-Za-z_]\w*+"
KOTLIN = Lexis(
    rb"/\"'",
    _LINE,
    _any(rb'"""(?>(?:[^"$]++|"(?!""))*)"""++', rb'"(?!"")(?>(?:[^"\\\n$]++|\\.)*)"', _CHARACTER),
    nested=True,
    quoted=(
        Quoted(rb'"""', rb'"""++', rb"\$\{", _KOTLIN_NAME, escape=rb"(?!)"),
        Quoted(rb'"', rb'["\n]', rb"\$\{", _KOTLIN_NAME),
    ),
)
SCALA = Lexis(
    rb"/\"'",
    _LINE,
    _any(rb'(?<![\w])"""(?>(?:[^"]++|"(?!""))*)"""++', rb'(?<![\w])"(?!"")(?>(?:[^"\\\n]++|\\.)*)"', _CHARACTER),
    nested=True,
    quoted=(
        Quoted(rb'"""', rb'"""++', rb"\$\{", _KOTLIN_NAME, escape=rb"\$\$"),
        Quoted(rb'"', rb'["\n]', rb"\$\{", _KOTLIN_NAME, escape=rb"\\.|\$\$"),
    ),
)
SWIFT = Lexis(
    rb"/\"#",
    _LINE,
    rb'(?P<pounds>#++)".*?(?:"(?P=pounds)|\Z)|"(?!"")(?>(?:[^"\\\n]++|\\[^(\n])*)"',
    nested=True,
    quoted=(
        Quoted(rb'"""', rb'"""', rb"\\\(", escape=rb"\\[^(]"),
        Quoted(rb'"', rb'["\n]', rb"\\\(", escape=rb"\\[^(]"),
    ),
    brackets=(rb"(", rb")"),
)
JAVASCRIPT = Lexis(
    rb"/\"'`",
    _any(_LINE, _BLOCK, rb"\A#![^\n]*+"),
    _any(_DOUBLE, _SINGLE, rb"`(?>(?:[^`\\$]++|\\.|\$(?!\{))*)`"),
    quoted=(Quoted(rb"`", rb"`", rb"\$\{"),),
    before_pattern=True,
)
_PYTHON_FORMATTED = rb"(?:(?<=\b[fFtT])|(?<=\b[fFtT][rR])|(?<=\b[rR][fFtT]))"
PYTHON = Lexis(
    rb"#\"'",
    _HASH,
    rb"(?:(?<!\b[fFtT])(?<!\b[fFtT][rR])(?<!\b[rR][fFtT]))(?:"
    + _any(
        rb'"""(?>(?:[^"\\]++|\\.|"(?!""))*)(?:"""|\Z)', rb"'''(?>(?:[^'\\]++|\\.|'(?!''))*)(?:'''|\Z)", _DOUBLE, _SINGLE
    )
    + b")",
    quoted=tuple(
        Quoted(_PYTHON_FORMATTED + opens, closes, rb"\{", escape=rb"\\[^{]|\{\{")
        for opens, closes in ((b'"""', b'"""'), (b"'''", b"'''"), (b'"', b'["\n]'), (b"'", b"['\n]"))
    ),
)
_PHP_WORD = rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*+"
_PHP_NAME = rb"\$" + _PHP_WORD + rb"(?>(?:\??->" + _PHP_WORD + rb"|\[[^\]\n]{0,100}+\])?)"
PHP = Lexis(
    rb"/#\"'`?<",
    _any(rb"(?:#(?!\[)|//)[^\n]*?(?=\?>|\n|\Z)", _BLOCK),
    _any(rb"(?:\A(?!<\?)|\?>).*?(?:<\?(?:php\b|=)|\Z)", _SINGLE_LINES, rb'"(?>(?:[^"\\${]++|\\.)*)"'),
    quoted=(
        Quoted(rb'"', rb'"', rb"\{(?=\$)|\$\{", _PHP_NAME),
        Quoted(rb"`", rb"`", rb"\{(?=\$)|\$\{", _PHP_NAME),
    ),
    heredoc=rb"<<<[ \t]*+(?P<delimiter>['\"]?)(?P<word>[A-Za-z_]\w*+)(?P=delimiter)",
    inlined=lazy_compile(_any(_PHP_NAME, rb"\{\$[^}\n]{0,200}+\}")),
)
RUBY = Lexis(
    rb"#\"'`%/?$<=_",
    _any(_HASH, rb"(?:(?<=\n)|\A)=begin\b.*?(?:\n=end[^\n]*+|\Z)", rb"(?<=\n)__END__\r?\n.*+"),
    _any(
        _SINGLE_LINES,
        rb'"(?>(?:[^"\\#]++|\\.|#(?![{$@]))*)"',
        rb"%[qQwWiIxsr]?\((?>(?:[^()\\]++|\\.|\([^()]*+\))*)\)",
        rb"%[qQwWiIxsr]\[(?>(?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*)\]",
        rb"%[qQwWiIxsr]?\{(?>(?:[^{}\\]++|\\.|\{[^{}]*+\})*)\}",
        rb"%[qQwWiIxsr]<[^>]{0,2000}+>",
        rb"%[qQwWiIxsr](?P<bar>[|!/])(?>(?:(?!(?P=bar))[^\\]|\\.)*)(?P=bar)",
    ),
    quoted=(Quoted(rb'"', rb'"', rb"#\{"), Quoted(rb"`", rb"`", rb"#\{")),
    code=rb"(?<![\w)\]}])\?[\"'#`/](?!\w)|\$[\"'`/]",
    heredoc=rb"<<[~-]?(?P<delimiter>[\"'`]?)(?P<word>[A-Z_]\w*+)(?P=delimiter)",
    inlined=lazy_compile(rb"#\{[^}\n]{0,200}+\}"),
    before_pattern=True,
)
LUA = Lexis(
    rb"\"'\[-",
    rb"--(?:\[(?P<level>=*+)\[.*?(?:\](?P=level)\]|\Z)|[^\n]*+)",
    _any(rb"\[(?P<equals>=*+)\[.*?(?:\](?P=equals)\]|\Z)", _DOUBLE, _SINGLE),
)
_SHELL_NAME = rb"\$[A-Za-z_0-9]\w*+"
BASH = Lexis(
    rb"#\"'\\\\$<",
    rb"(?<![^\s;|&()`])#[^\n]*+",
    _any(rb"\$'(?>(?:[^'\\]++|\\.)*)'", rb"'[^']*+'", rb'"(?>(?:[^"\\$`]++|\\.)*)"'),
    quoted=(Quoted(rb'"', rb'"', rb"\$\(|\$\{|`", _SHELL_NAME),),
    brackets=(rb"({", rb")}`"),
    code=rb"\\.|\$#",
    heredoc=rb"(?<!<)<<-?[ \t]*+\\?(?P<delimiter>['\"]?)(?P<word>[A-Za-z_]\w*+)(?P=delimiter)",
    inlined=lazy_compile(_any(_SHELL_NAME, rb"\$\{[^}\n]{0,200}+\}", rb"\$\([^)\n]{0,200}+\)")),
)
