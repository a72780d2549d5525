"""JavaScript: https://tc39.es/ecma262/; CommonJS: https://nodejs.org/api/modules.html."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tree_sitter import Node

from leadline_tools.languages import hidden_types, lexing
from leadline_tools.languages.javascript import (
    assigned_owners,
    collections,
    comments,
    contextual_types,
    documentation,
    functions,
    host_globals,
    imports,
    jsdoc,
    library,
    markup,
    narrowing,
    object_members,
    outline,
    own_members,
    patterns,
    primitives,
    scopes,
    source,
    types,
    values,
)
from leadline_tools.languages.javascript import modules as javascript_modules
from leadline_tools.languages.javascript import terms as spelling
from leadline_tools.languages.javascript.contextual_keywords import is_no_name
from leadline_tools.languages.javascript.jsdoc import find_documented_parameter
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import Nodes, fields
from leadline_tools.languages.reach import Declared, Reach
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules
from leadline_tools.languages.rules.imports import ImportRules
from leadline_tools.languages.rules.library import LibraryRules
from leadline_tools.languages.rules.members import MemberRules
from leadline_tools.languages.rules.names import NameRules
from leadline_tools.languages.rules.outline import Defines, NodeSymbols, OutlineRules
from leadline_tools.languages.rules.scopes import Binds, Opens, ScopeKind, ScopeRules
from leadline_tools.languages.rules.source import SourceRules
from leadline_tools.languages.rules.types import TypeRules
from leadline_tools.languages.rules.uses import UseRules
from leadline_tools.languages.rules.visibility import VisibilityRules
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind


def _own_or_assigned(node: Node) -> NodeSymbols:
    """Return what an assignment defines, members of the own object too."""
    members = own_members.list_own_members(node)
    if members and own_members.find_maker(node) is not None:
        return NodeSymbols(
            outline.classify_value(node, SymbolKind.Method, SymbolKind.Field), members, outline.list_value_body(node)
        )
    return _ASSIGNED.symbols(node)


def _contextual(targets: Nodes) -> Binds:
    return Binds(targets, made=contextual_types.bind_contextual_names, by_caller=True)


_PARAMETERS = fields("parameters")

_EXPRESSION = Defines(SymbolKind.Function, name=fields(), emits=False, apart=True)

DEFINITIONS = {
    "function_declaration": Defines(SymbolKind.Function, parameters=_PARAMETERS),
    "generator_function_declaration": Defines(SymbolKind.Function, parameters=_PARAMETERS),
    "class_declaration": Defines(SymbolKind.Class, bases=types.spell_bases),
    "method_definition": Defines(
        outline.classify_method,
        parameters=_PARAMETERS,
        spell=values.unquote_name,
        getter=outline.is_getter,
        of_type=outline.is_static,
    ),
    "variable_declarator": Defines(
        outline.classify_declarator,
        name=outline.list_declared_names,
        body=outline.list_value_body,
        parameters=outline.list_value_parameters,
        within=outline.classify_constant,
        made=patterns.bind_names,
        function=values.find_function,
        bases=types.value_bases(types.spell_bases),
    ),
    "pair": Defines(
        outline.classify_pair,
        name=outline.list_keys,
        body=outline.list_value_body,
        parameters=outline.list_value_parameters,
        spell=values.unquote_name,
        function=values.find_function,
    ),
    "assignment_expression": Defines(
        assigned_owners.classify_assigned,
        name=outline.list_assigned_name,
        body=outline.list_value_body,
        parameters=outline.list_value_parameters,
        container=lambda node: ".".join(outline.list_assigned_path(node)[:-1]),
        emits=outline.is_assigned_symbol,
        function=types.find_assigned_function,
        bases=types.value_bases(types.spell_bases),
    ),
    # What is nested in an expression is worth showing where it is a function or a class, but has no container.
    "function_expression": _EXPRESSION,
    "generator_function": _EXPRESSION,
    "arrow_function": _EXPRESSION,
    "class": Defines(SymbolKind.Class, name=fields(), emits=False),
    # The variables of a block belong to nobody outside.
    "statement_block": Defines(SymbolKind.Function, name=fields(), body=lambda node: (node,), emits=False),
}
"""What defines in JavaScript; TypeScript adds to it."""

_ASSIGNED = DEFINITIONS["assignment_expression"]

THROUGH = frozenset(
    "lexical_declaration variable_declaration expression_statement call_expression arguments parenthesized_expression"
    " unary_expression await_expression return_statement if_statement else_clause try_statement catch_clause"
    " finally_clause for_statement for_in_statement while_statement do_statement labeled_statement".split()
)

SCOPES: Mapping[str, Opens] = {
    "function_declaration": ScopeKind.Detached,
    "generator_function_declaration": ScopeKind.Detached,
    "function_expression": ScopeKind.Detached,
    "generator_function": ScopeKind.Detached,
    "arrow_function": ScopeKind.Function,
    "method_definition": outline.find_member_scope,
    "field_definition": outline.find_member_scope,
    "class_static_block": ScopeKind.Static,
    "class_declaration": ScopeKind.Block,
    "class": ScopeKind.Block,
    "class_body": ScopeKind.Class,
    "object": ScopeKind.Table,
    "pair": ScopeKind.Block,
    "statement_block": ScopeKind.Block,
    "for_statement": ScopeKind.Block,
    "for_in_statement": ScopeKind.Block,
    "catch_clause": ScopeKind.Block,
    "switch_body": ScopeKind.Block,
}

BINDS = {
    "formal_parameters": Binds(values.list_pattern_names, by_caller=True),
    "arrow_function": _contextual(scopes.pattern_names_in("parameter", "parameters")),
    "function_expression": _contextual(scopes.pattern_names_in("name", "parameters")),
    "generator_function": _contextual(scopes.pattern_names_in("name", "parameters")),
    "function_declaration": _contextual(scopes.pattern_names_in("parameters")),
    "generator_function_declaration": _contextual(scopes.pattern_names_in("parameters")),
    "method_definition": _contextual(scopes.pattern_names_in("parameters")),
    "class": Binds(fields("name")),
    "object": Binds(object_members.list_declared_keys, made=object_members.bind_members),
    "lexical_declaration": Binds(scopes.list_declarators, made=scopes.bind_declared_values),
    "variable_declaration": Binds(scopes.list_declarators, hoists=True, made=scopes.bind_declared_values),
    "for_in_statement": Binds(scopes.list_loop_names, made=patterns.bind_names),
    "catch_clause": Binds(scopes.pattern_names_in("parameter"), by_caller=True),
}

ROLES = {
    ("call_expression", "function"): Role.Call,
    ("call_expression", "arguments"): Role.Read,
    ("new_expression", "constructor"): Role.Call,
    ("jsx_opening_element", "name"): Role.Call,
    ("jsx_self_closing_element", "name"): Role.Call,
    ("new_expression", "arguments"): Role.Read,
    ("class_heritage", ""): Role.Inherit,
    ("decorator", ""): Role.Decorator,
    ("assignment_expression", "left"): Role.Write,
    ("augmented_assignment_expression", "left"): Role.Write,
    ("update_expression", "argument"): Role.Write,
    ("assignment_pattern", "right"): Role.Read,
    ("object_assignment_pattern", "right"): Role.Read,
    ("pair", "key"): Role.Other,
    ("pair_pattern", "key"): Role.Other,
    ("method_definition", "name"): Role.Other,
}

KEYS = frozenset(
    {
        ("pair", "key"),
        ("pair_pattern", "key"),
        ("method_definition", "name"),
        ("field_definition", "property"),
        ("jsx_attribute", ""),
    }
)

IDENTIFIERS = frozenset(
    "identifier property_identifier private_property_identifier shorthand_property_identifier"
    " shorthand_property_identifier_pattern".split()
)

IMPORTS = {
    "import_statement": imports.read_import,
    "export_statement": imports.read_export,
    "variable_declarator": imports.read_require,
    "call_expression": imports.read_loaded_module,
}

QUOTES = {"subscript_expression": scopes.read_quoted_member}

FILLS = {
    "variable_declarator": patterns.bind_keys,
    "for_in_statement": patterns.bind_keys,
    "assignment_expression": patterns.bind_keys,
    **dict.fromkeys((*values.FUNCTIONS, *values.DECLARED_FUNCTIONS), contextual_types.bind_contextual_keys),
    "object": object_members.bind_object_keys,
    "computed_property_name": object_members.bind_computed_key,
    "binary_expression": object_members.bind_private_name,
    "jsx_opening_element": markup.bind_attributes,
    "jsx_closing_element": markup.bind_element_name,
    "jsx_self_closing_element": markup.bind_attributes,
}

CALLS = CallRules(
    implicit_calls={"jsx_element": markup.find_content},
    implicit_call_tokens=markup.list_content_signs,
    signs_use_fields=True,
)

PAIRS: Mapping[str, Callable[[Node], Sequence[Node | None]]] = {
    "pair": scopes.split_pair,
    "pair_pattern": scopes.split_pair,
}

SHORTHANDS = frozenset({"shorthand_property_identifier", "shorthand_property_identifier_pattern"})

RETURNS = {"return_statement": functions.spell_returned(), "arrow_function": functions.spell_returned("body")}

NARROWS = {
    "binary_expression": narrowing.bind_narrowed_names,
    "if_statement": narrowing.bind_names_narrowed_by_condition,
    "ternary_expression": narrowing.bind_names_narrowed_by_condition,
    "unary_expression": narrowing.bind_names_narrowed_by_condition,
    "assignment_expression": patterns.bind_later_values,
    "augmented_assignment_expression": patterns.bind_value_of_choice,
}

OPAQUE = frozenset({"subscript_expression", "call_expression"})

COMMENTS = frozenset({"comment", "html_comment"})

GLOBAL_OBJECTS = frozenset({"globalThis", "global", "window", "self"})
"""https://tc39.es/ecma262/#sec-globalthis, and as hosts call it."""


def renames(old: str, new: str) -> str:
    """Refuse what would make a private name public, or the other way round."""
    return "" if old.startswith("#") == new.startswith("#") else "its # says who sees it"


def reach(declared: Declared) -> Reach:
    """Tell that a private name is seen in its class alone; what TypeScript calls private is reached by a cast."""
    return Reach.Type if declared.name.startswith("#") else Reach.Anywhere


MODULE_NAMES = frozenset({"require"})
"""What Node gives each module: https://nodejs.org/api/modules.html#the-module-scope; see PREDECLARED for the others."""

KEYWORDS = frozenset(
    (
        "arguments await break case catch class const continue debugger default delete do else enum eval export "
        "extends false finally for function if implements import in instanceof interface let new null package private "
        "protected public return static super switch this throw true try typeof var void while with yield"
    ).split()
)

COMPUTED = lazy_compile(r"""\bthis\[\s*+(?!(["'`])[^"'`$\n]*\1\s*\]|\d)(?:["'`](?P<head>[^"'`$\n]*))?""")


def _define_function(kind: str) -> Defines:
    return replace(
        DEFINITIONS[kind], documented=documentation.spell_documented_result, takes=functions.spell_parameters
    )


IMPORT_RULES = ImportRules(
    hidden_imports=imports.find_hidden_imports,
    statements=IMPORTS,
    shared_exports=imports.SHARED_EXPORTS,
    whole_exports=imports.WHOLE_EXPORTS,
    is_script=imports.is_script,
    exports=imports.read_exports,
    locate=javascript_modules.locate_module,
    module_line=javascript_modules.module_line,
    code_line=javascript_modules.code_line,
)
VISIBILITY_RULES = VisibilityRules(
    predeclared=library.PREDECLARED,
    predeclared_in_modules=MODULE_NAMES,
    may_declare=javascript_modules.may_declare,
)

LANGUAGE = Language(
    name="javascript",
    grammar=("tree_sitter_javascript", "language"),
    files=FileRules(
        extensions=(".js", ".mjs", ".cjs", ".jsx"),
        interpreters=("node", "nodejs", "bun", "deno"),
        module=javascript_modules.module,
    ),
    outline=OutlineRules(
        definitions={
            **DEFINITIONS,
            **{
                kind: _define_function(kind)
                for kind in ("function_declaration", "generator_function_declaration", "method_definition")
            },
            **{
                kind: replace(
                    DEFINITIONS[kind], documented=types.spell_documented_value, takes=types.spell_value_parameters
                )
                for kind in ("variable_declarator", "pair")
            },
            "assignment_expression": replace(
                _ASSIGNED,
                at_once=_own_or_assigned,
                documented=types.spell_documented_value,
                takes=types.spell_value_parameters,
                head=lambda node: (node,) if own_members.list_own_members(node) else (),
                made=own_members.bind_own_members,
                own=own_members.find_owner,
                of_type=own_members.is_in_static,
            ),
            "field_definition": Defines(
                outline.classify_member,
                of_type=outline.is_static,
                name=outline.list_properties,
                body=outline.list_value_body,
                parameters=outline.list_value_parameters,
                spell=values.unquote_name,
                made=types.bind_field,
                function=values.find_function,
                documented=types.spell_documented_value,
                takes=types.spell_value_parameters,
            ),
        },
        through=THROUGH,
        wrappers=frozenset({"export_statement"}),
        decorations=frozenset({"decorator"}),
        comments=COMMENTS,
    ),
    names=NameRules(
        called_by_language=frozenset({"toJSON", "toString", "valueOf"}).__contains__,
        constructors=frozenset({"constructor"}),
        finds_parameter=find_documented_parameter,
        transparent_decorators=frozenset(),
        computed=COMPUTED,
        keywords=KEYWORDS,
        refuses_rename=renames,
        reach=reach,
        identifier=lazy_compile(r"#?(?:[^\W\d]|\$)[\w$]*"),
    ),
    source=SourceRules(
        lexis=lexing.JAVASCRIPT,
        bodies=lambda content: source.find_bodies(content, source.NEXT_BODY, source.defines_own),
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=IDENTIFIERS,
            opens=SCOPES,
            binds={
                **BINDS,
                "assignment_expression": Binds(own_members.list_attribute, made=own_members.bind_attribute),
            },
            this=frozenset({"this"}),
            above=frozenset({"super"}),
            names_itself=scopes.names_itself,
            class_visible=False,
            opaque=OPAQUE,
        ),
        uses=UseRules(
            is_no_name=is_no_name,
            members={"member_expression": ("object", "property"), "nested_identifier": ("object", "property")},
            roles=ROLES,
            texts={"comment": jsdoc.type_names},
            literal_keys=FILLS,
            quotes=QUOTES,
            quotes_members=True,
            global_objects=GLOBAL_OBJECTS,
            declares_literal_keys=True,
            documents_parameter=comments.documents_parameter,
            shorthands=SHORTHANDS,
            pairs=PAIRS,
            keys=KEYS,
        ),
        imports=IMPORT_RULES,
        visibility=VISIBILITY_RULES,
        types=TypeRules(
            renames_by_value=True,
            anonymous={"class_body": types.expression_bases(types.spell_bases), "object": types.spell_object_bases},
            has_type_literals=True,
            read_documentation=jsdoc.documentation,
            is_documented_type=jsdoc.in_braces_of_comment,
            documented_this=documentation.spell_documented_this,
            terms={**spelling.VALUES, **spelling.narrowed_values(narrowing.BRANCHES)},
            returns=RETURNS,
            narrows_scope=NARROWS,
            fillers=collections.FILLERS,
            puts=collections.PUTS,
            empty=collections.EMPTY,
            narrows_branches=narrowing.BRANCHES,
            pair_types=frozenset({"Map", "ReadonlyMap"}),
        ),
        calls=CALLS,
        members=MemberRules(
            hidden=hidden_types.javascript,
            assignments_declare=True,
            statics_apart=True,
            assignments_hide=True,
            # As TypeScript's checker merges members: https://github.com/microsoft/TypeScript, addInheritedMembers.
            constructors_override=True,
            forwards=True,
        ),
        library=LibraryRules(
            collection_members=collections.MEMBERS,
            function_members=library.FUNCTION_MEMBERS,
            collections=library.COLLECTIONS,
            iterators=library.ITERATORS,
            primitives=primitives.PRIMITIVES,
            promise_members=library.PROMISED,
            classes=library.CLASSES,
            host_modules=host_globals.MODULES,
        ),
    ),
)
