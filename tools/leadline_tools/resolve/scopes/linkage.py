"""Declarations of one symbol in several files: those that the linker makes one, and those for different targets.

In C and C++ two files declare the same thing where one includes the other. In files that do not, a name with external
linkage means one thing in each program, and so it does in a tree that defines it once. Where several definitions have
the name, as in a tree of several programs, only includes decide which one a declaration means.
https://www.open-std.org/jtc1/sc22/wg14/www/docs/n1570.pdf#page=54, https://eel.is/c++draft/basic.link
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import FUNCTIONS, OUTSIDE, Binding, Sort
from leadline_tools.languages.rules.visibility import TargetRules
from leadline_tools.model import Reason
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for the same thing."""


class _OutsideMembers:
    """Finds members that are defined outside of their class, by a shorter name than that which the class declares.

    ``int Box::size()`` is a member of ``n::Box`` after ``using namespace n``: https://eel.is/c++draft/class.mfct.
    """

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._homes: dict[tuple[str, str], SymbolRef | None] = {}

    def forget(self) -> None:
        """Let go of what was found; it is found again where it is asked for."""
        self._homes.clear()

    def home(self, path: str, name: str) -> SymbolRef | None:
        """Return a member that a file defines outside of its class as the class declares it, where that is longer."""
        key = path, name
        if key not in self._homes:
            self._homes[key] = None  # what a name of the class means may depend on what it has
            self._homes[key] = self._find(path, name)
        return self._homes[key]

    def _find(self, path: str, name: str) -> SymbolRef | None:
        facts, _ = self._resolver.facts(path)
        owner, _, member = name.rpartition(".")
        binding = facts.at(name) if facts is not None and owner else None
        if facts is None or binding is None or facts.at(owner) is not None:
            return None
        word = owner.rpartition(".")[2]
        for use in facts.uses.get(word, ()):
            if use.line == binding.line and use.end_column < binding.column:
                found = [one for one in self._resolver.resolve(path, word, use) if isinstance(one, SymbolRef)]
                home = found[0] if len(found) == 1 and found[0].name != owner else None
                return SymbolRef(home.path, f"{home.name}.{member}", home.reason) if home is not None else None
        return None

    def defining(self, path: str, name: str, known: Collection[str]) -> Iterator[str]:
        """Yield the other files that define a member of a class of ``known`` outside of it and of its namespace."""
        defining = self._resolver.project.defining(name.rpartition(".")[2], path) if name.count(".") > 1 else ()
        for other in sorted(defining) if len(defining) <= _MOST_DECLARING else ():
            if other not in known and self._short_name_in(other, name, known):
                yield other

    def _short_name_in(self, other: str, name: str, known: Collection[str] = ()) -> str:
        """Return how a file that opens its namespace has the name of a member; empty where it has none."""
        for short in _shorter(name):
            home = self.home(other, short) if self._resolver.project.may_declare(other, short) else None
            if home is not None and home.name == name and (not known or home.path in known):
                return short
        return ""

    def name_in(self, other: str, name: str) -> str:
        """Return how a file has the name of a member that its class declares by ``name``."""
        facts, _ = self._resolver.facts(other)
        return name if facts is None or facts.at(name) is not None else self._short_name_in(other, name) or name


class Linkage:
    """Finds the other declarations of what a file declares, and keeps what it has found."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._declaring: dict[tuple[str, str], Sequence[str]] = {}
        self._outside_members = _OutsideMembers(resolver)

    def forget(self) -> None:
        """Let go of what was found; it is found again where it is asked for."""
        self._declaring.clear()
        self._outside_members.forget()

    def declarations(self, path: str, name: str) -> Sequence[SymbolRef]:
        """Return what other files declare or define as the same thing as the symbol ``name`` of a file."""
        files = [file for file in self._files(path, name) if file != path]
        return [SymbolRef(file, self._name_in(file, path, name), Reason.Definition) for file in files]

    def definitions(self, path: str, name: str) -> Sequence[SymbolRef]:
        """Return the declarations of the symbol ``name`` of a file that define it; none where no file does."""
        named = [(file, self._name_in(file, path, name)) for file in self._files(path, name)]
        return [SymbolRef(file, its, Reason.Definition) for file, its in named if self.defines(file, its)]

    def specializations(self, path: str, name: str) -> Sequence[SymbolRef]:
        """Return what other files declare of a template: its specializations, and the template of one of these.

        https://eel.is/c++draft/temp.spec
        """
        word = name.rpartition(".")[2]
        defining = self._resolver.project.defining(word, path) - {path}
        if len(defining) > _MOST_DECLARING:
            return ()
        others = [file for file in sorted(defining) if self._resolver.project.may_declare(file, name)]
        special = [file for file in (path, *others) if self._only_specializes(file, name)]
        general = [file for file in (path, *others) if file not in special and self._declares_type(file, name)]
        seen = {file: frozenset(self._resolver.includes.defining(file, word)) for file in special}
        homes = [path] if path in general else [file for file in general if file in seen.get(path, ())]
        same = [*homes, *(file for file in special if not seen[file].isdisjoint(homes))]
        return [SymbolRef(file, name, Reason.Definition) for file in dict.fromkeys(same) if file != path]

    def _only_specializes(self, path: str, name: str) -> bool:
        """Return whether all that a file declares under a dotted name specializes a template of another file."""
        facts, _ = self._resolver.facts(path)
        bound = facts.all_at(name) if facts is not None else ()
        return bool(bound) and all(one.sort == Sort.Type and one.scope == OUTSIDE for one in bound)

    def _declares_type(self, path: str, name: str) -> bool:
        facts, _ = self._resolver.facts(path)
        return facts is not None and any(one.sort == Sort.Type for one in facts.all_at(name))

    def external(self, path: str, name: str) -> SymbolRef | None:
        """Return what a name with external linkage means that a function of a file declares; None where several may."""
        files = [file for file in self._may_declare(path, name) if self._is_external(file, name)]
        meant = next((file for file in files if self.defines(file, name)), files[0] if files else None)
        if meant is None:
            return None
        same = set(self._files(meant, name))
        return SymbolRef(meant, name, Reason.Import) if same.issuperset(files) else None

    def defines(self, path: str, name: str) -> bool:
        """Return whether a file defines what it declares under a dotted name: a function by its body."""
        facts, _ = self._resolver.facts(path)
        if facts is None:
            return False
        if Sort.Callable in self._sorts(path, name):
            return self.has_body(path, name)
        return name not in facts.externs and bool(self._sorts(path, name))

    def has_body(self, path: str, name: str) -> bool:
        """Return whether a file holds the body of a function with a dotted name."""
        facts, _ = self._resolver.facts(path)
        return facts is not None and any(one.name == name and one.kind in FUNCTIONS for one in facts.scopes)

    def _files(self, path: str, name: str) -> Sequence[str]:
        """Return the files that declare the same thing as a file does under a dotted name, that file first."""
        key = path, name
        if key not in self._declaring:
            self._declaring[key] = self._find(path, name)
        return self._declaring[key]

    def _find(self, path: str, name: str) -> Sequence[str]:
        _, semantics = self._resolver.facts(path)
        if semantics is not None and semantics.visibility.targets.words:
            return [path, *self._for_other_targets(path, name, semantics.visibility.targets)]
        if semantics is not None and semantics.visibility.shares_variables and self._sorts(path, name) == {Sort.Value}:
            return list(self._included_with(path, name))
        if semantics is None or not semantics.visibility.links_definitions or len(self._sorts(path, name)) != 1:
            return [path]
        home = self._outside_members.home(path, name)
        if home is not None:
            return list(dict.fromkeys((path, *self._files(home.path, home.name))))
        near = list(self._included_with(path, name))
        found = [*near, *self._linked_with(path, name, near)]
        return [*found, *self._outside_members.defining(path, name, found)]

    def _for_other_targets(self, path: str, name: str, targets: TargetRules) -> Sequence[str]:
        """Return the other files that declare the same symbol for other targets, or for all."""
        project = self._resolver.project
        saying = frozenset(file for word in targets.words for file in project.spelling(word))
        if path not in saying or not self._has_counterparts(path, name, targets):
            return ()
        others = sorted(project.defining(name.rpartition(".")[2], path) & saying - {path})
        near = ((one, self._name_in(one, path, name)) for one in others if not targets.are_apart(path, one))
        may = ((one, its) for one, its in near if its and project.may_declare(one, its))
        return [one for one, its in may if self._has_counterparts(one, its, targets)]

    def _name_in(self, other: str, path: str, name: str) -> str:
        """Return the dotted name that another file has for a symbol: of extensions for that of the same type."""
        facts, semantics = self._resolver.facts(path)
        if semantics is not None and semantics.visibility.links_definitions:
            home = self._outside_members.home(path, name)
            return self._outside_members.name_in(other, home.name if home is not None else name)
        binding = facts.at(name) if facts is not None else None
        if semantics is None or not semantics.visibility.targets.words or binding is None or not binding.amends:
            return name
        its, _ = self._resolver.facts(other)
        alike = (one for one in its.named(binding.name) if one.amends == binding.amends) if its is not None else ()
        return next((one.path for one in alike if one.scope == binding.scope == 0), "")

    def _has_counterparts(self, path: str, name: str, targets: TargetRules) -> bool:
        around, _, _ = name.rpartition(".")
        heads = self._resolver.project.heads
        outer = [head for holder in _holders(around) for head in heads(path, holder)]
        return targets.has_counterparts(heads(path, name), outer)

    def _included_with(self, path: str, name: str) -> Iterator[str]:
        """Yield a file, and those that declare the same thing and take one of the others in or are taken in by it."""
        word = name.rpartition(".")[2]
        defining = self._resolver.project.defining(word, path)
        few = len(defining) - (path in defining) <= _MOST_DECLARING
        files = sorted(defining - {path}) if few else ()
        found = [path]
        for one in found:
            yield one
            near = frozenset(self._resolver.includes.defining(one, word))
            found += [
                other
                for other in (files if few else sorted(near))
                if other not in found
                and self._resolver.project.may_declare(other, name)
                and (other in near or one in self._resolver.includes.defining(other, word))
                and self._is_same(one, other, name)
            ]

    def _linked_with(self, path: str, name: str, near: Collection[str]) -> Sequence[str]:
        """Return the other files whose declarations the linker ties to those of ``near``; none where it may not."""
        if not self._is_external(path, name):
            return ()
        others = (file for file in self._may_declare(path, name) if file not in near)
        rest = [file for file in others if self._is_external(file, name) and self._is_same(path, file, name)]
        rest = [file for file in rest if not self.overloads(path, file, name)]
        defining = 0
        for group in (near, *self._groups(name, rest)) if rest else ():
            defining += any(self.defines(file, name) for file in group)
        return rest if defining <= 1 else ()

    def overloads(self, path: str, other: str, name: str) -> bool:
        """Return whether two files declare functions of one name that take other things: two functions, then."""
        _, semantics = self._resolver.facts(path)
        project = self._resolver.project
        heads, others = project.heads(path, name), project.heads(other, name)
        overloads = semantics.visibility.overloads if semantics is not None else None
        return overloads is not None and all(overloads(one, two) for one in heads for two in others)

    def _groups(self, name: str, files: Iterable[str]) -> Iterator[Sequence[str]]:
        """Yield files in groups in which what is taken in ties the declarations together."""
        seen: set[str] = set()
        for file in files:
            if file not in seen:
                group = list(self._included_with(file, name))
                seen.update(group)
                yield group

    def _may_declare(self, path: str, name: str) -> Sequence[str]:
        """Return the files that may declare a dotted name; none where too many define its last part."""
        defining = self._resolver.project.defining(name.rpartition(".")[2], path)
        few = sorted(defining) if len(defining) <= _MOST_DECLARING else ()
        may = (file for file in few if self._resolver.project.may_declare(file, name))
        return [file for file in may if not self._is_internal(file, name)]

    def _is_internal(self, path: str, name: str) -> bool:
        """Return whether a file says of all that it declares under a dotted name that it is its own."""
        heads, semantics = self._resolver.project.heads(path, name), semantics_of(path)
        return semantics is not None and bool(heads) and all(map(semantics.visibility.internal, heads))

    def _is_external(self, path: str, name: str) -> bool:
        """Return whether what a file declares under a dotted name can be declared by one that does not include it."""
        linked = self._linked(path, name)
        return len(self._sorts(path, name)) == 1 and all(b.scope <= 0 and b.space == _space(name) for b in linked)

    def _is_same(self, path: str, other: str, name: str) -> bool:
        """Return whether two files declare the same thing under a dotted name: no type, nor what is theirs alone."""
        one, two = self._sorts(path, name), self._sorts(other, name)
        apart = not any(b.scope <= 0 for file in (path, other) for b in self._linked(file, name))
        return len(one) == 1 and one == two and not apart

    def _sorts(self, path: str, name: str) -> AbstractSet[str]:
        """Return what a file declares under a dotted name: values, what is called, or both."""
        return {b.sort for b in self._linked(path, name) if b.sort in (Sort.Callable, Sort.Value)}

    def _linked(self, path: str, name: str) -> Sequence[Binding]:
        """Return what a file declares under a dotted name that others can declare too."""
        facts, _ = self._resolver.facts(path)
        return facts.all_at(name) if facts is not None and name not in facts.inner else ()


def _shorter(name: str) -> Iterator[str]:
    """Yield the dotted names of a member without the first namespaces around its class."""
    while name.count(".") > 1:
        name = name.partition(".")[2]
        yield name


def _holders(name: str) -> Iterator[str]:
    """Yield a dotted name and what it is inside of; nothing for none."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _space(name: str) -> str:
    """Return the namespace that a symbol is declared in where it is no member of a type."""
    return name.rpartition(".")[0]
