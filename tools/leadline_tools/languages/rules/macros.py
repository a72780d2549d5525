"""Macros and conditions: names that text makes before a parser reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class ConditionalInclude(NamedTuple):
    """An include in a branch of a condition.

    Args:
        target: The path of the file, as it is written.
        condition: The condition of the branch.
        others: The headers in angle brackets that the other branches include.

    """

    target: str
    condition: str
    others: frozenset[str]


class Conditions(NamedTuple):
    """The conditions of a source.

    Args:
        partial: The macros that are defined only where another one is, each with the conditions on which they are.
        spans: The first and the last line of each branch, with its condition; not what keeps a header from being read
            twice.
        macros: The lines on which macros are defined.
        dead: The first and the last line of each branch that is never compiled: ``#if 0``.
        guard: The macro that keeps a header from being read twice.
        includes: The includes in quotes that stand in branches, but where the file has the same one on no condition.

    """

    partial: Mapping[str, frozenset[str]]
    spans: Sequence[tuple[int, int, str]]
    macros: frozenset[int]
    dead: Sequence[tuple[int, int]] = ()
    guard: str = ""
    includes: Sequence[ConditionalInclude] = ()

    def at(self, line: int) -> frozenset[str]:
        """Return the conditions around a line."""
        return frozenset(condition for first, last, condition in self.spans if first <= line <= last)


@dataclass(frozen=True, slots=True)
class ConditionRules:
    """How conditions are read, and what they say.

    Args:
        read: Finds the conditions of a source, and the macros that it defines on a condition alone.
        holds_usually: Returns whether a condition holds where nobody defines the macros in it.
        asks_for_lack: Returns whether a condition asks that a system lacks something.
        is_standard: Returns whether the standard library has a macro of a name.
        asks_for_system: Returns whether a condition asks for some system that a program is compiled for.

    """

    read: Callable[[bytes], Conditions]
    holds_usually: Callable[[str], bool]
    asks_for_lack: Callable[[str], bool]
    is_standard: Callable[[str], bool]
    asks_for_system: Callable[[str], bool]


class MacroEntry(NamedTuple):
    """The call of a macro that declares a name.

    Args:
        path: The file of the call.
        offset: The byte at which the call begins.
        given_path: The file with the argument of which the macro makes the name.
        given_offset: The byte at which that argument begins.
        macro_path: The file that defines the macro.
        macro_offset: The byte at which the definition begins.
        end: The byte in the file of the call up to which the name is seen; 0 where the call is in no function.

    """

    path: str
    offset: int
    given_path: str
    given_offset: int
    macro_path: str
    macro_offset: int
    end: int = 0


class GivenWord(NamedTuple):
    """A word that a macro is given.

    Args:
        word: The word.
        number: Which argument it is, from 0.
        called: The macro that is called with it; where a parameter is called, the macro that has the parameter.
        parameter: Which parameter is called, from 0; -1 where a macro is called by its name.

    """

    word: str
    number: int
    called: str
    parameter: int = -1


class MacroDeclares(Protocol):
    """Returns whether a call of a macro in a source may declare a name that it is given."""

    def __call__(self, content: bytes, name: str, declaring: Callable[[str], Iterable[bytes]], /) -> bool:
        """Return whether it may; ``declaring`` gives the sources that may define a macro with a name."""
        ...


class PastingMacro(NamedTuple):
    """A macro that puts a name together.

    Args:
        name: Its name.
        line: The 1-based line on which it is defined.
        pasted: What it puts together, as it is written.
        arguments: The positions of the arguments that take part, and the text that each must be.
        is_passed: Whether its file passes it to other macros by its name.

    """

    name: str
    line: int
    pasted: str
    arguments: tuple[tuple[int, str], ...]
    is_passed: bool


@dataclass(frozen=True, slots=True)
class PastingRules:
    """How macros put names together.

    Args:
        find: Returns the macros of a source that may make a name.
        find_calls: Returns the spans of bytes at which a source may call such a macro with the arguments that make
            the name.

    """

    find: Callable[[bytes, str], Iterable[PastingMacro]]
    find_calls: Callable[[bytes, PastingMacro], Iterable[tuple[int, int]]]


def nothing_pasted(_content: bytes) -> frozenset[str]:
    """Return nothing: the language has no macros that put names together."""
    return frozenset()


def nothing_reserved(_name: str) -> bool:
    """Return no: the language has no names that only its library declares."""
    return False


def nothing_defined(_content: bytes) -> frozenset[str]:
    """Return nothing: the language has no macros with parameters."""
    return frozenset()


def nothing_given(_content: bytes, _offset: int) -> None:
    """Return nothing: the language has no macros that are given words."""


@dataclass(frozen=True, slots=True)
class MacroRules:
    """What macros and conditions do with names.

    Args:
        modules: The modules whose exported macros every file sees. If there are any, macros have names of their own,
            which are visible in the text after their definition, in inner modules in other files, or where they are
            imported.
        predeclared: The macros of those modules. What else is called and is neither imported nor defined in the tree is
            what another macro defines.
        conditions: How conditions are read; None for a language without them.
        conditional_types: True where a type from outside may replace one that is declared on a condition alone.
        entries: Finds the calls of macros by which some sources declare a name.
        with_parameters: Returns the names of the macros with parameters that a source defines.
        given_at: Returns the word at an offset of a source that is given to a macro; None for any other.
        receiver_of: Returns the term of what a word at an offset is a member of that a macro is given; empty for none.
        made_of: Finds the names that the macros of some sources make of a word that they are given, each with the file
            that does so. None for a language without such macros.
        opened_space: Returns the namespace that a macro of a source opens, from the name of the macro; empty for none.
        opening: The word that every macro holds which opens a namespace.
        opens_space: Returns whether a macro of a source may open a namespace with a name.
        may_declare: Returns whether a source may declare a name by a macro, where all other names are declared: a name
            that nothing in the tree declares is then from outside. None for a language without such macros.
        is_reserved: Returns whether a name is one of the standard library that no program makes by a macro.
        pasted_names: Returns patterns of the names that the macros of a source put together from parts.
        pasting: How macros put names together; None for a language without such macros.

    """

    modules: tuple[str, ...] = ()
    predeclared: frozenset[str] = frozenset()
    conditions: ConditionRules | None = None
    conditional_types: bool = False
    entries: Callable[[str, Mapping[str, bytes]], Iterable[MacroEntry]] | None = None
    with_parameters: Callable[[bytes], frozenset[str]] = nothing_defined
    given_at: Callable[[bytes, int], GivenWord | None] = nothing_given
    receiver_of: Callable[[bytes, int, Callable[[str], Iterable[bytes]]], str] | None = None
    made_of: Callable[[GivenWord, Mapping[str, bytes]], Iterable[tuple[str, str]]] | None = None
    opened_space: Callable[[bytes, str], str] | None = None
    opening: str = ""
    opens_space: Callable[[bytes, str], bool] | None = None
    may_declare: MacroDeclares | None = None
    is_reserved: Callable[[str], bool] = nothing_reserved
    pasted_names: Callable[[bytes], frozenset[str]] = nothing_pasted
    pasting: PastingRules | None = None
