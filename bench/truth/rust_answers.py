"""Answers from what the Rust compiler has written down of a crate; see ``program``.

    python rust_answers.py ANALYSIS ROOT VERSION

Each answer has two lists: the places that mean the symbol, by its name or by one under which it is imported, and those
at which one of these names stands and of which the compiler says nothing.
"""

from __future__ import annotations

import json
import posixpath
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

Place = tuple[str, int, int]
Id = tuple[int, int]

_NAME = re.compile(r"[^\W\d]\w*")


def main() -> None:
    """Read what was written down, then answer place after place."""
    analysis, root, version = sys.argv[1:]
    data = json.loads(Path(analysis).read_bytes())
    inside = [[one for one in data[what] if not _path(one).startswith("..")] for what in ("defs", "refs", "imports")]
    definitions, references, imports = inside
    defined = {_place(one): (_id(one["id"]), str(one["name"])) for one in definitions}
    meant: dict[Id, set[Place]] = defaultdict(set)
    aliases: dict[Id, set[str]] = defaultdict(set)
    for one in imports:
        if one["ref_id"] is not None and _NAME.fullmatch(one["name"]):
            aliases[_id(one["ref_id"])].add(one["name"])
    for one in (*references, *imports):
        if one["ref_id"] is not None:
            meant[_id(one["ref_id"])].add(_place(one))
    for place, (key, _) in defined.items():
        meant[key].add(place)
    known = frozenset().union(*meant.values(), defined)
    files = sorted({place[0] for place in known})
    print(json.dumps({"version": version, "files": files}), flush=True)
    for line in sys.stdin:
        path, number, column = json.loads(line)
        key, name = defined.get((path, number, column), ((-1, -1), ""))
        names = {name, *aliases[key]} if name else set[str]()
        places = sorted(one for one in meant[key] if _word_at(Path(root), one) in names)
        unseen = [
            one for each in sorted(names) for one in _standing(Path(root), tuple(files), each) if one not in known
        ]
        print(json.dumps((places, unseen)), flush=True)


def _id(said: Any) -> Id:
    return said["krate"], said["index"]


def _place(one: Any) -> Place:
    span = one["span"]
    return _path(one), span["line_start"], span["column_start"]


def _path(one: Any) -> str:
    """Return the path of the file, in the tree; what is compiled from beside it begins with ``..``."""
    return posixpath.normpath(str(one["span"]["file_name"]))


def _word_at(root: Path, place: Place) -> str:
    """Return the name that stands at a place: a group that is imported is told where the whole begins."""
    path, number, column = place
    found = _NAME.match(_lines(root / path)[number - 1], column - 1)
    return found[0] if found is not None else ""


def _standing(root: Path, files: tuple[str, ...], name: str) -> Iterator[Place]:
    """Yield where a name stands as a word."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    for path in files:
        for number, line in enumerate(_lines(root / path), 1):
            for found in word.finditer(line) if name in line else ():
                yield path, number, found.start() + 1


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")


if __name__ == "__main__":
    main()
