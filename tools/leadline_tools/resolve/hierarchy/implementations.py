"""What inherits from a type and what overrides its members, and the other way round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import NamedTuple

from leadline_tools import cancellation
from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Hit, Wanted
from leadline_tools.languages import scoping_of, share_rules
from leadline_tools.languages.facts import NAMELESS, Sort, is_type_parameter
from leadline_tools.languages.language import Scoping
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, VARIABLE
from leadline_tools.languages.terms import Op
from leadline_tools.model import Reason, Role, SymbolKind
from leadline_tools.resolve.hierarchy.protocols import Protocols
from leadline_tools.resolve.project.candidates import secret_code
from leadline_tools.resolve.project.project import family, related
from leadline_tools.resolve.project.resolution import LocalName, SymbolRef
from leadline_tools.resolve.project.subtype_names import SubtypeNames
from leadline_tools.resolve.project.tokens import count_tokens
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.address import Target, defined
from leadline_tools.resolve.symbols.parts import everywhere
from leadline_tools.resolve.symbols.visibility import seeing, signature_of
from leadline_tools.resolve.types.inheritance import Clause
from leadline_tools.resolve.types.type import Type

_BATCH = 64

_PATH = re.compile(r"\w+(?:\s*::\s*\w+)+")
_SEGMENT = re.compile(r"\w+")
"""A path of Rust with several segments, and a segment."""

MEMBERS = CALLABLE | VARIABLE
"""Kinds of what a type has, where it is in one."""


@dataclass(frozen=True, slots=True)
class Related:
    """A definition and how far it is from the one that was asked about: 1 for a direct subtype or supertype.

    ``lines`` are those of the definitions of its name that are meant; none for all.
    """

    of: SymbolRef
    distance: int
    lines: tuple[int, ...] = ()


class Unnamed(NamedTuple):
    """A type in a file that is reported by its place: one without a symbol, or one of which a base is not resolved.

    ``name`` is the dotted name of the type, empty for none; ``base`` is the base in question as it is spelled.
    """

    path: str
    line: int
    name: str
    base: str


@dataclass(frozen=True, slots=True)
class Implementations:
    """What was found.

    Args:
        found: Nearest first.
        nameless: Types that inherit from it and are no symbols: anonymous classes, those of a block.
        undecided: Types with a base of that name of which it is not known what it means.
        outside: What is said to be inherited from outside of the code base, as it is written.
        unseen: How many files were not looked into in time.
        fitting: True where having the methods of a type is all that it takes to inherit from it.
        unlisted: True where a method of it has more definitions than are looked through.
        unparsed: The files that hold its name and could not be parsed.
        secret: The secret files that may hold a subtype.
        is_protocol: True for a protocol: what has all its members from outside of the code base is not looked for.

    """

    found: Sequence[Related]
    outside: Sequence[str]
    unseen: int
    fitting: bool
    unlisted: bool
    nameless: Sequence[Unnamed] = ()
    undecided: Sequence[Unnamed] = ()
    unparsed: Sequence[str] = ()
    secret: Sequence[str] = ()
    is_protocol: bool = False

    @property
    def unread(self) -> tuple[Omitted, ...]:
        """Return the files that cannot be examined at any time, by reason."""
        reasons = ((Omission.Unparsed, self.unparsed), (Omission.Secret, self.secret))
        return tuple(Omitted(reason, len(paths), len(paths), paths[0]) for reason, paths in reasons if paths)

    @property
    def account(self) -> Account:
        """Return how many types are known to inherit from it, and of how many that is not known."""
        late = [Omitted(Omission.Late, self.unseen, self.unseen)] if self.unseen else []
        unlisted = [Omitted(Omission.Unlisted, 1, 1)] if self.unlisted else []
        exact = len(self.found) + len(self.nameless)
        return Account(exact=exact, undecided=len(self.undecided), not_examined=(*late, *unlisted, *self.unread))


def implementations(
    index: Index,
    target: Target,
    *,
    up: bool,
    question: Question | None = None,
    member: Target | None = None,
    through_heirs: bool = False,
) -> Implementations:
    """Return the subtypes of a type or what overrides a member; with ``up`` the supertypes or what it overrides.

    Without a question that they are a part of they are one of their own. With ``member`` those subtypes alone are
    wanted that a file declares which can name that member of the type. ``through_heirs`` adds to what a member
    overrides that of another base of a subtype, for which it stands there: that takes a look at all subtypes.
    """
    if question is None:
        with asking(index) as asked:
            return implementations(index, target, up=up, question=asked, member=member, through_heirs=through_heirs)
    search = _Search(index, question, member or target)
    return _implementations(search, target, up=up, through_heirs=through_heirs)


def fitted(index: Index, target: Target, question: Question) -> tuple[list[Target], int]:
    """Return the methods of interfaces, not named by a type, that it fits by a method that it or another one has.

    And how many files were not looked into in time.
    """
    scoping = scoping_of(target.path)
    if scoping is None or not scoping.structural or not target.callable:
        return [], 0
    search = _Search(index, question, target)
    found = defined(index, [(one.path, one.name) for one in search.fitted(target)])
    return found, search.unseen


def fitting(index: Index, target: Target, question: Question, others: Iterable[Target]) -> list[Target]:
    """Return those of some methods whose types have every method of the interface that ``target`` belongs to.

    None where ``target`` is no method of an interface that types fit without naming it.
    """
    search = _Search(index, question, target)
    interface = SymbolRef(target.path, target.first.container, Reason.Definition)
    if not search.structural(interface):
        return []
    return [
        one for one in others if search.fits(SymbolRef(one.path, one.first.container, Reason.Definition), interface)
    ]


def _implementations(search: _Search, target: Target, *, up: bool, through_heirs: bool = False) -> Implementations:
    of = SymbolRef(target.path, target.name, Reason.Definition)
    owner, _, name = target.name.rpartition(".")
    is_member = bool(owner) and target.first.kind in MEMBERS
    start, interface = search.owner(target) if is_member else (of, "")
    related = search.supertypes(start) if up else search.subtypes(start)
    if is_member and through_heirs:
        related = chain(related, search.supertypes_of_heirs(start, of, name))
    types = [one for one in related if not interface or (up and one.of.name.rpartition(".")[2] == interface)]
    found = list(search.overriding(of, types, name, up=up)) if is_member else search.without_apart(types)
    outside = search.outside(start) if up else ()
    if not up:
        search.note_fitting(start, name if is_member else "")
    search.note_refused()
    fitting = not up and search.structural(start)
    return Implementations(
        found,
        outside,
        search.unseen,
        fitting,
        search.unlisted,
        () if up else search.all_nameless(),
        () if up else search.still_undecided(),
        sorted(search.unparsed),
        () if up else search.secret_files(target.path),
        search.is_protocol and not is_member,
    )


class _Search:
    """One search, with the facts that it has needed."""

    def __init__(self, index: Index, question: Question, target: Target) -> None:
        self._index = index
        self._question = question
        self._sees = (seeing(index, target) if target.first.container and target.first.kind in MEMBERS else None) or (
            lambda _path: True
        )
        self._project = question.project
        self._evaluator = question.resolver.evaluator
        self._inheritance = self._evaluator.inheritance
        self._names = SubtypeNames(index)
        self._signatures: dict[tuple[str, str], str] = {}
        self._unseen: set[str] = set()
        self._found: set[tuple[str, str]] = set()
        self._heirs: dict[tuple[str, str], list[int]] = {}
        self.apart: set[tuple[str, str]] = set()
        self.nameless: set[Unnamed] = set()
        self.undecided: set[Unnamed] = set()
        self.unparsed: set[str] = set()
        self.unseen_fitting = 0
        self.unlisted = False
        self.is_protocol = False

    def without_apart(self, types: Iterable[Related]) -> list[Related]:
        """Return types without what stands for one of another file, or of none, where it implements something."""
        return [one for one in types if (one.of.path, one.of.name) not in self.apart]

    @property
    def unseen(self) -> int:
        """Return how many files were not looked into in time."""
        return len(self._unseen) + self.unseen_fitting

    def secret_files(self, home: str) -> Sequence[str]:
        """Return the secret files that may hold a subtype of what the file ``home`` defines."""
        return [path for path in secret_code(self._index, home) if self._sees(path)]

    def note_refused(self) -> None:
        """Count the files whose facts came too late for what was concluded without them; they are computed next."""
        self._unseen.update(self._question.refused())
        self._index.facts.request(sorted(self._unseen))

    def note_fitting(self, protocol: SymbolRef, member: str) -> None:
        """Note the types that may fit a protocol without naming it, or their members of a name, as undecided."""
        protocols = Protocols(self._index, self._question)
        self.is_protocol = protocols.is_protocol(protocol)
        fitting = protocols.fitting_types(protocol)
        self.unlisted |= not fitting.is_complete
        for one in fitting.types:
            of = self._question.resolver.member_of(one, member) if member else one
            facts = self._project.facts(of.path) if isinstance(of, SymbolRef) else None
            binding = facts.at(of.name) if facts is not None and isinstance(of, SymbolRef) else None
            if binding is not None and isinstance(of, SymbolRef):
                self.undecided.add(Unnamed(of.path, binding.line, of.name, protocol.name))

    def still_undecided(self) -> Sequence[Unnamed]:
        """Return the types of which it is not known whether they inherit: not by another base either."""
        return sorted(one for one in self.undecided if (one.path, one.name) not in self._found)

    def all_nameless(self) -> Sequence[Unnamed]:
        """Return the types that are no symbols; one that has a name, and whose body has none, once."""
        named = {one._replace(name="") for one in self.nameless if one.name}
        return sorted(self.nameless - named)

    def supertypes(self, of: SymbolRef) -> Iterator[Related]:
        """Yield all that a type inherits from, nearest first."""
        return self._spread(of, lambda level: [base for one in level for base in self._bases(one)])

    def subtypes(self, of: SymbolRef) -> Iterator[Related]:
        """Yield all that inherits from a type, nearest first."""
        for one in self._spread(of, partial(self._derived, root=of)):
            self._found.add((one.of.path, one.of.name))
            yield Related(one.of, one.distance, tuple(self._heirs.get((one.of.path, one.of.name), ())))

    def outside(self, of: SymbolRef) -> Sequence[str]:
        """Return what a type and its supertypes inherit from outside of the code base, as it is written."""
        every = self._inheritance.mro(Type(of))
        return list(dict.fromkeys(term for one in every for term in self._inheritance.outside(one)))

    def owner(self, target: Target) -> tuple[SymbolRef, str]:
        """Return the type that declares a member, and the interface for which alone it does."""
        return self._evaluator.declared.owner(target.path, target.name)

    def overriding(self, of: SymbolRef, types: Iterable[Related], name: str, *, up: bool) -> Iterator[Related]:
        """Yield the members that types have under a name: their own, or one of what they embed that fits for them.

        What a type declares for an interface alone goes before what is called so in it.
        """
        known = {(of.path, of.name)}
        declared = self._evaluator.declared
        interface = of.name.rpartition(".")[0].rpartition(".")[2]
        for one in types:
            explicit = declared.explicit(one.of, interface, name) if not up else None
            own = explicit or declared.own(one.of, name)
            if own is None and (up or self._replaces(one.of, self._owner(of), name)):
                own = self._taken_in(one.of, name)
            if own is not None and (own.path, own.name) not in known:
                known.add((own.path, own.name))
                yield Related(own, one.distance)

    def _taken_in(self, of: SymbolRef, name: str) -> SymbolRef | None:
        """Return the member that a type has from another one of its bases, or from what it embeds where that fits."""
        scoping = scoping_of(of.path)
        if scoping is not None and scoping.structural:
            return self._evaluator.method(of, name)
        found = self._evaluator.method(of, name) if self._has_several_bases(of) else None
        return None if found is None or self._is_interface(self._owner(found)) else found

    def supertypes_of_heirs(self, of: SymbolRef, member: SymbolRef, name: str) -> Iterator[Related]:
        """Yield what the subtypes of a type inherit from besides, for which the member of the type stands there."""
        for heir in [one.of for one in self._spread(of, partial(self._derived, root=of))]:
            if self._has_several_bases(heir) and member.same(self._taken_in(heir, name)):
                others = self.supertypes(heir)
                yield from (one for one in others if self._replaces(heir, one.of, name))

    def _replaces(self, heir: SymbolRef, base: SymbolRef, name: str) -> bool:
        """Tell whether what a type takes of one base stands for the member of another one.

        Where the type says which of several it takes, the others are left out: they are called by nobody through it.
        """
        return self._is_interface(base) or self._evaluator.declared.imported(heir, name) is None

    def _owner(self, member: SymbolRef) -> SymbolRef:
        return self._evaluator.declared.owner(member.path, member.name)[0]

    def _has_several_bases(self, of: SymbolRef) -> bool:
        return len(self._inheritance.bases(Type(of))) > 1

    def _is_interface(self, of: SymbolRef) -> bool:
        source = self._index.try_read(of.path)
        known = self._index.symbols.definitions(source) if source is not None else ()
        return any(one.path == of.name and one.kind is SymbolKind.Interface for one in known)

    def _spread(
        self, of: SymbolRef, next_to: Callable[[Sequence[SymbolRef]], Iterable[SymbolRef]]
    ) -> Iterator[Related]:
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
                    yield Related(one, distance)

    def _bases(self, of: SymbolRef) -> list[SymbolRef]:
        return [base.of for base in self._inheritance.bases(Type(of)) if isinstance(base.of, SymbolRef)]

    def _derived(self, types: Sequence[SymbolRef], root: SymbolRef) -> list[SymbolRef]:
        """Return the types that say they inherit from one of some types, or have the methods of ``root``.

        What has the methods of an interface below ``root`` has those of ``root`` too, or embeds what has them.
        """
        parts = {of: everywhere(self._index, of) for of in types}
        wanted = {(part.path, part.name) for some in parts.values() for part in some}
        names = frozenset[str]().union(*map(self._names.of, types))
        found = [one for path in self._candidates(types) for one in self._declaring(path, wanted, names)]
        asked = [of for of in types if (of.same(root) or self.unlisted) and self.structural(of)]
        found += [one for of in asked for one in self._fitting(of)]
        return list(dict.fromkeys(found))

    def _candidates(self, types: Sequence[SymbolRef]) -> Iterator[str]:
        """Yield the files with types that may inherit from one of some types, with their facts at hand.

        The index names them; those that come too late are counted.
        """
        waiting = [path for path in related(self._names.files(types), family(types[0].path)) if self._sees(path)]
        for start in range(0, len(waiting), _BATCH):
            cancellation.check()
            batch = waiting[start : start + _BATCH]
            if self._project.late:
                self._unseen.update(waiting[start:])
                return
            self._project.prepare(batch)
            yield from batch

    def structural(self, of: SymbolRef) -> bool:
        """Tell whether a type is inherited from without being named: by having its methods."""
        scoping = scoping_of(of.path)
        if scoping is None or not scoping.structural:
            return False
        return self._is_interface(of)

    def _declaring(self, path: str, wanted: AbstractSet[tuple[str, str]], names: frozenset[str]) -> Iterator[SymbolRef]:
        """Yield the types that a file says inherit from one that is wanted, which is known by some names."""
        if self._project.facts(path) is None:
            self._note_unread(path, names)
        for clause in self._inheritance.clauses(path):
            for term in clause.heritage.bases:
                if self._may_name(clause, term, names):
                    yield from self._confirmed(clause, term, wanted)

    def _may_name(self, clause: Clause, term: str, names: frozenset[str]) -> bool:
        """Tell whether a base of a type may be one that has any of some names.

        What a lambda is called on is no base of it.
        """
        is_receiver = clause.of is None and term.endswith(Op.Itself)
        return not is_receiver and self._names.may_mean(clause.path, clause.heritage, term, names)

    def _confirmed(self, clause: Clause, term: str, wanted: AbstractSet[tuple[str, str]]) -> Iterator[SymbolRef]:
        """Yield the type that has a base, if that means one of those wanted; note it where that is not known."""
        meant = self._inheritance.resolve_base(clause, term)
        types = [one.of for one in meant if isinstance(one.of, SymbolRef)]
        if any((one.path, one.name) in wanted for one in types):
            found = self._symbol_of(clause, term)
            if found is None:
                self.nameless.add(self._place(clause, term))
            else:
                if clause.heritage.line:
                    self._heirs.setdefault((found.path, found.name), []).append(clause.heritage.line)
                yield found
            if clause.of is not None and clause.of != found:  # what it declares there is a member all the same
                self.apart.add((clause.of.path, clause.of.name))
                yield clause.of
        elif not types and self._project.late:
            self._unseen.add(clause.path)
        elif not types and not any(self._is_local_type(one.of) for one in meant):
            self.undecided.add(self._place(clause, term))

    def _symbol_of(self, clause: Clause, term: str) -> SymbolRef | None:
        """Return the type that says it has a base; None for one without a symbol in the tree.

        A clause that stands apart from its type (``impl Trait for path::Type``) may name one of another file.
        """
        of = clause.of
        facts = self._project.facts(clause.path)
        if of is None or facts is None or of.path != clause.path or facts.at(of.name) is not None:
            return of
        name = of.name.rpartition(".")[2]
        source, line = self._index.try_read(clause.path), self._line_of(clause, term)
        lines = source.lines() if source is not None else []
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        spelled = (_SEGMENT.findall(one) for one in _PATH.findall(text))
        module = next((segments[-2] for segments in spelled if segments[-1] == name), None)
        if module is None:
            return None
        wanted = Wanted(accepts=lambda path, d: d.kind in CLASS_LIKE and _is_in_module(path, module))
        hits = self._index.names.exact(name, wanted).hits
        related = [hit for hit in hits if family(hit.file.path) == family(clause.path)]
        if len(related) != 1:
            return None
        return SymbolRef(related[0].file.path, related[0].definition.path, Reason.Import)

    def _line_of(self, clause: Clause, term: str) -> int:
        """Return the line on which a type names a base, if it is not the line that declares the type."""
        facts = self._project.facts(clause.path)
        if facts is None or clause.heritage.line:
            return clause.heritage.line or 1
        base = _SEGMENT.findall(term)[-1:]
        named = {use.line for one in base for use in facts.uses.get(one, ()) if use.role is Role.Inherit}
        owner = clause.heritage.path.rpartition(".")[2]
        source = self._index.try_read(clause.path)
        lines = source.lines() if source is not None else []
        beside = {line for line in named if line <= len(lines) and owner in _SEGMENT.findall(lines[line - 1])}
        return min(beside or named or {1})

    def _is_local_type(self, of: object) -> bool:
        """Tell whether something is a type that no other file can name, or a type parameter."""
        if not isinstance(of, LocalName):
            return False
        facts = self._project.facts(of.path)
        bindings = facts.within(of.name, of.scope) if facts is not None else ()
        return any(one.sort == Sort.Type or is_type_parameter(one) for one in bindings)

    def _note_unread(self, path: str, names: frozenset[str]) -> None:
        """Count a file without facts: one that is late, or one that could not be parsed and holds one of the names."""
        file = self._index.files.get(path)
        if file is None:
            return
        if not file.error:
            self._unseen.add(path)
            return
        with self._index.tree.reading() as reader:
            text = reader.text(path)
        if any(count_tokens(text, name) for name in names):
            self.unparsed.add(path)

    def _place(self, clause: Clause, term: str) -> Unnamed:
        """Return where a type is declared that says it inherits from something."""
        of, heritage = clause.of, clause.heritage
        if of is None:
            name = heritage.path.removeprefix(NAMELESS)
            return Unnamed(clause.path, heritage.line, "" if name.isdigit() else name, term)
        facts = self._project.facts(clause.path)
        binding = facts.at(of.name) if facts is not None and of.path == clause.path else None
        line = binding.line if binding is not None else self._line_of(clause, term)
        return Unnamed(clause.path, line, of.name, term)

    def _fitting(self, of: SymbolRef) -> Iterator[SymbolRef]:
        """Yield the types that have every method of an interface: looked up by the rarest, then one by one."""
        methods = self._inheritance.names(of)
        if not methods:
            return
        listed = self._members_called(min(methods, key=self._index.symbols.count_files_defining), of.path)
        for hit in listed:
            cancellation.check()
            holder = self._evaluator.named(hit.file.path, hit.definition.container)
            if holder is None or holder.same(of):
                continue
            if self._fits(holder, of, methods):
                yield holder

    def _members_called(self, name: str, home: str) -> Sequence[Hit]:
        """Return the members of types that have a name, in the language of the file ``home``; note if some are left."""
        wanted = Wanted(accepts=lambda path, d: bool(d.container) and share_rules(path, home), every=True)
        found = self._index.names.exact(name, wanted)
        self.unlisted |= bool(found.more) or found.total > len(found.hits)
        return found.hits

    def fitted(self, target: Target) -> Iterator[SymbolRef]:
        """Yield the methods of interfaces that a method makes its type fit, or a type that embeds it."""
        owner, name = SymbolRef(target.path, target.first.container, Reason.Definition), target.first.name
        own = SymbolRef(target.path, target.name, Reason.Definition)
        holders = [owner]
        holders += (one.of for one in self.subtypes(owner) if own.same(self._evaluator.method(one.of, name)))
        named = self._members_called(name, target.path)
        self.unseen_fitting += self.unlisted
        for hit in named:
            cancellation.check()
            path, interface = hit.file.path, SymbolRef(hit.file.path, hit.definition.container, Reason.Definition)
            if interface.same(owner) or not self.structural(interface):
                continue
            methods = self._inheritance.names(interface)
            if any(self._fits(holder, interface, methods) for holder in holders):
                yield SymbolRef(path, hit.definition.path, Reason.Definition)

    def fits(self, holder: SymbolRef, interface: SymbolRef) -> bool:
        """Return whether a type has the methods of an interface."""
        return not holder.same(interface) and self._fits(holder, interface, self._inheritance.names(interface))

    def _fits(self, holder: SymbolRef, interface: SymbolRef, methods: Sequence[str]) -> bool:
        """Tell whether a type has the methods of an interface, as far as what they take and give tells."""
        scoping = scoping_of(interface.path)
        return scoping is not None and all(self._stands_for(scoping, holder, interface, name) for name in methods)

    def _stands_for(self, scoping: Scoping, holder: SymbolRef, interface: SymbolRef, name: str) -> bool:
        """Tell whether a method of a type may be the one that an interface asks for."""
        own, asked = self._evaluator.method(holder, name), self._evaluator.method(interface, name)
        if own is None or asked is None:
            return False
        if not scoping.shared(name) and own.path.rpartition("/")[0] != asked.path.rpartition("/")[0]:
            return False
        return scoping.stands_for(self._signature(holder, name), self._signature(interface, name))

    def _signature(self, of: SymbolRef, name: str) -> str:
        """Return how the method of a type is declared."""
        method = self._evaluator.method(of, name)
        key = (method.path, method.name) if method is not None else ("", "")
        if key not in self._signatures:
            found = next(iter(defined(self._index, [key] if method is not None else [])), None)
            self._signatures[key] = signature_of(found) if found is not None else ""
        return self._signatures[key]


def _is_in_module(path: str, module: str) -> bool:
    """Return whether a file is, or is in, the module that the last segment before a name says."""
    if module in ("crate", "self", "super"):
        return True
    return module in re.split(r"[/.]", path)
