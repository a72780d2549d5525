"""The source of Kotlin as its parser gets it: forms that the grammar does not know, written as it knows them.

What ``mask_source`` returns has the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

import re

from leadline_tools.lazy_regex import lazy_compile

_MODIFIER = lazy_compile(
    rb"(?m)(?:^|[{;]|->)[ \t]*+"
    rb"(?:open|sealed|abstract|final|public|private|internal|protected|override|lateinit|inline|noinline|crossinline"
    rb"|tailrec|infix|external|vararg)"
    rb"(?=[ \t]*+(?:[.(\[{}]|\?\.|!!|[-+*/%]?=))"
)
"""What the grammar takes for a modifier at the beginning of a statement, before what cannot stand after one: modifiers
may be names, https://kotlinlang.org/spec/syntax-and-grammar.html#grammar-rule-simpleIdentifier."""

_GUARD = lazy_compile(
    rb"(?m)^([ \t]*+(?:!?(?:is|in)\b(?:(?!->)[^\n\"{}]){0,200}?|else|[\w.]++))( if )(?=[^\n{}\"]{0,200}->)"
)
"""A guard of a branch, which the grammar does not know: https://kotlinlang.org/docs/control-flow.html#guard-conditions."""

_QUOTED = rb"\"[^\"\n]*+\"|'[^'\n]*+'"
_ENDED_IN_LINE = lazy_compile(rb"(?m)^(?:[^\n\"'/]|/(?![/*])|" + _QUOTED + rb")*[ \t]\}")
_TYPE_IN_LINE = lazy_compile(
    rb"\b(?:class|interface|object)\b[^{]{0,200}\{"
    rb"|^[ \t]*\w+[ \t]*(?:\([^\n]{0,200}\)[ \t]*)?\{[^\n]{0,400}\b(?:fun|va[lr])\b"
)
"""A type, or a constant of an enumeration with a body, in one line."""

_UNENDED = lazy_compile(_QUOTED + rb"|(?<=[^\s{;,])[ \t]*[ \t]\}")
"""The end of a body on the line of its last declaration: the grammar wants that to be ended."""

_DELEGATED = lazy_compile(
    rb"(?P<head>\bclass\b[^{}]{0,600}?:(?:(?!\b(?:va[lr]|fun|class)\b)[^{}=]){0,300}?\bby\b[^{}\n]{1,200}\{"
    rb"(?:\s|//[^\n]*)*?)[ \t](?=[ \t]*(?:va[lr]|fun)\b)"
)
"""The head of a type that delegates an interface, up to its first declaration, which says nothing before its keyword.

The grammar may take the body for a lambda that the value after ``by`` is called with. A semicolon comes first in a body
of declarations alone.
"""


def mask_source(content: bytes) -> bytes:
    """Return a source that the grammar can read.

    Names that it takes for modifiers are other names, a guard is one more condition of its branch, and the last
    declaration of a type in one line has a semicolon. The first member of a type that delegates stands behind one.
    """
    content = _MODIFIER.sub(lambda found: found[0][:-1] + found[0][-1:].upper(), content)
    content = _DELEGATED.sub(rb"\g<head>;", content) if b" by " in content else content
    content = _GUARD.sub(_mask_guard, content)
    return _ENDED_IN_LINE.sub(_end_declaration, content)


def _mask_guard(guard: re.Match[bytes]) -> bytes:
    return b" " * len(guard[0]) if guard[1].endswith(b"else") else guard[1] + b" ,  "


def _end_declaration(line: re.Match[bytes]) -> bytes:
    if _TYPE_IN_LINE.search(line[0]) is None:
        return line[0]
    return _UNENDED.sub(lambda end: end[0][:-2] + b";}" if end[0].endswith(b"}") else end[0], line[0])
