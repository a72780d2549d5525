"""Modules that are loaded as values: ``require("a")`` and ``import("a")``."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.javascript.values import find_value, list_arguments
from leadline_tools.languages.nodes import text

_LOADING = frozenset({"require", "import"})


def find_loaded_module(call: Node) -> Node | None:
    """Return the string that names the module which ``require("b")`` or ``import("b")`` loads; None for other calls."""
    function = call.child_by_field_name("function")
    if function is None or function.type not in ("identifier", "import") or text(function) not in _LOADING:
        return None
    given = list_arguments(call)
    return given[0] if given and given[0].type == "string" else None


def find_required_module(node: Node) -> Node | None:
    """Return the string of ``require("...")`` or ``await import("...")`` that a declarator takes its value from.

    Names that a pattern takes from ``await import("...")`` are variables: the object that it gives is a value.
    https://tc39.es/ecma262/#sec-import-calls
    """
    value, name = find_value(node), node.child_by_field_name("name")
    if value is not None and value.type == "member_expression":
        value = value.child_by_field_name("object")
    if value is not None and value.type == "await_expression":
        value = value.named_children[0] if value.named_children else None
    if value is None or value.type != "call_expression":
        return None
    function = text(value.child_by_field_name("function"))
    if function not in _LOADING or (function == "import" and name is not None and name.type == "object_pattern"):
        return None
    arguments = value.child_by_field_name("arguments")
    first = arguments.named_children[:1] if arguments is not None else []
    return first[0] if first and first[0].type == "string" else None


def find_module_required_before(declarator: Node) -> Node | None:
    """Return the string of the module that ``const { a } = b`` takes names from, required as ``b`` just before."""
    name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    if name is None or value is None or name.type != "object_pattern" or value.type != "identifier":
        return None
    spelled = text(value)
    for before in _declarators_before(declarator):
        if text(before.child_by_field_name("name")) == spelled:
            given = find_value(before)
            return find_required_module(before) if given is not None and given.type == "call_expression" else None
    return None


def _declarators_before(declarator: Node) -> Iterator[Node]:
    """Yield the declarators before one, the nearest first: those of its declaration and of few statements before."""
    before = declarator.prev_named_sibling
    while before is not None:
        yield before
        before = before.prev_named_sibling
    statement = declarator.parent
    for _ in range(_FARTHEST_DECLARATION):
        statement = statement.prev_named_sibling if statement is not None else None
        if statement is not None and statement.type in DECLARATIONS:
            yield from reversed(statement.named_children)


_FARTHEST_DECLARATION = 24
"""Statements between one that requires a module and one that takes names from it."""

DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})
