"""Names that nothing in the code base can declare for the place where they stand: those come from outside of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from leadline_tools.languages import language_of
from leadline_tools.languages.facts import Facts, Sort, Use, nameless
from leadline_tools.languages.rules.macros import MacroDeclares
from leadline_tools.languages.rules.scopes import ScopeKind
from leadline_tools.model import Reason, Role
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import SymbolRef

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for a declaration that a file may see."""


_MOST_LINES_BEFORE = 4
"""Lines before an argument on which its call may begin."""


class ExternalNames:
    """Decides whether a bare name that resolves to nothing comes from outside of the code base.

    Args:
        resolver: What the names of the code base are looked up with.
        knows_bases: Returns whether each type that a type inherits from is known: of the code base, or from outside.
        is_standard_library: Returns whether a name of a file is that of the namespace of a library from outside.

    """

    def __init__(
        self,
        resolver: NameResolver,
        knows_bases: Callable[[SymbolRef], bool],
        is_standard_library: Callable[[str, str], bool],
    ) -> None:
        self._resolver = resolver
        self._is_standard_library = is_standard_library
        self._knows_bases = knows_bases
        self._patterns: dict[str, frozenset[str] | None] = {}
        self._of_two_words: dict[str, bool] = {}
        self._types: dict[tuple[str, str], bool] = {}
        self._with_known_bases: dict[tuple[str, int], bool] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._patterns.clear()
        self._of_two_words.clear()
        self._types.clear()
        self._with_known_bases.clear()

    def is_external(self, path: str, name: str, scope: int, role: Role) -> bool:
        """Return whether a bare name surely comes from outside that no scope, import or package declares.

        The name of a folder may begin that of a package.
        """
        _, semantics = self._resolver.facts(path)
        language = language_of(path)
        keywords = language.names.keywords if language is not None else frozenset[str]()
        if semantics is None or role in (Role.Definition, Role.Other) or name in keywords:
            return False
        if semantics.macros.may_declare is not None:
            standard = self._is_standard_library(path, name)
            return standard or self._is_declared_nowhere(path, name, semantics.macros.may_declare)
        if not semantics.visibility.types_need_import:
            return False
        if role in (Role.Call, Role.Read, Role.Write) and self._is_declared_as_member(path, name):
            return False  # a member: which one it is depends on more than its name
        return self.is_external_type(path, name, scope) and not self._resolver.project.has_folder(name)

    def may_be_member(self, path: str, name: str, use: Use) -> bool:
        """Return whether a bare name may be that of a member, as a macro is given it: ``REMOVE(list, item, next)``.

        A function is given a value. A macro that nothing in the code base declares has no small letters.
        """
        _, semantics = self._resolver.facts(path)
        if semantics is None or use.role is not Role.Read or not self._is_member(path, name):
            return False
        project = self._resolver.project
        lines = project.lines(path)
        if use.line > len(lines):
            return False
        before = "".join(f"{one}\n" for one in lines[max(0, use.line - _MOST_LINES_BEFORE) : use.line - 1]).encode()
        line = lines[use.line - 1]
        given = semantics.macros.given_at(before + line.encode(), len(before) + len(line[: use.column - 1].encode()))
        if given is None:
            return False
        declaring = project.defining(given.called, path)
        if not declaring:
            return given.called.isupper()
        return any(given.called in project.macros.with_parameters(file) for file in declaring)

    def _is_member(self, path: str, name: str) -> bool:
        """Return whether a file declares a member of a name."""
        declaring = self._resolver.project.defining(name, path)
        found = (self._resolver.facts(file)[0] for file in sorted(declaring)[:_MOST_DECLARING])
        return any("." in one.path for facts in found if facts is not None for one in facts.named(name))

    def begins_package(self, path: str, use: Use) -> bool:
        """Return whether a name begins that of a package, so that it means no symbol: in its clause, or an import.

        No type can be imported from the package without a name.
        https://docs.oracle.com/javase/specs/jls/se21/html/jls-7.html#jls-7.5
        """
        _, semantics = self._resolver.facts(path)
        if use.scope or semantics is None or not semantics.visibility.types_need_import:
            return False
        if use.role is Role.Import:
            return True
        lines = self._resolver.project.lines(path) if use.role is Role.Read else ()
        return use.line <= len(lines) and lines[use.line - 1][: use.column - 1].rstrip().endswith("package")

    def is_external_type(self, path: str, name: str, scope: int) -> bool:
        """Return whether a name that resolves to nothing can mean no type of the code base in a scope of a file.

        A type is seen by its name alone in its package, by an import, and in the types that declare or inherit it.
        https://docs.oracle.com/javase/specs/jls/se21/html/jls-6.html#jls-6.3
        """
        facts, semantics = self._resolver.facts(path)
        if semantics is not None and name in semantics.visibility.builtin_types:
            return True
        if semantics is not None and semantics.macros.may_declare is not None and name.isidentifier():
            standard = self._is_standard_library(path, name)
            return standard or self._is_declared_nowhere(path, name, semantics.macros.may_declare)
        if facts is None or semantics is None or not semantics.visibility.types_need_import or not name.isidentifier():
            return False
        if any(one.imported >= 0 for one in facts.named(name)) or not self._are_bases_known(path, facts, scope):
            return False
        if (path, name) not in self._types:
            self._types[path, name] = not self._may_be_seen(path, facts, name)
        return self._types[path, name]

    def _is_declared_nowhere(self, path: str, name: str, by_macro: MacroDeclares) -> bool:
        """Return whether no file declares a name, and no macro that a file sees makes it."""
        if (path, name) not in self._types:
            _, semantics = self._resolver.facts(path)
            is_reserved = semantics is not None and semantics.macros.is_reserved(name)
            files = [path] if is_reserved else self._resolver.includes.of(path) or ()  # a local name may be any
            self._types[path, name] = not (
                self._is_declared(path, name)
                or (not is_reserved and self._is_pasted(path, name))
                or self._is_made(path, files, name, by_macro)
            )
        return self._types[path, name]

    def _is_declared(self, path: str, name: str) -> bool:
        """Return whether a file may declare something with a name that is seen without what it is a member of."""
        declaring = self._resolver.project.defining(name, path)
        if len(declaring) > _MOST_DECLARING:
            return True
        for file in declaring:
            if not _are_of_one_group(path, file) or self._is_hidden(path, file, name):
                continue
            facts, semantics = self._resolver.facts(file)
            if self._resolver.project.may_declare(file, name) or facts is None or semantics is None:
                return True
            declared = (one for one in facts.named(name) if one.path)
            if any(not semantics.visibility.member_needs_receiver or one.sort == Sort.Type for one in declared):
                return True
        return False

    def _is_hidden(self, path: str, file: str, name: str) -> bool:
        """Return whether another file keeps to itself what it declares under a name: macros, and what has no linkage.

        A file that others include sees what they include before it. A header may be taken in instead of that of
        a system which is called like it.
        """
        project = self._resolver.project
        seen = self._resolver.includes.of(path)
        if seen is None or file in seen or project.includes.has_taker(path) or any(map(project.includes.misses, seen)):
            return False
        _, semantics = self._resolver.facts(file)
        if semantics is None or semantics.visibility.replaces_standard(file):
            return False
        heads = project.heads(file, name)
        return bool(heads) and all(map(semantics.visibility.internal, heads))

    def _is_pasted(self, path: str, name: str) -> bool:
        """Return whether a macro that a file may see may put a name together of parts."""
        if path not in self._patterns:
            self._patterns[path] = self._seen_patterns(path)
        patterns = self._patterns[path]
        if patterns is None:
            return True
        return any(
            re.fullmatch(pattern, name) is not None if pattern else self._may_be_two_words(name) for pattern in patterns
        )

    def _seen_patterns(self, path: str) -> frozenset[str] | None:
        """Return patterns of the names that macros which a file may see put together; None where those are not known.

        A file that others include sees what they include before it, and so does one that includes a file which is not
        in the code base: that may include any.
        """
        project = self._resolver.project
        reached = self._resolver.includes.of(path)
        if reached is None:
            return None
        patterns = frozenset(one for file in reached for one in project.macros.pasted_names(file))
        if project.includes.has_taker(path) or any(map(project.includes.misses, reached)):
            everywhere = project.macros.all_pasted_names()
            return patterns | everywhere if everywhere is not None else None
        return patterns

    def _may_be_two_words(self, name: str) -> bool:
        """Return whether two words that files hold make a name."""
        if name not in self._of_two_words:
            spelling = self._resolver.project.spelling
            self._of_two_words[name] = any(spelling(name[at:]) and spelling(name[:at]) for at in range(1, len(name)))
        return self._of_two_words[name]

    def _is_made(self, path: str, files: Sequence[str], name: str, by_macro: MacroDeclares) -> bool:
        """Return whether files that a file sees may give a name to a macro that declares it."""
        spelling = self._resolver.project.spelling(name)
        for file in files:
            if file in spelling and by_macro(self._resolver.project.text(file), name, partial(self._declaring, path)):
                return True
        return False

    def _declaring(self, path: str, name: str) -> Iterator[bytes]:
        """Yield the texts of files that may declare a name."""
        return map(self._resolver.project.text, sorted(self._resolver.project.defining(name, path)))

    def _are_bases_known(self, path: str, facts: Facts, scope: int) -> bool:
        """Return whether the types around a scope inherit from nothing that is not known."""
        key = path, scope
        if key not in self._with_known_bases:
            self._with_known_bases[key] = False  # what a circle of bases finds on its way back
            self._with_known_bases[key] = all(map(self._knows_bases, _types_around(path, facts, scope)))
        return self._with_known_bases[key]

    def _may_be_seen(self, path: str, facts: Facts, name: str) -> bool:
        """Return whether a file may see what another one declares at its top, or in a type whose members it imports.

        Folders are compared by their last name alone, since sources of one package may lie below several roots.
        """
        declaring = self._resolver.project.defining(name, path)
        if len(declaring) > _MOST_DECLARING:
            return True
        modules = {imported.module.rpartition(".")[2] for _, imported in facts.wildcards}
        folders = {*modules, _folder(path)}
        language = language_of(path)
        for file in declaring:
            other = language_of(file)
            if other is None or language is None or other.language_group != language.language_group:
                continue
            if self._resolver.project.may_declare(file, name) and (other is not language or _folder(file) in folders):
                return True
            if any(self._resolver.project.may_declare(file, f"{module}.{name}") for module in modules):
                return True
        return False

    def _is_declared_as_member(self, path: str, name: str) -> bool:
        """Return whether a file may declare something with a name that is no type and no constructor."""
        declaring = self._resolver.project.defining(name, path)
        found = (self._resolver.facts(file)[0] for file in declaring)
        return len(declaring) > _MOST_DECLARING or any(_declares_member(facts, name) for facts in found)


def _are_of_one_group(path: str, other: str) -> bool:
    """Return whether two files are of languages of which one can name what the other declares."""
    first, second = language_of(path), language_of(other)
    return first is None or second is None or first.language_group == second.language_group


def _declares_member(facts: Facts | None, name: str) -> bool:
    """Return whether a file may declare something with a name that is no type and no constructor."""
    if facts is None:
        return True
    declared = (one for one in facts.named(name) if one.imported < 0 and one.path and one.sort != Sort.Type)
    return any(one.path.rpartition(".")[0].rpartition(".")[2] != name for one in declared)


def _types_around(path: str, facts: Facts, scope: int) -> Iterator[SymbolRef]:
    """Yield the types in whose bodies a scope is."""
    while scope > 0:
        kind, parent, name = facts.scopes[scope]
        if kind is ScopeKind.Class:
            yield SymbolRef(path, name or nameless(scope), Reason.Scope)
        scope = parent


def _folder(path: str) -> str:
    return path.rpartition("/")[0].rpartition("/")[2]
