"""Packed relations: what files say of types and names in other files, found by words of their own.

Which files have a type that inherits from one of some name, and which give a name another, is found in the table of
names, under words that no name is like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from leadline_tools import deflated
from leadline_tools.languages.relations import Relations, with_original_names
from leadline_tools.languages.rules.imports import MEMBERS, Imported
from leadline_tools.languages.rules.members import Subtype
from leadline_tools.languages.unparsed_names import UnparsedName

FORMAT = 3
"""Part of the key of the index: a change here has old indexes rebuilt."""

UNPARSED = "0_unparsed"
"""The word by which the index knows the files in which lines that did not parse may declare something."""

_NO_WORD = re.compile(r"\W")
_MOST_KEPT = 5_000

_SHORT = 400
"""Bytes that are kept as they are: to make them fewer would take as long as all the rest."""

_PLAIN = b"\1"
"""What begins those that are; no zlib stream does."""


@lru_cache(_MOST_KEPT)
def base_token(name: str) -> str:
    """Return the word by which the index knows the files with a type that inherits from one of that name."""
    return f"0_inherits_{_NO_WORD.sub('_', name).lower()}"


@lru_cache(_MOST_KEPT)
def alias_token(name: str) -> str:
    """Return the word by which the index knows the files in which what has that name gets another."""
    return f"0_renames_{_NO_WORD.sub('_', name).lower()}"


@lru_cache(_MOST_KEPT)
def unparsed_token(name: str) -> str:
    """Return the word by which the index knows the files in which lines that did not parse may declare a name."""
    return f"0_unparsed_{_NO_WORD.sub('_', name).lower()}"


def renames(imported: Imported) -> bool:
    """Return whether an import or export gives something another name; a member that a type takes is no import."""
    named = bool(imported.alias) and imported.name not in ("", "*", imported.alias)
    return named and imported.space != MEMBERS


def tokens(relations: Relations) -> Iterable[str]:
    """Return the words by which a file is found."""
    bases = {name for some in (relations.subtypes, relations.unparsed) for one in some for name in one.bases}
    unparsed = {unparsed_token(one.name) for one in relations.unparsed if one.name}
    renamed = {alias_token(one.name) for one in relations.imports if renames(one)}
    return [*map(base_token, bases), *renamed, *unparsed, *([UNPARSED] if unparsed else [])]


def packed(relations: Relations) -> bytes:
    """Return what a file says in few bytes; nothing for nothing."""
    if not (relations.subtypes or relations.imports or relations.unparsed):
        return b""
    subtypes = "\n".join(["\t".join((one.path, *one.bases)) for one in relations.subtypes])
    imports = "\n".join(["\t".join(_columns(one)) for one in relations.imports])
    unparsed = "\n".join(["\t".join((one.name, str(one.line), *one.bases)) for one in relations.unparsed])
    text = f"{subtypes}\0{imports}\0{unparsed}".encode("utf-8", "replace")
    return deflated.compress(text) if len(text) > _SHORT else _PLAIN + text


def _columns(imported: Imported) -> Sequence[str]:
    """Return the columns of an import, without those at the end that mostly are the same."""
    module, name, alias = imported.module, imported.name, imported.alias
    if imported.exports or imported.space:
        return module, name, alias, "x" if imported.exports else "", imported.space
    return (module, name) if alias == name else (module, name, alias)


def unpacked(blob: bytes) -> Relations:
    """Return what was packed; raises ValueError for what is damaged."""
    text = blob[1:] if blob.startswith(_PLAIN) else deflated.decompress(blob)
    subtypes, imports, unparsed = text.decode().split("\0")
    return Relations(
        [Subtype(path, tuple(bases)) for path, *bases in _rows(subtypes)],
        [_imported(row) for row in _rows(imports)],
        [UnparsedName(name, int(line), tuple(bases)) for name, line, *bases in _rows(unparsed)],
    )


def _rows(lines: str) -> Iterable[list[str]]:
    return (line.split("\t") for line in lines.split("\n")) if lines else ()


def _imported(row: Sequence[str]) -> Imported:
    module, name, *rest = row
    alias, exports, space = (*rest, "", "")[:3] if rest else (name, "", "")
    return Imported(module, name, alias, bool(exports), space)


def complete(relations: Relations) -> Relations:
    """Return relations with what the bases of types are called where they are imported from."""
    return relations._replace(subtypes=with_original_names(relations))
