"""What of a C source its parser is given: without what the grammar trips over.

What ``masked`` returns has the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import re2

_CONTINUED = re.compile(rb"^[ \t]*#(?:[^\\\n]|\\.)*\\\n(?:[^\\\n]|\\.)*", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(rb'"(?:[^"\\\n]|\\.)*"|/\*(?:.*?\*/|.*)', re.DOTALL)
_BLANKED = re.compile(rb"\\(?!\n)|[^\\\n]")

_SPECIFIER = rb"static|extern|inline|register|typedef|const|volatile|struct|union|enum|unsigned|signed|long|short"
_WORD = rb"(?!(?:else|do|default|return|break|continue|goto|%(specifier)s)\b)[A-Za-z_]\w*" % {b"specifier": _SPECIFIER}
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
    if b"\r\n" in content and content.count(b"\r\n") == content.count(b"\n"):
        return masked(content.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
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


_DECLARES = re2.compile(
    rb"(?m)^(?:[A-Za-z_][^\n]*[;{]|[{}]|(?:const|enum|extern|inline|static|struct|typedef|union|unsigned)\b)"
)


def declares(content: bytes) -> bool:
    """Tell whether a header may declare something besides macros: by how its lines begin, since comments are prose."""
    return b";" in content and _DECLARES.search(content) is not None
