"""The ranking of files and symbols for a question, best first: candidates, evidence, scores.

The files are found in the index and read; what each says is summed up as features, and those of the best ones are
completed by their symbols, which takes longest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest

from leadline_tools import cancellation
from leadline_tools.find_code import index_words
from leadline_tools.find_code.candidates import Candidates, find_candidates
from leadline_tools.find_code.evidence import FileEvidence, gather_evidence
from leadline_tools.find_code.features import FileFeatures, score
from leadline_tools.find_code.file_weights import PENALTIES, WEIGHTS
from leadline_tools.find_code.question import Question
from leadline_tools.find_code.stems import stem
from leadline_tools.find_code.symbol_scores import RatedSymbol, Scale, SymbolRating
from leadline_tools.index.index import Index
from leadline_tools.index.text.source_text import Source
from leadline_tools.index.tree.marks import Mark, mark_of
from leadline_tools.model import SymbolKind

MOST_RATED = 32
"""Files whose symbols are looked at."""

_MOST_SYMBOLS = 3
"""Symbols of a file that an answer may list."""

_ABOUT_TESTS = frozenset(map(stem, ("test", "testing", "mock", "fixture", "spec", "benchmark", "example", "sample")))
"""Words of a question that asks for tests or examples themselves."""


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file that answers a question: its text, what it says, its best symbols, and what it is besides code."""

    source: Source
    evidence: FileEvidence
    features: FileFeatures
    score: float
    symbols: Sequence[RatedSymbol]
    mark: Mark

    @property
    def path(self) -> str:
        """Return the path of the file."""
        return self.evidence.path

    @property
    def relevance(self) -> float:
        """Return the score of the file without what counts for any question: its length, and that it is code."""
        return score(self.features._replace(length=0.0, code=0.0), WEIGHTS)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The files that answer a question, best first.

    Args:
        question: What is asked for.
        rarity: How much each term of the question says in this code base.
        files: The best files.
        more: True where further files that have words of the question were not read, or not ranked by their symbols.

    """

    question: Question
    rarity: Sequence[float]
    files: Sequence[RankedFile]
    more: bool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What may be found.

    Args:
        paths: The files; None for all.
        kinds: The kinds of symbols; none for all.
        tests: Whether tests and examples count like other code.

    """

    paths: Collection[str] | None = None
    kinds: Collection[SymbolKind] = ()
    tests: bool = False


def rank_files(index: Index, question: Question, wanted: Wanted = Wanted()) -> Ranking:
    """Return the files that answer a question, best first."""
    candidates = find_candidates(index, question, wanted.paths)
    gathered = list(_gather(index, question, candidates))
    lenient = wanted.tests or not _ABOUT_TESTS.isdisjoint(term.stem for term in question.terms)
    marks = {evidence.path: mark_of(evidence.path) for evidence in gathered}

    def value(evidence: FileEvidence, features: FileFeatures) -> float:
        mark = marks[evidence.path]
        forgiven = lenient and mark in (Mark.Test, Mark.Benchmark, Mark.Example)
        return score(features, WEIGHTS) - (0.0 if forgiven else PENALTIES.get(mark, 0.0))

    def promise(evidence: FileEvidence) -> tuple[float, str]:
        return value(evidence, evidence.features) + WEIGHTS.defined * evidence.defines, evidence.path

    best = nlargest(MOST_RATED, gathered, key=promise)
    scale = Scale(question, candidates.rarity)
    files: list[RankedFile] = []
    for evidence in best:
        cancellation.check()
        source = index_words.read_source(index, evidence.path)
        if source is not None:
            features, symbols = _complete(index, scale, evidence, source, wanted.kinds)
            mark = marks[evidence.path]
            files.append(RankedFile(source, evidence, features, value(evidence, features), symbols, mark))
    files.sort(key=lambda file: (-file.score, file.path))
    large = any(index_words.is_too_large(index, path) for path in candidates.paths)
    more = candidates.more or large or len(gathered) > MOST_RATED
    return Ranking(question, candidates.rarity, files, more)


def _gather(index: Index, question: Question, candidates: Candidates) -> Iterator[FileEvidence]:
    """Yield what the candidates say, but for their symbols; those that say nothing are left out."""
    names = index_words.defined_names(index, candidates.paths)
    with index.tree.reading() as reader:
        for path in reader.ahead(sorted(candidates.paths)):  # the fastest order to read in
            cancellation.check()
            content = index_words.load_text(index, reader, path)
            evidence = gather_evidence(question, candidates.rarity, path, content, names.get(path, b""))
            if any(one.offsets for one in evidence.places) or any(evidence.named):
                yield evidence


def _complete(
    index: Index, scale: Scale, evidence: FileEvidence, source: Source, kinds: Collection[SymbolKind]
) -> tuple[FileFeatures, Sequence[RatedSymbol]]:
    """Return the features of a file with what its symbols say, and the best of those."""
    definitions = index_words.definitions(index, source)
    rated = SymbolRating(scale, evidence, source.content, definitions).rate(_MOST_SYMBOLS, kinds)
    features = evidence.features._replace(
        symbol=rated.best[0].score if rated.best else 0.0, defined=rated.defined, member=rated.member
    )
    return features, rated.best
