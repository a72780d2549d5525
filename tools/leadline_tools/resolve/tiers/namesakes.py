"""A *namesake*: another symbol with the dotted name of the one that is searched, as a method beside a field."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Binding, Sort, Use
from leadline_tools.languages.terms import TAGS, UNKNOWN
from leadline_tools.model import Role, SymbolKind
from leadline_tools.once import once
from leadline_tools.resolve.overloads.call_shapes import arguments_at
from leadline_tools.resolve.overloads.joined_overloads import are_component_and_methods
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import (
    DefinedSymbol,
    declaration_space,
    fields_apart,
    functions_apart,
    is_in_head_of_type,
    is_method_of_type,
    load_symbols,
    sides_apart,
    values_apart,
)
from leadline_tools.resolve.symbols.unlisted import unlisted_namesakes
from leadline_tools.resolve.tiers.line_texts import LineTexts
from leadline_tools.resolve.types.member_spaces import MemberSpace, is_in_first_space, space_of_use, spaces_of_name

_EXPORTS = ("export default ", "export = ")
"""What stands before a name of which both the value and the type are exported."""


class Namesakes:
    """Tells the uses of a symbol from those of its namesake: a method beside a field, a value beside a type."""

    def __init__(self, index: Index, target: DefinedSymbol, question: Question, lines: LineTexts) -> None:
        self._index = index
        self._target = target
        self._question = question
        self._texts = lines

    def may_mean(self, path: str, use: Use) -> bool:
        """Return whether a use may mean the symbol and not the value, type, method or field that is called so."""
        if use.role is Role.Import or self._names_argument(path, use):
            return True
        if (
            use.role is Role.Definition
            or (self._unlisted and self._is_declared_at(path, use))
            or self._is_tag(path, use)
        ):
            return path != self._target.path or (use.line, use.column) not in self._declared_otherwise
        space = self._space_of_use(path, use)
        if space is not None:
            return space.value == declaration_space(self._target) or self.may_be_run(path, use)
        if self._namesake is None and not self._unlisted:
            return not (self._is_never_called and use.role is Role.Call and self._texts.before(path, use).endswith("."))
        return self._is_meant_beside(path, use)

    def _is_meant_beside(self, path: str, use: Use) -> bool:
        """Return whether a use means the symbol and not its namesake."""
        if self._calls_accessor(path, use):
            return not self._target.callable
        if spaces := self._spaces_of_name(path, use):
            return is_in_first_space(declaration_space(self._target), spaces, self._spaces_of_namesakes)
        return self._is_meant_by_role(path, use)

    def _names_argument(self, path: str, use: Use) -> bool:
        """Return whether a use is the name of an argument, which means what the call takes and nothing else."""
        facts, _ = self._question.resolver.facts(path) if use.receiver == UNKNOWN else (None, None)
        named = facts.arguments.get(self._target.first.name, ()) if facts is not None else ()
        return any((one.line, one.column) == (use.line, use.column) for one in named)

    def _is_tag(self, path: str, use: Use) -> bool:
        """Return whether a use is of the tag of a structure where that is defined, beside a namesake of it."""
        return use.role is Role.Other and use.receiver == TAGS and path == self._target.path and bool(self._namesake)

    @once
    def has_other_side(self) -> bool:
        """Return whether the type has a method of the name beside one of its objects, which is another symbol."""
        if not sides_apart(self._target.path):
            return False
        named = load_symbols(self._index, [(self._target.path, self._target.name)])
        return len(named) > 1 and None not in map(is_method_of_type, named)

    def _is_meant_by_role(self, path: str, use: Use) -> bool:
        """Return whether a type beside a value, or a function beside a variable, is meant by what a name does.

        Of a method of the type itself, and one of its objects, what it is a member of decides.
        """
        if self.has_other_side:
            of_type = self._question.resolver.receivers.side(path, use)
            return of_type in (None, is_method_of_type(self._target))
        if values_apart(self._target.path):
            return self._names_type(path, use) in (None, declaration_space(self._target))
        by_path = self._texts.before(path, use).endswith("::")
        either = by_path and functions_apart(self._target.path)  # the type that is expected decides
        return either or (by_path or use.role is Role.Call) is self._target.callable

    def _calls_accessor(self, path: str, use: Use) -> bool:
        """Return whether a call runs the accessor of a component of a record: it gives nothing."""
        if use.role is not Role.Call or not self._is_beside_component:
            return False
        return arguments_at(self._index, path, use) == []

    @once
    def _is_beside_component(self) -> bool:
        """Return whether the symbol and its namesake are a component of a record and methods that take something."""
        both = [one for one in (self._target, self._namesake) if one is not None]
        return are_component_and_methods(self._index, both)

    def may_be_run(self, path: str, use: Use) -> bool:
        """Return whether the symbol is a method that may run where a property of its name is read that none declares.

        https://www.php.net/manual/en/language.oop5.overloading.php#object.get
        """
        if self._space_of_use(path, use) is not MemberSpace.Property:
            return False
        return declaration_space(self._target) == MemberSpace.Method.value and not self._has_property

    def _names_type(self, path: str, use: Use) -> bool | None:
        """Return whether a use means a type; None where it may mean a value as well, as an export does."""
        before = self._texts.before(path, use)
        if use.role is not Role.Inherit:
            return None if before.endswith(_EXPORTS) else use.role is Role.Type
        types = "implements" in before or "interface" in before
        return types if types or "class" in before else None

    def _space_of_use(self, path: str, use: Use) -> MemberSpace | None:
        """Return the space of the member that a use means; None where members of a type have no spaces."""
        semantics = semantics_of(path)
        if semantics is None or semantics.members.names_constant is None or not self._target.first.container:
            return None
        return space_of_use(semantics, self._question.project.lines(path), use)

    def _spaces_of_name(self, path: str, use: Use) -> Sequence[MemberSpace]:
        """Return the spaces in which a name is looked up; none where its language has no space of types."""
        semantics = semantics_of(path)
        return spaces_of_name(semantics, self._question.project.lines(path), use) if semantics is not None else ()

    @once
    def _spaces_of_namesakes(self) -> frozenset[int]:
        """Return the spaces in which the file declares the dotted name of the symbol, its own among them."""
        named = load_symbols(self._index, [(self._target.path, self._target.name)])
        unlisted = (int(one.sort == Sort.Callable) for one in self._unlisted)
        return frozenset((*map(declaration_space, (self._target, *named)), *unlisted))

    @once
    def _has_property(self) -> bool:
        """Return whether the type of the symbol declares a property of its name."""
        named = load_symbols(self._index, [(self._target.path, self._target.name)])
        return any(declaration_space(one) == MemberSpace.Property.value for one in named)

    @once
    def _declared_otherwise(self) -> frozenset[tuple[int, int]]:
        """Return where the file declares other symbols of the dotted name; nothing of what is called like a package."""
        if self._target.first.kind is SymbolKind.Package:
            return frozenset()
        named, mine = load_symbols(self._index, [(self._target.path, self._target.name)]), self._target.definitions
        others = (one for one in named if not any(part in mine for part in one.definitions))
        unlisted = ((one.line, one.column) for one in self._unlisted)
        return frozenset((*((part.line, part.column) for one in others for part in one.definitions), *unlisted))

    def _is_declared_at(self, path: str, use: Use) -> bool:
        """Return whether the symbol or a member that is called like it is declared where a use stands."""
        own, place = self._target.first, (use.line, use.column)
        return path == self._target.path and (place == (own.line, own.column) or place in self._declared_otherwise)

    @once
    def _unlisted(self) -> Sequence[Binding]:
        """Return the methods that a type without a name has beside the symbol, a field of that; or the reverse."""
        facts, _ = self._question.resolver.facts(self._target.path)
        if facts is None or not fields_apart(self._target.path):
            return ()
        return unlisted_namesakes(facts, self._target.first)

    @once
    def _is_never_called(self) -> bool:
        """Return whether the symbol is a field that no call of a member means; a component of a record is called."""
        if self._target.first.kind is not SymbolKind.Field or not fields_apart(self._target.path):
            return False
        container = self._target.first.container
        owners = load_symbols(self._index, [(self._target.path, container)]) if container else []
        if any(map(self._has_accessors, (self._target, *owners))):
            return False
        return not is_in_head_of_type(self._index, self._target)

    def _has_accessors(self, target: DefinedSymbol) -> bool:
        """Return whether annotations of a symbol add methods that are called like fields."""
        semantics, (facts, _) = target.semantics, self._question.resolver.facts(target.path)
        if semantics is None or not semantics.members.adds_accessors or facts is None:
            return False
        decorators = facts.decorators
        places = [(one.line, one.column) for one in target.definitions]
        return any(
            name in semantics.members.adds_accessors for place in places for name, _ in decorators.get(place, ())
        )

    @once
    def _namesake(self) -> DefinedSymbol | None:
        """Return the other symbol of the same dotted name: a method beside a field, a value beside a type."""
        semantics = self._target.semantics
        types_apart = semantics is not None and semantics.scopes.names_type is not None
        apart = types_apart or self.has_other_side
        if not (apart or fields_apart(self._target.path) or values_apart(self._target.path)):
            return None
        named = load_symbols(self._index, [(self._target.path, self._target.name)])
        mine = self._target.definitions
        return next((target for target in named if not any(one in mine for one in target.definitions)), None)
