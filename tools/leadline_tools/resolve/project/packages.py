"""Names that begin with a package which files say they are in, wherever they lie."""

from __future__ import annotations

from collections.abc import Iterator

from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Wanted
from leadline_tools.model import SymbolKind

_MOST_SEGMENTS = 12


def in_packages(index: Index, dotted: str) -> Iterator[tuple[frozenset[str], str]]:
    """Yield the files of each package that a dotted name begins with, and the rest of the name; the longest first.

    The rest is empty for the name of a package.
    """
    segments = dotted.split(".")
    wanted = Wanted(accepts=lambda _path, definition: definition.kind is SymbolKind.Package, every=True)
    for number in range(min(len(segments), _MOST_SEGMENTS), 0, -1):
        files = frozenset(hit.file.path for hit in index.names.exact(".".join(segments[:number]), wanted).hits)
        if files:
            yield files, ".".join(segments[number:])
