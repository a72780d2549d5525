"""Imports of C#, and the folders of namespaces, which are often named like them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages.csharp.outline import join_name
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.languages.terms import TOP

_OUTER_NAMESPACES = 4


def read_using(node: Node) -> Iterator[Imported]:
    """Read ``using A.B`` and ``using X = A.B.C``; what ``using static`` brings are members of a type."""
    alias = node.child_by_field_name("name")
    target = next((child for child in reversed(node.named_children) if child != alias), None)
    spelled = join_name(target)
    if any(child.type == "static" for child in node.children):
        arity = _count_type_arguments(target) if target is not None else 0
        yield Imported(_without_type_arguments(spelled), "*", "", arity=arity)
    elif alias is None:
        yield Imported(spelled, "*", "", space=spelled)
    elif target is not None and target.type in ("qualified_name", "identifier", "generic_name"):
        space, _, name = _without_type_arguments(spelled).rpartition(".")
        yield Imported(space, name, text(alias), space=space, arity=_count_type_arguments(target))


def _count_type_arguments(target: Node) -> int:
    """Return how many type arguments the last part of a dotted name is given."""
    last = target.child_by_field_name("name") or target
    return sum(len(child.named_children) for child in last.named_children if child.type == "type_argument_list")


def _without_type_arguments(spelled: str) -> str:
    """Return a dotted name without what stands in angle brackets."""
    kept, depth = list[str](), 0
    for char in spelled:
        depth += char == "<"
        kept.append("" if depth else char)
        depth -= char == ">"
    return "".join(kept)


def find_owner(name: Node) -> str:
    """Return the term for what is outside of all namespaces, of which the first name of a ``using`` at the top is one.

    Inside of a namespace it may be one in that, and a name alone behind ``=`` is what is imported.
    """
    around: Node | None = name
    while around is not None and around.type != "using_directive":
        if around.start_byte != name.start_byte:
            return ""
        around = around.parent
    if around is None or (name.parent == around and around.child_by_field_name("name") is not None):
        return ""
    before = around.prev_named_sibling
    while before is not None and before.type != "file_scoped_namespace_declaration":
        before = before.prev_named_sibling
    outside = around.parent is not None and around.parent.type == "compilation_unit" and before is None
    return TOP if outside else ""


def locate_namespace(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return where a namespace may lie: folders are often named like it. What is found there tells its namespace."""
    found: dict[str, None] = {}
    parts = module.split(".") if module else []
    for folder in ("/".join(parts), parts[-1] if parts else ""):
        if folder:
            found.update(dict.fromkeys(path for path in paths.inside(folder) if path.endswith(".cs")))
    return list(found)


def list_nearby_files(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside and above: a namespace sees its own and those around it, wherever they lie."""
    found: list[str] = []
    folder = path.rpartition("/")[0]
    for _ in range(_OUTER_NAMESPACES):
        found += (other for other in paths.inside(folder) if other.endswith(".cs") and other != path)
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    return list(dict.fromkeys(found))
