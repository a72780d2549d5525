"""The code of a notebook: https://nbformat.readthedocs.io/en/latest/format_description.html.

A notebook is JSON, and the lines of a cell are strings in it. What has no escape is there word for word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from leadline_tools.languages.regions import Regions, Writer
from leadline_tools.lazy_regex import lazy_compile

_TOKEN = lazy_compile(rb"\"(?>(?:[^\"\\]++|\\.)*)(?:\"|\\?\Z)|[][{}:,]|[^\s\"][^][{}:,\"]*+", re.DOTALL)
_ESCAPE = lazy_compile(rb"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {b"\\n": b"\n", b"\\t": b"\t", b"\\r": b"\r", b"\\b": b"\b", b"\\f": b"\f"}
_LINES = lazy_compile(rb"(?>(?:[^\\]++|\\[^n])*)(?:\\n|\Z)", re.DOTALL)
_MAGIC = lazy_compile(rb"(?P<indent>(?>(?:[ ]|\\t)*))(?:[%!?]|[\w.]+\?{1,2}(?:\\n|\Z))")
_GIVEN = lazy_compile(rb"[ ]*[A-Za-z_][\w, ]*=[ ]*(?=[!%])")
_CELL_MAGIC = lazy_compile(rb"\s*%%(?P<name>\w+)")
_PYTHON_CELLS = frozenset(b"time timeit capture prun debug".split())
"""Magics of a whole cell that run it as it stands: https://ipython.readthedocs.io/en/stable/interactive/magics.html."""

_CONSOLE = frozenset(b"python python3 ipython ipython3".split())


class _Cell(NamedTuple):
    """A cell: whether it is code, the spans of the strings of its source without quotes, and its own span."""

    is_code: bool
    strings: list[tuple[int, int]]
    start: int
    end: int


class _Notebook(NamedTuple):
    cells: list[_Cell]
    languages: list[bytes]


def unescape_words(content: str) -> str:
    r"""Return the text of a notebook with its escapes of line ends and tabs as blanks: ``\nname`` is no word."""
    return content.replace("\\n", " ").replace("\\t", " ")


def regions(_path: str, content: bytes) -> Regions:
    """Return the regions of a notebook: its cells of code, where the notebook says that they are Python."""
    notebook = _read(content)
    writer = Writer(content)
    cells: list[tuple[int, int, str]] = []
    is_python = any(name.lower() in _CONSOLE for name in notebook.languages)
    for number, cell in enumerate(notebook.cells, 1):
        if not cell.is_code:
            continue
        cells.append((cell.start, cell.end, f"cell {number}"))
        first = content[slice(*cell.strings[0])] if cell.strings else b""
        magic = _CELL_MAGIC.match(first)
        if not is_python or (magic is not None and magic["name"] not in _PYTHON_CELLS):
            for start, end in cell.strings:
                writer.leave(start, end)
            continue
        goes_on = False
        for start, end in _lines(content, cell):
            goes_on = _write_line(writer, start, end, is_magic=goes_on)
        writer.write(b"\n")
    return writer.regions("python" if is_python else "", cells)


def _lines(content: bytes, cell: _Cell) -> Iterator[tuple[int, int]]:
    """Yield the spans of the lines of a cell; a string may hold several."""
    for start, end in cell.strings:
        for found in _LINES.finditer(content, start, end):
            if found.end() > found.start():
                yield found.span()


def _write_line(writer: Writer, start: int, end: int, *, is_magic: bool) -> bool:
    """Write a line of a cell; return whether the next one belongs to a magic that this one is part of."""
    goes_on = writer.content[start:end].endswith((b"\\\\\\n", b"\\\\"))
    magic = _MAGIC.match(writer.content, start, end)
    if is_magic or magic is not None:  # no Python; a block may hold nothing else
        indent = magic["indent"].replace(b"\\t", b"\t") if magic is not None and not is_magic else b""
        writer.write(b"" if is_magic else indent + b"pass\n")
        writer.leave(start, end)
        return goes_on
    given = _GIVEN.match(writer.content, start, end)
    if given is not None:  # what a command prints
        writer.copy(start, given.end())
        writer.write(b"None\n")
        writer.leave(given.end(), end)
        return goes_on
    at = start
    for found in _ESCAPE.finditer(writer.content, start, end):
        writer.copy(at, found.start())
        writer.write(_unescape(found[0]))
        at = found.end()
    writer.copy(at, end)
    return False


def _unescape(escape: bytes) -> bytes:
    if escape[1:2] == b"u" and len(escape) > 2:
        return chr(int.from_bytes(bytes.fromhex(escape[2:].decode()))).encode("utf-8", "replace")
    return _ESCAPED.get(escape, escape[1:])


def _read(content: bytes) -> _Notebook:
    """Return the cells of a notebook, and what it calls their language."""
    reader = _Reader(content)
    for found in _TOKEN.finditer(content):
        reader.take(found)
    return _Notebook(reader.cells, reader.languages)


class _Reader:
    """Follows the tokens of JSON: the keys on the way down, as far as a notebook needs them."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._path: list[bytes] = []
        self._objects: list[bool] = []
        self._key = b""
        self._expects_key = False
        self._is_code = False
        self._strings: list[tuple[int, int]] = []
        self._start = 0
        self.cells: list[_Cell] = []
        self.languages: list[bytes] = []

    def take(self, found: re.Match[bytes]) -> None:
        """Take the next token."""
        sign = found[0][:1]
        if sign in (b"{", b"["):
            self._open(sign == b"{", found.start())
        elif sign in (b"}", b"]"):
            self._close(found.end())
        elif sign == b",":
            self._expects_key = bool(self._objects) and self._objects[-1]
        elif sign == b":":
            self._expects_key = False
        elif sign == b'"':
            self._string(found.start() + 1, max(found.start() + 1, found.end() - 1))

    def _open(self, is_object: bool, at: int) -> None:
        self._path.append(self._key)
        self._objects.append(is_object)
        self._key, self._expects_key = b"", is_object
        if is_object and self._path == [b"", b"cells", b""]:
            self._is_code, self._strings, self._start = False, [], at

    def _close(self, at: int) -> None:
        if not self._path:
            return
        if self._objects[-1] and self._path == [b"", b"cells", b""]:
            self.cells.append(_Cell(self._is_code, self._strings, self._start, at))
        self._key = self._path.pop()
        self._objects.pop()
        if self._objects and not self._objects[-1]:
            self._key = b""

    def _string(self, start: int, end: int) -> None:
        text = self._content[start:end] if end - start < 100 else b""
        if self._expects_key:
            self._key, self._expects_key = text, False
            return
        match self._path:
            case [b"", b"cells", b""] if self._key == b"cell_type":
                self._is_code = text == b"code"
            case [b"", b"cells", b""] if self._key == b"source":
                self._strings.append((start, end))
            case [b"", b"cells", b"", b"source"]:
                self._strings.append((start, end))
            case [b"", b"metadata", b"kernelspec"] if self._key in (b"language", b"name"):
                self.languages.append(text)
            case [b"", b"metadata", b"language_info"] if self._key == b"name":
                self.languages.append(text)
            case _:
                pass
