"""Identifiers drawn by seed from the text of a tree, declarations and uses, so many of each kind as there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.edits.ownership import foreign
from leadline_tools.index.index import Index
from leadline_tools.languages import LANGUAGES, language_of
from truth.record import Place

FILES = 400
"""Files of a tree, chosen by seed, of which the identifiers are read."""

_IDENTIFIERS = frozenset(
    {
        "identifier",
        "type_identifier",
        "field_identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier",
        "shorthand_property_identifier_pattern",
        "statement_identifier",
        "package_identifier",
        "label_name",
    }
)

_RULES: dict[str, Sequence[tuple[str, str, str]]] = {
    "python": (
        ("keyword argument", "keyword_argument", "name"),
        ("parameter", "parameters", ""),
        ("parameter", "default_parameter", "name"),
        ("parameter", "typed_default_parameter", "name"),
        ("parameter", "typed_parameter", ""),
        ("parameter", "lambda_parameters", ""),
        ("type", "class_definition", "name"),
        ("function", "function_definition", "name"),
        ("local", "assignment", "left"),
        ("local", "for_statement", "left"),
        ("local", "as_pattern_target", ""),
        ("local", "named_expression", "name"),
        ("import", "aliased_import", ""),
        ("import", "dotted_name", ""),
        ("member, used", "attribute", "attribute"),
    ),
    "typescript": (
        ("type", "class_declaration", "name"),
        ("type", "interface_declaration", "name"),
        ("type", "type_alias_declaration", "name"),
        ("type", "enum_declaration", "name"),
        ("type parameter", "type_parameter", "name"),
        ("method", "method_definition", "name"),
        ("method", "method_signature", "name"),
        ("member", "public_field_definition", "name"),
        ("member", "property_signature", "name"),
        ("function", "function_declaration", "name"),
        ("function", "function_signature", "name"),
        ("parameter", "required_parameter", ""),
        ("parameter", "optional_parameter", ""),
        ("local", "variable_declarator", "name"),
        ("default export", "import_clause", ""),
        ("default export", "export_statement", "value"),
        ("import", "import_specifier", ""),
        ("import", "export_specifier", ""),
        ("key", "pair", "key"),
        ("key", "object", ""),
        ("key", "object_pattern", ""),
        ("member, used", "member_expression", "property"),
    ),
    "c": (
        ("function", "function_declarator", "declarator"),
        ("parameter", "parameter_declaration", "declarator"),
        ("struct member", "field_declaration", "declarator"),
        ("struct member, used", "field_expression", "field"),
        ("struct member", "field_designator", ""),
        ("type", "struct_specifier", "name"),
        ("type", "union_specifier", "name"),
        ("type", "enum_specifier", "name"),
        ("type", "type_definition", "declarator"),
        ("constant", "enumerator", "name"),
        ("macro", "preproc_def", "name"),
        ("macro", "preproc_function_def", "name"),
        ("local", "init_declarator", "declarator"),
        ("local", "declaration", "declarator"),
        ("label", "labeled_statement", "label"),
        ("label", "goto_statement", "label"),
        ("function, called", "call_expression", "function"),
    ),
    "java": (
        ("type", "class_declaration", "name"),
        ("type", "interface_declaration", "name"),
        ("type", "record_declaration", "name"),
        ("type", "enum_declaration", "name"),
        ("type parameter", "type_parameter", ""),
        ("method", "method_declaration", "name"),
        ("constant", "enum_constant", "name"),
        ("parameter", "formal_parameter", "name"),
        ("parameter", "inferred_parameters", ""),
        ("parameter", "lambda_expression", "parameters"),
        ("local", "catch_formal_parameter", "name"),
        ("local", "enhanced_for_statement", "name"),
        ("local", "resource", "name"),
        ("member, used", "field_access", "field"),
        ("method, called", "method_invocation", "name"),
    ),
    "go": (
        ("type", "type_spec", "name"),
        ("method", "method_declaration", "name"),
        ("method", "method_elem", "name"),
        ("function", "function_declaration", "name"),
        ("parameter", "parameter_declaration", "name"),
        ("struct member", "field_declaration", "name"),
        ("constant", "const_spec", "name"),
        ("local", "var_spec", "name"),
        ("key", "literal_element", ""),
        ("member, used", "selector_expression", "field"),
    ),
}
"""By language: a kind, the type of the parent, and the field of the identifier in it; the empty field is any."""

_RELATED = {"tsx": "typescript", "javascript": "typescript", "cpp": "c"}


class Identifier(NamedTuple):
    """An identifier of a tree and what it is there."""

    place: Place
    name: str
    kind: str


def draw_identifiers(index: Index, count: int, seed: int, language: str, below: str) -> list[Identifier]:
    """Draw identifiers of a tree that has an index: one of each kind in turn, and each name once in a kind.

    Only names that the tree declares are drawn, from files that are neither generated nor copied.
    """
    random_source = random.Random(seed)
    paths = [path for path in index.files.paths if path.startswith(below) and _is_of(path, language)]
    paths = random_source.sample(paths, min(FILES, len(paths)))
    found: dict[str, dict[str, list[Identifier]]] = {}
    declared = set[str]()
    every = [one for path in paths for one in _identifiers_of(index, path, declared)]
    for one in every:
        if one.name in declared:
            found.setdefault(one.kind, {}).setdefault(one.name, []).append(one)
    queues = {kind: list(names.values()) for kind, names in sorted(found.items())}
    for names in queues.values():
        random_source.shuffle(names)
    chosen = list[Identifier]()
    while len(chosen) < count and any(queues.values()):
        for names in queues.values():
            if names and len(chosen) < count:
                chosen.append(random_source.choice(names.pop()))
    return chosen


def _is_of(path: str, language: str) -> bool:
    known = language_of(path)
    if known is None or known.semantics is None:
        return False
    rules = _RELATED.get(known.name, known.name)
    return rules in _RULES and (not language or rules == _RELATED.get(language, language))


def _identifiers_of(index: Index, path: str, declared: set[str]) -> Iterator[Identifier]:
    """Yield the identifiers of a file, and add the names that it declares to ``declared``."""
    source, known = index.try_read(path), language_of(path)
    facts = index.facts.fetch((path,)).facts.get(path)
    if source is None or known is None or facts is None or foreign(path, source.content):
        return
    declared.update(one.name for one in index.symbols.definitions(source))
    declared.update(binding.name for binding in facts.bindings if binding.imported < 0)
    lines = source.content.split(b"\n")
    bom = b"\xef\xbb\xbf"
    for node in _leaves(LANGUAGES[known.name].parser().parse(known.source.prepare(source.content)).root_node):
        row, start, end = node.start_point.row, node.start_point.column, node.end_point.column
        line = lines[row]
        name, before = line[start:end].decode("utf-8", "replace"), line[:start].removeprefix(bom)
        if known.names.identifier.fullmatch(name) and name not in known.names.keywords:
            column = len(before.decode("utf-8", "replace")) + 1
            yield Identifier(Place(path, row + 1, column), name, _kind(node, _RELATED.get(known.name, known.name)))


def _leaves(root: Node) -> Iterator[Node]:
    """Yield the identifiers below a node, in order."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in _IDENTIFIERS and not node.is_missing:
            yield node
        pending.extend(reversed(node.children))


def _kind(node: Node, language: str) -> str:
    """Return what an identifier is where it stands."""
    above = node.parent
    while above is not None and above.type in ("pointer_declarator", "array_declarator"):
        node, above = above, above.parent
    if above is None:
        return "name, used"
    field = next((above.field_name_for_child(at) for at, child in enumerate(above.children) if child == node), None)
    if language == "java" and above.type == "variable_declarator" and field == "name":
        return "member" if above.parent is not None and above.parent.type == "field_declaration" else "local"
    kind = next((kind for kind, parent, at in _RULES[language] if parent == above.type and at in ("", field)), "")
    return _refined(kind, above, language) or "name, used"


def _refined(kind: str, above: Node, language: str) -> str:
    """Return a kind as what is around the parent says it more closely."""
    outer = above.parent
    around = outer.type if outer is not None else ""
    if language == "python" and kind == "function" and _is_in_class(above):
        return "method"
    if language == "python" and kind == "member, used" and outer is not None and around == "assignment":
        owner = above.child_by_field_name("object")
        if outer.child_by_field_name("left") == above and owner is not None and owner.text == b"self":
            return "attribute that a method assigns"
    if language == "typescript" and kind in ("type", "function") and outer is not None and around == "export_statement":
        return "default export" if any(child.type == "default" for child in outer.children) else kind
    if language == "java" and kind == "parameter" and outer is not None and outer.parent is not None:
        return "record component" if outer.parent.type == "record_declaration" else kind
    return kind


def _is_in_class(function: Node) -> bool:
    block = function.parent
    if block is not None and block.type == "decorated_definition":
        block = block.parent
    return block is not None and block.parent is not None and block.parent.type == "class_definition"
