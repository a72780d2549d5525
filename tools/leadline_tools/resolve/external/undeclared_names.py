"""Names that the resolver leaves open and that are from outside: nothing that a place can see declares them.

In a language in which every name is declared, what no file declares is from outside, and so is what a type from outside
has. What a language puts around every file (a prelude) is meant by a name that nothing nearer declares. No reference is
concluded from this: it is for the question where one use leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from leadline_tools.index.index import Index
from leadline_tools.index.text import scan
from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Binding, Facts, Sort, Use, nameless
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.placed_names import place_of
from leadline_tools.languages.rules.imports import PACKAGE, Imported
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.languages.terms import BARE, DECLARED, UNKNOWN, Op, Path, parsed
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.occurrences.tokens import tokens_of
from leadline_tools.resolve.project.project import language_group
from leadline_tools.resolve.project.resolution import ExternalType, LocalName, SymbolRef
from leadline_tools.resolve.question import Question
from leadline_tools.resolve.scopes.extension_methods import namespace_of

_MOST_FILES = 400
_MOST_BYTES = 8 << 20
"""Files, and their bytes, that are looked into for a declaration; a name that stands in more may be declared."""

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for a type that a place sees."""

_DEEPEST = 4
"""Names given the values of other names that are followed to a type from outside."""

_BLANK = b" \t\r\n"
_VALUES = frozenset({Role.Call, Role.Read, Role.Write, Role.Decorator})
_TYPES = frozenset({Role.Type, Role.Inherit, Role.Decorator})
_PLAIN = frozenset({Op.Member, Op.Call})
"""What is done with an object from outside that gives another one, whatever is given to calls."""


class UndeclaredNames:
    """Decides of uses in one index whether what they mean is declared outside."""

    def __init__(self, index: Index, question: Question) -> None:
        self._index = index
        self._question = question
        self._resolver = question.resolver

    def is_external(self, path: str, name: str, use: Use) -> bool:
        """Return whether a use, of which the resolver knows no meaning, surely means something from outside."""
        facts, semantics = self._resolver.facts(path)
        language = language_of(path)
        if facts is None or semantics is None or language is None or name in language.names.keywords:
            return False
        decided = semantics.visibility.prelude or semantics.visibility.declares_everything
        if not decided or use.role in (Role.Definition, Role.Other) or use.receiver == DECLARED:
            return False
        return self._is_from_outside(path, facts, semantics, name, use)

    def _is_from_outside(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> bool:
        if use.receiver == UNKNOWN:
            return self._is_of_unknown(path, facts, semantics, name, use)
        if use.imported >= 0:
            return not use.taken and self._is_imported_from_outside(path, facts.imports[use.imported])
        if use.receiver != BARE:
            return self._is_member(path, semantics, name, use)
        spelled = (name, f"{name}{semantics.uses.endings[use.role]}") if use.role in semantics.uses.endings else (name,)
        return all(self._is_bare(path, facts, semantics, one, use) for one in spelled)

    def _is_of_unknown(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> bool:
        """Return whether a member of something unknown is from outside, or what ``derive`` names."""
        if use.role is Role.Decorator:
            return name in semantics.visibility.prelude and self._is_bare(path, facts, semantics, name, use)
        taken = (
            self._text_before(path, use).rstrip().endswith(tuple(one.decode() for one in semantics.uses.member_signs))
        )
        return taken and use.role in _VALUES | _TYPES and self._is_declared_nowhere(path, semantics, name)

    def _text_before(self, path: str, use: Use) -> str:
        """Return what stands before a use in its line, or in the last line before that has something."""
        source = self._index.try_read(path)
        lines = source.lines() if source is not None else ()
        before = lines[use.line - 1][: use.column - 1] if use.line <= len(lines) else ""
        above = (line for line in reversed(lines[max(0, use.line - 3) : use.line - 1]) if line.strip())
        return before if before.strip() else next(above, "")

    # --- Names that stand alone

    def _is_bare(self, path: str, facts: Facts, semantics: Semantics, name: str, use: Use) -> bool:
        bound = [facts.imports[one.imported] for one in facts.named(name) if one.imported >= 0]
        if bound:
            return all(self._is_imported_from_outside(path, one) for one in bound)
        if name in semantics.visibility.prelude:
            return not self._may_be_opened(path, facts, name, use.scope)
        if use.role in (Role.Read, Role.Write) and not name[0].isupper():
            return False  # a local variable that some pattern binds, perhaps
        if not semantics.visibility.declares_everything:
            return semantics.imports.packages is not None and name[0].isupper() and not self._is_declared(path, name)
        made = use.role is Role.Call and self._is_made(path, use)
        if use.role not in _TYPES and not made and not self._are_bases_known(path, facts, use.scope):
            return False
        number = self._resolver.arities.arguments(path, use)
        return not self._may_see_type(path, name, use.scope, number, spaces=use.role is Role.Read)

    def _is_imported_from_outside(self, path: str, imported: Imported) -> bool:
        """Return whether an import takes a name of a package, or of something in one, that the code base lacks.

        The name of a package may be one in those around the file.
        """
        _, semantics = self._resolver.facts(path)
        if semantics is None or semantics.imports.packages is None or not imported.name or imported.exports:
            return False
        module = imported.module.removeprefix("_root_.")
        around = [".".join(parts[:number]) for parts in self._packages(path) for number in range(1, len(parts) + 1)]
        possible = {module, *(f"{package}.{module}" for package in around)}
        last, head = module.rpartition(".")[2], module.partition(".")[0]
        facts, _ = self._resolver.facts(path)
        if any(self._resolver.project.defining(one, path) for one in (*possible, last)):
            return False
        return (
            head != module and facts is not None and not facts.named(head) and not self._is_relative(path, head, around)
        )

    def _packages(self, path: str) -> Iterator[Sequence[str]]:
        """Yield the segments of the packages that a file says it is in."""
        facts, _ = self._resolver.facts(path)
        for one in facts.named(PACKAGE) if facts is not None else ():
            if one.imported >= 0 and facts is not None:
                yield facts.imports[one.imported].module.split(".")

    def _is_relative(self, path: str, head: str, around: Sequence[str]) -> bool:
        """Return whether what an import names first may be something that the packages around the file have."""
        declared = (one for _, one in self._declarations(path, head))
        return any(True for _ in declared) or any(
            self._resolver.project.defining(f"{one}.{head}", path) for one in around
        )

    def _is_declared(self, path: str, name: str) -> bool:
        """Return whether a file to which another one may refer may declare a name."""
        if self._index.coverage().symbols < self._index.coverage().files:
            return True
        return any(language_group(file) == language_group(path) for file in self._index.symbols.files_defining(name))

    def _may_be_opened(self, path: str, facts: Facts, name: str, scope: int) -> bool:
        """Return whether an import of all that something has may bind a name that the code base declares there."""
        around = frozenset(facts.outwards(scope))
        opened = {one.module.rpartition(".")[2] for at, one in facts.wildcards if at in around}
        owners = {owner for file, one in self._declarations(path, name) for owner in _owners(file, one)}
        return not opened.isdisjoint(owners)

    def _declarations(self, path: str, name: str) -> Iterator[tuple[str, Binding]]:
        """Yield what declares a name in files that a file may refer to, each with its file."""
        for file in sorted(self._resolver.project.defining(name, path)):
            facts = self._resolver.facts(file)[0] if language_group(file) == language_group(path) else None
            yield from ((file, one) for one in (facts.named(name) if facts is not None else ()) if one.path)

    def _may_see_type(self, path: str, name: str, scope: int, number: int, *, spaces: bool) -> bool:
        """Return whether a place may see a type with a name and so many parameters; with ``spaces`` a namespace."""
        if len(self._resolver.project.defining(name, path)) > _MOST_DECLARING:
            return True
        seen = {one for near in self._resolver.seen_namespaces.nearest_first(path, scope) for one in near}
        for file, one in self._declarations(path, name):
            if one.sort != Sort.Type:
                if spaces and one.sort == Sort.Unknown:
                    return True
                continue
            facts, _ = self._resolver.facts(file)
            said = [len(each.generics) for each in facts.heritage_of(one.path)] if facts is not None else []
            if number not in (said or [0]):
                continue
            nested = facts is not None and one.space == "" and one.scope > 0
            if nested or facts is None or namespace_of(facts, one.path) in seen:
                return True
        return False

    def _is_made(self, path: str, use: Use) -> bool:
        """Return whether an object is made of what a name means: nothing but a type can stand there."""
        return self._text_before(path, use).rstrip().endswith("new")

    def _are_bases_known(self, path: str, facts: Facts, scope: int) -> bool:
        """Return whether the types around a scope inherit from nothing that is not known."""
        inheritance = self._resolver.evaluator.inheritance
        for at in facts.outwards(scope):
            kind, _, name = facts.scopes[at]
            if kind is ScopeKind.Class and not inheritance.knows_bases(
                SymbolRef(path, name or nameless(at), Reason.Scope)
            ):
                return False
        return True

    # --- Members

    def _is_member(self, path: str, semantics: Semantics, name: str, use: Use) -> bool:
        if use.role not in _VALUES | _TYPES:
            return False
        if self._is_declared_nowhere(path, semantics, name):
            return True
        if self._is_of_prelude(path, semantics, name, use):
            return True
        if not semantics.visibility.declares_everything or self._is_added(path, name):
            return False
        if self._resolver.receiver_members.may_be_implemented(path, use.receiver, name):
            return False
        return all(self._is_outside(path, one, use.scope, _DEEPEST) for one in parsed(use.receiver.removesuffix("|")))

    def _is_of_prelude(self, path: str, semantics: Semantics, name: str, use: Use) -> bool:
        """Return whether a member is taken of a type that every file sees, by its name: ``String::new``.

        It has members of its own, and those of interfaces that are implemented for it: a macro may do that, too.
        """
        if use.receiver not in semantics.visibility.prelude or not semantics.members.by_interface:
            return False
        if isinstance(self._resolver.scopes.lookup(path, use.receiver, use.scope), SymbolRef | LocalName):
            return False
        if len(self._resolver.project.defining(name, path)) > _MOST_DECLARING:
            return False
        if self._resolver.receiver_members.may_be_implemented(path, use.receiver, name):
            return False
        declared = ((self._resolver.facts(file)[0], one) for file, one in self._declarations(path, name))
        return all(facts is not None and _is_of_one_type(facts, one) for facts, one in declared)

    def _is_added(self, path: str, name: str) -> bool:
        """Return whether the code base adds a member with a name to some type from outside of it."""
        return any(True for _ in self._resolver.evaluator.added_members.declared_extensions(path, name))

    def _is_outside(self, path: str, one: Path, scope: int, deepest: int) -> bool:
        """Return whether a term stands for a type from outside or an object of it: such a type gives nothing else."""
        if one.head in (UNKNOWN, "") or deepest <= 0 or not all(step.op in (*_PLAIN, Op.Object) for step in one.steps):
            return False
        if any(step.op is Op.Member and self._is_added(path, step.name) for step in one.steps):
            return False
        for number in range(len(one.steps), -1, -1):
            values = self._resolver.evaluator.evaluate_path(path, Path(one.head, one.steps[:number]), scope)
            if values:
                return all(_is_plain_outside(value.origin) and not value.arguments for value in values)
        name, within, _ = place_of(one.head)
        return self._begins_outside(path, name, within if within > 0 else scope, deepest)

    def _begins_outside(self, path: str, name: str, scope: int, deepest: int) -> bool:
        facts, semantics = self._resolver.facts(path)
        if (
            facts is None
            or semantics is None
            or name in (*semantics.scopes.this, *semantics.scopes.own, *semantics.scopes.above)
        ):
            return False
        meaning = self._resolver.scopes.lookup(path, name, scope)
        if meaning is None:
            taken = [facts.imports[bound.imported] for bound in facts.named(name) if bound.imported >= 0]
            if any(one.sort == Sort.Type for each in taken for _, one in self._declarations(path, each.name)):
                return False  # another name for a type, which may be that of the code base
            known = name[0].isupper() and self._are_bases_known(path, facts, scope)
            return known and not self._may_see_type(path, name, scope, 0, spaces=True)
        if not isinstance(meaning, SymbolRef | LocalName):
            return isinstance(meaning, ExternalType)
        home, _ = self._resolver.facts(meaning.path)
        bound = self._bindings(home, meaning) if home is not None else ()
        return bool(bound) and all(self._is_of_external_type(meaning.path, one, deepest - 1) for one in bound)

    def _bindings(self, facts: Facts, meaning: SymbolRef | LocalName) -> Sequence[Binding]:
        if isinstance(meaning, SymbolRef):
            return facts.all_at(meaning.name)
        return [one for one in facts.within(meaning.name, meaning.scope) if not one.path]

    def _is_of_external_type(self, path: str, bound: Binding, deepest: int) -> bool:
        """Return whether a name is declared to be of a type from outside, or given an object of one."""
        if bound.sort == Sort.Type or bound.imported >= 0:
            return False
        term = bound.type or bound.made
        return bool(term) and all(self._is_outside(path, one, bound.spelled, deepest) for one in parsed(term))

    # --- Declarations

    def _is_declared_nowhere(self, path: str, semantics: Semantics, name: str) -> bool:
        """Return whether no file declares a name: all that spells it takes it of something."""
        if self._is_declared(path, name):
            return False
        holders = [
            one
            for one in self._index.words.files_with((name,), spelled=True)
            if language_group(one) in (language_group(path), "")
        ]
        if len(holders) > _MOST_FILES or sum(map(self._index.files.size, holders)) > _MOST_BYTES:
            return False
        return not any(self._may_declare(one, semantics, name) for one in holders if language_group(one))

    def _may_declare(self, path: str, semantics: Semantics, name: str) -> bool:
        """Return whether a file spells a name other than where it is taken of something."""
        source = self._index.try_read(path)
        if source is None:
            return True
        content = source.content
        facts: Facts | None = None
        for token, start in zip(tokens_of(source, name), scan.occurrences(content, name.encode()), strict=False):
            before = content[max(0, start - 40) : start].rstrip(_BLANK)
            if token.is_text or before.endswith(semantics.uses.member_signs):
                continue
            facts = facts or self._resolver.facts(path)[0]
            uses = facts.uses.get(name, ()) if facts is not None else ()
            here = [one for one in uses if (one.line, one.column) == (token.line, token.column)]
            if not any(
                one.receiver not in (BARE, UNKNOWN, DECLARED) and one.role is not Role.Definition for one in here
            ):
                return True
        return False


def _owners(file: str, declared: Binding) -> Iterator[str]:
    """Yield what something that is declared may be imported from: what it is in, its module, its package."""
    yield declared.path.rpartition(".")[0].rpartition(".")[2]
    *folders, last = file.split("/")
    yield last.partition(".")[0]
    yield from folders[-1:]


def _is_of_one_type(facts: Facts, declared: Binding) -> bool:
    """Return whether something is no member, or one of a type and not of an interface."""
    around = facts.scopes[declared.scope].parent if declared.scope > 0 else -1
    return declared.scope <= 0 or (around >= 0 and facts.scopes[around].kind is ScopeKind.Implementation)


def _is_plain_outside(of: object) -> bool:
    return isinstance(of, ExternalType) and of.name.isidentifier()
