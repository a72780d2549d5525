"""Several addresses in one argument: ``Shelf.add, Shelf.take`` or ``a.py:3, b.py:7``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from leadline_tools.errors import BadArgument
from leadline_tools.index.index import Index
from leadline_tools.resolve.addresses.file_position import parse_position
from leadline_tools.resolve.addresses.spelling import LONGEST

MOST_ADDRESSES = 8
"""Symbols that one question may be about."""

_OPENING, _CLOSING = "([{<", ")]}>"

_COMMA_OPERATOR = re.compile(r"\boperator\s*$")
"""What stands before a comma that is itself the name: ``operator,`` of C++."""


def split_addresses(index: Index, written: str) -> Sequence[str]:
    """Return the addresses of an argument, which commas or line breaks separate, each once.

    A comma in brackets is part of an address (``Map<K, V>.get``), and so is one in the path of a file that exists.
    Raises BadArgument for more than ``MOST_ADDRESSES``.
    """
    if "," not in written and "\n" not in written.strip():
        return (written,)
    if len(written) > LONGEST or parse_position(index, written) is not None:
        return (written,)
    found = [*dict.fromkeys(filter(None, map(str.strip, _pieces(written))))]
    if len(found) > MOST_ADDRESSES:
        raise BadArgument("symbol", f"it names {len(found):,} symbols", f"Ask for at most {MOST_ADDRESSES} at once.")
    return found or (written,)


def _pieces(written: str) -> Iterator[str]:
    """Yield what stands between commas and line breaks outside of brackets; all where brackets do not match."""
    start = depth = 0
    pieces: list[str] = []
    for at, character in enumerate(written):
        if character == ">" and written[at - 1 : at] == "-":  # the arrow of ``User->save``
            continue
        depth += (character in _OPENING) - (character in _CLOSING)
        if character in ",\n" and not depth and not _COMMA_OPERATOR.search(written[start:at]):
            pieces.append(written[start:at])
            start = at + 1
    yield from (*pieces, written[start:]) if not depth else (written,)
