"""Python: https://docs.python.org/3/reference/."""

from __future__ import annotations

import builtins
import re
import sys
from io import TextIOWrapper
from types import FunctionType

from leadline_tools.languages import access, lexing
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.python import (
    bodies,
    collections,
    fixtures,
    generics,
    imports,
    library,
    narrowing,
    outline,
    patterns,
    queries,
    quotes,
    records,
    scopes,
    terms,
    types,
)
from leadline_tools.languages.rules.calls import CallRules
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
from leadline_tools.languages.terms import same
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_RESERVED = frozenset(
    (
        "False None True and as assert async await break class continue def del elif else except finally for from "
        "global if import in is lambda nonlocal not or pass raise return try while with yield"
    ).split()
)

_DECORATORS = frozenset(
    "abstractmethod abstractproperty asynccontextmanager cache cached_property classmethod contextmanager coroutine"
    " dataclass deleter deprecated expectedFailure final getter lru_cache no_type_check overload override property"
    " runtime_checkable setter singledispatch singledispatchmethod skip skipIf skipUnless staticmethod total_ordering"
    " unique wraps".split()
)

_COMPUTED = lazy_compile(
    r"""\b(?:get|has|set|del)attr\(\s*(?:self|cls)\s*,\s*+(?![rRuU]?(["'])[^"'\n]*\1\s*[,)])"""
    r"""(?:[fFrRuU]{0,2}["'](?P<head>[^"'%{\n]*))?"""
)

LANGUAGE = Language(
    name="python",
    grammar=("tree_sitter_python", "language"),
    files=FileRules(
        extensions=(".py", ".pyi", ".pyw"),
        interpreters=("python", "python3", "pypy", "pypy3", "ipython", "uv", "pipx"),
        module=outline.name_module,
    ),
    outline=OutlineRules(
        definitions={
            "class_definition": Defines(
                SymbolKind.Class,
                at_once=outline.look_at_class,
                bases=types.spell_bases,
                generics=generics.list_type_parameters,
                takes=records.spell_field_parameters,
            ),
            "function_definition": Defines(
                SymbolKind.Function,
                member=SymbolKind.Method,
                at_once=outline.look_at_function,
                parameters=fields("parameters"),
                type=types.find_result,
                takes=generics.spell_parameters,
                amends=generics.spell_receiver,
                getter=types.is_property,
            ),
            "assignment": Defines(
                outline.classify_assignment,
                member=SymbolKind.Field,
                name=outline.list_assigned_names,
                body=fields(),
                at_once=outline.look_at_assignment,
                type=types.find_annotation,
                made=lambda node, spell: () if outline.list_made_bases(node) else patterns.bind_members(node, spell),
                parameter=generics.is_type_variable,
                bases=outline.spell_made_bases,
                attributes=outline.list_assigned_attributes,
            ),
            "augmented_assignment": Defines(
                SymbolKind.Variable,
                name=lambda _node: (),
                body=fields(),
                attributes=lambda node: list(outline.yield_own_attributes(outline.yield_loop_targets(node))),
            ),
            "for_statement": Defines(
                SymbolKind.Variable,
                member=SymbolKind.Field,
                name=lambda node: outline.list_names(outline.yield_loop_targets(node)),
                made=patterns.bind_sides("left", "right", "*"),
                attributes=lambda node: list(outline.yield_own_attributes(outline.yield_loop_targets(node))),
                holds=True,
            ),
            "with_statement": Defines(
                SymbolKind.Variable,
                member=SymbolKind.Field,
                name=lambda node: outline.list_names(outline.yield_entered_targets(node)),
                made=scopes.bind_all_entered,
                attributes=lambda node: list(outline.yield_own_attributes(outline.yield_entered_targets(node))),
                holds=True,
            ),
            "named_expression": Defines(
                SymbolKind.Variable, name=fields("name"), body=fields(), made=patterns.bind_sides("name", "value")
            ),
            "type_alias_statement": Defines(
                SymbolKind.Class,
                name=outline.find_type_alias,
                body=fields(),
                type=lambda node: node.child_by_field_name("right"),
                generics=generics.list_declared_parameters,
            ),
        },
        through=frozenset(
            "decorated_definition expression_statement block if_statement elif_clause else_clause try_statement"
            " except_clause finally_clause while_statement match_statement case_clause".split()
        ),
        embedded={"named_expression": b":="},
        wrappers=frozenset({"decorated_definition"}),
        docstring=True,
    ),
    names=NameRules(
        gives_to_parameters=fixtures.is_fixture,
        may_be_given=fixtures.may_take_fixture,
        called_by_language=lambda name: name[:2] == name[-2:] == "__",
        is_private=access.has_underscore,
        constructors=frozenset({"__init__", "__new__"}),
        transparent_decorators=_DECORATORS,
        computed=_COMPUTED,
        keywords=_RESERVED,
        refuses_rename=scopes.refuse_rename,
    ),
    source=SourceRules(
        bodies=bodies.find_skipped_bodies,
        empty_body=b"()",
        lexis=lexing.PYTHON,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"identifier"}),
            opens={
                "function_definition": ScopeKind.Function,
                "lambda": ScopeKind.Function,
                "class_definition": ScopeKind.Class,
                "list_comprehension": ScopeKind.Block,
                "set_comprehension": ScopeKind.Block,
                "dictionary_comprehension": ScopeKind.Block,
                "generator_expression": ScopeKind.Block,
            },
            binds={
                "parameters": Binds(lambda node: node.named_children, made=scopes.bind_receiver),
                "lambda_parameters": Binds(lambda node: node.named_children, made=library.bind_lambda_parameters),
                "typed_parameter": Binds(
                    lambda node: node.named_children[:1], type=types.find_annotation, made=types.bind_collected
                ),
                "default_parameter": Binds(fields("name"), made=patterns.bind_default),
                "typed_default_parameter": Binds(
                    fields("name"), type=types.find_annotation, made=patterns.bind_default_of_type
                ),
                "assignment": Binds(
                    fields("left"), hoists=True, type=types.find_annotation, made=patterns.bind_assigned
                ),
                "augmented_assignment": Binds(fields("left"), hoists=True),
                "named_expression": Binds(fields("name"), hoists=True, made=patterns.bind_sides("name", "value")),
                "for_statement": Binds(fields("left"), hoists=True, made=patterns.bind_sides("left", "right", "*")),
                "for_in_clause": Binds(fields("left"), made=patterns.bind_sides("left", "right", "*")),
                "as_pattern": Binds(scopes.list_aliased, hoists=True, made=patterns.bind_entered),
                "case_pattern": Binds(scopes.list_captured, hoists=True),
                "keyword_pattern": Binds(scopes.list_captured, hoists=True, made=patterns.bind_captured),
                "splat_pattern": Binds(lambda node: node.named_children, hoists=True),
                "type_alias_statement": Binds(outline.find_type_alias, hoists=True),
                "type_parameter": Binds(generics.list_bound_parameters, made=generics.bind_bounds, types=True),
            },
            binds_in_order=True,
            this=frozenset({"self"}),
            own=frozenset({"cls", "Self"}),
            above=frozenset({"super"}),
            is_own=outline.is_own,
            type_variables=True,
            class_visible=False,
            opaque=frozenset({"subscript", "call"}),
            globals=frozenset({"global_statement"}),
            nonlocals=frozenset({"nonlocal_statement"}),
            outside={
                ("default_parameter", "value"): lambda _node: True,
                ("typed_default_parameter", "value"): lambda _node: True,
                ("for_in_clause", "right"): scopes.is_taken_first,
            },
        ),
        uses=UseRules(
            members={"attribute": ("object", "attribute"), "dotted_name": scopes.split_compared},
            roles={
                ("call", "function"): Role.Call,
                ("call", "arguments"): Role.Read,
                ("decorator", ""): Role.Decorator,
                ("class_definition", "superclasses"): Role.Inherit,
                ("assignment", "left"): Role.Write,
                ("augmented_assignment", "left"): Role.Write,
                ("assignment", "type"): Role.Type,
                ("typed_parameter", "type"): Role.Type,
                ("typed_default_parameter", "type"): Role.Type,
                ("function_definition", "return_type"): Role.Type,
                ("delete_statement", ""): Role.Write,
                ("keyword_argument", "name"): Role.Other,
            },
            literal_keys={"call": records.bind_copied_fields, "class_pattern": patterns.bind_pattern_keys},
            quotes={
                "type": quotes.read_quoted_annotation,
                "subscript": quotes.read_quoted_arguments,
                "assignment": quotes.read_quoted_in_assignment,
                "augmented_assignment": quotes.read_exported,
                "keyword_argument": quotes.read_quoted_bound,
                "call": quotes.read_quoted_in_call,
            },
            keys=frozenset({("keyword_argument", "name"), ("keyword_pattern", "")}),
        ),
        imports=ImportRules(
            hidden_imports=imports.read_indented_imports,
            statements={
                "import_statement": imports.read_import,
                "import_from_statement": imports.read_import_from,
                "future_import_statement": imports.read_future_import,
            },
            module_part=imports.find_module_part,
            namespace=imports.find_namespace,
            all_names=quotes.ALL_NAMES,
            last_wildcard_counts=True,
            twin=imports.find_twin,
            conditional_imports=True,
            locate=imports.locate_module,
        ),
        visibility=VisibilityRules(
            predeclared=frozenset(dir(builtins)),
        ),
        types=TypeRules(
            renames_by_value=True,
            terms=terms.TERMS,
            returns={"return_statement": same(), "yield": types.spell_yielded},
            narrows_branches=narrowing.BRANCHES,
            fillers=collections.FILLERS,
            puts=collections.PUTS,
            empty=collections.EMPTY,
            types_are_values=True,
            narrows_on_assignment=True,
        ),
        members=MemberRules(
            plain_bases=re.compile(rb"[ \t]*\([ \t]*([\w.]+(?:,[ \t]*[\w.]+)*)[ \t]*\)[ \t]*:\s*"),
            assignments_declare=True,
            protocol_bases=frozenset({"Protocol"}),
            empty_bases=frozenset({"ABC", "Generic", "Protocol"}),
            forwards=True,
        ),
        calls=CallRules(
            collects_arguments=records.find_collecting_parameter,
            takes_fields=records.takes_fields,
            records=records.RECORDS,
            copies=frozenset({"replace", "_replace", "__replace__", "evolve", "copy", "model_copy"}),
            arguments={"keyword_argument": lambda node: node.child_by_field_name("name")},
            initializes_subtypes="__init_subclass__",
        ),
        library=LibraryRules(
            function_members=frozenset(dir(FunctionType)),
            host_modules=sys.stdlib_module_names,
            hiding_modules=imports.outermost_modules,
            plain_types=frozenset({"bool", "bytes", "complex", "float", "int", "str"}),
            common=frozenset(
                name for kind in (*library.BUILT_IN, TextIOWrapper, Exception, object) for name in dir(kind)
            ),
            collections=library.COLLECTIONS,
            collection_members_of_heirs={"QuerySet": queries.MEMBERS_OF_QUERY_SETS},
            protocols=library.PROTOCOLS,
            iterates="__iter__",
            classes=frozenset({"__class__"}),
            external_members=library.list_external_members,
            external_types=library.is_external_type,
            member_hooks=frozenset({"__getattr__", "__getattribute__"}),
        ),
    ),
)
