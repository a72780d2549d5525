"""JSON that was stored: in the cache, which another program may have written to."""

from __future__ import annotations

import json
from typing import Any


def parse_stored(text: str | bytes) -> Any:
    """Return the value of a JSON text; raises ValueError for what is none, or is nested deeper than can be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
