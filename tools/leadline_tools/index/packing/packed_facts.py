"""The facts of a file as bytes: a worker packs them, and the server unpacks what a question is about.

The first line holds the scopes, the imports, the bindings that are looked for by other than their name, what types say
of themselves, the language, what only this file declares, where a name is key and value at once, and the variables that
another file defines, the imports whose bindings follow from them; each further line a name with its bindings, its uses
and the arguments of that name. A question mostly is about one name, so one line is decoded.

Scopes are columns, since no other rows of the first line are as many: kinds, parents, and the places of their names in
a list where each stands once. The row of a binding leaves out the name, that of a use where it ends, which follows from
the name; both leave out at their ends what mostly is the same. Roles are told by their number.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, overload

from leadline_tools import deflated
from leadline_tools.languages.facts import (
    LABEL_MARK,
    OUTSIDE,
    Argument,
    Binding,
    Facts,
    Heritage,
    Pair,
    Scope,
    Use,
    is_type_parameter,
)
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.once import once
from leadline_tools.stored_json import parse_stored, parse_stored_part

_Rows = list[list[Any]]

T = TypeVar("T")

FORMAT = 6
"""Part of the key of the index: a change here has old indexes rebuilt."""

_PARTS = 14
_ROLES = tuple(Role)
_SCOPE_KINDS = tuple(ScopeKind)
_SCOPE_LETTERS = {kind: chr(ord("a") + number) for number, kind in enumerate(_SCOPE_KINDS)}
_REST: tuple[Any, ...] = (BARE, -1, "")
"""What is left out at the end of the row of a use."""

_BOUND = "\t[[["
"""What is behind a name that has bindings: no text in JSON holds a tab."""

_NOT_BOUND = b"[[],"
"""What begins the rows of a name without bindings."""

_TYPE_PARAMETER = re.compile(rb'"",-1,"(?:[^"\\]|\\.)*","(?:[^"\\]|\\.)*","",')
"""What the rows of type parameters hold that are no symbols; others may hold it too."""

_NO_PLACE = 1, 1
"""Where names are bound that no code spells."""

_NUMBERS = {role: number for number, role in enumerate(_ROLES)}
_dumped = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


@cache
def _use_pattern(role: int) -> re.Pattern[bytes]:
    """Return what the rows of uses of a role look like; others may look so too."""
    return re.compile(rb"\[\d+,\d+,\d+,%d[],]" % role)


def pack(facts: Facts) -> bytes:
    """Return facts as bytes."""
    implied = _implied(facts)
    bound: dict[str, list[Binding]] = {}
    for binding in facts.bindings:
        if binding.name not in implied:
            bound.setdefault(binding.name, []).append(binding)
    names = dict.fromkeys((*facts.uses, *bound, *facts.arguments))
    known = {name: (bound.get(name, ()), facts.uses.get(name, ()), facts.arguments.get(name, ())) for name in names}
    wide = [one for one in facts.bindings if (one.imported >= 0 or one.scope == OUTSIDE) and one.name not in implied]
    scopes = _scope_columns(facts.scopes)
    rest = [
        facts.imports,
        wide,
        facts.heritage,
        facts.language,
        facts.inner,
        facts.shorthands,
        facts.pairs,
        facts.externs,
        facts.statics,
        [binding.imported for binding in implied.values()],
    ]
    head = _dumped([*scopes, *rest])
    lines = (
        f"{_dumped(name)}\t{_dumped([list(map(_binding_row, bindings)), list(map(_use_row, uses)), arguments])}"
        for name, (bindings, uses, arguments) in known.items()
    )
    return deflated.compress("\n".join((head, *lines, "")).encode(), thorough=True)


def unpack(blob: bytes) -> Facts:
    """Return the facts that were packed; raises ValueError for what is damaged or of another version."""
    return _Unpacked(deflated.decompress(blob))


def _implied(facts: Facts) -> Mapping[str, Binding]:
    """Return the bindings that say nothing but what their imports do, by name, as those that comments import have."""
    found = {one.name: one for one in facts.bindings if (one.line, one.column) == _NO_PLACE and one.imported >= 0}
    if not found:
        return found
    times = Counter(one.name for one in facts.bindings if one.name in found)
    return {
        name: one
        for name, one in found.items()
        if times[name] == 1 and one == _imported_name(facts.imports, one.imported)
    }


def _imported_name(imports: Sequence[Imported], number: int) -> Binding:
    """Return the binding of an import of no place in the source."""
    return Binding(0, imports[number].alias, *_NO_PLACE, "", number)


def _scope_columns(scopes: Sequence[Scope]) -> tuple[str, Sequence[int], Sequence[int], Sequence[str]]:
    """Return the kinds of scopes as letters, their parents, the places of their names, and the names."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(scope.name, len(places)) for scope in scopes]
    kinds = "".join(_SCOPE_LETTERS[scope.kind] for scope in scopes)
    return kinds, [scope.parent for scope in scopes], numbers, list(places)


def _binding_row(binding: Binding) -> Sequence[object]:
    scope, _, *rest, takes, amends = binding
    return [scope, *rest, takes, amends] if takes or amends else [scope, *rest]


def _binding(name: str, row: Sequence[Any]) -> Binding:
    return Binding(row[0], name, *row[1:])


def _use_row(use: Use) -> Sequence[object]:
    line, column, _, scope, role, receiver, imported, taken = use
    if taken:
        return line, column, scope, _NUMBERS[role], receiver, imported, taken
    if imported >= 0:
        return line, column, scope, _NUMBERS[role], receiver, imported
    return (line, column, scope, _NUMBERS[role], receiver) if receiver else (line, column, scope, _NUMBERS[role])


def _use(name: str, row: Sequence[Any]) -> Use:
    line, column, scope, role, *rest = row
    end = column + len(name) - name.endswith(LABEL_MARK)
    # A file may use a name thousands of times, and to call the class takes twice as long.
    return tuple.__new__(Use, (line, column, end, scope, _ROLES[role], *rest, *_REST[len(rest) :]))


def _argument(_name: str, row: Sequence[Any]) -> Argument:
    return Argument(*row)


class _Unpacked(Facts):
    """Facts whose names are decoded one at a time."""

    _lines: _Lines
    _named: dict[str, Sequence[Binding]]

    def __init__(self, text: bytes) -> None:
        head = parse_stored(text[: text.index(b"\n")])
        if not isinstance(head, list) or len(head) != _PARTS:
            raise ValueError("facts of another version")
        kinds, parents, places, names, imports, wide, heritage, language, inner, *rest = head
        short, paired, externs, statics, implied = rest
        imported = [Imported(*row) for row in imports]
        unplaced = [_imported_name(imported, number) for number in implied]
        lines = _Lines(text)
        # Facts are frozen, and to set their fields one by one takes several times as long.
        self.__dict__.update(
            scopes=_Scopes(kinds, array("i", parents), array("i", places), names),
            bindings=_Bindings(lines, unplaced),
            imports=imported,
            uses=_ByName(lines, lines.uses, _use),
            heritage=[Heritage(*row) for row in heritage],
            language=language,
            inner=inner,
            shorthands=[(line, column) for line, column in short],
            pairs=[Pair(*row) for row in paired],
            arguments=_ByName(lines, lines.arguments, _argument),
            externs=externs,
            statics=statics,
            wide=[*unplaced, *(Binding(*row) for row in wide)],
            _lines=lines,
            _named={one.name: [one] for one in unplaced},
        )

    @once
    def type_parameters(self) -> Sequence[Binding]:
        """Return the bindings of type parameters that are no symbols, in the order of the source."""
        bindings = (one for name in self._lines.names_like(_TYPE_PARAMETER) for one in self.named(name))
        return sorted(filter(is_type_parameter, bindings), key=lambda one: (one.line, one.column))

    @once
    def namespaces(self) -> frozenset[str]:
        """Return the dotted names of the namespaces that the file opens; most open none."""
        scopes = self.scopes
        if isinstance(scopes, _Scopes) and not scopes.has(ScopeKind.Namespace):
            return frozenset()
        return super().namespaces

    def named(self, name: str) -> Sequence[Binding]:
        """Return the bindings of a name, in the order of the source."""
        kept = self._named.get(name)
        if kept is None:
            kept = self._named[name] = [_binding(name, row) for row in self._lines.bindings(name)]
        return kept

    def uses_as(self, role: Role) -> Sequence[tuple[str, Use]]:
        """Return the uses that do something, each with its name; only the names that may have some are decoded."""
        names = self._lines.names_like(_use_pattern(_NUMBERS[role]))
        return [(name, use) for name in names for use in self.uses.get(name, ()) if use.role is role]

    def uses_on(self, line: int) -> Sequence[tuple[str, Use]]:
        """Return the uses on a line, 1-based, each with its name; only the names that may be there are decoded."""
        names = self._lines.names_with(line)
        return [(name, _use(name, row)) for name in names for row in self._lines.uses(name) if row[0] == line]

    def at(self, path: str) -> Binding | None:
        """Return the first binding of the definition with a dotted name; the name itself may hold dots."""
        start = len(path)
        while start >= 0:
            start = path.rfind(".", 0, start)
            for binding in self.named(path[start + 1 :]):
                if binding.path == path:
                    return binding
        return None


class _Lines:
    """The lines of names."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._kept: dict[str, tuple[_Rows, _Rows, _Rows]] = {}

    def bindings(self, name: str) -> _Rows:
        """Return the bindings of a name; its uses, of which there may be thousands, are not decoded for them."""
        if name in self._kept:
            return self._kept[name][0]
        line = self._line(name)
        if line.startswith(_NOT_BOUND):
            return []
        rows, _ = parse_stored_part(line.decode("ascii"), len("[")) if line else ([], 0)
        return rows

    def uses(self, name: str) -> _Rows:
        return self._of(name)[1]

    def arguments(self, name: str) -> _Rows:
        return self._of(name)[2]

    def names(self) -> Iterator[str]:
        for line in self._text.splitlines()[1:]:
            yield parse_stored(line.partition(b"\t")[0])

    def all_bindings(self) -> Iterator[tuple[str, _Rows]]:
        """Yield the names that are bound, each with its bindings; the rest of their lines is not decoded."""
        text, at = self._text.decode("ascii"), 0
        while (at := text.find(_BOUND, at)) >= 0:
            name = text[text.rindex("\n", 0, at) + 1 : at]
            rows, at = parse_stored_part(text, at + len(_BOUND) - len("[["))
            yield parse_stored(name), rows

    def names_like(self, pattern: re.Pattern[bytes]) -> Iterator[str]:
        """Yield the names in whose line a pattern matches."""
        end = self._text.find(b"\n")
        while (found := pattern.search(self._text, end)) is not None:
            start, end = self._text.rfind(b"\n", 0, found.start()) + 1, self._text.index(b"\n", found.end())
            yield json.loads(self._text[start : self._text.index(b"\t", start)])

    def names_with(self, line: int) -> Iterator[str]:
        """Yield the names with a row that begins with the number of a line of the source; perhaps others too."""
        row, end = f"[{line},".encode(), self._text.find(b"\n")
        while (at := self._text.find(row, end)) >= 0:
            start, end = self._text.rfind(b"\n", 0, at) + 1, self._text.index(b"\n", at)
            yield json.loads(self._text[start : self._text.index(b"\t", start)])

    def _of(self, name: str) -> tuple[_Rows, _Rows, _Rows]:
        if name not in self._kept:
            line = self._line(name)
            rows = parse_stored(line) if line else ([], [], [])
            self._kept[name] = rows[0], rows[1], rows[2]
        return self._kept[name]

    def _line(self, name: str) -> bytes:
        """Return what there is of a name; empty for nothing."""
        key = b"\n" + _dumped(name).encode() + b"\t"
        start = self._text.find(key) + len(key)
        return self._text[start : self._text.index(b"\n", start)] if start >= len(key) else b""


class _ByName(Mapping[str, Sequence[T]]):
    """What there is of each name, made from its rows when it is asked for.

    Args:
        lines: The lines of names.
        rows: Returns the rows of a name.
        made: Makes one of a name and a row.
    """

    def __init__(self, lines: _Lines, rows: Callable[[str], _Rows], made: Callable[[str, Sequence[Any]], T]) -> None:
        self._lines, self._rows, self._made = lines, rows, made
        self._kept: dict[str, Sequence[T]] = {}

    def __getitem__(self, name: str) -> Sequence[T]:
        kept = self._kept.get(name)
        if kept is None:
            kept = self._kept[name] = [self._made(name, row) for row in self._rows(name)]
        if not kept:
            raise KeyError(name)
        return kept

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and bool(self._rows(name))

    def __iter__(self) -> Iterator[str]:
        return filter(self._rows, self._lines.names())

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Scopes(Sequence[Scope]):
    """Scopes, made from their columns one at a time (``_scope_columns``)."""

    def __init__(self, kinds: str, parents: array[int], places: array[int], names: Sequence[str]) -> None:
        self._kinds, self._parents, self._places, self._names = kinds, parents, places, names
        self._made: dict[int, Scope] = {}

    @overload
    def __getitem__(self, index: int) -> Scope: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Scope]: ...
    def __getitem__(self, index: int | slice) -> Scope | Sequence[Scope]:
        made = self._made.get(index) if isinstance(index, int) else None
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if made is None:
            kind = _SCOPE_KINDS[ord(self._kinds[index]) - ord("a")]
            made = self._made[index] = Scope(kind, self._parents[index], self._names[self._places[index]])
        return made

    def __len__(self) -> int:
        return len(self._kinds)

    def has(self, kind: ScopeKind) -> bool:
        """Return whether a scope is of a kind."""
        return _SCOPE_LETTERS[kind] in self._kinds


class _Bindings(Sequence[Binding]):
    """All bindings, by name; made when they are asked for."""

    def __init__(self, lines: _Lines, unplaced: Sequence[Binding]) -> None:
        self._lines, self._unplaced = lines, unplaced

    @once
    def _all(self) -> Sequence[Binding]:
        listed = (_binding(name, row) for name, rows in self._lines.all_bindings() for row in rows)
        return [*self._unplaced, *listed]

    @overload
    def __getitem__(self, index: int) -> Binding: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Binding]: ...
    def __getitem__(self, index: int | slice) -> Binding | Sequence[Binding]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)
