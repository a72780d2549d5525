"""The long tail: languages whose grammars are in ``tree-sitter-language-pack``, where that is installed.

Version 0.13 is the last that has its grammars in the wheel; later ones fetch them over the network when they are first
used, and are not touched. For these languages there are no rules of our own. What grammars call their nodes is alike
enough (``function_definition``, ``struct_declaration``) to tell what defines; that gives outlines and symbols, and no
more. A language stands in the table once its sample in the tests is outlined right.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

PACKAGE = "tree_sitter_language_pack"

EXTENSIONS: Mapping[str, tuple[str, ...]] = {
    "apex": (".apex", ".trigger"),
    "cairo": (".cairo",),
    "clojure": (".clj", ".cljs", ".cljc", ".bb"),
    "cmake": (".cmake",),
    "cuda": (".cu", ".cuh"),
    "d": (".d",),
    "elisp": (".el",),
    "fish": (".fish",),
    "gdscript": (".gd",),
    "gleam": (".gleam",),
    "glsl": (".glsl", ".vert", ".frag", ".comp"),
    "graphql": (".graphql", ".gql"),
    "hack": (".hack",),
    "haxe": (".hx",),
    "hlsl": (".hlsl",),
    "luau": (".luau",),
    "matlab": (".m",),
    "nim": (".nim",),
    "odin": (".odin",),
    "powershell": (".ps1", ".psm1"),
    "proto": (".proto",),
    "r": (".r",),
    "smithy": (".smithy",),
    "solidity": (".sol",),
    "squirrel": (".nut",),
    "starlark": (".bzl", ".star"),
    "thrift": (".thrift",),
    "v": (".v",),
    "vim": (".vim",),
    "wgsl": (".wgsl",),
}
"""The languages of the pack that are outlined, with the endings of their files."""

_KINDS = {
    "function": SymbolKind.Function,
    "func": SymbolKind.Function,
    "proc": SymbolKind.Function,
    "procedure": SymbolKind.Function,
    "subroutine_declaration": SymbolKind.Function,
    "macro": SymbolKind.Function,
    "method": SymbolKind.Method,
    "class_method": SymbolKind.Method,
    "rpc": SymbolKind.Method,
    "constructor": SymbolKind.Constructor,
    "class": SymbolKind.Class,
    "contract": SymbolKind.Class,
    "object": SymbolKind.Class,
    "struct": SymbolKind.Struct,
    "structure": SymbolKind.Struct,
    "union": SymbolKind.Struct,
    "record": SymbolKind.Struct,
    "message": SymbolKind.Struct,
    "enum": SymbolKind.Enum,
    "interface": SymbolKind.Interface,
    "protocol": SymbolKind.Interface,
    "trait": SymbolKind.Interface,
    "service": SymbolKind.Interface,
    "object_type": SymbolKind.Class,
    "interface_type": SymbolKind.Interface,
    "input_object_type": SymbolKind.Struct,
    "enum_type": SymbolKind.Enum,
    "union_type": SymbolKind.Class,
    "scalar_type": SymbolKind.Class,
    "type": SymbolKind.Class,
    "type_alias": SymbolKind.Class,
    "module": SymbolKind.Module,
    "package": SymbolKind.Module,
    "namespace": SymbolKind.Namespace,
    "global_constant": SymbolKind.Constant,
    "constant_variable": SymbolKind.Constant,
}
"""What is defined, by the word with which the name of a node begins."""

_ENDINGS = ("_definition", "_declaration", "_statement", "_item", "_specifier", "_decl", "_def")
"""How such a name goes on."""

_BARE = ("function", "function_signature", "macro_def", "function_def", "message", "service", "rpc", "enum")
"""Names of nodes that define without such an ending."""

_GROUPS = {
    "cairo": {"cairo_1_file"},
    "d": {"module_def", "aggregate_body"},
    "graphql": {"document", "definition", "type_system_definition", "type_definition"},
    "matlab": {"methods"},
    "smithy": {"shape_section", "shape_statement", "shape_body"},
    "squirrel": {"member_declaration"},
    "vim": {"function_definition"},
}
"""Nodes that in one language only hold what defines, besides those that do so in every language."""

_NAMES = ("identifier", "name", "word", "symbol")
_HEADS = frozenset({"signature", "call_expression", "type_head"})
"""Nodes that hold the name together with parameters."""

_DEEPEST = 4


def _name(node: Node) -> Sequence[Node]:
    """Return the node of a name: the field of that name, or else the first identifier on the way down."""
    named = node.children_by_field_name("name")
    if named:
        return named[:1]
    at: Node | None = node
    for _ in range(_DEEPEST):
        if at is None or at.type.endswith(_NAMES):
            break
        children = at.named_children
        identifier = next((child for child in children if child.type.endswith(_NAMES)), None)
        head = next((child for child in children if child.type in _HEADS), None)
        at = at.child_by_field_name("declarator") or head or identifier
    return (at,) if at is not None and at.type.endswith(_NAMES) else ()


def _body(node: Node) -> Sequence[Node]:
    """Return what holds nested definitions: the body, or else the node itself."""
    return node.children_by_field_name("body") or (node,)


def _member(kind: SymbolKind) -> SymbolKind:
    return SymbolKind.Method if kind is SymbolKind.Function else kind


def _definitions() -> Iterator[tuple[str, Defines]]:
    for word, kind in _KINDS.items():
        for ending in _ENDINGS:
            yield f"{word}{ending}", Defines(kind, member=_member(kind), name=_name, body=_body)
    for bare in _BARE:
        kind = _KINDS[bare.removesuffix("_def").removesuffix("_signature")]
        yield bare, Defines(kind, member=_member(kind), name=_name, body=_body)


_DEFINES = dict(_definitions())
_THROUGH = frozenset(
    {
        *(
            "block",
            "body",
            "declaration",
            "declarations",
            "declaration_list",
            "field_declaration_list",
            "export_statement",
        ),
        *(
            "class_body",
            "class_declarations",
            "contract_body",
            "interface_body",
            "member_declarations",
            "statement_list",
        ),
        "decorated_definition",
    }
)
"""Nodes that hold what defines."""


def is_installed() -> bool:
    """Return whether the pack is there in a version that has its grammars with it."""
    if importlib.util.find_spec(PACKAGE) is None:
        return False
    from importlib.metadata import PackageNotFoundError, version  # a sixth of the time in which a worker starts

    try:
        return version(PACKAGE).startswith("0.")
    except PackageNotFoundError:
        return False


def in_the_pack(path: str) -> bool:
    """Return whether a file is of a language that the pack has the grammar of, by its ending."""
    return path.lower().endswith(tuple(ending for endings in EXTENSIONS.values() for ending in endings))


def packed_languages() -> dict[str, Language]:
    """Return the languages of the pack by their names; none where it is not installed."""
    if not is_installed():
        return {}
    return {
        name: Language(
            name=name,
            grammar=(f"{PACKAGE}.bindings.{name}", "language"),
            files=FileRules(
                extensions=extensions,
            ),
            outline=OutlineRules(
                definitions={kind: rule for kind, rule in _DEFINES.items() if kind not in _GROUPS.get(name, ())},
                through=_THROUGH | _GROUPS.get(name, set()),
                comments=frozenset({"comment", "line_comment", "block_comment"}),
            ),
        )
        for name, extensions in EXTENSIONS.items()
    }
