"""Go: https://go.dev/ref/spec."""

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
    Paths,
    ScopeKind,
    Scoping,
    fields,
    module_of_folder,
    text,
)
from leadline_tools.model import Role, SymbolKind

_MAJOR = re.compile(r"/v\d+$|\.v\d+$")
"""The major version at the end of an import path, which is not part of the package's name."""

_HOSTS = frozenset({"github.com", "gitlab.com", "bitbucket.org"})
"""Hosts on which a module path has at least three elements: host, owner, repository."""

_STANDARD = frozenset(
    "archive arena bufio builtin bytes cmd cmp compress container context crypto database debug embed encoding errors"
    " expvar flag fmt go hash html image index internal io iter log maps math mime net os path plugin reflect regexp"
    " runtime slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak".split()
)
"""The first elements that https://pkg.go.dev/std takes."""


def _names(node: Node) -> Sequence[Node]:
    """Return the names that a declaration gives; the blank identifier is none."""
    return [name for name in node.children_by_field_name("name") if name.type != "," and text(name) != "_"]


def _type_kind(node: Node) -> SymbolKind:
    kind = node.child_by_field_name("type")
    match kind.type if kind is not None else "":
        case "struct_type":
            return SymbolKind.Struct
        case "interface_type":
            return SymbolKind.Interface
        case _:
            return SymbolKind.Class


def _members(node: Node) -> Sequence[Node]:
    """Return the list of the fields of a struct type, or the interface type, that a declaration spells out."""
    kind = node.child_by_field_name("type")
    if kind is None:
        return ()
    if kind.type == "interface_type":
        return (kind,)
    if kind.type == "struct_type":
        return [child for child in kind.named_children if child.type == "field_declaration_list"]
    return ()


def _receiver_type(method: Node) -> Node | None:
    """Return the type of a receiver, without its star."""
    receiver = method.child_by_field_name("receiver")
    parameter = (
        next((n for n in receiver.named_children if n.type == "parameter_declaration"), None) if receiver else None
    )
    found = parameter.child_by_field_name("type") if parameter else None
    for _ in range(4):
        if found is None or found.type not in ("pointer_type", "parenthesized_type"):
            return found
        found = found.named_children[0] if found.named_children else None
    return None


def _receiver(method: Node) -> str:
    found = _receiver_type(method)
    if found is not None and found.type == "generic_type":
        found = found.child_by_field_name("type")
    return text(found)


def _receiver_parameters(method: Node) -> Sequence[Node]:
    """Return the type parameters that a receiver declares: ``func (b *Box[T]) Get()``."""
    found = _receiver_type(method)
    return found.children_by_field_name("type_arguments") if found is not None else ()


def _type(node: Node) -> Node | None:
    """Return the name of the declared type of parameters, fields and variables, without its star."""
    return _named(node.child_by_field_name("type"))


def _named(kind: Node | None) -> Node | None:
    for _ in range(4):
        if kind is None or kind.type in ("type_identifier", "qualified_type"):
            return kind
        if kind.type == "generic_type":
            kind = kind.child_by_field_name("type")
        else:
            kind = kind.named_children[0] if kind.type in ("pointer_type", "parenthesized_type") else None
    return None


def _literal(node: Node) -> Node | None:
    """Return the name of the type of ``x := T{...}`` and ``x := &T{...}``."""
    sides = [node.child_by_field_name(side) for side in ("left", "right")]
    if any(side is None or side.named_child_count != 1 for side in sides) or sides[1] is None:
        return None
    value: Node | None = sides[1].named_children[0]
    if value is not None and value.type == "unary_expression":
        value = value.child_by_field_name("operand")
    if value is None or value.type != "composite_literal":
        return None
    return _type(value)


def _declared(node: Node) -> Sequence[Node]:
    """Return the left side of ``:=``; with ``=`` the same nodes only assign."""
    if not any(child.type == ":=" for child in node.children):
        return ()
    return node.children_by_field_name("left")


def _import(node: Node) -> Iterator[Imported]:
    """Read one line of an import declaration; the blank name binds nothing."""
    path = text(node.child_by_field_name("path")).strip('"`')
    name = node.child_by_field_name("name")
    if name is None:
        alias = _MAJOR.sub("", path).rpartition("/")[2]
        yield Imported(path, "", alias)
    elif name.type == "dot":
        yield Imported(path, "*", "")
    elif name.type == "package_identifier":
        yield Imported(path, "", text(name))


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the files of the package at an import path: vendored, of the distribution, or of a module around here."""
    for folder in _folders(module, importer, paths):
        found = [path for path in _package(folder, paths) if not path.endswith("_test.go")]
        if found:
            return found
    return ()


def _package(folder: str, paths: Paths) -> Sequence[str]:
    inside = paths.inside(folder) if folder else ()
    return [path for path in inside if path.endswith(".go") and path.rpartition("/")[0] == folder]


def _folders(module: str, importer: str, paths: Paths) -> Iterator[str]:
    """Yield the folders that an import path can mean, surest first.

    A module's packages lie below the folder of its ``go.mod``, at what follows the module path. That path stands in
    the file; so every tail of the import path is tried below every folder around the importer.
    """
    elements = module.split("/")
    around = _around(importer)
    yield from (f"{root}vendor/{module}" for root in around)
    if elements[0] in _STANDARD:
        yield from (f"{root}{module}" for root in around if paths.exists(f"{root}builtin/builtin.go"))
        return
    if "." in elements[0]:
        yield from sorted({path.rpartition("/")[0] for path in paths.inside(module)}, key=len)
    roots = sorted(around, key=lambda root: (not paths.exists(f"{root}go.mod"), len(root)))
    for start in range(3 if elements[0] in _HOSTS else 1, len(elements)):
        tail = "/".join(elements[start:])
        yield from (f"{root}{tail}" for root in roots)


def _around(path: str) -> Sequence[str]:
    """Return the folders around ``path``, innermost first, each with its slash; the root is the empty string."""
    parts = path.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:end]) for end in range(len(parts), -1, -1)]


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the package; only a test sees what tests declare."""
    test = path.endswith("_test.go")
    folder = path.rpartition("/")[0]
    inside = _package(folder, paths) if folder else [file for file in paths.inside("") if "/" not in file]
    return [
        file for file in inside if file != path and file.endswith(".go") and (test or not file.endswith("_test.go"))
    ]


_PARAMETERS = fields("parameters")

# --- What the index does without

_INERT = (
    rb"\"[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\"|`[^`]*+`|'(?:[^'\\\n]|\\.)[^'\\\n]*+'"
    rb"|/(?:/[^\n]*+|\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/|(?![/*]))"
)
"""A string, a rune, a comment, or a slash that begins none."""

_PLAIN = rb"[^(){}\"'`/]++|(?:(?<=interface)|(?<=struct))\{\}"
_LISTS = rb"\((?:%(plain)s|\((?:%(plain)s|\((?:%(plain)s)*+\))*+\))*+\)" % {b"plain": _PLAIN}
_HEAD = rb"func\b(?:[^(){}\"'`/\n]++|(?:(?<=interface)|(?<=struct))\{\}|" + _LISTS + rb")*+"
"""The head of a function, whose lines end in lists only: it may have no body."""

_NEXT_BODY = (
    rb"(?:[^\n\"'`/]++|" + _INERT + rb"|\n(?!func\b))*+\n"
    rb"(?:" + _HEAD + rb"(?P<body>" + blanking.braces(_INERT, rb"\"'`/") + rb"))?+"
)
_TYPE = re.compile(rb"[\n;{}/:][ \t\r]*+type(?![\w)\x80-\xff])")


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether a body may define a type: nothing else in it is a symbol."""
    body = found["body"]
    return b"type" in body and _TYPE.search(body) is not None


def _blanked(content: bytes) -> bytes:
    """Blank the bodies of functions without types."""
    return blanking.blanked(content, _NEXT_BODY, _defines)


LANGUAGE = Language(
    name="go",
    extensions=(".go",),
    grammar=("tree_sitter_go", "language"),
    definitions={
        "type_spec": Defines(_type_kind, name=_names, body=_members),
        "type_alias": Defines(SymbolKind.Class, name=_names, body=fields(), type=_type),
        "field_declaration": Defines(SymbolKind.Field, name=_names, body=_members, type=_type),
        "method_elem": Defines(SymbolKind.Method, parameters=_PARAMETERS, body=fields()),
        "function_declaration": Defines(SymbolKind.Function, name=_names, parameters=_PARAMETERS),
        "method_declaration": Defines(SymbolKind.Method, name=_names, parameters=_PARAMETERS, container=_receiver),
        "const_spec": Defines(SymbolKind.Constant, name=_names, body=fields()),
        "var_spec": Defines(SymbolKind.Variable, name=_names, body=fields(), type=_type),
    },
    through=frozenset("type_declaration const_declaration var_declaration var_spec_list".split()),
    module=module_of_folder,
    lexis=lexing.GO,
    blanked=_blanked,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "type_identifier", "field_identifier", "package_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "function_declaration": ScopeKind.Function,
            "method_declaration": ScopeKind.Function,
            "func_literal": ScopeKind.Function,
            "function_type": ScopeKind.Function,
            "method_elem": ScopeKind.Function,
            "type_spec": ScopeKind.Block,
            "type_alias": ScopeKind.Block,
            "field_declaration_list": ScopeKind.Class,
            "interface_type": ScopeKind.Class,
            "field_declaration": ScopeKind.Block,
            "block": ScopeKind.Block,
            "if_statement": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "expression_switch_statement": ScopeKind.Block,
            "type_switch_statement": ScopeKind.Block,
            "expression_case": ScopeKind.Block,
            "type_case": ScopeKind.Block,
            "default_case": ScopeKind.Block,
            "communication_case": ScopeKind.Block,
        },
        binds={
            "parameter_declaration": Binds(fields("name"), type=_type),
            "variadic_parameter_declaration": Binds(fields("name")),
            "type_parameter_declaration": Binds(fields("name")),
            "method_declaration": Binds(_receiver_parameters),
            "const_spec": Binds(fields("name")),
            "var_spec": Binds(fields("name"), type=_type),
            "short_var_declaration": Binds(fields("left"), type=_literal),
            "range_clause": Binds(_declared),
            "receive_statement": Binds(_declared),
            "type_switch_statement": Binds(fields("alias")),
        },
        members={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
        roles={
            ("call_expression", "function"): Role.Call,
            ("call_expression", "arguments"): Role.Read,
            ("assignment_statement", "left"): Role.Write,
            ("inc_statement", ""): Role.Write,
            ("dec_statement", ""): Role.Write,
            ("index_expression", "index"): Role.Read,
            ("keyed_element", "key"): Role.Other,
        },
        imports={"import_spec": _import},
        locate=_locate,
        siblings=_siblings,
        class_visible=False,
        keys=frozenset(
            {
                ("package_clause", ""),
                ("keyed_element", "key"),
                ("field_declaration", "name"),
                ("method_elem", "name"),
                ("method_declaration", "name"),
            }
        ),
        opaque=frozenset({"index_expression", "call_expression", "unary_expression", "parenthesized_expression"}),
    ),
)
