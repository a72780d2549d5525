"""Members that a function gives its own object: ``this.a = 1``.

The *maker* is the function whose objects have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.javascript.documentation import spell_documented_type
from leadline_tools.languages.javascript.outline import is_static, list_assigned_path
from leadline_tools.languages.javascript.primitives import widen_primitive
from leadline_tools.languages.javascript.values import PATTERNS
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import (
    UNKNOWN,
    Spell,
    object_of,
)
from leadline_tools.lazy_regex import lazy_compile


def list_attribute(node: Node) -> Sequence[Node]:
    """Return the member of its own object that an assignment gives a value to."""
    left = node.child_by_field_name("left")
    if left is None or left.type != "member_expression":
        return ()
    owner, name = left.child_by_field_name("object"), left.child_by_field_name("property")
    declares = owner is not None and owner.type == "this" and name is not None and not _is_accessor(name)
    return (left,) if declares else ()


def bind_attribute(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield that member with the term of the value."""
    return ((left, spell_assigned_value(node, spell)) for left in list_attribute(node))


def spell_assigned_value(node: Node, spell: Spell) -> str:
    """Return the term of what an assignment gives: an object of the type that its comment says, else its value."""
    documented = spell_documented_type(node)
    return object_of(documented) if documented != UNKNOWN else widen_primitive(spell(node.child_by_field_name("right")))


THIS_MEMBER = lazy_compile(rb"\bthis\.[\w$\x80-\xff]+\s*(?:=(?!=)|[,\]}])")
"""What may give a value to a member of the own object."""


def list_own_members(node: Node) -> Sequence[Node]:
    """Return the members of the own object that an assignment gives values to, those in a pattern too.

    Where the class has a setter or getter of that name, the assignment calls it and declares no member:
    https://tc39.es/ecma262/#sec-ordinaryset.
    """
    left = node.child_by_field_name("left")
    if left is None or left.type not in ("member_expression", "object_pattern", "array_pattern"):
        return ()
    found: list[Node] = []
    stack = [left]
    while stack:
        target = stack.pop()
        if target.type == "member_expression":
            owner, name = target.child_by_field_name("object"), target.child_by_field_name("property")
            if owner is not None and name is not None and owner.type == "this" and name.type == "property_identifier":
                found += () if _is_accessor(name) else (name,)
        elif target.type in PATTERNS:
            stack.extend(reversed(target.named_children))
        elif target.type in ("pair_pattern", "assignment_pattern"):
            stack.extend(target.children_by_field_name("value") or target.children_by_field_name("left"))
    return found


def _is_accessor(name: Node) -> bool:
    """Return whether the class around a name has a getter or setter of that name for the object that is ``this``."""
    body = _body_of_class(name)
    spelled = name.text or b""
    if body is None or b"et " + spelled not in (body.text or b""):
        return False
    return any(
        member.type == "method_definition"
        and any(child.type in ("get", "set") for child in member.children)
        and is_static(member) is is_in_static(name)
        and (named := member.child_by_field_name("name")) is not None
        and named.text == spelled
        for member in body.named_children
    )


def is_in_static(node: Node) -> bool:
    """Return whether ``this`` is a class itself at a node: in a static method, field or block."""
    around = node.parent
    while around is not None and around.type not in _OWNING and around.type not in _OF_CLASS:
        around = around.parent
    return around is not None and (around.type == "class_static_block" or is_static(around))


def _body_of_class(node: Node) -> Node | None:
    """Return the body of the class on whose object ``this`` is called at a node; None where that is another's."""
    around = node.parent
    while around is not None and around.type not in _OWNING:
        around = around.parent
    if around is not None and around.type == "method_definition":
        around = around.parent
    return around if around is not None and around.type == "class_body" else None


def find_maker(node: Node) -> str | None:
    """Return the name of the function whose own object an assignment means; empty for a method of a class with a name.

    None for what is no such function: it may be called on any object.
    """
    around = node.parent
    while around is not None and around.type not in _OWNING:
        around = around.parent
    if around is None:
        return None
    if around.type == "class_body":
        return "" if around.parent is not None and _is_named_class(around.parent) else None
    if around.type == "method_definition":
        return find_maker(around) if around.parent is not None and around.parent.type == "class_body" else None
    return _name_of_function(around) or None


def _name_of_function(function: Node) -> str:
    """Return the name of a function that is declared, given to a name, or assigned to a member; empty for another."""
    value = function.parent
    if function.type == "function_declaration" or value is None:
        return text(function.child_by_field_name("name"))
    if value.type == "assignment_expression":
        return next(reversed(list_assigned_path(value)), "")
    name = value.child_by_field_name("name") if value.type == "variable_declarator" else None
    return text(name) if name is not None and name.type == "identifier" else ""


_OWNING = frozenset({"class_body", "method_definition", "function_declaration", "function_expression"})
"""What decides which object ``this`` is; an arrow function and a field do not."""

_OF_CLASS = frozenset({"class_static_block", "field_definition", "public_field_definition"})
"""What decides, besides methods, whether ``this`` is a class or an object of it."""


def _is_named_class(node: Node) -> bool:
    around = node.parent
    if node.type == "class_declaration" or around is None:
        return node.type == "class_declaration"
    return around.type == "variable_declarator" or (
        around.type == "assignment_expression" and bool(list_assigned_path(around))
    )


def find_owner(node: Node) -> str | None:
    """Return to whose objects an assignment gives a member; see ``Defines.own``."""
    return find_maker(node) if list_own_members(node) else None


def bind_own_members(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the member of the own object that an assignment gives a value to, with the term of that."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "member_expression":
        value = spell_assigned_value(node, spell)
        yield from ((name, value) for name in list_own_members(node))
