"""A tree of calls: who calls a function, or what it calls, to some depth.

The tree is built level by level until the time is up, so that what is near the root is there first. Each function is
followed once: where it is met again, on the way to the root or elsewhere, it is only marked. Both directions find the
same calls: code belongs to the innermost function around it that is a symbol.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.model import CallNode, Stop
from leadline_tools.resolve.call_hierarchy.call_counts import CallCounts
from leadline_tools.resolve.call_hierarchy.callees import Callees
from leadline_tools.resolve.call_hierarchy.callers import Callers
from leadline_tools.resolve.call_hierarchy.function_code import Function, FunctionCode
from leadline_tools.resolve.call_hierarchy.link import Link
from leadline_tools.resolve.call_hierarchy.overload_calls import OverloadCalls
from leadline_tools.resolve.question import asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, qualified


@dataclass(frozen=True, slots=True)
class CallTree:
    """A tree of calls: the functions in the order in which they are shown, and what is no part of it."""

    found: Sequence[CallNode]
    counts: CallCounts


def call_tree(index: Index, target: DefinedSymbol, depth: int, *, outgoing: bool) -> CallTree:
    """Return the functions that call ``target``, or that it calls, to some depth."""
    with asking(index) as question:
        code = FunctionCode(index, question)
        search = Callees(code, target) if outgoing else Callers(code, target)
        return CallTree(_TreeBuilder(code, search, depth, outgoing=outgoing).nodes(target), search.counts)


@dataclass(eq=False)
class _Node:
    """A function in the tree; what stands for it elsewhere is ``original``."""

    function: Function
    above: _Node | None
    depth: int
    link: Link | None = None
    below: list[_Node] = field(default_factory=list["_Node"])
    original: _Node | None = None
    stop: Stop | None = None


class _TreeBuilder:
    """Builds the tree of one question."""

    def __init__(self, code: FunctionCode, search: Callers | Callees, depth: int, *, outgoing: bool) -> None:
        self._code = code
        self._search = search
        self._depth = depth
        self._outgoing = outgoing
        self._overloads = OverloadCalls(code)

    def nodes(self, target: DefinedSymbol) -> list[CallNode]:
        """Return the functions of the tree below ``target``, each followed by what stands below it."""
        root = _Node(Function(target.path, target.name), None, 0)
        self._grow(root)
        order = {node: place for place, node in enumerate(_in_order(root))}
        return [self._shown(node, order) for node in order if node.link is not None]

    def _grow(self, root: _Node) -> None:
        """Follow functions level by level, each once, until the time is up."""
        followed = {self._search.key(root.function): root}
        waiting = deque([root])
        while waiting:
            node = waiting.popleft()
            if node is not root and self._code.question.project.late:
                node.stop = Stop.Late
                self._search.counts.late += 1
                continue
            cancellation.check()
            for link in self._search.links(node.function, root=node is root):
                child = _Node(link.other, node, node.depth + 1, link)
                node.below.append(child)
                if not self._search.follows(link.other):
                    continue
                key = self._search.key(link.other)
                child.original = followed.setdefault(key, child)
                if any(self._search.key(above.function) == key for above in _up(node)):
                    itself = self._search.key(node.function) == key
                    again = not itself or self._overloads.is_recursive(link.other, link.sites)
                    child.stop = Stop.Cycle if again else Stop.Overload
                elif child.original is child and child.depth < self._depth:
                    waiting.append(child)

    def _shown(self, node: _Node, order: Mapping[_Node, int]) -> CallNode:
        link, above, original = node.link, node.above, node.original
        if link is None or above is None:
            raise ValueError("the root of a tree of calls is no call")
        stop = node.stop
        if original is not None and original is not node and stop is None:
            below = Stop.Above if order[original] < order[node] else Stop.Below
            stop = below if original.below else original.stop
        parent = qualified(*above.function) if above.function.name else above.function.path
        return CallNode(
            self._code.symbol(node.function), node.depth, parent, link.sites, link.tier, self._outgoing, stop
        )


def _up(node: _Node | None) -> Iterator[_Node]:
    """Yield a function of the tree and all that it stands below."""
    while node is not None:
        yield node
        node = node.above


def _in_order(root: _Node) -> Iterator[_Node]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(node.below)
