"""Members that TypeScript lets an assignment declare: those of functions.

What is assigned to a member of a variable that holds no function declares nothing: the type of the variable does.
https://www.typescriptlang.org/docs/handbook/release-notes/typescript-3-1.html#properties-declarations-on-functions
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.javascript import outline as javascript_outline
from leadline_tools.languages.javascript import values
from leadline_tools.languages.nodes import text
from leadline_tools.model import SymbolKind


def classify_assigned(node: Node) -> SymbolKind | None:
    """Tell what assigning to a member defines; None where a variable of the file holds no function."""
    kind = javascript_outline.classify_assigned(node)
    left = node.child_by_field_name("left")
    owner = left.child_by_field_name("object") if kind is not None and left is not None else None
    if owner is None or owner.type != "identifier":
        return kind
    declared = next(_declarators(node, text(owner)), None)
    return None if declared is not None and not _is_function(declared) else kind


def _declarators(node: Node, name: str) -> Iterator[Node]:
    """Yield what declares a variable that is seen from a place, the nearest first: a declarator, or a parameter."""
    around = node.parent
    while around is not None:
        for child in around.named_children:
            yield from (one for one in _iterate_declared(child) if text(_name(one)) == name)
        around = around.parent


def _iterate_declared(child: Node) -> Iterator[Node]:
    if child.type == "export_statement":
        child = child.child_by_field_name("declaration") or child
    if child.type == "ambient_declaration" and child.named_children:
        child = child.named_children[0]
    if child.type in ("lexical_declaration", "variable_declaration"):
        yield from (one for one in child.named_children if one.type == "variable_declarator")
    elif child.type == "formal_parameters":
        yield from (one for one in child.named_children if one.type in _PARAMETERS)
    elif child.type in _DECLARING:
        yield child


def _name(declared: Node) -> Node | None:
    return declared.child_by_field_name("pattern" if declared.type in _PARAMETERS else "name")


def _is_function(declared: Node) -> bool:
    """Return whether what is declared is a function: a constant whose value is one, and no type of its own.

    What a call returns, what a type assertion says, and what ``let`` declares has the members of its type alone.
    """
    if declared.type in _DECLARING:
        return True
    if declared.type in _PARAMETERS or declared.child_by_field_name("type") is not None:
        return False
    around, value = declared.parent, declared.child_by_field_name("value")
    while value is not None and value.type == "parenthesized_expression" and value.named_children:
        value = value.named_children[0]
    constant = around is not None and around.children[0].type == "const"
    return constant and value is not None and value.type in values.FUNCTIONS


_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})
_DECLARING = frozenset({"function_declaration", "generator_function_declaration", "class_declaration"})
