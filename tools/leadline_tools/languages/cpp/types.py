"""Types in declarations of C++: results, base classes, parameters of templates.

A type is *deduced* that is written as ``auto``. A *trailing* type stands behind the arrow of a function's head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.c import outline as c_outline
from leadline_tools.languages.c import types as c_types
from leadline_tools.languages.cpp.library import CALLABLES
from leadline_tools.languages.cpp.outline import DEEPEST_NAME
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import FUNCTION, UNKNOWN, Spell, apply_type_arguments


def find_result(node: Node) -> Node | None:
    """Return the type of what a declaration declares, of a function that of its result, wherever it stands."""
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type == "type_descriptor":
        return c_types.find_declared_type(kind)
    return (find_trailing_type(node) if is_deduced(kind) else None) or c_types.find_declared_type(node)


def is_deduced(kind: Node | None) -> bool:
    """Return whether a type is written as ``auto``."""
    return kind is not None and kind.type == "placeholder_type_specifier"


def find_trailing_type(node: Node) -> Node | None:
    """Return the type behind the arrow of a function's head."""
    declarator = node.child_by_field_name("declarator")
    for _ in range(DEEPEST_NAME):
        if declarator is None or declarator.type.endswith("function_declarator"):
            break
        declarator = declarator.child_by_field_name("declarator")
    behind = declarator.named_children[-1] if declarator is not None and declarator.named_children else None
    return behind.named_children[0] if behind is not None and behind.type == "trailing_return_type" else None


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a function takes that takes functions, or of a template."""
    function = next((function for _, function in c_outline.list_declared(node)), None)
    listed = function.child_by_field_name("parameters") if function is not None else None
    parameters = listed.named_children if listed is not None else ()
    template = node.parent is not None and node.parent.type == "template_declaration"
    if not template and not any(name in text(one) for one in parameters for name in CALLABLES):
        return UNKNOWN
    return apply_type_arguments(FUNCTION, [UNKNOWN, *(spell(one.child_by_field_name("type")) for one in parameters)])


_MACRO_NAME = re.compile(r"[A-Z][A-Z0-9_]+")


def spell_test_fixture(node: Node, spell: Spell) -> str:
    """Spell the class whose members a function sees that a macro makes a method: the first of its arguments.

    https://google.github.io/googletest/reference/testing.html#TEST_F
    """
    found = next(iter(c_outline.list_declared(node)), None)
    if node.child_by_field_name("type") is not None or found is None:
        return UNKNOWN
    name, function = found
    parameters = function.child_by_field_name("parameters") if function is not None else None
    given = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    if given is None or len(given.named_children) != 1 or not _MACRO_NAME.fullmatch(text(name)):
        return UNKNOWN
    return spell(given.named_children[0])


def yield_template_parameters(node: Node) -> Iterator[Node]:
    """Yield the names of the parameters of a template."""
    for parameters in node.children_by_field_name("parameters"):
        for parameter in parameters.named_children:
            declarator = parameter.child_by_field_name("declarator")
            name = (
                c_outline.find_declared(declarator)[0]
                if declarator is not None
                else parameter.child_by_field_name("name")
            )
            if (name is None and "type_parameter" in parameter.type) or "template" in parameter.type:
                name = next((child for child in parameter.named_children if child.type == "type_identifier"), name)
            if name is not None:
                yield name


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the base classes of a class."""
    for clause in node.named_children:
        if clause.type == "base_class_clause":
            yield from (spell(base) for base in clause.named_children if "type" in base.type or "qualif" in base.type)


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the parameters of the template that a declaration is of."""
    around = node.parent
    return (
        list(yield_template_parameters(around)) if around is not None and around.type == "template_declaration" else ()
    )
