"""Implementations: what inherits from a type and overrides its members, and the other way round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from leadline_tools.account import Account, Omission, Omitted
from leadline_tools.index.index import Index
from leadline_tools.languages.facts import is_nameless
from leadline_tools.model import Reason
from leadline_tools.resolve.hierarchy.search_record import HierarchyItem, Unnamed
from leadline_tools.resolve.hierarchy.type_search import TypeSearch
from leadline_tools.resolve.overloads.override_shapes import OverrideShapes
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question, asking
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.unlisted import members_of_nameless


@dataclass(frozen=True, slots=True)
class Implementations:
    """What was found.

    Args:
        found: Nearest first.
        nameless: Types that inherit from it and are no symbols: anonymous classes, those of a block. Of a member what
            they declare in its place, where they have no name at all.
        undecided: Types with a base of that name of which it is not known what it means.
        outside: What is said to be inherited from outside of the code base, as it is written.
        unseen: How many files were not looked into in time.
        fitting: True where having the methods of a type is all that it takes to inherit from it, or where what was
            found is inherited from in that way.
        unlisted: True where a method of it has more definitions than are looked through.
        unparsed: The files that hold its name and could not be parsed.
        secret: The secret files that may hold a subtype.
        is_protocol: True for a protocol: what has all its members from outside of the code base is not looked for.
        fits_outside: The interfaces of the standard library that it fits by its methods, upwards.
        by_methods: True where it may fit other interfaces from outside of the code base, upwards.
        unlisted_members: What types without a name declare in the place of a member.

    """

    found: Sequence[HierarchyItem]
    outside: Sequence[str]
    unseen: int
    fitting: bool
    unlisted: bool
    nameless: Sequence[Unnamed] = ()
    undecided: Sequence[Unnamed] = ()
    unparsed: Sequence[str] = ()
    secret: Sequence[str] = ()
    is_protocol: bool = False
    fits_outside: Sequence[str] = ()
    by_methods: bool = False
    unlisted_members: Sequence[DefinedSymbol] = ()

    @property
    def unread(self) -> tuple[Omitted, ...]:
        """Return the files that cannot be examined at any time, by reason."""
        reasons = ((Omission.Unparsed, self.unparsed), (Omission.Secret, self.secret))
        return tuple(Omitted(reason, len(paths), len(paths), paths[0]) for reason, paths in reasons if paths)

    def within(self, paths: Collection[str]) -> Implementations:
        """Return what of it is in some files."""
        return replace(
            self,
            found=[one for one in self.found if one.of.path in paths],
            nameless=[one for one in self.nameless if one.path in paths],
            undecided=[one for one in self.undecided if one.path in paths],
            unparsed=[one for one in self.unparsed if one in paths],
            secret=[one for one in self.secret if one in paths],
        )

    @property
    def account(self) -> Account:
        """Return how many types are known to inherit from it, and of how many that is not known."""
        late = [Omitted(Omission.Late, self.unseen, self.unseen)] if self.unseen else []
        unlisted = [Omitted(Omission.Unlisted, 1, 1)] if self.unlisted else []
        exact = len(self.found) + len(self.nameless)
        return Account(exact=exact, undecided=len(self.undecided), not_examined=(*late, *unlisted, *self.unread))


def implementations(
    index: Index,
    target: DefinedSymbol,
    *,
    up: bool,
    question: Question | None = None,
    member: DefinedSymbol | None = None,
    through_heirs: bool = False,
    by_methods: bool = False,
    in_macros: bool = False,
) -> Implementations:
    """Return the subtypes of a type or what overrides a member; with ``up`` the supertypes or what it overrides.

    Without a question that they are a part of they are one of their own. With ``member`` those subtypes alone are
    wanted that a file declares which can name that member of the type. ``through_heirs`` adds to what a member
    overrides that of another base of a subtype, for which it stands there: that takes a look at all subtypes.
    ``by_methods`` adds to supertypes the interfaces that a type inherits from by having their methods. ``in_macros``
    adds to what is undecided the places where macros may implement or override it.
    """
    if question is None:
        with asking(index) as asked:
            return implementations(
                index,
                target,
                up=up,
                question=asked,
                member=member,
                through_heirs=through_heirs,
                by_methods=by_methods,
                in_macros=in_macros,
            )
    search = TypeSearch(index, question, member or target)
    if in_macros:
        search.note_macros(target)
    found = _implementations(search, target, up=up, through_heirs=through_heirs, by_methods=by_methods)
    return _with_members_of_nameless(index, question, target, found) if search.is_member(target) else found


def fitted(index: Index, target: DefinedSymbol, question: Question) -> tuple[list[DefinedSymbol], int]:
    """Return the methods of interfaces, not named by a type, that it fits by a method that it or another one has.

    And how many files were not looked into in time.
    """
    semantics = target.semantics
    if semantics is None or not semantics.members.structural or not target.callable:
        return [], 0
    search = TypeSearch(index, question, target)
    found = load_symbols(index, [(one.path, one.name) for one in search.interface_methods(target)])
    return found, search.record.unseen


def fitting(
    index: Index, target: DefinedSymbol, question: Question, others: Iterable[DefinedSymbol]
) -> list[DefinedSymbol]:
    """Return those of some methods whose types have every method of the interface that ``target`` belongs to.

    None where ``target`` is no method of an interface that types fit without naming it.
    """
    search = TypeSearch(index, question, target)
    interface = SymbolRef(target.path, target.first.container, Reason.Definition)
    if not search.structural.is_structural(interface):
        return []
    return [
        one
        for one in others
        if search.structural.fits(SymbolRef(one.path, one.first.container, Reason.Definition), interface)
    ]


def _implementations(
    search: TypeSearch, target: DefinedSymbol, *, up: bool, through_heirs: bool, by_methods: bool
) -> Implementations:
    of = SymbolRef(target.path, target.name, Reason.Definition)
    name, within = target.first.name, search.is_member(target)
    start, interface = search.owner(target) if within else (of, "")
    related: Iterable[HierarchyItem] = search.supertypes(start) if up else search.subtypes(start)
    by_interface = target.semantics is not None and target.semantics.members.by_interface
    if within and through_heirs and not by_interface:  # a member of one interface stands for none of another
        related = chain(related, search.supertypes_of_subtypes(start, of, name))
    fitted_interfaces = list(search.fitted_interfaces(start)) if up and by_methods else []
    if fitted_interfaces:
        declared = list(related)
        known = {(one.of.path, one.of.name) for one in declared}
        related = [*declared, *(one for one in fitted_interfaces if (one.of.path, one.of.name) not in known)]
    types = [one for one in related if not interface or (up and one.of.name.rpartition(".")[2] == interface)]
    found = list(search.overriding(of, types, name, up=up)) if within else search.without_apart(types)
    named = [one for one in found if not is_nameless(one.of.name)] if up else found
    outside = search.outside(start) if up else ()
    is_protocol = not up and search.note_fitting(start, name if within else "")
    search.note_refused()
    fitting = bool(fitted_interfaces) if up else search.structural.is_structural(start)
    return Implementations(
        named,
        outside,
        search.record.unseen,
        fitting,
        search.record.unlisted,
        () if up and within else search.record.all_nameless(),
        () if up else search.record.still_undecided(),
        sorted(search.record.unparsed),
        () if up else search.secret_files(target.path),
        is_protocol and not within,
        search.structural.outside_interfaces(start, name if within else "") if up else (),
        up and by_methods and search.structural.may_fit_outside(start, name if within else ""),
    )


def _with_members_of_nameless(
    index: Index, question: Question, member: DefinedSymbol, found: Implementations
) -> Implementations:
    """Return what overrides a member with what types without a name declare in its place, and not with those types."""
    types = dict.fromkeys((one.path, one.line) for one in found.nameless if not one.name)
    declared = (one for type_ in types for one in members_of_nameless(index, question, *type_, member))
    members = list(filter(OverrideShapes(index, member).accepts, declared))
    places = (Unnamed(one.path, one.first.line, "", "") for one in members)
    nameless = sorted({*(one for one in found.nameless if one.name), *places})
    return replace(found, nameless=nameless, unlisted_members=members)
