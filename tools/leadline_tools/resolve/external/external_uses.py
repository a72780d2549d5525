"""Uses that lead out of the code base and that the resolver leaves open, since it follows no code from outside.

They are members of what something from outside gives, and arguments that something from outside takes. What nothing in
the code base declares is no symbol of it; what is declared may still be meant unless the object is known to be made
outside. No reference is concluded from this: it is for the question where one use leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import re2

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of, lexis_of
from leadline_tools.languages.facts import Argument, Binding, Facts, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.lists import end_of_list
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.terms import BARE, UNKNOWN, Op, Path, Step, parsed
from leadline_tools.model import Role
from leadline_tools.resolve.overloads.call_shapes import text_behind
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, Module, SymbolRef
from leadline_tools.resolve.question import Question

_DEEPEST = 4
"""Names given the values of other names that are followed to where an object is made."""

_MOST_LINES = 100
"""Lines of a call among which its arguments are looked for."""

_FOLLOWED = frozenset({Role.Call, Role.Read, Role.Decorator})
"""Roles of the uses that may lead out of the code base."""


class _SearchedMember(NamedTuple):
    """The member that is looked for, whether an object may have been given it, and how many names more are followed."""

    name: str
    given: bool
    deepest: int

    def within(self) -> _SearchedMember:
        """Return the same for what a name is given."""
        return self._replace(deepest=self.deepest - 1)


class ExternalUses:
    """Decides of uses in one index whether they lead out of the code base."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question
        self._resolver = question.resolver

    def is_external(self, path: str, name: str, use: Use) -> bool:
        """Return whether a use, of which the resolver knows no meaning, leads out of the code base."""
        facts, semantics = self._resolver.facts(path)
        if facts is None or semantics is None or semantics.library.external_members is None:
            return False
        if use.receiver == UNKNOWN:
            return any(
                self._is_external_argument(path, facts, name, argument)
                for argument in facts.arguments.get(name, ())
                if (argument.line, argument.column) == (use.line, use.column)
            )
        if use.role not in _FOLLOWED or use.receiver == BARE or use.imported >= 0:
            return False
        return self._is_member_from_outside(path, facts, semantics, name, use)

    def _is_member_from_outside(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> bool:
        """Return whether a use is of a member that an object from outside has."""
        given = facts.gives_member(name) or name in facts.arguments
        searched, terms = _SearchedMember(name, given, _DEEPEST), parsed(use.receiver.removesuffix("|"))
        if all(self._is_made_outside(path, semantics, one, use.scope, searched) for one in terms):
            return True
        if given or self._is_declared(name) or self._is_listed(path, name):
            return False
        return all(self._begins_outside(path, one, use.scope, searched) for one in terms)

    def _is_declared(self, name: str) -> bool:
        """Return whether something in the code base may be declared under a name."""
        coverage = self._index.coverage()
        return coverage.symbols < coverage.files or self._index.symbols.count_files_defining(name) > 0

    def _is_listed(self, path: str, name: str) -> bool:
        """Return whether a file has a name among others, or alone, in a string: types may be made of such."""
        source = self._index.try_read(path)
        listed = rf"[\"'](?:[\w\s,]*[\s,])?{re2.escape(name)}(?:[\s,][\w\s,]*)?[\"']"
        return source is not None and re2.search(listed.encode("utf-8", "replace"), source.content) is not None

    # --- Members

    def _begins_outside(self, path: str, one: Path, scope: int, searched: _SearchedMember) -> bool:
        """Return whether a term begins with something from outside, and takes nothing of it that is declared."""
        name, within, lines = place_of(one.head)
        meaning = self._resolver.scopes.lookup(path, name, within if within > 0 else scope)
        if searched.deepest <= 0 or (isinstance(meaning, SymbolRef) and self._is_listed(meaning.path, searched.name)):
            return False
        for number in range(len(one.steps), -1, -1):
            values = self._resolver.evaluator.evaluate_path(path, Path(one.head, one.steps[:number]), scope)
            members = [step.name for step in one.steps[number:] if step.op is Op.Member]
            if any(map(self._is_declared, members)):
                return False
            if values:
                return all(isinstance(value.origin, ExternalType) for value in values)
        if not isinstance(meaning, SymbolRef | LocalName):
            return False
        return self._all_begin_outside(meaning, lines, searched.within())

    def _all_begin_outside(
        self, meaning: SymbolRef | LocalName, lines: frozenset[int], searched: _SearchedMember
    ) -> bool:
        """Return whether each value that a name is given begins with something from outside."""
        bindings = self._bindings(meaning, lines)
        return bool(bindings) and all(
            _is_plain_value(binding)
            and all(self._begins_outside(meaning.path, one, binding.spelled, searched) for one in parsed(binding.made))
            for binding in bindings
        )

    def _is_made_outside(
        self, path: str, semantics: Semantics, one: Path, scope: int, searched: _SearchedMember
    ) -> bool:
        """Return whether a term stands for an object of a type from outside, by how it is made."""
        if one.head in (UNKNOWN, "") or searched.deepest <= 0:
            return False
        name, within, lines = place_of(one.head)
        if name in (*semantics.scopes.this, *semantics.scopes.own):
            return self._is_attribute_made_outside(path, one, scope, searched)
        meaning = self._resolver.scopes.lookup(path, name, within if within > 0 else scope)
        if isinstance(meaning, ExternalType):
            return _makes_object(semantics, name, one.steps, searched)
        if isinstance(meaning, Module) or meaning is None or one.steps:
            return False
        return self._are_made_outside(meaning, lines, searched)

    def _is_attribute_made_outside(self, path: str, one: Path, scope: int, searched: _SearchedMember) -> bool:
        """Return whether each value that methods give an attribute of their object is made outside."""
        if [step.op for step in one.steps] != [Op.Member]:
            return False
        attribute = one.steps[0].name
        meanings = self._resolver.receiver_members.resolve(path, one.head, scope, attribute)
        return bool(meanings) and all(
            isinstance(meaning, SymbolRef) and self._are_made_outside(meaning, frozenset(), searched)
            for meaning in meanings
        )

    def _are_made_outside(
        self, meaning: SymbolRef | LocalName, lines: frozenset[int], searched: _SearchedMember
    ) -> bool:
        """Return whether each value that a name is given is made outside; on some lines, those there."""
        _, semantics = self._resolver.facts(meaning.path)
        bindings, deeper = self._bindings(meaning, lines), searched.within()
        if semantics is None or not bindings or not all(map(_is_plain_value, bindings)):
            return False
        terms = ((binding, one) for binding in bindings for one in parsed(binding.made))
        return all(self._is_made_outside(meaning.path, semantics, one, b.spelled, deeper) for b, one in terms)

    def _bindings(self, meaning: SymbolRef | LocalName, lines: frozenset[int]) -> Sequence[Binding]:
        """Return what binds a name; on some lines, what does so there."""
        facts, _ = self._resolver.facts(meaning.path)
        if facts is None:
            return ()
        if isinstance(meaning, SymbolRef):
            bindings: Sequence[Binding] = facts.all_at(meaning.name)
        else:
            bindings = [one for one in facts.within(meaning.name, meaning.scope) if not one.path]
        return [one for one in bindings if one.line in lines] or bindings

    # --- Arguments

    def _is_external_argument(self, path: str, facts: Facts, name: str, argument: Argument) -> bool:
        """Return whether what is called with an argument is from outside, and is given nothing that may take it."""
        place = argument.called_line, argument.called_column
        uses = (one for one in facts.uses.get(argument.called, ()) if (one.line, one.column) == place)
        call = next(uses, None)
        if call is None:
            return False
        meanings = self._resolver.resolve(path, argument.called, call)
        outside = all(isinstance(one, ExternalType) for one in meanings)
        if not (outside if meanings else self.is_external(path, argument.called, call)):
            return False
        receivers = self._resolver.receivers.types(path, call)
        return not any(self._accepts_keyword(one, name) for one in (*receivers, *self._given(path, facts, call)))

    def _given(self, path: str, facts: Facts, call: Use) -> Iterator[SymbolRef]:
        """Yield the types and functions of the code base that are named among the arguments of a call, or near them."""
        text = text_behind(self._index, path, call, _MOST_LINES)
        last = call.line + text.count("\n", 0, end_of_list(text, lexis_of(path)))
        for line in range(call.line, last + 1):
            for name, use in facts.uses_on(line):
                if use.role is Role.Read:
                    found = self._resolver.resolve(path, name, use)
                    yield from (one for one in found if isinstance(one, SymbolRef))

    def _accepts_keyword(self, of: SymbolRef, name: str) -> bool:
        """Return whether a type or a function has something of a name that a call may give a value."""
        facts, _ = self._resolver.facts(of.path)
        if facts is None:
            return True
        spelled = {one.spelled for one in facts.all_at(of.name)}
        if any(one.scope in spelled and not one.path for one in facts.named(name)):
            return True
        if not any(one.sort == Sort.Type for one in facts.all_at(of.name)):
            return False
        if self._resolver.member_of(of, name) is not None:
            return True
        language = language_of(of.path)
        made = [
            self._resolver.member_of(of, one) for one in (language.names.constructors if language is not None else ())
        ]
        return any(isinstance(one, SymbolRef) and not one.same(of) and self._accepts_keyword(one, name) for one in made)


def _is_plain_value(binding: Binding) -> bool:
    """Return whether a name is given a value that is spelled, and no type is declared."""
    return binding.sort == Sort.Value and binding.imported < 0 and not binding.type and bool(binding.made)


def _makes_object(semantics: Semantics, name: str, steps: Sequence[Step], searched: _SearchedMember) -> bool:
    """Return whether something from outside is a type that is called: its name begins with a capital, or is known.

    Where the members of the type are known it has to have the one that is looked for.
    """
    members = [name, *(step.name for step in steps if step.op is Op.Member)]
    ops = [step.op for step in steps if step.op not in (Op.Given, Op.Arguments)]
    if ops != [Op.Member] * (len(members) - 1) + [Op.Call]:
        return False
    known = semantics.library.external_members(members[-1]) if semantics.library.external_members is not None else None
    if known is not None:
        return searched.name in known
    return not searched.given and semantics.library.external_types(members[-1])
