"""TypeScript and TSX: https://www.typescriptlang.org/docs/handbook/, which have no other specification."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tree_sitter import Node

from leadline_tools.languages import discriminants, hidden_types, lexing, terms
from leadline_tools.languages.javascript import collections
from leadline_tools.languages.javascript import host_globals as javascript_hosts
from leadline_tools.languages.javascript import modules as javascript_modules
from leadline_tools.languages.javascript import rules as javascript
from leadline_tools.languages.javascript import terms as spelling
from leadline_tools.languages.language import Binds, Defines, Language, ScopeKind, Scoping, fields, text
from leadline_tools.languages.terms import Spell, then
from leadline_tools.languages.typescript import expandos, mapped_types
from leadline_tools.languages.typescript import source as typescript_source
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_MODIFIERS = frozenset({"accessibility_modifier", "override_modifier", "readonly"})


def _type(node: Node) -> Node | None:
    return node.child_by_field_name("type")


def _variable_type(node: Node) -> Node | None:
    """Return the result that a function says, or the type of a variable."""
    function = javascript.value_function(node)
    if function is not None:
        return _result(function)
    name = node.child_by_field_name("name")
    return _type(node) if name is not None and name.type in _WHOLE else None


def _value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield what a declarator gives its names; a function of a declared type, what that returns."""
    if javascript.value_function(node) is None:
        yield from spelling.names(node, spell)
    elif _type(node) is not None:
        yield from ((name, then(spelling.declared(node, spell), "()")) for name in node.children_by_field_name("name"))


def _field_value(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    if javascript.value_function(node) is None:
        yield from javascript.field_value(node, spell) if _type(node) is None else ()
    else:
        yield from _value(node, spell)


def _takes(node: Node, spell: Spell) -> str:
    """Return the term of what a function takes that is given to a name, or what its declared type says."""
    declared = _type(node)
    return spell(declared) if declared is not None else javascript.value_takes(node, spell)


def _field_type(node: Node) -> Node | None:
    return _type(node) if javascript.value_function(node) is None else _value_result(node)


def _value_result(node: Node) -> Node | None:
    function = javascript.value_function(node)
    return _result(function) if function is not None else None


def _result(node: Node) -> Node | None:
    return node.child_by_field_name("return_type")


def _parameter_type(node: Node) -> Node | None:
    pattern = node.child_by_field_name("pattern")
    return _type(node) if pattern is None or pattern.type in _WHOLE else None


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a class extends and implements, and what an interface does; what can be called is a function too."""
    for clause in node.named_children:
        if clause.type == "class_heritage":
            yield from (base for inner in clause.named_children for base in _listed(inner, spell))
        elif clause.type == "extends_type_clause":
            yield from map(spell, clause.named_children)
        elif clause.type == "interface_body":
            yield from _called(clause, spell)


def _listed(clause: Node, spell: Spell) -> Iterator[str]:
    """Yield the terms of an ``extends`` or ``implements`` clause."""
    value = clause.child_by_field_name("value")
    if value is None:
        yield from map(spell, clause.named_children)
        return
    arguments = clause.child_by_field_name("type_arguments")
    given = [spell(child) for child in arguments.named_children] if arguments is not None else []
    yield terms.applied(spell(value), given)


def _called(body: Node, spell: Spell) -> Iterator[str]:
    """Yield the function types that the signatures without name of a type stand for."""
    for child in body.named_children:
        if child.type in ("call_signature", "construct_signature"):
            yield spelling.function_signature(child, spell)


def _alias_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the types that an alias joins with members of its own."""
    bodies = _alias_body(node)
    for body in bodies:
        yield from _called(body, spell)
    for part in _joined(node.child_by_field_name("value")) if bodies else ():
        if part.type != "object_type":
            yield spell(part)


def _joined(value: Node | None) -> Iterator[Node]:
    """Yield the types that a type joins by ``&`` and ``|``."""
    stack = [value] if value is not None else []
    while stack:
        node = stack.pop()
        if node.type in ("intersection_type", "union_type", "parenthesized_type"):
            stack += reversed(node.named_children)
        else:
            yield node


def _generics(node: Node) -> Sequence[Node]:
    listed = node.child_by_field_name("type_parameters")
    return [name for one in (listed.named_children if listed is not None else ()) for name in _NAME(one)]


def _parameter_kind(node: Node) -> SymbolKind | None:
    """Tell a parameter that declares a property: ``constructor(private readonly name: string)``."""
    return SymbolKind.Property if any(child.type in _MODIFIERS for child in node.children) else None


def _pattern(node: Node) -> Sequence[Node]:
    """Return the names that a parameter binds; one may only tell the type of ``this``."""
    pattern = node.child_by_field_name("pattern")
    return (pattern,) if pattern is not None and pattern.type == "this" else javascript.pattern_names(node)


def _type_by_default(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the name of a type parameter with the type that it stands for where it is given none."""
    said = node.child_by_field_name("value")
    if said is not None and said.named_children:
        yield from ((name, spell(said.named_children[0])) for name in _NAME(node))


def _alias_body(node: Node) -> Sequence[Node]:
    """Return the members that an alias has of its own: a mapped type has those of another one, and ``{}`` has none."""
    joined = list(_joined(node.child_by_field_name("value")))
    bodies = (part for part in joined if part.type == "object_type" and (part.named_children or len(joined) == 1))
    return [part for part in bodies if mapped_types.clause(part) is None]


def _declares_no_type(members: Node) -> bool:
    """Tell whether members in braces are those of an alias, or the ones of another type."""
    return spelling.is_alias_body(members) or mapped_types.clause(members) is not None


def _alias_type(node: Node) -> Node | None:
    """Return what an alias without members of its own is another name for."""
    return node.child_by_field_name("value") if not _alias_body(node) else None


def _module_kind(node: Node) -> SymbolKind:
    """Tell a module, which is named by a string, from a namespace."""
    name = node.child_by_field_name("name")
    return SymbolKind.Module if name is not None and name.type == "string" else SymbolKind.Namespace


def _alias_of(node: Node) -> Node | None:
    """Return what ``import a = b.c`` stands for."""
    return node.named_children[1] if len(node.named_children) > 1 else None


def _inferred_names(node: Node) -> Sequence[Node]:
    """Return the names that a conditional type infers: those below its ``extends``, but for other conditional types.

    https://www.typescriptlang.org/docs/handbook/2/conditional-types.html#inferring-within-conditional-types
    """
    pattern = node.child_by_field_name("right")
    pending, found = [pattern] if pattern is not None else [], list[Node]()
    while pending:
        inside = pending.pop()
        if inside.type == "infer_type":
            found += inside.named_children[:1]
        if inside.type != "conditional_type":
            pending += reversed(inside.named_children)
    return found


_VARIANCE = frozenset({"in", "out"})


def _type_parameter(node: Node) -> Sequence[Node]:
    """Return the name of a type parameter. The grammar takes ``in`` and ``out`` before it for names.

    https://www.typescriptlang.org/docs/handbook/2/generics.html#variance-annotations
    """
    name = node.child_by_field_name("name")
    if name is None or text(name) not in _VARIANCE:
        return [name] if name is not None else ()
    rest = next((child for child in node.children if child.type == "ERROR"), node.next_sibling)
    after = [child for child in rest.named_children if child.type == "identifier"] if rest is not None else []
    return after[-1:] if rest is not None and rest.type == "ERROR" and after else [name]


_NAME = fields("name")
_WHOLE = frozenset({"identifier", "rest_pattern", "this"})
"""The patterns that take the value as a whole."""

_PARAMETERS = fields("parameters")
_SIGNATURE = Defines(
    SymbolKind.Method,
    parameters=_PARAMETERS,
    spell=javascript.unquoted,
    type=_result,
    takes=spelling.takes,
    getter=javascript.is_getter,
)
_MEMBER = Defines(SymbolKind.EnumMember, body=fields(), spell=javascript.unquoted)
_NAMESPACE = Defines(_module_kind, spell=javascript.unquoted)
_PROPERTY_PARAMETER = Defines(
    _parameter_kind, name=_pattern, body=fields(), outer=True, type=_parameter_type, made=spelling.defaults
)
_CLASS = Defines(SymbolKind.Class, bases=_bases, generics=_generics)


def _function(kind: str) -> Defines:
    return replace(javascript.DEFINITIONS[kind], type=_result, takes=spelling.takes)


_DEFINITIONS = {
    **javascript.DEFINITIONS,
    "function_declaration": _function("function_declaration"),
    "generator_function_declaration": _function("generator_function_declaration"),
    "class_declaration": _CLASS,
    "variable_declarator": replace(
        javascript.DEFINITIONS["variable_declarator"],
        type=_variable_type,
        made=_value,
        takes=_takes,
        bases=javascript.value_bases(_bases),
    ),
    "assignment_expression": replace(
        javascript.DEFINITIONS["assignment_expression"],
        kind=expandos.assigned_kind,
        bases=javascript.value_bases(_bases),
    ),
    "method_definition": replace(_function("method_definition"), head=_PARAMETERS),
    "pair": replace(javascript.DEFINITIONS["pair"], type=_value_result, takes=javascript.value_takes),
    "required_parameter": _PROPERTY_PARAMETER,
    "optional_parameter": _PROPERTY_PARAMETER,
    "function_signature": Defines(
        SymbolKind.Function, parameters=_PARAMETERS, body=fields(), type=_result, takes=spelling.takes
    ),
    "abstract_class_declaration": _CLASS,
    "interface_declaration": replace(_CLASS, kind=SymbolKind.Interface),
    "type_alias_declaration": Defines(
        SymbolKind.Class, body=_alias_body, type=_alias_type, bases=_alias_bases, generics=_generics
    ),
    "enum_declaration": Defines(SymbolKind.Enum),
    "property_identifier": replace(_MEMBER, name=lambda node: (node,), local=False),  # an arrow may give one
    "enum_assignment": _MEMBER,
    "internal_module": _NAMESPACE,
    "module": _NAMESPACE,
    "public_field_definition": Defines(
        javascript.member_kind,
        body=javascript.value_body,
        parameters=javascript.value_parameters,
        spell=javascript.unquoted,
        type=_field_type,
        made=_field_value,
        takes=_takes,
        function=javascript.value_function,
    ),
    "property_signature": Defines(SymbolKind.Property, body=fields(), spell=javascript.unquoted, type=_type),
    "method_signature": _SIGNATURE,
    "abstract_method_signature": _SIGNATURE,
}

_PARAMETER = Binds(_pattern, type=_parameter_type, made=spelling.defaults)

_SCOPING = Scoping(
    collection_members=collections.MEMBERS,
    function_members=spelling.FUNCTION_MEMBERS,
    compares_members=True,
    identifiers=javascript.IDENTIFIERS | {"type_identifier"},
    types=frozenset({"type_identifier"}),
    scopes={
        **javascript.SCOPES,
        "abstract_class_declaration": ScopeKind.Block,
        "interface_declaration": ScopeKind.Block,
        "type_alias_declaration": ScopeKind.Block,
        "interface_body": ScopeKind.Class,
        "object_type": ScopeKind.Class,
        "enum_body": ScopeKind.Class,
        "internal_module": ScopeKind.Module,
        "module": ScopeKind.Module,
        "public_field_definition": ScopeKind.Function,
        "property_signature": ScopeKind.Block,
        "index_signature": ScopeKind.Block,
        "conditional_type": ScopeKind.Block,
        "tuple_type": ScopeKind.Block,
        "function_signature": ScopeKind.Function,
        "method_signature": ScopeKind.Function,
        "abstract_method_signature": ScopeKind.Function,
        "call_signature": ScopeKind.Function,
        "construct_signature": ScopeKind.Function,
        "function_type": ScopeKind.Function,
        "constructor_type": ScopeKind.Function,
    },
    binds={
        **{kind: binds for kind, binds in javascript.BINDS.items() if kind != "formal_parameters"},
        "required_parameter": _PARAMETER,
        "optional_parameter": _PARAMETER,
        "type_parameter": Binds(
            _type_parameter, type=lambda node: node.child_by_field_name("constraint"), made=_type_by_default, types=True
        ),
        "mapped_type_clause": Binds(fields("name")),
        "conditional_type": Binds(_inferred_names),
        "import_alias": Binds(lambda node: node.named_children[:1], type=_alias_of),
    },
    members={
        "member_expression": ("object", "property"),
        "nested_identifier": ("object", "property"),
        "nested_type_identifier": ("module", "name"),
    },
    roles={
        **javascript.ROLES,
        ("extends_clause", ""): Role.Inherit,
        ("implements_clause", ""): Role.Inherit,
        ("extends_type_clause", ""): Role.Inherit,
        ("type_annotation", ""): Role.Type,
        ("type_arguments", ""): Role.Type,
        ("type_query", ""): Role.Read,
        ("required_parameter", "pattern"): Role.Read,
        ("optional_parameter", "pattern"): Role.Read,
    },
    renames_by_value=True,
    hidden=hidden_types.javascript,
    hidden_imports=javascript.hidden_imports,
    anonymous={
        "class_body": javascript.expression_bases(_bases),
        "object": javascript.object_bases,
        "object_type": lambda node, spell: None if _declares_no_type(node) else _called(node, spell),
    },
    written=True,
    imports={**javascript.IMPORTS},
    shared_exports=javascript.SHARED_EXPORTS,
    whole_exports=javascript.WHOLE_EXPORTS,
    is_script=javascript.is_script,
    exports=javascript.exports,
    locate=javascript_modules.locate,
    module_line=javascript_modules.module_line,
    code_line=javascript_modules.code_line,
    this=frozenset({"this"}),
    above=frozenset({"super"}),
    terms={**spelling.VALUES, **mapped_types.over(spelling.TYPES)},
    returns=javascript.RETURNS,
    narrows=javascript.NARROWS,
    fillers=collections.FILLERS,
    puts=collections.PUTS,
    empty=collections.EMPTY,
    types_apart=True,
    narrows_bounds=True,
    values_apart=True,
    bases_are_values=True,
    types_are_values=True,
    branches=discriminants.narrowing(spelling.BRANCHES),
    quotes={**javascript.QUOTES, "lookup_type": javascript.quoted_member},
    quotes_members=True,
    global_objects=javascript.GLOBAL_OBJECTS,
    literal_keys=True,
    fills={
        **javascript.FILLS,
        "required_parameter": spelling.keys,
        "optional_parameter": spelling.keys,
        "type_query": spelling.queried_keys,
        "object_type": spelling.type_keys,
    },
    shorthands=javascript.SHORTHANDS,
    pairs=javascript.PAIRS,
    collections=spelling.COLLECTIONS,
    paired=frozenset({"Map", "ReadonlyMap"}),
    predeclared=spelling.PREDECLARED,
    predeclared_in_modules=javascript.MODULE_NAMES,
    names_itself=javascript.names_itself,
    may_declare=javascript_modules.may_declare,
    primitives=spelling.PRIMITIVES | javascript_hosts.PRIMITIVES,
    promised=spelling.PROMISED,
    host_member=javascript_hosts.member,
    host_ancestors=javascript_hosts.ancestors,
    host_values=javascript_hosts.GLOBALS,
    host_modules=javascript_hosts.MODULES,
    class_visible=False,
    keys=javascript.KEYS
    | {
        ("public_field_definition", "name"),
        ("property_signature", "name"),
        ("method_signature", "name"),
        ("abstract_method_signature", "name"),
        ("enum_body", "name"),
        ("enum_assignment", "name"),
        ("index_signature", "name"),
    },
    opaque=javascript.OPAQUE,
)

_TYPE = lazy_compile(
    rb"(?:interface(?<![\w$.]interface)|enum(?<![\w$.]enum)|namespace(?<![\w$.]namespace)|type(?<![\w$.]type))"
    rb"(?=\s+[\w$\x80-\xff]|\s*/)"
)


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether in a block may be what JavaScript defines, or a type."""
    body = found["body"]
    typed = b"type" in body or b"interface" in body or b"enum" in body or b"namespace" in body
    return javascript.defines(found) or (typed and _TYPE.search(body) is not None)


_TYPESCRIPT = Language(
    name="typescript",
    extensions=(".ts", ".mts", ".cts"),
    grammar=("tree_sitter_typescript", "language_typescript"),
    interpreters=("ts-node", "tsx"),
    definitions=_DEFINITIONS,
    through=javascript.THROUGH,
    wrappers=frozenset({"export_statement", "ambient_declaration"}),
    prefixes=frozenset({"decorator"}),
    decorations=frozenset({"decorator"}),
    comments=javascript.COMMENTS,
    module=javascript_modules.module,
    lexis=lexing.JAVASCRIPT,
    constructors=frozenset({"constructor"}),
    decorators=frozenset(),
    computed=javascript.COMPUTED,
    keywords=javascript.KEYWORDS,
    identifier=javascript.LANGUAGE.identifier,
    renames=javascript.renames,
    reach=javascript.reach,
    bodies=lambda content: javascript.bodies(content, javascript.NEXT_BODY_WITHOUT_MARKUP, _defines),
    selected=typescript_source.readable,
    scoping=_SCOPING,
    relatives="javascript",
)

LANGUAGES = (
    _TYPESCRIPT,
    replace(
        _TYPESCRIPT,
        name="tsx",
        extensions=(".tsx",),
        grammar=("tree_sitter_typescript", "language_tsx"),
        interpreters=(),
        bodies=lambda content: javascript.bodies(content, javascript.NEXT_BODY, _defines),
    ),
)
