"""Perl: https://perldoc.perl.org/perl."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.language import Language
from leadline_tools.languages.nodes import descend, fields, first_child, text
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.model import SymbolKind

_BLOCK = first_child("block")


def _constants(node: Node) -> Sequence[Node]:
    """Return the names that ``use constant`` defines: the first word of a list, or each key of a hash."""
    if text(node.child_by_field_name("module")) != "constant":
        return ()
    listed = first_child("list_expression", "autoquoted_bareword")(node)
    if listed and listed[0].type == "list_expression":
        return first_child("autoquoted_bareword")(listed[0])
    keys = descend(first_child("anonymous_hash_expression"), first_child("list_expression"))(node)
    return [key for pairs in keys for key in pairs.named_children[::2] if key.type == "autoquoted_bareword"]


def _list_declared_names(node: Node) -> Sequence[Node]:
    """Return the variables that ``our`` and ``my`` declare, without their sigils."""
    variables = [*node.children_by_field_name("variable"), *node.children_by_field_name("variables")]
    return [name for variable in variables for name in first_child("varname")(variable)]


LANGUAGE = Language(
    name="perl",
    grammar=("tree_sitter_perl", "language"),
    files=FileRules(
        extensions=(".pl", ".pm", ".t", ".psgi"),
        interpreters=("perl",),
        module=lambda _path: "",
    ),
    outline=OutlineRules(
        definitions={
            "package_statement": Defines(SymbolKind.Module, body=_BLOCK, rest=True),
            "class_statement": Defines(SymbolKind.Class, body=_BLOCK, rest=True),
            "role_statement": Defines(SymbolKind.Class, body=_BLOCK, rest=True),
            "subroutine_declaration_statement": Defines(SymbolKind.Function, member=SymbolKind.Method, body=fields()),
            "method_declaration_statement": Defines(SymbolKind.Method, body=fields()),
            "use_statement": Defines(SymbolKind.Constant, name=_constants, body=fields()),
            "variable_declaration": Defines(SymbolKind.Variable, name=_list_declared_names, body=fields()),
        },
        through=frozenset({"expression_statement", "assignment_expression", "phaser_statement"}),
        comments=frozenset({"comment", "pod"}),
    ),
)
