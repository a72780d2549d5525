"""Local variables that a call passes by, where a function may have their name: what they hold is not called so.

https://kotlinlang.org/spec/overload-resolution.html#call-without-an-explicit-receiver
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages import lexis_of
from leadline_tools.languages.facts import Binding, Facts, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.lists import TYPE_ARGUMENTS, before_list, end_of_list, list_parts
from leadline_tools.languages.terms import FUNCTION, RECEIVER, Op, Path, parsed
from leadline_tools.resolve.project.name_resolver import NameResolver

_MOST_LINES = 40
_INVOKE = "invoke"
"""The operator by which an object is called like a function."""


class CalledVariables:
    """Compares calls of names with the variables around that have these."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def scope_around(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> int:
        """Return the scope in which the name of a call is looked up: that around variables which cannot be called so.

        Args:
            path: The file of the call.
            facts: What is known of it.
            semantics: The rules of its language.
            name: The name that is called.
            use: Where it is called.

        """
        for scope in facts.outwards(use.scope) if facts.named(name) else ():
            bound = facts.within(name, scope)
            if not bound:
                continue
            numbers = self._numbers(path, semantics, bound) if scope > 0 else None
            if numbers is None or self._number(path, use) in (None, *numbers):
                break
            return facts.scopes[scope].parent
        return use.scope

    def _numbers(self, path: str, semantics: Semantics, bound: Sequence[Binding]) -> AbstractSet[int] | None:
        """Return with how many arguments variables may be called; None where that is not known."""
        if any(one.path or one.imported >= 0 or one.sort != Sort.Value or not one.type for one in bound):
            return None
        paths = [one for binding in bound for one in parsed(binding.type)]
        functions = [one for one in paths if one.head == FUNCTION]
        if not all(
            _is_function(one) or (one.head in semantics.calls.built_in_types and not one.steps) for one in paths
        ):
            return None
        if not paths or (len(functions) < len(bound) and self._resolver.project.defining(_INVOKE, path)):
            return None
        taken = {len(one.steps[0].arguments) - 1 for one in functions}
        receivers = {1 + number for number in taken} if any(one.head == RECEIVER for one in paths) else set[int]()
        return taken | receivers

    def _number(self, path: str, use: Use) -> int | None:
        """Return how many arguments a call has, a block behind it among them; None where that is not known.

        What a variable holds takes none with a name, so a call with one has too many: -1.
        """
        lines = self._resolver.project.lines(path)
        if use.line > len(lines):
            return None
        text = "\n".join((lines[use.line - 1][use.end_column - 1 :], *lines[use.line : use.line + _MOST_LINES]))
        behind = text[before_list(text) :]
        if behind.startswith("{"):
            return 1
        given = list_parts(text, lexis_of(path), TYPE_ARGUMENTS)
        if given is None:
            return None
        if given and not given[-1].strip():
            given = given[:-1]
        if any(_is_named(one) for one in given):
            return -1
        block = behind[end_of_list(behind, lexis_of(path)) :].lstrip(" \t").startswith("{")
        return len(given) + block


def _is_function(term: Path) -> bool:
    return term.head == RECEIVER or (term.head == FUNCTION and [one.op for one in term.steps] == [Op.Arguments])


def _is_named(argument: str) -> bool:
    """Return whether an argument is given by a name: ``size = 1``."""
    name, sign, value = argument.partition("=")
    return bool(sign) and name.strip().isidentifier() and not value.startswith("=")
