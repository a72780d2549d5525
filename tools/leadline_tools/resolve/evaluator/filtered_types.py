"""Types that have some of the members of another: ``Omit<T, K>`` and ``Pick<T, K>`` of TypeScript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.languages import terms
from leadline_tools.languages.terms import Op, Path, Step
from leadline_tools.resolve.members.discriminated_unions import DiscriminatedUnions
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.types.evaluation import Context, Evaluator
from leadline_tools.resolve.types.type import MemberFilter, Type


class FilteredTypes:
    """Evaluates which members are left."""

    def __init__(self, evaluator: Evaluator, unions: DiscriminatedUnions) -> None:
        self._evaluator = evaluator
        self._unions = unions

    def apply(self, context: Context, types: Sequence[Type], step: Step) -> Sequence[Type]:
        """Return types with the members that a step leaves them; with all where the names are not known."""
        names: set[str] = set()
        owners: list[Type] = []
        for one in (one for term in step.arguments for one in term):
            if terms.is_record(one.head):
                names.update(terms.members_of_record(one.head))
            elif one.steps and one.steps[-1].op is Op.Object:
                held = self._evaluator.evaluate_term(
                    context.path, (one,), context.scope, context.access, typed=False
                )
                if not held and step.op is Op.Picked:
                    return types
                owners += held
            elif named := self._list_names(context, one):
                names |= named
            elif step.op is Op.Picked:
                return types
        if not names and not owners:
            return types
        left = MemberFilter(frozenset(names), tuple(owners), step.op is Op.Picked)
        return [
            replace(one, filters=(*one.filters, left)) for type_ in types for one in self._evaluator.resolve_alias(type_)
        ]

    def _list_names(self, context: Context, one: Path) -> set[str]:
        """Return the literals that a type is another name for."""
        found: set[str] = set()
        for type_ in self._evaluator.evaluate_term(context.path, (one,), context.scope, context.access, typed=False):
            if not isinstance(type_.origin, SymbolRef):
                return set()
            literals = self._unions.read_literals(type_.origin)
            if not literals:
                return set()
            found |= {literal[1:-1] for literal in literals if literal.startswith('"')}
        return found
