"""Definitions of C: the names of declarators, their kinds and heads, members, and the bodies that are left out.

A *declarator* is the part of a declaration that names one thing: ``*a`` in ``int *a, b;``. A *specifier* is the
structure, union, class or enumeration that a declaration defines on its way. See 6.7 of
https://www.open-std.org/jtc1/sc22/wg14/www/docs/n3220.pdf. C++ and Objective-C share these functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages import blanking
from leadline_tools.languages.c import declarations as c_declarations
from leadline_tools.languages.c import macro_declarations
from leadline_tools.languages.c import source as c_source
from leadline_tools.languages.nodes import root_of, text
from leadline_tools.languages.rules.outline import Defines, NodeSymbols
from leadline_tools.languages.terms import TAGS
from leadline_tools.languages.tuples import new_tuple
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import SymbolKind

LONGEST_DECLARATOR: Final = 64
DECLARATOR_NAMES: Final[frozenset[str]] = frozenset(
    "identifier field_identifier type_identifier primitive_type qualified_identifier destructor_name operator_name"
    " operator_cast template_function structured_binding_declarator".split()
)
RESERVED: Final[frozenset[str]] = frozenset(
    "auto bool break case char const continue default do double else enum extern float for goto if inline int long"
    " register return short signed sizeof static struct switch typedef union unsigned void volatile while".split()
)
_LONGEST_RESERVED: Final = max(map(len, RESERVED))

_PARAMETERS: Final = frozenset({"parameter_declaration", "optional_parameter_declaration"})
_BEFORE_NAME: Final = frozenset("(,")
_AFTER_NAME: Final = frozenset("),")
_AROUND_DECLARATIONS: Final = frozenset(
    "translation_unit declaration_list preproc_if preproc_ifdef preproc_elif preproc_elifdef preproc_else".split()
)
_SPECIFIERS: Final = frozenset({"struct_specifier", "union_specifier", "class_specifier", "enum_specifier"})


def find_declared(declarator: Node) -> tuple[Node | None, Node | None]:
    """Return the node of the name that a declarator declares, and its function declarator if that is a function."""
    node = _find_member_pointer(declarator) or declarator
    kind = node.type
    function: Node | None = None
    for _ in range(LONGEST_DECLARATOR):
        if kind in DECLARATOR_NAMES:
            break
        if kind == "function_declarator":
            function = node
        elif kind not in ("parenthesized_declarator", "attributed_declarator", "init_declarator"):
            function = None  # a pointer to a function
        inner = node.child_by_field_name("declarator")
        if inner is None and kind == "abstract_array_declarator":
            return None, None  # what is between the brackets is its size
        inner = _find_member_pointer(inner or _find_inner_declarator(node))
        if inner is None:
            return None, None
        if kind == "function_declarator" == inner.type:
            name = _find_given_name(inner)
            return name, node if name is not None else None
        node, kind = inner, inner.type
    if kind not in DECLARATOR_NAMES:
        return None, None
    if kind == "operator_cast":
        function = node.child_by_field_name("declarator")
    short = node.end_byte - node.start_byte <= _LONGEST_RESERVED
    return (None, None) if short and text(node) in RESERVED else (node, function)


def _find_inner_declarator(node: Node) -> Node | None:
    return next((one for one in node.named_children if one.type in DECLARATOR_NAMES or "declarator" in one.type), None)


def _find_member_pointer(declarator: Node | None) -> Node | None:
    """Return ``*p`` of ``A::*p``, a pointer to a member of C++ (https://eel.is/c++draft/dcl.mptr); else the same."""
    inner = declarator
    for _ in range(LONGEST_DECLARATOR):
        if inner is None or inner.type != "qualified_identifier":
            break
        inner = inner.child_by_field_name("name")
    return inner if inner is not None and inner.type == "pointer_type_declarator" else declarator


def _find_pointing_field(node: Node) -> Node | None:
    """Return the name of the field ``int A::*p;``, which the grammar takes for bits of a field; None for any other."""
    if node.type != "field_declaration":
        return None
    bits = next((one for one in node.named_children if one.type == "bitfield_clause"), None)
    colon = bits.prev_sibling if bits is not None else None
    if bits is None or colon is None or colon.type != "ERROR" or text(colon) != ":":
        return None
    pointed: Node | None = bits.named_children[0] if bits.named_children else None
    if pointed is not None and pointed.type == "assignment_expression":
        pointed = pointed.child_by_field_name("left")
    if pointed is not None and pointed.type == "qualified_identifier":
        return find_declared(pointed)[0]
    name = pointed.child_by_field_name("argument") if pointed is not None else None
    return name if name is not None and name.type == "identifier" else None


def _find_field_of_macro(node: Node) -> Node | None:
    """Return the name of the field that ``BIT(closed);`` declares where its file defines such a macro; else None."""
    macro = find_given_alone(node)
    if macro is None:
        return None
    name, given = macro
    content = root_of(node).text or b""
    return given if macro_declarations.declares_given(content, (name.text or b"")) else None


def find_given_alone(field: Node) -> tuple[Node, Node] | None:
    """Return the name of a macro and the word that it is given where its call is all of a field; None for another."""
    kind = field.child_by_field_name("type") if field.type == "field_declaration" else None
    if kind is None or kind.type != "macro_type_specifier" or kind.has_error:
        return None
    name, described = kind.child_by_field_name("name"), kind.child_by_field_name("type")
    given = described.named_children[0] if described is not None and described.named_child_count == 1 else None
    alone = name is not None and given is not None and given.type == "type_identifier"
    return (name, given) if name is not None and given is not None and alone else None


def _find_given_name(call: Node) -> Node | None:
    """Return the name that a macro is given where a function would return another, which none does (6.7.6.3 of C11).

    ``int API(run)(int count)`` declares what the macro makes of ``run``.
    """
    macro, parameters = call.child_by_field_name("declarator"), call.child_by_field_name("parameters")
    given = parameters.named_children if parameters is not None else ()
    if macro is None or macro.type != "identifier" or text(macro) in RESERVED:
        return None
    if len(given) != 1 or given[0].type != "parameter_declaration" or given[0].named_child_count != 1:
        return None
    name = given[0].named_children[0]
    return name if name.type in DECLARATOR_NAMES else None


def find_specifier(node: Node) -> Node | None:
    """Return the structure, union, class or enumeration that a declaration defines on its way."""
    kind = node.child_by_field_name("type")
    return kind if kind is not None and kind.type in _SPECIFIERS and kind.child_by_field_name("body") else None


def list_declared(node: Node) -> Sequence[tuple[Node, Node | None]]:
    """Return what a declaration declares; not a macro after a closing brace, which only looks declared."""
    return _list_declared_after(node, find_specifier(node), node.children_by_field_name("declarator"))


def _list_declared_after(
    node: Node, specified: Node | None, declarators: Sequence[Node]
) -> Sequence[tuple[Node, Node | None]]:
    alone = _find_pointing_field(node) if node.has_error else None if declarators else _find_field_of_macro(node)
    if alone is not None:
        return [(alone, None)]
    found: list[tuple[Node, Node | None]] = []
    for declarator in declarators[: _count_certain(node)] if node.has_error else declarators:
        name, function = find_declared(declarator)
        if name is None or (specified is not None and (function is not None or _is_attribute(node, name))):
            continue
        found.append((name, function))
    return found


def _count_certain(node: Node) -> int | None:
    """Return how many declarators of a declaration are surely such; None where all are.

    Where the call of a macro stands for a type and a name, ``typedef CALLBACK(void, *hook, (int count));``, the first
    is what it declares, and none where it takes up the type.
    """
    kind = node.child_by_field_name("type")
    if kind is None:
        return None
    if kind.type == "macro_type_specifier":
        outside = node.parent is not None and node.parent.type in _AROUND_DECLARATIONS
        return 0 if outside and kind.children[-1].is_missing else None
    after = kind.next_sibling
    opened = after is not None and after.type == "ERROR" and after.child_count > 0 and after.children[0].type == "("
    return 1 if opened and node.type == "type_definition" else None


def _is_attribute(node: Node, name: Node) -> bool:
    """Return whether ``name`` in ``struct {} __packed;`` is a macro: such names are not the program's to declare."""
    return node.type != "type_definition" and text(name).startswith("__")


def list_names(node: Node) -> Sequence[Node]:
    """Return the names that a declaration declares."""
    if node.has_error and (_is_no_parameter(node) or _is_no_function(node) or _is_label(node)):
        return ()
    found = list_declared(node)
    return _take_names(found) if not (_is_block_of_macro(node, found) or _is_statement_of_macro(node)) else ()


def _take_names(found: Sequence[tuple[Node, Node | None]]) -> Sequence[Node]:
    return [name for name, _ in found]


def _is_block_of_macro(node: Node, found: Sequence[tuple[Node, Node | None]]) -> bool:
    """Return whether a block after the call of a macro in a function looks like a function: ``for_each(item) { }``.

    What defines a function has parameters (6.9.1 of C11), and a type that is no macro as well.
    """
    if node.type != "function_definition" or not found:
        return False
    kind = node.child_by_field_name("type")
    if found[0][1] is not None and (kind is None or kind.type != "macro_type_specifier"):
        return False
    return node.parent is not None and node.parent.type not in _AROUND_DECLARATIONS


def _is_statement_of_macro(node: Node) -> bool:
    """Return whether the call of a macro in a function only looks like a type: ``CASE(ADD)`` on a line of its own.

    What it is before is a statement. What looks like a prototype there may be a call, and leads to the function.
    """
    kind = node.child_by_field_name("type") if node.type == "declaration" else None
    if kind is None or kind.type != "macro_type_specifier" or node.parent is None:
        return False
    declarator = node.child_by_field_name("declarator")
    if declarator is None or node.parent.type in _AROUND_DECLARATIONS:
        return False
    return declarator.start_point.row > kind.end_point.row and declarator.type == "identifier"


def classify_declaration(node: Node) -> SymbolKind:
    """Tell a prototype from a variable."""
    return classify_declared(list_declared(node))


def classify_declared(found: Sequence[tuple[Node, Node | None]]) -> SymbolKind:
    """Tell a function from a variable by what a declaration declares."""
    return SymbolKind.Function if found and found[0][1] is not None else SymbolKind.Variable


def list_parameters(node: Node) -> Sequence[Node] | None:
    """Return the names of the parameters of what a declaration declares; ``None`` where that is no function."""
    found = list_declared(node)
    function = found[0][1] if found else None
    if function is None:
        return None if node.type != "function_definition" else ()
    return [name for part in function.children_by_field_name("parameters") for name in _list_parameter_names(part)]


def _list_parameter_names(node: Node) -> Iterator[Node]:
    """Yield the names in a parameter list."""
    for parameter in node.named_children:
        before, after = parameter.prev_sibling, parameter.next_sibling
        if parameter.type == "identifier" and before is not None and after is not None:
            if before.type in _BEFORE_NAME and after.type in _AFTER_NAME:
                yield parameter  # before C23, without a type
            continue
        declarator = parameter.child_by_field_name("declarator")
        name = find_declared(declarator)[0] if declarator is not None else None
        if name is not None and not _is_no_parameter(parameter):
            yield name


def _is_no_parameter(node: Node) -> bool:
    """Return whether what did not parse looks like a parameter: that has no semicolon."""
    return node.has_error and node.type in _PARAMETERS and ";" in text(node)


def _is_no_function(node: Node) -> bool:
    """Return whether what did not parse looks like a function: that has no brace before its name."""
    if node.type != "function_definition":
        return False
    return any(one.type == "ERROR" and "{" in text(one) for one in node.children)


def _is_label(node: Node) -> bool:
    """Return whether what did not parse looks like a declaration: ``BREAK`` without semicolon before ``case 2: RULE``.

    A colon stands before no name that a declaration has.
    """
    if node.type != "declaration":
        return False
    errors = (text(one) for one in node.children if one.type == "ERROR")
    return any(one.endswith(":") and not one.endswith("::") for one in errors)


def list_beside(node: Node) -> Sequence[Node]:
    """Return what a declaration defines besides its names: a structure with a name, the members of an enumeration."""
    specified = find_specifier(node)
    return _list_besides(specified, _list_members(node, specified))


def _list_besides(specified: Node | None, members: Sequence[Node]) -> Sequence[Node]:
    return () if specified is None or members else (specified,)


def list_members(node: Node) -> Sequence[Node]:
    """Return the body of a structure that has no name but that of the declaration."""
    return _list_members(node, find_specifier(node))


def _list_members(node: Node, specified: Node | None) -> Sequence[Node]:
    if specified is None or specified.child_by_field_name("name") is not None:
        return ()
    if specified.type == "enum_specifier" and node.type != "type_definition":
        return ()
    return specified.children_by_field_name("body")


def list_folded(node: Node) -> Sequence[Node]:
    """Return what does not belong to the signature of a variable: its members or the list of its values."""
    return list_members(node) or _list_values(node.children_by_field_name("declarator"))


def _list_values(declarators: Sequence[Node]) -> Sequence[Node]:
    values = (d.child_by_field_name("value") for d in declarators if d.type == "init_declarator")
    return [value for value in values if value is not None and value.type == "initializer_list"]


def look_at_declaration(node: Node) -> NodeSymbols:
    """Return what a declaration outside of a structure defines."""
    specified, declarators = find_specifier(node), node.children_by_field_name("declarator")
    found = _list_declared_after(node, specified, declarators)
    if specified is None:
        return new_tuple(
            NodeSymbols, (classify_declared(found), _take_names(found), _list_values(declarators), (), True)
        )
    members = _list_members(node, specified)
    beside = _list_besides(specified, members)
    return new_tuple(
        NodeSymbols, (classify_declared(found), _take_names(found), members or _list_values(declarators), beside, True)
    )


def look_at_field(node: Node) -> NodeSymbols:
    """Return what a declaration inside a structure defines."""
    specified = find_specifier(node)
    found = _list_declared_after(node, specified, node.children_by_field_name("declarator"))
    members = _list_members(node, specified)
    return new_tuple(
        NodeSymbols, (SymbolKind.Field, _take_names(found), members, _list_besides(specified, members), bool(found))
    )


def look_at_type(node: Node) -> NodeSymbols:
    """Return what a type definition defines."""
    specified = find_specifier(node)
    found = _list_declared_after(node, specified, node.children_by_field_name("declarator"))
    members = _list_members(node, specified)
    return new_tuple(
        NodeSymbols, (classify_type(node), _take_names(found), members, _list_besides(specified, members), True)
    )


_TYPE_KINDS = {"enum_specifier": SymbolKind.Enum, "class_specifier": SymbolKind.Class}


def classify_type(node: Node) -> SymbolKind:
    """Return the kind of what a type definition names: that of the type, whatever points to it."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type not in _SPECIFIERS:
        return SymbolKind.Class
    return _TYPE_KINDS.get(kind.type, SymbolKind.Struct)


_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_DECLARATOR = lazy_compile(r"(?:\s*\(\s*\*.*|[\s*&]*\w+\s*(?:[:\[].*)?)$")
_TYPE_OPENED = lazy_compile(r"(?:\b(?:struct|union|enum|class)|\b(?:struct|union|enum|class)\s.*[\w>])$")

_NAME = lazy_compile(r"\w+")


def find_head(head: str, name: str) -> str:
    """Return what declares one name alone of a declaration up to its body; the name may stand behind the body."""
    if head.startswith("#"):
        return head
    if "," not in head and name in _NAME.findall(head):
        return head
    first, *others = split_declared(head)
    found = next((part for part in (first, *others) if name in _NAME.findall(part.partition("=")[0])), None)
    if found is first:
        return first
    if found is None and _TYPE_OPENED.search(head) is not None:
        return f"{head} {name}"
    return f"{_DECLARATOR.sub('', first.partition('=')[0].rstrip())} {(found or name).strip()}"


def split_declared(head: str) -> Sequence[str]:
    """Return what a declaration has between the commas outside of its brackets."""
    parts, start, depth = [], 0, 0
    is_template = "<" in head and head.count("<") == head.count(">")
    for at, sign in enumerate(head):
        depth += _BRACKETS.get(sign, 0) or (is_template and {"<": 1, ">": -1}.get(sign, 0))
        if sign == "," and not depth:
            parts.append(head[start:at])
            start = at + 1
    return [*parts, head[start:]]


def is_macro(_node: Node) -> bool:
    """Tell that the definition of a macro is one for its file alone."""
    return True


def is_named(node: Node) -> bool:
    """Return whether a specifier has a name."""
    return node.child_by_field_name("name") is not None


def define_specifier(kind: SymbolKind) -> Defines:
    """Return what a specifier of a kind defines."""

    def symbols(node: Node) -> NodeSymbols:
        bodies = node.children_by_field_name("body")
        names = node.children_by_field_name("name") if bodies else ()
        return NodeSymbols(kind if bodies else None, names, bodies, emits=bool(names))

    return Defines(kind, emits=is_named, space=TAGS, escapes=True, at_once=symbols)


def list_macro_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the parameters of a macro."""
    return [name for part in node.children_by_field_name("parameters") for name in part.named_children]


def has_only_words(path: str, content: bytes) -> bool:
    """Return whether the symbols of a file are lists or macros that are not worth an index."""
    return c_source.only_lists(content) or (path.lower().endswith(".h") and c_source.only_defines(content))


def find_besides_macros(content: bytes) -> blanking.Bodies | None:
    """Return what is left out of a header of macros to find what else it declares: the lines that define them."""
    if c_source.only_lists(content) or not c_source.declares(content):
        return None
    return c_declarations.bodies(content)._replace(definitions=())
