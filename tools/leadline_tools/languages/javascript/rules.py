"""JavaScript: https://tc39.es/ecma262/; CommonJS: https://nodejs.org/api/modules.html."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import re2
from tree_sitter import Node

from leadline_tools.languages import blanking, hidden_types, lexing
from leadline_tools.languages.javascript import collections, host_globals, jsdoc
from leadline_tools.languages.javascript import modules as javascript_modules
from leadline_tools.languages.javascript import terms as spelling
from leadline_tools.languages.javascript.jsdoc_types import IMPORT_ALIAS
from leadline_tools.languages.javascript.terms import DECLARED_FUNCTIONS, FUNCTIONS
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Look,
    Nodes,
    Quoted,
    ScopeKind,
    Scoping,
    fields,
    text,
)
from leadline_tools.languages.reach import Declared, Reach
from leadline_tools.languages.terms import UNKNOWN, WRITTEN, Spell, object_of, written_at
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_NAMES = frozenset(
    {"property_identifier", "private_property_identifier", "identifier", "type_identifier", "string", "number"}
)

_PATTERNS = frozenset({"object_pattern", "array_pattern", "rest_pattern", "formal_parameters"})

# --- What defines


def unquoted(node: Node) -> str:
    """Return the name that a node spells, without the quotes of a string."""
    return text(node).strip("\"'`") if node.type == "string" else text(node)


def value_of(node: Node) -> Node | None:
    """Return the value of a declarator, field or pair, through parentheses, type assertions and other assignments."""
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    for _ in range(4):
        if value is None or value.type not in _TRANSPARENT:
            return value
        inner = value.child_by_field_name("right") if value.type == "assignment_expression" else None
        value = inner or (value.named_children[0] if value.named_children else None)
    return value


_TRANSPARENT = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression", "assignment_expression"})
"""What has the value of something in it."""


def value_body(node: Node) -> Sequence[Node]:
    """Return the node that holds what is inside a function, class or object that is assigned."""
    value = value_of(node)
    if value is None:
        return ()
    if value.type in FUNCTIONS:
        return [body for body in value.children_by_field_name("body") if body.type == "statement_block"]
    if value.type == "class":
        return value.children_by_field_name("body")
    return (value,) if value.type == "object" else ()


def value_parameters(node: Node) -> Sequence[Node]:
    """Return the parameters of a function that is assigned."""
    value = value_of(node)
    if value is None or value.type not in FUNCTIONS:
        return ()
    return (*value.children_by_field_name("parameters"), *value.children_by_field_name("parameter"))


def _value_kind(node: Node, function: SymbolKind, other: SymbolKind) -> SymbolKind:
    value = value_of(node)
    if value is not None and value.type in FUNCTIONS:
        return function
    return SymbolKind.Class if value is not None and value.type == "class" else other


def _declarator_kind(node: Node) -> SymbolKind | None:
    """Tell what a declarator declares; one that requires a module imports."""
    if _required(node) is not None or _required_before(node) is not None:
        return None
    return _value_kind(node, SymbolKind.Function, SymbolKind.Variable)


def _constant(around: Node, kind: SymbolKind) -> SymbolKind:
    constant = kind is SymbolKind.Variable and around.children and around.children[0].type == "const"
    return SymbolKind.Constant if constant else kind


def _declared(node: Node) -> Sequence[Node]:
    """Return the names that a declarator declares, those in a pattern too."""
    return pattern_names(*node.children_by_field_name("name"))


def pattern_names(*patterns: Node) -> Sequence[Node]:
    """Return the names that patterns bind, without what is only a key, a default value or a type."""
    found: list[Node] = []
    stack = list(reversed(patterns))
    while stack:
        node = stack.pop()
        if node.type in ("identifier", "shorthand_property_identifier_pattern"):
            found.append(node)
        elif node.type == "pair_pattern":
            stack.extend(node.children_by_field_name("value"))
        elif node.type in ("assignment_pattern", "object_assignment_pattern"):
            stack.extend(node.children_by_field_name("left"))
        elif node.type in ("required_parameter", "optional_parameter"):
            stack.extend(node.children_by_field_name("pattern"))
        elif node.type in _PATTERNS:
            stack.extend(reversed(node.named_children))
    return found


def method_kind(node: Node) -> SymbolKind:
    """Tell a constructor and an accessor from a method."""
    if text(node.child_by_field_name("name")) == "constructor":
        return SymbolKind.Constructor
    if any(child.type in ("get", "set") for child in node.children):
        return SymbolKind.Property
    return SymbolKind.Method


def member_kind(node: Node) -> SymbolKind:
    """Tell a field that holds a function, which is a method to all who call it, from one that does not."""
    value = value_of(node)
    return SymbolKind.Method if value is not None and value.type in FUNCTIONS else SymbolKind.Field


def _pair_kind(node: Node) -> SymbolKind | None:
    value = value_of(node)
    return SymbolKind.Method if value is not None and value.type in FUNCTIONS else None


def _key(node: Node) -> Sequence[Node]:
    return [key for key in node.children_by_field_name("key") if key.type in _NAMES]


def _property(node: Node) -> Sequence[Node]:
    return [key for key in node.children_by_field_name("property") if key.type in _NAMES]


def _chain(node: Node | None) -> Sequence[str]:
    """Return the names of ``a.b.c``; none for anything else."""
    names: list[str] = []
    for _ in range(4):
        if node is None:
            break
        if node.type == "identifier":
            return (text(node), *reversed(names))
        if node.type != "member_expression":
            break
        names.append(text(node.child_by_field_name("property")))
        node = node.child_by_field_name("object")
    return ()


def _assigned_to(node: Node) -> Sequence[str]:
    """Return the dotted names on the left of an assignment without ``module.exports`` and ``prototype``."""
    chain = _chain(node.child_by_field_name("left"))
    if chain[:2] == ("module", "exports"):
        return chain[2:]
    if chain[:1] == ("exports",):
        return chain[1:]
    return [name for name in chain if name != "prototype"] if len(chain) > 1 else ()


def assigned_kind(node: Node) -> SymbolKind | None:
    """Tell what assigning to a member defines: a function, or an export that is not an import or an alias."""
    target = _assigned_to(node)
    exported = _chain(node.child_by_field_name("left"))[:1] in _COMMON
    value = value_of(node)
    if value is None or not (target or exported):
        return None
    if exported and not target:
        named = value.type in FUNCTIONS and value.child_by_field_name("name") is not None
        return SymbolKind.Function if named else SymbolKind.Class if value.type in ("class", "object") else None
    if value.type in FUNCTIONS:
        return SymbolKind.Function if len(target) == 1 else SymbolKind.Method
    if value.type == "class":
        return SymbolKind.Class
    other = value.type in ("identifier", "object") or _exported_name(value)
    return SymbolKind.Variable if exported and len(target) == 1 and not other else None


def _exported_name(value: Node) -> str:
    """Return the name of the export that ``exports.a`` means; empty for anything else."""
    chain = _chain(value) if value.type == "member_expression" else ()
    names = chain[2:] if chain[:2] == ("module", "exports") else chain[1:] if chain[:1] == ("exports",) else ()
    return names[0] if len(names) == 1 else ""


def _assigned_name(node: Node) -> Sequence[Node]:
    """Return the member that an assignment defines; the name of its own of what is exported as a whole."""
    value = value_of(node)
    if not _assigned_to(node):
        return value.children_by_field_name("name") if value is not None and value.type != "object" else ()
    left = node.child_by_field_name("left")
    return left.children_by_field_name("property") if left is not None else ()


# --- Members that a function gives its own object

_THIS_MEMBER = lazy_compile(rb"\bthis\.[\w$\x80-\xff]+\s*(?:=(?!=)|[,\]}])")
"""What may give a value to a member of the own object."""


def own_members(node: Node) -> Sequence[Node]:
    """Return the members of the own object that an assignment gives values to, those in a pattern too."""
    left = node.child_by_field_name("left")
    if left is None or left.type not in ("member_expression", "object_pattern", "array_pattern"):
        return ()
    found: list[Node] = []
    stack = [left]
    while stack:
        target = stack.pop()
        if target.type == "member_expression":
            owner, name = target.child_by_field_name("object"), target.child_by_field_name("property")
            if owner is not None and name is not None and owner.type == "this" and name.type == "property_identifier":
                found.append(name)
        elif target.type in _PATTERNS:
            stack.extend(reversed(target.named_children))
        elif target.type in ("pair_pattern", "assignment_pattern"):
            stack.extend(target.children_by_field_name("value") or target.children_by_field_name("left"))
    return found


def _maker(node: Node) -> str | None:
    """Return the name of the function whose own object an assignment means; empty for a method of a class with a name.

    None for what is no such function: it may be called on any object.
    """
    around = node.parent
    while around is not None and around.type not in _OWNING:
        around = around.parent
    if around is None:
        return None
    if around.type == "class_body":
        return "" if around.parent is not None and _is_named_class(around.parent) else None
    if around.type == "method_definition":
        return _maker(around) if around.parent is not None and around.parent.type == "class_body" else None
    return _name_of_function(around) or None


def _name_of_function(function: Node) -> str:
    """Return the name of a function that is declared, given to a name, or assigned to a member; empty for another."""
    value = function.parent
    if function.type == "function_declaration" or value is None:
        return text(function.child_by_field_name("name"))
    if value.type == "assignment_expression":
        return next(reversed(_assigned_to(value)), "")
    name = value.child_by_field_name("name") if value.type == "variable_declarator" else None
    return text(name) if name is not None and name.type == "identifier" else ""


_OWNING = frozenset({"class_body", "method_definition", "function_declaration", "function_expression"})
"""What decides which object ``this`` is; an arrow function and a field do not."""


def _is_named_class(node: Node) -> bool:
    around = node.parent
    if node.type == "class_declaration" or around is None:
        return node.type == "class_declaration"
    return around.type == "variable_declarator" or (
        around.type == "assignment_expression" and bool(_assigned_to(around))
    )


def _given_own(node: Node) -> str | None:
    """Return to whose objects an assignment gives a member; see ``Defines.own``."""
    return _maker(node) if own_members(node) else None


def _own_or_assigned(node: Node) -> Look:
    """Return what an assignment defines, members of the own object too."""
    members = own_members(node)
    if members and _maker(node) is not None:
        return Look(_value_kind(node, SymbolKind.Method, SymbolKind.Field), members, value_body(node))
    return _ASSIGNED.look(node)


def _own_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the member of the own object that an assignment gives a value to, with the term of that."""
    left = node.child_by_field_name("left")
    if left is not None and left.type == "member_expression":
        value = spelling.assigned_value(node, spell)
        yield from ((name, value) for name in own_members(node))


def defines_own(found: re.Match[bytes]) -> bool:
    """Tell whether in a block may be what ``defines`` says, or what gives a member to the own object."""
    body = found["body"]
    return defines(found) or (b"this." in body and _THIS_MEMBER.search(body) is not None)


# --- What imports


def _required(node: Node) -> Node | None:
    """Return the string of ``require("...")`` or ``await import("...")`` that a declarator takes its value from."""
    value = value_of(node)
    if value is not None and value.type == "member_expression":
        value = value.child_by_field_name("object")
    if value is not None and value.type == "await_expression":
        value = value.named_children[0] if value.named_children else None
    if value is None or value.type != "call_expression":
        return None
    if text(value.child_by_field_name("function")) not in ("require", "import"):
        return None
    arguments = value.child_by_field_name("arguments")
    first = arguments.named_children[:1] if arguments is not None else []
    return first[0] if first and first[0].type == "string" else None


def _required_before(declarator: Node) -> Node | None:
    """Return the string of the module that ``const { a } = b`` takes names from, required as ``b`` just before."""
    name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    if name is None or value is None or name.type != "object_pattern" or value.type != "identifier":
        return None
    spelled = text(value)
    for before in _declarators_before(declarator):
        if text(before.child_by_field_name("name")) == spelled:
            given = value_of(before)
            return _required(before) if given is not None and given.type == "call_expression" else None
    return None


def _declarators_before(declarator: Node) -> Iterator[Node]:
    """Yield the declarators before one, the nearest first: those of its declaration and of few statements before."""
    before = declarator.prev_named_sibling
    while before is not None:
        yield before
        before = before.prev_named_sibling
    statement = declarator.parent
    for _ in range(_FARTHEST_DECLARATION):
        statement = statement.prev_named_sibling if statement is not None else None
        if statement is not None and statement.type in _DECLARATIONS:
            yield from reversed(statement.named_children)


_FARTHEST_DECLARATION = 24
"""Statements between one that requires a module and one that takes names from it."""


def _loaded(node: Node) -> Iterator[Imported]:
    """Read ``require("b")``, ``import("b")`` and the type ``import("b")`` where no name is given their value."""
    source = spelling.loaded_module(node)
    if source is None or _is_named(node):
        return
    required = node.children[0].type == "identifier"
    yield Imported(_module(source), "exports" if required else "", written_at(node))


def _is_named(call: Node) -> bool:
    """Tell whether a declarator gives a name to what a call loads, or to a member of it."""
    around = call.parent
    while around is not None and around.type in ("member_expression", "await_expression"):
        around = around.parent
    if around is None or around.type != "variable_declarator" or _required(around) is None:
        return False
    name = around.child_by_field_name("name")
    return name is not None and name.type == "identifier"


def _module(source: Node | None) -> str:
    """Return the module as it is written, in quotes: they tell the module ``"./a.b"`` from the name b of ``"./a"``."""
    return f'"{unquoted(source)}"' if source is not None else ""


def _require(node: Node) -> Iterator[Imported]:
    """Read ``const a = require("b")``, ``const { a } = require("b")`` and ``const a = require("b").c``."""
    source = _required(node) or _required_before(node)
    name = node.child_by_field_name("name")
    value = value_of(node)
    if source is None or name is None or value is None:
        return
    module = _module(source)
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


def _import_statement(node: Node) -> Iterator[Imported]:
    """Read every form of an import declaration."""
    module = _module(node.child_by_field_name("source"))
    if module and not any(clause.type in _CLAUSES for clause in node.named_children):
        yield Imported(module, "", written_at(node))
    for clause in node.named_children:
        if clause.type == "import_require_clause":
            source = clause.child_by_field_name("source")
            for name in clause.named_children:
                if name.type == "identifier":
                    yield Imported(_module(source), "export", text(name))
        elif clause.type == "import_clause":
            yield from _import_clause(clause, module)


_CLAUSES = frozenset({"import_clause", "import_require_clause"})
"""What an import binds names by; one without is for what the module does."""


def _import_clause(clause: Node, module: str) -> Iterator[Imported]:
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


def _export_statement(node: Node) -> Iterator[Imported]:
    """Read the exports that name what is declared elsewhere; without source that is this very file."""
    source = node.child_by_field_name("source")
    module = _module(source)
    specifiers = [clause for clause in node.named_children if clause.type in ("export_clause", "namespace_export")]
    if source is not None and not specifiers:
        yield Imported(module, "*", "", exports=True)
    for clause in specifiers:
        if clause.type == "namespace_export":
            yield from (Imported(module, "", unquoted(name), exports=True) for name in clause.named_children)
            continue
        for specifier in clause.named_children:
            name = text(specifier.child_by_field_name("name"))
            alias = text(specifier.child_by_field_name("alias"))
            if name:
                yield Imported(module, name, alias or (name if module else ""), exports=True)


_COMMON = (("exports",), ("module",))
_EXPORTS = (("exports",), ("module", "exports"))
_DECLARATIONS = frozenset({"lexical_declaration", "variable_declaration"})


def exports(root: Node) -> Iterator[Imported]:
    """Read what a file exports under a name that is not its own: ``default``, and what CommonJS exports.

    A file that exports anything as CommonJS does means itself by ``exports`` and ``module``.
    """
    is_common = is_module = False
    for node in root.named_children:
        if node.type == "export_statement":
            is_module = True
            yield from _default(node)
            yield from _default_object(node)
        elif node.type == "expression_statement" and node.named_children:
            first = node.named_children[0]
            if first.type == "assignment_expression":
                is_common = is_common or _chain(first.child_by_field_name("left"))[:1] in _COMMON
                yield from _common(first)
            elif _chain(_assign_target(first)) in _EXPORTS:
                is_common = True
                yield from _assigned_members(first)
        elif node.type in _DECLARATIONS:
            for child in node.named_children:
                kept = list(_kept(child)) if child.type == "variable_declarator" else []
                is_common = is_common or bool(kept)
                yield from kept
    if is_common:
        yield from (Imported("", "", name) for name in ("exports", "module"))
    elif is_module:
        yield Imported("", "", _OF_MODULES, exports=True)


def _kept(declarator: Node) -> Iterator[Imported]:
    """Read ``const a = module.exports = ...``, which exports what has a name."""
    name, value = declarator.child_by_field_name("name"), declarator.child_by_field_name("value")
    while name is not None and name.type == "identifier" and value is not None and value.type in _ASSIGNING:
        if value.type == "assignment_expression":
            left = _chain(value.child_by_field_name("left"))
            if left[:1] in _COMMON and left != ("module",):
                yield from _given_away(_assigned_to(value), name)
        value = value.child_by_field_name("right") or value.named_children[0]


_NAMED_VALUES = FUNCTIONS | {"class"}
_ASSIGNING = frozenset({"assignment_expression", "parenthesized_expression"})


def _default(node: Node) -> Iterator[Imported]:
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


def _common(node: Node) -> Iterator[Imported]:
    """Read ``module.exports = a``, ``module.exports = { a, b: c }``, ``exports.a = b`` and several of them in a row."""
    assignments = [node]
    value = node.child_by_field_name("right")
    while value is not None and value.type == "assignment_expression":
        assignments.append(value)
        value = value.child_by_field_name("right")
    for assignment in assignments:
        left = _chain(assignment.child_by_field_name("left"))
        if left[:1] in _COMMON and left != ("module",) and value is not None:
            yield from _given_away(_assigned_to(assignment), value)


def _default_object(node: Node) -> Iterator[Imported]:
    """Read ``export default { ... }`` and ``export default class { ... }``, whose members have no other owner."""
    value = node.child_by_field_name("value")
    while value is not None and value.type in _TRANSPARENT:
        value = value.named_children[0] if value.named_children else None
    written = [value] if value is not None and value.type == "object" else []
    if value is not None and value.type == "class" and value.child_by_field_name("name") is None:
        written = value.children_by_field_name("body")
    yield from (Imported("", written_at(members), "default", exports=True) for members in written)


def _given_away(target: Sequence[str], value: Node) -> Iterator[Imported]:
    """Read what is exported as a whole, or as a ``target``."""
    if value.type == "identifier" and len(target) <= 1:
        for alias in target or ("exports", "default"):
            if alias != text(value):
                yield Imported("", text(value), alias, exports=True)
    elif len(target) == 1 and (exported := _exported_name(value)):
        yield Imported("", exported, target[0], exports=True)
    elif value.type == "call_expression" and not target and (source := spelling.loaded_module(value)) is not None:
        yield from (Imported(_module(source), "exports", alias, exports=True) for alias in ("exports", "default"))
    elif value.type in _NAMED_VALUES and not target:
        for name in value.children_by_field_name("name"):
            yield from (Imported("", text(name), alias, exports=True) for alias in ("exports", "default"))
    elif value.type == "object" and not target:
        yield from _given_members(value)
    elif not target and (first := _assign_target(value)) is not None and first.type == "object":
        yield from _given_members(first)
        yield from _assigned_members(value)


def _given_members(value: Node) -> Iterator[Imported]:
    """Read an object that is exported as a whole, with the members that have other names outside."""
    yield Imported("", written_at(value), _EXPORTED_OBJECT, exports=True)
    yield from _spread_members(one.named_children[0] for one in value.named_children if one.type == "spread_element")
    for pair in value.named_children:
        renamed = pair.child_by_field_name("value") if pair.type == "pair" else None
        key = pair.child_by_field_name("key")
        if renamed is not None and key is not None and renamed.type == "identifier" and text(renamed) != text(key):
            yield Imported("", text(renamed), unquoted(key), exports=True)


def _assign_target(node: Node) -> Node | None:
    """Return the object to which ``Object.assign(a, b)`` adds members; None for anything else."""
    if node.type != "call_expression" or text(node.child_by_field_name("function")) != "Object.assign":
        return None
    given = node.child_by_field_name("arguments")
    return given.named_children[0] if given is not None and given.named_children else None


def _assigned_members(call: Node) -> Iterator[Imported]:
    """Read what ``Object.assign(exports, { a }, require("b"))`` exports: the members of all but the first."""
    given = call.child_by_field_name("arguments")
    sources = given.named_children[1:] if given is not None else []
    for source in sources:
        if source.type == "object":
            yield from _given_members(source)
    yield from _spread_members(sources)


def _spread_members(sources: Iterable[Node]) -> Iterator[Imported]:
    """Read the modules whose exports a file exports along with its own: ``{ ...require("b") }``, or the name of one."""
    for source in sources:
        if source.type == "identifier":
            module = _required_as(source)
        else:
            module = spelling.loaded_module(source) if source.type == "call_expression" else None
        if module is not None:
            yield Imported(_module(module), "*", "", exports=True)


def _required_as(name: Node) -> Node | None:
    """Return the string of the module that the top of a file requires under a name."""
    root: Node = name
    while root.parent is not None:
        root = root.parent
    spelled = text(name)
    for statement in root.named_children:
        for declarator in statement.named_children if statement.type in _DECLARATIONS else ():
            if text(declarator.child_by_field_name("name")) == spelled:
                value = value_of(declarator)
                return _required(declarator) if value is not None and value.type == "call_expression" else None
    return None


_MAYBE_REQUIRED = re2.compile(rb"\brequire\s*\(\s*(\"[^\"\\\n]+\"|'[^'\\\n]+')\s*\)")


def hidden_imports(content: bytes) -> Iterator[Imported]:
    """Yield what is required anywhere in a source."""
    for found in _MAYBE_REQUIRED.finditer(content) if b"require" in content else ():
        module = (found[1] or b"")[1:-1].decode("utf-8", "replace")
        yield Imported(f'"{module}"', "exports", f"{WRITTEN}{found.start()}")


# --- What scopes


def _bound(*names: str) -> Nodes:
    """Return a function that gives the names that the patterns in the fields ``names`` bind."""
    return lambda node: pattern_names(*(child for name in names for child in node.children_by_field_name(name)))


def _declarators(node: Node) -> Sequence[Node]:
    """Return the names of a declaration with ``const``, ``let`` or ``var``."""
    return [name for child in node.named_children if child.type == "variable_declarator" for name in _declared(child)]


def _loop(node: Node) -> Sequence[Node]:
    """Return what a loop over values declares; without a keyword it assigns."""
    left = node.children_by_field_name("left") if node.child_by_field_name("kind") is not None else ()
    return pattern_names(*left)


def _values(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the names of a declaration with ``const``, ``let`` or ``var``, with what each is given."""
    return (
        given
        for child in node.named_children
        if child.type == "variable_declarator"
        for given in spelling.names(child, spell)
    )


def _contextual(targets: Nodes) -> Binds:
    return Binds(targets, made=spelling.contextual_names)


def value_function(node: Node) -> Node | None:
    """Return the function that a declarator, field, pair or assignment gives."""
    value = value_of(node)
    return value if value is not None and value.type in FUNCTIONS else None


def _assigned_function(node: Node) -> Node | None:
    """Return the function that an assignment gives, where its ``this`` is what it is assigned to."""
    function = value_function(node)
    return function if function is not None and function.type != "arrow_function" else None


def value_takes(node: Node, spell: Spell) -> str:
    """Return the term of what that function takes."""
    function = value_function(node)
    return spelling.takes(function, spell) if function is not None else UNKNOWN


def field_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a field with the term of its value."""
    value, documented = value_of(node), spelling.documented_type(node)
    if documented != UNKNOWN:
        names = node.children_by_field_name("name") or node.children_by_field_name("property")
        yield from ((name, object_of(documented)) for name in names)
    elif value is not None and value.type not in FUNCTIONS:
        names = node.children_by_field_name("name") or node.children_by_field_name("property")
        constant = node.type == "public_field_definition"  # TypeScript gives it the type of its value
        yield from ((name, spell(value) if constant else spelling.unless_primitive(spell(value))) for name in names)


def is_getter(node: Node) -> bool:
    """Tell whether a method is read like a field."""
    return any(child.type == "get" for child in node.children)


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    for heritage in node.named_children:
        if heritage.type == "class_heritage":
            yield from (spell(base) for base in heritage.named_children)


Bases = Callable[[Node, Spell], Iterable[str]]
"""From a class to the terms of what it inherits from."""


def value_bases(bases: Bases) -> Bases:
    """Return what gives the bases of the class that a name is given."""

    def of_value(node: Node, spell: Spell) -> Iterable[str]:
        value = value_of(node)
        return bases(value, spell) if value is not None and value.type == "class" else ()

    return of_value


def expression_bases(bases: Bases) -> Bases:
    """Return what gives the bases of a class that is an expression, from its body."""

    def of_expression(body: Node, spell: Spell) -> Iterable[str]:
        around = body.parent
        return bases(around, spell) if around is not None and around.type == "class" else ()

    return of_expression


def object_bases(node: Node, _spell: Spell) -> Iterable[str] | None:
    """Return that an object inherits from nothing; None for one that declares no members."""
    return () if spelling.is_declaring(node) else None


_PARAMETERS = fields("parameters")
_EXPRESSION = Defines(SymbolKind.Function, name=fields(), emits=False, apart=True)

DEFINITIONS = {
    "function_declaration": Defines(SymbolKind.Function, parameters=_PARAMETERS),
    "generator_function_declaration": Defines(SymbolKind.Function, parameters=_PARAMETERS),
    "class_declaration": Defines(SymbolKind.Class, bases=_bases),
    "method_definition": Defines(method_kind, parameters=_PARAMETERS, spell=unquoted, getter=is_getter),
    "variable_declarator": Defines(
        _declarator_kind,
        name=_declared,
        body=value_body,
        parameters=value_parameters,
        within=_constant,
        made=spelling.names,
        function=value_function,
        bases=value_bases(_bases),
    ),
    "pair": Defines(
        _pair_kind,
        name=_key,
        body=value_body,
        parameters=value_parameters,
        spell=unquoted,
        function=value_function,
    ),
    "assignment_expression": Defines(
        assigned_kind,
        name=_assigned_name,
        body=value_body,
        parameters=value_parameters,
        container=lambda node: ".".join(_assigned_to(node)[:-1]),
        emits=lambda node: bool(_assigned_name(node)),
        function=_assigned_function,
        bases=value_bases(_bases),
    ),
    # What is nested in an expression is worth showing where it is a function or a class, but has no container.
    "function_expression": _EXPRESSION,
    "generator_function": _EXPRESSION,
    "arrow_function": _EXPRESSION,
    "class": Defines(SymbolKind.Class, name=fields(), emits=False),
    # The variables of a block belong to nobody outside.
    "statement_block": Defines(SymbolKind.Function, name=fields(), body=lambda node: (node,), emits=False),
}
"""What defines in JavaScript; TypeScript adds to it."""

_ASSIGNED = DEFINITIONS["assignment_expression"]

THROUGH = frozenset(
    "lexical_declaration variable_declaration expression_statement call_expression arguments parenthesized_expression"
    " unary_expression await_expression return_statement if_statement else_clause try_statement catch_clause"
    " finally_clause for_statement for_in_statement while_statement do_statement labeled_statement".split()
)

SCOPES = {
    "function_declaration": ScopeKind.Detached,
    "generator_function_declaration": ScopeKind.Detached,
    "function_expression": ScopeKind.Detached,
    "generator_function": ScopeKind.Detached,
    "arrow_function": ScopeKind.Function,
    "method_definition": ScopeKind.Function,
    "field_definition": ScopeKind.Function,
    "class_static_block": ScopeKind.Function,
    "class_declaration": ScopeKind.Block,
    "class": ScopeKind.Block,
    "class_body": ScopeKind.Class,
    "object": ScopeKind.Table,
    "pair": ScopeKind.Block,
    "statement_block": ScopeKind.Block,
    "for_statement": ScopeKind.Block,
    "for_in_statement": ScopeKind.Block,
    "catch_clause": ScopeKind.Block,
    "switch_body": ScopeKind.Block,
}

BINDS = {
    "formal_parameters": Binds(pattern_names),
    "arrow_function": _contextual(_bound("parameter", "parameters")),
    "function_expression": _contextual(_bound("name", "parameters")),
    "generator_function": _contextual(_bound("name", "parameters")),
    "function_declaration": _contextual(_bound("parameters")),
    "generator_function_declaration": _contextual(_bound("parameters")),
    "method_definition": _contextual(_bound("parameters")),
    "class": Binds(fields("name")),
    "object": Binds(spelling.declared_keys, made=spelling.members),
    "lexical_declaration": Binds(_declarators, made=_values),
    "variable_declaration": Binds(_declarators, hoists=True, made=_values),
    "for_in_statement": Binds(_loop, made=spelling.names),
    "catch_clause": Binds(_bound("parameter")),
}

ROLES = {
    ("call_expression", "function"): Role.Call,
    ("call_expression", "arguments"): Role.Read,
    ("new_expression", "constructor"): Role.Call,
    ("jsx_opening_element", "name"): Role.Call,
    ("jsx_self_closing_element", "name"): Role.Call,
    ("new_expression", "arguments"): Role.Read,
    ("class_heritage", ""): Role.Inherit,
    ("decorator", ""): Role.Decorator,
    ("assignment_expression", "left"): Role.Write,
    ("augmented_assignment_expression", "left"): Role.Write,
    ("update_expression", "argument"): Role.Write,
    ("assignment_pattern", "right"): Role.Read,
    ("object_assignment_pattern", "right"): Role.Read,
    ("pair", "key"): Role.Other,
    ("pair_pattern", "key"): Role.Other,
    ("method_definition", "name"): Role.Other,
}

KEYS = frozenset(
    {
        ("pair", "key"),
        ("pair_pattern", "key"),
        ("method_definition", "name"),
        ("field_definition", "property"),
        ("jsx_attribute", ""),
    }
)

IDENTIFIERS = frozenset(
    "identifier property_identifier private_property_identifier shorthand_property_identifier"
    " shorthand_property_identifier_pattern".split()
)

_EXPORTED_OBJECT = "module.exports"
WHOLE_EXPORTS = ("exports", "export", _EXPORTED_OBJECT)
"""What CommonJS, and the ``export =`` of TypeScript, export something as that is the module to those who import it."""

_OF_MODULES = "import.meta"
"""What modules have and scripts have not: https://tc39.es/ecma262/#sec-meta-properties."""


def is_script(imported: Sequence[Imported]) -> bool:
    """Tell of a file that imports and exports nothing: https://html.spec.whatwg.org/#classic-script."""
    return all(one.alias.startswith(IMPORT_ALIAS) for one in imported)


SHARED_EXPORTS = frozenset({"default", "exports", "export"})
IMPORTS = {
    "import_statement": _import_statement,
    "export_statement": _export_statement,
    "variable_declarator": _require,
    "call_expression": _loaded,
}


def quoted_member(node: Node) -> Iterator[Quoted]:
    """Yield the member that ``a["b"]`` or the type ``A["b"]`` names."""
    owner, index = node.named_children[0], node.named_children[-1]
    string = index.named_children[0] if index.type == "literal_type" and index.named_children else index
    if string.type != "string" or string.named_child_count != 1:
        return
    around, name = node.parent, unquoted(string)
    role = Role.Type if index.type == "literal_type" else Role.Read
    if around is not None and around.child_by_field_name("function") == node:
        role = Role.Call
    elif around is not None and around.type == "assignment_expression" and around.child_by_field_name("left") == node:
        role = Role.Write
    yield Quoted(string, 1, name, owner, role)


QUOTES = {"subscript_expression": quoted_member}

FILLS = {
    "variable_declarator": spelling.keys,
    "for_in_statement": spelling.keys,
    "assignment_expression": spelling.keys,
    **dict.fromkeys((*FUNCTIONS, *DECLARED_FUNCTIONS), spelling.contextual_keys),
    "object": spelling.object_keys,
    "computed_property_name": spelling.computed_keys,
    "binary_expression": spelling.private_names,
    "jsx_opening_element": spelling.attribute_keys,
    "jsx_closing_element": spelling.intrinsic,
    "jsx_self_closing_element": spelling.attribute_keys,
}


def _pair(node: Node) -> Sequence[Node | None]:
    """Return the key and the value of ``a: b``, in a pattern without its default."""
    value = node.child_by_field_name("value")
    if value is not None and value.type == "assignment_pattern":
        value = value.child_by_field_name("left")
    return node.child_by_field_name("key"), value


PAIRS: Mapping[str, Callable[[Node], Sequence[Node | None]]] = {"pair": _pair, "pair_pattern": _pair}
SHORTHANDS = frozenset({"shorthand_property_identifier", "shorthand_property_identifier_pattern"})

RETURNS = {"return_statement": spelling.returned(), "arrow_function": spelling.returned("body")}

NARROWS = {
    "binary_expression": spelling.told,
    "if_statement": spelling.told_by_condition,
    "ternary_expression": spelling.told_by_condition,
    "unary_expression": spelling.told_by_condition,
    "assignment_expression": spelling.given_later,
}

OPAQUE = frozenset({"subscript_expression", "call_expression"})

COMMENTS = frozenset({"comment", "html_comment"})

GLOBAL_OBJECTS = frozenset({"globalThis", "global", "window", "self"})
"""https://tc39.es/ecma262/#sec-globalthis, and as hosts call it."""

# --- What the index does without

_QUOTED = rb"\"[^\"\\\n]*+(?>(?:\\.[^\"\\\n]*+)*)\"|'[^'\\\n]*+(?>(?:\\.[^'\\\n]*+)*)'"
_HOLE = rb"\{(?>(?:[^{}`\"'/\\]++|" + _QUOTED + rb"|`[^`\\$]*+`|\{[^{}`\"'/\\]*+\})*)\}"
_NO_WORD = b"".join(
    rb"(?<!%(word)s[/<])(?<!%(word)s [/<])" % {b"word": word}
    for word in b"await case default delete do else extends in instanceof new of return throw typeof void yield".split()
)
_OPERAND = rb"(?:(?<=[\w$\]]/)|(?<=[\w$\]] /))" + _NO_WORD
"""Just after a slash that divides: what is before it is a name or a number, and no word that an expression follows."""

_OPERATOR = (
    rb"(?:(?<=[(,=:\[&|?;]/)|(?<=[(,=:\[&|?;] /)|(?<=\(!/)|(?<=[&|] !/)|(?<==> /)|(?<=return /)|(?<=return/)"
    rb"|(?<=case /))"
)
"""Just after a slash that begins a regular expression: what is before it is an operator or a word."""

_INERT = (
    _QUOTED + rb"|`(?>(?:[^`\\$]++|\\.|\$(?!\{)|\$" + _HOLE + rb")*)`"
    rb"|/(?:/[^\n]*+|\*[^*]*+(?>(?:\*(?!/)[^*]*+)*)\*/|(?![/*])(?:[^\"'`{}/\\\[\n]*[\w$)\]] ?+/(?![/*])"
    + _NO_WORD
    + rb"|(?=[^/\n]*+(?:\n|\Z))|"
    + _OPERATOR
    + rb"(?>(?:[^/\\\[\n]|\\[^\n]|\[(?>(?:[^\]\\\n]|\\[^\n])*)\])+)/"
    rb"|" + _OPERAND + rb"))"
)
"""A string, a template, a comment, a regular expression or a slash: where the last two could be either, only what means
the same as both."""

_LESS = rb"<(?:(?![A-Za-z_$>!\x80-\xff])|(?<=[\w$\]]<)" + _NO_WORD + rb")"
"""A less-than sign that begins no JSX, whose text is no code."""

_TYPED = rb"(?>(?:[ \t]*+:[ \t]*+[\w$][\w$.<>\[\]|&, \t]*+)?)\s*+"


def _next_body(inert: bytes, marks: bytes) -> bytes:
    """Return the expression of the next block: it stands after a parenthesis, the type of a function or an arrow."""
    parts = {b"inert": inert, b"marks": marks, b"typed": _TYPED, b"braces": blanking.braces(inert, marks)}
    return (
        rb"(?>(?:[^)>%(marks)s]++|%(inert)s|\)(?!%(typed)s\{)|>(?!(?<==>)\s*+\{))*)"
        rb"(?:\)%(typed)s|>\s*+)(?>(?P<body>%(braces)s)?)" % parts
    )


NEXT_BODY = _next_body(_INERT + rb"|" + _LESS, rb"\"'`/<")
NEXT_BODY_WITHOUT_MARKUP = _next_body(_INERT, rb"\"'`/")

_DERIVED = (
    rb"class\b\s*+(?:/|(?>(?:(?!extends\b)[\w$\x80-\xff]++\s*+)?)(?:/"
    rb"|<(?![^(){}/]{0,500}>\s*+(?>(?:extends\s++[\w$.]++\s*+(?>(?:<[^(){}/]{0,500}>\s*+)?))?)(?:implements\b[^(){}/]{0,500})?\{)"
    rb"|extends\b\s*+(?:\{|(?![^({;/]{0,500}[{;]))))"
)
"""The header of a class that may have a parenthesis just before its body, which is no block."""

_CLASS = lazy_compile(rb"class(?<![\w$.-]class)(?![\w$])")
_FUNCTION = lazy_compile(
    rb"function(?<![\w$\])]\(function)(?<!, function)(?<!return function)(?<![\w$.]function)"
    rb"(?=\s*[(*/]|\s+[\w$\x80-\xff])"
)
_ARROW = lazy_compile(rb"=(?<![=!<>]=)(?![=>])\s*+(?:[(</]|async(?![\w$])|[\w$\x80-\xff]+\s*=>)")


def defines(found: re.Match[bytes]) -> bool:
    """Tell whether in a block may be a class, a function that is declared or given a name, or an export."""
    body = found["body"]
    return (
        (b"class" in body and _CLASS.search(body) is not None)
        or (b"function" in body and _FUNCTION.search(body) is not None)
        or (b"=>" in body and _ARROW.search(body) is not None)
        or b"exports" in body
        or b"module" in body
    )


def bodies(content: bytes, next_body: bytes, defines: Callable[[re.Match[bytes]], bool]) -> blanking.Bodies:
    """Return the blocks in which nothing is defined, where no class is derived from what an expression gives."""
    if b"-->" in content or (b"extends" in content and blanking.compiled(_DERIVED).search(content)):
        return blanking.Bodies(())  # the arrow may begin a comment
    return blanking.bodies(content, next_body, defines)


def renames(old: str, new: str) -> str:
    """Refuse what would make a private name public, or the other way round."""
    return "" if old.startswith("#") == new.startswith("#") else "its # says who sees it"


def reach(declared: Declared) -> Reach:
    """Tell that a private name is seen in its class alone; what TypeScript calls private is reached by a cast."""
    return Reach.Type if declared.name.startswith("#") else Reach.Anywhere


_FUNCTION_NAMED = lazy_compile(rb"\bfunction\s*\*?\s*\Z")


def names_itself(before: bytes) -> bool:
    """Tell by the text before a name that a function expression is called so, by itself alone."""
    return _FUNCTION_NAMED.search(before) is not None


MODULE_NAMES = frozenset({"require"})
"""What Node gives each module: https://nodejs.org/api/modules.html#the-module-scope; see PREDECLARED for the others."""

KEYWORDS = frozenset(
    (
        "arguments await break case catch class const continue debugger default delete do else enum eval export "
        "extends false finally for function if implements import in instanceof interface let new null package private "
        "protected public return static super switch this throw true try typeof var void while with yield"
    ).split()
)

COMPUTED = lazy_compile(r"""\bthis\[\s*+(?!(["'`])[^"'`$\n]*\1\s*\]|\d)(?:["'`](?P<head>[^"'`$\n]*))?""")


def _documented_function(kind: str) -> Defines:
    return replace(DEFINITIONS[kind], documented=spelling.documented_result, takes=spelling.takes)


def _documented_value(node: Node) -> str:
    """Return the type of a variable or a field as a comment says it, or the result of the function that it is given."""
    function = value_function(node)
    return spelling.documented_result(function) if function is not None else spelling.documented_type(node)


LANGUAGE = Language(
    name="javascript",
    extensions=(".js", ".mjs", ".cjs", ".jsx"),
    grammar=("tree_sitter_javascript", "language"),
    interpreters=("node", "nodejs", "bun", "deno"),
    definitions={
        **DEFINITIONS,
        **{
            kind: _documented_function(kind)
            for kind in ("function_declaration", "generator_function_declaration", "method_definition")
        },
        **{
            kind: replace(DEFINITIONS[kind], documented=_documented_value, takes=value_takes)
            for kind in ("variable_declarator", "pair")
        },
        "assignment_expression": replace(
            _ASSIGNED,
            at_once=_own_or_assigned,
            documented=_documented_value,
            takes=value_takes,
            head=lambda node: (node,) if own_members(node) else (),
            made=_own_value,
            own=_given_own,
        ),
        "field_definition": Defines(
            member_kind,
            name=_property,
            body=value_body,
            parameters=value_parameters,
            spell=unquoted,
            made=field_value,
            function=value_function,
            documented=_documented_value,
            takes=value_takes,
        ),
    },
    through=THROUGH,
    wrappers=frozenset({"export_statement"}),
    decorations=frozenset({"decorator"}),
    comments=COMMENTS,
    module=javascript_modules.module,
    lexis=lexing.JAVASCRIPT,
    constructors=frozenset({"constructor"}),
    decorators=frozenset(),
    computed=COMPUTED,
    keywords=KEYWORDS,
    renames=renames,
    reach=reach,
    identifier=lazy_compile(r"#?(?:[^\W\d]|\$)[\w$]*"),
    bodies=lambda content: bodies(content, NEXT_BODY, defines_own),
    scoping=Scoping(
        collection_members=collections.MEMBERS,
        function_members=spelling.FUNCTION_MEMBERS,
        identifiers=IDENTIFIERS,
        scopes=SCOPES,
        binds={**BINDS, "assignment_expression": Binds(spelling.attribute, made=spelling.attribute_value)},
        members={"member_expression": ("object", "property"), "nested_identifier": ("object", "property")},
        roles=ROLES,
        renames_by_value=True,
        hidden=hidden_types.javascript,
        hidden_imports=hidden_imports,
        anonymous={"class_body": expression_bases(_bases), "object": object_bases},
        written=True,
        imports=IMPORTS,
        shared_exports=SHARED_EXPORTS,
        whole_exports=WHOLE_EXPORTS,
        is_script=is_script,
        exports=exports,
        locate=javascript_modules.locate,
        texts={"comment": jsdoc.type_names},
        host_modules=host_globals.MODULES,
        documented=jsdoc.documentation,
        documented_this=spelling.documented_this,
        module_line=javascript_modules.module_line,
        code_line=javascript_modules.code_line,
        this=frozenset({"this"}),
        above=frozenset({"super"}),
        attributes=True,
        terms=spelling.VALUES,
        returns=RETURNS,
        narrows=NARROWS,
        fillers=collections.FILLERS,
        puts=collections.PUTS,
        empty=collections.EMPTY,
        branches=spelling.BRANCHES,
        fills=FILLS,
        quotes=QUOTES,
        quotes_members=True,
        global_objects=GLOBAL_OBJECTS,
        literal_keys=True,
        shorthands=SHORTHANDS,
        pairs=PAIRS,
        collections=spelling.COLLECTIONS,
        paired=frozenset({"Map", "ReadonlyMap"}),
        predeclared=spelling.PREDECLARED,
        predeclared_in_modules=MODULE_NAMES,
        names_itself=names_itself,
        may_declare=javascript_modules.may_declare,
        primitives=spelling.PRIMITIVES,
        promised=spelling.PROMISED,
        class_visible=False,
        keys=KEYS,
        opaque=OPAQUE,
    ),
)
