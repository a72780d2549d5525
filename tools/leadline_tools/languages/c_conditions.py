"""Macros of C that are defined on a condition alone: where it fails the name means something else, if anything.

https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3096.pdf#subsection.6.10.1
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_DIRECTIVE: Final = re.compile(
    rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif|define|error)\b[ \t]*((?:[^\\\n]|\\.|\\\r?\n)*)",
    re.MULTILINE | re.DOTALL,
)
_COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_BLANK: Final = re.compile(r"[\s\\]+")
_DEFINED: Final = re.compile(r"defined\s*(?:\(\s*(\w+)\s*\)|\s(\w+))")
_GUARDED: Final = re.compile(r"!defined\((\w+)\)$")
_NAME: Final = re.compile(rb"\w+")


class Conditions(NamedTuple):
    """The conditions of a source.

    Args:
        partial: The macros that are not defined whatever holds, each with the conditions on which they are.
        spans: The first and the last line of each branch, with its condition.
        macros: The lines on which macros are defined.

    """

    partial: Mapping[str, frozenset[str]]
    spans: Sequence[tuple[int, int, str]]
    macros: frozenset[int]

    def at(self, line: int) -> frozenset[str]:
        """Return the conditions around a line."""
        return frozenset(condition for first, last, condition in self.spans if first <= line <= last)


class _Conditional:
    """A conditional that is open: its branches, each with what it defines and its condition."""

    def __init__(self, condition: str, line: int) -> None:
        self.conditions = [condition]
        self.defined: list[set[str]] = [set()]
        self.lines = [line]
        self.complete = False
        self.guard = ""
        self.failing: set[int] = set()

    def branch(self, condition: str, line: int) -> None:
        """Begin another branch; one without a condition is the last."""
        self.complete = self.complete or not condition
        self.conditions.append(condition or _negated(self.conditions[0]))
        self.defined.append(set())
        self.lines.append(line)

    def define(self, name: str) -> None:
        """Take in a macro that the branch defines; the first one may be what keeps the branch from being read again."""
        guarded = _GUARDED.match(self.conditions[0])
        if not self.defined[0] and len(self.defined) == 1 and guarded is not None and guarded[1] == name:
            self.guard = name
        self.defined[-1].add(name)

    def fail(self) -> None:
        """Take in that nothing is compiled by which the branch is read."""
        self.failing.add(len(self.defined) - 1)

    @property
    def sure(self) -> set[str]:
        """Return what is defined behind the conditional in any case."""
        if self.guard:
            return set(self.defined[0])
        compiled = [names for i, names in enumerate(self.defined) if i not in self.failing]
        return set.intersection(*compiled) if self.complete and compiled else set()


def conditions(content: bytes) -> Conditions:
    """Return the conditions of a source, and what is defined on them alone."""
    sure: set[str] = set()
    partial: dict[str, set[str]] = {}
    spans: list[tuple[int, int, str]] = []
    around: list[_Conditional] = []
    macros: set[int] = set()
    line, counted = 1, 0
    for found in _DIRECTIVE.finditer(content):
        line, counted = line + content.count(b"\n", counted, found.start()), found.start()
        kind = found[1].decode()
        if kind == "define":
            macros.add(line)
            name = _NAME.match(found[2])
            if name is not None and around:
                around[-1].define(name[0].decode())
            elif name is not None:
                sure.add(name[0].decode())
        elif kind == "error":
            if around:
                around[-1].fail()
        elif kind.startswith("if"):
            around.append(_Conditional(_condition(kind, found[2]), line))
        elif around and kind != "endif":
            around[-1].branch(_condition(kind.removeprefix("el"), found[2]) if kind != "else" else "", line)
        elif around:
            closed = around.pop()
            ends = [*closed.lines[1:], line]
            spans += zip(closed.lines, ends, closed.conditions, strict=True)
            (around[-1].defined[-1] if around else sure).update(closed.sure)
            for condition, names in zip(closed.conditions, closed.defined, strict=True):
                for one in names - closed.sure:
                    partial.setdefault(one, set()).add(condition)
    on_condition = {name: frozenset(one) for name, one in partial.items() if name not in sure}
    return Conditions(on_condition, spans, frozenset(macros))


def _condition(kind: str, written: bytes) -> str:
    text = _BLANK.sub(" ", _COMMENT.sub(" ", written.decode("utf-8", "replace"))).strip()
    if kind.endswith("def"):
        name = text.partition(" ")[0]
        return f"!defined({name})" if "n" in kind else f"defined({name})"
    return _BLANK.sub("", _DEFINED.sub(lambda found: f"defined({found[1] or found[2]})", text))


def _negated(condition: str) -> str:
    return condition[1:] if condition.startswith("!defined(") and condition.endswith(")") else f"!{condition}"
