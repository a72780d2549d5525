"""Proof that an occurrence means another symbol: what the name means, or that nothing leads from there to the symbol.

A definition of the tree is a proof, unless the linker or a condition decides which of two is meant. What comes from
outside of the tree is a proof only where no import of the file that was not followed could lead to the symbol.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from leadline_tools.index.index import Index
from leadline_tools.languages import language_of, semantics_of
from leadline_tools.languages.facts import OUTSIDE, Facts, Sort, Use
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.outline import VARIABLE
from leadline_tools.languages.terms import BARE
from leadline_tools.model import Reason, Role
from leadline_tools.once import once
from leadline_tools.resolve.hierarchy.structural_literals import StructuralLiterals
from leadline_tools.resolve.project.resolution import LocalName, NonSymbol, Resolution, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.symbols.augmentations import augmentation
from leadline_tools.resolve.symbols.defined_symbol import DefinedSymbol, load_symbols
from leadline_tools.resolve.symbols.unfollowed_imports import UnfollowedImports

_LONGEST_HEAD = 20
"""Lines of decorators above a function that are looked at."""


class ProofOfAnother:
    """Decides for one symbol whether what an occurrence means proves that it is another one."""

    def __init__(self, index: Index, question: Question, target: DefinedSymbol) -> None:
        self._index = index
        self._question = question
        self._target = target
        self._apart: dict[tuple[str, SymbolRef | LocalName], bool] = {}
        self._imports = UnfollowedImports(index, question, target)
        self._externs: dict[str, frozenset[int]] = {}
        self._literals = StructuralLiterals(index, question)

    def is_another(self, path: str, facts: Facts, name: str, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether an occurrence in a file, none of whose meanings is the symbol, surely means something else."""
        if not meanings or not all(self._proves(path, facts, name, use, meaning) for meaning in meanings):
            return False
        if self._given is not None and self._is_given_to(path, facts, use, meanings):
            return False
        if use.role is Role.Definition and "." in self._target.name and _is_of_unknown(facts, name, use):
            return False
        receivers = self._question.resolver.receivers
        if "." not in self._target.name or not receivers.is_partly_unknown(path, use):
            return self._target.first.kind not in VARIABLE or not receivers.is_held_by_key(path, name, use, meanings)
        return False

    @once
    def _given(self) -> Callable[[str, str, str], bool] | None:
        """Return what decides whether a tool gives a function the result of the symbol; None for no such symbol."""
        language, first = language_of(self._target.path), self._target.first
        if language is None or language.names.gives_to_parameters is None:
            return None
        head = "\n".join(self._target.source.lines()[first.start_line - 1 : first.line])
        return language.names.may_be_given if language.names.gives_to_parameters(head) else None

    def _is_given_to(self, path: str, facts: Facts, use: Use, meanings: Sequence[Resolution]) -> bool:
        """Return whether an occurrence is the parameter of a function to which a tool may give the symbol's result."""
        for one in meanings:
            bound = list(facts.within(one.name, one.scope)) if isinstance(one, LocalName) else []
            function = next(
                (of for of in facts.bindings if bound and of.sort == Sort.Callable and of.spelled == bound[0].scope),
                None,
            )
            if function is None or (bound[0].line, bound[0].column) != (use.line, use.column):
                continue
            lines = self._question.project.lines(path)
            before = "\n".join((*lines[function.line - 1 : use.line - 1], lines[use.line - 1][: use.column - 1]))
            above = lines[max(0, function.line - _LONGEST_HEAD) : function.line]
            head = "\n".join(above).rpartition("\n\n")[2]
            is_parameter = before.count("(") > before.count(")")
            if is_parameter and self._given is not None and self._given(self._target.path, path, head):
                return True
        return False

    def _proves(self, path: str, facts: Facts, name: str, use: Use, meaning: Resolution) -> bool:
        if isinstance(meaning, SymbolRef | LocalName):
            key = path, meaning  # whatever the use: a file may name one thing hundreds of times
            if key not in self._apart:
                self._apart[key] = self._is_apart(path, meaning)
            return self._apart[key]
        if not isinstance(meaning, NonSymbol):
            return True
        if self._adds_to_others:
            return False
        semantics = semantics_of(path)
        if use.role is Role.Definition or (semantics is not None and name in semantics.visibility.predeclared):
            return True
        if semantics is not None and use.receiver == BARE and _is_imported_whole(facts, semantics, name):
            return True
        is_added = use.role is Role.Call and _may_add_methods(facts, semantics)
        return not (is_added or self._imports.may_lead_home(path, facts))

    def _is_apart(self, path: str, meaning: SymbolRef | LocalName) -> bool:
        """Return whether a definition or a local name that a file means is surely not the symbol."""
        if self._literals.may_be_same(self._itself, meaning):
            return False
        if isinstance(meaning, LocalName):
            return not self._is_extern(path, meaning)
        merged = self._adds_to_others and meaning.path != self._target.path and "." not in meaning.name
        return not (merged or self._may_be_linked(meaning) or self._gives_added_member(meaning))

    def _gives_added_member(self, meaning: SymbolRef) -> bool:
        """Return whether one of two members is declared for a type of another module, and the other assigned to it.

        ``declare module "./a" { interface A { run(): void } }`` beside ``A.prototype.run = function () {}``
        """
        semantics = semantics_of(self._target.path)
        shorter, longer = sorted((meaning.name, self._target.name), key=len)
        if semantics is None or not semantics.members.compares_members or "." not in shorter:
            return False
        if not longer.endswith(f".{shorter}"):
            return False
        other = load_symbols(self._index, [(meaning.path, meaning.name)]) if longer == meaning.name else []
        return self._adds_to_others or any(augmentation(self._question, one) is not None for one in other)

    def _may_be_linked(self, meaning: SymbolRef) -> bool:
        """Return whether another file declares what may be the symbol: its stub, a script, or what the linker takes."""
        semantics = self._target.semantics
        if meaning.path == self._target.path or meaning.name != self._target.name:
            return False
        if meaning.path.removesuffix("i") == self._target.path.removesuffix("i"):
            return True  # a module and its stub (PEP 484)
        if semantics is not None and semantics.imports.is_script is not None:
            return all(self._question.resolver.globals.is_script(path) for path in (meaning.path, self._target.path))
        if semantics is None or not semantics.visibility.links_definitions:
            return False
        if self._question.resolver.linkage.has_body(meaning.path, meaning.name) and self._is_defined:
            return False  # two functions, in two programs
        return self._is_linked(meaning) and self._is_linked(self._itself)

    @once
    def _adds_to_others(self) -> bool:
        """Return whether the symbol is declared as what others declare too, or as a member of that."""
        return augmentation(self._question, self._target) is not None

    @once
    def _is_defined(self) -> bool:
        """Return whether the body of the symbol is known."""
        linkage = self._question.resolver.linkage
        return any(
            linkage.has_body(one.path, one.name) for one in linkage.definitions(self._target.path, self._target.name)
        )

    @property
    def _itself(self) -> SymbolRef:
        return SymbolRef(self._target.path, self._target.name, Reason.Definition)

    def _is_linked(self, of: SymbolRef) -> bool:
        facts, _ = self._question.resolver.facts(of.path)
        if facts is None or of.name in facts.inner:
            return False
        return any(one.sort in (Sort.Callable, Sort.Value) and one.scope <= 0 for one in facts.all_at(of.name))

    def _is_extern(self, path: str, local: LocalName) -> bool:
        """Return whether a local name is declared to be defined elsewhere, as ``extern`` says inside of a function."""
        facts, _ = self._question.resolver.facts(path)
        named = facts.named(self._target.first.name) if facts is not None else ()
        declared = {one.line for one in named if one.scope == local.scope}
        return bool(declared) and not declared.isdisjoint(self._extern_lines(path))

    def _extern_lines(self, path: str) -> frozenset[int]:
        """Return the 1-based lines of a file that may declare something to be defined elsewhere."""
        if path not in self._externs:
            semantics = semantics_of(path)
            links = semantics is not None and semantics.visibility.links_definitions
            source = self._question.project.sources.get(path) if links else None
            self._externs[path] = _lines_with(source.content, b"extern") if source is not None else frozenset()
        return self._externs[path]


def _is_of_unknown(facts: Facts, name: str, use: Use) -> bool:
    """Return whether what is assigned to a member of a variable declares it, of whose object nothing is known."""
    path, place = f"{use.receiver}.{name}", (use.line, use.column)
    named = (one for one in facts.named(name) if one.scope == OUTSIDE and one.path == path)
    assigned = any((one.line, one.column) == place for one in named)
    held = next(filter(None, (facts.within(use.receiver, scope) for scope in facts.outwards(use.scope))), ())
    known = (one.made or one.type or one.imported >= 0 or one.sort != Sort.Value for one in held)
    return assigned and bool(held) and not any(known)


def _lines_with(content: bytes, word: bytes) -> frozenset[int]:
    """Return the 1-based lines of a text that hold some bytes."""
    found: set[int] = set()
    line, start, at = 1, 0, content.find(word)
    while at >= 0:
        line += content.count(b"\n", start, at)
        found.add(line)
        start, at = at, content.find(word, at + len(word))
    return frozenset(found)


def _may_add_methods(facts: Facts, semantics: Semantics | None) -> bool:
    """Return whether an annotation in a file may give members of other types to objects from outside."""
    names = semantics.members.adds_methods if semantics is not None else frozenset[str]()
    return any(use.role is Role.Decorator for name in names for use in facts.uses.get(name, ()))


def _is_imported_whole(facts: Facts, semantics: Semantics, name: str) -> bool:
    """Return whether imports of a file bind a name, each to a whole name: nothing else in the file is meant by it."""
    imported = (facts.imports[one.imported] for one in facts.named(name) if one.imported >= 0)
    return semantics.scopes.autoloads is not None and any(one.space for one in imported)
