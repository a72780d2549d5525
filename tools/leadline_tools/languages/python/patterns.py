"""Assignments of Python to names: by ``=``, loops, ``with`` and patterns of ``match``.

A *pattern* takes a value apart: each name in it gets a part. See
https://docs.python.org/3/reference/simple_stmts.html#assignment-statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.calls import LISTS, SPLAT, list_parts
from leadline_tools.languages.python.objects import make_iterable, spell_any_of
from leadline_tools.languages.rules.types import Made
from leadline_tools.languages.terms import UNKNOWN, Spell, either, then


def bind_sides(left: str, right: str, step: str = "") -> Made:
    """Return a function that gives the names on the left of a node what its right is, or what a step makes of it."""

    def made(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
        target, value = node.child_by_field_name(left), node.child_by_field_name(right)
        if target is not None and value is not None:
            yield from bind_pattern(target, None if step else value, then(spell(value), step), spell)

    return made


def bind_pattern(target: Node, value: Node | None, term: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield each name of a pattern with the part of the value that it takes."""
    if target.type not in LISTS:
        yield target, term
        return
    names, values = list_parts(target), list_parts(value) if value is not None and value.type in LISTS else ()
    whole = len(names) == len(values) and all(one.type != SPLAT for one in values)
    starred = False
    for i, child in enumerate(names):
        part = values[i] if whole else None
        starred |= child.type == "list_splat_pattern"
        if starred and child.type != "list_splat_pattern":
            yield from bind_pattern(child, None, then(term, "*"), spell)
        elif starred:
            yield from ((name, make_iterable(then(term, "*"))) for name in child.named_children)
        else:
            yield from bind_pattern(child, part, spell(part) if part is not None else then(term, f"#{i}"), spell)


def bind_entered(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name after ``as`` what the context manager enters, or the exception that is caught."""
    alias, value = node.child_by_field_name("alias"), node.named_children[0]
    if alias is None and node.named_children[-1].type == "identifier":
        yield node.named_children[-1], _spell_matched(value, spell)
        return
    target = alias.named_children[0] if alias is not None and alias.named_children else None
    if target is None:
        return
    if node.parent is not None and node.parent.type.startswith("except"):
        yield target, then(spell_any_of(value, spell), "()")
        return
    yield from bind_pattern(target, None, spell_entered(spell(value), is_async=_is_in_async_statement(node)), spell)


def spell_entered(term: str, *, is_async: bool) -> str:
    """Spell what a context manager gives: what its method says, else what a function gives that is made one."""
    return either((then(term, ".__aenter__()" if is_async else ".__enter__()"), term))


def _is_in_async_statement(node: Node) -> bool:
    """Return whether a pattern is in the head of ``async with``."""
    around = node.parent
    while around is not None and around.type in ("with_item", "with_clause"):
        around = around.parent
    return around is not None and around.children[0].type == "async"


def bind_default(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter its default."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, spell(node.child_by_field_name("value"))


def bind_default_of_type(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter with a type its default, or what callers give it."""
    yield from ((name, f"{term}|{UNKNOWN}") for name, term in bind_default(node, spell) if term not in ("", UNKNOWN))


def _spell_matched(pattern: Node, spell: Spell) -> str:
    """Spell what a pattern matches, where it says of what type that is."""
    inner = pattern.named_children[0] if pattern.type == "case_pattern" and pattern.named_children else pattern
    if inner.type == "union_pattern":
        return either(_spell_matched(one, spell) for one in inner.named_children)
    return then(_spell_class_pattern(inner, spell), "()") if inner.type == "class_pattern" else UNKNOWN


def _spell_class_pattern(node: Node, spell: Spell) -> str:
    """Spell the type of ``case Type(...)``."""
    named = node.named_children[0].named_children
    term = spell(named[0]) if named else UNKNOWN
    for part in named[1:]:
        term = then(term, f".{text(part)}")
    return term


def bind_captured(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name of ``case Type(key=name)`` that attribute of what is matched."""
    around = node.parent.parent if node.parent is not None else None
    key, value = node.named_children[0], node.named_children[-1]
    if around is not None and around.type == "class_pattern" and len(value.named_children) == 1 and key != value:
        yield value.named_children[0], then(_spell_class_pattern(around, spell), f"().{text(key)}")


def bind_pattern_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the attributes that ``case Type(name=pattern)`` looks at."""
    term = _spell_class_pattern(node, spell)
    for pattern in node.named_children[1:]:
        inner = pattern.named_children[0] if pattern.named_children else None
        if inner is not None and inner.type == "keyword_pattern":
            yield inner.named_children[0], then(term, "()")


_ENUMERATION = re.compile(r"(?:^|[.A-Za-z])(?:Enum|Flag|Choices)$")
"""How classes are called whose attributes are their objects: https://docs.python.org/3/library/enum.html, Django's."""

bind_assigned: Made = bind_sides("left", "right")


def bind_members(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what a module or a class has the value on the right; what an enumeration lists is one of its objects."""
    right = node.child_by_field_name("right")
    if right is not None and right.type != "lambda" and _is_in_enumeration(node):
        yield from ((name, "Self()") for name, _ in bind_assigned(node, spell))
    else:
        yield from bind_assigned(node, spell)


def _is_in_enumeration(node: Node) -> bool:
    """Return whether an assignment stands directly in an enumeration."""
    body = node.parent.parent if node.parent is not None else None
    around = body.parent if body is not None and body.type == "block" else None
    listed = around.child_by_field_name("superclasses") if around is not None else None
    return listed is not None and any(_ENUMERATION.search(text(base)) for base in listed.named_children)
