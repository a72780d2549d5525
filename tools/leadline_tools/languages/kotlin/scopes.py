"""Scopes of Kotlin: what variables and lambdas bind, ``it``, and the names in strings.

``it`` is the parameter of a lambda that declares none. A *scope function* calls a lambda on its object (``apply``): the
*receiver*, whose members the lambda names alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.kotlin.expected_functions import spell_expected_function
from leadline_tools.languages.kotlin.outline import find_type, has_token, list_name
from leadline_tools.languages.kotlin.types import (
    find_called,
    list_lambda_parameters,
    list_parameter_parts,
    spell_declared_value,
)
from leadline_tools.languages.nodes import children_of_type, text
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.rules.uses import Written
from leadline_tools.languages.terms import BARE, OWN, UNKNOWN, Op, Spell, then
from leadline_tools.model import Role


def split_navigation(node: Node) -> Sequence[Node | None]:
    """Return the object and the member of ``a.b``, ``a?.b`` and ``a::b``."""
    owner, *rest = node.named_children or (None,)
    member = rest[-1] if rest and rest[-1].type == "identifier" else None
    return owner, member


def split_argument(node: Node) -> Sequence[Node | None]:
    """Return the name of an argument as a member of what is called, which is not known here."""
    return (None, *list_name(node)) if has_token(node, "=") else (None,)


_SCOPE_FUNCTIONS = frozenset({"apply", "run"})
"""Those whose lambda sees the members of the object bare, besides ``with``:
https://kotlinlang.org/docs/scope-functions.html."""

_WITHOUT_IT = frozenset(
    (
        "apply async buildList buildMap buildString coroutineScope launch lazy measureTimeMillis run runBlocking"
        " runCatching runTest supervisorScope synchronized with withContext"
    ).split()
)
"""Functions of the library whose lambda takes nothing: ``it`` is that of a lambda around it."""


def bind_variable(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variable, declared alone or among several, what it is given: a value, or an element in a loop."""
    around, step = node.parent, ""
    if around is not None and around.type == "multi_variable_declaration":
        step = f"#{children_of_type('variable_declaration')(around).index(node)}"
        around = around.parent
    if around is None or around.type not in ("property_declaration", "for_statement", "when_subject"):
        return
    term = spell_declared_value(around, spell)
    for name in list_name(node):
        yield name, then(term, step) if step else term


def bind_property(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give each variable of a declaration its value, or its part of it."""
    for declaration in _list_declarations(node):
        yield from bind_variable(declaration, spell)


def _list_declarations(node: Node) -> Sequence[Node]:
    """Return the variables of a declaration, alone or in parentheses."""
    several = children_of_type("multi_variable_declaration")(node)
    return [
        *children_of_type("variable_declaration")(node),
        *(one for each in several for one in children_of_type("variable_declaration")(each)),
    ]


def list_variables(node: Node) -> Sequence[Node]:
    """Return the names of the variables of a declaration."""
    return [name for declaration in _list_declarations(node) for name in list_name(declaration)]


def find_variable_type(node: Node) -> Node | None:
    """Return the declared type of the only variable of a declaration."""
    declarations = _list_declarations(node)
    return find_type(declarations[0]) if len(declarations) == 1 else None


def list_lambda_names(node: Node) -> Sequence[Node]:
    """Return the names of what a lambda takes: the first ``it`` where it says none."""
    if children_of_type("lambda_parameters")(node):
        return [name for parameter in list_lambda_parameters(node) for name in list_parameter_parts(parameter)]
    return _find_it(node) if _has_it(node) else ()


def _has_it(node: Node) -> bool:
    """Return whether ``it`` in a lambda is what that takes."""
    around = node.parent
    call = around.parent if around is not None and around.type == "annotated_lambda" else None
    return not children_of_type("lambda_parameters")(node) and (call is None or _called_name(call) not in _WITHOUT_IT)


def _find_it(node: Node) -> Sequence[Node]:
    """Return the first ``it`` in a lambda that is not of another one inside."""
    waiting = list(reversed(node.named_children)) if b"it" in (node.text or b"") else []
    while waiting:
        inner = waiting.pop()
        if inner.type == "identifier" and inner.text == b"it":
            return (inner,)
        if inner.type != "lambda_literal" or not _has_it(inner):
            waiting += reversed(inner.named_children)
    return ()


def bind_lambda_parameters(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what a lambda takes the types that its place expects."""
    first, term = spell_expected_function(node, spell)
    parameters = list_lambda_parameters(node)
    for number, parameter in enumerate(parameters):
        whole = first if not number and first != UNKNOWN else then(term, f"%{number}")
        names = list_parameter_parts(parameter)
        if parameter.type == "variable_declaration":
            yield from ((name, whole) for name in names)
        else:
            yield from ((name, then(whole, f"#{place}")) for place, name in enumerate(names))
    for name in list_lambda_names(node) if not parameters else ():
        yield name, first if first != UNKNOWN else then(term, "%0")


def _called_name(call: Node) -> str:
    """Return the last name of what is called with a lambda; empty for none."""
    if call.type != "call_expression":
        return ""
    function = find_called(call)
    return text(function.named_children[-1] if function.type == "navigation_expression" else function)


def _find_receiver(node: Node) -> Node | None:
    """Return the object whose members a lambda sees without a receiver, as that of a scope function does.

    ``node`` is the lambda with what stands before it.
    """
    call = node.parent
    if call is None or call.type != "call_expression":
        return None
    called = call.named_children[0]
    if called.type == "call_expression" and text(called.named_children[0]) == "with":
        given = [
            value
            for around in children_of_type("value_arguments")(called)
            for value in children_of_type("value_argument")(around)
        ]
        return given[0].named_children[-1] if len(given) == 1 else None
    owner, *members = called.named_children if called.type == "navigation_expression" else (called,)
    return owner if members and text(members[-1]) in _SCOPE_FUNCTIONS else None


def classify_argument(node: Node) -> ScopeKind | None:
    """Return the scope of a lambda between the parentheses of a call; None for another argument."""
    return ScopeKind.Block if children_of_type("lambda_literal")(node) else None


def spell_lambda_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the type of the receiver of a lambda: of a scope function, else of the function that its place expects."""
    receiver = _find_receiver(node)
    if receiver is not None:
        yield then(spell(receiver), Op.Itself)
        return
    for function in children_of_type("lambda_literal")(node):
        if not list_lambda_names(function):
            _, expected = spell_expected_function(function, spell)
            if expected != UNKNOWN:
                yield then(then(expected, f"%{OWN}"), Op.Itself)


_WORD = re.compile(rb"[^\W\d]\w*")


def read_template_names(node: Node) -> Iterator[Written]:
    """Yield the names in the templates of a string that stand after a mere ``$``."""
    for dollar in children_of_type("string_content")(node):
        after = dollar.next_sibling
        if text(dollar) != "$" or after is None or after.type != "string_content" or after.text is None:
            continue
        name = _WORD.match(after.text)
        if name is not None and after.start_byte == dollar.end_byte:
            yield Written(after.start_byte, name[0].decode(), Role.Read, BARE)


def is_iterated(node: Node) -> bool:
    """Return whether a part of a loop is what it goes through: read before its variable exists."""
    before = node.prev_sibling
    return before is not None and before.type == "in"


def list_delegates(node: Node) -> Sequence[Node]:
    """Return the name of the value to which a type delegates an interface, which is no type: ``Repo by delegate``."""
    value = node.named_children[-1] if node.named_child_count > 1 else None
    while value is not None and value.type == "navigation_expression":
        value = value.named_children[0]
    return (value,) if value is not None and value.type == "identifier" else ()
