"""TypeScript and TSX: https://www.typescriptlang.org/docs/handbook/, which have no other specification."""

from __future__ import annotations

import re
from dataclasses import replace

from leadline_tools.languages import discriminants, hidden_types, lexing
from leadline_tools.languages.javascript import (
    collections,
    frameworks,
    functions,
    library,
    narrowing,
    object_members,
    patterns,
    primitives,
    scopes,
    values,
)
from leadline_tools.languages.javascript import host_globals as javascript_hosts
from leadline_tools.languages.javascript import modules as javascript_modules
from leadline_tools.languages.javascript import outline as javascript_outline
from leadline_tools.languages.javascript import rules as javascript
from leadline_tools.languages.javascript import source as javascript_source
from leadline_tools.languages.javascript import terms as spelling
from leadline_tools.languages.javascript import types as javascript_types
from leadline_tools.languages.javascript.contextual_keywords import is_no_name
from leadline_tools.languages.javascript.jsdoc import find_documented_parameter
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.typescript import expandos, mapped_types, outline, types
from leadline_tools.languages.typescript import scopes as typescript_scopes
from leadline_tools.languages.typescript import source as typescript_source
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_PARAMETERS = fields("parameters")

_SIGNATURE = Defines(
    SymbolKind.Method,
    parameters=_PARAMETERS,
    spell=values.unquote_name,
    type=outline.find_result_type,
    takes=functions.spell_parameters,
    getter=javascript_outline.is_getter,
    of_type=javascript_outline.is_static,
)

_MEMBER = Defines(SymbolKind.EnumMember, body=fields(), spell=values.unquote_name)

_NAMESPACE = Defines(outline.classify_module, spell=values.unquote_name)

_PROPERTY_PARAMETER = Defines(
    outline.classify_parameter,
    name=outline.list_parameter_names,
    body=fields(),
    outer=True,
    type=outline.find_parameter_type,
    made=patterns.bind_defaults,
)

_CLASS = Defines(SymbolKind.Class, bases=types.spell_bases, generics=outline.list_type_parameters)


def _function(kind: str) -> Defines:
    return replace(javascript.DEFINITIONS[kind], type=outline.find_result_type, takes=functions.spell_parameters)


_DEFINITIONS = {
    **javascript.DEFINITIONS,
    "function_declaration": _function("function_declaration"),
    "generator_function_declaration": _function("generator_function_declaration"),
    "class_declaration": _CLASS,
    "variable_declarator": replace(
        javascript.DEFINITIONS["variable_declarator"],
        type=outline.find_variable_type,
        made=types.bind_value,
        takes=types.spell_parameters,
        bases=javascript_types.value_bases(types.spell_bases),
    ),
    "assignment_expression": replace(
        javascript.DEFINITIONS["assignment_expression"],
        kind=expandos.classify_assigned,
        bases=javascript_types.value_bases(types.spell_bases),
    ),
    "method_definition": replace(_function("method_definition"), head=_PARAMETERS),
    "pair": replace(
        javascript.DEFINITIONS["pair"], type=outline.find_value_result, takes=javascript_types.spell_value_parameters
    ),
    "required_parameter": _PROPERTY_PARAMETER,
    "optional_parameter": _PROPERTY_PARAMETER,
    "function_signature": Defines(
        SymbolKind.Function,
        parameters=_PARAMETERS,
        body=fields(),
        type=outline.find_result_type,
        takes=functions.spell_parameters,
    ),
    "statement_block": replace(javascript.DEFINITIONS["statement_block"], kind=outline.classify_block),
    "abstract_class_declaration": _CLASS,
    "interface_declaration": replace(_CLASS, kind=SymbolKind.Interface),
    "type_alias_declaration": Defines(
        SymbolKind.Class,
        body=outline.list_alias_body,
        type=outline.find_alias_type,
        bases=types.spell_alias_bases,
        generics=outline.list_type_parameters,
    ),
    "enum_declaration": Defines(SymbolKind.Enum),
    "property_identifier": replace(_MEMBER, name=lambda node: (node,), local=False),  # an arrow may give one
    "enum_assignment": _MEMBER,
    "internal_module": _NAMESPACE,
    "module": _NAMESPACE,
    "public_field_definition": Defines(
        javascript_outline.classify_member,
        of_type=javascript_outline.is_static,
        body=javascript_outline.list_value_body,
        parameters=javascript_outline.list_value_parameters,
        spell=values.unquote_name,
        type=outline.find_field_type,
        made=types.bind_field,
        takes=types.spell_parameters,
        function=values.find_function,
    ),
    "property_signature": Defines(
        SymbolKind.Property, body=fields(), spell=values.unquote_name, type=outline.find_type
    ),
    "method_signature": _SIGNATURE,
    "abstract_method_signature": _SIGNATURE,
}

_PARAMETER = Binds(
    outline.list_parameter_names, type=outline.find_parameter_type, made=patterns.bind_defaults, by_caller=True
)

_BRANCHES = discriminants.narrowing(narrowing.BRANCHES)

_SEMANTICS = Semantics(
    scopes=ScopeRules(
        merges_modules=True,
        identifiers=javascript.IDENTIFIERS | {"type_identifier"},
        type_identifiers=frozenset({"type_identifier"}),
        opens={
            **javascript.SCOPES,
            "abstract_class_declaration": ScopeKind.Block,
            "interface_declaration": ScopeKind.Block,
            "type_alias_declaration": ScopeKind.Block,
            "interface_body": ScopeKind.Class,
            "object_type": ScopeKind.Class,
            "enum_body": ScopeKind.Class,
            "statement_block": lambda node: ScopeKind.Open if outline.is_global_block(node) else ScopeKind.Block,
            "internal_module": ScopeKind.Module,
            "module": ScopeKind.Module,
            "public_field_definition": javascript_outline.find_member_scope,
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
                fields("name"),
                type=lambda node: node.child_by_field_name("constraint"),
                made=types.bind_default_type,
                types=True,
            ),
            "mapped_type_clause": Binds(fields("name")),
            "index_signature": Binds(fields("name")),
            "conditional_type": Binds(typescript_scopes.list_inferred_names),
            "import_alias": Binds(lambda node: node.named_children[:1], type=typescript_scopes.find_alias),
        },
        this=frozenset({"this"}),
        above=frozenset({"super"}),
        types_apart=True,
        values_apart=True,
        names_itself=scopes.names_itself,
        class_visible=False,
        opaque=javascript.OPAQUE,
        generic=frozenset({"await_expression", "unary_expression"}),  # the grammar calls what await gives: await f<A>()
    ),
    uses=UseRules(
        is_no_name=is_no_name,
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
            ("type_predicate", "name"): Role.Read,
            ("asserts", ""): Role.Read,
            ("required_parameter", "pattern"): Role.Read,
            ("optional_parameter", "pattern"): Role.Read,
        },
        quotes={**javascript.QUOTES, "lookup_type": scopes.read_quoted_member},
        quotes_members=True,
        global_objects=javascript.GLOBAL_OBJECTS,
        declares_literal_keys=True,
        code_in_strings=frameworks.code_in_strings,
        literal_keys={
            **javascript.FILLS,
            "required_parameter": patterns.bind_keys,
            "optional_parameter": patterns.bind_keys,
            "type_query": object_members.bind_queried_keys,
            "object_type": object_members.bind_type_keys,
        },
        shorthands=javascript.SHORTHANDS,
        pairs=javascript.PAIRS,
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
    ),
    imports=javascript.IMPORT_RULES,
    visibility=javascript.VISIBILITY_RULES,
    types=TypeRules(
        renames_by_value=True,
        anonymous={
            "class_body": javascript_types.expression_bases(types.spell_bases),
            "object": javascript_types.spell_object_bases,
            "object_type": lambda node, spell: (
                None if types.declares_no_type(node) else types.spell_signatures(node, spell)
            ),
        },
        has_type_literals=True,
        terms={**spelling.VALUES, **spelling.narrowed_values(_BRANCHES), **mapped_types.over(javascript_types.TYPES)},
        returns=javascript.RETURNS,
        narrows_scope=javascript.NARROWS,
        fillers=collections.FILLERS,
        puts=collections.PUTS,
        empty=collections.EMPTY,
        narrows_bounds=True,
        bases_are_values=True,
        types_are_values=True,
        narrows_branches=_BRANCHES,
        pair_types=frozenset({"Map", "ReadonlyMap"}),
    ),
    calls=javascript.CALLS,
    members=MemberRules(
        statics_apart=True,
        compares_members=True,
        forwards=True,
        hidden=hidden_types.javascript,
    ),
    library=LibraryRules(
        collection_members=collections.MEMBERS,
        function_members=library.FUNCTION_MEMBERS,
        collections=library.COLLECTIONS,
        iterators=library.ITERATORS,
        primitives=primitives.PRIMITIVES | javascript_hosts.PRIMITIVES,
        promise_members=library.PROMISED,
        classes=library.CLASSES,
        host_member=javascript_hosts.member,
        host_ancestors=javascript_hosts.ancestors,
        host_values=javascript_hosts.GLOBALS,
        host_modules=javascript_hosts.MODULES,
    ),
)

_TYPE = lazy_compile(
    rb"(?:interface(?<![\w$.]interface)|enum(?<![\w$.]enum)|namespace(?<![\w$.]namespace)|type(?<![\w$.]type))"
    rb"(?=\s+[\w$\x80-\xff]|\s*/)"
)


def _defines(found: re.Match[bytes]) -> bool:
    """Return whether in a block may be what JavaScript defines, or a type."""
    body = found["body"]
    typed = b"type" in body or b"interface" in body or b"enum" in body or b"namespace" in body
    return javascript_source.defines(found) or (typed and _TYPE.search(body) is not None)


_TYPESCRIPT = Language(
    name="typescript",
    grammar=("tree_sitter_typescript", "language_typescript"),
    files=FileRules(
        extensions=(".ts", ".mts", ".cts"),
        interpreters=("ts-node", "tsx"),
        module=javascript_modules.module,
    ),
    outline=OutlineRules(
        definitions=_DEFINITIONS,
        through=javascript.THROUGH,
        wrappers=frozenset({"export_statement", "ambient_declaration"}),
        prefixes=frozenset({"decorator"}),
        decorations=frozenset({"decorator"}),
        comments=javascript.COMMENTS,
        hiding_block=outline.find_hiding_block,
    ),
    names=NameRules(
        called_by_language=frozenset({"toJSON", "toString", "valueOf"}).__contains__,
        constructors=frozenset({"constructor"}),
        finds_parameter=find_documented_parameter,
        transparent_decorators=frozenset(),
        computed=javascript.COMPUTED,
        keywords=javascript.KEYWORDS,
        identifier=javascript.LANGUAGE.names.identifier,
        refuses_rename=javascript.renames,
        reach=javascript.reach,
    ),
    source=SourceRules(
        lexis=lexing.JAVASCRIPT,
        bodies=lambda content: javascript_source.find_bodies(
            content, javascript_source.NEXT_BODY_WITHOUT_MARKUP, _defines
        ),
        select=typescript_source.readable,
    ),
    semantics=_SEMANTICS,
    relatives="javascript",
)

LANGUAGES = (
    _TYPESCRIPT,
    replace(
        _TYPESCRIPT,
        name="tsx",
        grammar=("tree_sitter_typescript", "language_tsx"),
        files=replace(_TYPESCRIPT.files, extensions=(".tsx",), interpreters=()),
        source=replace(
            _TYPESCRIPT.source,
            bodies=lambda content: javascript_source.find_bodies(content, javascript_source.NEXT_BODY, _defines),
        ),
    ),
)
