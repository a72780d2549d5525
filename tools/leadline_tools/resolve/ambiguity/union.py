"""The items of several answers about one meaning as the items of one: each use and each caller once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from leadline_tools.index.tree.marks import is_product
from leadline_tools.model import CallNode, Item, Occurrence, Tier

_TIERS = list(Tier)

_Key = tuple[str, int, str, str]


def unite(answers: Sequence[Sequence[Item]]) -> list[Item]:
    """Return the items of answers without what is there already: uses surest first, callers with all their calls."""
    items = [item for answer in answers for item in answer]
    uses = [item for item in items if isinstance(item, Occurrence)]
    if items and len(uses) == len(items):
        return list(_unite_uses(uses))
    nodes = [[item for item in answer if isinstance(item, CallNode)] for answer in answers]
    if items and sum(map(len, nodes)) == len(items):
        return list(_unite_calls(nodes))
    return list(dict.fromkeys(items))


def _unite_uses(uses: Sequence[Occurrence]) -> Iterator[Occurrence]:
    """Yield uses, each column of a line where it is surest."""
    known: set[tuple[str, int, int]] = set()
    for use in sorted(uses, key=_order):
        new = [column for column in (use.column, *use.again) if (use.path, use.line, column) not in known]
        known.update((use.path, use.line, column) for column in new)
        if new:
            first, *again = new
            yield replace(use, column=first, end_column=first + use.end_column - use.column, again=tuple(again))


def _order(use: Occurrence) -> tuple[int, bool, str, int, int]:
    return _TIERS.index(use.tier), not is_product(use.path), use.path, use.line, use.column


def _unite_calls(trees: Sequence[Sequence[CallNode]]) -> Iterator[CallNode]:
    """Yield the functions of trees; one that stands directly below several roots has the calls of all of them."""
    sites: dict[_Key, dict[tuple[int, int], None]] = {}
    tiers: dict[_Key, Tier] = {}
    for node in (node for tree in trees for node in tree if node.depth == 1):
        sites.setdefault(_key(node), {}).update(dict.fromkeys(node.sites))
        tiers[_key(node)] = min(node.tier, tiers.get(_key(node), node.tier), key=_TIERS.index)
    yielded: set[_Key] = set()
    for tree in trees:
        skipped = False
        for node in tree:
            if node.depth > 1:
                if not skipped:
                    yield node
                continue
            key = _key(node)
            skipped = key in yielded
            if not skipped:
                yielded.add(key)
                yield replace(node, sites=tuple(sorted(sites[key])), tier=tiers[key])


def _key(node: CallNode) -> _Key:
    """Return what is equal for nodes that are one; a callee is called in the file of its parent."""
    symbol = node.symbol
    return symbol.path, symbol.line, symbol.qualified_name, node.parent if node.outgoing else ""
