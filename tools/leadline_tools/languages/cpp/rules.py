"""C++: https://eel.is/c++draft/. What it shares with C is in ``c``."""

from __future__ import annotations

from dataclasses import replace

from tree_sitter import Node

from leadline_tools.languages import access, hidden_types, lexing
from leadline_tools.languages.c import declarations as c_declarations
from leadline_tools.languages.c import imports as c_imports
from leadline_tools.languages.c import outline as c_outline
from leadline_tools.languages.c import rules as c_rules
from leadline_tools.languages.c import scopes as c_scopes
from leadline_tools.languages.c import source as c_source
from leadline_tools.languages.c import types as c_types
from leadline_tools.languages.cpp import imports, initializers, library, outline, scopes, terms, types
from leadline_tools.languages.cpp import source as cpp_source
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules, no_module
from leadline_tools.languages.rules.imports import ImportRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.macros import nothing_reserved
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.languages.terms import TAGS, Op
from leadline_tools.model import Role, SymbolKind


def _define_specifier(kind: SymbolKind) -> Defines:
    def defined(node: Node) -> SymbolKind | None:
        whole = node.child_by_field_name("body") is not None or outline.is_completed_by_specializations(node)
        return kind if whole else None

    return Defines(
        defined,
        name=outline.list_type_names,
        container=outline.name_container_of_type,
        bases=types.spell_bases,
        generics=types.list_type_parameters,
        emits=c_outline.is_named,
        unnamed=outline.is_specialization,
    )


LANGUAGE = Language(
    name="cpp",
    grammar=("tree_sitter_cpp", "language"),
    files=FileRules(
        bare_headers=True,
        extensions=(
            ".cc",
            ".cpp",
            ".cxx",
            ".c++",
            ".hh",
            ".hpp",
            ".hxx",
            ".h++",
            ".ipp",
            ".inl",
            ".tpp",
            ".txx",
            ".tcc",
            ".ino",
        ),
        module=no_module,
        main=("main",),
    ),
    outline=OutlineRules(
        definitions={
            **c_rules.DEFINITIONS,
            "function_definition": Defines(
                outline.classify_declaration,
                member=outline.classify_member,
                name=outline.list_names,
                parameters=c_outline.list_parameters,
                container=outline.name_container,
                spell=outline.spell_name,
                type=types.find_result,
                takes=types.spell_parameters,
                amends=types.spell_test_fixture,
                inner=scopes.is_internal,
                local=False,
                unnamed=outline.is_function_specialization,
            ),
            "declaration": Defines(
                outline.classify_declared,
                member=outline.classify_member,
                name=outline.list_names,
                body=c_outline.list_folded,
                parameters=c_outline.list_parameters,
                container=outline.name_container,
                spell=outline.spell_name,
                type=types.find_result,
                made=scopes.bind_deduced,
                takes=types.spell_parameters,
                beside=c_outline.list_beside,
                inner=scopes.is_internal,
                extern=c_scopes.is_extern,
                local=False,
                repeats=True,
                unnamed=outline.is_function_specialization,
            ),
            "field_declaration": Defines(
                outline.classify_member,
                name=outline.list_names,
                body=c_outline.list_members,
                parameters=c_outline.list_parameters,
                spell=outline.spell_name,
                type=types.find_result,
                takes=types.spell_parameters,
                beside=c_outline.list_beside,
                extern=scopes.is_declared_member,
                emits=lambda node: bool(c_outline.list_names(node)),
                repeats=True,
            ),
            "type_definition": Defines(
                c_outline.classify_type,
                name=outline.list_names,
                body=c_outline.list_members,
                type=types.find_result,
                beside=c_outline.list_beside,
            ),
            "alias_declaration": Defines(SymbolKind.Class, body=fields(), type=types.find_result),
            "concept_definition": Defines(SymbolKind.Interface, body=fields()),
            "friend_declaration": Defines(
                outline.classify_friend,
                name=outline.list_friend_names,
                body=outline.list_friend_body,
                parameters=outline.list_friend_parameters,
                spell=outline.spell_name,
            ),
            "namespace_definition": Defines(
                SymbolKind.Namespace,
                name=outline.list_namespace_name,
                container=outline.name_container_of_namespace,
                emits=c_outline.is_named,
            ),
            "class_specifier": _define_specifier(SymbolKind.Class),
            "struct_specifier": _define_specifier(SymbolKind.Struct),
            "union_specifier": _define_specifier(SymbolKind.Struct),
            "enum_specifier": _define_specifier(SymbolKind.Enum),
            "enumerator": Defines(SymbolKind.EnumMember, body=fields()),
        },
        through=c_rules.THROUGH,
        wrappers=frozenset({"template_declaration"}),
    ),
    names=NameRules(
        is_private=access.is_private_cpp,
        own_head=c_outline.find_head,
        keywords=outline.KEYWORDS,
        reach=c_scopes.find_reach,
    ),
    source=SourceRules(
        mask=cpp_source.mask_source,
        select=c_source.select_branches,
        bodies=c_declarations.macros,
        directives=c_declarations.macros,
        lexis=lexing.CPP,
    ),
    relatives="c",
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=c_rules.IDENTIFIERS | {"namespace_identifier"},
            type_identifiers=frozenset({"type_identifier"}),
            opens={
                **c_rules.SCOPES,
                "namespace_definition": scopes.open_namespace_scope,
                "template_declaration": ScopeKind.Open,
                "enum_specifier": scopes.open_enum_scope,
                "lambda_expression": ScopeKind.Function,
                "if_statement": ScopeKind.Block,
                "while_statement": ScopeKind.Block,
                "switch_statement": ScopeKind.Block,
                "for_range_loop": ScopeKind.Block,
                "catch_clause": ScopeKind.Block,
                "requires_expression": ScopeKind.Block,
            },
            binds={
                **c_rules.BINDS,
                "parameter_declaration": Binds(
                    initializers.list_parameter_names, type=types.find_result, made=scopes.bind_lambda_parameter
                ),
                "optional_parameter_declaration": Binds(initializers.list_parameter_names, type=types.find_result),
                "variadic_parameter_declaration": Binds(c_outline.list_names, type=types.find_result),
                "declaration": Binds(
                    lambda node: (
                        () if outline.is_friend(node) or outline.is_macro_call(node) else c_outline.list_names(node)
                    ),
                    type=types.find_result,
                    made=scopes.bind_deduced,
                    reads=initializers.list_given_names,
                    calls=initializers.list_called_names,
                    extern=c_scopes.is_extern,
                ),
                "for_range_loop": Binds(c_outline.list_names, type=types.find_result, made=scopes.bind_each),
                "template_declaration": Binds(lambda node: list(types.yield_template_parameters(node)), types=True),
                "lambda_capture_initializer": Binds(fields("left")),
            },
            jump_labels=c_rules.JUMP_LABELS,
            types_apart=True,
            this=frozenset({"this"}),
            sees_outer_members=True,
            tag_spaces=(TAGS,),
            generic=frozenset({"template_type", "template_function", "template_method"}),
            opaque=c_rules.OPAQUE | {"argument_list", "initializer_list"},
            outside={
                ("for_range_loop", "right"): scopes.is_read_before_loop,
                ("lambda_capture_initializer", "right"): scopes.is_read_around_lambda,
            },
        ),
        uses=UseRules(
            members={"field_expression": terms.split_member, "qualified_identifier": ("scope", "name")},
            qualified=frozenset({"qualified_identifier"}),
            roles={
                **c_rules.ROLES,
                ("base_class_clause", ""): Role.Inherit,
                (
                    "qualified_identifier",
                    "scope",
                ): Role.Type,  # what stands before ``::`` is no object: [basic.lookup.qual]
                ("new_expression", "type"): Role.Call,
                ("compound_literal_expression", "type"): Role.Call,
                ("template_argument_list", ""): Role.Read,
            },
            literal_keys={
                **c_rules.FILLS,
                "field_initializer": scopes.bind_initialized_member,
                "argument_list": scopes.bind_designated_arguments,
                "qualified_identifier": scopes.bind_global_name,
                "namespace_definition": scopes.bind_outer_namespaces,
            },
            texts=c_rules.TEXTS,
            keys=c_rules.KEYS,
        ),
        imports=ImportRules(
            including=frozenset(c_rules.IMPORTS),
            statements={
                **c_rules.IMPORTS,
                "using_declaration": imports.read_using,
                "namespace_alias_definition": imports.read_namespace_alias,
            },
            imports_members=True,
            imports_from_scope=True,
            passes_on=True,
            locate=c_imports.locate_include,
        ),
        visibility=VisibilityRules(
            has_open_namespaces=True,
            standard_spaces=frozenset({"std"}),
            links_definitions=True,
            internal=c_scopes.is_internal,
            overloads=outline.are_overloads,
            spell_parameters=outline.spell_parameters,
        ),
        types=TypeRules(
            returns={"return_statement": terms.spell_returned},
            terms=terms.TERMS,
            through=terms.find_member_step,
            pointers=("operator->", "operator*"),
            anonymous={"field_declaration_list": c_types.list_nameless_bases},
            has_type_literals=True,
            pair_types=frozenset({"map", "unordered_map", "multimap", "unordered_multimap"}),
        ),
        members=MemberRules(
            hidden=hidden_types.cpp,
        ),
        calls=CallRules(
            has_overloads=True,
            by_argument_types=True,
            converts_numbers=True,
        ),
        library=LibraryRules(
            protocols={Op.Item: ("this",), Op.Each: ("this.begin()~",)},
            operators={Op.Item: "operator[]", Op.Call: "operator()"},
            open_parts=True,
            member_types=library.MEMBER_TYPES,
            collections=library.COLLECTIONS,
        ),
        macros=replace(c_rules.MACROS, is_reserved=nothing_reserved),  # members have names of the library
    ),
)
