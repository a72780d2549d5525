"""The names under which a symbol may be used, and the files in which each of them can mean it."""

from __future__ import annotations

from collections.abc import Callable, Collection

from leadline_tools.index.index import Index
from leadline_tools.languages import share_rules
from leadline_tools.languages.facts import METHODS, is_nameless
from leadline_tools.languages.outline import CALLABLE
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import SymbolKind
from leadline_tools.once import once
from leadline_tools.resolve.bindings.argument_names import is_in_head
from leadline_tools.resolve.occurrences.candidate_files import CandidateFiles, with_implicit_calls
from leadline_tools.resolve.occurrences.candidate_files import candidate_files as find_candidates
from leadline_tools.resolve.occurrences.shared_names import is_shared
from leadline_tools.resolve.overloads.call_shapes import parameters_of
from leadline_tools.resolve.project.project import language_group, same_language_group
from leadline_tools.resolve.project.subtype_names import SubtypeNames
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.references.written_names import written_name
from leadline_tools.resolve.symbols.augmentations import augmentation
from leadline_tools.resolve.symbols.defined_symbol import load_symbols
from leadline_tools.resolve.symbols.visibility import seeing
from leadline_tools.resolve.tiers.searched_symbol import SearchedSymbol

_MAKES = "new"
"""The keyword that runs a constructor where neither it nor an heir of its type stands: ``shapes.Add(new(1))`` (C#)."""


class SymbolNames:
    """Knows what a symbol is called, and where it can be."""

    def __init__(
        self, index: Index, symbol: SearchedSymbol, question: Question, within: Collection[str] | None
    ) -> None:
        self._index = index
        self._target = symbol.target
        self._symbol = symbol
        self._question = question
        self._within = within

    def names(self) -> list[str]:
        """Return the name of the symbol, and what is left of it where a use may leave out its ending."""
        name, semantics = self._target.first.name, self._target.semantics
        endings = semantics.uses.endings.values() if semantics is not None else ()
        shorter = [name.removesuffix(ending) for ending in endings if name != ending and name.endswith(ending)]
        made = [self._symbol.owner_name] if self._symbol.is_constructor and self._symbol.owner_name else []
        tokens = (*sorted(self._symbol.constructor_keywords), *self._symbol.implicit_call_tokens)
        return list(dict.fromkeys((name, *self.spellings, *shorter, *made, *tokens, *self._symbol.other_names)))

    @once
    def written(self) -> str:
        """Return how the symbol is declared, where the index has its name otherwise; empty where it does not."""
        return written_name(self._target)

    @once
    def spellings(self) -> frozenset[str]:
        """Return the names whose tokens are those of the symbol: as the index has it, and as it is written."""
        return frozenset(filter(None, (self._target.first.name, self.written)))

    def spelling(self, name: str) -> str:
        """Return a name as ``FileFacts.fetch`` takes it; empty where a string alone or an import may mean the symbol.

        Where strings may hold names (annotations in quotes) that of a member has what it is a member of before it.
        """
        semantics = self._target.semantics
        if name in self._symbol.implicit_call_tokens or is_shared(self._target.path, name):
            return ""
        if semantics is None or not semantics.uses.quotes:
            return name
        plain = name if semantics.uses.quotes_members else ""
        return f".{name}" if self._symbol.owner_name else plain

    def candidate_files(self, name: str) -> CandidateFiles:
        """Return the files that hold the symbol under a name; a local name is visible in its own file alone."""
        home = self._target.path
        if name in self._symbol.constructor_keywords or self._stands_behind_type(name):
            return CandidateFiles(self._running(name), ())
        sees = home.__eq__ if self.is_local() else self.sees
        owner = "" if is_nameless(self._symbol.owner_name) else self._symbol.owner_name
        if name in self._symbol.implicit_call_tokens:
            return with_implicit_calls(self._index, name, home, owner, sees, self._within, self._target.first.name)
        found = find_candidates(self._index, name, home, owner, sees, self._within)
        semantics = self._target.semantics
        rules = semantics.members.other_names if semantics is not None else None
        if rules is not None and not rules.bases and name in self._symbol.other_names:
            return CandidateFiles([path for path in found.visible if not share_rules(path, home)], ())
        return found

    def _stands_behind_type(self, sign: str) -> bool:
        """Return whether a sign calls the symbol behind the name of its type: an extension is one of another type."""
        semantics, first = self._target.semantics, self._target.first
        signs = semantics.calls.signs_behind_types if semantics is not None else frozenset[str]()
        return sign in signs and not any(one.receiver for one in parameters_of(self._target.source, first) or ())

    def _running(self, keyword: str) -> list[str]:
        """Return the files in which a keyword may run the constructor, or a sign call a member of its type.

        They have the type, its heirs or its name.

        All but ``new`` do so in the type itself and in those that inherit from it, which the index knows.
        """
        home, owner = self._target.path, self._symbol.owner_name
        names = SubtypeNames(self._index)
        inheriting = same_language_group(names.files(self._symbol.owner), language_group(home))
        declaring = [part.path for part in self._symbol.owner]
        by_heritage = keyword in self._symbol.constructor_keywords - {_MAKES} and all(
            map(names.knows_all, self._symbol.owner)
        )
        naming = () if by_heritage else find_candidates(self._index, owner, home, "", None, self._within).visible
        return list(dict.fromkeys((home, *declaring, *inheriting, *naming)))

    @once
    def sees(self) -> Callable[[str], bool] | None:
        """Return the predicate of files in which the symbol can be named; None where it can everywhere."""
        return None if self._is_in_head else self._sees_members

    def is_named_by_arguments_alone(self, path: str) -> bool:
        """Return whether only an argument of the constructor can name the symbol in a file.

        It is a private property that the head of its type or of a constructor declares: it is a parameter, too.
        https://kotlinlang.org/docs/classes.html#constructors-and-initializer-blocks,
        https://www.php.net/manual/en/language.oop5.decon.php#language.oop5.decon.constructor.promotion
        """
        sees = self._sees_members if self._is_in_head else None
        return sees is not None and not sees(path)

    @once
    def _sees_members(self) -> Callable[[str], bool] | None:
        return seeing(self._index, self._target)

    @once
    def _is_in_head(self) -> bool:
        """Return whether the head of its type or of a constructor declares it, and arguments may name it there."""
        semantics, container = self._target.semantics, self._target.first.container
        if not container or semantics is None or not semantics.calls.arguments:
            return False
        inside = (one for one in self._index.symbols.definitions(self._target.source) if one.container == container)
        constructors = (one.path for one in inside if one.kind is SymbolKind.Constructor)
        around = load_symbols(self._index, [(self._target.path, one) for one in (container, *constructors)])
        return any(is_in_head(one, self._target) for one in around)

    def is_local(self) -> bool:
        """Return whether only the file that defines the symbol can use it: it belongs to a function, or to a block."""
        facts = self._question.project.facts(self._target.path)
        binding = facts.at(self._target.name) if facts is not None else None
        if facts is None or binding is None or binding.scope <= 0:
            return False
        if facts.scopes[binding.scope].kind not in METHODS | {ScopeKind.Block}:
            return False
        if augmentation(self._question, self._target) is not None:
            return False  # what a block declares for all files
        container = self._target.first.container
        around = load_symbols(self._index, [(self._target.path, container)]) if container else []
        return all(part.kind in CALLABLE for one in around for part in one.definitions)
