"""The shape of a call: its arguments by their text; of a function: its parameters with the types that it spells.

And whether the two match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import NamedTuple, TypeVar

from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import lexis_of, semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.lists import LONGEST_LIST, TYPE_ARGUMENTS, before_list, end_of_list, list_parts
from leadline_tools.languages.outline import Definition

_Declared = TypeVar("_Declared")

FUNCTION = "=>"
"""The type of functions, where it has no name: ``(Int) -> String``, a lambda, the name of a method."""

ARRAY, ARRAYS = "[]", "[][]"
"""What stands behind the type of the elements in the type of an array; of several dimensions for any number."""

_LONGEST_TEXT = 2 * LONGEST_LIST
"""Characters behind a name with which lists that stand there are read as far as they are read at all."""

_LONGEST_CALL = 4_000
"""Characters after a name in which the arguments of its call end; of a longer call their number is not known."""

_MOST_LINES = 200
_WORD = re.compile(r"[^\W\d][\w$]*")
_DOTTED = re.compile(r"[^\W\d][\w$]*(?:\s*\.\s*[^\W\d][\w$]*)*")
_CONDITION = re.compile(r"^[ \t]*#[ \t]*(?:if|else|elif)\b", re.MULTILINE)
_FUNCTION_HEAD = re.compile(r"(?:static\s+)?(?:\w+|\([^()]*\))\s*(?:=>|->)")
_FUNCTION_INSIDE = re.compile(r"=>|->|\bdelegate\b|\bclass\b|\bnew\b[^;{]*\{")
_RETURNED = re.compile(r"\breturn\b\s*[^\s;]")
_NEVER_ENDS = re.compile(r"\bthrow\b|\bwhile\s*\(\s*true\b|\bfor\s*\(\s*;\s*;")
_PLAIN_VALUE = re.compile(
    r"-?[\d.]+[a-zA-Z]*|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[\w.]+|[\w.]+\s*(?:==|!=|<=?|>=?|[-+*/%])\s*[\w.]+"
)
"""What is no statement: a literal, a name, two of them with an operator between."""

_LITERAL = re.compile(r"[-+]?\d[\w.]*$|[$@]*\"|'|(?:true|false)$")
_ANNOTATION = re.compile(r"@[\w.]+(?:\([^()]*\))?|^\s*\[[^\]]*\]")
_MODIFIERS = frozenset({"final", "in", "out", "params", "readonly", "ref", "scoped", "this"})


_ARITHMETIC = frozenset("char double float int long short signed unsigned".split())
_ANY_NUMBER = "number"
"""The type of a parameter that takes a value of every built-in type, and no text."""

_NAME_OF_FUNCTION = re.compile(r"(\w+)\s*(?:<[^()]*>\s*)?\(")
_NAMED_ARGUMENT = re.compile(r"\w+\s*:(?!:)|(?:out|ref|in)\s")
_NUMBERS = frozenset("byte short int long float double sbyte ushort uint ulong decimal nint nuint".split())
_BOXES = frozenset("char Char Character Byte Short Int Integer Long Float Double".split())
"""Characters, and the objects of numbers."""

_TRUTHS = frozenset({"bool", "boolean", "Boolean"})
_TEXTS = frozenset({"String", "string"})
_REFUSED_BY_FUNCTIONS = _NUMBERS | _TRUTHS | _TEXTS | _BOXES
_WITHOUT_RESULT = frozenset("Action Runnable Consumer BiConsumer IntConsumer LongConsumer DoubleConsumer".split())
_WITH_RESULT = frozenset(
    "Func Predicate Comparison Converter Callable Supplier Function BiFunction BiPredicate Comparator UnaryOperator"
    " BinaryOperator".split()
)
"""Types of functions that give nothing, and those that give something."""

_REFUSED: Sequence[tuple[re.Pattern[str], AbstractSet[str]]] = (
    (
        re.compile(r"[$@]*\"[^\"]*\""),
        _NUMBERS | _TRUTHS | _BOXES | {_ANY_NUMBER},
    ),
    (re.compile(r"[-+]?\d[\w.]*"), _TRUTHS | _TEXTS),
    (re.compile(r"'(?:[^'\\]|\\.[^']*)'"), _TRUTHS | _TEXTS),
    (re.compile(r"true|false"), _NUMBERS | _TEXTS | _BOXES),
    (
        re.compile(r"(?:(?:async|static)\s+)*(?:\w+|\([^()]*\))\s*=>.*", re.DOTALL),
        _REFUSED_BY_FUNCTIONS,
    ),
    (re.compile(r"null"), _NUMBERS | {"bool", "boolean", "char"}),
)
"""Literals and functions, and the types of which they are no value."""


class OverloadMatch(Enum):
    """Whether a use means a function that is asked about: surely, possibly, or surely not."""

    Sure = "sure"
    Possible = "possible"
    Excluded = "excluded"


class Parameter(NamedTuple):
    """A parameter: the dotted name of its type, and whether a call may leave it out or repeat it.

    ``receiver`` is True for the object that a method from outside of its type is called on.
    """

    type: str
    optional: bool
    repeated: bool
    receiver: bool = False

    @property
    def last_name(self) -> str:
        """Return the name of the type without that of what it lies in."""
        return self.type.rpartition(".")[2]


def accepts(taken: Sequence[Parameter] | None, given: Sequence[str], function_types: AbstractSet[str]) -> bool:
    """Return whether a function can be called with arguments; no literal is an object of a type of functions."""
    if taken is None or not accepts_number(taken, len(given)):
        return taken is None
    pairs = zip(taken, given, strict=False) if not (taken and taken[0].receiver) else ()
    return not any(one.last_name in function_types and _LITERAL.match(argument) for one, argument in pairs)


def excludes(taken: Sequence[Parameter] | None, given: Sequence[str]) -> bool:
    """Return whether a function surely cannot be called with arguments: by their number, or by the types of literals.

    A literal is converted to no type that the language has for another kind of values.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-5.html#jls-5.3,
    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/conversions#102-implicit-conversions
    """
    if taken is None or any(_NAMED_ARGUMENT.match(one) for one in given):
        return False
    if not accepts_number(taken, len(given)):
        return True
    pairs = zip(taken, given, strict=False) if not (taken and taken[0].receiver) else ()
    return any(not one.repeated and one.last_name in _refused_types(argument) for one, argument in pairs)


def keep_preferred(
    able: Sequence[tuple[_Declared, Sequence[Parameter] | None]], number: int
) -> list[tuple[_Declared, Sequence[Parameter] | None]]:
    """Return of functions, with what they take, those before which a call with that many arguments means no other."""
    return [(one, its) for one, its in able if not any(_is_preferred(of, its, number) for _, of in able)]


def _is_preferred(one: Sequence[Parameter] | None, other: Sequence[Parameter] | None, number: int) -> bool:
    """Return whether a call means a function before another, as that one takes the same, and more that is not given.

    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.12.2,
    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#12643-better-function-member
    """
    if one is None or other is None or len(one) != number or len(other) <= number:
        return False
    plain = not any(each.optional or each.repeated for each in (*one, *other[:number]))
    return plain and all(mine.type and mine.type == its.type for mine, its in zip(one, other, strict=False))


def gives_value(argument: str) -> bool | None:
    """Return whether a function that is written out gives a value; None where it may be either, or is none.

    What could stand as a statement, a call or an assignment, may give a value that is left unused.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.27.2,
    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/conversions#107-anonymous-function-conversions
    """
    found = _FUNCTION_HEAD.match(argument)
    if found is None:
        return None
    body = argument[found.end() :].strip()
    if body.startswith("{"):
        inner = len(_FUNCTION_INSIDE.findall(body)) > 0
        returns = _RETURNED.search(body) is not None
        return None if inner or _NEVER_ENDS.search(body) else returns
    return True if _PLAIN_VALUE.fullmatch(body) else None


def _refused_types(argument: str) -> AbstractSet[str]:
    """Return the types of which a literal is no value, or a function no object; none for anything else."""
    gives = gives_value(argument)
    if gives is not None:
        return _REFUSED_BY_FUNCTIONS | (_WITHOUT_RESULT if gives else _WITH_RESULT)
    for pattern, refused in _REFUSED:
        if pattern.fullmatch(argument):
            return refused
    return frozenset()


def accepts_number(taken: Sequence[Parameter] | None, number: int) -> bool:
    """Return whether a function can be called with a number of arguments; True where what it takes is not known."""
    if taken is None:
        return True
    least = sum(not one.optional and not one.repeated for one in taken)
    return least <= number and (number <= len(taken) or (bool(taken) and taken[-1].repeated))


def arguments_at(index: Index, path: str, use: Use) -> Sequence[str] | None:
    """Return the arguments of the call whose name or keyword a use is; None where no list in parentheses follows."""
    return _split_list(text_behind(index, path, use, _MOST_LINES)[:_LONGEST_CALL], path)


def arguments_in(lines: Sequence[str], path: str, use: Use) -> Sequence[str] | None:
    """Return the same of the lines of a file: whoever looks at many calls of one reads it once."""
    return _split_list(_text_after(lines, use, _MOST_LINES).replace("\r\n", "\n")[:_LONGEST_CALL], path)


def has_block_behind(index: Index, path: str, use: Use) -> bool:
    """Return whether a block follows the list of arguments of the call whose name a use is."""
    text = text_behind(index, path, use, _MOST_LINES)[:_LONGEST_CALL]
    rest = text[before_list(text) :]
    return rest.startswith("(") and rest[end_of_list(rest, lexis_of(path)) :].lstrip(" \t").startswith("{")


def text_behind(index: Index, path: str, use: Use, lines: int) -> str:
    """Return the text behind a use and at most so many lines more; empty where its file has no such line any more.

    Lines behind the longest list that is read are left out.
    """
    source = index.try_read(path)
    return _text_after(source.lines(), use, lines) if source is not None else ""


def _text_after(every: Sequence[str], use: Use, lines: int) -> str:
    if use.line > len(every):
        return ""
    found = [every[use.line - 1][use.end_column - 1 :]]
    size = len(found[0])
    for line in every[use.line : use.line + lines]:
        if size > _LONGEST_TEXT:
            break
        found.append(line)
        size += len(line) + 1
    return "\n".join(found)


def text_before(index: Index, path: str, use: Use, lines: int) -> str:
    """Return the text before a use and so many lines above; empty where its file has no such line any more."""
    source = index.try_read(path)
    every = source.lines() if source is not None else []
    if use.line > len(every):
        return ""
    return "\n".join([*every[max(0, use.line - 1 - lines) : use.line - 1], every[use.line - 1][: use.column - 1]])


def parameters_of(source: Source, definition: Definition) -> Sequence[Parameter] | None:
    """Return what a function takes; None where its declaration lists nothing (the compact one of a record).

    Nor is it known where a condition decides what is listed.
    """
    head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
    if _CONDITION.search(head):
        return None
    semantics = semantics_of(source.path)
    if semantics is not None and semantics.calls.converts_numbers:  # what precedes the name may have parentheses
        named = (one for one in _NAME_OF_FUNCTION.finditer(head) if one[1] == definition.name)
        begin = next(named, None)
        spelled = _split_list(head[begin.end() - 1 :], source.path) if begin is not None else None
        return [_converting_parameter(one) for one in spelled if one != "void"] if spelled is not None else None
    listed = _split_list(_list_in(head, definition.name), source.path)
    return [_parameter(one) for one in listed] if listed is not None else None


def _list_in(head: str, name: str) -> str:
    """Return the head of a function from its list on: behind its name, as annotations before that have lists too."""
    named = next((one for one in _NAME_OF_FUNCTION.finditer(head) if one[1] == name), None)
    return head[named.end() - 1 if named is not None else max(head.find("("), 0) :]


def names_of_parameters(source: Source, definition: Definition) -> Sequence[str]:
    """Return the names of what a function takes, in its order; none where its declaration lists nothing."""
    head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
    listed = _split_list(_list_in(head, definition.name), source.path)
    return [_name_of_parameter(one) for one in listed or ()]


def _name_of_parameter(spelled: str) -> str:
    declared = _ANNOTATION.sub(" ", spelled).partition("=")[0]
    name, colon, behind = declared.partition(":")
    words = _WORD.findall(name if colon and not behind.startswith(":") else declared)
    return words[-1] if words else ""


def count_type_arguments(index: Index, path: str, use: Use) -> int:
    """Return how many type arguments a call gives that a use begins: ``run<int>(..)``."""
    text = text_behind(index, path, use, _MOST_LINES)
    spelled = text[: before_list(text)].strip()
    if not spelled.startswith("<"):
        return 0
    inner = TYPE_ARGUMENTS.sub(b"", spelled[1:-1].encode("utf-8", "replace")).decode("utf-8", "replace")
    return inner.count(",") + 1


def spelled_types(source: Source, definition: Definition) -> Sequence[str] | None:
    """Return the types of the parameters of a function, without packages and type arguments; None where unknown.

    They are compared where a name is that of one type alone: Java has no other names of types.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-8.html#jls-8.4.2
    """
    semantics = semantics_of(source.path)
    if semantics is None or not semantics.calls.types_tell_overrides:
        return None
    head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
    listed = _split_list(head[head.find("(") :], source.path) if "(" in head else None
    return [_spelled_type(one) for one in listed] if listed is not None else None


def _spelled_type(parameter: str) -> str:
    plain = _ANNOTATION.sub(" ", parameter)
    plain = TYPE_ARGUMENTS.sub(b"", plain.encode("utf-8", "replace")).decode("utf-8", "replace")
    arrays = "[]" * (plain.count("[") + plain.count("..."))
    words = [word for word in _WORD.findall(plain) if word not in _MODIFIERS]
    return words[-2] + arrays if len(words) > 1 else ""


def _converting_parameter(spelled: str) -> Parameter:
    """Return a parameter where built-in types are one: what a pointer or a type of the tree takes is not known.

    https://eel.is/c++draft/conv
    """
    declared, _, default = spelled.partition("=")
    words = _WORD.findall(declared)
    text = words[-2:-1] == ["string"] or words[-1:] == ["string"]
    kind = _ANY_NUMBER if _ARITHMETIC.intersection(words) else "string" if text else ""
    known = kind if not any(sign in declared for sign in "*[<(") else ""
    return Parameter(known, bool(default), "..." in declared)


def _parameter(spelled: str) -> Parameter:
    declared, _, default = _ANNOTATION.sub(" ", spelled).partition("=")
    name, colon, behind = declared.partition(":")  # ``name: Type`` of Kotlin, ``Type name`` of others
    if colon and not behind.startswith(":"):
        kind = FUNCTION if "->" in behind else behind.partition("<")[0].strip().rstrip("?")
        return Parameter(kind, bool(default), "vararg" in name.split())
    repeated = "..." in declared or "params " in declared
    plain = TYPE_ARGUMENTS.sub(b"", declared.encode("utf-8", "replace")).decode("utf-8", "replace")
    is_array = "[" in plain
    words = [word for word in _DOTTED.findall(plain) if word not in _MODIFIERS]
    known = "".join(words[-2].split()) if len(words) > 1 else ""
    if is_array and known and not repeated:
        known += ARRAY if plain.count("[") == 1 else ARRAYS
    receiver = plain.split()[:1] == ["this"]
    return Parameter(known, bool(default) or receiver, repeated, receiver)


def _split_list(text: str, path: str) -> Sequence[str] | None:
    """Return the parts of the list in parentheses behind a name; None where no list follows.

    A comma behind the last part begins no other one.
    """
    listed = list_parts(text, lexis_of(path), TYPE_ARGUMENTS)
    parts = list(map(_uncommented, listed)) if listed is not None else None
    return parts[:-1] if parts and not parts[-1] else parts


def _uncommented(text: str) -> str:
    return re.sub(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", " ", text, flags=re.DOTALL).strip()
