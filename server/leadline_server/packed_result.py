"""Packed results: a stored result as a row has it, its question as text and its items as bytes.

Both stores of results write and read this form. An id is a keyed hash of who asked, what was asked and the state of the
index: the same question on the same state has the same URI, and no client can guess another's.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from operator import or_
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError
from pydantic.main import IncEx
from pydantic_core import PydanticSerializationError

from leadline_server.errors import SCHEME
from leadline_tools import deflated
from leadline_tools.index.files.file_list import FileList
from leadline_tools.index.index import Index
from leadline_tools.index.packing.packed_outline import PackedOutline
from leadline_tools.model import Item
from leadline_tools.result import Call, Result, Value
from leadline_tools.search_text.matches import TextMatches
from leadline_tools.stored_json import parse_stored

TTL_SECONDS = 24 * 3600
"""How long results are kept."""

REMEMBERED_SECONDS = 30 * 24 * 3600
"""How long is remembered what the question of a result was, so that an expired URI can say how to ask again."""

USED_SECONDS = 60.0
"""Seconds within which a result that is used again keeps the time of its use: noting it is a transaction."""

_SHORT_ID, _LONG_ID = 8, 26
"""Base 32 characters of an id: 40 bits among the results of one client, 128 where others could guess."""

_RESULT = TypeAdapter(Result)
_NOT_KEPT: IncEx = {"account": {"meant_at", "undecided_at"}}
"""What of a result only the answers of the same call are made of."""

_BY_COLUMN = (PackedOutline, FileList)
"""Items that are kept as they are, without an object for each being made."""

_KINDS: Mapping[str, type[Item]] = {kind.__name__: kind for kind in get_args(Item)}


class ResultIds:
    """The ids of results, and who owns one, keyed with the secret of a store.

    Args:
        secret: At least 16 random bytes.
        long_ids: Whether ids are long enough to be safe from guessing.
    """

    def __init__(self, secret: bytes, long_ids: bool) -> None:
        self._key = hashlib.sha256(secret).digest()
        self._length = _LONG_ID if long_ids else _SHORT_ID

    def uri(self, principal: str, call: Call, state: str) -> str:
        """Return the URI of the answer to ``call`` on a state of the index."""
        question = json.dumps([principal, call.tool, list(call.arguments), state], ensure_ascii=True)
        digest = hmac.digest(self._key, question.encode(), "sha256")
        return SCHEME + base64.b32encode(digest).decode().lower()[: self._length]

    def owner(self, principal: str) -> bytes:
        """Return an identifier of a principal that does not reveal it."""
        return hmac.digest(self._key, b"owner:" + principal.encode(), "sha256")[:16]


@dataclass(frozen=True, slots=True)
class PackedResult:
    """A result in the form of a row.

    Args:
        question: The call that it answers, as ASCII.
        frame: The result without its items, as JSON.
        kind: The kinds of its items.
        items: Its items.

    """

    question: str
    frame: bytes
    kind: str
    items: bytes

    @classmethod
    def of(cls, call: Call, result: Result) -> PackedResult:
        """Return a result packed."""
        kind, items = _pack(result.items)
        frame = _dump(_RESULT, replace(result, items=()), _NOT_KEPT)
        return cls(json.dumps([call.tool, list(call.arguments)]), frame, kind, items)

    def unpack(self, index: Index | None) -> Result:
        """Return the result; raises ValueError, KeyError or TypeError for what is damaged."""
        result: Result = _load(_RESULT, self.frame)
        return replace(result, items=_unpack(self.kind, self.items, index))


def parse_question(question: str) -> Call:
    """Return the call that a row is the answer to; raises ValueError or TypeError for what another program wrote."""
    tool, arguments = parse_stored(question)
    return Call(str(tool), tuple((str(name), value) for name, value in arguments))


def arguments_of(pairs: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    """Return arguments in the order of their names: equal questions are equal."""
    return tuple(sorted(pairs.items()))


@cache
def _items(kinds: str) -> TypeAdapter[tuple[Item, ...]]:
    """Return what reads and writes items of some kinds, which their fields distinguish; raises KeyError."""
    several = reduce(or_, (_KINDS[kind] for kind in kinds.split("|")))
    return TypeAdapter(tuple[several, ...])  # type: ignore[valid-type]


def _pack(items: Sequence[Item]) -> tuple[str, bytes]:
    """Return the kinds of items, and items as bytes: those that know how without an object for each being made."""
    if isinstance(items, (*_BY_COLUMN, TextMatches)):
        return type(items).__name__, items.dumped()
    kind = "|".join(sorted({type(item).__name__ for item in items}))
    return kind, deflated.compress(_dump(_items(kind), tuple(items)) if kind else b"[]")


def _unpack(kind: str, items: bytes, index: Index | None) -> Sequence[Item]:
    """Return what was packed; raises ValueError or KeyError for what is damaged."""
    if kind == TextMatches.__name__:
        return TextMatches.loaded(items, index)
    for whole in _BY_COLUMN:
        if kind == whole.__name__:
            return whole.loaded(items)
    kept: Sequence[Item] = _load(_items(kind), deflated.decompress(items)) if kind else ()
    return kept


def _dump(adapter: TypeAdapter[Any], value: object, exclude: IncEx | None = None) -> bytes:
    """Return a value as JSON, in ASCII where a name is not UTF-8: it holds surrogates, which only escapes can carry."""
    try:
        return adapter.dump_json(value, exclude=exclude)
    except PydanticSerializationError:
        return json.dumps(adapter.dump_python(value, mode="json", exclude=exclude), separators=(",", ":")).encode()


def _load(adapter: TypeAdapter[Any], text: bytes) -> Any:
    """Return a value that was written as JSON; raises ValueError."""
    try:
        return adapter.validate_json(text)
    except ValidationError:  # of which escaped surrogates are no mistake
        return adapter.validate_python(parse_stored(text))
