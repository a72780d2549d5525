"""Java: https://docs.oracle.com/javase/specs/."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking, lexing
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
    module_of_folder,
    text,
)
from leadline_tools.model import Role, SymbolKind

_SOURCE_SET = re.compile(r"(?P<sets>(?:.*/)?src/)[^/]+/java/(?P<package>.+)")
"""Where a package lies below https://maven.apache.org/guides/introduction/introduction-to-the-standard-directory-layout.html."""

_ROOT = re.compile(r"(.*/)?src/[^/]+/java")
"""A folder that no package spells, though it is named like one."""


def _declared(node: Node) -> Sequence[Node]:
    """Return the names of a declaration of fields or local variables."""
    declarators = node.children_by_field_name("declarator")
    return [name for declarator in declarators for name in declarator.children_by_field_name("name")]


def _field_kind(node: Node) -> SymbolKind:
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    spelled = {child.type for child in modifiers.children} if modifiers is not None else set[str]()
    return SymbolKind.Constant if {"static", "final"} <= spelled else SymbolKind.Field


def _named(kind: Node | None) -> Node | None:
    """Return the name of a type, without its arguments."""
    if kind is not None and kind.type == "generic_type":
        kind = kind.named_children[0] if kind.named_children else None
    return kind if kind is not None and kind.type in ("type_identifier", "scoped_type_identifier") else None


def _type(node: Node) -> Node | None:
    """Return the name of the declared type; for ``var`` that of the class of the new object."""
    kind = _named(node.child_by_field_name("type"))
    if kind is None or text(kind) != "var":
        return kind
    declarators = node.children_by_field_name("declarator") or [node]
    value = declarators[0].child_by_field_name("value")
    created = value is not None and value.type == "object_creation_expression" and len(declarators) == 1
    return _named(value.child_by_field_name("type")) if value is not None and created else None


def _first_type(node: Node) -> Node | None:
    """Return the name of the type that stands first in a pattern or a variadic parameter."""
    return next((_named(child) for child in node.named_children if child.type != "modifiers"), None)


def _caught(node: Node) -> Node | None:
    """Return the only type that a clause catches."""
    types = next((child for child in node.named_children if child.type == "catch_type"), None)
    return _named(types.named_children[0]) if types is not None and types.named_child_count == 1 else None


def _instance(node: Node) -> Node | None:
    return _named(node.child_by_field_name("right"))


def _last(kind: str) -> Nodes:
    """Return a function that gives the last child of a node where it is a ``kind``."""
    return lambda node: [child for child in node.named_children[-1:] if child.type == kind]


def _variadic(node: Node) -> Sequence[Node]:
    return [
        name
        for child in node.named_children
        if child.type == "variable_declarator"
        for name in child.children_by_field_name("name")
    ]


def _inferred(node: Node) -> Sequence[Node]:
    """Return the parameters of a lambda that spells no types."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None or parameters.type == "formal_parameters":
        return ()
    return (parameters,) if parameters.type == "identifier" else parameters.named_children


def _ends(node: Node) -> Sequence[Node | None]:
    """Return the first and the last child: the grammar names no fields in ``a.B`` and ``a::b``."""
    children = [child for child in node.named_children if "annotation" not in child.type]
    return (children[0], children[-1]) if len(children) > 1 else (None, None)


def _import(node: Node) -> Iterator[Imported]:
    """Read an import declaration: a type of a package, a static member of a type, or all of either."""
    path = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
    if path is None:
        return
    written = "".join(text(path).split())
    if any(child.type == "asterisk" for child in node.named_children):
        yield Imported(written, "*", "")
        return
    package, _, name = written.rpartition(".")
    if package:
        yield Imported(package, name, name)


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return the files of a package: those in the folders that its name spells below any root of sources."""
    inside = paths.inside(module.replace(".", "/")) if module else ()
    return [path for path in inside if path.endswith(".java") and _ROOT.fullmatch(path.rpartition("/")[0]) is None]


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package, those of the other source sets of a Maven module too."""
    folder = path.rpartition("/")[0]
    inside = paths.inside(folder) if folder else ()
    found = [file for file in inside if file.rpartition("/")[0] == folder]
    if (here := _SOURCE_SET.fullmatch(folder)) is not None:
        for file in paths.inside(here["package"]):
            there = _SOURCE_SET.fullmatch(file.rpartition("/")[0])
            if there is not None and there["sets"] == here["sets"] and file not in found:
                found.append(file)
    return [file for file in found if file != path and file.endswith(".java")]


_PARAMETERS = fields("parameters")
_CALLABLE = Defines(SymbolKind.Method, parameters=_PARAMETERS)
_CONSTRUCTOR = Defines(SymbolKind.Constructor, parameters=_PARAMETERS)
_FIELDS = Defines(_field_kind, name=_declared, body=fields(), type=_type)

# --- What the index does without

_INERT = (
    rb"""\"(?:\"\"[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*+\"\"\"|(?!"")[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")"""
    rb"|'(?:[^'\\\n]|\\.)[^'\\\n]*+'|/(?:/[^\n]*+|\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/|(?![/*]))"
)
"""A string, a character, a comment, or a slash that begins none."""

_ARGUMENTS = blanking.nested(rb"<", rb"[^<>(){};=\"'/\n]++", rb">")
_WORD = rb"(?!record\b)[\w$.\x80-\xff]++(?:" + _ARGUMENTS + rb")?+(?:\[\])*+[ \t]++(?:" + _ARGUMENTS + rb"[ \t]*+)?+"
_HEAD = rb"[ \t]*+(?:@[\w.]++[ \t]++)*+" + _WORD + rb"(?:@?" + _WORD + rb")*[\w$\x80-\xff]++[ \t]*+\("
"""A line that begins with a type or modifier, the name and the parenthesis of a method: a constant of an enumeration,
whose body is that of a class, has no word before its name, and the header of a record has another."""

_NEXT_BODY = (
    rb"(?:[^\n\"'/]++|" + _INERT + rb"|\n(?!" + _HEAD + rb"))*+\n"
    rb"(?:" + _HEAD + rb"(?:[^(){};\"'/]++|\([^(){};\"'/]*+\))*+\)\s*+(?:throws\b[^(){};=\"'/]*+)?+"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/") + rb"))?+"
)
_TYPE = re.compile(
    rb"(?:class(?<![\w.]class)|interface(?<!\winterface)|enum(?<!\wenum)|record(?<!\wrecord)(?=\s+[\w$\x80-\xff]|/))"
    rb"(?=[\s/])"
)


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether a body may define a type: nothing else in it is a symbol."""
    body = found["body"]
    typed = b"class" in body or b"interface" in body or b"enum" in body or b"record" in body
    return typed and _TYPE.search(body) is not None


def _blanked(content: bytes) -> bytes:
    """Blank the bodies of methods and constructors without types."""
    return blanking.blanked(content, _NEXT_BODY, _defines)


LANGUAGE = Language(
    name="java",
    extensions=(".java",),
    grammar=("tree_sitter_java", "language"),
    definitions={
        "module_declaration": Defines(SymbolKind.Module),
        "class_declaration": Defines(SymbolKind.Class),
        "record_declaration": Defines(SymbolKind.Class, head=_PARAMETERS),
        "formal_parameter": Defines(SymbolKind.Field, body=fields(), type=_type),  # of a record: others are not entered
        "interface_declaration": Defines(SymbolKind.Interface),
        "annotation_type_declaration": Defines(SymbolKind.Interface),
        "enum_declaration": Defines(SymbolKind.Enum),
        "enum_constant": Defines(SymbolKind.EnumMember),
        "method_declaration": _CALLABLE,
        "annotation_type_element_declaration": Defines(SymbolKind.Method, parameters=fields(), body=fields()),
        "constructor_declaration": _CONSTRUCTOR,
        "compact_constructor_declaration": _CONSTRUCTOR,
        "field_declaration": _FIELDS,
        "constant_declaration": Defines(SymbolKind.Constant, name=_declared, body=fields(), type=_type),
    },
    through=frozenset({"enum_body_declarations"}),
    comments=frozenset({"block_comment", "line_comment"}),
    module=module_of_folder,
    lexis=lexing.JAVA,
    blanked=_blanked,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "type_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "class_declaration": ScopeKind.Block,
            "record_declaration": ScopeKind.Block,
            "interface_declaration": ScopeKind.Block,
            "class_body": ScopeKind.Class,
            "interface_body": ScopeKind.Class,
            "annotation_type_body": ScopeKind.Class,
            "enum_body": ScopeKind.Class,
            "method_declaration": ScopeKind.Function,
            "constructor_declaration": ScopeKind.Function,
            "compact_constructor_declaration": ScopeKind.Function,
            "lambda_expression": ScopeKind.Function,
            "block": ScopeKind.Block,
            "constructor_body": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "enhanced_for_statement": ScopeKind.Block,
            "try_with_resources_statement": ScopeKind.Block,
            "catch_clause": ScopeKind.Block,
            "switch_block": ScopeKind.Block,
            "switch_rule": ScopeKind.Block,
            "switch_block_statement_group": ScopeKind.Block,
        },
        binds={
            "formal_parameter": Binds(fields("name"), type=_type),
            "spread_parameter": Binds(_variadic),
            "catch_formal_parameter": Binds(fields("name"), type=_caught),
            "lambda_expression": Binds(_inferred),
            "local_variable_declaration": Binds(_declared, type=_type),
            "field_declaration": Binds(_declared, type=_type),
            "enhanced_for_statement": Binds(fields("name"), type=_type),
            "resource": Binds(fields("name"), type=_type),
            "instanceof_expression": Binds(fields("name"), type=_instance),
            "type_pattern": Binds(_last("identifier"), type=_first_type),
            "record_pattern_component": Binds(_last("identifier"), type=_first_type),
            "type_parameter": Binds(lambda node: [n for n in node.named_children if n.type == "type_identifier"][:1]),
        },
        members={
            "method_invocation": ("object", "name"),
            "field_access": ("object", "field"),
            "scoped_identifier": ("scope", "name"),
            "scoped_type_identifier": _ends,
            "method_reference": _ends,
        },
        roles={
            ("method_invocation", "name"): Role.Call,
            ("method_invocation", "arguments"): Role.Read,
            ("object_creation_expression", "type"): Role.Call,
            ("object_creation_expression", "arguments"): Role.Read,
            ("class_declaration", "superclass"): Role.Inherit,
            ("class_declaration", "interfaces"): Role.Inherit,
            ("record_declaration", "interfaces"): Role.Inherit,
            ("enum_declaration", "interfaces"): Role.Inherit,
            ("extends_interfaces", ""): Role.Inherit,
            ("type_arguments", ""): Role.Type,
            ("marker_annotation", "name"): Role.Decorator,
            ("annotation", "name"): Role.Decorator,
            ("annotation", "arguments"): Role.Read,
            ("assignment_expression", "left"): Role.Write,
            ("update_expression", ""): Role.Write,
            ("element_value_pair", "key"): Role.Other,
        },
        imports={"import_declaration": _import},
        ambient=(Imported("java.lang", "*", ""),),
        imports_members=True,
        locate=_locate,
        siblings=_siblings,
        this=frozenset({"this"}),
        calls_apart=True,
        keys=frozenset(
            {
                ("element_value_pair", "key"),
                ("package_declaration", ""),
                ("labeled_statement", ""),
                ("break_statement", ""),
                ("continue_statement", ""),
            }
        ),
        opaque=frozenset({"array_access"}),
    ),
)
