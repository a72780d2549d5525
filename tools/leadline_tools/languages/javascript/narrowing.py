"""Narrowing in JavaScript and TypeScript: what conditions say of the types of names."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import (
    Connective,
    Decision,
    behind,
    c_like_branches,
    decide_conditional,
    decide_if,
    decide_loop,
)
from leadline_tools.languages.javascript.assigned_types import bind_assigned_part, decide_assigned
from leadline_tools.languages.javascript.primitives import PRIMITIVE, PRIMITIVE_TYPES, widen_primitive
from leadline_tools.languages.javascript.values import find_first_child, list_arguments
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import Op, Spell, object_of, tested, then, without
from leadline_tools.lazy_regex import lazy_compile

_LOGICAL = frozenset({"||", "&&"})


def _bind_tested(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``a instanceof A`` and ``typeof a === "string"`` tell of a name, a member or an element."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is not None and left.type == "unary_expression" and text(operator) in ("===", "=="):
        yield from _bind_typed(left, text(node.child_by_field_name("right")))
    if left is not None and left.type in _NARROWED and operator is not None and operator.type == "instanceof":
        yield text(left), object_of(spell(node.child_by_field_name("right")))


def _bind_excluded(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the types of a name, a member or an element where ``a instanceof A`` is false."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is not None and left.type in _NARROWED and operator is not None and operator.type == "instanceof":
        yield text(left), without(spell(left), object_of(spell(node.child_by_field_name("right"))))


def _bind_typed(operand: Node, type_name: str) -> Iterator[tuple[str, str]]:
    """Yield the types to which ``typeof a``, compared with the name of a type, narrows a name."""
    named = operand.child_by_field_name("argument")
    is_typeof = text(operand.child_by_field_name("operator")) == "typeof"
    if is_typeof and named is not None and named.type in _NARROWED and type_name.strip("\"'`") in PRIMITIVE_TYPES:
        yield text(named), PRIMITIVE


_NARROWED = frozenset({"identifier", "member_expression", "subscript_expression"})


def _find_only_argument(node: Node | None) -> Node | None:
    """Return the name that is the only argument of a call."""
    arguments = node.child_by_field_name("arguments") if node is not None and node.type == "call_expression" else None
    given = arguments.named_children if arguments is not None else ()
    return given[0] if len(given) == 1 and given[0].type == "identifier" else None


def _bind_called(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what a call says of its argument where it gives true, if it is that of a type predicate."""
    argument = _find_only_argument(node)
    if argument is not None:
        yield text(argument), tested(spell(argument), then(spell(node), Op.Predicated))


def _bind_not_called(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what such a call says of its argument where it gives false."""
    argument = _find_only_argument(node)
    if argument is not None:
        yield text(argument), without(spell(argument), then(spell(node), Op.Predicated))


_ASSIGNS = lazy_compile(rb"([\w$\x80-\xff]+)\s*(?:=(?![=>])|(?:[-+*/%&|^?]|\*\*|&&|\|\||\?\?|<<|>>>?)=|\+\+|--)")
"""What assigns to a name, and whatever looks like it."""

_DECLARED_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})


def _decide_given(node: Node) -> Iterator[Decision]:
    """Yield an assignment that always gives a parameter its value, where nothing else does, and where it has that.

    Callers give such a parameter a value of any type, which it has before the assignment alone.
    """
    statement, name = node.parent, node.child_by_field_name("left")
    body = statement.parent if statement is not None and statement.type == "expression_statement" else None
    function = body.parent if body is not None and body.type == "statement_block" else None
    if name is None or name.type != "identifier" or function is None or function.type not in _DECLARED_FUNCTIONS:
        return
    if body is None or function.child_by_field_name("body") != body:
        return
    parameters = function.child_by_field_name("parameters")
    plain = [one.text for one in parameters.children if one.type == "identifier"] if parameters is not None else []
    if name.text in plain:
        assigned = [word[1] for word in _ASSIGNS.finditer(body.text or b"")]
        if assigned.count(name.text or b"") == 1:
            yield Decision(node, behind(statement, body))


def _bind_given(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the name that an assignment gives a value to, with the term of that."""
    name = node.child_by_field_name("left")
    if name is not None and name.type == "identifier":
        yield text(name), widen_primitive(spell(node.child_by_field_name("right")))


_ASSERTS = lazy_compile(r"(?:assert|invariant|ensure)\w*|assert\.ok")
"""How functions are called, by convention, that return only where something holds."""

_LONGEST_NAME = 40
"""Bytes of the names of such functions."""


def _decide_asserted(node: Node) -> Iterator[Decision]:
    """Yield the condition behind which code runs only if it holds: what an assertion function is given.

    Of a name alone, the call is the condition: the function says what it asserts.
    https://www.typescriptlang.org/docs/handbook/release-notes/typescript-3-7.html#assertion-functions
    """
    call = node.named_child(0)
    function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    if call is None or function is None or function.end_byte - function.start_byte > _LONGEST_NAME:
        return
    if _ASSERTS.fullmatch(text(function)) is None:
        return
    given = list_arguments(call)
    if given and given[0].type in ("binary_expression", "unary_expression", "call_expression"):
        yield Decision(given[0], behind(node, node.parent))
    elif len(given) == 1:
        yield Decision(call, behind(node, node.parent))


_LEAVES = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})

BRANCHES = c_like_branches(
    {
        "if_statement": decide_if(_LEAVES),
        "while_statement": decide_loop,
        "ternary_expression": decide_conditional("consequence", "alternative"),
        "assignment_expression": _decide_given,
        "variable_declarator": decide_assigned,
        "expression_statement": _decide_asserted,
    },
    {
        "binary_expression": _bind_tested,
        "call_expression": _bind_called,
        "assignment_expression": _bind_given,
        **dict.fromkeys(("expression_statement", "variable_declarator"), bind_assigned_part),
    },
    refutes={"binary_expression": _bind_excluded, "call_expression": _bind_not_called},
    operators={"&&": Connective.Both, "||": Connective.Either},
)


def bind_narrowed_names(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the names of which the parts of a condition tell the type by calling a predicate."""
    if text(node.child_by_field_name("operator")) in _LOGICAL:
        yield from _bind_predicated(node.child_by_field_name("left"), spell)
        yield from _bind_predicated(node.child_by_field_name("right"), spell)


def bind_names_narrowed_by_condition(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the name that the condition of a node tells the type of by calling a predicate."""
    return _bind_predicated(node.child_by_field_name("condition") or node.child_by_field_name("argument"), spell)


def _bind_predicated(node: Node | None, spell: Spell) -> Iterator[tuple[str, str]]:
    while node is not None and node.type == "parenthesized_expression":
        node = find_first_child(node)
    argument = _find_only_argument(node)
    if node is not None and argument is not None:
        yield text(argument), then(spell(node), Op.Predicated)
