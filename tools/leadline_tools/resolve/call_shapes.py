"""What calls give and what functions take, as their text tells: how many arguments, and the types that are spelled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.source import Source
from leadline_tools.languages import lexis_of, scoping_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.lists import TYPE_ARGUMENTS, list_parts
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Role
from leadline_tools.resolve.meaning import Defined, Meaning
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.value import Value

_LONGEST_CALL = 4_000
"""Characters after a name in which the arguments of its call end; of a longer call their number is not known."""

_MOST_LINES = 200
_WORD = re.compile(r"[^\W\d][\w$]*")
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?|^\s*\[[^\]]*\]")
_MODIFIERS = frozenset({"final", "in", "out", "params", "readonly", "ref", "scoped", "this"})


class Parameter(NamedTuple):
    """A parameter: the last name of its type, and whether a call may leave it out or repeat it."""

    type: str
    optional: bool
    repeated: bool


class MethodOverloads:
    """Chooses between a method and those of its name that the type inherits, by the number of arguments of a call.

    A type that declares a method of a name still has the inherited ones that take something else.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2.1
    """

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._values = question.resolver.values
        self._taken: dict[tuple[str, str], Sequence[Sequence[Parameter] | None]] = {}

    def choose(self, path: str, use: Use, meanings: Sequence[Meaning]) -> Sequence[Meaning]:
        """Return what a call means, those methods that take another number of arguments replaced by inherited ones."""
        scoping = scoping_of(path)
        if use.role is not Role.Call or scoping is None or not scoping.constructor_keywords:
            return meanings
        return [self._chosen(path, use, one) if isinstance(one, Defined) else one for one in meanings]

    def _chosen(self, path: str, use: Use, meant: Defined) -> Defined:
        inherited = self._inherited(meant)
        arguments = arguments_at(self._index, path, use) if inherited else None
        if arguments is None:
            return meant
        return next((one for one in (meant, *inherited) if self._takes(one, len(arguments))), meant)

    def _inherited(self, meant: Defined) -> Sequence[Defined]:
        owner, _, name = meant.name.rpartition(".")
        above = self._values.inheritance.linear(Value(Defined(meant.path, owner, meant.reason)))[1:] if owner else ()
        own = (self._values.declared.own(one.of, name) for one in above if isinstance(one.of, Defined))
        return [one for one in own if one is not None]

    def _takes(self, of: Defined, number: int) -> bool:
        if (of.path, of.name) not in self._taken:
            source = self._index.try_read(of.path)
            named = [one for one in self._index.definitions(source) if one.path == of.name] if source else []
            self._taken[of.path, of.name] = [parameters_of(source, one) for one in named] if source else []
        taken = self._taken[of.path, of.name]
        return not taken or any(accepts_number(one, number) for one in taken)


def accepts_number(taken: Sequence[Parameter] | None, number: int) -> bool:
    """Return whether a function can be called with a number of arguments; True where what it takes is not known."""
    if taken is None:
        return True
    least = sum(not one.optional and not one.repeated for one in taken)
    return least <= number and (number <= len(taken) or (bool(taken) and taken[-1].repeated))


def arguments_at(index: Index, path: str, use: Use) -> Sequence[str] | None:
    """Return the arguments of the call whose name or keyword a use is; None where no list in parentheses follows."""
    return _split_list(text_behind(index, path, use, _MOST_LINES)[:_LONGEST_CALL], path)


def text_behind(index: Index, path: str, use: Use, lines: int) -> str:
    """Return the text behind a use and so many lines more; empty where its file has no such line any more."""
    source = index.try_read(path)
    every = source.lines() if source is not None else []
    if use.line > len(every):
        return ""
    return "\n".join([every[use.line - 1][use.end_column - 1 :], *every[use.line : use.line + lines]])


def parameters_of(source: Source, definition: Definition) -> Sequence[Parameter] | None:
    """Return what a function takes; None where its declaration lists nothing (the compact one of a record)."""
    head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
    listed = _split_list(head[head.find("(") :], source.path) if "(" in head else None
    return [_parameter(one) for one in listed] if listed is not None else None


def _parameter(spelled: str) -> Parameter:
    declared, _, default = _ANNOTATION.sub(" ", spelled).partition("=")
    repeated = "..." in declared or "params " in declared
    plain = TYPE_ARGUMENTS.sub(b"", declared.encode("utf-8", "replace")).decode("utf-8", "replace")
    is_array = "[" in plain
    words = [word for word in _WORD.findall(plain) if word not in _MODIFIERS]
    known = words[-2] if len(words) > 1 and not is_array else ""
    return Parameter(known, bool(default), repeated)


def _split_list(text: str, path: str) -> Sequence[str] | None:
    """Return the parts of the list in parentheses behind a name; None where no list follows."""
    listed = list_parts(text, lexis_of(path), TYPE_ARGUMENTS)
    parts = list(map(_uncommented, listed)) if listed is not None else None
    return [] if parts == [""] else parts


def _uncommented(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", " ", text, flags=re.DOTALL).strip()
