"""Names of C that the call of a macro declares: entries of lists (X macros), what macros for types and functions make.

``#define X(name) KIND_##name,`` with ``LIST(X)`` in an enumeration declares ``KIND_a`` where ``LIST`` has ``X(a)``.
https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3096.pdf#subsection.6.10.5
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import re2

from leadline_tools.languages.rules.macros import GivenWord, MacroEntry
from leadline_tools.lazy_regex import lazy_compile

_DEFINE: Final = lazy_compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)\(([^)\n]*)\)((?:[^\\\n]|\\\r\n|\\.)*)", re.MULTILINE | re.DOTALL
)
_WITH_PARAMETERS: Final = lazy_compile(rb"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(", re.MULTILINE)
_CALL: Final = lazy_compile(rb"\b(\w+)[ \t]*\(([^(){};]*(?:\([^(){};]*\)[^(){};]*)*)\)")
_PASTED: Final = lazy_compile(rb"\w+(?:[ \t\\\r\n]*##[ \t\\\r\n]*\w+)*")
_SEPARATOR: Final = lazy_compile(rb"[ \t\\\r\n]*##[ \t\\\r\n]*")
_INCLUDE: Final = lazy_compile(rb"^[ \t]*#[ \t]*include[ \t]*\"([^\"\n]+)\"", re.MULTILINE)
_COMMENT: Final = lazy_compile(rb"/\*(?:[^*]|\*(?!/))*\*/|//[^\n]*", re.DOTALL)
_TYPE_BEFORE: Final = lazy_compile(rb"(\w+|\b(?:__)?typeof(?:__)?[ \t]*\([^()]*\))[\s*\\]+\Z")
_ENUMERATED: Final = lazy_compile(rb"[ \t\\\r\n]*(?:,|=[^=]|\Z)")
_ENUM_OPENED: Final = lazy_compile(rb"\benum\b[^;{}()]*\Z")
_RECORD_OPENED: Final = lazy_compile(rb"\b(?:struct|union|class)\b[^;{}()]*\Z")
_BLOCK_OPENED: Final = lazy_compile(rb"(?:\)|[;{}:]|\b(?:else|do|const|noexcept|override|final|try))\s*\Z")
_ENDS_STATEMENT: Final = lazy_compile(rb"\s*;")
_GOES_ON: Final = lazy_compile(rb"\s*else\b")
_BRACE: Final = lazy_compile(rb"[{}]")
_SPACE: Final = b" \t\\\r\n"
_CALLED: Final = lazy_compile(rb"\b(\w+)[ \t]*\Z")
_GIVEN: Final = lazy_compile(rb"([A-Za-z_]\w*)[ \t\\\r\n]*[,)]")
_NOT_GIVEN: Final = lazy_compile(rb"[(){};]")
_TAGGED: Final = frozenset((b"struct", b"union", b"enum"))
_MEMBERS_OPENED: Final = lazy_compile(rb"[\s\\]*\{")
_BOUND: Final = lazy_compile(rb"[();{}]")
_LOOP: Final = lazy_compile(rb"\bfor\s*\Z")
_FIRST_DECLARED: Final = lazy_compile(
    rb"[\s\\]*(?:(?:const|static|register|volatile|struct|union|enum)\s+)*(\w+)[\s*]+\w+[\s\\]*(?:[=,\[])"
)
"""The type and the first name of a declaration."""

_NO_TYPE: Final = frozenset((b"return", b"sizeof", b"case", b"goto", b"else", b"do", b"define"))
_LONGEST_HEAD: Final = 200
_LONGEST_BODY: Final = 64 << 10


class _Macro(NamedTuple):
    """A macro with parameters: where it is, and what stands for it."""

    path: str
    name: bytes
    parameters: Sequence[bytes]
    body: bytes
    start: int
    end: int


def entries(name: str, sources: Mapping[str, bytes]) -> Iterator[MacroEntry]:
    """Yield the calls of macros by which some sources declare a name; the sources in the order of their nearness."""
    plain = {path: _without_comments(text) for path, text in sources.items()}
    macros = [macro for path, text in plain.items() for macro in _macros(path, text)]
    for macro in macros:
        for number, argument, enumerates in _find_arguments(macro, name.encode()):
            for entry in _calls(macro, number, argument, macros, plain):
                text = plain[entry.path]
                if enumerates:
                    found = entry if _is_in_enumeration(text, entry.offset) else None
                else:
                    found = _place_declaration(text, entry)
                if found is not None:
                    yield found


def find_macros_with_parameters(content: bytes) -> frozenset[str]:
    """Return the names of the macros with parameters that a source defines."""
    return frozenset(one.decode() for one in _WITH_PARAMETERS.findall(content)) if b"#" in content else frozenset()


def declares_given(content: bytes, name: bytes) -> bool:
    """Return whether a source defines a macro of one parameter that declares what it is given: ``unsigned int x:1``."""
    if name not in content:
        return False
    macros = [one for one in _macros("", _without_comments(content)) if one.name == name]
    return bool(macros) and all(_declares_parameter(one) for one in macros)


def _declares_parameter(macro: _Macro) -> bool:
    if len(macro.parameters) != 1 or not macro.parameters[0]:
        return False
    found = re2.search(rb"(?:\A|[^\w#])(" + re2.escape(macro.parameters[0]) + rb")[ \t]*(?:[:;\[]|\z)", macro.body)
    return found is not None and _is_after_type(macro.body, found.start(1), found.end(1))


def given_at(content: bytes, offset: int) -> GivenWord | None:
    """Return the word at a place that is alone an argument of a call; None for any other."""
    opened = content.rfind(b"(", 0, offset)
    before = content[opened + 1 : offset]
    called = _CALLED.search(content, max(0, opened - _LONGEST_HEAD), opened) if opened > 0 else None
    given = _GIVEN.match(content, offset)
    if (
        called is None
        or given is None
        or _NOT_GIVEN.search(before) is not None
        or before.rpartition(b",")[2].strip(_SPACE)
    ):
        return None
    name, number, word = called[1].decode(), before.count(b","), given[1].decode()
    for define in _DEFINE.finditer(content):
        parameters = [one.strip().decode() for one in define[2].split(b",")]
        if define.start(3) <= offset < define.end(3) and name in parameters:
            return GivenWord(word, number, define[1].decode(), parameters.index(name))
    return GivenWord(word, number, name)


def made_of(given: GivenWord, sources: Mapping[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield the names that the macros of some sources make of a word, each with the file that calls them."""
    called, word = given.called.encode(), given.word.encode()
    for path, text in sources.items():
        if called not in text:
            continue
        plain = _without_comments(text)
        names = {called}
        if given.parameter >= 0:
            calls = (one[2].split(b",") for one in _CALL.finditer(plain) if one[1] == called)
            names = {handed[given.parameter].strip() for handed in calls if len(handed) > given.parameter}
        for macro in _macros(path, plain):
            if macro.name in names and len(macro.parameters) > given.number:
                for name in _pasted_with(macro, given.number, word):
                    yield name.decode(), path


def _pasted_with(macro: _Macro, number: int, word: bytes) -> Iterator[bytes]:
    """Yield the names that a macro makes of one argument alone."""
    for found in _PASTED.finditer(macro.body):
        parts = _SEPARATOR.split(found[0])
        if [part for part in parts if part in macro.parameters] == [macro.parameters[number]]:
            yield b"".join(word if part == macro.parameters[number] else part for part in parts)


def _without_comments(text: bytes) -> bytes:
    return _COMMENT.sub(lambda found: b" " * len(found[0]), text)


def _macros(path: str, text: bytes) -> Iterator[_Macro]:
    for found in _DEFINE.finditer(text):
        parameters = [one.strip() for one in found[2].split(b",")]
        yield _Macro(path, found[1], parameters, found[3], found.start(), found.end())


def _find_arguments(macro: _Macro, name: bytes) -> Iterator[tuple[int, bytes, bool]]:
    """Yield what a macro has to be given to declare a name: parameter, argument, and whether it is an enumerator."""
    for found in _PASTED.finditer(macro.body):
        parts = _SEPARATOR.split(found[0])
        if not any(part in macro.parameters for part in parts):
            continue
        pattern = b"".join(rb"(\w+)" if part in macro.parameters else re2.escape(part) for part in parts)
        matched = re2.fullmatch(pattern, name)
        before = macro.body[: found.start()].strip(b" \t\\\r\n")
        typed = _is_after_type(macro.body, found.start(), found.end())
        enumerates = not before and _ENUMERATED.match(macro.body, found.end()) is not None
        if matched is None or not (enumerates or typed):
            continue
        given = [part for part in parts if part in macro.parameters]
        if len(given) == 1:
            yield macro.parameters.index(given[0]), matched[1] or b"", enumerates


def _is_after_type(body: bytes, start: int, end: int) -> bool:
    """Return whether a word in the text of a macro stands where a declaration has a name: ``for (int i = 0, word;``.

    A tag is declared by what opens its members alone.
    """
    typed = _TYPE_BEFORE.search(body, 0, start)
    if typed is not None:
        return _MEMBERS_OPENED.match(body, end) is not None if typed[1] in _TAGGED else typed[1] not in _NO_TYPE
    before = body[:start].rstrip(_SPACE + b"*")
    if not before.endswith(b","):
        return False
    begin = _statement_start(before)
    declared = _FIRST_DECLARED.match(body, begin) if begin >= 0 else None
    return declared is not None and declared[1] not in _NO_TYPE


def _statement_start(text: bytes) -> int:
    """Return where the last statement of a text begins, or the first part of the loop it is in; -1 in a list."""
    depth = 0
    for sign in reversed([*_BOUND.finditer(text)]):
        depth += {b")": 1, b"(": -1}.get(sign[0], 0)
        if depth < 0 and _LOOP.search(text, 0, sign.start()) is None:
            return -1
        if depth < 0 or (not depth and sign[0] not in b"()"):
            return sign.end()
    return 0


def _calls(
    macro: _Macro, number: int, argument: bytes, macros: Sequence[_Macro], sources: Mapping[str, bytes]
) -> Iterator[MacroEntry]:
    """Yield the calls of a macro with an argument, as long as it is defined: its own, those of lists and of files."""
    text = sources[macro.path]
    end = _forgotten(text, macro)
    region = text[macro.end : end]
    for path, code, start in ((macro.path, region, macro.end), *_others(macro, sources, end, len(text))):
        for offset, given in _find_calls(code, macro.name, number, argument):
            yield MacroEntry(path, start + offset, path, start + given, macro.path, macro.start)
        for offset, listing, handing in _lists(macro.name, code, macros):
            begin = sources[listing.path].find(listing.body, listing.start)
            for _, given in _find_calls(listing.body, handing, number, argument):
                yield MacroEntry(path, start + offset, listing.path, begin + given, macro.path, macro.start)
    for included in _INCLUDE.finditer(region):
        ending = included[1].rpartition(b"/")[2].decode("utf-8", "replace")
        for path in (one for one in sources if one.rpartition("/")[2] == ending):
            for offset, given in _find_calls(sources[path], macro.name, number, argument):
                yield MacroEntry(path, offset, path, given, macro.path, macro.start)


def _lists(name: bytes, code: bytes, macros: Sequence[_Macro]) -> Iterator[tuple[int, _Macro, bytes]]:
    """Yield the calls of macros that are given a macro, with that macro and the parameter by which it calls it."""
    for call in _CALL.finditer(code) if name in code else ():
        handed = [one.strip() for one in call[2].split(b",")]
        place = handed.index(name) if name in handed else -1
        for listing in macros if place >= 0 else ():
            if listing.name == call[1] and len(listing.parameters) > place:
                yield call.start(), listing, listing.parameters[place]


def _forgotten(text: bytes, macro: _Macro) -> int:
    """Return where a macro is not defined any more, or in another way."""
    pattern = rb"(?m)^[ \t]*#[ \t]*(?:undef|define)[ \t]+" + re2.escape(macro.name) + rb"\b"
    found = re2.compile(pattern).search(text, macro.end)
    return found.start() if found is not None else len(text)


def _others(macro: _Macro, sources: Mapping[str, bytes], end: int, whole: int) -> Iterator[tuple[str, bytes, int]]:
    """Yield the other sources in which a macro may be called: none where its own forgets it."""
    for path, code in sources.items() if end == whole else ():
        if path != macro.path and macro.name in code:
            yield path, code, 0


def _find_calls(code: bytes, name: bytes, number: int, argument: bytes) -> Iterator[tuple[int, int]]:
    """Yield where a macro is called with an argument in a place, and where the argument is.

    The definitions of macros of its name are no calls.
    """
    for call in re.finditer(rb"\b" + re.escape(name) + rb"[ \t]*\(([^(){};]*)", code):
        given = call[1].split(b",")
        line = code[code.rfind(b"\n", 0, call.start()) + 1 : call.start()]
        if len(given) > number and given[number].strip(_SPACE) == argument and b"define" not in line:
            before = sum(len(one) + 1 for one in given[:number])
            yield call.start(), call.start(1) + before + given[number].index(argument)


def _is_in_enumeration(text: bytes, offset: int) -> bool:
    """Return whether a place is in an enumeration; a list in a file of its own is in that of whoever includes it."""
    brace = _brace_around(text, offset)
    if brace < 0:
        return b"}" not in text
    return _ENUM_OPENED.search(text, max(0, brace - _LONGEST_HEAD), brace) is not None


def _place_declaration(text: bytes, entry: MacroEntry) -> MacroEntry | None:
    """Return the call that declares a name, with the end of the block that sees it; None for a member of a record."""
    brace = _brace_around(text, entry.offset)
    start = max(0, brace - _LONGEST_HEAD)
    if brace < 0:
        return entry
    if _RECORD_OPENED.search(text, start, brace) is not None:
        return None
    if _BLOCK_OPENED.search(text, start, brace) is None:
        return entry
    call = _CALL.match(text, entry.offset)
    is_loop = call is not None and _ENDS_STATEMENT.match(text, call.end()) is None
    return entry._replace(end=_end_of_part(text, call.end() if call is not None and is_loop else brace + 1, is_loop))


def _brace_around(text: bytes, offset: int) -> int:
    """Return where the innermost braces around a place open; -1 where none do."""
    depth = 0
    start = max(0, offset - _LONGEST_BODY)
    for brace in reversed([*_BRACE.finditer(text, start, offset)]):
        depth += 1 if brace[0] == b"}" else -1
        if depth < 0:
            return brace.start()
    return -1


def _end_of_part(text: bytes, start: int, is_statement: bool) -> int:
    """Return where the statement after a place ends, or the block around it; the end of the text where it does not."""
    depth = 0
    for sign in _BOUND.finditer(text, start):
        depth += {b"(": 1, b"{": 1, b")": -1, b"}": -1}.get(sign[0], 0)
        ends = is_statement and not depth and sign[0] in b"};" and _GOES_ON.match(text, sign.end()) is None
        if depth < 0 or ends:
            return sign.end()
    return len(text)
