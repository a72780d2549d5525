"""The type of an argument by its text: of a literal, of what ``new`` makes, of a cast.

A value of the built-in type ``int`` becomes an object of ``Integer`` where one is wanted.
https://docs.oracle.com/javase/specs/jls/se21/html/jls-5.html#jls-5.1.7 and
https://learn.microsoft.com/dotnet/csharp/language-reference/builtin-types/built-in-types
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from leadline_tools.languages.lexing import Lexis
from leadline_tools.languages.lists import before_list, end_of_list

PRIMITIVES = frozenset(
    "boolean bool byte char decimal double float int long nint nuint sbyte short uint ulong ushort".split()
)
NUMBERS = PRIMITIVES - {"boolean", "bool"}
TEXTS = frozenset({"String", "string"})

_JAVA_CLASSES = {
    "boolean": "Boolean",
    "byte": "Byte",
    "char": "Character",
    "double": "Double",
    "float": "Float",
    "int": "Integer",
    "long": "Long",
    "short": "Short",
}
_DOTNET_CLASSES = {
    "bool": "Boolean",
    "byte": "Byte",
    "char": "Char",
    "decimal": "Decimal",
    "double": "Double",
    "float": "Single",
    "int": "Int32",
    "long": "Int64",
    "nint": "IntPtr",
    "nuint": "UIntPtr",
    "sbyte": "SByte",
    "short": "Int16",
    "uint": "UInt32",
    "ulong": "UInt64",
    "ushort": "UInt16",
}

CLASSES: Mapping[str, Sequence[str]] = dict.fromkeys(TEXTS, ("String",)) | {
    word: tuple(classes[word] for classes in (_JAVA_CLASSES, _DOTNET_CLASSES) if word in classes) for word in PRIMITIVES
}
"""The classes that a value of a built-in type may be an object of."""

ALIASES: Mapping[str, str] = {
    name: word for word, name in _DOTNET_CLASSES.items() if name not in _JAVA_CLASSES.values()
}
"""The built-in types that C# also calls by the names of their classes: the same types, not classes beside them."""

BOXES = frozenset((*_JAVA_CLASSES.values(), *_DOTNET_CLASSES.values()))
"""The classes whose objects may be values of built-in types."""

A_FUNCTION = "=>"
"""The type of an argument that is a function: a lambda, or the name of a method."""

_FUNCTION = re.compile(
    r"(?:(?:async|static)\s+)*(?:\w+|\([^()]*\))\s*(?:=>|->)|delegate\b|[\w.]+(?:<[\w., ]*>)?::\w+\s*\Z"
)
_FACTORY = re.compile(r"([A-Z]\w*)\.(?:of|copyOf)(?=\()")
_NEW = re.compile(r"new\s+([\w.]+)\s*")
_CAST = re.compile(r"\(\s*([\w.]+)\s*\)\s*(?=[\w(\"])")
_PART = re.compile(r"[\w.$]+\s*|\"(?:[^\"\\]|\\.)*\"\s*")
_NUMBER = re.compile(r"-?(?:0[xXbB][\da-fA-F_]+|[\d_]+(\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+)([lLfFdDmM]?)")


def spelled_type(argument: str, lexis: Lexis | None) -> str:
    """Return the name of the type that ``new`` makes or a cast names; empty where the argument is more than that.

    ``new A().b()`` is what ``b`` returns, and ``(int) a + "b"`` is a sum.
    """
    made = _NEW.match(argument)
    if made is not None:
        rest = argument[made.end() :]
        begin = before_list(rest)
        return made[1] if rest[begin : begin + 1] == "(" and end_of_list(rest, lexis) == len(rest) else ""
    cast = _CAST.match(argument)
    return cast[1] if cast is not None and _has_no_operator(argument[cast.end() :], lexis) else ""


def made_by_factory(argument: str, lexis: Lexis | None) -> str:
    """Return the type whose factory an argument calls, ``Map.of(key, value)``; empty for anything else.

    That is how the library of Java names what makes an object of a type.
    """
    made = _FACTORY.match(argument)
    return (
        made[1]
        if made is not None and end_of_list(argument[made.end() :], lexis) == len(argument[made.end() :])
        else ""
    )


def _has_no_operator(operand: str, lexis: Lexis | None) -> bool:
    """Return whether an operand consists of names, texts and lists of arguments alone."""
    at = 0
    while at < len(operand):
        part = _PART.match(operand, at)
        if part is not None:
            at = part.end()
        elif operand[at] == "(":
            at += end_of_list(operand[at:], lexis)
        else:
            return False
    return True


def literal_type(argument: str) -> str:
    """Return the built-in type of a literal; empty for anything else."""
    if argument.startswith(('"', '@"', '$"')) and argument.endswith('"'):
        return "String"
    if re.fullmatch(r"'(?:\\.[^']*|[^'\\])'", argument):
        return "char"
    if argument in ("true", "false"):
        return "boolean"
    if argument == "null":
        return "null"
    number = _NUMBER.fullmatch(argument)
    if number is None or not any(sign.isdigit() for sign in argument):
        return ""
    suffix = number[2].lower()
    by_suffix = {"l": "long", "f": "float", "d": "double", "m": "decimal"}
    return by_suffix.get(suffix) or ("double" if number[1] is not None or argument.startswith(".") else "int")


def is_lambda(argument: str) -> bool:
    """Return whether an argument is a function that is written out, or a reference to a method."""
    return _FUNCTION.match(argument) is not None


def is_taken_as(wanted: str, given: str) -> bool:
    """Return whether a value of a built-in type may be one of another."""
    numeric = given in NUMBERS and wanted in NUMBERS
    return numeric or given.lower() == wanted.lower() or {given, wanted} == {"boolean", "bool"}
