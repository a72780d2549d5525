"""Values and types of C++ as terms.

See ``languages.terms``. What the standard library gives is in ``library``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.c import outline as c_outline
from leadline_tools.languages.c import types as c_types
from leadline_tools.languages.cpp.library import (
    CALLABLES,
    HOLDING,
    STANDARD,
    find_standard_name,
    list_arguments,
    spell_library_call,
    spell_template_arguments,
)
from leadline_tools.languages.cpp.outline import DEEPEST_NAME
from leadline_tools.languages.cpp.types import find_trailing_type, is_deduced
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import (
    FUNCTION,
    TOP,
    TUPLE,
    UNKNOWN,
    Op,
    Spell,
    Spelling,
    apply_type_arguments,
    object_of,
    then,
)

_TYPELESS = frozenset({"true", "false", "null", "nullptr", "initializer_list"})

_TEMPLATES = frozenset({"template_type", "template_function"})

_TUPLES = frozenset({"pair", "tuple", "variant"})


def _spell_template(node: Node, spell: Spell) -> str:
    """Spell ``A<B>``."""
    return apply_type_arguments(spell(node.child_by_field_name("name")), spell_template_arguments(node, spell))


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call; of what the standard library has by what it makes of what it is given."""
    function = node.child_by_field_name("function")
    last = _find_template_function(function)
    name = find_standard_name(function)
    term = spell_library_call(name, last, list_arguments(node), spell) if name else UNKNOWN
    if term != UNKNOWN or function is None:
        return term
    arguments = spell_template_arguments(last, spell) if last is not None else []
    cast = arguments and last is not None and text(last.child_by_field_name("name")).endswith("_cast")
    return then(arguments[0] if cast else terms.call_with(spell(function), _spell_arguments(node, spell)), "()")


def _spell_arguments(call: Node, spell: Spell) -> Iterator[str]:
    """Yield what a call is given, as far as that may be of a type of the code base."""
    for one in list_arguments(call):
        yield UNKNOWN if one.type.endswith("literal") or one.type in _TYPELESS else spell(one)


def find_global_name(node: Node) -> Node | None:
    """Return the first name of ``::a::b``; of a name in the standard library nothing, which has rules of its own."""
    if node.child_by_field_name("scope") is not None:
        return None
    first = node.child_by_field_name("name")
    if first is not None and first.type == "qualified_identifier":
        first = first.child_by_field_name("scope")
    if first is not None and first.type in _TEMPLATES:
        first = first.child_by_field_name("name")
    return first if text(first) != STANDARD else None


def _spell_qualified(node: Node, spell: Spell) -> str:
    """Spell ``a::b<c>::d``, which nests to the right."""
    term, rest = TOP if find_global_name(node) is not None else "", node
    for _ in range(DEEPEST_NAME):
        nested = rest.type == "qualified_identifier"
        part, further = (
            (rest.child_by_field_name("scope"), rest.child_by_field_name("name")) if nested else (rest, None)
        )
        if part is not None:
            term = _apply_part(term, part, spell) if term else spell(part)
        if further is None:
            return term
        rest = further
    return UNKNOWN


def _apply_part(term: str, part: Node, spell: Spell) -> str:
    """Spell a part of a qualified name behind what is before it."""
    if part.type in _TEMPLATES:
        name = text(part.child_by_field_name("name"))
        if term == STANDARD and name in CALLABLES:
            return apply_type_arguments(FUNCTION, _spell_signature(part, spell))
        head = TUPLE if term == STANDARD and name in _TUPLES else then(term, f".{name}")
        arguments = spell_template_arguments(part, spell)
        held = HOLDING.get(name) if term == STANDARD else None
        return apply_type_arguments(head, arguments[:held])
    return then(term, f".{text(part)}")


def _spell_signature(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what the function returns that a template takes as its argument, then what it takes."""
    given = next((child for part in node.children_by_field_name("arguments") for child in part.named_children), None)
    declarator = given.child_by_field_name("declarator") if given is not None else None
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    yield spell(given)
    for parameter in parameters.named_children if parameters is not None else ():
        yield spell(parameter.child_by_field_name("type"))


_SIGNS = frozenset("+ - * / % & | ^ << >>".split())


def _spell_binary(node: Node, spell: Spell) -> str:
    """Spell what an operator gives; where the type of its left side has none, what is of the type of a side."""
    sign = text(node.child_by_field_name("operator"))
    left, right = spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))
    if sign not in _SIGNS:
        return UNKNOWN
    return terms.apply_operator(left, sign) if left != UNKNOWN else right if sign in "+-" else UNKNOWN


def _spell_pointer(node: Node, spell: Spell) -> str:
    """Spell ``*a`` and ``&a``: what points to an object has the members of the object."""
    argument = spell(node.child_by_field_name("argument"))
    operator = node.child_by_field_name("operator")
    return then(argument, "~") if operator is not None and operator.type == "*" else argument


def split_member(node: Node) -> Sequence[Node | None]:
    """Return the object and the member of ``a.b``; of ``a.B::c`` the object alone, as that is a member of ``B``."""
    owner, name = node.child_by_field_name("argument"), node.child_by_field_name("field")
    return (owner,) if name is not None and name.type == "qualified_identifier" else (owner, name)


def find_member_step(node: Node) -> str:
    """Return the step from the object of ``a->b`` to that of which ``b`` is a member."""
    operator = node.child_by_field_name("operator")
    return "~" if operator is not None and operator.type == "->" else ""


def _spell_member(node: Node, spell: Spell) -> str:
    """Spell ``a.b`` and ``a->b<C>``."""
    owner, *members = split_member(node)
    term = then(spell(owner), find_member_step(node))
    for member in members:
        if member is None:
            return UNKNOWN
        named = member.named_children[0] if member.type == "dependent_name" else member  # ``a.template b<C>``
        term = then(term, f".{text(named.child_by_field_name('name') or named)}")
        if named.type == "template_method":
            term = apply_type_arguments(term, spell_template_arguments(named, spell))
    return term


def _find_template_function(name: Node | None) -> Node | None:
    """Return the last part of a name where that is a function with template arguments."""
    for _ in range(DEEPEST_NAME):
        if name is None or name.type != "qualified_identifier":
            break
        name = name.child_by_field_name("name")
    return name if name is not None and name.type == "template_function" else None


def spell_returned(node: Node, spell: Spell) -> str:
    """Spell what a function returns that does not say of what type that is."""
    function = node.parent
    while function is not None and function.type not in ("function_definition", "lambda_expression"):
        function = function.parent
    deduced = function is not None and is_deduced(function.child_by_field_name("type"))
    return spell(node.named_children[0]) if deduced and node.named_children else UNKNOWN


def _spell_lambda(node: Node, spell: Spell) -> str:
    """Spell a lambda by what it gives, where that does not depend on what it takes."""
    written = find_trailing_type(node)
    if written is not None:
        return object_of(apply_type_arguments(FUNCTION, [spell(written)]))
    names = [text(name) for one in list_lambda_parameters(node) for name in c_outline.list_names(one)]
    given = terms.put(_spell_single_statement(node, spell), dict.fromkeys(names, UNKNOWN))
    return object_of(apply_type_arguments(FUNCTION, [then(given, Op.Itself)])) if given != UNKNOWN else UNKNOWN


def _spell_single_statement(function: Node, spell: Spell) -> str:
    """Spell what the only statement of a lambda returns."""
    body = function.child_by_field_name("body")
    statements = [one for one in body.named_children if one.type != "comment"] if body is not None else []
    only = statements[0] if len(statements) == 1 and statements[0].type == "return_statement" else None
    return spell(only.named_children[0]) if only is not None and only.named_children else UNKNOWN


def list_lambda_parameters(function: Node) -> Sequence[Node]:
    """Return the parameters of a lambda."""
    declarator = function.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [one for one in listed.named_children if one.type != "comment"] if listed is not None else ()


def _spell_specifier(node: Node, spell: Spell) -> str:
    """Spell ``class a`` by its name, and a class that a function declares without one by the place of its members."""
    name = node.child_by_field_name("name")
    return spell(name) if name is not None else c_types.spell_nameless(node)


TERMS: Mapping[str, Spelling] = {
    **c_types.TERMS,
    "template_type": _spell_template,
    "field_expression": _spell_member,
    "call_expression": _spell_call,
    "binary_expression": _spell_binary,
    "decltype": terms.spell_step("", Op.Itself),
    "lambda_expression": _spell_lambda,
    "dependent_type": terms.same(),
    "new_expression": terms.spell_step("type", "()"),
    "condition_clause": terms.same("value"),
    "qualified_identifier": _spell_qualified,
    "pointer_expression": _spell_pointer,
    "subscript_expression": terms.spell_step("argument", "[]"),
    **dict.fromkeys(("class_specifier", "struct_specifier", "union_specifier", "enum_specifier"), _spell_specifier),
}
