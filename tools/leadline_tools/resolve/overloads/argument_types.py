"""The types of the arguments of calls: of what they spell, of variables, members and calls, of operators.

A value of the built-in type ``int`` becomes an object of ``Integer`` where one is wanted.
https://docs.oracle.com/javase/specs/jls/se21/html/jls-5.html#jls-5.1.7 and
https://learn.microsoft.com/dotnet/csharp/language-reference/builtin-types/built-in-types
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leadline_tools.index.index import Index
from leadline_tools.languages import lexis_of, semantics_of
from leadline_tools.languages.facts import Binding, Facts, Sort, Use, is_type_parameter
from leadline_tools.languages.lexing import Lexis
from leadline_tools.languages.lists import before_list, end_of_list
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.call_shapes import ARRAY, FUNCTION
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, NonSymbol, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.scopes.visible_bindings import NO_TYPES
from leadline_tools.resolve.types.type import Type

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

ROOTS = frozenset({"Object", "object"})
"""The types of all objects."""

THIS = frozenset({"this", "self", "super", "base"})
"""Words that are no names of variables."""

_FUNCTION = re.compile(
    r"(?:(?:async|static)\s+)*(?:\w+|\([^()]*\))\s*(?:=>|->)|delegate\b|[\w.]+(?:<[\w., ]*>)?::\w+\s*\Z"
)
_FACTORY = re.compile(r"([A-Z]\w*)\.(?:of|copyOf)(?=\()")
_NEW_ARRAY = re.compile(r"new\s+([\w.]+)\s*(?:\[[^\]]*\]\s*)(?:\{|$)")
_NEW = re.compile(r"new\s+([\w.]+)\s*")
_CAST = re.compile(r"\(\s*([\w.]+)\s*\)\s*(?=[\w(\"])")
_PART = re.compile(r"[\w.$]+\s*|\"(?:[^\"\\]|\\.)*\"\s*")
_NUMBER = re.compile(r"-?(?:0[xXbB][\da-fA-F_]+|[\d_]+(\.[\d_]*)?(?:[eE][+-]?\d+)?|\.\d+)([lLfFdDmM]?)")

_WORD = re.compile(r"[^\W\d][\w$]*")
_LAST_WORD = re.compile(r"(?<![.\w])(\w+)\s+$")
_NAMED = re.compile(r"[^\W\d]\w*\s*:(?!:)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_TEXT = re.compile(r"[$@]*\"(?:[^\"\\\n]|\\.)*\"|'(?:\\.[^'\n]*|[^'\\\n])'")
_OPERATOR = re.compile(r"->|=>|\?\?|\?:|&&|\|\||==|!=|<=|>=|<<|>>|[-+*/%<>?:=&|^]")
_PART_IN_TERM = re.compile(r"[^\W\d]\w*")
_CAST_IN_TERM = re.compile(r"\(\(\s*([\w.]+)\s*\)\s*[\w.]+\s*\)(?=\s*\.)")
_NEW_IN_TERM = re.compile(r"new\s+([\w.]+)\s*")
_DOT = re.compile(r"\s*(?:\?|!!?)?\.\s*")

ARITHMETIC = frozenset("+-*/%")
TESTS = frozenset(("&&", "||", "==", "!=", "<=", ">="))
"""Operators whose results are truth values, and that stand in no type arguments."""


class ArgumentTypes:
    """Finds the types of arguments, as far as declarations tell."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question

    def type_of(self, path: str, facts: Facts, use: Use, argument: str) -> str | SymbolRef:
        """Return the type of an argument: its last name, or its definition in the tree; empty where it is not known."""
        if _NAMED.match(argument):
            return ""
        literal = FUNCTION if is_lambda(argument) else literal_type(argument)
        if literal:
            return literal
        if (made := self._made_type(path, use, argument)) is not None:
            return made
        if _WORD.fullmatch(argument) and argument not in THIS:
            return self._type_of_name(path, facts, use, argument)
        operands = split_operands(argument)
        if operands is not None and operands.signs:
            return self._type_of_operation(path, facts, use, operands)
        term = term_of(argument, lexis_of(path))
        return self._type_of_term(path, use, term) if term else ""

    def _made_type(self, path: str, use: Use, argument: str) -> str | SymbolRef | None:
        """Return the type of what an argument makes or casts; None for anything else."""
        name = spelled_type(argument, lexis_of(path))
        if name:
            is_array = name.endswith(ARRAY)
            return name if is_array else self.named_type(path, name, use.scope) or name.rpartition(".")[2]
        factory = made_by_factory(argument, lexis_of(path))
        if factory:
            return "" if self.named_type(path, factory, use.scope) else factory
        return None

    def _type_of_operation(self, path: str, facts: Facts, use: Use, operands: Operands) -> str | SymbolRef:
        """Return the type of what operators give: a text, a number, a truth value.

        https://docs.oracle.com/javase/specs/jls/se21/html/jls-15.html#jls-15.18.1
        """
        if list(operands.signs[-2:]) == ["?", ":"]:
            either = {self.type_of(path, facts, use, one) for one in operands.parts[-2:]}
            return either.pop() if len(either) == 1 else ""
        if not ARITHMETIC.issuperset(operands.signs):
            tests = TESTS.intersection(operands.signs)
            return "boolean" if tests and TESTS.union(ARITHMETIC).issuperset(operands.signs) else ""
        types = [self.type_of(path, facts, use, one) for one in operands.parts]
        if set(operands.signs) == {"+"} and any(isinstance(one, str) and one in TEXTS for one in types):
            return "String"
        return promoted_type([one for one in types if isinstance(one, str)]) if "" not in types else ""

    def _type_of_term(self, path: str, use: Use, term: str) -> str | SymbolRef:
        """Return the type of what stands behind a dot or is called: a function where a method is not called."""
        if is_text_call(term):
            return "String"
        resolver = self._question.resolver
        found = resolver.evaluator.evaluate(path, term, use.scope)
        if found and all(self._is_method(one) for one in found):
            return FUNCTION
        if resolver.receivers.is_partly_unknown(path, use._replace(receiver=term, role=Role.Read)):
            return ""
        values = resolver.evaluator.resolve_aliases(found)
        if not values or not all(one.is_instance for one in values):
            return self._built_in_type(path, use, term)
        names = dict.fromkeys(_type_name(one) for one in values)
        return next(iter(names)) if len(names) == 1 else ""

    def _built_in_type(self, path: str, use: Use, term: str) -> str:
        """Return the type that the declarations of a member, a function or a variable spell, if it is built in."""
        resolver = self._question.resolver
        called = term.endswith("()")
        owner, _, name = term.removesuffix("()").rpartition(".")
        if owner:
            found = resolver.receiver_members.resolve(path, owner, use.scope, name, called=called)
        else:
            meaning = resolver.scopes.lookup(path, name, use.scope, Role.Call if called else Role.Read)
            found = [meaning] if meaning is not None else []
        spelled = set[str]()
        for one in found:
            facts = self._question.project.facts(one.path) if isinstance(one, SymbolRef) else None
            bound = facts.all_at(one.name) if facts is not None and isinstance(one, SymbolRef) else ()
            fitting = [each for each in bound if each.sort == Sort.Getter or (each.sort == Sort.Callable) is called]
            if not fitting or not isinstance(one, SymbolRef):
                return ""
            spelled.update(self._spelled_type(one.path, each) for each in fitting)
        return next(iter(spelled)) if len(spelled) == 1 else ""

    def _is_method(self, type_: Type) -> bool:
        """Return whether a name means methods alone, and is no type."""
        of = type_.origin
        facts = self._question.project.facts(of.path) if isinstance(of, SymbolRef) and not type_.is_instance else None
        bound = facts.all_at(of.name) if facts is not None and isinstance(of, SymbolRef) else ()
        return bool(bound) and all(one.sort == Sort.Callable for one in bound)

    def _type_of_name(self, path: str, facts: Facts, use: Use, name: str) -> str | SymbolRef:
        """Return the declared type of a variable."""
        resolver = self._question.resolver
        as_receiver = use._replace(receiver=name, role=Role.Read)
        found = resolver.receivers.types(path, as_receiver)
        types = [one for one in dict.fromkeys(found) if not resolver.sorts.of(one) & NO_TYPES]  # a component is no type
        if types:
            return types[0] if len(types) == 1 else ""
        if (spelled := self._outside_type(path, name, use)) or resolver.receivers.is_partly_unknown(path, as_receiver):
            return spelled
        meaning = resolver.scopes.lookup(path, name, use.scope)
        if isinstance(meaning, SymbolRef) and meaning.path == path:
            bound = facts.all_at(meaning.name)
        elif isinstance(meaning, LocalName) and meaning.path == path:
            bound = facts.within(name, meaning.scope)
        else:
            return ""
        if bound and all(one.sort == Sort.Callable for one in bound):
            return FUNCTION
        return self._spelled_type(meaning.path, bound[0]) if len(bound) == 1 else ""

    def _outside_type(self, path: str, name: str, use: Use) -> str:
        """Return the name of the type from outside of which a variable is, as far as all of its values are known."""
        resolver = self._question.resolver
        if resolver.receivers.is_partly_unknown(path, use._replace(receiver=name, role=Role.Read)):
            return ""
        values = resolver.evaluator.resolve_aliases(resolver.evaluator.evaluate(path, name, use.scope))
        names = {_type_name(one) for one in values if one.is_instance}
        known = next(iter(names)) if len(names) == 1 and all(one.is_instance for one in values) else ""
        return known if isinstance(known, str) else ""

    def _spelled_type(self, path: str, bound: Binding) -> str:
        """Return the name of the type that is declared for something, where the tree does not have that type."""
        source, semantics = self._index.try_read(path), semantics_of(path)
        own = semantics.calls.built_in_types if semantics is not None else {}
        plain = own.get(bound.type, bound.type)
        if plain in PRIMITIVES | TEXTS or self._is_outside(path, bound, plain):
            return plain
        before = source.lines()[bound.line - 1][: bound.column - 1] if source is not None else ""
        word = _LAST_WORD.search(before)
        return word[1] if word is not None and word[1] in PRIMITIVES | TEXTS else ""

    def _is_outside(self, path: str, bound: Binding, name: str) -> bool:
        """Return whether the name of a declared type is that of a type from outside, and of no type parameter."""
        facts = self._question.project.facts(path)
        if facts is None or not _WORD.fullmatch(name) or any(is_type_parameter(one) for one in facts.named(name)):
            return False
        found = self._question.resolver.evaluator.evaluate(path, name, bound.spelled)
        return all(isinstance(one.origin, NonSymbol) for one in found)

    def named_type(self, path: str, term: str, scope: int) -> SymbolRef | None:
        """Return the type of the tree that a name means in a scope of a file; None for any other."""
        found = self._question.resolver.evaluator.evaluate(path, term, scope)
        return next((one.origin for one in found if isinstance(one.origin, SymbolRef) and not one.is_instance), None)


def _type_name(of: Type) -> str | SymbolRef:
    """Return the type of an object: its definition, or the name of a type from outside; empty for any other."""
    if isinstance(of.origin, SymbolRef):
        return of.origin
    name = of.origin.name if isinstance(of.origin, ExternalType) else ""
    return name if _WORD.fullmatch(name) else ""


class Operands(NamedTuple):
    """The parts of an expression between its operators, and these."""

    parts: Sequence[str]
    signs: Sequence[str]


def split_operands(argument: str) -> Operands | None:
    """Return the operands of an expression, outside of all lists; None where its text is no such thing."""
    parts, signs, at, start = list[str](), list[str](), 0, 0
    while at < len(argument):
        text = _TEXT.match(argument, at)
        if text is not None:
            at = text.end()
        elif argument[at] in _CLOSING:
            at = _end_of_group(argument, at)
            if at < 0:
                return None
        elif (sign := _OPERATOR.match(argument, at)) is not None:
            if argument[start:at].strip() or sign[0] not in "+-":  # else it is a sign of the operand itself
                parts.append(argument[start:at].strip())
                signs.append(sign[0])
            start = at = sign.end()
        elif argument[at] in "\"'`":
            return None
        else:
            at += 1
    parts.append(argument[start:].strip())
    return Operands(parts, signs)


def _end_of_group(text: str, at: int) -> int:
    """Return where the brackets end that open at a place; -1 where they do not."""
    open_: list[str] = []
    while at < len(text):
        quoted = _TEXT.match(text, at)
        if quoted is not None:
            at = quoted.end()
            continue
        if text[at] in _CLOSING:
            open_.append(_CLOSING[text[at]])
        elif open_ and text[at] == open_[-1]:
            open_.pop()
            if not open_:
                return at + 1
        at += 1
    return -1


def term_of(argument: str, lexis: Lexis | None) -> str:
    """Return the term of an argument that consists of names, members and calls; empty where it is more than that.

    What calls are given is left out: ``a.b(c).d`` is ``a.b().d``.
    """
    found, at = _begin(argument, lexis)
    while at < len(argument):
        dot = _DOT.match(argument, at)
        if found and dot is None:
            return ""
        at = dot.end() if dot is not None else at
        name = _PART_IN_TERM.match(argument, at)
        if name is None:
            return ""
        found, at = f"{found}.{name[0]}" if found else name[0], name.end()
        if argument[at:].lstrip().startswith("("):
            end = end_of_list(argument[at:], lexis)
            found, at = f"{found}()", at + end
    return found


def _begin(argument: str, lexis: Lexis | None) -> tuple[str, int]:
    """Return the term of what is cast or made at the beginning of an argument, and where that ends."""
    cast = _CAST_IN_TERM.match(argument)
    if cast is not None:
        return f"{cast[1]}&", cast.end()
    made = _NEW_IN_TERM.match(argument)
    if made is None or not argument[made.end() :].startswith("("):
        return "", 0
    return f"{made[1]}&", made.end() + end_of_list(argument[made.end() :], lexis)


def spelled_type(argument: str, lexis: Lexis | None) -> str:
    """Return the name of the type that ``new`` makes or a cast names; empty where the argument is more than that.

    ``new A().b()`` is what ``b`` returns, and ``(int) a + "b"`` is a sum.
    """
    array = _NEW_ARRAY.match(argument)
    if array is not None:
        return array[1].rpartition(".")[2] + ARRAY
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
    return argument.startswith("{") or _FUNCTION.match(argument) is not None


def is_taken_as(wanted: str, given: str) -> bool:
    """Return whether a value of a built-in type may be one of another."""
    numeric = given in NUMBERS and wanted in NUMBERS
    return numeric or given.lower() == wanted.lower() or {given, wanted} == {"boolean", "bool"}


_WIDTHS = ("int", "long", "float", "double")
_NARROW = ("byte", "short", "int")
_TEXT_CALL = re.compile(r"(?:.+\.(?:toString|ToString)|[Ss]tring\.(?:format|Format|join|Join|valueOf|Concat))\(\)")


def is_text_call(term: str) -> bool:
    """Return whether a term is a call that gives a text, whatever it is called on."""
    return _TEXT_CALL.fullmatch(term) is not None


def is_widened(given: str, wanted: str) -> bool:
    """Return whether a value of a built-in type becomes one of another without a cast.

    https://docs.oracle.com/javase/specs/jls/se21/html/jls-5.html#jls-5.1.2
    """
    if {given, wanted} <= {"boolean", "bool"} or given == wanted:
        return True
    narrow = given in _NARROW and wanted in _NARROW and _NARROW.index(given) < _NARROW.index(wanted)
    start = "int" if given in ("byte", "short", "char") else given
    return narrow or (start in _WIDTHS and wanted in _WIDTHS and _WIDTHS.index(start) <= _WIDTHS.index(wanted))


def promoted_type(types: Sequence[str]) -> str:
    """Return the type of what an arithmetic operator gives of values of built-in types; empty where that is not known.

    https://docs.oracle.com/javase/specs/jls/se21/html/jls-5.html#jls-5.6
    """
    wide = {"byte": "int", "short": "int", "char": "int"}
    known = [wide.get(one, one) for one in types]
    return max(known, key=_WIDTHS.index) if known and set(known) <= set(_WIDTHS) else ""
