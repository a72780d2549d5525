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

_MODIFIER_AS_VALUE = lazy_compile(
    rb"(?<![\w.@])(?:open|sealed|abstract|final|public|private|internal|protected|override|lateinit|external)"
    rb"(?=\s*+[)}\],])|(?<=[\w\])] = )(?:private|public|internal|open|override)(?=\n)"
    rb"|(?<=[{,])[ \t]*+(?:private|public|internal|open|override)(?=[ \t]*+(?::[^\n{}]{1,100}?)?->)"
)
"""Such a name as a value, or as the parameter of a lambda."""

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
    rb"(?:\s|//[^\n]*|/\*(?>(?:[^*]|\*(?!/))*)\*/)*?)[ \t]"
    rb"(?=[ \t]*(?>(?:(?:@[\w.]++(?:\([^()\n]*+\))?|private|public|internal|protected|override|open|abstract|final"
    rb"|sealed|lateinit|const|data|enum|inner|inline|suspend|operator|infix|tailrec|value)\s++)*)"
    rb"(?:va[lr]|fun|class|object|companion|init)\b)"
)
"""The head of a type that delegates an interface, up to its first declaration.

The grammar may take the body for a lambda that the value after ``by`` is called with. A semicolon comes first in a body
of declarations alone.
"""

_CONSTRUCTOR = lazy_compile(
    rb"(?m)^(?P<annotations>[ \t]*+(?>(?:@[\w.]++(?:\([^()\n]*+\))?[ \t]++)*))"
    rb"(?P<modifiers>(?>(?:(?:internal|private|protected|public|actual|expect)[ \t]++)+))(?=constructor\b)"
)
"""The modifiers of a constructor on a line of their own, of which the grammar knows one at most."""

_PARAMETER = lazy_compile(
    rb"\b(?:vararg|noinline|crossinline)[ \t]++(?:data|enum|inner|open|sealed|value|annotation|inline|infix|override)"
    rb"(?=[ \t]*+:)"
)
"""A parameter after a modifier that is called like another one."""

_NAMED_ARGUMENT = lazy_compile(rb"[(,]\s*+suspend(?=[ \t]*+=(?!=))")
"""An argument that is named like a modifier."""

_CALLED = lazy_compile(rb"(?m)^[ \t]*+(?:get(?=\([ \t]*+[^\s)])|set(?=\((?:[^()\n]*+,|[ \t]*+[\d\"(])))")
"""A call of a function ``get`` or ``set`` behind a property: a getter takes nothing, and a setter one name."""

_ACCESSOR = lazy_compile(
    rb"(?m)^[ \t]*+@[\w.:]++(?:\([^()\n]*+\))?(?:[ \t]*+//[^\n]*+)?"
    rb"(?=\s*+(?:get[ \t]*+\([ \t]*+\)|set[ \t]*+\(\w++\))\s*+[={:])"
)
"""An annotation of a getter or a setter, behind a property without a type and before a comment."""

_CONTEXT = lazy_compile(
    rb"(?m)^(?P<before>[ \t]*+)context\((?P<inner>(?:[^()\n\"]|\([^()\n\"]*+\)){1,400})\)"
    rb"(?=(?>(?:\s|//[^\n]*+)*)(?:@|(?:public|private|internal|protected|open|override|abstract|final|inline|suspend"
    rb"|operator|infix|tailrec|actual|expect)\b|fun\b|va[lr]\b|class\b))"
)
"""The context parameters of a declaration: https://kotlinlang.org/docs/context-parameters.html. They are read as an
annotation with these as named arguments."""

_TYPE_SIGNS = bytes.maketrans(b":<>?", b"=() ")

_LITERAL = lazy_compile(
    rb"(?<!\$)(?P<dollars>(?:\$\$++)?)"
    rb"(?P<quoted>\"\"\"(?>(?:[^\"]|\"(?!\"\"))*)(?:\"\"\"++|\Z)|\"(?>(?:[^\"\n\\]|\\.?)*)(?:\"|(?=\n)|\Z))"
    rb"|//[^\n]*+|/\*(?>(?:[^*]|\*(?!/))*)(?:\*/|\Z)|'(?>(?:[^'\n\\]|\\.?)*)(?:'|(?=\n)|\Z)",
    re.DOTALL,
)
"""A string, a character or a comment; a string behind several dollars wants as many before a name in it.

https://kotlinlang.org/docs/strings.html#multi-dollar-string-interpolation
"""

_DOLLARS = lazy_compile(rb"\$++")

_SUSPENDING = lazy_compile(rb"(?<=[(,=])(?P<blank>\s*+)suspend(?=\s*+\{)|\breturn[ \t]++suspend(?=\s*+\{)")
"""A lambda that may be suspended: https://kotlinlang.org/spec/expressions.html#lambda-literals."""

_NULLABLE_RECEIVER = lazy_compile(rb"(?<=[\w>])\?(?=::[a-zA-Z_])")
"""The sign of a nullable type before the name of its member: ``String?::plus``."""

_BACKING_FIELD = lazy_compile(
    rb"(?P<property>\bva[lr][ \t]++\w++[ \t]*+:[^=\n{}]++\n(?>(?:[ \t]*+(?://[^\n]*+)?\n)*)[ \t]*+)"
    rb"(?P<field>(?:private[ \t]++)?field(?:[ \t]*+:[^=\n{}]++)?)(?=[ \t]*+=(?!=))"
)
"""A property with a field of another type, whose value is read as that of the property:
https://kotlinlang.org/docs/properties.html#explicit-backing-fields."""

_EMPTY_COLLECTION = lazy_compile(
    rb"(?P<before>:[ \t]*+[\w.<>*]++[ \t]*+=[ \t]*+|@\w++\(\w++[ \t]*+=[ \t]*+)\[\](?=\s*+[,)])"
)
"""An empty collection as the value of an annotation's parameter, or of its argument."""


def mask_source(content: bytes) -> bytes:
    """Return a source that the grammar can read.

    Names that it takes for modifiers are other names, a guard is one more condition of its branch, and the last
    declaration of a type in one line has a semicolon. The first member of a type that delegates stands behind one.
    Context parameters are an annotation, and signs and words that it does not know are blanks.
    """
    content = _LITERAL.sub(_mask_literal, content) if b"$$" in content else content
    content = _CONSTRUCTOR.sub(_blank_modifiers, content) if b"constructor" in content else content
    content = _CONTEXT.sub(_mask_context, content) if b"context(" in content else content
    content = _SUSPENDING.sub(_blank_last_word, content) if b"suspend" in content else content
    content = _EMPTY_COLLECTION.sub(rb'\g<before>""', content) if b"[]" in content else content
    if b"field" in content:
        content = _BACKING_FIELD.sub(lambda found: found["property"] + b" " * len(found["field"]), content)
    content = _NULLABLE_RECEIVER.sub(b" ", content) if b"?::" in content else content
    content = _ACCESSOR.sub(lambda found: b" " * len(found[0]), content)
    for renamed in (_PARAMETER, _NAMED_ARGUMENT, _CALLED, _MODIFIER_AS_VALUE):
        content = renamed.sub(lambda found: found[0][:-1] + found[0][-1:].upper(), content)
    content = _MODIFIER.sub(lambda found: found[0][:-1] + found[0][-1:].upper(), content)
    content = _DELEGATED.sub(rb"\g<head>;", content) if b" by " in content else content
    content = _GUARD.sub(_mask_guard, content)
    return _ENDED_IN_LINE.sub(_end_declaration, content)


def _mask_literal(literal: re.Match[bytes]) -> bytes:
    """Return a string in which a name is one where it stands behind as many dollars as the string does."""
    dollars = literal["dollars"]
    if not dollars:
        return literal[0]
    number = len(dollars)
    return b" " * number + _DOLLARS.sub(
        lambda run: run[0][:-1].replace(b"$", b" ") + (b"$" if len(run[0]) >= number else b" "), literal["quoted"]
    )


def _blank_modifiers(constructor: re.Match[bytes]) -> bytes:
    return constructor["annotations"] + b" " * len(constructor["modifiers"])


def _blank_last_word(found: re.Match[bytes]) -> bytes:
    return found[0].removesuffix(b"suspend") + b" " * len(b"suspend")


def _mask_context(context: re.Match[bytes]) -> bytes:
    """Return context parameters as an annotation of the same length, type arguments as those of a call."""
    return b"%s@ontext(%s)" % (context["before"], context["inner"].translate(_TYPE_SIGNS))


def _mask_guard(guard: re.Match[bytes]) -> bytes:
    return b" " * len(guard[0]) if guard[1].endswith(b"else") else guard[1] + b" ,  "


def _end_declaration(line: re.Match[bytes]) -> bytes:
    if _TYPE_IN_LINE.search(line[0]) is None:
        return line[0]
    return _UNENDED.sub(lambda end: end[0][:-2] + b";}" if end[0].endswith(b"}") else end[0], line[0])
