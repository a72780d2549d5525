"""Owners of the members that assignments name: a variable whose object has a type, or which another module declares.

What is assigned to a member of such a variable declares nothing: the type of the object does, or the other module.
https://www.typescriptlang.org/docs/handbook/type-checking-javascript-files.html#classes-functions-and-object-literals-are-namespaces
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages.javascript import outline
from leadline_tools.languages.nodes import root_of, text
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

_CREATED = lazy_compile(rb"(?<![\w$.])(?:const|let|var)\s+([\w$]+)\s*=\s*\(?\s*new(?![\w$])")
_TAKEN = lazy_compile(rb"(?<![\w$.])(?:import\s+(?!type\b)|(?:const|let|var)\s*\{)([^;'\"(=]*)(?=[}=]|\bfrom\b)")
_DECLARED = lazy_compile(rb"(?<![\w$.])(?:const|let|var|function\s*\*?|class)\s+([\w$]+)")
_NAME = lazy_compile(rb"[\w$]+")


def classify_assigned(node: Node) -> SymbolKind | None:
    """Tell what assigning to a member defines; None where its owner is created by ``new``, imported or taken apart."""
    kind = outline.classify_assigned(node)
    left = node.child_by_field_name("left")
    owner = left.child_by_field_name("object") if kind is not None and left is not None else None
    if owner is None or owner.type != "identifier":
        return kind
    typed, name = _TYPED_NAMES.of(node), owner.text or b""
    if name not in typed:
        return kind
    if typed[name]:
        return kind if _is_parameter(node, name) else None
    declared = next(iterate_declarators(node, text(owner)), None)
    value = declared.child_by_field_name("value") if declared is not None else None
    while value is not None and value.type == "parenthesized_expression" and value.named_children:
        value = value.named_children[0]
    is_created = value is not None and value.type == "new_expression"
    return None if declared is None or is_created else kind


class _TypedNames:
    """The names that ``new``, an import or a pattern may give their values, each with whether nothing else does.

    They are those of the file that was asked about last: a file is asked about once for each assignment.
    """

    def __init__(self) -> None:
        self._known: tuple[bytes, Mapping[bytes, bool]] = b"", {}

    def of(self, node: Node) -> Mapping[bytes, bool]:
        """Return those of the file of a node; none for a file that no person writes, of which it would take long."""
        root = root_of(node)
        source = root.text if root.end_byte <= _LONGEST else None
        known = self._known
        if source is not None and source != known[0]:
            self._known = known = source, _list_typed(source)
        return known[1] if source is not None else {}


_LONGEST = 128 * 1024
_TYPED_NAMES = _TypedNames()


def _list_typed(source: bytes) -> Mapping[bytes, bool]:
    created, declared = Counter(_CREATED.findall(source)), Counter(_DECLARED.findall(source))
    taken = {name for found in _TAKEN.finditer(source) for name in _NAME.findall(found[1])}
    return {name: declared[name] == created[name] for name in (*created, *taken)}


def _is_parameter(node: Node, name: bytes) -> bool:
    """Return whether a function around a place has a parameter of a name."""
    around = node.parent
    while around is not None:
        listed = around.child_by_field_name("parameters") or around.child_by_field_name("parameter")
        if listed is not None and name in _NAME.findall(listed.text or b""):
            return True
        around = around.parent
    return False


def iterate_declarators(node: Node, name: str) -> Iterator[Node]:
    """Yield what declares a variable that is seen from a place, the nearest first: a declarator, or a parameter."""
    around = node.parent
    while around is not None:
        for child in around.named_children:
            yield from (one for one in _iterate_declared(child) if text(_find_name(one)) == name)
        around = around.parent


def _iterate_declared(child: Node) -> Iterator[Node]:
    if child.type == "export_statement":
        child = child.child_by_field_name("declaration") or child
    if child.type == "ambient_declaration" and child.named_children:
        child = child.named_children[0]
    if child.type in ("lexical_declaration", "variable_declaration"):
        yield from (one for one in child.named_children if one.type == "variable_declarator")
    elif child.type == "formal_parameters":
        yield from (one for one in child.named_children if one.type in _PARAMETERS)
    elif child.type in DECLARING:
        yield child


def _find_name(declared: Node) -> Node | None:
    if declared.type == "identifier":
        return declared
    return declared.child_by_field_name("pattern" if declared.type in TYPED_PARAMETERS else "name")


TYPED_PARAMETERS = frozenset({"required_parameter", "optional_parameter"})
_PARAMETERS = TYPED_PARAMETERS | {"identifier"}
DECLARING = frozenset({"function_declaration", "generator_function_declaration", "class_declaration"})
