"""Types and values of Go as terms: what declarations say, what expressions give, what types embed.

A *spec* is one declaration of a constant, a variable or a type; a constant without type and value repeats the *source*
before it. A *composite literal* is ``T{...}``. See https://go.dev/ref/spec#Types and ``languages.terms``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.go.outline import find_embedded_name, find_member_list, is_symbol, list_members
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import BARE, UNKNOWN, Spell, Spelling, either, then

PREDECLARED: frozenset[str] = frozenset(
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint"
    " uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close complex copy delete imag len make"
    " max min new panic print println real recover _".split()
)
"""What https://go.dev/ref/spec#Predeclared_identifiers names."""

_RETURNS_TYPE = frozenset({"make", "new"})
_RETURNS_ARGUMENT = frozenset({"append", "max", "min"})

_MOST_ARGUMENTS = 8
"""Arguments of a call of which is looked at whether type arguments follow from them."""

_SAME_TYPE = frozenset("+ - * / % & | ^ &^ << >>".split())
"""Operators that give what they take."""


def find_type(node: Node) -> Node | None:
    """Return the declared type of parameters, fields, variables, the result of a function."""
    return node.child_by_field_name("type")


_ANYTHING = frozenset({"any", "comparable", "interface{}"})


def find_constraint(node: Node) -> Node | None:
    """Return what constrains a type parameter; what any type is says nothing of it."""
    kind = find_type(node)
    return None if text(kind) in _ANYTHING else kind


def find_field_type(node: Node) -> Node | None:
    """Return the declared type of a field; one that is written there may have the field's own members."""
    kind = find_type(node)
    return None if kind is not None and list_members(node) and is_symbol(kind) else kind


def find_result(node: Node) -> Node | None:
    """Return the result that a function declares."""
    return node.child_by_field_name("result")


def find_constant_type(node: Node) -> Node | None:
    """Return the type of a constant."""
    return find_type(_find_constant_source(node))


def _find_constant_source(constant: Node) -> Node:
    """Return the declaration that gives a constant its type and value."""
    group = constant.parent
    return _find_constant_sources(group).get(constant.id, constant) if group is not None else constant


@lru_cache(maxsize=1)
def _find_constant_sources(group: Node) -> Mapping[int, Node]:
    """Return what gives the types and values of the constants of a group: of one without them the constant before.

    They are found together, and kept for the next constant: each on its own would look at all before it.
    """
    sources: dict[int, Node] = {}
    source: Node | None = None
    for spec in group.named_children:
        if spec.type == "const_spec":
            written = spec.child_by_field_name("type") or spec.child_by_field_name("value")
            source = spec if source is None or written is not None else source
            sources[spec.id] = source
    return sources


def _spell_inline_type(node: Node, _spell: Spell) -> str:
    """Spell a type that is written where it is used by the place of its members, if it has any."""
    listed = find_member_list(node)
    return terms.written_at(listed) if listed.named_child_count else terms.TUPLE


def _spell_collection(*parts: str) -> terms.Spelling:
    """Return a function that spells what has elements, in the order of its type arguments."""
    return lambda node, spell: _apply(terms.COLLECTION, [spell(node.child_by_field_name(part)) for part in parts])


def _apply(head: str, arguments: Sequence[str]) -> str:
    """Return a type with arguments, also where none of them is known."""
    return f"{head}<{','.join(arguments)}>"


def _spell_variadic(node: Node, spell: Spell) -> str:
    return _apply(terms.COLLECTION, [spell(find_type(node))])


def _spell_function(node: Node, spell: Spell) -> str:
    """Spell a function type by its results."""
    result = find_result(node)
    return _apply(terms.FUNCTION, [spell(result)]) if result is not None else terms.FUNCTION


def _spell_spread(node: Node, spell: Spell) -> str:
    """Spell the elements that a function is called with."""
    return then(spell(node.named_children[0]), "[]") if node.named_children else UNKNOWN


def _spell_results(node: Node, spell: Spell) -> str:
    """Spell a list of results: the type of the only one, or a tuple."""
    parts: list[str] = []
    for one in node.named_children:
        if one.type == "parameter_declaration":
            parts += [spell(find_type(one))] * max(1, len(one.children_by_field_name("name")))
    return parts[0] if len(parts) == 1 else _apply(terms.TUPLE, parts)


def _spell_generic(node: Node, spell: Spell) -> str:
    listed = node.child_by_field_name("type_arguments")
    arguments = listed.named_children if listed is not None else []
    return terms.apply_type_arguments(spell(find_type(node)), [spell(argument) for argument in arguments])


def _spell_call(node: Node, spell: Spell) -> str:
    """Spell a call; those of predeclared functions that give what they take by that."""
    function = node.child_by_field_name("function")
    name = text(function) if function is not None and function.type == "identifier" else ""
    if name in _RETURNS_TYPE or name in _RETURNS_ARGUMENT:
        arguments = node.child_by_field_name("arguments")
        first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
        return terms.object_of(spell(first)) if name in _RETURNS_TYPE else spell(first)
    return then(terms.call_with(_spell_instantiation(node, spell), _spell_arguments(node, spell)), "()")


def _spell_instantiation(call: Node, spell: Spell) -> str:
    """Spell what is called, with the type arguments that are written there: what looks like an index may be one."""
    function = call.child_by_field_name("function")
    listed = call.child_by_field_name("type_arguments")
    if listed is not None:
        return terms.apply_type_arguments(spell(function), [spell(argument) for argument in listed.named_children])
    if function is None or function.type != "index_expression":
        return spell(function)
    index = spell(function.child_by_field_name("index"))
    return (
        spell(function)
        if index == UNKNOWN
        else terms.apply_type_arguments(spell(function.child_by_field_name("operand")), [index])
    )


def _spell_arguments(call: Node, spell: Spell) -> Sequence[str]:
    """Spell what a function is called with that may have type parameters: methods have none."""
    function, listed = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if function is not None and function.type == "index_expression":
        function = function.child_by_field_name("operand")
    if function is not None and function.type == "selector_expression":
        function = function.child_by_field_name("operand")
    if (
        function is None
        or function.type != "identifier"
        or listed is None
        or listed.named_child_count > _MOST_ARGUMENTS
    ):
        return ()
    return [spell(argument) for argument in listed.named_children if argument.type != "comment"]


def spell_parameters(node: Node, spell: Spell) -> str:
    """Spell what a function takes that has type parameters: the others give the same, whatever they are called with."""
    listed = node.child_by_field_name("parameters")
    if listed is None or node.child_by_field_name("type_parameters") is None:
        return UNKNOWN
    parameters: list[str] = []
    for one in listed.named_children:
        names = max(1, len(one.children_by_field_name("name")))
        if one.type == "variadic_parameter_declaration":
            parameters.append(_apply(terms.VARIADIC, [spell(find_type(one))]))
        elif one.type == "parameter_declaration":
            parameters += [spell(find_type(one))] * names
    return _apply(terms.FUNCTION, [UNKNOWN, *parameters])


def _spell_made_object(node: Node, spell: Spell) -> str:
    """Spell a composite literal or an assertion: an object of the type that it names."""
    return terms.object_of(spell(find_type(node)))


def _spell_conversion(node: Node, spell: Spell) -> str:
    """Spell a conversion: what names a generic type may call a function as well."""
    kind = find_type(node)
    if kind is None or kind.type != "generic_type":
        return terms.object_of(spell(kind))
    return then(terms.call_with(spell(kind), [spell(node.child_by_field_name("operand"))]), "()")


def _spell_unary(node: Node, spell: Spell) -> str:
    """Spell what an operator makes of its operand: what is received from a channel, or the same."""
    operand = spell(node.child_by_field_name("operand"))
    return then(operand, "*") if node.children[0].type == "<-" else operand


def _spell_binary(node: Node, spell: Spell) -> str:
    if text(node.child_by_field_name("operator")) not in _SAME_TYPE:
        return UNKNOWN
    return either((spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))))


def _pair_values(names: Sequence[Node], values: Sequence[Node], spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield names with their values: pairwise, or as parts of the only one; what goes with a value is a boolean."""
    if len(names) == len(values):
        yield from ((name, spell(value)) for name, value in zip(names, values, strict=True))
    elif len(values) == 1:
        term = spell(values[0])
        if values[0].type in ("call_expression", "type_conversion_expression"):
            yield from ((name, then(term, f"#{i}")) for i, name in enumerate(names))
        elif names:
            yield names[0], term


def bind_assigned(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read ``a, b := c, d`` and ``a, ok := <-c``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is not None and right is not None:
        values = right.named_children if right.type == "expression_list" else [right]
        yield from _pair_values(left.named_children, values, spell)


def bind_initialized(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read ``var a, b = c, d``; a declared type says more."""
    value = node.child_by_field_name("value")
    if value is not None and find_type(node) is None:
        names = [name for name in node.children_by_field_name("name") if name.type != ","]
        yield from _pair_values(names, value.named_children, spell)


def bind_constant(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read the values of constants, those that are repeated too."""
    source = _find_constant_source(node)
    values = [term for _, term in bind_initialized(source, spell)]
    names = [name for name in node.children_by_field_name("name") if name.type != ","]
    yield from zip(names, values, strict=False)


def bind_ranged(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Read ``for key, value := range over``."""
    left = node.child_by_field_name("left")
    term = spell(node.child_by_field_name("right"))
    if left is not None:
        yield from zip(left.named_children, (then(term, "*"), then(term, "[]")), strict=False)


def bind_literal_keys(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the keys of a composite literal, and of the literals in it that leave their type out."""
    kind, body = find_type(node), node.child_by_field_name("body")
    if body is None or kind is None or b":" not in (body.text or b""):
        return
    pending = [(terms.object_of(spell(kind)), body, kind.type in _COLLECTIONS)]
    while pending:
        term, literal, collects = pending.pop()
        for element in literal.named_children:
            keyed = element.type == "keyed_element"
            key = _first_child(element.child_by_field_name("key")) if keyed else None
            value = _first_child(element.child_by_field_name("value") if keyed else element)
            if key is not None and key.type == "identifier":
                yield key, BARE if collects else term
            elif key is not None and key.type == "literal_value":
                pending.append((then(term, "*"), key, False))
            if value is not None and value.type == "literal_value":
                pending.append((then(term, "[]"), value, False))


def _first_child(element: Node | None) -> Node | None:
    return element.named_children[0] if element is not None and element.named_children else None


_WRITTEN_OUT = frozenset({"struct_type", "interface_type"})
_COLLECTIONS = frozenset({"array_type", "implicit_length_array_type", "map_type", "slice_type"})


def spell_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a type embeds; what a type that is no struct or interface is defined as."""
    kind = find_type(node)
    if kind is not None and kind.type in _WRITTEN_OUT:
        yield from spell_embedded_types(kind, spell)
    elif kind is not None:
        yield spell(kind)


def spell_field_bases(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what a field embeds whose type is written there."""
    return (base for kind in list_members(node)[:1] for base in spell_bases(node, spell))


def spell_embedded_types(kind: Node, spell: Spell) -> Iterator[str]:
    """Yield the terms of what a struct or an interface type embeds."""
    for child in find_member_list(kind).named_children:
        if child.type == "field_declaration" and find_embedded_name(child):
            yield spell(find_type(child))
        elif child.type == "type_elem" and child.named_child_count == 1:
            yield spell(child.named_children[0])


def list_type_parameters(node: Node) -> Sequence[Node]:
    """Return the names of the type parameters of a declaration."""
    listed = node.child_by_field_name("type_parameters")
    declared = listed.named_children if listed is not None else []
    return [name for one in declared for name in one.children_by_field_name("name")]


TERMS: Mapping[str, Spelling] = {
    "pointer_type": terms.same(),
    "parenthesized_type": terms.same(),
    "parenthesized_expression": terms.same(),
    "negated_type": terms.same(),
    "type_elem": terms.one_of(),
    "type_constraint": terms.one_of(),
    "generic_type": _spell_generic,
    "type_instantiation_expression": terms.same("type"),
    "variadic_argument": _spell_spread,
    "slice_type": _spell_collection("element"),
    "array_type": _spell_collection("element"),
    "implicit_length_array_type": _spell_collection("element"),
    "map_type": _spell_collection("key", "value"),
    "channel_type": _spell_collection("value"),
    "function_type": _spell_function,
    "func_literal": lambda node, spell: terms.object_of(_spell_function(node, spell)),
    "struct_type": _spell_inline_type,
    "interface_type": _spell_inline_type,
    "parameter_list": _spell_results,
    "variadic_parameter_declaration": _spell_variadic,
    "call_expression": _spell_call,
    "composite_literal": _spell_made_object,
    "type_conversion_expression": _spell_conversion,
    "type_assertion_expression": _spell_made_object,
    "unary_expression": _spell_unary,
    "binary_expression": _spell_binary,
    "index_expression": terms.spell_step("operand", "[]"),
    "slice_expression": terms.same("operand"),
}


def list_generic_functions() -> Mapping[str, str]:
    """Return the generic functions of https://pkg.go.dev/std, iterators as collections of what a loop takes from them.

    Those of ``golang.org/x/exp`` have the same names.
    """
    same = "Clip Clone Compact CompactFunc Delete DeleteFunc Grow Insert Replace Repeat AppendSeq"
    one = "Max Min MaxFunc MinFunc"
    all_ = "Collect Sorted SortedFunc SortedStableFunc Values"
    known = {
        **{f"slices.{name}": "!<S,S>" for name in same.split()},
        **{f"slices.{name}": "!<E,[]<E>>" for name in one.split()},
        **{f"slices.{name}": "!<[]<E>,[]<E>>" for name in all_.split()},
        "slices.Concat": "!<S,=<S>>",
        "slices.Chunk": "!<[]<S>,S>",
        "slices.All": "!<[]<?,E>,[]<E>>",
        "slices.Backward": "!<[]<?,E>,[]<E>>",
        "maps.All": "!<[]<K,V>,[]<K,V>>",
        "maps.Clone": "!<M,M>",
        "maps.Collect": "!<[]<K,V>,[]<K,V>>",
        "maps.Keys": "!<[]<K>,[]<K,V>>",
        "maps.Values": "!<[]<V>,[]<K,V>>",
    }
    return {
        **known,
        **{f"golang.org/x/exp/{name}": term for name, term in known.items()},
        "cmp.Or": "!<T,=<T>>",
        "iter.Pull": "!<()<!<()<V,?>>,?>,[]<V>>",
        "iter.Pull2": "!<()<!<()<K,V,?>>,?>,[]<K,V>>",
        "sync.OnceValue": "!<!<T>,!<T>>",
        "sync.OnceValues": "!<!<()<T,U>>,!<()<T,U>>>",
    }


OBJECT = "$"
"""What stands for the object in the terms below: no name of Go."""

HOLDER_METHODS: Mapping[str, str] = {"Load": f"!<{OBJECT}[]>", "Swap": f"!<{OBJECT}[]>"}
"""Methods of the types from outside that hold an object of another type."""
