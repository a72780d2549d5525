"""Kinds of files that hold no code: prose, markup without scripts, and data."""

from __future__ import annotations

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

_NAMES = frozenset("AUTHORS CHANGELOG CHANGES COPYING CREDITS LICENSE MAINTAINERS NEWS README".split())
"""Names, without an ending, of files that hold text."""


def is_prose(path: str, language: str) -> bool:
    """Return whether a file holds no code, by its path and the name of its language; ``text`` for an unknown one."""
    if language != "text":
        return language in _LANGUAGES
    name = path[path.rfind("/") + 1 :]
    dot = name.rfind(".")
    return name[dot:].lower() in _EXTENSIONS if dot > 0 else name in _NAMES
