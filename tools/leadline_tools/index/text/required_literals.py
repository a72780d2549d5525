"""The texts that every match of a query holds: what an index of words can look up, and bytes are searched for first.

A *run* is a text with what is known of its ends: whether a word can go on beyond them. A *clause* is several runs of
which every match holds at least one. Every match holds all *clauses*. The rules are those of Russ Cox, "Regular
Expression Matching with a Trigram Index" (2012), with words in place of trigrams; what is not understood requires
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import NamedTuple

from leadline_tools.lazy_regex import lazy_compile

_MOST_TEXTS = 16
"""Texts of one clause; a class of characters or a group that makes more of them requires nothing."""

_MOST_REPEATED = 8
"""Characters that are written out of a fixed number of repetitions."""

_FLAGS = lazy_compile(r"\(\?([a-zA-Z]*)(-[a-zA-Z]+)?([:)])")
_UNSETS = lazy_compile(r"\(\?[a-zA-Z]*-")
_NAMED = lazy_compile(r"\(\?P?<\w+>")
_TIMES = lazy_compile(r"\{(\d+)(,?)(\d*)\}")
_HEX = lazy_compile(r"\\x(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{2}))")
_ONE_OF_A_CLASS = lazy_compile(r"\[:\^?\w+:\]|\\[pP](?:\{\^?\w+\}|\w)")
_CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
_WHITESPACE = "\t\n\f\r "


class Run(NamedTuple):
    """A text that a match holds.

    Args:
        text: The text.
        opens: True where no character of a word stands directly before it.
        closes: True where none stands directly after it.

    """

    text: str
    opens: bool = False
    closes: bool = False

    @property
    def padded(self) -> str:
        """Return the text with a blank at each end at which a word surely ends."""
        return f"{' ' * self.opens}{self.text}{' ' * self.closes}"


Clause = tuple[Run, ...]
"""Runs of which every match holds at least one."""


@dataclass(frozen=True, slots=True)
class Required:
    """What every match holds.

    Args:
        clauses: Every match holds one run of each.
        any_case: True where the query says that case does not matter.
        whole: The texts of which every match is one; none where a match may be something else.

    """

    clauses: Sequence[Clause] = ()
    any_case: bool = False
    whole: Sequence[str] = ()

    @property
    def literal(self) -> str:
        """Return the longest text that every match holds; empty where none is known."""
        shared = ((_beginning(texts), _beginning([text[::-1] for text in texts])[::-1]) for texts in self._texts)
        return max(chain.from_iterable(shared), key=len, default="")

    @property
    def _texts(self) -> Iterator[list[str]]:
        return ([run.text for run in clause] for clause in self.clauses)


def _beginning(texts: Sequence[str]) -> str:
    """Return how all of some texts begin."""
    least, most = min(texts), max(texts)
    end = next((at for at, one in enumerate(least) if not most.startswith(one, at)), len(least))
    return least[:end]


def required_by_text(query: str, *, word: bool) -> Required:
    """Return what every match of a text holds; as a whole ``word`` or not."""
    return Required(((Run(query, word, word),),))


def required_by_pattern(pattern: str) -> Required:
    """Return what every match of an RE2 expression holds, as far as that is understood."""
    parser = _Parser(pattern)
    try:
        nodes = parser.whole()
    except (_UnknownError, RecursionError):  # hundreds of nested groups, which RE2 takes
        return Required()
    clauses = tuple(clause for clause in _clauses(nodes) if all(run.text.strip() for run in clause))
    match nodes:
        case [_Texts(texts)] if _UNSETS.search(pattern) is None:
            return Required(clauses, parser.any_case, texts)
        case _:
            return Required(clauses, parser.any_case)


class _UnknownError(Exception):
    """A piece of an expression that is not understood."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """One of several texts stands here, and nothing else."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Edge:
    """No character of a word stands here; ``optional`` where nothing may stand here at all.

    A ``boundary`` says so beside a character of a word alone; beside any other it says that one stands here.
    """

    optional: bool = False
    boundary: bool = False


@dataclass(frozen=True, slots=True)
class _Gap:
    """Anything stands here, and somewhere in it what the clauses say."""

    clauses: tuple[Clause, ...] = ()


_Node = _Texts | _Edge | _Gap


def _clauses(nodes: Sequence[_Node]) -> Iterator[Clause]:
    """Yield what one node after the other requires."""
    texts: tuple[str, ...] = ()
    first = 0
    for at, node in enumerate((*nodes, _Gap())):
        if isinstance(node, _Texts) and len(texts or ("",)) * len(node.texts) <= _MOST_TEXTS:
            first = first if texts else at
            texts = tuple(map("".join, product(texts or ("",), node.texts)))
            continue
        if texts:
            before, after = nodes[:first][::-1], nodes[at:]
            yield tuple(Run(text, _is_edge(before, -1, text[0]), _is_edge(after, 0, text[-1])) for text in texts)
        texts, first = (node.texts, at) if isinstance(node, _Texts) else ((), at)
        if isinstance(node, _Gap):
            yield from node.clauses


def _is_edge(nodes: Sequence[_Node], end: int, beside: str) -> bool:
    """Return whether no word goes on into some nodes, the nearest first, that stand beside a character.

    ``end`` is the end of theirs at which they do, 0 or -1.
    """
    for node in nodes:
        match node:
            case _Edge(boundary=True):
                return _is_word(beside)
            case _Edge(optional=False):
                return True
            case _Texts(texts=texts):
                return all(text[end].isascii() and not _is_word(text[end]) for text in texts)
            case _Gap():
                return False
            case _:
                continue
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


class _Parser:
    """Reads an RE2 expression that is known to be one."""

    def __init__(self, pattern: str) -> None:
        self.any_case = False
        self._pattern = pattern
        self._at = 0

    def whole(self) -> list[_Node]:
        """Return the nodes of the whole expression."""
        nodes = self._alternatives()
        if self._at < len(self._pattern):
            raise _UnknownError
        return nodes

    def _alternatives(self) -> list[_Node]:
        """Return the nodes up to the bracket that closes, or the end."""
        found = [self._sequence()]
        while self._next("|"):
            found.append(self._sequence())
        return found[0] if len(found) == 1 else [_one_of(found)]

    def _sequence(self) -> list[_Node]:
        nodes: list[_Node] = []
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            nodes += self._repeated(self._unit())
        return nodes

    def _next(self, wanted: str) -> bool:
        if self._pattern.startswith(wanted, self._at):
            self._at += len(wanted)
            return True
        return False

    def _take(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        found = expression.match(self._pattern, self._at)
        if found is not None:
            self._at = found.end()
        return found

    def _unit(self) -> list[_Node]:
        """Return the nodes of what a repetition would be of."""
        character = self._pattern[self._at]
        if character == "(":
            return self._group()
        if character == "[":
            return [self._class()]
        if character == "\\":
            return [self._escape()]
        self._at += 1
        match character:
            case "^" | "$":
                return [_Edge()]
            case ".":
                return [_Gap()]
            case "*" | "+" | "?":
                raise _UnknownError
            case _:
                return [_Texts((character,))]

    def _group(self) -> list[_Node]:
        flags = self._take(_FLAGS)
        if flags is not None:
            self.any_case = self.any_case or "i" in flags[1]
            if flags[3] == ")":
                return []
        elif self._take(_NAMED) is None:
            self._at += 1
            if self._next("?"):
                raise _UnknownError
        nodes = self._alternatives()
        if not self._next(")"):
            raise _UnknownError
        return nodes

    def _repeated(self, nodes: list[_Node]) -> list[_Node]:
        """Return some nodes with what the repetition behind them makes of them."""
        while self._at < len(self._pattern):
            times = self._take(_TIMES)
            if times is not None:
                least = int(times[1])
                nodes = _times(nodes, least) if not times[2] else _at_least(nodes, least)
            elif self._next("+"):
                nodes = _at_least(nodes, 1)
            elif self._next("*") or self._next("?"):
                nodes = _at_least(nodes, 0)
            else:
                break
            self._next("?")
        return nodes

    def _escape(self) -> _Node:
        if self._next("\\Q"):
            end = self._pattern.find("\\E", self._at)
            text = self._pattern[self._at : end if end >= 0 else None]
            self._at = min(len(self._pattern), self._at + len(text) + 2)
            return _Texts((text,)) if text else _Edge(optional=True)
        code = self._take(_HEX)
        if code is not None:
            return _Texts((_character(code),))
        letter = self._pattern[self._at + 1 : self._at + 2]
        self._at += 2
        match letter:
            case "b" | "A" | "z" | "s":
                return _Edge(boundary=letter == "b")
            case "d" | "D" | "w" | "W" | "S" | "B":
                return _Gap()
            case _ if letter in _CONTROLS:
                return _Texts((_CONTROLS[letter],))
            case _ if letter.isalnum():
                raise _UnknownError
            case _:
                return _Texts((letter,))

    def _class(self) -> _Node:
        """Return a class of characters: a few texts, something outside of words, or anything."""
        self._at += 1
        negated = self._next("^")
        members: set[str] = set()
        known, first = not negated, True
        while first or not self._next("]"):
            first = False
            if self._at >= len(self._pattern):
                raise _UnknownError
            some = self._members()
            known = known and some is not None
            members |= some or set()
        if not known or not members:
            return _Gap()
        if all(one.isascii() and not _is_word(one) for one in members):
            return _Edge()
        return _Texts(tuple(sorted(members))) if len(members) <= _MOST_TEXTS else _Gap()

    def _members(self) -> set[str] | None:
        """Return the next characters of a class; None for too many to name."""
        if self._take(_ONE_OF_A_CLASS) is not None:
            return None
        if self._pattern.startswith("\\s", self._at):
            self._at += 2
            return set(_WHITESPACE)
        first = self._member()
        if first is None:
            return None
        if not self._pattern.startswith("-", self._at) or self._pattern.startswith("-]", self._at):
            return {first}
        self._at += 1
        last = self._member()
        if last is None or ord(last) - ord(first) > _MOST_TEXTS:
            return None
        return {chr(code) for code in range(ord(first), ord(last) + 1)}

    def _member(self) -> str | None:
        """Return one character of a class; None for a class in it."""
        if self._pattern[self._at] != "\\":
            self._at += 1
            return self._pattern[self._at - 1]
        node = self._escape()
        return node.texts[0] if isinstance(node, _Texts) and len(node.texts[0]) == 1 else None


def _character(code: re.Match[str]) -> str:
    try:
        return chr(int(code[1] or code[2], 16))
    except (ValueError, OverflowError):
        raise _UnknownError from None


def _one_of(alternatives: Sequence[Sequence[_Node]]) -> _Node:
    """Return one node for several sequences of nodes of which one stands there."""
    texts: list[str] = []
    for nodes in alternatives:
        parts = [node.texts for node in nodes if isinstance(node, _Texts)]
        if not nodes or len(parts) < len(nodes):
            break
        texts += map("".join, product(*parts))
        if len(texts) > _MOST_TEXTS:
            break
    else:
        return _Texts(tuple(texts))
    chosen: list[Run] = []
    for nodes in alternatives:
        clauses = list(_clauses(nodes))
        if not clauses:
            return _Gap()
        chosen += max(clauses, key=lambda clause: min(len(run.text) for run in clause))
    return _Gap((tuple(chosen),)) if len(chosen) <= _MOST_TEXTS else _Gap()


def _times(nodes: list[_Node], number: int) -> list[_Node]:
    """Return some nodes so many times one after the other."""
    match nodes:
        case [_Texts(texts=(text,))] if number and len(text) * number <= _MOST_REPEATED:
            return [_Texts((text * number,))]
        case _:
            return _at_least(nodes, number)


def _at_least(nodes: list[_Node], number: int) -> list[_Node]:
    """Return some nodes at least so many times one after the other."""
    match nodes, number:
        case [_Edge()], 0:
            return [_Edge(optional=True)]
        case _, 0:
            return [_Gap()]
        case [_Edge()], _:
            return nodes
        case _:
            return [*nodes, _Gap()]
