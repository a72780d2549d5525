"""Names that macros make: put together of parts, or given to a macro that declares what it is given.

No outline has those names, so what nothing declares is from outside only where no macro may declare it.
https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3096.pdf#subsection.6.10.5
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import re2

from leadline_tools.languages.rules.macros import PastingMacro
from leadline_tools.lazy_regex import lazy_compile

_DEFINE = lazy_compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)\n]*)\))?((?:[^\\\n]|\\.|\\\r\n)*)", re.MULTILINE | re.DOTALL
)
_PASTE = lazy_compile(rb"\w*(?:[ \t\\\r\n]*##[ \t\\\r\n]*\w*)+")
_SEPARATOR = lazy_compile(rb"[ \t\\\r\n]*##[ \t\\\r\n]*")
_INNER = rb"\((?>(?:[^();{}\"]|\((?>(?:[^();{}\"]|\([^();{}\"]*\))*)\))*)\)"
_CALL = lazy_compile(rb"\b(\w+)(?=[ \t]*\(((?>(?:[^();{}\"]|%s)*))\)[ \t]*([^\n]?))" % _INNER)
_CONTROL = frozenset((b"if", b"while", b"switch", b"for", b"return", b"sizeof", b"defined"))
_NO_TYPE = frozenset((b"return", b"sizeof", b"case", b"goto", b"else", b"do", b"define"))
_TAGGED = frozenset((b"struct", b"union", b"enum", b"namespace"))
_BEFORE_TYPE = frozenset(
    (
        b"and case const constexpr define defined delete do elif else explicit extern friend goto if ifdef ifndef "
        b"inline mutable new not operator or private protected public register return sizeof static throw typedef "
        b"typename undef virtual volatile"
    ).split()
).union(_TAGGED)
"""Words before a name that is not declared there; what follows most of them is a type or a value."""

_IN_TEXT = lazy_compile(
    rb"""\"(?:[^"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|//[^\n]*"""
    rb"""|^[ \t]*#[ \t]*include\b[^\n]*|/\*(?:[^*]|\*(?!/))*\*/""",
    re.DOTALL | re.MULTILINE,
)
"""Comments, strings and includes."""

_MOST_BLANKS = 80
"""Characters after a name among which is looked for what follows it."""

_DECLARED = rb"\b(\w+)(?:\s*\*[\s*]*|&{1,2}\s*|\s+&\s*|>[\s*&]*|\]\s*|\s+)%(name)s\b"
_DECLARATOR = rb",[\s*]*\b%(name)s\s*(?:;|=[^=]|\[)|,\s*\*[\s*]*%(name)s\s*,|\}[\s*]*%(name)s\s*[;,=\[]" + (
    rb"|\(\s*\*+\s*%(name)s\s*\)\s*[(\[]"
    rb"|[;{}\n]\s*[A-Za-z_]\w*[\s*]+[A-Za-z_][^;(){}]*,[\s*]*%(name)s\s*[,;=\[]"
)

_CALLED = lazy_compile(rb"(\w+)[\s*]+\Z")

_ENUMERATION = lazy_compile(rb"\benum\b[^;{}()]*\{[^{};]*\}")
"""An enumeration: what a macro is given there may be an enumerator."""

_BEFORE_STATEMENT = (b"{", b"}", b";")

ANY_NAME = ""
"""What stands for a name of which no part is written where it is put together."""

_OPENED = lazy_compile(rb"(\binline\s+)?\bnamespace\s+([A-Za-z_][\w:]*)\s*(?:\\?\s*)*\{")


class Macro(NamedTuple):
    """A macro: its name, its parameters and what stands for it."""

    name: bytes
    parameters: tuple[bytes, ...]
    body: bytes


def macros(content: bytes) -> Iterator[Macro]:
    """Yield the macros that a source defines."""
    for found in _DEFINE.finditer(content):
        yield Macro(found[1], tuple(one.strip() for one in (found[2] or b"").split(b",")), found[3])


def space_opened(content: bytes, name: str) -> str:
    """Return the namespaces that a macro of a source opens one in another, without those that are inline."""
    for macro in macros(content) if b"namespace" in content else ():
        if macro.name == name.encode() and b"namespace" in macro.body:
            spaces = [space.decode().replace("::", ".") for inline, space in _OPENED.findall(macro.body) if not inline]
            if spaces:
                return ".".join(spaces)
    return ""


def opens_space(content: bytes, name: str) -> bool:
    """Return whether a macro of a source may open a namespace with a name."""
    if b"namespace" not in content or b"#" not in content:
        return False
    last = name.encode()
    return any(last in macro.body and _OPENED.search(macro.body) is not None for macro in macros(content))


def find_pasted_names(content: bytes) -> frozenset[str]:
    """Return patterns of the names that macros of a source put together with ``##``; see ``ANY_NAME``."""
    if b"##" not in content:
        return frozenset()
    found: set[str] = set()
    for macro in macros(content):
        for pasted in _PASTE.findall(macro.body) if b"##" in macro.body else ():
            parts = [part for part in _SEPARATOR.split(pasted) if part]
            fixed = [part for part in parts if part not in macro.parameters and part != b"__VA_ARGS__"]
            pattern = (re.escape(part.decode()) if part in fixed else r"\w*" for part in parts)
            if fixed or not any(part == b"__VA_ARGS__" for part in parts):
                found.add("".join(pattern) if fixed else ANY_NAME)
    return frozenset(found)


def find_pasting_macros(content: bytes, name: str) -> Iterator[PastingMacro]:
    """Yield the macros of a source that put a name together of a part they have and of arguments."""
    if b"##" not in content:
        return
    for found in _DEFINE.finditer(content):
        if b"##" not in found[3]:
            continue
        macro = Macro(found[1], _parameters(found), found[3])
        passed = re.search(rb"[(,]\s*%s\s*[,)]" % re.escape(macro.name), content) is not None
        for pasted in _PASTE.findall(macro.body):
            parts = [part for part in _SEPARATOR.split(pasted) if part]
            given = [part for part in parts if part in macro.parameters]
            if not 0 < len(given) < len(parts) or b"__VA_ARGS__" in parts:
                continue
            pattern = "".join(r"(\w+)" if part in given else re.escape(part.decode()) for part in parts)
            match = re.fullmatch(pattern, name)
            if match is not None:
                arguments = {
                    macro.parameters.index(part): text for part, text in zip(given, match.groups(), strict=True)
                }
                line = content.count(b"\n", 0, found.start(1)) + 1
                called_with = tuple(sorted(arguments.items()))
                yield PastingMacro(macro.name.decode(), line, pasted.decode(), called_with, passed)


def find_macro_calls(content: bytes, macro: PastingMacro) -> Iterator[tuple[int, int]]:
    """Yield the byte offsets at which a macro may be called with the arguments that make the name, each with its end.

    In the body of another macro, an argument may be one of that one's parameters. A macro that is passed to others by
    its name is called there by the name of a parameter.
    """
    if any(text.encode() not in content for _, text in macro.arguments) and b"define" not in content:
        return
    around = [(one.start(3), one.end(3), _parameters(one)) for one in _DEFINE.finditer(content)]
    name = rb"\w+" if macro.is_passed else re.escape(macro.name.encode())
    for call in re.finditer(rb"(?<![#\w])(%s)[ \t]*\(((?:[^()]|\([^()]*\))*)\)" % name, content):
        parameters = next((names for start, end, names in around if start <= call.start() < end), ())
        by_parameter = call[1] in parameters
        by_name = call[1] == macro.name.encode() and not _is_defined_at(content, call.start())
        if not (by_name or by_parameter):
            continue
        arguments = [one.strip() for one in call[2].split(b",")]
        given = (
            (arguments[place] if place < len(arguments) else b"", text.encode()) for place, text in macro.arguments
        )
        if all(one == text or (one in parameters and not by_parameter) for one, text in given):
            yield call.start(1), call.end(1)


def _parameters(define: re.Match[bytes]) -> tuple[bytes, ...]:
    return tuple(one.strip() for one in (define[2] or b"").split(b",") if one.strip())


def _is_defined_at(content: bytes, start: int) -> bool:
    """Return whether the name at a byte is that of a macro which is defined there."""
    return content[content.rfind(b"\n", 0, start) + 1 : start].replace(b" ", b"").replace(b"\t", b"") == b"#define"


def may_declare_by_macro(content: bytes, name: str, declaring: Callable[[str], Iterable[bytes]]) -> bool:
    """Return whether a source may declare a name that its syntax tree does not say: by a macro, or in one.

    ``declaring`` gives the sources that may define a macro with a name. What stands after a type may be declared,
    whatever a macro makes of it. A call does that outside of functions and where no statement ends, those in
    macros that call what they are given, and those of macros in which a type stands before the parameter.
    """
    written = name.encode()
    if written not in content:
        return False
    content = _IN_TEXT.sub(b" ", content)
    if _seems_declared(content, written):
        return True
    if any(_gives(macro, written) for macro in macros(content) if written in macro.body):
        return True
    without = _DEFINE.sub(b"", content)
    enumerations = [found.span() for found in _ENUMERATION.finditer(without)]
    for call in _CALL.finditer(without):
        arguments = [one.strip() for one in call[2].split(b",")]
        if written not in arguments or call[1] in _CONTROL:
            continue
        before = without[without.rfind(b"\n", 0, call.start()) + 1 : call.start()]
        alone = not before.strip() and (not before or call[3] in (b"", b"{"))
        if alone or any(start < call.start() < end for start, end in enumerations):
            return True
        begins = not before.strip() or before.rstrip().endswith(_BEFORE_STATEMENT)
        sources = declaring(call[1].decode()) if begins else ()
        called = (macro for source in sources for macro in macros(source) if macro.name == call[1])
        if any(_declares(macro, arguments.index(written)) for macro in called):
            return True
    return False


def _seems_declared(code: bytes, name: bytes) -> bool:
    """Return whether a name stands anywhere where a declaration has one: after a type, or among declarators."""
    for found in re2.finditer(_DECLARED % {b"name": name}, code):
        before, after = found[1], code[found.end() : found.end() + _MOST_BLANKS].lstrip()
        if after.startswith(b"::"):
            continue
        if before not in _BEFORE_TYPE or (before in _TAGGED and after[:1] == b"{"):
            return True
    return re2.search(_DECLARATOR % {b"name": name}, code) is not None


def _gives(macro: Macro, name: bytes) -> bool:
    """Return whether a macro gives a name to a macro that it takes as a parameter."""
    calls = (call for call in _CALL.finditer(macro.body) if call[1] in macro.parameters)
    return any(name in (one.strip() for one in call[2].split(b",")) for call in calls)


def _declares(macro: Macro, position: int) -> bool:
    """Return whether a type seems to stand before one of the parameters of a macro."""
    if position >= len(macro.parameters):
        return b"..." in macro.parameters
    parameter = re.compile(rb"(?<![\w#.>])" + re.escape(macro.parameters[position]) + rb"\b")
    before = (_CALLED.search(macro.body, 0, one.start()) for one in parameter.finditer(macro.body))
    return any(found is not None and found[1] not in _NO_TYPE for found in before)
