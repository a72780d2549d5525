"""Values in the syntax tree: what a name is given, functions among them, and the names in patterns and chains."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import (
    object_of,
)

FUNCTIONS = frozenset({"function_expression", "generator_function", "arrow_function"})
"""The expressions that are functions: what is assigned one is one."""

DECLARED_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})
"""The functions that are no expressions."""

ALL_FUNCTIONS = FUNCTIONS | DECLARED_FUNCTIONS

NAMELESS = object_of(terms.COLLECTION)
"""An object of a type that has no name, whose members are no symbols."""


def is_child_in_field(around: Node, field: str, node: Node) -> bool:
    """Return whether a node is the child of another one in a field."""
    child = around.child_by_field_name(field)
    return child is not None and child.id == node.id


def find_first_child(node: Node) -> Node | None:
    """Return the first child of a node that is no comment."""
    return next((child for child in node.named_children if child.type != "comment"), None)


def list_arguments(node: Node) -> Sequence[Node]:
    """Return the arguments of a call."""
    listed = node.child_by_field_name("arguments")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else ()


def list_type_arguments(call: Node) -> Sequence[Node]:
    """Return the type arguments that a call writes out."""
    listed = call.child_by_field_name("type_arguments")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else ()


KEY_NAMES = frozenset(
    {"property_identifier", "private_property_identifier", "identifier", "type_identifier", "string", "number"}
)

PATTERNS = frozenset({"object_pattern", "array_pattern", "rest_pattern", "formal_parameters"})


def unquote_name(node: Node) -> str:
    """Return the name that a node spells, without the quotes of a string."""
    return text(node).strip("\"'`") if node.type == "string" else text(node)


def find_value(node: Node) -> Node | None:
    """Return the value of a declarator, field or pair, through parentheses, type assertions and other assignments."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    for _ in range(4):
        if value is None or value.type not in TRANSPARENT:
            return value
        inner = value.child_by_field_name("right") if value.type == "assignment_expression" else None
        value = inner or (value.named_children[0] if value.named_children else None)
    return value


TRANSPARENT = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression", "assignment_expression"})
"""What has the value of something in it."""


def list_pattern_names(*patterns: Node) -> Sequence[Node]:
    """Return the names that patterns bind, without what is only a key, a default value or a type."""
    found: list[Node] = []
    stack = list(reversed(patterns))
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            found.append(node)
        elif node.type == "pair_pattern":
            stack.extend(node.children_by_field_name("value"))
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            stack.extend(node.children_by_field_name("left"))
        elif node.type in ("required_parameter", "optional_parameter"):
            stack.extend(node.children_by_field_name("pattern"))
        elif node.type in PATTERNS:
            stack.extend(reversed(node.named_children))
    return found


def list_chain(node: Node | None) -> Sequence[str]:
    """Return the names of ``a.b.c``; none for anything else."""
    names: list[str] = []
    for _ in range(4):
        if node is None:
            break
        if node.type == "identifier":
            return (text(node), *reversed(names))
        if node.type != "member_expression":
            break
        names.append(text(node.child_by_field_name("property")))
        node = node.child_by_field_name("object")
    return ()


def find_function(node: Node) -> Node | None:
    """Return the function that a declarator, field, pair or assignment gives."""
    value = find_value(node)
    return value if value is not None and value.type in FUNCTIONS else None
