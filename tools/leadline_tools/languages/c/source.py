"""The source of C as its parser gets it: without what the grammar trips over.

What ``masked`` returns has the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import re2

from leadline_tools.languages.blanking import compile_expression
from leadline_tools.lazy_regex import lazy_compile

_CONTINUED = lazy_compile(rb"^[ \t]*#(?:[^\\\n]|\\.)*\\\n(?:[^\\\n]|\\.)*", re.MULTILINE | re.DOTALL)
_DIRECTIVE_LINE = lazy_compile(rb"[ \t]*#[^\n]*")
_COMMENT = lazy_compile(rb'"(?:[^"\\\n]|\\.)*"|/\*(?:.*?\*/|.*)', re.DOTALL)
_BLANKED = lazy_compile(rb"\\(?!\n)|[^\\\n]")

_SPECIFIER = rb"static|extern|inline|register|typedef|const|volatile|struct|union|enum|unsigned|signed|long|short"
_WORD = rb"(?!(?:else|do|default|return|break|continue|goto|%(specifier)s)\b)[A-Za-z_]\w*" % {b"specifier": _SPECIFIER}
_LINE = rb"[ \t]*(?:[A-Z][A-Z0-9_]+[ \t]+)*%(word)s[ \t]*" % {b"word": _WORD}
_TYPE = rb"(?:struct|union|enum|unsigned|void|char|int)\b|[A-Za-z_]\w*[ \t*]+[A-Za-z_]"
_LONE_MACRO = (
    rb"(?<=[;/\n]\n)(?P<last>%(line)s)(?=\n\s*\})"
    rb"|(?<=[{};/\n]\n)%(line)s(?:\n%(line)s)*(?=\n\s*(?:/\*(?:[^*]|\*(?!/))*\*/\s*)*(?:%(type)s))"
    rb"|(?<=\{\n)%(line)s(?:\n%(line)s)*(?=\n[ \t]*\}[ \t]*;)" % {b"line": _LINE, b"type": _TYPE}
)
"""Words on lines of their own that no declaration begins with: before a brace, or before a type and a name."""

_LONGEST_COMMENT = 400
_DECLARED = lazy_compile(rb";[ \t]*(?://[^\n]*)?(?:\s|/\*(?:[^*]|\*(?!/))*\*/|\n[ \t]*//[^\n]*)*\Z")
"""The end of a declaration, and comments."""

_LISTED = lazy_compile(rb"^[ \t]*%(word)s\([^()\n]*\)[ \t]*(?=\n[ \t]*#[ \t]*undef\b)" % {b"word": _WORD}, re.MULTILINE)
"""A call of a macro without semicolon before the end of another: it takes that one, and gives what is no statement."""

_CALLING_CONVENTION = lazy_compile(rb"\btypedef\b[^;{}()]*\(\s*(%(word)s)\s*\*\s*\w+\s*\)\s*\(" % {b"word": _WORD})
"""A word after the parenthesis of a declarator that is no declarator: ``typedef int (WINAPI *name)(void)``."""

_LEADING_MACRO = (
    rb"(?m)"
    rb"^[ \t]*(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
    rb"(?:(?:static|inline|extern|constexpr|virtual|explicit|friend|typedef)[ \t]+)*"
    rb"((?:(?:[A-Z][A-Z0-9_]+|__[a-z]\w*)[ \t]+)+)"
    rb"(?=(?:(?:static|inline|const|constexpr|virtual|explicit|unsigned|struct|enum)[ \t]+)*"
    rb"(?!(?:const|volatile|operator)\b)[A-Za-z_][\w:]*(?:<[^\n;{}()]*>)?[ \t*&]+"
    rb"(?:[A-Za-z_~]|\([ \t*]*\w+[ \t]*\)[ \t]*\())"
)
"""Words before a type and a name: one word too many, and only the first can be a macro."""

_LEADING_CALL = (
    rb"(?m)"
    rb"^[ \t]*(?:(?:static|inline|extern)[ \t]+)+(?P<macros>(?:[A-Z][A-Z0-9_]+\([^()\n]*\)[ \t]+)+)"
    rb"(?=(?:(?:static|inline|const|unsigned|struct|enum)[ \t]+)*(?!(?:const|extern|inline|operator|static|volatile)\b)"
    rb"[A-Za-z_][\w:]*(?:<[^\n;{}()]*>)?[ \t*&]+[A-Za-z_~])"
)
"""Calls between storage and type: attributes with arguments, ``static PRINTF_LIKE(1) const char *text(...)``."""

_QUALIFIER = rb"(?:static|extern|inline|const|volatile|typedef|register)\b"
_WHOLE_TYPE = (
    rb"(?:(?:struct|union|enum)[ \t]+\w+|(?:unsigned|signed|long|short)\b(?:[ \t]+(?:long|int|char|short)\b)*"
    rb"|(?!%(q)s|(?:return|goto|else|case|struct|union|enum|unsigned|signed|long|short|__\w*)\b)[a-z]\w*)"
) % {b"q": _QUALIFIER}
_NAME = rb"(?!%(q)s|(?:unsigned|signed|long|short|int|char|void|float|double)\b)[a-zA-Z_]\w*" % {b"q": _QUALIFIER}
_NUMBERS = rb"\([ \t]*\d[\d \t,]*\)"
"""Arguments of a macro: no parameter begins with a number, https://port70.net/~nsz/c/c11/n1570.html#6.7.6p1."""

_TRAILING = (
    rb"(?m)"
    rb"^(?:%(q)s[ \t]+)*(?:(?:struct|union|enum)[ \t]+\w+"
    rb"|(?:unsigned|signed|long|short)\b(?:[ \t]+(?:long|int|char|short)\b)*|(?!%(q)s)[A-Za-z_]\w*)"
    rb"(?:[ \t]+const\b)?[ \t*\n]+%(name)s[ \t]*(?!%(numbers)s)%(arguments)s[ \t]*\n?[ \t]*"
    rb"(?P<last>(?!%(basic)s)%(word)s(?:[ \t]*%(arguments)s)?(?:[ \t]+%(word)s[ \t]*%(arguments)s)*)[ \t]*(?=;)"
    % {
        b"q": _QUALIFIER,
        b"word": _WORD,
        b"name": _NAME,
        b"arguments": rb"\((?>(?:[^();{}#\"]|\([^();{}#\"]*\))*)\)",
        b"basic": rb"(?:int|char|float|double|void)\b",
        b"numbers": _NUMBERS,
    }
)
"""Words between the parameters of a prototype and its semicolon, where the language has none: ``attribute_hidden``."""

_LABEL_MACRO = lazy_compile(rb"[ \t]*[A-Z][A-Z0-9_]*\([ \t]*\w+[ \t]*\)[ \t]*:(?!:)")
"""Labels that macros make, ``CASE(OP_ADD):``: an expression is followed by a colon only after a question mark."""

_BEFORE_LABEL = (b";", b"{", b"}", b":", b"*/")
_PROTOTYPE_MACRO = (
    rb"(?m)^[ \t]*(?:%(q)s[ \t]+)*%(type)s[ \t*\n]+%(name)s[ \t]+"
    rb"(?P<macro>%(word)s[ \t]*\()"
    rb"(?P<parameters>\((?>(?:[^();{}#\"]|\((?>(?:[^();{}#\"]|\([^();{}#\"]*\))*)\))*)\)[ \t]*)"
    rb"(?P<end>\))(?=[ \t\n]*(?:;|[A-Za-z_]\w*[ \t]*[;(]))"
    % {b"q": _QUALIFIER, b"type": _WHOLE_TYPE, b"name": _NAME, b"word": _WORD}
)
"""A macro that is given the parameters of a prototype: ``int run P_((int count));``."""

_PARAMETER_MACRO = (
    rb"(?:[A-Za-z_]\w*[ \t]*\*[ \t*]*"
    rb"|(?!%(q)s|(?:struct|union|enum|unsigned|signed|return|case|goto)\b)[A-Za-z_]\w*[ \t]+)"
    rb"%(name)s[ \t]+(?P<macro>[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t\n]*[,)])" % {b"q": _QUALIFIER, b"name": _NAME}
)
"""A word behind the name of a parameter: ``void run(int count ARG_UNUSED)``."""

_BUILT_IN = rb"(?:char|double|enum|float|int|long|short|signed|struct|union|unsigned|void)"
_BEFORE_TYPE = lazy_compile(rb"[(,][ \t\n]*(?P<macro>[A-Z][A-Z0-9_]+|__[a-z]\w*)(?=[ \t]+%s[ \t*])" % _BUILT_IN)
"""A word before the type of a parameter: no name is followed by one, ``int run(CONST char *text)``."""

_ATTRIBUTE = (
    rb"(?m)"
    rb"(?<!\\\n)(?<!\\\r\n)(?:"  # in no macro: an empty line would take in what follows
    rb"^[ \t]*(?:(?:%(q)s|__[a-z]\w*)[ \t]+)*"
    rb"(?P<first>(?:__[a-z]\w*%(arguments)s|(?!(?:if|while|switch|for)\b)%(name)s%(numbers)s)"
    rb"(?:[ \t]+__[a-z]\w*)*[ \t]*)\n?"
    rb"(?=[ \t]*(?:%(q)s[ \t]+)*%(type)s[ \t*\n]+%(name)s[ \t]*[(;])"
    rb"|^[ \t]*(?:(?:%(q)s|__[a-z]\w*)[ \t]+)*%(type)s(?:[ \t]+volatile)?(?:[ \t]*\*[ \t]*|[ \t]+)"
    rb"(?P<middle>(?:__[a-z]\w*(?:%(arguments)s[ \t]*|[ \t]+)|%(name)s%(numbers)s[ \t]*)+)"
    rb"(?=\**%(name)s[ \t]*[(;=\[])"
    rb"|^[ \t]*(?:%(q)s[ \t]+)*%(type)s[ \t*]+%(name)s(?:\[[^\]\n]*\])*[ \t]+"
    rb"(?P<last>(?:__[a-z_]\w*(?:%(arguments)s)?[ \t]*)+)(?=[;=]))"
    % {
        b"q": _QUALIFIER,
        b"type": _WHOLE_TYPE,
        b"name": _NAME,
        b"arguments": rb"\((?!void\b)(?:[^()\s,]|,[ \t]*)*\)",
        b"numbers": _NUMBERS,
    }
)
"""Words with two underscores that stand where a declaration needs none: its type and its name are told without."""

_TYPE_OF = lazy_compile(
    rb"(?<!\w)(?P<keyword>typeof(?:_unqual)?|__typeof(?:__)?)"
    rb"(?P<operand>[ \t]*\((?=[ \t]*[*&(]|[^()]*[^\w\s()*])(?:[^();{}#]|\((?:[^();{}#]|\([^();{}#]*\))*\))*\))"
    rb"(?=[ \t*]*(?:const\b[ \t]*)?[A-Za-z_]\w*[ \t]*[=;,)\[:])"
)
"""The operator for the type of an expression, before a name that is declared: the grammar knows types alone in it."""

_IN_DIRECTIVE = lazy_compile(rb"[ \t]*#")
_MAYBE_ATTRIBUTE = re2.compile(
    rb"(?m)^([ \t]*)(?:[a-z_][a-zA-Z0-9_ \t*\[\]]*\b__[a-z_][a-zA-Z0-9_]*(?:\([^()\n]*\))?[ \t]*(?:[;=\n]|\*?[a-zA-Z_])"
    rb"|[A-Za-z_][a-zA-Z0-9_]*\([ \t]*[0-9][0-9 \t,]*\)[ \t]*\n"
    rb"|__[a-z][a-zA-Z0-9_]*\([^()\n]*\)[ \t]*\n|[a-z_][a-zA-Z0-9_ \t*]*\([ \t]*[0-9][0-9 \t,]*\)[ \t]*\*?[a-zA-Z_])"
)
_MAYBE_CONTINUED = re2.compile(rb"(?m)^[ \t]*#(?:[^\n]*\\\n)+[^\n]*/\*|^[ \t]*#[^\n]*/\*[^\n]*\\\n")
_MAYBE_COMMENTED = re2.compile(rb"(?m)^([ \t]*)#[ \t]*define\b[^\n]*/\*[^*\n]*\*+/[ \t]*[^ \t\r\n/]")
_MAYBE_DIRECTIVE = re2.compile(rb"(?m)^([ \t]*)#[^\n]*\\\n")
_MAYBE_LISTED = re2.compile(rb"(?m)^([ \t]*)[A-Za-z_][A-Za-z0-9_]*\([^()\n]*\)[ \t]*\n[ \t]*#[ \t]*undef\b")
_MAYBE_DIRECTED_LIST = re2.compile(rb"(=)[ \t]*\{[^;#]*\n[ \t]*#[ \t]*(?:define|include|undef)\b")
_MAYBE_TRAILING = re2.compile(
    rb"(?m)^()[A-Za-z_][^;{}#=\"]*\)[ \t\n]*[A-Za-z_][A-Za-z0-9_ \t]*(?:\([^;{}#]*\)[ \t]*)?;"
)
_MAYBE_LABEL_MACRO = re2.compile(rb"(?m)^([ \t]*)[A-Z][A-Z0-9_]*\([ \t]*\w+[ \t]*\)[ \t]*:")
_MAYBE_PROTOTYPE_MACRO = re2.compile(
    rb"(?m)^([ \t]*)[A-Za-z_][A-Za-z0-9_ \t*]*[ \t*\n][A-Za-z_]\w*[ \t]+[A-Za-z_]\w*[ \t]*\(\("
)
_MAYBE_PARAMETER_MACRO = re2.compile(rb"([A-Za-z_]\w*[ \t*]+)[A-Za-z_]\w*[ \t]+[A-Z][A-Z0-9]*_[A-Z0-9_]+[ \t\n]*[,)]")
_MAYBE_BEFORE_TYPE = re2.compile(
    rb"([(,][ \t\n]*)(?:[A-Z][A-Z0-9_]+|__[a-z][A-Za-z0-9_]*)[ \t]+"
    rb"(?:char|double|enum|float|int|long|short|signed|struct|union|unsigned|void)\b"
)
_MAYBE_ENUMERATED = re2.compile(rb"(\benum\b)[^;{}()]*\{[^{}]*(?:\(|[A-Za-z0-9_][ \t]*\n\s*[A-Za-z_])")
_MAYBE_MEMBER_CALL = re2.compile(rb"(\b(?:struct|union)\b)[^;{}()=]*\{[^{}]*\)\s*\}")
_MAYBE_DIRECTED = re2.compile(rb"(\benum\b)[^;{}()]*\{[^{}]*#")
_MAYBE_LONE_MACRO = re2.compile(rb"(?m)[{};/\n]\n([ \t]*(?:[A-Z][A-Z0-9_]+[ \t]+)*[A-Za-z_][A-Za-z0-9_]*)[ \t]*$")
_MAYBE_LEADING_CALL = re2.compile(rb"(?m)^([ \t]*)(?:(?:static|inline|extern)[ \t]+)+[A-Z][A-Z0-9_]+\(")
_MAYBE_LEADING_MACRO = re2.compile(
    rb"(?m)^([ \t]*)(?:template[ \t]*<[^\n;{}]*>[ \t]*)?"
    rb"(?:(?:static|inline|extern|constexpr|virtual|explicit|friend|typedef)[ \t]+)*"
    rb"(?:[A-Z][A-Z0-9_]+|__[a-z][A-Za-z0-9_]*)[ \t]+"
    rb"[A-Za-z_][A-Za-z0-9_:]*(?:<[^\n;{}()]*>)?[ \t*&]+(?:[A-Za-z_~]|\([ \t*]*\w+[ \t]*\)[ \t]*\()"
)
_MAYBE_CALLING_CONVENTION = re2.compile(rb"(\btypedef\b)[^;{}()]*\(\s*[A-Za-z_][A-Za-z0-9_]*\s*\*")
"""What the expressions above match only where these do, too: RE2 passes in linear time over what is nothing."""


def mask_source(content: bytes) -> bytes:
    """Blank what the grammar trips over and the language gives no meaning: comments in directives, lone macros."""
    if b"\r\n" in content and content.count(b"\r\n") == content.count(b"\n"):
        return mask_source(content.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    if b"\\\n" in content and _MAYBE_CONTINUED.search(content):
        content = _replace(content, _MAYBE_DIRECTIVE, _CONTINUED, lambda found: _COMMENT.sub(_blank, found[0]))
    if b"/*" in content:
        content = _replace(content, _MAYBE_COMMENTED, _DIRECTIVE_LINE, lambda found: _COMMENT.sub(_blank, found[0]))
    content = _replace(content, _MAYBE_LONE_MACRO, _LONE_MACRO, _without_lone)
    if b"undef" in content:
        content = _replace(content, _MAYBE_LISTED, _LISTED, _blank)
    if b"enum" in content:
        content = _replace(content, _MAYBE_ENUMERATED, _ENUMERATED, _without_calls)
    if b"struct" in content or b"union" in content:
        content = _replace(content, _MAYBE_MEMBER_CALL, _AGGREGATE, _without_member_calls)
    content = _replace(content, _MAYBE_LEADING_MACRO, _LEADING_MACRO, _without_word)
    content = _replace(content, _MAYBE_LABEL_MACRO, _LABEL_MACRO, _without_label)
    content = _replace(content, _MAYBE_LEADING_CALL, _LEADING_CALL, _without_word)
    content = _replace(content, _MAYBE_ATTRIBUTE, _ATTRIBUTE, _without_attribute)
    content = _replace(content, _MAYBE_TRAILING, _TRAILING, _without_attribute)
    if b"((" in content:
        content = _replace(content, _MAYBE_PROTOTYPE_MACRO, _PROTOTYPE_MACRO, _with_parameters)
    content = _replace(content, _MAYBE_PARAMETER_MACRO, _PARAMETER_MACRO, _without_macro)
    content = _replace(content, _MAYBE_BEFORE_TYPE, _BEFORE_TYPE, _without_macro)
    if b"typeof" in content:
        content = _TYPE_OF.sub(_without_operand, content)
    if b"typedef" in content:
        content = _replace(content, _MAYBE_CALLING_CONVENTION, _CALLING_CONVENTION, _without_word)
    return content


def _replace(
    content: bytes, maybe: Any, sure: bytes | re.Pattern[bytes], replacement: Callable[[re.Match[bytes]], bytes]
) -> bytes:
    """Replace what ``sure`` matches; only where a group of ``maybe`` begins is it tried, and compiled if it is long."""
    parts: list[bytes] = []
    done = 0
    for candidate in maybe.finditer(content):
        if candidate.start(1) < done:
            continue
        pattern = compile_expression(sure) if isinstance(sure, bytes) else sure
        found = pattern.match(content, candidate.start(1))
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


def _without_operand(found: re.Match[bytes]) -> bytes:
    """Blank the operand of ``typeof``, but none in the text of a macro."""
    start = found.string.rfind(b"\n", 0, found.start()) + 1
    while start > 1 and found.string[start - 2 : start - 1] == b"\\":
        start = found.string.rfind(b"\n", 0, start - 1) + 1
    if _IN_DIRECTIVE.match(found.string, start) is not None:
        return found[0]
    return found["keyword"] + _BLANKED.sub(b" ", found["operand"])


def _without_word(found: re.Match[bytes]) -> bytes:
    return _without_group(found, 1)


def _without_label(found: re.Match[bytes]) -> bytes:
    """Blank a label that a macro makes, after the end of a statement, another label or a directive."""
    before = found.string[max(0, found.start() - _LONGEST_COMMENT) : found.start()].rstrip()
    line = before[before.rfind(b"\n") + 1 :].lstrip()
    return _blank(found) if before.endswith(_BEFORE_LABEL) or line.startswith(b"#") else found[0]


def _with_parameters(found: re.Match[bytes]) -> bytes:
    """Blank a macro around parameters, with its parentheses."""
    return _without_group(found, "macro")[:-1] + b" "


def _without_macro(found: re.Match[bytes]) -> bytes:
    return _without_group(found, "macro")


def _without_attribute(found: re.Match[bytes]) -> bytes:
    return _without_group(found, found.lastindex or 0)


def _without_group(found: re.Match[bytes], group: int | str) -> bytes:
    start, end = (place - found.start() for place in found.span(group))
    return found[0][:start] + _BLANKED.sub(b" ", found[0][start:end]) + found[0][end:]


_ENUMERATED = lazy_compile(rb"enum\b[^;{}()]*\{[^{}]*\}")
_ENUMERATOR_TOKEN = lazy_compile(
    rb"(?P<nothing>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)|(?P<directive>^[ \t]*#(?:[^\n\\]|\\.)*)"
    rb"|(?P<call>[A-Za-z_]\w*\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)(?:[ \t]*,)?)"
    rb"|(?P<lone>[A-Za-z_]\w*[ \t]*(?=\n\s*[A-Za-z_]))|\w+|.",
    re.MULTILINE | re.DOTALL,
)
_AGGREGATE = lazy_compile(rb"(?:struct|union)\b[^;{}()=]*\{[^{}]*\}")
_MEMBER_CALL = lazy_compile(
    rb"((?:[{;]|\*/)[ \t]*\n)(?:[ \t]*%(word)s\([^()\n]*\)[ \t]*\n)+(?=\s*\})" % {b"word": _WORD}
)
"""Calls on lines of their own at the end of a structure: each member ends with a semicolon, so they are macros,
https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3096.pdf#subsection.6.7.3.2"""

_NO_CONDITION = lazy_compile(rb"[ \t]*#[ \t]*(?:define|include|undef)\b")
"""Directives that the grammar knows in no list of enumerators."""


def _without_calls(found: re.Match[bytes]) -> bytes:
    """Blank macros in the place of enumerators: none is followed by a parenthesis, or by another without comma."""
    parts: list[bytes] = []
    begins = False
    for token in _ENUMERATOR_TOKEN.finditer(found[0]):
        kind = token.lastgroup
        blanked = begins and kind in ("call", "lone")
        parts.append(_blank(token) if blanked else token[0])
        begins = begins if blanked or kind in ("nothing", "directive") else token[0].endswith((b"{", b","))
    return b"".join(parts)


def _without_member_calls(found: re.Match[bytes]) -> bytes:
    return _MEMBER_CALL.sub(lambda calls: calls[1] + _BLANKED.sub(b" ", calls[0][len(calls[1]) :]), found[0])


_DIRECTED_LIST = lazy_compile(
    rb"=[ \t]*\{[^;#\n]*\n(?>[ \t]*(?:#(?:[^\n\\]|\\.)*|[^;#\n]*)\n)+?[ \t]*\}[ \t]*;", re.DOTALL
)
_LISTED_DIRECTIVE = lazy_compile(rb"^[ \t]*#[ \t]*(?:define|include|undef)\b(?:[^\n\\]|\\.)*", re.MULTILINE | re.DOTALL)


def _without_listed_directives(found: re.Match[bytes]) -> bytes:
    """Blank the directives in a list of values that choose nothing."""
    return _LISTED_DIRECTIVE.sub(_blank, found[0])


def _without_directives(found: re.Match[bytes]) -> bytes:
    """Blank the directives in a list of enumerators that choose nothing."""
    tokens = ((one, one.lastgroup == "directive") for one in _ENUMERATOR_TOKEN.finditer(found[0]))
    return b"".join(_blank(one) if directive and _NO_CONDITION.match(one[0]) else one[0] for one, directive in tokens)


_CONDITIONAL = lazy_compile(rb"#[ \t]*(?:(if)(?:n?def)?|el(?:if(?:n?def)?|se)|(endif))\b")
_ALWAYS_FALSE = lazy_compile(rb"#[ \t]*if[ \t]+0\b")
_ASKS_FOR = lazy_compile(rb"#[ \t]*if(n?)def[ \t]+(\w+)[ \t\r]*(?:/[/*][^\n]*)?(?=\n)")
"""A condition that asks for one macro: ``#ifdef A``, ``#ifndef A``."""

_WITH_ELSE = 2
_IN_TEXT = lazy_compile(rb"/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)


def select_branches(content: bytes) -> bytes:
    """Return a source without directives that the grammar does not know, and without branches that cut a statement.

    Exactly one branch of a condition is compiled, so each may begin or end what all share; the first one stays, and
    of further conditions on the same macro the one that is compiled with it.
    """
    if b"enum" in content and b"#" in content:
        content = _replace(content, _MAYBE_DIRECTED, _ENUMERATED, _without_directives)
    content = _replace(content, _MAYBE_DIRECTED_LIST, _DIRECTED_LIST, _without_listed_directives)
    if b"endif" not in content:
        return content
    blanked: list[tuple[int, int]] = []
    open_conditions: list[list[int]] = []
    assumed: dict[bytes, bool] = {}
    at = content.find(b"#")
    while at >= 0:
        found = _CONDITIONAL.match(content, at)
        if found is not None and not content[content.rfind(b"\n", 0, at) + 1 : at].strip():
            if found[1]:
                open_conditions.append([at])
            elif open_conditions:
                open_conditions[-1].append(at)
                if found[2]:
                    blanked += _list_unselected(content, open_conditions.pop(), assumed)
        at = content.find(b"#", at + 1)
    if not blanked:
        return content
    changed = bytearray(content)
    for start, end in blanked:
        changed[start:end] = _BLANKED.sub(b" ", content[start:end])
    return bytes(changed)


def _list_unselected(
    content: bytes, directives: Sequence[int], assumed: dict[bytes, bool]
) -> Sequence[tuple[int, int]]:
    """Return what is left out of one condition: nothing where each of its branches is made of whole statements.

    ``assumed`` says of macros whether what was left out before is compiled without them.
    """
    branches = list(pairwise(directives))
    within = _GOES_ON.search(content, max(0, directives[0] - _LONGEST_END), directives[0]) is not None
    if not within and not any(
        _is_unbalanced(content, start, end) or _cuts_statement(content, start, end) for start, end in branches
    ):
        return ()
    lines = [(start, _line_end(content, start)) for start in directives]
    begin, end = lines[0]
    if b"__cplusplus" in content[begin:end]:
        return ()  # ``extern "C" {``, which the grammar knows
    kept: tuple[int, int] | None = branches[0]
    asked = _ASKS_FOR.match(content, directives[0])
    if len(branches) > 1 and _ALWAYS_FALSE.match(content, directives[0]) is not None:
        kept = branches[1]
    elif asked is not None and len(branches) <= _WITH_ELSE:
        defined = assumed.setdefault(asked[2], asked[1] == b"")
        if defined != (asked[1] == b""):
            kept = branches[1] if len(branches) > 1 else None
    return [*lines, *(branch for branch in branches if branch != kept)]


def _line_end(content: bytes, start: int) -> int:
    """Return where the line of a directive ends, with those that it goes on in."""
    end = content.find(b"\n", start)
    while end >= 0 and content.endswith((b"\\", b"\\\r"), start, end):
        end = content.find(b"\n", end + 1)
    return end if end >= 0 else len(content)


def _is_unbalanced(content: bytes, start: int, end: int) -> bool:
    """Return whether a part of a source opens or closes a block that it does not close or open."""
    if content.count(b"{", start, end) == content.count(b"}", start, end):
        return False
    code = _IN_TEXT.sub(b"", content[start:end])
    return code.count(b"{") != code.count(b"}")


_ENDS_OPEN = lazy_compile(
    rb"(?:\belse|[-=<>?(|&^%/]|(?<!\+)\+|(?:^|[;{}])\s*(?:else\s+)?(?:if|while|for|switch)\s*\([^;{}]*\)"
    rb"|(?:^|[;{}])\s*(?!(?:default|private|protected|public|signals)\b)[A-Za-z_]\w*\s*:|\?[^;{}]*:)\s*\Z"
)
_BEGINS_OPEN = lazy_compile(rb"\s*(?:else\b|\|\||&&|[,=?)|/%^]|<|>|\+(?!\+)|-(?!-))")
_NESTED = lazy_compile(rb"^[ \t]*#(?:[^\n\\]|\\\r\n|\\.)*", re.MULTILINE | re.DOTALL)
_NESTED_IF = lazy_compile(rb"^[ \t]*#[ \t]*if", re.MULTILINE)
_MAY_BEGIN = lazy_compile(rb"\s*(?:else|[,|&=?)/%^<>+-])")
_ENDS = frozenset((b";", b"}", b"{", b","))
_GOES_ON = lazy_compile(
    rb"(?:^|[\s;{}>])(?:class|struct|union|enum|char|const|double|float|int|long|short|static|unsigned|void)\s*\Z"
    rb"|[\w\s)\]]=\s*\Z|\)\s*(?:noexcept\s*)?:\s*[A-Za-z_]\w*\s*[({][^;]*,\s*\Z"
)
"""What branches do not end: a type that a name follows, an assignment, or the initializers of a constructor."""

_LONGEST_BRANCH = 20_000
_LONGEST_END = 400


def _cuts_statement(content: bytes, start: int, end: int) -> bool:
    """Return whether a part of a source begins or ends inside of a statement: behind ``else``, before ``&&``."""
    last = content[start:end].rstrip()[-1:]
    begin = _line_end(content, start)
    if end - start > _LONGEST_BRANCH or begin >= end:
        return False
    balanced = content.count(b"(", begin, end) == content.count(b")", begin, end)
    if balanced and last in _ENDS and _MAY_BEGIN.match(content, begin) is None:
        return False
    code = _NESTED.sub(b"", _IN_TEXT.sub(b" ", content[start:end])).strip()
    if not code:
        return False
    return (
        (code.count(b"(") != code.count(b")") and _NESTED_IF.search(content, begin, end) is None)
        or _BEGINS_OPEN.match(code) is not None
        or _ENDS_OPEN.search(code[-_LONGEST_END:]) is not None
    )


_ONLY_VALUES = lazy_compile(rb"(?>(?:\s++|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)\{")


def only_lists(content: bytes) -> bool:
    """Return whether a source is what another takes in inside of braces: nothing that declares begins with a brace."""
    return _ONLY_VALUES.match(content) is not None


_FEW_MACROS = 100
_MOSTLY = 0.6


def only_defines(content: bytes) -> bool:
    """Return whether a header has so many macros and so little else that its text says all that its symbols would.

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
    """Return whether a header may declare something besides macros: by how its lines begin: comments are prose."""
    return b";" in content and _DECLARES.search(content) is not None
