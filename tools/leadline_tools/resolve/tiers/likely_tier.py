"""The tier *likely* of members of something unknown: where only one type has a member of that name, or few have."""

from __future__ import annotations

from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import MOST_FILES
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import FUNCTIONS, METHODS, Facts, Use, class_around, is_nameless
from leadline_tools.languages.outline import CLASS_LIKE, owner_of
from leadline_tools.languages.regions import PROPERTIES
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.lazy_regex import lazy_compile
from leadline_tools.model import Reason, Role
from leadline_tools.once import once
from leadline_tools.resolve.external.outside_receivers import OutsideReceivers
from leadline_tools.resolve.project.project import language_group
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.tiers.searched_symbol import SearchedSymbol
from leadline_tools.resolve.types.type import Type

_FEW_OWNERS = 4
"""Types with a member of one name, of which a file that names one most likely uses the member of that one."""

_LAST_NAME = lazy_compile(r"(\w+)(?:\(\)|\[\]|\*|\|)*\Z")
_LOCAL = FUNCTIONS | {ScopeKind.Block}

_SHORTEST = 3
"""Letters of a name that a part of the name of a type has at least."""

_MOST_OWNING = 4 * MOST_FILES
"""Files that define a name, among which the types that have such a member are not counted."""


class LikelyTier:
    """Tells how likely a member of something unknown is the one that is looked for."""

    def __init__(self, index: Index, symbol: SearchedSymbol, question: Question) -> None:
        self._index = index
        self._symbol = symbol
        self._target = symbol.target
        self._question = question

    def is_likely(self, path: str, facts: Facts, use: Use) -> bool:
        """Tell of a member of something unknown whether it most likely is the one that is looked for.

        It is where nothing else in the code base has a member of that name. Where few types have one, or types from
        outside may have, the file names the one that is meant, and so does the receiver: ``task.run()``, ``Task``.
        Or the type takes it of its own object and leaves it to those that inherit from it, as mixins do.
        """
        member = bool(self._target.first.owner) and use.role not in (Role.Import, Role.Other)
        member = member and not use.receiver.endswith(f".{PROPERTIES}")  # the component is known
        return member and (self._is_left_to_subtype(path, facts, use) or self._is_of_few(path, facts, use))

    def _is_of_few(self, path: str, facts: Facts, use: Use) -> bool:
        """Return whether few types have a member of the name, and what a use says of them."""
        owner, name = self._target.first.owner, self._target.first.name
        if use.receiver == BARE or self._is_of_another_sort(path, use):
            return False
        is_constructor = owner.rpartition(".")[2] == name or self._symbol.is_constructor
        if is_constructor and use.role is not Role.Call:
            return False
        semantics = semantics_of(path)
        if semantics is not None and semantics.is_implicit_call(use):  # types from outside have most operators
            return False
        own = semantics is not None and use.receiver in semantics.scopes.this
        common = semantics is not None and name in semantics.library.common
        unnamed = own and _is_of_unnamed_table(facts, use.scope)
        if unnamed or self._is_local or not 0 < self._owners <= _FEW_OWNERS:
            return False
        if (self._owners > 1 or common) and not self._names_owner(facts, use, owner.rpartition(".")[2]):
            return False
        return not self._is_of_another(path, use)

    def _is_of_another_sort(self, path: str, use: Use) -> bool:
        """Return whether a use of something unknown is of a type and the symbol is none, or of a field in Rust.

        There a method is called, or taken of a type that is named: https://doc.rust-lang.org/reference/paths.html.
        """
        if use.receiver != UNKNOWN:
            return False
        if use.role is Role.Type:
            return self._target.first.kind not in CLASS_LIKE
        semantics = semantics_of(path)
        by_path = semantics is not None and semantics.members.by_interface
        return by_path and self._target.callable and use.role is not Role.Call

    def _is_left_to_subtype(self, path: str, facts: Facts, use: Use) -> bool:
        """Return whether a type takes of its own object the member, which a type below it has and itself has not."""
        semantics = semantics_of(path)
        if semantics is None or self._is_local or not 0 < self._owners <= _FEW_OWNERS:
            return False
        bare = use.receiver == BARE and semantics.uses.reads_are_calls
        if not bare and use.receiver not in semantics.scopes.this:
            return False
        around = class_around(facts.scopes, use.scope) or _module_around(facts, use.scope)
        return (path, around) in self._bases

    @once
    def _bases(self) -> frozenset[tuple[str, str]]:
        """Return the types from which the one inherits that has the symbol, by path and dotted name."""
        inheritance = self._question.resolver.evaluator.inheritance
        above = (base.origin for owner in self._symbol.owner for base in inheritance.mro(Type(owner))[1:])
        return frozenset((one.path, one.name) for one in above if isinstance(one, SymbolRef))

    def _names_owner(self, facts: Facts, use: Use, owner: str) -> bool:
        """Return whether a file names a type, and so does the receiver of a use."""
        return _is_called_like(use.receiver, owner) and (owner in facts.uses or bool(facts.named(owner)))

    def _is_of_another(self, path: str, use: Use) -> bool:
        """Return whether something from outside has what is used, or an object, and a type itself the symbol."""
        if self._question.resolver.receivers.is_external(path, use.receiver, use.scope):
            return True
        if self._outside_receivers.is_from_outside(path, use.receiver, use.scope):
            return True
        evaluator = self._question.resolver.evaluator
        symbol = SymbolRef(self._target.path, self._target.name, Reason.Definition)
        if evaluator.definitions.may_belong(symbol, of_object=True):
            return False
        types = evaluator.resolve_aliases(evaluator.evaluate(path, use.receiver, use.scope))
        return bool(types) and all(one.is_instance for one in types)

    @once
    def _is_local(self) -> bool:
        """Return whether the symbol is a name inside of a function, which no object has as a member."""
        facts = self._question.project.facts(self._target.path)
        bound = facts.all_at(self._target.name) if facts is not None else ()
        return (
            facts is not None
            and bool(bound)
            and all(one.scope > 0 and facts.scopes[one.scope].kind in _LOCAL for one in bound)
        )

    @once
    def _outside_receivers(self) -> OutsideReceivers:
        owner = SymbolRef(self._target.path, owner_of(self._target.name), Reason.Definition)
        return OutsideReceivers(self._question.resolver, owner)

    @once
    def _owners(self) -> int:
        """Return how many types have a member of the name, 0 where they are too many to count."""
        name = self._target.first.name
        if is_nameless(self._symbol.owner_name) or self._index.symbols.count_files_defining(name) > _MOST_OWNING:
            return 0
        found = self._index.names.exact(name)
        home = language_group(self._target.path)
        members = {(hit.file.path, hit.definition.owner) for hit in found.hits if language_group(hit.file.path) == home}
        whole = not found.more and found.total == len(found.hits)
        return len([container for _, container in members if container]) if whole else 0


def _module_around(facts: Facts, scope: int) -> str:
    """Return the dotted name of the module of Ruby that a scope is in; empty for none."""
    around = (facts.scopes[one] for one in facts.outwards(scope))
    return next((one.name for one in around if one.kind is ScopeKind.Namespace), "")


def _is_of_unnamed_table(facts: Facts, scope: int) -> bool:
    """Return whether the innermost method around is one of an object without a name: ``this`` is what takes that."""
    if class_around(facts.scopes, scope):
        return False
    outwards = [facts.scopes[one].kind for one in facts.outwards(scope)]
    at = next((i for i, kind in enumerate(outwards) if kind in (ScopeKind.Table, ScopeKind.Class)), 0)
    return at > 0 and outwards[at] is ScopeKind.Table and outwards[at - 1] in METHODS


def _is_called_like(receiver: str, owner: str) -> bool:
    """Return whether what a member is taken of has the name of a type, or one that holds it, or a part of it."""
    found = _LAST_NAME.search(receiver)
    name = found[1].replace("_", "").lower() if found is not None else ""
    type_name = owner.replace("_", "").lower()
    return type_name in name or (len(name) >= _SHORTEST and name in type_name)
