"""Narrowing by assignment in JavaScript and TypeScript: which value a variable of a block has, and in which bytes.

A variable without a type, or of a union, has from an assignment on what that gives it, up to the end of the block of
the assignment or the next one. In a function inside it may have another value, since nobody knows when that runs.
https://www.typescriptlang.org/docs/handbook/2/narrowing.html#assignments
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.branch_narrowing import Decision, Span
from leadline_tools.languages.javascript.values import ALL_FUNCTIONS, is_child_in_field
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, then

_LONGEST_BLOCK = 20_000
"""Bytes of a block in which the assignments of a variable are looked for."""

_MOST_USES = 80
"""Occurrences of a name in a block that are looked at."""

_FUNCTIONS = ALL_FUNCTIONS | {"class_body"}
"""What runs at another time than what is around it."""

_LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})
_BLOCKS = frozenset({"statement_block", "switch_case", "switch_default"})
_NO_CLASSES = frozenset({"predefined_type", "literal_type"})
_NOTHING = frozenset({"null", "undefined"})
_NAMES = frozenset({"identifier", "shorthand_property_identifier"})
_REBINDING = {
    "augmented_assignment_expression": "left",
    "update_expression": "argument",
    "for_in_statement": "left",
    "assignment_pattern": "left",
    "object_assignment_pattern": "left",
    "pair_pattern": "value",
    "variable_declarator": "name",
    "required_parameter": "pattern",
    "optional_parameter": "pattern",
    "arrow_function": "parameter",
    "catch_clause": "parameter",
    **dict.fromkeys(("function_declaration", "generator_function_declaration", "class_declaration"), "name"),
    **dict.fromkeys(("function_expression", "generator_function", "class"), "name"),
}
"""What gives a name another value, or has another variable of that name, each with the field of the name."""

_PATTERNS = frozenset({"array_pattern", "rest_pattern", "formal_parameters"})


def decide_assigned(declarator: Node) -> Iterator[Decision]:
    """Yield the assignments to a variable of a block, each with where the variable has its value.

    The condition is the assignment; of a variable of a union it is the statement, or the declarator.
    """
    value, annotation = declarator.child_by_field_name("value"), declarator.child_by_field_name("type")
    is_union = annotation is not None and _is_union(annotation)
    if not is_union and (annotation is not None or (value is not None and value.type not in _NOTHING)):
        return
    block, name = _find_block(declarator), declarator.child_by_field_name("name")
    if block is None or name is None or name.type != "identifier":
        return
    uses = _list_uses(block, name)
    if uses is None:
        return
    assignments = [one for use in uses if (one := use.parent) is not None and _is_assigned(one, use)]
    for assignment in assignments:
        statement = assignment.parent
        around = statement.parent if statement is not None and statement.type == "expression_statement" else None
        if statement is not None and around is not None and around.type in _BLOCKS:
            condition = statement if is_union else assignment
            yield from (Decision(condition, span) for span in _list_spans(statement, around, assignments, uses))
    if is_union and value is not None and declarator.parent is not None:
        yield from (Decision(declarator, span) for span in _list_spans(declarator.parent, block, assignments, uses))


def bind_assigned_part(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the variable of a union that a statement, or a declarator, gives an object of a class."""
    given = node if node.type == "variable_declarator" else node.named_children[0]
    name = given.child_by_field_name("name") or given.child_by_field_name("left")
    value = given.child_by_field_name("value") or given.child_by_field_name("right")
    if name is not None and value is not None and value.type == "new_expression":
        term = spell(value)
        yield text(name), then(text(name), f"{Op.Assigned}{term}>") if term != UNKNOWN else UNKNOWN


def _find_block(declarator: Node) -> Node | None:
    """Return the block of a function whose variable a declarator declares; None for a constant, and at the top."""
    declaration = declarator.parent
    block = declaration.parent if declaration is not None else None
    if declaration is None or block is None or block.type != "statement_block":
        return None
    if declaration.type == "variable_declaration" and (block.parent is None or block.parent.type not in ALL_FUNCTIONS):
        return None
    is_constant = declaration.children[0].type == "const"
    return block if not is_constant and block.end_byte - block.start_byte <= _LONGEST_BLOCK else None


def _is_union(annotation: Node) -> bool:
    """Return whether an annotation has several types of which objects may be."""
    union = annotation.named_children[0] if annotation.named_children else None
    parts = [union] if union is not None and union.type == "union_type" else []
    classes = 0
    while parts:
        part = parts.pop()
        if part.type == "union_type":
            parts.extend(part.named_children)
        else:
            classes += part.type not in _NO_CLASSES
    return classes > 1


def _list_uses(block: Node, name: Node) -> Sequence[Node] | None:
    """Return where a block uses its variable; None where not only plain assignments of its function give it values.

    Another variable of the same name counts as such a value.
    """
    source, spelled = block.text or b"", name.text or b""
    found: list[Node] = []
    for number, word in enumerate(re.finditer(rb"(?<![\w$])%s(?![\w$])" % re.escape(spelled), source)):
        start, end = (block.start_byte + at for at in word.span())
        use = block.descendant_for_byte_range(start, end)
        around = use.parent if use is not None else None
        if number >= _MOST_USES or use is None or around is None or use.type == "shorthand_property_identifier_pattern":
            return None
        if use.type not in _NAMES or use.id == name.id:
            continue
        field = _REBINDING.get(around.type, "")
        if around.type in _PATTERNS or (field and is_child_in_field(around, field, use)):
            return None
        if _is_assigned(around, use) and _find_outermost(use, block, _FUNCTIONS) is not None:
            return None
        found.append(use)
    return found


def _is_assigned(around: Node, use: Node) -> bool:
    return around.type == "assignment_expression" and is_child_in_field(around, "left", use)


def _list_spans(statement: Node, block: Node, assignments: Sequence[Node], uses: Sequence[Node]) -> Iterator[Span]:
    """Yield where a variable has the value that a statement in a block gives it: in no function with its name."""
    start, end = statement.end_byte, block.end_byte
    following = next((one for one in assignments if start <= one.start_byte < end), None)
    if following is not None:
        loop = _find_outermost(following, block, _LOOPS)
        end = loop.start_byte if loop is not None else following.end_byte
    for use in uses:
        function = _find_outermost(use, block, _FUNCTIONS) if start <= use.start_byte < end else None
        if function is not None:
            yield Span(start, function.start_byte)
            start = function.end_byte
    yield Span(start, end)


def _find_outermost(node: Node, block: Node, types: frozenset[str]) -> Node | None:
    """Return the node of some types that is around a node, the outermost one in a block."""
    found, around = None, node.parent
    while around is not None and around.id != block.id:
        found = around if around.type in types else found
        around = around.parent
    return found
