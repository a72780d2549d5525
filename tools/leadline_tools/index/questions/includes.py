"""The includes of files: what each takes in as a whole, read from its text, kept while it stays the same.

A name of C may come from any of the hundreds of files that an ``#include`` leads to. Facts of all of them would take a
minute of parsing, and all that is wanted of most is where they lead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import re2

from leadline_tools.index.files.file import SYMBOLS
from leadline_tools.index.packing import packed_includes
from leadline_tools.index.packing.packed_includes import folded_name, including_language, written
from leadline_tools.index.questions.view import IndexView
from leadline_tools.index.store.rows import Blob, Words
from leadline_tools.languages import language_in
from leadline_tools.languages.language import Language

_MOST_KEPT = 5_000
"""Files whose includes are kept, and statements of a folder of which is kept what they mean: about 3 MB."""

_MOST_COMPARED = 512
"""Files that take in one with the name of another, which are asked whether that is the one: it takes 30 ms."""


class Includes:
    """The includes of the files of an index."""

    def __init__(self, index: IndexView) -> None:
        self._index = index
        self._kept: dict[str, tuple[tuple[int, int], Sequence[str] | None]] = {}
        self._located: dict[tuple[str, str, str], Sequence[str]] = {}
        self._paths: Sequence[str] = ()

    def of(self, path: str) -> Sequence[str] | None:
        """Return the files that a file takes in as a whole; none for one that cannot be read, None as ``written``."""
        self._forget_stale()
        file = self._index.files.get(path)
        if file is None:
            return ()
        state = file.size, file.changed_ns
        kept = self._kept.get(path)
        if kept is None or kept[0] != state:
            kept = self._kept[path] = (state, self._included(path))
        return kept[1]

    def _forget_stale(self) -> None:
        """Let go of what is known where a file has come or gone, and where it is too much."""
        paths = self._index.files.paths
        if paths is not self._paths or max(len(self._kept), len(self._located)) > _MOST_KEPT:
            self._kept, self._located, self._paths = {}, {}, paths

    def _included(self, path: str) -> Sequence[str] | None:
        modules = self._modules(path)
        if modules is None:
            return None
        return list(dict.fromkeys(file for files in self._located_in(modules, path) for file in files))

    def _modules(self, path: str) -> Sequence[str] | None:
        """Return what a file takes in as it is written: as the index has it, or else as its text says."""
        indexed = self._indexed(path)
        if indexed is not None:
            return indexed
        with self._index.tree.reading() as reader:
            return written(path, reader.unmasked(path))

    def _indexed(self, path: str) -> Sequence[str] | None:
        """Return what a file takes in as it is written; None where the index does not tell."""
        file = self._index.files.get(path)
        if file is None or file.error or not file.done & SYMBOLS or not packed_includes.tells(path):
            return None
        blob = self._index.rows.blob(Blob.Includes, file.id)
        try:
            return packed_includes.unpacked(blob) if blob is not None else ()
        except ValueError:
            return None

    def misses(self, path: str) -> bool:
        """Return whether a file takes in one in quotes that is not in the tree, or one of several."""
        return any(one.startswith('"') and not self._locate(one, path) for one in self._modules(path) or ())

    def names(self, path: str) -> frozenset[str]:
        """Return the names of the files that a file itself takes in, in lower case: some systems do not tell cases."""
        return frozenset(folded_name(module) for module in self._modules(path) or ())

    def _locate(self, module: str, path: str) -> Sequence[str]:
        """Return the files that an include means."""
        return next(self._located_in((module,), path))

    def _located_in(self, modules: Sequence[str], path: str) -> Iterator[Sequence[str]]:
        """Yield the files that each include of a file means; the files of a folder mostly include the same."""
        self._forget_stale()
        language, folder = including_language(path), path.rpartition("/")[0]
        name = language.name if language is not None else ""
        for module in modules:
            key = module, folder, name
            found = self._located.get(key)
            if found is None:
                rules = language.semantics.imports if language is not None and language.semantics is not None else None
                found = (rules.locate(module, path, self._index.paths) if rules is not None else None) or ()
                self._located[key] = found
            yield found

    def including(self, path: str, most: int = -1) -> list[str]:
        """Return the files that take in one with the name of the file at ``path``, as far as is indexed.

        Not more than ``most``, where it is not negative; and those of which it could not be found out, if they hold
        the name.
        """
        rows = self._index.rows.holding(Words.Names, (packed_includes.token(path),), most)
        unknown = frozenset(file.path for file in self._index.files.failed if packed_includes.tells(file.path))
        if unknown:
            unknown &= frozenset(self._index.words.files_with((path.rpartition("/")[2],)))
        return sorted(unknown.union(self._index.files.paths_of(rows)))

    def has_taker(self, path: str) -> bool:
        """Return whether another file takes in one with the name of the file at ``path``, as far as is indexed."""
        return bool(self.including(path, 1))

    def takers(self, path: str, most: int) -> frozenset[str] | None:
        """Return the files that take in a file, themselves or through others, with itself.

        A statement that may mean several files counts for each of them. None for more than ``most``, and as long as
        there are files that nobody has looked into.
        """
        coverage = self._index.coverage()
        if coverage.symbols < coverage.files:
            return None
        found, waiting, compared = {path}, [path], 0
        while waiting:
            taken = waiting.pop()
            others = [other for other in self.including(taken) if other not in found]
            if not self._index.paths.is_alone(taken):
                compared += len(others)
                if compared > _MOST_COMPARED:
                    return None
                others = [other for other in others if self._may_take_in(other, taken)]
            if len(found) + len(others) > most:
                return None
            found.update(others)
            waiting += others
        return frozenset(found)

    def _may_take_in(self, path: str, taken: str) -> bool:
        """Return whether a file takes in another, as far as it takes in one with that name."""
        name = folded_name(taken)
        alike = [
            module for module in self._modules(path) or () if name in module.lower() and folded_name(module) == name
        ]
        located = [self._locate(module, path) for module in alike]
        return any(not files or taken in files for files in located)

    def rebinding(self, name: str, word: str) -> frozenset[str]:
        """Return the files that take ``name`` from elsewhere by a statement that begins with ``word``."""
        statement = re2.compile(rf"\b{word}\s+(?:\w+\s*::\s*)*{re2.escape(name)}\s*;".encode()).search
        held = self._index.words.files_with((name, word))
        with self._index.tree.reading() as reader:
            return frozenset(path for path in held if statement(reader.raw(path) or b"") is not None)

    def promised(self, path: str, name: str) -> bool:
        """Return whether a file says of a name that it is a type, which another file has to define."""
        with self._index.tree.reading() as reader:
            return promised(path, reader.text(path), name, lambda module: self._locate(module, path))

    def rebinds(self, path: str, language: Language | None) -> str:
        """Return the word with which files of the language of ``path`` take names from elsewhere; empty for none.

        Where the language is not known, the text of the file is read for it.
        """
        if language is None:
            with self._index.tree.reading() as reader:
                language = language_in(path, reader.text(path))
        return language.source.lexis.rebinds if language is not None and language.source.lexis is not None else ""


def promised(path: str, content: bytes, name: str, located: Callable[[str], object]) -> bool:
    """Return whether a file with some content says of a name that it is a type, which another file has to define.

    Where it takes in something from outside that may be what defines the type. ``located`` finds what it takes in.
    """
    language = language_in(path, content)
    words = language.source.lexis.promises if language is not None and language.source.lexis is not None else ""
    named = rf"(?:{words})\s+(?:[A-Z][A-Z0-9_]*\s+)?{re2.escape(name)}"
    if words and re2.search(rf"\btypedef\s+{named}[\s*]*\s\**\w+\s*;".encode(), content):
        return True
    said = rf"\b{named}\s*([;*&])".encode()
    ends = {match[1] for match in re2.finditer(said, content)} if words else frozenset[bytes]()
    return b";" in ends or (bool(ends) and all(map(located, written(path, content) or ())))
