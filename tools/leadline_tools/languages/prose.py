"""Kinds of files that hold no code: prose, markup without scripts, and data."""

from __future__ import annotations

import re

_LANGUAGES = frozenset({"css", "json", "less", "markdown", "scss", "toml", "yaml"})
"""Languages with an outline whose files name no symbols of code."""

_EXTENSIONS = frozenset(
    {
        *(".adoc", ".asciidoc", ".bib", ".cer", ".crt", ".csv", ".diff", ".eml", ".har", ".ipr", ".jsonl", ".less"),
        *(".lock", ".log", ".md", ".mo", ".nfo", ".patch", ".pdf", ".pem", ".po", ".pot", ".properties", ".rst"),
        *(".rtf", ".sass", ".scss", ".snap", ".srt", ".sum", ".svg", ".tex", ".texi", ".text", ".tsv", ".txt", ".vtt"),
        *(".words", ".xlf", ".xliff", ".xml", ".xsd"),
    }
)
"""Endings of files of no known language that hold text or data."""

_SETTINGS = frozenset(
    {
        *(".dockerignore", ".editorconfig", ".eslintignore", ".gitattributes", ".gitignore", ".gitkeep", ".gitmodules"),
        *(".hgignore", ".ignore", ".mailmap", ".npmignore", ".prettierignore", ".stylelintignore"),
    }
)
"""Names of files that hold patterns of paths and other settings without names of code."""

_MANUAL = re.compile(r"\.[1-9](?:[mpx]|pm)?(?:\.in)?\Z")
"""The section of a manual page as its ending, https://man7.org/linux/man-pages/man7/man-pages.7.html."""

_NAMES = frozenset("authors changelog changes copying credits license licence maintainers news notice readme".split())
"""Names of files that hold text, up to the first sign that is no letter (``ChangeLog-2019``). A program may be called
so in small letters."""

_FIRST_WORD = re.compile(r"[^\W\d_]*")


def is_prose(path: str, language: str) -> bool:
    """Return whether a file holds no code, by its path and the name of its language; ``text`` for an unknown one."""
    if language != "text":
        return language in _LANGUAGES
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    if name in _SETTINGS:
        return True
    if dot > 0 and (name[dot:].lower() in _EXTENSIONS or _MANUAL.search(name) is not None):
        return True
    first = _FIRST_WORD.match(name)
    return first is not None and first[0].lower() in _NAMES and first[0] != name.lower()
