"""JSON that was stored: in the cache, which another program may have written to."""

from __future__ import annotations

import json
from typing import Any

_decoder = json.JSONDecoder()


def parse_stored(text: str | bytes) -> Any:
    """Return the value of a JSON text; raises ValueError for what is none, or is nested deeper than can be read."""
    try:
        return _decoder.decode(text if isinstance(text, str) else text.decode("utf-8"))  # which UTF it is, is known
    except RecursionError:
        raise ValueError("it is nested too deep") from None


def parse_stored_part(text: str, start: int) -> tuple[Any, int]:
    """Return the value of the JSON that begins at a place in a text, and where it ends; raises ValueError likewise."""
    try:
        return _decoder.raw_decode(text, start)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
