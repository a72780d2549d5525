"""Swift: https://docs.swift.org/swift-book/documentation/the-swift-programming-language/aboutthelanguagereference/."""

from __future__ import annotations

import re

from leadline_tools.languages import access, hidden_types, lexing, reach
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.rules.calls import CallRules, Labels
from leadline_tools.languages.rules.files import FileRules
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
from leadline_tools.languages.swift import (
    closures,
    collections,
    imports,
    labels,
    outline,
    outside_names,
    scopes,
    source,
    types,
)
from leadline_tools.languages.terms import Op
from leadline_tools.model import Role, SymbolKind

_KEYWORDS = frozenset(
    (
        "Any Self Type _ as associatedtype break case catch class continue default defer deinit do else enum "
        "extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator "
        "precedencegroup private protocol public repeat rethrows return self static struct subscript super switch "
        "throw throws true try typealias var where while"
    ).split()
)

_WITH_PARAMETERS = (
    "function_declaration",
    "protocol_function_declaration",
    "init_declaration",
    "subscript_declaration",
)
"""What has parameters, whose default values are read around it."""

LANGUAGE = Language(
    name="swift",
    grammar=("tree_sitter_swift", "language"),
    files=FileRules(
        extensions=(".swift",),
        main=("main",),
    ),
    outline=OutlineRules(
        definitions={
            "class_declaration": Defines(
                outline.classify_type,
                name=outline.list_name,
                spell=outline.join_name,
                emits=outline.is_no_extension,
                bases=types.spell_bases,
                generics=outline.list_type_parameters,
            ),
            "protocol_declaration": Defines(SymbolKind.Interface, name=outline.list_name, bases=types.spell_bases),
            "function_declaration": Defines(
                SymbolKind.Function,
                member=SymbolKind.Method,
                name=outline.list_name,
                parameters=outline.list_parameter_names,
                takes=types.spell_parameters,
                type=outline.find_result_type,
                of_type=outline.is_of_type,
            ),
            "protocol_function_declaration": Defines(
                SymbolKind.Method,
                name=outline.list_name,
                parameters=outline.list_parameter_names,
                takes=types.spell_parameters,
                type=outline.find_result_type,
                of_type=outline.is_of_type,
            ),
            "init_declaration": Defines(
                SymbolKind.Constructor,
                name=outline.list_name,
                parameters=outline.list_parameter_names,
                takes=types.spell_parameters,
            ),
            "deinit_declaration": Defines(
                SymbolKind.Method, name=outline.children_of("deinit"), parameters=outline.list_parameter_names
            ),
            "subscript_declaration": Defines(
                SymbolKind.Method,
                name=outline.children_of("subscript"),
                body=outline.children_of("computed_property"),
                parameters=outline.list_parameter_names,
                type=outline.find_result_type,
                takes=types.spell_parameters,
            ),
            "macro_declaration": Defines(
                SymbolKind.Function,
                name=outline.children_of("simple_identifier"),
                body=fields("definition"),
                parameters=outline.list_parameter_names,
            ),
            "property_declaration": Defines(
                outline.classify_property,
                member=SymbolKind.Property,
                name=outline.list_variables,
                body=fields("computed_value"),
                parameters=fields("computed_value"),  # its inside is that of a function
                type=outline.find_property_type,
                made=scopes.bind_variables,
                of_type=outline.is_of_type,
            ),
            "protocol_property_declaration": Defines(
                SymbolKind.Property,
                name=outline.list_variables,
                body=fields(),
                type=outline.find_property_type,
                of_type=outline.is_of_type,
            ),
            "enum_entry": Defines(
                SymbolKind.EnumMember, name=outline.list_parameter_name, body=fields(), made=types.bind_cases
            ),
            "typealias_declaration": Defines(
                SymbolKind.Class,
                name=outline.list_name,
                body=fields(),
                type=outline.find_type,
                generics=outline.list_type_parameters,
            ),
            "associatedtype_declaration": Defines(
                SymbolKind.TypeParameter, name=outline.list_name, body=fields(), type=outline.find_type
            ),
            "operator_declaration": Defines(
                SymbolKind.Operator, name=outline.children_of("custom_operator"), body=fields()
            ),
        },
        through=frozenset({"statements", "ERROR"}),
        decorations=frozenset({"attribute"}),
        comments=frozenset({"comment", "multiline_comment"}),
    ),
    names=NameRules(
        constructors=frozenset({"init"}),
        is_private=access.is_private_swift,
        keywords=_KEYWORDS,
        reach=reach.private,
    ),
    source=SourceRules(
        lexis=lexing.SWIFT,
        mask=source.mask_source,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"simple_identifier", "type_identifier"}),
            type_identifiers=frozenset({"type_identifier"}),
            opens={
                "class_declaration": ScopeKind.Class,
                "protocol_declaration": ScopeKind.Class,
                "function_declaration": outline.find_member_scope,
                "protocol_function_declaration": ScopeKind.Function,
                "init_declaration": ScopeKind.Function,
                "deinit_declaration": ScopeKind.Function,
                "subscript_declaration": outline.find_member_scope,
                "macro_declaration": ScopeKind.Function,
                "lambda_literal": ScopeKind.Function,
                "computed_property": outline.find_member_scope,
                "computed_getter": ScopeKind.Function,
                "computed_setter": ScopeKind.Function,
                "tuple_type": lambda node: ScopeKind.Class if types.has_labels(node) else None,
                "typealias_declaration": ScopeKind.Block,
                "statements": ScopeKind.Block,
                "if_statement": ScopeKind.Block,
                "while_statement": ScopeKind.Block,
                "for_statement": ScopeKind.Block,
                "switch_entry": ScopeKind.Block,
                "catch_block": ScopeKind.Block,
            },
            binds={
                "parameter": Binds(
                    outline.list_parameter_name, type=outline.find_parameter_type, made=scopes.bind_variadic
                ),
                "lambda_parameter": Binds(outline.list_parameter_name, type=outline.find_type),
                "lambda_literal": Binds(
                    closures.list_closure_names, made=closures.bind_closure_parameters, around=True
                ),
                "tuple_type_item": Binds(outline.list_parameter_name, type=outline.find_type),
                "capture_list_item": Binds(scopes.list_captured_name),
                "computed_setter": Binds(outline.children_of("simple_identifier")),
                "type_parameter": Binds(
                    outline.children_of("type_identifier"), made=scopes.bind_type_parameter, types=True
                ),
                "property_declaration": Binds(
                    outline.list_variables, type=outline.find_property_type, made=scopes.bind_variables, after=True
                ),
                "if_statement": Binds(
                    scopes.list_condition_names, made=scopes.bind_conditions, around=True, shadows=scopes.list_shadowed
                ),
                "guard_statement": Binds(
                    scopes.list_condition_names, made=scopes.bind_conditions, after=True, sees=scopes.list_seeing
                ),
                "while_statement": Binds(
                    scopes.list_condition_names, made=scopes.bind_conditions, around=True, shadows=scopes.list_shadowed
                ),
                "for_statement": Binds(scopes.list_loop_variables, made=scopes.bind_loop_variables, around=True),
                "switch_pattern": Binds(scopes.list_matched_names, made=scopes.bind_switch_patterns),
                "catch_block": Binds(scopes.list_matched_names, made=scopes.bind_cast_patterns),
            },
            outside=dict.fromkeys(
                [("for_statement", "collection"), *((kind, "default_value") for kind in _WITH_PARAMETERS)],
                lambda _node: True,
            ),
            implied=frozenset(f"${number}" for number in range(10)),
            this=frozenset({"self"}),
            own=frozenset({"Self"}),
            above=frozenset({"super"}),
            opaque=frozenset({"call_expression"}),
        ),
        uses=UseRules(
            members={
                "navigation_expression": types.split_navigation,
                "user_type": outline.children_of("type_identifier"),
                "prefix_expression": types.split_case,
                "pattern": types.split_case,
                "if_statement": types.split_case,
                "guard_statement": types.split_case,
                "while_statement": types.split_case,
            },
            roles={
                ("call_expression", ""): Role.Call,
                ("inheritance_specifier", ""): Role.Inherit,
                ("attribute", ""): Role.Decorator,
                ("value_argument", ""): Role.Read,
                ("assignment", "target"): Role.Write,
                ("assignment", "result"): Role.Read,
            },
            keys=frozenset(
                {
                    ("value_argument_label", ""),
                    ("tuple_expression", "name"),
                    ("enum_type_parameters", ""),
                    ("directive", ""),
                    ("precedence_group_attribute", ""),
                }
            ),
            labels=frozenset({("parameter", "external_name")}),
        ),
        imports=ImportRules(
            statements={"import_declaration": imports.read_import},
            locate=imports.locate_module,
            siblings=imports.list_module_files,
            keeps_imports=True,
            names_modules=True,
        ),
        visibility=VisibilityRules(
            has_partial_types=True,
            file_private=access.is_file_private_swift,
        ),
        types=TypeRules(
            terms=types.TERMS,
            through=types.find_member_step,
            anonymous={"tuple_type": types.spell_tuple_bases},
            has_type_literals=True,
            native_type=types.name_type,
            pair_types=collections.PAIRED,
            shares_parameters=True,
            narrows_scope={"check_expression": types.read_type_test},
        ),
        members=MemberRules(
            hidden=hidden_types.swift,
            extends_any_type=True,
            statics_apart=True,
            type_keywords=frozenset({"associatedtype"}),
        ),
        calls=CallRules(
            labels=Labels(
                labels.read_parameters,
                labels.read_arguments,
                labels.accepts_arguments,
                ends_at_block=labels.ends_at_block,
            ),
            takes_fields=lambda declaration: re.search(r"\bstruct\b", declaration) is not None,
            arguments={"value_argument": types.find_argument_label},
            by_name=lambda before, _behind: before.rstrip()[-1:] in ("(", ",", ""),
        ),
        library=LibraryRules(
            classes=frozenset({types.CLASS}),
            collections=collections.COLLECTIONS,
            holders=collections.HOLDERS,
            conforms=collections.CONFORMS,
            names_of_modules=outside_names.NAMES_OF_MODULES,
            protocols={Op.Item: ("self.subscript()",)},
        ),
    ),
)
