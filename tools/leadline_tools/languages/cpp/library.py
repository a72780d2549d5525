"""The standard library of C++: what algorithms, containers, pointers and pairs make of what they are given.

What is *sought* is an iterator of a range; what is *handed* are elements of a range, to a function that is an argument.
See https://timsong-cpp.github.io/cppwp/.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages.cpp.outline import DEEPEST_NAME
from leadline_tools.languages.nodes import text
from leadline_tools.languages.terms import TUPLE, UNKNOWN, Op, Spell, apply_type_arguments, then

_MAKERS = frozenset({"make_unique", "make_shared"})
_PAIRING = frozenset({"make_pair", "make_tuple", "tie"})
_FOLDING = frozenset({"accumulate", "reduce"})

_INITIAL = 2
"""The place of the value with which they begin."""

_RETURNS_ARGUMENT = frozenset(
    "addressof as_const clamp cref exchange forward max min move move_if_noexcept next prev ref".split()
)
_CONTAINER_ITERATORS = frozenset("begin cbegin crbegin end erase_if rbegin".split())
_RETURNS_ITERATOR = _CONTAINER_ITERATORS | frozenset(
    "adjacent_find find find_if find_if_not lower_bound max_element min_element nth_element partition partition_point"
    " remove remove_if search stable_partition unique upper_bound".split()
)

_CALLS_WITH_ELEMENTS = _RETURNS_ITERATOR | frozenset(
    "all_of any_of binary_search copy_if count_if equal_range for_each for_each_n is_partitioned is_sorted make_heap"
    " minmax_element none_of partial_sort pop_heap push_heap replace_if sort sort_heap stable_sort transform".split()
)
"""What gives back what it is given first, what gives an iterator of what it is given, what hands elements of that on.

https://timsong-cpp.github.io/cppwp/algorithms, .../utility and .../iterators
"""

_ELEMENT_MEMBERS = "at back emplace_back emplace_front front get load lock top value value_or".split()
_ITERATOR_MEMBERS = "begin cbegin cend crbegin crend end find lower_bound rbegin rend upper_bound".split()

COLLECTIONS: Mapping[str, str] = {
    **dict.fromkeys(_ELEMENT_MEMBERS, "!<this[]>"),
    **dict.fromkeys(_ITERATOR_MEMBERS, "!<this*>"),
    **dict.fromkeys("push push_back push_front".split(), "!<?,this[]>"),
    **dict.fromkeys("insert_or_assign try_emplace".split(), "!<()<this*>>"),
    "emplace": "!<()<this*>|this*>",
    "insert": "!<()<this*>|this*,this[],this[]>",
    "first": "this#0",
    "second": "this#1",
}
"""What members of containers, iterators, pointers and pairs of the standard library give: an element, or what points to
it, which of a map is a key with its value; and what takes an element. What inserts one gives what points to it, in maps
and sets with whether it is new.

https://timsong-cpp.github.io/cppwp/containers, .../mem, .../optional and .../pairs.
"""

MEMBER_TYPES: Mapping[str, str] = {
    **dict.fromkeys("const_iterator const_reverse_iterator iterator reverse_iterator value_type".split(), "this*"),
    **dict.fromkeys("const_pointer const_reference element_type mapped_type pointer reference".split(), "this[]"),
    "key_type": "this#0",
}
"""What the types stand for that types of the standard library have: an iterator for what it points to."""
HOLDING: Mapping[str, int] = {
    **dict.fromkeys(
        "deque flat_set forward_list list multiset priority_queue queue set shared_ptr stack unique_ptr"
        " unordered_multiset unordered_set vector".split(),
        1,
    ),
    **dict.fromkeys("flat_map map multimap unordered_map unordered_multimap".split(), 2),
}
"""How many template arguments say what an object holds; the others say how it compares, hashes or deletes that."""
CALLABLES: frozenset[str] = frozenset({"function", "move_only_function", "copyable_function", "function_ref"})
STANDARD = "std"


def spell_template_arguments(node: Node, spell: Spell) -> list[str]:
    """Return the terms of the template arguments of a node."""
    return [spell(child) for part in node.children_by_field_name("arguments") for child in part.named_children]


def find_standard_name(function: Node | None) -> str:
    """Return the name of a function of the standard library, with its namespace in that; empty for any other."""
    parts: list[str] = []
    for _ in range(DEEPEST_NAME):
        if function is None or function.type != "qualified_identifier":
            break
        parts.append(text(function.child_by_field_name("scope")))
        function = function.child_by_field_name("name")
    if function is None or not parts or parts[0] != STANDARD:
        return ""
    name = function.child_by_field_name("name") if function.type == "template_function" else function
    return ".".join((*parts[1:], text(name)))


def list_arguments(call: Node) -> Sequence[Node]:
    """Return the arguments of a call, without the policy by which an algorithm runs."""
    listed = call.child_by_field_name("arguments")
    given = [one for one in listed.named_children if one.type != "comment"] if listed is not None else []
    return given[1:] if given and text(given[0]).startswith("std::execution::") else given


def spell_library_call(name: str, template: Node | None, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call of a function of the standard library; UNKNOWN for one of which nothing is known."""
    named = spell_template_arguments(template, spell) if template is not None else []
    if name in _MAKERS and named:
        return then(named[0], "()")
    if name in ("get", "get_if") and template is not None and given:
        place = template.child_by_field_name("arguments")
        number = text(place.named_children[0]) if place is not None and place.named_children else ""
        return then(spell(given[0]), f"#{number}") if number.isdecimal() else then(named[0], "()") if named else UNKNOWN
    if name in _PAIRING and given:
        return then(apply_type_arguments(TUPLE, [then(spell(one), Op.Itself) for one in given]), "()")
    if name in _FOLDING and len(given) > _INITIAL:
        return spell(given[_INITIAL])
    if name in _RETURNS_ARGUMENT and given:
        return spell(given[0])
    return _spell_iterated(name, given, spell) if name.rpartition(".")[2] in _RETURNS_ITERATOR else UNKNOWN


def _spell_iterated(name: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what the iterators point to that an algorithm is given, or the elements of its range."""
    whole = name.startswith("ranges.") or name in _CONTAINER_ITERATORS
    return then(spell(given[0]), "*") if given and whole else spell(given[0]) if given else UNKNOWN


def spell_handed(call: Node, given: Sequence[Node], at: int, number: int, spell: Spell) -> str:
    """Spell what a function hands to the one that it is given in a place, as its parameter of a number."""
    function = call.child_by_field_name("function")
    name = find_standard_name(function)
    if not name:
        return then(spell(function), f"%{at}%{number}")
    if name == "visit":
        return then(spell(given[1]), "[]") if len(given) > 1 else UNKNOWN
    if name in _FOLDING:
        return spell(given[_INITIAL]) if not number else spell(given[0])
    if name == "transform" and number and len(given) > _UNARY_TRANSFORM:
        return spell(given[2])
    return _spell_iterated(name, given, spell) if name.rpartition(".")[2] in _CALLS_WITH_ELEMENTS else UNKNOWN


_UNARY_TRANSFORM = 4
"""The arguments of a ``transform`` of one range."""
