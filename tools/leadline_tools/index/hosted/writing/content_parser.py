"""The parser of contents: from files of a commit to all that the hosted index keeps of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leadline_tools import deflated
from leadline_tools.errors import BinaryFile, LeadlineError, SecretFile, TooLarge
from leadline_tools.index.files.file import SYMBOLS, TEXT, TEXTUAL
from leadline_tools.index.hosted.blob_form import ContentKind
from leadline_tools.index.hosted.writing.repository_writer import BlobKey, NewBlob
from leadline_tools.index.indexing.texts import LARGEST_TEXT, text_to_index
from leadline_tools.index.indexing.unindexed import undone
from leadline_tools.index.store.words import tokens
from leadline_tools.index.tree.source import Reader
from leadline_tools.index.tree.stored_tree import StoredFile, StoredTree
from leadline_tools.index.workers.frames import Operation, Reply
from leadline_tools.index.workers.root_workers import RootWorkers
from leadline_tools.languages import language_in

_NOTHING = Reply(b"", 0, b"", b"")


class WorkersEnded(LeadlineError):  # noqa: N818  it is what has happened
    """The indexer is ending, so nobody parses what it has read."""

    hint = "Run leadline indexer again: it continues where it ended."

    def __init__(self) -> None:
        super().__init__("The indexer was ended while it parsed files.")


class FileToParse(NamedTuple):
    """A file, and what identifies its content."""

    file: StoredFile
    key: BlobKey


class _Content(NamedTuple):
    """A content that was read; see ``NewBlob``. ``text`` is what its words are cut from."""

    kind: ContentKind
    digest: bytes = b""
    lines: int = 0
    body: bytes | None = None
    text: str = ""
    has_symbols: bool = False
    has_facts: bool = False


class ContentParser:
    """Reads files of a tree, and has them parsed by the workers."""

    def __init__(self, tree: StoredTree, workers: RootWorkers) -> None:
        self._tree = tree
        self._workers = workers

    def parse(self, files: Sequence[FileToParse]) -> list[NewBlob]:
        """Return what is to be kept of some files, in their order; raises WorkersEnded, so that nothing is kept."""
        with self._tree.reading() as reader:
            read = {one.file.path: self._read(reader, one.file.path) for one in files}
        symbols = self._workers.gather(Operation.Symbols, [path for path, one in read.items() if one.has_symbols])
        facts = self._workers.gather(Operation.Facts, [path for path, one in read.items() if one.has_facts])
        if any(reply.refused for reply in (*symbols.values(), *facts.values())):
            raise WorkersEnded
        return [_new_blob(one, read[one.file.path], symbols, facts) for one in files]

    def words(self, path: str) -> frozenset[str]:
        """Return the words of the text of a file, by which it is found."""
        with self._tree.reading() as reader:
            return words_of_text(path, self._read(reader, path).text)

    def _read(self, reader: Reader, path: str) -> _Content:
        try:
            source = reader.read(path, LARGEST_TEXT)
        except BinaryFile:
            return _Content(ContentKind.Binary)
        except SecretFile:
            return _Content(ContentKind.Secret)
        except TooLarge:
            return _Content(ContentKind.Large, body=reader.raw(path))
        language = language_in(path, source.content)
        body = source.content if source.masked else reader.raw(path)
        return _Content(
            ContentKind.Text,
            source.digest,
            source.line_count,
            body,
            source.content.decode("utf-8", "replace"),
            has_symbols=not undone(path) & SYMBOLS or source.content.startswith(b"#!"),
            has_facts=language is not None and language.semantics is not None,
        )


def _new_blob(one: FileToParse, content: _Content, symbols: Mapping[str, Reply], facts: Mapping[str, Reply]) -> NewBlob:
    """Return what is to be kept of a file that was read and, where it has any, was parsed."""
    path, size = one.file.path, one.file.size
    parsed, known = symbols.get(path, _NOTHING), facts.get(path, _NOTHING)
    return NewBlob(
        one.key,
        content.kind,
        content.digest,
        size,
        content.lines,
        TEXT | SYMBOLS | (TEXTUAL if parsed.textual else 0),
        parsed.error,
        content.body,
        words_of_text(path, content.text),
        deflated.compress(parsed.names) if parsed.names else b"",
        parsed.payload,
        parsed.included,
        parsed.related,
        known.payload if content.has_facts and not known.error else None,
    )


def words_of_text(path: str, text: str) -> frozenset[str]:
    """Return the words of the text of a file, cut as the index cuts them."""
    return frozenset(tokens(text_to_index(path, text)))


def words_of_names(names: bytes) -> frozenset[str]:
    """Return the words of the names that a worker has found, one a line, deflated; none for empty bytes."""
    return frozenset(tokens(deflated.decompress(names).decode("utf-8", "replace"))) if names else frozenset()
