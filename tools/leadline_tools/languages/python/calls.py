"""Calls of Python: what is called, and the arguments at their places."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache

from tree_sitter import Node

from leadline_tools.languages.nodes import root_of, text
from leadline_tools.lazy_regex import lazy_compile

LISTS: frozenset[str] = frozenset("pattern_list tuple_pattern list_pattern expression_list tuple list".split())
"""Nodes that take a value, or are one, part by part."""

SPLAT = "list_splat"

NOT_POSITIONAL: frozenset[str] = frozenset({"comment", "keyword_argument", "dictionary_splat"})
NARROWING: frozenset[str] = frozenset({"isinstance"})
CASTS: frozenset[str] = frozenset({"cast", "t.cast", "typing.cast"})
COPYING: frozenset[str] = frozenset("attr.evolve attrs.evolve copy.replace dataclasses.replace evolve replace".split())
"""Functions that give a copy of an object, with other values of the fields that their keywords name."""

_LONGEST = max(map(len, (*CASTS, *NARROWING, *COPYING)))


def list_parts(node: Node) -> Sequence[Node]:
    """Return what a node lists: the elements of a tuple or list, a type and its arguments."""
    return [child for child in node.named_children if child.type != "comment"]


def list_positional(arguments: Node | None) -> Sequence[Node]:
    """Return the positional arguments of a call; none where a star hides how many there are."""
    if arguments is None:
        return ()
    if arguments.type == "generator_expression":
        return (arguments,)
    given = [child for child in arguments.named_children if child.type not in NOT_POSITIONAL]
    return given if all(child.type != SPLAT for child in given) else ()


def is_called(call: Node, names: Container[str]) -> bool:
    """Return whether what is called has one of some names; one that is longer than all of them is not even read."""
    function = call.child_by_field_name("function")
    if function is None or function.end_byte - function.start_byte > _LONGEST:
        return False
    name = text(function)
    return name in names or (name.endswith(_COPYING_METHODS) and spell_own_name(call, name) in names)


_COPYING_METHODS = tuple(sorted({f".{name.rpartition('.')[2]}" for name in COPYING}))

_RENAMED = lazy_compile(rb"^[ \t]*import[ \t]+([\w.]+)[ \t]+as[ \t]+(\w+)", re.MULTILINE)


def spell_own_name(call: Node, name: str) -> str:
    """Return the dotted name of what is called, in which a module has its own name and not that which a file gives it.

    https://docs.python.org/3/reference/simple_stmts.html#import
    """
    module, dot, rest = name.partition(".")
    return f"{_renamed_modules(root_of(call)).get(module, module)}{dot}{rest}"


def spell_imported_name(call: Node, name: str) -> str:
    """Return the dotted name of what is called, which a file imports from a module: as that calls it, behind its name.

    https://docs.python.org/3/reference/simple_stmts.html#import
    """
    first, dot, rest = name.partition(".")
    return f"{_imported_names(root_of(call)).get(first, first)}{dot}{rest}"


@lru_cache(1)
def _renamed_modules(root: Node) -> Mapping[str, str]:
    """Return the modules to which a file gives other names, by those; it may call what they have a thousand times."""
    found = _RENAMED.finditer(root.text or b"")
    return {one[2].decode("utf-8", "replace"): one[1].decode("utf-8", "replace") for one in found}


_IMPORTED = lazy_compile(rb"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]*)", re.MULTILINE)
_IMPORTED_NAME = lazy_compile(rb"(\w+)(?:[ \t]+as[ \t]+(\w+))?")


@lru_cache(1)
def _imported_names(root: Node) -> Mapping[str, str]:
    """Return the dotted names of what a file imports from modules, by the names that it gives it."""
    found: dict[str, str] = {}
    for statement in _IMPORTED.finditer(root.text or b""):
        for one in _IMPORTED_NAME.finditer(statement[2]):
            name = one[2] or one[1]
            found[name.decode("utf-8", "replace")] = b".".join((statement[1], one[1])).decode("utf-8", "replace")
    return found
