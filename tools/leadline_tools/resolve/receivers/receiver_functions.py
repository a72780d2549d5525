"""Variables that hold functions which are called on an object, as in ``element.init()`` (Kotlin)."""

from __future__ import annotations

from leadline_tools.languages.facts import Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Role
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.types.type import RECEIVER_TYPE


def may_be_called_on_receiver(semantics: Semantics | None, use: Use) -> bool:
    """Return whether an occurrence may be the call of a variable behind a receiver."""
    called = use.role is Role.Call and use.receiver != BARE
    return called and semantics is not None and semantics.calls.functions_take_receivers


def takes_receiver(evaluator: TypeEvaluator, path: str, name: str, scope: int) -> bool:
    """Return whether a name stands for a function that is called on an object."""
    types = evaluator.resolve_aliases(evaluator.evaluate(path, name, scope))
    return any(one.origin == RECEIVER_TYPE for one in types)


def function_on_receiver(
    resolver: NameResolver, evaluator: TypeEvaluator, path: str, name: str, use: Use
) -> Resolution | None:
    """Return the variable that a call behind a receiver calls where that, of a known type, has no such member.

    https://kotlinlang.org/spec/overload-resolution.html#call-with-an-explicit-receiver
    """
    facts, semantics = resolver.facts(path)
    if facts is None or semantics is None or not may_be_called_on_receiver(semantics, use):
        return None
    if all(one.sort == Sort.Callable for one in facts.named(name)):
        return None
    if not takes_receiver(evaluator, path, name, use.scope) or not evaluator.evaluate(
        path, use.receiver.removesuffix("|"), use.scope
    ):
        return None
    meaning = resolver.scopes.lookup(path, name, use.scope)
    return meaning if isinstance(meaning, SymbolRef | LocalName) else None
