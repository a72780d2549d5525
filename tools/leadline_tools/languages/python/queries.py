"""Queries of object-relational mappers: they give objects of the classes that they are asked for.

https://docs.sqlalchemy.org/en/20/orm/queryguide/ and https://docs.djangoproject.com/en/5.2/ref/models/querysets/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.python.objects import make_object, spell_element
from leadline_tools.languages.terms import TUPLE, UNKNOWN, Spell, apply_type_arguments, tested, then

MANAGER = "objects"
"""The attribute by which a class of Django has the manager of its objects."""

_NAMES = frozenset({"identifier", "attribute"})
_HELD = "!<self[]>"
_FIRST_COLUMN = "!<self[]#0>"
_MADE = apply_type_arguments(TUPLE, ["self[]^", "bool()^"])


def _is_class(node: Node | None) -> bool:
    """Return whether a name is that of a class, as it is written: https://peps.python.org/pep-0008/#class-names."""
    return node is not None and node.type in _NAMES and text(node).rpartition(".")[2][:1].isupper()


def _spell_instance(node: Node, spell: Spell) -> str:
    return then(spell(node), "()") if _is_class(node) else UNKNOWN


def _spell_rows(given: Sequence[Node], spell: Spell) -> str:
    """Spell rows of objects of some classes; of anything else in a row nothing is known."""
    return make_object(TUPLE, [_spell_instance(one, spell) for one in given])


def spell_selected(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell ``select(User, Order)``, which holds rows."""
    return make_object(function, [_spell_rows(given, spell)]) if any(map(_is_class, given)) else UNKNOWN


def spell_query(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell ``session.query(User)``, which holds objects of one class, or rows of several."""
    if not any(map(_is_class, given)):
        return UNKNOWN
    return make_object(function, [_spell_instance(given[0], spell) if len(given) == 1 else _spell_rows(given, spell)])


def spell_executed(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell ``session.execute(statement)``, which holds the rows of a statement."""
    rows = spell_element(spell(given[0])) if given[0].type in _STATEMENTS else UNKNOWN
    return make_object(function, [rows]) if rows != UNKNOWN else UNKNOWN


def spell_scalars(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell ``session.scalars(statement)``, which holds the first column of the rows of a statement."""
    rows = spell_element(spell(given[0])) if given[0].type in _STATEMENTS else UNKNOWN
    return make_object(function, [then(rows, "#0")]) if rows != UNKNOWN else UNKNOWN


def spell_scalar(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell ``session.scalar(statement)``, which is the first column of a row."""
    held = spell_scalars(function, given, spell)
    return then(held, "[]") if held != UNKNOWN else UNKNOWN


def spell_one_or_404(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell ``get_object_or_404(Post)``: an object of a class, or one that a query holds."""
    term = _spell_instance(given[0], spell) if _is_class(given[0]) else spell_element(spell(given[0]))
    return then(make_object(function, [term]), "[]") if term != UNKNOWN else UNKNOWN


def spell_related(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell ``models.ForeignKey(Author)``: what objects have by that name is an object of the class."""
    term = _spell_instance(given[0], spell)
    return then(make_object(function, [term]), "[]") if term != UNKNOWN else UNKNOWN


def spell_manager(call: Node, query_set: str, spell: Spell) -> str:
    """Spell ``PostQuerySet.as_manager()``, which has the methods of a query set, and holds objects of the class around.

    https://docs.djangoproject.com/en/5.2/topics/db/managers/#creating-a-manager-with-queryset-methods
    """
    around = call.parent
    while around is not None and around.type in ("assignment", "expression_statement", "block"):
        around = around.parent
    name = around.child_by_field_name("name") if around is not None and around.type == "class_definition" else None
    return make_object(query_set, [then(spell(name), "()")]) if name is not None else then(query_set, "()")


AS_MANAGER = "as_manager"
"""The method of a query set that makes a manager of its class."""


def spell_attribute(node: Node, spell: Spell) -> str:
    """Spell a member of something; ``Post.objects``, where the class declares none, as what holds objects of it."""
    owner, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    term = then(spell(owner), f".{text(name)}")
    if term == UNKNOWN or text(name) != MANAGER or owner is None or not _is_class(owner):
        return term
    return tested(make_object(term, [then(spell(owner), "()")]), term)


_STATEMENTS = frozenset({"identifier", "attribute", "call", "parenthesized_expression"})

QUERIES: Mapping[str, str] = {
    **dict.fromkeys(
        "all annotate defer distinct exclude execution_options filter filter_by group_by having join limit none offset"
        " only options order_by outerjoin prefetch_related reverse select_for_update select_from select_related unique"
        " using where with_for_update".split(),
        "!<self>",
    ),
    **dict.fromkeys(
        "acreate aget aearliest afirst aget alast alatest create earliest first last latest one one_or_none".split(),
        _HELD,
    ),
    **dict.fromkeys(("scalar_one", "scalar_one_or_none"), _FIRST_COLUMN),
    "scalars": "!<[]<self[]#0^>>",
    **dict.fromkeys("aget_or_create aupdate_or_create get_or_create update_or_create".split(), f"!<{_MADE}>"),
}
"""What the methods of queries, and of what they give, make of what these hold."""

MEMBERS_OF_QUERY_SETS = frozenset({*QUERIES, "get"})
"""The methods that each class has that inherits from ``QuerySet``."""
