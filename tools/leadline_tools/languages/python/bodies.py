"""The bodies of Python's functions that a parser can do without, and the attributes to which they give values.

A body is left out where its text alone decides what it declares: no function, no class, no type and no variable of the
module, only attributes of the method's own object, on lines of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from leadline_tools.languages import blanking
from leadline_tools.lazy_regex import lazy_compile


def _string_expression(quote: bytes) -> bytes:
    """Return the expression of a string in ``quote``; of one that holds expressions only where its end is sure."""
    parts = {
        b"q": quote,
        b"text": rb"(?<![fFtT]%(q)s)(?<![fFtT][rR]%(q)s)" % {b"q": quote},
        b"value": rb"\{(?>(?:[^{}%(q)s\\#]|\{[^{}%(q)s\\#]*+\})*)\}" % {b"q": quote},
    }
    return (
        rb"%(q)s(?:%(text)s(?:%(q)s%(q)s[^%(q)s\\]*+(?>(?:(?:\\.|%(q)s(?!%(q)s%(q)s))[^%(q)s\\]*+)*)%(q)s%(q)s%(q)s"
        rb"|(?!%(q)s%(q)s)[^%(q)s\\\n]*+(?>(?:\\.[^%(q)s\\\n]*+)*)%(q)s)"
        rb"|%(q)s%(q)s(?>(?:[^%(q)s\\{}]|\\.|%(q)s(?!%(q)s%(q)s)|\{\{|\}\}|%(value)s)*)%(q)s%(q)s%(q)s"
        rb"|(?!%(q)s%(q)s)(?>(?:[^%(q)s\\{}\n]|\\.|\{\{|\}\}|(?![^\n%(q)s]*+\n)%(value)s)*)%(q)s)" % parts
    )


_STRING = _string_expression(b'"') + rb"|" + _string_expression(b"'")
_COMMENT = rb"#[^\n]*+"
_KEYWORDS = (
    rb"async +def|assert|break|class|continue|def|del|except|finally|global|import|nonlocal|pass|raise|return|try|while"
    rb"|with"
)
"""Words that begin a statement and nothing else."""

_PARTS = {
    b"string": _STRING,
    b"comment": _COMMENT,
    b"rest": rb"[ \t]*+(?>(?:" + _COMMENT + rb")?)\r?\n",
    b"empty": rb"(?>(?:[ \t\f]*+(?>(?:" + _COMMENT + rb")?)\r?\n)*)",
    b"keywords": _KEYWORDS,
    b"code": rb"(?!(?:async|class|def)\b)[^\s#][^\n]*+",
}
_HEAD = (
    rb"(?P<indent> *+)(?>(?:async +)?)def +[\w\x80-\xff]++\s*+(?>(?:\[[^\[\]\"'#]*+\])?)\((?P<own>[\w\x80-\xff]*+)"
    rb"(?>(?:[^()\"'#]++|\([^()\"'#]*+\)|%(string)s|%(comment)s)*)\)"
    rb"[ \t]*+(?>(?:->(?>(?:[^:\n\"'#\\]++|%(string)s)+))?):%(rest)s%(empty)s" % _PARTS
)
_BODY = (
    rb"(?P<inner>(?P=indent)[ \t]++)(?>(?:[rRuU]?+(?:%(string)s)%(rest)s%(empty)s(?P=inner)(?![ \t]))?)"
    rb"(?![a-zA-Z]{0,2}[\"'])(?P<body>%(code)s"
    rb"(?>(?:\n(?:(?P=inner)[ \t]*+%(code)s|%(empty)s(?P=inner)[ \t]*+%(code)s))*))(?<!\\)(?<!\\\r)" % _PARTS
)
"""The documentation, which stays, and statements; no line of them is indented less than the first."""

_DECORATED = rb"@[^\n]*+\n *+(?>(?:@[^\n]*+\n *+)*)(?:async +def|class|def)\b"
_AFTER = (
    rb"(?=\n?+\Z|\n%(empty)s(?:\Z|(?!(?P=indent)[ \t]) *+(?:(?:%(keywords)s)(?![\w\x80-\xff])|%(decorated)s"
    rb"|(?P<any>\S))))" % {**_PARTS, b"decorated": _DECORATED}
)
_NEXT_BODY = (
    rb"(?>(?:[^\"'#\n]++|%(comment)s|%(string)s|\n(?! *+(?>(?:async +)?)def\b))*)" % _PARTS
    + rb"\n(?>(?:"
    + _HEAD
    + _BODY
    + _AFTER
    + rb")?)"
)
_TEXT = _STRING + rb"|" + _COMMENT
_TYPE = lazy_compile(rb"type(?<![.\w]type)[\s\\]+(?!(?:and|else|for|if|in|is|not|or)\b)[\w\x80-\xff]")
_BRACKETS = (b"()", b"[]", b"{}")

_OWNERS: Final = (b"self", b"cls")
"""How methods call their own object, or class."""

_TARGET: Final = (
    rb"(?P<name>[\w\x80-\xff]++)[ \t]*+(?:(?P<value>(?:[-+%&|^@]|\*\*?|//?|<<|>>)?=(?!=))|(?P<type>:)"
    rb"|[ \t)\]]*+(?:=(?!=)|(?P<looped>in\b)|(?P<ends_line>,?[ \t]*(?:#[^\n]*)?\n[ \t]*[)\]])"
    rb"|,(?:[^\n=]*=(?!=)|(?=(?P<looped_pattern>[^\n]*\bin\b)|(?P<goes_on>[^\n=]*\n)))))"
)
_ASSIGNED: Final = {
    b"self.": lazy_compile(
        rb"self(?<![\w.]self)\.(?:(?P<entered>(?<= as self\.)|(?<= as \(self\.))|" + _TARGET + rb")"
    ),
    b"cls.": lazy_compile(rb"cls(?<![\w.]cls)\.(?:(?P<entered>(?<= as cls\.)|(?<= as \(cls\.))|" + _TARGET + rb")"),
}
"""By owner, an attribute to which a method assigns, or whose type it declares, where a line begins so.

Elsewhere it may be the target of a loop or of ``with``, part of a pattern or a chain, follow another statement, or only
look so. Each owner has an expression of its own: one that begins with fixed bytes is searched for several times faster
than a choice.
"""

_TAKEN_APART: Final = lazy_compile(rb"\n[ \t]*[)\]][ \t)\]]*=(?!=)")
"""The end of a pattern over several lines."""

_PLAIN_VALUE: Final = lazy_compile(rb"(?P<value>(?>(?:[^\s\"'#()\[\]{}\\]++|[ \t]++(?=\S))*))[ \t]*+\r?(?=\n|\Z)")
"""The rest of a statement on one line, without brackets, strings and comments."""

_OVER_LINES: Final = frozenset({"ends_line", "goes_on"})
"""The groups of what is part of a pattern over several lines, or of a list of arguments."""

_ENTERED: Final = b" as ("
_FOR: Final = lazy_compile(rb"\bfor\b")
_IN_CALL: Final = lazy_compile(rb"[\w\])]\(")
_BORROWED: Final = lazy_compile(rb"^[ \t]*global[ \t\\]", re.MULTILINE)


def find_skipped_bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of functions without functions, classes and types; their documentation stays.

    The lines of a body are those that are indented more deeply than its head. They are taken only where the next line
    begins a statement: no bracket, no string and no line that goes on may be open. An empty tuple stands for a body.
    """
    reader = _BodyReader(content)
    left_out = blanking.bodies(content, _NEXT_BODY, reader.needs_parser)
    return left_out._replace(attributes=reader.attributes)


class _BodyReader:
    """Finds the attributes to which bodies assign, in the order of the source."""

    def __init__(self, content: bytes) -> None:
        self.attributes: list[blanking.Attribute] = []
        self._content = content
        assigned: list[re.Match[bytes]] = []
        for owner, pattern in _ASSIGNED.items():
            if owner in content:
                assigned += pattern.finditer(content)
        self._assigned = sorted(assigned, key=re.Match.start)
        self._places = [one.start() for one in self._assigned]

    def needs_parser(self, found: re.Match[bytes]) -> bool:
        """Return whether something in a body may be a symbol that its text alone does not tell.

        The attributes of a body that needs no parser are added to ``attributes``.
        """
        body: bytes = found["body"]
        if _may_define(found, body):
            return True
        own: bytes = found["own"]
        if own and own not in _OWNERS and found["indent"] and own + b"." in body:
            return True
        start, end = found.span("body")
        first, last = bisect_left(self._places, start), bisect_left(self._places, end)
        if _ENTERED in body and any(owner + b"." in body for owner in _OWNERS):
            return True
        return first < last and not self._add_attributes(self._assigned[first:last], start, end)

    def _add_attributes(self, assigned: Sequence[re.Match[bytes]], start: int, end: int) -> bool:
        """Add the attributes of a body among what may be assigned there; return whether these are all of it."""
        content = self._content
        attributes: list[blanking.Attribute] = []
        for one in assigned:
            is_attribute = _is_attribute(one, content, start, end)
            if is_attribute is None:
                return False
            if is_attribute:
                attributes.append(blanking.Attribute(*one.span("name"), _statement_end(content, one.end(), end)))
        self.attributes += attributes
        return True


def _is_attribute(found: re.Match[bytes], content: bytes, start: int, end: int) -> bool | None:
    """Return whether what looks like a target in a body between two bytes is one; None if a parser must tell."""
    place, how = found.start(), found.lastgroup
    if how == "entered":
        return None
    if how in _OVER_LINES:
        return None if _TAKEN_APART.search(content, place, end) else False
    before = content[content.rfind(b"\n", 0, place) + 1 : place].strip()
    if how in ("looped", "looped_pattern"):
        return None if _FOR.search(before) else False
    if how == "type":
        return not before and _is_closed(content[start:place])
    if before or how != "value":
        return False if _IN_CALL.search(before) else None
    return True


def _may_define(found: re.Match[bytes], body: bytes) -> bool:
    """Return whether a body that holds no function or class may define a type or a name of the module.

    Or it may not end where its lines do.
    """
    if b'"""' in body or b"'''" in body or (b"type" in body and _TYPE.search(body)):
        return True
    if b"global" in body and _BORROWED.search(body):
        return True
    return found["any"] is not None and not _is_closed(body)


def _is_closed(body: bytes) -> bool:
    """Return whether every bracket is closed, so that the next line is a statement."""
    code = blanking.compile_expression(_TEXT).sub(b"", body)
    if b'"' in code or b"'" in code:
        return False
    return all(code.count(pair[:1]) == code.count(pair[1:]) for pair in _BRACKETS)


def _statement_end(content: bytes, start: int, last: int) -> int:
    """Return where the statement ends of which the value begins at ``start``, in a body that ends at ``last``."""
    plain = _PLAIN_VALUE.match(content, start, last)
    if plain is not None:
        return plain.end("value")
    end = start
    while end < last:
        line = content.find(b"\n", end + 1, last)
        end = line if line >= 0 else last
        value = content[start:end]
        code = value
        if b'"' in value or b"'" in value or b"#" in value:
            code = blanking.compile_expression(_TEXT).sub(b"", value)
        if all(code.count(pair[:1]) <= code.count(pair[1:]) for pair in _BRACKETS) and not code.endswith(b"\\"):
            comments = blanking.compile_expression(_TEXT).finditer(value) if b"#" in value else ()
            ends = [one.start() for one in comments if one[0].startswith(b"#") and one.end() == len(value)]
            return start + len(value[: ends[0] if ends else None].rstrip())
    return last
