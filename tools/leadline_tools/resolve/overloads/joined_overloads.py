"""Overloads that are one symbol: functions of one name in one place that take other things."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.outline import CALLABLE, VARIABLE
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Symbol
from leadline_tools.resolve.overloads.call_shapes import accepts_number, parameters_of
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, is_in_head_of_type
from leadline_tools.resolve.symbols.visibility import signature_of

_OF_TYPE = lazy_compile(r"\b(?:static|class)\s|\b(?:self|[A-Z]\w*)\.$")
"""What stands before the name of a member of a type itself."""


def overloads_note(target: DefinedSymbol, consequence: str) -> tuple[str, ...]:
    """Return the line that says of how many overloads a symbol is, and what follows; nothing where it is of one."""
    number = _count_overloads(target)
    overloads = (f"{number:,} overloads, {consequence}",) if number > 1 else ()
    return (
        (*overloads, f"declared for the type and for its objects, {consequence}") if _has_sides(target) else overloads
    )


def _has_sides(target: DefinedSymbol) -> bool:
    """Return whether a type and its objects have members of this one name, as ``def self.call`` and ``def call``."""
    semantics = target.semantics
    if semantics is None or not semantics.members.statics_apart or len(target.definitions) == 1:
        return False
    members = [one for one in target.definitions if one.container and one.kind in CALLABLE | VARIABLE]
    of_type = [_OF_TYPE.search(signature_of(target, one).partition(one.name)[0]) is not None for one in members]
    return any(of_type) and not all(of_type)


def is_of_type(member: Symbol) -> bool:
    """Return whether a member is one of the type itself, where its objects may have another one of that name."""
    semantics = semantics_of(member.path)
    apart = semantics is not None and semantics.members.statics_apart
    return apart and _OF_TYPE.search(member.signature.partition(member.name)[0]) is not None


def _count_overloads(target: DefinedSymbol) -> int:
    semantics = target.semantics
    if semantics is None or len(target.definitions) == 1:
        return 1
    heads = [signature_of(target, one) for one in target.definitions if one.kind in CALLABLE]
    if semantics.calls.joins_overloads:
        return len({" ".join(head.partition("(")[2].rpartition(")")[0].split()) for head in heads})
    spelled = (semantics.visibility.spell_parameters(head) for head in heads)
    return len({tuple(map(tuple, one)) for one in spelled})


def are_component_and_methods(index: Index, namesakes: Sequence[DefinedSymbol]) -> bool:
    """Return whether symbols of one name are a component of a record and methods that all take something.

    The accessor of the component takes nothing, so a call without arguments means that one.
    https://docs.oracle.com/javase/specs/jls/se21/html/jls-8.html#jls-8.10.3
    """
    methods = [(of.source, one) for of in namesakes if of.callable for one in of.definitions]
    if not methods or not any(not one.callable and is_in_head_of_type(index, one) for one in namesakes):
        return False
    return not any(accepts_number(parameters_of(source, one), 0) for source, one in methods)
