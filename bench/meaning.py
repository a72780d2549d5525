"""How well code is found by a person's words: NDCG, recall and tokens on questions whose answers are known.

    python bench/meaning.py score --questions DIR --trees DIR [--cache DIR] [NAME...]
    python bench/meaning.py fit --questions DIR --trees DIR [--cache DIR] [NAME...]
    python bench/meaning.py times ROOT [--cache DIR]

QUESTIONS holds ``repos.json``, a list of repositories (``name``, ``benchmark_root``: the folder that is searched), and
``NAME.json`` for each: a list of questions (``query``, ``category``, and ``relevant`` and ``secondary`` targets, each a
path, or a path with ``start_line`` and ``end_line``). TREES holds a folder NAME for each with its tree. NAMEs choose
some of them.

``score`` counts the first ten places of the complete result, and again only those in an answer without ``max_tokens``.
It exits with 1 where a promise is broken. ``fit`` prints the weights of ``find_code/file_weights.py`` that rank best,
and what those score that were fitted without the repository in question: five parts of the repositories, drawn by seed.
``times`` asks 20 questions about the tree at ROOT, three times each, and prints what the later two took.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_estimators import count
from leadline_server.call import Request, Session
from leadline_server.config import Config
from leadline_tools.find_code.features import FileFeatures
from leadline_tools.find_code.file_weights import WEIGHTS
from leadline_tools.find_code.question import parse_question
from leadline_tools.find_code.ranking import rank_files
from leadline_tools.index.index import Index
from leadline_tools.model import CodeMatch
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS

RESULTS = 10
"""Results that count."""

BUDGETS = (60, 90, 120, 150, 200, 250, 350, 500, 1_000, 2_000)
"""Budgets of which the least is looked for whose answer has a relevant place."""

PROMISED = {"all": 0.86, "architecture": 0.81, "semantic": 0.85, "symbol": 0.96}
PROMISED_RECALL, PROMISED_TOKENS = 0.95, 350
INDEXING_SECONDS = 600

GENERAL = (
    "where are errors logged",
    "how is the configuration read from a file",
    "parse command line arguments",
    "open a network connection and send a request",
    "cache invalidation",
    "allocate memory for a buffer",
    "lock that protects a list",
    "how are dates formatted",
    "user authentication and password check",
    "retry after a timeout",
    "compress data before it is written",
    "convert a string to an integer",
    "register a callback for an event",
    "compute the checksum of a block",
    "queue of pending work items",
    "where is the version number defined",
    "read a file line by line",
    "validate input of a form",
    "iterate over the children of a node",
    "free resources when the process exits",
)
"""Questions that fit most trees."""

PARTS, SEED = 5, 0
ROUNDS, STEP, SHRINKING = 150, 0.3, 1e-3
"""How the weights are found: rounds of Adam (Kingma and Ba 2015), its step, and the weight of their squares."""

FITTED = 40
"""Files of a question that the weights are fitted on: the best by the present weights, and the relevant ones."""


@dataclass(frozen=True)
class Target:
    """A place that answers a question: the end of a path, and lines, which are 0 where the whole file does."""

    path: str
    start: int = 0
    end: int = 0

    def is_hit(self, path: str, start: int, end: int) -> bool:
        """Return whether lines of a file hit the target; a result without lines is line 0 and meets any."""
        within = path == self.path or path.endswith(f"/{self.path}")
        return within and (not self.start or not start or (start <= self.end and end >= self.start))


@dataclass(frozen=True)
class Asked:
    """A question, and the places that answer it."""

    repository: str
    category: str
    query: str
    targets: Sequence[Target]


@dataclass(frozen=True)
class Answered:
    """What an answer to a question was worth."""

    asked: Asked
    ndcg: float
    recall: float
    ndcg_shown: float
    recall_shown: float
    tokens: int
    seconds: float


def ndcg(hits: Sequence[Callable[[Target], bool]], targets: Sequence[Target]) -> float:
    """Return the normalised discounted cumulative gain (Järvelin and Kekäläinen 2002) of the first results.

    Each target counts once, at its first hit; the ideal has all of them at the top.
    """
    gains = 0.0
    for target in targets:
        place = next((number for number, hit in enumerate(hits[:RESULTS]) if hit(target)), None)
        gains += 1 / math.log2(place + 2) if place is not None else 0.0
    ideal = sum(1 / math.log2(number + 2) for number in range(min(RESULTS, len(targets))))
    return min(1.0, gains / ideal)


def questions_of(folder: Path, repository: str) -> list[Asked]:
    """Return the questions about a repository."""
    rows = json.loads((folder / f"{repository}.json").read_text(encoding="utf-8"))
    return [
        Asked(repository, row["category"], row["query"], [_target(one) for one in row["relevant"] + row["secondary"]])
        for row in rows
    ]


def _target(told: str | dict[str, str | int]) -> Target:
    if isinstance(told, str):
        return Target(told)
    return Target(str(told["path"]), int(told.get("start_line", 0)), int(told.get("end_line", 0)))


@dataclass(frozen=True)
class Corpus:
    """Repositories with questions about them."""

    questions: Path
    trees: Path
    cache: Path
    names: Sequence[str]

    def opened(self) -> Iterator[tuple[str, Session, Sequence[Asked]]]:
        """Yield what each path begins with beyond the tree that is searched, what answers, and the questions."""
        for row in json.loads((self.questions / "repos.json").read_text(encoding="utf-8")):
            name, root = str(row["name"]), str(row.get("benchmark_root") or "")
            if self.names and name not in self.names:
                continue
            folder = self.trees / name / root
            index = Index(folder, self.cache)
            session = Session(Config(folder, self.cache, "openai"), index)
            index.start()
            if not index.wait(INDEXING_SECONDS):
                raise TimeoutError(f"the index of {name} is not complete")
            yield f"{root}/" if root else "", session, questions_of(self.questions, name)
            session.close()


def score(corpus: Corpus) -> int:
    """Print what the answers are worth; return the exit code."""
    answered: list[Answered] = []
    for prefix, session, questions in corpus.opened():
        some = [_answer(session, prefix, asked) for asked in questions]
        print(f"{questions[0].repository}: {statistics.mean(one.ndcg for one in some):.3f}", flush=True)
        answered += some
    print("\n| questions | number | NDCG@10 | in the default answer | promised |\n|---|---:|---:|---:|---:|")
    kept = True
    for category, least in PROMISED.items():
        values = [one for one in answered if category in ("all", one.asked.category)]
        if values:
            mean = statistics.mean(one.ndcg for one in values)
            shown = statistics.mean(one.ndcg_shown for one in values)
            kept &= mean >= least
            print(f"| {category} | {len(values)} | {mean:.3f} | {shown:.3f} | {least:.2f} |")
    recall = statistics.mean(one.recall for one in answered)
    tokens = statistics.median(one.tokens for one in answered)
    seconds = sorted(one.seconds for one in answered)
    recall_shown = statistics.mean(one.recall_shown for one in answered)
    print(f"\nrecall@10 {recall:.3f} (promised {PROMISED_RECALL}), in the default answer {recall_shown:.3f};", end=" ")
    print("tokens of the smallest answer with a relevant place:")
    print(f"median {tokens:,.0f} (promised {PROMISED_TOKENS}); milliseconds of a question: median", end=" ")
    print(f"{1_000 * statistics.median(seconds):.0f}, p95 {1_000 * seconds[int(0.95 * len(seconds))]:.0f}")
    return 0 if kept and recall >= PROMISED_RECALL and tokens <= PROMISED_TOKENS else 1


def _answer(session: Session, prefix: str, asked: Asked) -> Answered:
    begun = time.perf_counter()
    result = TOOLS["find_code"].run(session.index, query=asked.query)
    seconds = time.perf_counter() - begun
    assert isinstance(result, Result)
    places = [item for item in result.items if isinstance(item, CodeMatch)]
    hits = [_hit(prefix, item) for item in places]
    answer = _headings(session.call(Request("find_code", {"query": asked.query})).text)
    shown = [hit for item, hit in zip(places, hits, strict=True) if item.symbol.path in answer]
    relevant = [item.symbol.path for item, hit in zip(places, hits, strict=True) if any(map(hit, asked.targets))]
    tokens = _tokens(session, asked.query, relevant)
    ndcgs = ndcg(hits, asked.targets), ndcg(shown, asked.targets)
    recalls = _recall(hits, asked.targets), _recall(shown, asked.targets)
    return Answered(asked, ndcgs[0], recalls[0], ndcgs[1], recalls[1], tokens, seconds)


def _recall(hits: Sequence[Callable[[Target], bool]], targets: Sequence[Target]) -> float:
    """Return the share of targets that the first results hit."""
    return sum(any(hit(target) for hit in hits[:RESULTS]) for target in targets) / len(targets)


def _headings(text: str) -> set[str]:
    """Return the lines of an answer without what follows the path of a file."""
    return {line.partition("  [")[0] for line in text.splitlines()}


def _hit(prefix: str, item: CodeMatch) -> Callable[[Target], bool]:
    symbol = item.symbol
    return lambda target: target.is_hit(prefix + symbol.path, symbol.line, symbol.end_line)


def _tokens(session: Session, query: str, relevant: Sequence[str]) -> int:
    """Return the tokens of the smallest answer that has a relevant place; twice the largest where none has."""
    for budget in BUDGETS:
        text = session.call(Request("find_code", {"query": query, "max_tokens": budget})).text
        if not _headings(text).isdisjoint(relevant):
            return count(text)
    return 2 * BUDGETS[-1]


@dataclass(frozen=True)
class Example:
    """The files that a question found, as features, and which of them are hits of its targets."""

    asked: Asked
    features: Sequence[FileFeatures]
    hits: Sequence[Callable[[Target], bool]]
    relevant: Sequence[bool]

    def ndcg(self, weights: Sequence[float]) -> float:
        """Return what the order by some weights is worth."""
        values = [sum(map(float.__mul__, weights, one)) for one in self.features]
        order = sorted(range(len(values)), key=lambda row: -values[row])
        return ndcg([self.hits[row] for row in order[:RESULTS]], self.asked.targets)


def times(root: Path, cache: Path) -> int:
    """Print how long questions about a tree take once the index is warm; return the exit code."""
    index = Index(root, cache)
    index.start()
    if not index.wait(INDEXING_SECONDS):
        raise TimeoutError("the index is not complete")
    walls: list[float] = []
    cpus: list[float] = []
    for number in range(3):
        for query in GENERAL:
            begun, used = time.perf_counter(), time.process_time()
            TOOLS["find_code"].run(index, query=query)
            if number:
                walls.append(1_000 * (time.perf_counter() - begun))
                cpus.append(1_000 * (time.process_time() - used))
    index.close()
    for what, values in (("wall", sorted(walls)), ("CPU", sorted(cpus))):
        last = values[int(0.95 * len(values))]
        print(f"{what}: median {statistics.median(values):.0f} ms, p95 {last:.0f} ms of {len(values)}")
    return 0


def fit(corpus: Corpus) -> int:
    """Print the weights that rank best, and what they are worth where they were not fitted."""
    examples = list(_examples(corpus))
    names = sorted({one.asked.repository for one in examples})
    random.Random(SEED).shuffle(names)
    parts = [frozenset(names[start::PARTS]) for start in range(PARTS)]
    apart: list[tuple[Example, float]] = []
    for part in parts:
        weights = _fitted([one for one in examples if one.asked.repository not in part])
        apart += [(one, one.ndcg(weights)) for one in examples if one.asked.repository in part]
    weights = _fitted(examples)
    values = {"fitted apart": apart, "fitted on all": [(one, one.ndcg(weights)) for one in examples]}
    values["as they are"] = [(one, one.ndcg(WEIGHTS)) for one in examples]
    for what, rated in values.items():
        by_category: dict[str, list[float]] = defaultdict(list)
        for one, value in rated:
            by_category[one.asked.category].append(value)
        told = ", ".join(f"{category} {statistics.mean(some):.4f}" for category, some in sorted(by_category.items()))
        print(f"{what}: all {statistics.mean(value for _, value in rated):.4f}, {told}")
    for name, weight in zip(FileFeatures._fields, weights, strict=True):
        print(f"    {name}={weight:.2f},")
    return 0


def _examples(corpus: Corpus) -> Iterator[Example]:
    for prefix, session, questions in corpus.opened():
        for asked in questions:
            files = rank_files(session.index, parse_question(asked.query)).files
            hits = [_hit_of_file(prefix + file.path) for file in files]
            relevant = [any(map(hit, asked.targets)) for hit in hits]
            yield Example(asked, [file.features for file in files], hits, relevant)
        print(questions[0].repository, file=sys.stderr, flush=True)


def _hit_of_file(path: str) -> Callable[[Target], bool]:
    return lambda target: target.is_hit(path, 0, 0)


def _fitted(examples: Iterable[Example]) -> Sequence[float]:
    """Return the weights under which a relevant file is likeliest to be drawn (ListNet, Cao et al. 2007)."""
    data = []
    for one in examples:
        share = sum(one.relevant)
        kept = [row for row, hit in enumerate(one.relevant) if row < FITTED or hit]
        if share:
            data.append(([one.features[row] for row in kept], [one.relevant[row] / share for row in kept]))
    size = len(WEIGHTS)
    weights, mean, square = [0.0] * size, [0.0] * size, [0.0] * size
    for number in range(1, ROUNDS + 1):
        slope = [-SHRINKING * weight for weight in weights]
        for rows, wanted in data:
            for column, change in enumerate(_slope(rows, wanted, weights)):
                slope[column] += change / len(data)
        step = STEP if number < 0.6 * ROUNDS else STEP / 3
        for column, change in enumerate(slope):
            mean[column] = 0.9 * mean[column] + 0.1 * change
            square[column] = 0.999 * square[column] + 0.001 * change * change
            size_of_step = math.sqrt(square[column] / (1 - 0.999**number)) + 1e-8
            weights[column] += step * mean[column] / (1 - 0.9**number) / size_of_step
    return weights


def _slope(rows: Sequence[FileFeatures], wanted: Sequence[float], weights: Sequence[float]) -> Sequence[float]:
    """Return how the logarithm of the likelihood of what is wanted changes with each weight."""
    values = [sum(map(float.__mul__, weights, row)) for row in rows]
    largest = max(values)
    shares = [math.exp(value - largest) for value in values]
    whole = sum(shares)
    over = [want - share / whole for want, share in zip(wanted, shares, strict=True)]
    return [sum(map(float.__mul__, over, column)) for column in zip(*rows, strict=True)]


def main() -> int:
    """Run a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("score", "fit"):
        command = commands.add_parser(name)
        command.add_argument("--questions", type=Path, required=True)
        command.add_argument("--trees", type=Path, required=True)
        command.add_argument("--cache", type=Path)
        command.add_argument("names", nargs="*")
    timing = commands.add_parser("times")
    timing.add_argument("root", type=Path)
    timing.add_argument("--cache", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        cache = given.cache or Path(scratch)
        if given.command == "times":
            return times(given.root, cache)
        corpus = Corpus(given.questions, given.trees, cache, given.names)
        return score(corpus) if given.command == "score" else fit(corpus)


if __name__ == "__main__":
    sys.exit(main())
