"""A *construction*: a place where an object is made, a use of a constructor that does not spell its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.model import Role, Tier
from leadline_tools.once import once
from leadline_tools.resolve.overloads.call_shapes import OverloadMatch
from leadline_tools.resolve.overloads.constructor_overloads import ConstructorOverloads
from leadline_tools.resolve.overloads.labelled_overloads import LabelledOverloads
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.tiers.line_texts import LineTexts
from leadline_tools.resolve.tiers.searched_symbol import SearchedSymbol

_INITIALIZED = "this|"
"""The receiver of what a constructor initializes: a member, or the object as one of a base (C++)."""


_ENDS_TEMPLATE_CALL = re.compile(r"\s*(?:,[\w:\s,*&]*)?>\s*\(")
"""What follows the argument of a template that is called: the end of the arguments, and those of the call."""


_BASE_CALL = re.compile(r"\s*(?:<[^(){};]*>\s*)?\(")


def calls_base(after: str) -> bool:
    """Return whether what follows the name of a base gives arguments to its constructor: ``class A(n: Int) : B(n)``."""
    return _BASE_CALL.match(after) is not None


class Constructions:
    """Decides which uses of a type run the constructor that is looked for."""

    def __init__(
        self,
        index: Index,
        symbol: SearchedSymbol,
        question: Question,
        labels: LabelledOverloads | None,
        lines: LineTexts,
    ) -> None:
        self._index = index
        self._symbol = symbol
        self._question = question
        self._labels = labels
        self._texts = lines

    @once
    def overloads(self) -> ConstructorOverloads | None:
        """Return the constructors of the type, where not all of them are asked about."""
        overloads = (
            ConstructorOverloads(self._index, self._question, self._symbol.target)
            if self._symbol.constructor_keywords
            else None
        )
        return overloads if overloads is not None and overloads.are_several else None

    def runs_constructor(self, path: str, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether a use makes an object of the type whose constructor the symbol is, by the name of that.

        Where a sign does so besides, as ``new``, it is that which is a use.
        """
        if not self._symbol.is_constructor or not any(
            isinstance(one, SymbolRef) and any(part.same(one) for part in self._symbol.owner) for one in meanings
        ):
            return False
        if use.role is Role.Inherit and self._labels is not None and self._labels.is_call(path, use):
            return True
        if use.role is Role.Inherit and self._symbol.constructor_keywords:
            return calls_base(self._texts.after(path, use))
        if use.role is Role.Call and ("new" in self._symbol.implicit_call_tokens or self._calls_object(path, use)):
            return False
        return (
            use.role in (Role.Call, Role.Decorator)
            or use.receiver == _INITIALIZED
            or (bool(self._symbol.constructor_keywords) and self._texts.after(path, use).startswith("::new"))
        )

    def _calls_object(self, path: str, use: Use) -> bool:
        """Return whether a call is one of the object that is called like its type: of ``apply``, which that has.

        https://scala-lang.org/files/archive/spec/2.13/06-expressions.html#function-applications
        """
        facts, semantics = self._question.resolver.facts(path)
        if facts is None or semantics is None or not semantics.members.twins:
            return False
        signs = ((name, one) for name, one in facts.uses_on(use.line) if one.taken and one.column == use.end_column)
        found = (meant for name, one in signs for meant in self._question.resolver.resolve(path, name, one))
        return any(isinstance(one, SymbolRef) for one in found)

    def is_given_to_call(self, path: str, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether a use is the type as an argument of a template that is called: that may run a constructor.

        So do ``std::make_unique<T>(..)``, ``emplace<T>(..)`` and functions of the code base like them.
        """
        if use.role is not Role.Type or not self._symbol.is_constructor:
            return False
        owned = any(
            isinstance(one, SymbolRef) and any(part.same(one) for part in self._symbol.owner) for one in meanings
        )
        _, semantics = self._question.resolver.facts(path)
        templates = semantics is not None and semantics.visibility.links_definitions
        return owned and templates and _ENDS_TEMPLATE_CALL.match(self._texts.after(path, use)) is not None

    def runs_another(self, path: str, facts: Facts, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether a use runs or declares a constructor of the type that is not asked about."""
        if self.overloads is None or not (
            any(map(self._symbol.is_meant_by, meanings)) or self.runs_constructor(path, use, meanings)
        ):
            return False
        return self.overloads.match(path, facts, use) is OverloadMatch.Excluded

    def tier(self, path: str, facts: Facts, use: Use) -> Tier:
        """Return how sure it is that a construction runs the constructor that is asked about."""
        if self.overloads is None or self.overloads.match(path, facts, use) is OverloadMatch.Sure:
            return Tier.Exact
        return Tier.Likely
