"""The callers of a function as one line, for an answer that is about something else: only where they cost little."""

from __future__ import annotations

from leadline_tools.errors import LeadlineError
from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import is_product
from leadline_tools.languages import semantics_of
from leadline_tools.languages.outline import CALLABLE
from leadline_tools.model import CallNode, Symbol, SymbolKind
from leadline_tools.patience import patient
from leadline_tools.resolve.addresses.address import resolve_address
from leadline_tools.resolve.call_hierarchy.call_tree import call_tree

_MOST_FILES = 12
"""Files that hold the name of a function whose callers are looked up unasked."""

_MOST_BYTES = 1 << 19
"""Bytes of these files."""

_MOST_NAMED = 3


def caller_note(index: Index, symbol: Symbol) -> str:
    """Return the line that names the callers of a function; empty where they are not known at once, and for others.

    The callers of a function whose name many files hold are not looked up. Those in tests and examples are counted.
    """
    index = index.of(symbol.path)
    if symbol.kind not in CALLABLE or semantics_of(symbol.path) is None or not index.coverage().complete:
        return ""
    few = index.words.count_files_with(symbol.name) <= _MOST_FILES
    files = index.words.files_with([symbol.name]) if few else ()
    if not files or sum(map(index.files.size, files)) > _MOST_BYTES:
        return ""
    with patient():
        try:
            found = resolve_address(index, f"{symbol.path}:{symbol.line}:{symbol.column}")
        except LeadlineError:  # the file is another than the one that was searched
            return ""
        if len(found) != 1:
            return ""
        tree = call_tree(index, found[0], 1, outgoing=False)
    if not tree.found or not tree.counts.complete:
        return ""
    product = [node for node in tree.found if is_product(node.symbol.path)]
    named = [_place(node, symbol.path) for node in product[:_MOST_NAMED]]
    counts = (
        (len(product) - len(named), "more"),
        (len(tree.found) - len(product), "in tests and the like"),
        (tree.counts.may_be_calls, "undecided"),
    )
    return f"callers of {symbol.name}: {', '.join([*named, *(f'{n:,} {what}' for n, what in counts if n)])}"


def _place(node: CallNode, path: str) -> str:
    """Return the name of a caller and the place of its first call: in the file ``path`` the line alone."""
    line = node.sites[0][0] if node.sites else node.symbol.line
    place = f":{line}" if node.symbol.path == path else f"{node.symbol.path}:{line}"
    if node.symbol.kind is SymbolKind.File:
        return place
    return f"{node.symbol.container}.{node.symbol.name} {place}".removeprefix(".")
