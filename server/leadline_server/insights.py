"""Insights into a whole result that its parts do not show: where it concentrates, outliers; two lines at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from leadline_server.render import count_by_path, line, place
from leadline_tools.index.packing.packed_outline import PackedOutline
from leadline_tools.languages.outline import CALLABLE
from leadline_tools.model import CallNode, FileEntry, Item, Member, Occurrence, OutlineSymbol, Symbol
from leadline_tools.search_text.matches import TextMatches

MOST = 2
"""Lines of one answer."""

_FEW = 25
"""Items of which a reader sees at a glance what they have in common."""

_SHARE = 0.5
"""Of all items, the share from which on a folder or file is where they concentrate."""

_MOST_KINDS = 4

_OUTLIER = 8
_LARGE_LINES, _LARGE_BYTES = 150, 50_000
"""An outlier has at least so many times the median, and so much: more than one would read by default."""


def insights(items: Sequence[Item], *, at_least: bool = False) -> list[str]:
    """Return what is worth knowing of all items of a result, as lines; nothing for a few.

    ``at_least`` says that there are more than were found.
    """
    if len(items) < _FEW:
        return []
    if isinstance(items, TextMatches):  # of them nothing else is known
        texts = (text for text in (_concentration(items),) if text)
    else:
        texts = (text for text in (_concentration(items), _kinds(items), _largest(items)) if text)
    whole = f"of the {len(items):,} found" if at_least else f"of all {len(items):,}"
    return [line(f"{whole}: {one}") for one in islice(texts, MOST)]


def _concentration(items: Sequence[Item]) -> str:
    """Return where most of the items are: the deepest folder, or the file, that holds at least half of them."""
    paths = count_by_path(items) if place(items[0]) else {}
    if len(paths) < 2:
        return ""
    folders: Counter[str] = Counter()
    for path, number in paths.items():
        folders[path.rpartition("/")[0]] += number
    counts: Counter[str] = Counter(paths)
    for folder, number in folders.items():
        for enclosing in _enclosing_folders(folder):
            counts[enclosing] += number
    total = sum(paths.values())
    least = max(2, round(_SHARE * total))
    holding = [(folder, number) for folder, number in counts.items() if least <= number < total]
    if not holding:
        return ""
    folder, number = max(holding, key=lambda one: (one[0].count("/"), one[1], one[0]))
    return f"{number:,} are in {folder}"


def _enclosing_folders(folder: str) -> Iterator[str]:
    """Yield a folder and those around it, as they are named."""
    while folder:
        yield f"{folder}/"
        folder = folder.rpartition("/")[0]


def _kinds(items: Sequence[Item]) -> str:
    """Return how many items there are of each kind: roles of uses, kinds of symbols."""
    if isinstance(items, PackedOutline):
        counts = Counter(map(str, items.kinds))
    else:
        counts = Counter(kind for item in items if (kind := _kind(item)))
    if len(counts) < 2:
        return ""
    texts = [f"{kind} {number:,}" for kind, number in counts.most_common(_MOST_KINDS)]
    others = sum(number for _, number in counts.most_common()[_MOST_KINDS:])
    return ", ".join([*texts, *([f"others {others:,}"] if others else [])])


def _kind(item: Item) -> str:
    match item:
        case Occurrence(role=role):
            return str(role)
        case Symbol(kind=kind) | OutlineSymbol(symbol=Symbol(kind=kind)) | Member(symbol=Symbol(kind=kind)):
            return str(kind)
        case CallNode(tier=tier):
            return str(tier)
        case FileEntry(language=language):
            return language
        case _:
            return ""


def _largest(items: Sequence[Item]) -> str:
    """Return the item that is far larger than the others."""
    sizes = [(size, row) for row, size in enumerate(_sizes(items)) if size]
    if len(sizes) < _FEW:
        return ""
    ordered = sorted((size for size, _ in sizes), reverse=True)
    most, median = ordered[0], ordered[len(ordered) // 2]
    unit = "bytes" if isinstance(items[0], FileEntry) else "lines"
    stands_out = most >= _OUTLIER * median and most >= (_LARGE_BYTES if unit == "bytes" else _LARGE_LINES)
    if not stands_out:
        return ""
    name = max(_name(items[row]) for size, row in sizes if size == most)
    return f"{name} is the largest with {most:,} {unit}, the median has {median:,}"


def _sizes(items: Sequence[Item]) -> Iterable[int]:
    """Return how large each item is; 0 where that says nothing."""
    if isinstance(items, PackedOutline):
        return (size if kind in CALLABLE else 0 for kind, size in zip(items.kinds, items.heights, strict=True))
    return map(_size, items)


def _size(item: Item) -> int:
    match item:
        case FileEntry(bytes=size):
            return size
        case OutlineSymbol(symbol=symbol) | Member(symbol=symbol) if symbol.kind in CALLABLE:
            return symbol.end_line - symbol.line + 1
        case _:
            return 0


def _name(item: Item) -> str:
    match item:
        case OutlineSymbol(symbol=symbol) | Member(symbol=symbol):
            return symbol.name
        case FileEntry(path=path):
            return path
        case _:
            return ""
