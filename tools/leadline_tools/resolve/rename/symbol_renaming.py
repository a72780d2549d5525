"""The renaming of a symbol, with all that goes by one name together with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from leadline_tools.account import Account, account_of_all
from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import OUTSIDE, Binding, Facts, Use, readable
from leadline_tools.languages.outline import CLASS_LIKE, VARIABLE
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.resolve.bindings.local import uses_of
from leadline_tools.resolve.bindings.promoted_parameters import promoted_parameter
from leadline_tools.resolve.hierarchy.override_group import MOST, OverrideGroup, is_member, override_group
from leadline_tools.resolve.hierarchy.protocols import Protocols
from leadline_tools.resolve.hierarchy.structural_literals import StructuralLiterals
from leadline_tools.resolve.occurrences.component_attributes import kebab_name
from leadline_tools.resolve.project.project import files_with_name
from leadline_tools.resolve.project.resolution import EXTERNAL, SymbolRef
from leadline_tools.resolve.project.resolved_uses import ResolvedUse
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.references.arguments import filling
from leadline_tools.resolve.references.occurrence_lines import occurrence_lines
from leadline_tools.resolve.references.references import references
from leadline_tools.resolve.rename.collisions import Collision, collisions, in_file
from leadline_tools.resolve.rename.name_edit import NameEdit, keyed_edit, shortened_edit, split_edit
from leadline_tools.resolve.rename.renaming import SECONDS, Renaming
from leadline_tools.resolve.rename.run_time import RunTimeLookup, decorators, lookups
from leadline_tools.resolve.symbols.augmentations import augmentation, augmenting
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.parts import everywhere
from leadline_tools.resolve.symbols.unlisted import embedded_field
from leadline_tools.resolve.symbols.visibility import seeing
from leadline_tools.resolve.tiers.searched_symbol import SearchedSymbol

_TYPE_SCOPES = (ScopeKind.Class, ScopeKind.Table)


def symbol_renaming(index: Index, target: DefinedSymbol, new: str) -> Renaming:
    """Return what calling a symbol ``new`` changes; nothing is left out for want of time without being counted."""
    with asking(index, at_least=SECONDS) as question:
        related = override_group(index, target, question)
        return _SymbolRenaming(index, question, related, target.first.name, new).run()


def _compares_members(path: str) -> bool:
    """Return whether in the language of a file a type takes the objects of any other that has its members."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.members.compares_members


@dataclass(slots=True)
class _SymbolRenaming:
    """One search for all places of a group."""

    index: Index
    question: Question
    related: OverrideGroup
    old: str
    new: str
    found: dict[tuple[str, int, int], ResolvedUse] = field(default_factory=dict)
    unsure: dict[tuple[str, int, int], ResolvedUse] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    left: int = 0
    accounts: list[Account] = field(default_factory=list)
    implicit_calls: set[RunTimeLookup] = field(default_factory=set)
    other_names: set[RunTimeLookup] = field(default_factory=set)

    def run(self) -> Renaming:
        members = self._gathered()
        if self.related.unseen or self.left:
            return Renaming(self.related, {}, (), {}, (), (), sorted(self.unread), self.left)
        mixed = [*self._assigned(members), *self._imported(members), *self._mixed(members), *self._augmenting(members)]
        self.found.update(self._destructors(members))
        self._fill(members)
        places = self._places()
        by_path: dict[str, list[Use]] = {}
        for one in self.found.values():
            by_path.setdefault(one.path, []).append(one.use)
        inside = collisions(self.index, self.question, members, by_path, self.old, self.new)
        unsure = [one for key, one in self.unsure.items() if key not in self.found]
        unsure.sort(key=lambda one: (one.tier is Tier.Name, one.path, one.use.line, one.use.column))
        return Renaming(
            OverrideGroup(tuple(members), self.related.outside, self.related.unseen),
            places,
            list(occurrence_lines(self.index, unsure)),
            self._code(places, unsure),
            [*mixed, *inside, *self._parameters(members)],
            sorted(self._exporting()),
            sorted(self.unread),
            self.left,
            sorted(decorators(self.question, members)),
            sorted(set(lookups(self.index, self.question, members))),
            account_of_all(self.accounts),
            sorted(self.implicit_calls),
            sorted(self._variables(members)),
            sorted({*self._namesakes(members, places), *self._kept_by_protocols(members)}),
            sorted(self._shared(members)),
            sorted(self._fitted_by_functions(members)),
            sorted(self.other_names),
        )

    def _gathered(self) -> list[DefinedSymbol]:
        """Look for the uses of every member, and of what turns out to be meant together with one; return them all."""
        members: dict[tuple[str, str], DefinedSymbol] = {}
        waiting = list(self.related.members)
        while waiting and len(members) <= MOST and not (self.related.unseen or self.left):
            member = waiting.pop(0)
            if (member.path, member.name) in members:
                continue
            members[member.path, member.name] = member
            uses = references(self.index, member, None, self.question)
            other_names = SearchedSymbol(self.index, member, self.question).other_names
            self.unread.update(uses.unread)
            self.left = max(self.left, uses.late)
            self.accounts.append(uses.account)
            for one in uses.found:
                sure = one.tier is Tier.Exact
                if self._is_implicit_call(one):
                    self.implicit_calls.add(RunTimeLookup(one.path, one.use.line, one.name))
                elif one.name in other_names or one.name == kebab_name(self.old):
                    self.other_names.add(RunTimeLookup(one.path, one.use.line, one.name))
                elif one.name == self.old or self._ending(one):
                    (self.found if sure else self.unsure)[one.path, one.use.line, one.use.column] = one
                    waiting += (*self._together(one), *self._embedded(one)) if sure else ()
        return list(members.values())

    def _parameters(self, members: Sequence[DefinedSymbol]) -> Iterator[Collision]:
        """Yield what is in the way of the new name for the parameters that declare members."""
        for member in members:
            local = promoted_parameter(self.question, member)
            if local is not None:
                uses = list(uses_of(self.question, local))
                yield from in_file(self.question.resolver, local.path, uses, local.name, local.named(self.new))

    def _namesakes(
        self, members: Sequence[DefinedSymbol], places: Mapping[str, Sequence[NameEdit]]
    ) -> Iterator[RunTimeLookup]:
        """Yield the members of other types that keep the old name, where a type may take the objects of any other."""
        compared = (one for one in members if is_member(one) and _compares_members(one.path))
        if all(seeing(self.index, one) is not None for one in compared):
            return  # what is private to its type has to be of that type
        changed = {(path, one.line, one.column) for path, there in places.items() for one in there}
        for path in self.question.project.spelling(self.old):
            facts = self.question.project.facts(path) if _compares_members(path) else None
            for one in facts.named(self.old) if facts is not None else ():
                declares = one.scope >= 0 and facts is not None and facts.scopes[one.scope].kind in _TYPE_SCOPES
                if declares and (path, one.line, one.column) not in changed:
                    yield RunTimeLookup(path, one.line, self.old)
            yield from self._keys_from_outside(path, facts)

    def _keys_from_outside(self, path: str, facts: Facts | None) -> Iterator[RunTimeLookup]:
        """Yield the keys of literals of types from outside: those of ``Record<keyof A, B>`` are those of ``A``."""
        keys = facts.uses.get(self.old, ()) if facts is not None else ()
        for use in keys:
            if use.role is not Role.Other or use.receiver == BARE or (path, use.line, use.column) in self.found:
                continue
            meanings = self.question.resolver.resolve(path, self.old, use)
            if meanings and all(one == EXTERNAL for one in meanings):
                yield RunTimeLookup(path, use.line, self.old)

    def _kept_by_protocols(self, members: Sequence[DefinedSymbol]) -> Iterator[RunTimeLookup]:
        """Yield the members that keep the old name of protocols which the types of members may fit, and the reverse."""
        protocols, known = Protocols(self.index, self.question), {(one.path, one.name) for one in members}
        for member in filter(is_member, members):
            for other in protocols.members_alike(member):
                if (other.path, other.name) not in known:
                    yield from (RunTimeLookup(other.path, one.line, self.old) for one in other.definitions)

    def _augmenting(self, members: Sequence[DefinedSymbol]) -> Iterator[Collision]:
        """Yield the declarations of a type that are one with those of others, which would keep the old name."""
        for member in members:
            if member.first.kind in CLASS_LIKE:
                own = augmentation(self.question, member)
                if own is not None and own.certain:
                    yield Collision(own.path, own.line, f"it extends {own.of}, which has that name")
                for one in augmenting(self.question, member):
                    yield Collision(one.path, one.line, f"a declaration there extends {one.of}, rename both by hand")

    def _shared(self, members: Sequence[DefinedSymbol]) -> Iterator[RunTimeLookup]:
        """Yield the types that are declared for all files, where something from outside may declare them too."""
        for member in members:
            own = augmentation(self.question, member) if member.first.kind in CLASS_LIKE else None
            if own is not None and not own.certain:
                yield RunTimeLookup(own.path, own.line, member.first.name)

    def _fitted_by_functions(self, members: Sequence[DefinedSymbol]) -> Iterator[RunTimeLookup]:
        """Yield the members of types that require none but those which the language gives every function."""
        literals = StructuralLiterals(self.index, self.question)
        for member in filter(is_member, members):
            semantics = semantics_of(member.path)
            if semantics is None or self.old not in semantics.library.function_members:
                continue
            required = literals.required_members(SymbolRef(member.path, member.first.container, Reason.Definition))
            if required is not None and required <= semantics.library.function_members:
                yield RunTimeLookup(member.path, member.first.line, self.old)

    def _variables(self, members: Sequence[DefinedSymbol]) -> Iterator[RunTimeLookup]:
        """Yield where the variable is named that a member reads, and that is called like the member."""
        for member in members:
            facts = self.question.project.facts(member.path)
            binding = facts.at(member.name) if facts is not None else None
            variable = f"@{self.old}"
            if binding is None or binding.made != variable:
                continue
            owner = SymbolRef(member.path, member.name.rpartition(".")[0], Reason.Definition)
            for part in everywhere(self.index, owner):
                there = self.question.project.facts(part.path)
                uses = there.uses.get(variable, ()) if there is not None else ()
                yield from (RunTimeLookup(part.path, use.line, variable) for use in uses)

    def _is_implicit_call(self, one: ResolvedUse) -> bool:
        """Return whether a use is a sign that calls a function of this name alone."""
        _, semantics = self.question.resolver.facts(one.path)
        return (
            semantics is not None
            and one.name != self.old
            and one.name in semantics.calls.implicit_call_tokens(self.old)
        )

    def _embedded(self, one: ResolvedUse) -> Iterator[DefinedSymbol]:
        """Yield the field that a type is called by where it is embedded in another: it is called like the type."""
        field_ = embedded_field(self.index, self.question, one.path, self.old, one.use)
        if field_ is not None:
            source, definition = field_
            yield DefinedSymbol(source, (definition,))

    def _ending(self, one: ResolvedUse) -> str:
        """Return what an occurrence leaves out of the name, as its language lets it; empty for nothing."""
        _, semantics = self.question.resolver.facts(one.path)
        ending = semantics.uses.endings.get(one.use.role, "") if semantics is not None else ""
        return ending if f"{one.name}{ending}" == self.old else ""

    def _destructors(self, members: Sequence[DefinedSymbol]) -> Iterator[tuple[tuple[str, int, int], ResolvedUse]]:
        """Yield where the destructors of types are declared: what follows the tilde is the name of the type."""
        tilde = f"~{self.old}"
        types = {f"{member.name}.{tilde}" for member in members if member.first.kind in CLASS_LIKE}
        for path in files_with_name(self.index, self.old, members[0].path) if types else ():
            facts = self.question.project.facts(path)
            for binding in facts.named(tilde) if facts is not None else ():
                if binding.path in types:
                    column = binding.column + self._has_tilde(path, binding)
                    use = Use(binding.line, column, column + len(self.old), OUTSIDE, Role.Definition, UNKNOWN, -1)
                    yield (path, use.line, column), ResolvedUse(path, self.old, use, Tier.Exact, Reason.Definition, "")

    def _fill(self, members: Sequence[DefinedSymbol]) -> None:
        """Look for the arguments that give fields their values by their names."""
        for member in members:
            if member.first.kind in VARIABLE and member.first.container:
                named = filling(self.index, self.question, member)
                self.found.update({(one.path, one.use.line, one.use.column): one for one in named.sure})
                self.unsure.update({(one.path, one.use.line, one.use.column): one for one in named.unsure})
                self.unread.update(named.unread)
                self.left = max(self.left, named.left)

    def _has_tilde(self, path: str, binding: Binding) -> bool:
        """Return whether the place of a destructor is that of its tilde."""
        lines = source.lines() if (source := self.index.try_read(path)) is not None else ()
        return lines[binding.line - 1][binding.column - 1 :].startswith("~") if binding.line <= len(lines) else False

    def _together(self, one: ResolvedUse) -> list[DefinedSymbol]:
        """Return the definitions of which a use means one or the other, depending on what is compiled."""
        resolver = self.question.resolver
        meanings = [m for m in resolver.resolve(one.path, one.name, one.use) if isinstance(m, SymbolRef)]
        _, semantics = resolver.facts(one.path)
        several = len({meaning.name for meaning in meanings}) == 1 < len(meanings)
        either = semantics is not None and (
            semantics.visibility.variants or semantics.imports.alternatives or one.use.receiver == BARE
        )
        if not several or not either:
            return []
        return load_symbols(self.index, [(meaning.path, meaning.name) for meaning in meanings])

    def _assigned(self, members: Sequence[DefinedSymbol]) -> Iterator[Collision]:
        """Yield the members that are assigned to an object of nobody knows which type: it may give them their names."""
        receivers = self.question.resolver.receivers
        for member in members:
            facts = self.question.project.facts(member.path)
            binding = facts.at(member.name) if facts is not None else None
            if facts is None or binding is None or binding.scope != OUTSIDE:
                continue
            place = binding.line, binding.column
            for use in facts.uses.get(binding.name, ()):
                if use.role in (Role.Type, Role.Inherit):
                    continue  # a field that is called by the type which it embeds
                known = use.receiver in (BARE, UNKNOWN) or receivers.is_in_code_base(member.path, use)
                if (use.line, use.column) == place and not known:
                    what = f"{use.receiver}, which it is assigned to, may be from outside"
                    yield Collision(member.path, use.line, what)

    def _imported(self, members: Sequence[DefinedSymbol]) -> Iterator[Collision]:
        """Yield the imports that bind the old name beside a member: a use may mean what they bring instead."""
        for member in members:
            facts = self.question.project.facts(member.path)
            binding = facts.at(member.name) if facts is not None else None
            for other in facts.named(member.first.name) if facts is not None and binding is not None else ():
                if binding is not None and other.scope == binding.scope and other.imported >= 0 and other.line:
                    what = f"{readable(other.name)} is imported there too, and a use may mean either"
                    yield Collision(member.path, other.line, what)

    def _mixed(self, members: Sequence[DefinedSymbol]) -> Iterator[Collision]:
        """Yield the places that may mean a member of the group or another symbol of the same name."""
        resolver = self.question.resolver
        known = {(member.path, member.name) for member in members}
        for path, name in list(known):
            known.update((one.path, one.name) for one in resolver.declarations(path, name))
        for one in self.found.values():
            meanings = resolver.resolve(one.path, one.name, one.use)
            for meaning in meanings:
                if isinstance(meaning, SymbolRef) and (meaning.path, meaning.name) not in known:
                    what = f"it may mean {readable(meaning.name)} of {meaning.path} as well"
                    yield Collision(one.path, one.use.line, what)

    def _places(self) -> Mapping[str, Sequence[NameEdit]]:
        places: dict[str, dict[tuple[int, int], NameEdit]] = {}
        for one in self.found.values():
            facts = self.question.project.facts(one.path)
            shorter = shortened_edit(self.index, one.path, facts, one.use, self.new) if facts is not None else None
            there = places.setdefault(one.path, {})
            there[one.use.line, one.use.column] = shorter or self._place(one, facts)
        return {path: [there[key] for key in sorted(there)] for path, there in sorted(places.items())}

    def _place(self, one: ResolvedUse, facts: Facts | None) -> NameEdit:
        """Return what replaces an occurrence: of a name that is a key and a value at once, only one is renamed.

        ``const { load } = require("./a")`` is an import: its other uses are renamed with the key. So are those of what
        ``module.exports = { load }`` exports.
        """
        use = one.use
        is_both = facts is not None and (use.line, use.column) in facts.shorthands and use.imported < 0
        if is_both and not self._is_exported(one, facts):
            semantics = semantics_of(one.path)
            keyed = semantics is not None and bool(semantics.uses.shorthands_in) and use.receiver != BARE
            if keyed and (edit := keyed_edit(self.index, one.path, use, one.name, self.new)) is not None:
                return edit
            key, value = (self.old, self.new) if use.receiver == BARE else (self.new, self.old)
            return split_edit(self.index, one.path, use, one.name, key, value)
        ending = self._ending(one)
        text = (self.new.removesuffix(ending) or self.new) if ending else self.new
        return NameEdit(use.line, use.column, use.end_column, one.name, text)

    def _is_exported(self, one: ResolvedUse, facts: Facts | None) -> bool:
        """Return whether a name that is a key as well stands in the object that a module exports as a whole."""
        semantics = semantics_of(one.path)
        if facts is None or semantics is None or (one.use.line, one.use.column) not in facts.shorthands:
            return False
        here = (other for other in facts.uses.get(one.name, ()) if other[:2] == one.use[:2])
        return any(other.receiver in semantics.imports.whole_exports for other in here)

    def _code(self, paths: Iterable[str], unsure: Iterable[ResolvedUse]) -> dict[str, set[tuple[int, int]]]:
        """Return where the old name is code in some files, or may be: what is undecided is listed as that."""
        code: dict[str, set[tuple[int, int]]] = {path: set() for path in paths}
        for one in unsure:
            code.setdefault(one.path, set()).add((one.use.line, one.use.column))
        for path, places in code.items():
            facts = self.question.project.facts(path)
            places.update((use.line, use.column) for use in (facts.uses.get(self.old, ()) if facts else ()))
        return code

    def _exporting(self) -> Iterator[str]:
        for one in self.found.values():
            facts = self.question.project.facts(one.path)
            is_listed = facts is not None and one.use.imported >= 0 and facts.imports[one.use.imported].exports
            if is_listed or self._is_exported(one, facts):
                yield one.path
