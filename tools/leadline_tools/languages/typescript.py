"""TypeScript and TSX: https://www.typescriptlang.org/docs/handbook/, which have no other specification."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tree_sitter import Node

from leadline_tools.languages import javascript, lexing
from leadline_tools.languages.language import Binds, Defines, Language, ScopeKind, Scoping, fields, text
from leadline_tools.model import Role, SymbolKind

_MODIFIERS = frozenset({"accessibility_modifier", "override_modifier", "readonly"})


def _named(node: Node | None) -> Node | None:
    """Return the name of a type, without its arguments."""
    if node is not None and node.type == "type_annotation":
        node = node.named_children[0] if node.named_children else None
    if node is not None and node.type == "generic_type":
        node = node.child_by_field_name("name")
    return node if node is not None and node.type in ("type_identifier", "nested_type_identifier") else None


def _type(node: Node) -> Node | None:
    """Return the name of the declared type, or of the class of the new object, of a field, parameter or variable."""
    declared = node.child_by_field_name("type")
    return _named(declared) if declared is not None else None


def _field_type(node: Node) -> Node | None:
    if node.child_by_field_name("type") is not None:
        return _type(node)
    return javascript.constructor_of(node)


def _variable_type(node: Node) -> Node | None:
    """Return the type of the only name of a declaration."""
    declared = [child for child in node.named_children if child.type == "variable_declarator"]
    if len(declared) == 1 and declared[0].child_by_field_name("type") is not None:
        return _type(declared[0]) if text(declared[0].child_by_field_name("name")).isidentifier() else None
    return javascript.created(node)


def _parameter_type(node: Node) -> Node | None:
    pattern = node.child_by_field_name("pattern")
    return _type(node) if pattern is not None and pattern.type == "identifier" else None


def _parameter_kind(node: Node) -> SymbolKind | None:
    """Tell a parameter that declares a property: ``constructor(private readonly name: string)``."""
    return SymbolKind.Property if any(child.type in _MODIFIERS for child in node.children) else None


def _pattern(node: Node) -> Sequence[Node]:
    return javascript.pattern_names(node)


def _alias_body(node: Node) -> Sequence[Node]:
    return [value for value in node.children_by_field_name("value") if value.type == "object_type"]


def _module_kind(node: Node) -> SymbolKind:
    """Tell a module, which is named by a string, from a namespace."""
    name = node.child_by_field_name("name")
    return SymbolKind.Module if name is not None and name.type == "string" else SymbolKind.Namespace


def _alias_of(node: Node) -> Node | None:
    """Return what ``import a = b.c`` stands for."""
    return node.named_children[1] if len(node.named_children) > 1 else None


_PARAMETERS = fields("parameters")
_SIGNATURE = Defines(SymbolKind.Method, parameters=_PARAMETERS, spell=javascript.unquoted)
_MEMBER = Defines(SymbolKind.EnumMember, body=fields(), spell=javascript.unquoted)
_NAMESPACE = Defines(_module_kind, spell=javascript.unquoted)
_PROPERTY_PARAMETER = Defines(_parameter_kind, name=_pattern, body=fields(), outer=True, type=_parameter_type)

_DEFINITIONS = {
    **javascript.DEFINITIONS,
    "variable_declarator": replace(javascript.DEFINITIONS["variable_declarator"], type=_field_type),
    "method_definition": replace(javascript.DEFINITIONS["method_definition"], head=_PARAMETERS),
    "required_parameter": _PROPERTY_PARAMETER,
    "optional_parameter": _PROPERTY_PARAMETER,
    "function_signature": Defines(SymbolKind.Function, parameters=_PARAMETERS, body=fields()),
    "abstract_class_declaration": Defines(SymbolKind.Class),
    "interface_declaration": Defines(SymbolKind.Interface),
    "type_alias_declaration": Defines(
        SymbolKind.Class, body=_alias_body, type=lambda n: _named(n.child_by_field_name("value"))
    ),
    "enum_declaration": Defines(SymbolKind.Enum),
    "property_identifier": replace(_MEMBER, name=lambda node: (node,), local=False),  # an arrow may give one
    "enum_assignment": _MEMBER,
    "internal_module": _NAMESPACE,
    "module": _NAMESPACE,
    "public_field_definition": Defines(
        javascript.member_kind,
        body=javascript.value_body,
        parameters=javascript.value_parameters,
        spell=javascript.unquoted,
        type=_field_type,
    ),
    "property_signature": Defines(SymbolKind.Property, body=fields(), spell=javascript.unquoted, type=_type),
    "method_signature": _SIGNATURE,
    "abstract_method_signature": _SIGNATURE,
}

_SCOPING = Scoping(
    identifiers=javascript.IDENTIFIERS | {"type_identifier"},
    types=frozenset({"type_identifier"}),
    scopes={
        **javascript.SCOPES,
        "abstract_class_declaration": ScopeKind.Block,
        "interface_declaration": ScopeKind.Block,
        "type_alias_declaration": ScopeKind.Block,
        "interface_body": ScopeKind.Class,
        "object_type": ScopeKind.Class,
        "enum_body": ScopeKind.Class,
        "internal_module": ScopeKind.Module,
        "module": ScopeKind.Module,
        "public_field_definition": ScopeKind.Function,
        "property_signature": ScopeKind.Block,
        "index_signature": ScopeKind.Block,
        "conditional_type": ScopeKind.Block,
        "tuple_type": ScopeKind.Block,
        "function_signature": ScopeKind.Function,
        "method_signature": ScopeKind.Function,
        "abstract_method_signature": ScopeKind.Function,
        "call_signature": ScopeKind.Function,
        "construct_signature": ScopeKind.Function,
        "function_type": ScopeKind.Function,
        "constructor_type": ScopeKind.Function,
    },
    binds={
        **{kind: binds for kind, binds in javascript.BINDS.items() if kind != "formal_parameters"},
        "required_parameter": Binds(_pattern, type=_parameter_type),
        "optional_parameter": Binds(_pattern, type=_parameter_type),
        "lexical_declaration": replace(javascript.BINDS["lexical_declaration"], type=_variable_type),
        "variable_declaration": replace(javascript.BINDS["variable_declaration"], type=_variable_type),
        "type_parameter": Binds(fields("name")),
        "mapped_type_clause": Binds(fields("name")),
        "infer_type": Binds(lambda node: node.named_children[:1]),
        "import_alias": Binds(lambda node: node.named_children[:1], type=_alias_of),
    },
    members={
        "member_expression": ("object", "property"),
        "nested_identifier": ("object", "property"),
        "nested_type_identifier": ("module", "name"),
    },
    roles={
        **javascript.ROLES,
        ("extends_clause", ""): Role.Inherit,
        ("implements_clause", ""): Role.Inherit,
        ("extends_type_clause", ""): Role.Inherit,
        ("type_annotation", ""): Role.Type,
        ("type_arguments", ""): Role.Type,
        ("type_query", ""): Role.Read,
    },
    imports={**javascript.IMPORTS},
    exports=javascript.exports,
    locate=javascript.locate,
    this=frozenset({"this"}),
    class_visible=False,
    keys=javascript.KEYS
    | {
        ("public_field_definition", "name"),
        ("property_signature", "name"),
        ("method_signature", "name"),
        ("abstract_method_signature", "name"),
        ("enum_body", "name"),
        ("enum_assignment", "name"),
        ("index_signature", "name"),
    },
    opaque=javascript.OPAQUE,
)

_TYPE = re.compile(
    rb"(?:interface(?<![\w$.]interface)|enum(?<![\w$.]enum)|namespace(?<![\w$.]namespace)|type(?<![\w$.]type))"
    rb"(?=\s+[\w$\x80-\xff]|\s*/)"
)


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether in a block may be what JavaScript defines, or a type."""
    body = found["body"]
    typed = b"type" in body or b"interface" in body or b"enum" in body or b"namespace" in body
    return javascript.defines(found) or (typed and _TYPE.search(body) is not None)


_TYPESCRIPT = Language(
    name="typescript",
    extensions=(".ts", ".mts", ".cts"),
    grammar=("tree_sitter_typescript", "language_typescript"),
    interpreters=("ts-node", "tsx"),
    definitions=_DEFINITIONS,
    through=javascript.THROUGH,
    wrappers=frozenset({"export_statement", "ambient_declaration"}),
    prefixes=frozenset({"decorator"}),
    comments=javascript.COMMENTS,
    module=javascript.module,
    lexis=lexing.JAVASCRIPT,
    blanked=lambda content: javascript.blanked(content, javascript.NEXT_BODY_WITHOUT_MARKUP, _defines),
    scoping=_SCOPING,
    relatives="javascript",
)

LANGUAGES = (
    _TYPESCRIPT,
    replace(
        _TYPESCRIPT,
        name="tsx",
        extensions=(".tsx",),
        grammar=("tree_sitter_typescript", "language_tsx"),
        interpreters=(),
        blanked=lambda content: javascript.blanked(content, javascript.NEXT_BODY, _defines),
    ),
)
