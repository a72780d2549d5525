"""Overloads that are one symbol: functions of one name in one place that take other things."""

from __future__ import annotations

from leadline_tools.languages import semantics_of
from leadline_tools.languages.outline import CALLABLE
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.resolve.symbols.visibility import signature_of


def overloads_note(target: DefinedSymbol, consequence: str) -> tuple[str, ...]:
    """Return the line that says of how many overloads a symbol is, and what follows; nothing where it is of one."""
    number = _count_overloads(target)
    return (f"{number:,} overloads, {consequence}",) if number > 1 else ()


def _count_overloads(target: DefinedSymbol) -> int:
    semantics = semantics_of(target.path)
    if semantics is None or len(target.definitions) == 1:
        return 1
    heads = [signature_of(target, one) for one in target.definitions if one.kind in CALLABLE]
    if semantics.calls.joins_overloads:
        return len({" ".join(head.partition("(")[2].rpartition(")")[0].split()) for head in heads})
    different: list[str] = []
    for head in heads:
        if all(semantics.visibility.overloads(head, other) for other in different):
            different.append(head)
    return len(different)
