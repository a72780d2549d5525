"""Where ripgrep finds names as whole words, in files that are given to it one by one so that it ignores none."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from accounting.answers import Place

_COMMAND = (
    *("rg", "--no-config", "-uuu", "--text", "--word-regexp", "--fixed-strings", "--only-matching", "--line-number"),
    *("--column", "--with-filename", "--null", "--no-heading", "--color=never", "--no-messages", "--crlf"),
)
_ARGUMENT_BYTES = 1_000_000
"""Bytes of paths that one command takes."""

_SNIFFED = 8 * 1024
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
"""Byte order marks: what begins with one is text although it holds zeros."""


class Tokens:
    """The tokens of some names in some files of a tree."""

    def __init__(self, root: Path, names: Iterable[str], paths: Sequence[str]) -> None:
        self._root = root
        self._places: dict[str, list[Place]] = defaultdict(list)
        wanted = sorted(set(names))
        # A name with other characters than those of words may overlap another, and is looked for by itself.
        plain = [name for name in wanted if name.isidentifier()]
        odd = [[name] for name in wanted if not name.isidentifier()]
        for group in (*_apart(plain), *odd):
            for batch in _batches(paths):
                for place, name in self._found(group, batch):
                    self._places[name].append(place)

    def of(self, name: str) -> Sequence[Place]:
        """Return the places of a name."""
        return self._places[name]

    def _found(self, names: Sequence[str], paths: Sequence[str]) -> Iterator[tuple[Place, str]]:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as patterns:
            patterns.write("\n".join(names) + "\n")
            patterns.flush()
            command = [*_COMMAND, "-f", patterns.name, "--", *paths]
            with subprocess.Popen(command, cwd=self._root, stdout=subprocess.PIPE, env=_environment()) as process:
                rows = map(_row, process.stdout or ())
                for path, found in groupby(rows, key=lambda row: row[0]):
                    yield from self._in_characters(os.fsdecode(path), found)
            if process.returncode > 1:
                raise subprocess.CalledProcessError(process.returncode, command[:-1])

    def _in_characters(self, path: str, rows: Iterable[tuple[bytes, int, int, bytes]]) -> Iterator[tuple[Place, str]]:
        """Yield places with columns in characters: ripgrep counts bytes of UTF-8."""
        lines = _lines(self._root / path)
        for _, line, column, name in rows:
            characters = _characters(lines[line - 1][: column - 1]) if lines is not None else column - 1
            yield Place(path, line, characters + 1), name.decode(errors="replace")


def _apart(names: Iterable[str]) -> list[list[str]]:
    """Return names in groups, in none of which a name is part of another.

    Of those ripgrep 13 finds the shorter one at the end of the longer one too.
    """
    groups: list[list[str]] = []
    for name in names:
        apart = (group for group in groups if not any(name in other or other in name for other in group))
        group = next(apart, None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return groups


def textual(root: Path, paths: Iterable[str]) -> list[str]:
    """Return the files that hold text: no zero in their first 8 KiB, as git decides, or a byte order mark."""
    return [path for path in paths if _is_text(root / path)]


def _is_text(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            beginning = file.read(_SNIFFED)
    except OSError:
        return False
    return beginning.startswith(_MARKS) or b"\0" not in beginning


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    batch: list[str] = []
    size = 0
    for path in paths:
        batch.append(path)
        size += len(os.fsencode(path)) + 1
        if size > _ARGUMENT_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _row(line: bytes) -> tuple[bytes, int, int, bytes]:
    path, _, rest = line.rstrip(b"\r\n").partition(b"\0")
    number, column, name = rest.split(b":", 2)
    return path, int(number), int(column), name


@lru_cache(maxsize=4)
def _lines(path: Path) -> Sequence[bytes] | None:
    """Return the lines of a file as ripgrep sees them; None where characters are bytes, as in nearly all files."""
    raw = path.read_bytes()
    if raw.isascii():
        return None
    if raw.startswith(_MARKS[1:]):
        raw = raw.decode("utf-16", errors="replace").encode()
    return raw.removeprefix(_MARKS[0]).split(b"\n")


def _characters(line: bytes) -> int:
    """Return how many characters the beginning of a line has; what is no UTF-8 has one for each byte."""
    try:
        return len(line.decode())
    except UnicodeDecodeError:
        return len(line)


def _environment() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C.UTF-8"}
