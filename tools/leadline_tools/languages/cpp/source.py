"""The source of C++ as its parser gets it: without what the grammar trips over.

Every function here returns text of the same length and lines, so that what is found in it is where the source has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import re2

from leadline_tools.languages.c import source as c_source
from leadline_tools.languages.cpp.specifier_macros import mask_specifiers
from leadline_tools.lazy_regex import lazy_compile

_NO_BLANK = lazy_compile(rb"\S")
_MACRO = rb"[A-Z][A-Z0-9_]*(?:\([^()\n;]*\))?"
_BEGINS = (
    rb"(?:public|private|protected|signals|Q_SIGNALS|using|typedef|template|virtual|explicit|friend"
    rb"|class|struct|union|enum|namespace)\b"
)
_CLASS_MACRO = lazy_compile(
    rb"(?:(?<=[{};:/\n]\n)|\A|(?P<comment>^[ \t]*//[^\n]*\n))(?P<macros>[ \t]*"
    + _MACRO
    + rb"(?:[ \t]*\n\s*+"
    + _MACRO
    + rb"){0,24}[ \t]*)"
    rb"(?=\n(?>(?:\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/){0,1000})" + _BEGINS + rb")",
    re.MULTILINE,
)
"""Macros on lines of their own before a word that begins a declaration, with comments between them or without."""

_MESSAGE_MACRO = lazy_compile(
    rb"(?<=[{};:\n]\n)[ \t]*[A-Z][A-Z0-9_]+\([ \t]*\"[^\"\n]*\"[ \t]*\)[ \t]*(?=\n[ \t]*[A-Za-z_~][^\n;]*\()"
)
"""A macro with a message alone on a line before a function, ``DEPRECATED("use next()")``: an attribute."""

_DECLARATION_MACRO = lazy_compile(
    rb"^[ \t]*(?:[A-Z][A-Z0-9_]+[ \t]+)+(?=(?:using|typedef|template|virtual|explicit|friend|namespace)\b)",
    re.MULTILINE,
)
"""Words before one that begins a declaration: ``API template <typename T> class Box``."""

_CONDITIONAL_MACRO = lazy_compile(
    rb"(?P<before>[;{}:>]\s*\n[ \t]*#[ \t]*if[^\n]*\n[ \t]*)"
    rb"(?P<macro>[A-Z][A-Z0-9_]+|__attribute__\(\([^\n;{}]*\)\))"
    rb"(?=[ \t]*\n[ \t]*#[ \t]*endif\b[^\n]*\n[ \t]*[A-Za-z_~][\w:<>,*& \t]*\()"
)
"""A word alone in a branch before the head of a function: a specifier."""

_TYPE_AS_ARGUMENT = lazy_compile(
    rb"^(?P<before>[ \t]*[A-Z][A-Z0-9_]*\([^\n]*,[ \t]*)(?P<const>const[ \t]+)?"
    rb"(?P<name>[A-Za-z_:][\w:]*)[ \t]*&{1,2}(?=[ \t]*\)[ \t]*;)",
    re.MULTILINE,
)
"""A reference as the last argument of a macro, ``THROWS_AS(f(), const error&);``: no expression ends so."""

_CLASS_NAME = lazy_compile(rb"\b(?:class|struct)[ \t]+(?:[A-Z][A-Z0-9_]+[ \t]+)*(\w+)[^;{}()]{0,200}\{")
_MAYBE_CONSTRUCTOR = lazy_compile(
    rb"^[ \t]*(?:(?:inline|explicit|constexpr)[ \t]+)*(?P<macros>(?:[A-Z][A-Z0-9_]+[ \t]+)+)"
    rb"(?P<rest>(?:(?:inline|explicit|constexpr)[ \t]+)*(?P<name>\w+)[ \t]*\()",
    re.MULTILINE,
)
"""A word before what may be a constructor: what is called like a class has no type."""

_EXPORT_MACRO = lazy_compile(
    rb"\b(?P<kept>class|struct|union|enum)(?P<macros>(?:\s+[A-Z][A-Z0-9_]+(?:\([^();{}]{0,400}\))?)+)"
    rb"(?=\s+(?:\[\[[^\[\]\n]*\]\]\s*)?(?!final\b)[A-Za-z_]\w*(?:::\w+|<[^<>;{}]{0,200}>)*(?:\s+final)?\s*(?::(?!:)|\{))"
)
"""Words between ``class`` and a name that is defined: what an exported class has there."""

_TEMPLATE = lazy_compile(rb"\btemplate\s*<")
_MAYBE_CONDITION = re2.compile(rb"[<,]\s*[A-Z][A-Z0-9_]{3,}\(")
_OF_TEMPLATE = lazy_compile(rb"[<>(){};]|(?<![^<,\s])[A-Z][A-Z0-9_]{3,}(?=\()")
_ENDS_PARAMETER = lazy_compile(rb"\s*[,>]")
_LONGEST_TEMPLATE = 4_000
_LONGEST_INDENT = 200
_CONDITION = b"int"
"""What stands for a macro that makes a parameter of a template of a condition; a sign of equality ends it."""

_MACRO_CALL = lazy_compile(
    rb"^[ \t]*(?P<name>[A-Z][A-Z0-9_]*)\((?P<arguments>(?>(?:[^();{}#]|\([^(){};#]*\))*))\)(?=\s*(?:[;,]|<<)|[ \t]*$)",
    re.MULTILINE,
)
_TYPE_ARGUMENT = lazy_compile(
    rb"(?<=[(,])(?P<before>\s*)(?P<type>(?:(?:const|volatile)\s+)?"
    rb"(?:(?:unsigned|signed|long|short|int|char|bool|float|double|void|wchar_t|char8_t|char16_t|char32_t)\b[ \t]*)+"
    rb"(?:const\b[ \t]*)?[*&]*)(?=\s*[,)])"
)
_OPERATOR_ARGUMENT = lazy_compile(rb"(?<=[(,])(?P<before>\s*)(?P<type>[-+*/%&|^~!=<>]{1,3})(?=\s*[,)])")
_MAYBE_ARGUMENT = re2.compile(
    rb"(?m)^[ \t]*[A-Z][A-Z0-9_]*\([^;{}#]*"
    rb"(?:\b(?:int|char|bool|float|double|void|long)[ \t*&]*[,)]|,[ \t]*[-+*/%&|^~!=<>]+\))"
)
"""Types built in, and operators, that macros are given: the grammar knows expressions alone there."""

_EXPRESSION = lazy_compile(rb"[\"']|(?:\A|,)\s*(?:[0-9]|[A-Za-z_][\w:.]*\()|(?:\A|,)\s*[-+*/%&|^~!=<>]{1,3}\s*(?:,|\Z)")
"""What is no parameter: what is given names of types alone looks like the declaration of a function."""

_FREE_CALL = lazy_compile(
    rb"^[ \t]*[A-Z][A-Z0-9_]*\("
    rb"(?:[0-9]+(?:[ \t]+[0-9]+)+|/\*[^*\n]*\*/|(?:\w+\()?[^(),?\n]*(?:\w[ \t]+\"[^\"\n]*\"|:[ \t]*[0-9]+))\)?\)"
    rb"(?=[ \t]*;?[ \t]*$)",
    re.MULTILINE,
)
_MAYBE_FREE_CALL = re2.compile(
    rb"(?m)^[ \t]*[A-Z][A-Z0-9_]*\((?:[0-9]+[ \t]+[0-9]|/\*[^*\n]*\*/\)|[^,?\n]*(?:[A-Za-z0-9_][ \t]+\"|:[ \t]*[0-9]))"
)
"""Calls of macros on lines of their own that are given no expressions: ``PRAGMA(diagnostic ignored "-Wall")``."""

_ASKED_FILE = lazy_compile(rb"(?m)^[ \t]*#[ \t]*(?:el)?if\b[^\n]*\([ \t]*(?:<[^<>\n()]+>|\"[^\"\n]*\")[ \t]*\)[^\n]*")
_MAYBE_ASKED_FILE = re2.compile(rb"(?m)^[ \t]*#[ \t]*(?:el)?if\b[^\n]*\([ \t]*[<\"]")
_FILE_ARGUMENT = lazy_compile(rb"(?<=\()[ \t]*(?:<[^<>\n()]+>|\"[^\"\n]*\")[ \t]*(?=\))")
"""Names of files, and texts, in a condition: the grammar knows expressions alone there, ``__has_include(<a>)``."""

_SECTION = lazy_compile(
    rb"(?m)^[ \t]*(?:(?:public|protected|private)[ \t]+(slots|Q_SLOTS)|(signals|Q_SIGNALS))(?=[ \t]*:(?!:))"
)
"""The sections of a class of Qt: https://doc.qt.io/qt-6/signalsandslots.html."""

_EMITTED = lazy_compile(rb"\b(?:emit|Q_EMIT)(?=[ \t]+(?:this\b|[A-Za-z_]\w*[ \t]*(?:\(|->|\.|::)))")
"""What Qt has before the call of a signal, for the reader alone."""

_TRAILING_MACRO = lazy_compile(
    rb"(?<=[\w)&>\]])(?>(?:\s+[A-Z][A-Z0-9_]{2,}(?:\((?>(?:[^();{}]|\([^();{}]*\))*)\))?){1,8})"
    rb"(?=\s*(?:[;{=]|:(?!:)|(?:override|final|const|noexcept)\b))"
)
"""Words behind what is declared, with arguments or without: ``int size() const REQUIRES(mutex);``."""

_CONSTRUCTOR_MACRO = lazy_compile(
    rb"^[ \t]*(?:[A-Z][A-Z0-9_]+[ \t]+)+"
    rb"(?=~|(?:explicit|virtual)\b|(?:inline[ \t]+)?\w+[ \t]*\([^;{}]{0,400}\)\s*:\s*\w+\s*[({<]"
    rb"|(?:\w+::){0,8}?(?P<class>\w+)(?:<[^<>;{}()]{0,200}>)?::~?(?P=class)[ \t]*\()",
    re.MULTILINE,
)
"""Words before what has no type: a constructor with initializers, one outside of its class, a destructor."""

_THROUGH_POINTER = lazy_compile(
    rb"(?P<object>(?<![\w.])(?!operator\b)[A-Za-z_]\w*|[)\]])(?P<sign>\s*(?:->|\.)\*)(?=\s*[A-Za-z_(])",
)
"""What takes a member through a pointer to it, ``object.*p`` (https://eel.is/c++draft/expr.mptr.oper), an operator."""

_PRODUCT = lazy_compile(
    rb"^(?:(?:static|const|constexpr|inline|thread_local)[ \t]+){0,4}(?!(?:return|typedef|using|extern|void)\b)"
    rb"[A-Za-z_][\w:]*(?:<[^<>;{}()]*>)?[ \t]+[A-Za-z_]\w*\((?P<given>\s*(?P<left>\w+)\s*[*&]\s*\w[^(){};\"'#]*)\)\s*;",
    re.MULTILINE,
)
"""What is declared outside of functions with a product in parentheses, or with parameters: ``T top(a * b);``."""

_VARIABLE = lazy_compile(
    rb"^(?:(?:static|const|constexpr|inline|thread_local|unsigned|signed|long|short)[ \t]+){0,4}"
    rb"(?!(?:class|enum|extern|goto|namespace|return|struct|template|typedef|union|using)\b)"
    rb"[A-Za-z_][\w:]*(?:<[^<>;{}()]*>)?[ \t*&]+(?P<name>[A-Za-z_]\w*)[ \t]*(?:=[^=]|;|\{|\[[^\[\]\n]*\][ \t]*[;={])",
    re.MULTILINE,
)
"""A variable outside of functions."""

_TYPE_NAME = lazy_compile(rb"\b(?:class|struct|union|enum|using|typename)[ \t]+(\w+)|\btypedef\b[^;{}]*?(\w+)[ \t]*;")
_SIGN = lazy_compile(rb"(?<=\w)(?P<before>\s*)[*&](?=\s*\w)")


def mask_source(content: bytes) -> bytes:
    """Return a source without the macros that the grammar takes for something else, as long and with as many lines."""
    content = _CLASS_MACRO.sub(_without_macros, mask_specifiers(c_source.mask_source(content)))
    content = _EXPORT_MACRO.sub(lambda found: found["kept"] + _NO_BLANK.sub(b" ", found["macros"]), content)
    content = _SECTION.sub(_section, content)
    if b"emit" in content or b"Q_EMIT" in content:
        content = _EMITTED.sub(_blank, content)
    content = _CONSTRUCTOR_MACRO.sub(_blank, _DECLARATION_MACRO.sub(_blank, content))
    if b'("' in content:
        content = _MESSAGE_MACRO.sub(_blank, content)
    content = _CONDITIONAL_MACRO.sub(lambda found: found["before"] + b" " * len(found["macro"]), content)
    content = _without_constructor_macros(content)
    if b"&)" in content:
        content = _TYPE_AS_ARGUMENT.sub(_without_reference, content)
    content = _with_products(_with_conditions(_with_numbers(content)))
    if b".*" in content or b"->*" in content:
        content = _THROUGH_POINTER.sub(_through_pointer, content)
    return _TRAILING_MACRO.sub(_trailing, content)


def _without_macros(found: re.Match[bytes]) -> bytes:
    return (found["comment"] or b"") + _NO_BLANK.sub(b" ", found["macros"])


def _without_reference(found: re.Match[bytes]) -> bytes:
    """Make an expression of a type that a macro is given: the name of the type stays."""
    kept = found["before"] + b" " * len(found["const"] or b"") + found["name"]
    return kept + b" " * (len(found[0]) - len(kept))


def _without_constructor_macros(content: bytes) -> bytes:
    """Leave out macros before the constructors of the classes that a source defines."""
    if _MAYBE_CONSTRUCTOR.search(content) is None:
        return content
    classes = frozenset(_CLASS_NAME.findall(content))

    def constructs(found: re.Match[bytes]) -> bytes:
        if found["name"] not in classes:
            return found[0]
        before = content[found.start() : found.start("macros")]
        return before + b" " * len(found["macros"]) + found["rest"]

    return _MAYBE_CONSTRUCTOR.sub(constructs, content)


def _with_conditions(content: bytes) -> bytes:
    """Make parameters of what macros stand for in the lists of templates: ``template <typename T, REQUIRES(a<T>())>``.

    Such a macro gives a type and its default (https://eel.is/c++draft/temp.param#1); what it is given is an expression.
    """
    if b"template" not in content or _MAYBE_CONDITION.search(content) is None:
        return content
    names = [name for found in _TEMPLATE.finditer(content) for name in _condition_macros(content, found.end())]
    changed = bytearray(content)
    for start, end in names:
        changed[start:end] = _CONDITION + b" " * (end - start - len(_CONDITION) - 1) + b"="
    return bytes(changed)


def _condition_macros(content: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of the names of macros that are parameters of a template, whose list begins at ``start``."""
    angles, parentheses = 1, 0
    macro: tuple[int, int] | None = None
    for found in _OF_TEMPLATE.finditer(content, start, start + _LONGEST_TEMPLATE):
        match found[0]:
            case b"(":
                parentheses += 1
            case b")":
                parentheses -= 1
                if macro is not None and not parentheses and _ENDS_PARAMETER.match(content, found.end()):
                    yield macro
                macro = macro if parentheses else None
            case b"{" | b"}" | b";":
                return
            case b"<" | b">" if not parentheses:
                angles += 1 if found[0] == b"<" else -1
            case b"<" | b">":
                pass
            case _ if angles == 1 and not parentheses and _begins_parameter(content, found.start()):
                macro = found.span()
            case _:
                pass
        if not angles:
            return


def _begins_parameter(content: bytes, start: int) -> bool:
    return content[max(0, start - _LONGEST_INDENT) : start].rstrip().endswith((b"<", b","))


def _with_numbers(content: bytes) -> bytes:
    """Put numbers in the place of what macros are given and is no expression: ``EXPECT_THROW(run(), int);``."""
    if _MAYBE_FREE_CALL.search(content) is not None:
        content = _FREE_CALL.sub(_blank, content)
    if _MAYBE_ASKED_FILE.search(content) is not None:
        content = _ASKED_FILE.sub(lambda found: _FILE_ARGUMENT.sub(_number, found[0]), content)
    if _MAYBE_ARGUMENT.search(content) is None:
        return content
    classes = frozenset(_CLASS_NAME.findall(content))

    def numbered(found: re.Match[bytes]) -> bytes:
        if found["name"] in classes or _EXPRESSION.search(found["arguments"]) is None:
            return found[0]
        return _OPERATOR_ARGUMENT.sub(_as_number, _TYPE_ARGUMENT.sub(_as_number, found[0]))

    return _MACRO_CALL.sub(numbered, content)


def _with_products(content: bytes) -> bytes:
    """Make products of what would be parameters, were the first operand no variable: ``T top(a * b);``.

    What can be a declaration of a function is one, but no variable is a type (https://eel.is/c++draft/dcl.ambig.res).
    """
    variables: frozenset[bytes] | None = None
    spans: list[tuple[int, int]] = []
    for found in _PRODUCT.finditer(content):
        if variables is None:
            types = frozenset(name for names in _TYPE_NAME.findall(content) for name in names)
            declared = (one for one in _VARIABLE.finditer(content) if one["name"] not in types)
            variables = frozenset(one["name"] for one in declared)
        if found["left"] in variables:
            spans.append(found.span("given"))
    if not spans:
        return content
    changed = bytearray(content)
    for start, end in spans:
        changed[start:end] = _SIGN.sub(rb"\g<before>%", content[start:end])
    return bytes(changed)


def _through_pointer(found: re.Match[bytes]) -> bytes:
    sign = found["sign"]
    return found["object"] + sign.replace(b"->*", b" % ").replace(b".*", b" %")


def _as_number(argument: re.Match[bytes]) -> bytes:
    return argument["before"] + b"1" * len(argument["type"])


def _number(found: re.Match[bytes]) -> bytes:
    return b"1" * len(found[0])


def _blank(found: re.Match[bytes]) -> bytes:
    return _NO_BLANK.sub(b" ", found[0])


def _trailing(found: re.Match[bytes]) -> bytes:
    """Leave out macros behind a declaration, but none in a directive or beyond one."""
    content = found.string
    line = content.rfind(b"\n", 0, found.start()) + 1
    directive = _DIRECTIVE.search(content, line, found.end())
    return _blank(found) if directive is None and _ends_declaration(content, found.start()) else found[0]


def _section(found: re.Match[bytes]) -> bytes:
    """Return the beginning of a section as the language has it; signals are public."""
    slots, signals = found.groups()
    before = found[0].removesuffix(slots or signals)
    return before + (b"" if slots else b"public").ljust(len(slots or signals))


_LONGEST_HEAD = 1_000
"""Bytes of a declaration before what stands behind it."""

_DIRECTIVE = lazy_compile(rb"^[ \t]*#", re.MULTILINE)
_NO_CODE = lazy_compile(rb"//[^\n]*|/\*.*?\*/|\"[^\"\n]*\"|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
_ACCESS = lazy_compile(rb"\b(?:public|protected|private|signals|Q_SIGNALS|slots|Q_SLOTS)\s*:(?!:)")
_PARENTHESES = lazy_compile(rb"\([^()]*\)")
_BRACKETS = lazy_compile(rb"<[^<>()]*>|\[[^\[\]()]*\]")
_TOKEN = lazy_compile(rb"~?[A-Za-z_]\w*(?:\s*::\s*~?\w+)*|operator\s*[^\s\w(]+|\S")
_NAME = lazy_compile(rb"~?[A-Za-z_].*", re.DOTALL)
_MAYBE_MACRO = lazy_compile(rb"[A-Z][A-Z0-9_]*|__\w+")
_TAKES = b"\0"
"""What stands for parentheses and all in them."""

_POINTERS = frozenset({b"*", b"&"})
_SPECIFIERS = frozenset(
    (
        b"class const consteval constexpr constinit enum explicit export extern friend inline mutable register static "
        b"struct template thread_local typename union virtual volatile"
    ).split()
)
_BUILT_IN = frozenset(
    b"auto bool char char16_t char32_t char8_t double float int long short signed unsigned void wchar_t".split()
)
_STATEMENTS = frozenset(
    (
        b"case catch co_await co_return co_yield delete do else for goto if new return switch throw try typedef using "
        b"while"
    ).split()
)
_BEHIND = frozenset({b"const", b"final", b"noexcept", b"override", b"volatile", b"&"})
"""What stands between the parameters of a function and the macro."""


def _ends_declaration(content: bytes, end: int) -> bool:
    """Return whether what stands before a place declares something: a type and a name, or a function.

    Two names in a row can be nothing else; a function may be one without a type, a constructor. A class is opened.
    """
    start = max(content.rfind(mark, max(0, end - _LONGEST_HEAD), end) for mark in (b";", b"{", b"}")) + 1
    head = _NO_CODE.sub(b" ", content[start:end])
    head = head[max((found.end() for found in _ACCESS.finditer(head)), default=0) :]
    before = b""
    while before != head:
        before, head = head, _BRACKETS.sub(b" ", _PARENTHESES.sub(_TAKES, head))
    tokens = _TOKEN.findall(head)
    takes = _TAKES in tokens
    while takes and (tokens[-1] in _BEHIND or tokens[-2:] == [b"noexcept", _TAKES]):
        tokens.pop()
    return _declares(tokens[:-1], takes) if takes and tokens[-1] == _TAKES else not takes and _declares(tokens, takes)


def _declares(tokens: Sequence[bytes], takes: bool) -> bool:
    """Return whether the words of a declaration up to what it declares are those of one; ``takes`` of a function."""
    if not tokens or tokens[0] in _STATEMENTS or not _NAME.fullmatch(tokens[-1]):
        return False
    *before, name = tokens
    if any(one != _TAKES and one not in _POINTERS and not _NAME.fullmatch(one) for one in before):
        return False
    if name in _BUILT_IN or name in _SPECIFIERS or _MAYBE_MACRO.fullmatch(name):
        return False
    types = [one for one in before if _NAME.fullmatch(one) and one not in _SPECIFIERS]
    return takes or before == [b"class"] or any(not _MAYBE_MACRO.fullmatch(one) for one in types)
