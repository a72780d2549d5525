"""The *tree weights* of a session: the weight of each root, weighed when somebody looks at it, and kept.

Of many roots most are not open. A root is opened when somebody looks into it; until then its weight is unknown.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from leadline_server.call import Session
from leadline_server.page.weights import Weight, weigh
from leadline_tools.index.index import Index

_REST = 10
"""A tree that changes is weighed again after so many times the time that it took: 0.7 s for Linux."""

_SCAN_SECONDS = 5.0
"""Seconds that a look into a root waits for the first scan of its tree."""


@dataclass(frozen=True, slots=True)
class _KeptWeight:
    """A weight of a root, the state that it is of, and until when it does whatever happens."""

    weight: Weight
    state: str
    until: float


class TreeWeights:
    """The weights of the trees of a session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._kept: dict[str, _KeptWeight] = {}
        self._lock = threading.Lock()

    def find(self, path: str) -> Weight:
        """Return the weight of the tree, of which what is at a path is known; of other roots if they were ever open."""
        index = self._session.index
        names = index.root_names
        if not names:
            return self._current("", index)
        root = Weight()
        opened = {*index.opened.root_names, path.partition("/")[0]}
        for name in sorted(names):
            if name in opened:
                root.put(name, self._current(name, index.limited_to([name])).inside.get(name, Weight()))
            else:
                kept = self._kept.get(name)
                root.put(name, Weight(known=False) if kept is None else kept.weight.inside.get(name, Weight()))
        return root

    def _current(self, name: str, index: Index) -> Weight:
        """Return the weight of a root, weighed again if it has changed, but not at every request."""
        with index.answering():
            index.scan.is_done(_SCAN_SECONDS)
            index.refresh()
            state = f"{index.files.state}:{index.coverage().texts}"
            now = time.monotonic()
            with self._lock:
                kept = self._kept.get(name)
            if kept is None or (kept.state != state and now >= kept.until):
                weight = weigh(index, self._session.prices)
                end = time.monotonic()
                kept = _KeptWeight(weight, state, end + _REST * (end - now))
                with self._lock:
                    self._kept[name] = kept
            return kept.weight
