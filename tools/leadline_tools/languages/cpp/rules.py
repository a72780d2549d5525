"""C++: https://eel.is/c++draft/. What it shares with C is in ``c``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import hidden_types, lexing
from leadline_tools.languages.c import conditions as c_conditions
from leadline_tools.languages.c import macro_declarations as c_macro_declarations
from leadline_tools.languages.c import macros as c_macros
from leadline_tools.languages.c import rules as c
from leadline_tools.languages.c import source as c_source
from leadline_tools.languages.cpp import source as cpp_source
from leadline_tools.languages.cpp import terms as spelling
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    ScopeKind,
    Scoping,
    fields,
    no_module,
    text,
)
from leadline_tools.languages.terms import TAGS, UNKNOWN, Op, Spell
from leadline_tools.model import Role, SymbolKind

_FUNCTIONS = frozenset({SymbolKind.Function, SymbolKind.Method})
_DEEPEST_NAME = 32
_CONSTRUCTING = frozenset({"argument_list", "initializer_list"})
_AROUND_DECLARATIONS = frozenset({"namespace_definition", "declaration_list", "template_declaration"})
_MACRO = re.compile(r"[A-Z][A-Z0-9_]+")
_MAY_BE_MACRO = re.compile(r"[A-Z][A-Z0-9_]*|main").fullmatch
_CLASSES = frozenset({"class_specifier", "struct_specifier", "union_specifier"})
_MOST_BETWEEN = 24
"""Declarations after that of a template among which is looked for its specializations."""

_SPACES = re.compile(r"\s+")
_TYPE_WORD = re.compile(r"\w+|[*&\[]|\.\.\.")


def _unqualified(name: Node) -> Node:
    """Return the last part of a name, without template arguments."""
    for _ in range(_DEEPEST_NAME):
        inner = name.child_by_field_name("name")
        if inner is None or name.type not in ("qualified_identifier", "template_function", "template_type"):
            break
        name = inner
    return name


def _names(node: Node) -> Sequence[Node]:
    """Return the names that a declaration declares."""
    found = []
    for name in c.names(node):
        found += name.named_children if name.type == "structured_binding_declarator" else [_unqualified(name)]
    return found


def _owner(name: Node | None) -> str:
    """Return the dotted name of what a qualified name is a member of."""
    parts: list[str] = []
    for _ in range(_DEEPEST_NAME):
        if name is None or name.type != "qualified_identifier":
            break
        scope = name.child_by_field_name("scope")
        if scope is not None:
            parts.append(text(_unqualified(scope)))
        name = name.child_by_field_name("name")
    return ".".join(parts)


def _container(node: Node) -> str:
    return _owner(next(iter(c.names(node)), None))


def _container_of_type(node: Node) -> str:
    return _owner(node.child_by_field_name("name"))


def _type_names(node: Node) -> Sequence[Node]:
    name = node.child_by_field_name("name")
    return () if name is None else (_unqualified(name),)


def _spell(name: Node) -> str:
    """Spell the names of operators and of conversions with one space, those of namespaces with dots."""
    if name.type == "operator_cast":
        return f"operator {_SPACES.sub(' ', text(name.child_by_field_name('type')))}"
    if name.type == "operator_name":
        spelled = _SPACES.sub(" ", text(name))
        return spelled if spelled[8:].strip()[:1].isalpha() else spelled.replace(" ", "")
    return text(name).replace("::", ".")


def _kind(node: Node) -> SymbolKind:
    """Tell what a declaration outside of a class declares."""
    kind = c.declaration_kind(node) if node.type != "function_definition" else SymbolKind.Function
    names = c.names(node)
    if not names or kind is not SymbolKind.Function:
        return SymbolKind.Field if names and _owner(names[0]) else kind
    last = _unqualified(names[0])
    if last.type in ("operator_name", "operator_cast"):
        return SymbolKind.Operator
    owner = _owner(names[0])
    if owner:
        return SymbolKind.Constructor if owner.rpartition(".")[2] == text(last) else SymbolKind.Method
    lost = node.child_by_field_name("type") is None and last.type == "identifier" and not _MAY_BE_MACRO(text(last))
    return SymbolKind.Constructor if lost else kind  # only a constructor has no type: its class was not understood


def _overloads(head: str, other: str) -> bool:
    """Tell whether two heads declare functions with different parameters: by their number, and the types built in."""
    one, two = _parameter_types(head), _parameter_types(other)
    if one is None or two is None:
        return False
    return len(one) != len(two) or any(
        a != b and _is_built_in(a) and _is_built_in(b) for a, b in zip(one, two, strict=True)
    )


def _parameter_types(head: str) -> Sequence[Sequence[str]] | None:
    """Return the words of the type of each parameter in the head of a function; None for no function."""
    inside = head.partition("(")[2].rpartition(")")[0]
    if not inside and "(" not in head:
        return None
    types = [_TYPE_WORD.findall(part.partition("=")[0]) for part in c.declared_parts(inside)]
    named = [
        words[:-1] if len(words) > 1 and words[-1].isidentifier() and words[-1] not in _KEYWORDS else words
        for words in types
    ]
    return [words for words in named if words not in ([], ["void"])]


def _is_built_in(words: Sequence[str]) -> bool:
    return all(word in _KEYWORDS or not word.isidentifier() for word in words)


def _is_internal(node: Node) -> bool:
    """Tell whether only its file knows a function or a variable by its name: [basic.link] of C++."""
    around = node.parent
    while around is not None and around.type in _AROUND_DECLARATIONS:
        if around.type == "namespace_definition" and around.child_by_field_name("name") is None:
            return True
        around = around.parent
    return c.is_static(node)


def _constructed(node: Node) -> Sequence[Node]:
    """Return the name of the type whose constructor a declaration calls: ``A a(1)``, ``A a{1}``."""
    declarators = (one for one in node.children_by_field_name("declarator") if one.type == "init_declarator")
    values = [value.type for one in declarators if (value := one.child_by_field_name("value")) is not None]
    kind = node.child_by_field_name("type")
    if kind is None or not _CONSTRUCTING.intersection(values):
        return ()
    name = _unqualified(kind)
    return (name,) if name.type == "type_identifier" else ()


def _is_friend(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "friend_declaration"


def _declared(node: Node) -> SymbolKind | None:
    """Tell what a declaration declares; nothing where it only names a friend."""
    return None if _is_friend(node) else _kind(node)


def _member(node: Node) -> SymbolKind:
    """Tell what a declaration directly in a class declares: a constructor is what has no type."""
    kind = _kind(node)
    if kind in (SymbolKind.Variable, SymbolKind.Field):
        return SymbolKind.Field
    if kind not in _FUNCTIONS:
        return kind
    typeless = node.child_by_field_name("type") is None
    names = _names(node)
    constructs = typeless and bool(names) and names[0].type in ("identifier", "field_identifier")
    return SymbolKind.Constructor if constructs else SymbolKind.Method


def _friend(node: Node) -> Node | None:
    """Return the function that a friend declaration defines in passing."""
    return next((child for child in node.named_children if child.type == "function_definition"), None)


def _friend_kind(node: Node) -> SymbolKind | None:
    friend = _friend(node)
    return _kind(friend) if friend is not None else None


def _friend_names(node: Node) -> Sequence[Node]:
    friend = _friend(node)
    return _names(friend) if friend is not None else ()


def _friend_body(node: Node) -> Sequence[Node]:
    friend = _friend(node)
    return fields("body")(friend) if friend is not None else ()


def _friend_parameters(node: Node) -> Sequence[Node] | None:
    friend = _friend(node)
    return c.parameters(friend) if friend is not None else None


def _tested(node: Node, spell: Spell) -> str:
    """Spell the class whose members a function sees that a macro makes a method: the first of its arguments.

    https://google.github.io/googletest/reference/testing.html#TEST_F
    """
    found = next(iter(c.declarators(node)), None)
    if node.child_by_field_name("type") is not None or found is None:
        return UNKNOWN
    name, function = found
    parameters = function.child_by_field_name("parameters") if function is not None else None
    given = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    if given is None or len(given.named_children) != 1 or not _MACRO.fullmatch(text(name)):
        return UNKNOWN
    return spell(given.named_children[0])


def _template_parameters(node: Node) -> Iterator[Node]:
    """Yield the names of the parameters of a template."""
    for parameters in node.children_by_field_name("parameters"):
        for parameter in parameters.named_children:
            declarator = parameter.child_by_field_name("declarator")
            name = c.declared(declarator)[0] if declarator is not None else parameter.child_by_field_name("name")
            if (name is None and "type_parameter" in parameter.type) or "template" in parameter.type:
                name = next((child for child in parameter.named_children if child.type == "type_identifier"), name)
            if name is not None:
                yield name


def _using(node: Node) -> Iterator[Imported]:
    """Read ``using namespace a::b`` and ``using a::b``."""
    name = next((child for child in node.named_children), None)
    if name is None:
        return
    if any(child.type == "namespace" for child in node.children):
        yield Imported("", "*", "", space=text(name).replace("::", "."))
    elif _owner(name):
        last = text(_unqualified(name))
        yield Imported("", last, last, space=_owner(name))


def _alias(node: Node) -> Iterator[Imported]:
    """Read ``namespace a = b::c``."""
    name = node.child_by_field_name("name")
    meant = next((child for child in reversed(node.named_children) if child != name), None)
    if name is not None and meant is not None:
        yield Imported("", "", text(name), space=_SPACES.sub("", text(meant)).removeprefix("::").replace("::", "."))


def _enum_scope(node: Node) -> ScopeKind:
    """Tell whether the members of an enumeration are seen around it."""
    scoped = any(child.type in ("class", "struct") for child in node.children)
    return ScopeKind.Class if scoped else ScopeKind.Open


def _namespace_scope(node: Node) -> ScopeKind:
    inline = any(child.type == "inline" for child in node.children)
    return ScopeKind.Open if inline else ScopeKind.Namespace


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    for clause in node.named_children:
        if clause.type == "base_class_clause":
            yield from (spell(base) for base in clause.named_children if "type" in base.type or "qualif" in base.type)


def _generics(node: Node) -> Sequence[Node]:
    around = node.parent
    return list(_template_parameters(around)) if around is not None and around.type == "template_declaration" else ()


def _is_specialization(node: Node) -> bool:
    """Tell whether a class has template arguments in its name: https://eel.is/c++draft/temp.spec.partial.general."""
    name = node.child_by_field_name("name")
    return name is not None and name.type == "template_type"


def _specializes(node: Node) -> bool:
    """Tell whether a function has template arguments in its name: https://eel.is/c++draft/temp.expl.spec."""
    return any(name.type == "template_function" for name in c.names(node))


def _is_completed_by_specializations(node: Node) -> bool:
    """Tell whether a template of classes is declared alone, and what follows specializes it."""
    around, name = node.parent, node.child_by_field_name("name")
    if around is None or around.type != "template_declaration" or name is None or name.type != "type_identifier":
        return False
    specialized = False
    for _ in range(_MOST_BETWEEN):
        around = around.next_named_sibling
        if around is None:
            break
        following = next((one for one in around.named_children if one.type in _CLASSES), None)
        if around.type != "template_declaration" or following is None:
            continue
        other = following.child_by_field_name("name")
        if other is None or following.child_by_field_name("body") is None or text(_unqualified(other)) != text(name):
            continue
        if other.type != "template_type":
            return False
        specialized = True
    return specialized


def _specified(kind: SymbolKind) -> Defines:
    def defined(node: Node) -> SymbolKind | None:
        whole = node.child_by_field_name("body") is not None or _is_completed_by_specializations(node)
        return kind if whole else None

    return Defines(
        defined,
        name=_type_names,
        container=_container_of_type,
        bases=_bases,
        generics=_generics,
        emits=c.named,
        unnamed=_is_specialization,
    )


_KEYWORDS = frozenset(
    (
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class "
        "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype "
        "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
        "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
        "register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch "
        "template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile "
        "wchar_t while xor xor_eq"
    ).split()
)

LANGUAGE = Language(
    name="cpp",
    bare_headers=True,
    extensions=(
        ".cc",
        ".cpp",
        ".cxx",
        ".c++",
        ".hh",
        ".hpp",
        ".hxx",
        ".h++",
        ".ipp",
        ".inl",
        ".tpp",
        ".txx",
        ".tcc",
        ".ino",
    ),
    grammar=("tree_sitter_cpp", "language"),
    definitions={
        **c.DEFINITIONS,
        "function_definition": Defines(
            _kind,
            member=_member,
            name=_names,
            parameters=c.parameters,
            container=_container,
            spell=_spell,
            type=spelling.result,
            takes=spelling.takes,
            amends=_tested,
            inner=_is_internal,
            local=False,
            unnamed=_specializes,
        ),
        "declaration": Defines(
            _declared,
            member=_member,
            name=_names,
            body=c.folded,
            parameters=c.parameters,
            container=_container,
            spell=_spell,
            type=spelling.result,
            made=spelling.made,
            takes=spelling.takes,
            beside=c.beside,
            inner=_is_internal,
            extern=c.is_extern,
            local=False,
            repeats=True,
            unnamed=_specializes,
        ),
        "field_declaration": Defines(
            _member,
            name=_names,
            body=c.members_of,
            parameters=c.parameters,
            spell=_spell,
            type=spelling.result,
            takes=spelling.takes,
            beside=c.beside,
            emits=lambda node: bool(c.names(node)),
            repeats=True,
        ),
        "type_definition": Defines(c.type_kind, name=_names, body=c.members_of, type=spelling.result, beside=c.beside),
        "alias_declaration": Defines(SymbolKind.Class, body=fields(), type=spelling.result),
        "concept_definition": Defines(SymbolKind.Interface, body=fields()),
        "friend_declaration": Defines(
            _friend_kind, name=_friend_names, body=_friend_body, parameters=_friend_parameters, spell=_spell
        ),
        "namespace_definition": Defines(SymbolKind.Namespace, spell=_spell, emits=c.named),
        "class_specifier": _specified(SymbolKind.Class),
        "struct_specifier": _specified(SymbolKind.Struct),
        "union_specifier": _specified(SymbolKind.Struct),
        "enum_specifier": _specified(SymbolKind.Enum),
        "enumerator": Defines(SymbolKind.EnumMember, body=fields()),
    },
    through=c.THROUGH,
    wrappers=frozenset({"template_declaration"}),
    module=no_module,
    masked=cpp_source.masked,
    head=c.head_of,
    selected=c_source.selected,
    relatives="c",
    lexis=lexing.CPP,
    keywords=_KEYWORDS,
    reach=c.reach,
    scoping=Scoping(
        identifiers=c.IDENTIFIERS | {"namespace_identifier"},
        types=frozenset({"type_identifier"}),
        scopes={
            **c.SCOPES,
            "namespace_definition": _namespace_scope,
            "template_declaration": ScopeKind.Open,
            "enum_specifier": _enum_scope,
            "lambda_expression": ScopeKind.Function,
            "if_statement": ScopeKind.Block,
            "while_statement": ScopeKind.Block,
            "switch_statement": ScopeKind.Block,
            "for_range_loop": ScopeKind.Block,
            "catch_clause": ScopeKind.Block,
            "requires_expression": ScopeKind.Block,
        },
        binds={
            **c.BINDS,
            "parameter_declaration": Binds(c.names, type=spelling.result, made=spelling.expected),
            "optional_parameter_declaration": Binds(c.names, type=spelling.result),
            "variadic_parameter_declaration": Binds(c.names, type=spelling.result),
            "declaration": Binds(
                lambda node: () if _is_friend(node) else c.names(node),
                type=spelling.result,
                made=spelling.made,
                reads=spelling.given_names,
                calls=_constructed,
                extern=c.is_extern,
            ),
            "for_range_loop": Binds(c.names, type=spelling.result, made=spelling.each),
            "template_declaration": Binds(lambda node: list(_template_parameters(node))),
            "lambda_capture_initializer": Binds(fields("left")),
        },
        members={"field_expression": spelling.member, "qualified_identifier": ("scope", "name")},
        roles={
            **c.ROLES,
            ("base_class_clause", ""): Role.Inherit,
            ("qualified_identifier", "scope"): Role.Type,  # what stands before ``::`` is no object: [basic.lookup.qual]
            ("new_expression", "type"): Role.Call,
            ("compound_literal_expression", "type"): Role.Call,
            ("template_argument_list", ""): Role.Read,
        },
        including=frozenset(c.IMPORTS),
        hidden=hidden_types.cpp,
        imports={**c.IMPORTS, "using_declaration": _using, "namespace_alias_definition": _alias},
        imports_members=True,
        imports_from_scope=True,
        spaced=True,
        standard_spaces=frozenset({"std"}),
        linked=True,
        may_declare_by_macro=c_macros.may_declare_by_macro,
        pasted_names=c_macros.pasted_names,
        conditions=c_conditions.conditions,
        jump_labels=c.JUMP_LABELS,
        macro_entries=c_macro_declarations.entries,
        space_opened=c_macros.space_opened,
        opens_space=c_macros.opens_space,
        internal=c.is_internal,
        overloads=_overloads,
        passes_on=True,
        types_apart=True,
        locate=c.locate,
        returns={"return_statement": spelling.returned},
        this=frozenset({"this"}),
        receives=True,
        tags=(TAGS,),
        terms=spelling.TERMS,
        through=spelling.through,
        pointers=("operator->", "operator*"),
        protocols={Op.Item: ("this",), Op.Each: ("this.begin()~",)},
        operators={Op.Item: "operator[]", Op.Call: "operator()"},
        open_parts=True,
        member_types=spelling.MEMBER_TYPES,
        collections=spelling.COLLECTIONS,
        paired=frozenset({"map", "unordered_map", "multimap", "unordered_multimap"}),
        fills={**c.FILLS, "field_initializer": spelling.initialized},
        texts=c.TEXTS,
        keys=c.KEYS,
        generic=frozenset({"template_type", "template_function", "template_method"}),
        opaque=c.OPAQUE | {"argument_list", "initializer_list"},
    ),
)
