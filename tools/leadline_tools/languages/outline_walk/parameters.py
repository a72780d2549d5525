"""The names of the parameters of what can be called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import text
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.languages.rules.outline import Defines
from leadline_tools.model import SymbolKind

_DESTRUCTURING: Final = frozenset(
    {"object_pattern", "array_pattern", "tuple_pattern", "struct_pattern", "tuple_struct_pattern", "slice_pattern"}
)
"""Patterns in the place of a parameter, which has no name then."""

_PLAIN_PARAMETER: Final = re.compile(r"[*&.$@]{0,3}[^\W\d]\w*[?!]?")
_WORD: Final = re.compile(r"\w+")


def list_parameters(node: Node, rule: Defines, kind: SymbolKind, language: Language) -> tuple[str, ...] | None:
    """Return the names of the parameters of what a node defines; None for what cannot be called."""
    lists = rule.parameters(node) if rule.parameters is not None and kind not in VARIABLE else None
    if lists is None or not (lists or kind in CALLABLE):
        return None
    this = language.semantics.scopes.this if language.semantics else frozenset[str]()
    names = [
        name
        for parameters in lists
        for child in ((parameters,) if "identifier" in parameters.type else parameters.named_children)
        if child.type not in language.outline.comments
        for name in parameter_names(child)
    ]
    return tuple(name for i, name in enumerate(names) if i or name.lstrip("&*") not in this)


def parameter_names(node: Node) -> Sequence[str]:
    """Return the names that one parameter node declares, with the stars of a variadic one."""
    for _ in range(8):  # declarators nest: int *(*f)(void)
        if node.type in _DESTRUCTURING:
            return ("{...}",)
        spelled = text(node)
        if _PLAIN_PARAMETER.fullmatch(spelled) and not node.child_by_field_name("type"):
            return (spelled,)
        names = node.children_by_field_name("name")
        if names:
            return [text(name) for name in names]
        inner = node.child_by_field_name("pattern") or node.child_by_field_name("declarator")
        if inner is None:
            inner = next((c for c in node.named_children if "declarator" in c.type), None)
        if inner is None:
            inner = next((c for c in node.named_children if "identifier" in c.type or "pattern" in c.type), None)
            if inner is None or node.child_by_field_name("type") == inner:
                return ()
            if inner.named_child_count and "splat" not in inner.type and "pattern" in inner.type:
                return ("{...}",)
        node = inner
    return ()


def macro_parameters(behind: bytes) -> tuple[str, ...] | None:
    """Return the names between the parentheses behind the name of a macro; None where there are none."""
    if not behind.startswith(b"("):
        return None
    return tuple(_WORD.findall(behind[: behind.index(b")")].decode("utf-8", "replace")))
