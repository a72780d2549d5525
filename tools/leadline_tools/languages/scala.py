"""Scala: https://docs.scala-lang.org/scala3/reference/, and https://scala-lang.org/files/archive/spec/2.13/."""

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

_SOURCES = (".scala", ".java")
_STABLE = frozenset({"stable_identifier", "type_arguments", "interpolated_string_expression"})
_NAMES = frozenset({"identifier", "identifiers"})


def _of(*types: str) -> Nodes:
    """Return a function that gives the children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in types]

    return children


def _function_kind(node: Node) -> SymbolKind:
    return SymbolKind.Constructor if text(node.child_by_field_name("name")) == "this" else SymbolKind.Function


def _parameters(node: Node) -> Sequence[Node]:
    return [child for child in node.children_by_field_name("parameters") if child.type == "parameters"]


def _parameter_kind(node: Node) -> SymbolKind:
    return SymbolKind.Property if _of("val", "var")(node) else SymbolKind.Field


def _of_case_class(around: Node, kind: SymbolKind) -> SymbolKind | None:
    """Tell the parameters of a class that are its members: those with ``val``, and all of a case class."""
    case = around.type == "full_enum_case" or bool(_of("case")(around))
    return SymbolKind.Property if case or kind is SymbolKind.Property else None


def _extensions(node: Node) -> Sequence[Node]:
    """Return what holds the methods: the extension itself, or the braces in it."""
    return [body for body in node.children_by_field_name("body") if body.type == "template_body"] or (node,)


def _variables(pattern: Node | None) -> Iterator[Node]:
    """Yield the variables of a pattern: the names that begin in lower case."""
    stack = [] if pattern is None else [pattern]
    while stack:
        node = stack.pop()
        if node.type == "identifier":
            if text(node)[:1].islower() or text(node)[:1] == "_":
                yield node
        elif node.type not in _STABLE:
            first = 1 if node.type == "named_pattern" else 0
            skipped = {child.id for child in (*fields("type", "operator")(node), *node.named_children[:first])}
            stack.extend(child for child in node.named_children if child.id not in skipped)


def _declared(node: Node) -> Sequence[Node]:
    """Return what ``val`` and ``var`` declare: plain names, or the variables of a pattern."""
    pattern = node.child_by_field_name("pattern")
    if pattern is None:
        return [name for name in node.children_by_field_name("name") if name.type == "identifier"]
    if pattern.type == "identifier":
        return (pattern,)
    if pattern.type == "identifiers":
        return [name for name in pattern.named_children if name.type == "identifier"]
    return sorted(_variables(pattern), key=lambda name: name.start_byte)


def _type(node: Node) -> Node | None:
    """Return the declared type, without its arguments."""
    declared = node.child_by_field_name("type")
    return (
        declared.child_by_field_name("type") if declared is not None and declared.type == "generic_type" else declared
    )


def _lambda(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("parameters") if name.type == "identifier"]


def _enumerated(node: Node) -> Sequence[Node]:
    """Return what ``p <- xs`` and ``p = x`` bind."""
    pattern = next(iter(node.named_children), None)
    return () if pattern is None or pattern.type == "guard" else list(_variables(pattern))


def _matched(node: Node) -> Sequence[Node]:
    return list(_variables(node.child_by_field_name("pattern")))


def _named_arguments(node: Node) -> Sequence[Node | None]:
    """Return the names of arguments as members of what is called, which nobody knows here."""
    assigned = (child.child_by_field_name("left") for child in _of("assignment_expression")(node))
    return (None, *(name for name in assigned if name is not None and name.type == "identifier"))


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import a.b.C, d._`` and ``import a.{B, C => D, *}``."""
    path: list[str] = []
    for child in (*node.children[1:], None):
        if child is None or child.type == ",":
            if len(path) > 1:
                yield Imported(".".join(path[:-1]), path[-1], path[-1])
            path = []
        elif child.type == "identifier":
            path.append(text(child))
        elif child.type != ".":
            selectors = child.named_children if child.type == "namespace_selectors" else (child,)
            yield from (_selected(".".join(path), selector) for selector in selectors)
            path = []


def _selected(module: str, selector: Node) -> Imported:
    if selector.type == "namespace_wildcard":
        return Imported(module, "*", "")
    name = text(selector.child_by_field_name("name")) or text(selector)
    return Imported(module, name, text(selector.child_by_field_name("alias")) or name)


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a package, seen from the importer's or from the root; a plain name may be any object."""
    tail = module.replace(".", "/")
    beside = importer.rpartition("/")[0]
    for folder in (f"{beside}/{tail}", tail):
        found = [path for path in paths.inside(folder) if path.endswith(_SOURCES)]
        if found:
            return found
    shortened = tail.partition("/")[2].rpartition("/")[2]
    if not shortened or any(path.endswith(_SOURCES) for path in paths.inside(shortened)):
        return None
    return ()


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


_VAL = Defines(SymbolKind.Constant, member=SymbolKind.Property, name=_declared, body=fields(), type=_type)
_VAR = Defines(SymbolKind.Variable, member=SymbolKind.Property, name=_declared, body=fields(), type=_type)
_DEF = Defines(_function_kind, member=SymbolKind.Method, parameters=_parameters)
_CASE = Defines(SymbolKind.EnumMember, body=fields(), head=fields("class_parameters"))

LANGUAGE = Language(
    name="scala",
    extensions=(".scala", ".sc"),
    grammar=("tree_sitter_scala", "language"),
    definitions={
        "package_clause": Defines(SymbolKind.Package),
        "package_object": Defines(SymbolKind.Object),
        "class_definition": Defines(SymbolKind.Class, head=fields("class_parameters")),
        "trait_definition": Defines(SymbolKind.Interface, head=fields("class_parameters")),
        "enum_definition": Defines(SymbolKind.Enum, head=fields("class_parameters")),
        "object_definition": Defines(SymbolKind.Object),
        "given_definition": Defines(SymbolKind.Object, emits=lambda node: node.child_by_field_name("name") is not None),
        "extension_definition": Defines(SymbolKind.Function, name=fields(), body=_extensions, emits=False),
        "class_parameter": Defines(_parameter_kind, body=fields(), type=_type, within=_of_case_class),
        "simple_enum_case": _CASE,
        "full_enum_case": _CASE,
        "function_definition": _DEF,
        "function_declaration": _DEF,
        "val_definition": _VAL,
        "val_declaration": _VAL,
        "var_definition": _VAR,
        "var_declaration": _VAR,
        "type_definition": Defines(SymbolKind.Class, body=fields()),
    },
    through=frozenset({"enum_case_definitions", "ERROR"}),
    comments=frozenset({"comment", "block_comment"}),
    module=module_of_folder,
    relatives="java",
    lexis=lexing.SCALA,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "type_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "package_object": ScopeKind.Class,
            "class_definition": ScopeKind.Class,
            "trait_definition": ScopeKind.Class,
            "enum_definition": ScopeKind.Class,
            "object_definition": ScopeKind.Class,
            "given_definition": ScopeKind.Class,
            "full_enum_case": ScopeKind.Class,
            "template_body": ScopeKind.Class,
            "extension_definition": ScopeKind.Block,
            "function_definition": ScopeKind.Function,
            "function_declaration": ScopeKind.Function,
            "lambda_expression": ScopeKind.Function,
            "block": ScopeKind.Block,
            "indented_block": ScopeKind.Block,
            "case_clause": ScopeKind.Block,
            "for_expression": ScopeKind.Block,
            "type_definition": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(fields("name"), type=_type),
            "class_parameter": Binds(fields("name"), type=_type),
            "binding": Binds(fields("name"), type=_type),
            "lambda_expression": Binds(_lambda),
            "type_parameters": Binds(fields("name")),
            "self_type": Binds(_of("identifier")),
            "val_definition": Binds(_declared, type=_type),
            "var_definition": Binds(_declared, type=_type),
            "enumerator": Binds(_enumerated),
            "case_clause": Binds(_matched),
        },
        members={
            "field_expression": ("value", "field"),
            "stable_identifier": lambda node: node.named_children,
            "stable_type_identifier": lambda node: node.named_children,
            "arguments": _named_arguments,
        },
        roles={
            ("call_expression", "function"): Role.Call,
            ("generic_function", "function"): Role.Call,
            ("instance_expression", ""): Role.Call,
            ("extends_clause", "type"): Role.Inherit,
            ("annotation", "name"): Role.Decorator,
            ("assignment_expression", "left"): Role.Write,
        },
        imports={"import_declaration": _import},
        imports_members=True,
        locate=_locate,
        siblings=_siblings,
        this=frozenset({"this"}),
        keys=frozenset(
            {
                ("infix_expression", "operator"),
                ("infix_pattern", "operator"),
                ("interpolated_string_expression", "interpolator"),
                ("package_identifier", ""),
                ("access_qualifier", ""),
                ("projected_type", "selector"),
                ("end_marker", ""),
            }
        ),
        opaque=frozenset({"call_expression"}),
    ),
)
