"""Access: which code may use a member of a type, as its declaration says.

A member is *private* if some code that can name its type cannot use it: code of another package, of another file, or
outside of the type and its subtypes. In a language without such rules the convention for names decides (Python).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from typing import Final

from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind


@dataclass(frozen=True)
class SourceLines:
    """The lines of a file, and what is found out about them once for all members that it declares."""

    texts: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)

    def at(self, line: int) -> str:
        """Return a line by its 1-based number; empty where there is none."""
        return self.texts[line - 1] if 0 < line <= len(self.texts) else ""

    @cached_property
    def heads(self) -> Sequence[int]:
        """Return for each line the 1-based number of the nearest line above that is indented less; 0 for none."""
        found: list[int] = []
        open_heads: list[tuple[int, int]] = []
        for number, text in enumerate(self.texts, 1):
            indentation, words = _indentation(text), text.strip()
            while words and open_heads and open_heads[-1][0] >= indentation:
                open_heads.pop()
            found.append(open_heads[-1][1] if open_heads else 0)
            if words and words != "{":
                open_heads.append((indentation, number))
        return found


@dataclass(frozen=True)
class Owner:
    """The type around a declaration: its kind, its head, its 1-based first and last line, and the lines of its file."""

    kind: SymbolKind
    head: str
    line: int
    end_line: int
    lines: SourceLines

    @cached_property
    def text(self) -> str:
        """Return the text of its lines."""
        return "\n".join(self.lines.texts[self.line - 1 : self.end_line])

    @cached_property
    def line_starts(self) -> Sequence[int]:
        """Return where each of its lines begins in its text, and where the text ends."""
        lengths = (len(text) + 1 for text in self.lines.texts[self.line - 1 : self.end_line])
        return [*accumulate(lengths, initial=0)]

    @cached_property
    def cpp_labels(self) -> Sequence[tuple[int, str]]:
        """Return the labels of access of C++ with where they end in its text, in order; those of inner types not."""
        found, depth = list[tuple[int, str]](), 0
        for token in _CPP_TOKENS.finditer(self.text):
            depth += {"{": 1, "}": -1}.get(token["brace"] or "", 0)
            if token["access"] and depth == 1:
                found.append((token.end(), token["access"]))
        return found

    @cached_property
    def ruby_modes(self) -> Mapping[int, Sequence[tuple[int, str]]]:
        """Return the lines of Ruby that change the access of what follows, by their indentation, in order."""
        found: dict[int, list[tuple[int, str]]] = {}
        for number, text in self._inside():
            mode = _RUBY_MODE.match(text)
            if mode is not None:
                found.setdefault(_indentation(text), []).append((number, mode[1]))
        return found

    @cached_property
    def ruby_named(self) -> Mapping[tuple[int, bool, str], str]:
        """Return the access that lines of Ruby give to members by name.

        The keys are the indentation of the line, whether it speaks of members of the class itself, and the name.
        """
        found: dict[tuple[int, bool, str], str] = {}
        for _, text in self._inside():
            named = _RUBY_NAMED.match(text)
            if named is not None:
                of_class = named["access"].endswith("class_method")
                for name in re.findall(r"\w+[?!]?", named["names"]):
                    found[_indentation(text), of_class, name] = named["access"]
        return found

    def _inside(self) -> Iterator[tuple[int, str]]:
        return islice(enumerate(self.lines.texts, 1), self.line, self.end_line)


@dataclass(frozen=True, slots=True)
class DeclaredMember:
    """A declaration of a member.

    Args:
        name: Its name.
        kind: What it is.
        signature: How it is declared.
        line: The 1-based line of its name.
        owner: The type around it; None where it is declared outside of its type.
        type_head: The head of its type, wherever that is declared; empty where it is not known.
        lines: The lines of its file.

    """

    name: str
    kind: SymbolKind
    signature: str
    line: int
    owner: Owner | None
    type_head: str
    lines: SourceLines

    @property
    def modifiers(self) -> str:
        """Return what stands before the name."""
        match = re.search(rf"(?<![\w#@]){re.escape(self.name)}(?!\w)", self.signature)
        return self.signature[: match.start()] if match is not None else self.signature.partition("(")[0]

    def is_in(self, *kinds: SymbolKind) -> bool:
        """Return whether the type around it is of some kind."""
        return self.owner is not None and self.owner.kind in kinds


IsPrivate = Callable[[DeclaredMember], bool | None]
"""Decides whether a member is private; None: as its other declarations say."""

_RESTRICTED: Final = lazy_compile(r"\b(?:private|protected|fileprivate|internal)\b(?!\s*\(\s*set\s*\))")
_PUBLIC: Final = lazy_compile(r"\b(?:public|open)\b(?!\s*\()")
_RUST_PUBLIC: Final = lazy_compile(r"\bpub\b(?!\s*\()")
_FILE_PRIVATE: Final = lazy_compile(
    r"(?:@(?>\w+)(?>(?:\([^()]*\))?\s*)|(?>\w+)(?>(?:\s*\(\s*set\s*\))?\s+))*?(?:private|fileprivate)\b(?!\s*\()"
)
_CLOSED: Final = lazy_compile(r"\b(?:private|fileprivate|protected)\b(?!\s*\(\s*set\s*\))")
_PUBLIC_KINDS: Final = (SymbolKind.Interface, SymbolKind.Enum, SymbolKind.EnumMember)


def has_modifier(member: DeclaredMember) -> bool:
    """Return whether a modifier restricts a member, or its name begins with ``#`` (JavaScript)."""
    return member.name.startswith("#") or _RESTRICTED.search(member.modifiers) is not None


def has_underscore(member: DeclaredMember) -> bool:
    """Return whether a name begins with an underscore, and is none that the language defines."""
    return member.name.startswith("_") and not member.name.endswith("__")


def is_unexported(member: DeclaredMember) -> bool:
    """Return whether a name of Go is one for its own package: it does not begin with a capital letter."""
    return not member.name[:1].isupper()


def is_private_rust(member: DeclaredMember) -> bool:
    """Return whether something of Rust has no ``pub``, or one for a part of the code alone.

    Variants and their fields, and what a trait declares, are as public as the enum or the trait.
    """
    if member.kind is SymbolKind.EnumMember or member.is_in(*_PUBLIC_KINDS):
        return False
    if _RUST_PUBLIC.search(member.modifiers) is not None:
        return False
    return member.owner is not None or not re.search(r"\bimpl\b.*\bfor\b", head_above(member.lines, member.line))


def is_private_java(member: DeclaredMember) -> bool:
    """Return whether something of Java is for fewer packages than its type: without a modifier it is for its own."""
    if _RESTRICTED.search(member.modifiers) is not None:
        return True
    if _PUBLIC.search(member.modifiers) is not None or member.owner is None or member.kind is SymbolKind.EnumMember:
        return False
    if member.owner.kind is SymbolKind.Interface or _is_component(member, "record"):
        return False
    return _PUBLIC.search(member.owner.head) is not None


def is_private_csharp(member: DeclaredMember) -> bool:
    """Return whether something of C# is not public: in a class or a structure it is private without a modifier."""
    if _PUBLIC.search(member.modifiers) is not None:
        return False
    if _RESTRICTED.search(member.modifiers) is not None:
        return True
    implements = member.modifiers.endswith(".")  # a member of an interface, called through it
    return not (implements or member.is_in(*_PUBLIC_KINDS) or _is_component(member, "record"))


def is_file_private_swift(head: str) -> bool:
    """Return whether a declaration of Swift outside of all types says, by its head, that only its file sees it.

    https://docs.swift.org/swift-book/documentation/the-swift-programming-language/accesscontrol/#Access-Levels
    """
    return _FILE_PRIVATE.match(head) is not None


def is_private_swift(member: DeclaredMember) -> bool:
    """Return whether something of Swift is for fewer files or modules than its type.

    Without a modifier it is as an extension around says, else for its own module.
    """
    if _CLOSED.search(member.modifiers) is not None:
        return True
    if _PUBLIC.search(member.modifiers) is not None:
        return False
    if member.kind is SymbolKind.EnumMember or member.is_in(SymbolKind.Interface):
        return False
    head = head_above(member.lines, member.line) if member.owner is None else ""
    if _PUBLIC.search(head) is not None:
        return False
    return _CLOSED.search(head) is not None or _PUBLIC.search(member.type_head) is not None


_CPP_TOKENS: Final = lazy_compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|(?P<brace>[{}])"
    r"|\b(?P<access>public|protected|private)\b(?:\s+\w+)?\s*:(?!:)",
    re.DOTALL,
)
_CLASS: Final = lazy_compile(r"\bclass\b")


def is_private_cpp(member: DeclaredMember) -> bool | None:
    """Return whether the label before a member of C++ is ``private`` or ``protected``: a class begins as private."""
    owner = member.owner
    if owner is None:
        return None
    if owner.kind is SymbolKind.Enum:
        return False
    row = member.line - owner.line
    if not 0 <= row < len(owner.line_starts) - 1:
        return None
    start = owner.text.find("{") + 1 if row == 0 else owner.line_starts[row]
    named = re.compile(rf"\b{re.escape(member.name.lstrip('~'))}\b").search(
        owner.text, start, owner.line_starts[row + 1]
    )
    end = named.start() if named is not None else owner.line_starts[row + 1]
    before = bisect_right(owner.cpp_labels, (end, "")) - 1
    usual = "private" if _CLASS.search(owner.head) else "public"
    return (owner.cpp_labels[before][1] if before >= 0 else usual) != "public"


_RUBY_MODE: Final = lazy_compile(r"\s*(private|protected|public)\s*(?:#.*)?$")
_RUBY_NAMED: Final = lazy_compile(
    r"\s*(?P<access>private|protected|public|private_class_method|public_class_method|private_constant)"
    r"[\s(]+(?P<names>[:\"'].*)$"
)
_RUBY_INLINE: Final = lazy_compile(r"\s*(?:private|protected|private_class_method)\s+(?:def|attr_\w+)\b")


def is_private_ruby(member: DeclaredMember) -> bool:
    """Return whether ``private`` or ``protected`` is in force at a method of Ruby, or names it."""
    owner = member.owner
    if owner is None or member.line > len(member.lines):
        return False
    line = member.lines.at(member.line)
    indentation = _indentation(line)
    is_of_class = re.match(r"\s*(?:\w+\s+)?def\s+self\.", line) is not None
    named = owner.ruby_named.get((indentation, is_of_class, member.name.removesuffix("=")))
    if named is not None:
        return not named.startswith("public")
    is_method = re.match(r"\s*(?:def|attr_\w+)\b", line) is not None
    if _RUBY_INLINE.match(line) is not None or is_of_class or not is_method:
        return _RUBY_INLINE.match(line) is not None
    modes = owner.ruby_modes.get(indentation, ())
    before = bisect_left(modes, (member.line, "")) - 1
    return before >= 0 and modes[before][1] != "public"


def _is_component(member: DeclaredMember, keyword: str) -> bool:
    """Return whether a member is a component in the head of a record."""
    head = member.owner.head if member.owner is not None else ""
    declared = re.search(rf"\b{keyword}\b[^(]*\((.*)", head, re.DOTALL)
    return declared is not None and re.search(rf"\b{re.escape(member.name)}\s*[,)=]", declared[1]) is not None


def head_above(lines: SourceLines, line: int) -> str:
    """Return the head of the block around a 1-based line: the nearest line above that is indented less."""
    before = lines.at(line).partition("{")[0]
    if re.match(r"\s*(?:\w+\s+)*(?:impl|extension)\b", before):
        return before
    head = lines.heads[line - 1] if 0 < line <= len(lines) else 0
    text = lines.at(head)
    is_continued = text.split()[:1] in (["where"], ["for"])
    return " ".join(lines.texts[max(0, head - 5) : head]) if is_continued else text


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())
