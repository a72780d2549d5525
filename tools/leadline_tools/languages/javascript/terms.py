"""Values of JavaScript and TypeScript as terms."""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.branch_narrowing import Branches
from leadline_tools.languages.javascript.calls import spell_call, spell_list
from leadline_tools.languages.javascript.contextual_types import CHOICES
from leadline_tools.languages.javascript.created_types import spell_created
from leadline_tools.languages.javascript.documentation import spell_documented_cast, spell_documented_result
from leadline_tools.languages.javascript.functions import spell_function_type
from leadline_tools.languages.javascript.object_members import declares_members
from leadline_tools.languages.javascript.patterns import spell_projected
from leadline_tools.languages.javascript.primitives import PRIMITIVE, join_alternatives, widen_primitive
from leadline_tools.languages.javascript.values import FUNCTIONS, find_first_child
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, Spelling, apply_type_arguments, either, object_of, then

_MOST_PARTS = 4
"""Elements of an array each of which is a part of a tuple."""

_MOST_ELEMENTS = 64
"""Elements of an array that tell its type; of one with more nothing is known of what it holds."""

LONGEST_MEMBERS = 200
"""Characters of the members of an object that are spelled: what is longer than a term is unknown as a whole."""


def _spell_parenthesized(node: Node, spell: Spell) -> str:
    documented = spell_documented_cast(node)
    return object_of(documented) if documented != UNKNOWN else spell(find_first_child(node))


def spell_cast(node: Node, spell: Spell) -> str:
    """Spell ``a as T`` and ``<T>a``: an object of the type where it says one, else the value."""
    named = node.named_children
    kind, value = (named[0], named[-1]) if node.type == "type_assertion" else (named[-1], named[0])
    if len(named) < 2:
        return spell(value)
    return object_of(spell(find_first_child(kind) if kind.type == "type_arguments" else kind))


def _spell_binary(node: Node, spell: Spell) -> str:
    operator = text(node.child_by_field_name("operator"))
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator in CHOICES:
        return join_alternatives((spell(left), spell(right)))
    if operator == ">" and right is not None and right.type == "template_string":
        return UNKNOWN  # ``a<B>`c` ``: the grammar has no type arguments before a template
    return widen_primitive(spell(right)) if operator == "&&" else PRIMITIVE


def _spell_unary(node: Node, _spell: Spell) -> str:
    """Spell what ``!a``, ``-a`` and ``typeof a`` give: a boolean, a number, a string."""
    return UNKNOWN if text(node.child_by_field_name("operator")) in ("void", "delete") else PRIMITIVE


def spell_any_child(*fields: str) -> Spelling:
    """Spell a node as any of its children in some fields."""
    return lambda node, spell: join_alternatives(spell(node.child_by_field_name(field)) for field in fields)


def narrowed_values(branches: Branches) -> Mapping[str, Spelling]:
    """Return how values are spelled that depend on a condition, which says of what type the names in them are."""

    def spell_conditional(node: Node, spell: Spell) -> str:
        parts = (node.child_by_field_name(field) for field in ("consequence", "alternative"))
        return join_alternatives(branches.spell_part(node, part, spell) for part in parts)

    def spell_binary(node: Node, spell: Spell) -> str:
        right = node.child_by_field_name("right")
        return _spell_binary(
            node, lambda part: branches.spell_part(node, part, spell) if part == right else spell(part)
        )

    return {"ternary_expression": spell_conditional, "binary_expression": spell_binary}


def _spell_conditional_assignment(node: Node, spell: Spell) -> str:
    """Spell ``a ??= b``, ``a ||= b`` and ``a &&= b``; what other operators give is not known."""
    operator = text(node.child_by_field_name("operator")).removesuffix("=")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator in CHOICES:
        return join_alternatives((spell(left), spell(right)))
    return widen_primitive(spell(right)) if operator == "&&" else UNKNOWN


def _spell_subscript(node: Node, spell: Spell) -> str:
    """Spell ``a[i]``: an element, a part where the number is known, a member where its name is."""
    owner, index = spell(node.child_by_field_name("object")), node.child_by_field_name("index")
    if index is None:
        return UNKNOWN
    if index.type == "string":
        name = text(index).strip("\"'")
        return then(owner, f".{name}") if name.isidentifier() else UNKNOWN
    return then(owner, f"#{text(index)}" if text(index).isdecimal() else "[]")


def _spell_array(node: Node, spell: Spell) -> str:
    """Spell an array: of few elements each is a part of a tuple, which any element may be."""
    listed = [child for child in node.named_children if child.type != "comment"]
    if len(listed) > _MOST_ELEMENTS:
        return spell_list(UNKNOWN)
    elements = [_spell_element(child, spell) for child in listed]
    spread = any(child.type == "spread_element" for child in listed)
    if spread or not 1 < len(listed) <= _MOST_PARTS or len(set(elements)) == 1:
        return spell_list(join_alternatives(elements))
    return object_of(apply_type_arguments(terms.TUPLE, [then(element, Op.Itself) for element in elements]))


def _spell_element(node: Node, spell: Spell) -> str:
    return then(spell(find_first_child(node)), "*") if node.type == "spread_element" else spell(node)


def _spell_object(node: Node, spell: Spell) -> str:
    """Spell an object by what its members hold, or as what it takes the members of."""
    spread = [_spell_spread(child, spell) for child in node.named_children if child.type == "spread_element"]
    members: list[tuple[str, str]] = []
    length = 0
    for child in node.named_children:
        shorthand = child.type == "shorthand_property_identifier"
        key, value = (child, child) if shorthand else (child.child_by_field_name(part) for part in ("key", "value"))
        if key is None or value is None or key.type not in _PLAIN_KEYS:
            continue
        term = then(widen_primitive(spell(value)), Op.Itself)
        length += len(text(key)) + len(term)
        if length > LONGEST_MEMBERS:
            break
        members.append((text(key), term))
    record = object_of(terms.record(members, closed=False))
    if not declares_members(node):
        return either((record, *spread))
    declared = object_of(terms.written_at(node))
    return either((declared, record if len(record) <= LONGEST_BESIDE else UNKNOWN, *spread))


def _spell_spread(node: Node, spell: Spell) -> str:
    """Spell what an object takes the members of, without those that keys behind it give other values."""
    names: list[str] = []
    key = node.next_named_sibling
    while key is not None:
        name = key.child_by_field_name("key") or key.child_by_field_name("name") or key
        names += [text(name)] if name.type in _PLAIN_KEYS else []
        key = key.next_named_sibling
    listed = "".join(f"{terms.RECORD}{name}" for name in names)
    spread = spell(find_first_child(node))
    return terms.omitting(spread, listed) if 0 < len(listed) <= LONGEST_BESIDE else spread


LONGEST_BESIDE = 100
"""Characters of members that are spelled besides the place of an object or a type."""

_PLAIN_KEYS = frozenset({"property_identifier", "shorthand_property_identifier"})


def _spell_member(node: Node, spell: Spell) -> str:
    """Spell ``a.b``; a prototype has the members of the objects."""
    owner, name = spell(node.named_children[0]), text(node.named_children[-1])
    return owner if name == "prototype" else then(owner, f".{name}")


def spell_non_null(node: Node, spell: Spell) -> str:
    """Spell ``a!``, which belongs to the last operand, whatever the grammar makes of it."""
    value = find_first_child(node)
    while value is not None and value.type in ("binary_expression", "unary_expression"):
        value = value.child_by_field_name("right") or value.child_by_field_name("argument")
    return spell(value)


def _spell_function(node: Node, spell: Spell) -> str:
    """Spell a function by what it takes and gives, as far as that does not depend on what it is given."""
    said = node.child_by_field_name("return_type")
    result = spell(said) if said is not None else spell_documented_result(node)
    result = result if result != UNKNOWN else then(spell_projected(node, UNKNOWN, spell), Op.Itself)
    found = spell_function_type(node, result, spell)
    return object_of(found) if found != terms.FUNCTION else UNKNOWN


def _spell_last(node: Node, spell: Spell) -> str:
    return spell(node.named_children[-1]) if node.named_children else UNKNOWN


VALUES: Mapping[str, Spelling] = {
    "call_expression": spell_call,
    "new_expression": spell_created,
    "await_expression": terms.same(),
    "parenthesized_expression": _spell_parenthesized,
    "unary_expression": _spell_unary,
    **dict.fromkeys(("string", "template_string", "number", "regex", "true", "false"), terms.spell_always(PRIMITIVE)),
    "assignment_expression": terms.same("right"),
    "augmented_assignment_expression": _spell_conditional_assignment,
    "sequence_expression": _spell_last,
    "subscript_expression": _spell_subscript,
    "array": _spell_array,
    "object": _spell_object,
    "member_expression": _spell_member,
    **dict.fromkeys(FUNCTIONS, _spell_function),
}
"""How values are spelled, but for those of ``narrowed_values``."""
