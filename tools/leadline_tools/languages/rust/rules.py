"""Rust: https://doc.rust-lang.org/reference/."""

from __future__ import annotations

from leadline_tools.languages import access, hidden_types, lexing
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.imports import Imported, ImportRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.macros import MacroRules
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.languages.rust import (
    collections,
    generics,
    implementations,
    imports,
    inherent_members,
    macro_closures,
    macros,
    outline,
    scopes,
    source,
    types,
)
from leadline_tools.languages.rust import prelude as rust_prelude
from leadline_tools.model import Role, SymbolKind

_PARAMETERS = fields("parameters")

_TYPED = Defines(SymbolKind.Constant, name=outline.list_names, body=fields(), type=outline.find_type)

_KEYWORDS = frozenset(
    (
        "Self _ abstract as async await become box break const continue crate do dyn else enum extern false final fn "
        "for gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super "
        "trait true try type typeof unsafe unsized use virtual where while yield"
    ).split()
)

LANGUAGE = Language(
    name="rust",
    grammar=("tree_sitter_rust", "language"),
    files=FileRules(
        extensions=(".rs",),
        module=imports.name_module,
        main=("main",),
    ),
    outline=OutlineRules(
        definitions={
            "mod_item": Defines(outline.classify_module),
            "struct_item": Defines(
                SymbolKind.Struct,
                body=outline.list_field_bodies,
                bases=types.spell_tuple_fields,
                generics=generics.list_type_parameters,
            ),
            "union_item": Defines(
                SymbolKind.Struct, body=outline.list_field_bodies, generics=generics.list_type_parameters
            ),
            "enum_item": Defines(SymbolKind.Enum, generics=generics.list_type_parameters),
            "enum_variant": Defines(
                SymbolKind.EnumMember,
                body=outline.list_field_bodies,
                bases=types.spell_variant_bases,
                generics=generics.list_enum_type_parameters,
            ),
            "field_declaration": Defines(SymbolKind.Field, body=fields(), type=outline.find_type),
            "trait_item": Defines(
                SymbolKind.Interface, bases=types.spell_supertraits, generics=generics.list_type_parameters
            ),
            "impl_item": Defines(
                SymbolKind.Class,
                name=outline.find_implementing_type,
                spell=outline.normalize_type,
                emits=False,
                apart=outline.spell_trait,
                bases=types.spell_implemented,
                generics=generics.list_implementing_arguments,
            ),
            "function_item": Defines(
                SymbolKind.Function,
                member=SymbolKind.Method,
                parameters=_PARAMETERS,
                type=outline.find_result_type,
                takes=types.spell_parameters,
                macro=outline.is_procedural_macro,
            ),
            "function_signature_item": Defines(
                SymbolKind.Function,
                SymbolKind.Method,
                body=fields(),
                parameters=_PARAMETERS,
                type=outline.find_result_type,
                takes=types.spell_parameters,
            ),
            "const_item": _TYPED,
            "static_item": Defines(SymbolKind.Variable, name=outline.list_names, body=fields(), type=outline.find_type),
            "type_item": Defines(
                SymbolKind.Class, body=fields(), type=outline.find_type, generics=generics.list_type_parameters
            ),
            "associated_type": Defines(SymbolKind.Class, body=fields(), bases=types.spell_supertraits),
            "macro_definition": Defines(
                SymbolKind.Function,
                body=outline.list_macro_rules,
                inner=outline.is_private_macro,
                macro=lambda _node: True,
            ),
        },
        through=frozenset({"foreign_mod_item", "declaration_list"}),
        prefixes=frozenset({"attribute_item"}),
        comments=outline.COMMENTS,
    ),
    names=NameRules(
        is_private=access.is_private_rust,
        keywords=_KEYWORDS,
    ),
    source=SourceRules(
        mask=source.expose_items,
        lexis=lexing.RUST,
        bodies=outline.find_skipped_bodies,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset(
                {"identifier", "type_identifier", "field_identifier", "shorthand_field_identifier", "crate", "super"}
            ),
            type_identifiers=frozenset({"type_identifier"}),
            opens={
                "struct_item": ScopeKind.Block,
                "union_item": ScopeKind.Block,
                "enum_item": ScopeKind.Block,
                "trait_item": ScopeKind.Block,
                "impl_item": ScopeKind.Implementation,
                "field_declaration_list": ScopeKind.Class,
                "enum_variant_list": ScopeKind.Class,
                "field_declaration": ScopeKind.Block,
                "enum_variant": ScopeKind.Block,
                "type_item": ScopeKind.Block,
                "function_item": ScopeKind.Function,
                "function_signature_item": ScopeKind.Function,
                "closure_expression": ScopeKind.Function,
                "macro_definition": ScopeKind.Block,
                "block": ScopeKind.Block,
                "match_arm": ScopeKind.Block,
                "for_expression": ScopeKind.Block,
                "if_expression": ScopeKind.Block,
                "while_expression": ScopeKind.Block,
                "token_tree": macro_closures.open_closure_scope,
            },
            body_kinds={
                "mod_item": ScopeKind.Module,
                "impl_item": ScopeKind.Class,
                "trait_item": ScopeKind.Class,
            },
            binds={
                "parameter": Binds(scopes.list_pattern_names, type=scopes.find_pattern_type, made=scopes.bind_value()),
                "closure_parameters": Binds(scopes.list_bound_names, made=scopes.bind_closure_parameters, around=True),
                "let_declaration": Binds(
                    scopes.list_pattern_names,
                    type=scopes.find_pattern_type,
                    made=scopes.bind_value(),
                    after=True,
                    rebinds=True,
                ),
                "let_condition": Binds(scopes.list_pattern_names, made=scopes.bind_value(), after=True, rebinds=True),
                "match_arm": Binds(scopes.list_pattern_names, made=scopes.bind_matched, around=True),
                "for_expression": Binds(scopes.list_pattern_names, made=scopes.bind_value("*"), around=True),
                "type_parameter": Binds(fields("name"), type=types.find_bounds, types=True),
                "const_parameter": Binds(fields("name")),
                "const_item": Binds(outline.list_names, type=outline.find_type),
                "static_item": Binds(outline.list_names, type=outline.find_type),
                "token_tree": Binds(
                    macro_closures.list_closure_parameters,
                    made=macro_closures.bind_closure_arguments,
                    calls=macros.list_called_names,
                ),
            },
            sealed=True,
            this=frozenset({"self"}),
            own=frozenset({"Self"}),
            paths_apart=True,
            class_visible=False,
            members_apart=True,
            constructors_apart=True,
            opaque=frozenset({"index_expression", "call_expression"}),
            outside=dict.fromkeys((("if_expression", "alternative"), ("for_expression", "value")), lambda _part: True),
        ),
        uses=UseRules(
            members={
                "field_expression": ("value", "field"),
                "scoped_identifier": ("path", "name"),
                "scoped_type_identifier": ("path", "name"),
            },
            roles={
                ("call_expression", "function"): Role.Call,
                ("call_expression", "arguments"): Role.Read,
                ("generic_function", "function"): Role.Call,
                ("macro_invocation", "macro"): Role.Call,
                ("impl_item", "trait"): Role.Inherit,
                ("trait_item", "bounds"): Role.Inherit,
                ("type_arguments", ""): Role.Type,
                ("attribute_item", ""): Role.Decorator,
                ("inner_attribute_item", ""): Role.Decorator,
                ("assignment_expression", "left"): Role.Write,
                ("compound_assignment_expr", "left"): Role.Write,
                ("field_initializer", "field"): Role.Other,
            },
            literal_keys={
                "struct_expression": scopes.bind_initialized_fields,
                "struct_pattern": scopes.bind_pattern_fields,
                "type_binding": scopes.bind_associated_type,
                "token_tree": macros.bind_member_names,
                "macro_invocation": macros.bind_macro_name,
            },
            quotes={"token_tree": macros.read_captured_names},
            shorthands=frozenset({"shorthand_field_initializer", "shorthand_field_identifier"}),
            member_signs=(b".", b"::"),
            keys=frozenset(
                {
                    ("field_initializer", "field"),
                    ("field_pattern", "name"),
                    ("field_declaration", "name"),
                    ("lifetime", ""),
                    ("label", ""),
                    ("attribute", ""),
                    ("attribute", "arguments"),
                }
            ),
        ),
        imports=ImportRules(
            path_sign=b"::",
            statements={
                "use_declaration": imports.read_use,
                "extern_crate_declaration": imports.read_extern_crate,
                "mod_item": imports.read_module,
            },
            ambient=(
                Imported("crate", "", "crate"),
                Imported("super", "", "super"),
                Imported("self", "", types.OWN_MODULE),
                Imported("std.prelude.v1", "*", ""),
                Imported(f"crate.{imports.PRELUDE_IMPORT}", "*", ""),
            ),
            inside=imports.rebase_import,
            imports_members=True,
            imports_from_scope=True,
            locate=imports.locate_module,
            alternatives=True,
        ),
        visibility=VisibilityRules(
            has_partial_types=True,
            list_partial_files=imports.list_member_files,
            predeclared=frozenset({"Self", "_"}),
            prelude=rust_prelude.PRELUDE,
        ),
        types=TypeRules(
            native_type=types.name_builtin_type,
            pair_types=collections.PAIRED,
            element="Item",
            terms=types.TERMS,
            wrappers=types.WRAPPERS,
            guards=types.GUARDS,
            narrows_scope={"where_predicate": generics.read_where_clause},
            fillers=collections.FILLERS,
            empty=collections.EMPTY,
        ),
        members=MemberRules(
            hidden=hidden_types.rust,
            type_keywords=frozenset({"type"}),
            extends_named_types=True,
            by_interface=True,
            implementing=implementations.list_implementing,
            qualifies=scopes.find_qualifying_trait,
            forwards=True,
        ),
        calls=CallRules(
            fields_apart=True,
        ),
        library=LibraryRules(
            collections=collections.COLLECTIONS,
            collection_members_of_heirs={"Iterator": collections.ITERATOR_MEMBERS},
            own_members=inherent_members.OWN_MEMBERS,
            common=inherent_members.COMMON,
            standard_types=rust_prelude.STANDARD_TYPES,
            is_standard_path=rust_prelude.is_standard_path,
        ),
        macros=MacroRules(
            modules=("std", "core", "alloc"),
            predeclared=rust_prelude.MACROS,
        ),
    ),
)
