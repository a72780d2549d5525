"""The symbol whose uses are searched: where it is declared, what means it, and by which tokens it is used."""

from __future__ import annotations

from collections.abc import Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import semantics_of
from leadline_tools.languages.facts import Facts, Sort, Use
from leadline_tools.languages.outline import CLASS_LIKE, is_numbered, owner_of, without_numbers
from leadline_tools.languages.rules.members import OtherNames
from leadline_tools.languages.terms import BARE, WRITTEN
from leadline_tools.model import Reason, Role, SymbolKind
from leadline_tools.once import once
from leadline_tools.resolve.bindings.local import constructs
from leadline_tools.resolve.imports.module_paths import modules_at
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.receivers.other_names import inherits_from
from leadline_tools.resolve.scopes.lookup_scope import scope_binding
from leadline_tools.resolve.symbols.augmentations import augmenting
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.parts import everywhere, parts
from leadline_tools.resolve.symbols.unlisted import embedded_types, name_of, nameless_owner
from leadline_tools.resolve.symbols.visibility import signature_of

_MOST_LINES = 60
"""Lines of a declaration in which is looked for other names of what it declares."""


class SearchedSymbol:
    """The symbol whose uses are looked for.

    Args:
        target: The symbol.

    """

    def __init__(self, index: Index, target: DefinedSymbol, question: Question) -> None:
        self.target = target
        self._index = index
        self._question = question

    @once
    def owner(self) -> Sequence[SymbolRef]:
        """Return the type that has the symbol, as each of its parts declares it.

        What is defined outside of its type, as C++ allows, is declared in the type: another file may hold that.
        """
        owner = owner_of(self.target.name)
        if not owner:
            owner = nameless_owner(self._question.project.facts(self.target.path), self.target.first)
        declared = self._question.resolver.declarations(self.target.path, self.target.name)
        elsewhere = [(one.path, around) for one in declared if (around := owner_of(one.name))]
        places = dict.fromkeys([(self.target.path, owner), *elsewhere])
        found = (everywhere(self._index, SymbolRef(*place, Reason.Definition)) for place in places)
        return tuple(dict.fromkeys(one for several in found for one in several))

    @property
    def owner_name(self) -> str:
        """Return how the type is called that has the symbol; empty where it is no member."""
        return owner_of(self.target.name).rpartition(".")[2]

    @once
    def is_constructor(self) -> bool:
        """Return whether the symbol is the constructor of its type."""
        return constructs(self.target)

    def is_called_by(self, sign: str) -> bool:
        """Return whether a sign always calls a method of the name of the symbol."""
        semantics = self.target.semantics
        certain = semantics.calls.certain_signs if semantics is not None else frozenset[str]()
        return sign in certain and sign in self.implicit_call_tokens

    @once
    def other_names(self) -> Sequence[str]:
        """Return the other names by which the symbol is used: in another language, or as a library has it."""
        semantics, first = self.target.semantics, self.target.first
        rules = semantics.members.other_names if semantics is not None else None
        if rules is None:
            return ()
        lines = self.target.source.lines()[first.start_line - 1 : max(first.line, first.end_line)][:_MOST_LINES]
        names = list(dict.fromkeys(rules.names(first.kind, first.name, "\n".join(lines))))
        return names if names and self._may_have_other_names(rules) else ()

    def _may_have_other_names(self, rules: OtherNames) -> bool:
        """Return whether the type of the symbol may be one whose members are used by other names."""
        if not rules.bases or not self.target.first.container:
            return not rules.bases
        place = self.target.path, self.target.first.container
        resolver, of = self._question.resolver, SymbolRef(*place, Reason.Definition)
        is_trait = any(signature_of(one).startswith("trait ") for one in load_symbols(self._index, [place]))
        return is_trait or inherits_from(resolver, resolver.evaluator, of, rules.bases) is not False

    def is_other_name(self, path: str, name: str, use: Use) -> bool:
        """Return whether a use may mean the symbol by another name of it."""
        semantics = semantics_of(path)
        rules = semantics.members.other_names if semantics is not None else None
        if rules is None or name not in self.other_names or use.role in (Role.Definition, Role.Import):
            return False
        return not rules.bases or (use.receiver != BARE and self.target.first.name in rules.declared(name, use.role))

    @once
    def constructor_keywords(self) -> frozenset[str]:
        """Return the keywords that run the constructor which is looked for."""
        semantics = self.target.semantics
        return semantics.calls.constructor_keywords if semantics is not None and self.is_constructor else frozenset()

    @once
    def implicit_call_tokens(self) -> Sequence[str]:
        """Return the tokens by which the symbol may be called without its name."""
        semantics = self.target.semantics
        if semantics is None or not (self.target.callable or semantics.calls.signs_use_fields):
            return ()
        return semantics.calls.implicit_call_tokens(self.target.first.name)

    @once
    def _declared(self) -> frozenset[tuple[str, str]]:
        """Return where the symbol is declared: in its file, and in others that declare the same thing.

        Members of one name in the parts of a type are its overloads, which are one symbol in one file too. Those for
        different targets are one symbol where they say so.
        """
        path, name = self.target.path, self.target.name
        others = self._question.resolver.declarations(path, name)
        rest = ((part.path, part.name) for part in parts(self._index, self.target))
        added: Sequence[tuple[str, str]] = ()
        if self.target.first.kind in CLASS_LIKE:
            added = [(one.path, one.declared) for one in augmenting(self._question, self.target)]
        semantics = semantics_of(path)
        for_targets = semantics is not None and bool(semantics.visibility.targets.words)
        owner = self.owner if "." in name and not (for_targets or is_numbered(name)) else ()
        beside = ((part.path, f"{part.name}.{name.rpartition('.')[2]}") for part in owner)
        return frozenset({(path, name), *((other.path, other.name) for other in others), *rest, *added, *beside})

    def is_meant_by(self, meaning: Resolution | None) -> bool:
        """Return whether what an occurrence means is the symbol."""
        return meaning is not None and name_of(meaning) in self._declared

    def is_namesake(self, meaning: Resolution) -> bool:
        """Return whether something is another symbol whose dotted name a number alone tells from that of the symbol."""
        own = self.target.name
        if not isinstance(meaning, SymbolRef) or meaning.name == own:
            return False
        return without_numbers(meaning.name) == without_numbers(own)

    def is_declaration(self, path: str, use: Use) -> bool:
        """Return whether a use is the declaration of the symbol, where no outline lists it."""
        first = self.target.first
        here = path == self.target.path and (use.line, use.column) == (first.line, first.column)
        return here and use.role is not Role.Definition

    def is_named_as_namespace(self, path: str, facts: Facts, use: Use) -> bool:
        """Return whether a use names the symbol, a namespace, where one is imported or one inside of it is opened."""
        if self.target.first.kind is not SymbolKind.Namespace:
            return False
        if use.role is Role.Import:
            lines = self._question.project.lines(path)
            text = lines[use.line - 1] if use.line <= len(lines) else ""
            return self.target.name in modules_at(facts, use.line, use.column, text)
        if use.role is not Role.Definition:
            return False
        opened = (one for one in facts.bindings if (one.line, one.column) == (use.line, use.column))
        return any(self._opens_inside(one.path, one.name) for one in opened)

    def _opens_inside(self, path: str, name: str) -> bool:
        """Return whether a namespace that is opened by a dotted ``name`` is in the symbol by the first part of that."""
        first, dot, _ = name.partition(".")
        return bool(dot) and path.removesuffix(name) + first == self.target.name

    def is_embedded(self, meanings: Sequence[Resolution]) -> bool:
        """Return whether a use means a field that is called by the type which the symbol is."""
        if self.target.first.kind not in CLASS_LIKE:
            return False
        return any(self.is_meant_by(one) for meaning in meanings for one in embedded_types(self._question, meaning))

    def aliases(self, path: str, facts: Facts, name: str) -> frozenset[str]:
        """Return the other names under which this file imports the symbol."""
        return frozenset(
            imported.alias
            for imported in facts.imports
            if imported.name == name
            and imported.alias not in (name, "")
            and not imported.alias.startswith(WRITTEN)
            and self.is_meant_by(self._question.resolver.imports.follow(path, imported))
        )

    def may_be_bound(self, path: str, facts: Facts, name: str, use: Use) -> bool:
        """Return whether one of several imports that bind a bare name binds it to the symbol: a condition decides.

        What an inner scope binds hides all of them. Of imported functions, and of one and a type of the file, a call
        tells which is meant.
        """
        if use.receiver != BARE or use.imported >= 0 or use.role is Role.Definition:
            return False
        bindings = facts.within(name, scope_binding(facts, name, use.scope))
        imports = [facts.imports[one.imported] for one in bindings if one.imported >= 0]
        semantics = semantics_of(path)
        if semantics is not None and semantics.scopes.imports_type is not None:
            return False  # an import says what it takes
        if semantics is not None and semantics.imports.explicit_first and self.target.callable:
            own = [one for one in bindings if one.imported < 0]
            if use.role is Role.Call or (len(imports) == 1 and own and all(one.sort == Sort.Type for one in own)):
                return False
        return len(bindings) > 1 and any(
            self.is_meant_by(self._question.resolver.imports.follow(path, one)) for one in imports
        )
