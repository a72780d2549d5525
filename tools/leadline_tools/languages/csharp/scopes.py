"""Scopes of C#: what variables, patterns, lambdas and queries bind, and the members that values name.

A *deconstruction* gives several variables the parts of one value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.csharp.options import spell_given
from leadline_tools.languages.csharp.outline import find_declared_type, iterate_declarators
from leadline_tools.languages.csharp.types import (
    spell_bases,
    spell_expected,
    spell_expected_part,
    spell_matched,
    spell_matched_by_var,
    spell_target_type,
)
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.calls import ImplicitCall
from leadline_tools.languages.terms import DECLARED, UNKNOWN, Spell, either, object_of, then

_ADD = "Add"
_NO_ELEMENTS = frozenset({"assignment_expression", "comment", "preproc_if", "preproc_else", "preproc_elif"})
"""What stands in the braces behind a new object and adds no element to it."""

_CREATIONS = frozenset({"object_creation_expression", "implicit_object_creation_expression"})


def split_conditional_access(node: Node) -> tuple[Node | None, Node | None]:
    """Read ``a?.b``: whose member it takes stands before the question mark. It takes none in ``a?[0]``."""
    binding = node.named_children[-1]
    member = binding.child_by_field_name("name") if binding.type == "member_binding_expression" else None
    return node.child_by_field_name("condition"), member


def _is_value(node: Node) -> bool:
    """Return whether an argument is a product or two comparisons, which the grammar takes for a type and a name.

    An argument declares a variable after ``out`` alone, or in a tuple that is taken apart, which holds no pointers:
    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#1217-declaration-expressions.
    """
    argument, kind = node.parent, node.child_by_field_name("type")
    if argument is None or argument.type != "argument" or any(child.type == "out" for child in argument.children):
        return False
    parted = argument.parent is not None and argument.parent.type == "tuple_expression"
    return not parted or (kind is not None and kind.type == "pointer_type")


def list_declared_names(node: Node) -> Sequence[Node]:
    """Return the name of the variable that an argument declares."""
    return () if _is_value(node) else node.children_by_field_name("name")


def list_operands(node: Node) -> Sequence[Node]:
    """Return the names in an argument that declares nothing, whatever it looks like."""
    found: list[Node] = []
    waiting = [node] if _is_value(node) else []
    while waiting:
        inner = waiting.pop()
        if inner.type == "identifier":
            found.append(inner)
        waiting += inner.named_children
    return found


def is_named_key(name: Node) -> bool:
    """Return whether a member gives another one its name and its value: ``b`` in ``new { a.b }``."""
    whole = name.parent
    around = whole.parent if whole is not None else None
    if whole is None or around is None or around.type != "anonymous_object_creation_expression":
        return False
    return whole.child_by_field_name("name") == name and is_key_at_once(whole)


def is_key_at_once(name: Node) -> bool:
    """Return whether a name in ``new { a, b = c }`` gives a member its name and its value."""
    before, after = name.prev_sibling, name.next_sibling
    return before is not None and after is not None and before.type in ("{", ",") and after.type in (",", "}")


def bind_anonymous_members(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of the members that an object without a type declares."""
    named = (child for child in node.named_children if child.next_sibling and child.next_sibling.type == "=")
    yield from ((name, DECLARED) for name in named)


def bind_variables(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names that a declaration without type gives values to, with the terms of those."""
    kind = node.child_by_field_name("type")
    for declarator in iterate_declarators(node) if kind is not None and kind.type == "implicit_type" else ():
        value = _find_initializer(declarator)
        for target in declarator.named_children if value is not None else ():
            if target != value:
                yield from _destructure(target, spell(value))


def _find_initializer(declarator: Node) -> Node | None:
    """Return the value after the equals sign."""
    last = declarator.children[-1]
    return last if last.prev_sibling is not None and last.prev_sibling.type == "=" else None


def _destructure(target: Node, term: str) -> Iterator[tuple[Node, str]]:
    """Yield each name of a deconstruction with the part that it takes."""
    if target.type != "tuple_pattern":
        yield target, term
        return
    for i, child in enumerate(target.named_children):
        yield from _destructure(child, then(term, f"#{i}"))


def bind_loop_variables(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of a loop an element of what is looped over."""
    target = node.child_by_field_name("left")
    if target is not None:
        yield from _destructure(target, then(spell(node.child_by_field_name("right")), "*"))


def list_continuation_names(node: Node) -> Sequence[Node]:
    """Return the names after the ``into`` of a query."""
    return [child for child in node.named_children if child.type == "identifier"]


def bind_type_parameter(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it must be."""
    name, around = node.child_by_field_name("name"), node.parent.parent if node.parent is not None else None
    if name is None or around is None:
        return
    for clause in around.named_children:
        if clause.type == "type_parameter_constraints_clause" and text(clause.named_children[0]) == text(name):
            kinds = [one.child_by_field_name("type") for one in clause.named_children[1:]]
            yield name, either(object_of(spell(kind)) for kind in kinds if kind is not None)


def list_setter_value(node: Node) -> Sequence[Node]:
    """Return the first place at which a setter reads the value that it is given."""
    name = node.child_by_field_name("name")
    if name is None or name.type == "get" or b"value" not in (node.text or b""):
        return ()
    waiting = list(reversed(node.named_children))
    while waiting:
        inner = waiting.pop()
        if inner.type == "identifier" and inner.text == b"value":
            return (inner,)
        waiting += reversed(inner.named_children)
    return ()


def find_accessor_type(accessor: Node) -> Node | None:
    """Return the declared type of the property of an accessor."""
    around = accessor.parent.parent if accessor.parent is not None else None
    return find_declared_type(around) if around is not None else None


def bind_delegated_constructor(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keyword of ``: this(..)`` and ``: base(..)``, with the type whose constructor runs."""
    around = node.parent
    while around is not None and around.type not in ("class_declaration", "struct_declaration", "record_declaration"):
        around = around.parent
    keyword = next((child for child in node.children if child.type in ("this", "base")), None)
    if keyword is None or around is None:
        return
    if keyword.type == "this":
        yield keyword, text(around.child_by_field_name("name"))
    else:
        yield keyword, next(spell_bases(around, spell), "object")


def bind_creation(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keyword of ``new(..)``, with an object of the type that is expected there."""
    yield node.children[0], spell_target_type(node, spell)


def _spell_initialized(node: Node, spell: Spell) -> str:
    """Spell what an object initializer fills."""
    around = node.parent
    if around is not None and around.type == "assignment_expression":
        holder, left = around.parent, around.child_by_field_name("left")
        inner = holder is not None and holder.type == "initializer_expression"
        return then(_spell_initialized(holder, spell), f".{text(left)}") if holder is not None and inner else UNKNOWN
    return spell(around) if around is not None and around.type in _CREATIONS else UNKNOWN


def list_signs(method: str) -> Sequence[str]:
    """Return the sign that calls a method of a name: the braces of a collection initializer call ``Add``."""
    return ("{",) if method == _ADD else ()


def read_added_elements(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the calls of ``Add`` that a collection initializer makes: ``new Bag { 1, { 2, "b" } }``.

    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/expressions#128164-collection-initializers
    """
    elements = [child for child in node.named_children if child.type not in _NO_ELEMENTS]
    lists = [child for child in elements if child.type == node.type]
    term = _spell_initialized(node, spell) if elements else UNKNOWN
    plain = [node] if len(lists) < len(elements) else []
    yield from (ImplicitCall(one.children[0], _ADD, term) for one in (*plain, *lists))


def bind_initialized_members(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the members that an object initializer sets."""
    sets = [child for child in node.named_children if child.type == "assignment_expression"]
    keys = [child.child_by_field_name("left") for child in sets]
    named = [key for key in keys if key is not None and key.type == "identifier"]
    term = _spell_initialized(node, spell) if named else UNKNOWN
    yield from ((key, term) for key in named)


def bind_changed_members(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the members that ``with`` gives other values."""
    term = spell(node.children[0])  # ``this`` has no name in the grammar
    for child in node.named_children:
        if child.type == "with_initializer" and child.named_children[0].type == "identifier":
            yield child.named_children[0], term


def bind_pattern_properties(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the properties that a pattern looks at; of ``A.B`` the first, by which the rest is known."""
    clause = next((child for child in node.named_children if child.type == "property_pattern_clause"), None)
    parts = clause.named_children if clause is not None else []
    names = [part.named_children[0] for part in parts if part.type == "subpattern" and part.named_child_count > 1]
    term = spell_matched(node, spell) if names else UNKNOWN
    yield from ((first, term) for name in names if (first := _find_first_name(name)).type == "identifier")


def _find_first_name(name: Node) -> Node:
    """Return what ``a.b.c`` begins with."""
    while name.type == "member_access_expression" and name.named_children:
        name = name.named_children[0]
    return name


def bind_pattern(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a name of a pattern that spells no type what it matches."""
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    if name is not None and kind is not None and kind.type == "implicit_type":
        kind = None
    if name is not None and kind is None:
        yield name, spell_matched_by_var(node, spell)


def bind_attribute_properties(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the properties that an attribute sets, whose class may be called by half of its name."""
    name = spell(node.child_by_field_name("name"))
    owner = either((name, f"{name}Attribute")) if name != UNKNOWN else UNKNOWN
    for listed in node.named_children[1:]:
        for argument in listed.named_children:
            key = argument.child_by_field_name("name")
            if key is not None and key.next_sibling is not None and key.next_sibling.type == "=":
                yield key, owner


def bind_lambda_parameters(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of a lambda that spells no types what its place expects of a function."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return
    names = [parameters]
    if parameters.type == "parameter_list":
        names = [n for child in parameters.named_children for n in child.children_by_field_name("name")]
    yield from ((name, spell_given(node, i, spell)) for i, name in enumerate(names))


def bind_declaration_expression(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variable without a type, which is declared where an argument stands, the type that its place expects.

    After ``out`` that is what is expected there, in a tuple a part of what is taken apart.
    """
    kind, name = node.child_by_field_name("type"), node.child_by_field_name("name")
    if name is None or kind is None or kind.type != "implicit_type":
        return
    around = node.parent.parent if node.parent is not None else None
    parted = around is not None and around.type == "tuple_expression"
    yield name, spell_expected_part(node.parent, spell) if parted else spell_expected(node, spell)
