"""The dialect of a header or an included file: C, C++ or Objective-C, by what only one of them has."""

from __future__ import annotations

import re2

from leadline_tools.lazy_regex import lazy_compile

_CPP_ONLY = re2.compile(
    rb"(?m)^[ \t]*(?:template[ \t]*<|(?:inline[ \t]+)?namespace\b[\s\w:]*(?:\{|$)"
    rb"|using[ \t]+(?:namespace[ \t]+)?[\w:]+[ \t]*[;=]"
    rb"|class[ \t]+[\w \t:]+(?:[{;]|$)|(?:public|private|protected)[ \t]*:|#[ \t]*include[ \t]*<\w+>|constexpr\b"
    rb"|(?:struct|union)[ \t]+\w+(?:[ \t]+final)?[ \t]*:[ \t]*[A-Za-z_][\w:<>, \t]*\{"
    rb"|enum[ \t]+(?:class|struct)[ \t]+\w|enum[ \t]+\w+[ \t]*:[ \t]*[A-Za-z_][\w:]*[ \t]*(?:\{|$)"
    rb"|(?:virtual|explicit)[ \t]+[~\w:<>*&, \t]+\("
    rb"|friend[ \t]+(?:class\b|struct\b|[\w:<>*& \t]+\()|mutable[ \t]+[\w:<>*& \t]+[;=]"
    rb"|~\w+\([ \t]*(?:void)?[ \t]*\)[ \t]*(?:[;{=]|noexcept\b|override\b)"
    rb"|[A-Za-z_][\w<>:*&,() \t=]*(?:\w::[A-Za-z_~]|\)[ \t]*=[ \t]*(?:default|delete)[ \t]*;"
    rb"|\boperator[ \t]*(?:[-+*/%<>!&|^]=?|==|!=|~|\[\]|\(\)|->|<<|>>|\+\+|--)[ \t]*\(|\boperator=\("
    rb"|\([^(){};=\n\"]*\w[ \t*&]+\w+[ \t]*=[ \t]*[^=(){};\n\"]+\)[ \t]*(?:;|\{\s*$)))"
    rb"|\)[ \t]*const[ \t]*(?:[;{]|=[ \t]*0|noexcept\b|override\b|final\b)"
    rb"|\bconst[ \t]+[A-Za-z_]\w*(?:<[\w:, \t*]*>)?[ \t]*&[ \t]*(?:\w+[ \t]*)?[,)=;]"
)
"""What no C source has at the start of a line. A header made for both languages is read as C++ with no loss."""

_OBJECTIVE_C_ONLY = re2.compile(rb"(?m)^[ \t]*@(?:interface|protocol|class|import|implementation)[ \t]+\w[^.,]*$")
"""What begins a line of Objective-C; a comment of Doxygen may begin so too, and is prose after that."""

_FRAGMENT = re2.compile(
    rb"(?m)^[ \t]*#(?:include[ \t]*[<\"]|(?:define|undef|ifdef|ifndef)[ \t]+\w|if[ \t!(])"
    rb"|^[A-Za-z_][\w \t*]*[ \t*]\w+[ \t]*\([^;{}()]*\)\s*[;{]"
    rb"|^[ \t]*[A-Za-z_]\w*\([^\n]*\)[ \t]*(?:[,;/\\]|\r?$)"
    rb"|^(?:typedef|struct|union|enum|static|extern|const)\b[^\n]*[;{=]"
)

_NO_FRAGMENT = re2.compile(
    rb"(?m)^\s*<|:=|\?=|\+=[ \t]*\"|^[ \t]*\$\w+[ \t]*=|^[ \t]*(?:;|--)[ \t]*\w|\b(?i:equ|endproc|endm)\b"
    rb"|^[ \t]*[.%](?i:macro|section|globa?l|text|data|byte|word|long|include|set|if|endif|align|org|define)\b"
    rb"|^[ \t]*(?i:procedure|function|unit|uses|begin|program|subroutine|implicit|library|exports|inherit|require)\b"
    rb"|^[ \t]*(?:elif|then|fi|done|esac|local|def|fn|func|import|package)\b"
)
"""What begins lines of C, and what lines of PHP, assembly, Pascal, Fortran, recipes of builds and shells."""

_LONGEST_SEARCHED = 64 << 10
_MAYBE_CPP_MEMBER = re2.compile(
    rb"\b(?:struct|union)[ \t]+(?:\w+)\s*\{(?:[^{}()]*;)?\s*"
    rb"[A-Za-z_][\w:<>, \t*&]*\([^(){};]*\)\s*(?:noexcept\s*|override\s*)?[;{:]"
)

_CPP_MEMBER = lazy_compile(
    rb"\b(?:struct|union)[ \t]+(?P<type>\w+)\s*\{(?:[^{}()]*;)?\s*"
    rb"(?:(?P=type)|(?:(?:const|static|inline|unsigned|struct|enum)[ \t]+)*[A-Za-z_][\w:]*(?:<[^;{}()]*>)?[\s*&]+"
    rb"[A-Za-z][a-z0-9]\w*)[ \t]*\([^(){};]*\)\s*(?:noexcept\s*|override\s*)?[;{:]"
)
"""A function in a structure: one with a type and a name, or a constructor, before all other parentheses."""


def find_dialect(path: str, content: bytes) -> str:
    """Return whether a header is Objective-C or C++ by what only these have."""
    if not path.lower().endswith(".h"):
        return "c"
    if b"@" in content and _OBJECTIVE_C_ONLY.search(content) and b"__OBJC__" not in content:
        return "objc"
    return _choose_c_or_cpp(content)


def _choose_c_or_cpp(content: bytes) -> str:
    return "cpp" if _CPP_ONLY.search(content) or _has_member_function(content) else "c"


def find_fragment_language(content: bytes) -> str:
    """Return ``c`` or ``cpp`` for directives, functions or calls of macros in lines of their own, else nothing."""
    return _choose_c_or_cpp(content) if _FRAGMENT.search(content) and not _NO_FRAGMENT.search(content) else ""


def _has_member_function(content: bytes) -> bool:
    """Return whether a structure of a header has a function; a long header says in many ways that it is C++."""
    found = _MAYBE_CPP_MEMBER.finditer(content) if len(content) <= _LONGEST_SEARCHED else ()
    return any(_CPP_MEMBER.match(content, one.start()) for one in found)
