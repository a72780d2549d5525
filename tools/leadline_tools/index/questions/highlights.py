"""The *highlights* of lines of a file: what their tokens are, as a worker finds them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from leadline_tools.index.workers.frames import Operation
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages.highlighting import Highlight

_SECONDS = 3.0
"""Seconds after which a source is shown without highlights."""


def find_highlights(workers: RootWorkers, path: str, first: int, last: int) -> Sequence[Highlight]:
    """Return the highlights of the lines ``first`` to ``last`` of a file, from 1.

    There are none where the file cannot be read, has no grammar, cannot be parsed, or takes too long.
    """
    until = time.monotonic() + _SECONDS
    reply = workers.gather(Operation.Highlights, (path,), json.dumps((first, last)), until).get(path)
    if reply is None or reply.error or not reply.payload:
        return ()
    return [(line, start, end, kind) for line, start, end, kind in json.loads(reply.payload)]
