"""The source that the index leaves out: blocks in which nothing is defined."""

from __future__ import annotations

import re
from collections.abc import Callable

from leadline_tools.languages import blanking
from leadline_tools.languages.javascript.own_members import THIS_MEMBER
from leadline_tools.lazy_regex import lazy_compile


def defines_own(found: re.Match[bytes]) -> bool:
    """Return whether in a block may be what ``defines`` says, or what gives a member to the own object."""
    body = found["body"]
    return defines(found) or (b"this." in body and THIS_MEMBER.search(body) is not None)


_QUOTED = rb"\"[^\"\\\n]*+(?>(?:\\.[^\"\\\n]*+)*)\"|'[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)'"

_HOLE = rb"\{(?>(?:[^{}`\"'/\\]++|" + _QUOTED + rb"|`[^`\\$]*+`|\{[^{}`\"'/\\]*+\})*)\}"

_NO_WORD = b"".join(
    rb"(?<!%(word)s[/<])(?<!%(word)s [/<])" % {b"word": word}
    for word in b"await case default delete do else extends in instanceof new of return throw typeof void yield".split()
)

_OPERAND = rb"(?:(?<=[\w$\]]/)|(?<=[\w$\]] /))" + _NO_WORD
"""Just after a slash that divides: what is before it is a name or a number, and no word that an expression follows."""

_OPERATOR = (
    rb"(?:(?<=[(,=:\[&|?;]/)|(?<=[(,=:\[&|?;] /)|(?<=\(!/)|(?<=[&|] !/)|(?<==> /)|(?<=return /)|(?<=return/)"
    rb"|(?<=case /))"
)
"""Just after a slash that begins a regular expression: what is before it is an operator or a word."""

_INERT = (
    _QUOTED + rb"|`(?>(?:[^`\\$]++|\\.|\$(?!\{)|\$" + _HOLE + rb")*)`"
    rb"|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*])(?:[^\"'`{}/\\\[\n]*[\w$)\]] ?+/(?![/*])"
    + _NO_WORD
    + rb"|(?=[^/\n]*+(?:\n|\Z))|"
    + _OPERATOR
    + rb"(?>(?:[^/\\\[\n]|\\[^\n]|\[(?>(?:[^\]\\\n]|\\[^\n])*)\])+)/"
    rb"|" + _OPERAND + rb"))"
)
"""A string, a template, a comment, a regular expression or a slash: where the last two could be either, only what means
the same as both."""

_LESS = rb"<(?:(?![A-Za-z_$>!\x80-\xff])|(?<=[\w$\]]<)" + _NO_WORD + rb")"
"""A less-than sign that begins no JSX, whose text is no code."""

_TYPED = rb"(?>(?:[ \t]*+:[ \t]*+[\w$][\w$.<>\[\]|&, \t]*+)?)\s*+"


def _next_body(inert: bytes, marks: bytes) -> bytes:
    """Return the expression of the next block: it stands after a parenthesis, the type of a function or an arrow."""
    parts = {b"inert": inert, b"marks": marks, b"typed": _TYPED, b"braces": blanking.braces(inert, marks)}
    return (
        rb"(?>(?:[^)>%(marks)s]++|%(inert)s|\)(?!%(typed)s\{)|>(?!(?<==>)\s*+\{))*)"
        rb"(?:\)%(typed)s|>\s*+)(?>(?P<body>%(braces)s)?)" % parts
    )


NEXT_BODY: bytes = _next_body(_INERT + rb"|" + _LESS, rb"\"'`/<")

NEXT_BODY_WITHOUT_MARKUP: bytes = _next_body(_INERT, rb"\"'`/")

_DERIVED = (
    rb"class\b\s*+(?:/|(?>(?:(?!extends\b)[\w$\x80-\xff]++\s*+)?)(?:/"
    rb"|<(?![^(){}/]{0,500}>\s*+(?>(?:extends\s++[\w$.]++\s*+(?>(?:<[^(){}/]{0,500}>\s*+)?))?)(?:implements\b[^(){}/]{0,500})?\{)"
    rb"|extends\b\s*+(?:\{|(?![^({;/]{0,500}[{;]))))"
)
"""The header of a class that may have a parenthesis just before its body, which is no block."""

_CLASS = lazy_compile(rb"class(?<![\w$.-]class)(?![\w$])")

_FUNCTION = lazy_compile(
    rb"function(?<![\w$\])]\(function)(?<!, function)(?<!return function)(?<![\w$.]function)"
    rb"(?=\s*[(*/]|\s+[\w$\x80-\xff])"
)

_ARROW = lazy_compile(rb"=(?<![=!<>]=)(?![=>])\s*+(?:[(</]|async(?![\w$])|[\w$\x80-\xff]+\s*=>)")


def defines(found: re.Match[bytes]) -> bool:
    """Return whether in a block may be a class, a function that is declared or given a name, or an export."""
    body = found["body"]
    return (
        (b"class" in body and _CLASS.search(body) is not None)
        or (b"function" in body and _FUNCTION.search(body) is not None)
        or (b"=>" in body and _ARROW.search(body) is not None)
        or b"exports" in body
        or b"module" in body
    )


def find_bodies(content: bytes, next_body: bytes, defines: Callable[[re.Match[bytes]], bool]) -> blanking.Bodies:
    """Return the blocks in which nothing is defined, where no class is derived from what an expression gives."""
    if b"-->" in content or (b"extends" in content and blanking.compile_expression(_DERIVED).search(content)):
        return blanking.Bodies(())  # the arrow may begin a comment
    return blanking.bodies(content, next_body, defines)
