"""What each occurrence of a name means to one symbol: a use of it, surely or likely, a namesake, or something else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import MOST_FILES
from leadline_tools.languages import scoping_of
from leadline_tools.languages.facts import NAMELESS, Facts, Use
from leadline_tools.languages.outline import CLASS_LIKE
from leadline_tools.languages.terms import BARE, WRITTEN
from leadline_tools.model import Reason, Role, SymbolKind, Tier
from leadline_tools.once import once
from leadline_tools.resolve.bindings.local import constructs
from leadline_tools.resolve.calls.call_fit import CallFit
from leadline_tools.resolve.calls.call_shapes import MethodOverloads
from leadline_tools.resolve.calls.labels import LabelledFunctions, labelled_functions
from leadline_tools.resolve.calls.overloads import Overloads
from leadline_tools.resolve.project.findings import Found, Override
from leadline_tools.resolve.project.project import family
from leadline_tools.resolve.project.resolution import LocalName, Resolution, SymbolRef
from leadline_tools.resolve.project.shared_names import is_shared
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.references.proof import Proof
from leadline_tools.resolve.symbols.address import Target, defined, fields_apart, side, values_apart
from leadline_tools.resolve.symbols.augmentations import augmenting
from leadline_tools.resolve.symbols.parts import everywhere, parts
from leadline_tools.resolve.symbols.unlisted import embedded_types, name_of
from leadline_tools.resolve.types.literal_keys import LiteralKeys

_FEW_OWNERS = 4
"""Types with a member of one name, of which a file that names one most likely uses the member of that one."""

_MOST_OWNING = 4 * MOST_FILES
"""Files that define a name, among which the types that have such a member are not counted."""

_INITIALIZED = "this|"
"""The receiver of what a constructor initializes: a member, or the object as one of a base (C++)."""

_EXPORTS = ("export default ", "export = ")
"""What stands before a name of which both the value and the type are exported."""


class SymbolUses:
    """Decides which occurrences mean a symbol, and how sure that is."""

    def __init__(self, index: Index, target: Target, question: Question) -> None:
        self._index = index
        self._target = target
        self._question = question
        self._lines: dict[str, Sequence[str]] = {}

    @once
    def owner(self) -> Sequence[SymbolRef]:
        """Return the type that has the symbol, as each of its parts declares it."""
        owner = self._target.name.rpartition(".")[0]
        return everywhere(self._index, SymbolRef(self._target.path, owner, Reason.Definition))

    @once
    def constructor_keywords(self) -> frozenset[str]:
        """Return the keywords that run the constructor which is looked for."""
        scoping = scoping_of(self._target.path)
        return scoping.constructor_keywords if scoping is not None and self.is_constructor else frozenset()

    @property
    def owner_name(self) -> str:
        """Return how the type is called that has the symbol; empty where it is no member."""
        return self._target.name.rpartition(".")[0].rpartition(".")[2]

    def aliases(self, path: str, facts: Facts, name: str) -> frozenset[str]:
        """Return the other names under which this file imports the symbol."""
        return frozenset(
            imported.alias
            for imported in facts.imports
            if imported.name == name
            and imported.alias not in (name, "")
            and not imported.alias.startswith(WRITTEN)
            and self._means(self._question.resolver.follow(path, imported))
        )

    def _means(self, meaning: Resolution | None) -> bool:
        return meaning is not None and name_of(meaning) in self._declared

    def _is_declaration(self, path: str, use: Use) -> bool:
        """Return whether a use is the declaration of the symbol, where no outline lists it."""
        first = self._target.first
        here = path == self._target.path and (use.line, use.column) == (first.line, first.column)
        return here and use.role is not Role.Definition

    def _is_embedded(self, meanings: Sequence[Resolution]) -> bool:
        """Return whether a use means a field that is called by the type which the symbol is."""
        if self._target.first.kind not in CLASS_LIKE:
            return False
        return any(self._means(one) for meaning in meanings for one in embedded_types(self._question, meaning))

    def _is_kind(self, path: str, use: Use) -> bool:
        """Tell whether a use may mean the symbol, where something else has its dotted name or may have it."""
        if use.role is Role.Import:
            return True
        if self._namesake is None:
            return not (self._is_field_apart and use.role is Role.Call and self._before(path, use).endswith("."))
        if use.role is Role.Definition:
            other = self._namesake.definitions if path == self._target.path else ()
            return not any((one.line, one.column) == (use.line, use.column) for one in other)
        if values_apart(self._target.path):
            return self._means_type(path, use) in (None, side(self._target))
        called = use.role is Role.Call or self._before(path, use).endswith("::")
        return called is self._target.callable

    def _means_type(self, path: str, use: Use) -> bool | None:
        """Return whether a use means a type; None where it may mean a value as well, as an export does."""
        before = self._before(path, use)
        if use.role is not Role.Inherit:
            return None if before.endswith(_EXPORTS) else use.role is Role.Type
        types = "implements" in before or "interface" in before
        return types if types or "class" in before else None

    def _before(self, path: str, use: Use) -> str:
        """Return what stands before a use in its line."""
        if path not in self._lines:
            source = self._index.try_read(path)
            self._lines[path] = source.lines() if source is not None else []
        lines = self._lines[path]
        return lines[use.line - 1][: use.column - 1] if use.line <= len(lines) else ""

    @once
    def _is_field_apart(self) -> bool:
        """Tell whether the symbol is a field that no call of a member means; a component of a record is called."""
        if self._target.first.kind is not SymbolKind.Field or not fields_apart(self._target.path):
            return False
        container = self._target.first.container
        owners = defined(self._index, [(self._target.path, container)]) if container else []
        heads = (one.signature for owner in owners for one in owner.definitions)
        if any(map(self._has_accessors, (self._target, *owners))):
            return False
        return not any(start < self._target.first.signature[0] < end for start, end in heads)

    def _has_accessors(self, target: Target) -> bool:
        """Tell whether annotations of a symbol add methods that are called like fields."""
        scoping, (facts, _) = scoping_of(target.path), self._question.resolver.facts(target.path)
        if scoping is None or not scoping.adds_accessors or facts is None:
            return False
        decorators = facts.decorators
        places = [(one.line, one.column) for one in target.definitions]
        return any(name in scoping.adds_accessors for place in places for name, _ in decorators.get(place, ()))

    @once
    def _namesake(self) -> Target | None:
        """Return the other symbol of the same dotted name: a method beside a field, a value beside a type."""
        if not (fields_apart(self._target.path) or values_apart(self._target.path)):
            return None
        named = defined(self._index, [(self._target.path, self._target.name)])
        mine = self._target.definitions
        return next((target for target in named if not any(one in mine for one in target.definitions)), None)

    @once
    def _declared(self) -> frozenset[tuple[str, str]]:
        """Return where the symbol is declared: in its file, and in others that declare the same thing.

        Members of one name in the parts of a type are its overloads, which are one symbol in one file too.
        """
        path, name = self._target.path, self._target.name
        others = self._question.resolver.declarations(path, name)
        rest = ((part.path, part.name) for part in parts(self._index, self._target))
        added: Sequence[tuple[str, str]] = ()
        if self._target.first.kind in CLASS_LIKE:
            added = [(one.path, one.declared) for one in augmenting(self._question, self._target)]
        beside = ((part.path, f"{part.name}.{name.rpartition('.')[2]}") for part in self.owner if "." in name)
        return frozenset({(path, name), *((other.path, other.name) for other in others), *rest, *added, *beside})

    def uses(self, path: str, facts: Facts, name: str) -> Iterator[Found | Override]:
        """Yield the occurrences of a name that mean the symbol or may mean it, and the members that are called so."""
        exports = name != self._target.first.name and path == self._target.path and is_shared(path, name)
        uses = filter(partial(self._is_kind, path), facts.uses.get(name, ()))
        for use in (one for one in uses if not exports or one.role is Role.Import):
            fit = self.labels.fit(path, use) if self.labels is not None else CallFit.Sure
            if fit is CallFit.Excluded:
                continue
            resolved = self._question.resolver.resolve(path, name, use)
            if resolved and self._keys.may_be_another(path, name, use):
                resolved = ()
            meanings = self._methods.choose(path, use, resolved)
            container = facts.around(use.scope)
            found = self._certain(path, facts, name, use, meanings) or self._uncertain(path, facts, name, use, meanings)
            if self._is_another_overload(path, facts, use, meanings):
                continue
            if found is not None and found[0] is Tier.Exact and fit is CallFit.Possible:
                found = Tier.Likely, found[1]
            if found is None or found[0] is Tier.Name:
                owned = (one for one in meanings if isinstance(one, SymbolRef) and "." in one.name)
                yield from (Override(path, use.line, one.name) for one in owned if use.role is Role.Definition)
            if found is not None:
                yield Found(path, name, use._replace(role=self._role(path, use, *found)), *found, container)

    def _role(self, path: str, use: Use, tier: Tier, reason: Reason) -> Role:
        """Return what an occurrence does: a method that gives a value to an attribute of a base declares nothing."""
        if self._is_declaration(path, use):
            return Role.Definition
        if self.is_constructor and reason is Reason.Receiver and use.role is Role.Read:
            return Role.Call
        assigned = use.role is Role.Definition and reason is Reason.Receiver and tier is not Tier.Name
        return Role.Write if assigned else use.role

    def _certain(
        self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Resolution]
    ) -> tuple[Tier, Reason] | None:
        """Return how sure it is that an occurrence means the symbol, and why; None where it is not known to."""
        if self._is_declaration(path, use):
            return Tier.Exact, Reason.Definition
        meant = next((meaning for meaning in meanings if self._means(meaning)), None)
        if meant is not None:
            reason = meant.reason if isinstance(meant, SymbolRef) else Reason.Receiver
            runs = name in self.constructor_keywords
            return self._tier_of_construction(path, facts, use) if runs else self._tier(path, use, meant), reason
        if self._is_construction(path, use, meanings):
            return self._tier_of_construction(path, facts, use), Reason.Receiver
        if name == self._target.first.name and self._is_embedded(meanings):
            return Tier.Exact, Reason.Receiver
        return None

    def _uncertain(
        self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Resolution]
    ) -> tuple[Tier, Reason] | None:
        """Return how likely it is that an occurrence means the symbol, and why; None where it means another one."""
        own_name = name == self._target.first.name
        if use.role is not Role.Definition:
            if not _is_local(meanings) and self._may_be_bound(path, facts, name, use):
                return Tier.Likely, Reason.Import
            if own_name and not meanings:
                likely = self._is_likely(path, facts, use)
                return (Tier.Likely, Reason.Receiver) if likely else (Tier.Name, Reason.Name)
        if own_name and not self._proof.is_another(path, facts, name, use, meanings):
            return Tier.Name, Reason.Name
        return None

    @once
    def _keys(self) -> LiteralKeys:
        return LiteralKeys(self._question.resolver)

    @once
    def _methods(self) -> MethodOverloads:
        return MethodOverloads(self._index, self._question)

    @once
    def labels(self) -> LabelledFunctions | None:
        """Return the functions that have the name of the symbol, where their labels tell them apart."""
        return labelled_functions(self._index, self._target)

    @once
    def implicit_call_tokens(self) -> Sequence[str]:
        """Return the tokens by which the symbol may be called without its name."""
        scoping = scoping_of(self._target.path)
        if scoping is None or not self._target.callable:
            return ()
        return scoping.implicit_call_tokens(self._target.first.name)

    @once
    def is_constructor(self) -> bool:
        """Return whether the symbol is the constructor of its type."""
        return constructs(self._target)

    def _is_construction(self, path: str, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether a use makes an object of the type whose constructor the symbol is, by the name of that.

        Where a sign does so besides, as ``new``, it is that which is a use.
        """
        if not self.is_constructor or not any(
            isinstance(one, SymbolRef) and any(part.same(one) for part in self.owner) for one in meanings
        ):
            return False
        if use.role is Role.Inherit and self.labels is not None and self.labels.is_call(path, use):
            return True
        if use.role is Role.Call and "new" in self.implicit_call_tokens:
            return False
        return (
            use.role in (Role.Call, Role.Decorator)
            or use.receiver == _INITIALIZED
            or (bool(self.constructor_keywords) and self._after(path, use).startswith("::new"))
        )

    def _after(self, path: str, use: Use) -> str:
        """Return what stands after a use in its line, and after its type arguments."""
        self._before(path, use)
        lines = self._lines[path]
        text = lines[use.line - 1][use.end_column - 1 :] if use.line <= len(lines) else ""
        return text[text.find(">::") + 1 :] if text.startswith("<") else text

    @once
    def overloads(self) -> Overloads | None:
        """Return the constructors of the type, where not all of them are asked about."""
        overloads = Overloads(self._index, self._question, self._target) if self.constructor_keywords else None
        return overloads if overloads is not None and overloads.are_several else None

    def _is_another_overload(self, path: str, facts: Facts, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether a use runs or declares a constructor of the type that is not asked about."""
        if self.overloads is None or not (
            any(map(self._means, meanings)) or self._is_construction(path, use, meanings)
        ):
            return False
        return self.overloads.fit(path, facts, use) is CallFit.Excluded

    def _tier_of_construction(self, path: str, facts: Facts, use: Use) -> Tier:
        """Return how sure it is that a construction runs the constructor that is asked about."""
        if self.overloads is None or self.overloads.fit(path, facts, use) is CallFit.Sure:
            return Tier.Exact
        return Tier.Likely

    @once
    def _proof(self) -> Proof:
        return Proof(self._index, self._question, self._target)

    def _may_be_bound(self, path: str, facts: Facts, name: str, use: Use) -> bool:
        """Return whether one of several imports that bind a bare name binds it to the symbol: a condition decides."""
        if use.receiver != BARE or use.imported >= 0 or use.role is Role.Definition:
            return False
        imports = [facts.imports[one.imported] for one in facts.named(name) if one.imported >= 0]
        return len(facts.named(name)) > 1 and any(
            self._means(self._question.resolver.follow(path, one)) for one in imports
        )

    def _tier(self, path: str, use: Use, meant: Resolution) -> Tier:
        """Tell how sure a use is that may mean the symbol: it may be from outside, or name what this implements."""
        evaluator = self._question.resolver.evaluator
        declares = use.role in (Role.Definition, Role.Import)
        named = not declares and isinstance(meant, SymbolRef) and evaluator.interfaces.implements(meant)
        return Tier.Likely if named or evaluator.may_be_another(path, use, meant) else Tier.Exact

    def _is_likely(self, path: str, facts: Facts, use: Use) -> bool:
        """Tell of a member of something unknown whether it most likely is the one that is looked for.

        It is where nothing else in the code base has a member of that name, or few types have and the file names the
        one that is meant. Members that types from outside have too are told by that only.
        """
        owner, _, name = self._target.name.rpartition(".")
        if not owner or use.receiver == BARE or use.role in (Role.Import, Role.Other):
            return False
        if self._question.resolver.evaluator.is_foreign(path, use.receiver, use.scope):
            return False
        scoping = scoping_of(path)
        if use.taken and scoping is not None and scoping.implicit_calls:  # types from outside have most operators
            return False
        common = scoping is not None and name in scoping.common
        if self._owners == 1 and not common:
            return True
        owner = owner.rpartition(".")[2]
        return 0 < self._owners <= _FEW_OWNERS and (owner in facts.uses or bool(facts.named(owner)))

    @once
    def _owners(self) -> int:
        """Return how many types have a member of the name, 0 where they are too many to count."""
        name = self._target.first.name
        if self.owner_name.startswith(NAMELESS) or self._index.symbols.count_files_defining(name) > _MOST_OWNING:
            return 0
        found = self._index.names.exact(name)
        home = family(self._target.path)
        members = {(hit.file.path, hit.definition.container) for hit in found.hits if family(hit.file.path) == home}
        whole = not found.more and found.total == len(found.hits)
        return len([container for _, container in members if container]) if whole else 0


def _is_local(meanings: Sequence[Resolution]) -> bool:
    """Return whether a use surely means a local name."""
    return bool(meanings) and all(isinstance(one, LocalName) for one in meanings)
