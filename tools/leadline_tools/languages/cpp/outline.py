"""Definitions of C++ besides those of C: qualified names, operators, members, friends and specializations.

An *unqualified name* is the last part of a name, without template arguments. An *owner* is what a qualified name is a
member of. A *specialization* has template arguments in its name. See https://eel.is/c++draft/.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from leadline_tools.languages.c import outline as c_outline
from leadline_tools.languages.nodes import fields, text
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

_FUNCTIONS = frozenset({SymbolKind.Function, SymbolKind.Method})
DEEPEST_NAME = 32
_CONSTRUCTING = frozenset({"argument_list", "initializer_list"})
_MAY_BE_MACRO = lazy_compile(r"[A-Z][A-Z0-9_]*|main").fullmatch
_CLASSES = frozenset({"class_specifier", "struct_specifier", "union_specifier"})

_MOST_BETWEEN = 24
"""Declarations after that of a template among which is looked for its specializations."""

SPACES = lazy_compile(r"\s+")


def find_unqualified(name: Node) -> Node:
    """Return the last part of a name, without template arguments."""
    for _ in range(DEEPEST_NAME):
        inner = name.child_by_field_name("name")
        if inner is None or name.type not in ("qualified_identifier", "template_function", "template_type"):
            break
        name = inner
    return name


def is_macro_call(node: Node) -> bool:
    """Return whether what stands in a class is the call of a macro: only its constructors have no type.

    https://eel.is/c++draft/class.ctor.general
    """
    around = node.parent.parent if node.parent is not None and node.parent.type == "field_declaration_list" else None
    function = node.child_by_field_name("declarator")
    if around is None or function is None or function.type != "function_declarator":
        return False
    name, owner = function.child_by_field_name("declarator"), around.child_by_field_name("name")
    if node.child_by_field_name("type") is not None or name is None or name.type not in _PLAIN_NAMES:
        return False
    own = find_unqualified(owner) if owner is not None else None
    return text(name) != text(own) and _MAY_BE_MACRO(text(name)) is not None


_PLAIN_NAMES = frozenset({"identifier", "field_identifier"})


def list_names(node: Node) -> Sequence[Node]:
    """Return the names that a declaration declares."""
    if is_macro_call(node):
        return ()
    found = []
    for name in c_outline.list_names(node):
        found += name.named_children if name.type == "structured_binding_declarator" else [find_unqualified(name)]
    return found


def name_owner(name: Node | None) -> str:
    """Return the dotted name of what a qualified name is a member of."""
    parts: list[str] = []
    for _ in range(DEEPEST_NAME):
        if name is None or name.type != "qualified_identifier":
            break
        scope = name.child_by_field_name("scope")
        if scope is not None:
            parts.append(text(find_unqualified(scope)))
        name = name.child_by_field_name("name")
    return ".".join(parts)


def name_container(node: Node) -> str:
    """Return the dotted name of what a declaration belongs to."""
    return name_owner(next(iter(c_outline.list_names(node)), None))


def name_container_of_type(node: Node) -> str:
    """Return the dotted name of what a type belongs to."""
    return name_owner(node.child_by_field_name("name"))


def list_type_names(node: Node) -> Sequence[Node]:
    """Return the name of a type, without what it is a member of."""
    name = node.child_by_field_name("name")
    return () if name is None else (find_unqualified(name),)


def spell_name(name: Node) -> str:
    """Spell the names of operators and of conversions with one space."""
    if name.type == "operator_cast":
        return f"operator {SPACES.sub(' ', text(name.child_by_field_name('type')))}"
    if name.type == "operator_name":
        spelled = SPACES.sub(" ", text(name))
        return spelled if spelled[8:].strip()[:1].isalpha() else spelled.replace(" ", "")
    return text(name).replace("::", ".")


def list_namespace_name(node: Node) -> Sequence[Node]:
    """Return the name of a namespace, the last one in ``a::b``."""
    return list_namespaces(node.child_by_field_name("name"))[-1:]


def name_container_of_namespace(node: Node) -> str:
    """Return the dotted name of the namespaces that one opens together with itself: ``a::b`` in ``a::b::c``."""
    return ".".join(map(text, list_namespaces(node.child_by_field_name("name"))[:-1]))


def list_namespaces(name: Node | None) -> Sequence[Node]:
    """Return the names in ``a::inline b::c`` but ``b``: what an inline namespace has is seen around it."""
    if name is None or name.type != "nested_namespace_specifier":
        return () if name is None else (name,)
    found: list[Node] = []
    inline = False
    for child in name.children:
        if child.type == "nested_namespace_specifier":
            found += list_namespaces(child)
        elif child.type == "namespace_identifier" and not inline:
            found.append(child)
        inline = child.type == "inline"
    return found


def classify_declaration(node: Node) -> SymbolKind:
    """Tell what a declaration outside of a class declares."""
    kind = c_outline.classify_declaration(node) if node.type != "function_definition" else SymbolKind.Function
    names = c_outline.list_names(node)
    if not names or kind is not SymbolKind.Function:
        return SymbolKind.Field if names and name_owner(names[0]) else kind
    last = find_unqualified(names[0])
    if last.type in ("operator_name", "operator_cast"):
        return SymbolKind.Operator
    owner = name_owner(names[0])
    if owner:
        return SymbolKind.Constructor if owner.rpartition(".")[2] == text(last) else SymbolKind.Method
    lost = node.child_by_field_name("type") is None and last.type == "identifier" and not _MAY_BE_MACRO(text(last))
    return SymbolKind.Constructor if lost else kind  # only a constructor has no type: its class was not understood


def list_constructed_types(node: Node, initialized: bool = False) -> Sequence[Node]:
    """Return the name of the type whose constructor a declaration calls: ``A a(1)``, ``A a{1}``.

    ``initialized`` says that it calls one where the grammar sees a function: ``A a(b);``.
    """
    declarators = (one for one in node.children_by_field_name("declarator") if one.type == "init_declarator")
    values = [value.type for one in declarators if (value := one.child_by_field_name("value")) is not None]
    kind = node.child_by_field_name("type")
    if kind is None or not (initialized or _CONSTRUCTING.intersection(values)):
        return ()
    name = find_unqualified(kind)
    return (name,) if name.type == "type_identifier" else ()


def is_friend(node: Node) -> bool:
    """Return whether a friend declaration holds a node."""
    return node.parent is not None and node.parent.type == "friend_declaration"


def classify_declared(node: Node) -> SymbolKind | None:
    """Tell what a declaration declares; nothing where it only names a friend."""
    return None if is_friend(node) else classify_declaration(node)


def classify_member(node: Node) -> SymbolKind:
    """Tell what a declaration directly in a class declares: a constructor is what has no type."""
    kind = classify_declaration(node)
    if kind in (SymbolKind.Variable, SymbolKind.Field):
        return SymbolKind.Field
    if kind not in _FUNCTIONS:
        return kind
    typeless = node.child_by_field_name("type") is None
    names = list_names(node)
    constructs = typeless and bool(names) and names[0].type in ("identifier", "field_identifier")
    return SymbolKind.Constructor if constructs else SymbolKind.Method


def _find_friend(node: Node) -> Node | None:
    """Return the function that a friend declaration defines in passing."""
    return next((child for child in node.named_children if child.type == "function_definition"), None)


def classify_friend(node: Node) -> SymbolKind | None:
    """Return the kind of the function that a friend declaration defines."""
    friend = _find_friend(node)
    return classify_declaration(friend) if friend is not None else None


def list_friend_names(node: Node) -> Sequence[Node]:
    """Return the names of the function that a friend declaration defines."""
    friend = _find_friend(node)
    return list_names(friend) if friend is not None else ()


def list_friend_body(node: Node) -> Sequence[Node]:
    """Return the body of the function that a friend declaration defines."""
    friend = _find_friend(node)
    return fields("body")(friend) if friend is not None else ()


def list_friend_parameters(node: Node) -> Sequence[Node] | None:
    """Return the parameters of the function that a friend declaration defines."""
    friend = _find_friend(node)
    return c_outline.list_parameters(friend) if friend is not None else None


def is_specialization(node: Node) -> bool:
    """Return whether a class has template arguments in its name: https://eel.is/c++draft/temp.spec.partial.general."""
    name = node.child_by_field_name("name")
    while name is not None and name.type == "qualified_identifier":
        name = name.child_by_field_name("name")
    return name is not None and name.type == "template_type"


def is_function_specialization(node: Node) -> bool:
    """Return whether a function has template arguments in its name: https://eel.is/c++draft/temp.expl.spec."""
    return any(name.type == "template_function" for name in c_outline.list_names(node))


def is_completed_by_specializations(node: Node) -> bool:
    """Return whether a template of classes is declared alone, and what follows specializes it."""
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
        if (
            other is None
            or following.child_by_field_name("body") is None
            or text(find_unqualified(other)) != text(name)
        ):
            continue
        if other.type != "template_type":
            return False
        specialized = True
    return specialized


_TYPE_WORD = lazy_compile(r"\w+|[*&\[]|\.\.\.")


def are_overloads(head: str, other: str) -> bool:
    """Return whether two heads declare functions with different parameters: by their number, and the types built in."""
    one, two = _split_parameter_types(head), _split_parameter_types(other)
    if one is None or two is None:
        return False
    return len(one) != len(two) or any(
        a != b and _is_built_in(a) and _is_built_in(b) for a, b in zip(one, two, strict=True)
    )


def _split_parameter_types(head: str) -> Sequence[Sequence[str]] | None:
    """Return the words of the type of each parameter in the head of a function; None for no function."""
    inside = head.partition("(")[2].rpartition(")")[0]
    if not inside and "(" not in head:
        return None
    types = [_TYPE_WORD.findall(part.partition("=")[0]) for part in c_outline.split_declared(inside)]
    named = [
        words[:-1] if len(words) > 1 and words[-1].isidentifier() and words[-1] not in KEYWORDS else words
        for words in types
    ]
    return [words for words in named if words not in ([], ["void"])]


_QUALIFIER = lazy_compile(r"\w+\s*::\s*")
_QUALIFIERS = frozenset({"const", "volatile"})


def spell_parameters(head: str) -> Sequence[Sequence[str]]:
    """Return the words of the types in the head of a function, without the names of parameters and of namespaces.

    What follows the parameters of a member function counts too: https://eel.is/c++draft/over.load.
    """
    inside, _, behind = head.partition("(")[2].rpartition(")")
    parts = (part.partition("=")[0] for part in c_outline.split_declared(_QUALIFIER.sub("", inside)))
    types = [_without_name(_TYPE_WORD.findall(part)) for part in parts]
    after = [word for word in _TYPE_WORD.findall(behind.partition("{")[0]) if word in ("const", "&")]
    return [*(words for words in types if words not in ([], ["void"])), after]


def _without_name(words: Sequence[str]) -> Sequence[str]:
    """Return the words of the type of a parameter; that it is constant itself is no part of its type."""
    named = words[-1:] and words[-1].isidentifier() and words[-1] not in KEYWORDS
    type_ = words[:-1] if named and any(word not in _QUALIFIERS for word in words[:-1]) else words
    by_value = all(word.isidentifier() for word in type_)
    return [word for word in type_ if not (by_value and word in _QUALIFIERS)]


def _is_built_in(words: Sequence[str]) -> bool:
    return all(word in KEYWORDS or not word.isidentifier() for word in words)


KEYWORDS: frozenset[str] = frozenset(
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
