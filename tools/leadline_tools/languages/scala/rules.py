"""Scala: https://docs.scala-lang.org/scala3/reference/, and https://scala-lang.org/files/archive/spec/2.13/."""

from __future__ import annotations

import re
from functools import partial

from leadline_tools.languages import hidden_types, lexing, reach, terms
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
from leadline_tools.languages.scala import collections, functions, imports, outline, scopes, types
from leadline_tools.languages.scala import prelude as scala_prelude
from leadline_tools.model import Role, SymbolKind

_HEAD = fields("class_parameters")
_define_type = partial(
    Defines,
    head=_HEAD,
    bases=types.spell_bases,
    generics=types.list_type_parameters,
    of_type=outline.is_of_companion,
)
_VAL = Defines(
    SymbolKind.Constant,
    member=SymbolKind.Property,
    name=outline.list_declared_names,
    body=fields(),
    type=types.find_type,
    made=types.bind_value,
    of_type=outline.is_of_companion,
)
_VAR = Defines(
    SymbolKind.Variable,
    member=SymbolKind.Property,
    name=outline.list_declared_names,
    body=fields(),
    type=types.find_type,
    made=types.bind_value,
    of_type=outline.is_of_companion,
)
_DEF = Defines(
    outline.classify_function,
    member=SymbolKind.Method,
    parameters=outline.list_parameters,
    type=types.find_result,
    made=types.bind_result,
    getter=outline.is_getter,
    amends=types.spell_extended_type,
    of_type=outline.is_of_companion,
)

_KEYWORDS = frozenset(
    (
        "_ abstract case catch class def do else enum export extends false final finally for forSome given if "
        "implicit import lazy macro match new null object override package private protected return sealed super then "
        "this throw trait true try type val var while with yield"
    ).split()
)

LANGUAGE = Language(
    name="scala",
    grammar=("tree_sitter_scala", "language"),
    files=FileRules(
        extensions=(".scala", ".sc"),
        module=module_of_folder,
    ),
    outline=OutlineRules(
        definitions={
            "package_clause": Defines(SymbolKind.Package, spell=imports.name_package),
            "package_object": Defines(SymbolKind.Object, spell=imports.name_package_of_object, bases=types.spell_bases),
            "class_definition": _define_type(SymbolKind.Class, takes=types.spell_class_parameters),
            "trait_definition": _define_type(SymbolKind.Interface),
            "enum_definition": _define_type(SymbolKind.Enum),
            "object_definition": Defines(
                SymbolKind.Object,
                bases=types.spell_bases,
                of_type=outline.is_of_companion,
                is_twin=outline.is_companion,
            ),
            "given_definition": Defines(
                SymbolKind.Object,
                emits=lambda node: node.child_by_field_name("name") is not None,
                body=outline.list_given_bodies,
                bases=types.spell_given_bases,
            ),
            "extension_definition": Defines(
                SymbolKind.Function, name=fields(), body=outline.list_extension_bodies, emits=False
            ),
            "class_parameter": Defines(
                outline.classify_parameter, body=fields(), type=types.find_type, within=outline.classify_class_parameter
            ),
            "simple_enum_case": Defines(SymbolKind.EnumMember, body=fields(), type=outline.find_enumeration),
            "full_enum_case": Defines(SymbolKind.EnumMember, body=fields(), head=_HEAD, bases=types.spell_case_bases),
            "function_definition": _DEF,
            "function_declaration": _DEF,
            "val_definition": _VAL,
            "val_declaration": _VAL,
            "var_definition": _VAR,
            "var_declaration": _VAR,
            "type_definition": Defines(
                SymbolKind.Class,
                body=fields(),
                type=types.find_type,
                generics=types.list_type_parameters,
                of_type=outline.is_of_companion,
            ),
        },
        through=frozenset({"enum_case_definitions", "ERROR"}),
        decorations=frozenset({"annotation"}),
        comments=frozenset({"comment", "block_comment"}),
    ),
    names=NameRules(
        called_by_language=frozenset({"compareTo", "equals", "hashCode", "toString"}).__contains__,
        keywords=_KEYWORDS,
        reach=reach.private_member,
        identifier=re.compile(r"(?:[^\W\d]|\$)[\w$]*"),
    ),
    source=SourceRules(
        lexis=lexing.SCALA,
    ),
    relatives="java",
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"identifier", "type_identifier"}),
            type_identifiers=frozenset({"type_identifier"}),
            opens={
                "package_object": ScopeKind.Class,
                "class_definition": ScopeKind.Class,
                "trait_definition": ScopeKind.Class,
                "enum_definition": ScopeKind.Class,
                "object_definition": ScopeKind.Class,
                "given_definition": ScopeKind.Class,
                "full_enum_case": ScopeKind.Class,
                "template_body": ScopeKind.Class,
                "extension_definition": ScopeKind.Open,
                "function_definition": outline.find_member_scope,
                "function_declaration": outline.find_member_scope,
                "lambda_expression": ScopeKind.Function,
                "block": ScopeKind.Block,
                "indented_block": ScopeKind.Block,
                "case_clause": ScopeKind.Block,
                "for_expression": ScopeKind.Block,
                "type_definition": ScopeKind.Block,
            },
            binds={
                "parameter": Binds(fields("name"), type=types.find_type),
                "class_parameter": Binds(fields("name"), type=types.find_type),
                "binding": Binds(functions.list_typed_name, type=types.find_type),
                "lambda_expression": Binds(functions.list_untyped_names, made=functions.bind_lambda, around=True),
                "type_parameters": Binds(types.list_type_parameter_names, made=types.bind_bounds, types=True),
                "self_type": Binds(outline.select_children("identifier"), made=types.bind_self),
                "val_definition": Binds(outline.list_declared_names, type=types.find_type, made=types.bind_value),
                "var_definition": Binds(outline.list_declared_names, type=types.find_type, made=types.bind_value),
                "enumerator": Binds(scopes.list_generator_names, made=types.bind_generator, after=True),
                "case_clause": Binds(scopes.list_case_names, made=types.bind_case, around=True),
                "case_class_pattern": Binds(fields(), reads=fields("type")),  # what takes apart is an object or a value
                "infix_expression": Binds(fields(), calls=fields("operator")),
            },
            this=frozenset({"this"}),
            above=frozenset({"super"}),
            types_apart=True,
            namespaces_apart=True,
            opaque=frozenset({"call_expression"}),
            outside=dict.fromkeys(
                ((kind, "") for kind in scopes.HAVE_END_MARKERS), lambda child: child.type == "end_marker"
            ),
        ),
        uses=UseRules(
            members={
                "field_expression": ("value", "field"),
                "stable_identifier": lambda node: node.named_children,
                "stable_type_identifier": lambda node: node.named_children,
                "arguments": scopes.list_named_arguments,
            },
            roles={
                ("call_expression", "function"): Role.Call,
                ("generic_function", "function"): Role.Call,
                ("instance_expression", ""): Role.Call,
                ("extends_clause", "type"): Role.Inherit,
                ("annotation", "name"): Role.Decorator,
                ("assignment_expression", "left"): Role.Write,
                ("type_parameters", "name"): Role.Type,
                ("covariant_type_parameter", "name"): Role.Type,
                ("contravariant_type_parameter", "name"): Role.Type,
            },
            literal_keys={"infix_expression": types.bind_operator},
            member_signs=(b".", b"#"),
            keys=frozenset(
                {
                    ("infix_pattern", "operator"),
                    ("interpolated_string_expression", "interpolator"),
                    ("package_identifier", ""),
                    ("access_qualifier", ""),
                    ("projected_type", "selector"),
                }
            ),
            texts={"end_marker": scopes.read_end_marker},
        ),
        imports=ImportRules(
            statements={"import_declaration": imports.read_import},
            exports=imports.read_packages,
            packages=imports.list_possible_packages,
            wildcards_hide=True,
            keeps_imports=True,
            imports_members=True,
            packages_are_relative=True,
            locate=imports.locate_package,
            siblings=imports.list_siblings,
        ),
        visibility=VisibilityRules(
            prelude=scala_prelude.PRELUDE,
        ),
        types=TypeRules(
            terms=types.TERMS,
            returns={"return_expression": terms.same()},
            narrows_scope={"generic_function": types.narrow_by_instance},
            anonymous={
                "template_body": types.spell_anonymous_bases,
                "given_definition": types.spell_bases_without_name,
            },
            anonymous_declarations=frozenset({"given_definition"}),
            pair_types=collections.PAIRED,
        ),
        members=MemberRules(
            hidden=hidden_types.scala,
            type_keywords=frozenset({"type"}),
            has_extensions=True,
            converts_receivers=True,
            twins=True,
            statics_apart=True,
        ),
        calls=CallRules(
            joins_overloads=True,
            implicit_calls={
                "call_expression": types.find_apply_call,
                "field_expression": types.find_named_operator_call,
                "infix_expression": types.find_operator_call,
            },
            call_of_object=types.APPLY,
            implicit_call_tokens=lambda method: ("(",) if method == types.APPLY else (),
            copies=frozenset({"copy"}),
            arguments={"assignment_expression": scopes.find_argument_name},
        ),
        library=LibraryRules(collections=collections.COLLECTIONS, holders=collections.HOLDERS),
    ),
)
