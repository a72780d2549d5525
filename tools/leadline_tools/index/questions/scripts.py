"""Scripts that only their first line tells the language of, as the index knows them."""

from __future__ import annotations

from collections.abc import Mapping

from leadline_tools.index.packing.script_words import ANY_SCRIPT, script_words
from leadline_tools.index.questions.view import IndexView
from leadline_tools.index.store.rows import Words
from leadline_tools.languages import LANGUAGES


def find_scripts(index: IndexView) -> Mapping[str, str]:
    """Return the names of the languages of the scripts whose symbols are indexed, by their paths."""
    if not index.rows.holding(Words.Names, (ANY_SCRIPT,), 1):
        return {}
    languages = (
        language.name for language in LANGUAGES.values() if language.files.interpreters or language.files.fragments
    )
    return {
        path: language
        for language in languages
        for path in index.files.paths_of(index.rows.holding(Words.Names, script_words(language)))
    }
