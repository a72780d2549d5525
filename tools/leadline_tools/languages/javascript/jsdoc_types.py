"""Types that documentation comments spell for JavaScript, as terms.

https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html, https://jsdoc.app/tags-type
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from leadline_tools.languages import terms
from leadline_tools.languages.javascript import generics
from leadline_tools.languages.terms import (
    ANY,
    BARE,
    COLLECTION,
    FUNCTION,
    PRIMITIVE,
    RECORD,
    TUPLE,
    UNKNOWN,
    VARIADIC,
    Op,
)
from leadline_tools.lazy_regex import lazy_compile

IMPORT_ALIAS = "import$"
"""What the name begins with under which a file has what a type in a comment imports: ``import("./a").B``."""

_LONGEST = 20_000
"""Characters of a type that is read."""

_DEEPEST = 40
"""Types within types that are read."""

_TOKEN = lazy_compile(
    r"""\s+|//[^\n]*|/\*.*?\*/|(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)"""
    r"|(?P<number>\d[\w.]*)|(?P<name>[^\W\d][\w$]*|\$[\w$]*)|(?P<sign>=>|\.\.\.|.)",
    re.DOTALL,
)
_NAME = lazy_compile(r"\s*([^\W\d][\w$]*|\$[\w$]*)\s*")
_IMPORT = lazy_compile(r"""\s*import\(\s*(["'])([^"'\\]+)\1\s*\)(?:\s*\.\s*([^\W\d][\w$]*|\$[\w$]*))?\s*""")
_PRIMITIVES = frozenset("String Number Boolean BigInt Symbol string number boolean bigint symbol true false".split())
_OPEN = frozenset("any unknown object Object mixed".split())
"""Types of any members: https://www.typescriptlang.org/docs/handbook/jsdoc-supported-types.html#any."""

_UNSAID = frozenset("Function never this".split())
"""Types that say nothing of members."""

ANYTHING = RECORD
"""The term of a type of any members, of which nothing is known."""

_NOTHING = frozenset({"null", "undefined", "void"})
_PREFIXES = frozenset({"readonly", "unique", "asserts", "infer", "abstract"})
"""Words before a type that leave it what it is, as far as its members go."""

_OPENING, _CLOSING = frozenset("({[<"), frozenset(")}]>")


class TypeName(NamedTuple):
    """A name in a type: where it begins, and what it is a member of, BARE for none."""

    start: int
    name: str
    owner: str


class TypeImport(NamedTuple):
    """A module that a type names, with the member that is taken of it, empty for none, and the alias that it has."""

    module: str
    name: str
    alias: str


class TypeMember(NamedTuple):
    """A member of a type that is written out: where its name begins, the name, and the term of its type."""

    start: int
    name: str
    type: str


class WrittenType(NamedTuple):
    """What a type says: its term, the members that it writes out itself, the types that it joins with them.

    ``names``, in their order, and ``imports`` are what it mentions, wherever in it.
    """

    term: str
    members: Sequence[TypeMember] = ()
    joined: Sequence[str] = ()
    names: Sequence[TypeName] = ()
    imports: Sequence[TypeImport] = ()


_NAMELESS: Final = frozenset({UNKNOWN, PRIMITIVE, BARE, ANYTHING})
_UNKNOWN_TYPE: Final = WrittenType(UNKNOWN)


def type_term(spelled: str, unknown: frozenset[str] = frozenset()) -> str:
    """Return the term of a type in a comment, UNKNOWN for one that is not known, or that has any members.

    Args:
        spelled: The type, without braces.
        unknown: Names that are type parameters of what the comment is about.

    """
    term = read_type(spelled, unknown).term
    return term if term != ANYTHING else UNKNOWN


@lru_cache(4096)
def read_type(spelled: str, unknown: frozenset[str] = frozenset()) -> WrittenType:
    """Return what a type says; places are counted from the beginning of ``spelled``."""
    if len(spelled) > _LONGEST:
        return _UNKNOWN_TYPE
    name = _NAME.fullmatch(spelled)
    if name is not None:
        return _read_named_type(name, unknown)
    imported = _IMPORT.fullmatch(spelled)
    if imported is not None:
        return _read_imported_type(imported)
    reader = _TypeReader(spelled, unknown)
    term = terms.shorten_term(reader.read_type())
    whole = term if reader.is_at_end() else UNKNOWN
    return WrittenType(whole, reader.members, reader.joined, sorted(reader.names), reader.imports)


def _read_named_type(name: re.Match[str], unknown: frozenset[str]) -> WrittenType:
    """Return what a type says that is a single name, as most are."""
    term = _term_of(name[1], unknown)
    names = () if term in _NAMELESS else (TypeName(name.start(1), name[1], BARE),)
    return WrittenType(terms.shorten_term(_union((term,))), (), (term,), names)


def _read_imported_type(found: re.Match[str]) -> WrittenType:
    """Return what ``import("./a").B`` says, alone."""
    module, name = found[2], found[3] or ""
    alias = import_alias(module, name)
    whole = TypeImport(module, "", import_alias(module, ""))
    if not name:
        return WrittenType(alias, (), (alias,), (), (whole,))
    names = (TypeName(found.start(3), name, whole.alias),)
    return WrittenType(alias, (), (alias,), names, (TypeImport(module, name, alias), whole))


def _term_of(name: str, unknown: frozenset[str]) -> str:
    if name in _PRIMITIVES:
        return PRIMITIVE
    if name in _NOTHING:
        return BARE
    if name in unknown or name in _UNSAID:
        return UNKNOWN
    return ANYTHING if name in _OPEN else name


@lru_cache(4096)
def import_alias(module: str, name: str) -> str:
    """Return the name under which a file has what a type in a comment imports."""
    return f"{IMPORT_ALIAS}{zlib.crc32(f'{module}#{name}'.encode()):x}"


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def _tokens(spelled: str) -> Sequence[_Token]:
    found = ((match.lastgroup, match) for match in _TOKEN.finditer(spelled))
    return [_Token(kind, match[0], match.start()) for kind, match in found if kind is not None]


class _TypeReader:
    """Reads one type by recursive descent; what it cannot read is unknown."""

    def __init__(self, spelled: str, unknown: frozenset[str]) -> None:
        self._tokens = _tokens(spelled)
        self._unknown = unknown
        self._at = 0
        self._depth = 0
        self.members: list[TypeMember] = []
        self.joined: list[str] = []
        self.names: list[TypeName] = []
        self.imports: list[TypeImport] = []

    def is_at_end(self) -> bool:
        """Return whether all was read."""
        return self._at >= len(self._tokens)

    # --- Tokens

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at].text if at < len(self._tokens) else ""

    def _kind(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at].kind if at < len(self._tokens) else ""

    def _accept(self, text: str) -> bool:
        if self._peek() != text:
            return False
        self._at += 1
        return True

    def _closing_of(self, at: int) -> int:
        """Return the number of the token that closes the one at a place; the end for none."""
        depth = 0
        for number in range(at, len(self._tokens)):
            sign = self._tokens[number].text if self._tokens[number].kind == "sign" else ""
            depth += (sign in _OPENING and sign != "") - (sign in _CLOSING and sign != "")
            if depth == 0:
                return number
        return len(self._tokens)

    def _skip_balanced(self) -> None:
        self._at = self._closing_of(self._at) + 1

    # --- Types

    def read_type(self, *, outermost: bool = True) -> str:
        """Return the term of the type that begins here."""
        if self._depth > _DEEPEST:
            self._at = len(self._tokens)
            return UNKNOWN
        self._depth += 1
        self._accept("|")
        found = [self._read_joined(outermost=outermost)]
        while self._accept("|"):
            found.append(self._read_joined(outermost=outermost))
        term = _union(found)
        if self._kind() == "name" and self._accept("extends"):
            term = self._read_conditional()
        self._depth -= 1
        return term

    def _read_conditional(self) -> str:
        self.read_type(outermost=False)
        if not self._accept("?"):
            return UNKNOWN
        first = self.read_type(outermost=False)
        return _union([first, self.read_type(outermost=False)]) if self._accept(":") else UNKNOWN

    def _read_joined(self, *, outermost: bool) -> str:
        self._accept("&")
        found = [self._read_part(outermost=outermost)]
        while self._accept("&"):
            found.append(self._read_part(outermost=outermost))
        return found[0] if len(found) == 1 else terms.either(found)

    def _read_part(self, *, outermost: bool) -> str:
        """Read a type that is no union, with the signs around it."""
        variadic = self._accept("...")
        while self._peek() in ("?", "!") and self._peek(1) not in ("", ",", ")", "}", "]", ">", "|", "="):
            self._at += 1
        begin, written = self._at, len(self.members)
        term = self._read_primary(outermost=outermost)
        while True:
            if self._peek() == "[" and self._peek(1) == "]":
                self._at += 2
                term = terms.apply_type_arguments(COLLECTION, [term])
                outermost = False
            elif self._peek() == "[":
                self._at += 1
                term = self._read_index(term)
            elif self._peek() in ("=", "!", "?") and self._peek(1) in ("", ",", ")", "}", "]", ">", "|", "="):
                self._at += 1
            else:
                break
        if not outermost:
            del self.members[written:]
        elif self._depth == 1 and self._tokens[begin : begin + 1] and self._tokens[begin].text != "{":
            self.joined.append(term)
        return terms.apply_type_arguments(COLLECTION, [term]) if variadic else term

    def _read_index(self, owner: str) -> str:
        """Read ``T["key"]`` and ``T[number]``, from behind the bracket."""
        key, kind = self._peek(), self._kind()
        self.read_type(outermost=False)
        self._accept("]")
        if kind == "string" and key[1:-1].isidentifier():
            return terms.then(owner, f".{key[1:-1]}")
        return terms.then(owner, "[]") if key == "number" else UNKNOWN

    def _read_primary(self, *, outermost: bool) -> str:  # noqa: PLR0911  one return for each form reads best
        kind, sign = self._kind(), self._peek()
        if kind in ("string", "number"):
            self._at += 1
            return PRIMITIVE
        if sign == "(":
            return self._read_parentheses(outermost=outermost)
        if sign == "{":
            return self._read_record(outermost=outermost)
        if sign == "[":
            self._at += 1
            return terms.apply_type_arguments(TUPLE, [term for _, term in self._read_list("]")])
        if sign == "<":  # the type parameters of a function type
            self._skip_balanced()
            self._read_primary(outermost=False)
            return UNKNOWN
        if kind == "name":
            return self._read_word()
        self._at += 1
        return ANYTHING if sign in ("*", "?") else UNKNOWN

    def _read_word(self) -> str:
        """Read what begins with a word: a name, or a type that a keyword begins."""
        word, then = self._peek(), self._peek(1)
        is_last = self._kind(1) not in ("name", "string") and then not in ("(", "{", "[")
        if word in _PREFIXES and not is_last:
            self._at += 1
            return self._read_part(outermost=False)
        if word in ("keyof", "new") and not is_last:
            self._at += 1
            term = self._read_part(outermost=False)
            return PRIMITIVE if word == "keyof" else term
        if word == "typeof" and not is_last:
            self._at += 1
            return terms.then(self._read_name(), Op.Itself)
        if word == "function" and then == "(":
            return self._read_closure()
        return self._read_name()

    def _read_name(self) -> str:
        """Read a dotted name with its arguments; a type predicate says of what type something is."""
        if self._peek() == "import" and self._peek(1) == "(":
            term, name = self._read_import(), ""
        else:
            token = self._tokens[self._at] if self._kind() == "name" else None
            if token is None:
                self._at += 1
                return UNKNOWN
            self._at += 1
            name = token.text
            term = _term_of(name, self._unknown)
            if term not in _NAMELESS:
                self.names.append(TypeName(token.start, name, BARE))
        while self._peek() == "." and self._kind(1) == "name":
            member = self._tokens[self._at + 1]
            if term not in _NAMELESS:
                self.names.append(TypeName(member.start, member.text, term))
            term, name = terms.then(term, f".{member.text}"), ""
            self._at += 2
        if self._peek() == "<" or (self._peek() == "." and self._peek(1) == "<"):
            self._accept(".")
            self._at += 1
            return self._with_arguments(name, term, [one for _, one in self._read_list(">")])
        if self._kind() == "name" and self._accept("is"):
            return terms.apply_type_arguments(terms.PREDICATE, [self.read_type(outermost=False)])
        return term

    def _with_arguments(self, name: str, term: str, given: Sequence[str]) -> str:
        if name == "Object" and given:
            return terms.record([(ANY, given[-1])], closed=True)
        if term in _NAMELESS:
            return UNKNOWN
        return generics.with_arguments(term, [one or UNKNOWN for one in given])

    def _read_import(self) -> str:
        """Read ``import("./a")``, with the member that is taken of it."""
        end = self._closing_of(self._at + 1)
        module = self._peek(2)[1:-1] if self._kind(2) == "string" else ""
        self._at = end + 1
        name, start = "", -1
        if self._peek() == "." and self._kind(1) == "name":
            name, start = self._peek(1), self._tokens[self._at + 1].start
            self._at += 2
        if not module:
            return UNKNOWN
        found = TypeImport(module, name, import_alias(module, name))
        self.imports.append(found)
        if name:
            self.names.append(TypeName(start, name, import_alias(module, "")))
            self.imports.append(TypeImport(module, "", import_alias(module, "")))
        return found.alias

    # --- Functions, tuples, members

    def _read_parentheses(self, *, outermost: bool) -> str:
        end = self._closing_of(self._at)
        is_function = end + 1 < len(self._tokens) and self._tokens[end + 1].text == "=>"
        self._at += 1
        if not is_function:
            term = self.read_type(outermost=outermost)
            self._accept(")")
            return term
        parameters = self._read_list(")")
        self._accept("=>")
        result = self.read_type(outermost=False)
        return _function(result, parameters)

    def _read_closure(self) -> str:
        """Read ``function(A, B): C``; what ``this`` and ``new`` say is no parameter."""
        self._at += 2
        parameters = [one for one in self._read_list(")") if one[0] not in ("this", "new")]
        result = self.read_type(outermost=False) if self._accept(":") else UNKNOWN
        return _function(result, parameters)

    def _read_list(self, end: str) -> Sequence[tuple[str, str]]:
        """Read what stands between brackets, up to behind the ``end``, each with its name where it has one."""
        found: list[tuple[str, str]] = []
        while not self.is_at_end() and not self._accept(end):
            at = self._at
            rest = "..." if self._accept("...") else ""
            name = self._peek() if self._kind() == "name" else ""
            ahead = 1 + (self._peek(1) == "?")
            if name and self._peek(ahead) == ":":
                self._at += ahead + 1
            else:
                name = ""
                if self._peek() in ("{", "[") and self._tokens_after(self._at) == ":":  # a pattern
                    self._skip_balanced()
                    self._accept(":")
            term = self.read_type(outermost=False)
            found.append((rest + name, term))
            self._accept(",")
            if self._at == at:
                self._at += 1
        return found

    def _tokens_after(self, opening: int) -> str:
        end = self._closing_of(opening)
        return self._tokens[end + 1].text if end + 1 < len(self._tokens) else ""

    def _read_record(self, *, outermost: bool) -> str:
        """Read ``{ a: A, b?: B, [key: string]: C, d(): D }``."""
        self._at += 1
        members: list[tuple[str, str]] = []
        written: list[TypeMember] = []
        while not self.is_at_end() and not self._accept("}"):
            at = self._at
            name, start = self._read_key()
            term = self._read_member_type()
            members.append((name, term))
            if start >= 0:
                written.append(TypeMember(start, name, term))
            while self._peek() in (",", ";"):
                self._at += 1
            if self._at == at:
                self._at += 1
        if outermost:
            self.members += written
        found = terms.record(sorted(members, key=lambda one: one[0] == ANY), closed=True)
        return found if found != UNKNOWN else COLLECTION if not written else UNKNOWN

    def _read_key(self) -> tuple[str, int]:
        """Read the name of a member and return where it begins: -1 for one that has no name."""
        if self._peek() == "[":
            self._skip_balanced()
            return ANY, -1
        if self._peek() == "readonly" and self._kind(1) in ("name", "string"):
            self._at += 1
        token = self._tokens[self._at] if self._kind() in ("name", "string") else None
        self._at += token is not None
        if token is None:
            return UNKNOWN, -1
        quoted = token.kind == "string"
        return token.text.strip("\"'"), -1 if quoted else token.start

    def _read_member_type(self) -> str:
        self._accept("?")
        if self._peek() == "<":
            self._skip_balanced()
        if self._accept("("):
            parameters = self._read_list(")")
            return _function(self.read_type(outermost=False) if self._accept(":") else UNKNOWN, parameters)
        return self.read_type(outermost=False) if self._accept(":") else UNKNOWN


def _union(found: Sequence[str]) -> str:
    """Return the term of one of some types: of a primitive nothing is known unless all of them are."""
    known = [one for one in found if one != BARE]
    if ANYTHING in known:
        return ANYTHING
    if known and all(one == PRIMITIVE for one in known):
        return PRIMITIVE
    return terms.either(one for one in known if one != PRIMITIVE)


def _function(result: str, parameters: Iterable[tuple[str, str]]) -> str:
    given = [_variadic(name, term) if name.startswith("...") else term for name, term in parameters]
    while given and given[-1] in (UNKNOWN, BARE):
        given.pop()
    return terms.apply_type_arguments(FUNCTION, [result, *given])


def _variadic(name: str, term: str) -> str:
    """Return what a function takes in its last place: a parameter with a name has the type of all of them together."""
    element = term if name == "..." else terms.then(terms.object_of(term), "[]^")
    return terms.apply_type_arguments(VARIADIC, [element]) if element not in (UNKNOWN, BARE) else UNKNOWN
