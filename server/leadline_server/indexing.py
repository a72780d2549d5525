"""``leadline index``: updates the index with a progress bar, and prints a summary."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import asdict, dataclass

from leadline_server.config import Config
from leadline_server.memory import collect_seldom
from leadline_server.outgoing import printable
from leadline_server.root_index import index_of_root
from leadline_tools.index.files.coverage import Coverage
from leadline_tools.index.files.file import File
from leadline_tools.index.index import Index
from leadline_tools.languages import has_symbols
from leadline_tools.plurals import count_noun

_MOST_SECONDS = 3_600.0
_REPORT_SECONDS = 0.2
_MOST_FAILURES = 20


@dataclass(frozen=True, slots=True)
class KeptFacts:
    """The facts of a tree after they were computed.

    Args:
        files: How many files have theirs kept.
        of: How many files can have facts.
        seconds: How long it took to compute those that were not kept yet.
        bytes: The disk space of all.
        limit: The disk space that they may take.

    """

    files: int
    of: int
    seconds: float
    bytes: int
    limit: int

    def text(self) -> str:
        """Return a line for people."""
        line = f"facts of {self.files:,} of {self.of:,} files in {self.seconds:.1f} s more, {self.bytes / 1e6:,.1f} MB"
        full = self.files < self.of
        return f"{line}; --facts-size allows {self.limit / 1e6:,.0f} MB" if full else line


@dataclass(frozen=True, slots=True)
class IndexSummary:
    """The summary of an index that was updated.

    Args:
        coverage: How complete it is.
        seconds: How long that took.
        words_seconds: After how many of them text could be searched; 0 where it cannot yet.
        where: The file that it is in, or ``memory``.
        bytes: The size of that file.
        definitions: How many symbols it has, of all files together.
        text_only: The files in which no symbols are looked for, since they are in no language that has any.
        binary: The files that are no text.
        failed: Paths, each with the reason why something of it is missing.
        warning: Why it is in no file, though it should be; else empty.
        facts: What became of the facts; None where they were left out.

    """

    coverage: Coverage
    seconds: float
    words_seconds: float
    where: str
    bytes: int
    definitions: int
    text_only: int
    binary: int
    failed: tuple[tuple[str, str], ...]
    warning: str = ""
    facts: KeptFacts | None = None

    @property
    def complete_and_kept(self) -> bool:
        """Return whether nothing is missing and the index is in its file for the next process."""
        return self.coverage.complete and not self.warning

    @property
    def code(self) -> int:
        """Return how many files symbols are looked for in."""
        return self.coverage.files - self.text_only - self.binary

    def text(self) -> str:
        """Return a summary for people."""
        rate = self.coverage.files / max(self.seconds, 0.001)
        lines = [
            f"{self.coverage.files:,} files in {self.seconds:.1f} s ({rate:,.0f} a second):"
            f" {self.code:,} of code, {self.text_only:,} text only, {self.binary:,} binary",
            f"{count_noun(self.definitions, 'symbol')}; text searchable after {self.words_seconds:.1f} s",
            self.warning or f"{self.bytes / 1e6:,.1f} MB in {self.where}",
        ]
        if not self.coverage.complete:
            lines[1] = f"incomplete: words of {self.coverage.texts:,}, symbols of {self.coverage.symbols:,} files"
        if self.facts is not None:
            lines.append(self.facts.text())
        if self.failed:
            number = len(self.failed)
            lines.append(f"{number:,} {'file was' if number == 1 else 'files were'} not fully indexed:")
        lines.extend(f"  {printable(path)}: {printable(error)}" for path, error in self.failed[:_MOST_FAILURES])
        if len(self.failed) > _MOST_FAILURES:
            lines.append(f"  and {len(self.failed) - _MOST_FAILURES:,} more")
        return "\n".join(lines)

    def json(self) -> str:
        """Return the same for programs, as one JSON object."""
        summary = {
            "files": self.coverage.files,
            "words": self.coverage.texts,
            "symbols": self.coverage.symbols,
            "definitions": self.definitions,
            "code": self.code,
            "text_only": self.text_only,
            "binary": self.binary,
            "seconds": round(self.seconds, 3),
            "words_seconds": round(self.words_seconds, 3),
            "index": self.where,
            "bytes": self.bytes,
            "warning": self.warning,
            "facts": asdict(self.facts) if self.facts is not None else None,
            "failed": [{"path": printable(path), "error": printable(error)} for path, error in self.failed],
        }
        return json.dumps(summary)


_ShowProgress = Callable[[str, int, int], None]
"""Takes the name of what is done, how many files are done, and of how many."""


def build_index(config: Config, *, facts: bool = True) -> IndexSummary:
    """Bring the index up to date, and the ``facts``, with a progress bar where the error stream is a terminal."""
    collect_seldom()
    index = index_of_root(config)
    started = time.monotonic()
    index.start()
    with closing(index), _progress() as show:
        words_seconds = _follow_index(index, show, started)
        seconds = time.monotonic() - started
        kept = _follow_facts(index, show, config.facts_size) if facts else None
        definitions = index.rows.vocabulary().total
    return _summarize(index, seconds, words_seconds, definitions, kept)  # closed, so that its file is whole


def _follow_index(index: Index, show: _ShowProgress, started: float) -> float:
    """Show how words and symbols come forward until all is written; return the seconds until text could be searched."""
    words_seconds = 0.0
    done = False
    while not done and time.monotonic() - started < _MOST_SECONDS:
        done = index.settle(_REPORT_SECONDS)
        coverage = index.coverage()
        if not words_seconds and coverage.texts == coverage.files:
            words_seconds = time.monotonic() - started
        show("words", coverage.texts, coverage.files)
        show("symbols", coverage.symbols, coverage.files)
    return words_seconds


def _follow_facts(index: Index, show: _ShowProgress, limit: int) -> KeptFacts:
    """Have all facts computed, and show how they come forward."""
    started = time.monotonic()
    index.facts.build(hurried=True)
    done = False
    while not done and time.monotonic() - started < _MOST_SECONDS:
        done = index.facts.wait(_REPORT_SECONDS)
        coverage = index.coverage()
        show("facts", coverage.facts, coverage.factual)
    seconds, coverage = time.monotonic() - started, index.coverage()
    return KeptFacts(coverage.facts, coverage.factual, seconds, index.facts.size, limit)


def _progress() -> AbstractContextManager[_ShowProgress]:
    if not sys.stderr.isatty():
        return nullcontext(_show_nothing)
    from leadline_server.progress_bars import progress_bars  # a twentieth of the time in which a command starts

    return progress_bars()


def _show_nothing(_name: str, _completed: int, _total: int) -> None:
    """Show no progress: nobody watches."""


def _summarize(
    index: Index, seconds: float, words_seconds: float, definitions: int, facts: KeptFacts | None
) -> IndexSummary:
    files = index.files.below()
    path = index.kept.path
    return IndexSummary(
        index.coverage(),
        seconds,
        words_seconds,
        where=str(path or "memory"),
        bytes=path.stat().st_size if path is not None else 0,
        definitions=definitions,
        text_only=_count_text_only(files),
        binary=sum(file.binary for file in files),
        failed=tuple((file.path, file.error) for file in index.files.failed),
        warning=index.kept.warning,
        facts=facts,
    )


def _count_text_only(files: Sequence[File]) -> int:
    """Return how many files are text, and in no language whose symbols are indexed."""
    return sum(not file.binary and not has_symbols(file.path) for file in files)
