"""Names of members: which names a type of the code base may declare as a member at all.

Most names that stand bare in a class are no member of any type. Of those the bases of the class, which have to be
evaluated one by one, need not be known.
"""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.languages import semantics_of
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.code_base import FactSource
from leadline_tools.resolve.project.resolution import SymbolRef
from leadline_tools.resolve.scopes.visible_bindings import is_visible

_MOST_DEFINING = 64
"""Files that define a name, in any case of letters, all of which are read to see whether one declares a member."""


class MemberNames:
    """Decides whether a name may be that of a member, once for each name and role."""

    def __init__(self, source: FactSource) -> None:
        self._source = source
        self._known: dict[tuple[str, Role], bool] = {}

    def forget(self) -> None:
        """Forget what was found."""
        self._known.clear()

    def may_contain(self, path: str, name: str, role: Role) -> bool:
        """Return whether a class in the file ``path`` may have a member that a bare use of ``name`` sees.

        It may if the file declares such a member, or if another file does: for a type from which others inherit, or
        for any type where types can be declared in parts, or functions see the members of any object.
        """
        if (name, role) not in self._known:
            self._known[name, role] = self._is_member_elsewhere(path, name, role)
        return self._known[name, role] or self._owners(path, name, role) != ()

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
        may_be_inherited = self._source.project.may_be_inherited
        return any(may_be_inherited(SymbolRef(path, owner, Reason.Definition)) for owner in owners)

    def _may_be_inherited(self, path: str, name: str) -> bool:
        """Return whether others may inherit from a type in which a file declares a name, by what the index has."""
        semantics, project = semantics_of(path), self._source.project
        if semantics is None or semantics.visibility.has_partial_types or semantics.types.received:
            return True
        owners = project.owners_of(path, name)
        inherited = (project.may_be_inherited(SymbolRef(path, one, Reason.Definition)) for one in owners or ())
        return owners is None or any(inherited)

    def _owners(self, path: str, name: str, role: Role) -> Sequence[str] | None:
        """Return the dotted names of the types of a file that have such a member; None for a file without facts."""
        facts, semantics = self._source.facts(path)
        if facts is None or semantics is None:
            return None
        seen = (binding for binding in facts.named(name) if is_visible(binding, facts, semantics, role))
        owners = (binding.path.rpartition(".")[0] for binding in seen)
        return tuple(owner for owner in owners if owner and owner.rpartition(".")[2] != name)
