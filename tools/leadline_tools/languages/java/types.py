"""Types and values of Java as terms: what declarations say, and what expressions give.

A *lambda* gets its parameters from the *functional interface* that its place expects. A *holder* is a type of the
library whose objects hold others. See ``languages.terms``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.java import streams
from leadline_tools.languages.java.scopes import (
    find_type_parameter,
    list_inferred_parameters,
    list_variadic_names,
    split_member,
)
from leadline_tools.languages.joined_types import join_of
from leadline_tools.languages.nodes import argument_index, text
from leadline_tools.languages.terms import COLLECTION, FUNCTION, UNKNOWN, Spell, Spelling, either, object_of, then


def find_type(node: Node) -> Node | None:
    """Return the declared type; none for ``var`` and where a variable is an array of it (``int a[]``)."""
    kind = node.child_by_field_name("type")
    if text(kind) == "var" or any(_is_array(declarator) for declarator in node.children_by_field_name("declarator")):
        return None
    return kind


def _is_array(declarator: Node) -> bool:
    return declarator.child_by_field_name("dimensions") is not None


def find_first_type(node: Node) -> Node | None:
    """Return the type that stands first in a pattern."""
    kind = next((child for child in node.named_children if child.type != "modifiers"), None)
    return None if text(kind) == "var" else kind


def bind_component(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a pattern with ``var``, which has the type of the component of the record in its place.

    https://docs.oracle.com/javase/specs/jls/se21/html/jls-14.html#jls-14.30.1
    """
    name, body = node.named_children[-1], node.parent
    record = body.parent if body is not None else None
    if body is not None and record is not None and find_first_type(node) is None:
        yield name, then(spell(record.named_children[0]), f"%{body.named_children.index(node)}")


def find_instance_type(node: Node) -> Node | None:
    """Return the type that ``instanceof`` compares with."""
    return node.child_by_field_name("right")


_STRING = terms.spell_always(object_of("String"))


def bind_declared(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of a declaration that spells no type for them, with their values."""
    kind = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator") or [node]:
        name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
        if name is None:
            continue
        if text(kind) == "var":
            yield name, spell(value)
        elif kind is not None:
            yield name, object_of(_apply_dimensions(spell(kind), declarator))


def bind_each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a loop an element of what is looped over."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, then(spell(node.child_by_field_name("value")), "*")


def bind_caught(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a ``catch`` an object of any of its types."""
    name = node.child_by_field_name("name")
    types = next((child for child in node.named_children if child.type == "catch_type"), None)
    if name is not None and types is not None:
        yield name, either(object_of(spell(one)) for one in types.named_children)


def bind_variadic(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter that takes any number of arguments an array of them."""
    kind = next((child for child in node.named_children if child.type != "modifiers"), None)
    yield from (
        (name, object_of(terms.apply_type_arguments(COLLECTION, [spell(kind)]))) for name in list_variadic_names(node)
    )


def bind_type_parameter(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it extends; an object of a type is at least an Object."""
    bounds = next((child.named_children for child in node.named_children if child.type == "type_bound"), ())
    around = node.parent.parent if node.parent is not None else None
    spelled = [spell(bound) for bound in bounds]
    if not bounds and around is not None and around.type != "method_declaration":
        spelled = ["Object"]
    yield from ((name, either(map(object_of, spelled))) for name in find_type_parameter(node))


def _apply_dimensions(element: str, node: Node | None) -> str:
    """Return the type of an array whose dimensions ``node`` spells."""
    for child in node.children_by_field_name("dimensions") if node is not None else ():
        for _ in range(1 if child.type == "dimensions_expr" else text(child).count("[")):
            element = terms.apply_type_arguments(COLLECTION, [element])
    return element


def _spell_array_type(node: Node, spell: Spell) -> str:
    return _apply_dimensions(spell(node.child_by_field_name("element")), node)


def _spell_new_array(node: Node, spell: Spell) -> str:
    return object_of(_apply_dimensions(spell(node.child_by_field_name("type")), node))


def _spell_generic(node: Node, spell: Spell) -> str:
    """Spell a type with arguments; a wildcard stands for its bound, and a diamond for arguments that are not known."""
    kind, arguments = spell(node.named_children[0]), node.named_children[-1]
    named = [child for child in arguments.named_children if "comment" not in child.type]
    return (
        terms.apply_type_arguments(kind, [spell(argument) for argument in named])
        if named
        else then(kind, f"<{UNKNOWN}>")
    )


def _spell_wildcard(node: Node, spell: Spell) -> str:
    bound = node.named_children[-1] if node.named_children else None
    return UNKNOWN if bound is None or "annotation" in bound.type else spell(bound)


def _spell_scoped_type(node: Node, spell: Spell) -> str:
    owner, member = split_member(node)
    return then(spell(owner), f".{text(member)}")


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call, also of a method of the class itself."""
    return streams.spell_result(node, _spell_called(node, spell), spell)


def _spell_called(node: Node, spell: Spell) -> str:
    """Spell the method that a call means, with the types that it is given as objects: ``get(User.class)``."""
    owner, name = node.child_by_field_name("object"), text(node.child_by_field_name("name"))
    if owner is not None and any(child.type == "super" for child in node.children[1:]):
        return UNKNOWN
    listed = node.child_by_field_name("arguments")
    given = [one for one in listed.named_children if "comment" not in one.type] if listed is not None else []
    literals = [spell(one) if one.type == "class_literal" else UNKNOWN for one in given]
    return terms.call_with(name if owner is None else then(spell(owner), f".{name}"), literals)


def _spell_field(node: Node, spell: Spell) -> str:
    """Spell ``a.b``; ``A.this`` is an object of the class around."""
    owner, name = spell(node.child_by_field_name("object")), text(node.child_by_field_name("field"))
    return object_of(owner) if name == "this" else then(owner, f".{name}")


def _spell_created(node: Node, spell: Spell) -> str:
    body = next((child for child in node.named_children if child.type == "class_body"), None)
    if body is not None:
        return object_of(terms.written_at(body))
    return _spell_made(node, spell)


def _spell_made(node: Node, spell: Spell) -> str:
    """Spell an object of the type that is named after ``new``."""
    kind = spell(node.child_by_field_name("type"))
    outer = next((term for _, term in bind_inner_type(node, spell)), "")
    return object_of(then(outer, f".{kind}") if outer else kind)


def bind_inner_type(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a type that is made in an object of the type around it: ``outer.new Inner()``."""
    outer = node.named_children[0]
    kind = node.child_by_field_name("type")
    name = kind.named_children[0] if kind is not None and kind.type == "generic_type" else kind
    after = outer.next_sibling
    if name is not None and name.type == "type_identifier" and after is not None and after.type == ".":
        yield name, spell(outer)


def bind_delegated_constructor(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keyword of ``this(..)`` and ``super(..)``, with the type whose constructor runs."""
    keyword, around = node.child_by_field_name("constructor"), node.parent
    while around is not None and around.type not in _CLASSES:
        around = around.parent
    declaration = around.parent if around is not None else None
    if keyword is None or declaration is None:
        return
    if keyword.type == "this":
        yield keyword, text(declaration.child_by_field_name("name")) or UNKNOWN
    else:
        extended = declaration.child_by_field_name("superclass")
        yield keyword, spell(extended.named_children[0]) if extended is not None else "Object"


def _spell_cast(node: Node, spell: Spell) -> str:
    return either(object_of(spell(kind)) for kind in node.children_by_field_name("type"))


def _spell_class_literal(node: Node, spell: Spell) -> str:
    return object_of(terms.apply_type_arguments("Class", [spell(node.named_children[0])]))


def _spell_super(node: Node, spell: Spell) -> str:
    """Spell ``super``: an object of what the class around extends, and of nothing that it implements."""
    around = node.parent
    while around is not None and around.type not in _CLASSES:
        around = around.parent
    holder = around.parent if around is not None and around.type == "class_body" else None
    if holder is None or holder.type == "enum_constant":
        return object_of(spell(find_enumeration(holder))) if holder is not None else UNKNOWN
    if holder.type == "object_creation_expression":
        return _spell_made(holder, spell)
    extended = holder.child_by_field_name("superclass")
    return object_of(spell(extended.named_children[0]) if extended is not None else "Object")


def _spell_sum(node: Node, _spell: Spell) -> str:
    """Spell an operator: a result that has members is a string."""
    return object_of("String") if text(node.child_by_field_name("operator")) == "+" else UNKNOWN


def _spell_switch(node: Node, spell: Spell) -> str:
    """Spell a switch whose rules are values."""
    body = node.child_by_field_name("body")
    rules = [rule for rule in body.named_children if rule.type == "switch_rule"] if body is not None else []
    values = [rule.named_children[-1] for rule in rules]
    return either(spell(value.named_children[0]) for value in values if value.type == "expression_statement")


def bind_switch_labels(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the labels of a switch, which may be constants of the enumeration that it is over."""
    around = node.parent
    while around is not None and around.type != "switch_expression":
        around = around.parent
    over = around.child_by_field_name("condition") if around is not None else None
    term = spell(over)
    for label in node.named_children if term != UNKNOWN else ():
        if label.type == "identifier":
            yield label, f"{term}|"


def bind_annotation_elements(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the elements that an annotation gives values to."""
    owner = spell(node.child_by_field_name("name"))
    listed = node.child_by_field_name("arguments")
    for pair in listed.named_children if listed is not None else ():
        key = pair.child_by_field_name("key") if pair.type == "element_value_pair" else None
        if key is not None:
            yield key, owner


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a type extends, else what all types of its kind do, then what it implements."""
    extended = node.child_by_field_name("superclass")
    if extended is not None:
        yield from (spell(kind) for kind in extended.named_children)
    implicit = _IMPLICIT.get(node.type)
    if implicit is not None:
        yield terms.apply_type_arguments(
            implicit, [text(node.child_by_field_name("name"))] if implicit == "Enum" else []
        )
    for child in node.named_children:
        if child.type in ("super_interfaces", "extends_interfaces"):
            yield from (spell(kind) for listed in child.named_children for kind in listed.named_children)


_CLASSES = frozenset({"class_body", "enum_body", "interface_body"})

_IMPLICIT = {
    "enum_declaration": "Enum",
    "record_declaration": "Record",
    "annotation_type_declaration": "java.lang.annotation.Annotation",
}
"""What types of some kinds inherit from."""


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell what a method takes; with what it returns where it has no body, and a lambda may stand for it."""
    parameters = node.child_by_field_name("parameters")
    spelled = (
        [spell(find_type(child)) for child in parameters.named_children if child.type in _PARAMETER_TYPES]
        if parameters
        else []
    )
    if node.child_by_field_name("body") is not None or text(node.child_by_field_name("name")) in _OBJECT_METHODS:
        return (
            terms.apply_type_arguments(FUNCTION, [UNKNOWN, *spelled])
            if any(one != UNKNOWN for one in spelled)
            else UNKNOWN
        )
    result = spell(node.child_by_field_name("type"))
    return terms.apply_type_arguments(FUNCTION, ["void" if result == UNKNOWN else result, *spelled])


_PARAMETER_TYPES = frozenset({"formal_parameter", "spread_parameter"})

_OBJECT_METHODS = frozenset({"equals", "hashCode", "toString"})
"""Methods that every object has: an interface that declares them has none for a lambda to stand for."""


def bind_lambda_parameters(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of a lambda that spells no types what its place expects of a function."""
    names = list_inferred_parameters(node)
    expected = _spell_expected_function(node, spell) if names else UNKNOWN
    yield from ((name, then(expected, f"%{i}")) for i, name in enumerate(names))


def _spell_expected_function(node: Node, spell: Spell) -> str:
    """Spell the function that is expected where a lambda stands: an object of its type, what a method takes there."""
    value, around = node, node.parent
    while around is not None and around.type in ("parenthesized_expression", "ternary_expression"):
        value, around = around, around.parent
    if around is not None and around.type == "argument_list":
        return _spell_expected_argument(value, around, spell)
    declared: Node | None = None
    match around:
        case Node(type="variable_declarator", parent=Node() as declaration):
            declared = find_type(declaration)
        case Node(type="cast_expression"):
            declared = around.child_by_field_name("type")
        case Node(type="return_statement") | Node(type="lambda_expression"):
            function = _find_function(around)
            if function is not None and function.type == "lambda_expression":
                expected = _spell_expected_function(function, spell)
                return then(expected, "()") if expected != UNKNOWN else UNKNOWN
            declared = function.child_by_field_name("type") if function is not None else None
        case Node(type="assignment_expression"):
            return spell(around.child_by_field_name("left"))
        case _:
            pass
    return object_of(spell(declared))


def _spell_expected_argument(value: Node, arguments: Node, spell: Spell) -> str:
    """Spell what a method takes in the place of one of the arguments that it is called with."""
    call, at = arguments.parent, argument_index(value)
    if call is None or call.type != "method_invocation" or at is None:
        return UNKNOWN
    if text(call.child_by_field_name("name")).startswith("thenComparing"):
        compared = _find_compared(call)
        return object_of(terms.apply_type_arguments(FUNCTION, [UNKNOWN, spell(compared)])) if compared else UNKNOWN
    return then(_spell_called(call, spell), f"%{at}")


def _find_compared(call: Node) -> Node | None:
    """Return the type whose objects a comparator compares that begins with ``comparing(Type::key)``.

    https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Comparator.html
    """
    around: Node | None = call
    while around is not None and around.type == "method_invocation":
        if text(around.child_by_field_name("name")).startswith("comparing"):
            break
        around = around.child_by_field_name("object")
    listed = around.child_by_field_name("arguments") if around is not None else None
    key = next(iter(listed.named_children), None) if listed is not None else None
    if key is not None and key.type == "method_reference":
        return key.named_children[0]
    taken = key.child_by_field_name("parameters") if key is not None and key.type == "lambda_expression" else None
    first = next(iter(taken.named_children), None) if taken is not None else None
    return find_type(first) if first is not None and first.type == "formal_parameter" else None


def _find_function(node: Node) -> Node | None:
    """Return the method or the lambda that gives what a statement returns, or what is its body."""
    around: Node | None = node
    while around is not None and around.type not in ("method_declaration", "lambda_expression"):
        around = around.parent
    return around


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of a declaration."""
    listed = node.child_by_field_name("type_parameters")
    return (
        [name for child in listed.named_children for name in find_type_parameter(child)] if listed is not None else ()
    )


def find_enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a constant belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def spell_constant_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the enumeration that a constant with a body inherits from."""
    if node.child_by_field_name("body") is not None:
        yield spell(find_enumeration(node))


def spell_anonymous_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what an anonymous class extends or implements."""
    around = node.parent
    if around is not None and around.type == "object_creation_expression":
        yield spell(around.child_by_field_name("type"))


TERMS: Mapping[str, Spelling] = {
    "array_access": terms.spell_step("array", "[]"),
    "array_creation_expression": _spell_new_array,
    "array_type": _spell_array_type,
    "assignment_expression": terms.same("left"),
    "binary_expression": _spell_sum,
    "cast_expression": _spell_cast,
    "class_literal": _spell_class_literal,
    "field_access": _spell_field,
    "generic_type": _spell_generic,
    "annotated_type": lambda node, spell: spell(node.named_children[-1]),
    "method_invocation": _spell_call,
    "object_creation_expression": _spell_created,
    "parenthesized_expression": terms.same(),
    "scoped_type_identifier": _spell_scoped_type,
    "string_literal": _STRING,
    "super": _spell_super,
    "switch_expression": _spell_switch,
    "template_expression": terms.same(),
    "ternary_expression": join_of("consequence", "alternative"),
    "wildcard": _spell_wildcard,
}
