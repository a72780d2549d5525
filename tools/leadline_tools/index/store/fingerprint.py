"""What an index depends on besides the files: where that changes, it is made anew."""

from __future__ import annotations

import hashlib
import importlib.metadata
from importlib import resources

from leadline_tools.index.packing import packed_facts, packed_relations, packed_symbols
from leadline_tools.index.text import encodings, secrets
from leadline_tools.languages import PARSED

SCHEMA_VERSION = 11

RULES = "leadline_tools.languages"
"""The package whose modules say what defines and what is used: what they said is in the index."""


def fingerprint() -> str:
    """Return what an index depends on besides the files: the layout, the packing, the grammars, all rules."""
    grammars = sorted({language.grammar[0].partition(".")[0].replace("_", "-") for language in PARSED.values()})
    versions = ",".join(f"{name}={importlib.metadata.version(name)}" for name in ("tree-sitter", *grammars))
    said = hashlib.sha256(versions.encode() + secrets.RULES + encodings.rules() + _rules())
    formats = (SCHEMA_VERSION, packed_symbols.FORMAT, packed_facts.FORMAT, packed_relations.FORMAT)
    return f"{'.'.join(map(str, formats))}:{said.hexdigest()[:16]}"


def _rules() -> bytes:
    """Return a digest of all that the languages say."""
    modules = (file for file in resources.files(RULES).iterdir() if file.name.endswith(".py"))
    sources = [file.read_bytes() for file in sorted(modules, key=lambda file: file.name)]
    return hashlib.sha256(b"\0".join(sources)).digest()
