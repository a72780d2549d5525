"""Scopes of C++: what opens them and binds names, and what its file alone knows."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.c import outline as c_outline
from leadline_tools.languages.c import scopes as c_scopes
from leadline_tools.languages.c.types import bind_designators
from leadline_tools.languages.cpp import outline
from leadline_tools.languages.cpp.library import list_arguments, spell_handed
from leadline_tools.languages.cpp.terms import find_global_name, list_lambda_parameters
from leadline_tools.languages.cpp.types import is_deduced
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import TOP, UNKNOWN, Spell, then


def bind_initialized_member(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the member that an initializer of a constructor initializes; or it names a base."""
    name = node.named_children[0]
    if name.type == "field_identifier":
        yield name, "this|"


def bind_designated_arguments(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the designators in the braces that a call is given: https://eel.is/c++draft/over.ics.list."""
    call = node.parent
    function = call.child_by_field_name("function") if call is not None and call.type == "call_expression" else None
    for at, value in enumerate(list_arguments(call) if call is not None and function is not None else ()):
        if value.type == "initializer_list":
            yield from bind_designators(value, then(spell(function), f"%{at}"))


def bind_deduced(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give each name that ``auto`` declares its value."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type != "placeholder_type_specifier":
        return
    for declarator in node.children_by_field_name("declarator"):
        holder = declarator if declarator.type == "init_declarator" else node  # of a condition
        value = holder.child_by_field_name("value")
        if value is not None:
            yield from _bind_declarator(declarator, spell(value))


def bind_each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what a loop over a range declares the elements of that."""
    declarator = node.child_by_field_name("declarator")
    if declarator is not None:
        yield from _bind_declarator(declarator, then(spell(node.child_by_field_name("right")), "*"))


def is_read_before_loop(right: Node) -> bool:
    """Return whether what a loop goes through is read where its variable is not seen: [stmt.ranged].

    What an initializer of the loop declares is seen there.
    """
    loop = right.parent
    return loop is not None and loop.child_by_field_name("initializer") is None


def is_read_around_lambda(_value: Node) -> bool:
    """Return that what a lambda captures is read where the lambda stands: [expr.prim.lambda.capture]."""
    return True


def _bind_declarator(declarator: Node, value: str) -> Iterator[tuple[Node, str]]:
    """Yield the name that is declared with its value, or each of several with its part of it."""
    name = c_outline.find_declared(declarator)[0]
    if name is not None and name.type == "structured_binding_declarator":
        yield from ((part, then(value, f"#{i}")) for i, part in enumerate(name.named_children))
    elif name is not None:
        yield name, value


def bind_lambda_parameter(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter of a lambda that is ``auto`` what the function hands to it that the lambda is given to."""
    if not is_deduced(node.child_by_field_name("type")):
        return
    function = node.parent.parent.parent if node.parent is not None and node.parent.parent is not None else None
    call = function.parent.parent if function is not None and function.parent is not None else None
    if function is None or call is None or function.type != "lambda_expression" or call.type != "call_expression":
        return
    given, number = list_arguments(call), list_lambda_parameters(function).index(node)
    term = spell_handed(call, given, given.index(function), number, spell) if function in given else UNKNOWN
    yield from ((name, term) for name in c_outline.list_names(node))


def bind_global_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the first name of ``::a`` and ``::a::b``, which is that of the global namespace: [basic.lookup.qual]."""
    first = find_global_name(node)
    if first is not None:
        yield first, TOP


def bind_outer_namespaces(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield ``b`` in ``namespace a::b::c``, which is a member of ``a``; ``c`` is what is defined."""
    names = outline.list_namespaces(node.child_by_field_name("name"))
    for i, name in enumerate(names[1:-1], 1):
        yield name, ".".join(map(text, names[:i]))


_AROUND_DECLARATIONS = frozenset({"namespace_definition", "declaration_list", "template_declaration"})


def is_internal(node: Node) -> bool:
    """Return whether only its file knows a function or a variable by its name: [basic.link] of C++."""
    around = node.parent
    while around is not None and around.type in _AROUND_DECLARATIONS:
        if around.type == "namespace_definition" and around.child_by_field_name("name") is None:
            return True
        around = around.parent
    return c_scopes.is_static(node)


def is_declared_member(node: Node) -> bool:
    """Return whether a class only declares a member that is defined outside of it: [class.static.data]."""
    words = {text(child) for child in node.children if child.type in ("storage_class_specifier", "type_qualifier")}
    declared = "static" in words and not words & {"inline", "constexpr"}
    return declared and all(function is None for _, function in c_outline.list_declared(node))


def open_enum_scope(node: Node) -> ScopeKind:
    """Return whether the members of an enumeration are seen around it."""
    scoped = any(child.type in ("class", "struct") for child in node.children)
    return ScopeKind.Class if scoped else ScopeKind.Open


def open_namespace_scope(node: Node) -> ScopeKind:
    """Return whether the members of a namespace are seen around it: it is inline, or has no name.

    https://eel.is/c++draft/namespace.unnamed
    """
    inline = any(child.type == "inline" for child in node.children)
    return ScopeKind.Open if inline or node.child_by_field_name("name") is None else ScopeKind.Namespace
