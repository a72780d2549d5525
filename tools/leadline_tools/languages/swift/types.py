"""Types and values of Swift as terms, and the type that the place of a value expects.

The enumeration of a *case* after a bare dot, ``.some``, is the type that its place expects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.swift import closures, scopes
from leadline_tools.languages.swift.outline import (
    TYPES,
    children_of,
    find_enumeration,
    find_parameter_type,
    find_property_type,
    find_result_type,
    find_type,
    list_parameter_name,
)
from leadline_tools.languages.terms import FUNCTION, TUPLE, UNKNOWN, Op, Spell, either, object_of, then
from leadline_tools.lazy_regex import lazy_compile


def split_navigation(node: Node) -> Sequence[Node | None]:
    """Return the object and the member of ``a.b``."""
    suffix = node.child_by_field_name("suffix")
    return node.child_by_field_name("target"), suffix.child_by_field_name("suffix") if suffix is not None else None


def split_case(node: Node) -> Sequence[Node | None]:
    """Return the names after a bare dot as members of the type that is expected, as far as that is spelled."""
    if node.type in _CONDITIONALS:
        return _split_case_condition(node)
    names: list[Node | None] = [_find_case_owner(node)]
    dotted = False
    for child in node.children:
        if dotted and child.type == "simple_identifier":
            names.append(child)
        dotted = child.type == "."
    return names


_CASES_OF_OPTIONAL = frozenset({"none", "some"})
"""Cases of every value that may be missing, which precede those of its own type."""

_NAME = "simple_identifier"
_WORD = lazy_compile(r"\w+")
_CONDITIONALS = frozenset({"guard_statement", "if_statement", "while_statement"})


def _split_case_condition(node: Node) -> Sequence[Node | None]:
    """Return the name after a dot in ``case .name(..) = value`` with what has it: the value, or a type.

    Nothing has it that is known where the pattern binds a name of the value, ``case .name(let value) = value``, or
    where several conditions are such.
    """
    children = node.children
    found = [i for i, one in enumerate(children[:-1]) if one.type == "." and children[i + 1].type == _NAME]
    if len(found) != 1:
        return (None, *(children[i + 1] for i in found))
    before, name = children[found[0] - 1], children[found[0] + 1]
    if text(name) in _CASES_OF_OPTIONAL and before.type not in _TYPE_NODES:
        return (None, name)
    return (before if before.type in _TYPE_NODES else _find_matched_value(children[found[0] + 2 :]), name)


def _find_matched_value(behind: Sequence[Node]) -> Node | None:
    """Return the value that a pattern is compared with, from what stands behind its first name."""
    bound = set[str]()
    for i, child in enumerate(behind[:-1]):
        if child.type == "=":
            value = behind[i + 1]
            return value if bound.isdisjoint(_WORD.findall(text(value))) else None
        if child.type == "pattern":
            bound.update(_WORD.findall(text(child)))
    return None


CLASS = "Type"
"""The name by which terms have the type of an object; no member is called so."""


def find_member_step(node: Node) -> str:
    """Return the step from what is before a member to what has it: behind a bare dot, from an object to its type."""
    if node.type in {"navigation_expression", "user_type"}:
        return ""
    expected = _split_case_condition(node)[0] if node.type in _CONDITIONALS else _find_case_owner(node)
    if expected is None or expected.type in _TYPE_NODES:
        return ""
    around = expected.parent
    is_element = around is not None and around.type == "for_statement"
    return f"{Op.Each}.{CLASS}" if is_element else f".{CLASS}"


def _find_case_owner(node: Node) -> Node | None:
    """Return the node of the type that a name after a dot is a member of, or of the value that is of that type.

    A pattern may name the type; of what a loop tests, the collection says it, unless a name that the pattern binds
    hides that: ``for case .some(let items) in items``.
    """
    named = next((child for child in node.children if child.type == "user_type"), None)
    if node.type == "pattern" and named is not None and any(child.type == "." for child in node.children):
        return named
    loop = node.parent
    if node.type == "pattern" and loop is not None and loop.type == "for_statement":
        collection = loop.child_by_field_name("collection")
        names = {text(name) for name in scopes.list_loop_variables(loop)}
        return collection if collection is not None and _find_head(collection) not in names else None
    return _find_expected_type(node)


def _find_head(value: Node) -> str:
    """Return the name that a value begins with."""
    while value.named_children:
        value = value.named_children[0]
    return text(value)


_BODIES = frozenset({"computed_getter", "computed_property", "function_body"})
_TYPE_NODES = TYPES | {"type_identifier"}


def _find_expected_type(node: Node) -> Node | None:
    """Return the node with the type that an expression or a pattern has to be of."""
    inner, around = node, node.parent
    while around is not None and around.type in ("call_expression", "ternary_expression", "pattern", "switch_pattern"):
        if around.type == "call_expression" and around.named_children[0] != inner:
            return None
        inner, around = around, around.parent
    if around is None or around.child_by_field_name("lhs") == inner:
        return None
    if around.type == "value_argument":
        return around
    if around.type in ("function_declaration", "init_declaration"):
        return closures.find_default_type(inner)
    if around.type == "statements":
        return _find_type_of_only_statement(around)
    teller = _EXPECTED_TYPES.get(around.type)
    return teller(around) if teller is not None else None


def _find_type_of_only_statement(statements: Node) -> Node | None:
    """Return the node with the type of what a closure or a body of one expression gives, without ``return``."""
    body = statements.parent
    if body is None or statements.named_child_count != 1:
        return None
    if body.type == "lambda_literal":
        return _find_mapped_element(body)
    return _find_enclosing_result(body) if body.type in _BODIES else None


def _find_mapped_element(closure: Node) -> Node | None:
    """Return the type of the elements of an array that a closure makes, where that is declared of what it is for."""
    call = closures.find_call(closure)
    expected = _find_expected_type(call) if call is not None and closures.called_name(call) in _MAPPING else None
    return expected.child_by_field_name("name") if expected is not None and expected.type == "array_type" else None


_MAPPING = frozenset({"compactMap", "map"})


def _find_switch_value(node: Node) -> Node | None:
    return node.parent.child_by_field_name("expr") if node.parent is not None else None


def _find_enclosing_result(node: Node | None) -> Node | None:
    while node is not None and node.type not in ("function_declaration", "lambda_literal", "property_declaration"):
        node = node.parent
    if node is None or node.type == "lambda_literal":
        return None
    return find_result_type(node) if node.type == "function_declaration" else find_property_type(node)


_EXPECTED_TYPES: Mapping[str, Callable[[Node], Node | None]] = {
    "assignment": lambda node: node.child_by_field_name("target"),
    "control_transfer_statement": _find_enclosing_result,
    "equality_expression": lambda node: node.child_by_field_name("lhs"),
    "property_declaration": find_property_type,
    "switch_entry": _find_switch_value,
}
"""The node with the type that is expected inside a node, by the type of that node."""


def _spell_user_type(node: Node, spell: Spell) -> str:
    """Spell a type, each of whose names may have arguments."""
    term = ""
    for child in node.named_children:
        if child.type == "type_identifier":
            term = then(term, f".{text(child)}") if term else text(child)
        elif child.type == "type_arguments":
            term = terms.apply_type_arguments(term, [spell(argument) for argument in child.named_children])
    return term or UNKNOWN


def _spell_array_type(node: Node, spell: Spell) -> str:
    return terms.apply_type_arguments("Array", [spell(node.child_by_field_name("name"))])


def _spell_dictionary_type(node: Node, spell: Spell) -> str:
    return terms.apply_type_arguments("Dictionary", map(spell, node.children_by_field_name("name")))


def _spell_tuple_type(node: Node, spell: Spell) -> str:
    """Spell the type of a tuple, one with labels as a type that has these as members.

    One element is what stands in parentheses.
    """
    if has_labels(node):
        return terms.written_at(node)
    elements = children_of("tuple_type_item")(node)
    return spell(find_type(elements[0])) if len(elements) == 1 else _spell_parts(node, spell)


def _spell_parts(node: Node, spell: Spell) -> str:
    return terms.apply_type_arguments(TUPLE, [spell(find_type(item)) for item in children_of("tuple_type_item")(node)])


def has_labels(node: Node) -> bool:
    """Return whether the type of a tuple gives an element a label."""
    around = node.parent
    if around is not None and around.type == "function_type" and around.child_by_field_name("params") == node:
        return False
    return any(list_parameter_name(item) for item in children_of("tuple_type_item")(node))


def spell_tuple_bases(node: Node, spell: Spell) -> Iterable[str] | None:
    """Spell what a tuple with labels is besides: a tuple with parts."""
    return (_spell_parts(node, spell),) if has_labels(node) else None


def _spell_function_type(node: Node, spell: Spell) -> str:
    parameters = node.child_by_field_name("params")
    parameter_types = (
        [spell(find_type(item)) for item in children_of("tuple_type_item")(parameters)]
        if parameters is not None
        else []
    )
    return terms.apply_type_arguments(FUNCTION, [spell(node.child_by_field_name("name")), *parameter_types])


def find_argument_label(node: Node) -> Node | None:
    """Return the label of an argument."""
    label = node.child_by_field_name("name")
    return label.named_children[0] if label is not None and label.named_children else None


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call; one in brackets is an element, and one of ``init`` or of ``[Item]`` an object."""
    function = node.named_children[0]
    arguments = [
        inner for suffix in children_of("call_suffix")(node) for inner in children_of("value_arguments")(suffix)
    ]
    if any(child.type == "[" for one in arguments for child in one.children[:1]):
        return then(spell(function), "[]")
    if function.type in ("array_literal", "dictionary_literal"):
        return spell(function)
    if function.type == "simple_identifier" and text(function) == "zip":
        return _spell_zipped(arguments, spell)
    owner, name = split_navigation(function) if function.type == "navigation_expression" else (None, None)
    if text(name) == "init":
        return object_of(spell(owner))
    projected = closures.spell_projection(node, function, spell)
    if projected != UNKNOWN:
        return projected
    decoded = _spell_decoded(arguments, spell) if text(name) in _DECODING else UNKNOWN
    return either((then(spell(function), "()"), decoded))


_DECODING = frozenset({"decode", "decodeIfPresent"})
"""Methods that give an object of the type that they are given: https://developer.apple.com/documentation/swift/decoder."""


def _spell_decoded(arguments: Sequence[Node], spell: Spell) -> str:
    """Spell an object of the type that a call is given first: ``User.self``, ``[User].self``."""
    given = next((one for listed in arguments for one in children_of("value_argument")(listed)), None)
    value = given.child_by_field_name("value") if given is not None else None
    kind, name = (
        split_navigation(value) if value is not None and value.type == "navigation_expression" else (None, None)
    )
    if kind is None or text(name) != "self":
        return UNKNOWN
    return spell(kind) if kind.type in ("array_literal", "dictionary_literal") else object_of(spell(kind))


def _spell_zipped(arguments: Sequence[Node], spell: Spell) -> str:
    """Spell ``zip(a, b)``: https://developer.apple.com/documentation/swift/zip(_:_:)."""
    given = [one.child_by_field_name("value") for listed in arguments for one in children_of("value_argument")(listed)]
    pair = terms.apply_type_arguments(TUPLE, [then(spell(one), f"{Op.Each}{Op.Itself}") for one in given])
    return object_of(terms.apply_type_arguments("Array", [pair]))


def _spell_construction(node: Node, spell: Spell) -> str:
    return object_of(spell(node.child_by_field_name("constructed_type")))


def _spell_cast(node: Node, spell: Spell) -> str:
    return object_of(spell(find_type(node)))


def _spell_unwrapped(node: Node, spell: Spell) -> str:
    """Spell ``a!``."""
    return spell(node.child_by_field_name("target")) if text(node.child_by_field_name("operation")) == "!" else UNKNOWN


def _spell_navigation(node: Node, spell: Spell) -> str:
    """Spell ``a.b``, and ``a.0``, which is a part of a tuple."""
    owner, member = split_navigation(node)
    if member is None:
        return UNKNOWN
    term = spell(owner)
    found = then(term, f"{Op.Part if member.type == 'integer_literal' else Op.Member}{text(member)}")
    if text(member) != "allCases":
        return found
    return either((found, object_of(terms.apply_type_arguments("Array", [term]))))  # of a CaseIterable


def _spell_dictionary(node: Node, spell: Spell) -> str:
    pairs = [[spell(one) for one in node.children_by_field_name(field)] for field in ("key", "value")]
    return object_of(terms.apply_type_arguments("Dictionary", [then(either(one), Op.Itself) for one in pairs]))


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a function takes."""
    parameters = (spell(find_parameter_type(one)) for one in children_of("parameter")(node))
    return terms.apply_type_arguments(FUNCTION, [UNKNOWN, *parameters])


def bind_cases(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the cases of an enumeration their values: of one with associated values, a function that takes those."""
    enumeration = spell(find_enumeration(node))
    for name in list_parameter_name(node):
        held = name.next_named_sibling
        kinds = children_of(*TYPES)(held) if held is not None and held.type == "enum_type_parameters" else ()
        made = terms.apply_type_arguments(FUNCTION, [enumeration, *map(spell, kinds)]) if kinds else enumeration
        yield name, object_of(made)


def _spell_array(node: Node, spell: Spell) -> str:
    elements = either(spell(element) for element in node.children_by_field_name("element"))
    return object_of(terms.apply_type_arguments("Array", [elements]))


def _spell_tuple(node: Node, spell: Spell) -> str:
    """Spell a tuple; one element is what stands in parentheses."""
    values = [spell(value) for value in node.children_by_field_name("value")]
    labels = [text(label) for label in node.children_by_field_name("name")]
    if labels and len(labels) == len(values):
        return object_of(terms.record(zip(labels, values, strict=True), closed=True))
    return values[0] if len(values) == 1 else object_of(terms.apply_type_arguments(TUPLE, values))


def name_type(name: str) -> str:
    """Return the name of a type from outside: an extension gives any of them members.

    https://docs.swift.org/swift-book/documentation/the-swift-programming-language/extensions/
    """
    return name if name[:1].isupper() else ""


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that a type inherits from or conforms to."""
    for specifier in children_of("inheritance_specifier")(node):
        yield spell(specifier.child_by_field_name("inherits_from"))


def read_type_test(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield the type that ``name is Type`` gives a name."""
    left = node.child_by_field_name("target")
    if left is not None and left.type == "simple_identifier":
        yield text(left), object_of(spell(find_type(node)))


TERMS = {
    "array_literal": _spell_array,
    "array_type": _spell_array_type,
    "as_expression": _spell_cast,
    "await_expression": terms.same("expr"),
    "call_expression": _spell_call,
    "constructor_expression": _spell_construction,
    "dictionary_literal": _spell_dictionary,
    "dictionary_type": _spell_dictionary_type,
    "directly_assignable_expression": terms.same(),
    "existential_type": terms.same(),
    "function_type": _spell_function_type,
    "navigation_expression": _spell_navigation,
    "nil_coalescing_expression": terms.one_of("value", "if_nil"),
    "opaque_type": terms.same(),
    "optional_type": terms.same("wrapped"),
    "postfix_expression": _spell_unwrapped,
    "protocol_composition_type": terms.one_of(),
    "boolean_literal": terms.spell_always(object_of("Bool")),
    "integer_literal": terms.spell_always(object_of("Int")),
    "line_string_literal": terms.spell_always(object_of("String")),
    "multi_line_string_literal": terms.spell_always(object_of("String")),
    "raw_string_literal": terms.spell_always(object_of("String")),
    "real_literal": terms.spell_always(object_of("Double")),
    "ternary_expression": terms.one_of("if_true", "if_false"),
    "try_expression": terms.same("expr"),
    "tuple_expression": _spell_tuple,
    "tuple_type": _spell_tuple_type,
    "user_type": _spell_user_type,
    "value_argument": closures.spell_expected_argument,
}
