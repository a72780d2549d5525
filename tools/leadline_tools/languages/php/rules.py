"""PHP: https://www.php.net/manual/en/langref.php."""

from __future__ import annotations

from leadline_tools.languages import hidden_types, lexing, terms
from leadline_tools.languages.hosts import templates as template_regions
from leadline_tools.languages.language import Language, Semantics
from leadline_tools.languages.nodes import fields
from leadline_tools.languages.php import eloquent, imports, narrowing, outline, phpdoc, scopes, types
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
from leadline_tools.languages.terms import Op
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Role, SymbolKind

_PARAMETERS = fields("parameters")
_CLASS = Defines(SymbolKind.Class, bases=types.spell_bases)

_KEYWORDS = frozenset(
    (
        "__halt_compiler abstract and array as break callable case catch class clone const continue declare default "
        "die do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum eval exit extends "
        "final finally fn for foreach function global goto if implements include include_once instanceof insteadof "
        "interface isset list match namespace new or print private protected public readonly require require_once "
        "return static switch this throw trait try unset use var while xor yield"
    ).split()
)

_COMPUTED = lazy_compile(r"""\$this->(?:\$|\{\s*(?:["'](?P<head>[^"'${\n]*))?)""")

LANGUAGE = Language(
    name="php",
    grammar=("tree_sitter_php", "language_php"),
    files=FileRules(
        extensions=(".php", ".phtml"),
        fragments=(".inc",),
        fragment=outline.find_fragment_language,
        interpreters=("php",),
        module=no_module,
    ),
    outline=OutlineRules(
        definitions={
            "namespace_definition": Defines(
                SymbolKind.Namespace,
                spell=outline.spell_dotted,
                rest=True,
                emits=lambda node: node.child_by_field_name("name") is not None,
            ),
            "class_declaration": _CLASS,
            "trait_declaration": _CLASS,
            "interface_declaration": Defines(SymbolKind.Interface, bases=types.spell_bases),
            "enum_declaration": Defines(SymbolKind.Enum, bases=types.spell_bases),
            "enum_case": Defines(SymbolKind.EnumMember, body=fields(), type=outline.find_enumeration),
            "const_declaration": Defines(
                SymbolKind.Constant,
                name=outline.list_constants,
                body=fields(),
                made=types.bind_constants,
                repeats=True,  # a property may have the name too
            ),
            "property_declaration": Defines(
                SymbolKind.Property,
                name=outline.list_properties,
                body=fields(),
                type=types.find_declared_type,
                documented=phpdoc.spell_documented_type,
            ),
            "property_promotion_parameter": Defines(
                SymbolKind.Property,
                name=lambda node: outline.list_bare_names(node.child_by_field_name("name")),
                body=fields(),
                type=types.find_declared_type,
                documented=phpdoc.spell_promoted_type,
                outer=True,
            ),
            "method_declaration": Defines(
                outline.classify_method,
                parameters=_PARAMETERS,
                head=_PARAMETERS,
                type=types.find_result,
                documented=phpdoc.spell_documented_type,
            ),
            "function_definition": Defines(
                SymbolKind.Function,
                parameters=_PARAMETERS,
                type=types.find_result,
                documented=phpdoc.spell_documented_type,
            ),
            "function_call_expression": Defines(
                outline.classify_call, name=outline.list_defined_constant, body=fields(), top=True
            ),
            "assignment_expression": Defines(
                SymbolKind.Variable, name=outline.list_assigned_variable, body=fields(), made=types.bind_assigned
            ),
        },
        through=frozenset(
            "expression_statement if_statement else_clause else_if_clause compound_statement colon_block"
            " try_statement".split()
        ),
        decorations=frozenset({"attribute_list"}),
    ),
    names=NameRules(
        called_by_language=lambda name: name.startswith("__"),
        sigil=True,
        computed=_COMPUTED,
        keywords=_KEYWORDS,
        reach=outline.find_reach,
    ),
    source=SourceRules(
        regions=template_regions.blade,
        lexis=lexing.PHP,
    ),
    semantics=Semantics(
        scopes=ScopeRules(
            identifiers=frozenset({"name", "variable_name"}),
            opens={
                "namespace_definition": ScopeKind.Namespace,
                "class_declaration": ScopeKind.Class,
                "trait_declaration": ScopeKind.Class,
                "interface_declaration": ScopeKind.Class,
                "enum_declaration": ScopeKind.Class,
                "anonymous_class": ScopeKind.Class,
                "method_declaration": ScopeKind.Function,
                "function_definition": ScopeKind.Function,
                "anonymous_function": ScopeKind.Function,
                "arrow_function": ScopeKind.Function,
                "property_hook": ScopeKind.Function,
            },
            binds={
                "simple_parameter": Binds(
                    fields("name"), type=types.find_declared_type, made=types.bind_documented_parameter
                ),
                "variadic_parameter": Binds(fields("name"), made=types.bind_variadic),
                "property_promotion_parameter": Binds(
                    fields("name"), type=types.find_declared_type, made=types.bind_documented_parameter
                ),
                "assignment_expression": Binds(scopes.list_assigned, hoists=True, made=types.bind_assigned),
                "reference_assignment_expression": Binds(scopes.list_assigned, hoists=True, made=types.bind_assigned),
                "augmented_assignment_expression": Binds(
                    scopes.list_given_for_null, hoists=True, made=types.bind_assigned
                ),
                "foreach_statement": Binds(scopes.list_loop_targets, hoists=True, made=types.bind_each),
                "catch_clause": Binds(fields("name"), hoists=True, made=types.bind_caught),
                "static_variable_declaration": Binds(fields("name"), hoists=True),
                "global_declaration": Binds(lambda node: node.named_children, hoists=True),
            },
            names_type=scopes.names_type,
            imports_type=scopes.imports_type,
            autoloads=lambda name: not name.startswith("$"),
            this=frozenset({"$this", scopes.ITSELF, "static"}),
            above=frozenset({"parent"}),
            aliasing=frozenset({"class_alias"}),
            given_names=scopes.read_given_names,
            class_visible=False,
            opaque=frozenset({"subscript_expression", "function_call_expression"}),
            globals=frozenset({"global_declaration"}),
            captures=frozenset({"anonymous_function_use_clause"}),
        ),
        uses=UseRules(
            members={
                "member_access_expression": ("object", "name"),
                "nullsafe_member_access_expression": ("object", "name"),
                "member_call_expression": ("object", "name"),
                "nullsafe_member_call_expression": ("object", "name"),
                "scoped_call_expression": ("scope", "name"),
                "scoped_property_access_expression": ("scope", "name"),
                "class_constant_access_expression": scopes.split_scoped,
                "qualified_name": scopes.split_qualified,
                "namespace_name": scopes.split_namespace,
            },
            roles={
                ("function_call_expression", "function"): Role.Call,
                ("member_call_expression", "name"): Role.Call,
                ("nullsafe_member_call_expression", "name"): Role.Call,
                ("scoped_call_expression", "name"): Role.Call,
                ("object_creation_expression", ""): Role.Call,
                ("named_type", ""): Role.Type,
                ("base_clause", ""): Role.Inherit,
                ("class_interface_clause", ""): Role.Inherit,
                ("use_declaration", ""): Role.Inherit,
                ("attribute", ""): Role.Decorator,
                ("arguments", ""): Role.Read,
                ("assignment_expression", "left"): Role.Write,
                ("reference_assignment_expression", "left"): Role.Write,
                ("augmented_assignment_expression", "left"): Role.Write,
                ("update_expression", "argument"): Role.Write,
            },
            literal_keys={
                "use_as_clause": scopes.bind_method_names,
                "qualified_name": scopes.bind_absolute_name,
                "dynamic_variable_name": scopes.bind_name_of_variable,
            },
            texts={
                "array_creation_expression": scopes.read_callable,
                "scoped_property_access_expression": scopes.read_static_property,
                "property_element": scopes.read_declared_property,
                "property_promotion_parameter": scopes.read_declared_property,
            },
            keys=frozenset({("argument", "name"), ("property_element", "name")}),
        ),
        imports=ImportRules(
            statements={
                "namespace_use_declaration": imports.read_use,
                "require_expression": imports.read_include,
                "require_once_expression": imports.read_include,
                "include_expression": imports.read_include,
                "include_once_expression": imports.read_include,
            },
            owner_in_import=imports.find_owner,
            locate=imports.locate_module,
            siblings=imports.list_siblings,
            passes_on=True,
        ),
        visibility=VisibilityRules(
            has_open_namespaces=True,
            is_closed=True,
        ),
        types=TypeRules(
            terms=types.TERMS,
            returns={"return_statement": terms.same()},
            narrows_branches=narrowing.BRANCHES,
            anonymous={"anonymous_class": types.spell_bases},
            has_type_literals=True,
        ),
        members=MemberRules(
            hidden=hidden_types.php,
            mixins={"use_as_clause": scopes.take_aliased_method, "use_instead_of_clause": scopes.take_chosen_method},
            assignments_declare=True,
            names_constant=scopes.names_constant,
            demands=scopes.is_demanded,
            other_names=eloquent.MODELS,
        ),
        library=LibraryRules(
            protocols={Op.Each: ("$this.getIterator()*", "$this.current()"), Op.Item: ("$this.offsetGet()",)},
        ),
        calls=CallRules(
            implicit_calls={
                "object_creation_expression": types.find_constructor_call,
                "function_call_expression": types.find_invoke_call,
            },
            implicit_call_tokens=lambda method: types.SIGNS.get(method, ()),
            fields_apart=True,
            arguments={"argument": lambda node: node.child_by_field_name("name")},
        ),
    ),
)
