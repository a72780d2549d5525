"""Go: https://go.dev/ref/spec."""

from __future__ import annotations

from leadline_tools.languages import access, hidden_types, lexing
from leadline_tools.languages.go import imports, library, outline, scopes, types
from leadline_tools.languages.go.interfaces import INTERFACES
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules, module_of_folder
from leadline_tools.languages.rules.imports import ImportRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.model import Role, SymbolKind

_PARAMETERS = fields("parameters")

_KEYWORDS = frozenset(
    (
        "break case chan const continue default defer else fallthrough for func go goto if import interface map "
        "package range return select struct switch type var"
    ).split()
)

LANGUAGE = Language(
    name="go",
    grammar=("tree_sitter_go", "language"),
    files=FileRules(
        extensions=(".go",),
        module=module_of_folder,
        main=("main",),
    ),
    outline=OutlineRules(
        definitions={
            "type_spec": Defines(
                outline.classify_type,
                name=outline.list_names,
                body=outline.list_members,
                bases=types.spell_bases,
                generics=types.list_type_parameters,
            ),
            "type_alias": Defines(
                SymbolKind.Class,
                name=outline.list_names,
                body=fields(),
                type=types.find_type,
                generics=types.list_type_parameters,
            ),
            "field_declaration": Defines(
                SymbolKind.Field,
                name=outline.list_names,
                body=outline.list_members,
                type=types.find_field_type,
                bases=types.spell_field_bases,
            ),
            "method_elem": Defines(SymbolKind.Method, parameters=_PARAMETERS, body=fields(), type=types.find_result),
            "function_declaration": Defines(
                SymbolKind.Function,
                name=outline.list_names,
                parameters=_PARAMETERS,
                type=types.find_result,
                takes=types.spell_parameters,
                extends=outline.tell_initializer,
                unnamed=outline.is_initializer,
            ),
            "method_declaration": Defines(
                SymbolKind.Method,
                name=outline.list_names,
                parameters=_PARAMETERS,
                container=outline.name_receiver,
                type=types.find_result,
                generics=outline.list_receiver_names,
            ),
            "const_spec": Defines(
                SymbolKind.Constant,
                name=outline.list_names,
                body=fields(),
                type=types.find_constant_type,
                made=types.bind_constant,
            ),
            "var_spec": Defines(
                SymbolKind.Variable,
                name=outline.list_names,
                body=fields(),
                type=types.find_type,
                made=types.bind_initialized,
            ),
        },
        through=frozenset(
            (
                "import_declaration import_spec_list type_declaration const_declaration var_declaration var_spec_list"
            ).split()
        ),
    ),
    names=NameRules(
        is_private=access.is_unexported,
        keywords=_KEYWORDS,
        refuses_rename=scopes.refuse_rename,
        runs=frozenset({"main", "init"}),
        reach=scopes.find_reach,
        binds_in_text=scopes.is_bound_by_directive,
    ),
    source=SourceRules(
        lexis=lexing.GO,
        bodies=outline.find_skipped_bodies,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"identifier", "type_identifier", "field_identifier", "package_identifier"}),
            type_identifiers=frozenset({"type_identifier", "package_identifier"}),
            opens={
                "function_declaration": ScopeKind.Function,
                "method_declaration": ScopeKind.Function,
                "func_literal": ScopeKind.Function,
                "function_type": ScopeKind.Function,
                "method_elem": ScopeKind.Function,
                "type_spec": ScopeKind.Block,
                "type_alias": ScopeKind.Block,
                "field_declaration_list": ScopeKind.Class,
                "interface_type": ScopeKind.Class,
                "field_declaration": ScopeKind.Block,
                "block": ScopeKind.Block,
                "if_statement": ScopeKind.Block,
                "for_statement": ScopeKind.Block,
                "expression_switch_statement": ScopeKind.Block,
                "type_switch_statement": ScopeKind.Block,
                "expression_case": ScopeKind.Block,
                "type_case": ScopeKind.Block,
                "default_case": ScopeKind.Block,
                "communication_case": ScopeKind.Block,
            },
            binds={
                "parameter_declaration": Binds(fields("name"), type=types.find_type),
                "variadic_parameter_declaration": Binds(fields("name"), type=lambda node: node),
                "type_parameter_declaration": Binds(fields("name"), type=types.find_constraint, types=True),
                "method_declaration": Binds(outline.list_receiver_parameters, types=True),
                "type_spec": Binds(fields("name"), type=types.find_type),
                "field_declaration": Binds(outline.find_embedded_name, type=types.find_type, member=True),
                "const_spec": Binds(
                    fields("name"), type=types.find_constant_type, made=types.bind_constant, after=True
                ),
                "var_spec": Binds(fields("name"), type=types.find_type, made=types.bind_initialized, after=True),
                "short_var_declaration": Binds(fields("left"), made=types.bind_assigned, after=True, redeclares=True),
                "range_clause": Binds(scopes.list_declared_names, made=types.bind_ranged, after=True),
                "receive_statement": Binds(scopes.list_declared_names, made=types.bind_assigned, after=True),
                "type_conversion_expression": Binds(
                    fields(), reads=scopes.list_maybe_read, calls=scopes.list_maybe_called
                ),
                "index_expression": Binds(fields(), calls=scopes.list_called_at_index),
                "type_case": Binds(
                    scopes.list_switch_alias,
                    type=scopes.find_case_type,
                    made=scopes.bind_switched,
                    again=True,
                    around=True,
                ),
                "default_case": Binds(scopes.list_switch_alias, made=scopes.bind_switched, again=True, around=True),
            },
            this=frozenset({types.OBJECT}),
            types_apart=True,
            class_visible=False,
            opaque=frozenset({"index_expression", "call_expression", "unary_expression", "parenthesized_expression"}),
        ),
        uses=UseRules(
            members={"selector_expression": ("operand", "field"), "qualified_type": ("package", "name")},
            roles={
                ("call_expression", "function"): Role.Call,
                ("call_expression", "arguments"): Role.Read,
                ("assignment_statement", "left"): Role.Write,
                ("inc_statement", ""): Role.Write,
                ("dec_statement", ""): Role.Write,
                ("index_expression", "index"): Role.Read,
                ("keyed_element", "key"): Role.Other,
            },
            literal_keys={
                "composite_literal": types.bind_literal_keys,
                "type_switch_statement": scopes.mark_switch_alias,
                "package_clause": scopes.mark_package_name,
                "struct_type": scopes.mark_inline_members,
                "interface_type": scopes.mark_inline_members,
            },
            names_field=scopes.names_field,
            keys=frozenset(
                {
                    ("package_clause", ""),
                    ("keyed_element", "key"),
                    ("field_declaration", "name"),
                    ("method_elem", "name"),
                    ("method_declaration", "name"),
                }
            ),
        ),
        imports=ImportRules(
            statements={"import_spec": imports.read_import},
            exports=imports.read_package_clause,
            has_package_clauses=True,
            keeps_imports=True,
            locate=imports.locate_package,
            siblings=imports.list_siblings,
        ),
        visibility=VisibilityRules(
            has_partial_types=True,
            list_partial_files=imports.list_package_files_beside,
            variants=True,
            unnamed=outline.INITIALIZERS,
            predeclared=types.PREDECLARED,
        ),
        types=TypeRules(
            anonymous={
                "field_declaration_list": types.spell_embedded_types,
                "interface_type": types.spell_embedded_types,
            },
            has_type_literals=True,
            terms=types.TERMS,
        ),
        members=MemberRules(
            hidden=hidden_types.go,
            structural=True,
            may_share_method=lambda name: name[0].isupper(),
            stands_for=outline.have_same_arity,
            shallow=True,
            at_once=True,
        ),
        calls=CallRules(
            spreads=True,
        ),
        library=LibraryRules(
            functions=types.list_generic_functions(),
            standard="sync/atomic",
            holders=frozenset({"Pointer"}),
            collections=types.HOLDER_METHODS,
            interfaces=INTERFACES,
            is_self_contained=library.is_self_contained,
            host_modules=library.STANDARD | library.GENERIC,
        ),
    ),
)
