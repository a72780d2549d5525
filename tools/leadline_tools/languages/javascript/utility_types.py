"""Types that leave out members or alternatives: ``Omit``, ``Pick``, ``Exclude`` and ``Extract``.

https://www.typescriptlang.org/docs/handbook/utility-types.html
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import discriminants, terms
from leadline_tools.languages.discriminants import Condition, Sign
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import RECORD, UNKNOWN, Op, Spell, object_of, then


def spell_utility_type(name: str, arguments: Sequence[Node], spell: Spell) -> str:
    """Spell such a type; UNKNOWN for any other, and where its arguments do not say what is left out."""
    if len(arguments) != _ARGUMENTS:
        return UNKNOWN
    of, second = arguments
    match name:
        case "Omit":
            return terms.omitting(spell(of), spell_keys(second, spell))
        case "Pick":
            return terms.picking(spell(of), spell_keys(second, spell))
        case "Exclude" | "Extract":
            return _select(spell(of), second, spell, excludes=name == "Exclude")
        case _:
            return UNKNOWN


_ARGUMENTS = 2


def spell_keys(node: Node, spell: Spell) -> str:
    """Spell the names of members that a type of literals, or ``keyof``, stands for."""
    parts = list(_list_alternatives(node))
    names = [text(part.named_children[0])[1:-1] for part in parts if _is_name(part)]
    found = ["".join(f"{RECORD}{name}" for name in names if _is_plain(name))] if names else []
    for part in parts:
        if part.type == "index_type_query" and part.named_children:
            found.append(object_of(spell(part.named_children[0])))
        elif part.type == "type_identifier":
            found.append(spell(part))
        elif not _is_name(part):
            found.append(UNKNOWN)
    return "|".join(found) if found and all(found) and UNKNOWN not in found else UNKNOWN


def spell_argument(node: Node, spell: Spell) -> str:
    """Spell a type argument, with the names that it is of."""
    names = spell_names(node, spell)
    return names if names != UNKNOWN else spell(node)


def spell_names(node: Node, spell: Spell) -> str:
    """Spell a type of strings with the names that it is of, so that what leaves such members out is known.

    It is UNKNOWN for any other type.
    """
    parts = list(_list_alternatives(node))
    names = [text(part.named_children[0])[1:-1] for part in parts if _is_name(part)]
    listed = "".join(f"{RECORD}{name}" for name in names if _is_plain(name))
    others = [spell(part) for part in parts if not _is_name(part)]
    if not listed or len(listed) > _LONGEST_NAMES or not all(part.type in _NAMING for part in parts):
        return UNKNOWN
    return terms.either((terms.apply_type_arguments(terms.PRIMITIVE, (listed,)), *others))


_LONGEST_NAMES = 120
"""Characters of the names of a type argument."""

_NAMING = frozenset({"literal_type", "type_identifier"})


def _list_alternatives(node: Node) -> Iterator[Node]:
    if node.type in ("union_type", "parenthesized_type"):
        for child in node.named_children:
            yield from _list_alternatives(child) if child.type != "comment" else ()
    else:
        yield node


def _is_name(node: Node) -> bool:
    return node.type == "literal_type" and bool(node.named_children) and node.named_children[0].type == "string"


def _is_plain(name: str) -> bool:
    """Return whether a name can be written after a dot."""
    return name.replace("$", "_").isidentifier()


def _select(of: str, second: Node, spell: Spell, *, excludes: bool) -> str:
    """Spell which alternatives of a union are left: by their type, or by the values of members."""
    if of == UNKNOWN:
        return UNKNOWN
    if second.type == "object_type":
        conditions = list(_list_conditions(second, excludes=excludes))
        if excludes and len(conditions) > 1:
            return UNKNOWN  # one of them has to differ, whichever
        found = object_of(of)
        for condition in conditions:
            found = terms.where(found, condition.spelled())
        return found if conditions else UNKNOWN
    named = object_of(spell(second))
    if second.type not in ("type_identifier", "generic_type", "union_type") or named == UNKNOWN:
        return UNKNOWN
    return terms.without(object_of(of), named) if excludes else then(object_of(of), f"{Op.Tested}{named}>")


def _list_conditions(members: Node, *, excludes: bool) -> Iterator[Condition]:
    """Yield what a type in braces says of the values of its members."""
    for member in members.named_children:
        kind = member.child_by_field_name("type")
        values = (
            [discriminants.literal(text(one)) for one in _list_alternatives(kind.named_children[0])] if kind else []
        )
        if member.type == "property_signature" and values and all(values):
            sign = Sign.Unequal if excludes else Sign.Equal
            yield Condition(sign, text(member.child_by_field_name("name")), tuple(values))
