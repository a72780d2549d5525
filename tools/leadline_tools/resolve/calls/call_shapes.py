"""What calls give and what functions take, as their text tells: how many arguments, and the types that are spelled."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import lexis_of, semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.lists import TYPE_ARGUMENTS, list_parts
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Role
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.types.type import Type

_LONGEST_CALL = 4_000
"""Characters after a name in which the arguments of its call end; of a longer call their number is not known."""

_MOST_LINES = 200
_WORD = re.compile(r"[^\W\d][\w$]*")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|else|elif)\b", re.MULTILINE)
_LITERAL = re.compile(r"[-+]?\d[\w.]*$|[$@]*\"|'|(?:true|false)$")
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?|^\s*\[[^\]]*\]")
_MODIFIERS = frozenset({"final", "in", "out", "params", "readonly", "ref", "scoped", "this"})


class Parameter(NamedTuple):
    """A parameter: the last name of its type, and whether a call may leave it out or repeat it.

    ``receiver`` is True for the object that a method from outside of its type is called on.
    """

    type: str
    optional: bool
    repeated: bool
    receiver: bool = False


class MethodOverloads:
    """Chooses between the methods of one name that a type has, by the arguments of a call.

    A type that declares a method of a name still has the inherited ones that take something else, and those of its
    other parts, in other files.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2.1
    """

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._evaluator = question.resolver.evaluator
        self._taken: dict[tuple[str, str], Sequence[Sequence[Parameter] | None]] = {}

    def choose(self, path: str, use: Use, meanings: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a call means: methods that cannot be called so are replaced by those of other parts, or bases."""
        semantics = semantics_of(path)
        if use.role is not Role.Call or semantics is None or not semantics.calls.constructor_keywords:
            return meanings
        chosen: dict[Resolution, None] = {}
        for one in meanings:
            chosen.update(dict.fromkeys(self._chosen(path, use, one) if isinstance(one, SymbolRef) else (one,)))
        return list(chosen)

    def _chosen(self, path: str, use: Use, meant: SymbolRef) -> Sequence[SymbolRef]:
        owner, _, name = meant.name.rpartition(".")
        of = SymbolRef(meant.path, owner, meant.reason)
        parts = self._evaluator.declarations.members_in_other_parts(of, name) if owner else ()
        inherited = self._inherited(of, name) if owner else ()
        arguments = arguments_at(self._index, path, use) if parts or inherited else None
        if arguments is None:
            return (meant,)
        own = [one for one in (meant, *parts) if self._takes(one, arguments)]
        above = [] if own else [one for one in inherited if self._takes(one, arguments)]
        alike = [one for one in above if one.name == above[0].name]  # the parts of one base
        return own or alike or (meant,)

    def _inherited(self, of: SymbolRef, name: str) -> Sequence[SymbolRef]:
        above = self._evaluator.inheritance.mro(Type(of))[1:]
        own = (
            self._evaluator.declarations.own_member(one.origin, name)
            for one in above
            if isinstance(one.origin, SymbolRef)
        )
        found = [
            *self._evaluator.declarations.members_of_namesake_bases(of, name),
            *(one for one in own if one is not None),
        ]
        return list({(one.path, one.name): one for one in reversed(found)}.values())[::-1]

    def _takes(self, of: SymbolRef, arguments: Sequence[str]) -> bool:
        if (of.path, of.name) not in self._taken:
            source = self._index.try_read(of.path)
            named = [one for one in self._index.symbols.definitions(source) if one.path == of.name] if source else []
            self._taken[of.path, of.name] = [parameters_of(source, one) for one in named] if source else []
        taken, semantics = self._taken[of.path, of.name], semantics_of(of.path)
        functions = semantics.library.function_types if semantics is not None else frozenset[str]()
        return not taken or any(accepts(one, arguments, functions) for one in taken)


def accepts(taken: Sequence[Parameter] | None, given: Sequence[str], function_types: AbstractSet[str]) -> bool:
    """Return whether a function can be called with arguments; no literal is an object of a type of functions."""
    if taken is None or not accepts_number(taken, len(given)):
        return taken is None
    pairs = zip(taken, given, strict=False) if not (taken and taken[0].receiver) else ()
    return not any(one.type in function_types and _LITERAL.match(argument) for one, argument in pairs)


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
    """Return what a function takes; None where its declaration lists nothing (the compact one of a record).

    Nor is it known where a condition decides what is listed.
    """
    head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
    if _CONDITION.search(head):
        return None
    listed = _split_list(head[head.find("(") :], source.path) if "(" in head else None
    return [_parameter(one) for one in listed] if listed is not None else None


def _parameter(spelled: str) -> Parameter:
    declared, _, default = _ANNOTATION.sub(" ", spelled).partition("=")
    repeated = "..." in declared or "params " in declared
    plain = TYPE_ARGUMENTS.sub(b"", declared.encode("utf-8", "replace")).decode("utf-8", "replace")
    is_array = "[" in plain
    words = [word for word in _WORD.findall(plain) if word not in _MODIFIERS]
    known = words[-2] if len(words) > 1 and not is_array else ""
    receiver = plain.split()[:1] == ["this"]
    return Parameter(known, bool(default) or receiver, repeated, receiver)


def _split_list(text: str, path: str) -> Sequence[str] | None:
    """Return the parts of the list in parentheses behind a name; None where no list follows."""
    listed = list_parts(text, lexis_of(path), TYPE_ARGUMENTS)
    parts = list(map(_uncommented, listed)) if listed is not None else None
    return [] if parts == [""] else parts


def _uncommented(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", " ", text, flags=re.DOTALL).strip()
