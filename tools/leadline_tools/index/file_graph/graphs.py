"""The graphs of an index, each for the state of the index that it was made of; of large trees it is one of a sample."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count
from math import inf
from threading import Lock

from leadline_tools.index.file_graph.graph import Graph
from leadline_tools.index.file_graph.graph_builder import LARGEST, GraphBuilder, language_group_of
from leadline_tools.index.files.file import File
from leadline_tools.index.questions.imported_files import ImportedFiles
from leadline_tools.index.questions.view import IndexView
from leadline_tools.recently_used import RecentlyUsed

_WHOLE_BYTES = 24 << 20
"""Bytes of code that are read whole: it takes a second. Of more, a sample is read."""

_SAMPLED_BYTES = 8 << 20
"""Bytes of a sample: it takes half a second, and as much again to look up what it uses."""

_STRIDES = 3
"""Passes over the files in the order of their paths: what is read in time is then spread evenly."""

_MOST_USES = 50_000
"""Uses of the graphs that are kept, those of all indexes together: about 3 MB."""

Basis = tuple[object, ...]
"""What a graph is made of: an index, its state, and the files that a sample prefers."""


class _KeptGraphs:
    """The graphs of all indexes of the process that were used last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._graphs = RecentlyUsed[Basis, Graph](_MOST_USES, lambda graph: len(graph.uses.sources))

    def get(self, basis: Basis) -> Graph | None:
        """Return the graph that is made of something; None where it is not kept."""
        with self._lock:
            return self._graphs.get(basis)

    def put(self, basis: Basis, graph: Graph) -> None:
        """Keep a graph, and let go of those that were used longest ago where there is no room for it."""
        with self._lock:
            self._graphs.put(basis, graph)


_KEPT_GRAPHS = _KeptGraphs()
_NUMBERS = count()
"""Numbers of indexes: one that is opened later never has that of another."""


class Graphs:
    """The graphs of an index, each for the state of the index that it was made of."""

    def __init__(self, index: IndexView, imports: ImportedFiles) -> None:
        self._index = index
        self._imports = imports
        self._number = next(_NUMBERS)
        self._unfinished: dict[Basis, GraphBuilder] = {}
        self._measured: tuple[object, bool] = (None, False)

    def basis(self, paths: Collection[str]) -> Basis:
        """Return what the graph around some files is made of now: the same as long as that does not change."""
        coverage = self._index.coverage()
        state = (self._index.files.state, coverage.texts, coverage.symbols)
        return (self._number, *state, frozenset(paths) if self._is_sampled(state) else None)

    def around(self, paths: Collection[str], until: float = inf) -> Graph:
        """Return the graph; where only a sample can be read, half of it are files of ``paths``.

        Files are read until a monotonic time at most. A graph that needs more goes on there when it is asked for again.
        """
        basis = self.basis(paths)
        graph = _KEPT_GRAPHS.get(basis)
        if graph is None:
            builder = self._unfinished.pop(basis, None)
            self._unfinished.clear()
            if builder is None:
                builder = self._begin(paths)
            graph = builder.graph(until)
            if graph.late and not graph.sampled:
                self._unfinished[basis] = builder
            else:
                self._imports.forget()  # of all files it takes three times as much memory as the graph
        if graph.sampled or not graph.late:  # a larger sample would say nearly the same
            _KEPT_GRAPHS.put(basis, graph)
        return graph

    def _begin(self, paths: Collection[str]) -> GraphBuilder:
        """Begin the graph around some files."""
        code = self._code()
        sampled = _is_large(code)
        users = _sample(code, frozenset(paths)) if sampled else _spread(code)
        self._imports.forget()
        return GraphBuilder(self._index, self._imports, code, users, sampled=sampled)

    def _is_sampled(self, state: tuple[object, ...]) -> bool:
        """Return whether the index, which is in a state, has more code than is read whole."""
        if self._measured[0] != state:
            self._measured = state, _is_large(self._code())
        return self._measured[1]

    def _code(self) -> Sequence[File]:
        """Return the files of code that may be read."""
        return [file for file in self._index.files.below() if file.size <= LARGEST and language_group_of(file.path)]


def _is_large(code: Sequence[File]) -> bool:
    """Return whether files of code are more than is read whole."""
    return sum(file.size for file in code) > _WHOLE_BYTES


def _spread(files: Sequence[File]) -> list[File]:
    """Return files in an order whose beginnings are spread over all of them."""
    return [file for start in range(_STRIDES) for file in files[start::_STRIDES]]


def _sample(code: Sequence[File], first: Collection[str]) -> list[File]:
    """Return a part of the files that is spread evenly over them; half of it may be those that come ``first``."""
    wanted = _part([file for file in code if file.path in first], _SAMPLED_BYTES // 2)
    left = _SAMPLED_BYTES - sum(file.size for file in wanted)
    return [*_spread(wanted), *_spread(_part([file for file in code if file.path not in first], left))]


def _part(files: Sequence[File], most: int) -> list[File]:
    """Return files of together at most so many bytes, evenly taken."""
    step = max(1, -(-sum(file.size for file in files) // most))
    chosen = []
    for file in files[::step]:
        most -= file.size
        if most < 0:
            break
        chosen.append(file)
    return chosen
