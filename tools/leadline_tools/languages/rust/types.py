"""Types and values of Rust as terms, what closures are given, and type parameters.

A *wrapper* is a type whose members are those of what it holds (``Box``); a *cell* holds one value. Each part of a
pattern takes a part of the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.nodes import text
from leadline_tools.languages.rust import values
from leadline_tools.languages.rust.collections import COLLECTIONS, EMPTY
from leadline_tools.languages.rust.outline import (
    COMMENTS,
    find_last_segment,
    find_result_type,
    find_type,
    list_children,
)
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, either, object_of, then

WRAPPERS = frozenset({"Arc", "Box", "Rc"})
"""Types whose members are those of what they hold: https://doc.rust-lang.org/std/ops/trait.Deref.html."""

_LOCKS = frozenset({"async_std", "core", "futures", "parking_lot", "std", "tokio"})
GUARDS: Mapping[str, frozenset[str]] = dict.fromkeys(
    "MutexGuard Ref RefMut RwLockReadGuard RwLockWriteGuard".split(), _LOCKS
)
"""Such types that may be called like others: https://doc.rust-lang.org/std/cell/struct.Ref.html."""

_CELLS = frozenset({"Cell", "Mutex", "OnceCell", "RefCell", "RwLock"})
"""Types of what holds one thing: https://doc.rust-lang.org/std/cell/, https://doc.rust-lang.org/std/sync/."""

_UNWRAPPING = frozenset({"expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "unwrap_unchecked"})
"""Methods that give what an Option or a Result holds: its first type argument."""

_KEEPING = frozenset("as_deref as_deref_mut as_mut as_ref by_ref clone cloned copied to_owned".split())
"""Methods that give the same, or a reference to it."""

_ITERATING = frozenset({"into_iter", "iter", "iter_mut"})
"""Methods that give what goes over the same elements, and has members of its own."""

_HOLDING = {"Ok": "*", "Some": "*", "Err": "#1"}
"""The variants of Option and Result, with which of the type arguments they hold."""

_PRIMITIVES = frozenset("bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize".split())
"""Types that every module knows: https://doc.rust-lang.org/reference/types.html."""

_MUTABLE, _CONSTANT = terms.POINTERS


def name_builtin_type(spelled: str) -> str:
    """Return what terms call a type of the language that an impl is for, as it is spelled there."""
    spelled = spelled.rpartition(".")[2]
    if spelled in _PRIMITIVES:
        return spelled
    if spelled.startswith("["):
        return terms.COLLECTION
    return _MUTABLE if spelled.startswith("*mut ") else _CONSTANT if spelled.startswith("*const ") else ""


def _apply_parts(head: str, parts: Sequence[str]) -> str:
    return f"{head}<{','.join(parts)}>"


def _spell_children(head: str) -> terms.Spelling:
    """Return a function that spells what holds each of the children of a node."""
    return lambda node, spell: _apply_parts(head, [spell(child) for child in node.named_children])


def _spell_tuple_type(node: Node, spell: Spell) -> str:
    """Spell a tuple, or what stands in parentheses: https://doc.rust-lang.org/reference/types.html#parenthesized-types."""
    if len(node.named_children) == 1 and not any(child.type == "," for child in node.children):
        return spell(node.named_children[0])
    return _spell_children(terms.TUPLE)(node, spell)


def _spell_array_type(node: Node, spell: Spell) -> str:
    return _apply_parts(terms.COLLECTION, [spell(node.child_by_field_name("element"))])


def _spell_pointer(node: Node, spell: Spell) -> str:
    mutable = any(child.type == "mutable_specifier" for child in node.named_children)
    return _apply_parts(_MUTABLE if mutable else _CONSTANT, [spell(find_type(node))])


def _spell_operand(node: Node, spell: Spell) -> str:
    """Spell what an operator is before: of a pointer, what it points to."""
    term = terms.same()(node, spell)
    return then(term, "~") if node.children[0].type == "*" else term


def _spell_string(node: Node, _spell: Spell) -> str:
    return f"{terms.COLLECTION}<u8>&" if text(node)[:1] == "b" else "str&"


def _spell_number(node: Node, _spell: Spell) -> str:
    """Spell a number by the type at its end; one without any is of the type that its place asks for."""
    found = _SUFFIX.search(text(node))
    return object_of(found[0]) if found is not None else UNKNOWN


_SUFFIX = re.compile(r"(?:[iu](?:8|16|32|64|128|size)|f(?:32|64))$")


def _spell_array(node: Node, spell: Spell) -> str:
    """Spell an array by its first element."""
    first = node.named_children[0] if node.named_children else None
    return then(_apply_parts(terms.COLLECTION, [spell(first)]), "()")


def _spell_function_type(node: Node, spell: Spell) -> str:
    listed = node.child_by_field_name("parameters")
    taken = listed.named_children if listed is not None else ()
    parameter_types = [spell(find_type(one) if one.type == "parameter" else one) for one in taken]
    return _apply_parts(terms.FUNCTION, [spell(find_result_type(node)), *parameter_types])


def _spell_generic_type(node: Node, spell: Spell) -> str:
    listed = node.child_by_field_name("type_arguments")
    given = [child for child in listed.named_children if child.type != "lifetime"] if listed is not None else []
    arguments = [spell(find_type(child) if child.type == "type_binding" else child) for child in given]
    kind = find_type(node)
    if find_last_segment(kind) in WRAPPERS:
        return arguments[0] if arguments else UNKNOWN
    return terms.apply_type_arguments(spell(kind), arguments)


def _spell_generic_function(node: Node, spell: Spell) -> str:
    """Spell a function with the type arguments that it is given, but for methods that are known by their names."""
    named = node.child_by_field_name("function")
    function = spell(named)
    if named is None or (
        named.type == "field_expression" and _method_name(named) in _KNOWN_METHODS | COLLECTIONS.keys()
    ):
        return function
    listed = node.child_by_field_name("type_arguments")
    given = [child for child in listed.named_children if child.type != "lifetime"] if listed is not None else []
    return terms.apply_type_arguments(function, [spell(child) for child in given])


def _spell_field(node: Node, spell: Spell) -> str:
    """Spell a field by its name, one of a tuple by its number."""
    value, name = spell(node.child_by_field_name("value")), node.child_by_field_name("field")
    numbered = name is not None and name.type == "integer_literal"
    return then(value, f"#{text(name)}" if numbered else f".{text(name)}")


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call; those of some methods that every Option, Result and collection has by what they are called on."""
    function = node.child_by_field_name("function")
    if function is None:
        return UNKNOWN
    result = then(apply_arguments(node, spell), "()")
    if function.type == "field_expression":
        return _spell_method_call(node, function, result, spell) if _method_name(function) in _KNOWN_METHODS else result
    first = next(iter(_list_arguments(node)), None)
    if function.type == "identifier" and _HOLDING.get(text(function)) == "*":
        return then(_apply_parts(terms.COLLECTION, [spell(first)]), "()")
    return _spell_construction(function, first, result, spell)


def _spell_construction(function: Node, first: Node | None, call: str, spell: Spell) -> str:
    """Spell a call by the functions that make most values: ``A::new(first)`` of what holds one, ``A::default()``."""
    path = function.child_by_field_name("path") if function.type == "scoped_identifier" else None
    if find_last_segment(function) == "default" and first is None and path is not None:
        return _spell_default(path, call, spell)
    if find_last_segment(function) == "clone" and first is not None and find_last_segment(path) in WRAPPERS:
        return spell(first)
    if find_last_segment(function) != "new" or first is None:
        return call
    if find_last_segment(path) in _CELLS:
        return then(terms.apply_type_arguments(spell(path), [then(spell(first), Op.Itself)]), "()")
    return spell(first) if find_last_segment(path) in WRAPPERS else call


def _spell_default(kind: Node, call: str, spell: Spell) -> str:
    """Spell ``A::default()``, which gives an A; ``derive`` may have made it, so that nothing declares it."""
    is_type = find_last_segment(kind)[:1].isupper() and text(kind) != "Default"  # and no module
    return call if call in EMPTY or not is_type else object_of(spell(kind))


def _method_name(function: Node) -> str:
    """Return the name of the method that a call is of."""
    return text(function.child_by_field_name("field"))


def _spell_method_call(call: Node, function: Node, result: str, spell: Spell) -> str:
    """Spell a call of a method whose name says what it returns, beside what its definition says."""
    name, given = _method_name(function), _list_arguments(call)
    owner = spell(function.child_by_field_name("value"))
    if find_start_of_fold(call) is not None:
        return either((result, spell(given[0])))
    if name in _UNWRAPPING | _KEEPING or (name in _ITERATING and not given):
        return spell_known_result(owner, name, result)
    if name == "zip" and len(given) == 1:
        pair = terms.apply_type_arguments(terms.TUPLE, [_element_type(owner), _element_type(spell(given[0]))])
        return either((result, _iterator_over(pair)))
    if name in _PROJECTING and len(given) == 1:
        made = then(_spell_projection(given[0], then(owner, Op.Each), spell), f"{_PROJECTING[name]}{Op.Itself}")
        return then(result.removesuffix("()"), f"<{made}>()") if made != UNKNOWN and "|" not in result else result
    return result


def spell_known_result(owner: str, name: str, result: str) -> str:
    """Return the term of what a method of ``owner`` gives, of which ``result`` is the term, by its name too."""
    if name in _UNWRAPPING:
        return either((then(owner, "*"), result))
    if name in _KEEPING:
        return either((result, owner))
    return either((result, _iterator_over(_element_type(owner)))) if name in _ITERATING else result


def find_start_of_fold(call: Node) -> Node | None:
    """Return the value with which ``fold`` begins, which is of the type that it gives; None for any other call."""
    function, given = call.child_by_field_name("function"), _list_arguments(call)
    is_fold = function is not None and function.type == "field_expression" and _method_name(function) == "fold"
    return given[0] if is_fold and len(given) == 2 else None


def _element_type(term: str) -> str:
    """Return the type of the elements of a value."""
    return then(term, f"{Op.Each}{Op.Itself}")


def _iterator_over(element: str) -> str:
    """Return the term of what goes over elements of a type."""
    return object_of(terms.apply_type_arguments(terms.COLLECTION, [element]))


_PROJECTING = {"map": "", "and_then": "*", "filter_map": "*", "find_map": "*", "flat_map": "*"}
"""Methods that give what a function makes of each element, or of what is held, each with the step that follows."""

_KNOWN_METHODS = frozenset({"fold", "zip", *_UNWRAPPING, *_KEEPING, *_ITERATING, *_PROJECTING})
"""Methods whose name says what they return."""


def _spell_projection(function: Node, element: str, spell: Spell) -> str:
    """Spell what a closure of one expression, or a function that is named, makes of an element."""
    if function.type in ("identifier", "scoped_identifier"):
        return then(spell(function), "()")
    listed, body = function.child_by_field_name("parameters"), function.child_by_field_name("body")
    if function.type != "closure_expression" or listed is None:
        return UNKNOWN
    given: dict[str, str] = {}
    for number, parameter in iterate_positions(listed):
        typed = parameter.type == "parameter"
        pattern = parameter.child_by_field_name("pattern") if typed else parameter
        term = object_of(spell(find_type(parameter))) if typed else UNKNOWN if number else element
        given.update({text(name): part for name, part in destructure(pattern, term, spell)} if pattern else {})
    return terms.put(spell(body), given)


def _spell_closure(node: Node, spell: Spell) -> str:
    """Spell a closure by what it gives, where that does not depend on what it takes."""
    result = then(_spell_projection(node, UNKNOWN, spell), Op.Itself)
    return object_of(terms.apply_type_arguments(terms.FUNCTION, [result])) if result != UNKNOWN else UNKNOWN


def apply_arguments(call: Node, spell: Spell, but: int = -1) -> str:
    """Spell a function with what it is called with ``but`` for one; a method without closures, as chains are long."""
    function = call.child_by_field_name("function")
    bare = function is None or function.type != "field_expression"
    given = (
        spell(one) if at != but and (bare or one.type != "closure_expression") else UNKNOWN
        for at, one in enumerate(_list_arguments(call))
    )
    return terms.call_with(spell(function), given)


def _list_arguments(call: Node) -> Sequence[Node]:
    listed = call.child_by_field_name("arguments")
    return list_children(listed) if listed is not None else ()


def spell_struct(node: Node, spell: Spell) -> str:
    """Spell a struct expression as an object of its type."""
    return then(spell(node.child_by_field_name("name")), "()")


def _spell_element(node: Node, spell: Spell) -> str:
    """Spell an element of a collection, or a part of one, which is of the same type."""
    parts = list_children(node)
    ranged = parts[-1].type == "range_expression"
    return spell(parts[0]) if ranged else then(spell(parts[0]), "[]")


def _spell_block(node: Node, spell: Spell) -> str:
    """Spell a block by its value, where that is all there is: what it binds is not visible outside."""
    inside = list_children(node)
    return spell(inside[0]) if len(inside) == 1 and inside[0].type not in _NO_VALUES else UNKNOWN


_NO_VALUES = frozenset({"expression_statement", "let_declaration", "empty_statement"})


def _spell_match(node: Node, spell: Spell) -> str:
    body = node.child_by_field_name("body")
    arms = body.named_children if body is not None else ()
    return either(spell(arm.child_by_field_name("value")) for arm in arms)


def _spell_cast(node: Node, spell: Spell) -> str:
    return object_of(spell(find_type(node)))


def destructure(pattern: Node, term: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield each name of a pattern with the part of the value that it takes."""
    stack = [(pattern, term)]
    while stack:
        node, value = stack.pop()
        match node.type:
            case "identifier" | "shorthand_field_identifier":
                yield node, value
            case "tuple_pattern":
                stack += [(child, then(value, f"#{i}")) for i, child in iterate_positions(node)]
            case "slice_pattern":
                stack += [(child, then(value, "[]")) for child in node.named_children]
            case "tuple_struct_pattern":
                stack += _destructure_variant(node, value, spell)
            case "struct_pattern":
                stack += _destructure_fields(node, value, spell)
            case "match_pattern" | "captured_pattern" | "or_pattern" | "ref_pattern" | "mut_pattern":
                stack += [
                    (child, value) for child in node.named_children[: 1 if node.type == "match_pattern" else None]
                ]
            case "reference_pattern":
                stack += [(child, value) for child in node.named_children]
            case _:
                pass


def iterate_positions(pattern: Node) -> Iterator[tuple[int, Node]]:
    """Yield the named parts of a list of patterns with their places, up to ``..``: ``_`` has a place and no node."""
    number = 0
    for child in pattern.children:
        if child.type == "remaining_field_pattern":
            return
        if child.type == ",":
            number += 1
        elif child.is_named and child.type not in COMMENTS:
            yield number, child


def _destructure_variant(node: Node, value: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    kind = find_type(node)
    held = then(value, _HOLDING[find_last_segment(kind)]) if find_last_segment(kind) in _HOLDING else UNKNOWN
    made = (
        either((then(value, f".{find_last_segment(kind)}()"), then(spell(kind), "()"))) if held == UNKNOWN else UNKNOWN
    )
    for i, child in iterate_positions(node):
        if child != kind:
            yield child, then(made, f"#{i}") if held == UNKNOWN else held


def _destructure_fields(node: Node, value: str, spell: Spell) -> Iterator[tuple[Node, str]]:
    kind = then(spell(find_type(node)), "()")
    for child in node.named_children:
        name = child.child_by_field_name("name") if child.type == "field_pattern" else None
        if name is not None:
            inside = child.child_by_field_name("pattern") or name
            yield inside, either((then(value, f".{text(name)}"), then(kind, f".{text(name)}")))


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell what a function takes that takes functions, or that has type parameters, its own or those around it."""
    listed, around = node.child_by_field_name("parameters"), node.parent.parent if node.parent is not None else None
    generic = any(one is not None and one.child_by_field_name("type_parameters") is not None for one in (node, around))
    if listed is None or not (generic or b"Fn" in (listed.text or b"")):
        return UNKNOWN
    parameter_types = [spell(find_type(one)) for one in listed.named_children if one.type == "parameter"]
    return _apply_parts(terms.FUNCTION, [UNKNOWN, *parameter_types]) if parameter_types else UNKNOWN


def find_bounds(node: Node) -> Node | None:
    """Return what a type parameter or a trait has to be."""
    return node.child_by_field_name("bounds")


def spell_supertraits(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the terms of the bounds of a node."""
    listed = find_bounds(node)
    yield from (spell(bound) for bound in (listed.named_children if listed is not None else ()))


def spell_implemented(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the trait of an impl; of ``Deref`` the target too: ``&`` of the type is coerced to ``&`` of that."""
    trait, body = node.child_by_field_name("trait"), node.child_by_field_name("body")
    if trait is None:
        return
    yield spell(trait)
    for item in body.named_children if body is not None and find_last_segment(trait) == "Deref" else ():
        if item.type == "type_item" and text(item.child_by_field_name("name")) == "Target":
            yield spell(find_type(item))


def spell_tuple_fields(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the fields of a tuple struct or of a variant as one tuple."""
    for body in node.children_by_field_name("body"):
        if body.type == "ordered_field_declaration_list":
            yield _apply_parts(terms.TUPLE, [spell(kind) for kind in body.children_by_field_name("type")])


def spell_variant_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield the enum of a variant, and its fields as a tuple."""
    around = node.parent.parent if node.parent is not None else None
    yield spell(around.child_by_field_name("name")) if around is not None else UNKNOWN
    yield from spell_tuple_fields(node, spell)


OWN_MODULE = "self::"
"""The name of the module around where a path begins with it: alone, ``self`` is an object.

https://doc.rust-lang.org/reference/paths.html#self
"""


def _spell_self(node: Node, _spell: Spell) -> str:
    around = node.parent
    return OWN_MODULE if around is not None and around.type.startswith("scoped_") else text(node)


TERMS = {
    "self": _spell_self,
    "reference_type": terms.same("type"),
    "pointer_type": _spell_pointer,
    "primitive_type": lambda node, _spell: text(node),
    "string_literal": _spell_string,
    "raw_string_literal": _spell_string,
    "char_literal": lambda node, _spell: "u8&" if text(node)[:1] == "b" else "char&",
    "boolean_literal": terms.spell_always("bool&"),
    "integer_literal": _spell_number,
    "float_literal": _spell_number,
    "array_expression": _spell_array,
    "parenthesized_expression": terms.same(),
    "bracketed_type": terms.same(),
    "qualified_type": terms.one_of("type", "alias"),
    "abstract_type": terms.same("trait"),
    "dynamic_type": terms.same("trait"),
    "bounded_type": terms.one_of(),
    "trait_bounds": terms.one_of(),
    "generic_type": _spell_generic_type,
    "generic_type_with_turbofish": _spell_generic_type,
    "generic_function": _spell_generic_function,
    "array_type": _spell_array_type,
    "tuple_type": _spell_tuple_type,
    "function_type": _spell_function_type,
    "tuple_expression": lambda node, spell: then(_spell_children(terms.TUPLE)(node, spell), "()"),
    "field_expression": _spell_field,
    "call_expression": _spell_call,
    "macro_invocation": values.spell_macro,
    "binary_expression": values.spell_binary,
    "closure_expression": _spell_closure,
    "struct_expression": spell_struct,
    "block": _spell_block,
    "unsafe_block": terms.same(),
    "if_expression": terms.one_of("consequence", "alternative"),
    "else_clause": terms.same(),
    "match_expression": _spell_match,
    "type_cast_expression": _spell_cast,
    "reference_expression": terms.same("value"),
    "unary_expression": _spell_operand,
    "await_expression": terms.same(),
    "try_expression": lambda node, spell: then(terms.same()(node, spell), "*"),
    "index_expression": _spell_element,
}
