"""The symbols of files: as the index has them where it has come so far, else as a worker finds them now."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from leadline_tools.errors import NotParsed
from leadline_tools.index.files.file import SYMBOLS, File
from leadline_tools.index.files.file_table import FileTable
from leadline_tools.index.packing import packed_outline
from leadline_tools.index.packing.definition_query import EVERY, DefinitionQuery
from leadline_tools.index.packing.packed_symbols import unpack, unpack_named
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.store.rows import Blob, RowReader, Words
from leadline_tools.index.store.words import tokens as tokens_of
from leadline_tools.index.text.macros import macros, merged
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.workers.outlines import Outlines
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages.outline import Definition
from leadline_tools.languages.unparsed import Lines
from leadline_tools.model import ALL_KINDS, SymbolKind

T = TypeVar("T")

_MOST_HOLDING = 500
"""Files that hold a name, each of which is looked up among those whose definitions are found by their words."""

_PATIENCE = 5.0
"""Seconds that a question waits for the workers each time that it needs them."""


class SymbolIndex:
    """The symbols of the files of an index."""

    def __init__(
        self, table: FileTable, rows: RowReader, workers: RootWorkers, files: ListedFiles, words: WordIndex
    ) -> None:
        self._table = table
        self._rows = rows
        self._outlines = Outlines(workers)
        self._files = files
        self._words = words
        self._textual: tuple[Sequence[int], frozenset[int]] = ((), frozenset())

    def fetch(self, paths: Iterable[str]) -> None:
        """Have the symbols of some files at hand, where it takes less to read them together."""

    # Of one file

    def outline(self, source: Source) -> Sequence[Definition]:
        """Return the outline of a file that was just read, with the parameters of what can be called.

        Raises NotParsed for what cannot be parsed, or not in time.
        """
        packed = self.packed_outline(source)
        return packed_outline.unpacked(packed) if packed else ()

    def packed_outline(self, source: Source) -> bytes:
        """Return the same as ``PackedOutline`` takes it; empty for a file of no language."""
        file = self._table.get(source.path)
        if file is not None and file.error:  # what has killed a worker once kills the next
            raise NotParsed(source.path, file.error)
        reply = self._outlines.of(source, _PATIENCE)
        if reply is None:
            raise NotParsed(source.path, f"it was not parsed within {_PATIENCE:g} s")
        if reply.error:
            raise NotParsed(source.path, reply.error)
        return reply.payload

    def unparsed_lines(self, source: Source) -> Sequence[Lines]:
        """Return the lines of a file that was just read in which definitions may be missing: they do not parse."""
        packed = self.packed_outline(source)
        return packed_outline.unparsed_in(packed) if packed else ()

    def definitions(self, source: Source) -> list[Definition]:
        """Return the definitions in a file that was just read: those indexed if the content is the same."""
        return self.query(source, EVERY)

    def query(self, source: Source, query: DefinitionQuery[T]) -> T:
        """Answer a query of the definitions in a file that was just read; it is parsed where it must be."""
        indexed = self.query_indexed(source, query)
        if indexed is not None:
            return indexed
        file = self._table.get(source.path)
        if file is not None and file.error:  # what has killed a worker once kills the next
            return query.known([])
        reply = self._outlines.of(source, _PATIENCE)
        if reply is None or reply.error or not reply.payload:
            return query.known([])
        # Packed as the index packs them: the answer stays the same when the file becomes indexed.
        return query.packed(packed_outline.symbols_in(reply.payload))

    def query_indexed(self, source: Source, query: DefinitionQuery[T]) -> T | None:
        """Return the same if the definitions are indexed, and what the index has is sound; None where they are not."""
        file = self._table.get(source.path)
        if file is None or not file.done & SYMBOLS or file.digest != source.digest:
            return None
        blob = self._symbols(file)
        try:
            if file.textual:
                return query.known(merged(macros(source.content), unpack(blob) if blob is not None else []))
            return query.packed(blob) if blob is not None else query.known([])
        except ValueError:
            return None

    def may_define(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> bool:
        """Return whether a file may define something with a dotted name; True where its symbols do not show it."""
        file = self._table.get(path)
        if file is None or file.textual or file.error or not file.done & SYMBOLS:
            return True
        blob = self._symbols(file)
        try:
            named = unpack_named(blob, name.endswith) if blob is not None else ()
            return any(one.path == name and one.kind in kinds for one in named)
        except ValueError:
            return True

    def owners_of(self, path: str, name: str, kinds: Collection[SymbolKind] = ALL_KINDS) -> Sequence[str] | None:
        """Return the dotted names of what a file defines something of some kinds in that has a name.

        None where that is not known.
        """
        file = self._table.get(path)
        if file is None or file.textual or file.error or not file.done & SYMBOLS:
            return None
        blob = self._symbols(file)
        try:
            named = unpack_named(blob, name.endswith) if blob is not None else ()
        except ValueError:
            return None
        found = (one.path.rpartition(".") for one in named if one.kind in kinds)
        return [owner for owner, _, last in found if owner and last == name]

    def paths_named(self, path: str, name: str) -> Sequence[str] | None:
        """Return the dotted names that end in ``name`` of what a file defines; None where that is not known."""
        file = self._table.get(path)
        if file is None or file.textual or file.error or not file.done & SYMBOLS:
            return None
        blob, ending = self._symbols(file), f".{name}"
        try:
            named = unpack_named(blob, lambda one: one == name or one.endswith(ending)) if blob is not None else ()
        except ValueError:
            return None
        return [one.path for one in named]

    def may_define_inside(self, path: str, name: str) -> bool:
        """Return whether a file may define something in a type with a dotted name; True where it is not known."""
        file = self._table.get(path)
        if file is None or file.textual or file.error or not file.done & SYMBOLS:
            return True
        blob = self._symbols(file)
        try:
            return blob is not None and any(one.container == name for one in unpack(blob))
        except ValueError:
            return True

    def _symbols(self, file: File) -> bytes | None:
        """Return the definitions of a file as they are packed in the index; None where it has none."""
        return self._rows.blob(Blob.Symbols, file.id)

    # Of all files

    def files_defining(self, name: str) -> frozenset[str]:
        """Return the files that may define ``name``: those whose symbols say so, and those of which it is not known."""
        tokens = tokens_of(name)
        if not tokens:
            return frozenset(self._table.paths())
        # Looked at first: what is indexed between the two is then found twice, not missed.
        unknown = self._undecided(name, tokens)
        holding = self._rows.holding(Words.Names, tokens)
        return frozenset((*self._table.paths_of(holding), *unknown))

    def count_files_defining(self, name: str) -> int:
        """Return how many of the files whose symbols are indexed may define a name."""
        wanted = tokens_of(name)
        return self._rows.count(Words.Names, wanted) if wanted else 0

    def _textual_holding(self, tokens: Sequence[str]) -> Sequence[int]:
        """Return the ids of the files whose definitions are found by their words, and that hold all of some words.

        Few files hold most names: to look through all that do takes less than to have the thousands compared.
        """
        textual = self._files.textual_ids()
        if not textual:
            return ()
        if self._textual[0] is not textual:
            self._textual = textual, frozenset(textual)
        holding = self._rows.holding(Words.Text, tokens, _MOST_HOLDING)
        if len(holding) < _MOST_HOLDING:
            return [file for file in holding if file in self._textual[1]]
        return self._rows.holding_among(Words.Text, tokens, textual)

    def _undecided(self, name: str, tokens: Sequence[str]) -> list[str]:
        """Return the files that may hold ``name``, and whose symbols do not tell whether they define it."""
        table = self._table
        if table.progress.symbols < len(table):
            return table.progress.undecided(self._words.files_with((name,)))
        wordless = self._words.unindexed_files()
        texts = self._textual_holding(tokens)
        return [*table.paths_of(texts), *table.progress.undecided(wordless)]
