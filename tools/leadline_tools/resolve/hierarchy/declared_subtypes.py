"""Types that say what they inherit from: the clauses of a file that name one of some types as a base."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from leadline_tools.index.index import Index
from leadline_tools.index.questions.names import Wanted
from leadline_tools.languages.facts import NAMELESS, Facts, Sort, is_type_parameter
from leadline_tools.languages.outline import CLASS_LIKE
from leadline_tools.languages.terms import Op, parsed
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.hierarchy.search_record import SearchRecord, Unnamed
from leadline_tools.resolve.occurrences.tokens import count_tokens
from leadline_tools.resolve.project.project import language_group
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, Resolution, SymbolRef
from leadline_tools.resolve.project.subtype_names import SubtypeNames
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.defined_symbol import load_symbols
from leadline_tools.resolve.symbols.unfollowed_imports import UnfollowedImports
from leadline_tools.resolve.types.inheritance import Clause, Inheritance

_PATH = re.compile(r"\w+(?:\s*::\s*\w+)+")
_SEGMENT = re.compile(r"\w+")
"""A path of Rust with several segments, and a segment."""

_MOST_ALIKE = 8
"""Types of one name of which is found out whether a file may import them."""

_WantedBases = frozenset[tuple[str, str]]
"""The types that are wanted as bases, by path and name."""


class DeclaredSubtypes:
    """Reads what types say of their bases."""

    def __init__(
        self,
        index: Index,
        question: Question,
        inheritance: Inheritance,
        names: SubtypeNames,
        record: SearchRecord,
    ) -> None:
        self._index = index
        self._question = question
        self._project = question.project
        self._imports: dict[tuple[str, str], Sequence[UnfollowedImports]] = {}
        self._inheritance = inheritance
        self._names = names
        self._record = record

    def inheriting(self, path: str, wanted: _WantedBases, names: frozenset[str]) -> Iterator[SymbolRef]:
        """Yield the types that a file says inherit from one that is wanted, which is known by some names."""
        if self._project.facts(path) is None:
            self._note_unread(path, names)
        told: set[str] = set()
        for clause in self._inheritance.base_clauses(path):
            told.add(clause.heritage.path.removeprefix(NAMELESS))
            for term in clause.heritage.bases:
                if self._may_name(clause, term, names):
                    yield from self._confirm(clause, term, wanted)

        self._note_untold(path, names, told)

    def _note_untold(self, path: str, names: frozenset[str], told: AbstractSet[str]) -> None:
        """Note the types of a file that may have a base with any of some names and of which its facts say nothing.

        They are in lines that did not parse, as a rule.
        """
        relations = self._index.related.of(path)
        if relations is None or self._project.facts(path) is None:
            return
        for one in relations.unparsed:
            if (base := next(iter(names.intersection(one.bases)), "")) and one.name not in told:
                self._record.undecided.add(Unnamed(path, one.line, one.name, base))

    def _may_name(self, clause: Clause, term: str, names: frozenset[str]) -> bool:
        """Return whether a base of a type may be one that has any of some names.

        What a lambda is called on is no base of it.
        """
        is_receiver = clause.of is None and term.endswith(Op.Itself)
        return not is_receiver and self._names.may_mean(clause.path, clause.heritage, term, names)

    def _confirm(self, clause: Clause, term: str, wanted: _WantedBases) -> Iterator[SymbolRef]:
        """Yield the type that has a base, if that means one of those wanted; note it where that is not known."""
        meant = self._inheritance.resolve_base(clause, term)
        types = [one.origin for one in meant if isinstance(one.origin, SymbolRef)]
        if any((one.path, one.name) in wanted for one in types):
            found = self._symbol_of(clause, term)
            if found is None:
                self._record.nameless.update(self._places(clause, term))
            else:
                if clause.heritage.line:
                    self._record.lines.setdefault((found.path, found.name), {})[clause.heritage.line] = None
                yield found
            if clause.of is not None and clause.of != found:  # what it declares there is a member all the same
                self._record.apart.add((clause.of.path, clause.of.name))
                yield clause.of
        elif not types and self._project.late:
            self._record.late.add(clause.path)
        elif not types and not any(self._is_apart(clause.path, term, one.origin, wanted) for one in meant):
            self._record.undecided.update(self._places(clause, term))

    def _symbol_of(self, clause: Clause, term: str) -> SymbolRef | None:
        """Return the type that says it has a base; None for one without a symbol in the tree.

        A clause that stands apart from its type (``impl Trait for path::Type``) may name one of another file.
        """
        of = clause.of
        facts = self._project.facts(clause.path)
        if of is None or facts is None or of.path != clause.path or facts.at(of.name) is not None:
            return of
        name = of.name.rpartition(".")[2]
        source, line = self._index.try_read(clause.path), self._lines_of(clause, term)[0]
        lines = source.lines() if source is not None else []
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        spelled = (_SEGMENT.findall(one) for one in _PATH.findall(text))
        module = next((segments[-2] for segments in spelled if segments[-1] == name), None)
        if module is None:
            return None
        wanted = Wanted(accepts=lambda path, d: d.kind in CLASS_LIKE and _is_in_module(path, module), every=True)
        hits = self._index.names.exact(name, wanted).hits
        related = [hit for hit in hits if language_group(hit.file.path) == language_group(clause.path)]
        if len(related) != 1:
            return None
        return SymbolRef(related[0].file.path, related[0].definition.path, Reason.Import)

    def _places(self, clause: Clause, term: str) -> Iterator[Unnamed]:
        """Yield where a type is declared that says it inherits from something."""
        of, heritage = clause.of, clause.heritage
        if of is None:
            name = heritage.path.removeprefix(NAMELESS)
            yield Unnamed(clause.path, heritage.line, "" if name.isdigit() else name, term)
            return
        facts = self._project.facts(clause.path)
        binding = facts.at(of.name) if facts is not None and of.path == clause.path else None
        for line in [binding.line] if binding is not None else self._lines_of(clause, term):
            yield Unnamed(clause.path, line, of.name, term)

    def _lines_of(self, clause: Clause, term: str) -> Sequence[int]:
        """Return the lines on which a type names a base, if they are not the line that declares the type."""
        facts = self._project.facts(clause.path)
        if facts is None or clause.heritage.line:
            return [clause.heritage.line or 1]
        base = _SEGMENT.findall(term)[-1:]
        named = [use for one in base for use in facts.uses.get(one, ()) if use.role is Role.Inherit]
        owner = clause.heritage.path.rpartition(".")[2]
        source = self._index.try_read(clause.path)
        lines = source.lines() if source is not None else []
        spelled = re.compile(rf"(?<![\w\[]){re.escape(owner)}(?![\w;\]])")
        known = [use for use in named if use.line <= len(lines)]
        behind = {use.line for use in known if spelled.search(lines[use.line - 1], use.end_column - 1)}
        beside = {use.line for use in known if owner in _SEGMENT.findall(lines[use.line - 1])}
        return sorted(behind) or [min(beside or {use.line for use in named} or {1})]

    def _is_apart(self, path: str, term: str, of: Resolution, wanted: _WantedBases) -> bool:
        """Return whether what a base stands for in a file is surely none of the types that are wanted.

        That is a type that no other file can name, a type parameter, or what an import takes from outside.
        """
        facts = self._project.facts(path)
        if facts is None:
            return False
        if not isinstance(of, LocalName):
            names = _imported_names(facts, term) if isinstance(of, ExternalType) else frozenset[str]()
            return bool(names) and not self._may_import(path, facts, wanted, names)
        facts = self._project.facts(of.path)
        bindings = facts.within(of.name, of.scope) if facts is not None else ()
        return any(one.sort == Sort.Type or is_type_parameter(one) for one in bindings)

    def _may_import(self, path: str, facts: Facts, wanted: _WantedBases, names: frozenset[str]) -> bool:
        """Return whether an import of a file that was not followed may lead to one of the types that have some names.

        Of many types, and where none has such a name, as one that is called otherwise there, it may.
        """
        alike = sorted(one for one in wanted if one[1].rpartition(".")[2] in names)
        if not 0 < len(alike) <= _MOST_ALIKE:
            return True
        for one in alike:
            if one not in self._imports:
                targets = load_symbols(self._index, [one])
                self._imports[one] = [UnfollowedImports(self._index, self._question, target) for target in targets]
        return any(imports.may_lead_home(path, facts) for one in alike for imports in self._imports[one])

    def _note_unread(self, path: str, names: frozenset[str]) -> None:
        """Count a file without facts: one that is late, or one that could not be parsed and holds one of the names."""
        file = self._index.files.get(path)
        if file is None:
            return
        if not file.error:
            self._record.late.add(path)
            return
        with self._index.tree.reading() as reader:
            text = reader.text(path)
        if any(count_tokens(text, name) for name in names):
            self._record.unparsed.add(path)


def _imported_names(facts: Facts, term: str) -> frozenset[str]:
    """Return by what names modules may have what a term takes of an import; none where it begins with anything else."""
    named = [binding for one in parsed(term) for binding in facts.named(one.head)]
    if not named or any(binding.imported < 0 for binding in named):
        return frozenset()
    imported = (facts.imports[binding.imported] for binding in named)
    return frozenset((*(one.name for one in imported), *_SEGMENT.findall(term)[-1:])) - {""}


def _is_in_module(path: str, module: str) -> bool:
    """Return whether a file is, or is in, the module that the last segment before a name says."""
    if module in ("crate", "self", "super"):
        return True
    return module in re.split(r"[/.]", path)
