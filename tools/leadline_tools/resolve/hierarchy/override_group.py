"""An *override group*: a member with all that it overrides and that overrides it, or a type with its parts.

Who renames one of them has to rename all: a call through a supertype may mean any of the members, and a constructor is
called like its type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Wanted
from leadline_tools.languages import semantics_of, share_rules
from leadline_tools.languages.outline import CALLABLE, CLASS_LIKE, VARIABLE
from leadline_tools.languages.reach import Reach
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.hierarchy.implementations import fitted, implementations
from leadline_tools.resolve.hierarchy.search_record import HierarchyItem
from leadline_tools.resolve.hierarchy.search_record import is_member as is_member_of_type
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.parts import parts
from leadline_tools.resolve.symbols.unlisted import nameless_owner
from leadline_tools.resolve.symbols.visibility import reach

MOST = 500
"""Members of a group; a larger one is not renamed."""


@dataclass(frozen=True, slots=True)
class OverrideGroup:
    """What goes by one name together.

    Args:
        members: The symbol that was asked about, then the others.
        outside: What their types inherit from outside of the code base, as it is written.
        unseen: How many files were not looked into in time.

    """

    members: tuple[DefinedSymbol, ...]
    outside: tuple[str, ...] = ()
    unseen: int = 0


def is_member(target: DefinedSymbol) -> bool:
    """Return whether a symbol is a method or a field of something, as far as its file tells."""
    return bool(target.first.owner) and target.first.kind in CALLABLE | VARIABLE


def override_group(index: Index, target: DefinedSymbol, question: Question) -> OverrideGroup:
    """Return what goes by the name of a symbol; at most ``MOST`` members and one more."""
    known: dict[tuple[str, str], DefinedSymbol] = {}
    outside: dict[str, None] = {}
    unseen, late = 0, set[str]()
    waiting = [target]
    while waiting and len(known) <= MOST:
        one = waiting.pop()
        if (one.path, one.name) in known:
            continue
        known[one.path, one.name] = one
        if question.project.late:
            late.add(one.path)
            break
        is_of_type = is_member_of_type(index, one)
        if not is_of_type and not nameless_owner(question.project.facts(one.path), one.first):
            waiting += _parts(index, one)
            continue
        waiting += parts(index, one) if one.callable else ()
        hidden = reach(index, one) is Reach.Type  # no other type overrides it, but what is outside may call it
        for up in (True,) if hidden else (True, False):
            related = implementations(index, one, up=up, question=question, through_heirs=up and not hidden)
            found = [] if hidden else _load_meant(index, related.found)
            waiting += (other for other in found if _may_override(index, one, other))
            waiting += related.unlisted_members
            outside.update(dict.fromkeys(related.outside))
            unseen += related.unseen + related.unlisted
        asking_for, behind = fitted(index, one, question)
        waiting += asking_for
        unseen += behind
        late.update(question.refused())
    index.facts.request(sorted(late))
    members = known.values() if len(known) == 1 else [_with_extensions(index, one) for one in known.values()]
    return OverrideGroup(tuple(members), tuple(outside), unseen + len(late))


def _load_meant(index: Index, found: Sequence[HierarchyItem]) -> list[DefinedSymbol]:
    """Return the symbols of items, each with those of its definitions that are meant."""
    lines: dict[tuple[str, str], tuple[int, ...]] = {(one.of.path, one.of.name): one.lines for one in found}
    symbols: list[DefinedSymbol] = []
    for one in load_symbols(index, list(lines)):
        meant = lines[one.path, one.name]
        if not meant or one.semantics is None or not one.semantics.members.by_interface:
            symbols.append(one)
        elif definitions := tuple(each for each in one.definitions if each.line in meant):
            symbols.append(replace(one, definitions=definitions))
    return symbols


def _with_extensions(index: Index, member: DefinedSymbol) -> DefinedSymbol:
    """Return a member with all extensions of its name: what overrides it is not distinguished by what it extends."""
    semantics = semantics_of(member.path)
    extended = semantics is not None and semantics.members.has_extensions and member.callable
    found = load_symbols(index, [(member.path, member.name)]) if extended else []
    return next((one for one in found if member.first in one.definitions), member)


def _parts(index: Index, target: DefinedSymbol) -> Iterator[DefinedSymbol]:
    """Yield the constructors of a type that are called like it, and the other parts of a partial one."""
    if target.first.kind not in CLASS_LIKE:
        return
    yield from parts(index, target)
    name = target.first.name
    for hit in index.names.exact(name, Wanted(every=True)).hits:
        part, path = hit.definition, hit.file.path
        if not share_rules(path, target.path) or (path, part.path) == (target.path, target.name):
            continue
        if part.path == f"{target.name}.{name}" and part.kind in CALLABLE:
            yield from load_symbols(index, [(path, part.path)])


def _may_override(index: Index, one: DefinedSymbol, other: DefinedSymbol) -> bool:
    """Return whether a call may mean either of two members: of types without names for it, where one has no code."""
    semantics = semantics_of(one.path)
    if semantics is None or not semantics.members.structural:
        return True
    owners = load_symbols(index, [(member.path, member.first.container) for member in (one, other)])
    return any(owner.first.kind is SymbolKind.Interface for owner in owners)
