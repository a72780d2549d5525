"""C#: https://learn.microsoft.com/dotnet/csharp/language-reference/specifications."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tree_sitter import Node

from leadline_tools.languages import blanking, lexing
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Language,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    no_module,
    text,
)
from leadline_tools.model import Role, SymbolKind

_OUTER_NAMESPACES = 4


def _dotted(name: Node | None) -> str:
    return "".join(text(name).split())


def _declarators(node: Node) -> Iterator[Node]:
    """Yield what ``int a, b = 1`` declares, also where it stands in a declaration of fields."""
    for child in node.named_children:
        if child.type == "variable_declaration":
            yield from _declarators(child)
        elif child.type == "variable_declarator":
            yield child


def _variables(node: Node) -> Sequence[Node]:
    """Return the names of variables; a deconstruction has several."""
    found: list[Node] = []
    for declarator in _declarators(node):
        found += declarator.children_by_field_name("name")
        found += [child for child in declarator.named_children if child.type == "tuple_pattern"]
    return found


def _declared_type(node: Node) -> Node | None:
    """Return the type that a declaration spells, or that the object it creates has (``var x = new T()``)."""
    declaration = next((child for child in node.named_children if child.type == "variable_declaration"), node)
    kind = declaration.child_by_field_name("type")
    if kind is not None and kind.type == "implicit_type":
        declarators = list(_declarators(declaration))
        created = declarators[0].named_children[-1] if len(declarators) == 1 else kind
        kind = created.child_by_field_name("type") if created.type == "object_creation_expression" else None
    if kind is not None and kind.type == "nullable_type":
        kind = kind.child_by_field_name("type")
    return kind


def _field_kind(node: Node) -> SymbolKind:
    modifiers = [text(child) for child in node.named_children if child.type == "modifier"]
    return SymbolKind.Constant if "const" in modifiers else SymbolKind.Field


def _record_kind(node: Node) -> SymbolKind:
    return SymbolKind.Struct if any(child.type == "struct" for child in node.children) else SymbolKind.Class


def _primary_parameters(node: Node) -> Sequence[Node]:
    return [child for child in node.named_children if child.type == "parameter_list"]


def _parameter_names(node: Node) -> Sequence[Node]:
    """Return the names in a list of parameters; ``params`` stands in the list itself."""
    found: list[Node] = []
    for parameters in node.children_by_field_name("parameters") or _primary_parameters(node):
        for child in parameters.named_children:
            found += child.children_by_field_name("name") if child.type == "parameter" else ()
        found += parameters.children_by_field_name("name")
    return found


def _token(*kinds: str) -> Callable[[Node], Sequence[Node]]:
    def found(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in kinds][:1]

    return found


def _operator(node: Node) -> Sequence[Node]:
    """Return the token that an operator declaration defines."""
    after = False
    for child in node.children:
        if after and child.type != "checked":
            return (child,)
        after = after or child.type == "operator"
    return ()


def _body(node: Node) -> Sequence[Node]:
    return node.children_by_field_name("accessors") or node.children_by_field_name("value")


def _using(node: Node) -> Iterator[Imported]:
    """Read ``using A.B`` and ``using X = A.B.C``; what ``using static`` brings are members."""
    if any(child.type == "static" for child in node.children):
        return
    alias = node.child_by_field_name("name")
    target = next((child for child in reversed(node.named_children) if child != alias), None)
    spelled = _dotted(target)
    if alias is None:
        yield Imported(spelled, "*", "", space=spelled)
    elif target is not None and target.type in ("qualified_name", "identifier"):
        space, _, name = spelled.rpartition(".")
        yield Imported(space, name, text(alias), space=space)


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str]:
    """Return where a namespace may lie: folders are often named like it. What is found there tells its namespace."""
    found: dict[str, None] = {}
    parts = module.split(".") if module else []
    for folder in ("/".join(parts), parts[-1] if parts else ""):
        if folder:
            found.update(dict.fromkeys(path for path in paths.inside(folder) if path.endswith(".cs")))
    return list(found)


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the files beside and above: a namespace sees its own and those around it, wherever they lie."""
    found: list[str] = []
    folder = path.rpartition("/")[0]
    for _ in range(_OUTER_NAMESPACES):
        found += (other for other in paths.inside(folder) if other.endswith(".cs") and other != path)
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    return list(dict.fromkeys(found))


def _member_binding(node: Node) -> tuple[Node | None, Node | None]:
    """Read the member of ``a?.b``: whose it is stands elsewhere."""
    return None, node.child_by_field_name("name")


def _property_pattern(node: Node) -> Sequence[Node | None]:
    first = node.named_children[0] if node.named_children else None
    return (None, first if first is not None and first.type == "identifier" else None)


def _initialized(node: Node) -> Sequence[Node | None]:
    """Return the members that an object initializer sets."""
    sets = [child for child in node.named_children if child.type == "assignment_expression"]
    return (None, *(child.child_by_field_name("left") for child in sets))


def _anonymous(node: Node) -> Sequence[Node | None]:
    """Return the names of the members of an anonymous object."""
    return (None, *(child for child in node.named_children if child.next_sibling and child.next_sibling.type == "="))


_METHOD = Defines(SymbolKind.Method, parameters=_parameter_names)
_FIELDS = Defines(_field_kind, name=_variables, body=fields(), type=_declared_type)
_TYPED = (
    "parameter parameter_list variable_declaration property_declaration indexer_declaration event_declaration"
    " delegate_declaration cast_expression declaration_pattern recursive_pattern type_pattern constant_pattern"
    " nullable_type array_type ref_type foreach_statement catch_declaration declaration_expression"
    " local_function_statement operator_declaration conversion_operator_declaration typeof_expression"
    " default_expression primary_constructor_base_type"
).split()

# --- What the index does without

_HOLE = rb"\{(?:[^{}\"'/\n]++|\"[^\"\\{}\n]*+\"|'[^'\\{}\n]*+')*+\}"
_INERT = (
    rb"\"(?:(?<=\$@\")(?:[^\"{}]++|\"\"|\{\{|\}\}|" + _HOLE + rb")*+\"(?!\")"
    rb"|(?<=@\$\")(?:[^\"{}]++|\"\"|\{\{|\}\}|" + _HOLE + rb")*+\"(?!\")"
    rb"|(?<=@\")[^\"]*+(?:\"\"[^\"]*+)*+\""
    rb"|(?<=\$\")(?!\"\")(?:[^\"\\{}\n]++|\\.|\{\{|\}\}|" + _HOLE + rb")*+\""
    rb"|(?<![$@]\")\"\"(?!\")[^\"]*+(?:\"\"?+(?!\")[^\"]*+)*+\"\"\"(?!\")"
    rb"|(?<![$@]\")(?!\"\")[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\")"
    rb"|'(?:[^'\\\n]|\\.)[^'\\\n]*+'|/(?:/[^\n]*+|\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/|(?![/*]))"
    rb"|\#(?![ \t]*+(?:if|el|end))[^\n]*+"
)
"""A string, of one that holds expressions only where its end is sure; a character, a comment, a slash that begins none,
a directive that is no condition."""

_ARGUMENTS = blanking.nested(rb"<", rb"[^<>{};=\"'/\n]++", rb">")
_WORD = (
    rb"(?!(?:class|struct|record|interface|enum|namespace)\b)[\w.@\x80-\xff]++(?:" + _ARGUMENTS + rb")?+\??+"
    rb"(?:\[,*+\]\??+)*+[ \t]++"
)
_HEAD = (
    rb"[ \t]*+(?:\[[^\[\]{}\"'/\n]*+\][ \t]*+)*+(?:" + _WORD + rb")+"
    rb"(?:operator\b[ \t]*+[^\w\s(){};\"'/]{1,3}+|[\w.@\x80-\xff]++(?:" + _ARGUMENTS + rb")?+)[ \t]*+\("
)
"""A line that begins with a type or modifier, the name and the parenthesis of a method: a type has other words."""

_LIST = rb"(?:[^(){}\"'/]++|\((?:[^(){}\"'/]++|\([^(){}\"'/]*+\))*+\)|" + _INERT + rb")*+\)"
_NEXT_BODY = (
    rb"(?:[^\n\"'/#]++|" + _INERT + rb"|#[^\n]*+|\n(?!" + _HEAD + rb"))*+\n"
    rb"(?:" + _HEAD + _LIST + rb"\s*+(?::\s*+(?:base|this)\s*+\(" + _LIST + rb"\s*+)?+(?:where\b[^{};=\"'/]*+)?+"
    rb"(?P<body>" + blanking.braces(_INERT, rb"\"'/#") + rb"))?+"
)
_GENERIC = blanking.nested(rb"<", rb"[^<>{};=]++", rb">")
_PART = rb"(?:[^\s(){};=<]++|" + _GENERIC + rb"|" + blanking.nested(rb"\(", rb"[^(){};=]++", rb"\)") + rb")++"
_LOCAL = (
    rb"[;{}\n\]][ \t\r]*+(?:(?:static|async|unsafe|extern|ref|readonly)\s++)*+(?!(?:await|case|catch|checked|do|else"
    rb"|fixed|for|foreach|goto|if|lock|new|return|switch|throw|try|unchecked|using|while|yield)\b)(?=[\w@(\x80-\xff])"
    rb"(?:(?:%(part)s\s++){1,40}[\w@\x80-\xff]++\s*+(?:%(generic)s\s*+)?+\(|(?:%(part)s\s*+){0,40}<(?:[^<{};=]*+<){6}|(?:%(part)s\s++){40})"
    % {b"part": _PART, b"generic": _GENERIC}
)
"""Parts of a type and a name before a parenthesis, or more than any type has."""


def _defines(found: re.Match[bytes]) -> bool:
    """Tell whether a function may be in a body: a type and a name before a parenthesis; nothing else is a symbol."""
    body = found["body"]
    if b"//" in body or b"/*" in body:
        body = blanking.compiled(_INERT).sub(b" ", body)
    return blanking.compiled(_LOCAL).search(body) is not None


def _blanked(content: bytes) -> bytes:
    """Blank the bodies of methods and constructors without local functions."""
    return blanking.blanked(content, _NEXT_BODY, _defines)


LANGUAGE = Language(
    name="csharp",
    extensions=(".cs", ".csx"),
    grammar=("tree_sitter_c_sharp", "language"),
    definitions={
        "namespace_declaration": Defines(SymbolKind.Namespace, spell=_dotted),
        "file_scoped_namespace_declaration": Defines(SymbolKind.Namespace, spell=_dotted, body=fields(), rest=True),
        "class_declaration": Defines(SymbolKind.Class),
        "struct_declaration": Defines(SymbolKind.Struct),
        "interface_declaration": Defines(SymbolKind.Interface),
        "record_declaration": Defines(_record_kind, head=_primary_parameters),
        "parameter": Defines(SymbolKind.Property, body=fields(), type=_declared_type),
        "enum_declaration": Defines(SymbolKind.Enum),
        "enum_member_declaration": Defines(SymbolKind.EnumMember, body=fields()),
        "field_declaration": _FIELDS,
        "event_field_declaration": Defines(SymbolKind.Event, name=_variables, body=fields(), type=_declared_type),
        "event_declaration": Defines(SymbolKind.Event, body=fields("accessors"), type=_declared_type),
        "property_declaration": Defines(SymbolKind.Property, body=_body, type=_declared_type),
        "indexer_declaration": Defines(SymbolKind.Property, name=_token("this"), body=_body, type=_declared_type),
        "delegate_declaration": Defines(SymbolKind.Class, body=fields(), parameters=_parameter_names),
        "constructor_declaration": Defines(SymbolKind.Constructor, parameters=_parameter_names),
        "destructor_declaration": Defines(
            SymbolKind.Method, parameters=_parameter_names, spell=lambda name: f"~{text(name)}"
        ),
        "operator_declaration": Defines(
            SymbolKind.Operator,
            name=_operator,
            parameters=_parameter_names,
            spell=lambda name: f"operator{text(name)}",
        ),
        "conversion_operator_declaration": Defines(
            SymbolKind.Operator,
            name=fields("type"),
            parameters=_parameter_names,
            spell=lambda name: f"operator {_dotted(name)}",
        ),
        "method_declaration": _METHOD,
        "local_function_statement": Defines(SymbolKind.Function, parameters=_parameter_names),
    },
    through=frozenset("preproc_if preproc_elif preproc_else global_statement declaration_list ERROR".split()),
    module=no_module,
    lexis=lexing.CSHARP,
    blanked=_blanked,
    scoping=Scoping(
        identifiers=frozenset({"identifier", "implicit_parameter"}),
        scopes={
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
            "switch_section": ScopeKind.Block,
            "switch_expression_arm": ScopeKind.Block,
            "query_expression": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(fields("name"), type=_declared_type),
            "parameter_list": Binds(fields("name")),
            "lambda_expression": Binds(fields("parameters")),
            "variable_declaration": Binds(_variables, type=_declared_type),
            "foreach_statement": Binds(fields("left"), type=_declared_type),
            "catch_declaration": Binds(fields("name"), type=_declared_type),
            "declaration_pattern": Binds(fields("name"), type=_declared_type),
            "recursive_pattern": Binds(fields("name"), type=_declared_type),
            "var_pattern": Binds(fields("name")),
            "declaration_expression": Binds(fields("name"), type=_declared_type),
            "tuple_pattern": Binds(fields("name")),
            "from_clause": Binds(fields("name")),
            "let_clause": Binds(lambda node: node.named_children[:1]),
            "join_clause": Binds(lambda node: node.named_children[:1]),
            "type_parameter": Binds(fields("name"), types=True),
        },
        members={
            "member_access_expression": ("expression", "name"),
            "qualified_name": ("qualifier", "name"),
            "member_binding_expression": _member_binding,
            "subpattern": _property_pattern,
            "initializer_expression": _initialized,
            "anonymous_object_creation_expression": _anonymous,
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
        imports={"using_directive": _using},
        locate=_locate,
        siblings=_siblings,
        spaced=True,
        types_apart=True,
        this=frozenset({"this"}),
        keys=frozenset({("argument", "name"), ("attribute_argument", "name")}),
        generic=frozenset({"generic_name"}),
        opaque=frozenset({"element_access_expression", "invocation_expression"}),
    ),
)
