"""An edit of a name: the occurrence that gets the new name, and the text that replaces it."""

from __future__ import annotations

from dataclasses import dataclass

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.lazy_regex import lazy_compile

_MEMBERS_BEFORE = lazy_compile(r"(?<![\w.])(?:\w+\.)+$")
"""The names before a member that it is a member of."""


@dataclass(frozen=True, slots=True)
class NameEdit:
    """An occurrence that gets the new name, 1-based, columns in code points; ``text`` replaces the name ``old``."""

    line: int
    column: int
    end_column: int
    old: str
    text: str


def split_edit(index: Index, path: str, use: Use, name: str, key: str, value: str) -> NameEdit:
    """Return the edit of a name that was a key and a value at once, with both; Ruby has the colon behind it."""
    source = index.try_read(path)
    line = source.lines()[use.line - 1] if source is not None else ""
    colon = ":" if line[use.end_column - 1 : use.end_column] == ":" else ""
    semantics = semantics_of(path)
    sign = semantics.uses.key_sign if semantics is not None else ": "
    return NameEdit(use.line, use.column, use.end_column + len(colon), f"{name}{colon}", f"{key}{sign}{value}")


def keyed_edit(index: Index, path: str, use: Use, name: str, new: str) -> NameEdit | None:
    """Return the edit of a member that gives another its name, ``new { a.b }``; None where what it is of is no name."""
    source, semantics = index.try_read(path), semantics_of(path)
    line = source.lines()[use.line - 1] if source is not None else ""
    before = _MEMBERS_BEFORE.search(line[: use.column - 1])
    if semantics is None or before is None:
        return None
    of = before[0]
    text = f"{name}{semantics.uses.key_sign}{of}{new}"
    return NameEdit(use.line, use.column - len(of), use.end_column, f"{of}{name}", text)


def shortened_edit(index: Index, path: str, facts: Facts, use: Use, new: str) -> NameEdit | None:
    """Return the edit of a key and a value that become equal: one name stands for both from then on."""
    pair = next((one for one in facts.pairs if one.line == use.line and use.column in (one.key, one.value)), None)
    source = index.try_read(path) if pair is not None else None
    if pair is None or source is None:
        return None
    line = source.lines()[pair.line - 1]
    old = line[pair.key - 1 : pair.end - 1]
    key, _, value = (part.strip() for part in old.partition(":"))
    other = value if use.column == pair.key else key
    return NameEdit(pair.line, pair.key, pair.end, old, new) if other == new else None
