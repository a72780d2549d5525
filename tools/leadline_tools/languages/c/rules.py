"""C: https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3220.pdf.

Macros are not expanded: what a macro hides is not seen, and what the grammar makes of one is taken as it stands.
"""

from __future__ import annotations

from collections.abc import Mapping

from leadline_tools.languages import access, lexing
from leadline_tools.languages.c import conditions as c_conditions
from leadline_tools.languages.c import declarations as c_declarations
from leadline_tools.languages.c import dialects, imports, outline, scopes, standard_names, types
from leadline_tools.languages.c import macro_declarations as c_macro_declarations
from leadline_tools.languages.c import macro_members as c_macro_members
from leadline_tools.languages.c import macros as c_macros
from leadline_tools.languages.c import source as c_source
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.rules.files import FileRules, no_module
from leadline_tools.languages.rules.imports import ImportRules
from leadline_tools.languages.rules.macros import MacroRules, PastingRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, Opens, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.model import Role, SymbolKind

DEFINITIONS = {
    "preproc_def": Defines(SymbolKind.Constant, body=fields(), inner=outline.is_macro, top=True, repeats=True),
    "preproc_function_def": Defines(
        SymbolKind.Function,
        body=fields("value"),
        parameters=outline.list_macro_parameters,
        inner=outline.is_macro,
        top=True,
    ),
    "function_definition": Defines(
        SymbolKind.Function,
        name=outline.list_names,
        parameters=outline.list_parameters,
        type=types.find_declared_type,
        inner=scopes.is_static,
        local=False,
    ),
    "declaration": Defines(
        outline.classify_declaration,
        parameters=outline.list_parameters,
        type=types.find_declared_type,
        beside=outline.list_beside,
        inner=scopes.is_static,
        extern=scopes.is_extern,
        local=False,
        repeats=True,
        at_once=outline.look_at_declaration,
    ),
    "field_declaration": Defines(
        SymbolKind.Field,
        type=types.find_declared_type,
        beside=outline.list_beside,
        repeats=True,
        at_once=outline.look_at_field,
    ),
    "type_definition": Defines(
        SymbolKind.Class,
        name=outline.list_names,
        body=outline.list_members,
        type=types.find_declared_type,
        beside=outline.list_beside,
        at_once=outline.look_at_type,
    ),
    "struct_specifier": outline.define_specifier(SymbolKind.Struct),
    "union_specifier": outline.define_specifier(SymbolKind.Struct),
    "enum_specifier": outline.define_specifier(SymbolKind.Enum),
    "enumerator": Defines(SymbolKind.EnumMember, body=fields(), escapes=True),
}
THROUGH: frozenset[str] = frozenset(
    "preproc_if preproc_ifdef preproc_elif preproc_elifdef preproc_else linkage_specification declaration_list"
    " ERROR".split()
)
JUMP_LABELS: frozenset[str] = frozenset({"statement_identifier"})
IDENTIFIERS: frozenset[str] = frozenset({"identifier", "field_identifier", "type_identifier"}) | JUMP_LABELS
SCOPES: Mapping[str, Opens] = {
    "function_definition": ScopeKind.Function,
    "function_declarator": ScopeKind.Block,
    "preproc_function_def": ScopeKind.Block,
    "preproc_def": scopes.open_macro_scope,
    "compound_statement": ScopeKind.Block,
    "for_statement": ScopeKind.Block,
    "field_declaration_list": ScopeKind.Class,
    "enumerator_list": ScopeKind.Open,
    "namespace_definition": ScopeKind.Namespace,
}
BINDS = {
    "function_definition": Binds(lambda node: outline.list_parameters(node) or ()),
    "parameter_declaration": Binds(outline.list_names, type=types.find_declared_type),
    "declaration": Binds(
        outline.list_names, type=types.find_declared_type, made=types.bind_deduced, extern=scopes.is_extern_in_block
    ),
    "labeled_statement": Binds(fields("label"), hoists=True),  # a label has the scope of its function: 6.2.1
    "preproc_params": Binds(lambda node: node.named_children),
}
MEMBERS = {"field_expression": ("argument", "field")}
ROLES = {
    ("call_expression", "function"): Role.Call,
    ("assignment_expression", "left"): Role.Write,
    ("update_expression", "argument"): Role.Write,
    ("attribute_specifier", ""): Role.Decorator,
    ("attribute_declaration", ""): Role.Decorator,
    ("attribute", "name"): Role.Decorator,
}
KEYS = frozenset({("field_designator", ""), ("offsetof_expression", "member")})
OPAQUE: frozenset[str] = frozenset({"subscript_expression", "pointer_expression", "call_expression"})

FILLS = {
    "declaration": types.bind_initialized,
    "field_declaration": types.bind_given_alone,
    "compound_literal_expression": types.bind_literal,
    "offsetof_expression": types.bind_offset,
}
TEXTS = {
    "preproc_def": scopes.read_macro_words,
    "preproc_function_def": scopes.read_macro_words,
    "preproc_call": scopes.read_undefined,
}
IMPORTS = {"preproc_include": imports.read_include}
MACROS = MacroRules(
    may_declare=c_macros.may_declare_by_macro,
    is_reserved=standard_names.is_reserved,
    pasted_names=c_macros.find_pasted_names,
    pasting=PastingRules(c_macros.find_pasting_macros, c_macros.find_macro_calls),
    conditions=c_conditions.RULES,
    entries=c_macro_declarations.entries,
    with_parameters=c_macro_declarations.find_macros_with_parameters,
    given_at=c_macro_declarations.given_at,
    receiver_of=c_macro_members.receiver_of,
    made_of=c_macro_declarations.made_of,
    opened_space=c_macros.space_opened,
    opening="namespace",
    opens_space=c_macros.opens_space,
)

_KEYWORDS = frozenset(
    (
        "_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local alignas "
        "alignof asm auto bool break case char const constexpr continue default do double else enum extern false "
        "float for goto if inline int long nullptr register restrict return short signed sizeof static static_assert "
        "struct switch thread_local true typedef typeof typeof_unqual union unsigned void volatile while"
    ).split()
)

LANGUAGE = Language(
    name="c",
    grammar=("tree_sitter_c", "language"),
    files=FileRules(
        extensions=(".c", ".h"),
        fragments=(".inc", ".def"),
        fragment=dialects.find_fragment_language,
        module=no_module,
        dialect=dialects.find_dialect,
        main=("main",),
    ),
    outline=OutlineRules(
        definitions=DEFINITIONS,
        through=THROUGH,
    ),
    names=NameRules(
        is_private=access.is_private_cpp,  # a header may be one of C++
        own_head=outline.find_head,
        keywords=_KEYWORDS,
        reach=scopes.find_reach,
    ),
    source=SourceRules(
        mask=c_source.mask_source,
        select=c_source.select_branches,
        bodies=c_declarations.bodies,
        directives=c_declarations.macros,
        textual=outline.has_only_words,
        besides_macros=outline.find_besides_macros,
        lexis=lexing.C,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=IDENTIFIERS,
            type_identifiers=frozenset({"type_identifier"}),
            opens=SCOPES,
            binds=BINDS,
            jump_labels=JUMP_LABELS,
            types_apart=True,
            names_type=scopes.names_type,
            opaque=OPAQUE,
        ),
        uses=UseRules(
            members=MEMBERS,
            roles=ROLES,
            literal_keys={
                **FILLS,
                **dict.fromkeys(("struct_specifier", "union_specifier", "enum_specifier"), types.bind_tag),
                "argument_list": types.bind_macro_arguments,
            },
            texts=TEXTS,
            keys=KEYS,
        ),
        imports=ImportRules(
            statements=IMPORTS,
            including=frozenset(IMPORTS),
            passes_on=True,
            locate=imports.locate_include,
        ),
        visibility=VisibilityRules(
            has_open_namespaces=True,  # headers may be C++
            has_qualified_names=False,
            links_definitions=True,
            member_needs_receiver=True,
            replaces_standard=imports.replaces_standard,
            internal=scopes.is_internal,
        ),
        types=TypeRules(
            terms={
                **types.TERMS,
                **dict.fromkeys(("struct_specifier", "union_specifier", "enum_specifier"), types.spell_tag),
            },
            anonymous={"field_declaration_list": types.list_nameless_bases},
            has_type_literals=True,
        ),
        macros=MACROS,
    ),
)
