"""The renaming of a local name: of a variable, a parameter, or a name that an import gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts, Use
from leadline_tools.model import Tier
from leadline_tools.resolve.bindings.import_aliases import alias_uses, is_passed_on
from leadline_tools.resolve.bindings.local import (
    Local,
    bindings_of,
    function_of,
    may_be_named,
    parameters,
    unresolved_uses,
    uses_in_texts,
    uses_of,
)
from leadline_tools.resolve.hierarchy.override_group import OverrideGroup, override_group
from leadline_tools.resolve.hierarchy.protocols import Protocols
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.references.arguments import Arguments, arguments_of, decide_unknown
from leadline_tools.resolve.references.occurrence_lines import occurrence_lines
from leadline_tools.resolve.rename.collisions import Collision, in_file
from leadline_tools.resolve.rename.name_edit import NameEdit, shortened_edit, split_edit
from leadline_tools.resolve.rename.renaming import SECONDS, Renaming
from leadline_tools.resolve.rename.run_time import RunTimeLookup
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol


def local_renaming(index: Index, local: Local, new: str) -> Renaming:
    """Return what calling a local variable or a parameter ``new`` changes, in calls that name it too.

    What an import gives a name is local to its file.
    """
    with asking(index, at_least=SECONDS) as question:
        if not local.scope:
            return _LocalRenaming(index, question, OverrideGroup(()), local, new).run_in_file()
        function = function_of(index, local) if may_be_named(index, local) else None
        related = override_group(index, function, question) if function is not None else OverrideGroup(())
        return _LocalRenaming(index, question, related, local, new).run()


@dataclass(slots=True)
class _LocalRenaming:
    """One search for the places of a local name, and of the parameters that go by its name together with it."""

    index: Index
    question: Question
    related: OverrideGroup
    local: Local
    new: str

    def run(self) -> Renaming:
        name = self.local.sigil + self.new
        having = self._parameters()
        functions = list(dict.fromkeys(function for function, _ in having))
        places: dict[str, dict[tuple[int, int], NameEdit]] = {}
        inside: list[Collision] = []
        for one in dict.fromkeys((self.local, *(other for _, other in having))):
            found = list(uses_of(self.question, one))
            inside += in_file(self.question.resolver, one.path, found, one.name, one.named(self.new))
            inside += self._unseen(one, found)
            facts = self.question.project.facts(one.path)
            for use in found:
                places.setdefault(one.path, {})[use.line, use.column] = self._place(one, facts, use, name)
        parameters_named = [one for _, one in having]
        named = arguments_of(self.index, self.question, functions, parameters_named) if functions else Arguments()
        rest = decide_unknown(
            self.index, self.question, parameters_named or [self.local], self._unresolved(places, named)
        )
        for argument in (*named.sure, *(one for one in rest if one.tier is Tier.Exact)):
            use, there = argument.use, places.setdefault(argument.path, {})
            whole = NameEdit(use.line, use.column, use.end_column, argument.name, self.new)
            facts = self.question.project.facts(argument.path)
            short = facts is not None and (use.line, use.column) in facts.shorthands
            alone = short and (use.line, use.column) not in there
            apart = split_edit(self.index, argument.path, use, argument.name, self.new, argument.name)
            there[use.line, use.column] = apart if alone else whole
        return Renaming(
            OverrideGroup(tuple(functions), self.related.outside if having else (), self.related.unseen),
            {path: [there[key] for key in sorted(there)] for path, there in sorted(places.items())},
            list(occurrence_lines(self.index, [*named.unsure, *(one for one in rest if one.tier is not Tier.Exact)])),
            {path: {(use.line, use.column) for use in self._spelled(path)} for path in places},
            list(dict.fromkeys(inside)),
            (),
            sorted(named.unread),
            named.left,
            namesakes=list(self._kept_by_protocols(functions)) if may_be_named(self.index, self.local) else (),
        )

    def _kept_by_protocols(self, functions: Sequence[DefinedSymbol]) -> Iterator[RunTimeLookup]:
        """Yield the parameters of the old name of methods that may stand for one another by a protocol.

        https://typing.python.org/en/latest/spec/callables.html#assignability-rules-for-callables
        """
        semantics = semantics_of(self.local.path)
        if semantics is None or not semantics.members.protocol_bases:
            return
        protocols, known = Protocols(self.index, self.question), {(one.path, one.name) for one in functions}
        for function in (one for one in functions if one.first.container):
            for other in protocols.members_alike(function):
                for one in parameters(self.index, self.question, other, self.local.name):
                    if (other.path, other.name) not in known:
                        yield RunTimeLookup(one.path, one.line, self.local.word)

    def run_in_file(self) -> Renaming:
        """Look for the places of a name that an import gives something."""
        path, facts = self.local.path, self.question.project.facts(self.local.path)
        found = list(alias_uses(self.question, self.local))
        blocked = list(in_file(self.question.resolver, path, found, self.local.name, self.new))
        if is_passed_on(self.question, self.local):
            blocked.append(Collision(path, self.local.line, "the file exports it by that name"))
        places = {(use.line, use.column): self._place(self.local, facts, use, self.new) for use in found}
        code = {path: {(use.line, use.column) for use in self._spelled(path)}}
        changed = {path: [places[key] for key in sorted(places)]}
        return Renaming(OverrideGroup(()), changed, (), code, list(dict.fromkeys(blocked)), (), (), 0)

    def _unresolved(
        self, places: Mapping[str, Mapping[tuple[int, int], NameEdit]], named: Arguments
    ) -> Iterator[ResolvedUse]:
        """Yield the uses that may mean the local name, and are neither changed nor among those that are unsure."""
        known = {(one.path, one.use.line, one.use.column) for one in (*named.sure, *named.unsure)}
        known.update((path, *place) for path, there in places.items() for place in there)
        in_texts = uses_in_texts(self.index, self.question, self.local)
        for one in (*unresolved_uses(self.question, self.local), *in_texts):
            if (one.path, one.use.line, one.use.column) not in known:
                yield one

    def _place(self, local: Local, facts: Facts | None, use: Use, name: str) -> NameEdit:
        """Return what gets the new name: of a name that is a key and a value at once the key stays."""
        if facts is None:
            return NameEdit(use.line, use.column, use.end_column, local.written, name)
        shorter = shortened_edit(self.index, local.path, facts, use, name)
        if (use.line, use.column) in facts.shorthands:
            return shorter or split_edit(self.index, local.path, use, local.name, local.name, name)
        return shorter or NameEdit(use.line, use.column, use.end_column, local.written, name)

    def _parameters(self) -> list[tuple[DefinedSymbol, Local]]:
        """Return the functions that have the parameter, the one that was asked about first, each with its own.

        Definitions of one function in Python, such as its overloads, are called with the same keywords.
        """
        semantics, name = semantics_of(self.local.path), self.local.name
        together = semantics is not None and semantics.calls.records is not None
        having: list[tuple[DefinedSymbol, Local]] = []
        for function in self.related.members:
            found = list(parameters(self.index, self.question, function, name))
            if self.local in found and not together:
                found = [self.local]
            having += ((function, one) for one in (found if together else found[:1]))
        return having

    def _unseen(self, local: Local, found: Sequence[Use]) -> Iterator[Collision]:
        """Yield what makes it unsure which name is meant: it is an import or a symbol as well, or bound unseen."""
        facts = self.question.project.facts(local.path)
        places = {(use.line, use.column) for use in found}
        for binding in bindings_of(facts, local) if facts is not None else ():
            if binding.path or binding.imported >= 0:
                yield Collision(local.path, binding.line, f"{local.written} is a symbol or an import there as well")
            elif (binding.line, binding.column) not in places:
                yield Collision(local.path, binding.line, f"what binds {local.written} there is not understood")

    def _spelled(self, path: str) -> Sequence[Use]:
        facts = self.question.project.facts(path)
        return facts.uses.get(self.local.name, ()) if facts is not None else ()
