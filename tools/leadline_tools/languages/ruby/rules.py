"""Ruby: https://docs.ruby-lang.org/en/master/syntax_rdoc.html.

Modules and classes can be opened again in any file, so a module is a namespace here. What runs to define something is
followed where the core library gives it that meaning: ``attr_reader``, ``alias_method``, ``Class.new``.
"""

from __future__ import annotations

import dataclasses
import re

from leadline_tools.languages import access, hidden_types, lexing, terms
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.ruby import imports, narrowing, outline, scopes, types
from leadline_tools.languages.rules.calls import CallRules
from leadline_tools.languages.rules.files import FileRules, no_module
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
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_CALLABLE = Defines(
    outline.classify_method,
    member=SymbolKind.Method,
    within=outline.classify_in_module,
    parameters=fields("parameters"),
    made=types.bind_result,
    getter=outline.is_getter,
    of_type=outline.is_of_class,
)

_ASSIGNMENT = Defines(
    outline.classify_assignment,
    name=outline.list_assigned,
    body=outline.list_made_body,
    head=outline.list_made_head,
    made=types.bind_assigned_symbols,
    bases=types.spell_made_bases,
)
_KEYWORDS = frozenset(
    (
        "BEGIN END __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined? do else elsif end "
        "ensure false for if in module next nil not or redo rescue retry return self super then true undef unless "
        "until when while yield"
    ).split()
)

_COMPUTED = lazy_compile(
    r"""(?:(?<![\w.])|\bself\.)(?:public_send|__send__|send)\b\s*+\(?+\s*+(?!:\w+[?!=]?\s*(?:[,)]|$))"""
    r"""(?::?["'](?P<head>[^"'#\n]*))?""",
    re.MULTILINE,
)

LANGUAGE = Language(
    name="ruby",
    grammar=("tree_sitter_ruby", "language"),
    files=FileRules(
        extensions=(".rb", ".rake", ".gemspec", ".ru"),
        filenames=("Rakefile", "Gemfile"),
        interpreters=("ruby",),
        module=no_module,
    ),
    outline=OutlineRules(
        definitions={
            "module": Defines(
                SymbolKind.Module,
                name=outline.find_last_constant,
                container=outline.name_owner,
                bases=types.spell_bases,
            ),
            "class": Defines(
                SymbolKind.Class,
                name=outline.find_last_constant,
                container=outline.name_owner,
                head=outline.list_superclass_head,
                bases=types.spell_bases,
            ),
            "singleton_class": Defines(SymbolKind.Class, name=fields(), emits=False),
            "method": _CALLABLE,
            "singleton_method": _CALLABLE,
            "assignment": _ASSIGNMENT,
            "operator_assignment": _ASSIGNMENT,
            "simple_symbol": Defines(
                outline.classify_symbol,
                name=lambda node: (node,),
                body=fields(),
                spell=outline.spell_symbol,
                getter=lambda _node: True,
                unnamed=lambda _node: True,
            ),
            "alias": Defines(SymbolKind.Method, body=fields(), spell=outline.spell_symbol, of_type=outline.is_of_class),
            "call": Defines(
                outline.classify_call,
                name=outline.list_defined_names,
                body=outline.list_call_body,
                spell=outline.spell_symbol,
                emits=lambda node: bool(outline.list_defined_names(node)),
                made=types.bind_attributes,
                getter=outline.is_attribute,
                of_type=outline.is_of_class,
            ),
        },
        through=frozenset(
            "body_statement block_body begin if unless else elsif then if_modifier unless_modifier rescue ensure"
            " parenthesized_statements".split()
        ),
    ),
    names=NameRules(
        called_by_language=frozenset(
            {"inspect", "method_missing", "respond_to_missing?", "to_s", "to_str"}
        ).__contains__,
        is_private=access.is_private_ruby,
        computed=_COMPUTED,
        keywords=_KEYWORDS,
        refuses_rename=outline.refuse_rename,
        is_no_variable=scopes.is_no_variable,
        variable_signs=("@", "@@", "$"),
        endings=("?", "!"),
        identifier=re.compile(r"(?:@{1,2}|\$)?[^\W\d]\w*[?!]?"),
    ),
    source=SourceRules(
        lexis=lexing.RUBY,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            file_local=scopes.is_local_variable,
            identifiers=frozenset({"identifier", "constant", "class_variable", "global_variable", "instance_variable"}),
            opens={
                "module": ScopeKind.Namespace,
                "class": ScopeKind.Class,
                "singleton_class": ScopeKind.Block,
                "method": outline.find_method_scope,
                "singleton_method": ScopeKind.Static,
                "block": outline.find_block_scope,
                "do_block": outline.find_block_scope,
                "lambda": ScopeKind.Block,
            },
            binds={
                "method_parameters": Binds(scopes.list_parameters, made=types.bind_defaults),
                "block_parameters": Binds(scopes.list_parameters, made=types.bind_block_parameter),
                "lambda_parameters": Binds(scopes.list_parameters),
                "assignment": dataclasses.replace(
                    scopes.bind_fields("left", made=types.bind_assigned, member=scopes.is_of_object),
                    shadows=scopes.list_read_before,
                    writes=scopes.list_assigned_attributes,
                    captures=True,
                ),
                "operator_assignment": dataclasses.replace(
                    scopes.bind_fields("left", made=types.bind_assigned, member=scopes.is_of_object), captures=True
                ),
                "for": scopes.bind_fields("pattern", made=types.bind_each),
                "exception_variable": Binds(lambda node: list(scopes.yield_locals(node)), made=types.bind_caught),
                "in_clause": scopes.bind_fields("pattern"),
                "match_pattern": scopes.bind_fields("pattern"),
                "test_pattern": scopes.bind_fields("pattern"),
            },
            autoloads=lambda name: name[:1].isupper(),
            lexical=True,
            names_own_member=scopes.names_own_member,
            this=frozenset({"self"}),
            body_has_type=True,
            above=frozenset({"super"}),
            opaque=frozenset({"element_reference"}),
        ),
        uses=UseRules(
            members={"call": ("receiver", "method"), "scope_resolution": ("scope", "name")},
            literal_keys={"scope_resolution": scopes.bind_top_name},
            roles={
                ("call", "method"): Role.Call,
                ("superclass", ""): Role.Inherit,
                ("assignment", "left"): Role.Write,
                ("operator_assignment", "left"): Role.Write,
            },
            endings={Role.Write: "="},
            texts={"pair": scopes.read_shorthand, "keyword_pattern": scopes.read_key_of_pattern},
            quotes={
                "call": scopes.read_named_methods,
                "block_argument": scopes.read_passed_method,
                "operator_assignment": scopes.read_written_member,
            },
            reads_are_calls=True,
        ),
        imports=ImportRules(
            statements={"call": imports.read_import},
            opens_for_program=imports.OPENS,
            may_be_opened=imports.may_be_opened,
            locate=imports.locate_require,
            siblings=imports.list_siblings,
            passes_on=True,
        ),
        visibility=VisibilityRules(
            has_open_namespaces=True,
            has_partial_types=True,
            has_open_types=True,
        ),
        types=TypeRules(
            renames_by_value=True,
            terms=types.TERMS,
            returns={"return": terms.same()},
            narrows_branches=narrowing.BRANCHES,
            anonymous={"block": types.spell_block_bases, "do_block": types.spell_block_bases},
        ),
        members=MemberRules(
            hidden=hidden_types.ruby,
            statics_apart=True,
            is_of_type=outline.is_written_of_class,
        ),
        library=LibraryRules(
            classes=types.CLASSES,
            members_of_types=types.MEMBERS_OF_CLASSES,
            extending=types.EXTENDING,
            common=frozenset({"new"}),
        ),
        calls=CallRules(
            calls_apart=True,
            arguments={"pair": scopes.find_argument_name},
            attribute_makers=frozenset({"new", "with"}),
            implicit_calls={"call": types.find_implicit_call, "super": types.find_super_call},
            implicit_call_tokens=types.list_signs,
            certain_signs=frozenset(types.CALLS),
            by_name=lambda _before, behind: behind.startswith(":"),
        ),
    ),
)
