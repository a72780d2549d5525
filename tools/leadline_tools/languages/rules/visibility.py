"""Visibility: what names mean that no scope around binds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leadline_tools.languages.rules.imports import Paths


@dataclass(frozen=True, slots=True)
class VisibilityRules:
    """What names mean that no scope around binds: those of other files, and of the language itself.

    Args:
        linked: True where one file declares what another defines (C, C++).
        spaced: True where namespaces reach over files and do not follow from their paths (C++, C#, PHP).
        standard_spaces: Namespaces of the standard library, to which a program adds no more than specializations.
        declares_everything: True where what a file sees by its name alone is a type of a namespace that it sees, or a
            member of the types around it, and where a type from outside has no member from inside but those added.
        builtin_types: The keywords that are types.
        prelude: The names that every file sees where nothing nearer declares them.
        closed: True where every name is declared: what nothing in the code base is called is from outside.
        types_need_import: True where a type is seen by its name alone in its package, by an import, and in the types
            that declare or inherit it, and nowhere else.
        member_needs_receiver: True where no member of a type is seen by its name alone.
        scattered: True where the members of a type may be declared in other files than the type.
        internal: Tells from the head of a declaration that only its file has what it declares (``static`` of C).
        overloads: Tells from the heads of two declarations of one name that they are those of two functions.
        predeclared: The names that mean something from outside where nothing declares them.
        predeclared_in_modules: Those that do so in modules alone, not in scripts.
        may_declare: Tells by the text of a file that it may declare a name which its facts do not bind, where a part of
            it did not parse.
        variants: True where files that are compiled for different targets define the same names: all are meant.
        scatters: The files besides its own in which members of the types of a file may be declared, from its path;
            none: the siblings.
        reopened: True where any file may open a type again: all that is declared under its name is one type.

    """

    linked: bool = False
    spaced: bool = False
    standard_spaces: frozenset[str] = frozenset()
    declares_everything: bool = False
    builtin_types: frozenset[str] = frozenset()
    prelude: frozenset[str] = frozenset()
    closed: bool = False
    types_need_import: bool = False
    member_needs_receiver: bool = False
    scattered: bool = False
    internal: Callable[[str], bool] = lambda _head: False
    overloads: Callable[[str, str], bool] = lambda _one, _other: False
    predeclared: frozenset[str] = frozenset()
    predeclared_in_modules: frozenset[str] = frozenset()
    may_declare: Callable[[bytes, str], bool] = lambda _content, _name: False
    variants: bool = False
    scatters: Callable[[str, Paths], Sequence[str]] = lambda _path, _paths: ()
    reopened: bool = False
