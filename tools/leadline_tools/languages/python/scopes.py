"""Scopes of Python: what parameters, ``as`` and patterns bind; and what names may become."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.outline import OWN_NAMES, find_own_parameter, is_decorated, yield_entered_patterns
from leadline_tools.languages.python.patterns import bind_entered
from leadline_tools.languages.terms import Spell

_OF_CLASS: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
"""Methods that are called on the class without saying so."""


def split_compared(name: Node) -> Sequence[Node | None]:
    """Return the names of a dotted one that a pattern compares with, or that is the class in one."""
    around = name.parent
    if around is None or not around.type.endswith("_pattern"):
        return (None, None)  # of an import
    return name.named_children


def bind_receiver(parameters: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the first parameter of a method the object that it is called on, however it is called."""
    function = parameters.parent
    first = find_own_parameter(function) if function is not None and function.type == "function_definition" else None
    if function is not None and first is not None and text(first) not in OWN_NAMES:
        outer = function.parent
        of_class = text(function.child_by_field_name("name")) in _OF_CLASS or (
            outer is not None and outer.type == "decorated_definition" and is_decorated(outer, "classmethod")
        )
        yield first, "cls" if of_class else "self"


def bind_all_entered(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of a ``with`` statement what their context managers enter."""
    for one in yield_entered_patterns(node):
        yield from bind_entered(one, spell)


def list_aliased(node: Node) -> Sequence[Node]:
    """Return what ``as`` binds; in a pattern its name stands alone."""
    alias = node.child_by_field_name("alias")
    if alias is not None:
        return [alias]
    return [child for child in node.named_children[-1:] if child.type == "identifier"]


def is_taken_first(node: Node) -> bool:
    """Return whether a comprehension takes this first: it does so before it has names of its own."""
    before = node.parent.prev_named_sibling if node.parent is not None else None
    return before is None or before.type != "for_in_clause"


def list_captured(node: Node) -> Sequence[Node]:
    """Return what a pattern binds that is one name; a dotted one is compared with."""
    last = node.named_children[-1] if node.named_children else None
    if last is None or last.type != "dotted_name" or len(last.named_children) != 1:
        return []
    return [name for name in last.named_children if text(name) != "_"]


def refuse_rename(old: str, new: str) -> str:
    """Refuse names that Python calls itself, and those that it mangles inside classes."""
    if old.startswith("__") and old.endswith("__"):
        return f"Python itself looks for {old}"
    if new.startswith("__"):
        return f"{new} has a meaning of its own in Python"
    return ""
