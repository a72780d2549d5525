"""Definitions of PHP: constants, properties and methods, and the names in variables.

A *bare name* is that of a variable without its dollar: so properties are spelled where they are used. A *dotted
name* is a qualified one with dots for backslashes. See https://www.php.net/manual/en/langref.php.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages import reach
from leadline_tools.languages.nodes import text
from leadline_tools.model import SymbolKind


def find_fragment_language(content: bytes) -> str:
    """Return ``php`` for a file that opens its tag."""
    return "php" if b"<?php" in content or b"<?=" in content else ""


def spell_dotted(name: Node | None) -> str:
    """Return a qualified name with dots."""
    return text(name).strip("\\").replace("\\", ".")


def list_bare_names(variable: Node | None) -> Sequence[Node]:
    """Return the name in a variable, without the dollar: so properties are spelled where they are used."""
    return variable.named_children[:1] if variable is not None else ()


def list_constants(node: Node) -> Sequence[Node]:
    """Return the names that a declaration of constants gives."""
    return [name for child in node.named_children if child.type == "const_element" for name in child.named_children[:1]]


def list_properties(node: Node) -> Sequence[Node]:
    """Return the names that a declaration of properties gives."""
    elements = [child for child in node.named_children if child.type == "property_element"]
    return [name for element in elements for name in list_bare_names(element.child_by_field_name("name"))]


def classify_method(node: Node) -> SymbolKind:
    """Tell a constructor from any other method."""
    constructs = text(node.child_by_field_name("name")).lower() == "__construct"
    return SymbolKind.Constructor if constructs else SymbolKind.Method


def list_defined_constant(node: Node) -> Sequence[Node]:
    """Return the literal name in ``define('NAME', value)``."""
    if text(node.child_by_field_name("function")).lower() != "define":
        return ()
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    string = first.named_children[0] if first is not None and first.named_children else None
    return string.named_children[:1] if string is not None and string.type in ("string", "encapsed_string") else ()


def classify_call(node: Node) -> SymbolKind | None:
    """Tell that a call of ``define`` declares a constant."""
    return SymbolKind.Constant if list_defined_constant(node) else None


def list_assigned_variable(node: Node) -> Sequence[Node]:
    """Return the variable on the left of an assignment."""
    left = node.child_by_field_name("left")
    return (left,) if left is not None and left.type == "variable_name" else ()


def find_enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a case belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def find_reach(declared: reach.Declared) -> reach.Reach:
    """Tell of a symbol by its modifiers; what is private in a trait is so in each class that uses it."""
    return reach.Reach.Anywhere if declared.around.startswith("trait") else reach.private_member(declared)
