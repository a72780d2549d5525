"""Scopes of types: type parameters, inferred types, aliases of namespaces."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node


def find_alias(node: Node) -> Node | None:
    """Return what ``import a = b.c`` stands for."""
    return node.named_children[1] if len(node.named_children) > 1 else None


def list_inferred_names(node: Node) -> Sequence[Node]:
    """Return the names that a conditional type infers: those below its ``extends``, but for other conditional types.

    https://www.typescriptlang.org/docs/handbook/2/conditional-types.html#inferring-within-conditional-types
    """
    pattern = node.child_by_field_name("right")
    pending, found = [pattern] if pattern is not None else [], list[Node]()
    while pending:
        inside = pending.pop()
        if inside.type == "infer_type":
            found += inside.named_children[:1]
        if inside.type != "conditional_type":
            pending += reversed(inside.named_children)
    return found
