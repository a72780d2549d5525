"""Dart: https://dart.dev/language."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages import access
from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import children_of_type, descend, fields, first_child
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_IDENTIFIERS = children_of_type("identifier")


def _last_identifier(node: Node) -> Sequence[Node]:
    """Return the last name of a constructor: ``empty`` of ``Basket.empty``."""
    return _IDENTIFIERS(node)[-1:]


_CONSTRUCTOR = Defines(
    SymbolKind.Constructor, name=_last_identifier, body=fields(), parameters=first_child("formal_parameter_list")
)
_FUNCTION = Defines(
    SymbolKind.Function,
    member=SymbolKind.Method,
    body=fields(),
    parameters=first_child("formal_parameter_list"),
)
_PROPERTY = Defines(SymbolKind.Property, body=fields())
_VARIABLE = Defines(SymbolKind.Variable, member=SymbolKind.Field, name=first_child("identifier"), body=fields())

LANGUAGE = Language(
    name="dart",
    grammar=("tree_sitter_dart", "language"),
    files=FileRules(
        extensions=(".dart",),
        interpreters=("dart",),
        main=("main",),
    ),
    names=NameRules(is_private=access.has_underscore),
    outline=OutlineRules(
        definitions={
            "class_definition": Defines(SymbolKind.Class),
            "enum_declaration": Defines(SymbolKind.Enum),
            "enum_constant": Defines(SymbolKind.EnumMember, body=fields()),
            "mixin_declaration": Defines(
                SymbolKind.Class, name=first_child("identifier"), body=first_child("class_body")
            ),
            "extension_declaration": Defines(SymbolKind.Class),
            "extension_type_declaration": Defines(SymbolKind.Class),
            "type_alias": Defines(SymbolKind.Class, name=first_child("type_identifier"), body=fields()),
            "constructor_signature": _CONSTRUCTOR,
            "constant_constructor_signature": _CONSTRUCTOR,
            "factory_constructor_signature": _CONSTRUCTOR,
            "redirecting_factory_constructor_signature": _CONSTRUCTOR,
            "function_signature": _FUNCTION,
            "operator_signature": Defines(
                SymbolKind.Operator, name=descend(first_child("binary_operator", "unary_operator")), body=fields()
            ),
            "getter_signature": _PROPERTY,
            "setter_signature": _PROPERTY,
            "initialized_identifier": _VARIABLE,
            "static_final_declaration": Defines(
                SymbolKind.Constant, member=SymbolKind.Field, name=first_child("identifier"), body=fields()
            ),
        },
        through=frozenset(
            {
                "declaration",
                "method_signature",
                "initialized_identifier_list",
                "static_final_declaration_list",
                "initialized_variable_definition",
            }
        ),
        comments=frozenset({"comment", "documentation_comment"}),
    ),
)
