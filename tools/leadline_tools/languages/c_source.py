"""What of a C source its parser is given: without what the grammar trips over, for the index without bodies.

Every function here returns text of the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Final

import re2

from leadline_tools.languages.blanking import Span, nested

_CONTINUED = re.compile(rb"^[ \t]*#(?:[^\\\n]|\\.)*\\\n(?:[^\\\n]|\\.)*", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(rb'"(?:[^"\\\n]|\\.)*"|/\*(?:.*?\*/|.*)', re.DOTALL)
_BLANKED = re.compile(rb"\\(?!\n)|[^\\\n]")

_WORD = rb"(?!(?:else|do|default|return|break|continue|goto)\b)[A-Za-z_]\w*"
_LINE = rb"[ \t]*(?:[A-Z][A-Z0-9_]+[ \t]+)*%(word)s[ \t]*" % {b"word": _WORD}
_TYPE = rb"(?:struct|union|enum|unsigned|void|char|int)\b|[A-Za-z_]\w*[ \t*]+[A-Za-z_]"
_LONE_MACRO = re.compile(
    rb"(?<=[;/\n]\n)(?P<last>%(line)s)(?=\n\s*\})"
    rb"|(?<=[{};/\n]\n)%(line)s(?:\n%(line)s)*(?=\n\s*(?:/\*(?:[^*]|\*(?!/))*\*/\s*)*(?:%(type)s))"
    rb"|(?<=\{\n)%(line)s(?:\n%(line)s)*(?=\n[ \t]*\}[ \t]*;)" % {b"line": _LINE, b"type": _TYPE}
)
"""Words on lines of their own that no declaration begins with: before a brace, or before a type and a name."""

_LONGEST_COMMENT = 400
_DECLARED = re.compile(rb";[ \t]*(?://[^\n]*)?(?:\s|/\*(?:[^*]|\*(?!/))*\*/|\n[ \t]*//[^\n]*)*\Z")
"""The end of a declaration, and comments."""

_LISTED = re.compile(rb"^[ \t]*%(word)s\([^()\n]*\)[ \t]*(?=\n[ \t]*#[ \t]*undef\b)" % {b"word": _WORD}, re.MULTILINE)
"""A call of a macro without semicolon before the end of another: it takes that one, and gives what is no statement."""

_CALLING_CONVENTION = re.compile(rb"\btypedef\b[^;{}()]*\(\s*(%(word)s)\s*\*\s*\w+\s*\)\s*\(" % {b"word": _WORD})
"""A word after the parenthesis of a declarator that is no declarator: ``typedef int (WINAPI *name)(void)``."""

_LEADING_MACRO = re.compile(
    rb"^[ \t]*(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
    rb"(?:(?:static|inline|extern|constexpr|virtual|explicit|friend|typedef)[ \t]+)*"
    rb"((?:(?:[A-Z][A-Z0-9_]+|__[a-z]\w*)[ \t]+)+)"
    rb"(?=(?:(?:static|inline|const|constexpr|virtual|explicit|unsigned|struct|enum)[ \t]+)*"
    rb"(?!(?:const|volatile|operator)\b)[A-Za-z_][\w:]*(?:<[^\n;{}()]*>)?[ \t*&]+[A-Za-z_~])",
    re.MULTILINE,
)
"""Words before a type and a name: one word too many, and only the first can be a macro."""

_QUALIFIER = rb"(?:static|extern|inline|const|volatile|typedef|register)\b"
_WHOLE_TYPE = (
    rb"(?:(?:struct|union|enum)[ \t]+\w+|(?:unsigned|signed|long|short)\b(?:[ \t]+(?:long|int|char|short)\b)*"
    rb"|(?!%(q)s|(?:return|goto|else|case|struct|union|enum|unsigned|signed|long|short|__\w*)\b)[a-z]\w*)"
) % {b"q": _QUALIFIER}
_NAME = rb"(?!%(q)s|(?:unsigned|signed|long|short|int|char|void|float|double)\b)[a-zA-Z_]\w*" % {b"q": _QUALIFIER}
_ATTRIBUTE = re.compile(
    rb"(?<!\\\n)(?<!\\\r\n)(?:"  # in no macro: an empty line would take in what follows
    rb"^[ \t]*(?:(?:%(q)s|__[a-z]\w*)[ \t]+)*(?P<first>__[a-z]\w*%(arguments)s(?:[ \t]+__[a-z]\w*)*[ \t]*)\n?"
    rb"(?=[ \t]*(?:%(q)s[ \t]+)*%(type)s[ \t*\n]+%(name)s[ \t]*[(;])"
    rb"|^[ \t]*(?:(?:%(q)s|__[a-z]\w*)[ \t]+)*%(type)s(?:[ \t]+volatile)?(?:[ \t]*\*[ \t]*|[ \t]+)"
    rb"(?P<middle>(?:__[a-z]\w*(?:%(arguments)s[ \t]*|[ \t]+))+)(?=\**%(name)s[ \t]*[(;=\[])"
    rb"|^[ \t]*(?:%(q)s[ \t]+)*%(type)s[ \t*]+%(name)s(?:\[[^\]\n]*\])*[ \t]+"
    rb"(?P<last>(?:__[a-z_]\w*(?:%(arguments)s)?[ \t]*)+)(?=[;=]))"
    % {
        b"q": _QUALIFIER,
        b"type": _WHOLE_TYPE,
        b"name": _NAME,
        b"arguments": rb"\((?!void\b)(?:[^()\s,]|,[ \t]*)*\)",
    },
    re.MULTILINE,
)
"""Words with two underscores that stand where a declaration needs none: its type and its name are told without."""

_MAYBE_ATTRIBUTE = re2.compile(
    rb"(?m)^([ \t]*)(?:[a-z_][a-zA-Z0-9_ \t*\[\]]*\b__[a-z_][a-zA-Z0-9_]*(?:\([^()\n]*\))?[ \t]*(?:[;=\n]|\*?[a-zA-Z_])"
    rb"|__[a-z][a-zA-Z0-9_]*\([^()\n]*\)[ \t]*\n)"
)
_MAYBE_CONTINUED = re2.compile(rb"(?m)^[ \t]*#(?:[^\n]*\\\n)+[^\n]*/\*|^[ \t]*#[^\n]*/\*[^\n]*\\\n")
_MAYBE_DIRECTIVE = re2.compile(rb"(?m)^([ \t]*)#[^\n]*\\\n")
_MAYBE_LISTED = re2.compile(rb"(?m)^([ \t]*)[A-Za-z_][A-Za-z0-9_]*\([^()\n]*\)[ \t]*\n[ \t]*#[ \t]*undef\b")
_MAYBE_LONE_MACRO = re2.compile(rb"(?m)[{};/\n]\n([ \t]*(?:[A-Z][A-Z0-9_]+[ \t]+)*[A-Za-z_][A-Za-z0-9_]*)[ \t]*$")
_MAYBE_LEADING_MACRO = re2.compile(
    rb"(?m)^([ \t]*)(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
    rb"(?:(?:static|inline|extern|constexpr|virtual|explicit|friend|typedef)[ \t]+)*"
    rb"(?:[A-Z][A-Z0-9_]+|__[a-z][A-Za-z0-9_]*)[ \t]+"
    rb"[A-Za-z_][A-Za-z0-9_:]*(?:<[^\n;{}()]*>)?[ \t*&]+[A-Za-z_~]"
)
_MAYBE_CALLING_CONVENTION = re2.compile(rb"(\btypedef\b)[^;{}()]*\(\s*[A-Za-z_][A-Za-z0-9_]*\s*\*")
"""What the expressions above match only where these do, too: RE2 passes in linear time over what is nothing."""


def masked(content: bytes) -> bytes:
    """Blank what the grammar trips over and the language gives no meaning: comments in directives, lone macros."""
    if b"\\\n" in content and _MAYBE_CONTINUED.search(content):
        content = _replaced(content, _MAYBE_DIRECTIVE, _CONTINUED, lambda found: _COMMENT.sub(_blank, found[0]))
    content = _replaced(content, _MAYBE_LONE_MACRO, _LONE_MACRO, _without_lone)
    if b"undef" in content:
        content = _replaced(content, _MAYBE_LISTED, _LISTED, _blank)
    content = _replaced(content, _MAYBE_LEADING_MACRO, _LEADING_MACRO, _without_word)
    content = _replaced(content, _MAYBE_ATTRIBUTE, _ATTRIBUTE, _without_attribute)
    if b"typedef" in content:
        content = _replaced(content, _MAYBE_CALLING_CONVENTION, _CALLING_CONVENTION, _without_word)
    return content


def _replaced(
    content: bytes, maybe: Any, sure: re.Pattern[bytes], replacement: Callable[[re.Match[bytes]], bytes]
) -> bytes:
    """Replace what ``sure`` matches; only where a group of ``maybe`` begins is it tried."""
    parts: list[bytes] = []
    done = 0
    for candidate in maybe.finditer(content):
        found = sure.match(content, candidate.start(1)) if candidate.start(1) >= done else None
        if found is not None:
            parts += (content[done : found.start()], replacement(found))
            done = found.end()
    return b"".join((*parts, content[done:])) if parts else content


def _blank(found: re.Match[bytes]) -> bytes:
    return found[0] if found[0].startswith(b'"') else _BLANKED.sub(b" ", found[0])


def _without_lone(found: re.Match[bytes]) -> bytes:
    """Blank lone macros; what is last before a brace is one only after a declaration, else it may be an enumerator."""
    if found["last"] is None or _DECLARED.search(found.string, max(0, found.start() - _LONGEST_COMMENT), found.start()):
        return _blank(found)
    return found[0]


def _without_word(found: re.Match[bytes]) -> bytes:
    start, end = (place - found.start() for place in found.span(1))
    return found[0][:start] + b" " * (end - start) + found[0][end:]


def _without_attribute(found: re.Match[bytes]) -> bytes:
    start, end = (place - found.start() for place in found.span(found.lastindex or 0))
    return found[0][:start] + b" " * (end - start) + found[0][end:]


_INERT = rb"""/\*(?>(?:[^*]++|\*(?!/))*)\*/|//[^\n]*+|"(?>(?:[^"\\\n]++|\\.)*)"|'(?>(?:[^'\\\n]++|\\.)*)'"""
_PLAIN = rb"""[^{}"'/]++|(?<!\*)/(?![*/])|""" + _INERT
_BALANCED: Final = re.compile(rb"(?>(?:" + _PLAIN + rb"|" + nested(rb"\{", _PLAIN, rb"\}") + rb")*)", re.DOTALL)
"""What stands between two braces that belong together; no comment and no string begins or ends outside of it."""

_DIRECTIVE: Final = re.compile(rb"[ \t]*#[ \t]*(define\b|if|endif)")
_TYPE_DEFINED: Final = re2.compile(
    rb"(?s)typedef|\b(?:struct|union|enum)\b(?:[^;{}()=,/]|/\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*\n|/[^*/;{}()=,])*\{"
)
"""From a keyword to the brace that opens a type, comments between the two included."""


def bodies(content: bytes) -> list[Span]:
    """Return the bodies and parameters of functions and the values of variables, where nothing in them is a symbol.

    A body opens with the last brace of a line, after a parenthesis or an equals sign, and ends with the next brace that
    begins a line. It is one only where its own comments, strings, braces and conditions are balanced, so that the rest
    of the source means without it what it did before, and where it defines neither macro nor type. Parameters take the
    parser longer than all that is left besides.
    """
    spans: list[Span] = []
    types: list[int] | None = None
    done = 0
    opening = b"{\n" if b"{\n" in content else b"{\r\n"
    at = content.find(opening)
    while at >= 0:
        if not _opens_body(content, at):
            at = content.find(opening, at + 2)
            continue
        end = content.find(b"\n}", at) + 1
        if not end:
            break
        start = at + 1
        if types is None:
            types = [found.end() for found in _TYPE_DEFINED.finditer(content)]
        next_type = bisect_right(types, start)
        defines = next_type < len(types) and types[next_type] <= end
        if not defines and _BALANCED.fullmatch(content, start, end) and _conditions_end(content, start, end):
            _add_prototypes(content, done, at, spans)
            _add_parameters(content, at, spans)
            spans.append((at, end + 1))
            done = end + 1
        at = content.find(opening, end)
    _add_prototypes(content, done, len(content), spans)
    return spans


def _add_prototypes(content: bytes, start: int, end: int, spans: list[Span]) -> None:
    """Add the parameters of what is declared in a part of a source."""
    at = content.find(b");", start, end)
    while at >= 0:
        _add_parameters(content, at + 1, spans)
        at = content.find(b");", at + 2, end)


def _add_parameters(content: bytes, end: int, spans: list[Span]) -> None:
    """Add the parameters of the function whose head ends at a place, if it is a type, a name and parameters.

    A line that is indented goes on with them where the one above ends with a comma or the parenthesis.
    """
    least = max(0, end - _LONGEST_HEAD)
    line = content.rfind(b"\n", least, end) + 1
    if line == end:
        line = content.rfind(b"\n", least, line - 1) + 1
    for _ in range(_MOST_LINES):
        if not (content.startswith(_INDENTED, line) and content.endswith(_GOING_ON, least, line)):
            break
        line = content.rfind(b"\n", least, line - 1) + 1
    if line < least:
        return
    start = content.find(b"(", line, end)
    if content.startswith(_INDENTED, line) or start < 0 or not _declares(content[line:start]):
        return
    parameters = _IN_PARENTHESES.match(content, start, end)
    if parameters is not None and parameters.end() - start >= _SHORTEST and not content[parameters.end() : end].strip():
        spans.append((start, parameters.end()))


def _declares(head: bytes) -> bool:
    """Tell whether what stands before a parenthesis is a type, and a name that is neither a tag nor a type."""
    if head.translate(None, _OF_WORDS):
        return False
    words = head.replace(b"*", b" ").split()
    while words and words[0] in _STORAGE:
        del words[0]
    return len(words) > 1 and words[0] != b"typedef" and words[-2] not in _TAGGED and words[-1] not in _NO_NAMES


_GOING_ON: Final = (b",\n", b"(\n", b",\r\n", b"(\r\n")
_SHORTEST: Final = 16
"""Bytes of parameters that are worth leaving out."""

_LONGEST_HEAD, _MOST_LINES = 2_000, 16
"""Bytes and lines in which the head of a function is looked for."""

_OF_WORDS: Final = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_* \t\r\n"
_STORAGE: Final = frozenset(b"static extern inline __inline __inline__ register const volatile".split())
_TAGGED: Final = frozenset((b"struct", b"union", b"enum"))
_NO_NAMES: Final = frozenset(b"else return void char short int long float double signed unsigned _Bool bool".split())
_WITHIN = rb"[^(){}\"'#;/]*+"
_IN_PARENTHESES: Final = re.compile(rb"\(%(w)s(?>(?:\(%(w)s(?>(?:\(%(w)s\)%(w)s)*)\)%(w)s)*)\)" % {b"w": _WITHIN})


def _opens_body(content: bytes, brace: int) -> bool:
    """Tell whether a brace at the end of a line is that of a function or a value outside of everything else."""
    line = content.rfind(b"\n", 0, brace) + 1
    if line == brace:
        line = content.rfind(b"\n", 0, max(0, line - 1)) + 1
        if content.startswith(_INDENTED, line):  # the head goes on: its first line says what it is
            return content[line:brace].rstrip().endswith(b")")
    return not content.startswith(_INSIDE, line) and content[line:brace].rstrip().endswith(_BEFORE_BODY)


_INDENTED: Final = (b" ", b"\t")
_INSIDE: Final = (*_INDENTED, b"#")
_BEFORE_BODY: Final = (b")", b"=")


def _conditions_end(content: bytes, start: int, end: int) -> bool:
    """Tell whether a body holds the end of each condition for the preprocessor, and no macro."""
    conditions = 0
    at = content.find(b"#", start, end)
    while at >= 0:
        found = _DIRECTIVE.match(content, content.rfind(b"\n", start, at) + 1, end)
        if found is not None and found.end() > at:
            directive = found[1]
            if directive == b"define":
                return False
            conditions += 1 if directive == b"if" else -1
        line = content.find(b"\n", at, end)
        at = content.find(b"#", line, end) if line >= 0 else -1
    return not conditions


_ONLY_VALUES = re.compile(rb"(?>(?:\s++|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)\{")


def only_lists(content: bytes) -> bool:
    """Tell whether a source is what another takes in inside of braces: nothing that declares begins with a brace."""
    return _ONLY_VALUES.match(content) is not None


_FEW_MACROS = 100
_MOSTLY = 0.6


def only_defines(content: bytes) -> bool:
    """Tell whether a header has so many macros and so little else that its text says all that its symbols would.

    Such headers are generated: the registers of a device, one or two lines each.
    """
    macros = content.count(b"\n#define ")
    if macros < _FEW_MACROS:
        return False
    blank = content.count(b"\n\n") + content.count(b"\n//") + content.count(b"\n *") + content.count(b"\n/*")
    return macros > _MOSTLY * (content.count(b"\n") - blank)
