"""Collections of Rust, what they give and what fills them: https://doc.rust-lang.org/std/collections/."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from leadline_tools.languages.rules.types import Fills
from leadline_tools.languages.terms import UNKNOWN, Op, Spell, apply_type_arguments, object_of, then, ungiven
from leadline_tools.lazy_regex import lazy_compile

_FILLED_MAPS = ("BTreeMap", "HashMap", "IndexMap")
_OTHERS = ("BinaryHeap", "BTreeSet", "HashSet", "IndexSet", "LinkedList", "SmallVec", "Vec", "VecDeque")
_NAMED = lazy_compile(r"(?:self\.)?[^\W\d]\w*")
_OF_KEYS = lazy_compile(
    r"((?:self\.)?[^\W\d]\w*)\.(?:entry\(\)\.or_(?:default|insert|insert_with)|get_mut\(\)\.unwrap)\(\)"
)

EMPTY: frozenset[str] = frozenset(
    f"{name}.{made}()" for name in (*_FILLED_MAPS, *_OTHERS) for made in ("new", "default", "with_capacity")
)
"""How collections are spelled that are made empty."""


def _collection_of(kind: str, *values: str) -> str:
    """Return a collection of a kind that holds values, which are themselves meant."""
    return object_of(apply_type_arguments(kind, [then(value, Op.Itself) for value in values]))


def _fill_with(kind: str, step: str = "") -> Fills:
    """Return a function that puts the argument of a call into a collection of a kind, or each element of that."""

    def fill(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
        given = call.child_by_field_name("arguments")
        values = [then(spell(one), step) for one in given.named_children[-1:]] if given is not None else []
        plain = ungiven(receiver)
        keyed = _OF_KEYS.fullmatch(plain)
        for value in values:
            if keyed is not None:
                yield keyed[1], object_of(apply_type_arguments("HashMap", [UNKNOWN, _collection_of(kind, value)]))
            elif _NAMED.fullmatch(plain):
                yield plain, _collection_of(kind, value)

    return fill


def _fill_by_insert(call: Node, receiver: str, spell: Spell) -> Iterator[tuple[str, str]]:
    """Yield what ``a.insert(key, value)`` puts into a map, and ``a.insert(value)`` into a set.

    With a number, ``a.insert(at, value)``, it may be a list: what it holds is spelled alike.
    """
    given = call.child_by_field_name("arguments")
    values = [spell(one) for one in given.named_children] if given is not None else []
    if values and _NAMED.fullmatch(receiver):
        yield receiver, _collection_of("HashMap" if len(values) > 1 else "HashSet", *values)


FILLERS: Mapping[str, Fills] = {
    **dict.fromkeys(("push", "push_back", "push_front"), _fill_with("Vec")),
    "extend": _fill_with("Vec", "*"),
    "insert": _fill_by_insert,
}

_TAKES_EACH = "!<?,self*>"
COLLECTIONS = {
    **dict.fromkeys(
        "all and_then any binary_search_by dedup_by_key filter_map find_map flat_map for_each is_none_or is_ok_and"
        " is_some_and map map_while partition_point position retain retain_mut rposition sort_by_cached_key sort_by_key"
        " sort_unstable_by_key try_for_each".split(),
        f"!<?,{_TAKES_EACH}>",
    ),
    **dict.fromkeys("filter inspect skip_while take_while".split(), f"!<self,{_TAKES_EACH}>"),
    **dict.fromkeys("find max_by_key min_by_key".split(), f"!<Option<self*>,{_TAKES_EACH}>"),
    **dict.fromkeys(("map_or", "map_or_else"), f"!<?,?,{_TAKES_EACH}>"),
    "partition": f"!<()<self,self>,{_TAKES_EACH}>",
    **dict.fromkeys("dedup_by sort_by sort_unstable_by".split(), "!<?,!<?,self*,self*>>"),
    **dict.fromkeys("max_by min_by".split(), "!<Option<self*>,!<?,self*,self*>>"),
    "fold": "!<?,?,!<?,?,self*>>",
    "reduce": "!<Option<self*>,!<?,self*,self*>>",
    **dict.fromkeys("expect_err unwrap_err".split(), "!<self#1>"),
    "err": "!<Option<self#1>>",
    "map_err": "!<self,!<?,self#1>>",
    **dict.fromkeys("split_first split_last".split(), "!<Option<()<self*,self>>>"),
    **dict.fromkeys(
        "back back_mut first first_mut front front_mut last last_mut max min next next_back nth peek pop pop_back"
        " pop_front".split(),
        "!<Option<self*>>",
    ),
    **dict.fromkeys("get get_mut".split(), "!<Option<self[]>>"),
    "remove": "!<self[]|Option<self[]>>",
    **dict.fromkeys("or_default or_insert or_insert_with swap_remove".split(), "!<self[]>"),
    **dict.fromkeys("borrow borrow_mut get_or_insert_with into_inner".split(), "!<self*>"),
    **dict.fromkeys(
        "chain collect copied cycle drain entry fuse lock ok ok_or ok_or_else or or_else peekable read rev skip"
        " step_by take to_vec try_lock write".split(),
        "!<self>",
    ),
    **dict.fromkeys("into_values values values_mut".split(), "!<[]<self[]>>"),
    **dict.fromkeys("into_keys keys".split(), "!<[]<self#0>>"),
    "enumerate": "!<[]<()<?,self*>>>",
    "flatten": "!<[]<self**>>",
    **dict.fromkeys("chunks chunks_exact windows".split(), "!<[]<self>>"),
    **dict.fromkeys("split_at split_at_mut".split(), "!<()<self,self>>"),
}
"""What the methods of iterators, options, collections and cells give and take:
https://doc.rust-lang.org/std/iter/trait.Iterator.html."""

PAIRED = frozenset({"BTreeMap", "HashMap"})
"""Collections of keys and values: https://doc.rust-lang.org/std/collections/."""

ITERATOR_MEMBERS = frozenset(
    "all any by_ref chain cloned collect copied cycle enumerate filter filter_map find find_map flat_map flatten fold"
    " for_each fuse inspect into_iter last map map_while max max_by max_by_key min min_by min_by_key next nth partition"
    " peekable position rev skip skip_while step_by take take_while zip".split()
)
"""The methods that each type has which implements ``Iterator``."""
