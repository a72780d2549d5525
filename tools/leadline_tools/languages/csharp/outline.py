"""Definitions of C#: kinds, names, modifiers and parameters, and the bodies that the index leaves out.

A *declarator* is one variable of a declaration: ``int a, b = 1`` has two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking
from leadline_tools.languages.nodes import text
from leadline_tools.model import SymbolKind


def join_name(name: Node | None) -> str:
    """Return a dotted name without spaces."""
    return "".join(text(name).split())


def iterate_declarators(node: Node) -> Iterator[Node]:
    """Yield what ``int a, b = 1`` declares, also where it stands in a declaration of fields."""
    for child in node.named_children:
        if child.type == "variable_declaration":
            yield from iterate_declarators(child)
        elif child.type == "variable_declarator":
            yield child


def list_variables(node: Node) -> Sequence[Node]:
    """Return the names of variables; a deconstruction has several."""
    found: list[Node] = []
    for declarator in iterate_declarators(node):
        found += declarator.children_by_field_name("name")
        found += [child for child in declarator.named_children if child.type == "tuple_pattern"]
    return found


def find_declared_type(node: Node) -> Node | None:
    """Return the type that a declaration spells; none for ``var``."""
    declaration = next((child for child in node.named_children if child.type == "variable_declaration"), node)
    kind = declaration.child_by_field_name("type")
    return None if kind is None or kind.type == "implicit_type" or text(kind) == "dynamic" else kind


def _list_modifiers(node: Node) -> Sequence[str]:
    return [text(child) for child in node.named_children if child.type == "modifier"]


def classify_field(node: Node) -> SymbolKind:
    """Return the kind of a field: one that is ``const`` is a constant."""
    return SymbolKind.Constant if "const" in _list_modifiers(node) else SymbolKind.Field


def is_static(node: Node) -> bool:
    """Return whether a member is one of the type itself; constants are."""
    return not {"static", "const"}.isdisjoint(_list_modifiers(node))


def classify_record(node: Node) -> SymbolKind:
    """Return the kind of a record."""
    return SymbolKind.Struct if any(child.type == "struct" for child in node.children) else SymbolKind.Class


def list_primary_parameters(node: Node) -> Sequence[Node]:
    """Return the lists of parameters in the head of a type."""
    return [child for child in node.named_children if child.type == "parameter_list"]


def classify_parameter(node: Node) -> SymbolKind | None:
    """Return the kind of a parameter in the head of a record: a property, but where the record inherits one.

    One that is handed on to the base under its own name is taken for what the base calls so.
    https://learn.microsoft.com/dotnet/csharp/language-reference/language-specification/classes#15166-synthesized-record-class-members
    """
    record = node.parent.parent if node.parent is not None else None
    name = text(node.child_by_field_name("name"))
    for base in record.named_children if record is not None and record.type == "record_declaration" else ():
        called = (one for one in base.named_children if one.type == "primary_constructor_base_type")
        given = (one for call in called for child in call.named_children for one in child.named_children)
        if base.type == "base_list" and any(one.type == "argument" and text(one) == name for one in given):
            return None
    return SymbolKind.Property


def list_parameter_names(node: Node) -> Sequence[Node]:
    """Return the names in a list of parameters; ``params`` stands in the list itself."""
    found: list[Node] = []
    for parameters in node.children_by_field_name("parameters") or list_primary_parameters(node):
        for child in parameters.named_children:
            found += child.children_by_field_name("name") if child.type == "parameter" else ()
        found += parameters.children_by_field_name("name")
    return found


def find_token(*kinds: str) -> Callable[[Node], Sequence[Node]]:
    """Return a function that gives the first child of a node of some types."""

    def found(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in kinds][:1]

    return found


def list_operator(node: Node) -> Sequence[Node]:
    """Return the token that an operator declaration defines."""
    after = False
    for child in node.children:
        if after and child.type != "checked":
            return (child,)
        after = after or child.type == "operator"
    return ()


def list_conversion(node: Node) -> Sequence[Node]:
    """Return the keyword of a conversion, which defines an operator by it: its type is a use of that type."""
    return [child for child in node.children if child.type == "operator"][:1]


def spell_conversion(keyword: Node) -> str:
    """Spell the name of a conversion: the keyword and the type that it gives."""
    node = keyword.parent
    return f"operator {join_name(node.child_by_field_name('type') if node is not None else None)}"


def list_bodies(node: Node) -> Sequence[Node]:
    """Return the accessors of a property, or the value that it is declared with."""
    return node.children_by_field_name("accessors") or node.children_by_field_name("value")


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of a declaration."""
    listed = next((child for child in node.named_children if child.type == "type_parameter_list"), None)
    return [name for child in listed.named_children for name in child.children_by_field_name("name")] if listed else ()


def find_enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a member belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def find_explicit_interface(node: Node) -> str:
    """Return the last name of the interface for which alone a member is there."""
    specifier = next((child for child in node.named_children if child.type == "explicit_interface_specifier"), None)
    spelled = re.sub(r"<.*>", "", text(specifier)) if specifier is not None else ""
    return "".join(spelled.split()).removesuffix(".").rpartition(".")[2]


_HOLE = rb"\{(?>(?:[^{}\"'/\n]++|\"[^\"\\{}\n]*+\"|'[^'\\{}\n]*+')*)\}"
_INERT = (
    rb"\"(?:(?<=\$@\")(?>(?:[^\"{}]++|\"\"|\{\{|\}\}|" + _HOLE + rb")*)\"(?!\")"
    rb"|(?<=@\$\")(?>(?:[^\"{}]++|\"\"|\{\{|\}\}|" + _HOLE + rb")*)\"(?!\")"
    rb"|(?<=@\")[^\"]*+(?>(?:\"\"[^\"]*+)*)\""
    rb"|(?<=\$\")(?!\"\")(?>(?:[^\"\\{}\n]++|\\.|\{\{|\}\}|" + _HOLE + rb")*)\""
    rb"|(?<![$@]\")\"\"(?!\")[^\"]*+(?>(?:\"\"?+(?!\")[^\"]*+)*)\"\"\"(?!\")"
    rb"|(?<![$@]\")(?!\"\")[^\"\\\n]*+(?>(?:\\.[^\"\\\n]*+)*)\")"
    rb"|'(?:[^'\\\n]|\\.)[^'\\\n]*+'|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*]))"
    rb"|\#(?![ \t]*+(?:if|el|end))[^\n]*+"
)
"""A string, of one that holds expressions only where its end is sure; a character, a comment, a slash that begins none,
a directive that is no condition."""

_ARGUMENTS = blanking.nested_expression(rb"<", rb"[^<>{};=\"'/\n]++", rb">")
_WORD = (
    rb"(?!(?:class|struct|record|interface|enum|namespace)\b)[\w.@\x80-\xff]++(?>(?:" + _ARGUMENTS + rb")?)\??+"
    rb"(?>(?:\[,*+\]\??+)*)[ \t]++"
)
_HEAD = (
    rb"[ \t]*+(?>(?:\[[^\[\]{}\"'/\n]*+\][ \t]*+)*)(?:" + _WORD + rb")+"
    rb"(?:operator\b[ \t]*+[^\w\s(){};\"'/]{1,3}+|[\w.@\x80-\xff]++(?>(?:" + _ARGUMENTS + rb")?))[ \t]*+\("
)
"""A line that begins with a type or modifier, the name and the parenthesis of a method: a type has other words."""

_LIST = rb"(?>(?:[^(){}\"'/]++|\((?>(?:[^(){}\"'/]++|\([^(){}\"'/]*+\))*)\)|" + _INERT + rb")*)\)"
_NEXT_BODY = (
    rb"(?>(?:[^\n\"'/#]++|" + _INERT + rb"|#[^\n]*+|\n(?!" + _HEAD + rb"))*)\n"
    rb"(?>(?:" + _HEAD + _LIST + rb"\s*+(?>(?::\s*+(?:base|this)\s*+\(" + _LIST + rb"\s*+)?)"
    rb"(?>(?:where\b[^{};=\"'/]*+)?)"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/#") + rb"))?)"
)
_GENERIC = blanking.nested_expression(rb"<", rb"[^<>{};=]++", rb">")
_PART = (
    rb"(?>(?:[^\s(){};=<]++|" + _GENERIC + rb"|" + blanking.nested_expression(rb"\(", rb"[^(){};=]++", rb"\)") + rb")+)"
)
_LOCAL = (
    rb"[;{}\n\]][ \t\r]*+(?>(?:(?:static|async|unsafe|extern|ref|readonly)\s++)*)(?!(?:await|case|catch|checked|do|else"
    rb"|fixed|for|foreach|goto|if|lock|new|return|switch|throw|try|unchecked|using|while|yield)\b)(?=[\w@(\x80-\xff])"
    rb"(?:(?:%(part)s\s++){1,40}[\w@\x80-\xff]++\s*+(?>(?:%(generic)s\s*+)?)\(|(?:%(part)s\s*+){0,40}<(?:[^<{};=]*+<){6}|(?:%(part)s\s++){40})"
    % {b"part": _PART, b"generic": _GENERIC}
)
"""Parts of a type and a name before a parenthesis, or more than any type has."""


def _has_local_function(found: re.Match[bytes]) -> bool:
    """Return whether a function may be in a body: a type and a name before a parenthesis; nothing else is a symbol."""
    body = found["body"]
    if b"//" in body or b"/*" in body:
        body = blanking.compile_expression(_INERT).sub(b" ", body)
    return blanking.compile_expression(_LOCAL).search(body) is not None


def find_skipped_bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of methods and constructors without local functions."""
    return blanking.bodies(content, _NEXT_BODY, _has_local_function)


_GENERIC_METHOD = re.compile(r"(\w+)\s*<([^()<>]*)>\s*\(")


def spell_type_parameters(head: str, name: str) -> Sequence[str]:
    """Return the names of the type parameters of a method, from its head."""
    listed = next((one[2] for one in _GENERIC_METHOD.finditer(head) if one[1] == name), "")
    return [one.split()[-1] for one in listed.split(",") if one.strip()]
