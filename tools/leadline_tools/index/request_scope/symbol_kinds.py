"""The ``kind`` argument of a question: kinds of symbols as LSP names them, separated by commas."""

from __future__ import annotations

from leadline_tools.errors import BadArgument
from leadline_tools.model import SymbolKind


def parse_kinds(kind: str) -> frozenset[SymbolKind]:
    """Return the kinds that are named, whatever their case; none stands for all. Raises BadArgument."""
    known = {name.lower(): value for name, value in SymbolKind.__members__.items()}
    kinds = set()
    for word in filter(None, (part.strip() for part in kind.split(","))):
        if word.lower() not in known:
            raise BadArgument(
                "kind", f"{word!r} is not an LSP SymbolKind", f"Kinds: {', '.join(SymbolKind.__members__)}."
            )
        kinds.add(known[word.lower()])
    return frozenset(kinds)
