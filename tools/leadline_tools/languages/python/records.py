"""Records of Python: classes whose constructors take their fields, such as data classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import root_of, text
from leadline_tools.languages.python.calls import COPYING, is_called, list_positional
from leadline_tools.languages.python.generics import list_type_parameters, spell_fields
from leadline_tools.languages.rules.calls import Records
from leadline_tools.languages.terms import Spell
from leadline_tools.lazy_regex import lazy_compile

RECORDS: Final[Records] = Records(
    decorators=frozenset("dataclass define mutable frozen attrs s attributes".split()),
    bases=frozenset("NamedTuple TypedDict BaseModel BaseSettings Struct".split()),
    transformer="dataclass_transform",
    metaclass="metaclass",
    mappings=frozenset({"TypedDict"}),
    caller="__call__",
)
"""What makes types of fields: of ``dataclasses``, ``typing``, attrs, pydantic and msgspec."""

_TAKES_FIELDS = lazy_compile(
    r"@(?:\w+\.)*(?:attributes|attrs|dataclass|define|frozen|mutable|s)\b"
    r"|\bclass\b[^(]*\((?:[^()]*[,\s.])?(?:BaseModel|BaseSettings|NamedTuple|Struct|TypedDict)\b"
)

_COLLECTING: Final = lazy_compile(r"[(,](?:\s|#[^\n]*\n)*\*\*\s*(\w+)")


def find_collecting_parameter(head: str) -> str:
    """Return the parameter of a function that takes named arguments under any name."""
    found = _COLLECTING.search(head)
    return found[1] if found is not None else ""


def takes_fields(declaration: str) -> bool:
    """Return whether a class is made of its fields: of ``dataclasses``, ``typing``, and what works like them."""
    return _TAKES_FIELDS.search(declaration) is not None


_COPIED_BY_NAME: Final = lazy_compile(rb"^[ \t]*from (?:attrs?|copy|dataclasses) import ", re.MULTILINE)


def bind_copied_fields(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the fields to which ``dataclasses.replace(object, field=value)`` gives other values."""
    if not is_called(node, COPYING):
        return
    arguments = node.child_by_field_name("arguments")
    given = list_positional(arguments)
    if arguments is None or len(given) != 1 or not _copies(node):
        return
    term = spell(given[0])
    for keyword in arguments.named_children if term != terms.UNKNOWN else ():
        name = keyword.child_by_field_name("name") if keyword.type == "keyword_argument" else None
        if name is not None:
            yield name, term


def _copies(call: Node) -> bool:
    """Return whether a function of a library is called by its module, or by a name that the file imports."""
    if "." in text(call.child_by_field_name("function")):
        return True
    return _imports_copying(root_of(call))


@lru_cache(1)
def _imports_copying(root: Node) -> bool:
    """Return whether a file imports a function that copies, by its root node: it may call one a thousand times."""
    return _COPIED_BY_NAME.search(root.text or b"") is not None


def spell_field_parameters(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a generic class is made of whose objects take their fields."""
    body, around = node.child_by_field_name("body"), node.parent
    whole = around if around is not None and around.type == "decorated_definition" else node
    if body is None or not list_type_parameters(node):
        return terms.UNKNOWN
    head = (whole.text or b"")[: body.start_byte - whole.start_byte].decode(errors="replace")
    return spell_fields(body, spell) if takes_fields(head) else terms.UNKNOWN
