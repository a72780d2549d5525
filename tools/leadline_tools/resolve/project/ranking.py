"""The ranks of files and names: PageRank over the uses of names between files, with a focus.

Whoever follows uses from file to file at random, and now and then begins anew, is in each file for a share of the time:
that is its rank. With a focus it is there that they begin anew. What a name has of the rank of its file is what comes
by that name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import mul

from leadline_tools.index.file_graph.graph import Graph

_DAMPING = 0.85
"""The share of steps that follow a use."""

_ROUNDS = 24
_SETTLED = 1e-3
"""Change of all ranks together below which another round makes no difference to their order."""


def file_ranks(graph: Graph, start: Mapping[int, float]) -> list[float]:
    """Return the rank of each file of a graph, by its number.

    Args:
        graph: The uses.
        start: The shares of the files with which to begin anew, of one in all; empty for any file.

    """
    count = len(graph.paths)
    begin = [start.get(number, 0.0) if start else 1 / count for number in range(count)]
    kept = [1 - graph.uses.passed.get(number, 0.0) for number in range(count)]
    ranks = begin
    for _ in range(_ROUNDS):
        anew = 1 - _DAMPING + _DAMPING * sum(map(mul, kept, ranks))
        after = [anew * share for share in begin]
        for number, (sources, shares) in graph.uses.incoming.items():
            after[number] += _DAMPING * sum(map(mul, shares, map(ranks.__getitem__, sources)))
        change = sum(abs(new - old) for new, old in zip(after, ranks, strict=True))
        ranks = after
        if change < _SETTLED:
            break
    return ranks


def name_ranks(graph: Graph, ranks: Sequence[float], files: Collection[int]) -> Mapping[int, Mapping[str, float]]:
    """Return what comes to some files by each of the names that they define."""
    found: dict[int, dict[bytes, float]] = {number: {} for number in files}
    uses = graph.uses
    for source, target, name, share in zip(uses.sources, uses.targets, uses.names, uses.shares, strict=True):
        if target in found:
            names = found[target]
            names[name] = names.get(name, 0.0) + _DAMPING * ranks[source] * share
    return {
        number: {name.decode("utf-8", "replace"): rank for name, rank in names.items()}
        for number, names in found.items()
    }
