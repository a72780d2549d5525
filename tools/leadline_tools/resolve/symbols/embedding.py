"""The type that an embedded field is called by: what is asked of the name of the field is asked of the type."""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import nameless_scope
from leadline_tools.model import Reason, SymbolKind
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.question import asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.unlisted import embedded_types


def resolve_embedded_field(index: Index, target: DefinedSymbol) -> DefinedSymbol:
    """Return the type of the tree by which an embedded field is called; the symbol itself for any other."""
    if target.first.kind is not SymbolKind.Field:
        return target
    with asking(index.of(target.path), ahead=False) as question:
        types = [(one.path, one.name) for one in embedded_types(question, _meaning(target))]
    found = load_symbols(index, types)
    return found[0] if len(found) == 1 else target


def _meaning(target: DefinedSymbol) -> Resolution:
    """Return a member as the resolver gives it: that of a type without a name belongs to a scope."""
    scope = nameless_scope(target.first.container)
    if scope is not None:
        return LocalName(target.path, target.first.name, scope)
    return SymbolRef(target.path, target.name, Reason.Definition)
