"""The fingerprint of what an index depends on besides the files: where it changes, the index is rebuilt."""

from __future__ import annotations

import hashlib
import importlib.metadata
from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from leadline_tools.index.packing import packed_facts, packed_relations, packed_symbols
from leadline_tools.index.text import encodings, key_masking, secret_files
from leadline_tools.languages import PARSED

SCHEMA_VERSION = 12

RULES = "leadline_tools.languages"
"""The package whose modules say what defines and what is used: what they said is in the index."""


def fingerprint() -> str:
    """Return what an index depends on besides the files: the layout, the packing, the grammars, all rules."""
    said = hashlib.sha256(
        _versions() + secret_files.RULES + key_masking.RULES + encodings.rules() + _digest_of_package(RULES)
    )
    formats = (SCHEMA_VERSION, packed_symbols.FORMAT, packed_facts.FORMAT, packed_relations.FORMAT)
    return f"{'.'.join(map(str, formats))}:{said.hexdigest()[:16]}"


@cache  # 20 ms, for each index that a process opens
def _versions() -> bytes:
    """Return the versions of the parser and of all grammars."""
    grammars = sorted({language.grammar[0].partition(".")[0].replace("_", "-") for language in PARSED.values()})
    return ",".join(f"{name}={importlib.metadata.version(name)}" for name in ("tree-sitter", *grammars)).encode()


@cache
def _digest_of_package(name: str) -> bytes:
    """Return a digest of the sources of a package."""
    return hashlib.sha256(b"\0".join(_sources(resources.files(name)))).digest()


def _sources(folder: Traversable) -> Iterator[bytes]:
    """Yield the sources of the modules in a folder and in those below it, in the order of their names."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry)
        elif entry.name.endswith(".py"):
            yield entry.read_bytes()
