"""Terms of objects of Python that hold others: lists, tuples, dictionaries, iterables, functions.

What an object *holds* is spelled as a type argument of its type, and stands for itself there: a list of classes has no
objects of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node

from leadline_tools.languages.terms import (
    COLLECTION,
    FUNCTION,
    UNKNOWN,
    Spell,
    apply_type_arguments,
    either,
    object_of,
    then,
)


def make_object(name: str, held: Iterable[str]) -> str:
    """Return an object of a type that holds values, which are themselves meant: a list of classes has no objects."""
    return then(apply_type_arguments(name, [then(term, "^") for term in held]), "()")


def make_function(result: str) -> str:
    """Return what gives what a term stands for when it is called."""
    return object_of(apply_type_arguments(FUNCTION, [then(result, "^")])) if result != UNKNOWN else UNKNOWN


def make_iterable(term: str) -> str:
    """Return an object that gives what a term stands for, one after the other."""
    return object_of(apply_type_arguments(COLLECTION, [then(term, "^")])) if term != UNKNOWN else UNKNOWN


def spell_any_of(types: Node, spell: Spell) -> str:
    """Spell a type, or a tuple of which any may be meant."""
    return either(map(spell, types.named_children)) if types.type == "tuple" else spell(types)


def spell_element(term: str) -> str:
    """Return the term of an element of what a term stands for."""
    return then(term, "*")
