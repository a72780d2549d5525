"""Collections of Python: what fills them, methods such as ``append`` and assignments to their elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.calls import list_parts, list_positional
from leadline_tools.languages.python.objects import make_object, spell_element
from leadline_tools.languages.rules.types import Fills, Puts
from leadline_tools.languages.terms import UNKNOWN, Spell, then, ungiven
from leadline_tools.lazy_regex import lazy_compile

_NAMED = lazy_compile(r"(?:self\.)?[^\W\d]\w*")
_BY_KEY = lazy_compile(r"((?:self\.)?[^\W\d]\w*)(?:\[\]|\.setdefault\(\))")


def _fill(kind: str, step: str = "", at: int = 0) -> Fills:
    """Return a function that reads what a call puts into a collection of a kind: an argument, or each element of it."""

    def fill(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
        given = list_positional(call.child_by_field_name("arguments"))
        term = then(spell(given[at]), step) if at < len(given) else UNKNOWN
        held, plain = make_object(kind, [term]), ungiven(receiver)
        keyed = _BY_KEY.fullmatch(plain)
        if keyed is not None:
            yield keyed[1], make_object("dict", [UNKNOWN, held]) if term != UNKNOWN else held
        elif _NAMED.fullmatch(plain):
            yield plain, held

    return fill


def _fill_default(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a.setdefault(key, value)`` what it puts into a dictionary."""
    given = list_positional(call.child_by_field_name("arguments"))
    if len(given) == len(("key", "value")) and _NAMED.fullmatch(receiver):
        yield receiver, make_object("dict", map(spell, given))


def _put_element(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a[key] = value`` what it puts into a dictionary, or a list."""
    left = node.child_by_field_name("left")
    if left is None or left.type != "subscript" or len(list_parts(left)) != len(("a", "key")):
        return
    value = node.child_by_field_name("right")
    collection = text(left.child_by_field_name("value"))
    if _NAMED.fullmatch(collection):
        yield collection, make_object("dict", [spell(left.child_by_field_name("subscript")), spell(value)])


def _put_elements(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Tell of ``a += values`` what it puts into a list or a set."""
    collection, value = text(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))
    if text(node.child_by_field_name("operator")) in ("+=", "|=") and _NAMED.fullmatch(collection):
        yield collection, make_object("list", [spell_element(value)])


PUTS: Mapping[str, Puts] = {"assignment": _put_element, "augmented_assignment": _put_elements}

FILLERS: Mapping[str, Fills] = {
    "add": _fill("set"),
    **dict.fromkeys(("append", "appendleft"), _fill("list")),
    "insert": _fill("list", at=1),
    "extend": _fill("list", "*"),
    "setdefault": _fill_default,
}

EMPTY: frozenset[str] = frozenset(
    "list() set() dict() deque() collections.deque() defaultdict<?,list()^>() collections.defaultdict<?,list()^>()"
    " defaultdict<?,set()^>() collections.defaultdict<?,set()^>()".split()
)
"""How collections are spelled that are made empty."""
