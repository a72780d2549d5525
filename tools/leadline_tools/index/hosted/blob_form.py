"""The form of a blob: in which a content is read, with its kind and the rules by which it is parsed."""

from __future__ import annotations

from enum import IntEnum

from leadline_tools.errors import SecretFile, TooLarge
from leadline_tools.index.indexing.texts import LARGEST_TEXT
from leadline_tools.index.store.fingerprint import fingerprint
from leadline_tools.index.text.secret_files import SecretPolicy
from leadline_tools.languages import language_by_name, telling_name

UNREAD = "(not read)"
"""The form of a file that is secret by its path, so that nothing of its content is ever kept."""


class ContentKind(IntEnum):
    """What a content is."""

    Text = 0
    Binary = 1
    Secret = 2
    """A text that is not read, because of its path or of what it holds."""

    Large = 3
    """A text that is too large for its words to be indexed."""


def form_of(path: str, policy: SecretPolicy) -> str:
    """Return the form of a file: files of one content and one form have the same symbols, words and facts.

    It is the part of the name that tells the language. Where files have code of other languages inside them, the whole
    name counts: a component may be called like its file.
    """
    if policy.is_secret(path):
        return UNREAD
    language = language_by_name(path)
    hosts = language is not None and language.source.regions is not None
    form = path[path.rfind("/") + 1 :] if hosts else telling_name(path)
    return f"{form} with keys" if policy.shows(path) else form


def rules_of(policy: SecretPolicy) -> str:
    """Return what names the rules by which contents are read and parsed: blobs of other rules are other blobs."""
    return f"{fingerprint()} {policy.name}".strip()


def error_of(path: str, kind: int, size: int, error: str) -> str:
    """Return why something of a file is missing, by the kind of its content and what its parser said."""
    match kind:
        case ContentKind.Secret:
            return str(SecretFile(path))
        case ContentKind.Large:
            return error or str(TooLarge(path, size, LARGEST_TEXT))
        case _:
            return error
