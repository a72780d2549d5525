"""Members that TypeScript lets an assignment declare: those of functions.

What is assigned to a member of a variable that holds no function declares nothing: the type of the variable does.
https://www.typescriptlang.org/docs/handbook/release-notes/typescript-3-1.html#properties-declarations-on-functions
"""

from __future__ import annotations

from tree_sitter import Node

from leadline_tools.languages.javascript import assigned_owners, values
from leadline_tools.languages.javascript.assigned_owners import DECLARING, TYPED_PARAMETERS, iterate_declarators
from leadline_tools.languages.nodes import text
from leadline_tools.model import SymbolKind


def classify_assigned(node: Node) -> SymbolKind | None:
    """Tell what assigning to a member defines; None where a variable of the file holds no function."""
    kind = assigned_owners.classify_assigned(node)
    left = node.child_by_field_name("left")
    owner = left.child_by_field_name("object") if kind is not None and left is not None else None
    if owner is None or owner.type != "identifier":
        return kind
    declared = next(iterate_declarators(node, text(owner)), None)
    return None if declared is not None and not _is_function(declared) else kind


def _is_function(declared: Node) -> bool:
    """Return whether what is declared is a function: a constant whose value is one, and no type of its own.

    What a call returns, what a type assertion says, and what ``let`` declares has the members of its type alone.
    """
    if declared.type in DECLARING:
        return True
    if declared.type in TYPED_PARAMETERS or declared.child_by_field_name("type") is not None:
        return False
    around, value = declared.parent, declared.child_by_field_name("value")
    while value is not None and value.type == "parenthesized_expression" and value.named_children:
        value = value.named_children[0]
    constant = around is not None and around.children[0].type == "const"
    return constant and value is not None and value.type in values.FUNCTIONS
