"""C#: https://learn.microsoft.com/dotnet/csharp/language-reference/specifications."""

from __future__ import annotations

import re

from leadline_tools.languages import access, lexing, reach
from leadline_tools.languages.c import conditions as c_conditions
from leadline_tools.languages.csharp import collections, imports, outline, scopes, source, types
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields, text
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules, no_module
from leadline_tools.languages.rules.imports import ImportRules
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
from leadline_tools.languages.terms import Op
from leadline_tools.model import Role, SymbolKind

_METHOD = Defines(
    SymbolKind.Method,
    explicit=outline.find_explicit_interface,
    parameters=outline.list_parameter_names,
    type=lambda node: node.child_by_field_name("returns"),
    takes=types.spell_parameters,
    amends=types.spell_extended_type,
    inner=outline.is_static,
)
_FIELDS = Defines(
    outline.classify_field,
    name=outline.list_variables,
    body=fields(),
    type=outline.find_declared_type,
    made=scopes.bind_variables,
    inner=outline.is_static,
    repeats=True,  # in the branches of a condition
)
_TYPED = (
    "parameter parameter_list variable_declaration property_declaration indexer_declaration event_declaration"
    " delegate_declaration cast_expression declaration_pattern recursive_pattern type_pattern constant_pattern"
    " nullable_type array_type ref_type foreach_statement catch_declaration declaration_expression"
    " local_function_statement operator_declaration conversion_operator_declaration typeof_expression"
    " default_expression primary_constructor_base_type"
).split()

_KEYWORDS = frozenset(
    (
        "abstract as base bool break byte case catch char checked class const continue decimal default delegate do "
        "double else enum event explicit extern false finally fixed float for foreach goto if implicit in int "
        "interface internal is lock long namespace new null object operator out override params private protected "
        "public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true "
        "try typeof uint ulong unchecked unsafe ushort using virtual void volatile while"
    ).split()
)

_BUILTIN_TYPES = frozenset(
    "bool byte char decimal double float int long object sbyte short string uint ulong ushort void".split()
)

_PATTERN = Binds(fields("name"), type=outline.find_declared_type, made=scopes.bind_pattern, onward=True, rebinds=True)
"""A pattern; each section of a ``switch`` has variables of its own."""

LANGUAGE = Language(
    name="csharp",
    grammar=("tree_sitter_c_sharp", "language"),
    files=FileRules(
        extensions=(".cs", ".csx"),
        module=no_module,
        main=("Main",),
    ),
    outline=OutlineRules(
        definitions={
            "namespace_declaration": Defines(SymbolKind.Namespace, spell=outline.join_name),
            "file_scoped_namespace_declaration": Defines(
                SymbolKind.Namespace, spell=outline.join_name, body=fields(), rest=True
            ),
            "class_declaration": Defines(
                SymbolKind.Class, bases=types.spell_bases, generics=outline.list_type_parameters
            ),
            "struct_declaration": Defines(
                SymbolKind.Struct, bases=types.spell_bases, generics=outline.list_type_parameters
            ),
            "interface_declaration": Defines(
                SymbolKind.Interface, bases=types.spell_bases, generics=outline.list_type_parameters
            ),
            "record_declaration": Defines(
                outline.classify_record,
                head=outline.list_primary_parameters,
                bases=types.spell_bases,
                generics=outline.list_type_parameters,
            ),
            "parameter": Defines(outline.classify_parameter, body=fields(), type=outline.find_declared_type),
            "enum_declaration": Defines(SymbolKind.Enum),
            "enum_member_declaration": Defines(SymbolKind.EnumMember, body=fields(), type=outline.find_enumeration),
            "field_declaration": _FIELDS,
            "event_field_declaration": Defines(
                SymbolKind.Event,
                name=outline.list_variables,
                body=fields(),
                type=outline.find_declared_type,
                repeats=True,
            ),
            "event_declaration": Defines(
                SymbolKind.Event,
                body=fields("accessors"),
                type=outline.find_declared_type,
                explicit=outline.find_explicit_interface,
            ),
            "property_declaration": Defines(
                SymbolKind.Property,
                repeats=True,
                body=outline.list_bodies,
                type=outline.find_declared_type,
                inner=outline.is_static,
                explicit=outline.find_explicit_interface,
            ),
            "indexer_declaration": Defines(
                SymbolKind.Property,
                name=outline.find_token("this"),
                body=outline.list_bodies,
                type=outline.find_declared_type,
                explicit=outline.find_explicit_interface,
            ),
            "delegate_declaration": Defines(
                SymbolKind.Class,
                body=fields(),
                parameters=outline.list_parameter_names,
                bases=types.spell_delegate_bases,
                generics=outline.list_type_parameters,
            ),
            "constructor_declaration": Defines(SymbolKind.Constructor, parameters=outline.list_parameter_names),
            "destructor_declaration": Defines(
                SymbolKind.Method, parameters=outline.list_parameter_names, spell=lambda name: f"~{text(name)}"
            ),
            "operator_declaration": Defines(
                SymbolKind.Operator,
                name=outline.list_operator,
                parameters=outline.list_parameter_names,
                spell=lambda name: f"operator{text(name)}",
            ),
            "conversion_operator_declaration": Defines(
                SymbolKind.Operator,
                name=outline.list_conversion,
                parameters=outline.list_parameter_names,
                spell=outline.spell_conversion,
            ),
            "method_declaration": _METHOD,
            "local_function_statement": Defines(
                SymbolKind.Function,
                parameters=outline.list_parameter_names,
                type=outline.find_declared_type,
                takes=types.spell_parameters,
            ),
        },
        through=frozenset("preproc_if preproc_elif preproc_else global_statement declaration_list ERROR".split()),
        decorations=frozenset({"attribute_list"}),
    ),
    names=NameRules(
        called_by_language=frozenset({"Equals", "GetHashCode", "ToString"}).__contains__,
        is_private=access.is_private_csharp,
        keywords=_KEYWORDS,
        reach=reach.private,
    ),
    source=SourceRules(
        directive=re.compile(rb"^[ \t]*#[ \t]*(?:if|elif|else|endif)\b", re.MULTILINE),
        select=source.select_branches,
        lexis=lexing.CSHARP,
        bodies=outline.find_skipped_bodies,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            file_local=lambda _name: True,  # what top-level statements declare
            members_before_parameters=True,
            identifiers=frozenset({"identifier", "implicit_parameter"}),
            opens={
                "namespace_declaration": ScopeKind.Namespace,
                "class_declaration": ScopeKind.Class,
                "struct_declaration": ScopeKind.Class,
                "interface_declaration": ScopeKind.Class,
                "record_declaration": ScopeKind.Class,
                "enum_declaration": ScopeKind.Class,
                "method_declaration": ScopeKind.Function,
                "constructor_declaration": ScopeKind.Function,
                "destructor_declaration": ScopeKind.Function,
                "operator_declaration": ScopeKind.Function,
                "conversion_operator_declaration": ScopeKind.Function,
                "local_function_statement": ScopeKind.Function,
                "indexer_declaration": ScopeKind.Function,
                "accessor_declaration": ScopeKind.Function,
                "lambda_expression": ScopeKind.Function,
                "anonymous_method_expression": ScopeKind.Function,
                "delegate_declaration": ScopeKind.Block,
                "block": ScopeKind.Block,
                "for_statement": ScopeKind.Block,
                "foreach_statement": ScopeKind.Block,
                "using_statement": ScopeKind.Block,
                "fixed_statement": ScopeKind.Block,
                "catch_clause": ScopeKind.Block,
                "switch_body": ScopeKind.Block,
                "switch_expression_arm": ScopeKind.Block,
                "query_expression": ScopeKind.Block,
                "tuple_type": lambda node: ScopeKind.Class if types.has_named_elements(node) else ScopeKind.Block,
            },
            binds={
                "parameter": Binds(fields("name"), type=outline.find_declared_type),
                "parameter_list": Binds(fields("name"), type=outline.find_declared_type),
                "lambda_expression": Binds(fields("parameters"), made=scopes.bind_lambda_parameters),
                "accessor_declaration": Binds(scopes.list_setter_value, type=scopes.find_accessor_type),
                "variable_declaration": Binds(
                    outline.list_variables, type=outline.find_declared_type, made=scopes.bind_variables
                ),
                "foreach_statement": Binds(
                    fields("left"), type=outline.find_declared_type, made=scopes.bind_loop_variables, around=True
                ),
                "catch_declaration": Binds(fields("name"), type=outline.find_declared_type),
                "declaration_pattern": _PATTERN,
                "recursive_pattern": _PATTERN,
                "var_pattern": _PATTERN,
                "declaration_expression": Binds(
                    scopes.list_declared_names,
                    type=outline.find_declared_type,
                    made=scopes.bind_declaration_expression,
                    reads=scopes.list_operands,
                ),
                "tuple_element": Binds(fields("name"), type=outline.find_declared_type, reads=fields("name")),
                "tuple_pattern": Binds(fields("name")),
                "from_clause": Binds(fields("name"), type=outline.find_declared_type, made=types.bind_range),
                "let_clause": Binds(lambda node: node.named_children[:1], made=types.bind_let),
                "join_clause": Binds(lambda node: node.named_children[:1], made=types.bind_range),
                "join_into_clause": Binds(lambda node: node.named_children[:1]),
                "query_expression": Binds(scopes.list_continuation_names),
                "type_parameter": Binds(fields("name"), made=scopes.bind_type_parameter, types=True),
            },
            types_apart=True,
            same_named=frozenset({"object_creation_expression", "constant_pattern"}),
            this=frozenset({"this"}),
            above=frozenset({"base"}),
            implied=frozenset({"value"}),
            generic=frozenset({"generic_name"}),
            opaque=frozenset({"element_access_expression", "invocation_expression"}),
            outside={("foreach_statement", "right"): lambda _value: True},
        ),
        uses=UseRules(
            members={
                "member_access_expression": ("expression", "name"),
                "qualified_name": ("qualifier", "name"),
                "conditional_access_expression": scopes.split_conditional_access,
            },
            roles={
                ("invocation_expression", "function"): Role.Call,
                ("object_creation_expression", "type"): Role.Call,
                ("base_list", ""): Role.Inherit,
                ("argument_list", ""): Role.Read,
                ("type_argument_list", ""): Role.Type,
                ("attribute", "name"): Role.Decorator,
                ("attribute_argument_list", ""): Role.Read,
                ("assignment_expression", "left"): Role.Write,
                ("assignment_expression", "right"): Role.Read,
                ("method_declaration", "returns"): Role.Type,
                ("explicit_interface_specifier", ""): Role.Type,
                ("type_parameter_constraint", "type"): Role.Type,
                ("is_expression", "right"): Role.Type,
                ("as_expression", "right"): Role.Type,
                **{(kind, "type"): Role.Type for kind in _TYPED},
            },
            anonymous_keys=True,
            shorthands_in={
                "anonymous_object_creation_expression": scopes.is_key_at_once,
                "member_access_expression": scopes.is_named_key,
            },
            key_sign=" = ",
            literal_keys={
                "anonymous_object_creation_expression": scopes.bind_anonymous_members,
                "attribute": scopes.bind_attribute_properties,
                "initializer_expression": scopes.bind_initialized_members,
                "recursive_pattern": scopes.bind_pattern_properties,
                "with_expression": scopes.bind_changed_members,
            },
            endings={Role.Decorator: "Attribute"},
            keys=frozenset({("argument", "name"), ("attribute_argument", "name"), ("subpattern", "")}),
        ),
        imports=ImportRules(
            statements={"using_directive": imports.read_using},
            locate=imports.locate_namespace,
            siblings=imports.list_nearby_files,
            keeps_imports=True,
            imports_members=True,
            names_types_alone=True,
            owner_in_import=imports.find_owner,
        ),
        visibility=VisibilityRules(
            has_open_namespaces=True,
            has_partial_types=True,
            is_closed=True,
            declares_everything=True,
            builtin_types=_BUILTIN_TYPES | {types.REFLECTED},
        ),
        types=TypeRules(
            wrappers=frozenset({"Nullable", "Task", "ValueTask"}),
            unwraps=frozenset({"Result", "Value"}),
            keyed_types={"IGrouping": "", "ILookup": "IGrouping", "Lookup": "IGrouping"},
            pair_types=frozenset(
                {
                    "Dictionary",
                    "IDictionary",
                    "IReadOnlyDictionary",
                    "SortedDictionary",
                    "ConcurrentDictionary",
                    "SortedList",
                }
            ),
            anonymous={"tuple_type": types.spell_tuple_bases},
            has_type_literals=True,
            terms=types.TERMS,
            by_arity=True,
        ),
        members=MemberRules(
            explicit=True,
            interfaces_apart=True,
            has_extensions=True,
            extensions_are_called=True,
            extensions_by_namespace=True,
        ),
        calls=CallRules(
            has_overloads=True,
            joins_overloads=True,
            nearest_overloads=True,
            converts=b"implicit operator",
            argument_sign=":",
            type_parameters=outline.spell_type_parameters,
            constructs={
                "constructor_initializer": scopes.bind_delegated_constructor,
                "implicit_object_creation_expression": scopes.bind_creation,
            },
            constructor_keywords=frozenset({"this", "base", "new"}),
            implicit_calls={"initializer_expression": scopes.read_added_elements},
            implicit_call_tokens=scopes.list_signs,
            signs_behind_types=frozenset({"{"}),
            arguments={"argument": lambda node: node.child_by_field_name("name")},
        ),
        library=LibraryRules(
            function_types=frozenset({"Action", "Comparison", "Converter", "EventHandler", "Func", "Predicate"}),
            parts="this.Deconstruct%{0}",
            protocols={Op.Item: ("this.this",)},
            collections=collections.COLLECTIONS,
        ),
        macros=MacroRules(
            conditions=c_conditions.RULES,
            conditional_types=True,
        ),
    ),
)
