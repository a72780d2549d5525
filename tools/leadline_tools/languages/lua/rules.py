"""Lua: https://www.lua.org/manual/5.4/manual.html."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import lexing
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import Nodes, fields, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.imports import Imported, ImportRules, Paths
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.terms import BARE, Spell
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_INDEXES = {"dot_index_expression": "field", "method_index_expression": "method"}
_HERE = "."
"""The module that stands for the file itself."""

_RETURNED = "return"
"""The name, which no Lua name can be, under which a file exports what it returns."""


def _tail(name: Node) -> Node | None:
    """Return the last name of ``a.b:c``; nothing for ``a["b"]`` and ``f().b``."""
    if name.type == "identifier":
        return name
    return name.child_by_field_name(_INDEXES[name.type]) if name.type in _INDEXES and _owner(name) else None


def _owner(name: Node) -> str:
    """Return what stands before the last name: ``a.b`` of ``a.b:c``; empty where that is no chain of names."""
    table = name.child_by_field_name("table") if name.type in _INDEXES else None
    inner = table
    while inner is not None and inner.type == "dot_index_expression":
        inner = inner.child_by_field_name("table")
    return text(table) if inner is not None and inner.type == "identifier" else ""


def _function_name(node: Node) -> Sequence[Node]:
    name = node.child_by_field_name("name")
    tail = _tail(name) if name is not None else None
    return () if tail is None else (tail,)


def _function_container(node: Node) -> str:
    name = node.child_by_field_name("name")
    return "" if name is None else _owner(name)


def _function_kind(node: Node) -> SymbolKind:
    name = node.child_by_field_name("name")
    return SymbolKind.Method if name is not None and name.type == "method_index_expression" else SymbolKind.Function


def _list(node: Node, kind: str) -> Sequence[Node]:
    """Return the members of the list of variables or of expressions of an assignment."""
    for child in node.named_children:
        if child.type == kind:
            return [member for member in child.named_children if member.type not in ("attribute", "comment")]
    return ()


def _only(node: Node) -> tuple[Node | None, Node | None]:
    """Return the two sides of an assignment of one value to one variable."""
    names, values = _list(node, "variable_list"), _list(node, "expression_list")
    return (names[0] if len(names) == 1 else None, values[0] if len(values) == 1 else None)


def _find_required_module(value: Node | None) -> str:
    """Return the module of ``require "a.b"``."""
    if value is None or value.type != "function_call" or text(value.child_by_field_name("name")) != "require":
        return ""
    arguments = value.child_by_field_name("arguments")
    literal = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    return text(literal.child_by_field_name("content")) if literal is not None and literal.type == "string" else ""


def _function(node: Node) -> Node | None:
    """Return the function that is assigned to a single variable."""
    _, value = _only(node)
    return value if value is not None and value.type == "function_definition" else None


def _list_assigned_names(node: Node) -> Sequence[Node]:
    """Return the names that are given a value, but for those of required modules."""
    if any(_require(node)):
        return ()
    tails = (_tail(name) for name in _list(node, "variable_list"))
    return [tail for tail in tails if tail is not None]


def _classify_assigned(node: Node) -> SymbolKind | None:
    """Tell functions from fields and variables; what a method adds to its object has no name of its own."""
    name, _ = _only(node)
    if name is not None and _owner(name).partition(".")[0] == "self":
        return None
    if _function(node) is not None:
        return SymbolKind.Function
    return SymbolKind.Field if name is not None and name.type in _INDEXES else SymbolKind.Variable


def _name_container(node: Node) -> str:
    names = _list(node, "variable_list")
    return _owner(names[0]) if names else ""


def _list_assigned_body(node: Node) -> Sequence[Node]:
    """Return the block of a function or the table that is assigned."""
    _, value = _only(node)
    if value is None:
        return ()
    return (value,) if value.type == "table_constructor" else value.children_by_field_name("body")


def _list_assigned_parameters(node: Node) -> Sequence[Node]:
    function = _function(node)
    return () if function is None else function.children_by_field_name("parameters")


def _field_name(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("name") if name.type == "identifier"]


def _field_kind(node: Node) -> SymbolKind:
    value = node.child_by_field_name("value")
    return SymbolKind.Function if value is not None and value.type == "function_definition" else SymbolKind.Field


def _field_body(node: Node) -> Sequence[Node]:
    value = node.child_by_field_name("value")
    if value is None:
        return ()
    return (value,) if value.type == "table_constructor" else value.children_by_field_name("body")


def _field_parameters(node: Node) -> Sequence[Node]:
    value = node.child_by_field_name("value")
    return () if value is None else value.children_by_field_name("parameters")


def _locals(node: Node) -> Sequence[Node]:
    """Return the variables of a ``local`` declaration, with or without values."""
    assigned = (child for child in node.named_children if child.type == "assignment_statement")
    return _list(next(assigned, node), "variable_list")


def _loop_names(node: Node) -> Sequence[Node]:
    """Return the variables of a loop: of ``for i = 1, n``, of ``for k, v in pairs(t)``."""
    return _list(node, "variable_list") or fields("name")(node)


def _shadowed_by(names: Nodes) -> Nodes:
    """Return what finds the names in the values of a node that are called like what it binds, and mean others."""

    def shadowed(node: Node) -> Sequence[Node]:
        bound = names(node)
        spelled, starts = {text(name) for name in bound}, {name.start_byte for name in bound}
        found, waiting = list[Node](), [node]
        while waiting:
            one = waiting.pop()
            if one.type == "identifier" and one.start_byte not in starts and text(one) in spelled:
                found.append(one)
            waiting.extend(one.named_children)
        return found

    return shadowed


def _require(node: Node) -> Iterator[Imported]:
    """Read ``local x = require "a.b"`` and ``local x = require("a.b").y``."""
    name, value = _only(node)
    if name is None or name.type != "identifier" or value is None:
        return
    if value.type == "dot_index_expression":
        module = _find_required_module(value.child_by_field_name("table"))
        if module:
            yield Imported(f"{module}.{_RETURNED}", text(value.child_by_field_name("field")), text(name))
    elif module := _find_required_module(value):
        yield Imported(module, _RETURNED, text(name))


_REQUIRED = lazy_compile(rb"([^\W\d]\w*)\s*=\s*require\s*\(?\s*(?:[\"']|\[\[)([\w./-]+)(?:[\"']|\]\])")


def _find_required(content: bytes) -> Iterator[Imported]:
    """Yield the modules that variables are given anywhere in a source, in functions and blocks too."""
    for found in _REQUIRED.finditer(content) if b"require" in content else ():
        yield Imported(found[2].decode(), _RETURNED, found[1].decode("utf-8", "replace"))


def _find_returned(root: Node) -> Node | None:
    """Return the one value that a file returns; of ``setmetatable(M, ...)`` the ``M``."""
    last = next((child for child in reversed(root.named_children) if child.type != "comment"), None)
    values = _list(last, "expression_list") if last is not None and last.type == "return_statement" else ()
    value = values[0] if len(values) == 1 else None
    arguments = value.child_by_field_name("arguments") if value is not None else None
    if value is None or arguments is None or text(value.child_by_field_name("name")) != "setmetatable":
        return value
    return arguments.named_children[0] if arguments.named_children else None


def _list_named_fields(table: Node) -> Iterator[tuple[Node, Node]]:
    """Yield the keys of a table whose values are names, each with the name."""
    for field in table.named_children:
        name, of = field.child_by_field_name("name"), field.child_by_field_name("value")
        if name is not None and of is not None and name.type == of.type == "identifier":
            yield name, of


def _list_exported_keys(table: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys of the table that a file returns which are called like their values: both are one name outside."""
    returned = table.parent.parent if table.parent is not None else None
    around = returned.parent if returned is not None and returned.type == "return_statement" else None
    if around is not None and around.type == "chunk":
        yield from ((name, BARE) for name, of in _list_named_fields(table) if text(name) == text(of))


def _exports(root: Node) -> Iterator[Imported]:
    """Read the last ``return`` of a file: a table that has a name, or one whose fields are names of the file."""
    value = _find_returned(root)
    if value is not None and value.type == "identifier":
        yield Imported(_HERE, text(value), _RETURNED, exports=True)
    elif value is not None and value.type == "table_constructor":
        yield Imported(_HERE, "", _RETURNED, exports=True)
        for name, of in _list_named_fields(value):
            if text(name) != text(of):
                yield Imported(_HERE, text(of), text(name), exports=True)


def _locate(module: str, importer: str, paths: Paths) -> Sequence[str]:
    """Return the file of a module: from the root, beside the importer, or below any folder of ``package.path``."""
    if module.startswith(_HERE):
        return (importer,) if module == _HERE else ()
    tail = module.replace(".", "/")
    beside = importer.rpartition("/")[0]
    forms = (f"{tail}.lua", f"{tail}/init.lua")
    near = (*forms, *(f"{beside}/{form}" for form in forms if beside))
    found = [path for path in near if paths.exists(path)] or [path for form in forms for path in paths.ending(form)]
    return found[:1]


def _find_block_kind(node: Node) -> ScopeKind | None:
    """Tell the block of a loop whose condition, at its end, sees the variables in it."""
    return None if node.parent is not None and node.parent.type == "repeat_statement" else ScopeKind.Block


_BLOCKS = "function_definition do_statement if_statement for_statement while_statement repeat_statement".split()
_LOCAL = Defines(SymbolKind.Function, name=fields(), body=lambda node: (node,), emits=False)
"""A block outside of functions, or a function that a file returns: their variables are locals."""

_KEYWORDS = frozenset(
    (
        "and break do else elseif end false for function goto if in local nil not or repeat return then true until "
        "while"
    ).split()
)

LANGUAGE = Language(
    name="lua",
    grammar=("tree_sitter_lua", "language"),
    files=FileRules(
        extensions=(".lua",),
        interpreters=("lua", "luajit", "lua5.1", "lua5.2", "lua5.3", "lua5.4"),
    ),
    outline=OutlineRules(
        definitions={
            "function_declaration": Defines(
                _function_kind, name=_function_name, container=_function_container, parameters=fields("parameters")
            ),
            "assignment_statement": Defines(
                _classify_assigned,
                name=_list_assigned_names,
                body=_list_assigned_body,
                parameters=_list_assigned_parameters,
                container=_name_container,
            ),
            "field": Defines(_field_kind, name=_field_name, body=_field_body, parameters=_field_parameters),
            **dict.fromkeys(_BLOCKS, _LOCAL),
        },
        through=frozenset(
            "variable_declaration block return_statement expression_list table_constructor elseif_statement"
            " else_statement".split()
        ),
    ),
    names=NameRules(
        keywords=_KEYWORDS,
    ),
    source=SourceRules(
        lexis=lexing.LUA,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"identifier"}),
            opens={
                "function_declaration": ScopeKind.Function,
                "function_definition": ScopeKind.Function,
                "table_constructor": ScopeKind.Table,
                "block": _find_block_kind,
                "for_statement": ScopeKind.Block,
                "repeat_statement": ScopeKind.Block,
            },
            binds={
                "parameters": Binds(lambda node: node.named_children),
                "variable_declaration": Binds(_locals, after=True, rebinds=True, shadows=_shadowed_by(_locals)),
                "for_numeric_clause": Binds(_loop_names, shadows=_shadowed_by(_loop_names)),
                "for_generic_clause": Binds(_loop_names, shadows=_shadowed_by(_loop_names)),
            },
            this=frozenset({"self"}),
            file_local=lambda _name: True,
            opaque=frozenset({"bracket_index_expression", "function_call", "attribute"}),
        ),
        uses=UseRules(
            members={"dot_index_expression": ("table", "field"), "method_index_expression": ("table", "method")},
            roles={
                ("function_call", "name"): Role.Call,
                ("variable_list", "name"): Role.Write,
            },
            literal_keys={"table_constructor": _list_exported_keys},
            keys=frozenset({("field", "name"), ("attribute", ""), ("goto_statement", ""), ("label_statement", "")}),
        ),
        imports=ImportRules(
            statements={"assignment_statement": _require},
            hidden_imports=_find_required,
            exports=_exports,
            shared_exports=frozenset({_RETURNED}),
            imports_members=True,
            locate=_locate,
        ),
    ),
)
