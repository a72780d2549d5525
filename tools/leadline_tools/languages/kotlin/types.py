"""Types and values of Kotlin as terms.

A *trailing lambda* stands after the arguments of a call.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.kotlin.collections import FACTORIES, PAIRED, TUPLES
from leadline_tools.languages.kotlin.outline import (
    classify_class,
    find_enumeration,
    find_parameter_type,
    find_receiver,
    find_type,
    has_token,
    is_variadic,
    list_class_parameters,
    list_name,
)
from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.terms import BARE, FUNCTION, UNKNOWN, Op, Spell, either, object_of, then
from leadline_tools.model import SymbolKind

BESIDE_VALUES = frozenset(
    "label modifiers type_parameters type_constraints variable_declaration multi_variable_declaration line_comment"
    " block_comment".split()
)
"""What stands in a loop beside the value that it goes over."""


def spell_receiver(node: Node, spell: Spell) -> str:
    """Return the type that an extension is a member of: the one before its name."""
    receiver = find_receiver(node)
    return spell(receiver) if receiver is not None else ""


def _spell_user_type(node: Node, spell: Spell) -> str:
    """Spell a type, each of whose names may have arguments."""
    term = BARE
    for child in node.named_children:
        if child.type == "identifier":
            term = then(term, f".{text(child)}") if term else text(child)
        elif child.type == "type_arguments":
            term = terms.apply_type_arguments(term, [spell(argument) for argument in child.named_children])
    return term or UNKNOWN


def _spell_projection(node: Node, spell: Spell) -> str:
    """Spell a type argument; what is projected is its bound, and ``*`` is not known."""
    return spell(find_type(node))


def _spell_function_type(node: Node, spell: Spell) -> str:
    parameters = [
        child for around in children_of_type("function_type_parameters")(node) for child in around.named_children
    ]
    parameter_types = [spell(find_type(one) if one.type == "parameter" else one) for one in parameters]
    function = terms.apply_type_arguments(FUNCTION, [spell(node.named_children[-1]), *parameter_types])
    first = node.named_children[0]
    if first.type == "function_type_parameters" or spell(first) == UNKNOWN:
        return function
    return f"{function}|{terms.apply_type_arguments(terms.RECEIVER, [spell(first)])}"


BUILT_IN = {name: name.lower() for name in "Boolean Byte Char Double Float Long Short".split()} | {"Int": "int"}
"""Types of the language, each with what other languages of the platform call it."""

BASES = {
    **dict.fromkeys("Byte Double Float Int Long Short".split(), ("Number", "Comparable", "Serializable", "Any")),
    **dict.fromkeys("Boolean Char UByte UInt ULong UShort".split(), ("Comparable", "Serializable", "Any")),
    "String": ("CharSequence", "Comparable", "Serializable", "Any"),
}
"""Types that every file sees and that have none below them, each with those above it."""

_PROJECTING = {"map": "", "mapNotNull": "", "flatMap": str(Op.Each)}
"""Those of collections that give what a function makes of each element, each with the step that follows."""

_FUNCTIONS_GIVING_RECEIVER = frozenset({"apply", "also", "takeIf", "takeUnless"})
"""Those that give the object back."""

_GIVING_THIS = frozenset({"also", "apply"})
"""Those that are called on the object of the class around, where they name none: ``fun on() = apply { }``."""

_GIVING_OWNER = frozenset({"copy", "valueOf"})
"""Those that give one like it, and a constant of the enumeration."""


_GIVING_RESULT = frozenset(
    "coroutineScope remember rememberSaveable run runBlocking supervisorScope synchronized withContext".split()
)
"""Functions from outside that give what their lambda gives, which no object is named for."""


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call, type arguments included: they are the types of the elements of an external collection."""
    with_lambda = children_of_type("annotated_lambda")(node)
    if with_lambda and find_called(node).type == "identifier" and text(find_called(node)) in _GIVING_RESULT:
        return either(_spell_last(body, spell) for body in _list_lambdas(node) if body.named_child_count == 1)
    if with_lambda and find_called(node) != node.named_children[0]:
        return spell(node.named_children[0])  # a call with arguments in parentheses too, which is one
    return _spell_called_with(node, with_lambda, spell)


def _spell_called_with(node: Node, with_lambda: Sequence[Node], spell: Spell) -> str:
    """Spell a call with its arguments, and the lambda behind these."""
    called = node.named_children[0]
    term = spell(called)
    name = text(called.named_children[-1]) if called.type == "navigation_expression" and called.named_children else ""
    owner = terms.owner(term, name) if name else UNKNOWN
    listed = children_of_type("type_arguments")(node)
    for arguments in listed:
        term = terms.apply_type_arguments(term, [spell(argument) for argument in arguments.named_children])
    if not listed and term in FACTORIES:
        term = terms.apply_type_arguments(term, _element_types(node, spell, term))
    if with_lambda and called.type == "identifier" and term in _GIVING_THIS:
        return either((f"{term}()", "this"))
    if with_lambda and name == "let":
        return _spell_projected(with_lambda[-1], owner, spell)
    if with_lambda and name in _PROJECTING:
        given = then(_spell_projected(with_lambda[-1], then(owner, Op.Each), spell), f"{_PROJECTING[name]}{Op.Itself}")
        return then(term, f"<{given}>()" if given != UNKNOWN else "()")
    if name in (_FUNCTIONS_GIVING_RECEIVER if with_lambda else _GIVING_OWNER):
        return either((then(term, "()"), object_of(owner) if name == "valueOf" else owner))
    run_on = not with_lambda and _is_run_on(node, name, spell)
    return owner if run_on else then(term if listed else apply_arguments(term, node, spell), "()")


def _is_run_on(call: Node, name: str, spell: Spell) -> bool:
    """Return whether a call runs a function that it is given, which sees an object bare: ``Builder().apply(block)``."""
    given = [one for listed in children_of_type("value_arguments")(call) for one in listed.named_children]
    value = given[0].named_children[-1] if name == "apply" and len(given) == 1 and given[0].named_children else None
    if value is None or value.type != "identifier":
        return False
    around = call.parent
    while around is not None and around.type != "function_declaration":
        around = around.parent
    listed = children_of_type("function_value_parameters")(around) if around is not None else ()
    taken = (one for each in listed for one in children_of_type("parameter")(each))
    own = next((one for one in taken if one.named_children and text(one.named_children[0]) == text(value)), None)
    return own is not None and terms.RECEIVER in spell(find_parameter_type(own))


def apply_arguments(function: str, call: Node, spell: Spell, but: int = -1) -> str:
    """Spell a function with what a call gives it ``but`` for one, the lambda after it too."""
    around = call.parent
    outer = around if around is not None and around.type == "call_expression" and find_called(around) != call else None
    inner = call.named_children[0]
    listed = children_of_type("value_arguments")(call) or (
        children_of_type("value_arguments")(inner) if inner.type == "call_expression" else ()
    )
    places: list[str] = []
    names: list[tuple[str, str]] = []
    for at, one in enumerate(one for arguments in listed for one in children_of_type("value_argument")(arguments)):
        term = _spell_argument(one.named_children[-1], spell) if at != but and one.named_children else UNKNOWN
        if name := name_of_argument(one):
            names.append((name, term))
        else:
            places.append(term)
    lambdas = children_of_type("annotated_lambda")(call) or (
        children_of_type("annotated_lambda")(outer) if outer is not None else ()
    )
    if but != terms.LAST and not names:  # else nothing tells its place
        places += (_spell_lambda(one, spell) for one in lambdas)
    return terms.call_with(function, places, named=names)


def _spell_argument(value: Node, spell: Spell) -> str:
    """Spell what a call gives: ``User::class`` is the type itself."""
    owner, *members = value.named_children if value.type == "navigation_expression" else (value,)
    literal = [text(one) for one in members] == ["class"] and has_token(value, "::") and text(owner)[:1].isupper()
    return spell(owner if literal else value)


def name_of_argument(argument: Node) -> str:
    """Return the name that an argument is given with; empty for one at its place."""
    return text(list_name(argument)[0]) if has_token(argument, "=") and list_name(argument) else ""


def _spell_lambda(around: Node, spell: Spell) -> str:
    """Spell a lambda by what it gives, where that does not depend on what it takes."""
    result = then(_spell_projected(around, UNKNOWN, spell), Op.Itself)
    return object_of(terms.apply_type_arguments(FUNCTION, [result])) if result != UNKNOWN else UNKNOWN


def _spell_projected(around: Node, element: str, spell: Spell) -> str:
    """Spell what a lambda of one expression makes of an element; ``around`` is the lambda with its label."""
    for function in children_of_type("lambda_literal")(around):
        parameters = list_lambda_parameters(function)
        body = [child for child in function.named_children if child.type not in ("lambda_parameters", "line_comment")]
        if len(body) != 1 or len(parameters) > 1:
            return UNKNOWN
        names = [name for parameter in parameters for name in list_parameter_parts(parameter)]
        whole = not parameters or parameters[0].type == "variable_declaration"
        given = {text(name): element if whole else then(element, f"#{at}") for at, name in enumerate(names)}
        return terms.put(spell(body[0]), given or {"it": element})
    return UNKNOWN


def _element_types(node: Node, spell: Spell, factory: str) -> Sequence[str]:
    """Return the types of what a collection is made of: of pairs those of the keys and of the values."""
    given = [
        one.named_children[-1]
        for around in children_of_type("value_arguments")(node)
        for one in children_of_type("value_argument")(around)
    ]
    if factory in TUPLES:
        return [then(spell(one), Op.Itself) for one in given]
    if factory not in PAIRED:
        return [either(then(spell(one), Op.Itself) for one in given)]
    pairs = [one.named_children for one in given if one.type == "infix_expression" and one.named_child_count > 2]
    return [either(then(spell(pair[at]), Op.Itself) for pair in pairs) for at in (0, -1)]


def _spell_this(node: Node, _spell: Spell) -> str:
    """Spell ``this``; with a label it is an object of the class around that is called so."""
    return object_of(text(list_name(node)[0])) if list_name(node) else "this"


def _spell_super(node: Node, spell: Spell) -> str:
    """Spell ``super``; it may name the type that is meant."""
    return object_of(spell(node.named_children[0])) if node.named_children else "super"


def _spell_cast(node: Node, spell: Spell) -> str:
    return object_of(spell(node.child_by_field_name("right")))


def _spell_binary(node: Node, spell: Spell) -> str:
    """Spell ``a ?: b``, and what the functions give that other operators call."""
    sign = text(node.child_by_field_name("operator"))
    if sign != "?:":
        return (
            then(spell(node.child_by_field_name("left")), f".{BINARY_OPERATORS[sign]}()")
            if sign in BINARY_OPERATORS
            else UNKNOWN
        )
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _spell_unary(node: Node, spell: Spell) -> str:
    """Spell ``a!!``, and the ``a`` of ``!a.b``, to which the grammar binds the sign closer than the member."""
    around, sign = node.parent, text(node.child_by_field_name("operator"))
    inside = around is not None and around.type in POSTFIX_EXPRESSIONS and around.start_byte == node.start_byte
    return spell(node.child_by_field_name("argument")) if sign == "!!" or inside else UNKNOWN


POSTFIX_EXPRESSIONS = frozenset({"call_expression", "index_expression", "navigation_expression"})


def _spell_infix(node: Node, spell: Spell) -> str:
    """Spell ``a to b`` as a pair; of another function between what it takes what it gives."""
    parts = node.named_children
    if len(parts) != len(("a", "to", "b")):
        return UNKNOWN
    if text(parts[1]) != "to":
        return then(spell(parts[0]), f".{text(parts[1])}()")
    return object_of(
        terms.apply_type_arguments("Pair", [then(spell(part), Op.Itself) for part in (parts[0], parts[2])])
    )


def _spell_if(node: Node, spell: Spell) -> str:
    """Spell a condition with its branches as any of them."""
    condition = node.child_by_field_name("condition")
    return either(_spell_last(child, spell) for child in node.named_children if child != condition)


def _spell_when(node: Node, spell: Spell) -> str:
    return either(
        _spell_last(entry.named_children[-1], spell)
        for entry in children_of_type("when_entry")(node)
        if entry.named_children
    )


def _spell_try(node: Node, spell: Spell) -> str:
    """Spell ``try`` as what its block or one that catches gives."""
    blocks = [
        *children_of_type("block")(node),
        *(inner for caught in children_of_type("catch_block")(node) for inner in children_of_type("block")(caught)),
    ]
    return either(_spell_last(block, spell) for block in blocks)


def _spell_last(node: Node, spell: Spell) -> str:
    """Spell the value of a block, which is its last one, or of what is none."""
    if node.type in ("block", "lambda_literal"):
        return spell(node.named_children[-1]) if node.named_children else UNKNOWN
    return spell(node)


def _spell_object(node: Node, spell: Spell) -> str:
    return either(object_of(base) for base in spell_bases(node, spell))


def spell_declared_value(node: Node, spell: Spell) -> str:
    """Spell what a declaration gives its variables: after ``=``, ``by lazy`` or ``get() =``; in a loop an element."""
    if node.type == "for_statement":
        return then(spell(next((c for c in node.named_children if c.type not in BESIDE_VALUES), None)), "*")
    if node.type == "when_subject":
        return spell(node.named_children[-1])
    equals = False
    for child in node.children:
        if equals and child.is_named:
            return spell(child)
        equals = equals or child.type == "="
        if child.type == "property_delegate":
            return _spell_delegated(child, spell)
        if child.type == "getter":
            return either(spell(body.named_children[0]) for body in _list_expression_bodies(child))
    return UNKNOWN


def _spell_delegated(node: Node, spell: Spell) -> str:
    """Spell what a property has that is delegated to a value: of ``lazy`` what its lambda gives, else what that holds.

    https://kotlinlang.org/docs/delegated-properties.html
    """
    value = node.named_children[0] if node.named_children else None
    if value is None:
        return UNKNOWN
    if value.type == "call_expression" and text(value.named_children[0]) == "lazy":
        return either(_spell_last(body, spell) for body in _list_lambdas(value))
    term = spell(value)
    return either((then(term, ".getValue()"), then(term, ".value")))


def _list_lambdas(call: Node) -> Sequence[Node]:
    """Return the lambda after the arguments of a call."""
    lasts = children_of_type("annotated_lambda")(call)
    return [body for last in lasts for body in children_of_type("lambda_literal")(last)]


def _list_expression_bodies(node: Node) -> Sequence[Node]:
    """Return the body of a function where it is an expression."""
    return [
        b for b in children_of_type("function_body")(node) if b.named_children and b.named_children[0].type != "block"
    ]


def bind_result(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a function whose body is an expression the value of that."""
    for name in node.children_by_field_name("name"):
        yield name, either(spell(body.named_children[0]) for body in _list_expression_bodies(node))


def bind_variadic(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variadic parameter an array of what is declared."""
    if is_variadic(node):
        array = object_of(terms.apply_type_arguments("Array", [spell(find_type(node))]))
        yield from ((name, array) for name in list_name(node))


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that a class inherits from or delegates to; an enumeration inherits from ``Enum`` besides.

    https://kotlinlang.org/spec/declarations.html#enum-class-declaration
    """
    if node.type == "class_declaration" and classify_class(node) is SymbolKind.Enum:
        yield "Enum"
    for around in children_of_type("delegation_specifiers")(node):
        for specifier in around.named_children:
            inner = specifier.named_children[0] if specifier.named_children else None
            if inner is not None and inner.type in ("constructor_invocation", "explicit_delegation"):
                inner = find_type(inner)
            yield spell(inner)


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a function takes."""
    parameters = [
        child
        for around in children_of_type("function_value_parameters")(node)
        for child in children_of_type("parameter")(around)
    ]
    return terms.apply_type_arguments(FUNCTION, [UNKNOWN, *(_spell_taken(one, spell) for one in parameters)])


def _spell_taken(parameter: Node, spell: Spell) -> str:
    """Spell the type of a parameter; what takes a class literal, ``User::class``, takes the type itself."""
    kind = find_parameter_type(parameter)
    listed = children_of_type("type_arguments")(kind) if kind is not None else ()
    if kind is None or text(kind.named_children[0]) != "KClass" or not listed or not listed[0].named_children:
        return spell(kind)
    return then(spell(listed[0].named_children[0]), Op.Itself)


def spell_constructor_parameters(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what the head of a class does."""
    parameters = [one for around in list_class_parameters(node) for one in children_of_type("class_parameter")(around)]
    return terms.apply_type_arguments(FUNCTION, [UNKNOWN, *(spell(find_parameter_type(one)) for one in parameters)])


def list_lambda_parameters(node: Node) -> Sequence[Node]:
    """Return the parameters that a lambda declares."""
    return [child for around in children_of_type("lambda_parameters")(node) for child in around.named_children]


def list_parameter_parts(parameter: Node) -> Sequence[Node]:
    """Return the names of a parameter, which may be taken apart."""
    declarations = (
        [parameter] if parameter.type == "variable_declaration" else children_of_type("variable_declaration")(parameter)
    )
    return [name for declaration in declarations for name in list_name(declaration)]


def find_called(call: Node) -> Node:
    """Return what is called with a lambda after its arguments."""
    called = call.named_children[0]
    return (
        called.named_children[0]
        if called.type == "call_expression" and children_of_type("value_arguments")(called)
        else called
    )


def bind_type_parameter(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it extends."""
    yield from ((name, object_of(spell(find_type(node)))) for name in list_name(node))


def spell_constant_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the enumeration of a constant with a body, which is a type of its own."""
    if children_of_type("class_body")(node):
        yield spell(find_enumeration(node))


def _spell_number(node: Node, _spell: Spell) -> str:
    """Spell a number by its sign and suffix.

    One without a suffix is an ``Int`` where nothing else is declared, unless that cannot hold it.
    https://kotlinlang.org/spec/expressions.html#integer-literals
    """
    number = text(node).replace("_", "").lower()
    digits = number.rstrip("ul")
    base = _RADIXES.get(digits[:2], 10)
    if node.type == "float_literal" or (base == 10 and not digits.isdecimal()):
        return object_of("Float" if number.endswith("f") else "Double")
    sign, bits = ("U", _UNSIGNED_BITS) if "u" in number[len(digits) :] else ("", _SIGNED_BITS)
    is_long = number.endswith("l") or int(digits, base) >> bits
    return object_of(f"{sign}{'Long' if is_long else 'Int'}")


_RADIXES = {"0b": 2, "0x": 16}
_SIGNED_BITS, _UNSIGNED_BITS = 31, 32

BINARY_OPERATORS = {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "div",
    "%": "rem",
    "..": "rangeTo",
    "..<": "rangeUntil",
}

TERMS = {
    "as_expression": _spell_cast,
    "binary_expression": _spell_binary,
    "call_expression": _spell_call,
    "character_literal": terms.spell_always(object_of("Char")),
    "float_literal": _spell_number,
    "function_type": _spell_function_type,
    "if_expression": _spell_if,
    "infix_expression": _spell_infix,
    "index_expression": terms.spell_step("", "[]"),
    "multiline_string_literal": terms.spell_always(object_of("String")),
    "nullable_type": terms.same(),
    "number_literal": _spell_number,
    "object_literal": _spell_object,
    "parenthesized_expression": terms.same(),
    "parenthesized_type": terms.same(),
    "string_literal": terms.spell_always(object_of("String")),
    "super_expression": _spell_super,
    "this_expression": _spell_this,
    "try_expression": _spell_try,
    "type_projection": _spell_projection,
    "unary_expression": _spell_unary,
    "user_type": _spell_user_type,
    "when_expression": _spell_when,
}
