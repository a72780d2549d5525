"""Scopes of Go: what binds names, who sees them, and what they may be renamed to.

A *switch alias* is the name that ``switch x := y.(type)`` gives to its value: it is bound in each case. A *reach* is
the set of files that may name a symbol. See https://go.dev/ref/spec#Declarations_and_scope.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.go.outline import find_member_list, is_symbol
from leadline_tools.languages.go.types import find_type
from leadline_tools.languages.reach import Declared, Reach
from leadline_tools.languages.terms import DECLARED, Spell


def list_declared_names(node: Node) -> Sequence[Node]:
    """Return the left side of ``:=``; with ``=`` the same nodes only assign."""
    if not any(child.type == ":=" for child in node.children):
        return ()
    return node.children_by_field_name("left")


def _find_type_switch(case: Node) -> Node | None:
    around = case.parent
    return around if around is not None and around.type == "type_switch_statement" else None


def list_switch_alias(case: Node) -> Sequence[Node]:
    """Return the name that a type switch gives to its value; it has the type of the case in each."""
    around = _find_type_switch(case)
    return around.children_by_field_name("alias") if around is not None else ()


def find_case_type(case: Node) -> Node | None:
    """Return the type of a case; None where it has several, or none."""
    types = case.children_by_field_name("type")
    return types[0] if len(types) == 1 else None


def bind_switched(case: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the name the value itself in a case of several types, or of none."""
    around = _find_type_switch(case)
    if around is not None and find_case_type(case) is None:
        term = spell(around.child_by_field_name("value"))
        yield from ((name, term) for alias in list_switch_alias(case) for name in alias.named_children)


def mark_switch_alias(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Say that the name of a type switch is nothing declared: it is bound in its cases."""
    yield from ((name, DECLARED) for alias in node.children_by_field_name("alias") for name in alias.named_children)


def mark_package_name(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Say that the name of the package is nothing declared."""
    yield from ((name, DECLARED) for name in node.named_children)


def mark_inline_members(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Say that the members of a type that is no symbol are nothing declared."""
    if not is_symbol(node):
        yield from (
            (name, DECLARED)
            for child in find_member_list(node).named_children
            for name in child.children_by_field_name("name")
        )


def list_maybe_called(node: Node) -> Sequence[Node]:
    """Return what is called in what looks like a conversion to a generic type: ``a[b](c)`` may call ``a``."""
    kind = find_type(node)
    return _list_type_names(find_type(kind))[-1:] if kind is not None and kind.type == "generic_type" else ()


def list_maybe_read(node: Node) -> Sequence[Node]:
    """Return the names of values in the same: ``a[b](c)`` may call what ``a`` has at ``b``."""
    kind = find_type(node)
    arguments = kind.child_by_field_name("type_arguments") if kind is not None else None
    if kind is None or arguments is None:
        return ()
    elements = (one.named_children[0] for one in arguments.named_children if one.named_child_count == 1)
    return [*_list_type_names(find_type(kind))[:-1], *(name for one in elements for name in _list_type_names(one))]


def list_called_at_index(node: Node) -> Sequence[Node]:
    """Return the name in front of an index of what is called: ``a[b]()`` calls ``a`` where ``b`` is a type."""
    around, operand = node.parent, node.child_by_field_name("operand")
    if around is None or around.type != "call_expression" or around.child_by_field_name("function") != node:
        return ()
    if operand is not None and operand.type == "selector_expression":
        return operand.children_by_field_name("field")
    return (operand,) if operand is not None and operand.type == "identifier" else ()


def _list_type_names(kind: Node | None) -> Sequence[Node]:
    """Return the names that a type is called by: that of its package too; none for one that is written otherwise."""
    if kind is not None and kind.type == "qualified_type":
        return kind.named_children
    return (kind,) if kind is not None and kind.type == "type_identifier" else ()


def refuse_rename(old: str, new: str) -> str:
    """Refuse what changes who sees the name, and the blank identifier, which names nothing.

    https://go.dev/ref/spec#Blank_identifier
    """
    if old == "_":
        return "_ takes values that are not used"
    cases_differ = old[0].isupper() != new[0].isupper()
    return "the case of the first letter says whether other packages see it" if cases_differ else ""


def is_bound_by_directive(path: str, line: str, name: str) -> bool:
    """Tell of a directive of https://pkg.go.dev/cmd/compile or of cgo that has a name, and of assembly."""
    if path.endswith(".s"):
        return re.search(rf"\u00b7{re.escape(name)}\b", line) is not None
    return re.match(rf"//(?:go:linkname|export)\s.*\b{re.escape(name)}\b", line) is not None


_MAIN_PACKAGE = re.compile(rb"^package[ \t]+main\b", re.MULTILINE)


def find_reach(declared: Declared) -> Reach:
    """Tell from where a name is seen, by https://go.dev/ref/spec#Exported_identifiers and what can be imported.

    Nothing imports a program or a test, of whose package only its folder is seen. A member is reached through values
    that any package hands on.
    """
    exported = declared.name[0].isupper() and not declared.path.endswith("_test.go")
    if not exported or _MAIN_PACKAGE.search(declared.content) is not None:
        return Reach.Folder
    return Reach.Anywhere if declared.around else Reach.Importing


def names_field(before: str, after: str) -> bool:
    """Return whether a name with a receiver is the key of a literal: ``T{a: b}``.

    https://go.dev/ref/spec#Composite_literals
    """
    return after.lstrip().startswith(":") and not before.rstrip().endswith(".")
