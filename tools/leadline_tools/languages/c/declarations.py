"""Declarations of C that their text tells, and bodies in which nothing is declared: what the index needs no parser for.

The plain forms, which are most of all sources, are recognized by what the language says of them; whatever looks in any
way different is left to the parser.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

import re2

from leadline_tools.languages.blanking import Bodies, Span, TextDefinition, nested_expression
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

_INERT = rb"""/\*(?>(?:[^*]++|\*(?!/))*)\*/|//[^\n]*+|"(?>(?:[^"\\\n]++|\\.)*)"|'(?>(?:[^'\\\n]++|\\.)*)'"""
_PLAIN = rb"""[^{}"'/]++|(?<!\*)/(?![*/])|""" + _INERT
_BALANCED: Final = lazy_compile(
    rb"(?>(?:" + _PLAIN + rb"|" + nested_expression(rb"\{", _PLAIN, rb"\}") + rb")*)", re.DOTALL
)
"""What stands between two braces that belong together; no comment and no string begins or ends outside of it."""

_CONDITION: Final = lazy_compile(rb"[ \t]*#[ \t]*(if|endif)")
_DEFINE: Final = re2.compile(rb"(?m)^[ \t]*#[ \t]*define\b")
_TYPE_DEFINED: Final = re2.compile(
    rb"(?s)typedef|\b(?:struct|union|enum)\b(?:[^;{}()=,/]|/\*(?:[^*]|\*+[^*/])*\*+/|//[^\n]*\n|/[^*/;{}()=,])*\{"
)
"""From a keyword to the brace that opens a type, comments between the two included."""


def bodies(content: bytes) -> Bodies:
    """Return what is left out of a source: whole lines that are told, and parts of what is not.

    Those parts are the bodies of functions and the values of variables. A body opens with the last brace of a line,
    after a parenthesis or an equals sign, and ends with the next brace that begins a line. It is one only where its own
    comments, strings, braces and conditions are balanced, so that the rest of the source means without it what it did
    before, and where all is told that it defines.
    """
    search = _Search(content)
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
        search.lines(done, at)
        if (
            (next_type == len(types) or types[next_type] > end)
            and _BALANCED.fullmatch(content, start, end)
            and _conditions_end(content, start, end)
        ):
            search.body(at, end + 1)
        else:
            search.macros(at, end)
        done = end + 1
        at = content.find(opening, end)
    search.lines(done, len(content))
    return Bodies(search.spans, search.definitions)


def macros(content: bytes) -> Bodies:
    """Return the lines of a source that define macros: the grammar does not know them wherever they may stand."""
    search = _Search(content)
    search.macros(0, len(content))
    return Bodies(search.spans, search.definitions)


class _Search:
    """The search of one source, from its beginning on: what is left out, and up to where comments are known to end."""

    def __init__(self, content: bytes) -> None:
        self.spans: list[Span] = []
        self.definitions: list[TextDefinition] = []
        self._content = content
        self._known = 0
        self._line = -1
        self._head: re.Match[bytes] | None = None

    def lines(self, start: int, end: int) -> None:
        """Leave out the prototypes and directives of a part of the source."""
        find = self._content.find
        call, directive = find(b");", start, end), find(b"\n#", max(start - 1, 0), end)
        while call >= 0 or directive >= 0:
            if directive < 0 or 0 <= call < directive:
                self._prototype(call + 1)
                call = find(b");", call + 2, end)
            else:
                after = self._directive(directive + 1, end)
                directive = find(b"\n#", max(after - 1, directive + 1), end)
                if 0 <= call < after:
                    call = find(b");", after, end)

    def macros(self, start: int, end: int) -> None:
        """Leave out the definitions of macros in a part of the source."""
        for macro in self._macros(start, end):
            self._take(macro)

    def body(self, start: int, end: int) -> None:
        """Leave out a function with the body from ``start`` to ``end``, or a variable with that value; at least that.

        What is not told as a whole is parsed without it.
        """
        content = self._content
        macro: list[TextDefinition] = []
        if content.find(b"define", start, end) >= 0:
            macro = list(self._macros(start, end))
            if len(macro) < sum(1 for _ in _DEFINE.finditer(content, start, end)):
                self.macros(start, end)
                return
        if content[max(0, start - _LONGEST_LINE) : start].rstrip().endswith(b"="):
            head = _variable(content, start) if content.startswith(b";", end) else None
            whole = head is not None and self._tells(_VARIABLE, head, start, end + 1)
        else:
            head = self._function(start)
            whole = head is not None and self._tells(_FUNCTION, head, head.end(_PARAMETERS), end)
        self.definitions += macro
        if not whole:
            self.spans.append((start, end))

    def _prototype(self, end: int) -> None:
        head = self._function(end)
        if head is not None:
            self._tells(_FUNCTION, head, end + 1, end + 1)

    def _function(self, end: int) -> re.Match[bytes] | None:
        """Return the head of a function that ends at a place; what begins where the last one did is the same."""
        least = max(0, end - _LONGEST_HEAD)
        line = _find_unindented_line(self._content, least, end)
        if line != self._line:
            self._line, self._head = line, _head(self._content, least, line)
        return self._head if self._head is not None and self._head.end() == end else None

    def _directive(self, start: int, most: int) -> int:
        """Leave out a directive that defines a macro, or those that take in files; return where the next may begin."""
        if self._content.startswith(_INCLUDE, start):
            included = _INCLUDED.match(self._content, start, most)
            if included is not None:
                self._leave_out(start, included.end())
                return included.end()
            return start
        macro = self._macro(start, most)
        if macro is None:
            return start
        self._take(macro)
        return macro.end

    def _take(self, macro: TextDefinition) -> None:
        """Take in a macro, and leave out its lines."""
        self._known = macro.end
        self.definitions.append(macro)
        self._leave_out(macro.start, macro.end)

    def _macros(self, start: int, end: int) -> Iterator[TextDefinition]:
        """Yield the macros that are told in a part of the source."""
        at = self._content.find(b"\n#", max(start - 1, 0), end)
        while at >= 0:
            macro = self._macro(at + 1, end)
            if macro is not None:
                yield macro
            at = self._content.find(b"\n#", at + 1 if macro is None else macro.end - 1, end)

    def _macro(self, start: int, most: int) -> TextDefinition | None:
        """Return the macro that the directive at a place defines, if its text tells all of it, and ends in time."""
        macro = _MACRO.match(self._content, start, most)
        doc = self._comment_above(start, directive=True) if macro is not None else _UNCLEAR
        if macro is None or doc == _UNCLEAR:
            return None
        name, name_end = macro.span(_NAME)
        kind, end = _CONSTANT, macro.end()
        signature_end = end
        if macro.end(_PARAMETERS) >= 0:
            kind = _FUNCTION
            if macro[_VALUE].strip():
                signature_end = macro.end(_PARAMETERS)
        return new_tuple(TextDefinition, (kind, doc, start, name, name_end, signature_end, end))

    def _tells(self, kind: SymbolKind, head: re.Match[bytes], signature_end: int, end: int) -> bool:
        """Leave out what is declared as whole lines, if its text says all of it; return whether it does."""
        content, start = self._content, head.start()
        done = self.spans[-1][1] if self.spans else 0
        next_line = content.find(b"\n", end, end + 2) + 1
        if not next_line or content[end:next_line].strip() or start < done:
            return False
        doc = self._comment_above(start, directive=False)
        if doc == _UNCLEAR:
            return False
        called = _CALLED_MACROS.match(content, next_line)
        self._known = next_line = called.end() if called is not None else next_line
        name, name_end = head.span(_NAME)
        self.definitions.append(
            new_tuple(TextDefinition, (kind, doc, head.start(_BEGIN), name, name_end, signature_end, end))
        )
        # A body in the comment may have been left out.
        self._leave_out(doc if doc >= done and content.endswith(b"\n", 0, doc) else start, next_line)
        return True

    def _leave_out(self, start: int, end: int) -> None:
        """Leave out whole lines, as one with those before if nothing is between them."""
        if self.spans:
            last, done = self.spans[-1]
            if self._content.endswith(b"\n", last, done) and not self._content[done:start].strip():
                self.spans[-1] = (last, end)
                return
        self.spans.append((start, end))

    def _comment_above(self, place: int, *, directive: bool) -> int:
        """Return where the comment begins that stands directly above what begins a line, -1 where there is none.

        ``_UNCLEAR`` where ``place`` may be in a comment, or go on with what is before: no ``directive`` goes on with
        another line than one that says so.
        """
        if place <= self._known:
            return -1 if place == self._known else _UNCLEAR
        least = max(self._known, place - _LONGEST_GAP)
        text, is_whole = self._content[least:place], least == self._known
        doc, beside, after = -1, True, len(text)
        for _ in range(0 if _ends_in_comment(text, is_whole) else _MOST_LINES):
            before = text[:after].rstrip()
            line = before.rfind(b"\n") + 1
            if not line and not is_whole:
                break
            kind, start = _last_part(before, line)
            if kind is _COMMENT:
                beside = beside and text.count(b"\n", len(before), after) <= 1
                if beside and not text[text.rfind(b"\n", 0, start) + 1 : start].strip():
                    doc = least + start
            elif kind is _ENDED or (directive and kind is not _GOES_ON):
                return doc
            elif kind is _DIRECTIVE:
                beside = False
            else:
                break
            after = start
        return _UNCLEAR


class _Above(Enum):
    """What a text ends with: ``Ended`` is what is complete, or nothing."""

    Comment = auto()
    Directive = auto()
    Ended = auto()
    Open = auto()
    GoesOn = auto()


_COMMENT: Final = _Above.Comment
_DIRECTIVE: Final = _Above.Directive
_ENDED: Final = _Above.Ended
_OPEN: Final = _Above.Open
_GOES_ON: Final = _Above.GoesOn


def _last_part(text: bytes, line: int) -> tuple[_Above, int]:
    """Return what a text ends with whose last line begins at ``line``, and where that begins."""
    if not text:
        return _ENDED, 0
    if text.endswith(b"\\"):
        return _GOES_ON, line
    if text.endswith(b"*/"):
        start = _opening(text)
        return (_COMMENT if start >= 0 else _GOES_ON), start
    last = text[line:].lstrip()
    if last.startswith(b"//"):
        return _COMMENT, len(text) - len(last)
    if last.startswith(b"#"):
        return (_GOES_ON if text.endswith((b"\\\n", b"\\\r\n"), 0, line) else _DIRECTIVE), line
    return (_ENDED if last.endswith((b";", b"}")) and b"//" not in last else _OPEN), line


def _ends_in_comment(text: bytes, is_whole: bool) -> bool:
    """Return whether a text may end in a comment; one that is not ``is_whole`` may begin in one."""
    begin, closed = text.rfind(b"/*"), text.rfind(b"*/")
    return closed < begin + 2 if begin >= 0 else closed < 0 and not is_whole


def _opening(text: bytes) -> int:
    """Return where the comment begins that a text ends with; -1 where that is not sure."""
    start = text.rfind(b"/*", 0, len(text) - 2)
    if start < 0 or text.find(b"*/", start + 2, len(text) - 2) >= 0:  # it ends with a comment of a line
        return -1
    another = text.rfind(b"/*", 0, start)
    in_line = text.find(b"//", text.rfind(b"\n", 0, start) + 1, start)
    return start if in_line < 0 and (another < 0 or text.find(b"*/", another + 2, start) >= 0) else -1


_UNCLEAR: Final = -2
_LONGEST_LINE: Final = 256
_LONGEST_GAP: Final = 8_192
"""Bytes in which what is before a declaration is looked for."""

_BASIC = rb"(?:void|char|short|int|long|float|double|signed|unsigned|_Bool|bool)\b"
_CALLED_MACROS: Final = lazy_compile(
    rb"(?>(?:\s*+(?!%(basic)s)[A-Za-z_]\w*+\((?>(?:[\w\s,]++|\"[^\"\\\n]*+\")*)\);[ \t]*+\r?\n)*)" % {b"basic": _BASIC}
)
"""Calls behind a function, which can only be those of macros: they declare nothing that is written."""

_INCLUDED: Final = lazy_compile(rb"(?>(?:#include[ \t]*(?><[^>\n]*>|\"[^\"\n]*\")[ \t]*\r?\n)+)")
_MACRO: Final = lazy_compile(
    rb"()#[ \t]*define[ \t]+([A-Za-z_]\w*+)(\((?:[\w\s,.]|\\\n)*\))?"
    rb"((?>(?:[^\\\n/]++|/(?![/*])|\\\r?\n|\\[^\r\n])*))(?>/\*[^*\n]*\*/[ \t\r]*|//[^\\\n]*+)?\n"
)
"""The definition of a macro, with no more comments than one behind it."""

_BEGIN, _NAME, _PARAMETERS, _VALUE = 1, 2, 3, 4
"""The groups of the expressions of what is told."""

_INCLUDE: Final = b"#include"
_CONSTANT: Final = SymbolKind.Constant
_FUNCTION: Final = SymbolKind.Function
_VARIABLE: Final = SymbolKind.Variable


def _head(content: bytes, least: int, line: int) -> re.Match[bytes] | None:
    """Return the head of a function that begins at a line or the one above, if its words are a type and a name."""
    found = _FUNCTION_HEAD.match(content, line)
    if found is None and line > least and _NAME_ALONE.match(content, line):  # its type may be on the line above
        line = content.rfind(b"\n", least, line - 1) + 1
        found = _FUNCTION_HEAD.match(content, line)
    return found if line > least or not least else None


def _variable(content: bytes, end: int) -> re.Match[bytes] | None:
    """Return the head of a variable whose value begins at a place, if its words are a type and a name."""
    least = max(0, end - _LONGEST_HEAD)
    line = _find_unindented_line(content, least, end)
    return _VARIABLE_HEAD.fullmatch(content, line, end) if line > least or not least else None


def _find_unindented_line(content: bytes, least: int, end: int) -> int:
    """Return where the last line begins that is not indented, of few before a place."""
    line = content.rfind(b"\n", least, end) + 1
    if line == end:
        line = content.rfind(b"\n", least, max(least, line - 1)) + 1
    for _ in range(_MOST_LINES):
        if line <= least or not content.startswith(_INDENTED, line):
            break
        line = content.rfind(b"\n", least, line - 1) + 1
    return line


_LONGEST_HEAD, _MOST_LINES = 2_000, 16
"""Bytes and lines in which the head of a function is looked for."""

_QUALIFIER = rb"(?:static|extern|inline|__inline|__inline__|register|const|volatile)\b"
_IDENTIFIER = (
    rb"(?!(?:struct|union|enum|asm|auto|break|case|continue|default|do|else|for|goto|if|return|sizeof|switch|typedef"
    rb"|while)\b|%(qualifier)s|%(basic)s)[A-Za-z_]\w*+"
) % {b"qualifier": _QUALIFIER, b"basic": _BASIC}
_DECLARED = (
    rb"(?:__[a-z]\w*+[ \t\r\n]++){0,2}()(?:(?:%(qualifier)s|__[a-z]\w*+)[ \t\r\n]++){0,4}"
    rb"(?:(?:struct|union|enum)[ \t]+%(identifier)s|%(basic)s(?:[ \t]++%(basic)s){0,3}|%(identifier)s)[ \t*\r\n]++"
    rb"(?:(?:%(qualifier)s|__[a-z]\w*+)[ \t*\r\n]++){0,4}(%(identifier)s)"
) % {b"qualifier": _QUALIFIER, b"basic": _BASIC, b"identifier": _IDENTIFIER}
"""A type and a name. A word with two underscores that is no type is a macro, since the language keeps such words; at
the beginning it belongs to no signature.

More words than there is sense in would be tried in every way that they can be divided.
"""

_WITHIN = rb"[^(){}\"'#;/]*+"
_FUNCTION_HEAD: Final = lazy_compile(
    _DECLARED + rb"[ \t]*+(\(%(w)s(?>(?:\(%(w)s(?>(?:\(%(w)s\)%(w)s)*)\)%(w)s)*)\))\s*+" % {b"w": _WITHIN}
)
_VARIABLE_HEAD: Final = lazy_compile(_DECLARED + rb"(?>(?:\s*+\[[^][{}\"'#;/]*+\])*)\s*+=\s*+")
_NAME_ALONE: Final = lazy_compile(rb"[A-Za-z_]\w*+[ \t]*+\(")


def _opens_body(content: bytes, brace: int) -> bool:
    """Return whether a brace at the end of a line is that of a function or a value outside of everything else."""
    line = content.rfind(b"\n", 0, brace) + 1
    if line == brace:
        line = content.rfind(b"\n", 0, max(0, line - 1)) + 1
        if content.startswith(_INDENTED, line):  # the head goes on: its first line says what it is
            return content[line:brace].rstrip().endswith(b")")
    elif content.startswith(_INDENTED, line):
        return content[line:brace].rstrip().endswith(b"=") and _variable(content, brace) is not None
    return not content.startswith(_INSIDE, line) and content[line:brace].rstrip().endswith(_BEFORE_BODY)


_INDENTED: Final = (b" ", b"\t")
_INSIDE: Final = (*_INDENTED, b"#")
_BEFORE_BODY: Final = (b")", b"=")


def _conditions_end(content: bytes, start: int, end: int) -> bool:
    """Return whether a body holds the end of each condition for the preprocessor."""
    conditions = 0
    at = content.find(b"#", start, end)
    while at >= 0:
        found = _CONDITION.match(content, content.rfind(b"\n", start, at) + 1, end)
        if found is not None and found.end() > at:
            conditions += 1 if found[1] == b"if" else -1
        line = content.find(b"\n", at, end)
        at = content.find(b"#", line, end) if line >= 0 else -1
    return not conditions
