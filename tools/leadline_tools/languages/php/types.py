"""Types and values of PHP as terms: what declarations say, what expressions give, what conditions tell.

A *sign* is a token that calls a method without its name: ``new``, or the parenthesis behind a variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.php import arrays, phpdoc
from leadline_tools.languages.php.outline import list_bare_names
from leadline_tools.languages.php.scopes import list_loop_targets, spell_absolute
from leadline_tools.languages.rules.calls import ImplicitCall
from leadline_tools.languages.terms import COLLECTION, UNKNOWN, Op, Spell, Spelling, either, object_of, then


def find_declared_type(node: Node) -> Node | None:
    """Return the type that a parameter or property is declared to be of; that of a variadic one is its elements'.

    None for a collection of which a comment says what it holds.
    """
    declared = node.child_by_field_name("type")
    if node.type == "variadic_parameter" or (_is_collection(declared) and _has_documented_type(node)):
        return None
    return declared


def _has_documented_type(node: Node) -> bool:
    if node.type in _PARAMETERS:
        return phpdoc.spell_parameter_type(node) != UNKNOWN
    return phpdoc.spell_documented_type(node) != UNKNOWN


_PARAMETERS = frozenset({"simple_parameter", "property_promotion_parameter"})


def _is_collection(declared: Node | None) -> bool:
    """Return whether a declared type is one that holds elements and says nothing of them: ``array``, ``?Generator``."""
    if declared is None:
        return False
    if declared.type in ("optional_type", "union_type"):
        parts = [one for one in declared.named_children if text(one) != "null"]
        return bool(parts) and all(map(_is_collection, parts))
    return text(declared).removeprefix("\\") in phpdoc.CONTAINERS


def _spell_path(node: Node, _spell: Spell) -> str:
    return spell_absolute(node)


def _spell_either(field: str) -> Spelling:
    """Spell a node as any of those in a field of its children."""
    return lambda node, spell: either(spell(child.child_by_field_name(field)) for child in node.named_children)


def _spell_call_of(field: str) -> Spelling:
    """Spell a call of a method of what is in a field."""

    def called(node: Node, spell: Spell) -> str:
        name = node.child_by_field_name("name")
        owner = spell(node.child_by_field_name(field))
        return then(owner, f".{text(name)}()") if name is not None and name.type == "name" else UNKNOWN

    return called


def _spell_static_property(node: Node, spell: Spell) -> str:
    """Spell ``A::$name``."""
    name = next((text(name) for name in list_bare_names(node.child_by_field_name("name"))), "")
    return then(spell(node.child_by_field_name("scope")), f".{name}") if name else UNKNOWN


def _spell_created(node: Node, spell: Spell) -> str:
    """Spell ``new A``, and an object of an anonymous class."""
    made = next((child for child in node.named_children if child.type != "attribute_list"), None)
    if made is not None and made.type == "anonymous_class":
        return object_of(terms.written_at(made))
    return object_of(spell(made))


_CONSTRUCT, _INVOKE = "__construct", "__invoke"


def find_constructor_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield ``new``, which calls the constructor of a class: its own or an inherited one."""
    made = next((child for child in node.named_children if child.type != "attribute_list"), None)
    if made is None or node.children[0].type != "new":
        return
    methods = [one for body in made.children_by_field_name("body") for one in body.named_children]
    if all(text(one.child_by_field_name("name")) != _CONSTRUCT for one in methods):
        yield ImplicitCall(node.children[0], _CONSTRUCT, _spell_created(node, spell))


def find_invoke_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the parenthesis behind a variable: https://www.php.net/manual/en/language.oop5.magic.php#object.invoke."""
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if called is not None and called.type == "variable_name" and listed is not None and listed.children:
        yield ImplicitCall(listed.children[0], _INVOKE, spell(called))


SIGNS: Mapping[str, tuple[str, ...]] = {_CONSTRUCT: ("new",), _INVOKE: ("(",)}


def _spell_conditional(node: Node, spell: Spell) -> str:
    """Spell ``a ? b : c`` and ``a ?: c``."""
    chosen = node.child_by_field_name("body") or node.child_by_field_name("condition")
    return either((spell(chosen), spell(node.child_by_field_name("alternative"))))


def _spell_binary(node: Node, spell: Spell) -> str:
    """Spell ``a ?? b``; the results of other operators are not known."""
    if text(node.child_by_field_name("operator")) != "??":
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _spell_array(node: Node, spell: Spell) -> str:
    """Spell an array as a collection of what it holds."""
    elements = [child.named_children[-1] for child in node.named_children if child.named_children]
    return object_of(terms.apply_type_arguments(COLLECTION, [either(map(spell, elements))]))


def bind_documented_parameter(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter without a type, or of a collection, what the comment of its function says.

    One of a function that is passed to a function for arrays gets an element of the array.
    """
    name, declared = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is None or not (declared is None or _is_collection(declared)):
        return
    documented = phpdoc.spell_parameter_type(node)
    if documented != UNKNOWN or declared is not None:
        yield name, object_of(documented)
    else:
        yield name, arrays.spell_passed_element(node, spell)


def bind_assigned(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable or the variables on the left what is on the right, or what a comment says of it."""
    target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
    if target is None:
        return
    documented = _spell_documented(node.parent, target)
    if documented != UNKNOWN:
        yield target, documented
    else:
        yield from _bind_target(target, value, spell(value), spell)


def _spell_documented(statement: Node | None, target: Node) -> str:
    """Spell an object of the type that a comment before a statement gives to a variable."""
    if statement is None or statement.type not in _DOCUMENTED or target.type != "variable_name":
        return UNKNOWN
    return object_of(phpdoc.spell_named_type(statement, text(target)))


_DOCUMENTED = frozenset({"expression_statement", "foreach_statement"})


def _bind_target(target: Node, value: Node | None, term: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield each variable of a list with the element that it takes; keys may tell another one."""
    if target.type not in ("list_literal", "array_creation_expression"):
        yield target, term
        return
    if any(not child.is_named and child.type == "=>" for child in target.children):
        return
    whole = value is not None and value.type == "array_creation_expression"
    parts = value.named_children if value is not None and whole else ()
    for i, child in enumerate(target.named_children):
        part = parts[i].named_children[-1] if i < len(parts) and parts[i].named_children else None
        yield from _bind_target(child, part, spell(part) if part is not None else then(term, "[]"), spell)


def bind_each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a loop an element of what is looped over."""
    term = then(spell(node.named_children[0]), Op.Each)
    for target in list_loop_targets(node):
        variable = target.named_children[-1] if target.type == "pair" else target
        documented = _spell_documented(node, variable)
        yield variable, documented if documented != UNKNOWN else term


def bind_caught(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a ``catch`` an object of any of its types."""
    name, types = node.child_by_field_name("name"), node.child_by_field_name("type")
    if name is not None and types is not None:
        yield name, either(object_of(spell(one)) for one in types.named_children)


def bind_variadic(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter that takes any number of arguments an array of them."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, object_of(terms.apply_type_arguments(COLLECTION, [spell(node.child_by_field_name("type"))]))


def bind_constants(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give constants their values."""
    for child in node.named_children:
        if child.type == "const_element":
            yield child.named_children[0], spell(child.named_children[-1])


def find_result(node: Node) -> Node | None:
    """Return the result that a function declares; None for a collection of which a comment says what it holds."""
    declared = node.child_by_field_name("return_type")
    return None if _is_collection(declared) and _has_documented_type(node) else declared


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the traits that a class uses, which come before what it extends, and that before what it implements."""
    body = node.child_by_field_name("body")
    used = [child for child in body.named_children if child.type == "use_declaration"] if body is not None else []
    extended = [child for child in node.named_children if child.type in ("base_clause", "class_interface_clause")]
    for listed in (*used, *extended):
        yield from (spell(child) for child in listed.named_children if child.type in ("name", "qualified_name"))
    if extended and (held := phpdoc.spell_inherited_collection(node)) != UNKNOWN:
        yield held


TERMS: Mapping[str, Spelling] = {
    "array_creation_expression": _spell_array,
    "assignment_expression": terms.same("right"),
    "binary_expression": _spell_binary,
    "clone_expression": terms.same(),
    "conditional_expression": _spell_conditional,
    "function_call_expression": arrays.spell_call,
    "match_block": _spell_either("return_expression"),
    "match_expression": terms.same("body"),
    "member_call_expression": _spell_call_of("object"),
    "named_type": terms.same(),
    "nullsafe_member_call_expression": _spell_call_of("object"),
    "object_creation_expression": _spell_created,
    "optional_type": terms.same(),
    "parenthesized_expression": terms.same(),
    "qualified_name": _spell_path,
    "scoped_call_expression": _spell_call_of("scope"),
    "scoped_property_access_expression": _spell_static_property,
    "subscript_expression": terms.spell_step("", "[]"),
    "union_type": terms.one_of(),
    "intersection_type": terms.one_of(),
}
