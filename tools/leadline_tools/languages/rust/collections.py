"""What fills collections of Rust that are made empty: https://doc.rust-lang.org/std/collections/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages.language import Fills
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, applied, object_of, then, ungiven

_MAPS = ("BTreeMap", "HashMap", "IndexMap")
_OTHERS = ("BinaryHeap", "BTreeSet", "HashSet", "IndexSet", "LinkedList", "SmallVec", "Vec", "VecDeque")
_NAMED = re.compile(r"(?:self\.)?[^\W\d]\w*")
_OF_KEYS = re.compile(
    r"((?:self\.)?[^\W\d]\w*)\.(?:entry\(\)\.or_(?:default|insert|insert_with)|get_mut\(\)\.unwrap)\(\)"
)

EMPTY: frozenset[str] = frozenset(
    f"{name}.{made}()" for name in (*_MAPS, *_OTHERS) for made in ("new", "default", "with_capacity")
)
"""How collections are spelled that are made empty."""


def _held(kind: str, *values: str) -> str:
    """Return a collection of a kind that holds values, which are themselves meant."""
    return object_of(applied(kind, [then(value, Op.Itself) for value in values]))


def _filled(kind: str, step: str = "") -> Fills:
    """Return what tells of a call that it puts its argument into a collection of a kind, or each element of that."""

    def told(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
        given = call.child_by_field_name("arguments")
        values = [then(spell(one), step) for one in given.named_children[-1:]] if given is not None else []
        plain = ungiven(receiver)
        keyed = _OF_KEYS.fullmatch(plain)
        for value in values:
            if keyed is not None:
                yield keyed[1], object_of(applied("HashMap", [UNKNOWN, _held(kind, value)]))
            elif _NAMED.fullmatch(plain):
                yield plain, _held(kind, value)

    return told


def _inserted(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a.insert(key, value)`` what it puts into a map, of ``a.insert(value)`` into a set.

    With a number, ``a.insert(at, value)``, it may be a list: what it holds is spelled alike.
    """
    given = call.child_by_field_name("arguments")
    values = [spell(one) for one in given.named_children] if given is not None else []
    if values and _NAMED.fullmatch(receiver):
        yield receiver, _held("HashMap" if len(values) > 1 else "HashSet", *values)


FILLERS: Mapping[str, Fills] = {
    **dict.fromkeys(("push", "push_back", "push_front"), _filled("Vec")),
    "extend": _filled("Vec", "*"),
    "insert": _inserted,
}
