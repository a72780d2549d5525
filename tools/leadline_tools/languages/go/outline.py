"""Definitions of Go: names, kinds, members and receivers of symbols, and the bodies that the index leaves out.

A *receiver* is the parameter before the name of a method. A *body* is what stands in the braces of a function: it is
left out of what the index parses unless a type is declared in it. See https://go.dev/ref/spec.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking
from leadline_tools.languages.nodes import text
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind


def list_names(node: Node) -> Sequence[Node]:
    """Return the names that a declaration gives; the blank identifier is none."""
    return [name for name in node.children_by_field_name("name") if name.type != "," and text(name) != "_"]


INITIALIZERS = frozenset({"init"})
"""The functions that nothing can name: https://go.dev/ref/spec#Package_initialization."""


def is_initializer(node: Node) -> bool:
    """Return whether a function is one that nothing can name."""
    return any(text(name) in INITIALIZERS for name in node.children_by_field_name("name"))


def tell_initializer(node: Node) -> str | None:
    """Return what tells a function that nothing can name from others in its file; None for any other."""
    return str(node.start_byte) if is_initializer(node) else None


def classify_type(node: Node) -> SymbolKind:
    """Tell a struct and an interface from any other type."""
    kind = node.child_by_field_name("type")
    match kind.type if kind is not None else "":
        case "struct_type":
            return SymbolKind.Struct
        case "interface_type":
            return SymbolKind.Interface
        case _:
            return SymbolKind.Class


def list_members(node: Node) -> Sequence[Node]:
    """Return the list of the fields of a struct type, or the interface type, that a declaration spells out."""
    kind = node.child_by_field_name("type")
    if kind is None:
        return ()
    if kind.type == "interface_type":
        return (kind,)
    if kind.type == "struct_type":
        return [child for child in kind.named_children if child.type == "field_declaration_list"]
    return ()


def _find_receiver_type(method: Node) -> Node | None:
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


def name_receiver(method: Node) -> str:
    """Return the name of the type that a method belongs to."""
    found = _find_receiver_type(method)
    if found is not None and found.type == "generic_type":
        found = found.child_by_field_name("type")
    return text(found)


def list_receiver_parameters(method: Node) -> Sequence[Node]:
    """Return the type parameters that a receiver declares: ``func (b *Box[T]) Get()``."""
    found = _find_receiver_type(method)
    return found.children_by_field_name("type_arguments") if found is not None else ()


def find_embedded_name(node: Node) -> Sequence[Node]:
    """Return the name of an embedded field: that of its type."""
    if node.child_by_field_name("name") is not None:
        return ()
    found = node.child_by_field_name("type")
    for _ in range(4):
        if found is None or found.type == "type_identifier":
            break
        found = found.child_by_field_name("name" if found.type == "qualified_type" else "type")
    return (found,) if found is not None else ()


def find_member_list(kind: Node) -> Node:
    """Return the node that holds the members of a struct or an interface type."""
    return next((child for child in kind.named_children if child.type == "field_declaration_list"), kind)


def is_symbol(kind: Node) -> bool:
    """Return whether a type is that of a declaration outside of functions, or of a field in one."""
    around = kind.parent
    while around is not None and around.type == "field_declaration":
        listed = around.parent
        kind = listed.parent if listed is not None and listed.parent is not None else around
        around = kind.parent
    declaration = around.parent if around is not None and around.type == "type_spec" else None
    return declaration is not None and declaration.parent is not None and declaration.parent.type == "source_file"


def list_receiver_names(method: Node) -> Sequence[Node]:
    """Return what a method calls the type parameters of its receiver."""
    return [one for listed in list_receiver_parameters(method) for one in listed.named_children]


_INERT = (
    rb"\"[^\"\\\n]*+(?>(?:\\.[^\"\\\n]*+)*)\"|`[^`]*+`|'(?:[^'\\\n]|\\.)[^'\\\n]*+'"
    rb"|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*]))"
)
"""A string, a rune, a comment, or a slash that begins none."""

_PLAIN = rb"[^(){}\"'`/]++|(?:(?<=interface)|(?<=struct))\{\}"
_LISTS = rb"\((?>(?:%(plain)s|\((?>(?:%(plain)s|\((?>(?:%(plain)s)*)\))*)\))*)\)" % {b"plain": _PLAIN}

_FUNCTION_HEAD = rb"func\b(?>(?:[^(){}\"'`/\n]++|(?:(?<=interface)|(?<=struct))\{\}|" + _LISTS + rb")*)"
"""The head of a function, whose lines end in lists only: it may have no body."""

_NEXT_BODY = (
    rb"(?>(?:[^\n\"'`/]++|" + _INERT + rb"|\n(?!func\b))*)\n"
    rb"(?>(?:" + _FUNCTION_HEAD + rb"(?P<body>" + blanking.braces(_INERT, rb"\"'`/") + rb"))?)"
)
_TYPE_KEYWORD = lazy_compile(rb"[\n;{}/:][ \t\r]*+type(?![\w)\x80-\xff])")


def _has_type(found: re.Match[bytes]) -> bool:
    """Return whether a body may define a type: nothing else in it is a symbol."""
    body = found["body"]
    return b"type" in body and _TYPE_KEYWORD.search(body) is not None


def find_skipped_bodies(content: bytes) -> blanking.Bodies:
    """Return the bodies of functions without types."""
    return blanking.bodies(content, _NEXT_BODY, _has_type)


_COMMENT = lazy_compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_METHOD_NAME = lazy_compile(r"(?:func\s*\([^)]*\)\s*)?\w+\s*(?=\()")


def have_same_arity(one: str, other: str) -> bool:
    """Return whether two methods take and give as many values; their types may be spelled in two ways."""
    return _count_values(one) == _count_values(other)


def _count_values(signature: str) -> tuple[int, int]:
    """Return how many values a method takes, and how many it gives."""
    plain = _COMMENT.sub(" ", signature)
    head = _METHOD_NAME.match(plain)
    parameters, rest = _count_list(plain[head.end() :] if head is not None else plain)
    results = rest.strip().removesuffix("{").strip()
    return parameters, _count_list(results)[0] if results.startswith("(") else bool(results)


def _count_list(text_: str) -> tuple[int, str]:
    """Return how many things a list in parentheses has, with which a text begins, and what is behind it."""
    depth, found, empty = 0, 0, True
    for at, sign in enumerate(text_):
        depth += (sign in "([{") - (sign in ")]}")
        if not depth:
            return found + (not empty), text_[at + 1 :]
        if sign == "," and depth == 1:
            found, empty = found + 1, True
        elif at and not sign.isspace():
            empty = False
    return found + (not empty), ""
