"""Kotlin: https://kotlinlang.org/spec/kotlin-spec.html."""

from __future__ import annotations

from leadline_tools.languages import hidden_types, jvm_names, lexing, reach, terms
from leadline_tools.languages.kotlin import (
    collections,
    expected_functions,
    imports,
    labels,
    narrowing,
    operators,
    outline,
    scopes,
    source,
    targets,
    types,
)
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import children_of_type, fields
from leadline_tools.languages.rules.calls import CallRules, Labels
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
from leadline_tools.languages.rules.visibility import TargetRules, VisibilityRules
from leadline_tools.languages.terms import Op
from leadline_tools.model import Role, SymbolKind

_KEYWORDS = frozenset(
    (
        "_ as break class continue do else false for fun if in interface is null object package return super this "
        "throw true try typealias typeof val var when while"
    ).split()
)

LANGUAGE = Language(
    name="kotlin",
    grammar=("tree_sitter_kotlin", "language"),
    files=FileRules(
        extensions=(".kt", ".kts"),
        module=module_of_folder,
        main=("main",),
    ),
    outline=OutlineRules(
        definitions={
            "package_header": Defines(
                SymbolKind.Package,
                name=children_of_type("qualified_identifier"),
                body=fields(),
                spell=imports.join_name,
            ),
            "class_declaration": Defines(
                outline.classify_class,
                body=children_of_type("class_body", "enum_class_body"),
                head=outline.list_class_parameters,
                bases=types.spell_bases,
                generics=outline.list_type_parameters,
                takes=types.spell_constructor_parameters,
            ),
            "infix_expression": Defines(
                lambda node: SymbolKind.Class if outline.list_annotation_class_name(node) else None,
                name=outline.list_annotation_class_name,
                body=fields(),
            ),
            "class_parameter": Defines(
                outline.classify_parameter,
                name=outline.list_name,
                body=fields(),
                type=outline.find_parameter_type,
                made=types.bind_variadic,
            ),
            "object_declaration": Defines(
                SymbolKind.Object, body=children_of_type("class_body"), bases=types.spell_bases
            ),
            "companion_object": Defines(
                SymbolKind.Object,
                body=children_of_type("class_body"),
                emits=lambda node: bool(node.child_by_field_name("name")),
                bases=types.spell_bases,
                inner=lambda _node: True,
            ),
            "enum_entry": Defines(
                SymbolKind.EnumMember,
                name=outline.list_name,
                body=children_of_type("class_body"),
                type=outline.find_constant_type,
                bases=types.spell_constant_bases,
            ),
            "function_declaration": Defines(
                SymbolKind.Function,
                member=SymbolKind.Method,
                body=children_of_type("function_body"),
                parameters=outline.list_parameter_names,
                type=outline.find_result_type,
                made=types.bind_result,
                amends=types.spell_receiver,
                extends=outline.spell_receiver,
                takes=types.spell_parameters,
                of_type=outline.is_of_companion,
            ),
            "secondary_constructor": Defines(
                SymbolKind.Constructor,
                name=outline.list_constructor_keyword,
                body=children_of_type("block"),
                parameters=outline.list_parameter_names,
            ),
            "property_declaration": Defines(
                outline.classify_property,
                member=SymbolKind.Property,
                name=outline.list_property_names,
                body=fields(),
                type=outline.find_property_type,
                made=scopes.bind_property,
                amends=types.spell_receiver,
                extends=outline.spell_receiver,
                of_type=outline.is_of_companion,
            ),
            "type_alias": Defines(
                SymbolKind.Class,
                name=fields("type"),
                body=fields(),
                type=outline.find_type,
                generics=outline.list_type_parameters,
            ),
        },
        through=frozenset({"block", "ERROR"}),
        wrappers=frozenset({"annotated_expression"}),
        decorations=frozenset({"annotation"}),
        comments=frozenset({"line_comment", "block_comment"}),
    ),
    names=NameRules(
        called_by_language=frozenset({"compareTo", "equals", "hashCode", "toString"}).__contains__,
        keywords=_KEYWORDS,
        reach=reach.private,
    ),
    source=SourceRules(
        lexis=lexing.KOTLIN,
        mask=source.mask_source,
    ),
    relatives="java",
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"identifier"}),
            sees_parameters_first=True,
            sees_outer_members=True,
            opens={
                "class_declaration": ScopeKind.Class,
                "object_declaration": ScopeKind.Class,
                "companion_object": ScopeKind.Class,
                "object_literal": ScopeKind.Class,
                "enum_entry": ScopeKind.Class,
                "function_declaration": outline.find_member_scope,
                "anonymous_function": ScopeKind.Function,
                "secondary_constructor": ScopeKind.Function,
                "anonymous_initializer": ScopeKind.Block,
                "getter": outline.find_member_scope,
                "setter": outline.find_member_scope,
                "annotated_lambda": ScopeKind.Block,
                "value_argument": scopes.classify_argument,
                "lambda_literal": ScopeKind.Detached,
                "block": ScopeKind.Block,
                "for_statement": ScopeKind.Block,
                "catch_block": ScopeKind.Block,
                "when_expression": ScopeKind.Block,
                "type_alias": ScopeKind.Block,
            },
            binds={
                "explicit_delegation": Binds(lambda _node: (), reads=scopes.list_delegates),
                "parameter": Binds(outline.list_name, type=outline.find_parameter_type, made=types.bind_variadic),
                "class_parameter": Binds(outline.list_name, type=outline.find_parameter_type, made=types.bind_variadic),
                "lambda_literal": Binds(scopes.list_lambda_names, made=scopes.bind_lambda_parameters, around=True),
                "setter": Binds(outline.list_name),
                "property_declaration": Binds(
                    scopes.list_variables, type=scopes.find_variable_type, made=scopes.bind_property, after=True
                ),
                "variable_declaration": Binds(
                    outline.list_name, type=outline.find_type, made=scopes.bind_variable, around=True
                ),
                "catch_block": Binds(outline.list_name, type=outline.find_type),
                "type_parameter": Binds(outline.list_name, made=types.bind_type_parameter, types=True),
                "infix_expression": Binds(fields(), calls=operators.list_infix_name),
            },
            this=frozenset({"this"}),
            above=frozenset({"super"}),
            implied=frozenset({"it"}),
            types_apart=True,
            generic=frozenset({"unary_expression"}),
            opaque=frozenset({"index_expression"}),
            outside={("for_statement", ""): scopes.is_iterated},
        ),
        uses=UseRules(
            members={
                "navigation_expression": scopes.split_navigation,
                "user_type": children_of_type("identifier"),
                "qualified_identifier": children_of_type("identifier"),
                "value_argument": scopes.split_argument,
            },
            roles={
                ("call_expression", ""): Role.Call,
                ("user_type", ""): Role.Type,
                ("annotation", ""): Role.Decorator,
                ("file_annotation", ""): Role.Decorator,
                ("delegation_specifier", ""): Role.Inherit,
                ("value_arguments", ""): Role.Read,
                ("assignment", "left"): Role.Write,
            },
            literal_keys={"infix_expression": operators.bind_infix_function},
            texts={
                "string_literal": scopes.read_template_names,
                "multiline_string_literal": scopes.read_template_names,
            },
            keys=frozenset({("return_expression", "label"), ("package_header", ""), ("labeled_expression", "")}),
        ),
        imports=ImportRules(
            statements={"import": imports.read_import},
            exports=imports.read_package,
            packages=lambda module, _own: (module,),
            explicit_first=True,
            keeps_imports=True,
            imports_members=True,
            locate=imports.locate_package,
            siblings=imports.list_package_files,
            facade=imports.name_facade,
        ),
        visibility=VisibilityRules(
            file_private=outline.is_private_head,
            targets=TargetRules(
                words=targets.WORDS,
                has_counterparts=targets.has_counterparts,
                are_apart=targets.are_apart,
                nearness=targets.nearness,
            ),
        ),
        types=TypeRules(
            terms=types.TERMS,
            pair_types=collections.PAIRED,
            returns={"return_expression": terms.same()},
            narrows_branches=narrowing.BRANCHES,
            anonymous={"object_literal": types.spell_bases},
            received={
                "annotated_lambda": scopes.spell_lambda_bases,
                "lambda_literal": expected_functions.spell_own_receiver,
                "value_argument": scopes.spell_lambda_bases,
            },
        ),
        members=MemberRules(
            has_extensions=True,
            extension_packages=imports.DEFAULT_PACKAGES,
            companions=True,
            companion="Companion",
            other_names=jvm_names.KOTLIN,
            hidden=hidden_types.kotlin,
            statics_apart=True,
        ),
        calls=CallRules(
            has_overloads=True,
            joins_overloads=True,
            argument_sign="=",
            built_in_types=types.BUILT_IN,
            functions_apart=True,
            functions_take_receivers=True,
            block_is_argument=True,
            inherits_overloads=True,
            implicit_calls={
                "assignment": operators.read_assignment_sign,
                "binary_expression": operators.read_binary_sign,
                "call_expression": operators.read_invocation_sign,
                "constructor_delegation_call": operators.read_constructor_call,
                "for_statement": operators.read_loop_sign,
                "in_expression": operators.read_containment_sign,
                "range_test": operators.read_containment_sign,
                "index_expression": operators.read_index_sign,
                "multi_variable_declaration": operators.read_destructuring_sign,
                "property_delegate": operators.read_delegate_sign,
                "range_expression": operators.read_binary_sign,
                "unary_expression": operators.read_unary_sign,
            },
            implicit_call_tokens=operators.list_signs,
            labels=Labels(
                labels.read_parameters,
                labels.read_arguments,
                labels.accepts_arguments,
                operators.CONSTRUCTOR,
            ),
            copies=frozenset({"copy"}),
            arguments={"value_argument": lambda node: next(iter(scopes.split_argument(node)[1:]), None)},
        ),
        library=LibraryRules(
            collections=collections.COLLECTIONS,
            members_of_heirs=collections.MEMBERS_OF_HEIRS,
            members_of_heirs_objects=collections.MEMBERS_OF_CONSTANTS,
            standard_types=frozenset({*collections.MEMBERS_OF_HEIRS, *types.BASES}),
            holders=collections.HOLDERS,
            common=collections.COMMON,
            conforms=types.BASES,
            protocols={Op.Item: ("this.get()",)},
            parts="this.component{1}()",
        ),
    ),
)
