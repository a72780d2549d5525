"""How values and types of C++ are spelled as terms, with what its standard library makes of what it is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from leadline_tools.languages import terms
from leadline_tools.languages.c import rules as c
from leadline_tools.languages.language import text
from leadline_tools.languages.terms import FUNCTION, TUPLE, UNKNOWN, Op, Spell, Spelling, applied, object_of, then

_DEEPEST_NAME = 32

_MAKERS = frozenset({"make_unique", "make_shared"})
_OF_NO_TYPE = frozenset({"true", "false", "null", "nullptr", "initializer_list"})
_PAIRING = frozenset({"make_pair", "make_tuple", "tie"})
_FOLDING = frozenset({"accumulate", "reduce"})
_INITIAL = 2
"""The place of the value with which they begin."""

_GIVING_BACK = frozenset(
    "addressof as_const clamp cref exchange forward max min move move_if_noexcept next prev ref".split()
)
_OF_CONTAINERS = frozenset("begin cbegin crbegin end erase_if rbegin".split())
_SEEKING = _OF_CONTAINERS | frozenset(
    "adjacent_find find find_if find_if_not lower_bound max_element min_element nth_element partition partition_point"
    " remove remove_if search stable_partition unique upper_bound".split()
)
_HANDING = _SEEKING | frozenset(
    "all_of any_of binary_search copy_if count_if equal_range for_each for_each_n is_partitioned is_sorted make_heap"
    " minmax_element none_of partial_sort pop_heap push_heap replace_if sort sort_heap stable_sort transform".split()
)
"""What gives back what it is given first, what gives an iterator of what it is given, what hands elements of that on.

https://timsong-cpp.github.io/cppwp/algorithms, .../utility and .../iterators
"""

_TEMPLATES = frozenset({"template_type", "template_function"})

_GIVING = "at back emplace_back emplace_front front get load lock top value value_or".split()
_POINTING = "begin cbegin cend crbegin crend end find lower_bound rbegin rend upper_bound".split()
COLLECTIONS: Mapping[str, str] = {
    **dict.fromkeys(_GIVING, "!<this[]>"),
    **dict.fromkeys(_POINTING, "!<this*>"),
    "first": "this#0",
    "second": "this#1",
}
"""What members of containers, iterators, pointers and pairs of the standard library give: an element, or what points to
it, which of a map is a key with its value.

https://timsong-cpp.github.io/cppwp/containers, .../mem, .../optional and .../pairs.
"""

MEMBER_TYPES: Mapping[str, str] = {
    **dict.fromkeys("const_iterator const_reverse_iterator iterator reverse_iterator value_type".split(), "this*"),
    **dict.fromkeys("const_pointer const_reference element_type mapped_type pointer reference".split(), "this[]"),
    "key_type": "this#0",
}
"""What the types stand for that types of the standard library have: an iterator for what it points to."""

_TUPLES = frozenset({"pair", "tuple", "variant"})
_CALLABLES = frozenset({"function", "move_only_function", "copyable_function", "function_ref"})
_STANDARD = "std"


def _arguments(node: Node, spell: Spell) -> list[str]:
    return [spell(child) for part in node.children_by_field_name("arguments") for child in part.named_children]


def _with_arguments(node: Node, spell: Spell) -> str:
    """Spell ``A<B>``."""
    return applied(spell(node.child_by_field_name("name")), _arguments(node, spell))


def _called(node: Node, spell: Spell) -> str:
    """Spell a call; of what the standard library has by what it makes of what it is given."""
    function = node.child_by_field_name("function")
    last = _template(function)
    name = _standard(function)
    term = _of_library(name, last, _given_to(node), spell) if name else UNKNOWN
    if term != UNKNOWN or function is None:
        return term
    arguments = _arguments(last, spell) if last is not None else []
    cast = arguments and last is not None and text(last.child_by_field_name("name")).endswith("_cast")
    return then(arguments[0] if cast else terms.given(spell(function), _told(node, spell)), "()")


def _told(call: Node, spell: Spell) -> Iterator[str]:
    """Yield what a call is given, as far as that may be of a type of the code base."""
    for one in _given_to(call):
        yield UNKNOWN if one.type.endswith("literal") or one.type in _OF_NO_TYPE else spell(one)


def _standard(function: Node | None) -> str:
    """Return the name of a function of the standard library, with its namespace in that; empty for any other."""
    parts: list[str] = []
    for _ in range(_DEEPEST_NAME):
        if function is None or function.type != "qualified_identifier":
            break
        parts.append(text(function.child_by_field_name("scope")))
        function = function.child_by_field_name("name")
    if function is None or not parts or parts[0] != _STANDARD:
        return ""
    name = function.child_by_field_name("name") if function.type == "template_function" else function
    return ".".join((*parts[1:], text(name)))


def _given_to(call: Node) -> Sequence[Node]:
    """Return the arguments of a call, without the policy by which an algorithm runs."""
    listed = call.child_by_field_name("arguments")
    given = [one for one in listed.named_children if one.type != "comment"] if listed is not None else []
    return given[1:] if given and text(given[0]).startswith("std::execution::") else given


def _of_library(name: str, template: Node | None, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call of a function of the standard library; UNKNOWN for one of which nothing is known."""
    named = _arguments(template, spell) if template is not None else []
    if name in _MAKERS and named:
        return then(named[0], "()")
    if name in ("get", "get_if") and template is not None and given:
        place = template.child_by_field_name("arguments")
        number = text(place.named_children[0]) if place is not None and place.named_children else ""
        return then(spell(given[0]), f"#{number}") if number.isdecimal() else then(named[0], "()") if named else UNKNOWN
    if name in _PAIRING and given:
        return then(applied(TUPLE, [then(spell(one), Op.Itself) for one in given]), "()")
    if name in _FOLDING and len(given) > _INITIAL:
        return spell(given[_INITIAL])
    if name in _GIVING_BACK and given:
        return spell(given[0])
    return _iterated(name, given, spell) if name.rpartition(".")[2] in _SEEKING else UNKNOWN


def _iterated(name: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what the iterators point to that an algorithm is given, or the elements of its range."""
    whole = name.startswith("ranges.") or name in _OF_CONTAINERS
    return then(spell(given[0]), "*") if given and whole else spell(given[0]) if given else UNKNOWN


def _qualified(node: Node, spell: Spell) -> str:
    """Spell ``a::b<c>::d``, which nests to the right."""
    term, rest = "", node
    for _ in range(_DEEPEST_NAME):
        nested = rest.type == "qualified_identifier"
        part, further = (
            (rest.child_by_field_name("scope"), rest.child_by_field_name("name")) if nested else (rest, None)
        )
        if part is not None:
            term = _step(term, part, spell) if term else spell(part)
        if further is None:
            return term
        rest = further
    return UNKNOWN


def _step(term: str, part: Node, spell: Spell) -> str:
    """Spell a part of a qualified name behind what is before it."""
    if part.type in _TEMPLATES:
        name = text(part.child_by_field_name("name"))
        if term == _STANDARD and name in _CALLABLES:
            return applied(FUNCTION, _signature(part, spell))
        head = TUPLE if term == _STANDARD and name in _TUPLES else then(term, f".{name}")
        return applied(head, _arguments(part, spell))
    return then(term, f".{text(part)}")


def _signature(node: Node, spell: Spell) -> Iterator[str]:
    """Yield what the function returns that a template takes as its argument, then what it takes."""
    given = next((child for part in node.children_by_field_name("arguments") for child in part.named_children), None)
    declarator = given.child_by_field_name("declarator") if given is not None else None
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    yield spell(given)
    for parameter in parameters.named_children if parameters is not None else ():
        yield spell(parameter.child_by_field_name("type"))


_SIGNS = frozenset("+ - * / % & | ^ << >>".split())


def _operated(node: Node, spell: Spell) -> str:
    """Spell what an operator gives; where the type of its left side has none, what is of the type of a side."""
    sign = text(node.child_by_field_name("operator"))
    left, right = spell(node.child_by_field_name("left")), spell(node.child_by_field_name("right"))
    if sign not in _SIGNS:
        return UNKNOWN
    return terms.operated(left, sign) if left != UNKNOWN else right if sign in "+-" else UNKNOWN


def _pointed(node: Node, spell: Spell) -> str:
    """Spell ``*a`` and ``&a``: what points to an object has the members of the object."""
    argument = spell(node.child_by_field_name("argument"))
    operator = node.child_by_field_name("operator")
    return then(argument, "~") if operator is not None and operator.type == "*" else argument


def member(node: Node) -> Sequence[Node | None]:
    """Return the object and the member of ``a.b``; of ``a.B::c`` the object alone, as that is a member of ``B``."""
    owner, taken = node.child_by_field_name("argument"), node.child_by_field_name("field")
    return (owner,) if taken is not None and taken.type == "qualified_identifier" else (owner, taken)


def through(node: Node) -> str:
    """Return the step from the object of ``a->b`` to that of which ``b`` is a member."""
    operator = node.child_by_field_name("operator")
    return "~" if operator is not None and operator.type == "->" else ""


def initialized(node: Node, _spell: Spell) -> Iterator[tuple[Node, str]]:
    """Yield the member that an initializer of a constructor initializes; or it names a base."""
    name = node.named_children[0]
    if name.type == "field_identifier":
        yield name, "this|"


def _template(name: Node | None) -> Node | None:
    """Return the last part of a name where that is a function with template arguments."""
    for _ in range(_DEEPEST_NAME):
        if name is None or name.type != "qualified_identifier":
            break
        name = name.child_by_field_name("name")
    return name if name is not None and name.type == "template_function" else None


def made(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give each name that ``auto`` declares its value."""
    kind = node.child_by_field_name("type")
    if kind is None or kind.type != "placeholder_type_specifier":
        return
    for declarator in node.children_by_field_name("declarator"):
        holder = declarator if declarator.type == "init_declarator" else node  # of a condition
        value = holder.child_by_field_name("value")
        if value is not None:
            yield from _given(declarator, spell(value))


def each(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give what a loop over a range declares the elements of that."""
    declarator = node.child_by_field_name("declarator")
    if declarator is not None:
        yield from _given(declarator, then(spell(node.child_by_field_name("right")), "*"))


def _given(declarator: Node, value: str) -> Iterator[tuple[Node, str]]:
    """Yield the name that is declared with its value, or each of several with its part of it."""
    name = c.declared(declarator)[0]
    if name is not None and name.type == "structured_binding_declarator":
        yield from ((part, then(value, f"#{i}")) for i, part in enumerate(name.named_children))
    elif name is not None:
        yield name, value


# --- Variables that look like functions


def given_names(node: Node) -> Sequence[Node]:
    """Return the names in ``A a(b, c)`` in a function, which declares a variable where the grammar sees a function."""
    around = node.parent
    if around is None or around.type != "compound_statement":
        return ()
    found: list[Node] = []
    for _, function in c.declarators(node):
        listed = function.child_by_field_name("parameters") if function is not None else None
        for one in listed.named_children if listed is not None else ():
            if one.type != "parameter_declaration" or len(one.named_children) != 1:
                return ()
            found += [one.named_children[0]] if one.named_children[0].type == "type_identifier" else []
    return found


# --- Functions


def result(node: Node) -> Node | None:
    """Return the type of what a declaration declares, of a function that of its result, wherever it stands."""
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type == "type_descriptor":
        return c.declared_type(kind)
    return (_trailing(node) if _is_deduced(kind) else None) or c.declared_type(node)


def _is_deduced(kind: Node | None) -> bool:
    return kind is not None and kind.type == "placeholder_type_specifier"


def _trailing(node: Node) -> Node | None:
    """Return the type behind the arrow of a function's head."""
    declarator = node.child_by_field_name("declarator")
    for _ in range(_DEEPEST_NAME):
        if declarator is None or declarator.type.endswith("function_declarator"):
            break
        declarator = declarator.child_by_field_name("declarator")
    behind = declarator.named_children[-1] if declarator is not None and declarator.named_children else None
    return behind.named_children[0] if behind is not None and behind.type == "trailing_return_type" else None


def returned(node: Node, spell: Spell) -> str:
    """Spell what a function returns that does not say of what type that is."""
    function = node.parent
    while function is not None and function.type not in ("function_definition", "lambda_expression"):
        function = function.parent
    deduced = function is not None and _is_deduced(function.child_by_field_name("type"))
    return spell(node.named_children[0]) if deduced and node.named_children else UNKNOWN


def takes(node: Node, spell: Spell) -> str:
    """Spell the function type that takes what a function takes that takes functions, or of a template."""
    function = next((function for _, function in c.declarators(node)), None)
    listed = function.child_by_field_name("parameters") if function is not None else None
    parameters = listed.named_children if listed is not None else ()
    template = node.parent is not None and node.parent.type == "template_declaration"
    if not template and not any(name in text(one) for one in parameters for name in _CALLABLES):
        return UNKNOWN
    return applied(FUNCTION, [UNKNOWN, *(spell(one.child_by_field_name("type")) for one in parameters)])


def _lambda(node: Node, spell: Spell) -> str:
    """Spell a lambda by what it gives, where that does not depend on what it takes."""
    written = _trailing(node)
    if written is not None:
        return object_of(applied(FUNCTION, [spell(written)]))
    names = [text(name) for one in _parameters(node) for name in c.names(one)]
    given = terms.put(_single(node, spell), dict.fromkeys(names, UNKNOWN))
    return object_of(applied(FUNCTION, [then(given, Op.Itself)])) if given != UNKNOWN else UNKNOWN


def _single(function: Node, spell: Spell) -> str:
    """Spell what the only statement of a lambda returns."""
    body = function.child_by_field_name("body")
    statements = [one for one in body.named_children if one.type != "comment"] if body is not None else []
    only = statements[0] if len(statements) == 1 and statements[0].type == "return_statement" else None
    return spell(only.named_children[0]) if only is not None and only.named_children else UNKNOWN


def _parameters(function: Node) -> Sequence[Node]:
    declarator = function.child_by_field_name("declarator")
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [one for one in listed.named_children if one.type != "comment"] if listed is not None else ()


def expected(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give a parameter of a lambda that is ``auto`` what the function hands to it that the lambda is given to."""
    if not _is_deduced(node.child_by_field_name("type")):
        return
    function = node.parent.parent.parent if node.parent is not None and node.parent.parent is not None else None
    call = function.parent.parent if function is not None and function.parent is not None else None
    if function is None or call is None or function.type != "lambda_expression" or call.type != "call_expression":
        return
    given, number = _given_to(call), _parameters(function).index(node)
    term = _handed(call, given, given.index(function), number, spell) if function in given else UNKNOWN
    yield from ((name, term) for name in c.names(node))


def _handed(call: Node, given: Sequence[Node], at: int, number: int, spell: Spell) -> str:
    """Spell what a function hands to the one that it is given in a place, as its parameter of a number."""
    function = call.child_by_field_name("function")
    name = _standard(function)
    if not name:
        return then(spell(function), f"%{at}%{number}")
    if name == "visit":
        return then(spell(given[1]), "[]") if len(given) > 1 else UNKNOWN
    if name in _FOLDING:
        return spell(given[_INITIAL]) if not number else spell(given[0])
    if name == "transform" and number and len(given) > _BINARY:
        return spell(given[2])
    return _iterated(name, given, spell) if name.rpartition(".")[2] in _HANDING else UNKNOWN


_BINARY = 4
"""The arguments of a ``transform`` of one range."""

TERMS: Mapping[str, Spelling] = {
    **c.TERMS,
    "template_type": _with_arguments,
    "call_expression": _called,
    "binary_expression": _operated,
    "decltype": terms.stepped("", Op.Itself),
    "lambda_expression": _lambda,
    "dependent_type": terms.same(),
    "new_expression": terms.stepped("type", "()"),
    "condition_clause": terms.same("value"),
    "qualified_identifier": _qualified,
    "pointer_expression": _pointed,
    "subscript_expression": terms.stepped("argument", "[]"),
    **dict.fromkeys(("class_specifier", "struct_specifier", "union_specifier", "enum_specifier"), terms.same("name")),
}
