"""Definitions of Scala: kinds and names of symbols, parameters that are members, extensions.

An *extension* adds methods to a type from outside, as an implicit class does. A *getter* is a method without a list of
parameters, which is read like a variable. See https://docs.scala-lang.org/scala3/reference/.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import Nodes, fields, text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import SymbolKind

_STABLE = frozenset({"stable_identifier", "type_arguments", "interpolated_string_expression"})


def select_children(*types: str) -> Nodes:
    """Return a function that gives the children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in types]

    return children


def classify_function(node: Node) -> SymbolKind:
    """Tell a constructor from any other function."""
    return SymbolKind.Constructor if text(node.child_by_field_name("name")) == "this" else SymbolKind.Function


def list_parameters(node: Node) -> Sequence[Node]:
    """Return the lists of parameters of a function."""
    return [child for child in node.children_by_field_name("parameters") if child.type == "parameters"]


def classify_parameter(node: Node) -> SymbolKind:
    """Tell a parameter of a class that is a property from any other."""
    return SymbolKind.Property if select_children("val", "var")(node) else SymbolKind.Field


def classify_class_parameter(around: Node, kind: SymbolKind) -> SymbolKind | None:
    """Tell the parameters of a class that are its members: those with ``val``, and all of a case class."""
    case = around.type == "full_enum_case" or bool(select_children("case")(around))
    return SymbolKind.Property if case or kind is SymbolKind.Property else None


def list_extension_bodies(node: Node) -> Sequence[Node]:
    """Return what holds the methods: the extension itself, or the braces in it."""
    return [body for body in node.children_by_field_name("body") if body.type == "template_body"] or (node,)


def yield_pattern_variables(pattern: Node | None) -> Iterator[Node]:
    """Yield the variables of a pattern: the names that begin in lower case."""
    stack = [] if pattern is None else [pattern]
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            if text(node)[:1].islower() or text(node)[:1] == "_":
                yield node
        elif node.type not in _STABLE:
            first = 1 if node.type == "named_pattern" else 0
            skipped = {child.id for child in (*fields("type", "operator")(node), *node.named_children[:first])}
            stack.extend(child for child in node.named_children if child.id not in skipped)


def list_declared_names(node: Node) -> Sequence[Node]:
    """Return what ``val`` and ``var`` declare: plain names, or the variables of a pattern."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None:
        return [name for name in node.children_by_field_name("name") if name.type == "identifier"]
    if pattern.type == "identifier":
        return (pattern,)
    if pattern.type == "identifiers":
        return [name for name in pattern.named_children if name.type == "identifier"]
    return sorted(yield_pattern_variables(pattern), key=lambda name: name.start_byte)


def is_getter(node: Node) -> bool:
    """Tell that a method without a list of parameters, but for an implicit one, is read like a variable.

    What one with type parameters gives depends on how it is called.
    """
    listed = list_parameters(node)
    implicit = not select_children("type_parameters")(node) and all(map(_is_implicit, listed))
    return implicit or not listed


def _is_implicit(parameters: Node) -> bool:
    """Return whether the compiler finds what a list of parameters takes."""
    return parameters.child_count > 1 and text(parameters.children[1]) in _IMPLICIT


_IMPLICIT = frozenset({"implicit", "using"})


def find_enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a case belongs to."""
    around = node.parent
    while around is not None and around.type != "enum_definition":
        around = around.parent
    return around.child_by_field_name("name") if around is not None else None


def is_named_or_alias(node: Node) -> bool:
    """Return whether a given instance has a name, or is the value of an expression: the others are anonymous classes.

    https://docs.scala-lang.org/scala3/reference/contextual/givens.html#anonymous-givens
    """
    body = node.child_by_field_name("body")
    return node.child_by_field_name("name") is not None or body is None or body.type != "with_template_body"


def list_given_bodies(node: Node) -> Sequence[Node]:
    """Return what holds the members of a given instance with a name; those of others belong to no symbol."""
    return node.children_by_field_name("body") if is_named_or_alias(node) else ()


_TYPES = frozenset({"class_definition", "trait_definition", "enum_definition"})


def is_companion(node: Node) -> bool:
    """Return whether an object stands beside a type of its name.

    https://docs.scala-lang.org/scala3/book/domain-modeling-tools.html#companion-objects
    """
    beside = node.parent if node.type == "object_definition" else None
    if beside is None:
        return False
    name = text(node.child_by_field_name("name"))
    types = (one for one in beside.named_children if one.type in _TYPES)
    return any(text(one.child_by_field_name("name")) == name for one in types)


def is_of_companion(node: Node) -> bool:
    """Return whether a member is one of an object beside a class of its name, whose objects do not have it."""
    body = node.parent
    around = body.parent if body is not None and body.type == "template_body" else None
    return around is not None and is_companion(around)


def find_member_scope(node: Node) -> ScopeKind:
    """Return the kind of the scope of a function, whose own object may be a companion."""
    return ScopeKind.Static if is_of_companion(node) else ScopeKind.Function
