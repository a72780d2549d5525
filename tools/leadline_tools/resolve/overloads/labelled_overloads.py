"""Overloads that labels tell apart: functions of one name in a language where the labels of arguments belong to it."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.languages import lexis_of
from leadline_tools.languages.facts import Use
from leadline_tools.languages.lists import CALLED_TYPE_ARGUMENTS, LONGEST_LIST, end_of_list, list_parts
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.rules.calls import Labelled, Labels
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.call_shapes import OverloadMatch, text_before, text_behind
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols

_MOST_LINES_BEFORE = 10


class LabelledOverloads:
    """The functions of one name in a file, and those of them that are asked about."""

    def __init__(self, index: Index, target: DefinedSymbol, labels: Labels) -> None:
        self._index = index
        self._labels = labels
        every = [one for each in load_symbols(index, [(target.path, target.name)]) for one in each.definitions]
        wanted = (declared_labels(labels, target.source, one) for one in target.definitions)
        self._wanted = list(dict.fromkeys(wanted))
        others = (declared_labels(labels, target.source, one) for one in (*every, *self._heads(target)))
        self._others = [one for one in dict.fromkeys(others) if one not in self._wanted]

    def _heads(self, target: DefinedSymbol) -> Sequence[Definition]:
        """Return the types whose head is a constructor beside others."""
        owners = load_symbols(self._index, [(target.path, target.first.container)]) if self._labels.constructors else []
        return [one for owner in owners for one in owner.definitions]

    def is_call(self, path: str, use: Use) -> bool:
        """Return whether a list in parentheses stands behind a use."""
        text = text_behind(self._index, path, use, LONGEST_LIST)
        return list_parts(text, lexis_of(path), CALLED_TYPE_ARGUMENTS) is not None

    def match(self, path: str, use: Use) -> OverloadMatch:
        """Return whether a use declares or calls a function that is asked about."""
        if use.role is Role.Definition:
            declared = names_of_labels(self._labels.declared(text_behind(self._index, path, use, LONGEST_LIST)))
            same = any(declared == names_of_labels(one) for one in self._wanted)
            return OverloadMatch.Sure if same else OverloadMatch.Excluded
        given = given_labels(self._index, self._labels, path, use)
        return OverloadMatch.Possible if given is None else self._match_call(given)

    def _match_call(self, given: Sequence[Labelled]) -> OverloadMatch:
        if not any(self._may_take(one, given) for one in self._wanted):
            return OverloadMatch.Excluded
        if not any(self._may_take(one, given) for one in self._others):
            return OverloadMatch.Sure
        labels = [one.label for one in given]
        exact = [one for one in (*self._wanted, *self._others) if names_of_labels(one) == labels]
        if len(exact) != 1:
            return OverloadMatch.Possible
        return OverloadMatch.Sure if exact[0] in self._wanted else OverloadMatch.Excluded

    def _may_take(self, declared: tuple[Labelled, ...] | None, given: Sequence[Labelled]) -> bool:
        return declared is None or self._labels.accepts(declared, given)


def declared_labels(labels: Labels, source: Source, definition: Definition) -> tuple[Labelled, ...] | None:
    """Return the labels of what a function takes; None where they are not known."""
    head = source.content[slice(*definition.signature)].decode("utf-8", "replace")
    found = labels.declared(head[head.find(definition.name) + len(definition.name) :])
    return tuple(found) if found is not None else None


def given_labels(index: Index, labels: Labels, path: str, use: Use) -> Sequence[Labelled] | None:
    """Return the labels that a call gives; None for no call."""
    text = text_behind(index, path, use, LONGEST_LIST)
    if labels.ends_at_block(text_before(index, path, use, _MOST_LINES_BEFORE)):
        called = list_parts(text, lexis_of(path), CALLED_TYPE_ARGUMENTS) is not None
        text = text[: end_of_list(text, lexis_of(path))] if called else ""
    return labels.given(text)


def labelled_overloads(index: Index, target: DefinedSymbol) -> LabelledOverloads | None:
    """Return what tells the functions of one name apart; None where labels do not."""
    semantics = target.semantics
    if semantics is None or semantics.calls.labels is None or not target.callable:
        return None
    if semantics.calls.labels.constructors not in ("", target.first.name):
        return None
    return LabelledOverloads(index, target, semantics.calls.labels)


def names_of_labels(labels: Sequence[Labelled] | None) -> Sequence[str] | None:
    """Return the labels alone, whether or not they may be left out."""
    return [one.label for one in labels] if labels is not None else None
