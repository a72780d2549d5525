"""Kotlin: https://kotlinlang.org/spec/kotlin-spec.html."""

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
    module_of_folder,
    text,
)
from leadline_tools.model import Role, SymbolKind

_SOURCES = (".kt", ".java")


def _of(*types: str) -> Nodes:
    """Return a function that gives the named children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.named_children if child.type in types]

    return children


def _has(node: Node, *tokens: str) -> bool:
    return any(child.type in tokens for child in node.children)


def _first(node: Node) -> Sequence[Node]:
    return _of("identifier")(node)[:1]


def _modified(node: Node, modifier: str) -> bool:
    return any(text(child) == modifier for modifiers in _of("modifiers")(node) for child in modifiers.named_children)


def _class_kind(node: Node) -> SymbolKind:
    if _has(node, "interface"):
        return SymbolKind.Interface
    return SymbolKind.Enum if _modified(node, "enum") else SymbolKind.Class


def _bodiless(node: Node) -> Sequence[Node]:
    """Return the name in ``annotation class Name`` before the end of a line, which the grammar takes for an infix call.

    No function can be called ``class``.
    """
    names = _of("identifier")(node)
    return names[2:] if len(names) == 3 and text(names[1]) == "class" else ()


def _class_parameters(node: Node) -> Sequence[Node]:
    return [inner for child in _of("primary_constructor")(node) for inner in _of("class_parameters")(child)]


def _class_parameter_kind(node: Node) -> SymbolKind | None:
    """Tell the parameters of a constructor that are properties from those that are not."""
    return SymbolKind.Property if _has(node, "val", "var") else None


def _property_names(node: Node) -> Sequence[Node]:
    declarations = [*_of("variable_declaration")(node)]
    for several in _of("multi_variable_declaration")(node):
        declarations.extend(_of("variable_declaration")(several))
    return [name for declaration in declarations for name in _first(declaration)]


def _property_kind(node: Node) -> SymbolKind:
    return SymbolKind.Constant if _has(node, "val") else SymbolKind.Variable


def _property_type(node: Node) -> Node | None:
    return next((_type(declaration) for declaration in _of("variable_declaration")(node)), None)


def _type(node: Node) -> Node | None:
    """Return the declared type, without the mark of a nullable one."""
    declared = next(iter(_of("user_type", "nullable_type")(node)), None)
    if declared is not None and declared.type == "nullable_type":
        return next(iter(_of("user_type")(declared)), None)
    return declared


def _parameters(node: Node) -> Sequence[Node]:
    """Return the names of the parameters; modifiers stand beside them, not in them."""
    parameters = [child for around in _of("function_value_parameters")(node) for child in _of("parameter")(around)]
    return [name for parameter in parameters for name in _first(parameter)]


def _constructor(node: Node) -> Sequence[Node]:
    return [child for child in node.children if child.type == "constructor"]


def _navigation(node: Node) -> Sequence[Node | None]:
    """Return the object and the member of ``a.b``, ``a?.b`` and ``a::b``."""
    owner, *rest = node.named_children or (None,)
    member = rest[-1] if rest and rest[-1].type == "identifier" else None
    return owner, member


def _named_argument(node: Node) -> Sequence[Node | None]:
    """Return the name of an argument as a member of what is called, which nobody knows here."""
    return (None, *_first(node)) if _has(node, "=") else (None,)


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b.C``, ``import a.b.C as D`` and ``import a.b.*``."""
    for path in _of("qualified_identifier")(node):
        if _has(node, "*"):
            yield Imported(text(path), "*", "")
        else:
            module, _, name = text(path).rpartition(".")
            yield Imported(module, name, text(next(iter(_first(node)), None)) or name)


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a package; its folders may leave out those that all packages of a project share."""
    folder = module.replace(".", "/")
    found = [path for path in paths.inside(folder) if path.endswith(_SOURCES)]
    shortened = folder.partition("/")[2].rpartition("/")[2]
    if not found and shortened and any(path.endswith(_SOURCES) for path in paths.inside(shortened)):
        return None
    return found


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package; a script is in none."""
    folder = path.rpartition("/")[0]
    if not path.endswith(_SOURCES):
        return ()
    return [
        other
        for other in paths.inside(folder)
        if other != path and other.rpartition("/")[0] == folder and other.endswith(_SOURCES)
    ]


LANGUAGE = Language(
    name="kotlin",
    extensions=(".kt", ".kts"),
    grammar=("tree_sitter_kotlin", "language"),
    definitions={
        "package_header": Defines(SymbolKind.Package, name=_of("qualified_identifier"), body=fields()),
        "class_declaration": Defines(_class_kind, body=_of("class_body", "enum_class_body"), head=_class_parameters),
        "infix_expression": Defines(
            lambda node: SymbolKind.Class if _bodiless(node) else None, name=_bodiless, body=fields()
        ),
        "class_parameter": Defines(_class_parameter_kind, name=_first, body=fields(), type=_type),
        "object_declaration": Defines(SymbolKind.Object, body=_of("class_body")),
        "companion_object": Defines(
            SymbolKind.Object, body=_of("class_body"), emits=lambda node: bool(node.child_by_field_name("name"))
        ),
        "enum_entry": Defines(SymbolKind.EnumMember, name=_first, body=_of("class_body")),
        "function_declaration": Defines(
            SymbolKind.Function,
            member=SymbolKind.Method,
            body=_of("function_body"),
            parameters=_parameters,
        ),
        "secondary_constructor": Defines(
            SymbolKind.Constructor, name=_constructor, body=_of("block"), parameters=_parameters
        ),
        "property_declaration": Defines(
            _property_kind, member=SymbolKind.Property, name=_property_names, body=fields(), type=_property_type
        ),
        "type_alias": Defines(SymbolKind.Class, name=fields("type"), body=fields(), type=_type),
    },
    through=frozenset({"block", "ERROR"}),
    wrappers=frozenset({"annotated_expression"}),
    comments=frozenset({"line_comment", "block_comment"}),
    module=module_of_folder,
    relatives="java",
    lexis=lexing.KOTLIN,
    scoping=Scoping(
        identifiers=frozenset({"identifier"}),
        scopes={
            "class_declaration": ScopeKind.Class,
            "object_declaration": ScopeKind.Class,
            "companion_object": ScopeKind.Class,
            "object_literal": ScopeKind.Class,
            "enum_entry": ScopeKind.Class,
            "function_declaration": ScopeKind.Function,
            "anonymous_function": ScopeKind.Function,
            "secondary_constructor": ScopeKind.Function,
            "anonymous_initializer": ScopeKind.Function,
            "getter": ScopeKind.Function,
            "setter": ScopeKind.Function,
            "lambda_literal": ScopeKind.Detached,
            "block": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "catch_block": ScopeKind.Block,
            "when_expression": ScopeKind.Block,
            "type_alias": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(_first, type=_type),
            "class_parameter": Binds(_first, type=_type),
            "setter": Binds(_first),
            "variable_declaration": Binds(_first, type=_type),
            "catch_block": Binds(_first, type=_type),
            "type_parameter": Binds(_first),
        },
        members={
            "navigation_expression": _navigation,
            "user_type": _of("identifier"),
            "value_argument": _named_argument,
        },
        roles={
            ("call_expression", ""): Role.Call,
            ("user_type", ""): Role.Type,
            ("annotation", ""): Role.Decorator,
            ("file_annotation", ""): Role.Decorator,
            ("delegation_specifier", ""): Role.Inherit,
            ("value_arguments", ""): Role.Read,
            ("assignment", "left"): Role.Write,
        },
        imports={"import": _import},
        imports_members=True,
        locate=_locate,
        siblings=_siblings,
        this=frozenset({"this"}),
        keys=frozenset({("return_expression", "label"), ("package_header", ""), ("labeled_expression", "")}),
        opaque=frozenset({"index_expression"}),
    ),
)
