"""How values and types of JavaScript and TypeScript are spelled as terms, and what the place of a value wants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.branches import (
    Branches,
    Connective,
    branched,
    chosen,
    connected,
    deciding,
    negated,
    repeated,
)
from leadline_tools.languages.javascript import comments as jsdoc
from leadline_tools.languages.javascript import generics
from leadline_tools.languages.javascript import jsdoc as documentation
from leadline_tools.languages.language import place, text
from leadline_tools.languages.terms import BARE, UNKNOWN, Op, Spell, Spelling, applied, either, object_of, then

FUNCTIONS = frozenset({"function_expression", "generator_function", "arrow_function"})
"""The expressions that are functions: what is assigned one is one."""

DECLARED_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration", "method_definition"})
"""The functions that are no expressions."""

_ALL_FUNCTIONS = FUNCTIONS | DECLARED_FUNCTIONS

_DEEPEST_PATTERN = 24
_FARTHEST = 12
"""Nodes from a value outwards to what says what is wanted in its place."""

_MOST_ELEMENTS = 4
"""Elements of an array that tell its type."""

_LONGEST_MEMBERS = 200
"""Characters of the members of an object that are spelled: what is longer than a term is unknown as a whole."""

_PATTERNS = frozenset({"object_pattern", "array_pattern"})
_CHOICES = frozenset({"||", "??"})
_LOGICAL = frozenset({"||", "&&"})
_NAMELESS = object_of(terms.COLLECTION)
"""An object of a type that has no name, whose members are no symbols."""

_PRIMITIVE = object_of(terms.PRIMITIVE)
"""A string, a number or the like. It never stands beside something else: what else there is may be unknown."""


def _alternatives(found: Iterable[str]) -> str:
    """Return the term of what is one of some things: of a primitive nothing is known unless all of them are."""
    listed = list(found)
    primitive = {_PRIMITIVE, terms.PRIMITIVE}
    if listed and all(one in primitive for one in listed):
        return listed[0]
    return either(one for one in listed if one not in primitive)


def returned(field: str = "") -> Spelling:
    """Spell what a function returns in one place: elsewhere it may return something unknown."""
    inner = terms.same(field)
    return lambda node, spell: unless_primitive(inner(node, spell))


def unless_primitive(term: str) -> str:
    """Return the term of what may be given another value later, which need not be a primitive then."""
    return UNKNOWN if term == _PRIMITIVE else term


# --- Patterns


class Part(NamedTuple):
    """A part of a pattern: the name that it binds, and the key of an object that it takes, each with its term.

    The term of a key is that of the object.
    """

    name: Node | None
    term: str
    key: Node | None = None
    owner: str = UNKNOWN


def parts(pattern: Node | None, term: str, spell: Spell, deepest: int = _DEEPEST_PATTERN) -> Iterator[Part]:
    """Yield the parts of a pattern that takes a value."""
    if pattern is None or not deepest:
        return
    deepest -= 1
    match pattern.type:
        case "identifier":
            yield Part(pattern, term)
        case "object_pattern":
            for child in pattern.named_children:
                yield from _property(child, term, spell, deepest)
        case "array_pattern":
            yield from _elements(pattern, term, spell, deepest)
        case "assignment_pattern":
            value = _alternatives((term, _default(pattern, spell)))
            yield from parts(pattern.child_by_field_name("left"), value, spell, deepest)
        case "rest_pattern":
            yield from parts(_first(pattern), term, spell, deepest)
        case _:
            return


def _property(child: Node, owner: str, spell: Spell, deepest: int) -> Iterator[Part]:
    match child.type:
        case "shorthand_property_identifier_pattern":
            yield Part(child, then(owner, f".{text(child)}"), child, owner)
        case "object_assignment_pattern":
            name = child.child_by_field_name("left")
            if name is not None and name.type == "shorthand_property_identifier_pattern":
                value = _alternatives((then(owner, f".{text(name)}"), _default(child, spell)))
                yield Part(name, value, name, owner)
        case "pair_pattern":
            key = child.child_by_field_name("key")
            plain = key is not None and key.type == "property_identifier"
            if plain:
                yield Part(None, UNKNOWN, key, owner)
            taken = then(owner, f".{text(key)}") if plain else UNKNOWN
            yield from parts(child.child_by_field_name("value"), taken, spell, deepest)
        case _:
            yield from parts(child, owner, spell, deepest)


def _default(pattern: Node, spell: Spell) -> str:
    """Spell what a part of a pattern is by default; a function tells none: it may give a subtype of what is wanted."""
    value = pattern.child_by_field_name("right")
    return spell(value) if value is not None and value.type not in FUNCTIONS else UNKNOWN


def _elements(pattern: Node, term: str, spell: Spell, deepest: int) -> Iterator[Part]:
    """Yield the parts of ``[a, , b]``: a hole counts."""
    number = 0
    for child in pattern.children:
        if child.type == ",":
            number += 1
        elif child.is_named:
            value = term if child.type == "rest_pattern" else then(term, f"#{number}")
            yield from parts(child, value, spell, deepest)


def declared(node: Node, spell: Spell) -> str:
    """Return the term of what a declaration declares: an object of its type, else its value."""
    annotation = node.child_by_field_name("type")
    if annotation is not None:
        return object_of(spell(annotation))
    documented = documented_type(node)
    if documented != UNKNOWN:
        return object_of(documented)
    given, around = node.child_by_field_name("value"), node.parent
    if given is not None and given.type == "object" and not jsdoc.is_open(jsdoc.declared_type(_comment_of(node))):
        return UNKNOWN
    value = spell(given)
    constant = around is not None and around.children[0].type == "const"
    return value if constant else unless_primitive(value)


def documented_type(node: Node) -> str:
    """Return the term of the type that a comment gives to a variable, a field or what is assigned; UNKNOWN for none."""
    return documentation.declared_type(_comment_of_value(node))


def _comment_of_value(node: Node) -> str:
    """Return the comment just before a declarator, or before the declaration that it is the first of."""
    if node.type == "variable_declarator" and node.prev_named_sibling is not None:
        return jsdoc.comment_before(node)
    return _comment_of(node)


def documented_result(function: Node) -> str:
    """Return the term of what a function returns as its comment says it; UNKNOWN for none."""
    comment = _comment_of_function(function)
    result = documentation.result_type(comment)
    return result if result != UNKNOWN else then(object_of(documentation.declared_type(comment)), "()^")


def documented_this(function: Node) -> str:
    """Return the term of the type of ``this`` in a function as its comment says it; UNKNOWN for none."""
    return documentation.this_type(_comment_of_function(function))


def _documented_parameters(function: Node, listed: Sequence[Node]) -> Sequence[str]:
    """Return the terms of the types of parameters as a comment says them; nothing where it says none."""
    if not listed or function.type not in _ALL_FUNCTIONS:
        return ()
    comment = _comment_of_function(function)
    if not documentation.documents_parameters(comment):
        return ()
    return documentation.parameter_types(comment, [_documented_name(one) for one in listed])


def _documented_name(parameter: Node) -> str:
    """Return the name by which a comment calls a parameter; empty for a pattern, which it calls as it likes."""
    pattern: Node | None = parameter.child_by_field_name("pattern") or parameter
    if pattern is not None and pattern.type == "assignment_pattern":
        pattern = pattern.child_by_field_name("left")
    if pattern is not None and pattern.type == "rest_pattern":
        pattern = _first(pattern)
    return text(pattern) if pattern is not None and pattern.type == "identifier" else ""


def _looped(node: Node, spell: Spell) -> str:
    of = text(node.child_by_field_name("operator")) == "of"
    return then(spell(node.child_by_field_name("right")), "*") if of else UNKNOWN


def _assigned(node: Node, spell: Spell) -> str:
    return unless_primitive(spell(node.child_by_field_name("right")))


_TAKING: Mapping[str, tuple[str, Spelling]] = {
    "variable_declarator": ("name", declared),
    "for_in_statement": ("left", _looped),
    "required_parameter": ("pattern", declared),
    "optional_parameter": ("pattern", declared),
    "assignment_expression": ("left", _assigned),
}
"""The nodes that give a value: the field of the pattern that takes it, and how it is spelled."""


def names(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names that a node gives values to, with the term of each."""
    field, spelling = _TAKING[node.type]
    pattern = node.child_by_field_name(field)
    if pattern is None or pattern.type == "this":
        return
    if pattern.type == "identifier":
        yield pattern, spelling(node, spell)
        return
    for part in parts(pattern, spelling(node, spell), spell):
        if part.name is not None:
            yield part.name, part.term


def defaults(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of a parameter with the term of each, where it is not its type that says it."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None or pattern.type != "identifier" or node.child_by_field_name("type") is None:
        yield from names(node, spell)


def keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys of a pattern that a node gives a value to, each with the term of the object."""
    field, spelling = _TAKING[node.type]
    pattern = node.child_by_field_name(field)
    if pattern is not None and pattern.type in _PATTERNS:
        for part in parts(pattern, spelling(node, spell), spell):
            if part.key is not None:
                yield part.key, part.owner


# --- Functions


def parameters(function: Node) -> Sequence[Node]:
    """Return the parameters of a function, without what only tells the type of ``this``."""
    listed = function.child_by_field_name("parameters")
    if listed is None:
        return function.children_by_field_name("parameter")
    return [child for child in listed.named_children if child.type != "comment" and not _is_this(child)]


def _is_this(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern")
    return pattern is not None and pattern.type == "this"


def function_type(node: Node, result: str, spell: Spell) -> str:
    """Return the term of the type of a function with a result and the parameters of a node."""
    listed = parameters(node)
    takes = [_taken_type(parameter, spell) for parameter in listed]
    documented = _documented_parameters(node, listed) if UNKNOWN in takes else ()
    for number, said in enumerate(documented):
        if takes[number] == UNKNOWN:
            element = then(object_of(said), "[]^") if _is_rest(listed[number]) else UNKNOWN
            takes[number] = applied(terms.VARIADIC, (element,)) if element != UNKNOWN else said
    while takes and takes[-1] == UNKNOWN:
        takes.pop()
    return applied(terms.FUNCTION, (result, *takes))


def _taken_type(parameter: Node, spell: Spell) -> str:
    kind = parameter.child_by_field_name("type")
    if not _is_rest(parameter):
        return spell(kind)
    listed = _first(kind) if kind is not None else None
    plain = listed is not None and listed.type == "array_type"
    element = spell(_first(listed)) if plain and listed is not None else then(object_of(spell(kind)), "[]^")
    return applied(terms.VARIADIC, (element,)) if element != UNKNOWN else UNKNOWN


def _is_rest(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern") or parameter
    return pattern.type == "rest_pattern"


def takes(node: Node, spell: Spell) -> str:
    """Return the term of a function type that takes what a function takes."""
    found = function_type(node, UNKNOWN, spell)
    return found if found != terms.FUNCTION else UNKNOWN


def contextual(function: Node, spell: Spell) -> Iterator[Part]:
    """Yield the parts of the parameters that say no type, as the place of a function says it."""
    untyped = [
        (number, parameter)
        for number, parameter in enumerate(parameters(function))
        if parameter.child_by_field_name("type") is None
    ]
    place = wanted(function, spell) if untyped else UNKNOWN
    documented = _documented_parameters(function, parameters(function)) if untyped else ()
    for number, parameter in untyped:
        pattern = parameter.child_by_field_name("pattern") or parameter
        said = documented[number] if documented else UNKNOWN
        if said != UNKNOWN:
            yield from parts(pattern, object_of(said), spell)
        elif place != UNKNOWN or pattern.type != "identifier":
            value = spell(parameter.child_by_field_name("value"))
            yield from parts(pattern, _alternatives((then(place, f"%{number}"), value)), spell)


def contextual_names(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of the parameters of a function that say no type, each with its term."""
    return ((part.name, part.term) for part in contextual(node, spell) if part.name is not None)


def contextual_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys in such parameters, each with the term of the object."""
    if any(_may_have_keys(parameter) for parameter in parameters(node)):
        yield from ((part.key, part.owner) for part in contextual(node, spell) if part.key is not None)


def _may_have_keys(parameter: Node) -> bool:
    pattern = parameter.child_by_field_name("pattern") or parameter
    inner = pattern.child_by_field_name("left") if pattern.type == "assignment_pattern" else pattern
    return inner is not None and inner.type != "identifier"


# --- What is wanted


def wanted(node: Node, spell: Spell, far: int = _FARTHEST) -> str:
    """Return the term of an object that the place of a value wants; UNKNOWN where nothing says so."""
    around = node.parent
    rule = _WANTING.get(around.type) if around is not None and far else None
    return rule(around, node, spell, far - 1) if around is not None and rule is not None else UNKNOWN


def _as_argument(around: Node, node: Node, spell: Spell, _far: int) -> str:
    """Return what a call or ``new`` wants as this argument."""
    call, number = around.parent, place(node)
    if call is None or number is None:
        return UNKNOWN
    if call.type == "call_expression":
        return _as_argument_of(call, number, spell)
    if call.type == "new_expression" and text(call.child_by_field_name("constructor")) in _HOLDING:
        return object_of(terms.GIVEN) if not number else UNKNOWN
    if call.type == "new_expression":
        return then(_created_type(call, spell), f".constructor%{number}")
    return UNKNOWN


def _as_argument_of(call: Node, number: int, spell: Spell) -> str:
    """Return what a call wants as an argument: of methods of the language, what depends on what else they are given."""
    function, given = call.child_by_field_name("function"), _arguments(call)
    if function is None or function.type != "member_expression":
        step = ".constructor" if function is not None and function.type == "super" else ""
        return then(_called_with(then(spell(function), step), call, spell, number), f"%{number}")
    owner, name = function.named_children[0], text(function.named_children[-1])
    if (name, number) == ("then", 0):
        return _taking(spell(owner))
    if (text(owner) if owner.type == "identifier" else "", name, number) == ("Array", "from", 1):
        return _taking(then(spell(given[0]), Op.Each))
    described = _described(f"{text(owner)}.{name}", number) if owner.type == "identifier" else ""
    if described:
        return described
    term = spell(function)
    wanted = then(_called_with(term, call, spell, number), f"%{number}")
    if name not in _FOLDING or number:
        return wanted
    each = then(spell(owner), Op.Item)
    return either((wanted, _taking(spell(given[1]) if len(given) > 1 else each, each)))


def _taking(*values: str) -> str:
    """Spell a function that takes values like these."""
    return then(applied(terms.FUNCTION, (UNKNOWN, *(then(value, Op.Itself) for value in values))), Op.Object)


_HOLDING = frozenset({"Map", "Proxy", "Set", "WeakMap", "WeakRef", "WeakSet"})
"""Types of the language whose objects hold what they are made with, of whatever type."""

_DESCRIPTOR = "PropertyDescriptor"
_DESCRIPTORS = object_of(terms.record([(terms.ANY, _DESCRIPTOR)], closed=True))
_DESCRIBING: Mapping[tuple[str, int], str] = {
    ("Array.from", 0): object_of("ArrayLike"),
    ("Object.create", 1): _DESCRIPTORS,
    ("Object.defineProperties", 1): _DESCRIPTORS,
    ("Object.defineProperty", 2): object_of(_DESCRIPTOR),
    ("Reflect.defineProperty", 2): object_of(_DESCRIPTOR),
}
"""What functions of the language want that describe properties: https://tc39.es/ecma262/#sec-topropertydescriptor."""


def _described(called: str, number: int) -> str:
    """Return what a function of the language wants as an argument; empty where that is not known."""
    anything = called in _GIVING_BACK or called in _TAKING_ANYTHING
    return object_of(terms.GIVEN) if anything else _DESCRIBING.get((called, number), "")


_FOLDING = frozenset({"reduce", "reduceRight"})
"""Methods that give what they are given last, or one element, and a function on the way."""


def _as_declared(around: Node, node: Node, spell: Spell, _far: int) -> str:
    if not _is(around, "value", node):
        return UNKNOWN
    annotation = around.child_by_field_name("type")
    return object_of(spell(annotation) if annotation is not None else documented_type(around))


def _as_pair(around: Node, node: Node, spell: Spell, far: int) -> str:
    """Return what the object around a pair says of this key."""
    key, owner = around.child_by_field_name("key"), around.parent
    if owner is None or key is None or not _is(around, "value", node):
        return UNKNOWN
    name = text(key).strip("\"'")
    plain = key.type in ("property_identifier", "string") and name.isidentifier()
    return then(wanted(owner, spell, far), f".{name if plain else _UNNAMED}")


_UNNAMED = "-"
"""What a key is called that is the name of no member, and may be one of those that have any name."""


def _as_method(around: Node, node: Node, spell: Spell, far: int) -> str:
    """Return what an object wants this method of it to be."""
    name = node.child_by_field_name("name") if node.type == "method_definition" else None
    plain = name is not None and name.type == "property_identifier"
    return then(wanted(around, spell, far), f".{text(name)}") if plain else UNKNOWN


def _as_result(around: Node, node: Node, spell: Spell, far: int) -> str:
    """Return what the function around wants to be returned."""
    function: Node | None = around
    while function is not None and function.type not in _ALL_FUNCTIONS:
        function = function.parent
    if function is None or (function is around and not _is(function, "body", node)):
        return UNKNOWN
    result = function.child_by_field_name("return_type")
    if result is not None:
        return object_of(spell(result))
    documented = documented_result(function)
    if documented != UNKNOWN:
        return object_of(documented)
    return then(wanted(function, spell, far), "()") if function.type in FUNCTIONS else UNKNOWN


def _as_assigned(around: Node, node: Node, spell: Spell, _far: int) -> str:
    if not _is(around, "right", node):
        return UNKNOWN
    documented = documented_type(around)
    return object_of(documented) if documented != UNKNOWN else spell(around.child_by_field_name("left"))


def _as_cast(around: Node, _node: Node, spell: Spell, _far: int) -> str:
    kind = _cast_type(around)
    return object_of(spell(kind)) if kind is not None else UNKNOWN


def _cast_type(node: Node) -> Node | None:
    """Return the type in ``a as T``, ``a satisfies T`` and ``<T>a``; None for ``as const``, which says none."""
    if node.named_child_count < 2:
        return None
    return _first(node.named_children[0]) if node.type == "type_assertion" else node.named_children[-1]


def _as_whole(around: Node, _node: Node, spell: Spell, far: int) -> str:
    documented = _documented_cast(around)
    return object_of(documented) if documented != UNKNOWN else wanted(around, spell, far)


def _documented_cast(node: Node) -> str:
    """Return the term of the type in ``/** @type {T} */ (a)``; UNKNOWN for none."""
    return (
        documentation.declared_type(jsdoc.comment_before(node)) if node.type == "parenthesized_expression" else UNKNOWN
    )


def _parenthesized(node: Node, spell: Spell) -> str:
    documented = _documented_cast(node)
    return object_of(documented) if documented != UNKNOWN else spell(_first(node))


def _as_element(around: Node, _node: Node, spell: Spell, far: int) -> str:
    return then(wanted(around, spell, far), "[]")


def _as_operand(around: Node, _node: Node, spell: Spell, far: int) -> str:
    return wanted(around, spell, far) if text(around.child_by_field_name("operator")) in _CHOICES else UNKNOWN


def _is(around: Node, field: str, node: Node) -> bool:
    child = around.child_by_field_name(field)
    return child is not None and child.id == node.id


_SAYING = frozenset(
    {"variable_declarator", "public_field_definition", "return_statement", "as_expression", "satisfies_expression"}
)
"""What may say the type of the call in it, of which the types of what that takes may be inferred."""

_WANTING: Mapping[str, Callable[[Node, Node, Spell, int], str]] = {
    "arguments": _as_argument,
    "variable_declarator": _as_declared,
    "public_field_definition": _as_declared,
    "required_parameter": _as_declared,
    "optional_parameter": _as_declared,
    "pair": _as_pair,
    "object": _as_method,
    "return_statement": _as_result,
    "arrow_function": _as_result,
    "assignment_expression": _as_assigned,
    "augmented_assignment_expression": _as_assigned,
    "as_expression": _as_cast,
    "satisfies_expression": _as_cast,
    "type_assertion": _as_cast,
    "parenthesized_expression": _as_whole,
    "ternary_expression": _as_whole,
    "binary_expression": _as_operand,
    "array": _as_element,
}


def object_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys of an object that is made in a place that wants one of a type, each with its term.

    Where an object is given to a name of no declared type, it declares its keys.
    """
    found = [key for child in node.named_children if (key := _key(child)) is not None]
    declaring = bool(found) and is_declaring(node)
    exported = node.parent is not None and node.parent.type == "assignment_expression"
    term = wanted(node, spell) if found and (exported or not declaring) else UNKNOWN
    for key in found:
        declared = declaring and not (exported and _is_reference(_pair_of(key)))
        if declared or term != UNKNOWN:
            yield key, terms.DECLARED if declared else term


def is_declaring(node: Node) -> bool:
    """Tell whether an object stands where nothing says its type: its keys are then members of its own."""
    inner, around, deep = node, node.parent, False
    for _ in range(_FARTHEST):
        if around is None or around.type in _DECLARING:
            return around is not None and _DECLARING[around.type](around, inner, deep)
        if around.type == "arguments" and around.parent is not None:
            called = text(around.parent.child_by_field_name("function"))
            if called not in _GIVING_BACK:
                return called in _TAKING_ANYTHING
            around = around.parent
        if around.type not in _PASSING or (around.type in _CASTS and not _is_untyped(_cast_type(around))):
            return False
        if around.type in _DOCUMENTED and not _is_free(jsdoc.declared_type(jsdoc.comment_before(around)), deep):
            return False
        deep = deep or around.type in ("pair", "array")
        inner, around = around, around.parent
    return False


_DOCUMENTED = frozenset({"pair", "parenthesized_expression"})
"""Parts of expressions that a comment just before them may give a type."""


def _is_free(documented: str, deep: bool) -> bool:
    """Tell whether the type that a comment documents names no key of an object; ``deep`` for one inside another."""
    return not documented or jsdoc.is_open(documented) or (not deep and jsdoc.has_any_name(documented))


def _comment_of(node: Node) -> str:
    """Return the documentation comment of the statement that a declaration or an assignment is."""
    around = node.parent
    while around is not None and around.type in _STATEMENTS:
        node, around = around, around.parent
    return jsdoc.comment_before(node)


_STATEMENTS = frozenset({"lexical_declaration", "variable_declaration", "expression_statement", "export_statement"})


def _says_no_type(declared: Node, inner: Node, deep: bool) -> bool:
    if not _is_untyped(declared.child_by_field_name("type")) or not _is(declared, "value", inner):
        return False
    return _is_free(jsdoc.declared_type(_comment_of(declared)), deep)


def _is_untyped(kind: Node | None) -> bool:
    """Tell whether a type says nothing of the members of an object, as where there is none."""
    if kind is not None and kind.type == "type_annotation":
        kind = _first(kind)
    return kind is None or (kind.type == "predefined_type" and text(kind) in _OPEN_TYPES)


_OPEN_TYPES = frozenset({"any", "unknown", "object"})
"""https://www.typescriptlang.org/docs/handbook/2/everyday-types.html: types of which no members are known."""

_CASTS = frozenset({"as_expression", "type_assertion"})


def _gives_no_type(returning: Node, _inner: Node, deep: bool) -> bool:
    """Tell whether nothing says what the function around returns."""
    function: Node | None = returning
    while function is not None and function.type not in _ALL_FUNCTIONS:
        function = function.parent
    if function is None or not _is_untyped(function.child_by_field_name("return_type")):
        return False
    around = function.parent
    if not _is_free(jsdoc.result_type(_comment_of_function(function)), deep):
        return False
    if function.type not in FUNCTIONS or around is None:
        return around is None or around.type != "object" or is_declaring(around)
    if around.type == "assignment_expression":
        return _gives_away(around, function, deep)
    return around.type == "variable_declarator" and around.child_by_field_name("type") is None


def _comment_of_function(function: Node) -> str:
    """Return the documentation comment of a function, or of what is given it as a value."""
    around = function.parent
    if function.type in FUNCTIONS and around is not None and around.type in _GIVEN_FUNCTIONS:
        return _comment_of(around)
    return _comment_of(function)


_GIVEN_FUNCTIONS = frozenset({"variable_declarator", "assignment_expression", "pair", "field_definition"})


def _gives_away(assignment: Node, inner: Node, deep: bool) -> bool:
    """Tell whether a module of CommonJS exports what is assigned."""
    left = text(assignment.child_by_field_name("left"))
    given = _is(assignment, "right", inner) and left.startswith(("module.exports", "exports."))
    return given and _is_free(jsdoc.declared_type(_comment_of(assignment)), deep)


def _is_exported(exporting: Node, _inner: Node, deep: bool) -> bool:
    return _is_free(jsdoc.declared_type(_comment_of(exporting)), deep)


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

_GIVING_BACK = frozenset(
    "Object.assign Object.freeze Object.preventExtensions Object.seal Promise.reject Promise.resolve"
    " structuredClone".split()
)
"""Functions of the language that give what they take, of whatever type."""

_TAKING_ANYTHING = frozenset(
    "JSON.stringify Object.entries Object.getOwnPropertyNames Object.keys Object.values console.debug console.dir"
    " console.error console.info console.log console.table console.trace console.warn".split()
)
"""Functions of the language and its hosts that ask for no member of what they take."""

_PASSING = frozenset({"call_expression", "pair", "object", "array", "parenthesized_expression", *_CASTS})
"""What may stand between the two."""


def declared_keys(node: Node) -> Sequence[Node]:
    """Return the keys that an object declares, but those of functions, which are defined."""
    if not node.named_children or not is_declaring(node):
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
    """Tell whether a pair only gives away what has a name: a module exports that."""
    value = pair.child_by_field_name("value")
    return pair.type == "shorthand_property_identifier" or (value is not None and value.type == "identifier")


def members(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys that an object declares, each with the term of its value."""
    for key in declared_keys(node):
        around = key.parent
        value = around.child_by_field_name("value") if around is not None and around.type == "pair" else key
        yield key, unless_primitive(spell(value))


def type_keys(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the members of a type without a name, which declares them."""
    if not is_alias_body(node):
        for child in node.named_children:
            name = child.child_by_field_name("name")
            if name is not None and name.type == "property_identifier":
                yield name, terms.DECLARED


def is_alias_body(node: Node) -> bool:
    """Tell whether the members of a type that is written out are those of an alias."""
    around = node.parent
    while around is not None and around.type in ("intersection_type", "union_type", "parenthesized_type"):
        around = around.parent
    return around is not None and around.type == "type_alias_declaration"


def _key(child: Node) -> Node | None:
    if child.type == "shorthand_property_identifier":
        return child
    key = child.child_by_field_name({"pair": "key", "method_definition": "name"}.get(child.type, "none"))
    return key if key is not None and key.type == "property_identifier" else None


def computed_keys(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``[name]``, which is no key."""
    return ((child, BARE) for child in node.named_children if child.type == "identifier")


def private_names(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name in ``#a in b``, which is one of the class around."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "private_property_identifier":
        yield left, "this"


def queried_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of members in ``typeof a.b.c``, whose fields the grammar mixes up."""
    member = _first(node)
    while member is not None and member.type == "member_expression":
        yield member.named_children[-1], spell(member.named_children[0])
        member = member.named_children[0]


def _is_intrinsic(name: Node) -> bool:
    """Tell whether the name of an element is that of one that the page has: it begins with a small letter."""
    return name.type == "identifier" and not text(name)[:1].isupper()


def intrinsic(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of an element that no variable means."""
    name = node.child_by_field_name("name")
    if name is not None and _is_intrinsic(name):
        yield name, _NAMELESS


def attribute_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the attributes of an element with what it is a member of: what the component takes first.

    What an element of the page takes is declared nowhere in the code base.
    """
    yield from intrinsic(node, spell)
    name = node.child_by_field_name("name")
    term = UNKNOWN if name is None else _NAMELESS if _is_intrinsic(name) else then(spell(name), "%0")
    for child in node.named_children if term != UNKNOWN else ():
        if child.type == "jsx_attribute" and child.named_children[0].type == "property_identifier":
            yield child.named_children[0], term


# --- Values


def _first(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type != "comment"), None)


_LOADING = frozenset({"require", "import"})


def loaded_module(call: Node) -> Node | None:
    """Return the string that names the module which ``require("b")`` or ``import("b")`` loads; None for other calls."""
    function = call.child_by_field_name("function")
    if function is None or function.type not in ("identifier", "import") or text(function) not in _LOADING:
        return None
    given = _arguments(call)
    return given[0] if given and given[0].type == "string" else None


def _call(node: Node, spell: Spell) -> str:
    """Spell a call; of what the language itself has, what that makes of its arguments."""
    function, arguments = node.child_by_field_name("function"), _arguments(node)
    if function is None or function.type != "member_expression":
        if loaded_module(node) is not None:
            return terms.written_at(node)
        return then(_called_with(spell(function), node, spell), "()")
    owner, name = function.named_children[0], text(function.named_children[-1])
    rule = _STANDARD.get(f"{text(owner)}.{name}") if owner.type == "identifier" and arguments else None
    if rule is not None:
        return rule(arguments, spell)
    term = spell(function)
    if name in _FOLDING and len(arguments) > 1:
        return either((then(term, "()"), spell(arguments[1])))
    if name in _PROJECTING and arguments:
        each = terms.owner(term, name) if name == "then" else then(terms.owner(term, name), Op.Item)
        made = _projected(arguments[0], each, spell)
        if made != UNKNOWN:
            return made if name == "then" else then(term, f"<{then(made, _PROJECTING[name] + Op.Itself)}>()")
    return then(_called_with(term, node, spell), "()")


def _called_with(function: str, call: Node, spell: Spell, but: int = -1) -> str:
    """Spell a function with the type arguments of a call, else with its arguments ``but`` for one."""
    listed = call.child_by_field_name("type_arguments")
    if listed is not None:
        return applied(function, [spell(child) for child in listed.named_children if child.type != "comment"])
    given = (spell(one) if at != but else UNKNOWN for at, one in enumerate(_arguments(call)))
    around = call.parent if but >= 0 else None
    return terms.given(
        function, given, wanted(call, spell) if around is not None and around.type in _SAYING else UNKNOWN
    )


def _arguments(node: Node) -> Sequence[Node]:
    listed = node.child_by_field_name("arguments")
    return [child for child in listed.named_children if child.type != "comment"] if listed is not None else ()


def _projected(function: Node, element: str, spell: Spell) -> str:
    """Spell what a function that does nothing but return makes of an element."""
    body = function.child_by_field_name("body") if function.type == "arrow_function" else None
    if body is not None and body.type == "statement_block":
        statements = body.named_children
        only = statements[0] if len(statements) == 1 and statements[0].type == "return_statement" else None
        body = _first(only) if only is not None else None
    if body is None:
        return UNKNOWN
    given: dict[str, str] = {}
    for number, parameter in enumerate(parameters(function)):
        said = spell(parameter.child_by_field_name("type"))
        term = object_of(said) if said != UNKNOWN else UNKNOWN if number else element
        named = parts(parameter.child_by_field_name("pattern") or parameter, term, spell)
        given.update({text(part.name): part.term for part in named if part.name is not None})
    return terms.put(spell(body), given)


_PROJECTING = {"map": "", "flatMap": str(Op.Item), "then": ""}
"""Methods that give what a function makes of each element, or of what is promised, with what is taken of that."""

_Standard = Callable[[Sequence[Node], Spell], str]


def _gives_all(given: Sequence[Node], spell: Spell) -> str:
    return either(spell(one) for one in given)


def _gives_one(given: Sequence[Node], spell: Spell) -> str:
    return then(spell(given[0]), Op.Item)


def _values_of(given: Sequence[Node], spell: Spell) -> str:
    return _list_of(then(spell(given[0]), Op.Item))


def _entries_of(given: Sequence[Node], spell: Spell) -> str:
    value = then(spell(given[0]), f"{Op.Item}{Op.Itself}")
    return object_of(applied(terms.COLLECTION, [applied(terms.TUPLE, [UNKNOWN, value])]))


def _from_entries(given: Sequence[Node], spell: Spell) -> str:
    value = then(spell(given[0]), f"{Op.Each}{Op.Part}1{Op.Itself}")
    return object_of(terms.record([(terms.ANY, value)], closed=False))


def _made_from(given: Sequence[Node], spell: Spell) -> str:
    """Spell ``Array.from(a)``, and with a function what that makes of each element."""
    element = then(spell(given[0]), Op.Each)
    return _list_of(_projected(given[1], element, spell) if len(given) > 1 else element)


def _awaited(given: Sequence[Node], spell: Spell) -> str:
    """Spell ``Promise.all(a)``, which gives what each promises: what promises a thing is spelled like it."""
    return spell(given[0])


_STANDARD: Mapping[str, _Standard] = {
    "Array.from": _made_from,
    "Object.assign": _gives_all,
    "Object.entries": _entries_of,
    "Object.freeze": _gives_all,
    "Object.fromEntries": _from_entries,
    "Object.seal": _gives_all,
    "Object.values": _values_of,
    "Promise.all": _awaited,
    "Promise.any": _gives_one,
    "Promise.race": _gives_one,
    "Promise.resolve": _gives_all,
}
"""What functions of the language make of what they are given: https://tc39.es/ecma262/#sec-global-object."""


def _created_type(node: Node, spell: Spell) -> str:
    """Spell the type of ``new T(...)``: that of a collection by what it is given to hold, where it does not say it."""
    name, arguments = spell(node.child_by_field_name("constructor")), node.child_by_field_name("type_arguments")
    given = _arguments(node)
    if arguments is not None or not given:
        return _with_arguments(name, arguments, spell)
    if name not in _FILLED:
        return terms.given(name, map(spell, given))
    element = then(spell(given[0]), Op.Each)
    if name == "Map":
        return applied(name, [then(element, f"{Op.Part}{at}{Op.Itself}") for at in range(2)])
    return generics.as_collection(name, [then(element, Op.Itself)])


_FILLED = frozenset({"Map", "Set"})


def _created(node: Node, spell: Spell) -> str:
    return then(_created_type(node, spell), "()")


def cast(node: Node, spell: Spell) -> str:
    """Spell ``a as T`` and ``<T>a``: an object of the type where it says one, else the value."""
    named = node.named_children
    kind, value = (named[0], named[-1]) if node.type == "type_assertion" else (named[-1], named[0])
    if len(named) < 2:
        return spell(value)
    return object_of(spell(_first(kind) if kind.type == "type_arguments" else kind))


def _binary(node: Node, spell: Spell) -> str:
    operator = text(node.child_by_field_name("operator"))
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator in _CHOICES:
        return _alternatives((spell(left), spell(right)))
    return unless_primitive(spell(right)) if operator == "&&" else _PRIMITIVE


def _unary(node: Node, _spell: Spell) -> str:
    """Spell what ``!a``, ``-a`` and ``typeof a`` give: a boolean, a number, a string."""
    return UNKNOWN if text(node.child_by_field_name("operator")) in ("void", "delete") else _PRIMITIVE


def _one_of(*fields: str) -> Spelling:
    """Spell a node as any of its children in some fields."""
    return lambda node, spell: _alternatives(spell(node.child_by_field_name(field)) for field in fields)


def _assigned_if(node: Node, spell: Spell) -> str:
    """Spell ``a ??= b``, ``a ||= b`` and ``a &&= b``; what other operators give is not known."""
    operator = text(node.child_by_field_name("operator")).removesuffix("=")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator in _CHOICES:
        return _alternatives((spell(left), spell(right)))
    return unless_primitive(spell(right)) if operator == "&&" else UNKNOWN


def _subscript(node: Node, spell: Spell) -> str:
    """Spell ``a[i]``: an element, a part where the number is known, a member where its name is."""
    owner, index = spell(node.child_by_field_name("object")), node.child_by_field_name("index")
    if index is None:
        return UNKNOWN
    if index.type == "string":
        name = text(index).strip("\"'")
        return then(owner, f".{name}") if name.isidentifier() else UNKNOWN
    return then(owner, f"#{text(index)}" if text(index).isdecimal() else "[]")


def _array(node: Node, spell: Spell) -> str:
    """Spell an array: of few elements each is a part of a tuple, which any element may be."""
    listed = [child for child in node.named_children if child.type != "comment"]
    elements = [_element(child, spell) for child in listed[:_MOST_ELEMENTS]]
    spread = any(child.type == "spread_element" for child in listed)
    if spread or not 1 < len(listed) <= _MOST_ELEMENTS or len(set(elements)) == 1:
        return _list_of(_alternatives([*elements, UNKNOWN] if len(listed) > len(elements) else elements))
    return object_of(applied(terms.TUPLE, [then(element, Op.Itself) for element in elements]))


def _list_of(element: str) -> str:
    """Spell an array of elements like one."""
    return object_of(applied(terms.COLLECTION, [then(element, Op.Itself)]))


def _element(node: Node, spell: Spell) -> str:
    return then(spell(_first(node)), "*") if node.type == "spread_element" else spell(node)


def _object(node: Node, spell: Spell) -> str:
    """Spell an object by what its members hold, or as what it takes the members of."""
    spread = [spell(_first(child)) for child in node.named_children if child.type == "spread_element"]
    members: list[tuple[str, str]] = []
    length = 0
    for child in node.named_children:
        shorthand = child.type == "shorthand_property_identifier"
        key, value = (child, child) if shorthand else (child.child_by_field_name(part) for part in ("key", "value"))
        if key is None or value is None or key.type not in _PLAIN_KEYS:
            continue
        term = then(unless_primitive(spell(value)), Op.Itself)
        length += len(text(key)) + len(term)
        if length > _LONGEST_MEMBERS:
            break
        members.append((text(key), term))
    record = object_of(terms.record(members, closed=False))
    if not is_declaring(node):
        return either((record, *spread))
    declared = object_of(terms.written_at(node))
    return either((declared, record if len(record) <= _LONGEST_BESIDE else UNKNOWN, *spread))


_LONGEST_BESIDE = 100
"""Characters of members that are spelled besides the place of an object or a type."""


_PLAIN_KEYS = frozenset({"property_identifier", "shorthand_property_identifier"})


def _member(node: Node, spell: Spell) -> str:
    """Spell ``a.b``; a prototype has the members of the objects."""
    owner, name = spell(node.named_children[0]), text(node.named_children[-1])
    return owner if name == "prototype" else then(owner, f".{name}")


def _non_null(node: Node, spell: Spell) -> str:
    """Spell ``a!``, which belongs to the last operand, whatever the grammar makes of it."""
    value = _first(node)
    while value is not None and value.type in ("binary_expression", "unary_expression"):
        value = value.child_by_field_name("right") or value.child_by_field_name("argument")
    return spell(value)


def _function(node: Node, spell: Spell) -> str:
    """Spell a function by what it takes and gives, as far as that does not depend on what it is given."""
    said = node.child_by_field_name("return_type")
    result = spell(said) if said is not None else documented_result(node)
    result = result if result != UNKNOWN else then(_projected(node, UNKNOWN, spell), Op.Itself)
    found = function_type(node, result, spell)
    return object_of(found) if found != terms.FUNCTION else UNKNOWN


def _last(node: Node, spell: Spell) -> str:
    return spell(node.named_children[-1]) if node.named_children else UNKNOWN


VALUES: Mapping[str, Spelling] = {
    "call_expression": _call,
    "new_expression": _created,
    "await_expression": terms.same(),
    "parenthesized_expression": _parenthesized,
    "ternary_expression": _one_of("consequence", "alternative"),
    "binary_expression": _binary,
    "unary_expression": _unary,
    **dict.fromkeys(("string", "template_string", "number", "regex", "true", "false"), terms.named(_PRIMITIVE)),
    "assignment_expression": terms.same("right"),
    "augmented_assignment_expression": _assigned_if,
    "sequence_expression": _last,
    "subscript_expression": _subscript,
    "array": _array,
    "object": _object,
    "member_expression": _member,
    **dict.fromkeys(FUNCTIONS, _function),
}
"""How values are spelled."""


# --- Types


def _with_arguments(name: str, arguments: Node | None, spell: Spell) -> str:
    """Return a type with its arguments, or what it stands for."""
    given = [spell(child) for child in arguments.named_children if child.type != "comment"] if arguments else []
    return generics.with_arguments(name, given)


def _generic(node: Node, spell: Spell) -> str:
    return _with_arguments(spell(node.child_by_field_name("name")), node.child_by_field_name("type_arguments"), spell)


def _list(node: Node, spell: Spell) -> str:
    return applied(terms.COLLECTION, [spell(_first(node))])


def _type_of_members(node: Node, spell: Spell) -> str:
    """Spell a type by its members; one of which no type is known has no elements of any."""
    members: list[tuple[str, str]] = []
    for child in node.named_children:
        if child.type == "index_signature":
            members.append((terms.ANY, spell(child.child_by_field_name("type"))))
        elif child.type == "property_signature":
            members.append((text(child.child_by_field_name("name")), spell(child.child_by_field_name("type"))))
        elif child.type == "method_signature":
            members.append((text(child.child_by_field_name("name")), function_signature(child, spell)))
    found = terms.record(members, closed=True)
    if is_alias_body(node) or not node.named_children:
        return found if found != UNKNOWN else terms.COLLECTION
    return either((terms.written_at(node), found if len(found) <= _LONGEST_BESIDE else UNKNOWN))


def _tuple(node: Node, spell: Spell) -> str:
    return applied(terms.TUPLE, [spell(child.child_by_field_name("type") or child) for child in node.named_children])


def function_signature(node: Node, spell: Spell) -> str:
    """Spell a function type, a call signature or a construct signature."""
    result = node.child_by_field_name("return_type") or node.child_by_field_name("type")
    return function_type(node, spell(result), spell)


def _indexed(node: Node, spell: Spell) -> str:
    """Spell ``T['key']`` and ``T[number]``."""
    owner, index = node.named_children[0], node.named_children[-1]
    name = text(index).strip("\"'")
    if index.type != "literal_type":
        return then(spell(owner), "[]") if name == "number" else UNKNOWN
    return then(spell(owner), f".{name}") if name.isidentifier() else UNKNOWN


def _union(node: Node, spell: Spell) -> str:
    return _alternatives(spell(child) for child in node.named_children if not _is_nothing(child))


def _intersection(node: Node, spell: Spell) -> str:
    """Spell ``A & B``, to which ``{}`` adds no member."""
    parts = [child for child in node.named_children if child.type != "object_type" or child.named_children]
    return _alternatives(spell(child) for child in parts) if parts else _union(node, spell)


def _is_nothing(node: Node) -> bool:
    """Tell whether a type is ``null`` or ``undefined``."""
    return node.type == "literal_type" and text(node) in ("null", "undefined")


def _predefined(node: Node, _spell: Spell) -> str:
    return terms.PRIMITIVE if text(node) in _PRIMITIVE_TYPES else UNKNOWN


_PRIMITIVE_TYPES = frozenset({"string", "number", "boolean", "bigint", "symbol"})
"""https://www.typescriptlang.org/docs/handbook/2/everyday-types.html#the-primitives-string-number-and-boolean."""


def _literal_type(node: Node, _spell: Spell) -> str:
    return UNKNOWN if _is_nothing(node) else terms.PRIMITIVE


def _queried(node: Node, spell: Spell) -> str:
    return then(spell(_first(node)), "^")


def _predicate(node: Node, spell: Spell) -> str:
    """Spell ``a is T`` and ``asserts a is T``: what tells of a T."""
    inner = _first(node) if node.type != "type_predicate" else node
    if inner is None or inner.type != "type_predicate":
        return spell(inner)
    return applied("is", [spell(inner.child_by_field_name("type"))])


TYPES: Mapping[str, Spelling] = {
    "type_annotation": terms.same(),
    "parenthesized_type": terms.same(),
    "readonly_type": terms.same(),
    "optional_type": terms.same(),
    "constraint": terms.same(),
    "generic_type": _generic,
    "array_type": _list,
    "tuple_type": _tuple,
    "union_type": _union,
    "intersection_type": _intersection,
    "predefined_type": _predefined,
    "literal_type": _literal_type,
    "template_literal_type": terms.named(terms.PRIMITIVE),
    "function_type": function_signature,
    "constructor_type": function_signature,
    "type_query": _queried,
    "lookup_type": _indexed,
    "object_type": _type_of_members,
    **dict.fromkeys(("type_predicate_annotation", "asserts_annotation", "asserts", "type_predicate"), _predicate),
    "conditional_type": _one_of("consequence", "alternative"),
    "as_expression": cast,
    "satisfies_expression": terms.same(),
    "type_assertion": cast,
    "non_null_expression": _non_null,
}
"""How types, and values that say their type, are spelled in TypeScript."""


FUNCTION_MEMBERS = frozenset(
    # https://tc39.es/ecma262/#sec-function-objects and #sec-properties-of-the-object-prototype-object
    "apply bind call toString length name prototype arguments caller constructor hasOwnProperty isPrototypeOf"
    " propertyIsEnumerable toLocaleString valueOf".split()
)
"""The members that every function has."""

PREDECLARED = frozenset(
    # https://tc39.es/ecma262/#sec-global-object
    "globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI"
    " encodeURIComponent AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date"
    " Error EvalError FinalizationRegistry Float32Array Float64Array Function Int8Array Int16Array Int32Array Iterator"
    " Map Number Object Promise Proxy RangeError ReferenceError RegExp Set SharedArrayBuffer String Symbol SyntaxError"
    " TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef WeakSet Atomics JSON Math"
    " Reflect Intl PropertyDescriptor arguments"
    # https://html.spec.whatwg.org/, https://nodejs.org/api/globals.html
    " AbortController AbortSignal Blob Buffer CustomEvent Document DocumentFragment Element Event EventSource"
    " EventTarget File FileList FileReader FormData HTMLElement Headers History KeyboardEvent Location MessageEvent"
    " MouseEvent MutationObserver Navigator Node NodeList PointerEvent ProgressEvent ReadableStream Request Response"
    " Storage TextDecoder TextEncoder Touch TouchEvent UIEvent URL URLSearchParams WebSocket Window Worker"
    " WritableStream XMLHttpRequest alert atob btoa cancelAnimationFrame clearImmediate clearInterval clearTimeout"
    " console crypto document fetch history localStorage location navigator performance process queueMicrotask"
    " requestAnimationFrame sessionStorage setImmediate setInterval setTimeout structuredClone window __dirname"
    " __filename".split()
)
"""What the language and its usual hosts declare."""

PROMISED = frozenset({"then", "catch", "finally"})
"""The members of a promise: https://tc39.es/ecma262/#sec-properties-of-the-promise-prototype-object."""

PRIMITIVES = frozenset(
    "BigInt Boolean Date Intl Math Number RegExp String Symbol"
    " AbortController Blob Buffer FormData Headers TextDecoder TextEncoder URL URLSearchParams"
    " isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent atob btoa".split()
)
"""What the language and its hosts declare whose objects, and what their members give, are never of the code base."""

COLLECTIONS: Mapping[str, str] = {
    **dict.fromkeys("at find findLast get pop shift".split(), "!<this[],!<?,this[]>>"),
    **dict.fromkeys("every findIndex findLastIndex forEach map flatMap some".split(), "!<?,!<?,this[]>>"),
    **dict.fromkeys("concat fill reverse slice splice toReversed toSpliced with".split(), "!<this>"),
    "filter": "!<this,!<?,this[]>>",
    **dict.fromkeys("sort toSorted".split(), "!<this,!<?,this[],this[]>>"),
    **dict.fromkeys(("reduce", "reduceRight"), "!<?,!<?,?,this[]>>"),
    **dict.fromkeys(("push", "unshift"), "!<?,this[],this[],this[],this[]>"),
    "add": "!<this,this[]>",
    "set": "!<this,?,this[]>",
    "values": "!<[]<this[]>>",
    "entries": "!<[]<()<?,this[]>>>",
}
"""The methods of arrays, sets and maps: https://tc39.es/ecma262/#sec-indexed-collections."""


# --- What conditions tell


def _tested(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``a instanceof A`` and ``typeof a === "string"`` tell of a name, a member or an element."""
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    if left is not None and left.type == "unary_expression" and text(operator) in ("===", "=="):
        yield from _typed(left, text(node.child_by_field_name("right")))
    if left is not None and left.type in _NARROWED and operator is not None and operator.type == "instanceof":
        yield text(left), object_of(spell(node.child_by_field_name("right")))


def _typed(operand: Node, type_name: str) -> Iterator[tuple[str, str]]:
    """Yield the types to which ``typeof a``, compared with the name of a type, narrows a name."""
    named = operand.child_by_field_name("argument")
    is_typeof = text(operand.child_by_field_name("operator")) == "typeof"
    if is_typeof and named is not None and named.type in _NARROWED and type_name.strip("\"'`") in _PRIMITIVE_TYPES:
        yield text(named), _PRIMITIVE


_NARROWED = frozenset({"identifier", "member_expression", "subscript_expression"})
_LEAVES = frozenset({"return_statement", "throw_statement", "continue_statement", "break_statement"})
_CONNECTED = connected({"&&": Connective.Both, "||": Connective.Either})

BRANCHES = Branches(
    decides={
        "if_statement": branched(_LEAVES),
        "while_statement": repeated,
        "ternary_expression": chosen("consequence", "alternative"),
        "binary_expression": deciding(_CONNECTED),
    },
    joins={
        "binary_expression": _CONNECTED,
        "unary_expression": negated,
        "parenthesized_expression": lambda node: (Connective.Whole, node.named_children[:1]),
    },
    tests={"binary_expression": _tested},
    gives={"assignment_expression": "left"},
)


def told(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the names of which the parts of a condition tell the type by calling a predicate."""
    if text(node.child_by_field_name("operator")) in _LOGICAL:
        yield from _predicated(node.child_by_field_name("left"), spell)
        yield from _predicated(node.child_by_field_name("right"), spell)


def told_by_condition(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the name that the condition of a node tells the type of by calling a predicate."""
    return _predicated(node.child_by_field_name("condition") or node.child_by_field_name("argument"), spell)


def _predicated(node: Node | None, spell: Spell) -> Iterator[tuple[str, str]]:
    while node is not None and node.type == "parenthesized_expression":
        node = _first(node)
    arguments = node.child_by_field_name("arguments") if node is not None and node.type == "call_expression" else None
    given = arguments.named_children if arguments is not None else ()
    if len(given) == 1 and given[0].type == "identifier":
        yield text(given[0]), then(spell(node), "#0")


def attribute(node: Node) -> Sequence[Node]:
    """Return the member of its own object that an assignment gives a value to."""
    left = node.child_by_field_name("left")
    owner = left.child_by_field_name("object") if left is not None and left.type == "member_expression" else None
    return (left,) if left is not None and owner is not None and owner.type == "this" else ()


def attribute_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield that member with the term of the value."""
    return ((left, assigned_value(node, spell)) for left in attribute(node))


def assigned_value(node: Node, spell: Spell) -> str:
    """Return the term of what an assignment gives: an object of the type that its comment says, else its value."""
    documented = documented_type(node)
    return (
        object_of(documented) if documented != UNKNOWN else unless_primitive(spell(node.child_by_field_name("right")))
    )


def given_later(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the name that an assignment gives a value to, with its term."""
    name = node.child_by_field_name("left")
    if name is not None and name.type == "identifier":
        yield text(name), unless_primitive(spell(node.child_by_field_name("right")))
