"""A *question*: what the searches for one answer share: facts, what is resolved already, and the time.

The questions of one conversation are mostly about the same part of a code base. So what one has found out is kept for
the next, as long as the index is as it was.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar
from weakref import WeakKeyDictionary

from leadline_tools import cancellation, patience
from leadline_tools.index.index import Index
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.languages import knowing_scripts
from leadline_tools.resolve.project.project import IndexedProject
from leadline_tools.resolve.project.resolved_uses import UseCache
from leadline_tools.resolve.resolver import Resolver

_T = TypeVar("_T")

_MOST_KEPT = 2 << 20
"""Bytes of the sources whose facts are kept between two questions: as facts they are about four times as large."""


@dataclass(slots=True)
class Question:
    """One question: the code base, for as long as there is time, and what its names mean as far as that is known.

    ``use_cache`` holds what was found of the symbols that were asked about before.
    """

    project: IndexedProject
    resolver: Resolver
    use_cache: UseCache

    def refused(self) -> Sequence[str]:
        """Return the files whose facts were asked for in vain since this was asked last.

        What was concluded without them is forgotten.
        """
        refused = self.project.refused()
        if refused:
            self.resolver.forget()
        return refused

    def forget(self) -> None:
        """Let go of all but the cached uses."""
        self.project.forget()
        self.resolver.forget()


class _Kept:
    """The last question to each index that is known to be in some state, and what was found in that state.

    A question has one owner at a time; what was found belongs to all questions about one state.
    """

    def __init__(self) -> None:
        self._questions: WeakKeyDictionary[Index, tuple[Snapshot, Question]] = WeakKeyDictionary()
        self._use_caches: WeakKeyDictionary[Index, tuple[Snapshot, UseCache]] = WeakKeyDictionary()
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

    def use_cache(self, index: Index, state: Snapshot) -> UseCache:
        with self._lock:
            kept_state, use_cache = self._use_caches.get(index, (None, None))
            if use_cache is None or kept_state != state:
                if kept_state is None:  # what is kept refers to the index, and would keep it in memory
                    index.dependents.add(lambda: self.forget(index))
                use_cache = UseCache()
                self._use_caches[index] = state, use_cache
            return use_cache

    def forget(self, index: Index) -> None:
        """Let go of what is kept of an index."""
        with self._lock:
            self._questions.pop(index, None)
            self._use_caches.pop(index, None)


_KEPT = _Kept()


@contextmanager
def asking(index: Index, *, at_least: float = 0.0, ahead: bool = True) -> Iterator[Question]:
    """Put a question to an index; facts are fetched until the patience of the call ends.

    Args:
        index: What is asked.
        at_least: Seconds that the question may take even if the patience ends before.
        ahead: Whether facts that are not asked for yet are computed once the question is answered; not for a question
            that another one begins with.

    """
    with patience.patient() as limit, knowing_scripts(index.scripts):
        _wait_for_index(index, limit)
        state = index.snapshot
        question = _KEPT.take(index, state) or _begun(index, _KEPT.use_cache(index, state))
        question.project.begin(max(limit.deadline, time.monotonic() + at_least))
        yield question  # not kept where it fails: what it was about to find out may be half done
        question.refused()
        if limit.cut_short:  # what was concluded from a part of the names is not for others
            question.forget()
            _KEPT.forget(index)
        else:
            if question.project.size > _MOST_KEPT:
                question.forget()
            _KEPT.put(index, state, question)
    if ahead:
        index.facts.build()


def by_root(index: Index, found: Iterable[_T], path: Callable[[_T], str]) -> Mapping[Index, Sequence[_T]]:
    """Return what was found in each root, which has a question of its own; ``path`` says where something is."""
    roots: dict[Index, list[_T]] = {}
    for one in found:
        roots.setdefault(index.of(path(one)), []).append(one)
    return roots


def _wait_for_index(index: Index, limit: patience.Patience) -> None:
    """Wait until the index is complete, for at most half of the patience: the answer then rests on all of it."""
    until = limit.deadline - limit.seconds / 2
    while not index.coverage().complete and (left := until - time.monotonic()) > 0:
        cancellation.check()
        if index.wait(min(left, cancellation.CHECK_SECONDS)):
            return


def _begun(index: Index, use_cache: UseCache) -> Question:
    """Return a question that knows nothing yet but what was found in the present state of the index."""
    project = IndexedProject(index)
    return Question(project, Resolver(project), use_cache)
