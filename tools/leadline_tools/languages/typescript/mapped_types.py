"""Mapped types of TypeScript: https://www.typescriptlang.org/docs/handbook/2/mapped-types.html.

One over ``keyof T`` has the members of ``T``, maybe of other types: what is declared there, unless ``as`` gives them
other names. ``as`` may also leave some of them out, by their names.
"""

from __future__ import annotations

from collections.abc import Mapping

from tree_sitter import Node

from leadline_tools.languages import discriminants, terms
from leadline_tools.languages.javascript.utility_types import spell_keys
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import ANY, UNKNOWN, Spell, Spelling


def clause(members: Node) -> Node | None:
    """Return what names the members of a type in braces, ``K in keyof T``; None for any other type."""
    signature = next((child for child in members.named_children if child.type == "index_signature"), None)
    inner = signature.named_children if signature is not None else ()
    return next((child for child in inner if child.type == "mapped_type_clause"), None)


def _spell_mapped_type(mapped: Node, spell: Spell) -> str:
    """Spell a mapped type: as what it takes the members of, or by what members of any name are."""
    keys, alias = mapped.child_by_field_name("type"), mapped.child_by_field_name("alias")
    signature = mapped.parent
    value = signature.child_by_field_name("type") if signature is not None else None
    given = _drop_undefined(value.named_children[0]) if value is not None and value.named_children else None
    if keys is None or (alias is not None and keys.type != "index_type_query"):
        return UNKNOWN
    if keys.type != "index_type_query":
        return terms.record([(ANY, spell(given))], closed=True) if keys.type in _NAMING else UNKNOWN
    owner = keys.named_children[0]
    looked_up = given is not None and given.type == "lookup_type" and given.named_children[0].text == owner.text
    same = (
        looked_up and given is not None and text(given.named_children[-1]) == text(mapped.child_by_field_name("name"))
    )
    found = spell(owner) if same else terms.where(spell(owner), discriminants.KEYS)
    return found if alias is None else _spell_filtered(found, alias, text(mapped.child_by_field_name("name")), spell)


def _spell_filtered(owner: str, alias: Node, key: str, spell: Spell) -> str:
    """Spell a mapped type whose ``as`` gives a key its own name or none; UNKNOWN where it gives another name.

    ``Exclude<K, "a">`` and ``K extends "a" ? never : K`` leave a member out, ``Extract`` and the opposite all others.
    https://www.typescriptlang.org/docs/handbook/2/mapped-types.html#key-remapping-via-as
    """
    if alias.type == "generic_type":
        given = alias.child_by_field_name("type_arguments")
        parts = given.named_children if given is not None else []
        filtered = text(alias.child_by_field_name("name"))
        if filtered not in ("Exclude", "Extract") or len(parts) != _FILTERED or text(parts[0]) != key:
            return UNKNOWN
        excludes, names = filtered == "Exclude", parts[1]
    else:
        left, right = alias.child_by_field_name("left"), alias.child_by_field_name("right")
        kept = [text(alias.child_by_field_name(branch)) for branch in ("consequence", "alternative")]
        if right is None or text(left) != key or sorted(kept) != sorted((key, "never")):
            return UNKNOWN
        excludes, names = kept[1] == key, right
    keys = spell_keys(names, spell)
    if keys == UNKNOWN:
        return UNKNOWN
    return terms.omitting(owner, keys) if excludes else terms.picking(owner, keys)


_FILTERED = 2
"""Arguments of ``Exclude`` and ``Extract``: what is filtered, and by what."""


def _drop_undefined(kind: Node) -> Node:
    """Return what a type is besides ``undefined`` and ``null``, if that is one type."""
    parts = [part for part in kind.named_children if text(part) not in ("undefined", "null")]
    return _drop_undefined(parts[0]) if kind.type == "union_type" and len(parts) == 1 else kind


_NAMING = frozenset({"predefined_type", "union_type", "template_literal_type"})
"""What names members that nothing else declares: any string, some strings."""


def over(types: Mapping[str, Spelling]) -> Mapping[str, Spelling]:
    """Return how types are spelled, mapped types among them."""
    written = types["object_type"]

    def spelled(node: Node, spell: Spell) -> str:
        mapped = clause(node)
        return written(node, spell) if mapped is None else _spell_mapped_type(mapped, spell)

    return {**types, "object_type": spelled}
