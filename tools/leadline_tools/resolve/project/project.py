"""An index, as the resolver sees it: facts are fetched once, as long as there is time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from math import inf

from leadline_tools.index.index import Index
from leadline_tools.index.packing.definition_query import named
from leadline_tools.index.questions.names import Wanted
from leadline_tools.index.request_scope.file_selection import written_in
from leadline_tools.languages import PARSED, language_of
from leadline_tools.languages.facts import Facts
from leadline_tools.languages.language import Language
from leadline_tools.languages.rules.imports import Imported, Paths
from leadline_tools.model import ALL_KINDS, SymbolKind
from leadline_tools.resolve.project.code_base import FileIncludes
from leadline_tools.resolve.project.read_sources import ReadSources
from leadline_tools.resolve.project.subtype_names import SubtypeNames
from leadline_tools.resolve.project.written_macros import WrittenMacros

_MOST_HELD = 4 << 20
"""Bytes of the sources whose facts are held at once: as facts they are about four times as large."""


class IndexedProject:
    """The project that an index holds, for as long as the index stays as it is.

    Attributes:
        until: The monotonic time from which on no facts are fetched.
        size: Bytes of the sources whose facts were fetched.
        sources: The sources that were read last.
        subtype_names: What the index knows of the names of types where others inherit from them.
        macros: What is written in the macros of the files.

    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self.until = inf
        self.size = 0
        self._held = 0
        self._facts: OrderedDict[str, Facts | None] = OrderedDict()
        self._holders: dict[str, dict[str, None]] = {}
        self._rebinds: dict[str, str] = {}
        self._defining: dict[tuple[str, str], frozenset[str]] = {}
        self._declaring: dict[tuple[str, Callable[[str], object]], Sequence[tuple[str, str]]] = {}
        self.subtype_names = SubtypeNames(index)
        self._folder_names: frozenset[str] | None = None
        self._has_language: dict[frozenset[str], bool] = {}
        self._tardy: set[str] = set()
        self._refused: list[str] = []
        self._lines: tuple[str, Sequence[str]] = ("", ())
        self.sources = ReadSources(index)
        self.macros = WrittenMacros(index)

    @property
    def paths(self) -> Paths:
        """Return the paths of the code base."""
        return self._index.paths

    @property
    def includes(self) -> FileIncludes:
        """Return what files include."""
        return self._index.includes

    def text(self, path: str) -> bytes:
        """Return the content of a file; nothing where it cannot be read."""
        with self._index.tree.reading() as reader:
            return reader.text(path)

    def lines(self, path: str) -> Sequence[str]:
        """Return the lines of a file; those of the last file are kept, since questions look at many places of one."""
        if self._lines[0] != path:
            self._lines = path, self.text(path).decode("utf-8", "replace").split("\n")
        return self._lines[1]

    def has_folder(self, name: str) -> bool:
        """Return whether a folder of the code base has a name."""
        if self._folder_names is None:
            folders = {path.rpartition("/")[0] for path in self._index.files.paths}
            self._folder_names = frozenset(part for folder in folders for part in folder.split("/"))
        return name in self._folder_names

    def has_language(self, names: frozenset[str]) -> bool:
        """Return whether a file of the code base is of a language with one of some names."""
        if names not in self._has_language:
            self._has_language[names] = bool(written_in(self._index.files.paths, names))
        return self._has_language[names]

    @property
    def late(self) -> bool:
        """Return whether the time is up."""
        return time.monotonic() > self.until

    def begin(self, until: float) -> None:
        """Fetch facts until a monotonic time; those that came too late before are fetched again."""
        self.until = until
        self._tardy.clear()
        self.sources.forget()

    def forget(self) -> None:
        """Let go of what was fetched; it is fetched again where it is asked for.

        The parts of a resolver know each other: what its project holds would else stay with it for a while.
        """
        self.size = self._held = 0
        self._folder_names = None
        self._has_language.clear()
        self._lines = "", ()
        self.sources.forget()
        self.subtype_names = SubtypeNames(self._index)
        for known in (self._facts, self._holders, self._rebinds, self._defining, self._declaring):
            known.clear()
        self.macros.forget()

    def refused(self) -> Sequence[str]:
        """Return the files whose facts were asked for in vain since this was asked last."""
        refused, self._refused = self._refused, []
        return refused

    def prepare(self, paths: Iterable[str], name: str = "") -> frozenset[str]:
        """Fetch the facts of many files at once: the workers then share them out.

        With a name, see ``FileFacts.fetch``, return the files that turned out to use it nowhere.
        """
        missing = [path for path in paths if path not in self._facts and path not in self._tardy]
        found, unused, *_ = self._index.facts.fetch(missing, self.until, name)
        self._tardy.update(path for path in missing if path not in found and path not in unused)
        size = sum(map(self._index.files.size, found))
        self.size += size
        self._make_room(size)
        self._held += size
        self._facts.update(found)
        return unused

    def _make_room(self, size: int) -> None:
        """Let go of the facts that were asked for longest ago, for those of so many bytes of sources.

        They are fetched again where they are asked for.
        """
        while self._held + size > _MOST_HELD and self._facts:
            oldest, _ = self._facts.popitem(last=False)
            self._held -= self._index.files.size(oldest)

    def facts(self, path: str) -> Facts | None:
        """Return the facts of a file, None where there are none, or where they come too late."""
        if path not in self._facts and not self.late:
            self.prepare((path,))
        if path not in self._facts:
            self._refused.append(path)
            return None
        self._facts.move_to_end(path)  # what was asked for last is let go of last
        return self._facts[path]

    def files_with_name(self, name: str, paths: Sequence[str]) -> Sequence[str]:
        """Return those of ``paths`` in whose text ``name`` may occur."""
        if len(paths) <= 1:
            return paths
        holders = self.spelling(name)
        return [path for path in paths if path in holders]

    def spelling(self, name: str) -> Collection[str]:
        """Return the files in whose text ``name`` may occur."""
        if name not in self._holders:
            self._holders[name] = dict.fromkeys(self._index.words.files_with((name,), spelled=True))
        return self._holders[name].keys()

    def defining(self, name: str, path: str) -> frozenset[str]:
        """Return the files that may define ``name``, or pass it on to ``path`` if that includes them."""
        if path not in self._rebinds:
            self._rebinds[path] = self._index.includes.rebinds(path, _language_read(path, self._facts.get(path)))
        key = name, self._rebinds[path]
        if key not in self._defining:
            passing_on = self._index.includes.rebinding(*key) if key[1] else frozenset[str]()
            self._defining[key] = self._index.symbols.files_defining(name) | passing_on
        return self._defining[key]

    def declaring(self, name: str, accepts: Callable[[str], object]) -> Sequence[tuple[str, str]]:
        """Return the files that define ``name`` as a member, with how its type is spelled, where that is accepted."""
        if (name, accepts) not in self._declaring:
            wanted = Wanted(accepts=lambda _path, found: bool(found.container and accepts(found.container)), every=True)
            hits = self._index.names.exact(name, wanted).hits
            self._declaring[name, accepts] = list(dict.fromkeys((h.file.path, h.definition.container) for h in hits))
        return self._declaring[name, accepts]

    def may_declare(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> bool:
        """Return whether a file may have a symbol with a dotted name: its index costs less than its facts."""
        return self._index.symbols.may_define(path, name, kinds)

    def paths_named(self, path: str, name: str) -> Sequence[str] | None:
        """Return the dotted names that end in a name of what a file declares; None where that is not known."""
        return self._index.symbols.paths_named(path, name)

    def owners_of(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> Sequence[str] | None:
        """Return the dotted names of what a file declares something of some kinds in that has a name; None: unknown."""
        return self._index.symbols.owners_of(path, name, kinds)

    def imports(self, path: str) -> Sequence[Imported]:
        """Return what a file imports and exports: its index costs less than its facts."""
        relations = self._index.related.of(path)
        if relations is not None:
            return relations.imports
        facts = self.facts(path)
        return facts.imports if facts is not None else ()

    def may_hold_part(self, path: str, name: str) -> bool:
        """Return whether a file may declare members or bases of a type with a dotted name; True where it is unknown."""
        relations = self._index.related.of(path)
        if relations is None or any(one.path == name for one in relations.subtypes):
            return True
        return self._index.symbols.may_define_inside(path, name)

    def heads(self, path: str, name: str, line: int = 0) -> Sequence[str]:
        """Return how a file declares a dotted name, up to the body of each declaration; on one 1-based line, 0 any."""
        source = self._index.try_read(path)
        found = self._index.symbols.query(source, named(name.endswith)) if source is not None else ()
        spans = (slice(*one.signature) for one in found if one.path == name and line in (0, one.line))
        return [source.content[span].decode("utf-8", "replace") for span in spans] if source is not None else ()


def _language_read(path: str, facts: Facts | None) -> Language | None:
    """Return the language in which a file was read whose facts are known; None for any other."""
    return (PARSED.get(facts.language) or language_of(path)) if facts is not None else None


def language_group(path: str) -> str:
    """Return what is equal for files that can refer to each other's symbols; empty for one of no language."""
    language = language_of(path)
    return language.language_group if language is not None else ""


def files_with_name(index: Index, name: str, home: str, sees: Callable[[str], bool] | None = None) -> list[str]:
    """Return the files in whose text ``name`` may occur, and that may refer to what the file ``home`` defines.

    With ``sees``, only those of which it says so: it is asked first, as it leaves most of thousands out.
    """
    return same_language_group(filter(sees, index.words.files_with((name,), spelled=True)), language_group(home))


def same_language_group(paths: Iterable[str], group: str) -> list[str]:
    """Return those of some paths that are of a group of languages, and whose names are resolved."""
    return written_in(paths, _languages(group))


@cache
def _languages(group: str) -> frozenset[str]:
    """Return the names of the languages of a group whose names are resolved."""
    languages = (language for language in PARSED.values() if language.language_group == group)
    return frozenset(language.name for language in languages if language.semantics is not None)
