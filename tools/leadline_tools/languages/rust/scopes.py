"""Scopes of Rust: what patterns, closures and the arms of a match bind; and the fields that are named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.rules.types import Made
from leadline_tools.languages.rust.outline import find_type
from leadline_tools.languages.rust.types import (
    apply_arguments,
    destructure,
    find_start_of_fold,
    iterate_positions,
    spell_struct,
)
from leadline_tools.languages.terms import Spell, object_of, then


def find_pattern_type(node: Node) -> Node | None:
    """Return the declared type of the only name that a pattern binds, if it leaves nothing open."""
    pattern, kind = node.child_by_field_name("pattern"), find_type(node)
    alone = pattern is not None and pattern.type == "identifier"
    return kind if alone and kind is not None and not _is_partial(kind) else None


def _is_partial(kind: Node) -> bool:
    """Return whether a type leaves a part to the value: ``Vec<_>``."""
    return re.search(rb"(?<!')\b_\b", kind.text or b"") is not None


def list_bound_names(*patterns: Node) -> Sequence[Node]:
    """Return the names that patterns bind.

    A name in a pattern may mean a constant or a variant instead. By the language's lint ``nonstandard_style`` those
    begin with a capital and variables do not; what does is left to be looked up.
    """
    found: list[Node] = []
    stack = list(reversed(patterns))
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "shorthand_field_identifier"):
            if not text(node)[:1].isupper():
                found.append(node)
        elif node.type == "parameter":
            pass  # binds by itself
        elif node.type == "field_pattern":
            stack.extend(node.children_by_field_name("pattern") or node.children_by_field_name("name"))
        elif node.type in _PATTERNS:
            apart = {child.id for name in ("type", "condition") for child in node.children_by_field_name(name)}
            stack.extend(child for child in reversed(node.named_children) if child.id not in apart)
    return found


_PATTERNS = frozenset(
    "match_pattern tuple_pattern tuple_struct_pattern struct_pattern slice_pattern captured_pattern or_pattern"
    " ref_pattern mut_pattern reference_pattern remaining_field_pattern closure_parameters".split()
)


_QUALIFYING = re.compile(r"\bas\s+(?:\w+\s*::\s*)*(\w+)\s*(?:<.*>\s*)?>\s*::\s*$")


def find_qualifying_trait(before: str) -> str:
    """Return the last name of the trait in a qualified path before a name, ``<A as B>::``; empty for no such path.

    https://doc.rust-lang.org/reference/paths.html#qualified-paths
    """
    rest = before.rstrip()
    found = _QUALIFYING.search(rest, max(0, rest.rfind(" as "))) if rest.endswith(">::") else None
    return found[1] if found is not None else ""


def list_pattern_names(node: Node) -> Sequence[Node]:
    """Return the names that the pattern of a node binds."""
    return list_bound_names(*node.children_by_field_name("pattern"))


def bind_value(step: str = "") -> Made:
    """Return a function that gives the names of a pattern the value of a node, or what a step makes of it."""

    def made(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
        pattern, value, kind = (node.child_by_field_name(field) for field in ("pattern", "value", "type"))
        if pattern is not None and (value is not None or kind is not None):
            term = spell(value) if kind is None or _is_partial(kind) else object_of(spell(kind))
            yield from destructure(pattern, then(term, step) if step else term, spell)

    return made


def bind_closure_parameters(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of a closure's parameters what the function that is called with the closure gives it.

    The function may be given a reference to it: ``walk(root, &mut |node| node.open())``.
    """
    closure = node.parent
    while closure is not None and closure.parent is not None and closure.parent.type == "reference_expression":
        closure = closure.parent
    listed = closure.parent if closure is not None else None
    call = listed.parent if listed is not None and listed.type == "arguments" else None
    at = argument_index(closure) if closure is not None else None
    if call is None or at is None:
        return
    term = then(apply_arguments(call, spell, at), f"%{at}")
    start = find_start_of_fold(call)
    for i, pattern in iterate_positions(node):
        if pattern.type != "parameter":
            given = spell(start) if start is not None and not i else then(term, f"%{i}")
            yield from destructure(pattern, given, spell)


def bind_matched(arm: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of the pattern of an arm the value that is matched."""
    block, pattern = arm.parent, arm.child_by_field_name("pattern")
    around = block.parent if block is not None else None
    if around is not None and pattern is not None and any(list_bound_names(pattern)):
        yield from destructure(pattern, spell(around.child_by_field_name("value")), spell)


def bind_initialized_fields(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of fields in a struct expression."""
    kind, body = spell_struct(node, spell), node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type == "field_initializer":
            yield from ((name, kind) for name in child.children_by_field_name("field"))
        elif child.type == "shorthand_field_initializer" and child.named_children:
            yield child.named_children[-1], kind


def bind_associated_type(binding: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``Trait<Name = Type>``, a member of the trait.

    https://doc.rust-lang.org/reference/paths.html#paths-in-expressions
    """
    name, around = binding.child_by_field_name("name"), binding.parent
    trait = around.parent if around is not None else None
    if name is not None and trait is not None:
        yield name, spell(trait.child_by_field_name("type") or trait.child_by_field_name("trait"))


def bind_pattern_fields(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of fields in a struct pattern."""
    kind = then(spell(find_type(node)), "()")
    for child in node.named_children:
        if child.type == "field_pattern":
            yield from ((name, kind) for name in child.children_by_field_name("name"))
