"""Names of members: which names a type of the code base may declare as a member at all.

Most names that stand bare in a class are no member of any type. Of those the bases of the class, which have to be
evaluated one by one, need not be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from leadline_tools.languages import semantics_of
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import CALLABLE, VARIABLE, owner_of
from leadline_tools.languages.relations import base_names
from leadline_tools.model import ALL_KINDS, Reason, Role
from leadline_tools.resolve.project.code_base import FactSource
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.scopes.visible_bindings import is_visible

_MOST_DEFINING = 64
"""Files that define a name, in any case of letters, all of which are read to see whether one declares a member."""

_FEW = 8
"""Classes whose bases are evaluated for one name: for more it is found out which types may have it at all."""

_NO_TYPES = CALLABLE | VARIABLE
"""Kinds of what is no type."""

_MOST_HOLDING = 256
"""Files that define a name whose symbols are looked through for the types that have it as a member."""


class MemberNames:
    """Decides whether a name may be that of a member, once for each name and role."""

    def __init__(self, source: FactSource) -> None:
        self._source = source
        self._known: dict[tuple[str, Role], bool] = {}
        self._asked: Counter[tuple[str, Role]] = Counter()
        self._heirs: dict[tuple[str, Role], frozenset[str] | None] = {}

    def forget(self) -> None:
        """Forget what was found."""
        self._known.clear()
        self._asked.clear()
        self._heirs.clear()

    def may_contain(self, path: str, name: str, role: Role) -> bool:
        """Return whether a class in the file ``path`` may have a member that a bare use of ``name`` sees.

        It may if the file declares such a member, or if another file does: for a type from which others inherit, or
        for any type where types can be declared in parts, or functions see the members of any object.
        """
        if (name, role) not in self._known:
            self._known[name, role] = self._is_member_elsewhere(path, name, role)
        return self._known[name, role] or self._owners(path, name, role) != ()

    def may_inherit(self, of: SymbolRef, name: str, role: Role) -> bool:
        """Return whether a class may have such a member from a base.

        No base needs to be evaluated where none is called like a type that has the member, or like an heir of one.
        """
        facts, semantics = self._source.facts(of.path)
        if facts is None or semantics is None or not _inherits_by_clauses_alone(semantics):
            return True
        self._asked[name, role] += 1
        if self._asked[name, role] <= _FEW:
            return True
        if (name, role) not in self._heirs:
            self._heirs[name, role] = self._names_of_heirs(of.path, name, role)
        names = self._heirs[name, role]
        if self._owners(of.path, name, role):
            return True  # also of a type in a function, which the index may miss
        if names is None or of.name.rpartition(".")[2] in names or semantics.members.root_type in names:
            return True
        may_mean = self._source.project.subtype_names.may_mean
        waiting, seen = [of.name], {of.name}
        while waiting:
            for heritage in facts.heritage_of(waiting.pop()):
                if any(may_mean(of.path, heritage, term, names) for term in heritage.bases):
                    return True
                # A type in a function has heirs there alone, and the index may miss it.
                spelled = base_names(heritage.bases, b"")
                beside = [one.path for one in facts.heritage if one.path.rpartition(".")[2] in spelled]
                waiting += [one for one in beside if one not in seen]
                seen.update(beside)
        return False

    def _names_of_heirs(self, path: str, name: str, role: Role) -> frozenset[str] | None:
        """Return the names of all types that have such a member, or may inherit it; None where they are not known."""
        files = self._source.project.defining(name, path)
        if len(files) > _MOST_HOLDING:
            return None
        kinds = ALL_KINDS - _NO_TYPES if role in (Role.Type, Role.Inherit) else ALL_KINDS
        owners = {file: self._source.project.owners_of(file, name, kinds) for file in files}
        if None in owners.values():
            return None
        types = {one.rpartition(".")[2] for every in owners.values() for one in every or ()}
        return self._source.project.subtype_names.heirs(types)

    def _is_member_elsewhere(self, path: str, name: str, role: Role) -> bool:
        files = self._source.project.defining(name, path)
        return len(files) > _MOST_DEFINING or any(self._shares_member(file, name, role) for file in sorted(files))

    def _shares_member(self, path: str, name: str, role: Role) -> bool:
        """Return whether a type of a file has such a member, and may share it with a type in another file."""
        if not self._may_be_inherited(path, name):
            return False
        owners, (_, semantics) = self._owners(path, name, role), self._source.facts(path)
        if owners is None or semantics is None or semantics.visibility.has_partial_types or semantics.types.received:
            return owners != ()
        may_be_inherited = self._source.project.subtype_names.may_be_inherited
        return any(may_be_inherited(SymbolRef(path, owner, Reason.Definition)) for owner in owners)

    def _may_be_inherited(self, path: str, name: str) -> bool:
        """Return whether others may inherit from a type in which a file declares a name, by what the index has."""
        semantics, project = semantics_of(path), self._source.project
        if semantics is None or semantics.visibility.has_partial_types or semantics.types.received:
            return True
        owners = project.owners_of(path, name)
        types = (SymbolRef(path, one, Reason.Definition) for one in owners or ())
        return owners is None or any(map(project.subtype_names.may_be_inherited, types))

    def _owners(self, path: str, name: str, role: Role) -> Sequence[str] | None:
        """Return the dotted names of the types of a file that have such a member; None for a file without facts."""
        facts, semantics = self._source.facts(path)
        if facts is None or semantics is None:
            return None
        seen = (binding for binding in facts.named(name) if is_visible(binding, facts, semantics, role))
        owners = (owner_of(binding.path) for binding in seen)
        return tuple(owner for owner in owners if owner and owner.rpartition(".")[2] != name)


def _inherits_by_clauses_alone(semantics: Semantics) -> bool:
    """Return whether a type has the members that it declares itself and those of the bases that it names, and no other.

    Every base is then the name of a type, in one place.
    """
    members, types = semantics.members, semantics.types
    otherwise = (
        semantics.visibility.has_partial_types or semantics.visibility.links_definitions or types.bases_are_values,
        members.mixins or members.twins or members.companions or members.has_extensions or members.forwards,
        members.extends_named_types or members.extends_any_type or members.assignments_declare or members.structural,
        members.compares_members or types.received or types.types_are_values or types.shares_parameters,
        semantics.imports.whole_exports or not semantics.scopes.types_apart or semantics.scopes.merges_modules,
    )
    return not any(otherwise)
