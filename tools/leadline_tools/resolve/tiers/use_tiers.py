"""The tier of each occurrence of a name for one symbol: exact, likely, by name alone, or none as it means another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts, Use, readable
from leadline_tools.languages.outline import CLASS_LIKE, NAMESPACE_LIKE
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, TOP, UNKNOWN
from leadline_tools.model import Reason, Role, Tier
from leadline_tools.once import once
from leadline_tools.resolve.external.literal_keys import LiteralKeys
from leadline_tools.resolve.external.outside import is_from_outside
from leadline_tools.resolve.hierarchy.search_record import is_member
from leadline_tools.resolve.occurrences.shared_names import is_shared
from leadline_tools.resolve.occurrences.tokens import Token
from leadline_tools.resolve.overloads.call_shapes import OverloadMatch
from leadline_tools.resolve.overloads.called_overloads import called_overloads
from leadline_tools.resolve.overloads.extension_overloads import are_several_extensions, extension_overloads
from leadline_tools.resolve.overloads.labelled_overloads import labelled_overloads
from leadline_tools.resolve.overloads.method_overloads import MethodOverloads
from leadline_tools.resolve.project.resolution import EXTERNAL, LocalName, Module, Resolution, SymbolRef
from leadline_tools.resolve.project.resolved_uses import Override, ResolvedUse
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol
from leadline_tools.resolve.symbols.unlisted import declared_member
from leadline_tools.resolve.tiers.constructions import Constructions
from leadline_tools.resolve.tiers.likely_tier import LikelyTier
from leadline_tools.resolve.tiers.line_texts import LineTexts
from leadline_tools.resolve.tiers.namesakes import Namesakes
from leadline_tools.resolve.tiers.proof import ProofOfAnother
from leadline_tools.resolve.tiers.searched_symbol import SearchedSymbol
from leadline_tools.resolve.tiers.shared_tiers import SharedTier, SharedTiers

_OVERLOADS = "overloads"
"""What occurrences mean that mean another function of the name."""


class UseTiers:
    """Decides which occurrences mean a symbol, and how sure that is.

    Attributes:
        symbol: The symbol.
        labels: The functions that have its name, where their labels tell them apart.
        overloads: The same, the extensions that have its name, where their types tell them apart, or the functions,
            where the arguments of calls do.
        constructions: Where objects are made, if it is a constructor.
        other_symbols: What the occurrences mean that mean another symbol, since this was cleared.

    """

    def __init__(self, index: Index, target: DefinedSymbol, question: Question) -> None:
        self.other_symbols = Counter[str]()
        self._index = index
        self._target = target
        self._question = question
        self.symbol = SearchedSymbol(index, target, question)
        self.labels = labelled_overloads(index, target)
        self.overloads = (
            self.labels or extension_overloads(index, question, target) or called_overloads(index, question, target)
        )
        texts = LineTexts(index)
        self.constructions = Constructions(index, self.symbol, question, self.labels, texts)
        self._namesakes = Namesakes(index, target, question, texts)
        self._likely_tier = LikelyTier(index, self.symbol, question)

    def uses(self, path: str, facts: Facts, name: str) -> Iterator[ResolvedUse | Override]:
        """Yield the occurrences of a name that mean the symbol or may mean it, and the members that are called so."""
        exports = name != self._target.first.name and path == self._target.path and is_shared(path, name)
        uses = filter(partial(self._namesakes.may_mean, path), facts.uses.get(name, ()))
        shared = self._shared_tiers(path, facts, name)
        for use in (one for one in uses if not exports or one.role is Role.Import):
            known = shared.find(use) if shared is not None else None
            if known is None or shared is None:
                yield from self._decide(path, facts, name, use, shared)
            else:
                placed = use if known.role is use.role else use._replace(role=known.role)
                yield ResolvedUse(path, name, placed, known.tier, known.reason, shared.container(use.scope))

    def _shared_tiers(self, path: str, facts: Facts, name: str) -> SharedTiers | None:
        """Return what the uses of the symbol in a file share; None where each is decided on its own."""
        semantics = semantics_of(path)
        apart = self.overloads is not None or self.constructions.overloads is not None or self.symbol.is_constructor
        if apart or semantics is None or path == self._target.path or name != self._target.first.name:
            return None
        return SharedTiers(facts, semantics, name)

    def _decide(
        self, path: str, facts: Facts, name: str, use: Use, shared: SharedTiers | None
    ) -> Iterator[ResolvedUse | Override]:
        """Yield an occurrence if it means the symbol or may mean it, and the members that are called so."""
        resolved = self._question.resolver.resolve(path, name, use)
        if resolved and self._keys.may_be_another(path, name, use):
            resolved = ()
        meanings = self._methods.choose(path, use, resolved)
        decided = self._tier(path, facts, name, use, meanings)
        declared = [found for one in meanings if (found := declared_member(facts, name, use, one))]
        if decided is None and meanings:
            self.other_symbols[_describe(meanings[0])] += 1
        if decided is None and not declared:
            return  # whatever its arguments are
        match = self.overloads.match(path, use) if self.overloads is not None else OverloadMatch.Sure
        if match is OverloadMatch.Excluded or self.constructions.runs_another(path, facts, use, meanings):
            self.other_symbols[_OVERLOADS] += decided is not None
            return
        several = self.labels is not None and sum(isinstance(one, SymbolRef) for one in meanings) > 1
        others = [one for one in meanings if not self.symbol.is_meant_by(one)] if use.role is not Role.Import else ()
        several = several or (bool(others) and are_several_extensions(self._question, meanings))
        several = several or any(map(self.symbol.is_namesake, others)) or _is_one_of_imports(path, use, others)
        several = several or (use.role is Role.Read and len(meanings) > len(resolved) > 0)  # any overload of its name
        if decided is not None and decided[0] is Tier.Exact and (several or match is OverloadMatch.Possible):
            decided = Tier.Likely, decided[1]
        by_own_name = not self.symbol.is_other_name(path, name, use)
        if decided is not None and by_own_name and self._namesakes.may_be_run(path, use):
            decided = Tier.Name, Reason.Name
        if decided is None or decided[0] is Tier.Name:
            yield from (Override(path, use.line, one) for one in declared)
        if decided is not None:
            role = self._role(path, use, *decided)
            if shared is not None and meanings and not others:
                shared.put(use, SharedTier(*decided, role))
            yield ResolvedUse(path, name, use._replace(role=role), *decided, facts.around(use.scope))

    def dotted_use(self, path: str, facts: Facts, name: str, token: Token) -> ResolvedUse | None:
        """Return the use of a dotted name, which is that of its last part; None where that does not mean the symbol."""
        last = name.rpartition(".")[2]
        start = token.column + len(name) - len(last)
        for use in facts.uses.get(last, ()) if last != name else ():
            if (use.line, use.column) != (token.line, start):
                continue
            meanings = self._question.resolver.resolve(path, last, use)
            named = not meanings and self.symbol.is_named_as_namespace(path, facts, use)
            if named or (meanings and all(map(self.symbol.is_meant_by, meanings))):
                container, whole = facts.around(use.scope), use._replace(column=token.column)
                return ResolvedUse(path, name, whole, Tier.Exact, Reason.Import, container)
        return None

    def _tier(
        self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Resolution]
    ) -> tuple[Tier, Reason] | None:
        """Return the tier of an occurrence, and why; None where it means another symbol."""
        known = self._tier_of_known_meaning(path, facts, name, use, meanings)
        if known is None and use.role is Role.Import and self._is_no_name_in_import(path):
            return None
        if known is None and not meanings and self.symbol.is_named_as_namespace(path, facts, use):
            if use.role is not Role.Import:
                return Tier.Exact, Reason.Scope
            return (
                Tier.Exact if use.scope <= 0 else Tier.Likely,
                Reason.Import,
            )  # inside of another it may be one of that
        if known is None and self._target.first.kind not in NAMESPACE_LIKE and _opens_namespace(facts, name, use):
            return None
        return known or self._likely_or_name_tier(path, facts, name, use, meanings)

    def _is_no_name_in_import(self, path: str) -> bool:
        """Return whether an import of a file cannot name the symbol, as it is no namespace and no type."""
        semantics = semantics_of(path)
        names_types_alone = semantics is not None and semantics.imports.names_types_alone
        return names_types_alone and self._target.first.kind not in CLASS_LIKE | NAMESPACE_LIKE

    def _role(self, path: str, use: Use, tier: Tier, reason: Reason) -> Role:
        """Return what an occurrence does: a method that gives a value to an attribute of a base declares nothing."""
        if self.symbol.is_declaration(path, use):
            return Role.Definition
        if self.symbol.is_constructor and reason is Reason.Receiver and use.role is Role.Read:
            return Role.Call
        assigned = use.role is Role.Definition and reason is Reason.Receiver and tier is not Tier.Name
        return Role.Write if assigned else use.role

    def _tier_of_known_meaning(
        self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Resolution]
    ) -> tuple[Tier, Reason] | None:
        """Return the tier of an occurrence that is known to mean the symbol, and why; None where it is not known to."""
        if self.symbol.is_declaration(path, use):
            return Tier.Exact, Reason.Definition
        meant = next((meaning for meaning in meanings if self.symbol.is_meant_by(meaning)), None)
        if meant is not None:
            reason = meant.reason if isinstance(meant, SymbolRef) else Reason.Receiver
            runs = name in self.symbol.constructor_keywords
            tier = self.constructions.tier(path, facts, use) if runs else self._tier_of_meaning(path, use, meant)
            return tier, reason
        if self.constructions.runs_constructor(path, use, meanings):
            return self.constructions.tier(path, facts, use), Reason.Receiver
        if self.constructions.is_given_to_call(path, use, meanings):
            return Tier.Name, Reason.Name
        if name == self._target.first.name and self.symbol.is_embedded(meanings):
            return Tier.Exact, Reason.Receiver
        return None

    def _likely_or_name_tier(
        self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Resolution]
    ) -> tuple[Tier, Reason] | None:
        """Return the tier of an occurrence that may mean the symbol, and why; None where it means another one."""
        is_other_name = self.symbol.is_other_name(path, name, use)
        own_name = name == self._target.first.name or is_other_name or self.symbol.is_called_by(name)
        is_at_top = use.receiver == TOP and not meanings and is_member(self._index, self._target)
        if is_at_top or self._names_field(path, use):
            return None  # outside of all namespaces nothing is a member of a type
        if use.role is not Role.Definition:
            if not _is_local(meanings) and self.symbol.may_be_bound(path, facts, name, use):
                return Tier.Likely, Reason.Import
            if own_name and not meanings:
                if is_other_name or not self._likely_tier.is_likely(path, facts, use):
                    return Tier.Name, Reason.Name
                if not is_from_outside(self._index, self._question, path, name, use):
                    return Tier.Likely, Reason.Receiver
                meanings = (EXTERNAL,)
        if own_name and not self._proof.is_another(path, facts, name, use, meanings):
            return Tier.Name, Reason.Name
        return None

    @once
    def _is_method(self) -> bool:
        return self._target.callable and is_member(self._index, self._target)

    def _names_field(self, path: str, use: Use) -> bool:
        """Return whether the symbol is a method and a use the key of a literal, of any type: that names none."""
        semantics = semantics_of(path)
        names_field = semantics.uses.names_field if semantics is not None else None
        if names_field is None or not self._is_method or use.receiver in (BARE, UNKNOWN):
            return False
        lines = self._question.project.lines(path)
        if use.line > len(lines):
            return False
        line = lines[use.line - 1]
        before = line[: use.column - 1].strip() or lines[max(0, use.line - 2)]
        return names_field(before, line[use.end_column - 1 :])

    def _tier_of_meaning(self, path: str, use: Use, meant: Resolution) -> Tier:
        """Return the tier of a use by what it means: it may be from outside, or name what the symbol implements."""
        resolver = self._question.resolver
        declares = use.role in (Role.Definition, Role.Import)
        implements, called = resolver.evaluator.interfaces.implements, self._target.callable
        named = not declares and isinstance(meant, SymbolRef) and implements(meant, called=called)
        unsure = named or resolver.is_never_compiled(path, use.line)
        return Tier.Likely if unsure or resolver.receivers.may_be_another(path, use, meant) else Tier.Exact

    @once
    def has_other_side(self) -> bool:
        """Return whether a method of the type itself and one of its objects are two symbols of the name."""
        return self._namesakes.has_other_side

    @once
    def _keys(self) -> LiteralKeys:
        return LiteralKeys(self._question.resolver)

    @once
    def _methods(self) -> MethodOverloads:
        return MethodOverloads(self._index, self._question)

    @once
    def _proof(self) -> ProofOfAnother:
        return ProofOfAnother(self._index, self._question, self._target)


def _describe(meaning: Resolution) -> str:
    """Return what an occurrence means, as the account of another symbol names it."""
    match meaning:
        case SymbolRef():
            owner, _, name = readable(meaning.name).rpartition(".")
            return f"{owner.rpartition('.')[2]}.{name}" if owner else f"{meaning.path}:{name}"
        case LocalName():
            return "local names"
        case Module():
            return "modules"
        case _:
            return "from outside"


def _is_one_of_imports(path: str, use: Use, others: Sequence[Resolution]) -> bool:
    """Return whether a call may mean other functions that its file imports under one name."""
    semantics = semantics_of(path)
    called = bool(others) and use.role is Role.Call and use.receiver == BARE
    return called and semantics is not None and semantics.imports.explicit_first


def _opens_namespace(facts: Facts, name: str, use: Use) -> bool:
    """Return whether a use is a part of the name of the namespace that its line opens."""
    around = facts.scopes[use.scope] if use.scope > 0 else None
    opened = facts.at(around.name) if around is not None and around.kind is ScopeKind.Namespace else None
    if opened is None or around is None or opened.line != use.line or use.column < opened.column:
        return False
    spelled = f"{use.receiver}.{name}" if use.receiver not in (BARE, UNKNOWN) else name
    return f".{spelled}." in f".{around.name}."


def _is_local(meanings: Sequence[Resolution]) -> bool:
    """Return whether a use surely means a local name."""
    return bool(meanings) and all(isinstance(one, LocalName) for one in meanings)
