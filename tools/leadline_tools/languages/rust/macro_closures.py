"""Closures of Rust in the tokens of macros, where the grammar knows no expressions: what their parameters bind.

The parameters are bound in the brackets around the closure: ``assert!(all.iter().any(|one| one.is_open()))``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.rust.macros import spell_called_before
from leadline_tools.languages.terms import Spell, then

_BEFORE_CLOSURE = frozenset("( [ { , = ; => && || return".split())
_BAR = "|"


def open_closure_scope(node: Node) -> ScopeKind | None:
    """Return the kind of the scope that brackets open in which a closure stands; None for others."""
    return ScopeKind.Block if list_closure_parameters(node) else None


def list_closure_parameters(node: Node) -> Sequence[Node]:
    """Return the names that the parameters of closures bind which stand in brackets directly."""
    return [name for _, tokens in _list_closures(node) for name in _list_bound(tokens)]


def bind_closure_arguments(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of closures that are names what the method that is called with the closure gives it."""
    for place, tokens in _list_closures(node):
        called = spell_called_before(node)
        parts = [list[Node]()]
        for token in tokens:
            if token.type == ",":
                parts.append([])
            else:
                parts[-1].append(token)
        for number, part in enumerate(parts):
            names = [token for token in part if token.type not in _SIGNS]
            if len(names) == 1 and names[0].type == "identifier":
                yield names[0], then(called, f"%{place}%{number}")


_SIGNS = frozenset({"&", "mutable_specifier"})


def _list_closures(node: Node) -> Sequence[tuple[int, Sequence[Node]]]:
    """Return the tokens of the parameters of closures that stand in brackets, each with its place in those."""
    children = node.children
    if not any(child.type == _BAR for child in children):
        return ()
    found: list[tuple[int, Sequence[Node]]] = []
    begin, place = -1, 0
    for number, child in enumerate(children):
        place += child.type == "," and begin < 0
        if child.type != _BAR:
            continue
        if begin >= 0:
            found.append((place, children[begin:number]))
            begin = -1
        elif _begins_closure(children[number - 1] if number else None):
            begin = number + 1
    return found


def _begins_closure(before: Node | None) -> bool:
    """Return whether a bar behind a token begins the parameters of a closure, and is no operator."""
    return before is None or before.type in _BEFORE_CLOSURE or text(before) == "move"


def _list_bound(tokens: Sequence[Node]) -> Iterator[Node]:
    """Yield the names that the tokens of parameters bind: no types, no constructors of patterns, no paths."""
    typed = False
    for number, token in enumerate(tokens):
        if token.type in (",", ":"):
            typed = token.type == ":"
        elif token.type == "token_tree" and not typed:
            yield from _list_bound(token.children[1:-1])
        elif token.type == "identifier" and not typed and _is_variable(text(token)):
            following = tokens[number + 1].type if number + 1 < len(tokens) else ""
            if following not in ("::", "token_tree", "!"):
                yield token


def _is_variable(name: str) -> bool:
    return name[:1].islower() or (name[:1] == "_" and len(name) > 1)
