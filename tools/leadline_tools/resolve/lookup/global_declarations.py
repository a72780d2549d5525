"""Global declarations: names of all files, that no import leads to, or that are loaded by their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, islice

from leadline_tools.languages import language_of, share_rules
from leadline_tools.languages.facts import Facts, Sort
from leadline_tools.languages.language import Semantics
from leadline_tools.languages.terms import TAGS
from leadline_tools.model import Reason
from leadline_tools.resolve.imports.module_files import shared_folders
from leadline_tools.resolve.project.name_resolver import NameResolver
from leadline_tools.resolve.project.resolution import Resolution, SymbolRef
from leadline_tools.resolve.scopes.component_namespaces import is_component
from leadline_tools.resolve.scopes.visible_bindings import best_binding, is_declared_globally

_MOST_DECLARING = 64
"""Files that declare one name, all of which are looked into for the same thing."""

_MOST_COMPLETING = 200
"""Files that define a name, among which is looked for the one that defines it as a type."""

_MOST_PROMISING = 8
"""Included files that spell a name, which are read to see whether one says that it is a type."""


@dataclass(frozen=True, slots=True)
class _DeclaringFiles:
    """Files that may declare a name, by what their index shows.

    Args:
        declaring: Those whose index shows what they declare under the name, by the dotted names of that, sorted.
        unknown: Those whose index does not show it, as that of a Razor file, whose folder says its namespace.
        spaces: What the name is declared in, and each run of the parts of that.

    """

    declaring: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    unknown: list[str] = field(default_factory=list[str])
    spaces: set[str] = field(default_factory=set[str])

    def of(self, dotted: str) -> Sequence[str]:
        """Return the files that may declare what has a dotted name, sorted."""
        known = self.declaring.get(dotted, [])
        return sorted((*known, *self.unknown)) if self.unknown else known


def _spaces_of(declared: Iterable[str], name: str) -> Iterator[str]:
    """Yield what dotted names that end in a name are in, and each run of its parts: ``A``, ``A.B``, ``B`` of ``A.B``.

    A directive in a namespace may name one inside of it, so that the end of what a name is in need not be spelled.
    """
    for dotted in declared:
        parts = dotted[: -len(name) - 1].split(".")
        for start in range(len(parts)):
            yield from accumulate(parts[start:], "{}.{}".format)


_Key = tuple[str, str, frozenset[str]]
"""A name, the rules of a language, and the files that may define the name."""


class GlobalDeclarations:
    """Looks names up in the files that define them, wherever these lie."""

    def __init__(self, resolver: NameResolver) -> None:
        self._resolver = resolver
        self._completing: dict[tuple[str, str], Sequence[str]] = {}
        self._files: dict[_Key, Sequence[str]] = {}
        self._declaring: dict[_Key, _DeclaringFiles] = {}
        self._given: dict[tuple[str, ...], frozenset[str] | None] = {}

    def forget(self) -> None:
        """Let go of what was found out; it is found out again where it is asked for."""
        self._completing.clear()
        self._files.clear()
        self._declaring.clear()
        self._given.clear()

    def lookup_completion(self, path: str, name: str, spaces: Sequence[str], depth: int) -> SymbolRef | None:
        """Return the type that a file speaks of and does not take in, as the one file has it that lies nearest.

        What is declared alone is completed where it is used, in whatever file that includes both.
        https://eel.is/c++draft/class.name#2, C11 6.2.5#22
        """
        found: dict[SymbolRef, int] = {}
        tagged = all(space.rpartition(".")[2] == TAGS for space in spaces)
        for space in (TAGS,) if tagged else spaces:
            for file in self._completions(name, "" if space == TAGS else space, path):
                meaning = self._resolver.exports.lookup_at(file, name, space, depth)
                if isinstance(meaning, SymbolRef) and Sort.Type in self._resolver.sorts.of(meaning):
                    found[meaning] = shared_folders(path, file)
            if found:
                break
        nearest = [meaning for meaning in found if found[meaning] == max(found.values())]
        return nearest[0] if len(nearest) == 1 and self._is_promised(path, name) else None

    def _completions(self, name: str, space: str, path: str) -> Sequence[str]:
        """Return the files that define a name in a namespace; none where too many define the name at all."""
        key = (name, space)
        if key not in self._completing:
            defining = self._resolver.project.defining(name, path)
            few = sorted(defining) if len(defining) <= _MOST_COMPLETING else ()
            dotted = f"{space}.{name}" if space else name
            self._completing[key] = [file for file in few if self._resolver.project.may_declare(file, dotted)]
        return self._completing[key]

    def _is_promised(self, path: str, name: str) -> bool:
        """Return whether a file says that a name is a type, or one that it includes."""
        spelling = self._resolver.includes.among(path, frozenset(self._resolver.project.spelling(name)))
        return any(
            self._resolver.project.includes.promised(file, name) for file in (path, *islice(spelling, _MOST_PROMISING))
        )

    def files_declaring(self, path: str, name: str, space: str = "") -> Sequence[str]:
        """Return the files of a language that may declare a name of a namespace, wherever they lie.

        Of many these are those whose index says so; of few also those that may pass it on.
        """
        files = self._files_defining(path, name)
        few = len(files) <= _MOST_DECLARING
        return files if few else self._by_declaration(path, name).of(f"{space}.{name}" if space else name)

    def is_in_no_such_space(self, path: str, name: str, space: str) -> bool:
        """Return whether no file of a language declares a name in a namespace, or in one inside or around it."""
        found = self._by_declaration(path, name)
        return not found.unknown and space not in found.spaces

    def _key(self, path: str, name: str) -> _Key:
        language = language_of(path)
        return (
            name,
            language.rules if language is not None else "",
            frozenset(self._resolver.project.defining(name, path)),
        )

    def _files_defining(self, path: str, name: str) -> Sequence[str]:
        """Return the files of the language of a file that may declare a name, sorted."""
        key = self._key(path, name)
        if key not in self._files:
            self._files[key] = sorted(one for one in key[2] if share_rules(one, path))
        return self._files[key]

    def _by_declaration(self, path: str, name: str) -> _DeclaringFiles:
        """Return the files that may declare a name, by what the index of each shows that it declares under it."""
        key = self._key(path, name)
        if key not in self._declaring:
            self._declaring[key] = self._sort_by_declaration(name, self._files_defining(path, name))
        return self._declaring[key]

    def _sort_by_declaration(self, name: str, files: Sequence[str]) -> _DeclaringFiles:
        found = _DeclaringFiles()
        for file in files:
            paths = self._resolver.project.paths_named(file, name) if not is_component(file) else None
            for dotted in dict.fromkeys(paths) if paths is not None else ():
                found.declaring.setdefault(dotted, []).append(file)
            if paths is None:
                found.unknown.append(file)
        found.spaces.update(_spaces_of(found.declaring, name))
        return found

    def lookup_autoloaded(self, path: str, name: str, depth: int, space: str) -> Resolution | None:
        """Return what one file alone defines under a name in a namespace; a namespace is the same in every file."""
        lookup_at = self._resolver.exports.lookup_at
        found = [lookup_at(file, name, space, depth) for file in self.files_declaring(path, name, space)]
        defined = [one for one in found if isinstance(one, SymbolRef)]
        alone = len(defined) == 1 or (bool(defined) and all(map(self._resolver.sorts.is_namespace, defined)))
        return defined[0] if alone else None

    def is_declared_nowhere(self, path: str, name: str, space: str) -> bool:
        """Return whether no file declares a name of a namespace, nor gives what is declared another name as it runs."""
        _, semantics = self._resolver.facts(path)
        if semantics is None or self.may_be_given(path, semantics, name):
            return False
        found = (self._resolver.facts(file)[0] for file in self.files_declaring(path, name, space))
        declared = f"{space}.{name}" if space else name
        return all(facts is not None and facts.at(declared) is None for facts in found)

    def may_be_given(self, path: str, semantics: Semantics, name: str) -> bool:
        """Return whether code may give a type a name as it runs, as ``class_alias`` of PHP; any, where it is empty."""
        project = self._resolver.project
        called = (file for function in semantics.scopes.aliasing for file in project.spelling(function))
        files = tuple(file for file in called if share_rules(file, path))
        if files not in self._given:
            given = [semantics.scopes.given_names(project.text(file).decode("utf-8", "replace")) for file in files]
            known = [names for names in given if names is not None]
            self._given[files] = frozenset[str]().union(*known) if len(known) == len(given) else None
        names = self._given[files]
        return bool(files) and (not name or names is None or name in names)

    def lookup_in_scripts(self, path: str, facts: Facts, semantics: Semantics, name: str) -> Resolution | None:
        """Return what a file that is no module declares at its top, for scripts and, where it only declares, for all.

        What a module declares for all files is found, too.

        Of several such files the one is meant that lies nearest, if there is one; of too many it is not known which.
        """
        language = language_of(path)
        script = semantics.imports.is_script is not None and semantics.imports.is_script(facts.imports)
        found: dict[SymbolRef, int] = {}
        defining = self._resolver.project.defining(name, path)
        if len(defining) > _MOST_DECLARING:
            defining = frozenset(file for file in defining if self._resolver.project.may_declare(file, name))
        for file in sorted(defining) if len(defining) <= _MOST_DECLARING else ():
            other = language_of(file)
            alike = language is not None and other is not None and other.language_group == language.language_group
            if file != path and alike:
                at_top = self._at_top_of_script(file, name) if script or file.endswith(".d.ts") else None
                declared = at_top or self._in_global_block(file, name)
                found.update({declared: shared_folders(path, file)} if declared is not None else {})
        nearest = [one for one in found if found[one] == max(found.values())]
        return nearest[0] if len(nearest) == 1 else None

    def _at_top_of_script(self, path: str, name: str) -> SymbolRef | None:
        facts, _ = self._resolver.facts(path)
        if facts is None or not self.is_script(path):
            return None
        binding = best_binding(one for one in facts.within(name, 0) if one.path)
        return SymbolRef(path, binding.path, Reason.Scope) if binding is not None else None

    def _in_global_block(self, path: str, name: str) -> SymbolRef | None:
        """Return what a module declares for all files under a name."""
        facts, _ = self._resolver.facts(path) if path in self._resolver.project.spelling("global") else (None, None)
        declared = (one for one in facts.within(name, 0) if is_declared_globally(facts, one)) if facts else ()
        binding = best_binding(declared)
        return SymbolRef(path, binding.path, Reason.Scope) if binding is not None else None

    def is_script(self, path: str) -> bool:
        """Return whether a file is no module, so that what it declares at its top is declared for all files."""
        facts, semantics = self._resolver.facts(path)
        return bool(
            facts
            and semantics
            and semantics.imports.is_script is not None
            and semantics.imports.is_script(facts.imports)
        )
