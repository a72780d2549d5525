"""Visibility: what names mean that no scope around binds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from leadline_tools.languages.rules.imports import Paths


@dataclass(frozen=True, slots=True)
class TargetRules:
    """How files for different targets declare one symbol, of which each target compiles one declaration.

    Args:
        words: The words one of which each file has that declares such a symbol.
        has_counterparts: Decides from the heads of a declaration, and those of the types around it, whether files for
            other targets declare the same symbol.
        are_apart: Decides from the paths of two files that what they declare is never the same symbol.
        nearness: Returns how near the second of two paths is to the target of the first: more is nearer.

    """

    words: frozenset[str] = frozenset()
    has_counterparts: Callable[[Sequence[str], Sequence[str]], bool] = lambda _own, _around: False
    are_apart: Callable[[str, str], bool] = lambda _one, _other: False
    nearness: Callable[[str, str], int] = lambda _one, _other: 0


@dataclass(frozen=True, slots=True)
class VisibilityRules:
    """What names mean that no scope around binds: those of other files, and of the language itself.

    Args:
        links_definitions: True where one file declares what another defines (C, C++).
        shares_variables: True where a variable that a file gives a value is that of the files which it includes (Bash).
        has_open_namespaces: True where namespaces extend over files and do not follow from paths (C++, C#, PHP).
        has_qualified_names: False where no name stands after that of a namespace: what follows a dot is a member (C).
        standard_spaces: Namespaces of the standard library, to which a program adds only specializations.
        declares_everything: True where a bare name is a type of a visible namespace or a member of the types around it,
            and a type from outside has members in the tree only by extensions.
        builtin_types: The keywords that are types.
        prelude: The names that every file sees where nothing nearer declares them.
        is_closed: True where every name is declared: a name that nothing in the tree has is from outside.
        types_need_import: True where the bare name of a type is visible only in its package, by an import, and in the
            types that declare or inherit it.
        member_needs_receiver: True where the bare name of a member never means it.
        has_partial_types: True where members of a type may be declared in other files than the type.
        list_partial_files: Returns the other files that may declare members of the types of a file, from its path.
            Without them these are the siblings.
        has_open_types: True where any file may open a type again: all declarations under one name are one type.
        replaces_standard: Returns whether a file may be taken in instead of a header of the standard library.
        internal: Decides from the head of a declaration that only its own file has what it declares (``static`` of C).
        file_private: Decides from the head of what stands outside of all types whether only its file sees it; None
            where every file of a package or module does.
        overloads: Decides from the heads of two declarations of one name whether they declare two functions.
        spell_parameters: Returns the words of the types of parameters from the head of a function, where such heads
            declare one function if they are equal.
        predeclared: The names that mean something from outside where nothing declares them.
        predeclared_in_modules: The names that do so in modules alone, not in scripts.
        may_declare: Decides from the text of a file whether it may declare a name that its facts do not bind, where a
            part of it did not parse.
        variants: True where files for different targets define the same names, so that all are meant.
        unnamed: The functions that nothing can name, so that none is another for another target.
        targets: What tells that they declare one symbol, where declarations say so.

    """

    links_definitions: bool = False
    shares_variables: bool = False
    has_open_namespaces: bool = False
    has_qualified_names: bool = True
    standard_spaces: frozenset[str] = frozenset()
    declares_everything: bool = False
    builtin_types: frozenset[str] = frozenset()
    prelude: frozenset[str] = frozenset()
    is_closed: bool = False
    types_need_import: bool = False
    member_needs_receiver: bool = False
    has_partial_types: bool = False
    list_partial_files: Callable[[str, Paths], Sequence[str]] = lambda _path, _paths: ()
    has_open_types: bool = False
    replaces_standard: Callable[[str], bool] = lambda _path: False
    internal: Callable[[str], bool] = lambda _head: False
    file_private: Callable[[str], bool] | None = None
    overloads: Callable[[str, str], bool] = lambda _one, _other: False
    spell_parameters: Callable[[str], Sequence[Sequence[str]]] = lambda _head: ()
    predeclared: frozenset[str] = frozenset()
    predeclared_in_modules: frozenset[str] = frozenset()
    may_declare: Callable[[bytes, str], bool] = lambda _content, _name: False
    variants: bool = False
    unnamed: frozenset[str] = frozenset()
    targets: TargetRules = TargetRules()

    @property
    def joins_declarations(self) -> bool:
        """Return whether several files may declare one symbol that is no type in parts: by linkage, or for targets."""
        return self.links_definitions or self.shares_variables or bool(self.targets.words)
