"""The languages that Leadline knows: a folder each, found by being here. What several share is a module beside them."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from leadline_tools.languages.hosts.kinds import hosts
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.lexing import Lexis
from leadline_tools.languages.pack import PACKAGE, is_installed, packed_languages

SHARED_FOLDERS = frozenset({"fact_walk", "hosts", "outline_walk", "rules"})
"""The folders that are no languages: kinds of files with code of languages, records of rules, walks through trees."""


def _discover() -> Mapping[str, Language]:
    """Return the languages of the folders beside this one, but for those whose grammar is in a pack that is missing."""
    found: dict[str, Language] = {}
    has_pack = is_installed()
    folders = (info.name for info in pkgutil.iter_modules(__path__) if info.ispkg and info.name not in SHARED_FOLDERS)
    for folder in sorted(folders):
        loaded = importlib.import_module(f"{__name__}.{folder}.rules")
        for language in getattr(loaded, "LANGUAGES", None) or (loaded.LANGUAGE,):
            if has_pack or not language.grammar[0].startswith(PACKAGE):
                found[language.name] = language
    return found


UNKNOWN = "text"
"""What stands for the language of a file of which none is known."""

LANGUAGES: Mapping[str, Language] = _discover()
"""Every language that has rules of our own, by name."""

HOSTS: Mapping[str, Language] = hosts(LANGUAGES)
"""Every kind of file that holds code of them among other things, by name."""

PARSED: Mapping[str, Language] = {**packed_languages(), **LANGUAGES, **HOSTS}
"""All of these, and what is parsed because the pack of grammars is installed."""

_BY_EXTENSION = {extension: language for language in PARSED.values() for extension in language.files.extensions}
_BY_FILENAME = {filename: language for language in LANGUAGES.values() for filename in language.files.filenames}
_ENDS_OF_FILENAMES = {name[name.rfind(".") :] for name in _BY_FILENAME if "." in name}
_BY_INTERPRETER = {name.encode(): language for language in LANGUAGES.values() for name in language.files.interpreters}
_BY_FRAGMENT = {
    ending: [language for language in LANGUAGES.values() if ending in language.files.fragments]
    for ending in dict.fromkeys(one for language in LANGUAGES.values() for one in language.files.fragments)
}
_FIRST_LINE = re.compile(rb"#![ \t]*([^\r\n]{1,500})")
_VERSION = re.compile(rb"[-\d.]+\Z")

_MOST_CONTENTS = 8
"""Headers of which is kept what language their contents tell."""

_MOST_PATHS = 4_096
"""Paths of which is kept what language their names tell: a question asks for those of a few hundred again and again."""

_SCRIPTS: ContextVar[Callable[[], Mapping[str, str]]] = ContextVar("scripts")
"""Gives the names of the languages of the scripts of the tree that is asked about, by their paths."""


@contextmanager
def knowing_scripts(scripts: Callable[[], Mapping[str, str]]) -> Iterator[None]:
    """Have the language known, until the block ends, of files that only their first line identifies.

    ``scripts`` gives the names of languages by the paths of such files.
    """
    before = _SCRIPTS.set(scripts)
    try:
        yield
    finally:
        _SCRIPTS.reset(before)


def known_scripts() -> Mapping[str, str]:
    """Return the names of the languages of the scripts of the tree that is asked about, by their paths."""
    scripts = _SCRIPTS.get(None)
    return scripts() if scripts is not None else {}


def language_of(path: str) -> Language | None:
    """Return the language of the file at ``path``, or None for a file that is text or nothing we parse.

    Its name tells, or what ``knowing_scripts`` knows of its first line.
    """
    language = language_by_name(path)
    return language if language is not None else PARSED.get(known_scripts().get(path, ""))


@lru_cache(_MOST_PATHS)
def language_by_name(path: str) -> Language | None:
    """Return the language of the file at ``path`` as far as its name tells."""
    name = path.rpartition("/")[2]
    language = _BY_FILENAME.get(name)
    if language is None:
        dot = name.rfind(".")
        language = _BY_EXTENSION.get(name[dot:].lower()) if dot >= 0 else None
    return language


def telling_name(path: str) -> str:
    """Return what of the name of a file tells its language: the extension, or all of it."""
    name = path[path.rfind("/") + 1 :]
    return name if (dot := name.rfind(".")) < 0 or name in _BY_FILENAME else name[dot:]


def telling_names(paths: Sequence[str]) -> list[str]:
    """Return the same for many paths."""
    ends = [path[path.rfind(".") :] for path in paths]
    # Of thousands of paths a few hundred, and nearly all of them tell by themselves.
    known = {end: end if end[:1] == "." and "/" not in end and end not in _ENDS_OF_FILENAMES else "" for end in {*ends}}
    return [known[end] or telling_name(path) for end, path in zip(ends, paths, strict=True)]


def language_name(path: str) -> str:
    """Return the name of the language of the file at ``path``: ``text`` for one that is not known."""
    name = _name_of(telling_name(path))
    return name if name != UNKNOWN else known_scripts().get(path, UNKNOWN)


def language_names(paths: Sequence[str]) -> list[str]:
    """Return the names of the languages of files."""
    names, scripts = list(map(_name_of, telling_names(paths))), known_scripts()
    if not scripts:
        return names
    return [name if name != UNKNOWN else scripts.get(path, UNKNOWN) for path, name in zip(paths, names, strict=True)]


@lru_cache(4_096)
def _name_of(telling: str) -> str:
    """Return the same for all files whose names tell the same: of a large tree these are few."""
    language = language_by_name(telling)
    return language.name if language is not None else UNKNOWN


def semantics_of(path: str) -> Semantics | None:
    """Return the rules by which names are resolved in the file at ``path``; None where there are none."""
    language = language_of(path)
    return language.semantics if language is not None else None


def semantics_in(path: str, content: bytes) -> Semantics | None:
    """Return the rules by which names are resolved in a file by its name and, where that leaves a choice, its content.

    A header that ends in ``.h`` may be of C, C++ or Objective-C.
    """
    language = language_of(path)
    if language is not None and language.files.dialect is not None:
        language = _language_of_content(path, content) or language
    return language.semantics if language is not None else None


@lru_cache(_MOST_CONTENTS)
def _language_of_content(path: str, content: bytes) -> Language | None:
    return language_in(path, content)


def has_symbols(path: str) -> bool:
    """Return whether a file is of a language whose symbols are indexed."""
    language = language_of(path)
    return language is not None and language.outline.indexed


def lexis_of(path: str) -> Lexis | None:
    """Return what comments and strings look like in the code of the file at ``path``; None where that is not known."""
    language = language_of(path)
    code = PARSED.get(language.rules) if language is not None else None
    return code.source.lexis if code is not None else None


def has_regions(path: str) -> bool:
    """Return whether the file at ``path`` may hold code of several languages, and other things than code."""
    language = language_of(path)
    return language is not None and language.source.regions is not None


def is_host(path: str) -> bool:
    """Return whether the file at ``path`` is of a kind of its own that holds code of a language: a page, a notebook."""
    language = language_of(path)
    return language is not None and bool(language.embeds)


def share_rules(path: str, other: str) -> bool:
    """Return whether two files hold code of one and the same language."""
    one, two = language_of(path), language_of(other)
    return one is two or (one is not None and two is not None and one.rules == two.rules)


def maybe_script(path: str) -> bool:
    """Return whether only the content of a file can say what language it is: its name has no extension that does."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return (dot < 0 and name not in _BY_FILENAME) or name[dot:].lower() in _BY_FRAGMENT


def language_in(path: str, content: bytes) -> Language | None:
    """Return the language of a file by its name and, where that leaves a choice, its content."""
    language = language_by_name(path)
    if language is None:
        return _language_of_script(content) or _language_of_fragment(path, content)
    return PARSED.get(language.files.dialect(path, content)) if language.files.dialect else language


def _language_of_fragment(path: str, content: bytes) -> Language | None:
    """Return the language of a file that others include, whose name does not tell it."""
    languages = _BY_FRAGMENT.get(path[path.rfind(".") :].lower(), ())
    found = (language.files.fragment(content) for language in languages if language.files.fragment is not None)
    return next((PARSED[name] for name in found if name in PARSED), None)


def _language_of_script(content: bytes) -> Language | None:
    """Return the language of what the first line of a script runs it with: a program, with or without a version.

    ``env`` runs what stands behind its options and variables.
    https://www.gnu.org/software/coreutils/manual/html_node/env-invocation.html
    """
    started = _FIRST_LINE.match(content)
    words = started[1].split() if started is not None else []
    program = words.pop(0).rpartition(b"/")[2] if words else b""
    while program == b"env" and words:
        word = words.pop(0)
        word = word[2:] if word.startswith(b"-S") else word.removeprefix(b"--split-string=")
        if word and not word.startswith(b"-") and b"=" not in word:
            program = word.rpartition(b"/")[2]
    return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(_VERSION.sub(b"", program))
