"""The index of one root, as the tools see it: files, words, names, outlines and facts, always true to the tree.

No question waits for the index to be complete: what is not indexed yet is read and parsed when it is asked for.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from leadline_tools.errors import LeadlineError, NotListed, NotParsed, PathNotFound, StillLooking
from leadline_tools.index.changes.watch import Watcher
from leadline_tools.index.facts.fact_size import USUAL_SIZE
from leadline_tools.index.facts.fact_store import FOLDER, FactStore
from leadline_tools.index.facts.file_facts import Fetched, FileFacts
from leadline_tools.index.packing import packed_includes, packed_outline
from leadline_tools.index.packing.definition_query import EVERY, DefinitionQuery
from leadline_tools.index.packing.packed_symbols import unpack, unpack_named
from leadline_tools.index.questions.graph import Graphs
from leadline_tools.index.questions.includes import Includes
from leadline_tools.index.questions.layout import Layout
from leadline_tools.index.questions.manifests import Manifests
from leadline_tools.index.questions.names import Names
from leadline_tools.index.questions.related_files import RelatedFiles
from leadline_tools.index.questions.scripts import find_scripts
from leadline_tools.index.store.coverage import Coverage
from leadline_tools.index.store.database import index_path
from leadline_tools.index.store.file_list import LOOKED_AT
from leadline_tools.index.store.files import SYMBOLS, File, Listing, below
from leadline_tools.index.store.rows import Blob, RowsDamagedError, RowsError, Words
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.index.store.sqlite_rows import SqliteRows
from leadline_tools.index.store.words import tokens as tokens_of
from leadline_tools.index.text.macros import macros, merged
from leadline_tools.index.text.scan import finder
from leadline_tools.index.text.secrets import Policy
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.ignoring import Ignoring
from leadline_tools.index.tree.source import Tree
from leadline_tools.index.tree.walk import Skipped
from leadline_tools.index.work.indexer import Indexer
from leadline_tools.index.work.outlines import Outlines
from leadline_tools.index.work.workers import Workers
from leadline_tools.languages import knowing_scripts
from leadline_tools.languages.outline import Definition
from leadline_tools.likeness import most_alike, nearest

log = logging.getLogger("leadline.index")

T = TypeVar("T")

_PATIENCE = 5.0
"""Seconds that a question waits for the workers each time that it needs them."""

_FEW = 64
"""Files whose indexing a call waits for; more than that is a first build, which nothing waits for."""

_UNHURRIED_SECONDS = 3.0
"""Seconds after the start from which the vocabulary is made ready: the first answer may need none, and comes first."""

_LIKENESS = 0.75
"""From 0 to 1: paths less alike are not taken for one another."""

_LOOK_SECONDS = 5.0
"""Seconds that a call waits for the first look at a tree."""

_MOST_MEANT = 3
"""Names that a path that there is not may have been meant to end with."""

_MOST_COMPARED = 20_000
"""Names among which the most similar is looked for."""

_LINE = re.compile(r"(?P<path>.+?)(?::L?|#L)(?P<line>\d{1,9})(?:\D.*)?")
"""A path with a line behind it."""

_SCAN_SECONDS = 2.0
"""Seconds that a question looks through files whose words are not indexed yet."""


class _Wordless(NamedTuple):
    """The files whose words are not indexed in a state of the tree: not yet, and for being too large."""

    state: tuple[str, int]
    new: Sequence[str]
    large: Sequence[str]

    @property
    def all(self) -> Sequence[str]:
        """Return the ones and the others."""
        return [*self.new, *self.large]


class Index:
    """The index of the tree at ``root``."""

    def __init__(
        self,
        root: Path,
        cache: Path | None,
        processes: int | None = None,
        policy: Policy | None = None,
        name: str = "",
        facts_size: int = USUAL_SIZE,
    ) -> None:
        """Open the index; ``cache`` is the folder that holds indexes, None keeps this one in memory.

        ``policy`` says which files are secret. Each policy has an index of its own: one holds what another must not.
        With a ``name`` that is the first segment of every path. Of facts ``facts_size`` bytes are kept.
        """
        self.tree = Tree(root, policy, name)
        place = partial(index_path, cache, self.tree.root, self.tree.policy.name) if cache is not None else None
        self.rows = SqliteRows(place() if place is not None else None)
        self.workers = Workers(self.tree, processes)
        self._outlines = Outlines(self.workers)
        self._indexer = Indexer(self.tree, self.rows, self.workers)
        store = FactStore(place(FOLDER) if place is not None else None, facts_size)
        self._facts = FileFacts(self.tree, self._indexer, self.workers, store)
        self._wordless = _Wordless(("", -1), (), ())
        self._scripts: tuple[Snapshot | None, Mapping[str, str]] = (None, {})
        self.includes = Includes(self)
        self.related = RelatedFiles(self)
        self._secret: tuple[Sequence[str], frozenset[str]] | None = None
        self._put_off: list[str] = []
        self._laid_out = Layout(())
        self._manifests = Manifests(self)
        self.names = Names(self)
        self.graphs = Graphs(self)
        self._builds_facts = False
        self._loading = threading.Timer(_UNHURRIED_SECONDS, self._prepare)
        self._loading.daemon = True
        self._paths_known, self._scanned = threading.Event(), threading.Event()
        self._paths_known.set()
        self._scanned.set()

    def start(self) -> None:
        """Look at the tree, and begin to index what is new or changed in it."""
        self._indexer.refresh()
        self._indexer.start()
        self._loading.start()

    def begin(self) -> None:
        """Start in the background: first the paths are known, then what a look at each file tells."""
        self._paths_known.clear()
        self._scanned.clear()
        threading.Thread(target=self._begin, name="leadline-start", daemon=True).start()

    def _begin(self) -> None:
        try:
            self._indexer.scan_paths()
            self._paths_known.set()
            self.refresh(0)
        finally:
            self._scanned.set()
            self._paths_known.set()
            self._indexer.start()
            self._loading.start()

    def _prepare(self) -> None:
        """Have ready what later questions need."""
        self.names.load()
        if self._builds_facts:
            self.build_facts()

    def is_scanned(self, seconds: float = 0) -> bool:
        """Tell whether the first look at the tree has ended, after ``seconds`` at most, so that its files are known."""
        return self._scanned.wait(seconds)

    def wait_until_scanned(self) -> None:
        """Wait until the tree was looked at; raises StillLooking where that takes long."""
        if not self.is_scanned(_LOOK_SECONDS):
            raise StillLooking(_LOOK_SECONDS)

    def are_paths_known(self, seconds: float = 0) -> bool:
        """Tell whether the paths of the tree are known after ``seconds`` at most: they alone, or more of it.

        Of a tree that is known from before, they are known as it is now once it was looked at.
        """
        return (self._paths_known.wait(seconds) and self._indexer.knows_paths_alone) or self.is_scanned(seconds)

    def wait_for_paths(self) -> None:
        """Wait until the paths of the tree are known; raises StillLooking where that takes long."""
        if not self.are_paths_known(_LOOK_SECONDS):
            raise StillLooking(_LOOK_SECONDS)

    def close(self) -> None:
        """End the workers and close the database."""
        self._loading.cancel()
        self._facts.builder.stop()
        self._indexer.close()
        self._scanned.set()
        self._paths_known.set()
        self.workers.close()
        self._facts.close()
        self.rows.close()

    def refresh(self, patience: float = 0.5) -> None:
        """Bring the index up to date with the tree; changes of a few files are waited for, ``patience`` seconds."""
        try:
            self._indexer.refresh()
        except RowsDamagedError:
            self.renew()
        except RowsError as error:
            log.warning("a change could not be recorded: %s", error)
        coverage = self.coverage()
        if coverage.files - min(coverage.texts, coverage.symbols) < _FEW:
            self._indexer.wait(patience)

    def renew(self) -> None:
        """Throw a damaged index away and begin anew."""
        self._indexer.renew()

    def wait(self, seconds: float) -> bool:
        """Wait until the index is complete, at most ``seconds``; tell whether it is."""
        return self._indexer.wait(seconds)

    def settle(self, seconds: float) -> bool:
        """Wait until nothing at all is left to write, at most ``seconds``; tell whether that is so."""
        return self._indexer.settle(seconds)

    @property
    def root(self) -> Path:
        """Return the root of the tree."""
        return self.tree.root

    @property
    def identity(self) -> str:
        """Return what tells this code base from others."""
        return str(self.root)

    @property
    def title(self) -> str:
        """Return what people call the tree."""
        return self.tree.name or self.root.name

    @property
    def parts(self) -> Sequence[Index]:
        """Return the indexes of single roots that this one is made of."""
        return (self,)

    def of(self, path: str) -> Index:  # noqa: ARG002  there is but one
        """Return the index of the root that holds a path of the tree: names are resolved inside one root."""
        return self

    @property
    def state(self) -> str:
        """Return what names the present state of the tree, and of an index that was made anew meanwhile."""
        generation = self.generation
        return f"{self._indexer.state}-{generation}" if generation else self._indexer.state

    @property
    def generation(self) -> int:
        """Return how often the index was made anew: what was asked of two generations may not agree."""
        return self.rows.generation

    @property
    def snapshot(self) -> Snapshot:
        """Return what tells the present content of the index from others: what was found in two may not agree."""
        coverage = self.coverage()
        return Snapshot(self.state, coverage.texts, coverage.symbols)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Keep the index as it is while an answer is computed, unless that takes long; its scripts are known then."""
        with self._indexer.answers.answer(), knowing_scripts(self.scripts):
            yield

    def scripts(self) -> Mapping[str, str]:
        """Return the names of the languages of the scripts that only their first line identifies, by their paths."""
        snapshot = self.snapshot
        kept, scripts = self._scripts
        if kept != snapshot:
            scripts = find_scripts(self)
            self._scripts = snapshot, scripts
        return scripts

    @property
    def watcher(self) -> Watcher:
        """Return what knows of changes in the tree."""
        return self._indexer.watcher

    @property
    def skipped(self) -> Sequence[Skipped]:
        """Return what of the tree is not listed, with the reasons."""
        walked = self._indexer.walked
        return [one._replace(path=self.tree.named(one.path)) for one in walked.skipped] if walked is not None else ()

    @property
    def rules_ignored(self) -> bool:
        """Tell whether the ignore rules of the tree leave nothing, so that files are listed without them."""
        walked = self._indexer.walked
        return walked is not None and walked.ignored_everything

    @property
    def failed(self) -> Sequence[File]:
        """Return the files of which something could not be indexed, with the reasons."""
        return self._indexer.files.failed()

    def coverage(self) -> Coverage:
        """Return how far the index is."""
        table = self._indexer.files
        return Coverage(len(self._indexer), table.texts, table.symbols, table.textual, table.factual, table.with_facts)

    # Files

    def files(self, folder: str = "") -> list[File]:
        """Return the files below a folder, in the order of their paths."""
        table = self._indexer.files
        return [file for path in table.below(folder) if (file := table.get(path)) is not None]

    def textual_ids(self) -> Sequence[int]:
        """Return the rows of the files whose symbols are found by their words alone."""
        return self._indexer.files.textual_ids()

    @property
    def paths(self) -> Sequence[str]:
        """Return the paths of all files, sorted; the very same as long as no file comes or goes."""
        return self._indexer.paths()

    def file(self, path: str) -> File | None:
        """Return the file at a path as the tree names it."""
        return self._indexer.files.get(path)

    def listing(self, paths: Iterable[str]) -> Iterator[Listing]:
        """Yield what a list tells of files at some paths, many at a time; those that are not there are left out.

        Of a tree of which but the paths are known, a few are looked at now; for more the look at the tree is awaited,
        which may raise StillLooking.
        """
        given = iter(paths)
        if self._indexer.knows_paths_alone:
            few = list(islice(given, LOOKED_AT + 1))
            if len(few) <= LOOKED_AT:
                yield self._indexer.looked_at(few)
                return
            self.wait_until_scanned()
            if self._indexer.knows_paths_alone:  # it was closed before that
                raise StillLooking(0)
            given = chain(few, given)
        yield from self._indexer.files.listing(given)

    def size(self, path: str) -> int:
        """Return the bytes of the file at a path; 0 where there is none."""
        return self._indexer.size(path)

    def file_by_id(self, number: int) -> File | None:
        """Return the file of a row of the database."""
        return self._indexer.files.by_id(number)

    def paths_of(self, numbers: Iterable[int]) -> Sequence[str]:
        """Return the paths of the files of some rows; those of none are left out."""
        return self._indexer.files.paths_of(numbers)

    @property
    def secret_files(self) -> frozenset[str]:
        """Return the files that are neither read nor searched, since they hold secrets."""
        paths = self.paths
        if self._secret is None or self._secret[0] is not paths:
            self._secret = paths, frozenset(filter(self.tree.policy.is_secret, paths))
        return self._secret[1]

    def is_folder(self, path: str) -> bool:
        """Tell whether there are files below ``path``; the root is a folder even when it is empty."""
        return path in ("", self.tree.name) or bool(below(self.paths, path))

    def folder(self, path: str) -> str:
        """Return a folder as the tree names it; raises PathNotFound for what is neither folder nor file."""
        inside = self.locate(path)
        if self.is_folder(inside) or self.exists(inside):
            return inside
        with contextlib.suppress(OSError):  # a name that no folder can have
            folder = Path(self.tree.on_disk(inside))
            if folder.is_dir() and folder.resolve() == folder:  # an empty one; links are not followed
                return inside
        reason = self.why_unlisted(inside)
        if reason:
            raise NotListed(path, reason)
        raise PathNotFound(path, self._nearest(inside))

    def exists(self, path: str) -> bool:
        """Tell whether there is a file at ``path``."""
        return self._indexer.exists(path)

    def why_unlisted(self, path: str) -> str:
        """Return why what lies at a path of the tree is not listed; empty where it is, or where nothing lies there."""
        bare = self.tree.bare(path)
        if self.exists(path) or self.is_folder(path) or not bare or not os.path.lexists(self.tree.on_disk(path)):
            return ""
        walked = self._indexer.walked
        for skipped in walked.skipped if walked is not None else ():
            if bare == skipped.path or bare.startswith(f"{skipped.path}/"):
                return f"{self.tree.named(skipped.path)} is skipped: {skipped.reason}"
        if ".git" in bare.split("/"):
            return "it belongs to git"
        is_folder = Path(self.tree.on_disk(path)).is_dir()
        file = Ignoring(Tree(self.root)).ignored_by(bare, is_folder)
        if file:
            return f"ignored by {self.tree.named(file)}"
        return "" if is_folder else "ignored by rules above the root"

    def ending(self, suffix: str) -> Sequence[str]:
        """Return the files whose path is ``suffix`` or ends in ``/suffix``, shortest first."""
        return self._layout().ending(suffix)

    def inside(self, folder: str) -> Sequence[str]:
        """Return the files directly in the folder whose path is ``folder`` or ends in ``/folder``."""
        return self._layout().inside(folder)

    def manifests(
        self, name: str, read: Callable[[bytes], tuple[str, T] | None]
    ) -> Mapping[str, Sequence[tuple[str, T]]]:
        """Return what files called ``name`` say of packages, by the names of those: the path of each, and the rest.

        ``read`` gives the name of a package and what else is said of it, from the content of a file; None for none.
        """
        return self._manifests.named(name, read)

    def manifest(self, path: str, read: Callable[[bytes], T | None]) -> T | None:
        """Return what ``read`` makes of the file at ``path``; None where it cannot be read or is no manifest."""
        return self._manifests.at(path, read)

    def _layout(self) -> Layout:
        """Return where the files are; kept as long as no path comes or goes."""
        kept, paths = self._laid_out, self.paths
        if kept.paths is not paths:
            kept = self._laid_out = Layout(paths)
        return kept

    def _nearest(self, path: str) -> str | None:
        """Return the path that was probably meant: the same name elsewhere, else the most similar path.

        Where a line is named behind it, that is the path of a file which has this line.
        """
        place = _LINE.fullmatch(path)
        if place is not None:
            near = self._nearest(place["path"]) if not self.exists(place["path"]) else place["path"]
            return near if near is not None and self.has_line(near, int(place["line"])) else None
        self.is_scanned(_LOOK_SECONDS)
        name = path.rpartition("/")[2]
        layout = self._layout()
        same = layout.named(name)
        if same:
            return nearest(path, same, 0)
        names = layout.names
        if len(names) > _MOST_COMPARED:
            return None
        near = most_alike(name, names, _MOST_MEANT, _LIKENESS)
        if near:
            return nearest(path, [other for one in near for other in layout.named(one)], 0)
        like = nearest(name, layout.folders)
        return nearest(path, layout.folders[like], 0) if like else None

    # Content

    def read(self, path: str) -> Source:
        """Read a file; raises a PathError that names the nearest path where there is none."""
        inside = self.locate(path)
        try:
            return self.tree.read(inside)
        except PathNotFound:
            raise PathNotFound(path, self._nearest(inside)) from None

    def locate(self, path: str) -> str:
        """Return a path as the tree names it; raises PathOutside, and PathNotFound for one of no root."""
        try:
            return self.tree.inside(path)
        except PathNotFound:
            raise PathNotFound(path, self._nearest(path)) from None

    def try_read(self, path: str) -> Source | None:
        """Read a file; None where that fails for any reason."""
        try:
            return self.tree.read(path)
        except LeadlineError:
            return None

    def has_line(self, path: str, line: int) -> bool:
        """Tell whether a file can be read and has a line, 1-based; an empty one has the first."""
        source = self.try_read(path)
        return source is not None and line <= max(1, source.line_count)

    def outline(self, source: Source) -> Sequence[Definition]:
        """Return the outline of a file that was just read, with the parameters of what can be called.

        Raises NotParsed for what cannot be parsed, or not in time.
        """
        packed = self.packed_outline(source)
        return packed_outline.unpacked(packed) if packed else ()

    def packed_outline(self, source: Source) -> bytes:
        """Return the same as ``PackedOutline`` takes it; empty for a file of no language."""
        file = self.file(source.path)
        if file is not None and file.error:  # what has killed a worker once kills the next
            raise NotParsed(source.path, file.error)
        reply = self._outlines.of(source, _PATIENCE)
        if reply is None:
            raise NotParsed(source.path, f"it was not parsed within {_PATIENCE:g} s")
        if reply.error:
            raise NotParsed(source.path, reply.error)
        return reply.payload

    def definitions(self, source: Source) -> list[Definition]:
        """Return the definitions in a file that was just read: those indexed if the content is the same."""
        return self.query(source, EVERY)

    def query(self, source: Source, asked: DefinitionQuery[T]) -> T:
        """Return what is asked of the definitions in a file that was just read; it is parsed where it must be."""
        listed = self.query_indexed(source, asked)
        if listed is not None:
            return listed
        file = self.file(source.path)
        if file is not None and file.error:  # what has killed a worker once kills the next
            return asked.known([])
        reply = self._outlines.of(source, _PATIENCE)
        if reply is None or reply.error or not reply.payload:
            return asked.known([])
        # Packed as the index packs them: the answer stays the same when the file becomes indexed.
        return asked.packed(packed_outline.symbols_in(reply.payload))

    def query_indexed(self, source: Source, asked: DefinitionQuery[T]) -> T | None:
        """Return the same if the definitions are indexed, and what the index has is sound; None where they are not."""
        file = self.file(source.path)
        if file is None or not file.done & SYMBOLS or file.digest != source.digest:
            return None
        blob = self._symbols(file)
        try:
            if file.textual:
                return asked.known(merged(macros(source.content), unpack(blob) if blob is not None else []))
            return asked.packed(blob) if blob is not None else asked.known([])
        except ValueError:
            return None

    def with_words(self, words: Iterable[str], *, spelled: bool = False, beginning: str = "") -> list[str]:
        """Return the files whose text may hold all of ``words``, and one that begins with ``beginning``, sorted.

        Files whose words are not indexed are among them, for being new or too large; with ``spelled`` only new ones
        that hold the words as they are spelled, as far as a few seconds suffice to look.
        """
        spellings = list(words)
        wanted = [token for word in spellings for token in tokens_of(word)]
        table = self._indexer.files
        if not (wanted or beginning):
            return list(self.paths)
        # Looked at first: what is indexed between the two is then found twice, not missed.
        missing = self._without_words()
        rows = self.rows.holding(Words.Text, wanted, beginning=beginning)
        found = table.paths_of(rows)
        more = frozenset(self._spelling(spellings, missing.new) if spelled else missing.all)
        return sorted(more.union(found) if more else found)

    def count_with_word(self, word: str) -> int:
        """Return how many files may hold a word; see ``with_words``."""
        wanted = tokens_of(word)
        missing = self._without_words()
        known = self.rows.count(Words.Text, wanted) if wanted else len(self._indexer.files)
        return known + len(missing.new) + len(missing.large)

    def count_defining(self, name: str) -> int:
        """Return how many of the files whose symbols are indexed may define a name."""
        wanted = tokens_of(name)
        return self.rows.count(Words.Names, wanted) if wanted else 0

    def without_words(self) -> Sequence[str]:
        """Return the files whose words are not indexed: not yet, or for being too large."""
        return self._without_words().all

    @property
    def large_files(self) -> Sequence[str]:
        """Return the files that are too large for their words to be indexed."""
        return self._without_words().large

    def _without_words(self) -> _Wordless:
        table = self._indexer.files
        if self._indexer.knows_paths_alone:
            return _Wordless(("", -1), self.paths, ())
        state = (self.state, table.texts)
        if self._wordless.state != state:
            self._wordless = _Wordless(state, table.wordless(), table.large())
        return self._wordless

    def _spelling(self, words: Sequence[str], paths: Iterable[str]) -> Iterator[str]:
        """Yield those of ``paths`` whose text holds all of ``words``, until the time for it is up."""
        finders = [finder(word, word=True) for word in words]
        until = time.monotonic() + _SCAN_SECONDS
        with self.tree.reading() as reader:
            for path in paths:
                if time.monotonic() > until:
                    return
                raw = reader.raw(path)
                if raw is None or not all(found.may_hold(raw) for found in finders):
                    continue
                content = self.tree.text(path, raw)
                if content is not None and all(any(found.spans(content)) for found in finders):
                    yield path

    def defining(self, name: str) -> frozenset[str]:
        """Return the files that may define ``name``: those whose symbols say so, and those of which it is not known."""
        table = self._indexer.files
        tokens = tokens_of(name)
        if not tokens:
            return frozenset(table.paths())
        # Looked at first: what is indexed between the two is then found twice, not missed.
        unknown = self._undecided(name, tokens)
        holding = self.rows.holding(Words.Names, tokens)
        return frozenset((*table.paths_of(holding), *unknown))

    def taking_in(self, path: str, most: int = -1) -> list[str]:
        """Return the files that take in one with the name of the file at ``path``, as a whole, as far as is indexed.

        Not more than ``most``, where it is not negative; and those of which it could not be found out, if they hold
        the name.
        """
        rows = self.rows.holding(Words.Names, (packed_includes.token(path),), most)
        unknown = frozenset(file.path for file in self.failed if packed_includes.tells(file.path))
        if unknown:
            unknown &= frozenset(self.with_words((path.rpartition("/")[2],)))
        return sorted(unknown.union(self._indexer.files.paths_of(rows)))

    def is_alone(self, path: str) -> bool:
        """Tell whether no other file has the name of the file at ``path``."""
        return len(self._layout().named(path.rpartition("/")[2])) <= 1

    def written_includes(self, path: str) -> Sequence[str] | None:
        """Return what a file takes in as a whole, as it is written; None where the index does not tell."""
        file = self.file(path)
        if file is None or file.error or not file.done & SYMBOLS or not packed_includes.tells(path):
            return None
        blob = self.rows.blob(Blob.Includes, file.id)
        try:
            return packed_includes.unpacked(blob) if blob is not None else ()
        except ValueError:
            return None

    def may_define(self, path: str, name: str) -> bool:
        """Tell whether a file may define something with a dotted name; True where its symbols do not tell."""
        file = self.file(path)
        if file is None or file.textual or file.error or not file.done & SYMBOLS:
            return True
        blob = self._symbols(file)
        try:
            return blob is not None and any(one.path == name for one in unpack_named(blob, name.endswith))
        except ValueError:
            return True

    def _symbols(self, file: File) -> bytes | None:
        """Return the definitions of a file as they are packed in the index; None where it has none."""
        return self.rows.blob(Blob.Symbols, file.id)

    def _undecided(self, name: str, tokens: Sequence[str]) -> list[str]:
        """Return the files that may hold ``name``, and whose symbols do not tell whether they define it."""
        table = self._indexer.files
        if table.symbols < len(table):
            return table.undecided(self.with_words((name,)))
        missing = self._without_words()
        texts = self.rows.holding_among(Words.Text, tokens, self.names.texts())
        return [*table.paths_of(texts), *table.undecided(missing.all)]

    # Facts

    def facts(self, paths: Iterable[str], until: float = 0.0, name: str = "") -> Fetched:
        """Return the facts of files, those that are kept of their content, else from the workers.

        A file whose facts do not come by the time ``until`` is left out, by the monotonic clock; without that in some
        seconds. With a name, facts are not looked for where it is in comments and strings alone; one that begins with a
        dot is that of a member, which strings may name too.
        """
        return self._facts.fetch(paths, until or time.monotonic() + _PATIENCE, name)

    def facts_known(self, paths: Iterable[str]) -> frozenset[str]:
        """Return those of some files whose facts are kept, and those that are known to have none."""
        return self._facts.known(paths)

    def find_facts(self, paths: Iterable[str]) -> None:
        """Have facts that are not kept computed before all others, once the call is answered, see ``go_on``."""
        self._put_off.extend(paths)

    def go_on(self) -> None:
        """Begin with what was put off until a call is answered."""
        put_off, self._put_off = self._put_off, []
        self._facts.builder.prefer(put_off)

    def build_facts(self, *, hurried: bool = False) -> None:
        """Have the facts of all files computed in the background, once words and symbols are indexed.

        ``hurried`` is for when nobody asks anything meanwhile.
        """
        self._facts.builder.build(hurried=hurried)

    def build_facts_later(self) -> None:
        """Do the same some seconds after the start: the first question comes before that."""
        self._builds_facts = True
        if self._loading.finished.is_set():
            self.build_facts()

    @property
    def facts_size(self) -> int:
        """Return the bytes of the facts that are kept."""
        return self._facts.size

    def wait_for_facts(self, seconds: float) -> bool:
        """Wait until all facts are kept that there is room for, at most ``seconds``; tell whether that is so."""
        return self._facts.builder.wait(seconds)
