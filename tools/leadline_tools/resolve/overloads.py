"""Which of several constructors of a type a call runs: by the number of its arguments, by their types where known.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2 and
https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1264-overload-resolution.
Only what is sure excludes a constructor.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import zip_longest
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.index.source import Source
from leadline_tools.languages.facts import Binding, Facts, Use
from leadline_tools.languages.outline import Definition
from leadline_tools.model import Role
from leadline_tools.resolve.address import Target, defined
from leadline_tools.resolve.meaning import Defined, Elsewhere
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.value import Value


class Fit(Enum):
    """Whether a call runs a constructor."""

    Sure = "sure"
    Possible = "possible"
    Excluded = "excluded"


_LONGEST_CALL = 4_000
"""Bytes after a name in which the arguments of its call end; of a longer call their number is not known."""

_OPENING = {"(": ")", "[": "]", "{": "}"}
_QUOTED = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TYPE_ARGUMENTS = re.compile(r"<(?:[\w\s.,?&@\[\]]|<(?:[\w\s.,?&@\[\]]|<[\w\s.,?&@\[\]]*>)*>)*>")
_WORD = re.compile(r"[^\W\d][\w$]*")
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?|^\s*\[[^\]]*\]")
_MODIFIERS = frozenset({"final", "in", "out", "params", "readonly", "ref", "scoped", "this"})
_LAST_WORD = re.compile(r"(?<![.\w])(\w+)\s+$")
_NAMED = re.compile(r"[^\W\d]\w*\s*:(?!:)")

_PRIMITIVES = frozenset(
    "boolean bool byte char decimal double float int long nint nuint sbyte short uint ulong ushort".split()
)
_NUMBERS = _PRIMITIVES - {"boolean", "bool"}
_TEXTS = frozenset({"String", "string"})


class _Parameter(NamedTuple):
    """A parameter: the last name of its type, and whether a call may leave it out or repeat it."""

    type: str
    optional: bool
    repeated: bool


class Overloads:
    """The constructors of one type, and those of them that are asked about."""

    def __init__(self, index: Index, question: Question, target: Target) -> None:
        self._index = index
        self._question = question
        self._target = target
        everything = defined(index, [(target.path, target.name)])
        every = [one for each in everything for one in each.definitions] or list(target.definitions)
        self._wanted = {(one.line, one.column) for one in target.definitions}
        self._constructors = [((one.line, one.column), _parameters_of(target.source, one)) for one in every]

    @property
    def are_several(self) -> bool:
        """Return whether there are constructors that are not asked about."""
        return len(self._constructors) > len(self._wanted)

    def fit(self, path: str, facts: Facts, use: Use) -> Fit:
        """Return whether a use declares or runs one of the constructors that are asked about."""
        if use.role is Role.Definition:
            here = path == self._target.path and (use.line, use.column) in self._wanted
            return Fit.Sure if here else Fit.Excluded
        arguments = self._arguments(path, use)
        if arguments is None:
            return Fit.Possible
        types = [self._type_of(path, facts, use, argument) for argument in arguments]
        fitting = [(place, taken) for place, taken in self._constructors if self._accepts(taken, types)]
        exact = [one for one in fitting if _takes_exactly(one[1], types)]
        fitting = exact if len(exact) == 1 else fitting
        wanted = [place for place, _ in fitting if place in self._wanted]
        if not wanted:
            return Fit.Excluded if fitting else Fit.Possible
        return Fit.Sure if len(wanted) == len(fitting) else Fit.Possible

    def _arguments(self, path: str, use: Use) -> Sequence[str] | None:
        """Return the arguments of the call whose name or keyword a use is; None where it is no call with a list."""
        source = self._index.try_read(path)
        if source is None:
            return None
        lines = source.lines()
        rest = "\n".join([lines[use.line - 1][use.end_column - 1 :], *lines[use.line : use.line + 200]])[:_LONGEST_CALL]
        return _split_list(_skip_type_arguments(rest))

    def _type_of(self, path: str, facts: Facts, use: Use, argument: str) -> str | Defined:
        """Return the type of an argument: its last name, or its definition in the tree; empty where it is not known."""
        if _NAMED.match(argument):
            return ""
        literal = _type_of_literal(argument)
        if literal:
            return literal
        made = re.fullmatch(r"new\s+([\w.]+)\s*(?:<.*>)?\s*\(.*\)", argument, re.DOTALL)
        cast = re.match(r"\(\s*([\w.]+)\s*\)\s*[\w(\"]", argument)
        name = made[1] if made is not None else cast[1] if cast is not None else ""
        if name:
            return self._named_type(path, name, use.scope) or name.rpartition(".")[2]
        return self._type_of_name(path, facts, use, argument) if _WORD.fullmatch(argument) else ""

    def _named_type(self, path: str, term: str, scope: int) -> Defined | None:
        found = self._question.resolver.values.of(path, term, scope)
        return next((one.of for one in found if isinstance(one.of, Defined) and not one.instance), None)

    def _type_of_name(self, path: str, facts: Facts, use: Use, name: str) -> str | Defined:
        """Return the declared type of a variable."""
        resolver = self._question.resolver
        as_receiver = use._replace(receiver=name, role=Role.Read)
        types = resolver.values.receivers(path, as_receiver)
        if types:
            return types[0] if len(types) == 1 else ""
        meaning = resolver.lookup(path, name, use.scope)
        if isinstance(meaning, Defined) and meaning.path == path:
            bound = facts.all_at(meaning.name)
        elif isinstance(meaning, Elsewhere) and meaning.path == path:
            bound = facts.within(name, meaning.scope)
        else:
            return ""
        return self._spelled_type(meaning.path, bound[0]) if len(bound) == 1 else ""

    def _spelled_type(self, path: str, bound: Binding) -> str:
        """Return the type that stands before the name of a variable, where the language itself has it."""
        source = self._index.try_read(path)
        before = source.lines()[bound.line - 1][: bound.column - 1] if source is not None else ""
        word = _LAST_WORD.search(before)
        return word[1] if word is not None and word[1] in _PRIMITIVES | _TEXTS else ""

    def _accepts(self, taken: Sequence[_Parameter] | None, given: Sequence[str | Defined]) -> bool:
        """Return whether a constructor can be called with arguments of some types."""
        if taken is None:
            return True
        least = sum(not one.optional and not one.repeated for one in taken)
        repeats = bool(taken) and taken[-1].repeated
        if len(given) < least or (len(given) > len(taken) and not repeats):
            return False
        padded = [*taken, *([taken[-1]] * (len(given) - len(taken)) if repeats else ())]
        return not any(
            self._excludes(one, type_) for one, type_ in zip(padded, given, strict=False) if not one.repeated
        )

    def _excludes(self, parameter: _Parameter, given: str | Defined) -> bool:
        """Return whether a parameter surely takes nothing of a type."""
        wanted = parameter.type
        if not given or not wanted:
            return False
        if isinstance(given, Defined):
            return wanted in _PRIMITIVES | _TEXTS or self._is_unrelated(given, wanted)
        if given == "null":
            return wanted in _PRIMITIVES
        if given not in _PRIMITIVES | _TEXTS:
            return False
        if wanted in _PRIMITIVES | _TEXTS:
            numeric = given in _NUMBERS and wanted in _NUMBERS
            return not (numeric or given.lower() == wanted.lower() or {given, wanted} == {"boolean", "bool"})
        return self._named_type(self._target.path, wanted, 0) is not None

    def _is_unrelated(self, given: Defined, wanted: str) -> bool:
        """Return whether a type surely does not inherit from one of a name."""
        expected = self._named_type(self._target.path, wanted, 0)
        inheritance = self._question.resolver.values.inheritance
        if expected is None or not inheritance.is_decided(given):
            return False
        return not any(expected.same(one.of) for one in inheritance.linear(Value(given)))


def _takes_exactly(taken: Sequence[_Parameter] | None, given: Sequence[str | Defined]) -> bool:
    """Return whether each argument has the very type of its parameter."""
    if taken is None or len(taken) != len(given):
        return False
    names = [one.name.rpartition(".")[2] if isinstance(one, Defined) else one for one in given]
    return all(
        parameter is not None and not parameter.repeated and parameter.type == name
        for parameter, name in zip_longest(taken, names)
    )


def _type_of_literal(argument: str) -> str:
    if argument.startswith(('"', '@"', '$"')) and argument.endswith('"'):
        return "String"
    if re.fullmatch(r"'(?:\\.[^']*|[^'\\])'", argument):
        return "char"
    if argument in ("true", "false"):
        return "boolean"
    if argument == "null":
        return "null"
    number = re.fullmatch(r"-?(?:0[xXbB][\da-fA-F_]+|[\d_]+(\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+)([lLfFdDmM]?)", argument)
    if number is None or not any(sign.isdigit() for sign in argument):
        return ""
    suffix = number[2].lower()
    by_suffix = {"l": "long", "f": "float", "d": "double", "m": "decimal"}
    return by_suffix.get(suffix) or ("double" if number[1] is not None or argument.startswith(".") else "int")


def _parameters_of(source: Source, definition: Definition) -> Sequence[_Parameter] | None:
    """Return what a constructor takes; None where its declaration lists nothing (the compact one of a record)."""
    head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
    listed = _split_list(head[head.find("(") :]) if "(" in head else None
    return [_parameter(one) for one in listed] if listed is not None else None


def _parameter(spelled: str) -> _Parameter:
    declared, _, default = _ANNOTATION.sub(" ", spelled).partition("=")
    repeated = "..." in declared or "params " in declared
    plain = _TYPE_ARGUMENTS.sub("", declared)
    is_array = "[" in plain
    words = [word for word in _WORD.findall(plain) if word not in _MODIFIERS]
    known = words[-2] if len(words) > 1 and not is_array else ""
    return _Parameter(known, bool(default), repeated)


def _skip_type_arguments(text: str) -> str:
    text = text.lstrip()
    found = _TYPE_ARGUMENTS.match(text)
    return text[found.end() :].lstrip() if found is not None else text


def _split_list(text: str) -> Sequence[str] | None:
    """Return the parts of the list in parentheses that a text begins with; None where it begins with none."""
    if not text.startswith("("):
        return None
    parts, begin, closing = list[str](), 1, [")"]
    for at, sign, end in _signs(text):
        if at < 1:
            continue
        if sign in _OPENING:
            closing.append(_OPENING[sign])
        elif sign == closing[-1]:
            closing.pop()
            if not closing:
                last = _uncommented(text[begin:at])
                return [*parts, last] if parts or last else []
        elif sign == "," and len(closing) == 1:
            parts.append(_uncommented(text[begin:at]))
            begin = end
    return None


def _signs(text: str) -> Iterator[tuple[int, str, int]]:
    """Yield the signs of a text with where they begin and end, without those in quotes, comments and type arguments."""
    at = 0
    while at < len(text):
        sign = text[at]
        skipped = (
            _QUOTED.match(text, at) if sign in "\"'/" else _TYPE_ARGUMENTS.match(text, at) if sign == "<" else None
        )
        if skipped is not None:
            at = skipped.end()
            continue
        yield at, sign, at + 1
        at += 1


def _uncommented(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", " ", text, flags=re.DOTALL).strip()
