"""Scripts that only their first line tells the language of, as the index knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from leadline_tools.index.store.rows import Words
from leadline_tools.languages import LANGUAGES

if TYPE_CHECKING:
    from leadline_tools.index.index import Index

_ANY = "0_script"
"""The word by which the index knows all scripts. No name that a file defines is like it."""


def tokens(language: str) -> tuple[str, str]:
    """Return the words by which the index knows a script in a language."""
    return _ANY, f"{_ANY}_{language}"


def find_scripts(index: Index) -> Mapping[str, str]:
    """Return the names of the languages of the scripts whose symbols are indexed, by their paths."""
    if not index.rows.holding(Words.Names, (_ANY,), 1):
        return {}
    languages = (language.name for language in LANGUAGES.values() if language.interpreters or language.fragments)
    return {
        path: language
        for language in languages
        for path in index.paths_of(index.rows.holding(Words.Names, tokens(language)))
    }
