"""Streams, optional values and futures of Java: what their methods give that are passed a function, and collectors.

https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/stream/Stream.html
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.java.library import HOLDERS
from leadline_tools.languages.java.scopes import split_member
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import COLLECTION, UNKNOWN, Op, Spell, object_of, then

_PROJECTING = {
    "map": "",
    "mapToObj": "",
    "thenApply": "",
    "flatMap": str(Op.Each),
    "thenCompose": str(Op.Each),
}
"""Methods that give what a function makes of each element, each with the step that follows."""

_COLLECTING = frozenset("toCollection toList toSet toUnmodifiableList toUnmodifiableSet".split())
"""Methods of ``Collectors`` that keep the elements."""

_GROUPING = frozenset({"groupingBy", "groupingByConcurrent"})

_LONGEST = 200
"""Characters of the term of what a function makes: that of each call of a chain has those before it twice."""

_LIST_PARAMETERS = frozenset({"inferred_parameters", "formal_parameters"})


def spell_result(call: Node, called: str, spell: Spell) -> str:
    """Spell what a call of a method gives; of one that is passed a function, by what that makes of an element.

    Args:
        call: The call.
        called: The term of the method.
        spell: Spells any other node.

    """
    owner, name = call.child_by_field_name("object"), text(call.child_by_field_name("name"))
    listed = call.child_by_field_name("arguments")
    given = [one for one in listed.named_children if "comment" not in one.type] if listed is not None else []
    if owner is None or len(given) != 1:
        return then(called, str(Op.Call))
    if name == "collect" and given[0].type == "method_invocation":
        return _spell_collected(given[0], spell(owner), spell)
    if name not in _PROJECTING or owner.type == "super":
        return then(called, str(Op.Call))
    element = then(called, "%0%0")  # as the method says it, which may be one of the tree
    made = then(_spell_made(given[0], element, spell), f"{_PROJECTING[name]}{Op.Itself}")
    return then(called, f"<{made}>()" if made != UNKNOWN and len(made) <= _LONGEST else str(Op.Call))


def _spell_collected(collector: Node, stream: str, spell: Spell) -> str:
    """Spell what a collector makes of a stream: a collection of its elements, or a map of such ones."""
    owner, listed = collector.child_by_field_name("object"), collector.child_by_field_name("arguments")
    name = text(collector.child_by_field_name("name")) if owner is None or text(owner) == "Collectors" else ""
    given = listed.named_children if listed is not None else []
    element = then(stream, f"{Op.Each}{Op.Itself}")
    if name in _COLLECTING:
        return stream
    if name not in _GROUPING or len(given) != 1 or element == UNKNOWN:
        return UNKNOWN
    key = then(_spell_made(given[0], then(stream, Op.Each), spell), Op.Itself)
    held = terms.apply_type_arguments(COLLECTION, [element])
    made = terms.apply_type_arguments("Map", [key, held])
    return object_of(made) if len(made) <= _LONGEST else UNKNOWN


def _spell_made(function: Node, element: str, spell: Spell) -> str:
    """Spell what a lambda of one expression, or a method that is referred to, makes of an element."""
    if function.type == "method_reference":
        return _spell_referred(function, element, spell)
    body, names = function.child_by_field_name("body"), _list_names(function)
    if function.type != "lambda_expression" or body is None or len(names) != 1:
        return UNKNOWN
    if body.type == "block":
        only = body.named_children[0] if body.named_child_count == 1 else None
        if only is None or only.type != "return_statement" or not only.named_children:
            return UNKNOWN
        body = only.named_children[0]
    return terms.put(spell(body), {text(names[0]): element})


def _list_names(function: Node) -> Sequence[Node]:
    """Return the names of the parameters of a lambda."""
    parameters = function.child_by_field_name("parameters")
    if parameters is None or parameters.type not in _LIST_PARAMETERS:
        return [parameters] if parameters is not None else []
    names = (one.child_by_field_name("name") or one for one in parameters.named_children)
    return [one for one in names if one.type == "identifier"]


def _spell_referred(reference: Node, element: str, spell: Spell) -> str:
    """Spell the call of a method that is referred to: of an element, of what is named before it, or a constructor.

    An object has the static methods of its type too.
    """
    if reference.children[-1].type == "new":
        return object_of(spell(reference.named_children[0]))
    owner, method = split_member(reference)
    if owner is None or method is None:
        return UNKNOWN
    named = text(owner)
    if named in HOLDERS:
        return then(element, f".{text(method)}()")
    is_type = owner.type in ("identifier", "field_access", "scoped_type_identifier") and _looks_like_type(named)
    return then(object_of(spell(owner)) if is_type else spell(owner), f".{text(method)}()")


def _looks_like_type(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last[:1].isupper() and not last.isupper()
