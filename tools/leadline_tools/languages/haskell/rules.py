"""Haskell: https://www.haskell.org/onlinereport/haskell2010/."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import descend, fields, first_child, text, the_node
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_DECLARED = {SymbolKind.Interface: SymbolKind.Method, SymbolKind.Class: SymbolKind.Method}


def _list_function_name(node: Node) -> Sequence[Node]:
    """Return the name of a function: that before its patterns, or the operator between two of them."""
    named = node.children_by_field_name("name") or descend(first_child("infix"), fields("operator"))(node)
    return descend(lambda name: first_child("operator")(name) or (name,))(named[0]) if named else ()


def _first_equation(node: Node) -> bool:
    """Return whether what is defined here is not the next equation of the function before, and follows no signature."""
    before = node.prev_named_sibling
    while before is not None and "comment" in before.type:
        before = before.prev_named_sibling
    return before is None or before.type not in ("function", "bind", "signature") or _name_of(before) != _name_of(node)


def _name_of(node: Node) -> str:
    return text(next(iter(_list_function_name(node)), None))


def _instance_type(node: Node) -> str:
    """Return the types for which an instance is declared."""
    return " ".join(text(part) for part in node.children_by_field_name("patterns"))


_FUNCTION = Defines(
    SymbolKind.Function, member=SymbolKind.Method, name=_list_function_name, body=fields(), emits=_first_equation
)
_SYNONYM = Defines(SymbolKind.Class, body=fields())

LANGUAGE = Language(
    name="haskell",
    grammar=("tree_sitter_haskell", "language"),
    files=FileRules(
        extensions=(".hs", ".lhs"),
        interpreters=("runhaskell", "runghc"),
    ),
    outline=OutlineRules(
        definitions={
            "data_type": Defines(SymbolKind.Struct, body=the_node),
            "newtype": Defines(SymbolKind.Struct, body=the_node),
            "record": Defines(SymbolKind.Constructor, body=fields("fields")),
            "prefix": Defines(SymbolKind.Constructor, body=fields()),
            "newtype_constructor": Defines(SymbolKind.Constructor, body=fields("field")),
            "field_name": Defines(SymbolKind.Field, name=first_child("variable"), body=fields()),
            "type_synonym": _SYNONYM,
            "type_family": _SYNONYM,
            "data_family": _SYNONYM,
            "class": Defines(SymbolKind.Interface, body=fields("declarations")),
            "instance": Defines(
                SymbolKind.Class, name=fields("name"), container=_instance_type, body=fields("declarations")
            ),
            "function": _FUNCTION,
            "bind": _FUNCTION,
            "signature": _FUNCTION,
            "foreign_import": Defines(SymbolKind.Function, name=descend(fields("signature"), fields("name"))),
        },
        through=frozenset(
            {
                "declarations",
                "data_constructors",
                "data_constructor",
                "gadt_constructors",
                "field",
                "fields",
                "declaration",
            }
        ),
        comments=frozenset({"comment", "haddock"}),
    ),
)
