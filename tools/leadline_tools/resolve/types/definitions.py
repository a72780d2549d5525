"""Definitions of a name: the bindings of what it resolves to, and the kind of thing that they make it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import OUTSIDE, Binding, Facts, Sort, of_namespace
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import SymbolKind
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.types.type import Type


class Definitions:
    """Looks up the bindings of symbols and of local names."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver

    def is_function_or_type(self, type_: Type) -> bool:
        """Return whether something is a function or a type itself, and no instance."""
        sorts = {binding.sort for binding in self.bindings(type_.origin)}
        return not type_.is_instance and not sorts.isdisjoint((Sort.Callable, Sort.Type))

    def is_assigned(self, member: Resolution) -> bool:
        """Return whether a member is declared by nothing but the values that methods give it."""
        bindings = self.bindings(member) if isinstance(member, SymbolRef) else ()
        return bool(bindings) and all(b.scope == OUTSIDE and b.sort == Sort.Value for b in bindings)

    def may_belong(self, member: Resolution, *, of_object: bool) -> bool:
        """Return whether a member may be one of the objects of a type, or of the type itself."""
        sides = self._sides(member)
        return not sides or of_object in sides

    def are_apart(self, one: Resolution, other: Resolution) -> bool:
        """Return whether of two members of one name one belongs to types, and one to objects: neither overrides."""
        first, second = self._sides(one), self._sides(other)
        return bool(first and second) and not first & second

    def _sides(self, member: Resolution) -> AbstractSet[bool]:
        """Return whether objects have a member (True), or the type itself (False); nothing where that is all the same.

        What is declared from outside of a class may belong to either. What a method gives its own object is one of
        objects, unless it is counted among those of the type: the method is static then.
        """
        if not isinstance(member, SymbolRef):
            return frozenset()
        facts, semantics = self._resolver.facts(member.path)
        if facts is None or semantics is None or not semantics.members.statics_apart:
            return frozenset()
        declared = facts.all_at(member.name)
        static = facts.statics_by_path.get(member.name, 0)
        found = {False} if static else set[bool]()
        for one in declared if static < len(declared) else ():
            kind = facts.scopes[one.scope].kind if one.scope > 0 else None
            of_object = kind is ScopeKind.Class or (one.scope == OUTSIDE and _is_given_to_itself(facts, semantics, one))
            found |= {True} if of_object else {False} if kind is ScopeKind.Module else {True, False}
        return found

    def accepts_use(self, member: Resolution, *, called: bool) -> bool:
        """Return whether a member is one that is called, or none of those, where the language tells them apart."""
        bindings = self.bindings(member)
        if not bindings or not self.has_separate_call_namespace(member, members=True):
            return True
        return any(b.sort == Sort.Getter or (b.sort == Sort.Callable) is called for b in bindings)

    def is_demanded(self, owner: SymbolRef, member: SymbolRef) -> bool:
        """Return whether a type only demands a member of the classes that take its members: see ``demands``."""
        _, semantics = self._resolver.facts(member.path)
        if semantics is None or semantics.members.demands is None:
            return False
        return semantics.members.demands(self._head(owner), self._head(member))

    def _head(self, of: SymbolRef) -> str:
        """Return what stands before the name of a symbol in its line."""
        bindings, lines = self.bindings(of), self._resolver.project.lines(of.path)
        one = bindings[0] if bindings else None
        return lines[one.line - 1][: one.column - 1] if one is not None and one.line <= len(lines) else ""

    def has_separate_call_namespace(self, of: Resolution, *, members: bool = False) -> bool:
        """Return whether calls of a name, or of ``members`` alone, mean functions only, and other uses mean none."""
        language = language_of(of.path) if isinstance(of, SymbolRef | LocalName) else None
        semantics = language.semantics if language is not None else None
        return semantics is not None and (semantics.calls.calls_apart or (members and semantics.calls.fields_apart))

    def is_field_beside_methods(self, member: Resolution) -> bool:
        """Return whether a member is a field that no call of a member means."""
        apart = not self.has_separate_call_namespace(member) and self.has_separate_call_namespace(member, members=True)
        return apart and all(binding.sort == Sort.Value for binding in self.bindings(member))

    def is_field(self, member: Resolution) -> bool:
        """Return whether a member is a field and nothing else, which no path names.

        https://doc.rust-lang.org/reference/names/namespaces.html#fields
        """
        if not isinstance(member, SymbolRef) or not self.is_field_beside_methods(member):
            return False
        owner, _, name = member.name.rpartition(".")
        return owner in (self._resolver.project.owners_of(member.path, name, (SymbolKind.Field,)) or ())

    def depends_on_call(self, of: Resolution) -> bool:
        """Return whether what a name means depends on whether it is called: of a field and a method of one name too."""
        if self.has_separate_call_namespace(of) or not self.has_separate_call_namespace(of, members=True):
            return self.has_separate_call_namespace(of)
        return len({binding.sort == Sort.Callable for binding in self.bindings(of)}) > 1

    def constructors(self, of: SymbolRef) -> Iterator[Binding]:
        """Yield what makes objects of a type: its constructors, or what it takes itself."""
        yield from self.bindings(of)
        facts, _ = self._resolver.facts(of.path)
        language = language_of(of.path)
        for name in (*language.names.constructors, of.name.rpartition(".")[2]) if language is not None else ():
            yield from facts.all_at(f"{of.name}.{name}") if facts is not None else ()

    def is_declared_type(self, of: SymbolRef) -> bool:
        """Return whether a symbol is a type, and no other name for one."""
        return is_type_name(self.bindings(of))

    def is_type(self, of: SymbolRef) -> bool:
        """Return whether a symbol is a type, or may be one: it is no function and no property."""
        sorts = {binding.sort for binding in self.bindings(of)}
        return Sort.Type in sorts or not sorts.intersection((Sort.Callable, Sort.Getter))

    def rules_of(self, type_: Type) -> Semantics | None:
        """Return the rules of the language that the type of an object is written in; None for anything else."""
        of = type_.origin
        return self._resolver.facts(of.path)[1] if type_.is_instance and isinstance(of, SymbolRef) else None

    def is_constructor_function(self, function: SymbolRef) -> bool:
        """Return whether a function gives members to the objects that ``new`` makes with it."""
        facts, _ = self._resolver.facts(function.path)
        return facts is not None and function.name in facts.makers

    def bindings(self, of: Resolution) -> Sequence[Binding]:
        """Return what binds the name of a symbol, or a local name."""
        facts, _ = self._resolver.facts(of.path) if isinstance(of, SymbolRef | LocalName) else (None, None)
        match of:
            case SymbolRef(name=name) if facts is not None:
                return _with_later_values(facts, facts.all_at(name))
            case LocalName(name=name, scope=scope, lines=lines, of_type=of_type) if facts is not None:
                found = [one for one in of_namespace(facts.within(name, scope), of_type) if not one.path]
                return [binding for binding in found if binding.line in lines] if lines else found
            case _:
                return ()


def _with_later_values(facts: Facts, bindings: Sequence[Binding]) -> Sequence[Binding]:
    """Return the bindings of a variable with those that give it other values, where its scope binds it once more."""
    first = bindings[0] if bindings else None
    if first is None or first.scope < 0 or first.sort != Sort.Value:
        return bindings
    others = facts.within(first.name, first.scope)
    if len(others) == len(bindings):
        return bindings
    later = [one for one in others if not one.path and one.imported < 0 and one.sort == Sort.Value]
    return [*bindings, *later]


def narrows_bounds(path: str) -> bool:
    """Return whether a call says more of a type parameter than its bound, in the language of a file."""
    semantics = semantics_of(path)
    return semantics is not None and semantics.types.narrows_bounds


def is_type_name(bindings: Iterable[Binding]) -> bool:
    """Return whether a name is that of a type which is no other name for one."""
    return any(binding.sort == Sort.Type and not (binding.type or binding.made) for binding in bindings)


def values_beside_alias(path: str, bindings: Sequence[Binding]) -> Sequence[Binding] | None:
    """Return the bindings of a variable that has the name of an alias of a type; None for any other name."""
    if len(bindings) == 1 or {one.sort for one in bindings} != {Sort.Type, Sort.Value}:
        return None
    semantics = semantics_of(path)
    apart = semantics is not None and semantics.scopes.values_apart and not is_type_name(bindings)
    return [one for one in bindings if one.sort == Sort.Value] if apart else None


def _is_given_to_itself(facts: Facts, semantics: Semantics, declared: Binding) -> bool:
    """Return whether a member is declared by a value that a method gives its own object: ``this.a = 1``."""
    place = declared.line, declared.column
    uses = facts.uses.get(declared.name, ())
    return any(one.receiver in semantics.scopes.this for one in uses if (one.line, one.column) == place)
