"""Meanings of the nodes of a language to the walk.

The *meaning* of a node follows from its type: a rule by which it defines something, or what else the walk does with it.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.rules.outline import Defines


class Part(Enum):
    """What a node is to the walk, unless it defines something."""

    Comment = auto()
    Prefix = auto()
    Wrapper = auto()
    Through = auto()
    Import = auto()
    Borrow = auto()
    Nothing = auto()


COMMENT: Final = Part.Comment
PREFIX: Final = Part.Prefix
WRAPPER: Final = Part.Wrapper
THROUGH: Final = Part.Through
IMPORT: Final = Part.Import
BORROW: Final = Part.Borrow
NOTHING: Final = Part.Nothing


class ImportBesides:
    """What a node is to the walk that imports or exports something as well."""

    __slots__ = ("besides",)

    def __init__(self, besides: Defines | Part) -> None:
        self.besides = besides


Meaning = Defines | Part | ImportBesides

_MEANINGS: Final[dict[str, dict[int, Meaning]]] = {}


def known_meanings(language: Language) -> dict[int, Meaning]:
    """Return the meanings of the nodes that were met so far, by the grammar's number of their type."""
    return _MEANINGS.setdefault(language.name, {})


def find_meaning(node: Node, language: Language) -> Meaning:
    """Return what nodes of this type mean in the language."""
    kind, semantics = node.type, language.semantics
    imports = semantics is not None and kind in semantics.imports.statements and kind not in semantics.imports.including
    if kind in language.outline.comments:
        meaning: Defines | Part = COMMENT
    elif kind in language.outline.prefixes:
        meaning = PREFIX
    elif kind in language.outline.definitions:
        meaning = language.outline.definitions[kind]
    elif kind in language.outline.wrappers:
        meaning = WRAPPER
    elif kind in language.outline.through:
        meaning = THROUGH
    elif semantics is not None and kind in semantics.scopes.globals:
        meaning = BORROW
    else:
        meaning = IMPORT if imports else NOTHING
    return ImportBesides(meaning) if imports and meaning is not IMPORT else meaning
