"""Functional interfaces: those of one method without a body, of which a lambda or a method reference may be an object.

https://docs.oracle.com/javase/specs/jls/se21/html/jls-9.html#jls-9.8
"""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.model import Reason
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, is_interface, load_symbols
from leadline_tools.resolve.symbols.visibility import signature_of
from leadline_tools.resolve.types.type import Type


def may_be_lambda(index: Index, target: DefinedSymbol) -> bool:
    """Return whether a lambda may be an object of a type, or may stand for a method.

    Args:
        index: The index of the tree.
        target: An interface, or its one method without a body.

    """
    if target.semantics is None or target.semantics.members.may_be_lambda is None:
        return False
    of = SymbolRef(target.path, target.first.container if target.callable else target.name, Reason.Definition)
    owner = load_symbols(index, [(of.path, of.name)]) if of.name and is_interface(index, of) else ()
    if not any(target.semantics.members.may_be_lambda(signature_of(one)) for one in owner):
        return False
    with asking(index, ahead=False) as question:
        names = _open_methods(question, of)
    return len(names) == 1 and (not target.callable or target.first.name in names)


def _open_methods(question: Question, of: SymbolRef) -> frozenset[str]:
    """Return the names of the methods without a body of an interface and of all that it inherits from."""
    found: set[str] = set()
    given: set[str] = set()
    for owner in question.resolver.evaluator.inheritance.mro(Type(of)):
        facts = question.project.facts(owner.origin.path) if isinstance(owner.origin, SymbolRef) else None
        if facts is None or not isinstance(owner.origin, SymbolRef):
            continue
        prefix = f"{owner.origin.name}."
        open_ = {one.name for one in facts.callables if one.path == f"{prefix}{one.name}"}
        declared = {one.name for one in facts.bindings if one.path == f"{prefix}{one.name}"}
        found.update(open_ - given)
        given.update(declared)
    return frozenset(found)
