"""Engines for Python whose references of a method are checked by where they say that each place leads.

Asked for the references of a method, they tell the uses and declarations of what it overrides, and of what overrides
it, as well. Asked for the definition of what stands at one of these places, they tell which of all these it means. They
are asked so about the places that they tell themselves, and about those that other engines tell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol

from truth.corpus import Corpus
from truth.engine import Around, Engine, Told
from truth.record import Drawn, Place

MOST_STEPS = 4
"""Imports that are followed one after the other."""

_DECLARATION = re.compile(r"\s*(async\s+)?def\s+")


def is_checked(symbol: Drawn) -> bool:
    """Return whether the engines' answers about a symbol are checked: only methods have overriding members."""
    return symbol.kind == "Method"


class Leading(Engine, Protocol):
    """An engine that also tells where what stands at a place is defined."""

    def definitions(self, place: Place) -> frozenset[Place | None]:
        """Return every definition, None for what is outside of the corpus; nothing where the engine knows none."""
        ...


class Confirmed(Around):
    """An engine of which a place does not count for a method where, by its own word, it means another declaration.

    That is where the engine knows definitions of what stands there, all in the corpus, and none of them is what the
    class of the method declares under its name (a property and its setter are one, so are overloads). Where it knows no
    definition, or one that is outside of the corpus, the place counts. Where it knows several, as of a receiver of one
    class or another, one of them is enough. ``super().name`` leads to what is overridden, a declaration to itself.
    Where another name stands the place counts: ``C(...)`` leads to the class, which says nothing of its constructor.
    """

    def __init__(self, engine: Leading, corpus: Corpus) -> None:
        super().__init__(engine)
        self._engine = engine
        self._corpus = corpus

    def tell(self, symbols: Iterable[Drawn]) -> Iterator[Told | None]:
        """Yield for each symbol what means it, and what belongs to another declaration; None for one not known."""
        drawn = list(symbols)
        for symbol, told in zip(drawn, self._engine.tell(drawn), strict=True):
            if told is None or not is_checked(symbol):
                yield told
            else:
                others = self.denied(symbol, told.places)
                yield replace(told, places=told.places - others, others=others)

    def denied(self, symbol: Drawn, places: Iterable[Place]) -> frozenset[Place]:
        """Return those of some places, told by whatever engine, that to this one mean another declaration."""
        own = members(self._corpus.text(symbol.place.path), symbol)
        return frozenset(
            place
            for place in places
            if place not in own
            and self._corpus.stands(symbol.name, place)
            and (led := self._led(place))
            and None not in led
            and own.isdisjoint(led)
        )

    def _led(self, place: Place) -> frozenset[Place | None]:
        """Return where a place leads, past imports; a declaration leads to itself: Jedi would go to that of a base."""
        if _DECLARATION.fullmatch(self._corpus.line(place.path, place.line)[: place.column - 1]):
            return frozenset((place,))
        led = self._engine.definitions(place)
        passed: frozenset[Place | None] = frozenset()
        for _ in range(MOST_STEPS):
            imports = frozenset(one for one in led - passed if one is not None and self._is_import(one))
            if not imports:
                break
            passed |= imports
            led = led.union(*(self._engine.definitions(one) for one in imports))
        return led - passed

    def _is_import(self, place: Place) -> bool:
        return place.line in imported(self._corpus.text(place.path))


@cache
def imported(text: str) -> frozenset[int]:
    """Return the lines of the import statements in a file."""
    statements = [one for one in ast.walk(_tree(text)) if isinstance(one, ast.Import | ast.ImportFrom)]
    return frozenset(line for one in statements for line in range(one.lineno, (one.end_lineno or one.lineno) + 1))


@cache
def members(text: str, symbol: Drawn) -> frozenset[Place]:
    """Return the declarations of a method: what its class binds to the name, in its body or by ``self``."""
    lines = text.split("\n")
    for one in ast.walk(_tree(text)):
        if isinstance(one, ast.ClassDef):
            nodes = [node for statement in one.body for node in _bound(statement, symbol.name)]
            places = frozenset(Place(symbol.place.path, *_position(lines, node, symbol.name)) for node in nodes)
            if symbol.place in places:
                return places
    return frozenset((symbol.place,))


def _tree(text: str) -> ast.Module:
    """Return the syntax tree of a file; an empty one if it has none."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _bound(node: ast.AST, name: str, *, local: bool = False) -> Iterator[ast.stmt | ast.expr]:
    """Yield what binds the name of a member in a part of a class; ``local`` to a function only ``self.name`` does."""
    match node:
        case ast.ClassDef() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            if node.name == name and not local:
                yield node
            local = True
        case ast.Name(id=bound, ctx=ast.Store()) if bound == name and not local:
            yield node
        case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=bound, ctx=ast.Store()) if bound == name:
            yield node
        case _:
            pass
    for child in ast.iter_child_nodes(node):
        yield from _bound(child, name, local=local)


def _position(lines: Sequence[str], node: ast.stmt | ast.expr, name: str) -> tuple[int, int]:
    """Return the line and the column of the name that a node binds: a function's, or the last word of a target."""
    declared = _DECLARATION.match(lines[node.lineno - 1]) if isinstance(node, ast.stmt) else None
    if declared is not None:
        return node.lineno, declared.end() + 1
    number = node.end_lineno or node.lineno
    before = lines[number - 1].encode()[: node.end_col_offset].decode("utf-8", "replace")
    return number, len(before) - len(name) + 1
