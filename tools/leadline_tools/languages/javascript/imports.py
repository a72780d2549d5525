"""Imports and exports of a file: modules of ECMAScript and of CommonJS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import re2
from tree_sitter import Node

from leadline_tools.languages.javascript.jsdoc_types import IMPORT_ALIAS
from leadline_tools.languages.javascript.outline import COMMON, find_exported_name, list_assigned_path
from leadline_tools.languages.javascript.requires import (
    DECLARATIONS,
    find_loaded_module,
    find_module_required_before,
    find_required_module,
)
from leadline_tools.languages.javascript.values import FUNCTIONS, TRANSPARENT, find_value, list_chain, unquote_name
from leadline_tools.languages.nodes import root_of, text
from leadline_tools.languages.rules.imports import Imported
from leadline_tools.languages.terms import WRITTEN, written_at


def read_loaded_module(node: Node) -> Iterator[Imported]:
    """Read ``require("b")``, ``import("b")`` and the type ``import("b")`` where no name is given their value."""
    source = find_loaded_module(node)
    if source is None or _is_named(node):
        return
    required = node.children[0].type == "identifier"
    yield Imported(_quote_module(source), "exports" if required else "", written_at(node))


def _is_named(call: Node) -> bool:
    """Return whether a declarator gives a name to what a call loads, or to a member of it."""
    around = call.parent
    while around is not None and around.type in ("member_expression", "await_expression"):
        around = around.parent
    if around is None or around.type != "variable_declarator" or find_required_module(around) is None:
        return False
    name = around.child_by_field_name("name")
    return name is not None and name.type == "identifier"


def _quote_module(source: Node | None) -> str:
    """Return the module as it is written, in quotes: they tell the module ``"./a.b"`` from the name b of ``"./a"``."""
    return f'"{unquote_name(source)}"' if source is not None else ""


def read_require(node: Node) -> Iterator[Imported]:
    """Read ``const a = require("b")``, ``const { a } = require("b")`` and ``const a = require("b").c``."""
    source = find_required_module(node) or find_module_required_before(node)
    name = node.child_by_field_name("name")
    value = find_value(node)
    if source is None or name is None or value is None:
        return
    module = _quote_module(source)
    if name.type == "identifier":
        member = value.child_by_field_name("property") if value.type == "member_expression" else None
        whole = "" if value.type == "await_expression" else "exports"
        yield Imported(module, text(member) if member is not None else whole, text(name))
    for child in name.named_children if name.type == "object_pattern" else ():
        if child.type == "shorthand_property_identifier_pattern":
            yield Imported(module, text(child), text(child))
        elif child.type == "pair_pattern":
            alias = child.child_by_field_name("value")
            if alias is not None and alias.type == "identifier":
                yield Imported(module, text(child.child_by_field_name("key")), text(alias))


def read_import(node: Node) -> Iterator[Imported]:
    """Read every form of an import declaration."""
    module = _quote_module(node.child_by_field_name("source"))
    if module and not any(clause.type in _CLAUSES for clause in node.named_children):
        yield Imported(module, "", written_at(node))
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
            for name in clause.named_children:
                if name.type == "identifier":
                    yield Imported(_quote_module(source), "export", text(name))
        elif clause.type == "import_clause":
            yield from _read_import_clause(clause, module)


_CLAUSES = frozenset({"import_clause", "import_require_clause"})
"""What an import binds names by; one without is for what the module does."""


def _read_import_clause(clause: Node, module: str) -> Iterator[Imported]:
    for child in clause.named_children:
        if child.type == "identifier":
            yield Imported(module, "default", text(child))
        elif child.type == "namespace_import":
            yield from (Imported(module, "", text(name)) for name in child.named_children)
        elif child.type == "named_imports":
            for specifier in child.named_children:
                if specifier.type == "import_specifier":
                    name = text(specifier.child_by_field_name("name"))
                    yield Imported(module, name, text(specifier.child_by_field_name("alias")) or name)


def read_export(node: Node) -> Iterator[Imported]:
    """Read the exports that name what is declared elsewhere; without source that is this very file."""
    source = node.child_by_field_name("source")
    module = _quote_module(source)
    specifiers = [clause for clause in node.named_children if clause.type in ("export_clause", "namespace_export")]
    if source is not None and not specifiers:
        yield Imported(module, "*", "", exports=True)
    for clause in specifiers:
        if clause.type == "namespace_export":
            yield from (Imported(module, "", unquote_name(name), exports=True) for name in clause.named_children)
            continue
        for specifier in clause.named_children:
            name = text(specifier.child_by_field_name("name"))
            alias = text(specifier.child_by_field_name("alias"))
            if name:
                yield Imported(module, name, alias or (name if module else ""), exports=True)


_EXPORTS = (("exports",), ("module", "exports"))


def read_exports(root: Node) -> Iterator[Imported]:
    """Read what a file exports under a name that is not its own: ``default``, and what CommonJS exports.

    A file that exports anything as CommonJS does means itself by ``exports`` and ``module``. In one that imports by a
    statement ``module`` is what its host has under that name: https://nodejs.org/api/esm.html#no-require-exports-or-moduleexports.
    """
    is_common = is_module = False
    imports = any(node.type == "import_statement" for node in root.named_children)
    for node in root.named_children:
        if node.type == "export_statement":
            is_module = True
            yield from _read_default(node)
            yield from _read_default_object(node)
        elif node.type == "expression_statement" and node.named_children:
            first = node.named_children[0]
            if first.type == "assignment_expression":
                is_common = is_common or list_chain(first.child_by_field_name("left"))[:1] in COMMON
                yield from _read_common_export(first)
            elif list_chain(_find_assign_target(first)) in _EXPORTS:
                is_common = True
                yield from _read_assigned_members(first)
        elif node.type in DECLARATIONS:
            for child in node.named_children:
                kept = list(_read_named_export(child)) if child.type == "variable_declarator" else []
                is_common = is_common or bool(kept)
                yield from kept
    if is_common:
        yield from (Imported("", "", name) for name in ("exports", *(() if imports else ("module",))))
    elif is_module:
        yield Imported("", "", _OF_MODULES, exports=True)


def _read_named_export(declarator: Node) -> Iterator[Imported]:
    """Read ``const a = module.exports = ...``, which exports what has a name."""
    name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    while name is not None and name.type == "identifier" and value is not None and value.type in _ASSIGNING:
        if value.type == "assignment_expression":
            left = list_chain(value.child_by_field_name("left"))
            if left[:1] in COMMON and left != ("module",):
                yield from _read_exported_value(list_assigned_path(value), name)
        value = value.child_by_field_name("right") or value.named_children[0]
    if name is not None and name.type == "identifier" and value is not None and list_chain(value) == _MODULE_EXPORTS:
        yield from _read_exported_value((), name)


_MODULE_EXPORTS = ("module", "exports")

_NAMED_VALUES = FUNCTIONS | {"class"}

_ASSIGNING = frozenset({"assignment_expression", "parenthesized_expression"})


def _read_default(node: Node) -> Iterator[Imported]:
    """Read ``export default`` and the ``export =`` of TypeScript."""
    if any(child.type == "default" for child in node.children):
        declared = node.child_by_field_name("declaration")
        name = declared.child_by_field_name("name") if declared is not None else node.child_by_field_name("value")
        if name is not None and name.type in ("identifier", "type_identifier"):
            yield Imported("", text(name), "default", exports=True)
    elif any(child.type == "=" for child in node.children):
        for name in node.named_children:
            if name.type == "identifier":
                yield Imported("", text(name), "export", exports=True)


def _read_common_export(node: Node) -> Iterator[Imported]:
    """Read ``module.exports = a``, ``module.exports = { a, b: c }``, ``exports.a = b`` and several of them in a row."""
    assignments = [node]
    value = node.child_by_field_name("right")
    while value is not None and value.type == "assignment_expression":
        assignments.append(value)
        value = value.child_by_field_name("right")
    for assignment in assignments:
        left = list_chain(assignment.child_by_field_name("left"))
        if left[:1] in COMMON and left != ("module",) and value is not None:
            yield from _read_exported_value(list_assigned_path(assignment), value)


def _read_default_object(node: Node) -> Iterator[Imported]:
    """Read ``export default { ... }`` and ``export default class { ... }``, whose members have no other owner."""
    value = node.child_by_field_name("value")
    while value is not None and value.type in TRANSPARENT:
        value = value.named_children[0] if value.named_children else None
    written = [value] if value is not None and value.type == "object" else []
    if value is not None and value.type == "class" and value.child_by_field_name("name") is None:
        written = value.children_by_field_name("body")
    yield from (Imported("", written_at(members), "default", exports=True) for members in written)


def _read_exported_value(target: Sequence[str], value: Node) -> Iterator[Imported]:
    """Read what is exported as a whole, or as a ``target``."""
    if value.type == "identifier" and len(target) <= 1:
        for alias in target or ("exports", "default"):
            if alias != text(value):
                yield Imported("", text(value), alias, exports=True)
    elif len(target) == 1 and (exported := find_exported_name(value)):
        yield Imported("", exported, target[0], exports=True)
    elif value.type == "call_expression" and not target and (source := find_loaded_module(value)) is not None:
        yield from (Imported(_quote_module(source), "exports", alias, exports=True) for alias in ("exports", "default"))
    elif value.type in _NAMED_VALUES and not target:
        for name in value.children_by_field_name("name"):
            yield from (Imported("", text(name), alias, exports=True) for alias in ("exports", "default"))
    elif value.type == "object" and not target:
        yield from _read_exported_object(value)
    elif not target and (first := _find_assign_target(value)) is not None and first.type == "object":
        yield from _read_exported_object(first)
        yield from _read_assigned_members(value)


def _read_exported_object(value: Node) -> Iterator[Imported]:
    """Read an object that is exported as a whole, with the members that have other names outside."""
    yield Imported("", written_at(value), _EXPORTED_OBJECT, exports=True)
    yield from _read_spread_members(
        one.named_children[0] for one in value.named_children if one.type == "spread_element"
    )
    for pair in value.named_children:
        renamed = pair.child_by_field_name("value") if pair.type == "pair" else None
        key = pair.child_by_field_name("key")
        if renamed is not None and key is not None and renamed.type == "identifier" and text(renamed) != text(key):
            yield Imported("", text(renamed), unquote_name(key), exports=True)


def _find_assign_target(node: Node) -> Node | None:
    """Return the object to which ``Object.assign(a, b)`` adds members; None for anything else."""
    if node.type != "call_expression" or text(node.child_by_field_name("function")) != "Object.assign":
        return None
    given = node.child_by_field_name("arguments")
    return given.named_children[0] if given is not None and given.named_children else None


def _read_assigned_members(call: Node) -> Iterator[Imported]:
    """Read what ``Object.assign(exports, { a }, require("b"))`` exports: the members of all but the first."""
    given = call.child_by_field_name("arguments")
    sources = given.named_children[1:] if given is not None else []
    for source in sources:
        if source.type == "object":
            yield from _read_exported_object(source)
    yield from _read_spread_members(sources)


def _read_spread_members(sources: Iterable[Node]) -> Iterator[Imported]:
    """Read the modules whose exports a file exports along with its own: ``{ ...require("b") }``, or the name of one."""
    for source in sources:
        if source.type == "identifier":
            module = _find_required_as(source)
        else:
            module = find_loaded_module(source) if source.type == "call_expression" else None
        if module is not None:
            yield Imported(_quote_module(module), "*", "", exports=True)


def _find_required_as(name: Node) -> Node | None:
    """Return the string of the module that the top of a file requires under a name."""
    spelled = text(name)
    for statement in root_of(name).named_children:
        for declarator in statement.named_children if statement.type in DECLARATIONS else ():
            if text(declarator.child_by_field_name("name")) == spelled:
                value = find_value(declarator)
                return (
                    find_required_module(declarator) if value is not None and value.type == "call_expression" else None
                )
    return None


_MAYBE_REQUIRED = re2.compile(rb"\brequire\s*\(\s*(\"[^\"\\\n]+\"|'[^'\\\n]+')\s*\)")


def find_hidden_imports(content: bytes) -> Iterator[Imported]:
    """Yield what is required anywhere in a source."""
    for found in _MAYBE_REQUIRED.finditer(content) if b"require" in content else ():
        module = (found[1] or b"")[1:-1].decode("utf-8", "replace")
        yield Imported(f'"{module}"', "exports", f"{WRITTEN}{found.start()}")


_EXPORTED_OBJECT = "module.exports"

WHOLE_EXPORTS: tuple[str, ...] = ("exports", "export", _EXPORTED_OBJECT)
"""What CommonJS, and the ``export =`` of TypeScript, export something as that is the module to those who import it."""

_OF_MODULES = "import.meta"
"""What modules have and scripts have not: https://tc39.es/ecma262/#sec-meta-properties."""


def is_script(imported: Sequence[Imported]) -> bool:
    """Tell of a file that imports and exports nothing: https://html.spec.whatwg.org/#classic-script."""
    return all(one.alias.startswith(IMPORT_ALIAS) for one in imported)


SHARED_EXPORTS: frozenset[str] = frozenset({"default", "exports", "export"})
