"""Values and classes of Ruby as terms: what expressions give, what classes include and inherit from.

A *sign* is a token that calls a method without its name: ``new`` calls ``initialize``, ``super`` the method above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.ruby.outline import (
    ATTRIBUTES,
    find_class_maker,
    find_made_superclass,
    list_arguments,
    list_defined_names,
    name_method,
    spell_symbol,
)
from leadline_tools.languages.ruby.scopes import OVER_ELEMENTS
from leadline_tools.languages.rules.calls import ImplicitCall
from leadline_tools.languages.terms import COLLECTION, TOP, UNKNOWN, Spell, Spelling, either, object_of, then

_INCLUDES = frozenset({"include", "extend", "prepend"})

_SAME = frozenset({"clone", "dup", "freeze", "itself", "tap"})
"""Methods of every object that give it itself, or one like it."""

CLASSES = frozenset({"class", "singleton_class"})
"""Methods of every object that give its class."""


MEMBERS_OF_CLASSES = frozenset(
    "alias_method allocate ancestors attr_accessor attr_reader attr_writer class_eval class_exec class_variable_get"
    " class_variable_set class_variables const_defined? const_get const_set constants define_method hash inspect"
    " instance_method instance_methods method_defined? module_eval name new private_class_method private_constant"
    " public_class_method remove_method subclasses superclass to_s undef_method".split()
)
"""Methods of every class: https://docs.ruby-lang.org/en/master/Class.html, https://docs.ruby-lang.org/en/master/Module.html."""

EXTENDING = ("extend", "module_function")
"""Methods by which a module itself has the methods of its objects."""


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call: ``new`` gives an object, whatever ``initialize`` does."""
    owner, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if method is not None and method.type == "super":
        return _spell_super(node, spell)
    name = text(method)
    if owner is None:
        return object_of("self") if name == "new" and _is_of_class(node) else f"{name}()"
    if name == "new":
        return object_of(spell(owner))
    if name in _SAME:
        return spell(owner)
    if name in CLASSES:
        return then(spell(owner), f".{name}")
    return then(spell(owner), f".{name}()")


def _is_of_class(node: Node) -> bool:
    """Return whether a node stands in a method of the class itself."""
    around = node.parent
    while around is not None and around.type not in ("singleton_method", "singleton_class", "class", "module"):
        around = around.parent
    return around is not None and around.type.startswith("singleton")


def _spell_super(node: Node, _spell: Spell) -> str:
    """Spell ``super``: a call of the method of the same name of what the class inherits from."""
    around = node.parent
    while around is not None and around.type not in ("method", "singleton_method", "class", "module"):
        around = around.parent
    name = text(around.child_by_field_name("name")) if around is not None and "method" in around.type else ""
    return f"super.{name}()" if name.isidentifier() else UNKNOWN


_INITIALIZE, _CALL = "initialize", "call"
CALLS = (".(", "&.(", "::(")
"""What calls ``call`` of any object: https://docs.ruby-lang.org/en/master/syntax/calling_methods_rdoc.html."""


def find_implicit_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield the call of ``new`` of a class, which calls ``initialize``, and ``a.()``, which calls ``call``."""
    owner, method = node.child_by_field_name("receiver"), node.child_by_field_name("method")
    if method is not None and text(method) == "new" and (owner is not None or _is_of_class(node)):
        yield ImplicitCall(method, f"new|{_INITIALIZE}", spell(owner) if owner is not None else "self")
    operator = node.child_by_field_name("operator") if method is None else None
    if operator is not None and owner is not None and (sign := f"{text(operator)}(") in CALLS:
        yield ImplicitCall(operator, _CALL, spell(owner), sign=sign)


def find_super_call(node: Node, spell: Spell) -> Iterator[ImplicitCall]:
    """Yield ``super``, which calls the method of the same name of what the class inherits from."""
    term = _spell_super(node, spell)
    if term != UNKNOWN:
        yield ImplicitCall(node, term.removeprefix("super.").removesuffix("()"), "super")


def list_signs(method: str) -> Sequence[str]:
    """Return the tokens that may call a method without its name."""
    if method == _CALL:
        return (*CALLS, "super")
    return ("new", "super") if method == _INITIALIZE else ("super",)


def _spell_constant_path(node: Node, spell: Spell) -> str:
    """Spell ``A::B`` and ``::B``."""
    scope, name = node.child_by_field_name("scope"), text(node.child_by_field_name("name"))
    return then(spell(scope) if scope is not None else TOP, f".{name}")


def _spell_binary(node: Node, spell: Spell) -> str:
    """Spell ``a || b`` and ``a && b``; the results of other operators are not known."""
    operator, right = text(node.child_by_field_name("operator")), spell(node.child_by_field_name("right"))
    if operator in ("||", "or"):
        return either((spell(node.child_by_field_name("left")), right))
    return right if operator in ("&&", "and") else UNKNOWN


def _spell_array(node: Node, spell: Spell) -> str:
    return object_of(terms.apply_type_arguments(COLLECTION, [either(map(spell, node.named_children))]))


def _spell_last(node: Node, spell: Spell) -> str:
    """Spell the value of what holds statements: that of the last."""
    statements = [child for child in node.named_children if child.type not in _NO_VALUES]
    return spell(statements[-1]) if statements else UNKNOWN


_NO_VALUES = frozenset({"comment", "rescue", "ensure", "else"})


def _spell_alone(node: Node, spell: Spell) -> str:
    """Spell what stands after ``return``, where it is one value."""
    return spell(node.named_children[0]) if node.named_child_count == 1 else UNKNOWN


def bind_assigned(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables on the left what is on the right; an operator but ``||`` gives them anything."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = text(node.child_by_field_name("operator"))
    if left is None or right is None or operator not in ("", "||=", "&&="):
        return
    if left.type != "left_assignment_list":
        yield left, spell(right)
        return
    whole = right.type == "right_assignment_list" and right.named_child_count == left.named_child_count
    for i, target in enumerate(left.named_children):
        if target.type not in ("rest_assignment", "destructured_left_assignment"):
            yield target, spell(right.named_children[i]) if whole else then(spell(right), f"#{i}")


def bind_assigned_symbols(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what an assignment defines its value, where that is no type on its own."""
    if find_class_maker(node) is None:
        yield from bind_assigned(node, spell)


def bind_defaults(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give parameters their defaults."""
    for parameter in node.named_children:
        name, value = parameter.child_by_field_name("name"), parameter.child_by_field_name("value")
        if name is not None and value is not None:
            yield name, spell(value)


def bind_block_parameter(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the first parameter of a block an element of what the method is called of, or that itself."""
    call = node.parent.parent if node.parent is not None else None
    if call is None or call.type != "call" or not node.named_children:
        return
    term, method = spell(call.child_by_field_name("receiver")), text(call.child_by_field_name("method"))
    if method in OVER_ELEMENTS:
        yield node.named_children[0], then(term, "*")
    elif method in ("tap", "then", "yield_self"):
        yield node.named_children[0], term


def bind_each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a loop an element of what is looped over."""
    name, value = node.child_by_field_name("pattern"), node.child_by_field_name("value")
    if name is not None and value is not None and value.named_children:
        yield name, then(spell(value.named_children[0]), "*")


def bind_caught(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variable of a ``rescue`` an object of any of its exceptions."""
    exceptions = node.parent.child_by_field_name("exceptions") if node.parent is not None else None
    if exceptions is not None and node.named_children:
        yield node.named_children[0], either(object_of(spell(one)) for one in exceptions.named_children)


def bind_result(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a method the value of its body."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is not None and body is not None:
        yield name, spell(body)


def bind_attributes(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give an attribute the variable of the object that it reads."""
    if name_method(node) in ATTRIBUTES:
        yield from ((name, f"@{spell_symbol(name)}") for name in list_defined_names(node))


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a class or module includes, and what a class inherits from, in the order of the look-up."""
    yield from _spell_included(node.child_by_field_name("body"), spell)
    inherited = node.child_by_field_name("superclass")
    if (made := find_made_superclass(node)) is not None:
        yield from _spell_bases_of_call(made, spell)
        if text(made.child_by_field_name("receiver")).removeprefix("::") != "Class":
            yield spell(made.child_by_field_name("receiver"))
    elif inherited is not None and inherited.named_children:
        yield spell(inherited.named_children[0])


def _spell_included(body: Node | None, spell: Spell) -> Iterator[str]:
    """Yield the modules that the body of a class or a module includes, in the order of the look-up."""
    singleton = children_of_type("singleton_class")(body) if body is not None else ()
    opened = [
        inner for one in singleton if (inner := one.child_by_field_name("body")) is not None
    ]  # of the class itself
    calls = [call for one in (body, *opened) if one is not None for call in children_of_type("call")(one)]
    included = [call for call in calls if name_method(call) in _INCLUDES]
    before = [call for call in included if name_method(call) == "prepend"]
    for call in (*reversed(before), *reversed([call for call in included if call not in before])):
        yield from (spell(module) for module in list_arguments(call) if module.type != "self")


TERMS: Mapping[str, Spelling] = {
    "argument_list": _spell_alone,
    "array": _spell_array,
    "assignment": terms.same("right"),
    "binary": _spell_binary,
    "body_statement": _spell_last,
    "call": _spell_call,
    "conditional": terms.one_of("consequence", "alternative"),
    "element_reference": terms.spell_step("object", "[]"),
    "else": _spell_last,
    "if": terms.one_of("consequence", "alternative"),
    "operator_assignment": terms.one_of("left", "right"),
    "parenthesized_statements": _spell_last,
    "scope_resolution": _spell_constant_path,
    "super": _spell_super,
    "then": _spell_last,
    "unless": terms.one_of("consequence", "alternative"),
}


def spell_made_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what ``A = Class.new(B) do ... end`` includes and inherits from."""
    call = find_class_maker(node)
    if call is not None:
        yield from _spell_bases_of_call(call, spell)


def spell_block_bases(node: Node, spell: Spell) -> Iterator[str] | None:
    """Yield what a class without a name includes and inherits from, that a call makes with a block as its body."""
    return _spell_bases_of_call(node.parent, spell) if node.parent is not None else None


def _spell_bases_of_call(call: Node, spell: Spell) -> Iterator[str]:
    block = call.child_by_field_name("block")
    if block is not None:
        yield from _spell_included(block.child_by_field_name("body"), spell)
    if text(call.child_by_field_name("receiver")).removeprefix("::") == "Class":
        yield from map(spell, list_arguments(call)[:1])
