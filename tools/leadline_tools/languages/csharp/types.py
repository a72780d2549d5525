"""Types and values of C# as terms, and the type that the place of a value expects.

A value without a type of its own, as a lambda, ``new()`` or ``out var``, has the type that its place *expects*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.csharp.outline import find_declared_type
from leadline_tools.languages.joined_types import join, join_of
from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.terms import (
    COLLECTION,
    FUNCTION,
    TUPLE,
    UNKNOWN,
    Op,
    Spell,
    Spelling,
    either,
    object_of,
    then,
)


def find_condition(node: Node) -> Node | None:
    """Return what stands before the question mark to which a node belongs."""
    around = node.parent
    while around is not None and around.type != "conditional_access_expression":
        around = around.parent
    return around.child_by_field_name("condition") if around is not None else None


def bind_range(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a query an element of what it ranges over."""
    name = node.child_by_field_name("name") or node.named_children[0]
    source = next((child for child in node.named_children if child.start_byte > name.end_byte), None)
    yield name, then(spell(source), "*")


def _spell_query(node: Node, spell: Spell) -> str:
    """Spell a query that ends in ``select``: a collection of what that gives for what the query ranges over."""
    *clauses, last = [child for child in node.named_children if child.type != "comment"]
    given: dict[str, str] = {}
    for clause in clauses:
        if clause.type in ("from_clause", "join_clause"):
            ((name, term),) = bind_range(clause, spell)
        elif clause.type == "let_clause":
            ((name, term),) = bind_let(clause, spell)
        elif clause.type in ("where_clause", "order_by_clause"):
            continue
        else:
            return UNKNOWN
        given[text(name)] = terms.put(term, given)
    if last.type != "select_clause":
        return UNKNOWN
    selected = terms.put(spell(last.named_children[-1]), given)
    return (
        object_of(terms.apply_type_arguments(COLLECTION, [then(selected, Op.Itself)]))
        if selected != UNKNOWN
        else UNKNOWN
    )


def bind_let(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a ``let`` clause its value."""
    name, *values = node.named_children
    yield name, spell(values[-1] if values else None)


def _spell_generic_type(node: Node, spell: Spell) -> str:
    """Spell a type with arguments; a delegate of the library as the function that it is."""
    arguments = next((child for child in node.named_children if child.type == "type_argument_list"), None)
    spelled = [spell(argument) for argument in arguments.named_children] if arguments is not None else []
    name = text(node.named_children[0])
    if name == "Func" and spelled:
        return terms.apply_type_arguments(FUNCTION, [spelled[-1], *spelled[:-1]])
    if name in ("Action", "Predicate"):
        return terms.apply_type_arguments(FUNCTION, [UNKNOWN, *spelled])
    if name == "EventHandler" and spelled:
        return terms.apply_type_arguments(FUNCTION, [UNKNOWN, "object", *spelled])
    return terms.apply_type_arguments(name, spelled)


def _spell_implicit_array(node: Node, spell: Spell) -> str:
    """Spell ``new[] { a, b }``: an array of what its elements are."""
    listed = next((child for child in node.named_children if child.type == "initializer_expression"), None)
    elements = [then(spell(one), Op.Itself) for one in listed.named_children] if listed is not None else []
    known = UNKNOWN not in elements
    return object_of(terms.apply_type_arguments(COLLECTION, [terms.either(elements)])) if known else UNKNOWN


def _spell_qualified_name(node: Node, spell: Spell) -> str:
    owner = node.child_by_field_name("qualifier")
    return then(spell(owner), f".{spell(node.child_by_field_name('name'))}")


def _spell_member(node: Node, spell: Spell) -> str:
    return then(spell(node.child_by_field_name("expression")), f".{_simple_name(node.child_by_field_name('name'))}")


def _spell_conditional_member(node: Node, spell: Spell) -> str:
    return then(spell(find_condition(node)), f".{_simple_name(node.child_by_field_name('name'))}")


def _spell_number(node: Node, _spell: Spell) -> str:
    """Spell a number as an object of the type of its suffix, else as one of ``int`` or ``double``.

    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/lexical-structure#6453-integer-literals
    """
    spelled = text(node).lower()
    if node.type == "real_literal":
        return object_of(_REALS.get(spelled[-1:], "double"))
    suffix = spelled[len(spelled.rstrip("ul")) :]
    return object_of(_INTEGERS[suffix]) if suffix in _INTEGERS else UNKNOWN


_REALS = {"f": "float", "m": "decimal"}
_INTEGERS = {"": "int", "u": "uint", "l": "long", "ul": "ulong", "lu": "ulong"}


def _simple_name(name: Node | None) -> str:
    """Return a name without type arguments."""
    return text(name.named_children[0] if name is not None and name.type == "generic_name" else name)


def _spell_call(node: Node, spell: Spell) -> str:
    function = node.child_by_field_name("function")
    if function is None or text(function) == "nameof":
        return UNKNOWN
    if function.type == "generic_name":
        return then(spell(function), "()")
    name = _simple_name(function.child_by_field_name("name"))
    if name in _AWAITED:
        return spell(function.child_by_field_name("expression"))
    owner = function.child_by_field_name("expression")
    if owner is not None and owner.type == "typeof_expression" and name in _REFLECTING:
        return object_of(_REFLECTING[name])
    term, given = spell(function), _list_arguments(node)
    if name in _PROJECTING and len(given) == 1:
        element = then(terms.owner(term, name), Op.Each)
        made = then(_spell_projected(given[0].named_children[-1], element, spell), f"{_PROJECTING[name]}{Op.Itself}")
        return then(term, f"<{made}>()" if made != UNKNOWN else "()")
    return then(_apply_arguments(term, node, spell), "()")


def _apply_arguments(term: str, call: Node, spell: Spell, but: int = -1) -> str:
    """Spell a function with the type arguments of a call, else with its arguments ``but`` for one."""
    function = call.child_by_field_name("function")
    name = function.child_by_field_name("name") if function is not None else None
    if name is not None and name.type == "generic_name":
        listed = [one for child in name.named_children if child.type == _TYPE_ARGUMENTS for one in child.named_children]
        return terms.apply_type_arguments(term, [spell(one) for one in listed])
    given = [
        (_name_of_argument(one), spell(one.named_children[-1]) if at != but else UNKNOWN)
        for at, one in enumerate(_list_arguments(call))
    ]
    return terms.call_with(
        term, (value for name, value in given if not name), named=((name, value) for name, value in given if name)
    )


_TYPE_ARGUMENTS = "type_argument_list"


def _list_arguments(call: Node) -> Sequence[Node]:
    """Return what a call is given."""
    listed = call.child_by_field_name("arguments")
    given = listed.named_children if listed is not None else []
    return [child for child in given if child.type == "argument" and child.named_children]


def _name_of_argument(argument: Node) -> str:
    """Return the name that an argument is given with; empty for one at its place."""
    name = argument.child_by_field_name("name")
    return text(name) if name is not None else ""


def _spell_lambda(node: Node, spell: Spell) -> str:
    """Spell a lambda by what it gives, where that does not depend on what it takes."""
    result = then(_spell_projected(node, UNKNOWN, spell), Op.Itself)
    return object_of(terms.apply_type_arguments(FUNCTION, [result])) if result != UNKNOWN else UNKNOWN


def _spell_projected(function: Node, element: str, spell: Spell) -> str:
    """Spell what a lambda of one expression makes of an element."""
    if function.type != "lambda_expression":
        return UNKNOWN
    parameters, body = function.child_by_field_name("parameters"), function.child_by_field_name("body")
    if parameters is None or body is None or body.type == "block":
        return UNKNOWN
    names = [text(parameters)]
    if parameters.type == "parameter_list":
        names = [text(child.child_by_field_name("name")) for child in parameters.named_children]
    return terms.put(spell(body), dict(zip_longest(names, [element][: len(names)], fillvalue=UNKNOWN)))


def _spell_array_type(node: Node, spell: Spell) -> str:
    return terms.apply_type_arguments(COLLECTION, [spell(node.child_by_field_name("type"))])


def _spell_tuple_type(node: Node, spell: Spell) -> str:
    """Spell a tuple by its parts; one whose elements have names as a type that has them as members."""
    return terms.written_at(node) if has_named_elements(node) else _spell_parts(node, spell)


def _spell_parts(node: Node, spell: Spell) -> str:
    kinds = (child.child_by_field_name("type") for child in node.named_children)
    return terms.apply_type_arguments(TUPLE, [spell(kind) for kind in kinds])


def has_named_elements(node: Node) -> bool:
    """Return whether a tuple type gives an element a name."""
    return any(child.child_by_field_name("name") is not None for child in node.named_children)


def spell_tuple_bases(node: Node, spell: Spell) -> Iterable[str] | None:
    """Spell what a tuple with names is besides: a tuple with parts."""
    return (_spell_parts(node, spell),) if has_named_elements(node) else None


def _spell_element(node: Node, spell: Spell) -> str:
    """Spell ``a[b]`` and ``a?[b]``: an element of a collection, or what an indexer gives."""
    return then(spell(node.child_by_field_name("expression") or find_condition(node)), Op.Item)


def _spell_object(field: str) -> Spelling:
    """Return how a node is spelled that is an object of the type in a field."""
    return lambda node, spell: object_of(spell(node.child_by_field_name(field)))


def _spell_binary(node: Node, spell: Spell) -> str:
    """Spell ``a ?? b``; the results of other operators are not known."""
    if text(node.child_by_field_name("operator")) != "??":
        return UNKNOWN
    return join(spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right")))


def _spell_switch(node: Node, spell: Spell) -> str:
    """Spell a switch as what its arms give."""
    arms = (child.named_children for child in node.named_children if child.type == "switch_expression_arm")
    return either(_spell_arm(arm[0], arm[-1], spell) for arm in arms if arm[-1].type != "throw_expression")


def _spell_arm(pattern: Node, value: Node, spell: Spell) -> str:
    """Spell the value of an arm; a name that its pattern declares is visible there only."""
    name = pattern.child_by_field_name("name")
    return object_of(spell(pattern.child_by_field_name("type"))) if text(name) == text(value) else spell(value)


def spell_target_type(node: Node, spell: Spell) -> str:
    """Spell ``new()``: an object of the type that is expected where it stands."""
    around = node.parent
    while around is not None and around.type in _PASSING_TYPE_ON:
        around = around.parent
    match around:
        case Node(type="assignment_expression"):
            return spell(around.child_by_field_name("left"))
        case Node(type="argument"):
            call, at = around.parent.parent if around.parent is not None else None, argument_index(around)
            called = call is not None and at is not None and call.type == "invocation_expression"
            function = call.child_by_field_name("function") if call is not None else None
            return then(spell(function), terms.taken_at(at or 0, _name_of_argument(around))) if called else UNKNOWN
        case Node(type="variable_declarator", parent=Node() as declaration):
            return object_of(spell(find_declared_type(declaration)))
        case Node(type="return_statement" | "arrow_expression_clause"):
            return object_of(spell(_find_result_type(around)))
        case _:
            is_property = around is not None and around.type == "property_declaration"
            return object_of(spell(find_declared_type(around) if around is not None and is_property else None))


_PASSING_TYPE_ON = frozenset({"conditional_expression", "parenthesized_expression", "equals_value_clause"})
"""What has the type that is expected where it stands, as its parts have."""


def _find_result_type(inside: Node) -> Node | None:
    """Return the type of the function or property around a node; None inside a lambda."""
    around = inside.parent
    while around is not None and around.type not in _WITH_RESULT:
        if around.type in ("lambda_expression", "anonymous_method_expression"):
            return None
        around = around.parent
    if around is None:
        return None
    return around.child_by_field_name("returns") or around.child_by_field_name("type")


_WITH_RESULT = frozenset(
    {
        "method_declaration",
        "local_function_statement",
        "property_declaration",
        "indexer_declaration",
        "operator_declaration",
        "conversion_operator_declaration",
    }
)


def _spell_parenthesized(node: Node, spell: Spell) -> str:
    return spell(next((child for child in node.children[1:] if child.type != "comment"), None))


def spell_matched(node: Node, spell: Spell) -> str:
    """Spell what a pattern matches."""
    kind, around = node.child_by_field_name("type"), node.parent
    while around is not None and around.type in ("negated_pattern", "parenthesized_pattern"):
        around = around.parent  # what matches the same value: ``if (find() is not { } item) return;`` leaves it that
    if kind is not None or around is None:
        return object_of(spell(kind))
    match around.type:
        case "is_pattern_expression":
            return spell(around.child_by_field_name("expression"))
        case "switch_section" if around.parent is not None and around.parent.parent is not None:
            return spell(around.parent.parent.child_by_field_name("value"))
        case "switch_expression_arm" if around.parent is not None:
            return spell(around.parent.named_children[0])
        case "subpattern" if around.parent is not None and around.parent.parent is not None:
            steps = _spell_property(around)
            return then(spell_matched(around.parent.parent, spell), steps) if steps else UNKNOWN
        case _:
            return UNKNOWN


def spell_matched_by_var(node: Node, spell: Spell) -> str:
    """Spell what a ``var`` pattern matches: what stands where it stands."""
    around = node.parent
    steps = _spell_property(around) if around is not None and around.type == "subpattern" else ""
    if around is not None and steps:
        holder = around.parent.parent if around.parent is not None else None
        return then(spell_matched(holder, spell), steps) if holder is not None else UNKNOWN
    return spell_matched(node, spell) if node.type == "recursive_pattern" else UNKNOWN


def _spell_property(part: Node) -> str:
    """Spell the steps to what a part of a pattern looks at, ``A: `` or ``A.B: ``; nothing for a part by its place.

    https://learn.microsoft.com/dotnet/csharp/language-reference/operators/patterns#property-pattern
    """
    name = part.named_children[0]
    named = name.type in ("identifier", "member_access_expression") and part.named_child_count > 1
    return f".{''.join(text(name).split())}" if named else ""


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that a type inherits from."""
    listed = next((child for child in node.named_children if child.type == "base_list"), None)
    for base in listed.named_children if listed is not None else ():
        if base.type == "primary_constructor_base_type":
            yield spell(base.child_by_field_name("type"))
        elif base.type != "argument_list":
            yield spell(base)


def spell_delegate_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a delegate is: a function."""
    parameters = node.child_by_field_name("parameters")
    parameter_types = (
        [spell(child.child_by_field_name("type")) for child in parameters.named_children] if parameters else []
    )
    yield terms.apply_type_arguments(FUNCTION, [spell(node.child_by_field_name("type")), *parameter_types])


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a function takes."""
    parameters = node.child_by_field_name("parameters")
    parameter_types = (
        [spell(child.child_by_field_name("type")) for child in parameters.named_children] if parameters else []
    )
    return terms.apply_type_arguments(FUNCTION, [UNKNOWN, *parameter_types])


def spell_extended_type(node: Node, spell: Spell) -> str:
    """Return the type that an extension method is called on: that of a parameter which says ``this``."""
    parameters = node.child_by_field_name("parameters")
    first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    extends = first is not None and any(c.type == "modifier" and text(c) == "this" for c in first.named_children)
    return spell(first.child_by_field_name("type")) if first is not None and extends else ""


def spell_expected(node: Node, spell: Spell) -> str:
    """Spell the function that is expected where a lambda stands."""
    around = node.parent
    if around is None:
        return UNKNOWN
    match around.type:
        case "argument" if around.parent is not None and around.parent.parent is not None:
            call, at = around.parent.parent, argument_index(around)
            if call.type == "object_creation_expression" or at is None:
                return UNKNOWN
            function = _apply_arguments(spell(call.child_by_field_name("function")), call, spell, at)
            return then(function, terms.taken_at(at, _name_of_argument(around)))
        case "variable_declarator" if around.parent is not None:
            return object_of(spell(find_declared_type(around.parent)))
        case "assignment_expression":
            return spell(around.child_by_field_name("left"))
        case _:
            return UNKNOWN


def spell_expected_part(argument: Node | None, spell: Spell) -> str:
    """Spell the part that an element of a tuple takes, which stands where something is taken apart."""
    parts = argument.parent if argument is not None else None
    around = parts.parent if parts is not None else None
    at = argument_index(argument) if argument is not None else None
    if around is None or at is None:
        return UNKNOWN
    match around.type:
        case "assignment_expression":
            whole = spell(around.child_by_field_name("right"))
        case "foreach_statement":
            whole = then(spell(around.child_by_field_name("right")), "*")
        case "argument":
            whole = spell_expected_part(around, spell)
        case _:
            return UNKNOWN
    return then(whole, f"#{at}")


_AWAITED = frozenset({"ConfigureAwait", "GetAwaiter", "GetResult"})
"""Calls on what is awaited that give it, or its result."""

REFLECTED = "typeof"
"""What stands for the types of the library that describe types and members. As a keyword, no tree declares it."""

_REFLECTING = {
    **dict.fromkeys(
        (
            "GetConstructor GetElementType GetEvent GetField GetInterface GetMethod GetNestedType GetProperty"
            " MakeArrayType MakeGenericType"
        ).split(),
        REFLECTED,
    ),
    **dict.fromkeys(
        (
            "GetConstructors GetEvents GetFields GetGenericArguments GetInterfaces GetMembers GetMethods"
            " GetNestedTypes GetProperties"
        ).split(),
        terms.apply_type_arguments(COLLECTION, [REFLECTED]),
    ),
}
"""What methods of a type give: https://learn.microsoft.com/dotnet/api/system.type#methods."""

_PROJECTING = {"Select": "", "SelectMany": str(Op.Each)}
"""Methods that give what a function makes of each element, each with the step that follows."""

TERMS: dict[str, Spelling] = {
    "alias_qualified_name": terms.same("name"),
    "array_creation_expression": _spell_object("type"),
    "implicit_array_creation_expression": _spell_implicit_array,
    "array_type": _spell_array_type,
    "as_expression": _spell_object("right"),
    "assignment_expression": terms.same("left"),
    "await_expression": terms.same(),
    "binary_expression": _spell_binary,
    "cast_expression": _spell_object("type"),
    "checked_expression": terms.same(),
    "conditional_access_expression": lambda node, spell: spell(node.named_children[-1]),
    "conditional_expression": join_of("consequence", "alternative"),
    "default_expression": _spell_object("type"),
    "element_access_expression": _spell_element,
    "element_binding_expression": _spell_element,
    "generic_name": _spell_generic_type,
    "implicit_object_creation_expression": spell_target_type,
    "interpolated_string_expression": terms.spell_always("string&"),
    "invocation_expression": _spell_call,
    "member_access_expression": _spell_member,
    "member_binding_expression": _spell_conditional_member,
    "nullable_type": terms.same("type"),
    "object_creation_expression": _spell_object("type"),
    "parenthesized_expression": _spell_parenthesized,
    "pointer_type": terms.same("type"),
    "postfix_unary_expression": terms.same(),
    "lambda_expression": _spell_lambda,
    "predefined_type": lambda node, _spell: text(node),
    "qualified_name": _spell_qualified_name,
    "query_expression": _spell_query,
    "raw_string_literal": terms.spell_always("string&"),
    "ref_expression": terms.same(),
    "ref_type": terms.same("type"),
    "scoped_type": terms.same("type"),
    "string_literal": terms.spell_always("string&"),
    "boolean_literal": terms.spell_always("bool&"),
    "character_literal": terms.spell_always("char&"),
    "integer_literal": _spell_number,
    "real_literal": _spell_number,
    "switch_expression": _spell_switch,
    "tuple_type": _spell_tuple_type,
    "typeof_expression": terms.spell_always(object_of(REFLECTED)),
    "verbatim_string_literal": terms.spell_always("string&"),
    "with_expression": terms.same(),
}
