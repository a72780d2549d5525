"""Objective-C: https://clang.llvm.org/docs/ObjectiveCLiterals.html and the language that Clang accepts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tree_sitter import Node

from leadline_tools.languages.blanking import blank
from leadline_tools.languages.c import rules as c_rules
from leadline_tools.languages.c import source as c_source
from leadline_tools.languages.nodes import children_of_type, descend, fields, first_child, the_node
from leadline_tools.languages.rules.outline import Defines
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

_MATLAB = lazy_compile(rb"^[ \t]*(?:function\b|classdef\b|%)", re.MULTILINE)
_OBJECTIVE_C = lazy_compile(
    rb"^[ \t]*(?:@(?:interface|implementation|protocol|class|import)\b|#[ \t]*\w)", re.MULTILINE
)

_ENUM = lazy_compile(
    rb"\btypedef(?P<before>[ \t]+(?:NS|CF)_(?:CLOSED_|ERROR_)?(?:ENUM|OPTIONS)[ \t]*\([^,(){};]*,[ \t\n]*)(?P<name>\w+)"
    rb"(?P<behind>[ \t]*\))"
)
"""An enumeration as the macros of Foundation declare it, which the grammar does not know."""

_MACRO = lazy_compile(
    rb"^[A-Z][A-Z0-9_]+(?:\((?:[^()\n]|\([^()\n]*\))*\))?(?=\s+(?:(?://[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)\s*)*@)"
    rb"|(?<=^@end\n)\s*[A-Z][A-Z0-9_]+[ \t]*$",
    re.MULTILINE,
)
"""Macros before and behind what begins with ``@``, such as those of Foundation that say what may be nil."""

_DECLARATOR = descend(first_child("struct_declaration"), children_of_type("struct_declarator"))
_IDENTIFIER = first_child("identifier")


def _dialect(_path: str, content: bytes) -> str:
    """Return whether a file that ends in ``.m`` is one of MATLAB, which has no lines that only Objective-C has."""
    return "matlab" if _MATLAB.search(content) and not _OBJECTIVE_C.search(content) else "objc"


def _list_declared_name(node: Node) -> Sequence[Node]:
    """Return the name that a property or an instance variable declares, without ``*`` before it."""
    names: list[Node] = []
    for declarator in _DECLARATOR(node):
        inner: Node | None = declarator
        while inner is not None and inner.type != "identifier":
            inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
        names += [inner] if inner is not None else []
    return names


def _mask_source(content: bytes) -> bytes:
    """Return a source of the same length in which macros that declare enumerations are ``enum``, without others."""
    content = _MACRO.sub(lambda found: blank(found[0]), content)
    return c_source.mask_source(_ENUM.sub(_plain_enum, content))


def _plain_enum(found: re.Match[bytes]) -> bytes:
    return b"".join((b"enum   ", blank(found["before"]), found["name"], blank(found["behind"])))


_METHOD = Defines(SymbolKind.Method, name=_IDENTIFIER, body=fields())

LANGUAGE = replace(
    c_rules.LANGUAGE,
    name="objc",
    grammar=("tree_sitter_objc", "language"),
    files=replace(c_rules.LANGUAGE.files, extensions=(".m", ".mm"), fragments=(), dialect=_dialect),
    outline=replace(
        c_rules.LANGUAGE.outline,
        definitions={
            **c_rules.DEFINITIONS,
            "class_interface": Defines(SymbolKind.Class, name=_IDENTIFIER, body=the_node),
            "class_implementation": Defines(SymbolKind.Class, name=_IDENTIFIER, body=the_node),
            "protocol_declaration": Defines(SymbolKind.Interface, name=_IDENTIFIER, body=the_node),
            "method_declaration": _METHOD,
            "method_definition": _METHOD,
            "property_declaration": Defines(SymbolKind.Property, name=_list_declared_name, body=fields()),
            "instance_variable": Defines(SymbolKind.Field, name=_list_declared_name, body=fields()),
        },
        through=c_rules.THROUGH
        | {"implementation_definition", "instance_variables", "qualified_protocol_interface_declaration"},
    ),
    source=replace(
        c_rules.LANGUAGE.source, mask=_mask_source, bodies=None, directives=None, textual=None, besides_macros=None
    ),
    semantics=None,
)
