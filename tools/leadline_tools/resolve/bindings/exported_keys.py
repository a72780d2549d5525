"""Keys of the object that a module of CommonJS exports: ``module.exports = { Node: Node }``.

A use of the member in another file means what the key is given, and its declaration is the key: an answer names both.
Where all keys are shorthands they are other names for what they give away, and none is a declaration of its own.
"""

from __future__ import annotations

import re

from leadline_tools.index.index import Index
from leadline_tools.languages import lexis_of, semantics_of
from leadline_tools.languages.lists import end_of_list
from leadline_tools.model import Role
from leadline_tools.resolve.addresses.file_position import FilePosition, parse_position
from leadline_tools.resolve.addresses.used_names import uses_at
from leadline_tools.resolve.question import asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol

_WHOLE = "exports"
_EXPORTED = re.compile(r"(?<![\w$.])module\.exports\s*=\s*(?=\{)")
_KEY = r"(?:^|(?<=[{{,]))\s*(?P<key>{})\s*(?P<given>:\s*[\w$.]+\s*)?(?=[,}}]|$)"
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def exported_key(index: Index, address: str, target: DefinedSymbol) -> FilePosition | None:
    """Return the key by which a module exports the symbol that a name at ``path:line:column`` means.

    None for a name that means it in another way, and for an address that is no place.
    """
    place, path = parse_position(index, address), target.path
    semantics = semantics_of(path)
    if place is None or not place.column or semantics is None or _WHOLE not in semantics.imports.whole_exports:
        return None
    source = index.try_read(path)
    text = source.text if source is not None else ""
    exported = _EXPORTED.search(text)
    if exported is None:
        return None
    with asking(index.of(place.path), ahead=False) as question:
        names = [name for name, use, _ in uses_at(index, question, place) if use.role is not Role.Definition]
    end = exported.end() + end_of_list(text[exported.end() :], lexis_of(path))
    blank = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text[exported.end() : end])
    found = re.search(_KEY.format(re.escape(names[0])), blank) if names else None
    if found is None or (found["given"] is None and ":" not in blank):
        return None
    at = exported.end() + found.start("key")
    key = FilePosition(path, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
    if key.line in {one.line for one in target.definitions}:
        return None  # a function that is written there is the symbol
    return key if place.path != path or (place.line, place.column) == (key.line, key.column) else None
