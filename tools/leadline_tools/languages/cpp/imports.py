"""Imports of C++: ``using`` and other names of namespaces. Includes are those of C."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from leadline_tools.languages.cpp.outline import SPACES, find_unqualified, name_owner
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import Imported


def read_using(node: Node) -> Iterator[Imported]:
    """Read ``using namespace a::b`` and ``using a::b``."""
    name = next((child for child in node.named_children), None)
    if name is None:
        return
    if any(child.type == "namespace" for child in node.children):
        yield Imported("", "*", "", space=text(name).replace("::", "."))
    elif name_owner(name):
        last = text(find_unqualified(name))
        yield Imported("", last, last, space=name_owner(name))


def read_namespace_alias(node: Node) -> Iterator[Imported]:
    """Read ``namespace a = b::c``."""
    name = node.child_by_field_name("name")
    meant = next((child for child in reversed(node.named_children) if child != name), None)
    if name is not None and meant is not None:
        yield Imported("", "", text(name), space=SPACES.sub("", text(meant)).removeprefix("::").replace("::", "."))
