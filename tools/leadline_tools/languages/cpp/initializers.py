"""Initializers of variables of C++ in which the grammar sees parameters of a function: ``A a(b, c(d), e * f);``.

Such a declaration in a function declares a function only where each name that can be one is a type: [dcl.ambig.res].
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.c import outline as c_outline
from leadline_tools.languages.cpp import outline
from leadline_tools.languages.nodes import text

_TYPES = frozenset({"alias_declaration", "class_specifier", "enum_specifier", "struct_specifier", "union_specifier"})
_SPECIFIERS = frozenset({"storage_class_specifier"})
_SIGNS = frozenset({"pointer_declarator", "reference_declarator"})
"""What looks like a pointer or a reference may be a product or a conjunction."""

_VALUES = frozenset({"declaration", "field_declaration", "for_range_loop"})


def list_parameter_names(node: Node) -> Sequence[Node]:
    """Return the name of a parameter of a function; the template binds its own, which may stand where types do."""
    around = node.parent
    if around is not None and around.type == "template_parameter_list":
        return ()
    return () if _may_be_operands(node) else c_outline.list_names(node)


def list_given_names(node: Node) -> Sequence[Node]:
    """Return the names in ``A a(b, c(d))`` in a function that are values: see ``_list_initializers``."""
    return [name for one in _list_initializers(node) for name, called in one if not called]


def list_called_names(node: Node) -> Sequence[Node]:
    """Return the names in ``A a(b, c(d))`` in a function that are called, and the types whose constructors are."""
    given = [one for initializers in _list_initializers(node) for one in initializers]
    return [*outline.list_constructed_types(node, bool(given)), *(name for name, called in given if called)]


def _list_initializers(node: Node) -> Sequence[Sequence[tuple[Node, bool]]]:
    """Return the names in what initializes a variable in a function where the grammar sees parameters.

    Each with whether it is called. ``A a(b(c));`` declares a function only where ``b`` is a type: [dcl.ambig.res].
    """
    around = node.parent
    if around is None or around.type != "compound_statement":
        return ()
    found: list[Sequence[tuple[Node, bool]]] = []
    for _, function in c_outline.list_declared(node):
        names = _read_initializers(function.child_by_field_name("parameters")) if function is not None else ()
        if names is None:
            return ()
        found.append(names)
    return found


def _read_initializers(listed: Node | None) -> Sequence[tuple[Node, bool]] | None:
    """Return the names in a list of parameters all of which may be expressions; None where one may not be."""
    found: list[tuple[Node, bool]] = []
    for one in listed.named_children if listed is not None else ():
        declarator = one.child_by_field_name("declarator")
        if one.type != "parameter_declaration" or len(one.named_children) != 1 + (declarator is not None):
            return None
        name = one.named_children[0]
        while name.type == "qualified_identifier":
            last = name.child_by_field_name("name")
            if last is None:
                return None
            name = last
        is_call = declarator is not None and declarator.type == "abstract_function_declarator"
        if name.type == "type_identifier":
            found.append((name, is_call))
        if declarator is not None and declarator.type in _SIGNS:
            operand = _find_operand(declarator)
            if operand is None or not _is_value(name):
                return None
            found.append((operand, False))
            continue
        # The index in ``a[i]`` is a value already.
        if declarator is not None and declarator.type != "abstract_array_declarator":
            inner = declarator.child_by_field_name("parameters") if declarator.named_child_count == 1 else None
            names = _read_initializers(inner) if is_call and inner is not None else None
            if names is None:
                return None
            found += names
    return found


def _find_operand(declarator: Node) -> Node | None:
    """Return the right operand of what looks like a pointer or a reference; None where it is no name."""
    inner = declarator.named_children[-1] if declarator.named_child_count == 1 else None
    return inner if inner is not None and inner.type == "identifier" else None


def _may_be_operands(parameter: Node) -> bool:
    """Return whether what looks like a parameter of a function that is declared in a function may be two operands."""
    kind, declarator = parameter.child_by_field_name("type"), parameter.child_by_field_name("declarator")
    if kind is None or kind.type != "type_identifier" or declarator is None or declarator.type not in _SIGNS:
        return False
    if _find_operand(declarator) is None or parameter.named_child_count > 2:
        return False
    function = parameter.parent.parent if parameter.parent is not None else None
    declared = function.parent if function is not None else None
    around = declared.parent if declared is not None else None
    if declared is None or around is None or (declared.type, around.type) != ("declaration", "compound_statement"):
        return False
    is_function = any(child.type in _SPECIFIERS and text(child) == "extern" for child in declared.children)
    is_function = is_function or text(declared.child_by_field_name("type")) == "void"
    return not is_function and _is_value(kind) is not False


def _is_value(name: Node) -> bool | None:
    """Return whether a name is that of a value where it stands; None where nothing around declares it."""
    wanted, node = text(name), name
    while node.parent is not None:
        around = node.parent
        for one in around.named_children:
            if one.start_byte >= node.start_byte and around.type != "field_declaration_list":
                break
            if one.type in _TYPES and text(one.child_by_field_name("name")) == wanted:
                return False
            if one.type == "type_definition" and wanted in map(text, one.children_by_field_name("declarator")):
                return False
            if one.type in _VALUES and wanted in map(text, c_outline.list_names(one)):
                return True
        if around.type in ("function_definition", "lambda_expression") and wanted in map(text, _parameters(around)):
            return True
        if around.type == "template_declaration" and wanted in text(around.child_by_field_name("parameters")).split():
            return False
        node = around
    return None


def _parameters(function: Node) -> Iterator[Node]:
    """Yield the names of the parameters of a function."""
    declarator = function.child_by_field_name("declarator")
    while declarator is not None and declarator.child_by_field_name("parameters") is None:
        declarator = declarator.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    for one in listed.named_children if listed is not None else ():
        yield from c_outline.list_names(one)
