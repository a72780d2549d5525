"""Definitions of one name of which a build takes one: of the linker, or of headers in branches that exclude each other.

An identifier with external linkage has one definition in a program (C11 6.9#5, [basic.def.odr]); a tree has one for
each system that it is built for.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from leadline_tools.index.index import Index
from leadline_tools.languages.outline import Definition
from leadline_tools.model import SymbolKind

_FAMILY = (".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh")
_LINKED = frozenset({SymbolKind.Function, SymbolKind.Variable})
_STATIC = re.compile(r"[^(={]*?(?:^|\s)static\s|#")
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif|include)\b[ \t]*(?:[<\"]([^>\"\n]+)[>\"])?", re.MULTILINE
)


def are_alternatives(index: Index, places: Collection[tuple[str, int]], name: str) -> bool:
    """Return whether definitions at places by path and line are those of one symbol for several builds."""
    found = [(path, one) for path, line in places for one in _defined(index, path, line, name)]
    if len({path for path, _ in found}) != len({path for path, _ in places}) or len({d.path for _, d in found}) != 1:
        return False
    if not all(path.endswith(_FAMILY) for path, _ in found):
        return False
    if all(one.kind in _LINKED and not _is_internal(index, path, one) for path, one in found):
        return len(found) == len({path for path, _ in found})
    paths = sorted({path for path, _ in found})
    if len(paths) == 1:
        text = index.read(paths[0]).content.decode("utf-8", "replace")
        around = [_around(text, one.line) for _, one in found]
        return all(_are_exclusive(one, other) for one, other in combinations(around, 2))
    return all(_exclude_each_other(index, pair) for pair in combinations(paths, 2))


def _defined(index: Index, path: str, line: int, name: str) -> Iterable[Definition]:
    return [one for one in index.symbols.definitions(index.read(path)) if one.line == line and one.name == name]


def _is_internal(index: Index, path: str, definition: Definition) -> bool:
    head = index.read(path).content[slice(*definition.signature)].decode("utf-8", "replace")
    return _STATIC.match(head) is not None


def _exclude_each_other(index: Index, pair: Sequence[str]) -> bool:
    """Return whether a file includes two others in different branches of one conditional."""
    one, other = (path.rpartition("/")[2] for path in pair)
    for path in index.files.paths:
        if path.endswith(_FAMILY) and path not in pair:
            branches = _branches(index.read(path).content.decode("utf-8", "replace"))
            if any(_are_exclusive(a, b) for a in branches.get(one, ()) for b in branches.get(other, ())):
                return True
    return False


def _are_exclusive(one: Mapping[int, int], other: Mapping[int, int]) -> bool:
    return any(one.get(at, number) != number for at, number in other.items())


def _around(text: str, line: int) -> Mapping[int, int]:
    """Return the branches around a line."""
    before = "\n".join(text.split("\n")[: line - 1])
    return next(iter(_branches(f'{before}\n#include "a line of the tree"\n')["a line of the tree"]))


def _branches(text: str) -> Mapping[str, Sequence[Mapping[int, int]]]:
    """Return for each include, by the last part of its path, the branches around it: their numbers by conditional."""
    found: dict[str, list[Mapping[int, int]]] = {}
    around: dict[int, int] = {}
    for directive in _DIRECTIVE.finditer(text):
        match directive[1]:
            case "include":
                if directive[2]:
                    found.setdefault(directive[2].rpartition("/")[2], []).append(dict(around))
            case "elif" | "else":
                if around:
                    around[next(reversed(around))] += 1
            case "endif":
                if around:
                    around.popitem()
            case _:
                around[directive.start()] = 0
    return found
