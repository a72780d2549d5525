"""Access: which code may use a member of a type, as its declaration says.

A member is *private* if some code that can name its type cannot use it: code of another package, of another file, or
outside of the type and its subtypes. In a language without such rules the convention for names decides (Python).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from leadline_tools.model import SymbolKind


@dataclass(frozen=True, slots=True)
class Owner:
    """The type around a declaration: its kind, its head, and its 1-based first and last line."""

    kind: SymbolKind
    head: str
    line: int
    end_line: int


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
    lines: Sequence[str]

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

_RESTRICTED: Final = re.compile(r"\b(?:private|protected|fileprivate|internal)\b(?!\s*\(\s*set\s*\))")
_PUBLIC: Final = re.compile(r"\b(?:public|open)\b(?!\s*\()")
_RUST_PUBLIC: Final = re.compile(r"\bpub\b(?!\s*\()")
_CLOSED: Final = re.compile(r"\b(?:private|fileprivate|protected)\b(?!\s*\(\s*set\s*\))")
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
    return member.owner is not None or not re.search(r"\bimpl\b.*\bfor\b", _head_above(member))


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
    head = _head_above(member) if member.owner is None else ""
    if _PUBLIC.search(head) is not None:
        return False
    return _CLOSED.search(head) is not None or _PUBLIC.search(member.type_head) is not None


_CPP_TOKENS: Final = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|(?P<brace>[{}])"
    r"|\b(?P<access>public|protected|private)\b(?:\s+\w+)?\s*:(?!:)",
    re.DOTALL,
)
_CLASS: Final = re.compile(r"\bclass\b")


def is_private_cpp(member: DeclaredMember) -> bool | None:
    """Return whether the label before a member of C++ is ``private`` or ``protected``: a class begins as private."""
    owner = member.owner
    if owner is None:
        return None
    if owner.kind is SymbolKind.Enum:
        return False
    text = "\n".join(member.lines[owner.line - 1 : member.line])
    start = text.find("{") + 1 if member.line == owner.line else text.rfind("\n") + 1
    end = re.compile(rf"\b{re.escape(member.name.lstrip('~'))}\b").search(text, start)
    inside = text[: end.start()] if end is not None else text
    depth, access = 0, "private" if _CLASS.search(owner.head) else "public"
    for token in _CPP_TOKENS.finditer(inside):
        depth += {"{": 1, "}": -1}.get(token["brace"] or "", 0)
        if token["access"] and depth == 1:
            access = token["access"]
    return access != "public"


_RUBY_MODE: Final = re.compile(r"\s*(private|protected|public)\s*(?:#.*)?$")
_RUBY_NAMED: Final = re.compile(
    r"\s*(?P<access>private|protected|public|private_class_method|public_class_method|private_constant)"
    r"[\s(]+(?P<names>[:\"'].*)$"
)
_RUBY_INLINE: Final = re.compile(r"\s*(?:private|protected|private_class_method)\s+(?:def|attr_\w+)\b")


def is_private_ruby(member: DeclaredMember) -> bool:
    """Return whether ``private`` or ``protected`` is in force at a method of Ruby, or names it."""
    owner = member.owner
    if owner is None or member.line > len(member.lines):
        return False
    line = member.lines[member.line - 1]
    own = _indentation(line)
    is_of_class = re.match(r"\s*(?:\w+\s+)?def\s+self\.", line) is not None
    mode = _RUBY_INLINE.match(line) is not None
    inside = list(islice(enumerate(member.lines, 1), owner.line, owner.end_line))
    is_method = re.match(r"\s*(?:def|attr_\w+)\b", line) is not None
    if is_method and not is_of_class and not mode:
        set_by = [m[1] for number, text in inside if number < member.line and (m := _mode_at(text, own)) is not None]
        mode = bool(set_by) and set_by[-1] != "public"
    for _, text in inside:
        named = _RUBY_NAMED.match(text) if _indentation(text) == own else None
        if named is None or named["access"].endswith("class_method") != is_of_class:
            continue
        if member.name.removesuffix("=") in re.findall(r"\w+[?!]?", named["names"]):
            mode = not named["access"].startswith("public")
    return mode


def _mode_at(text: str, indentation: int) -> re.Match[str] | None:
    """Return the match of a line of Ruby that changes the access of what follows at an indentation."""
    return _RUBY_MODE.match(text) if _indentation(text) == indentation else None


def _is_component(member: DeclaredMember, keyword: str) -> bool:
    """Return whether a member is a component in the head of a record."""
    head = member.owner.head if member.owner is not None else ""
    declared = re.search(rf"\b{keyword}\b[^(]*\((.*)", head, re.DOTALL)
    return declared is not None and re.search(rf"\b{re.escape(member.name)}\s*[,)=]", declared[1]) is not None


def _head_above(member: DeclaredMember) -> str:
    """Return the head of the block around a member: the nearest line above that is indented less."""
    if not 0 < member.line <= len(member.lines):
        return ""
    line = member.lines[member.line - 1]
    before = line.partition("{")[0]
    if re.match(r"\s*(?:\w+\s+)*(?:impl|extension)\b", before):
        return before
    return next(_less_indented(member.lines, member.line - 1, _indentation(line)), "")


def _less_indented(lines: Sequence[str], before: int, indentation: int) -> Iterator[str]:
    """Yield the lines above one that are indented less, with the lines that their heads are continued on."""
    for number in range(before - 1, -1, -1):
        text = lines[number]
        if text.strip() and _indentation(text) < indentation and text.strip() != "{":
            words = text.split()
            yield " ".join(lines[max(0, number - 4) : number + 1]) if words[0] in {"where", "for"} else text


def _indentation(text: str) -> int:
    return len(text) - len(text.lstrip())
