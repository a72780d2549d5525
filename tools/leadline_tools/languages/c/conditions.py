"""Macros of C that are defined on a condition alone: where it fails the name means something else, if anything.

https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3096.pdf#subsection.6.10.1
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from leadline_tools.languages.c.standard_names import is_standard_macro
from leadline_tools.languages.rules.macros import ConditionalInclude, ConditionRules, Conditions
from leadline_tools.lazy_regex import lazy_compile

_DIRECTIVE: Final = lazy_compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|define|error|include)\b"
    rb"[ \t]*((?:[^\\\n]|\\.|\\\r?\n)*)",
    re.MULTILINE | re.DOTALL,
)
_COMMENT: Final = lazy_compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_BLANK: Final = lazy_compile(r"[\s\\]+")
_DEFINED: Final = lazy_compile(r"defined\s*(?:\(\s*(\w+)\s*\)|\s(\w+))")
_NEGATED: Final = lazy_compile(r"!\((?:[^()]|\([^()]*\))*\)")
_ITS_OWN: Final = lazy_compile(r"defined\((\w+)\)$")
_GUARDED: Final = lazy_compile(r"!defined\((\w+)\)$")
_NAME: Final = lazy_compile(rb"\w+")
_INCLUDED: Final = lazy_compile(rb"([<\"])([^>\"\n]+)[>\"]")
_ASKED: Final = lazy_compile(r"[A-Za-z_]\w*")
_LACKED: Final = lazy_compile(r"!\(?(?:defined\()?(?:\w*_)?HAVE_\w+")
"""A system that lacks something: of what it has a build defines ``HAVE_NAME``.

https://www.gnu.org/software/autoconf/manual/autoconf-2.72/html_node/Generic-Functions.html
"""

_OF_SYSTEM: Final = lazy_compile(r"_\w+|WIN(?:32|64)|MSDOS")
"""What the compilers for some systems define, not a build: reserved names (7.1.3 of C11), and some that are not."""

_OF_COMPILER: Final = lazy_compile(
    r"__cplusplus|__STDC\w*|__GNU\w*|__clang\w*|__has_\w+|_MSC_VER|__[A-Z]+_H_*|_[A-Z]\w*_H_*"
)
"""What tells a compiler, a language or a header, but no system."""


_NEVER: Final = frozenset({"0", "!1", "false", "!true"})
_ALWAYS: Final = frozenset({"1", "!0", "true", "!false"})


class _Conditional:
    """A conditional that is open: its branches, each with what it defines and its condition."""

    def __init__(self, condition: str, line: int, start: int) -> None:
        self.conditions = [condition]
        self.defined: list[set[str]] = [_find_presumed_macro(condition)]
        self.lines = [line]
        self.starts = [start]
        self.complete = False
        self.guard = ""
        self.failing: set[int] = set()
        self.includes: list[set[tuple[bool, str]]] = [set()]

    def branch(self, condition: str, line: int, start: int) -> None:
        """Begin another branch; one without a condition is the last."""
        self.complete = self.complete or not condition
        self.conditions.append(condition or _negate(self.conditions[0]))
        self.defined.append(_find_presumed_macro(condition))
        self.includes.append(set())
        self.lines.append(line)
        self.starts.append(start)

    def define(self, name: str) -> None:
        """Take in a macro that the branch defines; the first one may be what keeps the branch from being read again."""
        guarded = _GUARDED.match(self.conditions[0])
        if not self.defined[0] and len(self.defined) == 1 and guarded is not None and guarded[1] == name:
            self.guard = name
        self.defined[-1].add(name)

    def fail(self) -> None:
        """Take in that nothing is compiled by which the branch is read."""
        self.failing.add(len(self.defined) - 1)

    def list_includes(self) -> Iterator[ConditionalInclude]:
        """Yield what the branches include in quotes, but for a branch that keeps a header from being read twice."""
        for i, condition in enumerate(self.conditions if not self.guard else ()):
            others = (one for j, branch in enumerate(self.includes) if j != i for one in branch)
            systems = frozenset(target for is_system, target in others if is_system)
            own = sorted(target for is_system, target in self.includes[i] if not is_system)
            yield from (ConditionalInclude(target, condition, systems) for target in own)

    def list_sure(self, content: bytes) -> set[str]:
        """Return what is defined after the conditional in any case, or where a build defines nothing by itself."""
        if self.guard:
            return set(self.defined[0])
        compiled = [names for i, names in enumerate(self.defined) if i not in self.failing]
        every = set.intersection(*compiled) if self.complete and compiled else set[str]()
        usual = (i for i, one in enumerate(self.conditions) if holds_usually(one))
        return every.union(*(self._list_usual(content, i) for i in usual))

    def _list_usual(self, content: bytes, number: int) -> set[str]:
        """Return what a branch defines that holds usually; not what one before it may declare in another way.

        A branch for what a program is built with may declare the same name, or include what does.
        """
        condition = self.conditions[number]
        if not number or all(_OF_SYSTEM.fullmatch(one) for one in _ASKED.findall(condition) if one != "defined"):
            return self.defined[number]
        before = content[self.starts[0] : self.starts[number]]
        words = frozenset(_NAME.findall(before))
        return set() if b"include" in words else {one for one in self.defined[number] if one.encode() not in words}


class _Reading:
    """What the directives of a source have said so far."""

    def __init__(self, content: bytes) -> None:
        self.sure: set[str] = set()
        self._content = content
        self.partial: dict[str, set[str]] = {}
        self.spans: list[tuple[int, int, str]] = []
        self.macros: set[int] = set()
        self.dead: list[tuple[int, int]] = []
        self.guards: dict[tuple[int, int], str] = {}
        self.includes: list[ConditionalInclude] = []
        self.plain: set[str] = set()
        self._around: list[_Conditional] = []

    def take_in(self, kind: str, written: bytes, line: int, start: int) -> None:
        """Take in a directive."""
        if kind == "define":
            self._define(written, line)
        elif kind.startswith("if"):
            self._around.append(_Conditional(_condition(kind, written), line, start))
        elif kind == "include":
            self._include(written)
        elif not self._around:
            return
        elif kind == "error":
            self._around[-1].fail()
        elif kind == "endif":
            self._close(self._around.pop(), line)
        else:
            condition = _condition(kind.removeprefix("el"), written) if kind != "else" else ""
            self._around[-1].branch(condition, line, start)

    def _include(self, written: bytes) -> None:
        found = _INCLUDED.match(written)
        target = found[2].decode("utf-8", "replace") if found is not None else ""
        if found is not None and self._around:
            self._around[-1].includes[-1].add((found[1] == b"<", target))
        elif found is not None:
            self.plain.add(target)

    def _define(self, written: bytes, line: int) -> None:
        self.macros.add(line)
        name = _NAME.match(written)
        if name is not None and self._around:
            self._around[-1].define(name[0].decode())
        elif name is not None:
            self.sure.add(name[0].decode())

    def _close(self, closed: _Conditional, line: int) -> None:
        self.spans += (spans := list(zip(closed.lines, [*closed.lines[1:], line], closed.conditions, strict=True)))
        sure = [i for i, one in enumerate(closed.conditions) if one in _ALWAYS]
        after = sure[0] if sure else len(spans)
        self.dead += (span[:2] for i, span in enumerate(spans) if span[2] in _NEVER or i > after)
        if closed.guard:
            self.guards[closed.lines[0], line] = closed.guard
        self.includes += closed.list_includes()
        if self._around:
            self._around[-1].includes[-1].update(*closed.includes)
        sure_names = closed.list_sure(self._content)
        (self._around[-1].defined[-1] if self._around else self.sure).update(sure_names)
        for condition, names in zip(closed.conditions, closed.defined, strict=True):
            for one in names - sure_names:
                self.partial.setdefault(one, set()).add(condition)


def conditions(content: bytes) -> Conditions:
    """Return the conditions of a source, and what is defined on them alone."""
    reading = _Reading(content)
    line, counted, first, last = 1, 0, 0, 0
    for found in _DIRECTIVE.finditer(content):
        line, counted = line + content.count(b"\n", counted, found.start()), found.start()
        kind = found[1].decode()
        if kind != "include":
            first, last = first or line, line
        reading.take_in(kind, found[2], line, found.start())
    partial = {name: frozenset(one) for name, one in reading.partial.items() if name not in reading.sure}
    whole = (first, last)
    spans = [one for one in reading.spans if one[:2] != whole] if whole in reading.guards else reading.spans
    guard = reading.guards.get(whole, "")
    includes = [one for one in reading.includes if one.target not in reading.plain]
    return Conditions(partial, spans, frozenset(reading.macros), reading.dead, guard, includes)


def _condition(kind: str, written: bytes) -> str:
    text = _BLANK.sub(" ", _COMMENT.sub(" ", written.decode("utf-8", "replace"))).strip()
    if kind.endswith("def"):
        name = text.partition(" ")[0]
        return f"!defined({name})" if "n" in kind else f"defined({name})"
    return _BLANK.sub("", _DEFINED.sub(lambda found: f"defined({found[1] or found[2]})", text))


def _find_presumed_macro(condition: str) -> set[str]:
    """Return what is defined where a condition holds: the macro that it asks for."""
    found = _ITS_OWN.match(condition)
    return {found[1]} if found is not None else set()


def holds_usually(condition: str) -> bool:
    """Return whether a condition holds where nobody defines the macros in it: it only asks that they are not.

    A build defines those that say what a system has.
    """
    if not condition or asks_for_lack(condition):
        return False
    return all(part.startswith("!") for part in _NEGATED.sub("!", condition).split("&&"))


def asks_for_lack(condition: str) -> bool:
    """Return whether a condition asks that a system lacks something: what is declared then replaces it."""
    return "HAVE_" in condition and _LACKED.search(condition) is not None


def asks_for_system(condition: str) -> bool:
    """Return whether a condition asks for a system by what its compilers define, as ``_WIN32``; for none of C++."""
    asked = [one for one in _ASKED.findall(condition) if one != "defined"]
    if not asked or condition.startswith("!") or not all(map(_OF_SYSTEM.fullmatch, asked)):
        return False
    return not any(_OF_COMPILER.fullmatch(one) for one in asked)


def _negate(condition: str) -> str:
    return condition[1:] if condition.startswith("!defined(") and condition.endswith(")") else f"!{condition}"


RULES: Final = ConditionRules(
    read=conditions,
    holds_usually=holds_usually,
    asks_for_lack=asks_for_lack,
    is_standard=is_standard_macro,
    asks_for_system=asks_for_system,
)
"""How the conditions of the preprocessor are read, of C and of the languages that have taken it over."""
