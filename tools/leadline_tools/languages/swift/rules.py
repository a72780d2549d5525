"""Swift: https://docs.swift.org/swift-book/documentation/the-swift-programming-language/aboutthelanguagereference/.

Which files make up a module is decided by the build: here those of a folder do, and those of the folder of a target of
a package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from leadline_tools.languages import hidden_types, lexing, reach, terms
from leadline_tools.languages.language import (
    Binds,
    Defines,
    Imported,
    Labels,
    Language,
    Nodes,
    Paths,
    ScopeKind,
    Scoping,
    fields,
    text,
)
from leadline_tools.languages.swift import labels as swift_labels
from leadline_tools.languages.terms import FUNCTION, TUPLE, UNKNOWN, Op, Spell, either, object_of, then
from leadline_tools.model import Role, SymbolKind

_IMPORTED = ("class", "struct", "enum", "protocol", "func", "let", "var", "typealias")
_TYPES = frozenset(
    "user_type optional_type array_type dictionary_type tuple_type function_type opaque_type existential_type"
    " protocol_composition_type".split()
)
_KINDS = {"struct": SymbolKind.Struct, "enum": SymbolKind.Enum}


def _of(*types: str) -> Nodes:
    """Return a function that gives the children of one of the ``types``."""

    def children(node: Node) -> Sequence[Node]:
        return [child for child in node.children if child.type in types]

    return children


def _first(node: Node) -> Sequence[Node]:
    """Return the name; types stand in fields of the same name behind it."""
    return node.children_by_field_name("name")[:1]


def _type_kind(node: Node) -> SymbolKind:
    return _KINDS.get(text(node.child_by_field_name("declaration_kind")), SymbolKind.Class)


def _is_no_extension(node: Node) -> bool:
    return text(node.child_by_field_name("declaration_kind")) != "extension"


def _without_arguments(name: Node) -> str:
    """Return ``A.B`` of the extended type ``A.B<C>``."""
    if name.type != "user_type":
        return text(name)
    return ".".join(text(part) for part in name.named_children if part.type == "type_identifier")


def _names(node: Node) -> Sequence[Node]:
    """Return the names of the parameters, inside; each may have another outside, and has a type."""
    return [
        name
        for parameter in node.named_children
        if parameter.type == "parameter"
        for name in parameter.children_by_field_name("name")
        if name.type == "simple_identifier"
    ]


def _parameter_name(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("name") if name.type == "simple_identifier"]


def _bound(pattern: Node, binding: bool) -> Iterator[Node]:
    """Yield the names that a pattern binds: those under a ``let`` or ``var``, but for the names of cases."""
    stack = [(pattern, binding)]
    while stack:
        node, binds = stack.pop()
        binds = binds or bool(_of("value_binding_pattern")(node))
        dotted = False
        for child in node.children:
            if child.type == "pattern":
                stack.append((child, binds))
            elif child.type == "simple_identifier" and binds and not dotted:
                yield child
            dotted = child.type == "."


def _declared(node: Node) -> Sequence[Node]:
    names = (name for pattern in _patterns(node) for name in _bound(pattern, binding=True))
    return sorted(names, key=lambda name: name.start_byte)


def _patterns(node: Node) -> Sequence[Node]:
    return [name for name in node.children_by_field_name("name") if name.type == "pattern"]


def _property_kind(node: Node) -> SymbolKind:
    constant = any(text(child) == "let" for child in _of("value_binding_pattern")(node))
    return SymbolKind.Constant if constant else SymbolKind.Variable


class _Declared(NamedTuple):
    """One pattern of a declaration, with its annotation and its value."""

    pattern: Node
    annotation: Node | None = None
    value: Node | None = None


def _parts(node: Node) -> Sequence[_Declared]:
    """Return what a declaration declares: ``let a: A, b = c`` two of it."""
    parts: list[_Declared] = []
    for i, child in enumerate(node.children):
        if child.type == "pattern":
            parts.append(_Declared(child))
        elif child.type == "type_annotation" and parts:
            parts[-1] = parts[-1]._replace(annotation=child)
        elif node.field_name_for_child(i) == "value" and parts:
            parts[-1] = parts[-1]._replace(value=child)
    return parts


def _property_type(node: Node) -> Node | None:
    """Return the declared type where one variable is declared."""
    parts = _parts(node)
    if len(parts) != 1 or parts[0].annotation is None or len(list(_bound(parts[0].pattern, binding=True))) > 1:
        return None
    return _type(parts[0].annotation)


def _type(node: Node) -> Node | None:
    """Return the declared type, which stands in a field of the same name as the name before it."""
    return next((declared for declared in node.children_by_field_name("name") if declared.type in _TYPES), None)


def _parameter_type(node: Node) -> Node | None:
    """Return the type of a parameter; that of a variadic one is its elements'."""
    return None if _of("...")(node) else _type(node)


def _result(node: Node) -> Node | None:
    """Return the type of what a function returns."""
    behind = False
    for child in node.children:
        if behind and child.is_named:
            return child
        behind = behind or child.type == "->"
    return None


def _conditions(node: Node) -> Sequence[Node]:
    """Return what ``if let``, ``guard let`` and ``while case let`` bind."""
    names = [*node.children_by_field_name("bound_identifier")]
    for pattern in node.children_by_field_name("condition"):
        if pattern.type == "pattern":
            names.extend(_bound(pattern, binding=False))
    return names


def _shadowed(node: Node) -> Iterator[Node]:
    """Yield the identifiers in the values of conditions that are called like the name that takes the value."""
    name = ""
    for i, child in enumerate(node.children):
        field = node.field_name_for_child(i)
        if field == "bound_identifier":
            name = text(child)
        elif child.type == ",":
            name = ""
        elif field != "condition" and child.type in ("statements", "{"):
            return
        elif name and child.is_named:
            yield from (one for one in _identifiers(child) if text(one) == name)


def _shadowing(node: Node) -> Sequence[Node]:
    return list(_shadowed(node))


def _identifiers(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type == "simple_identifier":
            yield one
        waiting.extend(one.named_children)


def _matched(node: Node) -> Sequence[Node]:
    return [name for pattern in _of("pattern")(node) for name in _bound(pattern, binding=False)]


def _looped(node: Node) -> Sequence[Node]:
    pattern = node.child_by_field_name("item")
    return () if pattern is None else list(_bound(pattern, binding=True))


def _navigation(node: Node) -> Sequence[Node | None]:
    suffix = node.child_by_field_name("suffix")
    return node.child_by_field_name("target"), suffix.child_by_field_name("suffix") if suffix is not None else None


def _cases(node: Node) -> Sequence[Node | None]:
    """Return the names behind a bare dot as members of the type that is expected, as far as that is spelled."""
    names: list[Node | None] = [_expected(node)]
    dotted = False
    for child in node.children:
        if dotted and child.type == "simple_identifier":
            names.append(child)
        dotted = child.type == "."
    return names


def _expected(node: Node) -> Node | None:
    """Return what tells the type that an expression or a pattern has to be of."""
    inner, around = node, node.parent
    while around is not None and around.type in ("call_expression", "ternary_expression", "pattern", "switch_pattern"):
        if around.type == "call_expression" and around.named_children[0] != inner:
            return None
        inner, around = around, around.parent
    if around is None or around.child_by_field_name("lhs") == inner:
        return None
    teller = _TELLERS.get(around.type)
    return teller(around) if teller is not None else None


def _switched(node: Node) -> Node | None:
    return node.parent.child_by_field_name("expr") if node.parent is not None else None


def _returned(node: Node | None) -> Node | None:
    while node is not None and node.type not in ("function_declaration", "lambda_literal", "property_declaration"):
        node = node.parent
    if node is None or node.type == "lambda_literal":
        return None
    return _result(node) if node.type == "function_declaration" else _property_type(node)


_TELLERS: Mapping[str, Callable[[Node], Node | None]] = {
    "assignment": lambda node: node.child_by_field_name("target"),
    "control_transfer_statement": _returned,
    "equality_expression": lambda node: node.child_by_field_name("lhs"),
    "property_declaration": _property_type,
    "switch_entry": _switched,
}
"""What tells the type of what is inside a node."""


# --- What types and values are spelled like


def _user_type(node: Node, spell: Spell) -> str:
    """Spell a type, each of whose names may have arguments."""
    term = ""
    for child in node.named_children:
        if child.type == "type_identifier":
            term = then(term, f".{text(child)}") if term else text(child)
        elif child.type == "type_arguments":
            term = terms.applied(term, [spell(argument) for argument in child.named_children])
    return term or UNKNOWN


def _array_type(node: Node, spell: Spell) -> str:
    return terms.applied("Array", [spell(node.child_by_field_name("name"))])


def _dictionary_type(node: Node, spell: Spell) -> str:
    return terms.applied("Dictionary", map(spell, node.children_by_field_name("name")))


def _tuple_type(node: Node, spell: Spell) -> str:
    """Spell the type of a tuple; one element is what stands in parentheses."""
    elements = [spell(_type(item)) for item in _of("tuple_type_item")(node)]
    return elements[0] if len(elements) == 1 else terms.applied(TUPLE, elements)


def _function_type(node: Node, spell: Spell) -> str:
    parameters = node.child_by_field_name("params")
    taken = [spell(_type(item)) for item in _of("tuple_type_item")(parameters)] if parameters is not None else []
    return terms.applied(FUNCTION, [spell(node.child_by_field_name("name")), *taken])


def _label(node: Node) -> Node | None:
    """Return the label of an argument."""
    label = node.child_by_field_name("name")
    return label.named_children[0] if label is not None and label.named_children else None


def _called(node: Node, spell: Spell) -> str:
    """Spell a call; one in brackets is an element, and one of ``init`` an object."""
    function = node.named_children[0]
    arguments = [inner for suffix in _of("call_suffix")(node) for inner in _of("value_arguments")(suffix)]
    if any(child.type == "[" for one in arguments for child in one.children[:1]):
        return then(spell(function), "[]")
    if function.type == "navigation_expression":
        owner, name = _navigation(function)
        if text(name) == "init":
            return object_of(spell(owner))
    return then(spell(function), "()")


def _constructed(node: Node, spell: Spell) -> str:
    return object_of(spell(node.child_by_field_name("constructed_type")))


def _cast(node: Node, spell: Spell) -> str:
    return object_of(spell(_type(node)))


def _unwrapped(node: Node, spell: Spell) -> str:
    """Spell ``a!``."""
    return spell(node.child_by_field_name("target")) if text(node.child_by_field_name("operation")) == "!" else UNKNOWN


def _array(node: Node, spell: Spell) -> str:
    elements = either(spell(element) for element in node.children_by_field_name("element"))
    return object_of(terms.applied("Array", [elements]))


def _tuple(node: Node, spell: Spell) -> str:
    """Spell a tuple; one element is what stands in parentheses."""
    values = [spell(value) for value in node.children_by_field_name("value")]
    return values[0] if len(values) == 1 else object_of(terms.applied(TUPLE, values))


def _given(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of a declaration what is declared of them, else their values."""
    parts = _parts(node)
    for pattern, annotation, value in parts:
        declared = _type(annotation) if annotation is not None else None
        yield from _taken_apart(pattern, object_of(spell(declared)) if declared is not None else spell(value))


def _taken_apart(pattern: Node, term: str) -> Iterator[tuple[Node, str]]:
    """Yield each variable of a pattern with the part of the value that it takes."""
    inner = [child for child in pattern.named_children if child.type == "pattern"]
    if not inner:
        yield from ((name, term) for name in _bound(pattern, binding=True))
    for i, child in enumerate(inner):
        yield from _taken_apart(child, then(term, f"#{i}"))


def _each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the variables of a loop what is declared of them, else an element of what is looped over."""
    pattern = node.child_by_field_name("item")
    annotation = next(iter(_of("type_annotation")(node)), None)
    if pattern is not None:
        element = then(spell(node.child_by_field_name("collection")), "*")
        yield from _taken_apart(pattern, object_of(spell(_type(annotation))) if annotation is not None else element)


_HEAD = re.compile(r"[^\W\d]\w*")


def _conditioned(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of ``if let`` what they are given; one alone is given what is called so around.

    The values are read around, where the names that are bound before them do not mean the same.
    """
    given: dict[str, str] = {}
    name: Node | None = None
    equals = False
    for i, child in enumerate(node.children):
        field = node.field_name_for_child(i)
        if field == "bound_identifier":
            name, equals = child, False
            given[text(name)] = text(name)
        elif child.type == "=":
            equals = True
        elif name is not None and (child.type == "," or field not in ("condition", "bound_identifier")):
            yield name, given[text(name)]
            name = None
        elif name is not None and equals and child.is_named:
            term = spell(child)
            head = _HEAD.match(term)
            known = given.get(head[0]) if head is not None and head[0] != text(name) else None
            given[text(name)] = known + term[len(head[0]) :] if head is not None and known is not None else term
    if name is not None:
        yield name, given[text(name)]


def _of_type(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the names of ``let name as Type`` an object of that."""
    for pattern in _of("pattern")(node):
        declared = _type(pattern)
        for name in _bound(pattern, binding=False) if declared is not None else ():
            yield name, object_of(spell(declared))


def _elements(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a variadic parameter an array of what is declared."""
    if _of("...")(node):
        array = object_of(terms.applied("Array", [spell(_type(node))]))
        yield from ((name, array) for name in _parameter_name(node))


def _bases(node: Node, spell: Spell) -> Iterator[str]:
    for specifier in _of("inheritance_specifier")(node):
        yield spell(specifier.child_by_field_name("inherits_from"))


def _generics(node: Node) -> Sequence[Node]:
    listed = [parameter for around in _of("type_parameters")(node) for parameter in _of("type_parameter")(around)]
    return [name for parameter in listed for name in _of("type_identifier")(parameter)]


def _bounds(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a type parameter what it conforms to."""
    yield from ((name, object_of(spell(_type(node)))) for name in _of("type_identifier")(node))


def _enumeration(node: Node) -> Node | None:
    """Return the name of the enumeration that a case belongs to."""
    around = node.parent.parent if node.parent is not None else None
    return around.child_by_field_name("name") if around is not None else None


def _is(node: Node, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``name is Type`` tells."""
    left = node.child_by_field_name("target")
    if left is not None and left.type == "simple_identifier":
        yield text(left), object_of(spell(_type(node)))


_TERMS = {
    "array_literal": _array,
    "array_type": _array_type,
    "as_expression": _cast,
    "await_expression": terms.same("expr"),
    "call_expression": _called,
    "constructor_expression": _constructed,
    "dictionary_type": _dictionary_type,
    "directly_assignable_expression": terms.same(),
    "existential_type": terms.same(),
    "function_type": _function_type,
    "nil_coalescing_expression": terms.one_of("value", "if_nil"),
    "opaque_type": terms.same(),
    "optional_type": terms.same("wrapped"),
    "postfix_expression": _unwrapped,
    "protocol_composition_type": terms.one_of(),
    "ternary_expression": terms.one_of("if_true", "if_false"),
    "try_expression": terms.same("expr"),
    "tuple_expression": _tuple,
    "tuple_type": _tuple_type,
    "user_type": _user_type,
}


def _import(node: Node) -> Iterator[Imported]:
    """Read ``import A`` and ``import struct A.B``."""
    for path in _of("identifier")(node):
        module, _, name = text(path).rpartition(".")
        if module and _of(*_IMPORTED)(node):
            yield Imported(module, name, name)
        else:
            yield Imported(text(path), "*", "")


def _locate(module: str, _importer: str, paths: Paths) -> Sequence[str] | None:
    """Return the files of a module of a package; any other may be anywhere."""
    found = [path for path in paths.inside(f"Sources/{module}") if path.endswith(".swift")]
    return found or None


def _captured(item: Node) -> Sequence[Node]:
    """Return the name in ``[name = value]``; in ``[name]`` it is that of what is captured, which means the same."""
    return item.children_by_field_name("name") if item.child_by_field_name("value") is not None else ()


_TARGET = re.compile(r"(.*/)?(?:Sources|Tests)/[^/]+")


def _siblings(path: str, paths: Paths) -> Sequence[str]:
    """Return the other files of the folder, and of the folder of the target of a package around it."""
    folder = path.rpartition("/")[0]
    target = _TARGET.match(folder)
    folders = dict.fromkeys((folder, target[0] if target is not None else folder))
    found = [other for each in folders for other in paths.inside(each) if other.rpartition("/")[0] == each]
    return [other for other in found if other != path and other.endswith(".swift")]


_KEYWORDS = frozenset(
    (
        "Any Self Type _ as associatedtype break case catch class continue default defer deinit do else enum "
        "extension fallthrough false fileprivate for func guard if import in init inout internal is let nil operator "
        "precedencegroup private protocol public repeat rethrows return self static struct subscript super switch "
        "throw throws true try typealias var where while"
    ).split()
)

LANGUAGE = Language(
    name="swift",
    extensions=(".swift",),
    grammar=("tree_sitter_swift", "language"),
    definitions={
        "class_declaration": Defines(
            _type_kind,
            name=_first,
            spell=_without_arguments,
            emits=_is_no_extension,
            bases=_bases,
            generics=_generics,
        ),
        "protocol_declaration": Defines(SymbolKind.Interface, name=_first, bases=_bases),
        "function_declaration": Defines(
            SymbolKind.Function, member=SymbolKind.Method, name=_first, parameters=_names, type=_result
        ),
        "protocol_function_declaration": Defines(SymbolKind.Method, name=_first, parameters=_names, type=_result),
        "init_declaration": Defines(SymbolKind.Constructor, name=_first, parameters=_names),
        "deinit_declaration": Defines(SymbolKind.Method, name=_of("deinit"), parameters=_names),
        "subscript_declaration": Defines(
            SymbolKind.Method, name=_of("subscript"), body=_of("computed_property"), parameters=_names
        ),
        "macro_declaration": Defines(
            SymbolKind.Function, name=_of("simple_identifier"), body=fields("definition"), parameters=_names
        ),
        "property_declaration": Defines(
            _property_kind,
            member=SymbolKind.Property,
            name=_declared,
            body=fields("computed_value"),
            parameters=fields("computed_value"),  # its inside is that of a function
            type=_property_type,
            made=_given,
        ),
        "protocol_property_declaration": Defines(
            SymbolKind.Property, name=_declared, body=fields(), type=_property_type
        ),
        "enum_entry": Defines(SymbolKind.EnumMember, name=_parameter_name, body=fields(), type=_enumeration),
        "typealias_declaration": Defines(SymbolKind.Class, name=_first, body=fields(), type=_type, generics=_generics),
        "associatedtype_declaration": Defines(SymbolKind.TypeParameter, name=_first, body=fields(), type=_type),
        "operator_declaration": Defines(SymbolKind.Operator, name=_of("custom_operator"), body=fields()),
    },
    through=frozenset({"statements", "ERROR"}),
    decorations=frozenset({"attribute"}),
    comments=frozenset({"comment", "multiline_comment"}),
    lexis=lexing.SWIFT,
    keywords=_KEYWORDS,
    reach=reach.private,
    scoping=Scoping(
        identifiers=frozenset({"simple_identifier", "type_identifier"}),
        types=frozenset({"type_identifier"}),
        scopes={
            "class_declaration": ScopeKind.Class,
            "protocol_declaration": ScopeKind.Class,
            "function_declaration": ScopeKind.Function,
            "protocol_function_declaration": ScopeKind.Function,
            "init_declaration": ScopeKind.Function,
            "deinit_declaration": ScopeKind.Function,
            "subscript_declaration": ScopeKind.Function,
            "macro_declaration": ScopeKind.Function,
            "lambda_literal": ScopeKind.Function,
            "computed_property": ScopeKind.Function,
            "computed_getter": ScopeKind.Function,
            "computed_setter": ScopeKind.Function,
            "typealias_declaration": ScopeKind.Block,
            "statements": ScopeKind.Block,
            "if_statement": ScopeKind.Block,
            "while_statement": ScopeKind.Block,
            "for_statement": ScopeKind.Block,
            "switch_entry": ScopeKind.Block,
            "catch_block": ScopeKind.Block,
        },
        binds={
            "parameter": Binds(_parameter_name, type=_parameter_type, made=_elements),
            "lambda_parameter": Binds(_parameter_name, type=_type),
            "capture_list_item": Binds(_captured),
            "computed_setter": Binds(_of("simple_identifier")),
            "type_parameter": Binds(_of("type_identifier"), made=_bounds, types=True),
            "property_declaration": Binds(_declared, type=_property_type, made=_given, after=True),
            "if_statement": Binds(_conditions, made=_conditioned, around=True, shadows=_shadowing),
            "guard_statement": Binds(_conditions, made=_conditioned, after=True),
            "while_statement": Binds(_conditions, made=_conditioned, around=True, shadows=_shadowing),
            "for_statement": Binds(_looped, made=_each, around=True),
            "switch_pattern": Binds(_matched, made=_of_type),
            "catch_block": Binds(_matched, made=_of_type),
        },
        protocols={Op.Item: ("this.subscript()",)},
        outside={("for_statement", "collection"): lambda _node: True},
        members={
            "navigation_expression": _navigation,
            "user_type": _of("type_identifier"),
            "prefix_expression": _cases,
            "pattern": _cases,
            "if_statement": _cases,
            "guard_statement": _cases,
            "while_statement": _cases,
        },
        roles={
            ("call_expression", ""): Role.Call,
            ("inheritance_specifier", ""): Role.Inherit,
            ("attribute", ""): Role.Decorator,
            ("value_argument", ""): Role.Read,
            ("assignment", "target"): Role.Write,
            ("assignment", "result"): Role.Read,
        },
        hidden=hidden_types.swift,
        imports={"import_declaration": _import},
        locate=_locate,
        siblings=_siblings,
        this=frozenset({"self"}),
        own=frozenset({"Self"}),
        above=frozenset({"super"}),
        terms=_TERMS,
        narrows={"check_expression": _is},
        scattered=True,
        labels=Labels(swift_labels.declared_labels, swift_labels.given_labels, swift_labels.accepts),
        takes_fields=lambda declaration: re.search(r"\bstruct\b", declaration) is not None,
        arguments={"value_argument": _label},
        by_name=lambda before, _behind: before.rstrip()[-1:] in ("(", ",", ""),
        keys=frozenset(
            {
                ("parameter", "external_name"),
                ("value_argument_label", ""),
                ("tuple_expression", "name"),
                ("enum_type_parameters", ""),
                ("directive", ""),
                ("precedence_group_attribute", ""),
            }
        ),
        opaque=frozenset({"call_expression"}),
    ),
)
