"""The *tree weights* of a session: the weight of each root, weighed when somebody looks at it, and kept.

Of many roots most are not open. A root is opened when somebody looks into it; until then its weight is unknown.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

from leadline_server.call import Session
from leadline_server.page.weights import Weight, weigh
from leadline_tools.index.index import Index

_REST = 10
"""A tree that changes is weighed again after so many times the time that it took: 0.7 s for Linux."""

_MOST_KEPT = 2_000
"""Weights of roots that are kept; the oldest are forgotten first."""

_Key = tuple[frozenset[str], str]
"""The roots that are seen together, and the name of one of them."""

_SCAN_SECONDS = 5.0
"""Seconds that a look into a root waits for the first scan of its tree."""


@dataclass(frozen=True, slots=True)
class _KeptWeight:
    """A weight of a root, the state that it is of, and until when it does whatever happens."""

    weight: Weight
    state: str
    until: float


class TreeWeights:
    """The weights of trees, each for those who see the same roots: the prices of others would tell of their roots."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, _KeptWeight] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, session: Session, path: str) -> Weight:
        """Return the weight of the tree, of which what is at a path is known; of other roots if they were ever open."""
        index = session.index
        names = index.root_names
        seen = frozenset(names)
        if not names:
            return self._current(session, (seen, ""), index)
        root = Weight()
        opened = {*index.opened.root_names, path.partition("/")[0]}
        for name in sorted(names):
            if name in opened:
                weight = self._current(session, (seen, name), index.limited_to([name]))
                root.put(name, weight.inside.get(name, Weight()))
            else:
                kept = self._kept.get((seen, name))
                root.put(name, Weight(known=False) if kept is None else kept.weight.inside.get(name, Weight()))
        return root

    def _current(self, session: Session, key: _Key, index: Index) -> Weight:
        """Return the weight of a root, weighed again if it has changed, but not at every request."""
        with index.answering():
            index.scan.is_done(_SCAN_SECONDS)
            index.refresh()
            state = f"{index.files.state}:{index.coverage().texts}"
            now = time.monotonic()
            with self._lock:
                kept = self._kept.get(key)
            if kept is None or (kept.state != state and now >= kept.until):
                weight = weigh(index, session.prices)
                end = time.monotonic()
                kept = _KeptWeight(weight, state, end + _REST * (end - now))
                with self._lock:
                    self._kept[key] = kept
                    if len(self._kept) > _MOST_KEPT:
                        self._kept.popitem(last=False)
            return kept.weight
