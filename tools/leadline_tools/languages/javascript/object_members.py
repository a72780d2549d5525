"""The members of objects and types that are written out where they are used.

An object *declares* its members where nothing says its type; elsewhere its keys are members of the type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.javascript import comments as jsdoc
from leadline_tools.languages.javascript.contextual_types import find_cast_type, spell_contextual_type
from leadline_tools.languages.javascript.documentation import find_comment, find_function_comment
from leadline_tools.languages.javascript.library import GIVING_BACK, TAKING_ANYTHING
from leadline_tools.languages.javascript.primitives import widen_primitive
from leadline_tools.languages.javascript.values import ALL_FUNCTIONS, FUNCTIONS, find_first_child, is_child_in_field
from leadline_tools.languages.nodes import comment_before, text
from leadline_tools.languages.terms import BARE, UNKNOWN, Spell

_DEEPEST = 48
"""Nodes from an object outwards, through the objects and arrays around it, to what says its type: data is deep."""


def bind_object_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys of an object that is made in a place that wants one of a type, each with its term.

    Where an object is given to a name of no declared type, it declares its keys.
    """
    found = [key for child in node.named_children if (key := _key(child)) is not None]
    if node.parent is not None and node.parent.type == "arguments":  # of a map of properties it is that of the map
        found = [key for key in found if text(key) != "constructor"]
    declaring = bool(found) and declares_members(node)
    exported = node.parent is not None and node.parent.type == "assignment_expression"
    term = spell_contextual_type(node, spell) if found and (exported or not declaring) else UNKNOWN
    for key in found:
        declared = declaring and not (exported and _is_reference(_pair_of(key)))
        if declared or term != UNKNOWN:
            yield key, terms.DECLARED if declared else term


def declares_members(node: Node, *, deep: bool = False) -> bool:
    """Return whether an object stands where nothing says its type: its keys are then members of its own.

    With ``deep``, whether nothing says the types of its values either.
    """
    inner, around = node, node.parent
    for _ in range(_DEEPEST):
        if around is None or around.type in _DECLARING:
            return around is not None and _DECLARING[around.type](around, inner, deep)
        if around.type == "arguments" and around.parent is not None:
            called = text(around.parent.child_by_field_name("function"))
            says_type = around.parent.child_by_field_name("type_arguments") is not None
            if says_type or called not in GIVING_BACK:
                return not says_type and called in TAKING_ANYTHING
            around = around.parent
        if around.type == "satisfies_expression":
            if not _leaves_keys_open(find_cast_type(around), deep):
                return False
        elif around.type not in _PASSING or (around.type in _CASTS and not _is_untyped(find_cast_type(around))):
            return False
        if around.type in _DOCUMENTED and not _is_free(jsdoc.find_declared_type(comment_before(around)), deep):
            return False
        deep = deep or around.type in ("pair", "array")
        inner, around = around, around.parent
    return False


def _leaves_keys_open(satisfied: Node | None, deep: bool) -> bool:
    """Return whether a type has no members of names that an object could give: ``Record`` takes any.

    What is held by an object ``deep`` inside has the type of the values.
    """
    if satisfied is None or satisfied.type != "generic_type" or text(satisfied.named_children[0]) != "Record":
        return _is_untyped(satisfied)
    arguments = satisfied.named_children[-1].named_children
    return not deep or (len(arguments) == len(("key", "value")) and _is_untyped(arguments[1]))


_DOCUMENTED = frozenset({"pair", "parenthesized_expression"})
"""Parts of expressions that a comment just before them may give a type."""


def _is_free(documented: str, deep: bool) -> bool:
    """Return whether the type that a comment documents names no key of an object; ``deep`` for one inside another."""
    return not documented or jsdoc.is_open(documented) or (not deep and jsdoc.has_any_name(documented))


def _says_no_type(declared: Node, inner: Node, deep: bool) -> bool:
    if not _is_untyped(declared.child_by_field_name("type")) or not is_child_in_field(declared, "value", inner):
        return False
    return _is_free(jsdoc.find_declared_type(find_comment(declared)), deep)


def _is_untyped(kind: Node | None) -> bool:
    """Return whether a type says nothing of the members of an object, as where there is none."""
    if kind is not None and kind.type == "type_annotation":
        kind = find_first_child(kind)
    return kind is None or (kind.type == "predefined_type" and text(kind) in _OPEN_TYPES)


_OPEN_TYPES = frozenset({"any", "unknown", "object"})
"""https://www.typescriptlang.org/docs/handbook/2/everyday-types.html: types of which no members are known."""

_CASTS = frozenset({"as_expression", "type_assertion"})


def _gives_no_type(returning: Node, _inner: Node, deep: bool) -> bool:
    """Return whether nothing says what the function around returns."""
    function: Node | None = returning
    while function is not None and function.type not in ALL_FUNCTIONS:
        function = function.parent
    if function is None or not _is_untyped(function.child_by_field_name("return_type")):
        return False
    around = function.parent
    if not _is_free(jsdoc.result_type(find_function_comment(function)), deep):
        return False
    if function.type not in FUNCTIONS or around is None:
        return around is None or around.type != "object" or declares_members(around, deep=True)
    if around.type == "assignment_expression":
        return _gives_away(around, function, deep)
    if around.type == "variable_declarator":
        return around.child_by_field_name("type") is None
    return around.type in _HOLDING_FUNCTIONS and declares_members(function, deep=True)


_HOLDING_FUNCTIONS = frozenset(
    "pair public_field_definition field_definition return_statement arrow_function export_statement arguments".split()
)
"""What a function may be a part of that nothing but the place of that gives a type."""


def _gives_away(assignment: Node, inner: Node, deep: bool) -> bool:
    """Return whether a module of CommonJS exports what is assigned."""
    left = text(assignment.child_by_field_name("left"))
    given = is_child_in_field(assignment, "right", inner) and left.startswith(("module.exports", "exports."))
    return given and _is_free(jsdoc.find_declared_type(find_comment(assignment)), deep)


def _is_exported(exporting: Node, _inner: Node, deep: bool) -> bool:
    return _is_free(jsdoc.find_declared_type(find_comment(exporting)), deep)


_DECLARING: Mapping[str, Callable[[Node, Node, bool], bool]] = {
    "variable_declarator": _says_no_type,
    "public_field_definition": _says_no_type,
    "field_definition": _says_no_type,
    "return_statement": _gives_no_type,
    "arrow_function": _gives_no_type,
    "export_statement": _is_exported,
    "assignment_expression": _gives_away,
}
"""What may give an object to a name, or away."""

_PASSING = frozenset({"call_expression", "pair", "object", "array", "parenthesized_expression", *_CASTS})
"""What may stand between the two."""


def list_declared_keys(node: Node) -> Sequence[Node]:
    """Return the keys that an object declares, but those of functions, which are defined."""
    if not node.named_children or not declares_members(node):
        return ()
    exported = node.parent is not None and node.parent.type == "assignment_expression"
    pairs = (child for child in node.named_children if child.type in _PLAIN_PAIRS)
    return [key for pair in pairs if not (exported and _is_reference(pair)) and (key := _key(pair)) is not None]


_PLAIN_PAIRS = frozenset({"pair", "shorthand_property_identifier"})


def _pair_of(key: Node) -> Node:
    """Return the pair or method that has a key; a shorthand is its own."""
    around = key.parent
    return key if around is None or key.type == "shorthand_property_identifier" else around


def _is_reference(pair: Node) -> bool:
    """Return whether a pair only gives away what has a name: a module exports that."""
    value = pair.child_by_field_name("value")
    return pair.type == "shorthand_property_identifier" or (value is not None and value.type == "identifier")


def bind_members(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys that an object declares, each with the term of its value."""
    for key in list_declared_keys(node):
        around = key.parent
        value = around.child_by_field_name("value") if around is not None and around.type == "pair" else key
        yield key, widen_primitive(spell(value))


def bind_type_keys(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the members of a type without a name, which declares them."""
    if not is_alias_body(node):
        for child in node.named_children:
            name = child.child_by_field_name("name")
            if name is not None and name.type == "property_identifier":
                yield name, terms.DECLARED


def is_alias_body(node: Node) -> bool:
    """Return whether the members of a type that is written out are those of an alias."""
    around = node.parent
    while around is not None and around.type in ("intersection_type", "union_type", "parenthesized_type"):
        around = around.parent
    return around is not None and around.type == "type_alias_declaration"


def _key(child: Node) -> Node | None:
    if child.type == "shorthand_property_identifier":
        return child
    key = child.child_by_field_name({"pair": "key", "method_definition": "name"}.get(child.type, "none"))
    return key if key is not None and key.type == "property_identifier" else None


def bind_computed_key(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``[name]``, which is no key."""
    return ((child, BARE) for child in node.named_children if child.type == "identifier")


def bind_private_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``#a in b``, which is one of the class around."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "private_property_identifier":
        yield left, "this"


def bind_queried_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of members in ``typeof a.b.c``, whose fields the grammar mixes up."""
    member = find_first_child(node)
    while member is not None and member.type == "member_expression":
        yield member.named_children[-1], spell(member.named_children[0])
        member = member.named_children[0]
