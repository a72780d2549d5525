"""How well code is found by questions in other words than its own, and in trees without documentation.

    python bench/paraphrases.py score --trees DIR [--bare] [--cache DIR] [NAME...]
    python bench/paraphrases.py pool --trees DIR --to FILE
    python bench/paraphrases.py agreement --grades FILE

The 100 questions are in ``bench/paraphrases``, ten about each of ten trees: a person's words that avoid the names in
the code, each with the files that answer it and files that help. They were written and committed before any answer was
seen. TREES holds a folder for each tree.

``score`` asks ``find_code``, plain BM25 (k1 1.2, b 0.75, words cut at the limits of camelCase and snake_case, words of
questions such as *the* left out) over the texts of the same files, and ranks files as a person with ``rg`` would: by
how many different words of the question they hold, then by the lines that hold one. The metrics are those of
``bench/meaning.py``. With ``--bare`` it does so on copies without comments, docstrings, documentation and other prose.

``pool`` writes for each question, in an order drawn by seed, the files that answer it among the first five of BM25, in
an order drawn by seed and without saying which is which, to be graded once more: 2 answers it, 1 helps, 0 neither.
``agreement`` compares such grades with the first ones (Cohen's kappa of two classes, relevant or not).
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_tools.index.index import Index
from leadline_tools.index.tree.marks import Mark, mark_of
from leadline_tools.languages import language_of
from leadline_tools.languages.lexing import spans
from leadline_tools.model import CodeMatch
from leadline_tools.result import Result
from leadline_tools.tool import TOOLS
from meaning import RESULTS, Asked, Target, ndcg, questions_of

QUESTIONS = Path(__file__).with_name("paraphrases")
INDEXING_SECONDS = 600
POOLED, SEED = 5, 41
K1, B = 1.2, 0.75
LARGEST = 1 << 20
"""Bytes of the largest file that BM25 counts words of."""

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_COMMON = frozenset(
    "a about after again all an and any are as at be been before between by come could do each for from go had has have"
    " how if in instead into is it its no nobody not of off on one or other out over so some somebody that the their"
    " them then there they this those to too two until up was we were what when where which while who with".split()
)

Ranked = Sequence[str]
"""Paths, best first."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, cut where parts of names begin."""
    return [part.lower() for part in _PART.findall(text)]


def wanted_words(question: str) -> list[str]:
    """Return the words of a question that say something."""
    return [word for word in words_of(question) if word not in _COMMON]


class Bm25:
    """Okapi BM25 (Robertson and others 1995) over the texts of some files."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._counts = {path: Counter(words_of(text)) for path, text in texts.items()}
        self._held = Counter(word for counts in self._counts.values() for word in counts)
        self._lengths = {path: counts.total() for path, counts in self._counts.items()}
        self._mean = statistics.mean(self._lengths.values())

    def rank(self, question: str) -> Ranked:
        """Return the files with a word of the question, best first."""
        scores: dict[str, float] = defaultdict(float)
        for word in set(wanted_words(question)):
            held = self._held[word]
            rarity = math.log(1 + (len(self._counts) - held + 0.5) / (held + 0.5))
            for path, counts in self._counts.items():
                if often := counts[word]:
                    norm = K1 * (1 - B + B * self._lengths[path] / self._mean)
                    scores[path] += rarity * often * (K1 + 1) / (often + norm)
        return sorted(scores, key=lambda path: (-scores[path], path))


def rank_by_ripgrep(root: Path, question: str) -> Ranked:
    """Return the files by how many different words of the question they hold, then by the lines that hold one."""
    different: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for word in sorted(set(wanted_words(question))):
        command = ["rg", "--no-config", "--ignore-case", "--count", "--fixed-strings", "--null", "--", word, "."]
        output = subprocess.run(command, cwd=root, check=False, capture_output=True, text=True).stdout
        for row in output.splitlines():
            path, _, number = row.partition("\0")
            different[path.removeprefix("./")] += 1
            lines[path.removeprefix("./")] += int(number)
    return sorted(different, key=lambda path: (-different[path], -lines[path], path))


def rank_by_find_code(index: Index, question: str) -> Ranked:
    """Return the files that ``find_code`` lists."""
    result = TOOLS["find_code"].run(index, query=question)
    assert isinstance(result, Result)
    return [item.symbol.path for item in result.items if isinstance(item, CodeMatch)]


@dataclass(frozen=True)
class Tree:
    """A tree with questions about it, and the three that rank its files."""

    root: Path
    index: Index
    questions: Sequence[Asked]

    def texts(self) -> Mapping[str, str]:
        """Return the texts of its files by path."""
        small = (path for path in self.index.files.paths if self.index.files.size(path) <= LARGEST)
        sources = ((path, self.index.try_read(path)) for path in small)
        return {path: source.text for path, source in sources if source is not None}


def trees(folder: Path, cache: Path, names: Sequence[str], *, bare: bool) -> Iterator[Tree]:
    """Yield the trees, indexed."""
    for row in json.loads((QUESTIONS / "repos.json").read_text(encoding="utf-8")):
        name = str(row["name"])
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as copies:
            root = (folder / name).resolve()
            if bare:
                root = strip(root, Path(copies) / name)
            index = Index(root, cache)
            index.start()
            try:
                if not index.wait(INDEXING_SECONDS):
                    raise TimeoutError(f"the index of {name} is not complete")
                yield Tree(root, index, questions_of(QUESTIONS, name))
            finally:
                index.close()


def strip(root: Path, copy: Path) -> Path:
    """Copy the code of a tree without comments, docstrings and prose; return the copy."""
    for path in root.rglob("*"):
        inside = path.relative_to(root).as_posix()
        if not path.is_file() or path.is_symlink() or f"/{inside}".find("/.git/") >= 0:
            continue
        if mark_of(inside) is Mark.Documentation:
            continue
        to = copy / inside
        to.parent.mkdir(parents=True, exist_ok=True)
        language = language_of(inside)
        if language is None or language.source.lexis is None:
            shutil.copyfile(path, to)
        else:
            content = path.read_bytes()
            to.write_bytes(without(content, documented(inside, content)))
    return copy


def documented(path: str, content: bytes) -> Sequence[tuple[int, int]]:
    """Return the spans of comments and docstrings in a source."""
    language = language_of(path)
    lexis = language.source.lexis if language is not None else None
    found = [(one.start, one.end) for one in spans(content, lexis) if one.comment] if lexis is not None else []
    if path.endswith(".py"):
        with suppress(SyntaxError, ValueError):
            found += docstrings(content)
    return sorted(found)


def docstrings(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield the spans of the docstrings of a Python source."""
    starts = [0]
    for line in content.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    for node in ast.walk(ast.parse(content)):
        match node:
            case (
                ast.Module(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
                | ast.ClassDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
                | ast.FunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
                | ast.AsyncFunctionDef(body=[ast.Expr(value=ast.Constant(value=str()) as text), *_])
            ):
                # An empty string stays, so that a body that was nothing else is one still.
                begin = starts[text.lineno - 1] + text.col_offset
                end = starts[(text.end_lineno or text.lineno) - 1] + (text.end_col_offset or 0)
                yield begin + 1, end - 1
            case _:
                pass


def without(content: bytes, cut: Sequence[tuple[int, int]]) -> bytes:
    """Return a source in which some spans are blank; its lines stay."""
    pieces, at = [], 0
    for start, end in cut:
        if start < at:
            continue
        pieces += [content[at:start], re.sub(rb"[^\n]+", b"", content[start:end])]
        at = end
    return b"".join([*pieces, content[at:]])


def score(found: Iterator[Tree]) -> int:
    """Print the scores."""
    names = ("find_code", "BM25", "rg")
    all_scores: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for tree in found:
        ranking = Bm25(tree.texts())
        rankers: Sequence[Callable[[str], Ranked]]
        rankers = (partial(rank_by_find_code, tree.index), ranking.rank, partial(rank_by_ripgrep, tree.root))
        shown = []
        for name, rank in zip(names, rankers, strict=True):
            scores = [_scores(rank(asked.query), asked.targets) for asked in tree.questions]
            all_scores[name] += scores
            shown.append(f"{name} {statistics.mean(one for one, _ in scores):.3f}")
        print(f"{tree.questions[0].repository}: {', '.join(shown)}", flush=True)
    print("\n| | NDCG@10 | recall@10 |\n|---|---:|---:|")
    for name, scores in all_scores.items():
        first, second = zip(*scores, strict=True)
        print(f"| {name} | {statistics.mean(first):.3f} | {statistics.mean(second):.3f} |")
    return 0


def _scores(ranked: Ranked, targets: Sequence[Target]) -> tuple[float, float]:
    hits = [partial(_is_target, path) for path in ranked]
    found = sum(any(hit(target) for hit in hits[:RESULTS]) for target in targets)
    return ndcg(hits, targets), found / len(targets)


def _is_target(path: str, target: Target) -> bool:
    return path == target.path


def pool(found: Iterator[Tree], to: Path) -> int:
    """Write what is to be graded once more."""
    chance = random.Random(SEED)
    rows = []
    for tree in found:
        ranking = Bm25(tree.texts())
        for asked in tree.questions:
            paths = sorted({*(target.path for target in asked.targets), *ranking.rank(asked.query)[:POOLED]})
            chance.shuffle(paths)
            rows.append({"tree": asked.repository, "query": asked.query, "files": paths})
    chance.shuffle(rows)
    to.write_text("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n", encoding="utf-8")
    return 0


def agreement(grades: Path) -> int:
    """Print how often two grades of the same files agree."""
    first = {
        (asked.repository, asked.query): {target.path for target in asked.targets}
        for row in json.loads((QUESTIONS / "repos.json").read_text(encoding="utf-8"))
        for asked in questions_of(QUESTIONS, str(row["name"]))
    }
    pairs: Counter[tuple[bool, bool]] = Counter()
    for row in json.loads(grades.read_text(encoding="utf-8")):
        relevant = first[row["tree"], row["query"]]
        for path, grade in row["grades"].items():
            pairs[path in relevant, int(grade) > 0] += 1
    total = pairs.total()
    agreed = (pairs[True, True] + pairs[False, False]) / total
    shares = [sum(number for pair, number in pairs.items() if pair[which]) / total for which in (0, 1)]
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    kappa = (agreed - chance) / (1 - chance)
    print(f"{total} files graded twice: {agreed:.3f} agree, kappa {kappa:.3f}; {dict(pairs)}")
    return 0


def main() -> int:
    """Do what is asked; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("score", "pool", "agreement"))
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--trees", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("--to", type=Path)
    parser.add_argument("--grades", type=Path)
    given = parser.parse_args()
    if given.what == "agreement":
        return agreement(given.grades)
    with tempfile.TemporaryDirectory() as folder:
        found = trees(given.trees, given.cache or Path(folder), given.names, bare=given.bare)
        return score(found) if given.what == "score" else pool(found, given.to)


if __name__ == "__main__":
    sys.exit(main())
