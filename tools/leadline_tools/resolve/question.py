"""What several searches share that answer one question: facts, what is resolved already, and the time.

The questions of one conversation are mostly about the same part of a code base. So what one has found out is kept for
the next, as long as the index is as it was.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from weakref import WeakKeyDictionary

from leadline_tools.index.index import Index
from leadline_tools.index.snapshot import Snapshot
from leadline_tools.resolve.findings import Findings
from leadline_tools.resolve.project import IndexedProject
from leadline_tools.resolve.resolver import Resolver

_MOST_KEPT = 2 << 20
"""Bytes of the sources whose facts are kept between two questions: as facts they are about four times as large."""

_SMALL_TREE = 10_000
"""Files of a tree of which all can be looked into for one question."""


@dataclass(slots=True)
class Question:
    """One question: the code base, for as long as there is time, and what its names mean as far as that is known.

    ``findings`` holds what was found of the symbols that were asked about before.
    """

    project: IndexedProject
    resolver: Resolver
    findings: Findings

    def refused(self) -> Sequence[str]:
        """Return the files whose facts were asked for in vain since this was asked last.

        What was concluded without them is forgotten.
        """
        refused = self.project.refused()
        if refused:
            self.resolver.forget()
        return refused

    def forget(self) -> None:
        """Let go of all but the findings."""
        self.project.forget()
        self.resolver.forget()


class _Kept:
    """The last question to each index that is known to be in some state; a question has one owner at a time."""

    def __init__(self) -> None:
        self._questions: WeakKeyDictionary[Index, tuple[Snapshot, Question]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def take(self, index: Index, state: Snapshot) -> Question | None:
        with self._lock:
            kept_state, question = self._questions.pop(index, (None, None))
        if question is not None and kept_state != state:
            question.forget()
            return None
        return question

    def put(self, index: Index, state: Snapshot, question: Question) -> None:
        with self._lock:
            self._questions[index] = state, question


_KEPT = _Kept()


@contextmanager
def asking(index: Index, seconds: float, allowance: float = inf, *, ahead: bool = True) -> Iterator[Question]:
    """Put a question to an index that is to be answered within some seconds, ``allowance`` of CPU in the workers.

    What others will want is computed when it is answered, unless it is only what another begins with: then not
    ``ahead`` of that.
    """
    state = index.snapshot
    question = _KEPT.take(index, state)
    if question is None:
        question = _begun(index)
    question.project.begin(seconds, allowance)
    yield question  # not kept where it fails: what it was about to find out may be half done
    question.refused()
    if question.project.size > _MOST_KEPT:
        question.forget()
    _KEPT.put(index, state, question)
    if ahead:
        index.build_facts()


def is_small(index: Index) -> bool:
    """Tell whether a code base is so small that all of it can be looked into."""
    return len(index.paths) <= _SMALL_TREE


def _begun(index: Index) -> Question:
    """Return a question that knows nothing yet."""
    project = IndexedProject(index)
    return Question(project, Resolver(project), Findings())
