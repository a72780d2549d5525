"""Definitions of Java: names, kinds and visibility of symbols, and the bodies that the index leaves out.

A *declarator* is one name of a declaration of several. A *body* is what stands in the braces of a method: the index
does not parse it unless a type is declared in it. See https://docs.oracle.com/javase/specs/.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking, reach
from leadline_tools.languages.outline import CLASS_LIKE
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind


def list_declared_names(node: Node) -> Sequence[Node]:
    """Return the names of a declaration of fields or local variables."""
    declarators = node.children_by_field_name("declarator")
    return [name for declarator in declarators for name in declarator.children_by_field_name("name")]


HOLDERS = frozenset(
    {
        *("argument_list", "assignment_expression", "cast_expression", "catch_clause", "do_statement"),
        *("enhanced_for_statement", "expression_statement", "finally_clause", "for_statement", "if_statement"),
        *("labeled_statement", "local_variable_declaration", "method_invocation", "object_creation_expression"),
        *("parenthesized_expression", "return_statement", "switch_block", "switch_block_statement_group"),
        *("switch_expression", "switch_rule", "synchronized_statement", "ternary_expression", "try_statement"),
        *("try_with_resources_statement", "variable_declarator", "while_statement", "yield_statement"),
    }
)
"""The statements and expressions that may hold a block, or a lambda, in which a type is declared."""


def list_statements(node: Node) -> Sequence[Node]:
    """Return what holds the statements of a block or a lambda: the block itself, or what the lambda returns."""
    return (node,) if node.type == "block" else node.children_by_field_name("body")


_TYPES = frozenset({"class_declaration", "enum_declaration", "interface_declaration", "record_declaration"})


def list_blocks_with_types(node: Node) -> Sequence[Node]:
    """Return the block of a lambda that is the value of a field, if it declares types."""
    declarator = node.child_by_field_name("declarator")
    value = declarator.child_by_field_name("value") if declarator is not None else None
    block = value.child_by_field_name("body") if value is not None and value.type == "lambda_expression" else None
    declares = block is not None and any(part.type in _TYPES for part in block.named_children)
    return (block,) if block is not None and declares else ()


def classify_field(node: Node) -> SymbolKind:
    """Tell a constant, which is ``static`` and ``final``, from any other field."""
    modifiers = next((child for child in node.children if child.type == "modifiers"), None)
    spelled = {child.type for child in modifiers.children} if modifiers is not None else set[str]()
    return SymbolKind.Constant if {"static", "final"} <= spelled else SymbolKind.Field


_INERT = (
    rb"""\"(?:\"\"[^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*)\"\"\"|(?!"")[^"\\\n]*+(?>(?:\\.[^"\\\n]*+)*)")"""
    rb"|'(?:[^'\\\n]|\\.)[^'\\\n]*+'|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*]))"
)
"""A string, a character, a comment, or a slash that begins none."""

_ARGUMENTS = blanking.nested_expression(rb"<", rb"[^<>(){};=\"'/\n]++", rb">")
_WORD = rb"(?!record\b)[\w$.\x80-\xff]++(?>(?:%(a)s)?)(?>(?:\[\])*)[ \t]++(?>(?:%(a)s[ \t]*+)?)" % {b"a": _ARGUMENTS}

_METHOD_HEAD = rb"[ \t]*+(?>(?:@[\w.]++[ \t]++)*)" + _WORD + rb"(?:@?" + _WORD + rb")*[\w$\x80-\xff]++[ \t]*+\("
"""A line that begins with a type or modifier, the name and the parenthesis of a method: a constant of an enumeration,
whose body is that of a class, has no word before its name, and the header of a record has another."""

_NEXT_BODY = (
    rb"(?>(?:[^\n\"'/]++|" + _INERT + rb"|\n(?!" + _METHOD_HEAD + rb"))*)\n"
    rb"(?>(?:" + _METHOD_HEAD + rb"(?>(?:[^(){};\"'/]++|\([^(){};\"'/]*+\))*)\)\s*+(?>(?:throws\b[^(){};=\"'/]*+)?)"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/") + rb"))?)"
)
_TYPE_KEYWORD = lazy_compile(
    rb"(?:class(?<![\w.]class)|interface(?<!\winterface)|enum(?<!\wenum)|record(?<!\wrecord)(?=\s+[\w$\x80-\xff]|/))"
    rb"(?=[\s/])"
)


def _has_type(found: re.Match[bytes]) -> bool:
    """Return whether a body may define a type: nothing else in it is a symbol."""
    body = found["body"]
    typed = b"class" in body or b"interface" in body or b"enum" in body or b"record" in body
    return typed and _TYPE_KEYWORD.search(body) is not None


def find_skipped_bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of methods and constructors without types."""
    return blanking.bodies(content, _NEXT_BODY, _has_type)


_LOMBOK = lazy_compile(rb"^[ \t]*import\s+(?:static\s+)?lombok\b|@lombok\.", re.MULTILINE)


_MODIFIED = lazy_compile(r"\b(?:public|protected|private)\b")
_HEAD = lazy_compile(r"(?:\w+\s+)*(?:class|enum)\s")
"""A type whose members are hidden from other packages where no modifier says more; those of an interface are public."""

_DATA = frozenset({SymbolKind.Field, SymbolKind.Constant})


def find_reach(declared: reach.Declared) -> reach.Reach:
    """Tell of a symbol by its modifiers, by https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.6.1.

    Other files may name a private field by the methods that Lombok adds. A method without a modifier may be overridden
    by one that other packages see.
    """
    if declared.kind is SymbolKind.Field and _LOMBOK.search(declared.content) is not None:
        return reach.Reach.Anywhere
    if _is_of_package(declared):
        return reach.Reach.Package
    return reach.private(declared)


def _is_of_package(declared: reach.Declared) -> bool:
    """Return whether a type or a field is one that only its package can name."""
    if _MODIFIED.search(declared.signature) is not None:
        return False
    if not declared.around:
        return declared.kind in CLASS_LIKE
    return declared.kind in CLASS_LIKE | _DATA and _HEAD.match(declared.around) is not None
