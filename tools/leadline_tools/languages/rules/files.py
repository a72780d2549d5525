"""Files: how they are known, and which module each is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def module_of_path(path: str) -> str:
    """Return the dotted module of ``path``: its folders and its name without extension."""
    return path.rsplit(".", 1)[0].replace("/", ".")


def module_of_folder(path: str) -> str:
    """Return the dotted module of ``path`` where the folder is the package (Go, Java, C#)."""
    return path.rpartition("/")[0].replace("/", ".")


def no_module(_path: str) -> str:
    """Return the empty module: names of this language do not depend on where the file lies (C, C++)."""
    return ""


@dataclass(frozen=True, slots=True)
class FileRules:
    """How the files of a language are known by their names and content, and which module each is.

    Args:
        extensions: The endings of its files, with the dot.
        module: Returns the dotted prefix of the qualified names in a file, from its path.
        filenames: Names of files whose extension does not tell the language.
        bare_headers: True where a file that is included as a whole may have a name without an extension.
        fragments: The endings of files that others include, and that may be of several languages.
        fragment: Returns the name of the language of such a file, from its content, among those with the same grammar;
            empty for none of them.
        interpreters: The names after ``#!`` that a script without an extension is run by.
        dialect: Returns the name of the language of a file from its path and content, where the ending does not tell
            (``.h``).
        main: The names of the function at which a program begins, where no manifest names another.

    """

    extensions: tuple[str, ...]
    module: Callable[[str], str] = module_of_path
    filenames: tuple[str, ...] = ()
    bare_headers: bool = False
    fragments: tuple[str, ...] = ()
    fragment: Callable[[bytes], str] | None = None
    interpreters: tuple[str, ...] = ()
    dialect: Callable[[str, bytes], str] | None = None
    main: tuple[str, ...] = ()
