"""The standard library of Python: what it makes of what it is given, and the members of its types.

A *maker* is a function whose result follows from its arguments, as that of ``sorted``. See
https://docs.python.org/3/library/.
"""

from __future__ import annotations

import builtins
import collections
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from leadline_tools.languages.nodes import text
from leadline_tools.languages.python import queries
from leadline_tools.languages.python.calls import CASTS, COPYING, NOT_POSITIONAL, SPLAT
from leadline_tools.languages.python.generics import TYPE_VARIABLES, apply_arguments
from leadline_tools.languages.python.objects import (
    make_function,
    make_iterable,
    make_object,
    spell_any_of,
    spell_element,
)
from leadline_tools.languages.python.patterns import spell_entered
from leadline_tools.languages.python.types import spell_type
from leadline_tools.languages.terms import TUPLE, UNKNOWN, Op, Spell, apply_type_arguments, either, object_of, then

_BOUND = "bound"


def list_lambda_parameters(parameters: Node) -> Iterator[Node]:
    """Yield the names of the parameters of a lambda."""
    for parameter in parameters.named_children:
        name = parameter.child_by_field_name("name") or parameter
        yield name.named_children[0] if name.named_children else name


def bind_lambda_parameters(node: Node, spell: Spell) -> Iterator[tuple[Node, str]]:
    """Give the parameters of a lambda what its declared type says, or what calls the function that it is given to."""
    around = node.parent.parent if node.parent is not None else None
    declared = _find_declared_type(around) if around is not None else None
    if declared is not None:
        expected = object_of(spell_type(declared, spell))
        yield from ((name, then(expected, f"%{number}")) for number, name in enumerate(list_lambda_parameters(node)))
        return
    keyed = around is not None and around.type == "keyword_argument"
    arguments = around.parent if keyed and around is not None else around
    call = arguments.parent if arguments is not None else None
    if arguments is None or call is None or arguments.type != "argument_list" or call.type != "call":
        return
    function = call.child_by_field_name("function")
    if function is None or function.end_byte - function.start_byte > _LONGEST_NAME:
        return
    gives = (_HANDED_TO_KEY if keyed else _HANDED_TO_FIRST).get(text(function).rpartition(".")[2])
    given = [child for child in arguments.named_children if child.type not in NOT_POSITIONAL]
    whole = all(child.type != SPLAT for child in given)
    known = gives(function, given, spell) if gives is not None and whole else ()
    yield from zip(list_lambda_parameters(node), known, strict=False)
    place = _find_place(node, given, around if keyed else None)
    if whole and not known and place:
        expected = then(apply_arguments(spell(function), arguments, spell), f"%{place}")
        yield from ((name, then(expected, f"%{number}")) for number, name in enumerate(list_lambda_parameters(node)))


def _find_declared_type(around: Node) -> Node | None:
    """Return the type that is declared for the value that a node has: of a variable, a parameter, a result."""
    match around.type:
        case "assignment" | "typed_default_parameter":
            declared = around.child_by_field_name("type")
        case "return_statement":
            function = around.parent
            while function is not None and function.type not in ("function_definition", "class_definition"):
                function = function.parent
            declared = function.child_by_field_name("return_type") if function is not None else None
        case _:
            return None
    return declared.named_children[0] if declared is not None and declared.named_children else None


def _find_place(parameters: Node, given: Sequence[Node], keyword: Node | None) -> str:
    """Return in which place, or under which name, a call is given the lambda with some parameters."""
    if keyword is not None:
        return f":{text(keyword.child_by_field_name('name'))}"
    return f"{given.index(parameters.parent)}" if parameters.parent in given and parameters.parent is not None else ""


_Handing = Callable[[Node, Sequence[Node], Spell], Sequence[str]]
"""From what is called and its positional arguments to what it hands to a function, parameter by parameter."""


def _hand_to_key(at: int) -> _Handing:
    """Return what hands the elements of an argument to the function that is called ``key``."""
    return lambda _function, given, spell: [spell_element(spell(given[at]))] if at < len(given) else []


def _hand_to_sort_key(function: Node, _given: Sequence[Node], spell: Spell) -> Sequence[str]:
    """Return what ``a.sort(key=...)`` hands to the key."""
    return [spell_element(spell(function.child_by_field_name("object")))]


def _hand_elements(_function: Node, given: Sequence[Node], spell: Spell) -> Sequence[str]:
    """Return an element of each argument but the first."""
    return [spell_element(spell(one)) for one in given[1:]]


def _hand_to_reduce(_function: Node, given: Sequence[Node], spell: Spell) -> Sequence[str]:
    """Return what ``reduce(function, values, first)`` hands to the function: what it has given before, and a value."""
    each = [spell_element(spell(one)) for one in given[1:2]]
    first = [spell(one) for one in given[2:3]] or each
    return [*first, *each]


_HANDED_TO_KEY: Mapping[str, _Handing] = {
    **dict.fromkeys("groupby max min sorted".split(), _hand_to_key(0)),
    **dict.fromkeys(("nlargest", "nsmallest"), _hand_to_key(1)),
    "sort": _hand_to_sort_key,
}
"""What is handed to the function that is called ``key``."""

_HANDED_TO_FIRST: Mapping[str, _Handing] = {
    **dict.fromkeys("dropwhile filter filterfalse map takewhile".split(), _hand_elements),
    "reduce": _hand_to_reduce,
}
"""What is handed to the function that comes first: of https://docs.python.org/3/library/functions.html, ``functools``,
``heapq`` and ``itertools``."""

_LONGEST_NAME = 80

_Maker = Callable[[str, Sequence[Node], Spell], str]
"""From the term of what is called and the positional arguments to the term of the call, UNKNOWN for any other."""

_INTEGER = "int()"
_Elements = Callable[[str], str]


def _spell_numbered(term: str) -> str:
    return make_object(TUPLE, [_INTEGER, spell_element(term)])


def _make_collection_of(element: _Elements, at: int = 0) -> _Maker:
    """Return how a call is spelled that makes a collection of an argument, of which ``element`` tells the elements."""

    def made(function: str, given: Sequence[Node], spell: Spell) -> str:
        term = spell(given[at]) if at < len(given) else UNKNOWN
        return make_object(function, [element(term)]) if term != UNKNOWN else UNKNOWN

    return made


def _spell_zip(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell an iterable of tuples, one element of each argument in each."""
    return make_object(function, [make_object(TUPLE, [spell_element(spell(one)) for one in given])])


def _spell_same(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives what it is given first."""
    return _spell_taken_out(function, spell(given[0]))


def _spell_one_of(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives one of several arguments, or one of the elements of a single one."""
    term = either(map(spell, given))
    return _spell_taken_out(function, spell_element(term) if len(given) == 1 else term)


def _spell_sum(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a sum: an element of what is added up, or what it begins with."""
    begin = [spell(one) for one in given[1:2]]
    return _spell_taken_out(function, either((spell_element(spell(given[0])), *begin)))


def _spell_counter(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a mapping from each element to a number."""
    element = spell_element(spell(given[0]))
    return make_object(function, [element, _INTEGER]) if element != UNKNOWN else UNKNOWN


def _spell_chained(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell an iterable of the elements of each argument."""
    element = either(spell_element(spell(one)) for one in given)
    return make_object(function, [element]) if element != UNKNOWN else UNKNOWN


def _spell_grouped(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell an iterable of keys, each with an iterable of the elements that have it."""
    element = spell_element(spell(given[0]))
    group = make_object(TUPLE, [UNKNOWN, make_iterable(element)])
    return make_object(function, [group]) if element != UNKNOWN else UNKNOWN


def _spell_inner_element(term: str) -> str:
    return spell_element(spell_element(term))


def _spell_next(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives an element of what it is given."""
    return _spell_taken_out(function, spell_element(spell(given[0])))


def _spell_taken_out(function: str, term: str) -> str:
    """Spell what a maker gives that is held by an object of its name for a moment."""
    return then(make_object(function, [term]), "[]") if term != UNKNOWN else UNKNOWN


def _make_entered(*, is_async: bool) -> _Maker:
    """Return how a call is spelled that enters a context manager which it is given."""
    return lambda function, given, spell: _spell_taken_out(function, spell_entered(spell(given[0]), is_async=is_async))


def _spell_cast(_function: str, given: Sequence[Node], spell: Spell) -> str:
    return then(spell_type(given[0], spell), "()")


def is_bound_argument(argument: Node) -> bool:
    """Return whether an argument with a name says what bounds a type variable."""
    name = argument.child_by_field_name("name")
    return name is not None and name.end_byte - name.start_byte == len(_BOUND) and text(name) == _BOUND


def _spell_type_variable(_function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a type variable as what bounds it, or as any of those that it is constrained to."""
    listed = given[0].parent.named_children if given[0].parent is not None else ()
    bound = next((one for one in listed if one.type == "keyword_argument" and is_bound_argument(one)), None)
    types = given[1:] if bound is None else [bound.child_by_field_name("value")]
    return either(spell_type(one, spell) for one in types if one is not None)


def _spell_class_of(_function: str, given: Sequence[Node], spell: Spell) -> str:
    return then(spell(given[0]), ".__class__") if len(given) == 1 else UNKNOWN


def _spell_default_dictionary(function: str, given: Sequence[Node], spell: Spell) -> str:
    made = then(spell(given[0]), "()")
    return make_object(function, [UNKNOWN, made]) if made != UNKNOWN else UNKNOWN


def _spell_gathered(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what several awaitables give, each in its place."""
    parts = [spell(one) for one in given]
    return _spell_taken_out(function, make_object(TUPLE, parts)) if any(part != UNKNOWN for part in parts) else UNKNOWN


def _spell_partial(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a function that gives what the one that it is made of gives."""
    return _spell_taken_out(function, make_function(then(spell(given[0]), "()")))


def _spell_pairs(function: str, given: Sequence[Node], spell: Spell) -> str:
    each = spell_element(spell(given[0]))
    return make_object(function, [make_object(TUPLE, [each, each])]) if each != UNKNOWN else UNKNOWN


def _spell_mapping(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a dictionary that is made of pairs, as far as it is seen that they are pairs."""
    pairs = spell_element(spell(given[0])) if given[0].type != "identifier" else UNKNOWN
    return make_object(function, [then(pairs, "#0"), then(pairs, "#1")]) if pairs != UNKNOWN else UNKNOWN


def _spell_results(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what holds what the function gives that it is given: one after the other, or in the future."""
    result = then(spell(given[0]), "()")
    return make_object(function, [result]) if result != UNKNOWN else UNKNOWN


def _spell_called(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell a call that gives what the function gives that it is given."""
    return _spell_taken_out(function, then(spell(given[0]), "()"))


def _spell_raised(function: str, given: Sequence[Node], spell: Spell) -> str:
    """Spell what holds the exception of a type, once it is raised."""
    types = spell_any_of(given[0], spell)
    return then(apply_type_arguments(function, [types]), "()") if types != UNKNOWN else UNKNOWN


MAKERS: dict[str, _Maker] = {
    **dict.fromkeys(
        "deque collections.deque frozenset iter list reversed set sorted tuple".split(),
        _make_collection_of(spell_element),
    ),
    "filter": _make_collection_of(spell_element, 1),
    "enumerate": _make_collection_of(_spell_numbered),
    "zip": _spell_zip,
    **dict.fromkeys(("copy", "copy.copy", "copy.deepcopy", "deepcopy", *COPYING), _spell_same),
    **dict.fromkeys(("max", "min"), _spell_one_of),
    **dict.fromkeys(
        "heapq.heappop heapq.heappushpop heapq.heapreplace next random.choice statistics.mode".split(), _spell_next
    ),
    "sum": _spell_sum,
    "collections.Counter": _spell_counter,
    **dict.fromkeys(
        "heapq.merge itertools.accumulate itertools.cycle itertools.islice random.choices random.sample".split(),
        _make_collection_of(spell_element),
    ),
    **dict.fromkeys(
        "heapq.nlargest heapq.nsmallest itertools.dropwhile itertools.filterfalse itertools.takewhile".split(),
        _make_collection_of(spell_element, 1),
    ),
    "itertools.chain": _spell_chained,
    "itertools.chain.from_iterable": _make_collection_of(_spell_inner_element),
    "itertools.groupby": _spell_grouped,
    "itertools.product": _spell_zip,
    **dict.fromkeys(("itertools.pairwise", "pairwise"), _spell_pairs),
    **dict.fromkeys(("map", ".submit"), _spell_results),
    "dict": _spell_mapping,
    **dict.fromkeys("asyncio.ensure_future asyncio.run asyncio.shield asyncio.wait_for".split(), _spell_same),
    **dict.fromkeys((".create_task", ".run_until_complete"), _spell_same),
    "asyncio.gather": _spell_gathered,
    "asyncio.to_thread": _spell_called,
    **dict.fromkeys(("functools.partial", "partial"), _spell_partial),
    "type": _spell_class_of,
    **dict.fromkeys(CASTS, _spell_cast),
    **dict.fromkeys(TYPE_VARIABLES, _spell_type_variable),
    **dict.fromkeys("collections.defaultdict defaultdict".split(), _spell_default_dictionary),
    ".enter_context": _make_entered(is_async=False),
    ".enter_async_context": _make_entered(is_async=True),
    **dict.fromkeys(".assertRaises .assertRaisesRegex .raises".split(), _spell_raised),
    **dict.fromkeys("sqlalchemy.select sqlalchemy.future.select sqlmodel.select".split(), queries.spell_selected),
    ".query": queries.spell_query,
    ".execute": queries.spell_executed,
    ".scalars": queries.spell_scalars,
    ".scalar": queries.spell_scalar,
    "django.shortcuts.get_object_or_404": queries.spell_one_or_404,
    **dict.fromkeys("django.db.models.ForeignKey django.db.models.OneToOneField".split(), queries.spell_related),
}
"""What calls make of what they are given, by what is called or, with a dot, by its last name.

What is called may be a function of the code base all the same: it stands at the beginning of the term, and where that
leads to a definition its result counts. What a module has is called so wherever a file imports it.
From https://docs.python.org/3/library/functions.html, and of ``asyncio``, ``collections``, ``contextlib``, ``copy``,
``functools``, ``heapq``, ``itertools``, ``typing`` and ``unittest`` there; ``raises`` is of pytest. For those of
SQLAlchemy and Django see ``queries``.
"""

COPIES: frozenset[str] = frozenset({"_replace", "model_copy"})
"""Methods that give what they belong to, with other values: of named tuples, of the models of pydantic."""

_HELD_VALUE = "!<self[]^>"
_KEYS_AND_VALUES = apply_type_arguments(TUPLE, ["self*^", "self[]^"])

COLLECTIONS: Mapping[str, str] = {
    **queries.QUERIES,
    **dict.fromkeys("get get_nowait pop popleft result setdefault".split(), _HELD_VALUE),
    **dict.fromkeys("copy difference intersection symmetric_difference union".split(), "!<self>"),
    **dict.fromkeys("__add__ __and__ __mul__ __sub__ __xor__".split(), "!<self>"),
    "items": f"!<[]<{_KEYS_AND_VALUES}>>",
    "keys": "!<[]<self*^>>",
    "popitem": f"!<{_KEYS_AND_VALUES}>",
    "values": "!<[]<self[]^>>",
    **dict.fromkeys(("exception", "value"), "self[]"),
}
"""What members of objects from outside give of what they hold: https://docs.python.org/3/library/stdtypes.html."""

PROTOCOLS: Mapping[Op, tuple[str, ...]] = {
    Op.Each: ("self.__iter__()*", "self.__iter__().__next__()", "self.__aiter__()*", "self.__aiter__().__anext__()"),
    Op.Item: ("self.__getitem__()",),
    Op.Call: ("self.__call__()",),
}
"""What methods of an object tell of its elements: https://docs.python.org/3/reference/datamodel.html."""

BUILT_IN: tuple[type, ...] = (
    str,
    bytes,
    bytearray,
    int,
    float,
    complex,
    list,
    tuple,
    dict,
    set,
    frozenset,
    range,
    slice,
    memoryview,
)

_OBJECT_MEMBERS: Final = frozenset(dir(object)) | {"__annotations__", "__dict__", "__module__", "__weakref__"}
"""The members of every object: https://docs.python.org/3/reference/datamodel.html."""

_WITHOUT_MEMBERS: Final = frozenset({"", "ABC", "Generic", "Protocol"})
"""Bases from outside that have no members but those of every object."""


def list_external_members(base: str) -> frozenset[str] | None:
    """Return the names of the members of a base from outside; None where they are not known."""
    name = base.partition("<")[0].rpartition(".")[2]
    if name in _WITHOUT_MEMBERS:
        return _OBJECT_MEMBERS
    known = getattr(builtins, name, None)
    return _OBJECT_MEMBERS.union(dir(known)) if isinstance(known, type) else None


_LOWER_TYPES: Final = frozenset(
    name
    for module in (builtins, collections, dt)
    for name, value in vars(module).items()
    if isinstance(value, type) and name[:1].islower()
) - {"object", "property", "classmethod", "staticmethod", "super", "type"}
"""Types of the language and its library that begin with no capital, objects of which are made by calling them."""

_MAKING_MEMBERS: Final = frozenset(
    "Enum Flag IntEnum IntFlag Namespace NamedTuple NewType SimpleNamespace StrEnum TypedDict".split()
)
"""What makes types, or objects, with the members that it is given."""


def is_external_type(name: str) -> bool:
    """Return whether something from outside is a type by its name: https://peps.python.org/pep-0008/#class-names."""
    if name in _MAKING_MEMBERS or name.endswith("Mock"):
        return False
    return name[:1].isupper() or name in _LOWER_TYPES
