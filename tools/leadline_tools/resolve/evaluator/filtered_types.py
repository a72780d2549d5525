"""Types that have some of the members of another: ``Omit<T, K>`` and ``Pick<T, K>`` of TypeScript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from leadline_tools.languages import terms
from leadline_tools.languages.terms import Op, Path, Step
from leadline_tools.resolve.project.resolution import ExternalType
from leadline_tools.resolve.types.evaluation import Context, Evaluator
from leadline_tools.resolve.types.type import PRIMITIVE_TYPE, MemberFilter, Type


class FilteredTypes:
    """Evaluates which members are left."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator

    def apply(self, context: Context, types: Sequence[Type], step: Step) -> Sequence[Type]:
        """Return types with the members that a step leaves them; with all where the names are not known."""
        names: set[str] = set()
        owners: list[Type] = []
        for one in (one for term in step.arguments for one in term):
            if terms.is_record(one.head):
                names.update(terms.members_of_record(one.head))
            elif one.steps and one.steps[-1].op is Op.Object:
                held = self._evaluator.evaluate_term(context.path, (one,), context.scope, context.access, typed=False)
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
            replace(one, filters=(*one.filters, left))
            for type_ in types
            for one in self._evaluator.resolve_alias(type_)
        ]

    def _list_names(self, context: Context, one: Path) -> set[str]:
        """Return the strings that a type is of."""
        types = self._evaluator.evaluate_term(context.path, (one,), context.scope, context.access, typed=True)
        texts = (type_ for type_ in types if type_.origin == PRIMITIVE_TYPE)
        held = (one.origin for type_ in texts for argument in type_.arguments for one in argument)
        listed = (one.name for one in held if isinstance(one, ExternalType) and terms.is_record(one.name))
        return {name for names in listed for name in terms.members_of_record(names)}
