"""The names of kinds in texts: those of the protocol, and *type alias*, for which the protocol has no kind."""

from __future__ import annotations

import re
from typing import Final

from leadline_tools.model import SymbolKind

_ALIAS: Final = re.compile(
    r"\s*(?:(?!class\b|struct\b|interface\b)[\w()@.]+\s+)*?(?:type|typealias|typedef|using)\s+[\w\"]"
)


def kind_name(kind: SymbolKind, signature: str, path: str) -> str:
    """Return what a symbol is called in a text, from its kind, its declaration and the path of its file."""
    if kind is SymbolKind.Class and _ALIAS.match(signature.partition("=")[0]):
        return "Type alias" if not path.endswith(".go") or "=" in signature else "Type"
    return str(kind)
