"""Java: https://docs.oracle.com/javase/specs/."""

from __future__ import annotations

import re

from leadline_tools.languages import access, hidden_types, jvm_names, lexing
from leadline_tools.languages.java import imports, library, outline, patterns, scopes, types
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules, module_of_folder
from leadline_tools.languages.rules.imports import Imported, ImportRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.languages.terms import Op
from leadline_tools.model import Role, SymbolKind

_PARAMETERS = fields("parameters")
_CALLABLE = Defines(SymbolKind.Method, parameters=_PARAMETERS, type=types.find_type, takes=types.spell_parameters)
_CONSTRUCTOR = Defines(SymbolKind.Constructor, parameters=_PARAMETERS)
_FIELDS = Defines(
    outline.classify_field,
    name=outline.list_declared_names,
    body=outline.list_blocks_with_types,
    type=types.find_type,
    made=types.bind_declared,
    repeats=True,
)

_BLOCK = Defines(SymbolKind.Function, name=fields(), body=outline.list_statements, emits=False, apart=True)
"""What may declare a type that only it sees."""

_KEYWORDS = frozenset(
    (
        "_ abstract assert boolean break byte case catch char class const continue default do double else enum "
        "extends false final finally float for goto if implements import instanceof int interface long native new "
        "null package private protected public return short static strictfp super switch synchronized this throw "
        "throws transient true try void volatile while"
    ).split()
)

_ACCESSORS = frozenset({"Accessors", "Builder", "Data", "Getter", "Setter", "SuperBuilder", "Value", "With"})
"""The annotations of https://projectlombok.org/features/ that may add methods called like a field."""

LANGUAGE = Language(
    name="java",
    grammar=("tree_sitter_java", "language"),
    files=FileRules(
        extensions=(".java",),
        module=module_of_folder,
        main=("main",),
    ),
    outline=OutlineRules(
        definitions={
            "module_declaration": Defines(SymbolKind.Module),
            "class_declaration": Defines(
                SymbolKind.Class, bases=types.spell_bases, generics=types.list_type_parameters
            ),
            "record_declaration": Defines(
                SymbolKind.Class,
                head=_PARAMETERS,
                bases=types.spell_bases,
                generics=types.list_type_parameters,
                takes=types.spell_parameters,
            ),
            "formal_parameter": Defines(  # of a record, whose accessor it declares too: others are not entered
                SymbolKind.Field, body=fields(), type=types.find_type, getter=lambda _node: True
            ),
            "interface_declaration": Defines(
                SymbolKind.Interface, bases=types.spell_bases, generics=types.list_type_parameters
            ),
            "annotation_type_declaration": Defines(SymbolKind.Interface, bases=types.spell_bases),
            "enum_declaration": Defines(SymbolKind.Enum, bases=types.spell_bases),
            "enum_constant": Defines(
                SymbolKind.EnumMember, type=types.find_enumeration, bases=types.spell_constant_bases
            ),
            "method_declaration": _CALLABLE,
            "annotation_type_element_declaration": Defines(
                SymbolKind.Method, parameters=fields(), body=fields(), type=types.find_type
            ),
            "block": _BLOCK,
            "lambda_expression": _BLOCK,
            "constructor_declaration": _CONSTRUCTOR,
            "compact_constructor_declaration": _CONSTRUCTOR,
            "field_declaration": _FIELDS,
            "constant_declaration": Defines(
                SymbolKind.Constant,
                name=outline.list_declared_names,
                body=fields(),
                type=types.find_type,
                made=types.bind_declared,
            ),
        },
        through=outline.HOLDERS | {"enum_body_declarations"},
        decorations=frozenset({"annotation", "marker_annotation"}),
        comments=frozenset({"block_comment", "line_comment"}),
    ),
    names=NameRules(
        called_by_language=frozenset({"compareTo", "equals", "finalize", "hashCode", "toString"}).__contains__,
        is_private=access.is_private_java,
        file_named_after_type=True,
        keywords=_KEYWORDS,
        reach=outline.find_reach,
        identifier=re.compile(r"(?:[^\W\d]|\$)[\w$]*"),
    ),
    source=SourceRules(
        lexis=lexing.JAVA,
        bodies=outline.find_skipped_bodies,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"identifier", "type_identifier"}),
            type_identifiers=frozenset({"type_identifier"}),
            opens={
                "class_declaration": ScopeKind.Block,
                "record_declaration": ScopeKind.Block,
                "interface_declaration": ScopeKind.Block,
                "class_body": ScopeKind.Class,
                "interface_body": ScopeKind.Class,
                "annotation_type_body": ScopeKind.Class,
                "enum_body": ScopeKind.Class,
                "method_declaration": ScopeKind.Function,
                "constructor_declaration": ScopeKind.Function,
                "compact_constructor_declaration": ScopeKind.Function,
                "lambda_expression": ScopeKind.Function,
                "block": ScopeKind.Block,
                "constructor_body": ScopeKind.Block,
                "for_statement": ScopeKind.Block,
                "enhanced_for_statement": ScopeKind.Block,
                "try_with_resources_statement": ScopeKind.Block,
                "catch_clause": ScopeKind.Block,
                "switch_block": ScopeKind.Block,
                "switch_rule": ScopeKind.Block,
                "switch_block_statement_group": ScopeKind.Block,
                "if_statement": patterns.open_statement,
                "while_statement": patterns.open_statement,
                "binary_expression": patterns.open_expression,
                "unary_expression": patterns.open_expression,
                "ternary_expression": patterns.open_expression,
                "instanceof_expression": patterns.open_expression,
            },
            binds={
                "formal_parameter": Binds(fields("name"), type=types.find_type),
                "spread_parameter": Binds(scopes.list_variadic_names, made=types.bind_variadic),
                "catch_formal_parameter": Binds(fields("name"), made=types.bind_caught),
                "lambda_expression": Binds(scopes.list_inferred_parameters, made=types.bind_lambda_parameters),
                "local_variable_declaration": Binds(
                    outline.list_declared_names, type=types.find_type, made=types.bind_declared, onward=True
                ),
                "field_declaration": Binds(outline.list_declared_names, type=types.find_type, made=types.bind_declared),
                "enhanced_for_statement": Binds(
                    fields("name"), type=types.find_type, made=types.bind_each, around=True
                ),
                "resource": Binds(fields("name"), type=types.find_type, made=types.bind_declared),
                "instanceof_expression": Binds(
                    fields("name"), type=types.find_instance_type, onward=True, rebinds=True
                ),
                "type_pattern": Binds(
                    scopes.select_last_child("identifier"), type=types.find_first_type, onward=True, rebinds=True
                ),
                "record_pattern_component": Binds(
                    scopes.select_last_child("identifier"),
                    type=types.find_first_type,
                    made=types.bind_component,
                    onward=True,
                    rebinds=True,
                ),
                "type_parameter": Binds(scopes.find_type_parameter, made=types.bind_type_parameter, types=True),
            },
            this=frozenset({"this"}),
            seen_in_heads="Record",
            types_apart=True,
            names_type=scopes.names_type,
            generic=frozenset({"generic_type"}),
            opaque=frozenset({"array_access"}),
            outside={
                (statement, branch): patterns.runs_unmatched
                for statement in ("if_statement", "ternary_expression")
                for branch in ("consequence", "alternative")
            }
            | {("enhanced_for_statement", "value"): lambda _value: True},
        ),
        uses=UseRules(
            members={
                "method_invocation": ("object", "name"),
                "field_access": ("object", "field"),
                "scoped_identifier": ("scope", "name"),
                "scoped_type_identifier": scopes.split_member,
                "method_reference": scopes.split_member,
            },
            roles={
                ("method_invocation", "name"): Role.Call,
                ("method_invocation", "arguments"): Role.Read,
                ("object_creation_expression", "type"): Role.Call,
                ("object_creation_expression", "arguments"): Role.Read,
                ("class_declaration", "superclass"): Role.Inherit,
                ("class_declaration", "interfaces"): Role.Inherit,
                ("record_declaration", "interfaces"): Role.Inherit,
                ("enum_declaration", "interfaces"): Role.Inherit,
                ("extends_interfaces", ""): Role.Inherit,
                ("type_arguments", ""): Role.Type,
                ("marker_annotation", "name"): Role.Decorator,
                ("annotation", "name"): Role.Decorator,
                ("annotation", "arguments"): Role.Read,
                ("assignment_expression", "left"): Role.Write,
                ("update_expression", ""): Role.Write,
                ("element_value_pair", "key"): Role.Other,
            },
            literal_keys={
                "switch_label": types.bind_switch_labels,
                "annotation": types.bind_annotation_elements,
                "object_creation_expression": types.bind_inner_type,
            },
            keys=frozenset(
                {
                    ("package_declaration", ""),
                    ("labeled_statement", ""),
                    ("break_statement", ""),
                    ("continue_statement", ""),
                }
            ),
        ),
        imports=ImportRules(
            statements={"import_declaration": imports.read_import},
            exports=imports.read_package,
            ambient=(Imported("java.lang", "*", ""),),
            imports_members=True,
            keeps_imports=True,
            package_first=True,
            locate=imports.locate_package,
            siblings=imports.list_siblings,
            shares_packages=True,
        ),
        visibility=VisibilityRules(
            is_closed=True,
            types_need_import=True,
        ),
        types=TypeRules(
            terms=types.TERMS,
            anonymous={"class_body": types.spell_anonymous_bases},
            has_type_literals=True,
        ),
        members=MemberRules(
            hidden=hidden_types.java,
            root_type="Object",
            adds_accessors=_ACCESSORS,
            may_be_lambda=lambda head: "sealed" not in head.split(),
            other_names=jvm_names.JAVA,
            adds_methods=frozenset({"ExtensionMethod"}),
        ),
        calls=CallRules(
            has_overloads=True,
            types_tell_overrides=True,
            joins_overloads=True,
            constructs={"explicit_constructor_invocation": types.bind_delegated_constructor},
            constructor_keywords=frozenset({"this", "super"}),
            calls_apart=True,
            fields_apart=True,
        ),
        library=LibraryRules(
            collections=library.COLLECTIONS,
            holders=library.HOLDERS,
            standard=library.STANDARD,
            callables=library.FUNCTIONS,
            protocols={Op.Each: ("this.iterator().next()",)},
            members_of_heirs={"Enum": {"valueOf": "!<this#0>", "values": "!<[]<this#0>>"}},
            members_of_types=frozenset({"valueOf", "values"}),  # of each enumeration
        ),
    ),
)
