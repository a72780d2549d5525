"""Text search against ripgrep: the same lines in the same files, and the CPU time of both, in one run.

    python bench/text.py ROOT [--cache DIR] [--seed 1] [--patience 10]

60 queries about the tree at ROOT: 14 words, 13 parts of words and 13 phrases, which are drawn by seed from files drawn
by seed, each of them once as often as they are written (frequent ones among them) and once as often as they differ
(mostly rare), and 20 regular expressions, 10 of which are made of drawn words. Every second query is case-sensitive.

A server in this process is asked each query once, after four that are not counted; ``rg`` is run for each
with the same case rule. It applies no ignore files (version 13 takes the rule ``.*`` of Linux for one about the root),
so the tree should have no ignored files. Compared are the lines of the files that both search; of the others their
number is printed with the reason. A query is *equal* if both have the same lines, and *complete* if the answer says so.
CPU time is that of this process until the complete result is stored, and that of ``rg``, its threads included. Exits
with 1 where not all are complete and equal, or where the promised ratios are exceeded.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import leadline_server.registry  # noqa: F401  declares the tools
from leadline_server.call import LOCAL, Request, Session
from leadline_server.config import Config
from leadline_server.store import Store
from leadline_tools.index.index import Index
from leadline_tools.index.text.key_masking import MASK
from leadline_tools.index.text.source_text import is_binary
from leadline_tools.search_text.matches import TextMatches

INDEXING_SECONDS = 3_600
SAMPLED_FILES = 400
WORDS, PARTS, PHRASES = 14, 13, 13
MEDIAN, WORST = 1.0, 4.0
"""The promised ratios of CPU time."""

FIXED = (
    r"return -E[A-Z]+;",
    r"[0-9a-f]{8}-[0-9a-f]{4}",
    r"\b0x[0-9A-F]{8}\b",
    r"TODO|FIXME|XXX",
    r"\bif\s*\(!",
    r"^#\s*define\s+\w+\(",
    r"[A-Z]{3,}_[A-Z]{3,}_MASK",
    r"\w+@\w+\.\w+",
    r"(?:get|put|free)_\w+\(",
    r"\d{3}\.\d{1,2}",
)
"""Regular expressions of the kind that people search code for."""

MADE_OF_WORDS = (
    r"\b{0}\b",
    r"{0}\s*\(",
    r"\b{0}\w*\s*=",
    r"(?:{0}|{1})",
    r"{0}.*{1}",
    r"^\s*{0}\b",
    r"{0}s?[.,;]",
    r"\w+_{0}\b",
    r"{0}[ _-]?{1}",
    r"[^a-z]{0}[A-Z_]",
)
"""The same, of one or two drawn words."""

RIPGREP = (
    *("rg", "--no-config", "--hidden", "--text", "--no-ignore"),
    *("--glob", "!.git", "--color", "never"),
)

_WORD = re.compile(r"\b[A-Za-z_]\w{2,30}\b")
_PHRASE = re.compile(r"\b[A-Za-z_]\w+[ (.>*&-]{1,3}[A-Za-z_]\w+(?:[ (.]{1,2}\w+)?")

Lines = Mapping[str, Sequence[int]]
"""The numbers of lines by path."""


@dataclass(frozen=True)
class Query:
    """One query."""

    kind: str
    text: str
    word: bool = False
    regex: bool = False
    case_sensitive: bool = False

    def __str__(self) -> str:
        """Return it as the report names it."""
        return f"{self.kind:7}{' ' if self.case_sensitive else 'i'} {self.text}"


WARMING = (
    Query("word", "return", word=True),
    Query("part", "etur"),
    Query("phrase", "the file"),
    Query("regex", r"\breturn\b.*;", regex=True),
)
"""What is asked before anything is counted."""


@dataclass(frozen=True)
class Outcome:
    """What both said to a query, and the seconds of CPU that it took."""

    query: Query
    lines: int
    files: int
    complete: bool
    differing: int
    own: float
    ripgrep: float

    @property
    def ratio(self) -> float:
        """Return how many times as much CPU the server took."""
        return self.own / max(self.ripgrep, 1e-3)


def main() -> int:
    """Compare; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path, metavar="ROOT")
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = given.root.resolve()
        config = Config(root, None, patience=given.patience)  # no answer is known from an earlier run
        index = Index(root, given.cache or Path(folder))
        index.start()
        session = Session(config, index)
        try:
            if not index.wait(INDEXING_SECONDS):
                raise TimeoutError("the index is not complete")
            return report(list(compare(session, random.Random(given.seed))))
        finally:
            session.close()


def compare(session: Session, chance: random.Random) -> Iterator[Outcome]:
    """Yield the outcome of each query."""
    drawn = queries(session.index, chance)
    common = common_files(session.index)
    for query in WARMING:
        ask(session, query)
    for query in drawn:
        began = time.process_time()
        uri = ask(session, query)
        if isinstance(session.store, Store):
            session.store.wait()
        used = time.process_time() - began
        complete, own = result_of(session, uri)
        output, taken = run(ripgrep(query, session.index.root))
        other = parsed(output, session.index.root)
        differing = sum(1 for _ in differences(session.index, query, own, other, common))
        lines = sum(map(len, own.values()))
        outcome = Outcome(query, lines, len(own), complete, differing, used, taken)
        shown = "" if complete else "NOT COMPLETE "
        print(
            f"{outcome.ratio:5.2f}x {used:6.2f} s {taken:6.2f} s {lines:>9,} lines {len(own):>6,} files {shown}{query}",
            flush=True,
        )
        yield outcome


def report(outcomes: Sequence[Outcome]) -> int:
    """Print the totals; return the exit code."""
    sound = sum(one.complete and not one.differing for one in outcomes)
    for kind in dict.fromkeys(one.query.kind for one in outcomes):
        ratios = sorted(one.ratio for one in outcomes if one.query.kind == kind)
        print(f"{kind}: {len(ratios)} queries, median {statistics.median(ratios):.2f}x, worst {ratios[-1]:.2f}x")
    ratios = sorted(one.ratio for one in outcomes)
    median, worst = statistics.median(ratios), ratios[-1]
    own, other = sum(one.own for one in outcomes), sum(one.ripgrep for one in outcomes)
    print(
        f"all: {sound} of {len(outcomes)} complete and equal; CPU of the server against rg's: median {median:.2f}x,"
        f" nine of ten {ratios[len(ratios) * 9 // 10]:.2f}x, worst {worst:.2f}x, together {own:.1f} s and {other:.1f} s"
    )
    return 0 if sound == len(outcomes) and median <= MEDIAN and worst <= WORST else 1


# Queries


def queries(index: Index, chance: random.Random) -> Sequence[Query]:
    """Return the queries about a tree."""
    paths = [file.path for file in index.files.below() if file.digest]
    sources = (index.try_read(path) for path in chance.sample(paths, min(SAMPLED_FILES, len(paths))))
    texts = [source.text for source in sources if source is not None and source.text.isascii()]
    words = [word for text in texts for word in _WORD.findall(text)]
    phrases = [phrase for text in texts for phrase in _PHRASE.findall(text)]
    drawn = [
        *(Query("word", one, word=True) for one in mixed(words, WORDS, chance)),
        *(Query("part", part(one, chance)) for one in mixed([one for one in words if len(one) > 5], PARTS, chance)),
        *(Query("phrase", one) for one in mixed(phrases, PHRASES, chance)),
        *(Query("regex", one, regex=True) for one in FIXED),
    ]
    drawn += [Query("regex", made.format(*mixed(words, 2, chance)), regex=True) for made in MADE_OF_WORDS]
    return [
        Query(one.kind, one.text, one.word, one.regex, case_sensitive=number % 2 == 1)
        for number, one in enumerate(drawn)
    ]


def mixed(found: Sequence[str], number: int, chance: random.Random) -> list[str]:
    """Return some of what was found: a half as often as it is written, a half as often as it differs."""
    different = sorted(set(found))
    chosen: dict[str, None] = {}
    while len(chosen) < number:
        chosen[chance.choice(found if len(chosen) % 2 else different)] = None
    return list(chosen)


def part(word: str, chance: random.Random) -> str:
    """Return a part of a word: neither its beginning nor its end."""
    start = chance.randrange(1, len(word) - 4)
    return word[start : chance.randrange(start + 3, len(word))]


# Answers


def ask(session: Session, query: Query) -> str:
    """Return the address of the result of a query."""
    arguments = {
        "query": query.text,
        "regex": query.regex,
        "word": query.word,
        "case_sensitive": query.case_sensitive,
    }
    response = session.call(Request("search_text", arguments, store=True))
    if response.is_error:
        raise ValueError(response.text)
    return response.uri


def result_of(session: Session, uri: str) -> tuple[bool, Lines]:
    """Return whether a stored result is complete, and its lines."""
    _, result = session.store.get(uri, LOCAL)
    if not isinstance(result.items, TextMatches):
        return not result.at_least, {}
    return not result.at_least, result.items.lines_by_file()


def ripgrep(query: Query, root: Path) -> Sequence[str]:
    """Return the command that searches the same."""
    options = (
        *("--case-sensitive" if query.case_sensitive else "--ignore-case",),
        *(() if query.regex else ("--fixed-strings",)),
        *(("--word-regexp",) if query.word else ()),
    )
    return (*RIPGREP, *options, "--line-number", "--no-heading", "--null", "--regexp", query.text, str(root))


def run(command: Sequence[str]) -> tuple[bytes, float]:
    """Return what a command prints, and the seconds of CPU that it took.

    That it finds nothing, or cannot read a link, is no error.
    """
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, process.returncode, usage = os.wait4(process.pid, 0)
    return output, usage.ru_utime + usage.ru_stime


def parsed(output: bytes, root: Path) -> Lines:
    """Return the lines in what ripgrep prints of the files below a root."""
    found: dict[str, list[int]] = {}
    for line in output.split(b"\n"):
        path, mark, rest = line.partition(b"\0")
        number, colon, _ = rest.partition(b":")
        if mark and colon and number.isdigit():
            found.setdefault(os.fsdecode(path).removeprefix(f"{root}/"), []).append(int(number))
    return found


def common_files(index: Index) -> frozenset[str]:
    """Return the files that both search; print how many only one does."""
    listed, _ = run((*RIPGREP, "--files", "--null", str(index.root)))
    start = f"{index.root}/"
    theirs = {os.fsdecode(one).removeprefix(start) for one in listed.split(b"\0") if one}
    ours = frozenset(index.files.paths)
    secret = index.files.secret
    links = {path for path in ours if Path(index.tree.on_disk(path)).is_symlink()}
    with index.tree.reading() as reader:
        small = (path for path in ours & theirs if path not in secret)
        binary = {path for path in small if is_binary(reader.raw(path) or b"")}
    alone = len(ours - theirs - links), len(theirs - ours)
    print(
        f"{len(ours):,} files; not compared: {len(secret):,} secret, {len(binary):,} binary, {len(links):,} links (rg"
        f" follows none), {alone[0]:,} more that rg does not search, {alone[1]:,} that only rg searches",
        flush=True,
    )
    return (ours & theirs) - secret - binary - links


def differences(index: Index, query: Query, own: Lines, other: Lines, common: Iterable[str]) -> Iterator[str]:
    """Yield and print the lines in common files that only one has; those of masked keys are no difference."""
    for path in sorted({*own, *other}.intersection(common)):
        mine, theirs = frozenset(own.get(path, ())), frozenset(other.get(path, ()))
        for line in sorted(mine ^ theirs):
            source = index.try_read(path)
            text = source.lines()[line - 1] if source is not None and line <= source.line_count else ""
            if MASK in text:
                continue
            print(f"  {'extra' if line in mine else 'missed'} {query}: {path}:{line}: {text.strip()[:100]}")
            yield path


if __name__ == "__main__":
    sys.exit(main())
