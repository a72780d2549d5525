"""Included names: what a name means in the files that a file includes, or beside which it is included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from leadline_tools.languages.facts import Sort, Use
from leadline_tools.resolve.imports.module_files import shared_folders
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.scopes.linkage import Linkage

_MOST_ALIKE = 4
"""Definitions of one name that lie equally near: more are not told apart."""

_MOST_TAKERS = 64
"""Files that include one, each of which is asked for a name that the file leaves to them."""


class IncludedNames:
    """Looks names up in included files."""

    def __init__(self, resolver: NameResolver, linkage: Linkage) -> None:
        self._resolver = resolver
        self._linkage = linkage
        self._taken_in: dict[tuple[str, str, str], Resolution | None] = {}
        self._found_in_includers: dict[tuple[str, str, str], SymbolRef | None] = {}
        self._takers: dict[str, AbstractSet[str]] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._taken_in.clear()
        self._found_in_includers.clear()
        self._takers.clear()

    def lookup(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        """Return what an included file calls ``name``: of several, the one that lies nearest, or none of them."""
        key = (path, name, space)
        if key not in self._taken_in:
            self._taken_in[key] = None  # what a cycle of includes finds on its way back
            self._taken_in[key] = self._find(path, name, depth, space)
        return self._taken_in[key]

    def _find(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        found: dict[Resolution, int] = {}
        for file in self._resolver.includes.defining(path, name):
            meaning = self._resolver.exports.lookup_at(file, name, space, depth)
            if meaning is not None:
                found[meaning] = shared_folders(path, file)
                if isinstance(meaning, SymbolRef) and self._resolver.sorts.is_namespace(meaning):
                    break  # the same in every file
        best = sorted(found, key=lambda meaning: -found[meaning])
        if 1 < len(best) <= _MOST_ALIKE:
            defined = [one for meaning in best if isinstance(meaning, SymbolRef) for one in meaning.all]
            return replace(defined[0], others=tuple(defined[1:])) if len(defined) >= len(best) else None
        nearest = max(found.values(), default=0)
        best = [meaning for meaning in best if found[meaning] == nearest]
        return best[0] if len(best) == 1 else None

    def replace_later_macro(self, path: str, name: str, use: Use, found: Resolution | None) -> Resolution | None:
        """Return the macro of an included file where a file uses a name before it defines a macro of that name.

        A directive has effect from where it stands. The text of a macro is read where that is called: 6.10.3 of C11.
        """
        facts, _ = self._resolver.facts(path)
        own = facts is not None and isinstance(found, SymbolRef) and found.path == path
        defined = facts.all_at(found.name) if own and facts is not None and isinstance(found, SymbolRef) else ()
        if not defined or any(one.line <= use.line for one in defined):
            return found
        lines = self._resolver.project.lines(path)
        if not all(_is_directive(lines, one.line) for one in defined) or _is_directive(lines, use.line):
            return found
        included = self.lookup(path, name, 1, "")
        return included if isinstance(included, SymbolRef) and included.path != path else found

    def lookup_in_includers(self, path: str, name: str, spaces: Sequence[str], depth: int) -> SymbolRef | None:
        """Return what a name means that a file and what it includes do not declare, but what is included beside it.

        An included file is read in the place of the line that includes it, so what stands before is seen in it. It has
        to be one thing for all that include the file, or else the type that completes what the file speaks of.
        https://www.open-std.org/jtc1/sc22/wg14/www/docs/n1570.pdf#page=182, https://eel.is/c++draft/cpp.include
        """
        if not self._resolver.project.defining(name, path):
            return None
        found = next(filter(None, (self._find_in_includers(path, name, space, depth) for space in spaces)), None)
        return found or self._resolver.globals.lookup_completion(path, name, spaces, depth)

    def _find_in_includers(self, path: str, name: str, space: str, depth: int) -> SymbolRef | None:
        key = (path, name, space)
        if key not in self._found_in_includers:
            self._found_in_includers[key] = None  # what a cycle of includes finds on its way back
            found = list(dict.fromkeys(self._list_meanings_in_includers(path, name, space, depth + 1)))
            alone = found[0] if len(found) == 1 else None
            self._found_in_includers[key] = alone if isinstance(alone, SymbolRef) else None
        return self._found_in_includers[key]

    def _list_meanings_in_includers(self, path: str, name: str, space: str, depth: int) -> Iterator[Resolution]:
        """Yield what a name means in each file that includes another one, as far as it is known there."""
        for taker in self._takers_of(path):
            for meaning in (
                self._resolver.exports.lookup_at(taker, name, space, depth),
                self.lookup(taker, name, depth, space),
            ):
                if meaning is not None:
                    yield meaning

    def _takers_of(self, path: str) -> AbstractSet[str]:
        """Return the other files that include a file, themselves or through others; none where they are many."""
        if path not in self._takers:
            self._takers[path] = (self._resolver.project.includes.takers(path, _MOST_TAKERS) or frozenset()) - {path}
        return self._takers[path]

    def with_overloads(self, path: str, own: SymbolRef, space: str, depth: int) -> SymbolRef:
        """Return what a file declares, with what it includes under the same name beside it: neither hides the other.

        Functions that take other things are overloads (https://eel.is/c++draft/over.match.funcs), and a type may be
        declared to be called like itself (https://eel.is/c++draft/dcl.typedef#4).
        """
        name = own.name.rpartition(".")[2]
        sorts = self._resolver.sorts.of(own)
        if sorts not in ({Sort.Callable}, {Sort.Type}):
            return own
        other = self.lookup(path, name, depth + 1, space)
        if not isinstance(other, SymbolRef) or other.same(own) or self._resolver.sorts.of(other) != sorts:
            return own
        function = Sort.Callable in sorts
        beside = self._linkage.overloads(path, other.path, own.name) if function else self._names_itself(other)
        return replace(own, others=(*own.others, other)) if beside else own

    def _names_itself(self, of: SymbolRef) -> bool:
        """Return whether a type is only another name for the type that is called like it: ``typedef struct A A;``."""
        facts, _ = self._resolver.facts(of.path)
        terms = [one.type for one in facts.all_at(of.name)] if facts is not None else []
        return bool(terms) and all(term.rpartition(".")[2].rpartition(" ")[2] == of.name for term in terms)


def _is_directive(lines: Sequence[str], line: int) -> bool:
    """Return whether a 1-based line is one of a directive, which may have begun above."""
    while 1 < line <= len(lines) and lines[line - 2].endswith("\\"):
        line -= 1
    return line <= len(lines) and lines[line - 1].lstrip().startswith("#")
