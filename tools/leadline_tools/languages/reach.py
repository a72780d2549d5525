"""The *reach* of a symbol: from where it can be named. What is hidden from a file need not be looked for in it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind


class Reach(StrEnum):
    """The files whose code can name a symbol."""

    Anywhere = "anywhere"
    Importing = "importing"
    """Those of its folder, and those that import what ends in the name of that: an exported function of Go."""
    Folder = "folder"
    """Those of its folder: an unexported name of Go."""
    Package = "package"
    """Those that may be of its package, whatever their folders: a class of Java without a modifier."""
    Including = "including"
    """Its own, those that take that in, and those that it takes in: ``static`` of C, a type of a source file."""
    Taking = "taking"
    """The same, but where nothing is known to take that in: a type of a header of C."""
    Type = "type"
    """Its own, and those with other parts of the type that it is a member of: ``private`` of most languages."""


class Declared(NamedTuple):
    """What tells how far a symbol reaches.

    Args:
        path: The file that declares it.
        content: What that holds.
        name: Its name.
        kind: Its kind.
        signature: Its declaration up to its body.
        around: That of the symbol that it is a member of; empty for none.

    """

    path: str
    content: bytes
    name: str
    kind: SymbolKind
    signature: str
    around: str


Reaching = Callable[[Declared], Reach]

_MODIFIERS = lazy_compile(r"[^(\[\"'={]*")
_WORD = lazy_compile(r"\w+")
_PRIVATE = lazy_compile(r"(?:^|\s)(?:private|fileprivate)\s+[^\s(\[]")


def anywhere(_declared: Declared) -> Reach:
    """Say of every symbol that any file may name it."""
    return Reach.Anywhere


def private(declared: Declared) -> Reach:
    """Tell of a symbol by its modifiers; ``private(set)`` and ``private[package]`` hide it from nobody here.

    What stands behind its name is said of something else: of the constructor in the head of a class (Kotlin).
    https://kotlinlang.org/docs/visibility-modifiers.html#constructors
    """
    found = _MODIFIERS.match(declared.signature)
    modifiers = found[0] + declared.signature[found.end() : found.end() + 1] if found is not None else ""
    modifiers = modifiers[: _end_of_name(modifiers, declared.name)]
    hidden = _PRIVATE.search(modifiers) is not None and "protected" not in modifiers.split()
    return Reach.Type if hidden else Reach.Anywhere


def _end_of_name(text: str, name: str) -> int:
    """Return where a name ends that is a word of a text; the length of the text where it is none."""
    ends = (found.end() for found in _WORD.finditer(text) if found[0] == name)
    return next(ends, len(text))


def private_member(declared: Declared) -> Reach:
    """Tell of a symbol by its modifiers, where ``private`` hides it in a type alone."""
    return private(declared) if declared.around else Reach.Anywhere
