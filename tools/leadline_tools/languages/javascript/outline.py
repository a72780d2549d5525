"""Definitions of JavaScript: kinds, names, bodies and parameters, those of values that a name is given too."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.javascript.requires import find_module_required_before, find_required_module
from leadline_tools.languages.javascript.values import FUNCTIONS, KEY_NAMES, find_value, list_chain, list_pattern_names
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import SymbolKind


def list_value_body(node: Node) -> Sequence[Node]:
    """Return the node that holds what is inside a function, class or object that is assigned."""
    value = find_value(node)
    if value is None:
        return ()
    if value.type in FUNCTIONS:
        return [body for body in value.children_by_field_name("body") if body.type == "statement_block"]
    if value.type == "class":
        return value.children_by_field_name("body")
    return (value,) if value.type == "object" else ()


def list_value_parameters(node: Node) -> Sequence[Node]:
    """Return the parameters of a function that is assigned."""
    value = find_value(node)
    if value is None or value.type not in FUNCTIONS:
        return ()
    return (*value.children_by_field_name("parameters"), *value.children_by_field_name("parameter"))


def classify_value(node: Node, function: SymbolKind, other: SymbolKind) -> SymbolKind:
    """Return ``function`` for what is given a function, the kind of a class for one, else ``other``."""
    value = find_value(node)
    if value is not None and value.type in FUNCTIONS:
        return function
    return SymbolKind.Class if value is not None and value.type == "class" else other


def classify_declarator(node: Node) -> SymbolKind | None:
    """Tell what a declarator declares; one that requires a module imports."""
    if find_required_module(node) is not None or find_module_required_before(node) is not None:
        return None
    return classify_value(node, SymbolKind.Function, SymbolKind.Variable)


def classify_constant(around: Node, kind: SymbolKind) -> SymbolKind:
    """Return the kind of a variable in a declaration: a constant with ``const``."""
    constant = kind is SymbolKind.Variable and around.children and around.children[0].type == "const"
    return SymbolKind.Constant if constant else kind


def list_declared_names(node: Node) -> Sequence[Node]:
    """Return the names that a declarator declares, those in a pattern too."""
    return list_pattern_names(*node.children_by_field_name("name"))


def classify_method(node: Node) -> SymbolKind:
    """Tell a constructor and an accessor from a method."""
    if text(node.child_by_field_name("name")) == "constructor":
        return SymbolKind.Constructor
    if any(child.type in ("get", "set") for child in node.children):
        return SymbolKind.Property
    return SymbolKind.Method


def classify_member(node: Node) -> SymbolKind:
    """Tell a field that holds a function, which is a method to all who call it, from one that does not."""
    value = find_value(node)
    return SymbolKind.Method if value is not None and value.type in FUNCTIONS else SymbolKind.Field


def classify_pair(node: Node) -> SymbolKind | None:
    """Return the kind of a pair with a function; None for another, which is no symbol."""
    value = find_value(node)
    return SymbolKind.Method if value is not None and value.type in FUNCTIONS else None


def list_keys(node: Node) -> Sequence[Node]:
    """Return the name of a pair."""
    return [key for key in node.children_by_field_name("key") if key.type in KEY_NAMES]


def list_properties(node: Node) -> Sequence[Node]:
    """Return the name of a field."""
    return [key for key in node.children_by_field_name("property") if key.type in KEY_NAMES]


def list_assigned_path(node: Node) -> Sequence[str]:
    """Return the dotted names on the left of an assignment without ``module.exports`` and ``prototype``."""
    chain = list_chain(node.child_by_field_name("left"))
    if chain[:2] == ("module", "exports"):
        return chain[2:]
    if chain[:1] == ("exports",):
        return chain[1:]
    return [name for name in chain if name != "prototype"] if len(chain) > 1 else ()


def find_prototype_owner(node: Node) -> Node | None:
    """Return ``A`` in ``A.prototype = { ... }``, which gives the objects of ``A`` their members; None for any other.

    https://tc39.es/ecma262/#sec-ordinary-and-exotic-objects-behaviours: a property that an object lacks is that of its
    prototype.
    """
    left, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or value is None or value.type != "object" or left.type != "member_expression":
        return None
    chain = list_chain(left)
    owned = len(chain) > 1 and chain[-1] == "prototype" and chain[:1] not in COMMON
    return left.child_by_field_name("object") if owned else None


def classify_assigned(node: Node) -> SymbolKind | None:
    """Tell what assigning to a member defines: a function, or an export that is not an import or an alias."""
    if find_prototype_owner(node) is not None:
        return SymbolKind.Class
    target = list_assigned_path(node)
    exported = list_chain(node.child_by_field_name("left"))[:1] in COMMON
    value = find_value(node)
    if value is None or not (target or exported):
        return None
    if exported and not target:
        named = value.type in FUNCTIONS and value.child_by_field_name("name") is not None
        return SymbolKind.Function if named else SymbolKind.Class if value.type in ("class", "object") else None
    if value.type in FUNCTIONS:
        return SymbolKind.Function if len(target) == 1 else SymbolKind.Method
    if value.type == "class":
        return SymbolKind.Class
    other = value.type in ("identifier", "object") or find_exported_name(value) or _is_void(value)
    return SymbolKind.Variable if exported and len(target) == 1 and not other else None


def _is_void(value: Node) -> bool:
    """Return whether a value is ``void 0``: with that, compilers reserve the names of exports before they give them."""
    return value.type == "unary_expression" and text(value.child_by_field_name("operator")) == "void"


def find_exported_name(value: Node) -> str:
    """Return the name of the export that ``exports.a`` means; empty for anything else."""
    chain = list_chain(value) if value.type == "member_expression" else ()
    names = chain[2:] if chain[:2] == ("module", "exports") else chain[1:] if chain[:1] == ("exports",) else ()
    return names[0] if len(names) == 1 else ""


def list_assigned_name(node: Node) -> Sequence[Node]:
    """Return the member that an assignment defines; the name of its own of what is exported as a whole."""
    owner = find_prototype_owner(node)
    if owner is not None:
        return (owner,)
    value = find_value(node)
    if not list_assigned_path(node):
        return value.children_by_field_name("name") if value is not None and value.type != "object" else ()
    left = node.child_by_field_name("left")
    return left.children_by_field_name("property") if left is not None else ()


def is_assigned_symbol(node: Node) -> bool:
    """Return whether what an assignment defines is a symbol; an object with the members of a prototype is none."""
    return find_prototype_owner(node) is None and bool(list_assigned_name(node))


COMMON = (("exports",), ("module",))


def is_getter(node: Node) -> bool:
    """Return whether a method is read like a field."""
    return any(child.type == "get" for child in node.children)


def is_static(node: Node) -> bool:
    """Return whether a member is one of the class itself: https://tc39.es/ecma262/#sec-static-semantics-isstatic."""
    return any(child.type == "static" for child in node.children)


def find_member_scope(node: Node) -> ScopeKind:
    """Return the kind of the scope of a member, whose ``this`` is the class where it is static."""
    return ScopeKind.Static if is_static(node) else ScopeKind.Function
