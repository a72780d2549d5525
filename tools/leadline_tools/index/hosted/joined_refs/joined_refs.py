"""Some refs of a database as one code base, as they were when the question came.

They never change, so what is said of their state is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.hosted.hosted_files import Contents
from leadline_tools.index.hosted.hosted_reader import HostedReader, Kind
from leadline_tools.index.hosted.joined_refs.joined_parts import (
    HostedDefinedNames,
    HostedListedFiles,
    HostedSymbols,
    HostedTrees,
    NoScans,
)
from leadline_tools.index.hosted.text.hosted_words import HostedWords
from leadline_tools.index.hosted.text.text_engine import TextEngine
from leadline_tools.index.hosted.text.word_holders import hosted
from leadline_tools.index.index import Index
from leadline_tools.index.indexing.first_scan import FirstScan
from leadline_tools.index.joined_index import Joining, Parts
from leadline_tools.index.packing.script_words import ANY_SCRIPT
from leadline_tools.index.paths.listed_files import ListedFiles
from leadline_tools.index.questions.defined_names import DefinedNames
from leadline_tools.index.questions.symbol_index import SymbolIndex
from leadline_tools.index.questions.word_index import WordIndex
from leadline_tools.index.store.snapshot import Snapshot
from leadline_tools.index.trees import Trees
from leadline_tools.index.workspace import Workspace
from leadline_tools.languages import knowing_scripts
from leadline_tools.once import once


class JoinedRefs(Workspace):
    """Some refs of a database as one code base."""

    _joining: HostedJoining

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Read in one transaction while an answer is computed; the scripts of the trees are known then."""
        repositories = (index.repository for index in hosted(self._parts))
        with self._joining.reader.transaction(*repositories), knowing_scripts(self.scripts):
            yield

    def scripts(self) -> Mapping[str, str]:
        """Return the names of the languages of the scripts that only their first line identifies, by their paths."""
        return self._all_scripts

    def coverage(self) -> Coverage:
        """Return how far the indexes are: all of it is there."""
        return self._whole_coverage

    @property
    def snapshot(self) -> Snapshot:
        """Return what identifies these states of the refs."""
        return self._only_snapshot

    def refresh(self, patience: float = 0.5) -> None:
        """Do nothing: a ref that has moved is in other joined refs."""

    @once
    def _all_scripts(self) -> Mapping[str, str]:
        repositories = {index.repository for index in hosted(self._parts)}
        self._joining.reader.postings_of(repositories, Kind.Names, (ANY_SCRIPT,))  # each root finds what all have
        return super().scripts()

    @once
    def _whole_coverage(self) -> Coverage:
        return super().coverage()

    @once
    def _only_snapshot(self) -> Snapshot:
        return super().snapshot


class HostedJoining(Joining):
    """Makes what answers for several refs.

    Attributes:
        reader: What reads the database.

    """

    def __init__(self, reader: HostedReader, contents: Contents, engine: TextEngine) -> None:
        """Take what reads the database, what keeps contents, and what searches the contents of many refs."""
        self.reader = reader
        self._contents = contents
        self._engine = engine

    def tree(self, parts: Parts) -> Trees:
        """Return the files of the refs."""
        return HostedTrees(parts, self._contents)

    def scans(self, parts: Parts) -> FirstScan:
        """Return that everything is known."""
        return NoScans(parts)

    def files(self, parts: Parts, tree: Trees) -> ListedFiles:
        """Return the files that they list."""
        return HostedListedFiles(parts, tree)

    def words(self, parts: Parts) -> WordIndex:
        """Return the words of the files."""
        return HostedWords(parts, self.reader, self._engine)

    def symbols(self, parts: Parts, of: Callable[[str], Index]) -> SymbolIndex:
        """Return the symbols of the files."""
        return HostedSymbols(parts, of, self.reader)

    def defined_names(self, parts: Parts) -> DefinedNames:
        """Return the names that the files define."""
        return HostedDefinedNames(parts, self.reader)
