"""The name spaces of members: one each of methods, properties and constants, where a type may have all of one name.

https://www.php.net/manual/en/language.oop5.properties.php, https://www.php.net/manual/en/language.oop5.constants.php
Where types have one as well, what stands around a name decides which is meant.
https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.5
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum

from leadline_tools.languages.facts import Binding, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import BARE, UNKNOWN
from leadline_tools.model import Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef


class MemberSpace(Enum):
    """What a member is."""

    Property = 0
    Method = 1
    Constant = 2
    Type = 3


_NOT_MEMBERS = frozenset({BARE, UNKNOWN})
_DECLARING = frozenset({Role.Definition, Role.Import, Role.Other})
_MOST_LINES = 60
"""Lines of an import of several names."""

_TYPE_ROLES = frozenset({Role.Type, Role.Inherit, Role.Decorator})


def space_of_use(semantics: Semantics, lines: Sequence[str], use: Use) -> MemberSpace | None:
    """Return the space in which a use of a member is looked up; None for any, and for what is no such use."""
    constant = semantics.members.names_constant
    if use.receiver in _NOT_MEMBERS or use.role in _DECLARING or use.taken:
        return None
    line = lines[use.line - 1] if use.line <= len(lines) else ""
    if constant is None:  # no field is named by a path
        by_path = semantics.calls.fields_apart and line[: use.column - 1].endswith("::")
        return MemberSpace.Method if by_path else None
    is_constant = constant(line[: use.column - 1], line[use.end_column - 1 :])
    if is_constant is None or use.role is Role.Call:
        return None if is_constant is None else MemberSpace.Method
    return MemberSpace.Constant if is_constant else MemberSpace.Property


def spaces_of_name(semantics: Semantics, lines: Sequence[str], use: Use) -> Sequence[MemberSpace]:
    """Return the spaces in which a name is looked up, that of the first one found is meant; none for any of all."""
    names_type = semantics.scopes.names_type
    if names_type is None or use.role in _DECLARING:
        return ()
    line = lines[use.line - 1] if use.line <= len(lines) else ""
    before, after = line[: use.column - 1], line[use.end_column - 1 :]
    if use.role is Role.Inherit and before.endswith("::"):  # what a class takes of a trait
        return (MemberSpace.Method,)
    is_type = use.role in _TYPE_ROLES or names_type(before, after)
    if is_type:
        return (MemberSpace.Type,)
    if not (semantics.calls.fields_apart or semantics.calls.functions_apart):
        return MemberSpace.Property, MemberSpace.Type
    if use.role is Role.Call or before.endswith("::") or (is_type is False and after.lstrip().startswith("(")):
        return (MemberSpace.Method,)
    values = MemberSpace.Property, MemberSpace.Constant
    return values if is_type is False else (*values, MemberSpace.Type)


def is_in_first_space(space: int, spaces: Sequence[MemberSpace], declared: Iterable[int]) -> bool:
    """Return whether a space is the first of some in which anything is declared."""
    known = frozenset(declared)
    return next((one.value for one in spaces if one.value in known), None) == space


def space_of_variable(semantics: Semantics, line: str, column: int) -> MemberSpace:
    """Return the space of a member that cannot be called, given where its name is declared, in a 1-based column."""
    constant = semantics.members.names_constant
    return MemberSpace.Constant if constant is not None and constant(line[: column - 1], "") else MemberSpace.Property


class MemberSpaces:
    """Selects members by their spaces."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def select(self, path: str, semantics: Semantics, use: Use, found: Sequence[Resolution]) -> Sequence[Resolution]:
        """Return what a use means of what was found for its name: a property is no method."""
        apart = bool(found) and semantics.members.names_constant is not None
        space = space_of_use(semantics, self._resolver.project.lines(path), use) if apart else None
        return found if space is None else [one for one in found if self._may_be(one, space)]

    def select_by_name(
        self, path: str, semantics: Semantics, name: str, use: Use, found: Sequence[Resolution]
    ) -> Sequence[Resolution]:
        """Return what a use that names no member means of what was found for its name: no function is a class.

        https://www.php.net/manual/en/language.namespaces.rules.php
        """
        imports_type = semantics.scopes.imports_type
        if not found or imports_type is None or use.role is Role.Definition:
            return found
        lines = self._resolver.project.lines(path)
        before = lines[use.line - 1][: use.column - 1] if use.line <= len(lines) else ""
        if use.receiver != BARE and not before.endswith("\\"):
            return found
        spaces = spaces_of_name(semantics, lines, use)
        if use.receiver != BARE and MemberSpace.Constant in spaces:
            spaces = (*spaces, MemberSpace.Type)  # the role of a name with its namespace is not known
        if use.role is Role.Import:
            is_type = imports_type(_import_before(lines, use.line, before))
            spaces = () if is_type is None else (MemberSpace.Type if is_type else MemberSpace.Method,)
        elif use.receiver == BARE and not self._may_be_imported(path, name, imports_type, spaces):
            return ()
        wanted: Mapping[str, bool] = {
            Sort.Type: MemberSpace.Type in spaces,
            Sort.Callable: MemberSpace.Method in spaces,
        }
        return [one for one in found if not spaces or self._is_wanted(one, wanted)]

    def _may_be_imported(
        self, path: str, name: str, imports_type: Callable[[str], bool | None], spaces: Sequence[MemberSpace]
    ) -> bool:
        """Return whether an import of a name takes what a use means, where a file has any."""
        facts, _ = self._resolver.facts(path)
        lines = self._resolver.project.lines(path)
        imported = [one.line for one in facts.named(name) if one.imported >= 0] if facts is not None else []
        named = ((line, lines[line - 1].rpartition(name)[0]) for line in imported if line <= len(lines))
        taken = [imports_type(_import_before(lines, line, before)) for line, before in named]
        return not taken or not spaces or None in taken or (MemberSpace.Type in spaces) in taken

    def _is_wanted(self, one: Resolution, wanted: Mapping[str, bool]) -> bool:
        """Return whether a symbol is none that a name cannot mean, by its sort."""
        facts, _ = self._resolver.facts(one.path) if isinstance(one, SymbolRef) else (None, None)
        bound = facts.all_at(one.name) if facts is not None and isinstance(one, SymbolRef) else ()
        return not bound or any(wanted.get(binding.sort, True) for binding in bound)

    def _may_be(self, one: Resolution, space: MemberSpace) -> bool:
        facts, semantics = self._resolver.facts(one.path) if isinstance(one, SymbolRef) else (None, None)
        bound = facts.all_at(one.name) if facts is not None and isinstance(one, SymbolRef) else ()
        if not isinstance(one, SymbolRef) or semantics is None or not bound:
            return True
        return any(self._space(one.path, semantics, binding) in (None, space) for binding in bound)

    def _space(self, path: str, semantics: Semantics, binding: Binding) -> MemberSpace | None:
        """Return the space of a member; None for what is none."""
        if binding.sort == Sort.Callable:
            return MemberSpace.Method
        lines = self._resolver.project.lines(path)
        known = binding.sort == Sort.Value and binding.line <= len(lines)
        return space_of_variable(semantics, lines[binding.line - 1], binding.column) if known else None


def _import_before(lines: Sequence[str], line: int, before: str) -> str:
    """Return the text of an import before a name in it, which may begin on a line above."""
    return "\n".join((*lines[max(0, line - _MOST_LINES) : line - 1], before)).rpartition(";")[2]
