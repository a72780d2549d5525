"""A *focus*: the part of a code base that a caller cares about, as shares of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.questions.name_matches import Match
from leadline_tools.index.request_scope.file_selection import select
from leadline_tools.languages import semantics_of

_WORD = re.compile(r"\w+")
_MOST_WORDS = 8

_NAME, _MEMBER, _FOLDED, _PART, _PATH, _PATH_PART = 16.0, 12.0, 4.0, 1.0, 4.0, 1.0
"""How much it says of a file that it defines what is called by a word, outside of a type or in one, or so but for case,
or by more than the word; that it or a folder of it is called by the word, or by more."""

_HOLDING = 0.25
"""What files that merely hold all the words have, compared with all others together."""


@dataclass(frozen=True, slots=True)
class Focus:
    """What is in the focus: the shares of files, of one in all, and the names that are meant in them.

    Nothing at all has no files.
    """

    files: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, frozenset[str]] = field(default_factory=dict)


def focus_on(index: Index, asked: str) -> Focus:
    """Return what is meant by ``asked``; empty where nothing is like it."""
    if not asked.strip():
        return Focus()
    if paths := _code(_at(index, asked.strip())):
        return Focus(dict.fromkeys(paths, 1 / len(paths)))
    words = list(dict.fromkeys(_WORD.findall(asked)))[:_MOST_WORDS]
    matches = [_match(index, word) for word in words]
    if len(words) == 1 and _NAME in matches[0].files.values():
        [only] = matches
        matches = [_Match({path: value for path, value in only.files.items() if value == _NAME}, only.names)]
    shares: dict[str, float] = {}
    for path in {path for match in matches for path in match.files}:
        values = [match.files[path] for match in matches if path in match.files]
        shares[path] = sum(values) * (len(values) / len(words)) ** 2
    holding = _code(index.words.files_with(words, spelled=True)) if words else []
    whole = sum(shares.values()) or 1.0
    for path in holding:
        shares[path] = shares.get(path, 0.0) + _HOLDING * whole / len(holding)
    whole = sum(shares.values())
    names = {path: frozenset(_names(matches, path)) for path in shares}
    return Focus({path: share / whole for path, share in sorted(shares.items())}, names)


def _at(index: Index, path: str) -> Iterable[str]:
    """Return the files at a path, at the end of a path, or that match a glob; none where it is no such thing."""
    try:
        return select(index, path)
    except LeadlineError:
        return index.paths.ending(path)


@dataclass(frozen=True, slots=True)
class _Match:
    """The files that one word of a focus matches: how well, and the names in them that it matches."""

    files: Mapping[str, float]
    names: Mapping[str, Mapping[str, float]]


def _match(index: Index, word: str) -> _Match:
    """Return what a word matches."""
    lower = word.lower()
    files: dict[str, float] = {}
    names: dict[str, dict[str, float]] = {}
    for path in _code(path for path in index.files.paths if lower in path.lower()):
        parts = path.lower().partition(".")[0].split("/")
        files[path] = _PATH if lower in parts else _PATH_PART
    for hit in index.names.search(word, Match.Substring).hits:
        path, name = hit.file.path, hit.definition.name
        if name == word:
            value = _MEMBER if hit.definition.container else _NAME
        else:
            value = _FOLDED if hit.match is Match.Exact else _PART
        files[path] = max(files.get(path, 0.0), value)
        names.setdefault(path, {})[name] = value
    return _Match(files, names)


def _names(matches: Iterable[_Match], path: str) -> Iterator[str]:
    """Yield the names in a file that match best, by each of the words."""
    for match in matches:
        names = match.names.get(path, {})
        best = max(names.values(), default=0.0)
        yield from (name for name, value in names.items() if value == best)


def _code(paths: Iterable[str]) -> list[str]:
    """Return the files among ``paths`` that can define symbols."""
    return [path for path in paths if semantics_of(path) is not None]
