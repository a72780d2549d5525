"""Types as terms: the bases of classes, and the types of what definitions are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript.created_types import apply_arguments
from leadline_tools.languages.javascript.documentation import spell_documented_result, spell_documented_type
from leadline_tools.languages.javascript.functions import spell_function_type, spell_parameters
from leadline_tools.languages.javascript.object_members import declares_members, is_alias_body
from leadline_tools.languages.javascript.primitives import PRIMITIVE_TYPES, join_alternatives, widen_primitive
from leadline_tools.languages.javascript.terms import LONGEST_BESIDE, spell_any_child, spell_cast, spell_non_null
from leadline_tools.languages.javascript.utility_types import spell_names
from leadline_tools.languages.javascript.values import FUNCTIONS, find_first_child, find_function, find_value
from leadline_tools.languages.nodes import root_of, text
from leadline_tools.languages.terms import (
    UNKNOWN,
    Op,
    Spell,
    Spelling,
    apply_type_arguments,
    either,
    object_of,
    then,
)


def _spell_generic(node: Node, spell: Spell) -> str:
    return apply_arguments(spell(node.child_by_field_name("name")), node.child_by_field_name("type_arguments"), spell)


def _spell_list(node: Node, spell: Spell) -> str:
    return apply_type_arguments(terms.COLLECTION, [spell(find_first_child(node))])


def _spell_members(node: Node, spell: Spell) -> str:
    """Spell a type by its members; one of which no type is known has no elements of any."""
    members: list[tuple[str, str]] = []
    for child in node.named_children:
        if child.type == "index_signature":
            members.append((terms.ANY, spell(child.child_by_field_name("type"))))
        elif child.type == "property_signature":
            members.append((text(child.child_by_field_name("name")), spell(child.child_by_field_name("type"))))
        elif child.type == "method_signature":
            members.append((text(child.child_by_field_name("name")), spell_function_signature(child, spell)))
    found = terms.record(members, closed=True)
    if is_alias_body(node) or not node.named_children:
        return found if found != UNKNOWN else terms.COLLECTION
    return either((terms.written_at(node), found if len(found) <= LONGEST_BESIDE else UNKNOWN))


def _spell_tuple(node: Node, spell: Spell) -> str:
    return apply_type_arguments(
        terms.TUPLE, [spell(child.child_by_field_name("type") or child) for child in node.named_children]
    )


def spell_function_signature(node: Node, spell: Spell) -> str:
    """Spell a function type, a call signature or a construct signature."""
    result = node.child_by_field_name("return_type") or node.child_by_field_name("type")
    return spell_function_type(node, spell(result), spell)


def _spell_indexed(node: Node, spell: Spell) -> str:
    """Spell ``T['key']``, ``T[number]`` and ``T[keyof T]``."""
    owner, index = node.named_children[0], node.named_children[-1]
    name = text(index).strip("\"'")
    if index.type != "literal_type":
        return _take_of_type(owner, "[]", spell) if name == "number" or _is_any_key(index, owner) else UNKNOWN
    return _take_of_type(owner, f".{name}", spell) if name.isidentifier() else UNKNOWN


def _take_of_type(owner: Node, step: str, spell: Spell) -> str:
    """Spell what is taken of an object of a type: of ``typeof a`` what is taken of the value."""
    term = spell(owner)
    value = term.removesuffix(Op.Itself)
    return then(term, step) if value == term else then(then(value, step), Op.Itself)


def _is_any_key(index: Node, owner: Node) -> bool:
    """Return whether a type is any key of another: ``keyof T``, or what the file has as a name for that."""
    aliased = _key_aliases(root_of(index)).get(index.text or b"") if index.type == "type_identifier" else None
    keys = aliased if aliased is not None else index
    queried = find_first_child(keys) if keys.type == "index_type_query" else None
    return queried is not None and _without_parentheses(queried) == _without_parentheses(owner)


@lru_cache(1)
def _key_aliases(root: Node) -> Mapping[bytes, Node]:
    """Return what ``type K = keyof T`` stands for at the top of a file, by the name."""
    found: dict[bytes, Node] = {}
    for statement in root.named_children:
        exports = statement.type == "export_statement" and statement.named_children
        declared = statement.named_children[-1] if exports else statement
        if declared.type == "type_alias_declaration":
            name, value = declared.child_by_field_name("name"), declared.child_by_field_name("value")
            if name is not None and value is not None and value.type == "index_type_query":
                found[name.text or b""] = value
    return found


def _without_parentheses(kind: Node) -> bytes:
    inner = find_first_child(kind) if kind.type == "parenthesized_type" else None
    return (kind if inner is None else inner).text or b""


def _spell_union(node: Node, spell: Spell) -> str:
    names = spell_names(node, spell) if _is_aliased(node) else UNKNOWN
    if names != UNKNOWN:
        return names
    return join_alternatives(spell(child) for child in node.named_children if not _is_nothing(child))


def _spell_intersection(node: Node, spell: Spell) -> str:
    """Spell ``A & B``, to which ``{}`` adds no member."""
    parts = [child for child in node.named_children if child.type != "object_type" or child.named_children]
    return join_alternatives(spell(child) for child in parts) if parts else _spell_union(node, spell)


def _is_nothing(node: Node) -> bool:
    """Return whether a type is ``null`` or ``undefined``."""
    return node.type == "literal_type" and text(node) in ("null", "undefined")


def _spell_predefined(node: Node, _spell: Spell) -> str:
    return terms.PRIMITIVE if text(node) in PRIMITIVE_TYPES else UNKNOWN


def _spell_literal(node: Node, spell: Spell) -> str:
    if _is_nothing(node):
        return UNKNOWN
    names = spell_names(node, spell) if _is_aliased(node) else UNKNOWN
    return names if names != UNKNOWN else terms.PRIMITIVE


def _is_aliased(node: Node) -> bool:
    """Return whether a type is what an alias is another name for."""
    return node.parent is not None and node.parent.type == "type_alias_declaration"


def _spell_queried(node: Node, spell: Spell) -> str:
    return then(spell(find_first_child(node)), "^")


def _spell_predicate(node: Node, spell: Spell) -> str:
    """Spell ``a is T`` and ``asserts a is T``: what tells of a T."""
    inner = find_first_child(node) if node.type != "type_predicate" else node
    if inner is None or inner.type != "type_predicate":
        return spell(inner)
    return apply_type_arguments(terms.PREDICATE, [spell(inner.child_by_field_name("type"))])


def _spell_satisfying(node: Node, spell: Spell) -> str:
    """Spell ``a satisfies T`` as the value, which has the type; as an object of that where it is not known."""
    value = spell(node.named_children[0])
    return value if value != UNKNOWN else spell_cast(node, spell)


TYPES: Mapping[str, Spelling] = {
    "type_annotation": terms.same(),
    "parenthesized_type": terms.same(),
    "readonly_type": terms.same(),
    "optional_type": terms.same(),
    "constraint": terms.same(),
    "generic_type": _spell_generic,
    "array_type": _spell_list,
    "tuple_type": _spell_tuple,
    "union_type": _spell_union,
    "intersection_type": _spell_intersection,
    "predefined_type": _spell_predefined,
    "literal_type": _spell_literal,
    "template_literal_type": terms.spell_always(terms.PRIMITIVE),
    "function_type": spell_function_signature,
    "constructor_type": spell_function_signature,
    "type_query": _spell_queried,
    "lookup_type": _spell_indexed,
    "object_type": _spell_members,
    **dict.fromkeys(("type_predicate_annotation", "asserts_annotation", "asserts", "type_predicate"), _spell_predicate),
    "conditional_type": spell_any_child("consequence", "alternative"),
    "as_expression": spell_cast,
    "satisfies_expression": _spell_satisfying,
    "type_assertion": spell_cast,
    "non_null_expression": spell_non_null,
}
"""How types, and values that say their type, are spelled in TypeScript."""


def find_assigned_function(node: Node) -> Node | None:
    """Return the function that an assignment gives, where its ``this`` is what it is assigned to."""
    function = find_function(node)
    return function if function is not None and function.type != "arrow_function" else None


def spell_value_parameters(node: Node, spell: Spell) -> str:
    """Return the term of what that function takes."""
    function = find_function(node)
    return spell_parameters(function, spell) if function is not None else UNKNOWN


def bind_field(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a field with the term of its value."""
    value, documented = find_value(node), spell_documented_type(node)
    if documented != UNKNOWN:
        names = node.children_by_field_name("name") or node.children_by_field_name("property")
        yield from ((name, object_of(documented)) for name in names)
    elif value is not None and value.type not in FUNCTIONS:
        names = node.children_by_field_name("name") or node.children_by_field_name("property")
        constant = node.type == "public_field_definition"  # TypeScript gives it the type of its value
        yield from ((name, spell(value) if constant else widen_primitive(spell(value))) for name in names)


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Spell what a class inherits from."""
    for heritage in node.named_children:
        if heritage.type == "class_heritage":
            yield from (spell(base) for base in heritage.named_children)


Bases = Callable[[Node, Spell], Iterable[str]]
"""From a class to the terms of what it inherits from."""


def value_bases(bases: Bases) -> Bases:
    """Return what gives the bases of the class that a name is given."""

    def of_value(node: Node, spell: Spell) -> Iterable[str]:
        value = find_value(node)
        return bases(value, spell) if value is not None and value.type == "class" else ()

    return of_value


def expression_bases(bases: Bases) -> Bases:
    """Return what gives the bases of a class that is an expression, from its body."""

    def of_expression(body: Node, spell: Spell) -> Iterable[str]:
        around = body.parent
        return bases(around, spell) if around is not None and around.type == "class" else ()

    return of_expression


def spell_object_bases(node: Node, _spell: Spell) -> Iterable[str] | None:
    """Return that an object inherits from nothing; None for one that declares no members."""
    return () if declares_members(node) else None


def spell_documented_value(node: Node) -> str:
    """Return the type of a variable or a field as a comment says it, or the result of the function that it is given."""
    function = find_function(node)
    return spell_documented_result(function) if function is not None else spell_documented_type(node)
