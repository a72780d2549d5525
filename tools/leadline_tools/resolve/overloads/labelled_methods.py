"""Methods of one name in several parts and bases of a type, where labels tell which of them a call means (Swift)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.rules.calls import Labelled, Labels
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.overloads.labelled_overloads import declared_labels, given_labels, names_of_labels
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.types.type import Type


def labels_of_methods(path: str) -> Labels | None:
    """Return how labels tell all functions of a language apart; None where they do not."""
    semantics = semantics_of(path)
    labels = semantics.calls.labels if semantics is not None else None
    return labels if labels is not None and not labels.constructors else None


class LabelledMethods:
    """Chooses between the methods of one name that the parts of a type declare, or its bases."""

    def __init__(self, index: Index, evaluator: TypeEvaluator, labels: Labels) -> None:
        self._index = index
        self._evaluator = evaluator
        self._labels = labels
        self._declared: dict[tuple[str, str], Sequence[Sequence[Labelled] | None]] = {}

    def choose(self, path: str, use: Use, meant: SymbolRef) -> Sequence[SymbolRef]:
        """Return what a call means: the methods of the type that take its labels, else that of the nearest base."""
        owner, _, name = meant.name.rpartition(".")
        of = SymbolRef(meant.path, owner, meant.reason)
        parts = self._evaluator.declarations.members_in_other_parts(of, name) if owner else ()
        inherited = self._inherited(of, name) if owner else ()
        given = given_labels(self._index, self._labels, path, use) if parts or inherited else None
        if given is None:
            return (meant,)
        return self._accepting((meant, *parts), given) or self._accepting(inherited, given)[:1] or (meant,)

    def _inherited(self, of: SymbolRef, name: str) -> Sequence[SymbolRef]:
        above = self._evaluator.inheritance.mro(Type(of))[1:]
        bases = (one.origin for one in above if isinstance(one.origin, SymbolRef) and one.origin.name != of.name)
        found = (self._evaluator.declarations.own_member(base, name) for base in bases)
        return [one for one in found if one is not None]

    def _accepting(self, methods: Iterable[SymbolRef], given: Sequence[Labelled]) -> Sequence[SymbolRef]:
        """Return the methods that can be called with labels; those with just these labels, where there are any."""
        names = names_of_labels(given)
        able: list[SymbolRef] = []
        exact: list[SymbolRef] = []
        for one in methods:
            declared = self._labels_of(one)
            if any(labels is None or self._labels.accepts(labels, given) for labels in declared):
                able.append(one)
                exact += [one] if any(names_of_labels(labels) == names for labels in declared) else []
        return exact or able

    def _labels_of(self, of: SymbolRef) -> Sequence[Sequence[Labelled] | None]:
        """Return the labels of each declaration of a method; none for what is no function."""
        if (of.path, of.name) not in self._declared:
            source = self._index.try_read(of.path)
            named = [one for one in self._index.symbols.definitions(source) if one.path == of.name] if source else []
            self._declared[of.path, of.name] = (
                [declared_labels(self._labels, source, one) for one in named] if source else []
            )
        return self._declared[of.path, of.name]
