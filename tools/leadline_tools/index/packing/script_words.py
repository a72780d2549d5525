"""The words by which the index knows scripts that only their first line tells the language of.

They stand in a module of their own, which workers import: what finds the scripts needs the database.
"""

from __future__ import annotations

ANY_SCRIPT = "0_script"
"""The word by which the index knows all scripts. No name that a file defines is like it."""


def script_words(language: str) -> tuple[str, str]:
    """Return the words by which the index knows a script in a language."""
    return ANY_SCRIPT, f"{ANY_SCRIPT}_{language}"
