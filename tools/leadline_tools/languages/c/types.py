"""Types and values of C as terms: what declarations say, what expressions give, whose members designators name.

A *tag* is the name after ``struct``, ``union`` or ``enum``, which has a name space of its own. A *designator* is the
``.a`` in ``{.a = 1}``. See ``languages.terms``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.c.outline import (
    DECLARATOR_NAMES,
    LONGEST_DECLARATOR,
    find_declared,
    find_given_alone,
    list_declared,
)
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import FUNCTION, TAGS, UNKNOWN, Spell, Spelling, apply_type_arguments, either, then
from leadline_tools.lazy_regex import lazy_compile

TAGGED: Final[frozenset[str]] = frozenset({"struct", "union", "enum"})

_DEDUCED: Final = frozenset({"__auto_type", "__typeof", "__typeof__", "typeof", "typeof_unqual"})
"""What stands for the type of a value: ``__auto_type``, and the operators whose operand the parser is not given."""

_BLOCKS: Final = frozenset({"compound_statement", "for_statement", "case_statement"})
_BETWEEN: Final = frozenset(
    {"declaration", "field_declaration", "field_declaration_list", "struct_specifier", "union_specifier"}
)
_DEEPEST: Final = 12
"""What declares something in a function, what stands between that and a type, and how much of it may do so."""

NamedTerms = Iterator[tuple[Node, str]]
"""Names, each with the term of what it is a member of, or is."""


def find_declared_type(node: Node) -> Node | None:
    """Return the type that a declaration spells, the declaration itself where it declares a pointer to a function."""
    if _points_to_function(node):
        return node
    kind = node.child_by_field_name("type")
    return None if kind is not None and kind.type == "type_identifier" and text(kind) in _DEDUCED else kind


def bind_deduced(node: Node, spell: Spell) -> NamedTerms:
    """Give each name that is declared with the type of its value that value."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type != "type_identifier" or text(kind) not in _DEDUCED:
        return
    for declarator in node.children_by_field_name("declarator"):
        name, value = find_declared(declarator)[0], declarator.child_by_field_name("value")
        if name is not None and value is not None and declarator.type == "init_declarator":
            yield name, spell(value)


def _points_to_function(node: Node) -> bool:
    declarator = node.child_by_field_name("declarator")
    for _ in range(LONGEST_DECLARATOR):
        if declarator is None or declarator.type in DECLARATOR_NAMES:
            return False
        inner = declarator.child_by_field_name("declarator")
        if declarator.type.endswith("function_declarator"):
            return inner is not None and inner.type.endswith("parenthesized_declarator")
        declarator = inner
    return False


def _spell_function_pointer(node: Node, spell: Spell) -> str:
    """Spell the type of a pointer to a function."""
    return apply_type_arguments(FUNCTION, [spell(node.child_by_field_name("type"))])


def _spell_described(node: Node, spell: Spell) -> str:
    """Spell a type that stands alone: of a cast, of a compound literal."""
    return spell(find_declared_type(node)) if not _points_to_function(node) else _spell_function_pointer(node, spell)


def spell_tag(node: Node, _spell: Spell) -> str:
    """Spell ``struct a``: a name in the name space of tags."""
    name = node.child_by_field_name("name")
    return then(TAGS, f".{text(name)}") if name is not None else spell_nameless(node)


def spell_nameless(node: Node) -> str:
    """Spell a structure without a name by the place of its members, where a function declares it.

    Of one outside of functions the members are symbols below its variable.
    """
    members = node.child_by_field_name("body")
    return terms.written_at(members) if members is not None and _is_in_function(node) else UNKNOWN


def list_nameless_bases(members: Node, _spell: Spell) -> Sequence[str] | None:
    """Return the bases of a structure without a name that a function declares: it has none. None for any other."""
    around = members.parent
    return () if around is not None and _is_in_function(around) else None


def _is_in_function(specifier: Node) -> bool:
    """Return whether a function declares something of the type that a specifier describes."""
    around = specifier.parent
    for _ in range(_DEEPEST):
        if around is None or around.type not in _BETWEEN:
            break
        around = around.parent
    return around is not None and around.type in _BLOCKS


def _spell_sum(node: Node, spell: Spell) -> str:
    """Spell a pointer and a number: it points to the same type."""
    if text(node.child_by_field_name("operator")) not in ("+", "-"):
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def bind_tag(node: Node, _spell: Spell) -> NamedTerms:
    """Say of the name after ``struct``, ``union`` or ``enum`` that it is a tag."""
    name = node.child_by_field_name("name")
    if name is not None:
        yield name, TAGS


def bind_macro_arguments(node: Node, _spell: Spell) -> NamedTerms:
    """Read what the grammar makes of ``(a, struct b, c)``, the arguments of a macro: ``c`` can be a member of it.

    What it cannot read is either the keyword or the tag.
    """
    if not node.has_error:
        return
    children = [child for child in node.children if child.is_named]
    for i, child in enumerate(children):
        if child.type != "ERROR":
            continue
        tag, last = None, i
        if i and child.named_child_count and text(children[i - 1]) in TAGGED:
            tag = child.named_children[0]
        elif text(child) in TAGGED and i + 1 < len(children) and children[i + 1].type == "identifier":
            tag, last = children[i + 1], i + 1
        if tag is not None:
            yield tag, TAGS
            if last + 1 < len(children) and children[last + 1].type == "identifier":
                yield children[last + 1], then(TAGS, f".{text(tag)}")


def bind_given_alone(node: Node, _spell: Spell) -> NamedTerms:
    """Say nothing certain of the word in ``BIT(closed);``: the macro of another file may declare a field of it."""
    macro = find_given_alone(node) if not node.children_by_field_name("declarator") else None
    if macro is not None and not _TYPE_NAME.fullmatch(text(macro[1])) and not list_declared(node):
        yield macro[1], UNKNOWN


_TYPE_NAME: Final = lazy_compile(r"[A-Z]\w*|\w+_t")
"""How types are usually called, and fields are not."""


def bind_initialized(node: Node, spell: Spell) -> NamedTerms:
    """Yield the designators of the lists of values that a declaration gives."""
    for declarator in node.children_by_field_name("declarator"):
        value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
        if value is not None and value.type == "initializer_list":
            spelled = spell(node.child_by_field_name("type"))
            # Of a structure without a name only the variable tells.
            yield from bind_designators(value, text(find_declared(declarator)[0]) if spelled == UNKNOWN else spelled)


def bind_literal(node: Node, spell: Spell) -> NamedTerms:
    """Yield the designators of a compound literal."""
    value = node.child_by_field_name("value")
    if value is not None:
        yield from bind_designators(value, spell(node.child_by_field_name("type")))


def bind_designators(values: Node, term: str) -> NamedTerms:
    """Yield the designators in a list of values for an object, or for an array of such."""
    waiting = [(values, term)]
    while waiting:
        node, around = waiting.pop()
        for child in node.named_children:
            inner, kind = around, child.type
            if kind == "initializer_pair":
                for one in child.children_by_field_name("designator"):
                    key = one.named_children[0] if one.type == "field_designator" else one
                    if key.type == "field_identifier":
                        yield key, inner
                        inner = then(inner, f".{text(key)}")
                value = child.child_by_field_name("value")
                if value is not None and value.type == "initializer_list":
                    waiting.append((value, inner))
            elif kind == "initializer_list":
                waiting.append((child, around))


def bind_offset(node: Node, spell: Spell) -> NamedTerms:
    """Yield the member whose place is asked for."""
    member = node.child_by_field_name("member")
    if member is not None and not node.has_error:
        yield member, spell(node.child_by_field_name("type"))


TERMS: Mapping[str, Spelling] = {
    "pointer_expression": terms.same("argument"),
    "subscript_expression": terms.same("argument"),
    "update_expression": terms.same("argument"),
    "parenthesized_expression": terms.same(),
    "cast_expression": terms.same("type"),
    "compound_literal_expression": terms.same("type"),
    "assignment_expression": terms.same("left"),
    "comma_expression": terms.same("right"),
    "conditional_expression": terms.one_of("consequence", "alternative"),
    "binary_expression": _spell_sum,
    "call_expression": terms.spell_step("function", "()"),
    "type_descriptor": _spell_described,
    **dict.fromkeys(("declaration", "field_declaration", "parameter_declaration"), _spell_function_pointer),
    **dict.fromkeys(("type_definition", "function_definition"), _spell_function_pointer),
}
"""A pointer, what it points to and an array of that are spelled alike: the members are the same."""
