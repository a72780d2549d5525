"""PHP: https://www.php.net/manual/en/langref.php."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import lexing
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    no_module,
    text,
)
from leadline_tools.model import Role, SymbolKind

_SOURCE_ROOTS = ("src", "lib")


def _dotted(name: Node | None) -> str:
    return text(name).strip("\\").replace("\\", ".")


def _bare(variable: Node | None) -> Sequence[Node]:
    """Return the name in a variable, without the dollar: so properties are spelled where they are used."""
    return variable.named_children[:1] if variable is not None else ()


def _constants(node: Node) -> Sequence[Node]:
    return [name for child in node.named_children if child.type == "const_element" for name in child.named_children[:1]]


def _properties(node: Node) -> Sequence[Node]:
    elements = [child for child in node.named_children if child.type == "property_element"]
    return [name for element in elements for name in _bare(element.child_by_field_name("name"))]


def _declared_type(node: Node) -> Node | None:
    """Return the class that a parameter or property is declared to be of."""
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type == "optional_type":
        kind = kind.named_children[0] if kind.named_children else None
    return kind.named_children[0] if kind is not None and kind.type == "named_type" else None


def _method_kind(node: Node) -> SymbolKind:
    constructs = text(node.child_by_field_name("name")).lower() == "__construct"
    return SymbolKind.Constructor if constructs else SymbolKind.Method


def _defined_constant(node: Node) -> Sequence[Node]:
    """Return the literal name in ``define('NAME', value)``."""
    if text(node.child_by_field_name("function")).lower() != "define":
        return ()
    arguments = node.child_by_field_name("arguments")
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    string = first.named_children[0] if first is not None and first.named_children else None
    return string.named_children[:1] if string is not None and string.type in ("string", "encapsed_string") else ()


def _call_kind(node: Node) -> SymbolKind | None:
    return SymbolKind.Constant if _defined_constant(node) else None


def _assigned(node: Node) -> Sequence[Node]:
    left = node.child_by_field_name("left")
    return (left,) if left is not None and left.type == "variable_name" else ()


def _iterated(node: Node) -> Sequence[Node]:
    """Return what ``foreach (a as k => v)`` binds: what stands between the iterated and the body."""
    body = node.child_by_field_name("body")
    return [child for child in node.named_children[1:] if child != body]


def _used(node: Node) -> Iterator[Imported]:
    """Read the clauses of a ``use``, grouped or not, with or without ``as``."""
    prefix = next((_dotted(child) for child in node.named_children if child.type == "namespace_name"), "")
    group = node.child_by_field_name("body")
    for clause in (group or node).named_children:
        if clause.type != "namespace_use_clause" or not clause.named_children:
            continue
        path = ".".join(filter(None, (prefix, _dotted(clause.named_children[0]))))
        space, _, name = path.rpartition(".")
        alias = text(clause.child_by_field_name("alias")) or name
        yield Imported(space, name, alias, space=space)


def _included(node: Node) -> Iterator[Imported]:
    """Read ``require 'a.php'`` and ``require __DIR__ . '/a.php'``; any other path is known only when it runs."""
    path = node.named_children[0] if node.named_children else None
    here = ""
    if path is not None and path.type == "binary_expression":
        if text(path.child_by_field_name("left")) != "__DIR__":
            return
        here, path = ".", path.child_by_field_name("right")
    if path is not None and path.type in ("string", "encapsed_string") and path.named_child_count == 1:
        yield Imported(f"{here}{text(path.named_children[0])}", "*", "")


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    if "/" in module or module.endswith(".php"):
        return _file(module, importer, paths)
    return _namespace_files(module, paths) or None


def _file(path: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of an include: beside the includer, from the root, or the only one that ends so."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))
    for form in (beside, posixpath.normpath(path)):
        if paths.exists(form):
            return (form,)
    found = paths.ending(path) if not path.startswith(".") else ()
    return found if len(found) == 1 else ()


def _namespace_files(module: str, paths: Paths) -> Sequence[str]:
    """Return where a namespace may lie: folders are named like it. What is found there tells its namespace."""
    parts = module.split(".")
    folders = dict.fromkeys(("/".join(parts), parts[-1], parts[-1].lower(), *_SOURCE_ROOTS) if module else ())
    found = dict.fromkeys(path for folder in folders for path in paths.inside(folder) if path.endswith(".php"))
    return list(found)


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside: they mostly share the namespace, and tell it."""
    return [other for other in paths.inside(path.rpartition("/")[0]) if other.endswith(".php") and other != path]


def _pair(node: Node) -> Sequence[Node | None]:
    """Read ``A::B``, whose parts the grammar does not name."""
    parts = node.named_children
    return (parts[0], parts[1]) if len(parts) > 1 else (None, None)


def _qualified(node: Node) -> Sequence[Node | None]:
    names = [child for child in node.named_children if child.type == "name"]
    return node.child_by_field_name("prefix"), names[-1] if names else None


def _spaces(node: Node) -> Sequence[Node | None]:
    return node.named_children or (None,)


_PARAMETERS = fields("parameters")
_CLASS = Defines(SymbolKind.Class)

LANGUAGE = Language(
    name="php",
    extensions=(".php", ".phtml"),
    grammar=("tree_sitter_php", "language_php"),
    interpreters=("php",),
    definitions={
        "namespace_definition": Defines(
            SymbolKind.Namespace,
            spell=_dotted,
            rest=True,
            emits=lambda node: node.child_by_field_name("name") is not None,
        ),
        "class_declaration": _CLASS,
        "trait_declaration": _CLASS,
        "interface_declaration": Defines(SymbolKind.Interface),
        "enum_declaration": Defines(SymbolKind.Enum),
        "enum_case": Defines(SymbolKind.EnumMember, body=fields()),
        "const_declaration": Defines(SymbolKind.Constant, name=_constants, body=fields()),
        "property_declaration": Defines(SymbolKind.Property, name=_properties, body=fields(), type=_declared_type),
        "property_promotion_parameter": Defines(
            SymbolKind.Property,
            name=lambda node: _bare(node.child_by_field_name("name")),
            body=fields(),
            type=_declared_type,
            outer=True,
        ),
        "method_declaration": Defines(_method_kind, parameters=_PARAMETERS, head=_PARAMETERS),
        "function_definition": Defines(SymbolKind.Function, parameters=_PARAMETERS),
        "function_call_expression": Defines(_call_kind, name=_defined_constant, body=fields(), top=True),
        "assignment_expression": Defines(SymbolKind.Variable, name=_assigned, body=fields()),
    },
    through=frozenset(
        "expression_statement if_statement else_clause else_if_clause compound_statement colon_block"
        " try_statement".split()
    ),
    module=no_module,
    lexis=lexing.PHP,
    scoping=Scoping(
        identifiers=frozenset({"name", "variable_name"}),
        scopes={
            "namespace_definition": ScopeKind.Namespace,
            "class_declaration": ScopeKind.Class,
            "trait_declaration": ScopeKind.Class,
            "interface_declaration": ScopeKind.Class,
            "enum_declaration": ScopeKind.Class,
            "anonymous_class": ScopeKind.Class,
            "method_declaration": ScopeKind.Function,
            "function_definition": ScopeKind.Function,
            "anonymous_function": ScopeKind.Function,
            "arrow_function": ScopeKind.Function,
            "property_hook": ScopeKind.Function,
        },
        binds={
            "simple_parameter": Binds(fields("name"), type=_declared_type),
            "variadic_parameter": Binds(fields("name")),
            "property_promotion_parameter": Binds(fields("name"), type=_declared_type),
            "assignment_expression": Binds(fields("left"), hoists=True),
            "reference_assignment_expression": Binds(fields("left"), hoists=True),
            "foreach_statement": Binds(_iterated, hoists=True),
            "catch_clause": Binds(fields("name"), hoists=True),
            "static_variable_declaration": Binds(fields("name"), hoists=True),
            "global_declaration": Binds(lambda node: node.named_children, hoists=True),
        },
        members={
            "member_access_expression": ("object", "name"),
            "nullsafe_member_access_expression": ("object", "name"),
            "member_call_expression": ("object", "name"),
            "nullsafe_member_call_expression": ("object", "name"),
            "scoped_call_expression": ("scope", "name"),
            "scoped_property_access_expression": ("scope", "name"),
            "class_constant_access_expression": _pair,
            "qualified_name": _qualified,
            "namespace_name": _spaces,
        },
        roles={
            ("function_call_expression", "function"): Role.Call,
            ("member_call_expression", "name"): Role.Call,
            ("nullsafe_member_call_expression", "name"): Role.Call,
            ("scoped_call_expression", "name"): Role.Call,
            ("object_creation_expression", ""): Role.Call,
            ("named_type", ""): Role.Type,
            ("base_clause", ""): Role.Inherit,
            ("class_interface_clause", ""): Role.Inherit,
            ("use_declaration", ""): Role.Inherit,
            ("attribute", ""): Role.Decorator,
            ("arguments", ""): Role.Read,
            ("assignment_expression", "left"): Role.Write,
            ("reference_assignment_expression", "left"): Role.Write,
            ("augmented_assignment_expression", "left"): Role.Write,
            ("update_expression", "argument"): Role.Write,
        },
        imports={
            "namespace_use_declaration": _used,
            "require_expression": _included,
            "require_once_expression": _included,
            "include_expression": _included,
            "include_once_expression": _included,
        },
        locate=_locate,
        siblings=_siblings,
        spaced=True,
        passes_on=True,
        this=frozenset({"$this", "self", "static"}),
        class_visible=False,
        keys=frozenset({("argument", "name")}),
        opaque=frozenset({"subscript_expression", "function_call_expression"}),
        globals=frozenset({"global_declaration"}),
    ),
)
