"""Kinds of files that hold no code: prose, markup without scripts, and data."""

from __future__ import annotations

import re

_LANGUAGES = frozenset({"css", "json", "markdown", "toml", "yaml"})
"""Languages with an outline whose files name no symbols of code."""

_EXTENSIONS = frozenset(
    {
        *(".adoc", ".asciidoc", ".bib", ".csv", ".diff", ".ipr", ".jsonl", ".lock", ".log", ".md", ".mo", ".patch"),
        *(".pem", ".po", ".pot", ".properties", ".rst", ".rtf", ".snap", ".srt", ".sum", ".svg", ".tex", ".texi"),
        *(".text", ".tsv", ".txt", ".xml", ".xsd"),
    }
)
"""Endings of files of no known language that hold text or data."""

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
    if dot > 0 and (name[dot:].lower() in _EXTENSIONS or _MANUAL.search(name) is not None):
        return True
    first = _FIRST_WORD.match(name)
    return first is not None and first[0].lower() in _NAMES and first[0] != name.lower()
