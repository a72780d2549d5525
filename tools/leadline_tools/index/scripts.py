"""Scripts that only their first line tells the language of, as the index knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from leadline_tools.index import postings
from leadline_tools.index.script_words import ANY_SCRIPT, script_words
from leadline_tools.languages import LANGUAGES

if TYPE_CHECKING:
    from leadline_tools.index.index import Index


def find_scripts(index: Index) -> Mapping[str, str]:
    """Return the names of the languages of the scripts whose symbols are indexed, by their paths."""
    connection = index.database.connection()
    if not postings.holding(connection, "names", (ANY_SCRIPT,), 1):
        return {}
    languages = (language.name for language in LANGUAGES.values() if language.interpreters or language.fragments)
    return {
        path: language
        for language in languages
        for path in index.paths_of(postings.holding(connection, "names", script_words(language)))
    }
