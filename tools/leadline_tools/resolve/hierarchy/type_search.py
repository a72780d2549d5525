"""A search up or down a hierarchy of types: what types inherit from, what inherits from them, and their members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from leadline_tools import cancellation
from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import is_product
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Sort, is_nameless
from leadline_tools.languages.outline import owner_of
from leadline_tools.model import Reason
from leadline_tools.resolve.evaluator.type_evaluator import TypeEvaluator
from leadline_tools.resolve.hierarchy.declared_subtypes import DeclaredSubtypes
from leadline_tools.resolve.hierarchy.macro_implementations import macro_implementations
from leadline_tools.resolve.hierarchy.protocols import Protocols
from leadline_tools.resolve.hierarchy.search_record import HierarchyItem, SearchRecord, Unnamed, is_member
from leadline_tools.resolve.hierarchy.structural_types import StructuralTypes
from leadline_tools.resolve.occurrences.candidate_files import secret_code
from leadline_tools.resolve.overloads.override_shapes import OverrideShapes
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.project.subtype_names import SubtypeNames
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, is_interface
from leadline_tools.resolve.symbols.parts import everywhere
from leadline_tools.resolve.symbols.unlisted import nameless_owner
from leadline_tools.resolve.symbols.visibility import seeing
from leadline_tools.resolve.types.inheritance import Inheritance
from leadline_tools.resolve.types.type import Type

_BATCH = 64
"""Files whose facts are fetched together."""


class TypeSearch:
    """One search, with the facts that it has needed.

    Attributes:
        record: What it comes upon besides symbols.
        structural: The types that inherit by what they have.

    """

    def __init__(self, index: Index, question: Question, target: DefinedSymbol) -> None:
        self._index = index
        self._question = question
        self._target = target
        self._sees = (seeing(index, target) if is_member(index, target) else None) or (lambda _path: True)
        self._project = question.project
        self._evaluator = question.resolver.evaluator
        self._inheritance = self._evaluator.inheritance
        self._names = SubtypeNames(index)
        self._shapes = OverrideShapes(index, target)
        self.record = SearchRecord()
        self.structural = StructuralTypes(index, self._evaluator, self.record)
        self._declared = DeclaredSubtypes(index, question, self._inheritance, self._names, self.record)
        beside = SearchRecord(late=self.record.late, unparsed=self.record.unparsed)
        self._embedding = DeclaredSubtypes(index, question, self._inheritance, self._names, beside)

    def supertypes(self, of: SymbolRef) -> Iterator[HierarchyItem]:
        """Yield all that a type inherits from, nearest first."""
        return self._reach(of, lambda level: [base for one in level for base in self._direct_supertypes(one)])

    def fitted_interfaces(self, of: SymbolRef) -> Iterator[HierarchyItem]:
        """Yield the interfaces whose methods a type has, where that is all that it takes to inherit from one."""
        semantics = semantics_of(of.path)
        if semantics is None or not semantics.members.structural:
            return
        known = {(of.path, of.name)}
        for name in self._method_names(of):
            for hit in self.structural.members_called(name, of.path):
                interface = SymbolRef(hit.file.path, hit.definition.container, Reason.Definition)
                if (interface.path, interface.name) in known:
                    continue
                cancellation.check()
                known.add((interface.path, interface.name))
                if self.structural.is_structural(interface) and self.structural.fits(of, interface):
                    yield HierarchyItem(interface, 1)

    def _method_names(self, of: SymbolRef) -> Iterator[str]:
        """Yield the names of what a type has in any of its files, and of what it has from the types that it embeds."""
        owners = [one.origin for one in self._inheritance.mro(Type(of)) if isinstance(one.origin, SymbolRef)]
        files = ((owner.name, path) for owner in owners for path in self._evaluator.declarations.files(owner))
        held = ((owner, facts) for owner, path in files if (facts := self._project.facts(path)) is not None)
        methods = ((owner, one) for owner, facts in held for one in facts.bindings if one.sort == Sort.Callable)
        yield from dict.fromkeys(one.name for owner, one in methods if one.path == f"{owner}.{one.name}")

    def subtypes(self, of: SymbolRef) -> Iterator[HierarchyItem]:
        """Yield all that inherits from a type, nearest first."""
        found = list(self._heirs(of))
        self.record.found.update((heir.path, heir.name) for heir, _ in found)
        for heir, distance in found:
            yield HierarchyItem(heir, distance, tuple(self.record.lines.get((heir.path, heir.name), ())))

    def _heirs(self, of: SymbolRef) -> Iterator[tuple[SymbolRef, int]]:
        """Yield what inherits from a type with its distance: of equally near ones those of the product first."""
        level = [of]
        known = {(of.path, of.name)}
        distance = 0
        while level:
            distance += 1
            found = {(one.path, one.name): one for one in self._direct_subtypes(level, of)}
            level = sorted(
                (heir for key, heir in found.items() if key not in known), key=lambda heir: not is_product(heir.path)
            )
            known.update(found)
            yield from ((heir, distance) for heir in level)

    def outside(self, of: SymbolRef) -> Sequence[str]:
        """Return what a type and its supertypes inherit from outside of the code base, as it is written."""
        every = self._inheritance.mro(Type(of))
        return list(dict.fromkeys(term for one in every for term in self._inheritance.external_bases(one)))

    def _reach(
        self, of: SymbolRef, next_to: Callable[[Sequence[SymbolRef]], Iterable[SymbolRef]]
    ) -> Iterator[HierarchyItem]:
        """Yield what can be reached from a type, breadth first, each once."""
        known = {(of.path, of.name)}
        level, distance = [of], 0
        while level:
            distance += 1
            found = next_to(level)
            level = []
            for one in found:
                if (one.path, one.name) not in known:
                    known.add((one.path, one.name))
                    level.append(one)
                    yield HierarchyItem(one, distance)

    def _direct_supertypes(self, of: SymbolRef) -> list[SymbolRef]:
        bases = [base.origin for base in self._inheritance.bases(Type(of)) if isinstance(base.origin, SymbolRef)]
        for base in bases:
            facts = self._project.facts(base.path) if is_nameless(base.name) else None
            clauses = facts.heritage_of(base.name) if facts is not None else ()
            self.record.nameless.update(Unnamed(base.path, one.line, "", "") for one in clauses)
        return bases

    def _direct_subtypes(self, types: Sequence[SymbolRef], root: SymbolRef) -> list[SymbolRef]:
        """Return the types that say they inherit from one of some types, or have the methods of ``root``.

        What has the methods of an interface below ``root`` has those of ``root`` too, or embeds what has them.
        """
        self.record.unlisted |= not all(map(self._names.knows_all, types))
        found = self._declaring(types, self._declared)
        if self.structural.is_structural(root):
            found = [one for one in found if not self.structural.loses_methods(one, root)]
        asked = [of for of in types if (of.same(root) or self.record.unlisted) and self.structural.is_structural(of)]
        embedders = partial(self._declaring, declared=self._embedding)
        found += [one for of in asked for one in self.structural.types_fitting(of, embedders)]
        return list(dict.fromkeys(found))

    def _declaring(self, types: Sequence[SymbolRef], declared: DeclaredSubtypes) -> list[SymbolRef]:
        """Return the types that say they inherit from one of some types."""
        wanted = frozenset((part.path, part.name) for of in types for part in everywhere(self._index, of))
        names = frozenset[str]().union(*map(self._names.of, types))
        files = self._candidates(types)
        return [one for path in files for one in declared.inheriting(path, wanted, names)]

    def _candidates(self, types: Sequence[SymbolRef]) -> Iterator[str]:
        """Yield the files with types that may inherit from one of some types, with their facts at hand.

        The index names them; those that come too late are counted.
        """
        waiting = [
            path
            for path in same_language_group(self._names.files(types), language_group(types[0].path))
            if self._sees(path)
        ]
        for start in range(0, len(waiting), _BATCH):
            cancellation.check()
            batch = waiting[start : start + _BATCH]
            if self._project.late:
                self.record.late.update(waiting[start:])
                return
            self._project.prepare(batch)
            yield from batch

    def supertypes_of_subtypes(self, of: SymbolRef, member: SymbolRef, name: str) -> Iterator[HierarchyItem]:
        """Yield what the subtypes of a type inherit from besides, for which the member of the type stands there."""
        for heir in dict.fromkeys(heir for heir, _ in self._heirs(of)):
            if _has_several_bases(self._inheritance, heir) and member.same(self._inherited_member(heir, name)):
                others = self.supertypes(heir)
                yield from (one for one in others if self._replaces(heir, one.of, name))

    def is_member(self, target: DefinedSymbol) -> bool:
        """Return whether a symbol is a member of a type, in whose place the types below may declare their own."""
        return is_member(self._index, target) or is_nameless(self.owner(target)[0].name)

    def owner(self, target: DefinedSymbol) -> tuple[SymbolRef, str]:
        """Return the type that declares a member, and the interface for which alone it does."""
        facts = self._project.facts(target.path) if not target.first.owner else None
        if nameless := nameless_owner(facts, target.first):
            return SymbolRef(target.path, nameless, Reason.Definition), ""
        return self._evaluator.explicit_members.owner(target.path, target.name)

    def overriding(
        self, of: SymbolRef, types: Iterable[HierarchyItem], name: str, *, up: bool
    ) -> Iterator[HierarchyItem]:
        """Yield the members that types have under a name: their own, or one of what they embed that fits for them.

        What a type declares for an interface alone goes before what is called so in it. Overloads that take another
        number of arguments are left out.
        """
        semantics = semantics_of(of.path)
        if semantics is not None and semantics.members.by_interface:
            declared = [one.line for one in self._target.definitions]
            implemented = partial(_implemented_members, lines=declared) if up else _implementing_members
            yield from implemented(self._index, self._evaluator, of, types)
            return
        known = {(of.path, of.name)}
        declarations = self._evaluator.declarations
        interface = of.name.rpartition(".")[0].rpartition(".")[2]
        for one in types:
            explicit = self._evaluator.explicit_members.find(one.of, interface, name) if not up else None
            unnamed = self._evaluator.own_member(one.of, name) if is_nameless(one.of.name) else None
            own = unnamed if isinstance(unnamed, SymbolRef) else explicit or declarations.own_member(one.of, name)
            if own is None and (up or self._replaces(one.of, self._owner(of), name)):
                own = self._inherited_member(one.of, name)
            apart = own is not None and self._evaluator.definitions.are_apart(of, own)
            if own is not None and (own.path, own.name) not in known and not apart:
                known.add((own.path, own.name))
                lines = self._shapes.lines(own)
                if lines is None or lines:
                    yield HierarchyItem(own, one.distance, tuple(lines or ()))

    def _inherited_member(self, of: SymbolRef, name: str) -> SymbolRef | None:
        """Return the member that a type has from another one of its bases, or from what it embeds where that fits."""
        semantics = semantics_of(of.path)
        if semantics is not None and semantics.members.structural:
            return self._evaluator.find_method(of, name)
        found = self._evaluator.find_method(of, name) if _has_several_bases(self._inheritance, of) else None
        return None if found is None or is_interface(self._index, self._owner(found)) else found

    def _replaces(self, heir: SymbolRef, base: SymbolRef, name: str) -> bool:
        """Return whether what a type takes of one base stands for the member of another one.

        Where the type says which of several it takes, the others are left out: they are called by nobody through it.
        """
        return is_interface(self._index, base) or self._evaluator.declarations.imported_member(heir, name) is None

    def _owner(self, member: SymbolRef) -> SymbolRef:
        return self._evaluator.explicit_members.owner(member.path, member.name)[0]

    def note_fitting(self, protocol: SymbolRef, member: str) -> bool:
        """Note the types that may fit a protocol without naming it, or their members of a name, as undecided.

        Returns whether it is a protocol.
        """
        protocols = Protocols(self._index, self._question)
        is_protocol = protocols.is_protocol(protocol)
        fitting = protocols.fitting_types(protocol)
        self.record.unlisted |= not fitting.is_complete
        for one in fitting.types:
            of = self._question.resolver.member_of(one, member) if member else one
            facts = self._project.facts(of.path) if isinstance(of, SymbolRef) else None
            binding = facts.at(of.name) if facts is not None and isinstance(of, SymbolRef) else None
            if binding is not None and isinstance(of, SymbolRef):
                self.record.undecided.add(Unnamed(of.path, binding.line, of.name, protocol.name))
        return is_protocol

    def note_macros(self, target: DefinedSymbol) -> None:
        """Note the places where macros may implement a type, or override a member, as undecided."""
        within = is_member(self._index, target)
        of = self.owner(target)[0] if within else SymbolRef(target.path, target.name, Reason.Definition)
        member = target.first.name if within else ""
        found = macro_implementations(self._index, self._question, of, member, self.record.late)
        self.record.undecided.update(one for one in found if self._sees(one.path))

    def note_refused(self) -> None:
        """Count the files whose facts came too late for what was concluded without them; they are computed next."""
        self.record.late.update(self._question.refused())
        self._index.facts.request(sorted(self.record.late))

    def secret_files(self, home: str) -> Sequence[str]:
        """Return the secret files that may hold a subtype of what the file ``home`` defines."""
        return [path for path in secret_code(self._index, home) if self._sees(path)]

    def without_apart(self, types: Iterable[HierarchyItem]) -> list[HierarchyItem]:
        """Return types without what stands for one of another file, or of none, where it implements something."""
        return [one for one in types if (one.of.path, one.of.name) not in self.record.apart]

    def interface_methods(self, target: DefinedSymbol) -> Iterator[SymbolRef]:
        """Yield the methods of interfaces that a method makes its type fit, or a type that embeds it."""
        owner, name = SymbolRef(target.path, target.first.container, Reason.Definition), target.first.name
        own = SymbolRef(target.path, target.name, Reason.Definition)
        holders = [owner]
        holders += (one.of for one in self.subtypes(owner) if own.same(self._evaluator.find_method(one.of, name)))
        named = self.structural.members_called(name, target.path)
        self.record.unlisted_members += self.record.unlisted
        for hit in named:
            cancellation.check()
            path, interface = hit.file.path, SymbolRef(hit.file.path, hit.definition.container, Reason.Definition)
            if interface.same(owner) or not self.structural.is_structural(interface):
                continue
            methods = self._inheritance.member_names(interface)
            if any(self.structural.has_methods(holder, interface, methods) for holder in holders):
                yield SymbolRef(path, hit.definition.path, Reason.Definition)


def _has_several_bases(inheritance: Inheritance, of: SymbolRef) -> bool:
    return len(inheritance.bases(Type(of))) > 1


def _implementing_members(
    index: Index, evaluator: TypeEvaluator, of: SymbolRef, types: Iterable[HierarchyItem]
) -> Iterator[HierarchyItem]:
    """Yield the members that types declare where they implement the interface that has a member: traits of Rust.

    A field, a method of the type itself and one of another trait implement nothing, whatever their names are.
    https://doc.rust-lang.org/reference/items/implementations.html#trait-implementations
    """
    interface, name = SymbolRef(of.path, owner_of(of.name), Reason.Definition), of.name.rpartition(".")[2]
    wanted = {(one.path, one.name) for one in everywhere(index, interface)}
    for one in types if is_interface(index, interface) else ():
        found: dict[tuple[str, str], dict[int, None]] = {}
        for path, member in evaluator.declarations.declared_members(one.of, name):
            implemented = evaluator.interfaces.implemented_at(path, member.path, (member.line,)) or ()
            if any((each.path, each.name) in wanted for each in implemented):
                found.setdefault((path, member.path), {})[member.line] = None
        for (path, dotted), lines in found.items():
            yield HierarchyItem(SymbolRef(path, dotted, Reason.Receiver), one.distance, tuple(lines))


def _implemented_members(
    index: Index, evaluator: TypeEvaluator, of: SymbolRef, types: Iterable[HierarchyItem], *, lines: Sequence[int]
) -> Iterator[HierarchyItem]:
    """Yield the members of the interfaces among some types which the definitions of a member on lines implement."""
    name = of.name.rpartition(".")[2]
    implemented = evaluator.interfaces.implemented_at(of.path, of.name, lines) or ()
    wanted = {(part.path, part.name) for one in implemented for part in everywhere(index, one)}
    for one in types if wanted else ():
        own = evaluator.declarations.own_member(one.of, name) if (one.of.path, one.of.name) in wanted else None
        if own is not None:
            yield HierarchyItem(own, one.distance)
