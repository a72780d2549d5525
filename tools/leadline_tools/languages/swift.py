"""Swift: https://docs.swift.org/swift-book/documentation/the-swift-programming-language/aboutthelanguagereference/.

Which files make up a module is decided by the build, but for the ``Sources`` folder of a package: what is defined in
another file of the same module is not known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import lexing
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Nodes,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    text,
)
from leadline_tools.model import Role, SymbolKind

_IMPORTED = ("class", "struct", "enum", "protocol", "func", "let", "var", "typealias")
_KINDS = {"struct": SymbolKind.Struct, "enum": SymbolKind.Enum}


def _of(*types: str) -> Nodes:
    """Return a function that gives the children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in types]

    return children


def _first(node: Node) -> Sequence[Node]:
    """Return the name; types stand in fields of the same name behind it."""
    return node.children_by_field_name("name")[:1]


def _type_kind(node: Node) -> SymbolKind:
    return _KINDS.get(text(node.child_by_field_name("declaration_kind")), SymbolKind.Class)


def _is_no_extension(node: Node) -> bool:
    return text(node.child_by_field_name("declaration_kind")) != "extension"


def _without_arguments(name: Node) -> str:
    """Return ``A.B`` of the extended type ``A.B<C>``."""
    if name.type != "user_type":
        return text(name)
    return ".".join(text(part) for part in name.named_children if part.type == "type_identifier")


def _names(node: Node) -> Sequence[Node]:
    """Return the names of the parameters, inside; each may have another outside, and has a type."""
    return [
        name
        for parameter in node.named_children
        if parameter.type == "parameter"
        for name in parameter.children_by_field_name("name")
        if name.type == "simple_identifier"
    ]


def _parameter_name(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("name") if name.type == "simple_identifier"]


def _bound(pattern: Node, binding: bool) -> Iterator[Node]:
    """Yield the names that a pattern binds: those under a ``let`` or ``var``, but for the names of cases."""
    stack = [(pattern, binding)]
    while stack:
        node, binds = stack.pop()
        binds = binds or bool(_of("value_binding_pattern")(node))
        dotted = False
        for child in node.children:
            if child.type == "pattern":
                stack.append((child, binds))
            elif child.type == "simple_identifier" and binds and not dotted:
                yield child
            dotted = child.type == "."


def _declared(node: Node) -> Sequence[Node]:
    names = (name for pattern in _patterns(node) for name in _bound(pattern, binding=True))
    return sorted(names, key=lambda name: name.start_byte)


def _patterns(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("name") if name.type == "pattern"]


def _property_kind(node: Node) -> SymbolKind:
    constant = any(text(child) == "let" for child in _of("value_binding_pattern")(node))
    return SymbolKind.Constant if constant else SymbolKind.Variable


def _property_type(node: Node) -> Node | None:
    annotation = next(iter(_of("type_annotation")(node)), None)
    return None if annotation is None else _type(annotation)


def _type(node: Node) -> Node | None:
    """Return the declared type, without the mark of an optional one."""
    for declared in node.children_by_field_name("name"):
        if declared.type == "optional_type":
            return declared.child_by_field_name("wrapped")
        if declared.type == "user_type":
            return declared
    return None


def _conditions(node: Node) -> Sequence[Node]:
    """Return what ``if let``, ``guard let`` and ``while case let`` bind."""
    names = [*node.children_by_field_name("bound_identifier")]
    for pattern in node.children_by_field_name("condition"):
        if pattern.type == "pattern":
            names.extend(_bound(pattern, binding=False))
    return names


def _matched(node: Node) -> Sequence[Node]:
    return [name for pattern in _of("pattern")(node) for name in _bound(pattern, binding=False)]


def _looped(node: Node) -> Sequence[Node]:
    pattern = node.child_by_field_name("item")
    return () if pattern is None else list(_bound(pattern, binding=True))


def _navigation(node: Node) -> Sequence[Node | None]:
    suffix = node.child_by_field_name("suffix")
    return node.child_by_field_name("target"), suffix.child_by_field_name("suffix") if suffix is not None else None


def _cases(node: Node) -> Sequence[Node | None]:
    """Return the names behind a bare dot as members of a type that is nowhere spelled."""
    names: list[Node | None] = [None]
    dotted = False
    for child in node.children:
        if dotted and child.type == "simple_identifier":
            names.append(child)
        dotted = child.type == "."
    return names


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import A`` and ``import struct A.B``."""
    for path in _of("identifier")(node):
        module, _, name = text(path).rpartition(".")
        if module and _of(*_IMPORTED)(node):
            yield Imported(module, name, name)
        else:
            yield Imported(text(path), "*", "")


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a module of a package; any other may be anywhere."""
    found = [path for path in paths.inside(f"Sources/{module}") if path.endswith(".swift")]
    return found or None


LANGUAGE = Language(
    name="swift",
    extensions=(".swift",),
    grammar=("tree_sitter_swift", "language"),
    definitions={
        "class_declaration": Defines(_type_kind, name=_first, spell=_without_arguments, emits=_is_no_extension),
        "protocol_declaration": Defines(SymbolKind.Interface, name=_first),
        "function_declaration": Defines(SymbolKind.Function, member=SymbolKind.Method, name=_first, parameters=_names),
        "protocol_function_declaration": Defines(SymbolKind.Method, name=_first, parameters=_names),
        "init_declaration": Defines(SymbolKind.Constructor, name=_first, parameters=_names),
        "deinit_declaration": Defines(SymbolKind.Method, name=_of("deinit"), parameters=_names),
        "subscript_declaration": Defines(
            SymbolKind.Method, name=_of("subscript"), body=_of("computed_property"), parameters=_names
        ),
        "macro_declaration": Defines(
            SymbolKind.Function, name=_of("simple_identifier"), body=fields("definition"), parameters=_names
        ),
        "property_declaration": Defines(
            _property_kind,
            member=SymbolKind.Property,
            name=_declared,
            body=fields("computed_value"),
            parameters=fields("computed_value"),  # its inside is that of a function
            type=_property_type,
        ),
        "protocol_property_declaration": Defines(
            SymbolKind.Property, name=_declared, body=fields(), type=_property_type
        ),
        "enum_entry": Defines(SymbolKind.EnumMember, name=_parameter_name, body=fields()),
        "typealias_declaration": Defines(SymbolKind.Class, name=_first, body=fields()),
        "associatedtype_declaration": Defines(SymbolKind.TypeParameter, name=_first, body=fields()),
        "operator_declaration": Defines(SymbolKind.Operator, name=_of("custom_operator"), body=fields()),
    },
    through=frozenset({"statements", "ERROR"}),
    comments=frozenset({"comment", "multiline_comment"}),
    lexis=lexing.SWIFT,
    scoping=Scoping(
        identifiers=frozenset({"simple_identifier", "type_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "class_declaration": ScopeKind.Class,
            "protocol_declaration": ScopeKind.Class,
            "function_declaration": ScopeKind.Function,
            "protocol_function_declaration": ScopeKind.Function,
            "init_declaration": ScopeKind.Function,
            "deinit_declaration": ScopeKind.Function,
            "subscript_declaration": ScopeKind.Function,
            "macro_declaration": ScopeKind.Function,
            "lambda_literal": ScopeKind.Function,
            "computed_property": ScopeKind.Function,
            "computed_getter": ScopeKind.Function,
            "computed_setter": ScopeKind.Function,
            "typealias_declaration": ScopeKind.Block,
            "statements": ScopeKind.Block,
            "if_statement": ScopeKind.Block,
            "while_statement": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "switch_entry": ScopeKind.Block,
            "catch_block": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(_parameter_name, type=_type),
            "lambda_parameter": Binds(_parameter_name, type=_type),
            "capture_list_item": Binds(fields("name")),
            "computed_setter": Binds(_of("simple_identifier")),
            "type_parameter": Binds(_of("type_identifier")),
            "property_declaration": Binds(_declared, type=_property_type),
            "if_statement": Binds(_conditions),
            "guard_statement": Binds(_conditions),
            "while_statement": Binds(_conditions),
            "for_statement": Binds(_looped),
            "switch_pattern": Binds(_matched),
            "catch_block": Binds(_matched),
        },
        members={
            "navigation_expression": _navigation,
            "user_type": _of("type_identifier"),
            "prefix_expression": _cases,
            "pattern": _cases,
            "if_statement": _cases,
            "guard_statement": _cases,
            "while_statement": _cases,
        },
        roles={
            ("call_expression", ""): Role.Call,
            ("inheritance_specifier", ""): Role.Inherit,
            ("attribute", ""): Role.Decorator,
            ("value_argument", ""): Role.Read,
            ("assignment", "target"): Role.Write,
            ("assignment", "result"): Role.Read,
        },
        imports={"import_declaration": _import},
        locate=_locate,
        this=frozenset({"self", "Self"}),
        keys=frozenset(
            {
                ("parameter", "external_name"),
                ("value_argument_label", ""),
                ("tuple_expression", "name"),
                ("enum_type_parameters", ""),
                ("directive", ""),
                ("precedence_group_attribute", ""),
            }
        ),
        opaque=frozenset({"call_expression"}),
    ),
)
