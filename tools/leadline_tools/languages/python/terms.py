"""Values of Python as terms: calls, operators, literals, comprehensions, lambdas.

See ``languages.terms``. What the standard library gives is in ``library``, annotations are in ``types``.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.calls import (
    SPLAT,
    list_parts,
    list_positional,
    spell_imported_name,
    spell_own_name,
)
from leadline_tools.languages.python.generics import apply_arguments
from leadline_tools.languages.python.library import COPIES, MAKERS, list_lambda_parameters
from leadline_tools.languages.python.narrowing import BRANCHES, COMPREHENSIONS
from leadline_tools.languages.python.objects import make_function, make_iterable, make_object, spell_element
from leadline_tools.languages.python.patterns import bind_pattern
from leadline_tools.languages.python.queries import AS_MANAGER, spell_attribute, spell_manager
from leadline_tools.languages.python.types import spell_annotation, spell_special
from leadline_tools.languages.terms import TUPLE, UNKNOWN, Spell, Spelling, either, then, ungiven

_TYPES = frozenset({"identifier", "attribute", "subscript"})

_TAKES_ARGUMENTS = frozenset(typing.__all__).union("defaultdict deque dict frozenset list set tuple type".split()) - {
    "Literal"
}
"""Types that take arguments, wherever they stand."""

_OPERATORS = {
    "+": "__add__",
    "-": "__sub__",
    "*": "__mul__",
    "@": "__matmul__",
    "/": "__truediv__",
    "//": "__floordiv__",
    "%": "__mod__",
    "**": "__pow__",
    "<<": "__lshift__",
    ">>": "__rshift__",
    "&": "__and__",
    "^": "__xor__",
}
"""The methods that operators call: https://docs.python.org/3/reference/datamodel.html#emulating-numeric-types."""

_FROM_TYPING = ("typing.", "t.", "collections.")

_RETURNS_ANYTHING = frozenset("eval globals locals vars __import__ importlib.import_module import_module".split())
"""Functions of the standard library that give what the code has, and not what the library has."""


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call; of what the standard library has that gives back what it is given, with that as type arguments."""
    function = spell(node.child_by_field_name("function"))
    if function in _RETURNS_ANYTHING:
        return UNKNOWN
    if function == "getattr":
        return _spell_getattr(node, spell)
    owner, _, name = function.rpartition(".")
    if owner and name in COPIES:
        return owner
    if owner and name == AS_MANAGER:
        return spell_manager(node, owner, spell)
    made = MAKERS.get(function) or MAKERS.get(f".{name}")
    if made is None and name in _MADE_BY_MODULES and (not owner or owner.isidentifier()):
        made = MAKERS.get(spell_own_name(node, function)) or MAKERS.get(spell_imported_name(node, function))
    positional = list_positional(node.child_by_field_name("arguments")) if made is not None else ()
    term = made(function, positional, spell) if made is not None and positional else UNKNOWN
    if term != UNKNOWN:
        return term
    return then(apply_arguments(function, node.child_by_field_name("arguments"), spell), "()")


_MADE_BY_MODULES = frozenset(name.rpartition(".")[2] for name in MAKERS if name.rpartition(".")[0])
"""The last names of functions that modules have which make something of what they are given."""


def _spell_getattr(node: Node, spell: Spell) -> str:
    """Spell what ``getattr`` gives: an attribute whose name is written, or the default; else it may be anything."""
    given = list_positional(node.child_by_field_name("arguments"))
    name = text(given[1])[1:-1] if len(given) > 1 and given[1].type == "string" else ""
    if not name.isidentifier():
        return UNKNOWN
    attribute = then(spell(given[0]), f".{name}")
    return either((attribute, *(spell(one) for one in given[2:]))) if attribute != UNKNOWN else UNKNOWN


def _spell_subscript(node: Node, spell: Spell) -> str:
    """Spell ``a[b]``: an element, or a type with arguments in an annotation and where it is given another name."""
    around = node.parent
    while around is not None and around.type in ("binary_operator", "subscript", "tuple", "list"):
        around = around.parent
    if around is not None and around.type == "type":
        return spell_special(node, spell)
    value = _spell_value(node, spell)
    if value in _TAKES_ARGUMENTS or (value.startswith(_FROM_TYPING) and value.rpartition(".")[2] in _TAKES_ARGUMENTS):
        return spell_special(node, spell)
    index = node.child_by_field_name("subscript")
    if index is not None and index.type == "slice":
        return value
    if node.parent is not None and node.parent.type == "call" and all(one.type in _TYPES for one in list_parts(node)):
        return spell_special(node, spell)  # what is called may be a type with arguments
    number = text(index) if index is not None and index.type == "integer" else ""
    return then(value, f";{number}" if number.isdecimal() else "[]")


def _spell_value(node: Node, spell: Spell) -> str:
    return spell(node.child_by_field_name("value"))


def _spell_operator(node: Node, spell: Spell) -> str:
    """Spell ``A | B`` as either, and what other operators give as what the method of the left side gives."""
    operator = text(node.child_by_field_name("operator"))
    if operator in _OPERATORS:
        return then(spell(node.child_by_field_name("left")), f".{_OPERATORS[operator]}()")
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _spell_unary(node: Node, spell: Spell) -> str:
    """Spell what a sign before a value gives: the same number, or what the method of its type gives."""
    operand = node.child_by_field_name("argument")
    if operand is None or operand.type in ("integer", "float"):
        return spell(operand)
    return then(spell(operand), f".{_UNARY.get(text(node.child_by_field_name('operator')), '__neg__')}()")


_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
"""The methods that signs call: https://docs.python.org/3/reference/datamodel.html#object.__neg__."""


def _spell_tuple(node: Node, spell: Spell) -> str:
    """Spell a tuple by its parts; from a star on they are all alike, since it hides how many there are."""
    parts = list_parts(node)
    known = next((i for i, part in enumerate(parts) if part.type == SPLAT), len(parts))
    rest = [either(map(spell, parts[known:]))] if known < len(parts) else []
    return make_object(TUPLE, [*map(spell, parts[:known]), *rest])


def _spell_list(node: Node, spell: Spell) -> str:
    """Spell a list or a set by what its elements are."""
    return make_object(_LITERALS[node.type], [either(map(spell, node.named_children))])


def _spell_dictionary(node: Node, spell: Spell) -> str:
    """Spell a dictionary by what its keys and values are."""
    pairs = [child for child in node.named_children if child.type == "pair"]
    return make_object(
        "dict", [either(spell(pair.child_by_field_name(side)) for pair in pairs) for side in ("key", "value")]
    )


def _spell_conditional(node: Node, spell: Spell) -> str:
    """Spell ``a if b else c``."""
    return either(
        BRANCHES.spell_part(node, child, spell) for child in (node.named_children[0], node.named_children[-1])
    )


def _spell_boolean(node: Node, spell: Spell) -> str:
    """Spell ``a and b`` and ``a or b``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return either((spell(left), BRANCHES.spell_part(node, right, spell)))


def _spell_lambda(node: Node, spell: Spell) -> str:
    """Spell a function by what it gives, where that does not depend on what it takes."""
    parameters = node.child_by_field_name("parameters")
    names = {text(name) for name in list_lambda_parameters(parameters)} if parameters is not None else frozenset[str]()
    result = spell(node.child_by_field_name("body"))
    independent = (one for one in (result, ungiven(result)) if names.isdisjoint(_LEADING_NAMES.findall(one)))
    return make_function(next(independent, UNKNOWN))


_LEADING_NAMES = re.compile(r"(?:(?<=[<,|])|^)[^\W\d]\w*")
"""The names that a term begins with, or an alternative or argument in it."""


def _spell_comprehension(node: Node, spell: Spell) -> str:
    """Spell what a comprehension gives, where the names of its own are told by what it loops over."""
    bound: dict[str, str] = {}
    for clause in (child for child in node.named_children if child.type == "for_in_clause"):
        left, right = clause.child_by_field_name("left"), clause.child_by_field_name("right")
        if left is not None and right is not None:
            each = spell_element(_replace_bound(spell(right), bound))
            bound.update((text(name), term) for name, term in bind_pattern(left, None, each, spell))
    bound.update((fact.name, fact.term) for fact in BRANCHES.narrowings(node, spell) if fact.name in bound)
    body = node.child_by_field_name("body")
    if body is not None and body.type == "pair":
        sides = [_replace_bound(spell(body.child_by_field_name(side)), bound) for side in ("key", "value")]
        return make_object("dict", sides)
    element = _replace_bound(spell(body), bound)
    name = _LITERALS.get(node.type)
    return make_object(name, [element]) if name else make_iterable(element)


def _replace_bound(term: str, bound: Mapping[str, str]) -> str:
    """Return a term without the names of a comprehension, which mean nothing outside of it."""
    used = {name for name in _LEADING_NAMES.findall(term) if name in bound}
    if any("|" in bound[name] or bound[name] == UNKNOWN for name in used):
        plain = ungiven(term)
        return _replace_bound(plain, bound) if plain != term else UNKNOWN
    return _LEADING_NAMES.sub(lambda name: bound.get(name[0], name[0]), term) if used else term


_LITERALS = {
    "string": "str",
    "concatenated_string": "str",
    "integer": "int",
    "float": "float",
    "true": "bool",
    "false": "bool",
    "list": "list",
    "list_comprehension": "list",
    "tuple": "tuple",
    "dictionary": "dict",
    "set": "set",
    "set_comprehension": "set",
}

TERMS: Mapping[str, Spelling] = {
    "assignment": terms.same("right"),
    "attribute": spell_attribute,
    "call": _spell_call,
    "await": terms.same(),
    "parenthesized_expression": terms.same(),
    "named_expression": _spell_value,
    "conditional_expression": _spell_conditional,
    "boolean_operator": _spell_boolean,
    "binary_operator": _spell_operator,
    "not_operator": terms.spell_always("bool()"),
    "unary_operator": _spell_unary,
    "subscript": _spell_subscript,
    "type": spell_annotation,
    "generic_type": spell_special,
    "union_type": terms.one_of(),
    "member_type": terms.same(),
    **{kind: terms.spell_always(f"{name}()") for kind, name in _LITERALS.items()},
    "list": _spell_list,
    "set": _spell_list,
    SPLAT: lambda node, spell: spell_element(spell(node.named_children[0])),
    "tuple": _spell_tuple,
    "expression_list": _spell_tuple,
    "dictionary": _spell_dictionary,
    **dict.fromkeys(COMPREHENSIONS, _spell_comprehension),
    "lambda": _spell_lambda,
}
