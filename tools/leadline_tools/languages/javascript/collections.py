"""Collections of JavaScript that are made empty: what fills arrays, sets and maps.

https://tc39.es/ecma262/#sec-indexed-collections and #sec-keyed-collections
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.types import Fills, Puts
from leadline_tools.languages.terms import (
    COLLECTION,
    UNKNOWN,
    Op,
    Spell,
    apply_type_arguments,
    object_of,
    then,
    ungiven,
)
from leadline_tools.lazy_regex import lazy_compile

_NAMED = lazy_compile(r"(?:this\.)?[^\W\d][\w$]*")
_OF_KEYS = lazy_compile(r"((?:this\.)?[^\W\d][\w$]*)\.get\(\)")

MEMBERS = frozenset(
    "at concat constructor copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap"
    " forEach hasOwnProperty includes indexOf isPrototypeOf join keys lastIndexOf length map pop propertyIsEnumerable"
    " push reduce reduceRight reverse shift slice some sort splice toLocaleString toReversed toSorted toSpliced"
    " toString unshift valueOf values with"
    " add clear delete difference get has intersection isDisjointFrom isSubsetOf isSupersetOf next set size"
    " symmetricDifference union".split()
)
"""The members of arrays, sets and maps, https://tc39.es/ecma262/#sec-indexed-collections and
https://tc39.es/ecma262/#sec-keyed-collections, and of every object."""

EMPTY: frozenset[str] = frozenset(
    {f"{COLLECTION}&", *(f"{name}{end}" for name in ("Array", "Map", "Set", "WeakMap") for end in ("()", "&"))}
)
"""How collections are spelled that are made empty."""


def _spell_held(kind: str, *values: str) -> str:
    """Return a collection of a kind that holds values, which are themselves meant."""
    return object_of(apply_type_arguments(kind, [then(value, Op.Itself) for value in values]))


def _bind_filled(kind: str) -> Fills:
    """Return what tells of a call that it puts its arguments into a collection of a kind."""

    def bind(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
        given = call.child_by_field_name("arguments")
        plain = ungiven(receiver)
        keyed = _OF_KEYS.fullmatch(plain)
        for one in given.named_children if given is not None else ():
            held = _spell_held(kind, _value(one, spell))
            if keyed is not None:
                yield keyed[1], object_of(apply_type_arguments("Map", [UNKNOWN, held]))
            elif _NAMED.fullmatch(plain):
                yield plain, held

    return bind


def _value(argument: Node, spell: Spell) -> str:
    """Spell an argument; of one that is spread any of its elements."""
    spread = argument.type == "spread_element" and argument.named_children
    return then(spell(argument.named_children[0]), Op.Each) if spread else spell(argument)


def _set(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a.set(key, value)`` what it puts into a map."""
    given = call.child_by_field_name("arguments")
    pair = [spell(one) for one in given.named_children] if given is not None else []
    if len(pair) == len(("key", "value")) and _NAMED.fullmatch(receiver):
        yield receiver, _spell_held("Map", *pair)


def _bind_stored(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a[index] = value`` what it puts into an array."""
    left = node.child_by_field_name("left")
    if left is None or left.type != "subscript_expression":
        return
    collection = text(left.child_by_field_name("object"))
    if _NAMED.fullmatch(collection):
        yield collection, _spell_held(COLLECTION, spell(node.child_by_field_name("right")))


FILLERS: Mapping[str, Fills] = {
    **dict.fromkeys(("push", "unshift"), _bind_filled(COLLECTION)),
    "add": _bind_filled("Set"),
    "set": _set,
}
PUTS: Mapping[str, Puts] = {"assignment_expression": _bind_stored}
