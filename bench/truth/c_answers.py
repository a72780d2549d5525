"""References by libclang, of every place that a line of the input names; see program.py. Runs where libclang is.

    python c_answers.py ROOT [definitions]

ROOT holds a ``compile_commands.json``. A symbol is what has one USR in all translation units; a macro is what is
defined at one place. Other declarations of a symbol are given as its places too, in a list of their own. With
``definitions`` a place is answered with every declaration of what stands there, null for what is outside of ROOT.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any, ClassVar

cindex: Any = importlib.import_module("clang.cindex")  # is installed where this runs, not where it is checked


class _Ranges(ctypes.Structure):
    """``CXSourceRangeList``."""

    _fields_: ClassVar = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]


class Units:
    """The names in all translation units, by what they mean."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.files: set[str] = set()
        self.declared: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
        self.used: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
        self.meaning: dict[tuple[str, int, int], str] = {}
        self.meant: dict[tuple[str, int, int], set[str]] = defaultdict(set)
        """What stands at a place means; empty for what is outside of the tree."""

        self._met: set[tuple[object, bool, tuple[str, int, int] | None]] = set()
        self._skipped: dict[str, set[int]] = {}
        self._paths: dict[str, str] = {}
        self._file_location = cindex.conf.lib.clang_getFileLocation
        self._file_location.argtypes = [cindex.SourceLocation, *[ctypes.c_void_p] * 4]
        self._file_location.restype = None
        self._skipped_ranges = cindex.conf.lib.clang_getAllSkippedRanges
        self._skipped_ranges.argtypes = [cindex.TranslationUnit]
        self._skipped_ranges.restype = ctypes.POINTER(_Ranges)

    def take_in(self, unit: Any) -> None:
        """Take in the names of one translation unit; of a header that several include, what is new."""
        files = {self._path(include.include.name) for include in unit.get_includes()}
        files.add(self._path(unit.spelling))
        self._skip(unit, files - {""})
        self.files |= files - {""}
        waiting = []
        for cursor in unit.cursor.get_children():
            place = self._place(cursor.location)
            met = (cursor.kind, cursor.is_definition(), place)
            if place is not None and met not in self._met:
                self._met.add(met)
                waiting.append(cursor)
        while waiting:
            cursor = waiting.pop()
            self._take_in(cursor)
            waiting += cursor.get_children()

    def definitions(self, place: tuple[str, int, int]) -> list[tuple[str, int, int] | None]:
        """Return every declaration of what stands at a place; None for what is outside of the tree."""
        found: set[tuple[str, int, int]] = set()
        for symbol in self.meant.get(place, ()):
            found |= self.declared[symbol] if symbol else set()
        outside = [None] if "" in self.meant.get(place, ()) else []
        return [*sorted(found), *outside]

    def inactive(self) -> dict[str, list[int]]:
        """Return the lines that no translation unit compiles."""
        return {path: sorted(lines) for path, lines in self._skipped.items() if lines}

    def _skip(self, unit: Any, files: set[str]) -> None:
        """Take in the lines of files that a translation unit leaves out; what another one compiles is not."""
        skipped: dict[str, set[int]] = {path: set() for path in files}
        found = self._skipped_ranges(unit).contents
        for number in range(found.count):
            span = found.ranges[number]
            place = self._place(span.start)
            if place is not None:
                skipped[place[0]].update(range(place[1], span.end.line + 1))
        for path, lines in skipped.items():
            self._skipped[path] = self._skipped[path] & lines if path in self._skipped else lines

    def _take_in(self, cursor: Any) -> None:
        kind = cursor.kind
        if kind.is_declaration() or kind == cindex.CursorKind.MACRO_DEFINITION:
            symbol = self._symbol(cursor)
            place = self._place(cursor.location) if cursor.spelling else None
            if symbol and place:
                self.declared[symbol].add(place)
                self.meaning[place] = symbol
                self.meant[place].add(symbol)
        if kind.is_reference() or kind.is_expression() or kind == cindex.CursorKind.MACRO_INSTANTIATION:
            meant = cursor.referenced
            symbol = self._symbol(meant) if meant is not None else ""
            place = self._place(cursor.location) if meant is not None and not self._only_holds(cursor) else None
            if place and symbol:
                self.used[symbol].add(place)
            if place:
                self.meant[place].add(symbol)

    def _only_holds(self, cursor: Any) -> bool:
        """Return whether the name is that of an expression inside: calls and casts are asked once for each."""
        return cursor.kind in (cindex.CursorKind.CALL_EXPR, cindex.CursorKind.UNEXPOSED_EXPR)

    def _symbol(self, cursor: Any) -> str:
        """Return what names a symbol; empty for what is not of the tree, or local."""
        place = self._place(cursor.location)
        if place is None:
            return ""
        if cursor.kind == cindex.CursorKind.MACRO_DEFINITION:
            return f"macro {place}"
        return cursor.get_usr() or ""

    def _place(self, location: Any) -> tuple[str, int, int] | None:
        file, line, column = cindex.c_object_p(), ctypes.c_uint(), ctypes.c_uint()
        self._file_location(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), None)
        if not file:
            return None
        path = self._path(cindex.File(file).name)
        return (path, line.value, column.value) if path else None

    def _path(self, name: str) -> str:
        """Return the path in the tree; empty outside of it."""
        if name not in self._paths:
            path = Path(name).resolve()
            self._paths[name] = path.relative_to(self._root).as_posix() if path.is_relative_to(self._root) else ""
        return self._paths[name]


def main(root: Path, *, definitions: bool) -> None:
    units = Units(root)
    index = cindex.Index.create()
    for command in json.loads((root / "compile_commands.json").read_text(encoding="utf-8")):
        options = cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        units.take_in(index.parse(command["file"], args=command["arguments"][1:-1], options=options))
    version = f"libclang {importlib.metadata.version('libclang')}"
    head = {"version": version, "files": sorted(units.files), "inactive": units.inactive()}
    print(json.dumps(head), flush=True)
    for question in sys.stdin:
        path, line, column = json.loads(question)
        place = (path, line, column)
        if definitions:
            print(json.dumps(units.definitions(place)), flush=True)
            continue
        symbol = units.meaning.get(place, "")
        found = units.used[symbol] | {place} if symbol else set()
        others = units.declared[symbol] - {place} if symbol else set()
        print(json.dumps([sorted(found), sorted(others - found)]), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), definitions=len(sys.argv) > 2)
