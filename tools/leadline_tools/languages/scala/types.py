"""Types and values of Scala as terms: what declarations say, what expressions give, what operators call.

An *infix* operation is a call of a method of one of its operands. See ``languages.terms``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.calls import ImplicitCall
from leadline_tools.languages.scala import functions
from leadline_tools.languages.scala.outline import (
    find_enumeration,
    is_named_or_alias,
    select_children,
    yield_pattern_variables,
)
from leadline_tools.languages.terms import FUNCTION, TUPLE, UNKNOWN, Op, Spell, Spelling, either, object_of, then

_NAMES = frozenset({"identifier", "identifiers"})


def spell_extended_type(node: Node, spell: Spell) -> str:
    """Return the type that a method is a member of besides: that of an extension, or of what its class is made of.

    https://docs.scala-lang.org/scala3/reference/contextual/extension-methods.html,
    https://docs.scala-lang.org/overviews/core/implicit-classes.html
    """
    around = node.parent
    if around is not None and around.type == "template_body":
        around = around.parent
    if around is None or around.type not in ("extension_definition", "class_definition"):
        return ""
    listed = around.child_by_field_name("parameters" if around.type == "extension_definition" else "class_parameters")
    if listed is None or (around.type == "class_definition" and not _is_implicit(around)):
        return ""
    first = next((one for one in listed.named_children if one.type in ("parameter", "class_parameter")), None)
    return spell(find_type(first)) if first is not None else ""


def _is_implicit(node: Node) -> bool:
    return any(
        child.type == "implicit" for modifiers in select_children("modifiers")(node) for child in modifiers.children
    )


def find_type(node: Node) -> Node | None:
    """Return the declared type of a value, a variable or a parameter."""
    return node.child_by_field_name("type")


def find_result(node: Node) -> Node | None:
    """Return the result that a function declares."""
    return node.child_by_field_name("return_type")


def _spell_generic_type(node: Node, spell: Spell) -> str:
    arguments = [
        spell(argument) for listed in select_children("type_arguments")(node) for argument in listed.named_children
    ]
    return terms.apply_type_arguments(spell(find_type(node)), arguments)


def _spell_projected_type(node: Node, spell: Spell) -> str:
    return then(spell(find_type(node)), f".{text(node.child_by_field_name('selector'))}")


def _spell_infix_type(node: Node, spell: Spell) -> str:
    """Spell ``A | B`` and ``A & B``: their members are those of either, as far as is told here."""
    if text(node.child_by_field_name("operator")) not in ("|", "&"):
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _spell_function_type(node: Node, spell: Spell) -> str:
    listed = node.child_by_field_name("parameter_types")
    parameters = [spell(one) for one in listed.named_children] if listed is not None else []
    return terms.apply_type_arguments(FUNCTION, [spell(find_result(node)), *parameters])


def _spell_repeated_type(node: Node, spell: Spell) -> str:
    return terms.apply_type_arguments("Seq", [spell(find_type(node))])


def _spell_tuple_type(node: Node, spell: Spell) -> str:
    return terms.apply_type_arguments(TUPLE, map(spell, node.named_children))


def _spell_tuple(node: Node, spell: Spell) -> str:
    return object_of(terms.apply_type_arguments(TUPLE, [then(spell(one), Op.Itself) for one in node.named_children]))


def _spell_field(node: Node, spell: Spell) -> str:
    """Spell ``a.b``; ``A.this`` is an object of the class around."""
    owner, name = spell(node.child_by_field_name("value")), text(node.child_by_field_name("field"))
    return object_of(owner) if name == "this" else then(owner, f".{name}")


def _spell_applied(node: Node, spell: Spell) -> str:
    """Spell what is given type arguments; a cast gives an object of its argument, and so does ``super[A]``.

    What has a member is what a call without arguments gives, of an object that of its method ``apply``.
    """
    function = node.child_by_field_name("function")
    arguments = [
        spell(argument) for listed in select_children("type_arguments")(node) for argument in listed.named_children
    ]
    named = function.child_by_field_name("field") if function is not None else None
    if arguments and (text(named) == "asInstanceOf" or text(function) in _GIVING_ARGUMENT):
        return object_of(arguments[0])
    around = node.parent
    if function is not None and around is not None and around.type == "field_expression":
        name = text(named if named is not None else function)
        applied = then(spell(function), f".{APPLY}") if name[:1].isupper() else spell(function)
        return then(terms.apply_type_arguments(applied, arguments), "()")
    return terms.apply_type_arguments(spell(function), arguments)


_GIVING_ARGUMENT = frozenset({"implicitly", "summon", "super"})
"""What gives an object of its type argument: https://www.scala-lang.org/api/current/scala/Predef$.html."""


def _spell_created(node: Node, spell: Spell) -> str:
    return object_of(spell(_find_created_type(node)))


def _find_created_type(node: Node) -> Node | None:
    return next((child for child in node.named_children if child.type not in ("arguments", "template_body")), None)


def _spell_match(node: Node, spell: Spell) -> str:
    """Spell a match as the value of any of its cases."""
    body = node.child_by_field_name("body")
    return (
        either(spell(case.child_by_field_name("body")) for case in select_children("case_clause")(body))
        if body
        else UNKNOWN
    )


def _spell_ascribed(node: Node, spell: Spell) -> str:
    """Spell ``a: A`` in the place of a value."""
    return object_of(spell(node.named_children[-1]))


def _spell_block(node: Node, spell: Spell) -> str:
    """Spell a block that ends in a new object; any other value may depend on what is declared in the block."""
    last = node.named_children[-1] if node.named_children else None
    return spell(last) if last is not None and last.type == "instance_expression" else UNKNOWN


def bind_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of a declaration its value."""
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        yield from _bind_pattern(pattern, spell(node.child_by_field_name("value")))


def _bind_pattern(pattern: Node, term: str) -> Iterator[tuple[Node, str]]:
    """Yield each variable of a pattern with the part of the value that it takes."""
    if pattern.type in _NAMES:
        names = pattern.named_children if pattern.type == "identifiers" else [pattern]
        yield from ((name, term) for name in names)
    elif pattern.type == "tuple_pattern":
        for i, child in enumerate(pattern.named_children):
            yield from _bind_pattern(child, then(term, f"#{i}"))


def bind_generator(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what ``p <- xs`` and ``p = x`` bind an element or the value."""
    named = node.named_children
    if len(named) > 1 and named[0].type != "guard":
        term = spell(named[1])
        yield from _bind_pattern(named[0], then(term, "*") if select_children("<-")(node) else term)


def bind_case(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of ``case name: Type`` an object of that, wherever in the pattern they stand.

    Those of ``case Type(name)`` have what the type is made with, a name alone and those of a tuple what is compared.
    """
    pattern = node.child_by_field_name("pattern")
    if pattern is not None:
        yield from functions.bind_matched(pattern, functions.spell_matched(node, spell))
    stack = [pattern] if pattern is not None else []
    while stack:
        inner = stack.pop()
        if inner.type == "typed_pattern":
            declared = object_of(spell(find_type(inner)))
            yield from ((name, declared) for name in yield_pattern_variables(inner.child_by_field_name("pattern")))
        elif inner.type == "case_class_pattern":
            made, *parts = inner.named_children
            yield from ((one, then(spell(made), f"%{i}")) for i, one in enumerate(parts) if one.type in _NAMES)
            stack.extend(parts)
        else:
            stack.extend(inner.named_children)


def spell_class_parameters(node: Node, spell: Spell) -> str:
    """Spell what objects of a case class are made with, and patterns take apart."""
    listed = node.child_by_field_name("class_parameters")
    if listed is None or not any(child.type == "case" for child in node.children):
        return UNKNOWN
    spelled = [spell(find_type(one)) for one in listed.named_children if one.type == "class_parameter"]
    known = any(one != UNKNOWN for one in spelled)
    return terms.apply_type_arguments(FUNCTION, [UNKNOWN, *spelled]) if known else UNKNOWN


def bind_self(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name that a class calls its own object an object of the class, and of the type that it has to have."""
    name, *declared = node.named_children
    yield name, either(("this", *(object_of(spell(one)) for one in declared)))


def bind_result(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a function the value of its body."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is not None and body is not None:
        yield name, spell(body)


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that a type extends."""
    for clause in node.children_by_field_name("extend"):
        yield from (spell(kind) for kind in clause.children_by_field_name("type") if kind.is_named)


def spell_given_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that a given instance is of."""
    yield from (spell(kind) for kind in node.children_by_field_name("return_type") if kind.is_named)


def spell_bases_without_name(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that a given instance without a name is of, where it declares members."""
    if not is_named_or_alias(node):
        yield from spell_given_bases(node, spell)


def spell_case_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the enumeration that a case belongs to, then the types that it extends."""
    yield spell(find_enumeration(node))
    yield from spell_bases(node, spell)


def spell_anonymous_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a class without a name extends."""
    around = node.parent
    if around is not None and around.type == "instance_expression":
        made = _find_created_type(around)
        for part in made.named_children if made is not None and made.type == "compound_type" else [made]:
            applied = part is not None and part.type == "applied_constructor_type"
            yield spell(part.named_children[0] if part is not None and applied else part)


def list_type_parameter_names(node: Node) -> Sequence[Node]:
    """Return the names of type parameters; those with a variance stand deeper."""
    parameters = [node, *select_children("covariant_type_parameter", "contravariant_type_parameter")(node)]
    names = [name for one in parameters for name in one.children_by_field_name("name")]
    return sorted(names, key=lambda name: name.start_byte)


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of a declaration."""
    return [name for listed in select_children("type_parameters")(node) for name in list_type_parameter_names(listed)]


def bind_bounds(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter its upper bound, which stands behind it."""
    name: Node | None = None
    for child in node.named_children:
        if child.type == "upper_bound" and name is not None:
            yield name, object_of(spell(find_type(child)))
        elif child.type.endswith("variant_type_parameter"):
            yield from bind_bounds(child, spell)
            name = child.child_by_field_name("name")
        elif child.type == "identifier":
            name = child


def narrow_by_instance(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``name.isInstanceOf[Type]`` tells."""
    function = node.child_by_field_name("function")
    named = function.child_by_field_name("value") if function is not None else None
    if named is None or function is None or named.type != "identifier":
        return
    if text(function.child_by_field_name("field")) == "isInstanceOf":
        yield from (
            (text(named), object_of(spell(one)))
            for a in select_children("type_arguments")(node)
            for one in a.named_children
        )


def _spell_infix(node: Node, spell: Spell) -> str:
    """Spell what an operation between two operands gives, which is a call of a method of one of them."""
    name, owner = node.child_by_field_name("operator"), _find_owner_of_operator(node)
    return then(spell(owner), f".{text(name)}()") if name is not None and name.type == "identifier" else UNKNOWN


def _find_owner_of_operator(node: Node) -> Node | None:
    """Return the operand whose method an operator is: the right one where it ends in a colon.

    https://scala-lang.org/files/archive/spec/2.13/06-expressions.html#infix-operations
    """
    return node.child_by_field_name("right" if text(node.child_by_field_name("operator")).endswith(":") else "left")


def bind_operator(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of an infix method as a member of its operand."""
    name = node.child_by_field_name("operator")
    if name is not None and name.type == "identifier":
        yield name, spell(_find_owner_of_operator(node))


def find_operator_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield an operator between two operands."""
    name = node.child_by_field_name("operator")
    if name is not None and name.type == "operator_identifier":
        yield ImplicitCall(name, text(name), spell(_find_owner_of_operator(node)))


def find_named_operator_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield an operator that is called like a method: ``a.+(b)``."""
    name = node.child_by_field_name("field")
    if name is not None and name.type == "operator_identifier":
        yield ImplicitCall(name, text(name), spell(node.child_by_field_name("value")))


def find_apply_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis behind a variable or an object, which is called like a function.

    https://scala-lang.org/files/archive/spec/2.13/06-expressions.html#function-applications
    """
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if called is not None and called.type == "identifier" and listed is not None and listed.type == "arguments":
        name = text(called)
        yield ImplicitCall(listed.children[0], APPLY, spell(called), "" if name[:1].isupper() else name)


APPLY = "apply"

TERMS: Mapping[str, Spelling] = {
    "annotated_type": terms.same(),
    "ascription_expression": _spell_ascribed,
    "block": _spell_block,
    "call_expression": terms.spell_step("function", "()"),
    "compound_type": terms.one_of(),
    "field_expression": _spell_field,
    "function_type": _spell_function_type,
    "generic_function": _spell_applied,
    "generic_type": _spell_generic_type,
    "if_expression": terms.one_of("consequence", "alternative"),
    "indented_block": _spell_block,
    "infix_expression": _spell_infix,
    "infix_type": _spell_infix_type,
    "instance_expression": _spell_created,
    "lazy_parameter_type": terms.same("type"),
    "match_expression": _spell_match,
    "parenthesized_expression": terms.same(),
    "projected_type": _spell_projected_type,
    "repeated_parameter_type": _spell_repeated_type,
    "tuple_expression": _spell_tuple,
    "tuple_type": _spell_tuple_type,
    "wildcard": functions.spell_placeholder,
}
