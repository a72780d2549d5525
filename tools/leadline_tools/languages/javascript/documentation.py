"""Types of nodes by their documentation comments, see ``jsdoc``."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.javascript import jsdoc as documentation
from leadline_tools.languages.javascript.values import ALL_FUNCTIONS, FUNCTIONS, find_first_child
from leadline_tools.languages.nodes import comment_before, text
from leadline_tools.languages.terms import UNKNOWN, object_of, then


def spell_documented_type(node: Node) -> str:
    """Return the term of the type that a comment gives to a variable, a field or what is assigned; UNKNOWN for none."""
    return documentation.spell_declared_type(_comment_of_value(node))


def _comment_of_value(node: Node) -> str:
    """Return the comment just before a declarator, or before the declaration that it is the first of."""
    if node.type == "variable_declarator" and node.prev_named_sibling is not None:
        return comment_before(node)
    return find_comment(node)


def spell_documented_result(function: Node) -> str:
    """Return the term of what a function returns as its comment says it; UNKNOWN for none."""
    comment = find_function_comment(function)
    result = documentation.result_type(comment)
    return result if result != UNKNOWN else then(object_of(documentation.spell_declared_type(comment)), "()^")


def spell_documented_this(function: Node) -> str:
    """Return the term of the type of ``this`` in a function as its comment says it; UNKNOWN for none."""
    return documentation.this_type(find_function_comment(function))


def spell_documented_parameters(function: Node, listed: Sequence[Node]) -> Sequence[str]:
    """Return the terms of the types of parameters as a comment says them; nothing where it says none."""
    if not listed or function.type not in ALL_FUNCTIONS:
        return ()
    comment = find_function_comment(function)
    if not documentation.documents_parameters(comment):
        return ()
    return documentation.parameter_types(comment, [_find_documented_name(one) for one in listed])


def _find_documented_name(parameter: Node) -> str:
    """Return the name by which a comment calls a parameter; empty for a pattern, which it calls as it likes."""
    pattern: Node | None = parameter.child_by_field_name("pattern") or parameter
    if pattern is not None and pattern.type == "assignment_pattern":
        pattern = pattern.child_by_field_name("left")
    if pattern is not None and pattern.type == "rest_pattern":
        pattern = find_first_child(pattern)
    return text(pattern) if pattern is not None and pattern.type == "identifier" else ""


def spell_documented_cast(node: Node) -> str:
    """Return the term of the type in ``/** @type {T} */ (a)``; UNKNOWN for none."""
    return (
        documentation.spell_declared_type(comment_before(node)) if node.type == "parenthesized_expression" else UNKNOWN
    )


def find_comment(node: Node) -> str:
    """Return the documentation comment of the statement that a declaration or an assignment is."""
    around = node.parent
    while around is not None and around.type in _STATEMENTS:
        node, around = around, around.parent
    return comment_before(node)


_STATEMENTS = frozenset({"lexical_declaration", "variable_declaration", "expression_statement", "export_statement"})


def find_function_comment(function: Node) -> str:
    """Return the documentation comment of a function, or of what is given it as a value."""
    around = function.parent
    if function.type in FUNCTIONS and around is not None and around.type in _GIVEN_FUNCTIONS:
        return find_comment(around)
    return find_comment(function)


_GIVEN_FUNCTIONS = frozenset({"variable_declarator", "assignment_expression", "pair", "field_definition"})
